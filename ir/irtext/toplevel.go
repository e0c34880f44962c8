package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// module reads the top level.
func (p *parser) module() {
	p.next()
	for p.ok() && (p.is("target") || p.is("source_filename")) {
		p.topLevelWord()
	}
	p.headDone = true
	for p.ok() {
		if p.layout != nil && !p.is("target") && !p.is("source_filename") {
			p.m.DataLayout = p.layout(p.m.Triple, p.m.DataLayout)
			p.layout = nil
		}
		switch p.tok {
		case tEOF:
			return
		case tWord:
			p.topLevelWord()
		case tLocal, tLocalID:
			p.typeDefinition()
		case tGlobal, tGlobalID:
			p.namedGlobal()
		case tComdat:
			p.comdat()
		case '!':
			p.standaloneMetadata()
		case tMDName:
			p.namedMetadata()
		case tSummary:
			p.summary()
		default:
			// Unnamed globals: "private constant …" begins with a keyword; all else is a fault.
			p.error("expected top-level entity")
		}
	}
}

func (p *parser) topLevelWord() {
	w := p.text()
	if p.headDone && (w == "target" || w == "source_filename") {
		p.error("expected top-level entity") // these come first
	}
	switch w {
	case "define":
		p.define()
	case "declare":
		p.declare()
	case "attributes":
		p.attributeGroup()
	case "target":
		p.target()
	case "source_filename":
		p.next()
		p.expect('=', "expected '=' after source_filename")
		p.m.SourceFilename = p.string("expected string constant")
	case "module":
		p.next()
		p.expectWord("asm", "expected 'module asm'")
		s := p.string("expected string constant")
		p.m.ModuleAsm = append(p.m.ModuleAsm, splitLines(s)...)
	case "uselistorder", "uselistorder_bb":
		p.useListOrder()
		p.sawUseList = true
	default:
		p.error("expected top-level entity")
	}
}

func splitLines(s string) []string {
	var out []string
	for s != "" {
		i := 0
		for i < len(s) && s[i] != '\n' {
			i++
		}
		out = append(out, s[:i])
		s = s[min(i+1, len(s)):]
	}
	return out
}

func (p *parser) target() {
	p.next()
	switch {
	case p.eatWord("triple"):
		p.expect('=', "expected '=' after target triple")
		p.m.Triple = p.string("expected string constant")
	case p.eatWord("datalayout"):
		p.expect('=', "expected '=' after target datalayout")
		off := p.off
		s := p.string("expected string constant")
		if _, err := ir.ParseDataLayout(s); err != nil && p.ok() {
			p.errorAt(off, err.Error())
		}
		p.m.DataLayout = s
	default:
		p.error("unknown target property")
	}
}

// comdat reads $name = comdat kind.
func (p *parser) comdat() {
	name, off := p.str(), p.off
	p.next()
	p.expect('=', "expected '=' here")
	if !p.expectWord("comdat", "expected comdat type") {
		return
	}
	kinds := map[string]ir.ComdatKind{"any": ir.ComdatAny, "exactmatch": ir.ComdatExactMatch, "largest": ir.ComdatLargest,
		"nodeduplicate": ir.ComdatNoDeduplicate, "samesize": ir.ComdatSameSize}
	k, ok := kinds[p.text()]
	if p.tok != tWord || !ok {
		p.error("unknown selection kind")
		return
	}
	d := p.comdatByName(name, off)
	if d.defined {
		p.errorAt(off, "redefinition of comdat '$"+name+"'")
		return
	}
	d.defined = true
	p.m.Comdats[d.index].Kind = k
	p.next()
}

func (p *parser) comdatByName(name string, off int) *comdatDef {
	if d := p.comdats[name]; d != nil {
		return d
	}
	d := &comdatDef{index: uint32(len(p.m.Comdats)), off: off, name: name}
	p.m.Comdats = append(p.m.Comdats, ir.Comdat{Name: name})
	p.comdats[name] = d
	p.comdatList = append(p.comdatList, d)
	return d
}

// optComdat reads comdat or comdat($name) of a global.
func (p *parser) optComdat(g *ir.Global) {
	off := p.off
	if !p.eatWord("comdat") {
		return
	}
	name := g.Name
	if p.eat('(') {
		if p.tok != tComdat {
			p.error("expected comdat variable")
			return
		}
		name, off = p.str(), p.off
		p.next()
		p.expect(')', "expected ')' after comdat var")
	} else if name == "" {
		p.error("comdat cannot be unnamed")
		return
	}
	g.Comdat = p.comdatByName(name, off).index
}

// endOfModule reports what LLVM reports at the end of the module.
func (p *parser) endOfModule() *parseError {
	if e := p.undefinedType(); e != nil {
		return e
	}
	for _, d := range p.comdatList {
		if !d.defined {
			return &parseError{off: d.off, msg: "use of undefined comdat '$" + d.name + "'", late: true, rank: rankComdat}
		}
	}
	for i := range p.equivalents {
		e := &p.equivalents[i]
		id := ir.GlobalID(0)
		if e.named {
			id = p.m.Lookup(e.name)
		} else if int64(e.num) < p.globalNums.next() {
			id = p.globalNums.at(e.num)
		}
		msg := ""
		switch {
		case id == 0:
			msg = "unknown function '" + e.name + "' referenced by dso_local_equivalent"
		case p.t.Kind(p.m.Globals[id].ValueType) != ir.KindFunction:
			msg = "expected a function, alias to function, or ifunc in dso_local_equivalent"
		default:
			continue
		}
		return &parseError{off: e.off, msg: msg, late: true, rank: rankDSOLocal, key: nameKey(e.name)}
	}
	// LLVM reports the first by name, then the first by number.
	var best *fwdGlobal
	for _, f := range p.fwdList {
		if f.id == 0 && f.named && (best == nil || f.name < best.name) {
			best = f
		}
	}
	if best != nil {
		return &parseError{off: best.off, msg: "use of undefined value '@" + best.name + "'", late: true, rank: rankGlobal, key: nameKey(best.name)}
	}
	for _, f := range p.fwdList {
		if f.id == 0 && (best == nil || f.num < best.num) {
			best = f
		}
	}
	if best != nil {
		return &parseError{off: best.off, msg: "use of undefined value '@" + strconv.Itoa(int(best.num)) + "'", late: true, rank: rankGlobal, key: numberKey(int(best.num))}
	}
	var first *mdUse
	for _, u := range p.mdFirst {
		if first == nil || u.num < first.num {
			first = &u
		}
	}
	if first != nil {
		return &parseError{off: first.off, msg: "use of undefined metadata '!" + strconv.Itoa(int(first.num)) + "'", late: true, rank: rankMetadata, key: numberKey(int(first.num))}
	}
	return nil
}
