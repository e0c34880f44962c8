package pipeline

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/internal/filetest"
	"github.com/mirin-go/mirin/target"
)

func TestFiles(t *testing.T) { filetest.Run(t, "testdata") }

// order says which pass stands before which, and why. It is not the pipeline
// again: a pair stands here when something breaks, or is lost, the other way
// round. Names are those of passes without a target's prefix.
var order = []struct{ before, after, because string }{
	{"atomic-expand", "irtranslator", "it changes the IR that is translated"},
	{"loop-reduce", "expand-memcmp", "loops have fewer blocks and more of their values are recurrences before calls are expanded"},
	{"loop-reduce", "codegenprepare", "the addresses that it makes sink, and the ways into loops that it left empty go"},
	{"atomic-expand", "loop-reduce", "addresses in the loops that it makes are uses like any other"},
	{"scalarize-masked-mem-intrin", "irtranslator", "it changes the IR that is translated"},
	{"atomic-expand", "codegenprepare", "the addresses of loops around exchanges are addresses like any other"},
	{"scalarize-masked-mem-intrin", "codegenprepare", "accesses of elements have addresses that sink"},
	{"mergeicmps", "expand-memcmp", "it makes memcmp of few bytes, for which no call pays"},
	{"expand-memcmp", "codegenprepare", "its loads have addresses that sink, its comparisons are asked elsewhere"},
	{"expand-memcmp", "consthoist", "what memory is compared with may be constants too"},
	{"consthoist", "codegenprepare", "constants that are added to a hoisted one are offsets of addresses"},
	{"partially-inline-libcalls", "codegenprepare", "it makes branches and PHIs like any other"},
	{"codegenprepare", "irtranslator", "it changes the IR that is translated"},
	{"post-inline-ee-instrument", "codegenprepare", "a call before the return is no jump when a profiler is called behind it"},
	{"codegenprepare", "callbrprepare", "blocks on the ways out of the assembly stay"},
	{"callbrprepare", "irtranslator", "results have a value for each way then"},
	{"codegenprepare", "stack-protector", "returns stand behind the calls then that may be jumps"},
	{"scalarize-masked-mem-intrin", "stack-protector", "no pass over IR adds stack objects, or ends of the function, behind it"},
	{"stack-protector", "irtranslator", "it changes the IR that is translated, and its kinds of stack objects go by the numbers of allocas"},
	{"irtranslator", "prelegalizer-combiner", "it makes the generic code that the combiner simplifies"},
	{"irtranslator", "legalizer", "it makes the generic code that the legalizer works on"},
	{"prelegalizer-combiner", "localizer", "constants that rules fold away need no copy in each block"},
	{"prelegalizer-combiner", "legalizer", "its rules build operations of any type, legal or not"},
	{"localizer", "legalizer", "copies of constants in each block are legalized like the rest"},
	{"localizer", "regbankselect", "a constant beside its user can be in the bank of that user"},
	{"legalizer", "postlegalizer-combiner", "parts of wide numbers, and carries between them, are there then"},
	{"postlegalizer-combiner", "loadstore-opt", "addresses are a base and one offset then"},
	{"legalizer", "loadstore-opt", "what the legalizer cuts apart, vectors and blocks of memory, has neighbours too"},
	{"loadstore-opt", "regbankselect", "what was loaded to be stored has no bank of its own"},
	{"legalizer", "regbankselect", "banks are told by legal types; splitting gives registers without a bank"},
	{"regbankselect", "regbank-combiner", "what is as good in another bank is known then"},
	{"regbank-combiner", "instruction-select", "constants that are only moved are selected as integers"},
	{"regbankselect", "instruction-select", "a pattern is chosen by the banks of its operands"},
	{"instruction-select", "finalize-isel", "it leaves the pseudo instructions that need blocks of their own"},
	{"finalize-isel", "dead-mi-elimination", "code of custom inserters is code like any other, and frame facts (calls, call sequences) are noted before anything is removed"},
	{"opt-phis", "dead-mi-elimination", "what only PHIs that read each other read is dead without them"},
	{"early-tailduplication", "opt-phis", "PHIs that it makes may carry what others carry already"},
	{"detect-dead-lanes", "init-undef", "which sources are undefined is known from then on"},
	{"init-undef", "processimpdefs", "it asks which registers IMPLICIT_DEFs define"},
	{"register-coalescer", "rename-independent-subregs", "parts come together where copies go"},
	{"rename-independent-subregs", "livedebugvars", "variables are followed by the registers that are allocated"},
	{"processimpdefs", "phi-node-elimination", "a PHI source without a value needs no copy; it wants one definition for each register"},
	{"dead-mi-elimination", "processimpdefs", "definitions of nothing that nobody reads need no look"},
	{"unreachable-mbb-elimination", "phi-node-elimination", "a PHI with one source left needs no copies"},
	{"dead-mi-elimination", "phi-node-elimination", "one definition for each register makes deadness a look at the list of uses"},
	{"finalize-isel", "stack-coloring", "where lives of objects begin and end is marked then"},
	{"stack-coloring", "early-machinelicm", "what leaves a loop could leave the life of the object that it names"},
	{"dead-mi-elimination", "machine-combiner", "what nobody reads is no second reader of a sum"},
	{"dead-mi-elimination", "early-ifcvt", "what nobody reads need not be computed always"},
	{"early-ifcvt", "machine-combiner", "joined blocks show longer chains"},
	{"early-ifcvt", "early-machinelicm", "joined blocks show what a loop always computes"},
	{"machine-combiner", "early-machinelicm", "a tree of what a loop does not change is one that leaves it"},
	{"dead-mi-elimination", "early-machinelicm", "what nobody reads needs no place in front of a loop"},
	{"early-machinelicm", "machine-cse", "what left two loops has equal neighbours in one block"},
	{"virtregrewriter", "machinelicm", "reloads are there then"},
	{"machinelicm", "prologepilog", "reloads are told by their stack slots"},
	{"machine-cse", "machine-sink", "what two ways have in common is one before it goes down one of them"},
	{"machine-sink", "peephole-opt", "a load is folded into its reader when both stand in one block"},
	{"machine-cse", "peephole-opt", "a load that two instructions read is folded into neither"},
	{"peephole-opt", "dead-mi-elimination,2", "what was folded into its readers has none left"},
	{"dead-mi-elimination,2", "phi-node-elimination", "one definition for each register makes deadness a look at the list of uses"},
	{"dead-mi-elimination,2", "lrshrink", "a dead reader would hide that a life can end earlier"},
	{"lrshrink", "pipeliner", "what it moves up would be moved back"},
	{"pipeliner", "detect-dead-lanes", "PHIs name the values of older iterations"},
	{"lrshrink", "phi-node-elimination", "it moves what one instruction defines and one reads"},
	{"peephole-opt", "phi-node-elimination", "what a register holds is told by its one definition"},
	{"dead-mi-elimination", "machine-cse", "what nobody reads is no expression that others are replaced by"},
	{"machine-cse", "phi-node-elimination", "equal expressions are told by registers that have one definition"},
	{"unreachable-mbb-elimination", "livevars", "a life is followed from uses to the definition above them"},
	{"livevars", "phi-node-elimination", "it needs SSA form, and says where copies end lives"},
	{"phi-node-elimination", "twoaddressinstruction", "it wants one definition and PHIs at the head of a block; copies into tied operands break the first"},
	{"twoaddressinstruction", "register-coalescer", "the copies into tied operands are most of what is joined"},
	{"register-coalescer", "greedy", "registers that are one need one home"},
	{"twoaddressinstruction", "greedy", "a tied pair is one register by then"},
	{"rename-independent-subregs", "machine-scheduler", "pressure counts registers that live as long as their values"},
	{"machine-scheduler", "livedebugvars", "values of variables are noted by the places of instructions"},
	{"machine-scheduler", "greedy", "it leaves room for what is live at one time"},
	{"register-coalescer", "livedebugvars", "values of variables are followed through copies that stay"},
	{"livedebugvars", "greedy", "splitting and spilling move the values of variables"},
	{"greedy", "virtregrewriter", "it carries out what the allocator decided"},
	{"virtregrewriter", "prologepilog", "which registers are saved and what is spilled is known then"},
	{"virtregrewriter", "stack-slot-coloring", "what the allocator spilled is in its slots then, and nothing else"},
	{"stack-slot-coloring", "prologepilog", "frames have room for what is left"},
	{"twoaddressinstruction", "regallocfast", "the allocator gives a tied pair one register only where both name the same value"},
	{"regallocfast", "prologepilog", "which registers are saved and what is spilled is known then"},
	{"prologepilog", "postrapseudos", "prologues, reloads and frame addresses are made of pseudo instructions and copies too"},
	{"virtregrewriter", "shrink-wrap", "which callee-saved registers are used is known then"},
	{"shrink-wrap", "prologepilog", "it says where the frame is entered and left"},
	{"virtregrewriter", "machine-cp", "copies that were not coalesced are there then"},
	{"stack-slot-coloring", "machine-cp", "slots are told by the allocator's own loads and stores"},
	{"machine-cp", "postra-machine-sink", "what reads the copied register instead does not keep the copy in its block"},
	{"virtregrewriter", "postra-machine-sink", "it moves copies of physical registers"},
	{"postra-machine-sink", "shrink-wrap", "ways without the copy may need no frame"},
	{"prologepilog", "machine-latecleanup", "it repeats addresses in the frame that are too far for an instruction"},
	{"machine-latecleanup", "branch-folder", "ends of blocks are equal more often without what is repeated"},
	{"prologepilog", "branch-folder", "equal epilogues are tails to merge"},
	{"branch-folder", "tailduplication", "what was merged and pays more apart is copied again"},
	{"tailduplication", "machine-cp,2", "joined blocks show more copies at a time"},
	{"machine-cp,2", "postrapseudos", "it knows copies by their pseudo instruction"},
	{"tailduplication", "postrapseudos", "a copy is one instruction, what becomes of it may be several"},
	{"postrapseudos", "block-placement", "pseudo returns and branches are real ones then"},
	{"postrapseudos", "post-RA-sched", "copies are moves then, with the latency of one"},
	{"post-RA-sched", "block-placement", "what is copied to the ends of other blocks has its order"},
	{"postrapseudos", "fallthrough-branches", "pseudo returns and branches are real ones then"},
	{"prologepilog", "cfi-instr-inserter", "it completes the frame instructions that the prologue and epilogues bring"},
	{"block-placement", "cfi-instr-inserter", "what a block has above it is decided by then"},
	{"fixup-statepoint-caller-saved", "prologepilog", "it makes stack objects"},
	{"postrapseudos", "execution-domain-fix", "copies are moves then, which there are for each domain"},
	{"execution-domain-fix", "break-false-deps", "what breaks a dependency is in a domain of its own"},
	{"postrapseudos", "break-false-deps", "pseudo instructions and copies write registers too"},
	{"fallthrough-branches", "cfi-instr-inserter", "it sees branches as they stay"},
	{"block-placement", "livedebugvalues", "blocks do not change any more, of which it says what holds at their start"},
	{"break-false-deps", "livedebugvalues", "registers that are written for nothing end values, too"},
	{"block-placement", "fentry-insert", "the first block is the one that is entered then, and stays so"},
	{"fentry-insert", "xray-instrumentation", "the place that is patched stands first of all"},
	{"xray-instrumentation", "patchable-function", "the place that is patched stands first of all"},
}

// TestNames holds the list of all passes (llc --help shows it) to the pipelines: a pass
// stands there as often as in one of them.
func TestNames(t *testing.T) {
	most := map[string]int{}
	for _, o := range []Options{{}, {Opt: 2}, {Opt: 3}, {Opt: 2, MISchedPostRA: true}, {Opt: 3, EarlyIfCvt: true}} {
		n := map[string]int{}
		for _, p := range Passes(o) {
			n[p.Name]++
			most[p.Name] = max(most[p.Name], n[p.Name])
		}
	}
	n := map[string]int{}
	for _, name := range Names() {
		n[name]++
	}
	for name, k := range most {
		if n[name] != k {
			t.Errorf("%s stands %d times among all passes, %d times in a pipeline", name, n[name], k)
		}
	}
}

func TestOrder(t *testing.T) {
	used := map[string]bool{}
	for _, r := range order {
		used[r.before], used[r.after] = true, true
		for _, n := range []string{r.before, r.after} {
			if ByName(strings.TrimSuffix(n, ",2"), nil) == nil {
				t.Errorf("the reason for %s before %s: there is no pass %s", r.before, r.after, n)
			}
		}
		if r.because == "" {
			t.Errorf("%s before %s: no reason", r.before, r.after)
		}
	}
	together := make([]bool, len(order))
	for _, o := range []Options{{}, {Opt: 1}, {Opt: 2}, {Opt: 3}, {Opt: 3, EarlyIfCvt: true, Pipeliner: true}} {
		opt, passes := o.Opt, Passes(o)
		at := map[string]int{}
		for k, p := range passes {
			name := p.Name
			if _, twice := at[name]; twice {
				name += ",2" // the second run, as -stop-after calls it
			}
			if _, thrice := at[name]; thrice {
				t.Errorf("-O%d: %s stands more than twice", opt, p.Name)
			}
			at[name] = k
			if !used[name] {
				t.Errorf("-O%d: nothing says why %s stands where it does", opt, name)
			}
		}
		for k, r := range order {
			a, okA := at[r.before]
			b, okB := at[r.after]
			if !okA || !okB {
				continue
			}
			together[k] = true
			if a > b {
				t.Errorf("-O%d: %s must stand before %s, because %s", opt, r.before, r.after, r.because)
			}
		}
		properties(t, opt, passes)
	}
	for k, r := range order {
		if !together[k] {
			t.Errorf("no level has both %s and %s", r.before, r.after)
		}
	}
}

// properties follows what passes require through the pipeline: without the
// passes that may be left out, too.
func properties(t *testing.T, opt target.OptLevel, passes []*pass.Pass) {
	for _, skip := range []bool{false, true} {
		have := passes[0].Sets
		for _, p := range passes[1:] {
			if skip && p.Optional == pass.Skippable {
				continue
			}
			if missing := p.Requires &^ have; missing != 0 {
				t.Errorf("-O%d: %s requires %v, which nothing before it sets", opt, p.Name, missing)
			}
			have = have&^p.Clears | p.Sets
		}
	}
}
