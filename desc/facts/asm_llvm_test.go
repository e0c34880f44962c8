package facts

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
)

// mcOperand is an operand as llvm-mc -show-inst lists it.
type mcOperand struct {
	isReg bool
	reg   desc.PhysReg
	imm   int64
}

// renderer fills templates; intel selects the syntax.
type renderer struct {
	in    *desc.Info
	intel bool
}

func (r renderer) reg(x desc.PhysReg) string {
	if r.intel {
		return r.in.AsmRegName(x)
	}
	return "%" + r.in.AsmRegName(x)
}

// mem writes the five operands from i on.
func (r renderer) mem(ops []mcOperand) string {
	base, scale, index, disp, seg := ops[0].reg, ops[1].imm, ops[2].reg, ops[3].imm, ops[4].reg
	var b strings.Builder
	if seg != 0 {
		b.WriteString(r.reg(seg) + ":")
	}
	if !r.intel {
		if disp != 0 || base == 0 && index == 0 {
			fmt.Fprint(&b, disp)
		}
		if base == 0 && index == 0 {
			return b.String()
		}
		b.WriteByte('(')
		if base != 0 {
			b.WriteString(r.reg(base))
		}
		if index != 0 {
			b.WriteString("," + r.reg(index))
			if scale != 1 {
				fmt.Fprintf(&b, ",%d", scale)
			}
		}
		return b.String() + ")"
	}
	var parts []string
	if base != 0 {
		parts = append(parts, r.reg(base))
	}
	if index != 0 && scale != 1 {
		parts = append(parts, fmt.Sprintf("%d*%s", scale, r.reg(index)))
	} else if index != 0 {
		parts = append(parts, r.reg(index))
	}
	s := strings.Join(parts, " + ")
	switch {
	case s == "":
		s = fmt.Sprint(disp)
	case disp > 0:
		s += fmt.Sprintf(" + %d", disp)
	case disp < 0:
		s += fmt.Sprintf(" - %d", -disp)
	}
	return b.String() + "[" + s + "]"
}

func (r renderer) placeholder(kind string, ops []mcOperand) string {
	imm := ops[0].imm
	dollar := "$"
	if r.intel {
		dollar = ""
	}
	switch kind {
	case "r":
		return r.reg(ops[0].reg)
	case "st":
		if r.in.RegName(ops[0].reg) == "ST0" {
			return strings.TrimSuffix(r.reg(ops[0].reg), "st") + "st(0)"
		}
		return r.reg(ops[0].reg)
	case "kp":
		return r.reg(r.in.SubRegs(ops[0].reg).At(0))
	case "i":
		return dollar + strconv.FormatInt(imm, 10)
	case "u8":
		return dollar + strconv.Itoa(int(uint8(imm)))
	case "u16":
		return dollar + strconv.Itoa(int(uint16(imm)))
	case "n", "pc":
		return strconv.FormatInt(imm, 10)
	case "m":
		return r.mem(ops)
	case "o":
		if r.intel {
			return "[" + strconv.FormatInt(imm, 10) + "]"
		}
		return strconv.FormatInt(imm, 10)
	case "s":
		if r.intel {
			return "[" + r.reg(ops[0].reg) + "]"
		}
		return "(" + r.reg(ops[0].reg) + ")"
	case "d":
		if r.intel {
			return "[" + r.reg(ops[0].reg) + "]"
		}
		return "%es:(" + r.reg(ops[0].reg) + ")"
	case "rc":
		return [4]string{"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}[imm&3]
	case "dfv":
		var set []string
		for i, f := range [4]string{"of", "sf", "zf", "cf"} {
			if imm>>(3-i)&1 != 0 {
				set = append(set, f)
			}
		}
		return "{dfv=" + strings.Join(set, ",") + "}"
	}
	if w, ok := desc.AsmPredicate(kind, imm); ok {
		return w
	}
	return "?"
}

// form chooses between the two forms of a template with a bar.
func (r renderer) form(tmpl string, ops []mcOperand) string {
	first, second, two := strings.Cut(tmpl, "|")
	if !two {
		return tmpl
	}
	_, ph, _ := strings.Cut(first, "<")
	ph, _, _ = strings.Cut(ph, ">")
	kind, n, _ := strings.Cut(ph, ":")
	i, _ := strconv.Atoi(n)
	if _, ok := desc.AsmPredicate(kind, ops[i].imm); ok {
		return first
	}
	return second
}

func (r renderer) render(tmpl string, ops []mcOperand) string {
	return expand(r.form(tmpl, ops), func(kind string, i int) string { return r.placeholder(kind, ops[i:]) })
}

// expand replaces the placeholders of a template.
func expand(tmpl string, f func(kind string, i int) string) string {
	var b strings.Builder
	for {
		text, rest, found := strings.Cut(tmpl, "<")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		ph, after, _ := strings.Cut(rest, ">")
		kind, n, _ := strings.Cut(ph, ":")
		i, _ := strconv.Atoi(n)
		b.WriteString(f(kind, i))
		tmpl = after
	}
}

// sampleOperands invents operands for an opcode's template.
func sampleOperands(in *desc.Info, op desc.Opcode, tmpl string) []mcOperand {
	ops := make([]mcOperand, len(in.Operands(op)))
	pick := func(i int) desc.PhysReg {
		c := in.OperandClass(op, i, in.DefaultMode)
		if c == desc.NoClass {
			return 0
		}
		m := in.ClassOrder(c)
		return m[(i*3+int(op))%min(len(m), 6)] // the first six need no new encoding
	}
	expand(tmpl, func(kind string, i int) string {
		switch kind {
		case "r", "st", "kp":
			ops[i].reg = pick(i)
		case "m":
			rbx, _ := in.RegByName("rbx")
			ops[i].reg, ops[i+1].imm, ops[i+2].reg, ops[i+3].imm = rbx, 4, pick(i+2), int64(op)%100
			if in.RegName(ops[i+2].reg) == "RSP" {
				ops[i+2].reg = 0
			}
		case "d", "s":
			ops[i].reg = pick(i)
		case "cc", "cct", "dfv", "rc":
			ops[i].imm = int64(op) & 3
		default:
			ops[i].imm = int64(op)%20 + 1
		}
		return ""
	})
	return ops
}

// parseShowInst yields the text, opcode number, opcode name and operands of each
// instruction that llvm-mc printed.
func parseShowInst(in *desc.Info, out string, f func(text string, num int, name string, ops []mcOperand)) {
	var text, name string
	var num int
	var ops []mcOperand
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\n")
		if before, after, ok := strings.Cut(line, "# <MCInst #"); ok {
			text = strings.TrimSpace(before)
			fields := strings.Fields(strings.TrimSuffix(after, ">"))
			num, _ = strconv.Atoi(fields[0])
			name, ops = fields[1], nil
			if strings.HasSuffix(after, ">") {
				f(text, num, name, ops)
			}
			continue
		}
		_, o, ok := strings.Cut(line, "<MCOperand ")
		if !ok {
			continue
		}
		last := strings.HasSuffix(o, ">>")
		kind, value, _ := strings.Cut(strings.TrimRight(o, ">"), ":")
		var x mcOperand
		switch kind {
		case "Reg":
			x.isReg = true
			if value != "" {
				x.reg, _ = in.RegByName(strings.ToLower(value))
			}
		case "Imm":
			x.imm, _ = strconv.ParseInt(value, 10, 64)
		}
		ops = append(ops, x)
		if last {
			f(text, num, name, ops)
		}
	}
}

// Every template is filled in, assembled by llvm-mc and printed again in both
// syntaxes; what the facts make of llvm-mc's operands must be what it printed.
func TestTemplatesAgainstLLVM(t *testing.T) {
	mc := testenv.LLVM(t, "llvm-mc")
	in := x86(t)
	var src bytes.Buffer
	att := renderer{in: in}
	for i := range in.NumInstrs() {
		op := desc.Opcode(i)
		if tmpl, ok := in.AsmTemplate(op, 0); ok {
			first, _, _ := strings.Cut(tmpl, "|")
			src.WriteString(att.render(first, sampleOperands(in, op, first)))
			src.WriteByte('\n')
		}
	}
	for variant, want := range [2]int{18000, 18000} {
		cmd := exec.Command(mc, "-triple=x86_64", "-mattr=+avx512f", "-show-inst", fmt.Sprintf("-output-asm-variant=%d", variant))
		cmd.Stdin = bytes.NewReader(src.Bytes())
		out, _ := cmd.Output() // it rejects what 64-bit mode lacks
		r := renderer{in: in, intel: variant == 1}
		seen := make(map[string]bool)
		bad := 0
		parseShowInst(in, string(out), func(text string, num int, name string, ops []mcOperand) {
			op, ok := in.OpcodeByName(name)
			if !ok || int(op) != num {
				t.Errorf("opcode %s: LLVM says %d, the facts %d", name, num, op)
				return
			}
			tmpl, ok := in.AsmTemplate(op, variant)
			if !ok {
				t.Errorf("%s: no template, LLVM prints %q", name, text)
				return
			}
			seen[name] = true
			if len(ops) < len(in.Operands(op)) {
				t.Errorf("%s: %d operands, want %d", name, len(ops), len(in.Operands(op)))
				return
			}
			// Prefixes that the source asked for are flags of the MC instruction.
			text = strings.TrimPrefix(strings.TrimPrefix(text, "lock\t\t"), "notrack\t\t")
			if got := strings.TrimPrefix(r.render(tmpl, ops), "lock\t\t"); got != text {
				if bad++; bad <= 20 {
					t.Errorf("%s: %q, LLVM prints %q (template %q)", name, got, text, tmpl)
				}
			}
		})
		if len(seen) < want {
			t.Errorf("variant %d: only %d opcodes seen, want %d", variant, len(seen), want)
		}
		t.Logf("variant %d: %d opcodes, %d differ", variant, len(seen), bad)
	}
}
