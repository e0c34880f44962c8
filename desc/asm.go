package desc

// AsmTable holds the assembly syntax of opcodes. Its tables are little-endian
// bytes that are read where they lie, so that making one costs nothing.
//
// A template is text with placeholders <kind:operand>; operand counts those of
// the MC instruction, which are the declared operands. On x86, whose operand
// lists give memory as base, scale, index, displacement and segment, the kinds
// are:
//
//	r    register
//	st   x87 stack register, written st(0) even for ST0
//	kp   first mask register of a pair
//	i    immediate, signed ("$5" in AT&T, "5" in Intel syntax)
//	n    immediate without dollar sign in AT&T syntax too
//	u8   immediate's low 8 bits, unsigned; u16 likewise
//	pc   pc-relative branch target
//	m    memory, five operands from this one on
//	o    absolute memory offset, two operands: displacement and segment
//	s    string source, two operands: register and segment
//	d    string destination, one operand; %es:(…) in AT&T syntax, […] in Intel
//	cc   condition code in a mnemonic: o no b ae e ne be a s ns p np l ge le g
//	cct  the same with t and f (of CCMP) at 10 and 11
//	dfv  default flags "{dfv=of,sf,zf,cf}" of CCMP; bits 3 to 0 in this order
//	rc   rounding control {rn-sae} {rd-sae} {ru-sae} {rz-sae}
//	fcc8, fcc32, icc, xcc   comparison predicate in a mnemonic, see AsmPredicate
//
// A template with a bar has two forms, "vcmp<fcc32:3>ps…|vcmpps…": the first
// holds when the predicate operand is an immediate with a name in AsmPredicate,
// else the second.
type AsmTable struct {
	Variants int // 2 on x86: 0 is AT&T, 1 is Intel
	// Refs has for [op*Variants+variant] the numbers of the mnemonic and of the
	// rest, 2 bytes each; mnemonic 0 is none.
	Refs string
	// Part i is PartBytes from PartEnds[i] to PartEnds[i+1] (4 bytes each).
	PartEnds, PartBytes string
	// RegEnds and RegBytes are the names of registers in assembly, likewise.
	RegEnds, RegBytes string
}

// SetAsm installs the function that gives the assembly table, called when text
// is first wanted. It must be safe to call from several goroutines.
func (in *Info) SetAsm(f func() *AsmTable) { in.asm = f }

// AsmParts gives the assembly template of an opcode in two parts: the mnemonic
// and all from the first tab on. ok is false when the opcode has none.
func (in *Info) AsmParts(op Opcode, variant int) (mnemonic, rest string, ok bool) {
	t := in.asmTable()
	if t == nil || variant >= t.Variants {
		return "", "", false
	}
	at := (int(op)*t.Variants + variant) * 4
	m, r := int(t.Refs[at])|int(t.Refs[at+1])<<8, int(t.Refs[at+2])|int(t.Refs[at+3])<<8
	if m == 0 {
		return "", "", false
	}
	return part(t.PartEnds, t.PartBytes, m), part(t.PartEnds, t.PartBytes, r), true
}

// AsmTemplate gives the assembly template of an opcode as one new string (see
// AsmTable for the language);
// printers use AsmParts. ok is false when the opcode has none.
func (in *Info) AsmTemplate(op Opcode, variant int) (text string, ok bool) {
	m, r, ok := in.AsmParts(op, variant)
	return m + r, ok
}

// AsmRegName gives the name of a register in assembly, without a prefix such as
// x86's percent sign; it is empty when the facts hold no names.
func (in *Info) AsmRegName(r PhysReg) string {
	t := in.asmTable()
	if t == nil {
		return ""
	}
	return part(t.RegEnds, t.RegBytes, int(r))
}

func (in *Info) asmTable() *AsmTable {
	if in.asm == nil {
		return nil
	}
	return in.asm()
}

func part(ends, bytes string, i int) string {
	at := func(i int) uint32 {
		i *= 4
		return uint32(ends[i]) | uint32(ends[i+1])<<8 | uint32(ends[i+2])<<16 | uint32(ends[i+3])<<24
	}
	return bytes[at(i):at(i+1)]
}

// The words of condition and comparison placeholders.
var (
	asmFloatPreds = [32]string{
		"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord",
		"eq_uq", "nge", "ngt", "false", "neq_oq", "ge", "gt", "true",
		"eq_os", "lt_oq", "le_oq", "unord_s", "neq_us", "nlt_uq", "nle_uq", "ord_s",
		"eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq", "gt_oq", "true_us",
	}
	asmIntPreds = [8]string{"eq", "lt", "le", "", "neq", "nlt", "nle", ""}
	asmXopPreds = [8]string{"lt", "le", "gt", "ge", "eq", "neq", "false", "true"}
	asmConds    = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}
)

// AsmPredicate gives the word for an immediate in a placeholder of kind cc, cct,
// fcc8, fcc32, icc or xcc; ok is false when the value has none.
func AsmPredicate(kind string, imm int64) (word string, ok bool) {
	var t []string
	switch kind {
	case "cc":
		t = asmConds[:]
	case "cct":
		switch imm {
		case 10:
			return "t", true
		case 11:
			return "f", true
		}
		t = asmConds[:]
	case "fcc8":
		t = asmFloatPreds[:8]
	case "fcc32":
		t = asmFloatPreds[:]
	case "icc":
		t = asmIntPreds[:]
	case "xcc":
		t = asmXopPreds[:]
	}
	if imm < 0 || imm >= int64(len(t)) || t[imm] == "" {
		return "", false
	}
	return t[imm], true
}

// Asm gives the table of assembly templates, nil when there is none.
func (in *Info) Asm() *AsmTable { return in.asmTable() }
