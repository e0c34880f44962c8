package globalisel

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
)

// Orderings of atomic accesses are numbered as in package ir: 0 not atomic, 1
// unordered, 2 monotonic, 4 acquire, 5 release, 6 both, 7 sequentially
// consistent. Masks have a bit for each.
const (
	notAtomic = 1
	anyAtomic = 1<<1 | 1<<2 | 1<<4 | 1<<5 | 1<<6 | 1<<7
)

// ordering gives the mask of an ordering of a fragment.
func ordering(name string) int64 {
	switch name {
	case "Monotonic":
		return 1 << 2
	case "Acquire":
		return 1 << 4
	case "Release":
		return 1 << 5
	case "AcquireRelease":
		return 1 << 6
	case "SequentiallyConsistent":
		return 1 << 7
	case "AcquireOrStronger":
		return 1<<4 | 1<<6 | 1<<7
	case "ReleaseOrStronger":
		return 1<<5 | 1<<6 | 1<<7
	}
	return 0
}

// extensions are what predicates of loads and stores say together.
type extensions struct{ sext, zext, anyext, trunc bool }

// preds turns the predicates of a node into tests of the generic instruction
// that e names; the instruction depends on them.
func (s *source) preds(t *tree, n *dagpattern.Node, e *equiv) error {
	in := t.node
	first := len(in.opcodes) == 0
	if e.nonAtomic {
		in.memOrder = notAtomic
	} else if e.atomic {
		in.memOrder = anyAtomic
	}
	var ext extensions
	for _, c := range n.Preds {
		if err := s.pred(t, c, &ext, first); err != nil {
			return err
		}
	}
	if (ext.anyext || ext.sext || ext.zext || ext.trunc) && in.memBits <= 0 {
		return fmt.Errorf("%s of a size that is not stated", n.Op.Name)
	}
	return s.opcode(in, n, e, ext)
}

// pred adds one predicate.
func (s *source) pred(t *tree, c dagpattern.PredCall, ext *extensions, first bool) error {
	in, p := t.node, c.Pred
	bad := fmt.Errorf("Src pattern child has predicate (%s)", p.Record.Name)
	hook := ""
	switch {
	case c.Scope != 0 || p.ImmCode != "" || p.MinAlign > 0 || p.ScalarMemVT >= 0 || p.Conds != nil || len(p.AddrSpaces) > 1:
		return bad
	case p.GISelCode != "":
		hook = p.HookName(p.GISelCode)
	case p.Code != "":
		// C++ over a DAG has no meaning here; a name is a Go function for both.
		if hook = p.HookName(p.Code); hook != p.Code {
			return bad
		}
	}
	if hook != "" && first {
		t.hooks = append(t.hooks, hook)
	}
	in.noUse = in.noUse || p.NoUse == dagpattern.Yes
	in.oneUse = in.oneUse || p.OneUse == dagpattern.Yes
	ext.sext = ext.sext || p.SignExt == dagpattern.Yes
	ext.zext = ext.zext || p.ZeroExt == dagpattern.Yes
	ext.anyext = ext.anyext || p.AnyExt == dagpattern.Yes
	ext.trunc = ext.trunc || p.TruncStore == dagpattern.Yes
	if p.NonExt == dagpattern.Yes || p.TruncStore == dagpattern.No {
		in.memBits = 0
	}
	if p.MemVT >= 0 {
		size, _, _, _ := s.g.p.TypeShape(p.MemVT)
		in.memBits = int64(size)
	}
	if len(p.AddrSpaces) == 1 {
		in.memSpace = p.AddrSpaces[0]
	}
	if p.Ordering != "" {
		name, not := strings.CutPrefix(p.Ordering, "!")
		m := ordering(name)
		if not {
			m = (anyAtomic | notAtomic) &^ m
		}
		if in.memOrder == 0 {
			in.memOrder = anyAtomic | notAtomic
		}
		if in.memOrder &= m; in.memOrder == 0 {
			return bad
		}
	}
	return nil
}

// opcode chooses the generic instruction of a node.
func (s *source) opcode(in *node, n *dagpattern.Node, e *equiv, ext extensions) error {
	name := e.op
	switch {
	case ext.sext:
		name = e.sext
	case ext.zext:
		name = e.zext
	case e.float != "" && len(n.Kids) > 0 && s.isFloat(n.Kids[0]):
		name = e.float
	}
	if x := s.g.p.IntrinsicOf(n); x != nil && e.convergent != "" {
		for _, q := range x.Record.DefList("IntrProperties") {
			if q.Name == "IntrConvergent" {
				name = e.convergent
			}
		}
	}
	if name == "" {
		return fmt.Errorf("no generic instruction for %s with these predicates", n.Op.Name)
	}
	op, ok := s.g.info.OpcodeByName(name)
	if !ok {
		return fmt.Errorf("opcode %s is not known", name)
	}
	in.opcodes = append(in.opcodes, op)
	return nil
}
