package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// longNops are the nops of 3 to 10 bytes: the opcode, the displacement, whether RAX
// is an index, and a segment.
var longNops = [...]struct {
	op      desc.Opcode
	disp    int64
	index   desc.PhysReg
	segment desc.PhysReg
}{
	{tab.NOOPL, 0, 0, 0},
	{tab.NOOPL, 8, 0, 0},
	{tab.NOOPL, 8, tab.RAX, 0},
	{tab.NOOPW, 8, tab.RAX, 0},
	{tab.NOOPL, 512, 0, 0},
	{tab.NOOPL, 512, tab.RAX, 0},
	{tab.NOOPW, 512, tab.RAX, 0},
	{tab.NOOPW, 512, tab.RAX, tab.CS},
}

// appendNops appends n bytes of nops, the longest first that the processor decodes well.
func appendNops(st *target.Subtarget, ins []mc.Inst, n int) []mc.Inst {
	longest := 10
	if st.HasFeature("fast-7bytenop") {
		longest = 7
	}
	for n > 0 {
		k := min(n, longest)
		n -= k
		in := mc.Inst{}
		switch k {
		case 1:
			in.Reset(tab.NOOP)
		case 2:
			in.Reset(tab.XCHG16ar).Add(mc.Reg(tab.AX)).Add(mc.Reg(tab.AX))
		default:
			l := &longNops[k-3]
			in.Reset(l.op).Add(mc.Reg(tab.RAX)).Add(mc.Imm(1)).Add(mc.Reg(l.index)).Add(mc.Imm(l.disp)).Add(mc.Reg(l.segment))
		}
		ins = append(ins, in)
	}
	return ins
}
