package giselpattern

import (
	"errors"
	"fmt"

	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
)

// result translates the root of a result.
func (s *source) result(n *dagpattern.Node) (globalisel.Value, error) {
	if n.IsLeaf() || !n.Op.IsSubClassOf("Instruction") {
		return s.copyRoot(n)
	}
	if len(s.x.DstRegs) > 0 {
		return nil, errors.New("the source sets a physical register")
	}
	inst := s.t.p.Inst(n.Op)
	srcs := len(s.x.Src.Types)
	if srcs > inst.NumDefs && srcs > 1 {
		return nil, fmt.Errorf("the source has %d results, %s %d", srcs, n.Op.Name, inst.NumDefs)
	}
	unused := srcs == 1 && len(s.x.Dst.Types) == 0 && s.rootUnused()
	if srcs == 1 && inst.NumDefs == 0 && !unused {
		return nil, errors.New("Dst pattern root has no result: it is an implicit definition")
	}
	d, err := s.instruction(n)
	if err != nil {
		return nil, err
	}
	// Registers that the source reads are set right before the root.
	for i := len(s.phys) - 1; i >= 0; i-- {
		p := s.phys[i]
		set := &globalisel.Dag{Op: s.t.def("set", "ResultOperator"), Args: []globalisel.Value{s.t.def(p.reg.Name, "Register"), nil}, Names: []string{"", p.name}}
		d.Args = append([]globalisel.Value{set}, d.Args...)
		d.Names = append([]string{""}, d.Names...)
	}
	if unused {
		none := &globalisel.Dag{Op: s.t.def("results", "ResultOperator")}
		return &globalisel.Dag{Op: s.t.def("Seq", "ResultOperator"), Args: []globalisel.Value{d, none}, Names: []string{"", ""}}, nil
	}
	return d, nil
}

// rootUnused reports whether the source demands that its value has no use.
func (s *source) rootUnused() bool {
	for _, c := range s.x.Src.Preds {
		if c.Pred.NoUse == dagpattern.Yes {
			return true
		}
	}
	return false
}

// copyRoot makes a copy for a result that is an operand.
func (s *source) copyRoot(n *dagpattern.Node) (globalisel.Value, error) {
	d := n.Def()
	if d != nil && d.IsSubClassOf("RegisterOperand") {
		d = d.DefField("RegClass")
	}
	if n.Name == "" || d == nil || !d.IsSubClassOf("RegisterClass") {
		return nil, errors.New("Dst pattern root isn't a known leaf or an instruction")
	}
	return &globalisel.Dag{Op: s.t.def("COPY_TO_REGCLASS", "ResultOperator"),
		Args: []globalisel.Value{nil, s.t.def(d.Name, "RegisterClass")}, Names: []string{n.Name, ""}}, nil
}

func (s *source) instruction(n *dagpattern.Node) (*globalisel.Dag, error) {
	t, inst := s.t, s.t.p.Inst(n.Op)
	class := "Instruction"
	switch n.Op.Name {
	case "REG_SEQUENCE":
		return s.regSequence(n)
	case "COPY_TO_REGCLASS", "EXTRACT_SUBREG", "INSERT_SUBREG", "SUBREG_TO_REG", "IMPLICIT_DEF":
		class = "ResultOperator"
	default:
		t.useAmbient(inst, s.phys)
	}
	d := &globalisel.Dag{Op: t.def(n.Op.Name, class)}
	add := func(k *dagpattern.Node) error {
		v, name, err := s.value(k)
		if err == nil {
			d.Args, d.Names = append(d.Args, v), append(d.Names, name)
		}
		return err
	}
	kid := 0
	optional := len(inst.Operands)
	for optional > inst.NumResults && len(t.p.Defaults(inst.Operands[optional-1].Rec)) > 0 {
		optional--
	}
	if class == "Instruction" {
		for i := inst.NumResults; i < len(inst.Operands); i++ {
			if def := t.p.Defaults(inst.Operands[i].Rec); len(def) > 0 && (i < optional || kid >= len(n.Kids)) {
				for _, k := range def {
					if err := add(k); err != nil {
						return nil, err
					}
				}
				continue
			}
			have := 0
			for parts := max(1, t.p.NumParts(inst.Operands[i].Rec)); have < parts && kid < len(n.Kids); kid++ {
				if err := add(n.Kids[kid]); err != nil {
					return nil, err
				}
				have += s.width(n.Kids[kid])
			}
		}
	}
	for ; kid < len(n.Kids); kid++ {
		if err := add(n.Kids[kid]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (s *source) width(k *dagpattern.Node) int {
	if c := s.t.p.ComplexOf(k); c != nil {
		return c.NumOperands
	}
	return 1
}

// useAmbient lets instructions read registers that the pattern does not set,
// as LLVM does: they are state of the machine.
func (t *translator) useAmbient(inst *dagpattern.Inst, set []physOperand) {
	for _, r := range inst.Record.DefList("Uses") {
		found := false
		for _, p := range set {
			found = found || p.reg == r
		}
		if !found {
			t.ambient[r.Name] = true
		}
	}
}

// regSequence inserts the parts one after the other.
func (s *source) regSequence(n *dagpattern.Node) (*globalisel.Dag, error) {
	out := &globalisel.Dag{Op: s.t.def("IMPLICIT_DEF", "ResultOperator")}
	for i := 1; i+1 < len(n.Kids); i += 2 {
		v, name, err := s.value(n.Kids[i])
		if err != nil {
			return nil, err
		}
		sub := n.Kids[i+1].Def()
		out = &globalisel.Dag{Op: s.t.def("INSERT_SUBREG", "ResultOperator"),
			Args: []globalisel.Value{out, v, s.t.def(sub.Name, "SubRegIndex")}, Names: []string{"", name, ""}}
	}
	return out, nil
}

// value translates an operand of a result.
func (s *source) value(n *dagpattern.Node) (globalisel.Value, string, error) {
	if n.Name != "" {
		if n.Op != nil && n.Op.Name == "fpimm" {
			return nil, "", fmt.Errorf("floating constant $%s as an operand", n.Name)
		}
		return nil, n.Name, nil
	}
	if v, ok := n.Int(); ok {
		return v, "", nil
	}
	if n.IsLeaf() {
		d := n.Def()
		for _, c := range []string{"Register", "SubRegIndex", "RegisterClass"} {
			if d != nil && d.IsSubClassOf(c) {
				return s.t.def(d.Name, c), "", nil
			}
		}
		if d != nil && d.IsSubClassOf("RegisterOperand") && d.DefField("RegClass").IsSubClassOf("RegisterClass") {
			return s.t.def(d.DefField("RegClass").Name, "RegisterClass"), "", nil
		}
		if d != nil && d.Name == "zero_reg" {
			return s.t.def("zero_reg", "Register"), "", nil
		}
		return nil, "", errors.New("Dst pattern child def is an unsupported tablegen class")
	}
	switch {
	case n.Op.IsSubClassOf("Instruction"):
		if s.t.p.Inst(n.Op).NumDefs == 0 {
			return nil, "", fmt.Errorf("%s makes no value", n.Op.Name)
		}
		d, err := s.instruction(n)
		return d, "", err
	case n.Op.IsSubClassOf("SDNodeXForm"):
		x := s.t.xforms[n.Op]
		if x == nil {
			return nil, "", fmt.Errorf("SDNodeXForm %s does not have GISel equivalent", n.Op.Name)
		}
		if len(n.Kids) != 1 || n.Kids[0].Name == "" {
			return nil, "", fmt.Errorf("SDNodeXForm %s of something without a name", n.Op.Name)
		}
		return &globalisel.Dag{Op: x, Args: []globalisel.Value{nil}, Names: []string{n.Kids[0].Name}}, "", nil
	}
	return nil, "", fmt.Errorf("%s cannot stand in a result", n.Op.Name)
}
