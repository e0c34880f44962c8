package mir

import (
	"math"
	"math/bits"
)

// run is a handle of a contiguous list of rows in an arena of runs; the zero
// run is empty. It is copied by value but owns its rows: only one copy may grow.
type run struct {
	off   uint32
	n     uint32
	class uint8 // log2 of the capacity + 1, 0 for none
}

// runs is an arena of short lists: each in a piece whose capacity is a power of
// two, freed pieces in lists by capacity.
type runs[T any] struct {
	rows []T
	free [33][]uint32 // by class
}

// reset empties the arena, keeping its memory.
func (a *runs[T]) reset() {
	a.rows = a.rows[:0]
	for i := range a.free {
		a.free[i] = a.free[i][:0]
	}
}

// of returns the rows of r; good until a run of the arena grows.
func (a *runs[T]) of(r run) []T { return a.rows[r.off : r.off+r.n : r.off+r.n] }

// alloc returns the first row of a piece for class-1 doublings of one row.
func (a *runs[T]) alloc(class uint8) uint32 {
	if fr := a.free[class]; len(fr) > 0 {
		a.free[class] = fr[:len(fr)-1]
		return fr[len(fr)-1]
	}
	off := checkedLen(len(a.rows))
	a.rows = roomFor(a.rows, 1<<(class-1))[:int(off)+1<<(class-1)]
	clear(a.rows[off:])
	return off
}

// release gives the rows of r back and empties it.
func (a *runs[T]) release(r *run) {
	if r.class != 0 {
		a.free[r.class] = append(a.free[r.class], r.off)
	}
	*r = run{}
}

// full reports whether r must grow before it takes one more row.
func (r run) full() bool { return r.class == 0 || r.n == 1<<(r.class-1) }

// grow moves r to a piece of twice the capacity, two rows at least.
func (a *runs[T]) grow(r *run) {
	class := max(r.class+1, 2)
	off := a.alloc(class)
	copy(a.rows[off:], a.of(*r))
	n := r.n
	a.release(r)
	*r = run{off, n, class}
}

// push appends v to r.
func (a *runs[T]) push(r *run, v T) {
	if r.full() {
		a.grow(r)
	}
	a.rows[r.off+r.n] = v
	r.n++
}

// checkedLen is a count or an offset in an arena as the arenas' rows hold it.
// Rows are named by 32 bits: 4 G of them are more than 40 GB, so that to run
// out of names is a bug of whoever makes them; wrapping would name other rows.
func checkedLen(n int) uint32 {
	if uint64(n) > math.MaxUint32 {
		panic("mir: a function has more rows than 32 bits can name")
	}
	return uint32(n)
}

// push appends v to an arena, whose room doubles: append's steps of a quarter leave
// four times as much behind them as is in use.
func push[T any](s []T, v T) []T { return append(roomFor(s, 1), v) }

// roomFor returns s with room for n more rows.
func roomFor[T any](s []T, n int) []T {
	if len(s)+n <= cap(s) {
		return s
	}
	return append(make([]T, 0, max(64, 2*cap(s), len(s)+n)), s...)
}

// opClass returns the size class (log2 of capacity) for n operands.
func opClass(n int) uint8 {
	if n <= 2 {
		return 1
	}
	return uint8(bits.Len(uint(n - 1)))
}
