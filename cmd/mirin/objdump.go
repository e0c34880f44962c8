package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/target/all"
	"github.com/mirin-go/mirin/triple"
)

// objdumpOptions are the flags of llvm-objdump.
type objdumpOptions struct {
	disassemble, all, relocs, symbols, headers, contents bool
	noRaw, noLeading, zeroes                             bool
	immHex                                               bool
	triple, arch, cpu, start, stop                       string
	attrs, sections, wanted, modes                       []string
}

func (o *objdumpOptions) flags() *llvmflag.Set {
	s := &llvmflag.Set{Tool: "llvm-objdump", Overview: "show what is in an ELF file", Usage: "[options] <input file>", Version: versionText(), MaxArgs: 1,
		Examples: `  mirin objdump -dr prog.o                        instructions with their relocations
  mirin objdump -h -t -r prog.o                   sections, symbols, relocations
`}
	s.Group("What to show")
	s.Bool(&o.disassemble, "d", "Disassemble all executable sections").Alias("disassemble")
	s.Bool(&o.all, "D", "Disassemble all sections").Alias("disassemble-all")
	s.Bool(&o.relocs, "r", "Display the relocation entries").Alias("reloc")
	s.Bool(&o.symbols, "t", "Display the symbol table").Alias("syms")
	s.Bool(&o.headers, "h", "Display summaries of the headers for each section").Alias("section-headers")
	s.Bool(&o.contents, "s", "Display the content of each section").Alias("full-contents")
	s.List(&o.sections, "j", "Operate on the specified sections only").Value("name").Alias("section")
	s.List(&o.wanted, "disassemble-symbols", "List of symbols to disassemble").Value("names")
	s.String(&o.start, "start-address", "Set the start address for disassembling").Value("address")
	s.String(&o.stop, "stop-address", "Set the stop address for disassembling").Value("address")
	s.Group("How to show it")
	s.Bool(&o.noRaw, "no-show-raw-insn", "Do not show the bytes of instructions")
	s.Bool(&o.noLeading, "no-leading-addr", "Do not show addresses of instructions and of relocations between them").Alias("no-addresses")
	s.Bool(&o.zeroes, "z", "Do not skip blocks of zeroes when disassembling").Alias("disassemble-zeroes")
	s.Bool(&o.immHex, "print-imm-hex", "Use hex format when printing immediate values (default)")
	decimal := false
	s.Bool(&decimal, "no-print-imm-hex", "Use decimal format when printing immediate values").Then(func() { o.immHex = !decimal })
	s.List(&o.modes, "M", "Pass target specific disassembler options").Value("options")
	s.Group("Target")
	s.String(&o.triple, "triple", "Target triple").Value("triple")
	s.String(&o.arch, "arch", "Target arch to disassemble for").Value("string")
	s.String(&o.cpu, "mcpu", "Target a specific cpu type").Value("cpu-name")
	s.List(&o.attrs, "mattr", "Target specific attributes").Value("a1,+a2,-a3,...")
	return s
}

// apart separates flags of one letter that stand together: -dr.
func apart(args []string) (out []string) {
	for _, a := range args {
		if len(a) > 2 && a[0] == '-' && a[1] != '-' && strings.Trim(a[1:], "dDrthsz") == "" {
			for _, c := range a[1:] {
				out = append(out, "-"+string(c))
			}
			continue
		}
		out = append(out, a)
	}
	return out
}

// objdumpMain is llvm-objdump, for ELF.
func objdumpMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "llvm-objdump"
	o := objdumpOptions{immHex: true}
	fs := o.flags()
	done, err := fs.Parse(apart(args), stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	name := "a.out"
	if len(fs.Args) > 0 {
		name = fs.Args[0]
	}
	src, shown, err := readText(name, stdin)
	if err != nil {
		return fail(stderr, tool, err)
	}
	w := bufio.NewWriterSize(stdout, 1<<16)
	err = o.dump(w, shown, []byte(src), stderr)
	if e := w.Flush(); err == nil {
		err = e
	}
	if err != nil {
		return fail(stderr, tool, err)
	}
	return 0
}

// objectFile is the file that is shown.
type objectFile struct {
	*elf.File
	o        *objdumpOptions
	syms     []elf.Symbol
	bySec    map[elf.SectionIndex][]elf.Symbol // code and data, sorted by address and name
	digits   int
	contents map[*elf.Section][]byte
	flags    uint32 // of the header
}

// dump shows what is asked for.
func (o *objdumpOptions) dump(w *bufio.Writer, name string, src []byte, stderr io.Writer) (err error) {
	defer func() { // debug/elf trusts some numbers of the file
		if p := recover(); p != nil {
			err = fmt.Errorf("'%s': the file is damaged: %v", name, p)
		}
	}()
	file, err := elf.NewFile(bytes.NewReader(src))
	if err != nil {
		return fmt.Errorf("'%s': The file was not recognized as a valid object file", name)
	}
	f := &objectFile{File: file, o: o, digits: 16, bySec: map[elf.SectionIndex][]elf.Symbol{}, contents: map[*elf.Section][]byte{}}
	if at := map[elf.Class]int{elf.ELFCLASS32: 36, elf.ELFCLASS64: 48}[file.Class]; at > 0 && len(src) >= at+4 {
		f.flags = file.ByteOrder.Uint32(src[at:])
	}
	if file.Class == elf.ELFCLASS32 {
		f.digits = 8
	}
	f.syms, _ = file.Symbols() // none where there is no table
	for _, s := range f.syms {
		if t := elf.ST_TYPE(s.Info); s.Name != "" && s.Section > 0 && s.Section < elf.SHN_LORESERVE && t != elf.STT_SECTION && t != elf.STT_FILE {
			f.bySec[s.Section] = append(f.bySec[s.Section], s)
		}
	}
	for _, l := range f.bySec {
		sort.SliceStable(l, func(i, j int) bool {
			return l[i].Value < l[j].Value || l[i].Value == l[j].Value && l[i].Name < l[j].Name
		})
	}
	fmt.Fprintf(w, "\n%s:\tfile format %s\n", name, f.format())
	if o.headers {
		f.showHeaders(w)
	}
	if o.relocs && !o.disassemble && !o.all {
		f.showRelocs(w)
	}
	if o.symbols {
		f.showSymbols(w)
	}
	if o.contents {
		f.showContents(w)
	}
	if o.disassemble || o.all || len(o.wanted) > 0 {
		return f.disassemble(w, stderr)
	}
	return nil
}

// arch is the first word of the file's triple; march what its format calls it.
func (f *objectFile) arch() (arch, march string) {
	return family.ELFArch(f.Machine, f.Class == elf.ELFCLASS64, f.Data == elf.ELFDATA2MSB)
}

func (f *objectFile) format() string {
	_, march := f.arch()
	if f.Class == elf.ELFCLASS64 {
		return "elf64-" + march
	}
	return "elf32-" + march
}

// wants reports that a section is among those that are asked for.
func (f *objectFile) wants(s *elf.Section) bool {
	return len(f.o.sections) == 0 || slices.Contains(f.o.sections, s.Name)
}

// data is a section's content, nil where it has none.
func (f *objectFile) data(s *elf.Section) []byte {
	if s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NULL {
		return nil
	}
	b, ok := f.contents[s]
	if !ok {
		b, _ = io.ReadAll(io.NewSectionReader(s.ReaderAt, 0, int64(s.FileSize)))
		f.contents[s] = b
	}
	return b
}

// reloc is one relocation.
type reloc struct {
	offset     uint64
	typ, value string
}

// relocsOf gives a section's relocations by offset.
func (f *objectFile) relocsOf(sec elf.SectionIndex) (out []reloc) {
	for _, s := range f.Sections {
		if (s.Type != elf.SHT_RELA && s.Type != elf.SHT_REL) || s.Info != uint32(sec) {
			continue
		}
		b, order := f.data(s), f.ByteOrder
		size := 8
		if f.Class == elf.ELFCLASS64 {
			size = 16
		}
		if s.Type == elf.SHT_RELA {
			size += size / 2
		}
		for ; len(b) >= size; b = b[size:] {
			var off, sym, typ uint64
			var add int64
			if f.Class == elf.ELFCLASS64 {
				info := order.Uint64(b[8:])
				off, sym, typ = order.Uint64(b), info>>32, info&0xffffffff
				if f.Machine == elf.EM_MIPS { // the symbol is a word; bytes follow, the first type last
					sym, typ = uint64(order.Uint32(b[8:])), uint64(b[12])<<24|uint64(b[13])<<16|uint64(b[14])<<8|uint64(b[15])
				}
				if s.Type == elf.SHT_RELA {
					add = int64(order.Uint64(b[16:]))
				}
			} else {
				info := order.Uint32(b[4:])
				off, sym, typ = uint64(order.Uint32(b)), uint64(info>>8), uint64(info&255)
				if s.Type == elf.SHT_RELA {
					add = int64(int32(order.Uint32(b[8:])))
				}
			}
			out = append(out, reloc{off, f.relocName(uint32(typ)), f.relocValue(sym, add)})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].offset < out[j].offset })
	return out
}

// relocName is a relocation's name; of 64-bit Mips, a relocation's three names.
func (f *objectFile) relocName(typ uint32) string {
	if f.Machine != elf.EM_MIPS || f.Class != elf.ELFCLASS64 {
		return family.ELFRelocName(f.Machine, typ)
	}
	name := func(shift int) string { return family.ELFRelocName(f.Machine, typ>>shift&0xff) }
	return name(0) + "/" + name(8) + "/" + name(16)
}

func (f *objectFile) relocValue(sym uint64, add int64) string {
	name := "*ABS*"
	if sym > 0 && sym <= uint64(len(f.syms)) {
		s := &f.syms[sym-1]
		if name = s.Name; elf.ST_TYPE(s.Info) == elf.STT_SECTION && int(s.Section) < len(f.Sections) {
			name = f.Sections[s.Section].Name
		}
	}
	switch {
	case add < 0:
		return fmt.Sprintf("%s-0x%x", name, uint64(-add))
	case add > 0:
		return fmt.Sprintf("%s+0x%x", name, add)
	}
	return name
}

func (f *objectFile) showHeaders(w *bufio.Writer) {
	width := 13
	for _, s := range f.Sections {
		width = max(width, len(s.Name))
	}
	fmt.Fprintf(w, "\nSections:\nIdx %-*s Size     %-*s Type\n", width, "Name", f.digits, "VMA")
	for i, s := range f.Sections {
		if !f.wants(s) {
			continue
		}
		var kind []string
		if s.Flags&elf.SHF_EXECINSTR != 0 {
			kind = append(kind, "TEXT")
		} else if s.Flags&elf.SHF_ALLOC != 0 && s.Type == elf.SHT_NOBITS {
			kind = append(kind, "BSS")
		} else if s.Flags&elf.SHF_ALLOC != 0 {
			kind = append(kind, "DATA")
		} else if strings.HasPrefix(s.Name, ".debug") || strings.HasPrefix(s.Name, ".zdebug") || s.Name == ".gdb_index" {
			kind = append(kind, "DEBUG")
		}
		fmt.Fprintf(w, "%3d %-*s %08x %0*x %s\n", i, width, s.Name, s.Size, f.digits, s.Addr, strings.Join(kind, ", "))
	}
}

func (f *objectFile) showRelocs(w *bufio.Writer) {
	for i, s := range f.Sections {
		list := f.relocsOf(elf.SectionIndex(i))
		if len(list) == 0 || !f.wants(s) {
			continue
		}
		fmt.Fprintf(w, "\nRELOCATION RECORDS FOR [%s]:\n%-*s %-24s VALUE\n", s.Name, f.digits, "OFFSET", "TYPE")
		for _, r := range list {
			fmt.Fprintf(w, "%0*x %-24s %s\n", f.digits, r.offset, r.typ, r.value)
		}
	}
}

func (f *objectFile) showSymbols(w *bufio.Writer) {
	fmt.Fprintf(w, "\nSYMBOL TABLE:\n")
	for _, s := range f.syms {
		bind, typ := byte(' '), byte(' ')
		switch elf.ST_BIND(s.Info) {
		case elf.STB_LOCAL:
			bind = 'l'
		case elf.STB_GLOBAL:
			bind = 'g'
		case elf.STB_WEAK:
			bind = 'w'
		}
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL && (s.Section == elf.SHN_UNDEF || s.Section == elf.SHN_COMMON) {
			if bind = ' '; s.Section == elf.SHN_COMMON {
				bind = 'g'
			}
		}
		debug := byte(' ')
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FUNC, elf.STT_GNU_IFUNC:
			typ = 'F'
		case elf.STT_OBJECT, elf.STT_COMMON:
			typ = 'O'
		case elf.STT_FILE:
			debug, typ = 'd', 'f'
		case elf.STT_SECTION:
			debug = 'd'
		}
		weak := byte(' ')
		if bind == 'w' {
			bind, weak = ' ', 'w'
		}
		section := "*ABS*"
		name := s.Name
		switch {
		case s.Section == elf.SHN_UNDEF:
			section = "*UND*"
		case s.Section == elf.SHN_COMMON:
			section = "*COM*"
		case int(s.Section) < len(f.Sections):
			section = f.Sections[s.Section].Name
			if name == "" {
				name = section
			}
		}
		visibility := [4]string{"", " .internal", " .hidden", " .protected"}[s.Other&3]
		fmt.Fprintf(w, "%0*x %c%c   %c%c %s\t%0*x%s %s\n", f.digits, s.Value, bind, weak, debug, typ, section, f.digits, s.Size, visibility, name)
	}
}

func (f *objectFile) showContents(w *bufio.Writer) {
	for _, s := range f.Sections {
		b := f.data(s)
		if f.wants(s) && s.Type == elf.SHT_NOBITS && s.Size > 0 {
			fmt.Fprintf(w, "Contents of section %s:\n<skipping contents of bss section at [%04x, %04x)>\n", s.Name, s.Addr, s.Addr+s.Size)
		}
		if !f.wants(s) || len(b) == 0 {
			continue
		}
		fmt.Fprintf(w, "Contents of section %s:\n", s.Name)
		for at := 0; at < len(b); at += 16 {
			row := b[at:min(at+16, len(b))]
			fmt.Fprintf(w, " %04x ", s.Addr+uint64(at))
			for k := range 16 {
				if k < len(row) {
					fmt.Fprintf(w, "%02x", row[k])
				} else {
					w.WriteString("  ")
				}
				if k%4 == 3 {
					w.WriteByte(' ')
				}
			}
			w.WriteByte(' ')
			for _, c := range row {
				if c < ' ' || c > '~' {
					c = '.'
				}
				w.WriteByte(c)
			}
			w.WriteByte('\n')
		}
	}
}

// named is what the section of a name has.
func (f *objectFile) named(name string) []byte {
	s := f.Section(name)
	if s == nil {
		return nil
	}
	b, _ := s.Data()
	return b
}

// target is the machine code layer for the file.
func (f *objectFile) target() (*mctarget.Target, error) {
	text := f.o.triple
	if text == "" {
		arch, _ := f.arch()
		if arch == "" {
			return nil, fmt.Errorf("no disassembler for machine %v", f.Machine)
		}
		text = arch + "-unknown-linux-gnu"
	}
	if f.o.arch != "" {
		_, rest, _ := strings.Cut(text, "-")
		text = f.o.arch + "-" + rest
	}
	features := strings.Join(f.o.attrs, ",")
	if own := family.ELFFeatures(f.Machine, f.flags, f.named); own != "" {
		features = strings.TrimSuffix(own+","+features, ",")
	}
	if row := family.ByArch(triple.Parse(triple.Normalize(text)).Arch); row != nil && f.o.cpu == "" && (features == "" || !row.Objdump().Alone) {
		features = strings.TrimSuffix(row.Objdump().Features+","+features, ",")
	}
	return all.MC(text, "", f.o.cpu, features)
}
