package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// decBuilder makes the decoder's table. Rows that are equal are kept once.
type decBuilder struct {
	d     *decoding
	b     *builder
	t     *desc.DecoderTable
	forms map[desc.ImmFormat]uint16
	xform map[desc.DecXform]uint16
}

func newDecBuilder(d *decoding) *decBuilder {
	g := &decBuilder{d: d, b: &builder{names: map[string]desc.Name{"": 0}, lists: map[string]uint32{}},
		t: &desc.DecoderTable{BigEndian: d.big}, forms: map[desc.ImmFormat]uint16{}, xform: map[desc.DecXform]uint16{}}
	g.t.Nodes = []desc.DecNode{{}}
	g.t.Formats = []desc.ImmFormat{{}}
	return g
}

// table makes the table of what is known, in the order that is known.
func (d *decoding) table() *desc.DecoderTable {
	g := newDecBuilder(d)
	for _, s := range d.spots {
		s.nodes = map[string]uint32{}
		sizes := map[int][]int{}
		instr := make([]uint32, len(s.list))
		for i, e := range s.list {
			if e.skipped == "" {
				sizes[e.size] = append(sizes[e.size], i)
				instr[i] = g.instr(e)
			}
		}
		for size := range 17 {
			if l := sizes[size]; len(l) > 0 {
				sort.SliceStable(l, func(i, j int) bool { return s.list[l[i]].mask.popcount() > s.list[l[j]].mask.popcount() })
				root := g.tree(s, l, instr, code{})
				g.t.Spaces = append(g.t.Spaces, desc.DecSpace{Name: g.b.name(s.mode), Root: root, Size: uint8(size)})
			}
		}
		g.skips(s)
	}
	g.t.Names = g.b.blob.String()
	return g.t
}

// instr makes the row of an entry.
func (g *decBuilder) instr(e *entry) uint32 { return g.instrOf(e, false, "") }

// instrOf makes the row of an entry, always one that should not be so with doubtful.
// Rows that have conditions beside are kept once for each of these.
func (g *decBuilder) instrOf(e *entry, doubtful bool, conditions string) uint32 {
	n := (e.size + 7) / 8
	mask, value, soft := e.mask, e.fixed.and(e.mask), e.soft != code{}
	words := append(append([]uint64(nil), mask[:n]...), value[:n]...)
	if soft {
		mask, value = e.soft, e.fixed.and(e.soft)
		if doubtful {
			value = value.xor(e.soft)
		}
		words = append(append(words, mask[:n]...), value[:n]...)
	}
	r := desc.DecInstr{Op: e.op, NumOps: uint8(len(e.ops)), NumWords: uint8(n), Soft: soft, Incomplete: true, Words: once(g.b, &g.t.Words, "w", words)}
	if terms := g.d.terms(&e.cond); len(terms) > 0 {
		r.Features = desc.FeatureCond{First: uint16(once(g.b, &g.t.Terms, "t", terms)), Num: uint16(len(terms))}
	}
	if e.method != "" {
		name := g.b.name(e.method)
		if !slices.Contains(g.t.Methods, name) {
			g.t.Methods = append(g.t.Methods, name)
		}
		r.Method = uint16(slices.Index(g.t.Methods, name) + 1)
	}
	var ops []desc.DecOp
	for k := range e.ops {
		ops = append(ops, g.operand(&e.ops[k]))
	}
	r.Ops = once(g.b, &g.t.Ops, "o", ops)
	return once(g.b, &g.t.Instrs, "i"+conditions, []desc.DecInstr{r})
}

func (g *decBuilder) operand(o *decOperand) desc.DecOp {
	if len(o.at) == 0 {
		if o.kind == kindReg {
			return desc.DecOp{Kind: desc.DecFixedReg, Arg: uint16(o.value)}
		}
		return desc.DecOp{Kind: desc.DecImm, Fixed: uint64(o.value)}
	}
	op := desc.DecOp{}
	op.Segs, op.NumSegs = g.segments(o.at)
	form := number(g.forms, o.format, func() int {
		if o.format == (desc.ImmFormat{}) {
			return 0
		}
		g.t.Formats = append(g.t.Formats, o.format)
		return len(g.t.Formats) - 1
	})
	if o.xform == (desc.DecXform{}) && o.format.Bits > 0 {
		op.Kind, op.Arg = desc.DecImm, form
		return op
	}
	x := o.xform
	x.Format = form
	x.First, x.Num = once(g.b, &g.t.Maps, "m", o.maps), uint32(len(o.maps))
	op.Kind = desc.DecXformed
	op.Arg = number(g.xform, x, func() int { g.t.Xforms = append(g.t.Xforms, x); return len(g.t.Xforms) - 1 })
	return op
}

// segments are the bits of a field.
func (g *decBuilder) segments(at []int) (first uint32, n uint8) {
	var segs []desc.BitSeg
	for i := 0; i < len(at); {
		j := i + 1
		for j < len(at) && at[j] == at[j-1]+1 {
			j++
		}
		segs = append(segs, desc.BitSeg{Value: uint16(i), Inst: uint16(at[i]), Len: uint16(j - i)})
		i = j
	}
	return once(g.b, &g.t.Segs, "s", segs), uint8(len(segs))
}

// tree makes the node of a list of entries. Those that do not fix the bits of a
// switch are in all its cases, so that a leaf has all that fit, in order.
func (g *decBuilder) tree(s *spaceEntries, list []int, instr []uint32, known code) uint32 {
	if len(list) == 0 {
		return 0
	}
	from, n := -1, 0
	if len(list) > 2 {
		from, n = g.split(s, list, known)
	}
	if n == 0 {
		return g.leaf(s, list, instr)
	}
	key := fmt.Sprint(list, known)
	if at, ok := s.nodes[key]; ok {
		return at
	}
	for k := from; k < from+n; k++ {
		known[k/64] |= 1 << (k % 64)
	}
	var cases []desc.DecCase
	by := make([][]int, 1<<n)
	for _, i := range list {
		e := s.list[i]
		m, v := fieldBits(e.mask, from, n), fieldBits(e.fixed, from, n)
		for x := range by {
			if uint64(x)&m == v&m {
				by[x] = append(by[x], i)
			}
		}
	}
	for x, l := range by {
		if at := g.tree(s, l, instr, known); at != 0 {
			cases = append(cases, desc.DecCase{Value: uint32(x), Node: at})
		}
	}
	node := desc.DecNode{From: uint16(from), Len: uint8(n), Num: uint16(len(cases)), First: uint32(len(g.t.Cases))}
	g.t.Cases = append(g.t.Cases, cases...)
	g.t.Nodes = append(g.t.Nodes, node)
	s.nodes[key] = uint32(len(g.t.Nodes) - 1)
	return s.nodes[key]
}

func fieldBits(c code, from, n int) (v uint64) {
	for k := range n {
		v |= c[(from+k)/64] >> ((from + k) % 64) & 1 << k
	}
	return v
}

// split finds the bits that divide a list best: the run with the least sum of
// squares of what is left in its cases.
func (g *decBuilder) split(s *spaceEntries, list []int, known code) (from, n int) {
	size := s.list[list[0]].size * 8
	best := float64(len(list)) * 0.95
	for at := range size {
		if known[at/64]>>(at%64)&1 != 0 {
			continue
		}
		for l := 1; l <= 8 && at+l <= size; l++ {
			if k := at + l - 1; known[k/64]>>(k%64)&1 != 0 {
				break
			}
			var count [256]int
			total := 0
			for _, i := range list {
				m, v := fieldBits(s.list[i].mask, at, l), fieldBits(s.list[i].fixed, at, l)
				free := ^m & (1<<l - 1)
				for x := free; ; x = (x - 1) & free { // all subsets
					count[v&m|x]++
					total++
					if x == 0 || total > 3*len(list) {
						break
					}
				}
				if total > 3*len(list) {
					break
				}
			}
			if total > 3*len(list) || l > 2 && total > 2*len(list) {
				continue
			}
			sum := 0.0
			for _, c := range count[:1<<l] {
				sum += float64(c) * float64(c)
			}
			// What a decoder looks at, with a toll for copies and for width.
			if cost := sum/float64(len(list)) + 0.3*float64(total-len(list))/float64(len(list)) + 0.01*float64(l); cost < best {
				best, from, n = cost, at, l
			}
		}
	}
	return from, n
}

// leaf chains entries in the order in which they are tried.
func (g *decBuilder) leaf(s *spaceEntries, list []int, instr []uint32) uint32 {
	list = s.ordered(list)
	key := fmt.Sprint("leaf", list)
	if at, ok := s.nodes[key]; ok {
		return at
	}
	rest := uint32(0)
	for _, i := range slices.Backward(list) {
		g.t.Nodes = append(g.t.Nodes, desc.DecNode{First: instr[i], Rest: rest})
		rest = uint32(len(g.t.Nodes) - 1)
	}
	s.nodes[key] = rest
	return rest
}

// ordered puts entries that are known to come before others there.
func (s *spaceEntries) ordered(list []int) []int {
	if s.inOrder {
		return slices.Sorted(slices.Values(list))
	}
	left := slices.Clone(list)
	var out []int
	for len(left) > 0 {
		pick := 0
		for k, b := range left {
			if !slices.ContainsFunc(left, func(a int) bool { return a != b && s.before[[2]int{a, b}] > s.before[[2]int{b, a}] }) {
				pick = k
				break
			}
		}
		out = append(out, left[pick])
		left = slices.Delete(left, pick, pick+1)
	}
	return out
}

// skips learns how many bytes are left out where words mean nothing.
func (g *decBuilder) skips(s *spaceEntries) {
	if len(s.views) == 0 {
		return
	}
	if s.sizes != "" {
		g.t.Skips = append(g.t.Skips, desc.DecSkip{Name: g.b.name(s.mode), At: s.sizesAt, Sizes: g.b.name(s.sizes)})
		return
	}
	d := g.d
	d.see(s.views[0])
	const per, size = 12, 16
	qs := make([]question, 0, 256*256)
	for x := range 256 * per {
		raw := make([]byte, size)
		for k := range raw {
			raw[k] = byte(d.rnd.Uint32())
		}
		raw[0] = byte(x)
		qs = append(qs, question{want: wantRaw | wantDecode, raw: raw})
		raw = slices.Clone(raw)
		raw[0], raw[1] = byte(d.rnd.Uint32()), byte(x)
		qs = append(qs, question{want: wantRaw | wantDecode, raw: raw})
	}
	if d.err != nil {
		return
	}
	as, err := d.p.ask(qs)
	if d.err = err; err != nil {
		return
	}
	for at := range 2 {
		sizes, clear, seen := [256]byte{}, true, [256][size + 1]int{}
		for i, a := range as {
			if a.decodeOK || a.decSize == 0 || a.decSize > size {
				continue
			}
			x := qs[i].raw[at]
			seen[x][a.decSize]++
			if old := sizes[x]; old == 0 || seen[x][a.decSize] > seen[x][old] {
				sizes[x] = byte(a.decSize)
			}
			clear = clear && seen[x][a.decSize] == seen[x][0]+1
			seen[x][0]++
		}
		// Where nothing is wrong, what others have most.
		var count [256]int
		most := 0
		for _, n := range sizes {
			if count[n]++; n > 0 && (most == 0 || count[n] > count[most]) {
				most = int(n)
			}
		}
		for i := range sizes {
			if sizes[i] == 0 {
				sizes[i] = byte(most)
			}
		}
		if clear || at == 1 {
			if !clear {
				fmt.Printf("  mode %q: what is skipped does not follow one byte\n", s.mode)
			}
			s.sizes, s.sizesAt = string(sizes[:]), uint8(at)
			g.skips(s)
			return
		}
	}
}

// verdicts count what a decoder says about words.
type verdicts struct{ same, other, operands, onlyOurs, onlyTheirs, refused int }

// refine holds the table to LLVM and puts entries before others until nothing changes.
func (d *decoding) refine(name string, verbose bool) *desc.DecoderTable {
	for _, s := range d.spots {
		for _, e := range s.list {
			if e.skipped == "" && !d.holds(&e.cond, d.bits[e.view]) {
				// What was seen alone is not so with all else.
				e.cond.not = slices.DeleteFunc(e.cond.not, func(f int) bool { return !d.holds(&condition{not: []int{f}}, d.bits[e.view]) })
				if !d.holds(&e.cond, d.bits[e.view]) {
					e.cond.any = nil
				}
			}
			d.divided(e)
		}
	}
	for round := 0; ; round++ {
		t := d.table()
		dec, err := table.NewDecoder(t, d.info, nil)
		if err != nil {
			d.err = err
		}
		if d.err != nil {
			return nil
		}
		v := verdicts{}
		changes := 0
		shown := map[string]int{}
		for _, s := range d.spots {
			changes += d.compare(s, dec, &v, shown)
		}
		fmt.Printf("%s: round %d: %+v, %d orders\n", name, round, v, changes)
		if changes == 0 || round == 6 {
			// Orders that are still found are of words that mean one or the other by their operands.
			if verbose {
				var keys []string
				for k := range shown {
					keys = append(keys, k)
				}
				sort.Slice(keys, func(i, j int) bool {
					return shown[keys[i]] > shown[keys[j]] || shown[keys[i]] == shown[keys[j]] && keys[i] < keys[j]
				})
				for _, k := range keys[:min(len(keys), 60)] {
					fmt.Printf("  %5d %s\n", shown[k], k)
				}
			}
			return t
		}
	}
}

// compare decodes words of each entry in each view.
func (d *decoding) compare(s *spaceEntries, dec *table.Decoder, n *verdicts, shown map[string]int) (changes int) {
	index := map[desc.Opcode][]int{}
	for i, e := range s.list {
		if e.skipped == "" {
			index[e.op] = append(index[e.op], i)
		}
	}
	var in mc.Inst
	for _, v := range s.views {
		d.see(v)
		st := &mc.Subtarget{Info: d.info, Features: d.bits[v]}
		for a0, e := range s.list {
			if e.skipped != "" || !d.holds(&e.cond, d.bits[v]) {
				continue
			}
			ws := make([]code, 12)
			for i := range ws {
				ws[i] = d.random(e)
			}
			for i, a := range d.words(ws, e.size) {
				_, status := dec.Decode(s.mode, st, ws[i].bytes(e.size, d.big), 0, &in)
				ours, theirs := "refused", "refused"
				if status != table.Fail {
					ours = d.info.OpcodeName(in.Op)
				}
				if a.decodeOK {
					theirs = d.info.OpcodeName(a.decOp)
				}
				switch {
				case status == table.Fail && !a.decodeOK:
					n.refused++
					continue
				case status == table.Fail:
					n.onlyTheirs++
				case !a.decodeOK:
					n.onlyOurs++
				case in.Op != a.decOp:
					n.other++
					for _, b := range index[a.decOp] {
						for _, x := range index[in.Op] {
							if s.list[b].size == s.list[x].size && a.decSize == e.size && ws[i].and(s.list[b].mask) == s.list[b].fixed.and(s.list[b].mask) {
								s.before[[2]int{b, x}]++
								changes++
							}
						}
					}
				case !d.sameInst(e, &in, a.decOps):
					n.operands++
					theirs += fmt.Sprintf(" %x %v %v", ws[i].bytes(e.size, d.big), in.Ops, a.decOps)
					theirs, _, _ = strings.Cut(theirs, "\n")
				default:
					n.same++
					continue
				}
				_ = a0
				shown[s.mode+" "+ours+", LLVM "+theirs]++
			}
		}
	}
	return changes
}

// sameInst compares what we decoded with LLVM's.
func (d *decoding) sameInst(e *entry, in *mc.Inst, ops []operand) bool {
	d.signed(e, ops)
	if len(in.Ops) != len(ops) {
		return false
	}
	for k, o := range in.Ops {
		switch {
		case o.IsReg() && (ops[k].kind != kindReg || int64(o.Reg()) != ops[k].val), o.IsImm() && (ops[k].kind != kindImm || o.Imm() != ops[k].val):
			return false
		}
	}
	return true
}
