//===- X86Memory.td - loads, stores, atomics ------------------------------===//

foreach t = IntTypes in {
  def : Pat<(t.VT (load addr:$p)), (!cast<Instruction>("MOV"#t.S#"rm") addr:$p)>;
  def : Pat<(store t.RC:$v, addr:$p), (!cast<Instruction>("MOV"#t.S#"mr") addr:$p, $v)>;
  def : Pat<(store (t.VT t.Imm:$v), addr:$p), (!cast<Instruction>("MOV"#t.MI) addr:$p, $v)>;
}

// The low part of a wider value.
foreach t = WideTypes in foreach n = [8, 16, 32] in if !gt(t.Bits, n) then {
  defvar SUB = !cast<SubRegIndex>("sub_"#n#"bit");
  def : Pat<(!cast<SDNode>("truncstorei"#n) t.RC:$v, addr:$p),
            (!cast<Instruction>("MOV"#n#"mr") addr:$p, (EXTRACT_SUBREG $v, SUB))>;
  def : Pat<(store (!cast<ValueType>("i"#n) (trunc t.RC:$v)), addr:$p),
            (!cast<Instruction>("MOV"#n#"mr") addr:$p, (EXTRACT_SUBREG $v, SUB))>;
}

// A condition is stored as a byte of 0 or 1.
def : Pat<(store (i1 GR8:$v), addr:$p), (MOV8mr addr:$p, (AND8ri $v, 1))>;

// Scalars in SSE registers.
def : Pat<(f32 (load addr:$p)), (MOVSSrm_alt addr:$p)>;
def : Pat<(f64 (load addr:$p)), (MOVSDrm_alt addr:$p)>;
def : Pat<(store FR32:$v, addr:$p), (MOVSSmr addr:$p, $v)>;
def : Pat<(store FR64:$v, addr:$p), (MOVSDmr addr:$p, $v)>;

//===- Atomics -------------------------------------------------------------===//
// Loads and stores are atomic as they are; a sequentially consistent store and
// everything that reads and writes is locked.

foreach t = IntTypes in {
  defvar XCHG = !cast<Instruction>("XCHG"#t.S#"rm");
  defvar XADD = !cast<Instruction>("LXADD"#t.S);
  def : Pat<(atomic_store_seq_cst t.RC:$v, addr:$p), (Seq (XCHG $v, addr:$p):$old)>;
  def : Pat<(t.VT (atomic_swap addr:$p, t.RC:$v)), (XCHG $v, addr:$p)>;
  def : Pat<(t.VT (atomic_load_add addr:$p, t.RC:$v)), (XADD $v, addr:$p)>;
  def : Pat<(t.VT (atomic_load_sub addr:$p, t.RC:$v)),
            (XADD (!cast<Instruction>("NEG"#t.S#"r") $v), addr:$p)>;
  // Nobody wants the old value: (results) names none.
  foreach op = ["add", "sub", "and", "or", "xor"] in {
    defvar name = "LOCK_"#!toupper(op);
    defvar n = !cast<SDNode>("atomic_load_"#op);
    def : Pat<(t.VT (n addr:$p, t.RC:$v)),
              (Seq (!cast<Instruction>(name#t.S#"mr") addr:$p, $v), (results))>;
    def : Pat<(t.VT (n addr:$p, t.Imm:$v)),
              (Seq (!cast<Instruction>(name#t.MI) addr:$p, $v), (results))>;
  }
  defvar CMPXCHG = !cast<Instruction>("LCMPXCHG"#t.S);
  def : Pat<(t.VT (atomic_cmp_swap addr:$p, t.RC:$c, t.RC:$n)),
            (Seq (set t.A, $c), (CMPXCHG addr:$p, $n), (get t.A))>;
  def : Pat<(atomic_cmp_swap_with_success addr:$p, t.RC:$c, t.RC:$n),
            (Seq (set t.A, $c), (CMPXCHG addr:$p, $n), (get t.A):$old, (SETCCr COND_E):$ok, (results $old, $ok))>;
}
def : Pat<(atomic_fence 7, timm:$scope), (MFENCE)>;
def : Pat<(atomic_fence 7, 0), (MEMBARRIER)>;   // of one thread
def : Pat<(atomic_fence timm:$order, timm:$scope), (MEMBARRIER)>;
