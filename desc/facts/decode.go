package facts

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
)

// decode builds an Info from a fact file. Names stay in the file's bytes; large
// tables are decoded when they are first asked for, or at once (eager).
func decode(data string, eager bool) (*desc.Info, error) {
	f, err := openFile(data)
	if err != nil {
		return nil, err
	}
	in := &desc.Info{}
	d := &decoder{f: f, in: in, eager: eager}
	if in.Names, err = f.section(secNames); err != nil {
		return nil, err
	}
	for _, step := range decodeSteps {
		step(d)
		if d.err != nil {
			return nil, d.err
		}
	}
	return in, nil
}

type decoder struct {
	f     *file
	in    *desc.Info
	eager bool // no table waits until it is asked for
	err   error
}

var decodeSteps = [...]func(*decoder){
	(*decoder).meta, (*decoder).instrs, (*decoder).operands, (*decoder).regs, (*decoder).subRegs,
	(*decoder).classes, (*decoder).modes, (*decoder).banks, (*decoder).masks, (*decoder).dwarf,
	(*decoder).saved, (*decoder).variants, (*decoder).pressure, (*decoder).folds, (*decoder).commutes, (*decoder).traits, (*decoder).flags, (*decoder).features, (*decoder).pools,
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
		name := desc.Name(le32(c, 0))
		if name.End() > len(in.Names) {
			r.err = errShort
			return
		}
		in.Target = in.Str(name)
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
		c.offs = make([]uint32, 0, n/desc.InstrGroup+1)
		for i := 0; i < n; i += desc.InstrGroup {
			c.offs = append(c.offs, uint32(sum))
			sum += sumBytes(c.len[i:min(i+desc.InstrGroup, n)])
		}
		for i := 0; d.eager && i < n; i++ { // the files of this package are known to be right
			if int(le16(c.fl, 2*i)) >= len(flags) {
				r.err = fmt.Errorf("row %d names no flags", i)
				return
			}
		}
		d.in.SetInstrsFunc(n, c.decode)
	})
}

// sumBytes adds up bytes, eight at a time.
func sumBytes(s string) (sum int) {
	const low = 0x00ff00ff00ff00ff
	for ; len(s) >= 8; s = s[8:] {
		w := le64(s, 0)
		sum += int((w&low + w>>8&low) * 0x0001000100010001 >> 48)
	}
	for i := range len(s) {
		sum += int(s[i])
	}
	return sum
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
		d.in.Units = rows(r, 4, func(c string) desc.UnitRoots {
			return desc.UnitRoots{desc.PhysReg(le16(c, 0)), desc.PhysReg(le16(c, 2))}
		})
	})
}

func (d *decoder) subRegs() {
	in := d.in
	d.table(secSubRegs, func(r *reader) {
		in.SubRegIndices = rows(r, 16, func(c string) desc.SubRegIndexDesc {
			return desc.SubRegIndexDesc{
				Lanes:  desc.LaneMask(le64(c, 0)),
				Name:   desc.Name(le32(c, 8)),
				Offset: le16(c, 12),
				Size:   le16(c, 14),
			}
		})
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
		d.in.Classes = rows(r, 8+5*4+4*2+4, func(c string) desc.ClassDesc {
			return desc.ClassDesc{
				Lanes:      desc.LaneMask(le64(c, 0)),
				Name:       desc.Name(le32(c, 8)),
				Members:    le32(c, 12),
				Order:      le32(c, 16),
				SuperIdx:   le32(c, 20),
				SuperMasks: le32(c, 24),
				NumMembers: le16(c, 28),
				NumOrder:   le16(c, 30),
				NumSuper:   le16(c, 32),
				SizeInBits: le16(c, 34),
				CopyCost:   c[36],
				Priority:   c[37],
				TSFlags:    c[38],
				Flags:      desc.ClassFlags(c[39]),
			}
		})
	})
}

func (d *decoder) modes() {
	d.table(secClassSizes, func(r *reader) {
		d.in.ClassSizes = rows(r, 12, func(c string) desc.ClassSize {
			return desc.ClassSize{
				Types:      le32(c, 0),
				RegSize:    le16(c, 4),
				SpillSize:  le16(c, 6),
				SpillAlign: le16(c, 8),
				NumTypes:   le16(c, 10),
			}
		})
	})
}

func (d *decoder) banks() {
	d.table(secBanks, func(r *reader) {
		d.in.Banks = rows(r, 12, func(c string) desc.BankDesc {
			return desc.BankDesc{Name: desc.Name(le32(c, 0)), Classes: le32(c, 4), MaxSize: le32(c, 8)}
		})
	})
}

func (d *decoder) masks() {
	d.table(secRegMasks, func(r *reader) {
		d.in.RegMasks = rows(r, 8, func(c string) desc.RegMaskDesc {
			return desc.RegMaskDesc{Name: desc.Name(le32(c, 0)), Bits: le32(c, 4)}
		})
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
		d.in.SavedRegs = rows(r, 18, func(c string) desc.SavedRegsDesc {
			return desc.SavedRegsDesc{
				Triple:   desc.Name(le32(c, 0)),
				Features: desc.Name(le32(c, 4)),
				CC:       le16(c, 8),
				NumRegs:  le16(c, 10),
				Mask:     int16(le16(c, 12)),
				Regs:     le32(c, 14),
			}
		})
	})
}

func (d *decoder) variants() {
	d.table(secVariants, func(r *reader) {
		d.in.Variants = rows(r, 6*4+2*9+2+2, func(c string) desc.VariantDesc {
			return desc.VariantDesc{
				Triple:          desc.Name(le32(c, 0)),
				CPU:             desc.Name(le32(c, 4)),
				Features:        desc.Name(le32(c, 8)),
				DataLayout:      desc.Name(le32(c, 12)),
				Reserved:        le32(c, 16),
				SavedRegs:       le32(c, 20),
				NumSaved:        le16(c, 24),
				Mask:            int16(le16(c, 26)),
				Mode:            le16(c, 28),
				FrameSetup:      desc.Opcode(le16(c, 30)),
				FrameDestroy:    desc.Opcode(le16(c, 32)),
				ReturnOp:        desc.Opcode(le16(c, 34)),
				CatchReturn:     desc.Opcode(le16(c, 36)),
				StackAlign:      le16(c, 38),
				LocalAreaOffset: int16(le16(c, 40)),
				StackGrowsUp:    c[42] != 0,
				PointerSize:     c[43],
				StackPointer:    desc.PhysReg(le16(c, 44)),
			}
		})
	})
}

func (d *decoder) pressure() {
	in := d.in
	d.table(secPressure, func(r *reader) {
		in.PressureSets = rows(r, 8, func(c string) desc.PressureSetDesc {
			return desc.PressureSetDesc{Name: desc.Name(le32(c, 0)), Limit: le32(c, 4)}
		})
		in.ClassPressure = rows(r, 10, func(c string) desc.PressureDesc {
			return desc.PressureDesc{
				Sets: le32(c, 0), NumSets: le16(c, 4), Weight: le16(c, 6), Limit: le16(c, 8),
			}
		})
		in.UnitPressure = rows(r, 8, func(c string) desc.PressureDesc {
			return desc.PressureDesc{Sets: le32(c, 0), NumSets: le16(c, 4), Weight: le16(c, 6)}
		})
		in.PressureLists = array16[uint16](r)
	})
}

func (d *decoder) folds() {
	lazy(d, secFolds, &d.in.Folds, func(r *reader) []desc.FoldDesc {
		return rows(r, 6, func(c string) desc.FoldDesc {
			return desc.FoldDesc{
				Reg:     desc.Opcode(le16(c, 0)),
				Mem:     desc.Opcode(le16(c, 2)),
				Operand: c[4],
				Flags:   desc.FoldFlags(c[5]),
			}
		})
	})
}

func (d *decoder) commutes() {
	lazy(d, secCommutes, &d.in.Commutes, func(r *reader) []desc.CommuteDesc {
		return rows(r, 8, func(c string) desc.CommuteDesc {
			return desc.CommuteDesc{Op: desc.Opcode(le16(c, 0)), To: desc.Opcode(le16(c, 2)), A: c[4], B: c[5], Imm: c[6], Map: c[7]}
		})
	})
	lazy(d, secCommuteMaps, &d.in.CommuteMaps, array16[int16])
}

func (d *decoder) traits() {
	d.table(secTraitRows, func(r *reader) {
		d.in.TraitKinds = rows(r, 5, func(c string) desc.OpTraits {
			return desc.OpTraits{Flags: desc.TraitFlags(c[0]), Undef: c[1], Feature: le16(c, 2), ScalarLoads: c[4]}
		})
	})
	d.table(secTraits, func(r *reader) {
		n := r.count(1)
		d.in.TraitOf = r.take(n)
		for i := 0; d.eager && i < n; i++ {
			if int(d.in.TraitOf[i]) >= len(d.in.TraitKinds) {
				r.err = fmt.Errorf("opcode %d has no traits", i)
				return
			}
		}
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
			*t.to = rows(r, 12, func(c string) desc.FlagDesc {
				return desc.FlagDesc{Value: le64(c, 0), Name: desc.Name(le32(c, 8))}
			})
		})
	}
}

func (d *decoder) features() {
	d.table(secFeatures, func(r *reader) {
		d.in.Features = rows(r, 14, func(c string) desc.FeatureDesc {
			return desc.FeatureDesc{
				Name:    desc.Name(le32(c, 0)),
				Text:    desc.Name(le32(c, 4)),
				Bit:     le16(c, 8),
				Implies: le32(c, 10),
			}
		})
	})
	d.table(secProcessors, func(r *reader) {
		d.in.Processors = rows(r, 14, func(c string) desc.ProcessorDesc {
			return desc.ProcessorDesc{
				Name:     desc.Name(le32(c, 0)),
				Features: le32(c, 4),
				Tune:     le32(c, 8),
				Model:    le16(c, 12),
			}
		})
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

// lazy makes a table of a section that is decoded when it is first asked for,
// unless all is wanted at once. A damaged section, which an embedded file does
// not have, is a panic then.
func lazy[T any](d *decoder, id int, to *desc.Table[T], decode func(*reader) []T) {
	if d.eager {
		d.table(id, func(r *reader) { to.Set(decode(r)) })
		return
	}
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
