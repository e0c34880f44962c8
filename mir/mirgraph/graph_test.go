package mirgraph

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

func parse(t testing.TB, src string) *mir.Function {
	t.Helper()
	f, err := mirtext.Parse("x.mir", []byte(src), mirtext.ParseOptions{Facts: func(string) (*desc.Info, error) { return facts.X86() }})
	if err != nil {
		t.Fatal(err)
	}
	return f.Functions[0]
}

const loop = `---
name: '"f&<g>"'
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1(0x80000000)
    liveins: $edi
    %0:gr32 = COPY $edi
  bb.1:
    successors: %bb.1(0x60000000), %bb.2(0x20000000)
    %0:gr32 = DEC32r %0, implicit-def $eflags
    DBG_VALUE %0, $noreg
    JCC_1 %bb.1, 5, implicit $eflags
  bb.2:
    $eax = COPY %0
    RET64 $eax
  bb.3:
    RET64
...
`

func TestNew(t *testing.T) {
	g := New(parse(t, loop), Options{})
	if g.Loops != 1 || len(g.Blocks) != 4 || g.Irreducible {
		t.Fatalf("%+v", g)
	}
	b := g.Blocks[1]
	if !b.Header || b.Depth != 1 || len(b.Lines) != 2 || !b.Succs[0].Back || b.Succs[1].Back || percent(b.Succs[0].Prob) != "75%" {
		t.Errorf("%+v", b)
	}
	if g.Blocks[0].Lives != "$edi" || g.Blocks[3].Reachable {
		t.Errorf("%+v", g.Blocks)
	}
	if n := len(New(parse(t, loop), Options{Debug: true}).Blocks[1].Lines); n != 3 {
		t.Errorf("%d lines with debug instructions", n)
	}
}

func TestPictures(t *testing.T) {
	g := New(parse(t, loop), Options{})
	svg := string(g.AppendSVG(nil))
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{">75%<", "mg-back", "mg-dead", "prefers-color-scheme: dark", "f&amp;&lt;g&gt;", "liveins: $edi"} {
		if !strings.Contains(svg, want) {
			t.Errorf("SVG: no %q", want)
		}
	}
	dot := string(g.AppendDot(nil))
	for _, want := range []string{`n1 -> n1 [label="75%", color="#c2570c", penwidth=1.6];`, `n0 -> n1;`, `digraph "\"f&<g>\""`} {
		if !strings.Contains(dot, want) {
			t.Errorf("dot: no %q in\n%s", want, dot)
		}
	}
}

// TestLayout holds a function of 200 blocks to what a picture must fulfil: no
// box lies on another, all are inside, edges lead down but for those of loops,
// and it is the same each time.
func TestLayout(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\nname: f\nbody: |\n")
	const n = 200
	for k := range n {
		fmt.Fprintf(&b, "  bb.%d:\n", k)
		switch {
		case k == n-1:
			b.WriteString("    RET64\n")
		case k%17 == 16:
			fmt.Fprintf(&b, "    successors: %%bb.%d, %%bb.%d\n    JCC_1 %%bb.%d, 4, implicit undef $eflags\n", k-15, k+1, k-15)
		case k%3 == 0:
			to := min(k+1+(k*7)%23, n-1)
			if to == k+1 {
				to = n - 1
			}
			if to == k+1 {
				fmt.Fprintf(&b, "    successors: %%bb.%d\n", k+1)
				continue
			}
			fmt.Fprintf(&b, "    successors: %%bb.%d, %%bb.%d\n    JCC_1 %%bb.%d, 4, implicit undef $eflags\n", to, k+1, to)
		default:
			fmt.Fprintf(&b, "    successors: %%bb.%d\n    NOOP\n", k+1)
		}
	}
	b.WriteString("...\n")
	f := parse(t, b.String())
	g := New(f, Options{})
	l := plan(g)
	for i := range g.Blocks {
		a := l.nodes[i]
		if a.x-a.w/2 < 0 || a.x+a.w/2 > l.width || a.botY > l.height {
			t.Errorf("block %d is outside: %+v", i, a)
		}
		for j := range i {
			c := l.nodes[j]
			if a.x-a.w/2 < c.x+c.w/2 && c.x-c.w/2 < a.x+a.w/2 && a.topY < c.botY && c.topY < a.botY {
				t.Errorf("blocks %d and %d overlap", i, j)
			}
		}
	}
	for _, w := range l.wires {
		e := g.Blocks[w.from].Succs[w.succ]
		if l.goesUp(&w) != e.Back {
			t.Errorf("edge %d to %d: up %v, back %v", w.from, e.To, l.goesUp(&w), e.Back)
		}
	}
	if string(g.AppendSVG(nil)) != string(New(f, Options{}).AppendSVG(nil)) {
		t.Error("a second picture is another")
	}
}
