package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// optimizeLEAs is the pass that computes an address once where a block does it
// several times: a LEA whose result is nothing but the base of other addresses
// gives way to an earlier one that differs from it by a constant, and where size
// counts, addresses of loads and stores become the result of a LEA and a constant.
//
//	%1 = LEA %a, 4, %b, 8        %1 = LEA %a, 4, %b, 8
//	%2 = LEA %a, 4, %b, 16   →
//	MOV %2, 1, $noreg, 4         MOV %1, 1, $noreg, 12
var optimizeLEAs = target.Pass{
	Name:       "x86-optimize-leas",
	Title:      "X86 LEA Optimize",
	Before:     "processimpdefs,phi-node-elimination",
	Optimizing: true,
	From:       3,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runOptimizeLEAs,
}

// maxSameLEAs bounds how many LEAs of one address but for the displacement are
// looked at for one.
const maxSameLEAs = 16

// leaAddress is what addresses have in common that differ by a constant.
type leaAddress struct {
	base, index mir.Operand
	scale       int64
	disp        mir.Operand // without offset; the zero operand for immediates
}

// leaOptimizer optimizes one block after the other.
type leaOptimizer struct {
	c target.PassContext
	f *mir.Function
	// first and last have one more than the number in leas of an address's first
	// and last LEA; leas of one address are linked in the order of the block.
	first, last map[leaAddress]int32
	leas        []optLEA
}

type optLEA struct {
	i     mir.InstrID // 0: erased
	next  int32       // one more than its number; 0 none
	lives bool        // no use ends the life of the result
}

func runOptimizeLEAs(c target.PassContext, f *mir.Function) error {
	o := leaOptimizer{c: c, f: f}
	size := optSize(f)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		n := 0
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if isLEA(f.Instr(i).Opcode) {
				n++
			}
		}
		if n == 0 || n == 1 && !size {
			continue
		}
		o.find(b)
		for k := range o.leas {
			if o.leas[k].i != 0 {
				o.removeSame(k)
			}
		}
		if size {
			o.shareAddresses(b)
		}
	}
	return nil
}

// find lists the LEAs of b.
func (o *leaOptimizer) find(b mir.BlockID) {
	if o.first == nil {
		o.first, o.last = map[leaAddress]int32{}, map[leaAddress]int32{}
	}
	clear(o.first)
	clear(o.last)
	o.leas = o.leas[:0]
	for i := o.f.Block(b).First(); i != 0; i = o.f.Instr(i).Next() {
		if !isLEA(o.f.Instr(i).Opcode) {
			continue
		}
		a, ok := addressOf(o.f, i, 1)
		if d := o.f.Op(i, 0); !ok || !d.Reg().IsVirtual() || d.SubReg() != 0 || o.f.VReg(d.Reg()).Class < 0 {
			continue
		}
		o.leas = append(o.leas, optLEA{i: i})
		n := int32(len(o.leas))
		if p, ok := o.last[a]; ok {
			o.leas[p-1].next = n
		} else {
			o.first[a] = n
		}
		o.last[a] = n
	}
}

// addressOf gives the address from operand k of i on; false for those whose
// registers are not the same wherever they are named.
func addressOf(f *mir.Function, i mir.InstrID, k int) (a leaAddress, ok bool) {
	part := func(o *mir.Operand) (mir.Operand, bool) {
		if !o.IsReg() {
			return *o, o.Kind() == mir.OpFrameIndex
		}
		return mir.SubRegOp(o.Reg(), o.SubReg(), o.Flags()&mir.Undef), o.Reg() == 0 || o.Reg().IsVirtual()
	}
	var okBase, okIndex bool
	a.base, okBase = part(f.Op(i, k+addrBase))
	a.index, okIndex = part(f.Op(i, k+addrIndex))
	if s := f.Op(i, k+addrSegment); !okBase || !okIndex || !s.IsReg() || s.Reg() != 0 || !f.Op(i, k+addrScale).IsImm() {
		return a, false
	}
	a.scale = f.Op(i, k+addrScale).Imm()
	d := *f.Op(i, k+addrDisp)
	switch d.Kind() {
	case mir.OpImm:
	case mir.OpJTI, mir.OpMBB:
		a.disp = d
	case mir.OpGlobal, mir.OpExtSym, mir.OpCPI, mir.OpBlockAddr, mir.OpMCSymbol:
		a.disp = d.WithOffset(0)
	default:
		return a, false
	}
	return a, true
}

// dispOf is the constant part of the address from operand k of i on.
func dispOf(f *mir.Function, i mir.InstrID, k int) int64 {
	switch o := f.Op(i, k+addrDisp); o.Kind() {
	case mir.OpImm:
		return o.Imm()
	case mir.OpJTI, mir.OpMBB:
		return 0
	default:
		return o.Offset()
	}
}

// memOperand finds the operands of i's address, -1 when it has none.
func memOperand(f *mir.Function, i mir.InstrID) int {
	const form = 1<<7 - 1
	if f.Desc(i).TSFlags&form == 0 {
		return -1 // a pseudo instruction
	}
	if isLEA(f.Instr(i).Opcode) {
		return 1 // whose address is no memory to its description
	}
	infos := f.Facts.Operands(f.Instr(i).Opcode)
	for k := range infos {
		if infos[k].Type == desc.OperandMemory {
			if k+addrOps <= len(infos) && infos[k+addrSegment].Type == desc.OperandMemory {
				return k
			}
			return -1
		}
	}
	return -1
}

// removeSame replaces later LEAs by number k.
func (o *leaOptimizer) removeSame(k int) {
	f := o.f
	a := o.leas[k].i
	r := f.Op(a, 0).Reg()
	tried := 0
	for p, n := int32(k+1), o.leas[k].next; n != 0 && tried < maxSameLEAs; n = o.leas[n-1].next {
		b := o.leas[n-1].i
		tried++
		shift := dispOf(f, b, 1) - dispOf(f, a, 1)
		if f.VReg(r).Class != f.VReg(f.Op(b, 0).Reg()).Class || !baseOnly(f, b, shift) {
			p = n
			continue
		}
		o.rebase(f.Op(b, 0).Reg(), r, shift)
		f.Erase(b)
		o.leas[n-1].i = 0
		o.leas[p-1].next = o.leas[n-1].next
		o.c.Count("x86-optimize-leas", "Number of redundant LEA instructions removed", 1)
	}
}

// baseOnly reports whether the result of LEA i is the base of addresses and
// nothing else, which shift more or less can be added to.
func baseOnly(f *mir.Function, i mir.InstrID, shift int64) bool {
	for u, n := range f.NonDebugUses(f.Op(i, 0).Reg()) {
		at := memOperand(f, u)
		if at < 0 || n != at+addrBase || f.Op(u, n).SubReg() != 0 || f.Op(u, n).IsTied() {
			return false
		}
		for k := range f.Instr(u).NumOps() {
			if x := f.Op(u, k); k != n && x.IsReg() && x.Reg() == f.Op(u, n).Reg() {
				return false
			}
		}
		switch d := f.Op(u, at+addrDisp); d.Kind() {
		case mir.OpImm:
			if !fits32(d.Imm() + shift) {
				return false
			}
		case mir.OpGlobal, mir.OpExtSym, mir.OpCPI, mir.OpBlockAddr, mir.OpMCSymbol:
			if !fits32(d.Offset() + shift) {
				return false
			}
		default:
			if shift != 0 {
				return false
			}
		}
	}
	return true
}

func fits32(v int64) bool { return v == int64(int32(v)) }

// rebase makes the readers of register from, which is to plus shift, addresses
// from to on. A variable that was there is not followed.
func (o *leaOptimizer) rebase(from, to mir.Reg, shift int64) {
	f := o.f
	if shift != 0 {
		f.DropDebugUses(from)
	}
	for u, n := range f.NonDebugUses(from) {
		at := memOperand(f, u)
		if d := *f.Op(u, at+addrDisp); d.IsImm() {
			f.SetImm(u, at+addrDisp, d.Imm()+shift)
		} else if shift != 0 {
			f.ReplaceOp(u, at+addrDisp, d.WithOffset(d.Offset()+shift))
		}
		f.SetReg(u, n, to)
	}
	f.ReplaceReg(from, to) // what debug instructions name
	clearKills(f, to)
}

// clearKills clears the kill flags of r's uses: it lives longer.
func clearKills(f *mir.Function, r mir.Reg) {
	for u, n := range f.Uses(r) {
		f.SetOpFlag(u, n, mir.Kill, false)
	}
}

// shareAddresses makes addresses in b that a LEA computes its result and a
// constant. A LEA that stands behind its reader moves there: what it reads the
// reader read as well.
func (o *leaOptimizer) shareAddresses(b mir.BlockID) {
	f := o.f
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		d := f.Desc(i)
		if !d.MayLoad() && !d.MayStore() {
			continue
		}
		at := memOperand(f, i)
		if at < 0 {
			continue
		}
		a, ok := addressOf(f, i, at)
		if !ok {
			continue
		}
		n, shift := o.bestLEA(i, at, o.first[a])
		if n == 0 {
			continue
		}
		lea := o.leas[n-1].i
		if f.Before(i, lea) {
			f.Move(b, i, lea)
			for k := range f.Instr(lea).NumOps() {
				if x := f.Op(lea, k); x.IsUse() {
					f.SetOpFlag(lea, k, mir.Kill, false)
				}
			}
		}
		r := f.Op(lea, 0).Reg()
		if !o.leas[n-1].lives {
			o.leas[n-1].lives = true
			clearKills(f, r)
		}
		f.ReplaceOp(i, at+addrBase, mir.RegOp(r, 0))
		f.ReplaceOp(i, at+addrScale, mir.ImmOp(1))
		f.ReplaceOp(i, at+addrIndex, mir.RegOp(0, 0))
		f.ReplaceOp(i, at+addrDisp, mir.ImmOp(shift))
		o.c.Count("x86-optimize-leas", "Number of LEA instruction uses substituted", 1)
	}
}

// bestLEA chooses, among the LEAs from number n-1 on, the last before i, else the
// first behind it; one at a distance of a byte rather than farther ones.
func (o *leaOptimizer) bestLEA(i mir.InstrID, at int, n int32) (best int32, shift int64) {
	f := o.f
	want := f.Facts.OperandClass(f.Instr(i).Opcode, at+addrBase, f.Facts.DefaultMode)
	for tried := 0; n != 0 && tried < maxSameLEAs; n = o.leas[n-1].next {
		lea := o.leas[n-1].i
		if lea == 0 || lea == i {
			continue
		}
		tried++
		s := dispOf(f, i, at) - dispOf(f, lea, 1)
		if !fits32(s) || desc.ClassID(f.VReg(f.Op(lea, 0).Reg()).Class) != want || f.Instr(lea).Opcode != tab.LEA64r && f.Facts.ClassSize(want, f.Facts.DefaultMode).RegSize > 32 {
			continue
		}
		before := f.Before(lea, i)
		if before || best == 0 {
			if best != 0 && s != int64(int8(s)) && shift == int64(int8(shift)) {
				continue
			}
			best, shift = n, s
		}
		if !before {
			break
		}
	}
	return best, shift
}
