package mctargetdesc

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/mc"
)

// Relocations of O32 have no addends: a high half knows from the low half behind it what is carried
// into it, so that the two must be next to each other (the MIPS ABI's supplement, 4-18).

// The relocations of high halves, and those of the low halves that they want.
const (
	relocGOT16      = 9
	reloc16GOT16    = 102
	reloc16Hi16     = 104
	reloc16Lo16     = 105
	relocMicroHi16  = 134
	relocMicroLo16  = 135
	relocMicroGOT16 = 138
)

// lowOf gives the relocation that must stand behind one of a high half, 0 for others. Entries of
// the global offset table are high halves where the symbol is local.
func lowOf(r *mc.Reloc, local func(mc.Sym) bool) uint32 {
	got := r.Symbol > 0 && local(mc.Sym(r.Symbol))
	switch {
	case r.Type == relocHi16, r.Type == relocGOT16 && got:
		return relocLo16
	case r.Type == reloc16Hi16, r.Type == reloc16GOT16 && got:
		return reloc16Lo16
	case r.Type == relocMicroHi16, r.Type == relocMicroGOT16 && got:
		return relocMicroLo16
	}
	return 0
}

// SortRelocs puts relocations without addends in the order of their places, and each high half
// before the low half that fits best: that of the same symbol with the smallest addend that is not
// below its own, rather one that no other high half has. One without stands at the end, as in LLVM.
func (b *backend) SortRelocs(list []mc.Reloc, local func(mc.Sym) bool) {
	if b.Machine().Rela {
		return
	}
	slices.SortStableFunc(list, func(a, b mc.Reloc) int { return cmp.Compare(a.Offset, b.Offset) })
	type key struct {
		sym int32
		typ uint32
	}
	type low struct {
		at      int // in fixed
		addend  int64
		matched bool
	}
	var fixed, high []mc.Reloc
	for _, r := range list {
		if lowOf(&r, local) != 0 {
			high = append(high, r)
		} else {
			fixed = append(fixed, r)
		}
	}
	lows := map[key][]low{}
	for i := range fixed {
		r := &fixed[i]
		lows[key{r.Symbol, r.Type}] = append(lows[key{r.Symbol, r.Type}], low{at: i, addend: r.Addend})
	}
	before := make([][]mc.Reloc, len(fixed)+1) // by the index in fixed
	for _, r := range high {
		at := len(fixed)
		l := lows[key{r.Symbol, lowOf(&r, local)}]
		best := -1
		for i := range l {
			c := &l[i]
			if c.addend < r.Addend {
				continue
			}
			if best < 0 || c.addend < l[best].addend || c.addend == l[best].addend && l[best].matched && !c.matched {
				best = i
			}
			if !c.matched && c.addend == r.Addend {
				break
			}
		}
		if best >= 0 {
			l[best].matched = true
			at = l[best].at
		}
		before[at] = append(before[at], r)
	}
	list = list[:0]
	for i := range before {
		list = append(list, before[i]...)
		if i < len(fixed) {
			list = append(list, fixed[i])
		}
	}
}

// MergeNeedsSymbol has relocations name symbols in sections of strings where their addends are in
// the code: linkers do not put the halves together.
func (b *backend) MergeNeedsSymbol(uint32) bool { return !b.Machine().Rela }
