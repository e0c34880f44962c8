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
	if p := t.Writer.Packed; p != "" { // code generation reads it at each start
		b = binary.LittleEndian.AppendUint32(append(b, mcStored), uint32(len(p)))
		return append(append(b, p...), c.b...)
	}
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	w.Write(c.b)
	w.Close()
	return append(b, z.Bytes()...)
}

// mcStored is the first byte of a file with packed rows (zlib's is another): their
// number of bytes, the rows, which stay where they are, and the rest, not deflated.
const mcStored = 0

// DecodeMachineCode reads what AppendMachineCode wrote.
func DecodeMachineCode(data string) (*desc.MCTables, error) {
	if data != "" && data[0] == mcStored {
		if len(data) < 5 || uint64(len(data)-5) < uint64(le32(data, 1)) {
			return nil, errShort
		}
		n := 5 + int(le32(data, 1))
		t, err := decodeMC([]byte(data[n:]))
		t.Writer.Packed = data[5:n]
		return t, err
	}
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return decodeMC(raw)
}

func decodeMC(raw []byte) (*desc.MCTables, error) {
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
	c.sections(t)
}

// Sections that not every file has stand behind the rest, each behind its number.
const (
	mcMethods uint8 = 1 // the writer's functions, and variants of aliases
)

func (c *mcCodec) sections(t *desc.MCTables) {
	if c.write {
		if w := t.Writer; len(w.Methods) > 0 {
			kind := mcMethods
			num(c, &kind)
			c.methods(w)
		}
		return
	}
	for len(c.b) > 0 && c.err == nil {
		var kind uint8
		switch num(c, &kind); kind {
		case mcMethods:
			c.methods(t.Writer)
		default:
			c.err = fmt.Errorf("there is no section %d", kind)
		}
	}
}

func (c *mcCodec) methods(t *desc.WriterTable) {
	list(c, &t.Methods, func(c *mcCodec, r *desc.Name) { num(c, r) })
	for i := range t.Parts {
		num(c, &t.Parts[i].Method)
		num(c, &t.Parts[i].RegNames)
	}
	for i := range t.Aliases {
		num(c, &t.Aliases[i].Variant)
	}
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

func (c *mcCodec) parts(ps *[]desc.WriterPart) {
	list(c, ps, func(c *mcCodec, r *desc.WriterPart) { num(c, &r.Text) },
		func(c *mcCodec, r *desc.WriterPart) { op := int64(r.Op); c.i64(&op); r.Op = int16(op) },
		func(c *mcCodec, r *desc.WriterPart) { num(c, &r.Style) }, func(c *mcCodec, r *desc.WriterPart) { flag(c, &r.Last) })
}

func (c *mcCodec) conds(cs *[]desc.WriterCond) {
	list(c, cs, func(c *mcCodec, r *desc.WriterCond) { num(c, &r.Op) }, func(c *mcCodec, r *desc.WriterCond) { num(c, &r.Kind) },
		func(c *mcCodec, r *desc.WriterCond) { c.i64(&r.Arg) })
}

func (c *mcCodec) writer(t *desc.WriterTable) {
	num(c, &t.Variants)
	num(c, &t.NumRegs)
	list(c, &t.Rows, func(c *mcCodec, r *uint32) { num(c, r) })
	c.parts(&t.Parts)
	list(c, &t.RegNames, func(c *mcCodec, r *desc.Name) { num(c, r) })
	list(c, &t.Aliases, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Op) }, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.NumOps) },
		func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Conds) }, func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.NumConds) },
		func(c *mcCodec, r *desc.WriterAlias) { num(c, &r.Parts) },
		func(c *mcCodec, r *desc.WriterAlias) { flag(c, &r.Form) })
	c.conds(&t.Conds)
	c.styles(&t.Styles)
	list(c, &t.Texts, func(c *mcCodec, r *desc.StyleText) { c.i64(&r.Value) }, func(c *mcCodec, r *desc.StyleText) { num(c, &r.Text) })
}

// AppendMatcher appends the file of what is learned about reading (zz_match_*.bin):
// forms refer to parts and styles of the writer w, and a sum of these is kept.
func AppendMatcher(b []byte, t *desc.MatcherTable, w *desc.WriterTable) []byte {
	c := &mcCodec{write: true}
	sum := writerSum(w)
	num(c, &sum)
	c.matcher(t)
	var z bytes.Buffer
	x, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	x.Write(c.b)
	x.Close()
	return append(b, z.Bytes()...)
}

// DecodeMatcher reads what AppendMatcher wrote.
func DecodeMatcher(data string, w *desc.WriterTable) (*desc.MatcherTable, error) {
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &mcCodec{b: raw}
	t := &desc.MatcherTable{}
	var sum uint32
	if num(c, &sum); sum != writerSum(w) {
		return nil, fmt.Errorf("the matcher is of another writer: learn it again (mclearn -match)")
	}
	c.matcher(t)
	if c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("%d bytes are left over", len(c.b))
	}
	return t, c.err
}

// writerSum tells tables of a writer apart as far as forms refer to them.
func writerSum(w *desc.WriterTable) uint32 {
	h := uint32(2166136261)
	add := func(v uint32) { h = (h ^ v) * 16777619 }
	for i := range w.Parts {
		p := &w.Parts[i]
		add(uint32(p.Style)<<16 | uint32(uint16(p.Op)))
	}
	add(uint32(len(w.Styles)))
	add(uint32(len(w.Texts)))
	return h
}

func (c *mcCodec) styles(t *[]desc.WriterStyle) {
	list(c, t, func(c *mcCodec, r *desc.WriterStyle) {
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
}

func (c *mcCodec) matcher(t *desc.MatcherTable) {
	c.text(&t.Names)
	list(c, &t.Forms, func(c *mcCodec, r *desc.MatchForm) { num(c, &r.Parts) }, func(c *mcCodec, r *desc.MatchForm) { num(c, &r.Op) },
		func(c *mcCodec, r *desc.MatchForm) { num(c, &r.Conds) }, func(c *mcCodec, r *desc.MatchForm) { num(c, &r.NumConds) },
		func(c *mcCodec, r *desc.MatchForm) { num(c, &r.Ops) }, func(c *mcCodec, r *desc.MatchForm) { num(c, &r.NumOps) },
		func(c *mcCodec, r *desc.MatchForm) { num(c, &r.Needs) }, func(c *mcCodec, r *desc.MatchForm) { num(c, &r.NumNeeds) })
	c.parts(&t.Parts)
	c.conds(&t.Conds)
	list(c, &t.FormOps, func(c *mcCodec, r *desc.MatchOp) { num(c, &r.Diag) }, func(c *mcCodec, r *desc.MatchOp) { num(c, &r.Syms) })
	list(c, &t.NeedRefs, func(c *mcCodec, r *uint16) { num(c, r) })
	list(c, &t.Needs, func(c *mcCodec, r *desc.MatchNeed) {
		num(c, &r.Text)
		num(c, &r.Features.First)
		num(c, &r.Features.Num)
	})
	list(c, &t.Terms, func(c *mcCodec, r *desc.FeatureTerm) { num(c, r) })
	list(c, &t.RegNames, func(c *mcCodec, r *desc.MatchReg) { num(c, &r.Name) }, func(c *mcCodec, r *desc.MatchReg) { num(c, &r.Reg) })
	list(c, &t.Kinds, func(c *mcCodec, r *desc.Name) { num(c, r) })
	list(c, &t.Words, func(c *mcCodec, r *desc.Name) { num(c, r) })
	if c.write && len(t.Styles) > 0 || !c.write && len(c.b) > 0 { // few targets have some
		c.styles(&t.Styles)
	}
}

// mcEntry is the embedded tables of one target, decoded when they are first asked for.
type mcEntry struct {
	name   string
	data   *string
	match  *string // of the matcher, nil where there is none
	once   sync.Once
	tables *desc.MCTables
	err    error

	matchOnce sync.Once
	matcher   *desc.MatcherTable
	matchErr  error
}

func (e *mcEntry) load() (*desc.MCTables, error) {
	e.once.Do(func() {
		if e.tables, e.err = DecodeMachineCode(*e.data); e.err != nil {
			e.err = fmt.Errorf("machine code of %s: %w", e.name, e.err)
		}
	})
	return e.tables, e.err
}

// MachineCode gives the machine-code tables of a target by LLVM's name of its
// back end, those of docs/machine-code.md. A program that calls it carries the
// tables of every target that has some.
func MachineCode(name string) (*desc.MCTables, error) {
	for _, e := range mcEntries {
		if e.name != name {
			continue
		}
		return e.load()
	}
	return nil, fmt.Errorf("no machine code tables of target %q", name)
}

// Matcher gives the table of what a target's assembler reads; nil where nothing
// is known. Its forms refer to the parts and styles of MachineCode's writer.
func Matcher(name string) (*desc.MatcherTable, error) {
	for _, e := range mcEntries {
		if e.name != name || e.match == nil {
			continue
		}
		t, err := MachineCode(name)
		if err != nil {
			return nil, err
		}
		e.matchOnce.Do(func() { e.matcher, e.matchErr = DecodeMatcher(*e.match, t.Writer) })
		if e.matchErr != nil {
			return nil, fmt.Errorf("matcher of %s: %w", name, e.matchErr)
		}
		return e.matcher, nil
	}
	return nil, nil
}

// MachineCodeNames lists the targets that MachineCode knows, in alphabetical order.
func MachineCodeNames() []string {
	names := make([]string, len(mcEntries))
	for i, e := range mcEntries {
		names[i] = e.name
	}
	return names
}
