package link

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

// bases are the addresses that relocations are computed with.
type bases struct {
	got, gotPLT uint64
	plt         uint64
	tls, tp     uint64 // what DTPOff and TPOff count from
}

// relocate applies all relocations and fills in the tables.
func (l *linker) relocate() error {
	b := bases{got: l.addrNamed(".got"), gotPLT: l.addrNamed(".got.plt"), plt: l.addrNamed(".plt")}
	start, end, align := l.threadData()
	b.tls, b.tp = start+uint64(l.abi.TLS.DTPBias), l.abi.TLS.ThreadPointer(start, end, align)
	for i := range l.secs {
		s := &l.secs[i]
		if s.dropped || s.data == nil {
			continue
		}
		for k := range s.relocs {
			if err := l.apply(s, &s.relocs[k], &b); err != nil {
				return err
			}
		}
	}
	l.fillGOT(&b)
	if err := l.fillStubs(&b); err != nil {
		return err
	}
	for _, id := range l.tables.copies {
		y := &l.syms[id]
		l.relas = append(l.relas, rela{l.address(y), l.abi.Dynamic.Copy, y.dynsym, 0})
	}
	return l.writeRelas()
}

// apply fills in one place.
func (l *linker) apply(s *section, r *mc.Reloc, b *bases) error {
	info, _ := l.abi.Reloc(r.Type)
	id, err := l.symOf(s, r)
	if err != nil {
		return err
	}
	y := &l.syms[id]
	if y.sec >= 0 && l.secs[y.sec].dropped {
		return nil // scan has said where this may be
	}
	at := s.addr + r.Offset
	place := l.img[at:]
	addr, p, a := int64(l.address(y)), int64(at), r.Addend
	slotOf := func(n int32) int64 { return int64(b.got) + 8*int64(n-1) - p }
	var v int64
	switch info.Form {
	case objabi.None:
		return nil
	case objabi.Abs:
		v = addr + a
		switch {
		case y.fixed():
		case y.state == library:
			l.relas = append(l.relas, rela{at, l.abi.Dynamic.Abs, y.dynsym, a})
			v = 0
		default:
			l.relas = append(l.relas, rela{at, l.abi.Dynamic.Relative, 0, v})
		}
	case objabi.PC:
		v = addr + a - p
	case objabi.Call:
		if y.stub != 0 {
			addr = int64(b.plt) + int64(y.stub-1)*int64(l.abi.Stub.Size)
		}
		v = addr + a - p
	case objabi.GOTEntry:
		if l.relaxes(s, r, y, &info) {
			to := l.abi.Stub.Relax(l.img[s.addr:s.addr+s.size], r.Offset)
			place = l.img[s.addr+to:]
			v = addr + a - int64(s.addr+to)
			break
		}
		v = slotOf(y.got) + a
	case objabi.GOTBase:
		v = int64(b.gotPLT) + a - p
	case objabi.GOTOffset:
		v = addr + a - int64(b.gotPLT)
	case objabi.Size:
		v = int64(y.size) + a
	case objabi.TPOff:
		v = addr + a - int64(b.tp)
	case objabi.DTPOff:
		v = addr + a - int64(b.tls)
	case objabi.GOTTPOff:
		v = slotOf(y.gotTP) + a
	case objabi.TLSGD:
		v = slotOf(y.gotGD) + a
	case objabi.TLSLD:
		v = slotOf(l.tables.ldSlot) + a
	}
	if !l.abi.Put(&info, place, v) {
		return l.wrong(s, r, fmt.Sprintf("is out of reach (%#x)", v))
	}
	return nil
}

// slotReloc is the dynamic relocation of a word of the global offset table for
// a library's symbol.
func (l *linker) slotReloc(k slotKind) uint32 {
	switch d := &l.abi.Dynamic; k {
	case slotTPOff:
		return d.TPOff
	case slotModule:
		return d.DTPMod
	case slotDTPOff:
		return d.DTPOff
	default:
		return d.GlobDat
	}
}

// fillGOT fills in the global offset table.
func (l *linker) fillGOT(b *bases) {
	for k, g := range l.tables.got {
		at := b.got + 8*uint64(k)
		y := &l.syms[g.sym]
		foreign := y.state == library
		var v uint64
		switch {
		case g.kind == slotModule:
			l.relas = append(l.relas, rela{at, l.abi.Dynamic.DTPMod, y.dynsym, 0})
		case foreign:
			l.relas = append(l.relas, rela{at, l.slotReloc(g.kind), y.dynsym, 0})
		case g.sym == 0 || y.state == zero:
		case g.kind == slotTPOff:
			v = l.address(y) - b.tp
		case g.kind == slotDTPOff:
			v = l.address(y) - b.tls
		default:
			v = l.address(y)
			if !y.fixed() {
				l.relas = append(l.relas, rela{at, l.abi.Dynamic.Relative, 0, int64(v)})
			}
		}
		l.order.PutUint64(l.img[at:], v)
	}
}

// fillStubs makes the stubs and the relocations of their words.
func (l *linker) fillStubs(b *bases) error {
	l.order.PutUint64(l.img[b.gotPLT:], l.addrNamed(".dynamic"))
	out := uint64(0)
	if o := l.outNamed(".rela.plt"); o != nil {
		out = o.addr
	}
	for k, id := range l.tables.stubs {
		at, word := b.plt+uint64(k*l.abi.Stub.Size), b.gotPLT+8*uint64(gotReserved+k)
		if !l.abi.Stub.Put(l.img[at:], int64(word-at)) {
			return errors.New("the global offset table is out of reach")
		}
		if y := &l.syms[id]; y.state == library {
			l.putRela(l.img[out:], rela{word, l.abi.Dynamic.JumpSlot, y.dynsym, 0})
			out += relaSize
		}
	}
	return nil
}

func (l *linker) putRela(b []byte, r rela) {
	l.order.PutUint64(b, r.off)
	l.order.PutUint64(b[8:], uint64(r.sym)<<32|uint64(r.typ))
	l.order.PutUint64(b[16:], uint64(r.addend))
}

// writeRelas writes .rela.dyn: those without a symbol first, which loaders
// apply in one go.
func (l *linker) writeRelas() error {
	if len(l.relas) != l.tables.relas {
		return fmt.Errorf("internal error: %d dynamic relocations, %d were planned", len(l.relas), l.tables.relas)
	}
	if len(l.relas) == 0 {
		return nil
	}
	kind := func(r *rela) int {
		switch r.typ {
		case l.abi.Dynamic.Relative:
			return 0
		case l.abi.Dynamic.Copy: // after what the copied bytes may hold
			return 2
		}
		return 1
	}
	slices.SortStableFunc(l.relas, func(a, b rela) int {
		return cmp.Or(cmp.Compare(kind(&a), kind(&b)), cmp.Compare(a.off, b.off))
	})
	at := l.addrNamed(".rela.dyn")
	for _, r := range l.relas {
		l.putRela(l.img[at:], r)
		at += relaSize
	}
	return nil
}
