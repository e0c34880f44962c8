package desc

import (
	"reflect"
	"testing"
	"unsafe"
)

// Rows are kept small and free of pointers: x86 alone has 22000 opcodes, and the
// collector must find nothing to follow in them.
func TestRowSizes(t *testing.T) {
	for _, c := range []struct {
		row  any
		size uintptr
	}{
		{InstrDesc{}, 32}, // two a cache line
		{OperandInfo{}, 6},
		{RegDesc{}, 36},
		{UnitRoots{}, 4},
		{SubRegIndexDesc{}, 16},
		{ClassDesc{}, 40},
		{ClassSize{}, 12},
		{BankDesc{}, 12},
		{RegMaskDesc{}, 8},
		{LaneOp{}, 16},
		{FlagDesc{}, 16},
		{FeatureDesc{}, 16},
		{ProcessorDesc{}, 16},
		{SavedRegsDesc{}, 20},
		{VariantDesc{}, 48},
		{PressureSetDesc{}, 8},
		{PressureDesc{}, 12},
		{FoldDesc{}, 6},
		{CommuteDesc{}, 8},
		{OpTraits{}, 6},
		{DwarfFlavour{}, 8},
	} {
		typ := reflect.TypeOf(c.row)
		if typ.Size() != c.size {
			t.Errorf("%s has %d bytes, want %d", typ, typ.Size(), c.size)
		}
		if hasPointer(typ) {
			t.Errorf("%s holds a pointer", typ)
		}
	}
	if unsafe.Sizeof(Name(0)) != 4 {
		t.Error("Name is not 4 bytes")
	}
}

func TestFlagNames(t *testing.T) {
	if got := string((Call | MayLoad | Authenticated).AppendNames(nil)); got != "Call MayLoad Authenticated" {
		t.Error(got)
	}
	if got := string(InstrFlags(0).AppendNames(nil)); got != "" {
		t.Error(got)
	}
}

func hasPointer(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointer(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Array:
		return hasPointer(t.Elem())
	case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan:
		return true
	}
	return false
}

// A target that LLVM does not have fills an Info by hand; names must be found.
func TestHandMadeInfo(t *testing.T) {
	in := &Info{Names: "addR0R1", Regs: make([]RegDesc, 3)}
	in.SetInstrs(make([]InstrDesc, 1))
	in.Instr(0).Name = MakeName(0, 3)
	in.Regs[1].Name, in.Regs[2].Name = MakeName(3, 2), MakeName(5, 2)
	lower := func(r int) string {
		if r == 0 {
			return "noreg"
		}
		return string(in.AppendLowerReg(nil, PhysReg(r)))
	}
	in.SetHashes(BuildHash(1, func(i int) string { return in.OpcodeName(Opcode(i)) }), BuildHash(3, lower))
	if op, ok := in.OpcodeByName("add"); !ok || op != 0 {
		t.Errorf("add: %d, %v", op, ok)
	}
	if r, ok := in.RegByName("r1"); !ok || r != 2 {
		t.Errorf("r1: %d, %v", r, ok)
	}
	if r, ok := in.RegByName("noreg"); !ok || r != 0 {
		t.Errorf("noreg: %d, %v", r, ok)
	}
	if _, ok := in.RegByName("R1"); ok {
		t.Error("MIR writes registers in lower case; R1 must not be found")
	}
	if _, ok := in.OpcodeByName("sub"); ok {
		t.Error("sub was found")
	}
	if _, ok := new(Info).OpcodeByName("add"); ok {
		t.Error("found add in an empty Info")
	}
}

func TestValueTypes(t *testing.T) {
	for _, c := range []struct {
		t            MVT
		name         string
		bits, elems  int
		elem         MVT
		integer, vec bool
	}{
		{MVTi32, "i32", 32, 0, 0, true, false},
		{MVTf80, "f80", 80, 0, 0, false, false},
		{MVTv4f32, "v4f32", 128, 4, MVTf32, false, true},
		{MVTv64i8, "v64i8", 512, 64, MVTi8, true, true},
	} {
		if c.t.String() != c.name || c.t.Bits() != c.bits || c.t.Len() != c.elems || c.t.Elem() != c.elem ||
			c.t.IsInteger() != c.integer || c.t.IsVector() != c.vec {
			t.Errorf("%v: %d bits, %d of %v, integer %v, vector %v", c.t, c.t.Bits(), c.t.Len(), c.t.Elem(), c.t.IsInteger(), c.t.IsVector())
		}
	}
	if !MVTnxv4i32.IsScalable() || MVT(9999).String() != "" {
		t.Error("scalable or unknown types")
	}
}
