package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mirin-go/mirin/internal/verdict"
)

// language is how input of one kind is given to both sides.
type language struct {
	name string
	exts []string // of seeds
	file string   // the input's name
	// llvm and ours are the command lines; FILE, DIR and FLAGS are put in.
	llvm, ours []string
	// printLLVM prints input that both accept.
	printLLVM []string
	comment   string // begins a comment
	flags     func(src string) (string, bool)
	answer    func(string) string
	// stdoutSpeaks says that the answer of accepted input is what is printed as well.
	sameRun bool
}

var languages = []*language{
	{name: "ll", exts: []string{".ll"}, file: "t.ll", comment: ";",
		llvm: []string{"llvm-as", "FLAGS", "FILE", "-o", "FILE.bc"}, ours: []string{"as", "FLAGS", "FILE", "-S", "-o", "-"},
		printLLVM: []string{"llvm-dis", "FILE.bc", "-o", "-"}, sameRun: true},
	{name: "bc", exts: []string{".bc", ".ll"}, file: "t.bc",
		llvm: []string{"llvm-dis", "FILE", "-o", "-"}, ours: []string{"dis", "FILE", "-o", "-"}, sameRun: true},
	{name: "mir", exts: []string{".mir"}, file: "t.mir", comment: "#",
		llvm: []string{"llc", "-run-pass=none", "-verify-machineinstrs", "FLAGS", "FILE", "-o", "-"},
		ours: []string{"llc", "-run-pass=none", "-verify-machineinstrs", "FLAGS", "FILE", "-o", "-"}, flags: mirFlags,
		answer: verdict.First, sameRun: true},
	{name: "td", exts: []string{".td"}, file: "t.td", comment: "//", flags: tdFlags,
		llvm: []string{"llvm-tblgen", "FLAGS", "FILE"}, ours: []string{"tblgen", "FLAGS", "FILE"}, sameRun: true},
	{name: "filecheck", file: "t.txt",
		llvm: []string{"FileCheck", "--color=0", "FLAGS", "--input-file=FILE.in", "FILE"},
		ours: []string{"filecheck", "--color=0", "FLAGS", "--input-file=FILE.in", "FILE"}},
}

func langNamed(name string) *language {
	for _, l := range languages {
		if l.name == name {
			return l
		}
	}
	return nil
}

// llvmTool finds an installed tool of LLVM 22.
func llvmTool(name string) string {
	p := filepath.Join("/usr/lib/llvm-22/bin", name)
	if _, err := os.Stat(p); err == nil {
		return p
	}
	return name + "-22"
}

// place writes a source where the tools find it.
func (l *language) place(dir, src string) (string, error) {
	path := filepath.Join(dir, l.file)
	if l.name == "filecheck" {
		checks, in, _ := strings.Cut(src, verdict.InputBar)
		if err := os.WriteFile(path+".in", []byte(in), 0o666); err != nil {
			return "", err
		}
		src = checks
	}
	return path, os.WriteFile(path, []byte(src), 0o666)
}

func fill(args []string, path, flags string) []string {
	var r []string
	for _, a := range args {
		if a == "FLAGS" {
			r = append(r, strings.Fields(strings.ReplaceAll(flags, "DIR", filepath.Dir(path)))...)
			continue
		}
		r = append(r, strings.ReplaceAll(a, "FILE", path))
	}
	return r
}

type answer struct{ verdict, out string }

// run runs a command line and returns what it says.
func (l *language) run(exe string, args []string, path string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, exe, args...)
	c.Dir = filepath.Dir(path)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if ctx.Err() != nil {
		return answer{verdict: "timeout\n"}
	}
	status := 0
	if err != nil {
		status = 127
		if x := (*exec.ExitError)(nil); errors.As(err, &x) {
			status = x.ExitCode()
		}
	}
	a := answer{verdict: verdict.Normal(errs.String(), path, status), out: out.String()}
	if l.answer != nil {
		a.verdict = l.answer(a.verdict)
	}
	return a
}

// llvm asks the installed LLVM; print asks for what it prints of accepted input.
func (l *language) askLLVM(path, flags string, print bool) answer {
	a := l.run(llvmTool(l.llvm[0]), fill(l.llvm[1:], path, flags), path)
	if print && a.verdict == "" && l.printLLVM != nil {
		a.out = l.run(llvmTool(l.printLLVM[0]), fill(l.printLLVM[1:], path, flags), path).out
	}
	return a
}

func (l *language) askOurs(tool, path, flags string) answer {
	return l.run(tool, append([]string{l.ours[0]}, fill(l.ours[1:], path, flags)...), path)
}

var (
	runLine = regexp.MustCompile(`RUN:.*\bllc\b[^|]*`)
	mirFlag = regexp.MustCompile(`-(?:mtriple|march|mcpu|mattr)(?:=|\s+)\S+`)
	tdInc   = regexp.MustCompile(`include "`)
)

// mirFlags takes the flags that say which target a file is for from its RUN line.
func mirFlags(src string) (string, bool) {
	r := runLine.FindString(src)
	if strings.Contains(src, "split-file") {
		return "", false
	}
	var f []string
	for _, m := range mirFlag.FindAllString(r, -1) {
		f = append(f, strings.Join(strings.Fields(m), "="))
	}
	return strings.ReplaceAll(strings.Join(f, " "), `"`, ""), r != ""
}

func tdFlags(src string) (string, bool) {
	return "", !tdInc.MatchString(src) && !strings.Contains(src, "split-file") && !strings.Contains(src, "RUN: not")
}
