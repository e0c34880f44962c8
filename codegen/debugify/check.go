package debugify

import (
	"fmt"
	"strconv"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// CheckDebugify says which of the lines and variables that mir-debugify made are
// gone, and which instructions have no location.
var CheckDebugify = pass.Pass{Name: "mir-check-debugify", Title: "Machine Check Debug Module", AnyTarget: true, RunModule: check}

// checker is what is left of the lines and variables.
type checker struct {
	m           *pass.Module
	lines, vars []bool // by number less one: true where it was met
}

func check(_ *pass.Context, m *pass.Module) error {
	l := namedList(m.IR, mirList)
	if l == nil {
		m.Log.Text = append(m.Log.Text, "WARNING: Please run mir-debugify to generate llvm.mir.debugify metadata first.\n"...)
		return nil
	}
	sizes, err := counts(m.IR, l)
	if err != nil {
		return fmt.Errorf("pass mir-check-debugify: %w", err)
	}
	c := &checker{m: m, lines: make([]bool, sizes[0]), vars: make([]bool, sizes[1])}
	for _, f := range m.Funcs {
		if f == nil {
			continue
		}
		for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
			for i := range f.Bundles(b) {
				c.instr(f, i)
			}
		}
	}
	verdict := "PASS"
	missing := func(what string, met []bool) {
		for k, ok := range met {
			if !ok {
				verdict = "FAIL"
				m.Log.Text = fmt.Appendf(m.Log.Text, "WARNING: Missing %s %d\n", what, k+1)
			}
		}
	}
	missing("line", c.lines)
	missing("variable", c.vars)
	m.Log.Text = append(m.Log.Text, "Machine IR debug info check: "+verdict+"\n"...)
	return nil
}

// counts reads the numbers of lines and variables that mir-debugify left.
func counts(m *ir.Module, l *ir.NamedMD) (sizes [2]uint64, err error) {
	for k := range sizes {
		ok := k < len(l.Nodes)
		if ok {
			n := m.MD.At(l.Nodes[k])
			if ok = n != nil && len(n.Ops) == 1; ok {
				sizes[k], ok = number(m, n.Ops[0])
			}
		}
		if !ok || sizes[k] > 1<<31 {
			return sizes, fmt.Errorf("!%s does not hold the numbers of lines and variables", mirList)
		}
	}
	return sizes, nil
}

func (c *checker) instr(f *mir.Function, i mir.InstrID) {
	md := &c.m.IR.MD
	ops, variable := f.Ops(i), -1
	switch op := f.Instr(i).Opcode; {
	case op == desc.DBG_VALUE && len(ops) == 4:
		variable = 2
	case op == desc.DBG_VALUE_LIST && len(ops) > 1:
		variable = 0
	}
	if variable >= 0 {
		// Its line is that of the instruction in front of it.
		if n, ok := variableNumber(md, ir.MDID(ops[variable].Index())); ok && n <= len(c.vars) {
			c.vars[n-1] = true
		}
		return
	}
	loc := f.Instr(i).Loc
	if loc == 0 {
		c.m.Log.Text = append(c.m.Log.Text, "WARNING: Instruction with empty DebugLoc in function "+f.Name+" --"...)
		if c.m.PrintInstr != nil {
			c.m.Log.Text = c.m.PrintInstr(c.m.Log.Text, f, i)
		}
		c.m.Log.Text = append(c.m.Log.Text, '\n')
		return
	}
	if l, _ := md.Location(ir.MDID(loc)); l.Line > 0 && int(l.Line) <= len(c.lines) {
		c.lines[l.Line-1] = true
	}
}

// variableNumber is the number that a variable of mir-debugify has for a name.
func variableNumber(md *ir.MDTable, id ir.MDID) (int, bool) {
	n := md.At(id)
	if n == nil || n.Str != "DILocalVariable" {
		return 0, false
	}
	for i := range n.Fields {
		if n.Fields[i].Name == "name" {
			v, err := strconv.ParseUint(n.Fields[i].Str, 10, 31)
			return int(v), err == nil && v > 0
		}
	}
	return 0, false
}
