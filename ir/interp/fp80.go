package interp

import "github.com/mirin-go/mirin/ir"

// fp80 decodes an operation on x86_fp80.
func (d *decoder) fp80(i ir.InstrID, in *ir.Instr, ops []ir.Value, n uint32) {
	d.bad(unsupported("%s of x86_fp80", in.Op))
}

func cast80(op ir.Op, fk, tk leafKind, fb, tb uint32, a, r []reg) error {
	return unsupported("%s of x86_fp80", op)
}
