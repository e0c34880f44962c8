package irtext

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// Properties of target extension types.
const (
	PropZeroInit  = 1 << iota // zeroinitializer is a value of it
	PropGlobal                // a variable may have it
	PropLocal                 // an alloca may have it
	PropVecElem               // a vector may have it as its element
	PropTokenLike             // it behaves like token
)

// TargetTypeProps returns the properties of a target extension type; those
// that LLVM does not know have none.
func TargetTypeProps(t *ir.Types, ty ir.Type) int {
	name := t.StructName(ty)
	switch {
	case name == "spirv.Image" || name == "spirv.SignedImage":
		return PropGlobal | PropLocal
	case name == "spirv.IntegralConstant" || name == "spirv.Literal":
		return 0
	case strings.HasPrefix(name, "spirv."):
		return PropZeroInit | PropGlobal | PropLocal
	case name == "aarch64.svcount", name == "riscv.vector.tuple":
		return PropZeroInit | PropLocal
	case name == "dx.Padding":
		return PropGlobal
	case strings.HasPrefix(name, "dx."):
		return PropGlobal | PropLocal | PropTokenLike
	case name == "amdgcn.named.barrier":
		return PropGlobal
	case name == "llvm.test.vectorelement":
		return PropLocal | PropVecElem
	}
	return 0
}
