package mctargetdesc

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The variants of the syntax, by LLVM's numbers.
const (
	ATT   = 0
	Intel = 1
)

// SyntaxDirective is the line that switches to a variant.
func SyntaxDirective(variant int) string {
	if variant == Intel {
		return "\t.intel_syntax noprefix"
	}
	return "\t.att_syntax prefix"
}

// Printer writes instructions in AT&T or Intel syntax: by the tables of the facts
// (mc/table interprets them), with the functions that they name (operands.go).
type Printer struct {
	*table.Printer
	info    *desc.Info
	intel   bool // variant is Intel
	variant int
	dwarf   []desc.PhysReg // by the DWARF number of exception frames
	names   func() map[string]desc.PhysReg
}

// NewPrinter returns a printer over the facts of X86; triple selects the DWARF
// numbers ("x86_64", "i686").
func NewPrinter(info *desc.Info, variant int, triple string) *Printer {
	p := &Printer{info: info, intel: variant == Intel, variant: variant}
	p.names = sync.OnceValue(func() map[string]desc.PhysReg { return newSyntax(info, Intel).regs })
	methods := attMethods
	if p.intel {
		methods = intelMethods
	}
	t, err := facts.MachineCodeX86()
	if err == nil {
		p.Printer, err = table.NewPrinter(t.Writer, info, variant, table.PrintFuncs{Methods: methods})
	}
	if err != nil {
		panic(err) // what is embedded is not what was embedded
	}
	f := info.DwarfFlavourOf(triple)
	if f < 0 {
		return p
	}
	wide := strings.HasPrefix(triple, "x86_64")
	for r := 1; r < len(info.Regs); r++ {
		n := info.DwarfNum(f, desc.PhysReg(r), true)
		if n < 0 || !wide && info.ClassContains(tab.GR64RegClassID, desc.PhysReg(r)) {
			continue
		}
		for n >= len(p.dwarf) {
			p.dwarf = append(p.dwarf, 0)
		}
		// The widest general register has the number; of vector registers, XMM.
		if old := p.dwarf[n]; old == 0 || info.IsSubRegister(desc.PhysReg(r), old) && (info.ClassContains(tab.GR64RegClassID, desc.PhysReg(r)) || !wide && info.ClassContains(tab.GR32RegClassID, desc.PhysReg(r))) {
			p.dwarf[n] = desc.PhysReg(r)
		}
	}
	return p
}

// FileHeader is the first line of a file: assemblers expect AT&T syntax.
func (p *Printer) FileHeader() string {
	if p.variant == ATT {
		return ""
	}
	return SyntaxDirective(p.variant)
}

// Reserved reports names that mean something else in Intel syntax: registers, operators,
// sizes, and what begins as no name does there.
func (p *Printer) Reserved(name string) bool {
	if !p.intel || name == "" {
		return false
	}
	if name[0] == '$' {
		return true
	}
	w := strings.ToLower(name)
	_, size := sizeWords[w]
	_, reg := p.names()[w]
	return size || reg || slices.Contains(intelWords, w)
}

// intelWords are the operators of Intel syntax and what stands between sizes and
// addresses; those of the GNU assembler and LLVM's.
var intelWords = []string{"and", "eq", "far", "flat", "ge", "gt", "le", "length", "lt", "mod", "ne", "near", "not", "offset", "or", "ptr", "short", "shl", "shr", "size", "type", "xor"}

// AppendDwarfReg appends the register with a DWARF number.
func (p *Printer) AppendDwarfReg(b []byte, reg uint32) []byte {
	if int(reg) < len(p.dwarf) && p.dwarf[reg] != 0 {
		return p.reg(b, p.dwarf[reg])
	}
	return strconv.AppendUint(b, uint64(reg), 10)
}

func (p *Printer) reg(b []byte, r desc.PhysReg) []byte { return p.AppendRegAlt(b, r, p.variant) }

// AppendInst appends one instruction.
func (p *Printer) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) ([]byte, []byte, error) {
	if in.Op == tab.DATA16_PREFIX && p.is16(st) {
		return append(appendPrefixes(b, in.Flags, ""), "data32"...), remarks, nil
	}
	if in.Flags&prefixFlags == 0 {
		return p.Printer.AppendInst(b, remarks, ctx, st, in, sym)
	}
	m, _ := p.Head(in.Op)
	start := len(b)
	b, remarks, err := p.Printer.AppendInst(appendPrefixes(b, in.Flags, m), remarks, ctx, st, in, sym)
	if err != nil {
		b = b[:start]
	}
	return b, remarks, err
}

// prefixFlags are those that are written.
const prefixFlags = FlagVEX | FlagVEX2 | FlagVEX3 | FlagEVEX | FlagDisp8 | FlagDisp32 | FlagLock | FlagNoTrack | FlagRep | FlagRepNE | FlagAddrSize | flagAddr16

// appendPrefixes writes the prefixes that flags ask for and the mnemonic lacks.
func appendPrefixes(b []byte, f mc.InstFlags, mnemonic string) []byte {
	if f&FlagVEX != 0 && mnemonic != "{vex}" {
		b = append(b, "{vex}\t"...)
	}
	if f&FlagVEX2 != 0 {
		b = append(b, "{vex2}\t"...)
	}
	if f&FlagVEX3 != 0 {
		b = append(b, "{vex3}\t"...)
	}
	if f&FlagEVEX != 0 && mnemonic != "{evex}" {
		b = append(b, "{evex}\t"...)
	}
	if f&FlagDisp8 != 0 {
		b = append(b, "{disp8}\t"...)
	}
	if f&FlagDisp32 != 0 {
		b = append(b, "{disp32}\t"...)
	}
	if f&FlagLock != 0 && (len(mnemonic) < 4 || mnemonic[:4] != "lock") {
		b = append(b, "lock\t\t"...)
	}
	if f&FlagNoTrack != 0 {
		b = append(b, "notrack\t\t"...)
	}
	if f&FlagRep != 0 {
		b = append(b, "rep\t\t"...)
	}
	if f&FlagRepNE != 0 {
		b = append(b, "repne\t\t"...)
	}
	if f&FlagAddrSize != 0 {
		b = append(b, "addr32\t\t"...)
	}
	if f&flagAddr16 != 0 {
		b = append(b, "addr16\t\t"...)
	}
	return b
}

// is16 reports 16-bit mode.
func (p *Printer) is16(st *mc.Subtarget) bool {
	f, ok := p.info.FeatureByName("16bit-mode")
	return ok && st != nil && st.Has(p.info.Features[f].Bit)
}
