package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// attribute is the value of a build attribute.
type attribute struct {
	n      uint64
	text   string
	isText bool
	both   bool // Tag_compatibility
	soft   bool // of .arch and .fpu, which do not change what was said
}

// attributes are those of the object (.ARM.attributes, "Addenda to, and Errata in, the ABI for the Arm
// Architecture").
type attributes struct {
	tags   map[int]attribute
	object string // attributes of .object_arch
}

func (a *attributes) set(tag int, v attribute) {
	if a.tags == nil {
		a.tags = map[int]attribute{}
	}
	if old, ok := a.tags[tag]; ok && v.soft && !old.soft {
		return
	}
	a.tags[tag] = v
}

// defaults adds the attributes of a list "tag=value,…".
func (a *attributes) defaults(list string) {
	for _, f := range strings.Split(list, ",") {
		k, v, ok := strings.Cut(f, "=")
		if !ok {
			continue
		}
		tag, _ := strconv.Atoi(k)
		if t, err := strconv.Unquote(v); err == nil {
			a.set(tag, attribute{text: t, isText: true, soft: true})
		} else {
			n, _ := strconv.ParseUint(v, 10, 32)
			a.set(tag, attribute{n: n, soft: true})
		}
	}
}

// tagNames are the names of attributes by their tags.
var tagNames = map[int]string{4: "CPU_raw_name", 5: "CPU_name", 6: "CPU_arch", 7: "CPU_arch_profile", 8: "ARM_ISA_use", 9: "THUMB_ISA_use", 10: "FP_arch", 11: "WMMX_arch",
	12: "Advanced_SIMD_arch", 13: "PCS_config", 14: "ABI_PCS_R9_use", 15: "ABI_PCS_RW_data", 16: "ABI_PCS_RO_data", 17: "ABI_PCS_GOT_use", 18: "ABI_PCS_wchar_t", 19: "ABI_FP_rounding",
	20: "ABI_FP_denormal", 21: "ABI_FP_exceptions", 22: "ABI_FP_user_exceptions", 23: "ABI_FP_number_model", 24: "ABI_align_needed", 25: "ABI_align_preserved", 26: "ABI_enum_size",
	27: "ABI_HardFP_use", 28: "ABI_VFP_args", 29: "ABI_WMMX_args", 30: "ABI_optimization_goals", 31: "ABI_FP_optimization_goals", 32: "compatibility", 34: "CPU_unaligned_access",
	36: "FP_HP_extension", 38: "ABI_FP_16bit_format", 42: "MPextension_use", 44: "DIV_use", 46: "DSP_extension", 48: "MVE_arch", 50: "PAC_extension", 52: "BTI_extension",
	64: "nodefaults", 65: "also_compatible_with", 66: "T2EE_use", 67: "conformance", 68: "Virtualization_use", 74: "BTI_use", 76: "PACRET_use"}

func (d *dir) attribute() error {
	d.skip()
	at := d.pos
	tag := -1
	if c := d.peek(); c != 0 && (c < '0' || c > '9') && c != '#' {
		k := d.pos
		for k < len(d.text) && d.text[k] != ',' && d.text[k] != ' ' && d.text[k] != '\t' {
			k++
		}
		name := d.text[d.pos:k]
		d.pos = k
		for n, s := range tagNames {
			if s == strings.TrimPrefix(name, "Tag_") {
				tag = n
			}
		}
		if tag < 0 {
			return fail(at, "attribute name not recognised: "+name)
		}
	} else {
		v, known, err := d.number()
		switch {
		case err != nil:
			return err
		case !known:
			return fail(at, "expected numeric constant")
		}
		tag = int(v)
	}
	if d.peek() != ',' {
		return fail(d.pos, "comma expected")
	}
	d.pos++
	isText := tag == 4 || tag == 5 || tag == 67 || tag == 65
	isNumber := !isText
	if tag > 32 && tag != 67 && tag != 65 {
		isText, isNumber = tag%2 == 1, tag%2 == 0
	}
	if tag == 32 {
		isText = true
	}
	var v attribute
	v.isText, v.both = isText, isText && isNumber
	if isNumber {
		d.skip()
		at := d.pos
		n, known, err := d.number()
		switch {
		case err != nil:
			return err
		case !known:
			return fail(at, "expected numeric constant")
		}
		v.n = uint64(n)
	}
	if v.both {
		if d.peek() != ',' {
			return fail(d.pos, "comma expected")
		}
		d.pos++
	}
	if isText {
		d.skip()
		at := d.pos
		s, err := strconv.Unquote(strings.TrimRight(d.text[d.pos:], " \t"))
		if err != nil || d.peek() != '"' {
			return fail(at, "bad string constant")
		}
		v.text = s
		d.pos = len(d.text)
	}
	if err := d.end(); err != nil {
		return err
	}
	if tag == 65 && !d.p.Streamer().IsText() {
		return fail(0, "Tag_also_compatible_with is not supported in objects")
	}
	if out := d.p.Streamer(); out.IsText() {
		if name := tagNames[tag]; name != "" && tag != 5 {
			out.Comment("Tag_" + name)
		}
		switch {
		case tag == 5:
			d.say("\t.cpu\t%s", strings.ToLower(v.text))
		case v.both && v.text == "":
			d.say("\t.eabi_attribute\t%d, %d", tag, v.n)
		case v.both:
			d.say("\t.eabi_attribute\t%d, %d, %q", tag, v.n, v.text)
		case v.isText:
			d.say("\t.eabi_attribute\t%d, %q", tag, v.text)
		default:
			d.say("\t.eabi_attribute\t%d, %d", tag, v.n)
		}
	}
	d.attrs.set(tag, v)
	return nil
}

// Finish writes the attributes.
func (s *parser) Finish(p mc.AsmParser) error {
	out := p.Streamer()
	a := &s.attrs
	if out.IsText() || len(a.tags) == 0 {
		return nil
	}
	if a.object != "" {
		object := attributes{}
		object.defaults(a.object)
		a.tags[6] = object.tags[6]
	}
	uleb := func(b []byte, v uint64) []byte {
		for v >= 0x80 {
			b = append(b, byte(v)|0x80)
			v >>= 7
		}
		return append(b, byte(v))
	}
	var body []byte
	one := func(tag int) {
		v, ok := a.tags[tag]
		if !ok {
			return
		}
		body = uleb(body, uint64(tag))
		if !v.isText || v.both {
			body = uleb(body, v.n)
		}
		if v.isText {
			body = append(append(body, v.text...), 0)
		}
	}
	one(67) // conformance comes first
	for _, tag := range sorted(a.tags) {
		if tag != 67 {
			one(tag)
		}
	}
	ctx := p.Context()
	old := out.Section()
	out.SwitchSection(ctx.ELFSection(".ARM.attributes", 0x70000003, 0, 0))
	const vendor = "aeabi\x00"
	out.Bytes([]byte{'A'})
	out.Int(uint64(4+len(vendor)+5+len(body)), 4)
	out.Bytes([]byte(vendor))
	out.Bytes([]byte{1})
	out.Int(uint64(5+len(body)), 4)
	out.Bytes(body)
	out.SwitchSection(old)
	return nil
}
