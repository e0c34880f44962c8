package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// Slots gives the numbers that AppendModule prints for what has no name, and
// prints single values, for texts beside the module's own (Machine IR). It
// keeps the function entered last; it is not safe for several goroutines, but
// Clone makes cheap copies that are.
type Slots struct {
	p *printer
	// known is the number of metadata rows that have been numbered; added
	// lists the nodes that were met first by MD after that.
	known int
	added []ir.MDID
}

// NewSlots numbers a module's unnamed globals, types and metadata.
func NewSlots(m *ir.Module) *Slots {
	p := newPrinter(nil, m)
	p.numberModule()
	for _, id := range m.Funcs {
		p.functionSlots(m.Globals[id])
	}
	return &Slots{p: p, known: len(p.mdOrder)}
}

// Clone returns a copy for another goroutine.
func (s *Slots) Clone() *Slots {
	p := *s.p
	p.b, p.f = nil, nil
	p.mdSlot = append([]int32(nil), p.mdSlot...)
	p.mdOrder = append([]ir.MDID(nil), p.mdOrder...)
	c := *s
	c.p = &p
	c.added = append([]ir.MDID(nil), s.added...)
	return &c
}

// functionSlots numbers the metadata of one function in the printer's order.
func (p *printer) functionSlots(g *ir.Global) {
	p.f = g.Func
	p.attachmentSlots(g.MD)
	if p.f == nil {
		return
	}
	f := p.f
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			in := &f.Instrs[i]
			p.recordSlots(in.Records)
			if in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallBr {
				for _, v := range f.Ops(i) {
					if v.Tag() == ir.TagMetadata {
						p.slot(v.MD())
					}
				}
			}
			if in.Loc != 0 {
				p.slot(in.Loc)
			}
			p.attachmentSlots(p.instrAttachments(in))
		}
	}
	p.f = nil
}

// Enter makes f (nil for none) the function whose local values are printed.
func (s *Slots) Enter(f *ir.Function) {
	if s.p.f == f {
		return
	}
	s.p.f = f
	if f != nil {
		s.p.valNum, s.p.blkNum = numberLocals(f)
	}
}

// Local returns the number of an unnamed value of the entered function, -1 when it has none.
func (s *Slots) Local(i ir.InstrID) int {
	if s.p.f == nil || int(i) >= len(s.p.valNum) {
		return -1
	}
	return int(s.p.valNum[i]) - 1
}

// Block returns the number of an unnamed block of f, -1 when it has none.
func (s *Slots) Block(f *ir.Function, b ir.BlockID) int {
	if f == nil {
		return -1
	}
	nums := s.p.blkNum
	if f != s.p.f {
		_, nums = numberLocals(f)
	}
	if int(b) >= len(nums) {
		return -1
	}
	return int(nums[b]) - 1
}

// MD returns the number of a metadata node. A node that the module does not
// reach gets the next one, and Added lists it.
func (s *Slots) MD(id ir.MDID) int {
	p := s.p
	if int(id) >= len(p.mdSlot) {
		p.mdSlot = append(p.mdSlot, make([]int32, p.m.MD.Len()-len(p.mdSlot))...)
	}
	if p.mdSlot[id] == 0 {
		from := len(p.mdOrder)
		p.slot(id)
		s.added = append(s.added, p.mdOrder[from:]...)
	}
	return int(p.mdSlot[id]) - 1
}

// Forget takes back the numbers that MD gave beyond the module's own.
func (s *Slots) Forget() {
	for _, id := range s.added {
		s.p.mdSlot[id] = 0
	}
	s.p.mdOrder = s.p.mdOrder[:len(s.p.mdOrder)-len(s.added)]
	s.added = s.added[:0]
}

// Added lists the nodes that MD or AppendMD numbered beyond the module's own.
func (s *Slots) Added() []ir.MDID { return s.added }

// AppendMD appends a reference to a node, or the node where it is written in place.
func (s *Slots) AppendMD(b []byte, id ir.MDID) []byte {
	if id != 0 && !s.isLocation(id) {
		s.MD(id)
	}
	return s.with(b, func() { s.p.mdOperand(id) })
}

// AppendKnownMD is AppendMD that gives no node a number: one that the module
// does not reach appears as LLVM shows it, <0x…>, a DILocation in place.
func (s *Slots) AppendKnownMD(b []byte, id ir.MDID) []byte {
	if n := s.p.m.MD.Len() - len(s.p.mdSlot); n > 0 {
		s.p.mdSlot = append(s.p.mdSlot, make([]int32, n)...)
	}
	s.p.addresses = true
	b = s.with(b, func() { s.p.mdOperand(id) })
	s.p.addresses = false
	return b
}

// isLocation reports a DILocation without a number, which is written in place.
func (s *Slots) isLocation(id ir.MDID) bool {
	if int(id) < len(s.p.mdSlot) && s.p.mdSlot[id] != 0 {
		return false
	}
	if !s.p.m.MD.IsLocation(id) {
		return false
	}
	if int(id) >= len(s.p.mdSlot) {
		s.p.mdSlot = append(s.p.mdSlot, make([]int32, s.p.m.MD.Len()-len(s.p.mdSlot))...)
	}
	return true
}

// AppendMDNode appends a node's content, as behind "!7 = ".
func (s *Slots) AppendMDNode(b []byte, id ir.MDID) []byte {
	return s.with(b, func() { s.p.mdContent(id) })
}

// AppendGlobal appends the reference to a global: @name or @7.
func (s *Slots) AppendGlobal(b []byte, g ir.GlobalID) []byte {
	gl := s.p.m.Globals[g]
	b = append(b, '@')
	if gl.Name == "" {
		return strconv.AppendInt(b, int64(s.p.globalNums[g]), 10)
	}
	return ir.AppendName(b, gl.Name)
}

// AppendTyped appends a value with its type; constants are of pool.
func (s *Slots) AppendTyped(b []byte, pool *ir.ConstPool, v ir.Value) []byte {
	return s.with(b, func() { s.p.typedOperand(pool, v) })
}

func (s *Slots) with(b []byte, f func()) []byte {
	s.p.b = b
	f()
	b = s.p.b
	s.p.b = nil
	return b
}

// AppendName appends an identifier without its sigil, quoted where it must be.
func AppendName(b []byte, s string) []byte { return ir.AppendName(b, s) }

// AppendEscaped appends the inside of a quoted string.
func AppendEscaped(b []byte, s string) []byte { return ir.AppendEscaped(b, s) }
