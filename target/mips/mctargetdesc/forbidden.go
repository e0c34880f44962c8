package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// The compact branches of the sixth release have a forbidden slot: what follows must not change
// the flow of control itself. The assembler puts a nop there where it fills slots.

// forbids reports an instruction with a forbidden slot.
func forbids(name string) bool {
	if strings.HasSuffix(name, "_MMR6") {
		return false
	}
	switch strings.TrimSuffix(name, "64") {
	case "BEQC", "BNEC", "BLTC", "BGEC", "BLTUC", "BGEUC", "BEQZC", "BNEZC", "BLEZC", "BGEZC", "BGTZC", "BLTZC", "BOVC", "BNVC",
		"BEQZALC", "BNEZALC", "BLEZALC", "BGEZALC", "BGTZALC", "BLTZALC":
		return true
	}
	return false
}

// forbidden reports an instruction that must not stand in a forbidden slot.
func forbidden(name string, d *desc.InstrDesc) bool {
	if d.HasDelaySlot() || d.IsBranch() || d.IsCall() || d.IsReturn() || forbids(name) {
		return true
	}
	switch strings.TrimSuffix(name, "_MM") {
	case "SYSCALL", "BREAK", "ERET", "ERETNC", "DERET", "WAIT", "PAUSE", "JIC", "JIALC", "BC", "BALC",
		"TEQ", "TGE", "TGEU", "TLT", "TLTU", "TNE", "TEQI", "TGEI", "TGEIU", "TLTI", "TTLTIU", "TNEI":
		return true
	}
	return false
}

// openSlot fills the slot of the instruction before one, where that must not stand in it; keeps
// says that what follows keeps its own slot.
func (r *reader) openSlot(bad, keeps bool) error {
	if !r.slotOpen || !bad {
		return nil
	}
	r.slotOpen = false
	if err := r.delaySlot(false); err != nil {
		return err
	}
	if !keeps {
		r.reorder()
	}
	return nil
}

// closeSlot ends the slot behind an instruction that may stand in it.
func (r *reader) closeSlot() {
	if r.slotOpen {
		r.slotOpen = false
		r.reorder()
	}
}
