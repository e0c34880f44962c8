package liveness

import (
	"sort"

	"github.com/mirin-go/mirin/mir"
)

// Assigned is a stretch in which a register unit holds a virtual register.
type Assigned struct {
	Start, End Index
	Reg        mir.Reg
}

// chunkLen is the number of rows of a chunk. Insertions move half a chunk, and
// the list of chunks when one is full: 10^5 stretches are 3000 chunks.
const chunkLen = 64

type chunk struct {
	n    int32
	rows [chunkLen]Assigned
}

// Union is the set of stretches in which a register unit is taken by virtual
// registers, in order, without overlaps (LLVM's LiveIntervalUnion).
type Union struct {
	chunks []*chunk
	last   []Index // where each chunk ends
	n      int
}

// Len is the number of stretches.
func (u *Union) Len() int { return u.n }

// Cursor is a place in a Union: good until that changes.
type Cursor struct {
	u    *Union
	c, k int
}

// Find returns the first stretch that ends behind at.
func (u *Union) Find(at Index) Cursor {
	c := sort.Search(len(u.last), func(c int) bool { return u.last[c] > at })
	cur := Cursor{u, c, 0}
	if c < len(u.chunks) {
		cur.k = u.chunks[c].find(0, at)
	}
	return cur
}

// find returns the first row from k on that ends behind at.
func (c *chunk) find(k int, at Index) int {
	lo, n := k, int(c.n)-k
	for n > 0 {
		h := n / 2
		if c.rows[lo+h].End <= at {
			lo += h + 1
			n -= h + 1
		} else {
			n = h
		}
	}
	return lo
}

// Valid reports whether the cursor stands on a stretch.
func (c *Cursor) Valid() bool { return c.c < len(c.u.chunks) }

// At returns the stretch.
func (c *Cursor) At() *Assigned { return &c.u.chunks[c.c].rows[c.k] }

// Rows lists the stretch and some of those behind it, none at the end; Skip goes
// on behind the first n of these.
func (c *Cursor) Rows() []Assigned {
	if !c.Valid() {
		return nil
	}
	ch := c.u.chunks[c.c]
	return ch.rows[c.k:ch.n]
}

// Skip goes on by n of the stretches that Rows lists.
func (c *Cursor) Skip(n int) {
	if c.k += n; c.k == int(c.u.chunks[c.c].n) {
		c.c, c.k = c.c+1, 0
	}
}

// Next goes on to the next stretch.
func (c *Cursor) Next() {
	if c.k++; c.k == int(c.u.chunks[c.c].n) {
		c.c, c.k = c.c+1, 0
	}
}

// Prev goes back to the stretch before; false when there is none.
func (c *Cursor) Prev() bool {
	switch {
	case c.k > 0:
		c.k--
	case c.c > 0:
		c.c--
		c.k = int(c.u.chunks[c.c].n) - 1
	default:
		return false
	}
	return true
}

// AdvanceTo goes on to the first stretch that ends behind at.
func (c *Cursor) AdvanceTo(at Index) {
	u := c.u
	if c.c >= len(u.chunks) {
		return
	}
	if u.last[c.c] <= at {
		c.c += 1 + sort.Search(len(u.last)-c.c-1, func(k int) bool { return u.last[c.c+1+k] > at })
		c.k = 0
		if c.c >= len(u.chunks) {
			return
		}
	}
	c.k = u.chunks[c.c].find(c.k, at)
}

// insert puts a stretch into the set.
func (u *Union) insert(a Assigned, pool *[]*chunk) {
	u.n++
	if len(u.chunks) == 0 {
		u.addChunk(0, pool)
	}
	c := sort.Search(len(u.last), func(c int) bool { return u.last[c] > a.Start })
	if c == len(u.chunks) {
		c--
	}
	ch := u.chunks[c]
	if ch.n == chunkLen {
		next := u.addChunk(c+1, pool)
		// In order at the end is how most come: leave the chunk full then.
		from := int32(chunkLen / 2)
		if a.Start >= u.last[c] {
			from = chunkLen
		}
		next.n = int32(copy(next.rows[:], ch.rows[from:]))
		ch.n = from
		u.last[c] = ch.rows[from-1].End
		if next.n > 0 {
			u.last[c+1] = next.rows[next.n-1].End
		}
		if a.Start >= u.last[c] {
			c++
			ch = next
		}
	}
	k := ch.find(0, a.Start)
	copy(ch.rows[k+1:ch.n+1], ch.rows[k:ch.n])
	ch.rows[k] = a
	ch.n++
	u.last[c] = ch.rows[ch.n-1].End
}

func (u *Union) addChunk(at int, pool *[]*chunk) *chunk {
	var ch *chunk
	if p := *pool; len(p) > 0 {
		ch = p[len(p)-1]
		*pool = p[:len(p)-1]
		ch.n = 0
	} else {
		ch = new(chunk)
	}
	u.chunks, u.last = append(u.chunks, nil), append(u.last, 0)
	copy(u.chunks[at+1:], u.chunks[at:])
	copy(u.last[at+1:], u.last[at:])
	u.chunks[at], u.last[at] = ch, 0
	return ch
}

// remove takes the stretch that is live at start out; false when that is not reg's.
func (u *Union) remove(start Index, reg mir.Reg, pool *[]*chunk) bool {
	cur := u.Find(start)
	if !cur.Valid() || cur.At().Start != start || cur.At().Reg != reg {
		return false
	}
	u.n--
	ch := u.chunks[cur.c]
	copy(ch.rows[cur.k:], ch.rows[cur.k+1:ch.n])
	if ch.n--; ch.n > 0 {
		u.last[cur.c] = ch.rows[ch.n-1].End
		u.joinNext(cur.c, pool)
		return true
	}
	u.dropChunk(cur.c, pool)
	return true
}

// joinNext makes chunk c and the next one when both are nearly empty.
func (u *Union) joinNext(c int, pool *[]*chunk) {
	if c+1 == len(u.chunks) {
		if c == 0 {
			return
		}
		c--
	}
	a, b := u.chunks[c], u.chunks[c+1]
	if a.n+b.n > chunkLen/4 {
		return
	}
	a.n += int32(copy(a.rows[a.n:], b.rows[:b.n]))
	u.last[c] = u.last[c+1]
	u.dropChunk(c+1, pool)
}

func (u *Union) dropChunk(c int, pool *[]*chunk) {
	*pool = append(*pool, u.chunks[c])
	u.chunks = append(u.chunks[:c], u.chunks[c+1:]...)
	u.last = append(u.last[:c], u.last[c+1:]...)
}

// clear empties the set.
func (u *Union) clear(pool *[]*chunk) {
	*pool = append(*pool, u.chunks...)
	clear(u.chunks)
	u.chunks, u.last, u.n = u.chunks[:0], u.last[:0], 0
}
