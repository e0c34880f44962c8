package tablegen

import "strconv"

// foldList evaluates the operators on lists; nil when it cannot yet.
func (ev *evaluator) foldList(x *OpInit, cur *Record) Init {
	switch x.Op {
	case OpHead, OpTail:
		l, ok := x.Args[0].(*ListInit)
		if !ok {
			return nil
		}
		if len(l.Elems) == 0 {
			ev.fatal(cur, "Empty list in "+opNames[x.Op])
			return nil
		}
		if x.Op == OpHead {
			return l.Elems[0]
		}
		return newList(l.t, l.Elems[1:])
	case OpListConcat:
		a, ok := x.Args[0].(*ListInit)
		b, ok2 := x.Args[1].(*ListInit)
		if !ok || !ok2 {
			return nil
		}
		return ev.concatLists(a, b, cur)
	case OpListFlatten:
		return ev.flatten(x, cur)
	case OpListSplat:
		n, ok := asInt(x.Args[1])
		if !ok {
			return nil
		}
		if n < 0 {
			ev.fatal(cur, "!listsplat count "+strconv.FormatInt(n, 10)+" is negative")
			return nil
		}
		if !ev.listFits(n, cur) {
			return nil
		}
		out := make([]Init, n)
		for i := range out {
			out[i] = x.Args[0]
		}
		return newList(x.T, out)
	case OpListRemove:
		return ev.listRemove(x, cur)
	case OpRange:
		return ev.foldRange(x, cur)
	case OpRangeClosed:
		a, ok := asInt(x.Args[0])
		b, ok2 := asInt(x.Args[1])
		if !ok || !ok2 {
			return nil
		}
		if b >= a {
			return ev.intList(a, b-a+1, 1, cur)
		}
		return ev.intList(a, a-b+1, -1, cur)
	case OpListElem:
		l, ok := x.Args[0].(*ListInit)
		i, ok2 := asInt(x.Args[1])
		if !ok || !ok2 || i < 0 || i >= int64(len(l.Elems)) {
			return nil
		}
		return l.Elems[i]
	case OpListSlice:
		return ev.listSlice(x, cur)
	case OpForeach:
		return ev.foldForeach(x, cur)
	case OpFilter:
		return ev.foldFilter(x, cur)
	case OpFoldl:
		l, ok := x.Args[1].(*ListInit)
		if !ok {
			return nil
		}
		acc := x.Args[0]
		for _, e := range l.Elems {
			r := ev.resolver(cur)
			r.set(x.Args[2].(*VarInit).Name, acc)
			r.set(x.Args[3].(*VarInit).Name, e)
			if !ev.spend(cur, 1) {
				return nil
			}
			acc = ev.resolve(x.Args[4], r)
			ev.done(r)
		}
		return acc
	}
	return nil
}

// listFits counts the cost of a list of n elements and refuses a huge one.
func (ev *evaluator) listFits(n int64, cur *Record) bool {
	if n > maxListLen {
		ev.fatal(cur, "list is too long")
		return false
	}
	return ev.spend(cur, int(n))
}

func (ev *evaluator) concatLists(a, b *ListInit, cur *Record) Init {
	if !ev.listFits(int64(len(a.Elems)+len(b.Elems)), cur) {
		return nil
	}
	out := make([]Init, 0, len(a.Elems)+len(b.Elems))
	out = append(append(out, a.Elems...), b.Elems...)
	return &ListInit{Elems: out, Elem: a.Elem, t: a.t, f: a.f | b.f, w: min(a.w+b.w, 1<<30)}
}

func (ev *evaluator) flatten(x *OpInit, cur *Record) Init {
	l, ok := x.Args[0].(*ListInit)
	if !ok {
		return nil
	}
	if l.Elem.Kind != ListType {
		return l
	}
	var out []Init
	for _, e := range l.Elems {
		in, ok := e.(*ListInit)
		if !ok {
			return nil
		}
		if !ev.listFits(int64(len(out)+len(in.Elems)), cur) {
			return nil
		}
		out = append(out, in.Elems...)
	}
	return newList(l.Elem, out)
}

func (ev *evaluator) listRemove(x *OpInit, cur *Record) Init {
	a, ok := x.Args[0].(*ListInit)
	b, ok2 := x.Args[1].(*ListInit)
	if !ok || !ok2 || !ev.spend(cur, len(a.Elems)+len(b.Elems)) {
		return nil
	}
	var out []Init
	if len(b.Elems) > 16 {
		seen := map[uint64][]Init{}
		for _, e := range b.Elems {
			h := hashInit(0, e)
			seen[h] = append(seen[h], e)
		}
		for _, e := range a.Elems {
			if !containsInit(seen[hashInit(0, e)], e) {
				out = append(out, e)
			}
		}
	} else {
		for _, e := range a.Elems {
			if !containsInit(b.Elems, e) {
				out = append(out, e)
			}
		}
	}
	return newList(a.t, out)
}

func containsInit(l []Init, x Init) bool {
	for _, y := range l {
		if equalInit(x, y) {
			return true
		}
	}
	return false
}

func (ev *evaluator) foldRange(x *OpInit, cur *Record) Init {
	start, ok := asInt(x.Args[0])
	end, ok2 := asInt(x.Args[1])
	step, ok3 := asInt(x.Args[2])
	if !ok || !ok2 || !ok3 {
		return nil
	}
	if step == 0 {
		ev.fatal(cur, "Step of !range can't be 0")
		return nil
	}
	var n uint64
	switch {
	case step > 0 && start < end:
		n = (uint64(end)-uint64(start)-1)/uint64(step) + 1
	case step < 0 && start > end:
		n = (uint64(start)-uint64(end)-1)/uint64(-step) + 1
	}
	return ev.intList(start, int64(min(n, maxListLen+1)), step, cur)
}

func (ev *evaluator) intList(start, n, step int64, cur *Record) Init {
	if n < 0 {
		n = maxListLen + 1
	}
	if !ev.listFits(n, cur) {
		return nil
	}
	out := make([]Init, n)
	for i := range out {
		out[i] = NewInt(start + int64(i)*step)
	}
	return newList(typeListInt, out)
}

func (ev *evaluator) listSlice(x *OpInit, cur *Record) Init {
	l, ok := x.Args[0].(*ListInit)
	idx, ok2 := x.Args[1].(*ListInit)
	if !ok || !ok2 || !ev.spend(cur, len(idx.Elems)) {
		return nil
	}
	out := make([]Init, len(idx.Elems))
	for k, e := range idx.Elems {
		i, ok := asInt(e)
		if !ok || i < 0 || i >= int64(len(l.Elems)) {
			return nil
		}
		out[k] = l.Elems[i]
	}
	return newList(l.t, out)
}

// apply evaluates the body of !foreach or !filter for one item.
func (ev *evaluator) apply(x *OpInit, item Init, cur *Record) Init {
	r := ev.resolver(cur)
	r.set(x.Args[0].(*VarInit).Name, item)
	v := ev.resolve(x.Args[2], r)
	ev.done(r)
	return v
}

func (ev *evaluator) foldForeach(x *OpInit, cur *Record) Init {
	switch l := x.Args[1].(type) {
	case *ListInit:
		if !ev.listFits(int64(len(l.Elems)), cur) {
			return nil
		}
		out := make([]Init, len(l.Elems))
		for i, e := range l.Elems {
			out[i] = ev.apply(x, e, cur)
		}
		return newList(x.T, out)
	case *DagInit:
		return ev.foreachDag(x, l, cur)
	}
	return nil
}

func (ev *evaluator) foreachDag(x *OpInit, d *DagInit, cur *Record) Init {
	if !ev.spend(cur, 1+len(d.Args)) {
		return d
	}
	op := ev.apply(x, d.Op, cur)
	args := make([]Init, len(d.Args))
	for i, a := range d.Args {
		if in, ok := a.(*DagInit); ok {
			args[i] = ev.foreachDag(x, in, cur)
		} else {
			args[i] = ev.apply(x, a, cur)
		}
	}
	return newDag(op, d.OpName, args, d.ArgNames)
}

func (ev *evaluator) foldFilter(x *OpInit, cur *Record) Init {
	l, ok := x.Args[1].(*ListInit)
	if !ok || !ev.listFits(int64(len(l.Elems)), cur) {
		return nil
	}
	var out []Init
	for _, e := range l.Elems {
		v, ok := asInt(ev.apply(x, e, cur))
		if !ok {
			return nil
		}
		if v != 0 {
			out = append(out, e)
		}
	}
	return newList(l.t, out)
}
