package regbank

import (
	"fmt"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
)

// Mapping is a way to place the operands of an instruction: Ops has the banks
// of its first operands, the last of them also that of all behind. Operands that
// are no registers have a place too.
type Mapping struct {
	Cost int
	Ops  []desc.BankID
}

// In is the mapping of cost 1 with operands in these banks.
func In(ops ...desc.BankID) Mapping { return Mapping{Cost: 1, Ops: ops} }

// Builder collects the banks and mappings of a target.
type Builder struct {
	// Banks are those of the facts, by number.
	Banks []Bank
	// Fast is the Table's.
	Fast bool

	copies  map[[2]desc.BankID]int
	classOf []Class
	classes [][]Mapping
	names   []struct {
		prefix string
		class  Class
	}
	single []intrinsicRow
}

// New begins a table whose default mapping has all operands in bank def.
func New(def desc.BankID, banks ...Bank) *Builder {
	return &Builder{Banks: banks, classes: [][]Mapping{{In(def)}}, copies: map[[2]desc.BankID]int{}}
}

// Copy says what copies between two banks cost; without it they cost 1.
func (b *Builder) Copy(from, to desc.BankID, cost int) { b.copies[[2]desc.BankID{from, to}] = cost }

// Class makes a class of mappings, the default one first.
func (b *Builder) Class(maps ...Mapping) Class {
	if len(b.classes) > 255 {
		panic("regbank: more than 256 classes of mappings")
	}
	b.classes = append(b.classes, maps)
	return Class(len(b.classes) - 1)
}

// Map gives opcodes mappings, the default one first.
func (b *Builder) Map(ops []desc.Opcode, maps ...Mapping) {
	c := b.Class(maps...)
	for _, op := range ops {
		for int(op) >= len(b.classOf) {
			b.classOf = append(b.classOf, 0)
		}
		if b.classOf[op] != 0 {
			panic(fmt.Sprintf("regbank: two mappings of opcode %d", op))
		}
		b.classOf[op] = c
	}
}

// Intrinsics gives the target's intrinsics whose names begin with "llvm." and a prefix ("x86.sse2.") mappings.
func (b *Builder) Intrinsics(prefix string, c Class) {
	b.names = append(b.names, struct {
		prefix string
		class  Class
	}{prefix, c})
}

// Intrinsic maps the intrinsics to a class, whose operand 1 is the intrinsic.
func (b *Builder) Intrinsic(c Class, list ...ir.Intrinsic) {
	for _, x := range list {
		b.single = append(b.single, intrinsicRow{x, x + 1, c})
	}
}

// Table flattens what was collected. It panics on mappings that name no bank.
func (b *Builder) Table() *Table {
	if len(b.Banks) > 64 {
		panic("regbank: more than 64 banks")
	}
	t := &Table{Fast: b.Fast, classOf: slices.Clone(b.classOf)}
	for _, k := range b.Banks {
		t.banks = append(t.banks, bankRow{uint32(k.Scalar), uint32(k.Pointer), uint32(k.Vector), uint32(k.Least), uint32(k.Not)})
	}
	for from := range b.Banks {
		for to := range b.Banks {
			cost, ok := b.copies[[2]desc.BankID{desc.BankID(from), desc.BankID(to)}]
			if !ok && from != to {
				cost = 1
			}
			t.copies = append(t.copies, uint8(min(cost, Impossible)))
		}
	}
	for _, maps := range b.classes {
		t.addClass(maps)
	}
	if max(len(t.maps), len(t.ops), len(t.wishes)) > 1<<16-1 {
		panic("regbank: more than 65535 mappings or operands of them")
	}
	t.intrins = append(t.intrins, b.single...)
	for _, n := range b.names {
		first, end := ir.TargetIntrinsics(n.prefix)
		t.intrins = append(t.intrins, intrinsicRow{first, end, n.class})
	}
	return t
}

func (t *Table) addClass(maps []Mapping) {
	row := classRow{first: uint16(len(t.maps)), n: uint16(len(maps)), wish: uint16(len(t.wishes))}
	most, ops := 0, 0
	for _, m := range maps {
		most, ops = max(most, m.Cost), max(ops, len(m.Ops))
	}
	for _, m := range maps {
		if len(m.Ops) == 0 || len(m.Ops) > 255 || m.Cost-most < -255 || m.Cost < 0 || m.Cost > 1<<16-1 {
			panic("regbank: a mapping without operands, with too many, or with a cost out of range")
		}
		t.maps = append(t.maps, mapRow{cost: uint16(m.Cost), first: uint16(len(t.ops)), n: uint8(len(m.Ops)), most: uint8(most - m.Cost)})
		for _, k := range m.Ops {
			if int(k) >= len(t.banks) || k < 0 {
				panic(fmt.Sprintf("regbank: no bank %d", k))
			}
			t.ops = append(t.ops, int8(k))
		}
	}
	c := Class(len(t.classes))
	t.classes = append(t.classes, row)
	for n := range ops {
		t.wishes = append(t.wishes, t.wishOf(c, n, ops))
	}
	groups := slices.DeleteFunc(slices.Clone(t.wishes[row.wish:]), func(w Wish) bool { return w > Same })
	slices.Sort(groups)
	if len(slices.Compact(groups)) > MaxGroups {
		panic("regbank: a class with too many groups of operands")
	}
	t.classes[c].nwish = uint16(ops)
	t.classes[c].plain = t.isPlain(c)
	t.classes[c].byType = t.isByType(c)
}

// wishOf derives what operand n of ops wants from the mappings of its class.
func (t *Table) wishOf(c Class, n, ops int) Wish {
	column := func(n int) (bs []desc.BankID) {
		for m := range t.NumMappings(c) {
			bs = append(bs, t.Bank(c, m, n))
		}
		return bs
	}
	own := column(n)
	if len(slices.Compact(slices.Clone(own))) == 1 {
		return Wish(own[0])
	}
	// The last column stands for any number of operands, which are together.
	alone := n != ops-1
	first := n
	for k := range ops {
		if k != n && slices.Equal(column(k), own) {
			alone = false
			first = min(first, k)
		}
	}
	if alone {
		return Neutral
	}
	return Same - Wish(first)
}
