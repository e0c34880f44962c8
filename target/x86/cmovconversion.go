package x86

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// cmovConversion is the pass that makes CMOVs branches again where that pays. A
// CMOV waits for its condition and for both values; a branch that is predicted
// waits for none of them.
//
// CMOVs that load are always converted: a load that the branch may leave out, or
// that may be waited for. Those of registers are converted in innermost loops
// whose critical path gets shorter by an eighth, and by half of what a round adds
// to it, and only where the condition is known later than the values by a quarter
// of what a branch costs that is predicted wrongly.
var cmovConversion = target.Pass{
	Name:       "x86-cmov-conversion",
	Title:      "X86 cmov Conversion",
	Before:     "early-machinelicm,processimpdefs,phi-node-elimination",
	Optimizing: true,
	Requires:   mir.IsSSA,
	Run:        runCMOVConversion,
}

// cmovGroup are the CMOVs on one value of the flags, or its opposite.
type cmovGroup []mir.InstrID

func runCMOVConversion(c target.PassContext, f *mir.Function) error {
	var blocks []mir.BlockID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		blocks = append(blocks, b)
	}
	all := cmovGroups(f, blocks, true)
	if len(all) == 0 {
		return nil
	}
	loops := innermostLoops(c, f) // before blocks are cut
	for _, g := range all {
		if !slices.ContainsFunc(g, func(i mir.InstrID) bool { return f.Desc(i).MayLoad() }) {
			continue
		}
		this := f.Instr(g[0]).Block()
		no, sink := convertCMOVs(f, g)
		c.Count("x86-cmov-conversion", "Number of optimized CMOV-groups", 1)
		for k, l := range loops {
			if at := slices.Index(l, this); at >= 0 {
				loops[k] = slices.Insert(l, at+1, no, sink)
			}
		}
	}
	d := cmovDepths{f: f, model: c.SubtargetOf().Sched()}
	for _, l := range loops {
		groups := cmovGroups(f, l, false)
		c.Count("x86-cmov-conversion", "Number of CMOV-group candidates", int64(len(groups)))
		if len(groups) == 0 {
			continue
		}
		for _, g := range d.profitable(l, groups) {
			convertCMOVs(f, g)
			c.Count("x86-cmov-conversion", "Number of optimized CMOV-groups", 1)
		}
	}
	return nil
}

// innermostLoops lists the blocks of each loop without loops inside, in the layout's order.
func innermostLoops(c target.PassContext, f *mir.Function) [][]mir.BlockID {
	l := c.Loops()
	if len(l.All) == 0 {
		return nil
	}
	outer := make([]bool, len(l.All))
	for k := range l.All {
		if p := l.All[k].Parent; p >= 0 {
			outer[p] = true
		}
	}
	lists := make([][]mir.BlockID, len(l.All))
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if k := l.Loop[b]; k >= 0 && !outer[k] {
			lists[k] = append(lists[k], b)
		}
	}
	return slices.DeleteFunc(lists, func(s []mir.BlockID) bool { return len(s) == 0 })
}

// cmovCond gives the condition of a CMOV, -1 for other instructions.
func cmovCond(f *mir.Function, i mir.InstrID) int64 {
	switch f.Instr(i).Opcode {
	case tab.CMOV16rr, tab.CMOV32rr, tab.CMOV64rr, tab.CMOV16rm, tab.CMOV32rm, tab.CMOV64rm:
		return f.Op(i, int(f.Desc(i).NumOperands)-1).Imm()
	}
	return -1
}

// cmovGroups finds groups of neighbours that can be converted together.
func cmovGroups(f *mir.Function, blocks []mir.BlockID, loads bool) (groups []cmovGroup) {
	for _, b := range blocks {
		var g cmovGroup
		var first, mem int64
		skip, other := false, false
		done := func() {
			if len(g) > 0 && !skip {
				groups = append(groups, g)
			}
			g = nil
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.IsDebugInstr(i) {
				continue
			}
			cc := cmovCond(f, i)
			if cc >= 0 && (loads || !f.Desc(i).MayLoad()) {
				if len(g) == 0 {
					first, mem, skip, other = cc, -1, false, false
				}
				g = append(g, i)
				skip = skip || other || f.Instr(i).Flags()&mir.Unpredictable != 0 || cc > condG || cc != first && cc != first^1 || f.Op(i, 0).SubReg() != 0
				if f.Desc(i).MayLoad() {
					skip = skip || mem >= 0 && cc != mem
					mem = cc
				}
				for u := range f.NonDebugUses(f.Op(i, 0).Reg()) {
					// That the upper half is cleared is no property of a PHI.
					skip = skip || f.Instr(u).Opcode == desc.SUBREG_TO_REG
				}
				continue
			}
			if len(g) == 0 {
				continue
			}
			other = true
			if _, writes := flagsUse(f, i); writes {
				done()
			}
		}
		done()
	}
	return groups
}

// cmovDepth is how many cycles after a loop's begin a result is known: as the code
// stands, and with all CMOVs converted.
type cmovDepth struct{ now, converted int }

// cmovDepths finds them.
type cmovDepths struct {
	f     *mir.Function
	model *schedmodel.Model
	// depth is by instruction; of those that no walk came to it is zero. walk tells
	// the entries of one loop from those of others.
	depth []cmovDepth
	walk  []uint32
	round uint32
	// virt and phys are the last definitions of registers; phys of the current block.
	virt, phys []mir.InstrID
	flagsOf    []mir.InstrID // by CMOV: what wrote the flags
}

// ofConverted is the depth of a result that comes from one of two values, the later
// one three times in four.
func ofConverted(a, b int) int { return max((3*a+b+3)/4, (3*b+a+3)/4) }

func (d *cmovDepths) at(i mir.InstrID) cmovDepth {
	if i == 0 || d.walk[i] != d.round {
		return cmovDepth{}
	}
	return d.depth[i]
}

// def is the last definition of what operand o reads.
func (d *cmovDepths) def(o *mir.Operand) mir.InstrID {
	if o.Reg().IsVirtual() {
		return d.virt[o.Reg().Index()]
	}
	return d.phys[o.Reg()]
}

// profitable gives those of the groups of a loop that are worth to be converted.
func (d *cmovDepths) profitable(blocks []mir.BlockID, groups []cmovGroup) (worth []cmovGroup) {
	f := d.f
	if n := f.NumInstrIDs(); len(d.depth) < n {
		d.depth = append(d.depth, make([]cmovDepth, n-len(d.depth))...)
		d.walk = append(d.walk, make([]uint32, n-len(d.walk))...)
		d.flagsOf = append(d.flagsOf, make([]mir.InstrID, n-len(d.flagsOf))...)
	}
	d.round++
	d.virt = append(d.virt[:0], make([]mir.InstrID, f.NumVRegs())...)
	d.phys = append(d.phys[:0], make([]mir.InstrID, len(f.Facts.Regs))...)
	isCMOV := map[mir.InstrID]bool{}
	for _, g := range groups {
		for _, i := range g {
			isCMOV[i] = true
		}
	}
	// Two rounds of the loop: the second sees what depends on the first.
	var total [2]cmovDepth
	for k := range total {
		for _, b := range blocks {
			clear(d.phys)
			for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
				if f.IsDebugInstr(i) {
					continue
				}
				x := d.step(i, isCMOV[i])
				total[k].now, total[k].converted = max(total[k].now, x.now), max(total[k].converted, x.converted)
			}
		}
	}
	first, second := total[0].now-total[0].converted, total[1].now-total[1].converted
	switch {
	case first == second && first*8 >= total[0].now:
	case second > first && (second-first)*2 >= total[1].now-total[0].now && second*8 >= total[1].now:
	default:
		return nil
	}
	for _, g := range groups {
		if !slices.ContainsFunc(g, func(i mir.InstrID) bool { return !d.worth(i) }) {
			worth = append(worth, g)
		}
	}
	return worth
}

// step finds the depth of i, which comes next.
func (d *cmovDepths) step(i mir.InstrID, cmov bool) cmovDepth {
	f := d.f
	var x cmovDepth
	for n := range f.Instr(i).NumOps() {
		o := f.Op(i, n)
		if !o.IsUse() || o.Reg() == 0 {
			continue
		}
		def := d.def(o)
		if cmov && o.Reg() == reg(tab.EFLAGS) {
			d.flagsOf[i] = def
		}
		if def == 0 {
			continue
		}
		y := d.at(def)
		x.now = max(x.now, y.now)
		if !cmov {
			x.converted = max(x.converted, y.converted)
		}
	}
	if cmov {
		x.converted = ofConverted(d.at(d.def(f.Op(i, 1))).converted, d.at(d.def(f.Op(i, 2))).converted)
	}
	for n := range f.Instr(i).NumOps() {
		if o := f.Op(i, n); o.IsDef() && o.Reg() != 0 {
			if o.Reg().IsVirtual() {
				d.virt[o.Reg().Index()] = i
			} else {
				d.phys[o.Reg()] = i
			}
		}
	}
	l := d.model.InstrLatency(f, i)
	x.now, x.converted = x.now+l, x.converted+l
	d.depth[i], d.walk[i] = x, d.round
	return x
}

// worth reports whether CMOV i is worth to be converted in a loop that is.
func (d *cmovDepths) worth(i mir.InstrID) bool {
	f := d.f
	// What is loaded next hangs on the value: as in a search tree, where no branch
	// is predicted.
	uses, only := 0, mir.InstrID(0)
	for u := range f.NonDebugUses(f.Op(i, 0).Reg()) {
		if u != only {
			uses, only = uses+1, u
		}
	}
	if uses == 1 && (f.Instr(only).Opcode == tab.MOV64rm || f.Instr(only).Opcode == tab.MOV32rm) {
		return false
	}
	cond := d.at(d.flagsOf[i]).now
	val := ofConverted(d.at(d.virtDef(i, 1)).now, d.at(d.virtDef(i, 2)).now)
	return val <= cond && (cond-val)*4 >= d.model.MispredictPenalty()
}

// virtDef is what defines register operand n of i.
func (d *cmovDepths) virtDef(i mir.InstrID, n int) mir.InstrID {
	if r := d.f.Op(i, n).Reg(); r.IsVirtual() {
		return d.virt[r.Index()]
	}
	return 0
}

// convertCMOVs makes the CMOVs of g, which follow each other, a branch and PHIs:
//
//	this:  JCC_1 %sink, cc       ; falls through to no
//	no:    the loads of CMOVs that load
//	sink:  %d = PHI %a, %no, %b, %this
func convertCMOVs(f *mir.Function, g cmovGroup) (no, sink mir.BlockID) {
	f.Props &^= mir.NoPHIs
	first, last := g[0], g[len(g)-1]
	this := f.Instr(first).Block()
	cc := cmovCond(f, first)
	// What loads does it where the branch is not taken.
	for _, i := range g {
		if f.Desc(i).MayLoad() && cmovCond(f, i) == cc {
			cc ^= 1
			break
		}
	}
	behind := f.Instr(last).Next()
	for i := f.Instr(first).Next(); i != last && first != last; {
		next := f.Instr(i).Next()
		if f.IsDebugInstr(i) {
			f.Move(this, behind, i)
		}
		i = next
	}
	live := flagsRead(f, last) && !killsFlags(f, last)
	no = f.AddBlockAfter(this)
	sink = f.AddBlockAfter(no)
	f.Block(no).IRBlock, f.Block(sink).IRBlock = f.Block(this).IRBlock, f.Block(this).IRBlock
	if live {
		f.AddLiveIn(no, reg(tab.EFLAGS), mir.AllLanes)
		f.AddLiveIn(sink, reg(tab.EFLAGS), mir.AllLanes)
	}
	loc := f.Instr(first).Loc
	if rest := f.Instr(last).Next(); rest != 0 {
		f.Splice(sink, rest)
	}
	f.TransferSuccs(this, sink)
	f.AddSucc(this, no)
	f.AddSucc(this, sink)
	f.AddSucc(no, sink)
	at := f.Block(sink).First()
	type pair struct{ no, yes mir.Operand }
	made := map[mir.Reg]pair{} // what the earlier PHIs are made of
	for _, i := range g {
		opposite := cmovCond(f, i) != cc
		var p pair
		if f.Desc(i).MayLoad() {
			p.no = mir.RegOp(loadCMOV(f, i, no, func(r mir.Reg) mir.Operand { return made[r].no }), 0)
			p.yes = plain(f.Op(i, 1))
		} else {
			// The CMOV takes operand 2 where its condition holds.
			p.no, p.yes = plain(f.Op(i, 1)), plain(f.Op(i, 2))
			if opposite {
				p.no, p.yes = p.yes, p.no
			}
			if m, ok := made[p.no.Reg()]; ok && p.no.SubReg() == 0 {
				p.no = m.no
			}
		}
		if m, ok := made[p.yes.Reg()]; ok && p.yes.SubReg() == 0 {
			p.yes = m.yes
		}
		d := f.Op(i, 0).Reg()
		made[d] = p
		phi := f.New(desc.PHI, mir.RegOp(d, mir.Def), p.no, mir.BlockOp(no), p.yes, mir.BlockOp(this))
		f.Instr(phi).Loc = loc
		f.Erase(i)
		f.InsertBefore(sink, at, phi)
	}
	b := mir.Builder{F: f, Block: this, Loc: loc}
	b.BuildInstr(tab.JCC_1, mir.BlockOp(sink), mir.ImmOp(cc))
	return no, sink
}

// plain is a register operand as a use without flags.
func plain(o *mir.Operand) mir.Operand { return mir.SubRegOp(o.Reg(), o.SubReg(), 0) }

// loadCMOV puts the load of CMOV i at the end of block b and returns the register
// that it loads. In the address, results of CMOVs before it are what they are on
// this way: of gives it, register 0 for others.
func loadCMOV(f *mir.Function, i mir.InstrID, b mir.BlockID, of func(mir.Reg) mir.Operand) mir.Reg {
	op := tab.MOV32rm
	switch f.Instr(i).Opcode {
	case tab.CMOV16rm:
		op = tab.MOV16rm
	case tab.CMOV64rm:
		op = tab.MOV64rm
	}
	r := f.CloneVReg(f.Op(i, 0).Reg())
	ops := append(make([]mir.Operand, 0, 1+addrOps), mir.RegOp(r, mir.Def))
	for k := 2; k < 2+addrOps; k++ {
		o := *f.Op(i, k)
		if o.IsReg() && o.Reg() != 0 {
			if m := of(o.Reg()); m.Reg() != 0 {
				o = m
			}
			o = o.WithFlag(mir.Kill, false)
		}
		ops = append(ops, o)
	}
	n := f.New(op, ops...)
	f.Instr(n).Loc = f.Instr(i).Loc
	f.CopyMem(n, i)
	f.Append(b, n)
	return r
}
