package targetinfo

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// regSize is size and spill slot of a class, in bits.
type regSize struct{ size, spill, align int }

func (a regSize) compare(c regSize) int {
	return cmp.Or(cmp.Compare(a.size, c.size), cmp.Compare(a.spill, c.spill), cmp.Compare(a.align, c.align))
}

// fits reports whether values of c can live where a is asked for.
func (a regSize) fits(c regSize) bool {
	return a.size <= c.size && a.align != 0 && c.align%a.align == 0 && a.spill <= c.spill
}

// sizeByMode holds sizes by hardware mode; modes without one have the default's.
type sizeByMode struct {
	sizes []regSize
	has   []bool
	first int // the lowest mode with a size
}

func (s *sizeByMode) get(mode int) regSize {
	if mode < len(s.has) && s.has[mode] {
		return s.sizes[mode]
	}
	return s.sizes[s.first]
}

// simple reports that all modes have the same size.
func (s *sizeByMode) simple() bool {
	for m := range s.has {
		if s.has[m] && m != 0 {
			return false
		}
	}
	return s.has[0]
}

func (s *sizeByMode) compare(o *sizeByMode) int {
	return s.get(s.first).compare(o.get(s.first))
}

func (s *sizeByMode) fits(o *sizeByMode) bool { return s.get(s.first).fits(o.get(s.first)) }

// stricterSpill reports whether spill slots of s are larger or better aligned.
func (s *sizeByMode) stricterSpill(o *sizeByMode) bool {
	a, c := s.get(s.first), o.get(s.first)
	return cmp.Or(cmp.Compare(a.spill, c.spill), cmp.Compare(a.align, c.align)) > 0
}

// class is a register class, of a record or made to complete the algebra.
type class struct {
	rec     *tablegen.Record
	name    string
	num     int
	members []*register // by number
	set     []uint64    // the same as bits
	orders  [][]*register
	sizes   *sizeByMode
	types   []typeByMode
	shapes  map[int]bool // shapes of members that have super-registers

	copyCost    int
	allocatable bool
	priority    int
	global      bool
	pressure    bool // makes a pressure set
	tsFlags     int
	artificial  bool
	disjunct    bool
	covered     bool
	lanes       desc.LaneMask

	// withIdx[x] is the largest sub-class all of whose registers have index x.
	withIdx map[*subRegIndex]*class
	// fromIdx and fromClass say what an inferred class was made for: registers
	// whose fromIdx part is in fromClass.
	fromIdx   *subRegIndex
	fromClass *class
	// superOf[x] are classes whose registers' x parts are in this one.
	superOf map[*subRegIndex]map[*class]bool
	subs    []bool // by number, itself included
	supers  []*class
}

func (c *class) has(r *register) bool { return c.set[r.num>>6]>>(r.num&63)&1 != 0 }

// typeByMode is a value type by hardware mode, 0 where there is none.
type typeByMode struct {
	types      []desc.MVT
	hasDefault bool
}

func (t typeByMode) in(mode int) desc.MVT {
	if x := t.types[mode]; x != 0 {
		return x
	}
	if t.hasDefault {
		return t.types[0]
	}
	return 0
}

// valueType reads a ValueType, which may depend on the hardware mode.
func (b *builder) valueType(r *tablegen.Record) typeByMode {
	t := typeByMode{types: make([]desc.MVT, len(b.modes))}
	if objs := r.List("Objects"); objs != nil && r.IsSubClassOf("HwModeSelect") {
		for m, o := range b.byMode(r) {
			if o != nil {
				t.types[m] = b.mvt(o)
			}
		}
		t.hasDefault = t.types[0] != 0
		return t
	}
	t.types[0], t.hasDefault = b.mvt(r), true
	return t
}

// mvt gives the number of a ValueType; a name that LLVM does not know is a
// fault.
func (b *builder) mvt(r *tablegen.Record) desc.MVT {
	if t, ok := b.types[r]; ok {
		return t
	}
	name := r.String("LLVMName")
	if name == "" {
		name = r.Name
	}
	t, _ := desc.MVTByName(name)
	if t == 0 {
		b.fail(r, "LLVMName", "there is no value type '%s'", name)
	}
	if b.types == nil {
		b.types = map[*tablegen.Record]desc.MVT{}
	}
	b.types[r] = t
	return t
}

// classKey tells classes with the same registers and sizes from others.
func classKey(members []*register, s *sizeByMode) string {
	k := make([]byte, 0, 12*len(s.sizes)+2*len(members))
	for m := range s.sizes {
		if !s.has[m] {
			k = append(k, 0xff)
			continue
		}
		z := s.sizes[m]
		k = binary.AppendVarint(k, int64(z.size))
		k = binary.AppendVarint(k, int64(z.spill))
		k = binary.AppendVarint(k, int64(z.align))
	}
	for _, r := range members {
		k = binary.LittleEndian.AppendUint16(k, uint16(r.num))
	}
	return string(k)
}

// readClasses reads the register classes.
func (b *builder) readClasses() {
	b.classByRec, b.classByKey = map[*tablegen.Record]*class{}, map[string]*class{}
	recs := b.derived("RegisterClass")
	if len(recs) == 0 {
		if b.noRegisters {
			return
		}
		b.fail(nil, "", "the description has no register classes (definitions of class RegisterClass)")
	}
	for _, r := range recs {
		c := b.readClass(r)
		if c == nil {
			continue
		}
		b.classes = append(b.classes, c)
		b.classByRec[r] = c
		if !c.artificial {
			b.addKey(c)
		}
	}
}

func (b *builder) addKey(c *class) {
	k := classKey(c.members, c.sizes)
	if b.classByKey[k] == nil {
		b.classByKey[k] = c
	}
}

// newClass makes a class of registers, which it sorts.
func (b *builder) newClass(name string, members []*register) *class {
	c := &class{name: name, artificial: true, withIdx: map[*subRegIndex]*class{}, superOf: map[*subRegIndex]map[*class]bool{}, shapes: map[int]bool{}}
	members = slices.Clone(members)
	slices.SortFunc(members, func(x, y *register) int { return x.num - y.num })
	c.members = slices.Compact(members)
	c.set = make([]uint64, (len(b.regs)+1+63)/64)
	for _, r := range c.members {
		c.set[r.num>>6] |= 1 << (r.num & 63)
		c.artificial = c.artificial && r.artificial
		if len(r.supers) > 0 {
			c.shapes[r.topo] = true
		}
	}
	return c
}

func (b *builder) readClass(r *tablegen.Record) *class {
	recs, err := b.sets.Expand(r)
	if err != nil {
		b.failWith(r, err)
		return nil
	}
	order, ok := b.registersOf(r, "MemberList", recs)
	if !ok {
		return nil
	}
	c := b.newClass(r.Name, order)
	c.rec, c.orders = r, [][]*register{order}
	for i, x := range r.List("AltOrders") {
		l, err := b.sets.Eval(x, r.FieldLoc("AltOrders"))
		if err != nil {
			b.failWith(r, err)
			return nil
		}
		alt, ok := b.registersOf(r, "AltOrders", l)
		if !ok {
			return nil
		}
		for _, reg := range alt {
			if !c.has(reg) {
				b.fail(r, "AltOrders", "register '%s' in alternative order %d of class '%s' is no member of it", reg.name, i, r.Name)
				return nil
			}
		}
		c.orders = append(c.orders, alt)
	}
	for _, t := range r.DefList("RegTypes") {
		c.types = append(c.types, b.valueType(t))
	}
	if len(c.types) == 0 {
		b.fail(r, "RegTypes", "class '%s' has no types (RegTypes)", r.Name)
		return nil
	}
	c.sizes = b.classSizes(r, c.types)
	if c.sizes == nil {
		return nil
	}
	if c.copyCost = int(r.Int("CopyCost")); c.copyCost < 0 || c.copyCost > 255 {
		c.copyCost = 255
	}
	if c.priority = int(r.Int("AllocationPriority")); c.priority < 0 || c.priority > 31 {
		b.fail(r, "AllocationPriority", "the allocation priority of class '%s' is %d, not from 0 to 31", r.Name, c.priority)
	}
	c.allocatable, c.global = r.Bit("isAllocatable"), r.Bit("GlobalPriority")
	c.pressure, c.tsFlags = r.Bit("GeneratePressureSet"), int(r.Int("TSFlags"))
	return c
}

func (b *builder) registersOf(r *tablegen.Record, field string, recs []*tablegen.Record) ([]*register, bool) {
	out := make([]*register, 0, len(recs))
	for _, x := range recs {
		reg := b.regByRec[x]
		if reg == nil {
			b.fail(r, field, "'%s' in '%s' is no register", x.Name, r.Name)
			return nil, false
		}
		out = append(out, reg)
	}
	return out, true
}

func (b *builder) classSizes(r *tablegen.Record, types []typeByMode) *sizeByMode {
	s := &sizeByMode{sizes: make([]regSize, len(b.modes)), has: make([]bool, len(b.modes)), first: -1}
	if sel := r.DefField("RegInfos"); sel != nil {
		for m, o := range b.byMode(sel) {
			if o != nil {
				s.sizes[m] = regSize{int(o.Int("RegSize")), int(o.Int("SpillSize")), int(o.Int("SpillAlignment"))}
				s.has[m] = true
			}
		}
	}
	if !s.has[0] {
		size := int(r.Int("Size"))
		if size == 0 {
			size = types[0].in(0).Bits()
			for m := 0; size == 0 && m < len(b.modes); m++ {
				if s.has[m] {
					size = s.sizes[m].size
				}
			}
			if size == 0 {
				b.fail(r, "RegTypes", "the size of registers of class '%s' is not known: it needs Size, RegInfos or a type with a size", r.Name)
				return nil
			}
			if types[0].in(0).Bits() == 0 { // the modes have all sizes
				s.first = slices.Index(s.has, true)
				return s
			}
		}
		s.sizes[0], s.has[0] = regSize{size, size, int(r.Int("Alignment"))}, true
	}
	s.first = slices.Index(s.has, true)
	return s
}

// subClass finds or makes the sub-class of c with some of its registers; ok
// tells that it is new.
func (b *builder) subClass(c *class, members []*register, name func() string) (s *class, ok bool) {
	k := classKey(members, c.sizes)
	if s := b.classByKey[k]; s != nil {
		return s, false
	}
	s = b.newClass(name(), members)
	s.sizes, s.allocatable = c.sizes, true
	b.classes = append(b.classes, s)
	b.classByKey[k] = s
	return s, true
}

// orderClasses sorts the classes (smaller registers first, then larger
// classes), numbers them, finds which are sub-classes of which and gives those
// that were made the properties of their smallest super-class.
func (b *builder) orderClasses() {
	slices.SortStableFunc(b.classes, func(x, y *class) int {
		return cmp.Or(x.sizes.compare(y.sizes), cmp.Compare(len(y.members), len(x.members)), strings.Compare(x.name, y.name))
	})
	n := len(b.classes)
	if n > 1<<15-1 {
		b.fail(b.classes[0].rec, "", "%d register classes are more than a target can have", n)
		return
	}
	for i, c := range b.classes {
		c.num = i
		c.subs = make([]bool, n)
	}
	for i := n - 1; i >= 0; i-- {
		b.findSubClasses(i)
	}
	for _, c := range b.classes {
		for s, is := range c.subs {
			if is && s != c.num {
				b.classes[s].supers = append(b.classes[s].supers, c)
			}
		}
	}
	for _, c := range b.classes {
		if c.rec == nil {
			b.inherit(c)
		}
		c.covered = true
		for _, r := range c.members {
			c.disjunct = c.disjunct || r.disjunct
			c.covered = c.covered && r.covered
		}
	}
}

// isSubClass reports whether s can stand wherever c is asked for.
func isSubClass(c, s *class) bool {
	if !c.sizes.fits(s.sizes) {
		return false
	}
	for i, w := range s.set {
		if w&^c.set[i] != 0 {
			return false
		}
	}
	return true
}

func (b *builder) findSubClasses(i int) {
	c := b.classes[i]
	c.subs[i] = true
	if c.artificial {
		return
	}
	for j := i + 1; j < len(b.classes); j++ {
		s := b.classes[j]
		if c.subs[j] || !isSubClass(c, s) {
			continue
		}
		for k, is := range s.subs {
			c.subs[k] = c.subs[k] || is
		}
	}
	// Classes with the same registers stand before it.
	for j := i - 1; j >= 0 && isSubClass(c, b.classes[j]); j-- {
		c.subs[j] = true
	}
}

// inherit copies properties of the smallest super-class.
func (b *builder) inherit(c *class) {
	if len(c.supers) == 0 {
		return
	}
	s := c.supers[len(c.supers)-1]
	c.types, c.copyCost, c.priority = s.types, s.copyCost, s.priority
	c.allocatable = slices.ContainsFunc(c.supers, func(s *class) bool { return s.allocatable })
	c.global, c.tsFlags = s.global, s.tsFlags
	c.pressure = c.pressure || s.pressure
	c.orders = make([][]*register, len(s.orders))
	for i, order := range s.orders {
		for _, r := range order {
			if c.has(r) {
				c.orders[i] = append(c.orders[i], r)
			}
		}
	}
}
