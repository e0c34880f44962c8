package main

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// fixupProbes are values of fixups that show bits, ranges and alignment: around each power of two.
func fixupProbes() []int64 {
	seen := map[int64]bool{}
	var out []int64
	add := func(v int64) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	for v := int64(-24); v <= 24; v++ {
		add(v)
	}
	for k := 4; k < 63; k++ {
		for d := int64(-24); d <= 24; d++ {
			add(1<<k + d)
			add(-(1 << k) + d)
		}
		add(1<<k + 1<<(k-1))
		add(1<<k + 0x5554)
		add(-(1 << k) - 0x5554)
	}
	for _, v := range [...]int64{0x12345678, -0x12345678, 0x55554, 0xaaaa8, 0x7ff, 0x800, 0x801, 0xfff, 0x1234, 0x7fff8000, 0x12348000, 0x5555555555555554, math.MaxInt64, math.MinInt64} {
		add(v)
	}
	slices.Sort(out)
	return out
}

// apply learns what each kind does with its value. A kind that does other things
// for other specifiers becomes several.
func (f *flavorLearner) apply() error {
	vals := fixupProbes()
	var few []int64
	for i, v := range vals {
		if i%7 == 0 {
			few = append(few, v)
		}
	}
	for n := 0; n < len(f.keys); n++ {
		k := f.keys[n]
		specs := f.specsOf(k)
		ask := func(sp int, vals []int64) ([]applied, error) {
			sym := uint8(symNone)
			if k.pcrel {
				sym = symLocal
			}
			return f.p.apply(k.kind, k.pcrel, true, k.relax, sym, f.o.specs[sp].num, vals)
		}
		base := k.spec
		if base == 0 && len(specs) > 0 {
			base = specs[0]
		}
		as, err := ask(base, vals)
		if err != nil {
			return err
		}
		d := f.fit(vals, as)
		f.kindInfo(k, &d)
		if k.pcrel {
			d.Flags |= desc.FixupPCRel
		}
		if k.relax {
			d.Flags |= desc.FixupRelaxable
		}
		stays, err := f.p.apply(k.kind, k.pcrel, false, k.relax, symFar, f.o.specs[base].num, []int64{0})
		if err != nil {
			return err
		}
		if stays[0].status == 0 && stays[0].zeros != [16]byte{} {
			d.Flags |= desc.FixupAlways
		}
		if k.relax && len(stays[0].made) == 2 && stays[0].made[1].kind < firstData-1 {
			f.f.Relax = uint32(stays[0].made[1].kind)
		}
		f.f.Kinds = append(f.f.Kinds, d)
		if k.spec != 0 || n < desc.DataKinds {
			continue
		}
		// Specifiers that make it another function.
		ref, err := ask(base, few)
		if err != nil {
			return err
		}
		for _, sp := range specs {
			if sp == base {
				continue
			}
			got, err := ask(sp, few)
			if err != nil {
				return err
			}
			if !sameApplied(ref, got) {
				f.split(n, k, sp)
			}
		}
	}
	return nil
}

func sameApplied(a, b []applied) bool {
	for i := range a {
		if a[i].status != b[i].status || a[i].zeros != b[i].zeros || a[i].message != b[i].message {
			return false
		}
	}
	return true
}

// split gives a kind with a specifier a row of its own, and the expressions that make it that one.
func (f *flavorLearner) split(from int, k kindKey, sp int) {
	k.spec = sp
	if f.uses[k] == nil {
		f.uses[k] = map[int]bool{sp: true}
	}
	f.kinds[k] = len(f.keys)
	to := len(f.keys)
	f.keys = append(f.keys, k)
	for i := range f.f.Exprs {
		e := &f.f.Exprs[i]
		rows := slices.Clone(f.f.Choices[e.Choices : e.Choices+uint32(e.NumChoices)])
		at := slices.IndexFunc(rows[1:], func(c desc.ExprChoice) bool { return int(c.Spec) == sp })
		c := rows[0]
		if at >= 0 {
			c = rows[1+at]
		}
		fixes := slices.Clone(f.f.ExprFixes[c.Fixes : c.Fixes+uint32(c.Num)])
		hit := false
		for j := range fixes {
			if int(fixes[j].Kind) == from && fixes[j].Spec == 0 {
				fixes[j].Kind, hit = uint16(to), true
			}
		}
		if !hit {
			continue
		}
		c.Spec, c.Fixes = uint16(sp), onceIn(f, &f.f.ExprFixes, "f", fixes)
		if at >= 0 {
			rows[1+at] = c
		} else {
			rows = append(rows, c)
		}
		e.Choices, e.NumChoices = onceIn(f, &f.f.Choices, "c", rows), uint8(len(rows))
	}
}

func (f *flavorLearner) specsOf(k kindKey) (out []int) {
	for s := range f.uses[k] {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// kindName is what names of kinds look like; those of numbers that are none may be anything.
var kindName = regexp.MustCompile(`^\w+$`)

// kindInfo asks how listings name and show a kind.
func (f *flavorLearner) kindInfo(k kindKey, d *desc.FixupKindDesc) {
	switch {
	case k.kind < firstData-1: // a relocation that is in the place of a kind
		d.Reloc = k.kind
		return
	case k.kind >= firstData && k.kind < firstData+4 && k.pcrel: // AsmStreamer's name of data that is relative
		d.Name, d.Bits = f.o.text(fmt.Sprintf("FK_PCRel_%d", 1<<(k.kind-firstData))), 8<<(k.kind-firstData)
		return
	}
	name, offset, size, err := f.p.fixupInfo(k.kind)
	if err != nil { // no such kind: the process reads what is not there
		f.p.close()
		if f.p.run() != nil {
			return
		}
	}
	if err != nil || !kindName.MatchString(name) {
		name = fmt.Sprintf("fixup %d", k.kind)
	}
	d.Name, d.Offset, d.Bits = f.o.text(name), offset, size
}

// fit finds the rule of what became of values, which are sorted.
func (f *flavorLearner) fit(vals []int64, as []applied) (d desc.FixupKindDesc) {
	lo, hi, align := -1, -1, 63
	union := [16]byte{}
	for i := range as {
		if as[i].status != 0 {
			continue
		}
		if lo < 0 {
			lo = i
		}
		hi = i
		if vals[i] != 0 {
			align = min(align, bits.TrailingZeros64(uint64(vals[i])))
		}
		for j, b := range as[i].zeros {
			union[j] |= b
		}
	}
	if lo < 0 {
		d.Flags |= desc.FixupOpaque
		f.o.stats["kinds that accept no value"]++
		return d
	}
	for j, b := range union {
		if b != 0 {
			d.Size = uint8(j + 1)
		}
	}
	d.Align = uint8(align)
	if align >= 32 { // 0 alone
		d.Align = 0
	}
	aligned := func(v int64) bool { return v&(1<<d.Align-1) == 0 }
	if vals[lo] > -1<<62 || vals[hi] < 1<<62 {
		d.Lo, d.Hi = vals[lo], vals[hi]
	}
	irregular := 0
	for i := range as {
		v, ok := vals[i], as[i].status == 0
		within := d.Lo == 0 && d.Hi == 0 || v >= d.Lo && v <= d.Hi
		switch {
		case !ok && !within && aligned(v) && d.RangeError == 0:
			d.RangeError = f.o.text(strings.Replace(as[i].message, strconv.FormatInt(v, 10), "{value}", 1))
		case !ok && within && !aligned(v) && d.AlignError == 0:
			d.AlignError = f.o.text(as[i].message)
		}
		if ok != (within && aligned(v)) {
			irregular++
		}
	}
	if irregular > 0 {
		f.o.stats["kinds whose values are no range"]++
	}
	adds := []int64{0, -4, -8, -2, 4, 8, 2, -1, 1, -6, -16, 0x800, 0x8000, 0x80, 0x8000800, 0x20000, 0x80000, 0x80008000, 0x800080008000, 0x808000, 0x80000000}
	// The values between multiples of 8 are left out where they follow no rule: those are
	// rounded towards zero, and no assembly has them.
	for pass := range 4 {
		sign, coarse := pass%2 == 1, pass >= 2
		for _, add := range adds {
			var ss []sample
			for i := range as {
				if as[i].status == 0 && !(coarse && vals[i]&7 != 0) {
					ss = append(ss, sample{fixupValue(vals[i], add, sign), code16(as[i].zeros)})
				}
			}
			lin, ok := solve(ss)
			if !ok {
				continue
			}
			d.Add = add
			if sign {
				d.Flags |= desc.FixupSign
			}
			c := ss[0].out.xor(lin.of(ss[0].val))
			d.Const = c[0]
			segs := lin.segs()
			d.NumSegs, d.Segs = uint8(len(segs)), onceIn(f, &f.f.Segs, "s", segs)
			field := code{}
			for _, m := range lin.masks {
				field = field.or(m)
			}
			for i := range as {
				if as[i].status != 0 {
					continue
				}
				ones := code16(as[i].ones)
				if (^ones[0]&field[0])|(^ones[1]&field[1]) != 0 {
					d.Flags |= desc.FixupClears
				}
			}
			return d
		}
	}
	d.Flags |= desc.FixupOpaque
	f.o.stats["kinds whose bits follow no rule"]++
	return d
}

// fixupValue is the value whose bits go to their places.
func fixupValue(v, add int64, sign bool) uint64 {
	v += add
	switch {
	case sign && v < 0:
		return uint64(-v)
	case sign:
		return uint64(v) | 1<<63
	}
	return uint64(v)
}

func code16(b [16]byte) (c code) { return codeOf(b[:], false) }

// relocs learns the relocations: of data for all specifiers, of other kinds for
// those that they occurred with; relative ones of those that are not, too.
func (f *flavorLearner) relocs() error {
	o := f.o
	for n, k := range f.keys {
		var specs []int
		switch {
		case n < desc.DataKinds:
			for s := range o.specs {
				specs = append(specs, s)
			}
		case k.spec != 0:
			specs = []int{k.spec}
		default:
			specs = f.specsOf(k)
		}
		for _, sp := range specs {
			for _, rel := range [...]bool{false, true} {
				if k.pcrel && !rel || n < desc.DataKinds && rel != k.pcrel {
					continue
				}
				r, err := f.p.relocation(k.kind, rel, symFar, o.specs[sp].num)
				if err != nil {
					return err
				}
				for i := 0; sp == 0 && n >= desc.DataKinds && (r.status != 0 || r.typ == 0) && i < len(o.unnamed); i++ {
					if r, err = f.p.relocation(k.kind, rel, symFar, o.unnamed[i].num); err != nil {
						return err
					}
				}
				if r.status != 0 || r.typ == 0 && n < desc.DataKinds {
					continue
				}
				row := desc.RelocDesc{Kind: uint16(n), Spec: uint16(sp), PCRel: rel, Type: r.typ}
				if r.flags&1 != 0 {
					row.Flags |= desc.RelocNames
				}
				if r.flags&2 != 0 {
					o.t.Specs[sp].TLS = true
				}
				forced, err := f.forced(k, sp, rel)
				if err != nil {
					return err
				}
				if forced {
					row.Flags |= desc.RelocForced
				}
				f.f.Relocs = append(f.f.Relocs, row)
			}
		}
	}
	sort.Slice(f.f.Relocs, func(i, j int) bool {
		a, b := &f.f.Relocs[i], &f.f.Relocs[j]
		if a.Kind != b.Kind {
			return a.Kind < b.Kind
		}
		if a.Spec != b.Spec {
			return a.Spec < b.Spec
		}
		return !a.PCRel && b.PCRel
	})
	sort.SliceStable(f.f.Exprs, func(i, j int) bool {
		a, b := &f.f.Exprs[i], &f.f.Exprs[j]
		if a.Mode != b.Mode {
			return a.Mode < b.Mode
		}
		if a.Op != b.Op {
			return a.Op < b.Op
		}
		return a.Operand < b.Operand
	})
	return nil
}

// forced reports that a relocation is made where the value is known, too.
func (f *flavorLearner) forced(k kindKey, sp int, rel bool) (bool, error) {
	sym := uint8(symNone)
	if rel {
		sym = symLocal
	}
	as, err := f.p.apply(k.kind, rel, true, false, sym, f.o.specs[sp].num, []int64{64, 4096})
	if err != nil {
		return false, err
	}
	return as[0].status == 0 && len(as[0].made) > 0 || as[1].status == 0 && len(as[1].made) > 0, nil
}

// longer learns the longer forms of instructions with expressions.
func (f *flavorLearner) longer(t target, ors []*process) error {
	o := f.o
	vals := fixupProbes()
	for bi := range o.bases {
		b := &o.bases[bi]
		for k := range b.ops {
			e := slices.IndexFunc(f.f.Exprs, func(x desc.ExprDesc) bool {
				return x.Op == b.op && int(x.Operand) == k && int(x.Mode) == b.mode
			})
			if e < 0 {
				continue
			}
			q := question{op: b.op, ops: slices.Clone(b.ops)}
			q.ops[k] = operand{kindRef, 1}
			for v, p := range ors {
				if t.modeOf(v) != b.mode {
					continue
				}
				l, err := p.longer(q)
				if err != nil {
					return err
				}
				if !l.ok || !l.changed || l.op < desc.FirstTargetOpcode {
					continue
				}
				row := desc.LongerDesc{From: b.op, To: l.op, NumOps: uint8(len(l.ops)), Mode: uint8(b.mode)}
				ops, ok := mapOps(q.ops, l.ops)
				c := &f.f.Choices[f.f.Exprs[e].Choices]
				if !ok || c.Num != 1 {
					o.stats["longer forms whose operands are not understood"]++
					break
				}
				row.Ops = onceIn(f, &f.f.LongerOps, "l", ops)
				key := f.keys[f.f.ExprFixes[c.Fixes].Kind]
				needs, err := p.reach(key.kind, vals)
				if err != nil {
					return err
				}
				lo, hi, align := -1, -1, 63
				for i := range needs {
					if needs[i] {
						continue
					}
					if lo < 0 {
						lo = i
					}
					hi = i
					if vals[i] != 0 {
						align = min(align, bits.TrailingZeros64(uint64(vals[i])))
					}
				}
				if lo < 0 {
					o.stats["longer forms that are always needed"]++
					break
				}
				row.Lo, row.Hi, row.Align = vals[lo], vals[hi], uint8(align)
				f.f.Longer = append(f.f.Longer, row)
				if !o.enc.InMode(o.modes[b.mode]).Has(l.op) && !f.sequence(p, l) {
					o.stats["longer forms without an encoding: "+o.l.info.OpcodeName(b.op)+" to "+o.l.info.OpcodeName(l.op)]++
				}
				break
			}
		}
	}
	sort.Slice(f.f.Seqs, func(i, j int) bool { return f.f.Seqs[i].Op < f.f.Seqs[j].Op })
	sort.SliceStable(f.f.Longer, func(i, j int) bool { return f.f.Longer[i].From < f.f.Longer[j].From })
	return nil
}

// sequence learns an opcode without an encoding as the instructions that it is
// written as.
func (f *flavorLearner) sequence(p *process, l longer) bool {
	if slices.ContainsFunc(f.f.Seqs, func(s desc.SeqDesc) bool { return s.Op == l.op }) {
		return true
	}
	ops := slices.Clone(l.ops)
	sym := -1
	for i := range ops {
		if ops[i].kind == kindSym {
			ops[i], sym = operand{kindRef, 1}, i
		}
	}
	as, err := p.probeObject([]question{{op: l.op, ops: ops}})
	if err != nil || !as[0].ok || len(as[0].fixes) != 1 || sym < 0 {
		return false
	}
	var parts []desc.SeqPart
	for at := 0; at < len(as[0].code); {
		d, err := p.ask([]question{{want: wantRaw | wantDecode, raw: as[0].code[at:]}})
		if err != nil || !d[0].decodeOK || d[0].decSize == 0 || !f.o.enc.Has(d[0].decOp) {
			return false
		}
		var list []desc.LongerOp
		at0 := at
		at += d[0].decSize
		here := int(as[0].fixes[0].offset) >= at0 && int(as[0].fixes[0].offset) < at
		for k, x := range d[0].decOps {
			from := slices.IndexFunc(ops, func(y operand) bool { return y == x && y.kind == kindReg })
			isExpr := here && slices.ContainsFunc(f.f.Exprs, func(e desc.ExprDesc) bool { return e.Op == d[0].decOp && int(e.Operand) == k })
			switch {
			case isExpr:
				list = append(list, desc.LongerOp{Op: int8(sym)})
			case from >= 0:
				list = append(list, desc.LongerOp{Op: int8(from)})
			default:
				list = append(list, desc.LongerOp{Op: -1, IsReg: x.kind == kindReg, Value: x.val})
			}
		}
		parts = append(parts, desc.SeqPart{Op: d[0].decOp, NumOps: uint8(len(list)), Ops: onceIn(f, &f.f.LongerOps, "l", list)})
	}
	f.f.Seqs = append(f.f.Seqs, desc.SeqDesc{Op: l.op, NumParts: uint8(len(parts)), Parts: onceIn(f, &f.f.SeqParts, "q", parts)})
	return true
}

// mapOps finds the operands of the short form in those of the long one.
func mapOps(short, long []operand) (out []desc.LongerOp, ok bool) {
	used := make([]bool, len(short))
	for i, x := range long {
		at := -1
		same := func(j int) bool {
			return short[j] == x || x.kind == kindSym && (short[j].kind == kindRef || short[j].kind == kindSym)
		}
		if i < len(short) && same(i) {
			at = i
		}
		for j := range short {
			if at < 0 && same(j) && !used[j] {
				at = j
			}
		}
		switch {
		case at >= 0:
			used[at] = true
			out = append(out, desc.LongerOp{Op: int8(at)})
		case x.kind == kindReg || x.kind == kindImm:
			out = append(out, desc.LongerOp{Op: -1, IsReg: x.kind == kindReg, Value: x.val})
		default:
			return nil, false
		}
	}
	return out, true
}

// nops learns what does nothing, with no feature and with each that changes it.
func (f *flavorLearner) nops(fl flavor, ask string) error {
	const longest = 64
	o := f.o
	plain := fl.view
	plain.features = ""
	if nopsWithAll[o.name] {
		plain = fl.view.expanded(o.l.info)
	}
	views := []view{plain}
	feats := []string{""}
	for _, x := range nopFeatures[o.name] {
		v := plain
		v.features = "+" + x
		if x == "thumb-mode" {
			v = fl.modes[0]
		}
		views, feats = append([]view{v}, views...), append([]string{x}, feats...)
	}
	var last [][]byte
	var rows []desc.NopDesc
	for i := len(views) - 1; i >= 0; i-- {
		p, err := start(ask, views[i])
		if err != nil {
			return err
		}
		list, err := p.nops(longest)
		p.close()
		if err != nil {
			return err
		}
		if slices.EqualFunc(list, last, bytes.Equal) {
			continue
		}
		last = list
		row := desc.NopDesc{Feature: o.text(feats[i])}
		for _, b := range list {
			row.Bytes = append(row.Bytes, o.text(string(b)))
		}
		rows = append([]desc.NopDesc{row}, rows...)
	}
	f.f.Nops = rows
	return nil
}

// kindText names a kind in what is reported.
func (f *flavorLearner) kindText(k kindKey) string {
	var d desc.FixupKindDesc
	f.kindInfo(k, &d)
	if d.Reloc != 0 {
		return fmt.Sprintf("relocation %d", d.Reloc)
	}
	return d.Name.In(f.o.blob.String())
}
