package mirgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/support/lazyregexp"
)

// style is the sheet of the picture: a light one, and a dark one for readers
// who ask for it. Long names, since a page may hold several pictures.
const style = `
.mg { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px }
.mg-bg { fill: #f7f8fa } .mg-box { fill: #ffffff; stroke: #c3cad4 } .mg-head { fill: #e9edf3 }
.mg-loop .mg-head { fill: #fdebd0 } .mg-loop .mg-box { stroke: #e0a458 } .mg-dead .mg-box { stroke-dasharray: 4 3 }
.mg text { fill: #26303c } .mg .mg-title { font-size: 15px; font-weight: 600 } .mg .mg-dim, .mg .mg-mem { fill: #77828f }
.mg .mg-name { font-weight: 700 } .mg .mg-op { fill: #1d4f91; font-weight: 600 } .mg .mg-v { fill: #0b7a5e } .mg .mg-p { fill: #8a3fa0 } .mg .mg-bb { fill: #b3500b; font-weight: 600 }
.mg-wire { fill: none; stroke: #6f7b8a; stroke-width: 1.3 } .mg-fall { stroke: #9aa5b2 } .mg-back { stroke: #d9730d; stroke-width: 1.6 }
.mg-tip { fill: #6f7b8a } .mg-tipfall { fill: #9aa5b2 } .mg-tipback { fill: #d9730d } .mg-bar { fill: #e8912d }
.mg .mg-prob { font-size: 10px; fill: #55606d; stroke: #f7f8fa; stroke-width: 3px; paint-order: stroke; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
.mg-bg { fill: #14181d } .mg-box { fill: #1d232b; stroke: #3d4856 } .mg-head { fill: #2a323d }
.mg-loop .mg-head { fill: #43341f } .mg-loop .mg-box { stroke: #8f6a35 }
.mg text { fill: #d5dce5 } .mg .mg-dim, .mg .mg-mem { fill: #8994a1 }
.mg .mg-op { fill: #86b6f2 } .mg .mg-v { fill: #67d4b1 } .mg .mg-p { fill: #d29be3 } .mg .mg-bb { fill: #f2a65e }
.mg-wire { stroke: #8a96a5 } .mg-fall { stroke: #647080 } .mg-back { stroke: #e8912d }
.mg-tip { fill: #8a96a5 } .mg-tipfall { fill: #647080 } .mg-tipback { fill: #e8912d }
.mg .mg-prob { fill: #aab4c0; stroke: #14181d }
}
`

// AppendSVG draws the graph.
func (g *Graph) AppendSVG(b []byte) []byte {
	l := plan(g)
	title := fmt.Sprintf("%d blocks", len(g.Blocks))
	if len(g.Blocks) == 1 {
		title = "1 block"
	}
	switch {
	case g.Loops == 1:
		title += ", 1 loop"
	case g.Loops > 1:
		title += fmt.Sprintf(", %d loops", g.Loops)
	}
	if g.Irreducible {
		title += ", irreducible"
	}
	width := max(l.width, float64(len(g.Name)+len(title)+8)*9+2*margin)
	height := max(l.height, margin+titleHeight)
	b = append(b, `<svg xmlns="http://www.w3.org/2000/svg" class="mg" width="`...)
	b = num(b, width)
	b = append(b, `" height="`...)
	b = num(b, height)
	b = append(b, `" viewBox="0 0 `...)
	b = num(b, width)
	b = append(b, ' ')
	b = num(b, height)
	b = append(b, `" role="img"><title>`+esc(g.Name)+`</title><style>`+style+`</style>`+"\n"...)
	b = append(b, `<rect class="mg-bg" width="100%" height="100%"/>`+"\n"...)
	b = append(b, `<text class="mg-title" x="`...)
	b = num(b, margin)
	b = append(b, `" y="34">`+esc(g.Name)+`<tspan class="mg-dim" font-size="12" font-weight="400" dx="12">`+title+"</tspan></text>\n"...)
	b = l.appendWires(b)
	for k := range g.Blocks {
		b = l.appendBlock(b, k)
	}
	return append(b, "</svg>\n"...)
}

// num appends a coordinate with one digit behind the point at most.
func num(b []byte, v float64) []byte {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return append(b, strings.TrimSuffix(s, ".0")...)
}

func f1(v float64) string { return string(num(nil, v)) }

var xmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// esc escapes a text; control characters have no place in XML.
func esc(s string) string {
	return xmlEscape.Replace(strings.Map(func(r rune) rune {
		if r < ' ' {
			return '�'
		}
		return r
	}, s))
}

func (l *layout) appendBlock(b []byte, k int) []byte {
	x, n := &l.g.Blocks[k], &l.nodes[k]
	left, w, h := n.x-n.w/2, n.w, n.botY-n.topY
	class := "mg-block"
	if x.Header {
		class += " mg-loop"
	}
	if !x.Reachable {
		class += " mg-dead"
	}
	b = append(b, `<g class="`+class+`"><rect class="mg-box" x="`+f1(left)+`" y="`+f1(n.topY)+`" width="`+f1(w)+`" height="`+f1(h)+`" rx="5"/>`...)
	// The head has the box's round corners above and none below.
	b = append(b, `<path class="mg-head" d="M`+f1(left+.5)+` `+f1(n.topY+headHeight)+`v-`+f1(headHeight-5)+`a4.5 4.5 0 0 1 4.5 -4.5h`+f1(w-10)+`a4.5 4.5 0 0 1 4.5 4.5v`+f1(headHeight-5)+`z"/>`...)
	for d := range x.Depth {
		b = append(b, `<rect class="mg-bar" x="`+f1(left+3+float64(d)*5)+`" y="`+f1(n.topY+headHeight+3)+`" width="2.5" height="`+f1(max(h-headHeight-7, 0))+`" rx="1"/>`...)
	}
	textX := left + padX + float64(x.Depth)*5
	b = append(b, `<text x="`+f1(left+padX)+`" y="`+f1(n.topY+16)+`"><tspan class="mg-name">`+esc(x.Name)+`</tspan>`...)
	if x.Note != "" {
		b = append(b, `<tspan class="mg-dim" dx="7">`+esc(x.Note)+`</tspan>`...)
	}
	b = append(b, `</text>`...)
	if x.Header {
		b = append(b, `<text class="mg-dim" font-size="10" text-anchor="end" x="`+f1(left+w-8)+`" y="`+f1(n.topY+16)+`">loop `+strconv.Itoa(x.Depth)+`</text>`...)
	}
	y := n.topY + headHeight + padY + 10
	if x.Lives != "" {
		b = l.appendLine(b, textX, y, `<tspan class="mg-dim">`+esc("liveins: "+clip(x.Lives, maxChars-9))+`</tspan>`, "")
		y += lineHeight
	}
	for _, t := range x.Lines {
		full := ""
		if c := clip(t, maxChars); c != t {
			full, t = t, c
		}
		b = l.appendLine(b, textX, y, paint(t), full)
		y += lineHeight
	}
	return append(b, "</g>\n"...)
}

func (l *layout) appendLine(b []byte, x, y float64, markup, full string) []byte {
	b = append(b, `<text xml:space="preserve" x="`+f1(x)+`" y="`+f1(y)+`">`+markup...)
	if full != "" {
		b = append(b, `<title>`+esc(full)+`</title>`...)
	}
	return append(b, `</text>`...)
}

// clip cuts a text to n characters.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

var token = lazyregexp.Regexp{Expr: `%bb\.\d+(?:\.[-\w$.]+)?|%[-\w.]+|\$[-\w.]+|"[^"]*"|[A-Za-z_][\w.-]*`}

// paint marks the words of an instruction: the opcode, registers, blocks; what
// follows "::" is about memory.
func paint(s string) string {
	mem := strings.Index(s, " :: ")
	rest := ""
	if mem >= 0 {
		s, rest = s[:mem], `<tspan class="mg-mem">`+esc(s[mem:])+`</tspan>`
	}
	opFrom := 0
	if k := strings.Index(s, " = "); k >= 0 {
		opFrom = k + 3
	}
	var b strings.Builder
	pos, opcode := 0, false
	for _, m := range token.Get().FindAllStringIndex(s, -1) {
		word, class := s[m[0]:m[1]], ""
		switch {
		case strings.HasPrefix(word, "%bb."):
			class = "mg-bb"
		case word[0] == '%':
			class = "mg-v"
		case word[0] == '$':
			class = "mg-p"
		case word[0] == '"':
		case !opcode && m[0] >= opFrom && !isInstrFlag(word):
			class, opcode = "mg-op", true
		}
		if class == "" {
			continue
		}
		b.WriteString(esc(s[pos:m[0]]) + `<tspan class="` + class + `">` + esc(word) + `</tspan>`)
		pos = m[1]
	}
	return b.String() + esc(s[pos:]) + rest
}

// isInstrFlag knows the words that may stand before an opcode.
func isInstrFlag(s string) bool {
	switch s {
	case "frame-setup", "frame-destroy", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "nuw", "nsw", "exact", "nofpexcept", "nomerge",
		"unpredictable", "noconvergent", "nneg", "disjoint", "nusw", "samesign", "inbounds", "lr-split":
		return true
	}
	return false
}

// appendWires draws the edges.
func (l *layout) appendWires(b []byte) []byte {
	start, end := make([]float64, len(l.wires)), make([]float64, len(l.wires))
	out, in := make([][]int, len(l.g.Blocks)), make([][]int, len(l.g.Blocks))
	for k := range l.wires {
		w := &l.wires[k]
		out[w.from] = append(out[w.from], k)
		to := w.path[len(w.path)-1]
		in[to] = append(in[to], k)
	}
	for n := range l.g.Blocks {
		l.spread(n, out[n], start, func(w *wire) float64 { return l.nodes[w.path[1]].x })
		l.spread(n, in[n], end, func(w *wire) float64 { return l.nodes[w.path[len(w.path)-2]].x })
	}
	backs := 0
	for k := range l.wires {
		w := &l.wires[k]
		e := &l.g.Blocks[w.from].Succs[w.succ]
		class, tip := "mg-wire", "mg-tip"
		var d string
		ty := l.nodes[w.path[len(w.path)-1]].topY - 1
		switch {
		case l.goesUp(w):
			class, tip = "mg-wire mg-back", "mg-tipback"
			d = l.backPath(w, start[k], end[k], backs)
			backs++
		default:
			if e.Fallthrough {
				class, tip = "mg-wire mg-fall", "mg-tipfall"
			}
			d = l.downPath(w, start[k], end[k])
		}
		b = append(b, `<path class="`+class+`" d="`+d+`"/><path class="`+tip+`" d="M`+f1(end[k])+` `+f1(ty)+`l-4 -8h8z"/>`...)
		if e.Shown {
			n := &l.nodes[w.from]
			// The label stands on the side that the edge turns away from.
			x, anchor := start[k]+4, ""
			if l.goesUp(w) || l.nodes[w.path[1]].x > start[k] {
				x, anchor = start[k]-4, ` text-anchor="end"`
			}
			b = append(b, `<text class="mg-prob"`+anchor+` x="`+f1(x)+`" y="`+f1(n.botY+13)+`">`+esc(percent(e.Prob))+`</text>`...)
		}
		b = append(b, '\n')
	}
	return b
}

// spread gives the wires at one side of a block their places, in the order of
// where they lead; those that go up stand to the right.
func (l *layout) spread(n int, wires []int, at []float64, toward func(*wire) float64) {
	key := func(k int) float64 {
		if w := &l.wires[k]; l.goesUp(w) {
			return 1e9 + w.lane
		}
		return toward(&l.wires[k])
	}
	slices.SortStableFunc(wires, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	nd := &l.nodes[n]
	step := min(76, (nd.w-28)/float64(max(len(wires)-1, 1)))
	for p, k := range wires {
		at[k] = nd.x + (float64(p)-float64(len(wires)-1)/2)*step
	}
}

// downPath leads from block to block through the bends between them.
func (l *layout) downPath(w *wire, x0, x1 float64) string {
	n := &l.nodes[w.from]
	x, y := x0, l.rankY[n.rank]+l.rankH[n.rank]
	d := "M" + f1(x) + " " + f1(n.botY) + "V" + f1(y)
	for k := 1; k < len(w.path); k++ {
		m := &l.nodes[w.path[k]]
		tx, ty := m.x, m.topY
		last := k == len(w.path)-1
		if last {
			tx, ty = x1, m.topY-7
		}
		mid := (ty - y) * 0.55
		d += "C" + f1(x) + " " + f1(y+mid) + " " + f1(tx) + " " + f1(ty-mid) + " " + f1(tx) + " " + f1(ty)
		x, y = tx, ty
		if !last {
			y = l.rankY[m.rank] + l.rankH[m.rank]
			d += "V" + f1(y)
		}
	}
	return d
}

// backPath leads down out of a block, aside to its lane, up, and into a block
// from above.
func (l *layout) backPath(w *wire, x0, x1 float64, nth int) string {
	const r = 7
	from, to := &l.nodes[w.from], &l.nodes[w.path[1]]
	low := l.rankY[from.rank] + l.rankH[from.rank] + 18 + float64(nth%3)*4
	high := l.rankY[to.rank] - 15 - float64(nth%3)*4
	return "M" + f1(x0) + " " + f1(from.botY) + "V" + f1(low-r) + "q0 7 7 7H" + f1(w.lane-r) + "q7 0 7 -7V" + f1(high+r) +
		"q0 -7 -7 -7H" + f1(x1+r) + "q-7 0 -7 7V" + f1(to.topY-7)
}
