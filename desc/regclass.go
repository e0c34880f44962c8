package desc

import (
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// ClassMembers lists the registers of a class in class order.
func (in *Info) ClassMembers(c ClassID) []PhysReg {
	d := &in.Classes[c]
	return in.RegLists.Rows()[d.Members : int(d.Members)+int(d.NumMembers)]
}

// ClassOrder lists the registers of a class in the raw allocation order of the
// default subtarget, which may leave out registers and may hold reserved ones.
func (in *Info) ClassOrder(c ClassID) []PhysReg {
	d := &in.Classes[c]
	return in.RegLists.Rows()[d.Order : int(d.Order)+int(d.NumOrder)]
}

// memberSets holds a bit set of members for each class, cut to the words from
// the class's lowest to its highest register.
type memberSets struct {
	bits  []uint32
	start []uint32 // of class c: bits[start[c]:start[c+1]]
	first []uint16 // of class c: the word number of its first word
}

// memberTable holds the member sets once they were asked for.
type memberTable struct {
	sets atomic.Pointer[memberSets]
	mu   sync.Mutex
}

// indexMembers builds the sets that make ClassContains a bit test.
func (in *Info) indexMembers() *memberSets {
	in.members.mu.Lock()
	defer in.members.mu.Unlock()
	if m := in.members.sets.Load(); m != nil {
		return m
	}
	n := len(in.Classes)
	m := &memberSets{start: make([]uint32, n+1), first: make([]uint16, n)}
	words := uint32(0)
	for c := range n {
		lo, hi := PhysReg(0), PhysReg(0)
		for i, r := range in.ClassMembers(ClassID(c)) {
			if i == 0 {
				lo, hi = r, r
			}
			lo, hi = min(lo, r), max(hi, r)
		}
		m.first[c] = uint16(lo / 32)
		words += uint32(hi/32) - uint32(lo/32) + 1
		m.start[c+1] = words
	}
	m.bits = make([]uint32, words)
	for c := range n {
		base := int(m.start[c]) - int(m.first[c])
		for _, r := range in.ClassMembers(ClassID(c)) {
			m.bits[base+int(r/32)] |= 1 << (r % 32)
		}
	}
	in.members.sets.Store(m)
	return m
}

// ClassContains reports whether a register belongs to a class.
func (in *Info) ClassContains(c ClassID, r PhysReg) bool {
	m := in.members.sets.Load()
	if m == nil {
		m = in.indexMembers()
	}
	w := int(r/32) - int(m.first[c])
	if w < 0 || w >= int(m.start[c+1]-m.start[c]) {
		return false
	}
	return m.bits[int(m.start[c])+w]>>(r%32)&1 != 0
}

// SubClassSet is the set of sub-classes of c, c included, a bit a class.
func (in *Info) SubClassSet(c ClassID) []uint32 {
	w := in.ClassWords()
	return in.SubClasses.Rows()[int(c)*w : (int(c)+1)*w]
}

// HasSubClassEq reports whether sub is c or one of its sub-classes.
func (in *Info) HasSubClassEq(c, sub ClassID) bool {
	return in.SubClassSet(c)[sub/32]>>(uint(sub)%32)&1 != 0
}

// firstCommon gives the lowest class of both sets: classes are numbered so that
// it is the largest.
func firstCommon(a, b []uint32) ClassID {
	for i := range a {
		if x := a[i] & b[i]; x != 0 {
			return ClassID(i*32 + bits.TrailingZeros32(x))
		}
	}
	return NoClass
}

// CommonSubClass is the largest class that is a sub-class of both, NoClass when
// they have none.
func (in *Info) CommonSubClass(a, b ClassID) ClassID {
	if a == b {
		return a
	}
	if a < 0 || b < 0 {
		return NoClass
	}
	return firstCommon(in.SubClassSet(a), in.SubClassSet(b))
}

// SubClassWithSubReg is the largest sub-class of c all of whose registers have
// sub-register idx; NoClass when there is none. It answers for the default
// subtarget.
func (in *Info) SubClassWithSubReg(c ClassID, idx SubRegIdx) ClassID {
	if idx == 0 {
		return c
	}
	return in.SubClassWithIdx.Rows()[int(c)*len(in.SubRegIndices)+int(idx)]
}

// MatchingSuperRegClass is the largest sub-class of a whose registers' idx
// sub-registers are all in class b; NoClass when there is none.
func (in *Info) MatchingSuperRegClass(a, b ClassID, idx SubRegIdx) ClassID {
	d := &in.Classes[b]
	w := in.ClassWords()
	for i, x := range in.SubIdxLists[d.SuperIdx : int(d.SuperIdx)+int(d.NumSuper)] {
		if x == idx {
			m := int(d.SuperMasks) + i*w
			return firstCommon(in.ClassBits.Rows()[m:m+w], in.SubClassSet(a))
		}
	}
	return NoClass
}

// ConfineSubReg has registers without sub-register as have none at idx either, in what
// is said of classes: of a mode in which instructions cannot name it. It is called
// before the facts are shared.
func (in *Info) ConfineSubReg(idx, as SubRegIdx) {
	classes, confined, bits := in.SubClassWithIdx.Load(), &in.SubClassWithIdx, in.ClassBits.Load()
	n, w := len(in.SubRegIndices), in.ClassWords()
	confined.SetFunc(func() []ClassID {
		rows := slices.Clone(classes())
		for c := range in.Classes {
			rows[c*n+int(idx)] = rows[c*n+int(as)]
		}
		return rows
	})
	in.ClassBits.SetFunc(func() []uint32 {
		rows := slices.Clone(bits())
		have := make([]uint32, w)
		for c := range in.Classes {
			if in.SubClassWithSubReg(ClassID(c), as) == ClassID(c) {
				have[c/32] |= 1 << (c % 32)
			}
		}
		for c := range in.Classes {
			d := &in.Classes[c]
			for k, x := range in.SubIdxLists[d.SuperIdx : int(d.SuperIdx)+int(d.NumSuper)] {
				for j := range w {
					if x == idx {
						rows[int(d.SuperMasks)+k*w+j] &= have[j]
					}
				}
			}
		}
		return rows
	})
}

// superIndices are the classes of registers with a sub-register, at an index, in
// class c: index 0 and c's own sub-classes first.
func (in *Info) superIndices(c ClassID, yield func(idx SubRegIdx, classes []uint32) bool) {
	if !yield(0, in.SubClassSet(c)) {
		return
	}
	d, w := &in.Classes[c], in.ClassWords()
	for k, idx := range in.SubIdxLists[d.SuperIdx : int(d.SuperIdx)+int(d.NumSuper)] {
		m := int(d.SuperMasks) + k*w
		if !yield(idx, in.ClassBits.Rows()[m:m+w]) {
			return
		}
	}
}

// CommonSuperRegClass finds the smallest class whose registers have a
// sub-register at ia in class a and one at ib in class b, so that sub-register
// subA of the one is sub-register subB of the other; NoClass when there is none.
func (in *Info) CommonSuperRegClass(a ClassID, subA SubRegIdx, b ClassID, subB SubRegIdx) (best ClassID, ia, ib SubRegIdx) {
	size := func(c ClassID) uint16 { return in.ClassSize(c, in.DefaultMode).RegSize }
	if size(a) < size(b) {
		// From the larger one the answer is mostly the first that is looked at.
		best, ib, ia = in.CommonSuperRegClass(b, subB, a, subA)
		return best, ia, ib
	}
	best = NoClass
	minSize := size(a)
	in.superIndices(a, func(pa SubRegIdx, ca []uint32) bool {
		full := in.ComposeSubRegs(pa, subA)
		in.superIndices(b, func(pb SubRegIdx, cb []uint32) bool {
			c := firstCommon(ca, cb)
			if c == NoClass || size(c) < minSize || in.ComposeSubRegs(pb, subB) != full || best != NoClass && size(c) >= size(best) {
				return true
			}
			best, ia, ib = c, pa, pb
			return size(best) != minSize
		})
		return best == NoClass || size(best) != minSize
	})
	return best, ia, ib
}

// MinimalPhysRegClass is the smallest class with register r, NoClass when there
// is none; with a type other than 0 only classes that hold the type count (in
// the default mode).
func (in *Info) MinimalPhysRegClass(r PhysReg, t MVT) ClassID {
	best := NoClass
	for c := range in.Classes {
		id := ClassID(c)
		if t != 0 && !in.ClassHasType(id, t, in.DefaultMode) || !in.ClassContains(id, r) {
			continue
		}
		if best == NoClass || in.HasSubClassEq(best, id) && best != id {
			best = id
		}
	}
	return best
}

// ClassSize gives size, spill slot and types of a class in a hardware mode.
func (in *Info) ClassSize(c ClassID, mode int) *ClassSize {
	return &in.ClassSizes[mode*len(in.Classes)+int(c)]
}

// ClassTypes lists the value types that a class holds in a hardware mode.
func (in *Info) ClassTypes(c ClassID, mode int) []MVT {
	s := in.ClassSize(c, mode)
	return in.TypeLists[s.Types : int(s.Types)+int(s.NumTypes)]
}

// ClassHasType reports whether a class holds values of a type.
func (in *Info) ClassHasType(c ClassID, t MVT, mode int) bool {
	for _, x := range in.ClassTypes(c, mode) {
		if x == t {
			return true
		}
	}
	return false
}

// BankCovers reports whether a bank covers a class.
func (in *Info) BankCovers(k BankID, c ClassID) bool {
	return in.ClassBits.Rows()[int(in.Banks[k].Classes)+int(c)/32]>>(uint(c)%32)&1 != 0
}

// RegMask gives the words of mask i of RegMasks; a set bit is a preserved
// register.
func (in *Info) RegMask(i int) []uint32 {
	off := int(in.RegMasks[i].Bits)
	return in.RegMaskBits.Rows()[off : off+in.RegWords()]
}

// DwarfNum gives the DWARF number of a register in flavour f of DwarfRegs, for
// exception frames when eh; -1 when it has none.
func (in *Info) DwarfNum(f int, r PhysReg, eh bool) int {
	i := int(in.DwarfRegs[f].Nums) + 2*int(r)
	if eh {
		i++
	}
	return int(in.DwarfNums[i])
}

// DwarfFlavourOf gives the index of the flavour that was taken from a triple
// with this architecture and system prefix ("x86_64", "i386-apple"); flavour 0
// when none fits.
func (in *Info) DwarfFlavourOf(prefix string) int {
	for i := range in.DwarfRegs {
		if s := in.Str(in.DwarfRegs[i].Triple); len(s) >= len(prefix) && s[:len(prefix)] == prefix {
			return i
		}
	}
	return 0
}

// CalleeSaved finds the callee-saved registers of a calling convention for a
// triple and features as SavedRegs lists them; ok is false when it has none.
func (in *Info) CalleeSaved(triple, features string, cc int) (regs []PhysReg, mask int, ok bool) {
	for i := range in.SavedRegs {
		d := &in.SavedRegs[i]
		if int(d.CC) == cc && in.Str(d.Triple) == triple && in.Str(d.Features) == features {
			return in.RegLists.Rows()[d.Regs : int(d.Regs)+int(d.NumRegs)], int(d.Mask), true
		}
	}
	return nil, -1, false
}
