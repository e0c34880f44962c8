package targetinfo

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// pool keeps each different list once.
type pool[T ~uint8 | ~uint16 | ~int16 | ~uint32 | ~uint64] struct {
	data []T
	seen map[string]uint32
}

func (p *pool[T]) add(l []T) uint32 {
	if len(l) == 0 {
		return 0
	}
	key := make([]byte, 0, 8*len(l))
	for _, v := range l {
		key = binary.LittleEndian.AppendUint64(key, uint64(v))
	}
	if at, ok := p.seen[string(key)]; ok {
		return at
	}
	if p.seen == nil {
		p.seen = map[string]uint32{}
	}
	at := uint32(len(p.data))
	p.seen[string(key)] = at
	p.data = append(p.data, l...)
	return at
}

// name keeps a string among the names.
func (b *builder) name(s string) desc.Name {
	const most = 511
	if len(s) > most {
		s = s[:most]
	}
	if s == "" {
		return 0
	}
	if n, ok := b.nameOffs[s]; ok {
		return n
	}
	n := desc.MakeName(len(b.names), len(s))
	b.names = append(b.names, s...)
	b.nameOffs[s] = n
	return n
}

// layout holds the pools that several tables share.
type layout struct {
	diffs      pool[int16]
	lanes      pool[uint64]
	regLists   pool[uint16]
	subIdx     pool[uint16]
	types      pool[uint16]
	classBits  pool[uint32]
	maskBits   pool[uint32]
	pressure   pool[uint16]
	implicit   pool[uint16]
	featureSet pool[uint64]
}

// convert changes the type of a pool's elements.
func convert[T, F ~uint8 | ~uint16 | ~int16 | ~uint32 | ~uint64](l []F) []T {
	out := make([]T, len(l))
	for i, v := range l {
		out[i] = T(v)
	}
	return out
}

func (b *builder) diff(r *tablegen.Record, to, from int) int16 {
	d := to - from
	if d < math.MinInt16 || d > math.MaxInt16 {
		b.fail(r, "", "'%s' is %d registers away from what it is a part of; the tables hold 32767", r.Name, d)
	}
	return int16(d)
}

func (b *builder) layoutRegisters() {
	in, l := b.t.Info, &b.lay
	in.Regs = make([]desc.RegDesc, len(b.regs)+1)
	in.Regs[0].Name = b.name("NoRegister")
	allocatable := make([]bool, len(b.regs)+1)
	for _, c := range b.classes {
		for _, r := range c.members {
			allocatable[r.num] = allocatable[r.num] || c.allocatable
		}
	}
	for _, r := range b.regs {
		d := &in.Regs[r.num]
		d.Name = b.name(r.name)
		var subs, supers, units []int16
		var idx []uint16
		for _, s := range r.preOrder() {
			subs = append(subs, b.diff(r.rec, s.num, r.num))
			x := r.idxOf[s]
			if x == nil {
				b.fail(r.rec, "SubRegs", "'%s' in '%s' has no sub-register index", s.name, r.name)
				return
			}
			idx = append(idx, uint16(x.num))
		}
		for _, s := range r.supers {
			supers = append(supers, b.diff(r.rec, s.num, r.num))
		}
		first := 0
		if len(r.native) > 0 {
			first = r.native[0]
		}
		for _, u := range r.native {
			units = append(units, b.diff(r.rec, u, first))
		}
		d.SubRegs, d.NumSubRegs = l.diffs.add(subs), uint16(len(subs))
		d.SubIdx = l.subIdx.add(idx)
		d.SuperRegs, d.NumSuperRegs = l.diffs.add(supers), uint16(len(supers))
		d.Units, d.NumUnits, d.FirstUnit = l.diffs.add(units), uint16(len(units)), desc.RegUnit(first)
		d.UnitLanes = l.lanes.add(convert[uint64](r.lanes))
		d.Encoding = uint16(r.rec.Int("HWEncoding"))
		if c := r.rec.List("CostPerUse"); len(c) > 0 {
			v, _ := tablegen.IntValue(c[0])
			d.Cost = uint8(v)
		}
		if r.constant {
			d.Flags |= desc.RegConstant
		}
		if r.artificial {
			d.Flags |= desc.RegArtificial
		}
		if allocatable[r.num] {
			d.Flags |= desc.RegInAllocatableSet
		}
	}
	if b.native >= 1<<16 {
		b.fail(b.regs[0].rec, "", "%d register units are more than a target can have", b.native)
	}
	in.Units = make([]desc.UnitRoots, b.native)
	for u := range in.Units {
		for k, r := range b.units[u].roots {
			if r != nil {
				in.Units[u][k] = desc.PhysReg(r.num)
			}
		}
	}
	b.layoutDwarf()
	b.layoutSubRegs()
}

// preOrder lists all sub-registers as LLVM does: those that the record names,
// each with its own behind it, then what was inferred.
func (r *register) preOrder() []*register {
	var out []*register
	seen := map[*register]bool{}
	var walk func(r *register)
	walk = func(r *register) {
		for _, s := range r.explicit {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
				walk(s)
			}
		}
		for _, s := range r.subs.vals {
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	walk(r)
	return out
}

func (b *builder) layoutSubRegs() {
	in := b.t.Info
	n := len(b.indices) + 1
	in.SubRegIndices = make([]desc.SubRegIndexDesc, n)
	in.SubRegIndices[0] = desc.SubRegIndexDesc{Lanes: desc.AllLanes, Size: desc.NoBits}
	compose := make([]desc.SubRegIdx, n*n)
	in.LaneOpStart = []uint32{0, 0}
	for i := range n {
		compose[i], compose[i*n] = desc.SubRegIdx(i), desc.SubRegIdx(i)
	}
	for _, x := range b.indices {
		in.SubRegIndices[x.num] = desc.SubRegIndexDesc{Lanes: x.lanes, Name: b.name(x.name), Offset: x.ranges[0].offset, Size: x.ranges[0].size}
		for k, y := range x.composed.keys {
			compose[x.num*n+y.num] = desc.SubRegIdx(x.composed.vals[k].num)
		}
		in.LaneOps = append(in.LaneOps, x.laneOps...)
		in.LaneOpStart = append(in.LaneOpStart, uint32(len(in.LaneOps)))
	}
	in.Compose.Set(compose)
	in.CoveringLanes = b.covering
}

// layoutDwarf notes DWARF numbers: one flavour for each position in the lists
// of the registers.
func (b *builder) layoutDwarf() {
	in := b.t.Info
	flavours := 0
	nums := make([][]int16, len(b.regs)+1)
	for _, r := range b.regs {
		rec := r.rec
		if a := rec.DefField("DwarfAlias"); a != nil {
			rec = a
		}
		for _, x := range rec.List("DwarfNumbers") {
			v, ok := tablegen.IntValue(x)
			if !ok || v < -2 || v > math.MaxInt16 {
				b.fail(rec, "DwarfNumbers", "DWARF number %s of '%s' does not fit", x, rec.Name)
				return
			}
			nums[r.num] = append(nums[r.num], int16(max(v, -1)))
		}
		flavours = max(flavours, len(nums[r.num]))
	}
	for f := range max(flavours, 1) {
		in.DwarfRegs = append(in.DwarfRegs, desc.DwarfFlavour{Nums: uint32(len(in.DwarfNums))})
		for r := range nums {
			v := int16(-1)
			if f < len(nums[r]) {
				v = nums[r][f]
			}
			in.DwarfNums = append(in.DwarfNums, v, v)
		}
	}
}

// classWords is a set of classes as words.
func (b *builder) classWords(in func(c int) bool) []uint32 {
	w := make([]uint32, (len(b.classes)+31)/32)
	for c := range b.classes {
		if in(c) {
			w[c/32] |= 1 << (c % 32)
		}
	}
	return w
}

func regNums(l []*register) []uint16 {
	out := make([]uint16, len(l))
	for i, r := range l {
		out[i] = uint16(r.num)
	}
	return out
}

func (b *builder) layoutClasses() {
	in, l := b.t.Info, &b.lay
	b.closeSupers()
	in.Classes = make([]desc.ClassDesc, len(b.classes))
	var subs []uint32
	with := make([]desc.ClassID, 0, len(b.classes)*(len(b.indices)+1))
	for i, c := range b.classes {
		d := &in.Classes[i]
		var idx []uint16
		var masks []uint32
		for _, x := range b.indices {
			if m := c.superOf[x]; len(m) > 0 {
				idx = append(idx, uint16(x.num))
				masks = append(masks, b.classWords(func(k int) bool { return m[b.classes[k]] })...)
			}
		}
		var order []*register
		if len(c.orders) > 0 {
			order = c.orders[0]
		}
		*d = desc.ClassDesc{
			Lanes: c.lanes, Name: b.name(c.name),
			Members: l.regLists.add(regNums(order)), NumMembers: uint16(len(order)),
			Order: l.regLists.add(regNums(order)), NumOrder: uint16(len(order)),
			SuperIdx: l.subIdx.add(idx), SuperMasks: l.classBits.add(masks), NumSuper: uint16(len(idx)),
			CopyCost: uint8(c.copyCost), Priority: uint8(c.priority), TSFlags: uint8(c.tsFlags),
		}
		if c.sizes.simple() {
			d.SizeInBits = uint16(c.sizes.get(0).size)
		}
		d.Flags = classFlags(c)
		subs = append(subs, b.classWords(func(k int) bool { return c.subs[k] })...)
		with = append(with, desc.ClassID(i))
		for _, x := range b.indices {
			id := desc.NoClass
			if w := c.withIdx[x]; w != nil {
				id = desc.ClassID(w.num)
			}
			with = append(with, id)
		}
	}
	in.SubClasses.Set(subs)
	in.SubClassWithIdx.Set(with)
	b.layoutSizes()
}

func classFlags(c *class) desc.ClassFlags {
	var f desc.ClassFlags
	for _, x := range [...]struct {
		is   bool
		flag desc.ClassFlags
	}{
		{c.allocatable, desc.ClassAllocatable}, {c.global, desc.ClassGlobalPriority}, {c.disjunct, desc.ClassDisjunctSubRegs},
		{c.covered, desc.ClassCoveredBySubRegs},
	} {
		if x.is {
			f |= x.flag
		}
	}
	if c.rec != nil {
		if _, ok := c.rec.IntOK("BaseClassOrder"); ok {
			f |= desc.ClassBase
		}
	}
	return f
}

// closeSupers completes superOf with what follows of it: registers whose x part
// is in a class whose y parts are in c have a part x:y in c.
func (b *builder) closeSupers() {
	order := b.indicesTopDown()
	slices.Reverse(order)
	for _, y := range order {
		for _, c := range b.classes {
			mids := slices.SortedFunc(maps.Keys(c.superOf[y]), func(p, q *class) int { return cmp.Compare(p.num, q.num) })
			for _, mid := range mids {
				for x, supers := range mid.superOf {
					z, ok := x.composed.get(y)
					if !ok {
						continue
					}
					for s := range supers {
						c.addSuper(z, s)
					}
				}
			}
		}
	}
}

// layoutSizes notes sizes and types of all classes for all hardware modes.
func (b *builder) layoutSizes() {
	in, l := b.t.Info, &b.lay
	for m, rec := range b.modes {
		name := "DefaultMode"
		if rec != nil {
			name = rec.Name
		}
		in.Modes = append(in.Modes, b.name(name))
		for _, c := range b.classes {
			var types []uint16
			for _, t := range c.types {
				if x := t.in(m); x != 0 {
					types = append(types, uint16(x))
				}
			}
			s := c.sizes.get(m)
			in.ClassSizes = append(in.ClassSizes, desc.ClassSize{
				Types: l.types.add(types), NumTypes: uint16(len(types)),
				RegSize: uint16(s.size), SpillSize: uint16(s.spill / 8), SpillAlign: uint16(s.align / 8),
			})
		}
	}
}

// layoutPressure notes pressure sets, and those of each class and unit.
func (b *builder) layoutPressure() {
	in, l := b.t.Info, &b.lay
	for _, s := range b.sets0 {
		in.PressureSets = append(in.PressureSets, desc.PressureSetDesc{Name: b.name(s.name), Limit: uint32(b.setWeight(s.units))})
	}
	list := func(sets []int) (uint32, uint16) {
		var out []uint16
		for _, s := range sets {
			out = append(out, uint16(s))
		}
		return l.pressure.add(out), uint16(len(out))
	}
	for i, c := range b.classes {
		var d desc.PressureDesc
		d.Sets, d.NumSets = list(b.classSets[i])
		if len(c.members) > 0 && !c.artificial {
			d.Weight, d.Limit = uint16(b.regWeight(c.members[0])), uint16(b.setWeight(b.unitsOf(c)))
		}
		if c.rec != nil {
			if w, ok := c.rec.IntOK("Weight"); ok {
				d.Weight = uint16(w)
			}
		}
		in.ClassPressure = append(in.ClassPressure, d)
	}
	heaviest := 0
	for u := range b.native {
		heaviest = max(heaviest, b.units[u].weight)
	}
	for u := range b.native {
		var d desc.PressureDesc
		d.Sets, d.NumSets = list(b.unitSets[u])
		if d.Weight = uint16(b.units[u].weight); heaviest <= 1 {
			d.Weight = 1 // as LLVM answers where no unit weighs more
		}
		in.UnitPressure = append(in.UnitPressure, d)
	}
}
