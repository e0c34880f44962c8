// Command ebpf has three eBPF programs that are written in Go, compiled in this process and run by
// the kernel: no clang, no C, no files.
//
//	ebpf count      counts system calls for a second, by their numbers
//	ebpf filter     sends packets through an XDP program that lets TCP pass (BPF_PROG_TEST_RUN)
//	ebpf field      reads the parent's process number out of the kernel, by CO-RE
//
// It needs root. ebpf -o FILE count writes the object instead of loading it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/cilium/ebpf"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/bpf/collection"
)

func main() {
	out := flag.String("o", "", "write the object to a file instead of loading it")
	cpu := flag.String("mcpu", "v3", "version of the instruction set")
	flag.Parse()
	build, run := map[string]func() *bpf.Unit{"count": counter, "filter": filter, "field": field}[flag.Arg(0)],
		map[string]func(*ebpf.Collection) error{"count": runCounter, "filter": runFilter, "field": runField}[flag.Arg(0)]
	if build == nil {
		fmt.Fprintln(os.Stderr, "usage: ebpf [-o FILE] [-mcpu VERSION] count|filter|field")
		os.Exit(2)
	}
	if err := start(build(), &bpf.Options{CPU: *cpu}, *out, run); err != nil {
		fmt.Fprintln(os.Stderr, "ebpf:", err)
		var v *ebpf.VerifierError
		if errors.As(err, &v) {
			fmt.Fprintf(os.Stderr, "%+v\n", v) // the whole log
		}
		os.Exit(1)
	}
}

// start compiles a unit and writes the object, or loads it and runs what uses it.
func start(u *bpf.Unit, o *bpf.Options, out string, run func(*ebpf.Collection) error) error {
	if out != "" {
		obj, err := u.Compile(o)
		if err != nil {
			return err
		}
		return os.WriteFile(out, obj, 0o666)
	}
	begin := time.Now()
	spec, err := collection.SpecOf(u, o)
	if err != nil {
		return err
	}
	fmt.Printf("compiled in %v\n", time.Since(begin).Round(10*time.Microsecond))
	coll, err := ebpf.NewCollection(spec)
	if err != nil {
		return err
	}
	defer coll.Close()
	return run(coll)
}
