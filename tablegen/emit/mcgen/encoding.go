package mcgen

import (
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// maxBits is the length of the longest instructions that the tables hold.
const maxBits = 512

// encoding is the bits of one instruction, or of one of several forms of it.
type encoding struct {
	in *inst
	// rec says it: the instruction, an AdditionalEncoding, or an object of EncodingByHwMode.
	rec  *tablegen.Record
	mode string // hardware mode, "" for all
	size int    // in bytes
	bits []bit
}

// bit is one bit of an encoding.
type bit struct {
	kind bitKind
	name string // of the operand whose bit it is
	n    int    // which bit of it
	// encode and decode are methods that a variable-length encoding names.
	encode, decode string
}

type bitKind uint8

const (
	bitAny bitKind = iota // "?": encoded as 0, ignored in decoding
	bit0
	bit1
	bitField
)

// field is the place of one operand in an encoding.
type field struct {
	name           string
	segs           []desc.BitSeg
	encode, decode string
}

// encodings lists the encodings of an instruction.
func (s *Source) encodings(in *inst) []*encoding {
	r := in.Rec
	if by := r.DefField("EncodingInfos"); by != nil {
		modes, objs := by.DefList("Modes"), by.DefList("Objects")
		var out []*encoding
		for k := range objs {
			if k >= len(modes) {
				break
			}
			if e := s.encoding(in, objs[k], modes[k].Name); e != nil {
				out = append(out, e)
			}
		}
		return out
	}
	if e := s.encoding(in, r, ""); e != nil {
		return []*encoding{e}
	}
	return nil
}

// encoding reads the bits that a record gives an instruction; nil when it has
// none.
func (s *Source) encoding(in *inst, r *tablegen.Record, mode string) *encoding {
	if r.Bit("isPseudo") || in.Rec.Bit("isPseudo") {
		return nil
	}
	if ns := r.String("Namespace"); ns == "TargetOpcode" {
		return nil
	}
	e := &encoding{in: in, rec: r, mode: mode, size: int(r.Int("Size"))}
	if d := r.Dag("Inst"); d != nil {
		if !s.varLen(e, d) {
			return nil
		}
	} else {
		v := r.Bits("Inst")
		if v == nil {
			return nil
		}
		for _, b := range v.Bits {
			e.bits = append(e.bits, s.bit(e, b))
		}
		if e.size == 0 {
			e.size = (len(e.bits) + 7) / 8
		}
		s.reverse(e)
	}
	return e
}

// bit reads one bit of Inst.
func (s *Source) bit(e *encoding, x tablegen.Init) bit {
	switch x := x.(type) {
	case *tablegen.BitInit:
		if x.V {
			return bit{kind: bit1}
		}
		return bit{kind: bit0}
	case *tablegen.VarBitInit:
		if v, ok := x.Var.(*tablegen.VarInit); ok {
			return bit{kind: bitField, name: v.Name, n: x.Bit}
		}
	case *tablegen.VarInit:
		return bit{kind: bitField, name: x.Name}
	}
	return bit{}
}

// reverse turns the bits round where the target numbers them from the highest.
func (s *Source) reverse(e *encoding) {
	for _, t := range s.rs.DerivedFrom("Target") {
		if i := t.DefField("InstructionSet"); i != nil && i.Bit("isLittleEndianEncoding") {
			for a, b := 0, len(e.bits)-1; a < b; a, b = a+1, b-1 {
				e.bits[a], e.bits[b] = e.bits[b], e.bits[a]
			}
			return
		}
	}
}

// bigEndian reports what the record of class MCByteOrder says.
func (s *Source) bigEndian() bool {
	for _, r := range s.rs.DerivedFrom("MCByteOrder") {
		return r.Bit("BigEndian")
	}
	return false
}

// fields collects the places of operands, in order of first use.
func (e *encoding) fields() []*field {
	by := map[string]*field{}
	var out []*field
	for at, b := range e.bits {
		if b.kind != bitField {
			continue
		}
		f := by[b.name]
		if f == nil {
			f = &field{name: b.name}
			by[b.name] = f
			out = append(out, f)
		}
		if b.encode != "" {
			f.encode = b.encode
		}
		if b.decode != "" {
			f.decode = b.decode
		}
		if k := len(f.segs) - 1; k >= 0 {
			l := &f.segs[k]
			if int(l.Inst+l.Len) == at && int(l.Value+l.Len) == b.n {
				l.Len++
				continue
			}
		}
		f.segs = append(f.segs, desc.BitSeg{Value: uint16(b.n), Inst: uint16(at), Len: 1})
	}
	for _, f := range out {
		sort.SliceStable(f.segs, func(i, j int) bool { return f.segs[i].Value < f.segs[j].Value })
	}
	return out
}

// words gives mask and value of the fixed bits.
func (e *encoding) words() (mask, value []uint64) {
	n := (e.size + 7) / 8
	n = max(n, (len(e.bits)+63)/64)
	mask, value = make([]uint64, n), make([]uint64, n)
	for k, b := range e.bits {
		if b.kind == bit0 || b.kind == bit1 {
			mask[k/64] |= 1 << (k % 64)
		}
		if b.kind == bit1 {
			value[k/64] |= 1 << (k % 64)
		}
	}
	return mask, value
}

// varLen reads an encoding written as a dag:
//
//	(descend 0b0101, (operand "$rd", 4), (slice "$imm", 7, 0), (ascend …))
//
// the parts from the high end down (descend) or from the low end up (ascend).
func (s *Source) varLen(e *encoding, d *tablegen.DagInit) bool {
	at := e.rec.Loc
	op, ok := d.Op.(*tablegen.DefInit)
	if !ok {
		s.errorf(at, "the operator of Inst of '%s' is no record", e.rec.Name)
		return false
	}
	var parts [][]bit
	for _, a := range d.Args {
		p, ok := s.varLenPart(e, a)
		if !ok {
			return false
		}
		parts = append(parts, p)
	}
	switch op.Rec.Name {
	case "ascend":
	case "descend":
		for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
			parts[i], parts[j] = parts[j], parts[i]
		}
	default:
		s.errorf(at, "unknown operator '%s' in Inst of '%s'", op.Rec.Name, e.rec.Name)
		return false
	}
	for _, p := range parts {
		e.bits = append(e.bits, p...)
	}
	if len(e.bits) == 0 {
		return false
	}
	e.size = (len(e.bits) + 7) / 8
	return true
}

// varLenPart reads one part: bits, an operand, a slice of one, or a nested dag.
func (s *Source) varLenPart(e *encoding, x tablegen.Init) ([]bit, bool) {
	at := e.rec.Loc
	switch x := x.(type) {
	case *tablegen.BitsInit:
		var out []bit
		for _, b := range x.Bits {
			out = append(out, s.bit(e, b))
		}
		return out, true
	case *tablegen.BitInit, *tablegen.UnsetInit:
		return []bit{s.bit(e, x)}, true
	case *tablegen.DagInit:
		op, ok := x.Op.(*tablegen.DefInit)
		if !ok {
			break
		}
		if n := op.Rec.Name; n == "ascend" || n == "descend" {
			sub := encoding{in: e.in, rec: e.rec}
			ok := s.varLen(&sub, x)
			return sub.bits, ok
		}
		return s.varLenField(e, op.Rec.Name, x)
	}
	s.errorf(at, "Inst of '%s': '%s' is neither bits nor an operand", e.rec.Name, x)
	return nil, false
}

func (s *Source) varLenField(e *encoding, op string, d *tablegen.DagInit) ([]bit, bool) {
	at := e.rec.Loc
	var nums []int64
	name, enc, dec := "", "", ""
	for _, a := range d.Args {
		if v, ok := tablegen.IntValue(a); ok {
			nums = append(nums, v)
			continue
		}
		switch a := a.(type) {
		case *tablegen.StringInit:
			if len(a.S) > 1 && a.S[0] == '$' {
				name = a.S[1:]
			}
		case *tablegen.DagInit:
			if o, ok := a.Op.(*tablegen.DefInit); ok && len(a.Args) == 1 {
				if m, ok := a.Args[0].(*tablegen.StringInit); ok && o.Rec.Name == "encoder" {
					enc = m.S
				} else if ok && o.Rec.Name == "decoder" {
					dec = m.S
				}
			}
		}
	}
	hi, lo := int64(-1), int64(0)
	switch {
	case op == "operand" && len(nums) == 1:
		hi = nums[0] - 1
	case op == "slice" && len(nums) == 2:
		hi, lo = nums[0], nums[1]
	}
	if name == "" || lo < 0 || hi < 0 || hi > 127 || lo > 127 {
		s.errorf(at, "Inst of '%s': '%s' is no operand", e.rec.Name, d)
		return nil, false
	}
	var out []bit
	step := int64(1)
	if hi < lo {
		step = -1
	}
	for n := lo; ; n += step {
		out = append(out, bit{kind: bitField, name: name, n: int(n), encode: enc, decode: dec})
		if n == hi {
			break
		}
	}
	return out, true
}
