//===- X86Int.td - integer arithmetic, shifts, extensions -----------------===//

// 16 bits are the low half of 32-bit arithmetic: a prefix shorter, and an
// immediate operand of 16 bits stalls the decoders.
class Low16<dag wide> { dag Res = (EXTRACT_SUBREG wide, sub_16bit); }
defvar WideA16 = (INSERT_SUBREG (IMPLICIT_DEF), $a, sub_16bit);
defvar WideB16 = (INSERT_SUBREG (IMPLICIT_DEF), $b, sub_16bit);

// An operation with forms rr, rm, ri, and mr and mi that change memory. A load
// is no operand where the other one is a constant: that is an immediate operand.
multiclass Arith<SDNode op, string name> {
  def _rm : PatFrag<(ops node:$a, node:$b), (op node:$a, node:$b), "noImmediate">;
  defvar rm = !cast<PatFrag>(NAME#"_rm");
  def : Pat<(op GR16:$a, GR16:$b), Low16<(!cast<Instruction>(name#"32rr") WideA16, WideB16)>.Res>;
  def : Pat<(op GR16:$a, (i16 imm:$b)), Low16<(!cast<Instruction>(name#"32ri") WideA16, $b)>.Res>;
  def : Pat<(rm GR16:$a, (i16 (load0 addr:$p))), (!cast<Instruction>(name#"16rm") $a, addr:$p)>;
  foreach t = [I8, I32, I64] in {
    def : Pat<(op t.RC:$a, t.RC:$b), (!cast<Instruction>(name#t.S#"rr") $a, $b)>;
    def : Pat<(rm t.RC:$a, (load0 addr:$p)), (!cast<Instruction>(name#t.S#"rm") $a, addr:$p)>;
    def : Pat<(op t.RC:$a, t.Imm:$b), (!cast<Instruction>(name#t.RI) $a, $b)>;
  }
  foreach t = IntTypes in {
    def : Pat<(store0 (op (load0 addr:$p), t.RC:$b), addr:$p),
              (!cast<Instruction>(name#t.S#"mr") addr:$p, $b)>;
    def : Pat<(store0 (op (t.VT (load0 addr:$p)), t.Imm:$b), addr:$p),
              (!cast<Instruction>(name#t.MI) addr:$p, $b)>;
  }
}
defm add_arith : Arith<add, "ADD">;
defm sub_arith : Arith<sub, "SUB">;
defm and_arith : Arith<and, "AND">;
defm or_arith : Arith<or, "OR">;
defm xor_arith : Arith<xor, "XOR">;

// What has no bits in common is added: an addition may become a LEA.
def or_disjoint : PatFrag<(ops node:$a, node:$b), (or node:$a, node:$b), "isDisjoint">;
let AddedComplexity = 1 in
foreach t = [I32, I64] in {
  def : Pat<(or_disjoint t.RC:$a, t.RC:$b), (!cast<Instruction>("ADD"#t.S#"rr_DB") $a, $b)>;
  def : Pat<(or_disjoint t.RC:$a, t.Imm:$b), (!cast<Instruction>("ADD"#t.RI#"_DB") $a, $b)>;
}

def : Pat<(ineg GR16:$a), Low16<(NEG32r WideA16)>.Res>;
def : Pat<(not GR16:$a), Low16<(NOT32r WideA16)>.Res>;
let Predicates = [UseIncDec] in {
  def : Pat<(add GR16:$a, 1), Low16<(INC32r WideA16)>.Res>;
  def : Pat<(add GR16:$a, -1), Low16<(DEC32r WideA16)>.Res>;
  def : Pat<(sub GR16:$a, 1), Low16<(DEC32r WideA16)>.Res>;
}
foreach t = IntTypes in {
  if !ne(t.Bits, 16) then {
  def : Pat<(ineg t.RC:$a), (!cast<Instruction>("NEG"#t.S#"r") $a)>;
  def : Pat<(not t.RC:$a), (!cast<Instruction>("NOT"#t.S#"r") $a)>;
  let Predicates = [UseIncDec] in {
    def : Pat<(add t.RC:$a, 1), (!cast<Instruction>("INC"#t.S#"r") $a)>;
    def : Pat<(add t.RC:$a, -1), (!cast<Instruction>("DEC"#t.S#"r") $a)>;
    def : Pat<(sub t.RC:$a, 1), (!cast<Instruction>("DEC"#t.S#"r") $a)>;
  }
  }
  def : Pat<(store0 (ineg (t.VT (load0 addr:$p))), addr:$p), (!cast<Instruction>("NEG"#t.S#"m") addr:$p)>;
  def : Pat<(store0 (not (t.VT (load0 addr:$p))), addr:$p), (!cast<Instruction>("NOT"#t.S#"m") addr:$p)>;
  let Predicates = [UseIncDec] in {
    def : Pat<(store0 (add (t.VT (load0 addr:$p)), 1), addr:$p), (!cast<Instruction>("INC"#t.S#"m") addr:$p)>;
    def : Pat<(store0 (add (t.VT (load0 addr:$p)), -1), addr:$p), (!cast<Instruction>("DEC"#t.S#"m") addr:$p)>;
  }
}
// 128 does not fit a signed byte, -128 does.
foreach t = [I32, I64] in {
  def : Pat<(add t.RC:$a, 128), (!cast<Instruction>("SUB"#t.RI) $a, -128)>;
  def : Pat<(sub t.RC:$a, 128), (!cast<Instruction>("ADD"#t.RI) $a, -128)>;
}
// Masks with the upper half zero need no 64-bit immediate, and no 64-bit instruction.
let AddedComplexity = 1 in
def : Pat<(and GR64:$a, i64immZExt32:$b),
          (SUBREG_TO_REG (i64 0), (AND32ri (EXTRACT_SUBREG $a, sub_32bit), $b), sub_32bit)>;
let AddedComplexity = 2 in {
def : Pat<(and GR64:$a, 4294967295),
          (SUBREG_TO_REG (i64 0), (MOV32rr (EXTRACT_SUBREG $a, sub_32bit)), sub_32bit)>;
def : Pat<(and GR64:$a, 255),
          (SUBREG_TO_REG (i64 0), (MOVZX32rr8 (EXTRACT_SUBREG $a, sub_8bit)), sub_32bit)>;
def : Pat<(and GR64:$a, 65535),
          (SUBREG_TO_REG (i64 0), (MOVZX32rr16 (EXTRACT_SUBREG $a, sub_16bit)), sub_32bit)>;
}
def : Pat<(and GR32:$a, 255), (MOVZX32rr8 (EXTRACT_SUBREG $a, sub_8bit))>;
def : Pat<(and GR32:$a, 65535), (MOVZX32rr16 (EXTRACT_SUBREG $a, sub_16bit))>;

// Single bits, where the mask needs a 64-bit immediate.
def oneBit64 : ImmLeaf<i64, "isBitOver31">;
def zeroBit64 : ImmLeaf<i64, "isClearBitOver31">;
def bitNumber : SDNodeXForm<imm, "bitNumber">;
def clearBitNumber : SDNodeXForm<imm, "clearBitNumber">;
foreach x = [bitNumber, clearBitNumber] in def : GIRenderer<x>;
def : Pat<(or GR64:$a, oneBit64:$b), (BTS64ri8 $a, (bitNumber $b))>;
def : Pat<(xor GR64:$a, oneBit64:$b), (BTC64ri8 $a, (bitNumber $b))>;
def : Pat<(and GR64:$a, zeroBit64:$b), (BTR64ri8 $a, (clearBitNumber $b))>;

// A bit by number; the upper bits of the number do not count.
defvar BitNumber = (INSERT_SUBREG (IMPLICIT_DEF), $n, sub_8bit);
let AddedComplexity = 4 in
foreach t = [I32, I64] in {
  defvar one = (shl (t.VT 1), GR8:$n);
  def : Pat<(or t.RC:$a, one), (!cast<Instruction>("BTS"#t.S#"rr") $a, BitNumber)>;
  def : Pat<(xor t.RC:$a, one), (!cast<Instruction>("BTC"#t.S#"rr") $a, BitNumber)>;
  def : Pat<(and t.RC:$a, (not one)), (!cast<Instruction>("BTR"#t.S#"rr") $a, BitNumber)>;
  def : Pat<(and t.RC:$a, (rotl (t.VT -2), GR8:$n)), (!cast<Instruction>("BTR"#t.S#"rr") $a, BitNumber)>;
}

// What is not negative when its sign is changed was negative, and the other way round.
foreach t = WideTypes in
  def : Pat<(abs t.RC:$a), (Seq (!cast<Instruction>("NEG"#t.S#"r") $a):$n, (!cast<Instruction>("CMOV"#t.S#"rr") $n, $a, COND_S))>;

//===- Multiplication and division ----------------------------------------===//

foreach t = WideTypes in {
  defvar RRI = t.S#"rri"#!if(!eq(t.Bits, 64), "32", "");
  defvar RMI = t.S#"rmi"#!if(!eq(t.Bits, 64), "32", "");
  if !eq(t.Bits, 16) then {
  def : Pat<(mul GR16:$a, GR16:$b), Low16<(IMUL32rr WideA16, WideB16)>.Res>;
  def : Pat<(mul GR16:$a, (i16 imm:$b)), Low16<(IMUL32rri WideA16, $b)>.Res>;
  } else {
  def : Pat<(mul t.RC:$a, t.RC:$b), (!cast<Instruction>("IMUL"#t.S#"rr") $a, $b)>;
  def : Pat<(mul t.RC:$a, t.Imm:$b), (!cast<Instruction>("IMUL"#RRI) $a, $b)>;
  }
  def : Pat<(mul t.RC:$a, (load0 addr:$p)), (!cast<Instruction>("IMUL"#t.S#"rm") $a, addr:$p)>;
  def : Pat<(mul (t.VT (load0 addr:$p)), t.Imm:$b), (!cast<Instruction>("IMUL"#RMI) addr:$p, $b)>;

  def : Pat<(mulhu t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (!cast<Instruction>("MUL"#t.S#"r") $b), (get t.D))>;
  def : Pat<(mulhs t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (!cast<Instruction>("IMUL"#t.S#"r") $b), (get t.D))>;

  defvar EXT = !cast<Instruction>(!cond(!eq(t.Bits, 16): "CWD", !eq(t.Bits, 32): "CDQ", true: "CQO"));
  defvar IDIV = !cast<Instruction>("IDIV"#t.S#"r");
  defvar DIV = !cast<Instruction>("DIV"#t.S#"r");
  def : Pat<(sdiv t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (EXT), (IDIV $b), (get t.A))>;
  def : Pat<(srem t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (EXT), (IDIV $b), (get t.D))>;
  def : Pat<(sdivrem t.RC:$a, t.RC:$b),
            (Seq (set t.A, $a), (EXT), (IDIV $b), (get t.A):$q, (get t.D):$r, (results $q, $r))>;
  defvar ZERO = !cond(!eq(t.Bits, 16): (EXTRACT_SUBREG (MOV32r0), sub_16bit), !eq(t.Bits, 32): (MOV32r0),
                      true: (SUBREG_TO_REG (i64 0), (MOV32r0), sub_32bit));
  def : Pat<(udiv t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (set t.D, ZERO), (DIV $b), (get t.A))>;
  def : Pat<(urem t.RC:$a, t.RC:$b), (Seq (set t.A, $a), (set t.D, ZERO), (DIV $b), (get t.D))>;
  def : Pat<(udivrem t.RC:$a, t.RC:$b),
            (Seq (set t.A, $a), (set t.D, ZERO), (DIV $b), (get t.A):$q, (get t.D):$r, (results $q, $r))>;
}
def : Pat<(mul GR8:$a, GR8:$b), (Seq (set AL, $a), (MUL8r $b), (get AL))>;
// The byte forms have the high half in AH, which no REX instruction can name.
defvar AHighByte = (EXTRACT_SUBREG (SHR16ri (get AX), 8), sub_8bit);
def : Pat<(mulhu GR8:$a, GR8:$b), (Seq (set AL, $a), (MUL8r $b), AHighByte)>;
def : Pat<(mulhs GR8:$a, GR8:$b), (Seq (set AL, $a), (IMUL8r $b), AHighByte)>;
defvar SExtA = (set AX, (EXTRACT_SUBREG (MOVSX32rr8 $a), sub_16bit));
defvar ZExtA = (set AX, (EXTRACT_SUBREG (MOVZX32rr8 $a), sub_16bit));
def : Pat<(sdiv GR8:$a, GR8:$b), (Seq SExtA, (IDIV8r $b), (get AL))>;
def : Pat<(udiv GR8:$a, GR8:$b), (Seq ZExtA, (DIV8r $b), (get AL))>;
def : Pat<(srem GR8:$a, GR8:$b), (Seq SExtA, (IDIV8r $b), AHighByte)>;
def : Pat<(urem GR8:$a, GR8:$b), (Seq ZExtA, (DIV8r $b), AHighByte)>;

//===- Shifts and rotations -----------------------------------------------===//

multiclass Shift<SDNode op, string name> {
  foreach t = IntTypes in {
    def : Pat<(op t.RC:$a, GR8:$c), (Seq (set CL, $c), (!cast<Instruction>(name#t.S#"rCL") $a))>;
    if !or(!ne(t.Bits, 16), !ne(name, "SHL")) then
    def : Pat<(op t.RC:$a, (i8 imm:$c)), (!cast<Instruction>(name#t.S#"ri") $a, $c)>;
    def : Pat<(store0 (op (t.VT (load0 addr:$p)), (i8 imm:$c)), addr:$p),
              (!cast<Instruction>(name#t.S#"mi") addr:$p, $c)>;
    def : Pat<(store0 (op (t.VT (load0 addr:$p)), GR8:$c), addr:$p),
              (Seq (set CL, $c), (!cast<Instruction>(name#t.S#"mCL") addr:$p))>;
  }
}
defm : Shift<shl, "SHL">;
// An addition is as short and runs on more ports.
let AddedComplexity = 1 in
foreach t = [I8, I32, I64] in
  def : Pat<(shl t.RC:$a, (i8 1)), (!cast<Instruction>("ADD"#t.S#"rr") $a, $a)>;
def : Pat<(shl GR16:$a, (i8 imm:$c)), Low16<(SHL32ri WideA16, $c)>.Res>;
defm : Shift<srl, "SHR">;
defm : Shift<sra, "SAR">;
defm : Shift<rotl, "ROL">;
defm : Shift<rotr, "ROR">;

let Predicates = [HasBMI2], AddedComplexity = 1 in
foreach n = [32, 64] in {
  defvar RC = !cast<RegisterClass>("GR"#n);
  defvar Count = (INSERT_SUBREG (IMPLICIT_DEF), $c, sub_8bit);
  def : Pat<(shl RC:$a, GR8:$c), (!cast<Instruction>("SHLX"#n#"rr") $a, Count)>;
  def : Pat<(srl RC:$a, GR8:$c), (!cast<Instruction>("SHRX"#n#"rr") $a, Count)>;
  def : Pat<(sra RC:$a, GR8:$c), (!cast<Instruction>("SARX"#n#"rr") $a, Count)>;
}

foreach t = WideTypes in {
  def : Pat<(fshl t.RC:$a, t.RC:$b, (i8 imm:$c)), (!cast<Instruction>("SHLD"#t.S#"rri8") $a, $b, $c)>;
  def : Pat<(fshr t.RC:$a, t.RC:$b, (i8 imm:$c)), (!cast<Instruction>("SHRD"#t.S#"rri8") $b, $a, $c)>;
}
// The 16-bit forms do not mask the count to the width.
foreach t = [I32, I64] in {
  def : Pat<(fshl t.RC:$a, t.RC:$b, GR8:$c), (Seq (set CL, $c), (!cast<Instruction>("SHLD"#t.S#"rrCL") $a, $b))>;
  def : Pat<(fshr t.RC:$a, t.RC:$b, GR8:$c), (Seq (set CL, $c), (!cast<Instruction>("SHRD"#t.S#"rrCL") $b, $a))>;
}

//===- Bits ----------------------------------------------------------------===//

def : Pat<(bswap GR32:$a), (BSWAP32r $a)>;
def : Pat<(bswap GR64:$a), (BSWAP64r $a)>;
def : Pat<(bswap GR16:$a), (ROL16ri $a, 8)>;

foreach t = WideTypes in {
  let Predicates = [HasPOPCNT] in {
    def : Pat<(t.VT (ctpop t.RC:$a)), (!cast<Instruction>("POPCNT"#t.S#"rr") $a)>;
    def : Pat<(t.VT (ctpop (t.VT (load0 addr:$p)))), (!cast<Instruction>("POPCNT"#t.S#"rm") addr:$p)>;
  }
  let Predicates = [HasLZCNT], AddedComplexity = 1 in {
    def : Pat<(t.VT (ctlz t.RC:$a)), (!cast<Instruction>("LZCNT"#t.S#"rr") $a)>;
    def : Pat<(t.VT (ctlz_zero_undef t.RC:$a)), (!cast<Instruction>("LZCNT"#t.S#"rr") $a)>;
  }
  let Predicates = [HasBMI], AddedComplexity = 1 in {
    def : Pat<(t.VT (cttz t.RC:$a)), (!cast<Instruction>("TZCNT"#t.S#"rr") $a)>;
    def : Pat<(t.VT (cttz_zero_undef t.RC:$a)), (!cast<Instruction>("TZCNT"#t.S#"rr") $a)>;
  }
  if !gt(t.Bits, 16) then {
  let Predicates = [HasBMI], AddedComplexity = 20 in {
    def : Pat<(and (not t.RC:$a), t.RC:$b), (!cast<Instruction>("ANDN"#t.S#"rr") $a, $b)>;
    def : Pat<(and (add t.RC:$a, -1), t.RC:$a), (!cast<Instruction>("BLSR"#t.S#"rr") $a)>;
    def : Pat<(and (ineg t.RC:$a), t.RC:$a), (!cast<Instruction>("BLSI"#t.S#"rr") $a)>;
    def : Pat<(xor (add t.RC:$a, -1), t.RC:$a), (!cast<Instruction>("BLSMSK"#t.S#"rr") $a)>;
  }
  }
  defvar BSR = !cast<Instruction>("BSR"#t.S#"rr");
  defvar BSF = !cast<Instruction>("BSF"#t.S#"rr");
  defvar XOR = !cast<Instruction>("XOR"#t.RI);
  defvar CMOV = !cast<Instruction>("CMOV"#t.S#"rr");
  defvar MOV = !cast<Instruction>("MOV"#t.RI);
  def : Pat<(t.VT (ctlz_zero_undef t.RC:$a)), (XOR (BSR (IMPLICIT_DEF), $a), !sub(t.Bits, 1))>;
  def : Pat<(t.VT (cttz_zero_undef t.RC:$a)), (BSF (IMPLICIT_DEF), $a)>;
  // BSF and BSR leave the flag Z set, and no number, when there is no bit.
  def : Pat<(t.VT (ctlz t.RC:$a)),
            (Seq (MOV !sub(!mul(t.Bits, 2), 1)):$none, (BSR (IMPLICIT_DEF), $a):$n, (CMOV $n, $none, COND_E):$k,
                 (XOR $k, !sub(t.Bits, 1)))>;
  def : Pat<(t.VT (cttz t.RC:$a)),
            (Seq (MOV t.Bits):$none, (BSF (IMPLICIT_DEF), $a):$n, (CMOV $n, $none, COND_E))>;
}

//===- Extensions and truncations -----------------------------------------===//

class ZExt64<dag narrow> { dag Res = (SUBREG_TO_REG (i64 0), narrow, sub_32bit); }

foreach d = WideTypes in foreach s = [I8, I16] in if !gt(d.Bits, s.Bits) then {
  defvar ZX = !cast<Instruction>("MOVZX"#!if(!eq(d.Bits, 64), "32", d.S)#"rr"#s.S);
  defvar ZM = !cast<Instruction>("MOVZX"#!if(!eq(d.Bits, 64), "32", d.S)#"rm"#s.S);
  defvar SX = !cast<Instruction>("MOVSX"#d.S#"rr"#s.S);
  defvar SM = !cast<Instruction>("MOVSX"#d.S#"rm"#s.S);
  if !eq(d.Bits, 64) then {
    def : Pat<(i64 (zext s.RC:$a)), ZExt64<(ZX $a)>.Res>;
    def : Pat<(i64 (anyext s.RC:$a)), ZExt64<(ZX $a)>.Res>;
    def : Pat<(i64 (!cast<PatFrags>("x86_zextloadi"#s.S) addr:$p)), ZExt64<(ZM addr:$p)>.Res>;
    def : Pat<(i64 (!cast<PatFrags>("x86_extloadi"#s.S) addr:$p)), ZExt64<(ZM addr:$p)>.Res>;
  } else {
    def : Pat<(d.VT (zext s.RC:$a)), (ZX $a)>;
    def : Pat<(d.VT (anyext s.RC:$a)), (ZX $a)>;
    def : Pat<(d.VT (!cast<PatFrags>("x86_zextloadi"#s.S) addr:$p)), (ZM addr:$p)>;
    def : Pat<(d.VT (!cast<PatFrags>("x86_extloadi"#s.S) addr:$p)), (ZM addr:$p)>;
  }
  def : Pat<(d.VT (sext s.RC:$a)), (SX $a)>;
  def : Pat<(d.VT (!cast<PatFrags>("x86_sextloadi"#s.S) addr:$p)), (SM addr:$p)>;
}
def : Pat<(i64 (zext GR32:$a)), ZExt64<(MOV32rr $a)>.Res>;
// Most 32-bit instructions clear the upper half already.
def zextOfDef32 : PatFrag<(ops node:$a), (zext (i32 node:$a)), "definesZExt32">;
let AddedComplexity = 1 in
def : Pat<(i64 (zextOfDef32 GR32:$a)), (SUBREG_TO_REG (i64 0), $a, sub_32bit)>;
def : Pat<(i64 (anyext GR32:$a)), (INSERT_SUBREG (IMPLICIT_DEF), $a, sub_32bit)>;
def : Pat<(i64 (sext GR32:$a)), (MOVSX64rr32 $a)>;
def : Pat<(i64 (x86_zextloadi32 addr:$p)), ZExt64<(MOV32rm addr:$p)>.Res>;
def : Pat<(i64 (x86_extloadi32 addr:$p)), ZExt64<(MOV32rm addr:$p)>.Res>;
def : Pat<(i64 (x86_sextloadi32 addr:$p)), (MOVSX64rm32 addr:$p)>;

// A bool in a byte register; its other bits are not defined.
defvar Bool = (COPY_TO_REGCLASS $a, GR8);
def : Pat<(i8 (zext i1:$a)), (AND8ri Bool, 1)>;
def : Pat<(i8 (anyext i1:$a)), (COPY_TO_REGCLASS $a, GR8)>;
def : Pat<(i8 (sext i1:$a)), (NEG8r (AND8ri Bool, 1))>;
def : Pat<(i16 (zext i1:$a)), (MOVZX16rr8 (AND8ri Bool, 1))>;
def : Pat<(i16 (anyext i1:$a)), (MOVZX16rr8 Bool)>;
def : Pat<(i16 (sext i1:$a)), (MOVSX16rr8 (NEG8r (AND8ri Bool, 1)))>;
def : Pat<(i32 (zext i1:$a)), (MOVZX32rr8 (AND8ri Bool, 1))>;
def : Pat<(i32 (anyext i1:$a)), (MOVZX32rr8 Bool)>;
def : Pat<(i32 (sext i1:$a)), (NEG32r (MOVZX32rr8 (AND8ri Bool, 1)))>;
def : Pat<(i64 (zext i1:$a)), ZExt64<(MOVZX32rr8 (AND8ri Bool, 1))>.Res>;
def : Pat<(i64 (anyext i1:$a)), ZExt64<(MOVZX32rr8 Bool)>.Res>;
def : Pat<(i64 (sext i1:$a)), (NEG64r ZExt64<(MOVZX32rr8 (AND8ri Bool, 1))>.Res)>;

def : Pat<(sext_inreg GR16:$a, i8), (MOVSX16rr8 (EXTRACT_SUBREG $a, sub_8bit))>;
def : Pat<(sext_inreg GR32:$a, i8), (MOVSX32rr8 (EXTRACT_SUBREG $a, sub_8bit))>;
def : Pat<(sext_inreg GR32:$a, i16), (MOVSX32rr16 (EXTRACT_SUBREG $a, sub_16bit))>;
def : Pat<(sext_inreg GR64:$a, i8), (MOVSX64rr8 (EXTRACT_SUBREG $a, sub_8bit))>;
def : Pat<(sext_inreg GR64:$a, i16), (MOVSX64rr16 (EXTRACT_SUBREG $a, sub_16bit))>;
def : Pat<(sext_inreg GR64:$a, i32), (MOVSX64rr32 (EXTRACT_SUBREG $a, sub_32bit))>;
foreach t = IntTypes in
  def : Pat<(sext_inreg t.RC:$a, i1),
            (!cast<Instruction>("NEG"#t.S#"r") (!cast<Instruction>("AND"#t.RI) $a, 1))>;

foreach t = WideTypes in {
  def : Pat<(i8 (trunc t.RC:$a)), (EXTRACT_SUBREG $a, sub_8bit)>;
  def : Pat<(i1 (trunc t.RC:$a)), (EXTRACT_SUBREG $a, sub_8bit)>;
}
def : Pat<(i1 (trunc GR8:$a)), (COPY_TO_REGCLASS $a, GR8)>;
def : Pat<(i16 (trunc GR32:$a)), (EXTRACT_SUBREG $a, sub_16bit)>;
def : Pat<(i16 (trunc GR64:$a)), (EXTRACT_SUBREG $a, sub_16bit)>;
def : Pat<(i32 (trunc GR64:$a)), (EXTRACT_SUBREG $a, sub_32bit)>;

// Halves.
foreach x = [[I16, I8], [I32, I16], [I64, I32]] in {
  defvar W = x[0];
  defvar H = x[1];
  defvar SUB = !cast<SubRegIndex>("sub_"#H.S#"bit");
  defvar SHR = !cast<Instruction>("SHR"#W.S#"ri");
  defvar SHL = !cast<Instruction>("SHL"#W.S#"ri");
  defvar OR = !cast<Instruction>("OR"#W.S#"rr");
  let Predicates = !if(!eq(W.Bits, 64), [In64BitMode], []<Predicate>) in {
  def : Pat<([H.VT, H.VT] (X86unmerge W.RC:$a)),
            (Seq (EXTRACT_SUBREG $a, SUB):$lo, (EXTRACT_SUBREG (SHR $a, H.Bits), SUB):$hi, (results $lo, $hi))>;
  defvar Low = !cond(!eq(W.Bits, 16): (MOVZX16rr8 $lo), !eq(W.Bits, 32): (MOVZX32rr16 $lo),
                     true: (SUBREG_TO_REG (i64 0), (MOV32rr $lo), sub_32bit));
  def : Pat<(W.VT (X86merge H.RC:$lo, H.RC:$hi)),
            (OR (SHL (INSERT_SUBREG (IMPLICIT_DEF), $hi, SUB), H.Bits), Low)>;
  }
}

let Predicates = [In64BitMode] in {
def : Pat<(i64 (X86inttoptr GR64:$a)), (COPY_TO_REGCLASS $a, GR64)>;
def : Pat<(i64 (X86ptrtoint GR64:$a)), (COPY_TO_REGCLASS $a, GR64)>;
def : Pat<(i64 (X86inttoptr GR32:$a)), ZExt64<(MOV32rr $a)>.Res>;
def : Pat<(i32 (X86ptrtoint GR64:$a)), (EXTRACT_SUBREG $a, sub_32bit)>;
def : Pat<(i16 (X86ptrtoint GR64:$a)), (EXTRACT_SUBREG $a, sub_16bit)>;
def : Pat<(i8 (X86ptrtoint GR64:$a)), (EXTRACT_SUBREG $a, sub_8bit)>;
}

//===- Constants -----------------------------------------------------------===//

def : Pat<(i1 imm:$c), (COPY_TO_REGCLASS (MOV8ri $c), GR8)>;
def : Pat<(i8 imm:$c), (MOV8ri imm:$c)>;
def : Pat<(i8 0), (EXTRACT_SUBREG (MOV32r0), sub_8bit)>;
def : Pat<(i16 imm:$c), (MOV16ri imm:$c)>;
def : Pat<(i16 0), (EXTRACT_SUBREG (MOV32r0), sub_16bit)>;
def : Pat<(i32 imm:$c), (MOV32ri imm:$c)>;
def : Pat<(i32 0), (MOV32r0)>;
def : Pat<(i64 imm:$c), (MOV64ri imm:$c)>;
def : Pat<(i64 i64immSExt32:$c), (MOV64ri32 $c)>;
let AddedComplexity = 1 in
def : Pat<(i64 i64immZExt32:$c), (MOV32ri64 $c)>;
let AddedComplexity = 2 in
def : Pat<(i64 0), ZExt64<(MOV32r0)>.Res>;

//===- Addresses -----------------------------------------------------------===//

def : Pat<(i64 lea64addr:$p), (LEA64r lea64addr:$p)>;
let Predicates = [In64BitMode] in
def : Pat<(i32 lea32addr:$p), (LEA64_32r lea32addr:$p)>;
let Predicates = [Not64BitMode] in {
  def : Pat<(i32 leaaddr:$p), (LEA32r leaaddr:$p)>;
  def : Pat<(i32 got32addr:$p), (MOV32rm got32addr:$p)>;
  def : Pat<(i32 tpoff32addr:$p), (MOV32ri tpoff32addr:$p)>;
  def : Pat<(i32 gottpoff32addr:$p), (MOV32rm gottpoff32addr:$p)>;
  let AddedComplexity = 1 in
  def : Pat<(i32 (add GR32:$a, gottpoff32addr:$p)), (ADD32rm $a, gottpoff32addr:$p)>;
  def : Pat<(i32 (X86inttoptr GR32:$a)), (COPY_TO_REGCLASS $a, GR32)>;
  def : Pat<(i32 (X86ptrtoint GR32:$a)), (COPY_TO_REGCLASS $a, GR32)>;
  // Numbers of 64 bits, in vector registers.
  def : Pat<(f64 (X86mergef GR32:$lo, GR32:$hi)),
            (COPY_TO_REGCLASS (PUNPCKLDQrr (MOVDI2PDIrr $lo), (MOVDI2PDIrr $hi)), FR64)>;
  defvar A = (COPY_TO_REGCLASS FR64:$a, VR128);
  def : Pat<([i32, i32] (X86unmergef FR64:$a)),
            (Seq (MOVPDI2DIrr A):$lo, (MOVPDI2DIrr (PSHUFDri A, 0x55)):$hi, (results $lo, $hi))>;
  def : Pat<(f64 (X86mergef (i32 (load0 addr:$lo)), GR32:$hi)),
            (COPY_TO_REGCLASS (PUNPCKLDQrr (MOVDI2PDIrm addr:$lo), (MOVDI2PDIrr $hi)), FR64)>;
}
def : Pat<(i64 gotaddr:$p), (MOV64rm gotaddr:$p)>;
def : Pat<(i64 abs64addr:$p), (MOV64ri abs64addr:$p)>;

// Offsets of thread-local variables.
def : Pat<(i64 tpoffaddr:$p), (MOV64ri32 tpoffaddr:$p)>;
def : Pat<(i64 gottpoffaddr:$p), (MOV64rm gottpoffaddr:$p)>;
let AddedComplexity = 20 in
def : Pat<(i64 (add GR64:$a, gottpoffaddr:$p)), (ADD64rm $a, gottpoffaddr:$p)>;
