package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
)

// finish gives provisional ids their final values, in the order of the
// functions, and stores the bodies in their globals.
func (sh *shared) finish(top *parser) (warnings []string) {
	sh.resolveForwardGlobals()
	sh.resolveGroups()
	for _, b := range sh.bodies {
		sh.finishBody(b)
		sh.m.Globals[b.g].Func = b.fn
	}
	sh.uniqueMetadata()
	return autoupgrade.Module(sh.m, sh.implicitList...)
}

func (sh *shared) resolveForwardGlobals() {
	if len(sh.fwdList) == 0 {
		return
	}
	fix := func(v ir.Value) ir.Value {
		if v.Tag() == tagForward {
			return ir.GlobalVal(sh.fwdList[v.Index()].id)
		}
		return v
	}
	sh.m.Consts.RewriteOps(fix)
	for _, g := range sh.m.Globals[1:] {
		g.Init, g.Prefix, g.Prologue, g.Persona = fix(g.Init), fix(g.Prefix), fix(g.Prologue), fix(g.Persona)
	}
	for _, n := range sh.m.MD.Nodes() {
		if n.Kind == ir.MDConst {
			n.Value = fix(n.Value)
		}
	}
}

func (sh *shared) finishBody(b *body) {
	f, w := b.fn, b.w
	for _, i := range b.fix.operands {
		switch v := f.Operands[i]; v.Tag() {
		case ir.TagMetadata:
			f.Operands[i] = ir.MDVal(sh.finalMD(w, v.MD()))
		case ir.TagInlineAsm:
			f.Operands[i] = ir.AsmVal(sh.finalAsm(w, v.Index()))
		}
	}
	for _, v := range b.fix.bundles {
		switch v.Tag() {
		case ir.TagMetadata:
			*v = ir.MDVal(sh.finalMD(w, v.MD()))
		case ir.TagInlineAsm:
			*v = ir.AsmVal(sh.finalAsm(w, v.Index()))
		}
	}
	for _, i := range b.fix.lists {
		in := f.Instr(i)
		n := uint32(in.Attrs) &^ mdProvisional
		for len(w.listFinal) < len(w.lists) {
			w.listFinal = append(w.listFinal, 0)
		}
		if w.listFinal[n] == 0 {
			w.listFinal[n] = sh.m.Attrs.Intern(w.lists[n])
		}
		in.Attrs = w.listFinal[n]
	}
	for _, i := range b.fix.scopes {
		in := f.Instr(i)
		in.Scope = sh.m.SyncScope(w.scopes[in.Scope&^mdProvisional])
	}
	for _, i := range b.fix.locs {
		in := f.Instr(i)
		in.Loc = sh.finalMD(w, in.Loc)
	}
	for _, i := range b.fix.attach {
		a := &f.Attachments[i]
		a.Node = sh.finalMD(w, a.Node)
		if a.Kind&mdProvisional != 0 {
			a.Kind = sh.m.MDKind(w.kinds[a.Kind&^mdProvisional])
		}
	}
	for _, i := range b.fix.records {
		r := &f.DbgRecords[i]
		for k := range r.Args {
			r.Args[k] = sh.finalMD(w, r.Args[k])
		}
		r.Loc = sh.finalMD(w, r.Loc)
	}
}

// finalMD moves a worker's node, and what it refers to, into the module.
func (sh *shared) finalMD(w *worker, id ir.MDID) ir.MDID {
	if id&mdProvisional == 0 {
		return id
	}
	i := int(id &^ mdProvisional)
	for len(w.mdFinal) < len(w.md) {
		w.mdFinal = append(w.mdFinal, 0)
	}
	if w.mdFinal[i] != 0 {
		return w.mdFinal[i]
	}
	n := w.md[i]
	if d := sh.deferred; d != nil {
		w.mdFinal[i] = d.addString(n)
		return w.mdFinal[i]
	}
	if n.Kind == ir.MDString {
		if id := sh.mdStrings[n.Str]; id != 0 {
			w.mdFinal[i] = id
			return id
		}
	}
	if l, ok := ir.LocationOf(n); ok {
		l.Scope, l.InlinedAt = sh.finalMD(w, l.Scope), sh.finalMD(w, l.InlinedAt)
		w.mdFinal[i] = sh.m.MD.AddLocation(l)
		return w.mdFinal[i]
	}
	final := sh.m.MD.Add(n)
	w.mdFinal[i] = final
	if n.Kind == ir.MDString {
		sh.mdStrings[n.Str] = final
	}
	for k := range n.Ops {
		n.Ops[k] = sh.finalMD(w, n.Ops[k])
	}
	for k := range n.Fields {
		n.Fields[k].Node = sh.finalMD(w, n.Fields[k].Node)
	}
	if n.Kind == ir.MDConst {
		n.Value = sh.m.Consts.CopyFrom(w.mdPool, n.Value)
	}
	return final
}

func (sh *shared) finalAsm(w *worker, i uint32) uint32 {
	if i&mdProvisional == 0 {
		return i
	}
	i &^= mdProvisional
	for len(w.asmFinal) < len(w.asms) {
		w.asmFinal = append(w.asmFinal, 0)
	}
	if w.asmFinal[i] == 0 {
		w.asmFinal[i] = sh.m.AddInlineAsm(w.asms[i])
	}
	return w.asmFinal[i]
}

// lateBlockAddr is a blockaddress constant of the top level or of another
// function: its block is known once that body is parsed.
type lateBlockAddr struct {
	pool *ir.ConstPool
	c    ir.ConstID
	t    ir.Type
	name string
	num  uint32
	off  int
	// The function, by name or number, and where it is named.
	fn    string
	fnNum uint32
	fnOff int
	// known says that the function stands before the constant.
	known bool
}

// blockAddress reads blockaddress(@f, %b). A function that is defined further
// down is looked for at the end of the module.
func (p *parser) blockAddress(t ir.Type) ir.Value {
	start := p.off
	p.next()
	p.expect('(', "expected '(' in block address expression")
	if p.tok != tGlobal && p.tok != tGlobalID {
		p.notGlobal("expected function name in blockaddress")
		return 0
	}
	l := lateBlockAddr{t: t, fnOff: p.off, fnNum: uint32(p.num)}
	g := ir.GlobalID(0)
	if p.tok == tGlobal {
		l.fn = p.str()
		g = p.m.Lookup(l.fn)
	} else if int64(p.num) < p.globalNums.next() {
		g = p.globalNums.at(l.fnNum)
	}
	p.next()
	p.expect(',', "expected comma in block address expression")
	if !p.ok() {
		return 0
	}
	if p.tok != tLocal && p.tok != tLocalID {
		p.error("expected basic block name in blockaddress")
		return 0
	}
	l.off = p.off
	if g != 0 {
		gl := p.m.Globals[g]
		known := p.fn == nil || g <= p.fn.f.ID // has LLVM read it by here?
		l.known = known
		switch {
		case gl.Kind != ir.GlobalFunc:
			p.errorAt(l.fnOff, "expected function name in blockaddress")
			return 0
		case gl.IsDecl:
			p.errorAt(l.fnOff, "cannot take blockaddress inside a declaration")
			return 0
		case known && p.tok == tLocalID && (p.fn == nil || g != p.fn.f.ID):
			p.error("cannot take address of numeric label after the function is defined")
			return 0
		case known && p.t.Pointer(gl.AddrSpace) != t:
			p.errorAt(start, "constant expression type mismatch: got type '"+p.typeString(p.t.Pointer(gl.AddrSpace))+"' but expected '"+p.typeString(t)+"'")
			return 0
		}
		if p.fn != nil && g == p.fn.f.ID {
			return p.ownBlockAddress(g, t)
		}
	} else if p.t.Kind(t) != ir.KindPointer {
		p.errorAt(start, "type of blockaddress must be a pointer and not '"+p.typeString(t)+"'")
		return 0
	}
	l.num = uint32(p.num)
	if p.tok == tLocal {
		l.name = p.str()
	}
	p.next()
	p.expect(')', "expected ')' in block address expression")
	l.c = p.pool.BlockAddr(0, 0)
	p.pool.SetBlockFunc(l.c, ir.GlobalVal(g), t)
	if p.fn != nil && p.pool == &p.fn.f.Consts {
		p.fn.body.lateBA = append(p.fn.body.lateBA, l)
		return ir.ConstVal(l.c)
	}
	l.pool = p.pool
	if p.fn == nil {
		p.lateBA = append(p.lateBA, l)
	} else {
		p.lateError(l.off, rankBlockAddr, "", "blockaddress in metadata of a function is not supported")
	}
	return ir.ConstVal(l.c)
}

// ownBlockAddress reads the block of a blockaddress of the function that is being parsed.
func (p *parser) ownBlockAddress(g ir.GlobalID, t ir.Type) ir.Value {
	v := p.localRef(ir.Label)
	p.expect(')', "expected ')' in block address expression")
	if !p.ok() {
		return 0
	}
	c := p.pool.BlockAddr(g, v.Block())
	p.pool.SetBlockFunc(c, ir.GlobalVal(g), t)
	if v.Tag() == tagForward {
		p.fn.blockVals = append(p.fn.blockVals, blockRef{c, v.Index()})
	}
	return ir.ConstVal(c)
}

func (sh *shared) blockAddrFunc(l *lateBlockAddr) ir.GlobalID {
	if l.fn != "" {
		return sh.m.Lookup(l.fn)
	}
	if int64(l.fnNum) < sh.globalNums.next() {
		return sh.globalNums.at(l.fnNum)
	}
	return 0
}

// resolveBlockAddrs fills in the blocks of blockaddress constants of the top
// level and of other functions.
func (sh *shared) resolveBlockAddrs() *parseError {
	for _, b := range sh.bodies {
		for _, l := range b.lateBA {
			l.pool = &b.fn.Consts
			sh.lateBA = append(sh.lateBA, l)
		}
	}
	for i := range sh.lateBA {
		l := &sh.lateBA[i]
		g := sh.blockAddrFunc(l)
		late := func(off int, msg string) *parseError {
			return &parseError{off: off, msg: msg, late: true, rank: rankBlockAddr}
		}
		if g == 0 || sh.m.Globals[g].Kind != ir.GlobalFunc {
			return late(l.fnOff, "expected function name in blockaddress")
		}
		if got := sh.t.Pointer(sh.m.Globals[g].AddrSpace); got != l.t {
			name := l.name
			if name == "" {
				name = strconv.Itoa(int(l.num))
			}
			p := &parser{shared: sh}
			return late(l.off, "'"+name+"' defined with type '"+p.typeString(got)+"' but expected '"+p.typeString(l.t)+"'")
		}
		b := sh.bodyOf[g]
		if b == nil || b.fn == nil {
			return &parseError{off: l.off, msg: "cannot take blockaddress inside a declaration", late: true, rank: rankBlockAddr}
		}
		id, name := b.nums[l.num], "%"+strconv.Itoa(int(l.num))
		if l.name != "" {
			id, name = b.blocks[l.name], "%"+l.name
		}
		if id == 0 && l.known {
			return late(l.off, "referenced value is not a basic block")
		}
		if id == 0 {
			return &parseError{off: l.off, msg: "use of undefined value '" + name + "'", late: true, rank: rankBlockAddr}
		}
		t := l.pool.At(l.c).Type
		l.pool.SetBlockFunc(l.c, ir.GlobalVal(g), t)
		l.pool.SetBlock(l.c, id)
	}
	return nil
}
