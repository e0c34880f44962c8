package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirgraph"
)

const mirCFGExamples = `  mirin mir cfg a.mir -o a.svg          the only function, or the first
  mirin mir cfg a.mir -func main -o main.svg
  mirin mir cfg --format=dot a.mir | dot -Tpdf -o a.pdf
  llc -stop-after=isel a.ll -o - | mirin mir cfg - -o a.svg
`

// mirCFGMain is mirin mir cfg.
func mirCFGMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	var out, format, name string
	var o mirgraph.Options
	s := &llvmflag.Set{Tool: "mirin mir cfg", Usage: "[options] <file, - for standard input>", MaxArgs: 1,
		Overview: "draw the blocks of a function", Examples: mirCFGExamples}
	s.String(&name, "func", "The function; default: the first of the file").Value("name").Alias("function")
	s.String(&out, "o", "Where to write; default: standard output").Value("file")
	s.Enum(&format, "format", "Form of the picture; default: as the name of the output ends, else svg", llvmflag.Choice{Name: "svg", Help: "a picture for a browser"}, llvmflag.Choice{Name: "dot", Help: "text for Graphviz"})
	s.Bool(&o.Locations, "locations", "Show debug locations")
	s.Bool(&o.Debug, "debug-instrs", "Show DBG_VALUE and the like")
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	file := "-"
	if len(s.Args) > 0 {
		file = s.Args[0]
	}
	f, err := t.parse(file, stdin)
	if err == nil {
		var b []byte
		if b, err = drawFunction(f.Functions, file, name, format == "dot" || format == "" && strings.HasSuffix(out, ".dot"), o); err == nil {
			if out == "" {
				out = "-"
			}
			err = writeOutput(out, b, stdout)
		}
	}
	if err != nil {
		mirFault(stderr, s.Tool, err)
		return 1
	}
	return 0
}

// drawFunction draws the function of that name, or the first that has blocks.
func drawFunction(fs []*mir.Function, file, name string, dot bool, o mirgraph.Options) ([]byte, error) {
	var names []string
	for _, f := range fs {
		names = append(names, f.Name)
		if f.Name != name && (name != "" || f.FirstBlock() == 0) {
			continue
		}
		g := mirgraph.New(f, o)
		if dot {
			return g.AppendDot(nil), nil
		}
		return g.AppendSVG(nil), nil
	}
	if name == "" {
		return nil, fmt.Errorf("%s: no function with blocks", file)
	}
	err := fmt.Errorf("%s: no function '%s'", file, name)
	if n := llvmflag.Nearest(name, names); n != "" {
		err = fmt.Errorf("%w; did you mean '%s'?", err, n)
	}
	return nil, err
}
