package mctargetdesc

import (
	"math/bits"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/support/editdistance"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// outcome is how the comparison with the forms of a mnemonic ended.
type outcome struct {
	result  tab.Result
	at      int // operand that did not fit; beyond the last where one is missing
	missing []uint16
	entry   *tab.Entry
}

// none says that no operand did not fit yet.
const none = -1

// match compares the operands with the forms of a variant, as LLVM's matcher does: what is said
// is that of the form that came farthest, of several the last that the subtarget has.
func (s *statement) match(variant int) outcome {
	m := s.a.tab.Find(s.ops[0].tok)
	if m == nil || len(m.Entries[variant]) == 0 {
		return outcome{result: tab.NoMnemonic, at: none}
	}
	out := outcome{result: tab.Invalid, at: none}
	has := s.a.features(s.st)
	lacking := -1 // how many features are missing at least
	for k := range m.Entries[variant] {
		e := &m.Entries[variant][k]
		need := s.a.tab.FeatureSets[e.Features]
		missing := 0
		for _, f := range need {
			if !has[f] {
				missing++
			}
		}
		if !s.fits(e, k == 0, missing == 0, &out) {
			continue
		}
		if missing > 0 {
			if lacking < 0 || missing <= lacking {
				lacking = missing
				out.missing = out.missing[:0]
				for _, f := range need {
					if !has[f] {
						out.missing = append(out.missing, f)
					}
				}
			}
			continue
		}
		s.convert(e)
		if at, ok := s.tied(e); !ok {
			return outcome{result: tab.InvalidTied, at: at}
		}
		return outcome{result: tab.Success, entry: e, at: none}
	}
	if lacking >= 0 {
		out.result, out.at = tab.Missing, none
	}
	return out
}

// fits compares the operands with a form's classes and notes where they do not fit.
func (s *statement) fits(e *tab.Entry, first, available bool, out *outcome) bool {
	actual := 1
	for formal := 0; ; formal++ {
		class := uint16(tab.ClassEnd)
		if formal < len(e.Classes) {
			class = e.Classes[formal]
		} else if actual >= len(s.ops) {
			return true
		}
		if actual >= len(s.ops) {
			out.at = actual
			return false
		}
		r := s.check(&s.ops[actual], class)
		if r == tab.Success {
			actual++
			continue
		}
		if first || out.at <= actual {
			if available && (out.at != actual || r != tab.Invalid) {
				out.result = r
			}
			out.at = actual
		}
		return false
	}
}

// check asks a class about an operand.
func (s *statement) check(o *asmOp, class uint16) tab.Result {
	if class == tab.ClassEnd {
		return tab.Invalid
	}
	t := s.a.tab
	c := &t.Classes[class]
	val := o.val
	if o.shape.kind() == opToken {
		val = t.Token(o.tok)
	}
	row := c.Row(uint32(o.shape))
	if row == nil {
		return c.Default
	}
	if row.Set >= 0 && InSet(&t.Sets[row.Set], val) {
		return tab.Success
	}
	return row.Miss
}

// InSet reports whether a set has a value.
func InSet(set *tab.Set, v int64) bool {
	l := set.Values
	switch set.Kind {
	case tab.SetRange:
		return v >= l[0] && v <= l[1] && (v-l[0])%l[2] == 0
	case tab.SetSpecial:
		return specialSet(int(l[0]), l[1:], v)
	}
	i := sort.Search(len(l), func(i int) bool { return l[i] >= v })
	return i < len(l) && l[i] == v
}

// tied holds operands to be the same registers that the form wants so.
func (s *statement) tied(e *tab.Entry) (at int, ok bool) {
	row := s.a.tab.Conversions[e.Convert]
	for i := 0; i+1 < len(row); i += 2 {
		if row[i] != convertTied {
			continue
		}
		t := s.a.tab.Tied[row[i+1]]
		if t[1] == t[2] || int(t[1]) >= len(s.ops) || int(t[2]) >= len(s.ops) {
			continue
		}
		if !s.same(&s.ops[t[1]], &s.ops[t[2]]) {
			return int(t[2]), false
		}
	}
	return 0, true
}

// same compares two registers or lists.
func (s *statement) same(a, b *asmOp) bool {
	if a.shape.kind() == opList && b.shape.kind() == opList {
		return a.val == b.val && a.shape>>16 == b.shape>>16 && a.shape>>8&0xff == b.shape>>8&0xff
	}
	if !isRegister(a) || !isRegister(b) {
		return false
	}
	if a.shape.kind() != opScalar || b.shape.kind() != opScalar {
		return a.shape.kind() == b.shape.kind() && a.val == b.val
	}
	switch {
	case a.eq == equalsReg && b.eq == equalsReg:
		return a.reg == b.reg
	case a.eq == equalsSuper:
		return s.a.wide(a.reg) == b.reg
	case a.eq == equalsSub:
		return s.a.narrow(a.reg) == b.reg
	case b.eq == equalsSuper:
		return s.a.wide(b.reg) == a.reg
	}
	return s.a.narrow(b.reg) == a.reg
}

func isRegister(o *asmOp) bool {
	switch o.shape.kind() {
	case opScalar, opNeon, opSVE, opPred, opCounter, opTable:
		return true
	}
	return false
}

// maxDistance is how many letters may differ in a mnemonic that is proposed.
const maxDistance = 2

// similar lists mnemonics that are nearly the word.
func (s *statement) similar(word string) string {
	has := s.a.features(s.st)
	var near []string
	t := s.a.tab
next:
	for i := range t.Mnemonics {
		m := &t.Mnemonics[i]
		d := len(m.Name) - len(word)
		if d > maxDistance || d < -maxDistance || editdistance.Indel(m.Name, word) > maxDistance {
			continue
		}
		for k := range m.Entries[0] {
			ok := true
			for _, f := range t.FeatureSets[m.Entries[0][k].Features] {
				ok = ok && has[f]
			}
			if ok {
				near = append(near, m.Name)
				continue next
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	return ", did you mean: " + strings.Join(near, ", ") + "?"
}

// emit matches what was read, checks the instruction and emits it.
func (s *statement) emit() error {
	if err := s.rewrite(); err != nil {
		return err
	}
	out := s.match(1)
	if out.result != tab.Success {
		short := out
		if out = s.match(0); out.result == tab.Invalid && out.at == 1 && len(s.ops) > 1 && s.ops[1].shape.kind() == opToken && s.ops[1].suffix {
			out = short
		}
	}
	if out.result == tab.Success {
		if err := s.validate(); err != nil {
			return err
		}
		return s.p.Emit(&s.in)
	}
	return s.refusal(out)
}

// place is where an operand stands.
func (s *statement) place(n int) int {
	if at := s.ops[n].start; at >= 0 {
		return at
	}
	return 0
}

func (s *statement) refusal(out outcome) error {
	at := s.place(0)
	switch out.result {
	case tab.Missing:
		msg := "instruction requires:"
		for _, f := range out.missing {
			msg += " " + s.a.tab.Features[f].Name
		}
		return fail(at, msg)
	case tab.NoMnemonic:
		return fail(at, "unrecognized instruction mnemonic"+s.similar(s.ops[0].tok))
	}
	if out.at >= len(s.ops) {
		return &mc.ParseError{Start: at, End: len(s.text), Msg: "too few operands for instruction"}
	}
	if out.at >= 0 {
		at = s.place(out.at)
	}
	switch out.result {
	case tab.InvalidTied:
		return fail(at, tiedWords(&s.ops[out.at]))
	case tab.Invalid:
		if out.at >= 0 && s.ops[out.at].shape.kind() == opToken && s.ops[out.at].suffix {
			return fail(at, "invalid type suffix for instruction")
		}
	}
	return fail(at, s.a.tab.Words[out.result])
}

func tiedWords(o *asmOp) string {
	switch {
	case o.shape.kind() == opList:
		return "operand must match destination register list"
	case o.eq == equalsSuper:
		return "operand must be 32-bit form of destination register"
	case o.eq == equalsSub:
		return "operand must be 64-bit form of destination register"
	}
	return "operand must match destination register"
}

// popcount counts the tiles of a mask.
func popcount(v int64) int { return bits.OnesCount64(uint64(v)) }
