package ir

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// DataLayout is what a module's data layout string says: sizes and alignments
// of types in memory. All alignments and sizes are in bytes unless a name says
// bits. A DataLayout is safe for parallel use. Sizes of scalable vectors are
// their sizes at vscale 1; see IsScalable.
type DataLayout struct {
	Text      string
	BigEndian bool
	// StackAlign is the natural alignment of the stack, 0 when not given.
	StackAlign uint64
	// AllocaAS, ProgramAS, GlobalsAS are the address spaces of stack objects, functions and variables.
	AllocaAS, ProgramAS, GlobalsAS uint32
	// FuncPtrAlign is the alignment of function pointers; FuncPtrIndependent
	// says that it does not follow the function's own alignment.
	FuncPtrAlign       uint64
	FuncPtrIndependent bool
	// Mangling is the letter of the m: specification, 0 when there is none.
	Mangling byte
	// NativeInts are the widths of n8:16:32:64, in order.
	NativeInts []int
	// NonIntegral lists the address spaces of ni:.
	NonIntegral []uint32

	ints, floats, vecs []alignSpec
	aggABI, aggPref    uint64
	ptrs               []PointerSpec

	mu      sync.Mutex // of who changes layouts
	layouts atomic.Pointer[[]*structLayouts]
}

// alignSpec gives the alignments of the types of one width.
type alignSpec struct {
	width     uint32 // bits
	abi, pref uint64 // bytes
}

// PointerSpec describes the pointers of one address space.
type PointerSpec struct {
	AddrSpace uint32
	Name      string // "" when it has none
	Bits      uint32 // size
	IndexBits uint32 // width of address arithmetic
	ABI, Pref uint64 // alignments in bytes
	// External and Unstable are the flags pe and pu of LLVM 22's non-integral pointers.
	External, Unstable bool
}

// StructInfo is the layout of a struct type.
type StructInfo struct {
	Offsets []uint64 // of each member
	Size    uint64   // with tail padding
	Align   uint64
	Padded  bool // there are padding bytes
}

func newDataLayout() *DataLayout {
	return &DataLayout{
		ints:   []alignSpec{{8, 1, 1}, {16, 2, 2}, {32, 4, 4}, {64, 4, 8}},
		floats: []alignSpec{{16, 2, 2}, {32, 4, 4}, {64, 8, 8}, {128, 16, 16}},
		vecs:   []alignSpec{{64, 8, 8}, {128, 16, 16}},
		aggABI: 1, aggPref: 8,
		ptrs: []PointerSpec{{Bits: 64, IndexBits: 64, ABI: 8, Pref: 8}},
	}
}

// ParseDataLayout reads a data layout string; the empty string gives LLVM's defaults.
func ParseDataLayout(s string) (*DataLayout, error) {
	d := newDataLayout()
	d.Text = s
	if s == "" {
		return d, nil
	}
	for spec := range strings.SplitSeq(s, "-") {
		if spec == "" {
			return nil, errors.New("empty specification is not allowed")
		}
		if err := d.parseSpec(spec); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *DataLayout) parseSpec(spec string) error {
	bad := func(form string) error {
		return errors.New("malformed specification, must be of the form \"" + form + "\"")
	}
	switch {
	case strings.HasPrefix(spec, "ni:"):
		for part := range strings.SplitSeq(spec[3:], ":") {
			as, ok := parseAddrSpace(part)
			if !ok {
				return errors.New("address space must be a 24-bit integer")
			}
			if as == 0 {
				return errors.New("address space 0 cannot be non-integral")
			}
			d.NonIntegral = append(d.NonIntegral, as)
		}
		return nil
	case spec == "ve", spec[0] == 's':
		return nil // stack objects of old: ignored, as LLVM does
	}
	rest := spec[1:]
	switch spec[0] {
	case 'i', 'f', 'v':
		return d.parsePrimitive(spec)
	case 'a':
		return d.parseAggregate(spec)
	case 'p':
		return d.parsePointer(spec)
	case 'e', 'E':
		if rest != "" {
			return errors.New("malformed specification, must be just 'e' or 'E'")
		}
		d.BigEndian = spec[0] == 'E'
	case 'n':
		for part := range strings.SplitSeq(rest, ":") {
			n, ok := parseLayoutInt(part)
			if !ok || n == 0 || n >= 1<<24 {
				return errors.New("size must be a non-zero 24-bit integer")
			}
			d.NativeInts = append(d.NativeInts, int(n))
		}
	case 'S':
		if rest == "" {
			return bad("S<size>")
		}
		a, err := parseLayoutAlign(rest, "stack natural", true)
		if err != nil {
			return err
		}
		d.StackAlign = a
	case 'F':
		if rest == "" || rest[0] != 'i' && rest[0] != 'n' {
			if rest == "" {
				return bad("F<type><abi>")
			}
			return fmt.Errorf("unknown function pointer alignment type '%c'", rest[0])
		}
		a, err := parseLayoutAlign(rest[1:], "ABI", true)
		if err != nil {
			return err
		}
		d.FuncPtrAlign, d.FuncPtrIndependent = a, rest[0] == 'i'
	case 'A', 'P', 'G':
		as, ok := parseAddrSpace(rest)
		if rest == "" {
			return bad(string(spec[0]) + "<address space>")
		}
		if !ok {
			return errors.New("address space must be a 24-bit integer")
		}
		switch spec[0] {
		case 'A':
			d.AllocaAS = as
		case 'P':
			d.ProgramAS = as
		case 'G':
			d.GlobalsAS = as
		}
	case 'm':
		if len(rest) < 2 || rest[0] != ':' {
			return bad("m:<mangling>")
		}
		if len(rest) > 2 || !strings.Contains("eolmwxa", rest[1:]) {
			return errors.New("unknown mangling mode")
		}
		d.Mangling = rest[1]
	default:
		return fmt.Errorf("unknown specifier '%s'", spec[:1])
	}
	return nil
}

func parseLayoutInt(s string) (uint64, bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return n, err == nil
}

func parseAddrSpace(s string) (uint32, bool) {
	n, ok := parseLayoutInt(s)
	return uint32(n), ok && n < 1<<24
}

// parseLayoutAlign reads an alignment given in bits and returns it in bytes.
func parseLayoutAlign(s, name string, zeroOK bool) (uint64, error) {
	if s == "" {
		return 0, errors.New(name + " alignment component cannot be empty")
	}
	n, ok := parseLayoutInt(s)
	if !ok || n >= 1<<16 {
		return 0, errors.New(name + " alignment must be a 16-bit integer")
	}
	if n == 0 {
		if zeroOK {
			return 0, nil
		}
		return 0, errors.New(name + " alignment must be non-zero")
	}
	if n%8 != 0 || bits.OnesCount64(n/8) != 1 {
		return 0, errors.New(name + " alignment must be a power of two times the byte width")
	}
	return n / 8, nil
}

func parseAlignPair(parts []string) (abi, pref uint64, err error) {
	if abi, err = parseLayoutAlign(parts[0], "ABI", false); err != nil {
		return
	}
	pref = abi
	if len(parts) > 1 {
		if pref, err = parseLayoutAlign(parts[1], "preferred", false); err != nil {
			return
		}
	}
	if pref < abi {
		err = errors.New("preferred alignment cannot be less than the ABI alignment")
	}
	return
}

func (d *DataLayout) parsePrimitive(spec string) error {
	parts := strings.Split(spec[1:], ":")
	if len(parts) < 2 || len(parts) > 3 {
		return errors.New("malformed specification, must be of the form \"" + spec[:1] + "<size>:<abi>[:<pref>]\"")
	}
	w, ok := parseLayoutInt(parts[0])
	if !ok || w == 0 || w >= 1<<24 {
		return errors.New("size must be a non-zero 24-bit integer")
	}
	abi, pref, err := parseAlignPair(parts[1:])
	if err != nil {
		return err
	}
	if spec[0] == 'i' && w == 8 && abi != 1 {
		return errors.New("i8 must be 8-bit aligned")
	}
	list := &d.ints
	switch spec[0] {
	case 'f':
		list = &d.floats
	case 'v':
		list = &d.vecs
	}
	i, found := slices.BinarySearchFunc(*list, uint32(w), func(a alignSpec, w uint32) int { return int(a.width) - int(w) })
	if found {
		(*list)[i] = alignSpec{uint32(w), abi, pref}
	} else {
		*list = slices.Insert(*list, i, alignSpec{uint32(w), abi, pref})
	}
	return nil
}

func (d *DataLayout) parseAggregate(spec string) error {
	form := errors.New("malformed specification, must be of the form \"a:<abi>[:<pref>]\"")
	parts := strings.Split(spec[1:], ":")
	if len(parts) < 2 || len(parts) > 3 {
		return form
	}
	if parts[0] != "" && parts[0] != "0" {
		return errors.New("size must be zero")
	}
	abi, err := parseLayoutAlign(parts[1], "ABI", true)
	if err != nil {
		return err
	}
	pref := max(abi, 1)
	if len(parts) > 2 {
		if pref, err = parseLayoutAlign(parts[2], "preferred", false); err != nil {
			return err
		}
	}
	if pref < abi {
		return errors.New("preferred alignment cannot be less than the ABI alignment")
	}
	d.aggABI, d.aggPref = max(abi, 1), pref
	return nil
}

func (d *DataLayout) parsePointer(spec string) error {
	parts := strings.Split(spec[1:], ":")
	if len(parts) < 3 || len(parts) > 5 {
		return errors.New("malformed specification, must be of the form \"p[<n>]:<size>:<abi>[:<pref>[:<idx>]]\"")
	}
	var p PointerSpec
	head := parts[0]
	for head != "" && (head[0] == 'e' || head[0] == 'u') {
		p.External = p.External || head[0] == 'e'
		p.Unstable = p.Unstable || head[0] == 'u'
		head = head[1:]
	}
	head, name, named := strings.Cut(head, "(")
	if head != "" {
		as, ok := parseAddrSpace(head)
		if !ok {
			return errors.New("address space must be a 24-bit integer")
		}
		p.AddrSpace = as
	}
	if named {
		if name, named = strings.CutSuffix(name, ")"); !named || name == "" {
			return errors.New("Expected `( address space name )`")
		}
		if name == "P" || name == "G" || name == "A" {
			return errors.New("Cannot use predefined address space names P/G/A in data layout")
		}
		if as, used := d.NamedAddrSpace(name); used && as != p.AddrSpace {
			return errors.New("address space name `" + name + "` already used")
		}
		p.Name = name
	}
	w, ok := parseLayoutInt(parts[1])
	if !ok || w == 0 || w >= 1<<24 {
		return errors.New("pointer size must be a non-zero 24-bit integer")
	}
	p.Bits, p.IndexBits = uint32(w), uint32(w)
	var err error
	if p.ABI, p.Pref, err = parseAlignPair(parts[2:min(len(parts), 4)]); err != nil {
		return err
	}
	if len(parts) == 5 {
		i, ok := parseLayoutInt(parts[4])
		if !ok || i == 0 || i >= 1<<24 {
			return errors.New("index size must be a non-zero 24-bit integer")
		}
		if i > w {
			return errors.New("index size cannot be larger than the pointer size")
		}
		p.IndexBits = uint32(i)
	}
	i, found := slices.BinarySearchFunc(d.ptrs, p.AddrSpace, func(a PointerSpec, as uint32) int { return int(a.AddrSpace) - int(as) })
	if found {
		d.ptrs[i] = p
	} else {
		d.ptrs = slices.Insert(d.ptrs, i, p)
	}
	return nil
}

// NamedAddrSpace returns the address space that a p specification gives a name.
func (d *DataLayout) NamedAddrSpace(name string) (as uint32, ok bool) {
	for i := range d.ptrs {
		if d.ptrs[i].Name == name && name != "" {
			return d.ptrs[i].AddrSpace, true
		}
	}
	return 0, false
}

// Pointer returns the description of pointers into address space as.
func (d *DataLayout) Pointer(as uint32) PointerSpec {
	if as != 0 {
		for i := range d.ptrs {
			if d.ptrs[i].AddrSpace == as {
				return d.ptrs[i]
			}
		}
	}
	return d.ptrs[0]
}

// PointerSize returns the size in bytes of a pointer into address space as.
func (d *DataLayout) PointerSize(as uint32) uint64 { return uint64(d.Pointer(as).Bits+7) / 8 }

// IndexBits returns the width of address arithmetic in address space as.
func (d *DataLayout) IndexBits(as uint32) int { return int(d.Pointer(as).IndexBits) }

// IsNonIntegral reports whether address space as has non-integral pointers.
func (d *DataLayout) IsNonIntegral(as uint32) bool {
	p := d.Pointer(as)
	return slices.Contains(d.NonIntegral, as) || p.AddrSpace == as && (p.External || p.Unstable)
}

// IsNativeInt reports whether width is one of n8:16:32:64.
func (d *DataLayout) IsNativeInt(width int) bool { return slices.Contains(d.NativeInts, width) }

// GlobalPrefix returns what the mangling puts before the names of globals
// ("_" on Mach-O and 32-bit Windows), "" for none.
func (d *DataLayout) GlobalPrefix() string {
	if d.Mangling == 'o' || d.Mangling == 'x' {
		return "_"
	}
	return ""
}

// PrivatePrefix returns what the mangling puts before the names of private
// globals, so that they become assembler-local labels.
func (d *DataLayout) PrivatePrefix() string {
	switch d.Mangling {
	case 'e', 'w':
		return ".L"
	case 'o', 'x':
		return "L"
	case 'm':
		return "$"
	case 'l':
		return "L#"
	case 'a':
		return "L.."
	}
	return ""
}
