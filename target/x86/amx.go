package x86

import (
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// AMX by the numbers of its registers. The program says in its intrinsics which of the
// eight tiles each operation has: no register is allocated. Tiles as values, of type
// x86_amx, are refused.

// tileForm is what operands a tile instruction has.
type tileForm uint8

const (
	tileAlone   tileForm = iota // the tile that is written
	tileProduct                 // a tile that is added to, and two that are multiplied
	tileLoad                    // a tile, and memory by rows
	tileStore                   // memory by rows, and a tile
	tileMemory                  // memory
	tileNothing                 // no operands
	numTiles    = 8
)

type tileOp struct {
	op      desc.Opcode
	form    tileForm
	feature string
}

// tileOps are the instructions of intrinsics.
func tileOps(x ir.Intrinsic) (tileOp, bool) {
	switch x.Name() {
	case "llvm.x86.ldtilecfg":
		return tileOp{tab.LDTILECFG, tileMemory, "amx-tile"}, true
	case "llvm.x86.sttilecfg":
		return tileOp{tab.STTILECFG, tileMemory, "amx-tile"}, true
	case "llvm.x86.tilerelease":
		return tileOp{tab.TILERELEASE, tileNothing, "amx-tile"}, true
	case "llvm.x86.tilezero":
		return tileOp{tab.TILEZERO, tileAlone, "amx-tile"}, true
	case "llvm.x86.tileloadd64":
		return tileOp{tab.TILELOADD, tileLoad, "amx-tile"}, true
	case "llvm.x86.tileloaddt164":
		return tileOp{tab.TILELOADDT1, tileLoad, "amx-tile"}, true
	case "llvm.x86.tileloaddrs64":
		return tileOp{tab.TILELOADDRS, tileLoad, "amx-movrs"}, true
	case "llvm.x86.tileloaddrst164":
		return tileOp{tab.TILELOADDRST1, tileLoad, "amx-movrs"}, true
	case "llvm.x86.tilestored64":
		return tileOp{tab.TILESTORED, tileStore, "amx-tile"}, true
	case "llvm.x86.tdpbssd":
		return tileOp{tab.TDPBSSD, tileProduct, "amx-int8"}, true
	case "llvm.x86.tdpbsud":
		return tileOp{tab.TDPBSUD, tileProduct, "amx-int8"}, true
	case "llvm.x86.tdpbusd":
		return tileOp{tab.TDPBUSD, tileProduct, "amx-int8"}, true
	case "llvm.x86.tdpbuud":
		return tileOp{tab.TDPBUUD, tileProduct, "amx-int8"}, true
	case "llvm.x86.tdpbf16ps":
		return tileOp{tab.TDPBF16PS, tileProduct, "amx-bf16"}, true
	case "llvm.x86.tdpfp16ps":
		return tileOp{tab.TDPFP16PS, tileProduct, "amx-fp16"}, true
	case "llvm.x86.tcmmimfp16ps":
		return tileOp{tab.TCMMIMFP16PS, tileProduct, "amx-complex"}, true
	case "llvm.x86.tcmmrlfp16ps":
		return tileOp{tab.TCMMRLFP16PS, tileProduct, "amx-complex"}, true
	case "llvm.x86.tdpbf8ps":
		return tileOp{tab.TDPBF8PS, tileProduct, "amx-fp8"}, true
	case "llvm.x86.tdpbhf8ps":
		return tileOp{tab.TDPBHF8PS, tileProduct, "amx-fp8"}, true
	case "llvm.x86.tdphbf8ps":
		return tileOp{tab.TDPHBF8PS, tileProduct, "amx-fp8"}, true
	case "llvm.x86.tdphf8ps":
		return tileOp{tab.TDPHF8PS, tileProduct, "amx-fp8"}, true
	case "llvm.x86.tmmultf32ps":
		return tileOp{tab.TMMULTF32PS, tileProduct, "amx-tf32"}, true
	}
	return tileOp{}, false
}

// selectTile selects an intrinsic whose tiles are numbers.
func selectTile(m *matchtable.Matcher, i mir.InstrID) bool {
	f := m.F
	if in := f.Instr(i); in.Opcode != desc.G_INTRINSIC_W_SIDE_EFFECTS || f.Op(i, 0).Kind() != mir.OpIntrinsicID {
		return false
	}
	t, ok := tileOps(f.Op(i, 0).Intrinsic())
	if !ok || !m.ST.HasFeature(t.feature) {
		return false
	}
	var tiles []desc.PhysReg
	var regs []mir.Reg
	for n := 1; n < f.Instr(i).NumOps(); n++ {
		switch o := f.Op(i, n); {
		case o.IsReg():
			regs = append(regs, o.Reg())
		case o.Imm() >= 0 && o.Imm() < numTiles:
			tiles = append(tiles, tab.TMM0+desc.PhysReg(o.Imm()))
		default:
			return false
		}
	}
	none := mir.RegOp(mir.NoReg, 0)
	def := func(k int) mir.Operand { return mir.RegOp(reg(tiles[k]), mir.Def) }
	// What is in a tile the allocator does not know.
	use := func(k int) mir.Operand { return mir.RegOp(reg(tiles[k]), mir.Undef) }
	memory := func() []mir.Operand {
		index := none
		if len(regs) > 1 {
			index = globalisel.Use(regs[1])
		}
		return []mir.Operand{globalisel.Use(regs[0]), mir.ImmOp(1), index, mir.ImmOp(0), none}
	}
	var ops []mir.Operand
	switch t.form {
	case tileAlone:
		ops = []mir.Operand{def(0)}
	case tileProduct:
		ops = []mir.Operand{def(0), use(0), use(1), use(2)}
	case tileLoad:
		ops = append([]mir.Operand{def(0)}, memory()...)
	case tileStore:
		ops = append(memory(), use(0))
	case tileMemory:
		ops = memory()
	}
	f.Become(i, t.op, ops...)
	m.Constrain(i)
	return true
}
