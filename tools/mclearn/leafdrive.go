package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// leafTargets are the targets whose decoders are read from LLVM's tables.
var leafTargets = map[string]struct {
	target
	spaces []leafSpace
	// sides are features that may change what a leaf's words become.
	sides []string
	// methods are the functions of the target that read the operands of opcodes of some names,
	// which no rows say.
	methods func(op string) string
}{
	"ARM": {target{"arm", []view{
		{"armv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+hwdiv-arm,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"armv7a-unknown-linux-gnueabihf", "", "+vfp4,+neon,+hwdiv-arm,+trustzone,+virtualization,+mp", -1},
		{"armv7a-unknown-linux-gnueabihf", "", "+vfp4,-neon,-d32", -1},
		{"armv8a-unknown-linux-gnueabihf", "", "+fp-armv8,-neon,-d32", -1},
		{"armv5te-unknown-linux-gnueabi", "", "+vfp2", -1},
		{"armv4-unknown-linux-gnueabi", "", "", -1},
		{"thumbv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"thumbv8.1m.main-none-eabi", "", "+mve.fp,+lob,+pacbti,+cdecp0,+cdecp1,+dsp,+fp64,+fullfp16,+8msecext", -1},
		{"thumbv7a-unknown-linux-gnueabihf", "", "+vfp4,+neon,+hwdiv,+trustzone,+virtualization,+mp", -1},
		{"thumbv7a-unknown-linux-gnueabihf", "", "+vfp4,-neon,-d32", -1},
		{"thumbv7em-none-eabi", "", "+vfp4", -1},
		{"thumbv8m.base-none-eabi", "", "+8msecext", -1},
		{"thumbv6m-none-eabi", "", "", -1},
		{"thumbv4t-none-eabi", "", "", -1},
		{"thumbv7m-none-eabi", "", "", -1},
		{"thumbv8m.main-none-eabi", "", "+8msecext,+fp-armv8d16sp", -1},
		{"thumbv8.1m.main-none-eabi", "", "+mve.fp,+lob,+pacbti,+dsp,+fp64,+fullfp16,+8msecext", -1},
	}, []mode{{"thumb", thumbViews}}, "", true}, []leafSpace{
		{name: "ARM32", size: 4, views: armViews},
		{name: "VFP32", size: 4, views: armViews, before: []string{"ARM32"}},
		{name: "VFPV832", size: 4, views: armViews, before: []string{"ARM32", "VFP32"}},
		{name: "NEONData32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832"}},
		{name: "NEONLoadStore32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832", "NEONData32"}},
		{name: "NEONDup32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832", "NEONData32", "NEONLoadStore32"}},
		{name: "v8NEON32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832", "NEONData32", "NEONLoadStore32", "NEONDup32"}},
		{name: "v8Crypto32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832", "NEONData32", "NEONLoadStore32", "NEONDup32", "v8NEON32"}},
		{name: "CoProc32", size: 4, views: armViews, before: []string{"ARM32", "VFP32", "VFPV832", "NEONData32", "NEONLoadStore32", "NEONDup32", "v8NEON32", "v8Crypto32"}},
		{name: "Thumb16", size: 2, views: thumbViews},
		{name: "ThumbSBit16", size: 2, views: thumbViews, before: []string{"Thumb16"}},
		{name: "Thumb216", size: 2, views: thumbViews, before: []string{"Thumb16", "ThumbSBit16"}},
		{name: "MVE32", size: 4, views: thumbViews, halves: true, before: []string{"Thumb16", "ThumbSBit16", "Thumb216"}},
		{name: "Thumb32", size: 4, views: thumbViews, halves: true, before: []string{"Thumb16", "ThumbSBit16", "Thumb216", "MVE32"}},
		{name: "Thumb232", size: 4, views: thumbViews, halves: true, before: []string{"Thumb16", "ThumbSBit16", "Thumb216", "MVE32", "Thumb32"}},
		{name: "Thumb2CDE32", size: 4, views: thumbViews, halves: true, before: []string{"Thumb16", "ThumbSBit16", "Thumb216", "MVE32", "Thumb32", "Thumb232"}},
		// What of VFP32 no ARM has; Thumb's condition there is always.
		{name: "VFPThumb32", table: "VFP32", size: 4, views: thumbViews, halves: true, rest: "VFP32", fixed: field4(28, 14), before: []string{"Thumb16", "ThumbSBit16", "Thumb216", "MVE32", "Thumb32", "Thumb232"}},
		{name: "Thumb2CoProc32", size: 4, views: coprocessorViews, halves: true, before: []string{"Thumb16", "ThumbSBit16", "Thumb216", "MVE32", "Thumb32", "Thumb232", "VFP32", "VFPV832", "NEONDup32"}},
	}, []string{"d32", "v8", "v8.1a", "mclass", "mve", "v7", "v6t2", "v6", "ras", "v5t", "v8.1m.main", "fullfp16", "thumb2", "v8m", "v8m.main", "neon", "v5te", "hwdiv", "dsp", "8msecext", "pacbti"}, armMethods},
}

// field4 is a leaf whose four bits from at on are v.
func field4(at int, v uint64) leaf { return leaf{}.field(at, 4, v) }

// armMethods names the functions of lists of registers that are a first one and a number, and
// of special registers, and of registers that stand in two places.
func armMethods(op string) string {
	if strings.HasPrefix(op, "VLDM") || strings.HasPrefix(op, "VSTM") || strings.HasPrefix(op, "FLDMX") || strings.HasPrefix(op, "FSTMX") || strings.HasPrefix(op, "VSCCLRM") {
		return "vfpList"
	}
	if op == "t2MSR_M" || op == "t2MRS_M" {
		return "mSystem"
	}
	if op == "t2CLZ" || op == "t2RBIT" || op == "t2REV" || op == "t2REV16" || op == "t2REVSH" {
		return "sameTwice"
	}
	return ""
}

var armViews = []int{0, 1, 2, 3, 4, 5}
var thumbViews = []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// coprocessorViews have no extension in the place of coprocessors.
var coprocessorViews = []int{14, 6, 16, 15, 8, 9, 10, 11, 12, 13}

// learnLeaves makes a target's decoder of the tables of LLVM's object file.
func learnLeaves(name, ask, object, out, only string, verbose bool) error {
	began := time.Now()
	t, ok := leafTargets[name]
	if !ok {
		return fmt.Errorf("its tables are not described")
	}
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	tables, err := facts.MachineCode(name)
	if err != nil {
		return err
	}
	d := &decoding{info: info, enc: tables.Encoder, big: tables.Encoder.BigEndian, t: t.target, rnd: rand.New(rand.NewPCG(4, 22)), split: -1}
	for _, v := range t.views {
		v.features = expand(info, v.features)
		d.full = append(d.full, v)
	}
	if d.p, err = start(ask, d.full[0]); err != nil {
		return err
	}
	defer d.p.close()
	for _, v := range d.full {
		b, err := d.p.subtarget(v)
		if err != nil {
			return err
		}
		d.bits = append(d.bits, b)
	}
	raw, err := decoderTables(object)
	if err != nil {
		return err
	}
	l := &leafLearner{d: d, byName: map[string]*leafSpace{}, active: map[string]map[int]map[int]bool{}}
	for i := range t.spaces {
		s := &t.spaces[i]
		if s.table == "" {
			s.table = s.name
		}
		if raw[s.table] == nil {
			return fmt.Errorf("no table %s in %s", s.table, object)
		}
		if s.leaves, err = readLeaves(raw[s.table]); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for k := range s.leaves {
			f := &s.leaves[k]
			f.fixed = f.fixed.xor(f.fixed.and(s.fixed.mask)).or(s.fixed.fixed)
			f.mask = f.mask.or(s.fixed.mask)
		}
		l.spaces = append(l.spaces, s)
		l.byName[s.name] = s
	}
	l.findActive()
	for _, s := range l.spaces {
		for at := range s.leaves {
			if f := &s.leaves[at]; only == "" || info.OpcodeName(f.op) == only {
				if o := l.byName[s.rest]; o != nil && only == "" && o.learned[at].why != noSubtarget {
					continue
				}
				s.learned = append(s.learned, l.learnSides(s, at, t.sides, t.methods(info.OpcodeName(f.op))))
			}
		}
		if d.err != nil {
			return d.err
		}
		l.conditions(s)
		l.report(s, verbose || only != "", only != "")
	}
	if only != "" || d.err != nil {
		return d.err
	}
	table := l.table()
	data := facts.AppendDecoder(nil, table)
	fmt.Printf("%s: %d instructions, %d nodes, %d bytes, %d questions, %.0f s\n", name, len(table.Instrs), len(table.Nodes), len(data), d.p.asked, time.Since(began).Seconds())
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_dis_"+t.file+".bin"), data, 0o666)
}

// learnSides learns a leaf in all views, which may differ. What is rare may be missed
// in one, which looks as if they did: then all begins again.
func (l *leafLearner) learnSides(s *leafSpace, at int, dims []string, method string) (n *learnedLeaf) {
	if method != "" {
		return l.methodLeaf(s, at, method)
	}
	for range 4 {
		if n = l.trySides(s, at, dims); n.why == "" || n.why == noSubtarget {
			break
		}
	}
	return n
}

// methodLeaf is a leaf whose operands a function of the target reads.
func (l *leafLearner) methodLeaf(s *leafSpace, at int, method string) *learnedLeaf {
	f := &s.leaves[at]
	n := &learnedLeaf{leaf: f, at: at, why: noSubtarget, method: method}
	for _, v := range s.views {
		if !l.on(s, f, v) || n.why == "" {
			continue
		}
		l.d.see(v)
		l.outs, l.list, l.listReg = nil, nil, nil
		var ws []code
		for range 200 {
			ws = append(ws, l.random(s, f))
		}
		for _, p := range l.sampled(s, at, v, ws) {
			if o := &l.outs[p.out]; o.kind == outDecode && o.op == f.op && len(n.good) < 16 {
				n.good = append(n.good, p.w)
			}
		}
		if len(n.good) > 0 {
			n.why, n.view = "", v
			n.sides = []leafSide{{views: []int{v}, rows: []leafRow{{mask: f.mask, fixed: f.fixed, out: outcome{kind: outDecode, op: f.op}}}}}
		}
	}
	return n
}

const noSubtarget = "no subtarget reads it"

func (l *leafLearner) trySides(s *leafSpace, at int, dims []string) *learnedLeaf {
	f := &s.leaves[at]
	n := &learnedLeaf{leaf: f, at: at, why: noSubtarget}
	for _, v := range s.views {
		if !l.on(s, f, v) {
			continue
		}
		l.d.see(v)
		known := false
		if len(n.sides) > 0 {
			l.outs = nil
			var ws []code
			for range 1000 {
				ws = append(ws, l.random(s, f))
			}
			more := l.sampled(s, at, v, ws)
			for i := range n.sides {
				side := &n.sides[i]
				if !slices.ContainsFunc(more, func(p leafSample) bool { return !rowsSay(side.rows, &p, l.outs) }) {
					side.views = append(side.views, v)
					known = true
					break
				}
			}
		}
		if known {
			continue
		}
		rows, good, why := l.learnLeaf(s, at, v)
		switch {
		case why == noWord:
			continue
		case why != "":
			n.why = why
			return n
		}
		if len(n.sides) == 0 {
			n.view, n.good = v, good
		}
		n.why = ""
		n.sides = append(n.sides, leafSide{rows: rows, views: []int{v}})
	}
	if len(n.sides) > 1 && !l.tellApart(s, n, dims) {
		n.why = "what tells its sides apart is not known"
	}
	return n
}

// tellApart finds the features that the sides of a leaf follow.
func (l *leafLearner) tellApart(s *leafSpace, n *learnedLeaf, dims []string) bool {
	// settles reports that a feature alone brings the side about in a view of others.
	settles := func(i, f int, on bool) bool {
		for j := range n.sides {
			if i == j {
				continue
			}
			v := n.sides[j].views[0]
			x := l.d.full[v]
			sign := "-"
			if on {
				sign = "+"
			}
			x.features = strings.TrimPrefix(x.features+","+l.d.featureText(sign, []int{f}), ",")
			if !l.d.seeView(x) {
				return false
			}
			l.outs = nil
			var ws []code
			for range 600 {
				ws = append(ws, l.random(s, n.leaf))
			}
			for _, p := range l.sampled(s, n.at, v, ws) {
				if !rowsSay(n.sides[i].rows, &p, l.outs) {
					return false
				}
			}
		}
		return true
	}
	var fs []int
	for _, d := range dims {
		if f, ok := l.d.info.FeatureByName(d); ok {
			fs = append(fs, f)
		}
	}
	is := func(f, v int) bool { return l.d.holds(&condition{all: []int{f}}, l.d.bits[v]) }
	for i := range n.sides {
		side := &n.sides[i]
		apart := func(on, off []int) bool {
			for j := range n.sides {
				for _, v := range n.sides[j].views {
					ok := !slices.ContainsFunc(on, func(f int) bool { return !is(f, v) }) && !slices.ContainsFunc(off, func(f int) bool { return is(f, v) })
					if ok != (i == j) {
						return false
					}
				}
			}
			if len(on)+len(off) == 1 && !settles(i, append(on, off...)[0], len(on) == 1) {
				return false
			}
			side.on, side.off = on, off
			return true
		}
		if !divides(fs, 3, nil, nil, apart) {
			return false
		}
	}
	return true
}

// divides looks for at most n features that are on or off and divide.
func divides(fs []int, n int, on, off []int, apart func(on, off []int) bool) bool {
	if n == 0 {
		return false
	}
	for _, more := range [...]bool{false, true} {
		for i, f := range fs {
			for _, is := range [...]bool{true, false} {
				a, b := slices.Clone(on), slices.Clone(off)
				if is {
					a = append(a, f)
				} else {
					b = append(b, f)
				}
				if !more && apart(a, b) || more && divides(fs[i+1:], n-1, a, b, apart) {
					return true
				}
			}
		}
	}
	return false
}

// conditions learns what leaves ask of features. Those with the same conditions in
// LLVM's table have the same answer: that of most.
func (l *leafLearner) conditions(s *leafSpace) {
	inMode := ""
	for _, m := range l.d.t.modes {
		if slices.Contains(m.views, s.views[0]) {
			inMode = m.name
		}
	}
	// A word that means it in most subtargets asks for the least beside.
	for _, n := range s.learned {
		count := make([]int, len(n.good))
		for _, v := range s.views {
			if len(n.good) == 0 || !l.on(s, n.leaf, v) {
				continue
			}
			l.d.see(v)
			for i, a := range l.ask(s, n.good) {
				if a.decodeOK && a.decOp == n.op {
					count[i]++
				}
			}
		}
		if len(n.good) > 0 {
			at := slices.Index(count, slices.Max(count))
			n.good[0], n.good[at] = n.good[at], n.good[0]
		}
	}
	spot := &spaceEntries{mode: inMode, views: s.views}
	by := map[*entry]*learnedLeaf{}
	for _, n := range s.learned {
		if len(n.good) == 0 {
			continue
		}
		e := &entry{op: n.op, size: s.size, view: n.view}
		for _, w := range n.good {
			e.good = append(e.good, codeOf(s.bytes(w, l.d.big), l.d.big))
		}
		spot.list = append(spot.list, e)
		by[e] = n
	}
	l.d.learnConditions(spot)
	votes := map[string]map[string]int{}
	for _, e := range spot.list {
		n := by[e]
		n.cond = e.cond
		k := fmt.Sprint(n.preds)
		if votes[k] == nil {
			votes[k] = map[string]int{}
		}
		votes[k][fmt.Sprint(e.cond)]++
	}
	best := map[string]condition{}
	most := map[string]int{}
	for _, e := range spot.list {
		k := fmt.Sprint(by[e].preds)
		if c := votes[k][fmt.Sprint(e.cond)]; c > most[k] {
			most[k], best[k] = c, e.cond
		}
	}
	// The order of bytes and the mode are the reader's matter, who chooses the table.
	var readers []int
	for _, name := range [...]string{"big-endian-instructions", "thumb-mode"} {
		if f, ok := l.d.info.FeatureByName(name); ok {
			readers = append(readers, f)
		}
	}
	left := func(fs []int) []int {
		return slices.DeleteFunc(slices.Clone(fs), func(f int) bool { return slices.Contains(readers, f) })
	}
	for _, n := range s.learned {
		c := best[fmt.Sprint(n.preds)]
		n.cond = condition{all: left(c.all), any: c.any, not: left(c.not)}
	}
}

// report says what is not known of a table.
func (l *leafLearner) report(s *leafSpace, verbose, all bool) {
	why := map[string]int{}
	rows := 0
	for _, n := range s.learned {
		for i := range n.sides {
			rows += len(n.sides[i].rows)
		}
		if n.why == "" && !all {
			continue
		}
		why[n.why]++
		if verbose && n.why != noSubtarget {
			fmt.Printf("  %s %s decoder %d: %s\n", s.name, l.d.info.OpcodeName(n.op), n.decoder, n.why)
			for i := range n.sides {
				fmt.Printf("    views %v\n", n.sides[i].views)
			}
		}
		for i := range n.sides {
			if all {
				side := &n.sides[i]
				fmt.Printf("   %+v views %v on %v off %v\n", n.cond, side.views, side.on, side.off)
				for _, r := range side.rows {
					fmt.Printf("    mask %x fixed %x checks %v: %v\n", r.mask[0], r.fixed[0], r.checks, r.out)
					for _, o := range r.ops {
						fmt.Printf("      kind %d value %d bits %v %+v %+v, %d rows\n", o.kind, o.value, o.at, o.xform, o.format, len(o.maps))
					}
				}
			}
		}
	}
	fmt.Printf("%s: %d leaves, %d rows\n", s.name, len(s.learned), rows)
	var keys []string
	for k := range why {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Printf("  %5d %s\n", why[k], k)
	}
}

// table makes the decoder's table: each of LLVM's tables is a namespace.
func (l *leafLearner) table() *desc.DecoderTable {
	g := newDecBuilder(l.d)
	for _, s := range l.spaces {
		spot := &spaceEntries{mode: s.name, inOrder: true, nodes: map[string]uint32{}}
		var instr []uint32
		var list []int
		for _, n := range s.learned {
			if n.why != "" {
				continue
			}
			for i := range n.sides {
				side := &n.sides[i]
				cond := n.cond
				cond.all = append(slices.Clone(cond.all), side.on...)
				cond.not = append(slices.Clone(cond.not), side.off...)
				for k := range side.rows {
					r := &side.rows[k]
					e := &entry{op: r.out.op, size: s.size, mask: r.mask, fixed: r.fixed, soft: n.soft, cond: cond, ops: r.ops, method: n.method}
					e.fixed = e.fixed.or(n.softFixed)
					if len(r.list) > 0 {
						o := decOperand{kind: kindReg, copyOf: -1, at: r.list, xform: desc.DecXform{Kind: desc.DecRegList}}
						for b, reg := range r.listReg {
							o.maps = append(o.maps, desc.EncMap{Key: int64(b), Value: uint64(reg)})
						}
						e.ops = append(slices.Clone(e.ops), o)
					}
					spot.list = append(spot.list, e)
					list = append(list, len(list))
					instr = append(instr, g.row(e, r))
				}
			}
		}
		sort.SliceStable(list, func(i, j int) bool {
			return spot.list[list[i]].mask.popcount() > spot.list[list[j]].mask.popcount()
		})
		root := g.tree(spot, list, instr, code{})
		g.t.Spaces = append(g.t.Spaces, desc.DecSpace{Name: g.b.name(s.name), Root: root, Size: uint8(s.size)})
	}
	slices.SortStableFunc(g.t.Checks, func(a, b desc.DecCheck) int { return int(a.Instr) - int(b.Instr) })
	g.t.Names = g.b.blob.String()
	return g.t
}

// row makes the row of an entry that a row of a leaf became.
func (g *decBuilder) row(e *entry, r *leafRow) uint32 {
	if r.out.kind == outRefuse {
		e.op, e.soft = 0, code{}
	}
	if r.out.soft && r.out.kind == outDecode {
		// Bits that are never so: each word is one that should not be.
		e.soft = r.mask
		if e.soft == (code{}) {
			e.soft[0] = 1
		}
	}
	key := fmt.Sprint(r.checks)
	if len(r.checks) == 0 {
		return g.instrOf(e, r.out.soft && r.out.kind == outDecode, "")
	}
	at := g.instrOf(e, r.out.soft && r.out.kind == outDecode, key)
	if slices.ContainsFunc(g.t.Checks, func(c desc.DecCheck) bool { return c.Instr == at }) {
		return at
	}
	for _, a := range r.checks {
		c := desc.DecCheck{Instr: at, Add: int32(a.add), Kind: a.kind}
		c.A, c.NumA = g.segments(a.a)
		if a.b != nil {
			c.B, c.NumB = g.segments(a.b)
		}
		g.t.Checks = append(g.t.Checks, c)
	}
	return at
}
