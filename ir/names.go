package ir

import "strconv"

var opNames = [NumOps]string{
	OpNone: "none", OpArgument: "argument", OpRet: "ret", OpBr: "br", OpSwitch: "switch", OpIndirectBr: "indirectbr", OpInvoke: "invoke",
	OpResume: "resume", OpUnreachable: "unreachable", OpCleanupRet: "cleanupret", OpCatchRet: "catchret", OpCatchSwitch: "catchswitch",
	OpCallBr: "callbr", OpFNeg: "fneg", OpAdd: "add", OpFAdd: "fadd", OpSub: "sub", OpFSub: "fsub", OpMul: "mul", OpFMul: "fmul",
	OpUDiv: "udiv", OpSDiv: "sdiv", OpFDiv: "fdiv", OpURem: "urem", OpSRem: "srem", OpFRem: "frem", OpShl: "shl", OpLShr: "lshr",
	OpAShr: "ashr", OpAnd: "and", OpOr: "or", OpXor: "xor", OpAlloca: "alloca", OpLoad: "load", OpStore: "store",
	OpGEP: "getelementptr", OpFence: "fence", OpCmpXchg: "cmpxchg", OpAtomicRMW: "atomicrmw", OpTrunc: "trunc", OpZExt: "zext",
	OpSExt: "sext", OpFPToUI: "fptoui", OpFPToSI: "fptosi", OpUIToFP: "uitofp", OpSIToFP: "sitofp", OpFPTrunc: "fptrunc",
	OpFPExt: "fpext", OpPtrToInt: "ptrtoint", OpPtrToAddr: "ptrtoaddr", OpIntToPtr: "inttoptr", OpBitCast: "bitcast",
	OpAddrSpaceCast: "addrspacecast", OpICmp: "icmp", OpFCmp: "fcmp", OpPhi: "phi", OpSelect: "select", OpCall: "call",
	OpVAArg: "va_arg", OpExtractElement: "extractelement", OpInsertElement: "insertelement", OpShuffleVector: "shufflevector",
	OpExtractValue: "extractvalue", OpInsertValue: "insertvalue", OpLandingPad: "landingpad", OpFreeze: "freeze",
	OpCleanupPad: "cleanuppad", OpCatchPad: "catchpad",
}

// String returns LLVM's name of the operation.
func (op Op) String() string {
	if op < NumOps {
		return opNames[op]
	}
	return "op" + strconv.Itoa(int(op))
}

var plainTypes = [numPrimitive]string{
	NoType: "no type", Void: "void", Label: "label", Metadata: "metadata", Token: "token", X86AMX: "x86_amx", Half: "half",
	BFloat: "bfloat", Float: "float", Double: "double", X86FP80: "x86_fp80", FP128: "fp128", PPCFP128: "ppc_fp128", Ptr: "ptr",
}

// Name writes a type for a message; the text form is ir/irtext's.
func (t *Types) Name(ty Type) string { return t.name(ty) }

func (t *Types) name(ty Type) string {
	if ty < numPrimitive && plainTypes[ty] != "" {
		return plainTypes[ty]
	}
	switch n := strconv.FormatUint(t.row(ty).n, 10); t.Kind(ty) {
	case KindInteger:
		return "i" + n
	case KindPointer:
		return "ptr addrspace(" + n + ")"
	case KindArray:
		return "[" + n + " x " + t.name(t.Elem(ty)) + "]"
	case KindVector:
		return "<" + n + " x " + t.name(t.Elem(ty)) + ">"
	case KindScalableVector:
		return "<vscale x " + n + " x " + t.name(t.Elem(ty)) + ">"
	case KindFunction:
		params := t.nameList(t.Subtypes(ty))
		switch {
		case t.IsVarArg(ty) && params != "":
			params += ", ..."
		case t.IsVarArg(ty):
			params = "..."
		}
		return t.name(t.Result(ty)) + " (" + params + ")"
	case KindStruct:
		if s := t.StructName(ty); s != "" {
			return "%" + s
		}
		return "{ " + t.nameList(t.Subtypes(ty)) + " }"
	}
	return "target type"
}

func (t *Types) nameList(ts []Type) string {
	s := ""
	for i, x := range ts {
		if i > 0 {
			s += ", "
		}
		s += t.name(x)
	}
	return s
}
