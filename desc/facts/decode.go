package facts

import (
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// decode builds an Info from a fact file. Names stay in the file's bytes; large
// tables are decoded when they are first asked for.
func decode(data string) (*desc.Info, error) {
	f, err := openFile(data)
	if err != nil {
		return nil, err
	}
	in := &desc.Info{}
	d := &decoder{f: f, in: in}
	if in.Names, err = f.section(secNames); err != nil {
		return nil, err
	}
	for _, step := range decodeSteps {
		step(d)
		if d.err != nil {
			return nil, d.err
		}
	}
	in.SetAsm(sync.OnceValue(func() *desc.AsmTable { return decodeAsm(f, in.NumInstrs(), len(in.Regs)) }))
	return in, nil
}

type decoder struct {
	f   *file
	in  *desc.Info
	err error
}

var decodeSteps = [...]func(*decoder){
	(*decoder).meta, (*decoder).instrs, (*decoder).operands, (*decoder).regs, (*decoder).subRegs,
	(*decoder).classes, (*decoder).modes, (*decoder).banks, (*decoder).masks, (*decoder).dwarf,
	(*decoder).saved, (*decoder).variants, (*decoder).pressure, (*decoder).folds, (*decoder).flags, (*decoder).features, (*decoder).pools,
	(*decoder).sched,
}

// table runs fn over a section and keeps its first error.
func (d *decoder) table(id int, fn func(r *reader)) {
	r := d.f.reader(id)
	fn(r)
	if r.err != nil && d.err == nil {
		d.err = fmt.Errorf("section %d: %w", id, r.err)
	}
}

func (d *decoder) meta() {
	in := d.in
	d.table(secMeta, func(r *reader) {
		c := r.take(22)
		in.Target = in.Str(desc.Name(le32(c, 0)))
		in.CoveringLanes = desc.LaneMask(le64(c, 4))
		in.RetAddrReg = desc.PhysReg(le16(c, 12))
		in.ProgramCounter = desc.PhysReg(le16(c, 14))
		in.NumModeClasses = int(le16(c, 16))
		in.FeatureWords = int(le16(c, 18))
		in.DefaultMode = int(le16(c, 20))
	})
}

func (d *decoder) instrs() {
	d.table(secInstrs, func(r *reader) {
		const rowBytes = 5*1 + 5*2 + 8
		n := r.count(rowBytes)
		flags := array64[desc.InstrFlags](r)
		if len(r.s) < n*rowBytes {
			r.take(n * rowBytes)
			return
		}
		c := instrColumns{flags: flags, len: r.take(n), fl: r.take(2 * n), tsf: r.take(8 * n)}
		c.ops, c.imp, c.sched, c.numOps = r.take(2*n), r.take(2*n), r.take(2*n), r.take(2*n)
		c.defs, c.size, c.uses, c.impDefs = r.take(n), r.take(n), r.take(n), r.take(n)
		sum := 0
		for i := range n {
			if i%desc.InstrGroup == 0 {
				c.offs = append(c.offs, uint32(sum))
			}
			sum += int(c.len[i])
			if int(le16(c.fl, 2*i)) >= len(flags) {
				r.err = fmt.Errorf("row %d names no flags", i)
				return
			}
		}
		d.in.SetInstrsFunc(n, c.decode)
	})
}

// instrColumns are the columns of the instructions' table, in the file's bytes.
type instrColumns struct {
	flags                                 []desc.InstrFlags
	offs                                  []uint32 // of each group: where its first name begins
	len, fl, tsf, ops, imp, sched, numOps string
	defs, size, uses, impDefs             string
}

// decode fills in the rows of a group, which begins with row from.
func (c *instrColumns) decode(rows []desc.InstrDesc, from int) {
	off := int(c.offs[from/desc.InstrGroup])
	for k := range rows {
		i := from + k
		l := int(c.len[i])
		rows[k] = desc.InstrDesc{
			TSFlags:         le64(c.tsf, 8*i),
			Flags:           c.flags[le16(c.fl, 2*i)],
			Name:            desc.MakeName(off, l),
			OpInfo:          le16(c.ops, 2*i),
			Implicit:        le16(c.imp, 2*i),
			SchedClass:      le16(c.sched, 2*i),
			NumOperands:     le16(c.numOps, 2*i),
			NumDefs:         c.defs[i],
			Size:            c.size[i],
			NumImplicitUses: c.uses[i],
			NumImplicitDefs: c.impDefs[i],
		}
		off += l
	}
}

func (d *decoder) operands() {
	d.table(secOpInfos, func(r *reader) {
		n := r.count(6)
		class, flags, typ, tied, ec := r.take(2*n), r.take(n), r.take(n), r.take(n), r.take(n)
		rows := make([]desc.OperandInfo, n)
		for i := range rows {
			rows[i] = desc.OperandInfo{
				RegClass:     desc.ClassID(le16(class, 2*i)),
				Flags:        desc.OperandFlags(flags[i]),
				Type:         desc.OperandType(typ[i]),
				TiedTo:       int8(tied[i]),
				EarlyClobber: ec[i] != 0,
			}
		}
		d.in.OperandInfos = rows
	})
}

func (d *decoder) regs() {
	d.table(secRegs, func(r *reader) {
		const rowBytes = 2 + 5*4 + 5*2 + 2
		n := r.count(rowBytes)
		off := int(le32(r.take(4), 0))
		if len(r.s) < n*rowBytes {
			r.take(n * rowBytes)
			return
		}
		lens, subs, idx, sups, units, lanes := r.take(2*n), r.take(4*n), r.take(4*n), r.take(4*n), r.take(4*n), r.take(4*n)
		nsub, nsup, nun, first, enc := r.take(2*n), r.take(2*n), r.take(2*n), r.take(2*n), r.take(2*n)
		cost, flags := r.take(n), r.take(n)
		rows := make([]desc.RegDesc, n)
		for i := range rows {
			l := int(le16(lens, 2*i))
			rows[i] = desc.RegDesc{
				Name:         desc.MakeName(off, l),
				SubRegs:      le32(subs, 4*i),
				SubIdx:       le32(idx, 4*i),
				SuperRegs:    le32(sups, 4*i),
				Units:        le32(units, 4*i),
				UnitLanes:    le32(lanes, 4*i),
				NumSubRegs:   le16(nsub, 2*i),
				NumSuperRegs: le16(nsup, 2*i),
				NumUnits:     le16(nun, 2*i),
				FirstUnit:    desc.RegUnit(le16(first, 2*i)),
				Encoding:     le16(enc, 2*i),
				Cost:         cost[i],
				Flags:        desc.RegFlags(flags[i]),
			}
			off += l
		}
		d.in.Regs = rows
	})
	d.table(secUnits, func(r *reader) {
		n := r.count(4)
		c := r.take(4 * n)
		rows := make([]desc.UnitRoots, n)
		for i := range rows {
			rows[i] = desc.UnitRoots{desc.PhysReg(le16(c, 4*i)), desc.PhysReg(le16(c, 4*i+2))}
		}
		d.in.Units = rows
	})
}

func (d *decoder) subRegs() {
	in := d.in
	d.table(secSubRegs, func(r *reader) {
		n := r.count(16)
		c := r.take(16 * n)
		rows := make([]desc.SubRegIndexDesc, n)
		for i := range rows {
			at := 16 * i
			rows[i] = desc.SubRegIndexDesc{
				Lanes:  desc.LaneMask(le64(c, at)),
				Name:   desc.Name(le32(c, at+8)),
				Offset: le16(c, at+12),
				Size:   le16(c, at+14),
			}
		}
		in.SubRegIndices = rows
	})
	d.table(secLaneOps, func(r *reader) {
		n := r.count(9)
		masks, rots := r.take(8*n), r.take(n)
		rows := make([]desc.LaneOp, n)
		for i := range rows {
			rows[i] = desc.LaneOp{Mask: desc.LaneMask(le64(masks, 8*i)), Rotate: rots[i]}
		}
		in.LaneOps = rows
	})
}

func (d *decoder) classes() {
	d.table(secClasses, func(r *reader) {
		const rowBytes = 8 + 5*4 + 4*2 + 4
		n := r.count(rowBytes)
		c := r.take(rowBytes * n)
		rows := make([]desc.ClassDesc, n)
		for i := range rows {
			at := rowBytes * i
			rows[i] = desc.ClassDesc{
				Lanes:      desc.LaneMask(le64(c, at)),
				Name:       desc.Name(le32(c, at+8)),
				Members:    le32(c, at+12),
				Order:      le32(c, at+16),
				SuperIdx:   le32(c, at+20),
				SuperMasks: le32(c, at+24),
				NumMembers: le16(c, at+28),
				NumOrder:   le16(c, at+30),
				NumSuper:   le16(c, at+32),
				SizeInBits: le16(c, at+34),
				CopyCost:   c[at+36],
				Priority:   c[at+37],
				TSFlags:    c[at+38],
				Flags:      desc.ClassFlags(c[at+39]),
			}
		}
		d.in.Classes = rows
	})
}

func (d *decoder) modes() {
	d.table(secClassSizes, func(r *reader) {
		n := r.count(12)
		c := r.take(12 * n)
		rows := make([]desc.ClassSize, n)
		for i := range rows {
			at := 12 * i
			rows[i] = desc.ClassSize{
				Types:      le32(c, at),
				RegSize:    le16(c, at+4),
				SpillSize:  le16(c, at+6),
				SpillAlign: le16(c, at+8),
				NumTypes:   le16(c, at+10),
			}
		}
		d.in.ClassSizes = rows
	})
}

func (d *decoder) banks() {
	d.table(secBanks, func(r *reader) {
		n := r.count(12)
		c := r.take(12 * n)
		rows := make([]desc.BankDesc, n)
		for i := range rows {
			at := 12 * i
			rows[i] = desc.BankDesc{Name: desc.Name(le32(c, at)), Classes: le32(c, at+4), MaxSize: le32(c, at+8)}
		}
		d.in.Banks = rows
	})
}

func (d *decoder) masks() {
	d.table(secRegMasks, func(r *reader) {
		n := r.count(8)
		c := r.take(8 * n)
		rows := make([]desc.RegMaskDesc, n)
		for i := range rows {
			rows[i] = desc.RegMaskDesc{Name: desc.Name(le32(c, 8*i)), Bits: le32(c, 8*i+4)}
		}
		d.in.RegMasks = rows
	})
}

func (d *decoder) dwarf() {
	d.table(secDwarf, func(r *reader) {
		n := r.count(8)
		rows := make([]desc.DwarfFlavour, 0, n)
		for range n {
			name := desc.Name(le32(r.take(4), 0))
			rows = append(rows, desc.DwarfFlavour{Triple: name, Nums: uint32(len(d.in.DwarfNums))})
			d.in.DwarfNums = append(d.in.DwarfNums, array16[int16](r)...)
		}
		d.in.DwarfRegs = rows
	})
}

func (d *decoder) saved() {
	d.table(secSaved, func(r *reader) {
		const rowBytes = 18
		n := r.count(rowBytes)
		c := r.take(rowBytes * n)
		rows := make([]desc.SavedRegsDesc, n)
		for i := range rows {
			at := rowBytes * i
			rows[i] = desc.SavedRegsDesc{
				Triple:   desc.Name(le32(c, at)),
				Features: desc.Name(le32(c, at+4)),
				CC:       le16(c, at+8),
				NumRegs:  le16(c, at+10),
				Mask:     int16(le16(c, at+12)),
				Regs:     le32(c, at+14),
			}
		}
		d.in.SavedRegs = rows
	})
}

func (d *decoder) variants() {
	d.table(secVariants, func(r *reader) {
		const rowBytes = 6*4 + 2*9 + 2 + 2
		n := r.count(rowBytes)
		c := r.take(rowBytes * n)
		rows := make([]desc.VariantDesc, n)
		for i := range rows {
			at := rowBytes * i
			rows[i] = desc.VariantDesc{
				Triple:          desc.Name(le32(c, at)),
				CPU:             desc.Name(le32(c, at+4)),
				Features:        desc.Name(le32(c, at+8)),
				DataLayout:      desc.Name(le32(c, at+12)),
				Reserved:        le32(c, at+16),
				SavedRegs:       le32(c, at+20),
				NumSaved:        le16(c, at+24),
				Mask:            int16(le16(c, at+26)),
				Mode:            le16(c, at+28),
				FrameSetup:      desc.Opcode(le16(c, at+30)),
				FrameDestroy:    desc.Opcode(le16(c, at+32)),
				ReturnOp:        desc.Opcode(le16(c, at+34)),
				CatchReturn:     desc.Opcode(le16(c, at+36)),
				StackAlign:      le16(c, at+38),
				LocalAreaOffset: int16(le16(c, at+40)),
				StackGrowsUp:    c[at+42] != 0,
				PointerSize:     c[at+43],
				StackPointer:    desc.PhysReg(le16(c, at+44)),
			}
		}
		d.in.Variants = rows
	})
}

func (d *decoder) pressure() {
	in := d.in
	d.table(secPressure, func(r *reader) {
		n := r.count(8)
		c := r.take(8 * n)
		in.PressureSets = make([]desc.PressureSetDesc, n)
		for i := range in.PressureSets {
			in.PressureSets[i] = desc.PressureSetDesc{Name: desc.Name(le32(c, 8*i)), Limit: le32(c, 8*i+4)}
		}
		n = r.count(10)
		c = r.take(10 * n)
		in.ClassPressure = make([]desc.PressureDesc, n)
		for i := range in.ClassPressure {
			at := 10 * i
			in.ClassPressure[i] = desc.PressureDesc{
				Sets: le32(c, at), NumSets: le16(c, at+4), Weight: le16(c, at+6), Limit: le16(c, at+8),
			}
		}
		n = r.count(8)
		c = r.take(8 * n)
		in.UnitPressure = make([]desc.PressureDesc, n)
		for i := range in.UnitPressure {
			at := 8 * i
			in.UnitPressure[i] = desc.PressureDesc{Sets: le32(c, at), NumSets: le16(c, at+4), Weight: le16(c, at+6)}
		}
		in.PressureLists = array16[uint16](r)
	})
}

func (d *decoder) folds() {
	lazy(d, secFolds, &d.in.Folds, func(r *reader) []desc.FoldDesc {
		n := r.count(6)
		c := r.take(6 * n)
		rows := make([]desc.FoldDesc, n)
		for i := range rows {
			at := 6 * i
			rows[i] = desc.FoldDesc{
				Reg:     desc.Opcode(le16(c, at)),
				Mem:     desc.Opcode(le16(c, at+2)),
				Operand: c[at+4],
				Flags:   desc.FoldFlags(c[at+5]),
			}
		}
		return rows
	})
}

func (d *decoder) flags() {
	in := d.in
	for _, t := range [...]struct {
		id int
		to *[]desc.FlagDesc
	}{
		{secDirectFlags, &in.DirectFlags}, {secBitFlags, &in.BitmaskFlags},
		{secMemFlags, &in.MemFlags}, {secTargetIndices, &in.TargetIndices},
	} {
		d.table(t.id, func(r *reader) {
			n := r.count(12)
			c := r.take(12 * n)
			rows := make([]desc.FlagDesc, n)
			for i := range rows {
				rows[i] = desc.FlagDesc{Value: le64(c, 12*i), Name: desc.Name(le32(c, 12*i+8))}
			}
			*t.to = rows
		})
	}
}

func (d *decoder) features() {
	d.table(secFeatures, func(r *reader) {
		n := r.count(14)
		c := r.take(14 * n)
		rows := make([]desc.FeatureDesc, n)
		for i := range rows {
			at := 14 * i
			rows[i] = desc.FeatureDesc{
				Name:    desc.Name(le32(c, at)),
				Text:    desc.Name(le32(c, at+4)),
				Bit:     le16(c, at+8),
				Implies: le32(c, at+10),
			}
		}
		d.in.Features = rows
	})
	d.table(secProcessors, func(r *reader) {
		n := r.count(14)
		c := r.take(14 * n)
		rows := make([]desc.ProcessorDesc, n)
		for i := range rows {
			at := 14 * i
			rows[i] = desc.ProcessorDesc{
				Name:     desc.Name(le32(c, at)),
				Features: le32(c, at+4),
				Tune:     le32(c, at+8),
				Model:    le16(c, at+12),
			}
		}
		d.in.Processors = rows
	})
}

// pools reads the tables that are plain arrays.
func (d *decoder) pools() {
	in := d.in
	d.table(secImplicit, func(r *reader) { in.ImplicitRegs = array16[desc.PhysReg](r) })
	d.table(secRegDiffs, func(r *reader) { in.RegDiffs = array16[int16](r) })
	d.table(secSubIdxLists, func(r *reader) { in.SubIdxLists = array16[desc.SubRegIdx](r) })
	d.table(secLaneOpStart, func(r *reader) { in.LaneOpStart = array32[uint32](r) })
	d.table(secTypeLists, func(r *reader) { in.TypeLists = array16[desc.MVT](r) })
	d.table(secModes, func(r *reader) { in.Modes = array32[desc.Name](r) })
	d.table(secClassByMode, func(r *reader) { in.ClassByMode = array16[desc.ClassID](r) })
	d.table(secFeatureBits, func(r *reader) { in.FeatureBits = array64[uint64](r) })
	lazy(d, secLaneLists, &in.LaneLists, array64[desc.LaneMask])
	lazy(d, secRegLists, &in.RegLists, array16[desc.PhysReg])
	lazy(d, secCompose, &in.Compose, array16[desc.SubRegIdx])
	lazy(d, secClassBits, &in.ClassBits, array32[uint32])
	lazy(d, secSubClasses, &in.SubClasses, array32[uint32])
	lazy(d, secSubClassIdx, &in.SubClassWithIdx, array16[desc.ClassID])
	lazy(d, secRegMaskBits, &in.RegMaskBits, array32[uint32])
	var opcodes, regs string
	d.table(secOpcodeHash, func(r *reader) { opcodes = r.take(2 * r.count(2)) })
	d.table(secRegHash, func(r *reader) { regs = r.take(2 * r.count(2)) })
	in.SetHashes(opcodes, regs)
}

// lazy makes a table of a section that is decoded when it is first asked for. A
// damaged section, which an embedded file does not have, is a panic then.
func lazy[T any](d *decoder, id int, to *desc.Table[T], decode func(*reader) []T) {
	f := d.f
	to.SetFunc(func() []T {
		r := f.reader(id)
		rows := decode(r)
		if r.err != nil {
			panic(fmt.Sprintf("facts: section %d: %v", id, r.err))
		}
		return rows
	})
}

// decodeAsm finds the assembly templates, nil when the file has none. The
// tables stay where they are.
func decodeAsm(f *file, numOps, numRegs int) *desc.AsmTable {
	r := f.reader(secAsm)
	if r.s == "" || r.err != nil {
		return nil
	}
	t := &desc.AsmTable{Variants: int(le16(r.take(4), 0))}
	refs := r.count(2)
	t.Refs = r.take(2 * refs)
	t.PartEnds, t.PartBytes = stringTable(r)
	t.RegEnds, t.RegBytes = stringTable(r)
	if r.err != nil || refs != numOps*t.Variants*2 || len(t.RegEnds) != 4*(numRegs+1) {
		return nil
	}
	return t
}

func stringTable(r *reader) (ends, bytes string) {
	ends = r.take(4 * r.count(4))
	return ends, r.take(int(le32(r.take(4), 0)))
}
