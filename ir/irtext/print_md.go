package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// slot gives a node a number, and then the nodes that it refers to, in the
// order of LLVM's operands.
func (p *printer) slot(id ir.MDID) {
	if id == 0 || p.mdSlot[id] != 0 {
		return
	}
	if l, ok := p.m.MD.Location(id); ok {
		p.mdOrder = append(p.mdOrder, id)
		p.mdSlot[id] = int32(len(p.mdOrder))
		p.slot(l.Scope)
		p.slot(l.InlinedAt)
		return
	}
	n := p.m.MD.At(id)
	if n == nil {
		return
	}
	switch n.Kind {
	case ir.MDTuple:
	case ir.MDSpecialized:
		if n.Str == "DIExpression" {
			return
		}
	default:
		return
	}
	p.mdOrder = append(p.mdOrder, id)
	p.mdSlot[id] = int32(len(p.mdOrder))
	if n.Kind == ir.MDTuple {
		for _, o := range n.Ops {
			p.slot(o)
		}
		return
	}
	if n.Str == "GenericDINode" {
		if f := fieldByName(n.Fields, "operands"); f != nil && f.Node != 0 {
			for _, o := range p.m.MD.At(f.Node).Ops {
				p.slot(o)
			}
		}
		return
	}
	if c := mdClassByName(n.Str); c != nil {
		for _, name := range c.ops {
			if f := fieldByName(n.Fields, name); f != nil {
				p.slot(f.Node)
			}
		}
	}
}

func (p *printer) attachmentSlots(l []ir.Attachment) {
	for _, a := range sortedAttachments(l) {
		p.slot(a.Node)
	}
}

// recordSlots numbers what debug records refer to by number.
func (p *printer) recordSlots(r uint32) {
	for ; r != 0; r = p.f.DbgRecords[r].Next {
		d := &p.f.DbgRecords[r]
		switch d.Kind {
		case ir.DbgLabel:
			p.slot(d.Args[0])
		default:
			p.slotIfTuple(d.Args[0])
			p.slot(d.Args[1])
			if d.Kind == ir.DbgAssign {
				p.slot(d.Args[3])
				p.slotIfTuple(d.Args[4])
			}
		}
		p.slot(d.Loc)
	}
}

func (p *printer) slotIfTuple(id ir.MDID) {
	if id != 0 && !p.m.MD.IsLocation(id) && p.m.MD.At(id).Kind == ir.MDTuple {
		p.slot(id)
	}
}

func (p *printer) attachments(sep string, l []ir.Attachment) {
	for _, a := range sortedAttachments(l) {
		p.str(sep)
		p.char('!')
		p.mdName(p.m.MDKinds()[a.Kind])
		p.char(' ')
		p.mdOperand(a.Node)
	}
}

// mdName appends the name of a kind or named node; odd characters are escaped.
func (p *printer) mdName(s string) {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		if class[c]&cLabel != 0 && (i > 0 || class[c]&cDigit == 0) {
			p.char(c)
			continue
		}
		p.b = append(p.b, '\\', hex[c>>4], hex[c&15])
	}
}

// maxInPlace bounds how deep nodes without a number stand in each other: broken
// modules, which the verifier shows, have cycles of them.
const maxInPlace = 16

// mdOperand appends a reference to a node, or the node itself where it is written in place.
func (p *printer) mdOperand(id ir.MDID) {
	if id == 0 {
		p.str("null")
		return
	}
	if l, ok := p.m.MD.Location(id); ok {
		if s := p.mdSlot[id]; s != 0 {
			p.char('!')
			p.int(int(s) - 1)
		} else if p.inPlace < maxInPlace {
			p.inPlace++
			p.location(&l)
			p.inPlace--
		} else {
			p.str("<badref>")
		}
		return
	}
	n := p.m.MD.At(id)
	if n == nil { // named, and defined nowhere
		p.str("<badref>")
		return
	}
	switch n.Kind {
	case ir.MDString:
		p.str(`!"`)
		p.b = ir.AppendEscaped(p.b, n.Str)
		p.char('"')
	case ir.MDConst:
		p.typedOperand(&p.m.Consts, n.Value)
	case ir.MDPoisonValue:
		p.typ(n.Type)
		p.str(" poison")
	case ir.MDLocal:
		if p.f != nil && p.f.ID == n.Func {
			p.typed(n.Value)
			return
		}
		p.typ(n.Type)
		p.str(" <badref>")
	case ir.MDArgList:
		p.str("!DIArgList(")
		for i, o := range n.Ops {
			if i > 0 {
				p.str(", ")
			}
			p.mdOperand(o)
		}
		p.char(')')
	default:
		if n.Kind == ir.MDSpecialized && n.Str == "DIExpression" {
			p.mdNode(n)
			return
		}
		if s := p.mdSlot[id]; s != 0 {
			p.char('!')
			p.int(int(s) - 1)
			return
		}
		if p.addresses || p.inPlace == maxInPlace {
			p.str("<0x")
			p.b = strconv.AppendUint(p.b, uint64(id), 16)
			p.char('>')
			return
		}
		p.inPlace++
		p.mdNode(n)
		p.inPlace--
	}
}

// mdContent appends the content of node id.
func (p *printer) mdContent(id ir.MDID) {
	if l, ok := p.m.MD.Location(id); ok {
		p.location(&l)
		return
	}
	p.mdNode(p.m.MD.At(id))
}

// location appends the content of a debug location.
func (p *printer) location(l *ir.DILocation) {
	if l.Distinct {
		p.str("distinct ")
	}
	num := func(name string, v uint64) {
		if v != 0 {
			p.str(name)
			p.b = strconv.AppendUint(p.b, v, 10)
		}
	}
	p.str("!DILocation(line: ")
	p.int(int(l.Line))
	num(", column: ", uint64(l.Column))
	p.str(", scope: ")
	p.mdOperand(l.Scope)
	if l.InlinedAt != 0 {
		p.str(", inlinedAt: ")
		p.mdOperand(l.InlinedAt)
	}
	if l.ImplicitCode {
		p.str(", isImplicitCode: true")
	}
	num(", atomGroup: ", l.AtomGroup)
	num(", atomRank: ", uint64(l.AtomRank))
	p.char(')')
}

// mdNode appends the content of a node.
func (p *printer) mdNode(n *ir.MDNode) {
	if n.Distinct {
		p.str("distinct ")
	}
	if n.Kind == ir.MDTuple {
		p.str("!{")
		for i, o := range n.Ops {
			if i > 0 {
				p.str(", ")
			}
			p.mdOperand(o)
		}
		p.char('}')
		return
	}
	p.char('!')
	p.str(n.Str)
	p.char('(')
	start := len(p.b)
	sep := func() {
		if len(p.b) > start {
			p.str(", ")
		}
	}
	class := mdClassByName(n.Str)
	if class == nil || n.Str == "DIExpression" {
		for i := range n.Fields {
			sep()
			p.field(&n.Fields[i])
		}
		p.char(')')
		return
	}
	for i := range class.fields {
		spec := &class.fields[i]
		f := fieldByName(n.Fields, spec.name)
		if spec.kind == mdMacInfo && class.name == "DIMacroFile" {
			continue // LLVM leaves it out, whatever it is
		}
		if class.name == "DIFixedPointType" && (spec.name == "factor" || spec.kind == mdAPSInt) {
			k := fieldByName(n.Fields, "kind")
			if rational := k != nil && k.Str == "Rational"; rational != (spec.kind == mdAPSInt) {
				continue // that of another kind
			} else if rational && f == nil {
				sep()
				p.str(spec.name + ": 0")
				continue
			}
		}
		switch {
		case f == nil && spec.always:
			sep()
			p.str(spec.name + ": " + spec.dflt)
			continue
		case f == nil && spec.name == "virtualIndex":
			if sp := fieldByName(n.Fields, "spFlags"); sp == nil || flagBits(dwarfname.DISPFlag, sp)&3 == 0 {
				continue
			}
			sep()
			p.str("virtualIndex: 0")
			continue
		case f == nil && spec.kind == mdBool && n.Str == "DIDerivedType" && isPtrAuth(n):
			sep()
			p.str(spec.name + ": false")
			continue
		case f == nil, spec.kind == mdUnsigned && f.Kind == ir.MDFieldInt && f.Int == 0:
			continue
		}
		sep()
		p.str(spec.name)
		p.str(": ")
		p.field(f)
	}
	p.char(')')
}

func (p *printer) field(f *ir.MDField) {
	switch f.Kind {
	case ir.MDFieldNode:
		if f.Name == "operands" && f.Node != 0 {
			p.char('{')
			for i, o := range p.m.MD.At(f.Node).Ops {
				if i > 0 {
					p.str(", ")
				}
				p.mdOperand(o)
			}
			p.char('}')
			return
		}
		p.mdOperand(f.Node)
	case ir.MDFieldInt:
		if f.Neg {
			p.char('-')
		}
		p.b = strconv.AppendUint(p.b, f.Int, 10)
	case ir.MDFieldBool:
		if f.Int != 0 {
			p.str("true")
		} else {
			p.str("false")
		}
	case ir.MDFieldString:
		p.quoted(f.Str)
	case ir.MDFieldWord:
		p.str(f.Str)
	}
}

// metadataLists appends named metadata and all numbered nodes.
func (p *printer) metadataLists() {
	if len(p.m.NamedMD) > 0 {
		p.char('\n')
	}
	for _, l := range p.m.NamedMD {
		p.namedMD(&l)
		p.char('\n')
	}
	if len(p.mdOrder) > 0 {
		p.char('\n')
	}
	for i, id := range p.mdOrder {
		p.char('!')
		p.int(i)
		p.str(" = ")
		p.mdContent(id)
		p.char('\n')
	}
}

func (p *printer) namedMD(l *ir.NamedMD) {
	p.char('!')
	p.mdName(l.Name)
	p.str(" = !{")
	for i, id := range l.Nodes {
		if i > 0 {
			p.str(", ")
		}
		p.mdOperand(id)
	}
	p.char('}')
}

// isPtrAuth reports a type that signs pointers: its flags are always printed.
func isPtrAuth(n *ir.MDNode) bool {
	f := fieldByName(n.Fields, "tag")
	return f != nil && f.Str == "DW_TAG_LLVM_ptrauth_type"
}
