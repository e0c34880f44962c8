package bitcode

import (
	"maps"

	"github.com/mirin-go/mirin/ir"
)

// Records of the summary blocks.
const (
	fsPerModule            = 1
	fsPerModuleProfile     = 2
	fsPerModuleVar         = 3
	fsCombined             = 4
	fsCombinedProfile      = 5
	fsCombinedVar          = 6
	fsAlias                = 7
	fsCombinedAlias        = 8
	fsOriginalName         = 9
	fsVersion              = 10
	fsTypeTests            = 11
	fsAssumeVCalls         = 12
	fsCheckedLoadVCalls    = 13
	fsAssumeConstVCall     = 14
	fsCheckedLoadConst     = 15
	fsValueGUID            = 16
	fsCFIDefs              = 17
	fsCFIDecls             = 18
	fsPerModuleRelFreq     = 19
	fsFlags                = 20
	fsTypeID               = 21
	fsTypeIDMetadata       = 22
	fsPerModuleVTable      = 23
	fsBlockCount           = 24
	fsParamAccess          = 25
	fsPerModuleCallsite    = 26
	fsPerModuleAlloc       = 27
	fsCombinedCallsite     = 28
	fsCombinedAlloc        = 29
	fsStackIDs             = 30
	fsAllocContextIDs      = 31
	fsRadixTree            = 32
	fsCombinedAllocNoStack = 33

	relFreqBits = 28
)

// summaryReader reads a summary block, when the rest of the module is known.
type summaryReader struct {
	*cursor
	r       *reader
	s       *ir.Summary
	version uint64
	guids   map[uint64]uint64 // of value numbers
	stacks  []uint64
	radix   []uint64
	pending ir.GlobalSummary // what records before a function's say of it
	last    *ir.GlobalSummary
}

// summaryBlock remembers where a summary stands.
func (r *reader) summaryBlock(id uint32) {
	pos := r.pos
	if r.skip() && r.summaryAt == 0 {
		r.summaryAt, r.summaryID = pos, id
	}
}

// moduleStrtab reads the modules of a combined index.
func (r *reader) moduleStrtab() {
	if !r.enter(blkModuleStrtab) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr, entryBlock:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			switch r.record(id) {
			case 1:
				if len(r.rec) < 1 {
					r.fail("Invalid record")
					return
				}
				if r.modIDs == nil {
					r.modIDs = map[uint64]uint32{}
				}
				r.modIDs[r.rec[0]] = uint32(len(r.mods))
				r.mods = append(r.mods, ir.SummaryModule{Path: text(r.rec, 1)})
			case 2:
				if len(r.rec) != 5 || len(r.mods) == 0 {
					r.fail("Invalid hash length %d", len(r.rec))
					return
				}
				setHash(&r.mods[len(r.mods)-1], r.rec)
			}
		}
	}
}

func setHash(m *ir.SummaryModule, rec []uint64) {
	for i := range m.Hash {
		m.Hash[i] = uint32(at(rec, i))
	}
}

// summary reads the module's summary, when it has one.
func (r *reader) summary() {
	if r.summaryAt == 0 || r.err != nil {
		return
	}
	c := r.cursor.fork()
	c.pos, c.end = r.summaryAt, uint64(len(c.data))*8
	x := &summaryReader{cursor: &c, r: r, s: &ir.Summary{Modules: r.mods, FullLTO: r.summaryID == blkFullLTOSummary}, guids: map[uint64]uint64{}}
	if x.s.Combined = len(r.globals) == 0 && len(r.mods) > 0; x.s.Combined {
		// An index has nothing of a module beside it; LLVM's reader of indexes skips that.
		r.asmText, r.m.ModuleAsm, r.m.Triple, r.m.DataLayout, r.m.NamedMD = "", nil, "", "", nil
	} else {
		x.s.Modules = []ir.SummaryModule{{Path: r.name, Hash: r.hash}}
	}
	if x.s.Combined {
		maps.Copy(x.guids, r.combinedIDs)
	}
	for i, g := range r.globals {
		guid := ir.GUIDOf(g.Name, g.Linkage, r.m.SourceFilename)
		x.guids[uint64(i)] = guid
		if g.Kind != ir.GlobalIFunc {
			x.s.Value(guid).Name = g.Name
		}
	}
	x.block()
	if c.err != nil {
		r.err = c.err
		return
	}
	x.s.Sort()
	r.m.Summary = x.s
}

func (x *summaryReader) block() {
	if !x.enter(x.r.summaryID) {
		return
	}
	for first := true; x.err == nil; first = false {
		switch e, id := x.next(); e {
		case entryErr, entryBlock:
			x.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			code := x.cursor.record(id)
			if x.err != nil {
				return
			}
			if first && code != fsVersion {
				x.fail("Invalid Summary Block: version expected")
				return
			}
			x.entry(code, x.rec)
		}
	}
}

// need reports records that are too short.
func (x *summaryReader) need(rec []uint64, n int) bool {
	if len(rec) < n {
		x.fail("Invalid record")
		return false
	}
	return true
}

func (x *summaryReader) entry(code uint32, rec []uint64) {
	p := &x.pending
	if code != fsTypeTests && code != fsParamAccess && code != fsCFIDefs && code != fsCFIDecls && code != fsStackIDs && code != fsRadixTree &&
		code != fsAssumeVCalls && code != fsCheckedLoadVCalls && code != fsPerModuleAlloc && code != fsAllocContextIDs && !x.need(rec, 1) {
		return
	}
	switch code {
	case fsVersion:
		x.version = rec[0]
		if rec[0] < 1 || rec[0] > ir.SummaryVersion {
			x.fail("Invalid summary version %d. Version should be in the range [1-%d].", rec[0], ir.SummaryVersion)
		}
	case fsFlags:
		x.s.Flags = rec[0]
	case fsValueGUID:
		switch {
		case x.version >= 11 && x.need(rec, 3):
			x.guids[rec[0]] = rec[1]<<32 | rec[2]&0xffffffff
		case x.version < 11 && x.need(rec, 2):
			x.guids[rec[0]] = rec[1]
		}
		x.s.Value(x.guids[rec[0]])
	case fsPerModule, fsPerModuleProfile, fsPerModuleRelFreq, fsCombined, fsCombinedProfile:
		x.function(code, rec)
	case fsPerModuleVar, fsCombinedVar, fsPerModuleVTable:
		x.variable(code, rec)
	case fsAlias, fsCombinedAlias:
		id := rec[0]
		g := ir.GlobalSummary{Kind: ir.AliasSummary}
		if code == fsCombinedAlias {
			g.Module, rec = x.module(rec), rec[1:]
		}
		if x.need(rec, 3) {
			x.flags(&g, rec[1])
			// The aliasee's summary stands before, and in the same module.
			if v := x.s.Find(x.guid(rec[2])); v != nil {
				for i := range v.Summaries {
					if v.Summaries[i].Module == g.Module {
						g.Aliasee = v.GUID
					}
				}
			}
			if g.Aliasee == 0 && code == fsAlias {
				x.fail("Alias expects aliasee summary to be parsed")
				return
			}
			x.add(id, g)
		}
	case fsOriginalName:
		if x.last != nil {
			x.last.Original = rec[0]
		}
	case fsTypeTests:
		p.TypeTests = append(p.TypeTests, rec...)
	case fsAssumeVCalls:
		p.AssumeVCalls = vfuncs(p.AssumeVCalls, rec)
	case fsCheckedLoadVCalls:
		p.CheckedLoadVCalls = vfuncs(p.CheckedLoadVCalls, rec)
	case fsAssumeConstVCall, fsCheckedLoadConst:
		if !x.need(rec, 2) {
			return
		}
		c := ir.SummaryConstVCall{Func: ir.SummaryVFunc{GUID: rec[0], Offset: rec[1]}, Args: append([]uint64(nil), rec[2:]...)}
		if code == fsAssumeConstVCall {
			p.AssumeConstVCalls = append(p.AssumeConstVCalls, c)
		} else {
			p.CheckedLoadConstVCall = append(p.CheckedLoadConstVCall, c)
		}
	case fsParamAccess:
		p.Params = x.params(rec)
	case fsCFIDefs, fsCFIDecls:
		for ; len(rec) > 1; rec = rec[2:] {
			name := x.r.tabString(rec[0], rec[1])
			if code == fsCFIDefs {
				x.s.CFIDefs = append(x.s.CFIDefs, name)
			} else {
				x.s.CFIDecls = append(x.s.CFIDecls, name)
			}
		}
	case fsTypeID:
		x.typeID(rec)
	case fsTypeIDMetadata:
		if !x.need(rec, 2) {
			return
		}
		v := ir.SummaryVTables{Name: x.r.tabString(rec[0], rec[1])}
		for rec = rec[2:]; len(rec) > 1; rec = rec[2:] {
			v.VTables = append(v.VTables, ir.SummaryVTable{Offset: rec[0], GUID: x.guid(rec[1])})
		}
		x.s.VTables = append(x.s.VTables, v)
	case fsBlockCount:
		x.s.BlockCount += rec[0]
	default:
		x.profile(code, rec)
	}
}

func vfuncs(to []ir.SummaryVFunc, rec []uint64) []ir.SummaryVFunc {
	for ; len(rec) > 1; rec = rec[2:] {
		to = append(to, ir.SummaryVFunc{GUID: rec[0], Offset: rec[1]})
	}
	return to
}

// guid returns the GUID of a value number.
func (x *summaryReader) guid(id uint64) uint64 {
	g, ok := x.guids[id]
	if !ok {
		x.fail("Invalid record")
	}
	return g
}

// module returns the module of a combined record: operand 1 is its number.
func (x *summaryReader) module(rec []uint64) uint32 {
	if !x.need(rec, 2) {
		return 0
	}
	m, ok := x.r.modIDs[rec[1]]
	if !ok {
		x.fail("Invalid record")
	}
	return m
}

// flags decodes what all summaries have.
func (x *summaryReader) flags(g *ir.GlobalSummary, raw uint64) {
	g.Linkage = ir.Linkage(min(raw&15, uint64(ir.Common)))
	g.Visibility = ir.Visibility(min(raw>>8&3, 2))
	g.AsDeclaration = raw>>10&1 != 0
	raw >>= 4
	g.NotEligible = raw&1 != 0 || x.version < 3
	g.Live = raw&2 != 0 || x.version < 3
	g.DSOLocal, g.CanAutoHide = raw&4 != 0, raw&8 != 0
}

// add gives a value a summary.
func (x *summaryReader) add(id uint64, g ir.GlobalSummary) {
	if !x.s.Combined && id >= uint64(len(x.r.globals)) {
		x.fail("Invalid record") // a module sums up its own symbols
		return
	}
	guid := x.guid(id)
	if x.err != nil {
		return
	}
	v := x.s.Value(guid)
	v.Summaries = append(v.Summaries, g)
	x.last = &v.Summaries[len(v.Summaries)-1]
}

// refs decodes references: the last wo are only written, the ro before them only read.
func (x *summaryReader) refs(rec []uint64, ro, wo uint64) (out []ir.SummaryRef) {
	n := uint64(len(rec))
	if ro > n || wo > n-ro {
		x.fail("Invalid record")
		return nil
	}
	for i, id := range rec {
		r := ir.SummaryRef{GUID: x.guid(id)}
		r.WriteOnly = uint64(i) >= n-wo
		r.ReadOnly = !r.WriteOnly && uint64(i) >= n-wo-ro
		out = append(out, r)
	}
	return out
}

func (x *summaryReader) function(code uint32, rec []uint64) {
	id := rec[0]
	g := x.pending
	x.pending = ir.GlobalSummary{}
	g.Kind = ir.FunctionSummary
	combined := code == fsCombined || code == fsCombinedProfile
	if combined {
		g.Module, rec = x.module(rec), rec[1:]
	}
	if !x.need(rec, 4) {
		return
	}
	x.flags(&g, rec[1])
	g.Insts = rec[2]
	rec = rec[3:]
	take := func() uint64 {
		n := at(rec, 0)
		rec = rec[min(1, len(rec)):]
		return n
	}
	if x.version >= 4 {
		g.FuncFlags = ir.SummaryFuncFlags(take() & 0x3ff)
	}
	if combined && x.version >= 6 {
		take() // an entry count that is no longer used
	}
	n, ro, wo := take(), uint64(0), uint64(0)
	if x.version >= 5 {
		ro = take()
	}
	if x.version >= 7 {
		wo = take()
	}
	if n > uint64(len(rec)) {
		x.fail("Invalid record")
		return
	}
	g.Refs = x.refs(rec[:n], ro, wo)
	rec = rec[n:]
	profile := code == fsPerModuleProfile || code == fsCombinedProfile
	for len(rec) > 0 && x.err == nil {
		c := ir.SummaryCall{Callee: x.guid(take())}
		switch {
		case x.version == 1: // counts that mean nothing now
			take()
			if profile {
				take()
			}
		case profile:
			n := take()
			c.Hotness, c.Tail = ir.Hotness(min(n&7, uint64(ir.HotnessCritical))), n&8 != 0
		case code == fsPerModuleRelFreq:
			n := take()
			c.RelFreq, c.Tail = n&(1<<relFreqBits-1), n>>relFreqBits&1 != 0
		}
		g.Calls = append(g.Calls, c)
	}
	x.add(id, g)
}

func (x *summaryReader) variable(code uint32, rec []uint64) {
	id := rec[0]
	g := ir.GlobalSummary{Kind: ir.VariableSummary}
	if code == fsCombinedVar {
		g.Module, rec = x.module(rec), rec[1:]
	}
	if !x.need(rec, 2) {
		return
	}
	x.flags(&g, rec[1])
	rec = rec[2:]
	if x.version >= 5 {
		if !x.need(rec, 1) {
			return
		}
		g.VarFlags = ir.SummaryVarFlags(rec[0] & 31)
		rec = rec[1:]
	}
	if code == fsPerModuleVTable {
		if !x.need(rec, 1) || rec[0] > uint64(len(rec)-1) {
			x.fail("Invalid record")
			return
		}
		n := rec[0]
		g.Refs = x.refs(rec[1:1+n], 0, 0)
		for rec = rec[1+n:]; len(rec) > 1; rec = rec[2:] {
			g.VTableFuncs = append(g.VTableFuncs, ir.SummaryVTableFunc{Func: x.guid(rec[0]), Offset: rec[1]})
		}
	} else {
		g.Refs = x.refs(rec, 0, 0)
	}
	x.add(id, g)
}

func (x *summaryReader) params(rec []uint64) (out []ir.SummaryParam) {
	take := func() uint64 {
		if len(rec) == 0 {
			x.fail("Invalid record")
			return 0
		}
		n := rec[0]
		rec = rec[1:]
		return n
	}
	span := func() (r ir.SummaryRange) {
		r.Lo = unsign(take())
		r.Hi = unsign(take())
		return r
	}
	for len(rec) > 0 && x.err == nil {
		p := ir.SummaryParam{Param: take(), Use: span()}
		n := take()
		if n > uint64(len(rec)) {
			x.fail("Invalid record")
		}
		for ; n > 0 && x.err == nil; n-- {
			c := ir.SummaryParamCall{Param: take(), Callee: x.guid(take())}
			c.Offsets = span()
			p.Calls = append(p.Calls, c)
		}
		out = append(out, p)
	}
	return out
}

func (x *summaryReader) typeID(rec []uint64) {
	if !x.need(rec, 8) {
		return
	}
	t := ir.SummaryTypeID{Name: x.r.tabString(rec[0], rec[1]), Kind: uint8(min(rec[2], 5)), SizeM1Bits: rec[3], AlignLog2: rec[4], SizeM1: rec[5],
		BitMask: rec[6], InlineBits: rec[7]}
	rec = rec[8:]
	for len(rec) >= 5 && x.err == nil {
		w := ir.SummaryWPD{Offset: rec[0], Kind: uint8(min(rec[1], 2)), SingleImpl: x.r.tabString(rec[2], rec[3])}
		n := rec[4]
		for rec = rec[5:]; n > 0 && x.err == nil; n-- {
			if !x.need(rec, 1) || rec[0] > uint64(len(rec)-1) || !x.need(rec, int(rec[0])+5) {
				x.fail("Invalid record")
				return
			}
			k := rec[0]
			a := ir.SummaryByArg{Args: append([]uint64(nil), rec[1:1+k]...)}
			rec = rec[1+k:]
			a.Kind, a.Info, a.Byte, a.Bit = uint8(min(rec[0], 3)), rec[1], rec[2], rec[3]
			rec = rec[4:]
			w.ByArg = append(w.ByArg, a)
		}
		t.WPD = append(t.WPD, w)
	}
	x.s.TypeIDs = append(x.s.TypeIDs, t)
}

// profile reads the records of memory profiles.
func (x *summaryReader) profile(code uint32, rec []uint64) {
	p := &x.pending
	stack := func(i uint64) uint64 {
		if i >= uint64(len(x.stacks)) {
			x.fail("Invalid record")
			return 0
		}
		return x.stacks[i]
	}
	switch code {
	case fsStackIDs:
		x.stacks = x.stacks[:0]
		if x.version < 11 {
			x.stacks = append(x.stacks, rec...)
			return
		}
		for ; len(rec) > 1; rec = rec[2:] {
			x.stacks = append(x.stacks, rec[0]<<32|rec[1]&0xffffffff)
		}
	case fsRadixTree:
		x.radix = append(x.radix[:0], rec...)
	case fsPerModuleCallsite, fsCombinedCallsite:
		c := ir.SummaryCallsite{Callee: x.guids[rec[0]]} // 0 where it is not known
		rec = rec[1:]
		ids := rec
		if code == fsCombinedCallsite {
			if !x.need(rec, 2) || rec[0] > uint64(len(rec)-2) {
				x.fail("Invalid record")
				return
			}
			ids = rec[2 : 2+rec[0]]
			c.Clones = append(c.Clones, rec[2+rec[0]:]...)
		} else {
			c.Clones = []uint64{0}
		}
		for _, i := range ids {
			c.StackIDs = append(c.StackIDs, stack(i))
		}
		p.Callsites = append(p.Callsites, c)
	case fsPerModuleAlloc, fsCombinedAlloc, fsCombinedAllocNoStack:
		if x.version < ir.SummaryVersion {
			x.fail("summary version %d with memory profiles is not supported", x.version)
			return
		}
		x.alloc(code, rec, stack)
	}
}

func (x *summaryReader) alloc(code uint32, rec []uint64, stack func(uint64) uint64) {
	if !x.need(rec, 1) {
		return
	}
	a := ir.SummaryAlloc{}
	n, versions := rec[0], uint64(0)
	rec = rec[1:]
	if code != fsPerModuleAlloc {
		if !x.need(rec, 1) {
			return
		}
		versions, rec = rec[0], rec[1:]
	}
	for ; n > 0 && x.err == nil; n-- {
		if !x.need(rec, 1) {
			return
		}
		m := ir.SummaryMIB{Type: uint8(rec[0])}
		rec = rec[1:]
		if code != fsCombinedAllocNoStack {
			if !x.need(rec, 1) {
				return
			}
			m.StackIDs = x.context(rec[0], stack)
			rec = rec[1:]
		}
		a.MIBs = append(a.MIBs, m)
	}
	if code == fsPerModuleAlloc {
		a.Versions = []uint8{0}
	} else {
		for _, v := range rec[:min(versions, uint64(len(rec)))] {
			a.Versions = append(a.Versions, uint8(v))
		}
	}
	x.pending.Allocs = append(x.pending.Allocs, a)
}

// context reads a call stack of the radix tree: its length, then frames, with
// a jump where it shares the rest with another one.
func (x *summaryReader) context(i uint64, stack func(uint64) uint64) (out []uint64) {
	next := func() uint64 {
		if i >= uint64(len(x.radix)) {
			x.fail("Invalid record")
			return 0
		}
		return x.radix[i]
	}
	n := next()
	i++
	for ; n > 0 && x.err == nil; n-- {
		e := next()
		if int32(uint32(e)) < 0 {
			i += uint64(-int64(int32(uint32(e))))
			e = next()
		}
		i++
		out = append(out, stack(e))
	}
	return out
}
