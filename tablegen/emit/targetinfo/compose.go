package targetinfo

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// composeIndices notes for all registers which index a sub-register of a
// sub-register has. What the description composed otherwise stays.
func (b *builder) composeIndices() {
	given := map[[2]*subRegIndex]bool{} // what the description composes may differ
	for _, x := range b.indices {
		for _, y := range x.composed.keys {
			given[[2]*subRegIndex{x, y}] = true
		}
	}
	seen := make([]bool, len(b.topoSigs))
	for _, r := range b.regs {
		if seen[r.topo] {
			continue // registers of one shape compose alike
		}
		seen[r.topo] = true
		for i, x := range r.subs.keys {
			s := r.subs.vals[i]
			for k, y := range s.subs.keys {
				t := s.subs.vals[k]
				if t == s || s == r {
					continue
				}
				if z := r.idxOf[t]; z != nil && !x.compose(y, z) && !given[[2]*subRegIndex{x, y}] {
					old, _ := x.composed.get(y)
					b.warn(r.rec, "sub-register indices '%s' and '%s' compose to '%s' in '%s' and to '%s' elsewhere", x.name, y.name, z.name, r.name, old.name)
				}
			}
		}
	}
}

// laneMasks gives each index that nothing is composed of a lane, the others
// those of their parts, and finds how lanes move in compositions.
func (b *builder) laneMasks() {
	b.covering = desc.AllLanes
	lane := 0
	for _, x := range b.indices {
		x.lanes = 0
		if len(x.composed.keys) > 0 {
			continue
		}
		if lane >= 64 {
			b.fail(x.rec, "", "sub-register index '%s' needs lane %d; a register has 64 lanes", x.name, lane)
			return
		}
		x.lanes = 1 << lane
		lane++
	}
	for _, x := range b.indices {
		b.laneMoves(x)
	}
	for _, x := range b.indices {
		m := b.lanesOf(x)
		if !x.covered {
			b.covering &^= m
		}
	}
	for _, c := range b.classes {
		for _, x := range b.indices {
			if c.withIdx[x] != nil {
				c.lanes |= x.lanes
			}
		}
		if c.lanes == 0 {
			c.lanes = 1
		}
	}
}

// lanesOf gives the lanes of an index, those of all that it is composed to.
func (b *builder) lanesOf(x *subRegIndex) desc.LaneMask {
	if x.lanes != 0 {
		return x.lanes
	}
	x.lanes = desc.AllLanes // ends a circle
	var m desc.LaneMask
	for _, z := range x.composed.vals {
		m |= b.lanesOf(z)
	}
	x.lanes = m
	return m
}

// laneMoves finds the steps that turn lanes of the part at x into lanes of the
// whole register. It runs while only leaves have lanes.
func (b *builder) laneMoves(x *subRegIndex) {
	if len(x.composed.keys) == 0 {
		x.laneOps = []desc.LaneOp{{Mask: desc.AllLanes, Rotate: uint8(laneOf(x))}}
		return
	}
	for _, leaf := range b.indices {
		if len(leaf.composed.keys) > 0 {
			continue
		}
		z, ok := x.composed.get(leaf)
		if !ok || len(z.composed.keys) > 0 {
			continue
		}
		rot := uint8((laneOf(z) - laneOf(leaf)) & 63)
		merged := false
		for i := range x.laneOps {
			if x.laneOps[i].Rotate == rot {
				x.laneOps[i].Mask |= leaf.lanes
				merged = true
			}
		}
		if !merged {
			x.laneOps = append(x.laneOps, desc.LaneOp{Mask: leaf.lanes, Rotate: rot})
		}
	}
	switch len(x.laneOps) {
	case 0:
		x.laneOps = []desc.LaneOp{{Mask: desc.AllLanes}}
	case 1:
		x.laneOps[0].Mask = desc.AllLanes
	}
}

func laneOf(x *subRegIndex) int {
	n := 0
	for m := x.lanes; m > 1; m >>= 1 {
		n++
	}
	return n
}

// warn notes what is odd.
func (b *builder) warn(r *tablegen.Record, format string, args ...any) {
	if len(b.t.Warnings) < maxErrors {
		b.t.Warnings = append(b.t.Warnings, b.rs.ReportAt(r.Loc, diag.Warning, fmt.Sprintf(format, args...)))
	}
}
