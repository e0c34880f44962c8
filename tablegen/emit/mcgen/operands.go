package mcgen

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// operands reads the operand lists of an instruction.
func (s *Source) operands(in *inst) *diag.Diagnostic {
	for k, field := range [...]string{"OutOperandList", "InOperandList"} {
		d := in.rec.Dag(field)
		if d == nil {
			continue
		}
		for n, a := range d.Args {
			if err := s.operand(in, a, d.ArgNames[n], k == 0); err != nil {
				return err
			}
		}
	}
	return s.constraints(in)
}

// operand adds one declared operand.
func (s *Source) operand(in *inst, a tablegen.Init, name string, isDef bool) *diag.Diagnostic {
	at := in.rec.Loc
	var def *tablegen.Record
	var explicit []string
	switch a := a.(type) {
	case *tablegen.DefInit:
		def = a.Rec
	case *tablegen.DagInit: // (MemOp $base, $off):$addr names the parts
		op, ok := a.Op.(*tablegen.DefInit)
		if !ok {
			return s.rs.ErrorAt(at, fmt.Sprintf("operand '%s' of '%s': the operator of the dag is no record", name, in.rec.Name))
		}
		def, explicit = op.Rec, a.ArgNames
	default:
		return s.rs.ErrorAt(at, fmt.Sprintf("operand '%s' of '%s' is no record", name, in.rec.Name))
	}
	if def.Name == "variable_ops" {
		in.variadic = true
		return nil
	}
	g := group{name: name, def: def, first: len(in.ops), isDef: isDef}
	sub := def.Dag("MIOperandInfo")
	if sub == nil || len(sub.Args) == 0 {
		g.num = 1
		if len(explicit) > 0 {
			return s.rs.ErrorAt(at, fmt.Sprintf("operand '%s' of '%s' has no parts", name, in.rec.Name))
		}
		in.ops = append(in.ops, operand{name: name, def: def, group: len(in.groups), tied: -1})
		in.groups = append(in.groups, g)
		return nil
	}
	if len(explicit) > 0 && len(explicit) != len(sub.Args) {
		return s.rs.ErrorAt(at, fmt.Sprintf("operand '%s' of '%s' names %d parts of %d", name, in.rec.Name, len(explicit), len(sub.Args)))
	}
	g.num = len(sub.Args)
	for n, x := range sub.Args {
		part, ok := x.(*tablegen.DefInit)
		if !ok {
			return s.rs.ErrorAt(def.Loc, fmt.Sprintf("part %d of operand '%s' is no record", n, def.Name))
		}
		o := operand{sub: sub.ArgNames[n], def: part.Rec, group: len(in.groups), tied: -1}
		if o.name = name + "." + o.sub; len(explicit) > 0 && explicit[n] != "" {
			o.name = explicit[n]
		}
		in.ops = append(in.ops, o)
	}
	in.groups = append(in.groups, g)
	return nil
}

// constraints reads "$src = $dst, @earlyclobber $x".
func (s *Source) constraints(in *inst) *diag.Diagnostic {
	text := in.rec.String("Constraints")
	for _, c := range strings.Split(text, ",") {
		l, r, ok := strings.Cut(c, "=")
		if !ok {
			continue
		}
		a, okA := in.find(strings.TrimPrefix(strings.TrimSpace(l), "$"))
		b, okB := in.find(strings.TrimPrefix(strings.TrimSpace(r), "$"))
		if !okA || !okB {
			return s.rs.ErrorAt(in.rec.Loc, fmt.Sprintf("constraint '%s' of '%s' names an operand that is not there", strings.TrimSpace(c), in.rec.Name))
		}
		if a < b {
			a, b = b, a
		}
		in.ops[a].tied = b
	}
	return nil
}

// find finds an operand by name: the first part of a declared one, or a part.
func (in *inst) find(name string) (int, bool) {
	for k := range in.groups {
		if in.groups[k].name == name && name != "" {
			return in.groups[k].first, true
		}
	}
	for k := range in.ops {
		o := &in.ops[k]
		if name != "" && (o.name == name || o.sub != "" && in.groups[o.group].name+"."+o.sub == name) {
			return k, true
		}
	}
	return 0, false
}

// group finds a declared operand by name.
func (in *inst) group(name string) *group {
	for k := range in.groups {
		if in.groups[k].name == name {
			return &in.groups[k]
		}
	}
	return nil
}
