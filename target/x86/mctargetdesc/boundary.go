package mctargetdesc

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The flags about branches that are kept off boundaries (Intel's "Mitigations for Jump Conditional
// Code Erratum", 2019).
const (
	boundaryFlag   = "x86-align-branch-boundary"
	branchKindFlag = "x86-align-branch"
	within32Flag   = "x86-branches-within-32B-boundaries"
	maxPrefixFlag  = "x86-pad-max-prefix-size"
	padAlignFlag   = "x86-pad-for-align"
	padBranchFlag  = "x86-pad-for-branch-align"
)

var paddingFlags = []mctarget.Flag{
	{Name: boundaryFlag, Default: "0", Help: "Control how the assembler should align branches with NOP. If the boundary's size is not 0, it should be a power of 2 and no less than 32"},
	{Name: branchKindFlag, Help: "Specify types of branches to align (plus separated list of types): jcc, fused, jmp, call, ret, indirect"},
	{Name: within32Flag, Bool: true, Default: "false", Help: "Align selected instructions to mitigate negative performance impact of Intel's micro code update for errata skx102"},
	{Name: maxPrefixFlag, Default: "0", Help: "Maximum number of prefixes to use for padding"},
	{Name: padAlignFlag, Bool: true, Default: "false", Help: "Pad previous instructions to implement align directives"},
	{Name: padBranchFlag, Bool: true, Default: "true", Help: "Pad previous instructions to implement branch alignment"},
}

// branchKinds are kinds of instructions that are kept off boundaries.
type branchKinds uint8

const (
	alignFused branchKinds = 1 << iota
	alignJcc
	alignJmp
	alignCall
	alignRet
	alignIndirect
)

var branchKindNames = [...]string{"fused", "jcc", "jmp", "call", "ret", "indirect"}

// padding is what flags ask for.
type padding struct {
	mc.Padding
	kinds       branchKinds
	maxPrefixes int
}

// paddingOf reads the flags.
func paddingOf(f mctarget.Flags) (p padding, err error) {
	boundary := uint64(0)
	if f.On(within32Flag, false) {
		boundary, p.kinds = 32, alignFused|alignJcc|alignJmp
	}
	number := func(name string) uint64 {
		n, e := strconv.ParseUint(f.Value(name), 0, 32)
		if e != nil && f.Value(name) != "" {
			err = fmt.Errorf("-%s: '%s' value invalid for uint argument!", name, f.Value(name))
		}
		return n
	}
	if n := number(boundaryFlag); n != 0 {
		boundary = n
	}
	if boundary&(boundary-1) != 0 || boundary > 1<<31 {
		return p, fmt.Errorf("-%s: a boundary of %d is not supported", boundaryFlag, boundary)
	}
	if list := f.Value(branchKindFlag); list != "" {
		p.kinds = 0
		for _, name := range strings.Split(list, "+") {
			k := -1
			for i, n := range branchKindNames {
				if n == name {
					k = i
				}
			}
			if k < 0 {
				return p, fmt.Errorf("'-%s': invalid argument '%s'; each element must be one of: fused, jcc, jmp, call, ret, indirect.(plus separated)", branchKindFlag, name)
			}
			p.kinds |= 1 << k
		}
	}
	if boundary > 1 && p.kinds != 0 {
		p.Log2 = uint8(bits.TrailingZeros64(boundary))
	}
	p.maxPrefixes = int(number(maxPrefixFlag))
	p.Before = f.On(padBranchFlag, true) && p.Log2 != 0
	p.Aligns = f.On(padAlignFlag, false)
	p.Prefixes = p.Before && p.maxPrefixes > 0
	return p, err
}

// Padding says what is padded.
func (b *Backend) Padding() mc.Padding { return b.pad.Padding }

// Pads reports whether something may stand between two instructions: not behind a prefix, in the
// shadow of an instruction that turns interrupts on.
func (b *Backend) Pads(prev, in *mc.Inst) bool {
	info := b.enc.info
	if prev != nil {
		switch prev.Op {
		case tab.POPSS16, tab.POPSS32, tab.STI, tab.MOV16sr, tab.MOV32sr, tab.MOV64sr, tab.MOV16sm:
			return false
		}
		if prefixOp(info, prev.Op) {
			return false
		}
	}
	return !prefixOp(info, in.Op)
}

func prefixOp(info *desc.Info, op desc.Opcode) bool {
	return strings.HasSuffix(info.OpcodeName(op), "_PREFIX")
}

// Branches reports the instructions that flags ask for.
func (b *Backend) Branches(in *mc.Inst) bool {
	d, k := b.enc.info.Instr(in.Op), b.pad.kinds
	return k&alignJcc != 0 && d.IsConditionalBranch() || k&alignJmp != 0 && d.IsUnconditionalBranch() || k&alignCall != 0 && d.IsCall() ||
		k&alignRet != 0 && d.IsReturn() || k&alignIndirect != 0 && d.IsIndirectBranch()
}

// OpensPair reports instructions that processors fuse with a jump behind them.
func (b *Backend) OpensPair(in *mc.Inst) bool {
	return b.pad.kinds&alignFused != 0 && b.fusible(in)
}

// fusible reports instructions that processors fuse with a jump, but those with an address
// relative to the instruction.
func (b *Backend) fusible(in *mc.Inst) bool {
	if _, ok := FusedKind(in.Op); !ok {
		return false
	}
	at := memoryAt(b.enc.info, in)
	return at < 0 || in.Ops[at].Reg() != tab.RIP
}

// Pair reports an instruction that is fused with the jump behind it.
func (b *Backend) Pair(first, second *mc.Inst) bool {
	k, ok := FusedKind(first.Op)
	n := len(second.Ops)
	return ok && n > 0 && second.Ops[n-1].IsImm() && b.enc.info.Instr(second.Op).IsConditionalBranch() && b.fusible(first) && k.With(second.Ops[n-1].Imm())
}

// memoryAt is the first operand of an instruction's address, -1 where it has none.
func memoryAt(info *desc.Info, in *mc.Inst) int {
	for i, o := range info.Operands(in.Op) {
		if o.Type == desc.OperandMemory && i+addrOps <= len(in.Ops) {
			return i
		}
	}
	return -1
}

// PaddingPrefix is the prefix without a meaning for an instruction: that of the segment it uses.
func (b *Backend) PaddingPrefix(in *mc.Inst, st *mc.Subtarget) byte {
	const cs, ss, ds = 0x2e, 0x36, 0x3e
	at := memoryAt(b.enc.info, in)
	if at >= 0 {
		switch in.Ops[at+4].Reg() {
		case tab.CS:
			return cs
		case tab.SS:
			return ss
		case tab.DS:
			return ds
		case tab.ES:
			return 0x26
		case tab.FS:
			return 0x64
		case tab.GS:
			return 0x65
		}
	}
	if st.Has(b.wide) {
		return cs
	}
	if at >= 0 {
		if r := in.Ops[at].Reg(); r == tab.ESP || r == tab.EBP {
			return ss
		}
	}
	return ds
}

// MorePrefixes gives how many prefixes may stand before an instruction's encoding.
func (b *Backend) MorePrefixes(code []byte, st *mc.Subtarget) int {
	const longest = 15 // bytes of an instruction
	return max(min(longest-len(code), b.pad.maxPrefixes-prefixBytes(code, st.Has(b.wide))), 0)
}

// prefixBytes counts the bytes before an opcode: prefixes, REX, REX2, VEX, EVEX and escapes to other maps.
func prefixBytes(code []byte, wide bool) int {
	n := 0
	for n < len(code) && strings.IndexByte("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", code[n]) >= 0 {
		n++
	}
	if n+1 >= len(code) {
		return n
	}
	register := wide || code[n+1] >= 0xc0 // else these bytes are instructions
	switch c := code[n]; {
	case wide && c>>4 == 4:
		n += 1 + mapBytes(code[n+1:])
	case c == 0x0f:
		n += mapBytes(code[n:])
	case c == 0xc5 && register, c == 0xd5 && wide:
		n += 2
	case c == 0xc4 && register:
		n += 3
	case c == 0x62 && register:
		n += 4
	}
	return n
}

// mapBytes counts the bytes that name the map of opcodes.
func mapBytes(code []byte) int {
	switch {
	case len(code) < 2 || code[0] != 0x0f:
		return 0
	case code[1] == 0x38 || code[1] == 0x3a:
		return 2
	}
	return 1
}
