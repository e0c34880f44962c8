package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cilium/ebpf"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/bpf/collection"
	"github.com/mirin-go/mirin/target/bpf/vm"
)

// load loads a unit into the kernel; without the right to do that the test is skipped.
func load(t *testing.T, u *bpf.Unit, cpu string) *ebpf.Collection {
	spec, err := collection.SpecOf(u, &bpf.Options{CPU: cpu})
	if err != nil {
		t.Fatal(err)
	}
	coll, err := ebpf.NewCollection(spec)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, ebpf.ErrNotSupported) {
		t.Skipf("this kernel does not load programs for us: %v", err)
	}
	if err != nil {
		t.Fatalf("%+v", err)
	}
	t.Cleanup(coll.Close)
	return coll
}

// TestFilter runs the filter in the kernel and in the interpreter.
func TestFilter(t *testing.T) {
	obj, err := filter().Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := vm.Load(obj, nil)
	if err != nil {
		t.Fatal(err)
	}
	packets := [][]byte{packet(6), packet(17), packet(6)[:20], make([]byte, 60)}
	want := []uint64{xdpPass, xdpDrop, xdpDrop, xdpDrop}
	for i, p := range packets {
		if got, err := c.Program("filter").Run(&vm.Input{Packet: p}); err != nil || got != want[i] {
			t.Errorf("interpreter: packet %d: %d, %v", i, got, err)
		}
	}
	for _, cpu := range []string{"v1", "v2", "v3", "v4"} {
		coll := load(t, filter(), cpu)
		for i, p := range packets {
			if got, _, err := coll.Programs["filter"].Test(p); err != nil || uint64(got) != want[i] {
				t.Errorf("kernel, %s: packet %d: %d, %v", cpu, i, got, err)
			}
		}
	}
}

func TestField(t *testing.T) {
	coll := load(t, field(), "v3")
	ret, err := coll.Programs["parent"].Run(&ebpf.RunOptions{})
	if err != nil || int(ret) != os.Getppid() {
		t.Errorf("the kernel says %d (%v), the parent is %d", ret, err, os.Getppid())
	}
}

func TestCounter(t *testing.T) {
	coll := load(t, counter(), "v3")
	p := coll.Programs["count"]
	for range 3 {
		if _, err := p.Run(&ebpf.RunOptions{Context: [2]uint64{0, 12345}}); err != nil {
			t.Fatal(err)
		}
	}
	var n uint64
	if err := coll.Maps["counts"].Lookup(uint64(12345), &n); err != nil || n != 3 {
		t.Errorf("counted %d, %v, want 3", n, err)
	}
}

// TestDoc runs the program of docs/ebpf.md from an empty folder, and compiles its other pieces.
func TestDoc(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join(root, "docs/ebpf.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]string{}
	for _, part := range strings.Split(string(doc), "\n```")[1:] {
		if kind, body, ok := strings.Cut(part, "\n"); ok && kind != "" {
			blocks[kind] = append(blocks[kind], body+"\n")
		}
	}
	if len(blocks["go"]) != 3 || len(blocks["text"]) != 1 || len(blocks["sh"]) != 1 {
		t.Fatalf("the page has other blocks than this test knows: %d of Go", len(blocks["go"]))
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", blocks["go"][0])
	write("pieces.go", "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\n\t\"github.com/mirin-go/mirin/bpf\"\n\t\"github.com/mirin-go/mirin/target/bpf/vm\"\n)\n\n"+
		"func onError(err error) {\n"+blocks["go"][1]+"}\n\nfunc inTests(object []byte) {\n"+blocks["go"][2]+"\t_, _, _ = ret, count, err\n}\n")
	// What `go get` finds is here: the modules of this tree, and the versions that they need.
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(mod), "module github.com/mirin-go/mirin/examples/ebpf", "module example.com/count", 1)
	text = strings.ReplaceAll(text, "../../bpf/collection", filepath.Join(root, "bpf/collection"))
	write("go.mod", strings.ReplaceAll(text, "=> ../..\n", "=> "+root+"\n"))
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sum))
	build := exec.Command("go", "build", "-mod=mod", "-o", "count", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	load(t, filter(), "v3") // or skip
	var stderr bytes.Buffer
	run := exec.Command(filepath.Join(dir, "count"))
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil || string(out) != blocks["text"][0] {
		t.Errorf("%v\n%s%s\nthe page has\n%s", err, out, stderr.Bytes(), blocks["text"][0])
	}
}
