package ir

import (
	"reflect"
	"testing"
	"unsafe"
)

// Sizes decide speed: an Instr fills one cache line, a Const half of one.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"Instr", unsafe.Sizeof(Instr{}), 64},
		{"Const", unsafe.Sizeof(Const{}), 32},
		{"Block", unsafe.Sizeof(Block{}), 12},
		{"Attachment", unsafe.Sizeof(Attachment{}), 12},
		{"DbgRecord", unsafe.Sizeof(DbgRecord{}), 36},
		{"DILocation", unsafe.Sizeof(DILocation{}), 32},
		{"Value", unsafe.Sizeof(Value(0)), 4},
	} {
		if c.got != c.want {
			t.Errorf("%s is %d bytes, want %d", c.name, c.got, c.want)
		}
	}
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	}
	return false
}

// Bodies must not be followed by the garbage collector.
func TestNoPointers(t *testing.T) {
	for _, x := range []any{Instr{}, Block{}, Const{}, DbgRecord{}, Attachment{}, Value(0)} {
		if ty := reflect.TypeOf(x); hasPointers(ty) {
			t.Errorf("%s holds a pointer", ty)
		}
	}
	if !hasPointers(reflect.TypeOf(Extra{})) {
		t.Error("the check finds no pointers at all")
	}
}
