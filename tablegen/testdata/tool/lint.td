class Unused;
class Reg<int n, string unusedArg = ""> { int Num = n; string Alias = "a"; string Never; field bits<4> Enc; }
def R0 : Reg<0>;
let Alias = "x" in {
  let Alias = "y" in def R1 : Reg<1>;
}
def R2 : Reg<2> { let Alias = "a"; defvar q = 5; }
multiclass M<int i> { def _x : Reg<i>; foreach i = [1] in def _y#i : Reg<4>; }
multiclass Z { def z : Reg<9>; }
defm R3 : M<3>;
def op; def lone;
def S { dag d = (op R0); }
defvar R = 1;
foreach R = [7, 8] in def K#R : Reg<R>;
