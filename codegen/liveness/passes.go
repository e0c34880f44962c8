package liveness

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// The analyses as passes, for -run-pass and -stop-after: they change nothing.

// SlotIndexes computes Indexes.
var SlotIndexes = pass.Pass{Name: "slotindexes", Title: "Slot index numbering", KeepsAll: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		pass.Get[Indexes](c, f)
		return nil
	}}

// LiveIntervals computes Intervals.
var LiveIntervals = pass.Pass{Name: "liveintervals", Title: "Live Interval Analysis", KeepsAll: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		pass.Get[Intervals](c, f)
		return nil
	}}

// LiveVars computes Variables and writes the kill and dead flags.
var LiveVars = pass.Pass{Name: "livevars", Title: "Live Variable Analysis", Requires: mir.IsSSA, KeepsAll: true,
	Run: func(c *pass.Context, f *mir.Function) error {
		pass.Drop[Variables](c)
		pass.Get[Variables](c, f)
		return nil
	}}

// Passes lists the analyses that can be run by name.
var Passes = []*pass.Pass{&LiveVars, &SlotIndexes, &LiveIntervals}
