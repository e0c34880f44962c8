package regbank

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// Bank says what one register of a bank holds at most, in bits; 0 is nothing of the kind.
type Bank struct {
	Scalar, Pointer, Vector int
	// Least is the least bits of a scalar, Not a width of scalars that is not held.
	Least, Not int
}

// Set is a set of banks.
type Set uint64

// Has reports whether b is in the set.
func (s Set) Has(b desc.BankID) bool { return s>>uint(b)&1 != 0 }

// Impossible is the cost of a copy that cannot be made.
const Impossible = 255

// PartialMapping says that Length bits of a value from bit Start lie in a register of Bank.
type PartialMapping struct {
	Start, Length int
	Bank          desc.BankID
}

// Class names the mappings of a kind of instructions; 0 is that of opcodes about which nothing is said.
type Class uint8

// Wish is what an operand wants: a bank (0 and above), or one of the values below.
type Wish int8

const (
	// Neutral operands are in any bank that their instruction has a mapping for.
	Neutral Wish = -1
	// Same operands, and others of the class with the same value, this or a lower one, are in one bank.
	Same Wish = -2
)

// MaxGroups is the most groups of operands that a class keeps together.
const MaxGroups = 4

type bankRow struct{ scalar, pointer, vector, least, not uint32 }

// classRow is a class: its mappings, and the wishes of its operands.
type classRow struct {
	first, n    uint16 // in maps
	wish, nwish uint16 // in wishes; the last is that of all operands behind
	plain       bool   // see Table.Plain
	byType      bool   // see Table.ByType
}

// mapRow is a mapping: the banks of its operands, the last of all operands behind.
type mapRow struct {
	cost    uint16
	first   uint16 // in ops
	n, most uint8  // most is the dearest mapping's cost of the class, less this one's
}

// intrinsicRow is a run of intrinsics, first…end-1.
type intrinsicRow struct {
	first, end ir.Intrinsic
	class      Class
}

// Table is the banks of a target. It is never changed once it is made.
type Table struct {
	// Fast says that registers get the bank of the default mapping where they
	// appear first, rather than the bank that makes the fewest copies.
	Fast bool

	banks   []bankRow
	copies  []uint8 // by from and to
	classOf []Class // by opcode
	classes []classRow
	maps    []mapRow
	ops     []int8
	wishes  []Wish
	intrins []intrinsicRow
}

// NumBanks is the number of banks.
func (t *Table) NumBanks() int { return len(t.banks) }

// ClassOf gives the mappings of an opcode.
func (t *Table) ClassOf(op desc.Opcode) Class {
	if int(op) < len(t.classOf) {
		return t.classOf[op]
	}
	return 0
}

// ClassOfIntrinsic gives the mappings of an intrinsic: those of the first prefix that its name has.
func (t *Table) ClassOfIntrinsic(x ir.Intrinsic) Class {
	for _, r := range t.intrins {
		if r.first <= x && x < r.end {
			return r.class
		}
	}
	return 0
}

// NumMappings is the number of mappings of a class; mapping 0 is the default one.
func (t *Table) NumMappings(c Class) int { return int(t.classes[c].n) }

// Cost is the cost of mapping m of a class.
func (t *Table) Cost(c Class, m int) int { return int(t.maps[int(t.classes[c].first)+m].cost) }

// Saves is how much cheaper mapping m is than the dearest of its class.
func (t *Table) Saves(c Class, m int) int { return int(t.maps[int(t.classes[c].first)+m].most) }

// Bank gives the bank of operand n in mapping m of a class.
func (t *Table) Bank(c Class, m, n int) desc.BankID {
	r := &t.maps[int(t.classes[c].first)+m]
	return desc.BankID(t.ops[int(r.first)+min(n, int(r.n)-1)])
}

// Wish gives what operand n of a class wants.
func (t *Table) Wish(c Class, n int) Wish {
	r := &t.classes[c]
	return t.wishes[int(r.wish)+min(n, int(r.nwish)-1)]
}

// Plain reports a class that never takes registers out of the default bank,
// bank 0 of mapping 0 of class 0: no operand wants another one more, and with all
// of them there its default mapping is the cheapest and leaves them there.
func (t *Table) Plain(c Class) bool { return t.classes[c].plain }

// ByType reports a class with a mapping to a bank that does not hold every narrow
// type: the types of the operands may leave no choice.
func (t *Table) ByType(c Class) bool { return t.classes[c].byType }

// isByType computes ByType.
func (t *Table) isByType(c Class) bool {
	for n := range int(t.classes[c].nwish) {
		for m := range t.NumMappings(c) {
			if t.NumMappings(c) > 1 && t.banks[t.Bank(c, m, n)].least > 0 {
				return true
			}
		}
	}
	return false
}

// isPlain computes Plain.
func (t *Table) isPlain(c Class) bool {
	def := t.Bank(0, 0, 0)
	ops := int(t.classes[c].nwish)
	for n := range ops {
		if w := t.Wish(c, n); t.Bank(c, 0, n) != def || w >= 0 && desc.BankID(w) != def {
			return false
		}
		for m := range t.NumMappings(c) {
			if t.Bank(c, m, n) != def && t.Saves(c, m) != 0 {
				return false
			}
		}
	}
	for m := range t.NumMappings(c) {
		if t.Cost(c, m) < t.Cost(c, 0) {
			return false
		}
	}
	return true
}

// CopyCost is what a copy from one bank to another costs, 0 within a bank.
func (t *Table) CopyCost(from, to desc.BankID) int {
	return int(t.copies[int(from)*len(t.banks)+int(to)])
}

// limit is the most bits of a type that one register of a bank holds.
func (t *Table) limit(b desc.BankID, ty mir.LLT) int {
	r := &t.banks[b]
	switch {
	case ty.IsVector():
		return int(r.vector)
	case ty.IsPointer():
		return int(r.pointer)
	case ty.Bits() < int(r.least), r.not != 0 && ty.Bits() == int(r.not):
		return 0
	}
	return int(r.scalar)
}

// Holds reports whether one register of a bank holds values of a type.
func (t *Table) Holds(b desc.BankID, ty mir.LLT) bool { return ty.Bits() <= t.limit(b, ty) }

// Holding is the set of banks that hold values of a type in one register.
func (t *Table) Holding(ty mir.LLT) Set {
	var s Set
	for b := range t.banks {
		if t.Holds(desc.BankID(b), ty) {
			s |= 1 << b
		}
	}
	return s
}

// All is the set of all banks.
func (t *Table) All() Set { return 1<<len(t.banks) - 1 }

// Break is the number of registers of a bank that a value of a type lies in and
// the type of each part; 0 when it cannot lie there.
func (t *Table) Break(b desc.BankID, ty mir.LLT) (n int, part mir.LLT) {
	l := t.limit(b, ty)
	switch {
	case ty.Bits() <= l:
		return 1, ty
	case ty.IsScalar() && l > 0 && ty.Bits()%l == 0:
		return ty.Bits() / l, mir.Scalar(l)
	case ty.IsVector() && l > 0 && l%ty.ScalarBits() == 0 && ty.Bits()%l == 0:
		if e := l / ty.ScalarBits(); e > 1 {
			return ty.Bits() / l, mir.Vector(e, ty.Elem())
		}
		return ty.NumElems(), ty.Elem()
	}
	return 0, 0
}

// ValueMapping appends the parts of a value of a type in a bank, low first; none when it cannot lie there.
func (t *Table) ValueMapping(out []PartialMapping, b desc.BankID, ty mir.LLT) []PartialMapping {
	n, part := t.Break(b, ty)
	for k := range n {
		out = append(out, PartialMapping{Start: k * part.Bits(), Length: part.Bits(), Bank: b})
	}
	return out
}

// OfClass gives the bank that covers a register class, desc.NoBank for none.
func (t *Table) OfClass(facts *desc.Info, c desc.ClassID) desc.BankID {
	for b := range min(len(t.banks), len(facts.Banks)) {
		if facts.BankCovers(desc.BankID(b), c) {
			return desc.BankID(b)
		}
	}
	return desc.NoBank
}

// OfPhys gives the bank that covers a class of a physical register, desc.NoBank for none.
func (t *Table) OfPhys(facts *desc.Info, r desc.PhysReg) desc.BankID {
	for b := range min(len(t.banks), len(facts.Banks)) {
		for c := range facts.Classes {
			if facts.BankCovers(desc.BankID(b), desc.ClassID(c)) && facts.ClassContains(desc.ClassID(c), r) {
				return desc.BankID(b)
			}
		}
	}
	return desc.NoBank
}
