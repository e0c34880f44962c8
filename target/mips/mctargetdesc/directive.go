package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
)

// dir reads the operands of a directive.
type dir struct {
	reader
	name string
}

const notEnd = "unexpected token, expected end of statement"

func (d *dir) fail(msg string) error {
	d.skip()
	return &mc.ParseError{Start: d.pos, End: d.pos, Msg: msg}
}

func (d *dir) failAt(at int, msg string) error { return &mc.ParseError{Start: at, End: at, Msg: msg} }

func (d *dir) end() error {
	if d.peek() != 0 {
		return d.fail(notEnd)
	}
	return nil
}

// ident reads a name; "" where there is none.
func (d *dir) ident() string {
	d.skip()
	at := d.pos
	if at < len(d.text) && d.text[at] >= '0' && d.text[at] <= '9' {
		return ""
	}
	for d.pos < len(d.text) && (isName(d.text[d.pos]) || d.text[d.pos] == '.' || d.text[d.pos] == '$' && (d.pos == at || d.pos > at)) {
		d.pos++
	}
	return d.text[at:d.pos]
}

func (d *dir) eat(c byte) bool {
	if d.peek() != c {
		return false
	}
	d.pos++
	return true
}

// number reads an expression that must have a value.
func (d *dir) number() (v int64, known bool, err error) {
	x, v, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return 0, false, err
	}
	d.pos = end
	if x == 0 {
		return v, true, nil
	}
	v, ok := d.p.Context().ConstValue(x)
	return v, ok, nil
}

// ParseDirective reads Mips' own directives.
func (s *session) ParseDirective(p mc.AsmParser, name, text string, pos int) (known bool, err error) {
	f := directives[name]
	if f == nil {
		return false, nil
	}
	s.start(p)
	d := &dir{reader{session: s, p: p, text: text, pos: pos}, name}
	return f(d)
}

var directives = map[string]func(d *dir) (bool, error){
	".set": (*dir).set, ".module": (*dir).mod, ".option": (*dir).option, ".abicalls": (*dir).abicalls, ".insn": (*dir).insn, ".nan": (*dir).nan,
	".ent": (*dir).ent, ".end": (*dir).endProc, ".frame": (*dir).frame, ".mask": (*dir).mask, ".fmask": (*dir).mask,
	".cpload": (*dir).cpload, ".cprestore": (*dir).cprestore, ".cplocal": (*dir).cplocal, ".cpsetup": (*dir).cpsetup, ".cpreturn": (*dir).cpreturn, ".cpadd": (*dir).cpadd,
	".gpword": (*dir).relocated, ".gpdword": (*dir).relocated, ".dtprelword": (*dir).relocated, ".dtpreldword": (*dir).relocated, ".tprelword": (*dir).relocated, ".tpreldword": (*dir).relocated,
	".rdata": (*dir).rdata, ".sdata": (*dir).small, ".sbss": (*dir).small, ".llvm_internal_mips_reallow_module_directive": (*dir).reallow,
}

func (d *dir) reallow() (bool, error) {
	d.module = true
	return true, d.end()
}

// setISA are the names of instruction sets in .set and .module.
var setISA = map[string]bool{"mips1": true, "mips2": true, "mips3": true, "mips4": true, "mips5": true, "mips32": true, "mips32r2": true, "mips32r3": true, "mips32r5": true, "mips32r6": true,
	"mips64": true, "mips64r2": true, "mips64r3": true, "mips64r5": true, "mips64r6": true}

// archFeatures are those that the choice of an instruction set takes away.
const archFeatures = "-mips1,-mips2,-mips3,-mips3_32,-mips3_32r2,-mips4,-mips4_32,-mips4_32r2,-mips5,-mips5_32r2,-mips32,-mips32r2,-mips32r3,-mips32r5,-mips32r6,-mips64,-mips64r2,-mips64r3,-mips64r5,-mips64r6,-cnmips,-cnmipsp,-fp64,-gp64,-nan2008"

// setFeature are the options of .set that switch features.
var setFeature = map[string]string{
	"dsp": "+dsp", "dspr2": "+dspr2", "nodsp": "-dsp", "mips3d": "+mips3d", "nomips3d": "-mips3d", "msa": "+msa", "nomsa": "-msa", "mt": "+mt", "nomt": "-mt",
	"softfloat": "+soft-float", "hardfloat": "-soft-float", "crc": "+crc", "nocrc": "-crc", "virt": "+virt", "novirt": "-virt", "ginv": "+ginv", "noginv": "-ginv",
	"mips16": "+mips16", "nomips16": "-mips16", "micromips": "+micromips", "nomicromips": "-micromips", "oddspreg": "-nooddspreg", "nooddspreg": "+nooddspreg",
}

// features changes the subtarget for what follows.
func (d *dir) features(list string) {
	d.opt().st = d.with(d.p.Subtarget(), list)
	d.session.st = d.opt().st
	d.p.SetSubtarget(d.opt().st)
}

// exactly sets features without what they imply or what implies them.
func (d *dir) arch(name string) {
	st := *d.p.Subtarget()
	bits := append([]uint64(nil), st.Features...)
	for _, f := range strings.Split(archFeatures, ",") {
		if i, ok := d.info.FeatureByName(f[1:]); ok {
			b := d.info.Features[i].Bit
			bits[b/64] &^= 1 << (b % 64)
		}
	}
	st.Features = family.Toggle(d.info, bits, "+"+name)
	d.opt().st, d.session.st = &st, &st
	d.p.SetSubtarget(&st)
}

func (d *dir) set() (bool, error) {
	d.skip()
	at := d.pos
	word := d.ident()
	next := d.peek()
	if word == "" && (next == 0 || next >= '0' && next <= '9') {
		return true, d.fail("expected identifier after .set")
	}
	isOption := next != ','
	done := func() (bool, error) {
		if err := d.end(); err != nil {
			return true, err
		}
		d.say("\t.set\t" + word)
		return true, nil
	}
	switch {
	case word == "at" && next == '=':
		return true, d.setAt()
	case word == "fp" && next == '=':
		return true, d.setFP(".set")
	case word == "arch" && next == '=':
		return true, d.setArch()
	case !isOption:
		return d.assign(word)
	}
	if f, ok := setFeature[word]; ok {
		if err := d.end(); err != nil {
			return true, err
		}
		if word == "nodsp" {
			f = "-dsp,-dspr2"
		}
		switch {
		case word == "oddspreg" && false:
		default:
			d.features(f)
		}
		switch word {
		case "micromips":
			d.obj.micro = true
		}
		d.say("\t.set\t" + word)
		return true, nil
	}
	switch {
	case setISA[word]:
		if err := d.end(); err != nil {
			return true, err
		}
		d.arch(word)
		d.say("\t.set\t" + word)
		return true, nil
	}
	switch word {
	case "noat":
		d.opt().at = 0
		return done()
	case "at":
		d.opt().at = 1
		return done()
	case "reorder":
		d.opt().reorder = true
		return done()
	case "noreorder":
		if err := d.end(); err != nil {
			return true, err
		}
		d.opt().reorder = false
		d.obj.noReorder = true
		return done()
	case "macro":
		d.opt().macro = true
		return done()
	case "nomacro":
		if d.opt().reorder {
			return true, d.failAt(at+len(word), "`noreorder' must be set before `nomacro'")
		}
		d.opt().macro = false
		return done()
	case "push":
		if err := d.end(); err != nil {
			return true, err
		}
		o := *d.opt()
		o.st = d.p.Subtarget()
		d.opt().st = o.st
		d.opts = append(d.opts, o)
		return done()
	case "pop":
		if len(d.opts) < 3 && len(d.opts) < 2 {
			return true, d.failAt(0, ".set pop with no .set push")
		}
		if err := d.end(); err != nil {
			return true, err
		}
		d.opts = d.opts[:len(d.opts)-1]
		d.session.st = d.opt().st
		d.p.SetSubtarget(d.opt().st)
		return done()
	case "mips0":
		if err := d.end(); err != nil {
			return true, err
		}
		d.opt().st, d.session.st = d.first, d.first
		d.p.SetSubtarget(d.first)
		return done()
	case "bopt":
		d.p.Warn(at, at, "'bopt' feature is unsupported")
		return true, d.end()
	case "nobopt":
		return true, d.end()
	}
	return d.assign(word)
}

// assign reads ".set name, value"; a register makes another name of it.
func (d *dir) assign(name string) (bool, error) {
	if !d.eat(',') {
		return true, d.fail("unexpected token, expected comma")
	}
	d.skip()
	at := d.pos
	if at < len(d.text) && d.text[at] == '$' {
		reg, end, ok := d.register(at, false)
		rest := ""
		if ok {
			rest = strings.TrimSpace(d.text[end:])
		}
		if ok && rest == "" {
			d.regAliases[name] = reg
			if reg.files == anyFile {
				return true, nil
			}
		}
	}
	return false, nil
}

func (d *dir) setAt() error {
	d.eat('=')
	if d.peek() == 0 {
		return d.fail("no register specified")
	}
	if d.peek() != '$' {
		return d.fail("unexpected token, expected dollar sign '$'")
	}
	at := d.pos
	if at+1 >= len(d.text) || !isName(d.text[at+1]) {
		return d.failAt(at+1, "unexpected token, expected identifier or integer")
	}
	reg, end, ok := d.register(at, false)
	if !ok || reg.n > 31 || !strings.Contains(reg.files, "g") {
		return d.failAt(at+1, "invalid register")
	}
	d.pos = end
	if err := d.end(); err != nil {
		return err
	}
	d.opt().at = reg.n
	d.say(fmt.Sprintf("\t.set\tat=$%d", reg.n))
	return nil
}

func (d *dir) setArch() error {
	d.eat('=')
	at := d.pos
	name := d.ident()
	if name == "" {
		return d.failAt(at, "expected arch identifier")
	}
	features := map[string]string{"r4000": "mips3", "octeon": "cnmips", "octeon+": "cnmipsp"}[name]
	if setISA[name] {
		features = name
	}
	if d.peek() == '+' {
		d.pos++
		name, features = name+"+", "cnmipsp"
	}
	if features == "" {
		return d.failAt(at, "unsupported architecture")
	}
	if err := d.end(); err != nil {
		return err
	}
	d.arch(features)
	d.say("\t.set arch=" + name)
	return nil
}

// setFP reads fp=32, xx or 64 of .set and .module.
func (d *dir) setFP(directive string) error {
	d.eat('=')
	d.skip()
	at := d.pos
	for d.pos < len(d.text) && isName(d.text[d.pos]) {
		d.pos++
	}
	v := d.text[at:d.pos]
	isModule := directive == ".module"
	what := ".set fp="
	if isModule {
		what = ".module fp="
	}
	o32 := d.abi == "o32"
	switch v {
	case "xx":
		switch {
		case !o32:
			return d.fail(fmt.Sprintf("'%sxx' requires the O32 ABI", what))
		case !isModule && !d.has("mips2") || isModule && !d.has("mips2"):
			return d.fail(fmt.Sprintf("'%sxx' requires MIPS II or later", what))
		}
	case "32":
		if !o32 {
			return d.fail(fmt.Sprintf("'%s32' requires the O32 ABI", what))
		}
	case "64":
	default:
		if isModule {
			at++
		}
		return d.failAt(at, "unsupported value, expected 'xx', '32' or '64'")
	}
	if err := d.end(); err != nil {
		return err
	}
	f := map[string]string{"xx": "+fpxx,-fp64", "32": "-fpxx,-fp64", "64": "-fpxx,+fp64"}[v]
	d.features(f)
	if isModule {
		d.moduleSet()
		d.say("\t.module\tfp=" + v)
		return nil
	}
	d.say("\t.set\tfp=" + v)
	return nil
}

// moduleSet makes what holds what .set mips0 comes back to, and what objects say.
func (d *dir) moduleSet() {
	d.session.first = d.p.Subtarget()
	d.obj.begin(d.session)
}

var moduleFeature = map[string]string{"oddspreg": "-nooddspreg", "nooddspreg": "+nooddspreg", "softfloat": "+soft-float", "hardfloat": "-soft-float", "mt": "+mt", "crc": "+crc", "nocrc": "-crc",
	"virt": "+virt", "novirt": "-virt", "ginv": "+ginv", "noginv": "-ginv"}

func (d *dir) mod() (bool, error) {
	if !d.session.module {
		return true, d.fail(".module directive must appear before any code")
	}
	d.skip()
	at := d.pos
	word := d.ident()
	if word == "" {
		return true, d.fail("expected .module option identifier")
	}
	switch {
	case word == "fp":
		if d.peek() != '=' {
			return true, d.fail("unexpected token, expected equals sign '='")
		}
		return true, d.setFP(".module")
	case moduleFeature[word] != "":
		if word == "nooddspreg" && d.abi != "o32" {
			return true, d.failAt(at+len(word), "'.module nooddspreg' requires the O32 ABI")
		}
		if err := d.end(); err != nil {
			return true, err
		}
		d.features(moduleFeature[word])
		d.moduleSet()
		d.say("\t.module\t" + word)
		return true, nil
	}
	return true, d.failAt(at, "'"+word+"' is not a valid .module option.")
}

func (d *dir) option() (bool, error) {
	d.skip()
	at := d.pos
	word := ""
	if c := d.peek(); c != '$' {
		word = d.ident()
	}
	if word == "" {
		return true, d.failAt(at, "unexpected token, expected identifier")
	}
	switch word {
	case "pic0", "pic2":
		d.session.pic = word == "pic2"
		d.obj.option(word)
		d.say("\t.option\t" + word)
		return true, d.end()
	}
	d.p.Warn(at, at, "unknown option, expected 'pic0' or 'pic2'")
	return true, nil
}

func (d *dir) abicalls() (bool, error) {
	d.obj.calls()
	d.say("\t.abicalls")
	return true, d.end()
}

func (d *dir) insn() (bool, error) {
	if err := d.end(); err != nil {
		return true, err
	}
	d.obj.code(&d.reader)
	d.say("\t.insn")
	return true, nil
}

func (d *dir) nan() (bool, error) {
	d.skip()
	at := d.pos
	for d.pos < len(d.text) && isName(d.text[d.pos]) {
		d.pos++
	}
	v := d.text[at:d.pos]
	if v != "2008" && v != "legacy" {
		if v == "" {
			return true, d.failAt(at, "invalid option in .nan directive")
		}
		return true, d.failAt(at, "invalid option in .nan directive")
	}
	if err := d.end(); err != nil {
		return true, err
	}
	d.obj.nan = v
	d.say("\t.nan\t" + v)
	return true, nil
}

func (d *dir) rdata() (bool, error) {
	if d.peek() != 0 {
		return true, d.fail(notEnd)
	}
	ctx := d.p.Context()
	d.p.Streamer().SwitchSection(ctx.ELFSection(".rodata", mc.SecProgBits, mc.FlagAlloc, 0))
	return true, nil
}

func (d *dir) small() (bool, error) {
	if d.peek() != 0 {
		return true, d.fail(notEnd)
	}
	ctx := d.p.Context()
	t := mc.SecProgBits
	if d.name == ".sbss" {
		t = mc.SecNoBits
	}
	const gpRel mc.SectionFlags = 0x10000000
	d.p.Streamer().SwitchSection(ctx.ELFSection(d.name, t, mc.FlagAlloc|mc.FlagWrite|gpRel, 0))
	return true, nil
}

// relocated reads values with a relocation of their own.
func (d *dir) relocated() (bool, error) {
	x, v, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return true, err
	}
	d.pos = end
	if x == 0 {
		x = d.p.Context().Const(v)
	}
	if d.peek() != 0 {
		return true, d.fail(notEnd)
	}
	out := d.p.Streamer()
	if out.IsText() {
		out.Raw("\t" + d.name + "\t" + string(d.p.Context().AppendExpr(nil, x, d.symName)))
		return true, nil
	}
	return true, d.obj.value(&d.reader, d.name, x)
}

func (d *dir) symName(b []byte, s mc.Sym) []byte { return append(b, d.p.Context().SymName(s)...) }
