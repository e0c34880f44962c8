package irpass

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/btf"
)

var (
	errFieldAccess = errors.New("Invalid field access for llvm.preserve.field.info intrinsic")
	errFieldBig    = errors.New("too big field size for llvm.bpf.preserve.field.info")
)

func errFieldExpr(why string) error {
	if why != "" {
		why = ", " + why
	}
	return errors.New("Unsupported field expression for llvm.bpf.preserve.field.info" + why)
}

// chainOf lists the accesses up to a call, the first one first.
func (a *accesses) chainOf(call ir.InstrID, x access) []access {
	list := []access{x}
	for {
		l, ok := a.links[call]
		if !ok {
			break
		}
		list = append(list, l.access)
		call = l.parent
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// memberKey names the relocation of a chain that ends in a call: the type of the structure that it
// begins with, what is asked, what that is of the program's own types, and the path of
// indices. base is the address that the chain begins with, 0 where no structure is in it.
func (a *accesses) memberKey(call ir.InstrID, x access) (base ir.Value, name string, root ir.MDID, err error) {
	chain := a.chainOf(call, x)
	base = a.current(chain[0].base)
	asks := chain[len(chain)-1].kind == infoAccess
	first, imm := uint32(0), uint32(0)
	for k := 0; ; k++ {
		if k == len(chain) || chain[k].kind == infoAccess {
			return a.noStructure(asks)
		}
		x := chain[k]
		typedef := a.strip(x.md, false)
		t := a.strip(typedef, true)
		if x.kind != arrayAccess {
			root = typedef
			imm += first * uint32(a.at(t).FieldInt("size")>>3)
			chain = chain[k:]
			break
		}
		// Indices of arrays and pointers before the structure count its size.
		elem, last := a.step(t, x.index, &first)
		if !last {
			continue
		}
		n := a.at(elem)
		if n == nil || n.Str != "DICompositeType" || n.FieldText("tag") != "DW_TAG_structure_type" && n.FieldText("tag") != "DW_TAG_union_type" {
			return a.noStructure(asks)
		}
		root = elem
		imm += first * uint32(n.FieldInt("size")>>3)
		chain = chain[k+1:]
		break
	}
	path := strconv.FormatUint(uint64(first), 10)
	kind := uint64(btf.FieldByteOffset)
	for k, x := range chain {
		if x.kind == infoAccess {
			if kind = x.index; kind == btf.FieldExistence {
				imm = 1
			}
			break
		}
		if k+1 < len(chain) && chain[k+1].kind == infoAccess {
			kind = chain[k+1].index
		}
		path += ":" + strconv.FormatUint(x.index, 10)
		if imm, err = a.fieldInfo(kind, a.at(a.strip(x.md, true)), x, imm); err != nil {
			return 0, "", 0, err
		}
	}
	return base, accessName(a.at(root).FieldText("name"), kind, int64(imm), path), root, nil
}

// noStructure: what is asked of a member needs one.
func (a *accesses) noStructure(asks bool) (ir.Value, string, ir.MDID, error) {
	if asks {
		return 0, "", 0, errFieldAccess
	}
	return 0, "", 0, nil
}

// step counts an index of an array or pointer type; elem is the type of its elements, last
// says that these are no arrays of further dimensions.
func (a *accesses) step(t ir.MDID, index uint64, first *uint32) (elem ir.MDID, last bool) {
	n := a.at(t)
	elem = a.strip(n.FieldNode("baseType"), true)
	if n.Str == "DICompositeType" {
		*first += uint32(index) * a.arraySize(n, 1)
		return elem, len(a.list(n.FieldNode("elements"))) == 1
	}
	e := a.at(elem)
	switch {
	case e == nil || e.Str != "DICompositeType":
		return elem, true
	case e.FieldText("tag") == "DW_TAG_array_type":
		*first += uint32(index) * a.arraySize(e, 0)
		return elem, false
	}
	*first += uint32(index)
	return elem, true
}

// arraySize is the product of an array's dimensions from one on.
func (a *accesses) arraySize(n *ir.MDNode, from int) uint32 {
	size := uint32(1)
	for k, d := range a.list(n.FieldNode("elements")) {
		if k < from {
			continue
		}
		if s := a.at(d); s != nil && s.Str == "DISubrange" {
			if c := s.Field("count"); c != nil && c.Kind == ir.MDFieldNode {
				if v := a.at(c.Node); v != nil && v.Kind == ir.MDConst && v.Value.Const() != 0 {
					size *= uint32(a.M.Consts.At(v.Value.Const()).Bits)
				}
			} else {
				size *= uint32(s.FieldInt("count"))
			}
		}
	}
	return size
}

// field is a member, or the elements of an array, that something is asked of.
type field struct {
	bits, offset uint32
	bitField     bool
	typ          ir.MDID
}

func (a *accesses) fieldOf(n *ir.MDNode, index uint64) (field, error) {
	if n.FieldText("tag") == "DW_TAG_array_type" {
		elem := a.strip(n.FieldNode("baseType"), true)
		x := field{typ: elem}
		if e := a.at(elem); e != nil {
			x.bits = a.arraySize(n, 1) * uint32(e.FieldInt("size"))
		}
		return x, nil
	}
	m := a.at(a.element(n, index))
	if m == nil {
		return field{}, errFieldExpr("")
	}
	return field{uint32(m.FieldInt("size")), uint32(m.FieldInt("offset")), m.FieldHas("flags", "DIFlagBitField"), a.strip(m.FieldNode("baseType"), true)}, nil
}

// storage is the unit, in bits, that a bit field is read in: one of the structure's alignment.
func (x *field) storage(align uint64) (start, end uint32, err error) {
	if align > 8 {
		if x.offset/64 != (x.offset+x.bits)/64 {
			return 0, 0, errFieldExpr("requiring too big alignment")
		}
		align = 8
	}
	unit := uint32(align) * 8
	if x.bits > unit {
		return 0, 0, errFieldExpr("bitfield size greater than record alignment")
	}
	start = x.offset &^ (unit - 1)
	if start+unit < x.offset+x.bits {
		return 0, 0, errFieldExpr("cross alignment boundary")
	}
	return start, start + unit, nil
}

// fieldInfo is what is asked of a member, as the program's own types have it; imm is the
// offset of what it is a member of.
func (a *accesses) fieldInfo(kind uint64, n *ir.MDNode, at access, imm uint32) (uint32, error) {
	if kind == btf.FieldExistence {
		return 1, nil
	}
	array := n.FieldText("tag") == "DW_TAG_array_type"
	if kind == btf.FieldByteOffset && !array && n.FieldText("tag") != "DW_TAG_structure_type" {
		return imm, nil // members of a union
	}
	x, err := a.fieldOf(n, at.index)
	if err != nil {
		return 0, err
	}
	var start, end uint32
	if x.bitField && kind != btf.FieldSignedness {
		if start, end, err = x.storage(at.align); err != nil {
			return 0, err
		}
	}
	switch kind {
	case btf.FieldByteOffset:
		switch {
		case array:
			return imm + uint32(at.index)*(x.bits>>3), nil
		case x.bitField:
			return imm + start>>3, nil
		}
		return imm + x.offset>>3, nil
	case btf.FieldByteSize:
		if !x.bitField {
			return x.bits >> 3, nil
		}
		if size := end - start; size&(size-1) != 0 {
			return 0, errFieldExpr("")
		}
		return (end - start) >> 3, nil
	case btf.FieldSignedness:
		if array && len(a.list(n.FieldNode("elements"))) != 1 {
			return 0, errors.New("Invalid array expression for llvm.bpf.preserve.field.info")
		}
		return a.signedness(x.typ)
	case btf.FieldLShift, btf.FieldRShift:
		switch {
		case !x.bitField && x.bits > 64, x.bitField && end-start > 64:
			return 0, errFieldBig
		case !x.bitField || kind == btf.FieldRShift:
			return 64 - x.bits, nil
		case a.dl.BigEndian:
			return x.offset + 64 - end, nil
		}
		return start + 64 - x.offset - x.bits, nil
	}
	return 0, errFieldExpr("")
}

// signedness is 1 for signed numbers and enumerations of such.
func (a *accesses) signedness(t ir.MDID) (uint32, error) {
	for {
		n := a.at(t)
		switch {
		case n != nil && n.Str == "DIBasicType":
			switch n.FieldText("encoding") {
			case "DW_ATE_signed", "DW_ATE_signed_char":
				return 1, nil
			}
			return 0, nil
		case n == nil || n.Str != "DICompositeType" || n.FieldText("tag") != "DW_TAG_enumeration_type":
			return 0, errors.New("Invalid field expression for llvm.bpf.preserve.field.info")
		}
		t = a.strip(n.FieldNode("baseType"), true)
	}
}

// typeKey names the relocation of a question about a type or an enumerator.
func (a *accesses) typeKey(call ir.InstrID, x access) (name string, root ir.MDID, err error) {
	root = a.strip(x.md, false)
	n := a.at(a.strip(root, true))
	value, path := int64(1), "0"
	switch x.index {
	case btf.TypeSize:
		value = int64(n.FieldInt("size") / 8)
	case btf.EnumValue, btf.EnumValueExistence:
		// The enumerator's name and value stand in a string.
		text, ok := a.text(a.f.Op(call, 1))
		enumerator, number, cut := strings.Cut(text, ":")
		if !ok || !cut {
			return "", 0, errors.New("llvm.bpf.preserve.enum.value: the enumerator is not given as a string NAME:VALUE")
		}
		for k, e := range a.list(n.FieldNode("elements")) {
			if a.at(e).FieldText("name") == enumerator {
				path = strconv.Itoa(k)
				break
			}
		}
		if x.index == btf.EnumValue {
			if value, err = strconv.ParseInt(number, 10, 64); err != nil {
				return "", 0, errors.New("llvm.bpf.preserve.enum.value: " + number + " is no value")
			}
		}
	}
	return accessName(a.at(root).FieldText("name"), x.index, value, path), root, nil
}

// text is the string at an address, without what ends it.
func (a *accesses) text(v ir.Value) (string, bool) {
	if v.Tag() == ir.TagConst { // a cast or the address of its first element
		if c := a.f.Consts.At(v.Const()); c.Kind == ir.ConstExpr {
			v = a.f.Consts.Ops(v.Const())[0]
		}
	}
	if v.Tag() != ir.TagGlobal {
		return "", false
	}
	g := a.M.Globals[v.Index()]
	c := g.Init.Const()
	if g.Kind != ir.GlobalVar || c == 0 || a.M.Consts.At(c).Kind != ir.ConstData {
		return "", false
	}
	return strings.TrimRight(string(a.M.Consts.Data(c)), "\x00"), true
}
