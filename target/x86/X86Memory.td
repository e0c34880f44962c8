//===- X86Memory.td - loads, stores, atomics ------------------------------===//

foreach t = IntTypes in {
  defvar STORE = !cast<Instruction>("MOV"#t.S#"mr");
  def : Pat<(t.VT (load0 addr:$p)), (!cast<Instruction>("MOV"#t.S#"rm") addr:$p)>;
  def : Pat<(t.VT (!cast<PatFrag>("atomic_load0_"#t.S) addr:$p)), (!cast<Instruction>("MOV"#t.S#"rm") addr:$p)>;
  foreach st = [store0, !cast<PatFrags>("atomic_store0_"#t.S)] in {
    def : Pat<(st t.RC:$v, addr:$p), (STORE addr:$p, $v)>;
    def : Pat<(st (t.VT t.Imm:$v), addr:$p), (!cast<Instruction>("MOV"#t.MI) addr:$p, $v)>;
  }
}

// The low part of a wider value.
foreach t = WideTypes in foreach n = [8, 16, 32] in if !gt(t.Bits, n) then {
  defvar SUB = !cast<SubRegIndex>("sub_"#n#"bit");
  defvar STORE = !cast<Instruction>("MOV"#n#"mr");
  foreach st = ["truncstore0i", "atomic_store0_"] in
    def : Pat<(!cast<PatFrags>(st#n) t.RC:$v, addr:$p), (STORE addr:$p, (EXTRACT_SUBREG $v, SUB))>;
  def : Pat<(store0 (!cast<ValueType>("i"#n) (trunc t.RC:$v)), addr:$p), (STORE addr:$p, (EXTRACT_SUBREG $v, SUB))>;
}

// A condition is stored as a byte of 0 or 1.
def : Pat<(store0 i1:$v, addr:$p), (MOV8mr addr:$p, (AND8ri (COPY_TO_REGCLASS $v, GR8), 1))>;

// Scalars in SSE registers.
foreach t = [F32, F64] in {
  defvar LOAD = !cast<Instruction>("MOV"#t.S#"rm_alt");
  defvar STORE = !cast<Instruction>("MOV"#t.S#"mr");
  def : Pat<(t.VT (load0 addr:$p)), (LOAD addr:$p)>;
  def : Pat<(t.VT (!cast<PatFrag>("atomic_load0_"#t.Bits) addr:$p)), (LOAD addr:$p)>;
  foreach st = [store0, !cast<PatFrags>("atomic_store0_"#t.Bits)] in
    def : Pat<(st t.RC:$v, addr:$p), (STORE addr:$p, $v)>;
}

//===- Atomics -------------------------------------------------------------===//
// Loads and stores are atomic as they are; a sequentially consistent store and
// everything that reads and writes is locked.

foreach t = IntTypes in {
  defvar XCHG = !cast<Instruction>("XCHG"#t.S#"rm");
  defvar XADD = !cast<Instruction>("LXADD"#t.S);
  def : Pat<(!cast<PatFrag>("atomic_store0_seq_cst_"#t.S) t.RC:$v, addr:$p), (XCHG $v, addr:$p)>;
  def : Pat<(t.VT (atomic_swap0 addr:$p, t.RC:$v)), (XCHG $v, addr:$p)>;
  def : Pat<(t.VT (atomic_load_add0 addr:$p, t.RC:$v)), (XADD $v, addr:$p)>;
  def : Pat<(t.VT (atomic_load_sub0 addr:$p, t.RC:$v)),
            (XADD (!cast<Instruction>("NEG"#t.S#"r") $v), addr:$p)>;
  // Nobody wants the old value.
  let AddedComplexity = 1 in
  foreach op = ["add", "sub", "and", "or", "xor"] in {
    defvar name = "LOCK_"#!toupper(op);
    defvar n = !cast<PatFrag>("atomic_load_"#op#"0_noret");
    def : Pat<(t.VT (n addr:$p, t.RC:$v)),
              (Seq (!cast<Instruction>(name#t.S#"mr") addr:$p, $v), (results))>;
    def : Pat<(t.VT (n addr:$p, t.Imm:$v)),
              (Seq (!cast<Instruction>(name#t.MI) addr:$p, $v), (results))>;
  }
  defvar CMPXCHG = !cast<Instruction>("LCMPXCHG"#t.S);
  def : Pat<(t.VT (atomic_cmp_swap0 addr:$p, t.RC:$c, t.RC:$n)),
            (Seq (set t.A, $c), (CMPXCHG addr:$p, $n), (get t.A))>;
  def : Pat<(X86cmpxchg0 addr:$p, t.RC:$c, t.RC:$n),
            (Seq (set t.A, $c), (CMPXCHG addr:$p, $n), (get t.A):$old, (SETCCr COND_E):$ok, (results $old, $ok))>;
}

// A sequentially consistent store from an SSE register.
def : Pat<(atomic_store0_seq_cst_32 FR32:$v, addr:$p), (XCHG32rm (MOVSS2DIrr $v), addr:$p)>;
def : Pat<(atomic_store0_seq_cst_64 FR64:$v, addr:$p), (XCHG64rm (MOVSDto64rr $v), addr:$p)>;
def : Pat<(atomic_fence 7, timm), (MFENCE)>;
def : Pat<(atomic_fence 7, 0), (MEMBARRIER)>;   // of one thread
def : Pat<(atomic_fence timm, timm), (MEMBARRIER)>;
