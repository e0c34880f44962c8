package x86

import (
	"strings"

	"github.com/mirin-go/mirin/mir"
)

// hasHighLatency is InstrHooks.HasHighLatency: divisions and square roots of
// floating point.
func hasHighLatency(f *mir.Function, i mir.InstrID) bool {
	name := strings.TrimPrefix(f.Facts.OpcodeName(f.Instr(i).Opcode), "V")
	return strings.HasPrefix(name, "DIVP") || strings.HasPrefix(name, "DIVS") || strings.HasPrefix(name, "SQRTP") || strings.HasPrefix(name, "SQRTS")
}
