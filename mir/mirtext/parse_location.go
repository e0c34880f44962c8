package mirtext

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// diLocation reads !DILocation(…).
func (p *miParser) diLocation() ir.MDID {
	off := p.off
	line, scope := false, false
	p.next()
	if !p.expect('(') {
		return 0
	}
	for p.ok() && p.tok != ')' {
		w, isWord := p.text, p.tok == tIdent
		if !isWord || !slices.Contains(locationFields[:], w) {
			if !isWord {
				w = p.tokenValue()
			}
			p.error("invalid DILocation argument '" + w + "'")
			return 0
		}
		p.next()
		if !p.expect(':') {
			return 0
		}
		switch w {
		case "line", "column", "atomGroup", "atomRank":
			if p.tok != tInt || p.text[0] == '-' {
				p.error("expected unsigned integer")
				return 0
			}
			line = line || w == "line"
			p.next()
		case "isImplicitCode":
			if p.tok != tIdent || p.text != "true" && p.text != "false" {
				p.error("expected true/false")
				return 0
			}
			p.next()
		default:
			scope = scope || w == "scope"
			p.locationNode(w)
		}
		if !p.ok() || !p.eat(',') {
			break
		}
	}
	switch {
	case !p.ok():
		return 0
	case p.tok != ')':
		p.error("expected ')'")
		return 0
	}
	end := p.pos
	p.next()
	switch {
	case !line:
		p.error("DILocation requires line number")
		return 0
	case !scope:
		p.error("DILocation requires a scope")
		return 0
	}
	id, _, err := p.ctx.Metadata(p.src[off:end])
	if err != nil {
		f, _ := faultOf(err)
		p.errorOff(off+f.Off, f.Msg)
		return 0
	}
	p.prevEnd = end
	return id
}

var locationFields = [...]string{"line", "column", "scope", "inlinedAt", "isImplicitCode", "atomGroup", "atomRank"}

// tokenValue is the text that messages give of a token that is no word.
func (p *miParser) tokenValue() string {
	switch p.tok {
	case tString, tGlobal, tExtSym, tNamedVReg, tPhysReg, tMDName, tMCSymbol, tQuotedIR:
		return p.text
	}
	return ""
}

// locationNode reads the node of a location's field.
func (p *miParser) locationNode(field string) {
	if field == "inlinedAt" && p.tok == tMDName && p.text == "DILocation" {
		p.diLocation()
		return
	}
	if p.tok != '!' {
		if field == "scope" {
			p.next()
		}
		p.error("expected metadata node")
		return
	}
	if field == "inlinedAt" {
		if id := p.numberedMetadata(); p.ok() && !p.out.Module.MD.IsLocation(id) {
			p.error("expected DILocation node")
		}
		return
	}
	id := ir.MDID(0)
	p.next()
	if n, err := strconv.ParseUint(p.text, 10, 32); p.tok == tInt && err == nil {
		id = p.ctx.Numbered(uint32(n))
	}
	if id == 0 || p.out.Module.MD.At(id) == nil {
		p.error("expected metadata node")
		return
	}
	if p.next(); !isScope(p.out.Module.MD.At(id).Str) {
		p.error("expected DIScope node")
	}
}

// isScope reports the classes of nodes that are scopes.
func isScope(class string) bool {
	switch class {
	case "DIFile", "DICompileUnit", "DISubprogram", "DILexicalBlock", "DILexicalBlockFile", "DINamespace", "DIModule", "DICommonBlock", "DIBasicType",
		"DIFixedPointType", "DIStringType", "DISubrangeType", "DIDerivedType", "DICompositeType", "DISubroutineType":
		return true
	}
	return false
}
