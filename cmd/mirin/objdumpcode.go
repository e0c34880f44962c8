package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
)

// codeDump is a disassembly of sections.
type codeDump struct {
	*objectFile
	w       *bufio.Writer
	dis     mc.Disassembler
	printer mc.InstPrinter
	ctx     *mc.Context
	st      *mc.Subtarget
	in      mc.Inst
	style   family.ObjdumpStyle
	pc      desc.PhysReg
	buf     []byte
	notes   []byte
	lo, hi  uint64
}

// disassemble shows the instructions of the sections with code.
func (f *objectFile) disassemble(w *bufio.Writer, stderr io.Writer) error {
	t, err := f.target()
	if err != nil {
		return err
	}
	c := codeDump{objectFile: f, w: w, st: t.ST, ctx: mc.NewContext(t.AsmInfo()), hi: 1<<64 - 1}
	c.style = t.Family.Objdump()
	if k, ok := t.Info.FeatureByName("thumb-mode"); ok && t.ST.Has(t.Info.Features[k].Bit) {
		c.style.Words, c.style.Pairs, c.style.Bias = false, true, 4
	}
	if c.style.PrinterHex && f.o.immHex {
		t.PrinterOptions = append(t.PrinterOptions, "print-imm-hex")
	}
	for r := 1; r < len(t.Info.Regs); r++ {
		if c.style.PC != "" && t.Info.RegName(desc.PhysReg(r)) == c.style.PC {
			c.pc = desc.PhysReg(r)
		}
	}
	variant := 0
	for _, m := range strings.Split(strings.Join(f.o.modes, ","), ",") {
		if m == "intel" || m == "intel-mnemonic" {
			variant = 1
		}
		t.PrinterOptions = append(t.PrinterOptions, m)
	}
	dis, err := t.Disassembler()
	if err != nil {
		return err
	}
	c.dis = mc.NewDisassembly(dis)
	if c.printer, err = t.Printer(variant); err != nil {
		return err
	}
	for _, b := range [...]struct {
		text string
		to   *uint64
	}{{f.o.start, &c.lo}, {f.o.stop, &c.hi}} {
		if b.text != "" {
			if *b.to, err = strconv.ParseUint(b.text, 0, 64); err != nil {
				return fmt.Errorf("--start-address, --stop-address: expected a non-negative integer, but got '%s'", b.text)
			}
		}
	}
	for i, s := range f.Sections {
		if f.wants(s) && s.Size > 0 && (s.Flags&elf.SHF_EXECINSTR != 0 || f.o.all && s.Type == elf.SHT_PROGBITS && s.Flags&elf.SHF_ALLOC != 0) {
			c.section(elf.SectionIndex(i), s)
		}
	}
	return nil
}

// section shows the instructions of a section, symbol by symbol.
func (c *codeDump) section(index elf.SectionIndex, s *elf.Section) {
	code := c.data(s)
	syms := c.bySec[index]
	var relocs []reloc
	if c.o.relocs {
		relocs = c.relocsOf(index)
	}
	base := s.Addr
	if c.hi <= base || c.lo >= base+uint64(len(code)) {
		return
	}
	headed := false
	head := func() {
		if !headed {
			fmt.Fprintf(c.w, "\nDisassembly of section %s:\n", s.Name)
			headed = true
		}
	}
	type part struct {
		at   uint64
		name string
		data bool
	}
	var parts []part
	for _, y := range syms {
		if c.Type != elf.ET_REL && y.Value < base || strings.HasPrefix(y.Name, "$") {
			continue
		}
		if c.Type == elf.ET_REL {
			y.Value += base
		}
		if n := len(parts); n > 0 && parts[n-1].at == y.Value {
			if !isData(y) || parts[n-1].data { // the last name, of code if there is one
				parts[n-1] = part{y.Value, y.Name, isData(y)}
			}
			continue
		}
		parts = append(parts, part{y.Value, y.Name, isData(y)})
	}
	if len(parts) == 0 || parts[0].at > base {
		parts = slices.Insert(parts, 0, part{base, s.Name, false})
	}
	for k, p := range parts {
		end := base + uint64(len(code))
		if k+1 < len(parts) {
			end = min(end, parts[k+1].at)
		}
		lo, hi := max(p.at, c.lo), min(end, c.hi)
		if lo >= hi || len(c.o.wanted) > 0 && !c.asked(p.name) {
			continue
		}
		head()
		if c.o.noLeading {
			fmt.Fprintf(c.w, "\n<%s>:\n", p.name)
		} else {
			fmt.Fprintf(c.w, "\n%0*x <%s>:\n", c.digits, p.at, p.name)
		}
		c.insts(code[lo-base:end-base], lo, index, base, relocs)
	}
}

func isData(s elf.Symbol) bool {
	t := elf.ST_TYPE(s.Info)
	return t == elf.STT_OBJECT || t == elf.STT_COMMON
}

// asked reports a symbol of --disassemble-symbols.
func (c *codeDump) asked(name string) bool {
	for _, l := range c.o.wanted {
		if slices.Contains(strings.Split(l, ","), name) {
			return true
		}
	}
	return false
}

// insts shows instructions from addr on.
func (c *codeDump) insts(code []byte, addr uint64, index elf.SectionIndex, base uint64, relocs []reloc) {
	next := sort.Search(len(relocs), func(i int) bool { return relocs[i].offset+base >= addr })
	for len(code) > 0 && addr < c.hi {
		if n := zeroes(code); n > 0 && !c.o.zeroes && (next == len(relocs) || relocs[next].offset+base >= addr+uint64(n)) {
			c.w.WriteString("\t\t...\n")
			code, addr = code[n:], addr+uint64(n)
			continue
		}
		n, status := c.dis.Disassemble(&c.in, c.st, code, addr)
		n = min(max(n, 1), len(code))
		b := c.buf[:0]
		if !c.o.noLeading {
			if u := c.style.Unit; u > 0 {
				b = fmt.Appendf(b, "%8d", addr/u)
			} else {
				b = appendHexPadded(b, addr, 8)
			}
			b = append(b, ':')
		}
		if !c.o.noRaw {
			b = c.appendBytes(b, code[:n])
		}
		stop := c.style.Column
		if c.o.noRaw {
			stop = 16
		}
		pad := 7 - len(b)%8
		if c.style.Tab {
			pad = 0
		} else if len(b) < stop-1 {
			pad = stop - 1 - len(b)
		}
		for range pad {
			b = append(b, ' ')
		}
		b = append(b, '\t')
		if status == mc.DecodeFail {
			b = append(b, "<unknown>"...)
		} else {
			b = c.inst(b, addr, n, index, base)
		}
		b = append(b, '\n')
		for next < len(relocs) && relocs[next].offset+base < addr+uint64(n) {
			r := relocs[next]
			b = append(b, "\t\t"...)
			if !c.o.noLeading {
				b = fmt.Appendf(b, "%0*x:  ", c.digits, r.offset+base)
			}
			b = fmt.Appendf(b, "%s\t%s\n", r.typ, r.value)
			next++
		}
		c.w.Write(b)
		c.buf = b
		code, addr = code[n:], addr+uint64(n)
	}
}

// zeroes is how many bytes at the start of code are left out.
func zeroes(code []byte) int {
	n := 0
	for n < len(code) && code[n] == 0 {
		n++
	}
	switch {
	case n < 8:
		return 0
	case n == len(code):
		return n
	}
	return n &^ 3
}

func appendHexPadded(b []byte, v uint64, width int) []byte {
	at := len(b)
	b = strconv.AppendUint(b, v, 16)
	if n := width - (len(b) - at); n > 0 {
		b = slices.Insert(b, at, []byte("                ")[:n]...)
	}
	return b
}

// appendBytes appends the bytes of an instruction, or numbers of them.
func (c *codeDump) appendBytes(b, code []byte) []byte {
	unit := 1
	switch {
	case c.style.Pairs && len(code)%2 == 0:
		unit = 2
	case c.style.Words && len(code) == 4, c.style.Halves && len(code)%4 == 0:
		unit = 4
	case c.style.Halves && len(code)%2 == 0:
		unit = 2
	}
	for at := 0; at < len(code); at += unit {
		sep := byte(' ')
		if at == 0 && c.style.Tab {
			sep = '\t'
		}
		b = append(b, sep)
		for k := unit - 1; k >= 0; k-- {
			const digits = "0123456789abcdef"
			x := code[at+k]
			b = append(b, digits[x>>4], digits[x&15])
		}
	}
	return b
}

// inst appends an instruction; where it jumps to is an address with its symbol.
func (c *codeDump) inst(b []byte, addr uint64, size int, index elf.SectionIndex, base uint64) []byte {
	at := len(b)
	var err error
	b, c.notes, err = c.printer.AppendInst(b, c.notes[:0], c.ctx, c.st, &c.in, nil)
	if err != nil {
		return append(b, "<unknown>"...)
	}
	d := c.st.Info.Instr(c.in.Op)
	ops := c.st.Info.Operands(c.in.Op)
	if c.style.Unit > 0 { // and so do distances of jumps
		if c.style.Hex && c.o.immHex {
			b = hexNumbers(b, at, c.style.Sigil)
		}
		if n := len(c.in.Ops); d.Flags&desc.Branch != 0 && n > 0 && c.in.Ops[n-1].IsImm() {
			to := addr + uint64(size) + uint64(c.in.Ops[n-1].Imm())*c.style.Unit
			b = c.appendTarget(append(b, ' '), to, index, base)
		}
		return b
	}
	relative := c.style.PCRel && len(ops) > 0 && ops[len(ops)-1].Type == desc.OperandPCRel
	if (relative || d.Flags&(desc.Branch|desc.Call) != 0) && len(c.in.Ops) > 0 {
		k := len(b)
		for k > at && (b[k-1] >= '0' && b[k-1] <= '9' || b[k-1] >= 'a' && b[k-1] <= 'f' || b[k-1] == 'x') {
			k--
		}
		if k < len(b) && k > at {
			if b[k-1] == '-' {
				k--
			}
			if prev := b[k-1]; prev == '\t' || prev == ' ' || prev == '#' {
				v, err := strconv.ParseInt(string(b[k:]), 0, 64)
				if err != nil {
					return b
				}
				if prev == '#' && (c.style.PrinterHex || c.style.Noted) {
					k-- // addresses are written without
				}
				to := addr + uint64(v) + c.style.Bias
				if c.style.FromEnd {
					to += uint64(size)
				}
				if c.style.Distances {
					return c.appendTarget(append(b, ' '), to, index, base)
				}
				if c.style.Noted {
					to &= 1<<32 - 1
				}
				shown := to // the symbol's distance is not cut
				if c.digits == 8 {
					shown &= 1<<32 - 1
				}
				b = c.appendTarget(append(strconv.AppendUint(append(b[:k], "0x"...), shown, 16), ' '), to, index, base)
				if c.style.Noted {
					b = c.appendNote(b, at, c.distance(v))
				}
				return b
			}
		}
	}
	if to, ok := c.pcRelative(addr); ok {
		if k := bytes.LastIndexByte(b, ' '); k >= at {
			b = append(b[:k+1], "0x"...)
			return c.appendTarget(append(strconv.AppendUint(b, to, 16), ' '), to, index, base)
		}
	}
	if c.style.Hex && c.o.immHex {
		b = hexNumbers(b, at, c.style.Sigil)
	}
	note, _, _ := bytes.Cut(c.notes, []byte{'\n'})
	if c.pc != 0 {
		for k := range c.in.Ops { // an address relative to the next instruction
			if o := c.in.Ops[k]; o.IsReg() && o.Reg() == c.pc && k+3 < len(c.in.Ops) {
				to := addr + uint64(size) + uint64(c.in.Ops[k+3].Imm())
				note = c.appendTarget(append(strconv.AppendUint(append(c.notes[:0], "0x"...), to, 16), ' '), to, index, base)
			}
		}
	}
	return c.appendNote(b, at, note)
}

// distance is what is noted of a branch's operand.
func (c *codeDump) distance(v int64) []byte {
	note := append(c.notes[:0], "imm = #"...)
	if !c.o.immHex {
		return strconv.AppendInt(note, v, 10)
	}
	if v < 0 {
		note = append(note, '-')
		v = -v
	}
	return strconv.AppendInt(append(note, "0x"...), v, 16)
}

// appendNote appends a comment to the instruction that starts at b[at].
func (c *codeDump) appendNote(b []byte, at int, note []byte) []byte {
	if len(note) > 0 {
		col := 8
		for _, x := range b[at:] {
			if col++; x == '\t' {
				col = (col + 7) &^ 7
			}
		}
		for n := max(40-col, 1); n > 0; n-- {
			b = append(b, ' ')
		}
		b = append(append(append(b, c.ctx.Info().Comment...), ' '), note...)
	}
	return b
}

// pcRelative gives the address that an instruction computes from its own.
func (c *codeDump) pcRelative(addr uint64) (to uint64, ok bool) {
	if c.style.Near == "" || len(c.in.Ops) != 2 || !c.in.Ops[1].IsImm() {
		return 0, false
	}
	switch v := uint64(c.in.Ops[1].Imm()); c.st.Info.OpcodeName(c.in.Op) {
	case c.style.Near:
		return addr + v, true
	case c.style.Page:
		return addr&^0xfff + v<<12, true
	}
	return 0, false
}

// appendTarget appends the symbol before an address in the section.
func (c *codeDump) appendTarget(b []byte, to uint64, index elf.SectionIndex, base uint64) []byte {
	syms := c.bySec[index]
	rel := to
	if c.Type == elf.ET_REL {
		rel -= base
	}
	k := sort.Search(len(syms), func(i int) bool { return syms[i].Value > rel }) - 1
	for k >= 0 && strings.HasPrefix(syms[k].Name, "$") {
		k--
	}
	if k < 0 && int(index) < len(c.Sections) && rel >= c.Sections[index].Addr {
		b = append(append(b, '<'), c.Sections[index].Name...)
		if off := rel - c.Sections[index].Addr; off > 0 {
			b = strconv.AppendUint(append(b, "+0x"...), off, 16)
		}
		return append(b, '>')
	}
	if k < 0 {
		return b[:len(b)-1]
	}
	b = append(append(b, '<'), syms[k].Name...)
	if off := rel - syms[k].Value; off > 0 {
		b = strconv.AppendUint(append(b, "+0x"...), off, 16)
	}
	return append(b, '>')
}

// hexNumbers writes the decimal numbers from b[at] on in hexadecimal: those that
// are not part of a name, and no scales.
func hexNumbers(b []byte, at int, sigil byte) []byte {
	tab := slices.Index(b[at:], '\t')
	if tab < 0 && at > 0 && b[at-1] == '\t' {
		tab = -1 // there is no mnemonic
	} else if tab < 0 {
		return b
	}
	text := string(b[at+tab:])
	b = b[:at+tab]
	for i := 0; i < len(text); {
		ch := text[i]
		if ch < '0' || ch > '9' {
			b = append(b, ch)
			i++
			continue
		}
		j := i
		for j < len(text) && text[j] >= '0' && text[j] <= '9' {
			j++
		}
		prev, after := text[i-1], byte(0) // a tab is before all
		if j < len(text) {
			after = text[j]
		}
		name := prev == sigil && sigil != '#' || shifted(sigil, text[:i]) || prev == '_' || prev == '%' || prev >= 'a' && prev <= 'z' || prev >= 'A' && prev <= 'Z' || prev >= '0' && prev <= '9'
		scale := prev == ',' && after == ')' || after == '*' || prev == '(' || after >= 'a' && after <= 'z' || after == '}'
		if v, err := strconv.ParseUint(text[i:j], 10, 64); err == nil && !name && !scale {
			b = strconv.AppendUint(append(b, "0x"...), v, 16)
		} else {
			b = append(b, text[i:j]...)
		}
		i = j
	}
	return b
}

// shifted reports that a number does not stand behind its '#', or is an amount of shifting.
func shifted(sigil byte, before string) bool {
	if sigil != '#' {
		return false
	}
	before, ok := strings.CutSuffix(strings.TrimSuffix(before, "-"), "#")
	if !ok {
		return true
	}
	for _, op := range [...]string{"lsl ", "lsr ", "asr ", "ror "} {
		if strings.HasSuffix(before, op) {
			return true
		}
	}
	return false
}
