package tablegen

import "strconv"

// foldDag evaluates the operators on dags; nil when it cannot yet.
func (ev *evaluator) foldDag(x *OpInit, cur *Record) Init {
	if x.Op == OpDag {
		return ev.makeDag(x, cur)
	}
	d, ok := x.Args[0].(*DagInit)
	if !ok {
		return nil
	}
	switch x.Op {
	case OpCon:
		return ev.conDags(x, d, cur)
	case OpGetDagOp:
		// The operator may turn out to be of another class than is wanted.
		op := d.Op
		if t := op.Type(); t != nil && !t.isA(x.T) {
			if _, ok := op.(*DefInit); ok || !t.convertibleTo(x.T) {
				ev.fatal(cur, "Expected type '"+x.T.String()+"', got '"+t.String()+"' in: "+x.String()+"\n")
				return nil
			}
		}
		return op
	case OpGetDagOpName:
		if d.OpName == "" {
			return nothing
		}
		return NewString(d.OpName)
	case OpGetDagArg:
		i, ok := ev.dagIndex(x, d, cur, x.Args[1])
		if !ok {
			return nil
		}
		a := d.Args[i]
		if t := a.Type(); t == nil || !t.isA(x.T) {
			return unset
		}
		return a
	case OpGetDagName:
		i, ok := ev.dagIndex(x, d, cur, x.Args[1])
		if !ok {
			return nil
		}
		if d.ArgNames[i] == "" {
			return unset
		}
		return NewString(d.ArgNames[i])
	case OpSetDagOp:
		switch x.Args[1].(type) {
		case *DefInit:
			return newDag(x.Args[1], d.OpName, d.Args, d.ArgNames)
		}
	case OpSetDagOpName:
		if s, ok := x.Args[1].(*StringInit); ok {
			return newDag(d.Op, s.S, d.Args, d.ArgNames)
		}
	case OpSetDagArg:
		i, ok := ev.dagIndex(x, d, cur, x.Args[1])
		if !ok {
			return nil
		}
		args := append([]Init(nil), d.Args...)
		args[i] = x.Args[2]
		return newDag(d.Op, d.OpName, args, d.ArgNames)
	case OpSetDagName:
		i, ok := ev.dagIndex(x, d, cur, x.Args[1])
		if !ok {
			return nil
		}
		names := append([]string(nil), d.ArgNames...)
		switch s := x.Args[2].(type) {
		case *StringInit:
			names[i] = s.S
		case *UnsetInit:
			names[i] = ""
		default:
			return nil
		}
		return newDag(d.Op, d.OpName, d.Args, names)
	}
	return nil
}

// dagIndex finds the argument that a key, an int or a name, means.
func (ev *evaluator) dagIndex(x *OpInit, d *DagInit, cur *Record, key Init) (int, bool) {
	switch k := key.(type) {
	case *StringInit:
		for i, n := range d.ArgNames {
			if n == k.S {
				return i, true
			}
		}
		ev.fatal(cur, x.Op.String()+" key '"+k.S+"' is not found")
	default:
		v, ok := asInt(key)
		if !ok {
			return 0, false
		}
		if v >= 0 && v < int64(len(d.Args)) {
			return int(v), true
		}
		msg := x.Op.String() + " index " + strconv.FormatInt(v, 10)
		if v < 0 {
			msg += " is negative"
		} else {
			msg += " is out of range (dag has " + strconv.Itoa(len(d.Args)) + " arguments)"
		}
		ev.fatal(cur, msg)
	}
	return 0, false
}

func (ev *evaluator) conDags(x *OpInit, a *DagInit, cur *Record) Init {
	b, ok := x.Args[1].(*DagInit)
	if !ok {
		return nil
	}
	ad, ok := a.Op.(*DefInit)
	bd, ok2 := b.Op.(*DefInit)
	_, aUnset := a.Op.(*UnsetInit)
	_, bUnset := b.Op.(*UnsetInit)
	if !ok && !aUnset || !ok2 && !bUnset {
		return nil
	}
	if ok && ok2 && ad != bd {
		ev.fatal(cur, "Concatenated Dag operators do not match: '"+a.String()+"' vs. '"+b.String()+"'")
		return nil
	}
	if !ev.listFits(int64(len(a.Args)+len(b.Args)), cur) {
		return nil
	}
	op := a.Op
	if aUnset {
		op = b.Op
	}
	args := append(append(make([]Init, 0, len(a.Args)+len(b.Args)), a.Args...), b.Args...)
	names := append(append(make([]string, 0, len(args)), a.ArgNames...), b.ArgNames...)
	return newDag(op, a.OpName, args, names)
}

func (ev *evaluator) makeDag(x *OpInit, cur *Record) Init {
	l, ok := x.Args[1].(*ListInit)
	if _, un := x.Args[1].(*UnsetInit); !ok && !un {
		return nil
	}
	n, ok2 := x.Args[2].(*ListInit)
	if _, un := x.Args[2].(*UnsetInit); !ok2 && !un {
		return nil
	}
	if !ok && !ok2 || ok && ok2 && len(l.Elems) != len(n.Elems) {
		return nil
	}
	size := 0
	if ok {
		size = len(l.Elems)
	} else {
		size = len(n.Elems)
	}
	if !ev.spend(cur, size) {
		return nil
	}
	args, names := make([]Init, size), make([]string, size)
	for i := range args {
		args[i] = unset
		if ok {
			args[i] = l.Elems[i]
		}
		if ok2 {
			switch s := n.Elems[i].(type) {
			case *StringInit:
				names[i] = s.S
			case *UnsetInit:
			default:
				return nil
			}
		}
	}
	return newDag(x.Args[0], "", args, names)
}
