package main

import (
	"fmt"
	"io"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir/bitcode"
)

// bcanalyzerMain is llvm-bcanalyzer: it shows the blocks and records of a bit
// stream and how large they are.
func bcanalyzerMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "llvm-bcanalyzer"
	o := bitcode.AnalyzeOptions{}
	hashKey, infoFile := "", ""
	fs := &llvmflag.Set{Tool: tool, Overview: "llvm-bcanalyzer file analyzer", Usage: "[options] <input bitcode>",
		Examples: "  mirin bcanalyzer prog.bc             sizes and counts by block\n  mirin bcanalyzer -dump prog.bc       every record\n", MaxArgs: 1}
	fs.Bool(&o.Dump, "dump", "Dump low level bitcode trace")
	fs.Bool(&o.NoHistogram, "disable-histogram", "Do not print per-code histogram")
	fs.Bool(&o.NonSymbolic, "non-symbolic", "Emit numeric info in dump even if symbolic info is available")
	fs.Bool(&o.DumpBlockInfo, "dump-blockinfo", "Include BLOCKINFO details in low level dump")
	fs.Bool(&o.ShowBinaryBlobs, "show-binary-blobs", "Print binary blobs using hex escapes")
	fs.String(&hashKey, "check-hash", "Check module hash using the argument as a string table").Value("string")
	fs.String(&infoFile, "block-info", "Accepted and ignored: use the BLOCK_INFO from the given file").Value("string").Hidden()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	o.CheckHash, o.HashKey = hashKey != "", hashKey
	in := "-"
	if len(fs.Args) > 0 {
		in = fs.Args[0]
	}
	src, _, err := readInput(in, stdin)
	if err != nil {
		return fail(stderr, tool, err)
	}
	b, err := bitcode.Analyze(nil, in, src, o)
	stdout.Write(b)
	if err != nil {
		return fail(stderr, tool, err)
	}
	return 0
}
