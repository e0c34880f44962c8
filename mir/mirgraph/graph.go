package mirgraph

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/analysis"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Graph is what is drawn of a function.
type Graph struct {
	Name   string
	Blocks []Block // in layout order; the first is the entry
	Loops  int     // number of natural loops
	// Irreducible says that some cycle has more than one entry.
	Irreducible bool
}

// Block is one block.
type Block struct {
	Name  string // bb.2
	Note  string // what stands behind the name: IR block, attributes
	Lives string // live-in registers, "" for none
	Lines []string
	Succs []Edge
	// Depth is the number of loops that the block is in; Header says that it
	// is the head of the innermost, Loop that one's number, -1 for none.
	Depth     int
	Header    bool
	Loop      int
	Reachable bool
}

// Edge leads to a successor.
type Edge struct {
	To   int
	Prob float64
	// Shown says that the probability is worth showing: there are others.
	Shown bool
	// Back says that the edge leads against the order of the ranks.
	Back bool
	// Fallthrough says that To is the next block in the layout.
	Fallthrough bool
}

// Options control New.
type Options struct {
	// Locations shows debug locations, Debug the debug instructions.
	Locations, Debug bool
}

// New takes what is drawn from a function.
func New(f *mir.Function, o Options) *Graph {
	g := &Graph{Name: f.Name}
	number := make([]int, f.NumBlockIDs())
	var order []mir.BlockID
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		number[b] = len(order)
		order = append(order, b)
	}
	if len(order) == 0 {
		return g
	}
	cfg := analysis.NewGraph(len(order), 0)
	for k, b := range order {
		for _, s := range f.Succs(b) {
			cfg.AddEdge(k, number[s.Block])
		}
	}
	cfg.Finish()
	loops := analysis.NewLoops(cfg, analysis.NewDominators(cfg))
	g.Loops, g.Irreducible = len(loops.All), loops.Irreducible
	p := mirtext.NewDebugPrinter(f, mirtext.PrintOptions{NoLocations: !o.Locations})
	bodies := blockLines(f, o)
	var probs []mir.Prob
	for k, b := range order {
		x := Block{Name: "bb." + strconv.Itoa(int(f.Block(b).Number)), Note: note(f, p, b), Loop: int(loops.Loop[k]),
			Depth: loops.Depth(k), Header: loops.IsHeader(k), Reachable: cfg.Reachable(k)}
		for n, l := range f.LiveInsOf(b) {
			if n > 0 {
				x.Lives += ", "
			}
			x.Lives += string(p.AppendReg(nil, l.Reg))
		}
		if k < len(bodies) {
			x.Lines = bodies[k]
		}
		succs := f.Succs(b)
		probs = f.AppendSuccProbs(probs[:0], b)
		for n, s := range succs {
			to := number[s.Block]
			x.Succs = append(x.Succs, Edge{To: to, Prob: float64(probs[n]) / float64(mir.ProbOne), Shown: len(succs) > 1,
				Back: cfg.Reachable(k) && cfg.RPONumber(to) <= cfg.RPONumber(k), Fallthrough: to == k+1})
		}
		g.Blocks = append(g.Blocks, x)
	}
	return g
}

// blockLines returns the instructions of each block as the serialized form
// has them, which is shorter than the form of reports.
func blockLines(f *mir.Function, o Options) [][]string {
	text := string(mirtext.AppendFunction(nil, f, mirtext.PrintOptions{Simplify: true, NoLocations: !o.Locations}))
	var out [][]string
	_, body, _ := strings.Cut(text, "\nbody: ")
	for _, l := range strings.Split(body, "\n") {
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "  bb."):
			out = append(out, nil)
		case len(out) == 0 || t == "" || t == "..." || strings.HasPrefix(t, "; ") || strings.HasPrefix(t, "successors:") || strings.HasPrefix(t, "liveins:"):
		case !o.Debug && strings.HasPrefix(t, "DBG_"):
		default:
			// A bundle's instructions stay indented.
			out[len(out)-1] = append(out[len(out)-1], strings.TrimPrefix(l, "    "))
		}
	}
	return out
}

// note says what is special about a block.
func note(f *mir.Function, p *mirtext.DebugPrinter, b mir.BlockID) string {
	var words []string
	if n := p.BlockName(b); n != "" {
		words = append(words, n)
	}
	fl := f.Block(b).Flags
	for _, x := range []struct {
		flag mir.BlockFlags
		name string
	}{{mir.EHPad, "landing-pad"}, {mir.EHFuncletEntry, "ehfunclet-entry"}, {mir.InlineAsmBrTarget, "inlineasm-br-indirect-target"},
		{mir.MachineAddrTaken, "address-taken"}, {mir.IRAddrTaken, "ir-block-address-taken"}} {
		if fl&x.flag != 0 {
			words = append(words, x.name)
		}
	}
	return strings.Join(words, " · ")
}

// percent writes a probability in at most four digits.
func percent(p float64) string {
	switch {
	case p <= 0:
		return "0%"
	case p >= 1:
		return "100%"
	case p < 0.0005:
		return "<0.1%"
	case p > 0.9995:
		return ">99.9%"
	}
	s := strconv.FormatFloat(p*100, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0") + "%"
}
