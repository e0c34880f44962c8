package target

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// A Request is something that a module asks of code generation beside what its
// instructions say: an attribute for which LLVM makes other code, or other
// data. What nobody here does is refused by name, since the code would be
// wrong without it: a program that asks for a stack protector and silently gets
// none is not safe. Attributes that are hints, and those for which LLVM makes no
// other code on any target either, are in no list.
type Request struct {
	Kind RequestKind
	Name string
	// Value is the value that asks, "" for any. Module flags that are numbers ask
	// unless they are 0.
	Value string
	// Done says that it is done for every target; else for those that name it (Target.Does).
	Done bool
	// Frame says that prologepilog does it, or would: a function from MIR behind
	// instruction selection still asks.
	Frame bool
}

// RequestKind is where a request stands.
type RequestKind uint8

// The kinds.
const (
	AskFunction RequestKind = iota // attribute of a function
	AskCall                        // attribute of a call, or of the function called
	AskModule                      // module flag
	AskMetadata                    // metadata attached to a function
	AskFeature                     // feature of the subtarget
	AskBundle                      // operand bundle of a call
)

var requestWords = [...]string{AskFunction: "function attribute", AskCall: "attribute of a call", AskModule: "module flag",
	AskMetadata: "metadata of functions", AskFeature: "feature", AskBundle: "operand bundle"}

// String names the request as a refusal does.
func (r *Request) String() string {
	s := requestWords[r.Kind] + " " + r.Name
	if r.Value != "" {
		s += "=" + r.Value
	}
	return s
}

// requests are what targets have in common. A target adds its own (Target.Requests).
var requests = [...]Request{
	// What an attacker must not overcome.
	{Kind: AskFunction, Name: "ssp"},
	{Kind: AskFunction, Name: "sspreq"},
	{Kind: AskFunction, Name: "sspstrong"},
	{Kind: AskFunction, Name: "safestack"},
	{Kind: AskFunction, Name: "shadowcallstack"},
	{Kind: AskFunction, Name: "speculative_load_hardening"},
	{Kind: AskFunction, Name: "zero-call-used-regs", Frame: true},
	{Kind: AskFunction, Name: "probe-stack", Frame: true},
	{Kind: AskModule, Name: "stack-protector-guard", Value: "global"},
	{Kind: AskModule, Name: "stack-protector-guard", Value: "sysreg"},
	{Kind: AskModule, Name: "stack-protector-guard-reg"},
	{Kind: AskModule, Name: "stack-protector-guard-offset"},
	{Kind: AskModule, Name: "stack-protector-guard-symbol"},
	{Kind: AskModule, Name: "cf-protection-branch"},
	{Kind: AskModule, Name: "cf-protection-return"},
	{Kind: AskModule, Name: "kcfi"},
	{Kind: AskModule, Name: "cfguard"},
	{Kind: AskModule, Name: "ehcontguard"},
	{Kind: AskModule, Name: "import-call-optimization"},
	{Kind: AskMetadata, Name: "kcfi_type"},
	{Kind: AskMetadata, Name: "func_sanitize"},
	{Kind: AskBundle, Name: "kcfi"},
	// What the stack and registers are like.
	{Kind: AskFunction, Name: "split-stack", Frame: true},
	{Kind: AskFunction, Name: "naked", Frame: true},
	{Kind: AskFunction, Name: "alignstack", Frame: true},
	{Kind: AskFunction, Name: "stackrealign", Frame: true},
	{Kind: AskFunction, Name: "no-realign-stack", Frame: true},
	{Kind: AskFunction, Name: "no_caller_saved_registers", Frame: true},
	{Kind: AskFunction, Name: "no_callee_saved_registers", Frame: true},
	{Kind: AskFunction, Name: "frame-pointer", Value: "reserved"},
	{Kind: AskCall, Name: "no_caller_saved_registers"},
	{Kind: AskCall, Name: "no_callee_saved_registers"},
	{Kind: AskModule, Name: "override-stack-alignment"},
	{Kind: AskFunction, Name: "use-soft-float", Value: "true"},
	// Places for tools that watch and change programs.
	{Kind: AskFunction, Name: "fentry-call", Value: "true"},
	{Kind: AskFunction, Name: "patchable-function"},
	{Kind: AskFunction, Name: "patchable-function-entry"},
	{Kind: AskFunction, Name: "patchable-function-prefix"},
	{Kind: AskFunction, Name: "function-instrument", Value: "xray-always"},
	{Kind: AskFunction, Name: "xray-instruction-threshold"},
	{Kind: AskFunction, Name: "instrument-function-entry-inlined"},
	{Kind: AskFunction, Name: "instrument-function-exit-inlined"},
	{Kind: AskMetadata, Name: "pcsections"},
	// Calls and traps.
	{Kind: AskCall, Name: "trap-func-name"},
	{Kind: AskCall, Name: "dontcall-error", Done: true},
	{Kind: AskCall, Name: "dontcall-warn", Done: true},
	{Kind: AskFunction, Name: "warn-stack-size", Done: true},
}

// silentBundles tag operands of calls that are for optimizers.
var silentBundles = [...]string{"align", "nonnull", "dereferenceable", "dereferenceable_or_null", "noundef", "ignore", "cold", "separate_storage"}

// plainGC are the strategies of garbage collection that ask for nothing but
// statepoints, which are intrinsics.
var plainGC = [...]string{"", "statepoint-example", "coreclr"}

// does reports whether what is asked is done.
func (t *Target) does(r *Request) bool {
	return r.Done || slices.ContainsFunc(t.Does, func(d Request) bool {
		return d.Kind == r.Kind && d.Name == r.Name && (d.Value == "" || d.Value == r.Value)
	})
}

// refused returns the first request of that kind, name and value that the target does not do.
func (t *Target) refused(k RequestKind, name, value string, frame bool) *Request {
	for _, rows := range [...][]Request{requests[:], t.Requests} {
		for n := range rows {
			if r := t.refusedBy(&rows[n], k, name, value, frame); r != nil {
				return r
			}
		}
	}
	return nil
}

// refusedBy returns what is asked when it is what r says and the target does not do it.
func (t *Target) refusedBy(r *Request, k RequestKind, name, value string, frame bool) *Request {
	if r.Kind != k || r.Name != name || r.Value != "" && r.Value != value || frame && !r.Frame || r.Done {
		return nil
	}
	asked := *r
	asked.Value = value
	if t.does(&asked) {
		return nil
	}
	return &asked
}

// attrRequests are the requests about attributes, by name, in their order: every
// function and every call has attributes, nearly all of which are none.
func (t *Target) attrRequests() map[string][]*Request {
	of := map[string][]*Request{}
	for _, rows := range [...][]Request{requests[:], t.Requests} {
		for n := range rows {
			if r := &rows[n]; r.Kind == AskFunction || r.Kind == AskCall {
				of[r.Name] = append(of[r.Name], r)
			}
		}
	}
	return of
}

// refusedAttr returns the first attribute of a list that asks for what the target does not do.
func (m *Machine) refusedAttr(k RequestKind, attrs ir.AttrSet, frame bool) *Request {
	for n := range attrs {
		a := &attrs[n]
		if m.attrRequests == nil {
			if r := m.Target.refused(k, a.Key, a.Value, frame); r != nil {
				return r
			}
			continue
		}
		for _, row := range m.attrRequests[a.Key] {
			if r := m.Target.refusedBy(row, k, a.Key, a.Value, frame); r != nil {
				return r
			}
		}
	}
	return nil
}

// refusedFeature returns the first feature of the subtarget that asks for what the target does not do.
func (st *Subtarget) refusedFeature() *Request {
	for n := range st.Target.Requests {
		if r := &st.Target.Requests[n]; r.Kind == AskFeature && st.HasFeature(r.Name) && !st.Target.does(r) {
			return r
		}
	}
	return nil
}

// isReadable reports, of an attribute of a function, that it is a number where code generation
// reads one; what irverify holds to be numbers are others.
func isReadable(attrs ir.AttrSet, a *ir.Attr) bool {
	if !a.IsString {
		return true
	}
	switch a.Key {
	case "stack-probe-size", "stack-protector-buffer-size":
	case "xray-instruction-threshold":
		if how, _ := attrs.Get("function-instrument"); how.Value == "xray-always" || how.Value == "xray-never" {
			return true
		}
	default:
		return true
	}
	_, err := strconv.ParseUint(a.Value, 0, 64)
	return err == nil && !strings.Contains(a.Value, "_")
}

// Refused returns the error for the first thing that function f, or its module, asks
// for and that nobody does, or that is no number where one is read; nil when all is done.
// frame limits it to what prologepilog does.
func (st *Subtarget) Refused(f *mir.Function, frame bool) error {
	if f.IR == nil || f.Module == nil {
		return nil
	}
	g := f.IR.Global()
	attrs := f.Module.Attrs.At(g.Attrs).Fn
	for k := range attrs {
		if !isReadable(attrs, &attrs[k]) {
			return errors.New("cannot parse integer attribute " + attrs[k].Key)
		}
	}
	r := st.refusedAttr(AskFunction, attrs, frame)
	if r == nil && !frame {
		r = st.refusedElsewhere(f.Module, g)
	}
	if r != nil {
		return st.NotSupported(f, r.String())
	}
	if frame {
		return nil
	}
	if !slices.Contains(plainGC[:], g.GC) {
		return st.NotSupported(f, "garbage collection by strategy "+g.GC)
	}
	return nil
}

// refusedElsewhere looks at what is asked beside the attributes of a function.
func (st *Subtarget) refusedElsewhere(m *ir.Module, g *ir.Global) *Request {
	for _, a := range g.MD {
		if r := st.Target.refused(AskMetadata, m.MDKinds()[a.Kind], "", false); r != nil {
			return r
		}
	}
	return st.unwanted
}

// RefusedCall returns what a call with attributes asks for and nobody does; nil
// when all is done.
func (m *Machine) RefusedCall(attrs ir.AttrSet) *Request { return m.refusedAttr(AskCall, attrs, false) }

// RefusedBundle returns what an operand bundle asks for and nobody does; nil for
// bundles that are done or for optimizers.
func (t *Target) RefusedBundle(tag string) *Request {
	r := &Request{Kind: AskBundle, Name: tag}
	if slices.Contains(silentBundles[:], tag) || t.does(r) {
		return nil
	}
	return r
}

// RefusedModule returns the error for the first module flag that asks for what
// nobody does.
func (m *Machine) RefusedModule(mod *ir.Module) error {
	for name, val := range mod.Flags {
		r, number := (*Request)(nil), uint64(1)
		if c := val.Value.Const(); val.Kind == ir.MDConst && c != 0 {
			number = mod.Consts.At(c).Bits
		}
		switch {
		case number == 0:
		case val.Kind == ir.MDConst:
			if r = m.Target.refused(AskModule, name, "", false); r == nil {
				r = m.Target.refused(AskModule, name, strconv.FormatUint(number, 10), false)
			}
		default:
			r = m.Target.refused(AskModule, name, val.Str, false)
		}
		if r != nil {
			return &Unsupported{Target: m.Target.Name, What: r.String()}
		}
	}
	return nil
}
