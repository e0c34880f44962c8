package ir_test

import (
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irverify"
)

// misuser calls methods with arguments that may be anything.
type misuser struct {
	rng    *rand.Rand
	values []ir.Value
	types  []ir.Type
}

func (m *misuser) argument(t reflect.Type) reflect.Value {
	n := m.rng.Uint32N(20)
	if m.rng.IntN(20) == 0 {
		n = m.rng.Uint32() >> m.rng.UintN(32)
	}
	switch v := reflect.New(t).Elem().Interface().(type) {
	case ir.Value:
		switch m.rng.IntN(12) {
		case 0:
			return reflect.ValueOf(ir.Value(n))
		case 1:
			return reflect.ValueOf(ir.Value(m.rng.Uint32N(5)<<29 | n))
		}
		return reflect.ValueOf(m.values[m.rng.IntN(len(m.values))])
	case ir.Type:
		if m.rng.IntN(10) == 0 {
			return reflect.ValueOf(ir.Type(n))
		}
		return reflect.ValueOf(m.types[m.rng.IntN(len(m.types))])
	case string:
		return reflect.ValueOf([]string{"", "x", "llvm.sqrt.f64", "llvm.nothing.at.all", "g"}[n%5])
	case ir.Instr:
		v.Op = ir.OpFreeze
		v.Type = m.types[m.rng.IntN(len(m.types))]
		return reflect.ValueOf(v)
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Int32:
		return reflect.ValueOf(int64(n) - 3).Convert(t)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return reflect.ValueOf(uint64(n)).Convert(t)
	case reflect.Bool:
		return reflect.ValueOf(n%2 == 0)
	case reflect.Float64:
		return reflect.ValueOf(float64(n))
	}
	return reflect.New(t).Elem()
}

func (m *misuser) call(on reflect.Value) {
	i := m.rng.IntN(on.NumMethod())
	method := on.Method(i)
	switch on.Type().Method(i).Name {
	case "Emit": // it takes rows as they are
		return
	}
	t := method.Type()
	var args []reflect.Value
	for k := range t.NumIn() {
		if t.IsVariadic() && k == t.NumIn()-1 {
			for range m.rng.IntN(4) {
				args = append(args, m.argument(t.In(k).Elem()))
			}
			continue
		}
		args = append(args, m.argument(t.In(k)))
	}
	for _, r := range method.Call(args) {
		switch v := r.Interface().(type) {
		case ir.Value:
			m.values = append(m.values, v)
		case ir.InstrID:
			m.values = append(m.values, ir.Local(v))
		}
	}
}

// misuse builds a module of nonsense; what it gives away is a module whose fault
// is known, or one that the verifier can look at.
func misuse(seed uint64) *ir.Module {
	m := &misuser{rng: rand.New(rand.NewPCG(seed, 1))}
	mod := ir.NewModule("misuse")
	ts := mod.Types
	ft := ts.Func(ir.Int32, []ir.Type{ir.Int32, ir.Ptr, ir.Double}, false)
	m.types = []ir.Type{ir.Int32, ir.Int64, ir.Int1, ir.Ptr, ir.Double, ir.Float, ir.Void, ir.Label, ir.Metadata, ft,
		ts.Struct([]ir.Type{ir.Int32, ir.Ptr}, false), ts.Array(ir.Int8, 3), ts.Vector(ir.Int32, 4, false), ts.NamedStruct("opaque")}
	f := mod.Define("f", ft)
	b := ir.NewBuilder(f)
	m.values = []ir.Value{b.Arg(0), b.Arg(1), b.Arg(2), 0}
	b.SetBlock(b.Block("entry"))
	b.Block("other")
	for range 60 {
		switch m.rng.IntN(8) {
		case 0:
			m.call(reflect.ValueOf(mod.Constants()))
		case 1:
			mod.Declare("g", m.types[m.rng.IntN(len(m.types))])
			mod.AddVar("v", ir.Int32, 0)
		default:
			m.call(reflect.ValueOf(b))
		}
	}
	return mod
}

// TestBuilderMisuse: whatever a front end does, a builder remembers it and does not panic.
func TestBuilderMisuse(t *testing.T) {
	n := uint64(1000)
	if testing.Short() {
		n = 300
	}
	for seed := range n {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("seed %d: %v\n%s", seed, r, debug.Stack())
				}
			}()
			if mod := misuse(seed); mod.Err() == nil {
				irverify.Module(mod)
			}
		}()
	}
}

// TestBuilderPlaces: faults have the place in the caller's code.
func TestBuilderPlaces(t *testing.T) {
	for want, use := range map[string]func(*ir.Module, ir.Builder){
		"function @f: there is no argument 3 of 1":                 func(_ *ir.Module, b ir.Builder) { b.Ret(b.Arg(3)) },
		"function @f: a value of another function or module":       func(_ *ir.Module, b ir.Builder) { b.Add(ir.Local(99), b.Arg(0)) },
		"function @f: there is no block 7":                         func(_ *ir.Module, b ir.Builder) { b.Br(7) },
		"function @f: call: there is no intrinsic llvm.sqroot.f64": func(_ *ir.Module, b ir.Builder) { b.Intrinsic("llvm.sqroot.f64", ir.Double, b.Float(ir.Double, 1)) },
		"function @f is defined already":                           func(m *ir.Module, b ir.Builder) { m.Define("f", b.Func().Global().ValueType) },
		"function @f has type i32 (i32), and not i64 ()":           func(m *ir.Module, b ir.Builder) { m.Declare("f", m.Types.Func(ir.Int64, nil, false)) },
		"Int: double is no integer type":                           func(m *ir.Module, b ir.Builder) { m.Constants().Int(ir.Double, 1) },
		"ConstStruct: member 1 has type i32, want ptr": func(m *ir.Module, b ir.Builder) {
			c := m.Constants()
			s := m.Types.Struct([]ir.Type{ir.Int32, ir.Ptr}, false)
			c.ConstStruct(s, c.Int(ir.Int32, 1), c.Int(ir.Int32, 1))
		},
		"function @f: load: void has no size":                             func(_ *ir.Module, b ir.Builder) { b.Load(ir.Void, b.Null(ir.Ptr)) },
		"function @f: there is no value (the result of an instruction wi": func(_ *ir.Module, b ir.Builder) { b.Not(0) },
	} {
		m := ir.NewModule("m")
		f := m.Define("f", m.Types.Func(ir.Int32, []ir.Type{ir.Int32}, false))
		b := ir.NewBuilder(f)
		b.SetBlock(b.Block("entry"))
		use(m, b)
		if err := m.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "builder_misuse_test.go:") {
			t.Errorf("%v, want %q with its place", err, want)
		}
	}
}
