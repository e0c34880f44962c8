package jit

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"
)

// A Kind is what a value of a compiled function is.
type Kind uint8

// The kinds of parameters and results.
const (
	Int Kind = iota // Bits wide, at most 64
	Float32
	Float64
	Pointer
	ByVal // a pointer in IR that the callee sees as Size bytes of its own on the stack
	SRet  // a pointer to Size bytes that the caller gives for the result
	Other // what Go cannot pass; Name says what it is
)

// Param is a parameter or a result of a compiled function.
type Param struct {
	Kind   Kind
	Bits   uint8 // of Int
	Signed bool  // narrow integers are extended by their sign (signext)
	Size   int   // of ByVal and SRet, in bytes
	Align  int   // of ByVal
	Name   string
}

func (p *Param) String() string {
	switch p.Kind {
	case Int:
		return fmt.Sprintf("i%d", p.Bits)
	case Float32:
		return "float"
	case Float64:
		return "double"
	case Pointer:
		return "ptr"
	case ByVal:
		return fmt.Sprintf("ptr byval of %d bytes", p.Size)
	case SRet:
		return fmt.Sprintf("ptr sret of %d bytes", p.Size)
	}
	return p.Name
}

// Signature is the type of a compiled function. Results are the parts of a
// structure, or one.
type Signature struct {
	Params, Results []Param
	Variadic        bool
	// Convention is the name of a calling convention other than C's; such
	// functions cannot be called from Go.
	Convention string
}

// A Word is a type whose values go through one register.
type Word interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr |
		~float32 | ~float64 | ~bool | ~unsafe.Pointer | Void
}

// Void is the result type of functions that have none.
type Void struct{}

var (
	errorType   = reflect.TypeFor[error]()
	contextType = reflect.TypeFor[context.Context]()
)

// goParam is what a Go type is to compiled code; false for types that have no
// counterpart.
func goParam(t reflect.Type) (Param, bool) {
	switch t.Kind() {
	case reflect.Bool:
		return Param{Kind: Int, Bits: 1}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return Param{Kind: Int, Bits: uint8(t.Bits()), Signed: true}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return Param{Kind: Int, Bits: uint8(t.Bits())}, true
	case reflect.Float32:
		return Param{Kind: Float32}, true
	case reflect.Float64:
		return Param{Kind: Float64}, true
	case reflect.Pointer, reflect.UnsafePointer, reflect.String, reflect.Slice:
		return Param{Kind: Pointer}, true
	}
	return Param{}, false
}

// accepts reports whether a value of the Go type, which is g, may be passed for p.
func (p *Param) accepts(g Param, t reflect.Type) bool {
	switch p.Kind {
	case Int:
		return g.Kind == Int && g.Bits == p.Bits
	case Pointer:
		return g.Kind == Pointer || t.Kind() == reflect.Uintptr
	case Float32, Float64:
		return g.Kind == p.Kind
	}
	return false
}

// goFunc is a Go function type taken apart.
type goFunc struct {
	typ      reflect.Type
	context  bool // the first parameter is a context.Context
	fails    bool // the last result is an error
	params   []reflect.Type
	results  []reflect.Type
	asStruct bool // the results are the fields of one structure
}

func newGoFunc(t reflect.Type) *goFunc {
	f := &goFunc{typ: t}
	for i := range t.NumIn() {
		f.params = append(f.params, t.In(i))
	}
	if len(f.params) > 0 && f.params[0] == contextType {
		f.context, f.params = true, f.params[1:]
	}
	for i := range t.NumOut() {
		f.results = append(f.results, t.Out(i))
	}
	if n := len(f.results); n > 0 && f.results[n-1] == errorType {
		f.fails, f.results = true, f.results[:n-1]
	}
	if len(f.results) == 1 && f.results[0].Kind() == reflect.Struct {
		f.asStruct = true
	}
	return f
}

// parts are the types of results that come in registers of their own.
func (f *goFunc) parts() []reflect.Type {
	if !f.asStruct {
		return f.results
	}
	var ts []reflect.Type
	for i := range f.results[0].NumField() {
		ts = append(ts, f.results[0].Field(i).Type)
	}
	return ts
}

// signature is what a Go function says of itself, for functions of which
// nothing else is known.
func (f *goFunc) signature() (*Signature, error) {
	s := &Signature{}
	for i, t := range f.params {
		p, ok := goParam(t)
		if !ok {
			return nil, fmt.Errorf("argument %d: %s cannot be passed", i+1, t)
		}
		s.Params = append(s.Params, p)
	}
	for _, t := range f.parts() {
		p, ok := goParam(t)
		if !ok {
			return nil, fmt.Errorf("%s cannot be a result", t)
		}
		s.Results = append(s.Results, p)
	}
	return s, nil
}

// match holds a Go function to a compiled function's type.
func (f *goFunc) match(s *Signature) error {
	switch {
	case s.Convention != "":
		return fmt.Errorf("its calling convention, %s, is not C's", s.Convention)
	case s.Variadic:
		return fmt.Errorf("it is variadic")
	case f.typ.IsVariadic():
		return fmt.Errorf("%s is variadic", f.typ)
	}
	params := s.Params
	sret := len(params) > 0 && params[0].Kind == SRet
	if sret {
		if len(f.results) != 1 || int(f.results[0].Size()) != params[0].Size {
			return fmt.Errorf("it returns a structure of %d bytes through a pointer, %s does not", params[0].Size, f.typ)
		}
		params = params[1:]
	}
	if len(params) != len(f.params) {
		return fmt.Errorf("it takes %d arguments, %s has %d", len(params), f.typ, len(f.params))
	}
	for i, t := range f.params {
		p := &params[i]
		if p.Kind == ByVal {
			if int(t.Size()) != p.Size {
				return fmt.Errorf("argument %d is %s, Go has %s of %d bytes", i+1, p, t, t.Size())
			}
			continue
		}
		if g, ok := goParam(t); !ok || !p.accepts(g, t) {
			return fmt.Errorf("argument %d is %s, Go has %s", i+1, p, t)
		}
	}
	if sret {
		return nil
	}
	parts := f.parts()
	if len(parts) != len(s.Results) {
		return fmt.Errorf("it has %d results, %s has %d", len(s.Results), f.typ, len(parts))
	}
	for i, t := range parts {
		g, ok := goParam(t)
		if !ok || !s.Results[i].accepts(g, t) || t.Kind() == reflect.String || t.Kind() == reflect.Slice {
			return fmt.Errorf("result %d is %s, Go has %s", i+1, &s.Results[i], t)
		}
	}
	return nil
}

// slot is where an argument or result goes: a word of machine.words, ret or
// fret, or one of the stack.
type slot struct {
	word   uint8 // index into machine.words; into ret and, behind that, fret for results
	signed bool
	stack  bool
	off    int // on the stack, in words
	size   int // of a copy, in bytes; 0 for a value
}

// place assigns slots to parameters by the C convention of x86-64 (System V
// ABI, section 3.2.3) and returns how many words lie on the stack.
func place(params []Param) (slots []slot, stackWords int) {
	ints, floats := 0, 0
	for i := range params {
		p := &params[i]
		s := slot{signed: p.Signed}
		switch {
		case p.Kind == ByVal:
			if p.Align > 8 {
				stackWords += stackWords & 1
			}
			s.stack, s.off, s.size = true, stackWords, p.Size
			stackWords += (p.Size + 7) / 8
		case (p.Kind == Float32 || p.Kind == Float64) && floats < 8:
			s.word = uint8(6 + floats)
			floats++
		case p.Kind != Float32 && p.Kind != Float64 && ints < 6:
			s.word = uint8(ints)
			ints++
		default:
			s.stack, s.off = true, stackWords
			stackWords++
		}
		slots = append(slots, s)
	}
	return slots, stackWords
}

// placeResults assigns slots to results: two words of integers and two of floats.
func placeResults(results []Param) ([]slot, error) {
	var slots []slot
	ints, floats := 0, 0
	for i := range results {
		s := slot{}
		if k := results[i].Kind; k == Float32 || k == Float64 {
			s.word = uint8(2 + floats)
			floats++
		} else {
			s.word = uint8(ints)
			ints++
		}
		slots = append(slots, s)
	}
	if ints > 2 || floats > 2 {
		return nil, fmt.Errorf("results in more than two registers of a kind are not supported")
	}
	return slots, nil
}
