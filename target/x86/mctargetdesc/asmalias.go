package mctargetdesc

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// attAliases are other names of mnemonics in AT&T syntax; a second and third name are those of
// 32-bit and 16-bit mode.
var attAliases = map[string][3]string{
	"call": {"callq", "calll", "callw"}, "ret": {"retq", "retl", "retw"}, "retn": {"retq", "retl", "retw"}, "xstore": {"xstorerng"}, "push": {"pushq", "pushl", "pushw"}, "pop": {"popq", "popl", "popw"},
	"pushf": {"pushfq", "pushfl", "pushfw"}, "popf": {"popfq", "popfl", "popfw"}, "lret": {"lretl", "lretl", "lretw"},
	"iret": {"iretl", "iretl", "iretw"}, "pusha": {"pushal", "pushal", "pushaw"}, "popa": {"popal", "popal", "popaw"},
	"lgdt": {"lgdtq", "lgdtl", "lgdtw"}, "lidt": {"lidtq", "lidtl", "lidtw"}, "sgdt": {"sgdtq", "sgdtl", "sgdtw"}, "sidt": {"sidtq", "sidtl", "sidtw"},
	"popfd": {"popfl"}, "pushfd": {"pushfl"}, "pushad": {"pushal"}, "popad": {"popal"}, "iretd": {"iretl"},
	"cbw": {"cbtw"}, "cwde": {"cwtl"}, "cwd": {"cwtd"}, "cdq": {"cltd"}, "cdqe": {"cltq"}, "cqo": {"cqto"},
	"leavel": {"leave"}, "leaveq": {"leave"}, "loopz": {"loope"}, "loopnz": {"loopne"}, "lretd": {"lretl"}, "retf": {"lretl"},
	"sal": {"shl"}, "salb": {"shlb"}, "salw": {"shlw"}, "sall": {"shll"}, "salq": {"shlq"},
	"smovb": {"movsb"}, "smovw": {"movsw"}, "smovl": {"movsl"}, "smovq": {"movsq"},
	"ud2a": {"ud2"}, "ud2b": {"ud1l"}, "ud1": {"ud1l"}, "verrw": {"verr"}, "verww": {"verw"}, "sysret": {"sysretl"}, "sysexit": {"sysexitl"},
	"fcmovz": {"fcmove"}, "fcmova": {"fcmovnbe"}, "fcmovnae": {"fcmovb"}, "fcmovna": {"fcmovbe"}, "fcmovae": {"fcmovnb"}, "fcmovnz": {"fcmovne"},
	"fcomip": {"fcompi"}, "fucomip": {"fucompi"}, "fildq": {"fildll"}, "fistpq": {"fistpll"}, "fisttpq": {"fisttpll"}, "fldcww": {"fldcw"},
	"fnstcww": {"fnstcw"}, "fnstsww": {"fnstsw"}, "fwait": {"wait"}, "fxsaveq": {"fxsave64"}, "fxrstorq": {"fxrstor64"},
	"xsaveq": {"xsave64"}, "xrstorq": {"xrstor64"}, "xsaveoptq": {"xsaveopt64"}, "xsavecq": {"xsavec64"}, "xsavesq": {"xsaves64"}, "xrstorsq": {"xrstors64"},
	"movabsq": {"movabsq"}, "jcxz": {"jcxz"}, "sldtl": {"sldtl"}, "ffreep": {"ffreep"}, "int1": {"int1"}, "icebp": {"int1"},
	"cmovzb": {"cmoveb"}, "xlatb": {"xlatb"}, "xlat": {"xlatb"}, "invlpga": {"invlpga"}, "movmskpd": {"movmskpd"}, "vmovmskpd": {"vmovmskpd"},
	"lcall": {"lcalll", "lcalll", "lcallw"}, "ljmp": {"ljmpl", "ljmpl", "ljmpw"},
	"rmpquery": {"rmpquery"}, "clac": {"clac"},
}

var intelAliases = map[string][3]string{
	"loopz": {"loope"}, "loopnz": {"loopne"}, "sal": {"shl"}, "ud2a": {"ud2"}, "ud2b": {"ud1"}, "fwait": {"wait"}, "pushf": {"pushfq", "pushfd", "pushf"}, "popf": {"popfq", "popfd", "popf"},
	"fcmovz": {"fcmove"}, "fcmova": {"fcmovnbe"}, "fcmovnae": {"fcmovb"}, "fcmovna": {"fcmovbe"}, "fcmovae": {"fcmovnb"}, "fcmovnz": {"fcmovne"},
	"fcomip": {"fcompi"}, "fucomip": {"fucompi"}, "ret": {"ret"}, "retn": {"ret"}, "retw": {"ret"}, "xlat": {"xlatb"}, "icebp": {"int1"},
	"pusha": {"pushaw", "pushal", "pushaw"}, "popa": {"popaw", "popal", "popaw"}, "pushad": {"pushal"}, "popad": {"popal"}, "xstore": {"xstorerng"}, "iret": {"iretd", "iretd", "iret"},
}

// conditions are other names of conditions.
var conditions = map[string]string{
	"c": "b", "nae": "b", "nb": "ae", "nc": "ae", "z": "e", "nz": "ne", "na": "be", "nbe": "a", "pe": "p", "po": "np", "nge": "l", "nl": "ge", "ng": "le", "nle": "g",
}

// conditional gives a mnemonic with a condition by its other name the common one.
func (x *parsing) conditional(m string) string {
	for _, prefix := range [...]string{"cfcmov", "cmov", "setzu", "set", "ccmp", "ctest", "j"} {
		rest, ok := strings.CutPrefix(m, prefix)
		if !ok {
			continue
		}
		for n := 0; n < 2 && n < len(rest); n++ { // with a suffix, or without one
			cc, suffix := rest[:len(rest)-n], rest[len(rest)-n:]
			if n == 1 && !strings.Contains("bwlq", suffix) {
				continue
			}
			if to, ok := conditions[cc]; ok {
				return prefix + to + suffix
			}
		}
	}
	if to, ok := strings.CutSuffix(m, "b"); ok && strings.HasPrefix(m, "set") && !x.intel && len(x.s.word(to).forms) > 0 {
		return to
	}
	if rest, ok := strings.CutPrefix(m, "cmp"); ok && (strings.HasSuffix(rest, "xadd")) {
		if to, ok := conditions[strings.TrimSuffix(rest, "xadd")]; ok {
			return "cmp" + to + "xadd"
		}
	}
	return m
}

// predicates are the names of predicates of comparisons, with their other names.
var predicates = map[string]int64{
	"eq": 0, "lt": 1, "le": 2, "unord": 3, "neq": 4, "nlt": 5, "nle": 6, "ord": 7, "eq_uq": 8, "nge": 9, "ngt": 10, "false": 11, "neq_oq": 12, "ge": 13, "gt": 14, "true": 15,
	"eq_os": 16, "lt_oq": 17, "le_oq": 18, "unord_s": 19, "neq_us": 20, "nlt_uq": 21, "nle_uq": 22, "ord_s": 23, "eq_us": 24, "nge_uq": 25, "ngt_uq": 26, "false_os": 27,
	"neq_os": 28, "ge_oq": 29, "gt_oq": 30, "true_us": 31,
	"eq_oq": 0, "lt_os": 1, "le_os": 2, "unord_q": 3, "neq_uq": 4, "nlt_us": 5, "nle_us": 6, "ord_q": 7, "nge_us": 9, "ngt_us": 10, "false_oq": 11, "ge_os": 13, "gt_os": 14, "true_uq": 15,
}

var intPredicates = map[string]int64{"eq": 0, "lt": 1, "le": 2, "neq": 4, "nlt": 5, "nle": 6}
var xopPredicates = map[string]int64{"lt": 0, "le": 1, "gt": 2, "ge": 3, "eq": 4, "neq": 5, "false": 6, "true": 7}

// comparison takes the predicate out of a mnemonic and makes it an immediate.
func (x *parsing) comparison(m string) string {
	try := func(prefix string, suffixes []string, names map[string]int64, limit int64) (string, bool) {
		rest, ok := strings.CutPrefix(m, prefix)
		if !ok {
			return "", false
		}
		for _, z := range suffixes {
			p, ok := strings.CutSuffix(rest, z)
			if v, known := names[p]; ok && known && v < limit {
				o := asmOperand{kind: opImm, v: v}
				if x.intel {
					x.ops = append(x.ops, o)
				} else {
					x.ops = append([]asmOperand{o}, x.ops...)
				}
				return prefix + z, true
			}
		}
		return "", false
	}
	floats := []string{"ps", "pd", "ss", "sd", "ph", "sh", "bf16"}
	ints := []string{"ub", "uw", "ud", "uq", "b", "w", "d", "q"}
	for _, f := range [...]func() (string, bool){
		func() (string, bool) { return try("cmp", floats, predicates, 8) },
		func() (string, bool) { return try("vcmp", floats, predicates, 32) },
		func() (string, bool) { return try("vpcmp", ints, intPredicates, 8) },
		func() (string, bool) { return try("vpcom", ints, xopPredicates, 8) },
	} {
		if to, ok := f(); ok {
			return to
		}
	}
	return m
}

// sizeLetter is AT&T's letter of a general register.
func (x *parsing) sizeLetter(r desc.PhysReg) string {
	switch {
	case x.info.ClassContains(tab.GR8RegClassID, r):
		return "b"
	case x.info.ClassContains(tab.GR16RegClassID, r):
		return "w"
	case x.info.ClassContains(tab.GR32RegClassID, r):
		return "l"
	case x.info.ClassContains(tab.GR64RegClassID, r):
		return "q"
	}
	return ""
}

// waits are instructions behind a WAIT.
var waits = map[string]string{"finit": "fninit", "fsave": "fnsave", "fstcw": "fnstcw", "fstcww": "fnstcw", "fstenv": "fnstenv", "fstsw": "fnstsw", "fstsww": "fnstsw", "fclex": "fnclex"}

func (x *parsing) modeIndex() int {
	switch x.mode {
	case mode64:
		return 0
	case mode32:
		return 1
	}
	return 2
}

func immOp(v int64) asmOperand                { return asmOperand{kind: opImm, v: v} }
func regOp(r desc.PhysReg) asmOperand         { return asmOperand{kind: opReg, reg: r} }
func isReg(o asmOperand, r desc.PhysReg) bool { return o.kind == opReg && o.reg == r }

// renamed reports mnemonics that rename may change, or their operands, other than for a first operand with a star or an
// immediate of more than 32 bits.
func renamed(m string) bool {
	if m == "jmp" || attAliases[m] != [3]string{} || intelAliases[m] != [3]string{} || waits[m] != "" || m[0] == 'f' || spellingOf(m) != asRows {
		return true
	}
	short := m
	if strings.IndexByte("bwlqds", m[len(m)-1]) >= 0 {
		short = m[:len(m)-1]
	}
	for _, b := range [...]string{m, short} {
		switch b {
		case "imul", "div", "idiv", "test", "xchg", "aad", "aam", "in", "out", "shld", "shrd", "clr", // rename
			"movs", "cmps", "lods", "stos", "scas", "ins", "outs": // strings
			return true
		}
	}
	switch m { // attForms
	case "mov", "movw", "movsd", "movabs", "movsx", "movzx", "movz", "movsb", "movzb", "movsw", "movzw", "movsl", "movzl", "movd", "vmovd", "bt", "btr", "bts", "btc",
		"sldt", "str", "smsw", "lar", "lsl":
		return true
	}
	return strings.Contains(m, "cvtsi2s") || strings.Contains(m, "cvtusi2s")
}

// rename brings a mnemonic and its operands into the form that a row has.
func (x *parsing) rename(m string, start int) (string, error) {
	if to, ok := waits[m]; ok {
		if err := x.p.Emit(&mc.Inst{Op: tab.WAIT}); err != nil {
			return m, err
		}
		m = to
	}
	aliases := attAliases
	if x.intel {
		aliases = intelAliases
	}
	if len(x.s.word(m).forms) == 0 {
		m = x.conditional(m)
	}
	if len(x.s.word(m).forms) == 0 {
		m = x.comparison(m)
	}
	// Direct and indirect transfers of the mode's width.
	if !x.intel && (m == "jmp") && len(x.ops) == 1 && x.ops[0].star {
		m = [3]string{"jmpq", "jmpl", "jmpw"}[x.modeIndex()]
		if r := x.ops[0]; r.kind == opReg {
			m = "jmp" + x.sizeLetter(r.reg)
		}
	}
	if (m == "call" || m == "jmp") && !x.intel && len(x.ops) == 2 && x.ops[0].kind == opImm && x.ops[1].kind == opImm {
		m = "l" + m // far
	}
	if to, ok := aliases[m]; ok && !(m == "call" && len(x.ops) == 1 && x.ops[0].kind == opReg) {
		k := x.modeIndex()
		if to[k] == "" {
			k = 0
		}
		if m = to[k]; !x.intel && (m == "pushq" || m == "pushl" || m == "pushw" || m == "popq" || m == "popl" || m == "popw") && len(x.ops) == 1 && x.ops[0].kind == opReg {
			if z := x.sizeLetter(x.ops[0].reg); z != "" {
				m = m[:len(m)-1] + z
			}
		}
	}
	m, modes := x.respell(m)
	if modes != 0 {
		return m, errAt(start, start, "instruction requires: "+needs(modes))
	}
	n := len(x.ops)
	swap := func() { x.ops[0], x.ops[1] = x.ops[1], x.ops[0] }
	base := m
	if !x.intel && len(m) > 1 && strings.ContainsRune("bwlq", rune(m[len(m)-1])) {
		base = m[:len(m)-1]
	}
	last := func(k int) *asmOperand { // k-th operand in Intel's order
		if x.intel {
			return &x.ops[k]
		}
		return &x.ops[n-1-k]
	}
	switch {
	case n == 2 && (base == "imul" || m == "imul") && last(0).kind == opReg && last(1).kind == opImm:
		if x.intel {
			x.ops = []asmOperand{x.ops[0], x.ops[0], x.ops[1]}
		} else {
			x.ops = []asmOperand{x.ops[0], x.ops[1], x.ops[1]}
		}
	case n == 2 && (base == "div" || base == "idiv") && !x.intel && x.ops[1].kind == opReg && (x.ops[1].reg == tab.AL || x.ops[1].reg == tab.AX || x.ops[1].reg == tab.EAX || x.ops[1].reg == tab.RAX):
		x.ops = x.ops[:1]
	case n == 2 && (base == "test" || m == "test" || base == "xchg" || m == "xchg") && last(0).kind == opReg && last(1).kind == opMem:
		swap()
	case n == 0 && (m == "aad" || m == "aam"):
		x.ops = append(x.ops, immOp(10))
	case m == "fnstsw" && n == 0:
		x.ops = append(x.ops[:0], regOp(tab.AX))
	case (m == "in" || m == "inb" || m == "inw" || m == "inl") && n == 1 && !x.intel && x.ops[0].kind != opMem:
		r := map[string]desc.PhysReg{"inb": tab.AL, "inw": tab.AX, "inl": tab.EAX}[m]
		if r != 0 {
			x.ops = append(x.ops, regOp(r))
		}
	case (m == "outb" || m == "outw" || m == "outl") && n == 1 && !x.intel && x.ops[0].kind != opMem:
		r := map[string]desc.PhysReg{"outb": tab.AL, "outw": tab.AX, "outl": tab.EAX}[m]
		x.ops = append([]asmOperand{regOp(r)}, x.ops...)
	case (base == "shld" || base == "shrd" || m == "shld" || m == "shrd") && n == 2:
		if x.intel {
			x.ops = append(x.ops, regOp(tab.CL))
		} else {
			x.ops = append([]asmOperand{regOp(tab.CL)}, x.ops...)
		}
	case m == "clr" || base == "clr" && n == 1 && !x.intel:
		m = "xor" + m[3:]
		x.ops = append(x.ops, x.ops[0])
	}
	x.stackForms(m)
	x.strings(m)
	return x.attForms(m), nil
}

// stackForms completes x87 instructions without operands.
func (x *parsing) stackForms(m string) {
	n := len(x.ops)
	st := regOp(tab.ST0)
	switch m {
	case "fadd", "fmul", "fsub", "fsubr", "fdiv", "fdivr":
		if n == 1 && x.ops[0].kind == opReg {
			if x.intel {
				x.ops = []asmOperand{st, x.ops[0]}
			} else {
				x.ops = []asmOperand{x.ops[0], st}
			}
		} else if n == 0 {
			x.popped(m)
		}
	case "faddp", "fmulp", "fsubp", "fsubrp", "fdivp", "fdivrp":
		switch {
		case n == 0:
			x.ops = []asmOperand{regOp(tab.ST1)}
			n = 1
			fallthrough
		case n == 1 && x.ops[0].kind == opReg:
			if x.intel {
				x.ops = []asmOperand{x.ops[0], st}
			} else {
				x.ops = []asmOperand{st, x.ops[0]}
			}
		case n == 2 && !x.intel && isReg(x.ops[1], tab.ST0):
			x.ops[0], x.ops[1] = x.ops[1], x.ops[0]
		}
	case "fcom", "fcomp", "fucom", "fucomp", "fxch", "fcomi", "fcompi", "fucomi", "fucompi":
		if n == 0 {
			x.ops = []asmOperand{regOp(tab.ST1)}
		}
		if fs := x.s.candidates(m); len(fs) > 0 && len(x.ops) == 1 && x.ops[0].kind == opReg && len(fs[0].elems) == 2 {
			if x.intel {
				x.ops = []asmOperand{st, x.ops[0]}
			} else {
				x.ops = []asmOperand{x.ops[0], st}
			}
		} else if len(x.ops) == 2 && len(fs) > 0 && len(fs[0].elems) == 1 {
			if isReg(x.ops[0], tab.ST0) {
				x.ops = x.ops[1:]
			} else {
				x.ops = x.ops[:1]
			}
		}
	}
}

func (x *parsing) popped(string) {
	if x.intel {
		x.ops = []asmOperand{regOp(tab.ST1), regOp(tab.ST0)}
	} else {
		x.ops = []asmOperand{regOp(tab.ST0), regOp(tab.ST1)}
	}
}

// strings gives string instructions without operands those that they have.
func (x *parsing) strings(m string) {
	if len(x.ops) != 0 {
		if len(x.ops) == 1 && !x.intel && len(m) >= 4 {
			x.stringsOne(m)
		}
		return
	}
	mode := x.modeIndex()
	if x.data32 {
		mode = 2 // it does not change addresses
	}
	si := asmOperand{kind: opMem, base: [3]desc.PhysReg{tab.RSI, tab.ESI, tab.SI}[mode], scale: 1}
	di := asmOperand{kind: opMem, base: [3]desc.PhysReg{tab.RDI, tab.EDI, tab.DI}[mode], scale: 1}
	accumulators := map[byte]desc.PhysReg{'b': tab.AL, 'w': tab.AX, 'l': tab.EAX, 'd': tab.EAX, 'q': tab.RAX}
	if len(m) < 4 {
		return
	}
	if m == "movsd" && !x.intel {
		m = "movsl"
	}
	z := m[len(m)-1]
	acc := accumulators[z]
	set := func(att ...asmOperand) {
		if x.intel {
			for i, j := 0, len(att)-1; i < j; i, j = i+1, j-1 {
				att[i], att[j] = att[j], att[i]
			}
		}
		x.ops = att
	}
	body := m
	if z != 's' {
		body = m[:len(m)-1]
	}
	switch body {
	case "movs":
		set(si, di)
	case "cmps":
		set(di, si)
	case "lods", "stos", "scas":
		if acc == 0 {
			switch body {
			case "lods":
				set(si)
			default:
				set(di)
			}
			return
		}
		switch body {
		case "lods":
			set(si, regOp(acc))
		case "stos":
			set(regOp(acc), di)
		case "scas":
			set(di, regOp(acc))
		}
	case "ins":
		set(regOp(tab.DX), di)
	case "outs":
		set(si, regOp(tab.DX))
	}
}

func (x *parsing) stringsOne(m string) {
	acc := map[byte]desc.PhysReg{'b': tab.AL, 'w': tab.AX, 'l': tab.EAX, 'q': tab.RAX}[m[len(m)-1]]
	if acc == 0 || x.ops[0].kind != opMem {
		return
	}
	switch m[:len(m)-1] {
	case "lods", "scas":
		x.ops = append(x.ops, regOp(acc))
	case "stos":
		x.ops = append([]asmOperand{regOp(acc)}, x.ops...)
	}
}

// attForms are further forms: extensions whose source says the size, and mnemonics
// that mean another one with these operands.
func (x *parsing) attForms(m string) string {
	n := len(x.ops)
	if x.intel {
		switch {
		case m == "movabs" || m != "mov":
		case n == 2 && x.ops[1].kind == opImm && x.ops[1].x == 0 && x.ops[0].kind == opReg && x.info.ClassContains(tab.GR64RegClassID, x.ops[0].reg) &&
			x.ops[1].v != int64(int32(x.ops[1].v)):
			return "movabs"
		}
		return m
	}
	switch m {
	case "movsd":
		if n == 2 && x.ops[0].kind == opMem && x.ops[1].kind == opMem && isSI(x.ops[0].base) && isDI(x.ops[1].base) {
			return "movsl"
		}
	case "movsx", "movzx", "movs", "movz":
		if n == 2 && x.ops[1].kind == opReg && x.ops[0].kind == opReg {
			from, to := x.sizeLetter(x.ops[0].reg), x.sizeLetter(x.ops[1].reg)
			if from != "" && to != "" {
				return m[:4] + from + to
			}
		} else if n == 2 && x.ops[1].kind == opReg && x.ops[0].kind == opMem && (m == "movsx" || m == "movzx") {
			return m[:4] + "b" + x.sizeLetter(x.ops[1].reg)
		}
	case "movsb", "movzb", "movsw", "movzw", "movsl", "movzl":
		if n == 2 && x.ops[1].kind == opReg {
			if z := x.sizeLetter(x.ops[1].reg); z != "" {
				return m + z
			}
		}
	case "movabs":
		if n == 2 {
			for _, o := range x.ops {
				if o.kind == opReg {
					return m + x.sizeLetter(o.reg)
				}
			}
		}
	case "movw":
		return x.toSegment(m)
	case "movq", "mov":
		if n == 2 && x.ops[0].kind == opImm && x.ops[0].x == 0 && x.ops[1].kind == opReg && x.info.ClassContains(tab.GR64RegClassID, x.ops[1].reg) &&
			x.ops[0].v != int64(int32(x.ops[0].v)) {
			return "movabsq"
		}
		return x.toSegment(m)
	case "movd", "vmovd":
		for _, o := range x.ops {
			if o.kind == opReg && x.info.ClassContains(tab.GR64RegClassID, o.reg) {
				return m[:len(m)-1] + "q"
			}
		}
	case "cvtsi2ss", "cvtsi2sd", "vcvtsi2ss", "vcvtsi2sd", "vcvtusi2ss", "vcvtusi2sd", "vcvtsi2sh", "vcvtusi2sh":
		if n > 0 && x.ops[0].kind == opMem {
			return m + "l"
		}
	case "cvtsi2ssl", "cvtsi2sdl", "vcvtsi2ssl", "vcvtsi2sdl", "vcvtusi2ssl", "vcvtusi2sdl", "vcvtsi2shl", "vcvtusi2shl",
		"cvtsi2ssq", "cvtsi2sdq", "vcvtsi2ssq", "vcvtsi2sdq", "vcvtusi2ssq", "vcvtusi2sdq", "vcvtsi2shq", "vcvtusi2shq":
		// Registers say the size; a suffix may only repeat it.
		if n > 0 && x.ops[0].kind == opReg && x.sizeLetter(x.ops[0].reg) == m[len(m)-1:] {
			return m[:len(m)-1]
		}
	case "bt", "btr", "bts", "btc":
		if n == 2 && x.ops[0].kind == opImm && x.ops[1].kind == opMem {
			return m + "l"
		}
	case "sldt", "str", "smsw", "lar", "lsl":
		if n == 1 && x.ops[0].kind == opMem {
			return m + "w"
		}
	}
	return m
}

// toSegment moves 32 bits into a segment register, which needs no prefix: the upper half is ignored.
func (x *parsing) toSegment(m string) string {
	if len(x.ops) != 2 || x.ops[1].kind != opReg || !x.info.ClassContains(tab.SEGMENT_REGRegClassID, x.ops[1].reg) || x.sizeLetter(x.ops[0].reg) != "w" {
		return m
	}
	for _, r := range x.info.ClassMembers(tab.GR32RegClassID) {
		if slices.Contains(slices.Collect(x.info.SubRegs(r).All()), x.ops[0].reg) {
			x.ops[0].reg = r
		}
	}
	return "movl"
}
