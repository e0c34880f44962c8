package facts

import (
	"bytes"
	"compress/zlib"
	_ "embed"
	"io"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

//go:embed zz_dis_x86.bin
var disX86 string

// AppendContexts appends the file of what opcode bytes mean.
func AppendContexts(b []byte, t *desc.ContextTable) []byte {
	c := &mcCodec{write: true}
	c.contexts(t)
	var z bytes.Buffer
	w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
	w.Write(c.b)
	w.Close()
	return append(b, z.Bytes()...)
}

// DecodeContexts reads what AppendContexts wrote.
func DecodeContexts(data string) (*desc.ContextTable, error) {
	r, err := zlib.NewReader(strings.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := &mcCodec{}
	if c.b, err = io.ReadAll(r); err != nil {
		return nil, err
	}
	t := &desc.ContextTable{}
	c.contexts(t)
	return t, c.err
}

func (c *mcCodec) contexts(t *desc.ContextTable) {
	plain := func(rows *[]uint32) { list(c, rows, func(c *mcCodec, r *uint32) { num(c, r) }) }
	plain(&t.Rows)
	plain(&t.Decisions)
	plain(&t.Starts)
	list(c, &t.Contexts, func(c *mcCodec, r *desc.Context) { num(c, &r.Key) }, func(c *mcCodec, r *desc.Context) { num(c, &r.Op) })
}

// X86Contexts says what x86's opcode bytes mean.
var X86Contexts = sync.OnceValues(func() (*desc.ContextTable, error) { return DecodeContexts(disX86) })
