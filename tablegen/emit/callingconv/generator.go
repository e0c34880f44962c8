package callingconv

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// FromFile makes the table of a target out of its .td file. read gives the
// file and what it includes; mirin/CallingConv.td and the target's facts are built in.
func FromFile(facts *desc.Info, file string, read func(path string) ([]byte, error)) (*desc.CCTable, error) {
	rs, err := include.ParseFile(facts, file, read)
	if err != nil {
		return nil, err
	}
	return FromRecords(facts, rs)
}

// register finds a register by LLVM's name.
func register(facts *desc.Info, name string) (desc.PhysReg, bool) {
	r, ok := facts.RegByName(strings.ToLower(name))
	return r, ok && facts.RegName(r) == name
}

// generator walks the records of a target.
type generator struct {
	facts *desc.Info
	rs    *tablegen.Records
	t     *desc.CCTable
	convs map[*tablegen.Record]int
	errs  diag.List
	// preds are the declared predicates of the target: their numbers.
	preds map[string]int
	// at is the action at hand, for errors.
	at *tablegen.Record
	// sets are the callee-saved lists that are being evaluated, against cycles.
	sets map[*tablegen.Record]bool
}

// FromRecords makes the table of a target out of its records. The error is a
// diag.List.
func FromRecords(facts *desc.Info, rs *tablegen.Records) (*desc.CCTable, error) {
	g := &generator{facts: facts, rs: rs, t: &desc.CCTable{}, convs: map[*tablegen.Record]int{}, preds: map[string]int{}, sets: map[*tablegen.Record]bool{}}
	for _, r := range rs.DerivedFrom("CCPredicate") {
		name := r.String("Name")
		if _, ok := g.preds[name]; ok {
			g.at = r
			g.errorf("predicate '" + name + "' is declared twice")
			continue
		}
		g.preds[name] = len(g.t.Preds)
		g.t.Preds = append(g.t.Preds, name)
	}
	convs := rs.DerivedFrom("CallingConv")
	for k, r := range convs {
		g.convs[r] = k
		g.t.Convs = append(g.t.Convs, desc.CCDesc{Name: r.Name})
	}
	for k, r := range convs {
		g.t.Convs[k].Code = uint32(len(g.t.Code))
		if r.Bit("Custom") {
			g.custom(r.Name)
		} else {
			g.actions(r)
		}
		g.emit(uint16(desc.CCEnd))
	}
	for _, r := range rs.DerivedFrom("CalleeSavedRegs") {
		g.saved(r)
	}
	g.checkCycles()
	return g.t, g.errs.Err()
}

// errorf reports an error at the action (or other record) at hand.
func (g *generator) errorf(msg string) {
	loc := tablegen.Loc{}
	if g.at != nil {
		loc = g.at.Loc
	}
	d := g.rs.ErrorAt(loc, msg)
	for _, e := range g.errs {
		if *e == *d {
			return // one action stands in several conventions
		}
	}
	g.errs = append(g.errs, d)
}

func (g *generator) emit(words ...uint16) { g.t.Code = append(g.t.Code, words...) }

// actions writes the actions of a convention.
func (g *generator) actions(conv *tablegen.Record) {
	g.at = conv
	l, ok := conv.ListOK("Actions")
	if !ok {
		g.errorf("calling convention '" + conv.Name + "' has no Actions")
		return
	}
	for _, x := range l {
		d, ok := x.(*tablegen.DefInit)
		if !ok {
			g.at = conv
			g.errorf("an action of '" + conv.Name + "' is not set")
			continue
		}
		g.action(d.Rec, 0)
	}
}

// maxNesting bounds conditions within conditions.
const maxNesting = 64

// forms are the classes of plain actions, the special before the general: the
// instruction, and the fields that follow it: registers, shadow registers, size
// and alignment, type.
var forms = [...]struct {
	class  string
	op     desc.CCOp
	fields string // of r, w, s, t
}{
	{"CCAssignToRegAndStack", desc.CCAssignRegAndStack, "rs"},
	{"CCAssignToReg", desc.CCAssignToReg, "r"},
	{"CCAssignToRegTuple", desc.CCAssignToReg, "r"},
	{"CCAssignToRegWithShadow", desc.CCAssignWithShadow, "rw"},
	{"CCAssignToStackWithShadow", desc.CCAssignStackShadow, "sw"},
	{"CCAssignToStack", desc.CCAssignToStack, "s"},
	{"CCPassByVal", desc.CCPassByVal, "s"},
	{"CCPromoteToType", desc.CCPromoteToType, "t"},
	{"CCPromoteToUpperBitsInType", desc.CCPromoteToUpper, "t"},
	{"CCBitConvertToType", desc.CCBitConvert, "t"},
	{"CCTruncToType", desc.CCTruncToType, "t"},
	{"CCPassIndirect", desc.CCPassIndirect, "t"},
}

// action writes one action: the instruction, the length of all of it, which is
// filled in at the end, and operands as the class has them.
func (g *generator) action(a *tablegen.Record, depth int) {
	if depth > maxNesting {
		g.errorf("conditions are nested too deep")
		return
	}
	outer := g.at
	defer func() { g.at = outer }()
	g.at = a
	start := len(g.t.Code)
	switch {
	case a.IsSubClassOf("CCCustom"):
		g.custom(a.String("FuncName"))
		return
	case a.IsSubClassOf("CCPredicateAction"):
		if !g.condition(a, depth) {
			return
		}
	case a.IsSubClassOf("CCDelegateTo"):
		g.emit(uint16(desc.CCDelegateTo), 0)
		n, ok := g.convs[a.DefField("CC")]
		if !ok {
			g.errorf("CCDelegateTo names no calling convention")
		}
		g.emit(uint16(n))
	case !g.plain(a):
		g.errorf("an action of class '" + className(a) + "' is not known")
		return
	}
	n := len(g.t.Code) - start
	if n > 1<<16-1 {
		g.errorf("the action is too long")
	}
	g.t.Code[start+1] = uint16(n)
}

// plain writes an action of forms; false when it is none.
func (g *generator) plain(a *tablegen.Record) bool {
	for _, f := range forms {
		if !a.IsSubClassOf(f.class) {
			continue
		}
		g.emit(uint16(f.op), 0)
		regs := 0
		for _, k := range f.fields {
			switch k {
			case 'r':
				regs = g.registers(a, "RegList")
			case 'w':
				if n := g.registers(a, "ShadowRegList"); n != regs && n != 0 && f.op == desc.CCAssignWithShadow {
					g.errorf("the lists of registers and of shadows differ in length")
				}
			case 's':
				g.stack(a)
			case 't':
				g.destType(a)
			}
		}
		return true
	}
	return false
}

// condition writes a condition and the action under it; false after an error.
func (g *generator) condition(a *tablegen.Record, depth int) bool {
	if a.IsSubClassOf("CCIfType") {
		g.emit(uint16(desc.CCIfType), 0)
		g.types(a, "VTs")
	} else if s, ok := a.StringOK("Predicate"); ok {
		g.emit(uint16(desc.CCIf), 0, 0)
		n := len(g.t.Code)
		g.predicate(s)
		g.t.Code[n-1] = uint16(len(g.t.Code) - n)
	} else {
		g.errorf("a condition of class '" + className(a) + "' is not known")
		return false
	}
	sub := a.DefField("SubAction")
	if sub == nil {
		g.errorf("the condition has no action")
		return false
	}
	g.action(sub, depth+1)
	return true
}

// custom writes the call of a function of the target.
func (g *generator) custom(name string) {
	if name == "" {
		g.errorf("CCCustom names no function")
	}
	n := 0
	for n < len(g.t.Customs) && g.t.Customs[n] != name {
		n++
	}
	if n == len(g.t.Customs) {
		g.t.Customs = append(g.t.Customs, name)
	}
	g.emit(uint16(desc.CCCustom), 3, uint16(n))
}

// className is the last, most special class of a record.
func className(r *tablegen.Record) string {
	if n := len(r.Superclasses); n > 0 {
		return r.Superclasses[n-1].Name
	}
	return r.Name
}

// list writes a list with its length.
func (g *generator) list(a *tablegen.Record, field string, one func(tablegen.Init) (uint16, bool)) int {
	elems, ok := a.ListOK(field)
	if !ok {
		g.errorf("field '" + field + "' is not set")
	}
	g.emit(0)
	start := len(g.t.Code)
	for _, x := range elems {
		v, ok := one(x)
		if !ok {
			g.errorf("field '" + field + "': " + x.String() + " is not known to the target")
			continue
		}
		g.emit(v)
	}
	n := len(g.t.Code) - start
	g.t.Code[start-1] = uint16(n)
	return n
}

func (g *generator) registers(a *tablegen.Record, field string) int {
	return g.list(a, field, func(x tablegen.Init) (uint16, bool) {
		name := ""
		switch x := x.(type) {
		case *tablegen.StringInit:
			name = x.S
		case *tablegen.DefInit:
			name = x.Rec.Name
		}
		r, ok := register(g.facts, name)
		return uint16(r), ok
	})
}

func (g *generator) types(a *tablegen.Record, field string) {
	g.list(a, field, func(x tablegen.Init) (uint16, bool) {
		d, ok := x.(*tablegen.DefInit)
		if !ok {
			return 0, false
		}
		t, ok := desc.MVTByName(d.Rec.Name)
		return uint16(t), ok
	})
}

func (g *generator) destType(a *tablegen.Record) {
	d := a.DefField("DestTy")
	if d == nil {
		g.errorf("field 'DestTy' is not set")
		return
	}
	t, ok := desc.MVTByName(d.Name)
	if !ok {
		g.errorf("'" + d.Name + "' is no type of values")
	}
	g.emit(uint16(t))
}

// stack writes size and alignment.
func (g *generator) stack(a *tablegen.Record) {
	size, align := a.Int("Size"), a.Int("Align")
	if size < 0 || size > 1<<15 || align < 0 || align > 1<<15 || align&(align-1) != 0 {
		g.errorf("a stack slot needs a size from 0 to 32768 and a power of two as alignment")
	}
	g.emit(uint16(size), uint16(align))
}

// checkCycles refuses conventions that delegate to themselves.
func (g *generator) checkCycles() {
	state := make([]uint8, len(g.t.Convs)) // 1: being visited, 2: done
	convs := g.rs.DerivedFrom("CallingConv")
	var visit func(k int) bool
	var walk func(code []uint16) bool
	walk = func(code []uint16) bool {
		for len(code) > 0 && desc.CCOp(code[0]) != desc.CCEnd {
			n := int(code[1])
			if n == 0 {
				return true // an error was reported there
			}
			switch desc.CCOp(code[0]) {
			case desc.CCIf, desc.CCIfType:
				if !walk(code[3+code[2] : n]) {
					return false
				}
			case desc.CCDelegateTo:
				if !visit(int(code[2])) {
					return false
				}
			}
			code = code[n:]
		}
		return true
	}
	visit = func(k int) bool {
		if state[k] == 1 {
			return false
		}
		if state[k] == 0 {
			state[k] = 1
			if !walk(g.t.Code[g.t.Convs[k].Code:]) {
				return false
			}
			state[k] = 2
		}
		return true
	}
	if len(g.errs) > 0 {
		return
	}
	for k := range g.t.Convs {
		if !visit(k) {
			g.at = convs[k]
			g.errorf("calling convention '" + convs[k].Name + "' delegates to itself")
			return
		}
	}
}
