package facts

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// The file of machine-code tables (zz_mc_*.bin, which tools/mclearn writes) is
// deflated: the rows of each table in order, their columns as variable-length
// integers. One description of the rows (mcCodec) reads and writes them.

// AppendMachineCode appends the file of a target's tables: of the encoder and the writer,
// and of these what learned tables have. Functions by name, features, modifiers of operands
// and what a fixup does to a value, which tables of .td files have, are not in it.
func AppendMachineCode(b []byte, t *desc.MCTables) []byte {
	c := &mcCodec{write: true}
	c.tables(t)
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	w.Write(c.b)
	w.Close()
	return append(b, z.Bytes()...)
}

// DecodeMachineCode reads what AppendMachineCode wrote.
func DecodeMachineCode(data string) (*desc.MCTables, error) {
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &mcCodec{b: raw}
	t := &desc.MCTables{}
	c.tables(t)
	if c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("%d bytes are left over", len(c.b))
	}
	return t, c.err
}

// mcCodec reads or writes columns.
type mcCodec struct {
	b     []byte
	write bool
	err   error
}

func (c *mcCodec) uvarint(v uint64) uint64 {
	if c.write {
		c.b = binary.AppendUvarint(c.b, v)
		return v
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		if c.err == nil {
			c.err = errShort
		}
		c.b = nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *mcCodec) i64(v *int64) {
	u := uint64(*v)<<1 ^ uint64(*v>>63)
	u = c.uvarint(u)
	*v = int64(u>>1) ^ -int64(u&1)
}

// num reads or writes an unsigned column; a value that does not fit it is damage.
func num[T ~uint8 | ~uint16 | ~uint32 | ~uint64](c *mcCodec, v *T) {
	u := c.uvarint(uint64(*v))
	*v = T(u)
	if uint64(*v) != u && c.err == nil {
		c.err = fmt.Errorf("%d does not fit its column", u)
	}
}

func flag(c *mcCodec, v *bool) {
	u := uint8(0)
	if *v {
		u = 1
	}
	num(c, &u)
	*v = u != 0
}

// list reads or writes the rows of a table, a column after the other.
func list[T any](c *mcCodec, rows *[]T, columns ...func(*mcCodec, *T)) {
	n := uint32(len(*rows))
	num(c, &n)
	if !c.write {
		if uint64(n) > uint64(len(c.b)) && n > 0 {
			c.err = errShort
			return
		}
		*rows = make([]T, n)
	}
	for _, col := range columns {
		for i := range *rows {
			col(c, &(*rows)[i])
		}
		if c.err != nil {
			return
		}
	}
}

func (c *mcCodec) text(s *string) {
	n := uint32(len(*s))
	num(c, &n)
	if c.write {
		c.b = append(c.b, *s...)
		return
	}
	if int(n) > len(c.b) {
		c.err = errShort
		return
	}
	*s, c.b = string(c.b[:n]), c.b[n:]
}

func (c *mcCodec) tables(t *desc.MCTables) {
	if !c.write {
		t.Encoder, t.Writer = &desc.EncoderTable{}, &desc.WriterTable{}
	}
	c.text(&t.Encoder.Names)
	t.Writer.Names = t.Encoder.Names
	c.encoder(t.Encoder)
	c.writer(t.Writer)
}

func (c *mcCodec) segs(segs *[]desc.BitSeg) {
	list(c, segs, func(c *mcCodec, r *desc.BitSeg) { num(c, &r.Value) }, func(c *mcCodec, r *desc.BitSeg) { num(c, &r.Inst) },
		func(c *mcCodec, r *desc.BitSeg) { num(c, &r.Len) })
}

func (c *mcCodec) formats(fs *[]desc.ImmFormat) {
	list(c, fs, func(c *mcCodec, r *desc.ImmFormat) {
		num(c, &r.Bits)
		num(c, &r.Shift)
		flag(c, &r.Signed)
		flag(c, &r.Either)
	})
}

func (c *mcCodec) encoder(t *desc.EncoderTable) {
	flag(c, &t.BigEndian)
	list(c, &t.Instrs, func(c *mcCodec, r *desc.EncInstr) { num(c, &r.Size) }, func(c *mcCodec, r *desc.EncInstr) { num(c, &r.Words) },
		func(c *mcCodec, r *desc.EncInstr) { num(c, &r.Fields) }, func(c *mcCodec, r *desc.EncInstr) { num(c, &r.NumFields) })
	list(c, &t.Modes, func(c *mcCodec, r *desc.Name) { num(c, r) })
	list(c, &t.ModeInstrs, func(c *mcCodec, r *desc.EncModeInstr) {
		num(c, &r.Mode)
		num(c, &r.Op)
		num(c, &r.Instr.Size)
		num(c, &r.Instr.Words)
		num(c, &r.Instr.Fields)
		num(c, &r.Instr.NumFields)
	})
	list(c, &t.Words, func(c *mcCodec, r *uint64) { num(c, r) })
	list(c, &t.Fields, func(c *mcCodec, r *desc.EncField) { num(c, &r.Op) }, func(c *mcCodec, r *desc.EncField) { num(c, &r.Segs) },
		func(c *mcCodec, r *desc.EncField) { num(c, &r.NumSegs) }, func(c *mcCodec, r *desc.EncField) { num(c, &r.Format) },
		func(c *mcCodec, r *desc.EncField) { num(c, &r.Fixup) }, func(c *mcCodec, r *desc.EncField) { num(c, &r.Xform) })
	c.segs(&t.Segs)
	c.formats(&t.Formats)
	list(c, &t.Xforms, func(c *mcCodec, r *desc.EncXform) {
		num(c, &r.Kind)
		c.i64(&r.Add)
		num(c, &r.First)
		num(c, &r.Num)
		num(c, &r.Op)
	})
	list(c, &t.Maps, func(c *mcCodec, r *desc.EncMap) { c.i64(&r.Key) }, func(c *mcCodec, r *desc.EncMap) { num(c, &r.Value) })
	list(c, &t.Fixups, func(c *mcCodec, r *desc.FixupDesc) {
		num(c, &r.Name)
		num(c, &r.Size)
		flag(c, &r.PCRel)
	})
}

func (c *mcCodec) writer(t *desc.WriterTable) {
	num(c, &t.Variants)
	num(c, &t.NumRegs)
	list(c, &t.Rows, func(c *mcCodec, r *uint32) { num(c, r) })
	list(c, &t.Parts, func(c *mcCodec, r *desc.WriterPart) { num(c, &r.Text) },
		func(c *mcCodec, r *desc.WriterPart) { op := int64(r.Op); c.i64(&op); r.Op = int16(op) },
		func(c *mcCodec, r *desc.WriterPart) { num(c, &r.Style) }, func(c *mcCodec, r *desc.WriterPart) { flag(c, &r.Last) })
	list(c, &t.RegNames, func(c *mcCodec, r *desc.Name) { num(c, r) })
	list(c, &t.Aliases, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Op) }, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.NumOps) },
		func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Conds) }, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.NumConds) },
		func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Parts) },
		func(c *mcCodec, r *desc.WriterAlias) { flag(c, &r.Form) })
	list(c, &t.Conds, func(c *mcCodec, r *desc.WriterCond) { num(c, &r.Op) }, func(c *mcCodec, r *desc.WriterCond) { num(c, &r.Kind) },
		func(c *mcCodec, r *desc.WriterCond) { c.i64(&r.Arg) })
	list(c, &t.Styles, func(c *mcCodec, r *desc.WriterStyle) {
		num(c, &r.Kind)
		num(c, &r.Prefix)
		num(c, &r.Suffix)
		c.i64(&r.Mul)
		c.i64(&r.Add)
		num(c, &r.Bits)
		flag(c, &r.Signed)
		num(c, &r.First)
		num(c, &r.Num)
	})
	list(c, &t.Texts, func(c *mcCodec, r *desc.StyleText) { c.i64(&r.Value) }, func(c *mcCodec, r *desc.StyleText) { num(c, &r.Text) })
}

// mcEntry is the embedded tables of one target, decoded when they are first asked for.
type mcEntry struct {
	name   string
	data   *string
	once   sync.Once
	tables *desc.MCTables
	err    error
}

// MachineCode gives the machine-code tables of a target by LLVM's name of its
// back end, those of docs/machine-code.md. A program that calls it carries the
// tables of every target that has some.
func MachineCode(name string) (*desc.MCTables, error) {
	for _, e := range mcEntries {
		if e.name != name {
			continue
		}
		e.once.Do(func() { e.tables, e.err = DecodeMachineCode(*e.data) })
		if e.err != nil {
			return nil, fmt.Errorf("machine code of %s: %w", name, e.err)
		}
		return e.tables, nil
	}
	return nil, fmt.Errorf("no machine code tables of target %q", name)
}

// MachineCodeNames lists the targets that MachineCode knows, in alphabetical order.
func MachineCodeNames() []string {
	names := make([]string, len(mcEntries))
	for i, e := range mcEntries {
		names[i] = e.name
	}
	return names
}
