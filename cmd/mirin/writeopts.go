package main

import (
	"errors"

	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irsummary"
	"github.com/mirin-go/mirin/ir/irtext"
)

// writeOptions are the flags of llvm-as and opt that say how a module is written.
type writeOptions struct {
	bitcode.Options
	llUseLists bool

	// Only opt has these:
	nameAnonymous, summary, thinBitcode, splitUnit, unified bool
	summaryOptions                                          irsummary.Options
}

// flags adds the flags that llvm-as and opt have.
func (w *writeOptions) flags(fs *llvmflag.Set) {
	fs.Bool(&w.ModuleHash, "module-hash", "Emit module hash")
	fs.Bool(&w.UseLists, "preserve-bc-uselistorder", "Preserve use-list order when writing LLVM bitcode.").Hidden()
	fs.Bool(&w.llUseLists, "preserve-ll-uselistorder", "Preserve use-list order when writing LLVM assembly.").Hidden()
	w.IndexThreshold = bitcode.DefaultIndexThreshold
	fs.Int(&w.IndexThreshold, "bitcode-mdindex-threshold", "Number of metadatas above which we emit an index to enable lazy-loading").Hidden()
	fs.Int(&w.FlushThreshold, "bitcode-flush-threshold", "Accepted and ignored: the threshold (unit M) for flushing LLVM bitcode.").Hidden()
}

// summaryFlags adds the flags that make summaries for ThinLTO.
func (w *writeOptions) summaryFlags(fs *llvmflag.Set) {
	fs.Bool(&w.summary, "module-summary", "Emit module summary index")
	fs.Bool(&w.thinBitcode, "thinlto-bc", "Write output as ThinLTO-ready bitcode")
	fs.Bool(&w.splitUnit, "thinlto-split-lto-unit", "Enable splitting of a ThinLTO LTOUnit")
	fs.Bool(&w.unified, "unified-lto", "Use unified LTO pipeline").Hidden()
	fs.Int(&w.summaryOptions.MaxVTables, "icp-max-num-vtables", "Max number of vtables annotated for a vtable load instruction.").Hidden()
	fs.Int(&w.summaryOptions.MaxTargets, "icp-max-prom", "Max number of promotions for a single indirect call callsite").Hidden()
	fs.Int(&w.summaryOptions.MaxIndirectEdges, "module-summary-max-indirect-edges", "Max number of indirect call edges in the summary").Hidden()
}

// summarize gives the module the summary that the flags ask for; one that stood
// in the input is dropped, as opt drops it.
func (w *writeOptions) summarize(m *ir.Module) error {
	m.Summary = nil
	if w.nameAnonymous {
		irsummary.NameAnonymous(m)
	}
	if !w.summary && !w.thinBitcode {
		return nil
	}
	for _, id := range m.Funcs {
		if m.Globals[id].Name == "" {
			return errors.New("Unexpected anonymous function when writing summary")
		}
	}
	m.Summary = irsummary.Build(m, w.summaryOptions)
	return nil
}

// write returns the module's bitcode, or its text.
func (w *writeOptions) write(m *ir.Module, text bool) ([]byte, error) {
	if text {
		if w.llUseLists {
			return irtext.AppendModuleUseLists(nil, m), nil
		}
		return irtext.AppendModule(nil, m), nil
	}
	o := w.Options
	if o.IndexThreshold == 0 {
		o.IndexThreshold = -1
	}
	return bitcode.Append(nil, m, o)
}
