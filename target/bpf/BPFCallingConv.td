//===- BPFCallingConv.td - how BPF functions call --------------------------===//
//
// Five arguments in R1 to R5, the result in R0; R6 to R9 are the callee's to keep,
// R10 is the frame pointer, which nobody writes. W registers are low halves. There
// is no stack for arguments: what has no register is refused by name (calls.go).
//
//===----------------------------------------------------------------------===//



defvar Rs = [R1, R2, R3, R4, R5];
defvar Ws = [W1, W2, W3, W4, W5];

// Without instructions on low halves.
def CC_BPF64 : CallingConv<[
  CCIfType<[i8, i16, i32], CCPromoteToType<i64>>,
  CCIfType<[i64], CCAssignToReg<Rs>>,
  CCAssignToStack<8, 8>]>;
def RetCC_BPF64 : CallingConv<[CCIfType<[i64], CCAssignToReg<[R0]>>]>;

// With them (alu32).
def CC_BPF32 : CallingConv<[
  CCIfType<[i32], CCAssignToRegWithShadow<Ws, Rs>>,
  CCIfType<[i64], CCAssignToRegWithShadow<Rs, Ws>>,
  CCAssignToStack<8, 8>]>;
def RetCC_BPF32 : CallingConv<[
  CCIfType<[i32], CCAssignToRegWithShadow<[W0], [R0]>>,
  CCIfType<[i64], CCAssignToRegWithShadow<[R0], [W0]>>]>;

def CSR : CalleeSavedRegs<(add R6, R7, R8, R9, R10)>;
