package link

import (
	"bytes"
	"errors"
	"io"

	"github.com/mirin-go/mirin/mc"
)

// sharedLib is the dynamic symbol table of a shared library. Of the file only
// the segments are read that hold the table.
type sharedLib struct {
	asked   string // the name by which it was opened
	soname  string
	machine *mc.Machine
	order   mc.ByteOrder

	file  io.ReaderAt
	loads []load

	syms, strs    []byte
	versym        []byte // nil without versions
	versions      []string
	bloom         []byte
	bloomShift    uint32
	buckets       []byte
	chains        []byte
	symOffset     uint32 // the first symbol that the hash table lists
	undefinedRefs map[string]bool
}

// load is a segment of the file.
type load struct {
	off, addr, size uint64
	data            []byte // nil until asked for
}

var (
	errOtherMachine = errors.New("not an ELF file for this machine")
	errDamaged      = errors.New("damaged: no symbol table where the file says that it is")
	errNoHash       = errors.New("it has no GNU hash table: not supported")
)

// Sizes of the file's tables, in bytes, and tags of the dynamic section.
const (
	ehdrSize, phdrSize, shdrSize, symSize, relaSize = 64, 56, 64, 24, 24

	dtNeeded, dtStrTab, dtSymTab, dtStrSz, dtSoname = 1, 5, 6, 10, 14
	dtGNUHash, dtVerSym, dtVerDef, dtVerDefNum      = 0x6ffffef5, 0x6ffffff0, 0x6ffffffc, 0x6ffffffd
)

// read finds the tables.
func (s *sharedLib) read(f io.ReaderAt) error {
	s.file = f
	var h [ehdrSize]byte
	data := byte(1)
	if s.machine.BigEndian {
		data = 2
	}
	if _, err := f.ReadAt(h[:], 0); err != nil || string(h[:5]) != "\x7fELF\x02" || h[5] != data || s.order.Uint16(h[18:]) != s.machine.ELFMachine {
		return errOtherMachine
	}
	ph := make([]byte, int(s.order.Uint16(h[56:]))*phdrSize)
	if _, err := f.ReadAt(ph, int64(s.order.Uint64(h[32:]))); err != nil || s.order.Uint16(h[54:]) != phdrSize {
		return errDamaged
	}
	var dyn []byte
	for ; len(ph) > 0; ph = ph[phdrSize:] {
		l := load{off: s.order.Uint64(ph[8:]), addr: s.order.Uint64(ph[16:]), size: s.order.Uint64(ph[32:])}
		switch s.order.Uint32(ph) {
		case ptLoad:
			s.loads = append(s.loads, l)
		case ptDynamic:
			if l.size > 1<<20 {
				return errDamaged
			}
			dyn = make([]byte, l.size)
			if _, err := f.ReadAt(dyn, int64(l.off)); err != nil {
				return errDamaged
			}
		}
	}
	return s.tables(dyn)
}

// tables finds the tables that the dynamic section names.
func (s *sharedLib) tables(dyn []byte) error {
	tags := map[uint64]uint64{}
	for ; len(dyn) >= 16; dyn = dyn[16:] {
		tags[s.order.Uint64(dyn)] = s.order.Uint64(dyn[8:])
	}
	if tags[dtGNUHash] == 0 {
		return errNoHash
	}
	s.strs, s.syms = s.at(tags[dtStrTab]), s.at(tags[dtSymTab])
	s.strs = s.strs[:min(uint64(len(s.strs)), tags[dtStrSz])]
	hash := s.at(tags[dtGNUHash])
	if len(s.strs) == 0 || len(s.syms) == 0 || len(hash) < 16 {
		return errDamaged
	}
	if off := tags[dtSoname]; off != 0 {
		s.soname = s.str(uint32(off))
	}
	buckets, bloom := uint64(s.order.Uint32(hash)), uint64(s.order.Uint32(hash[8:]))
	s.symOffset, s.bloomShift = s.order.Uint32(hash[4:]), s.order.Uint32(hash[12:])
	hash = hash[16:]
	if bloom == 0 || buckets == 0 || uint64(len(hash)) < 8*bloom+4*buckets {
		return errDamaged
	}
	s.bloom, hash = hash[:8*bloom], hash[8*bloom:]
	s.buckets, s.chains = hash[:4*buckets], hash[4*buckets:]
	if v := tags[dtVerSym]; v != 0 {
		s.versym = s.at(v)
		s.readVersions(s.at(tags[dtVerDef]), tags[dtVerDefNum])
	}
	return nil
}

// at gives the bytes from an address to the end of its segment, nil when there are none.
func (s *sharedLib) at(addr uint64) []byte {
	for i := range s.loads {
		l := &s.loads[i]
		if addr < l.addr || addr-l.addr >= l.size || l.size > 1<<30 {
			continue
		}
		if l.data == nil {
			l.data = make([]byte, l.size)
			if n, err := s.file.ReadAt(l.data, int64(l.off)); err != nil {
				l.data = l.data[:n]
			}
		}
		return l.data[min(addr-l.addr, uint64(len(l.data))):]
	}
	return nil
}

// readVersions makes the names of the versions, by index.
func (s *sharedLib) readVersions(b []byte, n uint64) {
	for ; n > 0 && len(b) >= 20; n-- {
		index, aux, next := int(s.order.Uint16(b[4:])), s.order.Uint32(b[12:]), s.order.Uint32(b[16:])
		for len(s.versions) <= index {
			s.versions = append(s.versions, "")
		}
		if uint64(aux)+4 <= uint64(len(b)) && s.order.Uint16(b[2:])&1 == 0 { // the flag marks the file's own name
			s.versions[index] = s.str(s.order.Uint32(b[aux:]))
		}
		if next == 0 || uint64(next) > uint64(len(b)) {
			return
		}
		b = b[next:]
	}
}

func (s *sharedLib) str(off uint32) string {
	if uint64(off) >= uint64(len(s.strs)) {
		return ""
	}
	b := s.strs[off:]
	return string(b[:max(bytes.IndexByte(b, 0), 0)])
}

// isName compares without making a string.
func (s *sharedLib) isName(off uint32, name string) bool {
	end := uint64(off) + uint64(len(name))
	return end < uint64(len(s.strs)) && string(s.strs[off:end]) == name && s.strs[end] == 0
}

// sym gives a row of the symbol table.
func (s *sharedLib) sym(i uint32) []byte {
	if at := uint64(i) * symSize; at+symSize <= uint64(len(s.syms)) {
		return s.syms[at : at+symSize]
	}
	return make([]byte, symSize)
}

func (s *sharedLib) symType(i uint32) mc.SymType { return mc.SymType(s.sym(i)[4] & 15) }
func (s *sharedLib) symValue(i uint32) uint64    { return s.order.Uint64(s.sym(i)[8:]) }
func (s *sharedLib) symSize(i uint32) uint64     { return s.order.Uint64(s.sym(i)[16:]) }
func (s *sharedLib) symSection(i uint32) uint16  { return s.order.Uint16(s.sym(i)[6:]) }

// versionIndex is the index of a symbol's version and whether only references
// with a version may have it.
func (s *sharedLib) versionIndex(i uint32) (index uint16, hidden bool) {
	if at := uint64(i) * 2; at+2 <= uint64(len(s.versym)) {
		v := s.order.Uint16(s.versym[at:])
		return v & 0x7fff, v&0x8000 != 0
	}
	return 1, false
}

// version is the name of a symbol's version, "" for none.
func (s *sharedLib) version(i uint32) string {
	if v, _ := s.versionIndex(i); int(v) < len(s.versions) {
		return s.versions[v]
	}
	return ""
}

// gnuHash is the hash function of DT_GNU_HASH.
func gnuHash(name string) uint32 {
	h := uint32(5381)
	for i := range len(name) {
		h = h*33 + uint32(name[i])
	}
	return h
}

// lookup finds the definition that a program gets which asks for a name: the
// default version.
func (s *sharedLib) lookup(name string) (index uint32, ok bool) {
	h := gnuHash(name)
	word := s.order.Uint64(s.bloom[8*(h/64%uint32(len(s.bloom)/8)):])
	if word>>(h%64)&1 == 0 || word>>(h>>(s.bloomShift&31)%64)&1 == 0 {
		return 0, false
	}
	i := s.order.Uint32(s.buckets[4*(h%uint32(len(s.buckets)/4)):])
	for ; i >= s.symOffset && i != 0; i++ {
		at := uint64(i-s.symOffset) * 4
		if at+4 > uint64(len(s.chains)) {
			break
		}
		c := s.order.Uint32(s.chains[at:])
		if c|1 == h|1 && s.isName(s.order.Uint32(s.sym(i)), name) && s.symSection(i) != 0 {
			if _, hidden := s.versionIndex(i); !hidden {
				return i, true
			}
		}
		if c&1 != 0 {
			break
		}
	}
	return 0, false
}

// refersTo reports whether the library has an undefined symbol of that name,
// which a definition in the program satisfies.
func (s *sharedLib) refersTo(name string) bool {
	if s.undefinedRefs == nil {
		s.undefinedRefs = map[string]bool{}
		for i := uint32(1); i < s.symOffset && uint64(i+1)*symSize <= uint64(len(s.syms)); i++ {
			if s.symSection(i) == 0 {
				s.undefinedRefs[s.str(s.order.Uint32(s.sym(i)))] = true
			}
		}
	}
	return s.undefinedRefs[name]
}

// symbols is the number of rows of the symbol table: one behind the end of the
// last chain of the hash table.
func (s *sharedLib) symbols() uint32 {
	last := uint32(0)
	for b := s.buckets; len(b) > 0; b = b[4:] {
		last = max(last, s.order.Uint32(b))
	}
	for last >= s.symOffset {
		at := uint64(last-s.symOffset) * 4
		if at+4 > uint64(len(s.chains)) || s.order.Uint32(s.chains[at:])&1 != 0 {
			break
		}
		last++
	}
	return min(last+1, uint32(len(s.syms)/symSize))
}

// sameAddress calls f with the names of all visible variables at an address:
// the further names of one that is copied.
func (s *sharedLib) sameAddress(addr uint64, f func(name string, index uint32)) {
	for i, n := s.symOffset, s.symbols(); i < n; i++ {
		if s.symValue(i) != addr || s.symSection(i) == 0 || s.symType(i) != mc.TypeObject {
			continue
		}
		if _, hidden := s.versionIndex(i); !hidden {
			f(s.str(s.order.Uint32(s.sym(i))), i)
		}
	}
}
