package mctargetdesc

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// Samples of all opcodes, and these with operands exchanged for others, right or
// wrong, are encoded alike by their plans and by the general way.
func TestPlans(t *testing.T) {
	in := x86(t)
	ctx := mc.NewContext(AsmInfo())
	e := NewEncoder(in)
	label := ctx.Symbol("f")
	exprs := [...]mc.Expr{ctx.Ref(label, mc.ModNone), ctx.RefOff(label, ModGOTPCREL, 4), ctx.Const(7), ctx.Diff(ctx.Symbol("g"), label),
		ctx.Ref(ctx.Symbol(tableName), mc.ModNone)}
	rnd := rand.New(rand.NewPCG(1, 2))
	regs := [...]desc.PhysReg{0, tab.RAX, tab.R9, tab.RSP, tab.RBP, tab.R12, tab.R13, tab.RIP, tab.EIP, tab.EAX, tab.R8D, tab.AL, tab.AH, tab.SIL, tab.R10B,
		tab.XMM1, tab.XMM12, tab.XMM20, tab.R16, tab.RIZ, tab.CX, tab.ESP, tab.FS, tab.CR8}
	imms := [...]int64{0, 1, 2, 3, 4, 8, -1, 127, 128, -128, -129, 1 << 20, 1<<31 - 1, 1 << 31, -1 << 31, 1 << 40}
	byPlan, byGeneral, kinds := 0, 0, [8]int{}
	for i := range in.NumInstrs() {
		op := desc.Opcode(i)
		p := e.planOf(op)
		kinds[p.kind()]++
		// What Optimize is not asked to do, it would not do.
		for n := range 5 {
			inst, ok := sample(in, op, n)
			if !ok || p.mayOpt() {
				continue
			}
			before := mc.Inst{Op: inst.Op, Flags: inst.Flags, Ops: slices.Clone(inst.Ops)}
			e.optimize(&inst, 64)
			if inst.Op != before.Op || inst.Flags != before.Flags || !slices.Equal(inst.Ops, before.Ops) {
				t.Errorf("%s is not left alone by Optimize", in.OpcodeName(op))
			}
		}
		if p.kind() == planGeneral {
			continue
		}
		for n := range 60 {
			inst, ok := sample(in, op, n%5)
			if !ok {
				continue
			}
			inst.Ops = slices.Clone(inst.Ops)
			for k := range inst.Ops {
				if n < 5 || rnd.IntN(3) != 0 {
					continue
				}
				switch o := &inst.Ops[k]; rnd.IntN(12) {
				case 0:
					*o = mc.ExprOp(exprs[rnd.IntN(len(exprs))])
				case 1:
					*o = mc.Imm(imms[rnd.IntN(len(imms))])
				case 2:
					*o = mc.Reg(regs[rnd.IntN(len(regs))])
				default: // of its kind
					if o.IsReg() {
						*o = mc.Reg(regs[rnd.IntN(len(regs))])
						if p.bias() && k == 0 {
							inst.Ops[1] = *o
						}
					} else if rnd.IntN(4) == 0 {
						*o = mc.ExprOp(exprs[rnd.IntN(len(exprs))])
					} else {
						*o = mc.Imm(imms[rnd.IntN(len(imms))])
					}
				}
			}
			if n%20 == 19 && len(inst.Ops) > 0 {
				inst.Ops = inst.Ops[:len(inst.Ops)-1]
			}
			start := []byte("before")
			want, wantFix, err := e.general(ctx, 64, &inst, start, nil)
			got, gotFix, ok := e.regular(p, ctx, &inst, start, nil)
			if !ok {
				if byGeneral++; len(got) != len(start) || len(gotFix) != 0 {
					t.Fatalf("%s: something is written although it is not encoded", in.OpcodeName(op))
				}
				continue
			}
			byPlan++
			if err != nil || !bytes.Equal(got, want) || fmt.Sprint(gotFix) != fmt.Sprint(wantFix) {
				t.Fatalf("%s %v: % x %v, by the general way % x %v (%v)", in.OpcodeName(op), inst.Ops, got, gotFix, want, wantFix, err)
			}
		}
	}
	t.Logf("%d by plan, %d not; opcodes by kind %v", byPlan, byGeneral, kinds)
	if byPlan < 50000 || slices.Min(kinds[:planAdd+1]) == 0 {
		t.Errorf("%d encoded by plans, opcodes by kind %v", byPlan, kinds)
	}
}
