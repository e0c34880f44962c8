package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// Learning to decode begins with the encodings that are known: their fixed bits,
// and the bits of their fields. Words of these are put to LLVM's disassembler: an
// opcode belongs to the decoder if some word of its encoding means it. Fields
// are then varied one at a time, which shows the operands that follow them
// (decodeops.go); so are the fixed bits, which shows those that nobody looks at.
// Features are switched on and off (decodefeatures.go). In the end the table is
// held to LLVM over random words, and where another opcode is meant than the
// first one that fits, that one goes before it (decodetable.go).

// group is bits of an instruction that one or more fields share, low bit of the value first.
type group struct {
	at  []int
	ops []int // operands of the encoding
	// likely are values that the encoding's domain lists.
	likely []uint64
}

// entry is an encoding on its way into the decoder.
type entry struct {
	op      desc.Opcode
	size    int
	fixed   code // bits as the encoding has them
	mask    code // bits that must be so
	soft    code // of these, bits that should be so
	groups  []group
	view    int
	good    []code // words that mean it
	ops     []decOperand
	cond    condition
	split   int    // with a feature that divides the views: on (1) or off (-1)
	method  string // the target's function that reads the operands, "" none
	skipped string // why it is not decoded
}

// decoding is what is known of one target.
type decoding struct {
	info  *desc.Info
	enc   *desc.EncoderTable
	big   bool
	t     target
	p     *process
	rnd   *rand.Rand
	full  []view // the views with their features listed
	bits  [][]uint64
	spots []*spaceEntries
	split int // row of the feature that divides the views, -1
	err   error
}

// spaceEntries are the entries of a mode; "" is what is in none.
type spaceEntries struct {
	mode   string
	views  []int
	list   []*entry
	before map[[2]int]int // [b, a]: how often b was meant where a fits, too
	nodes  map[string]uint32
	// sizes are how many bytes are left out where words mean nothing, by byte sizesAt.
	sizes   string
	sizesAt uint8
	// inOrder says that the list is in the order in which it is tried.
	inOrder bool
}

// learnDecoder learns a target's decoder from its encoder's table and writes it.
func learnDecoder(name, ask, out, only string, verbose bool) error {
	began := time.Now()
	t, ok := targets[name]
	if !ok {
		return fmt.Errorf("no views of it are listed")
	}
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	tables, err := facts.MachineCode(name)
	if err != nil {
		return err
	}
	d := &decoding{info: info, enc: tables.Encoder, big: tables.Encoder.BigEndian, t: t, rnd: rand.New(rand.NewPCG(4, 22))}
	for _, v := range t.views {
		v.features = expand(info, v.features)
		if v.features == "+all" {
			v.features = expand(info, "+*,-all")
		}
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
	d.split = -1
	if t.split != "" {
		if d.split, ok = info.FeatureByName(t.split); !ok {
			return fmt.Errorf("no feature %s", t.split)
		}
	}
	d.collect(only)
	for _, s := range d.spots {
		d.qualify(s)
		for v := range d.full {
			d.see(v)
			for _, e := range s.list {
				if e.skipped == "" && e.view == v {
					d.learnOperands(e)
					d.learnFixed(e)
				}
			}
		}
		d.unite(s)
		d.divide(s)
		d.learnConditions(s)
	}
	if d.err != nil {
		return d.err
	}
	why := map[string]int{}
	n := 0
	for _, s := range d.spots {
		for _, e := range s.list {
			if e.skipped == "" {
				n++
			} else {
				why[e.skipped]++
			}
			if verbose && e.skipped != "" && e.skipped != "nothing decodes to it" && e.skipped != "as on the other side" || only != "" {
				fmt.Printf("%s%s: %s\n", s.mode, info.OpcodeName(e.op), e.skipped)
			}
			if only != "" {
				fmt.Printf("  view %d, fixed %x of %x, %+v\n", e.view, e.fixed, e.mask, e.cond)
				for _, o := range e.ops {
					fmt.Printf("    kind %d value %d bits %v %+v %+v, %d rows\n", o.kind, o.value, o.at, o.xform, o.format, len(o.maps))
				}
			}
		}
	}
	if only != "" {
		return nil
	}
	table := d.refine(name, verbose)
	if d.err != nil {
		return d.err
	}
	data := facts.AppendDecoder(nil, table)
	fmt.Printf("%s: %d encodings decode; %d nodes, %d bytes, %.0f s\n", name, n, len(table.Nodes), len(data), time.Since(began).Seconds())
	var keys []string
	for k := range why {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Printf("  %5d %s\n", why[k], k)
	}
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_dis_"+t.file+".bin"), data, 0o666)
}

// see makes a view the one that is asked.
func (d *decoding) see(v int) { d.seeView(d.full[v]) }

func (d *decoding) seeView(v view) bool {
	if d.err != nil {
		return false
	}
	_, err := d.p.subtarget(v)
	return err == nil
}

// words asks what words mean.
func (d *decoding) words(ws []code, size int) []answer {
	qs := make([]question, len(ws))
	for i, w := range ws {
		qs[i] = question{want: wantRaw | wantDecode, raw: w.bytes(size, d.big)}
	}
	if d.err == nil {
		as, err := d.p.ask(qs)
		if err == nil {
			return as
		}
		d.err = err
	}
	return make([]answer, len(ws))
}

// bytes are those of a word.
func (c code) bytes(size int, big bool) []byte {
	b := make([]byte, size)
	for k := range b {
		b[k] = byte(c[k/8] >> (k % 8 * 8))
	}
	if big {
		slices.Reverse(b)
	}
	return b
}

// collect makes the entries of each mode.
func (d *decoding) collect(only string) {
	inMode := func(v int) bool {
		return slices.ContainsFunc(d.t.modes, func(m mode) bool { return slices.Contains(m.views, v) })
	}
	common := &spaceEntries{}
	for v := range d.full {
		if !inMode(v) {
			common.views = append(common.views, v)
		}
	}
	d.spots = []*spaceEntries{common}
	for _, m := range d.t.modes {
		d.spots = append(d.spots, &spaceEntries{mode: m.name, views: m.views})
	}
	for _, s := range d.spots {
		s.before = map[[2]int]int{}
		mode := map[desc.Opcode]*desc.EncInstr{}
		for i := range d.enc.ModeInstrs {
			r := &d.enc.ModeInstrs[i]
			if d.enc.Modes[r.Mode].In(d.enc.Names) == s.mode {
				mode[r.Op] = &r.Instr
			}
		}
		for i := range d.enc.Instrs {
			op := desc.Opcode(i)
			row := &d.enc.Instrs[i]
			if m := mode[op]; m != nil {
				row = m
			}
			if row.Size > 0 && (only == "" || d.info.OpcodeName(op) == only) {
				s.list = append(s.list, d.entry(op, row))
				if d.split >= 0 {
					on, off := s.list[len(s.list)-1], d.entry(op, row)
					on.split, off.split = 1, -1
					s.list = append(s.list, off)
				}
			}
		}
	}
}

// seenBy reports that an entry belongs to a view's side of the feature that divides them.
func (d *decoding) seenBy(e *entry, v int) bool {
	return e.split == 0 || d.holds(&condition{all: []int{d.split}}, d.bits[v]) == (e.split > 0)
}

// unite makes one of entries that are alike on both sides of the feature that
// divides the views, and makes the feature a condition of others.
func (d *decoding) unite(s *spaceEntries) {
	if d.split < 0 {
		return
	}
	for i := 0; i+1 < len(s.list); i += 2 {
		on, off := s.list[i], s.list[i+1]
		if on.skipped == "" && off.skipped == "" && on.mask == off.mask && on.fixed.and(on.mask) == off.fixed.and(off.mask) &&
			fmt.Sprintf("%+v", on.ops) == fmt.Sprintf("%+v", off.ops) {
			on.split, off.skipped = 0, "as on the other side"
		}
	}
}

// entry makes the entry of an encoding.
func (d *decoding) entry(op desc.Opcode, row *desc.EncInstr) *entry {
	e := &entry{op: op, size: int(row.Size)}
	copy(e.fixed[:], d.enc.Words[row.Words:row.Words+(uint32(row.Size)+7)/8])
	owner := map[int]int{} // bit to group
	for i := range row.NumFields {
		f := &d.enc.Fields[row.Fields+uint32(i)]
		type place struct{ value, at int }
		var ps []place
		for _, s := range d.enc.Segs[f.Segs : f.Segs+uint32(f.NumSegs)] {
			for b := range int(s.Len) {
				ps = append(ps, place{int(s.Value) + b, int(s.Inst) + b})
			}
		}
		sort.SliceStable(ps, func(i, j int) bool { return ps[i].value < ps[j].value })
		g := group{ops: []int{int(f.Op)}}
		x := &d.enc.Xforms[f.Xform]
		for _, m := range d.enc.Maps[x.First : x.First+x.Num] {
			v := uint64(0)
			for i, p := range ps {
				v |= (m.Value>>p.value&1 ^ e.fixed[p.at/64]>>(p.at%64)&1) << i
			}
			g.likely = append(g.likely, v)
		}
		at := len(e.groups)
		for _, p := range ps {
			if o, ok := owner[p.at]; ok {
				if o != at {
					at = o
				}
				g.likely = nil
			}
		}
		if at < len(e.groups) {
			e.groups[at].ops = append(e.groups[at].ops, g.ops...)
			e.groups[at].likely = nil
		} else {
			e.groups = append(e.groups, g)
		}
		for _, p := range ps {
			if _, ok := owner[p.at]; !ok {
				owner[p.at] = at
				e.groups[at].at = append(e.groups[at].at, p.at)
			}
		}
	}
	e.groups = slices.DeleteFunc(e.groups, func(g group) bool { return len(g.at) == 0 })
	for k := range e.size * 8 {
		e.mask[k/64] |= 1 << (k % 64)
	}
	for _, g := range e.groups {
		for _, p := range g.at {
			e.mask[p/64] &^= 1 << (p % 64)
		}
	}
	e.fixed = e.fixed.and(e.mask)
	return e
}

func (c code) and(d code) code { return code{c[0] & d[0], c[1] & d[1]} }

// with puts a value into the bits of a group.
func (g *group) with(w code, v uint64) code {
	for i, p := range g.at {
		w[p/64] = w[p/64]&^(1<<(p%64)) | v>>i&1<<(p%64)
	}
	return w
}

// of gets the value of a group's bits.
func (g *group) of(w code) (v uint64) {
	for i, p := range g.at {
		v |= w[p/64] >> (p % 64) & 1 << i
	}
	return v
}

// random is a random word of an encoding.
func (d *decoding) random(e *entry) code {
	w := e.fixed
	for i := range e.groups {
		g := &e.groups[i]
		v := d.rnd.Uint64()
		switch r := d.rnd.IntN(8); {
		case len(g.likely) > 0 && r < 6:
			v = g.likely[d.rnd.IntN(len(g.likely))]
		case r == 7 && len(g.at) > 5: // rarely is all of it in use
			v &= 1<<d.rnd.IntN(len(g.at)) - 1
		}
		w = g.with(w, v)
	}
	return w
}

// is reports that an answer means an entry.
func (e *entry) is(a *answer) bool { return a.decodeOK && a.decOp == e.op && a.decSize == e.size }

// qualify finds the view in which most words of each entry mean it.
func (d *decoding) qualify(s *spaceEntries) {
	const tries = 32
	for _, e := range s.list {
		e.view = -1
	}
	for pass := range 2 {
		for _, v := range s.views {
			d.see(v)
			for _, e := range s.list {
				n := tries
				if pass == 1 {
					n = 1024 // its domain may be a small part of its words
				}
				if !d.seenBy(e, v) || len(e.good) == tries || pass == 1 && len(e.good) > 0 {
					continue
				}
				ws := make([]code, n)
				for i := range ws {
					ws[i] = d.random(e)
				}
				var good []code
				for i, a := range d.words(ws, e.size) {
					if e.is(&a) {
						good = append(good, ws[i])
					}
				}
				if len(good) > len(e.good) {
					e.good, e.view = good, v
				}
			}
		}
	}
	for _, e := range s.list {
		if len(e.good) == 0 {
			e.skipped = "nothing decodes to it"
		}
	}
}

// learnFixed looks which of the fixed bits nobody looks at.
func (d *decoding) learnFixed(e *entry) {
	if e.skipped != "" {
		return
	}
	free, soft := e.mask, code{}
	for _, w := range e.good[:min(2, len(e.good))] {
		at := e.mask.positions()
		ws := []code{w}
		for _, p := range at {
			x := w
			x[p/64] ^= 1 << (p % 64)
			ws = append(ws, x)
		}
		as := d.words(ws, e.size)
		for i, p := range at {
			if a := &as[i+1]; !e.is(a) || !sameOps(a.decOps, as[0].decOps, false) {
				free[p/64] &^= 1 << (p % 64)
			} else if a.soft && !as[0].soft {
				soft[p/64] |= 1 << (p % 64)
			}
		}
	}
	e.mask = e.mask.xor(free)
	e.soft = soft.and(free)
}

// popcount is the number of bits that are set.
func (c code) popcount() int { return bits.OnesCount64(c[0]) + bits.OnesCount64(c[1]) }
