package check

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// edit is a function being allocated by hand.
type edit struct {
	f     *mir.Function
	s     *Snapshot
	b     []mir.BlockID
	v     []mir.Reg
	instr map[string]mir.InstrID
}

const (
	eax, ecx, edx, esi = mir.Reg(tab.EAX), mir.Reg(tab.ECX), mir.Reg(tab.EDX), mir.Reg(tab.ESI)
)

func def(r mir.Reg) mir.Operand  { return mir.RegOp(r, mir.Def) }
func use0(r mir.Reg) mir.Operand { return mir.RegOp(r, 0) }

// add appends an instruction to block b under a name.
func (e *edit) add(name string, b int, op desc.Opcode, ops ...mir.Operand) {
	i := e.f.New(op, ops...)
	e.f.Append(e.b[b], i)
	e.instr[name] = i
}

// put inserts an instruction before the one with a name.
func (e *edit) put(before string, op desc.Opcode, ops ...mir.Operand) mir.InstrID {
	at := e.instr[before]
	i := e.f.New(op, ops...)
	e.f.InsertBefore(e.f.Instr(at).Block(), at, i)
	return i
}

func (e *edit) erase(name string) { e.f.Erase(e.instr[name]) }

// give assigns registers to virtual ones.
func (e *edit) give(regs ...mir.Reg) {
	for k, r := range regs {
		for id := e.f.FirstUse(e.v[k]); id != 0; {
			next := e.f.NextUse(id)
			i, n := e.f.Owner(id)
			p := r
			if sub := e.f.Op(i, n).SubReg(); sub != 0 {
				p = mir.Reg(e.f.Facts.SubReg(desc.PhysReg(r), desc.SubRegIdx(sub)))
				e.f.SetSubReg(i, n, 0)
			}
			e.f.SetReg(i, n, p)
			id = next
		}
	}
}

// TestEdits holds what global allocators do to instructions: each case is right
// as it stands, and wrong when its one fault is made.
func TestEdits(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name  string
		build func(e *edit)
		alloc func(e *edit, wrong bool)
	}{
		{"identity copy deleted", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("copy", 0, desc.COPY, def(e.v[1]), use0(e.v[0]))
			e.add("add", 0, tab.ADD32rr, def(e.v[1]), use0(e.v[1]), use0(e.v[1]))
			e.add("ret", 0, desc.COPY, def(eax), use0(e.v[0]))
			e.add("end", 0, desc.COPY, def(edx), use0(e.v[1]))
		}, func(e *edit, wrong bool) {
			e.put("copy", desc.COPY, def(esi), use0(ecx))
			e.erase("copy")
			e.f.SetReg(e.instr["ret"], 1, esi)
			if wrong {
				e.f.SetReg(e.instr["ret"], 1, ecx)
			}
			e.give(ecx, ecx)
		}},
		{"computed again", func(e *edit) {
			e.add("seven", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(7))
			e.add("a", 0, desc.COPY, def(eax), use0(e.v[0]))
			e.add("b", 0, desc.COPY, def(edx), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			e.erase("seven")
			e.put("a", tab.MOV32ri, def(ecx), mir.ImmOp(7))
			k := int64(7)
			if wrong {
				k = 8
			}
			e.put("b", tab.MOV32ri, def(esi), mir.ImmOp(k))
			e.f.SetReg(e.instr["b"], 1, esi)
			e.give(ecx)
		}},
		{"computed again on two ways", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("j1", 0, tab.JMP_1, mir.BlockOp(e.b[2]))
			e.add("two", 1, tab.MOV32ri, def(e.v[0]), mir.ImmOp(2))
			e.add("a", 2, desc.COPY, def(eax), use0(e.v[0]))
			e.f.AddSucc(e.b[0], e.b[1])
			e.f.AddSucc(e.b[0], e.b[2])
			e.f.AddSucc(e.b[1], e.b[2])
		}, func(e *edit, wrong bool) {
			e.put("j1", tab.MOV32ri, def(ecx), mir.ImmOp(1))
			k := int64(2)
			if wrong {
				k = 1
			}
			e.f.Append(e.b[1], e.f.New(tab.MOV32ri, def(ecx), mir.ImmOp(k)))
			e.erase("one")
			e.erase("two")
			e.give(ecx)
		}},
		{"load folded", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("two", 0, tab.MOV32ri, def(e.v[1]), mir.ImmOp(2))
			e.add("add", 0, tab.ADD32rr, def(e.v[0]), use0(e.v[0]), use0(e.v[1]))
			e.add("ret", 0, desc.COPY, def(eax), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			slot := 0
			if wrong {
				slot = 1
			}
			e.put("add", tab.MOV32mr, append(address(0), use0(edx))...)
			e.put("add", tab.ADD32rm, append([]mir.Operand{def(e.v[0]), use0(e.v[0])}, address(slot)...)...)
			e.erase("add")
			e.give(ecx, edx)
		}},
		{"load and store folded", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("two", 0, tab.MOV32ri, def(e.v[1]), mir.ImmOp(2))
			e.add("add", 0, tab.ADD32rr, def(e.v[0]), use0(e.v[0]), use0(e.v[1]))
			e.add("ret", 0, desc.COPY, def(eax), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			e.put("add", tab.MOV32mr, append(address(0), use0(ecx))...)
			e.put("add", tab.ADD32mr, append(address(0), use0(e.v[1]))...)
			e.erase("add")
			if !wrong {
				e.put("ret", tab.MOV32rm, append([]mir.Operand{def(ecx)}, address(0)...)...)
			}
			e.give(ecx, edx)
		}},
		{"comparison folded", func(e *edit) {
			flags := mir.Reg(tab.EFLAGS)
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("cmp", 0, tab.CMP32ri, use0(e.v[0]), mir.ImmOp(1), mir.RegOp(flags, mir.Def|mir.Implicit))
			e.add("set", 0, tab.SETCCr, def(e.v[1]), mir.ImmOp(4), mir.RegOp(flags, mir.Implicit))
		}, func(e *edit, wrong bool) {
			flags := mir.Reg(tab.EFLAGS)
			e.put("cmp", tab.MOV32mr, append(address(0), use0(ecx))...)
			e.put("cmp", tab.CMP32mi, append(address(0), mir.ImmOp(1), mir.RegOp(flags, mir.Def|mir.Implicit))...)
			e.erase("cmp")
			if wrong {
				e.put("set", tab.MOV32r0, def(edx), mir.RegOp(flags, mir.Def|mir.Implicit|mir.Dead))
			}
			e.give(ecx, esi)
		}},
		{"copy to a register deleted", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("arg", 0, desc.COPY, def(ecx), use0(e.v[0]))
			e.add("call", 0, tab.CALL64r, use0(mir.Reg(tab.R11)), mir.RegOp(ecx, mir.Implicit))
		}, func(e *edit, wrong bool) {
			e.erase("arg")
			if wrong {
				e.give(edx)
			} else {
				e.give(ecx)
			}
		}},
		{"copy from a register deleted", func(e *edit) {
			e.add("call", 0, tab.CALL64r, use0(mir.Reg(tab.R11)), mir.RegOp(eax, mir.Implicit|mir.Def))
			e.add("result", 0, desc.COPY, def(e.v[0]), use0(eax))
			e.add("ret", 0, desc.COPY, def(edx), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			e.erase("result")
			if wrong {
				e.give(ecx)
			} else {
				e.give(eax)
			}
		}},
		{"copy from a register folded", func(e *edit) {
			e.add("mul", 0, tab.MUL32r, use0(ecx), mir.RegOp(eax, mir.Implicit|mir.Def), mir.RegOp(edx, mir.Implicit|mir.Def))
			e.add("high", 0, desc.COPY, def(e.v[1]), use0(edx))
			e.add("low", 0, desc.COPY, def(e.v[0]), use0(eax))
			e.add("cl", 0, tab.MOV8ri, def(mir.Reg(tab.CL)), mir.ImmOp(7))
			e.add("next", 0, desc.COPY, def(e.v[2]), use0(e.v[0]))
			e.add("ret", 0, tab.ROL32rCL, def(e.v[2]), use0(e.v[2]), mir.RegOp(mir.Reg(tab.CL), mir.Implicit))
		}, func(e *edit, wrong bool) {
			from := eax
			if wrong {
				from = edx
			}
			e.put("low", tab.MOV32mr, append(address(0), use0(from))...)
			e.erase("low")
			e.put("next", tab.MOV32rm, append([]mir.Operand{def(e.v[2])}, address(0)...)...)
			e.erase("next")
			e.give(ecx, mir.Reg(tab.EBX), mir.Reg(tab.R15D))
		}},
		{"constant stored", func(e *edit) {
			e.add("seven", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(7))
			e.add("a", 0, desc.COPY, def(eax), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			n := e.put("a", tab.MOV32ri, def(e.v[1]), mir.ImmOp(7))
			if wrong {
				e.f.SetImm(n, 1, 8)
			}
			e.f.InsertBefore(e.b[0], n, e.f.New(tab.MOV32mi, append(address(0), mir.ImmOp(7))...))
			e.f.Erase(n)
			e.put("a", tab.MOV32rm, append([]mir.Operand{def(esi)}, address(0)...)...)
			e.f.SetReg(e.instr["a"], 1, esi)
			e.erase("seven")
			e.give(ecx, edx)
		}},
		{"fixed register in use", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(ecx), mir.ImmOp(1))
			e.add("two", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(2))
			e.add("shift", 0, tab.SHL32rCL, def(e.v[0]), use0(e.v[0]), mir.RegOp(mir.Reg(tab.CL), mir.Implicit))
		}, func(e *edit, wrong bool) {
			if wrong {
				e.give(ecx)
			} else {
				e.give(edx)
			}
		}},
		{"deleted", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("dead", 0, tab.MOV32ri, def(e.v[1]), mir.ImmOp(2))
			e.add("store", 0, tab.MOV32mr, append(address(3), use0(e.v[0]))...)
		}, func(e *edit, wrong bool) {
			e.erase("dead")
			if wrong {
				e.erase("store")
			}
			e.give(ecx, edx)
		}},
		{"number taken again", func(e *edit) {
			e.add("one", 0, tab.MOV32ri, def(e.v[0]), mir.ImmOp(1))
			e.add("dead", 0, tab.MOV32ri, def(e.v[1]), mir.ImmOp(2))
			e.add("ret", 0, desc.COPY, def(eax), use0(e.v[0]))
		}, func(e *edit, wrong bool) {
			e.erase("dead")
			k := int64(1)
			if wrong {
				k = 2
			}
			e.put("ret", tab.MOV32ri, def(esi), mir.ImmOp(k)) // has the number of dead
			e.f.SetReg(e.instr["ret"], 1, esi)
			e.give(ecx)
		}},
	} {
		for _, wrong := range []bool{false, true} {
			f := mir.NewFunction("f", in)
			e := &edit{f: f, instr: map[string]mir.InstrID{}}
			for range 3 {
				e.b = append(e.b, f.AddBlock())
				e.v = append(e.v, f.AddVReg(int16(tab.GR32RegClassID)))
			}
			x.build(e)
			e.s = Record(f)
			x.alloc(e, wrong)
			if errs := e.s.Verify(f); len(errs) > 0 != wrong {
				t.Errorf("%s, wrong %v: got %v", x.name, wrong, errs)
			}
		}
	}
}
