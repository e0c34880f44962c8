package mctargetdesc

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// spelling is how operands of a mnemonic may be written other than its rows have them.
type spelling uint8

const (
	asRows      spelling = iota
	addressAX            // the registers that are meant anyhow: an address in rAX
	addressECX           // an address in rAX, ECX
	monitored            // an address in rAX, rCX and rDX
	waited               // rAX, rCX
	waitedX              // rAX, rCX, rBX
	loneEAX              // EAX
	impliedXMM0          // XMM0 need not be written
	wideGeneral          // a register of 64 bits for one of 32
	access               // the source may be a register of any size
	suffixed             // a suffix repeats what the register of the result says
	exchange             // the accumulator comes last in AT&T syntax
)

// spellings are those of mnemonics without v and suffix.
var spellings = map[string]spelling{
	"invlpga": addressECX, "skinit": loneEAX, "vmload": addressAX, "vmrun": addressAX, "vmsave": addressAX, "clzero": addressAX,
	"monitor": monitored, "monitorx": monitored, "mwait": waited, "mwaitx": waitedX,
	"sha256rnds2": impliedXMM0, "blendvps": impliedXMM0, "blendvpd": impliedXMM0, "pblendvb": impliedXMM0,
	"pmovmskb": wideGeneral, "movmskps": wideGeneral, "movmskpd": wideGeneral, "extractps": wideGeneral, "pextrw": wideGeneral, "pextrb": wideGeneral,
	"pinsrw": wideGeneral, "pinsrb": wideGeneral,
	"vpmovmskb": wideGeneral, "vmovmskps": wideGeneral, "vmovmskpd": wideGeneral, "vextractps": wideGeneral, "vpextrw": wideGeneral, "vpextrb": wideGeneral,
	"vpinsrw": wideGeneral, "vpinsrb": wideGeneral,
	"lar": access, "larl": access, "larq": access, "lsl": access, "lsll": access, "lslq": access,
	"xchg": exchange, "xchgw": exchange, "xchgl": exchange, "xchgq": exchange,
}

func spellingOf(m string) spelling {
	if s := spellings[m]; s != asRows {
		return s
	}
	if r := strings.TrimPrefix(m, "v"); strings.HasPrefix(r, "cvt") {
		switch r = strings.TrimPrefix(strings.TrimPrefix(r, "cvtt"), "cvt"); r {
		case "ss2sil", "ss2siq", "sd2sil", "sd2siq", "ss2usil", "ss2usiq", "sd2usil", "sd2usiq":
			return suffixed
		}
	}
	return asRows
}

// respell brings operands that are written otherwise into the form of the rows. modes are those that would do,
// where the operands are those of another mode.
func (x *parsing) respell(m string) (_ string, modes uint8) {
	k := spellingOf(m)
	n := len(x.ops)
	switch k {
	case addressAX, addressECX, monitored, waited, waitedX, loneEAX:
		return m, x.impliedRegs(k)
	case impliedXMM0:
		if n == 2 {
			if x.intel {
				x.ops = append(x.ops, regOp(tab.XMM0))
			} else {
				x.ops = slices.Insert(x.ops, 0, regOp(tab.XMM0))
			}
		}
	case wideGeneral:
		for i := range x.ops {
			x.resize(&x.ops[i], tab.GR64RegClassID, tab.GR32RegClassID)
		}
	case access:
		if n != 2 {
			break
		}
		from, to := &x.ops[0], &x.ops[1]
		if x.intel {
			from, to = to, from
		}
		if z := x.sizeLetter(to.reg); to.kind == opReg && (z == "l" || z == "q") && from.kind == opReg {
			x.resize(from, tab.GR64RegClassID, tab.GR16RegClassID)
			x.resize(from, tab.GR32RegClassID, tab.GR16RegClassID)
			if !x.intel && len(m) == 3 {
				m += z
			}
		}
	case suffixed:
		if n > 0 && !x.intel && x.ops[n-1].kind == opReg && x.sizeLetter(x.ops[n-1].reg) == m[len(m)-1:] {
			m = m[:len(m)-1]
		}
	case exchange:
		if n == 2 && x.ops[0].kind == opReg && x.ops[1].kind == opReg {
			m = x.exchanged(m)
		}
	}
	return m, 0
}

// exchanged makes an exchange with the accumulator its short form; that of RAX with itself does nothing, and that of EAX
// with itself is none in 64-bit mode, where it clears half of RAX.
func (x *parsing) exchanged(m string) string {
	acc, other := 1, 0
	if x.intel {
		acc, other = 0, 1
	}
	isAcc := func(i int) bool {
		r := x.ops[i].reg
		return r == tab.AX || r == tab.EAX || r == tab.RAX
	}
	if isAcc(other) && !isAcc(acc) && x.sizeLetter(x.ops[0].reg) == x.sizeLetter(x.ops[1].reg) {
		x.ops[0], x.ops[1] = x.ops[1], x.ops[0]
	}
	if x.ops[0].reg == tab.RAX && x.ops[1].reg == tab.RAX {
		x.ops = x.ops[:0]
		return "nop"
	}
	return m
}

// resize replaces a register of a class by its part, or by what it is part of, in another one with the same number.
func (x *parsing) resize(o *asmOperand, from, to desc.ClassID) {
	if o.kind != opReg || !x.info.ClassContains(from, o.reg) {
		return
	}
	for sub := range x.info.SubRegs(o.reg).All() {
		if x.info.ClassContains(to, sub) {
			o.reg = sub
			return
		}
	}
}

// impliedRegs takes out the registers that an instruction has anyhow, and gives the modes in which it has those.
func (x *parsing) impliedRegs(k spelling) uint8 {
	var want [2][]desc.PhysReg // of 64 bits, and of 32
	rax, eax := desc.PhysReg(tab.RAX), desc.PhysReg(tab.EAX)
	switch k {
	case addressAX:
		want = [2][]desc.PhysReg{{rax}, {eax}}
	case addressECX:
		want = [2][]desc.PhysReg{{rax, tab.ECX}, {eax, tab.ECX}}
	case monitored:
		want = [2][]desc.PhysReg{{rax, tab.RCX, tab.RDX}, {eax, tab.ECX, tab.EDX}}
	case waited:
		want = [2][]desc.PhysReg{{rax, tab.RCX}, {eax, tab.ECX}}
	case waitedX:
		want = [2][]desc.PhysReg{{rax, tab.RCX, tab.RBX}, {eax, tab.ECX, tab.EBX}}
	case loneEAX:
		want = [2][]desc.PhysReg{{eax}, {eax}}
	}
	for i, regs := range want {
		if x.intel && k != addressECX {
			slices.Reverse(regs)
		}
		if !slices.EqualFunc(x.ops, regs, isReg) {
			continue
		}
		modes := [2]uint8{mode64, mode16 | mode32}[i]
		if k == loneEAX {
			modes = modeAll
		}
		if modes&x.mode == 0 {
			return modes
		}
		x.ops = x.ops[:0]
		return 0
	}
	return 0
}
