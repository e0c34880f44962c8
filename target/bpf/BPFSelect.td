//===- BPFSelect.td - what generic instructions become ---------------------===//

def : PtrValueType<i64, 0>;
def : SelectionInfo {
  let Ambient = [R10, R11];
  let Types = [i32, i64];
  let Classes = [GPR32, GPR];
}

// What the versions of the instruction set have; see isa.go.
foreach p = ["Alu32", "Jmp32", "JmpExt", "Ldsx", "Movsx", "Bswap", "SdivSmod", "StoreImm", "LoadAcqStoreRel"] in {
  def Has#p : Predicate<"Subtarget->getHas"#p#"()">;
  def No#p : Predicate<"!Subtarget->getHas"#p#"()">;
}
def IsLittle : Predicate<"CurDAG->getDataLayout().isLittleEndian()">;
def IsBig    : Predicate<"!CurDAG->getDataLayout().isLittleEndian()">;

// Pointers are numbers.
def : GINodeEquiv<G_PTR_ADD, add>;
def bpfinttoptr : SDNode<"BPFISD::INTTOPTR", SDTUnaryOp>;
def bpfptrtoint : SDNode<"BPFISD::PTRTOINT", SDTUnaryOp>;
def : GINodeEquiv<G_INTTOPTR, bpfinttoptr>;
def : GINodeEquiv<G_PTRTOINT, bpfptrtoint>;

class GIRenderer<SDNodeXForm x> : GICustomOperandRenderer<x.XFormFunction>, GISDNodeXFormEquiv<x>;
class GIMatcher<ComplexPattern p> : GIComplexOperandMatcher<s64, p.SelectFunc>, GIComplexPatternEquiv<p>;

// A base and an offset of 16 bits; a stack object and an offset.
def addr : ComplexPattern<iPTR, 2, "selectAddr">;
def fiadd : ComplexPattern<i64, 2, "selectFrameAdd", [add, or], [], 10>;
foreach p = [addr, fiadd] in def : GIMatcher<p>;

def s32imm64 : ImmLeaf<i64, [{ return isInt<32>(Imm); }]>;
def u32mask  : ImmLeaf<i64, [{ return Imm == 4294967295; }]>;

// What an integer type is made of: the suffix of its instructions.
class IntType<int n, RegisterClass rc, string s> {
  int Bits = n;
  ValueType VT = !cast<ValueType>("i"#n);
  RegisterClass RC = rc;
  string S = s;
  SDPatternOperator Imm = !if(!eq(n, 64), s32imm64, imm);
}
def I32 : IntType<32, GPR32, "_32">;
def I64 : IntType<64, GPR, "">;
defvar IntTypes = [I32, I64];

// The suffix of Select by the types of what is compared and of the value.
class SelectOf<IntType c, IntType v> {
  string S = !cond(!and(!eq(c.Bits, 64), !eq(v.Bits, 64)): "", !and(!eq(c.Bits, 32), !eq(v.Bits, 32)): "_32", true: "_"#c.Bits#"_"#v.Bits);
}

def low8  : SDNodeXForm<imm, "low8">;
def low16 : SDNodeXForm<imm, "low16">;
def low32 : SDNodeXForm<imm, "low32">;
foreach x = [low8, low16, low32] in def : GIRenderer<x>;

//===- Numbers and addresses -----------------------------------------------===//

def : Pat<(i64 s32imm64:$c), (MOV_ri $c)>;
def : Pat<(i64 imm:$c), (LD_imm64 $c)>;
def : Pat<(i32 imm:$c), (MOV_ri_32 $c)>;
def : Pat<(i64 globaladdr:$g), (LD_imm64 tglobaladdr:$g)>;
def : Pat<(i64 frameindex:$f), (MOV_rr tframeindex:$f)>;
def : Pat<(i64 fiadd:$a), (FI_ri fiadd:$a)>;
def : Pat<(i64 (bpfinttoptr GPR:$a)), (COPY_TO_REGCLASS $a, GPR)>;
def : Pat<(i64 (bpfptrtoint GPR:$a)), (COPY_TO_REGCLASS $a, GPR)>;

//===- Arithmetic ----------------------------------------------------------===//

multiclass Binary<SDNode op, string name> {
  foreach t = IntTypes in {
    def : Pat<(op t.RC:$a, (t.VT t.RC:$b)), (!cast<Instruction>(name#"_rr"#t.S) $a, $b)>;
    def : Pat<(op t.RC:$a, (t.VT t.Imm:$b)), (!cast<Instruction>(name#"_ri"#t.S) $a, $b)>;
  }
}
defm : Binary<add, "ADD">;
defm : Binary<sub, "SUB">;
defm : Binary<mul, "MUL">;
defm : Binary<and, "AND">;
defm : Binary<or, "OR">;
defm : Binary<xor, "XOR">;
defm : Binary<shl, "SLL">;
defm : Binary<srl, "SRL">;
defm : Binary<sra, "SRA">;
defm : Binary<udiv, "DIV">;
defm : Binary<urem, "MOD">;
let Predicates = [HasSdivSmod] in {
defm : Binary<sdiv, "SDIV">;
defm : Binary<srem, "SMOD">;
}
foreach t = IntTypes in
  def : Pat<(ineg t.RC:$a), (!cast<Instruction>("NEG_"#t.Bits) $a)>;

//===- Widths --------------------------------------------------------------===//

def : Pat<(i64 (zext GPR32:$a)), (MOV_32_64 $a)>;
def : Pat<(i64 (anyext GPR32:$a)), (INSERT_SUBREG (i64 (IMPLICIT_DEF)), $a, sub_32)>;
def : Pat<(i32 (trunc GPR:$a)), (EXTRACT_SUBREG $a, sub_32)>;
let Predicates = [NoMovsx] in
def : Pat<(i64 (sext GPR32:$a)), (SRA_ri (SLL_ri (MOV_32_64 $a), 32), 32)>;
let Predicates = [HasMovsx] in {
def : Pat<(i64 (sext GPR32:$a)), (MOVSX_rr_32 (MOV_32_64 $a))>;
def : Pat<(sext_inreg GPR:$a, i32), (MOVSX_rr_32 $a)>;
def : Pat<(sext_inreg GPR:$a, i16), (MOVSX_rr_16 $a)>;
def : Pat<(sext_inreg GPR:$a, i8), (MOVSX_rr_8 $a)>;
def : Pat<(sext_inreg GPR32:$a, i16), (MOVSX_rr_32_16 $a)>;
def : Pat<(sext_inreg GPR32:$a, i8), (MOVSX_rr_32_8 $a)>;
}
let Predicates = [HasAlu32] in
def : Pat<(and GPR:$a, u32mask), (MOV_32_64 (EXTRACT_SUBREG $a, sub_32))>;
let Predicates = [NoAlu32] in
def : Pat<(and GPR:$a, u32mask), (SRL_ri (SLL_ri $a, 32), 32)>;

//===- Memory --------------------------------------------------------------===//

// Values of 64 bits from less: the upper half is zero in either kind of register.
multiclass Loads<SDPatternOperator node, string name> {
  let Predicates = [HasAlu32] in {
    def : Pat<(i64 (node addr:$p)), (SUBREG_TO_REG (i64 0), (!cast<Instruction>(name#"32") addr:$p), sub_32)>;
    def : Pat<(i32 (node addr:$p)), (!cast<Instruction>(name#"32") addr:$p)>;
  }
  let Predicates = [NoAlu32] in
  def : Pat<(i64 (node addr:$p)), (!cast<Instruction>(name) addr:$p)>;
}
foreach x = ["zextload", "extload"] in {
  defm : Loads<!cast<SDPatternOperator>(x#"i8"), "LDB">;
  defm : Loads<!cast<SDPatternOperator>(x#"i16"), "LDH">;
}
let Predicates = [HasAlu32] in {
  foreach x = ["zextload", "extload"] in
  def : Pat<(i64 (!cast<SDPatternOperator>(x#"i32") addr:$p)), (SUBREG_TO_REG (i64 0), (LDW32 addr:$p), sub_32)>;
  def : Pat<(i32 (load addr:$p)), (LDW32 addr:$p)>;
  def : Pat<(store GPR32:$v, addr:$p), (STW32 $v, addr:$p)>;
  def : Pat<(truncstorei16 GPR32:$v, addr:$p), (STH32 $v, addr:$p)>;
  def : Pat<(truncstorei8 GPR32:$v, addr:$p), (STB32 $v, addr:$p)>;
  def : Pat<(truncstorei32 GPR:$v, addr:$p), (STW32 (EXTRACT_SUBREG $v, sub_32), addr:$p)>;
  def : Pat<(truncstorei16 GPR:$v, addr:$p), (STH32 (EXTRACT_SUBREG $v, sub_32), addr:$p)>;
  def : Pat<(truncstorei8 GPR:$v, addr:$p), (STB32 (EXTRACT_SUBREG $v, sub_32), addr:$p)>;
}
let Predicates = [NoAlu32] in {
  foreach x = ["zextload", "extload"] in
  def : Pat<(i64 (!cast<SDPatternOperator>(x#"i32") addr:$p)), (LDW addr:$p)>;
  def : Pat<(truncstorei32 GPR:$v, addr:$p), (STW $v, addr:$p)>;
  def : Pat<(truncstorei16 GPR:$v, addr:$p), (STH $v, addr:$p)>;
  def : Pat<(truncstorei8 GPR:$v, addr:$p), (STB $v, addr:$p)>;
}
def : Pat<(i64 (load addr:$p)), (LDD addr:$p)>;
def : Pat<(store GPR:$v, addr:$p), (STD $v, addr:$p)>;
let Predicates = [HasLdsx] in {
  def : Pat<(i64 (sextloadi8 addr:$p)), (LDBSX addr:$p)>;
  def : Pat<(i64 (sextloadi16 addr:$p)), (LDHSX addr:$p)>;
  def : Pat<(i64 (sextloadi32 addr:$p)), (LDWSX addr:$p)>;
}
let Predicates = [HasStoreImm] in {
  def : Pat<(store s32imm64:$c, addr:$p), (STD_imm $c, addr:$p)>;
  def : Pat<(store (i32 imm:$c), addr:$p), (STW_imm (low32 $c), addr:$p)>;
  foreach t = IntTypes in {
  def : Pat<(truncstorei16 (t.VT imm:$c), addr:$p), (STH_imm (low16 $c), addr:$p)>;
  def : Pat<(truncstorei8 (t.VT imm:$c), addr:$p), (STB_imm (low8 $c), addr:$p)>;
  }
  def : Pat<(truncstorei32 (i64 imm:$c), addr:$p), (STW_imm (low32 $c), addr:$p)>;
}

//===- Conditions ----------------------------------------------------------===//

// The numbers of SelectionDAG's conditions, which the Select pseudo instructions hold.
def BPFCC : CondMap<[SETEQ, SETNE, SETGT, SETGE, SETLT, SETLE, SETUGT, SETUGE, SETULT, SETULE],
                    [17, 22, 18, 19, 20, 21, 10, 11, 12, 13]>;

class Jump<CondCode cc, string name, bit ext = 0, string swapped = ""> {
  CondCode CC = cc;
  string Name = name;
  bit Ext = ext;              // of jmpext
  string Swapped = swapped;   // without it: the operands exchanged
}
defvar Jumps = [Jump<SETEQ, "JEQ">, Jump<SETNE, "JNE">, Jump<SETGT, "JSGT">, Jump<SETGE, "JSGE">, Jump<SETUGT, "JUGT">, Jump<SETUGE, "JUGE">,
                Jump<SETLT, "JSLT", 1, "JSGT">, Jump<SETLE, "JSLE", 1, "JSGE">, Jump<SETULT, "JULT", 1, "JUGT">, Jump<SETULE, "JULE", 1, "JUGE">];

foreach b = IntTypes in {
  foreach t = IntTypes in {
    foreach j = Jumps in {
      let Predicates = !if(j.Ext, [HasJmpExt], []<Predicate>) in {
        def : Pat<(brcond (b.VT (setcc t.RC:$a, t.RC:$b, j.CC)), bb:$to), (!cast<Instruction>(j.Name#"_rr"#t.S) $a, $b, $to)>;
        def : Pat<(brcond (b.VT (setcc t.RC:$a, t.Imm:$b, j.CC)), bb:$to), (!cast<Instruction>(j.Name#"_ri"#t.S) $a, $b, $to)>;
      }
      if j.Ext then
      let Predicates = [NoJmpExt] in
        def : Pat<(brcond (b.VT (setcc t.RC:$a, t.RC:$b, j.CC)), bb:$to), (!cast<Instruction>(j.Swapped#"_rr"#t.S) $b, $a, $to)>;
    }
    // Any of the bits.
    def : Pat<(brcond (b.VT (setcc (and t.RC:$a, t.RC:$b), 0, SETNE)), bb:$to), (!cast<Instruction>("JSET_rr"#t.S) $a, $b, $to)>;
    def : Pat<(brcond (b.VT (setcc (and t.RC:$a, t.Imm:$b), 0, SETNE)), bb:$to), (!cast<Instruction>("JSET_ri"#t.S) $a, $b, $to)>;
    // Comparisons as values: 1 or 0.
    defvar one = (!cast<Instruction>("MOV_ri"#b.S) 1);
    defvar zero = (!cast<Instruction>("MOV_ri"#b.S) 0);
    def : Pat<(b.VT (setcc t.RC:$a, t.RC:$b, BPFCC:$cc)), (!cast<Instruction>("Select"#SelectOf<t, b>.S) $a, $b, BPFCC:$cc, one, zero)>;
    def : Pat<(b.VT (setcc t.RC:$a, t.Imm:$b, BPFCC:$cc)), (!cast<Instruction>("Select_Ri"#SelectOf<t, b>.S) $a, (low32 $b), BPFCC:$cc, one, zero)>;
    foreach v = IntTypes in {
      def : Pat<(v.VT (select (b.VT (setcc t.RC:$a, t.RC:$b, BPFCC:$cc)), v.RC:$x, v.RC:$y)),
                (!cast<Instruction>("Select"#SelectOf<t, v>.S) $a, $b, BPFCC:$cc, $x, $y)>;
      def : Pat<(v.VT (select (b.VT (setcc t.RC:$a, t.Imm:$b, BPFCC:$cc)), v.RC:$x, v.RC:$y)),
                (!cast<Instruction>("Select_Ri"#SelectOf<t, v>.S) $a, (low32 $b), BPFCC:$cc, $x, $y)>;
    }
  }
  // A condition of which bit 0 counts.
  defvar bit0 = (!cast<Instruction>("AND_ri"#b.S) $c, 1);
  def : Pat<(brcond b.RC:$c, bb:$to), (!cast<Instruction>("JNE_ri"#b.S) bit0, 0, $to)>;
  def : Pat<(brcond (xor b.RC:$c, (b.VT 1)), bb:$to), (!cast<Instruction>("JEQ_ri"#b.S) bit0, 0, $to)>;
  foreach v = IntTypes in
  def : Pat<(v.VT (select b.RC:$c, v.RC:$x, v.RC:$y)), (!cast<Instruction>("Select_Ri"#SelectOf<b, v>.S) bit0, 0, 22, $x, $y)>;
}
def : Pat<(br bb:$to), (JMP $to)>;
def : Pat<(brind GPR:$a), (JX $a)>;
// A table has distances from the begin of the section, for which loaders put what gotox takes. In
// position-independent code LLVM adds the table's address, which kernels refuse.
def IsPIC  : Predicate<"TM.isPositionIndependent()">;
def IsStatic : Predicate<"!TM.isPositionIndependent()">;
def bpfbrjt : SDNode<"BPFISD::BRJT", SDTypeProfile<0, 3, [SDTCisPtrTy<0>, SDTCisPtrTy<1>, SDTCisInt<2>]>, [SDNPHasChain]>;
def : GINodeEquiv<G_BRJT, bpfbrjt>;
def : Pat<(i64 (jumptable:$j)), (LD_imm64 tjumptable:$j)>;
let Predicates = [IsPIC] in
def : Pat<(bpfbrjt GPR:$t, tjumptable, GPR:$i), (JX (ADD_rr $t, (LDD (ADD_rr $t, (SLL_ri $i, 3)), 0)))>;
let Predicates = [IsStatic] in
def : Pat<(bpfbrjt GPR:$t, tjumptable, GPR:$i), (JX (LDD (ADD_rr $t, (SLL_ri $i, 3)), 0))>;
def : Pat<(i64 (blockaddress:$a)), (LD_imm64 tblockaddress:$a)>;

//===- Atomics -------------------------------------------------------------===//

// The old value is fetched, but by relaxed operations that nobody reads it of, and by v1's.
foreach op = ["add", "and", "or", "xor"] in
  def atomic_load_#op#_plain : PatFrag<(ops node:$p, node:$v), (!cast<SDNode>("atomic_load_"#op) node:$p, node:$v)> {
    let IsAtomic = 1;
    let IsAtomicOrderingMonotonic = 1;
    let HasNoUse = 1;
  }
foreach op = ["add", "and", "or", "xor"] in {
  defvar O = !toupper(op);
  defvar node = !cast<SDNode>("atomic_load_"#op);
  defvar plain = !cast<PatFrag>("atomic_load_"#op#"_plain");
  let Predicates = !if(!eq(op, "add"), [HasAlu32], []<Predicate>) in
    def : Pat<(i64 (node addr:$p, GPR:$v)), (!cast<Instruction>("XF"#O#"D") addr:$p, $v)>;
  let Predicates = [HasAlu32] in {
    def : Pat<(i32 (node addr:$p, GPR32:$v)), (!cast<Instruction>("XF"#O#"W32") addr:$p, $v)>;
    let AddedComplexity = 10 in {
    def : Pat<(i64 (plain addr:$p, GPR:$v)), (!cast<Instruction>("X"#O#"D") addr:$p, $v)>;
    def : Pat<(i32 (plain addr:$p, GPR32:$v)), (!cast<Instruction>("X"#O#"W32") addr:$p, $v)>;
    }
  }
}
// Nobody reads the old value, which these do not fetch.
def add_unread : PatFrag<(ops node:$p, node:$v), (atomic_load_add node:$p, node:$v)> { let HasNoUse = 1; }
def add_word : PatFrag<(ops node:$p, node:$v), (add_unread node:$p, node:$v), "isWord">;
let Predicates = [NoAlu32] in {
  def : Pat<(i64 (add_unread addr:$p, GPR:$v)), (XADDD addr:$p, $v)>;
  let AddedComplexity = 10 in
  def : Pat<(i64 (add_word addr:$p, GPR:$v)), (XADDW addr:$p, $v)>;
}
def : Pat<(i64 (atomic_swap addr:$p, GPR:$v)), (XCHGD addr:$p, $v)>;
def : Pat<(i64 (atomic_cmp_swap addr:$p, GPR:$c, GPR:$n)), (Seq (set R0, $c), (CMPXCHGD addr:$p, $n), (get R0))>;
let Predicates = [HasAlu32] in {
  def : Pat<(i32 (atomic_swap addr:$p, GPR32:$v)), (XCHGW32 addr:$p, $v)>;
  def : Pat<(i32 (atomic_cmp_swap addr:$p, GPR32:$c, GPR32:$n)), (Seq (set W0, $c), (CMPXCHGW32 addr:$p, $n), (get W0))>;
}

// Atomic loads and stores: relaxed ones are as others, acquire and release are v4's.
class RelaxedLoad<PatFrag of> : PatFrag<(ops node:$p), (of node:$p)> { let IsAtomic = 1; let IsAtomicOrderingAcquireOrStronger = 0; }
class AcquireLoad<PatFrag of> : PatFrag<(ops node:$p), (of node:$p)> { let IsAtomic = 1; let IsAtomicOrderingAcquire = 1; }
class RelaxedStore<int n> : PatFrag<(ops node:$v, node:$p), (!cast<PatFrag>("atomic_store_"#n) node:$v, node:$p)> { let IsAtomic = 1; let IsAtomicOrderingReleaseOrStronger = 0; }
class ReleaseStore<int n> : PatFrag<(ops node:$v, node:$p), (!cast<PatFrag>("atomic_store_"#n) node:$v, node:$p)> { let IsAtomic = 1; let IsAtomicOrderingRelease = 1; }
foreach n = [8, 16, 32, 64] in {
  def relaxed_store_#n : RelaxedStore<n>;
  def release_store_#n : ReleaseStore<n>;
  foreach x = ["nonext", "aext", "zext"] in {
    def relaxed_#x#_#n : RelaxedLoad<!cast<PatFrag>("atomic_load_"#x#"_"#n)>;
    def acquire_#x#_#n : AcquireLoad<!cast<PatFrag>("atomic_load_"#x#"_"#n)>;
  }
}
foreach s = ["B", "H", "W"] in {
  defvar n = !cond(!eq(s, "B"): 8, !eq(s, "H"): 16, true: 32);
  foreach x = ["aext", "zext"] in {
    defvar relaxed = !cast<PatFrag>("relaxed_"#x#"_"#n);
    defvar acquire = !cast<PatFrag>("acquire_"#x#"_"#n);
    let Predicates = [HasAlu32] in {
      if !ne(n, 32) then
        def : Pat<(i32 (relaxed addr:$p)), (!cast<Instruction>("LD"#s#"32") addr:$p)>;
      def : Pat<(i64 (relaxed addr:$p)), (SUBREG_TO_REG (i64 0), (!cast<Instruction>("LD"#s#"32") addr:$p), sub_32)>;
    }
    let Predicates = [NoAlu32] in
      def : Pat<(i64 (relaxed addr:$p)), (!cast<Instruction>("LD"#s) addr:$p)>;
    let Predicates = [HasLoadAcqStoreRel] in {
      if !ne(n, 32) then
        def : Pat<(i32 (acquire addr:$p)), (!cast<Instruction>("LD"#s#"ACQ32") addr:$p)>;
      def : Pat<(i64 (acquire addr:$p)), (SUBREG_TO_REG (i64 0), (!cast<Instruction>("LD"#s#"ACQ32") addr:$p), sub_32)>;
    }
  }
  defvar st = !cast<PatFrag>("relaxed_store_"#n);
  defvar rel = !cast<PatFrag>("release_store_"#n);
  let Predicates = [HasAlu32] in {
    def : Pat<(st GPR32:$v, addr:$p), (!cast<Instruction>("ST"#s#"32") $v, addr:$p)>;
    def : Pat<(st GPR:$v, addr:$p), (!cast<Instruction>("ST"#s#"32") (EXTRACT_SUBREG $v, sub_32), addr:$p)>;
  }
  let Predicates = [NoAlu32] in
    def : Pat<(st GPR:$v, addr:$p), (!cast<Instruction>("ST"#s) $v, addr:$p)>;
  let Predicates = [HasLoadAcqStoreRel] in
    def : Pat<(rel GPR32:$v, addr:$p), (!cast<Instruction>("ST"#s#"REL32") $v, addr:$p)>;
}
let Predicates = [HasAlu32] in
  def : Pat<(i32 (relaxed_nonext_32 addr:$p)), (LDW32 addr:$p)>;
def : Pat<(i64 (relaxed_nonext_64 addr:$p)), (LDD addr:$p)>;
def : Pat<(relaxed_store_64 GPR:$v, addr:$p), (STD $v, addr:$p)>;
let Predicates = [HasLoadAcqStoreRel] in {
  def : Pat<(i32 (acquire_nonext_32 addr:$p)), (LDWACQ32 addr:$p)>;
  def : Pat<(i64 (acquire_nonext_64 addr:$p)), (LDDACQ addr:$p)>;
  def : Pat<(release_store_64 GPR:$v, addr:$p), (STDREL $v, addr:$p)>;
}
