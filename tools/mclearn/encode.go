package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/mirin-go/mirin/desc"
)

// domain is the values that an operand takes.
type domain struct {
	regs   []desc.PhysReg // of a register
	list   []int64        // of an immediate whose values follow no format
	format desc.ImmFormat // of one whose values do, after add
	add    int64          // value+add (or add-value) is of the format
	neg    bool
	// magnitude says that the format's least value is none: there is a bit for the sign.
	magnitude bool
	known     bool // learned, not guessed
	// decoded says that values come from what decodes to itself.
	decoded bool
}

// immCount is the number of immediates, at most limit+1.
func (d *domain) immCount(limit int) int {
	if d.list != nil {
		return len(d.list)
	}
	if d.format.Bits > 30 {
		return limit + 1
	}
	return min(limit+1, 1<<d.format.Bits)
}

// imm is immediate k of those of the domain.
func (d *domain) imm(k uint64) int64 {
	if d.list != nil {
		return d.list[k%uint64(len(d.list))]
	}
	f := d.format
	v := int64(k)
	if f.Bits < 64 {
		v &= 1<<f.Bits - 1
		if f.Signed {
			v = v << (64 - f.Bits) >> (64 - f.Bits)
		}
		if d.magnitude && v == -1<<(f.Bits-1) {
			v = 0
		}
	}
	v <<= f.Shift
	if d.neg {
		return d.add - v
	}
	return v - d.add
}

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
}

func newLearner(info *desc.Info, or oracle, mode int) *learner {
	return &learner{info: info, or: or, mode: mode, rnd: rand.New(rand.NewPCG(13, 22)), fixups: map[uint16]string{}}
}

// kinds says which operands are registers, with their classes' members.
func (l *learner) domains(op desc.Opcode) []domain {
	ops := l.info.Operands(op)
	ds := make([]domain, len(ops))
	for k := range ops {
		c := l.info.OperandClass(op, k, l.mode)
		if c != desc.NoClass && int(c) < len(l.info.Classes) {
			ds[k].regs = l.info.ClassMembers(c)
			if ops[k].Flags&desc.OptionalDefOperand != 0 || ops[k].Flags&desc.PredicateOperand != 0 {
				ds[k].regs = append([]desc.PhysReg{0}, ds[k].regs...)
			}
		}
	}
	return ds
}

// guesses are immediates that most operands take.
var guesses = [...]int64{0, 1, 14, 2, 3, 4, 8, 16, 5, 7, 6, 12, 15, 24, 32, -1, -4, -8, 10, 64, 31}

// filling makes operands: from known domains, or by guess.
func (l *learner) filling(op desc.Opcode, ds []domain, try int) []operand {
	ops := l.info.Operands(op)
	out := make([]operand, len(ds))
	for k := range ds {
		d := &ds[k]
		if t := ops[k].TiedTo; t >= 0 && int(t) < k {
			out[k] = out[t]
			continue
		}
		switch {
		case !d.known && len(d.regs) == 0 && try%3 != 2 && l.predicate(op, k):
			out[k] = operand{kindImm, always}
		case len(d.regs) > 0:
			out[k] = operand{kindReg, int64(d.regs[l.rnd.IntN(len(d.regs))])}
		case d.known:
			out[k] = operand{kindImm, d.imm(l.rnd.Uint64())}
		case try == 0:
			out[k] = operand{kindImm, 0}
		case try < 3:
			out[k] = operand{kindImm, guesses[try]}
		default:
			out[k] = operand{kindImm, guesses[l.rnd.IntN(min(len(guesses), 2+try))]}
		}
	}
	l.agree(op, out)
	return out
}

// always is ARM's condition that holds always. A predicate is a condition and the
// flags it reads, which are no register with this one.
const always = 14

// predicate reports that operand k is a condition and the next one its flags.
func (l *learner) predicate(op desc.Opcode, k int) bool {
	ops := l.info.Operands(op)
	return k+1 < len(ops) && ops[k].Flags&desc.PredicateOperand != 0 && ops[k+1].Flags&desc.PredicateOperand != 0 &&
		l.info.OperandClass(op, k, l.mode) == desc.NoClass && l.info.OperandClass(op, k+1, l.mode) != desc.NoClass
}

// agree gives conditions the flags that they go with.
func (l *learner) agree(op desc.Opcode, ops []operand) {
	for k := range ops {
		if l.predicate(op, k) {
			ops[k+1] = operand{kindReg, 0}
			if m := l.info.ClassMembers(l.info.OperandClass(op, k+1, l.mode)); ops[k].val != always && len(m) > 0 {
				ops[k+1].val = int64(m[0])
			}
		}
	}
}

// findBase looks for operands that encode, best such that decode to themselves.
// It returns how good they are: 0 none, 1 they encode, 2 they decode to another
// opcode with the same operands, 3 to themselves.
func (l *learner) findBase(op desc.Opcode) (ops []operand, decOp desc.Opcode, quality int) {
	const tries = 48
	ds := l.domains(op)
	qs := make([]question, tries)
	for k := range qs {
		qs[k] = question{want: wantCode | wantDecode | wantText, op: op, ops: l.filling(op, ds, k)}
	}
	// What bytes decode to, other operands than were asked about, is a filling that
	// is right in itself: registers that follow each other, say.
	for pass := range 2 {
		as, err := l.or.ask(qs)
		if err != nil {
			panic(err)
		}
		var again []question
		for k := range as {
			if q := rank(&as[k], &qs[k]); q > quality {
				ops, decOp, quality = qs[k].ops, as[k].decOp, q
			}
			if a := &as[k]; a.codeOK && a.decodeOK && a.decOp == op && len(a.decOps) == len(ds) && !a.same(&qs[k]) {
				again = append(again, question{want: qs[k].want, op: op, ops: a.decOps})
			}
		}
		if qs = again; pass == 1 || quality >= 3 {
			break
		}
	}
	return ops, decOp, min(quality, 3)
}

// rank says how good an answer is for a base: see findBase, and 4 where operands
// differ from each other, too.
func rank(a *answer, q *question) int {
	switch {
	case !a.codeOK || len(a.code) == 0 || len(a.fixups) > 0:
		return 0
	case a.same(q) && spread(q.ops):
		return 4
	case a.same(q):
		return 3
	case a.decodeOK && a.decSize == len(a.code) && sameOps(a.decOps, q.ops, false):
		return 2
	}
	return 1
}

// sameOps reports that what was decoded (a) is what was asked about. Some
// decoders give negative numbers as their low 32 bits, which wrap admits.
func sameOps(a, b []operand, wrap bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] && !(wrap && a[k].kind == kindImm && b[k].kind == kindImm && b[k].val < 0 && b[k].val >= -1<<31 && a[k].val == b[k].val+(1<<32)) {
			return false
		}
	}
	return true
}

// spread reports that no two operands are alike, so that texts tell them apart.
func spread(ops []operand) bool {
	for k := range ops {
		for j := range k {
			if ops[j] == ops[k] {
				return false
			}
		}
	}
	return true
}

// probe gives the answers for other values of operand k.
func (l *learner) probe(in *instr, k int, want uint8, vals []operand) ([]question, []answer) {
	qs := make([]question, len(vals))
	for i, v := range vals {
		ops := append([]operand(nil), in.base...)
		if k < len(ops) {
			ops[k] = v
			l.agree(in.op, ops)
		}
		for _, f := range in.follow[k] {
			ops[f] = v
		}
		qs[i] = question{want: want, op: in.op, ops: ops}
	}
	as, err := l.or.ask(qs)
	if err != nil {
		panic(err)
	}
	return qs, as
}

// immProbes are the immediates that show what bits do.
func immProbes() (out []operand) {
	add := func(v int64) { out = append(out, operand{kindImm, v}) }
	for v := int64(0); v < 33; v++ {
		add(v)
	}
	for k := 5; k < 64; k++ {
		add(1 << k)
		add(1<<k - 1)
		add(-1 << k)
	}
	for v := int64(1); v <= 32; v++ {
		add(-v)
	}
	for _, v := range [...]int64{45, 90, 180, 270, 85, 170, 0x155, 0x2aa, 0x5555, 0xaaa8, -3, -12, -40, -136, -1000, -2736, 1000, 2736, 12344, 65528, 8736} {
		add(v)
	}
	return out
}

// encode learns the encoding of in, whose base is found.
func (l *learner) encode(in *instr, decOp desc.Opcode, quality int) {
	big := l.or.bigEndian()
	a0, err := l.or.ask([]question{{want: wantCode, op: in.op, ops: in.base}})
	if err != nil || !a0[0].codeOK {
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
	f, ok := fit(ss, d.decoded)
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

// inFormat reports that a value is of a format.
func inFormat(f desc.ImmFormat, v int64) bool {
	if v&(1<<f.Shift-1) != 0 {
		return false
	}
	v >>= f.Shift
	if f.Bits >= 64 {
		return true
	}
	if f.Signed && v < 0 {
		return v >= -1<<(f.Bits-1)
	}
	return v >= 0 && v < 1<<f.Bits && (!f.Signed || f.Either || v < 1<<(f.Bits-1))
}

// valued is a sample with its operand.
type valued struct {
	sample
	val int64
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

// tied reports an operand that equals another.
func (l *learner) tied(op desc.Opcode, k int) bool {
	ops := l.info.Operands(op)
	if ops[k].TiedTo >= 0 {
		return true
	}
	for j := range ops {
		if int(ops[j].TiedTo) == k {
			return true
		}
	}
	return false
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

// mapped is a field whose values are listed.
func mapped(k int, kind desc.EncXformKind, ss []valued) field {
	var union code
	for _, s := range ss {
		union = union.or(s.out.xor(ss[0].out))
	}
	at := union.positions()
	f := field{op: k, xform: desc.EncXform{Kind: kind}, lin: &linear{}}
	for i, p := range at {
		if i < 64 {
			f.lin.masks[i][p/64] |= 1 << (p % 64)
		}
	}
	for _, s := range ss {
		v := uint64(0)
		for i, p := range at {
			v |= s.out[p/64] >> (p % 64) & 1 << i
		}
		f.maps = append(f.maps, desc.EncMap{Key: s.val, Value: v})
	}
	sort.Slice(f.maps, func(i, j int) bool { return f.maps[i].Key < f.maps[j].Key })
	n := 0
	for i, m := range f.maps {
		if i == 0 || m.Key != f.maps[n-1].Key {
			f.maps[n] = m
			n++
		}
	}
	f.maps = f.maps[:n]
	return f
}

// fit finds how an immediate goes into bits: as it is, with something added, or negated.
func fit(ss []valued, decoded bool) (field, bool) {
	try := func(x desc.EncXform) (field, bool) {
		list := make([]sample, len(ss))
		width := 0
		for i, s := range ss {
			v := behind(x, s.val)
			list[i] = sample{uint64(v), s.out}
			if v < 0 {
				width = max(width, bits.Len64(uint64(^v))+1)
			} else {
				width = max(width, bits.Len64(uint64(v)))
			}
		}
		// Of negative numbers the bit of the sign is the last that counts.
		for i := range list {
			if decoded && width < 64 {
				list[i].val &= 1<<width - 1
			}
		}
		lin, ok := solve(list)
		return field{xform: x, lin: lin}, ok
	}
	plain, linear := try(desc.EncXform{})
	if linear && simple(plain.lin) {
		return plain, true
	}
	for k := 0; k < 8 && !linear; k++ {
		for _, a := range [...]int64{-1 << k, 1 << k} {
			if f, ok := try(desc.EncXform{Kind: desc.XformAdd, Add: a}); ok && simple(f.lin) {
				return f, true
			}
		}
	}
	for _, a := range [...]int64{0, 8, 16, 32, 64, 128, 256, 7, 15, 31, 63, 127, 255, -1} {
		if f, ok := try(desc.EncXform{Kind: desc.XformSub, Add: a}); ok && !linear && simple(f.lin) {
			return f, true
		}
	}
	// ARM's "minus zero" is the least number of 32 bits: an operand of its own.
	signed := slices.DeleteFunc(slices.Clone(ss), func(s valued) bool { return s.val <= -1<<31 || s.val >= 1<<31 })
	below := 0
	for _, s := range signed {
		if s.val < 0 {
			below++
		}
	}
	if decoded && below > 4 && len(signed) > below+4 {
		ss = signed
		if f, ok := try(desc.EncXform{Kind: desc.XformSign}); ok && simple(f.lin) && f.lin.masks[63] != (code{}) {
			f.xform.Add = int64(f.lin.used() &^ (1 << 63))
			return f, true
		}
	}
	return plain, linear
}

// behind is what a transformation makes of a value.
func behind(x desc.EncXform, v int64) int64 {
	switch {
	case x.Kind == desc.XformSub:
		return x.Add - v
	case x.Kind == desc.XformSign && v < 0:
		return -v
	case x.Kind == desc.XformSign:
		return v | -1<<63
	}
	return v + x.Add
}

// simple reports that each bit of the value has at most one place: a map that
// says more than the few samples it was made of say.
func simple(l *linear) bool {
	for _, m := range l.masks {
		if bits.OnesCount64(m[0])+bits.OnesCount64(m[1]) > 1 {
			return false
		}
	}
	return true
}

// formatOf is the format of the values that a field holds.
func formatOf(f field, ss []valued) desc.ImmFormat {
	used := f.lin.used()
	lo, hi := bits.TrailingZeros64(used), bits.Len64(used)-1
	fm := desc.ImmFormat{Bits: uint8(hi - lo + 1), Shift: uint8(lo)}
	neg, pos := false, false
	for _, s := range ss {
		v := behind(f.xform, s.val)
		neg = neg || v < 0
		pos = pos || v>>hi == 1
	}
	fm.Signed, fm.Either = neg, neg && pos
	return fm
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
	as, err := l.or.ask(qs)
	if err != nil {
		panic(err)
	}
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
	as, err := l.or.ask(qs)
	if err != nil {
		panic(err)
	}
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
				if err != nil {
					panic(err)
				}
				l.fixups[f.fixup.kind] = name
			}
		}
	}
}
