package bitcode

import (
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// blockUse is a use of the address of another function's block by instructions.
type blockUse struct {
	key string // tells the constant that is used apart; empty for the address itself
	fns []ir.GlobalID
}

// findBlockUsers lists for each function the other ones whose instructions use
// addresses of its blocks, in the order of LLVM's use lists: the last user
// of a constant first, constants as they were made.
func (w *writer) findBlockUsers() {
	uses := map[ir.GlobalID][]blockUse{}
	for _, id := range w.m.Funcs {
		f := w.m.Globals[id].Func
		if f == nil || !otherBlocks(f) {
			continue
		}
		for _, b := range f.Order {
			for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
				for _, v := range f.Ops(i) {
					c := v.Const()
					if c == 0 {
						continue
					}
					var found []ir.GlobalID
					key := string(blockKey(nil, f, c, &found, 0))
					for _, g := range found {
						if f.Consts.At(c).Kind == ir.ConstBlockAddr {
							key = ""
						}
						uses[g] = addBlockUse(uses[g], key, id)
					}
				}
			}
		}
	}
	w.blockUsers = map[ir.GlobalID][]uint64{}
	for g, l := range uses {
		slices.SortStableFunc(l, func(a, b blockUse) int { return min(len(a.key), 1) - min(len(b.key), 1) })
		var out []uint64
		for _, u := range l {
			for _, f := range slices.Backward(u.fns) {
				if n := uint64(w.values[f]); !slices.Contains(out, n) {
					out = append(out, n)
				}
			}
		}
		w.blockUsers[g] = out
	}
}

// otherBlocks reports functions whose constants have addresses of blocks of other functions.
func otherBlocks(f *ir.Function) bool {
	for c := 1; c < f.Consts.Len(); c++ {
		if r := f.Consts.At(ir.ConstID(c)); r.Kind == ir.ConstBlockAddr && ir.GlobalID(r.Off) != f.ID {
			return true
		}
	}
	return false
}

func addBlockUse(l []blockUse, key string, f ir.GlobalID) []blockUse {
	for i := range l {
		if l[i].key == key {
			if !slices.Contains(l[i].fns, f) {
				l[i].fns = append(l[i].fns, f)
			}
			return l
		}
	}
	return append(l, blockUse{key, []ir.GlobalID{f}})
}

// blockKey writes a constant and notes the functions whose blocks it has addresses of.
func blockKey(b []byte, f *ir.Function, c ir.ConstID, found *[]ir.GlobalID, depth int) []byte {
	r := f.Consts.At(c)
	num := func(n uint64) { b = append(strconv.AppendUint(b, n, 36), ' ') }
	num(uint64(r.Kind))
	num(uint64(r.Op))
	num(uint64(r.Type))
	num(uint64(r.SrcType))
	switch r.Kind {
	case ir.ConstBlockAddr:
		num(uint64(r.Off))
		num(r.Bits)
		if g := ir.GlobalID(r.Off); g != f.ID && !slices.Contains(*found, g) {
			*found = append(*found, g)
		}
	case ir.ConstInt, ir.ConstFP:
		for _, x := range f.Consts.Words(c) {
			num(x)
		}
	case ir.ConstArray, ir.ConstStruct, ir.ConstVector, ir.ConstSplat, ir.ConstExpr, ir.ConstPtrAuth:
		if depth > 64 {
			return b
		}
		for _, o := range f.Consts.Ops(c) {
			if k := o.Const(); k != 0 {
				b = blockKey(b, f, k, found, depth+1)
			} else {
				b = append(strconv.AppendUint(b, uint64(o), 36), ' ')
			}
		}
	}
	return b
}
