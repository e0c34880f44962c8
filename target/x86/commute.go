package x86

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// commutableOps is InstrHooks.CommutableOps.
func commutableOps(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) (int, int, bool) {
	d := f.Desc(i)
	if !d.IsCommutable() {
		return 0, 0, false
	}
	x := int(d.NumDefs)
	if plainCommute(f.Instr(i).Opcode) {
		return bothRegs(f, i, a, b, x)
	}
	name := strings.TrimPrefix(f.Facts.OpcodeName(f.Instr(i).Opcode), "V")
	if form, _ := fmaForm(name); form != 0 {
		return fmaOps(f, i, name, a, b)
	}
	switch {
	case isFPCompare(name):
		// Equal, unordered and their opposites are what they are either way round.
		if imm := f.Op(i, 3).Imm() & 7; imm != 0 && imm != 3 && imm != 4 && imm != 7 {
			return 0, 0, false
		}
	case changesOddly(name):
		return 0, 0, false
	}
	// A mask, and before it what it keeps, stand in front of the sources.
	infos := f.Facts.Operands(f.Instr(i).Opcode)
	isMask := func(k int) bool {
		return infos[k].RegClass >= 0 && strings.HasPrefix(f.Facts.RegClassName(f.Facts.OperandClass(f.Instr(i).Opcode, k, f.Facts.DefaultMode)), "VK")
	}
	if x+1 < len(infos) && infos[x].TiedTo >= 0 && isMask(x+1) && x+3 < len(infos) {
		x += 2
	} else if x+2 < len(infos) && (isMask(x) && !isMask(x+1) || infos[x].TiedTo >= 0 && f.Op(i, x+2).IsReg()) {
		x++ // or what is added to
	}
	return bothRegs(f, i, a, b, x)
}

func bothRegs(f *mir.Function, i mir.InstrID, a, b, x int) (int, int, bool) {
	if x+1 >= f.Instr(i).NumOps() || !f.Op(i, x).IsReg() || !f.Op(i, x+1).IsReg() {
		return 0, 0, false
	}
	return target.FixCommutable(a, b, x, x+1)
}

// plainCommute lists what is most often asked about and stays itself when its
// sources are exchanged.
func plainCommute(op desc.Opcode) bool {
	switch op {
	case tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr,
		tab.ADC8rr, tab.ADC16rr, tab.ADC32rr, tab.ADC64rr,
		tab.AND8rr, tab.AND16rr, tab.AND32rr, tab.AND64rr,
		tab.OR8rr, tab.OR16rr, tab.OR32rr, tab.OR64rr,
		tab.XOR8rr, tab.XOR16rr, tab.XOR32rr, tab.XOR64rr,
		tab.IMUL16rr, tab.IMUL32rr, tab.IMUL64rr,
		tab.TEST8rr, tab.TEST16rr, tab.TEST32rr, tab.TEST64rr,
		tab.ADDSSrr, tab.ADDSDrr, tab.MULSSrr, tab.MULSDrr, tab.ADDPSrr, tab.ADDPDrr, tab.MULPSrr, tab.MULPDrr,
		tab.ANDPSrr, tab.ANDPDrr, tab.ORPSrr, tab.ORPDrr, tab.XORPSrr, tab.XORPDrr:
		return true
	}
	return false
}

// isFPCompare reports CMPSS and its like with an immediate condition.
func isFPCompare(name string) bool {
	return strings.HasPrefix(name, "CMP") && (strings.Contains(name, "rri") || strings.Contains(name, "rmi")) &&
		len(name) > 5 && (name[3] == 'S' || name[3] == 'P')
}

// changesOddly reports instructions that commute to ones of another kind, or
// under conditions that are not looked at here. name lacks its V.
func changesOddly(name string) bool {
	for _, s := range [...]string{"MOVSS", "MOVSD", "MOVSH", "MOVHLPS", "UNPCKHPD", "INSERTPS", "SHUFPD", "PFSUB", "PCMP", "PCOM", "PTERNLOG",
		"PERMI2", "PERMT2", "CFCMOV", "CCMP", "FMADDCPH", "FCMADDCPH", "FMADDCSH", "FCMADDCSH", "CMPBF16"} {
		if strings.HasPrefix(name, s) {
			// PCMPEQ without mask is a plain comparison for equality.
			return s != "PCMP" || !strings.HasPrefix(name, "PCMPEQ")
		}
	}
	return false
}

// blendMasks are the immediates' bits of blends, one for each element.
func blendMask(name string) int64 {
	switch name {
	case "BLENDPDrri":
		return 3
	case "BLENDPSrri", "BLENDPDYrri", "PBLENDDrri":
		return 15
	case "BLENDPSYrri", "PBLENDWrri", "PBLENDWYrri", "PBLENDDYrri":
		return 255
	}
	return 0
}

// commute is InstrHooks.Commute.
func commute(_ *target.Subtarget, f *mir.Function, i mir.InstrID, a, b int) bool {
	if plainCommute(f.Instr(i).Opcode) {
		target.SwapRegs(f, i, a, b)
		return true
	}
	full := f.Facts.OpcodeName(f.Instr(i).Opcode)
	name := strings.TrimPrefix(full, "V")
	if form, _ := fmaForm(name); form != 0 {
		return commuteFMA(f, i, full, a, b)
	}
	// A count of nothing gives the first source whole; the other way round it
	// would have to be the width, of which the machine sees nothing.
	flip := func(op desc.Opcode, width int64) bool {
		n := f.Op(i, 3).Imm()
		if n <= 0 || n >= width {
			return false
		}
		f.Instr(i).Opcode = op
		f.SetImm(i, 3, width-n)
		return true
	}
	switch {
	case strings.HasPrefix(name, "CMOV"):
		cc := f.Op(i, 3).Imm()
		if cc > condG {
			return false
		}
		f.SetImm(i, 3, cc^1)
	case strings.HasPrefix(name, "SHLD"), strings.HasPrefix(name, "SHRD"):
		// Bits of a register pair: counted from the other end.
		ok := false
		switch f.Instr(i).Opcode {
		case tab.SHLD16rri8:
			ok = flip(tab.SHRD16rri8, 16)
		case tab.SHLD32rri8:
			ok = flip(tab.SHRD32rri8, 32)
		case tab.SHLD64rri8:
			ok = flip(tab.SHRD64rri8, 64)
		case tab.SHRD16rri8:
			ok = flip(tab.SHLD16rri8, 16)
		case tab.SHRD32rri8:
			ok = flip(tab.SHLD32rri8, 32)
		case tab.SHRD64rri8:
			ok = flip(tab.SHLD64rri8, 64)
		}
		if !ok {
			return false
		}
	case isFPCompare(name):
		if _, _, ok := commutableOps(nil, f, i, a, b); !ok {
			return false
		}
	case strings.HasPrefix(name, "BLEND"), strings.HasPrefix(name, "PBLEND"):
		m := blendMask(name)
		if m == 0 {
			return false
		}
		f.SetImm(i, 3, f.Op(i, 3).Imm()&m^m)
	case strings.HasPrefix(name, "PCLMULQDQ"):
		imm := f.Op(i, 3).Imm()
		f.SetImm(i, 3, imm&1<<4|imm>>4&1)
	case name == "PERM2F128rri" || name == "PERM2I128rri":
		f.SetImm(i, 3, f.Op(i, 3).Imm()&0xff^0x22)
	case changesOddly(name):
		return false
	}
	target.SwapRegs(f, i, a, b)
	return true
}

// fmaForm gives the operand that a fused multiplication and addition adds, 0 for
// other instructions, and where in the name (which lacks its V) the form stands.
func fmaForm(name string) (adds, at int) {
	if !strings.HasPrefix(name, "FM") && !strings.HasPrefix(name, "FNM") {
		return 0, 0
	}
	for k, s := range fmaForms[1:] {
		if at := strings.Index(name, s); at > 0 {
			return k + 1, at
		}
	}
	return 0, 0
}

// fmaForms are the forms by the operand that is added: 231 is 2*3+1.
var fmaForms = [...]string{1: "231", 2: "132", 3: "213"}

// fmaOps: all three sources commute, with another form of the instruction, but
// the last one in memory, and the first one that gives the upper elements.
func fmaOps(f *mir.Function, i mir.InstrID, name string, a, b int) (int, int, bool) {
	_, at := fmaForm(name)
	if strings.Contains(name[at:], "k") || f.Instr(i).NumOps() < 4 {
		return 0, 0, false // what a mask keeps does not move
	}
	lo, hi := 1, 3
	if strings.Contains(name, "_Int") {
		lo = 2
	}
	if f.Desc(i).NumOperands >= 3+addrOps {
		hi = 2
	}
	in := func(k int) bool { return lo <= k && k <= hi }
	switch {
	case lo >= hi:
		return 0, 0, false
	case a < 0 && b < 0:
		return hi - 1, hi, true
	case a < 0 && in(b):
		if b == hi {
			return hi - 1, b, true
		}
		return hi, b, true
	case b < 0 && in(a):
		if a == hi {
			return a, hi - 1, true
		}
		return a, hi, true
	}
	return a, b, in(a) && in(b) && a != b
}

// commuteFMA exchanges two sources: what is added moves with its register.
func commuteFMA(f *mir.Function, i mir.InstrID, name string, a, b int) bool {
	adds, at := fmaForm(name[1:])
	at++
	switch adds {
	case a:
		adds = b
	case b:
		adds = a
	}
	to := fmaForms[adds]
	op, ok := f.Facts.OpcodeByName(name[:at] + to + name[at+3:])
	if !ok {
		return false
	}
	f.Instr(i).Opcode = op
	target.SwapRegs(f, i, a, b)
	return true
}

// isAssociative is InstrHooks.IsAssociative. Additions and products of floating
// point are where the program allows it.
func isAssociative(_ *target.Subtarget, f *mir.Function, i mir.InstrID, inverse bool) bool {
	if inverse || !f.Desc(i).IsCommutable() {
		return false
	}
	switch f.Instr(i).Opcode {
	case tab.ADD8rr, tab.ADD16rr, tab.ADD32rr, tab.ADD64rr, tab.AND8rr, tab.AND16rr, tab.AND32rr, tab.AND64rr,
		tab.OR8rr, tab.OR16rr, tab.OR32rr, tab.OR64rr, tab.XOR8rr, tab.XOR16rr, tab.XOR32rr, tab.XOR64rr,
		tab.IMUL16rr, tab.IMUL32rr, tab.IMUL64rr:
		return true
	}
	name := f.Facts.OpcodeName(f.Instr(i).Opcode)
	if nd, ok := strings.CutSuffix(name, "rr_ND"); ok {
		for _, s := range [...]string{"ADD", "AND", "OR", "XOR", "IMUL"} {
			if rest, ok := strings.CutPrefix(nd, s); ok && rest != "" && rest[0] <= '9' {
				return true
			}
		}
		return false
	}
	if base, ok := strings.CutSuffix(name, "kk"); ok && name[0] == 'K' {
		for _, s := range [...]string{"KADD", "KAND", "KOR", "KXOR"} {
			if len(base) == len(s)+1 && strings.HasPrefix(base, s) {
				return true
			}
		}
		return false
	}
	base, ok := strings.CutSuffix(strings.TrimPrefix(name, "V"), "rr")
	if !ok {
		return false
	}
	for _, width := range [...]string{"Z128", "Z256", "Z", "Y"} {
		if s, ok := strings.CutSuffix(base, width); ok {
			base = s
			break
		}
	}
	switch base {
	case "ANDPD", "ANDPS", "ORPD", "ORPS", "XORPD", "XORPS", "PAND", "PANDD", "PANDQ", "POR", "PORD", "PORQ", "PXOR", "PXORD", "PXORQ",
		"PADDB", "PADDW", "PADDD", "PADDQ", "PMULLW", "PMULLD", "PMULLQ",
		"PMAXSB", "PMAXSW", "PMAXSD", "PMAXSQ", "PMAXUB", "PMAXUW", "PMAXUD", "PMAXUQ",
		"PMINSB", "PMINSW", "PMINSD", "PMINSQ", "PMINUB", "PMINUW", "PMINUD", "PMINUQ",
		"MAXCPD", "MAXCPH", "MAXCPS", "MAXCSD", "MAXCSH", "MAXCSS", "MINCPD", "MINCPH", "MINCPS", "MINCSD", "MINCSH", "MINCSS":
		return true
	case "ADDPD", "ADDPH", "ADDPS", "ADDSD", "ADDSH", "ADDSS", "MULPD", "MULPH", "MULPS", "MULSD", "MULSH", "MULSS":
		const free = mir.FmReassoc | mir.FmNsz
		return f.Instr(i).Flags()&free == free
	}
	return false
}
