package main

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/mirin-go/mirin/internal/verdict"
)

// checkFile makes a check file and an input for FileCheck: lines of a few words
// and numbers, and directives that are taken from them, with regular expressions,
// variables and numeric expressions, some of which are wrong.
func checkFile(r *rand.Rand) string {
	words := []string{"foo", "bar", "add", "ret", "x1", "r2", "i32", "call", "[[", "]]", "{{", "0x1F", "a.b", "--"}
	var in []string
	for range 2 + r.IntN(6) {
		var l []string
		for range 1 + r.IntN(4) {
			if r.IntN(3) == 0 {
				l = append(l, fmt.Sprint(r.IntN(20)-2))
			} else {
				l = append(l, words[r.IntN(len(words))])
			}
		}
		in = append(in, strings.Join(l, []string{" ", "  ", "\t"}[r.IntN(3)]))
		if r.IntN(8) == 0 {
			in = append(in, "")
		}
	}
	var b strings.Builder
	at := 0
	for range 1 + r.IntN(5) {
		if at >= len(in) {
			at = r.IntN(len(in))
		}
		d := pick(r, "CHECK:", "CHECK:", "CHECK:", "CHECK:", "CHECK-NEXT:", "CHECK-NEXT:", "CHECK-SAME:", "CHECK-NOT:", "CHECK-DAG:", "CHECK-LABEL:", "CHECK-EMPTY:",
			"CHECK-COUNT-2:", "CHECK-COUNT-0:", "CHECK-COUNT:", "CHECK{LITERAL}:", "CHECK-NEXT{LITERAL}:", "CHECK-DAG-NOT:", "CHECK-NOT-NEXT:", "CHECK-SAME-COUNT-2:", "CHECK-BAD:", "COM:")
		b.WriteString(pick(r, "", "", "; ", "// ") + d + pick(r, " ", " ", "") + pattern(r, in[at]) + "\n")
		at += r.IntN(3)
	}
	return b.String() + verdict.InputBar + strings.Join(in, "\n") + pick(r, "\n", "")
}

func pick(r *rand.Rand, s ...string) string { return s[r.IntN(len(s))] }

// pattern turns a line into what should match it.
func pattern(r *rand.Rand, line string) string {
	f := strings.Fields(line)
	if len(f) == 0 {
		return pick(r, "", "x")
	}
	i := r.IntN(len(f))
	j := i + 1 + r.IntN(len(f)-i)
	var out []string
	for _, w := range f[i:j] {
		if r.IntN(2) == 0 {
			out = append(out, w)
			continue
		}
		v := pick(r, "A", "B", "$G", "_x", "@LINE")
		out = append(out, pick(r, "{{.*}}", "{{[a-z]+}}", "{{[0-9]+}}", "[["+v+":.*]]", "[["+v+":[a-z0-9]+]]", "[["+v+"]]", "[[#N:]]", "[[#N]]", "[[#N+1]]", "[[#%x,H:]]",
			"[[#%u,N:]]", "[[#%d,N:]]", "[[#%.3u,N:]]", "[[#N:"+w+"]]", "[[#"+w+"+1]]", "[[#@LINE]]", "[[#@LINE+1]]", "[[@LINE+1]]", "[[#add(N,1)]]", "[[#sub(N,1)]]", "[[#max(N,3)]]",
			"[[#mul(N,2)]]", "[[#div(N,0)]]", "[[#==N]]", "[[#%#x,H:]]", "[[#N:1+]]", "[[#(N+1]]", "[[#N 1]]", "[[#0xG]]", "[[#%q,N:]]", "[[#M]]", "[["+v, "{{", "{{(}}", "{{a**}}", "{{[}}",
			"[["+v+":(]]", "[[1a:x]]", "[["+v+" ]]", "[[]]", "[[#]]", "[[#%]]", "[[#%x]]", "[[#%x,]]", "[[#N:N]]", "[[#foo(1)]]", "[[#min(1)]]", "[[#@FOO]]", "[[@LINE*2]]", "[[#-N]]", "[[#N-20]]",
			"[[#9223372036854775807+N]]", "[[#18446744073709551616]]", w+"{{$}}", "{{^}}"+w, "{{"+w+"|x}}", "[["+v+":x]][["+v+"]]", "[[#N:]] [[#N]]", "{{\\d}}", "{{a{2,1}}}", "{{()}}"))
	}
	return strings.Join(out, pick(r, " ", " ", "{{ *}}", ""))
}
