//===- BPFRegs.td - registers ----------------------------------------------===//
//
// R0 to R10 of 64 bits and their low halves; R10 is the frame pointer. R11 does not
// exist: it is the stack pointer that passes of all targets want.
//
//===----------------------------------------------------------------------===//

class BPFReg<bits<16> n, string name, list<Register> low = []> : RegisterWithSubRegs<name, low> {
  let Namespace = "BPF";
  let HWEncoding = n;
  let DwarfNumbers = [n];
}
let Namespace = "BPF" in def sub_32 : SubRegIndex<32>;
foreach n = 0...11 in {
  def W#n : BPFReg<n, "w"#n>;
  let SubRegIndices = [sub_32] in def R#n : BPFReg<n, "r"#n, [!cast<Register>("W"#n)]>;
}
def GPR32 : RegisterClass<"BPF", [i32], 64, (add (sequence "W%u", 1, 9), W0, W11, W10)>;
def GPR   : RegisterClass<"BPF", [i64], 64, (add (sequence "R%u", 1, 9), R0, R11, R10)>;
def GPRB : RegisterBank<"GPRB", [GPR]>;
