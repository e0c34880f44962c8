package irtext

import "github.com/mirin-go/mirin/ir"

// findTypes walks the module as LLVM does to find the identified structs that
// it uses, in the order in which they are defined in the text.
func (p *printer) findTypes() {
	p.typeSeen = make([]bool, p.t.Len())
	m := p.m
	consts := &m.Consts
	seen := map[*ir.ConstPool][]bool{}
	for _, id := range m.Vars {
		g := m.Globals[id]
		p.seeType(g.ValueType)
		p.seeValue(consts, g.Init, seen)
	}
	for _, id := range m.Aliases {
		p.seeType(m.Globals[id].ValueType)
		p.seeValue(consts, m.Globals[id].Init, seen)
	}
	for _, id := range m.IFuncs {
		p.seeType(m.Globals[id].ValueType)
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		p.seeType(g.ValueType)
		p.seeAttrs(g.Attrs)
		for _, v := range [...]ir.Value{g.Prefix, g.Prologue, g.Persona} {
			p.seeValue(consts, v, seen)
		}
		if g.Func != nil {
			p.seeBody(g.Func, seen)
		}
	}
	for _, n := range m.MD.Nodes() {
		if n.Kind == ir.MDConst {
			p.seeValue(consts, n.Value, seen)
		}
	}
	n := 0
	for _, t := range p.typeOrder {
		if p.t.StructName(t) == "" {
			p.typeNums[t] = n
			n++
		}
	}
}

func (p *printer) seeBody(f *ir.Function, seen map[*ir.ConstPool][]bool) {
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			p.seeType(in.Type)
			for _, v := range f.Ops(i) {
				if v.Tag() == ir.TagConst {
					p.seeValue(&f.Consts, v, seen)
				}
			}
			if in.SrcType != 0 {
				p.seeType(in.SrcType)
			}
			p.seeAttrs(in.Attrs)
		}
	}
}

func (p *printer) seeAttrs(id ir.AttrListID) {
	if id == 0 {
		return
	}
	l := p.m.Attrs.At(id)
	see := func(s ir.AttrSet) {
		for i := range s {
			if s[i].Type != 0 {
				p.seeType(s[i].Type)
			}
		}
	}
	see(l.Fn)
	see(l.Ret)
	for _, s := range l.Params {
		see(s)
	}
}

func (p *printer) seeValue(pool *ir.ConstPool, v ir.Value, seen map[*ir.ConstPool][]bool) {
	c := v.Const()
	if c == 0 {
		return
	}
	s := seen[pool]
	if s == nil {
		s = make([]bool, pool.Len())
		seen[pool] = s
	}
	if s[c] {
		return
	}
	s[c] = true
	r := pool.At(c)
	p.seeType(r.Type)
	if r.SrcType != 0 {
		p.seeType(r.SrcType)
	}
	switch r.Kind {
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstExpr, ir.ConstPtrAuth:
		for _, o := range pool.Ops(c) {
			p.seeValue(pool, o, seen)
		}
	}
}

// seeType finds the structs in t, outer ones first. What a type consists of
// counts as seen before any of it is looked at, as in LLVM.
func (p *printer) seeType(t ir.Type) {
	if t < 20 || p.typeSeen[t] {
		return
	}
	p.typeSeen[t] = true
	work := append(p.typeWork[:0], t)
	push := func(s ir.Type) {
		if s >= 20 && !p.typeSeen[s] {
			p.typeSeen[s] = true
			work = append(work, s)
		}
	}
	for len(work) > 0 {
		t := work[len(work)-1]
		work = work[:len(work)-1]
		if p.t.IsIdentified(t) {
			p.typeOrder = append(p.typeOrder, t)
		}
		subs := p.t.Subtypes(t)
		for i := len(subs) - 1; i >= 0; i-- {
			push(subs[i])
		}
		switch p.t.Kind(t) {
		case ir.KindArray, ir.KindVector, ir.KindScalableVector:
			push(p.t.Elem(t))
		case ir.KindFunction:
			push(p.t.Result(t))
		}
	}
	p.typeWork = work
}

// typeIdentities appends the definitions of the structs: numbered ones first.
func (p *printer) typeIdentities() {
	if len(p.typeOrder) == 0 {
		return
	}
	p.char('\n')
	for _, named := range [...]bool{false, true} {
		for _, t := range p.typeOrder {
			if (p.t.StructName(t) != "") != named {
				continue
			}
			p.typ(t)
			p.str(" = type ")
			p.b = appendStructBody(p.b, p.t, t, p.typeNums)
			p.char('\n')
		}
	}
}
