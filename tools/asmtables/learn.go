package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/aarch64/mctargetdesc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// key is what a class is asked about: a shape and a value.
type key struct {
	shape uint32
	val   int64
}

// learner fills tables.
type learner struct {
	t       *tab.Tables
	ask     *asker
	info    *desc.Info
	parser  *mctargetdesc.AsmParser
	verbose bool
	regs    map[string]desc.PhysReg
	tokens  []string         // by value, while they are learned
	tokenAt map[string]int64 // and back

	asked map[key]bool
	state map[key]int64 // of system registers
	// answers has what a class says, by class, of all that is not refused without words.
	answers []map[key]tab.Result
	// uses are the classes that a kind of conversion is applied to.
	uses []map[uint16]bool
	sets map[string]int32
	outs []map[key][]string // of kinds of conversion
	told map[string]int
}

// expr stands for any expression.
type line struct {
	mc.AsmParser
	ctx *mc.Context
	st  *mc.Subtarget
}

func (l *line) Context() *mc.Context     { return l.ctx }
func (l *line) Subtarget() *mc.Subtarget { return l.st }
func (l *line) Warn(int, int, string)    {}
func (l *line) State() *any              { return new(any) }

// Expr reads numbers, symbols and differences of two.
func (l *line) Expr(text string, pos int) (x mc.Expr, v int64, end int, err error) {
	for pos < len(text) && text[pos] == ' ' {
		pos++
	}
	if pos < len(text) && text[pos] == '#' {
		pos++
	}
	end = pos
	for end < len(text) && strings.IndexByte(" ,]}:![", text[end]) < 0 {
		end++
	}
	w := text[pos:end]
	if v, err := strconv.ParseInt(w, 0, 64); err == nil {
		return 0, v, end, nil
	}
	if v, err := strconv.ParseUint(w, 0, 64); err == nil {
		return 0, int64(v), end, nil
	}
	if a, b, ok := strings.Cut(w, "-"); ok {
		return l.ctx.Diff(l.ctx.Symbol(a), l.ctx.Symbol(b)), 0, end, nil
	}
	if w == "" || w[0] >= '0' && w[0] <= '9' {
		return 0, 0, pos, fmt.Errorf("no expression in %q", text)
	}
	name, off, _ := strings.Cut(w, "+")
	n, _ := strconv.ParseInt(off, 10, 64)
	return l.ctx.RefOff(l.ctx.Symbol(name), 0, n), 0, end, nil
}

func run(object, base, header, ask, out string, verbose bool) error {
	o, err := openObject(object)
	if err != nil {
		return err
	}
	t := &tab.Tables{}
	if err := o.rows(t); err != nil {
		return err
	}
	a, err := startAsker(ask, len(t.Classes), len(t.FeatureSets))
	if err != nil {
		return err
	}
	info, err := facts.Load("AArch64")
	if err != nil {
		return err
	}
	l := &learner{t: t, ask: a, info: info, verbose: verbose, asked: map[key]bool{}, state: map[key]int64{}, sets: map[string]int32{}, tokenAt: map[string]int64{}}
	l.answers = make([]map[key]tab.Result, len(t.Classes))
	for i := range l.answers {
		l.answers[i] = map[key]tab.Result{}
	}
	l.outs = make([]map[key][]string, len(t.Kinds))
	for i := range l.outs {
		l.outs[i] = map[key][]string{}
	}
	l.regs = map[string]desc.PhysReg{}
	for i := range info.Regs {
		l.regs[strings.ToUpper(info.RegName(desc.PhysReg(i)))] = desc.PhysReg(i)
	}
	for c, p := range parsers {
		t.Classes[c].Parser = uint8(p)
	}
	l.findUses()
	if err := l.extensions(o); err != nil {
		return err
	}
	if err := l.archs(header); err != nil {
		return err
	}
	if err := l.system(base); err != nil {
		return err
	}
	if err := l.features(); err != nil {
		return err
	}
	if err := l.operands(); err != nil {
		return err
	}
	l.classes()
	l.conversions()
	if err := l.words(); err != nil {
		return err
	}
	b, err := tab.Encode(t)
	if err != nil {
		return err
	}
	fmt.Printf("%d mnemonics, %d classes, %d sets, %d tokens, %d conversions of %d kinds, %d features, %d system names; %d bytes\n", len(t.Mnemonics), len(t.Classes), len(t.Sets),
		len(t.Tokens), len(t.Conversions), len(t.Kinds), len(t.Features), len(t.System), len(b))
	if out == "" {
		return nil
	}
	return os.WriteFile(out, b, 0o666)
}

// findUses finds which classes' operands a conversion is applied to.
func (l *learner) findUses() {
	l.uses = make([]map[uint16]bool, len(l.t.Kinds))
	for i := range l.uses {
		l.uses[i] = map[uint16]bool{}
	}
	for i := range l.t.Mnemonics {
		for _, es := range l.t.Mnemonics[i].Entries {
			for _, e := range es {
				row := l.t.Conversions[e.Convert]
				for k := 0; k+1 < len(row); k += 2 {
					if n := int(row[k+1]); row[k] >= mctargetdesc.SpecialKinds && n >= 1 && n <= len(e.Classes) {
						l.uses[row[k]][e.Classes[n-1]] = true
					}
				}
			}
		}
	}
}

// operands shows all samples to the classes.
func (l *learner) operands() error {
	ctx := mc.NewContext(&mc.AsmInfo{Modifiers: l.modifiers()})
	st := &mc.Subtarget{Info: l.info, Features: l.allFeatures()}
	p := &line{ctx: ctx, st: st}
	l.parser = mctargetdesc.NewAsmParser(l.info, l.t)
	if _, err := l.ask.ask("F +all"); err != nil {
		return err
	}
	for _, text := range samples(l.t.Specs) {
		lines, err := l.ask.ask("I %s", text)
		if err != nil {
			return err
		}
		ops, err := l.parser.Operands(p, text)
		theirs := len(lines) > 0 && strings.HasPrefix(lines[0], "error")
		if theirs {
			lines = lines[1:]
		}
		if err != nil != theirs || !theirs && len(ops) != len(lines) {
			l.tell("%s: read otherwise: %v, %d operands; LLVM: error %v, %d operands", text, err, len(ops), theirs, len(lines))
			continue
		}
		for i, o := range ops {
			if i >= len(lines) {
				break
			}
			if err := l.operand(i, o, lines[i], text); err != nil {
				return err
			}
		}
	}
	return l.constants()
}

// constants asks for the conversions that look at no operand.
func (l *learner) constants() error {
	asked := map[uint8]bool{}
	for _, row := range l.t.Conversions {
		for k := 0; k+1 < len(row); k += 2 {
			if row[k+1] != 0 || row[k] < mctargetdesc.SpecialKinds || asked[row[k]] {
				continue
			}
			asked[row[k]] = true
			a, err := l.ask.ask("C %d 0", row[k])
			if err != nil {
				return err
			}
			c := tab.Convert{Shape: tab.AnyShape}
			for _, w := range strings.Fields(a[0])[1:] {
				what, v, _ := strings.Cut(w, ":")
				if what == "r" {
					c.Outs = append(c.Outs, tab.Out{Kind: tab.OutConstReg, Values: []int64{int64(l.regs[v])}})
					continue
				}
				n, _ := strconv.ParseInt(v, 10, 64)
				c.Outs = append(c.Outs, tab.Out{Kind: tab.OutConst, Values: []int64{n}})
			}
			l.t.Kinds[row[k]] = append(l.t.Kinds[row[k]], c)
		}
	}
	return nil
}

// operand keeps what the classes say about one operand.
func (l *learner) operand(i int, o mctargetdesc.OperandView, answer, text string) error {
	f := strings.Fields(answer)
	if at, _ := strconv.Atoi(f[1]); at != o.Start {
		l.tell("%s: operand %d begins at %d, LLVM's at %d", text, i, o.Start, at)
	}
	k := key{o.Shape, o.Val}
	if o.Token != "" || f[0] == "t" {
		if f[0] != "t" || o.Token == "" {
			l.tell("%s: operand %d is a token in one parser alone", text, i)
			return nil
		}
		v, ok := l.tokenAt[o.Token]
		if !ok {
			v = int64(len(l.tokens))
			l.tokens = append(l.tokens, o.Token)
			l.tokenAt[o.Token] = v
		}
		k.val = v
	}
	if l.asked[k] {
		return nil
	}
	l.asked[k] = true
	l.state[k] = o.State
	good := map[uint16]bool{}
	for _, w := range f[2:] {
		c, r, _ := strings.Cut(w, ":")
		class, _ := strconv.Atoi(c)
		res, _ := strconv.Atoi(r)
		l.answers[class][k] = tab.Result(res)
		if tab.Result(res) == tab.Success {
			good[uint16(class)] = true
		}
	}
	q := "C"
	for kind, uses := range l.uses {
		for c := range uses {
			if good[c] {
				q += fmt.Sprintf(" %d %d", kind, i)
				break
			}
		}
	}
	if q == "C" {
		return nil
	}
	lines, err := l.ask.ask("%s", q)
	if err != nil {
		return err
	}
	for _, a := range lines {
		f := strings.Fields(a)
		kind, _ := strconv.Atoi(f[0][:strings.IndexByte(f[0], ':')])
		l.outs[kind][k] = f[1:]
	}
	return nil
}

// maxShown bounds what is told.
const maxShown = 40

func (l *learner) tell(format string, args ...any) {
	if l.told == nil {
		l.told = map[string]int{}
	}
	if l.told[format]++; l.verbose && l.told[format] <= maxShown {
		fmt.Printf(format+"\n", args...)
	}
}

// noWords are results that LLVM's parser never tells.
var noWords = map[int]bool{5: true, 37: true, 39: true, 42: true, 139: true, 163: true}

// words asks for the words of results.
func (l *learner) words() error {
	most := tab.Result(0)
	seen := map[tab.Result]bool{tab.Invalid: true}
	for _, m := range l.answers {
		for _, r := range m {
			most = max(most, r)
			seen[r] = true
		}
	}
	l.t.Words = make([]string, most+1)
	for r := range l.t.Words {
		if !seen[tab.Result(r)] || tab.Result(r) == tab.Success {
			continue
		}
		if noWords[r] {
			continue
		}
		a, err := l.ask.ask("W %d", r)
		if err != nil {
			return fmt.Errorf("result %d: %w", r, err)
		}
		_, l.t.Words[r], _ = strings.Cut(a[0], " ")
	}
	return nil
}

func sortedKeys[V any](m map[key]V) []key {
	var out []key
	for k := range m {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].shape != out[j].shape {
			return out[i].shape < out[j].shape
		}
		return out[i].val < out[j].val
	})
	return out
}
