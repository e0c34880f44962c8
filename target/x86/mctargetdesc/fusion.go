package mctargetdesc

import (
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// FuseKind is a kind of comparison that processors fuse with a branch behind it.
type FuseKind uint8

// The first halves of what processors fuse (Intel's Optimization Reference Manual,
// "Macro-Fusion"): comparisons of these kinds.
const (
	FuseTest FuseKind = iota
	FuseAnd
	FuseCmp
	FuseAddSub
	FuseIncDec
)

// fusedFirst lists them.
var fusedFirst = [...][]desc.Opcode{
	FuseTest:   {tab.TEST8i8, tab.TEST8mr, tab.TEST8ri, tab.TEST8rr, tab.TEST16i16, tab.TEST16mr, tab.TEST16ri, tab.TEST16rr, tab.TEST32i32, tab.TEST32mr, tab.TEST32ri, tab.TEST32rr, tab.TEST64i32, tab.TEST64mr, tab.TEST64ri32, tab.TEST64rr},
	FuseAnd:    {tab.AND8i8, tab.AND8ri, tab.AND8ri8, tab.AND8rm, tab.AND8rr, tab.AND16i16, tab.AND16ri, tab.AND16ri8, tab.AND16rm, tab.AND16rr, tab.AND32i32, tab.AND32ri, tab.AND32ri8, tab.AND32rm, tab.AND32rr, tab.AND64i32, tab.AND64ri32, tab.AND64ri8, tab.AND64rm, tab.AND64rr},
	FuseCmp:    {tab.CMP8i8, tab.CMP8mr, tab.CMP8ri, tab.CMP8ri8, tab.CMP8rm, tab.CMP8rr, tab.CMP16i16, tab.CMP16mr, tab.CMP16ri, tab.CMP16ri8, tab.CMP16rm, tab.CMP16rr, tab.CMP32i32, tab.CMP32mr, tab.CMP32ri, tab.CMP32ri8, tab.CMP32rm, tab.CMP32rr, tab.CMP64i32, tab.CMP64mr, tab.CMP64ri32, tab.CMP64ri8, tab.CMP64rm, tab.CMP64rr},
	FuseAddSub: {tab.ADD8i8, tab.ADD8ri, tab.ADD8ri8, tab.ADD8rm, tab.ADD8rr, tab.ADD16i16, tab.ADD16ri, tab.ADD16ri8, tab.ADD16rm, tab.ADD16rr, tab.ADD32i32, tab.ADD32ri, tab.ADD32ri8, tab.ADD32rm, tab.ADD32rr, tab.ADD64i32, tab.ADD64ri32, tab.ADD64ri8, tab.ADD64rm, tab.ADD64rr, tab.SUB8i8, tab.SUB8ri, tab.SUB8ri8, tab.SUB8rm, tab.SUB8rr, tab.SUB16i16, tab.SUB16ri, tab.SUB16ri8, tab.SUB16rm, tab.SUB16rr, tab.SUB32i32, tab.SUB32ri, tab.SUB32ri8, tab.SUB32rm, tab.SUB32rr, tab.SUB64i32, tab.SUB64ri32, tab.SUB64ri8, tab.SUB64rm, tab.SUB64rr},
	FuseIncDec: {tab.INC8r, tab.INC16r, tab.INC32r, tab.INC64r, tab.INC16r_alt, tab.INC32r_alt, tab.DEC16r_alt, tab.DEC32r_alt, tab.DEC8r, tab.DEC16r, tab.DEC32r, tab.DEC64r},
}

// fusedConds are, by kind, the conditions of the branches that they fuse with, as bits.
var fusedConds = [...]uint16{FuseTest: 0xffff, FuseAnd: 0xffff, FuseCmp: above | equal, FuseAddSub: above | equal, FuseIncDec: equal}

// Conditions of unsigned comparisons, and those of equality and signed comparisons.
const (
	above = 1<<2 | 1<<3 | 1<<6 | 1<<7
	equal = 1<<4 | 1<<5 | 1<<12 | 1<<13 | 1<<14 | 1<<15
)

// FusedKind gives the kind of a comparison that processors fuse.
func FusedKind(op desc.Opcode) (k FuseKind, ok bool) {
	for k, ops := range fusedFirst {
		if slices.Contains(ops, op) {
			return FuseKind(k), true
		}
	}
	return 0, false
}

// With reports whether comparisons of a kind fuse with a branch on a condition.
func (k FuseKind) With(cond int64) bool { return cond >= 0 && fusedConds[k]>>cond&1 != 0 }
