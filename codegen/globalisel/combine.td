// The combine rules of the passes in front of the legalizer, behind it and behind
// regbankselect. mirin tblgen --gen-go-combiner makes zz_combine*.go of them; the Go
// functions are in combine*.go. A rule stands before another where both could match and
// the first is the better.
include "mirin/Combine.td"

defset list<GICombineRule> rules = {

// Copies between registers without a class are names for one value.
def copy : GICombineRule<(defs root:$d), (match (COPY $d, $s)), (apply (GIReplaceReg $d, $s))>;

// ---- Constants ----

// Constants stand on the right, so that the rules below find them there.
foreach op = [G_ADD, G_MUL, G_AND, G_OR, G_XOR, G_SMIN, G_SMAX, G_UMIN, G_UMAX] in
def "const_right_" # op : GICombineRule<(defs root:$d),
  (match (op $d, $c, $x):$mi, "isConst(${c}) && !isConst(${x})"),
  (apply (op $d, $x, $c, (MIFlags $mi)))>;

foreach op = [G_ADD, G_SUB, G_MUL, G_AND, G_OR, G_XOR, G_SHL, G_LSHR, G_ASHR, G_UDIV, G_SDIV, G_UREM, G_SREM, G_SMIN, G_SMAX, G_UMIN, G_UMAX] in
def "fold_" # op : GICombineRule<(defs root:$d, int_data:$k),
  (match (op $d, $x, $y):$mi, "foldBinary(${mi}, ${k})"), (apply (G_CONSTANT $d, $k))>;

foreach op = [G_ZEXT, G_SEXT, G_TRUNC] in
def "fold_" # op : GICombineRule<(defs root:$d, int_data:$k),
  (match (op $d, $x):$mi, "foldCast(${mi}, ${k})"), (apply (G_CONSTANT $d, $k))>;

def fold_icmp : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ICMP $d, $p, $x, $y):$mi, "foldICmp(${mi}, ${k})"), (apply (G_CONSTANT $d, $k))>;

// ---- Identities ----

foreach op = [G_ADD, G_SUB, G_OR, G_XOR, G_SHL, G_LSHR, G_ASHR, G_PTR_ADD, G_ROTL, G_ROTR] in
def "zero_right_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, 0)), (apply (GIReplaceReg $d, $x))>;
foreach op = [G_MUL, G_UDIV, G_SDIV] in
def "one_right_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, 1)), (apply (GIReplaceReg $d, $x))>;
foreach op = [G_MUL, G_AND] in
def "to_zero_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, 0:$z)), (apply (GIReplaceReg $d, $z))>;
def and_ones : GICombineRule<(defs root:$d), (match (G_AND $d, $x, -1)), (apply (GIReplaceReg $d, $x))>;
def or_ones : GICombineRule<(defs root:$d), (match (G_OR $d, $x, -1:$ones)), (apply (GIReplaceReg $d, $ones))>;
foreach op = [G_AND, G_OR, G_SMIN, G_SMAX, G_UMIN, G_UMAX] in
def "same_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, $x)), (apply (GIReplaceReg $d, $x))>;
foreach op = [G_SUB, G_XOR] in
def "same_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, $x), "isScalarInt(${x})"), (apply (G_CONSTANT $d, 0))>;

// ---- Sums ----

// x + y - y and the like.
def add_sub_1 : GICombineRule<(defs root:$d), (match (G_ADD $t, $x, $y), (G_SUB $d, $t, $y)), (apply (GIReplaceReg $d, $x))>;
def add_sub_2 : GICombineRule<(defs root:$d), (match (G_ADD $t, $x, $y), (G_SUB $d, $t, $x)), (apply (GIReplaceReg $d, $y))>;
def sub_add_1 : GICombineRule<(defs root:$d), (match (G_SUB $t, $x, $y), (G_ADD $d, $t, $y)), (apply (GIReplaceReg $d, $x))>;
def sub_add_2 : GICombineRule<(defs root:$d), (match (G_SUB $t, $x, $y), (G_ADD $d, $y, $t)), (apply (GIReplaceReg $d, $x))>;
// x - (0 - y), x + (0 - y).
def sub_neg : GICombineRule<(defs root:$d), (match (G_SUB $n, 0, $y), (G_SUB $d, $x, $n)), (apply (G_ADD $d, $x, $y))>;
def add_neg_1 : GICombineRule<(defs root:$d), (match (G_SUB $n, 0, $y), (G_ADD $d, $x, $n)), (apply (G_SUB $d, $x, $y))>;
def add_neg_2 : GICombineRule<(defs root:$d), (match (G_SUB $n, 0, $y), (G_ADD $d, $n, $x)), (apply (G_SUB $d, $x, $y))>;
def mul_minus_one : GICombineRule<(defs root:$d), (match (G_MUL $d, $x, -1)), (apply (G_SUB $d, 0, $x))>;
// (x op c1) op c2 -> x op (c1 op c2).
foreach op = [G_ADD, G_AND, G_OR, G_XOR, G_MUL] in
def "chain_" # op : GICombineRule<(defs root:$d, int_data:$k),
  (match (op $t, $x, $c1), (op $d, $t, $c2):$mi, "isOneUse(${t}) && foldConsts(${mi}, ${c1}, ${c2}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$c, $k), (op $d, $x, $c))>;
// The only use of an intermediate sum with a constant subtracted.
def chain_sub_add : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SUB $t, $x, $c1), (G_ADD $d, $t, $c2), "isOneUse(${t}) && difference(${c2}, ${c1}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$c, $k), (G_ADD $d, $x, $c))>;
def chain_add_sub : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ADD $t, $x, $c1), (G_SUB $d, $t, $c2), "isOneUse(${t}) && difference(${c1}, ${c2}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$c, $k), (G_ADD $d, $x, $c))>;

// ---- Multiplication and division by powers of two ----

def mul_to_shl : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_MUL $d, $x, $c):$mi, "powerOfTwo(${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (G_SHL $d, $x, $n, (MIFlags $mi, (not NoSWrap))))>;
// By other numbers with additions of shifted operands, where the target has them.
def mul_const : GICombineRule<(defs root:$d), (match (G_MUL $d, $x, $c):$mi, "isProduct(${mi})"), (apply "buildProduct(${mi})")>;
def udiv_to_lshr : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_UDIV $d, $x, $c):$mi, "powerOfTwo(${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (G_LSHR $d, $x, $n, (MIFlags $mi)))>;
def urem_to_and : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_UREM $d, $x, $c), "lowMaskBelow(${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (G_AND $d, $x, $n))>;

// What divides without a rest: a shift, and the inverse of an odd number modulo 2^n.
foreach p = [[G_SDIV, G_ASHR], [G_UDIV, G_LSHR]] in
def "exact_" # p[0] : GICombineRule<(defs root:$d, int_data:$k, int_data:$m),
  (match (p[0] $d, $x, $c, (MIFlags IsExact)):$mi, "machineInt(${x}) && exactInverse(${mi}, ${c}, ${k}, ${m})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (p[1] $t, $x, $n, (MIFlags IsExact)), (G_CONSTANT GITypeOf<"$x">:$i, $m), (G_MUL $d, $t, $i))>;

// ---- Division by other constants: multiplication by an inverse ----
// The functions give the multiplier and the shifts; "expandsDivision" is false where size counts.

def sdiv_minus_one : GICombineRule<(defs root:$d), (match (G_SDIV $d, $x, -1), "isScalarInt(${x})"), (apply (G_SUB $d, 0, $x))>;
def srem_one : GICombineRule<(defs root:$d), (match (G_SREM $d, $x, 1), "isScalarInt(${x})"), (apply (G_CONSTANT $d, 0))>;
def srem_minus_one : GICombineRule<(defs root:$d), (match (G_SREM $d, $x, -1), "isScalarInt(${x})"), (apply (G_CONSTANT $d, 0))>;
// What is left is what the quotient leaves.
foreach p = [[G_UREM, G_UDIV], [G_SREM, G_SDIV]] in
def "rem_by_" # p[1] : GICombineRule<(defs root:$d),
  (match (p[0] $d, $x, $c), "machineInt(${x}) && divisor(${c}) && expandsDivision"),
  (apply (p[1] $q, $x, $c), (G_MUL $p, $q, $c), (G_SUB $d, $x, $p))>;

// x / 2^k rounds towards zero: 2^k - 1 is added to what is negative.
def sdiv_power : GICombineRule<(defs root:$d, int_data:$top, int_data:$rest, int_data:$k),
  (match (G_SDIV $d, $x, $c), "machineInt(${x}) && expandsDivision && signedPower(${c}, 0, ${top}, ${rest}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$a, $top), (G_ASHR $s, $x, $a), (G_CONSTANT GITypeOf<"$x">:$b, $rest), (G_LSHR $u, $s, $b),
         (G_ADD $v, $x, $u), (G_CONSTANT GITypeOf<"$x">:$e, $k), (G_ASHR $d, $v, $e))>;
def sdiv_minus_power : GICombineRule<(defs root:$d, int_data:$top, int_data:$rest, int_data:$k),
  (match (G_SDIV $d, $x, $c), "machineInt(${x}) && expandsDivision && signedPower(${c}, 1, ${top}, ${rest}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$a, $top), (G_ASHR $s, $x, $a), (G_CONSTANT GITypeOf<"$x">:$b, $rest), (G_LSHR $u, $s, $b),
         (G_ADD $v, $x, $u), (G_CONSTANT GITypeOf<"$x">:$e, $k), (G_ASHR $q, $v, $e), (G_SUB $d, 0, $q))>;

// Quotient and rest of the same numbers, by one division where the target has that.
foreach op = [G_UREM, G_SREM] in
def "both_" # op : GICombineRule<(defs root:$d),
  (match (op $d, $x, $c):$mi, "hasQuotient(${mi})"), (apply "divideOnce(${mi})")>;

// Up to 32 bits the product fits a wider register.
foreach t = [i8, i16, i32] in {
  def udiv_ # t : GICombineRule<(defs root:$d, int_data:$pre, int_data:$m, int_data:$post),
    (match (G_UDIV t:$d, $x, $c), "expandsDivision && inverse(${c}, 0, ${pre}, ${m}, ${post})"),
    (apply (G_CONSTANT GITypeOf<"$x">:$a, $pre), (G_LSHR $s, $x, $a), (G_ZEXT i64:$z, $s), (G_CONSTANT i64:$b, $m), (G_MUL $p, $z, $b),
           (G_CONSTANT i64:$e, $post), (G_LSHR $q, $p, $e), (G_TRUNC $d, $q))>;
  def sdiv_ # t : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
    (match (G_SDIV t:$d, $x, $c), "expandsDivision && signedInverse(${c}, 0, 0, ${m}, ${post}, ${top})"),
    (apply (G_SEXT i64:$z, $x), (G_CONSTANT i64:$b, $m), (G_MUL $p, $z, $b), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $p, $e), (G_TRUNC $h, $q),
           (G_CONSTANT GITypeOf<"$x">:$a, $top), (G_ASHR $s, $x, $a), (G_SUB $d, $h, $s))>;
  def sdiv_minus_ # t : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
    (match (G_SDIV t:$d, $x, $c), "expandsDivision && signedInverse(${c}, 1, 0, ${m}, ${post}, ${top})"),
    (apply (G_SEXT i64:$z, $x), (G_CONSTANT i64:$b, $m), (G_MUL $p, $z, $b), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $p, $e), (G_TRUNC $h, $q),
           (G_CONSTANT GITypeOf<"$x">:$a, $top), (G_ASHR $s, $x, $a), (G_SUB $d, $s, $h))>;
}
// A multiplier of 33 bits: 2^32 is added by hand.
def udiv_add_i32 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post),
  (match (G_UDIV i32:$d, $x, $c), "expandsDivision && inverseAdd(${c}, ${m}, ${post})"),
  (apply (G_ZEXT i64:$z, $x), (G_CONSTANT i64:$b, $m), (G_MUL $p, $z, $b), (G_LSHR $h, $p, (i64 32)), (G_TRUNC $t, $h),
         (G_SUB i32:$u, $x, $t), (G_LSHR $w, $u, (i32 1)), (G_ADD $v, $w, $t), (G_CONSTANT i32:$e, $post), (G_LSHR $d, $v, $e))>;
// 64 bits: the upper half of the product.
def udiv_i64 : GICombineRule<(defs root:$d, int_data:$pre, int_data:$m, int_data:$post),
  (match (G_UDIV i64:$d, $x, $c), "expandsDivision && inverse(${c}, 0, ${pre}, ${m}, ${post})"),
  (apply (G_CONSTANT i64:$a, $pre), (G_LSHR $s, $x, $a), (G_CONSTANT i64:$b, $m), (G_UMULH $h, $s, $b), (G_CONSTANT i64:$e, $post), (G_LSHR $d, $h, $e))>;
def udiv_add_i64 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post),
  (match (G_UDIV i64:$d, $x, $c), "expandsDivision && inverseAdd(${c}, ${m}, ${post})"),
  (apply (G_CONSTANT i64:$b, $m), (G_UMULH $t, $x, $b), (G_SUB $u, $x, $t), (G_LSHR $w, $u, (i64 1)), (G_ADD $v, $w, $t),
         (G_CONSTANT i64:$e, $post), (G_LSHR $d, $v, $e))>;
// A multiplier whose sign bit is set stands for itself less 2^64: x is added.
def sdiv_i64 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
  (match (G_SDIV i64:$d, $x, $c), "expandsDivision && signedInverse(${c}, 0, 0, ${m}, ${post}, ${top})"),
  (apply (G_CONSTANT i64:$b, $m), (G_SMULH $h, $x, $b), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $h, $e),
         (G_ASHR $s, $x, (i64 63)), (G_SUB $d, $q, $s))>;
def sdiv_add_i64 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
  (match (G_SDIV i64:$d, $x, $c), "expandsDivision && signedInverse(${c}, 0, 1, ${m}, ${post}, ${top})"),
  (apply (G_CONSTANT i64:$b, $m), (G_SMULH $g, $x, $b), (G_ADD $h, $g, $x), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $h, $e),
         (G_ASHR $s, $x, (i64 63)), (G_SUB $d, $q, $s))>;
def sdiv_minus_i64 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
  (match (G_SDIV i64:$d, $x, $c), "expandsDivision && signedInverse(${c}, 1, 0, ${m}, ${post}, ${top})"),
  (apply (G_CONSTANT i64:$b, $m), (G_SMULH $h, $x, $b), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $h, $e),
         (G_ASHR $s, $x, (i64 63)), (G_SUB $d, $s, $q))>;
def sdiv_minus_add_i64 : GICombineRule<(defs root:$d, int_data:$m, int_data:$post, int_data:$top),
  (match (G_SDIV i64:$d, $x, $c), "expandsDivision && signedInverse(${c}, 1, 1, ${m}, ${post}, ${top})"),
  (apply (G_CONSTANT i64:$b, $m), (G_SMULH $g, $x, $b), (G_ADD $h, $g, $x), (G_CONSTANT i64:$e, $post), (G_ASHR $q, $h, $e),
         (G_ASHR $s, $x, (i64 63)), (G_SUB $d, $s, $q))>;

// ---- Shifts ----

// Two shifts the same way; the sum may be all of the bits.
foreach op = [G_SHL, G_LSHR] in {
  def "chain_" # op : GICombineRule<(defs root:$d, int_data:$k),
    (match (op $t, $x, $c1), (op $d, $t, $c2), "sumShifts(${x}, ${c1}, ${c2}, ${k})"),
    (apply (G_CONSTANT GITypeOf<"$c2">:$c, $k), (op $d, $x, $c))>;
  def "chain_out_" # op : GICombineRule<(defs root:$d),
    (match (op $t, $x, $c1), (op $d, $t, $c2), "shiftsOut(${x}, ${c1}, ${c2})"), (apply (G_CONSTANT $d, 0))>;
  def "zero_left_" # op : GICombineRule<(defs root:$d), (match (op $d, 0:$z, $n)), (apply (GIReplaceReg $d, $z))>;
}
def chain_G_ASHR : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ASHR $t, $x, $c1), (G_ASHR $d, $t, $c2), "sumShiftsSigned(${x}, ${c1}, ${c2}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$c, $k), (G_ASHR $d, $x, $c))>;
// The sign bit alone.
def sign_bit : GICombineRule<(defs root:$d), (match (G_ASHR $t, $x, $n), (G_LSHR $d, $t, $c), "shiftsToTop(${x}, ${c})"), (apply (G_LSHR $d, $x, $c))>;
// Down and up where the low bits are 0: one shift, or none.
foreach op = [G_ASHR, G_LSHR] in {
  def "exact_same_" # op : GICombineRule<(defs root:$d),
    (match (op $t, $x, $c, (MIFlags IsExact)), (G_SHL $d, $t, $c), "isConst(${c})"), (apply (GIReplaceReg $d, $x))>;
  def "exact_less_" # op : GICombineRule<(defs root:$d, int_data:$k),
    (match (op $t, $x, $c1, (MIFlags IsExact)), (G_SHL $d, $t, $c2), "isOneUse(${t}) && shiftLess(${x}, ${c1}, ${c2}, ${k})"),
    (apply (G_CONSTANT GITypeOf<"$c1">:$n, $k), (op $d, $x, $n, (MIFlags IsExact)))>;
  def "exact_more_" # op : GICombineRule<(defs root:$d, int_data:$k),
    (match (op $t, $x, $c1, (MIFlags IsExact)), (G_SHL $d, $t, $c2), "isOneUse(${t}) && shiftLess(${x}, ${c2}, ${c1}, ${k})"),
    (apply (G_CONSTANT GITypeOf<"$c1">:$n, $k), (G_SHL $d, $x, $n))>;
}
// Down and up by the same: the low bits go.
foreach op = [G_ASHR, G_LSHR] in
def "shl_" # op : GICombineRule<(defs root:$d, int_data:$k),
  (match (op $t, $x, $c), (G_SHL $d, $t, $c), "highBitsLeft(${x}, ${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$m, $k), (G_AND $d, $x, $m))>;
// Up and down by the same, with the sign: an extension of the low bits.
def shl_ashr_none : GICombineRule<(defs root:$d), (match (G_SHL $t, $x, $c), (G_ASHR $d, $t, $c), "signReaches(${x}, ${c})"), (apply (GIReplaceReg $d, $x))>;
def shl_ashr : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SHL $t, $x, $c), (G_ASHR $d, $t, $c), "lowPartLeft(${x}, ${c}, ${k})"), (apply (G_SEXT_INREG $d, $x, $k))>;
// Up and down by the same: what is left are the low bits.
def shl_lshr : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SHL $t, $x, $c), (G_LSHR $d, $t, $c), "lowBitsLeft(${x}, ${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$m, $k), (G_AND $d, $x, $m))>;

// Both ways, by the width together: turned round, or out of two numbers.
foreach left = [0, 1] in {
  foreach op = [G_OR, G_ADD, G_XOR] in
  def "rotate_" # op # "_" # left : GICombineRule<(defs root:$d),
    (match (G_SHL $l, $x, $c1), (G_LSHR $r, $x, $c2), !if(left, (op $d, $l, $r), (op $d, $r, $l)), "fillsWidth(${x}, ${c1}, ${c2})"),
    (apply (G_ROTL $d, $x, $c1))>;
  def "funnel_" # left : GICombineRule<(defs root:$d),
    (match (G_SHL $l, $x, $c1), (G_LSHR $r, $y, $c2), !if(left, (G_OR $d, $l, $r), (G_OR $d, $r, $l)),
           "isMachineWord(${x}) && isOneUse(${l}) && isOneUse(${r}) && fillsWidth(${x}, ${c1}, ${c2})"),
    (apply (G_FSHL $d, $x, $y, $c1))>;
}

// Bytes of what is loaded.
def mask_load : GICombineRule<(defs root:$d), (match (G_AND $d, $t, $c):$mi, "masksLoad(${mi})"), (apply "maskLoad(${mi})")>;
// Bits up to 31 of 64, moved down: a shift of 32 bits.
def shift_low_half : GICombineRule<(defs root:$d),
  (match (G_LSHR $t, i64:$x, $n), (G_AND $d, $t, $c), "isOneUse(${t}) && fillsLowHalf(${n}, ${c})"),
  (apply (G_TRUNC i32:$y, $x), (G_TRUNC i32:$m, $n), (G_LSHR i32:$z, $y, $m), (G_ZEXT $d, $z))>;
def shift_low_part : GICombineRule<(defs root:$d),
  (match (G_LSHR $t, i64:$x, $n), (G_AND $d, $t, $c), "isOneLiveUse(${t}) && keepsLowHalf(${n}, ${c})"),
  (apply (G_TRUNC i32:$y, $x), (G_TRUNC i32:$m, $n), (G_LSHR i32:$z, $y, $m), (G_TRUNC i32:$k, $c), (G_AND i32:$w, $z, $k), (G_ZEXT $d, $w))>;

// ---- Known bits ----

// Sums of what has no bits in common are said to be so: they may become part of an address.
def disjoint_or : GICombineRule<(defs root:$d),
  (match (G_OR $d, $x, $y, (MIFlags (not Disjoint))), "noCommonBits(${x}, ${y})"), (apply (G_OR $d, $x, $y, (MIFlags Disjoint)))>;
// What is not negative is extended by zeros, which is free where it is not cheaper.
def sext_to_zext : GICombineRule<(defs root:$d), (match (G_SEXT $d, $x), "signIsZero(${x})"), (apply (G_ZEXT $d, $x, (MIFlags NonNeg)))>;
def ashr_to_lshr : GICombineRule<(defs root:$d),
  (match (G_ASHR $d, $x, $n):$mi, "signIsZero(${x})"), (apply (G_LSHR $d, $x, $n, (MIFlags $mi)))>;
def redundant_and : GICombineRule<(defs root:$d), (match (G_AND $d, $x, $c), "masksNothing(${x}, ${c})"), (apply (GIReplaceReg $d, $x))>;
def zero_and : GICombineRule<(defs root:$d), (match (G_AND $d, $x, $y), "noCommonBits(${x}, ${y})"), (apply (G_CONSTANT $d, 0))>;
def redundant_or : GICombineRule<(defs root:$d), (match (G_OR $d, $x, $c), "setsNothing(${x}, ${c})"), (apply (GIReplaceReg $d, $x))>;
def covering_or : GICombineRule<(defs root:$d), (match (G_OR $d, $x, $c), "setsNothing(${c}, ${x})"), (apply (GIReplaceReg $d, $c))>;
// x & (x | y), x | (x & y).
foreach p = [[G_AND, G_OR], [G_OR, G_AND]] in {
  def "absorb_" # p[0] # "_1" : GICombineRule<(defs root:$d), (match (p[1] $t, $x, $y), (p[0] $d, $t, $x)), (apply (GIReplaceReg $d, $x))>;
  def "absorb_" # p[0] # "_2" : GICombineRule<(defs root:$d), (match (p[1] $t, $x, $y), (p[0] $d, $t, $y)), (apply (GIReplaceReg $d, $y))>;
  def "absorb_" # p[0] # "_3" : GICombineRule<(defs root:$d), (match (p[1] $t, $x, $y), (p[0] $d, $x, $t)), (apply (GIReplaceReg $d, $x))>;
  def "absorb_" # p[0] # "_4" : GICombineRule<(defs root:$d), (match (p[1] $t, $x, $y), (p[0] $d, $y, $t)), (apply (GIReplaceReg $d, $y))>;
}

// ---- Extensions and truncations ----

// Cutting what was extended: the value itself, less of an extension, or less of the value.
foreach op = [G_ZEXT, G_SEXT, G_ANYEXT] in {
  def "trunc_same_" # op : GICombineRule<(defs root:$d), (match (op $t, $x), (G_TRUNC $d, $t)), (apply (GIReplaceReg $d, $x))>;
  def "trunc_wider_" # op : GICombineRule<(defs root:$d),
    (match (op $t, $x), (G_TRUNC $d, $t), "narrower(${x}, ${d})"), (apply (op $d, $x))>;
  def "trunc_narrower_" # op : GICombineRule<(defs root:$d),
    (match (op $t, $x), (G_TRUNC $d, $t), "narrower(${d}, ${x})"), (apply (G_TRUNC $d, $x))>;
  def "twice_" # op : GICombineRule<(defs root:$d), (match (op $t, $x), (op $d, $t)), (apply (op $d, $x))>;
}
// The constant of a sum is added behind the extension, where it may become part of
// an address, and a load extend.
def sext_add : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ADD $t, $x, $c, (MIFlags NoSWrap)), (G_SEXT $d, $t), "isOneUse(${t}) && machineInt(${x}) && constValue(${c}, ${k}) && isSummand(${d})"),
  (apply (G_SEXT GITypeOf<"$d">:$w, $x), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_ADD $d, $w, $n, (MIFlags NoSWrap)))>;
def sext_inreg_none : GICombineRule<(defs root:$d), (match (G_SEXT_INREG $d, $x, $n), "fitsInReg(${x}, ${n})"), (apply (GIReplaceReg $d, $x))>;
// Extensions of what was cut off where it said nothing new.
def sext_trunc_same : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_SEXT $d, $t), "sameType(${d}, ${x}) && signFits(${x}, ${t})"), (apply (GIReplaceReg $d, $x))>;
def sext_trunc_less : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_SEXT $d, $t), "narrower(${d}, ${x}) && signFits(${x}, ${t})"), (apply (G_TRUNC $d, $x))>;
def sext_trunc_more : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_SEXT $d, $t), "narrower(${x}, ${d}) && signFits(${x}, ${t})"), (apply (G_SEXT $d, $x))>;
def zext_trunc_less : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_ZEXT $d, $t), "narrower(${d}, ${x}) && upperBitsZero(${x}, ${t})"), (apply (G_TRUNC $d, $x))>;
def zext_trunc_more : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_ZEXT $d, $t), "narrower(${x}, ${d}) && upperBitsZero(${x}, ${t})"), (apply (G_ZEXT $d, $x))>;
def trunc_trunc : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_TRUNC $d, $t)), (apply (G_TRUNC $d, $x))>;
def anyext_zext : GICombineRule<(defs root:$d), (match (G_ZEXT $t, $x), (G_ANYEXT $d, $t)), (apply (G_ZEXT $d, $x))>;
def anyext_sext : GICombineRule<(defs root:$d), (match (G_SEXT $t, $x), (G_ANYEXT $d, $t)), (apply (G_SEXT $d, $x))>;
def anyext_trunc : GICombineRule<(defs root:$d), (match (G_TRUNC $t, $x), (G_ANYEXT $d, $t)), (apply (GIReplaceReg $d, $x))>;
def zext_trunc : GICombineRule<(defs root:$d),
  (match (G_TRUNC $t, $x), (G_ZEXT $d, $t), "upperBitsZero(${x}, ${t})"), (apply (GIReplaceReg $d, $x))>;
// The mask of bits that are cut off anyway.
def trunc_and : GICombineRule<(defs root:$d),
  (match (G_AND $t, $x, $c), (G_TRUNC $d, $t), "isOneUse(${t}) && keepsLow(${d}, ${c})"), (apply (G_TRUNC $d, $x))>;

// The same for sums without sign. One extended by zeros because it is not negative is one with a sign.
def zext_add : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ADD $t, $x, $c, (MIFlags NoUWrap)), (G_ZEXT $d, $t), "isOneUse(${t}) && machineInt(${x}) && unsignedValue(${c}, ${k}) && isSummand(${d})"),
  (apply (G_ZEXT GITypeOf<"$d">:$w, $x), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_ADD $d, $w, $n, (MIFlags NoUWrap)))>;
def zext_nneg_add : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ADD $t, $x, $c, (MIFlags NoSWrap)), (G_ZEXT $d, $t, (MIFlags NonNeg)), "isOneUse(${t}) && machineInt(${x}) && constValue(${c}, ${k}) && isSummand(${d})"),
  (apply (G_SEXT GITypeOf<"$d">:$w, $x), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_ADD $d, $w, $n, (MIFlags NoSWrap)))>;

// ---- Bits that nobody asks for ----

// The low half of what one instruction computes of 64 bits for it alone, in 32 bits.
foreach op = [G_ADD, G_SUB, G_MUL, G_AND, G_OR, G_XOR] in
def "narrow_" # op : GICombineRule<(defs root:$d),
  (match (op $t, i64:$x, $y), (G_TRUNC i32:$d, $t), "isOneLiveUse(${t})"),
  (apply (G_TRUNC i32:$a, $x), (G_TRUNC i32:$b, $y), (op $d, $a, $b))>;
def narrow_shl : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SHL $t, i64:$x, $n), (G_TRUNC i32:$d, $t), "isOneLiveUse(${t}) && below32(${n}) && constValue(${n}, ${k})"),
  (apply (G_TRUNC i32:$a, $x), (G_CONSTANT i32:$m, $k), (G_SHL $d, $a, $m))>;
def narrow_lshr : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_LSHR $t, i64:$x, $n), (G_TRUNC i32:$d, $t), "isOneLiveUse(${t}) && below32(${n}) && highHalfZero(${x}) && constValue(${n}, ${k})"),
  (apply (G_TRUNC i32:$a, $x), (G_CONSTANT i32:$m, $k), (G_LSHR $d, $a, $m))>;
// The same for what several want the low half of.
def narrow_shared : GICombineRule<(defs root:$d), (match (G_TRUNC i32:$d, i64:$x):$mi, "allCut(${mi})"), (apply "cutAll(${mi})")>;
// A mask of the low half is one of 32 bits.
def narrow_mask : GICombineRule<(defs root:$d),
  (match (G_AND $d, $x, $c), "masksHighHalf(${x}, ${c})"),
  (apply (G_TRUNC i32:$a, $x), (G_TRUNC i32:$b, $c), (G_AND i32:$m, $a, $b), (G_ZEXT $d, $m))>;
// Less of what is loaded.
def narrow_load : GICombineRule<(defs root:$d), (match (G_TRUNC $d, $t):$mi, "cutsLoad(${mi})"), (apply "cutLoad(${mi})")>;
def sext_inreg_load : GICombineRule<(defs root:$d), (match (G_SEXT_INREG $d, $t, $n):$mi, "masksLoad(${mi})"), (apply "maskLoad(${mi})")>;
// What changes other bits alone.
foreach op = [G_AND, G_SHL, G_LSHR, G_ASHR] in
def "demand_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, $c):$mi, "isConst(${c}) && asksLess(${mi})"), (apply "askLess(${mi})")>;
def demand_G_TRUNC : GICombineRule<(defs root:$d), (match (G_TRUNC $d, $x):$mi, "asksLess(${mi})"), (apply "askLess(${mi})")>;
def demand_G_SEXT_INREG : GICombineRule<(defs root:$d), (match (G_SEXT_INREG $d, $x, $n):$mi, "asksLess(${mi})"), (apply "askLess(${mi})")>;

// ---- Selects ----

def select_same : GICombineRule<(defs root:$d), (match (G_SELECT $d, $c, $x, $x)), (apply (GIReplaceReg $d, $x))>;
def select_true : GICombineRule<(defs root:$d), (match (G_SELECT $d, $c, $x, $y), "isTrue(${c})"), (apply (GIReplaceReg $d, $x))>;
def select_false : GICombineRule<(defs root:$d), (match (G_SELECT $d, 0, $x, $y)), (apply (GIReplaceReg $d, $y))>;
def select_bool : GICombineRule<(defs root:$d), (match (G_SELECT $d, i1:$c, -1, 0)), (apply (GIReplaceReg $d, $c))>;
// Choices between truth values are logic. What was not looked at must not spoil the
// result: it is some value.
def select_and : GICombineRule<(defs root:$d), (match (G_SELECT $d, i1:$c, i1:$x, 0)), (apply (G_FREEZE $f, $x), (G_AND $d, $c, $f))>;
def select_or : GICombineRule<(defs root:$d), (match (G_SELECT $d, i1:$c, -1, i1:$y)), (apply (G_FREEZE $f, $y), (G_OR $d, $c, $f))>;
def select_and_not : GICombineRule<(defs root:$d),
  (match (G_SELECT $d, i1:$c, 0, i1:$y)), (apply (G_XOR $n, $c, -1), (G_FREEZE $f, $y), (G_AND $d, $n, $f))>;
def select_or_not : GICombineRule<(defs root:$d),
  (match (G_SELECT $d, i1:$c, i1:$x, -1)), (apply (G_XOR $n, $c, -1), (G_FREEZE $f, $x), (G_OR $d, $n, $f))>;
def select_zext : GICombineRule<(defs root:$d), (match (G_SELECT $d, i1:$c, 1, 0), "wide(${d})"), (apply (G_ZEXT $d, $c))>;
def select_sext : GICombineRule<(defs root:$d), (match (G_SELECT $d, i1:$c, -1, 0), "wide(${d})"), (apply (G_SEXT $d, $c))>;
// One bit or none: the condition, shifted. The opposite costs nothing only where
// it is asked by nobody else.
def select_bit : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SELECT $d, i1:$c, $x, 0), "powerOfTwo(${x}, ${k})"),
  (apply (G_ZEXT GITypeOf<"$d">:$z, $c), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_SHL $d, $z, $n))>;
def select_no_bit : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SELECT $d, i1:$c, 0, $x), "isOneUse(${c}) && powerOfTwo(${x}, ${k})"),
  (apply (G_XOR $i, $c, -1), (G_ZEXT GITypeOf<"$d">:$z, $i), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_SHL $d, $z, $n))>;
// Two numbers 1, 2, 4 or 8 apart.
def select_step : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SELECT $d, i1:$c, $x, $y), "machineInt(${x}) && stepBetween(${x}, ${y}, ${k})"),
  (apply (G_ZEXT GITypeOf<"$d">:$z, $c), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_SHL $s, $z, $n), (G_ADD $d, $s, $y))>;
def select_step_down : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SELECT $d, i1:$c, $x, $y), "isOneUse(${c}) && machineInt(${x}) && stepBetween(${y}, ${x}, ${k})"),
  (apply (G_XOR $i, $c, -1), (G_ZEXT GITypeOf<"$d">:$z, $i), (G_CONSTANT GITypeOf<"$d">:$n, $k), (G_SHL $s, $z, $n), (G_ADD $d, $s, $x))>;
// All bits or a number: all of them are set above what the number sets. The opposite
// condition costs nothing only where nobody else asks for this one.
def select_ones : GICombineRule<(defs root:$d),
  (match (G_SELECT $d, i1:$c, -1, $y), "machineInt(${y}) && isConst(${y})"), (apply (G_SEXT GITypeOf<"$d">:$s, $c), (G_OR $d, $s, $y))>;
def select_or_ones : GICombineRule<(defs root:$d),
  (match (G_SELECT $d, i1:$c, $x, -1), "isOneUse(${c}) && machineInt(${x}) && isConst(${x})"),
  (apply (G_XOR $i, $c, -1), (G_SEXT GITypeOf<"$d">:$s, $i), (G_OR $d, $s, $x))>;
// The lesser or greater of two numbers that are not both 0: which is chosen where
// they are equal makes no difference, and machines ask for the strict comparison.
foreach p = [[FloatOLE, FloatOLT], [FloatOGE, FloatOGT], [FloatULT, FloatULE], [FloatUGT, FloatUGE]] in {
  def "select_strict_" # p[0] : GICombineRule<(defs root:$d),
    (match (G_FCMP i1:$c, p[0], $x, $y):$cmp, (G_SELECT $d, $c, $x, $y):$mi, "isOneUse(${c}) && notBothZero(${x}, ${y}, ${mi})"),
    (apply (G_FCMP i1:$s, p[1], $x, $y, (MIFlags $cmp)), (G_SELECT $d, $s, $x, $y, (MIFlags $mi)))>;
  def "select_strict_swapped_" # p[0] : GICombineRule<(defs root:$d),
    (match (G_FCMP i1:$c, p[0], $x, $y):$cmp, (G_SELECT $d, $c, $y, $x):$mi, "isOneUse(${c}) && notBothZero(${x}, ${y}, ${mi})"),
    (apply (G_FCMP i1:$s, p[1], $x, $y, (MIFlags $cmp)), (G_SELECT $d, $s, $y, $x, (MIFlags $mi)))>;
}
def select_not : GICombineRule<(defs root:$d),
  (match (G_XOR $n, i1:$c, -1), (G_SELECT $d, $n, $x, $y):$mi), (apply (G_SELECT $d, $c, $y, $x, (MIFlags $mi)))>;

// ---- Comparisons ----

def icmp_const_right : GICombineRule<(defs root:$d, pred_data:$q),
  (match (G_ICMP $d, $p, $c, $x), "isConst(${c}) && !isConst(${x}) && swapPred(${p}, ${q})"), (apply (G_ICMP $d, $q, $x, $c))>;
def icmp_same : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ICMP $d, $p, $x, $x), "isScalarInt(${x}) && sameCompare(${p}, ${k})"), (apply (G_CONSTANT $d, $k))>;
// No number is below 0 and all are at least 0.
def icmp_never : GICombineRule<(defs root:$d), (match (G_ICMP i1:$d, IntULT, $x, 0)), (apply (G_CONSTANT $d, 0))>;
def icmp_always : GICombineRule<(defs root:$d), (match (G_ICMP i1:$d, IntUGE, $x, 0)), (apply (G_CONSTANT $d, -1))>;
def icmp_ult_1 : GICombineRule<(defs root:$d), (match (G_ICMP $d, IntULT, $x, 1), "wide(${x})"), (apply (G_ICMP $d, IntEQ, $x, 0))>;
def icmp_ugt_0 : GICombineRule<(defs root:$d), (match (G_ICMP $d, IntUGT, $x, 0:$z)), (apply (G_ICMP $d, IntNE, $x, $z))>;
// Next to 0: a comparison with 0 often is the flags of what is there.
foreach p = [[IntSLT, IntSLE], [IntSGE, IntSGT]] in
def "icmp_next_" # p[0] : GICombineRule<(defs root:$d), (match (G_ICMP $d, p[0], $x, 1), "wide(${x})"), (apply (G_ICMP $d, p[1], $x, 0))>;
foreach p = [[IntSGT, IntSGE], [IntSLE, IntSLT]] in
def "icmp_next_" # p[0] : GICombineRule<(defs root:$d), (match (G_ICMP $d, p[0], $x, -1), "wide(${x})"), (apply (G_ICMP $d, p[1], $x, 0))>;
// A truth value made wide and compared with 0.
def icmp_bool_ne : GICombineRule<(defs root:$d), (match (G_ZEXT $z, i1:$x), (G_ICMP $d, IntNE, $z, 0)), (apply (GIReplaceReg $d, $x))>;
def icmp_bool_eq1 : GICombineRule<(defs root:$d), (match (G_ZEXT $z, i1:$x), (G_ICMP $d, IntEQ, $z, 1), "wide(${z})"), (apply (GIReplaceReg $d, $x))>;
def icmp_bool_eq : GICombineRule<(defs root:$d),
  (match (G_ZEXT $z, i1:$x), (G_ICMP i1:$d, IntEQ, $z, 0)), (apply (G_XOR $d, $x, -1))>;
// Both sides extended from one type; the order of what was extended is the same.
def icmp_zexts : GICombineRule<(defs root:$d, pred_data:$q),
  (match (G_ZEXT $a, $x), (G_ZEXT $b, $y), (G_ICMP $d, $p, $a, $b), "sameType(${x}, ${y}) && unsignedPred(${p}, ${q}) && machineInt(${x})"),
  (apply (G_ICMP $d, $q, $x, $y))>;
def icmp_sexts : GICombineRule<(defs root:$d),
  (match (G_SEXT $a, $x), (G_SEXT $b, $y), (G_ICMP $d, $p, $a, $b), "sameType(${x}, ${y}) && machineInt(${x})"), (apply (G_ICMP $d, $p, $x, $y))>;
// One side extended by zeros because it is not negative.
def icmp_zext_sext : GICombineRule<(defs root:$d),
  (match (G_ZEXT $a, $x, (MIFlags NonNeg)), (G_SEXT $b, $y), (G_ICMP $d, $p, $a, $b), "sameType(${x}, ${y}) && machineInt(${x})"), (apply (G_ICMP $d, $p, $x, $y))>;
def icmp_sext_zext : GICombineRule<(defs root:$d),
  (match (G_SEXT $a, $x), (G_ZEXT $b, $y, (MIFlags NonNeg)), (G_ICMP $d, $p, $a, $b), "sameType(${x}, ${y}) && machineInt(${x})"), (apply (G_ICMP $d, $p, $x, $y))>;
def icmp_zext_const : GICombineRule<(defs root:$d, pred_data:$q, int_data:$k),
  (match (G_ZEXT $a, $x), (G_ICMP $d, $p, $a, $c), "isOneUse(${a}) && machineInt(${x}) && fitsUnsigned(${x}, ${c}, ${k}) && unsignedPred(${p}, ${q})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (G_ICMP $d, $q, $x, $n))>;
def icmp_sext_const : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_SEXT $a, $x), (G_ICMP $d, $p, $a, $c), "isOneUse(${a}) && machineInt(${x}) && fitsSigned(${x}, ${c}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$x">:$n, $k), (G_ICMP $d, $p, $x, $n))>;
// Equality of a sum, a difference, or an exclusive or, with a constant.
def icmp_eq_add : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_ADD $t, $x, $c1), (G_ICMP $d, $p, $t, $c2), "isEquality(${p}) && isOneUse(${t}) && difference(${c2}, ${c1}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$n, $k), (G_ICMP $d, $p, $x, $n))>;
foreach op = [G_SUB, G_XOR] in
def "icmp_eq_" # op : GICombineRule<(defs root:$d),
  (match (op $t, $x, $y), (G_ICMP $d, $p, $t, 0), "isEquality(${p}) && isOneUse(${t}) && !isConst(${x})"), (apply (G_ICMP $d, $p, $x, $y))>;
// Bits of one byte in memory, not the lowest.
def icmp_byte : GICombineRule<(defs root:$d),
  (match (G_ICMP $d, $p, $t, 0):$mi, "isEquality(${p}) && testsByte(${mi})"), (apply "testByte(${mi})")>;
// All bits of a power of two are any of them.
foreach x = [0, 1] in
def "icmp_bit_" # x : GICombineRule<(defs root:$d, pred_data:$q),
  (match !if(x, (G_AND $t, $y, $z), (G_AND $t, $z, $y)), (G_ICMP $d, $p, $t, $y), "isEquality(${p}) && isBit(${y}) && inversePred(${p}, ${q})"),
  (apply (G_ICMP $d, $q, $t, 0))>;
// The opposite of a comparison.
def not_icmp : GICombineRule<(defs root:$d, pred_data:$q),
  (match (G_ICMP i1:$t, $p, $x, $y), (G_XOR $d, $t, -1), "isOneUse(${t}) && inversePred(${p}, ${q})"), (apply (G_ICMP $d, $q, $x, $y))>;

// ---- Addresses ----

def ptr_add_chain : GICombineRule<(defs root:$d, int_data:$k),
  (match (G_PTR_ADD $t, $b, $c1), (G_PTR_ADD $d, $t, $c2), "sumOffsets(${c1}, ${c2}, ${k})"),
  (apply (G_CONSTANT GITypeOf<"$c2">:$n, $k), (G_PTR_ADD $d, $b, $n))>;
def ptrtoint_inttoptr : GICombineRule<(defs root:$d), 
  (match (G_INTTOPTR $t, $x), (G_PTRTOINT $d, $t), "sameBits(${x}, ${t})"), (apply (GIReplaceReg $d, $x))>;
def inttoptr_ptrtoint : GICombineRule<(defs root:$d),
  (match (G_PTRTOINT $t, $x), (G_INTTOPTR $d, $t), "sameBits(${x}, ${t})"), (apply (GIReplaceReg $d, $x))>;
def bitcast_same : GICombineRule<(defs root:$d), (match (G_BITCAST $t, $x), (G_BITCAST $d, $t)), (apply (GIReplaceReg $d, $x))>;

// ---- Floating point ----
// These hold for all numbers, zeros of both signs, infinities and quiet NaNs.

foreach op = [G_FADD, G_FMUL] in
def "const_right_" # op : GICombineRule<(defs root:$d),
  (match (op $d, $c, $x):$mi, "isFPConst(${c}) && !isFPConst(${x})"), (apply (op $d, $x, $c, (MIFlags $mi)))>;
foreach op = [G_FMUL, G_FDIV] in {
  def "one_right_" # op : GICombineRule<(defs root:$d), (match (op $d, $x, $c), "isFP(${c}, 1)"), (apply (GIReplaceReg $d, $x))>;
  def "minus_one_right_" # op : GICombineRule<(defs root:$d),
    (match (op $d, $x, $c):$mi, "isFP(${c}, -1)"), (apply (G_FNEG $d, $x, (MIFlags $mi)))>;
}
def fadd_minus_zero : GICombineRule<(defs root:$d), (match (G_FADD $d, $x, $c), "isMinusZero(${c})"), (apply (GIReplaceReg $d, $x))>;
def fsub_zero : GICombineRule<(defs root:$d), (match (G_FSUB $d, $x, $c), "isFP(${c}, 0)"), (apply (GIReplaceReg $d, $x))>;
def fmul_two : GICombineRule<(defs root:$d), (match (G_FMUL $d, $x, $c):$mi, "isFP(${c}, 2)"), (apply (G_FADD $d, $x, $x, (MIFlags $mi)))>;

// Signs of what is added and multiplied.
def fadd_fneg_right : GICombineRule<(defs root:$d),
  (match (G_FNEG $n, $y), (G_FADD $d, $x, $n):$mi), (apply (G_FSUB $d, $x, $y, (MIFlags $mi)))>;
def fadd_fneg_left : GICombineRule<(defs root:$d),
  (match (G_FNEG $n, $y), (G_FADD $d, $n, $x):$mi), (apply (G_FSUB $d, $x, $y, (MIFlags $mi)))>;
def fsub_fneg : GICombineRule<(defs root:$d),
  (match (G_FNEG $n, $y), (G_FSUB $d, $x, $n):$mi), (apply (G_FADD $d, $x, $y, (MIFlags $mi)))>;
foreach op = [G_FMUL, G_FDIV] in
def "both_fneg_" # op : GICombineRule<(defs root:$d),
  (match (G_FNEG $a, $x), (G_FNEG $b, $y), (op $d, $a, $b):$mi), (apply (op $d, $x, $y, (MIFlags $mi)))>;
foreach right = [0, 1] in {
  defvar product = !if(right, (G_FMUL $m, $z, $n), (G_FMUL $m, $n, $z));
  def "fadd_fmul_fneg_" # right : GICombineRule<(defs root:$d),
    (match (G_FNEG $n, $y), product:$mm, (G_FADD $d, $x, $m):$mi, "isOneUse(${m})"),
    (apply (G_FMUL GITypeOf<"$d">:$p, $y, $z, (MIFlags $mm)), (G_FSUB $d, $x, $p, (MIFlags $mi)))>;
  def "fadd_fmul_fneg_left_" # right : GICombineRule<(defs root:$d),
    (match (G_FNEG $n, $y), product:$mm, (G_FADD $d, $m, $x):$mi, "isOneUse(${m})"),
    (apply (G_FMUL GITypeOf<"$d">:$p, $y, $z, (MIFlags $mm)), (G_FSUB $d, $x, $p, (MIFlags $mi)))>;
  def "fsub_fmul_fneg_" # right : GICombineRule<(defs root:$d),
    (match (G_FNEG $n, $y), product:$mm, (G_FSUB $d, $x, $m):$mi, "isOneUse(${m})"),
    (apply (G_FMUL GITypeOf<"$d">:$p, $y, $z, (MIFlags $mm)), (G_FADD $d, $x, $p, (MIFlags $mi)))>;
}

// Unordered with a constant that is a number: unordered with itself.
foreach p = [FloatUNO, FloatORD] in
def "fcmp_const_" # p : GICombineRule<(defs root:$d),
  (match (G_FCMP $d, p, $x, $c):$mi, "isNumber(${c})"), (apply (G_FCMP $d, p, $x, $x, (MIFlags $mi)))>;
// Conversions of what is known not to be negative, and of what was extended.
def uitofp_nonneg : GICombineRule<(defs root:$d), (match (G_UITOFP $d, $x, (MIFlags NonNeg)), "isScalarInt(${x})"), (apply (G_SITOFP $d, $x))>;
def uitofp_sign : GICombineRule<(defs root:$d), (match (G_UITOFP $d, $x), "signIsZero(${x})"), (apply (G_SITOFP $d, $x))>;
def sitofp_sext : GICombineRule<(defs root:$d), (match (G_SEXT $t, $x), (G_SITOFP $d, $t), "machineInt(${x})"), (apply (G_SITOFP $d, $x))>;
def sitofp_zext : GICombineRule<(defs root:$d), (match (G_ZEXT $t, $x), (G_SITOFP $d, $t), "machineInt(${x}) && signIsZero(${x})"), (apply (G_SITOFP $d, $x))>;
def sitofp_zext_nonneg : GICombineRule<(defs root:$d),
  (match (G_ZEXT $t, $x, (MIFlags NonNeg)), (G_SITOFP $d, $t), "machineInt(${x})"), (apply (G_SITOFP $d, $x))>;
foreach t = [i8, i16] in
def "sitofp_zext_" # t : GICombineRule<(defs root:$d),
  (match (G_ZEXT i64:$w, t:$x), (G_SITOFP $d, $w)), (apply (G_ZEXT i32:$y, $x), (G_SITOFP $d, $y))>;

// ---- Memory ----

// A floating-point constant in memory is a number of the same size.
def store_fp : GICombineRule<(defs root:$mi), (match (G_STORE $v, $p):$mi, "storesFPConst(${mi})"), (apply "storeBits(${mi})")>;
// A load whose value is extended is an extending load.
def extending_load : GICombineRule<(defs root:$mi), (match (G_LOAD $d, $p):$mi, "isExtended(${mi})"), (apply "extendLoad(${mi})")>;
// Parts of a number that stand side by side in memory are read at once.
def joined_load : GICombineRule<(defs root:$mi), (match (G_OR $d, $x, $y):$mi, "joinsLoads(${mi})"), (apply "joinLoads(${mi})")>;

// ---- What undoes or repeats itself ----

foreach op = [G_FNEG, G_BSWAP, G_BITREVERSE] in
def "twice_" # op : GICombineRule<(defs root:$d), (match (op $t, $x), (op $d, $t)), (apply (GIReplaceReg $d, $x))>;
foreach op = [G_FABS, G_FREEZE, G_FCANONICALIZE] in
def "again_" # op : GICombineRule<(defs root:$d), (match (op $t, $x), (op $d, $t)), (apply (GIReplaceReg $d, $t))>;
def fabs_fneg : GICombineRule<(defs root:$d), (match (G_FNEG $t, $x), (G_FABS $d, $t):$mi), (apply (G_FABS $d, $x, (MIFlags $mi)))>;
def freeze_const : GICombineRule<(defs root:$d), (match (G_FREEZE $d, $x), "isConst(${x})"), (apply (GIReplaceReg $d, $x))>;

}

// What the legalizer makes of carries.
defset list<GICombineRule> carries = {

// No carry comes in, none goes out, or nobody asks for it.
foreach op = [G_UADDE, G_SADDE, G_USUBE, G_SSUBE] in
def "no_carry_" # op : GICombineRule<(defs root:$mi), (match (op $d, $o, $x, $y, 0):$mi), (apply "withoutCarry(${mi})")>;
foreach op = [G_UADDO, G_SADDO, G_USUBO, G_SSUBO] in {
  def "nothing_added_" # op : GICombineRule<(defs root:$mi), (match (op $d, $o, $x, 0):$mi), (apply "addNothing(${mi})")>;
  def "unasked_" # op : GICombineRule<(defs root:$mi), (match (op $d, $o, $x, $y):$mi, "!hasUses(${o})"), (apply "onlyAdd(${mi})")>;
}
// A carry that is added.
foreach p = [[G_ADD, G_UADDE], [G_SUB, G_USUBE]] in {
  def "take_carry_" # p[0] : GICombineRule<(defs root:$d),
    (match (p[0] $t, $x, $y), (G_ZEXT $z, $c), (p[0] $d, $t, $z):$mi, "isOneUse(${t}) && isOneUse(${z}) && carryReaches(${mi}, ${c})"),
    (apply (p[1] $d, GITypeOf<"$c">:$o, $x, $y, $c))>;
  def "take_carry_alone_" # p[0] : GICombineRule<(defs root:$d),
    (match (G_ZEXT $z, $c), (p[0] $d, $x, $z):$mi, "isOneUse(${z}) && carryReaches(${mi}, ${c})"),
    (apply (G_CONSTANT GITypeOf<"$d">:$n, 0), (p[1] $d, GITypeOf<"$c">:$o, $x, $n, $c))>;
}

}

// What only register banks can tell.
defset list<GICombineRule> banks = {

// Floating-point constants that are only moved are numbers.
def fconst_moves : GICombineRule<(defs root:$mi), (match (G_FCONSTANT $d, $c):$mi, "onlyMoves(${mi})"), (apply "moveAsInteger(${mi})")>;
def fconst_copy : GICombineRule<(defs root:$d, int_data:$k), (match (COPY $d, $c), "copiesConst(${d}, ${c}, ${k})"), (apply (G_CONSTANT $d, $k))>;

}

// Rules that mostly make nothing illegal of what is legal: types stay, constants that
// are amounts of shifts stay amounts of shifts. What a target has not is refused (see
// matchtable.Matcher.Accept); functions must build in front of the root alone.
defvar lawful = [
  copy, const_right_G_ADD, const_right_G_MUL, const_right_G_AND, const_right_G_OR, const_right_G_XOR, redundant_and, zero_and, redundant_or, covering_or, and_ones, sext_inreg_none, ptr_add_chain, zext_trunc,
  zero_right_G_ADD, zero_right_G_SUB, zero_right_G_OR, zero_right_G_XOR, zero_right_G_PTR_ADD, zero_right_G_SHL, zero_right_G_LSHR, zero_right_G_ASHR,
  to_zero_G_AND, to_zero_G_MUL, one_right_G_MUL, zero_left_G_SHL, zero_left_G_LSHR,
  same_G_AND, same_G_OR, select_same, select_false, select_true,
  rotate_G_OR_0, rotate_G_OR_1, funnel_0, funnel_1
];

def PreLegalizer : GICombiner<"preLegalizerCombines", rules>;
def PostLegalizer : GICombiner<"postLegalizerCombines", !listconcat(lawful, carries)>;
def RegBank : GICombiner<"regBankCombines", banks>;
