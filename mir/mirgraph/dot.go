package mirgraph

import (
	"fmt"
	"strings"
)

var dotEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\l`)

// AppendDot appends the graph in Graphviz's language; loops are clusters of
// colour, edges carry probabilities.
func (g *Graph) AppendDot(b []byte) []byte {
	b = fmt.Appendf(b, "digraph \"%s\" {\n  label=\"%s\";\n  labelloc=t;\n", dotEscape.Replace(g.Name), dotEscape.Replace(g.Name))
	b = append(b, "  node [shape=box, fontname=\"monospace\", fontsize=10, style=filled, fillcolor=\"#ffffff\", color=\"#8793a3\"];\n  edge [fontname=\"monospace\", fontsize=9, color=\"#5b6776\"];\n"...)
	fills := []string{"#ffffff", "#fff4e0", "#ffe4bd", "#ffd199"}
	for k := range g.Blocks {
		x := &g.Blocks[k]
		label := x.Name
		if x.Note != "" {
			label += " " + x.Note
		}
		if x.Header {
			label += fmt.Sprintf(" (loop, depth %d)", x.Depth)
		}
		label += "\n"
		if x.Lives != "" {
			label += "liveins: " + x.Lives + "\n"
		}
		for _, l := range x.Lines {
			label += l + "\n"
		}
		attr := ""
		if !x.Reachable {
			attr = ", style=\"filled,dashed\""
		}
		b = fmt.Appendf(b, "  n%d [label=\"%s\", fillcolor=\"%s\"%s];\n", k, dotEscape.Replace(label), fills[min(x.Depth, len(fills)-1)], attr)
	}
	for k := range g.Blocks {
		for _, e := range g.Blocks[k].Succs {
			var attrs []string
			if e.Shown {
				attrs = append(attrs, fmt.Sprintf("label=\"%s\"", percent(e.Prob)))
			}
			if e.Back {
				attrs = append(attrs, "color=\"#c2570c\"", "penwidth=1.6")
			}
			if !e.Fallthrough && !e.Back {
				attrs = append(attrs, "style=solid")
			}
			b = fmt.Appendf(b, "  n%d -> n%d", k, e.To)
			if len(attrs) > 0 {
				b = append(b, " ["+strings.Join(attrs, ", ")+"]"...)
			}
			b = append(b, ";\n"...)
		}
	}
	return append(b, "}\n"...)
}
