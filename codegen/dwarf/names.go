package dwarf

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// Tables of names: .debug_names in DWARF 5, .debug_pubnames and .debug_pubtypes before,
// and the latter's kin for GNU's index where a unit asks for it.

// globalName is a name of .debug_pubnames or .debug_pubtypes.
type globalName struct {
	name string
	die  dieID
}

// accelName is a name of .debug_names.
type accelName struct {
	str uint32
	die dieID
}

func (u *unit) nameTable() string {
	if f := u.field("nameTableKind"); f != nil {
		return f.Str
	}
	return "Default"
}

// hasPubNames reports a unit that has .debug_pubnames.
func (w *Writer) hasPubNames(u *unit) bool {
	switch u.nameTable() {
	case "GNU":
		return true
	case "Default":
		return !u.minimal() && u.kind != kindDirectives && w.version < 5
	}
	return false
}

// hasAccel reports a unit whose names are in .debug_names.
func (w *Writer) hasAccel(u *unit) bool {
	kind := w.opt.AccelTables
	return (kind == "Dwarf" || (kind == "" || kind == "Default") && w.version >= 5) && u.nameTable() == "Default"
}

func (u *unit) isCPlusPlus() bool {
	switch u.lang {
	case 0x04, 0x11, 0x19, 0x1a, 0x21, 0x2b, 0x3a: // C++, ObjC++, C++03, 11, 14, 17, 20
		return true
	}
	return false
}

// qualified is a name with the scopes that it stands in.
func (w *Writer) qualified(u *unit, scope node, name string) string {
	if !u.isCPlusPlus() {
		return name
	}
	for ; !scope.null() && !scope.is("DICompileUnit") && !scope.is("DIFile"); scope = scope.ref("scope") {
		switch s := scope.str("name"); {
		case s != "":
			name = s + "::" + name
		case scope.is("DINamespace"):
			name = "(anonymous namespace)::" + name
		}
	}
	return name
}

func (w *Writer) addGlobalName(u *unit, name string, d dieID, scope node) {
	if name != "" && w.hasPubNames(u) {
		u.names = append(u.names, globalName{w.qualified(u, scope, name), d})
	}
}

func (w *Writer) addAccelName(u *unit, name string, d dieID) {
	if name != "" && w.hasAccel(u) {
		w.accel = append(w.accel, accelName{w.strs.number(name), d})
	}
}

func (w *Writer) addTypeName(u *unit, name string, d dieID) { w.addAccelName(u, name, d) }

func (w *Writer) addSubprogramNames(u *unit, n node, d dieID) {
	if !isDefinition(n) {
		return
	}
	name, linkage := n.str("name"), n.str("linkageName")
	w.addAccelName(u, name, d)
	if linkage != name && (!u.minimal() || w.abstract[n.id] != 0) {
		w.addAccelName(u, strings.TrimPrefix(linkage, "\x01"), d)
	}
}

// typeNames notes the name of a type.
func (w *Writer) typeNames(u *unit, n node, d dieID) {
	name := n.str("name")
	if name == "" || n.flags()&flagFwdDecl != 0 {
		return
	}
	w.addAccelName(u, name, d)
	switch s := n.ref("scope"); {
	case s.null(), s.is("DICompileUnit"), s.is("DIFile"), s.is("DINamespace"), s.is("DICommonBlock"):
		if w.hasPubNames(u) {
			u.types = append(u.types, globalName{w.qualified(u, s, name), d})
		}
	}
}

// emitPubNames writes .debug_pubnames and .debug_pubtypes.
func (w *Writer) emitPubNames(o *sectionWriter, us []*unit) {
	for _, u := range us {
		if !w.hasPubNames(u) {
			continue
		}
		gnu := u.nameTable() == "GNU"
		for _, t := range [...]struct {
			section string
			list    []globalName
		}{{"names", u.names}, {"types", u.types}} {
			name := ".debug_pub" + t.section
			if gnu {
				name = ".debug_gnu_pub" + t.section
			}
			o.open(name, 0, 0)
			end := o.length(w, "pub"+t.section, "Length of Public "+strings.ToUpper(t.section[:1])+t.section[1:]+" Info")
			o.comment("DWARF Version")
			o.uint(2, 2)
			o.comment("Offset of Compilation Unit Info")
			o.sym(u.begin, o.offset)
			o.comment("Compilation Unit Length")
			o.uint(uint64(u.length), o.offset)
			// The last entry of a name counts.
			seen := map[string]int{}
			var list []globalName
			for _, g := range t.list {
				if k, ok := seen[g.name]; ok {
					list[k] = g
					continue
				}
				seen[g.name] = len(list)
				list = append(list, g)
			}
			slices.SortStableFunc(list, func(a, b globalName) int { return cmp.Compare(w.dies[a.die].offset, w.dies[b.die].offset) })
			for _, g := range list {
				o.comment("DIE offset")
				o.uint(uint64(w.dies[g.die].offset), o.offset)
				if gnu {
					o.u8(w.indexValue(u, g.die), "Attributes")
				}
				o.comment("External Name")
				o.str(g.name)
			}
			o.comment("End Mark")
			o.uint(0, o.offset)
			o.label(end)
		}
	}
}

// indexValue is what GDB's index says of an entry: its kind and whether it is static.
func (w *Writer) indexValue(u *unit, d dieID) uint64 {
	const typ, variable, function, static = 1 << 4, 2 << 4, 3 << 4, 1 << 7
	external := w.has(d, atExternal)
	if s := w.find(d, atSpecification); s != nil {
		external = w.has(dieID(s.a), atExternal)
	}
	linkage := uint64(static)
	if external {
		linkage = 0
	}
	switch w.dies[d].tag {
	case tagClassType, tagStructureType, tagUnionType, tagEnumerationType:
		if u.isCPlusPlus() {
			return typ
		}
		return typ | static
	case tagTypedef, tagBaseType, tagSubrangeType, tagTemplateAlias:
		return typ | static
	case tagNamespace:
		return typ
	case tagSubprogram:
		return function | linkage
	case tagVariable:
		return variable | linkage
	case tagEnumerator:
		return variable | static
	}
	return 0
}

// DWARF's attributes of entries in .debug_names.
const (
	idxCompileUnit = 1
	idxDieOffset   = 3
	idxParent      = 4
)

// nameRow is a name of .debug_names with its entries.
type nameRow struct {
	str     uint32
	hash    uint32
	entries []dieID
	sym     mc.Sym
}

// emitNames writes .debug_names (DWARF 5, 6.1.1).
func (w *Writer) emitNames(o *sectionWriter, us []*unit) {
	if len(w.accel) == 0 {
		return
	}
	byStr := map[uint32]int{}
	var rows []nameRow
	indexed := map[dieID]mc.Sym{}
	for _, a := range w.accel {
		k, ok := byStr[a.str]
		if !ok {
			k = len(rows)
			byStr[a.str] = k
			rows = append(rows, nameRow{str: a.str, hash: foldedHash(w.strs.text[a.str])})
		}
		if !slices.Contains(rows[k].entries, a.die) {
			rows[k].entries = append(rows[k].entries, a.die)
		}
		indexed[a.die] = 0
	}
	for k := range rows {
		slices.SortStableFunc(rows[k].entries, func(a, b dieID) int {
			return cmp.Compare(w.units[w.dies[a].unit].offset+uint64(w.dies[a].offset), w.units[w.dies[b].unit].offset+uint64(w.dies[b].offset))
		})
	}
	hashes := map[uint32]bool{}
	for _, r := range rows {
		hashes[r.hash] = true
	}
	buckets := len(hashes)
	switch {
	case buckets > 1024:
		buckets /= 4
	case buckets > 16:
		buckets /= 2
	}
	buckets = max(buckets, 1)
	slices.SortStableFunc(rows, func(a, b nameRow) int {
		return cmp.Or(cmp.Compare(a.hash%uint32(buckets), b.hash%uint32(buckets)), cmp.Compare(a.hash, b.hash))
	})
	var cus []*unit
	cuIndex := map[uint16]uint64{}
	for _, u := range us {
		if w.hasAccel(u) {
			cuIndex[uint16(u.number)] = uint64(len(cus))
			cus = append(cus, u)
		}
	}
	o.open(".debug_names", 0, 0)
	end := o.length(w, "names", "Header: unit length")
	abbrevStart, abbrevEnd, pool := w.label("names_abbrev_start"), w.label("names_abbrev_end"), w.label("names_entries")
	o.comment("Header: version")
	o.uint(5, 2)
	o.comment("Header: padding")
	o.uint(0, 2)
	for _, f := range [...]struct {
		v    int
		text string
	}{{len(cus), "compilation unit count"}, {0, "local type unit count"}, {0, "foreign type unit count"}, {buckets, "bucket count"}, {len(rows), "name count"}} {
		o.comment("Header: " + f.text)
		o.uint(uint64(f.v), 4)
	}
	o.comment("Header: abbreviation table size")
	o.delta(abbrevEnd, abbrevStart, 4)
	o.comment("Header: augmentation string size")
	o.uint(8, 4)
	o.flush()
	o.comment("Header: augmentation string")
	o.s.Bytes([]byte("LLVM0700"))
	for _, u := range cus {
		o.sym(u.begin, o.offset)
	}
	w.emitBuckets(o, rows, buckets)
	for k := range rows {
		w.emitStringRef(o, rows[k].str)
	}
	for k := range rows {
		rows[k].sym = w.label("names")
		o.delta(rows[k].sym, pool, o.offset)
	}
	w.emitNameEntries(o, rows, len(cus), cuIndex, indexed, abbrevStart, abbrevEnd, pool)
	o.label(end)
}

func (w *Writer) emitBuckets(o *sectionWriter, rows []nameRow, buckets int) {
	at := 0
	for b := range buckets {
		first := 0
		if at < len(rows) && rows[at].hash%uint32(buckets) == uint32(b) {
			first = at + 1
		}
		for at < len(rows) && rows[at].hash%uint32(buckets) == uint32(b) {
			at++
		}
		o.uint(uint64(first), 4)
	}
	for k := range rows {
		o.uint(uint64(rows[k].hash), 4)
	}
}

// nameAbbrev is the form of an entry: the tag, and whether there is a parent that is
// indexed, one that is not, or none that is known.
type nameAbbrev struct {
	tag    uint16
	parent uint8 // 0 none, 1 not indexed, 2 indexed
}

func (w *Writer) emitNameEntries(o *sectionWriter, rows []nameRow, cus int, cuIndex map[uint16]uint64, indexed map[dieID]mc.Sym, abbrevStart, abbrevEnd, pool mc.Sym) {
	form := func(d dieID) nameAbbrev {
		a := nameAbbrev{tag: w.dies[d].tag, parent: 1}
		p := w.dies[d].parent
		if _, ok := indexed[p]; ok {
			a.parent = 2
		}
		if w.has(p, atDeclaration) {
			a.parent = 0
		}
		return a
	}
	numbers := map[nameAbbrev]uint64{}
	var order []nameAbbrev
	for k := range rows {
		for _, d := range rows[k].entries {
			if a := form(d); numbers[a] == 0 {
				order = append(order, a)
				numbers[a] = uint64(len(order))
			}
		}
	}
	o.label(abbrevStart)
	for _, a := range order {
		o.uleb(numbers[a])
		o.uleb(uint64(a.tag))
		if cus > 1 {
			o.uleb(idxCompileUnit)
			o.uleb(cuForm(cus))
		}
		o.uleb(idxDieOffset)
		o.uleb(formRef4)
		switch a.parent {
		case 1:
			o.uleb(idxParent)
			o.uleb(formFlagPresent)
		case 2:
			o.uleb(idxParent)
			o.uleb(formRef4)
		}
		o.uint(0, 1)
		o.uint(0, 1)
	}
	o.uint(0, 1)
	o.label(abbrevEnd)
	o.label(pool)
	// The first entry of a DIE is what entries below it refer to.
	for k := range rows {
		o.label(rows[k].sym)
		for _, d := range rows[k].entries {
			s := indexed[d]
			if s == 0 {
				s = w.label("names")
				indexed[d] = s
			}
			if !w.placed[s] {
				w.placed[s] = true
				o.label(s)
			}
			a := form(d)
			o.uleb(numbers[a])
			if cus > 1 {
				o.uint(cuIndex[w.dies[d].unit], cuSize(cus))
			}
			o.uint(uint64(w.dies[d].offset), 4)
			if a.parent == 2 {
				p := w.dies[d].parent
				if indexed[p] == 0 {
					indexed[p] = w.label("names")
				}
				o.delta(indexed[p], pool, 4)
			}
		}
		o.uint(0, 1)
	}
}

// cuForm is the smallest form for the numbers of n units, cuSize its size.
func cuForm(n int) uint64 {
	if cuSize(n) == 1 {
		return formData1
	}
	return formData2
}

func cuSize(n int) int {
	if n <= 256 {
		return 1
	}
	return 2
}

// foldedHash is DWARF's hash of a name without case (DWARF 5, 6.1.1.4.5).
func foldedHash(s string) uint32 {
	h := uint32(5381)
	for _, b := range []byte(strings.ToLower(s)) {
		h = h*33 + uint32(b)
	}
	return h
}

// languageOfName is the DW_LANG of a DW_LNAME and its version.
func languageOfName(name, version uint64) uint64 {
	newest := func(rows ...uint64) uint64 { // pairs of version and language, the newest first
		for k := 0; k < len(rows); k += 2 {
			if version >= rows[k] {
				return rows[k+1]
			}
		}
		return rows[len(rows)-1]
	}
	switch name {
	case 0x03: // C
		return newest(202311, 0x3e, 201710, 0x2c, 201112, 0x1d, 199901, 0x0c, 0, 0x01)
	case 0x04: // C++
		return newest(202302, 0x3a, 202002, 0x2b, 201703, 0x2a, 201402, 0x21, 201103, 0x1a, 0, 0x04)
	}
	for _, r := range [...][2]uint64{{0x0c, 0x16}, {0x12, 0x1f}, {0x0b, 0x24}, {0x17, 0x1c}, {0x18, 0x1e}, {0x0d, 0x10}, {0x0e, 0x11}} {
		if r[0] == name {
			return r[1]
		}
	}
	return 0
}
