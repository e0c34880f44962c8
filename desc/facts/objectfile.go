package facts

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// AppendObjects appends the file of a target's object tables (zz_obj_*.bin), in the
// form of the machine-code tables.
func AppendObjects(b []byte, t *desc.ObjectTables) []byte {
	c := &mcCodec{write: true}
	c.objects(t)
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	w.Write(c.b)
	w.Close()
	return append(b, z.Bytes()...)
}

// DecodeObjects reads what AppendObjects wrote.
func DecodeObjects(data string) (*desc.ObjectTables, error) {
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &mcCodec{b: raw}
	t := &desc.ObjectTables{}
	c.objects(t)
	if c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("%d bytes are left over", len(c.b))
	}
	return t, c.err
}

func (c *mcCodec) objects(t *desc.ObjectTables) {
	c.text(&t.Names)
	list(c, &t.Specs, func(c *mcCodec, r *desc.SpecDesc) {
		num(c, &r.Prefix)
		num(c, &r.Suffix)
		flag(c, &r.TLS)
	})
	list(c, &t.Flavors, func(c *mcCodec, r *desc.ObjectFlavor) { c.flavor(r) })
}

func (c *mcCodec) flavor(f *desc.ObjectFlavor) {
	num(c, &f.Name)
	num(c, &f.Machine)
	for _, v := range [...]*uint8{&f.OSABI, &f.ABIVersion, &f.Pointer, &f.TextAlign, &f.MinNop, &f.Slot, &f.CodeUnit, &f.FDEEncoding} {
		num(c, v)
	}
	for _, v := range [...]*bool{&f.Class64, &f.Rela, &f.BigEndian, &f.StackUp, &f.CFI, &f.AbsFDE} {
		flag(c, v)
	}
	num(c, &f.EHType)
	num(c, &f.ReturnColumn)
	num(c, &f.Relax)
	list(c, &f.Initial, func(c *mcCodec, r *desc.InitialCFI) {
		num(c, &r.Op)
		num(c, &r.Reg)
		c.i64(&r.Offset)
	})
	a := &f.Asm
	for _, v := range [...]*desc.Name{&a.Comment, &a.Separator, &a.PrivateGlobal, &a.PrivateLabel, &a.Data[0], &a.Data[1], &a.Data[2], &a.Data[3],
		&a.Zero, &a.Ascii, &a.Asciz, &a.Global, &a.Weak} {
		num(c, v)
	}
	num(c, &a.Flags)
	num(c, &a.TextFill)
	list(c, &f.Kinds, func(c *mcCodec, r *desc.FixupKindDesc) {
		num(c, &r.Name)
		num(c, &r.RangeError)
		num(c, &r.AlignError)
		c.i64(&r.Lo)
		c.i64(&r.Hi)
		c.i64(&r.Add)
		num(c, &r.Const)
		num(c, &r.Segs)
		num(c, &r.NumSegs)
		num(c, &r.Size)
		num(c, &r.Align)
		num(c, &r.Flags)
		num(c, &r.Offset)
		num(c, &r.Bits)
		num(c, &r.Reloc)
	})
	c.segs(&f.Segs)
	list(c, &f.Relocs, func(c *mcCodec, r *desc.RelocDesc) { num(c, &r.Kind) }, func(c *mcCodec, r *desc.RelocDesc) { num(c, &r.Spec) },
		func(c *mcCodec, r *desc.RelocDesc) { flag(c, &r.PCRel) }, func(c *mcCodec, r *desc.RelocDesc) { num(c, &r.Type) },
		func(c *mcCodec, r *desc.RelocDesc) { num(c, &r.Flags) })
	list(c, &f.Swaps, func(c *mcCodec, r *uint8) { num(c, r) })
	list(c, &f.Modes, func(c *mcCodec, r *desc.Name) { num(c, r) })
	list(c, &f.Exprs, func(c *mcCodec, r *desc.ExprDesc) { num(c, &r.Op) }, func(c *mcCodec, r *desc.ExprDesc) { num(c, &r.Mode) },
		func(c *mcCodec, r *desc.ExprDesc) { num(c, &r.Operand) }, func(c *mcCodec, r *desc.ExprDesc) { num(c, &r.NumChoices) },
		func(c *mcCodec, r *desc.ExprDesc) { num(c, &r.Choices) })
	list(c, &f.Choices, func(c *mcCodec, r *desc.ExprChoice) {
		num(c, &r.Spec)
		num(c, &r.Num)
		num(c, &r.Fixes)
		num(c, &r.Set)
		num(c, &r.Clear)
	})
	list(c, &f.ExprFixes, func(c *mcCodec, r *desc.ExprFixup) {
		num(c, &r.Kind)
		num(c, &r.Offset)
		num(c, &r.Spec)
		c.i64(&r.Add)
	})
	list(c, &f.Longer, func(c *mcCodec, r *desc.LongerDesc) {
		num(c, &r.From)
		num(c, &r.To)
		num(c, &r.Ops)
		num(c, &r.NumOps)
		num(c, &r.Mode)
		num(c, &r.Align)
		c.i64(&r.Lo)
		c.i64(&r.Hi)
	})
	list(c, &f.LongerOps, func(c *mcCodec, r *desc.LongerOp) {
		op := int64(r.Op)
		c.i64(&op)
		r.Op = int8(op)
		flag(c, &r.IsReg)
		c.i64(&r.Value)
	})
	list(c, &f.Seqs, func(c *mcCodec, r *desc.SeqDesc) {
		num(c, &r.Op)
		num(c, &r.NumParts)
		num(c, &r.Parts)
	})
	list(c, &f.SeqParts, func(c *mcCodec, r *desc.SeqPart) {
		num(c, &r.Op)
		num(c, &r.NumOps)
		num(c, &r.Ops)
	})
	list(c, &f.Nops, func(c *mcCodec, r *desc.NopDesc) {
		num(c, &r.Feature)
		list(c, &r.Bytes, func(c *mcCodec, r *desc.Name) { num(c, r) })
	})
}
