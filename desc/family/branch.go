package family

import "github.com/mirin-go/mirin/desc"

// Branches say how LLVM's target takes the branches at a block's end apart.
type Branches struct {
	Style BranchStyle
	// Always and Cond name the unconditional and the conditional branches.
	Always, Cond []string
	// AnyBranch: every direct branch counts, whatever it is called.
	AnyBranch bool
	// Detached: an unconditional branch that has lost its target is analyzed, and leads nowhere.
	Detached bool
	// OneAlways: of two unconditional branches in a row nothing is said.
	OneAlways bool
	// UndefFlags: a branch on a register that is undefined is not analyzed.
	UndefFlags bool
	// SkipDebug: debug instructions between the last two branches are not seen.
	SkipDebug bool
	// Predicated: instructions have a predicate operand; AlwaysPred is what it says in those that always run.
	Predicated bool
	AlwaysPred int64
}

// BranchStyle is how far a target looks from a block's end.
type BranchStyle uint8

// The styles. Targets without one are not analyzed.
const (
	BranchesUnknown BranchStyle = iota
	// BranchPair: the last one or two terminators: B; Bcc; Bcc and B; B and B.
	BranchPair
	// BranchScan: from the last terminator upwards as long as they are branches.
	BranchScan
	// BranchFirst: the first of the terminators, and the one behind it.
	BranchFirst
	// BranchPredicated: upwards over branches and what is executed under a condition.
	BranchPredicated
	// BranchBundled: all terminators of the block, within bundles too.
	BranchBundled
)

// Opcodes finds opcodes by name; those that the facts do not have are left out.
func Opcodes(in *desc.Info, names []string) (l []desc.Opcode) {
	for _, n := range names {
		if op, ok := in.OpcodeByName(n); ok {
			l = append(l, op)
		}
	}
	return l
}
