package facts

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/mirin-go/mirin/desc"
)

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

// schedTables lists the tables of machine models in the order of the section.
func schedTables(t *desc.SchedTable) []any {
	return []any{&t.ClassNames, &t.Models, &t.Classes, &t.Resources, &t.SubUnits, &t.Uses, &t.Latencies, &t.Advances, &t.Choices,
		&t.Preds, &t.Itineraries, &t.Stages, &t.Cycles, &t.Bypasses, &t.Units}
}

// sched encodes machine models: the names, then each table with its number of
// rows, the fields of a row one after another.
func (e *encoder) sched() {
	t := e.in.Sched
	if t == nil {
		return
	}
	var c cols
	c.u32(uint32(len(t.Names)))
	c.b = append(c.b, t.Names...)
	for _, p := range schedTables(t) {
		var err error
		n, rows := tableOf(p)
		c.u32(uint32(n))
		if c.b, err = binary.Append(c.b, binary.LittleEndian, rows); err != nil {
			e.err = fmt.Errorf("facts: machine models: %w", err)
		}
	}
	e.add(secSched, c)
}

// tableOf gives the length of a table and the table.
func tableOf(p any) (int, any) {
	switch p := p.(type) {
	case *[]desc.Name:
		return len(*p), *p
	case *[]uint16:
		return len(*p), *p
	case *[]desc.SchedModelDesc:
		return len(*p), *p
	case *[]desc.SchedClassDesc:
		return len(*p), *p
	case *[]desc.SchedResourceDesc:
		return len(*p), *p
	case *[]desc.SchedUse:
		return len(*p), *p
	case *[]desc.SchedLatency:
		return len(*p), *p
	case *[]desc.SchedAdvance:
		return len(*p), *p
	case *[]desc.SchedChoice:
		return len(*p), *p
	case *[]desc.ItineraryDesc:
		return len(*p), *p
	case *[]desc.ItineraryStage:
		return len(*p), *p
	}
	return 0, nil
}

// resize makes a table of n rows.
func resize(p any, n int) any {
	switch p := p.(type) {
	case *[]desc.Name:
		*p = make([]desc.Name, n)
		return *p
	case *[]uint16:
		*p = make([]uint16, n)
		return *p
	case *[]desc.SchedModelDesc:
		*p = make([]desc.SchedModelDesc, n)
		return *p
	case *[]desc.SchedClassDesc:
		*p = make([]desc.SchedClassDesc, n)
		return *p
	case *[]desc.SchedResourceDesc:
		*p = make([]desc.SchedResourceDesc, n)
		return *p
	case *[]desc.SchedUse:
		*p = make([]desc.SchedUse, n)
		return *p
	case *[]desc.SchedLatency:
		*p = make([]desc.SchedLatency, n)
		return *p
	case *[]desc.SchedAdvance:
		*p = make([]desc.SchedAdvance, n)
		return *p
	case *[]desc.SchedChoice:
		*p = make([]desc.SchedChoice, n)
		return *p
	case *[]desc.ItineraryDesc:
		*p = make([]desc.ItineraryDesc, n)
		return *p
	case *[]desc.ItineraryStage:
		*p = make([]desc.ItineraryStage, n)
		return *p
	}
	return nil
}

// sched decodes machine models, nil where the file has none.
func (d *decoder) sched() {
	d.table(secSched, func(r *reader) {
		if r.s == "" {
			return
		}
		t := &desc.SchedTable{}
		t.Names = r.take(int(le32(r.take(4), 0)))
		for _, p := range schedTables(t) {
			n := int(le32(r.take(4), 0))
			if r.err != nil || n > len(r.s) {
				r.err = fmt.Errorf("table is cut short")
				return
			}
			rows := resize(p, n)
			size := binary.Size(rows)
			if err := binary.Read(bytes.NewReader([]byte(r.take(size))), binary.LittleEndian, rows); err != nil {
				r.err = err
				return
			}
		}
		d.in.Sched = t
	})
}
