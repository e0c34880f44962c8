package code

import (
	"encoding/binary"
	"errors"

	"github.com/mirin-go/mirin/support/bintable"
)

// ErrFormat says that bytes are no table.
var ErrFormat = errors.New("malformed table of SelectionDAG patterns")

// AppendBinary appends the table's bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = bintable.AppendString(append(b, Magic...), t.Target)
	for _, l := range [][]string{t.Opcodes, t.Types, t.Insts, t.Regs, t.Names, t.Xforms, t.Files} {
		b = bintable.AppendStrings(b, l)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Preds)))
	for i := range t.Preds {
		b = t.Preds[i].append(b)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Complex)))
	for _, c := range t.Complex {
		b = binary.AppendUvarint(bintable.AppendString(b, c.Name), uint64(c.NumOps))
		b = append(b, flag(c.Root)|flag(c.Parent)<<1)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Features)))
	for _, f := range t.Features {
		b = bintable.AppendBool(bintable.AppendString(b, f.Name), f.Not)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Roots)))
	for _, r := range t.Roots {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Opcode)), uint64(r.Offset))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Rules)))
	for _, r := range t.Rules {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.File)), uint64(r.Line))
		b = bintable.AppendString(binary.AppendVarint(b, int64(r.Complexity)), r.Name)
	}
	return append(b, t.Code...)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (p *Pred) append(b []byte) []byte {
	b = bintable.AppendString(bintable.AppendString(bintable.AppendString(bintable.AppendString(b, p.Name), p.Expr), p.Hook), p.Ordering)
	b = binary.AppendUvarint(bintable.AppendBool(b, p.Float), p.Bits)
	b = binary.AppendUvarint(b, uint64(p.Flags))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Type)), uint64(p.Scalar))
	b = binary.AppendUvarint(binary.AppendUvarint(b, p.MinAlign), uint64(len(p.Spaces)))
	for _, s := range p.Spaces {
		b = binary.AppendUvarint(b, s)
	}
	return b
}

// Decode takes a table apart; Code is a part of b.
func Decode(b []byte) (*Table, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, ErrFormat
	}
	r := bintable.NewReader(b[len(Magic):])
	t := &Table{Target: r.String()}
	for _, l := range []*[]string{&t.Opcodes, &t.Types, &t.Insts, &t.Regs, &t.Names, &t.Xforms, &t.Files} {
		*l = r.Strings()
	}
	t.Preds = make([]Pred, r.Count())
	for i := range t.Preds {
		t.Preds[i] = readPred(r)
	}
	t.Complex = make([]Complex, r.Count())
	for i := range t.Complex {
		c := Complex{Name: r.String(), NumOps: int(r.Uint())}
		f := r.Byte()
		c.Root, c.Parent = f&1 != 0, f&2 != 0
		t.Complex[i] = c
	}
	t.Features = make([]Feature, r.Count())
	for i := range t.Features {
		t.Features[i] = Feature{r.String(), r.Byte() != 0}
	}
	t.Roots = make([]Root, r.Count())
	for i := range t.Roots {
		t.Roots[i] = Root{uint32(r.Uint()), uint32(r.Uint())}
	}
	t.Rules = make([]Rule, r.Count())
	for i := range t.Rules {
		t.Rules[i] = Rule{File: uint32(r.Uint()), Line: uint32(r.Uint()), Complexity: int32(r.Int()), Name: r.String()}
	}
	t.Code = r.Rest()
	if r.Bad() {
		return nil, ErrFormat
	}
	for _, x := range t.Roots {
		if int(x.Offset) >= len(t.Code) || int(x.Opcode) >= len(t.Opcodes) {
			return nil, ErrFormat
		}
	}
	return t, nil
}

func readPred(r *bintable.Reader) Pred {
	p := Pred{Name: r.String(), Expr: r.String(), Hook: r.String(), Ordering: r.String()}
	p.Float, p.Bits = r.Byte() != 0, r.Uint()
	p.Flags = uint32(r.Uint())
	p.Type, p.Scalar, p.MinAlign = int(r.Uint()), int(r.Uint()), r.Uint()
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		p.Spaces = append(p.Spaces, r.Uint())
	}
	return p
}
