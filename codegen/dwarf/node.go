package dwarf

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// node is a specialized metadata node, by its number; the zero node is null.
type node struct {
	md *ir.MDTable
	*ir.MDNode
	id ir.MDID
}

func nodeAt(md *ir.MDTable, id ir.MDID) node {
	if id == 0 {
		return node{md: md}
	}
	n := md.At(id)
	if n == nil {
		return node{md: md}
	}
	return node{md, n, id}
}

func (n node) null() bool { return n.MDNode == nil }

// is reports a node of a class.
func (n node) is(class string) bool {
	return n.MDNode != nil && n.Kind == ir.MDSpecialized && n.Str == class
}

func (n node) field(name string) *ir.MDField {
	if n.MDNode == nil {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i]
		}
	}
	return nil
}

// has reports that a field is there.
func (n node) has(name string) bool { return n.field(name) != nil }

// ref is the node of a field, null without it.
func (n node) ref(name string) node {
	if f := n.field(name); f != nil && f.Kind == ir.MDFieldNode {
		return nodeAt(n.md, f.Node)
	}
	return node{md: n.md}
}

func (n node) str(name string) string {
	f := n.field(name)
	switch {
	case f == nil:
		return ""
	case f.Kind == ir.MDFieldNode:
		if s := n.md.At(f.Node); f.Node != 0 && s != nil && s.Kind == ir.MDString {
			return s.Str
		}
		return ""
	}
	return f.Str
}

// num is a field that is a number, 0 without it.
func (n node) num(name string) uint64 {
	f := n.field(name)
	if f == nil || f.Kind != ir.MDFieldInt && f.Kind != ir.MDFieldBool {
		return 0
	}
	return fieldValue(f)
}

func fieldValue(f *ir.MDField) uint64 {
	if f.Neg {
		return -f.Int
	}
	return f.Int
}

// flag is a field that is a truth value, def without it.
func (n node) flag(name string, def bool) bool {
	f := n.field(name)
	if f == nil {
		return def
	}
	return f.Int != 0
}

// word is a field of named numbers ("DW_TAG_member", "DIFlagPublic | DIFlagVector").
func (n node) word(name string, kind dwarfname.Kind) uint64 {
	f := n.field(name)
	if f == nil {
		return 0
	}
	if f.Kind != ir.MDFieldWord {
		return fieldValue(f)
	}
	return words(f.Str, kind)
}

func words(s string, kind dwarfname.Kind) (v uint64) {
	for s != "" {
		var w string
		w, s, _ = strings.Cut(s, "|")
		if x, ok := dwarfname.Number(kind, strings.TrimSpace(w)); ok {
			v |= x
		}
	}
	return v
}

// tag is the node's tag: of its field, or of its class.
func (n node) tag() uint16 {
	if n.MDNode == nil {
		return 0
	}
	if n.has("tag") {
		return uint16(n.word("tag", dwarfname.Tag))
	}
	return classTag(n.Str)
}

// list is the nodes of a field that is a list.
func (n node) list(name string) []ir.MDID {
	if l := n.ref(name); !l.null() {
		return l.Ops
	}
	return nil
}
