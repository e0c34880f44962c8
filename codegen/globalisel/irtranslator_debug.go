package globalisel

import "github.com/mirin-go/mirin/ir"

// declareVars gives the stack objects of static allocas the variables that the
// records from r on declare to live there. MIR text has room for one; the last
// counts. (LLVM keeps all of them and prints what it cannot read.)
func (t *translator) declareVars(r uint32) {
	for ; r != 0; r = t.fn.DbgRecords[r].Next {
		d := &t.fn.DbgRecords[r]
		if d.Kind != ir.DbgDeclare || d.Args[0] == 0 {
			continue
		}
		v := t.mod.MD.At(d.Args[0]).Value
		if v.Tag() != ir.TagLocal {
			continue
		}
		if fi, ok := t.frames[v.Instr()]; ok {
			o := t.f.Frame.Object(fi)
			o.DebugVar, o.DebugExpr, o.DebugLoc = uint32(d.Args[1]), uint32(d.Args[2]), uint32(d.Loc)
		}
	}
}
