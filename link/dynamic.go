package link

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/mc"
)

// rela is a relocation that the dynamic loader applies.
type rela struct {
	off    uint64
	typ    uint32
	sym    int32 // in the dynamic symbol table
	addend int64
}

// dynamic is what the dynamic loader reads, as far as it does not depend on
// addresses.
type dynamic struct {
	order   []symID // of the symbol table, without the null symbol
	hashed  int     // those from here on are in the hash table
	strs    []byte
	strAt   map[string]uint32
	names   []uint32 // of each symbol of order, in strs
	needed  []uint32 // in strs
	hash    []byte
	versym  []byte
	verneed []byte
	files   int // rows of verneed
	entries []entry
}

// entry is a row of .dynamic: a tag with a number, or with the address or size
// of an output section.
type entry struct {
	tag     uint64
	val     uint64
	section string
	size    bool
}

// str puts a string into the string table once.
func (d *dynamic) str(s string) uint32 {
	if at, ok := d.strAt[s]; ok {
		return at
	}
	at := uint32(len(d.strs))
	d.strs = append(append(d.strs, s...), 0)
	d.strAt[s] = at
	return at
}

// exports marks the definitions that libraries are to see: those that replace
// a library's or that a library asks for.
func (l *linker) exports() error {
	l.sortLibraries()
	for i := range l.syms {
		y := &l.syms[i]
		if y.local || y.state != defined || y.vis != mc.VisDefault && y.vis != mc.VisProtected {
			continue
		}
		for _, lib := range l.libs {
			if _, ok := lib.lookup(y.name); ok || lib.refersTo(y.name) {
				y.wanted = true
				break
			}
		}
	}
	return nil
}

// makeTables makes the sections for the dynamic loader.
func (l *linker) makeTables() error {
	d := &l.dyn
	d.strs, d.strAt = []byte{0}, map[string]uint32{"": 0}
	for _, lib := range l.libs {
		d.needed = append(d.needed, d.str(lib.soname))
	}
	l.orderSymbols()
	for k, id := range d.order {
		l.syms[id].dynsym = int32(k + 1)
		d.names = append(d.names, d.str(l.syms[id].name))
	}
	l.makeHash()
	l.makeVersions()
	frames, err := l.countFrames()
	if err != nil {
		return err
	}
	l.addTables(frames)
	return nil
}

// orderSymbols puts what the hash table does not list first, the rest by
// bucket.
func (l *linker) orderSymbols() {
	d := &l.dyn
	var hashed []symID
	for i := range l.syms {
		y := &l.syms[i]
		switch {
		case !y.wanted:
		case y.state == library && !y.canonical && !y.copied:
			d.order = append(d.order, symID(i))
		default:
			hashed = append(hashed, symID(i))
		}
	}
	d.hashed = len(d.order)
	n := buckets(len(hashed))
	slices.SortStableFunc(hashed, func(a, b symID) int {
		return cmp.Compare(gnuHash(l.syms[a].name)%n, gnuHash(l.syms[b].name)%n)
	})
	d.order = append(d.order, hashed...)
}

// buckets is the size of the hash table for n symbols.
func buckets(n int) uint32 { return uint32(max(n/2, 1)) }

// makeHash makes DT_GNU_HASH: a Bloom filter, the first symbol of each bucket,
// and the symbols' hashes, the last of a bucket with bit 0 set.
func (l *linker) makeHash() {
	d := &l.dyn
	syms := d.order[d.hashed:]
	n := buckets(len(syms))
	words := uint32(1)
	for int(words)*8 < len(syms) {
		words *= 2
	}
	const shift = 26
	bloom, heads, chain := make([]uint64, words), make([]uint32, n), make([]uint32, len(syms))
	for k, id := range syms {
		h := gnuHash(l.syms[id].name)
		bloom[h/64%words] |= 1<<(h%64) | 1<<(h>>shift%64)
		if heads[h%n] == 0 {
			heads[h%n] = uint32(d.hashed + k + 1)
		}
		chain[k] = h &^ 1
		if k > 0 && gnuHash(l.syms[syms[k-1]].name)%n != h%n {
			chain[k-1] |= 1
		}
	}
	if len(chain) > 0 {
		chain[len(chain)-1] |= 1
	}
	b := l.order.AppendUint32(nil, n)
	b = l.order.AppendUint32(b, uint32(d.hashed+1))
	b = l.order.AppendUint32(b, words)
	b = l.order.AppendUint32(b, shift)
	for _, w := range bloom {
		b = l.order.AppendUint64(b, w)
	}
	for _, w := range append(heads, chain...) {
		b = l.order.AppendUint32(b, w)
	}
	d.hash = b
}

// elfHash is the hash function of version names.
func elfHash(s string) uint32 {
	h := uint32(0)
	for i := range len(s) {
		h = h<<4 + uint32(s[i])
		g := h & 0xf0000000
		h = (h ^ g>>24) &^ g
	}
	return h
}

// makeVersions says of each symbol from a library which version of it the
// program was linked with, so that it gets that one from later libraries too.
func (l *linker) makeVersions() {
	d := &l.dyn
	d.versym = make([]byte, 2*(len(d.order)+1))
	next := uint16(2)
	for _, lib := range l.libs {
		var names []string
		for k, id := range d.order {
			y := &l.syms[id]
			v := uint16(1) // of no version
			if y.state == library {
				name := y.lib.lib.version(y.lib.index)
				if y.lib.lib != lib {
					continue
				}
				if name != "" {
					n := slices.Index(names, name)
					if n < 0 {
						n = len(names)
						names = append(names, name)
					}
					v = next + uint16(n)
				}
			}
			l.order.PutUint16(d.versym[2*(k+1):], v)
		}
		if len(names) == 0 {
			continue
		}
		// The distance to the next row; the last one's is 0.
		d.verneed = l.appendNeed(d.verneed, d.str(lib.soname), len(names), 16+16*uint32(len(names)))
		for n, name := range names {
			to := uint32(16)
			if n == len(names)-1 {
				to = 0
			}
			d.verneed = l.order.AppendUint32(d.verneed, elfHash(name))
			d.verneed = l.order.AppendUint16(d.verneed, 0)
			d.verneed = l.order.AppendUint16(d.verneed, next)
			d.verneed = l.order.AppendUint32(d.verneed, d.str(name))
			d.verneed = l.order.AppendUint32(d.verneed, to)
			next++
		}
		d.files++
	}
	for at := 0; at < len(d.verneed); {
		step := int(l.order.Uint32(d.verneed[at+12:]))
		if at+step == len(d.verneed) {
			l.order.PutUint32(d.verneed[at+12:], 0)
		}
		at += step
	}
}

// appendNeed appends a row of .gnu.version_r.
func (l *linker) appendNeed(b []byte, file uint32, n int, next uint32) []byte {
	b = l.order.AppendUint16(b, 1)
	b = l.order.AppendUint16(b, uint16(n))
	b = l.order.AppendUint32(b, file)
	b = l.order.AppendUint32(b, 16)
	return l.order.AppendUint32(b, next)
}

// gotReserved are the words at the start of .got.plt that the ABI keeps for the
// dynamic loader.
const gotReserved = 3

// addTables adds the output sections that the linker makes.
func (l *linker) addTables(frames int) {
	d := &l.dyn
	made := func(rank uint8, name string, typ mc.SectionType, flags mc.SectionFlags, align, size, ent uint64, link string) {
		l.outs = append(l.outs, outSection{name: name, typ: typ, flags: flags | mc.FlagAlloc, rank: rank, align: align, size: size, entSize: ent, link: link})
	}
	data := func(b []byte) { l.outs[len(l.outs)-1].data = b }
	made(rankInterp, ".interp", mc.SecProgBits, 0, 1, uint64(len(l.sys.interp)+1), 0, "")
	data([]byte(l.sys.interp))
	made(rankTables, ".gnu.hash", secGNUHash, 0, 8, uint64(len(d.hash)), 0, ".dynsym")
	data(d.hash)
	made(rankTables, ".dynsym", secDynSym, 0, 8, symSize*uint64(len(d.order)+1), symSize, ".dynstr")
	made(rankTables, ".dynstr", mc.SecStrTab, 0, 1, uint64(len(d.strs)), 0, "")
	data(d.strs)
	if d.files > 0 {
		made(rankTables, ".gnu.version", secVerSym, 0, 2, uint64(len(d.versym)), 2, ".dynsym")
		data(d.versym)
		made(rankTables, ".gnu.version_r", secVerNeed, 0, 8, uint64(len(d.verneed)), 0, ".dynstr")
		data(d.verneed)
	}
	if n := l.tables.relas; n > 0 {
		made(rankTables, ".rela.dyn", mc.SecRela, 0, 8, relaSize*uint64(n), relaSize, ".dynsym")
	}
	jumps := 0
	for _, id := range l.tables.stubs {
		if l.syms[id].state == library {
			jumps++
		}
	}
	if jumps > 0 {
		made(rankTables, ".rela.plt", mc.SecRela, 0, 8, relaSize*uint64(jumps), relaSize, ".dynsym")
	}
	if frames > 0 {
		made(rankReadOnly, ".eh_frame_hdr", mc.SecProgBits, 0, 4, frameTableHead+8*uint64(frames), 0, "")
	}
	if n := len(l.tables.stubs); n > 0 {
		made(rankText, ".plt", mc.SecProgBits, mc.FlagExec, 16, uint64(l.abi.Stub.Size*n), uint64(l.abi.Stub.Size), "")
	}
	d.listEntries(l, jumps)
	made(rankDynamic, ".dynamic", secDynamic, mc.FlagWrite, 8, 16*uint64(len(d.entries)), 16, ".dynstr")
	if n := len(l.tables.got); n > 0 {
		made(rankDynamic, ".got", mc.SecProgBits, mc.FlagWrite, 8, 8*uint64(n), 8, "")
	}
	made(rankDynamic, ".got.plt", mc.SecProgBits, mc.FlagWrite, 8, 8*uint64(gotReserved+len(l.tables.stubs)), 8, "")
}

// Section types of the tables.
const (
	secDynamic mc.SectionType = 6
	secDynSym  mc.SectionType = 11
	secGNUHash mc.SectionType = 0x6ffffff6
	secVerNeed mc.SectionType = 0x6ffffffe
	secVerSym  mc.SectionType = 0x6fffffff
)

// Tags of .dynamic that are written, and values of the two flags.
const (
	dtNull, dtPltRelSz, dtPltGOT, dtRela, dtRelaSz, dtRelaEnt, dtSymEnt = 0, 2, 3, 7, 8, 9, 11
	dtPltRel, dtDebug, dtJmpRel                                         = 20, 21, 23
	dtInitArray, dtFiniArray, dtInitArraySz, dtFiniArraySz, dtFlags     = 25, 26, 27, 28, 30
	dtPreinitArray, dtPreinitArraySz                                    = 32, 33
	dtRelaCount, dtFlags1, dtVerNeed, dtVerNeedNum                      = 0x6ffffff9, 0x6ffffffb, 0x6ffffffe, 0x6fffffff

	flagBindNow = 8
	flag1Now    = 1
	flag1PIE    = 0x08000000
)

// listEntries makes the rows of .dynamic.
func (d *dynamic) listEntries(l *linker, jumps int) {
	num := func(tag, v uint64) { d.entries = append(d.entries, entry{tag: tag, val: v}) }
	addr := func(tag uint64, section string) { d.entries = append(d.entries, entry{tag: tag, section: section}) }
	size := func(tag uint64, section string) {
		d.entries = append(d.entries, entry{tag: tag, section: section, size: true})
	}
	for _, n := range d.needed {
		num(dtNeeded, uint64(n))
	}
	for _, a := range [...]struct {
		name     string
		addr, sz uint64
	}{{".preinit_array", dtPreinitArray, dtPreinitArraySz}, {".init_array", dtInitArray, dtInitArraySz}, {".fini_array", dtFiniArray, dtFiniArraySz}} {
		if l.hasInput(a.name) {
			addr(a.addr, a.name)
			size(a.sz, a.name)
		}
	}
	addr(dtGNUHash, ".gnu.hash")
	addr(dtStrTab, ".dynstr")
	addr(dtSymTab, ".dynsym")
	size(dtStrSz, ".dynstr")
	num(dtSymEnt, symSize)
	num(dtDebug, 0)
	addr(dtPltGOT, ".got.plt")
	if jumps > 0 {
		size(dtPltRelSz, ".rela.plt")
		num(dtPltRel, dtRela)
		addr(dtJmpRel, ".rela.plt")
	}
	if l.tables.relas > 0 {
		addr(dtRela, ".rela.dyn")
		size(dtRelaSz, ".rela.dyn")
		num(dtRelaEnt, relaSize)
		num(dtRelaCount, 0) // filled in when they are known
	}
	num(dtFlags, flagBindNow)
	num(dtFlags1, flag1Now|flag1PIE)
	if d.files > 0 {
		addr(dtVerNeed, ".gnu.version_r")
		num(dtVerNeedNum, uint64(d.files))
		addr(dtVerSym, ".gnu.version")
	}
	num(dtNull, 0)
}

// hasInput reports whether an input has a section that goes into an output section.
func (l *linker) hasInput(name string) bool {
	for i := range l.secs {
		if s := &l.secs[i]; !s.dropped && outName(s.src.Name) == name {
			return true
		}
	}
	return false
}
