package bitcode

import (
	"math/big"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
	"github.com/mirin-go/mirin/ir/irtext"
)

func (d *mdTable) genericNode(rec []uint64) {
	if len(rec) < 4 {
		d.c.failBare("Invalid record")
		return
	}
	d.f = d.f[:0]
	d.word("tag", dwarfname.Tag, rec[1], ^uint64(0))
	d.text("header", rec[3])
	list := d.newNode()
	list.Kind = ir.MDTuple
	list.Ops = d.newOps(len(rec) - 4)
	for i, x := range rec[4:] {
		list.Ops[i] = d.orNull(x)
	}
	id := ir.MDID(0)
	if d.body != nil {
		id = d.body.addMD(list)
	} else {
		id = d.r.m.MD.Add(list)
	}
	if len(list.Ops) > 0 {
		d.f = append(d.f, ir.MDField{Name: "operands", Node: id})
	}
	d.emit("GenericDINode", rec[0])
}

func (d *mdTable) emit(class string, first uint64) {
	n := d.newNode()
	n.Kind, n.Str, n.Distinct = ir.MDSpecialized, class, first&1 != 0
	n.Fields = d.takeFields(d.f)
	d.define(n)
}

// word adds a field that is a DWARF constant.
func (d *mdTable) word(name string, k dwarfname.Kind, v, dflt uint64) {
	if v == dflt {
		return
	}
	if w := dwarfname.Name(k, v); w != "" {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: w})
		return
	}
	d.num(name, v, false)
}

func (d *mdTable) num(name string, v uint64, neg bool) {
	if v != 0 {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v, Neg: neg})
	}
}

func (d *mdTable) signed(name string, v int64) {
	if v < 0 {
		d.num(name, uint64(-v), true)
	} else {
		d.num(name, uint64(v), false)
	}
}

func (d *mdTable) text(name string, n uint64) {
	if s, ok := d.str(n); ok && s != "" {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldString, Str: s})
	}
}

func (d *mdTable) flag(name string, v bool) {
	f := ir.MDField{Name: name, Kind: ir.MDFieldBool}
	if v {
		f.Int = 1
	}
	d.f = append(d.f, f)
}

// bound adds a field whose constant is written as a number.
func (d *mdTable) bound(name string, id ir.MDID) {
	if id == 0 {
		return
	}
	if n := d.node(id); n != nil && n.Kind == ir.MDConst && n.Value.Const() != 0 {
		pool := &d.r.m.Consts
		if id&provisional != 0 {
			pool = d.body.mdPool
		}
		if v, ok := pool.SignedInt(d.r.t, n.Value); ok {
			f := ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: uint64(v)}
			if v < 0 {
				f.Int, f.Neg = uint64(-v), true
			}
			d.f = append(d.f, f)
			return
		}
	}
	d.f = append(d.f, ir.MDField{Name: name, Node: id})
}

// wide reads a number of any width: bits and words in the first operand, then signed words.
func wideNumber(bits uint64, words []uint64) *big.Int {
	n, ok := new(big.Int).SetString(wideText(words, bits), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

func (d *mdTable) big(name string, n *big.Int, keepZero bool) {
	f := ir.MDField{Name: name, Kind: ir.MDFieldInt}
	abs := new(big.Int).Abs(n)
	if abs.IsUint64() {
		f.Int, f.Neg = abs.Uint64(), n.Sign() < 0
	} else {
		f.Kind, f.Str = ir.MDFieldWord, n.String()
	}
	if f.Int != 0 || f.Str != "" || keepZero {
		d.f = append(d.f, f)
	}
}

func (d *mdTable) enumerator(rec []uint64) {
	if len(rec) < 3 {
		d.c.failBare("Invalid record")
		return
	}
	d.f = d.f[:0]
	unsigned := rec[0]&2 != 0
	if rec[0]&4 != 0 {
		bits := rec[1]
		if bits == 0 || bits > 1<<23 || len(rec) < 4 {
			d.c.failBare("Invalid record")
			return
		}
		d.text("name", rec[2])
		n := wideNumber(bits, rec[3:])
		if unsigned && n.Sign() < 0 {
			n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
		}
		d.big("value", n, true)
	} else {
		d.text("name", rec[2])
		v := unsign(rec[1])
		n := big.NewInt(v)
		if unsigned {
			n.SetUint64(uint64(v))
		}
		d.big("value", n, true)
	}
	if unsigned {
		d.flag("isUnsigned", true)
	}
	d.emit("DIEnumerator", rec[0])
}

func (d *mdTable) fixedPoint(rec []uint64) {
	if len(rec) < 11 {
		d.c.failBare("Invalid record")
		return
	}
	d.f = d.f[:0]
	d.word("tag", dwarfname.Tag, rec[1], tagBaseType)
	d.text("name", rec[2])
	if rec[0]&2 != 0 {
		d.bound("size", d.orNull(rec[3]))
	} else {
		d.num("size", rec[3], false)
	}
	d.num("align", rec[4], false)
	d.word("encoding", dwarfname.Encoding, rec[5], 0)
	d.flags("flags", dwarfname.DIFlag, rec[6])
	if k := rec[7]; k < uint64(len(fixedKinds)) {
		d.f = append(d.f, ir.MDField{Name: "kind", Kind: ir.MDFieldWord, Str: fixedKinds[k]})
	}
	d.signed("factor", int64(rec[8]))
	rest := rec[9:]
	for _, name := range [...]string{"numerator", "denominator"} {
		if len(rest) < 1 {
			break
		}
		bits, words := rest[0]&0xffffffff, rest[0]>>32
		if words > uint64(len(rest)-1) || bits == 0 || bits > 1<<23 {
			d.c.failBare("Invalid record")
			return
		}
		d.big(name, wideNumber(bits, rest[1:1+words]), false)
		rest = rest[1+words:]
	}
	d.emit("DIFixedPointType", rec[0])
}

func (d *mdTable) flags(name string, k dwarfname.Kind, v uint64) {
	if v != 0 {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: dwarfname.Flags(k, v)})
	}
}

// expression reads a DIExpression and brings the operations of old files to today's form.
func (d *mdTable) expression(rec []uint64) {
	if len(rec) < 1 {
		d.c.failBare("Invalid record")
		return
	}
	elems := upgradeExpr(rec[0]>>1, append([]uint64(nil), rec[1:]...))
	if rec[0]>>1 < 2 && (d.body == nil || d.r.typed) {
		d.r.oldDeclares = true
	}
	n := d.newNode()
	n.Kind, n.Str, n.Distinct = ir.MDSpecialized, "DIExpression", rec[0]&1 != 0
	n.Fields = d.takeFields(irtext.ExpressionFields(elems))
	d.define(n)
}

// Operations of DIExpression that changed between versions of the record.
const (
	dwOpDeref      = 0x06
	dwOpMinus      = 0x1c
	dwOpPlus       = 0x22
	dwOpPlusUconst = 0x23
	dwOpConstu     = 0x10
	dwOpBitPiece   = 0x9d
	dwOpStackValue = 0x9f
	dwOpFragment   = 0x1000
)

func upgradeExpr(version uint64, e []uint64) []uint64 {
	n := len(e)
	if version < 1 && n >= 3 && e[n-3] == dwOpBitPiece {
		e[n-3] = dwOpFragment
	}
	if version < 2 && n > 0 && e[0] == dwOpDeref {
		// A leading dereference goes behind the offsets, before a fragment.
		end := n
		if n >= 3 && e[n-3] == dwOpFragment {
			end = n - 3
		}
		copy(e, e[1:end])
		e[end-1] = dwOpDeref
	}
	if version < 3 {
		var out []uint64
		for i := 0; i < len(e); {
			switch e[i] {
			case dwOpPlus:
				out = append(out, dwOpPlusUconst, at(e, i+1))
				i += 2
			case dwOpMinus:
				out = append(out, dwOpConstu, at(e, i+1), dwOpMinus)
				i += 2
			default:
				size := 1
				switch e[i] {
				case dwOpConstu, 0x11, dwOpPlusUconst:
					size = 2
				case dwOpFragment, dwOpBitPiece:
					size = 3
				}
				size = min(size, len(e)-i)
				out = append(out, e[i:i+size]...)
				i += size
			}
		}
		return out
	}
	return e
}

// specialized reads the record of a class of mdRecords.
func (d *mdTable) specialized(code uint32, rec []uint64) {
	x := recordByCode(code)
	if x == nil {
		return // records of later versions are passed over
	}
	if len(rec) == 0 && code != mdImported {
		d.c.failBare("Invalid record")
		return
	}
	rec, ok := d.upgradeRecord(code, rec)
	if !ok {
		if d.c.err == nil {
			d.c.failBare("Invalid record")
		}
		return
	}
	if rec == nil {
		return // already made
	}
	d.f = d.f[:0]
	for i := range x.ops {
		o := &x.ops[i]
		if i+1 >= len(rec) {
			break
		}
		if d.operand(x, o, rec[0], rec[i+1]); d.c.err != nil {
			return
		}
	}
	switch code {
	case mdCompileUnit:
		rec[0] |= 1 // always distinct
	case mdComposite, mdSubroutine:
		if rec[0]&2 == 0 && (d.body == nil || d.r.typed) {
			d.r.oldRefs = true
		}
	case mdGlobalVar:
		if rec[0]>>1 == 0 {
			d.oldGlobalVar(rec)
			return
		}
	case mdNamespace:
		if rec[0]&2 != 0 {
			d.flag("exportSymbols", true)
		}
	case mdLabel:
		if rec[0]&2 != 0 {
			d.flag("isArtificial", true)
		}
	}
	if code == mdCompileUnit && d.body == nil && at(rec, 11) != 0 {
		list := d.orNull(rec[11])
		d.emit(x.class, rec[0])
		d.r.oldUnits = append(d.r.oldUnits, oldUnit{d.ids[d.count()-1], list})
		return
	}
	d.emit(x.class, rec[0])
}

func (d *mdTable) operand(x *mdRecord, o *mdOperand, first, v uint64) {
	name := o.name
	switch o.kind {
	case opNode:
		if id := d.orNull(v); id != 0 {
			d.f = append(d.f, ir.MDField{Name: name, Node: id})
		}
	case opBound:
		d.bound(name, d.orNull(v))
	case opString:
		d.text(name, v)
	case opKept:
		if s, ok := d.str(v); ok {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldString, Str: s})
		}
	case opUnsigned:
		if name != "-" {
			d.num(name, v, false)
		}
	case opSigned:
		d.signed(name, unsign(v))
	case opInt32:
		d.signed(name, int64(int32(v)))
	case opSize:
		if first&x.size == 0 {
			d.num(name, v, false)
		} else if id := d.orNull(v); id != 0 {
			n := len(d.f)
			d.bound(name, id)
			if f := &d.f[n]; f.Kind == ir.MDFieldInt && f.Int == 0 {
				d.f = d.f[:n]
			}
		}
	case opBool:
		if on := v != 0; on != (o.dflt != 0) {
			d.flag(name, on)
		}
	case opDIFlags:
		d.flags(name, dwarfname.DIFlag, v)
	case opSPFlags:
		d.flags(name, dwarfname.DISPFlag, v)
	case opEnumKind:
		if v != o.dflt {
			d.word(name, dwarfname.EnumKind, v, ^uint64(0))
		}
	case opSpace:
		if v != 0 {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v - 1})
		}
	case opOptional:
		if v != ^uint64(0) && v != 0xFFFFFFFF {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt, Int: v})
		}
	case opPtrAuth:
		d.ptrAuth(v)
	case opLang:
		if v>>63 != 0 {
			d.word("sourceLanguageName", dwarfname.LangName, v&0xffff, ^uint64(0))
			return
		}
		d.word(name, dwarfname.Lang, v, 0)
	case opEmission, opTable, opChecksum, opFixed:
		if w := o.words(); v != o.dflt && v < uint64(len(w)) {
			d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldWord, Str: w[v]})
		}
	default:
		d.word(name, o.names(), v, o.dflt)
	}
}

// ptrAuth takes the pointer authentication of a type apart: key, discrimination, flags.
func (d *mdTable) ptrAuth(v uint64) {
	if v == 0 {
		return
	}
	d.num("ptrAuthKey", v&15, false)
	if v>>4&1 != 0 {
		d.flag("ptrAuthIsAddressDiscriminated", true)
	}
	d.num("ptrAuthExtraDiscriminator", v>>5&0xffff, false)
	if v>>21&1 != 0 {
		d.flag("ptrAuthIsaPointer", true)
	}
	if v>>22&1 != 0 {
		d.flag("ptrAuthAuthenticatesNullValues", true)
	}
}
