package main

import (
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir/mirstats"
)

const mirStatsExamples = `  mirin mir stats a.mir
  mirin mir stats --top 20 codegen/testdata
  mirin mir stats --format=csv *.mir > stats.csv
`

// mirStatsMain is mirin mir stats.
func mirStatsMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	var format string
	top := 10
	s := &llvmflag.Set{Tool: "mirin mir stats", Usage: "[options] [files or folders, - for standard input]",
		Overview: "count blocks, instructions, registers, stack objects and spills", Examples: mirStatsExamples}
	s.Enum(&format, "format", "Form of the output", llvmflag.Choice{Name: "table", Help: "for people"}, llvmflag.Choice{Name: "json", Help: "with all opcodes"}, llvmflag.Choice{Name: "csv", Help: "a line a function"})
	s.Int(&top, "top", "How many opcodes and classes the table shows").Value("N")
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	files, err := mirFiles(s.Args, stdin)
	if err != nil {
		mirFault(stderr, s.Tool, err)
		return 2
	}
	status := 0
	total := &mirstats.Stats{}
	var list []*mirstats.Stats
	type counts struct {
		list []*mirstats.Stats
		err  error
	}
	eachInOrder(len(files), func(k int) counts {
		l, err := guarded(files[k], func() ([]*mirstats.Stats, error) {
			f, err := t.parse(files[k], stdin)
			if err != nil {
				return nil, err
			}
			var l []*mirstats.Stats
			for _, fn := range f.Functions {
				st := mirstats.Of(fn)
				st.File = files[k]
				l = append(l, st)
			}
			return l, nil
		})
		return counts{l, err}
	}, func(k int, c counts) {
		if c.err != nil {
			mirFault(stderr, s.Tool, c.err)
			status = 1
		}
		for _, st := range c.list {
			list = append(list, st)
			total.Add(st)
		}
	})
	var b []byte
	switch format {
	case "json":
		b, err = mirstats.AppendJSON(nil, list, total)
	case "csv":
		b, err = mirstats.AppendCSV(nil, list)
	default:
		b = mirstats.AppendTable(nil, list, total, max(top, 0))
	}
	if err == nil {
		_, err = stdout.Write(b)
	}
	if err != nil {
		mirFault(stderr, s.Tool, err)
		return 2
	}
	return status
}
