package intrin

import (
	"testing"

	"github.com/mirin-go/mirin/ir"
)

// TestMatchAll: every signature can be matched against any type; the table
// leaves out zeros at the end of a signature.
func TestMatchAll(t *testing.T) {
	types := ir.NewTypes()
	ft := types.Func(ir.Int1, []ir.Type{ir.Int32}, false)
	for id := ID(1); ir.Intrinsic(id).Known(); id++ {
		id.Match(types, ft)
	}
	if _, r := Lookup("llvm.is.constant.i32").Match(types, ft); r != Matches {
		t.Errorf("llvm.is.constant.i32 does not match i1 (i32): %v", r)
	}
}
