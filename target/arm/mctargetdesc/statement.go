package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// hintNames are the hints by their names, with what a subtarget must have; see printer.go.
var hintNames = map[string]int64{"nop": 0, "yield": 1, "wfe": 2, "wfi": 3, "sev": 4, "sevl": 5, "esb": 16, "csdb": 20, "clrbhb": 22}

// conditionOf takes the suffix of a condition from a mnemonic that begins with name.
func conditionOf(mnemonic, name string) (cond int64, ok bool) {
	s, ok := strings.CutPrefix(mnemonic, name)
	if !ok {
		return 0, false
	}
	switch s {
	case "cs":
		s = "hs"
	case "cc":
		s = "lo"
	case "al":
		s = ""
	}
	for k, c := range conditions {
		if c == s {
			return int64(k), true
		}
	}
	return 0, false
}

func has(p mc.AsmParser, feature string) bool {
	st := p.Subtarget()
	i, ok := st.Info.FeatureByName(feature)
	return ok && st.Has(st.Info.Features[i].Bit)
}

// expand reads hints, whose names the tables do not have.
func expand(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	word, wide := strings.CutSuffix(mnemonic, ".w")
	if strings.TrimSpace(text) != text[:min(len(text), len(mnemonic))] {
		return false, nil // hints have no operands
	}
	for name, n := range hintNames {
		cond, ok := conditionOf(word, name)
		if !ok || cond != 14 && has(p, "thumb-mode") { // conditions of Thumb are IT's
			continue
		}
		for _, f := range hints[n].features {
			if !has(p, f) {
				return false, nil
			}
		}
		var in mc.Inst
		op := "HINT"
		switch thumb := has(p, "thumb-mode"); {
		case thumb && (wide || n > 15):
			if op = "t2HINT"; !has(p, "thumb2") {
				return false, nil
			}
		case thumb && (has(p, "v6m") || has(p, "thumb2")):
			op = "tHINT"
		case thumb && n == 0:
			return true, alias(r, p, "mov r8, r8")
		case wide, !thumb && n > 0 && !has(p, "v6k"), thumb:
			return false, nil
		case !has(p, "v6k"):
			if cond != 14 {
				return true, alias(r, p, "mov"+conditions[cond]+" r0, r0")
			}
			return true, alias(r, p, "mov r0, r0")
		}
		o, ok := r.Info.OpcodeByName(op)
		if !ok {
			return false, nil
		}
		in.Reset(o)
		in.Add(mc.Imm(n))
		in.Add(mc.Imm(cond))
		flags := mc.Reg(0)
		if cond != 14 {
			cpsr, _ := r.Info.RegByName("cpsr")
			flags = mc.Reg(cpsr)
		}
		in.Add(flags)
		return true, r.Emit(p, &in)
	}
	return false, nil
}

// alias emits another statement.
func alias(r *table.Reader, p mc.AsmParser, text string) error {
	var in mc.Inst
	if err := r.Match(p, text, &in); err != nil {
		return err
	}
	return r.Emit(p, &in)
}

// twice are mnemonics whose first operand may be left out where it is the second, too, as they begin.
var twice = []string{"add", "sub", "and", "orr", "eor", "bic", "adc", "sbc", "rsb", "rsc", "orn", "lsl", "lsr", "asr", "ror", "mul", "qadd", "qsub", "sadd", "ssub", "uadd", "usub", "shadd", "shsub",
	"uhadd", "uhsub", "uqadd", "uqsub", "sxtab", "uxtab", "vadd", "vsub", "vmul", "vdiv", "vand", "vorr", "vorn", "veor", "vbic", "vmax", "vmin", "vhadd", "vhsub", "vrhadd", "vqadd", "vqsub", "vshl", "vqshl",
	"vrshl", "vqrshl", "vshr", "vrshr", "vabd", "vpadd", "vpmax", "vpmin", "vceq", "vcge", "vcgt", "vcle", "vclt", "vqdmulh", "vqrdmulh", "vtst", "vacge", "vacgt", "vacle", "vaclt", "vnmul", "vsli", "vsri", "vsra"}

// again writes "add r2, r3" as "add r2, r2, r3".
func again(text string) string {
	end := strings.IndexAny(text, " \t")
	if end < 0 || strings.ContainsAny(text[end:], "[{") {
		return ""
	}
	word := strings.ToLower(text[:end])
	known := false
	for _, t := range twice {
		known = known || strings.HasPrefix(word, t)
	}
	first, rest, ok := strings.Cut(text[end:], ",")
	if !known || !ok || strings.Contains(rest, ",") {
		return ""
	}
	return text[:end] + first + "," + first + "," + rest
}
