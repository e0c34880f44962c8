package autoupgrade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/intrin"
)

// Fatal begins a warning that means that the module cannot be read.
const Fatal = "LLVM ERROR: "

// Module upgrades a module that has been read whole. implicit are the
// intrinsics that the reader declared by itself, in their order; they come
// first. warnings are what LLVM warns about.
func Module(m *ir.Module, implicit ...ir.GlobalID) (warnings []string) {
	return run(&upgrader{m: m, t: m.Types}, implicit)
}

// WithoutBodies is Module for a module whose bodies are not read yet. It is
// false where something in a body would have to be changed, or there is
// something to warn about: what it did is of no use then.
func WithoutBodies(m *ir.Module) bool {
	u := &upgrader{m: m, t: m.Types, bodiless: true}
	return len(run(u, nil)) == 0 && !u.missed
}

// Bitcode is Module for a module that was read from bitcode: there LLVM replaces
// string attributes of old names as well, which it leaves alone in text.
func Bitcode(m *ir.Module) (warnings []string) {
	return run(&upgrader{m: m, t: m.Types, attrs: true}, nil)
}

func run(u *upgrader, implicit []ir.GlobalID) (warnings []string) {
	m := u.m
	u.tbaa()
	u.implicit(implicit)
	u.intrinsics()
	u.finishBodies()
	u.restore()
	if n := DebugVersion(m); n != debugVersion && m.StripDebugInfo() && n != debugVersion {
		warnings = append(warnings, "ignoring debug info with an invalid version ("+strconv.FormatUint(n, 10)+") in "+m.Name)
	}
	if u.fatal != "" {
		warnings = append(warnings, Fatal+u.fatal)
	}
	u.moduleFlags()
	u.sections()
	if u.attrs {
		u.oldAttrs()
	}
	u.annotations()
	if u.attrs {
		u.unsafeAtomics()
	}
	u.branchProtection()
	return warnings
}

// Upgrades reports whether calls of a function of this name and type would be
// changed: the intrinsic is an old one.
func Upgrades(m *ir.Module, name string, ft ir.Type) bool {
	u := &upgrader{m: m, t: m.Types, dry: true}
	rest, ok := strings.CutPrefix(name, "llvm.")
	return ok && u.plan(0, &ir.Global{Kind: ir.GlobalFunc, Name: name, ValueType: ft, IsDecl: true}, rest) != nil
}

// upgrader is the state of one run.
type upgrader struct {
	m *ir.Module
	t *ir.Types
	// sites are the calls of each function; built when a call must be changed.
	sites map[ir.GlobalID][]site
	// repl are the values to be replaced in each function, by instruction.
	repl map[*ir.Function]map[ir.InstrID]ir.Value
	// order lists the functions of repl.
	order []*ir.Function
	// dry: nothing is declared.
	dry bool
	// undeclared: the intrinsics at hand are those that the text did not declare.
	undeclared bool
	// bodiless: there are no bodies; missed says that a call had to be changed.
	bodiless, missed bool
	// attrs: string attributes of old names are replaced.
	attrs bool
	// one is !{i32 1}; unique counts the names made in a function.
	one ir.MDID
	// empty is !{}.
	empty ir.MDID
	// private is !{i32 5, i32 6}.
	private ir.MDID
	unique  map[*ir.Function]int
	// names are the names of values and blocks of functions that got new ones.
	names map[*ir.Function]map[string]bool
	// removed are the declarations that were taken out.
	removed []removed
	// x86 is the table of the x86 intrinsics, read when one comes.
	x86 map[string]shape
	// fatal is a fault that LLVM does not survive.
	fatal string
}

type site struct {
	f *ir.Function
	i ir.InstrID
}

// implicit upgrades what the text calls without a declaration. What replaces
// one of them is declared in its place.
func (u *upgrader) implicit(ids []ir.GlobalID) {
	if len(ids) == 0 {
		return
	}
	u.undeclared = true
	defer func() { u.undeclared = false }()
	u.m.Funcs = slices.DeleteFunc(u.m.Funcs, func(id ir.GlobalID) bool { return slices.Contains(ids, id) })
	for _, id := range ids {
		u.m.Funcs = append(u.m.Funcs, id)
		u.function(id, u.m.Globals[id])
	}
}

// intrinsics upgrades the declarations of intrinsics in the order of the
// module, and the calls of them.
func (u *upgrader) intrinsics() {
	for k := 0; k < len(u.m.Funcs); k++ {
		id := u.m.Funcs[k]
		g := u.m.Globals[id]
		if !strings.HasPrefix(g.Name, "llvm.") {
			continue
		}
		// What replaces the function comes behind it; the function itself goes.
		if u.function(id, g) {
			k--
		}
	}
}

// function upgrades one declaration; true says that it was removed.
func (u *upgrader) function(id ir.GlobalID, g *ir.Global) bool {
	if !g.IsDecl {
		return false
	}
	name := g.Name[len("llvm."):]
	if strings.HasPrefix(name, "dbg.") {
		return u.debugCalls(id, name[len("dbg."):])
	}
	// The new declaration may have the old one's name.
	old := g.Name
	u.m.RenameGlobal(id, old+".old")
	if a := u.plan(id, g, name); a != nil {
		u.calls(id, a)
		u.remove(id, old)
		return true
	}
	u.m.RenameGlobal(id, old)
	x := intrin.Lookup(g.Name)
	if x == 0 {
		return false
	}
	if a := u.literalStruct(x, id, g); a != nil {
		u.calls(id, a)
		u.remove(id, old)
		return true
	}
	if _, r := x.Match(u.t, g.ValueType); r != intrin.Matches {
		return false
	}
	g.Attrs = x.AttrList(u.m, g.ValueType)
	if to := u.remangled(x, id, g); to != 0 {
		anew := strings.HasPrefix(name, "thread.pointer") || strings.HasPrefix(name, "ctpop.") || strings.HasPrefix(name, "prefetch")
		u.calls(id, func(c *call) bool {
			if anew && c.f.Instr(c.i).Op == ir.OpCall {
				n := c.callTo(to, c.args()...)
				if strings.HasPrefix(name, "prefetch") {
					c.f.Instr(n).Flags |= c.f.Instr(c.i).Flags & tailFlags
				}
				c.become(n)
				return true
			}
			if (strings.HasPrefix(name, "ctlz.") || strings.HasPrefix(name, "cttz.")) && len(c.args()) == 1 {
				c.become(c.callTo(to, c.arg(0), c.int(ir.Int1, 0)))
				return true
			}
			c.setCallee(to)
			return true
		})
		u.remove(id, old)
		return true
	}
	return false
}

// remangled returns the declaration with the name that the intrinsic's types
// ask for, 0 when it has that name already.
func (u *upgrader) remangled(x intrin.ID, id ir.GlobalID, g *ir.Global) ir.GlobalID {
	if !x.Overloaded() {
		return 0
	}
	over, r := x.Match(u.t, g.ValueType)
	if r != intrin.Matches {
		return 0
	}
	for _, t := range over {
		if intrin.UnnamedType(u.t, t) {
			return 0
		}
	}
	want := x.MangledName(u.t, over)
	if want == g.Name {
		return 0
	}
	if to := u.m.Lookup(want); to != 0 {
		if o := u.m.Globals[to]; o.Kind == ir.GlobalFunc && o.ValueType == g.ValueType {
			o.CC = g.CC
			return to
		}
		u.m.RenameGlobal(to, want+".renamed")
	}
	to := u.declare(x, over)
	u.m.Globals[to].CC = g.CC
	return to
}

// declare returns the declaration of an intrinsic for its overloaded types, adding it when new.
func (u *upgrader) declare(x intrin.ID, over []ir.Type) ir.GlobalID {
	if u.dry {
		return 0
	}
	name := x.MangledName(u.t, over)
	ft := x.FuncType(u.t, over...)
	if id := u.m.Lookup(name); id != 0 {
		if g := u.m.Globals[id]; g.ValueType == ft || g.Kind != ir.GlobalFunc {
			return id
		}
		u.m.RenameGlobal(id, name+".old") // an old declaration, whose turn comes
	}
	g := &ir.Global{Kind: ir.GlobalFunc, Name: name, ValueType: ft, IsDecl: true}
	g.Attrs = x.AttrList(u.m, ft)
	return u.m.AddGlobal(g)
}

// calls runs do on each call of a function.
func (u *upgrader) calls(id ir.GlobalID, do action) {
	if u.bodiless {
		u.missed = true
		return
	}
	if u.sites == nil {
		u.findSites()
	}
	// LLVM goes through the uses from the last on; those before the
	// declaration have been turned round when it was read.
	list := u.sites[id]
	for _, s := range slices.Backward(list) {
		if s.f.ID > id || u.undeclared {
			(&call{u: u, f: s.f, i: s.i}).run(do)
		}
	}
	for _, s := range list {
		if s.f.ID < id && !u.undeclared {
			(&call{u: u, f: s.f, i: s.i}).run(do)
		}
	}
}

func (u *upgrader) findSites() {
	u.sites = map[ir.GlobalID][]site{}
	for _, id := range u.m.Funcs {
		f := u.m.Globals[id].Func
		if f == nil {
			continue
		}
		for _, b := range f.Order {
			for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
				if op := f.Instrs[i].Op; op != ir.OpCall && op != ir.OpInvoke && op != ir.OpCallBr {
					continue
				}
				c := f.Callee(i).Global()
				if c == 0 || !strings.HasPrefix(u.m.Globals[c].Name, "llvm.") {
					continue
				}
				u.sites[c] = append(u.sites[c], site{f, i})
			}
		}
	}
}

// finishBodies replaces the values of removed calls.
func (u *upgrader) finishBodies() {
	for _, f := range u.order {
		repl := u.repl[f]
		for i, v := range f.Operands {
			f.Operands[i] = final(repl, v)
		}
		for i := range f.Extras {
			for k := range f.Extras[i].Bundles {
				for j, v := range f.Extras[i].Bundles[k].Args {
					f.Extras[i].Bundles[k].Args[j] = final(repl, v)
				}
			}
		}
	}
	if len(u.order) == 0 {
		return
	}
	for _, n := range u.m.MD.Nodes() {
		if n.Kind != ir.MDLocal {
			continue
		}
		f := u.m.Globals[n.Func].Func
		repl := u.repl[f]
		if repl == nil {
			continue
		}
		v := final(repl, n.Value)
		if v.Tag() == ir.TagConst {
			n.Kind, n.Func = ir.MDConst, 0
			v = u.m.Consts.CopyFrom(&f.Consts, v)
		}
		n.Value = v
	}
}

// final follows the replacements of a function's values to their end.
func final(repl map[ir.InstrID]ir.Value, v ir.Value) ir.Value {
	for n := 0; v.Tag() == ir.TagLocal && v != 0 && n <= len(repl); n++ {
		to, ok := repl[v.Instr()]
		if !ok {
			break
		}
		v = to
	}
	return v
}
