def op2; class X; class Y:X; class Z:X; def op : Y;

def Y_d : Y; def Z_d : Z; def ZZ : Y;
class C<int a, string s, list<int> l, dag d, X x, bit b, bits<3> bb, list<string> ls> {
list<int> n = l[1...2]; int n1 = l[a]; list<int> n2 = l[a, 3]; list<int> n3=l[a...4]; list<int> n4 = l[2,];
list<int> n5 = l[l,a...!add(a,1)];
bits<3> q = a; bit q1 = a; bits<2> q2 = {b, bb{0}}; bit q3 = bb{2}; string q4 = s # "x" # s # "y"; 
}
class D<int a, string s, list<int> l, dag d, X x, bit b, bits<3> bb, list<string> ls> {
dag g = !getdagarg<dag>(d, 0); X gx = !getdagarg<X>(d, "foo"); string gn = !getdagname(d, 1); X go = !getdagop<Y>(d); dag dd = !con(d, d, (op));
dag sd = !setdagop(d, x); dag sa = !setdagarg(d, 0, a); dag sn = !setdagname(d, 0, s); string sop = !getdagopname(d); dag sop2 = !setdagopname(d, s);
dag dg = !dag(op, [x], [s]); dag dgx = (!getdagop(d) a:$n, s);
int c = !cond(b : 1, !eq(a,3) : 2, 1: 3); int ii = !if(b, 1, a); int isa = !isa<Y>(x); int ex = !exists<X>(s); list<X> ins = !instances<X>(s); list<X> ins2 = !instances<X>();
int fl = !foldl(0, l, acc, i, !add(acc, i)); list<int> fe = !foreach(i, l, !add(i, a)); list<int> fi = !filter(i, l, !eq(i, a));
int m = !match(s, "a.*"); list<int> r = !range(a); list<int> r2 = !range(1, a); list<int> r3 = !range(1, a, 2); list<int> r4 = !range(l);
string st = !substr(s, 1); string st2 = !substr(s, 1, a); int fd = !find(s, "x"); int fd2 = !find(s, "x", a); string su = !subst("a", "b", s);
string il = !interleave(ls, ", "); string il2 = !interleave(l, ", "); list<int> lr = !listremove(l, [1]); list<int> lsp = !listsplat(a, 3); list<int> lf = !listflatten([l, l]); list<int> lc = !listconcat(l, l, l); list<int> lc2 = l # [1] # l;
int lg = !logtwo(a); string tl = !tolower(s); string tu = !toupper(s); int sz = !size(l); int em = !empty(l); int hd = !head(l); list<int> tl2 = !tail(l); int nt = !not(a); int init = !initialized(a); string rp = !repr(l);
string cs = !cast<string>(a); X cx = !cast<X>(s); int cb = !cast<int>(bb); string pa = a # s; string pb = "x" # a # "y";
int o = !or(a, 1, 2); int o1 = !xor(a, a); int sh = !shl(a, 1); int sh1 = !sra(a,1); int sh2 = !srl(a,1); int di = !div(a, 2); int mu = !mul(a, 2, 3); int su1 = !sub(a, 1);
bit eq = !eq(s, "x"); bit ne = !ne(a, 1); bit le = !le(a,1); bit l1 = !lt(a,1); bit g1 = !ge(a, 1); bit g2 = !gt(a,1);
bit ab = !and(a, b); int ab1 = !and(a, 7, 3);
list<X> lx = [x, Y_d, Z_d]; dag ddd = (op2:$foo x:$y, $z); C cc = C<a, s, l, d, x, b, bb, ls>; C cc2 = C<a, s, l=l, d=d, x=x, b=b, bb=bb, ls=ls>; int ccn = C<a, s, l, d, x, b, bb, ls>.n1; bit bbb = C<a, s, l, d, x, b, bb, ls>.q{1};
code sc = "a" # [{b}]; code sc2 = [{b}]; string sc3 = [{b}]; string sc4 = !strconcat([{a}], [{b}]); string sc5 = !tolower([{a}]);
list<int> ea = []; list<list<int>> eb = [[1],[]]; bits<7> lit = 0b0101010; int lit2 = 0b11; int lit3 = 0x10; int neg = -5; bits<4> bi = {bb, b}; list<X> lb = [x]<X>;
let bi{3-2} = a;
}
def T : D<1, "ZZ", [1,2,3,4,5,6], (op 1:$foo, 2), ZZ, 1, 3, ["a","b"]>;
