package main

import (
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/automata"
	"github.com/mirin-go/mirin/tablegen/emit/combiner"
	"github.com/mirin-go/mirin/tablegen/emit/intrinsics"
	"github.com/mirin-go/mirin/tablegen/emit/searchable"
	"github.com/mirin-go/mirin/tablegen/include"
)

// genGoSearchable writes the searchable tables of the records as Go.
func genGoSearchable(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	t, err := searchable.Collect(rs)
	if err != nil {
		return nil, err
	}
	return searchable.AppendGo(nil, rs, t, o.goPackage)
}

// factsOf is the target whose instructions rules may name; all have the generic ones.
func (o *tblgenOptions) factsOf() string {
	if o.target != "" {
		return o.target
	}
	return "X86"
}

// tableOptions adds what a generator wants to know while records are read.
func (o *tblgenOptions) tableOptions(opts *tablegen.Options) {
	if o.action != "gen-go-combiner" {
		return
	}
	if in, err := facts.Load(o.factsOf()); err == nil {
		opts.LazyDef = func(name string) (tablegen.LazyRecord, bool) { return include.Facts(in)(name) }
	}
}

// genGoCombiner writes the table of a combiner as Go.
func genGoCombiner(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	in, err := facts.Load(o.factsOf())
	if err != nil {
		return nil, err
	}
	r, err := combiner.FromRecords(in, rs, o.combiner)
	if r != nil {
		for _, w := range r.Warnings {
			o.stderr.Write(w.AppendText(nil))
		}
	}
	if err != nil {
		return nil, err
	}
	return combiner.AppendGo(nil, r, o.goPackage)
}

// genGoIntrinsics writes the tables of ir/intrin.
func genGoIntrinsics(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := intrinsics.Collect(rs)
	if err != nil {
		return nil, err
	}
	return intrinsics.AppendGo(nil, l, o.goPackage), nil
}

// genGoAutomata writes the automata of GenericAutomaton records.
func genGoAutomata(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	l, err := automata.Generic(rs)
	if err != nil {
		return nil, err
	}
	return automata.AppendGo(nil, l, o.goPackage)
}

// genGoPacketizer writes the packetizers of a machine's itineraries.
func genGoPacketizer(o *tblgenOptions, rs *tablegen.Records, _ string) ([]byte, error) {
	l, classes, err := automata.Packetizers(rs)
	if err != nil {
		return nil, err
	}
	return automata.AppendPacketizers(nil, l, classes, o.goPackage)
}
