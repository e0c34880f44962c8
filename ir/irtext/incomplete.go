package irtext

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
)

// Options.AllowIncomplete: what is used and not defined is declared, or taken
// out where it is metadata. The text is read once to learn what is missing,
// and a second time with definitions behind it.

// missing is what a text uses and does not define.
type missing struct {
	uses []missingGlobal
	md   map[uint32]int // offset of the first use of a node
}

// missingGlobal is a use; fn is the function type of a call, 0 for another use.
type missingGlobal struct {
	name string
	off  int
	typ  ir.Type // the pointer type that the use asks for
	fn   ir.Type
}

// marker is the string in the node that stands for one that is not defined.
// The node comes first in itself: so it is no TBAA tag of old.
const (
	marker        = "\x00mirin: undefined"
	printedMarker = "\\00mirin: undefined"
)

// parseIncomplete reads a module in which declarations and metadata may be missing.
func parseIncomplete(name, src string, opts Options) (*ir.Module, *shared, error) {
	opts.Jobs, opts.missing = 1, &missing{md: map[uint32]int{}}
	m, sh, err := parse(name, src, opts)
	if err == nil || sh == nil {
		return m, nil, err
	}
	more := opts.missing.definitions(sh)
	if more == "" {
		return nil, nil, err
	}
	md := opts.missing.md
	opts.missing = nil
	m, sh, err = parse(name, src+more, opts)
	if err != nil {
		return nil, nil, err
	}
	if len(md) > 0 {
		dropMarkers(m)
		// A node that something else refers to cannot be taken out.
		if _, rest, ok := bytes.Cut(AppendModule(nil, m), []byte(printedMarker+"\", !\"")); ok {
			num, _, _ := bytes.Cut(rest, []byte("\""))
			n, _ := strconv.Atoi(string(num))
			return nil, nil, diag.At(name, []byte(src), md[uint32(n)], "use of undefined metadata '!"+strconv.Itoa(n)+"'")
		}
	}
	return m, sh, nil
}

// noteGlobal notes a use of a global that is not defined.
func (p *parser) noteGlobal(name string, off int, typ ir.Type) {
	if w := p.opts.missing; w != nil {
		w.uses = append(w.uses, missingGlobal{name: name, off: off, typ: typ})
	}
}

// noteCall notes that the use at off is a call.
func (p *parser) noteCall(off int, fn ir.Type) {
	if w := p.opts.missing; w != nil {
		for i := range w.uses {
			if w.uses[i].off == off {
				w.uses[i].fn = fn
			}
		}
	}
}

// noteLate notes a node that a function uses and that is not defined.
func (p *parser) noteLate(off, rank int, key string) {
	if w := p.opts.missing; w != nil && rank == rankMetadata {
		if n, err := strconv.ParseUint(key[1:], 10, 32); err == nil {
			w.note(uint32(n), off)
		}
	}
}

func (w *missing) note(n uint32, off int) {
	if _, ok := w.md[n]; !ok {
		w.md[n] = off
	}
}

// definitions writes what is missing.
func (w *missing) definitions(sh *shared) string {
	for _, f := range sh.fwdList {
		if f.id == 0 && f.named {
			w.uses = append(w.uses, missingGlobal{name: f.name, off: f.off, typ: f.typ})
		}
	}
	for _, u := range sh.mdFirst {
		w.note(u.num, u.off)
	}
	slices.SortStableFunc(w.uses, func(a, b missingGlobal) int { return strings.Compare(a.name, b.name) })
	b := []byte("\n")
	p := &parser{shared: sh}
	for i := 0; i < len(w.uses); {
		u := w.uses[i]
		if strings.HasPrefix(u.name, "llvm.") {
			return "" // never declared
		}
		same := true
		for ; i < len(w.uses) && w.uses[i].name == u.name; i++ {
			same = same && w.uses[i].fn == u.fn
		}
		space := ""
		if as := sh.t.AddrSpace(u.typ); as != 0 {
			space = " addrspace(" + strconv.Itoa(int(as)) + ")"
		}
		if u.fn != 0 && same {
			b = append(b, "declare "+p.typeString(sh.t.Result(u.fn))+" @"...)
			b = ir.AppendName(b, u.name)
			b = append(b, '(')
			for k, t := range sh.t.Subtypes(u.fn) {
				if k > 0 {
					b = append(b, ", "...)
				}
				b = append(b, p.typeString(t)...)
			}
			if sh.t.IsVarArg(u.fn) {
				if len(sh.t.Subtypes(u.fn)) > 0 {
					b = append(b, ", "...)
				}
				b = append(b, "..."...)
			}
			b = append(b, ")"+space+"\n"...)
			continue
		}
		b = append(b, '@')
		b = ir.AppendName(b, u.name)
		b = append(b, " = external"+space+" global i8\n"...)
	}
	nums := make([]uint32, 0, len(w.md))
	for n := range w.md {
		nums = append(nums, n)
	}
	slices.Sort(nums)
	for _, n := range nums {
		s := strconv.Itoa(int(n))
		b = append(b, "!"+s+" = distinct !{!"+s+", !\""+printedMarker+"\", !\""+s+"\"}\n"...)
	}
	if len(b) == 1 {
		return ""
	}
	return string(b)
}

// dropMarkers takes out what refers to nodes that are not defined.
func dropMarkers(m *ir.Module) {
	gone := map[ir.MDID]bool{}
	for i := 1; i < m.MD.Len(); i++ {
		n := m.MD.At(ir.MDID(i))
		if n != nil && n.Kind == ir.MDTuple && n.Distinct && len(n.Ops) == 3 && n.Ops[1] != 0 && m.MD.At(n.Ops[1]).Str == marker {
			gone[ir.MDID(i)] = true
		}
	}
	for _, g := range m.Globals[1:] {
		g.MD = slices.DeleteFunc(g.MD, func(a ir.Attachment) bool { return gone[a.Node] })
		if g.Func != nil {
			dropInBody(g.Func, gone)
		}
	}
}

func dropInBody(f *ir.Function, gone map[ir.MDID]bool) {
	records := func(head *uint32) {
		for r := head; *r != 0; {
			d := &f.DbgRecords[*r]
			if gone[d.Loc] || slices.ContainsFunc(d.Args[:], func(id ir.MDID) bool { return gone[id] }) {
				*r = d.Next
				continue
			}
			r = &d.Next
		}
	}
	for _, b := range f.Order {
		records(&f.Blocks[b].Records)
		for i := f.Blocks[b].First; i != 0; {
			in := &f.Instrs[i]
			next := in.Next
			records(&in.Records)
			if gone[in.Loc] {
				in.Loc = 0
			}
			f.DeleteAttachments(i, func(a *ir.Attachment) bool { return gone[a.Node] })
			for _, v := range f.Ops(i) {
				if v.Tag() == ir.TagMetadata && gone[v.MD()] && in.Type == ir.Void && in.Records == 0 {
					f.Remove(i)
					f.ValueNames[i] = ""
					break
				}
			}
			i = next
		}
	}
}
