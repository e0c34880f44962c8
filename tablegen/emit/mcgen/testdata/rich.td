// A target with what the generators can do: sub-operands, ties, optional
// operands, variants, aliases with features, special cases, soft failures,
// lengths of 16, 32 and 48 bits.
include "mirin/Target.td"
include "mirin/MC.td"

def Alt : RegAltNameIndex { let Namespace = "Rich"; }
foreach n = 0...15 in def R#n : Register<"r"#n, ["x"#n]> { let HWEncoding = n; let Namespace = "Rich"; let RegAltNameIndices = [Alt]; }
def GPR : RegisterClass<"Rich", [i32], 32, (sequence "R%u", 0, 15)>;
def Low : RegisterClass<"Rich", [i32], 32, (sequence "R%u", 0, 7)>;
def GPRx : RegisterClass<"Rich", [i32], 32, (sequence "R%u", 0, 15), Alt>;

def FeatureMul : SubtargetFeature<"mul", "HasMul", "true", "multiplication">;
def FeatureOld : SubtargetFeature<"old", "IsOld", "true", "the first version">;
def FeatureNew : SubtargetFeature<"new", "IsNew", "true", "the second version">;
def HasMul : Predicate<"HasMul">, AssemblerPredicate<(all_of FeatureMul)>;
def OldOrNew : Predicate<"OldOrNew">, AssemblerPredicate<(any_of FeatureOld, FeatureNew)>;
def NotOld : Predicate<"NotOld">, AssemblerPredicate<(all_of (not FeatureOld))>;

def MemAsm : AsmOperandClass { let Name = "Mem"; let ParserMethod = "parseMem"; let RenderMethod = "addMem"; }
def simm8 : Operand<i32>, ImmFormat<8, 1>;
def uimm4 : Operand<i32>, ImmFormat<4> { let PrintMethod = "printHex"; }
def fix16 : MCFixup<7, 1> { let Base = -4; }
def rel16 : Operand<i32>, ImmFormat<16, 1, 1> { let ImmFixup = fix16; }
def mem : Operand<i32> {
  let MIOperandInfo = (ops GPR:$base, simm8:$off);
  let PrintMethod = "printMem";
  let ParserMatchClass = MemAsm;
}
def VecAsm : AsmOperandClass { let Name = "Flag"; let IsOptional = 1; let ParserMethod = "parseFlag"; let DefaultMethod = "noFlag"; }
def flag : Operand<i32>, ImmFormat<1> { let ParserMatchClass = VecAsm; let PrintMethod = "printFlag"; }
def fancyAsm : AsmOperandClass { let Name = "Even"; let PredicateMethod = "isEven"; let DiagnosticString = "expected an even number"; }
def even4 : Operand<i32>, ImmFormat<4> { let ParserMatchClass = fancyAsm; let EncoderMethod = "halve"; let DecoderMethod = "twice"; }

// An operand of one part.
def one : Operand<i32> { let MIOperandInfo = (ops Low:$r); }

class I<int size, dag outs, dag ins, string asm> : Instruction {
  let Size = size;
  let Namespace = "Rich";
  let OutOperandList = outs;
  let InOperandList = ins;
  let AsmString = asm;
}
class I32<bits<8> op, dag outs, dag ins, string asm> : I<4, outs, ins, asm> {
  field bits<32> Inst;
  field bits<32> SoftFail = 0;
  let Inst{31-24} = op;
  let Inst{1-0} = 0b11;
}
// A field in two parts, out of order.
def ADDI : I32<1, (outs GPR:$rd), (ins GPR:$rs, simm8:$imm), "addi\t$rd, $rs, $imm"> {
  bits<4> rd; bits<4> rs; bits<8> imm;
  let Inst{23-20} = rd; let Inst{19-16} = rs;
  let Inst{15-12} = imm{3-0}; let Inst{11-8} = imm{7-4};
  let Inst{7-2} = 0;
}
// A special case of the next.
def ZERO : I32<2, (outs GPR:$rd), (ins), "zero\t$rd"> { bits<4> rd; let Inst{23-20} = rd; let Inst{19-2} = 0; }
def SETI : I32<2, (outs GPR:$rd), (ins uimm4:$v), "seti\t$rd, $v"> {
  bits<4> rd; bits<4> v;
  let Inst{23-20} = rd; let Inst{19-6} = 0; let Inst{5-2} = v;
}
// Parts of a memory operand in fields of their own.
def LD : I32<3, (outs GPR:$rd), (ins (mem $base, $off):$addr), "ld\t$rd, $addr"> {
  bits<4> rd; bits<4> base; bits<8> off;
  let Inst{23-20} = rd; let Inst{19-16} = base; let Inst{15-8} = off; let Inst{7-2} = 0;
}
// Two addresses, the other operand optional at the end.
def ACC : I32<4, (outs GPR:$rd), (ins GPR:$old, GPR:$rs, flag:$f), "acc\t$rd, $rs$f"> {
  bits<4> rd; bits<4> rs; bits<1> f;
  let Constraints = "$rd = $old";
  let Inst{23-20} = rd; let Inst{19-16} = rs; let Inst{15} = f; let Inst{14-2} = 0;
}
// Both tied operands in the text.
def TWO : I32<9, (outs GPR:$rd), (ins GPR:$old, GPR:$rs), "two\t$rd, $old, $rs"> {
  bits<4> rd; bits<4> rs;
  let Constraints = "$rd = $old";
  let Inst{23-20} = rd; let Inst{19-16} = rs; let Inst{15-2} = 0;
}
let Predicates = [HasMul, OldOrNew] in
def MUL : I32<5, (outs GPR:$rd), (ins GPR:$a, GPR:$b), "mul\t$rd, $a, $b"> {
  bits<4> rd; bits<4> a; bits<4> b;
  let Inst{23-20} = rd; let Inst{19-16} = a; let Inst{15-12} = b; let Inst{11-2} = 0;
  let SoftFail{5-2} = 0b1111;
  let TwoOperandAliasConstraint = "$rd = $a";
}
def EVEN : I32<6, (outs), (ins even4:$n), "even\t$n"> { bits<3> n; let Inst{23-21} = n; let Inst{20-2} = 0; }
def BR : I32<7, (outs), (ins rel16:$to), "br\t$to"> { bits<16> to; let Inst{23-8} = to; let Inst{7-2} = 0; }
// Variants of the syntax.
def MOV : I32<8, (outs GPRx:$rd), (ins Low:$rs), "mov{l}\t{$rs, $rd|$rd, $rs}"> {
  bits<4> rd; bits<3> rs;
  let Inst{23-20} = rd; let Inst{19-17} = rs; let Inst{16-2} = 0;
}
def ONE : I32<10, (outs), (ins (one $x):$y), "one\t$y"> { bits<3> x; let Inst{23-21} = x; let Inst{20-2} = 0; }
// 16 bits.
def INC16 : I<2, (outs Low:$rd), (ins Low:$rs), "inc\t$rd"> {
  field bits<16> Inst; bits<3> rd;
  let Constraints = "$rd = $rs";
  let Inst{15-5} = 9; let Inst{4-2} = rd; let Inst{1-0} = 0b01;
}
// 48 bits, written as a dag. (LLVM has all instructions so or none.)
#ifndef FIXED_LENGTH
def WIDE : I<6, (outs GPR:$rd), (ins i32imm:$v), "wide\t$rd, $v"> {
  dag Inst = (descend (slice "$v", 31, 16), 0b1010, (operand "$rd", 4), (slice "$v", 15, 0), 0b00000010);
}
#endif
def ADDI_zero : InstAlias<"copy\t$rd, $rs", (ADDI GPR:$rd, GPR:$rs, 0)>;
def : InstAlias<"double\t$rd, $rs", (MUL GPR:$rd, GPR:$rs, GPR:$rs)> { let Predicates = [HasMul]; }
def : InstAlias<"li\t$rd, $imm", (ADDI GPR:$rd, R0, simm8:$imm), 0>;
def : InstAlias<"ready", (EVEN 6)>, Requires<[NotOld]>;
def : TokenAlias<";", ",">;
def : MnemonicAlias<"load", "ld">;
def : MnemonicAlias<"jump", "br">, Requires<[NotOld]>;

def RichInfo : InstrInfo;
def W0 : AsmWriter;
def W1 : AsmWriter { let Variant = 1; }
def V0 : AsmParserVariant { let Name = "first"; }
def V1 : AsmParserVariant { let Name = "second"; let Variant = 1; }
def Rich : Target {
  let InstructionSet = RichInfo;
  let AssemblyWriters = [W0, W1];
  let AssemblyParserVariants = [V0, V1];
}
