package autoupgrade

import "github.com/mirin-go/mirin/ir"

// plan returns what must be done with each call of an intrinsic that LLVM 22
// does not have any more, or has with other operands; nil when nothing must.
func (u *upgrader) plan(id ir.GlobalID, g *ir.Global, name string) func(*call) bool {
	return nil
}
