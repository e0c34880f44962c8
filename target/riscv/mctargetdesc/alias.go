package mctargetdesc

import (
	"fmt"
	"slices"
	"strings"
)

// alias is another way to write an instruction.
type alias struct {
	// ops are what operands must be: r a register, i anything but one, m an address
	// with brackets.
	ops  string
	text string // with $0, $1, … for operands
}

// aliases are the ways that are read and that no printer writes.
var aliases = map[string][]alias{
	"ret":  {{"", "jalr zero, 0(ra)"}},
	"jr":   {{"r", "jalr zero, 0($0)"}, {"m", "jalr zero, $0"}, {"ri", "jalr zero, $1($0)"}},
	"jalr": {{"r", "jalr ra, 0($0)"}, {"m", "jalr ra, $0"}, {"rr", "jalr $0, 0($1)"}, {"ri", "jalr ra, $1($0)"}, {"rri", "jalr $0, $2($1)"}},
	"move": {{"rr", "addi $0, $1, 0"}}, "sgt": {{"rrr", "slt $0, $2, $1"}}, "sgtu": {{"rrr", "sltu $0, $2, $1"}},
	"bgt": {{"rri", "blt $1, $0, $2"}}, "ble": {{"rri", "bge $1, $0, $2"}}, "bgtu": {{"rri", "bltu $1, $0, $2"}}, "bleu": {{"rri", "bgeu $1, $0, $2"}},
	"rdcycle": {{"r", "csrrs $0, 0xC00, zero"}}, "rdtime": {{"r", "csrrs $0, 0xC01, zero"}}, "rdinstret": {{"r", "csrrs $0, 0xC02, zero"}},
	"rdcycleh": {{"r", "csrrs $0, 0xC80, zero"}}, "rdtimeh": {{"r", "csrrs $0, 0xC81, zero"}}, "rdinstreth": {{"r", "csrrs $0, 0xC82, zero"}},
	"ntl.p1": {{"", "add zero, zero, sp"}}, "ntl.pall": {{"", "add zero, zero, gp"}}, "ntl.s1": {{"", "add zero, zero, tp"}}, "ntl.all": {{"", "add zero, zero, t0"}},
	"fscsr": {{"r", "csrrw zero, 3, $0"}, {"rr", "csrrw $0, 3, $1"}}, "fsrm": {{"r", "csrrw zero, 2, $0"}, {"rr", "csrrw $0, 2, $1"}}, "fsflags": {{"r", "csrrw zero, 1, $0"}, {"rr", "csrrw $0, 1, $1"}},
	"fsrmi": {{"i", "csrrwi zero, 2, $0"}, {"ri", "csrrwi $0, 2, $1"}}, "fsflagsi": {{"i", "csrrwi zero, 1, $0"}, {"ri", "csrrwi $0, 1, $1"}},
	"cv.slet": {{"rrr", "cv.sle $0, $1, $2"}}, "cv.sletu": {{"rrr", "cv.sleu $0, $1, $2"}},
	"scall": {{"", "ecall"}}, "sbreak": {{"", "ebreak"}},
	"add": {{"rri", "addi $0, $1, $2"}}, "and": {{"rri", "andi $0, $1, $2"}}, "or": {{"rri", "ori $0, $1, $2"}}, "xor": {{"rri", "xori $0, $1, $2"}},
	"sll": {{"rri", "slli $0, $1, $2"}}, "srl": {{"rri", "srli $0, $1, $2"}}, "sra": {{"rri", "srai $0, $1, $2"}},
	"slt": {{"rri", "slti $0, $1, $2"}}, "sltu": {{"rri", "sltiu $0, $1, $2"}},
	"addw": {{"rri", "addiw $0, $1, $2"}}, "sllw": {{"rri", "slliw $0, $1, $2"}}, "srlw": {{"rri", "srliw $0, $1, $2"}}, "sraw": {{"rri", "sraiw $0, $1, $2"}},
	"ror": {{"rri", "rori $0, $1, $2"}}, "rorw": {{"rri", "roriw $0, $1, $2"}},
	"bset": {{"rri", "bseti $0, $1, $2"}}, "bclr": {{"rri", "bclri $0, $1, $2"}}, "binv": {{"rri", "binvi $0, $1, $2"}}, "bext": {{"rri", "bexti $0, $1, $2"}},
	"csrw": {{"ii", "csrrwi zero, $0, $1"}}, "csrs": {{"ii", "csrrsi zero, $0, $1"}}, "csrc": {{"ii", "csrrci zero, $0, $1"}},
	"csrrw": {{"rii", "csrrwi $0, $1, $2"}}, "csrrs": {{"rii", "csrrsi $0, $1, $2"}}, "csrrc": {{"rii", "csrrci $0, $1, $2"}},
	"frsr": {{"r", "frcsr $0"}}, "fssr": {{"r", "csrrw zero, 3, $0"}, {"rr", "csrrw $0, 3, $1"}},
	"fmv.x.s": {{"rr", "fmv.x.w $0, $1"}}, "fmv.s.x": {{"rr", "fmv.w.x $0, $1"}},
	"fgt.s": {{"rrr", "flt.s $0, $2, $1"}}, "fge.s": {{"rrr", "fle.s $0, $2, $1"}}, "fgt.d": {{"rrr", "flt.d $0, $2, $1"}}, "fge.d": {{"rrr", "fle.d $0, $2, $1"}},
	"fgt.h": {{"rrr", "flt.h $0, $2, $1"}}, "fge.h": {{"rrr", "fle.h $0, $2, $1"}}, "fgt.q": {{"rrr", "flt.q $0, $2, $1"}}, "fge.q": {{"rrr", "fle.q $0, $2, $1"}},
	"fgtq.s": {{"rrr", "fltq.s $0, $2, $1"}}, "fgeq.s": {{"rrr", "fleq.s $0, $2, $1"}}, "fgtq.d": {{"rrr", "fltq.d $0, $2, $1"}}, "fgeq.d": {{"rrr", "fleq.d $0, $2, $1"}},
	"fgtq.h": {{"rrr", "fltq.h $0, $2, $1"}}, "fgeq.h": {{"rrr", "fleq.h $0, $2, $1"}}, "fgtq.q": {{"rrr", "fltq.q $0, $2, $1"}}, "fgeq.q": {{"rrr", "fleq.q $0, $2, $1"}},
	"vmsgt.vv": swapped("vmslt.vv"), "vmsgtu.vv": swapped("vmsltu.vv"), "vmsge.vv": swapped("vmsle.vv"), "vmsgeu.vv": swapped("vmsleu.vv"),
	"vmfgt.vv": swapped("vmflt.vv"), "vmfge.vv": swapped("vmfle.vv"),
	"vl1r.v": {{"rm", "vl1re8.v $0, $1"}}, "vl2r.v": {{"rm", "vl2re8.v $0, $1"}}, "vl4r.v": {{"rm", "vl4re8.v $0, $1"}}, "vl8r.v": {{"rm", "vl8re8.v $0, $1"}},
	"vle1.v": {{"rm", "vlm.v $0, $1"}}, "vse1.v": {{"rm", "vsm.v $0, $1"}},
	"vmcpy.m": {{"rr", "vmmv.m $0, $1"}}, "vpopc.m": {{"rr", "vcpop.m $0, $1"}, {"rrx", "vcpop.m $0, $1, $2"}},
	"vmandnot.mm": {{"rrr", "vmandn.mm $0, $1, $2"}}, "vmornot.mm": {{"rrr", "vmorn.mm $0, $1, $2"}},
	"vfredsum.vs":  {{"rrr", "vfredusum.vs $0, $1, $2"}, {"rrrx", "vfredusum.vs $0, $1, $2, $3"}},
	"vfwredsum.vs": {{"rrr", "vfwredusum.vs $0, $1, $2"}, {"rrrx", "vfwredusum.vs $0, $1, $2, $3"}},
}

func swapped(of string) []alias {
	return []alias{{"rrr", of + " $0, $2, $1"}, {"rrrx", of + " $0, $2, $1, $3"}}
}

// instead emits what an alias is for; false where the statement is none and the tables
// know the mnemonic.
func (s *statement) instead(l []alias, known bool) (bool, error) {
	if strings.HasPrefix(l[0].text, "csrrw") && strings.HasPrefix(s.text[strings.IndexFunc(s.text, func(c rune) bool { return c != ' ' && c != '\t' }):], "fs") && !has(s.p, "f") && !has(s.p, "zfinx") {
		return true, s.fail(-1, "instruction requires the following: 'F' (Single-Precision Floating-Point) or 'Zfinx' (Float in Integer)")
	}
next:
	for _, a := range l {
		if len(a.ops) != len(s.ops) {
			continue
		}
		for k := range s.ops {
			isReg, isMem := s.ops[k] != "" && s.isReg(k), strings.HasSuffix(s.ops[k], ")")
			switch c := a.ops[k]; {
			case s.ops[k] == "", c == 'r' && !isReg, c == 'm' && (!isMem || s.ops[k][0] == '%'), c == 'i' && (isReg || isMem && s.ops[k][0] != '%' && s.ops[k][0] != '('):
				continue next
			}
		}
		return true, s.emit(a.text)
	}
	if known {
		return false, nil
	}
	for _, a := range l {
		if len(a.ops) == len(s.ops) && !slices.Contains(s.ops, "") {
			return true, s.emit(a.text) // which says what is wrong
		}
	}
	if n := len(l[0].ops); len(s.ops) > n {
		return true, s.fail(n, invalid)
	}
	return true, s.fail(-1, "too few operands for instruction")
}

// below compares vectors with a number by what the number before it is compared by.
func below(s *statement, mnemonic string) (bool, error) {
	if len(s.ops) != 3 && len(s.ops) != 4 || !s.isReg(0) || !s.isReg(1) {
		return false, nil
	}
	x, v, end, err := s.p.Expr(s.text, s.at[2])
	if !s.wide && v>>31 == 1 {
		v = int64(int32(v))
	}
	if err != nil || x != 0 || end < s.at[2]+len(s.ops[2]) || v < -15 || v > 16 {
		return true, s.fail(2, "immediate must be in the range [-15, 16]")
	}
	mask := ""
	if len(s.ops) == 4 {
		mask = ", " + s.ops[3]
	}
	of := map[string][2]string{"vmslt.vi": {"vmsle.vi"}, "vmsge.vi": {"vmsgt.vi"}, "vmsltu.vi": {"vmsleu.vi", "vmsne.vv"}, "vmsgeu.vi": {"vmsgtu.vi", "vmseq.vv"}}[mnemonic]
	if v == 0 && of[1] != "" { // nothing is below 0
		return true, s.emit(fmt.Sprintf("%s %s, %s, %s%s", of[1], s.ops[0], s.ops[1], s.ops[1], mask))
	}
	return true, s.emit(fmt.Sprintf("%s %s, %s, %d%s", of[0], s.ops[0], s.ops[1], v-1, mask))
}
