package tablegen

import (
	"regexp"
	"strings"

	"github.com/mirin-go/mirin/diag"
)

// Limits that keep hostile input from exhausting memory or stack.
const (
	maxDepth       = 6000 // nested evaluation
	maxNesting     = 400  // nested expressions and statements in source
	maxStringBytes = 64 << 20
	maxListLen     = 1 << 24
	maxBitsWidth   = 1 << 16
	defaultSteps   = 2_000_000_000
	maxSoftErrors  = 100
)

// evaluator holds what evaluation shares: errors, limits, and the anonymous
// records that were made of class references.
type evaluator struct {
	rs        *Records
	diags     diag.List
	defFailed bool // the fatal error concerns one definition only
	failed    bool // a fatal error: nothing more is read or evaluated
	soft      int  // errors that did not stop the parse
	depth     int
	steps     int
	// at is the place of the statement at hand, for errors that know none.
	at        Loc
	instances map[uint64][]instance
	// pending are the class references that are not yet resolved.
	pending map[uint64][]*ClassInit
	regexps map[string]*regexp.Regexp
	idle    []*resolver // resolvers that can be used again
}

type instance struct {
	class *Record
	args  []ClassArg
	rec   *Record
}

func (ev *evaluator) diagnostic(loc Loc, sev diag.Severity, msg string) {
	d := ev.locate(loc, sev, msg)
	ev.report(loc, d)
	d.Msg = strings.TrimRight(d.Msg, "\n")
	ev.diags = append(ev.diags, d)
}

// report passes a message on to Options.Report.
func (ev *evaluator) report(loc Loc, d *diag.Diagnostic) {
	if f := ev.rs.opts.Report; f != nil {
		f(Report{d, ev.rs.includedFrom(loc)})
	}
}

// locate makes a diagnostic for a place.
func (ev *evaluator) locate(loc Loc, sev diag.Severity, msg string) *diag.Diagnostic {
	d := &diag.Diagnostic{Severity: sev, Msg: msg}
	if int(loc.file) < len(ev.rs.files) && loc.file >= 0 && loc != noLoc {
		f := &ev.rs.files[loc.file]
		off := min(max(int(loc.off), 0), len(f.src))
		d.File = f.name
		d.Line = 1 + strings.Count(f.src[:off], "\n")
		start := strings.LastIndexByte(f.src[:off], '\n') + 1
		end := len(f.src)
		if i := strings.IndexByte(f.src[off:], '\n'); i >= 0 {
			end = off + i
		}
		d.Col = off - start + 1
		d.Source = strings.TrimSuffix(f.src[start:end], "\r")
	}
	return d
}

// noLoc is the place of what has none.
var noLoc = Loc{-1, 0}

// errorAt reports an error that ends the parse; later ones are dropped.
func (ev *evaluator) errorAt(loc Loc, msg string) {
	if !ev.failed {
		ev.diagnostic(loc, diag.Error, msg)
		ev.failed = true
	}
}

// fatal reports an error of evaluation: at the record if there is one.
func (ev *evaluator) fatal(cur *Record, msg string) {
	loc := ev.at
	if cur != nil {
		loc = cur.Loc
	}
	ev.errorAt(loc, msg)
}

// softError reports an error after which the parse goes on.
func (ev *evaluator) softError(loc Loc, msg string) {
	if !ev.failed {
		ev.diagnostic(loc, diag.Error, msg)
		if ev.soft++; ev.soft >= maxSoftErrors {
			ev.failed = true
		}
	}
}

// recordError reports that a record cannot become a definition.
func (ev *evaluator) recordError(r *Record, msg string) {
	if !ev.failed {
		ev.errorAt(r.Loc, msg)
		ev.defFailed = true
		ev.noteUses(r)
	}
}

// noteUses notes the defm statements that made a record, inner first.
func (ev *evaluator) noteUses(r *Record) {
	for _, l := range r.usedAt {
		ev.note(l, "instantiated from multiclass")
	}
}

// note adds a note to the error that was just reported.
func (ev *evaluator) note(loc Loc, msg string) {
	if n := len(ev.diags); n > 0 && n < 2*maxSoftErrors+10 {
		ev.diagnostic(loc, diag.Note, msg)
	}
}

// enter counts one step of evaluation and one level of depth; false when a
// limit is reached.
func (ev *evaluator) enter(cur *Record) bool {
	ev.depth++
	ev.steps++
	if ev.depth > maxDepth {
		ev.fatal(cur, "evaluation is nested too deep")
		return false
	}
	return ev.within(cur)
}

// spend counts work in proportion to the size of a result.
func (ev *evaluator) spend(cur *Record, n int) bool {
	ev.steps += n
	return ev.within(cur)
}

func (ev *evaluator) within(cur *Record) bool {
	limit := ev.rs.opts.MaxSteps
	if limit <= 0 {
		limit = defaultSteps
	}
	if ev.steps > limit {
		ev.fatal(cur, "evaluation takes too long")
	}
	return !ev.failed
}
