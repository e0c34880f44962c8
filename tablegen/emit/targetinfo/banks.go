package targetinfo

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// layoutBanks notes register banks: the classes that a record names, their
// sub-classes, and classes of parts of their registers.
func (b *builder) layoutBanks() {
	in, l := b.t.Info, &b.lay
	for _, r := range b.derived("RegisterBank") {
		covers := make([]bool, len(b.classes))
		visited := make([]bool, len(b.classes))
		size := 0
		var visit func(c *class)
		visit = func(c *class) {
			if visited[c.num] {
				return
			}
			visited[c.num], covers[c.num] = true, true
			for _, s := range b.classes {
				if s != c && c.subs[s.num] {
					visit(s)
				}
				for _, m := range s.superOf {
					if m[c] {
						covers[s.num] = true
						break
					}
				}
			}
		}
		for _, x := range r.DefList("RegisterClasses") {
			c := b.classByRec[x]
			if c == nil {
				b.fail(r, "RegisterClasses", "'%s' in bank '%s' is no register class", x.Name, r.Name)
				continue
			}
			visit(c)
		}
		for i, c := range b.classes {
			if covers[i] {
				size = max(size, c.sizes.get(0).size)
			}
		}
		name := r.String("Name")
		if name == "" {
			name = r.Name
		}
		in.Banks = append(in.Banks, desc.BankDesc{Name: b.name(name), MaxSize: uint32(size),
			Classes: l.classBits.add(b.classWords(func(k int) bool { return covers[k] }))})
	}
}

// layoutMasks notes what calls preserve, from the lists of class CalleeSavedRegs.
func (b *builder) layoutMasks() {
	in, l := b.t.Info, &b.lay
	words := (len(b.regs) + 1 + 31) / 32
	var constant []*register
	for _, r := range b.regs {
		if r.constant {
			constant = append(constant, r)
		}
	}
	for _, r := range b.derived("CalleeSavedRegs") {
		saved, err := b.sets.Expand(r)
		if err != nil {
			b.failWith(r, err)
			return
		}
		regs, ok := b.registersOf(r, "SaveList", saved)
		if !ok {
			return
		}
		in.SavedRegs = append(in.SavedRegs, desc.SavedRegsDesc{Mask: int16(len(in.RegMasks)), Regs: l.regLists.add(regNums(regs)), NumRegs: uint16(len(regs))})
		all := append([]*register(nil), regs...)
		if d, ok := r.Value("OtherPreserved").(*tablegen.DagInit); ok {
			more, err := b.sets.Eval(d, r.FieldLoc("OtherPreserved"))
			if err != nil {
				b.failWith(r, err)
				return
			}
			others, ok := b.registersOf(r, "OtherPreserved", more)
			if !ok {
				return
			}
			all = append(all, others...)
		}
		mask := make([]uint32, words)
		for n, is := range b.coveredBy(append(all, constant...)) {
			if is {
				mask[n/32] |= 1 << (n % 32)
			}
		}
		in.RegMasks = append(in.RegMasks, desc.RegMaskDesc{Name: b.name(r.Name), Bits: l.maskBits.add(mask)})
	}
}

// coveredBy gives the registers that consist of the given ones and their parts.
func (b *builder) coveredBy(regs []*register) []bool {
	in := make([]bool, len(b.regs)+1)
	var list []*register
	add := func(r *register) {
		if !in[r.num] {
			in[r.num] = true
			list = append(list, r)
		}
	}
	for _, r := range regs {
		add(r)
		for _, s := range r.subs.vals {
			add(s)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, s := range list[i].supers {
			whole := s.covered && !in[s.num]
			for _, p := range s.subs.vals {
				whole = whole && in[p.num]
			}
			if whole {
				add(s)
			}
		}
	}
	return in
}

// layoutRest stores the pools and the one subtarget that the records show.
func (b *builder) layoutRest() {
	in, l := b.t.Info, &b.lay
	variant := desc.VariantDesc{Mask: -1}
	b.readVariant(&variant)
	in.Variants = []desc.VariantDesc{variant}
	in.RegDiffs = l.diffs.data
	in.LaneLists.Set(convert[desc.LaneMask](l.lanes.data))
	in.RegLists.Set(convert[desc.PhysReg](l.regLists.data))
	in.SubIdxLists = convert[desc.SubRegIdx](l.subIdx.data)
	in.TypeLists = convert[desc.MVT](l.types.data)
	in.ClassBits.Set(l.classBits.data)
	in.RegMaskBits.Set(l.maskBits.data)
	in.PressureLists = l.pressure.data
	in.ImplicitRegs = convert[desc.PhysReg](l.implicit.data)
	in.FeatureBits = l.featureSet.data
	if in.Target == "" {
		in.Target = b.t.Namespace
	}
	in.Names = string(b.names)
	in.SetHashes(b.hashes())
}

// readVariant reads the record of class TargetLayout (mirin/Target.td), which
// says what LLVM's targets say in C++.
func (b *builder) readVariant(v *desc.VariantDesc) {
	l := &b.lay
	reserved := make([]uint32, (len(b.regs)+1+31)/32)
	if recs := b.derived("TargetLayout"); len(recs) > 0 {
		r := recs[0]
		v.Triple, v.DataLayout = b.name(r.String("Triple")), b.name(r.String("DataLayout"))
		v.PointerSize, v.StackAlign = uint8(r.Int("PointerSize")), uint16(r.Int("StackAlignment"))
		v.StackGrowsUp, v.LocalAreaOffset = r.Bit("StackGrowsUp"), int16(r.Int("LocalAreaOffset"))
		if sp := b.regByRec[r.DefField("StackPointer")]; sp != nil {
			v.StackPointer = desc.PhysReg(sp.num)
		}
		for _, x := range r.DefList("ReservedRegs") {
			reg := b.regByRec[x]
			if reg == nil {
				b.fail(r, "ReservedRegs", "'%s' is no register", x.Name)
				continue
			}
			reserved[reg.num/32] |= 1 << (reg.num % 32)
		}
		for _, f := range [...]struct {
			field string
			to    *desc.Opcode
		}{{"FrameSetup", &v.FrameSetup}, {"FrameDestroy", &v.FrameDestroy}, {"Return", &v.ReturnOp}} {
			if op, ok := b.t.byRec[r.DefField(f.field)]; ok {
				*f.to = op
			}
		}
		for i := range b.t.Info.RegMasks {
			if c := r.String("CalleeSaved"); c != "" && string(b.str(b.t.Info.RegMasks[i].Name)) == c {
				s := b.t.Info.SavedRegs[i]
				v.Mask, v.SavedRegs, v.NumSaved = int16(i), s.Regs, s.NumRegs
			}
		}
	}
	v.Reserved = l.maskBits.add(reserved)
}

func (b *builder) str(n desc.Name) []byte { return b.names[n>>9 : n>>9+n&511] }
