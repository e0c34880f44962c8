package bitcode

import "github.com/mirin-go/mirin/ir"

// Records of the use-list block: indexes, then the number of a value or block.
const (
	useListDefault = 1
	useListBlock   = 2
)

// useListBlock reads a use-list block; f gets the number of each record and its indexes.
func (c *cursor) useListBlock(f func(block bool, id uint64, indexes []uint32)) {
	if !c.enter(blkUseList) {
		return
	}
	for c.err == nil {
		switch e, id := c.next(); e {
		case entryErr, entryBlock:
			c.fail("Malformed block")
		case entryEnd:
			return
		case entryRecord:
			code := c.record(id)
			if c.err != nil || code != useListDefault && code != useListBlock {
				continue
			}
			n := len(c.rec) - 1
			if n < 2 {
				c.fail("Invalid record")
				return
			}
			indexes := make([]uint32, n)
			for i, x := range c.rec[:n] {
				indexes[i] = uint32(x)
			}
			f(code == useListBlock, c.rec[n], indexes)
		}
	}
}

// globalUses is the order of uses of a global, as a body has it.
type globalUses struct {
	v       ir.Value
	indexes []uint32
}

// useLists reads the orders of uses of locals and blocks.
func (b *bodyReader) useLists() {
	b.c.useListBlock(func(block bool, id uint64, indexes []uint32) {
		if block {
			if id >= uint64(len(b.f.Order)) {
				b.fail("Invalid record")
				return
			}
			b.f.AddUseOrder(ir.BlockVal(ir.BlockID(id+1)), indexes)
			return
		}
		switch v := b.known(id).v; {
		case id >= uint64(b.base) && v.IsLocal():
			b.f.AddUseOrder(v, indexes)
		case v.Tag() == ir.TagGlobal: // in the last body that uses the global
			b.done.uses = append(b.done.uses, globalUses{v, indexes})
		}
	})
}

// useLists reads the orders of uses of globals.
func (r *reader) useLists() {
	r.useListBlock(func(block bool, id uint64, indexes []uint32) {
		if !block && id < uint64(len(r.globals)) {
			r.m.AddUseOrder(ir.GlobalVal(r.globals[id].ID), indexes)
		}
	})
}

// useLists writes the orders of uses that the file gave, where they are asked for.
func (w *writer) useLists(list []ir.UseOrder, indexes []uint32) {
	if !w.o.UseLists || len(list) == 0 {
		return
	}
	w.enter(blkUseList, 3)
	for _, u := range list {
		r := w.rec[:0]
		for _, x := range indexes[u.Off : u.Off+u.N] {
			r = append(r, uint64(x))
		}
		code := uint32(useListDefault)
		switch u.Value.Tag() {
		case ir.TagBlock:
			code = useListBlock
			r = append(r, w.blk(u.Value))
		default:
			r = append(r, uint64(w.value(u.Value)))
		}
		w.record(code, r...)
		w.rec = r
	}
	w.leave()
}
