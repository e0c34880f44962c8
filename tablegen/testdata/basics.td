def ops;
class A<int x, bits<4> b = {1,0,0,1}> { int v = x; bits<4> bb = b; string n = NAME # "_x"; code c = [{ foo
 }]; list<int> l = [x, !add(x, 1)]; dag d = (ops x:$a, ?:$b); field bits<2> q = b{1-0}; let bb{2}=b{0};
 int z = !if(!eq(x,1), v, x); string e = "a\n\"b";}
class B<string s> : A<3> { string t = s; int y = !foldl(0, l, a, i, !add(a,i)); list<A> la = []; }
def b : B<"x">;
def : B<"yy">;
defvar k = A<7>.v;
class C<A a = A<5>> { int u = a.v; A aa = A<9>; }
def c : C;
multiclass M<int k> { def _q : A<k>; def NAME # "zz" : A<!add(k,1)> ;}
defm foo : M<4>;
