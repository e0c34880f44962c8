package targetinfo

import (
	"fmt"
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// Target is a target as its records describe it.
type Target struct {
	Info *desc.Info
	// Rec is the record of class Target, nil without one.
	Rec *tablegen.Record
	// Instrs are all instructions by opcode. Those that all targets share have
	// no record where the description does not say them.
	Instrs []Instr
	// Namespace is that of the target's registers and instructions.
	Namespace string
	// Warnings are what is odd and can be understood nevertheless.
	Warnings []tablegen.Report

	byRec map[*tablegen.Record]desc.Opcode
	b     *builder
}

// Options say what to make.
type Options struct {
	// Target names the record of class Target, where there are several.
	Target string
	// RegistersOnly leaves out instructions, features and machine models.
	RegistersOnly bool
	// NoRegisters admits a description without any: encodings need none.
	NoRegisters bool
	// IncludeDirs are for Load: where included files are looked for, besides
	// those of mirin/, which are built in.
	IncludeDirs []string
}

// Build makes the description. The error is a diag.List.
func Build(rs *tablegen.Records, o Options) (*Target, error) {
	b := &builder{rs: rs, t: &Target{Info: &desc.Info{}, byRec: map[*tablegen.Record]desc.Opcode{}}}
	steps := []func(){
		b.target, b.hwModes, b.readSubRegIndices, b.readRegisters, b.buildRegisterGraph, b.completeSubRegs,
		b.readClasses, b.inferClasses, b.orderClasses, b.composeIndices, b.laneMasks, b.unitWeights, b.pressureSets,
		b.unitLanes, b.layoutRegisters, b.layoutClasses, b.layoutBanks, b.layoutPressure, b.layoutMasks,
	}
	if !o.RegistersOnly {
		steps = append(steps, b.features, b.readInstrs, b.inferFlags, b.schedule, b.layoutInstrs)
	}
	b.wanted, b.t.b = o.Target, b
	b.noRegisters = o.NoRegisters
	for _, step := range append(steps, b.layoutRest) {
		step()
		if len(b.errs) > 0 {
			return nil, b.errs
		}
	}
	return b.t, nil
}

// OpcodeOf gives the opcode of a record.
func (t *Target) OpcodeOf(r *tablegen.Record) (desc.Opcode, bool) {
	op, ok := t.byRec[r]
	return op, ok
}

// builder holds what Build collects.
type builder struct {
	rs     *tablegen.Records
	t      *Target
	wanted string
	// noRegisters is Options.NoRegisters.
	noRegisters bool
	errs        diag.List
	sets        *tablegen.Sets

	modes   []*tablegen.Record // of class HwMode; row 0 is the default mode, nil
	modeNum map[*tablegen.Record]int

	indices  []*subRegIndex // numbered from 1
	idxByRec map[*tablegen.Record]*subRegIndex
	concats  map[string]*subRegIndex // by numbers of the parts

	regs     []*register // numbered from 1
	regByRec map[*tablegen.Record]*register
	topoSigs map[string]int
	units    []regUnit
	native   int // units below are real, those above were made to balance weights

	classes    []*class
	classByRec map[*tablegen.Record]*class
	classByKey map[string]*class
	covering   desc.LaneMask
	sets0      []unitSet // pressure sets
	classSets  [][]int   // of each class: numbers in sets0
	unitSets   [][]int

	featureBit map[*tablegen.Record]int
	features0  []*tablegen.Record
	procs      []*tablegen.Record
	sched      *schedBuilder

	types    map[*tablegen.Record]desc.MVT
	lay      layout
	names    []byte
	nameOffs map[string]desc.Name
}

// maxErrors bounds the number of faults that one run reports.
const maxErrors = 50

// fail reports a fault of a field of a record.
func (b *builder) fail(r *tablegen.Record, field, format string, args ...any) {
	if len(b.errs) >= maxErrors {
		return
	}
	var at tablegen.Loc
	if r != nil {
		at = r.Loc
		if field != "" { // where the record sets it, not where a class has a default
			own, line := b.rs.Position(r.Loc)
			if f, l := b.rs.Position(r.FieldLoc(field)); f == own && l >= line {
				at = r.FieldLoc(field)
			}
		}
	}
	b.errs = append(b.errs, b.rs.ErrorsAt(r, at, fmt.Sprintf(format, args...))...)
}

// failWith reports the error of another package.
func (b *builder) failWith(r *tablegen.Record, err error) {
	if len(b.errs) >= maxErrors {
		return
	}
	switch err := err.(type) {
	case *diag.Diagnostic:
		b.errs = append(b.errs, err)
	case diag.List:
		b.errs = append(b.errs, err...)
	default:
		b.fail(r, "", "%s", err)
	}
}

// target finds the record of class Target and the namespace.
func (b *builder) target() {
	var all []*tablegen.Record
	if b.rs.Class("Target") != nil {
		all = b.rs.DerivedSorted("Target")
	}
	for _, r := range all {
		if b.wanted == "" || r.Name == b.wanted {
			b.t.Rec = r
			break
		}
	}
	switch {
	case b.t.Rec == nil && b.wanted != "":
		b.fail(nil, "", "there is no target '%s'", b.wanted)
	case b.wanted == "" && len(all) > 1:
		b.fail(all[1], "", "more than one target: '%s' and '%s'; --target names one", all[0].Name, all[1].Name)
	}
	if b.t.Rec != nil {
		b.t.Info.Target = b.t.Rec.Name
	}
	b.nameOffs = map[string]desc.Name{}
}

// hwModes numbers the hardware modes; mode 0 is the default.
func (b *builder) hwModes() {
	b.modes = []*tablegen.Record{nil}
	b.modeNum = map[*tablegen.Record]int{}
	if b.rs.Class("HwMode") == nil {
		return
	}
	for _, r := range b.rs.DerivedSorted("HwMode") {
		if r.Name == "DefaultMode" {
			b.modeNum[r] = 0
			continue
		}
		b.modeNum[r] = len(b.modes)
		b.modes = append(b.modes, r)
	}
}

// byMode gives the objects of a HwModeSelect by mode number; nil where the mode
// has none. A fault is reported.
func (b *builder) byMode(sel *tablegen.Record) []*tablegen.Record {
	out := make([]*tablegen.Record, len(b.modes))
	modes, objs := sel.DefList("Modes"), sel.DefList("Objects")
	if len(modes) != len(objs) {
		b.fail(sel, "Objects", "'%s' has %d modes and %d objects", sel.Name, len(modes), len(objs))
		return out
	}
	for i, m := range modes {
		n, ok := b.modeNum[m]
		if !ok {
			b.fail(sel, "Modes", "'%s' is no hardware mode", m.Name)
			continue
		}
		out[n] = objs[i]
	}
	return out
}

// derived lists the definitions of a class in LLVM's order; none where the
// class does not exist.
func (b *builder) derived(class string) []*tablegen.Record {
	if b.rs.Class(class) == nil {
		return nil
	}
	return b.rs.DerivedSorted(class)
}

// sortedBy gives the records sorted by a string field.
func sortedBy(l []*tablegen.Record, field string) []*tablegen.Record {
	out := append([]*tablegen.Record(nil), l...)
	sort.SliceStable(out, func(i, j int) bool {
		return tablegen.CompareNames(out[i].String(field), out[j].String(field)) < 0
	})
	return out
}
