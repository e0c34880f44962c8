package ir

// LandingPads numbers what the landing pads of a function ask about, as the
// Itanium C++ ABI's exception tables need it: types by position from 1 on, exception
// specifications (filters) by negative numbers. The numbers follow from the
// function alone, so that whoever needs them finds the same ones.
type LandingPads struct {
	f *Function
	// Types are the types caught or allowed, number 1 first; the null pointer catches everything.
	Types []Value
	// Filters is the table of filters in ULEB128: the numbers of a filter's types, then 0.
	Filters []byte
	ids     map[Value]int
	actions map[InstrID][]int
}

// NewLandingPads numbers the clauses of f in the order of its blocks.
func NewLandingPads(f *Function) *LandingPads {
	p := &LandingPads{f: f, ids: map[Value]int{}, actions: map[InstrID][]int{}}
	for _, b := range f.Order {
		if i := p.Of(b); i != 0 {
			p.actions[i] = p.clauses(i)
		}
	}
	return p
}

// Of returns the landingpad of a block, 0 when it has none.
func (p *LandingPads) Of(b BlockID) InstrID {
	for i := p.f.Blocks[b].First; i != 0; i = p.f.Instrs[i].Next {
		switch p.f.Instrs[i].Op {
		case OpPhi:
			continue
		case OpLandingPad:
			return i
		}
		return 0
	}
	return 0
}

// TypeID is the number that the selector has when an exception of that type is
// caught; a type that no landing pad names gets a number of its own.
func (p *LandingPads) TypeID(v Value) int {
	v = p.canonical(v)
	if n, ok := p.ids[v]; ok {
		return n
	}
	p.Types = append(p.Types, v)
	p.ids[v] = len(p.Types)
	return len(p.Types)
}

// canonical makes equal values of a null pointer's constants.
func (p *LandingPads) canonical(v Value) Value {
	if c := v.Const(); c != 0 && p.f.Consts.IsNullValue(c) {
		return 0
	}
	return v
}

// Actions are the numbers that the unwinder tries for a landingpad, in order: a
// type to catch, a filter, or 0 for a cleanup. None stands for a cleanup alone.
func (p *LandingPads) Actions(i InstrID) []int { return p.actions[i] }

func (p *LandingPads) clauses(i InstrID) []int {
	var out []int
	in := &p.f.Instrs[i]
	var filters []bool
	if in.Extra != 0 {
		filters = p.f.Extras[in.Extra].ClauseFilters
	}
	for k := range p.f.NumOps(i) {
		if v := p.f.Op(i, k); k < len(filters) && filters[k] {
			out = append(out, p.filter(v))
		} else {
			out = append(out, p.TypeID(v))
		}
	}
	if in.Flags&Cleanup != 0 && len(out) > 0 {
		out = append(out, 0)
	}
	return out
}

// filter adds the types of an array to the table; its number is where they begin.
func (p *LandingPads) filter(v Value) int {
	n := -1 - len(p.Filters)
	for _, t := range p.elements(v.Const()) {
		for id := uint(p.TypeID(t)); ; id >>= 7 {
			if id < 0x80 {
				p.Filters = append(p.Filters, byte(id))
				break
			}
			p.Filters = append(p.Filters, byte(id)|0x80)
		}
	}
	p.Filters = append(p.Filters, 0)
	return n
}

// elements are the members of a constant array; null pointers are 0.
func (p *LandingPads) elements(c ConstID) []Value {
	if c == 0 {
		return nil
	}
	switch r := p.f.Consts.At(c); r.Kind {
	case ConstArray:
		return p.f.Consts.Ops(c)
	case ConstZero:
		return make([]Value, p.f.Module.Types.NumElems(r.Type))
	}
	return nil
}
