package main

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// Questions about objects: tools/llvmfacts/askobject.h has the other side.

// machine asks about assembly and objects: values by name, and the directives that
// frames begin with.
func (p *process) machine() (map[string]string, [][3]int64, error) {
	f, err := p.frame([]byte{'M'})
	if err != nil {
		return nil, nil, fmt.Errorf("machine: %w", err)
	}
	s := &scanner{b: f}
	text := string(s.bytes(int(s.num(4))))
	vals := map[string]string{}
	var cfi [][3]int64
	for _, l := range strings.Split(text, "\n") {
		k, v, _ := strings.Cut(l, "=")
		if k == "cfi" {
			var c [3]int64
			fmt.Sscan(v, &c[0], &c[1], &c[2])
			cfi = append(cfi, c)
			continue
		}
		vals[k] = unescape(v)
	}
	return vals, cfi, s.err
}

// unescape undoes LLVM's printEscapedString.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+2 < len(s) {
			var c byte
			if n, _ := fmt.Sscanf(s[i+1:i+3], "%02X", &c); n == 1 {
				b.WriteByte(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// spec is a specifier as LLVM numbers it.
type spec struct {
	form uint8 // 0: behind "@" of a symbol; 1: around an expression
	num  uint32
	text string
}

// specifiers asks for those of the numbers from one to another. A number that is
// none may kill the process.
func (p *process) specifiers(from, to uint32) ([]spec, error) {
	b := binary.LittleEndian.AppendUint32([]byte{'S'}, from)
	f, err := p.frame(binary.LittleEndian.AppendUint32(b, to))
	if err == nil {
		s := &scanner{b: f}
		out := make([]spec, s.num(4))
		for i := range out {
			out[i] = spec{form: uint8(s.num(1)), num: uint32(s.num(4))}
			out[i].text = s.str()
		}
		if s.err == nil {
			return out, nil
		}
	}
	p.close()
	if err := p.run(); err != nil || to == from+1 {
		return nil, err
	}
	mid := (from + to) / 2
	a, err := p.specifiers(from, mid)
	if err != nil {
		return nil, err
	}
	c, err := p.specifiers(mid, to)
	return append(a, c...), err
}

// made is a fixup that an expression made.
type made struct {
	offset uint8
	kind   uint16
	flags  uint8 // pc-relative, relaxable, relocatable, symbol, subtracted symbol
	add    int64
	spec   uint32
}

// probed is the answer to a probe.
type probed struct {
	ok    bool
	code  []byte
	fixes []made
}

// probeObject asks what instructions with expressions are.
func (p *process) probeObject(qs []question) ([]probed, error) {
	var out []probed
	for len(qs) > 0 {
		n := min(len(qs), maxBatch)
		b := []byte{'P'}
		for k := range qs[:n] {
			b = appendInst(b, &qs[k])
		}
		f, err := p.frame(b)
		if err != nil {
			// One of them killed it: each alone, those without answer are refused.
			p.close()
			if err := p.run(); err != nil {
				return nil, err
			}
			if n == 1 {
				out, qs = append(out, probed{}), qs[1:]
				continue
			}
			for k := range n {
				one, err := p.probeObject(qs[k : k+1])
				if err != nil {
					return nil, err
				}
				out = append(out, one...)
			}
			qs = qs[n:]
			continue
		}
		s := &scanner{b: f}
		for range n {
			var a probed
			if s.num(1) == 0 {
				a.ok = true
				a.code = s.bytes(int(s.num(1)))
				for range s.num(1) {
					a.fixes = append(a.fixes, made{offset: uint8(s.num(1)), kind: uint16(s.num(2)), flags: uint8(s.num(1)), add: int64(s.num(8)), spec: uint32(s.num(4))})
				}
			}
			out = append(out, a)
		}
		if s.err != nil {
			return nil, s.err
		}
		qs = qs[n:]
	}
	return out, nil
}

func appendInst(b []byte, q *question) []byte {
	b = append(b, byte(q.op), byte(q.op>>8), byte(len(q.ops)))
	for _, o := range q.ops {
		b = binary.LittleEndian.AppendUint64(append(b, o.kind), uint64(o.val))
	}
	return b
}

// What the value of a fixup is.
const (
	symNone = iota
	symLocal
	symFar
	symDiff
)

// recorded is a relocation that a backend made.
type recorded struct {
	kind  uint16
	spec  uint32
	flags uint8 // symbol, subtracted symbol, relative
}

// applied is what became of a value.
type applied struct {
	status      uint8
	message     string
	made        []recorded
	zeros, ones [16]byte
}

func (p *process) apply(kind uint16, pcrel, resolved, relax bool, sym uint8, sp uint32, vals []int64) ([]applied, error) {
	flags := byte(0)
	for i, f := range [...]bool{pcrel, resolved, relax} {
		if f {
			flags |= 1 << i
		}
	}
	b := binary.LittleEndian.AppendUint16([]byte{'B'}, kind)
	b = binary.LittleEndian.AppendUint32(append(b, flags, sym), sp)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(vals)))
	for _, v := range vals {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	f, err := p.frame(b)
	out := make([]applied, len(vals))
	if err == nil {
		s := &scanner{b: f}
		for i := range out {
			a := &out[i]
			a.status, a.message = uint8(s.num(1)), s.str()
			for range s.num(1) {
				a.made = append(a.made, recorded{kind: uint16(s.num(2)), spec: uint32(s.num(4)), flags: uint8(s.num(1))})
				s.num(1)
			}
			copy(a.zeros[:], s.bytes(16))
			copy(a.ones[:], s.bytes(16))
		}
		if s.err == nil {
			return out, nil
		}
	}
	// One of them killed it, or what it has for the answer: halves show which.
	p.close()
	p.died++
	if err := p.run(); err != nil || p.died > 2000 {
		return nil, fmt.Errorf("kind %d: %v", kind, err)
	}
	if len(vals) == 1 {
		return []applied{{status: 2}}, nil
	}
	n := len(vals) / 2
	a, err := p.apply(kind, pcrel, resolved, relax, sym, sp, vals[:n])
	if err != nil {
		return nil, err
	}
	c, err := p.apply(kind, pcrel, resolved, relax, sym, sp, vals[n:])
	return append(a, c...), err
}

// relocation is the type of one, what flags it has, or what LLVM says about it.
type relocation struct {
	status  uint8
	message string
	typ     uint32
	flags   uint8 // names its symbol, makes it thread-local
}

func (p *process) relocation(kind uint16, pcrel bool, sym uint8, sp uint32) (r relocation, err error) {
	rel := byte(0)
	if pcrel {
		rel = 1
	}
	b := binary.LittleEndian.AppendUint16([]byte{'T'}, kind)
	f, err := p.frame(binary.LittleEndian.AppendUint32(append(b, rel, sym), sp))
	if err != nil {
		p.close() // it killed the process: refused
		return relocation{status: 2}, p.run()
	}
	s := &scanner{b: f}
	r = relocation{status: uint8(s.num(1)), message: s.str(), typ: uint32(s.num(4)), flags: uint8(s.num(1))}
	return r, s.err
}

// nops are the bytes that do nothing of 1 to n bytes, nil where there are none.
func (p *process) nops(n int) ([][]byte, error) {
	f, err := p.frame(binary.LittleEndian.AppendUint16([]byte{'N'}, uint16(n)))
	if err != nil {
		return nil, fmt.Errorf("nops: %w", err)
	}
	s := &scanner{b: f}
	out := make([][]byte, n)
	for i := range out {
		ok := s.num(1) == 0
		if b := s.bytes(int(s.num(2))); ok {
			out[i] = b
		}
	}
	return out, s.err
}

// longer is the longer form of an instruction; ok is false where it has none.
type longer struct {
	ok      bool
	changed bool
	op      desc.Opcode
	ops     []operand
}

func (p *process) longer(q question) (l longer, err error) {
	f, err := p.frame(appendInst([]byte{'X'}, &q))
	if err != nil {
		p.close()
		return l, p.run()
	}
	s := &scanner{b: f}
	if s.num(1) != 0 {
		return l, s.err
	}
	l = longer{ok: true, changed: s.num(1) != 0, op: desc.Opcode(s.num(2))}
	for range s.num(1) {
		l.ops = append(l.ops, operand{uint8(s.num(1)), int64(s.num(8))})
	}
	return l, s.err
}

// reach tells of values whether they ask for the longer form.
func (p *process) reach(kind uint16, vals []int64) ([]bool, error) {
	b := binary.LittleEndian.AppendUint16([]byte{'Y'}, kind)
	b = append(b, symLocal, 0, 0, 0, 0, 1)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(vals)))
	for _, v := range vals {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	f, err := p.frame(b)
	if err != nil {
		return nil, fmt.Errorf("reach of kind %d: %w", kind, err)
	}
	s := &scanner{b: f}
	out := make([]bool, len(vals))
	for i := range out {
		out[i] = s.num(1) != 0
	}
	return out, s.err
}
