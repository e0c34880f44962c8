package facts

import "github.com/mirin-go/mirin/desc"

// rest encodes what is neither instructions nor registers.
func (e *encoder) rest() {
	in := e.in
	var masks, dwarf, saved cols
	masks.u32(uint32(len(in.RegMasks)))
	for _, d := range in.RegMasks {
		masks.u32(e.name(d.Name))
		masks.u32(d.Bits)
	}
	e.add(secRegMasks, masks)
	e.add(secRegMaskBits, put32(in.RegMaskBits.Rows()))
	dwarf.u32(uint32(len(in.DwarfRegs)))
	for _, d := range in.DwarfRegs {
		dwarf.u32(e.name(d.Triple))
		nums := put16(in.DwarfNums[d.Nums : int(d.Nums)+2*len(in.Regs)])
		dwarf.b = append(dwarf.b, nums.b...)
	}
	e.add(secDwarf, dwarf)
	saved.u32(uint32(len(in.SavedRegs)))
	for _, d := range in.SavedRegs {
		saved.u32(e.name(d.Triple))
		saved.u32(e.name(d.Features))
		saved.u16(d.CC)
		saved.u16(d.NumRegs)
		saved.u16(uint16(d.Mask))
		saved.u32(d.Regs)
	}
	e.add(secSaved, saved)
	e.variants()
	for _, l := range [...]struct {
		id   int
		list []desc.FlagDesc
	}{{secDirectFlags, in.DirectFlags}, {secBitFlags, in.BitmaskFlags}, {secMemFlags, in.MemFlags}, {secTargetIndices, in.TargetIndices}} {
		var c cols
		c.u32(uint32(len(l.list)))
		for _, f := range l.list {
			c.u64(f.Value)
			c.u32(e.name(f.Name))
		}
		e.add(l.id, c)
	}
	var features, procs cols
	features.u32(uint32(len(in.Features)))
	for _, d := range in.Features {
		features.u32(e.name(d.Name))
		features.u32(e.name(d.Text))
		features.u16(d.Bit)
		features.u32(d.Implies)
	}
	e.add(secFeatures, features)
	procs.u32(uint32(len(in.Processors)))
	for _, d := range in.Processors {
		procs.u32(e.name(d.Name))
		procs.u32(d.Features)
		procs.u32(d.Tune)
		procs.u16(d.Model)
	}
	e.add(secProcessors, procs)
	e.add(secFeatureBits, put64(in.FeatureBits))
	e.asm()
}

func (e *encoder) variants() {
	var c cols
	c.u32(uint32(len(e.in.Variants)))
	for i := range e.in.Variants {
		d := &e.in.Variants[i]
		for _, n := range [...]desc.Name{d.Triple, d.CPU, d.Features, d.DataLayout} {
			c.u32(e.name(n))
		}
		c.u32(d.Reserved)
		c.u32(d.SavedRegs)
		for _, v := range [...]uint16{d.NumSaved, uint16(d.Mask), d.Mode, uint16(d.FrameSetup), uint16(d.FrameDestroy), uint16(d.ReturnOp),
			uint16(d.CatchReturn), d.StackAlign, uint16(d.LocalAreaOffset)} {
			c.u16(v)
		}
		up := uint8(0)
		if d.StackGrowsUp {
			up = 1
		}
		c.u8(up)
		c.u8(d.PointerSize)
		c.u16(uint16(d.StackPointer))
	}
	e.add(secVariants, c)
}

func (e *encoder) asm() {
	t := e.in.Asm()
	if t == nil {
		return
	}
	var c cols
	c.u32(uint32(t.Variants))
	c.u32(uint32(len(t.Refs) / 2))
	c.b = append(c.b, t.Refs...)
	for _, s := range [...][2]string{{t.PartEnds, t.PartBytes}, {t.RegEnds, t.RegBytes}} {
		c.u32(uint32(len(s[0]) / 4))
		c.b = append(c.b, s[0]...)
		c.u32(uint32(len(s[1])))
		c.b = append(c.b, s[1]...)
	}
	e.add(secAsm, c)
}

func (e *encoder) meta() {
	in := e.in
	var c cols
	c.u32(e.text(in.Target))
	c.u64(uint64(in.CoveringLanes))
	c.u16(uint16(in.RetAddrReg))
	c.u16(uint16(in.ProgramCounter))
	c.u16(uint16(in.NumModeClasses))
	c.u16(uint16(in.FeatureWords))
	c.u16(uint16(in.DefaultMode))
	e.add(secMeta, c)
}
