package irtext

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// field reads the value of a field; drop says that it is the default, which is not kept.
func (p *parser) field(s *mdField, f *ir.MDField) (drop bool) {
	switch s.kind {
	case mdNode, mdNonNull:
		return p.nodeField(s, f)
	case mdSigned, mdUnsigned:
		if p.tok != tInt {
			return p.nodeField(s, f)
		}
		if s.kind == mdUnsigned {
			// A zero that is written is no node that is absent; it is not printed.
			p.unsignedField(s, f)
			return false
		}
		lo := uint64(1 << 63)
		if s.name == "count" && s.dflt == "count" {
			lo = 1
		}
		p.signedField(f, s.name, lo, 1<<63-1)
	case mdStr, mdStrFull:
		off := p.off
		f.Kind, f.Str = ir.MDFieldString, p.string("expected string constant")
		if s.kind == mdStrFull && f.Str == "" && p.ok() {
			p.errorAt(off, "'"+s.name+"' cannot be empty")
		}
		return f.Str == "" && s.dflt != "?"
	case mdBool:
		f.Kind = ir.MDFieldBool
		switch {
		case p.eatWord("true"):
			f.Int = 1
		case !p.eatWord("false"):
			p.error("expected 'true' or 'false'")
		}
		return (f.Int != 0) == (s.dflt == "true")
	case mdU64, mdU32, mdU16, mdU8, mdU3:
		p.unsignedField(s, f)
		return f.Int == 0 && s.dflt != "?" && s.name != "dwarfAddressSpace" && s.name != "virtualIndex"
	case mdI32:
		p.signedField(f, s.name, 1<<31, 1<<31-1)
		return f.Int == 0
	case mdAPSInt:
		if p.tok != tInt {
			p.error("expected integer")
			return true
		}
		f.Kind, f.Int, f.Neg = ir.MDFieldInt, p.num, p.neg
		if p.big {
			f.Kind, f.Str = ir.MDFieldWord, p.text()
		}
		p.next()
		return f.Int == 0 && f.Kind == ir.MDFieldInt && (s.name == "numerator" || s.name == "denominator")
	case mdFlags:
		return p.flagsField(f, dwarfname.DIFlag, "invalid debug info flag '")
	case mdSPFlags:
		return p.flagsField(f, dwarfname.DISPFlag, "invalid subprogram debug info flag '")
	case mdEmission:
		return p.enumField(s, f, emissionKinds, "emission kind")
	case mdNameTable:
		return p.enumField(s, f, nameTableKinds, "nameTable kind")
	case mdFixed:
		p.enumField(s, f, fixedKinds, "fixed-point kind")
	case mdChecksum:
		if p.tok != tWord || !slices.Contains(checksumKinds, p.text()) {
			t := "checksumkind" // what LLVM's lexer has kept
			if p.tok == tWord && strings.HasPrefix(p.text(), "CSK_") {
				t = p.text()
			}
			p.error("invalid checksum kind '" + t + "'")
			return
		}
		f.Kind, f.Str = ir.MDFieldWord, p.text()
		p.next()
	case mdList:
		if p.tok != '{' {
			p.error("expected '{' here")
			return
		}
		n := p.newMD()
		p.tuple(n)
		f.Node = p.addMD(n)
	default:
		p.wordField(s, f)
		if f.Kind == ir.MDFieldWord {
			return f.Str == s.dflt
		}
		return f.Int == 0 && s.kind != mdLang
	}
	return false
}

func (p *parser) nodeField(s *mdField, f *ir.MDField) (drop bool) {
	if p.is("null") {
		if s.kind == mdNonNull || s.dflt == "count" {
			p.error("'" + s.name + "' cannot be null")
			return
		}
		p.next()
		return true
	}
	f.Node = p.metadata()
	return f.Node == 0
}

func (p *parser) unsignedField(s *mdField, f *ir.MDField) {
	if p.tok != tInt || p.neg {
		p.error("expected unsigned integer")
		return
	}
	if m := s.max(); p.big || p.num > m {
		p.error("value for '" + s.name + "' too large, limit is " + strconv.FormatUint(m, 10))
		return
	}
	f.Kind, f.Int = ir.MDFieldInt, p.num
	p.next()
}

// signedField reads a number from -lo to hi.
func (p *parser) signedField(f *ir.MDField, name string, lo, hi uint64) {
	switch {
	case p.tok != tInt:
		p.error("expected signed integer")
	case p.neg && (p.big || p.num > lo):
		p.error("value for '" + name + "' too small, limit is -" + strconv.FormatUint(lo, 10))
	case !p.neg && (p.big || p.num > hi):
		p.error("value for '" + name + "' too large, limit is " + strconv.FormatUint(hi, 10))
	default:
		f.Kind, f.Int, f.Neg = ir.MDFieldInt, p.num, p.neg && p.num != 0
		p.next()
	}
}

// wordField reads a constant of DWARF by name or number; what is kept is the name where it has one.
func (p *parser) wordField(s *mdField, f *ir.MDField) {
	k := wordKinds[s.kind]
	if p.tok == tInt {
		p.unsignedField(s, f)
		if w := dwarfname.Name(k.names, f.Int); w != "" {
			f.Kind, f.Str, f.Int = ir.MDFieldWord, w, 0
		}
		return
	}
	if p.tok != tWord || !strings.HasPrefix(p.text(), string(k.names)) {
		p.error("expected " + k.what)
		return
	}
	w := p.text()
	n, ok := dwarfname.Number(k.names, w)
	if !ok {
		p.error("invalid " + k.invalid + " '" + w + "'")
		return
	}
	f.Kind, f.Str = ir.MDFieldWord, dwarfname.Name(k.names, n)
	p.next()
}

// enumField reads a word of a small enumeration, or its number.
func (p *parser) enumField(s *mdField, f *ir.MDField, words []string, what string) (drop bool) {
	f.Kind = ir.MDFieldWord
	if p.tok == tInt {
		if p.neg {
			p.error("expected unsigned integer")
			return
		}
		if p.big || p.num >= uint64(len(words)) {
			p.error("value for '" + s.name + "' too large, limit is " + strconv.Itoa(len(words)-1))
			return
		}
		f.Str = words[p.num]
		p.next()
		return f.Str == s.dflt
	}
	if p.tok != tWord {
		p.error("expected " + what)
		return
	}
	f.Str = p.text()
	if !slices.Contains(words, f.Str) { // LLVM's lexer knows the words
		p.error("expected " + what)
		return
	}
	p.next()
	return f.Str == s.dflt
}

// flagsField reads a | b | 12.
func (p *parser) flagsField(f *ir.MDField, k dwarfname.Kind, invalid string) (drop bool) {
	bits := uint64(0)
	for p.ok() {
		switch {
		case p.tok == tInt && !p.neg:
			bits |= p.uint(32)
		case p.tok == tWord && strings.HasPrefix(p.text(), string(k)):
			n, ok := dwarfname.Number(k, p.text())
			if !ok {
				p.error(invalid + p.text() + "'")
				return
			}
			bits |= n
			p.next()
		default:
			p.error("expected debug info flag")
			return
		}
		if !p.eat('|') {
			break
		}
	}
	f.Kind, f.Str = ir.MDFieldWord, dwarfname.Flags(k, bits)
	return bits == 0
}

// flagBits returns the bits of a field that flagsField has made.
func flagBits(k dwarfname.Kind, f *ir.MDField) (bits uint64) {
	if f == nil {
		return 0
	}
	for s := range strings.SplitSeq(f.Str, " | ") {
		n, ok := dwarfname.Number(k, s)
		if !ok {
			n, _ = strconv.ParseUint(s, 10, 64)
		}
		bits |= n
	}
	return bits
}

// expression reads the elements of !DIExpression, the ( being passed.
func (p *parser) expression(n *ir.MDNode) {
	var buf [16]uint64
	elems := buf[:0]
	for p.ok() && (p.tok != ')' || len(elems) > 0) {
		switch {
		case p.tok == tWord && strings.HasPrefix(p.text(), "DW_OP_"):
			op, ok := dwarfname.Number(dwarfname.Op, p.text())
			if !ok {
				p.error("invalid DWARF op '" + p.text() + "'")
				return
			}
			elems = append(elems, op)
			p.next()
		case p.tok == tWord && strings.HasPrefix(p.text(), "DW_ATE_"):
			op, ok := dwarfname.Number(dwarfname.Encoding, p.text())
			if !ok {
				p.error("invalid DWARF attribute encoding '" + p.text() + "'")
				return
			}
			elems = append(elems, op)
			p.next()
		case p.tok != tInt || p.neg:
			p.error("expected unsigned integer")
			return
		case p.big:
			p.error("element too large, limit is 18446744073709551615")
			return
		default:
			elems = append(elems, p.num)
			p.next()
		}
		if !p.eat(',') {
			break
		}
	}
	if !p.expect(')', "expected ')' here") {
		return
	}
	n.Fields = p.takeFields(ExpressionFields(elems))
}

// ExpressionFields returns the fields of a DIExpression for its elements:
// names of operations in a valid one, plain numbers in another.
func ExpressionFields(elems []uint64) []ir.MDField {
	f := make([]ir.MDField, len(elems))
	for i, e := range elems {
		f[i] = ir.MDField{Kind: ir.MDFieldInt, Int: e}
	}
	if !ValidExpression(elems) {
		return f
	}
	for i := 0; i < len(elems); i += expressionOpSize(elems[i]) {
		f[i] = ir.MDField{Kind: ir.MDFieldWord, Str: dwarfname.Name(dwarfname.Op, elems[i])}
		if elems[i] == opConvert && i+2 < len(elems) {
			if w := dwarfname.Name(dwarfname.Encoding, elems[i+2]); w != "" {
				f[i+2] = ir.MDField{Kind: ir.MDFieldWord, Str: w}
			}
		}
	}
	return f
}

// Operations of DIExpression that the checks tell apart.
const (
	opDeref      = 0x06
	opConstu     = 0x10
	opConsts     = 0x11
	opSwap       = 0x16
	opPlusUconst = 0x23
	opReg0       = 0x50
	opReg31      = 0x6f
	opBreg0      = 0x70
	opBreg31     = 0x8f
	opRegx       = 0x90
	opBregx      = 0x92
	opDerefSize  = 0x94
	opStackValue = 0x9f
	opFragment   = 0x1000
	opConvert    = 0x1001
	opTagOffset  = 0x1002
	opEntryValue = 0x1003
	opArg        = 0x1005
	opExtractSX  = 0x1006
	opExtractZX  = 0x1007
)

func expressionOpSize(op uint64) int {
	switch op {
	case opConvert, opFragment, opExtractSX, opExtractZX, opBregx:
		return 3
	case opConstu, opConsts, opDerefSize, opPlusUconst, opTagOffset, opEntryValue, opArg, opRegx:
		return 2
	}
	if op >= opBreg0 && op <= opBreg31 {
		return 2
	}
	return 1
}

// ValidExpression reports whether the elements are operations that LLVM knows, each with its operands.
func ValidExpression(e []uint64) bool {
	for i := 0; i < len(e); {
		op, size := e[i], expressionOpSize(e[i])
		if i+size > len(e) {
			return false
		}
		last := i+size == len(e)
		switch {
		case op >= opReg0 && op <= opBreg31:
			return true
		case op == opFragment:
			return last
		case op == opStackValue:
			if !last && e[i+size] != opFragment {
				return false
			}
		case op == opSwap:
			if len(e) == 1 {
				return false
			}
		case op == opEntryValue:
			first := 0
			if e[0] == opArg && len(e) > 1 && e[1] == 0 {
				first = 2
			}
			return i == first && e[i+1] == 1
		case op >= opConvert && op <= opExtractZX, size > 1:
		case op == 0x30: // lit0
		default:
			switch op {
			case opDeref, 0x17 /* rot */, 0x18 /* xderef */, 0x19 /* abs */, 0x1f /* neg */, 0x12 /* dup */, 0x14 /* over */, 0x97 /* push_object_address */, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e,
				0x20 /* not */, 0x21, 0x22, 0x24, 0x25, 0x26, 0x27, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e:
			default:
				return false
			}
		}
		i += size
	}
	return true
}
