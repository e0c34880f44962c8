package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Debug records become DBG_VALUE and DBG_LABEL, or the variable of a stack
// object. They take no part in the making of code: a record never asks for the
// registers of a value, which would make constants and addresses for its sake
// or in another order; it names those that the value has, and one that has none
// yet gets its registers at the end (finishDebug).

// pendingDebug is a debug instruction whose operand 0 is yet to name value.
type pendingDebug struct {
	in    mir.InstrID
	value ir.Value
}

// debugRecords translates the records from r on.
func (t *translator) debugRecords(r uint32) {
	loc := t.mb.Loc
	for ; r != 0; r = t.fn.DbgRecords[r].Next {
		d := &t.fn.DbgRecords[r]
		t.mb.Loc = mir.DebugLoc(d.Loc)
		switch {
		case d.Loc == 0: // not valid in MIR either
		case d.Kind == ir.DbgLabel:
			t.mb.Build(desc.DBG_LABEL, metadataOp(d.Args[0]))
		case d.Kind == ir.DbgDeclare:
			t.debugDeclare(d)
		default: // #dbg_assign too: where the variable is in memory is not followed
			t.debugValue(d)
		}
	}
	t.mb.Loc = loc
}

func metadataOp(id ir.MDID) mir.Operand { return mir.IndexOp(mir.OpMetadata, uint32(id), 0, 0) }

// noDebugReg is the location of a variable whose value is not known.
func noDebugReg() mir.Operand { return mir.RegOp(mir.NoReg, mir.Debug) }

// buildDebug builds a DBG_VALUE of the record's variable. An immediate as
// second operand says that the first is an address, or no register at all.
func (t *translator) buildDebug(d *ir.DbgRecord, at, second mir.Operand) mir.InstrID {
	return t.mb.Build(desc.DBG_VALUE, at, second, metadataOp(d.Args[1]), metadataOp(d.Args[2]))
}

// debugDeclare says that the variable lives at an address. Static allocas are
// named by their stack objects: MIR text has room for one variable there, the
// last; the others are kept beside. (LLVM prints all of them, and cannot read that.)
func (t *translator) debugDeclare(d *ir.DbgRecord) {
	v, ok := t.debugLocation(d)
	if !ok || t.isUndefConst(d) {
		return
	}
	if v.Tag() == ir.TagLocal {
		if fi, ok := t.frame(v.Instr()); ok {
			o := t.f.Frame.Object(fi)
			if o.DebugVar != 0 {
				t.f.Frame.Vars = append(t.f.Frame.Vars, mir.FrameVar{FI: fi, Var: o.DebugVar, Expr: o.DebugExpr, Loc: o.DebugLoc})
			}
			o.DebugVar, o.DebugExpr, o.DebugLoc = uint32(d.Args[1]), uint32(d.Args[2]), uint32(d.Loc)
			return
		}
	}
	t.debugRegister(d, v, mir.ImmOp(0))
}

// debugValue says what the value of the variable is.
func (t *translator) debugValue(d *ir.DbgRecord) {
	v, ok := t.debugLocation(d)
	if !ok {
		// No value, or several, of which LLVM's translator makes nothing either.
		t.buildDebug(d, noDebugReg(), mir.ImmOp(0))
		return
	}
	if v.Tag() != ir.TagLocal {
		t.buildDebug(d, t.debugConstant(v), mir.ImmOp(0))
		return
	}
	if fi, ok := t.frame(v.Instr()); ok && t.firstDIOp(d.Args[2]) == "DW_OP_deref" {
		// LLVM drops the deref and has an address instead. That would be
		// another expression in the module; this one says the same.
		t.buildDebug(d, mir.FrameOp(fi), noDebugReg())
		return
	}
	t.debugRegister(d, v, noDebugReg())
}

// debugRegister builds a DBG_VALUE that names the register of v.
func (t *translator) debugRegister(d *ir.DbgRecord, v ir.Value, second mir.Operand) {
	i := t.buildDebug(d, noDebugReg(), second)
	if t.firstDIOp(d.Args[2]) == "DW_OP_LLVM_entry_value" {
		return // of the register at the function's entry, not of the virtual one
	}
	if !t.nameDebugReg(i, v) {
		t.pendingDebug = append(t.pendingDebug, pendingDebug{i, v})
	}
}

// nameDebugReg makes i name the register of v; false when v has none so far. A
// value in several registers stays unknown: one register alone would be wrong,
// and the parts would need expressions that the module does not have.
func (t *translator) nameDebugReg(i mir.InstrID, v ir.Value) bool {
	var rs []mir.Reg
	switch v.Tag() {
	case ir.TagLocal:
		rs = t.of(t.local[v.Instr()])
	case ir.TagGlobal:
		if s, ok := t.global(v.Global()); ok {
			rs = t.of(s)
		}
	}
	if len(rs) == 1 {
		t.f.SetReg(i, 0, rs[0])
	}
	return len(rs) > 0
}

// finishDebug lets debug instructions name values that were translated after
// them. What was not translated at all stays unknown.
func (t *translator) finishDebug() {
	for _, p := range t.pendingDebug {
		t.nameDebugReg(p.in, p.value)
	}
}

// debugLocation is the value that a record is about; false when there is none, or several.
func (t *translator) debugLocation(d *ir.DbgRecord) (ir.Value, bool) {
	n := t.mod.MD.At(d.Args[0])
	if d.Args[0] == 0 || n == nil {
		return 0, false
	}
	switch n.Kind {
	case ir.MDLocal:
		v := t.fn.LocalMetadata(d.Args[0])
		return v, v.Tag() == ir.TagLocal || v.Tag() == ir.TagGlobal
	case ir.MDConst:
		return n.Value, true
	}
	return 0, false
}

// isUndefConst reports that a record's value is undef or poison.
func (t *translator) isUndefConst(d *ir.DbgRecord) bool {
	v := t.mod.MD.At(d.Args[0]).Value
	if v.Tag() != ir.TagConst {
		return false
	}
	k := t.mod.Consts.At(v.Const()).Kind
	return k == ir.ConstUndef || k == ir.ConstPoison
}

// debugConstant is a constant (of the module's pool) as an operand: numbers and
// null, also through inttoptr; others are not known before the program is loaded.
func (t *translator) debugConstant(v ir.Value) mir.Operand {
	if v.Tag() != ir.TagConst {
		return noDebugReg()
	}
	p := &t.mod.Consts
	c := v.Const()
	row := p.At(c)
	if row.Kind == ir.ConstExpr && row.Op == ir.OpIntToPtr {
		if v = p.Ops(c)[0]; v.Tag() != ir.TagConst {
			return noDebugReg()
		}
		c = v.Const()
		row = p.At(c)
	}
	bits := 0
	if t.types.Kind(row.Type) == ir.KindInteger {
		bits = t.types.IntBits(row.Type)
	}
	switch {
	case row.Kind == ir.ConstNull, row.Kind == ir.ConstZero && 0 < bits && bits <= 64:
		return mir.ImmOp(0)
	case row.Kind == ir.ConstInt && bits <= 64:
		return mir.ImmOp(signExtend(row.Bits, bits))
	case row.Kind == ir.ConstInt:
		return t.f.CImm(bits, p.Words(c)...)
	case row.Kind == ir.ConstZero && bits > 64:
		return t.f.CImm(bits, make([]uint64, (bits+63)/64)...)
	case row.Kind == ir.ConstFP:
		w := append(p.Words(c), 0)
		return t.f.FPImm(row.Type, w[0], w[1])
	}
	return noDebugReg()
}

// firstDIOp is the first operation of a DIExpression, "" when it has none.
func (t *translator) firstDIOp(expr ir.MDID) string {
	if n := t.mod.MD.At(expr); expr != 0 && n != nil && n.Kind == ir.MDSpecialized && len(n.Fields) > 0 {
		return n.Fields[0].Str
	}
	return ""
}
