package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// expand emits what a mnemonic stands for that the machine does not have.
func (r *reader) expand(*row) error {
	// A register twice, where the first is left out.
	ops := r.ops
	n := func(k int) int { return ops[k].reg.n }
	for k := range ops {
		if ops[k].kind == 'R' && n(k) == r.at() && n(k) != 0 {
			r.p.Warn(ops[k].start, ops[k].start, usedAT(n(k)))
		}
	}
	three := ops
	if len(ops) == 2 && ops[0].kind == 'R' {
		three = append([]operand{ops[0]}, ops...)
	}
	switch w := r.word; w {
	case "li", "dli":
		return r.loadImm(ops[1].v, n(0), -1, w == "li", false)
	case "la", "dla":
		o := &ops[1]
		base := -1
		if o.kind == 'M' {
			base = o.reg.n
			if base == r.at() && base != 0 {
				r.p.Warn(o.base, o.base, usedAT(base))
			}
		}
		return r.loadAddress(n(0), base, o.x, o.v, w == "la")
	case "abs":
		l := []step{{"BGEZ", n(1), imm(8)}, {"ADDu", n(0), n(1), 0}, {"SUB", n(0), 0, n(1)}}
		if n(0) == n(1) {
			l[1] = step{"SLL", 0, 0, imm(0)}
		}
		r.nomacro()
		return r.steps(l...)
	case "beq", "bne", "beql", "bnel":
		return r.branchImm(ops)
	case "rol", "ror", "drol", "dror":
		return r.rotate(three)
	case "div", "divu", "ddiv", "ddivu", "rem", "remu", "drem", "dremu":
		return r.divide(three)
	case "mul", "dmul", "mulo", "mulou", "dmulo", "dmulou":
		return r.multiply(three)
	case "seq", "sne":
		return r.equal(three)
	case "sge", "sgeu", "sle", "sleu", "sgt", "sgtu":
		return r.compare(three)
	case "nor":
		return r.norImm(three)
	case "ulw", "usw":
		return r.unalignedWord(ops)
	case "ulh", "ulhu", "ush":
		return r.unalignedHalf(ops)
	case "ld", "sd":
		return r.doubleWord(ops, 'g')
	case "s.d":
		return r.doubleWord(ops, 'f')
	case "trunc.w.s", "trunc.w.d":
		return r.truncate(ops)
	case "saa", "saad":
		return r.saa(ops)
	case "lwm", "swm":
		return r.multiple()
	case "li.s", "li.d":
		return r.loadReal(ops)
	}
	if c, ok := branches[strings.TrimSuffix(r.word, "l")]; ok {
		return r.branch(c, ops, false)
	}
	if c, ok := branches[r.word]; ok {
		return r.branch(c, ops, false)
	}
	return failed("the macro " + r.word + " is not supported")
}

// condition is what a branch macro compares.
type condition struct {
	equal, reverse, unsigned bool
	zeroSrc, zeroTrg         string
}

var branches = map[string]condition{
	"blt": {false, false, false, "BGTZ", "BLTZ"}, "ble": {true, true, false, "BGEZ", "BLEZ"}, "bge": {true, false, false, "BLEZ", "BGEZ"}, "bgt": {false, true, false, "BLTZ", "BGTZ"},
	"bltu": {false, false, true, "", ""}, "bleu": {true, true, true, "", ""}, "bgeu": {true, false, true, "", ""}, "bgtu": {false, true, true, "", ""},
}

// to is the operand of a branch.
func (o *operand) to() any {
	if o.x != 0 {
		return o.x
	}
	return imm(o.v)
}

// slot puts a branch between what keeps its delay slot and fills that, where the assembler does so.
func (r *reader) slot2(f func() error) error {
	if !r.opt().reorder {
		return f()
	}
	r.noReorder()
	if err := f(); err != nil {
		return err
	}
	if err := r.delaySlot(false); err != nil {
		return err
	}
	r.reorder()
	return nil
}

func (r *reader) branch(c condition, ops []operand, _ bool) error {
	likely := strings.HasSuffix(r.word, "l") && r.word != "bl"
	to := ops[2].to()
	yes, no := "BNE", "BEQ"
	if likely {
		yes, no = "BNEL", "BEQL"
	}
	if c.equal {
		yes = no
	}
	slt := "SLT"
	if c.unsigned {
		slt = "SLTu"
	}
	s := ops[0].reg.n
	test := func(t int) error {
		at, err := r.atReg()
		if err != nil {
			return err
		}
		r.nomacro()
		a, b := s, t
		if c.reverse {
			a, b = t, s
		}
		return r.steps(step{slt, at, a, b}, step{yes, at, 0, to})
	}
	if ops[1].kind == 'I' {
		at, err := r.atReg()
		if err != nil {
			return err
		}
		r.nomacro()
		if err := r.loadImm(ops[1].v, at, -1, !r.has("gp64"), false); err != nil {
			return err
		}
		a, b := s, at
		if c.reverse {
			a, b = b, a
		}
		return r.steps(step{slt, at, a, b}, step{yes, at, 0, to})
	}
	t := ops[1].reg.n
	return r.slot2(func() error {
		zs, zt := s == 0, t == 0
		always := func() error {
			r.p.Warn(0, 0, "branch is always taken")
			return r.inst("BEQ", 0, 0, to)
		}
		switch word := strings.TrimSuffix(r.word, "l"); {
		case zs && zt && c.equal && !c.unsigned:
			r.p.Warn(0, 0, "branch is always taken")
			return r.inst(c.zeroTrg, 0, to)
		case zs && zt && !c.unsigned:
			return r.inst(c.zeroTrg, 0, to)
		case zs && zt && c.equal:
			return always()
		case zs && zt:
			return r.inst("BNE", 0, 0, to)
		case zs && word == "bgtu" || zt && word == "bltu":
			return nil // never taken
		case zs && word == "bleu" || zt && word == "bgeu":
			return always()
		case (zs || zt) && c.unsigned:
			op := "BNE"
			if c.equal {
				op = "BEQ"
			}
			return r.inst(op, s+t, 0, to)
		case zs:
			return r.inst(c.zeroSrc, t, to)
		case zt:
			return r.inst(c.zeroTrg, s, to)
		}
		return test(t)
	})
}

// branchImm compares a register with a number.
func (r *reader) branchImm(ops []operand) error {
	op := map[string]string{"beq": "BEQ", "bne": "BNE", "beql": "BEQL", "bnel": "BNEL"}[r.word]
	f := func() error {
		if ops[1].v == 0 {
			return r.inst(op, ops[0].reg.n, 0, ops[2].to())
		}
		r.nomacro()
		at, err := r.atReg()
		if err != nil {
			return err
		}
		if err := r.loadImm(ops[1].v, at, -1, !r.has("gp64"), true); err != nil {
			return err
		}
		return r.inst(op, ops[0].reg.n, at, ops[2].to())
	}
	if strings.HasSuffix(r.word, "l") {
		if err := f(); err != nil {
			return err
		}
		return r.delaySlot(false)
	}
	return r.slot2(f)
}

func (r *reader) rotate(ops []operand) error {
	wide := r.word[0] == 'd'
	left := strings.HasSuffix(r.word, "ol")
	d, s := ops[0].reg.n, ops[1].reg.n
	p, sub, or := "", "SUBu", "OR"
	bits, has := int64(32), "mips32r2"
	if wide {
		p, sub, or, bits, has = "D", "DSUBu", "OR64", 64, "mips64r2"
	}
	at := func() (int, error) { return r.atReg() }
	if ops[2].kind == 'R' {
		t := ops[2].reg.n
		if r.has(has) {
			if !left {
				return r.inst(p+"ROTRV", d, s, t)
			}
			u := d
			if d == s {
				var err error
				if u, err = at(); err != nil {
					return err
				}
			}
			return r.steps(step{sub, u, 0, t}, step{p + "ROTRV", d, s, u})
		}
		u, err := at()
		if err != nil {
			return err
		}
		r.nomacro()
		first, second := p+"SLLV", p+"SRLV"
		if left {
			first, second = second, first
		}
		return r.steps(step{sub, u, 0, t}, step{first, u, s, u}, step{second, d, s, t}, step{or, d, d, u})
	}
	n := ops[2].v & (bits - 1)
	shift := func(op string, d, s int, n int64) step {
		if n >= 32 {
			return step{op + "32", d, s, imm(n - 32)}
		}
		return step{op, d, s, imm(n)}
	}
	if r.has(has) {
		if left {
			n = (bits - n) & (bits - 1)
		}
		return r.steps(shift(p+"ROTR", d, s, n))
	}
	if n == 0 {
		return r.inst(p+"SRL", d, s, imm(0))
	}
	u, err := at()
	if err != nil {
		return err
	}
	r.nomacro()
	first, second := p+"SRL", p+"SLL"
	if left {
		first, second = second, first
	}
	return r.steps(shift(first, u, s, n), shift(second, d, s, bits-n), step{or, d, d, u})
}

func (r *reader) divide(ops []operand) error {
	wide := r.word[0] == 'd' && r.word[1] != 'i'
	rem := strings.Contains(r.word, "rem")
	signed := !strings.HasSuffix(r.word, "u")
	op, neg := "SDIV", "SUB"
	switch {
	case wide && signed:
		op, neg = "DSDIV", "DSUB"
	case wide:
		op = "DUDIV"
	case !signed:
		op = "UDIV"
	}
	from := "MFLO"
	if rem {
		from = "MFHI"
	}
	if wide {
		from += "64"
	}
	d, s := ops[0].reg.n, ops[1].reg.n
	trap := r.has("use-tcc-in-div")
	stop := func() error {
		if trap {
			return r.inst("TEQ", 0, 0, imm(7))
		}
		return r.inst("BREAK", imm(7), imm(0))
	}
	zero := func() {
		msg := "division by zero"
		if s == 0 {
			msg = "dividing zero by zero"
		}
		r.p.Warn(0, 0, msg)
	}
	if ops[2].kind == 'I' {
		v := ops[2].v
		switch {
		case v == 0:
			if !rem {
				zero()
			}
			return stop()
		case v == 1 && rem, v == -1 && rem && signed:
			return r.inst("OR", d, r.zeroOf(wide), r.zeroOf(wide))
		case v == 1:
			return r.inst("OR", d, s, 0)
		case v == -1 && signed:
			return r.inst(neg, d, 0, s)
		}
		at, err := r.atReg()
		if err != nil {
			return err
		}
		if err := r.loadImm(v, at, -1, isInt(v, 32), false); err != nil {
			return err
		}
		return r.steps(step{op, s, at}, step{from, d})
	}
	t := ops[2].reg.n
	if t == 0 && !rem {
		zero()
	}
	if d == 0 && !(wide && !rem && len(r.ops) == 2) {
		return r.inst(op, s, t)
	}
	if t == 0 {
		return stop()
	}
	r.nomacro()
	if err := r.inst(op, s, t); err != nil {
		return err
	}
	if trap {
		return r.steps(step{"TEQ", t, 0, imm(7)}, step{from, d})
	}
	return r.around("BNE", t, r.zeroOf(wide), true, step{"BREAK", imm(7), imm(0)}, step{from, d})
}

// zeroOf is the register zero of a size.
func (r *reader) zeroOf(wide bool) any {
	if wide {
		return r.regOf("GPR64", 0)
	}
	return 0
}

// around branches around an instruction, to the one that comes last.
func (r *reader) around(op string, a int, b any, nop bool, skipped, then step) error {
	ctx := r.p.Context()
	l := ctx.Temp("tmp")
	if err := r.inst(op, a, b, ctx.Ref(l, mc.ModNone)); err != nil {
		return err
	}
	if nop {
		if err := r.delaySlot(false); err != nil {
			return err
		}
	}
	if err := r.steps(skipped); err != nil {
		return err
	}
	r.p.Streamer().Label(l)
	if then == nil {
		return nil
	}
	return r.steps(then)
}

func (r *reader) multiply(ops []operand) error {
	wide := r.word[0] == 'd'
	p := ""
	if wide {
		p = "D"
	}
	mflo, mfhi := "MFLO", "MFHI"
	if wide {
		mflo, mfhi = "MFLO64", "MFHI64"
	}
	d, s := ops[0].reg.n, ops[1].reg.n
	if ops[2].kind == 'I' {
		at, err := r.atReg()
		if err != nil {
			return err
		}
		if err := r.loadImm(ops[2].v, at, -1, true, false); err != nil {
			return err
		}
		return r.steps(step{p + "MULT", s, at}, step{mflo, d})
	}
	t := ops[2].reg.n
	trap := r.has("use-tcc-in-div")
	switch {
	case strings.HasSuffix(r.word, "o"):
		at, err := r.atReg()
		if err != nil {
			return err
		}
		r.nomacro()
		sra := step{"SRA", d, d, imm(31)}
		if wide {
			sra = step{"DSRA32", d, d, imm(31)}
		}
		if err := r.steps(step{p + "MULT", s, t}, step{mflo, d}, sra, step{mfhi, at}); err != nil {
			return err
		}
		if trap {
			return r.steps(step{"TNE", d, at, imm(6)}, step{mflo, d})
		}
		return r.around("BEQ", d, at, r.opt().reorder, step{"BREAK", imm(6), imm(0)}, step{mflo, d})
	case strings.HasSuffix(r.word, "ou"):
		at, err := r.atReg()
		if err != nil {
			return err
		}
		r.nomacro()
		if err := r.steps(step{p + "MULTu", s, t}, step{mfhi, at}, step{mflo, d}); err != nil {
			return err
		}
		if trap {
			return r.inst("TNE", at, 0, imm(6))
		}
		return r.around("BEQ", at, 0, r.opt().reorder, step{"BREAK", imm(6), imm(0)}, nil)
	}
	return r.steps(step{p + "MULTu", s, t}, step{mflo, d})
}

// equal sets a register where two are equal, or not.
func (r *reader) equal(ops []operand) error {
	d, s := ops[0].reg.n, ops[1].reg.n
	eq := r.word == "seq"
	done := func(of int) error {
		if eq {
			return r.inst("SLTiu", d, of, imm(1))
		}
		return r.inst("SLTu", d, 0, of)
	}
	r.nomacro()
	if ops[2].kind == 'R' {
		t := ops[2].reg.n
		if s != 0 && t != 0 {
			if err := r.inst("XOR", d, s, t); err != nil {
				return err
			}
			return done(d)
		}
		return done(s + t)
	}
	v := ops[2].v
	switch {
	case v == 0:
		return done(s)
	case s == 0:
		if eq {
			r.p.Warn(0, 0, "comparison is always false")
			if r.has("gp64") {
				return r.inst("DADDu", d, r.regOf("GPR32", 0), r.regOf("GPR32", 0))
			}
			return r.inst("ADDu", d, 0, 0)
		}
		r.p.Warn(0, 0, "comparison is always true")
		return r.inst("ADDiu", d, 0, imm(1))
	case v > -0x8000 && v < 0:
		op := "ADDiu"
		if r.has("gp64") {
			op = "DADDiu"
		}
		if err := r.inst(op, d, s, imm(-v)); err != nil {
			return err
		}
	case isUInt(v, 16):
		if err := r.inst("XORi", d, s, imm(v)); err != nil {
			return err
		}
	default:
		at, err := r.atReg()
		if err != nil {
			return err
		}
		if err := r.loadImm(v, at, -1, isInt(v, 32), false); err != nil {
			return err
		}
		if err := r.inst("XOR", d, s, at); err != nil {
			return err
		}
	}
	return done(d)
}

// compare sets a register by the order of two.
func (r *reader) compare(ops []operand) error {
	d, s := ops[0].reg.n, ops[1].reg.n
	unsigned := strings.HasSuffix(r.word, "u")
	slt := "SLT"
	if unsigned {
		slt = "SLTu"
	}
	what := strings.TrimSuffix(r.word, "u")
	r.nomacro()
	not := func() error {
		if what == "sgt" {
			return nil
		}
		return r.inst("XORi", d, d, imm(1))
	}
	if ops[2].kind == 'R' {
		t := ops[2].reg.n
		if what != "sge" {
			s, t = t, s
		}
		if err := r.inst(slt, d, s, t); err != nil {
			return err
		}
		return not()
	}
	v := ops[2].v
	if what == "sge" && isInt(v, 16) {
		if unsigned {
			slt = "SLTiu"
		} else {
			slt = "SLTi"
		}
		if err := r.inst(slt, d, s, imm(v)); err != nil {
			return err
		}
		return not()
	}
	t := d
	if d == s {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	if err := r.loadImm(v, t, -1, isInt(v, 32) || isUInt(v, 32) && !r.has("gp64"), false); err != nil {
		return err
	}
	a, b := t, s
	if what == "sge" {
		a, b = s, t
	}
	if err := r.inst(slt, d, a, b); err != nil {
		return err
	}
	return not()
}

func (r *reader) norImm(ops []operand) error {
	d, s := ops[0].reg.n, ops[1].reg.n
	t := d
	if d == s {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	v := ops[2].v
	if err := r.loadImm(v, t, -1, isInt(v, 32) || !r.has("gp64"), false); err != nil {
		return err
	}
	if d == s {
		return r.inst("NOR", d, d, t)
	}
	return r.inst("NOR", d, t, s)
}

// unaligned gives the register and the offset of an unaligned access of more bytes behind
// the first, in at where the offset does not fit.
func (r *reader) unaligned(o *operand, more int64, at func() (int, error)) (base int, off int64, err error) {
	base, off = o.reg.n, o.v
	if isInt(off, 16) && isInt(off+more, 16) {
		return base, off, nil
	}
	t, err := at()
	if err != nil {
		return 0, 0, err
	}
	return t, 0, r.loadImm(off, t, base, !r.pointers64(), true)
}

func (r *reader) unalignedWord(ops []operand) error {
	o := &ops[1]
	d := ops[0].reg.n
	base, off, err := r.unaligned(o, 3, r.atReg)
	if err != nil {
		return err
	}
	left, right := off, off+3
	if !r.target.Triple.IsLittleEndian() {
	} else {
		left, right = right, left
	}
	if r.word == "usw" {
		return r.steps(step{"SWL", d, base, imm(left)}, step{"SWR", d, base, imm(right)})
	}
	t := d
	if d == o.reg.n && base == o.reg.n {
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	if err := r.steps(step{"LWL", t, base, imm(left)}, step{"LWR", t, base, imm(right)}); err != nil || t == d {
		return err
	}
	return r.inst("OR", d, t, 0)
}

func (r *reader) unalignedHalf(ops []operand) error {
	r.nomacro()
	o := &ops[1]
	d := ops[0].reg.n
	at, err := r.atReg()
	if err != nil {
		return err
	}
	base, off, err := r.unaligned(o, 1, r.atReg)
	if err != nil {
		return err
	}
	big := !r.target.Triple.IsLittleEndian()
	first, second := off, off+1
	if !big {
		first, second = second, first
	}
	large := base != o.reg.n
	if r.word == "ush" {
		if !large {
			return r.steps(step{"SB", d, base, imm(second)}, step{"SRL", at, d, imm(8)}, step{"SB", at, base, imm(first)})
		}
		return r.steps(step{"SB", d, at, imm(second)}, step{"SRL", d, d, imm(8)}, step{"SB", d, at, imm(first)},
			step{"LBu", at, at, imm(0)}, step{"SLL", d, d, imm(8)}, step{"OR", d, d, at})
	}
	hi := "LB"
	if r.word == "ulhu" {
		hi = "LBu"
	}
	a, b := at, d
	if large {
		a, b = d, at
	}
	return r.steps(step{hi, a, base, imm(first)}, step{"LBu", b, base, imm(second)}, step{"SLL", a, a, imm(8)}, step{"OR", d, d, at})
}

// doubleWord loads or stores a pair of registers.
func (r *reader) doubleWord(ops []operand, file byte) error {
	o := &ops[1]
	d := ops[0].reg.n
	op := map[string]string{"ld": "LW", "sd": "SW", "s.d": "SWC1"}[r.word]
	if o.x != 0 {
		return failed(r.word + " of a symbol is not supported")
	}
	if !isInt(o.v+4, 16) {
		return failed(r.word + " of this offset is not supported")
	}
	r.nomacro()
	lo, hi := step{op, d, o.reg.n, imm(o.v)}, step{op, d + 1, o.reg.n, imm(o.v + 4)}
	if file == 'f' && !r.target.Triple.IsLittleEndian() {
		lo, hi = step{op, d + 1, o.reg.n, imm(o.v)}, step{op, d, o.reg.n, imm(o.v + 4)}
	}
	if r.word == "ld" && d == o.reg.n {
		lo, hi = hi, lo
	}
	return r.steps(lo, hi)
}

func (r *reader) truncate(ops []operand) error {
	d, s, t := ops[0].reg.n, ops[1].reg.n, ops[2].reg.n
	op := "TRUNC_W_S"
	if r.word == "trunc.w.d" {
		if op = "TRUNC_W_D32"; r.has("fp64") {
			op = "TRUNC_W_D64"
		}
	}
	if r.has("mips2") {
		return r.inst(op, d, s)
	}
	r.nomacro()
	cvt := map[string]string{"TRUNC_W_S": "CVT_W_S", "TRUNC_W_D32": "CVT_W_D32", "TRUNC_W_D64": "CVT_W_D64"}[op]
	at, err := r.atReg()
	if err != nil {
		return err
	}
	nop := step{"SLL", 0, 0, imm(0)}
	return r.steps(step{"CFC1", t, 31}, step{"CFC1", t, 31}, nop, step{"ORi", at, t, imm(3)}, step{"XORi", at, at, imm(2)}, step{"CTC1", 31, at}, nop,
		step{cvt, d, s}, step{"CTC1", 31, t}, nop)
}

// multiple chooses the form of a load or store of a list.
func (r *reader) multiple() error {
	op := strings.ToUpper(r.word)
	l, o := &r.ops[0], &r.ops[1]
	switch {
	case !l.short() || o.reg.n != 29 || o.v < 0 || o.v > 60 || o.v%4 != 0:
		op += "32_MM"
	case r.has("mips32r6"):
		op += "16_MMR6"
	default:
		op += "16_MM"
	}
	args := []any{}
	for _, n := range l.list {
		args = append(args, r.regOf("GPR32", n))
	}
	return r.inst(op, append(args, r.regOf("GPR32", o.reg.n), imm(o.v))...)
}

func (r *reader) saa(ops []operand) error {
	o := &ops[1]
	op := strings.ToUpper(r.word)
	if o.x == 0 && o.v == 0 {
		return r.inst(op, ops[0].reg.n, o.reg.n)
	}
	r.nomacro()
	at, err := r.atReg()
	if err != nil {
		return err
	}
	if err := r.loadAddress(at, o.reg.n, o.x, o.v, !r.pointers64()); err != nil {
		return err
	}
	return r.inst(op, ops[0].reg.n, at)
}
