package mirin_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin"
)

const doubling = "define i64 @double(i64 %x) { %y = shl i64 %x, 1 ret i64 %y }\ndefine i64 @four(i64 %x) { %y = shl i64 %x, 2 ret i64 %y }\n"

func TestDisassemble(t *testing.T) {
	p := load(t, &mirin.Options{AsmVariant: 1}, doubling)
	text, err := p.Disassemble("double")
	if err != nil || !strings.Contains(text, "lea\trax, [rdi + rdi]\n") || !strings.HasSuffix(text, "ret\n") {
		t.Errorf("%q, %v", text, err)
	}
	addr, _ := p.Addr("double")
	if !strings.HasPrefix(text, fmt.Sprintf("%x\t", addr)) {
		t.Errorf("%q does not begin at %x", text, addr)
	}
	if _, err := p.Disassemble("none"); err == nil {
		t.Error("a function that is not there was shown")
	}
}

func TestPerfMap(t *testing.T) {
	var b bytes.Buffer
	p := load(t, &mirin.Options{PerfMap: &b}, doubling)
	for _, name := range []string{"double", "four"} {
		addr, _ := p.Addr(name)
		if !strings.Contains(b.String(), fmt.Sprintf("%x ", addr)) || !strings.Contains(b.String(), " "+name+"\n") {
			t.Errorf("%s at %x is not in %q", name, addr, b.String())
		}
	}
}
