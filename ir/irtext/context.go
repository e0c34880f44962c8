package irtext

import "github.com/mirin-go/mirin/ir"

// Context reads pieces of LLVM IR that refer to a module which was read
// before: constants and metadata inside Machine IR. It is not safe for several
// goroutines.
type Context struct {
	Module *ir.Module
	sh     *shared
}

// Fault is an error in a piece of text: the byte offset in it and LLVM's message.
type Fault struct {
	Off int
	Msg string
}

// Error returns the message.
func (f *Fault) Error() string { return f.Msg }

// ParseContext is ParseString that also returns a Context of the module.
func ParseContext(name, src string, opts Options) (*Context, error) {
	m, sh, err := parse(name, src, opts)
	if err != nil {
		return nil, err
	}
	clear(sh.typeOffs) // all types stand above what is read from now on
	return &Context{m, sh}, nil
}

func (c *Context) parser(text string, pool *ir.ConstPool) *parser {
	p := &parser{shared: c.sh, pool: pool, worker: newWorker()}
	p.src = text
	p.next()
	return p
}

func (p *parser) fault() error {
	if p.err == nil {
		return nil
	}
	return &Fault{p.err.off, p.err.msg}
}

// Constant reads one constant with its type at the beginning of text. It
// belongs to pool. The length read is returned.
func (c *Context) Constant(text string, pool *ir.ConstPool) (v ir.Value, t ir.Type, length int, err error) {
	p := c.parser(text, pool)
	t = p.typ("expected type")
	if t != 0 {
		v = p.value(t)
	}
	return v, t, p.prev, p.fault()
}

// Metadata reads a metadata operand at the beginning of text: !7, !{…},
// !DIExpression(…).
func (c *Context) Metadata(text string) (id ir.MDID, length int, err error) {
	p := c.parser(text, &c.Module.Consts)
	distinct := p.eatWord("distinct")
	id = p.metadata()
	if distinct && p.ok() && id != 0 {
		if l, ok := p.m.MD.Location(id); ok {
			l.Distinct = true
			p.m.MD.SetLocation(id, l)
		} else {
			p.m.MD.At(id).Distinct = true
		}
	}
	return id, p.prev, p.fault()
}

// DefineMetadata reads a definition: !7 = !{…}.
func (c *Context) DefineMetadata(text string) error {
	p := c.parser(text, &c.Module.Consts)
	if p.tok != '!' {
		p.error("expected a metadata node")
		return p.fault()
	}
	p.standaloneMetadata()
	return p.fault()
}

// MetadataNumbers returns what the numbers of metadata mean now, for
// RestoreMetadataNumbers: numbers that Machine IR defines hold for one function.
func (c *Context) MetadataNumbers() []ir.MDID { return append([]ir.MDID(nil), c.sh.numbered...) }

// RestoreMetadataNumbers takes back the definitions since MetadataNumbers.
func (c *Context) RestoreMetadataNumbers(n []ir.MDID) {
	c.sh.numbered = n
	clear(c.sh.mdSparse)
}

// Numbered returns the node !n, 0 when there is none.
func (c *Context) Numbered(n uint32) ir.MDID {
	if int(n) < len(c.sh.numbered) {
		return c.sh.numbered[n]
	}
	return c.sh.mdSparse[n]
}

// UndefinedMetadata returns the lowest number that is mentioned and has no definition.
func (c *Context) UndefinedMetadata() (n uint32, ok bool) {
	for _, u := range c.sh.mdFirst {
		if !ok || u.num < n {
			n, ok = u.num, true
		}
	}
	return n, ok
}

// GlobalNumbered returns the unnamed global @n, 0 when there is none.
func (c *Context) GlobalNumbered(n uint32) ir.GlobalID {
	if int64(n) < c.sh.globalNums.next() {
		return c.sh.globalNums.at(uint32(n))
	}
	return 0
}

// UpgradeDataLayout gives an older layout string what LLVM adds for a triple.
func UpgradeDataLayout(layout, triple string) string { return upgradeLayout(layout, triple) }
