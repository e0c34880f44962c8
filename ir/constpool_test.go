package ir

import (
	"slices"
	"testing"
)

// TestExtend: a pool that extends another has its constants under their ids,
// shares equal ones and adds others that the first does not see.
func TestExtend(t *testing.T) {
	var q ConstPool
	q.init()
	a, b := q.Int(Int32, 7), q.Int(Int32, 8)
	agg := q.Aggregate(ConstArray, Int32, []Value{ConstVal(a), ConstVal(b)})
	data := q.DataArray(Int8, []byte("abc"))
	rows, ops, bytes := len(q.rows), slices.Clone(q.ops), slices.Clone(q.bytes)

	var p ConstPool
	for round := range 3 {
		p.Extend(&q)
		if p.Int(Int32, 7) != a || p.Int(Int32, 8) != b || p.Len() != q.Len() {
			t.Fatal("the constants of the first pool are not found")
		}
		for k := range 100 {
			p.Int(Int64, uint64(k+round))
		}
		p.Aggregate(ConstArray, Int32, []Value{ConstVal(b)})
		p.DataArray(Int8, []byte("xyz"))
		if !slices.Equal(p.Ops(agg), []Value{ConstVal(a), ConstVal(b)}) || string(p.Data(data)) != "abc" {
			t.Fatal("what the constants are made of was lost")
		}
		if len(q.rows) != rows || !slices.Equal(q.ops, ops) || !slices.Equal(q.bytes, bytes) {
			t.Fatal("the first pool changed")
		}
	}
	// A pool that is used again by itself does not write into what it shared.
	p.reset()
	p.Aggregate(ConstArray, Int32, []Value{0, 0})
	p.DataArray(Int8, []byte("!!!"))
	if !slices.Equal(q.ops, ops) || !slices.Equal(q.bytes, bytes) {
		t.Fatal("the first pool changed")
	}
}
