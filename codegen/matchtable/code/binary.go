package code

import (
	"encoding/binary"
	"errors"

	"github.com/mirin-go/mirin/support/bintable"
)

// ErrFormat says that bytes are no selector table.
var ErrFormat = errors.New("malformed selector table")

// AppendBinary appends the table's bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = append(b, Magic...)
	b = bintable.AppendString(b, t.Target)
	b = binary.AppendUvarint(b, uint64(len(t.Features)))
	for _, f := range t.Features {
		k := uint64(0)
		if f.Not {
			k |= 1
		}
		if f.Hook {
			k |= 2
		}
		b = bintable.AppendString(binary.AppendUvarint(b, k), f.Name)
	}
	b = bintable.AppendStrings(b, t.Hooks)
	b = bintable.AppendStrings(b, t.ConstHooks)
	b = binary.AppendUvarint(b, uint64(len(t.Complex)))
	for _, c := range t.Complex {
		b = binary.AppendUvarint(bintable.AppendString(b, c.Name), uint64(c.NumOps))
	}
	b = bintable.AppendStrings(b, t.Xforms)
	b = bintable.AppendStrings(b, t.Intrinsics)
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
	b = bintable.AppendStrings(b, t.Files)
	b = binary.AppendUvarint(b, uint64(len(t.Rules)))
	for _, r := range t.Rules {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.File)), uint64(r.Line))
		b = binary.AppendVarint(b, int64(r.Priority))
	}
	return append(b, t.Code...)
}

// Decode takes a table apart; Code is a part of b.
func Decode(b []byte) (*Table, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, ErrFormat
	}
	r := bintable.NewReader(b[len(Magic):])
	t := &Table{Target: r.String()}
	t.Features = make([]Feature, r.Count())
	for i := range t.Features {
		k := r.Uint()
		t.Features[i] = Feature{Not: k&1 != 0, Hook: k&2 != 0, Name: r.String()}
	}
	t.Hooks = r.Strings()
	t.ConstHooks = r.Strings()
	t.Complex = make([]Complex, r.Count())
	for i := range t.Complex {
		t.Complex[i] = Complex{r.String(), int(r.Uint())}
	}
	t.Xforms = r.Strings()
	t.Intrinsics = r.Strings()
	t.Conds = make([]CondMap, r.Count())
	for i := range t.Conds {
		for n := r.Count(); n > 0 && !r.Bad(); n-- {
			t.Conds[i].Keys = append(t.Conds[i].Keys, uint8(r.Uint()))
			t.Conds[i].Values = append(t.Conds[i].Values, r.Int())
		}
	}
	t.Roots = make([]Root, r.Count())
	for i := range t.Roots {
		t.Roots[i] = Root{uint16(r.Uint()), uint32(r.Uint())}
	}
	t.Files = r.Strings()
	t.Rules = make([]Rule, r.Count())
	for i := range t.Rules {
		t.Rules[i] = Rule{uint32(r.Uint()), uint32(r.Uint()), int32(r.Int())}
	}
	t.Code = r.Rest()
	if r.Bad() {
		return nil, ErrFormat
	}
	for _, x := range t.Roots {
		if int(x.Offset) >= len(t.Code) {
			return nil, ErrFormat
		}
	}
	return t, nil
}
