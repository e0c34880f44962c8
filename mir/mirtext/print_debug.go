package mirtext

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

func (p *printer) debugAsm(ctx *instrContext, n int) int         { return n }
func (p *printer) debugRegMask(mask []uint32)                    {}
func (p *printer) metadataOperand(ctx *instrContext, id ir.MDID) { p.b = p.slots.AppendMD(p.b, id) }

var _ mir.InstrID
