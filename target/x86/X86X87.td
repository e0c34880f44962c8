//===- X86X87.td - long double on the x87 stack ---------------------------===//
//
// Values of x86_fp80 are pseudo registers FP0 to FP6; x86-fp-stackifier turns
// them into places of the stack. What other registers hold goes through memory.
//
//===----------------------------------------------------------------------===//

// Stack slots for what goes through memory: a new one, and the same again.
class SlotXForm<string fn> : SDNodeXForm<imm, fn> { let NumOperands = 5; }
foreach n = [2, 4, 8] in {
  def new_slot#n : SlotXForm<"newSlot"#n>;
  def the_slot#n : SlotXForm<"theSlot"#n>;
  def : GIRenderer<!cast<SDNodeXForm>("new_slot"#n)>;
  def : GIRenderer<!cast<SDNodeXForm>("the_slot"#n)>;
}

foreach strict = ["", "strict_"] in {
  foreach x = [["fadd", "ADD"], ["fsub", "SUB"], ["fmul", "MUL"], ["fdiv", "DIV"]] in {
    defvar op = !cast<SDNode>(strict#x[0]);
    def : Pat<(op RFP80:$a, RFP80:$b), (!cast<Instruction>(x[1]#"_Fp80") $a, $b)>;
    foreach n = ["32", "64"] in {
      defvar wide = (f80 (fpextend (!cast<ValueType>("f"#n) (load0 addr:$p))));
      defvar reverse = !cast<Instruction>(!if(!or(!eq(x[1], "ADD"), !eq(x[1], "MUL")), x[1], x[1]#"R")#"_Fp80m"#n);
      def : Pat<(op RFP80:$a, wide), (!cast<Instruction>(x[1]#"_Fp80m"#n) $a, addr:$p)>;
      def : Pat<(op wide, RFP80:$a), (reverse $a, addr:$p)>;
    }
  }
  def : Pat<(!cast<SDNode>(strict#"fsqrt") RFP80:$a), (SQRT_Fp80 $a)>;
}
def : Pat<(f80 (fneg RFP80:$a)), (CHS_Fp80 $a)>;
def : Pat<(f80 (fabs RFP80:$a)), (ABS_Fp80 $a)>;

//===- Constants -----------------------------------------------------------===//
// Zero and one are made (selectX87); others are in memory as float or double where
// these hold them.

def s80 : LLT<f80>;
foreach x = [["32", "LD_Fp32m80"], ["64", "LD_Fp64m80"], ["80", "LD_Fp80m"]] in {
  def fp80const#x[0] : ComplexPattern<f80, 5, "selectFP80Const"#x[0], [fpimm]>;
  defvar const = !cast<ComplexPattern>("fp80const"#x[0]);
  def : GIComplexOperandMatcher<s80, const.SelectFunc>, GIComplexPatternEquiv<const>;
  let AddedComplexity = !cond(!eq(x[0], "32"): -1, !eq(x[0], "64"): -2, true: -3) in
  def : Pat<(f80 const:$p), (!cast<Instruction>(x[1]) const:$p)>;
}
foreach n = ["32", "64"] in {
  defvar const = !cast<ComplexPattern>("fp80const"#n);
  foreach strict = ["", "strict_"] in
    foreach x = [["fadd", "ADD", "ADD"], ["fsub", "SUB", "SUBR"], ["fmul", "MUL", "MUL"], ["fdiv", "DIV", "DIVR"]] in {
      defvar op = !cast<SDNode>(strict#x[0]);
      def : Pat<(op RFP80:$a, const:$p), (!cast<Instruction>(x[1]#"_Fp80m"#n) $a, const:$p)>;
      def : Pat<(op const:$p, RFP80:$a), (!cast<Instruction>(x[2]#"_Fp80m"#n) $a, const:$p)>;
    }
}

//===- Memory and conversions ----------------------------------------------===//

def : Pat<(f80 (load0 addr:$p)), (LD_Fp80m addr:$p)>;
def : Pat<(store0 RFP80:$v, addr:$p), (ST_FpP80m addr:$p, $v)>;

foreach t = [F32, F64] in {
  defvar New = !cast<SDNodeXForm>("new_slot"#!srl(t.Bits, 3));
  defvar The = !cast<SDNodeXForm>("the_slot"#!srl(t.Bits, 3));
  defvar LD = !cast<Instruction>("LD_Fp"#t.Bits#"m80");
  defvar ST = !cast<Instruction>("ST_Fp80m"#t.Bits);
  def : Pat<(f80 (fpextend (t.VT (load0 addr:$p)))), (LD addr:$p)>;
  def : Pat<(f80 (fpextend t.RC:$a)), (Seq (!cast<Instruction>("MOV"#t.S#"mr") (New $a), $a), (LD (The $a)))>;
  def : Pat<(store0 (t.VT (fpround RFP80:$a)), addr:$p), (ST addr:$p, $a)>;
  def : Pat<(t.VT (fpround RFP80:$a)), (Seq (ST (New $a), $a), (!cast<Instruction>("MOV"#t.S#"rm_alt") (The $a)))>;
}

def HasSSE3 : Predicate<"Subtarget->hasSSE3()">;
foreach t = WideTypes in {
  defvar New = !cast<SDNodeXForm>("new_slot"#!srl(t.Bits, 3));
  defvar The = !cast<SDNodeXForm>("the_slot"#!srl(t.Bits, 3));
  defvar ILD = !cast<Instruction>("ILD_Fp"#t.S#"m80");
  defvar IST = !cast<Instruction>("IST_Fp"#t.S#"m80");
  def : Pat<(f80 (sint_to_fp (t.VT (load0 addr:$p)))), (ILD addr:$p)>;
  def : Pat<(f80 (sint_to_fp t.RC:$a)), (Seq (!cast<Instruction>("MOV"#t.S#"mr") (New $a), $a), (ILD (The $a)))>;
  // FISTTP truncates; without it the control word does.
  def : Pat<(store0 (t.VT (fp_to_sint RFP80:$a)), addr:$p), (!cast<Instruction>("FP80_TO_INT"#t.S#"_IN_MEM") addr:$p, $a)>;
  def : Pat<(t.VT (fp_to_sint RFP80:$a)),
            (Seq (!cast<Instruction>("FP80_TO_INT"#t.S#"_IN_MEM") (New $a), $a), (!cast<Instruction>("MOV"#t.S#"rm") (The $a)))>;
  let Predicates = [HasSSE3], AddedComplexity = 1 in {
    defvar ISTT = !cast<Instruction>("ISTT_Fp"#t.S#"m80");
    def : Pat<(store0 (t.VT (fp_to_sint RFP80:$a)), addr:$p), (ISTT addr:$p, $a)>;
    def : Pat<(t.VT (fp_to_sint RFP80:$a)), (Seq (ISTT (New $a), $a), (!cast<Instruction>("MOV"#t.S#"rm") (The $a)))>;
  }
  if !gt(t.Bits, 16) then
    foreach round = [lrint, llrint] in
      def : Pat<(t.VT (round RFP80:$a)), (Seq (IST (New $a), $a), (!cast<Instruction>("MOV"#t.S#"rm") (The $a)))>;
}

//===- Comparisons and selects ---------------------------------------------===//

defm : FlagUsers<(setcc RFP80:$a, RFP80:$b, X86FCC:$cc), (UCOM_FpIr80 $a, $b), X86FCC>;
defm : FlagUsers<(setcc RFP80:$a, RFP80:$b, X86FCCSwap:$cc), (UCOM_FpIr80 $b, $a), X86FCCSwap>;
defm : FPEquality<RFP80, UCOM_FpIr80>;

foreach b = [i1, i8] in
  def : Pat<(select b:$c, RFP80:$x, RFP80:$y), (Seq TestBool, (CMOVNE_Fp80 $y, $x))>;
def : Pat<(select GR32:$c, RFP80:$x, RFP80:$y), (Seq TestBool32, (CMOVNE_Fp80 $y, $x))>;
// FCMOV knows eight conditions, which are those that comparisons of numbers need.
foreach t = [["RFP80", "UCOM_FpIr80"], ["FR32", "UCOMISSrr"], ["FR64", "UCOMISDrr"]] in {
  defvar rc = !cast<RegisterClass>(t[0]);
  defvar CMP = !cast<Instruction>(t[1]);
  foreach x = [["SETOGT", "NBE"], ["SETOGE", "NB"], ["SETULT", "B"], ["SETULE", "BE"], ["SETUEQ", "E"], ["SETONE", "NE"],
               ["SETO", "NP"], ["SETUO", "P"], ["SETOLT", "NBE"], ["SETOLE", "NB"], ["SETUGT", "B"], ["SETUGE", "BE"]] in {
    defvar swap = !ne(!find("SETOLT SETOLE SETUGT SETUGE", x[0]), -1);
    defvar c8 = (i8 (setcc rc:$a, rc:$b, !cast<CondCode>(x[0])));
    foreach c = [c8, (i1 (trunc c8))] in
      def : Pat<(select c, RFP80:$x, RFP80:$y), (Seq !if(swap, (CMP $b, $a), (CMP $a, $b)), (!cast<Instruction>("CMOV"#x[1]#"_Fp80") $y, $x))>;
  }
}
