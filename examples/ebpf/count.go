package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/ir"
)

// counter counts system calls by their numbers. A raw tracepoint's context is the arguments of the
// kernel's tracepoint: sys_enter(struct pt_regs *regs, long id).
func counter() *bpf.Unit {
	u := bpf.NewUnit("count", nil)
	u.License("GPL")
	counts := u.Map("counts", bpf.MapSpec{Type: bpf.Hash, Key: bpf.U64, Value: bpf.U64, MaxEntries: 1024})

	args := bpf.Struct("args", bpf.Field{Name: "regs", Type: bpf.U64}, bpf.Field{Name: "id", Type: bpf.U64})
	f := u.Program("raw_tracepoint/sys_enter", "count", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(args)})
	key, one := f.Stack("key", bpf.U64), f.Stack("one", bpf.U64)
	f.Store(f.ContextField(args, f.Arg(0), "id"), key)
	n := f.MapLookup(counts, key)
	first, again, done := f.Block("first"), f.Block("again"), f.Block("done")
	f.CondBr(f.IsNull(n), first, again)

	f.SetBlock(first)
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

func runCounter(coll *ebpf.Collection) error {
	l, err := link.AttachRawTracepoint(link.RawTracepointOptions{Name: "sys_enter", Program: coll.Programs["count"]})
	if err != nil {
		return err
	}
	time.Sleep(time.Second)
	l.Close()

	type row struct{ id, n uint64 }
	var rows []row
	var r row
	for it := coll.Maps["counts"].Iterate(); it.Next(&r.id, &r.n); {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id)) })
	for _, r := range rows[:min(10, len(rows))] {
		fmt.Printf("system call %3d: %d times\n", r.id, r.n)
	}
	return nil
}
