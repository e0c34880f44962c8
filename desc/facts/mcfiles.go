package facts

import _ "embed"

var (
	//go:embed zz_mc_bpf.bin
	mcBPF string
)

var mcEntries = [...]*mcEntry{
	{name: "BPF", data: &mcBPF},
}
