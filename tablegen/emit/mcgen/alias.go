package mcgen

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// alias is an InstAlias: another text for an instruction with some operands given.
type alias struct {
	rec *tablegen.Record
	in  *inst
	ops []aliasOp // one for each MC operand of in
}

type aliasKind uint8

const (
	aliasOperand aliasKind = iota // an operand that the text names
	aliasReg                      // a register
	aliasImm                      // a number
	aliasTied                     // what the operand is that it is tied to
	aliasPart                     // a further part of a compound operand
)

// aliasOp is what an alias says about one MC operand.
type aliasOp struct {
	kind aliasKind
	name string           // in the alias's text
	def  *tablegen.Record // class or operand that the alias names
	reg  desc.PhysReg
	imm  int64
}

// instAlias reads an InstAlias.
func (s *Source) instAlias(r *tablegen.Record) (*alias, bool) {
	d := r.Dag("ResultInst")
	if d == nil {
		s.errorf(r.Loc, "result of inst alias should be an instruction")
		return nil, false
	}
	op, ok := d.Op.(*tablegen.DefInit)
	if !ok || !op.Rec.IsSubClassOf("Instruction") {
		s.errorf(r.Loc, "result of inst alias should be an instruction")
		return nil, false
	}
	in := s.byRec[op.Rec]
	if in == nil {
		s.errorf(r.Loc, "'%s' is no instruction of the target", op.Rec.Name)
		return nil, false
	}
	a := &alias{rec: r, in: in, ops: make([]aliasOp, len(in.Ops))}
	arg := 0
	for gi := range in.Groups {
		g := &in.Groups[gi]
		if in.Ops[g.First].TiedTo >= 0 && g.Num == 1 {
			a.ops[g.First] = aliasOp{kind: aliasTied}
			continue
		}
		if arg >= len(d.Args) {
			s.errorf(r.Loc, "not enough arguments for instruction!")
			return nil, false
		}
		if g.Num > 1 {
			if x, ok := d.Args[arg].(*tablegen.DefInit); ok && x.Rec == g.Def {
				a.ops[g.First] = aliasOp{name: d.ArgNames[arg], def: g.Def}
				for k := 1; k < g.Num; k++ {
					a.ops[g.First+k] = aliasOp{kind: aliasPart}
				}
				arg++
				continue
			}
		}
		for k := g.First; k < g.First+g.Num; k++ {
			if in.Ops[k].TiedTo >= 0 {
				a.ops[k] = aliasOp{kind: aliasTied}
				continue
			}
			if arg >= len(d.Args) {
				s.errorf(r.Loc, "not enough arguments for instruction!")
				return nil, false
			}
			x, ok := s.aliasArg(r, in, k, d.Args[arg], d.ArgNames[arg])
			if !ok {
				return nil, false
			}
			a.ops[k] = x
			arg++
		}
	}
	if arg != len(d.Args) {
		s.errorf(r.Loc, "too many operands for instruction!")
		return nil, false
	}
	return a, true
}

// aliasArg reads one argument of the result.
func (s *Source) aliasArg(r *tablegen.Record, in *inst, k int, x tablegen.Init, name string) (aliasOp, bool) {
	def := in.Ops[k].Def
	class, isReg := s.regClass(def)
	if v, ok := tablegen.IntValue(x); ok {
		if isReg {
			s.errorf(r.Loc, "invalid argument #%d of result '%s': a number where a register of class %s stands", k, in.Rec.Name, def.Name)
			return aliasOp{}, false
		}
		return aliasOp{kind: aliasImm, imm: v}, true
	}
	d, ok := x.(*tablegen.DefInit)
	if !ok {
		s.errorf(r.Loc, "result of inst alias has operand #%d that is neither a record nor a number", k)
		return aliasOp{}, false
	}
	if reg, ok := s.register(d.Rec); ok {
		hw := def
		if hw.IsSubClassOf("RegisterOperand") {
			hw = hw.DefField("RegClass")
		}
		if hw != nil && hw.IsSubClassOf("RegClassByHwMode") {
			s.errorf(r.Loc, "cannot resolve HwMode for %s", hw.Name)
			return aliasOp{}, false
		}
		if reg != 0 && isReg && class != desc.NoClass && !s.info.ClassContains(class, reg) {
			s.errorf(r.Loc, "fixed register %s is not a member of the %s register class!", d.Rec.Name, s.info.RegClassName(class))
			return aliasOp{}, false
		}
		return aliasOp{kind: aliasReg, reg: reg}, true
	}
	argClass, argIsReg := s.regClass(d.Rec)
	if argIsReg != isReg {
		s.errorf(r.Loc, "result operand '%s' of '%s' does not fit '%s'", d.Rec.Name, in.Rec.Name, def.Name)
		return aliasOp{}, false
	}
	if argIsReg && argClass != desc.NoClass && class != desc.NoClass && !s.info.HasSubClassEq(class, argClass) {
		s.errorf(r.Loc, "result register class %s is not a sub-class of %s", d.Rec.Name, def.Name)
		return aliasOp{}, false
	}
	return aliasOp{name: name, def: d.Rec}, true
}

// ref finds the operand that the alias's text names.
func (a *alias) ref(name string) (operandRef, bool) {
	for k := range a.ops {
		if a.ops[k].kind == aliasOperand && a.ops[k].name == name && name != "" {
			return operandRef{k, a.ops[k].def}, true
		}
	}
	return operandRef{}, false
}
