package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// maxRecentStores bounds the stores that a load is compared with.
const maxRecentStores = 16

// recentStore is a store whose value memory may still hold.
type recentStore struct {
	store mir.InstrID
	base  memBase
	off   int64
	plain bool // a load of the same place and size reads the value stored
}

// forwarder knows the last stores of a block, in their order.
type forwarder struct {
	stores    [maxRecentStores]recentStore
	n         int
	forwarded int64
}

func (r *forwarder) forget() { r.n = 0 }

// forward notes what instruction i does to memory, and reports that it was a load of
// what a store wrote, which is gone then. Aliases are asked for only where such a
// store was found.
func (s *storeJoiner) forward(i mir.InstrID) bool {
	f, r := s.f, &s.recent
	switch f.Instr(i).Opcode {
	case desc.G_STORE:
		if f.HasOrderedMem(i) {
			r.forget()
			return false
		}
		if r.n == maxRecentStores {
			copy(r.stores[:], r.stores[1:])
			r.n--
		}
		x := recentStore{store: i, plain: plainAccess(f, i)}
		x.base, x.off = addressOf(f, f.Op(i, 1).Reg())
		r.stores[r.n] = x
		r.n++
	case desc.G_LOAD:
		if f.HasOrderedMem(i) {
			r.forget()
			return false
		}
		return r.n > 0 && plainAccess(f, i) && s.replaceLoad(i)
	default:
		if r.n > 0 && (f.MayStore(i) || f.Desc(i).IsCall() || f.HasOrderedMem(i) || f.HasSideEffects(i) || staysPut(f, i)) {
			r.forget()
		}
	}
	return false
}

// replaceLoad gives the users of a load the value that a store wrote to its place,
// where nothing between may have written there.
func (s *storeJoiner) replaceLoad(i mir.InstrID) bool {
	f, r := s.f, &s.recent
	base, off := addressOf(f, f.Op(i, 1).Reg())
	dst := f.Op(i, 0).Reg()
	for k := r.n - 1; k >= 0; k-- {
		x := &r.stores[k]
		if x.base != base || x.off != off || !x.plain {
			continue
		}
		v := f.Op(x.store, 0).Reg()
		if !v.IsVirtual() || !dst.IsVirtual() {
			return false
		}
		if x, y := f.VReg(v), f.VReg(dst); x.Type != y.Type || x.Class != y.Class || x.Bank != y.Bank {
			return false
		}
		for l := k + 1; l < r.n; l++ {
			if s.mayAlias(r.stores[l].store, i) {
				return false
			}
		}
		f.ReplaceReg(dst, v)
		f.Erase(i)
		r.forwarded++
		return true
	}
	return false
}
