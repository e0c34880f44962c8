package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// X86's instructions are not words: what an opcode byte means depends on the map it
// is in, the byte behind it and what stood before it. All of these together, its
// contexts, are put to LLVM once; desc.ContextTable says what they are. Operands
// then follow from TSFlags, which target/x86 reads.

// contextLearner asks about one mode.
type contextLearner struct {
	p    *process
	t    *desc.ContextTable
	mode int // 0: 16, 1: 32, 2: 64 bits
	seen map[string]uint32
	err  error
	qs   []question
}

// ask gives the opcodes that byte strings mean, 0 for none.
func (l *contextLearner) ask(raws [][]byte) []desc.Opcode {
	l.qs = l.qs[:0]
	for _, r := range raws {
		l.qs = append(l.qs, question{want: wantRaw | wantDecode, raw: r})
	}
	out := make([]desc.Opcode, len(raws))
	if l.err != nil {
		return out
	}
	as, err := l.p.ask(l.qs)
	if err != nil {
		l.err = err
		return out
	}
	for i := range as {
		if as[i].decodeOK {
			out[i] = as[i].decOp
		}
	}
	return out
}

// tail are the bytes behind a ModRM byte: a SIB byte with the given index, then nothing much.
func tail(b []byte, index byte) []byte {
	return append(b, 4|index<<3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// modRM is the byte for one of the 72 kinds: memory with each extension, then registers.
func modRM(k int) byte {
	if k < 8 {
		return byte(k<<3 | 4)
	}
	return byte(0xc0 + k - 8)
}

// learnContexts learns X86.
func learnContexts(name, ask, out string) error {
	began := time.Now()
	t := &desc.ContextTable{Starts: []uint32{0}}
	l := &contextLearner{t: t, seen: map[string]uint32{}}
	views := [3]view{{"i386-unknown-linux-code16", "", "", -1}, {"i386-unknown-linux-gnu", "", "", -1}, {"x86_64-unknown-linux-gnu", "", "", -1}}
	var err error
	if l.p, err = start(ask, views[2]); err != nil {
		return err
	}
	defer l.p.close()
	t.Rows = make([]uint32, desc.ContextRows)
	t.Decisions = append(t.Decisions, make([]uint32, desc.ContextKinds)...) // 0: nothing
	for l.mode = range 3 {
		v := views[l.mode]
		if _, err := l.p.subtarget(v); err != nil {
			return err
		}
		for m := range 4 {
			for op := range 256 {
				l.legacy(m, byte(op))
			}
		}
		for op := range 256 {
			l.now3D(byte(op))
		}
		for _, c := range [...]struct{ class, maps int }{{desc.ContextVEX, 8}, {desc.ContextXOP, 3}, {desc.ContextEVEX, 8}} {
			for m := range c.maps {
				if c.class != desc.ContextXOP && m == 0 {
					continue
				}
				for op := range 256 {
					l.vector(c.class, m, byte(op))
				}
			}
		}
		if l.err != nil {
			return l.err
		}
		fmt.Printf("mode %d: %d decisions, %d contexts, %.0f s\n", l.mode, len(t.Decisions)/desc.ContextKinds, len(t.Contexts), time.Since(began).Seconds())
	}
	data := facts.AppendContexts(nil, t)
	fmt.Printf("%s: %d bytes, %d questions\n", name, len(data), l.p.asked)
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_dis_x86.bin"), data, 0o666)
}

// set adds what the kinds of an opcode byte mean in its contexts.
func (l *contextLearner) set(class, m int, op byte, kinds *[desc.ContextKinds][]desc.Context) {
	var decision []uint32
	any := false
	for k := range kinds {
		key := fmt.Sprint(kinds[k])
		at, ok := l.seen[key]
		if len(kinds[k]) == 0 {
			at, ok = 0, true
		}
		if !ok {
			at = uint32(len(l.t.Starts))
			l.t.Contexts = append(l.t.Contexts, kinds[k]...)
			l.t.Starts = append(l.t.Starts, uint32(len(l.t.Contexts)))
			l.seen[key] = at
		}
		any = any || at > 0
		decision = append(decision, at)
	}
	if !any {
		return
	}
	key := "d" + fmt.Sprint(decision)
	at, ok := l.seen[key]
	if !ok {
		at = uint32(len(l.t.Decisions) / desc.ContextKinds)
		l.t.Decisions = append(l.t.Decisions, decision...)
		l.seen[key] = at
	}
	l.t.Rows[desc.ContextRow(l.mode, class, m, op)] = at
}

// legacy learns an opcode byte without VEX and the like.
func (l *contextLearner) legacy(m int, op byte) {
	var raws [][]byte
	var at [][2]int
	for k := range desc.ContextKinds {
		for c := range desc.LegacyContexts {
			w, a, rex2, pfx := c>>3&1, c>>4&1, c>>5&1, c&7
			if l.mode < 2 && (w != 0 || rex2 != 0) || rex2 != 0 && m > 1 {
				continue
			}
			var b []byte
			if a != 0 {
				b = append(b, 0x67)
			}
			b = append(b, [8]string{"", "\x66", "\xf3", "\xf2", "\x66\xf3", "\x66\xf2", "\xf3\x66", "\xf2\x66"}[pfx]...)
			switch {
			case rex2 != 0:
				b = append(b, 0xd5, byte(w<<3|m<<7))
			case w != 0:
				b = append(b, 0x48)
			}
			if rex2 == 0 {
				b = append(b, [4]string{"", "\x0f", "\x0f\x38", "\x0f\x3a"}[m]...)
			}
			raws = append(raws, tail(append(b, op, modRM(k)), 1))
			at = append(at, [2]int{k, c})
		}
	}
	var kinds [desc.ContextKinds][]desc.Context
	for i, o := range l.ask(raws) {
		if o != 0 {
			kinds[at[i][0]] = append(kinds[at[i][0]], desc.Context{Key: uint16(at[i][1]), Op: o})
		}
	}
	l.set(desc.ContextLegacy, m, op, &kinds)
}

// now3D learns a suffix of 3DNow!, which stands behind the operands.
func (l *contextLearner) now3D(op byte) {
	var kinds [desc.ContextKinds][]desc.Context
	raws := [][]byte{append(tail([]byte{0x0f, 0x0f, 0}, 0)[:3], op), {0x0f, 0x0f, 0xc0, op}}
	o := l.ask(raws)
	for k := range kinds {
		if x := o[min(k/8, 1)]; x != 0 {
			kinds[k] = []desc.Context{{Op: x}}
		}
	}
	l.set(desc.ContextLegacy, 4, op, &kinds)
}

// vectorBytes are the bytes of an opcode in a context of VEX, XOP or EVEX.
func (l *contextLearner) vectorBytes(class, m int, op byte, k, c int, index, vvvv byte) []byte {
	pp, w, ll := byte(c&3), byte(c>>2&1), byte(c>>3&3)
	switch class {
	case desc.ContextVEX, desc.ContextXOP:
		first, x := byte(0xc4), byte(m)
		if class == desc.ContextXOP {
			first, x = 0x8f, byte(8+m)
		}
		return tail([]byte{first, 0xe0 | x, w<<7 | (vvvv^15)<<3 | ll<<2 | pp, op, modRM(k)}, index)
	}
	b, aaa, z, u := byte(c>>5&1), [4]byte{0, 1, 4, 5}[c>>6&3], byte(c>>8&1), byte(c>>9&1)^1
	return tail([]byte{0x62, 0xf0 | byte(m), w<<7 | (vvvv^15)<<3 | u<<2 | pp, z<<7 | ll<<5 | b<<4 | 8 | aaa, op, modRM(k)}, index)
}

// vector learns an opcode byte behind VEX, XOP or EVEX. Rare contexts are asked
// about where common ones mean something.
func (l *contextLearner) vector(class, m int, op byte) {
	var kinds [desc.ContextKinds][]desc.Context
	var common, rare []int
	for c := range desc.VectorContexts {
		b, aaa, z, u, ll := c>>5&1, c>>6&3, c>>8&1, c>>9&1, c>>3&3
		switch {
		case class != desc.ContextEVEX && (c>>5 != 0 || ll > 1), aaa > 1 && !desc.EVEXFlags(m, op):
		case z != 0 || u != 0 || aaa > 1 || b != 0 && ll == 3:
			rare = append(rare, c)
		default:
			common = append(common, c)
		}
	}
	run := func(k int, cs []int) {
		raws := make([][]byte, len(cs))
		for i, c := range cs {
			raws[i] = l.vectorBytes(class, m, op, k, c, 1, 0)
		}
		ops := l.ask(raws)
		if k < 8 { // gathers want registers that differ
			var again [][]byte
			for i, c := range cs {
				if ops[i] == 0 {
					again = append(again, l.vectorBytes(class, m, op, k, c, 5, 2))
				}
			}
			if m == 2 && (op >= 0x90 && op <= 0x93) {
				n := 0
				got := l.ask(again)
				for i := range cs {
					if ops[i] == 0 {
						ops[i] = got[n]
						n++
					}
				}
			}
		}
		for i, o := range ops {
			if o != 0 {
				kinds[k] = append(kinds[k], desc.Context{Key: uint16(cs[i]), Op: o})
			}
		}
	}
	for k := range 16 {
		// A register's number stands for its extension, and register 1 for any.
		x := k
		if k >= 8 {
			x = 8 + (k-8)*8 + 1
		}
		run(x, common)
		if len(kinds[x]) > 0 || m == 4 {
			run(x, rare)
		}
		slices.SortFunc(kinds[x], func(a, b desc.Context) int { return int(a.Key) - int(b.Key) })
	}
	// A few look at all of the byte (tilerelease, tilezero).
	whole := class == desc.ContextVEX && (op == 0x49 || op == 0x01 || op == 0x77)
	for k := 8; k < 72; k++ {
		x := (k-8)/8*8 + 9
		if k == x {
			continue
		}
		if whole {
			run(k, common)
			slices.SortFunc(kinds[k], func(a, b desc.Context) int { return int(a.Key) - int(b.Key) })
		} else {
			kinds[k] = kinds[x]
		}
	}
	l.set(class, m, op, &kinds)
}
