package layout

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// PrintBlockFrequencies prints how often each block runs, as LLVM does: for one
// run of the function, and as an integer of which the most frequent block has pass.MaxFreq.
var PrintBlockFrequencies = pass.Pass{
	Name:     "print<machine-block-freq>",
	Title:    "Machine Block Frequency Analysis",
	KeepsAll: true,
	Print:    printBlockFrequencies,
}

func printBlockFrequencies(b []byte, _ *pass.Runner, c *pass.Context, f *mir.Function) []byte {
	b = append(b, "Machine block frequency for machine function: "+f.Name+"\nblock-frequency-info: "+f.Name+"\n"...)
	q := pass.Get[pass.Frequencies](c, f)
	ints := pass.Get[pass.BlockFreqs](c, f)
	for blk := f.FirstBlock(); blk != 0; blk = f.NextBlock(blk) {
		b = append(b, " - BB"...)
		b = strconv.AppendInt(b, int64(f.Block(blk).Number), 10)
		if x := f.Block(blk).IRBlock; x != 0 && f.IR != nil && f.IR.BlockNames[x] != "" {
			b = append(b, "["+f.IR.BlockNames[x]+"]"...)
		}
		b = append(b, ": float = "...)
		b = appendFloat(b, q.Freq[blk])
		b = append(b, ", int = "...)
		b = strconv.AppendUint(b, uint64(ints.Of(blk)), 10)
		b = append(b, '\n')
	}
	return append(b, '\n')
}

// appendFloat writes x with ten significant digits, without zeros at the end.
func appendFloat(b []byte, x float64) []byte {
	s := strconv.FormatFloat(x, 'g', 10, 64)
	if y, err := strconv.ParseFloat(s, 64); err == nil {
		s = strconv.FormatFloat(y, 'f', -1, 64)
	}
	b = append(b, s...)
	if strings.IndexByte(s, '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}
