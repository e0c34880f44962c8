package ir

import (
	"strconv"
	"sync"
	"sync/atomic"
)

// Attr is one attribute of a function, result or parameter.
type Attr struct {
	// Key is LLVM's name: an enum attribute's keyword ("nounwind", "align",
	// "sret", "memory", …), or the key of a string attribute.
	Key string
	// Value is the value of a string attribute, or the printed argument of an
	// attribute whose argument is neither a number nor a type (memory(…),
	// range(…), captures(…), …).
	Value string
	// Int is the argument of align, dereferenceable, alignstack, vscale_range, …
	Int uint64
	// Type is the argument of sret, byval, byref, inalloca, preallocated, elementtype.
	Type Type
	// IsString marks "key"="value" attributes; HasInt those with Int.
	IsString bool
	HasInt   bool
}

// AttrSet is the attributes of one place, in the order LLVM prints them.
type AttrSet []Attr

// Get returns the attribute called key.
func (s AttrSet) Get(key string) (Attr, bool) {
	for i := range s {
		if s[i].Key == key {
			return s[i], true
		}
	}
	return Attr{}, false
}

// Has reports whether the set has the attribute.
func (s AttrSet) Has(key string) bool { _, ok := s.Get(key); return ok }

// AttrList is the attributes of a function or call site.
type AttrList struct {
	Fn     AttrSet
	Ret    AttrSet
	Params []AttrSet // may be shorter than the parameters
	// Groups are the numbers of the #n groups that Fn came from, kept for printing.
	Groups []uint32
}

// Param returns the attributes of parameter i.
func (l *AttrList) Param(i int) AttrSet {
	if i < len(l.Params) {
		return l.Params[i]
	}
	return nil
}

// AttrTable interns attribute lists; list 0 is empty. Interning is safe from
// several goroutines, and so is At beside it.
type AttrTable struct {
	mu    sync.RWMutex                // of index, and of those who add
	lists atomic.Pointer[[]*AttrList] // a longer list takes the place of the last
	index map[string]AttrListID
}

func (t *AttrTable) init() {
	t.lists.Store(&[]*AttrList{{}})
	t.index = map[string]AttrListID{"": 0}
}

// At returns list id. It must not be changed.
func (t *AttrTable) At(id AttrListID) *AttrList {
	return (*t.lists.Load())[id]
}

// Len returns the number of lists.
func (t *AttrTable) Len() int { return len(*t.lists.Load()) }

// Intern returns the id of a list equal to l.
func (t *AttrTable) Intern(l *AttrList) AttrListID {
	var buf [256]byte
	key := appendSetKey(buf[:0], l.Fn)
	key = append(key, 1)
	key = appendSetKey(key, l.Ret)
	for _, p := range l.Params {
		key = append(key, 2)
		key = appendSetKey(key, p)
	}
	for len(key) > 0 && key[len(key)-1] <= 2 {
		key = key[:len(key)-1]
	}
	t.mu.RLock()
	id, ok := t.index[string(key)]
	t.mu.RUnlock()
	if ok {
		return id
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.index[string(key)]; ok {
		return id
	}
	lists := append(*t.lists.Load(), l) // behind what readers see
	t.lists.Store(&lists)
	id = AttrListID(len(lists) - 1)
	t.index[string(key)] = id
	return id
}

func appendSetKey(b []byte, s AttrSet) []byte {
	for i := range s {
		a := &s[i]
		b = append(b, 3)
		if a.IsString {
			b = append(b, '"')
		}
		b = append(b, a.Key...)
		b = append(b, 4)
		b = append(b, a.Value...)
		if a.HasInt {
			b = append(b, 5)
			b = strconv.AppendUint(b, a.Int, 36)
		}
		if a.Type != 0 {
			b = append(b, 6)
			b = strconv.AppendUint(b, uint64(a.Type), 36)
		}
	}
	return b
}
