//===- X86Flags.td - comparisons, branches, conditional moves -------------===//
//
// A comparison sets EFLAGS; SETCC, JCC and CMOV read it. The comparison is the
// step before its user, so that nothing comes between them.

// All users of one comparison: test is its generic form, flags the instruction
// that sets the flags, cc the map of its conditions.
multiclass FlagUsers<dag test, dag flags, CondMap cc> {
  def : Pat<(i8 test), (Seq flags, (SETCCr cc:$cc))>;
  def : Pat<(i32 (zext (i8 test))), (Seq flags, (MOVZX32rr8 (SETCCr cc:$cc)))>;
  // As made, or truncated to the type that LLVM's own legalizer gives branches.
  defvar c8 = (i8 test);
  defvar c1 = (i1 (trunc c8));
  foreach c = [c8, c1] in {
    def : Pat<(brcond c, bb:$dst), (Seq flags, (JCC_1 bb:$dst, cc:$cc))>;
    foreach t = WideTypes in
      def : Pat<(select c, t.RC:$x, t.RC:$y),
                (Seq flags, (!cast<Instruction>("CMOV"#t.S#"rr") $y, $x, cc:$cc))>;
    // Pseudos: a branch, since SSE registers have no conditional move.
    def : Pat<(select c, FR32:$x, FR32:$y), (Seq flags, (CMOV_FR32 $y, $x, cc:$cc))>;
    def : Pat<(select c, FR64:$x, FR64:$y), (Seq flags, (CMOV_FR64 $y, $x, cc:$cc))>;
  }
}

// An AND whose result nobody else wants; others set the flags by the way.
def and_only : PatFrag<(ops node:$a, node:$b), (and node:$a, node:$b), "hasOneUser">;
foreach t = IntTypes in {
  defm : FlagUsers<(setcc t.RC:$a, t.RC:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"rr") $a, $b), X86CC>;
  defm : FlagUsers<(setcc t.RC:$a, t.Imm:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.RI) $a, $b), X86CC>;
  defm : FlagUsers<(setcc t.Imm:$a, t.RC:$b, X86CCSwap:$cc),
                   (!cast<Instruction>("CMP"#t.RI) $b, $a), X86CCSwap>;
  defm : FlagUsers<(setcc t.RC:$a, (load0 addr:$p), X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"rm") $a, addr:$p), X86CC>;
  defm : FlagUsers<(setcc (load0 addr:$p), t.RC:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"mr") addr:$p, $b), X86CC>;
  defm : FlagUsers<(setcc (t.VT (load0 addr:$p)), t.Imm:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.MI) addr:$p, $b), X86CC>;
  defm : FlagUsers<(setcc t.RC:$a, 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"rr") $a, $a), X86CCZero>;
  defm : FlagUsers<(setcc (and_only t.RC:$a, t.RC:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"rr") $a, $b), X86CCZero>;
  defm : FlagUsers<(setcc (and_only t.RC:$a, t.Imm:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.RI) $a, $b), X86CCZero>;
  defm : FlagUsers<(setcc (and_only t.RC:$a, (load0 addr:$p)), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"mr") addr:$p, $a), X86CCZero>;
  defm : FlagUsers<(setcc (and_only (t.VT (load0 addr:$p)), t.Imm:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.MI) addr:$p, $b), X86CCZero>;
}

// Masks of few bits: the low part of the register, or the first byte in memory,
// has them all. A mask with the highest bit of the part says nothing of the sign.
def X86CCEq : CondMap<[SETEQ, SETNE], [COND_E, COND_NE]>;
foreach t = WideTypes in {
  def mask7_#t.S : ImmLeaf<t.VT, [{ return isUInt<7>(Imm); }]>;
  def mask8_#t.S : ImmLeaf<t.VT, [{ return isUInt<8>(Imm); }]>;
  foreach x = [["mask7_", "X86CCZero"], ["mask8_", "X86CCEq"]] in {
    defvar mask = !cast<ImmLeaf>(x[0]#t.S);
    defvar cc = !cast<CondMap>(x[1]);
    let AddedComplexity = 8 in {
    defm : FlagUsers<(setcc (and_only t.RC:$a, mask:$b), 0, cc:$cc), (TEST8ri (EXTRACT_SUBREG $a, sub_8bit), $b), cc>;
    defm : FlagUsers<(setcc (and_only (t.VT (load0 addr:$p)), mask:$b), 0, cc:$cc), (TEST8mi addr:$p, $b), cc>;
    }
  }
}
def mask31 : ImmLeaf<i64, [{ return isUInt<31>(Imm); }]>;
let AddedComplexity = 4 in {
defm : FlagUsers<(setcc (and_only GR64:$a, mask31:$b), 0, X86CCZero:$cc), (TEST32ri (EXTRACT_SUBREG $a, sub_32bit), $b), X86CCZero>;
defm : FlagUsers<(setcc (and_only GR64:$a, i64immZExt32:$b), 0, X86CCEq:$cc), (TEST32ri (EXTRACT_SUBREG $a, sub_32bit), $b), X86CCEq>;
}

// One bit by number: BT copies it into the carry flag.
def X86BT : CondMap<[SETNE, SETEQ], [COND_B, COND_AE]>;
foreach t = [I32, I64] in {
  defvar BT = !cast<Instruction>("BT"#t.S#"rr");
  defvar Number = (INSERT_SUBREG (IMPLICIT_DEF), $n, sub_8bit);
  let AddedComplexity = 20 in {
  defm : FlagUsers<(setcc (and_only (srl t.RC:$a, GR8:$n), 1), 0, X86BT:$cc), (BT $a, Number), X86BT>;
  defm : FlagUsers<(setcc (and_only t.RC:$a, (shl 1, GR8:$n)), 0, X86BT:$cc), (BT $a, Number), X86BT>;
  }
}

// What no one condition says of a comparison of numbers.
multiclass FPEquality<RegisterClass rc, Instruction RR> {
  // Equal is Z without P, not equal is not Z or P.
  def : Pat<(i8 (setcc rc:$a, rc:$b, SETOEQ)),
            (Seq (RR $a, $b), (SETCCr COND_E):$e, (SETCCr COND_NP):$np, (AND8rr $e, $np))>;
  def : Pat<(i8 (setcc rc:$a, rc:$b, SETUNE)),
            (Seq (RR $a, $b), (SETCCr COND_NE):$e, (SETCCr COND_P):$np, (OR8rr $e, $np))>;
  def : Pat<(i8 (setcc rc:$a, rc:$b, SETFALSE)), (Seq (RR $a, $b), (MOV8ri 0))>;
  def : Pat<(i8 (setcc rc:$a, rc:$b, SETTRUE)), (Seq (RR $a, $b), (MOV8ri 1))>;
  defvar c8 = (i8 (setcc rc:$a, rc:$b, SETUNE));
  defvar c1 = (i1 (trunc c8));
  foreach c = [c8, c1] in
  def : Pat<(brcond c, bb:$dst),
            (Seq (RR $a, $b), (JCC_1 bb:$dst, COND_NE), (JCC_1 bb:$dst, COND_P))>;
}

multiclass FPCompare<RegisterClass rc, string name, ComplexPattern const> {
  defvar RR = !cast<Instruction>(name#"rr");
  defvar RM = !cast<Instruction>(name#"rm");
  defm : FlagUsers<(setcc rc:$a, rc:$b, X86FCC:$cc), (RR $a, $b), X86FCC>;
  defm : FlagUsers<(setcc rc:$a, rc:$b, X86FCCSwap:$cc), (RR $b, $a), X86FCCSwap>;
  defm : FlagUsers<(setcc rc:$a, (load0 addr:$p), X86FCC:$cc), (RM $a, addr:$p), X86FCC>;
  defm : FlagUsers<(setcc (load0 addr:$p), rc:$a, X86FCCSwap:$cc), (RM $a, addr:$p), X86FCCSwap>;
  defm : FlagUsers<(setcc rc:$a, const:$p, X86FCC:$cc), (RM $a, const:$p), X86FCC>;
  defm : FPEquality<rc, RR>;
}
defm : FPCompare<FR32, "UCOMISS", fpconst32>;
defm : FPCompare<FR64, "UCOMISD", fpconst64>;

// Other choices between numbers by a comparison of such: CMPSS makes a mask of all bits
// or none, which chooses without a branch. Zero is chosen by one AND.
def X86SSECC : CondMap<[SETOEQ, SETOLT, SETOLE, SETUO, SETUNE, SETUGE, SETUGT, SETO], [0, 1, 2, 3, 4, 5, 6, 7]>;
def X86SSECCSwap : CondMap<[SETOGT, SETOGE, SETULE, SETULT], [1, 2, 5, 6]>;
foreach rc = [FR32, FR64] in {
  defvar single = !eq(!cast<string>(rc), "FR32");
  defvar CMP = !cast<Instruction>(!if(single, "CMPSSrri", "CMPSDrri"));
  defvar zero = !if(single, fp32imm0, fp64imm0);
  defvar X = (COPY_TO_REGCLASS $x, VR128);
  defvar Y = (COPY_TO_REGCLASS $y, VR128);
  defvar M = (COPY_TO_REGCLASS $m, VR128);
  defvar IsX = (ANDPSrr M, X);
  defvar NotY = (ANDNPSrr M, Y);
  foreach cc = [X86SSECC, X86SSECCSwap] in {
    defvar mask = !if(!eq(!cast<string>(cc), "X86SSECC"), (CMP $a, $b, cc:$cc), (CMP $b, $a, cc:$cc));
    defvar c8 = (i8 (setcc rc:$a, rc:$b, cc:$cc));
    foreach c = [c8, (i1 (trunc c8))] in {
      let AddedComplexity = 1 in
      def : Pat<(select c, rc:$x, rc:$y), (Seq mask:$m, (COPY_TO_REGCLASS (ORPSrr NotY, IsX), rc))>;
      let AddedComplexity = 2 in {
      def : Pat<(select c, rc:$x, zero), (Seq mask:$m, (COPY_TO_REGCLASS IsX, rc))>;
      def : Pat<(select c, zero, rc:$y), (Seq mask:$m, (COPY_TO_REGCLASS NotY, rc))>;
      }
    }
  }
}

// MIN and MAX give their second operand unless the first is less (greater): a where it
// is, b where the opposite does not hold, which says the same.
let AddedComplexity = 5 in
foreach rc = [FR32, FR64] in {
  defvar S = !if(!eq(!cast<string>(rc), "FR32"), "SS", "SD");
  foreach x = [[SETOLT, SETUGE], [SETOGT, SETULE]] in {
    defvar less = !eq(!cast<string>(x[0]), "SETOLT");
    defvar this = !cast<Instruction>(!if(less, "MIN", "MAX")#S#"rr");
    defvar other = !cast<Instruction>(!if(less, "MAX", "MIN")#S#"rr");
    foreach wide = [0, 1] in {
      defvar is = !if(wide, (i8 (setcc rc:$a, rc:$b, x[0])), (i1 (trunc (i8 (setcc rc:$a, rc:$b, x[0])))));
      defvar not = !if(wide, (i8 (setcc rc:$a, rc:$b, x[1])), (i1 (trunc (i8 (setcc rc:$a, rc:$b, x[1])))));
      def : Pat<(select is, rc:$a, rc:$b), (this $a, $b)>;
      def : Pat<(select not, rc:$b, rc:$a), (this $a, $b)>;
      def : Pat<(select is, rc:$b, rc:$a), (other $b, $a)>;
      def : Pat<(select not, rc:$a, rc:$b), (other $b, $a)>;
    }
  }
}

//===- Conditions that are values -----------------------------------------===//

// Of a bool in a byte register only the lowest bit is defined.
defvar TestBool = (TEST8ri (COPY_TO_REGCLASS $c, GR8), 1);
defvar TestBool32 = (TEST32ri $c, 1);
foreach b = [i1, i8] in {
  def : Pat<(brcond b:$c, bb:$dst), (Seq TestBool, (JCC_1 bb:$dst, COND_NE))>;
  def : Pat<(brcond (xor b:$c, (b 1)), bb:$dst), (Seq TestBool, (JCC_1 bb:$dst, COND_E))>;
  foreach t = WideTypes in
    def : Pat<(select b:$c, t.RC:$x, t.RC:$y),
              (Seq TestBool, (!cast<Instruction>("CMOV"#t.S#"rr") $y, $x, COND_NE))>;
  def : Pat<(select b:$c, FR32:$x, FR32:$y), (Seq TestBool, (CMOV_FR32 $y, $x, COND_NE))>;
  def : Pat<(select b:$c, FR64:$x, FR64:$y), (Seq TestBool, (CMOV_FR64 $y, $x, COND_NE))>;
}
// Bools that comparisons made are 0 or 1, and what joins them sets the flags.
def or_bools : PatFrag<(ops node:$a, node:$b), (or node:$a, node:$b), "joinsBools">;
def and_bools : PatFrag<(ops node:$a, node:$b), (and node:$a, node:$b), "joinsBools">;
let AddedComplexity = 10 in
foreach x = [["or_bools", "OR8rr"], ["and_bools", "TEST8rr"]] in {
  defvar joined = (i8 (!cast<PatFrag>(x[0]) GR8:$a, GR8:$b));
  defvar flags = (!cast<Instruction>(x[1]) $a, $b);
  foreach c = [joined, (i1 (trunc joined))] in {
    def : Pat<(brcond c, bb:$dst), (Seq flags, (JCC_1 bb:$dst, COND_NE))>;
    foreach t = WideTypes in
      def : Pat<(select c, t.RC:$x, t.RC:$y), (Seq flags, (!cast<Instruction>("CMOV"#t.S#"rr") $y, $x, COND_NE))>;
  }
  def : Pat<(brcond (xor joined, (i8 1)), bb:$dst), (Seq flags, (JCC_1 bb:$dst, COND_E))>;
}
def : Pat<(select GR32:$c, FR32:$x, FR32:$y), (Seq TestBool32, (CMOV_FR32 $y, $x, COND_NE))>;
def : Pat<(select GR32:$c, FR64:$x, FR64:$y), (Seq TestBool32, (CMOV_FR64 $y, $x, COND_NE))>;
def : Pat<(brcond (i1 (trunc GR8:$c)), bb:$dst), (Seq (TEST8ri $c, 1), (JCC_1 bb:$dst, COND_NE))>;
def : Pat<(brcond (i1 (trunc GR32:$c)), bb:$dst), (Seq TestBool32, (JCC_1 bb:$dst, COND_NE))>;
def : Pat<(brcond GR32:$c, bb:$dst), (Seq TestBool32, (JCC_1 bb:$dst, COND_NE))>;
foreach t = WideTypes in
  def : Pat<(select GR32:$c, t.RC:$x, t.RC:$y),
            (Seq TestBool32, (!cast<Instruction>("CMOV"#t.S#"rr") $y, $x, COND_NE))>;
// There is no conditional move of bytes.
defvar WideX = (INSERT_SUBREG (IMPLICIT_DEF), $x, sub_8bit);
defvar WideY = (INSERT_SUBREG (IMPLICIT_DEF), $y, sub_8bit);
defvar MoveByte = (EXTRACT_SUBREG (CMOV32rr $wy, $wx, COND_NE), sub_8bit);
foreach b = [i1, i8] in
  def : Pat<(select b:$c, GR8:$x, GR8:$y), (Seq WideY:$wy, WideX:$wx, TestBool, MoveByte)>;
def : Pat<(select GR32:$c, GR8:$x, GR8:$y), (Seq WideY:$wy, WideX:$wx, TestBool32, MoveByte)>;

//===- Overflow and carry --------------------------------------------------===//

foreach t = IntTypes in {
  foreach x = [["uaddo", "ADD", "2"], ["saddo", "ADD", "0"], ["usubo", "SUB", "2"], ["ssubo", "SUB", "0"]] in {
    defvar op = !cast<SDNode>(x[0]);
    defvar cc = !cond(!eq(x[2], "2"): COND_B, true: COND_O);
    def : Pat<(op t.RC:$a, t.RC:$b),
              (Seq (!cast<Instruction>(x[1]#t.S#"rr") $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
    def : Pat<(op t.RC:$a, t.Imm:$b),
              (Seq (!cast<Instruction>(x[1]#t.RI) $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
    def : Pat<(op t.RC:$a, (load0 addr:$p)),
              (Seq (!cast<Instruction>(x[1]#t.S#"rm") $a, addr:$p):$r, (SETCCr cc):$o, (results $r, $o))>;
  }
  // Carry in: adding all ones to a bool carries exactly when it is true.
  foreach x = [["uaddo_carry", "ADC", "2"], ["saddo_carry", "ADC", "0"], ["usubo_carry", "SBB", "2"], ["ssubo_carry", "SBB", "0"]] in {
    defvar op = !cast<SDNode>(x[0]);
    defvar cc = !cond(!eq(x[2], "2"): COND_B, true: COND_O);
    def : Pat<(op t.RC:$a, t.RC:$b, GR8:$c),
              (Seq (ADD8ri (AND8ri $c, 1), -1),
                   (!cast<Instruction>(x[1]#t.S#"rr") $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
  }
}
// What is added or subtracted is the carry of a comparison: a < b, a == 0, that is, a < 1,
// or the opposite, which is 1 less that.
def zext_only : PatFrag<(ops node:$a), (zext node:$a), "hasOneUser">;
foreach c = IntTypes in foreach t = [I32, I64] in {
  defvar cmp = (!cast<Instruction>("CMP"#c.S#"rr") $a, $b);
  defvar cmpSwapped = (!cast<Instruction>("CMP"#c.S#"rr") $b, $a);
  defvar cmp1 = (!cast<Instruction>("CMP"#c.RI) $a, 1);
  defvar ADC = !cast<Instruction>("ADC"#t.RI);
  defvar SBB = !cast<Instruction>("SBB"#t.RI);
  foreach x = [[SETULT, SETUGE], [SETUGT, SETULE]] in {
    defvar flags = !if(!eq(!cast<string>(x[0]), "SETULT"), cmp, cmpSwapped);
    defvar is = (t.VT (zext_only (i8 (setcc c.RC:$a, c.RC:$b, x[0]))));
    defvar not = (t.VT (zext_only (i8 (setcc c.RC:$a, c.RC:$b, x[1]))));
    def : Pat<(add t.RC:$x, is), (Seq flags, (ADC $x, 0))>;
    def : Pat<(sub t.RC:$x, is), (Seq flags, (SBB $x, 0))>;
    def : Pat<(add t.RC:$x, not), (Seq flags, (SBB $x, -1))>;
    def : Pat<(sub t.RC:$x, not), (Seq flags, (ADC $x, -1))>;
  }
  defvar none = (t.VT (zext_only (i8 (setcc c.RC:$a, 0, SETEQ))));
  defvar some = (t.VT (zext_only (i8 (setcc c.RC:$a, 0, SETNE))));
  def : Pat<(add t.RC:$x, none), (Seq cmp1, (ADC $x, 0))>;
  def : Pat<(sub t.RC:$x, none), (Seq cmp1, (SBB $x, 0))>;
  def : Pat<(add t.RC:$x, some), (Seq cmp1, (SBB $x, -1))>;
  def : Pat<(sub t.RC:$x, some), (Seq cmp1, (ADC $x, -1))>;
}

foreach t = WideTypes in {
  def : Pat<(smulo t.RC:$a, t.RC:$b),
            (Seq (!cast<Instruction>("IMUL"#t.S#"rr") $a, $b):$r, (SETCCr COND_O):$o, (results $r, $o))>;
  def : Pat<(umulo t.RC:$a, t.RC:$b),
            (Seq (set t.A, $a), (!cast<Instruction>("MUL"#t.S#"r") $b), (get t.A):$r, (SETCCr COND_O):$o,
                 (results $r, $o))>;
}
def : Pat<(smulo GR8:$a, GR8:$b),
          (Seq (set AL, $a), (IMUL8r $b), (get AL):$r, (SETCCr COND_O):$o, (results $r, $o))>;
def : Pat<(umulo GR8:$a, GR8:$b),
          (Seq (set AL, $a), (MUL8r $b), (get AL):$r, (SETCCr COND_O):$o, (results $r, $o))>;

//===- Control flow --------------------------------------------------------===//

def : Pat<(br bb:$dst), (JMP_1 bb:$dst)>;
let Predicates = [In64BitMode] in {
def : Pat<(brind GR64:$p), (JMP64r $p)>;
def : Pat<(brind (load0 addr:$p)), (JMP64m addr:$p)>;
}
let Predicates = [Not64BitMode] in {
def : Pat<(brind GR32:$p), (JMP32r $p)>;
def : Pat<(brind (load0 addr:$p)), (JMP32m addr:$p)>;
}
def tableOfDiffs : PatFrag<(ops node:$t, node:$j, node:$i), (X86brjt node:$t, node:$j, node:$i), "tableOfDiffs">;
def tableOfAddrs : PatFrag<(ops node:$t, node:$j, node:$i), (X86brjt node:$t, node:$j, node:$i), "tableOfAddrs">;
let Predicates = [In64BitMode] in {
def : Pat<(tableOfDiffs GR64:$t, tjumptable, GR64:$i),
          (JMP64r (ADD64rr (MOVSX64rm32 $t, 4, $i, 0, zero_reg), $t))>;
def : Pat<(tableOfAddrs GR64:$t, tjumptable, GR64:$i), (JMP64m $t, 8, $i, 0, zero_reg)>;
}

def int_x86_sse2_pause  : Intrinsic<[]>;
def int_x86_rdtsc       : Intrinsic<[llvm_i64_ty], [], [IntrNoMem, IntrHasSideEffects]>;
def : Pat<(int_x86_sse2_pause), (PAUSE)>;
defvar TSC = (Seq (RDTSC), (get RAX):$lo, (get RDX):$hi, (OR64rr (SHL64ri $hi, 32), $lo));
let Predicates = [In64BitMode] in
def : Pat<(int_x86_rdtsc), TSC>;
foreach rw = [0, 1] in
  foreach x = [["3", "T0"], ["2", "T1"], ["1", "T2"], ["0", "NTA"]] in {
    defvar locality = !cond(!eq(x[0], "3"): 3, !eq(x[0], "2"): 2, !eq(x[0], "1"): 1, true: 0);
    def : Pat<(prefetch addr:$p, (i32 rw), (i32 locality), (i32 1)), (!cast<Instruction>("PREFETCH"#x[1]) addr:$p)>;
  }

def : Pat<(trap), (TRAP)>;
def : Pat<(debugtrap), (INT3)>;
def : Pat<(ubsantrap (i32 timm:$k)), (UBSAN_UD1 timm:$k)>;
let Predicates = [In64BitMode] in {
def : Pat<(i64 (stacksave)), (get RSP)>;
def : Pat<(stackrestore GR64:$p), (set RSP, $p)>;
def : Pat<(i64 (readcyclecounter)), TSC>;
}
let Predicates = [Not64BitMode] in {
def : Pat<(i32 (stacksave)), (get ESP)>;
def : Pat<(stackrestore GR32:$p), (set ESP, $p)>;
}
