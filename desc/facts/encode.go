package facts

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/mirin-go/mirin/desc"
)

// Decode makes an Info of a fact file that the program holds, such as one that
// Append wrote. A file that is cut or damaged in its form is an error.
func Decode(data string) (*desc.Info, error) { return decode(data, true) }

// Append appends the fact file of a target: what [Decode] reads again.
func Append(b []byte, in *desc.Info) ([]byte, error) {
	e := &encoder{in: in, moved: map[desc.Name]desc.Name{0: 0}, seen: map[string]desc.Name{}}
	e.instrs()
	e.regs()
	e.subRegs()
	e.classes()
	e.rest()
	e.sched()
	e.meta()
	if e.err != nil {
		return b, e.err
	}
	return e.file(b), nil
}

// encoder collects sections. Names are laid out anew: those of instructions and
// registers must lie in row order.
type encoder struct {
	in       *desc.Info
	names    []byte
	moved    map[desc.Name]desc.Name
	seen     map[string]desc.Name
	sections []encSection
	err      error
}

type encSection struct {
	id   int
	data []byte
}

// cols is a table of columns.
type cols struct{ b []byte }

func (c *cols) u8(v ...uint8) { c.b = append(c.b, v...) }

func (c *cols) u16(v ...uint16) {
	for _, v := range v {
		c.b = binary.LittleEndian.AppendUint16(c.b, v)
	}
}

func (c *cols) u32(v ...uint32) {
	for _, v := range v {
		c.b = binary.LittleEndian.AppendUint32(c.b, v)
	}
}

func (c *cols) u64(v uint64) { c.b = binary.LittleEndian.AppendUint64(c.b, v) }

// putRows lays out the number of rows and each of them, as rows reads them.
func putRows[T any](c *cols, l []T, row func(c *cols, r *T)) {
	c.u32(uint32(len(l)))
	for i := range l {
		row(c, &l[i])
	}
}

func (e *encoder) add(id int, parts ...cols) {
	var all []byte
	for _, p := range parts {
		all = append(all, p.b...)
	}
	e.sections = append(e.sections, encSection{id, all})
}

// appendName lays out a name without sharing and gives its length.
func (e *encoder) appendName(n desc.Name) int {
	s := e.in.Str(n)
	at := desc.MakeName(len(e.names), len(s))
	if len(e.names)+len(s) >= 1<<23 {
		e.err = fmt.Errorf("facts: the names of %s do not fit into 8 MiB", e.in.Target)
	}
	e.names = append(e.names, s...)
	if _, ok := e.seen[s]; !ok {
		e.seen[s] = at
	}
	return len(s)
}

func (e *encoder) text(s string) uint32 {
	if s == "" {
		return 0
	}
	if n, ok := e.seen[s]; ok {
		return uint32(n)
	}
	n := desc.MakeName(len(e.names), len(s))
	e.names = append(e.names, s...)
	e.seen[s] = n
	return uint32(n)
}

func (e *encoder) name(n desc.Name) uint32 {
	if m, ok := e.moved[n]; ok {
		return uint32(m)
	}
	m := e.text(e.in.Str(n))
	e.moved[n] = desc.Name(m)
	return m
}

func put16[T ~uint16 | ~int16](l []T) cols {
	c := cols{make([]byte, 0, 4+2*len(l))}
	c.u32(uint32(len(l)))
	for _, v := range l {
		c.u16(uint16(v))
	}
	return c
}

func put32[T ~uint32](l []T) cols {
	c := cols{make([]byte, 0, 4+4*len(l))}
	c.u32(uint32(len(l)))
	for _, v := range l {
		c.u32(uint32(v))
	}
	return c
}

func put64[T ~uint64](l []T) cols {
	c := cols{make([]byte, 0, 4+8*len(l))}
	c.u32(uint32(len(l)))
	for _, v := range l {
		c.u64(uint64(v))
	}
	return c
}

func (e *encoder) instrs() {
	in := e.in
	n := in.NumInstrs()
	var flags []desc.InstrFlags
	index := map[desc.InstrFlags]int{}
	var head, length, fl, tsf, ops, imp, sched, num, defs, size, uses, impDefs cols
	for op := range desc.Opcode(n) {
		d := in.Instr(op)
		l := e.appendName(d.Name)
		if l > math.MaxUint8 {
			e.err = fmt.Errorf("facts: the name of instruction %s is longer than 255 bytes", in.Str(d.Name))
			return
		}
		k, ok := index[d.Flags]
		if !ok {
			k = len(flags)
			index[d.Flags] = k
			flags = append(flags, d.Flags)
		}
		length.u8(uint8(l))
		fl.u16(uint16(k))
		tsf.u64(d.TSFlags)
		ops.u16(d.OpInfo)
		imp.u16(d.Implicit)
		sched.u16(d.SchedClass)
		num.u16(d.NumOperands)
		defs.u8(d.NumDefs)
		size.u8(d.Size)
		uses.u8(d.NumImplicitUses)
		impDefs.u8(d.NumImplicitDefs)
	}
	head.u32(uint32(n))
	e.add(secInstrs, head, put64(flags), length, fl, tsf, ops, imp, sched, num, defs, size, uses, impDefs)
	var count, class, of, typ, tied, ec cols
	count.u32(uint32(len(in.OperandInfos)))
	for i := range in.OperandInfos {
		o := &in.OperandInfos[i]
		class.u16(uint16(o.RegClass))
		of.u8(uint8(o.Flags))
		typ.u8(uint8(o.Type))
		tied.u8(uint8(o.TiedTo))
		if o.EarlyClobber {
			ec.u8(1)
		} else {
			ec.u8(0)
		}
	}
	e.add(secOpInfos, count, class, of, typ, tied, ec)
	e.add(secImplicit, put16(in.ImplicitRegs))
	hash := desc.BuildHash(n, func(i int) string { return in.OpcodeName(desc.Opcode(i)) })
	e.add(secOpcodeHash, hashSection(hash))
	e.folds()
	e.commutes()
	e.traits()
}

func hashSection(h string) cols {
	var c cols
	c.u32(uint32(len(h) / 2))
	c.b = append(c.b, h...)
	return c
}

func (e *encoder) folds() {
	var c cols
	putRows(&c, e.in.Folds.Rows(), func(c *cols, f *desc.FoldDesc) {
		c.u16(uint16(f.Reg), uint16(f.Mem))
		c.u8(f.Operand, uint8(f.Flags))
	})
	e.add(secFolds, c)
}

func (e *encoder) commutes() {
	var c cols
	putRows(&c, e.in.Commutes.Rows(), func(c *cols, r *desc.CommuteDesc) {
		c.u16(uint16(r.Op), uint16(r.To))
		c.u8(r.A, r.B, r.Imm, r.Map)
	})
	e.add(secCommutes, c)
	e.add(secCommuteMaps, put16(e.in.CommuteMaps.Rows()))
}

func (e *encoder) traits() {
	var of, kinds cols
	putRows(&kinds, e.in.TraitKinds, func(c *cols, k *desc.OpTraits) {
		c.u8(uint8(k.Flags), k.Undef)
		c.u16(k.Feature)
		c.u8(k.ScalarLoads)
	})
	e.add(secTraitRows, kinds)
	of.u32(uint32(len(e.in.TraitOf)))
	of.b = append(of.b, e.in.TraitOf...)
	e.add(secTraits, of)
}

func (e *encoder) regs() {
	in := e.in
	var head, lens, subs, idx, sups, units, lanes, nsub, nsup, nun, first, enc, cost, flags cols
	head.u32(uint32(len(in.Regs)))
	head.u32(uint32(len(e.names)))
	for i := range in.Regs {
		d := &in.Regs[i]
		lens.u16(uint16(e.appendName(d.Name)))
		subs.u32(d.SubRegs)
		idx.u32(d.SubIdx)
		sups.u32(d.SuperRegs)
		units.u32(d.Units)
		lanes.u32(d.UnitLanes)
		nsub.u16(d.NumSubRegs)
		nsup.u16(d.NumSuperRegs)
		nun.u16(d.NumUnits)
		first.u16(uint16(d.FirstUnit))
		enc.u16(d.Encoding)
		cost.u8(d.Cost)
		flags.u8(uint8(d.Flags))
	}
	e.add(secRegs, head, lens, subs, idx, sups, units, lanes, nsub, nsup, nun, first, enc, cost, flags)
	var u cols
	putRows(&u, in.Units, func(c *cols, r *desc.UnitRoots) { c.u16(uint16(r[0]), uint16(r[1])) })
	e.add(secUnits, u)
	hash := desc.BuildHash(len(in.Regs), func(i int) string {
		return string(in.AppendLowerReg(nil, desc.PhysReg(i)))
	})
	e.add(secRegHash, hashSection(hash))
	e.add(secRegDiffs, put16(in.RegDiffs))
	e.add(secLaneLists, put64(in.LaneLists.Rows()))
	e.add(secRegLists, put16(in.RegLists.Rows()))
}

func (e *encoder) subRegs() {
	in := e.in
	var c, ops, rots cols
	putRows(&c, in.SubRegIndices, func(c *cols, d *desc.SubRegIndexDesc) {
		c.u64(uint64(d.Lanes))
		c.u32(e.name(d.Name))
		c.u16(d.Offset, d.Size)
	})
	e.add(secSubRegs, c)
	ops.u32(uint32(len(in.LaneOps)))
	for _, o := range in.LaneOps {
		ops.u64(uint64(o.Mask))
		rots.u8(o.Rotate)
	}
	e.add(secLaneOps, ops, rots)
	e.add(secLaneOpStart, put32(in.LaneOpStart))
	e.add(secSubIdxLists, put16(in.SubIdxLists))
	e.add(secCompose, put16(in.Compose.Rows()))
}

func (e *encoder) classes() {
	in := e.in
	var c, s, k cols
	putRows(&c, in.Classes, func(c *cols, d *desc.ClassDesc) {
		c.u64(uint64(d.Lanes))
		c.u32(e.name(d.Name), d.Members, d.Order, d.SuperIdx, d.SuperMasks)
		c.u16(d.NumMembers, d.NumOrder, d.NumSuper, d.SizeInBits)
		c.u8(d.CopyCost, d.Priority, d.TSFlags, uint8(d.Flags))
	})
	e.add(secClasses, c)
	putRows(&s, in.ClassSizes, func(c *cols, d *desc.ClassSize) {
		c.u32(d.Types)
		c.u16(d.RegSize, d.SpillSize, d.SpillAlign, d.NumTypes)
	})
	e.add(secClassSizes, s)
	modes := make([]uint32, len(in.Modes))
	for i, n := range in.Modes {
		modes[i] = e.name(n)
	}
	e.add(secModes, put32(modes))
	e.add(secClassByMode, put16(in.ClassByMode))
	e.add(secClassBits, put32(in.ClassBits.Rows()))
	e.add(secSubClasses, put32(in.SubClasses.Rows()))
	e.add(secSubClassIdx, put16(in.SubClassWithIdx.Rows()))
	e.add(secTypeLists, put16(in.TypeLists))
	putRows(&k, in.Banks, func(c *cols, d *desc.BankDesc) { c.u32(e.name(d.Name), d.Classes, d.MaxSize) })
	e.add(secBanks, k)
	e.pressure()
}

func (e *encoder) pressure() {
	in := e.in
	var c cols
	putRows(&c, in.PressureSets, func(c *cols, d *desc.PressureSetDesc) { c.u32(e.name(d.Name), d.Limit) })
	putRows(&c, in.ClassPressure, func(c *cols, d *desc.PressureDesc) {
		c.u32(d.Sets)
		c.u16(d.NumSets, d.Weight, d.Limit)
	})
	putRows(&c, in.UnitPressure, func(c *cols, d *desc.PressureDesc) {
		c.u32(d.Sets)
		c.u16(d.NumSets, d.Weight)
	})
	e.add(secPressure, c, put16(in.PressureLists))
}

// file lays out header, table of sections and sections. Large tables that few
// runs ask for are compressed.
func (e *encoder) file(b []byte) []byte {
	e.sections = append(e.sections, encSection{secNames, e.names})
	start := len(b)
	b = append(b, "mirf"...)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(e.sections)))
	table := len(b)
	b = append(b, make([]byte, entrySize*len(e.sections))...)
	for i, s := range e.sections {
		data, codec := s.data, uint16(0)
		if onDemand(s.id) && len(data) > 64<<10 {
			var z bytes.Buffer
			w, _ := zlib.NewWriterLevel(&z, zlib.BestCompression)
			w.Write(data)
			w.Close()
			if z.Len() < len(data) {
				data, codec = z.Bytes(), 1
			}
		}
		at := b[table+entrySize*i:]
		binary.LittleEndian.PutUint16(at, uint16(s.id))
		binary.LittleEndian.PutUint16(at[2:], codec)
		binary.LittleEndian.PutUint32(at[4:], uint32(len(b)-start))
		binary.LittleEndian.PutUint32(at[8:], uint32(len(data)))
		binary.LittleEndian.PutUint32(at[12:], uint32(len(s.data)))
		b = append(b, data...)
	}
	return b
}

func onDemand(id int) bool {
	switch id {
	case secLaneLists, secRegLists, secCompose, secClassBits, secSubClasses, secSubClassIdx, secRegMaskBits, secFolds, secCommutes, secCommuteMaps:
		return true
	}
	return false
}
