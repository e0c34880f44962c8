package ir

// The intrinsics that code generation may want to tell apart, without the
// type suffixes of overloaded ones. Target intrinsics and all others are
// IntrTarget and IntrOther and told apart by name.
const (
	// NotIntrinsic is every global whose name does not begin with "llvm.".
	NotIntrinsic Intrinsic = iota
	// IntrOther is an intrinsic, or something reserved, that has no constant here.
	IntrOther
	// IntrTarget is an intrinsic of one target, as llvm.x86.sse2.pause.
	IntrTarget

	// Memory.
	IntrMemCpy
	IntrMemCpyInline
	IntrMemCpyElementUnorderedAtomic
	IntrMemMove
	IntrMemMoveElementUnorderedAtomic
	IntrMemSet
	IntrMemSetInline
	IntrMemSetPattern
	IntrMemSetElementUnorderedAtomic
	IntrExperimentalMemSetPattern
	IntrLifetimeStart
	IntrLifetimeEnd
	IntrInvariantStart
	IntrInvariantEnd
	IntrLaunderInvariantGroup
	IntrStripInvariantGroup
	IntrPrefetch
	IntrObjectSize
	IntrStackSave
	IntrStackRestore
	IntrGetDynamicAreaOffset
	IntrLoadRelative
	IntrPtrMask
	IntrThreadLocalAddress

	// Debug information.
	IntrDbgDeclare
	IntrDbgValue
	IntrDbgLabel
	IntrDbgAssign
	IntrDbgDeclareValue

	// Variable arguments.
	IntrVAStart
	IntrVAEnd
	IntrVACopy

	// Integers.
	IntrSAddWithOverflow
	IntrUAddWithOverflow
	IntrSSubWithOverflow
	IntrUSubWithOverflow
	IntrSMulWithOverflow
	IntrUMulWithOverflow
	IntrSAddSat
	IntrUAddSat
	IntrSSubSat
	IntrUSubSat
	IntrSShlSat
	IntrUShlSat
	IntrSMulFix
	IntrUMulFix
	IntrSMulFixSat
	IntrUMulFixSat
	IntrSDivFix
	IntrUDivFix
	IntrSDivFixSat
	IntrUDivFixSat
	IntrCtPop
	IntrCtLZ
	IntrCtTZ
	IntrBSwap
	IntrBitReverse
	IntrFShl
	IntrFShr
	IntrAbs
	IntrSMax
	IntrSMin
	IntrUMax
	IntrUMin
	IntrSCmp
	IntrUCmp
	IntrClmul

	// Floating point.
	IntrFAbs
	IntrSqrt
	IntrFloor
	IntrCeil
	IntrTrunc
	IntrRint
	IntrNearbyInt
	IntrRound
	IntrRoundEven
	IntrLRound
	IntrLLRound
	IntrLRint
	IntrLLRint
	IntrCopySign
	IntrMinNum
	IntrMaxNum
	IntrMinimum
	IntrMaximum
	IntrMinimumNum
	IntrMaximumNum
	IntrFMA
	IntrFMulAdd
	IntrPow
	IntrPowi
	IntrExp
	IntrExp2
	IntrExp10
	IntrLog
	IntrLog2
	IntrLog10
	IntrSin
	IntrCos
	IntrTan
	IntrAsin
	IntrAcos
	IntrAtan
	IntrAtan2
	IntrSinh
	IntrCosh
	IntrTanh
	IntrSinCos
	IntrSinCosPi
	IntrLdExp
	IntrFrExp
	IntrModf
	IntrCanonicalize
	IntrIsFPClass
	IntrFPToSISat
	IntrFPToUISat
	IntrConvertToFp16
	IntrConvertFromFp16
	IntrArithmeticFence
	IntrFPTruncRound
	IntrGetRounding
	IntrSetRounding
	IntrGetFPEnv
	IntrSetFPEnv
	IntrResetFPEnv
	IntrGetFPMode
	IntrSetFPMode
	IntrResetFPMode

	// Constrained floating point.
	IntrExperimentalConstrainedFAdd
	IntrExperimentalConstrainedFSub
	IntrExperimentalConstrainedFMul
	IntrExperimentalConstrainedFDiv
	IntrExperimentalConstrainedFRem
	IntrExperimentalConstrainedFMA
	IntrExperimentalConstrainedFMulAdd
	IntrExperimentalConstrainedFCmp
	IntrExperimentalConstrainedFCmpS
	IntrExperimentalConstrainedFPToSI
	IntrExperimentalConstrainedFPToUI
	IntrExperimentalConstrainedSIToFP
	IntrExperimentalConstrainedUIToFP
	IntrExperimentalConstrainedFPTrunc
	IntrExperimentalConstrainedFPExt
	IntrExperimentalConstrainedSqrt
	IntrExperimentalConstrainedPow
	IntrExperimentalConstrainedPowi
	IntrExperimentalConstrainedSin
	IntrExperimentalConstrainedCos
	IntrExperimentalConstrainedTan
	IntrExperimentalConstrainedAsin
	IntrExperimentalConstrainedAcos
	IntrExperimentalConstrainedAtan
	IntrExperimentalConstrainedAtan2
	IntrExperimentalConstrainedSinh
	IntrExperimentalConstrainedCosh
	IntrExperimentalConstrainedTanh
	IntrExperimentalConstrainedExp
	IntrExperimentalConstrainedExp2
	IntrExperimentalConstrainedLog
	IntrExperimentalConstrainedLog10
	IntrExperimentalConstrainedLog2
	IntrExperimentalConstrainedRint
	IntrExperimentalConstrainedNearbyInt
	IntrExperimentalConstrainedLRint
	IntrExperimentalConstrainedLLRint
	IntrExperimentalConstrainedLRound
	IntrExperimentalConstrainedLLRound
	IntrExperimentalConstrainedMaxNum
	IntrExperimentalConstrainedMinNum
	IntrExperimentalConstrainedMaximum
	IntrExperimentalConstrainedMinimum
	IntrExperimentalConstrainedCeil
	IntrExperimentalConstrainedFloor
	IntrExperimentalConstrainedRound
	IntrExperimentalConstrainedRoundEven
	IntrExperimentalConstrainedTrunc
	IntrExperimentalConstrainedLdExp

	// Hints.
	IntrExpect
	IntrExpectWithProbability
	IntrAssume
	IntrTrap
	IntrDebugTrap
	IntrUBSanTrap
	IntrDoNothing
	IntrSideEffect
	IntrPseudoProbe
	IntrExperimentalNoAliasScopeDecl
	IntrIsConstant
	IntrAllowRuntimeCheck
	IntrAllowUbsanCheck
	IntrAnnotation
	IntrPtrAnnotation
	IntrVarAnnotation
	IntrCodeviewAnnotation
	IntrTypeTest
	IntrPublicTypeTest
	IntrTypeCheckedLoad
	IntrTypeCheckedLoadRelative
	IntrSsaCopy
	IntrFakeUse
	IntrExperimentalGuard
	IntrExperimentalWidenableCondition
	IntrExperimentalDeoptimize
	IntrExperimentalConvergenceAnchor
	IntrExperimentalConvergenceEntry
	IntrExperimentalConvergenceLoop
	IntrProtectedFieldPtr

	// Frame and machine.
	IntrFrameAddress
	IntrReturnAddress
	IntrAddressOfReturnAddress
	IntrSPOnEntry
	IntrReadCycleCounter
	IntrReadsteadycounter
	IntrReadRegister
	IntrReadVolatileRegister
	IntrWriteRegister
	IntrStackProtector
	IntrStackGuard
	IntrLocalescape
	IntrLocalrecover
	IntrClearCache
	IntrInitTrampoline
	IntrAdjustTrampoline
	IntrThreadPointer
	IntrVScale
	IntrCallPreallocatedSetup
	IntrCallPreallocatedArg
	IntrCallPreallocatedTeardown
	IntrStackmap
	IntrPatchpointI64
	IntrPatchpointVoid
	IntrPatchpoint
	IntrExperimentalStackmap
	IntrExperimentalPatchpointVoid
	IntrExperimentalPatchpoint
	IntrExperimentalGCStatepoint
	IntrExperimentalGCResult
	IntrExperimentalGCRelocate
	IntrGcroot
	IntrGcread
	IntrGcwrite
	IntrInstrprofIncrement
	IntrInstrprofIncrementStep
	IntrInstrprofValueProfile
	IntrInstrprofCover
	IntrInstrprofTimestamp
	IntrInstrprofMcdcParameters
	IntrInstrprofMcdcTvbitmapUpdate
	IntrSehTryBegin
	IntrSehTryEnd
	IntrSehScopeBegin
	IntrSehScopeEnd
	IntrLoopDecrement
	IntrLoopDecrementReg
	IntrStartLoopIterations
	IntrSetLoopIterations
	IntrTestSetLoopIterations
	IntrTestStartLoopIterations
	IntrPtrauthAuth
	IntrPtrauthSign
	IntrPtrauthResign
	IntrPtrauthStrip
	IntrPtrauthBlend
	IntrPtrauthSignGeneric
	IntrIcallBranchFunnel
	IntrCallOnce

	// Exceptions.
	IntrEHTypeIDFor
	IntrEHReturnI32
	IntrEHReturnI64
	IntrEHExceptionpointer
	IntrEHExceptioncode
	IntrEHUnwindInit
	IntrEHDwarfCfa
	IntrEHSjLjLsda
	IntrEHSjLjCallsite
	IntrEHSjLjFunctioncontext
	IntrEHSjLjSetjmp
	IntrEHSjLjLongjmp
	IntrEHSjLjSetupDispatch
	IntrEHRecoverfp

	// Vectors.
	IntrVectorReduceAdd
	IntrVectorReduceMul
	IntrVectorReduceAnd
	IntrVectorReduceOr
	IntrVectorReduceXor
	IntrVectorReduceSMax
	IntrVectorReduceSMin
	IntrVectorReduceUMax
	IntrVectorReduceUMin
	IntrVectorReduceFAdd
	IntrVectorReduceFMul
	IntrVectorReduceFMax
	IntrVectorReduceFMin
	IntrVectorReduceFmaximum
	IntrVectorReduceFminimum
	IntrVectorInsert
	IntrVectorExtract
	IntrVectorReverse
	IntrVectorSplice
	IntrVectorSpliceLeft
	IntrVectorSpliceRight
	IntrVectorInterleave2
	IntrVectorInterleave3
	IntrVectorInterleave4
	IntrVectorInterleave5
	IntrVectorInterleave6
	IntrVectorInterleave7
	IntrVectorInterleave8
	IntrVectorDeinterleave2
	IntrVectorDeinterleave3
	IntrVectorDeinterleave4
	IntrVectorDeinterleave5
	IntrVectorDeinterleave6
	IntrVectorDeinterleave7
	IntrVectorDeinterleave8
	IntrVectorPartialReduceAdd
	IntrVectorPartialReduceFAdd
	IntrStepVector
	IntrGetActiveLaneMask
	IntrGetVectorLength
	IntrExperimentalGetVectorLength
	IntrMaskedLoad
	IntrMaskedStore
	IntrMaskedGather
	IntrMaskedScatter
	IntrMaskedExpandload
	IntrMaskedCompressstore
	IntrExperimentalVectorCompress
	IntrVectorCompress
	IntrExperimentalVectorHistogramAdd
	IntrExperimentalVectorMatch
	IntrExperimentalCtTZElts
	IntrExperimentalVectorExtractLastActive
	IntrLoopDependenceWarMask
	IntrLoopDependenceRawMask
	IntrMatrixTranspose
	IntrMatrixMultiply
	IntrMatrixColumnMajorLoad
	IntrMatrixColumnMajorStore
	IntrExperimentalVPStridedLoad
	IntrExperimentalVPStridedStore
	IntrVPLoad
	IntrVPStore
	IntrVPGather
	IntrVPScatter

	// Coroutines, global constructors of old.
	IntrCoroId
	IntrCoroBegin
	IntrCoroEnd
	IntrCoroSuspend
	IntrCoroFree
	IntrCoroSize
	IntrCoroAlign
	IntrCoroAlloc
	IntrCoroResume
	IntrCoroDestroy
	IntrCoroDone
	IntrCoroPromise
	IntrCoroFrame
	IntrCoroSave

	numIntrinsics
)

// intrinsicNames holds the names after "llvm.", by number.
var intrinsicNames = [numIntrinsics]string{
	IntrMemCpy:                              "memcpy",
	IntrMemCpyInline:                        "memcpy.inline",
	IntrMemCpyElementUnorderedAtomic:        "memcpy.element.unordered.atomic",
	IntrMemMove:                             "memmove",
	IntrMemMoveElementUnorderedAtomic:       "memmove.element.unordered.atomic",
	IntrMemSet:                              "memset",
	IntrMemSetInline:                        "memset.inline",
	IntrMemSetPattern:                       "memset.pattern",
	IntrMemSetElementUnorderedAtomic:        "memset.element.unordered.atomic",
	IntrExperimentalMemSetPattern:           "experimental.memset.pattern",
	IntrLifetimeStart:                       "lifetime.start",
	IntrLifetimeEnd:                         "lifetime.end",
	IntrInvariantStart:                      "invariant.start",
	IntrInvariantEnd:                        "invariant.end",
	IntrLaunderInvariantGroup:               "launder.invariant.group",
	IntrStripInvariantGroup:                 "strip.invariant.group",
	IntrPrefetch:                            "prefetch",
	IntrObjectSize:                          "objectsize",
	IntrStackSave:                           "stacksave",
	IntrStackRestore:                        "stackrestore",
	IntrGetDynamicAreaOffset:                "get.dynamic.area.offset",
	IntrLoadRelative:                        "load.relative",
	IntrPtrMask:                             "ptrmask",
	IntrThreadLocalAddress:                  "threadlocal.address",
	IntrDbgDeclare:                          "dbg.declare",
	IntrDbgValue:                            "dbg.value",
	IntrDbgLabel:                            "dbg.label",
	IntrDbgAssign:                           "dbg.assign",
	IntrDbgDeclareValue:                     "dbg.declare.value",
	IntrVAStart:                             "va_start",
	IntrVAEnd:                               "va_end",
	IntrVACopy:                              "va_copy",
	IntrSAddWithOverflow:                    "sadd.with.overflow",
	IntrUAddWithOverflow:                    "uadd.with.overflow",
	IntrSSubWithOverflow:                    "ssub.with.overflow",
	IntrUSubWithOverflow:                    "usub.with.overflow",
	IntrSMulWithOverflow:                    "smul.with.overflow",
	IntrUMulWithOverflow:                    "umul.with.overflow",
	IntrSAddSat:                             "sadd.sat",
	IntrUAddSat:                             "uadd.sat",
	IntrSSubSat:                             "ssub.sat",
	IntrUSubSat:                             "usub.sat",
	IntrSShlSat:                             "sshl.sat",
	IntrUShlSat:                             "ushl.sat",
	IntrSMulFix:                             "smul.fix",
	IntrUMulFix:                             "umul.fix",
	IntrSMulFixSat:                          "smul.fix.sat",
	IntrUMulFixSat:                          "umul.fix.sat",
	IntrSDivFix:                             "sdiv.fix",
	IntrUDivFix:                             "udiv.fix",
	IntrSDivFixSat:                          "sdiv.fix.sat",
	IntrUDivFixSat:                          "udiv.fix.sat",
	IntrCtPop:                               "ctpop",
	IntrCtLZ:                                "ctlz",
	IntrCtTZ:                                "cttz",
	IntrBSwap:                               "bswap",
	IntrBitReverse:                          "bitreverse",
	IntrFShl:                                "fshl",
	IntrFShr:                                "fshr",
	IntrAbs:                                 "abs",
	IntrSMax:                                "smax",
	IntrSMin:                                "smin",
	IntrUMax:                                "umax",
	IntrUMin:                                "umin",
	IntrSCmp:                                "scmp",
	IntrUCmp:                                "ucmp",
	IntrClmul:                               "clmul",
	IntrFAbs:                                "fabs",
	IntrSqrt:                                "sqrt",
	IntrFloor:                               "floor",
	IntrCeil:                                "ceil",
	IntrTrunc:                               "trunc",
	IntrRint:                                "rint",
	IntrNearbyInt:                           "nearbyint",
	IntrRound:                               "round",
	IntrRoundEven:                           "roundeven",
	IntrLRound:                              "lround",
	IntrLLRound:                             "llround",
	IntrLRint:                               "lrint",
	IntrLLRint:                              "llrint",
	IntrCopySign:                            "copysign",
	IntrMinNum:                              "minnum",
	IntrMaxNum:                              "maxnum",
	IntrMinimum:                             "minimum",
	IntrMaximum:                             "maximum",
	IntrMinimumNum:                          "minimumnum",
	IntrMaximumNum:                          "maximumnum",
	IntrFMA:                                 "fma",
	IntrFMulAdd:                             "fmuladd",
	IntrPow:                                 "pow",
	IntrPowi:                                "powi",
	IntrExp:                                 "exp",
	IntrExp2:                                "exp2",
	IntrExp10:                               "exp10",
	IntrLog:                                 "log",
	IntrLog2:                                "log2",
	IntrLog10:                               "log10",
	IntrSin:                                 "sin",
	IntrCos:                                 "cos",
	IntrTan:                                 "tan",
	IntrAsin:                                "asin",
	IntrAcos:                                "acos",
	IntrAtan:                                "atan",
	IntrAtan2:                               "atan2",
	IntrSinh:                                "sinh",
	IntrCosh:                                "cosh",
	IntrTanh:                                "tanh",
	IntrSinCos:                              "sincos",
	IntrSinCosPi:                            "sincospi",
	IntrLdExp:                               "ldexp",
	IntrFrExp:                               "frexp",
	IntrModf:                                "modf",
	IntrCanonicalize:                        "canonicalize",
	IntrIsFPClass:                           "is.fpclass",
	IntrFPToSISat:                           "fptosi.sat",
	IntrFPToUISat:                           "fptoui.sat",
	IntrConvertToFp16:                       "convert.to.fp16",
	IntrConvertFromFp16:                     "convert.from.fp16",
	IntrArithmeticFence:                     "arithmetic.fence",
	IntrFPTruncRound:                        "fptrunc.round",
	IntrGetRounding:                         "get.rounding",
	IntrSetRounding:                         "set.rounding",
	IntrGetFPEnv:                            "get.fpenv",
	IntrSetFPEnv:                            "set.fpenv",
	IntrResetFPEnv:                          "reset.fpenv",
	IntrGetFPMode:                           "get.fpmode",
	IntrSetFPMode:                           "set.fpmode",
	IntrResetFPMode:                         "reset.fpmode",
	IntrExperimentalConstrainedFAdd:         "experimental.constrained.fadd",
	IntrExperimentalConstrainedFSub:         "experimental.constrained.fsub",
	IntrExperimentalConstrainedFMul:         "experimental.constrained.fmul",
	IntrExperimentalConstrainedFDiv:         "experimental.constrained.fdiv",
	IntrExperimentalConstrainedFRem:         "experimental.constrained.frem",
	IntrExperimentalConstrainedFMA:          "experimental.constrained.fma",
	IntrExperimentalConstrainedFMulAdd:      "experimental.constrained.fmuladd",
	IntrExperimentalConstrainedFCmp:         "experimental.constrained.fcmp",
	IntrExperimentalConstrainedFCmpS:        "experimental.constrained.fcmps",
	IntrExperimentalConstrainedFPToSI:       "experimental.constrained.fptosi",
	IntrExperimentalConstrainedFPToUI:       "experimental.constrained.fptoui",
	IntrExperimentalConstrainedSIToFP:       "experimental.constrained.sitofp",
	IntrExperimentalConstrainedUIToFP:       "experimental.constrained.uitofp",
	IntrExperimentalConstrainedFPTrunc:      "experimental.constrained.fptrunc",
	IntrExperimentalConstrainedFPExt:        "experimental.constrained.fpext",
	IntrExperimentalConstrainedSqrt:         "experimental.constrained.sqrt",
	IntrExperimentalConstrainedPow:          "experimental.constrained.pow",
	IntrExperimentalConstrainedPowi:         "experimental.constrained.powi",
	IntrExperimentalConstrainedSin:          "experimental.constrained.sin",
	IntrExperimentalConstrainedCos:          "experimental.constrained.cos",
	IntrExperimentalConstrainedTan:          "experimental.constrained.tan",
	IntrExperimentalConstrainedAsin:         "experimental.constrained.asin",
	IntrExperimentalConstrainedAcos:         "experimental.constrained.acos",
	IntrExperimentalConstrainedAtan:         "experimental.constrained.atan",
	IntrExperimentalConstrainedAtan2:        "experimental.constrained.atan2",
	IntrExperimentalConstrainedSinh:         "experimental.constrained.sinh",
	IntrExperimentalConstrainedCosh:         "experimental.constrained.cosh",
	IntrExperimentalConstrainedTanh:         "experimental.constrained.tanh",
	IntrExperimentalConstrainedExp:          "experimental.constrained.exp",
	IntrExperimentalConstrainedExp2:         "experimental.constrained.exp2",
	IntrExperimentalConstrainedLog:          "experimental.constrained.log",
	IntrExperimentalConstrainedLog10:        "experimental.constrained.log10",
	IntrExperimentalConstrainedLog2:         "experimental.constrained.log2",
	IntrExperimentalConstrainedRint:         "experimental.constrained.rint",
	IntrExperimentalConstrainedNearbyInt:    "experimental.constrained.nearbyint",
	IntrExperimentalConstrainedLRint:        "experimental.constrained.lrint",
	IntrExperimentalConstrainedLLRint:       "experimental.constrained.llrint",
	IntrExperimentalConstrainedLRound:       "experimental.constrained.lround",
	IntrExperimentalConstrainedLLRound:      "experimental.constrained.llround",
	IntrExperimentalConstrainedMaxNum:       "experimental.constrained.maxnum",
	IntrExperimentalConstrainedMinNum:       "experimental.constrained.minnum",
	IntrExperimentalConstrainedMaximum:      "experimental.constrained.maximum",
	IntrExperimentalConstrainedMinimum:      "experimental.constrained.minimum",
	IntrExperimentalConstrainedCeil:         "experimental.constrained.ceil",
	IntrExperimentalConstrainedFloor:        "experimental.constrained.floor",
	IntrExperimentalConstrainedRound:        "experimental.constrained.round",
	IntrExperimentalConstrainedRoundEven:    "experimental.constrained.roundeven",
	IntrExperimentalConstrainedTrunc:        "experimental.constrained.trunc",
	IntrExperimentalConstrainedLdExp:        "experimental.constrained.ldexp",
	IntrExpect:                              "expect",
	IntrExpectWithProbability:               "expect.with.probability",
	IntrAssume:                              "assume",
	IntrTrap:                                "trap",
	IntrDebugTrap:                           "debugtrap",
	IntrUBSanTrap:                           "ubsantrap",
	IntrDoNothing:                           "donothing",
	IntrSideEffect:                          "sideeffect",
	IntrPseudoProbe:                         "pseudoprobe",
	IntrExperimentalNoAliasScopeDecl:        "experimental.noalias.scope.decl",
	IntrIsConstant:                          "is.constant",
	IntrAllowRuntimeCheck:                   "allow.runtime.check",
	IntrAllowUbsanCheck:                     "allow.ubsan.check",
	IntrAnnotation:                          "annotation",
	IntrPtrAnnotation:                       "ptr.annotation",
	IntrVarAnnotation:                       "var.annotation",
	IntrCodeviewAnnotation:                  "codeview.annotation",
	IntrTypeTest:                            "type.test",
	IntrPublicTypeTest:                      "public.type.test",
	IntrTypeCheckedLoad:                     "type.checked.load",
	IntrTypeCheckedLoadRelative:             "type.checked.load.relative",
	IntrSsaCopy:                             "ssa.copy",
	IntrFakeUse:                             "fake.use",
	IntrExperimentalGuard:                   "experimental.guard",
	IntrExperimentalWidenableCondition:      "experimental.widenable.condition",
	IntrExperimentalDeoptimize:              "experimental.deoptimize",
	IntrExperimentalConvergenceAnchor:       "experimental.convergence.anchor",
	IntrExperimentalConvergenceEntry:        "experimental.convergence.entry",
	IntrExperimentalConvergenceLoop:         "experimental.convergence.loop",
	IntrProtectedFieldPtr:                   "protected.field.ptr",
	IntrFrameAddress:                        "frameaddress",
	IntrReturnAddress:                       "returnaddress",
	IntrAddressOfReturnAddress:              "addressofreturnaddress",
	IntrSPOnEntry:                           "sponentry",
	IntrReadCycleCounter:                    "readcyclecounter",
	IntrReadsteadycounter:                   "readsteadycounter",
	IntrReadRegister:                        "read_register",
	IntrReadVolatileRegister:                "read_volatile_register",
	IntrWriteRegister:                       "write_register",
	IntrStackProtector:                      "stackprotector",
	IntrStackGuard:                          "stackguard",
	IntrLocalescape:                         "localescape",
	IntrLocalrecover:                        "localrecover",
	IntrClearCache:                          "clear_cache",
	IntrInitTrampoline:                      "init.trampoline",
	IntrAdjustTrampoline:                    "adjust.trampoline",
	IntrThreadPointer:                       "thread.pointer",
	IntrVScale:                              "vscale",
	IntrCallPreallocatedSetup:               "call.preallocated.setup",
	IntrCallPreallocatedArg:                 "call.preallocated.arg",
	IntrCallPreallocatedTeardown:            "call.preallocated.teardown",
	IntrStackmap:                            "stackmap",
	IntrPatchpointI64:                       "patchpoint.i64",
	IntrPatchpointVoid:                      "patchpoint.void",
	IntrPatchpoint:                          "patchpoint",
	IntrExperimentalStackmap:                "experimental.stackmap",
	IntrExperimentalPatchpointVoid:          "experimental.patchpoint.void",
	IntrExperimentalPatchpoint:              "experimental.patchpoint",
	IntrExperimentalGCStatepoint:            "experimental.gc.statepoint",
	IntrExperimentalGCResult:                "experimental.gc.result",
	IntrExperimentalGCRelocate:              "experimental.gc.relocate",
	IntrGcroot:                              "gcroot",
	IntrGcread:                              "gcread",
	IntrGcwrite:                             "gcwrite",
	IntrInstrprofIncrement:                  "instrprof.increment",
	IntrInstrprofIncrementStep:              "instrprof.increment.step",
	IntrInstrprofValueProfile:               "instrprof.value.profile",
	IntrInstrprofCover:                      "instrprof.cover",
	IntrInstrprofTimestamp:                  "instrprof.timestamp",
	IntrInstrprofMcdcParameters:             "instrprof.mcdc.parameters",
	IntrInstrprofMcdcTvbitmapUpdate:         "instrprof.mcdc.tvbitmap.update",
	IntrSehTryBegin:                         "seh.try.begin",
	IntrSehTryEnd:                           "seh.try.end",
	IntrSehScopeBegin:                       "seh.scope.begin",
	IntrSehScopeEnd:                         "seh.scope.end",
	IntrLoopDecrement:                       "loop.decrement",
	IntrLoopDecrementReg:                    "loop.decrement.reg",
	IntrStartLoopIterations:                 "start.loop.iterations",
	IntrSetLoopIterations:                   "set.loop.iterations",
	IntrTestSetLoopIterations:               "test.set.loop.iterations",
	IntrTestStartLoopIterations:             "test.start.loop.iterations",
	IntrPtrauthAuth:                         "ptrauth.auth",
	IntrPtrauthSign:                         "ptrauth.sign",
	IntrPtrauthResign:                       "ptrauth.resign",
	IntrPtrauthStrip:                        "ptrauth.strip",
	IntrPtrauthBlend:                        "ptrauth.blend",
	IntrPtrauthSignGeneric:                  "ptrauth.sign.generic",
	IntrIcallBranchFunnel:                   "icall.branch.funnel",
	IntrCallOnce:                            "call.once",
	IntrEHTypeIDFor:                         "eh.typeid.for",
	IntrEHReturnI32:                         "eh.return.i32",
	IntrEHReturnI64:                         "eh.return.i64",
	IntrEHExceptionpointer:                  "eh.exceptionpointer",
	IntrEHExceptioncode:                     "eh.exceptioncode",
	IntrEHUnwindInit:                        "eh.unwind.init",
	IntrEHDwarfCfa:                          "eh.dwarf.cfa",
	IntrEHSjLjLsda:                          "eh.sjlj.lsda",
	IntrEHSjLjCallsite:                      "eh.sjlj.callsite",
	IntrEHSjLjFunctioncontext:               "eh.sjlj.functioncontext",
	IntrEHSjLjSetjmp:                        "eh.sjlj.setjmp",
	IntrEHSjLjLongjmp:                       "eh.sjlj.longjmp",
	IntrEHSjLjSetupDispatch:                 "eh.sjlj.setup.dispatch",
	IntrEHRecoverfp:                         "eh.recoverfp",
	IntrVectorReduceAdd:                     "vector.reduce.add",
	IntrVectorReduceMul:                     "vector.reduce.mul",
	IntrVectorReduceAnd:                     "vector.reduce.and",
	IntrVectorReduceOr:                      "vector.reduce.or",
	IntrVectorReduceXor:                     "vector.reduce.xor",
	IntrVectorReduceSMax:                    "vector.reduce.smax",
	IntrVectorReduceSMin:                    "vector.reduce.smin",
	IntrVectorReduceUMax:                    "vector.reduce.umax",
	IntrVectorReduceUMin:                    "vector.reduce.umin",
	IntrVectorReduceFAdd:                    "vector.reduce.fadd",
	IntrVectorReduceFMul:                    "vector.reduce.fmul",
	IntrVectorReduceFMax:                    "vector.reduce.fmax",
	IntrVectorReduceFMin:                    "vector.reduce.fmin",
	IntrVectorReduceFmaximum:                "vector.reduce.fmaximum",
	IntrVectorReduceFminimum:                "vector.reduce.fminimum",
	IntrVectorInsert:                        "vector.insert",
	IntrVectorExtract:                       "vector.extract",
	IntrVectorReverse:                       "vector.reverse",
	IntrVectorSplice:                        "vector.splice",
	IntrVectorSpliceLeft:                    "vector.splice.left",
	IntrVectorSpliceRight:                   "vector.splice.right",
	IntrVectorInterleave2:                   "vector.interleave2",
	IntrVectorInterleave3:                   "vector.interleave3",
	IntrVectorInterleave4:                   "vector.interleave4",
	IntrVectorInterleave5:                   "vector.interleave5",
	IntrVectorInterleave6:                   "vector.interleave6",
	IntrVectorInterleave7:                   "vector.interleave7",
	IntrVectorInterleave8:                   "vector.interleave8",
	IntrVectorDeinterleave2:                 "vector.deinterleave2",
	IntrVectorDeinterleave3:                 "vector.deinterleave3",
	IntrVectorDeinterleave4:                 "vector.deinterleave4",
	IntrVectorDeinterleave5:                 "vector.deinterleave5",
	IntrVectorDeinterleave6:                 "vector.deinterleave6",
	IntrVectorDeinterleave7:                 "vector.deinterleave7",
	IntrVectorDeinterleave8:                 "vector.deinterleave8",
	IntrVectorPartialReduceAdd:              "vector.partial.reduce.add",
	IntrVectorPartialReduceFAdd:             "vector.partial.reduce.fadd",
	IntrStepVector:                          "stepvector",
	IntrGetActiveLaneMask:                   "get.active.lane.mask",
	IntrGetVectorLength:                     "get.vector.length",
	IntrExperimentalGetVectorLength:         "experimental.get.vector.length",
	IntrMaskedLoad:                          "masked.load",
	IntrMaskedStore:                         "masked.store",
	IntrMaskedGather:                        "masked.gather",
	IntrMaskedScatter:                       "masked.scatter",
	IntrMaskedExpandload:                    "masked.expandload",
	IntrMaskedCompressstore:                 "masked.compressstore",
	IntrExperimentalVectorCompress:          "experimental.vector.compress",
	IntrVectorCompress:                      "vector.compress",
	IntrExperimentalVectorHistogramAdd:      "experimental.vector.histogram.add",
	IntrExperimentalVectorMatch:             "experimental.vector.match",
	IntrExperimentalCtTZElts:                "experimental.cttz.elts",
	IntrExperimentalVectorExtractLastActive: "experimental.vector.extract.last.active",
	IntrLoopDependenceWarMask:               "loop.dependence.war.mask",
	IntrLoopDependenceRawMask:               "loop.dependence.raw.mask",
	IntrMatrixTranspose:                     "matrix.transpose",
	IntrMatrixMultiply:                      "matrix.multiply",
	IntrMatrixColumnMajorLoad:               "matrix.column.major.load",
	IntrMatrixColumnMajorStore:              "matrix.column.major.store",
	IntrExperimentalVPStridedLoad:           "experimental.vp.strided.load",
	IntrExperimentalVPStridedStore:          "experimental.vp.strided.store",
	IntrVPLoad:                              "vp.load",
	IntrVPStore:                             "vp.store",
	IntrVPGather:                            "vp.gather",
	IntrVPScatter:                           "vp.scatter",
	IntrCoroId:                              "coro.id",
	IntrCoroBegin:                           "coro.begin",
	IntrCoroEnd:                             "coro.end",
	IntrCoroSuspend:                         "coro.suspend",
	IntrCoroFree:                            "coro.free",
	IntrCoroSize:                            "coro.size",
	IntrCoroAlign:                           "coro.align",
	IntrCoroAlloc:                           "coro.alloc",
	IntrCoroResume:                          "coro.resume",
	IntrCoroDestroy:                         "coro.destroy",
	IntrCoroDone:                            "coro.done",
	IntrCoroPromise:                         "coro.promise",
	IntrCoroFrame:                           "coro.frame",
	IntrCoroSave:                            "coro.save",
}

// intrinsicsByName lists the numbers in order of their names.
var intrinsicsByName = [...]Intrinsic{
	IntrAbs,
	IntrAcos,
	IntrAddressOfReturnAddress,
	IntrAdjustTrampoline,
	IntrAllowRuntimeCheck,
	IntrAllowUbsanCheck,
	IntrAnnotation,
	IntrArithmeticFence,
	IntrAsin,
	IntrAssume,
	IntrAtan,
	IntrAtan2,
	IntrBitReverse,
	IntrBSwap,
	IntrCallOnce,
	IntrCallPreallocatedArg,
	IntrCallPreallocatedSetup,
	IntrCallPreallocatedTeardown,
	IntrCanonicalize,
	IntrCeil,
	IntrClearCache,
	IntrClmul,
	IntrCodeviewAnnotation,
	IntrConvertFromFp16,
	IntrConvertToFp16,
	IntrCopySign,
	IntrCoroAlign,
	IntrCoroAlloc,
	IntrCoroBegin,
	IntrCoroDestroy,
	IntrCoroDone,
	IntrCoroEnd,
	IntrCoroFrame,
	IntrCoroFree,
	IntrCoroId,
	IntrCoroPromise,
	IntrCoroResume,
	IntrCoroSave,
	IntrCoroSize,
	IntrCoroSuspend,
	IntrCos,
	IntrCosh,
	IntrCtLZ,
	IntrCtPop,
	IntrCtTZ,
	IntrDbgAssign,
	IntrDbgDeclare,
	IntrDbgDeclareValue,
	IntrDbgLabel,
	IntrDbgValue,
	IntrDebugTrap,
	IntrDoNothing,
	IntrEHDwarfCfa,
	IntrEHExceptioncode,
	IntrEHExceptionpointer,
	IntrEHRecoverfp,
	IntrEHReturnI32,
	IntrEHReturnI64,
	IntrEHSjLjCallsite,
	IntrEHSjLjFunctioncontext,
	IntrEHSjLjLongjmp,
	IntrEHSjLjLsda,
	IntrEHSjLjSetjmp,
	IntrEHSjLjSetupDispatch,
	IntrEHTypeIDFor,
	IntrEHUnwindInit,
	IntrExp,
	IntrExp10,
	IntrExp2,
	IntrExpect,
	IntrExpectWithProbability,
	IntrExperimentalConstrainedAcos,
	IntrExperimentalConstrainedAsin,
	IntrExperimentalConstrainedAtan,
	IntrExperimentalConstrainedAtan2,
	IntrExperimentalConstrainedCeil,
	IntrExperimentalConstrainedCos,
	IntrExperimentalConstrainedCosh,
	IntrExperimentalConstrainedExp,
	IntrExperimentalConstrainedExp2,
	IntrExperimentalConstrainedFAdd,
	IntrExperimentalConstrainedFCmp,
	IntrExperimentalConstrainedFCmpS,
	IntrExperimentalConstrainedFDiv,
	IntrExperimentalConstrainedFloor,
	IntrExperimentalConstrainedFMA,
	IntrExperimentalConstrainedFMul,
	IntrExperimentalConstrainedFMulAdd,
	IntrExperimentalConstrainedFPExt,
	IntrExperimentalConstrainedFPToSI,
	IntrExperimentalConstrainedFPToUI,
	IntrExperimentalConstrainedFPTrunc,
	IntrExperimentalConstrainedFRem,
	IntrExperimentalConstrainedFSub,
	IntrExperimentalConstrainedLdExp,
	IntrExperimentalConstrainedLLRint,
	IntrExperimentalConstrainedLLRound,
	IntrExperimentalConstrainedLog,
	IntrExperimentalConstrainedLog10,
	IntrExperimentalConstrainedLog2,
	IntrExperimentalConstrainedLRint,
	IntrExperimentalConstrainedLRound,
	IntrExperimentalConstrainedMaximum,
	IntrExperimentalConstrainedMaxNum,
	IntrExperimentalConstrainedMinimum,
	IntrExperimentalConstrainedMinNum,
	IntrExperimentalConstrainedNearbyInt,
	IntrExperimentalConstrainedPow,
	IntrExperimentalConstrainedPowi,
	IntrExperimentalConstrainedRint,
	IntrExperimentalConstrainedRound,
	IntrExperimentalConstrainedRoundEven,
	IntrExperimentalConstrainedSin,
	IntrExperimentalConstrainedSinh,
	IntrExperimentalConstrainedSIToFP,
	IntrExperimentalConstrainedSqrt,
	IntrExperimentalConstrainedTan,
	IntrExperimentalConstrainedTanh,
	IntrExperimentalConstrainedTrunc,
	IntrExperimentalConstrainedUIToFP,
	IntrExperimentalConvergenceAnchor,
	IntrExperimentalConvergenceEntry,
	IntrExperimentalConvergenceLoop,
	IntrExperimentalCtTZElts,
	IntrExperimentalDeoptimize,
	IntrExperimentalGCRelocate,
	IntrExperimentalGCResult,
	IntrExperimentalGCStatepoint,
	IntrExperimentalGetVectorLength,
	IntrExperimentalGuard,
	IntrExperimentalMemSetPattern,
	IntrExperimentalNoAliasScopeDecl,
	IntrExperimentalPatchpoint,
	IntrExperimentalPatchpointVoid,
	IntrExperimentalStackmap,
	IntrExperimentalVectorCompress,
	IntrExperimentalVectorExtractLastActive,
	IntrExperimentalVectorHistogramAdd,
	IntrExperimentalVectorMatch,
	IntrExperimentalVPStridedLoad,
	IntrExperimentalVPStridedStore,
	IntrExperimentalWidenableCondition,
	IntrFAbs,
	IntrFakeUse,
	IntrFloor,
	IntrFMA,
	IntrFMulAdd,
	IntrFPToSISat,
	IntrFPToUISat,
	IntrFPTruncRound,
	IntrFrameAddress,
	IntrFrExp,
	IntrFShl,
	IntrFShr,
	IntrGcread,
	IntrGcroot,
	IntrGcwrite,
	IntrGetActiveLaneMask,
	IntrGetDynamicAreaOffset,
	IntrGetFPEnv,
	IntrGetFPMode,
	IntrGetRounding,
	IntrGetVectorLength,
	IntrIcallBranchFunnel,
	IntrInitTrampoline,
	IntrInstrprofCover,
	IntrInstrprofIncrement,
	IntrInstrprofIncrementStep,
	IntrInstrprofMcdcParameters,
	IntrInstrprofMcdcTvbitmapUpdate,
	IntrInstrprofTimestamp,
	IntrInstrprofValueProfile,
	IntrInvariantEnd,
	IntrInvariantStart,
	IntrIsConstant,
	IntrIsFPClass,
	IntrLaunderInvariantGroup,
	IntrLdExp,
	IntrLifetimeEnd,
	IntrLifetimeStart,
	IntrLLRint,
	IntrLLRound,
	IntrLoadRelative,
	IntrLocalescape,
	IntrLocalrecover,
	IntrLog,
	IntrLog10,
	IntrLog2,
	IntrLoopDecrement,
	IntrLoopDecrementReg,
	IntrLoopDependenceRawMask,
	IntrLoopDependenceWarMask,
	IntrLRint,
	IntrLRound,
	IntrMaskedCompressstore,
	IntrMaskedExpandload,
	IntrMaskedGather,
	IntrMaskedLoad,
	IntrMaskedScatter,
	IntrMaskedStore,
	IntrMatrixColumnMajorLoad,
	IntrMatrixColumnMajorStore,
	IntrMatrixMultiply,
	IntrMatrixTranspose,
	IntrMaximum,
	IntrMaximumNum,
	IntrMaxNum,
	IntrMemCpy,
	IntrMemCpyElementUnorderedAtomic,
	IntrMemCpyInline,
	IntrMemMove,
	IntrMemMoveElementUnorderedAtomic,
	IntrMemSet,
	IntrMemSetElementUnorderedAtomic,
	IntrMemSetInline,
	IntrMemSetPattern,
	IntrMinimum,
	IntrMinimumNum,
	IntrMinNum,
	IntrModf,
	IntrNearbyInt,
	IntrObjectSize,
	IntrPatchpoint,
	IntrPatchpointI64,
	IntrPatchpointVoid,
	IntrPow,
	IntrPowi,
	IntrPrefetch,
	IntrProtectedFieldPtr,
	IntrPseudoProbe,
	IntrPtrAnnotation,
	IntrPtrauthAuth,
	IntrPtrauthBlend,
	IntrPtrauthResign,
	IntrPtrauthSign,
	IntrPtrauthSignGeneric,
	IntrPtrauthStrip,
	IntrPtrMask,
	IntrPublicTypeTest,
	IntrReadRegister,
	IntrReadVolatileRegister,
	IntrReadCycleCounter,
	IntrReadsteadycounter,
	IntrResetFPEnv,
	IntrResetFPMode,
	IntrReturnAddress,
	IntrRint,
	IntrRound,
	IntrRoundEven,
	IntrSAddSat,
	IntrSAddWithOverflow,
	IntrSCmp,
	IntrSDivFix,
	IntrSDivFixSat,
	IntrSehScopeBegin,
	IntrSehScopeEnd,
	IntrSehTryBegin,
	IntrSehTryEnd,
	IntrSetFPEnv,
	IntrSetFPMode,
	IntrSetLoopIterations,
	IntrSetRounding,
	IntrSideEffect,
	IntrSin,
	IntrSinCos,
	IntrSinCosPi,
	IntrSinh,
	IntrSMax,
	IntrSMin,
	IntrSMulFix,
	IntrSMulFixSat,
	IntrSMulWithOverflow,
	IntrSPOnEntry,
	IntrSqrt,
	IntrSsaCopy,
	IntrSShlSat,
	IntrSSubSat,
	IntrSSubWithOverflow,
	IntrStackGuard,
	IntrStackmap,
	IntrStackProtector,
	IntrStackRestore,
	IntrStackSave,
	IntrStartLoopIterations,
	IntrStepVector,
	IntrStripInvariantGroup,
	IntrTan,
	IntrTanh,
	IntrTestSetLoopIterations,
	IntrTestStartLoopIterations,
	IntrThreadPointer,
	IntrThreadLocalAddress,
	IntrTrap,
	IntrTrunc,
	IntrTypeCheckedLoad,
	IntrTypeCheckedLoadRelative,
	IntrTypeTest,
	IntrUAddSat,
	IntrUAddWithOverflow,
	IntrUBSanTrap,
	IntrUCmp,
	IntrUDivFix,
	IntrUDivFixSat,
	IntrUMax,
	IntrUMin,
	IntrUMulFix,
	IntrUMulFixSat,
	IntrUMulWithOverflow,
	IntrUShlSat,
	IntrUSubSat,
	IntrUSubWithOverflow,
	IntrVACopy,
	IntrVAEnd,
	IntrVAStart,
	IntrVarAnnotation,
	IntrVectorCompress,
	IntrVectorDeinterleave2,
	IntrVectorDeinterleave3,
	IntrVectorDeinterleave4,
	IntrVectorDeinterleave5,
	IntrVectorDeinterleave6,
	IntrVectorDeinterleave7,
	IntrVectorDeinterleave8,
	IntrVectorExtract,
	IntrVectorInsert,
	IntrVectorInterleave2,
	IntrVectorInterleave3,
	IntrVectorInterleave4,
	IntrVectorInterleave5,
	IntrVectorInterleave6,
	IntrVectorInterleave7,
	IntrVectorInterleave8,
	IntrVectorPartialReduceAdd,
	IntrVectorPartialReduceFAdd,
	IntrVectorReduceAdd,
	IntrVectorReduceAnd,
	IntrVectorReduceFAdd,
	IntrVectorReduceFMax,
	IntrVectorReduceFmaximum,
	IntrVectorReduceFMin,
	IntrVectorReduceFminimum,
	IntrVectorReduceFMul,
	IntrVectorReduceMul,
	IntrVectorReduceOr,
	IntrVectorReduceSMax,
	IntrVectorReduceSMin,
	IntrVectorReduceUMax,
	IntrVectorReduceUMin,
	IntrVectorReduceXor,
	IntrVectorReverse,
	IntrVectorSplice,
	IntrVectorSpliceLeft,
	IntrVectorSpliceRight,
	IntrVPGather,
	IntrVPLoad,
	IntrVPScatter,
	IntrVPStore,
	IntrVScale,
	IntrWriteRegister,
}
