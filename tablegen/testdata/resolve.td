// Recursion, class references as functions, references to oneself and between fields.
class Fact<int n> { int ret = !if(!le(n, 1), 1, !mul(n, Fact<!sub(n, 1)>.ret)); }
class Pair<int x, int y> { int a = x; int b = y; int sum = !add(a, b); }
def f : Pair<Fact<5>.ret, Fact<3>.ret>;
def g : Pair<1, 2> { let a = 10; }
class Self<dag d> { dag self = d; }
def op;
def me : Self<(op me)>;
class Named { string n = NAME; Named other = !cast<Named>(NAME); }
def named : Named;
def : Named;
class Opt<int a, int b = !add(a, 1), list<int> c = [a, b]> { list<int> l = c; }
def o1 : Opt<1>;
def o2 : Opt<1, 5>;
def o3 : Opt<1, c = [7]>;
def h {
  list<int> evens = !filter(x, !range(10), !eq(!and(x, 1), 0));
  list<string> names = !foreach(x, evens, "e" # x);
  string joined = !interleave(names, ",");
  int total = !foldl(0, evens, acc, x, !add(acc, x));
  dag mapped = !foreach(x, (op 1, (op 2)), !if(1, x, x));
  string which = !cond(!lt(total, 5): "small", !lt(total, 50): "medium", true: "large");
  bits<4> b = { 1, 0, ?, 1 };
  bit b1 = b{3};
  bits<2> sw = b{0-1};
  list<int> sl = evens[1...3, 0];
  string paste = joined # "|" # which;
}
