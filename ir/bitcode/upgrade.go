package bitcode

import "github.com/mirin-go/mirin/ir"

// upgradeRecord brings a record of debug info to the layout that LLVM 22
// writes; false says that its length is wrong.
func (d *mdTable) upgradeRecord(code uint32, rec []uint64) ([]uint64, bool) {
	n := len(rec)
	least := map[uint32]int{mdBasicType: 6, mdFile: 3, mdDerivedType: 12, mdComposite: 16, mdSubroutine: 3, mdCompileUnit: 14, mdSubprogram: 18,
		mdLexBlock: 5, mdLexBlockFile: 4, mdCommonBlock: 6, mdTemplateType: 3, mdTemplateVal: 5, mdGlobalVar: 11, mdLocalVar: 8,
		mdGlobalVarExp: 3, mdObjCProperty: 8, mdImported: 6, mdModule: 5, mdMacro: 5, mdMacroFile: 5, mdSubrange: 3, mdGenericRange: 5,
		mdStringType: 8, mdSubrangeType: 13, mdNamespace: 3, mdLabel: 5, mdAssignID: 1}[code]
	if n < least {
		if code == mdImported {
			d.c.fail("Invalid DIImportedEntity record")
		}
		return nil, false
	}
	switch code {
	case mdImported:
		if n > 8 {
			d.c.fail("Invalid DIImportedEntity record")
			return nil, false
		}
	case mdSubrange:
		switch rec[0] >> 1 {
		case 0, 1: // numbers, or a node and a number
			d.oldSubrange(rec)
			return nil, true
		}
	case mdNamespace:
		if n == 5 { // scope, file, name, line
			rec = []uint64{rec[0], rec[1], rec[3]}
		}
	case mdModule:
		if n == 6 || n == 5 { // without file, line and declaration
			rec = append([]uint64{rec[0], 0}, rec[1:]...)
		}
	case mdTemplateVal:
		if n == 5 {
			rec = []uint64{rec[0], rec[1], rec[2], rec[3], 0, rec[4]}
		}
	case mdGlobalVar:
		switch rec[0] >> 1 {
		case 1: // before template parameters
			rec = []uint64{rec[0], rec[1], rec[2], rec[3], rec[4], rec[5], rec[6], rec[7], rec[8], at(rec, 10), 0, at(rec, 11), 0}
		}
	case mdLocalVar:
		if rec[0]&2 == 0 && n > 8 { // with a tag
			rec = append([]uint64{rec[0]}, rec[2:]...)
			n--
		}
		if rec[0]&2 == 0 && n > 8 {
			rec = rec[:8]
		}
	case mdSubprogram:
		return upgradeSubprogram(rec), true
	case mdMacroFile, mdMacro:
	}
	return rec, true
}

// upgradeSubprogram turns the records of before LLVM 8, which had booleans for
// the flags of definitions, into today's.
func upgradeSubprogram(rec []uint64) []uint64 {
	if rec[0]&4 != 0 {
		return rec
	}
	// distinct, scope, name, linkage, file, line, type, isLocal, isDefinition, scopeLine, containingType, virtuality, virtualIndex, flags, isOptimized, …
	hasUnit := rec[0]&2 != 0
	v := at(rec, 11) & 3
	if at(rec, 7) != 0 {
		v |= 1 << 2
	}
	if at(rec, 8) != 0 {
		v |= 1 << 3
	}
	if at(rec, 14) != 0 {
		v |= 1 << 4
	}
	if at(rec, 13)&(1<<21) != 0 { // main subprogram was a flag of types
		v |= 1 << 8
		rec[13] &^= 1 << 21
	}
	out := []uint64{rec[0] | 6, rec[1], rec[2], rec[3], rec[4], rec[5], rec[6], at(rec, 9), at(rec, 10), v, at(rec, 12), at(rec, 13)}
	switch {
	case hasUnit:
		out = append(out, at(rec, 15), at(rec, 16), at(rec, 17), at(rec, 18), at(rec, 19), at(rec, 20))
	case len(rec) >= 19: // a function instead of the unit
		out = append(out, 0, at(rec, 16), at(rec, 17), at(rec, 18), 0, 0)
	default:
		out = append(out, 0, at(rec, 15), at(rec, 16), at(rec, 17), 0, 0)
	}
	if v&8 != 0 {
		out[0] |= 1 // definitions are distinct
	}
	return out
}

// oldSubrange reads the first two versions: bounds were numbers.
func (d *mdTable) oldSubrange(rec []uint64) {
	d.f = d.f[:0]
	if rec[0]>>1 == 0 {
		if c := int64(rec[1]); c != -1 {
			d.signedKept("count", c)
		}
	} else {
		d.bound("count", d.orNull(rec[1]))
	}
	d.signedKept("lowerBound", unsign(rec[2]))
	d.emit("DISubrange", rec[0])
}

func (d *mdTable) signedKept(name string, v int64) {
	n := len(d.f)
	d.signed(name, v)
	if len(d.f) == n {
		d.f = append(d.f, ir.MDField{Name: name, Kind: ir.MDFieldInt})
	}
}
