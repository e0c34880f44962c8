package check

import "slices"

// record says something about a key (a place's group, a value, a virtual
// register) at the end of a block.
type record struct {
	key   int32
	block int32 // number
	at    int32 // node; for slots: first in local.stored; for registers forgotten: anyNode when they are undefined
	parts int32
	means meaning // of a value
}

// index finds records by key and block.
type index struct {
	recs []record
	off  []int32 // by key, and one more; nil until sorted
}

// add appends a record; blocks come in ascending order.
func (x *index) add(r record) { x.recs = append(x.recs, r) }

// sort orders the records by key, keeping the order of blocks.
func (x *index) sort(keys int) {
	x.off = make([]int32, keys+1)
	for k := range x.recs {
		x.off[x.recs[k].key+1]++
	}
	for k := range keys {
		x.off[k+1] += x.off[k]
	}
	out := make([]record, len(x.recs))
	next := slices.Clone(x.off)
	for k := range x.recs {
		r := &x.recs[k]
		out[next[r.key]] = *r
		next[r.key]++
	}
	x.recs = out
}

// find returns the record of a key and a block, nil when there is none.
func (x *index) find(key, block int32) *record {
	l := x.recs[x.off[key]:x.off[key+1]]
	k, ok := slices.BinarySearchFunc(l, block, func(r record, b int32) int { return int(r.block) - int(b) })
	if !ok {
		return nil
	}
	return &l[k]
}
