package tablegen

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
)

// Sets evaluates the dags that describe ordered sets of records: (add A, B),
// (sub S, A), (sequence "R%u", 0, 31) and so on, the language of register
// classes and tuples. A definition of an expanded class stands for the set in
// its field.
type Sets struct {
	rs        *Records
	expanders map[string]string // class to the field that holds its set
	known     map[*Record][]*Record
	err       *diag.Diagnostic
	steps     int
	funcs     map[string]func(*Record) ([]*Record, error) // of AddExpander, by class
}

// maxSetSteps bounds the elements that one Sets touches.
const maxSetSteps = 100_000_000

// Sets returns an evaluator of sets. expanders maps the names of classes
// whose definitions are sets to the fields that describe them.
func (rs *Records) Sets(expanders map[string]string) *Sets {
	return &Sets{rs: rs, expanders: expanders, known: map[*Record][]*Record{}}
}

// orderedSet keeps the order of first insertion.
type orderedSet struct {
	list []*Record
	has  map[*Record]bool
}

func (s *orderedSet) add(l ...*Record) {
	if s.has == nil {
		s.has = map[*Record]bool{}
	}
	for _, r := range l {
		if !s.has[r] {
			s.has[r] = true
			s.list = append(s.list, r)
		}
	}
}

// Eval returns the elements of a set in order; at is the place for errors.
func (s *Sets) Eval(x Init, at Loc) ([]*Record, error) {
	before := s.err // Eval may be called by an expander
	s.err = nil
	out := s.value(x, at)
	err := s.err
	s.err = before
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Expand returns the elements of a definition that is a set; nil, nil where
// the definition is of no expanded class.
func (s *Sets) Expand(r *Record) ([]*Record, error) {
	before := s.err
	s.err = nil
	out, _ := s.expand(r)
	err := s.err
	s.err = before
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Sets) fail(at Loc, msg string) []*Record {
	if s.err == nil {
		s.err = s.rs.ErrorAt(at, msg)
	}
	return nil
}

// failWith keeps an error of another evaluation.
func (s *Sets) failWith(err error) {
	var d *diag.Diagnostic
	if s.err == nil && errors.As(err, &d) {
		s.err = d
	} else if s.err == nil {
		s.err = &diag.Diagnostic{Msg: err.Error()}
	}
}

func (s *Sets) expand(r *Record) ([]*Record, bool) {
	if l, ok := s.known[r]; ok {
		return l, true
	}
	for _, c := range r.Superclasses {
		if l, ok := s.expandFunc(r, c.Name); ok {
			return l, true
		}
		field, ok := s.expanders[c.Name]
		if !ok {
			continue
		}
		s.known[r] = nil // what refers to itself finds nothing yet
		v := r.Value(field)
		if v == nil {
			s.fail(r.Loc, "set '"+r.Name+"' has no field '"+field+"'")
			return nil, true
		}
		l := s.value(v, r.Loc)
		s.known[r] = l
		return l, true
	}
	return nil, false
}

func (s *Sets) value(x Init, at Loc) []*Record {
	var out orderedSet
	s.collect(&out, x, at)
	return out.list
}

// collect adds the elements of x to out.
func (s *Sets) collect(out *orderedSet, x Init, at Loc) {
	if s.err != nil {
		return
	}
	if s.steps++; s.steps > maxSetSteps {
		s.fail(at, "set evaluation takes too long")
		return
	}
	switch x := x.(type) {
	case *DefInit:
		if l, ok := s.expand(x.Rec); ok {
			s.steps += len(l)
			out.add(l...)
			return
		}
		out.add(x.Rec)
	case *ListInit:
		for _, e := range x.Elems {
			s.collect(out, e, at)
		}
	case *DagInit:
		op, ok := x.Op.(*DefInit)
		if !ok {
			s.fail(at, "Bad set expression: "+x.String())
			return
		}
		l := s.apply(op.Rec.Name, x, at)
		s.steps += len(l)
		out.add(l...)
	default:
		s.fail(at, "Invalid element in set expression: "+x.String())
	}
}

func (s *Sets) apply(op string, x *DagInit, at Loc) []*Record {
	switch op {
	case "add":
		var out orderedSet
		for _, a := range x.Args {
			s.collect(&out, a, at)
		}
		return out.list
	case "sub":
		if len(x.Args) < 2 {
			return s.fail(at, "Set difference needs at least two arguments: "+x.String())
		}
		add := s.value(x.Args[0], at)
		var sub orderedSet
		for _, a := range x.Args[1:] {
			s.collect(&sub, a, at)
		}
		return filter(add, func(r *Record) bool { return !sub.has[r] })
	case "and":
		if len(x.Args) != 2 {
			return s.fail(at, "Set intersection requires two arguments: "+x.String())
		}
		var b orderedSet
		l := s.value(x.Args[0], at)
		s.collect(&b, x.Args[1], at)
		return filter(l, func(r *Record) bool { return b.has[r] })
	case "shl", "trunc", "rotl", "rotr", "decimate":
		return s.byNumber(op, x, at)
	case "interleave":
		return s.interleave(x, at)
	case "sequence":
		return s.sequence(x, at)
	}
	return s.fail(at, "Unknown set operator: "+x.String())
}

func filter(l []*Record, keep func(*Record) bool) []*Record {
	var out []*Record
	for _, r := range l {
		if keep(r) {
			out = append(out, r)
		}
	}
	return out
}

// byNumber evaluates the operators that take a set and an integer.
func (s *Sets) byNumber(op string, x *DagInit, at Loc) []*Record {
	if len(x.Args) != 2 {
		return s.fail(at, "Operator requires (Op Set, Int) arguments: "+x.String())
	}
	k, ok := x.Args[1].(*IntInit)
	if !ok {
		return s.fail(at, "Second argument must be an integer: "+x.String())
	}
	l, n := s.value(x.Args[0], at), k.V
	size := int64(len(l))
	switch op {
	case "shl":
		if n < 0 {
			return s.fail(at, "Positive shift required: "+x.String())
		}
		return l[min(n, size):]
	case "trunc":
		if n < 0 {
			return s.fail(at, "Positive length required: "+x.String())
		}
		return l[:min(n, size)]
	case "decimate":
		if n <= 0 {
			return s.fail(at, "Positive stride required: "+x.String())
		}
		var out []*Record
		for i := int64(0); i < size; i += n {
			out = append(out, l[i])
		}
		return out
	case "rotr":
		n = -(n % max(size, 1))
	}
	if size == 0 {
		return nil
	}
	n = (n%size + size) % size
	return append(append([]*Record(nil), l[n:]...), l[:n]...)
}

// interleave takes one element of each set in turn.
func (s *Sets) interleave(x *DagInit, at Loc) []*Record {
	var sets [][]*Record
	most := 0
	for _, a := range x.Args {
		l := s.value(a, at)
		sets = append(sets, l)
		most = max(most, len(l))
	}
	var out []*Record
	for i := range most {
		for _, l := range sets {
			if i < len(l) {
				out = append(out, l[i])
			}
		}
	}
	return out
}

// sequence finds records by numbered names: (sequence "R%u", From, To [, Stride]).
func (s *Sets) sequence(x *DagInit, at Loc) []*Record {
	if len(x.Args) < 3 || len(x.Args) > 4 {
		return s.fail(at, "Bad args to (sequence \"Format\", From, To): "+x.String())
	}
	stride := int64(1)
	if len(x.Args) == 4 {
		k, ok := x.Args[3].(*IntInit)
		if !ok {
			return s.fail(at, "Stride must be an integer: "+x.String())
		}
		stride = k.V
	}
	format, ok := x.Args[0].(*StringInit)
	if !ok {
		return s.fail(at, "Format must be a string: "+x.String())
	}
	var ends [2]int64
	for i, what := range [...]string{"From", "To"} {
		k, ok := x.Args[i+1].(*IntInit)
		if !ok {
			return s.fail(at, what+" must be an integer: "+x.String())
		}
		if k.V < 0 || k.V >= 1<<30 {
			return s.fail(at, what+" out of range")
		}
		ends[i] = k.V
	}
	step := stride
	if ends[0] > ends[1] {
		step = -stride
	}
	if stride <= 0 {
		return s.fail(at, "Stride must be positive: "+x.String())
	}
	var out []*Record
	for n := ends[0]; ; n += step {
		if step > 0 && n > ends[1] || step < 0 && n < ends[1] {
			return out
		}
		name := formatNumber(format.S, n)
		r := s.rs.Def(name)
		if r == nil {
			return s.fail(at, "No def named '"+name+"': "+x.String())
		}
		if l, ok := s.expand(r); ok {
			out = append(out, l...)
		} else {
			out = append(out, r)
		}
		if s.steps++; s.steps > maxSetSteps || s.err != nil {
			return s.fail(at, "set evaluation takes too long")
		}
	}
}

// formatNumber replaces the first %u, %d, %x or %X (with flags and width) of a
// format by n.
func formatNumber(format string, n int64) string {
	i := strings.IndexByte(format, '%')
	if i < 0 {
		return format
	}
	j := i + 1
	for j < len(format) && isDigit(format[j]) {
		j++
	}
	if j >= len(format) {
		return format
	}
	switch format[j] {
	case 'x', 'X':
		return format[:i] + fmt.Sprintf(format[i:j+1], n) + format[j+1:]
	case 'u', 'd', 'i':
		text := strconv.FormatInt(n, 10)
		if j > i+1 {
			text = fmt.Sprintf(format[i:j]+"d", n)
		}
		return format[:i] + text + format[j+1:]
	}
	return format
}

// AppendSets appends the definitions of class Set with their elements, as
// llvm-tblgen --print-sets does.
func (rs *Records) AppendSets(b []byte) ([]byte, error) {
	s := rs.Sets(map[string]string{"Set": "Elements"})
	if rs.Class("Set") == nil {
		return b, errors.New("error: The class 'Set' is not defined\n")
	}
	for _, r := range rs.DerivedSorted("Set") {
		l, err := s.Expand(r)
		if err != nil {
			return b, err
		}
		b = append(b, r.Name...)
		b = append(b, " = ["...)
		for _, e := range l {
			b = append(b, ' ')
			b = append(b, e.Name...)
		}
		b = append(b, " ]\n"...)
	}
	return b, nil
}

// AppendEnums appends the names of the definitions of a class, as llvm-tblgen
// --print-enums does.
func (rs *Records) AppendEnums(b []byte, class string) ([]byte, error) {
	if rs.Class(class) == nil {
		return b, errors.New("error: The class '" + class + "' is not defined\n")
	}
	for _, r := range rs.DerivedSorted(class) {
		b = append(b, r.Name...)
		b = append(b, ", "...)
	}
	return append(b, '\n'), nil
}
