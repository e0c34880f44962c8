package bitcode

import "github.com/mirin-go/mirin/ir"

// outFunc is the state of the function that is being written.
type outFunc struct {
	f        *ir.Function
	consts   constIDs
	extra    pooled
	maskElem map[int64]uint32      // value number of an element of masks
	maskOf   map[ir.InstrID]uint32 // value number of a shuffle's mask
	asmOf    map[uint32]uint32     // value number of inline assembly
	vals     []uint32              // by InstrID
	blocks   []uint32              // by BlockID
	md       map[ir.MDID]uint32    // of local values and lists of them: number plus one
	locals   []ir.MDID
	next     uint32 // number of the next value
	loc      ir.MDID
}

func (w *writer) function(f *ir.Function) {
	fn := &w.fn
	*fn = outFunc{f: f, consts: fn.consts, maskElem: map[int64]uint32{}, maskOf: map[ir.InstrID]uint32{}, asmOf: map[uint32]uint32{},
		md: map[ir.MDID]uint32{}, vals: make([]uint32, len(f.Instrs)), blocks: make([]uint32, len(f.Blocks))}
	fn.next = w.numVals
	for i := 1; i <= f.NumArgs; i++ {
		fn.vals[i] = fn.next
		fn.next++
	}
	w.functionConsts()
	first := fn.next
	n := first
	for k, b := range f.Order {
		fn.blocks[b] = uint32(k)
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if f.Instrs[i].Type != ir.Void {
				fn.vals[i] = n
				n++
			}
		}
	}
	w.enter(blkFunction, 5)
	w.record(fnDeclareBlocks, uint64(len(f.Order)))
	w.constants(&f.Consts, &fn.consts, w.numVals, &fn.extra)
	w.functionMetadata()
	attach := len(f.Global().MD) > 0
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			w.instr(i, in)
			if in.Type != ir.Void {
				fn.next++
			}
			w.debugLoc(in.Loc)
			w.debugRecords(in.Records)
			attach = attach || in.MD != 0
		}
	}
	if l := w.blockUsers[f.ID]; len(l) > 0 {
		w.record(fnBlockAddrUsers, l...)
	}
	w.symtab(f)
	if attach {
		w.attachments(f)
	}
	w.useLists(f.UseOrders, f.UseIndexes)
	w.leave()
}

// functionConsts numbers the constants of a body.
func (w *writer) functionConsts() {
	fn := &w.fn
	f := fn.f
	fn.consts.reset(f.Consts.Len())
	var masks []ir.InstrID
	add := func(v ir.Value) {
		switch v.Tag() {
		case ir.TagConst:
			w.addConst(&f.Consts, &fn.consts, v)
		case ir.TagInlineAsm:
			if _, ok := fn.asmOf[v.Index()]; !ok {
				fn.asmOf[v.Index()] = 0
				fn.extra.asms = append(fn.extra.asms, v.Index())
			}
		}
	}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			for _, v := range f.Ops(i) {
				add(v)
			}
			if in.Extra != 0 {
				for _, x := range f.Extras[in.Extra].Bundles {
					for _, v := range x.Args {
						add(v)
					}
				}
			}
			if in.Op == ir.OpShuffleVector {
				masks = append(masks, i)
			}
		}
	}
	number := func() uint32 { fn.next++; return fn.next - 1 }
	for _, c := range fn.consts.list {
		fn.consts.ids[c] = number() + 1
	}
	for _, i := range masks {
		in := &f.Instrs[i]
		m := maskConst{w.maskType(in, len(f.Extras[in.Extra].Ints)), f.Extras[in.Extra].Ints}
		fn.extra.masks = append(fn.extra.masks, m)
		if plainMask(m.mask) {
			continue
		}
		for _, x := range m.mask {
			if _, ok := fn.maskElem[x]; !ok {
				fn.maskElem[x] = number()
				fn.extra.elems = append(fn.extra.elems, x)
			}
		}
	}
	for _, i := range masks {
		fn.maskOf[i] = number()
	}
	for _, a := range fn.extra.asms {
		fn.asmOf[a] = number()
	}
}

// plainMask reports masks whose constant needs no elements: all zero, all poison, or without poison.
func plainMask(m []int64) bool {
	poison := 0
	for _, x := range m {
		if x < 0 {
			poison++
		}
	}
	return poison == 0 || poison == len(m)
}

// value returns the number of an operand.
func (w *writer) value(v ir.Value) uint32 {
	switch v.Tag() {
	case ir.TagLocal:
		return w.fn.vals[v.Index()]
	case ir.TagConst:
		return w.fn.consts.ids[v.Const()] - 1
	case ir.TagGlobal:
		return w.values[v.Global()]
	case ir.TagInlineAsm:
		return w.fn.asmOf[v.Index()]
	case ir.TagMetadata:
		return uint32(w.mdNum(v.MD())) - 1
	}
	w.fail("an operand is no value")
	return 0
}

// rel appends a value number, counted back from the current one.
func (w *writer) rel(r []uint64, v ir.Value) []uint64 {
	return append(r, uint64(w.fn.next-w.value(v)))
}

// relTyped appends also the type, where the value is defined later.
func (w *writer) relTyped(r []uint64, v ir.Value) []uint64 {
	n := w.value(v)
	r = append(r, uint64(w.fn.next-n))
	if n >= w.fn.next {
		r = append(r, w.typ(w.fn.f.TypeOf(v)))
	}
	return r
}

func (w *writer) blk(v ir.Value) uint64 { return uint64(w.fn.blocks[v.Block()]) }

// functionMetadata writes the metadata of local values and lists of values.
func (w *writer) functionMetadata() {
	fn := &w.fn
	f := fn.f
	base := uint32(len(w.md.strs) + len(w.md.extras) + len(w.intList) + len(w.md.nodes))
	var lists []ir.MDID
	var add func(id ir.MDID)
	add = func(id ir.MDID) {
		if id == 0 || fn.md[id] != 0 {
			return
		}
		switch n := w.m.MD.At(id); n.Kind {
		case ir.MDLocal:
			fn.locals = append(fn.locals, id)
			fn.md[id] = ^uint32(0)
		case ir.MDArgList:
			for _, o := range n.Ops {
				add(o)
			}
			lists = append(lists, id)
			fn.md[id] = ^uint32(0)
		}
	}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			for r := in.Records; r != 0; r = f.DbgRecords[r].Next {
				for _, a := range f.DbgRecords[r].Args {
					add(a)
				}
			}
			for _, v := range f.Ops(i) {
				add(v.MD())
			}
			if in.Extra != 0 {
				for _, x := range f.Extras[in.Extra].Bundles {
					for _, v := range x.Args {
						add(v.MD())
					}
				}
			}
		}
	}
	if len(fn.locals)+len(lists) == 0 {
		return
	}
	for _, id := range append(fn.locals, lists...) {
		base++
		fn.md[id] = base
	}
	w.enter(blkMetadata, 3)
	for _, id := range fn.locals {
		n := w.m.MD.At(id)
		w.record(mdValue, w.typ(n.Type), uint64(w.value(n.Value)))
	}
	for _, id := range lists {
		r := w.rec[:0]
		for _, o := range w.m.MD.At(id).Ops {
			r = append(r, w.mdNum(o)-1)
		}
		w.record(mdArgList, r...)
		w.rec = r
	}
	w.leave()
}

func (w *writer) debugLoc(loc ir.MDID) {
	if loc == 0 {
		return
	}
	if loc == w.fn.loc {
		w.record(fnDebugLocAgain)
		return
	}
	w.fn.loc = loc
	l, _ := w.m.MD.Location(loc)
	w.inst(abvDebugLoc, fnDebugLoc, []uint64{uint64(l.Line), uint64(l.Column), w.mdNum(l.Scope), w.mdNum(l.InlinedAt), bit(l.ImplicitCode), l.AtomGroup, uint64(l.AtomRank)})
}

func (w *writer) debugRecords(r uint32) {
	f := w.fn.f
	for ; r != 0; r = f.DbgRecords[r].Next {
		d := &f.DbgRecords[r]
		n := func(id ir.MDID) uint64 { return w.mdNum(id) - 1 }
		switch d.Kind {
		case ir.DbgLabel:
			w.record(fnDbgLabel, n(d.Loc), n(d.Args[0]))
		case ir.DbgAssign:
			w.record(fnDbgAssign, n(d.Loc), n(d.Args[1]), n(d.Args[2]), n(d.Args[0]), n(d.Args[3]), n(d.Args[5]), n(d.Args[4]))
		default:
			code := map[ir.DbgKind]uint32{ir.DbgValue: fnDbgValue, ir.DbgDeclare: fnDbgDeclare, ir.DbgDeclareValue: fnDbgDeclareValue}[d.Kind]
			w.record(code, n(d.Loc), n(d.Args[1]), n(d.Args[2]), n(d.Args[0]))
		}
	}
}

func (w *writer) symtab(f *ir.Function) {
	any := false
	for _, n := range f.ValueNames {
		any = any || n != ""
	}
	for _, n := range f.BlockNames {
		any = any || n != ""
	}
	if !any {
		return
	}
	w.enter(blkValueSymtab, 4)
	for i, n := range f.ValueNames {
		if n != "" && (i <= f.NumArgs || f.Instrs[i].Block != 0 && f.Instrs[i].Type != ir.Void) {
			w.symtabEntry(vstEntry, uint64(w.fn.vals[i]), n)
		}
	}
	for _, b := range f.Order {
		if n := f.BlockNames[b]; n != "" {
			w.symtabEntry(vstBBEntry, uint64(w.fn.blocks[b]), n)
		}
	}
	w.leave()
}

func (w *writer) attachments(f *ir.Function) {
	w.enter(blkMetadataAttach, 3)
	r := w.rec[:0]
	for _, a := range f.Global().MD {
		r = append(r, uint64(a.Kind), w.mdNum(a.Node)-1)
	}
	if len(r) > 0 {
		w.record(mdAttachment, r...)
	}
	n := uint64(0)
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			if at := f.Instrs[i].MD; at != 0 {
				r = append(r[:0], n)
				for ; at != 0; at = f.Attachments[at].Next {
					r = append(r, uint64(f.Attachments[at].Kind), w.mdNum(f.Attachments[at].Node)-1)
				}
				w.record(mdAttachment, r...)
			}
			n++
		}
	}
	w.rec = r
	w.leave()
}
