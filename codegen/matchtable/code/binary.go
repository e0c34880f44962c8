package code

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/mirin-go/mirin/support/bintable"
)

// ErrFormat says that bytes are no match table.
var ErrFormat = errors.New("malformed match table")

// stringLists are the lists of strings in the order in which they are written.
func (t *Table) stringLists() [11]*[]string {
	return [...]*[]string{&t.Types, &t.Xforms, &t.Intrinsics, &t.Hooks, &t.ConstHooks, &t.Funcs, &t.Opcodes, &t.Insts, &t.Regs, &t.Names, &t.Files}
}

// AppendBinary appends the table's bytes.
func (t *Table) AppendBinary(b []byte) []byte {
	b = bintable.AppendString(append(b, Magic...), t.Target)
	b = append(b, byte(t.Graph))
	for _, l := range t.stringLists() {
		b = bintable.AppendStrings(b, *l)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Features)))
	for _, f := range t.Features {
		b = bintable.AppendString(append(b, flag(f.Not)|flag(f.Hook)<<1), f.Name)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Complex)))
	for _, c := range t.Complex {
		b = binary.AppendUvarint(bintable.AppendString(b, c.Name), uint64(c.NumOps))
		b = append(b, flag(c.Root)|flag(c.Parent)<<1)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Conds)))
	for _, c := range t.Conds {
		b = binary.AppendUvarint(b, uint64(len(c.Keys)))
		for i, k := range c.Keys {
			b = binary.AppendVarint(append(b, k), c.Values[i])
		}
	}
	b = binary.AppendUvarint(b, uint64(len(t.Preds)))
	for i := range t.Preds {
		b = t.Preds[i].append(b)
	}
	b = binary.AppendUvarint(b, uint64(len(t.Roots)))
	for _, r := range t.Roots {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Opcode)), uint64(r.Offset))
	}
	rules := t.ruleData
	for _, r := range t.Rules {
		rules = binary.AppendUvarint(binary.AppendUvarint(rules, uint64(r.File)), uint64(r.Line))
		rules = bintable.AppendString(binary.AppendVarint(rules, int64(r.Priority)), r.Name)
	}
	b = binary.AppendUvarint(b, uint64(t.NumRules+len(t.Rules)))
	b = append(binary.AppendUvarint(b, uint64(len(rules))), rules...)
	return append(b, t.Code...)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (p *Pred) append(b []byte) []byte {
	for _, s := range []string{p.Name, p.Expr, p.Hook, p.Ordering} {
		b = bintable.AppendString(b, s)
	}
	b = binary.AppendUvarint(bintable.AppendBool(b, p.Float), p.Bits)
	b = binary.AppendUvarint(b, uint64(p.Flags))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.Type)), uint64(p.Scalar))
	b = binary.AppendUvarint(binary.AppendUvarint(b, p.MinAlign), uint64(len(p.Spaces)))
	for _, s := range p.Spaces {
		b = binary.AppendUvarint(b, s)
	}
	return b
}

// reader reads numbers of 32 bits besides what a bintable.Reader reads.
type reader struct {
	*bintable.Reader
	bad bool
}

func (r *reader) uint32() uint32 {
	v := r.Uint()
	r.bad = r.bad || v > math.MaxUint32
	return uint32(v)
}

func (r *reader) int() int {
	v := r.Uint()
	r.bad = r.bad || v > math.MaxInt32
	return int(v)
}

// Decode takes a table apart; Code is a part of b.
func Decode(b []byte) (*Table, error) {
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return nil, ErrFormat
	}
	r := &reader{Reader: bintable.NewReader(b[len(Magic):])}
	t := &Table{Target: r.String(), Graph: Graph(r.Byte())}
	for _, l := range t.stringLists() {
		*l = r.Strings()
	}
	t.Features = make([]Feature, r.Count())
	for i := range t.Features {
		k := r.Byte()
		t.Features[i] = Feature{Not: k&1 != 0, Hook: k&2 != 0, Name: r.String()}
	}
	t.Complex = make([]Complex, r.Count())
	for i := range t.Complex {
		c := Complex{Name: r.String(), NumOps: r.int()}
		f := r.Byte()
		c.Root, c.Parent = f&1 != 0, f&2 != 0
		t.Complex[i] = c
	}
	t.Conds = make([]CondMap, r.Count())
	for i := range t.Conds {
		for n := r.Count(); n > 0 && !r.Bad(); n-- {
			t.Conds[i].Keys = append(t.Conds[i].Keys, r.Byte())
			t.Conds[i].Values = append(t.Conds[i].Values, r.Int())
		}
	}
	t.Preds = make([]Pred, r.Count())
	for i := range t.Preds {
		t.Preds[i] = r.pred()
	}
	t.Roots = make([]Root, r.Count())
	for i := range t.Roots {
		t.Roots[i] = Root{r.uint32(), r.uint32()}
	}
	t.NumRules = r.Count()
	if n := r.Count(); n >= t.NumRules {
		t.ruleData, t.Code = r.Rest()[:n], r.Rest()[n:]
	}
	if r.Bad() || r.bad || t.Code == nil || t.Graph > DAG {
		return nil, ErrFormat
	}
	return t, nil
}

func (r *reader) pred() Pred {
	p := Pred{Name: r.String(), Expr: r.String(), Hook: r.String(), Ordering: r.String()}
	p.Float, p.Bits = r.Byte() != 0, r.Uint()
	p.Flags = r.uint32()
	p.Type, p.Scalar, p.MinAlign = r.int(), r.int(), r.Uint()
	for n := r.Count(); n > 0 && !r.Bad(); n-- {
		p.Spaces = append(p.Spaces, r.Uint())
	}
	return p
}

// DecodeRules gives the debug section of a table that was read. Selection does
// without it, so Decode leaves it as it is.
func (t *Table) DecodeRules() ([]Rule, error) {
	r := &reader{Reader: bintable.NewReader(t.ruleData)}
	out := make([]Rule, t.NumRules)
	for i := range out {
		out[i] = Rule{File: r.uint32(), Line: r.uint32(), Priority: int32(r.Int()), Name: r.String()}
		if int(out[i].File) >= len(t.Files) {
			return nil, ErrFormat
		}
	}
	if r.Bad() || r.bad {
		return nil, ErrFormat
	}
	return out, nil
}
