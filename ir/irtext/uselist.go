package irtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// lateUseList is a uselistorder of a global: its uses are counted when all is read.
type lateUseList struct {
	v   ir.Value
	off int
	n   int // number of indexes
	// The function and block of uselistorder_bb.
	fn       ir.GlobalID
	label    string
	labelOff int
}

// useListOrder reads a uselistorder directive, checks it and keeps it.
func (p *parser) useListOrder() {
	off := p.off
	bb := p.is("uselistorder_bb")
	p.next()
	if bb {
		p.useListOrderBlock()
		return
	}
	_, v := p.typeAndValue()
	p.expect(',', "expected comma in uselistorder directive")
	n := p.useListIndexes()
	if !p.ok() {
		return
	}
	switch {
	case p.fn == nil && v.Tag() == ir.TagGlobal:
		p.m.AddUseOrder(v, p.useIndexes)
	case p.fn != nil && (v.Tag() == ir.TagLocal || v.Tag() == ir.TagBlock):
		p.fn.f.AddUseOrder(v, p.useIndexes)
	}
	if v.Tag() == tagForward && p.fn == nil {
		uses := 0
		p.m.Consts.EachOp(func(o ir.Value) {
			if o == v {
				uses++
			}
		})
		for _, g := range p.m.Globals[1:] {
			if g.Init == v {
				uses++
			}
		}
		if f := p.fwdList[v.Index()]; uses == 0 && !strings.HasPrefix(f.name, "llvm.") {
			p.errorAt(off, "value has no uses")
			return
		}
	}
	if v.Tag() == ir.TagGlobal || v.Tag() == tagForward && p.fn == nil {
		p.lateUses = append(p.lateUses, lateUseList{v: v, off: off, n: n})
		return
	}
	if p.fn == nil || v.Tag() != ir.TagLocal {
		return
	}
	uses := 0
	for _, o := range p.fn.f.Operands {
		if o == v {
			uses++
		}
	}
	// Uses that come before the definition are not counted yet.
	if uses > n || len(p.fn.forward) == 0 {
		p.checkUses(off, n, uses)
	}
}

func (p *parser) checkUses(off, indexes, uses int) {
	switch {
	case uses == 0:
		p.errorAt(off, "value has no uses")
	case uses == 1:
		p.errorAt(off, "value only has one use")
	case uses != indexes:
		p.errorAt(off, "wrong number of indexes, expected "+strconv.Itoa(uses))
	}
}

// useListIndexes reads { 1, 0, … }, a permutation that changes the order.
func (p *parser) useListIndexes() int {
	off := p.off
	if !p.expect('{', "expected '{' here") {
		return 0
	}
	if p.tok == '}' {
		p.error("expected non-empty list of uselistorder indexes")
		return 0
	}
	n, sum, most, ordered := 0, uint32(0), uint64(0), true
	p.useIndexes = p.useIndexes[:0]
	for p.ok() {
		i := p.uint(32)
		p.useIndexes = append(p.useIndexes, uint32(i))
		sum += uint32(i) - uint32(n)
		most = max(most, i)
		ordered = ordered && i == uint64(n)
		n++
		if !p.eat(',') {
			break
		}
	}
	p.expect('}', "expected '}' here")
	switch {
	case !p.ok():
	case n < 2:
		p.errorAt(off, "expected >= 2 uselistorder indexes")
	case sum != 0 || most >= uint64(n):
		p.errorAt(off, "expected distinct uselistorder indexes in range [0, size)")
	case ordered:
		p.errorAt(off, "expected uselistorder indexes to change the order")
	}
	return n
}

// useListOrderBlock reads the rest of uselistorder_bb @f, %b, { … }.
func (p *parser) useListOrderBlock() {
	fOff, fTok := p.off, p.tok
	if p.tok == tEOF {
		p.error("expected value token")
		return
	}
	name, num := "", p.num
	if fTok == tGlobal {
		name = p.str()
	}
	p.next()
	p.expect(',', "expected comma in uselistorder_bb directive")
	bOff, bTok, label := p.off, p.tok, ""
	if p.tok == tLocal {
		label = p.str()
	}
	p.next()
	p.expect(',', "expected comma in uselistorder_bb directive")
	n := p.useListIndexes()
	if !p.ok() {
		return
	}
	var id ir.GlobalID
	switch fTok {
	case tGlobal:
		id = p.m.Lookup(name)
	case tGlobalID:
		if num < uint64(p.globalNums.next()) {
			id = p.globalNums.at(uint32(num))
		}
	default:
		p.errorAt(fOff, "expected function name in uselistorder_bb")
		return
	}
	switch {
	case id == 0:
		p.errorAt(fOff, "invalid function forward reference in uselistorder_bb")
	case p.m.Globals[id].Kind != ir.GlobalFunc:
		p.errorAt(fOff, "expected function name in uselistorder_bb")
	case p.m.Globals[id].IsDecl:
		p.errorAt(fOff, "invalid declaration in uselistorder_bb")
	case bTok == tLocalID:
		p.errorAt(bOff, "invalid numeric label in uselistorder_bb")
	case bTok != tLocal:
		p.errorAt(bOff, "expected basic block name in uselistorder_bb")
	default:
		p.lateUses = append(p.lateUses, lateUseList{off: fOff, n: n, fn: id, label: label, labelOff: bOff})
	}
}

// blockUses checks a uselistorder_bb when the bodies are known.
func (sh *shared) blockUses(l *lateUseList) *parseError {
	b := sh.bodyOf[l.fn]
	if b == nil || b.fn == nil {
		return nil
	}
	f := b.fn
	id := ir.BlockID(slices.Index(f.BlockNames[1:], l.label) + 1)
	if id == 0 {
		if slices.Contains(f.ValueNames, l.label) {
			return &parseError{off: l.labelOff, msg: "expected basic block in uselistorder_bb"}
		}
		return &parseError{off: l.labelOff, msg: "invalid basic block in uselistorder_bb"}
	}
	return nil
}

// countUses checks the directives about globals.
func (sh *shared) countUses(p *parser) *parseError {
	for _, l := range sh.lateUses {
		v := l.v
		if l.fn != 0 {
			if e := sh.blockUses(&l); e != nil {
				return e
			}
			continue
		}
		if v.Tag() == tagForward && strings.HasPrefix(sh.fwdList[v.Index()].name, "llvm.") {
			continue
		}
		uses := 0
		count := func(o ir.Value) {
			if o == v {
				uses++
			}
		}
		sh.m.Consts.EachOp(count)
		for _, g := range sh.m.Globals[1:] {
			count(g.Init)
			count(g.Persona)
			count(g.Prefix)
			count(g.Prologue)
		}
		for _, b := range sh.bodies {
			if b.fn == nil {
				continue
			}
			for _, o := range b.fn.Operands {
				count(o)
			}
			b.fn.Consts.EachOp(count)
		}
		q := &parser{shared: sh}
		q.checkUses(l.off, l.n, uses)
		if q.err != nil {
			return q.err
		}
	}
	return nil
}
