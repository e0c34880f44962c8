package ir

// UseOrder is a use-list order directive: where the uses of a value go when a
// list of them is made in the order in which the file names them. Only LLVM's
// passes look at that order; here it shows in the comments that list the
// predecessors of blocks. The indexes are UseIndexes[Off:Off+N] of the function
// or module: use i, the last one first, goes to place UseIndexes[Off+i].
type UseOrder struct {
	Value  Value
	Off, N uint32
}

// AddUseOrder keeps a directive about a local value, constant or block.
func (f *Function) AddUseOrder(v Value, indexes []uint32) {
	f.UseOrders = append(f.UseOrders, UseOrder{v, uint32(len(f.UseIndexes)), uint32(len(indexes))})
	f.UseIndexes = append(f.UseIndexes, indexes...)
}

// AddUseOrder keeps a directive about a global.
func (m *Module) AddUseOrder(v Value, indexes []uint32) {
	m.UseOrders = append(m.UseOrders, UseOrder{v, uint32(len(m.UseIndexes)), uint32(len(indexes))})
	m.UseIndexes = append(m.UseIndexes, indexes...)
}
