package main

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
)

const objdumpSource = `
	.text
	.globl f
f:	pushq %rbp
	cmpl $8000, %esi
	movq -16(%rbp,%rcx,4), %rax
	callq g
	jne .Lend
	leaq data(%rip), %rdi
	lock incl (%rax)
.Lend:	retq
	.byte 6
	.zero 16
	.type local,@function
local:	jmp f
	.size local, .-local
	.data
data:	.quad f+8
	.asciz "text"
	.hidden h
	.globl h
h:	.long 1
	.bss
	.zero 24
`

// TestObjdump holds what is shown of an object to llvm-objdump.
func TestObjdump(t *testing.T) {
	as, objdump := testenv.LLVM(t, "llvm-mc"), testenv.LLVM(t, "llvm-objdump")
	file := filepath.Join(t.TempDir(), "a.o")
	cmd := exec.Command(as, "-filetype=obj", "-triple=x86_64-linux-gnu", "-o", file)
	cmd.Stdin = strings.NewReader(objdumpSource)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, flags := range []string{"-d", "-dr", "-dr -z", "-dr --no-addresses", "-d --no-print-imm-hex", "-d --no-show-raw-insn", "-d -M intel", "-h", "-r", "-t", "-s", "-d --disassemble-symbols=local", "-d --start-address=4 --stop-address=16", "-s -j .data"} {
		args := append(strings.Fields(flags), file)
		want, err := exec.Command(objdump, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		var got, errs bytes.Buffer
		if objdumpMain(args, strings.NewReader(""), &got, &errs) != 0 || got.String() != string(want) {
			t.Errorf("objdump %s: %s\n%s\nLLVM:\n%s", flags, errs.String(), got.String(), want)
		}
	}
	var out bytes.Buffer
	if objdumpMain([]string{"-d", "-"}, strings.NewReader("\x7fELF\x02\x01\x01 damaged"), &out, &out) != 1 {
		t.Errorf("a damaged file: %s", out.String())
	}
}
