package irtext

import "github.com/mirin-go/mirin/ir"

// AppendInstr appends an instruction of the entered function as it stands in
// the module's text, indented, without a line end.
func (s *Slots) AppendInstr(b []byte, i ir.InstrID) []byte {
	b = s.with(b, func() {
		if s.p.predsOf == nil || len(s.p.predsOf) != len(s.p.f.Blocks) {
			s.p.predsOf = make([][]ir.BlockID, len(s.p.f.Blocks))
		}
		s.p.instr(i)
	})
	return b[:len(b)-1]
}

// AppendOperand appends a value with its type as LLVM prints an operand; pool
// is the one that its constants belong to.
func (s *Slots) AppendOperand(b []byte, pool *ir.ConstPool, v ir.Value) []byte {
	return s.with(b, func() {
		if v.Tag() == ir.TagBlock {
			s.p.str("label ")
			s.p.blockName(v.Block())
			return
		}
		if v.Tag() == ir.TagMetadata {
			s.p.str("metadata ")
			s.p.mdOperand(v.MD())
			return
		}
		s.p.typedOperand(pool, v)
	})
}

// AppendMDLine appends a node with its number, as in the list at the end of a
// module, or what is written in place: a string, a constant.
func (s *Slots) AppendMDLine(b []byte, id ir.MDID) []byte {
	if id == 0 {
		return append(b, "null"...)
	}
	n := s.p.m.MD.At(id)
	if n.Kind == ir.MDTuple || n.Kind == ir.MDSpecialized && n.Str != "DIExpression" {
		s.MD(id)
		b = s.with(b, func() {
			s.p.mdOperand(id)
			s.p.str(" = ")
			s.p.mdNode(n)
		})
		return b
	}
	return s.with(b, func() { s.p.mdOperand(id) })
}

// AppendRecord appends a debug record of the entered function without a line end.
func (s *Slots) AppendRecord(b []byte, d ir.DbgRecord) []byte {
	return s.with(b, func() { s.p.record(&d) })
}

// AppendNamedMD appends a named list as it stands in the text.
func (s *Slots) AppendNamedMD(b []byte, l *ir.NamedMD) []byte {
	return s.with(b, func() { s.p.namedMD(l) })
}

// AppendTypeName appends a type.
func (s *Slots) AppendTypeName(b []byte, t ir.Type) []byte {
	return s.with(b, func() { s.p.typ(t) })
}

// AppendAttr appends one attribute as it stands beside a parameter.
func (s *Slots) AppendAttr(b []byte, a ir.Attr) []byte {
	return s.with(b, func() { s.p.b = s.p.appendAttr(s.p.b, &a, false) })
}
