//===- X86Flags.td - comparisons, branches, conditional moves -------------===//
//
// A comparison sets EFLAGS; SETCC, JCC and CMOV read it. The comparison stands
// as an operand of its user, so that nothing comes between them.

// All users of one comparison: test is its generic form, flags the instruction
// that sets the flags, cc the map of its conditions.
multiclass FlagUsers<dag test, dag flags, CondMap cc> {
  def : Pat<(i8 test), (SETCCr flags, cc:$cc)>;
  def : Pat<(i32 (zext (i8 test))), (MOVZX32rr8 (SETCCr flags, cc:$cc))>;
  def : Pat<(brcond (cond test), bb:$dst), (JCC_1 flags, bb:$dst, cc:$cc)>;
  foreach t = WideTypes in
    def : Pat<(select (cond test), t.RC:$x, t.RC:$y),
              (!cast<Instruction>("CMOV"#t.S#"rr") flags, $y, $x, cc:$cc)>;
  // Pseudos: a branch, since SSE registers have no conditional move.
  def : Pat<(select (cond test), FR32:$x, FR32:$y), (CMOV_FR32 flags, $y, $x, cc:$cc)>;
  def : Pat<(select (cond test), FR64:$x, FR64:$y), (CMOV_FR64 flags, $y, $x, cc:$cc)>;
}

foreach t = IntTypes in {
  defm : FlagUsers<(setcc t.RC:$a, t.RC:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"rr") $a, $b), X86CC>;
  defm : FlagUsers<(setcc t.RC:$a, t.Imm:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.RI) $a, $b), X86CC>;
  defm : FlagUsers<(setcc t.Imm:$a, t.RC:$b, X86CCSwap:$cc),
                   (!cast<Instruction>("CMP"#t.RI) $b, $a), X86CCSwap>;
  defm : FlagUsers<(setcc t.RC:$a, (load addr:$p), X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"rm") $a, addr:$p), X86CC>;
  defm : FlagUsers<(setcc (load addr:$p), t.RC:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.S#"mr") addr:$p, $b), X86CC>;
  defm : FlagUsers<(setcc (t.VT (load addr:$p)), t.Imm:$b, X86CC:$cc),
                   (!cast<Instruction>("CMP"#t.MI) addr:$p, $b), X86CC>;
  defm : FlagUsers<(setcc t.RC:$a, 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"rr") $a, $a), X86CCZero>;
  defm : FlagUsers<(setcc (and t.RC:$a, t.RC:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"rr") $a, $b), X86CCZero>;
  defm : FlagUsers<(setcc (and t.RC:$a, t.Imm:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.RI) $a, $b), X86CCZero>;
  defm : FlagUsers<(setcc (and t.RC:$a, (load addr:$p)), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.S#"mr") addr:$p, $a), X86CCZero>;
  defm : FlagUsers<(setcc (and (t.VT (load addr:$p)), t.Imm:$b), 0, X86CCZero:$cc),
                   (!cast<Instruction>("TEST"#t.MI) addr:$p, $b), X86CCZero>;
}

// One bit by number: BT copies it into the carry flag.
def X86BT : CondMap<[SETNE, SETEQ], [COND_B, COND_AE]>;
foreach t = [I32, I64] in {
  defvar BT = !cast<Instruction>("BT"#t.S#"rr");
  defvar Number = (INSERT_SUBREG (IMPLICIT_DEF), $n, sub_8bit);
  defm : FlagUsers<(setcc (and (srl t.RC:$a, GR8:$n), 1), 0, X86BT:$cc), (BT $a, Number), X86BT>;
  defm : FlagUsers<(setcc (and t.RC:$a, (shl 1, GR8:$n)), 0, X86BT:$cc), (BT $a, Number), X86BT>;
}

multiclass FPCompare<RegisterClass rc, string name> {
  defvar RR = !cast<Instruction>(name#"rr");
  defvar RM = !cast<Instruction>(name#"rm");
  defm : FlagUsers<(fsetcc rc:$a, rc:$b, X86FCC:$cc), (RR $a, $b), X86FCC>;
  defm : FlagUsers<(fsetcc rc:$a, rc:$b, X86FCCSwap:$cc), (RR $b, $a), X86FCCSwap>;
  defm : FlagUsers<(fsetcc rc:$a, (load addr:$p), X86FCC:$cc), (RM $a, addr:$p), X86FCC>;
  defm : FlagUsers<(fsetcc (load addr:$p), rc:$a, X86FCCSwap:$cc), (RM $a, addr:$p), X86FCCSwap>;
  // Equal is Z without P, not equal is not Z or P.
  def : Pat<(i8 (fsetcc rc:$a, rc:$b, SETOEQ)),
            (Seq (RR $a, $b), (SETCCr COND_E):$e, (SETCCr COND_NP):$np, (AND8rr $e, $np))>;
  def : Pat<(i8 (fsetcc rc:$a, rc:$b, SETUNE)),
            (Seq (RR $a, $b), (SETCCr COND_NE):$e, (SETCCr COND_P):$np, (OR8rr $e, $np))>;
  def : Pat<(i8 (fsetcc rc:$a, rc:$b, SETFALSE)), (MOV8ri 0)>;
  def : Pat<(i8 (fsetcc rc:$a, rc:$b, SETTRUE)), (MOV8ri 1)>;
  def : Pat<(brcond (cond (fsetcc rc:$a, rc:$b, SETUNE)), bb:$dst),
            (Seq (RR $a, $b), (JCC_1 bb:$dst, COND_NE), (JCC_1 bb:$dst, COND_P))>;
}
defm : FPCompare<FR32, "UCOMISS">;
defm : FPCompare<FR64, "UCOMISD">;

// MIN and MAX give their second operand unless the first is less (greater).
foreach rc = [FR32, FR64] in {
  defvar S = !if(!eq(!cast<string>(rc), "FR32"), "SS", "SD");
  def : Pat<(select (cond (fsetcc rc:$a, rc:$b, SETOLT)), rc:$a, rc:$b), (!cast<Instruction>("MIN"#S#"rr") $a, $b)>;
  def : Pat<(select (cond (fsetcc rc:$a, rc:$b, SETOGT)), rc:$a, rc:$b), (!cast<Instruction>("MAX"#S#"rr") $a, $b)>;
}

//===- Conditions that are values -----------------------------------------===//

foreach b = [i1, i8] in {
  def : Pat<(brcond (b GR8:$c), bb:$dst), (JCC_1 (TEST8ri $c, 1), bb:$dst, COND_NE)>;
  def : Pat<(brcond (b (xor (b GR8:$c), 1)), bb:$dst), (JCC_1 (TEST8ri $c, 1), bb:$dst, COND_E)>;
  foreach t = WideTypes in
    def : Pat<(select (b GR8:$c), t.RC:$x, t.RC:$y),
              (!cast<Instruction>("CMOV"#t.S#"rr") (TEST8ri $c, 1), $y, $x, COND_NE)>;
}
def : Pat<(select GR32:$c, FR32:$x, FR32:$y), (CMOV_FR32 (TEST32ri $c, 1), $y, $x, COND_NE)>;
def : Pat<(select GR32:$c, FR64:$x, FR64:$y), (CMOV_FR64 (TEST32ri $c, 1), $y, $x, COND_NE)>;
foreach b = [i1, i8] in {
  def : Pat<(select (b GR8:$c), FR32:$x, FR32:$y), (CMOV_FR32 (TEST8ri $c, 1), $y, $x, COND_NE)>;
  def : Pat<(select (b GR8:$c), FR64:$x, FR64:$y), (CMOV_FR64 (TEST8ri $c, 1), $y, $x, COND_NE)>;
}
def : Pat<(brcond (i1 (trunc GR8:$c)), bb:$dst), (JCC_1 (TEST8ri $c, 1), bb:$dst, COND_NE)>;
def : Pat<(brcond (i1 (trunc GR32:$c)), bb:$dst), (JCC_1 (TEST32ri $c, 1), bb:$dst, COND_NE)>;
def : Pat<(brcond GR32:$c, bb:$dst), (JCC_1 (TEST32ri $c, 1), bb:$dst, COND_NE)>;
foreach t = WideTypes in
  def : Pat<(select GR32:$c, t.RC:$x, t.RC:$y),
            (!cast<Instruction>("CMOV"#t.S#"rr") (TEST32ri $c, 1), $y, $x, COND_NE)>;
// There is no conditional move of bytes.
defvar WideX = (INSERT_SUBREG (IMPLICIT_DEF), $x, sub_8bit);
defvar WideY = (INSERT_SUBREG (IMPLICIT_DEF), $y, sub_8bit);
foreach b = [i1, i8] in
def : Pat<(select (b GR8:$c), GR8:$x, GR8:$y),
          (EXTRACT_SUBREG (CMOV32rr WideY, WideX, (TEST8ri $c, 1), COND_NE), sub_8bit)>;
def : Pat<(select GR32:$c, GR8:$x, GR8:$y),
          (EXTRACT_SUBREG (CMOV32rr WideY, WideX, (TEST32ri $c, 1), COND_NE), sub_8bit)>;

//===- Overflow and carry --------------------------------------------------===//

foreach t = IntTypes in {
  foreach x = [["uaddo", "ADD", "2"], ["saddo", "ADD", "0"], ["usubo", "SUB", "2"], ["ssubo", "SUB", "0"]] in {
    defvar op = !cast<SDNode>(x[0]);
    defvar cc = !cond(!eq(x[2], "2"): COND_B, true: COND_O);
    def : Pat<(op t.RC:$a, t.RC:$b),
              (Seq (!cast<Instruction>(x[1]#t.S#"rr") $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
    def : Pat<(op t.RC:$a, t.Imm:$b),
              (Seq (!cast<Instruction>(x[1]#t.RI) $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
    def : Pat<(op t.RC:$a, (load addr:$p)),
              (Seq (!cast<Instruction>(x[1]#t.S#"rm") $a, addr:$p):$r, (SETCCr cc):$o, (results $r, $o))>;
  }
  // Carry in: adding all ones to a bool carries exactly when it is true.
  foreach x = [["uadde", "ADC", "2"], ["sadde", "ADC", "0"], ["usube", "SBB", "2"], ["ssube", "SBB", "0"]] in {
    defvar op = !cast<SDNode>(x[0]);
    defvar cc = !cond(!eq(x[2], "2"): COND_B, true: COND_O);
    def : Pat<(op t.RC:$a, t.RC:$b, GR8:$c),
              (Seq (ADD8ri (AND8ri $c, 1), -1):$k,
                   (!cast<Instruction>(x[1]#t.S#"rr") $a, $b):$r, (SETCCr cc):$o, (results $r, $o))>;
  }
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
def : Pat<(brind GR64:$p), (JMP64r $p)>;
def : Pat<(brind (load addr:$p)), (JMP64m addr:$p)>;
def tableOfDiffs : PatFrag<(ops node:$t, node:$j, node:$i), (brjt node:$t, node:$j, node:$i), "tableOfDiffs">;
def tableOfAddrs : PatFrag<(ops node:$t, node:$j, node:$i), (brjt node:$t, node:$j, node:$i), "tableOfAddrs">;
def : Pat<(tableOfDiffs GR64:$t, jtable:$j, GR64:$i),
          (JMP64r (ADD64rr (MOVSX64rm32 $t, 4, $i, 0, zero_reg), $t))>;
def : Pat<(tableOfAddrs GR64:$t, jtable:$j, GR64:$i), (JMP64m $t, 8, $i, 0, zero_reg)>;

def x86_pause  : Intrinsic<"llvm.x86.sse2.pause", [], [], 1>;
def x86_mfence : Intrinsic<"llvm.x86.sse2.mfence", [], [], 1>;
def x86_lfence : Intrinsic<"llvm.x86.sse2.lfence", [], [], 1>;
def x86_sfence : Intrinsic<"llvm.x86.sse.sfence", [], [], 1>;
def x86_rdtsc  : Intrinsic<"llvm.x86.rdtsc", ["T"], [], 1>;
def : Pat<(x86_pause), (PAUSE)>;
def : Pat<(x86_mfence), (MFENCE)>;
def : Pat<(x86_lfence), (LFENCE)>;
def : Pat<(x86_sfence), (SFENCE)>;
defvar TSC = (Seq (RDTSC), (get RAX):$lo, (get RDX):$hi, (OR64rr (SHL64ri $hi, 32), $lo));
def : Pat<(i64 (x86_rdtsc)), TSC>;
foreach rw = [0, 1] in {
  def : Pat<(prefetch addr:$p, rw, 3, 1), (PREFETCHT0 addr:$p)>;
  def : Pat<(prefetch addr:$p, rw, 2, 1), (PREFETCHT1 addr:$p)>;
  def : Pat<(prefetch addr:$p, rw, 1, 1), (PREFETCHT2 addr:$p)>;
  def : Pat<(prefetch addr:$p, rw, 0, 1), (PREFETCHNTA addr:$p)>;
}

def : Pat<(trap), (TRAP)>;
def : Pat<(debugtrap), (INT3)>;
def : Pat<(ubsantrap timm:$k), (UBSAN_UD1 timm:$k)>;
def : Pat<(i64 (stacksave)), (get RSP)>;
def : Pat<(stackrestore GR64:$p), (set RSP, $p)>;
def : Pat<(i64 (readcyclecounter)), TSC>;
