package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/codegen/layout"
	"github.com/mirin-go/mirin/codegen/liveness"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/target"
)

// The text of -passes= is LLVM's: names joined by commas, parameters in <>,
// and what runs inside of module(…), function(…) or machine-function(…). A text
// that begins with a pass over machine functions means machine-function(text).

// level is what the passes of a list run over.
type level uint8

const (
	moduleLevel level = iota
	functionLevel
	machineLevel
)

func (l level) String() string { return [...]string{"module", "function", "machine"}[l] }

// adaptors are the names before parentheses, by the level of what they hold.
var adaptors = [...]string{moduleLevel: "module", functionLevel: "function", machineLevel: "machine-function"}

// newNames are the passes that LLVM's new pass manager calls otherwise than
// -run-pass does.
var newNames = [][2]string{
	{"block-placement-stats", "machine-block-placement-stats"},
	{"livedebugvars", "livedebugvars"},
	{"pre-isel-intrinsic-lowering", "pre-isel-intrinsic-lowering"},
	{"post-ra-pseudos", "postrapseudos"},
	{"process-imp-defs", "processimpdefs"},
	{"prolog-epilog", "prologepilog"},
	{"remove-redundant-debug-values", "removeredundantdebugvalues"},
	{"remove-loads-into-fake-uses", "remove-loads-into-fake-uses"},
	{"two-address-instruction", "twoaddressinstruction"},
	{"virt-reg-rewriter", "virtregrewriter"},
}

// analyses are what require<> and invalidate<> name, by level. Passes here ask
// for what they need, so that both do nothing, but for live-vars.
var analyses = [...][]string{
	moduleLevel: {"collector-metadata", "callgraph", "globals-aa", "lcg", "machine-module-info", "module-summary", "no-op-module",
		"profile-summary", "reg-usage", "runtime-libcall-info", "stack-safety", "verify"},
	functionLevel: {"aa", "assumptions", "bb-sections-profile-reader", "block-freq", "branch-prob", "cycles", "domtree", "loops",
		"machine-function-info", "opt-remark-emit", "postdomtree", "scalar-evolution", "ssp-layout", "targetir", "targetlibinfo"},
	machineLevel: {"edge-bundles", "gisel-value-tracking", "live-debug-vars", "live-intervals", "live-reg-matrix", "live-stacks", "live-vars",
		"livedebugvars", "machine-block-freq", "machine-branch-prob", "machine-cycles", "machine-dom-tree", "machine-loops",
		"machine-opt-remark-emitter", "machine-post-dom-tree", "machine-trace-metrics", "machine-uniformity", "pass-instrumentation",
		"reaching-def", "regalloc-evict", "regalloc-priority", "slot-indexes", "spill-code-placement", "virtregmap"},
}

// printers are the passes print<…> of machine functions.
var printers = []*pass.Pass{&pass.PrintFunction, &layout.PrintBlockFrequencies}

// element is a name of the text with what stands in the parentheses behind it.
type element struct {
	name  string
	inner []element
	paren bool
}

// Parse returns the passes that the text of -passes= asks for; t adds its own, it may be nil.
func Parse(text string, t *target.Target) ([]*pass.Pass, error) {
	if text == "" {
		return nil, nil
	}
	list, rest, ok := elements(text)
	if !ok || rest != "" {
		return nil, fmt.Errorf("invalid pipeline '%s'", text)
	}
	at := machineLevel
	switch first := list[0]; {
	case first.name == adaptors[moduleLevel] || first.name == adaptors[functionLevel] || isAnalysis(first.name, moduleLevel):
		at = moduleLevel
	case first.name == adaptors[machineLevel] || isAnalysis(first.name, functionLevel):
		at = functionLevel
	default:
		p, err := passOf(first.name, t)
		switch {
		case err != nil:
			return nil, err
		case p != nil && p.IR:
			at = functionLevel
		case p != nil && p.RunModule != nil:
			at = moduleLevel
		case p == nil && !isAnalysis(first.name, machineLevel):
			return nil, fmt.Errorf("unknown pass name '%s'", first.name)
		}
	}
	return appendPasses(nil, list, at, t)
}

// elements reads a list up to its end or a parenthesis that closes it.
func elements(s string) (list []element, rest string, ok bool) {
	for {
		n, depth := 0, 0
		for ; n < len(s); n++ {
			if s[n] == '<' {
				depth++
			} else if s[n] == '>' {
				depth--
			} else if depth <= 0 && strings.IndexByte(",()", s[n]) >= 0 {
				break
			}
		}
		e := element{name: s[:n]}
		if s = s[n:]; s != "" && s[0] == '(' {
			e.paren = true
			if e.inner, s, ok = elements(s[1:]); !ok || s == "" {
				return nil, s, false
			}
			s = s[1:]
		}
		list = append(list, e)
		if s == "" || s[0] == ')' {
			return list, s, true
		}
		if s[0] != ',' {
			return nil, s, false
		}
		s = s[1:]
	}
}

func appendPasses(ps []*pass.Pass, list []element, at level, t *target.Target) (_ []*pass.Pass, err error) {
	for _, e := range list {
		if e.paren {
			in := slices.Index(adaptors[:], e.name)
			if in < 0 || level(in) < at || level(in) == machineLevel && at == moduleLevel {
				return nil, fmt.Errorf("unknown %s pass '%s'", at, e.name)
			}
			if ps, err = appendPasses(ps, e.inner, level(in), t); err != nil {
				return nil, err
			}
			continue
		}
		if e.name == "require<live-vars>" && at == machineLevel {
			ps = append(ps, &liveness.LiveVars) // it writes flags, which later passes read
			continue
		}
		if isAnalysis(e.name, at) {
			continue
		}
		p, err := passOf(e.name, t)
		if err != nil {
			return nil, err
		}
		if p == nil || p.IR != (at == functionLevel) || (p.RunModule != nil) != (at == moduleLevel) {
			return nil, fmt.Errorf("unknown %s pass '%s'", at, e.name)
		}
		if p.Run != nil || p.Print != nil || p.RunModule != nil {
			ps = append(ps, p)
		}
	}
	return ps, nil
}

// isAnalysis reports require<…> and invalidate<…> of an analysis of a level.
func isAnalysis(name string, at level) bool {
	for _, prefix := range [...]string{"require<", "invalidate<"} {
		if a, ok := strings.CutPrefix(name, prefix); ok {
			a, ok = strings.CutSuffix(a, ">")
			return ok && (slices.Contains(analyses[at], a) || a == "all" && prefix == "invalidate<")
		}
	}
	return false
}

// passOf finds a pass with its parameters; nil when there is none of the name.
// One that does nothing has no Run.
func passOf(name string, t *target.Target) (*pass.Pass, error) {
	switch name {
	case "verify":
		return &pass.MachineVerifier, nil
	case "no-op-machine-function":
		return &pass.Pass{Name: name}, nil
	}
	for _, p := range printers {
		if p.Name == name {
			return p, nil
		}
	}
	base, params, has := strings.Cut(name, "<")
	if has && !strings.HasSuffix(params, ">") {
		return nil, nil
	}
	for _, n := range newNames {
		if n[0] == base {
			base = n[1]
		}
	}
	p := ByName(base, t)
	params = strings.TrimSuffix(params, ">")
	switch {
	case p == nil || p.WithParams == nil && params == "":
		return p, nil
	case p.WithParams == nil:
		return nil, nil
	}
	v := *p
	return &v, p.WithParams(&v, params)
}
