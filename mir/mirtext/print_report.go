package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/mir"
)

// DebugPrinter prints pieces of a function in the form of AppendDebug, for
// reports that point at a block, an instruction or an operand.
type DebugPrinter struct{ p *printer }

// NewDebugPrinter returns a printer of the pieces of f.
func NewDebugPrinter(f *mir.Function, o PrintOptions) *DebugPrinter {
	p := newPrinter(nil, f.Module, &o)
	p.debug = true
	p.enter(f)
	return &DebugPrinter{p}
}

// AppendFunction appends the whole function, as AppendDebug.
func (d *DebugPrinter) AppendFunction(b []byte) []byte {
	d.p.b = b
	d.p.debugFunction()
	return d.p.take()
}

func (p *printer) take() []byte {
	b := p.b
	p.b = nil
	return b
}

// AppendInstr appends an instruction.
func (d *DebugPrinter) AppendInstr(b []byte, i mir.InstrID) []byte {
	d.p.b = b
	d.p.debugInstr(i)
	return d.p.take()
}

// AppendOperand appends operand n of i as it stands alone: definitions carry no
// word, generic registers their type only if typed.
func (d *DebugPrinter) AppendOperand(b []byte, i mir.InstrID, n int, typed bool) []byte {
	d.p.b = b
	ctx := instrContext{i: i, ties: true, d: d.p.f.Desc(i), standalone: true, plain: !typed, typed: typed}
	d.p.operand(&ctx, n, false)
	return d.p.take()
}

// AppendReg appends a register: $eax, %5.
func (d *DebugPrinter) AppendReg(b []byte, r mir.Reg) []byte { return d.p.appendReg(b, r) }

// AppendBlock appends the reference to a block: %bb.2.
func (d *DebugPrinter) AppendBlock(b []byte, blk mir.BlockID) []byte {
	return strconv.AppendInt(append(b, "%bb."...), int64(d.p.f.Block(blk).Number), 10)
}

// BlockName returns the name that a block has from its IR block, "" for none.
func (d *DebugPrinter) BlockName(blk mir.BlockID) string {
	r, f := d.p.f.Block(blk), d.p.f
	switch {
	case r.IRBlock != 0 && f.IR != nil:
		return f.IR.BlockNames[r.IRBlock]
	case r.Name != 0:
		return f.Symbols[r.Name-1]
	}
	return ""
}
