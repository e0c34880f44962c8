package iranalysis

import "github.com/mirin-go/mirin/ir"

// useLists names, for each local value, the instructions that use it.
type useLists struct {
	off  []uint32
	user []ir.InstrID
}

func (u *useLists) build(f *ir.Function) {
	u.off = make([]uint32, len(f.Instrs)+1)
	each := func(visit func(v, user ir.InstrID)) {
		for _, b := range f.Order {
			for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
				for _, v := range f.Ops(i) {
					if d := v.Instr(); v != 0 && d != 0 {
						visit(d, i)
					}
				}
			}
		}
	}
	each(func(v, _ ir.InstrID) { u.off[v]++ })
	sum := uint32(0)
	for k := range u.off {
		c := u.off[k]
		u.off[k] = sum
		sum += c
	}
	u.user = make([]ir.InstrID, sum)
	next := append([]uint32(nil), u.off...)
	each(func(v, i ir.InstrID) { u.user[next[v]] = i; next[v]++ })
}

func (u *useLists) of(v ir.InstrID) []ir.InstrID { return u.user[u.off[v]:u.off[v+1]] }

// maxCaptureUses bounds the uses that are looked at for one object.
const maxCaptureUses = 100

// isCaptured reports whether an object's address may be seen outside of the
// accesses through it: stored, returned, passed on, compared with another address.
func (a *Alias) isCaptured(v ir.Value) bool {
	i := v.Instr()
	if i == 0 {
		return true
	}
	if a.captured[i] == 0 {
		if a.uses.off == nil {
			a.uses.build(a.f)
		}
		a.captured[i] = 1
		if a.captures(i) {
			a.captured[i] = 2
		}
	}
	return a.captured[i] == 2
}

func (a *Alias) captures(root ir.InstrID) bool {
	f := a.f
	seen := map[ir.InstrID]bool{root: true}
	work := []ir.InstrID{root}
	for n := 0; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, u := range a.uses.of(v) {
			if n++; n > maxCaptureUses {
				return true
			}
			switch in := &f.Instrs[u]; in.Op {
			case ir.OpLoad:
				if in.Flags&ir.Volatile != 0 {
					return true
				}
			case ir.OpStore:
				if f.Op(u, 0) == ir.Local(v) || in.Flags&ir.Volatile != 0 {
					return true
				}
			case ir.OpAtomicRMW, ir.OpCmpXchg:
				for _, o := range f.Ops(u)[1:] {
					if o == ir.Local(v) {
						return true
					}
				}
			case ir.OpGEP, ir.OpBitCast, ir.OpAddrSpaceCast, ir.OpPhi, ir.OpSelect:
				if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			case ir.OpICmp:
				if c := f.Op(u, 1).Const(); c == 0 || f.Consts.At(c).Kind != ir.ConstNull {
					return true
				}
			case ir.OpCall:
				if a.callCaptures(u, v) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// callCaptures reports whether a call may keep v, one of its arguments.
func (a *Alias) callCaptures(u, v ir.InstrID) bool {
	f, m := a.f, a.f.Module
	if f.Callee(u) == ir.Local(v) {
		return true
	}
	var decl *ir.AttrList
	if g := f.Callee(u).Global(); g != 0 {
		decl = m.Attrs.At(m.Globals[g].Attrs)
	}
	site := m.Attrs.At(f.Instrs[u].Attrs)
	for k := range f.NumArgOps(u) {
		if f.Op(u, k) != ir.Local(v) {
			continue
		}
		if keepsNot(site.Param(k)) || decl != nil && keepsNot(decl.Param(k)) {
			continue
		}
		switch i := f.IntrinsicOf(u); {
		case i.IsMemTransfer(), i == ir.IntrMemset, i == ir.IntrLifetimeStart, i == ir.IntrLifetimeEnd:
			continue
		}
		return true
	}
	if e := f.Instrs[u].Extra; e != 0 {
		for _, b := range f.Extras[e].Bundles {
			for _, x := range b.Args {
				if x == ir.Local(v) {
					return true
				}
			}
		}
	}
	return false
}

func keepsNot(s ir.AttrSet) bool {
	c, ok := s.Get("captures")
	return ok && (c.Value == "none" || c.Value == "(none)" || c.Value == "captures(none)") || s.Has("nocapture") || s.Has("byval")
}
