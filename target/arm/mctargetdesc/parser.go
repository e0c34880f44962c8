package mctargetdesc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// parser reads ARM's part of one text: instructions by the tables, and its directives.
type parser struct {
	*table.Reader
	info   *desc.Info
	unwind unwind
	attrs  attributes
	// thumbFunc says that the next label is a function of Thumb.
	thumbFunc bool
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	y := mctarget.Syntax(t.Info.Target)
	y.Expand, y.Again = expand, again
	r, err := t.Reader(y)
	if err != nil {
		return nil, err
	}
	return &parser{Reader: r, info: t.Info}, nil
}

// Session is the reader of one text.
func (s *parser) Session() mc.TargetAsmParser { return &parser{Reader: s.Reader, info: s.info} }

// ParseInstruction reads an instruction; in Thumb one that is not read as it is may be one of four bytes.
func (s *parser) ParseInstruction(p mc.AsmParser, text string) error {
	err := s.Reader.ParseInstruction(p, text)
	if err == nil || !has(p, "thumb2") || !has(p, "thumb-mode") {
		return err
	}
	for _, t := range [...]string{text, again(text)} {
		var in mc.Inst
		if t = wide(t); t != "" && s.Match(p, t, &in) == nil {
			return s.Emit(p, &in)
		}
	}
	return err
}

// Labelled notes a label.
func (s *parser) Labelled(p mc.AsmParser, y mc.Sym) {
	if s.thumbFunc && p.Streamer().IsText() {
		p.Streamer().Raw("\t.thumb_func")
	}
	s.thumbFunc = false
}

// dir reads the operands of a directive.
type dir struct {
	*parser
	p    mc.AsmParser
	name string
	text string
	pos  int
}

// ParseDirective reads ARM's own directives.
func (s *parser) ParseDirective(p mc.AsmParser, name, text string, pos int) (known bool, err error) {
	f := directives[name]
	if f == nil {
		return false, nil
	}
	return true, f(&dir{s, p, name, text, pos})
}

var directives = map[string]func(d *dir) error{
	".syntax": (*dir).syntax, ".code": (*dir).code, ".arm": (*dir).arm, ".thumb": (*dir).thumb, ".thumb_func": (*dir).thumbFunction, ".even": (*dir).even,
	".arch": (*dir).arch, ".cpu": (*dir).cpu, ".fpu": (*dir).fpu, ".object_arch": (*dir).objectArch, ".eabi_attribute": (*dir).attribute,
	".fnstart": (*dir).fnstart, ".fnend": (*dir).fnend, ".cantunwind": (*dir).cantUnwind, ".personality": (*dir).personality, ".personalityindex": (*dir).personalityIndex,
	".handlerdata": (*dir).handlerData, ".save": (*dir).save, ".vsave": (*dir).save, ".pad": (*dir).pad, ".setfp": (*dir).setFP,
	".arch_extension": (*dir).archExtension, ".inst": (*dir).inst, ".inst.n": (*dir).inst, ".inst.w": (*dir).inst,
}

func fail(at int, msg string) error { return &mc.ParseError{Start: at, End: at, Msg: msg} }

func (d *dir) skip() {
	for d.pos < len(d.text) && (d.text[d.pos] == ' ' || d.text[d.pos] == '\t') {
		d.pos++
	}
}

func (d *dir) peek() byte {
	d.skip()
	if d.pos < len(d.text) {
		return d.text[d.pos]
	}
	return 0
}

func (d *dir) end() error {
	if d.peek() != 0 {
		return fail(d.pos, "expected newline")
	}
	return nil
}

// rest is what is left of the statement.
func (d *dir) rest() string {
	d.skip()
	s := strings.TrimRight(d.text[d.pos:], " \t")
	d.pos = len(d.text)
	return s
}

func (d *dir) say(format string, args ...any) {
	if out := d.p.Streamer(); out.IsText() {
		out.Raw(fmt.Sprintf(format, args...))
	}
}

func (d *dir) bit(feature string) uint16 {
	i, _ := d.info.FeatureByName(feature)
	return d.info.Features[i].Bit
}

func (d *dir) has(feature string) bool { return d.p.Subtarget().Has(d.bit(feature)) }

func (d *dir) features(list string) {
	st := *d.p.Subtarget()
	st.Features = family.Toggle(d.info, st.Features, list)
	d.p.SetSubtarget(&st)
}

func (d *dir) syntax() error {
	d.skip()
	at := d.pos
	mode := d.rest()
	switch {
	case mode == "":
		return fail(at, "unexpected token in .syntax directive")
	case strings.EqualFold(mode, "unified"):
		return nil
	case strings.EqualFold(mode, "divided"):
		return fail(at, "'.syntax divided' arm assembly not supported")
	}
	return fail(at, "unrecognized syntax mode in .syntax directive")
}

// mode switches to 16- or 32-bit code, which may be aligned.
func (d *dir) mode(thumb, align bool) error {
	switch {
	case thumb && !d.has("v4t") && !d.has("thumb-mode"):
		return fail(0, "target does not support Thumb mode")
	case !thumb && d.has("noarm"):
		return fail(0, "target does not support ARM mode")
	}
	was := d.has("thumb-mode")
	if thumb {
		if !was {
			d.features("+thumb-mode")
		}
		d.say("\t.code\t16")
		if align {
			d.align(1)
		}
		return nil
	}
	if was {
		d.features("-thumb-mode")
	}
	d.say("\t.code\t32")
	if align {
		d.align(2)
	}
	return nil
}

func (d *dir) align(log2 uint8) { d.p.Streamer().AlignCode(log2, d.p.Subtarget(), 0) }

func (d *dir) code() error {
	d.skip()
	at := d.pos
	switch d.rest() {
	case "16":
		return d.mode(true, false)
	case "32":
		return d.mode(false, false)
	case "":
		return fail(at, "unexpected token in .code directive")
	}
	return fail(at, "invalid operand to .code directive")
}

func (d *dir) arm() error {
	if err := d.end(); err != nil {
		return err
	}
	return d.mode(false, true)
}

func (d *dir) thumb() error {
	if err := d.end(); err != nil {
		return err
	}
	return d.mode(true, true)
}

func (d *dir) thumbFunction() error {
	if err := d.end(); err != nil {
		return err
	}
	if !d.has("thumb-mode") {
		d.features("+thumb-mode")
	}
	d.say("\t.code\t16")
	d.parser.thumbFunc = true
	if !d.p.Streamer().IsText() {
		return fail(0, ".thumb_func: functions of Thumb are not supported in objects")
	}
	return nil
}

func (d *dir) even() error {
	if err := d.end(); err != nil {
		return err
	}
	d.p.Streamer().Align(1, 0, 0)
	return nil
}

// archOf finds an architecture by what .arch calls it.
func archOf(name string) (row [2]string, ok bool) {
	name = strings.ToLower(name)
	if row, ok = archs[name]; !ok {
		row, ok = archs["arm"+name]
	}
	return row, ok
}

func (d *dir) arch() error {
	d.skip()
	at := d.pos
	row, ok := archOf(d.rest())
	if !ok {
		return fail(at, "Unknown arch name")
	}
	was := d.has("thumb-mode")
	d.become(family.Resolve(d.info, "", "", "+"+row[0]))
	d.afterChange(was)
	d.say("\t.arch\t%s", row[0])
	d.attrs.defaults(row[1])
	return nil
}

// become makes features those of the statement's subtarget.
func (d *dir) become(r family.Resolved) {
	st := *d.p.Subtarget()
	st.Features = r.Bits()
	d.p.SetSubtarget(&st)
}

// afterChange keeps the mode where the new target has it.
func (d *dir) afterChange(thumb bool) {
	now := d.has("thumb-mode")
	switch {
	case thumb == now:
	case thumb && d.has("v4t"):
		d.features("+thumb-mode")
	case thumb:
		d.p.Warn(0, 0, "new target does not support thumb mode, switching to arm mode")
		d.say("\t.code\t32")
	case d.has("noarm"):
	default:
		d.features("-thumb-mode")
	}
	if !thumb && d.has("noarm") {
		if !now {
			d.features("+thumb-mode")
		}
		d.p.Warn(0, 0, "new target does not support arm mode, switching to thumb mode")
		d.say("\t.code\t16")
	}
}

func (d *dir) cpu() error {
	d.skip()
	at := d.pos
	name := d.rest()
	d.attrs.set(5, attribute{text: name, isText: true})
	d.say("\t.cpu\t%s", strings.ToLower(name))
	if name == "" {
		return fail(at, "Unknown CPU name")
	}
	if _, ok := d.info.ProcessorByName(name); !ok {
		return fail(0, "Unknown CPU name")
	}
	was := d.has("thumb-mode")
	d.become(family.Resolve(d.info, name, name, ""))
	d.afterChange(was)
	return nil
}

// fpuFeatures are what each kind of floating-point unit has.
var fpuFeatures = map[string]string{
	"vfp": "+vfp2", "vfpv2": "+vfp2", "vfpv3": "+vfp3", "vfpv3-fp16": "+vfp3,+fp16", "vfpv3-d16": "+vfp3d16", "vfpv3-d16-fp16": "+vfp3d16,+fp16",
	"vfpv3xd": "+vfp3d16sp", "vfpv3xd-fp16": "+vfp3d16sp,+fp16", "vfpv4": "+vfp4", "vfpv4-d16": "+vfp4d16", "fpv4-sp-d16": "+vfp4d16sp",
	"fpv5-d16": "+fp-armv8d16", "fpv5-sp-d16": "+fp-armv8d16sp", "fp-armv8": "+fp-armv8", "fp-armv8-fullfp16-d16": "+fp-armv8d16,+fullfp16",
	"fp-armv8-fullfp16-sp-d16": "+fp-armv8d16sp,+fullfp16", "neon": "+vfp3,+neon", "neon-fp16": "+vfp3,+neon,+fp16", "neon-vfpv4": "+vfp4,+neon",
	"neon-fp-armv8": "+fp-armv8,+neon", "crypto-neon-fp-armv8": "+fp-armv8,+neon,+aes,+sha2", "none": "", "softvfp": "",
}

const noFPU = "-vfp2,-vfp2sp,-vfp3,-vfp3d16,-vfp3d16sp,-vfp3sp,-fp16,-vfp4,-vfp4d16,-vfp4d16sp,-vfp4sp,-fp-armv8,-fp-armv8d16,-fp-armv8d16sp,-fp-armv8sp,-fullfp16,-fp64,-d32,-neon,-sha2,-aes,-fpregs"

func (d *dir) fpu() error {
	d.skip()
	at := d.pos
	name := d.rest()
	row, ok := fpus[name]
	if !ok && (strings.HasPrefix(name, "vfp3") || name == "vfpv4-sp-d16") { // older names
		row, ok = fpus[strings.Replace(strings.Replace(name, "vfp3", "vfpv3", 1), "vfpv4-sp", "fpv4-sp", 1)]
	}
	if !ok {
		return fail(at, "Unknown FPU name")
	}
	d.features(noFPU)
	if f := fpuFeatures[row[0]]; f != "" {
		d.features(f)
	}
	d.say("\t.fpu\t%s", row[0])
	d.attrs.defaults(row[1])
	return nil
}

// extension is what .arch_extension switches: features, and what the architecture must have, or not.
type extension struct{ features, needs, not string }

var extensions = map[string]extension{
	"crc": {"crc", "v8", "mclass"}, "crypto": {"aes,sha2,neon,fp-armv8", "v8", "mclass"}, "aes": {"aes,neon,fp-armv8", "v8", "mclass"}, "sha2": {"sha2,neon,fp-armv8", "v8", "mclass"},
	"fp": {"vfp2sp,fp-armv8", "v8", "mclass"}, "simd": {"neon,vfp2sp,fp-armv8", "v8", "mclass"}, "idiv": {"hwdiv,hwdiv-arm", "v7", "mclass"}, "mp": {"mp", "v7", "mclass"},
	"sec": {"trustzone", "v6k", ""}, "virt": {"virtualization", "v7", "mclass"}, "fp16": {"fp-armv8,fullfp16", "v8.2a", ""}, "ras": {"ras", "v8", ""}, "lob": {"lob", "v8.1m.main", ""},
	"pacbti": {"pacbti", "v8.1m.main", ""}, "os": {}, "iwmmxt": {}, "iwmmxt2": {}, "maverick": {}, "xscale": {},
}

func (d *dir) archExtension() error {
	d.skip()
	at := d.pos
	name := strings.ToLower(d.rest())
	switch {
	case name == "":
		return fail(at, "expected architecture extension name")
	case strings.ContainsAny(name, " \t,"):
		return fail(at+strings.IndexAny(name, " \t,"), "expected newline")
	}
	key, off := name, false
	x, ok := extensions[key]
	if !ok {
		if key, off = strings.CutPrefix(name, "no"); off {
			x, ok = extensions[key]
		}
	}
	switch {
	case !ok:
		return fail(at, "unknown architectural extension: "+name)
	case x.features == "":
		return fail(at, "unsupported architectural extension: "+name)
	case !d.has(x.needs) || x.not != "" && d.has(x.not):
		return fail(at, "architectural extension '"+name+"' is not allowed for the current base architecture")
	}
	sign := "+"
	if off {
		sign = "-"
	}
	d.features(sign + strings.ReplaceAll(x.features, ",", ","+sign))
	return nil
}

func (d *dir) objectArch() error {
	d.skip()
	at := d.pos
	if c := d.peek(); c == 0 || c >= '0' && c <= '9' || c == '"' {
		return fail(at, "unexpected token")
	}
	name := d.rest()
	row, ok := archOf(name)
	if !ok {
		return fail(at, "unknown architecture '"+name+"'")
	}
	d.say("\t.object_arch\t%s", row[0])
	d.attrs.object = row[1]
	return nil
}

// number reads a number behind '#' or without it.
func (d *dir) number() (v int64, ok bool, err error) {
	if c := d.peek(); c == '#' || c == '$' {
		d.pos++
	}
	x, v, end, err := d.p.Expr(d.text, d.pos)
	if err != nil {
		return 0, false, err
	}
	d.pos = end
	return v, x == 0, nil
}

func (d *dir) inst() error {
	thumb := d.has("thumb-mode")
	suffix := strings.TrimPrefix(d.name, ".inst")
	if suffix != "" && !thumb {
		return fail(0, "width suffixes are invalid in ARM mode")
	}
	if thumb && suffix == "" && d.peek() != 0 {
		return fail(0, "cannot determine Thumb instruction size, use inst.n/inst.w instead")
	}
	if d.peek() == 0 {
		return fail(0, "expected expression following directive")
	}
	for {
		at := d.pos
		d.skip()
		v, known, err := d.number()
		switch {
		case err != nil:
			return err
		case !known:
			return fail(at, "expected constant expression")
		case suffix == ".n" && v > 0xffff:
			return fail(0, "inst.n operand is too big, use inst.w instead")
		case v > 0xffffffff:
			if suffix != "" {
				return fail(0, "inst.w operand is too big")
			}
			return fail(0, "inst operand is too big")
		}
		d.say("\t%s\t0x%s", d.name, strconv.FormatInt(v, 16))
		if out := d.p.Streamer(); !out.IsText() {
			switch suffix {
			case ".n":
				out.Int(uint64(v), 2)
			case ".w":
				out.Int(uint64(v>>16), 2)
				out.Int(uint64(v&0xffff), 2)
			default:
				out.Int(uint64(v), 4)
			}
		}
		if d.peek() != ',' {
			return d.end()
		}
		d.pos++
	}
}

func sorted[V any](m map[int]V) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
