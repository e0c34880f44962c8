package mc

import (
	"sort"
	"strings"
)

// frame is the call frame information of one function.
type frame struct {
	begin, end place
	// The labels of the two, and of instructions, where linkers may change code.
	beginSym, endSym Sym
	insts            []frameInst
	personality      Sym
	lsda             Sym
	personEnc        uint8
	lsdaEnc          uint8
	signal           bool
	simple           bool
	bKey             bool // return addresses are signed with key B
	tagged           bool // the stack has memory tags
	returnReg        uint32
}

// frameInst is a directive with its place.
type frameInst struct {
	at  place
	sym Sym
	cfi CFI
}

// usualFrame is the number of directives of a function with a frame pointer: three in
// its prologue, one before it returns.
const usualFrame = 4

// moved is the frame of a joined chunk.
func (f frame) moved(j *Joiner, starts []place) frame {
	mv := func(p place) place { return starts[p.section].plus(p) }
	f.begin, f.end = mv(f.begin), mv(f.end)
	for i := range f.insts {
		f.insts[i].at = mv(f.insts[i].at)
	}
	f.personality, f.lsda = j.Syms[f.personality], j.Syms[f.lsda]
	return f
}

// StartProc begins the frame information of a function.
func (o *ObjectStreamer) StartProc(simple bool) {
	if o.open {
		o.fail("starting new .cfi frame before finishing the previous one")
		return
	}
	o.open = true
	o.frames = append(o.frames, frame{begin: o.here(), simple: simple, personEnc: EncOmit, lsdaEnc: EncOmit,
		returnReg: o.be.Machine().CIE.Return, beginSym: o.mark()})
}

// mark is a label here for what is written late, where linkers may change code; else 0.
func (o *ObjectStreamer) mark() Sym {
	if !o.linker || o.cur == 0 {
		return 0
	}
	p := o.here()
	s := o.ctx.add(Symbol{Section: p.section, piece: p.piece, Offset: p.off, Binding: BindLocal, Flags: SymTemp | SymDefined})
	o.see(s)
	return s
}

// EndProc ends it.
func (o *ObjectStreamer) EndProc() {
	if f := o.frame(); f != nil {
		f.end, f.endSym = o.here(), o.mark()
		o.open = false
	}
}

// frame returns the open frame, nil (and an error) when there is none.
func (o *ObjectStreamer) frame() *frame {
	if !o.open {
		o.fail("this directive must appear between .cfi_startproc and .cfi_endproc directives")
		return nil
	}
	return &o.frames[len(o.frames)-1]
}

// CFI adds a frame instruction.
func (o *ObjectStreamer) CFI(c CFI) {
	if f := o.frame(); f != nil {
		switch c.Op {
		case CFIBKeyFrame:
			f.bKey = true
			return
		case CFIMTETaggedFrame:
			f.tagged = true
			return
		}
		if f.insts == nil {
			f.insts = make([]frameInst, 0, usualFrame)
		}
		f.insts = append(f.insts, frameInst{o.here(), o.mark(), c})
	}
}

// Personality names the routine that unwinding calls.
func (o *ObjectStreamer) Personality(s Sym, enc uint8) {
	if f := o.frame(); f != nil {
		f.personality, f.personEnc = s, enc
	}
}

// LSDA names the routine's table for this function.
func (o *ObjectStreamer) LSDA(s Sym, enc uint8) {
	if f := o.frame(); f != nil {
		f.lsda, f.lsdaEnc = s, enc
	}
}

// SignalFrame marks a signal handler's frame.
func (o *ObjectStreamer) SignalFrame() {
	if f := o.frame(); f != nil {
		f.signal = true
	}
}

// ReturnColumn sets the DWARF number of the return address.
func (o *ObjectStreamer) ReturnColumn(reg uint32) {
	if f := o.frame(); f != nil {
		f.returnReg = reg
	}
}

// CFISections chooses the sections of frames.
func (o *ObjectStreamer) CFISections(s FrameSections) { o.frameSections = s }

// cieKey is what functions share that share a common information entry.
type cieKey struct {
	personality        string
	personEnc, lsdaEnc uint8
	signal, simple     bool
	bKey, tagged       bool
	returnReg          uint32
}

func (o *ObjectStreamer) key(f *frame) cieKey {
	k := cieKey{personEnc: f.personEnc, lsdaEnc: f.lsdaEnc, signal: f.signal, simple: f.simple, bKey: f.bKey, tagged: f.tagged, returnReg: f.returnReg}
	if f.personality != 0 {
		k.personality = o.ctx.SymName(f.personality)
	}
	return k
}

// compare orders entries as LLVM does.
func (k cieKey) compare(l cieKey) int {
	b := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	if c := strings.Compare(k.personality, l.personality); c != 0 {
		return c
	}
	for _, d := range [...]int{int(k.personEnc) - int(l.personEnc), int(k.lsdaEnc) - int(l.lsdaEnc), b(k.signal) - b(l.signal),
		b(k.simple) - b(l.simple), int(k.returnReg) - int(l.returnReg), b(k.bKey) - b(l.bKey), b(k.tagged) - b(l.tagged)} {
		if d != 0 {
			return d
		}
	}
	return 0
}

// emitFrames writes .eh_frame and .debug_frame; all sizes of code are settled.
func (o *ObjectStreamer) emitFrames() {
	if len(o.frames) == 0 {
		return
	}
	if !o.frameSections.NoEH {
		o.emitFrameSection(true)
	}
	if o.frameSections.Debug {
		o.emitFrameSection(false)
	}
}

// nameFrameSections has the sections of frames stand here among the object's.
func (o *ObjectStreamer) nameFrameSections() {
	if len(o.frames) == 0 {
		return
	}
	saved := o.cur
	if !o.frameSections.NoEH {
		o.SwitchSection(o.ctx.ELFSection(".eh_frame", o.be.Machine().EHFrameType, FlagAlloc, 0))
	}
	if o.frameSections.Debug {
		o.SwitchSection(o.ctx.ELFSection(".debug_frame", o.ctx.info.DebugType(), 0, 0))
	}
	o.cur = saved
}

func (o *ObjectStreamer) emitFrameSection(eh bool) {
	m := o.be.Machine()
	if o.opts.LargeCode && m.Is64 {
		m.CIE.Pointer = m.CIE.Pointer&^0xf | EncSData8
	}
	if eh {
		o.SwitchSection(o.ctx.ELFSection(".eh_frame", m.EHFrameType, FlagAlloc, 0))
	} else {
		o.SwitchSection(o.ctx.ELFSection(".debug_frame", o.ctx.info.DebugType(), 0, 0))
	}
	o.content("frames", 'd')
	w := frameWriter{o: o, id: o.cur, d: &o.secs[o.cur], m: &m, eh: eh, version: 1, offset: 4}
	w.d.align = uint64(m.PtrSize)
	if !eh {
		m.CIE.Pointer = EncAbsPtr
		if o.ctx.Dwarf64 {
			w.offset = 8
		}
		switch v := o.ctx.DwarfVersion; {
		case v == 3:
			w.version = 3
		case v > 3:
			w.version = 4
		}
	}
	keys := make([]cieKey, len(o.frames))
	order := make([]int, len(o.frames))
	for i := range order {
		order[i] = i
		keys[i] = o.key(&o.frames[i])
	}
	sort.SliceStable(order, func(i, j int) bool { return keys[order[i]].compare(keys[order[j]]) < 0 })
	cie := 0
	for n, i := range order {
		if n == 0 || eh && keys[i] != keys[order[n-1]] {
			cie = len(w.d.buf)
			w.cie(&o.frames[i])
		}
		w.fde(&o.frames[i], cie, n == len(order)-1)
	}
}

// frameWriter writes .eh_frame.
type frameWriter struct {
	o   *ObjectStreamer
	id  SectionID
	d   *secData
	m   *Machine
	cfa int64 // current offset of the canonical frame address
	eh  bool  // .eh_frame, not .debug_frame

	version byte
	offset  int // size of lengths and offsets in .debug_frame
}

func (w *frameWriter) u32(v uint32) {
	w.d.buf = w.m.Order().AppendUint32(w.d.buf, v)
}

func (w *frameWriter) uleb(v uint64) { w.d.buf = appendLEB(w.d.buf, int64(v), false, 0) }
func (w *frameWriter) sleb(v int64)  { w.d.buf = appendLEB(w.d.buf, v, true, 0) }

// entry writes length, body and padding to a multiple of align.
func (w *frameWriter) entry(align int, body func()) {
	if w.offset == 8 {
		w.u32(1<<32 - 1)
	}
	at := len(w.d.buf)
	w.d.buf = append(w.d.buf, make([]byte, w.offset)...)
	body()
	for len(w.d.buf)%align != 0 {
		w.d.buf = append(w.d.buf, cfaNop)
	}
	PutInt(w.d.buf[at:at+w.offset], uint64(len(w.d.buf)-at-w.offset), w.m.BigEndian)
}

// cieAlign is what entries are a multiple of.
func (w *frameWriter) cieAlign() int {
	if w.eh {
		return 4
	}
	return w.m.PtrSize
}

func (w *frameWriter) cie(f *frame) {
	w.entry(w.cieAlign(), func() {
		if w.eh {
			w.u32(0)
		} else {
			for range w.offset {
				w.d.buf = append(w.d.buf, 0xff)
			}
		}
		w.d.buf = append(w.d.buf, w.version)
		if w.eh {
			w.augmentation(f)
		}
		w.d.buf = append(w.d.buf, 0)
		if w.version >= 4 {
			w.d.buf = append(w.d.buf, byte(w.m.PtrSize), 0)
		}
		w.uleb(w.m.CIE.CodeAlign)
		w.sleb(w.m.CIE.DataAlign)
		if w.version > 1 {
			w.uleb(uint64(f.returnReg))
		} else {
			if f.returnReg > 0xff {
				w.o.fail("a return address in register %d is not supported", f.returnReg)
			}
			w.d.buf = append(w.d.buf, byte(f.returnReg))
		}
		if w.eh {
			w.augmentationData(f)
		}
		w.cfa = 0
		if !f.simple {
			for _, c := range w.m.CIE.Initial {
				w.inst(c)
			}
		}
	})
}

// augmentation writes what the entry has more, as letters.
func (w *frameWriter) augmentation(f *frame) {
	b := append(w.d.buf, 'z')
	for _, x := range [...]struct {
		on     bool
		letter byte
	}{{f.personality != 0, 'P'}, {f.lsda != 0, 'L'}, {true, 'R'}, {f.signal, 'S'}, {f.bKey, 'B'}, {f.tagged, 'G'}} {
		if x.on {
			b = append(b, x.letter)
		}
	}
	w.d.buf = b
}

func (w *frameWriter) augmentationData(f *frame) {
	size := 1
	if f.personality != 0 {
		size += 1 + w.encSize(f.personEnc)
	}
	if f.lsda != 0 {
		size++
	}
	w.uleb(uint64(size))
	if f.personality != 0 {
		w.d.buf = append(w.d.buf, f.personEnc)
		w.pointer(w.o.ctx.Ref(f.personality, ModNone), f.personEnc)
	}
	if f.lsda != 0 {
		w.d.buf = append(w.d.buf, f.lsdaEnc)
	}
	w.d.buf = append(w.d.buf, w.m.CIE.Pointer)
}

// encSize is the size of a pointer in an encoding.
func (w *frameWriter) encSize(enc uint8) int {
	switch enc & 0xf {
	case EncUData2, EncSData2:
		return 2
	case EncUData4, EncSData4:
		return 4
	case EncUData8, EncSData8:
		return 8
	}
	return w.m.PtrSize
}

// pointer writes a pointer in an encoding.
func (w *frameWriter) pointer(e Expr, enc uint8) {
	n := w.encSize(enc)
	k := DataFixup(n)
	if enc&0x70 == EncPCRel {
		k += FixupPCRel1 - FixupData1
	}
	w.o.seeExpr(e)
	w.d.fixups = append(w.d.fixups, Fixup{Offset: uint32(len(w.d.buf)), Expr: e, Kind: k})
	w.d.buf = append(w.d.buf, make([]byte, n)...)
}

// final returns the offset of a place after layout.
func (w *frameWriter) final(p place) uint64 { return w.o.secs[p.section].final(p.piece, p.off) }

func (w *frameWriter) fde(f *frame, cie int, last bool) {
	align := w.encSize(w.m.CIE.Pointer)
	if last {
		// An entry of zero length would end the section's list.
		align = w.m.PtrSize
	}
	w.entry(align, func() {
		switch {
		case w.eh:
			w.u32(uint32(len(w.d.buf) - cie))
		default:
			w.d.fixups = append(w.d.fixups, Fixup{Offset: uint32(len(w.d.buf)), Expr: w.o.ctx.RefOff(w.d.sym, ModNone, int64(cie)), Kind: DataFixup(w.offset)})
			w.d.buf = append(w.d.buf, make([]byte, w.offset)...)
		}
		begin := f.beginSym
		if begin == 0 {
			begin = w.o.ctx.add(Symbol{Section: f.begin.section, piece: f.begin.piece, Offset: f.begin.off,
				Binding: BindLocal, Flags: SymTemp | SymDefined})
		}
		enc := w.m.CIE.Pointer
		w.pointer(w.o.ctx.Ref(begin, ModNone), enc)
		size := w.encSize(enc)
		if f.endSym != 0 {
			w.d.fixups = append(w.d.fixups, Fixup{Offset: uint32(len(w.d.buf)), Expr: w.o.ctx.Diff(f.endSym, begin), Kind: DataFixup(size)})
		}
		w.d.buf = append(w.d.buf, make([]byte, size)...)
		if f.endSym == 0 {
			PutInt(w.d.buf[len(w.d.buf)-size:], w.final(f.end)-w.final(f.begin), w.m.BigEndian)
		}
		switch {
		case !w.eh:
		case f.lsda != 0:
			w.uleb(uint64(w.encSize(f.lsdaEnc)))
			w.pointer(w.o.ctx.Ref(f.lsda, ModNone), f.lsdaEnc)
		default:
			w.uleb(0)
		}
		w.cfa = 0
		if !f.simple {
			for _, c := range w.m.CIE.Initial {
				if c.Op == CFIDefCfa {
					w.cfa = c.Offset
				}
			}
		}
		at, sym := w.final(f.begin), f.beginSym
		for i := range f.insts {
			p, s := w.final(f.insts[i].at), f.insts[i].sym
			if w.o.moves(sym, s) {
				w.step(p-at, w.o.ctx.Diff(s, sym))
			} else {
				w.advance((p - at) / w.m.CIE.CodeAlign)
			}
			at, sym = p, s
			w.inst(f.insts[i].cfi)
		}
	})
}

// DWARF's call frame instructions.
const (
	cfaNop              = 0x00
	cfaAdvanceLoc1      = 0x02
	cfaAdvanceLoc2      = 0x03
	cfaAdvanceLoc4      = 0x04
	cfaOffsetExtended   = 0x05
	cfaRestoreExtended  = 0x06
	cfaUndefined        = 0x07
	cfaSameValue        = 0x08
	cfaRegister         = 0x09
	cfaRememberState    = 0x0a
	cfaRestoreState     = 0x0b
	cfaDefCfa           = 0x0c
	cfaDefCfaRegister   = 0x0d
	cfaDefCfaOffset     = 0x0e
	cfaOffsetExtendedSf = 0x11
	cfaValOffset        = 0x14
	cfaValOffsetSf      = 0x15
	cfaGNUWindowSave    = 0x2d
	cfaLLVMDefAspaceCfa = 0x30
	cfaGNUArgsSize      = 0x2e
	cfaNegateRAStatePC  = 0x2c // DW_CFA_AARCH64_negate_ra_state_with_pc
	cfaAdvanceLoc       = 0x40
	cfaOffset           = 0x80
	cfaRestore          = 0xc0
)

func (w *frameWriter) advance(n uint64) {
	switch {
	case n == 0:
	case n < 0x40:
		w.d.buf = append(w.d.buf, cfaAdvanceLoc|byte(n))
	case n < 0x100:
		w.d.buf = append(w.d.buf, cfaAdvanceLoc1, byte(n))
	case n < 0x10000:
		w.d.buf = w.m.Order().AppendUint16(append(w.d.buf, cfaAdvanceLoc2), uint16(n))
	default:
		w.d.buf = append(w.d.buf, cfaAdvanceLoc4)
		w.u32(uint32(n))
	}
}

// moves reports that a linker may change the distance of two marks.
func (o *ObjectStreamer) moves(from, to Sym) bool {
	if from == 0 || to == 0 {
		return false
	}
	_, fixed := o.fixedDistance(to, from)
	return !fixed
}

// step writes a step of n bytes, now, that a linker may change.
func (w *frameWriter) step(n uint64, e Expr) {
	var k FixupKind // 6, 8, 16 or 32 bits
	at := len(w.d.buf) + 1
	switch {
	case n == 0:
		return
	case n < 0x40:
		at--
		w.d.buf = append(w.d.buf, cfaAdvanceLoc)
	case n < 0x100:
		k, w.d.buf = 1, append(w.d.buf, cfaAdvanceLoc1, 0)
	case n < 0x10000:
		k, w.d.buf = 2, append(w.d.buf, cfaAdvanceLoc2, 0, 0)
	default:
		k, w.d.buf = 3, append(w.d.buf, cfaAdvanceLoc4, 0, 0, 0, 0)
	}
	w.d.fixups = append(w.d.fixups, Fixup{Offset: uint32(at), Expr: e, Kind: fixupStep6 + k})
}

func (w *frameWriter) op(op byte, args ...uint64) {
	w.d.buf = append(w.d.buf, op)
	for _, a := range args {
		w.uleb(a)
	}
}

// inst writes one frame instruction.
func (w *frameWriter) inst(c CFI) {
	reg := uint64(c.Reg)
	switch c.Op {
	case CFIDefCfa:
		w.cfa = c.Offset
		w.op(cfaDefCfa, reg, uint64(w.cfa))
	case CFIDefCfaOffset:
		w.cfa = c.Offset
		w.op(cfaDefCfaOffset, uint64(w.cfa))
	case CFIAdjustCfaOffset:
		w.cfa += c.Offset
		w.op(cfaDefCfaOffset, uint64(w.cfa))
	case CFIDefCfaRegister:
		w.op(cfaDefCfaRegister, reg)
	case CFIOffset, CFIRelOffset:
		off := c.Offset
		if c.Op == CFIRelOffset {
			off -= w.cfa
		}
		off /= w.m.CIE.DataAlign
		switch {
		case off < 0:
			w.op(cfaOffsetExtendedSf, reg)
			w.sleb(off)
		case reg < 64:
			w.op(cfaOffset|byte(reg), uint64(off))
		default:
			w.op(cfaOffsetExtended, reg, uint64(off))
		}
	case CFIRestore:
		if reg < 64 {
			w.op(cfaRestore | byte(reg))
		} else {
			w.op(cfaRestoreExtended, reg)
		}
	case CFISameValue:
		w.op(cfaSameValue, reg)
	case CFIUndefined:
		w.op(cfaUndefined, reg)
	case CFIRegister:
		w.op(cfaRegister, reg, uint64(c.Reg2))
	case CFIRememberState:
		w.op(cfaRememberState)
	case CFIRestoreState:
		w.op(cfaRestoreState)
	case CFIEscape:
		w.d.buf = append(w.d.buf, c.Bytes...)
	case CFIGnuArgsSize:
		w.op(cfaGNUArgsSize, uint64(c.Offset))
	case CFIWindowSave, CFINegateRAState:
		w.op(cfaGNUWindowSave)
	case CFINegateRAStateWithPC:
		w.op(cfaNegateRAStatePC)
	case CFIValOffset:
		off := c.Offset / w.m.CIE.DataAlign
		if off < 0 {
			w.op(cfaValOffsetSf, reg)
			w.sleb(off)
		} else {
			w.op(cfaValOffset, reg, uint64(off))
		}
	case CFIDefAspaceCfa:
		w.cfa = c.Offset
		w.op(cfaLLVMDefAspaceCfa, reg, uint64(w.cfa), uint64(c.Reg2))
	case CFILabel:
		if !w.eh && !w.o.frameSections.NoEH {
			return // it stands in the other section
		}
		y := &w.o.ctx.syms[c.Label]
		if y.Defined() {
			w.o.failAt(uint32(c.Offset), "symbol '%s' is already defined", w.o.ctx.SymName(c.Label))
			return
		}
		y.Section, y.piece, y.Offset = w.id, 0, uint64(len(w.d.buf))
		y.Flags |= SymDefined
		w.o.see(c.Label)
	}
}
