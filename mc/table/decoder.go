package table

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// Status is what a decoder says about bytes.
type Status uint8

// The states, from bad to good.
const (
	Fail     Status = iota // the bytes are no instruction
	SoftFail               // they are one, but bits that should be so are not
	Success
)

// Decoding is the state of one Decode call, for methods.
type Decoding struct {
	ST   *mc.Subtarget
	Info *desc.Info
	Inst *mc.Inst // operands so far
	Addr uint64   // of the instruction
}

// DecodeFunc decodes a field (of an operand's DecoderMethod) or the low 64 bits
// of an instruction (of an instruction's) and adds operands to d.Inst.
type DecodeFunc func(d *Decoding, bits uint64) Status

// Decoder turns bytes into instructions.
type Decoder struct {
	t       *desc.DecoderTable
	info    *desc.Info
	methods []DecodeFunc
	// byEncoding has for class c and encoding e the register at classes[c]+e.
	byEncoding []desc.PhysReg
	classes    []classEncodings
}

type classEncodings struct{ first, num uint32 }

// NewDecoder binds a table.
func NewDecoder(t *desc.DecoderTable, info *desc.Info, methods map[string]DecodeFunc) (*Decoder, error) {
	d := &Decoder{t: t, info: info}
	var err error
	if d.methods, err = bind(t.Names, t.Methods, "DecoderMethod", methods); err != nil {
		return nil, err
	}
	d.classes = make([]classEncodings, len(info.Classes))
	for c := range info.Classes {
		n := 0
		members := info.ClassMembers(desc.ClassID(c))
		for _, r := range members {
			n = max(n, int(info.Regs[r].Encoding)+1)
		}
		if n > 4096 {
			continue // no field is that wide; such encodings carry flags
		}
		d.classes[c] = classEncodings{uint32(len(d.byEncoding)), uint32(n)}
		d.byEncoding = append(d.byEncoding, make([]desc.PhysReg, n)...)
		for _, r := range members {
			if p := &d.byEncoding[int(d.classes[c].first)+int(info.Regs[r].Encoding)]; *p == 0 {
				*p = r
			}
		}
	}
	return d, nil
}

// RegOf gives the register of a class with an encoding, 0 when there is none.
func (d *Decoder) RegOf(c desc.ClassID, enc uint64) desc.PhysReg {
	if p := d.classes[c]; enc < uint64(p.num) {
		return d.byEncoding[uint64(p.first)+enc]
	}
	return 0
}

// Namespaces lists the names of the trees, each once.
func (d *Decoder) Namespaces() []string {
	var out []string
	for _, s := range d.t.Spaces {
		if n := s.Name.In(d.t.Names); len(out) == 0 || out[len(out)-1] != n {
			out = append(out, n)
		}
	}
	return out
}

// Decode reads one instruction at the start of code into in and returns its
// size. space is a DecoderNamespace, "" for the common one; its shorter
// instructions are tried first. Where the bytes mean nothing the size is that of
// the shortest instruction, to go on behind it.
func (d *Decoder) Decode(space string, st *mc.Subtarget, code []byte, addr uint64, in *mc.Inst) (size int, s Status) {
	least := 0
	for k := range d.t.Spaces {
		sp := &d.t.Spaces[k]
		if sp.Name.In(d.t.Names) != space {
			continue
		}
		if least == 0 {
			least = int(sp.Size)
		}
		if len(code) < int(sp.Size) {
			break
		}
		var w word
		w.load(code[:sp.Size], d.t.BigEndian)
		if s, _ := d.walk(sp.Root, st, &w, addr, in); s != Fail {
			return int(sp.Size), s
		}
	}
	in.Reset(0)
	return min(max(least, 1), len(code)), Fail
}

// walk searches a tree; final says that a failure is the answer.
func (d *Decoder) walk(n uint32, st *mc.Subtarget, w *word, addr uint64, in *mc.Inst) (s Status, final bool) {
	for n != 0 {
		p := &d.t.Nodes[n]
		if p.Len == 0 {
			if s, final = d.try(&d.t.Instrs[p.First], st, w, addr, in); s != Fail || final {
				return s, final
			}
			n = p.Rest
			continue
		}
		v := uint32(w.field(int(p.From), int(p.Len)))
		cases := d.t.Cases[p.First : p.First+uint32(p.Num)]
		i := sort.Search(len(cases), func(i int) bool { return cases[i].Value >= v })
		if i < len(cases) && cases[i].Value == v {
			if p.Rest == 0 {
				n = cases[i].Node
				continue
			}
			if s, final = d.walk(cases[i].Node, st, w, addr, in); s != Fail || final {
				return s, final
			}
		}
		n = p.Rest
	}
	return Fail, false
}

// try decodes the bits as one instruction; final says that a failure is the answer.
func (d *Decoder) try(i *desc.DecInstr, st *mc.Subtarget, w *word, addr uint64, in *mc.Inst) (s Status, final bool) {
	nw := int(i.NumWords)
	fixed := d.t.Words[i.Words:]
	for k := range nw {
		if w[k]&fixed[k] != fixed[nw+k] {
			return Fail, false
		}
	}
	if i.Features.Num > 0 && (st == nil || !holds(d.t.Terms, i.Features, st.Has)) {
		return Fail, false
	}
	for k := range i.NumChecks {
		if !d.check(&d.t.Checks[i.Checks+uint32(k)], w) {
			return Fail, false
		}
	}
	if i.Op == 0 {
		return Fail, true
	}
	s = Success
	if i.Soft {
		for k := range nw {
			if w[k]&fixed[2*nw+k] != fixed[3*nw+k] {
				s = SoftFail
			}
		}
	}
	in.Reset(i.Op)
	c := Decoding{ST: st, Info: d.info, Inst: in, Addr: addr}
	if i.Method != 0 {
		s = min(s, d.methods[i.Method-1](&c, w[0]))
	} else {
		for k := range i.NumOps {
			if s = min(s, d.operand(&c, &d.t.Ops[i.Ops+uint32(k)], w)); s == Fail {
				break
			}
		}
	}
	return s, s == Fail && !i.Incomplete
}

// check answers a condition about fields.
func (d *Decoder) check(c *desc.DecCheck, w *word) bool {
	a := int64(w.get(d.t.Segs[c.A : c.A+uint32(c.NumA)]))
	b := int64(c.Add)
	if c.NumB > 0 {
		b += int64(w.get(d.t.Segs[c.B : c.B+uint32(c.NumB)]))
	}
	switch c.Kind {
	case desc.CheckLess:
		return a < b
	case desc.CheckMember:
		return uint64(a)>>uint64(b)&1 != 0
	case desc.CheckCount:
		return int64(bits.OnesCount64(uint64(a))) < b
	}
	return a == b
}

// operand adds one operand.
func (d *Decoder) operand(c *Decoding, o *desc.DecOp, w *word) Status {
	v := w.get(d.t.Segs[o.Segs:o.Segs+uint32(o.NumSegs)]) | o.Fixed
	switch o.Kind {
	case desc.DecReg:
		r := d.RegOf(desc.ClassID(o.Arg), v)
		if r == 0 {
			return Fail
		}
		c.Inst.Add(mc.Reg(r))
	case desc.DecFunc:
		return d.methods[o.Arg-1](c, v)
	case desc.DecCopy:
		if int(o.Arg) >= len(c.Inst.Ops) {
			return Fail
		}
		c.Inst.Add(c.Inst.Ops[o.Arg])
	case desc.DecFixedReg:
		c.Inst.Add(mc.Reg(desc.PhysReg(o.Arg)))
	case desc.DecXformed:
		return d.transformed(c, &d.t.Xforms[o.Arg], v)
	default:
		f := d.t.Formats[o.Arg]
		if f.Bits > 0 && f.Bits < 64 && v>>f.Bits != 0 {
			return Fail // the field is wider than what it may hold
		}
		c.Inst.Add(mc.Imm(fromField(f, v)))
	}
	return Success
}

// transformed adds an operand that a transformation makes of a field's value.
func (d *Decoder) transformed(c *Decoding, x *desc.DecXform, v uint64) Status {
	f := d.t.Formats[x.Format]
	r := x.Add
	switch x.Kind {
	case desc.DecAdd:
		r += fromField(f, v)
	case desc.DecSub:
		r -= fromField(f, v)
	case desc.DecSign:
		m := fromField(f, v&(1<<f.Bits-1))
		switch {
		case v>>f.Bits&1 != 0:
			r = m
		case m != 0:
			r = -m
		}
	case desc.DecLinear:
		for ; v != 0; v &= v - 1 {
			r ^= int64(d.t.Maps[x.First+uint32(bits.TrailingZeros64(v))].Value)
		}
	case desc.DecRegList:
		for ; v != 0; v &= v - 1 {
			c.Inst.Add(mc.Reg(desc.PhysReg(d.t.Maps[x.First+uint32(bits.TrailingZeros64(v))].Value)))
		}
		return Success
	default:
		rows := d.t.Maps[x.First : x.First+x.Num]
		k := int(v) // most maps have a row for each value
		if v >= uint64(len(rows)) || uint64(rows[k].Key) != v {
			k = sort.Search(len(rows), func(i int) bool { return uint64(rows[i].Key) >= v })
			if k == len(rows) || uint64(rows[k].Key) != v {
				return Fail
			}
		}
		if x.Kind == desc.DecMapReg {
			c.Inst.Add(mc.Reg(desc.PhysReg(rows[k].Value)))
			return Success
		}
		r = int64(rows[k].Value)
	}
	c.Inst.Add(mc.Imm(r))
	return Success
}

// Bytes gives the size of the longest instruction of a namespace.
func (d *Decoder) Bytes(space string) int {
	n := 0
	for _, s := range d.t.Spaces {
		if s.Name.In(d.t.Names) == space {
			n = max(n, int(s.Size))
		}
	}
	return n
}

// String names a status.
func (s Status) String() string {
	switch s {
	case Fail:
		return "fail"
	case SoftFail:
		return "soft fail"
	case Success:
		return "success"
	}
	return fmt.Sprintf("status %d", uint8(s))
}
