package code

import (
	"encoding/binary"
	"errors"
)

// ErrFormat says that bytes are no table.
var ErrFormat = errors.New("malformed table of SelectionDAG patterns")

// AppendBinary appends the table's bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = appendStr(append(b, Magic...), t.Target)
	for _, l := range [][]string{t.Opcodes, t.Types, t.Insts, t.Regs, t.Names, t.Xforms, t.Files} {
		b = binary.AppendUvarint(b, uint64(len(l)))
		for _, s := range l {
			b = appendStr(b, s)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(t.Preds)))
	for i := range t.Preds {
		b = t.Preds[i].append(b)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Complex)))
	for _, c := range t.Complex {
		b = binary.AppendUvarint(appendStr(b, c.Name), uint64(c.NumOps))
		b = append(b, flag(c.Root)|flag(c.Parent)<<1)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Features)))
	for _, f := range t.Features {
		b = append(appendStr(b, f.Name), flag(f.Not))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Roots)))
	for _, r := range t.Roots {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Opcode)), uint64(r.Offset))
	}
	b = binary.AppendUvarint(b, uint64(len(t.Rules)))
	for _, r := range t.Rules {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.File)), uint64(r.Line))
		b = appendStr(binary.AppendVarint(b, int64(r.Complexity)), r.Name)
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
	b = appendStr(appendStr(appendStr(appendStr(b, p.Name), p.Expr), p.Hook), p.Ordering)
	b = binary.AppendUvarint(append(b, flag(p.Float)), p.Bits)
	b = binary.AppendUvarint(b, uint64(p.Flags))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Type)), uint64(p.Scalar))
	b = binary.AppendUvarint(binary.AppendUvarint(b, p.MinAlign), uint64(len(p.Spaces)))
	for _, s := range p.Spaces {
		b = binary.AppendUvarint(b, s)
	}
	return b
}

func appendStr(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader takes a table apart; bad is sticky.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uv() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) sv() int64 {
	v := r.uv()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

// count reads a length that cannot exceed the bytes left.
func (r *reader) count() int {
	n := r.uv()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) str() string {
	n := r.count()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

// Decode takes a table apart; Code is a part of b.
func Decode(b []byte) (*Table, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, ErrFormat
	}
	r := &reader{b: b[len(Magic):]}
	t := &Table{Target: r.str()}
	for _, l := range []*[]string{&t.Opcodes, &t.Types, &t.Insts, &t.Regs, &t.Names, &t.Xforms, &t.Files} {
		*l = make([]string, r.count())
		for i := range *l {
			(*l)[i] = r.str()
		}
	}
	t.Preds = make([]Pred, r.count())
	for i := range t.Preds {
		t.Preds[i] = r.pred()
	}
	t.Complex = make([]Complex, r.count())
	for i := range t.Complex {
		c := Complex{Name: r.str(), NumOps: int(r.uv())}
		f := r.byte()
		c.Root, c.Parent = f&1 != 0, f&2 != 0
		t.Complex[i] = c
	}
	t.Features = make([]Feature, r.count())
	for i := range t.Features {
		t.Features[i] = Feature{r.str(), r.byte() != 0}
	}
	t.Roots = make([]Root, r.count())
	for i := range t.Roots {
		t.Roots[i] = Root{uint32(r.uv()), uint32(r.uv())}
	}
	t.Rules = make([]Rule, r.count())
	for i := range t.Rules {
		t.Rules[i] = Rule{File: uint32(r.uv()), Line: uint32(r.uv()), Complexity: int32(r.sv()), Name: r.str()}
	}
	t.Code = r.b
	if r.bad {
		return nil, ErrFormat
	}
	for _, x := range t.Roots {
		if int(x.Offset) >= len(t.Code) || int(x.Opcode) >= len(t.Opcodes) {
			return nil, ErrFormat
		}
	}
	return t, nil
}

func (r *reader) pred() Pred {
	p := Pred{Name: r.str(), Expr: r.str(), Hook: r.str(), Ordering: r.str()}
	p.Float, p.Bits = r.byte() != 0, r.uv()
	p.Flags = uint32(r.uv())
	p.Type, p.Scalar, p.MinAlign = int(r.uv()), int(r.uv()), r.uv()
	for n := r.count(); n > 0 && !r.bad; n-- {
		p.Spaces = append(p.Spaces, r.uv())
	}
	return p
}
