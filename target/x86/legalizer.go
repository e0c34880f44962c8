package x86

import "github.com/mirin-go/mirin/target"

// What is legal after the legalizer on x86-64: the contract between the rules
// in this file and the selection patterns (*.td). p means p0. There are no
// values of type s1, of odd widths, or wider than 64 bits; booleans are s8 of
// which only bit 0 counts unless a comparison made them (then they are 0 or 1).
//
//	G_CONSTANT                        s8 s16 s32 s64 p
//	G_FCONSTANT                       s32 s64 (float, double)
//	G_IMPLICIT_DEF G_FREEZE G_PHI COPY  s8 s16 s32 s64 p
//	G_GLOBAL_VALUE G_FRAME_INDEX G_BLOCK_ADDR G_JUMP_TABLE G_CONSTANT_POOL   p
//	G_ADD G_SUB G_AND G_OR G_XOR      s8 s16 s32 s64
//	G_MUL                             s8 s16 s32 s64
//	G_UMULH G_SMULH                   s8 s16 s32 s64
//	G_SDIV G_UDIV G_SREM G_UREM       s8 s16 s32 s64
//	G_SHL G_LSHR G_ASHR G_ROTL G_ROTR s8 s16 s32 s64, amount s8 (a constant amount is an s8 G_CONSTANT too)
//	G_FSHL G_FSHR                     s32 s64, amount s8
//	G_UADDO G_SADDO G_USUBO G_SSUBO   s8 s16 s32 s64, overflow s8
//	G_UADDE G_SADDE G_USUBE G_SSUBE   s8 s16 s32 s64, carry in and out s8
//	G_UMULO G_SMULO                   s8 s16 s32 s64, overflow s8
//	G_ICMP                            s8 = s8 s16 s32 s64 p
//	G_FCMP                            s8 = s32 s64
//	G_SELECT                          s8 s16 s32 s64 p, condition s8 (bit 0)
//	G_BRCOND                          s8 (bit 0)
//	G_BR G_BRINDIRECT(p) G_BRJT(p, s64) G_TRAP G_DEBUGTRAP G_UBSANTRAP
//	G_ZEXT G_SEXT G_ANYEXT            s8→s16 s8→s32 s8→s64 s16→s32 s16→s64 s32→s64
//	G_TRUNC                           the reverse
//	G_SEXT_INREG                      s16 s32 s64 from 8, 16, 32; s8 s16 s32 s64 from 1
//	G_PTR_ADD                         p, s64
//	G_PTRTOINT s64 = p, G_INTTOPTR p = s64
//	G_LOAD G_STORE                    s8 s16 s32 s64 p, memory of the same size; atomic ones by their order
//	G_ZEXTLOAD G_SEXTLOAD             s16 s32 s64 from smaller memory of s8, s16, s32
//	G_ATOMICRMW_{XCHG,ADD,SUB}        s8 s16 s32 s64
//	G_ATOMICRMW_{AND,OR,XOR}          s8 s16 s32 s64, result not used
//	G_ATOMIC_CMPXCHG, …_WITH_SUCCESS  s8 s16 s32 s64, success s8
//	G_FENCE
//	G_CTLZ G_CTTZ and _ZERO_UNDEF     s16 s32 s64
//	G_CTPOP                           s16 s32 s64 with popcnt
//	G_BSWAP                           s16 s32 s64
//	G_FADD G_FSUB G_FMUL G_FDIV G_FSQRT G_FNEG G_FABS   s32 s64
//	G_FMA                             s32 s64 with fma
//	G_FFLOOR G_FCEIL G_INTRINSIC_TRUNC G_FRINT G_FNEARBYINT G_INTRINSIC_ROUNDEVEN   s32 s64 with sse4.1
//	G_FPEXT s64 = s32, G_FPTRUNC s32 = s64
//	G_SITOFP                          s32 s64 = s32 s64
//	G_FPTOSI                          s32 s64 = s32 s64
//	G_INTRINSIC_LRINT G_INTRINSIC_LLRINT   s32 s64 = s32 s64
//	G_STACKSAVE G_STACKRESTORE G_READCYCLECOUNTER G_PREFETCH
//	G_INTRINSIC(_W_SIDE_EFFECTS) of the target, with operands of these types

// legalizer is ISelHooks.Legalizer.
func legalizer(*target.Subtarget) any { return nil }
