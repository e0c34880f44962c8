package targetinfo

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// bitRange is a place in a register in bits, desc.NoBits where it makes no
// sense.
type bitRange struct{ size, offset uint16 }

// subRegIndex is a way to name a part of a register.
type subRegIndex struct {
	rec    *tablegen.Record // nil for one that is inferred
	name   string
	num    int
	ranges []bitRange // by hardware mode
	// composed[x] is y where reg:self:x is reg:y.
	composed ordered[*subRegIndex, *subRegIndex]
	// parts are leaf indices that this one is the concatenation of.
	parts     []*subRegIndex
	partsDone bool
	// artificial says that only artificial registers are met at this index.
	artificial bool
	// covered says that all registers with the index are covered by their parts.
	covered bool
	lanes   desc.LaneMask
	laneOps []desc.LaneOp
}

func (x *subRegIndex) number() int { return x.num }

// register is a register or one of a tuple.
type register struct {
	rec     *tablegen.Record
	name    string
	num     int
	aliases []*register
	// explicit are the sub-registers that the record names.
	explicit    []*register
	explicitIdx []*subRegIndex
	// leading are registers covered by their parts whose first part is this one.
	leading []*register
	subs    ordered[*subRegIndex, *register]
	idxOf   map[*register]*subRegIndex
	supers  []*register
	topo    int

	units      []int // sorted; those of sub-registers included
	native     []int // units without those that balance weights
	lanes      []desc.LaneMask
	covered    bool // CoveredBySubRegs
	disjunct   bool // several disjunct sub-registers
	artificial bool
	constant   bool
	state      graphState
	superDone  bool
}

func (r *register) number() int { return r.num }

type graphState uint8

const (
	stateNew graphState = iota
	stateBusy
	stateDone
)

// numbered is what has a number in its table.
type numbered interface {
	comparable
	number() int
}

// ordered is a map in the order of the keys' numbers.
type ordered[K, V numbered] struct {
	keys []K
	vals []V
}

func (m *ordered[K, V]) find(k K) (int, bool) {
	n := k.number()
	i := sort.Search(len(m.keys), func(i int) bool { return m.keys[i].number() >= n })
	return i, i < len(m.keys) && m.keys[i] == k
}

func (m *ordered[K, V]) get(k K) (V, bool) {
	if i, ok := m.find(k); ok {
		return m.vals[i], true
	}
	var none V
	return none, false
}

// insert adds a pair where the key is new; ok tells.
func (m *ordered[K, V]) insert(k K, v V) (old V, ok bool) {
	i, has := m.find(k)
	if has {
		return m.vals[i], false
	}
	m.keys = slices.Insert(m.keys, i, k)
	m.vals = slices.Insert(m.vals, i, v)
	return old, true
}

func (b *builder) readSubRegIndices() {
	b.idxByRec = map[*tablegen.Record]*subRegIndex{}
	for _, r := range b.derived("SubRegIndex") {
		x := b.newIndex(r.Name)
		x.rec = r
		b.idxByRec[r] = x
		for m := range x.ranges {
			x.ranges[m] = bitRange{uint16(r.Int("Size")), uint16(r.Int("Offset"))}
		}
		if sel := r.DefField("SubRegRanges"); sel != nil {
			for m, o := range b.byMode(sel) {
				if o != nil {
					x.ranges[m] = bitRange{uint16(o.Int("Size")), uint16(o.Int("Offset"))}
				}
			}
		}
	}
	for _, x := range slices.Clone(b.indices) {
		if x.rec == nil {
			continue
		}
		if l := x.rec.DefList("ComposedOf"); len(l) == 2 {
			p, q := b.idxByRec[l[0]], b.idxByRec[l[1]]
			if p == nil || q == nil {
				b.fail(x.rec, "ComposedOf", "'%s' is composed of what is no sub-register index", x.name)
			} else if !p.compose(q, x) {
				b.fail(x.rec, "ComposedOf", "ambiguous ComposedOf: '%s' and another index both say that they are '%s' of '%s'", x.name, q.name, p.name)
			}
		} else if len(l) != 0 {
			b.fail(x.rec, "ComposedOf", "ComposedOf of '%s' must have exactly two entries", x.name)
		}
		if l := x.rec.DefList("CoveringSubRegIndices"); len(l) >= 2 {
			for _, r := range l {
				x.parts = append(x.parts, b.idxByRec[r])
			}
		} else if len(l) == 1 {
			b.fail(x.rec, "CoveringSubRegIndices", "CoveringSubRegIndices of '%s' must have two or more entries", x.name)
		}
	}
}

func (b *builder) newIndex(name string) *subRegIndex {
	x := &subRegIndex{name: name, num: len(b.indices) + 1, ranges: make([]bitRange, len(b.modes)), artificial: true, covered: true}
	for m := range x.ranges {
		x.ranges[m] = bitRange{desc.NoBits, desc.NoBits}
	}
	b.indices = append(b.indices, x)
	return x
}

// compose notes that y at x is z; false where something else is noted already.
func (x *subRegIndex) compose(y, z *subRegIndex) bool {
	old, ok := x.composed.insert(y, z)
	// An index that is inferred gets its place from the parts, where they have one.
	for m := range x.ranges {
		a, c, to := x.ranges[m], y.ranges[m], &z.ranges[m]
		if a.offset != desc.NoBits && c.offset != desc.NoBits && to.offset == desc.NoBits {
			*to = bitRange{c.size, a.offset + c.offset}
		}
	}
	return ok || old == z
}

// composite gives the index of y at x, which is made when there is none.
func (b *builder) composite(x, y *subRegIndex) *subRegIndex {
	if z, ok := x.composed.get(y); ok {
		return z
	}
	z := b.newIndex(x.name + "_then_" + y.name)
	x.compose(y, z)
	return z
}

// registerKey orders registers: by position, then the words of the names, then
// the numbers in them.
type registerKey struct {
	position int64
	words    []string
	numbers  []int
	total    int
}

func keyOf(r *tablegen.Record) registerKey {
	k := registerKey{position: r.Int("PositionOrder")}
	for s := r.Name; s != ""; k.total++ {
		digit := isDigit(s[0])
		i := 1
		for i < len(s) && isDigit(s[i]) == digit {
			i++
		}
		if digit {
			n := 0
			for _, c := range []byte(s[:i]) {
				n = n*10 + int(c-'0')
			}
			k.numbers = append(k.numbers, n)
		} else {
			k.words = append(k.words, s[:i])
		}
		s = s[i:]
	}
	return k
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (k *registerKey) compare(o *registerKey) int {
	if c := cmp.Compare(k.position, o.position); c != 0 {
		return c
	}
	if c := cmp.Compare(k.total, o.total); c != 0 {
		return c
	}
	for i := range min(len(k.words), len(o.words)) {
		if c := strings.Compare(k.words[i], o.words[i]); c != 0 {
			return c
		}
	}
	for i := range min(len(k.numbers), len(o.numbers)) {
		if c := cmp.Compare(k.numbers[i], o.numbers[i]); c != 0 {
			return c
		}
	}
	return 0
}

func sortRegisters(l []*tablegen.Record) {
	keys := make(map[*tablegen.Record]registerKey, len(l))
	for _, r := range l {
		keys[r] = keyOf(r)
	}
	slices.SortStableFunc(l, func(x, y *tablegen.Record) int {
		a, c := keys[x], keys[y]
		return a.compare(&c)
	})
}

// maxRegisters is what 16-bit numbers hold.
const maxRegisters = 1<<16 - 1

// readRegisters numbers the registers and the tuples.
func (b *builder) readRegisters() {
	b.regByRec = map[*tablegen.Record]*register{}
	b.topoSigs = map[string]int{}
	b.concats = map[string]*subRegIndex{}
	b.sets = b.rs.Sets(map[string]string{"RegisterClass": "MemberList", "CalleeSavedRegs": "SaveList"})
	b.sets.AddExpander("RegisterTuples", b.tupleMaker())
	regs := slices.DeleteFunc(b.derived("Register"), func(r *tablegen.Record) bool { return r.Name == "zero_reg" })
	if len(regs) == 0 {
		if b.noRegisters {
			return
		}
		b.fail(nil, "", "the description has no registers (definitions of class Register)")
		return
	}
	tuples := b.derived("RegisterTuples")
	// LLVM numbers X86's tuples among the others.
	mixed := regs[0].IsSubClassOf("X86Reg")
	sortRegisters(regs)
	if !mixed {
		b.number(regs)
	}
	for _, t := range tuples {
		l, err := b.sets.Expand(t)
		if err != nil {
			b.failWith(t, err)
			return
		}
		if mixed {
			regs = append(regs, l...)
			continue
		}
		l = slices.Clone(l)
		sortRegisters(l)
		b.number(l)
	}
	if mixed {
		sortRegisters(regs)
		b.number(regs)
	}
	if len(b.regs) >= maxRegisters {
		b.fail(regs[0], "", "%d registers are more than the %d that a target can have", len(b.regs), maxRegisters)
	}
}

func (b *builder) number(l []*tablegen.Record) {
	for _, rec := range l {
		if b.regByRec[rec] != nil {
			continue
		}
		r := &register{rec: rec, name: rec.Name, num: len(b.regs) + 1, covered: rec.Bit("CoveredBySubRegs"),
			artificial: rec.Bit("isArtificial"), constant: rec.Bit("isConstant"), idxOf: map[*register]*subRegIndex{}, topo: -1}
		b.regs = append(b.regs, r)
		b.regByRec[rec] = r
	}
}

// buildRegisterGraph links registers, sub-registers and aliases.
func (b *builder) buildRegisterGraph() {
	for _, r := range b.regs {
		subs, idx := r.rec.DefList("SubRegs"), r.rec.DefList("SubRegIndices")
		if len(subs) != len(idx) {
			b.fail(r.rec, "SubRegs", "'%s' has %d sub-registers and %d sub-register indices", r.name, len(subs), len(idx))
			continue
		}
		for i := range subs {
			s, x := b.regByRec[subs[i]], b.idxByRec[idx[i]]
			switch {
			case s == nil:
				b.fail(r.rec, "SubRegs", "sub-register '%s' of '%s' is no register", subs[i].Name, r.name)
				continue
			case x == nil:
				b.fail(r.rec, "SubRegIndices", "'%s' of '%s' is no sub-register index", idx[i].Name, r.name)
				continue
			case s == r:
				b.fail(r.rec, "SubRegs", "register '%s' has itself as a sub-register", r.name)
				continue
			}
			r.explicit = append(r.explicit, s)
			r.explicitIdx = append(r.explicitIdx, x)
		}
		if r.covered && len(r.explicit) > 0 {
			r.explicit[0].leading = append(r.explicit[0].leading, r)
		}
		for _, a := range r.rec.DefList("Aliases") {
			if o := b.regByRec[a]; o == nil {
				b.fail(r.rec, "Aliases", "alias '%s' of '%s' is no register", a.Name, r.name)
			} else {
				r.aliases = append(r.aliases, o)
				o.aliases = append(o.aliases, r)
			}
		}
	}
}
