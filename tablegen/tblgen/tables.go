package tblgen

import (
	"path/filepath"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/automata"
	"github.com/mirin-go/mirin/tablegen/emit/callingconv"
	"github.com/mirin-go/mirin/tablegen/emit/combiner"
	"github.com/mirin-go/mirin/tablegen/emit/intrinsics"
	"github.com/mirin-go/mirin/tablegen/emit/searchable"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
)

// genGoSearchable writes the searchable tables of the records as Go.
func genGoSearchable(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := searchable.Collect(rs)
	if err != nil {
		return nil, err
	}
	return searchable.AppendGo(nil, rs, t, c.goPackage)
}

// loadFacts makes the facts of --facts definitions. Combine rules need some:
// all targets have the generic instructions.
func (c *command) loadFacts(opts *tablegen.Options) (err error) {
	name := c.facts
	if name == "" && (c.action == "gen-go-combiner" || c.action == "gen-combiner-table") {
		name = facts.Names()[0]
	}
	if name == "" {
		return nil
	}
	if c.info, err = facts.Load(name); err == nil {
		opts.LazyDef = include.Facts(c.info)
	}
	return err
}

// describedTarget is the target that a description is about: that of --facts,
// or what its records say.
func (c *command) describedTarget(rs *tablegen.Records) (*desc.Info, error) {
	if c.info != nil {
		return c.info, nil
	}
	t, err := targetinfo.Build(rs, targetinfo.Options{Target: c.target})
	if err != nil {
		return nil, err
	}
	return t.Info, nil
}

// combineRules compiles a combiner.
func (c *command) combineRules(rs *tablegen.Records) (*combiner.Result, error) {
	r, err := combiner.FromRecords(c.info, rs, c.combiner)
	if r != nil {
		for _, w := range r.Warnings {
			c.stderr.Write(w.AppendText(nil))
		}
	}
	return r, err
}

// genGoCombiner writes a Go file that embeds the table of a combiner: a file
// beside it, of the same name but for its end.
func genGoCombiner(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	r, err := c.combineRules(rs)
	if err != nil {
		return nil, err
	}
	bin := "combine"
	if c.out != "-" {
		bin = strings.TrimSuffix(filepath.Base(c.out), ".go")
	}
	return combiner.AppendGo(nil, r, c.goPackage, bin+".bin")
}

// genCombinerTable writes that table.
func genCombinerTable(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	r, err := c.combineRules(rs)
	if err != nil {
		return nil, err
	}
	return r.Table.AppendBinary(nil), nil
}

// genGoIntrinsics writes the constants of package ir.
func genGoIntrinsics(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := intrinsics.Collect(rs)
	if err != nil {
		return nil, err
	}
	return intrinsics.AppendGo(nil, l, c.goPackage)
}

// genIntrinsicNames writes the table of names of package ir.
func genIntrinsicNames(_ *command, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := intrinsics.Collect(rs)
	if err != nil {
		return nil, err
	}
	return intrinsics.AppendNames(nil, l), nil
}

// genIntrinsicSignatures writes the table of package ir/intrin.
func genIntrinsicSignatures(_ *command, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := intrinsics.Collect(rs)
	if err != nil {
		return nil, err
	}
	return intrinsics.AppendSignatures(nil, l)
}

// genGoAutomata writes the automata of GenericAutomaton records.
func genGoAutomata(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := automata.Generic(rs)
	if err != nil {
		return nil, err
	}
	return automata.AppendGo(nil, l, c.goPackage)
}

// genGoPacketizer writes the packetizers of a machine's itineraries.
func genGoPacketizer(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	l, classes, err := automata.Packetizers(rs)
	if err != nil {
		return nil, err
	}
	return automata.AppendPacketizers(nil, l, classes, c.goPackage)
}

// genGoCallingConv writes the tables of calling conventions as Go.
func genGoCallingConv(c *command, rs *tablegen.Records, _ string) ([]byte, error) {
	info, err := c.describedTarget(rs)
	if err != nil {
		return nil, err
	}
	t, err := callingconv.FromRecords(info, rs)
	if err != nil {
		return nil, err
	}
	return callingconv.AppendGo(nil, t, c.goPackage)
}
