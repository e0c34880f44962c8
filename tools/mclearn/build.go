package main

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// builder makes tables of what is learned. Rows that are equal are kept once.
type builder struct {
	l      *learner
	enc    desc.EncoderTable
	wr     desc.WriterTable
	blob   strings.Builder
	names  map[string]desc.Name
	lists  map[string]uint32
	format map[desc.ImmFormat]uint16
	xforms map[desc.EncXform]uint16
	fixup  map[fixup]uint16
	style  map[*style]uint16
}

func newBuilder(l *learner) *builder {
	b := &builder{l: l, names: map[string]desc.Name{"": 0}, lists: map[string]uint32{}, format: map[desc.ImmFormat]uint16{},
		xforms: map[desc.EncXform]uint16{}, fixup: map[fixup]uint16{}, style: map[*style]uint16{}}
	b.enc.Formats = []desc.ImmFormat{{}}
	b.enc.Xforms = []desc.EncXform{{}}
	b.wr.Parts = []desc.WriterPart{{Op: -1, Last: true}} // 0: none
	b.wr.NumRegs = uint16(len(l.info.Regs))
	return b
}

// tables makes the tables of a target.
func (l *learner) tables(ins []*instr, modes []mode, big bool) *desc.MCTables {
	b := newBuilder(l)
	b.enc.BigEndian = big
	b.wr.Variants = 1
	for r := range l.info.Regs {
		b.wr.RegNames = append(b.wr.RegNames, b.name(l.or.regName(desc.PhysReg(r))))
	}
	n := 0
	for _, in := range ins {
		n = max(n, int(in.op)+1)
	}
	b.enc.Instrs = make([]desc.EncInstr, n)
	b.wr.Rows = make([]uint32, n)
	for _, in := range ins {
		if in.encoded {
			b.enc.Instrs[in.op] = b.encoding(in)
		}
		if in.printed {
			b.wr.Rows[in.op] = b.parts(in.parts)
			for i := range in.aliases {
				b.alias(in, &in.aliases[i])
			}
		}
	}
	for k, m := range modes {
		b.enc.Modes = append(b.enc.Modes, b.name(m.name))
		for _, in := range ins {
			x := in.modes[m.name]
			if x == nil {
				continue
			}
			row := desc.EncModeInstr{Op: in.op, Mode: uint8(k)}
			if x.encoded {
				row.Instr = b.encoding(x)
			}
			b.enc.ModeInstrs = append(b.enc.ModeInstrs, row)
		}
	}
	b.enc.Names = b.blob.String()
	b.wr.Names = b.enc.Names
	return &desc.MCTables{Encoder: &b.enc, Writer: &b.wr}
}

func (b *builder) name(s string) desc.Name {
	if n, ok := b.names[s]; ok {
		return n
	}
	n := desc.MakeName(b.blob.Len(), len(s))
	b.blob.WriteString(s)
	b.names[s] = n
	return n
}

// once adds rows to a table unless it has the same ones already.
func once[T any](b *builder, table *[]T, kind string, rows []T) uint32 {
	if len(rows) == 0 {
		return 0
	}
	key := keyOf(kind, rows)
	if at, ok := b.lists[key]; ok {
		return at
	}
	at := uint32(len(*table))
	*table = append(*table, rows...)
	b.lists[key] = at
	return at
}

// number gives the row of k, which add adds when it is the first.
func number[K comparable](m map[K]uint16, k K, add func() int) uint16 {
	if n, ok := m[k]; ok {
		return n
	}
	n := add()
	if n > math.MaxUint16-1 { // columns hold one more, too
		panic("the table has more rows than its users can number")
	}
	m[k] = uint16(n)
	return m[k]
}

// encoding makes the row of an opcode's encoding.
func (b *builder) encoding(in *instr) desc.EncInstr {
	t := &b.enc
	words := append([]uint64(nil), in.fixed[:(in.size+7)/8]...)
	row := desc.EncInstr{Size: uint8(in.size), Words: once(b, &t.Words, "w", words)}
	var fields []desc.EncField
	for i := range in.fields {
		f := &in.fields[i]
		segs := f.lin.segs()
		for k := range segs {
			segs[k].Value -= uint16(f.format.Shift)
		}
		ef := desc.EncField{Op: uint16(f.op), NumSegs: uint8(len(segs)), Segs: once(b, &t.Segs, "s", segs)}
		ef.Format = number(b.format, f.format, func() int {
			if f.format == (desc.ImmFormat{}) {
				return 0
			}
			t.Formats = append(t.Formats, f.format)
			return len(t.Formats) - 1
		})
		x := f.xform
		if len(f.maps) > 0 {
			x.First, x.Num = once(b, &t.Maps, "m", f.maps), uint32(len(f.maps))
		}
		ef.Xform = number(b.xforms, x, func() int {
			if x == (desc.EncXform{}) {
				return 0
			}
			t.Xforms = append(t.Xforms, x)
			return len(t.Xforms) - 1
		})
		if f.fixup != nil {
			ef.Fixup = number(b.fixup, *f.fixup, func() int {
				t.Fixups = append(t.Fixups, desc.FixupDesc{Name: b.name(b.l.fixups[f.fixup.kind]), PCRel: f.fixup.pcrel, Size: uint8(in.size)})
				return len(t.Fixups)
			})
		}
		fields = append(fields, ef)
	}
	row.Fields, row.NumFields = once(b, &t.Fields, "f", fields), uint8(len(fields))
	return row
}

// parts adds a template.
func (b *builder) parts(ps []part) uint32 {
	var rows []desc.WriterPart
	for i, p := range ps {
		w := desc.WriterPart{Text: b.name(p.text), Op: int16(p.op), Last: i == len(ps)-1}
		if p.op >= 0 {
			w.Style = 1 + b.styleOf(p.style)
		}
		rows = append(rows, w)
	}
	return once(b, &b.wr.Parts, "p", rows)
}

func (b *builder) styleOf(y *style) uint16 {
	return number(b.style, y, func() int {
		w := desc.WriterStyle{Kind: y.kind, Prefix: b.name(y.prefix), Suffix: b.name(y.suffix), Mul: y.mul, Add: y.add, Bits: y.bits, Signed: y.signed}
		var texts []desc.StyleText
		for v := range y.texts {
			texts = append(texts, desc.StyleText{Value: v})
		}
		sort.Slice(texts, func(i, j int) bool { return texts[i].Value < texts[j].Value })
		for i := range texts {
			texts[i].Text = b.name(y.texts[texts[i].Value])
		}
		w.First, w.Num = once(b, &b.wr.Texts, "t", texts), uint32(len(texts))
		b.wr.Styles = append(b.wr.Styles, w)
		return len(b.wr.Styles) - 1
	})
}

// alias adds an alias.
func (b *builder) alias(in *instr, a *alias) {
	b.wr.Aliases = append(b.wr.Aliases, desc.WriterAlias{Op: in.op, NumOps: uint8(len(in.base)), NumConds: uint8(len(a.conds)),
		Conds: once(b, &b.wr.Conds, "c", a.conds), Parts: b.parts(a.parts), Form: a.form})
}

// keyOf tells lists of rows apart.
func keyOf[T any](kind string, rows []T) string { return fmt.Sprintf("%s%v", kind, rows) }
