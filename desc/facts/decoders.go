package facts

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// The file of a decoder's table (zz_dis_*.bin, which tools/mclearn -d writes) is
// made like that of encoders and writers; it is apart, since who assembles needs none.

// AppendDecoder appends the file of a learned decoder's table.
func AppendDecoder(b []byte, t *desc.DecoderTable) []byte {
	c := &mcCodec{write: true}
	c.decoder(t)
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	w.Write(c.b)
	w.Close()
	return append(b, z.Bytes()...)
}

// DecodeDecoder reads what AppendDecoder wrote.
func DecodeDecoder(data string) (*desc.DecoderTable, error) {
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &mcCodec{b: raw}
	t := &desc.DecoderTable{}
	c.decoder(t)
	if c.err == nil && len(c.b) > 0 {
		c.err = fmt.Errorf("%d bytes are left over", len(c.b))
	}
	return t, c.err
}

func (c *mcCodec) decoder(t *desc.DecoderTable) {
	c.text(&t.Names)
	flag(c, &t.BigEndian)
	list(c, &t.Spaces, func(c *mcCodec, r *desc.DecSpace) {
		num(c, &r.Name)
		num(c, &r.Root)
		num(c, &r.Size)
	})
	list(c, &t.Nodes, func(c *mcCodec, r *desc.DecNode) { num(c, &r.Len) }, func(c *mcCodec, r *desc.DecNode) { num(c, &r.From) },
		func(c *mcCodec, r *desc.DecNode) { num(c, &r.First) }, func(c *mcCodec, r *desc.DecNode) { num(c, &r.Num) },
		func(c *mcCodec, r *desc.DecNode) { num(c, &r.Rest) })
	list(c, &t.Cases, func(c *mcCodec, r *desc.DecCase) { num(c, &r.Value) }, func(c *mcCodec, r *desc.DecCase) { num(c, &r.Node) })
	list(c, &t.Instrs, func(c *mcCodec, r *desc.DecInstr) { num(c, &r.Op) }, func(c *mcCodec, r *desc.DecInstr) { num(c, &r.Words) },
		func(c *mcCodec, r *desc.DecInstr) { num(c, &r.Ops) }, func(c *mcCodec, r *desc.DecInstr) {
			num(c, &r.Features.First)
			num(c, &r.Features.Num)
			num(c, &r.Method)
			num(c, &r.NumOps)
			num(c, &r.NumWords)
			flag(c, &r.Soft)
			flag(c, &r.Incomplete)
		})
	list(c, &t.Words, func(c *mcCodec, r *uint64) { num(c, r) })
	list(c, &t.Ops, func(c *mcCodec, r *desc.DecOp) { num(c, &r.Kind) }, func(c *mcCodec, r *desc.DecOp) { num(c, &r.Fixed) },
		func(c *mcCodec, r *desc.DecOp) { num(c, &r.Segs) }, func(c *mcCodec, r *desc.DecOp) { num(c, &r.NumSegs) },
		func(c *mcCodec, r *desc.DecOp) { num(c, &r.Arg) })
	c.segs(&t.Segs)
	c.formats(&t.Formats)
	list(c, &t.Terms, func(c *mcCodec, r *desc.FeatureTerm) { num(c, r) })
	list(c, &t.Xforms, func(c *mcCodec, r *desc.DecXform) {
		num(c, &r.Kind)
		num(c, &r.Format)
		num(c, &r.First)
		num(c, &r.Num)
		c.i64(&r.Add)
	})
	list(c, &t.Maps, func(c *mcCodec, r *desc.EncMap) { c.i64(&r.Key) }, func(c *mcCodec, r *desc.EncMap) { v := int64(r.Value); c.i64(&v); r.Value = uint64(v) })
	list(c, &t.Skips, func(c *mcCodec, r *desc.DecSkip) {
		num(c, &r.Name)
		num(c, &r.Sizes)
		num(c, &r.At)
	})
	list(c, &t.Checks, func(c *mcCodec, r *desc.DecCheck) { num(c, &r.Instr) }, func(c *mcCodec, r *desc.DecCheck) {
		num(c, &r.A)
		num(c, &r.NumA)
		num(c, &r.B)
		num(c, &r.NumB)
		v := int64(r.Add)
		c.i64(&v)
		r.Add = int32(v)
		num(c, &r.Kind)
	})
	list(c, &t.Methods, func(c *mcCodec, r *desc.Name) { num(c, r) })
	if c.write || c.err != nil {
		return
	}
	for k := range t.Checks {
		i := int(t.Checks[k].Instr)
		if i >= len(t.Instrs) {
			c.err = fmt.Errorf("a condition of instruction %d of %d", i, len(t.Instrs))
			return
		}
		if t.Instrs[i].NumChecks == 0 {
			t.Instrs[i].Checks = uint32(k)
		}
		t.Instrs[i].NumChecks++
	}
}

// disEntry is the embedded decoder of one target, decoded when it is first asked for.
type disEntry struct {
	name  string
	data  *string
	once  sync.Once
	table *desc.DecoderTable
	err   error
}

// Decoder gives the decoder's table of a target by LLVM's name of its back end, the
// same ones that MachineCode knows.
func Decoder(name string) (*desc.DecoderTable, error) {
	for _, e := range disEntries {
		if e.name != name {
			continue
		}
		e.once.Do(func() { e.table, e.err = DecodeDecoder(*e.data) })
		if e.err != nil {
			return nil, fmt.Errorf("decoder of %s: %w", name, e.err)
		}
		return e.table, nil
	}
	return nil, fmt.Errorf("no decoder's table of target %q", name)
}
