package tablegen

import "github.com/mirin-go/mirin/diag"

// check is an assert or dump statement of a class, record or multiclass.
type check struct {
	loc  Loc
	cond Init // nil for dump
	msg  Init
}

// classRef is a class with arguments in a list of superclasses.
type classRef struct {
	class *Record
	args  []ClassArg
	loc   Loc
}

// qualified returns the full name of a template argument.
func (r *Record) qualified(name string) string {
	if r.kind == kindMulticlass {
		return r.Name + "::" + name
	}
	return r.Name + ":" + name
}

// newRecord begins a record; name is a *StringInit, a *AnonNameInit or not yet known.
func (rs *Records) newRecord(kind recordKind, name Init, loc Loc) *Record {
	rs.nextID++
	r := &Record{ID: rs.nextID, Loc: loc, records: rs, kind: kind, nameInit: name}
	r.setName(name)
	return r
}

func (r *Record) setName(name Init) {
	r.nameInit = name
	switch n := name.(type) {
	case *StringInit:
		r.Name = n.S
	case *AnonNameInit:
		r.Name = n.name().S
		r.anonymous = true
	case *VarInit:
		r.Name = n.Name
	default:
		r.Name = unquoted(name)
	}
}

// unquoted returns the text of a value, a string's without quotes.
func unquoted(x Init) string {
	switch x := x.(type) {
	case *StringInit:
		return x.S
	case *AnonNameInit:
		return x.name().S
	}
	return x.String()
}

func (rs *Records) newAnonName() *AnonNameInit {
	rs.anon++
	return &AnonNameInit{rs.anon - 1}
}

// copyOf copies a record of a multiclass or loop that is to be resolved.
func (r *Record) copyOf() *Record {
	rs := r.records
	rs.nextID++
	c := *r
	c.ID = rs.nextID
	c.def = nil
	c.usedAt = r.usedAt[:len(r.usedAt):len(r.usedAt)]
	c.Fields = append(make([]Field, 0, len(r.Fields)), r.Fields...)
	c.Superclasses = r.Superclasses[:len(r.Superclasses):len(r.Superclasses)]
	c.direct = r.direct[:len(r.direct):len(r.direct)]
	c.checks = nil
	for _, k := range r.checks {
		if k.cond != nil { // dump statements are lost in copies, as in llvm-tblgen
			c.checks = append(c.checks, k)
		}
	}
	c.superShared, c.indexShared = true, true
	return &c
}

// inherit adds the fields of the class and the class itself to r.
func (ev *evaluator) inherit(r *Record, ref classRef) {
	c := ref.class
	if c == r { // llvm-tblgen crashes on it
		ev.errorAt(ref.loc, "class '"+c.Name+"' cannot be its own superclass")
		return
	}
	if !ev.spend(r, len(c.Fields)) {
		return
	}
	if len(r.Fields) == 0 {
		// The first class: its fields as they stand, its index shared.
		r.Fields = append(make([]Field, 0, len(c.Fields)+4), c.Fields...)
		r.index, r.indexShared = c.index, true
	} else {
		for i := range c.Fields {
			if !ev.addField(r, c.Fields[i], ref.loc) {
				return
			}
		}
	}
	res := ev.resolver(r)
	defer ev.done(res)
	if !ev.bindArgs(res, c, ref.args, ref.loc) {
		return
	}
	for _, k := range c.checks {
		r.checks = append(r.checks, resolveCheck(ev, k, res))
	}
	var name Init = r.nameInit
	if r.kind == kindClass {
		name = &VarInit{r.qualified("NAME"), typeString}
	}
	res.set(c.qualified("NAME"), name)
	ev.resolveFields(r, res)
	if ev.failed {
		return
	}
	for _, s := range c.Superclasses {
		if !r.hasSuper(s) {
			r.addSuper(s, false)
		}
	}
	if r.hasSuper(c) {
		ev.errorAt(ref.loc, "Already subclass of '"+c.Name+"'!\n")
		return
	}
	r.addSuper(c, true)
}

func resolveCheck(ev *evaluator, k check, res *resolver) check {
	if k.cond != nil {
		k.cond = ev.resolve(k.cond, res)
	}
	k.msg = ev.resolve(k.msg, res)
	return k
}

// addField adds a field, or sets one of the same name and type anew.
func (ev *evaluator) addField(r *Record, f Field, loc Loc) bool {
	old := r.field(f.Name)
	if old == nil {
		r.addField(f)
		return true
	}
	if old.setValue(f.Value) {
		return true
	}
	ev.errorAt(loc, "New definition of '"+f.Name+"' of type '"+f.Type.String()+
		"' is incompatible with previous definition of type '"+old.Type.String()+"'")
	return false
}

// bindArgs maps the template arguments of c to the given values or defaults.
func (ev *evaluator) bindArgs(res *resolver, c *Record, args []ClassArg, loc Loc) bool {
	if len(c.TemplateArgs) == 0 {
		return true
	}
	vals := make([]Init, len(c.TemplateArgs))
	for _, a := range args {
		vals[a.Index] = a.Value
	}
	for i := range c.TemplateArgs {
		t := &c.TemplateArgs[i]
		v := vals[i]
		if v == nil {
			v = t.Value
			if !isComplete(v) {
				ev.errorAt(loc, "value not specified for template argument '"+t.Name+"'")
				ev.note(t.Loc, "declared in '"+c.Name+"'")
				return false
			}
			// A default may refer to the arguments before it.
			if v.flags() != 0 {
				v = ev.resolve(v, res)
			}
		}
		res.set(t.Name, v)
	}
	return true
}

// isComplete reports whether no part of x is unset.
func isComplete(x Init) bool {
	switch x := x.(type) {
	case *UnsetInit:
		return false
	case *BitsInit:
		for _, b := range x.Bits {
			if !isComplete(b) {
				return false
			}
		}
	case *ListInit:
		for _, e := range x.Elems {
			if !isComplete(e) {
				return false
			}
		}
	}
	return true
}

// resolveFields resolves name, fields and checks of r.
func (ev *evaluator) resolveFields(r *Record, res *resolver) {
	if r.nameInit.flags() != 0 {
		if n := ev.resolve(r.nameInit, res); n != r.nameInit {
			anon := r.anonymous
			r.setName(n)
			r.anonymous = anon
		}
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Value == nil || f.Value.flags() == 0 {
			continue
		}
		v := ev.resolve(f.Value, res)
		if v == f.Value {
			continue
		}
		if !ev.weighs(v, r, f.Loc) {
			return
		}
		old := f.Value
		if !f.setValue(v) {
			typ := ""
			if t := v.Type(); t != nil {
				typ = "of type '" + t.String() + "' "
			}
			ev.errorAt(f.Loc, "Invalid value "+typ+"found when setting field '"+f.Name+"' of type '"+
				f.Type.String()+"' after resolving references: "+v.String())
			f.Value = old
		}
		if ev.failed {
			return
		}
	}
	for i := range r.checks {
		r.checks[i] = resolveCheck(ev, r.checks[i], res)
	}
}

// finish resolves the references between the fields of r for the last time.
func (ev *evaluator) finish(r *Record, rename *AnonNameInit) {
	res := ev.fieldResolver(r)
	defer ev.done(res)
	res.final = true
	res.rename = rename
	if rename != nil {
		// The name itself last, since the resolver compares with it.
		for i := range r.Fields {
			if f := &r.Fields[i]; f.Value != nil && f.Value.flags() != 0 {
				if v := ev.resolve(f.Value, res); v != f.Value {
					f.setValue(v)
				}
			}
		}
		for i := range r.checks {
			r.checks[i] = resolveCheck(ev, r.checks[i], res)
		}
		r.setName(rename)
	}
	ev.resolveFields(r, res)
}

// addDef finishes a record and enters it among the definitions.
func (ev *evaluator) addDef(r *Record, sets []*defset) {
	rs := ev.rs
	var rename *AnonNameInit
	if prev := rs.defs[r.Name]; prev != nil {
		if !r.anonymous {
			ev.recordError(r, "def already exists: "+r.Name)
			ev.note(prev.Loc, "location of previous definition")
			ev.noteUses(prev)
			return
		}
		rename = rs.newAnonName()
	}
	ev.finish(r, rename)
	if ev.failed {
		return
	}
	if _, ok := r.nameInit.(*StringInit); !ok {
		ev.recordError(r, "record name '"+r.nameInit.String()+"' could not be fully resolved")
		return
	}
	ev.runChecks(r)
	for _, s := range sets {
		d := r.DefInit()
		if !d.Type().isA(s.elem) {
			ev.recordError(r, "adding record of incompatible type '"+d.Type().String()+"' to defset")
			ev.note(s.loc, "location of defset declaration")
			return
		}
		s.elems = append(s.elems, d)
	}
	rs.enterDef(r)
}

func (rs *Records) enterDef(r *Record) {
	if rs.defs[r.Name] == nil {
		rs.defList = append(rs.defList, r)
	}
	rs.defs[r.Name] = r
}

// runChecks carries out the assert statements of a finished record and then
// its dump statements.
func (ev *evaluator) runChecks(r *Record) {
	if len(r.checks) == 0 {
		return
	}
	res := ev.fieldResolver(r)
	defer ev.done(res)
	res.final = true
	failed := false
	for _, k := range r.checks {
		if k.cond != nil && !ev.runCheck(resolveCheck(ev, k, res)) {
			failed = true
		}
	}
	if failed {
		ev.softError(r.Loc, "assertion failed in this record")
		ev.noteUses(r)
	}
	for _, k := range r.checks {
		if k.cond == nil {
			ev.runCheck(resolveCheck(ev, k, res))
		}
	}
}

// runCheck carries out one assert or dump statement; false when it fails.
func (ev *evaluator) runCheck(k check) bool {
	if ev.failed {
		return false
	}
	if k.cond == nil {
		m, ok := k.msg.(*StringInit)
		if !ok {
			ev.softError(k.loc, "dump value is not of type string")
			return false
		}
		ev.report(k.loc, ev.locate(k.loc, diag.Note, m.S))
		return true
	}
	v, ok := asInt(k.cond)
	switch {
	case !ok:
		ev.softError(k.loc, "assert condition must of type bit, bits, or int.")
	case v == 0:
		msg := "(assert message is not a string)"
		if m, ok := k.msg.(*StringInit); ok {
			msg = m.S
		}
		ev.softError(k.loc, "assertion failed: "+msg)
	default:
		return true
	}
	return false
}

// foldClass makes the anonymous record when all arguments are known.
func (ev *evaluator) foldClass(x *ClassInit) Init {
	if ev.failed || !ev.weighs(x, nil, x.loc) {
		return x
	}
	if hasFreeVar(x, nil) {
		// Equal references are one, at the place of the first.
		h := hashClass(x)
		for _, y := range ev.pending[h] {
			if y.Class == x.Class && equalArgs(y.Args, x.Args) {
				return y
			}
		}
		ev.pending[h] = append(ev.pending[h], x)
		return x
	}
	return ev.instantiate(x)
}

// weighs refuses values that have too many parts to be stored or compared.
func (ev *evaluator) weighs(x Init, cur *Record, loc Loc) bool {
	w := weight(x)
	if w > maxWeight {
		ev.errorAt(loc, "value is too large")
		return false
	}
	return w < 1024 || ev.spend(cur, int(w)/16)
}

// instantiate returns the anonymous record that x stands for. Equal class
// references share one record.
func (ev *evaluator) instantiate(x *ClassInit) Init {
	h := hashClass(x)
	for _, in := range ev.instances[h] {
		if in.class == x.Class && equalArgs(in.args, x.Args) {
			return in.rec.DefInit()
		}
	}
	if !ev.enter(x.Class) {
		ev.depth--
		return x
	}
	defer func() { ev.depth-- }()
	rs, c := ev.rs, x.Class
	if !ev.mayRecord(x.loc) {
		return x
	}
	r := rs.newRecord(kindDef, rs.newAnonName(), x.loc)
	r.Fields = append(make([]Field, 0, len(c.Fields)), c.Fields...)
	r.index, r.indexShared = c.index, true
	r.checks = append(r.checks, c.checks...)
	// The record is registered while it is being made, as the class reference
	// may occur in it again.
	ev.instances[h] = append(ev.instances[h], instance{c, x.Args, r})
	res := ev.resolver(r)
	for i := range c.TemplateArgs {
		res.set(c.TemplateArgs[i].Name, c.TemplateArgs[i].Value)
	}
	for _, a := range x.Args {
		res.binds[a.Index].val = a.Value
	}
	ev.resolveFields(r, res)
	ev.done(res)
	r.Superclasses = append(make([]*Record, 0, len(c.Superclasses)+1), c.Superclasses...)
	r.superSet, r.superShared = c.superSet, true
	r.addSuper(c, true)
	ev.finish(r, nil)
	if ev.failed {
		return x
	}
	rs.enterDef(r)
	ev.runChecks(r)
	return r.DefInit()
}

// maxRecords bounds the records of a parse, those that loops, multiclasses and
// class references make on the way included. The largest target of LLVM makes
// a few hundred thousand.
const maxRecords = 1_000_000

// mayRecord refuses to begin another record when there are too many.
func (ev *evaluator) mayRecord(at Loc) bool {
	if ev.rs.nextID > maxRecords {
		ev.errorAt(at, "too many records (more than "+NewInt(maxRecords).String()+")")
	}
	return !ev.failed
}

// hashClass returns a hash of the class and its arguments.
func hashClass(x *ClassInit) uint64 {
	h := uint64(x.Class.ID)*0x9e3779b97f4a7c15 + 14695981039346656037
	for _, a := range x.Args {
		h = mix(h, uint64(a.Index)<<1)
		if a.Named {
			h = mix(h, 1)
		}
		h = hashInit(h, a.Value)
	}
	return h
}

func mix(h, v uint64) uint64 { h = (h ^ v) * 0x9fb21c651e98df25; return h ^ h>>29 }

func hashString(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return mix(h, uint64(len(s)))
}

func hashAll(h uint64, l []Init) uint64 {
	h = mix(h, uint64(len(l)))
	for _, x := range l {
		h = hashInit(h, x)
	}
	return h
}

func hashInit(h uint64, x Init) uint64 {
	switch x := x.(type) {
	case *IntInit:
		return mix(h, uint64(x.V)+1)
	case *BitInit:
		if x.V {
			return mix(h, 0x1001)
		}
		return mix(h, 0x1000)
	case *BitsInit:
		return hashAll(mix(h, 0x1002), x.Bits)
	case *StringInit:
		return hashString(mix(h, 0x1003), x.S)
	case *ListInit:
		return hashAll(mix(h, 0x1004), x.Elems)
	case *DagInit:
		h = hashAll(hashInit(mix(h, 0x1005), x.Op), x.Args)
		for _, n := range x.ArgNames {
			h = hashString(h, n)
		}
		return h
	case *DefInit:
		return mix(h, uint64(x.Rec.ID)<<20)
	case *UnsetInit:
		return mix(h, 0x1006)
	case *VarInit:
		return hashString(mix(h, 0x1007), x.Name)
	case *VarBitInit:
		return hashInit(mix(h, 0x1008+uint64(x.Bit)<<16), x.Var)
	case *FieldInit:
		return hashString(hashInit(mix(h, 0x1009), x.Rec), x.Field)
	case *OpInit:
		return hashAll(mix(h, 0x100a+uint64(x.Op)<<16), x.Args)
	case *ClassInit:
		return mix(h, hashClass(x))
	case *AnonNameInit:
		return mix(h, 0x100b+uint64(x.N)<<16)
	}
	return h
}

func equalArgs(a, b []ClassArg) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Index != b[i].Index || a[i].Named != b[i].Named || !equalInit(a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}

func equalAll(a, b []Init) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equalInit(a[i], b[i]) {
			return false
		}
	}
	return true
}

// equalInit reports whether a and b are the same value, evaluated or not.
func equalInit(a, b Init) bool {
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *IntInit:
		y, ok := b.(*IntInit)
		return ok && x.V == y.V
	case *BitsInit:
		y, ok := b.(*BitsInit)
		return ok && equalAll(x.Bits, y.Bits)
	case *StringInit:
		y, ok := b.(*StringInit)
		return ok && x.S == y.S && x.Code == y.Code
	case *ListInit:
		y, ok := b.(*ListInit)
		return ok && sameType(x.t, y.t) && equalAll(x.Elems, y.Elems)
	case *DagInit:
		y, ok := b.(*DagInit)
		if !ok || x.OpName != y.OpName || !equalInit(x.Op, y.Op) || !equalAll(x.Args, y.Args) {
			return false
		}
		for i, n := range x.ArgNames {
			if y.ArgNames[i] != n {
				return false
			}
		}
		return true
	case *UnsetInit:
		_, ok := b.(*UnsetInit)
		return ok
	case *VarInit:
		y, ok := b.(*VarInit)
		return ok && x.Name == y.Name && sameType(x.T, y.T)
	case *VarBitInit:
		y, ok := b.(*VarBitInit)
		return ok && x.Bit == y.Bit && equalInit(x.Var, y.Var)
	case *FieldInit:
		y, ok := b.(*FieldInit)
		return ok && x.Field == y.Field && equalInit(x.Rec, y.Rec)
	case *OpInit:
		y, ok := b.(*OpInit)
		return ok && x.Op == y.Op && sameType(x.T, y.T) && (x.TypeArg == y.TypeArg || x.TypeArg != nil &&
			y.TypeArg != nil && sameType(x.TypeArg, y.TypeArg)) && equalAll(x.Args, y.Args)
	case *ClassInit:
		y, ok := b.(*ClassInit)
		return ok && x.Class == y.Class && equalArgs(x.Args, y.Args)
	case *AnonNameInit:
		y, ok := b.(*AnonNameInit)
		return ok && x.N == y.N
	}
	return false
}
