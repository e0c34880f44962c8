package irpass

import "github.com/mirin-go/mirin/ir"

// numbers are the intrinsics that are BPF's alone.
type numbers struct {
	passthrough, compare, gepLoad, gepStore, fieldInfo, typeInfo, enumValue, typeID ir.Intrinsic
}

func numbersOf() numbers {
	return numbers{
		passthrough: ir.LookupIntrinsic("llvm.bpf.passthrough"), compare: ir.LookupIntrinsic("llvm.bpf.compare"),
		gepLoad: ir.LookupIntrinsic("llvm.bpf.getelementptr.and.load"), gepStore: ir.LookupIntrinsic("llvm.bpf.getelementptr.and.store"),
		fieldInfo: ir.LookupIntrinsic("llvm.bpf.preserve.field.info"), typeInfo: ir.LookupIntrinsic("llvm.bpf.preserve.type.info"),
		enumValue: ir.LookupIntrinsic("llvm.bpf.preserve.enum.value"), typeID: ir.LookupIntrinsic("llvm.bpf.btf.type.id"),
	}
}
