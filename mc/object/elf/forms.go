package elf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// crel writes relocations in the compact format (the proposal for SHT_CREL of the generic
// ABI): counts and differences in LEB128.
func (w *writer) crel(relocs []mc.Reloc) {
	const addends = 4 // of the header
	mask := uint64(8)
	for i := range relocs {
		mask |= relocs[i].Offset
	}
	shift := bits.TrailingZeros64(mask)
	w.b = appendULEB(w.b, uint64(len(relocs))*8+addends+uint64(shift))
	var last struct {
		offset uint64
		symbol uint32
		typ    uint32
		addend int64
	}
	for i := range relocs {
		r := &relocs[i]
		sym := uint32(0)
		if r.Symbol >= 0 {
			sym = w.number[r.Symbol]
		}
		step := (r.Offset - last.offset) >> shift
		if !w.is64 {
			step = uint64(uint32(r.Offset-last.offset) >> shift)
		}
		first := byte(step<<3) & 0x7f
		for k, differs := range [...]bool{sym != last.symbol, r.Type != last.typ, r.Addend != last.addend} {
			if differs {
				first |= 1 << k
			}
		}
		if step < 0x10 {
			w.b = append(w.b, first)
		} else {
			w.b = appendULEB(append(w.b, first|0x80), step>>4)
		}
		if first&1 != 0 {
			w.b = appendSLEB(w.b, int64(int32(sym-last.symbol)))
		}
		if first&2 != 0 {
			w.b = appendSLEB(w.b, int64(int32(r.Type-last.typ)))
		}
		if first&4 != 0 {
			d := r.Addend - last.addend
			if !w.is64 {
				d = int64(int32(d))
			}
			w.b = appendSLEB(w.b, d)
		}
		last.offset, last.symbol, last.typ, last.addend = r.Offset, sym, r.Type, r.Addend
	}
}

func appendULEB(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendSLEB(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// CompressDebug compresses the sections of debug information that become smaller.
func CompressDebug(obj *mc.Object) error {
	const elfCompressZlib = 1
	size, align := 12, uint64(4)
	if obj.Machine.Is64 {
		size, align = 24, 8
	}
	for i := range obj.Sections {
		s := &obj.Sections[i]
		if !strings.HasPrefix(s.Name, ".debug_") || s.Flags&mc.FlagAlloc != 0 {
			continue
		}
		b := bytes.NewBuffer(make([]byte, 0, size+len(s.Data)))
		put := func(v uint64, n int) {
			var w [8]byte
			mc.PutInt(w[:n], v, obj.Machine.BigEndian)
			b.Write(w[:n])
		}
		if put(elfCompressZlib, 4); obj.Machine.Is64 {
			put(0, 4)
			put(uint64(len(s.Data)), 8)
			put(max(s.Align, 1), 8)
		} else {
			put(uint64(len(s.Data)), 4)
			put(max(s.Align, 1), 4)
		}
		z := zlib.NewWriter(b)
		z.Write(s.Data)
		if err := z.Close(); err != nil {
			return err
		}
		if b.Len() >= len(s.Data) {
			continue
		}
		s.Data, s.Size, s.Align = b.Bytes(), uint64(b.Len()), align
		s.Flags |= mc.FlagCompressed
	}
	return nil
}

// SplitDwarf divides an object: dwo gets the sections of split debug information, which have
// no symbols and no relocations.
func SplitDwarf(obj *mc.Object) (main, dwo *mc.Object, err error) {
	main, dwo = &mc.Object{Machine: obj.Machine, Crel: obj.Crel, Symbols: obj.Symbols}, &mc.Object{Machine: obj.Machine, NoSymbols: true}
	index := make([]int, len(obj.Sections))
	for i := range obj.Sections {
		s := &obj.Sections[i]
		if strings.HasSuffix(s.Name, ".dwo") {
			if len(s.Relocs) > 0 {
				return nil, nil, errors.New("A dwo section may not contain relocations")
			}
			index[i] = -1
			dwo.Sections = append(dwo.Sections, *s)
			continue
		}
		index[i] = len(main.Sections)
		main.Sections = append(main.Sections, *s)
	}
	main.Symbols = nil
	number := make([]int32, len(obj.Symbols))
	for i, y := range obj.Symbols {
		number[i] = int32(len(main.Symbols))
		if y.Section >= 0 {
			if index[y.Section] < 0 {
				number[i] = -1
				continue
			}
			y.Section = index[y.Section]
		}
		main.Symbols = append(main.Symbols, y)
	}
	for i := range main.Sections {
		s := &main.Sections[i]
		if s.Link >= 0 {
			s.Link = index[s.Link]
		}
		for k := range s.Relocs {
			r := &s.Relocs[k]
			if r.Symbol >= 0 {
				if r.Symbol = number[r.Symbol]; r.Symbol < 0 {
					return nil, nil, errors.New("A relocation may not refer to a dwo section")
				}
			}
		}
	}
	return main, dwo, nil
}
