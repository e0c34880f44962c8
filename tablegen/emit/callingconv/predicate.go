package callingconv

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// predicate writes the words of a CCIf's condition: an expression of !, && and
// || over questions. A question is one of the names in desc.CCFlagNames,
// isVarArg, cc(NAME), feature(NAME), addrspace(N), a name that the target
// declares as CCPredicate, or LLVM's C++ for one of these.
func (g *generator) predicate(s string) {
	p := &predParser{g: g, s: s}
	p.or()
	p.space()
	if !p.failed && p.i < len(p.s) {
		p.fail("'" + p.s[p.i:] + "' is too much in predicate '" + s + "'")
	}
}

type predParser struct {
	g      *generator
	s      string
	i      int
	depth  int
	failed bool
}

func (p *predParser) fail(msg string) {
	if !p.failed {
		p.failed = true
		p.g.errorf(msg)
	}
}

func (p *predParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.i]) >= 0 {
		p.i++
	}
}

func (p *predParser) eat(tok string) bool {
	p.space()
	if strings.HasPrefix(p.s[p.i:], tok) {
		p.i += len(tok)
		return true
	}
	return false
}

func (p *predParser) or() {
	p.and()
	for p.eat("||") {
		p.and()
		p.g.emit(uint16(desc.CCPredOr))
	}
}

func (p *predParser) and() {
	p.not()
	for p.eat("&&") {
		p.not()
		p.g.emit(uint16(desc.CCPredAnd))
	}
}

func (p *predParser) not() {
	if p.depth++; p.depth > maxNesting {
		p.fail("predicate '" + p.s + "' is nested too deep")
	}
	defer func() { p.depth-- }()
	switch {
	case p.failed:
	case p.eat("!"):
		p.not()
		p.g.emit(uint16(desc.CCPredNot))
	case p.eat("("):
		p.or()
		if !p.eat(")") {
			p.fail("')' is missing in predicate '" + p.s + "'")
		}
	default:
		p.question(p.atom())
	}
}

// atom reads up to an operator or parenthesis that is not its own, without spaces.
func (p *predParser) atom() string {
	p.space()
	var b []byte
	depth := 0
	for ; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		rest := p.s[p.i:]
		if depth == 0 && (c == ')' || strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||")) {
			break
		}
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if strings.IndexByte(" \t\r\n", c) < 0 {
			b = append(b, c)
		}
	}
	return string(b)
}

// question writes one question.
func (p *predParser) question(q string) {
	g := p.g
	if n, ok := g.preds[q]; ok {
		g.emit(uint16(desc.CCPredFunc) | uint16(n))
		return
	}
	if a, b, ok := strings.Cut(q, "=="); ok {
		if v, ok := llvmEquals(a, b); ok {
			p.question(v)
			return
		}
	}
	if a, b, ok := strings.Cut(q, "!="); ok {
		if v, ok := llvmEquals(a, b); ok {
			p.question(v)
			g.emit(uint16(desc.CCPredNot))
			return
		}
	}
	if name, arg, ok := strings.Cut(q, "("); ok && strings.HasSuffix(arg, ")") && isWord(name) {
		p.withArgument(q, name, strings.TrimSuffix(arg, ")"))
		return
	}
	name := llvmName(q)
	switch n, declared := g.preds[name]; {
	case name == "isVarArg":
		g.emit(uint16(desc.CCPredVarArg))
	case declared:
		g.emit(uint16(desc.CCPredFunc) | uint16(n))
	case slices.Contains(desc.CCFlagNames[:], name):
		g.emit(uint16(desc.CCPredFlag) | uint16(slices.Index(desc.CCFlagNames[:], name)))
	case q == "":
		p.fail("a question is missing in predicate '" + p.s + "'")
	default:
		p.fail("unknown predicate '" + q + "': it is neither one of Mirin's own nor declared as a CCPredicate")
	}
}

func (p *predParser) withArgument(q, name, arg string) {
	g := p.g
	switch name {
	case "cc":
		n, ok := conventionNumber(arg)
		if !ok {
			p.fail("unknown calling convention '" + arg + "'")
			return
		}
		g.emit(uint16(desc.CCPredConv) | uint16(n))
	case "feature":
		for i := range g.facts.Features {
			if f := &g.facts.Features[i]; g.facts.Str(f.Name) == arg {
				g.emit(uint16(desc.CCPredFeature), f.Bit)
				return
			}
		}
		p.fail("'" + arg + "' is no feature of " + g.facts.Target)
	case "addrspace":
		n, err := strconv.ParseUint(arg, 0, 16)
		if err != nil {
			p.fail("'" + arg + "' is no address space")
			return
		}
		g.emit(uint16(desc.CCPredSpace), uint16(n))
	default:
		p.fail("unknown predicate '" + q + "': it is neither one of Mirin's own nor declared as a CCPredicate")
	}
}

func isWord(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return s != ""
}

// llvmEquals understands the comparisons that LLVM's own classes write.
func llvmEquals(a, b string) (string, bool) {
	switch a {
	case "State.getCallingConv()", "CallingConv":
		return "cc(" + b + ")", true
	case "ArgFlags.getPointerAddrSpace()":
		return "addrspace(" + b + ")", true
	}
	return "", false
}

// llvmName is the question that a C++ expression asks: the last method of a
// chain. State and ArgFlags both have an isVarArg.
func llvmName(q string) string {
	if q == "ArgFlags.isVarArg()" {
		return "isArgVarArg"
	}
	if !strings.HasSuffix(q, "()") {
		return q
	}
	q = strings.TrimSuffix(q, "()")
	if i := max(strings.LastIndex(q, "."), strings.LastIndex(q, ">")); i >= 0 {
		return q[i+1:]
	}
	return q
}

// conventionNumber is LLVM's number of a convention; the name is that of the
// C++ enumeration, or the number itself.
func conventionNumber(name string) (int, bool) {
	name = strings.TrimPrefix(name, "CallingConv::")
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < 256 {
		return n, true
	}
	for _, c := range conventions {
		if c.name == name {
			return c.n, true
		}
	}
	return 0, false
}

// conventions are the names of LLVM's enumeration CallingConv and their numbers.
var conventions = [...]struct {
	name string
	n    int
}{
	{"C", 0}, {"Fast", 8}, {"Cold", 9}, {"GHC", 10}, {"HiPE", 11}, {"AnyReg", 13}, {"PreserveMost", 14},
	{"PreserveAll", 15}, {"Swift", 16}, {"CXX_FAST_TLS", 17}, {"Tail", 18}, {"CFGuard_Check", 19},
	{"SwiftTail", 20}, {"PreserveNone", 21}, {"FirstTargetCC", 64}, {"X86_StdCall", 64}, {"X86_FastCall", 65},
	{"ARM_APCS", 66}, {"ARM_AAPCS", 67}, {"ARM_AAPCS_VFP", 68}, {"MSP430_INTR", 69}, {"X86_ThisCall", 70},
	{"PTX_Kernel", 71}, {"PTX_Device", 72}, {"SPIR_FUNC", 75}, {"SPIR_KERNEL", 76}, {"Intel_OCL_BI", 77},
	{"X86_64_SysV", 78}, {"Win64", 79}, {"X86_VectorCall", 80}, {"DUMMY_HHVM", 81}, {"DUMMY_HHVM_C", 82},
	{"X86_INTR", 83}, {"AVR_INTR", 84}, {"AVR_SIGNAL", 85}, {"AVR_BUILTIN", 86}, {"AMDGPU_VS", 87},
	{"AMDGPU_GS", 88}, {"AMDGPU_PS", 89}, {"AMDGPU_CS", 90}, {"AMDGPU_KERNEL", 91}, {"X86_RegCall", 92},
	{"AMDGPU_HS", 93}, {"MSP430_BUILTIN", 94}, {"AMDGPU_LS", 95}, {"AMDGPU_ES", 96}, {"AArch64_VectorCall", 97},
	{"AArch64_SVE_VectorCall", 98}, {"WASM_EmscriptenInvoke", 99}, {"AMDGPU_Gfx", 100}, {"M68k_INTR", 101},
	{"AArch64_SME_ABI_Support_Routines_PreserveMost_From_X0", 102},
	{"AArch64_SME_ABI_Support_Routines_PreserveMost_From_X2", 103}, {"AMDGPU_CS_Chain", 104},
	{"AMDGPU_CS_ChainPreserve", 105}, {"M68k_RTD", 106}, {"GRAAL", 107}, {"ARM64EC_Thunk_X64", 108},
	{"ARM64EC_Thunk_Native", 109}, {"RISCV_VectorCall", 110},
	{"AArch64_SME_ABI_Support_Routines_PreserveMost_From_X1", 111}, {"RISCV_VLSCall_32", 112},
	{"RISCV_VLSCall_64", 113}, {"RISCV_VLSCall_128", 114}, {"RISCV_VLSCall_256", 115}, {"RISCV_VLSCall_512", 116},
	{"RISCV_VLSCall_1024", 117}, {"RISCV_VLSCall_2048", 118}, {"RISCV_VLSCall_4096", 119},
	{"RISCV_VLSCall_8192", 120}, {"RISCV_VLSCall_16384", 121}, {"RISCV_VLSCall_32768", 122},
	{"RISCV_VLSCall_65536", 123}, {"AMDGPU_Gfx_WholeWave", 124}, {"CHERIoT_CompartmentCall", 125},
	{"CHERIoT_CompartmentCallee", 126}, {"CHERIoT_LibraryCall", 127},
}
