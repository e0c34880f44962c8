package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func irBlock(id uint32) ir.BlockID { return ir.BlockID(id) }
func irMD(id uint32) ir.MDID       { return ir.MDID(id) }

// flagWords are the words of instruction flags, by bit.
var flagWords = [...]string{"frame-setup ", "frame-destroy ", "", "", "nnan ", "ninf ", "nsz ", "arcp ", "contract ", "afn ",
	"reassoc ", "nuw ", "nsw ", "exact ", "nofpexcept ", "nomerge ", "unpredictable ", "noconvergent ", "nneg ", "disjoint ",
	"nusw ", "samesign ", "inbounds ", "lr-split "}

// instr prints one instruction without indentation or end of line.
func (p *printer) instr(i mir.InstrID) {
	f := p.f
	in := f.Instr(i)
	ops := f.Ops(i)
	ctx := instrContext{i: i, ties: p.debug || p.hasComplexTies(i), d: f.Desc(i), standalone: p.debug}
	p.flagOps = p.flagOps[:0]
	asm := in.Opcode == desc.INLINEASM || in.Opcode == desc.INLINEASM_BR
	if asm {
		p.flagOps = appendAsmFlags(p.flagOps, ops)
	}
	n := 0
	for ; n < len(ops) && ops[n].IsDef() && !ops[n].IsImplicit(); n++ {
		if n > 0 {
			p.str(", ")
		}
		p.operand(&ctx, n, false)
	}
	if n > 0 {
		p.str(" = ")
	}
	if fl := in.Flags() &^ (mir.BundledPred | mir.BundledSucc); fl != 0 {
		for bit, w := range flagWords {
			if fl>>bit&1 != 0 {
				p.str(w)
			}
		}
	}
	p.str(p.in.OpcodeName(in.Opcode))
	sep := " "
	if asm && p.debug {
		n = p.debugAsm(&ctx, n)
		sep = ", "
	}
	for ; n < len(ops); n++ {
		p.str(sep)
		sep = ", "
		p.operand(&ctx, n, true)
	}
	if f.HasExtra(i) {
		sep = p.extra(f.Extra(i), sep)
	}
	if in.Loc != 0 && !p.o.NoLocations {
		p.str(sep)
		p.str("debug-location ")
		p.b = p.slots.AppendKnownMD(p.b, irMD(uint32(in.Loc)))
	}
	for k := range f.NumMem(i) {
		if k == 0 {
			p.str(" :: ")
		} else {
			p.str(", ")
		}
		p.memOperand(f.MemOf(i, k))
	}
}

// instrContext is what printing an operand needs to know of its instruction.
type instrContext struct {
	i          mir.InstrID
	d          *desc.InstrDesc
	ties       bool
	standalone bool   // print class and bank of every virtual register
	printed    uint32 // generic type indices whose type was printed
	// plain leaves types of generic registers out; typed prints them always.
	plain, typed bool
}

// hasComplexTies reports whether ties are not those of the description.
func (p *printer) hasComplexTies(i mir.InstrID) bool {
	ops := p.f.Ops(i)
	declared := p.in.Operands(p.f.Instr(i).Opcode)
	for k := range ops {
		if ops[k].Kind() != mir.OpReg || ops[k].IsDef() {
			continue
		}
		want := -1
		if k < len(declared) {
			want = int(declared[k].TiedTo)
		}
		if want < 0 && !ops[k].IsTied() {
			continue
		}
		if p.f.TiedTo(i, k) != want {
			return true
		}
	}
	return false
}

// extra prints the optional symbols and markers.
func (p *printer) extra(e mir.InstrExtra, sep string) string {
	word := func(w string) {
		p.str(sep)
		sep = ", "
		p.str(w)
	}
	md := func(w string, id uint32) {
		if id != 0 {
			word(w)
			p.b = p.slots.AppendKnownMD(p.b, irMD(id))
		}
	}
	if e.PreSymbol != 0 {
		word("pre-instr-symbol ")
		p.b = appendMCSymbol(p.b, p.f.Symbols[e.PreSymbol-1])
	}
	if e.PostSymbol != 0 {
		word("post-instr-symbol ")
		p.b = appendMCSymbol(p.b, p.f.Symbols[e.PostSymbol-1])
	}
	md("heap-alloc-marker ", e.HeapAlloc)
	md("pcsections ", e.PCSections)
	md("mmra ", e.MMRA)
	if e.HasCFIType {
		word("cfi-type ")
		p.int(int64(e.CFIType))
	}
	if e.DeactivationSymbol != 0 {
		word("deactivation-symbol ")
		p.b = p.slots.AppendGlobal(p.b, ir.GlobalID(e.DeactivationSymbol))
	}
	if e.Number != 0 {
		word("debug-instr-number ")
		p.int(int64(e.Number))
	}
	return sep
}

func appendMCSymbol(b []byte, name string) []byte {
	b = append(b, "<mcsymbol "...)
	plain := name != ""
	for i := 0; i < len(name); i++ {
		c := name[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '@' || c == '-')
	}
	if plain {
		b = append(b, name...)
	} else {
		b = append(b, '"')
		for i := 0; i < len(name); i++ {
			switch c := name[i]; c {
			case '\n':
				b = append(b, `\n`...)
			case '"', '\\':
				b = append(b, '\\', c)
			default:
				b = append(b, c)
			}
		}
		b = append(b, '"')
	}
	return append(b, '>')
}

var asmKindNames = [8]string{"", "reguse", "regdef", "regdef-ec", "clobber", "imm", "mem", "mem"}

var asmExtraNames = [...]string{0: "sideeffect", 1: "alignstack", 3: "mayload", 4: "maystore", 5: "isconvergent", 6: "unwind"}

// asmExtraOrder is the order in which the flags of a statement are printed.
var asmExtraOrder = [...]uint8{0, 3, 4, 5, 1, 6}

// appendAsmFlags appends the numbers of the descriptor operands.
func appendAsmFlags(to []int, ops []mir.Operand) []int {
	for k := mir.AsmFirstGroup; k < len(ops) && ops[k].IsImm(); k = mir.AsmGroupAfter(ops, k) {
		to = append(to, k)
	}
	return to
}

// asmComment appends what an operand of inline assembly says in words.
func (p *printer) asmComment(b []byte, ops []mir.Operand, n int) []byte {
	if !ops[n].IsImm() {
		return b
	}
	if n == mir.AsmFlagsOp {
		fl := uint64(ops[n].Imm())
		for _, bit := range asmExtraOrder {
			if fl>>bit&1 != 0 {
				b = append(b, asmExtraNames[bit]...)
				b = append(b, ' ')
			}
		}
		if fl&mir.AsmIntel != 0 {
			return append(b, "inteldialect"...)
		}
		return append(b, "attdialect"...)
	}
	is := false
	for _, k := range p.flagOps {
		is = is || k == n
	}
	if !is {
		return b
	}
	g := mir.AsmGroup(ops[n].Imm())
	b = append(b, asmKindNames[g.Kind()]...)
	if c := g.Class(); c >= 0 && c < len(p.in.Classes) {
		b = append(b, ':')
		b = append(b, p.in.RegClassName(desc.ClassID(c))...)
	}
	if c := g.Mem(); g.Kind() == mir.AsmMem && c < len(mir.AsmMemConstraints) {
		b = append(b, ':')
		b = append(b, mir.AsmMemConstraints[c]...)
	}
	if n, ok := g.Tied(); ok {
		b = append(b, " tiedto:$"...)
		b = strconv.AppendUint(b, uint64(n), 10)
	}
	if g.Kind() <= mir.AsmDefEarly && g>>30&1 != 0 {
		b = append(b, " foldable"...)
	}
	return b
}
