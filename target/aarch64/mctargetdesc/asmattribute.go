package mctargetdesc

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// buildSubsection is a subsection of build attributes (Build Attributes for the Arm 64-bit
// Architecture, ABI release 2024Q3).
type buildSubsection struct {
	name     string
	optional bool
	text     bool // its values are strings
	items    []buildAttribute
}

type buildAttribute struct {
	tag   uint64
	value uint64
	text  string
}

// buildAttributes are those of a text.
type buildAttributes struct {
	list   []buildSubsection
	active int // row of list, one more
}

// publicTags are the names of the tags of the subsections that have names for them.
var publicTags = map[string][]string{
	"aeabi_pauthabi":         {"", "Tag_PAuth_Platform", "Tag_PAuth_Schema"},
	"aeabi_feature_and_bits": {"Tag_Feature_BTI", "Tag_Feature_PAC", "Tag_Feature_GCS"},
}

func optionality(optional bool) string {
	if optional {
		return "optional"
	}
	return "required"
}

func valueType(text bool) string {
	if text {
		return "ntbs"
	}
	return "uleb128"
}

func (b *buildAttributes) find(name string) *buildSubsection {
	for i := range b.list {
		if b.list[i].name == name {
			return &b.list[i]
		}
	}
	return nil
}

// subsectionDirective reads .aeabi_subsection: a name, or one with what it is.
func (s *statement) subsectionDirective() error {
	b := &stateOf(s.p).attributes
	if !s.isIdent() {
		return s.here("subsection name not found")
	}
	name := s.str()
	old := b.find(name)
	s.next()
	if s.isEnd() {
		if old == nil {
			return s.here("Could not switch to subsection '" + name + "' using subsection name, subsection has not been defined")
		}
		return s.activate(b, old)
	}
	if err := s.want(",", "expected comma"); err != nil {
		return err
	}
	if !s.isIdent() {
		return s.here("optionality parameter not found, expected required|optional")
	}
	n := buildSubsection{name: name}
	switch word := s.str(); {
	case word != "required" && word != "optional":
		return s.here("unknown AArch64 build attributes optionality, expected required|optional")
	case old != nil && word != optionality(old.optional):
		return s.here("optionality mismatch! subsection '" + name + "' already exists with optionality defined as '" + optionality(old.optional) + "' and not '" + word + "'")
	case name == "aeabi_pauthabi" && word != "required":
		return s.here("aeabi_pauthabi must be marked as required")
	case name == "aeabi_feature_and_bits" && word != "optional":
		return s.here("aeabi_feature_and_bits must be marked as optional")
	default:
		n.optional = word == "optional"
	}
	s.next()
	if err := s.want(",", "expected comma"); err != nil {
		return err
	}
	if !s.isIdent() {
		return s.here("type parameter not found, expected uleb128|ntbs")
	}
	switch word := s.str(); {
	case word != "uleb128" && word != "ntbs":
		return s.here("unknown AArch64 build attributes type, expected uleb128|ntbs")
	case old != nil && word != valueType(old.text):
		return s.here("type mismatch! subsection '" + name + "' already exists with type defined as '" + valueType(old.text) + "' and not '" + word + "'")
	case publicTags[name] != nil && word != "uleb128":
		return s.here(name + " must be marked as ULEB128")
	default:
		n.text = word == "ntbs"
	}
	s.next()
	if !s.isEnd() {
		return s.here("unexpected token for AArch64 build attributes subsection header directive")
	}
	if old == nil {
		b.list = append(b.list, n)
		old = &b.list[len(b.list)-1]
	}
	return s.activate(b, old)
}

// activate makes a subsection the one that attributes go to.
func (s *statement) activate(b *buildAttributes, x *buildSubsection) error {
	for i := range b.list {
		if &b.list[i] == x {
			b.active = i + 1
		}
	}
	return s.line("\t.aeabi_subsection\t" + x.name + ", " + optionality(x.optional) + ", " + valueType(x.text))
}

// line writes a directive with a blank line behind it, where text is written.
func (s *statement) line(text string) error {
	out := s.p.Streamer()
	if !out.IsText() {
		return nil
	}
	err := out.Raw(text)
	out.BlankLine()
	return err
}

// attributeDirective reads .aeabi_attribute: a tag and a value.
func (s *statement) attributeDirective() error {
	b := &stateOf(s.p).attributes
	if b.active == 0 {
		return s.here("no active subsection, build attribute can not be added")
	}
	x := &b.list[b.active-1]
	var a buildAttribute
	switch {
	case s.isIdent():
		word := s.str()
		tags := publicTags[x.name]
		known := false
		for i, t := range tags {
			if t == word {
				a.tag, known = uint64(i), true
			}
		}
		if tags == nil {
			return s.here("unrecognized Tag: '" + word + "' \nExcept for public subsections, tags have to be an unsigned int.")
		}
		if !known {
			return s.here("unknown AArch64 build attribute '" + word + "' for subsection '" + x.name + "'")
		}
	case s.isInt():
		a.tag, _ = strconv.ParseUint(s.str(), 0, 64)
	default:
		return s.here("AArch64 build attributes tag not found")
	}
	s.next()
	if err := s.want(",", "expected comma"); err != nil {
		return err
	}
	switch {
	case s.isInt() && x.text:
		return s.here("active subsection type is NTBS (string), found ULEB128 (unsigned)")
	case s.isInt():
		a.value, _ = strconv.ParseUint(s.str(), 0, 64)
	case (s.isIdent() || s.tok.kind == tokString) && !x.text:
		return s.here("active subsection type is ULEB128 (unsigned), found NTBS (string)")
	case s.isIdent() || s.tok.kind == tokString:
		a.text = s.str()
	default:
		return s.here("AArch64 build attributes value not found")
	}
	s.next()
	if !s.isEnd() {
		return s.here("unexpected token for AArch64 build attributes tag and value attribute directive")
	}
	known := false
	for i := range x.items {
		if x.items[i].tag == a.tag {
			x.items[i], known = a, true
		}
	}
	if !known {
		x.items = append(x.items, a)
	}
	value := a.text
	if !x.text {
		value = strconv.FormatUint(a.value, 10)
	}
	text := "\t.aeabi_attribute\t" + strconv.FormatUint(a.tag, 10) + ", " + value
	if tags := publicTags[x.name]; a.tag < uint64(len(tags)) && tags[a.tag] != "" {
		text += "\t// " + tags[a.tag]
	}
	return s.line(text)
}

// attributesType is the type of the section (SHT_AARCH64_ATTRIBUTES).
const attributesType mc.SectionType = 0x70000003

// write appends the section of the attributes to an object.
func (b *buildAttributes) write(out mc.Streamer) {
	if len(b.list) == 0 || out.IsText() {
		return
	}
	data := []byte{'A'}
	for _, x := range b.list {
		at := len(data)
		data = append(append(append(data, 0, 0, 0, 0), x.name...), 0)
		flags := [2]byte{}
		if x.optional {
			flags[0] = 1
		}
		if x.text {
			flags[1] = 1
		}
		data = append(data, flags[:]...)
		for _, a := range x.items {
			data = binary.AppendUvarint(data, a.tag)
			if x.text {
				data = append(append(data, a.text...), 0)
			} else {
				data = binary.AppendUvarint(data, a.value)
			}
		}
		order := binary.ByteOrder(binary.LittleEndian)
		if out.Context().Info().BigEndian {
			order = binary.BigEndian
		}
		order.PutUint32(data[at:], uint32(len(data)-at))
	}
	out.SwitchSection(out.Context().ELFSection(".ARM.attributes", attributesType, 0, 0))
	out.Bytes(data)
}

// variantPCS reads .variant_pcs, which marks a function with another calling convention.
func (s *statement) variantPCS() error {
	if !s.isIdent() {
		return s.here("expected symbol name")
	}
	name := strings.Clone(s.str())
	s.next()
	if err := s.end(); err != nil {
		return err
	}
	out, ctx := s.p.Streamer(), s.p.Context()
	if out.IsText() {
		return out.Raw("\t.variant_pcs\t" + name)
	}
	y := ctx.Symbol(name)
	out.Attribute(y, mc.AttrTypeNoType)
	ctx.At(y).Other |= 0x80 // STO_AARCH64_VARIANT_PCS
	return nil
}
