//===- BPF.td - the eBPF target --------------------------------------------===//
//
// The instruction set is that of RFC 9669 and the kernel's Documentation/bpf;
// names are LLVM's. `go generate` makes the tables of package tab of this file;
// the Go functions that it names are in isel.go.
//
//===----------------------------------------------------------------------===//

include "mirin/Target.td"
include "mirin/Sequence.td"

def BPFInstrInfo : InstrInfo;
def BPF : Target { let InstructionSet = BPFInstrInfo; }
include "BPFSelect.td"
