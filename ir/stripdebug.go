package ir

import (
	"slices"
	"strings"
)

// StripDebugInfo removes debug info; it reports whether there was any.
func (m *Module) StripDebugInfo() (changed bool) {
	m.NamedMD = slices.DeleteFunc(m.NamedMD, func(l NamedMD) bool {
		del := strings.HasPrefix(l.Name, "llvm.dbg.") || l.Name == "llvm.gcov"
		changed = changed || del
		return del
	})
	dbg := uint32(0)
	stripList := func(l []Attachment) []Attachment {
		return slices.DeleteFunc(l, func(a Attachment) bool {
			del := a.Kind == dbg
			changed = changed || del
			return del
		})
	}
	for _, g := range m.Globals[1:] {
		if g.Kind != GlobalIFunc {
			g.MD = stripList(g.MD)
		}
		if g.Func != nil && g.Func.StripDebugInfo() {
			changed = true
		}
	}
	return changed
}

// StripDebugInfo removes debug info from a body.
func (f *Function) StripDebugInfo() (changed bool) {
	m := f.Module
	loops := map[MDID]MDID{}
	strip := func(at *Attachment) (drop bool) {
		switch m.MDKinds()[at.Kind] {
		case "llvm.loop":
			if to := stripLoop(m, at.Node, loops); to != at.Node {
				at.Node, changed = to, true
				drop = to == 0
			}
		case "DIAssignID", "heapallocsite": // LLVM does not count them as a change
			drop = true
		}
		return drop
	}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if in.Loc != 0 || in.Records != 0 {
			in.Loc, in.Records, changed = 0, 0, true
		}
		f.DeleteAttachments(InstrID(i), strip)
	}
	for i := range f.Blocks {
		if f.Blocks[i].Records != 0 {
			f.Blocks[i].Records, changed = 0, true
		}
	}
	return changed
}

// stripLoop returns a loop's node without locations.
func stripLoop(m *Module, id MDID, done map[MDID]MDID) MDID {
	if to, ok := done[id]; ok {
		return to
	}
	done[id] = id
	n := m.MD.At(id)
	if n == nil || n.Kind != MDTuple || len(n.Ops) == 0 || n.Ops[0] != id {
		return id
	}
	if !slices.ContainsFunc(n.Ops, m.MD.IsLocation) {
		return id
	}
	c := &MDNode{Kind: MDTuple, Distinct: true}
	to := m.MD.Add(c)
	c.Ops = append(c.Ops, to)
	for _, o := range n.Ops[1:] {
		if !m.MD.IsLocation(o) {
			c.Ops = append(c.Ops, o)
		}
	}
	if len(c.Ops) == 1 {
		to = 0
	}
	done[id] = to
	return to
}
