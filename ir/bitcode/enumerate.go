package bitcode

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/support/rows"
)

// constIDs numbers the constants of a pool that are used.
type constIDs struct {
	ids  []uint32 // by ConstID, value number plus one
	list []ir.ConstID
}

func (c *constIDs) reset(n int) {
	c.list, c.ids = c.list[:0], rows.Zeroed(c.ids, n)
}

// enumerate numbers what the module's blocks refer to: types, attribute
// lists, globals, constants, metadata, in an order that depends on the module alone.
func (w *writer) enumerate() {
	m := w.m
	w.addType(ir.Metadata)
	w.addType(ir.Int32)
	w.addType(ir.Int64)
	w.values = make([]uint32, len(m.Globals))
	for _, l := range [...][]ir.GlobalID{m.Vars, m.Funcs, m.Aliases, m.IFuncs} {
		for _, id := range l {
			g := m.Globals[id]
			w.values[id] = w.numVals
			w.numVals++
			w.addType(g.ValueType)
			w.addType(w.t.Pointer(g.AddrSpace))
			w.addList(g.Attrs)
		}
	}
	w.consts.reset(m.Consts.Len())
	for _, l := range [...][]ir.GlobalID{m.Vars, m.Aliases, m.IFuncs, m.Funcs} {
		for _, id := range l {
			g := m.Globals[id]
			for _, v := range [...]ir.Value{g.Init, g.Prefix, g.Prologue, g.Persona} {
				w.addConst(&m.Consts, &w.consts, v)
			}
		}
	}
	w.enumMetadata()
	for _, id := range m.Funcs {
		if f := m.Globals[id].Func; f != nil {
			w.enumFunction(f)
		}
	}
	for i, c := range w.consts.list {
		w.consts.ids[c] = w.numVals + uint32(i) + 1
	}
	w.numVals += uint32(len(w.consts.list))
	w.firstInt = w.numVals
	w.numVals += uint32(len(w.intList))
}

// addConst lists a constant and what it is made of.
func (w *writer) addConst(pool *ir.ConstPool, to *constIDs, v ir.Value) {
	c := v.Const()
	if c == 0 || to.ids[c] != 0 {
		return
	}
	r := pool.At(c)
	to.ids[c] = ^uint32(0) // listed; numbered later
	w.addType(r.Type)
	w.addType(r.SrcType)
	switch r.Kind {
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstDSOLocalEquivalent, ir.ConstNoCFI, ir.ConstPtrAuth:
		for _, o := range pool.Ops(c) {
			w.addConst(pool, to, o)
		}
	case ir.ConstExpr:
		ops := pool.Ops(c)
		if r.Flags&ir.HasInRange != 0 {
			ops = ops[:len(ops)-2] // the bounds stand in the record
		}
		for _, o := range ops {
			w.addConst(pool, to, o)
			if o.Tag() == ir.TagGlobal {
				w.addType(w.t.Pointer(w.m.Globals[o.Global()].AddrSpace))
			}
		}
	}
	to.list = append(to.list, c)
}

func (w *writer) enumFunction(f *ir.Function) {
	for i := 1; i <= f.NumArgs; i++ {
		w.addType(f.Instrs[i].Type)
	}
	w.fn.consts.reset(f.Consts.Len()) // to see each constant once; function numbers them again
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			w.addType(in.Type)
			w.addType(in.SrcType)
			switch in.Op {
			case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
				w.addList(in.Attrs)
				for _, x := range f.Extras[in.Extra].Bundles {
					if w.bundles[x.Tag] == 0 {
						w.tags = append(w.tags, x.Tag)
						w.bundles[x.Tag] = uint64(len(w.tags))
					}
					for _, v := range x.Args {
						w.operandType(f, v)
					}
				}
			case ir.OpShuffleVector:
				w.addType(w.maskType(in, len(f.Extras[in.Extra].Ints)))
			}
			for _, v := range f.Ops(i) {
				w.operandType(f, v)
			}
		}
	}
}

func (w *writer) operandType(f *ir.Function, v ir.Value) {
	w.addConst(&f.Consts, &w.fn.consts, v)
	switch v.Tag() {
	case ir.TagInlineAsm:
		w.addType(ir.Ptr)
		w.addType(w.m.InlineAsms()[v.Index()].Type)
	case ir.TagLocal, ir.TagConst, ir.TagGlobal:
		w.addType(f.TypeOf(v))
	}
}

// maskType is the type of the constant that a shuffle mask is written as.
func (w *writer) maskType(in *ir.Instr, n int) ir.Type {
	return w.t.Vector(ir.Int32, uint64(n), w.t.Kind(in.Type) == ir.KindScalableVector)
}
