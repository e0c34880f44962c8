package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/mirin-go/mirin/internal/llvmflag"
)

//go:generate go run github.com/mirin-go/mirin/tools/llvmflags -o zz_llvmflags.txt llc-22 opt-22

// llvmFlags are the flags of LLVM's llc and opt.
//
//go:embed zz_llvmflags.txt
var llvmFlags string

// foreignFlags are those of LLVM's flags that no tool here defines. Most choose
// heuristics of passes and change no program's meaning.
func foreignFlags() *llvmflag.Foreign {
	return &llvmflag.Foreign{Rows: llvmFlags, Refused: refusedFlag}
}

// refusedFlag names the flags that ask for another kind of code or data, or for
// something to be printed or written, and get nothing of it here.
func refusedFlag(name, value string) bool {
	switch name {
	case "exception-model":
		return value != "dwarf"
	case "thread-model":
		return value != "posix"
	case "float-abi":
		return value != "hard"
	case "emit-dwarf-unwind":
		return value != "always" // .eh_frame is in all ELF objects
	case "print-regmask-num-regs", "print-after-pass-number", "print-before-pass-number", "print-all-options", "print-options",
		"print-isel-input", "print-summary-global-ids":
		return true
	case // Sections and symbols.
		"basic-block-address-map", "basic-block-sections", "call-graph-section", "crel", "emit-bb-hash", "emit-jump-table-sizes-section",
		"nozero-initialized-in-bss", "partition-static-data-sections", "remarks-section", "rewrite-map-file", "separate-named-sections",
		"split-machine-functions", "stack-size-section", "unique-basic-block-section-names", "use-ctors", "xcoff-traceback-table", "mxcoff-roptr":
		return true
	case // Code.
		"enable-implicit-null-checks", "enable-jmc-instrument", "enable-ipra", "expand-variadics-override", "fdpic", "force-streaming",
		"force-streaming-compatible", "reserve-regs-for-regalloc", "stackrealign", "trap-func", "trap-unreachable",
		"stress-regalloc", "vec-extabi", "wasm-enable-eh", "wasm-enable-sjlj", "enable-emscripten-cxx-exceptions", "enable-emscripten-sjlj",
		"aarch64-sve-vector-bits-min", "aarch64-sve-vector-bits-max", "riscv-v-vector-bits-min", "riscv-v-vector-bits-max":
		return true
	case // Debug information.
		"dwarf-inlined-strings", "dwarf-sections-as-references", "force-dwarf-frame-section", "split-dwarf-cross-cu-references", "use-gnu-debug-macro":
		return true
	case // What is written besides.
		"debug-counter", "load", "load-pass-plugin", "pass-remarks-output", "save-stats", "stats-json", "time-trace", "track-memory":
		return true
	}
	return strings.HasPrefix(name, "view-") || strings.HasPrefix(name, "dot-") && !strings.HasSuffix(name, "-prefix")
}

// unusedFlags says which flags were passed over.
func unusedFlags(stderr io.Writer, s *llvmflag.Set) {
	if len(s.Unused) > 0 {
		fmt.Fprintf(stderr, "%s: note: without meaning here: %s\n", s.Tool, strings.Join(s.Unused, " "))
	}
}
