package desc

// SetHashes installs the name tables of opcodes and registers: open addressing
// with linear probing, sizes a power of two, 0xffff where empty, keyed by
// FNV-1a of the name (of registers: in lower case), as little-endian 16-bit
// numbers. Tables made by [BuildHash] fit. They are read where they lie.
func (in *Info) SetHashes(opcodes, regs string) { in.opcodeHash, in.regHash = opcodes, regs }

// BuildHash makes a name table over rows 0 to n-1 for SetHashes.
func BuildHash(n int, name func(i int) string) string {
	size := 4
	for size*3 < n*4 {
		size *= 2
	}
	t := make([]uint16, size)
	for i := range t {
		t[i] = 0xffff
	}
	for i := range n {
		at := hash(name(i)) & uint32(size-1)
		for t[at] != 0xffff {
			at = (at + 1) & uint32(size-1)
		}
		t[at] = uint16(i)
	}
	b := make([]byte, 0, 2*size)
	for _, v := range t {
		b = append(b, byte(v), byte(v>>8))
	}
	return string(b)
}

// hashRow gives entry at of a name table.
func hashRow(t string, at uint32) uint16 { return uint16(t[2*at]) | uint16(t[2*at+1])<<8 }

func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h ^ h>>16
}

// OpcodeByName finds an opcode by LLVM's name, as MIR writes it.
func (in *Info) OpcodeByName(name string) (Opcode, bool) {
	if len(in.opcodeHash) == 0 {
		return 0, false
	}
	mask := uint32(len(in.opcodeHash)/2 - 1)
	for at := hash(name) & mask; ; at = (at + 1) & mask {
		op := hashRow(in.opcodeHash, at)
		if op == 0xffff {
			return 0, false
		}
		if in.Str(in.Instr(Opcode(op)).Name) == name {
			return Opcode(op), true
		}
	}
}

// RegByName finds a register by its lower-case name without the dollar sign,
// as MIR writes it; "noreg" is register 0.
func (in *Info) RegByName(name string) (PhysReg, bool) {
	if len(in.regHash) == 0 {
		return 0, false
	}
	mask := uint32(len(in.regHash)/2 - 1)
	for at := hash(name) & mask; ; at = (at + 1) & mask {
		r := hashRow(in.regHash, at)
		if r == 0xffff {
			return 0, false
		}
		if r == 0 && name == "noreg" || r != 0 && equalLower(name, in.Str(in.Regs[r].Name)) {
			return PhysReg(r), true
		}
	}
}

// equalLower reports whether lower is s in lower case (ASCII).
func equalLower(lower, s string) bool {
	if len(lower) != len(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if lower[i] != c {
			return false
		}
	}
	return true
}

// RegClassByName finds a register class by its lower-case name.
func (in *Info) RegClassByName(name string) (ClassID, bool) {
	for i := range in.Classes {
		if equalLower(name, in.Str(in.Classes[i].Name)) {
			return ClassID(i), true
		}
	}
	return NoClass, false
}

// RegBankByName finds a register bank by its lower-case name.
func (in *Info) RegBankByName(name string) (BankID, bool) {
	for i := range in.Banks {
		if equalLower(name, in.Str(in.Banks[i].Name)) {
			return BankID(i), true
		}
	}
	return NoBank, false
}

// SubRegIndexByName finds a sub-register index by its name.
func (in *Info) SubRegIndexByName(name string) (SubRegIdx, bool) {
	for i := 1; i < len(in.SubRegIndices); i++ {
		if in.Str(in.SubRegIndices[i].Name) == name {
			return SubRegIdx(i), true
		}
	}
	return 0, false
}

// RegMaskByName finds a mask of preserved registers by its lower-case name; the
// result is an index into RegMasks.
func (in *Info) RegMaskByName(name string) (int, bool) {
	for i := range in.RegMasks {
		if equalLower(name, in.Str(in.RegMasks[i].Name)) {
			return i, true
		}
	}
	return -1, false
}

// flagByName finds a named value in a list.
func (in *Info) flagByName(list []FlagDesc, name string) (uint64, bool) {
	for i := range list {
		if in.Str(list[i].Name) == name {
			return list[i].Value, true
		}
	}
	return 0, false
}

// DirectFlagByName finds a direct operand target flag.
func (in *Info) DirectFlagByName(name string) (uint64, bool) {
	return in.flagByName(in.DirectFlags, name)
}

// BitmaskFlagByName finds a bitmask operand target flag.
func (in *Info) BitmaskFlagByName(name string) (uint64, bool) {
	return in.flagByName(in.BitmaskFlags, name)
}

// MemFlagByName finds a target flag of memory operands.
func (in *Info) MemFlagByName(name string) (uint64, bool) { return in.flagByName(in.MemFlags, name) }

// TargetIndexByName finds a target index.
func (in *Info) TargetIndexByName(name string) (uint64, bool) {
	return in.flagByName(in.TargetIndices, name)
}

// FeatureByName finds a subtarget feature; the result is an index into Features.
func (in *Info) FeatureByName(name string) (int, bool) {
	lo, hi := 0, len(in.Features)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if in.Str(in.Features[mid].Name) < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(in.Features) && in.Str(in.Features[lo].Name) == name {
		return lo, true
	}
	return -1, false
}

// ProcessorByName finds a processor; the result is an index into Processors.
func (in *Info) ProcessorByName(name string) (int, bool) {
	for i := range in.Processors {
		if in.Str(in.Processors[i].Name) == name {
			return i, true
		}
	}
	return -1, false
}

// FeatureSet gives the set of features at an offset that a feature or a
// processor names.
func (in *Info) FeatureSet(off uint32) []uint64 {
	return in.FeatureBits[off : int(off)+in.FeatureWords]
}

// RegName gives LLVM's name of a register ("EAX").
func (in *Info) RegName(r PhysReg) string { return in.Str(in.Regs[r].Name) }

// RegClassName gives LLVM's name of a register class ("GR32").
func (in *Info) RegClassName(c ClassID) string { return in.Str(in.Classes[c].Name) }

// SubRegIndexName gives the name of a sub-register index ("sub_8bit").
func (in *Info) SubRegIndexName(i SubRegIdx) string { return in.Str(in.SubRegIndices[i].Name) }

// AppendLowerReg appends the name of r as MIR prints it, without the dollar sign.
func (in *Info) AppendLowerReg(b []byte, r PhysReg) []byte {
	if r == 0 {
		return append(b, "noreg"...)
	}
	return appendLower(b, in.Str(in.Regs[r].Name))
}

// AppendLowerClass appends the name of c as MIR prints it.
func (in *Info) AppendLowerClass(b []byte, c ClassID) []byte {
	return appendLower(b, in.Str(in.Classes[c].Name))
}

// AppendLowerBank appends the name of a register bank as MIR prints it.
func (in *Info) AppendLowerBank(b []byte, k BankID) []byte {
	return appendLower(b, in.Str(in.Banks[k].Name))
}

// AppendLowerRegMask appends the name of mask i of RegMasks as MIR prints it.
func (in *Info) AppendLowerRegMask(b []byte, i int) []byte {
	return appendLower(b, in.Str(in.RegMasks[i].Name))
}

func appendLower(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}
