// What LLVM's targets say in C++ and Mirin's tools ask of a target. One
// definition is enough; it works with llvm/Target/Target.td too.

#ifndef MIRIN_TARGET_LAYOUT_TD
#define MIRIN_TARGET_LAYOUT_TD

class TargetLayout {
  string Triple = "";
  string DataLayout = "";
  int PointerSize = 8;        // bytes
  int StackAlignment = 16;    // bytes
  bit StackGrowsUp = false;
  int LocalAreaOffset = 0;    // bytes from the incoming stack pointer to the first local
  Register StackPointer = ?;
  list<Register> ReservedRegs = [];
  string CalleeSaved = "";         // of a C function: the name of a CalleeSavedRegs definition
  Instruction FrameSetup = ?;      // ADJCALLSTACKDOWN
  Instruction FrameDestroy = ?;    // ADJCALLSTACKUP
  Instruction Return = ?;
}

#endif
