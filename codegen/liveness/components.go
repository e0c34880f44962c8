package liveness

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/support/rows"
)

// Components are the connected components of a range's values: two values are
// connected when one is live out of a block before the other, which is a PHI
// value, or is what a definition of parts (a tied one, say) makes of it.
type Components struct {
	up    []int32 // union-find over values
	class []int32
}

// Find numbers the components of li from 0 and returns how many there are. The
// values that are in no use go to component 0.
func (c *Components) Find(v *Intervals, r *Range) int {
	c.up = rows.Zeroed(c.up, len(r.Vals))
	for n := range c.up {
		c.up[n] = int32(n)
	}
	used, unused := -1, -1
	for n := range r.Vals {
		d := r.Vals[n].Def
		if d == 0 {
			if unused >= 0 {
				c.join(unused, n)
			}
			unused = n
			continue
		}
		used = n
		if d.IsBlock() {
			for _, p := range v.f.Preds(v.Indexes.BlockAt(d)) {
				if o := r.ValueBefore(v.Indexes.BlockEnd(p)); o != NoValue {
					c.join(n, int(o))
				}
			}
		} else if o := r.ValueBefore(d); o != NoValue {
			// Defined by an instruction that the other reaches: a part of it, or two-address code.
			c.join(n, int(o))
		}
	}
	if used >= 0 && unused >= 0 {
		c.join(used, unused)
	}
	return c.number()
}

// number makes up the classes' numbers in the order of their first values.
func (c *Components) number() int {
	c.class = rows.Zeroed(c.class, len(c.up))
	n := int32(0)
	for k := range c.up {
		if root := c.root(k); root == k {
			c.class[k] = n
			n++
		} else {
			c.class[k] = c.class[root]
		}
	}
	return int(n)
}

// Of is the component of a value.
func (c *Components) Of(v ValueID) int { return int(c.class[v]) }

// root keeps the smallest value of a component on top.
func (c *Components) root(n int) int {
	for int(c.up[n]) != n {
		c.up[n] = c.up[c.up[n]]
		n = int(c.up[n])
	}
	return n
}

func (c *Components) join(a, b int) {
	a, b = c.root(a), c.root(b)
	if a > b {
		a, b = b, a
	}
	c.up[b] = int32(a)
}

// SplitComponents gives each connected component of li but the first a register
// of its own, rewrites the operands, and returns the new intervals.
func (v *Intervals) SplitComponents(li *Interval) []*Interval {
	n := v.comps.Find(v, &li.Range)
	if n <= 1 {
		return nil
	}
	out := make([]*Interval, 0, n-1)
	for len(out) < n-1 {
		r := v.f.CloneVReg(li.Reg)
		out = append(out, v.CreateEmpty(r))
	}
	v.Distribute(li, out, &v.comps)
	return out
}

// Distribute moves the values of component k to into[k-1], whose registers the
// operands are rewritten to; component 0 stays.
func (v *Intervals) Distribute(li *Interval, into []*Interval, c *Components) {
	f := v.f
	for id := f.FirstUse(li.Reg); id != 0; {
		next := f.NextUse(id)
		i, n := f.Owner(id)
		o := f.OpAt(id)
		val := NoValue
		switch {
		case o.IsDebug():
			val = v.ValueAround(&li.Range, i)
		case f.IsPHI(i) && !o.IsDef():
			val = li.ValueBefore(v.usePoint(id).at)
		case o.IsDef():
			val = li.ValueAt(v.Indexes.Of(i).RegSlot(o.IsEarlyClobber()))
		default:
			q := li.Query(v.Indexes.Of(i))
			if val = q.Defined(); o.ReadsReg() {
				val = q.In
			}
		}
		if val != NoValue {
			if k := c.Of(val); k > 0 {
				f.SetReg(i, n, into[k-1].Reg)
			}
		}
		id = next
	}
	for k := range li.Subs {
		s := &li.Subs[k]
		if s.Empty() {
			continue
		}
		to := make([]*Range, len(into))
		class := func(val ValueID) int {
			if d := s.Vals[val].Def; d != 0 {
				if m := li.ValueAt(d); m != NoValue {
					return c.Of(m)
				}
			}
			return 0
		}
		for x := range into {
			for val := range s.Vals {
				if class(ValueID(val)) == x+1 {
					to[x] = &into[x].AddSub(s.Lanes).Range
					break
				}
			}
		}
		distribute(&s.Range, to, class)
	}
	li.RemoveEmptySubs()
	to := make([]*Range, len(into))
	for x := range into {
		to[x] = &into[x].Range
	}
	distribute(&li.Range, to, func(val ValueID) int { return c.Of(val) })
}

// ValueAround is the value of r where debug instruction i stands: what is live
// behind the instruction before it.
func (v *Intervals) ValueAround(r *Range, i mir.InstrID) ValueID {
	at := v.Indexes.BlockStart(v.f.Instr(i).Block())
	for p := v.f.Instr(i).Prev(); p != 0; p = v.f.Instr(p).Prev() {
		if x := v.Indexes.Of(p); x != 0 {
			at = x
			break
		}
	}
	return r.ValueAt(at.Dead())
}

// distribute moves the segments and values of classes above 0 to to[class-1].
func distribute(r *Range, to []*Range, class func(ValueID) int) {
	where := make([]ValueID, len(r.Vals))
	which := make([]int, len(r.Vals))
	for n, d := range r.Vals {
		which[n] = class(ValueID(n))
		if which[n] == 0 || d.Unused() {
			which[n] = 0
			continue
		}
		where[n] = to[which[n]-1].NewValue(d.Def)
	}
	keep := r.Segs[:0]
	for _, s := range r.Segs {
		if k := which[s.Val]; k > 0 {
			s.Val = where[s.Val]
			to[k-1].Append(s)
		} else {
			keep = append(keep, s)
		}
	}
	r.Segs = keep
	vals := r.Vals
	n := ValueID(0)
	for k := range vals {
		if which[k] == 0 {
			where[k] = n
			vals[n] = vals[k]
			n++
		}
	}
	r.Vals = vals[:n]
	for k := range r.Segs {
		r.Segs[k].Val = where[r.Segs[k].Val]
	}
}
