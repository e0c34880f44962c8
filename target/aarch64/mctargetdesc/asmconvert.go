package mctargetdesc

import (
	"math"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// The kinds of conversions that are not asked for, as LLVM's generator numbers them.
const (
	convertDone = iota
	convertReg
	convertTied
)

// SpecialKinds is how many kinds of conversions have a meaning of their own.
const SpecialKinds = convertTied + 1

// convert makes the instruction of a form.
func (s *statement) convert(e *tab.Entry) {
	s.in.Reset(e.Op)
	t := s.a.tab
	row := t.Conversions[e.Convert]
	for i := 0; i+1 < len(row); i += 2 {
		switch row[i] {
		case convertTied:
			if n := t.Tied[row[i+1]][0]; n != 0xff {
				s.in.Add(s.in.Ops[n])
			}
		default:
			s.render(row[i], int(row[i+1]))
		}
	}
	if r, ok := s.a.bytes[e.Op]; ok && r.signed && int(r.op) < len(s.in.Ops) {
		s.in.Ops[r.op] = mc.Imm(s.in.Ops[r.op].Imm() & 0xff) // encoders have the byte without its sign
	}
}

// render adds what a kind of conversion makes of an operand.
func (s *statement) render(kind uint8, n int) {
	l := s.a.tab.Kinds[kind]
	var o *asmOp
	shape := uint32(0)
	if n < len(s.ops) {
		o = &s.ops[n]
		shape = uint32(o.shape)
	}
	for k := range l {
		if l[k].Shape != shape && l[k].Shape != tab.AnyShape && (l[k].Shape&tab.AnyShape != tab.AnyShape || l[k].Shape>>24 != shape>>24) {
			continue
		}
		for i := range l[k].Outs {
			s.in.Add(s.output(&l[k].Outs[i], o))
		}
		return
	}
}

func (s *statement) output(out *tab.Out, o *asmOp) mc.Operand {
	switch out.Kind {
	case tab.OutConst:
		return mc.Imm(out.Values[0])
	case tab.OutSame:
		return mc.Reg(o.reg)
	case tab.OutConstReg:
		return mc.Reg(desc.PhysReg(out.Values[0]))
	case tab.OutState:
		return mc.Imm(o.state)
	case tab.OutExpr:
		return mc.ExprOp(o.x)
	case tab.OutReg:
		r, _ := out.Lookup(o.val)
		return mc.Reg(desc.PhysReg(r))
	}
	return mc.Imm(OutValue(out, o.val))
}

// OutValue gives the number that is made of a value.
func OutValue(out *tab.Out, v int64) int64 {
	switch out.Kind {
	case tab.OutConst:
		return out.Values[0]
	case tab.OutImmList:
		v, _ = out.Lookup(v)
		return v
	case tab.OutImm:
		return v*out.Values[0]/out.Values[1] + out.Values[2]
	case tab.OutSpecial:
		return specialOut(int(out.Values[0]), out.Values[1:], v)
	}
	return v
}

// Special sets and outputs, as the tables number them.
const (
	// SpecialLogical is the numbers that are masks of size Values[0], inverted where Values[1] is 1;
	// as an output their encoding.
	SpecialLogical = iota
	// SpecialMOVZ and SpecialMOVN are the numbers that movz and movn of Values[0] bits with
	// shift Values[1] make.
	SpecialMOVZ
	SpecialMOVN
	// SpecialSVEMask is the masks of elements of size Values[0] that dupm is preferred for.
	SpecialSVEMask
	// SpecialCopy is the bytes that are copied to elements of Values[0] bits, which may be
	// shifted by 8; SpecialAdd the same without sign.
	SpecialCopy
	SpecialAdd
	// SpecialByteMask is the 64-bit numbers of which each byte is 0 or 255.
	SpecialByteMask
	// SpecialFP is the number that eight bits stand for.
	SpecialFP
	// SpecialAddSub is the numbers of 12 bits that may be shifted by 12, negated for Values[0].
	SpecialAddSub
	// SpecialScale is what of a number that may be shifted by 12 is left of the shift, and
	// SpecialShift the shift; negated for Values[0]. For Values[0] 8 and 9 the shift is by 8.
	SpecialScale
	SpecialShift
	// SpecialUnscaled is the distances of 9 bits with sign that are no multiples of Values[0].
	SpecialUnscaled
	// SpecialRangeFirst is the first of a range by Values[0].
	SpecialRangeFirst
)

func specialSet(id int, args []int64, v int64) bool {
	switch id {
	case SpecialLogical:
		_, ok := logicalImm(args, v)
		return ok
	case SpecialMOVZ, SpecialMOVN:
		return movAlias(id == SpecialMOVN, args[0], uint(args[1]), uint64(v))
	case SpecialSVEMask:
		return sveMask(args[0], v)
	case SpecialByteMask:
		_, ok := byteMask(uint64(v))
		return ok
	case SpecialAddSub:
		if args[0] == 1 {
			if v >= 0 {
				return false
			}
			v = -v
		}
		return v >= 0 && (v < 1<<12 || v&0xfff == 0 && v < 1<<24)
	case SpecialUnscaled:
		return v >= -256 && v < 256 && (v < 0 || v%args[0] != 0)
	case SpecialCopy:
		return byteCopy(args[0], v)
	case SpecialAdd:
		return v >= 0 && (v < 256 || args[0] > 8 && v&0xff == 0 && v < 1<<16)
	}
	return false
}

func specialOut(id int, args []int64, v int64) int64 {
	switch id {
	case SpecialLogical:
		n, _ := logicalImm(args, v)
		return n
	case SpecialMOVZ:
		return v >> uint(args[1]) & 0xffff
	case SpecialMOVN:
		return ^v >> uint(args[1]) & 0xffff
	case SpecialByteMask:
		n, _ := byteMask(uint64(v))
		return n
	case SpecialScale, SpecialShift:
		by := uint(12)
		if args[0] >= 8 {
			by = 8
		}
		if args[0]&1 == 1 {
			v = -v
		}
		scaled := v != 0 && v&(1<<by-1) == 0
		switch {
		case id == SpecialShift && scaled:
			return int64(by)
		case id == SpecialShift:
			return 0
		case scaled:
			return v >> by
		}
	case SpecialRangeFirst:
		return v >> 16 / args[0]
	case SpecialFP:
		return encodeFP(math.Float64frombits(uint64(v)))
	}
	return v
}

// logicalImm encodes a mask for elements of size args[0]; numbers of fewer than 64 bits may be
// with or without sign.
func logicalImm(args []int64, v int64) (int64, bool) {
	size := uint(args[0])
	u := uint64(v)
	if args[1] == 1 {
		u = ^u
	}
	if size < 64 {
		upper := ^uint64(0) << size
		// Half of the bits above may be anything that goes on from the number.
		if hi := uint64(v) & upper; hi != 0 && hi != upper {
			return 0, false
		}
		u &^= upper
		for n := size; n < 64; n *= 2 {
			u |= u << n
		}
	}
	return encodeLogical(u, min(size, 64))
}

// encodeLogical finds N, immr and imms of a 64-bit mask (Arm's DecodeBitMasks backwards); for
// registers of 32 bits N is 0.
func encodeLogical(u uint64, size uint) (int64, bool) {
	if u == 0 || u == ^uint64(0) {
		return 0, false
	}
	n := uint(64)
	for n > 2 {
		half := n / 2
		mask := uint64(1)<<half - 1
		if u&mask != u>>half&mask {
			break
		}
		n = half
	}
	mask := ^uint64(0) >> (64 - n)
	e := u & mask
	ones := uint(popcount(int64(e)))
	for r := range n {
		// e is 2^ones - 1 rotated right by r
		if (uint64(1)<<ones-1)>>r|(uint64(1)<<ones-1)<<(n-r)&mask == e {
			imms := (^(n - 1) << 1) | (ones - 1)
			big := int64(0)
			if n == 64 {
				big = 1
			}
			return big<<12 | int64(r)<<6 | int64(imms&0x3f), true
		}
	}
	return 0, false
}

// movAlias reports whether mov of a number is movz or movn with a shift.
func movAlias(not bool, width int64, shift uint, v uint64) bool {
	whole := v
	if width == 32 {
		v &= math.MaxUint32
	}
	z := func(v uint64) bool {
		return (v != 0 || shift == 0) && v&^(0xffff<<shift) == 0
	}
	if !not {
		return z(v)
	}
	for s := uint(0); s < uint(width); s += 16 {
		if whole&^(0xffff<<s) == 0 {
			return false // movz comes first
		}
	}
	v = ^v
	if width == 32 {
		v &= math.MaxUint32
	}
	return z(v)
}

// sveMask reports whether a mask is preferred to a copied byte.
func sveMask(size, v int64) bool {
	_, ok := logicalImm([]int64{size, 0}, v)
	return ok && !byteCopy(size, v)
}

// byteMask has a bit for each byte of a number of which each is 0 or 255.
func byteMask(u uint64) (m int64, ok bool) {
	for i := range 8 {
		switch u >> (8 * i) & 0xff {
		case 0:
		case 0xff:
			m |= 1 << i
		default:
			return 0, false
		}
	}
	return m, true
}

// byteCopy reports a byte that may be shifted by 8 in wider elements, as a number of an
// element's bits.
func byteCopy(size, v int64) bool {
	cut := func(v int64, n int64) int64 { return v << uint(64-n) >> uint(64-n) }
	t, high := cut(v, size), v&^0xff
	if up := v >> uint(size); size < 64 && up != 0 && up != -1 {
		return false
	}
	if size == 8 {
		return (v == 0 || v&0xff != 0) && (cut(v, 8) == t || v&0xff == v)
	}
	return cut(v, 8) == t || cut(high, 16) == t || size == 16 && high&0xffff == v
}

// encodeFP gives the eight bits that stand for a number, -1 for none.
func encodeFP(v float64) int64 {
	for n := range 256 {
		if expandFP(uint8(n)) == v {
			return int64(n)
		}
	}
	return -1
}
