package tblgen

import (
	"strconv"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/dagisel"
	"github.com/mirin-go/mirin/tablegen/emit/dagpattern"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// readPatterns reads the selection patterns of a target and says what there is
// to say about those that are left out.
func (c *command) readPatterns(rs *tablegen.Records) (*dagpattern.Set, error) {
	p, err := dagpattern.Read(rs)
	if p != nil {
		for _, w := range p.Warnings {
			c.stderr.Write(tablegen.Report{Diagnostic: w}.AppendText(nil))
		}
	}
	return p, err
}

// printPatterns lists the patterns in the order in which they are tried, as
// the comments of LLVM's tables do.
func printPatterns(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	p, err := c.readPatterns(rs)
	if err != nil {
		return nil, err
	}
	var b []byte
	for _, x := range p.Patterns {
		file, line := rs.Position(x.Record.Loc)
		b = strconv.AppendInt(append(append(append(b, "// "...), file...), ':'), int64(line), 10)
		b = p.AppendPattern(append(b, '\n'), x)
	}
	return b, nil
}

// skipped warns of patterns that a table leaves out, where that is asked for.
func (c *command) skipped(l []dagpattern.Skipped) {
	for _, s := range l {
		if c.warnSkipped {
			c.stderr.Write(tablegen.Report{Diagnostic: s.Diagnostic}.AppendText(nil))
		}
	}
}

// genGoDAGISel writes the table of a SelectionDAG selector as Go.
func genGoDAGISel(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	p, err := c.readPatterns(rs)
	if err != nil {
		return nil, err
	}
	res, err := dagisel.Generate(p)
	if err != nil {
		return nil, err
	}
	f := gofile.New(c.action, c.goPackage)
	f.Printf("// DAGSelector selects SelectionDAG nodes: %d patterns, %d rules; see codegen/matchtable.\n", res.Patterns, res.Rules)
	if len(res.Hooks) > 0 {
		f.Printf("// The target provides Go functions for:\n//\n")
	}
	for _, h := range res.Hooks {
		f.Printf("//\t%s %s (%s:%d)\n", h.Kind, h.Name, h.File, h.Line)
	}
	c.skipped(res.Skipped)
	f.Const("DAGSelector", res.Table.AppendBinary(nil))
	return f.AppendTo(nil)
}

// globalISel makes the table of a GlobalISel selector. Patterns that are left out
// are errors where the target has no other selector.
func (c *command) globalISel(rs *tablegen.Records) (*globalisel.Result, error) {
	info, err := c.describedTarget(rs)
	if err != nil {
		return nil, err
	}
	p, err := c.readPatterns(rs)
	if err != nil {
		return nil, err
	}
	res, err := globalisel.Generate(p, info)
	if err != nil {
		return nil, err
	}
	if err := res.Err(); err != nil {
		return nil, err
	}
	c.skipped(res.Skipped)
	for _, r := range res.Reports {
		if r.Severity != diag.Note || c.noteOverlaps {
			c.stderr.Write(tablegen.Report{Diagnostic: r}.AppendText(nil))
		}
	}
	return res, nil
}

// genGoGlobalISel writes the table of a GlobalISel selector as Go.
func genGoGlobalISel(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	res, err := c.globalISel(rs)
	if err != nil {
		return nil, err
	}
	f := gofile.New(c.action, c.goPackage)
	f.Printf("// GlobalSelector selects generic instructions: %d of %d patterns, %d rules; see codegen/matchtable.\n", res.Imported, res.Patterns, res.Rules)
	f.Const("GlobalSelector", res.Table.AppendBinary(nil))
	return f.AppendTo(nil)
}

// genGlobalISelTable writes the bytes of that table.
func genGlobalISelTable(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	res, err := c.globalISel(rs)
	if err != nil {
		return nil, err
	}
	return res.Table.AppendBinary(nil), nil
}
