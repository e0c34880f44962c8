package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// The bits of an instruction's target flags that say which vector registers its
// destination must differ from (LLVM's RISCVII::VConstraintType).
const (
	flagSource2 = 1 << 5
	flagSource1 = 2 << 5
	flagMask    = 4 << 5
)

// checker knows what instructions must not be, beside what their operands may.
type checker struct {
	info     *desc.Info
	v0       desc.PhysReg
	unmasked map[desc.Opcode]bool // read v0 and have no mask
	moves    map[desc.Opcode]bool // two registers that must differ
	pairs    map[desc.Opcode]bool // three registers that must
}

func newChecker(info *desc.Info) *checker {
	c := &checker{info: info, unmasked: map[desc.Opcode]bool{}, moves: map[desc.Opcode]bool{}, pairs: map[desc.Opcode]bool{}}
	c.v0, _ = info.RegByName("v0")
	for _, l := range [...]struct {
		to    map[desc.Opcode]bool
		names string
	}{
		{c.unmasked, "VADC_VIM VADC_VVM VADC_VXM VSBC_VVM VSBC_VXM VFMERGE_VFM VMERGE_VIM VMERGE_VVM VMERGE_VXM"},
		{c.moves, "CM_MVSA01 QC_CM_MVSA01"}, {c.pairs, "TH_LDD TH_LWD TH_LWUD"},
	} {
		for n := range strings.FieldsSeq(l.names) {
			if op, ok := info.OpcodeByName(n); ok {
				l.to[op] = true
			}
		}
	}
	return c
}

// check says what is wrong with an instruction, "" for nothing, and of which operand.
func (c *checker) check(_ *mc.Subtarget, in *mc.Inst) (msg string, operand int) {
	reg := func(k int) desc.PhysReg { return in.Ops[k].Reg() }
	if c.moves[in.Op] && reg(0) == reg(1) {
		return "rs1 and rs2 must be different", 0
	}
	if c.pairs[in.Op] && (reg(0) == reg(1) || reg(0) == reg(2) || reg(1) == reg(2)) {
		return "rs1, rd1, and rd2 cannot overlap", 0
	}
	flags := c.info.Instr(in.Op).TSFlags
	if flags&(flagSource2|flagSource1|flagMask) == 0 || len(in.Ops) < 2 || !in.Ops[0].IsReg() {
		return "", 0
	}
	const source = "the destination vector register group cannot overlap the source vector register group"
	descs, at := c.info.Operands(in.Op), 0
	if len(descs) > 1 && descs[1].TiedTo == 0 {
		at = 1
	}
	name := c.info.OpcodeName(in.Op)
	custom := strings.HasPrefix(name, "SF_VC_V_") // opcode, a number, then the sources
	if custom {
		at, operand = 1, 1
		if descs[1].TiedTo == 0 || len(descs) > 2 && descs[2].TiedTo == 0 {
			at = 2
		}
	}
	same := func(k int) bool { return k < len(in.Ops) && in.Ops[k].IsReg() && reg(k) == reg(0) }
	if flags&flagSource2 != 0 && same(at+1) || flags&flagSource1 != 0 && same(at+2) {
		return source, operand
	}
	if flags&flagMask != 0 && reg(0) == c.v0 && !custom {
		if c.unmasked[in.Op] {
			return "the destination vector register group cannot be V0", 0
		}
		if same(len(in.Ops) - 1) {
			return "the destination vector register group cannot overlap the mask register", 0
		}
	}
	return "", 0
}
