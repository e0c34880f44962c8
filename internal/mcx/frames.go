package mc

import "encoding/binary"

// frame is one function's call frame information.
type frame struct {
	section    int
	start, end Sym
	ops        []frameOp
	simple     bool
}

type frameOp struct {
	at Sym
	CFI
}

// StartProc begins a function's call frame information.
func (o *Object) StartProc(simple bool) {
	s := o.Ctx.Temp("")
	o.Label(s)
	o.frames = append(o.frames, frame{section: o.cur.index - 1, start: s, simple: simple})
	o.open = true
}

// EndProc ends it.
func (o *Object) EndProc() {
	s := o.Ctx.Temp("")
	o.Label(s)
	o.frames[len(o.frames)-1].end = s
	o.open = false
}

// CFI adds a directive at this place.
func (o *Object) CFI(c CFI) {
	s := o.Ctx.Temp("")
	o.Label(s)
	f := &o.frames[len(o.frames)-1]
	f.ops = append(f.ops, frameOp{s, c})
}

// The DWARF call frame instructions (DWARF 5, 6.4.2).
const (
	cfaAdvanceLoc     = 0x40
	cfaOffset         = 0x80
	cfaRestore        = 0xc0
	cfaAdvanceLoc1    = 0x02
	cfaAdvanceLoc2    = 0x03
	cfaAdvanceLoc4    = 0x04
	cfaOffsetExt      = 0x05
	cfaUndefined      = 0x07
	cfaSameValue      = 0x08
	cfaRememberState  = 0x0a
	cfaRestoreState   = 0x0b
	cfaDefCfa         = 0x0c
	cfaDefCfaRegister = 0x0d
	cfaDefCfaOffset   = 0x0e
	dataAlign         = -8
	pcrelSData4       = 0x1b
)

func uleb(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// emitFrames writes .eh_frame: one CIE for the x86-64 System V convention and
// an FDE for each function (LSB 5, 10.6).
func (o *Object) emitFrames() {
	if len(o.frames) == 0 {
		return
	}
	s := &Section{Name: ".eh_frame", Type: SecX86Unwind, Flags: FlagAlloc, Align: 8}
	save := o.cur
	o.Switch(s)
	cie := []byte{0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, pcrelSData4,
		cfaDefCfa, 7, 8, cfaOffset | 16, 1}
	o.block(s, cie)
	for i := range o.frames {
		o.emitFrame(s, &o.frames[i])
	}
	o.cur = save
}

// block appends a length-prefixed record padded to 8 bytes with no-operations.
func (o *Object) block(s *Section, body []byte) {
	for (len(body)+4)%8 != 0 {
		body = append(body, 0)
	}
	s.buf = binary.LittleEndian.AppendUint32(s.buf, uint32(len(body)))
	s.buf = append(s.buf, body...)
}

func (o *Object) emitFrame(s *Section, f *frame) {
	at := int64(len(s.buf))
	start, end := o.Ctx.At(f.start).Offset, o.Ctx.At(f.end).Offset
	body := binary.LittleEndian.AppendUint32(nil, uint32(at+4)) // back to the CIE at 0
	body = append(body, 0, 0, 0, 0)                             // function address, relocated
	body = binary.LittleEndian.AppendUint32(body, uint32(end-start))
	body = append(body, 0) // no augmentation data
	pc, cfa := start, int64(8)
	for _, op := range f.ops {
		if p := o.Ctx.At(op.at).Offset; p != pc {
			body = advance(body, uint64(p-pc))
			pc = p
		}
		body = appendCFI(body, op.CFI, &cfa)
	}
	s.fixups = append(s.fixups, Fixup{at + 8, FixPC32, Expr{Sym: f.start}})
	o.block(s, body)
}

func advance(b []byte, d uint64) []byte {
	switch {
	case d < 0x40:
		return append(b, cfaAdvanceLoc|byte(d))
	case d < 0x100:
		return append(b, cfaAdvanceLoc1, byte(d))
	case d < 0x10000:
		return binary.LittleEndian.AppendUint16(append(b, cfaAdvanceLoc2), uint16(d))
	}
	return binary.LittleEndian.AppendUint32(append(b, cfaAdvanceLoc4), uint32(d))
}

func appendCFI(b []byte, c CFI, cfa *int64) []byte {
	r := uint64(c.Reg)
	switch c.Op {
	case CFIDefCfa:
		*cfa = c.Offset
		return uleb(uleb(append(b, cfaDefCfa), r), uint64(c.Offset))
	case CFIDefCfaOffset:
		*cfa = c.Offset
		return uleb(append(b, cfaDefCfaOffset), uint64(c.Offset))
	case CFIAdjustCfaOffset:
		*cfa += c.Offset
		return uleb(append(b, cfaDefCfaOffset), uint64(*cfa))
	case CFIDefCfaRegister:
		return uleb(append(b, cfaDefCfaRegister), r)
	case CFIOffset, CFIRelOffset:
		off := c.Offset
		if c.Op == CFIRelOffset {
			off -= *cfa
		}
		n := uint64(off / dataAlign)
		if r < 64 {
			return uleb(append(b, cfaOffset|byte(r)), n)
		}
		return uleb(uleb(append(b, cfaOffsetExt), r), n)
	case CFIRestore:
		return append(b, cfaRestore|byte(r))
	case CFISameValue:
		return uleb(append(b, cfaSameValue), r)
	case CFIUndefined:
		return uleb(append(b, cfaUndefined), r)
	case CFIRememberState:
		return append(b, cfaRememberState)
	case CFIRestoreState:
		return append(b, cfaRestoreState)
	case CFIEscape:
		return append(b, c.Bytes...)
	}
	return b
}
