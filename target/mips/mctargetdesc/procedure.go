package mctargetdesc

import (
	"fmt"

	"github.com/mirin-go/mirin/mc"
)

// procState is what .ent to .end says of a function.
type procState struct {
	sym         mc.Sym
	open        bool
	frame       bool
	frameReg    int
	frameSize   int64
	returnReg   int
	mask, fmask int64
	maskAt      int64
	fmaskAt     int64
	hasMask     bool
	hasFmask    bool
}

// setupState is what .cpsetup says, for .cpreturn.
type setupState struct {
	set   bool
	isReg bool
	reg   int
	off   int64
}

func (d *dir) ent() (bool, error) {
	d.skip()
	at := d.pos
	name := d.ident()
	if name == "" || d.pos == at {
		return true, d.failAt(at, "expected identifier after .ent")
	}
	if d.eat(',') {
		d.skip()
		_, known, err := d.number()
		if e, ok := err.(*mc.ParseError); ok {
			e.More = append(e.More, mc.ParseError{Start: e.Start, End: e.Start, Msg: "expected number after comma"})
			return true, e
		}
		if !known {
			return true, d.failAt(d.pos, "expected an absolute expression after comma")
		}
	}
	if err := d.end(); err != nil {
		return true, err
	}
	s := d.p.Context().Symbol(name)
	d.proc = procState{sym: s, open: true}
	d.p.Streamer().IsText()
	d.say("\t.ent\t" + name)
	if !d.p.Streamer().IsText() {
		d.p.Streamer().Attribute(s, mc.AttrTypeFunction)
	}
	return true, nil
}

func (d *dir) endProc() (bool, error) {
	d.skip()
	at := d.pos
	name := d.ident()
	if name == "" || d.pos == at {
		return true, d.failAt(at, "expected identifier after .end")
	}
	if err := d.end(); err != nil {
		return true, err
	}
	if !d.proc.open {
		return true, d.fail(".end used without .ent")
	}
	if d.p.Context().SymName(d.proc.sym) != name {
		return true, d.fail(".end symbol does not match .ent symbol")
	}
	d.say("\t.end\t" + name)
	if !d.p.Streamer().IsText() {
		d.obj.procedure(&d.reader, &d.proc)
	}
	d.proc = procState{}
	return true, nil
}

// general reads a general register of a directive.
func (d *dir) general(missing, other string) (n int, err error) {
	d.skip()
	at := d.pos
	reg, end, ok := d.register(at, false)
	if !ok {
		return 0, d.failAt(at, missing)
	}
	if reg.n > 31 || !hasFile(reg.files, 'g') {
		return 0, d.failAt(at, other)
	}
	d.pos = end
	return reg.n, nil
}

func hasFile(files string, f byte) bool {
	for i := range len(files) {
		if files[i] == f {
			return true
		}
	}
	return false
}

func (d *dir) frame() (bool, error) {
	reg, err := d.general("expected stack register", "expected general purpose register")
	if err != nil {
		return true, err
	}
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	size, err := d.absolute("expected frame size value", "frame size not an absolute expression")
	if err != nil {
		return true, err
	}
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	ret, err := d.general("expected return register", "expected general purpose register")
	if err != nil {
		return true, err
	}
	if err := d.end(); err != nil {
		return true, err
	}
	d.proc.frame, d.proc.frameReg, d.proc.frameSize, d.proc.returnReg = true, reg, size, ret
	d.say(fmt.Sprintf("\t.frame\t%s,%d,%s", shown(reg), size, shown(ret)))
	return true, nil
}

// shown is a register as directives are printed.
func shown(n int) string {
	switch n {
	case 0:
		return "$zero"
	case 28:
		return "$gp"
	case 29:
		return "$sp"
	case 30:
		return "$fp"
	case 31:
		return "$ra"
	}
	return fmt.Sprintf("$%d", n)
}

// absolute reads a number of a directive.
func (d *dir) absolute(missing, symbol string) (int64, error) {
	d.skip()
	v, known, err := d.number()
	if e, ok := err.(*mc.ParseError); ok {
		e.More = append(e.More, mc.ParseError{Start: e.Start, End: e.Start, Msg: missing})
		return 0, e
	}
	if !known {
		return 0, d.failAt(d.pos, symbol)
	}
	return v, nil
}

func (d *dir) mask() (bool, error) {
	mask, err := d.absolute("expected bitmask value", "bitmask not an absolute expression")
	if err != nil {
		return true, err
	}
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	off, err := d.absolute("expected frame offset value", "frame offset not an absolute expression")
	if err != nil {
		return true, err
	}
	if err := d.end(); err != nil {
		return true, err
	}
	if d.name == ".mask" {
		d.proc.hasMask, d.proc.mask, d.proc.maskAt = true, mask, off
		d.say(fmt.Sprintf("\t.mask \t0x%08x,%d", uint32(mask), off))
	} else {
		d.proc.hasFmask, d.proc.fmask, d.proc.fmaskAt = true, mask, off
		d.say(fmt.Sprintf("\t.fmask\t0x%08x,%d", uint32(mask), off))
	}
	return true, nil
}

// register2 reads the register of a .cp directive.
func (d *dir) register2(missing string) (int, error) {
	d.skip()
	at := d.pos
	reg, end, ok := d.register(at, false)
	if !ok {
		return 0, d.failAt(at, missing)
	}
	if reg.n > 31 {
		return 0, &mc.ParseError{Start: at, End: at, Msg: "invalid register number", More: []mc.ParseError{{Start: at, End: at, Msg: "invalid register"}}}
	}
	if !hasFile(reg.files, 'g') {
		return 0, d.failAt(at, "invalid register")
	}
	d.pos = end
	return reg.n, nil
}

// text reports output as text, in which directives stay.
func (d *dir) isText() bool { return d.p.Streamer().IsText() }

func (d *dir) cpload() (bool, error) {
	if d.opt().reorder {
		d.p.Warn(0, 0, ".cpload should be inside a noreorder section")
	}
	if d.has("mips16") {
		return true, d.fail(".cpload is not supported in Mips16 mode")
	}
	n, err := d.register2("expected register containing function address")
	if err != nil {
		return true, err
	}
	if err := d.end(); err != nil {
		return true, err
	}
	if d.isText() {
		d.say("\t.cpload\t" + shown(n))
		return true, nil
	}
	if !d.session.pic || d.newABI() {
		return true, nil
	}
	ctx := d.p.Context()
	disp := ctx.Ref(ctx.Symbol("_gp_disp"), mc.ModNone)
	return true, d.steps(step{"LUi", 28, d.spec("hi", disp)}, step{"ADDiu", 28, 28, d.spec("lo", disp)}, step{"ADDu", 28, 28, n})
}

func (d *dir) cpadd() (bool, error) {
	n, err := d.register2("expected register")
	if err != nil {
		return true, err
	}
	if err := d.end(); err != nil {
		return true, err
	}
	if d.isText() {
		d.say("\t.cpadd\t" + shown(n))
		return true, nil
	}
	if !d.session.pic || d.newABI() {
		return true, nil
	}
	return true, d.steps(step{"ADDu", n, n, 28})
}

func (d *dir) cplocal() (bool, error) {
	if d.abi == "o32" {
		return true, d.failAt(0, ".cplocal is allowed only in N32 or N64 mode")
	}
	n, err := d.register2("expected register containing global pointer")
	if err != nil {
		return true, err
	}
	if err := d.end(); err != nil {
		return true, err
	}
	d.session.gp = n
	d.say("\t.cplocal\t" + shown(n))
	return true, nil
}

func (d *dir) cprestore() (bool, error) {
	if d.has("mips16") {
		return true, d.fail(".cprestore is not supported in Mips16 mode")
	}
	d.skip()
	at := d.pos
	v, err := d.absolute("expected stack offset value", "stack offset is not an absolute expression")
	if err != nil {
		return true, err
	}
	if v < 0 {
		d.p.Warn(0, 0, ".cprestore with negative stack offset has no effect")
		d.restore.set = false
		v = -1
	} else {
		d.restore.set, d.restore.at = true, v
	}
	_ = at
	if err := d.end(); err != nil {
		return true, err
	}
	if d.isText() {
		d.say(fmt.Sprintf("\t.cprestore\t%d", v))
		return true, nil
	}
	if !d.session.pic || d.newABI() || v < 0 {
		return true, nil
	}
	if isInt(v, 16) {
		return true, d.inst("SW", 28, 29, imm(v))
	}
	t, err := d.atReg()
	if err != nil {
		return true, err
	}
	lo := low16(v)
	return true, d.steps(step{"LUi", t, imm((v - lo) >> 16 & 0xffff)}, step{"ADDu", t, t, 29}, step{"SW", 28, t, imm(lo)})
}

// gpRestore loads the global pointer from where .cprestore put it.
func (r *reader) gpRestore(v int64) error {
	if isInt(v, 16) {
		return r.inst("LW", 28, 29, imm(v))
	}
	lo := low16(v)
	return r.steps(step{"LUi", 28, imm((v - lo) >> 16 & 0xffff)}, step{"ADDu", 28, 28, 29}, step{"LW", 28, 28, imm(lo)})
}

func (d *dir) cpsetup() (bool, error) {
	fn, err := d.register2("expected register containing function address")
	if err != nil {
		return true, err
	}
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	d.skip()
	at := d.pos
	var save setupState
	save.set = true
	reg, end, ok := d.register(at, false)
	switch {
	case ok && reg.n > 31:
		return true, &mc.ParseError{Start: at, End: at, Msg: "invalid register number", More: []mc.ParseError{{Start: at, End: at, Msg: "invalid register"}}}
	case ok && !hasFile(reg.files, 'g'):
		return true, d.failAt(at, "invalid register")
	case ok:
		save.isReg, save.reg = true, reg.n
		d.pos = end
	default:
		v, known, err := d.number()
		if err != nil || !known {
			return true, d.failAt(at, "expected save register or stack offset")
		}
		save.off = v
	}
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	x, _, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return true, d.fail("expected expression")
	}
	d.pos = end
	ctx := d.p.Context()
	if x == 0 || ctx.ExprKind(x) != mc.ExprSym {
		return true, d.failAt(d.pos, "expected symbol")
	}
	s, _, off, _ := ctx.SymRef(x)
	if off != 0 {
		return true, d.failAt(d.pos, "expected symbol")
	}
	if err := d.end(); err != nil {
		return true, err
	}
	d.setup = save
	if d.isText() {
		where := fmt.Sprint(save.off)
		if save.isReg {
			where = shown(save.reg)
		}
		d.say(fmt.Sprintf("\t.cpsetup\t%s, %s, %s", shown(fn), where, ctx.SymName(s)))
		return true, nil
	}
	if !d.session.pic || !d.newABI() {
		return true, nil
	}
	if save.isReg {
		err = d.inst("OR64", save.reg, 28, 0)
	} else {
		err = d.inst("SD", 28, 29, imm(save.off))
	}
	if err != nil {
		return true, err
	}
	neg := func(of string) mc.Expr { return d.spec("gpoff_"+of, x) }
	add := "DADDu"
	if d.abi == "n32" {
		add = "ADDu"
	}
	return true, d.steps(step{"LUi", 28, neg("hi")}, step{"ADDiu", 28, 28, neg("lo")}, step{add, 28, 28, fn})
}

func (d *dir) cpreturn() (bool, error) {
	if err := d.end(); err != nil {
		return true, err
	}
	d.say("\t.cpreturn")
	if d.isText() || !d.session.pic || !d.newABI() || !d.setup.set {
		return true, nil
	}
	if d.setup.isReg {
		return true, d.inst("OR64", 28, d.setup.reg, 0)
	}
	return true, d.inst("LD", 28, 29, imm(d.setup.off))
}
