package dwarf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// scopeID is a lexical scope of the current function; 0 is none.
type scopeID int32

// scope is a lexical block or a subprogram, inlined at a location or not, and the
// instructions that belong to it and to the scopes in it.
type scope struct {
	node, inlinedAt           ir.MDID
	parent, first, last, next scopeID
	in, out                   int32 // numbers of a walk: scopes inside have numbers between
	ranges                    []instrRange
	begin, end                mir.InstrID // of the range that is open
	abstract                  bool
}

type instrRange struct{ first, last mir.InstrID }

type scopeKey struct{ node, inlinedAt ir.MDID }

// scopes are those of one function.
type scopes struct {
	w        *Writer
	rows     []scope // row 0 unused
	root     scopeID // the function's own
	byKey    map[scopeKey]scopeID
	abstract map[ir.MDID]scopeID
	// inlined are the abstract scopes of inlined subprograms, in order.
	inlined []scopeID
	byLoc   map[ir.MDID]scopeID
}

func (s *scopes) reset() {
	s.rows = append(s.rows[:0], scope{})
	s.root, s.inlined = 0, s.inlined[:0]
	if s.byKey == nil {
		s.byKey, s.abstract, s.byLoc = map[scopeKey]scopeID{}, map[ir.MDID]scopeID{}, map[ir.MDID]scopeID{}
	}
	clear(s.byKey)
	clear(s.abstract)
	clear(s.byLoc)
}

func (s *scopes) add(x scope) scopeID {
	id := scopeID(len(s.rows))
	s.rows = append(s.rows, x)
	if p := x.parent; p != 0 {
		if l := s.rows[p].last; l != 0 {
			s.rows[l].next = id
		} else {
			s.rows[p].first = id
		}
		s.rows[p].last = id
	}
	return id
}

// ofLoc is the scope of a debug location, made when it is new; 0 for none.
func (s *scopes) ofLoc(loc ir.MDID) scopeID {
	if id, ok := s.byLoc[loc]; ok {
		return id
	}
	id := scopeID(0)
	if l, ok := s.w.md.Location(loc); ok {
		id = s.of(l.Scope, l.InlinedAt)
	}
	s.byLoc[loc] = id
	return id
}

func (s *scopes) of(node, inlinedAt ir.MDID) scopeID {
	node = s.w.noBlockFile(node)
	if node == 0 {
		return 0
	}
	if inlinedAt == 0 {
		return s.regular(node)
	}
	if s.w.unitKind(s.w.subprogramOf(node)) == kindNoDebug {
		// What is inlined from a unit without debug information belongs to its caller.
		return s.ofLoc(inlinedAt)
	}
	s.abstractOf(node)
	return s.inlinedScope(node, inlinedAt)
}

func (s *scopes) regular(n ir.MDID) scopeID {
	n = s.w.noBlockFile(n)
	if id, ok := s.byKey[scopeKey{n, 0}]; ok {
		return id
	}
	parent := scopeID(0)
	if x := s.w.at(n); x.is("DILexicalBlock") {
		parent = s.regular(x.ref("scope").id)
	}
	id := s.add(scope{node: n, parent: parent})
	s.byKey[scopeKey{n, 0}] = id
	if parent == 0 {
		s.root = id
	}
	return id
}

func (s *scopes) inlinedScope(n, at ir.MDID) scopeID {
	n = s.w.noBlockFile(n)
	if id, ok := s.byKey[scopeKey{n, at}]; ok {
		return id
	}
	var parent scopeID
	if x := s.w.at(n); x.is("DILexicalBlock") {
		parent = s.inlinedScope(x.ref("scope").id, at)
	} else {
		parent = s.ofLoc(at)
	}
	id := s.add(scope{node: n, inlinedAt: at, parent: parent})
	s.byKey[scopeKey{n, at}] = id
	return id
}

func (s *scopes) abstractOf(n ir.MDID) scopeID {
	n = s.w.noBlockFile(n)
	if id, ok := s.abstract[n]; ok {
		return id
	}
	parent := scopeID(0)
	x := s.w.at(n)
	if x.is("DILexicalBlock") {
		parent = s.abstractOf(x.ref("scope").id)
	}
	id := s.add(scope{node: n, parent: parent, abstract: true})
	s.abstract[n] = id
	if x.is("DISubprogram") {
		s.inlined = append(s.inlined, id)
	}
	return id
}

// find is the scope of a node, if there is one.
func (s *scopes) find(n, inlinedAt ir.MDID) scopeID {
	return s.byKey[scopeKey{s.w.noBlockFile(n), inlinedAt}]
}

// ofKnownLoc is the scope of a location, 0 when no instruction has made it.
func (s *scopes) ofKnownLoc(loc ir.MDID) scopeID {
	l, ok := s.w.md.Location(loc)
	if !ok {
		return 0
	}
	return s.find(l.Scope, l.InlinedAt)
}

// scan finds the scopes of a function and their ranges.
func (s *scopes) scan(f *mir.Function) {
	s.reset()
	type run struct {
		instrRange
		scope scopeID
	}
	var runs []run
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		var begin, prev mir.InstrID
		loc := mir.DebugLoc(0)
		closeRun := func() {
			if begin != 0 {
				if id := s.ofLoc(ir.MDID(loc)); id != 0 {
					runs = append(runs, run{instrRange{begin, prev}, id})
				}
			}
		}
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if isMeta(f, i) {
				continue
			}
			l := f.Instr(i).Loc
			if l == 0 || l == loc {
				prev = i
				continue
			}
			closeRun()
			begin, prev, loc = i, i, l
		}
		closeRun()
	}
	s.number()
	last := scopeID(0)
	for _, r := range runs {
		if last != 0 && !s.dominates(last, r.scope) {
			s.close(last, r.scope)
		}
		for x := r.scope; x != 0 && s.rows[x].begin == 0; x = s.rows[x].parent {
			s.rows[x].begin = r.first
		}
		for x := r.scope; x != 0; x = s.rows[x].parent {
			s.rows[x].end = r.last
		}
		last = r.scope
	}
	if last != 0 {
		s.close(last, 0)
	}
}

// close ends the ranges of x and of the scopes around it that next does not lie in.
func (s *scopes) close(x, next scopeID) {
	for x != 0 {
		r := &s.rows[x]
		r.ranges = append(r.ranges, instrRange{r.begin, r.end})
		r.begin, r.end = 0, 0
		x = r.parent
		if x != 0 && next != 0 && s.dominates(x, next) {
			return
		}
	}
}

// number gives the scopes the numbers that dominates compares.
func (s *scopes) number() {
	n := int32(0)
	for top := scopeID(1); int(top) < len(s.rows); top++ {
		if s.rows[top].parent != 0 {
			continue
		}
		x := top
		n++
		s.rows[x].in = n
		for x != 0 {
			switch r := &s.rows[x]; {
			case r.first != 0 && s.rows[r.first].in == 0:
				x = r.first
				n++
				s.rows[x].in = n
			default:
				n++
				r.out = n
				if x == top {
					x = 0
				} else if r.next != 0 {
					x = r.next
					n++
					s.rows[x].in = n
				} else {
					x = r.parent
				}
			}
		}
	}
}

// dominates reports whether b is a or lies in it.
func (s *scopes) dominates(a, b scopeID) bool {
	return a == b || s.rows[a].in < s.rows[b].in && s.rows[b].out < s.rows[a].out
}
