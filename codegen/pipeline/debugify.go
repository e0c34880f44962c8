package pipeline

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/debugify"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/ssaopt"
)

// Debugified puts mir-debugify before each pass and mir-strip-debug behind it,
// and mir-check-debugify between when check says so. Where whole is the pipeline
// that passes is a part of, those over IR, finalize-isel and those from register
// allocation on are left alone, as by LLVM; it is nil for passes that were named.
func Debugified(passes, whole []*pass.Pass, check bool) []*pass.Pass {
	first, end := 0, 0
	if whole != nil {
		first = slices.Index(whole, &globalisel.IRTranslator)
		end = slices.IndexFunc(whole, func(p *pass.Pass) bool { return slices.Contains(tiedToAllocation, p.Name) })
	}
	var out []*pass.Pass
	for _, p := range passes {
		k := slices.Index(whole, p)
		if p.IR || whole != nil && (k < first || k >= end || p == &ssaopt.FinalizeISel) {
			out = append(out, p)
			continue
		}
		out = append(out, &debugify.Debugify, p)
		if check {
			out = append(out, &debugify.CheckDebugify)
		}
		out = append(out, &debugify.StripDebug)
	}
	return out
}

// tiedToAllocation names the passes with one of which register allocation begins.
var tiedToAllocation = []string{"detect-dead-lanes", "init-undef", "processimpdefs", "livevars", "phi-node-elimination"}
