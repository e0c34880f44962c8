//===- BPF.td - the eBPF target --------------------------------------------===//
//
// The instruction set is that of RFC 9669 and the kernel's Documentation/bpf;
// names are LLVM's. `go generate` makes the tables of package tab of this file;
// the Go functions that it names are in isel.go and package mctargetdesc.
//
//===----------------------------------------------------------------------===//

include "mirin/Target.td"
include "mirin/MC.td"
include "mirin/Sequence.td"
include "mirin/CallingConv.td"

include "BPFRegs.td"
include "BPFInstr.td"
include "BPFCallingConv.td"

def alu32   : SubtargetFeature<"alu32", "HasAlu32", "true", "Enable ALU32 instructions">;
def dummy : SubtargetFeature<"dummy", "isDummyMode", "true", "unused feature">;
def misaligned : SubtargetFeature<"allows-misaligned-mem-access", "AllowsMisalignedMemAccess", "true", "Allows misaligned memory access">;
def dwarfris : SubtargetFeature<"dwarfris", "UseDwarfRIS", "true", "Disable MCAsmInfo DwarfUsesRelocationsAcrossSections">;
foreach n = ["generic", "v1", "v2", "v3", "v4", "probe"] in def : Processor<n, NoItineraries, []>;

def BPFInstrInfo : InstrInfo;
def BPF : Target { let InstructionSet = BPFInstrInfo; }
def BPFLayout : TargetLayout {
  let Triple = "bpfel";
  let DataLayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128";
  let StackAlignment = 8;
  let StackPointer = R11;
  let ReservedRegs = [R10, R11];
  let CalleeSaved = "CSR";
  let FrameSetup = ADJCALLSTACKDOWN;
  let FrameDestroy = ADJCALLSTACKUP;
}
include "BPFSelect.td"
