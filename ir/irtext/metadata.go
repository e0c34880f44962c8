package irtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// mdProvisional marks ids of a worker's own metadata and of its attribute
// lists, inline assembly, … until finish replaces them.
const mdProvisional = 1 << 28

// addMD adds a node: to the module at the top level, to the worker in bodies.
func (p *parser) addMD(n *ir.MDNode) ir.MDID {
	if p.fn == nil {
		return p.m.MD.Add(n)
	}
	p.worker.md = append(p.worker.md, n)
	return ir.MDID(len(p.worker.md)-1) | mdProvisional
}

// newMD returns an empty node of a slab.
func (p *parser) newMD() *ir.MDNode {
	w := p.worker
	if len(w.nodes) == 0 {
		w.nodes = make([]ir.MDNode, 128)
	}
	n := &w.nodes[0]
	w.nodes = w.nodes[1:]
	return n
}

// takeFields and takeOps copy scratch lists into slabs.
func (p *parser) takeFields(s []ir.MDField) []ir.MDField {
	if len(s) == 0 {
		return nil
	}
	w := p.worker
	if len(w.fields) < len(s) {
		w.fields = make([]ir.MDField, max(512, len(s)))
	}
	out := w.fields[:len(s):len(s)]
	w.fields = w.fields[len(s):]
	copy(out, s)
	return out
}

func (p *parser) takeOps(s []ir.MDID) []ir.MDID {
	if len(s) == 0 {
		return nil
	}
	w := p.worker
	if len(w.mdOps) < len(s) {
		w.mdOps = make([]ir.MDID, max(1024, len(s)))
	}
	out := w.mdOps[:len(s):len(s)]
	w.mdOps = w.mdOps[len(s):]
	copy(out, s)
	return out
}

// mdRef returns the node numbered n, which need not be defined yet.
func (p *parser) mdRef(n uint32, off int) ir.MDID {
	if int(n) < len(p.numbered) {
		if id := p.numbered[n]; id != 0 {
			return id
		}
	} else if id := p.mdSparse[n]; id != 0 {
		return id
	}
	if p.fn != nil {
		p.lateError(off, rankMetadata, numberKey(int(n)), "use of undefined metadata '!"+strconv.Itoa(int(n))+"'")
		return 0
	}
	id := p.m.MD.Reserve()
	p.setNumbered(n, id)
	p.mdFirst[id] = mdUse{n, off}
	return id
}

func (p *parser) setNumbered(n uint32, id ir.MDID) {
	if int(n) >= len(p.numbered) {
		if int(n) > len(p.src) {
			p.mdSparse[n] = id
			return
		}
		grow := make([]ir.MDID, max(int(n)+1, 2*len(p.numbered), 64))
		copy(grow, p.numbered)
		p.numbered = grow
	}
	p.numbered[n] = id
}

// standaloneMetadata reads !12 = …
func (p *parser) standaloneMetadata() {
	p.next()
	n := uint32(p.uint(32))
	p.expect('=', "expected '=' here")
	if p.tok == tWord && p.primitiveType(p.text()) != 0 {
		p.error("unexpected type in metadata definition")
		return
	}
	distinct := p.eatWord("distinct")
	if !p.ok() {
		return
	}
	var id ir.MDID
	if int(n) < len(p.numbered) {
		id = p.numbered[n]
	} else {
		id = p.mdSparse[n]
	}
	twice := false
	if id != 0 {
		_, open := p.mdFirst[id]
		twice = !open
		delete(p.mdFirst, id)
	} else {
		id = p.m.MD.Reserve()
		p.setNumbered(n, id)
	}
	nodes, fields := p.worker.nodes, p.worker.fields
	node := p.newMD()
	if p.tok == tMDName && p.text() == "DIArgList" {
		p.error("expected metadata type") // it stands in place alone
	} else if p.tok == tMDName {
		p.specialized(node, distinct)
	} else {
		p.expect('!', "Expected '!' here")
		p.tuple(node)
	}
	if twice {
		p.error("Metadata id is already used")
		return
	}
	node.Distinct = distinct
	p.m.MD.Set(id, node)
	// The table copies a location, so its place in the slabs is free again,
	// unless nodes within it came behind.
	if n := len(node.Fields); p.m.MD.IsLocation(id) && len(p.worker.nodes)+1 == len(nodes) && len(p.worker.fields)+n == len(fields) {
		clear(node.Fields)
		*node = ir.MDNode{}
		p.worker.nodes, p.worker.fields = nodes, fields
	}
}

// namedMetadata reads !name = !{!0, …}.
func (p *parser) namedMetadata() {
	name := p.str()
	p.next()
	p.expect('=', "expected '=' here")
	p.expect('!', "Expected '!' here")
	p.expect('{', "Expected '{' here")
	var nodes []ir.MDID
	for p.ok() && (p.tok != '}' || len(nodes) > 0) {
		if p.tok == tMDName {
			if p.text() != "DIExpression" {
				p.error("Expected '!' here")
				return
			}
			nodes = append(nodes, p.metadata())
		} else {
			p.expect('!', "Expected '!' here")
			off := p.off
			nodes = append(nodes, p.mdRef(uint32(p.uint(32)), off))
		}
		if !p.eat(',') {
			break
		}
	}
	p.expect('}', "expected end of metadata node")
	for i := range p.m.NamedMD {
		if p.m.NamedMD[i].Name == name {
			p.m.NamedMD[i].Nodes = append(p.m.NamedMD[i].Nodes, nodes...)
			return
		}
	}
	p.m.NamedMD = append(p.m.NamedMD, ir.NamedMD{Name: name, Nodes: nodes})
}

// metadata reads one metadata operand: !12, !"s", !{…}, !DIFoo(…), or T value.
func (p *parser) metadata() ir.MDID {
	switch p.tok {
	case '!':
		p.next()
		switch p.tok {
		case tInt:
			off := p.off
			return p.mdRef(uint32(p.uint(32)), off)
		case tString:
			return p.mdString()
		case '{':
			n := p.newMD()
			p.tuple(n)
			if !p.ok() {
				return 0
			}
			return p.addMD(n)
		}
		p.error("expected integer")
		return 0
	case tMDName:
		return p.inlineNode()
	}
	return p.valueMetadata()
}

// valueMetadata reads T value.
func (p *parser) valueMetadata() ir.MDID { return p.valueMetadataOf("expected metadata operand") }

func (p *parser) valueMetadataOf(missing string) ir.MDID {
	off := p.off
	t := p.typ(missing)
	if t == 0 {
		return 0
	}
	if t == ir.Metadata {
		p.errorAt(off, "invalid metadata-value-metadata roundtrip")
		return 0
	}
	n := p.newMD()
	n.Type = t
	if (p.tok == tLocal || p.tok == tLocalID) && p.fn != nil && p.mdDepth == 0 {
		n.Kind, n.Func = ir.MDLocal, p.fn.f.ID
		n.Value = p.localRef(t)
		if !p.ok() {
			return 0
		}
		if n.Value.Tag() == tagForward {
			p.fn.mdForward = append(p.fn.mdForward, n)
		}
		return p.addMD(n)
	}
	pool := p.pool
	if p.fn != nil {
		p.pool = p.worker.mdPool
	}
	if p.tok == tLocal || p.tok == tLocalID {
		p.error("invalid use of function-local name")
	}
	n.Value = p.value(t)
	p.pool = pool
	if !p.ok() {
		return 0
	}
	n.Kind = ir.MDConst
	return p.addMD(n)
}

func (p *parser) mdString() ir.MDID {
	s := p.str()
	p.next()
	if id := p.mdStrings[s]; id != 0 {
		return id
	}
	if p.fn != nil {
		if id := p.worker.mdStrings[s]; id != 0 {
			return id
		}
	}
	n := p.newMD()
	n.Kind, n.Str = ir.MDString, s
	id := p.addMD(n)
	if p.fn != nil {
		p.worker.mdStrings[s] = id
	} else {
		p.mdStrings[s] = id
	}
	return id
}

// tuple reads {…} into n, the ! being passed.
func (p *parser) tuple(n *ir.MDNode) {
	n.Kind = ir.MDTuple
	if !p.enter() {
		return
	}
	p.mdDepth++
	defer func() { p.depth--; p.mdDepth-- }()
	if !p.expect('{', "expected '{' here") {
		return
	}
	var buf [16]ir.MDID
	ops := buf[:0]
	for p.ok() && (p.tok != '}' || len(ops) > 0) {
		if p.eatWord("null") {
			ops = append(ops, 0)
		} else {
			ops = append(ops, p.metadata())
		}
		if !p.eat(',') {
			break
		}
	}
	p.expect('}', "expected end of metadata node")
	n.Ops = p.takeOps(ops)
}

// inlineNode reads !DIFoo(…) in place of a reference. The same text means the same node.
func (p *parser) inlineNode() ir.MDID {
	start := p.off
	end := closeParen(p.src, p.pos)
	text := ""
	if end > 0 && p.text() != "DIArgList" {
		text = p.src[start:end]
		id := p.mdInline[text]
		if id == 0 && p.fn != nil {
			id = p.worker.mdInline[text]
		}
		if id != 0 {
			p.pos = end
			p.next()
			return id
		}
	}
	n := p.newMD()
	p.specialized(n, false)
	if !p.ok() {
		return 0
	}
	id := p.addMD(n)
	if text != "" {
		if p.fn != nil {
			p.worker.mdInline[text] = id
		} else {
			p.mdInline[text] = id
		}
	}
	return id
}

// closeParen returns the offset after the parenthesis that closes the one
// that begins at i, 0 when there is none.
func closeParen(src string, i int) int {
	if i >= len(src) || src[i] != '(' {
		return 0
	}
	depth := 0
	for ; i < len(src); i++ {
		switch src[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			i++
			for i < len(src) && src[i] != '"' {
				i++
			}
		case '\n', ';', '%':
			// Only plain text on one line is worth comparing; locals differ by function.
			return 0
		}
	}
	return 0
}

// specialized reads !DIFoo(fields) into n.
func (p *parser) specialized(n *ir.MDNode, distinct bool) {
	if !p.enter() {
		return
	}
	defer func() { p.depth-- }()
	off := p.off
	n.Kind, n.Str = ir.MDSpecialized, p.str()
	class := mdClassByName(n.Str)
	if class == nil {
		p.errorAt(off, "expected metadata type")
		return
	}
	if !distinct && (n.Str == "DICompileUnit" || n.Str == "DIAssignID") {
		what := n.Str
		if what == "DIAssignID" {
			what += "()"
		}
		p.error("missing 'distinct', required for !" + what)
		return
	}
	p.next()
	if !p.expect('(', "expected '(' here") {
		return
	}
	if n.Str == "DIArgList" {
		n.Kind, n.Str = ir.MDArgList, ""
		var ops []ir.MDID
		for p.ok() && (p.tok != ')' || len(ops) > 0) {
			ops = append(ops, p.valueMetadataOf("expected value-as-metadata operand"))
			if !p.eat(',') {
				break
			}
		}
		n.Ops = p.takeOps(ops)
		p.expect(')', "expected ')' here")
		return
	}
	if n.Str == "DIExpression" {
		p.expression(n)
		return
	}
	if n.Str == "DIAssignID" {
		p.expect(')', "expected ')' here")
		return
	}
	var buf [24]ir.MDField
	fields, given := buf[:0], uint64(0)
	for p.ok() && (p.tok != ')' || given != 0) {
		if p.tok != tLabel {
			p.error("expected field label here")
			return
		}
		f := ir.MDField{Name: p.str()}
		spec := class.field(f.Name)
		if spec == nil {
			p.error("invalid field '" + f.Name + "'")
			return
		}
		f.Name = spec.name
		for i := range class.fields {
			if &class.fields[i] == spec {
				if given&(1<<i) != 0 {
					p.error("field '" + f.Name + "' cannot be specified more than once")
					return
				}
				given |= 1 << i
			}
		}
		p.next()
		if !p.field(spec, &f) {
			fields = append(fields, f)
		}
		if !p.eat(',') {
			break
		}
	}
	close := p.off
	if !p.expect(')', "expected ')' here") {
		return
	}
	for i := range class.fields {
		if class.fields[i].required && given&(1<<i) == 0 {
			p.errorAt(close, "missing required field '"+class.fields[i].name+"'")
			return
		}
	}
	fields = p.classRules(n, fields, off, close, distinct, func(name string) bool {
		for i := range class.fields {
			if class.fields[i].name == name {
				return given&(1<<i) != 0
			}
		}
		return false
	})
	n.Fields = p.takeFields(fields)
}

// classRules checks what concerns several fields, and turns old fields into new ones.
func (p *parser) classRules(n *ir.MDNode, fields []ir.MDField, off, close int, distinct bool, given func(string) bool) []ir.MDField {
	switch n.Str {
	case "DISubprogram":
		return p.subprogramFlags(n, fields, off, given("spFlags"), distinct)
	case "DICompileUnit":
		lang, name := given("language"), given("sourceLanguageName")
		switch {
		case !lang && !name:
			p.errorAt(close, "missing one of 'language' or 'sourceLanguageName', required for !DICompileUnit")
		case lang && name:
			p.errorAt(off, "can only specify one of 'language' and 'sourceLanguageName' on !DICompileUnit")
		case given("sourceLanguageVersion") && !name:
			p.errorAt(off, "'sourceLanguageVersion' requires an associated 'sourceLanguageName' on !DICompileUnit")
		}
	case "DIFile":
		if kind, sum := given("checksumkind"), given("checksum"); kind != sum {
			p.error("'checksumkind' and 'checksum' must be provided together")
		} else if kind && fieldByName(fields, "checksum") == nil {
			p.errorAt(close, "'checksum' must not be empty") // LLVM crashes
		}
	case "DIEnumerator":
		u, v := fieldByName(fields, "isUnsigned"), fieldByName(fields, "value")
		if u != nil && v != nil && (v.Neg || strings.HasPrefix(v.Str, "-")) {
			p.error("unsigned enumerator with negative value")
		}
	}
	return fields
}

// subprogramFlags makes spFlags of the four fields that stood in its place.
func (p *parser) subprogramFlags(n *ir.MDNode, fields []ir.MDField, off int, given, distinct bool) []ir.MDField {
	sp := fieldByName(fields, "spFlags")
	bits := flagBits(dwarfname.DISPFlag, sp)
	if !given {
		if f := fieldByName(fields, "virtuality"); f != nil {
			v, _ := dwarfname.Number(dwarfname.Virtuality, f.Str)
			bits |= v
		}
		if fieldByName(fields, "isLocal") != nil {
			bits |= 1 << 2
		}
		if f := fieldByName(fields, "isDefinition"); f == nil {
			bits |= 1 << 3
		}
		if fieldByName(fields, "isOptimized") != nil {
			bits |= 1 << 4
		}
	}
	out := fields[:0]
	for _, f := range fields {
		switch f.Name {
		case "virtuality", "isLocal", "isDefinition", "isOptimized", "spFlags":
			continue
		case "virtualIndex":
			if f.Int == 0 {
				continue
			}
		}
		out = append(out, f)
	}
	if bits != 0 {
		out = append(out, ir.MDField{Name: "spFlags", Kind: ir.MDFieldWord, Str: dwarfname.Flags(dwarfname.DISPFlag, bits)})
	}
	n.Fields = out
	if bits&(1<<3) != 0 && !distinct && p.ok() {
		p.errorAt(off, "missing 'distinct', required for !DISubprogram that is a Definition")
	}
	return out
}

// attachment reads !kind !node.
func (p *parser) attachment() ir.Attachment {
	k := p.mdKind(p.str())
	p.next()
	var id ir.MDID
	switch p.tok {
	case '!':
		p.next()
		if p.tok == '{' {
			n := p.newMD()
			p.tuple(n)
			id = p.addMD(n)
		} else {
			off := p.off
			id = p.mdRef(uint32(p.uint(32)), off)
		}
	case tMDName:
		id = p.inlineNode()
	default:
		p.error("expected '!' here")
	}
	return ir.Attachment{Kind: k, Node: id}
}

func (p *parser) mdKind(name string) uint32 {
	if k, ok := p.kinds[name]; ok {
		return k
	}
	if p.fn == nil {
		k := p.m.MDKind(name)
		p.kinds[name] = k
		return k
	}
	w := p.worker
	for i, n := range w.kinds {
		if n == name {
			return uint32(i) | mdProvisional
		}
	}
	w.kinds = append(w.kinds, name)
	return uint32(len(w.kinds)-1) | mdProvisional
}
