package ir

import "iter"

// Use is one place where a value is read: operand N of instruction I, or, in
// operand bundles, which stand beside the operands, N = -1.
type Use struct {
	I InstrID
	N int
}

// useIndex lists, for each value that a body names, the operands that name it:
// a doubly linked list through the slots of Function.Operands, oldest first.
// Rows are pointer-free; slots are counted from 1, so that 0 is none.
type useIndex struct {
	slots  []useSlot // by slot
	local  []useList // by InstrID
	consts []useList // by ConstID
	blocks []useList // by BlockID
	others map[Value]useList
	// bundles are the values in operand bundles with their call sites; few bodies have any.
	bundles map[Value][]InstrID
	// records are the metadata nodes of the body's debug records and metadata
	// operands that name a local value; made when a value is replaced.
	records map[Value][]MDID
}

// useSlot is an operand's place in its value's list, and the instruction that it belongs to.
type useSlot struct {
	next, prev uint32
	owner      InstrID
}

// useList is one value's list: first and last slot, and how many there are.
type useList struct{ first, last, n uint32 }

// keptUses is the size up to which the map of other values is emptied and used again.
const keptUses = 256

// IndexUses makes the index of uses, which edits keep up to date from then on,
// until DropUses. It costs one walk over the body. With an index, operands must
// not be written through the slice that Ops returns.
func (f *Function) IndexUses() {
	if f.uses != nil {
		return
	}
	u := f.freeUses
	if f.freeUses = nil; u == nil {
		u = &useIndex{}
	}
	u.slots = cleared(u.slots, len(f.Operands)+1)
	u.local, u.consts, u.blocks = cleared(u.local, len(f.Instrs)), cleared(u.consts, f.Consts.Len()), cleared(u.blocks, len(f.Blocks))
	if len(u.others) <= keptUses {
		clear(u.others)
	} else {
		u.others = nil
	}
	u.bundles, u.records = nil, nil
	f.uses = u
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			u.add(f, i)
		}
	}
}

// DropUses forgets the index of uses. A body of its own keeps the memory for the next.
func (f *Function) DropUses() {
	if f.own && f.uses != nil {
		f.freeUses = f.uses
	}
	f.uses = nil
}

// cleared returns s with n zero rows, with room for a few more.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// HasUseIndex reports whether the index of uses is there.
func (f *Function) HasUseIndex() bool { return f.uses != nil }

// list returns the list of v, nil when v is none that is listed. With add it is made when it is not there.
func (u *useIndex) list(v Value) *useList {
	grown := func(s *[]useList, i uint32) *useList {
		if n := int(i) + 1 - len(*s); n > 0 {
			*s = append(*s, make([]useList, n)...)
		}
		return &(*s)[i]
	}
	switch v.Tag() {
	case TagLocal:
		return grown(&u.local, v.Index())
	case TagConst:
		return grown(&u.consts, v.Index())
	case TagBlock:
		return grown(&u.blocks, v.Index())
	}
	return nil
}

// get returns the list of v as it is now.
func (u *useIndex) get(v Value) useList {
	switch i := int(v.Index()); v.Tag() {
	case TagLocal:
		if i < len(u.local) {
			return u.local[i]
		}
	case TagConst:
		if i < len(u.consts) {
			return u.consts[i]
		}
	case TagBlock:
		if i < len(u.blocks) {
			return u.blocks[i]
		}
	default:
		return u.others[v]
	}
	return useList{}
}

// room makes rows for all slots of the body.
func (u *useIndex) room(f *Function) {
	for len(u.slots) <= len(f.Operands) {
		u.slots = append(u.slots, useSlot{})
	}
}

// add lists the operands of an instruction that has come into a block.
func (u *useIndex) add(f *Function, i InstrID) {
	u.room(f)
	r := &f.Instrs[i]
	for k := range r.numOps {
		u.link(r.opOff+k+1, i, f.Operands[r.opOff+k])
	}
	if r.Extra != 0 {
		for _, b := range f.Extras[r.Extra].Bundles {
			for _, v := range b.Args {
				if u.bundles == nil {
					u.bundles = map[Value][]InstrID{}
				}
				u.bundles[v] = append(u.bundles[v], i)
			}
		}
	}
}

// remove takes the operands of an instruction out of the lists.
func (u *useIndex) remove(f *Function, i InstrID) {
	r := &f.Instrs[i]
	for k := range r.numOps {
		u.unlink(r.opOff+k+1, f.Operands[r.opOff+k])
	}
	if r.Extra != 0 {
		for _, b := range f.Extras[r.Extra].Bundles {
			for _, v := range b.Args {
				u.bundles[v] = without(u.bundles[v], i)
			}
		}
	}
}

// without takes the last i out of s.
func without(s []InstrID, i InstrID) []InstrID {
	for k := len(s) - 1; k >= 0; k-- {
		if s[k] == i {
			return append(s[:k], s[k+1:]...)
		}
	}
	return s
}

func (u *useIndex) link(slot uint32, i InstrID, v Value) {
	s := &u.slots[slot]
	s.owner = i
	if v == 0 {
		return
	}
	l := u.list(v)
	other := l == nil
	if other {
		if u.others == nil {
			u.others = map[Value]useList{}
		}
		x := u.others[v]
		l = &x
	}
	s.prev, s.next = l.last, 0
	if l.last != 0 {
		u.slots[l.last].next = slot
	} else {
		l.first = slot
	}
	l.last = slot
	l.n++
	if other {
		u.others[v] = *l
	}
}

func (u *useIndex) unlink(slot uint32, v Value) {
	s := &u.slots[slot]
	s.owner = 0
	if v == 0 {
		return
	}
	l := u.list(v)
	other := l == nil
	if other {
		x := u.others[v]
		l = &x
	}
	p, n := s.prev, s.next
	if p != 0 {
		u.slots[p].next = n
	} else {
		l.first = n
	}
	if n != 0 {
		u.slots[n].prev = p
	} else {
		l.last = p
	}
	s.prev, s.next = 0, 0
	l.n--
	if other {
		u.others[v] = *l
	}
}

// Uses goes through the uses of a local value, a constant, a global or a block
// in this body, oldest first, those in operand bundles last. The use that was
// just given may be changed. Debug records are no uses. The index of uses is
// made when it is not there.
func (f *Function) Uses(v Value) iter.Seq[Use] {
	f.IndexUses()
	return func(yield func(Use) bool) {
		u := f.uses
		for s := u.get(v).first; s != 0; {
			next, i := u.slots[s].next, u.slots[s].owner
			if !yield(Use{i, int(s - 1 - f.Instrs[i].opOff)}) {
				return
			}
			s = next
		}
		for _, i := range u.bundles[v] {
			if !yield(Use{i, -1}) {
				return
			}
		}
	}
}

// NumUses returns the number of uses of v in this body.
func (f *Function) NumUses(v Value) int {
	f.IndexUses()
	return int(f.uses.get(v).n) + len(f.uses.bundles[v])
}

// HasUses reports whether this body uses v.
func (f *Function) HasUses(v Value) bool { return f.NumUses(v) > 0 }

// HasOneUse reports whether this body uses v exactly once.
func (f *Function) HasOneUse(v Value) bool { return f.NumUses(v) == 1 }

// ReplaceAllUses makes every use of old in this body, debug records included,
// one of new. Constants made of old are left (a local value is in none).
func (f *Function) ReplaceAllUses(old, new Value) {
	if old == new {
		return
	}
	f.IndexUses()
	u := f.uses
	for s := u.get(old).first; s != 0; {
		next, i := u.slots[s].next, u.slots[s].owner
		u.unlink(s, old)
		f.Operands[s-1] = new
		u.link(s, i, new)
		s = next
	}
	if sites := u.bundles[old]; len(sites) > 0 {
		delete(u.bundles, old)
		for _, i := range sites {
			f.replaceInBundles(i, old, new)
		}
		u.bundles[new] = append(u.bundles[new], sites...)
	}
	f.replaceInRecords(old, new)
}

func (f *Function) replaceInBundles(i InstrID, old, new Value) {
	for _, b := range f.Extras[f.Instrs[i].Extra].Bundles {
		for k, v := range b.Args {
			if v == old {
				b.Args[k] = new
			}
		}
	}
}

// replaceInRecords makes the metadata of the body that names local value old
// name new; 0 makes it poison. A body of the module has its nodes changed; a
// body of its own, see Clone, remembers what they mean now.
func (f *Function) replaceInRecords(old, new Value) {
	if !old.IsLocal() {
		return
	}
	u := f.uses
	if u.records == nil {
		u.records = map[Value][]MDID{}
		for id := range f.localMetadata() {
			v := f.LocalMetadata(id)
			u.records[v] = append(u.records[v], id)
		}
	}
	ids := u.records[old]
	if len(ids) == 0 {
		return
	}
	delete(u.records, old)
	u.records[new] = append(u.records[new], ids...)
	for _, id := range ids {
		if f.own {
			if f.localMD == nil {
				f.localMD = map[MDID]Value{}
			}
			f.localMD[id] = new
			continue
		}
		f.setLocalMetadata(id, new)
	}
}

// setLocalMetadata makes the module's node of a local value one of v, 0 for poison.
func (f *Function) setLocalMetadata(id MDID, v Value) {
	n := MDNode{Kind: MDPoisonValue, Type: f.Module.MD.At(id).Type}
	switch {
	case v.IsLocal():
		n = MDNode{Kind: MDLocal, Type: f.TypeOf(v), Value: v, Func: f.ID}
	case v != 0:
		n = MDNode{Kind: MDConst, Type: f.TypeOf(v), Value: f.moduleConst(v)}
	}
	f.Module.MD.Set(id, &n)
}

// moduleConst is v with constants of the body's pool in the module's, which metadata names.
func (f *Function) moduleConst(v Value) Value {
	if v.Tag() != TagConst {
		return v
	}
	return f.Module.Consts.CopyFrom(&f.Consts, v)
}

// LocalMetadata returns the value that a metadata node of a local value
// (MDLocal) stands for in this body; 0 when that value is gone, or id names none.
func (f *Function) LocalMetadata(id MDID) Value {
	if v, ok := f.localMD[id]; ok {
		return v
	}
	if n := f.Module.MD.At(id); n != nil && n.Kind == MDLocal {
		return n.Value
	}
	return 0
}

// localMetadata goes through the nodes of local values that the body's debug
// records and metadata operands name, in the order in which they stand, each once.
func (f *Function) localMetadata() iter.Seq[MDID] {
	return func(yield func(MDID) bool) {
		seen := map[MDID]bool{}
		var visit func(id MDID) bool
		visit = func(id MDID) bool {
			if id == 0 || seen[id] {
				return true
			}
			n := f.Module.MD.At(id)
			if n == nil || n.Kind != MDLocal && n.Kind != MDArgList {
				return true
			}
			seen[id] = true
			if n.Kind == MDLocal {
				return yield(id)
			}
			for _, o := range n.Ops {
				if !visit(o) {
					return false
				}
			}
			return true
		}
		for k := 1; k < len(f.DbgRecords); k++ {
			for _, a := range f.DbgRecords[k].Args {
				if !visit(a) {
					return
				}
			}
		}
		for _, b := range f.Order {
			for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
				for _, v := range f.Ops(i) {
					if v.Tag() == TagMetadata && !visit(v.MD()) {
						return
					}
				}
			}
		}
	}
}
