package irverify

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/ir"
)

// A module without faults, which is what nearly all are, gives no report whose
// order could matter: its functions are checked by several workers. When one of
// them finds a fault, or something that later checks want in order, all that
// they did is dropped and the functions are checked one after the other.

// manyInstrs is the size of a module from which on workers pay.
const manyInstrs = 20000

// clean checks the functions with several workers; it reports whether there is
// nothing to say about any, and has done nothing when there is.
func (v *verifier) clean() bool {
	workers := min(runtime.GOMAXPROCS(0), len(v.m.Funcs))
	instrs, intrinsics := 0, false
	for _, id := range v.m.Funcs {
		g := v.m.Globals[id]
		if g.Func != nil {
			instrs += len(g.Func.Instrs)
		}
		intrinsics = intrinsics || isIntrinsicName(g.Name)
	}
	if workers < 2 || instrs < manyInstrs {
		return false
	}
	if intrinsics && v.badUses == nil {
		v.findBadUses()
	}
	seen := newNodeSet(v.m.MD.Len())
	var next, stop atomic.Int32
	team := make([]*verifier, workers)
	var wg sync.WaitGroup
	for k := range team {
		w := newVerifier(v.m, v.treatDI)
		w.seenMD, w.apart, w.badUses, w.o = seen, true, v.badUses, v.o
		team[k] = w
		wg.Go(func() {
			// A panic is found again, and told, by the one who checks in order.
			defer func() {
				if recover() != nil {
					stop.Store(1)
				}
			}()
			for stop.Load() == 0 {
				at := int(next.Add(1)) - 1
				if at >= len(v.m.Funcs) {
					return
				}
				w.function(v.m.Globals[v.m.Funcs[at]])
				if !w.nothingToSay() {
					stop.Store(1)
				}
			}
		})
	}
	wg.Wait()
	if stop.Load() != 0 {
		return false
	}
	for i, w := range team {
		for _, o := range team[:i] {
			for id := range w.subprograms {
				if _, twice := o.subprograms[id]; twice {
					return false
				}
			}
		}
	}
	v.seenMD = seen
	for _, w := range team {
		for id := range w.cus {
			v.cus[id] = true
		}
		for id, g := range w.subprograms {
			v.subprograms[id] = g
		}
	}
	return true
}

// nothingToSay reports that there were no faults and nothing that the checks
// after the functions', or those of later functions, would have to know.
func (v *verifier) nothingToSay() bool {
	return len(v.out) == 0 && !v.bad && !v.brokenDI && len(v.escapes) == 0 && len(v.escaped) == 0 && len(v.deopts) == 0
}

// nodeSet is the set of the metadata nodes that were checked, which workers
// share. What may stand in a node depends on who refers to it, and the first who
// does decides; workers, who cannot know who is first, check it both ways.
type nodeSet []atomic.Uint32

func newNodeSet(n int) nodeSet { return make(nodeSet, (2*n+31)/32) }

// claim adds a node; it is false when the node was there.
func (s nodeSet) claim(id ir.MDID, locs, apart bool) bool {
	if int(id/16) >= len(s) {
		return true // added while functions are checked: nothing leads back to it
	}
	w := &s[id/16]
	bit := uint32(1) << (2 * (id % 16))
	both := 3 * bit
	if apart {
		if locs {
			bit *= 2
		}
		both = bit
	}
	return w.Load()&both == 0 && w.Or(bit)&both == 0
}

// Apart checks a module whose functions are read, checked and dropped one by
// one, by several goroutines, to see whether there is any fault. What it is
// comes out only when all are there: see Module.
type Apart struct {
	head *verifier // as the module was when it was read
	seen nodeSet
}

// NewApart checks all but the functions that are defined. It returns nil when
// there is something to say.
func NewApart(m *ir.Module) *Apart {
	v := newVerifier(m, true)
	v.noteInitializers()
	v.seenMD, v.apart = newNodeSet(m.MD.Len()), true
	for _, id := range m.Funcs {
		if g := m.Globals[id]; g.Func == nil {
			v.function(g)
		}
	}
	v.rest()
	if !v.nothingToSay() || len(v.badUses) > 0 {
		return nil
	}
	return &Apart{head: v, seen: v.seenMD}
}

// Checker checks functions, one at a time. It is for one goroutine.
type Checker struct{ v *verifier }

// NewChecker returns a checker of the module's functions.
func (a *Apart) NewChecker() *Checker {
	v := newVerifier(a.head.m, true)
	v.triple, v.dl = a.head.triple, a.head.dl
	v.seenMD, v.apart, v.badUses = a.seen, true, map[ir.GlobalID]badUse{}
	return &Checker{v}
}

// Function reports that there is nothing to say about a function with the given body.
func (c *Checker) Function(g *ir.Global, body *ir.Function) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false // found again, and told, by the one who checks in order
		}
	}()
	v := c.v
	v.growKinds()
	// A use of an intrinsic that is no call of it, which a declaration is asked
	// about, is a fault of the instruction as well, unless a constant is between them.
	v.functionWith(g, body)
	// Compile units are compared with the list of them at the end of the module.
	return v.nothingToSay() && !v.holdsIntrinsic(&body.Consts) && len(v.subprograms)+len(v.cus) == 0
}
