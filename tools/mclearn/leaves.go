package main

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// LLVM's generated disassemblers walk tables of bytes (llvm/MC/MCDecoderOps.h). Those
// tables are data of the object files of llvm-22-dev; they say exactly which bits
// make which opcode and in which order, which questions alone cannot settle. What the
// operands are is code there, and asked (leaflearn.go).

// The operations of LLVM 22's tables.
const (
	opScope = iota + 1
	opSwitchField
	opCheckField
	opCheckPredicate
	opDecode
	opSoftFail
)

// leaf is one opcode of a table with what leads to it, in the order in which it is tried.
type leaf struct {
	op      desc.Opcode
	decoder int   // number of the code that reads the operands
	preds   []int // numbers of conditions on features
	// mask are the bits that must be as in fixed; soft those that should be as in softFixed.
	mask, fixed, soft, softFixed code
}

// decoderTables reads the tables of an object file by their names.
func decoderTables(path string) (map[string][]byte, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, s := range syms {
		_, name, ok := strings.Cut(s.Name, "DecoderTable")
		if !ok || elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) || !strings.HasPrefix(s.Name, "_ZN12_GLOBAL__N_1") {
			continue
		}
		name = strings.TrimSuffix(name, "E") // of the mangled namespace
		b, err := f.Sections[s.Section].Data()
		if err != nil {
			return nil, err
		}
		out[name] = b[s.Value : s.Value+s.Size]
	}
	return out, nil
}

// leafReader walks a table.
type leafReader struct {
	data []byte
	out  []leaf
	err  error
}

// readLeaves lists the leaves of a table.
func readLeaves(data []byte) ([]leaf, error) {
	r := &leafReader{data: data}
	r.walk(0, leaf{})
	return r.out, r.err
}

func (r *leafReader) num(p *int) uint64 {
	if *p >= len(r.data) {
		r.err = fmt.Errorf("a table of %d bytes ends within an operation", len(r.data))
		return 0
	}
	v, n := binary.Uvarint(r.data[*p:])
	*p += max(n, 1)
	return v
}

// field adds that a field has a value.
func (l leaf) field(start, n int, v uint64) leaf {
	for k := range n {
		at := start + k
		l.mask[at/64] |= 1 << (at % 64)
		l.fixed[at/64] = l.fixed[at/64]&^(1<<(at%64)) | v>>k&1<<(at%64)
	}
	return l
}

// walk goes through the operations from p on, with what is known there.
func (r *leafReader) walk(p int, l leaf) {
	for r.err == nil && p < len(r.data) {
		switch op := r.num(&p); op {
		case opScope: // what fails within goes on behind it
			size := int(r.num(&p))
			r.walk(p, l)
			p += size
		case opSwitchField:
			start, n := int(r.num(&p)), int(r.num(&p))
			for r.err == nil {
				v, size := r.num(&p), int(r.num(&p))
				r.walk(p, l.field(start, n, v))
				if size == 0 { // the last case
					return
				}
				p += size
			}
		case opCheckField:
			start, n := int(r.num(&p)), int(r.num(&p))
			l = l.field(start, n, r.num(&p))
		case opCheckPredicate:
			l.preds = append(l.preds[:len(l.preds):len(l.preds)], int(r.num(&p)))
		case opSoftFail:
			zero, one := r.num(&p), r.num(&p)
			l.soft[0] |= zero | one
			l.softFixed[0] |= one
		case opDecode:
			l.op, l.decoder = desc.Opcode(r.num(&p)), int(r.num(&p))
			r.out = append(r.out, l)
			return
		default:
			r.err = fmt.Errorf("operation %d at %d of a table", op, p-1)
		}
	}
}

// fits reports that a word has a leaf's bits.
func (l *leaf) fits(w code) bool { return w.and(l.mask) == l.fixed }
