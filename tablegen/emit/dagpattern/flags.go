package dagpattern

import (
	"slices"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// effects are what a source does besides its values.
type effects struct{ load, store, side, chain bool }

// effectsOf finds the effects of a source.
func (p *Set) effectsOf(n *Node) (e effects) {
	n.walk(func(n *Node) {
		var props Property
		switch c, x := p.ComplexOf(n), p.IntrinsicOf(n); {
		case c != nil:
			props = c.Props
		case n.IsLeaf():
			return
		case x != nil:
			props = x.Props | p.nodes[n.Op].Props&HasChain
			e.load, e.store, e.side = e.load || x.reads, e.store || x.writes, e.side || x.unknownMem || x.sideEffects
		default:
			if ni := p.nodes[n.Op]; ni != nil {
				props = ni.Props
			}
		}
		e.load = e.load || props&MayLoad != 0
		e.store = e.store || props&MayStore != 0
		e.side = e.side || props&SideEffect != 0
		e.chain = e.chain || props&HasChain != 0
	})
	return e
}

// instructionsOf lists the instructions of a result.
func (p *Set) instructionsOf(n *Node) (out []*Inst) {
	n.walk(func(n *Node) {
		if n.Op != nil && n.Op.IsSubClassOf("Instruction") {
			out = append(out, p.inst(n.Op))
		}
	})
	return out
}

// inferFlags infers what instructions do from the first pattern that makes
// each alone, and checks what they state.
func (p *Set) inferFlags() {
	for _, i := range p.insts {
		r := i.Record
		i.MayLoad, i.MayStore, i.SideEffects = r.Bit("mayLoad"), r.Bit("mayStore"), r.Bit("hasSideEffects")
	}
	bad := false
	for _, x := range p.Patterns {
		l := p.instructionsOf(x.Dst)
		if len(l) != 1 || l[0].inferredFrom != nil {
			continue
		}
		bad = p.inferFrom(l[0], x) || bad
	}
	guess := true
	for _, t := range p.rs.DerivedFrom("Target") {
		if s := t.DefField("InstructionSet"); s != nil {
			guess = s.Bit("guessInstructionProperties")
		}
	}
	if p.dead = p.dead || bad; p.dead {
		return
	}
	for _, r := range p.rs.DerivedSorted("Instruction") {
		i := p.inst(r)
		if i.inferredFrom != nil {
			continue
		}
		for _, f := range []string{"hasSideEffects", "mayStore", "mayLoad"} {
			if _, ok := r.BitOK(f); ok {
				continue
			}
			if guess {
				i.SideEffects = i.SideEffects || f == "hasSideEffects"
			} else {
				p.errorAt(r, "Can't infer "+f+" from patterns")
			}
		}
	}
	p.verifyFlags()
}

// inferFrom takes the flags that an instruction leaves open from a pattern;
// true when it states something else.
func (p *Set) inferFrom(i *Inst, x *Pattern) bool {
	r, e, bad := i.Record, p.effectsOf(x.Src), false
	side, sideSet := r.BitOK("hasSideEffects")
	store, storeSet := r.BitOK("mayStore")
	load, loadSet := r.BitOK("mayLoad")
	if !sideSet || !storeSet || !loadSet {
		i.inferredFrom = x.Record
	}
	complain := func(what string) {
		p.errorAt(x.Record, "Pattern doesn't match "+what)
		bad = true
	}
	// An instruction may state more than its pattern shows: loads of
	// constants, traps of divisions.
	if sideSet && e.side && !side {
		complain("hasSideEffects = 0")
	}
	if storeSet && store != e.store && (e.store || !i.Flat) { // facts say what an instruction does, not what its pattern shows
		complain("mayStore = " + itoa(int(r.Int("mayStore"))))
	}
	if loadSet && e.load && !load {
		complain("mayLoad = 0")
	}
	i.SideEffects, i.MayStore, i.MayLoad = i.SideEffects || e.side, i.MayStore || e.store, i.MayLoad || e.load
	if x.Record.IsSubClassOf("Instruction") {
		i.Chain = No
		if e.chain {
			i.Chain = Yes
		}
	}
	return bad
}

// verifyFlags refuses patterns whose instructions do less than the source.
func (p *Set) verifyFlags() {
	for _, x := range p.Patterns {
		l := p.instructionsOf(x.Dst)
		if len(l) == 0 {
			continue
		}
		any := func(f func(*Inst) bool) bool { return slices.ContainsFunc(l, f) }
		e := p.effectsOf(x.Src)
		var msgs []string
		if e.side && !any(func(i *Inst) bool { return i.SideEffects }) {
			msgs = append(msgs, "pattern has side effects, but hasSideEffects isn't set")
		}
		if !e.side && e.store && !any(func(i *Inst) bool { return i.MayStore }) {
			msgs = append(msgs, "pattern may store, but mayStore isn't set")
		}
		if !e.store && e.load && !any(func(i *Inst) bool { return i.MayLoad }) {
			msgs = append(msgs, "pattern may load, but mayLoad isn't set")
		}
		if len(msgs) == 0 {
			continue
		}
		where := " on the output instructions"
		if len(l) == 1 {
			where = " on the instruction"
		}
		for _, m := range msgs {
			p.errorAt(x.Record, m+where)
		}
		for _, i := range l {
			if i.Record != x.Record {
				p.noteAt(i.Record, "defined here")
			}
			if f := i.inferredFrom; f != nil && f != i.Record && f != x.Record {
				p.noteAt(f, "inferred from pattern")
			}
		}
	}
}

// noteAt adds a further place to the last error, which LLVM calls an error too.
func (p *Set) noteAt(r *tablegen.Record, msg string) {
	d := p.rs.ErrorsAt(nil, r.Loc, msg)[0]
	d.Severity = diag.Error
	p.errs = append(p.errs, d)
}
