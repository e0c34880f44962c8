package irsummary

import (
	"math"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/iranalysis"
)

// Kinds of values in !prof !{"VP", …}.
const (
	profTargets = 0
	profVTables = 2
)

// Shares of all counts, out of a million, that hot and not cold code runs.
const (
	cutoffHot  = 990000
	cutoffCold = 999999
)

// profile is the module's profile summary.
type profile struct {
	node                   ir.MDID // of the module flag ProfileSummary
	sample, partial, known bool
	hot, cold              uint64
}

// read reads the summary from the metadata.
func (p *profile) read(b *builder) {
	n := b.m.MD.At(p.node)
	if n == nil {
		return
	}
	for _, o := range n.Ops {
		kv := b.m.MD.At(o)
		if kv == nil || len(kv.Ops) != 2 {
			continue
		}
		switch b.mdString(kv.Ops[0]) {
		case "ProfileFormat":
			p.sample = b.mdString(kv.Ops[1]) == "SampleProfile"
			p.known = true
		case "IsPartialProfile":
			v, _ := b.mdInt(kv.Ops[1])
			p.partial = v != 0
		case "DetailedSummary":
			p.thresholds(b, kv.Ops[1])
		}
	}
	p.partial = p.partial && p.sample
}

func (p *profile) thresholds(b *builder, id ir.MDID) {
	list := b.m.MD.At(id)
	if list == nil {
		return
	}
	first := func(cutoff int64) uint64 {
		for _, o := range list.Ops {
			if e := b.m.MD.At(o); e != nil && len(e.Ops) == 3 {
				if c, ok := b.mdInt(e.Ops[0]); ok && c >= cutoff {
					n, _ := b.mdInt(e.Ops[1])
					return uint64(n)
				}
			}
		}
		return math.MaxUint64
	}
	p.hot, p.cold = first(cutoffHot), first(cutoffCold)
}

// hotness classifies a count.
func (p *profile) hotness(n uint64) ir.Hotness {
	switch {
	case p.known && n >= p.hot:
		return ir.HotnessHot
	case p.known && n <= p.cold:
		return ir.HotnessCold
	}
	return ir.HotnessNone
}

// profTarget is a value of a value profile with its count.
type profTarget struct{ value, count uint64 }

// prof returns the operands of an instruction's !prof node.
func (b *builder) prof(f *ir.Function, in *ir.Instr) []ir.MDID {
	for a := in.MD; a != 0; a = f.Attachments[a].Next {
		if b.m.MDKinds()[f.Attachments[a].Kind] == "prof" {
			if n := b.m.MD.At(f.Attachments[a].Node); n != nil && len(n.Ops) > 0 {
				return n.Ops
			}
		}
	}
	return nil
}

// valueProfile reads !{"VP", kind, total, value, count, …}.
func (b *builder) valueProfile(f *ir.Function, in *ir.Instr, kind int64, most int) (out []profTarget, total uint64) {
	ops := b.prof(f, in)
	if len(ops) < 5 || b.mdString(ops[0]) != "VP" {
		return nil, 0
	}
	if k, ok := b.mdInt(ops[1]); !ok || k != kind {
		return nil, 0
	}
	t, _ := b.mdInt(ops[2])
	for i := 3; i+1 < len(ops) && len(out) < most; i += 2 {
		v, _ := b.mdInt(ops[i])
		n, _ := b.mdInt(ops[i+1])
		if n == -1 { // promoted already
			continue
		}
		out = append(out, profTarget{uint64(v), uint64(n)})
	}
	return out, uint64(t)
}

// counter tells how often calls of a function run.
type counter struct {
	b       *builder
	f       *ir.Function
	entry   uint64
	known   bool // entry is
	imports []uint64
	freq    []float64
}

func (c *counter) init(b *builder, f *ir.Function) {
	c.b, c.f = b, f
	for _, a := range f.Global().MD {
		if b.m.MDKinds()[a.Kind] != "prof" {
			continue
		}
		n := b.m.MD.At(a.Node)
		if n == nil || len(n.Ops) < 2 || b.mdString(n.Ops[0]) != "function_entry_count" {
			continue
		}
		v, ok := b.mdInt(n.Ops[1])
		c.entry, c.known = uint64(v), ok && v != -1
		for _, o := range n.Ops[2:] {
			if g, ok := b.mdInt(o); ok {
				c.imports = append(c.imports, uint64(g))
			}
		}
	}
}

// frequency returns how often a block runs for one run of the entry.
func (c *counter) frequency(blk ir.BlockID) float64 {
	if c.freq == nil {
		p := iranalysis.BranchProbabilities(c.f, iranalysis.CFG(c.f))
		c.freq = analysis.NewFrequencies(p.Graph, &p.Loops, p.Edge).Freq
	}
	if int(blk) < len(c.freq) {
		if e := c.freq[c.f.Order[0]]; e != 0 {
			return c.freq[blk] / e
		}
	}
	return 0
}

// relative is the relative frequency of a block in 1/256 of the entry's.
func (c *counter) relative(blk ir.BlockID) uint64 { return uint64(c.frequency(blk) * 256) }

// of returns the count of a call: with sample profiles its own, else its block's.
func (c *counter) of(in *ir.Instr) (uint64, bool) {
	if c.b.profile.sample {
		ops := c.b.prof(c.f, in)
		if len(ops) < 2 {
			return 0, false
		}
		switch c.b.mdString(ops[0]) {
		case "branch_weights":
			sum := uint64(0)
			for _, o := range ops[1:] {
				n, ok := c.b.mdInt(o)
				if ok {
					sum += uint64(n)
				}
			}
			return sum, true
		case "VP":
			if len(ops) > 2 {
				n, ok := c.b.mdInt(ops[2])
				return uint64(n), ok
			}
		}
		return 0, false
	}
	if !c.known {
		return 0, false
	}
	return uint64(math.Round(c.frequency(in.Block) * float64(c.entry))), true
}
