package irverify

import (
	"iter"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/support/rows"
)

// Calling conventions that have rules of their own, by LLVM's numbers.
const (
	ccFast, ccCold                  = 8, 9
	ccTail, ccSwiftTail             = 18, 20
	ccPTXKernel, ccPTXDevice        = 71, 72
	ccSPIRKernel, ccIntelOCL        = 76, 77
	ccX86Intr                       = 83
	ccAMDVS, ccAMDGS, ccAMDPS       = 87, 88, 89
	ccAMDCS, ccAMDKernel            = 90, 91
	ccAMDHS, ccAMDLS, ccAMDES       = 93, 95, 96
	ccAMDGfx                        = 100
	ccAMDChain, ccAMDChainKeep      = 104, 105
	ccAMDWholeWave                  = 124
	ccSwift, ccPreserveNone    uint = 16, 21
)

// function checks one function and its body.
func (v *verifier) function(g *ir.Global) {
	v.functionWith(g, g.Func)
}

// functionWith is function for a body that the module need not hold.
func (v *verifier) functionWith(g *ir.Global, body *ir.Function) {
	v.g, v.f = g, body
	defer func() { v.f, v.g = nil, nil }()
	if v.f != nil {
		if !v.terminators() {
			return
		}
		v.enter()
	}
	v.functionHead(g)
	if v.f == nil {
		return
	}
	for _, b := range v.f.Order {
		v.block(b)
		for i := v.f.Blocks[b].First; i != 0; i = v.f.Instrs[i].Next {
			v.instruction(i)
		}
	}
	if v.hasTokens {
		v.convergence()
	}
	v.siblingFunclets()
}

// enter prepares the tables of a body.
func (v *verifier) enter() {
	f := v.f
	v.dom.compute(f)
	v.landing, v.hasTokens = 0, false
	v.siblings = nil
	v.users = nil
	v.preds = rows.Zeroed(v.preds, len(f.Blocks))
	v.predList = v.predList[:0]
	for _, b := range f.Order {
		from := len(v.predList)
		for _, p := range v.dom.graph.Preds(int(b)) {
			v.predList = append(v.predList, ir.BlockID(p))
		}
		v.preds[b] = v.predList[from:len(v.predList):len(v.predList)]
	}
}

// usersOf returns the instructions that use i, in order.
func (v *verifier) usersOf(i ir.InstrID) []ir.InstrID {
	if v.users == nil {
		f := v.f
		v.users = make([][]ir.InstrID, len(f.Instrs))
		for _, b := range f.Order {
			for u := f.Blocks[b].First; u != 0; u = f.Instrs[u].Next {
				for _, o := range f.Ops(u) {
					if o.IsLocal() {
						v.users[o.Instr()] = append(v.users[o.Instr()], u)
					}
				}
				if x := f.Instrs[u].Extra; x != 0 {
					for _, bu := range f.Extras[x].Bundles {
						for _, o := range bu.Args {
							if o.IsLocal() {
								v.users[o.Instr()] = append(v.users[o.Instr()], u)
							}
						}
					}
				}
			}
		}
	}
	return v.users[i]
}

func (v *verifier) functionHead(g *ir.Global) {
	id := global(g.ID)
	v.globalValue(g)
	ret := v.t.Result(g.ValueType)
	params := v.t.Subtypes(g.ValueType)
	l := v.m.Attrs.At(g.Attrs)
	if !v.check(g.Linkage != ir.Common, "Functions may not have common linkage", id) {
		return
	}
	sret := len(params) > 0 && has(l.Param(0), "sret") || len(params) > 1 && has(l.Param(1), "sret")
	if !v.check(!sret || ret == ir.Void, "Invalid struct return type!", id) {
		return
	}
	intrinsic := isIntrinsicName(g.Name)
	v.functionAttrs(g.ValueType, g.Attrs, id, intrinsic, false, g)
	if !v.check(!has(l.Fn, "builtin"), "Attribute 'builtin' can only be applied to a callsite.", id) {
		return
	}
	for _, p := range l.Params {
		if !v.check(!has(p, "elementtype"), "Attribute 'elementtype' can only be applied to a callsite.", id) {
			return
		}
	}
	if has(l.Fn, "naked") && v.f != nil {
		for i := range params {
			if !v.check(len(v.usersOf(v.f.Arg(i))) == 0, "cannot use argument of naked function", instr(v.f.Arg(i))) {
				return
			}
		}
	}
	if !v.convention(g, l, ret, params, sret) {
		return
	}
	for i, t := range params {
		name := "%" + strconv.Itoa(i)
		if v.g != nil && i < len(g.ParamNames) && g.ParamNames[i] != "" {
			name = "%" + g.ParamNames[i]
		}
		var arg any = text(v.typeString(t) + " " + name)
		if v.f != nil {
			arg = instr(v.f.Arg(i))
		}
		if !intrinsic {
			if !v.check(t != ir.Metadata, "Function takes metadata but isn't an intrinsic", arg, id) ||
				!v.check(!v.tokenLike(t), "Function takes token but isn't an intrinsic", arg, id) ||
				!v.check(t != ir.X86AMX, "Function takes x86_amx but isn't an intrinsic", arg, id) {
				return
			}
		}
		if has(l.Param(i), "swifterror") && v.f != nil {
			v.swiftErrorValue(v.f.Arg(i))
		}
	}
	if !intrinsic {
		if !v.check(!v.tokenLike(ret), "Function returns a token but isn't an intrinsic", id) ||
			!v.check(ret != ir.X86AMX, "Function returns a x86_amx but isn't an intrinsic", id) {
			return
		}
	}
	for _, a := range g.MD {
		v.functionMetadata(a)
	}
	if g.IsDecl {
		if !v.declaration(g) {
			return
		}
	} else if !v.definition(g, intrinsic) {
		return
	}
	if intrinsic && !v.intrinsicUses(g) {
		return
	}
	if sp, ok := v.attachment(g.MD, "dbg"); ok && v.f != nil && v.mdIs(sp, "DISubprogram") {
		v.debugLocations(g, sp)
	}
}

func (v *verifier) convention(g *ir.Global, l *ir.AttrList, ret ir.Type, params []ir.Type, sret bool) bool {
	id := global(g.ID)
	cc := g.CC
	switch cc {
	case ccX86Intr:
		return v.check(len(params) == 0 || has(l.Param(0), "byval"), "Calling convention parameter requires byval", id)
	case ccAMDKernel, ccSPIRKernel, ccAMDChain, ccAMDChainKeep:
		if !v.check(ret == ir.Void, "Calling convention requires void return type", id) {
			return false
		}
	case ccAMDWholeWave:
		if !v.check(len(params) > 0 && params[0] == ir.Int1, "Calling convention requires first argument to be i1", id) ||
			!v.check(!has(l.Param(0), "inreg"), "Calling convention requires first argument to not be inreg", id) {
			return false
		}
		return v.check(!v.t.IsVarArg(g.ValueType), "Calling convention does not support varargs or perfect forwarding!", id)
	case ccAMDVS, ccAMDHS, ccAMDGS, ccAMDPS, ccAMDCS, ccFast, ccCold, ccIntelOCL, ccPTXKernel, ccPTXDevice:
	default:
		return true
	}
	switch cc {
	case ccAMDKernel, ccSPIRKernel, ccAMDChain, ccAMDChainKeep, ccAMDVS, ccAMDHS, ccAMDGS, ccAMDPS, ccAMDCS:
		if !v.check(!sret, "Calling convention does not allow sret", id) {
			return false
		}
		for i, t := range params {
			if cc == ccSPIRKernel {
				break
			}
			s := l.Param(i)
			if !v.check(!has(s, "byval"), "Calling convention disallows byval", id) ||
				!v.check(!has(s, "preallocated"), "Calling convention disallows preallocated", id) ||
				!v.check(!has(s, "inalloca"), "Calling convention disallows inalloca", id) {
				return false
			}
			if has(s, "byref") && !v.check(v.t.AddrSpace(t) != v.dl.AllocaAS, "Calling convention disallows stack byref", id) {
				return false
			}
		}
	}
	return v.check(!v.t.IsVarArg(g.ValueType), "Calling convention does not support varargs or perfect forwarding!", id)
}

func (v *verifier) declaration(g *ir.Global) bool {
	id := global(g.ID)
	for _, a := range g.MD {
		kind := v.m.MDKinds()[a.Kind]
		if kind == "dbg" {
			n := v.m.MD.At(a.Node)
			if !v.checkDI(n == nil || !n.Distinct, "function declaration may only have a unique !dbg attachment", id) {
				return false
			}
		}
		if !v.check(kind != "prof", "function declaration may not have a !prof attachment", id) {
			return false
		}
		v.mdNode(a.Node, true)
	}
	return v.check(g.Persona == 0, "Function declaration shouldn't have a personality routine", id)
}

func (v *verifier) definition(g *ir.Global, intrinsic bool) bool {
	id := global(g.ID)
	if !v.check(!intrinsic, "llvm intrinsics cannot be defined!", id) {
		return false
	}
	entry := v.f.Order[0]
	if !v.check(len(v.preds[entry]) == 0, "Entry block to function must not have predecessors!", block(entry)) {
		return false
	}
	if v.addressTaken(entry) && !v.check(false, "blockaddress may not be used with the entry block!", block(entry)) {
		return false
	}
	count := map[string]int{}
	for _, a := range g.MD {
		kind := v.m.MDKinds()[a.Kind]
		count[kind]++
		locs := false
		switch kind {
		case "dbg":
			n := v.m.MD.At(a.Node)
			if !v.checkDI(count[kind] == 1, "function must have a single !dbg attachment", id, mdNode(a.Node)) ||
				!v.checkDI(v.mdIs(a.Node, "DISubprogram"), "function !dbg attachment must be a subprogram", id, mdNode(a.Node)) ||
				!v.checkDI(n.Distinct, "function definition may only have a distinct !dbg attachment", id) {
				return false
			}
			to, ok := v.subprograms[a.Node]
			if !v.checkDI(!ok || to == g.ID, "DISubprogram attached to more than one function", mdNode(a.Node), id) {
				return false
			}
			v.subprograms[a.Node] = g.ID
			locs = true
		case "prof", "kcfi_type":
			if !v.check(count[kind] == 1, "function must have a single !"+kind+" attachment", id, mdNode(a.Node)) {
				return false
			}
		}
		v.mdNode(a.Node, locs)
	}
	return true
}

// addressTaken reports whether a blockaddress of a block is used. What the
// constants of the module name is found once, not once a function.
func (v *verifier) addressTaken(b ir.BlockID) bool {
	if v.takenBlocks == nil {
		v.takenBlocks = map[blockKey]bool{}
		for k := range blockAddresses(&v.m.Consts) {
			v.takenBlocks[k] = true
		}
	}
	key := blockKey{v.g.ID, b}
	if v.takenBlocks[key] {
		return true
	}
	for k := range blockAddresses(&v.f.Consts) {
		if k == key {
			return true
		}
	}
	return false
}

// blockKey names a block of the module.
type blockKey struct {
	fn    ir.GlobalID
	block ir.BlockID
}

// blockAddresses are the blocks that blockaddress constants of a pool name.
func blockAddresses(p *ir.ConstPool) iter.Seq[blockKey] {
	return func(yield func(blockKey) bool) {
		for c := 1; c < p.Len(); c++ {
			r := p.At(ir.ConstID(c))
			if r.Kind == ir.ConstBlockAddr && !yield(blockKey{ir.GlobalID(r.Off), ir.BlockID(r.Bits)}) {
				return
			}
		}
	}
}

// terminators reports blocks that do not end in a terminator or have one
// before their end. Nothing else of such a function can be looked at.
func (v *verifier) terminators() bool {
	f := v.f
	for _, b := range f.Order {
		last := f.Blocks[b].Last
		if last == 0 || !f.Instrs[last].Op.IsTerminator() {
			v.fail("Basic Block in function '"+v.g.Name+"' does not have terminator!", block(b))
			return false
		}
		for i := f.Blocks[b].First; i != last; i = f.Instrs[i].Next {
			if f.Instrs[i].Op.IsTerminator() {
				v.fail("Terminator found in the middle of a basic block!", block(b))
				return false
			}
		}
	}
	return true
}

// intrinsicUses reports the first use of an intrinsic that is no call of it.
// All intrinsics' uses are looked at in one walk, the first time.
func (v *verifier) intrinsicUses(g *ir.Global) bool {
	if v.badUses == nil {
		v.findBadUses()
	}
	u, bad := v.badUses[g.ID]
	if !bad {
		return true
	}
	about := any(instr(u.i))
	switch {
	case u.g != 0:
		about = global(u.g)
	case u.f == nil:
		about = modConst(u.c)
	case u.c != 0:
		about = u.c
	}
	old := v.f
	v.f = u.f
	v.fail("Invalid user of intrinsic instruction!", about)
	v.f = old
	return false
}

// badUse is a use of an intrinsic: by a global (its initializer, or what stands
// beside a function), a constant of the module or of f, or an instruction of f.
type badUse struct {
	g ir.GlobalID
	f *ir.Function
	i ir.InstrID
	c ir.Value
}

// assumeLike reports the intrinsics that LLVM does not count as users.
func assumeLike(name string) bool {
	name, ok := strings.CutPrefix(name, "llvm.")
	if !ok {
		return false
	}
	for _, n := range [...]string{"assume", "sideeffect", "pseudoprobe", "dbg.assign", "dbg.declare", "dbg.value", "dbg.label", "invariant.start",
		"invariant.end", "lifetime.start", "lifetime.end", "experimental.noalias.scope.decl", "objectsize", "ptr.annotation", "var.annotation"} {
		if name == n || strings.HasPrefix(name, n+".") {
			return true
		}
	}
	return false
}

func (v *verifier) findBadUses() {
	v.noteInitializers()
	for _, id := range v.m.Funcs {
		if f := v.m.Globals[id].Func; f != nil {
			v.noteUses(f)
		}
	}
}

// noteInitializers begins badUses with those of the module's constants.
func (v *verifier) noteInitializers() {
	v.badUses = map[ir.GlobalID]badUse{}
	for _, l := range [...][]ir.GlobalID{v.m.Vars, v.m.Aliases, v.m.IFuncs} {
		for _, id := range l {
			v.noteBadUse(v.m.Globals[id].Init, badUse{g: id})
		}
	}
	for _, id := range v.m.Funcs {
		g := v.m.Globals[id]
		v.noteBadUse(g.Prefix, badUse{g: id})
		v.noteBadUse(g.Prologue, badUse{g: id})
		v.noteBadUse(g.Persona, badUse{g: id})
	}
	v.noteConstants(nil, &v.m.Consts)
}

// isIntrinsic reports a global that is an intrinsic.
func (v *verifier) isIntrinsic(o ir.Value) bool {
	id := o.Global()
	return id != 0 && v.m.Globals[id].Intrinsic != ir.NotIntrinsic
}

// holdsIntrinsic reports that a constant of a pool is made of an intrinsic.
func (v *verifier) holdsIntrinsic(pool *ir.ConstPool) (found bool) {
	pool.EachOp(func(o ir.Value) { found = found || v.isIntrinsic(o) })
	return found
}

// noteConstants adds the constants of a pool, of f or nil for the module's, to badUses.
func (v *verifier) noteConstants(f *ir.Function, pool *ir.ConstPool) {
	if !v.holdsIntrinsic(pool) {
		return // as nearly always
	}
	for c := ir.ConstID(1); int(c) < pool.Len(); c++ {
		switch pool.At(c).Kind {
		case ir.ConstInt, ir.ConstFP, ir.ConstData, ir.ConstBlockAddr:
			continue // no operands
		}
		for _, o := range pool.Ops(c) {
			v.noteBadUse(o, badUse{f: f, c: ir.ConstVal(c)})
		}
	}
}

func (v *verifier) noteBadUse(o ir.Value, u badUse) {
	if !v.isIntrinsic(o) {
		return
	}
	id := o.Global()
	// LLVM sees the last use first, of those before the declaration the first.
	if _, seen := v.badUses[id]; !seen || u.f != nil && id < u.f.ID {
		v.badUses[id] = u
	}
}

// noteUses adds a body's to badUses.
func (v *verifier) noteUses(f *ir.Function) {
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			op := f.Instrs[i].Op
			callee := ir.Value(0)
			if op == ir.OpCall || op == ir.OpInvoke || op == ir.OpCallBr {
				callee = f.Callee(i)
			}
			if g := callee.Global(); op == ir.OpCall && g != 0 && assumeLike(v.m.Globals[g].Name) {
				continue
			}
			n := 0
			for _, o := range f.Ops(i) {
				if o.Tag() != ir.TagGlobal {
					continue
				}
				if o == callee && f.Instrs[i].SrcType == v.m.Globals[o.Global()].ValueType {
					if n++; n == 1 {
						continue
					}
				}
				v.noteBadUse(o, badUse{f: f, i: i})
			}
			if x := f.Instrs[i].Extra; x != 0 {
				for _, b := range f.Extras[x].Bundles {
					for _, o := range b.Args {
						if b.Tag != "clang.arc.attachedcall" {
							v.noteBadUse(o, badUse{f: f, i: i})
						}
					}
				}
			}
		}
	}
	v.noteConstants(f, &f.Consts)
}
