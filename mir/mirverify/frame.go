package mirverify

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// spState is the stack adjustment at a point: bytes that call sequences took,
// and whether a sequence is open.
type spState struct {
	known bool
	value int64
	open  bool
}

// frameOps are the opcodes that open and close a call sequence on a subtarget.
type frameOps struct{ setup, destroy desc.Opcode }

// frameOpsOf appends the pairs of all variants of a target, each once.
func frameOpsOf(to []frameOps, in *desc.Info) []frameOps {
	for k := range in.Variants {
		p := frameOps{in.Variants[k].FrameSetup, in.Variants[k].FrameDestroy}
		if p.setup != 0 && !slices.Contains(to, p) {
			to = append(to, p)
		}
	}
	return to
}

func (v *Verifier) callFrame(op desc.Opcode) (setup, destroy bool) {
	for k := range v.frameOps {
		if p := &v.frameOps[k]; p.setup == op || p.destroy == op {
			return p.setup == op, p.destroy == op
		}
	}
	return false, false
}

// frameBytes is the size that a call-frame pseudo names: of the arguments, and
// for one that opens a sequence of what is pushed on top.
func (v *Verifier) frameBytes(i mir.InstrID, setup bool) int64 {
	ops := v.f.Ops(i)
	if len(ops) == 0 || !ops[0].IsImm() {
		return 0
	}
	n := ops[0].Imm()
	if setup && len(ops) > 1 && ops[1].IsImm() {
		n += ops[1].Imm()
	}
	return n
}

// stackFrame follows the call sequences along the graph's edges. Functions
// without call-frame pseudos and call-frame sizes need no walk.
func (v *Verifier) stackFrame() {
	f := v.f
	any := false
scan:
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.Block(b).CallFrame != 0 {
			any = true
			break
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if s, d := v.callFrame(f.Instr(i).Opcode); s || d {
				any = true
				break scan
			}
		}
	}
	if !any {
		return
	}
	entry := rows.Zeroed([]spState(nil), f.NumBlockIDs())
	exit := rows.Zeroed([]spState(nil), f.NumBlockIDs())
	from := make([]int32, f.NumBlockIDs())
	for _, n := range v.cfg.graph.DepthFirst(nil, from) {
		b, st := mir.BlockID(n), spState{known: true}
		if p := from[b]; p != 0 {
			st = exit[p]
		}
		entry[b] = st
		if int64(f.Block(b).CallFrame) != -st.value {
			v.errBlock(b, "Call frame size on entry does not match value computed from predecessor")
			v.rep.note("Call frame size on entry ", itoa(int(f.Block(b).CallFrame)),
				" does not match value computed from predecessor ", itoa(int(-st.value)))
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			setup, destroy := v.callFrame(f.Instr(i).Opcode)
			switch {
			case setup:
				if st.open {
					v.errInstr(i, "FrameSetup is after another FrameSetup")
				}
				v.checkAdjustsStack(i)
				st.value -= v.frameBytes(i, true)
				st.open = true
			case destroy:
				n := v.frameBytes(i, false)
				if !st.open {
					v.errInstr(i, "FrameDestroy is not after a FrameSetup")
				}
				if abs := max(st.value, -st.value); st.open && abs != n {
					v.errInstr(i, "FrameDestroy <n> is after FrameSetup <m>")
					v.rep.note("FrameDestroy <", itoa(int(n)), "> is after FrameSetup <", itoa(int(abs)), ">.")
				}
				v.checkAdjustsStack(i)
				st.value += n
				st.open = false
			}
		}
		exit[b] = st
		v.compareFrames(b, entry, exit)
		if last := f.Block(b).Last(); last != 0 && f.Desc(last).IsReturn() {
			if st.open {
				v.errBlock(b, "A return block ends with a FrameSetup.")
			}
			if st.value != 0 {
				v.errBlock(b, "A return block ends with a nonzero stack adjustment.")
			}
		}
	}
}

// compareFrames compares the states at the ends of edges that were seen from both sides.
func (v *Verifier) compareFrames(b mir.BlockID, entry, exit []spState) {
	f := v.f
	for _, p := range f.Preds(b) {
		if e := exit[p]; e.known && (e.value != entry[b].value || e.open != entry[b].open) {
			v.errBlock(b, "The exit stack state of a predecessor is inconsistent.")
			v.rep.note("Predecessor ", v.blockText(p), " has exit state (", itoa(int(e.value)), ", ", bit(e.open),
				"), while ", v.blockText(b), " has entry state (", itoa(int(entry[b].value)), ", ", bit(entry[b].open), ").")
		}
	}
	for _, s := range f.Succs(b) {
		if e := entry[s.Block]; e.known && (e.value != exit[b].value || e.open != exit[b].open) {
			v.errBlock(b, "The entry stack state of a successor is inconsistent.")
			v.rep.note("Successor ", v.blockText(s.Block), " has entry state (", itoa(int(e.value)), ", ", bit(e.open),
				"), while ", v.blockText(b), " has exit state (", itoa(int(exit[b].value)), ", ", bit(exit[b].open), ").")
		}
	}
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// checkAdjustsStack wants the frame to know of call sequences once the function left SSA form.
func (v *Verifier) checkAdjustsStack(i mir.InstrID) {
	if !v.ssa && !v.f.Frame.AdjustsStack {
		v.errInstr(i, "AdjustsStack not set in presence of a frame pseudo instruction.")
	}
}

// stackProtector checks that no object overlaps the guard or lies on its far side.
func (v *Verifier) stackProtector() {
	fr := &v.f.Frame
	sp := fr.StackProtector
	if sp == mir.NoFrameIndex || sp < fr.First() || sp >= fr.End() || fr.IsDead(sp) {
		return
	}
	g := fr.Object(sp)
	gs, ge := g.Offset, g.Offset+g.Size
	for k := fr.First(); k < fr.End(); k++ {
		o := fr.Object(k)
		if k == sp || fr.IsDead(k) || o.Flags&mir.FrameVarSized != 0 || o.StackID != g.StackID {
			continue
		}
		if o.Offset < ge && gs < o.Offset+o.Size && gs != 0 {
			v.errFunc("Stack protector overlaps with another stack object")
			return
		}
	}
}
