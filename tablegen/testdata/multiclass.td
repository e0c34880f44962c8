// Multiclasses in multiclasses, classes after them, let, foreach and if.
class Inst<int op, string text = ""> {
  int Op = op;
  string Text = text;
  bit Flag = 0;
  bits<8> Enc = op;
  field bits<8> Word;
  bits<3> reg;
  let Word{2-0} = reg;
  let Word{7...3} = Enc{4...0};
}
class Extra { string Note = "extra"; }
class More { string Rest = "more"; }
multiclass RR<int op> {
  def rr : Inst<op, NAME # "_rr">;
  let Flag = 1 in def ri : Inst<!add(op, 1)>;
}
multiclass Both<int op, string s = "s"> : RR<op> {
  defm _in : RR<!mul(op, 2)>, Extra;
  foreach i = [1, 2] in {
    if !eq(i, 1) then def "_" # s # i : Inst<i>;
    else def "_else" # i : Inst<!add(op, i)>;
  }
  defvar twice = !shl(op, 1);
  def _twice : Inst<twice>;
}
defm ADD : Both<3>;
defm SUB : Both<4, s = "t">, More;
defset list<Inst> All = {
  defm "" : RR<9>;
  def X : Inst<1>;
}
def user { list<Inst> all = All; int n = !size(All); }
deftype byte = bits<8>;
let Enc<7-4> = 0b1010, Flag = true in {
  def Y : Inst<2> { byte b = 255; let Word{0} = 1; }
}
#define ON
#ifdef ON
def on { string s = "on"; }
#else
def off;
#endif
#ifndef ON
def off2;
#else
include "included.inc"
#endif
