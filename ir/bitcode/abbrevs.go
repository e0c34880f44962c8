package bitcode

// Numbers of the abbreviations that BLOCKINFO gives to blocks, as LLVM has them.
const (
	abvEntry8 = firstAbbrev + iota // of VALUE_SYMTAB
	abvEntry7
	abvEntry6
	abvBBEntry6
)

const (
	abvSetType = firstAbbrev + iota // of CONSTANTS_BLOCK
	abvInteger
	abvCECast
	abvNull
)

const (
	abvLoad = firstAbbrev + iota // of FUNCTION_BLOCK
	abvStore
	abvUnop
	abvUnopFlags
	abvBinop
	abvBinopFlags
	abvCast
	abvCastFlags
	abvRetVoid
	abvRet
	abvBr
	abvCondBr
	abvUnreachable
	abvGEP
	abvCmp
	abvCmpFlags
	abvDbgValue
	abvDebugLoc
)

func lit(n uint64) abbrevOp   { return abbrevOp{encLiteral, n} }
func fixed(n uint64) abbrevOp { return abbrevOp{encFixed, n} }
func vbrOp(n uint64) abbrevOp { return abbrevOp{encVBR, n} }

// standardAbbrevs are the abbreviations of a block that BLOCKINFO defines;
// types is the width of a type's number.
func standardAbbrevs(block uint32, types uint64) []abbrev {
	array, char := abbrevOp{kind: encArray}, abbrevOp{kind: encChar6}
	v6, ty := vbrOp(6), fixed(types)
	switch block {
	case blkValueSymtab:
		return []abbrev{
			{fixed(3), vbrOp(8), array, fixed(8)},
			{lit(vstEntry), vbrOp(8), array, fixed(7)},
			{lit(vstEntry), vbrOp(8), array, char},
			{lit(vstBBEntry), vbrOp(8), array, char},
		}
	case blkConstants:
		return []abbrev{
			{lit(cstSetType), ty},
			{lit(cstInteger), vbrOp(8)},
			{lit(cstCast), fixed(4), ty, vbrOp(8)},
			{lit(cstNull)},
		}
	case blkFunction:
		return []abbrev{
			{lit(fnLoad), v6, ty, vbrOp(4), fixed(1)},
			{lit(fnStore), v6, v6, vbrOp(4), fixed(1)},
			{lit(fnUnop), v6, fixed(4)},
			{lit(fnUnop), v6, fixed(4), fixed(8)},
			{lit(fnBinop), v6, v6, fixed(4)},
			{lit(fnBinop), v6, v6, fixed(4), fixed(8)},
			{lit(fnCast), v6, ty, fixed(4)},
			{lit(fnCast), v6, ty, fixed(4), fixed(8)},
			{lit(fnRet)},
			{lit(fnRet), v6},
			{lit(fnBr), v6},
			{lit(fnBr), v6, v6, v6},
			{lit(fnUnreachable)},
			{lit(fnGEP), fixed(3), ty, array, v6},
			{lit(fnCmp2), v6, v6, fixed(6)},
			{lit(fnCmp2), v6, v6, fixed(6), fixed(8)},
			{lit(fnDbgValueSimple), vbrOp(7), vbrOp(7), vbrOp(7), v6},
			{lit(fnDebugLoc), v6, vbrOp(8), v6, v6, fixed(1), v6, vbrOp(3)},
		}
	}
	return nil
}

// stdAbbrevs are the abbreviations of the blocks by BLOCKINFO, made once for a module.
type stdAbbrevs struct {
	symtab, consts, fn []abbrev
}

// blockInfo writes the BLOCKINFO block.
func (w *writer) blockInfo() {
	bits := w.typeBits()
	w.std = stdAbbrevs{standardAbbrevs(blkValueSymtab, bits), standardAbbrevs(blkConstants, bits), standardAbbrevs(blkFunction, bits)}
	w.enter(blockInfoID, 2)
	for _, x := range [...]struct {
		id   uint64
		list []abbrev
	}{{blkValueSymtab, w.std.symtab}, {blkConstants, w.std.consts}, {blkFunction, w.std.fn}} {
		w.record(blockInfoSetBID, x.id)
		for _, a := range x.list {
			w.define(a)
		}
	}
	w.leave()
}

// typeBits is the width of a type's number.
func (w *writer) typeBits() uint64 { return bitsFor(uint64(len(w.types))) }

// bitsFor is the number of bits that hold 0 to n.
func bitsFor(n uint64) uint64 {
	bits := uint64(0)
	for n > 0 {
		bits++
		n >>= 1
	}
	return bits
}

// inst writes an instruction's record by abbreviation id, or without one when id is 0.
func (w *writer) inst(id, code uint32, ops []uint64) {
	if id == 0 {
		w.record(code, ops...)
		return
	}
	w.short(id, w.std.fn[id-firstAbbrev], code, ops)
}

// name writes an entry of a symbol table.
func (w *writer) symtabEntry(code uint32, num uint64, s string) {
	id := uint32(abvEntry8)
	bits := charBits(s)
	switch {
	case code == vstBBEntry && bits == 6:
		id = abvBBEntry6
	case code == vstEntry && bits == 6:
		id = abvEntry6
	case code == vstEntry && bits == 7:
		id = abvEntry7
	}
	r := append(w.rec[:0], num)
	for i := 0; i < len(s); i++ {
		r = append(r, uint64(s[i]))
	}
	w.short(id, w.std.symtab[id-firstAbbrev], code, r)
	w.rec = r
}
