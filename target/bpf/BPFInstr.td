//===- BPFInstr.td - instructions ------------------------------------------===//
//
// RFC 9669, sections 3 to 5. An instruction has 8 bytes: the opcode, two registers,
// an offset of 16 bits and a number of 32. Here they stand as on a machine with the low
// byte first; on others numbers, and the two registers in their byte, are turned round
// (mctargetdesc).
//
//===----------------------------------------------------------------------===//

//===- Operands ------------------------------------------------------------===//
// Their functions are in mctargetdesc: symbols in instructions have fixups of their own.

class Parsed<string name, string method = ""> : AsmOperandClass { let Name = name; let ParserMethod = method; let RenderMethod = "addOperands"; }
def MemClass : Parsed<"MEMri", "parseMem">;
def PlaceClass : Parsed<"brtarget", "parsePlace">;
def CallClass : Parsed<"calltarget", "parseCall">;
def WideClass : Parsed<"wide", "parseWide">;

let PrintMethod = "printImm", OperandType = "OPERAND_IMMEDIATE" in {
// Numbers of 32 bits, with a sign or not.
def num32 : Operand<i32>, ImmFormat<32, 1> { let ImmEither = 1; }
def num64 : Operand<i64>, ImmFormat<32, 1> { let ImmEither = 1; }
// What stands for 64-bit numbers of an LDDW and what LD_pseudo says it is.
def wide : Operand<i64> { let EncoderMethod = "encodeWide"; let ParserMatchClass = WideClass; let PrintMethod = "printWide"; let OperandType = "OPERAND_UNKNOWN"; }
def pseudonum : Operand<i64>, ImmFormat<4> { let PrintMethod = "printWide"; }
def space16 : Operand<i64>, ImmFormat<16>;
}
// Places in the code, counted in instructions from the one behind.
def brtarget   : Operand<OtherVT>, ImmFormat<16, 1> { let EncoderMethod = "encodePlace"; let PrintMethod = "printPlace"; let ParserMatchClass = PlaceClass; }
def brtarget32 : Operand<OtherVT>, ImmFormat<32, 1> { let EncoderMethod = "encodePlace"; let PrintMethod = "printPlace"; let ParserMatchClass = PlaceClass; }
def calltarget : Operand<i64>, ImmFormat<32, 1> { let EncoderMethod = "encodeCall"; let ParserMatchClass = CallClass; let PrintMethod = "printCall"; }
def off16 : Operand<i16>, ImmFormat<16, 1>;
def MEMri : Operand<i64> {
  let MIOperandInfo = (ops GPR:$base, off16:$off);
  let PrintMethod = "printMem";
  let ParserMatchClass = MemClass;
}
// The number of a CO-RE access; it never reaches an object.
def u64any : Operand<i64>;

//===- Formats -------------------------------------------------------------===//

class BPFInst<bits<8> opcode, dag outs, dag ins, string asm> : Instruction {
  let Namespace = "BPF";
  let Size = 8;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let DecoderNamespace = "BPF";
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
  field bits<64> Inst;
  field bits<64> SoftFail = 0;
  let Inst{7-0} = opcode; // what is not used of the rest is 0, and nobody looks at it
}

// Classes of instructions, and where the second operand is.
defvar LD = 0; defvar LDX = 1; defvar ST = 2; defvar STX = 3; defvar ALU32 = 4; defvar JMP64 = 5; defvar JMP32 = 6; defvar ALU64 = 7;
defvar K = 0; defvar X = 1;
class Op<int op, int src, int cl> { bits<8> B = !or(!shl(op, 4), !shl(src, 3), cl); }
// Sizes and modes of memory.
defvar SzW = 0; defvar SzH = 1; defvar SzB = 2; defvar SzD = 3;
class Mem<int mode, int size, int cl> { bits<8> B = !or(!shl(mode, 5), !shl(size, 3), cl); }

//===- Arithmetic ----------------------------------------------------------===//

class Unary<int op, int src, int cl, dag outs, dag ins, string asm> : BPFInst<Op<op, src, cl>.B, outs, ins, asm> {
  bits<4> dst;
  let Inst{11-8} = dst;
}
class ALU<int op, int src, int cl, bits<16> off, dag outs, dag ins, string asm> : Unary<op, src, cl, outs, ins, asm> {
  let Inst{31-16} = off;
}
class ALUrr<int op, int cl, bits<16> off, RegisterClass rc, string sign>
    : ALU<op, X, cl, off, (outs rc:$dst), (ins rc:$src2, rc:$src), "$dst "#sign#" $src"> {
  bits<4> src;
  let Inst{15-12} = src;
  let Constraints = "$dst = $src2";
}
class ALUri<int op, int cl, bits<16> off, RegisterClass rc, Operand num, string sign>
    : ALU<op, K, cl, off, (outs rc:$dst), (ins rc:$src2, num:$imm), "$dst "#sign#" $imm"> {
  bits<32> imm;
  let Inst{63-32} = imm;
  let Constraints = "$dst = $src2";
}
multiclass Arith<int op, string sign, bits<16> off = 0> {
  def _rr    : ALUrr<op, ALU64, off, GPR, sign>;
  def _ri    : ALUri<op, ALU64, off, GPR, num64, sign>;
  def _rr_32 : ALUrr<op, ALU32, off, GPR32, sign>;
  def _ri_32 : ALUri<op, ALU32, off, GPR32, num32, sign>;
}
let isAsCheapAsAMove = 1 in {
  defm ADD : Arith<0, "+=">;
  defm SUB : Arith<1, "-=">;
  defm OR  : Arith<4, "|=">;
  defm AND : Arith<5, "&=">;
  defm SLL : Arith<6, "<<=">;
  defm SRL : Arith<7, ">>=">;
  defm XOR : Arith<10, "^=">;
  defm SRA : Arith<12, "s>>=">;
}
defm MUL : Arith<2, "*=">;
defm DIV : Arith<3, "/=">;
defm MOD : Arith<9, "%=">;
defm SDIV : Arith<3, "s/=", 1>;
defm SMOD : Arith<9, "s%=", 1>;

let isAsCheapAsAMove = 1, Constraints = "$dst = $src" in {
  def NEG_32 : Unary<8, K, ALU32, (outs GPR32:$dst), (ins GPR32:$src), "$dst = -$src">;
  def NEG_64 : Unary<8, K, ALU64, (outs GPR:$dst), (ins GPR:$src), "$dst = -$src">;
}

// Moves; with an offset the low bits of the source and their sign.
class MOVrr<int cl, bits<16> off, RegisterClass to, RegisterClass from, string pre = "">
    : ALU<11, X, cl, off, (outs to:$dst), (ins from:$src), "$dst = "#pre#"$src"> {
  bits<4> src;
  let Inst{15-12} = src;
}
class MOVri<int cl, RegisterClass rc, Operand num> : ALU<11, K, cl, 0, (outs rc:$dst), (ins num:$imm), "$dst = $imm"> {
  bits<32> imm;
  let Inst{63-32} = imm;
}
let isReMaterializable = 1, isAsCheapAsAMove = 1 in {
  def MOV_ri    : MOVri<ALU64, GPR, num64>;
  def MOV_ri_32 : MOVri<ALU32, GPR32, num32>;
  let hasSideEffects = 1 in {
  def MOV_rr    : MOVrr<ALU64, 0, GPR, GPR>;
  def MOV_rr_32 : MOVrr<ALU32, 0, GPR32, GPR32>;
  }
  def MOVSX_rr_8  : MOVrr<ALU64, 8, GPR, GPR, "(s8)">;
  def MOVSX_rr_16 : MOVrr<ALU64, 16, GPR, GPR, "(s16)">;
  def MOVSX_rr_32 : MOVrr<ALU64, 32, GPR, GPR, "(s32)">;
  def MOVSX_rr_32_8  : MOVrr<ALU32, 8, GPR32, GPR32, "(s8)">;
  def MOVSX_rr_32_16 : MOVrr<ALU32, 16, GPR32, GPR32, "(s16)">;
}
// The same as MOV_rr_32, whose upper half is known.
let isCodeGenOnly = 1 in def MOV_32_64 : MOVrr<ALU32, 0, GPR, GPR32>;

def ADDR_SPACE_CAST : ALU<11, X, ALU64, 1, (outs GPR:$dst), (ins GPR:$src, space16:$dst_as, space16:$src_as),
                          "$dst = addr_space_cast($src, $dst_as, $src_as)"> {
  bits<4> src;
  bits<16> dst_as;
  bits<16> src_as;
  let Inst{15-12} = src;
  let Inst{63-32} = {dst_as, src_as};
}

// The order of bytes: as in memory of a machine with the low byte first, the high one, or turned round.
class Bytes<int src, int cl, int n, string name> : ALU<13, src, cl, 0, (outs GPR:$dst), (ins GPR:$src), "$dst = "#name#n#" $src"> {
  let Inst{63-32} = n;
  let Constraints = "$dst = $src";
}
foreach n = [16, 32, 64] in {
  def LE#n : Bytes<K, ALU32, n, "le">;
  def BE#n : Bytes<X, ALU32, n, "be">;
  def BSWAP#n : Bytes<K, ALU64, n, "bswap">;
}

// 64-bit numbers and addresses have a second slot for the upper half.
class Wide<dag outs, dag ins, string asm> : Instruction {
  let Namespace = "BPF";
  let Size = 16;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let DecoderNamespace = "BPF";
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
  bits<4> dst;
  bits<4> s = 0;
  bits<64> imm;
  field bits<128> Inst;
  field bits<128> SoftFail = 0;
  defvar opcode = Mem<0, SzD, LD>.B;
  let Inst{63-0} = {imm{31-0}, 0b0000000000000000, s, dst, opcode};
  let Inst{95-64} = 0;
  let Inst{127-96} = imm{63-32};
}
let isReMaterializable = 1, isAsCheapAsAMove = 1 in
def LD_imm64 : Wide<(outs GPR:$dst), (ins wide:$imm), "$dst = $imm ll">;
let hasSideEffects = 1, mayStore = 1, mayLoad = 1 in
def LD_pseudo : Wide<(outs GPR:$dst), (ins pseudonum:$pseudo, wide:$imm), "ld_pseudo\t$dst, $pseudo, $imm"> {
  bits<4> pseudo;
  let s = pseudo;
}

//===- Memory --------------------------------------------------------------===//

class Access<bits<8> opcode, dag outs, dag ins, string asm> : BPFInst<opcode, outs, ins, asm> {
  bits<4> base;
  bits<16> off;
  let Inst{31-16} = off;
}
class Load<int mode, int size, RegisterClass rc, string type> : Access<Mem<mode, size, LDX>.B, (outs rc:$dst), (ins (MEMri $base, $off):$addr),
                                                                         "$dst = *("#type#" *)($addr)"> {
  bits<4> dst;
  let Inst{11-8} = dst;
  let Inst{15-12} = base;
  let mayLoad = 1;
}
class Store<int size, RegisterClass rc, string type> : Access<Mem<3, size, STX>.B, (outs), (ins rc:$src, (MEMri $base, $off):$addr), "*("#type#" *)($addr) = $src"> {
  bits<4> src;
  let Inst{11-8} = base;
  let Inst{15-12} = src;
  let mayStore = 1;
}
class StoreImm<int size, string type> : Access<Mem<3, size, ST>.B, (outs), (ins num64:$imm, (MEMri $base, $off):$addr), "*("#type#" *)($addr) = $imm"> {
  bits<32> imm;
  let Inst{11-8} = base;
  let Inst{63-32} = imm;
  let mayStore = 1;
}
// With low halves of registers the loads of these write them.
foreach x = [["W", "32"], ["H", "16"], ["B", "8"]] in {
  defvar size = !cast<int>(!cond(!eq(x[0], "W"): 0, !eq(x[0], "H"): 1, true: 2));
  def LD#x[0] : Load<3, size, GPR, "u"#x[1]>;
  def LD#x[0]#SX : Load<4, size, GPR, "s"#x[1]>;
  def ST#x[0] : Store<size, GPR, "u"#x[1]>;
  def ST#x[0]#_imm : StoreImm<size, "u"#x[1]>;
  let DecoderNamespace = "BPFALU32" in {
    def LD#x[0]#32 : Load<3, size, GPR32, "u"#x[1]>;
    def ST#x[0]#32 : Store<size, GPR32, "u"#x[1]>;
  }
}
def LDD : Load<3, SzD, GPR, "u64">;
def STD : Store<SzD, GPR, "u64">;
def STD_imm : StoreImm<SzD, "u64">;

// Packets of socket filters: in the network's byte order, R6 has the context.
let hasSideEffects = 1, mayLoad = 1, Uses = [R6], Defs = [R0, R1, R2, R3, R4, R5] in
foreach x = [["W", "32"], ["H", "16"], ["B", "8"]] in {
  defvar size = !cast<int>(!cond(!eq(x[0], "W"): 0, !eq(x[0], "H"): 1, true: 2));
  def LD_ABS_#x[0] : BPFInst<Mem<1, size, LD>.B, (outs), (ins num32:$imm), "r0 = *(u"#x[1]#" *)skb[$imm]"> {
    bits<32> imm;
    let Inst{63-32} = imm;
  }
  def LD_IND_#x[0] : BPFInst<Mem<2, size, LD>.B, (outs), (ins GPR:$val), "r0 = *(u"#x[1]#" *)skb[$val]"> {
    bits<4> val;
    let Inst{15-12} = val;
  }
}

//===- Atomics -------------------------------------------------------------===//

let mayLoad = 1, mayStore = 1 in {
// The old value is not read.
class Atomic<int size, int op, RegisterClass rc, string type, string sign>
    : Access<Mem<6, size, STX>.B, (outs rc:$dst), (ins (MEMri $base, $off):$addr, rc:$val), "lock *("#type#" *)($addr) "#sign#" $val"> {
  bits<4> val;
  let Inst{11-8} = base;
  let Inst{15-12} = val;
  let Inst{39-36} = op;
  let Inst{35-32} = 0;
  let Constraints = "$dst = $val";
}
class AtomicFetch<int size, int op, RegisterClass rc, string type, string name>
    : Access<Mem<6, size, STX>.B, (outs rc:$dst), (ins (MEMri $base, $off):$addr, rc:$val), "$dst = atomic_fetch_"#name#"(("#type#" *)($addr), $val)"> {
  bits<4> val;
  let Inst{11-8} = base;
  let Inst{15-12} = val;
  let Inst{39-36} = op;
  let Inst{35-32} = 1;
  let Constraints = "$dst = $val";
}
def XADDW : Atomic<SzW, 0, GPR, "u32", "+="> { let Inst{35-32} = ?; }
foreach x = [["ADD", "+=", "add"], ["AND", "&=", "and"], ["OR", "|=", "or"], ["XOR", "^=", "xor"]] in {
  defvar op = !cond(!eq(x[0], "ADD"): 0, !eq(x[0], "AND"): 5, !eq(x[0], "OR"): 4, true: 10);
  def X#x[0]#D : Atomic<SzD, op, GPR, "u64", x[1]>;
  def X#x[0]#W32 : Atomic<SzW, op, GPR32, "u32", x[1]> { let DecoderNamespace = "BPFALU32"; }
  def XF#x[0]#D : AtomicFetch<SzD, op, GPR, "u64", x[2]>;
  def XF#x[0]#W32 : AtomicFetch<SzW, op, GPR32, "u32", x[2]> { let DecoderNamespace = "BPFALU32"; }
}
class Exchange<int size, RegisterClass rc, string n> : Access<Mem<6, size, STX>.B, (outs rc:$dst), (ins (MEMri $base, $off):$addr, rc:$val), "$dst = xchg"#n#"($addr, $val)"> {
  bits<4> val;
  let Inst{11-8} = base;
  let Inst{15-12} = val;
  let Inst{63-32} = 0xe1;
  let Constraints = "$dst = $val";
}
def XCHGD : Exchange<SzD, GPR, "_64">;
def XCHGW32 : Exchange<SzW, GPR32, "32_32"> { let DecoderNamespace = "BPFALU32"; }
class CompareExchange<int size, RegisterClass rc, string n, string r> : Access<Mem<6, size, STX>.B, (outs), (ins (MEMri $base, $off):$addr, rc:$new), r#" = cmpxchg"#n#"($addr, "#r#", $new)"> {
  bits<4> new;
  let Inst{11-8} = base;
  let Inst{15-12} = new;
  let Inst{63-32} = 0xf1;
}
let Uses = [R0], Defs = [R0] in def CMPXCHGD : CompareExchange<SzD, GPR, "_64", "r0">;
let Uses = [W0], Defs = [W0], DecoderNamespace = "BPFALU32" in def CMPXCHGW32 : CompareExchange<SzW, GPR32, "32_32", "w0">;
}
class LoadAcquire<int size, RegisterClass rc, string type> : Access<Mem<6, size, STX>.B, (outs rc:$dst), (ins (MEMri $base, $off):$addr), "$dst = load_acquire(("#type#" *)($addr))"> {
  bits<4> dst;
  let Inst{11-8} = dst;
  let Inst{15-12} = base;
  let Inst{63-32} = 0x100;
  let mayLoad = 1;
}
class StoreRelease<int size, RegisterClass rc, string type> : Access<Mem<6, size, STX>.B, (outs), (ins rc:$src, (MEMri $base, $off):$addr), "store_release(("#type#" *)($addr), $src)"> {
  bits<4> src;
  let Inst{11-8} = base;
  let Inst{15-12} = src;
  let Inst{63-32} = 0x110;
  let mayStore = 1;
}
def LDDACQ : LoadAcquire<SzD, GPR, "u64">;
def STDREL : StoreRelease<SzD, GPR, "u64">;
let DecoderNamespace = "BPFALU32" in
foreach x = [["W", "32"], ["H", "16"], ["B", "8"]] in {
  defvar size = !cast<int>(!cond(!eq(x[0], "W"): 0, !eq(x[0], "H"): 1, true: 2));
  def LD#x[0]#ACQ32 : LoadAcquire<size, GPR32, "u"#x[1]>;
  def ST#x[0]#REL32 : StoreRelease<size, GPR32, "u"#x[1]>;
}

//===- Jumps ---------------------------------------------------------------===//

let isBranch = 1, isTerminator = 1 in {
class Jrr<int op, int cl, RegisterClass rc, string sign>
    : BPFInst<Op<op, X, cl>.B, (outs), (ins rc:$dst, rc:$src, brtarget:$place), "if $dst "#sign#" $src goto $place"> {
  bits<4> dst;
  bits<4> src;
  bits<16> place;
  let Inst{11-8} = dst;
  let Inst{15-12} = src;
  let Inst{31-16} = place;
}
class Jri<int op, int cl, RegisterClass rc, Operand num, string sign>
    : BPFInst<Op<op, K, cl>.B, (outs), (ins rc:$dst, num:$imm, brtarget:$place), "if $dst "#sign#" $imm goto $place"> {
  bits<4> dst;
  bits<32> imm;
  bits<16> place;
  let Inst{11-8} = dst;
  let Inst{63-32} = imm;
  let Inst{31-16} = place;
}
multiclass Jcc<int op, string sign> {
  def _rr    : Jrr<op, JMP64, GPR, sign>;
  def _ri    : Jri<op, JMP64, GPR, num64, sign>;
  def _rr_32 : Jrr<op, JMP32, GPR32, sign>;
  def _ri_32 : Jri<op, JMP32, GPR32, num32, sign>;
}
defm JEQ  : Jcc<1, "==">;
defm JUGT : Jcc<2, ">">;
defm JUGE : Jcc<3, ">=">;
defm JSET : Jcc<4, "&">;
defm JNE  : Jcc<5, "!=">;
defm JSGT : Jcc<6, "s>">;
defm JSGE : Jcc<7, "s>=">;
defm JULT : Jcc<10, "<">;
defm JULE : Jcc<11, "<=">;
defm JSLT : Jcc<12, "s<">;
defm JSLE : Jcc<13, "s<=">;
// Goes on when it has been here often enough.
let hasSideEffects = 1 in
def JCOND : BPFInst<Op<14, K, JMP64>.B, (outs), (ins brtarget:$place), "may_goto $place"> {
  bits<16> place;
  let Inst{31-16} = place;
}
let isBarrier = 1 in {
  def JMP : BPFInst<Op<0, K, JMP64>.B, (outs), (ins brtarget:$place), "goto $place"> {
    bits<16> place;
    let Inst{31-16} = place;
  }
  let hasSideEffects = 1 in
  def JMPL : BPFInst<Op<0, K, JMP32>.B, (outs), (ins brtarget32:$place), "gotol $place"> {
    bits<32> place;
    let Inst{63-32} = place;
  }
  let isIndirectBranch = 1 in
  def JX : BPFInst<Op<0, X, JMP64>.B, (outs), (ins GPR:$dst), "gotox $dst"> {
    bits<4> dst;
    let Inst{11-8} = dst;
  }
}
}
let isCall = 1, Uses = [R11] in {
  def JAL : BPFInst<Op<8, K, JMP64>.B, (outs), (ins calltarget:$place), "call $place"> {
    bits<32> place;
    let Inst{63-32} = place;
  }
  def JALX : BPFInst<Op<8, X, JMP64>.B, (outs), (ins GPR:$dst), "callx $dst"> {
    bits<4> dst;
    let Inst{11-8} = dst;
  }
}
let isReturn = 1, isTerminator = 1, isBarrier = 1, isNotDuplicable = 1 in
def RET : BPFInst<Op<9, K, JMP64>.B, (outs), (ins), "exit"> { let Inst{63-8} = 0; }
let isCodeGenOnly = 1 in
def NOP : BPFInst<Op<0, K, JMP64>.B, (outs), (ins num32:$imm), "nop"> {
  bits<16> imm;
  let Inst{31-16} = imm;
}

//===- What becomes other instructions -------------------------------------===//

class Pseudo<dag outs, dag ins, string asm> : Instruction {
  let Namespace = "BPF";
  let Size = 8;
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
  let isPseudo = 1;
  let isCodeGenOnly = 1;
  let hasSideEffects = 0;
  let mayLoad = 0;
  let mayStore = 0;
}
let Defs = [R11], Uses = [R11] in {
  def ADJCALLSTACKDOWN : Pseudo<(outs), (ins i64imm:$size, i64imm:$zero), "#ADJCALLSTACKDOWN $size $zero">;
  def ADJCALLSTACKUP   : Pseudo<(outs), (ins i64imm:$size, i64imm:$zero), "#ADJCALLSTACKUP $size $zero">;
}
// The address of something in a stack object.
def FI_ri : Pseudo<(outs GPR:$dst), (ins MEMri:$addr), "lea\t$dst, $addr">;
let usesCustomInserter = 1 in {
  let hasSideEffects = 1 in def LDIMM64 : Pseudo<(outs GPR:$dst), (ins i64imm:$imm), "">;
  let mayLoad = 1, mayStore = 1 in
  def MEMCPY : Pseudo<(outs), (ins GPR:$dst, GPR:$src, i64imm:$len, i64imm:$align, variable_ops), "#memcpy dst: $dst, src: $src, len: $len, align: $align">;
  foreach c = [["", "32"], ["", ""], ["32", "32"], ["32", ""]] in {
    defvar cc = !if(!eq(c[0], "32"), GPR32, GPR);
    defvar vc = !if(!eq(c[1], "32"), GPR32, GPR);
    defvar s = !cond(!and(!eq(c[0], ""), !eq(c[1], "")): "", !and(!eq(c[0], "32"), !eq(c[1], "32")): "_32", !eq(c[0], "32"): "_32_64", true: "_64_32");
    def Select#s    : Pseudo<(outs vc:$dst), (ins cc:$lhs, cc:$rhs, i64imm:$imm, vc:$src, vc:$src2), "# Select PSEUDO $dst = $lhs $imm $rhs ? $src : $src2">;
    def Select_Ri#s : Pseudo<(outs vc:$dst), (ins cc:$lhs, i64imm:$rhs, i64imm:$imm, vc:$src, vc:$src2), "# Select PSEUDO $dst = $lhs $imm $rhs ? $src : $src2">;
  }
}
// Accesses whose offsets a loader fills in.
class Core<dag outs, dag ins, string asm> : BPFInst<0, outs, ins, asm> {
  let isCodeGenOnly = 1;
  let hasSideEffects = 1;
}
def CORE_LD64 : Core<(outs GPR:$dst), (ins u64any:$opcode, GPR:$src, u64any:$offset), "$dst = core_ld64($opcode, $src, $offset)">;
def CORE_LD32 : Core<(outs GPR32:$dst), (ins u64any:$opcode, GPR:$src, u64any:$offset), "$dst = core_ld32($opcode, $src, $offset)">;
def CORE_ST : Core<(outs), (ins u64any:$src, u64any:$opcode, GPR:$base, u64any:$offset), "core_st($src, $opcode, $base, $offset)">;
let Constraints = "$dst = $src" in
def CORE_SHIFT : Core<(outs GPR:$dst), (ins u64any:$opcode, GPR:$src, u64any:$offset), "$dst = core_shift($opcode, $src, $offset)">;
