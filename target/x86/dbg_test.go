package x86

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

func dump(f *mir.Function) string {
	var s strings.Builder
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		fmt.Fprintf(&s, "bb.%d: succs %v\n", f.Block(b).Number, f.Succs(b))
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			fmt.Fprintf(&s, "  %d %s", i, f.Facts.OpcodeName(f.Instr(i).Opcode))
			for k, o := range f.Ops(i) {
				fmt.Fprintf(&s, " ")
				switch o.Kind() {
				case mir.OpReg:
					if o.IsDef() {
						fmt.Fprint(&s, "def:")
					}
					if o.IsImplicit() {
						fmt.Fprint(&s, "imp:")
					}
					if o.Flags()&mir.Kill != 0 {
						fmt.Fprint(&s, "k:")
					}
					if o.Reg().IsVirtual() {
						fmt.Fprintf(&s, "%%%d", o.Reg().Index())
					} else {
						fmt.Fprintf(&s, "$%s", f.Facts.RegName(desc.PhysReg(o.Reg())))
					}
					if o.SubReg() != 0 {
						fmt.Fprintf(&s, ".%d", o.SubReg())
					}
					if t := f.TiedTo(i, k); t >= 0 {
						fmt.Fprintf(&s, "(t%d)", t)
					}
				case mir.OpFrameIndex:
					fmt.Fprintf(&s, "stack.%d", o.FrameIndex())
				case mir.OpMBB:
					fmt.Fprintf(&s, "bb.%d", f.Block(o.Block()).Number)
				default:
					fmt.Fprintf(&s, "%d", o.Imm())
				}
			}
			s.WriteString("\n")
		}
	}
	return s.String()
}
