//go:build !nojit

package jit

import "encoding/binary"

// unwindRegs are a frame's registers by DWARF's numbers; the last is the return address.
type unwindRegs [17]uintptr

// unwind goes from the frame of pc to its caller's by the image's call frame
// information; word reads the stack. False where there is none, or it is of a
// form that compilers do not write for functions (expressions).
func (img *image) unwind(pc uintptr, r *unwindRegs, word func(uintptr) (uintptr, bool)) bool {
	cie, fde, start, ok := img.findFrame(pc)
	if !ok {
		return false
	}
	u := cfi{loc: start, pc: pc, codeAlign: cie.codeAlign, dataAlign: cie.dataAlign}
	if !u.run(cie.program) {
		return false
	}
	u.initial = u.row
	if !u.run(fde) {
		return false
	}
	if u.row.cfaReg >= uint64(len(r)) {
		return false
	}
	cfa := r[u.row.cfaReg] + uintptr(u.row.cfaOffset)
	next := *r
	next[dwarfRSPNumber] = cfa
	for i := range u.row.saved {
		if u.row.saved[i] {
			if next[i], ok = word(cfa + uintptr(u.row.offset[i])); !ok {
				return false
			}
		}
	}
	*r = next
	return u.row.saved[len(r)-1]
}

const dwarfRSPNumber = 7

// cfiRow says where a frame's address and its caller's registers are.
type cfiRow struct {
	cfaReg    uint64
	cfaOffset int64
	saved     [17]bool
	offset    [17]int64 // from the frame's address
}

// cfi executes call frame instructions (DWARF 5, section 6.4.2) up to pc.
type cfi struct {
	loc, pc              uintptr
	codeAlign, dataAlign int64
	row, initial         cfiRow
	stack                []cfiRow
}

func (u *cfi) run(b []byte) bool {
	d := reader{b: b}
	for len(d.b) > 0 && !d.bad && u.loc <= u.pc {
		op := d.byte()
		low := uint64(op & 0x3f)
		switch op >> 6 {
		case 1: // advance_loc
			u.advance(low)
		case 2: // offset
			u.save(low, int64(d.uleb())*u.dataAlign)
		case 3: // restore
			u.restore(low)
		default:
			if !u.extended(op, &d) {
				return false
			}
		}
	}
	return !d.bad
}

func (u *cfi) extended(op byte, d *reader) bool {
	switch op {
	case 0x00: // nop
	case 0x02: // advance_loc1
		u.advance(uint64(d.byte()))
	case 0x03: // advance_loc2
		u.advance(uint64(d.uint(2)))
	case 0x04: // advance_loc4
		u.advance(uint64(d.uint(4)))
	case 0x05: // offset_extended
		r := d.uleb()
		u.save(r, int64(d.uleb())*u.dataAlign)
	case 0x06: // restore_extended
		u.restore(d.uleb())
	case 0x07, 0x08: // undefined, same_value
		if r := d.uleb(); r < 17 {
			u.row.saved[r] = false
		}
	case 0x0a: // remember_state
		u.stack = append(u.stack, u.row)
	case 0x0b: // restore_state
		if len(u.stack) == 0 {
			return false
		}
		u.row = u.stack[len(u.stack)-1]
		u.stack = u.stack[:len(u.stack)-1]
	case 0x0c: // def_cfa
		u.row.cfaReg = d.uleb()
		u.row.cfaOffset = int64(d.uleb())
	case 0x0d: // def_cfa_register
		u.row.cfaReg = d.uleb()
	case 0x0e: // def_cfa_offset
		u.row.cfaOffset = int64(d.uleb())
	case 0x13: // def_cfa_offset_sf
		u.row.cfaOffset = d.sleb() * u.dataAlign
	case 0x2e: // GNU_args_size
		d.uleb()
	default:
		return false
	}
	return true
}

func (u *cfi) advance(n uint64) { u.loc += uintptr(n) * uintptr(u.codeAlign) }

func (u *cfi) save(r uint64, off int64) {
	if r < 17 {
		u.row.saved[r], u.row.offset[r] = true, off
	}
}

func (u *cfi) restore(r uint64) {
	if r < 17 {
		u.row.saved[r], u.row.offset[r] = u.initial.saved[r], u.initial.offset[r]
	}
}

// cieInfo is what a CIE says for its functions.
type cieInfo struct {
	codeAlign, dataAlign int64
	program              []byte
	encoding             byte // of addresses
	augmented            bool
}

// findFrame finds the instructions of the function at pc in .eh_frame.
func (img *image) findFrame(pc uintptr) (cie cieInfo, program []byte, start uintptr, ok bool) {
	b := img.frames
	for off := 0; off+8 <= len(b); {
		n := int(binary.LittleEndian.Uint32(b[off:]))
		if n == 0 {
			off += 4
			continue
		}
		if n < 4 || off+4+n > len(b) {
			return
		}
		back := int(binary.LittleEndian.Uint32(b[off+4:]))
		if back != 0 && off+4-back >= 0 {
			c, good := parseCIE(b[off+4-back:])
			d := reader{b: b[off+8 : off+4+n]}
			lo := d.address(c.encoding, img.framesAt+uintptr(off+8))
			size := d.address(c.encoding&0x0f, 0)
			if good && !d.bad && pc >= lo && pc < lo+size {
				if c.augmented {
					d.skip(d.uleb())
				}
				return c, d.b, lo, !d.bad
			}
		}
		off += 4 + n
	}
	return
}

func parseCIE(b []byte) (c cieInfo, ok bool) {
	if len(b) < 4 {
		return
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n < 4 || 4+n > len(b) {
		return
	}
	d := reader{b: b[8 : 4+n]}
	d.byte() // version
	aug := d.string()
	c.codeAlign, c.dataAlign = int64(d.uleb()), d.sleb()
	d.uleb() // the return address's register
	if len(aug) > 0 && aug[0] == 'z' {
		c.augmented = true
		data := reader{b: d.take(d.uleb())}
		for _, a := range aug[1:] {
			switch a {
			case 'R':
				c.encoding = data.byte()
			case 'P':
				data.address(data.byte()&0x0f, 0)
			case 'L':
				data.byte()
			}
		}
	}
	c.program = d.b
	return c, !d.bad
}

// reader takes values off the front of bytes; bad once they were too few.
type reader struct {
	b   []byte
	bad bool
}

func (d *reader) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *reader) skip(n uint64) { d.take(n) }

func (d *reader) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *reader) uint(n int) (v uint64) {
	for i, x := range d.take(uint64(n)) {
		v |= uint64(x) << (8 * i)
	}
	return v
}

func (d *reader) uleb() (v uint64) {
	for shift := 0; ; shift += 7 {
		x := d.byte()
		if shift < 64 {
			v |= uint64(x&0x7f) << shift
		}
		if x < 0x80 || d.bad {
			return v
		}
	}
}

func (d *reader) sleb() int64 {
	var v int64
	for shift := 0; ; {
		x := d.byte()
		if shift < 64 {
			v |= int64(x&0x7f) << shift
		}
		shift += 7
		if x < 0x80 || d.bad {
			if x&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

func (d *reader) string() string {
	for i, c := range d.b {
		if c == 0 {
			s := string(d.b[:i])
			d.b = d.b[i+1:]
			return s
		}
	}
	d.bad, d.b = true, nil
	return ""
}

// address takes a pointer in an encoding of DW_EH_PE (LSB, exception frames);
// place is where it lies.
func (d *reader) address(enc byte, place uintptr) uintptr {
	var v uintptr
	switch enc & 0x0f {
	case 0x00, 0x04, 0x0c:
		v = uintptr(d.uint(8))
	case 0x02:
		v = uintptr(d.uint(2))
	case 0x03:
		v = uintptr(d.uint(4))
	case 0x0a:
		v = uintptr(int16(d.uint(2)))
	case 0x0b:
		v = uintptr(int32(d.uint(4)))
	default:
		d.bad = true
	}
	if enc&0x70 == 0x10 {
		v += place
	}
	return v
}
