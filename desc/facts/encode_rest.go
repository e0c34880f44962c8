package facts

import "github.com/mirin-go/mirin/desc"

// rest encodes what is neither instructions nor registers.
func (e *encoder) rest() {
	in := e.in
	var masks, dwarf, saved cols
	putRows(&masks, in.RegMasks, func(c *cols, d *desc.RegMaskDesc) { c.u32(e.name(d.Name), d.Bits) })
	e.add(secRegMasks, masks)
	e.add(secRegMaskBits, put32(in.RegMaskBits.Rows()))
	dwarf.u32(uint32(len(in.DwarfRegs)))
	for _, d := range in.DwarfRegs {
		dwarf.u32(e.name(d.Triple))
		nums := put16(in.DwarfNums[d.Nums : int(d.Nums)+2*len(in.Regs)])
		dwarf.b = append(dwarf.b, nums.b...)
	}
	e.add(secDwarf, dwarf)
	putRows(&saved, in.SavedRegs, func(c *cols, d *desc.SavedRegsDesc) {
		c.u32(e.name(d.Triple), e.name(d.Features))
		c.u16(d.CC, d.NumRegs, uint16(d.Mask))
		c.u32(d.Regs)
	})
	e.add(secSaved, saved)
	e.variants()
	for _, l := range [...]struct {
		id   int
		list []desc.FlagDesc
	}{{secDirectFlags, in.DirectFlags}, {secBitFlags, in.BitmaskFlags}, {secMemFlags, in.MemFlags}, {secTargetIndices, in.TargetIndices}} {
		var c cols
		putRows(&c, l.list, func(c *cols, f *desc.FlagDesc) {
			c.u64(f.Value)
			c.u32(e.name(f.Name))
		})
		e.add(l.id, c)
	}
	var features, procs cols
	putRows(&features, in.Features, func(c *cols, d *desc.FeatureDesc) {
		c.u32(e.name(d.Name), e.name(d.Text))
		c.u16(d.Bit)
		c.u32(d.Implies)
	})
	e.add(secFeatures, features)
	putRows(&procs, in.Processors, func(c *cols, d *desc.ProcessorDesc) {
		c.u32(e.name(d.Name), d.Features, d.Tune)
		c.u16(d.Model)
	})
	e.add(secProcessors, procs)
	e.add(secFeatureBits, put64(in.FeatureBits))
}

func (e *encoder) variants() {
	var c cols
	putRows(&c, e.in.Variants, func(c *cols, d *desc.VariantDesc) {
		c.u32(e.name(d.Triple), e.name(d.CPU), e.name(d.Features), e.name(d.DataLayout), d.Reserved, d.SavedRegs)
		c.u16(d.NumSaved, uint16(d.Mask), d.Mode, uint16(d.FrameSetup), uint16(d.FrameDestroy), uint16(d.ReturnOp),
			uint16(d.CatchReturn), d.StackAlign, uint16(d.LocalAreaOffset))
		c.u8(bit(d.StackGrowsUp, 1), d.PointerSize)
		c.u16(uint16(d.StackPointer))
	})
	e.add(secVariants, c)
}

func (e *encoder) meta() {
	in := e.in
	var c cols
	c.u32(e.text(in.Target))
	c.u64(uint64(in.CoveringLanes))
	c.u16(uint16(in.RetAddrReg), uint16(in.ProgramCounter), uint16(in.NumModeClasses), uint16(in.FeatureWords), uint16(in.DefaultMode))
	e.add(secMeta, c)
}
