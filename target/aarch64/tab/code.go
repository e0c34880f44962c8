package tab

import (
	"bytes"
	"compress/flate"
	_ "embed" // the tables
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

//go:embed zz_asm.bin
var packed []byte

// Load gives the tables; they are decoded once.
var Load = sync.OnceValues(func() (*Tables, error) { return Decode(packed) })

// coder writes (out not nil) or reads what is given to it, so that both directions are one text.
type coder struct {
	out []byte
	in  []byte
	err error
	enc bool
}

func (c *coder) int(v *int64) {
	if c.enc {
		c.out = binary.AppendVarint(c.out, *v)
		return
	}
	x, n := binary.Varint(c.in)
	if n <= 0 {
		c.err, c.in = fmt.Errorf("target/aarch64/tab: damaged tables"), nil
		return
	}
	*v, c.in = x, c.in[n:]
}

func num[T ~uint8 | ~uint16 | ~uint32 | ~int32 | ~int](c *coder, v *T) {
	x := int64(*v)
	c.int(&x)
	*v = T(x)
}

func (c *coder) string(s *string) {
	n := len(*s)
	num(c, &n)
	if c.enc {
		c.out = append(c.out, *s...)
		return
	}
	if n < 0 || n > len(c.in) {
		c.err, n = fmt.Errorf("target/aarch64/tab: damaged tables"), 0
	}
	*s, c.in = string(c.in[:n]), c.in[n:]
}

func (c *coder) bool(b *bool) {
	v := 0
	if *b {
		v = 1
	}
	num(c, &v)
	*b = v != 0
}

func list[T any](c *coder, l *[]T, each func(*T)) {
	n := len(*l)
	num(c, &n)
	if !c.enc {
		if n < 0 || n > len(c.in) {
			c.err = fmt.Errorf("target/aarch64/tab: damaged tables")
			return
		}
		if n == 0 {
			return
		}
		*l = make([]T, n)
	}
	for i := range *l {
		each(&(*l)[i])
	}
}

// values are kept as differences.
func (c *coder) values(l *[]int64) {
	var last int64
	list(c, l, func(v *int64) {
		d := *v - last
		c.int(&d)
		*v = last + d
		last = *v
	})
}

func (c *coder) tables(t *Tables) {
	u16 := func(v *uint16) { num(c, v) }
	list(c, &t.Tokens, c.string)
	list(c, &t.Words, c.string)
	list(c, &t.Specs, c.string)
	list(c, &t.Features, func(f *Feature) {
		c.string(&f.Name)
		list(c, &f.AnyOf, c.string)
		c.bool(&f.Always)
	})
	list(c, &t.FeatureSets, func(s *[]uint16) { list(c, s, u16) })
	list(c, &t.Sets, func(s *Set) {
		num(c, &s.Kind)
		c.values(&s.Values)
	})
	list(c, &t.Classes, func(k *Class) {
		num(c, &k.Parser)
		num(c, &k.Default)
		list(c, &k.Rows, func(r *ClassRow) {
			num(c, &r.Shape)
			num(c, &r.Set)
			num(c, &r.Miss)
		})
	})
	list(c, &t.Conversions, func(b *[]byte) { list(c, b, func(v *byte) { num(c, v) }) })
	list(c, &t.Kinds, func(k *[]Convert) {
		list(c, k, func(v *Convert) {
			num(c, &v.Shape)
			list(c, &v.Outs, func(o *Out) {
				num(c, &o.Kind)
				list(c, &o.Values, c.int)
			})
		})
	})
	list(c, &t.Tied, func(v *[3]uint8) {
		for i := range v {
			num(c, &v[i])
		}
	})
	list(c, &t.System, func(r *System) {
		num(c, &r.Kind)
		num(c, &r.Flags)
		num(c, &r.Enc)
		c.string(&r.Name)
		list(c, &r.Features, c.string)
	})
	for _, l := range [...]*[]Extension{&t.Extensions, &t.Archs} {
		list(c, l, func(x *Extension) {
			c.string(&x.Name)
			list(c, &x.Features, c.string)
		})
	}
	list(c, &t.Mnemonics, func(m *Mnemonic) {
		c.string(&m.Name)
		for v := range m.Entries {
			list(c, &m.Entries[v], func(e *Entry) {
				op := int(e.Op)
				num(c, &op)
				e.Op = desc.Opcode(op)
				num(c, &e.Convert)
				num(c, &e.Features)
				list(c, &e.Classes, u16)
			})
		}
		list(c, &m.Customs, func(k *Custom) {
			num(c, &k.Mask)
			num(c, &k.Class)
		})
	})
}

// Encode packs tables.
func Encode(t *Tables) ([]byte, error) {
	c := coder{enc: true}
	c.tables(t)
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(c.out); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// Decode unpacks tables.
func Decode(b []byte) (*Tables, error) {
	in, err := io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	if err != nil {
		return nil, err
	}
	c := coder{in: in}
	t := new(Tables)
	c.tables(t)
	return t, c.err
}
