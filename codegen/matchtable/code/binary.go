package code

import (
	"encoding/binary"
	"errors"
)

// ErrFormat says that bytes are no selector table.
var ErrFormat = errors.New("malformed selector table")

// AppendBinary appends the table's bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = append(b, Magic...)
	b = appendStr(b, t.Target)
	b = binary.AppendUvarint(b, uint64(len(t.Features)))
	for _, f := range t.Features {
		k := uint64(0)
		if f.Not {
			k |= 1
		}
		if f.Hook {
			k |= 2
		}
		b = appendStr(binary.AppendUvarint(b, k), f.Name)
	}
	b = appendStrs(b, t.Hooks)
	b = appendStrs(b, t.ConstHooks)
	b = binary.AppendUvarint(b, uint64(len(t.Complex)))
	for _, c := range t.Complex {
		b = binary.AppendUvarint(appendStr(b, c.Name), uint64(c.NumOps))
	}
	b = appendStrs(b, t.Xforms)
	b = appendStrs(b, t.Intrinsics)
	b = binary.AppendUvarint(b, uint64(len(t.Conds)))
	for _, c := range t.Conds {
		b = binary.AppendUvarint(b, uint64(len(c.Keys)))
		for i, k := range c.Keys {
			b = binary.AppendVarint(append(b, k), c.Values[i])
		}
	}
	b = binary.AppendUvarint(b, uint64(len(t.Roots)))
	for _, r := range t.Roots {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Opcode)), uint64(r.Offset))
	}
	b = appendStrs(b, t.Files)
	b = binary.AppendUvarint(b, uint64(len(t.Rules)))
	for _, r := range t.Rules {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.File)), uint64(r.Line))
		b = binary.AppendVarint(b, int64(r.Priority))
	}
	return append(b, t.Code...)
}

func appendStr(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendStrs(b []byte, ss []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(ss)))
	for _, s := range ss {
		b = appendStr(b, s)
	}
	return b
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

func (r *reader) strs() []string {
	out := make([]string, r.count())
	for i := range out {
		out[i] = r.str()
	}
	return out
}

// Decode takes a table apart; Code is a part of b.
func Decode(b []byte) (*Table, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, ErrFormat
	}
	r := &reader{b: b[len(Magic):]}
	t := &Table{Target: r.str()}
	t.Features = make([]Feature, r.count())
	for i := range t.Features {
		k := r.uv()
		t.Features[i] = Feature{Not: k&1 != 0, Hook: k&2 != 0, Name: r.str()}
	}
	t.Hooks = r.strs()
	t.ConstHooks = r.strs()
	t.Complex = make([]Complex, r.count())
	for i := range t.Complex {
		t.Complex[i] = Complex{r.str(), int(r.uv())}
	}
	t.Xforms = r.strs()
	t.Intrinsics = r.strs()
	t.Conds = make([]CondMap, r.count())
	for i := range t.Conds {
		for n := r.count(); n > 0 && !r.bad; n-- {
			t.Conds[i].Keys = append(t.Conds[i].Keys, uint8(r.uv()))
			t.Conds[i].Values = append(t.Conds[i].Values, r.sv())
		}
	}
	t.Roots = make([]Root, r.count())
	for i := range t.Roots {
		t.Roots[i] = Root{uint16(r.uv()), uint32(r.uv())}
	}
	t.Files = r.strs()
	t.Rules = make([]Rule, r.count())
	for i := range t.Rules {
		t.Rules[i] = Rule{uint32(r.uv()), uint32(r.uv()), int32(r.sv())}
	}
	t.Code = r.b
	if r.bad {
		return nil, ErrFormat
	}
	for _, x := range t.Roots {
		if int(x.Offset) >= len(t.Code) {
			return nil, ErrFormat
		}
	}
	return t, nil
}
