package dwarf

import (
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
)

// lineState is what the lines of a function depend on.
type lineState struct {
	prologueEnd mir.InstrID // where the prologue ends, 0 when that was said
	epilogue    mir.BlockID // the block whose epilogue has begun
	force       []bool      // by instruction: a statement even where the line is the last one's
	forced      []mir.InstrID
	prev        mir.DebugLoc // the last location with a line
	prevLoc     ir.DILocation
	last        uint32 // the line that was given last
	// file is the number of a file for the streamer; consecutive lines are of one file.
	file     ir.MDID
	fileNum  uint32
	haveFile bool
}

// beginLines gives the line of the prologue, and finds where that ends.
func (h *funcHandler) beginLines() {
	l := &h.lines
	for _, i := range l.forced {
		if int(i) < len(l.force) {
			l.force[i] = false
		}
	}
	*l = lineState{force: l.force, forced: l.forced[:0], last: 1}
	if n := h.fn.NumInstrIDs(); len(l.force) < n {
		l.force = append(l.force, make([]bool, n-len(l.force))...)
	}
	h.findStatements()
	end, empty := h.findPrologueEnd()
	l.prologueEnd = end
	if empty && end != 0 {
		if loc, ok := h.location(end); !ok || loc.Line != 0 {
			return
		}
		l.prologueEnd = 0
	}
	h.record(uint32(h.sp.num("scopeLine")), 0, h.sp.id, mc.LineIsStmt, 0)
}

func (h *funcHandler) location(i mir.InstrID) (ir.DILocation, bool) {
	loc := h.fn.Instr(i).Loc
	if loc == 0 {
		return ir.DILocation{}, false
	}
	return h.w.md.Location(ir.MDID(loc))
}

// findPrologueEnd finds the first instruction behind the frame's that a breakpoint of
// the function may stand on. empty says that nothing stands before it.
func (h *funcHandler) findPrologueEnd() (end mir.InstrID, empty bool) {
	f := h.fn.Function
	b := f.FirstBlock()
	for b != 0 && f.Block(b).First() == 0 {
		b = f.NextBlock(b)
	}
	if b == 0 {
		return 0, true
	}
	empty = f.IR.Global().Prologue == 0
	var zero, work mir.InstrID
	i := f.Block(b).First()
	for {
		loc, has := h.location(i)
		if !isMeta(f, i) {
			setup := f.Instr(i).Flags()&mir.FrameSetup != 0
			if has && !setup {
				if loc.Line != 0 {
					return i, empty
				}
				zero = i
			}
			if work == 0 && !setup && !h.fn.Subtarget.IsCopy(f, i) && !h.fn.Subtarget.IsTriviallyRematerializable(f, i) {
				work = i
			}
			empty = false
		}
		if f.Desc(i).IsCall() && has && loc.Line == 0 {
			// A breakpoint must not come behind it.
			h.lines.force[i] = true
			h.lines.forced = append(h.lines.forced, i)
			return i, false
		}
		if n := f.Instr(i).Next(); n != 0 {
			i = n
			continue
		}
		if f.Desc(i).IsTerminator() || f.NumPreds(b) > 1 {
			break
		}
		for b = f.NextBlock(b); b != 0 && f.Block(b).First() == 0; {
			b = f.NextBlock(b)
		}
		if b == 0 {
			break
		}
		i = f.Block(b).First()
	}
	if work != 0 && f.Instr(work).Block() == f.FirstBlock() {
		return work, work == f.Block(f.FirstBlock()).First()
	}
	return zero, empty
}

// findStatements finds the instructions that begin a statement though their line is that
// of the instruction before them: blocks that are also entered from another line.
func (h *funcHandler) findStatements() {
	f := h.fn.Function
	first := map[mir.BlockID]mir.InstrID{}
	var order []mir.BlockID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.NumPreds(b) == 0 {
			continue
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if l, ok := h.location(i); ok && l.Line != 0 {
				first[b] = i
				order = append(order, b)
				break
			}
		}
	}
	check := func(to mir.BlockID, line uint32) {
		i, ok := first[to]
		if !ok {
			return
		}
		if l, _ := h.location(i); l.Line != line {
			delete(first, to)
			h.lines.force[i] = true
			h.lines.forced = append(h.lines.forced, i)
		}
	}
	done := map[mir.BlockID]bool{}
	for _, s := range order {
		for _, p := range f.Preds(s) {
			if !done[p] {
				done[p] = true
				h.leaves(p, check)
			}
		}
	}
}

// leaves tells by which line block b goes to each of its successors.
func (h *funcHandler) leaves(b mir.BlockID, check func(to mir.BlockID, line uint32)) {
	f := h.fn.Function
	i := f.Block(b).Last()
	skip := mir.BlockID(0)
	if i != 0 {
		if l, ok := h.location(i); ok && l.Line != 0 {
			if br, ok := h.fn.Subtarget.AnalyzeBranch(f, b); ok && len(br.Cond) > 0 && br.False != 0 {
				check(br.False, l.Line)
				check(br.True, h.lineUpTo(f.Instr(i).Prev()))
				return
			}
		}
	}
	line := h.lineUpTo(i)
	for _, s := range f.Succs(b) {
		if s.Block != skip {
			check(s.Block, line)
		}
	}
}

// lineUpTo is the last line up to i, 0 for none.
func (h *funcHandler) lineUpTo(i mir.InstrID) uint32 {
	for ; i != 0; i = h.fn.Instr(i).Prev() {
		if l, ok := h.location(i); ok && l.Line != 0 {
			return l.Line
		}
	}
	return 0
}

// line gives the line of instruction i where it is another than that before.
func (h *funcHandler) line(i mir.InstrID) {
	f, l := h.fn.Function, &h.lines
	if isMeta(f, i) {
		return
	}
	in := f.Instr(i)
	otherBlock := h.prevBlock != 0 && h.prevBlock != in.Block()
	if in.Flags()&mir.FrameSetup != 0 {
		if l.last != 0 && otherBlock {
			h.lineZero()
		}
		return
	}
	loc, has := h.location(i)
	flags := mc.LineFlags(0)
	if in.Flags()&mir.FrameDestroy != 0 && has && in.Block() != l.epilogue {
		l.epilogue = in.Block()
		flags = mc.LineEpilogueBegin
	}
	if i == l.prologueEnd && (!has || loc.Line == 0 && f.Desc(i).IsCall()) {
		l.prologueEnd = 0
		h.record(uint32(h.sp.num("scopeLine")), 0, h.sp.id, mc.LinePrologueEnd|mc.LineIsStmt, 0)
		return
	}
	force := l.force[i]
	if !force && has == (l.prev != 0) && (!has || sameSource(&loc, &l.prevLoc)) {
		if has && (l.last == 0 && loc.Line != 0 || flags != 0) {
			h.recordLoc(&loc, flags, in.Loc)
		}
		if !has && l.last == 0 {
			return
		}
		if has {
			return
		}
	}
	switch {
	case !has:
		// What has no line gets line 0 where it would seem to have that of another place:
		// at the start of a block, and where a label is.
		if l.last != 0 && l.prev != 0 && (h.prevLabel != 0 || otherBlock) {
			h.lineZero()
		}
		return
	case loc.Line == 0 && l.last == 0:
		return
	}
	if i == l.prologueEnd {
		l.prologueEnd = 0
		flags |= mc.LinePrologueEnd | mc.LineIsStmt
	}
	old := l.last
	if l.prev != 0 {
		old = l.prevLoc.Line
	}
	if loc.Line != 0 && (loc.Line != old || force) {
		flags |= mc.LineIsStmt
	}
	h.recordLoc(&loc, flags, in.Loc)
	if loc.Line != 0 {
		l.prev, l.prevLoc = in.Loc, loc
	}
}

func sameSource(a, b *ir.DILocation) bool {
	return a.Line == b.Line && a.Column == b.Column && a.Scope == b.Scope && a.InlinedAt == b.InlinedAt
}

// lineZero says that what follows has no line; file and column stay.
func (h *funcHandler) lineZero() {
	scope, col := h.sp.id, uint32(0)
	if h.lines.prev != 0 {
		scope, col = h.lines.prevLoc.Scope, uint32(h.lines.prevLoc.Column)
	}
	h.record(0, col, scope, 0, 0)
}

func (h *funcHandler) recordLoc(loc *ir.DILocation, flags mc.LineFlags, id mir.DebugLoc) {
	h.record(loc.Line, uint32(loc.Column), loc.Scope, flags, id)
}

// record gives a line. Of id the text has where that was inlined.
func (h *funcHandler) record(line, col uint32, scope ir.MDID, flags mc.LineFlags, id mir.DebugLoc) {
	l := &h.lines
	s := h.w.at(scope)
	out := h.out.Streamer()
	x := mc.LineLoc{Unit: h.w.lineUnit(h.unit), Line: line, Col: col, Flags: flags}
	if file := s.ref("file").id; !l.haveFile || file != l.file {
		l.file, l.haveFile = file, true
		l.fileNum = out.LineFile(x.Unit, h.w.file(file))
	}
	x.File = l.fileNum
	if line != 0 && h.w.version >= 4 && s.is("DILexicalBlockFile") {
		x.Discriminator = uint32(s.num("discriminator"))
	}
	if h.out.Verbose() && out.IsText() {
		if id != 0 {
			x.Comment = string(h.w.appendLoc(nil, ir.MDID(id)))
		} else {
			x.Comment = h.w.file(l.file).Name + ":" + strconv.Itoa(int(line)) + ":" + strconv.Itoa(int(col))
		}
	}
	l.last = line
	out.Loc(x)
}

// appendLoc appends a location as LLVM prints it: file:line:column and where it is inlined.
func (w *Writer) appendLoc(b []byte, id ir.MDID) []byte {
	l, ok := w.md.Location(id)
	if !ok {
		return b
	}
	b = append(append(b, w.at(w.at(l.Scope).ref("file").id).str("filename")...), ':')
	b = strconv.AppendUint(b, uint64(l.Line), 10)
	if l.Column != 0 {
		b = strconv.AppendUint(append(b, ':'), uint64(l.Column), 10)
	}
	if l.InlinedAt != 0 {
		b = append(w.appendLoc(append(b, " @[ "...), l.InlinedAt), " ]"...)
	}
	return b
}

// askCall asks for labels at a call that is described.
func (h *funcHandler) askCall(i mir.InstrID) {
	if !h.describesCalls() || !h.isCall(i) {
		return
	}
	if h.isTail(i) {
		h.before[i] = h.wanted(h.before[i])
	}
	h.after[i] = h.wanted(h.after[i])
}

func (h *funcHandler) wanted(l labelID) labelID {
	if l == labelNone {
		return labelWanted
	}
	return l
}

// describesCalls reports whether the debug information says of all calls of the
// function that they are ("DIFlagAllCallsDescribed").
func (h *funcHandler) describesCalls() bool {
	return h.sp.word("flags", "DIFlag")&flagAllCalls != 0
}

// isCall reports an instruction that calls a function.
func (h *funcHandler) isCall(i mir.InstrID) bool {
	f := h.fn.Function
	if !f.Desc(i).IsCall() {
		return false
	}
	switch f.Instr(i).Opcode {
	case desc.PATCHPOINT, desc.STACKMAP, desc.STATEPOINT, desc.FENTRY_CALL:
		return false
	}
	return !isMeta(f, i)
}

func (h *funcHandler) isTail(i mir.InstrID) bool { return h.fn.Desc(i).IsReturn() }

// calls lists the calls of the function.
func (h *funcHandler) calls() {
	if !h.describesCalls() {
		return
	}
	f := h.fn.Function
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if !h.isCall(i) {
				continue
			}
			c := callRecord{at: h.before[i], behind: h.after[i], reg: -1, tail: h.isTail(i)}
			if f.Instr(i).NumOps() == 0 {
				continue
			}
			switch o := f.Op(i, 0); {
			case o.Kind() == mir.OpGlobal:
				if c.callee = ir.GlobalID(o.Index()); h.w.subprogramOfGlobal(c.callee) == 0 {
					continue
				}
			case o.IsReg() && !o.IsImplicit() && o.Reg().IsPhysical() && !f.Desc(i).MayLoad():
				c.clobbered = !h.preserves(i, desc.PhysReg(o.Reg()))
				if c.reg = f.Facts.DwarfNum(h.w.flavour, desc.PhysReg(o.Reg()), false); c.reg < 0 {
					continue
				}
			default:
				continue
			}
			h.rec.calls = append(h.rec.calls, c)
		}
	}
}

// preserves reports whether a call leaves a register as it is.
func (h *funcHandler) preserves(i mir.InstrID, r desc.PhysReg) bool {
	f := h.fn.Function
	ops := f.Ops(i)
	for k := range ops {
		if o := &ops[k]; o.Kind() == mir.OpRegMask && f.RegMasks[o.Index()][r/32]>>(r%32)&1 == 0 {
			return false
		}
	}
	return true
}
