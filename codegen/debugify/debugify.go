package debugify

import (
	"fmt"
	"math"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

const (
	irList  = "llvm.debugify"
	mirList = "llvm.mir.debugify"
)

// Debugify gives a module without debug information lines and variables: each
// instruction of IR, and each machine instruction, stands in a line of its own,
// and behind each machine instruction something is said of a variable.
var Debugify = pass.Pass{Name: "mir-debugify", Title: "Machine Debugify Module", AnyTarget: true, RunModule: debugify}

func debugify(_ *pass.Context, m *pass.Module) error {
	for _, l := range m.IR.NamedMD {
		if l.Name == "llvm.dbg.cu" {
			m.Log.Text = append(m.Log.Text, "ModuleDebugify: Skipping module with debug info\n"...)
			return nil
		}
	}
	before := [2]uint64{}
	if l := namedList(m.IR, mirList); l != nil {
		var err error
		if before, err = counts(m.IR, l); err != nil {
			return fmt.Errorf("pass mir-debugify: %w", err)
		}
	}
	k, err := newMaker(m.IR)
	if err != nil {
		return err
	}
	k.named = before[1]
	next := 0
	for _, id := range m.IR.Funcs {
		g := m.IR.Globals[id]
		var f *mir.Function
		if next < len(m.IDs) && m.IDs[next] == id {
			f = m.Funcs[next]
			next++
		}
		if isSkipped(m.IR, g) {
			continue
		}
		body := g.Func
		if f != nil {
			body = f.IR
		}
		sp, line := k.function(g, body)
		if f != nil {
			k.machine(f, body, sp, line)
		}
	}
	k.finish()
	return nil
}

// machine gives the machine instructions of a function lines from the first one
// of its subprogram on, whatever lines the instructions behind it in the module
// have, and DBG_VALUEs: of what an instruction defines, or of a constant.
func (k *maker) machine(f *mir.Function, body *ir.Function, sp ir.MDID, line int) {
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := range f.Bundles(b) {
			f.Instr(i).Loc = mir.DebugLoc(k.Location(line, 1, sp))
			line++
		}
	}
	// Variables are found by line, whichever value it is that they name in IR.
	byLine, earliest := k.variables(body)
	used := map[ir.MDID]bool{}
	expr := mir.IndexOp(mir.OpMetadata, uint32(k.Expression()), 0, 0)
	constant := int64(0)
	var defs []mir.Reg
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		behindPHIs := f.FirstNonPHI(b)
		for i := f.Block(b).First(); i != 0; {
			in := i
			i = f.NextBundle(i)
			if f.IsDebugInstr(in) || isTerminator(f, in) {
				continue
			}
			at := i
			if f.IsPHI(in) {
				at = behindPHIs
			}
			loc := f.Instr(in).Loc
			l, _ := k.m.MD.Location(ir.MDID(loc))
			v := byLine[l.Line]
			if v == 0 {
				v = earliest
			}
			used[v] = true
			mb := mir.Builder{F: f, Block: b, At: at, Loc: loc}
			value := func(o mir.Operand) {
				mb.Build(desc.DBG_VALUE, o, mir.RegOp(mir.NoReg, mir.Debug), mir.IndexOp(mir.OpMetadata, uint32(v), 0, 0), expr)
			}
			defs = defs[:0]
			for _, o := range f.Ops(in) {
				if o.IsReg() && o.IsDef() && o.Reg() != mir.NoReg {
					defs = append(defs, o.Reg())
				}
			}
			for _, r := range defs {
				value(mir.RegOp(r, mir.Debug))
			}
			if len(defs) == 0 {
				value(mir.ImmOp(constant))
				constant++
			}
		}
	}
	k.count(line-1, len(used))
}

// isTerminator reports a terminator, or a bundle that has one.
func isTerminator(f *mir.Function, head mir.InstrID) bool {
	for i := range f.InBundle(head) {
		if f.Desc(i).IsTerminator() {
			return true
		}
	}
	return false
}

// variables maps the lines of a body to the last variable that a record names
// there, and finds the variable of the first line of all.
func (k *maker) variables(f *ir.Function) (byLine map[uint32]ir.MDID, earliest ir.MDID) {
	byLine = map[uint32]ir.MDID{}
	first := uint32(math.MaxUint32)
	list := func(r uint32) {
		for ; r != 0; r = f.DbgRecords[r].Next {
			d := &f.DbgRecords[r]
			if d.Kind != ir.DbgValue {
				continue
			}
			l, _ := k.m.MD.Location(d.Loc)
			byLine[l.Line] = d.Args[1]
			if l.Line < first {
				first, earliest = l.Line, d.Args[1]
			}
		}
	}
	for _, b := range f.Order {
		for i := f.Blocks[b].First; i != 0; i = f.Instrs[i].Next {
			list(f.Instrs[i].Records)
		}
		list(f.Blocks[b].Records)
	}
	return byLine, earliest
}

// count says in the module how many lines there are, that of the last function,
// and how many variables are named, in all functions.
func (k *maker) count(lines, vars int) {
	k.named += uint64(vars)
	if l := namedList(k.m, mirList); l != nil {
		l.Nodes[0], l.Nodes[1] = k.numberList(uint64(lines)), k.numberList(k.named)
		return
	}
	k.m.AppendNamedMD(mirList, k.numberList(uint64(lines)), k.numberList(k.named))
}

func namedList(m *ir.Module, name string) *ir.NamedMD {
	for i := range m.NamedMD {
		if m.NamedMD[i].Name == name {
			return &m.NamedMD[i]
		}
	}
	return nil
}
