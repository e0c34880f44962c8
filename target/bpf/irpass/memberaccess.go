package irpass

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/btf"
)

// accessKind says which part of a chain of accesses a call is.
type accessKind uint8

const (
	noAccess accessKind = iota
	arrayAccess
	unionAccess
	structAccess
	infoAccess // what is asked of the member, the last of a chain, or of a type
)

// access is one call of such an intrinsic.
type access struct {
	kind  accessKind
	index uint64 // of the element or member; of infoAccess what is asked, a relocation's kind
	align uint64 // of the structure, in bytes, 0 for unions
	md    ir.MDID
	base  ir.Value
}

// link is a call in a chain: what it accesses, and the call before it.
type link struct {
	parent ir.InstrID
	access access // of the parent
}

// accesses is the state of bpf-abstract-member-access in one function.
type accesses struct {
	*Run
	f     *ir.Function
	dl    *ir.DataLayout
	n     numbers
	links map[ir.InstrID]link
	// ends are the calls whose result something else than a further access uses, in order.
	ends    []ir.InstrID
	endInfo map[ir.InstrID]access
	// typedefs names records without a name by the only typedef that means each; 0: there are several.
	typedefs map[ir.MDID]ir.MDID
	replaced map[ir.Value]ir.Value
}

// MemberAccess is bpf-abstract-member-access of one function: chains of calls of
// llvm.preserve.{array,struct,union}.access.index, and what llvm.bpf.preserve.{field,type}.info
// and .enum.value ask, become loads from variables that stand for relocations. What
// names no member of a structure becomes an address.
func (r *Run) MemberAccess(f *ir.Function) error {
	if !btf.Described(r.M) {
		return nil
	}
	a := &accesses{Run: r, f: f, dl: r.layout, n: numbersOf(), links: map[ir.InstrID]link{}, endInfo: map[ir.InstrID]access{},
		typedefs: map[ir.MDID]ir.MDID{}, replaced: map[ir.Value]ir.Value{}}
	if !a.any() {
		return nil
	}
	a.nameRecords()
	f.IndexUses()
	defer f.DropUses()
	if err := a.collect(); err != nil {
		return err
	}
	for _, call := range a.ends {
		if err := a.end(call, a.endInfo[call]); err != nil {
			return err
		}
	}
	return a.removeRest()
}

func (a *accesses) any() bool {
	for i := 1; i < len(a.f.Instrs); i++ {
		if a.f.Instrs[i].Op == ir.OpCall && a.f.Instrs[i].Block != 0 && a.kindOf(ir.InstrID(i)) != noAccess {
			return true
		}
	}
	return false
}

func (a *accesses) kindOf(i ir.InstrID) accessKind {
	if a.f.Instrs[i].Op != ir.OpCall {
		return noAccess
	}
	switch a.f.IntrinsicOf(i) {
	case ir.NotIntrinsic:
	case ir.IntrPreserveArrayAccessIndex:
		return arrayAccess
	case ir.IntrPreserveUnionAccessIndex:
		return unionAccess
	case ir.IntrPreserveStructAccessIndex:
		return structAccess
	case a.n.fieldInfo, a.n.typeInfo, a.n.enumValue:
		return infoAccess
	}
	return noAccess
}

// nameRecords notes which typedef names a record without a name, among the
// types of parameters, result and variables.
func (a *accesses) nameRecords() {
	sp := subprogramOf(a.M, a.f.Global())
	if sp == nil {
		return
	}
	if t := a.at(sp.FieldNode("type")); t != nil {
		for _, p := range a.list(t.FieldNode("types")) {
			a.nameRecord(p)
		}
	}
	for _, v := range a.list(sp.FieldNode("retainedNodes")) {
		if n := a.at(v); n != nil && n.Str == "DILocalVariable" {
			a.nameRecord(n.FieldNode("type"))
		}
	}
}

func (a *accesses) nameRecord(t ir.MDID) {
	for typedef := ir.MDID(0); t != 0; {
		n := a.at(t)
		switch n.Str {
		case "DICompositeType":
			if typedef == 0 || n.FieldText("name") != "" {
				return
			}
			if old, ok := a.typedefs[t]; ok && old != typedef {
				typedef = 0
			}
			a.typedefs[t] = typedef
			return
		case "DIDerivedType":
			switch n.FieldText("tag") {
			case "DW_TAG_pointer_type":
				typedef = 0
			case "DW_TAG_typedef":
				typedef = t
			}
			t = n.FieldNode("baseType")
		default:
			return
		}
	}
}

// read tells what a call accesses.
func (a *accesses) read(i ir.InstrID) (access, error) {
	f := a.f
	x := access{kind: a.kindOf(i)}
	if x.kind == noAccess {
		return x, nil
	}
	which := f.IntrinsicOf(i)
	num := func(k int) uint64 { return constant(f, f.Op(i, k)) }
	if which != a.n.fieldInfo {
		if x.md = a.accessType(i); x.md == 0 {
			return x, errors.New("Missing metadata for " + strings.Replace(which.Name(), "llvm.bpf.", "llvm.", 1) + " intrinsic")
		}
	}
	wrong := func(word string) error {
		return errors.New("Incorrect " + word + " for " + which.Name() + " intrinsic")
	}
	switch x.kind {
	case arrayAccess, structAccess:
		x.index, x.base = num(2), f.Op(i, 0)
		if t, ok := a.M.Attrs.At(f.Instrs[i].Attrs).Param(0).Get("elementtype"); ok {
			x.align = a.dl.ABIAlign(a.M.Types, t.Type)
		}
	case unionAccess:
		x.index, x.base = num(1), f.Op(i, 0)
	}
	if x.kind == structAccess || x.kind == unionAccess {
		if t := a.typedefs[x.md]; t != 0 {
			x.md = t
		}
	}
	switch which {
	case a.n.fieldInfo:
		if x.index = num(1); x.index > btf.TypeMatch {
			return x, wrong("info_kind")
		}
	case a.n.typeInfo:
		kinds := [...]uint64{btf.TypeExistence, btf.TypeSize, btf.TypeMatch}
		if num(1) >= uint64(len(kinds)) {
			return x, wrong("flag")
		}
		x.index = kinds[num(1)]
	case a.n.enumValue:
		kinds := [...]uint64{btf.EnumValueExistence, btf.EnumValue}
		if num(2) >= uint64(len(kinds)) {
			return x, wrong("flag")
		}
		x.index = kinds[num(2)]
	}
	return x, nil
}

// accessType is the type that a call says it accesses.
func (a *accesses) accessType(i ir.InstrID) ir.MDID { return attachment(a.f, i, accessAttachment) }

// collect finds the chains.
func (a *accesses) collect() error {
	f := a.f
	var err error
	eachInstr(f, func(i ir.InstrID) {
		if _, linked := a.links[i]; err != nil || linked || a.kindOf(i) == noAccess {
			return
		}
		x, e := a.read(i)
		if err = e; err == nil {
			err = a.trace(i, i, x)
		}
	})
	return err
}

// trace follows the users of v, which is the result of a call or an address equal to it.
func (a *accesses) trace(v, call ir.InstrID, x access) error {
	f := a.f
	for u := range f.Uses(ir.Local(v)) {
		switch r := &f.Instrs[u.I]; {
		case r.Op == ir.OpBitCast, r.Op == ir.OpGEP && u.N == 0 && zeroIndices(f, u.I):
			if err := a.trace(u.I, call, x); err != nil {
				return err
			}
		case a.kindOf(u.I) != noAccess:
			next, err := a.read(u.I)
			if err != nil {
				return err
			}
			if a.continues(x, next) {
				a.links[u.I] = link{call, x}
				if err := a.trace(u.I, u.I, next); err != nil {
					return err
				}
				continue
			}
			a.addEnd(call, x)
		default:
			a.addEnd(call, x)
		}
	}
	return nil
}

func (a *accesses) addEnd(call ir.InstrID, x access) {
	if _, ok := a.endInfo[call]; !ok {
		a.ends = append(a.ends, call)
	}
	a.endInfo[call] = x
}

func zeroIndices(f *ir.Function, gep ir.InstrID) bool {
	for _, v := range f.Ops(gep)[1:] {
		c := v.Const()
		if c == 0 || f.Consts.At(c).Kind != ir.ConstInt || f.Consts.At(c).Bits != 0 {
			return false
		}
	}
	return true
}

// continues reports whether an access goes on from where another led, and not from
// what that was cast to.
func (a *accesses) continues(from, to access) bool {
	if to.md == 0 {
		return true // a question about the member
	}
	p, c := a.strip(from.md, true), a.strip(to.md, true)
	if p == 0 || c == 0 || a.at(c).Str == "DIDerivedType" { // a pointer, that it was cast to
		return false
	}
	pn, cn := a.at(p), a.at(c)
	if pn.Str == "DIDerivedType" {
		return pn.FieldText("tag") == "DW_TAG_pointer_type" && a.strip(pn.FieldNode("baseType"), true) == c
	}
	const array = "DW_TAG_array_type"
	if pn.FieldText("tag") == array && cn.FieldText("tag") == array { // dimensions
		return pn.FieldNode("baseType") == cn.FieldNode("baseType")
	}
	t := pn.FieldNode("baseType")
	if pn.FieldText("tag") != array {
		t = a.element(pn, from.index)
	}
	return a.strip(t, true) == c
}

// element is an element of a composite type, 0 for none.
func (a *accesses) element(n *ir.MDNode, k uint64) ir.MDID {
	if e := a.list(n.FieldNode("elements")); k < uint64(len(e)) {
		return e[k]
	}
	return 0
}

// strip is a type without qualifiers, members, and typedefs where these are to go, too.
func (a *accesses) strip(t ir.MDID, typedefs bool) ir.MDID {
	for t != 0 {
		n := a.at(t)
		if n.Str != "DIDerivedType" {
			break
		}
		switch tag := n.FieldText("tag"); {
		case tag == "DW_TAG_const_type", tag == "DW_TAG_volatile_type", tag == "DW_TAG_restrict_type", tag == "DW_TAG_member", tag == "DW_TAG_typedef" && typedefs:
		default:
			return t
		}
		t = n.FieldNode("baseType")
	}
	return t
}

// end makes the chain that ends in a call a relocation, if it names a member.
func (a *accesses) end(call ir.InstrID, x access) error {
	f := a.f
	var name string
	var root ir.MDID
	var base ir.Value
	var err error
	typ := ir.Int64
	if x.kind == infoAccess && x.md != 0 {
		name, root, err = a.typeKey(call, x)
		if x.index != btf.EnumValue && x.index != btf.EnumValueExistence {
			typ = ir.Int32
		}
	} else {
		base, name, root, err = a.memberKey(call, x)
		if err != nil || base == 0 {
			return err
		}
		if x.kind == infoAccess {
			typ = ir.Int32
		}
	}
	if err != nil {
		return err
	}
	g := a.relocation(name, typ, btf.AttrAccess, root)
	v := a.loadFrom(f, call, g, typ)
	if x.kind != infoAccess {
		v = ir.Local(insert(f, call, ir.Instr{Op: ir.OpGEP, Type: f.TypeOf(base), SrcType: ir.Int8}, base, v))
	}
	v = a.passThrough(f, call, v)
	a.replaced[ir.Local(call)] = v
	replace(f, call, v)
	return nil
}

// current is what stands for a value now.
func (a *accesses) current(v ir.Value) ir.Value {
	for {
		n, ok := a.replaced[v]
		if !ok {
			return v
		}
		v = n
	}
}

// removeRest makes the accesses that are no relocations addresses.
func (a *accesses) removeRest() error {
	f := a.f
	var calls [4][]ir.InstrID
	eachInstr(f, func(i ir.InstrID) {
		switch k := a.kindOf(i); k {
		case noAccess:
		case infoAccess:
			if !f.HasUses(ir.Local(i)) {
				f.Erase(i)
			}
		default:
			calls[k] = append(calls[k], i)
		}
	})
	for _, k := range [...]accessKind{arrayAccess, structAccess, unionAccess} {
		for _, i := range calls[k] {
			toAddress(f, i)
		}
	}
	return nil
}

// toAddress replaces a call of llvm.preserve.{array,struct,union}.access.index by the address that it is.
func toAddress(f *ir.Function, i ir.InstrID) {
	base := f.Op(i, 0)
	zero := func() ir.Value { return ir.ConstVal(f.Consts.Int(ir.Int32, 0)) }
	ops := []ir.Value{base}
	switch f.IntrinsicOf(i) {
	case ir.IntrPreserveUnionAccessIndex:
		replace(f, i, base)
		return
	case ir.IntrPreserveArrayAccessIndex: // base, dimension, index
		for range constant(f, f.Op(i, 1)) {
			ops = append(ops, zero())
		}
		ops = append(ops, f.Op(i, 2))
	default: // base, index of the element, of the member
		ops = append(ops, zero(), f.Op(i, 1))
	}
	t, _ := f.Module.Attrs.At(f.Instrs[i].Attrs).Param(0).Get("elementtype")
	gep := insert(f, i, ir.Instr{Op: ir.OpGEP, Type: f.TypeOf(base), SrcType: t.Type, Flags: ir.InBounds | ir.NUSW}, ops...)
	replace(f, i, ir.Local(gep))
}

// accessName is the name of a variable: llvm.TYPE:KIND:VALUE$PATH.
func accessName(typ string, kind uint64, value int64, path string) string {
	return "llvm." + typ + ":" + strconv.FormatUint(kind, 10) + ":" + strconv.FormatInt(value, 10) + "$" + path
}
