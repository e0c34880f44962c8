package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	errBlocks    = errors.New("more than a block")
	maskLoad     = regexp.MustCompile(`^KMOV[BWDQ]km$`)
	maskCopy     = regexp.MustCompile(`^\(COPY_TO_REGCLASS (.*), VK\w+\)$`)
	maskToVector = regexp.MustCompile(`^\(VPMOVM2[BWDQ]Z(?:128|256)?rk (.*)\)$`)
	operandWord  = regexp.MustCompile(`^%(\d+)(?:\.(\w+))?(?::(\w+))?$`)
)

// translation is a block that becomes the result of a pattern.
type translation struct {
	s     *subject
	named map[string]string // registers as operands: "%3"
	class map[string]string // of registers
	steps []string
	uses  map[string]int
	seq   bool // there are physical registers
	wrote bool // an instruction stands before
	fresh int
}

// translate reads the only block of the printed function.
func (s *subject) translate(mir string, c choice) (string, error) {
	at := strings.Index(mir, "\nbody:")
	if at < 0 || strings.Contains(mir[at:], "bb.1") || strings.Contains(mir, "\nconstants:       \n") {
		return "", errBlocks
	}
	t := &translation{s: s, named: map[string]string{}, class: map[string]string{}, uses: map[string]int{}}
	ints, vecs := []string{"di", "si", "dx", "cx", "8", "9"}, 0
	args := map[string]string{} // by physical register
	for k, a := range s.args {
		if a.imm || k == c.ones || k == c.zero {
			continue
		}
		name := fmt.Sprintf("$a%d", k)
		switch {
		case !strings.HasSuffix(a.vt, "i1") && (a.vt[0] == 'v' || a.vt[0] == 'f'):
			if vecs == 8 {
				return "", errors.New("arguments on the stack")
			}
			for _, p := range [...]string{"xmm", "ymm", "zmm"} {
				args[fmt.Sprintf("$%s%d", p, vecs)] = name
			}
			vecs++
		default:
			if len(ints) == 0 {
				return "", errors.New("arguments on the stack")
			}
			r := ints[0]
			ints = ints[1:]
			wide, narrow := "$r"+r, "$e"+r
			if r == "8" || r == "9" {
				narrow = "$r" + r + "d"
			}
			switch {
			case strings.HasSuffix(a.vt, "i1"):
				name = "mask " + name
			case a.vt == "i8":
				name = fmt.Sprintf("(INSERT_SUBREG (IMPLICIT_DEF), %s, sub_8bit)", name)
			case a.vt == "i16":
				name = fmt.Sprintf("(INSERT_SUBREG (IMPLICIT_DEF), %s, sub_16bit)", name)
			}
			args[wide], args[narrow] = name, name
		}
	}
	return t.block(mir[at:], args)
}

// block translates instruction by instruction.
func (t *translation) block(body string, args map[string]string) (string, error) {
	var lines []string
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "body:") || strings.HasPrefix(line, "bb.") || strings.HasPrefix(line, "liveins:") || line == "..." {
			continue
		}
		if line == "---" {
			break
		}
		lines = append(lines, line)
	}
	var results []string
	for _, line := range lines {
		if k := strings.Index(line, " :: "); k >= 0 {
			line = line[:k]
		}
		lhs, rhs, isDef := strings.Cut(line, " = ")
		if !isDef {
			lhs, rhs = "", line
		}
		op, ops := splitOps(rhs)
		if strings.HasPrefix(op, "RET") {
			break
		}
		if op == "COPY" {
			src := ops[0]
			switch {
			case strings.HasPrefix(lhs, "$"):
				results = append(results, lhs, src)
				continue
			case strings.HasPrefix(src, "$") && args[src] != "":
				t.set(lhs, args[src])
				delete(args, src) // a later copy is of what stands there then
				continue
			case strings.HasPrefix(src, "$") && !t.wrote:
				return "", errors.New("a register that nothing sets")
			case strings.HasPrefix(src, "$"):
				t.flush(&results)
				t.seq = true
				t.step(lhs, fmt.Sprintf("(get %s)", strings.ToUpper(src[1:])))
				continue
			}
			e, err := t.operand(src)
			if err != nil {
				return "", err
			}
			if to := t.classOf(lhs); strings.HasPrefix(to, "vk") && !strings.HasPrefix(t.classOf(src), "vk") {
				// The general register has a class of its own then.
				move := "KMOVWkr"
				switch {
				case strings.HasPrefix(to, "vk32"):
					move = "KMOVDkr"
				case strings.HasPrefix(to, "vk64"):
					move = "KMOVQkr"
				}
				e = fmt.Sprintf("(%s %s)", move, e)
			}
			if crosses(t.classOf(src), t.classOf(lhs)) {
				if m := maskCopy.FindStringSubmatch(e); m != nil && strings.HasPrefix(t.classOf(lhs), "vk") {
					e = m[1] // a mask that was one already
				}
				e = fmt.Sprintf("(COPY_TO_REGCLASS %s, %s)", e, strings.ToUpper(t.classOf(lhs)))
			}
			t.set(lhs, e)
			continue
		}
		if maskLoad.MatchString(op) {
			if e, _ := t.operand(ops[0]); strings.HasPrefix(e, "mask ") {
				t.set(lhs, strings.TrimPrefix(e, "mask "))
				continue
			}
		}
		e, err := t.instr(op, ops)
		if err != nil {
			return "", err
		}
		if strings.Contains(e, "mask $") {
			return "", errors.New("bits are loaded otherwise")
		}
		t.flush(&results)
		t.wrote = true
		if strings.Contains(line, "implicit $eflags") || strings.Contains(line, "implicit-def $e") || strings.Contains(line, "implicit-def $r") || strings.Contains(line, "implicit $e") || strings.Contains(line, "implicit $r") ||
			strings.Contains(line, "implicit-def $xmm") || strings.Contains(line, "implicit $xmm") || strings.Contains(line, "implicit-def $al") || strings.Contains(line, "implicit $al") {
			t.seq = true
		}
		t.step(lhs, e)
	}
	return t.finish(results)
}

// flush writes copies to physical registers that an instruction reads.
func (t *translation) flush(list *[]string) {
	for k := 0; k < len(*list); k += 2 {
		e, _ := t.operand((*list)[k+1])
		t.seq = true
		t.steps = append(t.steps, fmt.Sprintf("(set %s, %s)", strings.ToUpper((*list)[k][1:]), e))
	}
	*list = nil
}

// step adds an instruction that defines lhs.
func (t *translation) step(lhs, e string) {
	if lhs == "" {
		t.steps = append(t.steps, e)
		return
	}
	t.fresh++
	name := fmt.Sprintf("$t%d", t.fresh)
	t.steps = append(t.steps, e+":"+name)
	t.set(lhs, name)
}

// set names a register; of several definitions the first.
func (t *translation) set(lhs, e string) {
	first, _, _ := strings.Cut(lhs, ", ")
	first = strings.TrimPrefix(strings.TrimPrefix(first, "early-clobber "), "dead ")
	m := operandWord.FindStringSubmatch(first)
	if m == nil {
		return
	}
	t.named[m[1]] = e
	t.class[m[1]] = m[3]
	for _, more := range strings.Split(lhs, ", ")[1:] {
		if m := operandWord.FindStringSubmatch(strings.TrimPrefix(strings.TrimPrefix(more, "early-clobber "), "dead ")); m != nil {
			t.named[m[1]] = "?"
		}
	}
}

func (t *translation) classOf(r string) string {
	r = strings.TrimPrefix(r, "early-clobber ")
	m := operandWord.FindStringSubmatch(r)
	if m == nil {
		return ""
	}
	if m[3] != "" {
		return m[3]
	}
	if m[2] != "" {
		return "part"
	}
	return t.class[m[1]]
}

// crosses reports classes of other kinds: masks and general registers, scalars and vectors.
func crosses(a, b string) bool {
	kind := func(c string) string {
		switch {
		case strings.HasPrefix(c, "vk"):
			return "k"
		case strings.HasPrefix(c, "gr"), c == "part":
			return "g"
		case strings.HasPrefix(c, "fr"):
			return c[:4]
		}
		return "v"
	}
	return kind(a) != kind(b) || strings.HasPrefix(a, "vk") && a != b
}

// splitOps cuts an instruction into opcode and explicit operands.
func splitOps(rhs string) (string, []string) {
	for {
		w, rest, ok := strings.Cut(rhs, " ")
		if ok && (w == "nofpexcept" || w == "nnan" || w == "contract" || w == "exact" || w == "nsw" || w == "nuw" || w == "disjoint") {
			rhs = rest
			continue
		}
		break
	}
	op, rest, _ := strings.Cut(rhs, " ")
	var out []string
	for _, o := range strings.Split(rest, ", ") {
		o = strings.TrimSpace(o)
		for _, f := range [...]string{"killed ", "undef ", "dead "} {
			o = strings.TrimPrefix(o, f)
		}
		if o == "" || strings.HasPrefix(o, "implicit") {
			continue
		}
		if k := strings.Index(o, " (tied-def"); k >= 0 {
			o = o[:k]
		}
		out = append(out, o)
	}
	return op, out
}

func (t *translation) instr(op string, ops []string) (string, error) {
	if op == "SUBREG_TO_REG" {
		e, err := t.operand(ops[1])
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("(SUBREG_TO_REG (i64 0), %s, %s)", e, strings.TrimPrefix(ops[2], "%subreg.")), nil
	}
	if op == "IMPLICIT_DEF" {
		return "(IMPLICIT_DEF)", nil
	}
	if op == "INSERT_SUBREG" || op == "EXTRACT_SUBREG" {
		var list []string
		for _, o := range ops {
			if s, ok := strings.CutPrefix(o, "%subreg."); ok {
				list = append(list, s)
				continue
			}
			e, err := t.operand(o)
			if err != nil {
				return "", err
			}
			list = append(list, e)
		}
		return fmt.Sprintf("(%s %s)", op, strings.Join(list, ", ")), nil
	}
	if strings.Contains(op, "CALL") || strings.HasPrefix(op, "ADJCALL") || op == "INLINEASM" || op == "PHI" || op == "REG_SEQUENCE" {
		return "", errors.New(op)
	}
	var list []string
	for _, o := range ops {
		e, err := t.operand(o)
		if err != nil {
			return "", err
		}
		list = append(list, e)
	}
	return "(" + strings.TrimSpace(op+" "+strings.Join(list, ", ")) + ")", nil
}

func (t *translation) operand(o string) (string, error) {
	switch m := operandWord.FindStringSubmatch(o); {
	case m != nil:
		e := t.named[m[1]]
		if e == "" || e == "?" {
			return "", fmt.Errorf("%s is not known", o)
		}
		if m[2] != "" {
			// The part of what was widened is itself.
			if x, ok := strings.CutPrefix(e, "(INSERT_SUBREG (IMPLICIT_DEF), "); ok {
				if x, ok = strings.CutSuffix(x, ", "+m[2]+")"); ok && strings.HasPrefix(x, "$a") && !strings.Contains(x, " ") {
					return x, nil
				}
			}
			return fmt.Sprintf("(EXTRACT_SUBREG %s, %s)", e, m[2]), nil
		}
		return e, nil
	case o == "$noreg":
		return "zero_reg", nil
	case strings.HasPrefix(o, "$"), strings.HasPrefix(o, "%"), strings.HasPrefix(o, "@"), strings.HasPrefix(o, "&"):
		return "", fmt.Errorf("operand %s", o)
	}
	if _, err := strconv.ParseInt(o, 10, 64); err != nil {
		return "", err
	}
	return o, nil
}

var stepName = regexp.MustCompile(`\$t\d+\b`)

// finish gives the results: steps that are used once are nested where the order of the
// others is free.
func (t *translation) finish(results []string) (string, error) {
	var vals []string
	for k := 0; k < len(results); k += 2 {
		e, err := t.operand(results[k+1])
		if err != nil {
			return "", err
		}
		vals = append(vals, e)
	}
	if len(vals) != len(t.s.result) {
		return "", errors.New("results in memory")
	}
	body := map[string]string{}
	for _, s := range t.steps {
		if k := strings.LastIndex(s, ":$t"); k >= 0 {
			body[s[k+1:]] = s[:k]
		}
	}
	// What a register of that size holds is narrow already.
	if c := t.resultClass(results); len(vals) == 1 && c != "gr8" && c != "gr16" {
		switch t.s.result[0].vt {
		case "i8":
			vals[0] = narrowed(vals[0], "sub_8bit")
		case "i16":
			vals[0] = narrowed(vals[0], "sub_16bit")
		}
	}
	if len(vals) > 1 && slices.ContainsFunc(t.s.result, func(a argument) bool { return strings.HasSuffix(a.vt, "i1") }) {
		return "", errors.New("bits are returned otherwise")
	}
	if t.seq || len(vals) > 1 || len(vals) == 0 && len(t.steps) != 1 {
		return t.sequence(vals)
	}
	root := ""
	if len(vals) == 0 {
		root = regexp.MustCompile(`:\$t\d+$`).ReplaceAllString(t.steps[0], "")
	} else {
		root = vals[0]
	}
	for range 64 {
		next := stepName.ReplaceAllStringFunc(root, func(n string) string { return body[n] })
		if next == root {
			break
		}
		root = next
	}
	if len(vals) == 1 && strings.HasSuffix(t.s.result[0].vt, "i1") {
		// Bits are returned as elements; here they stay bits.
		m := maskToVector.FindStringSubmatch(root)
		if m == nil {
			return "", errors.New("bits are returned otherwise")
		}
		root = m[1]
	}
	for _, s := range t.steps {
		if !strings.Contains(s, ":$t") && len(vals) > 0 {
			return "", errors.New("an effect beside the result")
		}
	}
	if len(root) == 0 || root[0] != '(' {
		return "", errors.New("no instruction")
	}
	return root, nil
}

// resultClass is the class of the first result, "" for none.
func (t *translation) resultClass(results []string) string {
	if len(results) < 2 {
		return ""
	}
	return t.classOf(results[1])
}

// narrowed is the low part of a value, which may have been widened for the return alone.
func narrowed(e, sub string) string { return fmt.Sprintf("(EXTRACT_SUBREG %s, %s)", e, sub) }

// sequence keeps the order of all steps.
func (t *translation) sequence(vals []string) (string, error) {
	var steps []string
	count := map[string]int{}
	all := strings.Join(t.steps, " ") + " " + strings.Join(vals, " ")
	for _, n := range stepName.FindAllString(all, -1) {
		count[n]++
	}
	for _, s := range t.steps {
		if k := strings.LastIndex(s, ":$t"); k >= 0 && count[s[k+1:]] == 1 {
			s = s[:k] // nobody reads it
		}
		steps = append(steps, s)
	}
	switch len(vals) {
	case 0:
	case 1:
		last := steps[len(steps)-1]
		if k := strings.LastIndex(last, ":$t"); k >= 0 && last[k+1:] == vals[0] {
			steps[len(steps)-1] = last[:k]
		} else if strings.HasPrefix(vals[0], "(") {
			steps = append(steps, vals[0])
		} else {
			return "", errors.New("the result is no last step")
		}
	default:
		for k, v := range vals {
			if strings.HasPrefix(v, "(") {
				t.fresh++
				steps = append(steps, fmt.Sprintf("%s:$t%d", v, t.fresh))
				vals[k] = fmt.Sprint("$t", t.fresh)
			}
		}
		steps = append(steps, fmt.Sprintf("(results %s)", strings.Join(vals, ", ")))
	}
	return "(Seq " + strings.Join(steps, ", ") + ")", nil
}
