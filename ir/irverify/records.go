package irverify

import "github.com/mirin-go/mirin/ir"

// records checks the debug records before an instruction of block b.
func (v *verifier) records(r uint32, b ir.BlockID) {
	for ; r != 0; r = v.f.DbgRecords[r].Next {
		v.record(r, block(b))
	}
}

func (v *verifier) record(r uint32, blk block) {
	f := v.f
	d := &f.DbgRecords[r]
	at := record(r)
	fn := global(v.g.ID)
	if d.Kind == ir.DbgLabel {
		if !v.checkDI(v.mdIs(d.Args[0], "DILabel"), "invalid #dbg_label intrinsic variable", at, mdNode(d.Args[0])) ||
			!v.checkDI(v.mdIs(d.Loc, "DILocation"), "invalid #dbg_label intrinsic variable", at, mdNode(d.Loc)) {
			return
		}
		v.mdNode(d.Args[0], false)
		v.mdNode(d.Loc, true)
		return
	}
	ok := false
	if d.Args[0] != 0 {
		n := v.m.MD.At(d.Args[0])
		ok = n.Kind == ir.MDConst || n.Kind == ir.MDLocal || n.Kind == ir.MDPoisonValue || n.Kind == ir.MDArgList || n.Kind == ir.MDTuple && len(n.Ops) == 0
	}
	if !v.checkDI(ok, "invalid #dbg record address/value", at, mdNode(d.Args[0]), blk, fn) {
		return
	}
	if n := v.m.MD.At(d.Args[0]); d.Kind == ir.DbgDeclare && n.Kind == ir.MDConst || n.Kind == ir.MDLocal {
		if d.Kind == ir.DbgDeclare && !v.checkDI(v.isPtr(n.Type), "location of #dbg_declare must be a pointer or int", at, mdNode(d.Args[0]), blk, fn) && !v.isInt(n.Type) {
			return
		}
	}
	if !v.checkDI(v.mdIs(d.Args[1], "DILocalVariable"), "invalid #dbg record variable", at, mdNode(d.Args[1]), blk, fn) ||
		!v.checkDI(v.mdIs(d.Args[2], "DIExpression"), "invalid #dbg record expression", at, mdNode(d.Args[2]), blk, fn) {
		return
	}
	v.mdNode(d.Args[2], false)
	if d.Kind == ir.DbgAssign {
		if !v.checkDI(v.mdIs(d.Args[3], "DIAssignID"), "invalid #dbg_assign DIAssignID", at, mdNode(d.Args[3]), blk, fn) ||
			!v.checkDI(v.mdIs(d.Args[5], "DIExpression"), "invalid #dbg_assign address expression", at, mdNode(d.Args[5]), blk, fn) {
			return
		}
		v.mdNode(d.Args[5], false)
	}
	if !v.checkDI(v.mdIs(d.Loc, "DILocation"), "invalid #dbg record DILocation", at, mdNode(d.Loc), blk, fn) {
		return
	}
	v.mdNode(d.Args[1], false)
	v.mdNode(d.Loc, true)
	loc, _ := v.m.MD.Location(d.Loc)
	va, la := v.subprogramOf(v.m.MD.At(d.Args[1]).FieldNode("scope")), v.subprogramOf(loc.Scope)
	if va == 0 || la == 0 {
		return
	}
	if !v.checkDI(va == la, "mismatched subprogram between #dbg record variable and DILocation", at, blk, fn,
		mdNode(d.Args[1]), mdNode(va), mdNode(d.Loc), mdNode(la), blk, fn) {
		return
	}
	if t := v.m.MD.At(d.Args[1]).FieldNode("type"); t != 0 && !v.checkDI(v.isType(t), "invalid type ref", mdNode(d.Args[1]), mdNode(t)) {
		return
	}
	e := v.m.MD.At(d.Args[2])
	if validExpression(e) {
		if off, size, ok := fragmentOf(e); ok {
			if total, known := v.typeBits(v.m.MD.At(d.Args[1]).FieldNode("type")); known {
				if v.checkDI(off+size <= total, "fragment is larger than or outside of variable", at, mdNode(d.Args[1])) {
					v.checkDI(size != total, "fragment covers entire variable", at, mdNode(d.Args[1]))
				}
			}
		}
	}
	for i := range e.Fields {
		if e.Fields[i].Str == "DW_OP_LLVM_entry_value" && !v.swiftAsyncArg(d.Args[0]) {
			v.failDI("Entry values are only allowed in MIR unless they target a swiftasync Argument", at)
			return
		}
	}
}

// swiftAsyncArg reports a value that is an argument with the attribute swiftasync.
func (v *verifier) swiftAsyncArg(id ir.MDID) bool {
	n := v.m.MD.At(id)
	if n.Kind == ir.MDArgList && len(n.Ops) == 1 {
		n = v.m.MD.At(n.Ops[0])
	}
	if n.Kind == ir.MDConst || n.Kind == ir.MDPoisonValue || n.Kind == ir.MDTuple {
		return true
	}
	if n.Kind != ir.MDLocal {
		return false
	}
	i := n.Value.Instr()
	if v.f.Instr(i).Op != ir.OpArgument {
		return false
	}
	return has(v.m.Attrs.At(v.g.Attrs).Param(int(i)-1), "swiftasync")
}
