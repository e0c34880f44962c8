package mctargetdesc

import "strings"

// regName is the number of the general register that operand k names.
func (r *reader) number(k int) int { return r.ops[k].reg.n }

// predicate says what is wrong with operands together, "" for nothing.
func (r *reader) predicate(w *row) string {
	if w.macro {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimSuffix(r.info.OpcodeName(w.op), "_MMR6"), "64")
	switch name {
	case "DAHI", "DATI":
		if r.number(0) != r.number(1) {
			return "source and destination must match"
		}
	case "CRC32B", "CRC32H", "CRC32W", "CRC32D", "CRC32CB", "CRC32CH", "CRC32CW", "CRC32CD":
		if r.number(0) != r.number(2) {
			return "source and destination must match"
		}
	case "JALR_HB", "JALRC_HB":
		d := 31
		if len(r.ops) == 2 {
			d = r.number(0)
		}
		if d == r.number(len(r.ops)-1) {
			return "source and destination must be different"
		}
	case "LWP_MM":
		if r.ops[len(r.ops)-1].reg.n == r.number(0) {
			return "source and destination must be different"
		}
	case "SYNC", "SYNC_MM":
		if len(r.ops) == 1 && r.ops[0].v != 0 && !r.has("mips32") {
			return "s-type must be zero or unspecified for pre-MIPS32 ISAs"
		}
	case "MFC0", "MTC0", "MFC2", "MTC2":
		if len(r.ops) == 3 && r.ops[2].v != 0 && !r.has("mips32") {
			return "selector must be zero for pre-MIPS32 ISAs"
		}
	case "BLEZC", "BGEZC", "BGTZC", "BLTZC", "BEQZC", "BNEZC":
		if r.number(0) == 0 {
			return "invalid operand ($zero) for instruction"
		}
	case "BGEC", "BLTC", "BGEUC", "BLTUC", "BEQC", "BNEC":
		switch {
		case r.number(0) == 0 || r.number(1) == 0:
			return "invalid operand ($zero) for instruction"
		case r.number(0) == r.number(1):
			return "registers must be different"
		}
	case "DINS", "INS", "INS_MM":
		if n := r.ops[2].v + r.ops[3].v; n < 0 || n > 32 {
			return "size plus position are not in the range 0 .. 32"
		}
	case "DINSM", "DINSU", "DEXTM", "DEXTU":
		if n := r.ops[2].v + r.ops[3].v; n < 33 || n > 64 {
			return "size plus position are not in the range 33 .. 64"
		}
	case "DEXT", "EXT", "EXT_MM":
		if n := r.ops[2].v + r.ops[3].v; n < 1 || n > 63 {
			return "size plus position are not in the range 1 .. 63"
		}
	}
	if len(w.ops) > 1 && w.ops[0].class == "FCC" && r.number(0) != 0 && !r.has("mips4") && !r.has("mips32") && !r.has("micromips") {
		return "non-zero fcc register doesn't exist in current ISA level"
	}
	return ""
}
