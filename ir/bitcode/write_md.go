package bitcode

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// outMD is the metadata that the module's blocks refer to: strings first,
// then values and nodes. Nodes of local values are written in the functions.
type outMD struct {
	ids     []uint32 // by MDID: number plus one
	strs    []ir.MDID
	nodes   []ir.MDID
	extra   map[string]uint32 // strings of fields: number
	extras  []string
	intBase uint32
	seen    []bool
}

// addMD lists a node behind what it refers to. As in LLVM, distinct nodes that
// uniqued ones refer to come behind the uniqued graph, so that few references
// lead forward.
func (w *writer) addMD(id ir.MDID) {
	type frame struct {
		id  ir.MDID
		ops []ir.MDID
	}
	var todo []frame
	var later []ir.MDID
	if w.startMD(id) {
		todo = append(todo, frame{id, w.mdOperands(id)})
	}
	for len(todo) > 0 {
		top := &todo[len(todo)-1]
		distinct := w.distinct(top.id)
		if len(top.ops) > 0 {
			o := top.ops[0]
			top.ops = top.ops[1:]
			if !w.startMD(o) {
				continue
			}
			if w.distinct(o) && !distinct {
				later = append(later, o)
			} else {
				todo = append(todo, frame{o, w.mdOperands(o)})
			}
			continue
		}
		if w.m.MD.IsLocation(top.id) || w.m.MD.At(top.id).Kind != ir.MDArgList {
			w.md.nodes = append(w.md.nodes, top.id)
		}
		todo = todo[:len(todo)-1]
		if len(todo) == 0 || w.distinct(todo[len(todo)-1].id) {
			for _, o := range later {
				todo = append(todo, frame{o, w.mdOperands(o)})
			}
			later = later[:0]
		}
	}
}

func (w *writer) distinct(id ir.MDID) bool {
	if l, ok := w.m.MD.Location(id); ok {
		return l.Distinct
	}
	return w.m.MD.At(id).Distinct
}

// startMD lists strings and values, and reports nodes that are not listed yet.
func (w *writer) startMD(id ir.MDID) bool {
	if id == 0 || w.md.seen[id] {
		return false
	}
	w.md.seen[id] = true
	if w.m.MD.IsLocation(id) {
		return true
	}
	n := w.m.MD.At(id)
	if n == nil {
		return false
	}
	switch n.Kind {
	case ir.MDString:
		w.md.strs = append(w.md.strs, id)
		return false
	case ir.MDConst, ir.MDPoisonValue:
		w.addType(n.Type)
		w.addConst(&w.m.Consts, &w.consts, n.Value)
		if n.Value != 0 {
			w.operandTypeM(n.Value)
		}
		w.md.nodes = append(w.md.nodes, id)
		return false
	case ir.MDLocal, ir.MDNone:
		return false
	}
	return true
}

// mdOperands lists what a node refers to, and notes the strings and numbers of its fields.
func (w *writer) mdOperands(id ir.MDID) []ir.MDID {
	if l, ok := w.m.MD.Location(id); ok {
		return []ir.MDID{l.Scope, l.InlinedAt}
	}
	n := w.m.MD.At(id)
	if len(n.Fields) == 0 {
		return n.Ops
	}
	var ops []ir.MDID
	for i := range n.Fields {
		f := &n.Fields[i]
		switch f.Kind {
		case ir.MDFieldNode:
			if f.Node == 0 {
				continue
			}
			if n.Str == "GenericDINode" {
				ops = append(ops, w.m.MD.At(f.Node).Ops...) // the operands stand in the node itself
				continue
			}
			ops = append(ops, f.Node)
		case ir.MDFieldString:
			w.addFieldString(f.Str)
		case ir.MDFieldInt:
			if x := recordByClass(n.Str); x != nil {
				for k := range x.ops {
					if x.ops[k].name == f.Name && (x.ops[k].kind == opBound || x.ops[k].kind == opNode) {
						w.addInt(fieldInt(f))
					}
				}
			}
		}
	}
	return append(ops, n.Ops...)
}

func fieldInt(f *ir.MDField) int64 {
	if f.Neg {
		return -int64(f.Int)
	}
	return int64(f.Int)
}

func (w *writer) addInt(v int64) {
	if _, ok := w.ints[v]; !ok {
		w.ints[v] = uint32(len(w.intList))
		w.intList = append(w.intList, v)
	}
}

func (w *writer) addFieldString(s string) {
	if _, ok := w.md.extra[s]; !ok {
		w.md.extra[s] = 0
		w.md.extras = append(w.md.extras, s)
	}
}

func (w *writer) operandTypeM(v ir.Value) {
	if v.Tag() == ir.TagGlobal {
		w.addType(w.t.Pointer(w.m.Globals[v.Global()].AddrSpace))
	}
}

// enumMetadata numbers all metadata of the module and its functions.
func (w *writer) enumMetadata() {
	m := w.m
	w.md = outMD{ids: make([]uint32, m.MD.Len()), seen: make([]bool, m.MD.Len()), extra: map[string]uint32{}}
	attach := func(l []ir.Attachment) {
		for _, a := range l {
			w.addMD(a.Node)
		}
	}
	for _, l := range m.NamedMD {
		for _, id := range l.Nodes {
			w.addMD(id)
		}
	}
	for _, g := range m.Globals[1:] {
		attach(g.MD)
	}
	for _, id := range m.Funcs {
		f := m.Globals[id].Func
		if f == nil {
			continue
		}
		for _, b := range f.Order {
			for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
				in := &f.Instrs[i]
				for r := in.Records; r != 0; r = f.DbgRecords[r].Next {
					for _, a := range f.DbgRecords[r].Args {
						w.addMD(a)
					}
					w.addMD(f.DbgRecords[r].Loc)
				}
				for _, v := range f.Ops(i) {
					w.addMD(v.MD())
				}
				for _, x := range f.Extras[in.Extra].Bundles {
					for _, v := range x.Args {
						w.addMD(v.MD())
					}
				}
				if in.Loc != 0 {
					l, _ := m.MD.Location(in.Loc)
					w.addMD(l.Scope)
					w.addMD(l.InlinedAt)
				}
				for a := in.MD; a != 0; a = f.Attachments[a].Next {
					w.addMD(f.Attachments[a].Node)
				}
			}
		}
	}
	// A string that a node has too is one string.
	n := uint32(0)
	for _, id := range w.md.strs {
		n++
		w.md.ids[id] = n
		s := m.MD.At(id).Str
		if _, ok := w.md.extra[s]; ok {
			w.md.extra[s] = n
		}
	}
	keep := w.md.extras[:0]
	for _, s := range w.md.extras {
		if w.md.extra[s] == 0 {
			n++
			w.md.extra[s] = n
			keep = append(keep, s)
		}
	}
	w.md.extras = keep
	w.md.intBase = n
	n += uint32(len(w.intList))
	// Values first, then distinct nodes, then uniqued ones.
	class := func(id ir.MDID) int {
		switch {
		case !m.MD.IsLocation(id) && isValue(m.MD.At(id)):
			return 0
		case w.distinct(id):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(w.md.nodes, func(a, b ir.MDID) int { return class(a) - class(b) })
	for _, id := range w.md.nodes {
		n++
		w.md.ids[id] = n
	}
}

func isValue(n *ir.MDNode) bool { return n.Kind == ir.MDConst || n.Kind == ir.MDPoisonValue }

func (w *writer) metadataKinds() {
	w.enter(blkMetadataKind, 3)
	for i, k := range w.m.MDKinds() {
		w.text(mdKind, k, uint64(i))
	}
	w.leave()
}

// mdNum returns a node's number plus one, 0 for none.
func (w *writer) mdNum(id ir.MDID) uint64 {
	if id == 0 {
		return 0
	}
	if n := w.md.ids[id]; n != 0 {
		return uint64(n)
	}
	if n := w.fn.md[id]; n != 0 {
		return uint64(n)
	}
	w.fail("metadata was not enumerated")
	return 0
}

func (w *writer) moduleMetadata() {
	m := w.m
	has := len(w.md.strs)+len(w.md.extras)+len(w.md.nodes)+len(m.NamedMD)+len(w.intList) > 0
	for _, g := range m.Globals[1:] {
		has = has || len(g.MD) > 0 && g.Func == nil
	}
	if !has {
		return
	}
	w.enter(blkMetadata, 4)
	w.mdStrings()
	w.mdRecords()
	name, nameID := stringAbbrev(mdName, 8), uint32(0)
	if len(m.NamedMD) > 0 {
		nameID = w.define(name)
	}
	for _, l := range m.NamedMD {
		w.rec = bytesOf(w.rec[:0], l.Name)
		w.short(nameID, name, mdName, w.rec)
		r := w.rec[:0]
		for _, id := range l.Nodes {
			r = append(r, w.mdNum(id)-1)
		}
		w.record(mdNamedNode, r...)
		w.rec = r
	}
	for _, l := range [...][]ir.GlobalID{m.Vars, m.Funcs, m.IFuncs} {
		for _, id := range l {
			g := m.Globals[id]
			if len(g.MD) == 0 || g.Func != nil {
				continue
			}
			r := append(w.rec[:0], uint64(w.values[id]))
			for _, a := range g.MD {
				r = append(r, uint64(a.Kind), w.mdNum(a.Node)-1)
			}
			w.record(mdGlobalAttach, r...)
			w.rec = r
		}
	}
	w.leave()
}

// mdRecords writes values and nodes. Where there are many, an index of their
// places follows, so that readers can load some of them only.
func (w *writer) mdRecords() {
	n := len(w.intList) + len(w.md.nodes)
	limit := w.o.IndexThreshold
	switch {
	case limit == 0:
		limit = DefaultIndexThreshold
	case limit < 0:
		limit = 0
	}
	indexed := n > limit
	index := abbrev{lit(mdIndex), {kind: encArray}, vbrOp(6)}
	indexID, start := uint32(0), 0
	var places []uint64
	if indexed {
		offset := abbrev{lit(mdIndexOffset), fixed(32), fixed(32)}
		id := w.define(offset)
		indexID = w.define(index)
		w.short(id, offset, mdIndexOffset, []uint64{0, 0})
		start = w.bits()
		places = make([]uint64, 0, n)
	}
	last := start
	note := func() {
		if indexed {
			places = append(places, uint64(w.bits()-last))
			last = w.bits()
		}
	}
	for i := range w.intList {
		note()
		w.record(mdValue, w.typ(ir.Int64), uint64(w.firstInt)+uint64(i))
	}
	for _, id := range w.md.nodes {
		note()
		if l, ok := w.m.MD.Location(id); ok {
			w.record(mdLocation, bit(l.Distinct), uint64(l.Line), uint64(l.Column), w.mdNum(l.Scope)-1, w.mdNum(l.InlinedAt), bit(l.ImplicitCode), l.AtomGroup, uint64(l.AtomRank))
			continue
		}
		w.mdNode(w.m.MD.At(id))
	}
	if indexed {
		w.patch(start-64, uint64(w.bits()-start), 64)
		w.short(indexID, index, mdIndex, places)
	}
}

func (w *writer) mdStrings() {
	var all []string
	for _, id := range w.md.strs {
		all = append(all, w.m.MD.At(id).Str)
	}
	all = append(all, w.md.extras...)
	if len(all) == 0 {
		return
	}
	lens := bitWriter{}
	var chars []byte
	for _, s := range all {
		lens.vbr(uint64(len(s)), 6)
		chars = append(chars, s...)
	}
	lens.align()
	w.blob(mdStrings, append(lens.buf, chars...), uint64(len(all)), uint64(len(lens.buf)))
}

func (w *writer) mdNode(n *ir.MDNode) {
	r := w.rec[:0]
	switch n.Kind {
	case ir.MDConst:
		w.record(mdValue, w.typ(n.Type), uint64(w.moduleValue(n.Value)))
	case ir.MDTuple:
		for _, o := range n.Ops {
			r = append(r, w.mdNum(o))
		}
		code := uint32(mdNode)
		if n.Distinct {
			code = mdDistinct
		}
		w.record(code, r...)
	case ir.MDSpecialized:
		r = w.special(r, n)
	default:
		w.fail("metadata of an unknown kind")
	}
	w.rec = r
}

func field(n *ir.MDNode, name string) *ir.MDField {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i]
		}
	}
	return nil
}

// num is the number of a field, dflt when it is not given.
func num(n *ir.MDNode, name string, dflt uint64) uint64 {
	if f := field(n, name); f != nil {
		return f.Int
	}
	return dflt
}

func (w *writer) str(n *ir.MDNode, name string) uint64 {
	if f := field(n, name); f != nil && f.Kind == ir.MDFieldString {
		return uint64(w.md.extra[f.Str])
	}
	return 0
}

func (w *writer) node(n *ir.MDNode, name string) uint64 {
	f := field(n, name)
	switch {
	case f == nil:
		return 0
	case f.Kind == ir.MDFieldInt:
		return uint64(w.md.intBase) + uint64(w.ints[fieldInt(f)]) + 1
	}
	return w.mdNum(f.Node)
}

func word(f *ir.MDField, k dwarfname.Kind, dflt uint64) uint64 {
	if f == nil {
		return dflt
	}
	if f.Kind != ir.MDFieldWord {
		return f.Int
	}
	n, _ := dwarfname.Number(k, f.Str)
	return n
}

// flagNumber adds up flags that are written as words and numbers with | between them.
func flagNumber(f *ir.MDField, k dwarfname.Kind) (n uint64) {
	if f == nil {
		return 0
	}
	if f.Kind == ir.MDFieldInt {
		return f.Int
	}
	for _, p := range strings.Split(f.Str, " | ") {
		if x, ok := dwarfname.Number(k, p); ok {
			n |= x
		} else if x, err := strconv.ParseUint(p, 10, 64); err == nil {
			n |= x
		}
	}
	return n
}

func (w *writer) special(r []uint64, n *ir.MDNode) []uint64 {
	d := bit(n.Distinct)
	switch n.Str {
	case "DIExpression":
		r = append(r, d|3<<1)
		for i := range n.Fields {
			f := &n.Fields[i]
			if f.Kind == ir.MDFieldWord {
				k := dwarfname.Op
				if strings.HasPrefix(f.Str, string(dwarfname.Encoding)) {
					k = dwarfname.Encoding
				}
				r = append(r, word(f, k, 0))
			} else {
				r = append(r, f.Int)
			}
		}
		w.record(mdExpression, r...)
		return r
	case "GenericDINode":
		r = append(r, d, word(field(n, "tag"), dwarfname.Tag, 0), 0, w.str(n, "header"))
		if f := field(n, "operands"); f != nil && f.Node != 0 {
			for _, o := range w.m.MD.At(f.Node).Ops {
				r = append(r, w.mdNum(o))
			}
		}
		w.record(mdGenericDebug, r...)
		return r
	case "DIEnumerator":
		unsigned := num(n, "isUnsigned", 0)
		v := fieldBig(field(n, "value"))
		bits := max(64, uint(v.BitLen()+1+63)/64*64)
		if unsigned != 0 {
			bits = max(64, uint(v.BitLen()+63)/64*64)
		}
		r = append(r, d|unsigned<<1|4, uint64(bits), w.str(n, "name"))
		for _, x := range bigWords(v, bits) {
			r = append(r, sign(int64(x)))
		}
		w.record(mdEnumerator, r...)
		return r
	case "DIFixedPointType":
		r = append(r, d, word(field(n, "tag"), dwarfname.Tag, tagBaseType), w.str(n, "name"), num(n, "size", 0), num(n, "align", 0),
			word(field(n, "encoding"), dwarfname.Encoding, 0), flagNumber(field(n, "flags"), dwarfname.DIFlag))
		kind := 0
		if f := field(n, "kind"); f != nil {
			kind = max(0, slices.Index(fixedKinds[:], f.Str))
		}
		factor := int64(0)
		if f := field(n, "factor"); f != nil {
			factor = fieldInt(f)
		}
		r = append(r, uint64(kind), uint64(factor))
		for _, name := range [...]string{"numerator", "denominator"} {
			v := fieldBig(field(n, name))
			bits := max(64, uint(v.BitLen()+1+63)/64*64)
			words := bigWords(v, bits)
			r = append(r, uint64(bits)|uint64(len(words))<<32)
			for _, x := range words {
				r = append(r, sign(int64(x)))
			}
		}
		w.record(mdFixedPoint, r...)
		return r
	}
	x := recordByClass(n.Str)
	if x == nil {
		w.fail("metadata class %s is not supported", n.Str)
		return r
	}
	first := d | x.flags
	switch x.code {
	case mdNamespace:
		first |= num(n, "exportSymbols", 0) << 1
	case mdLabel:
		first |= num(n, "isArtificial", 0) << 1
	}
	sizeMD := false
	for _, name := range [...]string{"size", "offset"} {
		if f := field(n, name); f != nil && f.Kind == ir.MDFieldNode && x.size != 0 {
			sizeMD = true
		}
	}
	if sizeMD {
		first |= x.size
	}
	r = append(r, first)
	for i := range x.ops {
		r = append(r, w.fieldOperand(n, &x.ops[i], sizeMD))
	}
	w.record(x.code, r...)
	return r
}

func fieldBig(f *ir.MDField) *big.Int {
	v := new(big.Int)
	switch {
	case f == nil:
	case f.Kind == ir.MDFieldWord:
		v.SetString(f.Str, 10)
	default:
		v.SetUint64(f.Int)
		if f.Neg {
			v.Neg(v)
		}
	}
	return v
}

func (w *writer) fieldOperand(n *ir.MDNode, o *mdOperand, sizeMD bool) uint64 {
	f := field(n, o.name)
	switch o.kind {
	case opNode, opBound:
		return w.node(n, o.name)
	case opString, opKept:
		return w.str(n, o.name)
	case opSize:
		if sizeMD && f != nil && f.Kind == ir.MDFieldInt {
			w.fail("a type with one of size and offset as a number is not supported")
		}
		if sizeMD {
			return w.node(n, o.name)
		}
		return num(n, o.name, 0)
	case opSigned:
		if f != nil {
			return sign(fieldInt(f))
		}
		return 0
	case opInt32:
		if f != nil {
			return uint64(uint32(fieldInt(f)))
		}
		return 0
	case opDIFlags:
		return flagNumber(f, dwarfname.DIFlag)
	case opSPFlags:
		return flagNumber(f, dwarfname.DISPFlag)
	case opEnumKind:
		return word(f, dwarfname.EnumKind, o.dflt)
	case opSpace:
		if f != nil {
			return f.Int + 1
		}
		return 0
	case opOptional:
		return num(n, o.name, ^uint64(0))
	case opPtrAuth:
		return num(n, "ptrAuthKey", 0) | num(n, "ptrAuthIsAddressDiscriminated", 0)<<4 | num(n, "ptrAuthExtraDiscriminator", 0)<<5 |
			num(n, "ptrAuthIsaPointer", 0)<<21 | num(n, "ptrAuthAuthenticatesNullValues", 0)<<22
	case opLang:
		if o.name == "language" {
			if ln := field(n, "sourceLanguageName"); ln != nil {
				return word(ln, dwarfname.LangName, 0) | 1<<63
			}
		}
		return word(f, dwarfname.Lang, 0)
	case opUnsigned, opBool:
		return num(n, o.name, o.dflt)
	}
	if words := o.words(); words != nil {
		if f == nil {
			return o.dflt
		}
		return uint64(max(0, slices.Index(words, f.Str)))
	}
	return word(f, o.names(), o.dflt)
}
