package code

import "encoding/binary"

// formats says what follows each instruction: v a matched value, o an opcode,
// t a type, i an instruction, r a register, n a name, p a predicate, c a
// complex pattern, x a transformation, f a feature, u a rule, S a slot, d a
// count that does not matter, s a signed number, L a list of values, E a list
// of sources, e one source, T a list of types.
var formats = [128]string{
	Operand: "vvd", CheckOpcode: "vo", CheckType: "vt", CheckResult: "vdt", CheckInt: "vs", CheckIntrinsic: "vn", CheckCond: "vn",
	CheckVT: "vt", CheckAndImm: "vsv", CheckOrImm: "vsv", CheckOnes: "v", CheckZeros: "v", CheckSame: "vv", CheckFold: "v",
	CheckPred: "vpL", CheckFeature: "f", CheckComplex: "Svc", Accept: "u", Reject: "",
	Chains: "L", Glue: "v", MemRef: "v", Int: "st", Reg: "rt", Class: "n", SubReg: "n", Const: "v", Xform: "ex", CopyToReg: "er",
	Node: "iddTE", Done: "E",
}

// verifier walks the code once.
type verifier struct {
	t     *Table
	pc    int
	bad   bool
	temps int
	start map[int]bool // where instructions begin
	jumps []int
	// limits has, by the letter of formats, how many there are of what an operand numbers.
	limits [128]int
}

func (v *verifier) num() int {
	x, n := binary.Uvarint(v.t.Code[v.pc:])
	if n <= 0 || x > 1<<62 {
		v.bad = true
		return 0
	}
	v.pc += n
	return int(x)
}

func (v *verifier) below(n int) {
	if x := v.num(); x >= n {
		v.bad = true
	}
}

// Verify checks that the interpreter can run a table without leaving it.
func Verify(t *Table) error {
	v := &verifier{t: t, start: map[int]bool{}, limits: [128]int{
		'v': MaxValues, 'S': MaxSlots, 'o': len(t.Opcodes), 't': len(t.Types), 'i': len(t.Insts), 'r': len(t.Regs), 'n': len(t.Names),
		'p': len(t.Preds), 'c': len(t.Complex), 'x': len(t.Xforms), 'f': len(t.Features), 'u': len(t.Rules),
	}}
	var ends []int
	last := Reject
	for v.pc < len(t.Code) && !v.bad {
		for len(ends) > 0 && ends[len(ends)-1] <= v.pc {
			v.bad = v.bad || ends[len(ends)-1] != v.pc || last != Done && last != Reject
			ends = ends[:len(ends)-1]
		}
		v.start[v.pc] = true
		op := Op(t.Code[v.pc])
		v.pc++
		if last == Done {
			v.temps = 0
		}
		last = op
		switch {
		case op == Try:
			n := v.num()
			end := v.pc + n
			if n == 0 || end >= len(t.Code) || len(ends) > 0 && end > ends[len(ends)-1] || len(ends)+1 >= MaxTries {
				v.bad = true
			}
			ends = append(ends, end)
		case op == SwitchType:
			v.switchType()
		case op < 128 && (formats[op] != "" || op == Reject):
			v.operands(formats[op])
			if op == Int || op == Reg || op == Class || op == SubReg || op == Const || op == Xform {
				v.temps++
			}
		default:
			v.bad = true
		}
	}
	if last != Done && last != Reject || len(ends) > 0 {
		v.bad = true
	}
	for _, r := range t.Roots {
		v.jumps = append(v.jumps, int(r.Offset))
	}
	for _, j := range v.jumps {
		v.bad = v.bad || !v.start[j]
	}
	if v.bad {
		return ErrFormat
	}
	return nil
}

func (v *verifier) switchType() {
	v.below(MaxValues)
	n := v.num()
	var offs []int
	for ; n > 0 && !v.bad; n-- {
		v.below(len(v.t.Types))
		offs = append(offs, v.num())
	}
	for _, o := range offs {
		v.jumps = append(v.jumps, v.pc+o)
	}
}

func (v *verifier) operands(f string) {
	made := 0
	for _, k := range f {
		switch k {
		case 'd':
			v.num()
		case 's':
			if _, n := binary.Uvarint(v.t.Code[v.pc:]); n > 0 {
				v.pc += n
			} else {
				v.bad = true
			}
		case 'L':
			for n := v.num(); n > 0 && !v.bad; n-- {
				v.below(MaxValues)
			}
		case 'T':
			made = v.num()
			for i := 0; i < made && !v.bad; i++ {
				v.below(len(v.t.Types))
			}
		case 'e':
			v.source()
		case 'E':
			for n := v.num(); n > 0 && !v.bad; n-- {
				v.source()
			}
		default:
			v.below(v.limits[k])
		}
		if v.bad {
			return
		}
	}
	v.temps += made // after the operands are read
}

func (v *verifier) source() {
	switch v.num() {
	case SrcValue:
		v.below(MaxValues)
	case SrcTemp:
		v.below(v.temps)
	case SrcSlot:
		v.below(MaxSlots)
	case SrcPart:
		v.below(MaxSlots)
		v.num()
	default:
		v.bad = true
	}
}
