package bitcode

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// typeEntry is one row of the type table. Old files have typed pointers; the
// ids of what a type is made of (the pointee, the result and parameters, the
// members) are kept, since types of loads and calls come from them.
type typeEntry struct {
	t       ir.Type
	elems   []uint32
	pointer bool // a typed pointer: elems has the pointee
}

// typ returns the type with an id, NoType when there is none.
func (r *reader) typ(id uint64) ir.Type {
	if id >= uint64(len(r.types)) {
		return ir.NoType
	}
	return r.types[id].t
}

// typeBlock reads the type table.
func (r *reader) typeBlock() {
	if !r.enter(blkType) {
		return
	}
	if len(r.types) > 0 {
		r.fail("Invalid multiple blocks")
		return
	}
	name := ""
	want := uint64(0)
	next := 0
	for r.err == nil {
		e, id := r.next()
		switch e {
		case entryErr:
			r.fail("Malformed block")
			continue
		case entryEnd:
			if uint64(next) != want {
				r.fail("Malformed block")
			}
			return
		case entryBlock:
			r.fail("Malformed block")
			continue
		}
		code := r.record(id)
		if r.err != nil {
			return
		}
		rec := r.rec
		if code == typNumEntry {
			if len(rec) < 1 {
				r.fail("Invalid numentry record")
				return
			}
			want = rec[0]
			if want > r.left() {
				r.fail("Invalid TYPE table")
				return
			}
			r.types = make([]typeEntry, want)
			continue
		}
		if code == typStructName {
			name = text(rec, 0)
			continue
		}
		var te typeEntry
		if code == typStructNamed || code == typOpaque {
			te = r.namedStruct(code, next, name, rec)
			name = ""
		} else if code == typTarget {
			te = r.targetType(name, rec)
			name = ""
		} else {
			te = r.plainType(code, rec)
		}
		if r.err != nil {
			return
		}
		if next >= len(r.types) {
			r.fail("Invalid TYPE table")
			return
		}
		if old := r.types[next].t; old != 0 && old != te.t {
			r.fail("Invalid TYPE table: Only named structs can be forward referenced")
			return
		}
		r.types[next] = te
		next++
	}
}

// typeID returns a type by id in the table itself, where named structs may be
// mentioned before their definition.
func (r *reader) typeFwd(id uint64) ir.Type {
	if id >= uint64(len(r.types)) {
		return 0
	}
	if r.types[id].t == 0 {
		r.types[id].t = r.t.AnonStruct()
		r.fwdTypes = append(r.fwdTypes, uint32(id))
	}
	return r.types[id].t
}

func (r *reader) isFwd(id int) bool {
	for _, f := range r.fwdTypes {
		if int(f) == id {
			return true
		}
	}
	return false
}

// validElem reports what arrays and structs can hold.
func (r *reader) validElem(t ir.Type) bool {
	switch r.t.Kind(t) {
	case ir.KindVoid, ir.KindLabel, ir.KindMetadata, ir.KindFunction, ir.KindToken, ir.KindX86AMX, ir.KindNone:
		return false
	}
	return true
}

// typeList returns the types with the given ids.
func (r *reader) typeList(ids []uint64) (ts []ir.Type, elems []uint32, ok bool) {
	for _, id := range ids {
		t := r.typeFwd(id)
		if t == 0 {
			return nil, nil, false
		}
		ts = append(ts, t)
		elems = append(elems, uint32(id))
	}
	return ts, elems, true
}

func (r *reader) plainType(code uint32, rec []uint64) (te typeEntry) {
	bad := func(what string) typeEntry { r.fail("%s", what); return te }
	switch code {
	case typVoid:
		te.t = ir.Void
	case typFloat:
		te.t = ir.Float
	case typDouble:
		te.t = ir.Double
	case typLabel:
		te.t = ir.Label
	case typHalf:
		te.t = ir.Half
	case typBFloat:
		te.t = ir.BFloat
	case typX86FP80:
		te.t = ir.X86FP80
	case typFP128:
		te.t = ir.FP128
	case typPPCFP128:
		te.t = ir.PPCFP128
	case typMetadata:
		te.t = ir.Metadata
	case typX86MMX: // gone since LLVM 20
		te.t = r.t.Vector(ir.Int64, 1, false)
	case typX86AMX:
		te.t = ir.X86AMX
	case typToken:
		te.t = ir.Token
	case typInteger:
		if len(rec) < 1 {
			return bad("Invalid integer record")
		}
		if rec[0] < 1 || rec[0] > 1<<23 {
			return bad("Bitwidth for integer type out of range")
		}
		te.t = r.t.Int(int(rec[0]))
	case typPointer:
		if len(rec) < 1 {
			return bad("Invalid pointer record")
		}
		as := uint64(0)
		if len(rec) > 1 {
			as = rec[1]
		}
		e := r.typeFwd(rec[0])
		if e == 0 {
			return bad("Invalid type")
		}
		switch r.t.Kind(e) {
		case ir.KindVoid, ir.KindLabel, ir.KindMetadata, ir.KindToken, ir.KindX86AMX:
			return bad("Invalid type")
		}
		if as >= 1<<24 {
			return bad("Invalid type")
		}
		te = typeEntry{t: r.t.Pointer(uint32(as)), elems: []uint32{uint32(rec[0])}, pointer: true}
		r.typed = true
	case typOpaquePtr:
		if len(rec) != 1 {
			return bad("Invalid opaque pointer record")
		}
		te.t = r.t.Pointer(uint32(rec[0]))
	case typFunc, typFuncOld:
		n := 2 // vararg, result
		if code == typFuncOld {
			n = 3 // vararg, attributes, result
		}
		if len(rec) < n {
			return bad("Invalid function record")
		}
		ts, elems, ok := r.typeList(rec[n-1:])
		if !ok {
			return bad("Invalid type")
		}
		for _, p := range ts[1:] {
			switch r.t.Kind(p) {
			case ir.KindVoid, ir.KindFunction:
				return bad("Invalid function argument type")
			}
		}
		te = typeEntry{t: r.t.Func(ts[0], ts[1:], rec[0] != 0), elems: elems}
	case typStructAnon:
		if len(rec) < 1 {
			return bad("Invalid anon struct record")
		}
		ts, elems, ok := r.typeList(rec[1:])
		if !ok {
			return bad("Invalid type")
		}
		te = typeEntry{t: r.t.Struct(ts, rec[0] != 0), elems: elems}
	case typArray:
		if len(rec) < 2 {
			return bad("Invalid array record")
		}
		e := r.typeFwd(rec[1])
		if e == 0 || !r.validElem(e) {
			return bad("Invalid type")
		}
		te = typeEntry{t: r.t.Array(e, rec[0]), elems: []uint32{uint32(rec[1])}}
	case typVector:
		if len(rec) < 2 {
			return bad("Invalid vector type record")
		}
		if rec[0] == 0 || rec[0] > 1<<31 {
			return bad("Invalid vector length")
		}
		e := r.typeFwd(rec[1])
		if e == 0 || r.t.IntBits(e) == 0 && !r.t.IsFloat(e) && r.t.Kind(e) != ir.KindPointer && r.t.Kind(e) != ir.KindTargetExt {
			return bad("Invalid type")
		}
		te = typeEntry{t: r.t.Vector(e, rec[0], len(rec) > 2 && rec[2] != 0), elems: []uint32{uint32(rec[1])}}
	default:
		return bad("Invalid value")
	}
	return te
}

// namedStruct defines an identified struct.
func (r *reader) namedStruct(code uint32, id int, name string, rec []uint64) (te typeEntry) {
	if len(rec) < 1 && code == typStructNamed {
		r.fail("Invalid named struct record")
		return
	}
	if id >= len(r.types) {
		r.fail("Invalid TYPE table")
		return
	}
	te.t = r.types[id].t
	known := te.t != 0 // others may have it as an element
	switch {
	case known && !r.isFwd(id):
		r.fail("Invalid TYPE table")
		return
	case known:
		if name != "" {
			r.t.SetName(te.t, r.uniqueTypeName(name))
		}
	case name != "":
		te.t = r.t.NamedStruct(r.uniqueTypeName(name))
	default:
		te.t = r.t.AnonStruct()
	}
	r.types[id].t = te.t
	if code == typOpaque {
		return te
	}
	ts, elems, ok := r.typeList(rec[1:])
	if !ok {
		r.fail("Invalid named struct record")
		return
	}
	if slices.Contains(ts, te.t) || known && r.holds(ts, te.t, map[ir.Type]bool{}) {
		r.fail("identified structure type '%s' is recursive", name)
		return
	}
	r.t.SetBody(te.t, ts, rec[0] != 0)
	te.elems = elems
	return te
}

// holds reports whether one of the types is made of t; seen are those that are not.
func (r *reader) holds(types []ir.Type, t ir.Type, seen map[ir.Type]bool) bool {
	for _, x := range types {
		if x == t {
			return true
		}
		var parts []ir.Type
		switch r.t.Kind(x) {
		case ir.KindArray, ir.KindVector, ir.KindScalableVector:
			parts = []ir.Type{r.t.Elem(x)}
		case ir.KindFunction:
			parts = append([]ir.Type{r.t.Result(x)}, r.t.Subtypes(x)...)
		case ir.KindStruct, ir.KindTargetExt:
			parts = r.t.Subtypes(x)
		}
		if len(parts) == 0 || seen[x] {
			continue
		}
		seen[x] = true
		if r.holds(parts, t, seen) {
			return true
		}
	}
	return false
}

// uniqueTypeName returns a name that no struct of the module has.
func (r *reader) uniqueTypeName(name string) string {
	s := name
	for k := 0; r.t.LookupStruct(s) != 0; k++ {
		s = name + "." + strconv.Itoa(k)
	}
	return s
}

func (r *reader) targetType(name string, rec []uint64) (te typeEntry) {
	if len(rec) < 1 {
		r.fail("Invalid target extension type record")
		return
	}
	n := rec[0]
	if n >= uint64(len(rec)) {
		r.fail("Too many type parameters")
		return
	}
	ts, elems, ok := r.typeList(rec[1 : 1+n])
	if !ok {
		r.fail("Invalid type")
		return
	}
	ints := append([]uint64(nil), rec[1+n:]...)
	for _, v := range ints {
		if v >= 1<<32 {
			r.fail("Integer parameter too large")
			return
		}
	}
	return typeEntry{t: r.t.TargetExt(name, ts, ints), elems: elems}
}

// elemID returns the id of part i of the type with an id: the pointee of a
// typed pointer, a member, the result (0) and parameters of a function. noID when it is not known.
func (r *reader) elemID(id uint32, i int) uint32 {
	if int(id) >= len(r.types) {
		return noID
	}
	e := r.types[id].elems
	if len(e) == 1 && !r.types[id].pointer && r.t.Kind(r.types[id].t) != ir.KindStruct && r.t.Kind(r.types[id].t) != ir.KindFunction {
		return e[0] // arrays and vectors
	}
	if i < len(e) {
		return e[i]
	}
	return noID
}
