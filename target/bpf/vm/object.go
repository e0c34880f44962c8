package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
)

// Relocations of eBPF objects (llvm/BinaryFormat/ELFRelocs/BPF.def).
const (
	relocImm64 = 1  // R_BPF_64_64: the immediate of a 64-bit move
	relocAbs64 = 2  // R_BPF_64_ABS64
	relocAbs32 = 3  // R_BPF_64_ABS32
	relocCall  = 10 // R_BPF_64_32: the offset of a call
)

const machineBPF = 247

// Load reads an ELF object and makes its maps and variables.
func Load(object []byte, o *Options) (*Collection, error) {
	obj, err := elf.Read(object)
	if err != nil {
		return nil, err
	}
	if obj.Machine.ELFMachine != machineBPF {
		return nil, errors.New("the object is not for eBPF")
	}
	c := &Collection{order: binary.LittleEndian, byName: map[string]*Map{}, regions: make([]region, 1), random: 0x9e3779b97f4a7c15}
	if obj.Machine.BigEndian {
		c.order, c.big = binary.BigEndian, true
	}
	if o != nil {
		c.opts = *o
	}
	l := &loader{c: c, obj: obj, base: map[int]int{}, data: map[int]uint64{}, mapAt: map[place]*Map{}, vars: map[string]uint64{}}
	for _, step := range []func() error{l.types, l.readCode, l.makeMaps, l.makeData, l.relocateData, l.relocateMaps, l.relocateCode, l.makeLines} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

type place struct {
	section int
	off     uint64
}

// loader is an object on its way into a collection.
type loader struct {
	c     *Collection
	obj   *mc.Object
	base  map[int]int // first instruction by section
	data  map[int]uint64
	mapAt map[place]*Map
	// vars are variables without a place in the object (.kconfig), by name.
	vars map[string]uint64
	// values are where definitions of maps keep what they hold at first.
	values []initial
}

type initial struct {
	m     *Map
	place place
	n     uint64 // bytes
}

func (l *loader) section(name string) *mc.ObjSection {
	for i := range l.obj.Sections {
		if s := &l.obj.Sections[i]; s.Name == name {
			return s
		}
	}
	return nil
}

func (l *loader) types() (err error) {
	if s := l.section(".BTF"); s != nil {
		l.c.btf, err = readBTF(s.Data, l.c.order)
	}
	return err
}

// readCode decodes the sections of code and finds functions and programs.
func (l *loader) readCode() error {
	c := l.c
	for i := range l.obj.Sections {
		s := &l.obj.Sections[i]
		if s.Flags&mc.FlagExec == 0 || s.Type != mc.SecProgBits {
			continue
		}
		if len(s.Data)%8 != 0 {
			return fmt.Errorf("section %s is not of whole instructions", s.Name)
		}
		l.base[i] = len(c.code)
		c.sections = append(c.sections, codeSection{s.Name, len(c.code), len(s.Data) / 8})
		for b := s.Data; len(b) > 0; b = b[8:] {
			in, err := l.decode(b)
			if err != nil {
				return fmt.Errorf("section %s: instruction %d: %w", s.Name, len(c.code)-l.base[i], err)
			}
			c.code = append(c.code, in)
		}
	}
	for k := 0; k < len(c.code); k++ {
		if in := &c.code[k]; in.op == modeIMM|3<<3 {
			if k+1 == len(c.code) || c.code[k+1].op != 0 {
				return fmt.Errorf("half of a 64-bit immediate")
			}
			in.wide = uint64(uint32(in.imm)) | uint64(uint32(c.code[k+1].imm))<<32
			k++
		}
	}
	for i := range l.obj.Symbols {
		y := &l.obj.Symbols[i]
		first, ok := l.base[y.Section]
		if !ok || y.Type != mc.TypeFunc {
			continue
		}
		entry := first + int(y.Value/8)
		end := entry + int(y.Size/8)
		if y.Value%8 != 0 || end > len(c.code) || end < entry {
			return fmt.Errorf("function %s lies outside of its section", y.Name)
		}
		c.funcs = append(c.funcs, function{y.Name, entry, end})
		if name := l.obj.Sections[y.Section].Name; name != ".text" && y.Binding != mc.BindLocal {
			c.programs = append(c.programs, &Program{Name: y.Name, Section: name, c: c, entry: entry, end: end})
		}
	}
	sort.SliceStable(c.funcs, func(i, j int) bool { return c.funcs[i].entry < c.funcs[j].entry })
	sort.SliceStable(c.programs, func(i, j int) bool { return c.programs[i].entry < c.programs[j].entry })
	c.codeID = c.newRegion(region{name: "code"})
	return nil
}

func (l *loader) decode(b []byte) (in insn, err error) {
	in = insn{op: b[0], dst: b[1] & 15, src: b[1] >> 4, off: int16(l.c.order.Uint16(b[2:])), imm: int32(l.c.order.Uint32(b[4:]))}
	if l.c.big {
		in.dst, in.src = in.src, in.dst
	}
	if in.dst > 10 || in.src > 10 {
		err = errors.New("a register that there is not")
	}
	return in, err
}

// makeMaps makes the maps that .maps describes by its types.
func (l *loader) makeMaps() error {
	s := l.section(".maps")
	if s == nil {
		return nil
	}
	d := l.c.btf
	if d == nil {
		return errors.New(".maps without .BTF: compile with debug information")
	}
	number := l.sectionNumber(".maps")
	for k := range d.types {
		sec := &d.types[k]
		if sec.kind != btfDatasec || sec.name != ".maps" {
			continue
		}
		for i := range sec.n {
			v := d.types[min(int(d.word(sec, 3*i)), len(d.types)-1)]
			off := uint64(d.word(sec, 3*i+1))
			for j := range l.obj.Symbols { // the object's place counts: the type's is filled in by loaders
				if y := &l.obj.Symbols[j]; y.Section == number && y.Name == v.name && y.Type == mc.TypeObject {
					off = y.Value
				}
			}
			m, err := l.makeMap(v.name, v.size, place{number, off})
			if err != nil {
				return fmt.Errorf("map %s: %w", v.name, err)
			}
			if err := l.add(m, nil); err != nil {
				return err
			}
			l.mapAt[place{number, off}] = m
		}
	}
	return nil
}

func (l *loader) add(m *Map, data []byte) error {
	l.c.maps = append(l.c.maps, m)
	l.c.byName[m.Name] = m
	return m.init(l.c, data)
}

func (l *loader) sectionNumber(name string) int {
	for i := range l.obj.Sections {
		if l.obj.Sections[i].Name == name {
			return i
		}
	}
	return -1
}

// makeMap reads the definition of a map: __uint(f, n) is a pointer to an array of n elements,
// __type(f, t) a pointer to t.
func (l *loader) makeMap(name string, id uint32, at place) (*Map, error) {
	d := l.c.btf
	t := d.at(id)
	if t == nil || t.kind != btfStruct {
		return nil, errBTF
	}
	m := &Map{Name: name}
	for i := range t.n {
		field, ft, offset := d.member(t, i)
		p := d.at(ft)
		if field == "map_extra" || field == "pinning" {
			continue // where an arena lies for user space, where a loader pins the map
		}
		if p == nil || p.kind != btfPtr && p.kind != btfArray {
			return nil, fmt.Errorf("field %s is not written as a map's", field)
		}
		size := func() (n uint32) {
			n, _ = d.sizeOf(p.size)
			return n
		}
		number := func() uint32 {
			if a := d.at(p.size); a != nil && a.kind == btfArray {
				return d.word(a, 2)
			}
			return 0
		}
		switch field {
		case "type":
			m.Type = MapType(number())
		case "max_entries":
			m.MaxEntries = number()
		case "map_flags":
			m.Flags = number()
		case "key_size":
			m.KeySize = number()
		case "value_size":
			m.ValueSize = number()
		case "key":
			m.KeySize = size()
		case "value":
			m.ValueSize = size()
		case "values":
			m.KeySize, m.ValueSize = 4, 4
			l.values = append(l.values, initial{m, place{at.section, at.off + uint64(offset/8)}, 1 << 62})
			if p.kind == btfArray {
				if q := d.at(d.word(p, 0)); q != nil && q.kind == btfPtr {
					if q = d.at(q.size); q != nil && q.kind == btfStruct {
						inner, err := l.makeMap(name+".inner", d.at(d.word(p, 0)).size, at)
						if err != nil {
							return nil, err
						}
						m.inner = inner
					}
				}
			}
		}
	}
	switch m.Type {
	case ProgArray, PerfEventArray, CgroupArray, ArrayOfMaps, HashOfMaps:
		if m.ValueSize == 0 {
			m.ValueSize = 4
		}
		if m.KeySize == 0 {
			m.KeySize = 4
		}
	}
	return m, nil
}

// makeData makes the maps of variables, and variables that the kernel fills in.
func (l *loader) makeData() error {
	for i := range l.obj.Sections {
		s := &l.obj.Sections[i]
		if s.Flags&mc.FlagAlloc == 0 || s.Flags&mc.FlagExec != 0 || s.Name == ".maps" || s.Size == 0 || s.Name == ".jumptables" ||
			s.Name == "license" || s.Name == "version" {
			continue
		}
		data := make([]byte, s.Size)
		copy(data, s.Data)
		if strings.HasPrefix(s.Name, ".addr_space.1") {
			if err := l.arenaData(i, data); err != nil {
				return err
			}
			continue
		}
		m := &Map{Name: s.Name, Type: Array, KeySize: 4, ValueSize: uint32(s.Size), MaxEntries: 1}
		if s.Flags&mc.FlagWrite == 0 || strings.HasPrefix(s.Name, ".rodata") {
			m.Flags = readOnly
		}
		if err := l.add(m, data); err != nil {
			return err
		}
		l.data[i] = addressOf(m.array, 0)
	}
	if i := l.sectionNumber(".jumptables"); i >= 0 {
		s := &l.obj.Sections[i]
		l.data[i] = addressOf(l.c.newRegion(region{name: "a jump table", data: append([]byte(nil), s.Data...), readOnly: true}), 0)
	}
	return nil
}

// arenaData puts variables of address space 1 at the end of the arena, as libbpf does.
func (l *loader) arenaData(section int, data []byte) error {
	a := l.c.arena
	n := uint32(len(data)+pageSize-1) / pageSize
	if a == nil || n > a.limit {
		return errors.New("variables of address space 1 without an arena that has room")
	}
	a.limit -= n
	for k := uint32(0); k < n; k++ {
		p := make([]byte, pageSize)
		copy(p, data[k*pageSize:])
		a.pages[a.limit+k] = p
	}
	l.data[section] = arenaUser | uint64(a.limit)*pageSize
	return nil
}

// extern is the address of a symbol without a definition: a variable of .kconfig or the kernel's.
func (l *loader) extern(y *mc.ObjSymbol) (uint64, error) {
	if v, ok := l.vars[y.Name]; ok {
		return v, nil
	}
	c := l.c
	addr := uint64(0)
	if sec, size := l.datasecOf(y.Name); sec == ".kconfig" {
		data := make([]byte, size)
		copy(data, c.opts.Kconfig[y.Name])
		addr = addressOf(c.newRegion(region{name: y.Name, data: data, readOnly: true}), 0)
	} else {
		if c.opts.Symbol != nil {
			addr = c.opts.Symbol(y.Name)
		}
		if addr == 0 && y.Binding != mc.BindWeak {
			return 0, fmt.Errorf("kernel symbol %s is not there", y.Name)
		}
	}
	l.vars[y.Name] = addr
	return addr, nil
}

// datasecOf is the section that the types put a variable into, and its size.
func (l *loader) datasecOf(name string) (string, uint32) {
	d := l.c.btf
	for k := 0; d != nil && k < len(d.types); k++ {
		if sec := &d.types[k]; sec.kind == btfDatasec {
			for i := range sec.n {
				if v := d.word(sec, 3*i); int(v) < len(d.types) && d.types[v].name == name {
					size, _ := d.sizeOf(d.types[v].size)
					return sec.name, max(size, 8)
				}
			}
		}
	}
	return "", 8
}

// symbolAddress is what a symbol of data or code is in memory; addend counts for section symbols.
func (l *loader) symbolAddress(y *mc.ObjSymbol, addend uint64) (uint64, error) {
	if first, ok := l.base[y.Section]; ok {
		return addressOf(l.c.codeID, first*8+int(y.Value+addend)), nil
	}
	if base, ok := l.data[y.Section]; ok {
		return base + y.Value + addend, nil
	}
	if m := l.mapAt[place{y.Section, y.Value + addend}]; m != nil {
		return m.handle, nil
	}
	if y.Section == mc.SecUndefined {
		return l.extern(y)
	}
	return 0, fmt.Errorf("relocation by %q, which lies nowhere", y.Name)
}

// relocateData fills in pointers in variables.
func (l *loader) relocateData() error {
	for i := range l.obj.Sections {
		s, addr := &l.obj.Sections[i], l.data[i]
		if addr == 0 {
			continue
		}
		for k := range s.Relocs {
			r := &s.Relocs[k]
			if r.Type != relocAbs64 && r.Type != relocAbs32 || r.Symbol < 0 {
				continue
			}
			b, err := l.c.peek(addr+r.Offset, map[bool]int{true: 8, false: 4}[r.Type == relocAbs64])
			if err != nil {
				return err
			}
			y := &l.obj.Symbols[r.Symbol]
			if len(b) == 4 { // 32 bits hold no address; libbpf refuses them
				return fmt.Errorf("section %s: a relocation of 32 bits by %q", s.Name, y.Name)
			}
			v, err := l.symbolAddress(y, value(l.c.order, b))
			if err != nil {
				return err
			}
			setValue(l.c.order, b, v)
		}
	}
	return nil
}

// peek is memory of variables, whether or not programs may write it.
func (c *Collection) peek(addr uint64, n int) ([]byte, error) {
	if addr&^0xffffffff == arenaUser {
		if b := c.arena.page(uint32(addr), n, false); b != nil {
			return b, nil
		}
	}
	return c.span(addr, n, false)
}

// relocateMaps fills maps of maps and of programs as their definitions say.
func (l *loader) relocateMaps() error {
	s := l.section(".maps")
	if s == nil {
		return nil
	}
	for k := range s.Relocs {
		r := &s.Relocs[k]
		if r.Symbol < 0 {
			continue
		}
		var in *initial
		for i := range l.values {
			if v := &l.values[i]; r.Offset >= v.place.off && (in == nil || v.place.off > in.place.off) {
				in = v
			}
		}
		if in == nil {
			continue
		}
		i, y := uint32((r.Offset-in.place.off)/8), &l.obj.Symbols[r.Symbol]
		key := l.c.order.AppendUint32(nil, i)
		if m := l.mapAt[place{y.Section, y.Value}]; m != nil {
			in.m.maps[string(key)] = m
			continue
		}
		for _, p := range l.c.programs {
			if first, ok := l.base[y.Section]; ok && p.entry == first+int(y.Value/8) {
				in.m.slots[i] = p
			}
		}
	}
	return nil
}

// relocateCode fills in addresses and the targets of calls.
func (l *loader) relocateCode() error {
	for i := range l.obj.Sections {
		s := &l.obj.Sections[i]
		first, ok := l.base[i]
		if !ok {
			continue
		}
		for k := range s.Relocs {
			if err := l.relocate(first, &s.Relocs[k]); err != nil {
				return fmt.Errorf("section %s: instruction %d: %w", s.Name, s.Relocs[k].Offset/8, err)
			}
		}
	}
	return nil
}

func (l *loader) relocate(first int, r *mc.Reloc) error {
	pc := first + int(r.Offset/8)
	if r.Symbol < 0 || pc >= len(l.c.code) || r.Offset%8 != 0 {
		return errors.New("malformed relocation")
	}
	in, y := &l.c.code[pc], &l.obj.Symbols[r.Symbol]
	switch {
	case r.Type == relocImm64 && in.op == modeIMM|3<<3:
		addend := in.wide
		if _, code := l.base[y.Section]; code {
			addend = in.wide & 0xffffffff
		}
		v, err := l.symbolAddress(y, addend)
		in.wide = v
		return err
	case r.Type == relocCall && in.op == classJMP|jmpCALL:
		if to, ok := l.base[y.Section]; ok {
			// The immediate of a call is the distance to the symbol less one; -1 means the symbol itself.
			target := to + int(y.Value/8) + int(in.imm) + 1
			in.src, in.imm = pseudoCall, int32(target-pc-1)
			return nil
		}
		if y.Section == mc.SecUndefined {
			in.src, in.wide = pseudoKfunc, uint64(len(l.c.kfuncs))
			l.c.kfuncs = append(l.c.kfuncs, y.Name)
			return nil
		}
	}
	return fmt.Errorf("relocation of type %d by %q cannot be done", r.Type, y.Name)
}

func (l *loader) makeLines() error {
	s := l.section(".BTF.ext")
	if s == nil || l.c.btf == nil {
		return nil
	}
	lines, err := readLines(s.Data, l.c.btf, func(section string) (int, bool) {
		for _, s := range l.c.sections {
			if s.name == section {
				return s.first, true
			}
		}
		return 0, false
	})
	sort.SliceStable(lines, func(i, j int) bool { return lines[i].pc < lines[j].pc })
	l.c.lines = lines
	return err
}
