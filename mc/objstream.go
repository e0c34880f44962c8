package mc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// ObjectStreamer is the Streamer that encodes. Each section is one buffer of
// fixed bytes; what has no fixed size yet (jumps that may grow, alignment, LEB128
// of label distances) is a piece between them, see layout.go. Object settles the
// pieces and gives the result.
type ObjectStreamer struct {
	ctx *Context
	enc Encoder
	be  AsmBackend

	bigEndian bool
	linker    bool    // the target's linkers may change instructions
	lebMoves  bool    // … and there are relocations of ULEB128
	lebZero   bool    // … in whose place is 0
	maps      bool    // Machine.Maps
	elfFlags  *uint32 // SetELFFlags

	secs  []secData // by SectionID
	order []SectionID
	cur   SectionID
	// seen lists symbols in the order of their first mention: the order of symbol tables.
	seen          []Sym
	files         []sourceFile
	frames        []frame
	forked        bool // its sections begin somewhere in those of another
	open          bool // inside StartProc … EndProc
	frameSections FrameSections
	opts          ObjectOptions
	subs          []*Subtarget
	errs          []error
	asm           *objAsm      // of assembly alone; nil without
	lines         *lineState   // nil without
	branch        *branchState // nil where no branch is padded
	*objScratch
}

// sourceFile is a name of a source, and how many symbols were mentioned before it.
type sourceFile struct {
	name string
	seen int
}

// objScratch is what a streamer that something is said to needs beside what it says:
// chunks that are cut have none.
type objScratch struct {
	long   Inst
	joiner Joiner // of Join
	cutter cutter // of Cut
}

// secData is what a section holds so far.
type secData struct {
	sym Sym // the section's symbol, 0 before the first switch
	// lead is the alignment before all of the bytes in a settled chunk; log2 0 none.
	lead   piece
	buf    []byte
	fixups []Fixup
	pieces []piece
	alt    []byte  // both encodings of instructions that may grow
	altFix []Fixup // their fixups; Offset counts from the encoding's start
	bss    uint64  // of a section without bytes: what buf would hold
	filled bool    // … and something in it is not 0
	fixed  bool    // … or is an expression
	code   bool    // there are instructions
	align  uint64
	used   bool // of subsections: something was said in it
	// relaxing says that a linker may change instructions of the section.
	relaxing bool
	// changes are where: distances over them are not fixed. Of subsections they are not known (mixed).
	changes []change
	mixed   bool
	mapped  byte // what the last mapping symbol says: 'x' code, 'd' data, 0 none
}

// change is a place of a section that a linker may change, as labels have theirs.
type change struct {
	piece uint32
	off   uint64
}

// before counts the changes before a place.
func (d *secData) before(piece uint32, off uint64) int {
	return sort.Search(len(d.changes), func(i int) bool {
		c := &d.changes[i]
		return c.piece > piece || c.piece == piece && c.off >= off
	})
}

// LinkerRelaxer is an AsmBackend whose linkers change instructions.
type LinkerRelaxer interface {
	// MinNop is the size of the shortest instruction that does nothing.
	MinNop(st *Subtarget) int
	// Fixed is the kind of the same fixup where no linker changes the instruction.
	Fixed(k FixupKind) FixupKind
}

// reset empties d and keeps its storage.
func (d *secData) reset() {
	*d = secData{buf: d.buf[:0], fixups: d.fixups[:0], pieces: d.pieces[:0], alt: d.alt[:0], altFix: d.altFix[:0], changes: d.changes[:0], align: 1}
}

// NewObjectStreamer returns a streamer for one object, in section .text.
func NewObjectStreamer(ctx *Context, enc Encoder, be AsmBackend) *ObjectStreamer {
	m := be.Machine()
	o := &ObjectStreamer{ctx: ctx, enc: enc, be: be, bigEndian: m.BigEndian, linker: m.RelaxReloc != 0, lebMoves: m.LEBAdd != 0, lebZero: m.LEBZero, maps: m.Maps, objScratch: new(objScratch), branch: newBranchState(be)}
	o.SwitchSection(ctx.TextSection())
	o.secs[o.cur].align = m.CodeAlign
	return o
}

// Context returns the owner of the streamer's symbols.
func (o *ObjectStreamer) Context() *Context { return o.ctx }

func (o *ObjectStreamer) fail(format string, args ...any) {
	if o.ctx.loc != 0 {
		o.failAt(o.ctx.loc, format, args...)
		return
	}
	o.errs = append(o.errs, fmt.Errorf(format, args...))
}

// Err returns the errors so far.
func (o *ObjectStreamer) Err() error { return errors.Join(o.errs...) }

// Finish returns the errors so far; Object does the work.
func (o *ObjectStreamer) Finish() error { return o.Err() }

// SetELFFlags sets what the header says, for targets where directives do.
func (o *ObjectStreamer) SetELFFlags(flags uint32) { o.elfFlags = &flags }

// SectionAlign makes a section's alignment align bytes at least, without padding.
func (o *ObjectStreamer) SectionAlign(s SectionID, align uint64) {
	o.secs[s].align = max(o.secs[s].align, align)
}

// File names the source file.
func (o *ObjectStreamer) File(name string) {
	o.files = append(o.files, sourceFile{name, len(o.seen)})
}

// Ident adds a string to .comment, which starts with an empty one.
func (o *ObjectStreamer) Ident(text string) {
	old := o.cur
	o.SwitchSection(o.ctx.ELFSection(".comment", SecProgBits, FlagMerge|FlagStrings, 1))
	d := o.content("data", 'd')
	if len(d.buf) == 0 {
		d.buf = append(d.buf, 0)
	}
	d.buf = append(append(d.buf, text...), 0)
	o.cur = old
}

// see puts a symbol on the list of those mentioned.
func (o *ObjectStreamer) see(s Sym) {
	if y := &o.ctx.syms[s]; y.Flags&SymRegistered == 0 {
		y.Flags |= SymRegistered
		o.seen = append(o.seen, s)
	}
}

// seeExpr puts the symbols of an expression on the list.
func (o *ObjectStreamer) seeExpr(e Expr) {
	n := &o.ctx.exprs[e]
	switch n.kind {
	case ExprSym:
		o.see(Sym(n.a))
	case ExprUnary, ExprModified:
		o.seeExpr(Expr(n.a))
	case ExprBinary:
		o.seeExpr(Expr(n.a))
		o.seeExpr(Expr(n.b))
	}
}

// SwitchSection makes s the current section.
func (o *ObjectStreamer) SwitchSection(s SectionID) {
	for n := len(o.secs); int(s) >= n; n++ {
		o.secs = slices.Grow(o.secs, 1)[:n+1]
		o.secs[n].reset()
	}
	if o.ctx.sections[s].Subsection != 0 {
		o.SwitchSection(o.ctx.Subsection(s, 0))
		o.secs[s].used = true
		o.cur = s
		return
	}
	d := &o.secs[s]
	if d.sym == 0 {
		if g := o.ctx.sections[s].Group; g != "" {
			o.see(o.ctx.Symbol(g))
		}
		d.sym = o.ctx.add(Symbol{Section: s, Binding: BindLocal, Type: TypeSection, Flags: SymDefined})
		o.see(d.sym)
		o.order = append(o.order, s)
	}
	o.cur = s
}

// Section returns the current section.
func (o *ObjectStreamer) Section() SectionID { return o.cur }

// data returns the current section's data, nil (and an error) when there is none.
func (o *ObjectStreamer) data(what string) *secData {
	if o.cur == 0 {
		o.fail("%s outside of a section", what)
		return nil
	}
	return &o.secs[o.cur]
}

// content is data for what code or data are said to; a mapping symbol says which.
func (o *ObjectStreamer) content(what string, kind byte) *secData {
	d := o.data(what)
	if d != nil && o.maps && d.mapped != kind {
		o.mapping(d, kind)
	}
	return d
}

// mapping puts a mapping symbol here.
func (o *ObjectStreamer) mapping(d *secData, kind byte) {
	d.mapped = kind
	o.Label(o.ctx.add(Symbol{Name: string([]byte{'$', kind}), Binding: BindLocal}))
}

// Code appends bytes that are code.
func (o *ObjectStreamer) Code(b []byte) {
	if d := o.content("instruction", 'x'); d != nil {
		d.buf = append(d.buf, b...)
	}
}

func (o *ObjectStreamer) noBits() bool { return o.ctx.sections[o.cur].Type == SecNoBits }

// here returns the current place.
func (o *ObjectStreamer) here() place {
	if o.cur == 0 {
		return place{}
	}
	d := &o.secs[o.cur]
	p := place{section: o.cur, piece: uint32(len(d.pieces)), off: uint64(len(d.buf))}
	if o.noBits() {
		p.off = d.bss
	}
	return p
}

// Label defines a symbol here.
func (o *ObjectStreamer) Label(s Sym) {
	if o.data("label") == nil {
		return
	}
	y := &o.ctx.syms[s]
	if y.Defined() {
		o.fail("symbol '%s' is already defined", o.ctx.SymName(s))
		return
	}
	p := o.here()
	y.Section, y.piece, y.Offset = p.section, p.piece, p.off
	y.Flags |= SymDefined
	if o.ctx.sections[o.cur].Flags&FlagTLS != 0 {
		y.Type = TypeTLS
	}
	o.see(s)
	if o.asm != nil {
		o.assignPending(s)
	}
}

// Attribute gives a symbol an attribute.
func (o *ObjectStreamer) Attribute(s Sym, a Attr) {
	y := &o.ctx.syms[s]
	y.setAttr(a)
	o.see(s)
}

// setAttr applies an attribute. A later binding wins over an earlier one, except
// that weak stays weak.
func (y *Symbol) setAttr(a Attr) {
	switch a {
	case AttrGlobal:
		if y.Binding != BindWeak && y.Binding != BindGNUUnique {
			y.Binding = BindGlobal
		}
	case AttrLocal:
		y.Binding = BindLocal
	case AttrWeak:
		y.Binding = BindWeak
	case AttrHidden:
		y.Vis = VisHidden
	case AttrProtected:
		y.Vis = VisProtected
	case AttrInternal:
		y.Vis = VisInternal
	case AttrTypeFunction:
		y.setType(TypeFunc)
	case AttrTypeObject, AttrTypeCommon:
		y.setType(TypeObject)
	case AttrTypeTLS:
		y.setType(TypeTLS)
	case AttrTypeIFunc:
		y.setType(TypeIFunc)
	case AttrTypeGNUUnique:
		y.setType(TypeObject)
		y.Binding = BindGNUUnique
	case AttrTypeNoType:
		y.setType(TypeNone)
	}
}

// setType sets a type unless the symbol has a more telling one: data are less than
// functions, these less than what is chosen at run time, that less than thread-local data.
func (y *Symbol) setType(t SymType) {
	rank := func(t SymType) int {
		switch t {
		case TypeNone:
			return 0
		case TypeObject:
			return 1
		case TypeFunc:
			return 2
		case TypeIFunc:
			return 3
		}
		return 4
	}
	if rank(t) >= rank(y.Type) {
		y.Type = t
	}
}

// Size sets a symbol's size.
func (o *ObjectStreamer) Size(s Sym, e Expr) {
	o.ctx.syms[s].Size = e
	o.see(s)
}

// Assign makes s another name for an expression.
func (o *ObjectStreamer) Assign(s Sym, e Expr) {
	o.see(s)
	o.seeExpr(e)
	y := &o.ctx.syms[s]
	y.Value = e
	y.Flags |= SymDefined | SymHasAlias
	if o.asm != nil {
		o.assignPending(s)
	}
}

// Common declares a common symbol.
func (o *ObjectStreamer) Common(s Sym, size, align uint64) {
	y := &o.ctx.syms[s]
	if y.Binding == BindUnset {
		y.Binding = BindGlobal
	}
	if y.Binding == BindLocal {
		o.LocalCommon(s, size, align)
		return
	}
	y.CommonSize, y.CommonAlign = size, max(align, 1)
	y.Flags |= SymCommon | SymDefined
	y.setType(TypeObject)
	o.see(s)
}

// LocalCommon puts a local symbol into .bss.
func (o *ObjectStreamer) LocalCommon(s Sym, size, align uint64) {
	o.ctx.syms[s].Binding = BindLocal
	o.ctx.syms[s].setType(TypeObject)
	old := o.cur
	o.SwitchSection(o.ctx.BSSSection())
	d := &o.secs[o.cur]
	align = max(align, 1)
	d.align = max(d.align, align)
	d.bss = (d.bss + align - 1) &^ (align - 1)
	o.Label(s)
	o.content("data", 'd')
	d.bss += size
	o.Size(s, o.ctx.Const(int64(size)))
	o.cur = old
}

// Bytes appends data.
func (o *ObjectStreamer) Bytes(b []byte) {
	d := o.content("data", 'd')
	if d == nil {
		return
	}
	if o.noBits() {
		for _, c := range b {
			d.filled = d.filled || c != 0
		}
		d.bss += uint64(len(b))
		return
	}
	if o.lines != nil {
		o.row()
	}
	d.buf = append(d.buf, b...)
}

// Int appends an integer.
func (o *ObjectStreamer) Int(v uint64, size int) {
	var b [8]byte
	PutInt(b[:size], v, o.bigEndian)
	o.Bytes(b[:size])
}

// Value appends the value of an expression.
func (o *ObjectStreamer) Value(e Expr, size int) {
	if v, ok := o.ctx.ConstValue(e); ok {
		o.Int(uint64(v), size)
		return
	}
	d := o.content("data", 'd')
	if d == nil {
		return
	}
	o.seeExpr(e)
	if o.noBits() {
		d.fixed = true
		d.bss += uint64(size)
		return
	}
	d.fixups = append(d.fixups, Fixup{Offset: uint32(len(d.buf)), Expr: e, Kind: DataFixup(size)})
	o.Int(0, size)
}

// maxFill bounds what one directive may fill: buffers' offsets have 32 bits.
const maxFill = 1 << 31

// Fill appends count times the low size bytes of v.
func (o *ObjectStreamer) Fill(count uint64, size int, v uint64) {
	if o.lines != nil {
		o.row()
	}
	if v == 0 {
		o.Zeros(count * uint64(size))
		return
	}
	if count > maxFill/8 {
		o.fail("a fill of %d values is not supported", count)
		return
	}
	for range count {
		o.Int(v, size)
	}
}

// Zeros appends n zero bytes.
func (o *ObjectStreamer) Zeros(n uint64) {
	d := o.content("data", 'd')
	switch {
	case d == nil:
	case o.noBits():
		d.bss += n
	case n > maxFill || uint64(len(d.buf))+n > maxFill:
		o.fail("section '%s' with 2 GiB or more of bytes is not supported", o.ctx.sections[o.cur].Name)
	default:
		d.buf = append(d.buf, make([]byte, n)...)
	}
}

// ULEB128 appends an unsigned LEB128.
func (o *ObjectStreamer) ULEB128(e Expr) { o.leb(e, false) }

// SLEB128 appends a signed LEB128.
func (o *ObjectStreamer) SLEB128(e Expr) { o.leb(e, true) }

func (o *ObjectStreamer) leb(e Expr, signed bool) {
	d := o.data("LEB128")
	if d == nil {
		return
	}
	v, ok := o.ctx.ConstValue(e)
	if !ok && o.maps { // data only where the number is known now
		if w, known := o.ctx.Evaluate(e, o.Distance); known && w.A == 0 && w.B == 0 {
			o.seeExpr(e)
			v, ok = w.Off, true
		}
	}
	if ok {
		o.content("LEB128", 'd')
		if o.noBits() {
			o.Bytes(appendLEB(nil, v, signed, 0))
			return
		}
		d.buf = appendLEB(d.buf, v, signed, 0)
		return
	}
	o.seeExpr(e)
	if o.noBits() {
		d.fixed = true
		return
	}
	d.pieces = append(d.pieces, piece{kind: pieceLEB, off: uint32(len(d.buf)), arg: uint32(e), signed: signed, size: 1})
}

// Align pads with fill bytes.
func (o *ObjectStreamer) Align(log2 uint8, fill byte, max uint32) {
	o.align(piece{kind: pieceAlign, log2: log2, fill: fill, arg: max})
}

// AlignCode pads with instructions that do nothing.
func (o *ObjectStreamer) AlignCode(log2 uint8, st *Subtarget, max uint32) {
	o.align(piece{kind: pieceNops, log2: log2, arg: max, sub: o.subtarget(st)})
}

func (o *ObjectStreamer) subtarget(st *Subtarget) uint16 {
	for i := len(o.subs) - 1; i >= 0; i-- {
		if o.subs[i] == st {
			return uint16(i)
		}
	}
	if len(o.subs) > math.MaxUint16 {
		o.fail("more than %d sets of processor features in one object are not supported", math.MaxUint16+1)
		return 0
	}
	o.subs = append(o.subs, st)
	return uint16(len(o.subs) - 1)
}

func (o *ObjectStreamer) align(p piece) {
	d := o.data("alignment")
	if d == nil {
		return
	}
	d.align = max(d.align, 1<<p.log2)
	if d.relaxing && p.kind == pieceNops && o.be.Machine().AlignReloc != 0 {
		least := 1
		if m, ok := o.be.(LinkerRelaxer); ok {
			least = m.MinNop(o.subs[p.sub])
		}
		if n := 1<<p.log2 - least; n > 0 {
			if p.arg > 0 && int(p.arg) < n && o.be.Machine().AlignLimits {
				o.fail("an alignment of at most %d bytes behind code that linkers change is not supported", p.arg)
				return
			}
			// The linker takes out what is too much.
			d.changes = append(d.changes, change{uint32(len(d.pieces)), uint64(len(d.buf))})
			d.fixups = append(d.fixups, Fixup{Offset: uint32(len(d.buf)), Kind: fixupAlign, Expr: o.ctx.Const(int64(n))})
			d.buf = o.be.AppendNops(d.buf, n, o.subs[p.sub])
			return
		}
	}
	if p.log2 == 0 {
		return
	}
	if o.noBits() && len(d.pieces) == 0 {
		a := uint64(1) << p.log2
		d.bss = (d.bss + a - 1) &^ (a - 1)
		return
	}
	o.piece(d, p)
}

// piece appends a piece to the current section.
func (o *ObjectStreamer) piece(d *secData, p piece) {
	if d.bss > math.MaxUint32 {
		o.fail("section '%s': what is settled late behind 4 GiB is not supported", o.ctx.sections[o.cur].Name)
		return
	}
	p.off = uint32(uint64(len(d.buf)) + d.bss)
	d.pieces = append(d.pieces, p)
}

// Inst encodes an instruction. One that may have to grow becomes a piece with
// both encodings, unless its target is known and no piece lies between.
func (o *ObjectStreamer) Inst(in *Inst, st *Subtarget) error {
	d := o.content("instruction", 'x')
	if d == nil {
		return o.errs[len(o.errs)-1]
	}
	d.code = true
	if o.branch != nil && !o.noBits() {
		o.beginBranch(in, st)
		defer o.endBranch(in)
	}
	if o.lines != nil {
		o.row()
	}
	var err error
	if o.noBits() {
		b, _, err := o.enc.Encode(o.ctx, st, in, nil, nil)
		o.Bytes(b)
		return err
	}
	symbolic := false
	for i := range in.Ops {
		if op := &in.Ops[i]; op.kind == OperandExpr {
			symbolic = true
			o.seeExpr(op.Expr())
		}
	}
	if symbolic {
		n, at := len(d.fixups), change{uint32(len(d.pieces)), uint64(len(d.buf))}
		err = o.encode(d, in, st)
		if o.linker {
			for i := n; i < len(d.fixups); i++ {
				if o.be.FixupInfo(d.fixups[i].Kind).Relaxable {
					d.relaxing = true
					d.changes = append(d.changes, at)
					break
				}
			}
		}
	} else if o.branch != nil && o.branch.Prefixes && !o.opts.RelaxAll {
		err = o.encode(d, in, st)
	} else { // nothing that layout changes
		d.buf, d.fixups, err = o.enc.Encode(o.ctx, st, in, d.buf, d.fixups)
	}
	if err != nil {
		o.errs = append(o.errs, err)
	}
	return err
}

// encode encodes an instruction with an expression.
func (o *ObjectStreamer) encode(d *secData, in *Inst, st *Subtarget) (err error) {
	l := &o.long
	l.Op, l.Flags = in.Op, in.Flags
	l.Ops = append(l.Ops[:0], in.Ops...)
	grows := o.be.Relax(l, st)
	if !grows && (o.branch == nil || !o.branch.Prefixes || o.opts.RelaxAll) {
		d.buf, d.fixups, err = o.enc.Encode(o.ctx, st, in, d.buf, d.fixups)
		return err
	}
	if o.opts.RelaxAll {
		for range len(piece{}.forms) {
			if !o.be.Relax(l, st) {
				break
			}
		}
		d.buf, d.fixups, err = o.enc.Encode(o.ctx, st, l, d.buf, d.fixups)
		return err
	}
	at, nfix := len(d.buf), len(d.fixups)
	if d.buf, d.fixups, err = o.enc.Encode(o.ctx, st, in, d.buf, d.fixups); err != nil {
		return err
	}
	if len(d.fixups) == nfix+1 {
		// Known to be too far, it is a piece nevertheless: layout makes it long in its
		// first pass, as LLVM does, which the places of alignments depend on.
		if f := &d.fixups[nfix]; !o.linker && o.branch == nil && o.appliesNow(d, f) {
			d.fixups = d.fixups[:nfix]
			return nil
		}
	}
	p := piece{kind: pieceInst, off: uint32(at), alt: uint32(len(d.alt)), fix: uint32(len(d.altFix)), sub: o.subtarget(st)}
	if o.branch != nil {
		p.fill = o.branch.PaddingPrefix(in, st)
	}
	d.alt, d.altFix = append(d.alt, d.buf[at:]...), append(d.altFix, d.fixups[nfix:]...)
	altAt, fixAt := int(p.alt), int(p.fix)
	for i := range d.altFix[fixAt:] {
		d.altFix[fixAt+i].Offset -= uint32(at)
	}
	d.buf, d.fixups = d.buf[:at], d.fixups[:nfix]
	fixed, _ := o.be.(LinkerRelaxer)
	for n := 0; ; n++ {
		if len(d.alt)-altAt > math.MaxUint8 || len(d.altFix)-fixAt > math.MaxUint8 {
			return fmt.Errorf("an instruction of %d bytes that may grow is not supported", len(d.alt)-altAt)
		}
		p.forms[n], p.last = form{uint8(len(d.alt) - altAt), uint8(len(d.altFix) - fixAt)}, uint8(n)
		if n == len(p.forms)-1 || !grows || n > 0 && !o.be.Relax(l, st) {
			break
		}
		if fixed != nil && o.linker { // what layout may change no linker does
			for i := range d.altFix[fixAt:] {
				d.altFix[fixAt+i].Kind = fixed.Fixed(d.altFix[fixAt+i].Kind)
			}
		}
		altAt, fixAt = len(d.alt), len(d.altFix)
		if d.alt, d.altFix, err = o.enc.Encode(o.ctx, st, l, d.alt, d.altFix); err != nil {
			return err
		}
		for i := range d.altFix[fixAt:] {
			d.altFix[fixAt+i].Offset -= uint32(altAt)
		}
	}
	p.size = uint32(p.forms[0].bytes)
	d.pieces = append(d.pieces, p)
	return nil
}

// appliesNow fills in a pc-relative fixup to a label of this section from which
// no piece separates it, where the short form reaches it.
func (o *ObjectStreamer) appliesNow(d *secData, f *Fixup) bool {
	n := &o.ctx.exprs[f.Expr]
	if n.kind != ExprSym || n.op != 0 {
		return false
	}
	y := &o.ctx.syms[n.a]
	if !y.Temp() || y.Section != o.cur || int(y.piece) != len(d.pieces) || y.Flags&SymHasAlias != 0 {
		return false
	}
	info := o.be.FixupInfo(f.Kind)
	dist := int64(y.Offset) + n.val + int64(f.Addend) - int64(f.Offset)
	return info.PCRel && !o.be.NeedsRelaxation(f.Kind, dist) && o.be.Apply(d.buf[f.Offset:f.Offset+uint32(info.Size)], f.Kind, dist) == nil
}

// Raw refuses assembly text: it would have to be parsed.
func (o *ObjectStreamer) Raw(text string) error {
	err := errors.New("module asm: not supported in object output")
	o.errs = append(o.errs, err)
	return err
}

// IsText reports that an object takes no text.
func (o *ObjectStreamer) IsText() bool { return false }

// Comment does nothing in an object.
func (o *ObjectStreamer) Comment(string) {}

// RawComment does nothing in an object.
func (o *ObjectStreamer) RawComment(string, bool) {}

// BlankLine does nothing in an object.
func (o *ObjectStreamer) BlankLine() {}
