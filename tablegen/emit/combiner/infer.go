package combiner

// typeRef is a type: a value type by name, or that of a matched operand.
type typeRef struct {
	vt   string
	like string // name of the matched operand
}

func (t typeRef) known() bool { return t != typeRef{} }

// infer finds the types of the registers that the apply patterns make and of
// their numbers: what is written, else that of an operand with the same type
// index of the same instruction. It reports types that cannot be found and
// instructions whose operands disagree.
func (g *generator) infer(v *variant) (map[string]typeRef, map[*operand]typeRef, bool) {
	names := map[string]typeRef{}
	literal := map[string]string{} // value types that match patterns demand
	for _, p := range v.match {
		for _, o := range p.ops {
			if o.name == "" {
				continue
			}
			names[o.name] = typeRef{like: o.name}
			if o.typ == "" {
				continue
			}
			if old := literal[o.name]; old != "" && old != o.typ {
				g.errorf("operand '" + o.name + "' has the types '" + old + "' and '" + o.typ + "'")
				return nil, nil, false
			}
			literal[o.name] = o.typ
		}
	}
	if !g.propagate(v, literal) {
		return nil, nil, false
	}
	imms := map[*operand]typeRef{}
	given := func(o *operand) (typeRef, bool) {
		switch {
		case o.typ != "":
			return typeRef{vt: o.typ}, true
		case o.typeOf != "":
			if p, _ := findOperand(v.match, o.typeOf); p == nil {
				g.errorf("'" + o.typeOf + "' ('GITypeOf<$" + o.typeOf + ">') does not refer to a matched operand!")
				return typeRef{}, false
			}
			return typeRef{like: o.typeOf}, true
		}
		return typeRef{}, true
	}
	for _, p := range v.apply {
		for n := range p.ops {
			o := &p.ops[n]
			t, ok := given(o)
			if !ok {
				return nil, nil, false
			}
			if !t.known() {
				continue
			}
			if o.kind == intOp {
				imms[o] = t
			} else if old, ok := names[o.name]; !ok {
				names[o.name] = t
			} else if old != t && !(old.like != "" && t.vt == "") {
				if old.like == "" {
					g.errorf("operand '" + o.name + "' has two types in the 'apply' patterns")
					return nil, nil, false
				}
				if l := literal[old.like]; l != "" && l != t.vt {
					g.errorf("operand '" + o.name + "' has type '" + l + "' in 'match' and '" + t.vt + "' in 'apply'")
					return nil, nil, false
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range v.apply {
			if p.kind == instPat && inferInst(p, names, imms) {
				changed = true
			}
			if p.kind == replacePat && p.ops[1].kind == intOp && !imms[&p.ops[1]].known() {
				imms[&p.ops[1]] = names[p.ops[0].name]
				changed = true
			}
		}
	}
	return names, imms, true
}

// inferInst gives operands without a type that of others with the same index.
func inferInst(p *pattern, names map[string]typeRef, imms map[*operand]typeRef) bool {
	changed := false
	for n := range p.ops {
		k := p.op.typeIndex(n)
		if k < 0 || p.ops[n].kind == restOp {
			continue
		}
		o := &p.ops[n]
		if o.kind == intOp && imms[o].known() || o.kind == regOp && names[o.name].known() || o.kind == predOp {
			continue
		}
		for m := range p.ops {
			x := &p.ops[m]
			if m == n || p.op.typeIndex(m) != k {
				continue
			}
			t := names[x.name]
			if x.kind == intOp {
				t = imms[x]
			}
			if !t.known() {
				continue
			}
			if o.kind == intOp {
				imms[o] = t
			} else {
				names[o.name] = t
			}
			changed = true
			break
		}
	}
	return changed
}

// propagate refuses match patterns whose operands can never have the types that
// are written, as the instruction wants them equal.
func (g *generator) propagate(v *variant, literal map[string]string) bool {
	for _, p := range v.match {
		if p.kind != instPat {
			continue
		}
		var by [8]string
		for n, o := range p.ops {
			k := p.op.typeIndex(n)
			t := o.typ
			if t == "" {
				t = literal[o.name]
			}
			if k < 0 || k >= len(by) || t == "" {
				continue
			}
			if by[k] != "" && by[k] != t {
				g.errorf("'" + p.text + "' never matches: " + p.op.name + " has operands of one type, here '" + by[k] + "' and '" + t + "'")
				return false
			}
			by[k] = t
		}
	}
	return true
}
