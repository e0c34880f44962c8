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
	for k, c := range conditions[:15] {
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
	if known, err := borrowed(r, p, mnemonic, text); known || err != nil {
		return known, err
	}
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

// lenders are instructions whose operands are those of another one that the tables have no form of.
var lenders = []struct{ word, lender, from, to string }{
	{"sub", "add", "ADDri", "SUBri"}, {"mov", "mvn", "MVNi", "MOVi"}, {"dsb", "dmb", "DMB", "DSB"}, {"dsb", "dmb", "t2DMB", "t2DSB"},
}

// borrowed reads an instruction by the forms of its lender.
func borrowed(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	switch rest := strings.TrimSpace(text[len(mnemonic):]); {
	case rest == "" && (mnemonic == "dmb" || mnemonic == "isb"):
		return true, alias(r, p, mnemonic+" sy")
	case rest == "" && mnemonic == "dsb":
		text += " sy"
	}
	for _, l := range lenders {
		rest, ok := strings.CutPrefix(mnemonic, l.word)
		if !ok || len(rest) > 3 {
			continue
		}
		other := l.lender + rest + text[len(mnemonic):]
		var in mc.Inst
		if r.Match(p, other, &in) != nil {
			if other = again(other); other == "" || r.Match(p, other, &in) != nil {
				continue
			}
		}
		from, _ := r.Info.OpcodeByName(l.from)
		to, ok := r.Info.OpcodeByName(l.to)
		if !ok || in.Op != from {
			continue
		}
		in.Op = to
		return true, r.Emit(p, &in)
	}
	return false, nil
}

// wide gives a statement of Thumb the suffix of instructions of four bytes; "" where it has one.
func wide(text string) string {
	end := strings.IndexAny(text, " \t")
	if end <= 0 || strings.Contains(text[:end], ".") {
		return ""
	}
	return text[:end] + ".w" + text[end:]
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
