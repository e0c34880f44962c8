//===- X86FP.td - scalar floating point in SSE registers ------------------===//

class FPType<int n> {
  int Bits = n;
  ValueType VT = !cast<ValueType>("f"#n);
  RegisterClass RC = !cast<RegisterClass>("FR"#n);
  string S = !if(!eq(n, 32), "SS", "SD");
  ComplexPattern Const = !cast<ComplexPattern>("fpconst"#n);
}
def F32 : FPType<32>;
def F64 : FPType<64>;

foreach t = [F32, F64] in {
  foreach x = [["fadd", "ADD"], ["fsub", "SUB"], ["fmul", "MUL"], ["fdiv", "DIV"]] in
    foreach strict = ["", "strict_"] in {
      defvar op = !cast<SDNode>(strict#x[0]);
      def : Pat<(op t.RC:$a, t.RC:$b), (!cast<Instruction>(x[1]#t.S#"rr") $a, $b)>;
      def : Pat<(op t.RC:$a, (load0 addr:$p)), (!cast<Instruction>(x[1]#t.S#"rm") $a, addr:$p)>;
      def : Pat<(op t.RC:$a, t.Const:$p), (!cast<Instruction>(x[1]#t.S#"rm") $a, t.Const:$p)>;
    }
  // No load is folded into these: the forms in memory keep the upper part of
  // the result, and so depend on what the register held.
  foreach op = [fsqrt, strict_fsqrt] in
    def : Pat<(op t.RC:$a), (!cast<Instruction>("SQRT"#t.S#"r") $a)>;
  let Predicates = [HasSSE41] in
  foreach x = [["ffloor", "9"], ["fceil", "10"], ["ftrunc", "11"], ["frint", "4"], ["fnearbyint", "12"],
               ["froundeven", "8"]] in {
    defvar mode = !cond(!eq(x[1], "9"): 9, !eq(x[1], "10"): 10, !eq(x[1], "11"): 11, !eq(x[1], "4"): 4,
                        !eq(x[1], "12"): 12, true: 8);
    def : Pat<(!cast<SDNode>(x[0]) t.RC:$a), (!cast<Instruction>("ROUND"#t.S#"ri") $a, mode)>;
  }
  let Predicates = [HasFMA] in
  def : Pat<(fma t.RC:$a, t.RC:$b, t.RC:$c), (!cast<Instruction>("VFMADD213"#t.S#"r") $a, $b, $c)>;

  // Constants: zero is made, others are loaded.
  def : Pat<(t.VT fpimm:$c), (!cast<Instruction>("MOV"#t.S#"rm_alt") (fconst_addr fpimm:$c))>;
}
def : Pat<(f32 fp32imm0), (FsFLD0SS)>;
def : Pat<(f64 fp64imm0), (FsFLD0SD)>;

// The sign is a bit: masks of 16 bytes in the constant pool.
def sign_mask : SDNodeXForm<fpimm, "signMask"> { let NumOperands = 5; }
def number_mask : SDNodeXForm<fpimm, "numberMask"> { let NumOperands = 5; }
foreach x = [sign_mask, number_mask] in def : GIRenderer<x>;
foreach t = [F32, F64] in {
  defvar A = (COPY_TO_REGCLASS t.RC:$a, VR128);
  def : Pat<(fneg t.RC:$a), (COPY_TO_REGCLASS (XORPSrm A, (sign_mask $a)), t.RC)>;
  def : Pat<(fabs t.RC:$a), (COPY_TO_REGCLASS (ANDPSrm A, (number_mask $a)), t.RC)>;
}

//===- Conversions ---------------------------------------------------------===//

def : Pat<(f64 (fpextend FR32:$a)), (CVTSS2SDrr $a)>;
def : Pat<(f32 (fpround FR64:$a)), (CVTSD2SSrr $a)>;

foreach i = [I32, I64] in foreach t = [F32, F64] in {
  defvar FromI = "CVTSI"#!if(!eq(i.Bits, 64), "64", "")#"2"#t.S;
  defvar ToI = "CVTT"#t.S#"2SI"#!if(!eq(i.Bits, 64), "64", "");
  def : Pat<(t.VT (sint_to_fp i.RC:$a)), (!cast<Instruction>(FromI#"rr") $a)>;
  def : Pat<(t.VT (sint_to_fp (i.VT (load0 addr:$p)))), (!cast<Instruction>(FromI#"rm") addr:$p)>;
  def : Pat<(i.VT (fp_to_sint t.RC:$a)), (!cast<Instruction>(ToI#"rr") $a)>;
  def : Pat<(i.VT (fp_to_sint (t.VT (load0 addr:$p)))), (!cast<Instruction>(ToI#"rm") addr:$p)>;
  defvar Round = !cast<Instruction>("CVT"#t.S#"2SI"#!if(!eq(i.Bits, 64), "64", "")#"rr");
  foreach round = [lrint, llrint] in def : Pat<(i.VT (round t.RC:$a)), (Round $a)>;
}

// What is rounded to a number of 32 bits and is a float again stays in its register.
foreach from = [F32, F64] in foreach to = [F32, F64] in {
  defvar ToInt = !cast<Instruction>(!if(!eq(from.S, "SS"), "CVTTPS2DQrr", "CVTTPD2DQrr"));
  defvar ToFloat = !cast<Instruction>(!if(!eq(to.S, "SS"), "CVTDQ2PSrr", "CVTDQ2PDrr"));
  def : Pat<(to.VT (sint_to_fp (i32 (fp_to_sint from.RC:$a)))),
            (COPY_TO_REGCLASS (ToFloat (ToInt (COPY_TO_REGCLASS $a, VR128))), to.RC)>;
}

def : Pat<(f32 (bitconvert GR32:$a)), (MOVDI2SSrr $a)>;
def : Pat<(i32 (bitconvert FR32:$a)), (MOVSS2DIrr $a)>;
def : Pat<(f64 (bitconvert GR64:$a)), (MOV64toSDrr $a)>;
def : Pat<(i64 (bitconvert FR64:$a)), (MOVSDto64rr $a)>;
