package main

import (
	"fmt"

	"github.com/cilium/ebpf"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/target/bpf/helper"
)

// field returns the process number of the parent of the task that runs. The structure has the
// fields that are read, wherever this kernel has them: the loader asks the kernel's own types.
func field() *bpf.Unit {
	u := bpf.NewUnit("field", nil)
	u.License("GPL")
	task := bpf.Struct("task_struct", bpf.Field{Name: "tgid", Type: bpf.I32})
	task.Add(bpf.Field{Name: "real_parent", Type: bpf.Pointer(task)})

	f := u.Program("raw_tracepoint/sys_enter", "parent", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(nil)})
	current := f.Helper(helper.GetCurrentTask, bpf.Pointer(nil))
	parent := f.ReadField(task, current, "real_parent")
	f.Ret(f.ReadField(task, parent, "tgid"))
	return u
}

func runField(coll *ebpf.Collection) error {
	ret, err := coll.Programs["parent"].Run(&ebpf.RunOptions{})
	if err != nil {
		return err
	}
	fmt.Println("the parent's process number is", ret)
	return nil
}
