package iranalysis

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// StackKind says why a stack object may be written beyond its end, or that nothing does that.
type StackKind uint8

// The kinds, LLVM's (SSPLayoutKind).
const (
	StackPlain StackKind = iota
	StackLargeArray
	StackSmallArray
	StackAddressTaken
)

// defaultSSPBuffer is from how many bytes on an array is large.
const defaultSSPBuffer = 8

// StackProtection finds which stack objects want a stack protector, by the
// attributes ssp, sspstrong and sspreq, as LLVM does; large arrays and those of
// characters for the first, everything whose address may be misused for the others.
type StackProtection struct {
	// Kinds is by ir.InstrID of allocas.
	Kinds []StackKind
	// Needed says that the function is to have a protector.
	Needed bool

	f      *ir.Function
	dl     *ir.DataLayout
	t      *ir.Types
	strong bool
	buffer uint64
	uses   useLists
	seen   map[ir.InstrID]uint64 // the fewest bytes that were left where a pointer was visited
}

// Find looks at a function.
func (s *StackProtection) Find(f *ir.Function, dl *ir.DataLayout) {
	*s = StackProtection{f: f, dl: dl, t: f.Module.Types, buffer: defaultSSPBuffer, seen: map[ir.InstrID]uint64{}}
	attrs := f.Module.Attrs.At(f.Global().Attrs).Fn
	s.Needed = attrs.Has("sspreq")
	s.strong = s.Needed || attrs.Has("sspstrong")
	if attrs.Has("safestack") || !s.strong && !attrs.Has("ssp") {
		s.Needed = false
		return
	}
	if a, ok := attrs.Get("stack-protector-buffer-size"); ok {
		if n, err := strconv.ParseUint(a.Value, 0, 64); err == nil {
			s.buffer = uint64(uint32(n)) // as wide as LLVM's
		}
	}
	s.Kinds = make([]StackKind, len(f.Instrs))
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if f.Instrs[i].Op == ir.OpAlloca {
				s.Kinds[i] = s.kindOf(i)
				s.Needed = s.Needed || s.Kinds[i] != StackPlain
			}
		}
	}
}

// kindOf is the kind of one alloca.
func (s *StackProtection) kindOf(i ir.InstrID) StackKind {
	ty := s.f.Instrs[i].SrcType
	count := s.f.Op(i, 0)
	switch n, ok := s.f.Consts.SignedInt(s.t, count); {
	case !ok || n != 1 && uint64(n) >= s.buffer:
		return StackLargeArray
	case n != 1 && s.strong:
		return StackSmallArray
	case n != 1:
		return StackPlain
	}
	large := false
	if s.hasArray(ty, &large) {
		if large {
			return StackLargeArray
		}
		return StackSmallArray
	}
	if !s.strong {
		return StackPlain
	}
	if s.uses.off == nil {
		s.uses.build(s.f)
	}
	clear(s.seen)
	if s.addressTaken(i, s.dl.SizeOf(s.t, ty)) {
		return StackAddressTaken
	}
	return StackPlain
}

// hasArray reports a type that is, or has within, an array that asks for a protector;
// large is set for one that is large.
func (s *StackProtection) hasArray(ty ir.Type, large *bool) bool {
	switch s.t.Kind(ty) {
	case ir.KindArray:
		// Without sspstrong only arrays of characters count.
		if s.t.Elem(ty) != ir.Int8 && !s.strong {
			return false
		}
		if s.dl.SizeOf(s.t, ty) >= s.buffer {
			*large = true
			return true
		}
		return s.strong
	case ir.KindStruct:
		found := false
		for _, e := range s.t.Subtypes(ty) {
			if s.hasArray(e, large) {
				found = true
				if *large {
					return true
				}
			}
		}
		return found
	}
	return false
}

// addressTaken reports a pointer v, to an object of which size bytes are left behind
// it, that goes where it cannot be followed or is accessed beyond that end.
func (s *StackProtection) addressTaken(v ir.InstrID, size uint64) bool {
	// Ways that meet again, and loops, are followed once unless less is left.
	if least, ok := s.seen[v]; ok && size >= least {
		return false
	}
	s.seen[v] = size
	for _, u := range s.uses.of(v) {
		if s.accessed(u) > size {
			return true
		}
		in := &s.f.Instrs[u]
		switch in.Op {
		case ir.OpLoad, ir.OpRet:
		case ir.OpStore:
			if s.f.Op(u, 0) == ir.Local(v) {
				return true
			}
		case ir.OpCmpXchg:
			if s.f.Op(u, 2) == ir.Local(v) {
				return true
			}
		case ir.OpAtomicRMW:
			if s.f.Op(u, 1) == ir.Local(v) {
				return true
			}
		case ir.OpCall:
			switch s.f.IntrinsicOf(u) {
			case ir.IntrLifetimeStart, ir.IntrLifetimeEnd, ir.IntrDbgDeclare, ir.IntrDbgValue, ir.IntrDbgAssign, ir.IntrDbgLabel, ir.IntrPseudoprobe:
			default:
				return true
			}
		case ir.OpGEP:
			off, ok := s.dl.ConstGEPOffset(s.f, u)
			if !ok || off < 0 || uint64(off) >= size || s.addressTaken(u, size-uint64(off)) {
				return true
			}
		case ir.OpBitCast, ir.OpSelect, ir.OpAddrSpaceCast, ir.OpPhi:
			if s.addressTaken(u, size) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// accessed is how many bytes of memory instruction u reads or writes, 0 when it does not say.
func (s *StackProtection) accessed(u ir.InstrID) uint64 {
	in := &s.f.Instrs[u]
	switch in.Op {
	case ir.OpLoad:
		return s.dl.StoreSize(s.t, in.Type)
	case ir.OpStore:
		return s.dl.StoreSize(s.t, s.f.TypeOf(s.f.Op(u, 0)))
	case ir.OpCmpXchg:
		return s.dl.StoreSize(s.t, s.f.TypeOf(s.f.Op(u, 1)))
	case ir.OpAtomicRMW:
		return s.dl.StoreSize(s.t, s.f.TypeOf(s.f.Op(u, 1)))
	}
	return 0
}
