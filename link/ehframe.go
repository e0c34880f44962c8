package link

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/mc"
)

const frameSection = ".eh_frame"

// frames goes through the call frame information of all inputs: the records of
// functions that were dropped go, and so do terminators, which would hide what
// follows.
func (l *linker) frames() error {
	for i := range l.secs {
		s := &l.secs[i]
		if s.dropped || s.src.Name != frameSection || len(s.data) == 0 {
			continue
		}
		if err := l.filterFrames(s); err != nil {
			return fmt.Errorf("%s: section %s: %w", l.objs[s.obj].name, frameSection, err)
		}
	}
	return nil
}

var errFrame = errors.New("damaged call frame information")

// record is a common information entry (CIE) or a function's (FDE).
type record struct {
	at, size uint32
	cie      uint32 // offset of an FDE's CIE
	isCIE    bool
}

// records splits the section.
func (l *linker) records(b []byte) ([]record, error) {
	var rs []record
	for at := 0; at+4 <= len(b); {
		n := int(l.order.Uint32(b[at:]))
		if n == 0 {
			at += 4
			continue
		}
		if n == -1 || n < 4 || at+4+n > len(b) {
			return nil, errFrame
		}
		r := record{at: uint32(at), size: uint32(n + 4)}
		back := l.order.Uint32(b[at+4:])
		r.isCIE = back == 0
		if r.cie = uint32(at+4) - back; !r.isCIE && r.cie >= uint32(at) {
			return nil, errFrame
		}
		rs = append(rs, r)
		at += n + 4
	}
	return rs, nil
}

// filterFrames rewrites the section of one input.
func (l *linker) filterFrames(s *section) error {
	rs, err := l.records(s.data)
	if err != nil {
		return err
	}
	relocs := slices.Clone(s.relocs)
	slices.SortStableFunc(relocs, func(a, b mc.Reloc) int { return cmp.Compare(a.Offset, b.Offset) })
	var out []byte
	var kept []mc.Reloc
	moved := map[uint32]uint32{} // of each CIE
	last := -1
	for _, r := range rs {
		n := 0
		for len(relocs) > 0 && relocs[0].Offset < uint64(r.at) {
			relocs = relocs[1:]
		}
		for n < len(relocs) && relocs[n].Offset < uint64(r.at+r.size) {
			n++
		}
		mine := relocs[:n]
		relocs = relocs[n:]
		if !r.isCIE && l.frameDropped(s, mine, uint64(r.at)+8) {
			continue
		}
		to := uint32(len(out))
		out = append(out, s.data[r.at:r.at+r.size]...)
		if r.isCIE {
			moved[r.at] = to
		} else {
			cie, ok := moved[r.cie]
			if !ok {
				return errFrame
			}
			l.order.PutUint32(out[to+4:], to+4-cie)
		}
		for _, m := range mine {
			m.Offset += uint64(to) - uint64(r.at)
			kept = append(kept, m)
		}
		last = int(to)
	}
	// Zeros between the sections would end the search; the last record's padding
	// is made of DW_CFA_nop, which is 0.
	if pad := -len(out) & 7; pad != 0 && last >= 0 {
		out = append(out, make([]byte, pad)...)
		l.order.PutUint32(out[last:], uint32(len(out)-last-4))
	}
	s.data, s.size, s.relocs, s.align = out, uint64(len(out)), kept, 8
	return nil
}

// frameDropped reports whether the function is gone whose address stands at
// offset at.
func (l *linker) frameDropped(s *section, relocs []mc.Reloc, at uint64) bool {
	for k := range relocs {
		if relocs[k].Offset == at && relocs[k].Symbol >= 0 {
			y := &l.syms[l.objs[s.obj].syms[relocs[k].Symbol]]
			return y.sec >= 0 && l.secs[y.sec].dropped || y.state != defined
		}
	}
	return false
}

// Encodings of pointers in call frame information.
const (
	encAbs, encUData2, encUData4, encUData8 = 0x00, 0x02, 0x03, 0x04
	encSData2, encSData4, encSData8         = 0x0a, 0x0b, 0x0c
	encPCRel, encDataRel, encAligned        = 0x10, 0x30, 0x50
)

// encSize is the size of a pointer in bytes, 0 for encodings that are not supported.
func encSize(enc byte) int {
	switch enc & 15 {
	case encUData2, encSData2:
		return 2
	case encUData4, encSData4:
		return 4
	case encAbs, encUData8, encSData8:
		return 8
	}
	return 0
}

// frameTable fills in .eh_frame_hdr: pairs of function and FDE addresses, as
// distances from the table's start, sorted by function.
func (l *linker) frameTable() error {
	hdr, frames := l.outNamed(".eh_frame_hdr"), l.outNamed(frameSection)
	if hdr == nil {
		return nil
	}
	b := l.img[frames.addr : frames.addr+frames.size]
	rs, err := l.records(b)
	if err != nil {
		return err
	}
	type row struct{ pc, fde int32 }
	var rows []row
	for _, r := range rs {
		if r.isCIE {
			continue
		}
		enc, err := l.pointerEncoding(b, r.cie)
		if err != nil {
			return err
		}
		pc, err := l.readPointer(b[r.at+8:r.at+r.size], enc, frames.addr+uint64(r.at)+8)
		if err != nil {
			return err
		}
		rows = append(rows, row{int32(pc - hdr.addr), int32(frames.addr + uint64(r.at) - hdr.addr)})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.pc, b.pc) })
	out := l.img[hdr.addr : hdr.addr+hdr.size]
	if len(rows)*8+frameTableHead != len(out) {
		return errFrame
	}
	copy(out, []byte{1, encPCRel | encSData4, encUData4, encDataRel | encSData4})
	l.order.PutUint32(out[4:], uint32(frames.addr-hdr.addr-4))
	l.order.PutUint32(out[8:], uint32(len(rows)))
	for i, r := range rows {
		l.order.PutUint32(out[frameTableHead+8*i:], uint32(r.pc))
		l.order.PutUint32(out[frameTableHead+8*i+4:], uint32(r.fde))
	}
	return nil
}

// frameTableHead is the size of the table without its rows, in bytes.
const frameTableHead = 12

// countFrames gives the number of functions with call frame information.
func (l *linker) countFrames() (n int, err error) {
	for i := range l.secs {
		if s := &l.secs[i]; !s.dropped && s.src.Name == frameSection {
			rs, err := l.records(s.data)
			if err != nil {
				return 0, err
			}
			for _, r := range rs {
				if !r.isCIE {
					n++
				}
			}
		}
	}
	return n, nil
}

// readPointer reads an encoded pointer that lies at address at.
func (l *linker) readPointer(b []byte, enc byte, at uint64) (uint64, error) {
	if len(b) < 8 {
		b = append(slices.Clone(b), make([]byte, 8)...)
	}
	var v uint64
	switch enc & 15 {
	case encUData2:
		v = uint64(l.order.Uint16(b))
	case encSData2:
		v = uint64(int16(l.order.Uint16(b)))
	case encUData4:
		v = uint64(l.order.Uint32(b))
	case encSData4:
		v = uint64(int32(l.order.Uint32(b)))
	case encAbs, encUData8, encSData8:
		v = l.order.Uint64(b)
	default:
		return 0, fmt.Errorf("call frame information with pointers of encoding %#x: not supported", enc)
	}
	switch enc & 0x70 {
	case encAbs:
	case encPCRel:
		v += at
	default:
		return 0, fmt.Errorf("call frame information with pointers of encoding %#x: not supported", enc)
	}
	return v, nil
}

// pointerEncoding finds, in a CIE, how its FDEs hold addresses.
func (l *linker) pointerEncoding(b []byte, cie uint32) (enc byte, err error) {
	defer func() {
		if recover() != nil { // an index behind the record's end
			err = errFrame
		}
	}()
	b = b[cie:][:l.order.Uint32(b[cie:])+4][8:]
	version := b[0]
	b = b[1:]
	n := slices.Index(b, 0)
	augmentation := string(b[:n])
	b = b[n+1:]
	if version != 1 && version != 3 {
		return 0, fmt.Errorf("call frame information of version %d: not supported", version)
	}
	leb := func() {
		for b[0]&0x80 != 0 {
			b = b[1:]
		}
		b = b[1:]
	}
	leb() // code alignment
	leb() // data alignment
	if version == 1 {
		b = b[1:]
	} else {
		leb()
	}
	for _, c := range []byte(augmentation) {
		switch c {
		case 'z':
			leb()
		case 'P':
			size := encSize(b[0])
			if size == 0 || b[0] == encAligned {
				return 0, fmt.Errorf("a personality of encoding %#x: not supported", b[0])
			}
			b = b[1+size:]
		case 'L':
			b = b[1:]
		case 'R':
			return b[0], nil
		case 'S', 'B':
		default:
			return 0, fmt.Errorf("call frame information of kind %q: not supported", augmentation)
		}
	}
	return encAbs, nil
}
