package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// field is what an operand does to an encoding.
type field struct {
	op    int
	xform desc.EncXform
	maps  []desc.EncMap
	lin   *linear
	// format is what values must be of, behind the transformation.
	format desc.ImmFormat
	fixup  *fixup
}

// instr is what is learned about an opcode.
type instr struct {
	op        desc.Opcode
	view      int
	base      []operand
	size      int
	fixed     code
	fields    []field
	dom       []domain
	decodable bool
	encoded   bool // the encoding is learned and right for random operands
	encWhy    string
	modes     map[string]*instr // encodings in modes, where they are others
	printed   bool
	textWhy   string
	parts     []part
	forms     []alias
	aliases   []alias // forms last
	aliasWhy  string
	follow    map[int][]int // operands that are varied with another
}

// learner asks about one target.
type learner struct {
	info   *desc.Info
	or     oracle // of the view that is asked
	mode   int    // hardware mode of the view
	rnd    *rand.Rand
	styles styles
	fixups map[uint16]string
	// oneForm leaves out texts of another form than the base's.
	oneForm bool
	wrap    bool // see sameOps
	// byMnemonic says that a form is a mnemonic.
	byMnemonic bool
	trace      bool // print what is not understood
	// err is why the first question got no answer, nor any after it. What is
	// learned with it is worth nothing.
	err error
	// without has the opcodes of which the last operand is left out (findBase).
	without map[desc.Opcode]int
}

func newLearner(info *desc.Info, or oracle, mode int) *learner {
	return &learner{info: info, or: or, mode: mode, rnd: rand.New(rand.NewPCG(13, 22)), fixups: map[uint16]string{}, without: map[desc.Opcode]int{}}
}

// ask has an answer for each question: none that says anything once one failed.
func (l *learner) ask(qs []question) []answer {
	if l.err == nil {
		as, err := l.or.ask(qs)
		if err == nil {
			return as
		}
		l.failed(err)
	}
	return make([]answer, len(qs))
}

// failed keeps the first error.
func (l *learner) failed(err error) {
	if l.err == nil {
		l.err = err
	}
}

// encode learns the encoding of in, whose base is found.
func (l *learner) encode(in *instr, decOp desc.Opcode, quality int) {
	big := l.or.bigEndian()
	a0 := l.ask([]question{{want: wantCode, op: in.op, ops: in.base}})
	if !a0[0].codeOK {
		in.encWhy = "no answer twice"
		return
	}
	in.size, in.decodable = len(a0[0].code), quality == 3
	if in.size > 16 {
		in.encWhy = "longer than 16 bytes"
		return
	}
	in.fixed = codeOf(a0[0].code, big)
	in.dom = l.domains(in.op)
	for k := range in.base {
		d := &in.dom[k]
		var vals []operand
		if len(d.regs) == 0 && in.base[k].kind == kindReg && in.base[k].val != 0 {
			d.regs = l.smallestClass(desc.PhysReg(in.base[k].val)) // LLVM names no class
		}
		if len(d.regs) > 0 {
			for _, r := range d.regs {
				vals = append(vals, operand{kindReg, int64(r)})
			}
			if !slices.Contains(d.regs, 0) { // no register: no mask, no index
				vals = append(vals, operand{kindReg, 0})
			}
		} else {
			vals = immProbes()
		}
		if why := l.operand(in, k, vals, decOp, quality, big); why != "" {
			in.encWhy = fmt.Sprintf("operand: %s", why)
			return
		}
	}
	l.verifyCode(in, big)
}

// withOthers adds the values of an immediate that decode to other opcodes, where all
// follow one rule: they are no less operands of this one.
func (l *learner) withOthers(in *instr, k int, vals []operand, ss []valued, decOp desc.Opcode, big bool) []valued {
	more := slices.Clone(ss)
	_, as := l.probe(in, k, wantCode|wantDecode, vals)
	for i := range as {
		if a := &as[i]; a.codeOK && len(a.fixups) == 0 && len(a.code) == in.size && a.decodeOK && a.decSize == in.size && a.decOp != decOp && vals[i].val >= 0 {
			more = append(more, valued{sample{uint64(vals[i].val), codeOf(a.code, big)}, vals[i].val})
		}
	}
	most := int64(0)
	for _, s := range ss {
		most = max(most, s.val)
	}
	// Beyond the field's bits values are cut off: as many bits as go together with the others.
	for n := 62; n >= 1; n-- {
		some := slices.DeleteFunc(slices.Clone(more), func(s valued) bool { return s.val >= 1<<n })
		if most >= 1<<n || len(some) <= len(ss) {
			return ss
		}
		if f, ok := fit(some, true); ok && simple(f.lin) && f.xform == (desc.EncXform{}) && bits.Len64(f.lin.used()) == n && f.lin.used()&(f.lin.used()+1) == 0 {
			return some
		}
	}
	return ss
}

// smallestClass are the members of the smallest class with a register.
func (l *learner) smallestClass(r desc.PhysReg) (regs []desc.PhysReg) {
	for c := range l.info.Classes {
		if m := l.info.ClassMembers(desc.ClassID(c)); slices.Contains(m, r) && len(m) > 1 && (regs == nil || len(m) < len(regs)) {
			regs = m
		}
	}
	return regs
}

// operand learns the field of operand k.
func (l *learner) operand(in *instr, k int, vals []operand, decOp desc.Opcode, quality int, big bool) string {
	d := &in.dom[k]
	isReg := len(d.regs) > 0
	if isReg && k > 0 && l.predicate(in.op, k-1) {
		d.known = true
		return "" // it goes with the condition
	}
	if l.predicate(in.op, k) {
		// Where conditions are not encoded, as in Thumb, they are still written.
		defer func() {
			d.list, d.known = nil, true
			for v := range int64(always + 1) {
				d.list = append(d.list, v)
			}
		}()
		vals = nil
		for v := range int64(always + 1) {
			vals = append(vals, operand{kindImm, v})
		}
	}
	ss, all, why := l.samples(in, k, vals, decOp, quality, big)
	if why != "" {
		return why
	}
	other := func(s valued) bool { return s.val != in.base[k].val }
	d.decoded = quality >= 2 && slices.ContainsFunc(ss, other)
	if !d.decoded {
		ss = all
	}
	if d.decoded && !isReg {
		ss = l.withOthers(in, k, vals, ss, decOp, big)
	}
	if !slices.ContainsFunc(ss, other) {
		d.known = len(ss) > 0
		if d.known && !isReg {
			d.list = []int64{in.base[k].val}
		}
		if d.known && isReg {
			d.regs = []desc.PhysReg{desc.PhysReg(in.base[k].val)}
		}
		return ""
	}
	if isReg {
		return l.regField(in, k, ss, all)
	}
	// What refuses large numbers (a fixup of a place) says which it takes.
	bounded := !d.decoded && !slices.ContainsFunc(ss, func(s valued) bool { return s.val >= 1<<40 || s.val < -1<<40 })
	f, ok := fit(ss, d.decoded || bounded)
	if d.decoded && (!ok || !simple(f.lin)) {
		l.wrap = true
		again, _, _ := l.samples(in, k, vals, decOp, quality, big)
		l.wrap = false
		if g, fine := fit(again, true); fine && simple(g.lin) {
			f, ok, ss = g, fine, again
		}
	}
	if !ok {
		// Values that cannot be right may do anything: look at small ones alone.
		return l.mapField(in, k, decOp, quality, big)
	}
	f.op = k
	if f.lin.used() == 0 {
		d.list, d.known = []int64{in.base[k].val}, true
		return "" // it has no place: a scheduling or printing hint
	}
	if f.xform.Kind == desc.XformSign {
		mask := uint64(f.xform.Add)
		lo, hi := bits.TrailingZeros64(mask), bits.Len64(mask)
		d.format, d.known = desc.ImmFormat{Bits: uint8(hi - lo + 1), Shift: uint8(lo), Signed: true}, true
		d.magnitude = true
		in.fields = append(in.fields, f)
		return ""
	}
	d.format, d.add, d.neg, d.known = formatOf(f, ss), f.xform.Add, f.xform.Kind == desc.XformSub, true
	if d.decoded {
		f.format = d.format // else what the emitter cuts off is not known to be wrong
		if l.sparse(in, k, &f, vals, ss, decOp, quality, big) {
			return l.mapField(in, k, decOp, quality, big)
		}
	}
	switch used := f.lin.used(); {
	case bounded:
		f.format = d.format
	case !d.decoded && used&(used+1) == 0 && bits.Len64(used) < 64:
		// What the field cuts off is wrong, whatever sign it has.
		f.format = desc.ImmFormat{Bits: uint8(bits.Len64(used)), Signed: true, Either: true}
	}
	in.fields = append(in.fields, f)
	return ""
}

// sparse looks whether the domain of an immediate has values that mean nothing:
// then, where they are not too many, the domain is a list. It reports a list so
// short that the field is better one, too.
func (l *learner) sparse(in *instr, k int, f *field, vals []operand, ss []valued, decOp desc.Opcode, quality int, big bool) bool {
	d := &in.dom[k]
	good, outside := map[int64]bool{}, false
	for _, s := range ss {
		good[s.val] = true
		outside = outside || !inFormat(d.format, behind(f.xform, s.val))
	}
	bad := false
	for _, v := range vals {
		bad = bad || !good[v.val] && inFormat(d.format, behind(f.xform, v.val))
	}
	if outside || !bad || d.immCount(maxListed) > maxListed {
		return outside
	}
	var all []operand
	for i := range d.immCount(maxListed) {
		all = append(all, operand{kindImm, d.imm(uint64(i))})
	}
	found, _, _ := l.samples(in, k, all, decOp, quality, big)
	for _, s := range found {
		good[s.val] = true
	}
	for v := range good {
		d.list = append(d.list, v)
	}
	slices.Sort(d.list)
	return len(d.list) <= 32
}

// samples asks about values of operand k: good are those that decode to what was asked.
func (l *learner) samples(in *instr, k int, vals []operand, decOp desc.Opcode, quality int, big bool) (good, all []valued, why string) {
	want := uint8(wantCode)
	if quality >= 2 {
		want |= wantDecode
	}
	qs, as := l.probe(in, k, want, append(vals, in.base[k]))
	for i := range as {
		a := &as[i]
		if !a.codeOK || len(a.fixups) > 0 {
			continue
		}
		v := qs[i].ops[k]
		s := valued{sample{uint64(v.val), codeOf(a.code, big)}, v.val}
		if v.kind == kindReg {
			s.sample.val = uint64(l.info.Regs[v.val].Encoding)
		}
		fine := quality >= 2 && a.decodeOK && a.decOp == decOp && a.decSize == len(a.code) && sameOps(a.decOps, qs[i].ops, l.wrap)
		// A tied operand decodes to its twin: it is not varied alone.
		if !fine && quality >= 2 && l.tied(in.op, k) && (v.kind != kindReg || v.val != 0) {
			fine = true
		}
		if len(a.code) != in.size {
			if fine {
				return nil, nil, "the size depends on it"
			}
			continue
		}
		if v.kind == kindReg && v.val == 0 && !fine {
			continue
		}
		all = append(all, s)
		if fine {
			good = append(good, s)
		}
	}
	return good, all, ""
}

// regField learns a register's place: by its encoding, or by a map.
// What registers beside those that are decoded do must be known, too: a place of
// fewer bits would encode them wrongly.
func (l *learner) regField(in *instr, k int, ss, all []valued) string {
	d := &in.dom[k]
	d.regs, d.known = nil, true
	plain := make([]sample, len(ss))
	for i, s := range ss {
		plain[i] = s.sample
		d.regs = append(d.regs, desc.PhysReg(s.val))
	}
	sort.Slice(d.regs, func(i, j int) bool { return d.regs[i] < d.regs[j] })
	for i := len(d.regs) - 1; i > 0; i-- {
		if d.regs[i] == d.regs[i-1] {
			d.regs = append(d.regs[:i], d.regs[i+1:]...)
		}
	}
	for _, s := range all {
		plain = append(plain, s.sample)
	}
	if lin, ok := solve(plain); ok {
		if lin.used() != 0 {
			in.fields = append(in.fields, field{op: k, lin: lin})
		}
		return ""
	}
	in.fields = append(in.fields, mapped(k, desc.XformReg, ss))
	return ""
}

// mapField learns an immediate that follows no rule, where there are few values.
func (l *learner) mapField(in *instr, k int, decOp desc.Opcode, quality int, big bool) string {
	if quality < 2 {
		return "an immediate that is not linear, and nothing decodes it"
	}
	var vals []operand
	for v := int64(-256); v < 1024; v++ {
		vals = append(vals, operand{kindImm, v})
	}
	good, _, why := l.samples(in, k, vals, decOp, quality, big)
	if why != "" {
		return why
	}
	if len(good) > 200 && len(good) <= 1024 { // ARM's: eight bits, rotated or repeated
		good, _, why = l.samples(in, k, append(rotated(), vals...), decOp, quality, big)
		if why != "" {
			return why
		}
	}
	if len(good) < 2 || len(good) > maxListed {
		return "an immediate that is not linear"
	}
	d := &in.dom[k]
	d.known, d.decoded, d.list = true, true, nil
	f := mapped(k, desc.XformImm, good)
	for _, m := range f.maps {
		d.list = append(d.list, m.Key)
	}
	if len(f.lin.masks[63].positions()) > 0 {
		return "an immediate that is not linear"
	}
	in.fields = append(in.fields, f)
	return ""
}

// rotated are the words of 32 bits of which eight in a row are anything, and those
// that repeat eight bits.
func rotated() (out []operand) {
	seen := map[uint32]bool{}
	add := func(v uint32) {
		if !seen[v] {
			seen[v] = true
			out = append(out, operand{kindImm, int64(v)})
		}
	}
	for b := uint32(1); b < 256; b++ {
		for k := range 32 {
			add(bits.RotateLeft32(b, k))
		}
		add(b | b<<16)
		add(b<<8 | b<<24)
		add(b | b<<8 | b<<16 | b<<24)
	}
	return out
}

// value is what a field makes of an operand.
func (l *learner) value(in *instr, f *field, o operand) (uint64, bool) {
	switch f.xform.Kind {
	case desc.XformReg, desc.XformImm:
		k := sort.Search(len(f.maps), func(i int) bool { return f.maps[i].Key >= o.val })
		if k == len(f.maps) || f.maps[k].Key != o.val {
			return 0, false
		}
		return f.maps[k].Value, true
	}
	v := o.val
	if o.kind == kindReg {
		v = int64(l.info.Regs[o.val].Encoding)
	}
	return uint64(behind(f.xform, v)), true
}

// predict gives the bits of an instruction by what is learned.
func (l *learner) predict(in *instr, ops []operand) (code, bool) {
	c := in.fixed
	for i := range in.fields {
		f := &in.fields[i]
		v, ok := l.value(in, f, ops[f.op])
		if !ok {
			return c, false
		}
		c = c.xor(f.lin.of(v))
	}
	return c, true
}

// verifyCode takes what the base has out of the fixed bits and holds the rest to
// random operands.
func (l *learner) verifyCode(in *instr, big bool) {
	for i := range in.fields {
		f := &in.fields[i]
		v, ok := l.value(in, f, in.base[f.op])
		if !ok {
			in.encWhy = "operand: the base is not in the map"
			return
		}
		in.fixed = in.fixed.xor(f.lin.of(v))
	}
	qs := make([]question, 24)
	for k := range qs {
		qs[k] = question{want: wantCode | wantDecode, op: in.op, ops: l.filling(in.op, in.dom, k)}
	}
	as := l.ask(qs)
	right := 0
	for k := range as {
		if !as[k].codeOK {
			continue
		}
		c, ok := l.predict(in, qs[k].ops)
		if !ok || len(as[k].code) != in.size || c != codeOf(as[k].code, big) || len(as[k].fixups) > 0 {
			in.encWhy = "operands together do what none does alone"
			return
		}
		right++
	}
	if right < 8 {
		in.encWhy = "too few random operands are accepted"
		return
	}
	if !l.verifyClasses(in, big) {
		in.encWhy = "operands together do what none does alone"
		return
	}
	in.encoded = true
	l.findFixups(in)
}

// verifyClasses holds the encoding to registers of whole classes: some go only
// with others, which one operand's changes do not show. What decodes to itself
// must be right.
func (l *learner) verifyClasses(in *instr, big bool) bool {
	wide := slices.Clone(in.dom)
	for k, d := range l.domains(in.op) {
		if len(d.regs) > 0 {
			wide[k].regs = d.regs
		}
	}
	qs := make([]question, 48)
	for k := range qs {
		qs[k] = question{want: wantCode | wantDecode, op: in.op, ops: l.filling(in.op, wide, k)}
	}
	as := l.ask(qs)
	for k := range as {
		if c, ok := l.predict(in, qs[k].ops); as[k].same(&qs[k]) && ok && c != codeOf(as[k].code, big) {
			return false
		}
	}
	return true
}

// findFixups asks what a symbol does in the place of each immediate.
func (l *learner) findFixups(in *instr) {
	for i := range in.fields {
		f := &in.fields[i]
		if in.base[f.op].kind != kindImm {
			continue
		}
		_, as := l.probe(in, f.op, wantCode, []operand{{kindSym, 1}})
		if a := &as[0]; a.codeOK && len(a.fixups) == 1 && len(a.code) == in.size {
			f.fixup = &a.fixups[0]
			if _, ok := l.fixups[f.fixup.kind]; !ok {
				name, err := l.or.fixupName(f.fixup.kind)
				l.failed(err)
				l.fixups[f.fixup.kind] = name
			}
		}
	}
}
