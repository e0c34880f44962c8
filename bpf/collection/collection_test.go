package collection_test

import (
	"errors"
	"os"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/bpf/collection"
	"github.com/mirin-go/mirin/ir"
)

// unit is a socket filter that keeps the packet when its byte at an offset, a constant of .rodata,
// has been seen before, and counts bytes in a map.
func unit() *bpf.Unit {
	u := bpf.NewUnit("filter", nil)
	u.License("GPL")
	counts := u.Map("counts", bpf.MapSpec{Type: bpf.Array, Key: bpf.U32, Value: bpf.U64, MaxEntries: 256})
	step := u.Const("step", bpf.U64, u.Module.Constants().Int(ir.Int64, 1))
	f := u.Program("socket", "filter", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	key := f.Stack("key", bpf.U32)
	f.Store(f.And(f.Load(ir.Int32, f.Arg(0)), f.Int(ir.Int32, 255)), key)
	n := f.MapLookup(counts, key)
	found, none := f.Block("found"), f.Block("none")
	f.CondBr(f.IsNull(n), none, found)
	f.SetBlock(none)
	f.Ret(f.Int(ir.Int32, 0))
	f.SetBlock(found)
	old := f.FetchAdd(n, f.Load(ir.Int64, step))
	f.Ret(f.Trunc(old, ir.Int32))
	return u
}

func TestSpec(t *testing.T) {
	spec, err := collection.SpecOf(unit(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := spec.Maps["counts"]; m == nil || m.Type != ebpf.Array || m.KeySize != 4 || m.ValueSize != 8 || m.MaxEntries != 256 || m.Key == nil || m.Value == nil {
		t.Errorf("map counts: %+v", m)
	}
	p := spec.Programs["filter"]
	if p == nil || p.Type != ebpf.SocketFilter || p.License != "GPL" {
		t.Fatalf("program filter: %+v", p)
	}
	lines := 0
	for _, in := range p.Instructions {
		if in.Source() != nil {
			lines++
		}
	}
	if lines == 0 {
		t.Error("no instruction has a source line")
	}
	if err := spec.Variables["step"].Set(uint64(3)); err != nil {
		t.Error(err)
	}

	u := bpf.NewUnit("wrong", nil)
	f := u.Program("socket", "big", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	f.MapLookup(f.Stack("buffer", bpf.ArrayOf(bpf.U8, 1000)), f.Arg(0))
	f.Ret(f.Int(ir.Int32, 0))
	var e *bpf.Error
	if _, err := collection.SpecOf(u, nil); !errors.As(err, &e) || e.Func != "big" {
		t.Errorf("an error of the compiler: %v", err)
	}
}

// TestLoad loads and runs the program in the kernel.
func TestLoad(t *testing.T) {
	spec, err := collection.SpecOf(unit(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.Variables["step"].Set(uint64(5)); err != nil {
		t.Fatal(err)
	}
	_ = rlimit.RemoveMemlock()
	coll, err := ebpf.NewCollection(spec)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, ebpf.ErrNotSupported) {
		t.Skipf("this kernel does not load programs for us: %v", err)
	}
	if err != nil {
		t.Fatalf("%+v", err)
	}
	defer coll.Close()
	for want := range uint32(3) {
		got, _, err := coll.Programs["filter"].Test(make([]byte, 64))
		if err != nil || got != 5*want {
			t.Errorf("run %d: %d, %v", want, got, err)
		}
	}
}
