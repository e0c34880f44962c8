package main

import "github.com/mirin-go/mirin/target/aarch64/mctargetdesc"

// parsers are the classes whose operands have parsers of their own, as LLVM 22.1's object file
// numbers them. Which parser a class has is what its code jumps to in MatchOperandParserImpl; it
// also shows in which mnemonics have the class at which operand.
var parsers = func() map[int]mctargetdesc.OperandParser {
	m := map[int]mctargetdesc.OperandParser{}
	for _, r := range []struct {
		from, to int
		p        mctargetdesc.OperandParser
	}{
		{622, 623, mctargetdesc.ParseShiftedImm}, {736, 743, mctargetdesc.ParseShiftedImm},
		{624, 624, mctargetdesc.ParseADR}, {625, 625, mctargetdesc.ParseADRP},
		{626, 626, mctargetdesc.ParseBTI}, {627, 627, mctargetdesc.ParseBarrier}, {628, 628, mctargetdesc.ParseBarrierNXS},
		{631, 631, mctargetdesc.ParseCMH}, {637, 637, mctargetdesc.ParseFPSplit},
		{638, 638, mctargetdesc.ParseGPR32as64}, {644, 644, mctargetdesc.ParseGPR64as32},
		{639, 643, mctargetdesc.ParseGPRShifted}, {645, 649, mctargetdesc.ParseGPRShifted},
		{650, 650, mctargetdesc.ParseGPRZeroIndex}, {651, 651, mctargetdesc.ParseGPR64x8},
		{673, 674, mctargetdesc.ParseSysReg}, {764, 765, mctargetdesc.ParseSysReg},
		{692, 692, mctargetdesc.ParsePHint}, {693, 702, mctargetdesc.ParseCounter}, {703, 708, mctargetdesc.ParsePred},
		{709, 710, mctargetdesc.ParsePredOrCounter}, {711, 711, mctargetdesc.ParsePSB}, {712, 712, mctargetdesc.ParsePrefetch},
		{713, 713, mctargetdesc.ParseRangePrefetch}, {735, 735, mctargetdesc.ParseSVCR}, {744, 744, mctargetdesc.ParsePattern},
		{745, 745, mctargetdesc.ParseSVEPrefetch}, {746, 746, mctargetdesc.ParseVecLen}, {762, 762, mctargetdesc.ParseSysCR},
		{763, 763, mctargetdesc.ParseXZRPair}, {768, 768, mctargetdesc.ParseTIndex},
		{769, 770, mctargetdesc.ParseRange}, {776, 780, mctargetdesc.ParseRange},
		{785, 785, mctargetdesc.ParsePlusOne}, {787, 787, mctargetdesc.ParseLessOne},
		{863, 864, mctargetdesc.ParseSeqPair}, {865, 892, mctargetdesc.ParseSVEShifted},
		{893, 904, mctargetdesc.ParseSVE}, {906, 913, mctargetdesc.ParseSVE},
		{905, 905, mctargetdesc.ParseSVEPlain}, {928, 928, mctargetdesc.ParseSVEPlain},
		{920, 927, mctargetdesc.ParseListPred}, {934, 982, mctargetdesc.ParseListSVE},
		{983, 1000, mctargetdesc.ParseMatrix}, {1001, 1001, mctargetdesc.ParseTiles},
		{1015, 1017, mctargetdesc.ParseFP},
	} {
		for c := r.from; c <= r.to; c++ {
			m[c] = r.p
		}
	}
	return m
}()

// specs are the specifiers of expressions.
var specs = []string{"lo12", "abs_g3", "abs_g2", "abs_g2_s", "abs_g2_nc", "abs_g1", "abs_g1_s", "abs_g1_nc", "abs_g0", "abs_g0_s", "abs_g0_nc",
	"prel_g3", "prel_g2", "prel_g2_nc", "prel_g1", "prel_g1_nc", "prel_g0", "prel_g0_nc", "dtprel_g2", "dtprel_g1", "dtprel_g1_nc", "dtprel_g0", "dtprel_g0_nc",
	"dtprel_lo12", "dtprel_lo12_nc", "dtprel_hi12", "tprel_g2", "tprel_g1", "tprel_g1_nc", "tprel_g0", "tprel_g0_nc", "tprel_hi12", "tprel_lo12", "tprel_lo12_nc",
	"tlsdesc_lo12", "tlsdesc_auth_lo12", "pg_hi21", "pg_hi21_nc", "secrel_lo12", "secrel_hi12", "got", "got_auth", "got_lo12", "got_auth_lo12", "gotpage_lo15",
	"gottprel", "gottprel_lo12", "gottprel_g1", "gottprel_g0_nc", "tlsdesc", "tlsdesc_auth"}
