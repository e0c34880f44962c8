package x86

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// inlineAsm is what constraints of inline assembly mean on x86-64, after GCC's
// manual ("Machine Constraints") and LLVM's Language Reference.
var inlineAsm = target.AsmHooks{
	Register:  asmRegister,
	Format:    asmFormat,
	Immediate: asmImmediate,
	Symbol:    asmSymbol,
	Memory:    asmMemory,
	Address: func(ops []mir.Operand, p mir.Reg) []mir.Operand {
		return append(ops, mir.RegOp(p, 0), mir.ImmOp(1), mir.RegOp(mir.NoReg, 0), mir.ImmOp(0), mir.RegOp(mir.NoReg, 0))
	},
	Flag:    asmFlag,
	Clobber: asmClobber,
}

// Registers of each width, 8 to 64 bits, that constraints name.
var (
	asmGR     = [...]desc.ClassID{tab.GR8_NOREX2RegClassID, tab.GR16_NOREX2RegClassID, tab.GR32_NOREX2RegClassID, tab.GR64_NOREX2RegClassID}
	asmABCD   = [...]desc.ClassID{tab.GR8_ABCD_LRegClassID, tab.GR16_ABCDRegClassID, tab.GR32_ABCDRegClassID, tab.GR64_ABCDRegClassID}
	asmLegacy = [...]desc.ClassID{tab.GR8_NOREXRegClassID, tab.GR16_NOREXRegClassID, tab.GR32_NOREXRegClassID, tab.GR64_NOREXRegClassID}
	asmPlain  = [...]desc.ClassID{tab.GR8RegClassID, tab.GR16RegClassID, tab.GR32RegClassID, tab.GR64RegClassID}
)

// asmLetter knows the letters that stand for one register.
func asmLetter(s string) (v desc.PhysReg, ok bool) {
	switch s {
	case "a":
		return tab.RAX, true
	case "b":
		return tab.RBX, true
	case "c":
		return tab.RCX, true
	case "d":
		return tab.RDX, true
	case "S":
		return tab.RSI, true
	case "D":
		return tab.RDI, true
	}
	return v, false
}

func asmRegister(st *target.Subtarget, code string, t mir.LLT, float bool) (desc.ClassID, desc.PhysReg, bool) {
	if class, r, ok := asmX87(code, t, float); ok {
		return class, r, true
	}
	if class, ok := asmMask(st, code, t); ok {
		return class, 0, true
	}
	if t.IsVector() {
		return asmWholeVector(st, code, t)
	}
	width := slices.Index([]int{8, 16, 32, 64}, t.Bits())
	if width < 0 {
		return desc.NoClass, 0, false
	}
	m := modeOf(st)
	asmVector := asmVector
	if !m.is64() && !st.HasFeature("sse2") {
		asmVector = func(int) (desc.ClassID, desc.PhysReg, bool) { return desc.NoClass, 0, false }
	}
	if width >= m.ints() && code != "x" && code != "v" && code != "Yi" && code != "Yt" && code != "Y2" && !(float && (code == "g" || code == "X")) && !strings.HasPrefix(code, "{xmm") {
		return desc.NoClass, 0, false // it lies in two registers
	}
	switch code {
	case "r", "q", "l":
		return asmGR[width], 0, true
	case "R":
		return asmLegacy[width], 0, true
	case "Q":
		return asmABCD[width], 0, true
	case "g", "X":
		if !float {
			return asmGR[width], 0, true
		}
		return asmVector(t.Bits())
	case "x", "v", "Yi", "Yt", "Y2":
		return asmVector(t.Bits())
	case "Yz":
		class, _, ok := asmVector(t.Bits())
		return class, tab.XMM0, ok
	}
	r, ok := asmLetter(code)
	if !ok {
		if len(code) < 3 || code[0] != '{' || code[1] == '@' {
			return desc.NoClass, 0, false
		}
		if r, ok = st.Facts.RegByName(strings.ToLower(code[1 : len(code)-1])); !ok {
			return desc.NoClass, 0, false
		}
	}
	if st.Facts.ClassContains(tab.VR128RegClassID, r) {
		class, _, ok := asmVector(t.Bits())
		return class, r, ok
	}
	r = asmWidth(st.Facts, r, asmPlain[width])
	return asmPlain[width], r, r != 0
}

// asmX87 knows the constraints of the x87's stack: its top, what is beneath, and
// any place. Numbers go there in its own format.
func asmX87(code string, t mir.LLT, float bool) (desc.ClassID, desc.PhysReg, bool) {
	if !float && t != mir.Scalar(80) || t.IsVector() {
		return desc.NoClass, 0, false
	}
	switch n, ok := strings.CutPrefix(code, "{st("); {
	case code == "t", code == "{st}":
		return tab.RFP80RegClassID, tab.FP0, true
	case code == "u":
		return tab.RFP80RegClassID, tab.FP1, true
	case code == "f":
		return tab.RFP80RegClassID, 0, true
	case ok && len(n) == 3 && n[0] >= '0' && n[0] < '0'+numFP:
		return tab.RFP80RegClassID, tab.FP0 + desc.PhysReg(n[0]-'0'), true
	}
	return desc.NoClass, 0, false
}

// asmVector is the class of scalars in vector registers.
func asmVector(bits int) (desc.ClassID, desc.PhysReg, bool) {
	switch bits {
	case 32:
		return tab.FR32RegClassID, 0, true
	case 64:
		return tab.FR64RegClassID, 0, true
	}
	return desc.NoClass, 0, false
}

// asmWholeVector knows the constraints of vector registers for what fills one: with v the
// upper 16 too, where instructions of all widths reach them.
func asmWholeVector(st *target.Subtarget, code string, t mir.LLT) (class desc.ClassID, r desc.PhysReg, ok bool) {
	if !wholeVector(st, t) {
		return desc.NoClass, 0, false
	}
	width := t.Bits() / 256
	class = [...]desc.ClassID{tab.VR128RegClassID, tab.VR256RegClassID, tab.VR512_0_15RegClassID}[width]
	all := [...]desc.ClassID{tab.VR128XRegClassID, tab.VR256XRegClassID, tab.VR512RegClassID}[width]
	switch code {
	case "v":
		if st.HasFeature("avx512vl") {
			class = all
		}
		return class, 0, true
	case "x", "Yi", "Yt", "Y2", "g", "X":
		return class, 0, true
	case "Yz":
		return class, [...]desc.PhysReg{tab.XMM0, tab.YMM0, tab.ZMM0}[width], true
	}
	if len(code) < 3 || code[0] != '{' {
		return desc.NoClass, 0, false
	}
	if r, ok = st.Facts.RegByName(strings.ToLower(code[1 : len(code)-1])); !ok {
		return desc.NoClass, 0, false
	}
	r = asmWidth(st.Facts, r, all)
	return all, r, r != 0
}

// asmMask knows the constraints of mask registers, for bits as such and for integers.
func asmMask(st *target.Subtarget, code string, t mir.LLT) (desc.ClassID, bool) {
	if code != "k" && code != "Yk" || !hasMasks(st) {
		return desc.NoClass, false
	}
	n := t.Bits()
	if t.IsPointer() || n&(n-1) != 0 || n > 64 || n < 8 || t.IsVector() && (t.ScalarBits() != 1 || n < 16) {
		return desc.NoClass, false
	}
	width := bits.Len(uint(max(n, 16))) - 5 // 16, 32 or 64 bits
	if code == "Yk" {
		return [...]desc.ClassID{tab.VK16WMRegClassID, tab.VK32WMRegClassID, tab.VK64WMRegClassID}[width], true
	}
	return [...]desc.ClassID{tab.VK16RegClassID, tab.VK32RegClassID, tab.VK64RegClassID}[width], true
}

// asmFormat: the x87's registers hold its own format, mask registers vectors of bits.
func asmFormat(class desc.ClassID, t mir.LLT) mir.LLT {
	switch class {
	case tab.RFP80RegClassID:
		if t.IsScalar() && t.Bits() < 80 {
			return mir.Scalar(80)
		}
	case tab.VK16RegClassID, tab.VK32RegClassID, tab.VK64RegClassID, tab.VK16WMRegClassID, tab.VK32WMRegClassID, tab.VK64WMRegClassID:
		if t.IsScalar() {
			return mir.Vector(max(t.Bits(), 16), mir.Scalar(1))
		}
	}
	return t
}

// asmWidth finds the register of a class that shares the low bits of general
// register r: "{ax}" stands for AL, AX, EAX or RAX by the operand's type.
func asmWidth(in *desc.Info, r desc.PhysReg, class desc.ClassID) desc.PhysReg {
	if in.ClassContains(class, r) {
		return r
	}
	for s := range in.SubRegs(r).All() {
		if in.ClassContains(class, s) && s != tab.AH && s != tab.BH && s != tab.CH && s != tab.DH {
			return s
		}
	}
	for s := range in.SuperRegs(r).All() {
		if in.ClassContains(class, s) {
			return s
		}
	}
	return 0
}

func asmImmediate(_ *target.Subtarget, code string, v int64) bool {
	switch code {
	case "i", "n", "g":
		return true
	case "I":
		return v >= 0 && v <= 31
	case "J":
		return v >= 0 && v <= 63
	case "K":
		return v == int64(int8(v))
	case "L":
		return v == 0xff || v == 0xffff || v == 0xffffffff
	case "M":
		return v >= 0 && v <= 3
	case "N":
		return v >= 0 && v <= 255
	case "O":
		return v >= 0 && v <= 127
	case "e":
		return v == int64(int32(v))
	case "Z":
		return v == int64(uint32(v))
	}
	return false
}

// asmSymbol: an address is a constant only where the code is not moved.
func asmSymbol(st *target.Subtarget, code string) bool {
	return (code == "i" || code == "s") && st.Options.Reloc == target.RelocStatic
}

func asmMemory(code string) (int, bool) {
	switch code {
	case "m", "o", "p":
		return slices.Index(mir.AsmMemConstraints[:], code), true
	case "V":
		return slices.Index(mir.AsmMemConstraints[:], "v"), true
	}
	return 0, false
}

// asmConditions are the words of "{@cc…}" by condition code.
var asmConditions = [...]string{"o", "no", "b c nae", "ae nb nc", "e z", "ne nz", "be na", "a nbe", "s", "ns", "p", "np", "l nge", "ge nl", "le ng", "g nle"}

func asmFlag(_ *target.Subtarget, code string) (desc.PhysReg, desc.ClassID, func(*mir.Builder, mir.Reg), bool) {
	word, ok := strings.CutPrefix(strings.TrimSuffix(code, "}"), "{@cc")
	if !ok {
		return 0, desc.NoClass, nil, false
	}
	for cc, words := range asmConditions {
		if slices.Contains(strings.Fields(words), word) {
			read := func(b *mir.Builder, dst mir.Reg) {
				b.Build(tab.SETCCr, mir.RegOp(dst, mir.Def), mir.ImmOp(int64(cc)), mir.RegOp(reg(tab.EFLAGS), mir.Implicit))
			}
			return tab.EFLAGS, tab.GR8RegClassID, read, true
		}
	}
	return 0, desc.NoClass, nil, false
}

func asmClobber(st *target.Subtarget, name string) (desc.PhysReg, bool) {
	switch name = strings.ToLower(name); name {
	case "memory", "cc":
		return 0, true
	case "dirflag":
		return tab.DF, true
	case "fpsr":
		return tab.FPSW, true
	case "fpcr":
		return tab.FPCW, true
	case "flags":
		return tab.EFLAGS, true
	case "st":
		return tab.FP0, true // see x86-fp-stackifier
	}
	if n, ok := strings.CutPrefix(name, "st("); ok && len(n) == 2 && n[0] >= '0' && n[0] <= '7' {
		return tab.FP0 + desc.PhysReg(n[0]-'0'), true
	}
	return st.Facts.RegByName(name)
}
