package bitcode

import (
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// summaryWriter writes the summary of a module, or of several in a combined index.
type summaryWriter struct {
	*writer
	s      *ir.Summary
	ids    map[uint64]uint64 // value numbers by GUID
	stacks map[uint64]uint64 // places of stack ids
	radix  []uint64
}

// summary writes the module's summary, when it has one.
func (w *writer) summary() {
	s := w.m.Summary
	if s == nil {
		return
	}
	s.Sort()
	x := summaryWriter{writer: w, s: s, ids: map[uint64]uint64{}}
	for id, g := range w.m.Globals {
		if id > 0 {
			x.ids[w.m.GUID(g.ID)] = uint64(w.values[id])
		}
	}
	block := uint32(blkSummary)
	if s.FullLTO {
		block = blkFullLTOSummary
	}
	w.enter(block, 4)
	w.record(fsVersion, ir.SummaryVersion)
	w.record(fsFlags, s.Flags&(ir.SummarySplitLTOUnit|ir.SummaryUnifiedLTO))
	if len(s.Values) > 0 {
		x.guids(x.unknown())
		x.stackIDs()
		x.modules()
	}
	w.leave()
}

// unknown gives numbers to values that are no globals of the module: targets
// of profiled calls.
func (x *summaryWriter) unknown() (out []uint64) {
	next := uint64(x.numVals) + 1 // LLVM leaves one out
	add := func(guid uint64) {
		if _, ok := x.ids[guid]; !ok {
			x.ids[guid] = next
			next++
			out = append(out, guid)
		}
	}
	for i := range x.s.Values {
		for k := range x.s.Values[i].Summaries {
			g := &x.s.Values[i].Summaries[k]
			if g.Kind != ir.FunctionSummary {
				continue
			}
			for _, c := range g.Calls {
				add(c.Callee)
			}
			for _, r := range g.Refs {
				add(r.GUID)
			}
		}
	}
	slices.Sort(out)
	return out
}

// guids writes the numbers of values that are known by GUID.
func (x *summaryWriter) guids(list []uint64) {
	a := abbrev{lit(fsValueGUID), vbrOp(6), fixed(32), fixed(32)}
	id := x.define(a)
	for _, g := range list {
		x.short(id, a, fsValueGUID, []uint64{x.ids[g], g >> 32, g & 0xffffffff})
	}
}

// stackIDs writes the stack ids of profiles, and the contexts of allocations:
// each its length, then its frames.
func (x *summaryWriter) stackIDs() {
	x.stacks = map[uint64]uint64{}
	var list []uint64
	place := func(id uint64) uint64 {
		n, ok := x.stacks[id]
		if !ok {
			n = uint64(len(x.stacks))
			x.stacks[id] = n
			list = append(list, id>>32, id&0xffffffff)
		}
		return n
	}
	for i := range x.s.Values {
		for k := range x.s.Values[i].Summaries {
			g := &x.s.Values[i].Summaries[k]
			for _, c := range g.Callsites {
				for _, id := range c.StackIDs {
					place(id)
				}
			}
			for _, a := range g.Allocs {
				for _, m := range a.MIBs {
					x.radix = append(x.radix, uint64(len(m.StackIDs)))
					for _, id := range m.StackIDs {
						x.radix = append(x.radix, place(id))
					}
				}
			}
		}
	}
	if len(list) > 0 {
		a := abbrev{lit(fsStackIDs), {kind: encArray}, fixed(32)}
		x.short(x.define(a), a, fsStackIDs, list)
	}
	if len(x.radix) > 0 {
		x.record(fsRadixTree, x.radix...)
	}
	x.radix = x.radix[:0]
}

// globalFlags encodes what all summaries have.
func globalFlags(g *ir.GlobalSummary) uint64 {
	return (bit(g.NotEligible)|bit(g.Live)<<1|bit(g.DSOLocal)<<2|bit(g.CanAutoHide)<<3)<<4 | uint64(g.Linkage) | uint64(g.Visibility)<<8 |
		bit(g.AsDeclaration)<<10
}

// callInfo encodes the hotness of a call.
func callInfo(c *ir.SummaryCall) uint64 { return uint64(c.Hotness) | bit(c.Tail)<<3 }

// modules writes the summaries of the module's globals.
func (x *summaryWriter) modules() {
	array, v8 := abbrevOp{kind: encArray}, vbrOp(8)
	fnAbbrev := abbrev{lit(fsPerModuleProfile), v8, vbrOp(6), v8, vbrOp(4), vbrOp(4), vbrOp(4), vbrOp(4), array, v8}
	varAbbrev := abbrev{lit(fsPerModuleVar), v8, vbrOp(6), array, v8}
	vtAbbrev := abbrev{lit(fsPerModuleVTable), v8, vbrOp(6), vbrOp(6), vbrOp(6), array, v8}
	aliasAbbrev := abbrev{lit(fsAlias), v8, vbrOp(6), v8}
	idAbbrev := abbrev{lit(fsTypeIDMetadata), v8, v8, array, v8}
	fnID, _ := x.define(fnAbbrev), x.define(abbrev{lit(fsPerModuleRelFreq), v8, vbrOp(6), v8, vbrOp(4), vbrOp(4), vbrOp(4), vbrOp(4), array, v8})
	varID, vtID, aliasID, idID := x.define(varAbbrev), x.define(vtAbbrev), x.define(aliasAbbrev), x.define(idAbbrev)
	of := func(id ir.GlobalID) *ir.GlobalSummary {
		if v := x.s.Find(x.m.GUID(id)); v != nil && len(v.Summaries) > 0 {
			return &v.Summaries[0]
		}
		return nil
	}
	for _, id := range x.m.Funcs {
		if g := of(id); g != nil && g.Kind == ir.FunctionSummary {
			x.typeInfo(g)
			x.profiles(g, false)
			r := append(x.rec[:0], uint64(x.values[id]), globalFlags(g), g.Insts, uint64(g.FuncFlags))
			x.rec = x.edges(r, g)
			x.short(fnID, fnAbbrev, fsPerModuleProfile, x.rec)
		}
	}
	for _, id := range x.m.Vars {
		g := of(id)
		if g == nil || g.Kind != ir.VariableSummary {
			continue
		}
		r := append(x.rec[:0], uint64(x.values[id]), globalFlags(g), uint64(g.VarFlags))
		at := len(r)
		if len(g.VTableFuncs) > 0 {
			r = append(r, uint64(len(g.Refs)))
			at++
		}
		for _, f := range g.Refs {
			r = append(r, x.ids[f.GUID])
		}
		slices.Sort(r[at:]) // LLVM sorts them, as their order was that of a set
		if len(g.VTableFuncs) == 0 {
			x.short(varID, varAbbrev, fsPerModuleVar, r)
			x.rec = r
			continue
		}
		for _, f := range g.VTableFuncs {
			r = append(r, x.ids[f.Func], f.Offset)
		}
		x.short(vtID, vtAbbrev, fsPerModuleVTable, r)
		x.rec = r
	}
	for _, id := range x.m.Aliases {
		if g := of(id); g != nil && g.Kind == ir.AliasSummary {
			x.short(aliasID, aliasAbbrev, fsAlias, []uint64{uint64(x.values[id]), globalFlags(g), x.ids[g.Aliasee]})
		}
	}
	for i := range x.s.VTables {
		v := &x.s.VTables[i]
		off, n := x.tab(v.Name)
		r := append(x.rec[:0], off, n)
		for _, t := range v.VTables {
			r = append(r, t.Offset, x.ids[t.GUID])
		}
		x.short(idID, idAbbrev, fsTypeIDMetadata, r)
		x.rec = r
	}
	if x.s.BlockCount != 0 {
		x.record(fsBlockCount, x.s.BlockCount)
	}
}

// edges appends counts, references and calls of a function; values without a
// number are left out.
func (x *summaryWriter) edges(r []uint64, g *ir.GlobalSummary) []uint64 {
	at := len(r)
	r = append(r, 0, 0, 0)
	for _, f := range g.Refs {
		if id, ok := x.ids[f.GUID]; ok {
			r = append(r, id)
			r[at]++
			r[at+1] += bit(f.ReadOnly)
			r[at+2] += bit(f.WriteOnly)
		}
	}
	for i := range g.Calls {
		if id, ok := x.ids[g.Calls[i].Callee]; ok {
			r = append(r, id, callInfo(&g.Calls[i]))
		}
	}
	return r
}

// typeInfo writes what stands before a function's record.
func (x *summaryWriter) typeInfo(g *ir.GlobalSummary) {
	if len(g.TypeTests) > 0 {
		x.record(fsTypeTests, g.TypeTests...)
	}
	for code, l := range [...][]ir.SummaryVFunc{g.AssumeVCalls, g.CheckedLoadVCalls} {
		if len(l) == 0 {
			continue
		}
		r := x.rec[:0]
		for _, f := range l {
			r = append(r, f.GUID, f.Offset)
		}
		x.record(fsAssumeVCalls+uint32(code), r...)
		x.rec = r
	}
	for code, l := range [...][]ir.SummaryConstVCall{g.AssumeConstVCalls, g.CheckedLoadConstVCall} {
		for _, c := range l {
			x.record(fsAssumeConstVCall+uint32(code), append([]uint64{c.Func.GUID, c.Func.Offset}, c.Args...)...)
		}
	}
	if len(g.Params) == 0 {
		return
	}
	r := x.rec[:0]
params:
	for _, p := range g.Params {
		from := len(r)
		r = append(r, p.Param, sign(p.Use.Lo), sign(p.Use.Hi), uint64(len(p.Calls)))
		for _, c := range p.Calls {
			id, ok := x.ids[c.Callee]
			if !ok { // with one call unknown, nothing is known of the parameter
				r = r[:from]
				continue params
			}
			r = append(r, c.Param, id, sign(c.Offsets.Lo), sign(c.Offsets.Hi))
		}
	}
	if len(r) > 0 {
		x.record(fsParamAccess, r...)
	}
	x.rec = r
}

// profiles writes the allocations and call sites of memory profiles.
func (x *summaryWriter) profiles(g *ir.GlobalSummary, combined bool) {
	for _, c := range g.Callsites {
		r := append(x.rec[:0], x.ids[c.Callee])
		if combined {
			r = append(r, uint64(len(c.StackIDs)), uint64(len(c.Clones)))
		}
		for _, id := range c.StackIDs {
			r = append(r, x.stacks[id])
		}
		if !combined {
			x.record(fsPerModuleCallsite, r...)
		} else {
			x.record(fsCombinedCallsite, append(r, c.Clones...)...)
		}
		x.rec = r
	}
	for _, a := range g.Allocs {
		r := append(x.rec[:0], uint64(len(a.MIBs)))
		if combined {
			r = append(r, uint64(len(a.Versions)))
		}
		for _, m := range a.MIBs {
			r = append(r, uint64(m.Type), uint64(len(x.radix)))
			x.radix = append(x.radix, make([]uint64, 1+len(m.StackIDs))...)
		}
		if !combined {
			x.record(fsPerModuleAlloc, r...)
			x.rec = r
			continue
		}
		for _, v := range a.Versions {
			r = append(r, uint64(v))
		}
		x.record(fsCombinedAlloc, r...)
		x.rec = r
	}
}

// combined writes a file that has an index of several modules only.
func (w *writer) combined() {
	s := w.m.Summary
	s.Sort()
	w.enter(blkModule, 3)
	w.record(modVersion, 2)
	x := summaryWriter{writer: w, s: s, ids: map[uint64]uint64{}}
	modules := x.moduleStrtab()
	var list []uint64
	n := uint64(0)
	for i := range s.Values {
		if len(s.Values[i].Summaries) > 0 {
			list = append(list, s.Values[i].GUID)
			n += uint64(len(s.Values[i].Summaries))
			x.ids[s.Values[i].GUID] = n
		}
	}
	w.enter(blkSummary, 4)
	w.record(fsVersion, ir.SummaryVersion)
	w.record(fsFlags, s.Flags)
	x.guids(list)
	x.stackIDs()
	array, v8 := abbrevOp{kind: encArray}, vbrOp(8)
	fnAbbrev := abbrev{lit(fsCombinedProfile), v8, v8, vbrOp(6), v8, vbrOp(4), v8, vbrOp(4), vbrOp(4), vbrOp(4), array, v8}
	varAbbrev := abbrev{lit(fsCombinedVar), v8, v8, vbrOp(6), array, v8}
	aliasAbbrev := abbrev{lit(fsCombinedAlias), v8, v8, vbrOp(6), v8}
	fnID, varID, aliasID := x.define(fnAbbrev), x.define(varAbbrev), x.define(aliasAbbrev)
	original := func(g *ir.GlobalSummary) {
		if g.Original != 0 {
			w.record(fsOriginalName, g.Original)
		}
	}
	x.each(func(guid uint64, g *ir.GlobalSummary) {
		r := append(x.rec[:0], x.ids[guid], modules[g.Module], globalFlags(g))
		switch g.Kind {
		case ir.VariableSummary:
			r = append(r, uint64(g.VarFlags))
			for _, f := range g.Refs {
				if id, ok := x.ids[f.GUID]; ok {
					r = append(r, id)
				}
			}
			x.short(varID, varAbbrev, fsCombinedVar, r)
		case ir.FunctionSummary:
			x.typeInfo(g)
			x.profiles(g, true)
			r = append(x.rec[:0], x.ids[guid], modules[g.Module], globalFlags(g), g.Insts, uint64(g.FuncFlags), 0)
			r = x.edges(r, g)
			x.short(fnID, fnAbbrev, fsCombinedProfile, r)
		default:
			return
		}
		x.rec = r
		original(g)
	})
	x.each(func(guid uint64, g *ir.GlobalSummary) {
		if g.Kind == ir.AliasSummary {
			x.short(aliasID, aliasAbbrev, fsCombinedAlias, []uint64{x.ids[guid], modules[g.Module], globalFlags(g), x.ids[g.Aliasee]})
			original(g)
		}
	})
	x.cfi(fsCFIDefs, s.CFIDefs)
	x.cfi(fsCFIDecls, s.CFIDecls)
	x.typeIDs()
	if s.BlockCount != 0 {
		w.record(fsBlockCount, s.BlockCount)
	}
	w.leave()
	w.leave()
}

func (x *summaryWriter) each(f func(guid uint64, g *ir.GlobalSummary)) {
	for i := range x.s.Values {
		for k := range x.s.Values[i].Summaries {
			f(x.s.Values[i].GUID, &x.s.Values[i].Summaries[k])
		}
	}
}

// moduleStrtab writes paths and hashes of the modules and returns their numbers.
func (x *summaryWriter) moduleStrtab() []uint64 {
	x.enter(blkModuleStrtab, 3)
	hashAbbrev := abbrev{lit(2), fixed(32), fixed(32), fixed(32), fixed(32), fixed(32)}
	hashID := x.define(hashAbbrev)
	ids := make([]uint64, len(x.s.Modules))
	for i := range x.s.Modules {
		m := &x.s.Modules[i]
		ids[i] = uint64(i)
		x.text(1, m.Path, uint64(i))
		if m.Hash != [5]uint32{} {
			r := x.rec[:0]
			for _, h := range m.Hash {
				r = append(r, uint64(h))
			}
			x.short(hashID, hashAbbrev, 2, r)
			x.rec = r
		}
	}
	x.leave()
	return ids
}

func (x *summaryWriter) cfi(code uint32, names []string) {
	if len(names) == 0 {
		return
	}
	r := x.rec[:0]
	for _, s := range names {
		off, n := x.tab(s)
		r = append(r, off, n)
	}
	x.record(code, r...)
	x.rec = r
}

// typeIDs writes the type identifiers that functions refer to.
func (x *summaryWriter) typeIDs() {
	used := map[uint64]bool{}
	x.each(func(_ uint64, g *ir.GlobalSummary) {
		for _, t := range g.TypeTests {
			used[t] = true
		}
		for _, l := range [...][]ir.SummaryVFunc{g.AssumeVCalls, g.CheckedLoadVCalls} {
			for _, f := range l {
				used[f.GUID] = true
			}
		}
		for _, l := range [...][]ir.SummaryConstVCall{g.AssumeConstVCalls, g.CheckedLoadConstVCall} {
			for _, c := range l {
				used[c.Func.GUID] = true
			}
		}
	})
	for i := range x.s.TypeIDs {
		t := &x.s.TypeIDs[i]
		if !used[ir.GUID(t.Name)] {
			continue
		}
		off, n := x.tab(t.Name)
		r := append(x.rec[:0], off, n, uint64(t.Kind), t.SizeM1Bits, t.AlignLog2, t.SizeM1, t.BitMask, t.InlineBits)
		for _, w := range t.WPD {
			off, n := x.tab(w.SingleImpl)
			r = append(r, w.Offset, uint64(w.Kind), off, n, uint64(len(w.ByArg)))
			for _, a := range w.ByArg {
				r = append(append(r, uint64(len(a.Args))), a.Args...)
				r = append(r, uint64(a.Kind), a.Info, a.Byte, a.Bit)
			}
		}
		x.record(fsTypeID, r...)
		x.rec = r
	}
}
