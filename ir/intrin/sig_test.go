package intrin

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
)

// TestMatchAll: every signature can be matched against any type; the table
// leaves out zeros at the end of a signature.
func TestMatchAll(t *testing.T) {
	types := ir.NewTypes()
	ft := types.Func(ir.Int1, []ir.Type{ir.Int32}, false)
	n := 0
	for off := 0; off < len(names); off += strings.IndexByte(names[off:], '\n') + 1 {
		ID(off+1).Match(types, ft)
		n++
	}
	if n < 10000 {
		t.Errorf("only %d intrinsics", n)
	}
	if _, r := Lookup("llvm.is.constant.i32").Match(types, ft); r != Matches {
		t.Errorf("llvm.is.constant.i32 does not match i1 (i32): %v", r)
	}
}
