package mctargetdesc

import (
	"math/bits"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// rowIndex finds the rows of the writer's table by their mnemonics. It is built for every run that
// reads an instruction, so it is a hash table without pointers to single rows, and what an
// opcode is (assembled) is asked when its mnemonic is.
type rowIndex struct {
	words []rowWord
	rows  []headOp
	slots []uint16 // 1+index of words, 0 free; a power of two of them
}

// rowWord is a mnemonic and the list of its rows.
type rowWord struct {
	name        string
	first, last int32
}

// headOp is an opcode under a mnemonic, with the value of the condition that the
// mnemonic has.
type headOp struct {
	op   desc.Opcode
	cc   int8  // -1 none
	next int32 // the following row of the mnemonic, -1 none
}

const rowSlots = 1 << 14

// hashWord is FNV-1a of 32 bits.
func hashWord(w string) uint32 {
	h := uint32(2166136261)
	for i := range len(w) {
		h = (h ^ uint32(w[i])) * 16777619
	}
	return h ^ h>>15
}

// slot gives the place of a word: its own, or the free one where it belongs.
func (x *rowIndex) slot(w string) uint32 {
	k := hashWord(w) % rowSlots
	for x.slots[k] != 0 && x.words[x.slots[k]-1].name != w {
		k = (k + 1) % rowSlots
	}
	return k
}

// wordOf gives the index of a word, which it adds.
func (x *rowIndex) wordOf(w string) int {
	k := x.slot(w)
	if x.slots[k] == 0 {
		x.words = append(x.words, rowWord{w, -1, -1})
		x.slots[k] = uint16(len(x.words))
	}
	return int(x.slots[k]) - 1
}

// add appends a row to a word's list.
func (x *rowIndex) add(word int, op desc.Opcode, cc int8) {
	n := int32(len(x.rows))
	x.rows = append(x.rows, headOp{op, cc, -1})
	w := &x.words[word]
	if w.last >= 0 {
		x.rows[w.last].next = n
	} else {
		w.first = n
	}
	w.last = n
}

// first gives the first row of a mnemonic, -1 for none.
func (x *rowIndex) first(w string) int32 {
	if k := x.slots[x.slot(w)]; k != 0 {
		return x.words[k-1].first
	}
	return -1
}

// index fills the index of a variant.
func (s *syntax) index() {
	x := &s.rows
	n := s.info.NumInstrs()
	x.words, x.rows, x.slots = make([]rowWord, 0, 6000), make([]headOp, 0, n), make([]uint16, rowSlots)
	before, word := desc.Name(0), -1 // rows of one mnemonic often follow each other
	for op := desc.FirstTargetOpcode; int(op) < n; op++ {
		head, part := s.w.Row(op, s.variant)
		if part == 0 {
			continue
		}
		p := &s.w.Parts[part]
		if head == before && word >= 0 && p.Text != 0 {
			x.add(word, op, -1)
			continue
		}
		h, text := head.In(s.w.Names), ""
		before, word = 0, -1
		if strings.HasPrefix(h, "{") { // {evex} stands before the mnemonic
			text = strings.TrimLeft(p.Text.In(s.w.Names), "\t ")
			if h = text; strings.IndexByte(text, '\t') >= 0 {
				x.add(x.wordOf(text[:strings.IndexByte(text, '\t')]), op, -1)
				continue
			}
		} else if p.Text != 0 {
			before, word = head, x.wordOf(h)
			x.add(word, op, -1)
			continue
		}
		if p.Style == 0 || p.Op < 0 {
			x.add(x.wordOf(h), op, -1)
			continue
		}
		rest := ""
		if !p.Last {
			rest = s.w.Parts[part+1].Text.In(s.w.Names)
			if k := strings.IndexByte(rest, '\t'); k >= 0 {
				rest = rest[:k]
			}
		}
		y := &s.w.Styles[p.Style-1]
		for _, row := range s.w.Texts[y.First : y.First+y.Num] {
			x.add(x.wordOf(h+row.Text.In(s.w.Names)+rest), op, int8(row.Value))
		}
	}
}

// word is a mnemonic, or a prefix, as statements have it.
type word struct {
	text   string // as it is written
	name   string // in lower case
	flag   mc.InstFlags
	prefix bool // an instruction of its own before another one
	// plain says that no form of operands makes another mnemonic of it (parsing.rename).
	plain bool
	forms []*form1
}

// wordTable has the words that were met. It is read without a lock: slots go from nil to a word once, and a
// table that is too small is replaced by a copy.
type wordTable struct {
	mu    sync.Mutex
	n     int
	slots atomic.Pointer[[]atomic.Pointer[word]]
}

// maxWords bounds the words that are kept: capital letters make many of one mnemonic.
const maxWords = 1 << 13

// lookup finds a word, nil where it was not met yet.
func (t *wordTable) lookup(text string) *word {
	p := t.slots.Load()
	if p == nil {
		return nil
	}
	slots := *p
	for k := hashWord(text) & uint32(len(slots)-1); ; k = (k + 1) & uint32(len(slots)-1) {
		if w := slots[k].Load(); w == nil || w.text == text {
			return w
		}
	}
}

// insert keeps a word; another goroutine may have done so.
func (t *wordTable) insert(w *word) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n >= maxWords || t.lookup(w.text) != nil {
		return
	}
	put := func(slots []atomic.Pointer[word], w *word) {
		k := hashWord(w.text) & uint32(len(slots)-1)
		for slots[k].Load() != nil {
			k = (k + 1) & uint32(len(slots)-1)
		}
		slots[k].Store(w)
	}
	p := t.slots.Load()
	if p == nil || 2*(t.n+1) > len(*p) {
		var old []atomic.Pointer[word]
		if p != nil {
			old = *p
		}
		bigger := make([]atomic.Pointer[word], max(64, 4*len(old)))
		for k := range old {
			if w := old[k].Load(); w != nil {
				put(bigger, w)
			}
		}
		put(bigger, w)
		t.slots.Store(&bigger)
	} else {
		put(*p, w)
	}
	t.n++
}

// word gives what a word of a statement means. text is not kept.
func (s *syntax) word(text string) *word {
	if w := s.met.lookup(text); w != nil {
		return w
	}
	text = strings.Clone(text)
	w := &word{text: text, name: strings.ToLower(text)}
	w.flag, w.prefix = prefixFlag(w.name), prefixWord(w.name)
	w.forms = s.candidates(w.name)
	w.plain = len(w.forms) > 0 && !renamed(w.name)
	if w.flag != 0 || w.prefix || len(w.forms) > 0 {
		s.met.insert(w)
	}
	return w
}

// candidates are the forms under a mnemonic, the most special first.
func (s *syntax) candidates(mnemonic string) []*form1 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fs, ok := s.forms[mnemonic]; ok {
		return fs
	}
	if s.rows.slots == nil {
		s.index()
	}
	var fs []*form1
	for k := s.rows.first(mnemonic); k >= 0; k = s.rows.rows[k].next {
		if h := s.rows.rows[k]; assembled(h.op, s.info) {
			fs = append(fs, s.form(h))
		}
	}
	if len(fs) == 0 { // the intrinsic's opcode may be the only one
		for k := s.rows.first(mnemonic); k >= 0; k = s.rows.rows[k].next {
			if h := s.rows.rows[k]; strings.Contains(s.info.OpcodeName(h.op), "_Int") && !s.info.Instr(h.op).IsPseudo() {
				fs = append(fs, s.form(h))
			}
		}
	}
	if len(fs) == 0 {
		return nil
	}
	sort.SliceStable(fs, func(i, j int) bool {
		a, b := fs[i], fs[j]
		if a.evex != b.evex {
			return b.evex
		}
		// In AT&T's order: sources first.
		for k := 0; k < len(a.elems) && k < len(b.elems); k++ {
			i, j := k, k
			if s.variant == Intel {
				i, j = len(a.elems)-1-k, len(b.elems)-1-k
			}
			if a.elems[i].rank != b.elems[j].rank {
				return a.elems[i].rank < b.elems[j].rank
			}
		}
		// What fewer modes have is meant there (inc of 32 bits in a byte).
		return len(a.elems) == len(b.elems) && bits.OnesCount8(a.modes) < bits.OnesCount8(b.modes)
	})
	s.forms[strings.Clone(mnemonic)] = fs
	return fs
}
