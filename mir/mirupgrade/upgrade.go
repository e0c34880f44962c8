package mirupgrade

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/support/lazyregexp"
)

// renames give the instructions of a back end's older releases their names of today.
var renames = [family.Count]func(string, *desc.Info) string{family.X86: renamedX86}

// Upgrade returns a file in today's form. A file that is in it already stays
// as it is. The error is a *diag.Diagnostic for what cannot be upgraded; its
// place is that of the old text.
func Upgrade(name string, src []byte, o mirtext.ParseOptions) ([]byte, error) {
	u := &upgrader{}
	triple := o.Triple
	if m := tripleLine.Get().FindSubmatch(src); m != nil && triple == "" {
		triple = string(m[1])
	}
	in, err := o.Facts(triple)
	if err != nil {
		return nil, err
	}
	u.in = in
	u.file(string(src))
	out := []byte(strings.Join(u.out, "\n"))
	_, err = mirtext.Parse(name, out, o)
	var d *diag.Diagnostic
	if errors.As(err, &d) && d.Line > 0 && d.Line <= len(u.from) {
		moved := *d
		moved.Line = u.from[d.Line-1] + 1
		return nil, &moved
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

var tripleLine = lazyregexp.Regexp{Expr: `(?m)^\s*target triple = "([^"]*)"`}

// upgrader rewrites one file.
type upgrader struct {
	in   *desc.Info
	out  []string
	from []int // the line of the source that each line of out was
	// named are registers that the function at hand uses as names of virtual
	// ones, as today's edition may.
	named map[string]bool
	// old says that the function is of the edition with %eax.
	old bool
}

// droppedKeys are keys of functions that no longer exist and say nothing that is needed.
var droppedKeys = []string{"allVRegsAllocated", "tracksSubRegLiveness", "hasInlineAsm"}

// file rewrites document by document.
func (u *upgrader) file(src string) {
	lines := strings.Split(src, "\n")
	for k := 0; k < len(lines); {
		end := k + 1
		for end < len(lines) && !isStart(lines[end]) {
			end++
		}
		if isStart(lines[k]) && strings.Contains(lines[k], "|") {
			u.module(lines[k:end], k)
		} else {
			u.function(lines[k:end], k)
		}
		k = end
	}
}

func isStart(l string) bool {
	return strings.HasPrefix(l, "---") && (len(l) == 3 || l[3] == ' ' || l[3] == '\r')
}

func (u *upgrader) put(line string, from int) {
	u.out = append(u.out, line)
	u.from = append(u.from, from)
}

// module rewrites the document of the IR module, and what stands behind it
// before the next.
func (u *upgrader) module(lines []string, at int) {
	inModule := true
	for k, l := range lines {
		if l == "..." {
			inModule = false
		}
		if inModule && k > 0 {
			l = untypedPointers(l)
		}
		u.put(l, at+k)
	}
}

var (
	sigil   = lazyregexp.Regexp{Expr: `[^\w']\$[a-z]\w*|'\$[a-z]\w*'`}
	virtual = lazyregexp.Regexp{Expr: `%([a-zA-Z_][\w]*):[\w]+(?:\(|\s|,|$)`}
	percent = lazyregexp.Regexp{Expr: `%([a-zA-Z]\w*)`}
)

// function rewrites the document of a function, and lines outside of any.
func (u *upgrader) function(lines []string, at int) {
	u.look(lines)
	body := false
	adjusts := u.old && u.callsFramed(lines) // and the frame must say so today
	inFrame := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "frameInfo:") })
	said := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  adjustsStack:") })
	for k, l := range lines {
		if adjusts && strings.HasPrefix(l, "  adjustsStack:") {
			l = "  adjustsStack:    true"
		}
		if adjusts && !inFrame && strings.HasPrefix(l, "body:") {
			u.put("frameInfo:", at+k)
			u.put("  adjustsStack:    true", at+k)
		}
		if l != "" && l[0] != ' ' && l[0] != '\t' && l[0] != '#' {
			body = strings.HasPrefix(l, "body:")
			key, _, _ := strings.Cut(l, ":")
			if slices.Contains(droppedKeys, key) {
				continue
			}
		}
		text, note := cutNote(l, body)
		switch {
		case strings.TrimSpace(text) == "":
		case body && strings.HasPrefix(l, " "):
			text = u.instr(text)
		default:
			text = u.yaml(text)
		}
		u.put(text+u.note(note), at+k)
		if adjusts && !said && strings.HasPrefix(l, "frameInfo:") {
			u.put("  adjustsStack:    true", at+k)
		}
	}
}

// callsFramed finds the pseudo instructions around calls.
func (u *upgrader) callsFramed(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		m := opcodeWord.Get().FindStringSubmatch(l)
		if m == nil || l[0] != ' ' {
			return false
		}
		op, ok := u.in.OpcodeByName(m[2])
		setup, destroy := false, false
		if ok {
			setup, destroy = u.in.IsCallFrame(op)
		}
		return setup || destroy
	})
}

// look finds out which edition a function is written in.
func (u *upgrader) look(lines []string) {
	u.named, u.old = map[string]bool{}, false
	physical := false
	for k, l := range lines {
		text, _ := cutNote(l, k > 0)
		if sigil.Get().MatchString(text) {
			physical = true
		}
		for _, m := range virtual.Get().FindAllStringSubmatch(text, -1) {
			if _, sub := u.in.SubRegIndexByName(strings.TrimRight(m[0][len(m[1])+2:], "( ,")); !sub {
				u.named[m[1]] = true
			}
		}
	}
	if physical {
		return
	}
	for k, l := range lines {
		text, _ := cutNote(l, k > 0)
		for _, m := range percent.Get().FindAllStringSubmatch(text, -1) {
			if u.isPhysical(m[1]) {
				u.old = true
			}
		}
		if underscore.Get().MatchString(text) {
			u.old = true
		}
	}
}

func (u *upgrader) isPhysical(name string) bool {
	if u.named[name] {
		return false
	}
	if name == "noreg" {
		return true
	}
	_, ok := u.in.RegByName(name)
	return ok
}

// cutNote splits a line before its comment.
func cutNote(l string, body bool) (text, note string) {
	quote := byte(0)
	for k := 0; k < len(l); k++ {
		switch c := l[k]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ';' && body, c == '#' && (k == 0 || l[k-1] == ' ' && !body):
			return l[:k], l[k:]
		}
	}
	return l, ""
}

var checkLine = lazyregexp.Regexp{Expr: `^[;#]+\s*[A-Z][-A-Z0-9_]*:`}

// note rewrites the registers that a CHECK line names: what it is held against
// is printed in today's form.
func (u *upgrader) note(s string) string {
	if u.old && checkLine.Get().MatchString(s) {
		return u.nullRegisters(u.registers(s))
	}
	return s
}

var underscore = lazyregexp.Regexp{Expr: `([,=]|[A-Z]\w*) _(,|$|\s)`}

// registers puts today's sign before physical registers.
func (u *upgrader) registers(s string) string {
	return percent.Get().ReplaceAllStringFunc(s, func(m string) string {
		if u.isPhysical(m[1:]) {
			return "$" + m[1:]
		}
		return m
	})
}

// nullRegisters writes the null register as it is today.
func (u *upgrader) nullRegisters(s string) string {
	for underscore.Get().MatchString(s) { // neighbours share a comma
		s = underscore.Get().ReplaceAllString(s, "$1 $$noreg$2")
	}
	return s
}

var functionAlign = lazyregexp.Regexp{Expr: `^(alignment:\s*)(\d+)`}

// yaml rewrites a line outside of the body.
func (u *upgrader) yaml(s string) string {
	if !u.old {
		return s
	}
	if m := functionAlign.Get().FindStringSubmatch(s); m != nil {
		return m[1] + bytesOf(m[2])
	}
	if strings.HasPrefix(s, "name:") {
		return s
	}
	return u.registers(s)
}

// bytesOf turns a logarithm into bytes; what is no small one stays.
func bytesOf(log string) string {
	n, err := strconv.Atoi(log)
	if err != nil || n > 31 {
		return log
	}
	return strconv.Itoa(1 << n)
}

var (
	colonSub   = lazyregexp.Regexp{Expr: `(%\w+):(\w+)`}
	access     = lazyregexp.Regexp{Expr: `\(((?:[-\w]+ |"[^"]+" )*)(load|store|load store)((?: syncscope\("[^"]*"\))?(?: [a-z_]+)*) (\d+)( from | into | on |, |\))`}
	blockAlign = lazyregexp.Regexp{Expr: `^(\s*bb\.\d+\S*\s*\(.*\balign )(\d+)`}
)

// instr rewrites a line of the body.
func (u *upgrader) instr(s string) string {
	if u.old {
		s = blockAlign.Get().ReplaceAllStringFunc(s, func(m string) string {
			p := blockAlign.Get().FindStringSubmatch(m)
			return p[1] + bytesOf(p[2])
		})
		s = u.nullRegisters(u.registers(s))
	}
	s = colonSub.Get().ReplaceAllStringFunc(s, func(m string) string {
		p := colonSub.Get().FindStringSubmatch(m)
		_, isSub := u.in.SubRegIndexByName(p[2])
		_, isClass := u.in.RegClassByName(p[2])
		if isSub && !isClass {
			return p[1] + "." + p[2]
		}
		return m
	})
	s = access.Get().ReplaceAllStringFunc(s, func(m string) string {
		p := access.Get().FindStringSubmatch(m)
		n, err := strconv.Atoi(p[4])
		if err != nil || n == 0 || n > 1<<20 {
			return m
		}
		return "(" + p[1] + p[2] + p[3] + " (s" + strconv.Itoa(8*n) + ")" + p[5]
	})
	if rename := renames[family.Of(u.in).ID]; rename != nil {
		s = rename(s, u.in)
	}
	s = u.callFrame(s)
	if u.old {
		s = u.implicits(s)
	}
	return s
}

var opcodeWord = lazyregexp.Regexp{Expr: `^(\s*(?:.*? = )?(?:frame-setup |frame-destroy )?)([A-Z][A-Za-z0-9_]*)( .*|$)`}

// callFrame gives the pseudo instructions around calls the immediates that
// they have today.
func (u *upgrader) callFrame(s string) string {
	m := opcodeWord.Get().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	op, ok := u.in.OpcodeByName(m[2])
	if !ok {
		return s
	}
	if setup, destroy := u.in.IsCallFrame(op); !setup && !destroy {
		return s
	}
	want, have := len(u.in.Operands(op)), 0
	operands := strings.Split(m[3], ",")
	for have < len(operands) {
		if _, err := strconv.ParseInt(strings.TrimSpace(operands[have]), 10, 64); err != nil {
			break
		}
		have++
	}
	if have == 0 || have >= want {
		return s
	}
	operands = slices.Insert(operands, have, slices.Repeat([]string{" 0"}, want-have)...)
	return m[1] + m[2] + strings.Join(operands, ",")
}

// behindOperands is what may follow the operands of an instruction.
var behindOperands = lazyregexp.Regexp{Expr: `\s*(?:, (?:debug-location|pre-instr-symbol|post-instr-symbol|heap-alloc-marker) .*| :: .*| \{)?\s*$`}

// implicits adds the implicit registers that an instruction has gained since;
// those that were written stay as they are. Calls may leave them out.
func (u *upgrader) implicits(s string) string {
	m := opcodeWord.Get().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	op, ok := u.in.OpcodeByName(m[2])
	if !ok || u.in.Instr(op).IsCall() {
		return s
	}
	at := behindOperands.Get().FindStringIndex(s)[0]
	has := func(word, reg string) bool {
		for _, o := range strings.Split(s[:at], ",") {
			w := strings.Fields(o)
			// The first operand stands behind the opcode's name.
			if len(w) > 1 && w[len(w)-1] == "$"+reg && slices.Contains(w, word) {
				return true
			}
		}
		return false
	}
	var add []string
	for _, r := range u.in.ImplicitDefs(op) {
		if reg := string(u.in.AppendLowerReg(nil, r)); !has("implicit-def", reg) {
			add = append(add, "implicit-def $"+reg)
		}
	}
	for _, r := range u.in.ImplicitUses(op) {
		if reg := string(u.in.AppendLowerReg(nil, r)); !has("implicit", reg) {
			add = append(add, "implicit $"+reg)
		}
	}
	if len(add) == 0 {
		return s
	}
	joint := ", "
	if strings.HasSuffix(s[:at], m[2]) {
		joint = " "
	}
	return s[:at] + joint + strings.Join(add, ", ") + s[at:]
}
