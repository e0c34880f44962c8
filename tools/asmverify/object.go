package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"sort"
)

// difference says what two objects first differ in: the reason without, the detail with
// the place.
func difference(ref, ours []byte) (reason, detail string) {
	a, err := elf.NewFile(bytes.NewReader(ref))
	if err != nil {
		return "the reference is no ELF file", err.Error()
	}
	b, err := elf.NewFile(bytes.NewReader(ours))
	if err != nil {
		return "no ELF file", err.Error()
	}
	say := func(reason, format string, args ...any) (string, string) {
		return reason, reason + ": " + fmt.Sprintf(format, args...)
	}
	if a.FileHeader != b.FileHeader {
		return say("header", "%+v, not %+v", b.FileHeader, a.FileHeader)
	}
	if len(ref) >= 64 && len(ours) >= 64 && !bytes.Equal(ref[48:52], ours[48:52]) {
		return say("flags of the header", "%x, not %x", ours[48:52], ref[48:52])
	}
	for k, s := range a.Sections {
		if k >= len(b.Sections) {
			return say("sections", "there is no %s", s.Name)
		}
		t := b.Sections[k]
		if s.Name != t.Name {
			return say("sections", "%q, not %q", t.Name, s.Name)
		}
		x, y := s.SectionHeader, t.SectionHeader
		x.Offset, y.Offset, x.Size, y.Size, x.FileSize, y.FileSize = 0, 0, 0, 0, 0, 0
		if x != y && s.Type != elf.SHT_SYMTAB {
			return say("section header "+s.Name, "%+v, not %+v", y, x)
		}
	}
	if len(b.Sections) > len(a.Sections) {
		return say("sections", "%s is more", b.Sections[len(a.Sections)].Name)
	}
	// Bytes of the program before what describes them.
	order := append([]*elf.Section(nil), b.Sections...)
	sort.SliceStable(order, func(i, j int) bool { return rank(order[i].Type) < rank(order[j].Type) })
	for _, t := range order {
		if t.Type == elf.SHT_NULL || t.Type == elf.SHT_NOBITS {
			continue
		}
		var s *elf.Section
		for k, u := range b.Sections {
			if u == t {
				s = a.Sections[k]
			}
		}
		x, errX := s.Data()
		y, errY := t.Data()
		if errX != nil || errY != nil {
			return say("unreadable", "%s: %v %v", s.Name, errX, errY)
		}
		at := 0
		for at < len(x) && at < len(y) && x[at] == y[at] {
			at++
		}
		if at == len(x) && at == len(y) {
			continue
		}
		switch s.Type {
		case elf.SHT_RELA, elf.SHT_REL:
			n := int(s.Entsize)
			k := at / max(n, 1)
			return say("relocations of "+s.Name[len(".rela"):], "%s, not %s", relocation(b, y, k, n), relocation(a, x, k, n))
		case elf.SHT_SYMTAB:
			n := int(s.Entsize)
			k := at / max(n, 1)
			return say("symbols", "%s, not %s", symbol(b, k), symbol(a, k))
		}
		return say("bytes of "+s.Name, "at %#x: %x, not %x (of %d, not %d)", at, y[at:min(at+8, len(y))], x[at:min(at+8, len(x))], len(y), len(x))
	}
	return say("layout of the file", "%d bytes, not %d", len(ours), len(ref))
}

func rank(t elf.SectionType) int {
	switch t {
	case elf.SHT_RELA, elf.SHT_REL:
		return 1
	case elf.SHT_SYMTAB:
		return 2
	case elf.SHT_STRTAB:
		return 3
	}
	return 0
}

func relocation(f *elf.File, data []byte, k, size int) string {
	if (k+1)*size > len(data) {
		return "nothing"
	}
	e := data[k*size:]
	if size != 24 {
		return fmt.Sprintf("%x", e[:size])
	}
	order := f.ByteOrder
	info := order.Uint64(e[8:])
	kind := fmt.Sprint(uint32(info))
	switch f.Machine {
	case elf.EM_X86_64:
		kind = elf.R_X86_64(uint32(info)).String()
	case elf.EM_AARCH64:
		kind = elf.R_AARCH64(uint32(info)).String()
	}
	return fmt.Sprintf("%#x %s %s%+d", order.Uint64(e), kind, symbol(f, int(info>>32)), signed(order, e[16:]))
}

func signed(o binary.ByteOrder, b []byte) int64 { return int64(o.Uint64(b)) }

func symbol(f *elf.File, k int) string {
	syms, err := f.Symbols()
	if err != nil || k < 1 || k > len(syms) {
		return "nothing"
	}
	s := syms[k-1]
	if elf.ST_TYPE(s.Info) == elf.STT_SECTION && int(s.Section) < len(f.Sections) {
		return f.Sections[s.Section].Name
	}
	return fmt.Sprintf("%s{%#x %v %#x %d}", s.Name, s.Value, s.Section, s.Info, s.Size)
}
