package autoupgrade

import "github.com/mirin-go/mirin/ir"

// removed is a declaration that was taken out of the module, and its name.
type removed struct {
	id   ir.GlobalID
	name string
}

func (u *upgrader) remove(id ir.GlobalID, name string) {
	u.m.RemoveGlobal(id)
	u.removed = append(u.removed, removed{id, name})
}

// restore puts back the removed declarations that something other than an
// upgraded call refers to: their address is taken, or a call does not fit any
// upgrade. No valid module has such; the verifier says what is wrong.
func (u *upgrader) restore() {
	if len(u.removed) == 0 {
		return
	}
	gone := make([]bool, len(u.m.Globals))
	for _, r := range u.removed {
		gone[r.id] = true
	}
	used, some := make([]bool, len(gone)), false
	mark := func(v ir.Value) {
		if g := v.Global(); g != 0 && gone[g] {
			used[g], some = true, true
		}
	}
	u.eachUse(mark)
	if !some {
		return
	}
	for _, r := range u.removed {
		if !used[r.id] {
			continue
		}
		for u.m.Lookup(r.name) != 0 {
			r.name += ".old"
		}
		u.m.RestoreGlobal(r.id, r.name)
	}
}

// eachUse calls f for all values that something in the module refers to.
func (u *upgrader) eachUse(f func(ir.Value)) {
	for _, g := range u.m.Globals[1:] {
		f(g.Init)
		f(g.Prefix)
		f(g.Prologue)
		if g.Func == nil {
			continue
		}
		g.Func.Consts.EachOp(f)
		for _, b := range g.Func.Order {
			for i := g.Func.Blocks[b].First; i != 0; i = g.Func.Instrs[i].Next {
				for _, v := range g.Func.Ops(i) {
					f(v)
				}
			}
		}
		for i := range g.Func.Extras {
			for k := range g.Func.Extras[i].Bundles {
				for _, v := range g.Func.Extras[i].Bundles[k].Args {
					f(v)
				}
			}
		}
	}
	u.m.Consts.EachOp(f)
	for _, n := range u.m.MD.Nodes() {
		f(n.Value)
	}
}
