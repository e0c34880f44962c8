package bpf

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// callConv is how a subtarget calls.
func callConv(st *target.Subtarget, s *isa) (*target.CallConv, error) {
	in, err := callconv.Bind(st.Facts, &tab.CallConv, nil, nil)
	if err != nil {
		return nil, err
	}
	c := &target.CallConv{
		Conventions: callconv.Conventions{Interp: in, Args: tab.CC_BPF64, Result: tab.RetCC_BPF64,
			Regs: &callconv.RegTypes{Legal: []desc.MVT{desc.MVTi64}}},
		Return: tab.RET, BuildCall: buildCall, Unsupported: unsupported, Refuse: refuse, Sentences: true,
		NoHiddenResult: "aggregate returns are not supported", NoHiddenCall: "only small returns supported",
	}
	if s.alu32 {
		c.Args, c.Result = tab.CC_BPF32, tab.RetCC_BPF32
		c.Regs = &callconv.RegTypes{Legal: []desc.MVT{desc.MVTi32, desc.MVTi64}}
	}
	c.Init()
	return c, nil
}

// buildCall makes the call: of a symbol, of a helper of the kernel by its number, which is
// an address in the program, or of an address in a register.
func buildCall(_ *target.Subtarget, b *mir.Builder, c *target.CallInfo, mask mir.Operand) mir.InstrID {
	var i mir.InstrID
	if o, ok := c.Callee(b.F, 0); ok {
		i = b.BuildInstr(tab.JAL, o, mask)
	} else if n, ok := helperNumber(b.F, c.Reg); ok {
		i = b.BuildInstr(tab.JAL, mir.ImmOp(n), mask)
	} else {
		r := b.F.AddVReg(int16(tab.GPRRegClassID))
		b.Copy(r, c.Reg)
		i = b.BuildInstr(tab.JALX, mir.RegOp(r, 0), mask)
	}
	return i
}

// helperNumber is the number that a called address is.
func helperNumber(f *mir.Function, r mir.Reg) (int64, bool) {
	for {
		d := f.UniqueDef(r)
		if d == 0 {
			return 0, false
		}
		switch f.Instr(d).Opcode {
		case desc.G_CONSTANT:
			return globalisel.ConstOf(f, r)
		case desc.G_INTTOPTR, desc.COPY:
			r = f.Op(d, 1).Reg()
		default:
			return 0, false
		}
	}
}

// unsupported names what is not there of a convention: all of C's, fast and cold calls are the same.
func unsupported(_ *target.Subtarget, cc uint16, varArg, defines bool) string {
	switch {
	case cc != 0 && cc != 8 && cc != 9:
		return "unsupported calling convention"
	case varArg && defines:
		return "variadic functions are not supported"
	}
	return ""
}

// refuse: five registers are all there is for arguments.
func refuse(_ *target.Subtarget, _ uint16, _ callconv.Part, l *callconv.Loc, defines bool) string {
	switch {
	case l.Reg != 0:
		return ""
	case defines:
		return "stack arguments are not supported"
	}
	return "too many arguments"
}
