package irpass

import (
	"encoding/binary"
	"slices"

	"github.com/mirin-go/mirin/ir"
)

// mergeEqual makes addresses, and loads between which nothing is written, that barriers kept
// apart in a block one again, as LLVM's selection does with equal nodes: each would be
// a relocation of its own.
func mergeEqual(f *ir.Function) {
	m := equals{f: f}
	for _, b := range f.Order {
		clear(m.known)
		m.epoch++
		for i := f.Blocks[b].First; i != 0; {
			next := f.Instrs[i].Next
			m.instr(i)
			i = next
		}
	}
}

// equals knows the values of a block by what they are computed of.
type equals struct {
	f     *ir.Function
	known map[string]ir.InstrID
	// epoch counts what may have written memory.
	epoch uint64
	key   []byte
}

func (m *equals) instr(i ir.InstrID) {
	f := m.f
	r := &f.Instrs[i]
	switch r.Op {
	case ir.OpGEP, ir.OpZExt, ir.OpSExt, ir.OpTrunc, ir.OpPtrToInt, ir.OpIntToPtr, ir.OpAddrSpaceCast, ir.OpBitCast:
		if r.Extra != 0 {
			return
		}
	case ir.OpLoad:
		if r.Flags&ir.Volatile != 0 || r.Order != ir.NotAtomic {
			m.epoch++
			return
		}
	case ir.OpStore, ir.OpFence, ir.OpCmpXchg, ir.OpAtomicRMW, ir.OpVAArg:
		m.epoch++
		return
	case ir.OpCall, ir.OpInvoke, ir.OpCallBr:
		m.epoch++
		return
	default:
		return
	}
	m.key = append(m.key[:0], byte(r.Op))
	m.key = binary.LittleEndian.AppendUint32(m.key, uint32(r.Type))
	m.key = binary.LittleEndian.AppendUint32(m.key, uint32(r.SrcType))
	if r.Op == ir.OpLoad {
		m.key = binary.LittleEndian.AppendUint64(m.key, m.epoch)
	}
	for _, v := range f.Ops(i) {
		m.key = binary.LittleEndian.AppendUint32(m.key, uint32(v))
	}
	old, ok := m.known[string(m.key)]
	if !ok {
		if m.known == nil {
			m.known = map[string]ir.InstrID{}
		}
		m.known[string(m.key)] = i
		return
	}
	o := &f.Instrs[old]
	o.Flags &= r.Flags // what both promise
	if r.Op == ir.OpLoad {
		o.Align = max(o.Align, r.Align)
		if !slices.Equal(attachments(f, old), attachments(f, i)) {
			o.MD = 0 // what one knew of the memory may not hold for the other
		}
	}
	replace(f, i, ir.Local(old))
}

// attachments lists the metadata at an instruction.
func attachments(f *ir.Function, i ir.InstrID) (out []ir.Attachment) {
	for a := f.Instrs[i].MD; a != 0; a = f.Attachments[a].Next {
		x := f.Attachments[a]
		x.Next = 0
		out = append(out, x)
	}
	return out
}
