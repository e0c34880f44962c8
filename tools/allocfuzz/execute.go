package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// batch is how many functions one program has.
const batch = 100

// variants are the compilers whose programs must print the same, the first the
// reference. %s is the command under test.
var variants = []string{
	"%s -O0 -start-after=finalize-isel",
	"%s -O2 -regalloc=greedy -start-after=finalize-isel -verify-machineinstrs -verify-regalloc",
	"llc-22 -O2 -start-after=finalize-isel",
}

// execute compiles functions by all variants and compares what they compute.
func (c *campaign) execute(llc string, seed, n uint64) error {
	dir, err := os.MkdirTemp("", "allocfuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c.names = nil
	for _, v := range variants {
		if strings.Contains(v, "%s") {
			v = fmt.Sprintf(v, llc)
		} else if _, err := exec.LookPath(strings.Fields(v)[0]); err != nil {
			continue
		}
		c.names = append(c.names, v)
	}
	c.lists = c.lists[:0:0]
	for range c.names {
		c.lists = append(c.lists, nil)
	}
	for at := seed; at < seed+n; at += batch {
		if err := c.executeBatch(dir, at, min(batch, seed+n-at)); err != nil {
			return err
		}
	}
	return nil
}

func (c *campaign) executeBatch(dir string, seed, n uint64) error {
	src := filepath.Join(dir, "f.mir")
	if err := os.WriteFile(src, []byte(c.module(seed, n)), 0o666); err != nil {
		return err
	}
	main := filepath.Join(dir, "main.c")
	if err := os.WriteFile(main, []byte(harness(seed, n)), 0o666); err != nil {
		return err
	}
	var want []string
	for k, v := range c.names {
		obj, exe := filepath.Join(dir, "f.s"), filepath.Join(dir, "f")
		args := append(strings.Fields(v), "-mtriple="+tripleText, "-relocation-model=pic", src, "-o", obj)
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			if n > 1 && tooTight(string(out)) {
				// One of them: the others are looked at without it.
				if err := c.executeBatch(dir, seed, n/2); err != nil {
					return err
				}
				return c.executeBatch(dir, seed+n/2, n-n/2)
			}
			c.report(seed, k, fmt.Sprintf("%v: %s", err, out))
			continue
		}
		if out, err := exec.Command("cc", "-O1", "-w", main, obj, "-o", exe).CombinedOutput(); err != nil {
			return fmt.Errorf("cc: %v: %s", err, out)
		}
		out, err := exec.Command("timeout", "20", exe).Output()
		lines := strings.Split(string(out), "\n")
		if err != nil {
			c.report(seed+uint64(len(lines)-1), k, "the program ends with "+err.Error())
		}
		if want == nil {
			want = lines
			continue
		}
		for x := range min(len(lines), len(want)) {
			if lines[x] != want[x] {
				c.report(seed+uint64(x), k, "computes "+lines[x]+", not "+want[x])
			}
		}
	}
	c.done += int(n)
	return nil
}

// module is a MIR file of functions with the IR that names them.
func (c *campaign) module(seed, n uint64) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "--- |\n  target triple = \"%s\"\n", tripleText)
	for k := range len(argRegs) + 1 {
		fmt.Fprintf(&b, "  declare i32 @mix%d(%s)\n", k, strings.TrimSuffix(strings.Repeat("i32, ", k), ", "))
	}
	for s := seed; s < seed+n; s++ {
		fmt.Fprintf(&b, "  define i64 @f%d(i64, i64) { ret i64 0 }\n", s)
	}
	b.WriteString("...\n")
	for s := seed; s < seed+n; s++ {
		b.WriteString(generate(c.facts, s, true, c.more))
	}
	return b.String()
}

// harness calls each function a few times. Its callees leave nothing where calls may.
func harness(seed, n uint64) string {
	var b bytes.Buffer
	b.WriteString("#include <stdio.h>\ntypedef unsigned u;\n" +
		"#define SCRAMBLE asm volatile(\"movl $0x5a5a5a5a, %%ecx\\n movl %%ecx, %%edx\\n movl %%ecx, %%esi\\n movl %%ecx, %%edi\\n\"\\\n" +
		"\"movl %%ecx, %%r8d\\n movl %%ecx, %%r9d\\n movl %%ecx, %%r10d\\n movl %%ecx, %%r11d\\n xorps %%xmm0,%%xmm0\\n\"\\\n" +
		"\"movaps %%xmm0,%%xmm1\\n movaps %%xmm0,%%xmm2\\n movaps %%xmm0,%%xmm3\\n movaps %%xmm0,%%xmm8\\n movaps %%xmm0,%%xmm15\" :::\\\n" +
		"\"ecx\",\"edx\",\"esi\",\"edi\",\"r8\",\"r9\",\"r10\",\"r11\",\"xmm0\",\"xmm1\",\"xmm2\",\"xmm3\",\"xmm8\",\"xmm15\")\n")
	for k := range len(argRegs) + 1 {
		var params, body strings.Builder
		for a := range k {
			if a > 0 {
				params.WriteString(", ")
			}
			fmt.Fprintf(&params, "u a%d", a)
			fmt.Fprintf(&body, " h = (h ^ a%d) * 16777619u;", a)
		}
		fmt.Fprintf(&b, "u mix%d(%s) { u h = 2166136261u;%s SCRAMBLE; return h; }\n", k, params.String(), body.String())
	}
	for s := seed; s < seed+n; s++ {
		fmt.Fprintf(&b, "unsigned long f%d(unsigned long, unsigned long);\n", s)
	}
	b.WriteString("int main(void) {\n")
	for s := seed; s < seed+n; s++ {
		fmt.Fprintf(&b, "printf(\"%d %%lx %%lx %%lx\\n\", f%d(1, 2), f%d(-7, 100000), f%d(0x123456789abcdef, 3)); fflush(stdout);\n", s, s, s, s)
	}
	b.WriteString("return 0; }\n")
	return b.String()
}
