package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/target/aarch64/mctargetdesc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// majority gives the result that is most often.
func majority(count map[tab.Result]int) tab.Result {
	best, n := tab.Invalid, -1
	for r, c := range count {
		if c > n || c == n && r < best {
			best, n = r, c
		}
	}
	return best
}

// classes makes the rows of all classes.
func (l *learner) classes() {
	sort.Strings(l.tokens)
	l.t.Tokens = l.tokens
	renumber := map[int64]int64{}
	for i, s := range l.tokens {
		renumber[l.tokenAt[s]] = int64(i)
	}
	byShape := map[uint32][]int64{}
	for _, k := range sortedKeys(l.asked) {
		byShape[k.shape] = append(byShape[k.shape], k.val)
	}
	var shapes []uint32
	for s := range byShape {
		shapes = append(shapes, s)
	}
	sort.Slice(shapes, func(i, j int) bool { return shapes[i] < shapes[j] })
	inUse := map[uint16]bool{}
	for i := range l.t.Mnemonics {
		for _, es := range l.t.Mnemonics[i].Entries {
			for _, e := range es {
				for _, c := range e.Classes {
					inUse[c] = true
				}
			}
		}
	}
	for c := 1; c < len(l.t.Classes); c++ {
		taken := l.class(c, shapes, byShape, renumber)
		if !taken && inUse[uint16(c)] {
			l.tell("class %d takes nothing: %s", c, l.user(uint16(c)))
		}
	}
}

// user names mnemonics with a class.
func (l *learner) user(c uint16) string {
	s := ""
	for i := range l.t.Mnemonics {
		m := &l.t.Mnemonics[i]
		for _, e := range m.Entries[0] {
			for k, x := range e.Classes {
				if x == c && len(s) < 60 {
					s += fmt.Sprintf(" %s:%d", m.Name, k+1)
				}
			}
		}
	}
	return s
}

// class makes a class's rows; taken says that it takes something.
func (l *learner) class(c int, shapes []uint32, byShape map[uint32][]int64, renumber map[int64]int64) (taken bool) {
	k := &l.t.Classes[c]
	type row struct {
		shape uint32
		yes   []int64
		miss  tab.Result
		some  bool
	}
	var rows []row
	total := map[tab.Result]int{}
	kinds := map[uint32]map[tab.Result]int{}
	for _, s := range shapes {
		r := row{shape: s}
		miss := map[tab.Result]int{}
		for _, v := range byShape[s] {
			res := l.answers[c][key{s, v}]
			if res == tab.Success {
				r.yes = append(r.yes, v)
			} else {
				miss[res]++
			}
		}
		if r.some = len(miss) > 0; r.some {
			r.miss = majority(miss)
			if len(miss) > 1 && s>>24 != mctargetdesc.KindRange {
				l.tell("class %d: shape %08x has misses %v", c, s, miss)
			}
			total[r.miss]++
			if kinds[s>>24] == nil {
				kinds[s>>24] = map[tab.Result]int{}
			}
			kinds[s>>24][r.miss]++
		}
		rows = append(rows, r)
	}
	k.Default = majority(total)
	done := map[uint32]bool{}
	for _, r := range rows {
		kind := r.shape >> 24
		of := k.Default
		if m := kinds[kind]; m != nil {
			of = majority(m)
		}
		if !done[kind] && of != k.Default {
			k.Rows = append(k.Rows, tab.ClassRow{Shape: kind<<24 | tab.AnyShape, Set: -1, Miss: of})
		}
		done[kind] = true
		if !r.some {
			r.miss = of
		}
		if len(r.yes) == 0 {
			if r.miss != of {
				k.Rows = append(k.Rows, tab.ClassRow{Shape: r.shape, Set: -1, Miss: r.miss})
			}
			continue
		}
		taken = true
		k.Rows = append(k.Rows, tab.ClassRow{Shape: r.shape, Set: l.set(c, r.shape, r.yes, byShape[r.shape], renumber), Miss: r.miss})
	}
	sort.Slice(k.Rows, func(i, j int) bool { return k.Rows[i].Shape < k.Rows[j].Shape })
	return taken
}

// set gives the row of the set of values yes among all.
func (l *learner) set(class int, shape uint32, yes, all []int64, renumber map[int64]int64) int32 {
	s := tab.Set{Kind: tab.SetList, Values: yes}
	kind := shape >> 24
	switch {
	case kind == mctargetdesc.KindToken:
		s.Values = nil
		for _, v := range yes {
			s.Values = append(s.Values, renumber[v])
		}
		sort.Slice(s.Values, func(i, j int) bool { return s.Values[i] < s.Values[j] })
	case kind == mctargetdesc.KindSysReg && len(yes) == len(all):
		s = tab.Set{Kind: tab.SetRange, Values: []int64{0, 1 << 20, 1}}
	case kind == mctargetdesc.KindRange || kind == mctargetdesc.KindTiles || kind == mctargetdesc.KindFP:
	default:
		if r, ok := l.fitSet(yes, all); ok {
			s = r
		} else if (kind == mctargetdesc.KindImm || kind == mctargetdesc.KindShifted) && len(all) >= 300 {
			l.tell("class %d: shape %08x: %d of %d values have no rule: (%s) %s", class, shape, len(yes), len(all), l.user(uint16(class)), runs(yes, all))
		}
	}
	id := fmt.Sprint(s.Kind, s.Values)
	if n, ok := l.sets[id]; ok {
		return n
	}
	n := int32(len(l.t.Sets))
	l.t.Sets = append(l.t.Sets, s)
	l.sets[id] = n
	return n
}

// specials are sets that the target computes.
var specials = func() (out []tab.Set) {
	add := func(v ...int64) { out = append(out, tab.Set{Kind: tab.SetSpecial, Values: v}) }
	for _, w := range []int64{64, 32, 16, 8} {
		add(mctargetdesc.SpecialLogical, w, 0)
		add(mctargetdesc.SpecialLogical, w, 1)
		add(mctargetdesc.SpecialSVEMask, w)
		add(mctargetdesc.SpecialCopy, w)
		add(mctargetdesc.SpecialAdd, w)
		for sh := int64(0); sh < w; sh += 16 {
			add(mctargetdesc.SpecialMOVZ, w, sh)
			add(mctargetdesc.SpecialMOVN, w, sh)
		}
	}
	for _, by := range []int64{2, 4, 8, 16} {
		add(mctargetdesc.SpecialUnscaled, by)
	}
	add(mctargetdesc.SpecialByteMask)
	add(mctargetdesc.SpecialAddSub, 0)
	add(mctargetdesc.SpecialAddSub, 1)
	return out
}()

// fitSet finds a rule by which of all values those of yes are taken.
func (l *learner) fitSet(yes, all []int64) (tab.Set, bool) {
	in := map[int64]bool{}
	for _, v := range yes {
		in[v] = true
	}
	holds := func(s *tab.Set) bool {
		for _, v := range all {
			if mctargetdesc.InSet(s, v) != in[v] {
				return false
			}
		}
		return true
	}
	step := int64(1)
	if len(yes) > 1 {
		step = yes[1] - yes[0]
		for i := 2; i < len(yes); i++ {
			step = gcd(step, yes[i]-yes[i-1])
		}
	}
	r := tab.Set{Kind: tab.SetRange, Values: []int64{yes[0], yes[len(yes)-1], step}}
	if holds(&r) {
		return r, true
	}
	for i := range specials {
		if holds(&specials[i]) {
			return specials[i], true
		}
	}
	return tab.Set{}, false
}

// runs writes values as ranges of all.
func runs(yes, all []int64) string {
	in := map[int64]bool{}
	for _, v := range yes {
		in[v] = true
	}
	s := ""
	for i := 0; i < len(all); i++ {
		if !in[all[i]] {
			continue
		}
		j := i
		for j+1 < len(all) && in[all[j+1]] {
			j++
		}
		if s += fmt.Sprintf(" %d", all[i]); j > i {
			s += fmt.Sprintf("..%d", all[j])
		}
		i = j
	}
	return s
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// conversions makes the rows of kinds of conversions.
func (l *learner) conversions() {
	for kind := range l.outs {
		byShape := map[uint32][]key{}
		var shapes []uint32
		for _, k := range sortedKeys(l.outs[kind]) {
			if byShape[k.shape] == nil {
				shapes = append(shapes, k.shape)
			}
			byShape[k.shape] = append(byShape[k.shape], k)
		}
		for _, s := range shapes {
			c := tab.Convert{Shape: s}
			n := len(l.outs[kind][byShape[s][0]])
			bad := false
			for i := range n {
				o, ok := l.output(kind, i, byShape[s])
				if !ok {
					bad = true
					var show []string
					for _, k := range byShape[s][:min(12, len(byShape[s]))] {
						show = append(show, fmt.Sprint(k.val, "=", l.outs[kind][k]))
					}
					l.tell("conversion %d: shape %08x, operand %d has no rule: %s", kind, s, i, strings.Join(show, " "))
				}
				c.Outs = append(c.Outs, o)
			}
			if !bad {
				l.t.Kinds[kind] = append(l.t.Kinds[kind], c)
			}
		}
	}
}

// output finds what operand i of a conversion is for operands of a shape.
func (l *learner) output(kind, i int, keys []key) (tab.Out, bool) {
	same, regs, imms, exprs := true, true, true, true
	state := keys[0].shape>>24 == mctargetdesc.KindSysReg
	var pairs []int64
	for _, k := range keys {
		out := l.outs[kind][k]
		if i >= len(out) {
			return tab.Out{}, false
		}
		w, v, _ := strings.Cut(out[i], ":")
		regs, imms, exprs = regs && w == "r", imms && w == "i", exprs && w == "e"
		switch w {
		case "r":
			r, ok := l.regs[strings.ToUpper(v)]
			if !ok && v != "none" {
				return tab.Out{}, false
			}
			same = same && int64(r) == k.val && k.shape>>24 == mctargetdesc.KindScalar
			pairs = append(pairs, k.val, int64(r))
		case "i":
			var n int64
			fmt.Sscan(v, &n)
			state = state && n == l.state[k]
			pairs = append(pairs, k.val, n)
		}
	}
	switch {
	case exprs:
		return tab.Out{Kind: tab.OutExpr}, true
	case regs && same:
		return tab.Out{Kind: tab.OutSame}, true
	case regs:
		return tab.Out{Kind: tab.OutReg, Values: pairs}, true
	case imms && state:
		return tab.Out{Kind: tab.OutState}, true
	case imms:
		return fitOut(pairs, keys[0].shape>>24)
	}
	return tab.Out{}, false
}

// fitOut finds a rule from the first of each pair to the second.
func fitOut(pairs []int64, kind uint32) (tab.Out, bool) {
	holds := func(o *tab.Out) bool {
		for i := 0; i < len(pairs); i += 2 {
			if mctargetdesc.OutValue(o, pairs[i]) != pairs[i+1] {
				return false
			}
		}
		return true
	}
	var tries []tab.Out
	tries = append(tries, tab.Out{Kind: tab.OutImm, Values: []int64{1, 1, 0}}, tab.Out{Kind: tab.OutConst, Values: []int64{pairs[1]}})
	for _, div := range []int64{1, 2, 4, 8, 16, 3, 32, 64, 4096, 256} {
		for _, mul := range []int64{1, -1} {
			tries = append(tries, tab.Out{Kind: tab.OutImm, Values: []int64{mul, div, pairs[1] - pairs[0]*mul/div}})
		}
	}
	for i := range specials {
		tries = append(tries, tab.Out{Kind: tab.OutSpecial, Values: specials[i].Values})
	}
	for _, v := range [][]int64{{mctargetdesc.SpecialFP}, {mctargetdesc.SpecialScale, 0}, {mctargetdesc.SpecialScale, 1}, {mctargetdesc.SpecialScale, 8}, {mctargetdesc.SpecialShift, 0}, {mctargetdesc.SpecialShift, 1}, {mctargetdesc.SpecialShift, 8},
		{mctargetdesc.SpecialRangeFirst, 1}, {mctargetdesc.SpecialRangeFirst, 2}, {mctargetdesc.SpecialRangeFirst, 4}} {
		tries = append(tries, tab.Out{Kind: tab.OutSpecial, Values: v})
	}
	for i := range tries {
		if holds(&tries[i]) {
			return tries[i], true
		}
	}
	return tab.Out{Kind: tab.OutImmList, Values: pairs}, len(pairs) <= 600
}
