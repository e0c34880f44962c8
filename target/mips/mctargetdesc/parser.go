package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
)

// parser is what the readers of all texts of a target share.
type parser struct {
	info   *desc.Info
	target *mctarget.Target
	abi    string // o32, n32 or n64
	pic    bool
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	return (&parser{info: t.Info, target: t, abi: abiOf(t), pic: t.PIC}).Session(), nil
}

// abiOf is the binary interface that is asked for, or that of the triple.
func abiOf(t *mctarget.Target) string {
	switch {
	case t.ABI != "":
		return t.ABI
	case t.Triple.IsABIN32():
		return "n32"
	case t.Triple.IsMIPS64():
		return "n64"
	}
	return "o32"
}

// Session is the reader of one text: what directives say holds to its end.
func (p *parser) Session() mc.TargetAsmParser {
	s := &session{parser: p, table: newRowTable(p.info), classes: map[string][32]desc.PhysReg{}, ops: map[string]desc.Opcode{}, regAliases: map[string]regIndex{},
		module: true, gp: 28, pic: p.pic}
	s.opts = []options{{at: 1, reorder: true, macro: true}}
	return s
}

// options are what .set changes and .set push keeps.
type options struct {
	at             int // the number of the register for expansions, 0 for none
	reorder, macro bool
	st             *mc.Subtarget
}

// session reads one text.
type session struct {
	*parser
	table      *rowTable
	classes    map[string][32]desc.PhysReg
	ops        map[string]desc.Opcode
	regAliases map[string]regIndex // .set name, $reg
	opts       []options
	word       string
	st         *mc.Subtarget // of the statement
	first      *mc.Subtarget // of the module
	module     bool          // .module is allowed: no instruction has been read
	pic        bool
	gp         int // the register that is the global pointer
	restore    struct {
		set bool
		at  int64
	}
	// slotOpen says that the last instruction has a forbidden slot, which is not filled yet.
	slotOpen bool
	setup    setupState
	proc     procState
	obj      objectState
}

// opt are the options that hold.
func (s *session) opt() *options { return &s.opts[len(s.opts)-1] }

func (s *session) at() int { return s.opt().at }

func (s *session) newABI() bool { return s.abi != "o32" }

func (s *session) pointers64() bool { return s.abi == "n64" }

// has reports a feature of the current subtarget.
func (s *session) has(feature string) bool { return s.st.Has(s.table.feature(feature)) }

func usedAT(n int) string { return fmt.Sprintf("used $at (currently $%d) without \".set noat\"", n) }

// start takes the subtarget of a statement.
func (s *session) start(p mc.AsmParser) {
	s.st = p.Subtarget()
	if s.first == nil {
		s.first = s.st
		s.opts[0].st = s.st
		s.obj.begin(s)
	}
}

// ParseRegister reads a register's name.
func (s *session) ParseRegister(p mc.AsmParser, text string, pos int) (desc.PhysReg, int, bool) {
	s.start(p)
	r := reader{session: s, p: p, text: text, pos: pos}
	reg, end, ok := r.register(pos, false)
	if !ok || reg.n > 31 {
		return 0, pos, false
	}
	class := "GPR32"
	if s.has("gp64") {
		class = "GPR64"
	}
	if reg.files == "f" {
		class = "FGR32"
	}
	return s.regOf(class, reg.n), end, true
}

// ParseInstruction reads a statement and emits what it stands for.
func (s *session) ParseInstruction(p mc.AsmParser, text string) error {
	s.start(p)
	s.module = false
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	s.word = strings.ToLower(text[:end])
	r := reader{session: s, p: p, text: text, pos: end}
	r.rows = s.table.rows(s.word)
	if len(r.rows) == 0 {
		return &mc.ParseError{Msg: "unknown instruction" + s.table.similar(s.word, s.st)}
	}
	if !r.operands() {
		return r.failure()
	}
	w, why := r.match(s.st)
	if w == nil {
		return r.refusal(why)
	}
	if w.macro {
		_, jumps := branches[strings.TrimSuffix(r.word, "l")]
		jumps = jumps || r.word[0] == 'b'
		if err := r.openSlot(jumps, true); err != nil {
			return err
		}
		err := r.expand(w)
		r.closeSlot()
		return err
	}
	var in mc.Inst
	r.convert(w, &in)
	err := r.process(w, &in)
	if len(r.errs) > 0 {
		return r.failure()
	}
	return err
}

// failure is what is wrong with the operands.
func (r *reader) failure() error {
	e := r.errs[0]
	e.More = r.errs[1:]
	return &e
}

// refusal says why no row takes the operands.
func (r *reader) refusal(why refused) error {
	at := 0
	if why.op >= 0 && why.op < len(r.ops) {
		at = r.ops[why.op].start
	}
	msg := "invalid operand for instruction"
	switch {
	case why.lacks:
		at, msg = 0, "instruction requires a CPU feature not currently enabled"
	case why.predicate != "":
		at, msg = 0, why.predicate
		if strings.HasPrefix(msg, "non-zero fcc") && len(r.ops) > 0 {
			at = r.ops[0].start
		}
		if strings.HasPrefix(msg, "size plus") {
			at = r.ops[2].start
		}
	case why.op == 0 && !why.few && (r.word == "lwp" || r.word == "swp"):
		at = 0
	case why.diag != "":
		msg = why.diag
	case why.few:
		msg = "too few operands for instruction"
	}
	return &mc.ParseError{Start: at, End: at, Msg: msg}
}

// with makes a subtarget of another one by a list of features.
func (s *session) with(st *mc.Subtarget, features string) *mc.Subtarget {
	out := *st
	out.Features = family.Toggle(s.info, st.Features, features)
	return &out
}

// op gives an opcode by its name.
func (s *session) op(name string) desc.Opcode {
	if op, ok := s.ops[name]; ok {
		return op
	}
	op, ok := s.info.OpcodeByName(name)
	if !ok {
		panic("mips: no opcode " + name)
	}
	s.ops[name] = op
	return op
}

// DirectiveAlias gives the common name of a directive.
func (s *session) DirectiveAlias(name string) string {
	if name == ".asciiz" {
		return ".asciz"
	}
	return name
}

// Labelled notes a label: one before microMIPS code says so in its symbol.
func (s *session) Labelled(p mc.AsmParser, y mc.Sym) {
	if !p.Streamer().IsText() {
		s.obj.labels = append(s.obj.labels, y)
	}
}

// ParsePrimary reads a modifier that stands apart from its parentheses: %lo (x).
func (s *session) ParsePrimary(p mc.AsmParser, text string, pos int) (x mc.Expr, end int, known bool, err error) {
	if pos >= len(text) || text[pos] != '%' {
		return 0, pos, false, nil
	}
	k := pos + 1
	for k < len(text) && isName(text[k]) {
		k++
	}
	name, open := text[pos+1:k], k
	for open < len(text) && (text[open] == ' ' || text[open] == '\t') {
		open++
	}
	if open == k || open >= len(text) || text[open] != '(' {
		return 0, pos, false, nil
	}
	close, depth := open, 0
	for ; close < len(text); close++ {
		if text[close] == '(' {
			depth++
		} else if text[close] == ')' {
			if depth--; depth == 0 {
				break
			}
		}
	}
	ctx := p.Context()
	for i, m := range ctx.Info().Modifiers {
		if m.Name != name || name == "" || close == len(text) {
			continue
		}
		inner, v, _, err := p.Expr(text[:close], open+1)
		if err != nil {
			return 0, pos, true, err
		}
		if inner == 0 {
			inner = ctx.Const(v)
		}
		return ctx.Modified(mc.Modifier(i), inner), close + 1, true, nil
	}
	return 0, pos, false, nil
}
