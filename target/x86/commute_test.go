package x86

import (
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The ranges of opcodes must hold the opcodes of these names, and no others.
func TestReadsCarry(t *testing.T) {
	in := testSubtarget(t, "x86-64", "").Facts
	for op := desc.FirstTargetOpcode; int(op) < in.NumInstrs(); op++ {
		name, want := in.OpcodeName(op), false
		for _, s := range [...]string{"ADC", "SBB", "RCL", "RCR", "SETB_C", "CMC"} {
			want = want || strings.HasPrefix(name, s)
		}
		if got := readsCarry(op); got != want || got && !slices.Contains(in.ImplicitUses(op), tab.EFLAGS) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
