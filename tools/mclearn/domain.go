package main

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// domain is the values that an operand takes.
type domain struct {
	regs   []desc.PhysReg // of a register
	list   []int64        // of an immediate whose values follow no format
	format desc.ImmFormat // of one whose values do, after add
	add    int64          // value+add (or add-value) is of the format
	neg    bool
	// magnitude says that the format's least value is none: there is a bit for the sign.
	magnitude bool
	known     bool // learned, not guessed
	// decoded says that values come from what decodes to itself.
	decoded bool
}

// immCount is the number of immediates, at most limit+1.
func (d *domain) immCount(limit int) int {
	if d.list != nil {
		return len(d.list)
	}
	if d.format.Bits > 30 {
		return limit + 1
	}
	return min(limit+1, 1<<d.format.Bits)
}

// imm is immediate k of those of the domain.
func (d *domain) imm(k uint64) int64 {
	if d.list != nil {
		return d.list[k%uint64(len(d.list))]
	}
	f := d.format
	v := int64(k)
	if f.Bits < 64 {
		v &= 1<<f.Bits - 1
		if f.Signed {
			v = v << (64 - f.Bits) >> (64 - f.Bits)
		}
		if d.magnitude && v == -1<<(f.Bits-1) {
			v = 0
		}
	}
	v <<= f.Shift
	if d.neg {
		return d.add - v
	}
	return v - d.add
}

// inFormat reports that a value is of a format.
func inFormat(f desc.ImmFormat, v int64) bool {
	if v&(1<<f.Shift-1) != 0 {
		return false
	}
	v >>= f.Shift
	if f.Bits >= 64 {
		return true
	}
	if f.Signed && v < 0 {
		return v >= -1<<(f.Bits-1)
	}
	return v >= 0 && v < 1<<f.Bits && (!f.Signed || f.Either || v < 1<<(f.Bits-1))
}

// domains says which operands are registers, with their classes' members.
func (l *learner) domains(op desc.Opcode) []domain {
	ops := l.info.Operands(op)
	ops = ops[:len(ops)-l.without[op]]
	ds := make([]domain, len(ops))
	for k := range ops {
		c := l.info.OperandClass(op, k, l.mode)
		if c != desc.NoClass && int(c) < len(l.info.Classes) {
			ds[k].regs = l.info.ClassMembers(c)
			if ops[k].Flags&desc.OptionalDefOperand != 0 || ops[k].Flags&desc.PredicateOperand != 0 {
				ds[k].regs = append([]desc.PhysReg{0}, ds[k].regs...)
			}
		}
	}
	return ds
}

// guesses are immediates that most operands take.
var guesses = [...]int64{0, 1, 14, 2, 3, 4, 8, 16, 5, 7, 6, 12, 15, 24, 32, -1, -4, -8, 10, 64, 31, 76, 44}

// filling makes operands: from known domains, or by guess.
func (l *learner) filling(op desc.Opcode, ds []domain, try int) []operand {
	ops := l.info.Operands(op)
	out := make([]operand, len(ds))
	for k := range ds {
		d := &ds[k]
		if t := ops[k].TiedTo; t >= 0 && int(t) < k {
			out[k] = out[t]
			continue
		}
		switch {
		case !d.known && len(d.regs) == 0 && try%3 != 2 && l.predicate(op, k):
			out[k] = operand{kindImm, always}
		case len(d.regs) > 0:
			out[k] = operand{kindReg, int64(d.regs[l.rnd.IntN(len(d.regs))])}
		case d.known:
			out[k] = operand{kindImm, d.imm(l.rnd.Uint64())}
		case try == 0:
			out[k] = operand{kindImm, 0}
		case try < 3:
			out[k] = operand{kindImm, guesses[try]}
		default:
			out[k] = operand{kindImm, guesses[l.rnd.IntN(min(len(guesses), 2+try))]}
		}
	}
	l.agree(op, out)
	return out
}

// predicates are the numbers that PowerPC's conditions of branches have (LLVM's
// PPC::Predicate): what the branch looks for, and which of the four bits of a field.
func predicates() (out []int64) {
	for bit := range int64(4) {
		for _, how := range [...]int64{4, 12, 6, 14, 7, 15} {
			out = append(out, bit<<5|how)
		}
	}
	return out
}

// always is ARM's condition that holds always. A predicate is a condition and the
// flags it reads, which are no register with this one.
const always = 14

// predicate reports that operand k is a condition and the next one its flags.
func (l *learner) predicate(op desc.Opcode, k int) bool {
	ops := l.info.Operands(op)
	return k+1 < len(ops) && ops[k].Flags&desc.PredicateOperand != 0 && ops[k+1].Flags&desc.PredicateOperand != 0 &&
		l.info.OperandClass(op, k, l.mode) == desc.NoClass && l.info.OperandClass(op, k+1, l.mode) != desc.NoClass
}

// vectorPredicate reports that operand k is the first of a vector predicate of ARM's MVE: a
// number and two registers, none outside of blocks, which stand in no text of their own.
func (l *learner) vectorPredicate(op desc.Opcode, k int) bool {
	ops := l.info.Operands(op)
	t := ops[k].Type
	return (t == desc.FirstTargetOperandType || t == desc.FirstTargetOperandType+1) && k+2 < len(ops) && l.info.OperandClass(op, k, l.mode) == desc.NoClass &&
		strings.HasPrefix(l.info.OpcodeName(op), "MVE_")
}

// agree gives conditions the flags that they go with.
func (l *learner) agree(op desc.Opcode, ops []operand) {
	for k := range ops {
		if l.vectorPredicate(op, k) {
			ops[k], ops[k+1], ops[k+2] = operand{kindImm, 0}, operand{kindReg, 0}, operand{kindReg, 0}
		}
		if l.predicate(op, k) {
			ops[k+1] = operand{kindReg, 0}
			if m := l.info.ClassMembers(l.info.OperandClass(op, k+1, l.mode)); ops[k].val != always && len(m) > 0 {
				ops[k+1].val = int64(m[0])
			}
		}
	}
}

// tied reports an operand that equals another.
func (l *learner) tied(op desc.Opcode, k int) bool {
	ops := l.info.Operands(op)
	if ops[k].TiedTo >= 0 {
		return true
	}
	for j := range ops {
		if int(ops[j].TiedTo) == k {
			return true
		}
	}
	return false
}
