//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// row is one line of the table that -what all prints.
type row struct {
	what string
	file string
	task task
	n    int // runs of each
}

// machines are the targets whose smallest files are timed: triple and a return.
var machines = [...][3]string{
	{"x86-64", "x86_64-unknown-linux-gnu", "RET64"}, {"AArch64", "aarch64-unknown-linux-gnu", "RET_ReallyLR"},
	{"RISC-V", "riscv64-unknown-linux-gnu", "PseudoRET"}, {"AMDGPU", "amdgcn-amd-amdhsa", "S_ENDPGM 0"},
}

// inputs makes the files of the table in dir: a program in all its forms, by
// clang and LLVM's tools, and the smallest files.
func inputs(dir, program, suffix string) error {
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range [][]string{
		{"clang", "-O2", "-w", "-S", "-emit-llvm", program, "-o", at("program.ll")},
		{"clang", "-O2", "-w", "-g", "-c", "-emit-llvm", program, "-o", at("debug.bc")},
		{"llvm-as", at("program.ll"), "-o", at("program.bc")},
		{"llc", "-O2", "-stop-after=finalize-isel", at("program.ll"), "-o", at("program.mir")},
	} {
		if out, err := exec.Command(c[0]+suffix, c[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %.300s", c[0]+suffix, err, out)
		}
	}
	small := map[string]string{"tiny.ll": "target triple = \"x86_64-unknown-linux-gnu\"\n\ndefine i32 @f(i32 %a, i32 %b) {\n  %c = add i32 %a, %b\n  ret i32 %c\n}\n"}
	for _, m := range machines {
		small[m[0]+".mir"] = "--- |\n  target triple = \"" + m[1] + "\"\n  define void @f() { ret void }\n...\n---\nname: f\nbody: |\n  bb.0:\n    " + m[2] + "\n...\n"
	}
	for name, text := range small {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// rows lists what is timed; include is LLVM's folder of headers.
func rows(dir, include string) []row {
	at := func(name string) string { return filepath.Join(dir, name) }
	read, mirTask := tasks["read"], tasks["mir"][0]
	asm := task{"llc -O0", "llc", []string{"-O0", "-o", os.DevNull}}
	dis := task{"dis", "llvm-dis", []string{"-o", os.DevNull}}
	list := []row{{"start: llc -O0, .ll of 5 lines", at("tiny.ll"), asm, 100}, {"start: opt verify, .ll of 5 lines", at("tiny.ll"), read[1], 100}}
	for _, m := range machines {
		list = append(list, row{"start: llc -run-pass=none, " + m[0], at(m[0] + ".mir"), mirTask, 100})
	}
	list = append(list,
		row{".ll: read, verify", at("program.ll"), read[1], 10}, row{".ll: read, verify, write .bc", at("program.ll"), read[0], 10},
		row{".bc: read, verify", at("program.bc"), read[1], 10}, row{".bc: read, print", at("program.bc"), dis, 10},
		row{".bc with -g: read, verify", at("debug.bc"), read[1], 10}, row{".bc with -g: read, print", at("debug.bc"), dis, 10},
		row{".mir: read, verify, print", at("program.mir"), mirTask, 3})
	td := tasks["td"][0]
	for _, f := range [...]string{"llvm/IR/Intrinsics.td", "mlir/Dialect/LLVMIR/NVVMOps.td"} {
		t := td
		t.args = append(append([]string{}, t.args...), "-I", include)
		list = append(list, row{".td: " + filepath.Base(f), filepath.Join(include, f), t, 5})
	}
	return list
}

// table times everything and prints a table in Markdown.
func table(runs int, dir, program, suffix, include string) error {
	if err := inputs(dir, program, suffix); err != nil {
		return err
	}
	fmt.Printf("| | bytes | mirin CPU | wall | MiB | LLVM CPU | wall | MiB | CPU, times | memory |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows(dir, include) {
		fi, err := os.Stat(r.file)
		if err != nil {
			fmt.Printf("| %s | not there |\n", r.what)
			continue
		}
		n := r.n
		if runs > 0 {
			n = runs
		}
		x, y, err := best(n, filepath.Join(dir, r.task.tool), r.task.tool+suffix, append(append([]string{}, r.task.args...), r.file))
		if err != nil {
			fmt.Printf("| %s | %s |\n", r.what, strings.ReplaceAll(err.Error(), "\n", " "))
			continue
		}
		fmt.Printf("| %s | %d | %.1f ms | %.1f ms | %.0f | %.1f ms | %.1f ms | %.0f | %.1f | %.0f %% |\n", r.what, fi.Size(),
			ms(x.cpu), ms(x.wall), mib(x), ms(y.cpu), ms(y.wall), mib(y), float64(y.cpu)/float64(x.cpu), 100*float64(x.rss)/float64(y.rss))
	}
	return nil
}
