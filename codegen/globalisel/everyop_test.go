package globalisel_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	tiny "github.com/mirin-go/mirin/examples/target-tiny"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirverify"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// oddTypes are tried at every type index.
func oddTypes(ptr int) []mir.LLT {
	var out []mir.LLT
	for _, n := range []int{1, 7, 8, 24, 32, 33, 40, 64, 65, 127, 200} {
		out = append(out, mir.Scalar(n))
	}
	return append(out, mir.Pointer(0, ptr), mir.Vector(2, mir.Scalar(8)), mir.Vector(3, mir.Scalar(7)), mir.Vector(3, mir.Scalar(32)),
		mir.Vector(2, mir.Scalar(33)), mir.Vector(5, mir.Scalar(64)), mir.Vector(3, mir.Pointer(0, ptr)))
}

// TestEveryOpcode legalizes every generic opcode on odd types, as far as the
// verifier allows them, by the rules of a machine of 64 bits and of one of 32:
// it ends, what comes out verifies, or the error names what is not supported.
func TestEveryOpcode(t *testing.T) {
	for _, c := range []struct {
		tgt    *target.Target
		triple string
		ptr    int
	}{{&x86.Target, "x86_64-unknown-linux-gnu", 64}, {&tiny.Target, "tiny", 32}} {
		m, err := target.NewMachine(c.tgt, target.Options{Triple: c.triple})
		if err != nil {
			t.Fatal(err)
		}
		st, err := m.Subtarget(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		f := mir.NewFunction("f", m.Facts)
		f.Module = ir.NewModule("test")
		ctx := &pass.Context{Machine: m, Subtarget: st, Module: f.Module}
		types := oddTypes(c.ptr)
		var verifier mirverify.Verifier
		done, refused := 0, map[desc.Opcode]bool{}
		for op := desc.Opcode(0); op < desc.FirstTargetOpcode; op++ {
			if !m.Facts.Instr(op).IsPreISel() || !tried(op) {
				continue
			}
			for a := range types {
				for b := range types {
					if !hasType(m.Facts, op, 0) && a > 0 || !hasType(m.Facts, op, 1) && b > 0 {
						continue
					}
					if !pointers(op) && (types[a].IsPointerOrVector() || types[b].IsPointerOrVector()) {
						continue
					}
					oneOf(f, op, types[a], types[b], c.ptr)
					if !verifier.Verify(f, mirverify.Options{}).OK() {
						continue
					}
					before := string(globalisel.AppendInstr(nil, f, f.Block(f.FirstBlock()).First()))
					err := globalisel.Legalizer.Run(ctx, f)
					var u *target.Unsupported
					switch {
					case errors.As(err, &u) && !strings.Contains(err.Error(), "without end"):
						refused[op] = true
					case err != nil:
						t.Errorf("%s: %s of %v, %v: %v", c.tgt.Name, m.Facts.OpcodeName(op), types[a], types[b], err)
					default:
						done++
						f.Props |= mir.Legalized
						if r := verifier.Verify(f, mirverify.Options{}); !r.OK() {
							t.Errorf("%s: %s of %v, %v: %s (%s)", c.tgt.Name, m.Facts.OpcodeName(op), types[a], types[b], r.AppendText(nil), before)
						}
					}
				}
			}
		}
		t.Logf("%s: %d instructions are legalized; some types of %d opcodes are refused", c.tgt.Name, done, len(refused))
		if done < 500 {
			t.Errorf("%s: %d instructions alone are legalized", c.tgt.Name, done)
		}
	}
}

// tried leaves out what is more than an operation on values.
func tried(op desc.Opcode) bool {
	switch op {
	case desc.G_PHI, desc.G_BR, desc.G_BRCOND, desc.G_BRINDIRECT, desc.G_BRJT, desc.G_BLOCK_ADDR, desc.G_JUMP_TABLE, desc.G_GLOBAL_VALUE,
		desc.G_CONSTANT_POOL, desc.G_FRAME_INDEX, desc.G_FCONSTANT, desc.G_INVOKE_REGION_START, desc.G_PTRAUTH_GLOBAL_VALUE,
		desc.G_INTRINSIC, desc.G_INTRINSIC_W_SIDE_EFFECTS, desc.G_INTRINSIC_CONVERGENT, desc.G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS,
		desc.G_SHUFFLE_VECTOR, desc.G_READ_REGISTER, desc.G_WRITE_REGISTER, desc.G_MEMCPY, desc.G_MEMCPY_INLINE, desc.G_MEMMOVE,
		desc.G_MEMSET, desc.G_BZERO, desc.G_VASTART, desc.G_VAARG, desc.G_DYN_STACKALLOC, desc.G_STACKSAVE, desc.G_STACKRESTORE,
		desc.G_FENCE, desc.G_PREFETCH, desc.G_UBSANTRAP, desc.G_TRAP, desc.G_DEBUGTRAP:
		return false
	}
	return true
}

// pointers reports opcodes that work on pointers; the verifier lets others pass.
func pointers(op desc.Opcode) bool {
	switch op {
	case desc.G_LOAD, desc.G_STORE, desc.G_SEXTLOAD, desc.G_ZEXTLOAD, desc.G_PTR_ADD, desc.G_PTRTOINT, desc.G_INTTOPTR, desc.G_PTRMASK,
		desc.G_SELECT, desc.G_FREEZE, desc.G_IMPLICIT_DEF, desc.G_ICMP, desc.G_BITCAST, desc.G_ADDRSPACE_CAST, desc.G_MERGE_VALUES,
		desc.G_UNMERGE_VALUES, desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS, desc.G_EXTRACT_VECTOR_ELT, desc.G_INSERT_VECTOR_ELT:
		return true
	}
	return op >= desc.G_ATOMIC_CMPXCHG_WITH_SUCCESS && op <= desc.G_ATOMICRMW_USUB_SAT
}

func hasType(in *desc.Info, op desc.Opcode, k int) bool {
	for _, o := range in.Operands(op) {
		if o.GenericTypeIndex() == k {
			return true
		}
	}
	return false
}

// oneOf makes f a function with one instruction op, whose types of index 0 and
// 1 are a and b, and whose results are stored.
func oneOf(f *mir.Function, op desc.Opcode, a, b mir.LLT, ptr int) {
	mod := f.Module
	f.Reset("f")
	f.Module = mod
	f.Props = mir.IsSSA
	bd := globalisel.Wrap(&mir.Builder{F: f})
	bd.SetBlock(f.AddBlock())
	p := bd.Undef(mir.Pointer(0, ptr))
	mem := func(t mir.LLT) mir.MemOperand { return mir.MemOperand{Type: t, Size: int64(t.Bytes())} }
	value := func(t mir.LLT) mir.Reg { return bd.Un(desc.G_FREEZE, t, bd.Undef(t)) }
	typeAt := func(k int) mir.LLT {
		switch k {
		case 0:
			return a
		case 1:
			return b
		}
		return mir.Scalar(ptr) // of indices and offsets
	}
	i := f.New(op)
	infos := f.Facts.Operands(op)
	var defs []mir.Reg
	nd := int(f.Facts.Instr(op).NumDefs)
	switch op {
	case desc.G_MERGE_VALUES, desc.G_BUILD_VECTOR, desc.G_CONCAT_VECTORS:
		d := bd.New(a)
		defs = append(defs, d)
		f.AddOp(i, globalisel.Def(d))
		n := a.NumElems()
		if op != desc.G_BUILD_VECTOR {
			n = max(1, a.Bits()/b.Bits())
		}
		for range n {
			f.AddOp(i, globalisel.Use(value(b)))
		}
	case desc.G_UNMERGE_VALUES:
		for range max(1, b.Bits()/a.Bits()) {
			d := bd.New(a)
			defs = append(defs, d)
			f.AddOp(i, globalisel.Def(d))
		}
		f.AddOp(i, globalisel.Use(value(b)))
	default:
		for k := range infos {
			t := infos[k].GenericTypeIndex()
			switch {
			case t >= 0 && k < nd:
				d := bd.New(typeAt(t))
				defs = append(defs, d)
				f.AddOp(i, globalisel.Def(d))
			case t >= 0 && f.Facts.Instr(op).MayLoad() && k == nd || t >= 0 && op == desc.G_STORE && k == 1:
				f.AddOp(i, globalisel.Use(p))
			case t >= 0:
				f.AddOp(i, globalisel.Use(value(typeAt(t))))
			case op == desc.G_ICMP:
				f.AddOp(i, mir.PredOp(uint8(ir.ICmpSLT)))
			case op == desc.G_FCMP:
				f.AddOp(i, mir.PredOp(uint8(ir.FCmpOLT)))
			case op == desc.G_CONSTANT:
				f.AddOp(i, f.CImm(a.ScalarBits(), make([]uint64, (a.ScalarBits()+63)/64)...))
			default:
				f.AddOp(i, mir.ImmOp(1))
			}
		}
	}
	bd.Insert(i)
	if d := f.Desc(i); d.MayLoad() || d.MayStore() {
		m := mem(a)
		if d.MayLoad() {
			m.Flags |= mir.MemLoad
		}
		if d.MayStore() {
			m.Flags |= mir.MemStore
		}
		f.SetMem(i, f.AddMem(m))
	}
	for _, d := range defs {
		bd.Store(d, p, mem(f.TypeOf(d)))
	}
}
