package intrin

import "github.com/mirin-go/mirin/ir"

// Declare declares the intrinsics and functions of the C library that calls of
// body f name by number (ir.TagIntrinsic, ir.TagLibrary) in f's module and
// makes the calls name the declarations.
// It writes to the module: nobody else may read it meanwhile.
func Declare(f *ir.Function) {
	m := f.Module
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			v := f.Callee(i)
			if v.Tag() == ir.TagLibrary {
				name := ir.LibFunc(v.Index()).Name()
				g := m.Lookup(name)
				if g == 0 {
					g = m.AddGlobal(&ir.Global{Kind: ir.GlobalFunc, Name: name, ValueType: f.Instrs[i].SrcType, IsDecl: true})
				}
				f.SetOp(i, f.NumOps(i)-1, ir.GlobalVal(g))
			}
			if v.Tag() != ir.TagIntrinsic {
				continue
			}
			x, ft := Of(ir.Intrinsic(v.Index())), f.Instrs[i].SrcType
			over, _ := x.Match(m.Types, ft)
			name := x.MangledName(m.Types, over)
			g := m.Lookup(name)
			if g == 0 {
				g = m.AddGlobal(&ir.Global{Kind: ir.GlobalFunc, Name: name, ValueType: ft, IsDecl: true, Attrs: x.AttrList(m, ft)})
			}
			f.SetOp(i, f.NumOps(i)-1, ir.GlobalVal(g))
		}
	}
}
