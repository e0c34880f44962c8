package desc

// CommuteDesc says that an instruction of opcode Op, with operands A and B
// exchanged, computes the same as opcode To.
type CommuteDesc struct {
	Op, To Opcode
	A, B   uint8 // A < B
	// Imm is the operand that changes with them, an immediate, and Map how, in
	// Info.CommuteMaps; 0 when none does.
	Imm, Map uint8
}

// CommutesOf lists the pairs of operands that an opcode commutes, the one first
// that LLVM takes when it is asked for any, or for any that goes with one operand.
// What becomes an instruction of other operands, or commutes on some subtargets
// only, is not listed.
func (in *Info) CommutesOf(op Opcode) []CommuteDesc {
	in.commutesOnce.Do(in.indexCommutes)
	if int(op) >= len(in.commuteStart) {
		return nil
	}
	rows := in.Commutes.Rows()
	lo := int(in.commuteStart[op])
	hi := lo
	for hi < len(rows) && rows[hi].Op == op {
		hi++
	}
	return rows[lo:hi]
}

// indexCommutes notes where each opcode's rows begin; opcodes without rows have
// those of another one, or none.
func (in *Info) indexCommutes() {
	rows := in.Commutes.Rows()
	if len(rows) == 0 {
		return
	}
	in.commuteStart = make([]uint16, in.NumInstrs())
	for k := range in.commuteStart {
		in.commuteStart[k] = uint16(len(rows))
	}
	for k := len(rows) - 1; k >= 0; k-- {
		in.commuteStart[rows[k].Op] = uint16(k)
	}
}

// CommutedImm is what an immediate becomes when the operands of c are exchanged;
// false when they cannot be with this one.
func (in *Info) CommutedImm(c *CommuteDesc, imm int64) (int64, bool) {
	if imm < -128 || imm > 255 {
		return 0, false
	}
	if c.Map == 0 {
		return imm, true
	}
	v := in.CommuteMaps.Rows()[int(c.Map)<<8|int(uint8(imm))]
	return int64(v), v != NoImm
}

// NoImm stands in CommuteMaps where an instruction does not commute.
const NoImm = -1 << 15

// OpTraits is what LLVM answers about an opcode beside its description.
type OpTraits struct {
	Flags TraitFlags
	// Undef has a bit for each operand whose value, where it is undefined, does not
	// count and is waited for all the same.
	Undef uint8
	// Feature is the bit of the subtarget feature with which alone PartialUpdate
	// and PartialFold hold; NoFeature: they hold on all.
	Feature uint16
	// ScalarLoads are the widths, 2, 4 and 8, in bytes, of the scalars in memory that
	// stand for an operand of a whole vector register, of which no more is read.
	ScalarLoads uint8
}

// NoFeature is no bit of a feature set.
const NoFeature = 0xffff

// TraitFlags are properties of opcodes.
type TraitFlags uint8

// The flags of traits.
const (
	Associative       TraitFlags = 1 << iota // and commutative
	AssociativeIfFree                        // where reassociation is allowed and signs of zeros do not count
	HighLatency                              // the result is worth computing early
	PartialUpdate                            // the result waits for the old value of operand 0
	PartialFold                              // so do memory forms, where a load of its own would not
	UndefFold                                // memory forms wait for operand 1 where it is undefined
)

// Traits gives the traits of an opcode.
func (in *Info) Traits(op Opcode) OpTraits {
	if int(op) >= len(in.TraitOf) {
		return OpTraits{Feature: NoFeature}
	}
	return in.TraitKinds[in.TraitOf[op]]
}
