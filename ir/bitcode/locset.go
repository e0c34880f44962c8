package bitcode

import "github.com/mirin-go/mirin/ir"

// locSet finds the debug locations of a module by their content: a hash table
// of ids alone, since the module has the content, 4 to 8 bytes a location.
type locSet struct {
	md   *ir.MDTable
	ids  []ir.MDID // open addressing; a power of two, at least a quarter is 0
	used int
}

// newLocSet makes room for n locations.
func newLocSet(md *ir.MDTable, n int) *locSet {
	size := 64
	for size*3 < n*4 {
		size *= 2
	}
	return &locSet{md: md, ids: make([]ir.MDID, size)}
}

func hashLocation(l *ir.DILocation) uint64 {
	const k = 0x9e3779b97f4a7c15 // 2^64 divided by the golden ratio
	h := uint64(l.Line)<<16 | uint64(l.Column)
	h = (h ^ uint64(l.Scope)<<32 ^ uint64(l.InlinedAt)) * k
	h = (h ^ h>>29 ^ l.AtomGroup<<3 ^ uint64(l.AtomRank)) * k
	return h ^ h>>32
}

// find returns the place of a location, or the empty one where it belongs.
func (s *locSet) find(l *ir.DILocation) int {
	mask := len(s.ids) - 1
	for i := int(hashLocation(l)) & mask; ; i = (i + 1) & mask {
		if s.ids[i] == 0 {
			return i
		}
		if have, _ := s.md.Location(s.ids[i]); have == *l {
			return i
		}
	}
}

// get returns the location's id, 0 when it is not there.
func (s *locSet) get(l *ir.DILocation) ir.MDID { return s.ids[s.find(l)] }

// put adds location id of the module unless an equal one is there.
func (s *locSet) put(id ir.MDID, l *ir.DILocation) {
	at := s.find(l)
	if s.ids[at] != 0 {
		return
	}
	s.ids[at] = id
	if s.used++; s.used*4 <= len(s.ids)*3 {
		return
	}
	old := s.ids
	s.ids = make([]ir.MDID, 2*len(old))
	for _, x := range old {
		if have, ok := s.md.Location(x); ok {
			s.ids[s.find(&have)] = x
		}
	}
}
