package bpf_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/helper"
	"github.com/mirin-go/mirin/target/bpf/vm"
)

// counter counts how often each number is in the first word of the context.
func counter(o *bpf.Options) *bpf.Unit {
	u := bpf.NewUnit("counter", o)
	u.License("GPL")
	counts := u.Map("counts", bpf.MapSpec{Type: bpf.Hash, Key: bpf.U32, Value: bpf.U64, MaxEntries: 16})
	total := u.Var("total", bpf.U64, 0)
	f := u.Program("raw_tracepoint/sys_enter", "count", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(bpf.U64)})
	f.FetchAdd(total, f.Int(ir.Int64, 1))
	key := f.Stack("key", bpf.U32)
	f.Store(f.Load(ir.Int32, f.Arg(0)), key)
	n := f.MapLookup(counts, key)
	first, again, done := f.Block("first"), f.Block("again"), f.Block("done")
	f.CondBr(f.IsNull(n), first, again)
	f.SetBlock(first)
	one := f.Stack("one", bpf.U64)
	f.Store(f.Int(ir.Int64, 1), one)
	f.MapUpdate(counts, key, one, 0)
	f.Br(done)
	f.SetBlock(again)
	f.FetchAdd(n, f.Int(ir.Int64, 1))
	f.Br(done)
	f.SetBlock(done)
	f.Ret(f.Int(ir.Int32, 0))
	return u
}

func TestCounter(t *testing.T) {
	for _, o := range []bpf.Options{{}, {CPU: "v1"}, {CPU: "v2"}, {CPU: "v4"}, {Opt: bpf.O0}, {BigEndian: true}} {
		obj, err := counter(&o).Compile(&o)
		if err != nil {
			t.Fatal(err)
		}
		c, err := vm.Load(obj, nil)
		if err != nil {
			t.Fatal(err)
		}
		order := binary.AppendByteOrder(binary.LittleEndian)
		if o.BigEndian {
			order = binary.BigEndian
		}
		for _, n := range []uint32{7, 9, 7, 7} {
			if _, err := c.Program("count").Run(&vm.Input{Context: order.AppendUint32(nil, n)}); err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
		}
		got := ""
		c.Map("counts").Dump(func(key, value []byte) { got += fmt.Sprintf("%x:%x ", key, value) })
		want := ""
		for _, p := range [][2]uint64{{7, 3}, {9, 1}} {
			want += fmt.Sprintf("%x:%x ", order.AppendUint32(nil, uint32(p[0])), order.AppendUint64(nil, p[1]))
		}
		if got != want {
			t.Errorf("%+v: the map has %s, want %s", o, got, want)
		}
		if b := c.Map(".bss").Lookup([]byte{0, 0, 0, 0}); !bytes.Equal(b, order.AppendUint64(nil, 4)) {
			t.Errorf("%+v: total is %x", o, b)
		}
	}
}

// TestSameBytes: the same unit is the same object, however many functions are compiled at once.
func TestSameBytes(t *testing.T) {
	text := []byte(`
target triple = "bpfel"
define i64 @f(i64 %x) section "socket" {
  %y = mul i64 %x, 3
  ret i64 %y
}
define i64 @g(i64 %x) section "socket" {
  %y = xor i64 %x, 255
  ret i64 %y
}
`)
	const want = "2513b97f3e47766c"
	for jobs := range 3 {
		m, err := bpf.ParseIR("same.ll", text)
		if err != nil {
			t.Fatal(err)
		}
		obj, err := bpf.Compile(m, &bpf.Options{Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(obj)
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%d at a time: the object's sum is %s, want %s", jobs, got, want)
		}
	}
	a, err := counter(nil).Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := counter(nil).Compile(&bpf.Options{Jobs: 1}); err != nil || !bytes.Equal(a, b) {
		t.Errorf("a unit that is built again is another object (%v)", err)
	}
}

// TestErrors: what cannot be compiled names function, line and variables.
func TestErrors(t *testing.T) {
	_, file, line, _ := runtime.Caller(0)
	u := bpf.NewUnit("errors", nil)
	f := u.Program("socket", "big", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	buffer := f.Stack("buffer", bpf.ArrayOf(bpf.U8, 600))
	f.Helper(helper.GetCurrentComm, bpf.I64, buffer, f.Int(ir.Int32, 600))
	f.Ret(f.Int(ir.Int32, 0))
	six := make([]bpf.Param, 6)
	for i := range six {
		six[i] = bpf.Param{Name: string(rune('a' + i)), Type: bpf.U64}
	}
	callee := u.Module.Declare("wide", u.Module.Types.Func(ir.Int64, []ir.Type{ir.Int64, ir.Int64, ir.Int64, ir.Int64, ir.Int64, ir.Int64}, false))
	g := u.Program("socket", "calls", bpf.U64, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	g.Line()
	x := g.Int(ir.Int64, 1)
	g.Ret(g.Call(callee, x, x, x, x, x, x))

	_, err := u.Compile(nil)
	var list []*bpf.Error
	if j, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range j.Unwrap() {
			var x *bpf.Error
			if errors.As(e, &x) {
				list = append(list, x)
			}
		}
	}
	if len(list) != 2 {
		t.Fatalf("want an error of each function: %v", err)
	}
	if e := list[0]; e.Func != "big" || filepath.Base(e.File) != filepath.Base(file) || e.Line != line+2 || e.Stack < 600 ||
		len(e.Variables) == 0 || e.Variables[0] != (bpf.Variable{Name: "buffer", Size: 600}) {
		t.Errorf("%+v", e)
	}
	if e := list[1]; e.Func != "calls" || e.Line != line+12 || !strings.Contains(e.Error(), "too many arguments") {
		t.Errorf("%+v", e)
	}
	if m, err := bpf.ParseIR("x.ll", []byte("target triple = \"x86_64-linux\"\n")); err != nil {
		t.Error(err)
	} else if _, err := bpf.Compile(m, nil); err == nil || !strings.Contains(err.Error(), "x86_64-linux") {
		t.Errorf("a module for another machine: %v", err)
	}
	if m, err := bpf.ParseIR("x.ll", []byte("target triple = \"bpfel\"\n")); err != nil {
		t.Error(err)
	} else if _, err := bpf.Compile(m, &bpf.Options{BigEndian: true}); err == nil || !strings.Contains(err.Error(), "BigEndian") {
		t.Errorf("a module of the other byte order: %v", err)
	}
	u = bpf.NewUnit("fields", nil)
	f = u.Program("socket", "f", bpf.I32, bpf.Param{Name: "p", Type: bpf.Pointer(nil)})
	f.Field(bpf.Struct("task_struct"), f.Arg(0), "pidd")
	if _, err := u.Compile(nil); err == nil || !strings.Contains(err.Error(), "struct task_struct has no field pidd") {
		t.Errorf("a field that there is not: %v", err)
	}
}

// TestFields: fields of structures are found, and are relocations for loaders.
func TestFields(t *testing.T) {
	inner := bpf.Struct("signal_struct", bpf.Field{Name: "nr_threads", Type: bpf.I32})
	task := bpf.Struct("task_struct", bpf.Field{Name: "flags", Type: bpf.U8}, bpf.Field{Name: "pid", Type: bpf.U32}, bpf.Field{Name: "sig", Type: inner})
	u := bpf.NewUnit("fields", nil)
	u.License("GPL")
	f := u.Program("fentry/x", "f", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	p := f.Load(u.Module.Types.Pointer(0), f.Arg(0))
	sum := f.Add(f.Field(task, p, "pid"), f.ReadField(task, p, "sig", "nr_threads"))
	f.Ret(f.Add(sum, f.FieldInfo(bpf.FieldExists, task, "pid")))
	obj, err := u.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := vm.Load(obj, &vm.Options{Kernel: memory{0x10000: {9, 0, 0, 0, 100, 0, 0, 0, 20, 0, 0, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := binary.LittleEndian.AppendUint64(nil, 0x10000)
	if got, err := c.Program("f").Run(&vm.Input{Context: ctx}); err != nil || got != 121 {
		t.Errorf("got %d, %v, want 121", got, err)
	}
	// The names are in the object, for CO-RE.
	for _, s := range []string{"task_struct", "nr_threads", "0:2:0", "0:1"} {
		if !bytes.Contains(obj, append([]byte(s), 0)) {
			t.Errorf("the object does not name %q", s)
		}
	}
}

// memory is memory of the kernel: pieces by their addresses.
type memory map[uint64][]byte

func (m memory) Read(addr uint64, to []byte) bool {
	for at, b := range m {
		if addr >= at && addr+uint64(len(to)) <= at+uint64(len(b)) {
			copy(to, b[addr-at:])
			return true
		}
	}
	return false
}

func (m memory) Write(uint64, []byte) bool { return false }

// TestParts: functions, kernel functions, constants, ring buffers.
func TestParts(t *testing.T) {
	u := bpf.NewUnit("parts", nil)
	u.License("GPL")
	events := u.Map("events", bpf.MapSpec{Type: bpf.RingBuf, MaxEntries: 4096})
	limit := u.Const("limit", bpf.U32, u.Module.Constants().Int(ir.Int32, 40))
	lock := u.Kfunc("bpf_rcu_read_lock", nil)
	unlock := u.Kfunc("bpf_rcu_read_unlock", nil)

	double := u.Function("double", bpf.U32, bpf.Param{Name: "x", Type: bpf.U32})
	double.Ret(double.Shl(double.Arg(0), double.Int(ir.Int32, 1)))

	md := bpf.Struct("xdp_md", bpf.Field{Name: "data", Type: bpf.U32}, bpf.Field{Name: "data_end", Type: bpf.U32})
	f := u.Program("xdp", "f", bpf.U32, bpf.Param{Name: "ctx", Type: bpf.Pointer(md)})
	ptr := u.Module.Types.Pointer(0)
	data := f.IntToPtr(f.ZExt(f.ContextField(md, f.Arg(0), "data"), ir.Int64), ptr)
	end := f.IntToPtr(f.ZExt(f.ContextField(md, f.Arg(0), "data_end"), ir.Int64), ptr)
	short, whole, emit, out := f.Block("short"), f.Block("whole"), f.Block("emit"), f.Block("out")
	f.CondBr(f.ICmp(ir.ICmpUGT, f.Offset(data, 14), end), short, whole)
	f.SetBlock(short)
	f.Ret(f.Int(ir.Int32, 0))
	f.SetBlock(whole)
	f.Call(lock)
	f.Call(unlock)
	rec := f.Helper(helper.RingbufReserve, bpf.Pointer(nil), events, f.Int(ir.Int64, 8), f.Int(ir.Int64, 0))
	f.CondBr(f.IsNull(rec), out, emit)
	f.SetBlock(emit)
	f.Store(f.ZExt(f.Load(ir.Int8, f.Offset(data, 13)), ir.Int64), rec)
	f.Helper(helper.RingbufSubmit, bpf.I64, rec, f.Int(ir.Int64, 0))
	f.Br(out)
	f.SetBlock(out)
	f.Ret(f.Add(f.Call(double.Func().ID, f.Load(ir.Int32, limit)), f.Int(ir.Int32, 2)))

	obj, err := u.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	var records [][]byte
	c, err := vm.Load(obj, &vm.Options{Output: func(_ *vm.Map, b []byte) { records = append(records, b) }})
	if err != nil {
		t.Fatal(err)
	}
	packet := make([]byte, 60)
	packet[13] = 77
	if got, err := c.Program("f").Run(&vm.Input{Packet: packet}); err != nil || got != 82 {
		t.Errorf("got %d, %v, want 82", got, err)
	}
	if len(records) != 1 || !bytes.Equal(records[0], []byte{77, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("records %x", records)
	}
	if got, err := c.Program("f").Run(&vm.Input{Packet: packet[:10]}); err != nil || got != 0 {
		t.Errorf("a short packet: got %d, %v", got, err)
	}
}
