package mctargetdesc

import (
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// syntax is what the assembler knows of one variant: the writer's rows by their
// mnemonics, and each row, when a statement has its mnemonic, as a list of the
// operands that it wants.
type syntax struct {
	info    *desc.Info
	w       *desc.WriterTable
	variant int
	regs    map[string]desc.PhysReg
	met     wordTable

	mu    sync.Mutex
	rows  rowIndex
	forms map[string][]*form1 // by mnemonic, where there are any
}

// form1 is one row: what stands behind the mnemonic, in order.
type form1 struct {
	op    desc.Opcode
	ccOp  int // operand of the condition in the mnemonic, -1 none
	cc    int64
	elems []elem
	evex  bool
	vex   bool
	long  bool // a REX2 prefix can stand before it
	nf    bool // {nf}
	// Taken only where {vex} or {evex} asks for it.
	onlyVEX, onlyEVEX bool
	modes             uint8
	empty             []mc.Operand // operands that text does not say, see prepare
	ties              []tie
	width             uint8 // Intel: taken only in the mode of this width where no operand says a size, 0 any
}

type elemKind uint8

const (
	elemReg elemKind = iota
	elemFixed
	elemImm
	elemFixedImm
	elemMem
	elemOffset
	elemSrc
	elemDst
	elemPCRel
	elemWord // {sae}
	elemWords
)

// elem is one operand of a form.
type elem struct {
	kind   elemKind
	star   bool
	zero   bool // {z}
	high   bool // a vector of indices
	op     int  // first MC operand
	mask   int  // operand of {%k1}, -1 none
	class  desc.ClassID
	reg    desc.PhysReg
	size   int   // bits of memory in Intel syntax, 0 any
	lo, hi int64 // of immediates, where lo < hi
	width  uint8 // immediates may be of this width's unsigned range, too
	grows  bool  // of immediates with a width: there is an opcode for all of its bits
	bcast  string
	text   string
	style  *desc.WriterStyle
	pair   bool
	sti    bool
	rank   int // how special: forms with lower ranks come first
}

var sizeWords = map[string]int{"byte": 8, "word": 16, "dword": 32, "qword": 64, "fword": 48, "tbyte": 80, "xword": 80, "mmword": 64, "oword": 128, "xmmword": 128, "ymmword": 256, "zmmword": 512, "opaque": 0}

func newSyntax(info *desc.Info, variant int) *syntax {
	t, err := facts.MachineCodeX86()
	if err != nil {
		panic(err)
	}
	s := &syntax{info: info, w: t.Writer, variant: variant, forms: map[string][]*form1{}, regs: map[string]desc.PhysReg{}}
	for r := 1; r < len(info.Regs); r++ {
		n := s.w.RegNames[variant*int(s.w.NumRegs)+r].In(s.w.Names)
		n = strings.TrimPrefix(n, "%")
		if _, dup := s.regs[n]; !dup && n != "" {
			s.regs[n] = desc.PhysReg(r)
		}
	}
	for i := range 8 {
		s.regs["db"+strconv.Itoa(i)] = tab.DR0 + desc.PhysReg(i)
	}
	for i := range 8 {
		s.regs["db"+strconv.Itoa(8+i)] = tab.DR8 + desc.PhysReg(i)
	}
	s.regs["st"] = tab.ST0
	return s
}

// form makes the list of operands of a row.
func (s *syntax) form(h headOp) *form1 {
	d := s.info.Instr(h.op)
	ts := tsFlags(d.TSFlags)
	f := &form1{op: h.op, ccOp: -1, evex: ts.encoding() == encEVEX, vex: ts.encoding() == encVEX, long: ts.encoding() == encLegacy && ts.opMap() <= map0F && !noREX2(s.info.OpcodeName(h.op)), modes: modesOf(h.op, s.info)}
	f.nf, f.onlyVEX, f.onlyEVEX = isNF(s.info, h.op), f.vex && explicitVEX(s.info, h.op), explicitEVEX(s.info, h.op)
	if s.variant == Intel {
		f.width = stackWidth(s.info.OpcodeName(h.op))
	}
	head, part := s.w.Row(h.op, s.variant)
	// The row as a text in which a place is \x01 and the number of its part.
	var text []byte
	var places []*desc.WriterPart
	for k := 0; ; k++ {
		p := &s.w.Parts[int(part)+k]
		text = append(text, p.Text.In(s.w.Names)...)
		if p.Op >= 0 {
			if k == 0 && h.cc >= 0 {
				f.ccOp, f.cc = int(p.Op), int64(h.cc)
			} else {
				text = append(text, 1, byte(len(places)))
				places = append(places, p)
			}
		}
		if p.Last {
			break
		}
	}
	rest := string(text)
	if strings.HasPrefix(head.In(s.w.Names), "{") {
		rest = strings.TrimLeft(rest, "\t ")
	}
	for {
		k := strings.IndexByte(rest, '\t')
		if k < 0 {
			s.prepare(f)
			return f
		}
		// {dfv=…} stands between tabs.
		operands := rest[k+1:]
		if next := strings.IndexByte(operands, '\t'); next >= 0 {
			operands, rest = operands[:next], operands[next:]
		} else {
			rest = ""
		}
		for _, o := range strings.Split(operands, ", ") {
			if o = strings.TrimSpace(o); o != "" {
				f.elems = append(f.elems, s.elem(h.op, o, places))
			}
		}
	}
}

// noREX2 reports instructions that cannot name registers beyond 15.
func noREX2(name string) bool {
	return strings.HasPrefix(name, "XSAVE") || strings.HasPrefix(name, "XRSTOR")
}

// stackWidth is the mode in which Intel syntax means an opcode that is written without a size: of
// returns, pushes, pops, and jumps and calls through memory.
func stackWidth(name string) uint8 {
	if n, ok := strings.CutPrefix(name, "LRET"); ok && (n == "16" || n == "I16") {
		return 16 // a far return without a size is that of 32 bits in all other modes
	}
	for _, p := range [...]string{"RETI", "RET", "PUSH", "POP", "JMP", "CALL"} {
		rest, ok := strings.CutPrefix(name, p)
		if !ok || len(rest) < 2 {
			continue
		}
		switch n := rest[2:]; {
		case (p == "RET" || p == "RETI") && n != "", (p == "JMP" || p == "CALL") && n != "m":
			continue
		case (p == "PUSH" || p == "POP") && n != "i" && n != "i8" && n != "i32" && n != "rmm":
			continue
		}
		switch rest[:2] {
		case "16":
			return 16
		case "32":
			return 32
		case "64":
			return 64
		}
	}
	return 0
}

// elem takes the text of one operand apart.
func (s *syntax) elem(op desc.Opcode, t string, places []*desc.WriterPart) elem {
	e := elem{mask: -1, op: -1, rank: 50, class: desc.NoClass}
	if r, ok := strings.CutPrefix(t, "*"); ok {
		e.star, t = true, r
	}
	if s.variant == Intel {
		for {
			w, r, ok := strings.Cut(t, " ")
			if !ok || w == "" || w[0] == 1 || w[0] == '{' {
				break
			}
			if n, known := sizeWords[w]; known {
				e.size = n
			}
			t = r
		}
		t = strings.TrimPrefix(t, "es:")
	}
	// What stands in braces behind the operand.
	if k := strings.IndexByte(t, '{'); k > 0 {
		decor := t[k:]
		t = strings.TrimSpace(t[:k])
		for _, w := range strings.FieldsFunc(decor, func(r rune) bool { return r == '{' || r == '}' || r == ' ' }) {
			switch {
			case w == "z":
				e.zero = true
			case w[0] == 1:
				e.mask = int(places[w[1]].Op)
			default:
				e.bcast = w
			}
		}
	}
	if t == "" || t[0] != 1 {
		switch {
		case strings.HasPrefix(t, "{"):
			e.kind, e.text = elemWord, t
		case strings.HasPrefix(t, "$") || t != "" && t[0] >= '0' && t[0] <= '9':
			e.kind = elemFixedImm
			e.lo, _ = strconv.ParseInt(strings.TrimPrefix(t, "$"), 0, 64)
			e.rank = 5
		default:
			n := strings.Trim(strings.TrimPrefix(t, "%"), "()[]")
			e.kind, e.reg, e.rank = elemFixed, s.regs[strings.TrimPrefix(n, "%")], 1
		}
		return e
	}
	p := places[t[1]]
	e.op = int(p.Op)
	infos := s.info.Operands(op)
	class := func(k int) desc.ClassID {
		if k >= len(infos) {
			return desc.NoClass
		}
		return s.info.OperandClass(op, k, s.info.DefaultMode)
	}
	method := ""
	if p.Method != 0 {
		method = s.w.Methods[p.Method-1].In(s.w.Names)
	}
	switch method {
	case "":
		if p.Style != 0 {
			e.kind, e.style = elemWords, &s.w.Styles[p.Style-1]
			return e
		}
		e.kind, e.class = elemReg, class(e.op)
		e.rank = 10 + min(39, len(s.info.ClassMembers(e.class)))
	case "printSTiRegOperand":
		e.kind, e.class, e.sti, e.rank = elemReg, class(e.op), true, 18
	case "printVKPair":
		e.kind, e.class, e.pair = elemReg, class(e.op), true
	case "printMemReference":
		e.kind, e.class = elemMem, class(e.op+2)
		e.high = e.class != desc.NoClass && !s.info.ClassContains(e.class, tab.RCX) && !s.info.ClassContains(e.class, tab.ECX)
		if e.rank = 80; e.high {
			e.rank = 60 + len(s.info.ClassMembers(e.class))/8
		}
		if s.variant == Intel && strings.HasPrefix(s.info.OpcodeName(op), "FAR") {
			e.rank += 20 // these are written as the near ones, and take any size
		}
	case "printMemOffset":
		e.kind, e.rank = elemOffset, 70
	case "printSrcIdx":
		e.kind, e.class, e.rank = elemSrc, class(e.op), 55
	case "printDstIdx":
		e.kind, e.class, e.rank = elemDst, class(e.op), 55
	case "printPCRelImm":
		e.kind, e.rank = elemPCRel, 60
		if tsFlags(s.info.Instr(op).TSFlags).imm() == imm8PCRel {
			e.rank = 58
		}
	default:
		e.kind = elemImm
		e.rank = 60
		s.immediate(op, method, &e)
	}
	return e
}

// immediate says which immediates a form takes.
func (s *syntax) immediate(op desc.Opcode, method string, e *elem) {
	ts := tsFlags(s.info.Instr(op).TSFlags)
	name := s.info.OpcodeName(op)
	switch {
	case signedByte(ts):
		e.lo, e.hi, e.rank = -128, 127, 52
		switch {
		case strings.Contains(name, "64"):
			e.width = 64
		case strings.Contains(name, "32"):
			e.width = 32
		default:
			e.width = 16
		}
		e.grows = longImm(s.info, op) != 0
	case method == "printU8Imm":
		e.lo, e.hi = -128, 255
	case ts.imm() == imm32S:
		e.lo, e.hi, e.rank = -1<<31, 1<<31-1, 54
	}
}
