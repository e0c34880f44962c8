package main

import (
	"math/bits"
	"slices"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// decOperand is how one operand is made of bits: of those of at (low bit of the
// value first) by a transformation, or, without any, the constant value.
type decOperand struct {
	kind   uint8 // kindReg or kindImm
	value  int64
	copyOf int // -1: of no other operand
	at     []int
	xform  desc.DecXform
	format desc.ImmFormat
	maps   []desc.EncMap
}

// maxListedBits is the width of fields of which all values are looked at where some mean nothing.
const maxListedBits = 13

// variation is what was seen of a group: for each value that means the opcode
// with some base, the operands; refused are the values that mean nothing with any.
type variation struct {
	vals    []uint64
	ops     [][]operand // operands decoded, by value
	base    []int       // which base
	refused int
	all     bool // of all values
}

// learnOperands learns what each operand of an entry follows.
func (d *decoding) learnOperands(e *entry) {
	as := d.words(e.good, e.size)
	n := -1
	for i := range as {
		if !e.is(&as[i]) {
			continue
		}
		if n >= 0 && len(as[i].decOps) != n {
			e.skipped = "the number of operands varies"
			return
		}
		n = len(as[i].decOps)
	}
	if n < 0 {
		e.skipped = "it decodes once, not twice"
		return
	}
	bases := e.good[:min(4, len(e.good))]
	var baseOps [][]operand
	for _, b := range d.words(bases, e.size) {
		baseOps = append(baseOps, b.decOps)
	}
	d.signed(e, baseOps...)
	vars := make([]variation, len(e.groups))
	depends := make([][]int, n) // operand: groups that change it
	for g := range e.groups {
		v := &vars[g]
		*v = d.vary(e, &e.groups[g], bases, false)
		// Bits that are so in all values that mean it are fixed ones.
		if v.all && len(v.vals) > 0 {
			same := ^uint64(0)
			for _, x := range v.vals {
				same &= ^(x ^ v.vals[0])
			}
			for i, p := range e.groups[g].at {
				if same>>i&1 != 0 {
					e.mask[p/64] |= 1 << (p % 64)
					e.fixed[p/64] = e.fixed[p/64]&^(1<<(p%64)) | v.vals[0]>>i&1<<(p%64)
				}
			}
		}
		for k := range n {
			if slices.ContainsFunc(seq(len(v.vals)), func(i int) bool { return v.ops[i][k] != baseOps[v.base[i]][k] }) {
				depends[k] = append(depends[k], g)
			}
		}
	}
	e.ops = make([]decOperand, n)
	for k := range n {
		e.ops[k].copyOf = -1
		switch gs := depends[k]; len(gs) {
		case 0:
			o := baseOps[0][k]
			if o.kind > kindImm {
				e.skipped = "an operand is neither register nor integer"
				return
			}
			e.ops[k].kind, e.ops[k].value = o.kind, o.val
		case 1:
			if !d.model(e, k, &e.groups[gs[0]], &vars[gs[0]], bases) {
				e.skipped = "an operand follows its field in no known way"
				return
			}
		default:
			g := group{}
			for _, x := range gs {
				g.at = append(g.at, e.groups[x].at...)
			}
			sort.Ints(g.at)
			v := d.vary(e, &g, bases, false)
			if !d.model(e, k, &g, &v, bases) {
				e.skipped = "an operand follows several fields"
				return
			}
		}
	}
	// All together.
	bad := 0
	for i := range as {
		d.signed(e, as[i].decOps)
		if e.is(&as[i]) && !sameOps(e.decode(e.good[i]), as[i].decOps, false) {
			bad++
		}
	}
	if bad > 0 {
		e.skipped = "fields together mean what none does alone"
	}
}

// signed makes numbers that the disassembler gives as the low 32 bits of negative
// ones these: the encoder and the printer know them so.
func (d *decoding) signed(e *entry, ops ...[]operand) {
	if !d.t.words {
		return
	}
	for _, l := range ops {
		for k := range l {
			if l[k].kind == kindImm && l[k].val >= 1<<31 && l[k].val < 1<<32 && d.negative(e.op, k) {
				l[k].val -= 1 << 32
			}
		}
	}
}

// negative reports that the encoding of operand k has negative values.
func (d *decoding) negative(op desc.Opcode, k int) bool {
	if int(op) >= len(d.enc.Instrs) {
		return false
	}
	row := &d.enc.Instrs[op]
	for _, f := range d.enc.Fields[row.Fields : row.Fields+uint32(row.NumFields)] {
		x := &d.enc.Xforms[f.Xform]
		if int(f.Op) == k && (d.enc.Formats[f.Format].Signed || x.Kind == desc.XformSign || x.Num > 0 && d.enc.Maps[x.First].Key < 0) {
			return true
		}
	}
	return false
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// vary puts values into a group of bits, in several bases where the first does not take them.
func (d *decoding) vary(e *entry, g *group, bases []code, all bool) variation {
	n := len(g.at)
	var vals []uint64
	v := variation{all: n <= 8 || all && n <= maxListedBits}
	if v.all {
		for x := range uint64(1) << n {
			vals = append(vals, x)
		}
	} else {
		top := uint64(1)<<min(n, 63) - 1
		vals = append(vals, 0, top)
		for k := range n {
			vals = append(vals, 1<<k, top&^(1<<k), 1<<k-1)
		}
		for range 120 {
			vals = append(vals, d.rnd.Uint64()&top, d.rnd.Uint64()&top>>d.rnd.IntN(n))
		}
		vals = append(vals, g.likely...)
	}
	v.refused = d.fill(e, g, bases, vals, &v)
	if v.refused > 0 && !v.all && n <= maxListedBits {
		vals = nil
		for x := range uint64(1) << n {
			vals = append(vals, x)
		}
		v = variation{all: true}
		v.refused = d.fill(e, g, bases, vals, &v)
	}
	return v
}

// fill asks about values and returns how many mean nothing.
func (d *decoding) fill(e *entry, g *group, bases []code, vals []uint64, v *variation) (refused int) {
	left := vals
	other := map[uint64]bool{}
	for b, base := range bases {
		ws := make([]code, len(left))
		for i, x := range left {
			ws[i] = g.with(base, x)
		}
		var again []uint64
		for i, a := range d.words(ws, e.size) {
			if e.is(&a) {
				d.signed(e, a.decOps)
				v.vals = append(v.vals, left[i])
				v.ops = append(v.ops, a.decOps)
				v.base = append(v.base, b)
				continue
			}
			if a.decodeOK && a.decSize == e.size {
				other[left[i]] = true
			}
			again = append(again, left[i])
		}
		if left = again; len(left) == 0 {
			break
		}
	}
	for _, x := range left {
		if !other[x] {
			refused++
		}
	}
	return refused
}

// model finds how operand k follows a group.
func (d *decoding) model(e *entry, k int, g *group, v *variation, bases []code) bool {
	if !v.all && len(g.at) <= maxListedBits && !d.modelOf(e, k, g, v) {
		*v = d.vary(e, g, bases, true)
	}
	return d.modelOf(e, k, g, v)
}

func (d *decoding) modelOf(e *entry, k int, g *group, v *variation) bool {
	o := &e.ops[k]
	o.at = g.at
	if len(v.vals) == 0 {
		return false
	}
	o.kind = v.ops[0][k].kind
	got := map[uint64]int64{}
	for i, x := range v.vals {
		p := v.ops[i][k]
		if p.kind > kindImm || p.kind != o.kind || len(p.kindless()) == 0 {
			return false
		}
		if y, ok := got[x]; ok && y != p.val {
			return false
		}
		got[x] = p.val
	}
	keys := make([]uint64, 0, len(got))
	for x := range got {
		keys = append(keys, x)
	}
	slices.Sort(keys)
	if o.kind == kindImm {
		list := v.refused > 0 && v.all && len(got) < 1<<len(g.at)
		if !list && (formula(o, len(g.at), keys, got) || affine(o, len(g.at), keys, got)) {
			return true
		}
	}
	if !v.all {
		return o.kind == kindImm && (formula(o, len(g.at), keys, got) || affine(o, len(g.at), keys, got))
	}
	o.xform = desc.DecXform{Kind: desc.DecMapImm}
	if o.kind == kindReg {
		o.xform.Kind = desc.DecMapReg
	}
	for _, x := range keys {
		o.maps = append(o.maps, desc.EncMap{Key: int64(x), Value: uint64(got[x])})
	}
	return true
}

// kindless is a guard against operands that are expressions.
func (o operand) kindless() []int64 {
	if o.kind > kindImm {
		return nil
	}
	return []int64{o.val}
}

// formula tries formats with something added, or subtracted from something.
func formula(o *decOperand, n int, keys []uint64, got map[uint64]int64) bool {
	for _, signed := range [...]bool{false, true} {
		for shift := range uint8(13) {
			f := desc.ImmFormat{Bits: uint8(n), Shift: shift, Signed: signed}
			for _, kind := range [...]desc.DecXformKind{desc.DecAdd, desc.DecSub} {
				x := desc.DecXform{Kind: kind}
				if x.Add = got[keys[0]] - fieldValue(f, keys[0]); kind == desc.DecSub {
					x.Add = got[keys[0]] + fieldValue(f, keys[0])
				}
				if !slices.ContainsFunc(keys, func(v uint64) bool { return transformed(x, f, nil, v) != got[v] }) {
					o.xform, o.format = x, f
					return true
				}
			}
			if signed || n < 2 {
				continue
			}
			f.Bits--
			x := desc.DecXform{Kind: desc.DecSign, Add: got[0]}
			if !slices.ContainsFunc(keys, func(v uint64) bool { return transformed(x, f, nil, v) != got[v] }) {
				o.xform, o.format = x, f
				return true
			}
		}
	}
	return false
}

// affine tries a map over bits.
func affine(o *decOperand, n int, keys []uint64, got map[uint64]int64) bool {
	x := desc.DecXform{Kind: desc.DecLinear}
	var rows []desc.EncMap
	zero, ok := got[0]
	if !ok {
		return false
	}
	x.Add = zero
	for k := range n {
		v, ok := got[1<<k]
		if !ok {
			return false
		}
		rows = append(rows, desc.EncMap{Key: int64(k), Value: uint64(v ^ zero)})
	}
	if slices.ContainsFunc(keys, func(v uint64) bool { return transformed(x, desc.ImmFormat{}, rows, v) != got[v] }) {
		return false
	}
	o.xform, o.maps = x, rows
	return true
}

// fieldValue is what a field of a format means.
func fieldValue(f desc.ImmFormat, v uint64) int64 {
	if f.Bits < 64 {
		v &= 1<<f.Bits - 1
		if f.Signed && f.Bits > 0 {
			v = uint64(int64(v<<(64-f.Bits)) >> (64 - f.Bits))
		}
	}
	return int64(v << f.Shift)
}

// transformed is what a transformation makes of a field's value; maps are its rows.
func transformed(x desc.DecXform, f desc.ImmFormat, maps []desc.EncMap, v uint64) int64 {
	switch x.Kind {
	case desc.DecSub:
		return x.Add - fieldValue(f, v)
	case desc.DecSign:
		switch m := fieldValue(f, v); {
		case v>>f.Bits&1 != 0:
			return m
		case m == 0:
			return x.Add
		default:
			return -m
		}
	case desc.DecLinear:
		r := uint64(x.Add)
		for ; v != 0; v &= v - 1 {
			r ^= maps[bits.TrailingZeros64(v)].Value
		}
		return int64(r)
	case desc.DecMapReg, desc.DecMapImm:
		k := sort.Search(len(maps), func(i int) bool { return uint64(maps[i].Key) >= v })
		if k < len(maps) && uint64(maps[k].Key) == v {
			return int64(maps[k].Value)
		}
		return -1
	}
	return x.Add + fieldValue(f, v)
}

// decode is what is known to be meant by a word.
func (e *entry) decode(w code) []operand {
	out := make([]operand, len(e.ops))
	for k := range e.ops {
		o := &e.ops[k]
		out[k] = operand{o.kind, o.value}
		if len(o.at) > 0 {
			out[k].val = transformed(o.xform, o.format, o.maps, (&group{at: o.at}).of(w))
		}
	}
	return out
}
