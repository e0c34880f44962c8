class Q<string s> { string q = s; string n = NAME; }
class R<int k = 3> : Q<NAME>;
multiclass M { def _a : Q<NAME> { string z = NAME; } def : Q<NAME>; }
defm X : M;
defm : M;
multiclass N : M { defm _n : M; }
defm Y : N;
foreach i = 0...2 in { def : Q<"a"#i>; def Z#i : R; }
