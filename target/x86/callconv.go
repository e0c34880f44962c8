package x86

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// The calling conventions are described in X86CallingConv.td; here stand the
// functions that it names, and the types of registers.

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-callingconv --facts X86 --go-package tab -o tab/zz_callconv.go X86CallingConv.td

// LLVM's numbers of the calling conventions that are asked for by name.
const (
	ccC            = 0
	ccFast         = 8
	ccCold         = 9
	ccGHC          = 10
	ccPreserveMost = 14
	ccPreserveAll  = 15
	ccSwift        = 16
	ccTail         = 18
	ccSwiftTail    = 20
	ccPreserveNone = 21
	ccSysV         = 78
	ccWin64        = 79
	ccRegCall      = 92

	ccStdCall    = 64
	ccFastCall   = 65
	ccThisCall   = 70
	ccVectorCall = 80
)

// argRegs are the registers of integer arguments, vecRegs those of others, in
// the order in which they are taken: variable arguments save them.
var (
	argRegs = []desc.PhysReg{tab.RDI, tab.RSI, tab.RDX, tab.RCX, tab.R8, tab.R9}
	vecRegs = []desc.PhysReg{tab.XMM0, tab.XMM1, tab.XMM2, tab.XMM3, tab.XMM4, tab.XMM5, tab.XMM6, tab.XMM7}
)

// callConv is how a subtarget calls.
func callConv(st *target.Subtarget) (*target.CallConv, error) {
	in, err := callconv.Bind(st.Facts, &tab.CallConv, nil, map[string]callconv.Custom{"CC_X86_64_I128": placeI128, "CC_X86_32_I128": placeI128OnStack})
	if err != nil {
		return nil, err
	}
	if !modeOf(st).is64() {
		return callConv32(st, in), nil
	}
	c := &target.CallConv{
		Conventions: callconv.Conventions{
			Interp: in, Regs: registerTypes(st), Features: st.FeatureBits(),
			Args: tab.CC_X86_64, Result: tab.RetCC_X86_64,
			Saved:       func(cc uint16) int { return savedList(st, cc) },
			Begin:       homeArea,
			Consecutive: consecutive,
			// C preserves no register that could hold a result.
			ResultInSaved: func(cc uint16) bool { return savedList(st, cc) != tab.CSR_64 },
		},
		Unsupported:  unsupportedConvention,
		Refuse:       refuseValue,
		Return:       tab.RET,
		BuildCall:    buildCall,
		BeforeCall:   countVectors,
		CannotJump:   cannotJump,
		BuildJump:    buildJump,
		Popped:       poppedBytes,
		TailCalls:    tailCalls,
		MoveReturn:   moveReturn,
		StructReturn: structReturn,
		SaveVarArgs:  saveVarArgs,
		CopyLong:     copyLong(&mode64),
		Carrier:      carrier(st),
		FromCarrier:  fromVector,
		ToCarrier:    toVector,
	}
	c.Init()
	return c, nil
}

// callConv32 is how 32-bit code calls.
func callConv32(st *target.Subtarget, in *callconv.Interp) *target.CallConv {
	c := &target.CallConv{
		Conventions: callconv.Conventions{
			Interp: in, Regs: registerTypes(st), Features: st.FeatureBits(),
			Args: tab.CC_X86_32, Result: tab.RetCC_X86_32,
			Saved:       func(uint16) int { return tab.CSR_32 },
			Consecutive: consecutive32,
		},
		Unsupported:  unsupportedConvention32,
		Refuse:       refuseValue,
		Return:       tab.RET,
		BuildCall:    buildCall,
		BeforeCall:   loadGOT,
		CannotJump:   cannotJump,
		BuildJump:    buildJump,
		Popped:       poppedBytes32,
		TailCalls:    tailCalls,
		MoveReturn:   moveReturn,
		StructReturn: func(uint16) desc.PhysReg { return tab.EAX },
		VarArgRegs:   []desc.PhysReg{},
		CopyLong:     copyLong(&mode32),
		Carrier:      carrier32(st),
		FromCarrier:  fromCarrier32,
		ToCarrier:    toCarrier32,
	}
	c.Init()
	return c
}

// placeI128OnStack is CCCustom CC_X86_32_I128: the four words of an __int128 or a
// fp128 are on the stack, aligned to 16 bytes.
func placeI128OnStack(s *callconv.State, v *callconv.Value) bool {
	s.Pending = append(s.Pending, *v)
	if v.Flags&desc.CCConsecutiveRegsLast == 0 {
		return true
	}
	off := s.AllocateStack(int64(4*len(s.Pending)), 16)
	for i := range s.Pending {
		s.AddStack(&s.Pending[i], off+int64(4*i))
	}
	s.Pending = s.Pending[:0]
	return true
}

// homeArea: callees of Win64 own 32 bytes above the return address, where they
// may store their argument registers.
func homeArea(s *callconv.State) {
	if s.CC == ccWin64 {
		s.AllocateStack(32, 8)
	}
}

// placeI128 is CCCustom CC_X86_64_I128: both words of an __int128 are in
// registers or both on the stack, aligned to 16 bytes; registers that are left
// over stay free for later arguments (psABI 3.2.3).
func placeI128(s *callconv.State, v *callconv.Value) bool {
	s.Pending = append(s.Pending, *v)
	if v.Flags&desc.CCConsecutiveRegsLast == 0 {
		return true
	}
	n := len(s.Pending)
	if k := s.FirstFree(argRegs); k+n <= len(argRegs) {
		for i := range s.Pending {
			s.AddReg(&s.Pending[i], argRegs[k+i])
		}
	} else {
		off := s.AllocateStack(int64(8*n), 16)
		for i := range s.Pending {
			s.AddStack(&s.Pending[i], off+int64(8*i))
		}
	}
	s.Pending = s.Pending[:0]
	return true
}

// savedList is the number of the list of registers that functions of a
// convention preserve.
func savedList(st *target.Subtarget, cc uint16) int {
	switch cc {
	case ccGHC:
		return tab.CSR_NoRegs
	case ccCold:
		return tab.CSR_64_MostRegs
	case ccPreserveMost:
		return tab.CSR_64_RT_MostRegs
	case ccPreserveAll:
		if st.HasFeature("avx") {
			return tab.CSR_64_RT_AllRegs_AVX
		}
		return tab.CSR_64_RT_AllRegs
	case ccPreserveNone:
		return tab.CSR_64_NoneRegs
	case ccSwiftTail:
		return tab.CSR_64_SwiftTail
	case ccWin64:
		return tab.CSR_Win64
	case ccRegCall:
		return tab.CSR_SysV64_RegCall
	}
	return tab.CSR_64
}

// registerTypes are the types that registers of the subtarget hold.
func registerTypes(st *target.Subtarget) *callconv.RegTypes {
	legal, word := []desc.MVT{desc.MVTi8, desc.MVTi16, desc.MVTi32}, desc.MVTi32
	if st.HasFeature("x87") {
		legal = append(legal, desc.MVTf80)
	}
	if st.HasFeature("sse") {
		legal = append(legal, desc.MVTv4f32)
	}
	if modeOf(st).is64() {
		word = desc.MVTi64
		legal = append(legal, word)
		if st.HasFeature("sse") {
			legal = append(legal, desc.MVTf32, desc.MVTf128)
		}
		if st.HasFeature("sse2") {
			legal = append(legal, desc.MVTf64)
		}
	} else {
		legal = append(legal, desc.MVTf32, desc.MVTf64) // on the x87 stack at least
	}
	if st.HasFeature("sse2") {
		legal = append(legal, desc.MVTf16, desc.MVTv16i8, desc.MVTv8i16, desc.MVTv4i32, desc.MVTv2i64, desc.MVTv8f16, desc.MVTv2f64)
	}
	if st.HasFeature("avx") {
		legal = append(legal, desc.MVTv32i8, desc.MVTv16i16, desc.MVTv8i32, desc.MVTv4i64, desc.MVTv16f16, desc.MVTv8f32, desc.MVTv4f64)
	}
	if st.HasFeature("avx512f") && wantsZMM(st) {
		legal = append(legal, desc.MVTv16i32, desc.MVTv8i64, desc.MVTv16f32, desc.MVTv8f64)
		if st.HasFeature("avx512bw") {
			legal = append(legal, desc.MVTv64i8, desc.MVTv32i16, desc.MVTv32f16)
		}
	}
	return &callconv.RegTypes{Legal: legal, Instead: func(t callconv.Type) desc.MVT {
		if t.Kind == callconv.Pointer {
			return word // those of 32 bits in memory too
		}
		if t.MVT == desc.MVTbf16 && st.HasFeature("sse2") {
			return desc.MVTf16
		}
		return 0
	}}
}

// consecutive32 is consecutive of 32-bit code, where fp128 is four words too.
func consecutive32(types *ir.Types, ty ir.Type) bool { return consecutive(types, ty) || ty == ir.FP128 }

// consecutive reports arguments whose words stay together.
func consecutive(types *ir.Types, ty ir.Type) bool {
	return types.Kind(ty) == ir.KindInteger && types.IntBits(ty) == 128
}
