package mctargetdesc

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// forms are the texts of opcodes whose operands decide together how they are written. $n is
// operand n; a letter behind it says how: i a modified immediate (Arm ARM, F1.7), r a register
// shifted by another, a an address (base, register and
// shift), o an offset behind an address, w a field of bits, l a list of registers to the end, t the
// list of an instruction that writes its base back where the list has not got it, p two registers
// of which one is between, m an address with an alignment, f a float of eight bits, v an immediate for all lanes, e an offset of
// eight bits or a register, h an address
// with such an offset, q one of a register and a shift, g an address with an offset in words, k one
// that is written with nothing, too, j such an offset behind it, c a coprocessor and d its register, x a number alone.
// {p} is the condition, {v} the vector predicate, and {s} an s where flags are set.
var forms = map[string]string{
	"RSBrr": "rsb{s}{p}\t$0, $1, $2", "EORrsr": "eor{s}{p}\t$0, $1, $2r", "RSCrsr": "rsc{s}{p}\t$0, $1, $2r", "MVNsr": "mvn{s}{p}\t$0, $1r",
	"SUBri": "sub{s}{p}\t$0, $1, $2i", "SBCri": "sbc{s}{p}\t$0, $1, $2i", "MOVi": "mov{s}{p}\t$0, $1i",
	"STR_POST_IMM": "str{p}\t$1, [$2], $4o", "LDR_POST_IMM": "ldr{p}\t$0, [$2], $4o", "STRT_POST_IMM": "strt{p}\t$1, [$2], $4o", "LDRT_POST_IMM": "ldrt{p}\t$0, [$2], $4o",
	"STRB_POST_IMM": "strb{p}\t$1, [$2], $4o", "LDRB_POST_IMM": "ldrb{p}\t$0, [$2], $4o", "STRBT_POST_IMM": "strbt{p}\t$1, [$2], $4o", "LDRBT_POST_IMM": "ldrbt{p}\t$0, [$2], $4o",
	"STRrs": "str{p}\t$0, $1a", "STRBrs": "strb{p}\t$0, $1a", "BFC": "bfc{p}\t$0, $2w", "BFI": "bfi{p}\t$0, $2, $3w",
	"STMDA": "stmda{p}\t$0, $3l", "LDMDA": "ldmda{p}\t$0, $3l", "STMDA_UPD": "stmda{p}\t$0!, $4l", "LDMDA_UPD": "ldmda{p}\t$0!, $4l",
	"STMIA": "stm{p}\t$0, $3l", "LDMIA": "ldm{p}\t$0, $3l", "STMIA_UPD": "stm{p}\t$0!, $4l", "LDMIA_UPD": "ldm{p}\t$0!, $4l",
	"STMDB": "stmdb{p}\t$0, $3l", "LDMDB": "ldmdb{p}\t$0, $3l", "STMDB_UPD": "stmdb{p}\t$0!, $4l", "LDMDB_UPD": "ldmdb{p}\t$0!, $4l",
	"STMIB": "stmib{p}\t$0, $3l", "LDMIB": "ldmib{p}\t$0, $3l", "STMIB_UPD": "stmib{p}\t$0!, $4l", "LDMIB_UPD": "ldmib{p}\t$0!, $4l",
	"sysSTMDA": "stmda{p}\t$0, $3l ^", "sysLDMDA": "ldmda{p}\t$0, $3l ^", "sysSTMDA_UPD": "stmda{p}\t$0!, $4l ^", "sysLDMDA_UPD": "ldmda{p}\t$0!, $4l ^",
	"sysSTMIA": "stm{p}\t$0, $3l ^", "sysLDMIA": "ldm{p}\t$0, $3l ^", "sysSTMIA_UPD": "stm{p}\t$0!, $4l ^", "sysLDMIA_UPD": "ldm{p}\t$0!, $4l ^",
	"sysSTMDB": "stmdb{p}\t$0, $3l ^", "sysLDMDB": "ldmdb{p}\t$0, $3l ^", "sysSTMDB_UPD": "stmdb{p}\t$0!, $4l ^", "sysLDMDB_UPD": "ldmdb{p}\t$0!, $4l ^",
	"sysSTMIB": "stmib{p}\t$0, $3l ^", "sysLDMIB": "ldmib{p}\t$0, $3l ^", "sysSTMIB_UPD": "stmib{p}\t$0!, $4l ^", "sysLDMIB_UPD": "ldmib{p}\t$0!, $4l ^",
	"VSTMSIA": "vstmia{p}\t$0, $3l", "VLDMSIA": "vldmia{p}\t$0, $3l", "VSTMSIA_UPD": "vstmia{p}\t$0!, $4l", "VLDMSIA_UPD": "vldmia{p}\t$0!, $4l",
	"VSTMSDB_UPD": "vstmdb{p}\t$0!, $4l", "VLDMSDB_UPD": "vldmdb{p}\t$0!, $4l",
	"VSTMDIA": "vstmia{p}\t$0, $3l", "VLDMDIA": "vldmia{p}\t$0, $3l", "VSTMDIA_UPD": "vstmia{p}\t$0!, $4l", "VLDMDIA_UPD": "vldmia{p}\t$0!, $4l",
	"VSTMDDB_UPD": "vstmdb{p}\t$0!, $4l", "VLDMDDB_UPD": "vldmdb{p}\t$0!, $4l",
	"FSTMXIA": "fstmiax{p}\t$0, $3l", "FLDMXIA": "fldmiax{p}\t$0, $3l", "FSTMXIA_UPD": "fstmiax{p}\t$0!, $4l", "FLDMXIA_UPD": "fldmiax{p}\t$0!, $4l",
	"FSTMXDB_UPD": "fstmdbx{p}\t$0!, $4l", "FLDMXDB_UPD": "fldmdbx{p}\t$0!, $4l",
	"VSCCLRMS": "vscclrm{p}\t$2l", "VSCCLRMD": "vscclrm{p}\t$2l",
	"VLD2b8": "vld2{p}.8\t$0p, $1m", "VLD2b16": "vld2{p}.16\t$0p, $1m", "VLD2b32": "vld2{p}.32\t$0p, $1m",
	"VLD2b8wb_fixed": "vld2{p}.8\t$0p, $2m!", "VLD2b16wb_fixed": "vld2{p}.16\t$0p, $2m!", "VLD2b32wb_fixed": "vld2{p}.32\t$0p, $2m!",
	"VLD2b8wb_register": "vld2{p}.8\t$0p, $2m, $4", "VLD2b16wb_register": "vld2{p}.16\t$0p, $2m, $4", "VLD2b32wb_register": "vld2{p}.32\t$0p, $2m, $4",
	"VST2b8": "vst2{p}.8\t$2p, $0m", "VST2b16": "vst2{p}.16\t$2p, $0m", "VST2b32": "vst2{p}.32\t$2p, $0m",
	"VST2b8wb_fixed": "vst2{p}.8\t$3p, $1m!", "VST2b16wb_fixed": "vst2{p}.16\t$3p, $1m!", "VST2b32wb_fixed": "vst2{p}.32\t$3p, $1m!",
	"VST2b8wb_register": "vst2{p}.8\t$4p, $1m, $3", "VST2b16wb_register": "vst2{p}.16\t$4p, $1m, $3", "VST2b32wb_register": "vst2{p}.32\t$4p, $1m, $3",
	"tPUSH": "push{p}\t$2l", "tPOP": "pop{p}\t$2l", "tSTMIA_UPD": "stm{p}\t$0!, $4l", "tLDMIA": "ldm{p}\t$0t, $3l",
	"t2STMIA": "stm{p}.w\t$0, $3l", "t2LDMIA": "ldm{p}.w\t$0, $3l", "t2STMDB": "stmdb{p}\t$0, $3l", "t2LDMDB": "ldmdb{p}\t$0, $3l",
	"t2STMIA_UPD": "stm{p}.w\t$0!, $4l", "t2LDMIA_UPD": "ldm{p}.w\t$0!, $4l", "t2STMDB_UPD": "stmdb{p}\t$0!, $4l", "t2LDMDB_UPD": "ldmdb{p}\t$0!, $4l",
	"t2CLRM": "clrm{p}\t$2l", "t2SUBS_PC_LR": "subs{p}\tpc, lr, $0",
	"PLDWrs": "pldw\t$0a", "PLDrs": "pld\t$0a", "PLIrs": "pli\t$0a", "LDRrs": "ldr{p}\t$0, $1a", "LDRBrs": "ldrb{p}\t$0, $1a", "LDR_PRE_REG": "ldr{p}\t$0, $2a!",
	"LDRB_PRE_REG": "ldrb{p}\t$0, $2a!", "STR_PRE_REG": "str{p}\t$1, $2a!", "STRB_PRE_REG": "strb{p}\t$1, $2a!", "LDR_POST_REG": "ldr{p}\t$0, [$2], $3q",
	"LDRB_POST_REG": "ldrb{p}\t$0, [$2], $3q", "LDRT_POST_REG": "ldrt{p}\t$0, [$2], $3q", "LDRBT_POST_REG": "ldrbt{p}\t$0, [$2], $3q", "STR_POST_REG": "str{p}\t$1, [$2], $3q",
	"STRB_POST_REG": "strb{p}\t$1, [$2], $3q", "STRT_POST_REG": "strt{p}\t$1, [$2], $3q", "STRBT_POST_REG": "strbt{p}\t$1, [$2], $3q", "LDRH": "ldrh{p}\t$0, $1h",
	"LDRSB": "ldrsb{p}\t$0, $1h", "LDRSH": "ldrsh{p}\t$0, $1h", "STRH": "strh{p}\t$0, $1h", "LDRD": "ldrd{p}\t$0, $1, $2h", "STRD": "strd{p}\t$0, $1, $2h",
	"VMOVv8i8": "vmov{p}.i8\t$0, $1v", "VMOVv16i8": "vmov{p}.i8\t$0, $1v", "VMOVv4i16": "vmov{p}.i16\t$0, $1v", "VMOVv8i16": "vmov{p}.i16\t$0, $1v",
	"VMOVv2i32": "vmov{p}.i32\t$0, $1v", "VMOVv4i32": "vmov{p}.i32\t$0, $1v", "VMOVv1i64": "vmov{p}.i64\t$0, $1v", "VMOVv2i64": "vmov{p}.i64\t$0, $1v",
	"VMVNv4i16": "vmvn{p}.i16\t$0, $1v", "VMVNv8i16": "vmvn{p}.i16\t$0, $1v", "VMVNv2i32": "vmvn{p}.i32\t$0, $1v", "VMVNv4i32": "vmvn{p}.i32\t$0, $1v",
	"VORRiv4i16": "vorr{p}.i16\t$0, $1v", "VORRiv8i16": "vorr{p}.i16\t$0, $1v", "VORRiv2i32": "vorr{p}.i32\t$0, $1v", "VORRiv4i32": "vorr{p}.i32\t$0, $1v",
	"VBICiv4i16": "vbic{p}.i16\t$0, $1v", "VBICiv8i16": "vbic{p}.i16\t$0, $1v", "VBICiv2i32": "vbic{p}.i32\t$0, $1v", "VBICiv4i32": "vbic{p}.i32\t$0, $1v",
	"VMOVv2f32": "vmov{p}.f32\t$0, $1f", "VMOVv4f32": "vmov{p}.f32\t$0, $1f", "MCR": "mcr{p}\t$0c, $1, $2, $3d, $4d, $5", "MRC": "mrc{p}\t$1c, $2, $0, $3d, $4d, $5",
	"MCRR": "mcrr{p}\t$0c, $1, $2, $3, $4d", "MRRC": "mrrc{p}\t$2c, $3, $0, $1, $4d", "t2MCR": "mcr{p}\t$0c, $1, $2, $3d, $4d, $5", "t2MRC": "mrc{p}\t$1c, $2, $0, $3d, $4d, $5",
	"t2MCRR": "mcrr{p}\t$0c, $1, $2, $3, $4d", "t2MRRC": "mrrc{p}\t$2c, $3, $0, $1, $4d",
	"LDC_OFFSET": "ldc{p}\t$0c, $1d, $2g", "LDC_PRE": "ldc{p}\t$0c, $1d, $2k!", "LDC_POST": "ldc{p}\t$0c, $1d, [$2], $3j", "LDC_OPTION": "ldc{p}\t$0c, $1d, [$2], {$3x}",
	"LDCL_OFFSET": "ldcl{p}\t$0c, $1d, $2g", "LDCL_PRE": "ldcl{p}\t$0c, $1d, $2k!", "LDCL_POST": "ldcl{p}\t$0c, $1d, [$2], $3j", "LDCL_OPTION": "ldcl{p}\t$0c, $1d, [$2], {$3x}",
	"LDC2_OFFSET": "ldc2{p}\t$0c, $1d, $2g", "LDC2_PRE": "ldc2{p}\t$0c, $1d, $2k!", "LDC2_POST": "ldc2{p}\t$0c, $1d, [$2], $3j", "LDC2_OPTION": "ldc2{p}\t$0c, $1d, [$2], {$3x}",
	"LDC2L_OFFSET": "ldc2l{p}\t$0c, $1d, $2g", "LDC2L_PRE": "ldc2l{p}\t$0c, $1d, $2k!", "LDC2L_POST": "ldc2l{p}\t$0c, $1d, [$2], $3j",
	"LDC2L_OPTION": "ldc2l{p}\t$0c, $1d, [$2], {$3x}", "STC_OFFSET": "stc{p}\t$0c, $1d, $2g", "STC_PRE": "stc{p}\t$0c, $1d, $2k!", "STC_POST": "stc{p}\t$0c, $1d, [$2], $3j",
	"STC_OPTION": "stc{p}\t$0c, $1d, [$2], {$3x}", "STCL_OFFSET": "stcl{p}\t$0c, $1d, $2g", "STCL_PRE": "stcl{p}\t$0c, $1d, $2k!", "STCL_POST": "stcl{p}\t$0c, $1d, [$2], $3j",
	"STCL_OPTION": "stcl{p}\t$0c, $1d, [$2], {$3x}", "STC2_OFFSET": "stc2{p}\t$0c, $1d, $2g", "STC2_PRE": "stc2{p}\t$0c, $1d, $2k!", "STC2_POST": "stc2{p}\t$0c, $1d, [$2], $3j",
	"STC2_OPTION": "stc2{p}\t$0c, $1d, [$2], {$3x}", "STC2L_OFFSET": "stc2l{p}\t$0c, $1d, $2g", "STC2L_PRE": "stc2l{p}\t$0c, $1d, $2k!", "STC2L_POST": "stc2l{p}\t$0c, $1d, [$2], $3j",
	"STC2L_OPTION": "stc2l{p}\t$0c, $1d, [$2], {$3x}", "CDP": "cdp{p}\t$0c, $1, $2d, $3d, $4d, $5", "CDP2": "cdp2{p}\t$0c, $1, $2d, $3d, $4d, $5",
	"MCR2": "mcr2{p}\t$0c, $1, $2, $3d, $4d, $5", "MRC2": "mrc2{p}\t$1c, $2, $0, $3d, $4d, $5", "MCRR2": "mcrr2{p}\t$0c, $1, $2, $3, $4d", "MRRC2": "mrrc2{p}\t$2c, $3, $0, $1, $4d",
	"t2LDC_OFFSET": "ldc{p}\t$0c, $1d, $2g", "t2LDC_PRE": "ldc{p}\t$0c, $1d, $2k!", "t2LDC_POST": "ldc{p}\t$0c, $1d, [$2], $3j", "t2LDC_OPTION": "ldc{p}\t$0c, $1d, [$2], {$3x}",
	"t2LDCL_OFFSET": "ldcl{p}\t$0c, $1d, $2g", "t2LDCL_PRE": "ldcl{p}\t$0c, $1d, $2k!", "t2LDCL_POST": "ldcl{p}\t$0c, $1d, [$2], $3j",
	"t2LDCL_OPTION": "ldcl{p}\t$0c, $1d, [$2], {$3x}", "t2LDC2_OFFSET": "ldc2{p}\t$0c, $1d, $2g", "t2LDC2_PRE": "ldc2{p}\t$0c, $1d, $2k!",
	"t2LDC2_POST": "ldc2{p}\t$0c, $1d, [$2], $3j", "t2LDC2_OPTION": "ldc2{p}\t$0c, $1d, [$2], {$3x}", "t2LDC2L_OFFSET": "ldc2l{p}\t$0c, $1d, $2g",
	"t2LDC2L_PRE": "ldc2l{p}\t$0c, $1d, $2k!", "t2LDC2L_POST": "ldc2l{p}\t$0c, $1d, [$2], $3j", "t2LDC2L_OPTION": "ldc2l{p}\t$0c, $1d, [$2], {$3x}",
	"t2STC_OFFSET": "stc{p}\t$0c, $1d, $2g", "t2STC_PRE": "stc{p}\t$0c, $1d, $2k!", "t2STC_POST": "stc{p}\t$0c, $1d, [$2], $3j", "t2STC_OPTION": "stc{p}\t$0c, $1d, [$2], {$3x}",
	"t2STCL_OFFSET": "stcl{p}\t$0c, $1d, $2g", "t2STCL_PRE": "stcl{p}\t$0c, $1d, $2k!", "t2STCL_POST": "stcl{p}\t$0c, $1d, [$2], $3j",
	"t2STCL_OPTION": "stcl{p}\t$0c, $1d, [$2], {$3x}", "t2STC2_OFFSET": "stc2{p}\t$0c, $1d, $2g", "t2STC2_PRE": "stc2{p}\t$0c, $1d, $2k!",
	"t2STC2_POST": "stc2{p}\t$0c, $1d, [$2], $3j", "t2STC2_OPTION": "stc2{p}\t$0c, $1d, [$2], {$3x}", "t2STC2L_OFFSET": "stc2l{p}\t$0c, $1d, $2g",
	"t2STC2L_PRE": "stc2l{p}\t$0c, $1d, $2k!", "t2STC2L_POST": "stc2l{p}\t$0c, $1d, [$2], $3j", "t2STC2L_OPTION": "stc2l{p}\t$0c, $1d, [$2], {$3x}",
	"t2CDP": "cdp{p}\t$0c, $1, $2d, $3d, $4d, $5", "t2CDP2": "cdp2{p}\t$0c, $1, $2d, $3d, $4d, $5", "t2MCR2": "mcr2{p}\t$0c, $1, $2, $3d, $4d, $5",
	"t2MRC2": "mrc2{p}\t$1c, $2, $0, $3d, $4d, $5", "t2MCRR2": "mcrr2{p}\t$0c, $1, $2, $3, $4d", "t2MRRC2": "mrrc2{p}\t$2c, $3, $0, $1, $4d",
	"LDRH_POST": "ldrh{p}\t$0, [$2], $3e", "LDRSH_POST": "ldrsh{p}\t$0, [$2], $3e", "LDRSB_POST": "ldrsb{p}\t$0, [$2], $3e", "STRH_POST": "strh{p}\t$1, [$2], $3e",
	"LDRH_PRE": "ldrh{p}\t$0, [$2, $3e]!", "LDRSH_PRE": "ldrsh{p}\t$0, [$2, $3e]!", "LDRSB_PRE": "ldrsb{p}\t$0, [$2, $3e]!", "STRH_PRE": "strh{p}\t$1, [$2, $3e]!",
	"LDRD_PRE": "ldrd{p}\t$0, $1, [$3, $4e]!", "STRD_PRE": "strd{p}\t$1, $2, [$3, $4e]!",
	"LDRD_POST": "ldrd{p}\t$0, $1, [$3], $4e", "STRD_POST": "strd{p}\t$1, $2, [$3], $4e",
	"MVE_VMOV_q_rr": "vmov{p}\t$0[$4x], $0[$5x], $2, $3", "MVE_VMOV_rr_q": "vmov{p}\t$0, $1, $2[$3x], $2[$4x]",
	"MVE_VMOVimmi8": "vmov{v}.i8\t$0, $1v", "MVE_VMOVimmi16": "vmov{v}.i16\t$0, $1v", "MVE_VMOVimmi32": "vmov{v}.i32\t$0, $1v", "MVE_VMOVimmi64": "vmov{v}.i64\t$0, $1v",
	"MVE_VQSHRUNs16bh": "vqshrunb{v}.s16\t$0, $2, $3", "MVE_VMOVimmf32": "vmov{v}.f32\t$0, $1f", "MVE_VMVNimmi16": "vmvn{v}.i16\t$0, $1v", "MVE_VMVNimmi32": "vmvn{v}.i32\t$0, $1v",
}

// stackForms are the texts of opcodes whose base, operand 0, is sp.
var stackForms = map[string]string{
	"STMDB_UPD": "push{p}\t$4l", "LDMIA_UPD": "pop{p}\t$4l", "t2STMDB_UPD": "push{p}.w\t$4l", "t2LDMIA_UPD": "pop{p}.w\t$4l",
	"VSTMSDB_UPD": "vpush{p}\t$4l", "VSTMDDB_UPD": "vpush{p}\t$4l", "VLDMSIA_UPD": "vpop{p}\t$4l", "VLDMDIA_UPD": "vpop{p}\t$4l",
}

// shifts are the names of shifts by the number that operands have for them.
var shifts = [...]string{"", "asr", "lsl", "lsr", "ror", "rrx", "uxtw"}

// form is the text of an instruction, "" for none.
func (p *printer) form(in *mc.Inst) string {
	if len(in.Ops) > 0 && in.Ops[0].IsReg() && in.Ops[0].Reg() == p.sp && p.stack[in.Op] != "" {
		// A single register is stored and loaded with the base written back by other opcodes; here it is a list.
		if n := len(in.Ops) - 4; n > 1 || p.lone[in.Op] {
			return p.stack[in.Op]
		}
	}
	return p.forms[in.Op]
}

// predicate finds the condition among the operands, -1 none.
func (p *printer) predicateAt(op desc.Opcode) int {
	ops := p.info.Operands(op)
	for i := range ops {
		if ops[i].IsPredicate() {
			return i
		}
	}
	return -1
}

// appendForm writes an instruction by its form; false where its operands are not such.
func (p *printer) appendForm(b []byte, in *mc.Inst, form string) ([]byte, bool) {
	at := p.predicateAt(in.Op)
	for i := 0; i < len(form); i++ {
		switch c := form[i]; {
		case c == '{' && form[i:i+3] == "{p}":
			i += 2
			if at >= 0 && at < len(in.Ops) && in.Ops[at].IsImm() && uint64(in.Ops[at].Imm()) < uint64(len(conditions)) {
				b = append(b, conditions[in.Ops[at].Imm()]...)
			}
		case c == '{' && form[i:i+3] == "{v}":
			i += 2
			ops := p.info.Operands(in.Op)
			for k := range ops {
				if (ops[k].Type == operandVPredR || ops[k].Type == operandVPredN) && k < len(in.Ops) && in.Ops[k].IsImm() && uint64(in.Ops[k].Imm()) < 3 {
					b = append(b, [...]string{"", "t", "e"}[in.Ops[k].Imm()]...)
					break
				}
			}
		case c == '{' && form[i:i+3] == "{s}":
			i += 2
			ops := p.info.Operands(in.Op)
			for k := range ops {
				if ops[k].IsOptionalDef() && k < len(in.Ops) && in.Ops[k].IsReg() && in.Ops[k].Reg() != 0 {
					b = append(b, 's')
				}
			}
		case c == '$':
			k := int(form[i+1] - '0')
			i++
			how := byte(0)
			if i+1 < len(form) && form[i+1] >= 'a' && form[i+1] <= 'z' {
				how = form[i+1]
				i++
			}
			var ok bool
			if b, ok = p.appendOperand(b, in, k, how); !ok {
				return b, false
			}
		default:
			b = append(b, c)
		}
	}
	return b, true
}

// appendOperand writes operand k (and those behind it that belong to it) as forms say.
func (p *printer) appendOperand(b []byte, in *mc.Inst, k int, how byte) ([]byte, bool) {
	need := map[byte]int{'a': 3, 'm': 2, 'e': 2, 'q': 2, 'h': 3, 'r': 3, 'g': 2, 'k': 2}[how]
	if k+max(need, 1) > len(in.Ops) && how != 'l' && how != 't' {
		return b, false
	}
	switch how {
	case 'l':
		b = append(b, '{')
		for i, o := range in.Ops[min(k, len(in.Ops)):] {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = p.reg(b, o.Reg())
		}
		return append(b, '}'), true
	case 't':
		b = p.reg(b, in.Ops[k].Reg())
		for _, o := range in.Ops[3:] {
			if o.Reg() == in.Ops[k].Reg() {
				return b, true
			}
		}
		return append(b, '!'), true
	case 'a':
		b = append(p.reg(append(b, '['), in.Ops[k].Reg()), ", "...)
		v := in.Ops[k+2].Imm()
		if v>>12&1 != 0 {
			b = append(b, '-')
		}
		b = p.reg(b, in.Ops[k+1].Reg())
		return append(appendShift(b, v>>13&7, v&0xfff), ']'), true
	case 'r':
		b = append(p.reg(b, in.Ops[k].Reg()), ", "...)
		b = append(append(b, shifts[min(in.Ops[k+2].Imm()&7, 4)]...), ' ')
		return p.reg(b, in.Ops[k+1].Reg()), true
	case 'q':
		v := in.Ops[k+1].Imm()
		if v>>12&1 != 0 {
			b = append(b, '-')
		}
		return appendShift(p.reg(b, in.Ops[k].Reg()), v>>13&7, v&0xfff), true
	case 'h':
		b = p.reg(append(b, '['), in.Ops[k].Reg())
		if v := in.Ops[k+2].Imm(); in.Ops[k+1].Reg() != 0 || v&0x1ff != 0 {
			b, _ = p.appendOperand(append(b, ", "...), in, k+1, 'e')
		}
		return append(b, ']'), true
	case 'g', 'k': // nine bits, of which the upper one subtracts
		b = p.reg(append(b, '['), in.Ops[k].Reg())
		if v := in.Ops[k+1].Imm(); v != 0 || how == 'k' {
			b = append(b, ", #"...)
			if v>>8&1 != 0 {
				b = append(b, '-')
			}
			b = strconv.AppendInt(b, v&255*4, 10)
		}
		return append(b, ']'), true
	case 'm':
		b = p.reg(append(b, '['), in.Ops[k].Reg())
		if n := in.Ops[k+1].Imm(); n != 0 {
			b = strconv.AppendInt(append(b, ':'), n*8, 10)
		}
		return append(b, ']'), true
	case 'e':
		v := in.Ops[k+1].Imm()
		register := in.Ops[k].IsReg() && in.Ops[k].Reg() != 0
		if !register {
			b = append(b, '#')
		}
		if v>>8&1 != 0 {
			b = append(b, '-')
		}
		if register {
			return p.reg(b, in.Ops[k].Reg()), true
		}
		return strconv.AppendInt(b, v&255, 10), true
	case 'p':
		first := p.info.SubReg(in.Ops[k].Reg(), p.dsub[0])
		last := p.info.SubReg(in.Ops[k].Reg(), p.dsub[1])
		b = append(p.reg(append(b, '{'), first), ", "...)
		return append(p.reg(b, last), '}'), true
	}
	o := in.Ops[k]
	if o.IsReg() {
		return p.reg(b, o.Reg()), true
	}
	if !o.IsImm() {
		return b, false
	}
	v := o.Imm()
	switch how {
	case 'i':
		return appendModified(b, v), true
	case 'j': // of which the upper one adds
		b = append(b, '#')
		if v>>8&1 == 0 {
			b = append(b, '-')
		}
		return strconv.AppendInt(b, v&255*4, 10), true
	case 'c':
		return strconv.AppendInt(append(b, 'p'), v, 10), true
	case 'd':
		return strconv.AppendInt(append(b, 'c'), v, 10), true
	case 'o':
		b = append(b, '#')
		if v>>12&1 != 0 {
			b = append(b, '-')
		}
		return strconv.AppendInt(b, v&0xfff, 10), true
	case 'x':
		return strconv.AppendInt(b, v, 10), true
	case 'v':
		return strconv.AppendUint(append(b, "#0x"...), lanes(uint64(v)), 16), true
	case 'f':
		return strconv.AppendFloat(append(b, '#'), smallFloat(uint32(v)), 'e', 6, 64), true
	case 'w':
		field := ^uint32(v)
		low := bits.TrailingZeros32(field)
		b = strconv.AppendInt(append(b, '#'), int64(low), 10)
		return strconv.AppendInt(append(b, ", #"...), int64(32-bits.LeadingZeros32(field)-low), 10), true
	}
	return strconv.AppendInt(append(b, '#'), v, 10), true
}

// appendShift writes a shift by an amount behind a register; 0 stands for 32 of those to the right.
func appendShift(b []byte, kind, amount int64) []byte {
	if kind == 0 || kind == 2 && amount == 0 || kind >= int64(len(shifts)) {
		return b
	}
	b = append(append(b, ", "...), shifts[kind]...)
	if kind == 5 {
		return b
	}
	if amount == 0 {
		amount = 32
	}
	return strconv.AppendInt(append(b, " #"...), amount, 10)
}

// appendModified writes a modified immediate: eight bits and half the count by which they
// are rotated. Where another count gives the same value and is less, both are written.
func appendModified(b []byte, v int64) []byte {
	value := bits.RotateLeft32(uint32(v&255), -int(v>>8&15)*2)
	for r := range int64(16) {
		if x := bits.RotateLeft32(value, int(r)*2); x < 256 {
			if r != v>>8&15 {
				break
			}
			return strconv.AppendInt(append(b, '#'), int64(int32(value)), 10)
		}
	}
	b = strconv.AppendInt(append(b, '#'), v&255, 10)
	return strconv.AppendInt(append(b, ", #"...), (v>>8&15)*2, 10)
}

// lanes is the value that a vector immediate has in each lane (Arm ARM, F1.7.7): eight bits,
// and above them the five bits op and cmode.
func lanes(v uint64) uint64 {
	byteOf, cmode := v&255, v>>8
	switch {
	case cmode == 14:
		return byteOf
	case cmode == 30: // a byte of ones for each bit
		x := uint64(0)
		for k := range 8 {
			if byteOf>>k&1 != 0 {
				x |= 255 << (8 * k)
			}
		}
		return x
	case cmode&14 == 12: // ones behind it
		n := 8 * (1 + cmode&1)
		return byteOf<<n | (1<<n - 1)
	}
	return byteOf << (8 * (cmode & 6 >> 1))
}

// smallFloat is the float of eight bits (Arm ARM, VFPExpandImm).
func smallFloat(v uint32) float64 {
	x := v&0x80<<24 | v&0x3f<<19
	if v&0x40 != 0 {
		x |= 0x3e000000
	} else {
		x |= 0x40000000
	}
	return float64(math.Float32frombits(x))
}
