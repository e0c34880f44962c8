// Intrinsics in patterns, with the names and the meaning of llvm/IR/Intrinsics.td:
//   def int_x86_rdtsc : Intrinsic<[llvm_i64_ty], [], [IntrHasSideEffects]>;
// is llvm.x86.rdtsc.

#ifndef MIRIN_INTRINSICS_TD
#define MIRIN_INTRINSICS_TD

class IntrinsicProperty;
foreach p = ["IntrNoMem", "IntrReadMem", "IntrWriteMem", "IntrArgMemOnly", "IntrInaccessibleMemOnly", "IntrInaccessibleMemOrArgMemOnly",
             "IntrHasSideEffects", "IntrConvergent", "Commutative"] in def ""#p : IntrinsicProperty;

class LLVMType<ValueType vt> { ValueType VT = vt; }
foreach t = ["i1", "i8", "i16", "i32", "i64"] in def llvm_#t#"_ty" : LLVMType<!cast<ValueType>(t)>;
def llvm_float_ty : LLVMType<f32>;
def llvm_double_ty : LLVMType<f64>;
def llvm_ptr_ty : LLVMType<iPTR>;

class TypeInfoOf<list<LLVMType> types> { list<LLVMType> Types = types; }
class Intrinsic<list<LLVMType> ret_types, list<LLVMType> param_types = [], list<IntrinsicProperty> intr_properties = [], string name = "",
                list<SDNodeProperty> sd_properties = []> : SDPatternOperator {
  string LLVMName = name;
  string TargetPrefix = "";
  list<LLVMType> RetTypes = ret_types;
  list<LLVMType> ParamTypes = param_types;
  list<IntrinsicProperty> IntrProperties = intr_properties;
  let Properties = sd_properties;
  TypeInfoOf TypeInfo = TypeInfoOf<!listconcat(ret_types, param_types)>;
}

#endif
