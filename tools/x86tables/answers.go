package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answersFile keeps what LLVM answered for the next run, where MIRIN_ANSWERS names a file.
var answersFile = os.Getenv("MIRIN_ANSWERS")

func savedAnswers() (map[string]answer, error) {
	out := map[string]answer{}
	if answersFile == "" {
		return out, nil
	}
	text, err := os.ReadFile(answersFile)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(text, &out)
}

func saveAnswers(answers map[string]answer) error {
	if answersFile == "" {
		return nil
	}
	text, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	return os.WriteFile(answersFile, text, 0o666)
}

// answer is the machine code of a function, "" for what LLVM does not select.
type answer string

// question is a function to be asked about.
type question struct{ key, decl, body, feats string }

// unanswered is what ask panics with.
type unanswered struct{}

// try is learn, up to the first question that has no answer yet.
func (w *intrinsicWriter) try(s *subject) {
	defer func() {
		if r := recover(); r != nil && r != (unanswered{}) {
			panic(r)
		}
	}()
	w.learn(s)
}

// answer has LLVM select all functions that are asked about. It stops at what it does
// not select, and is asked again about the others.
func (w *intrinsicWriter) answer() error {
	fmt.Fprintln(os.Stderr, len(w.pending), "questions")
	for len(w.pending) > 0 {
		n := min(150, len(w.pending))
		list := w.pending[:n]
		w.pending = w.pending[n:]
		for len(list) > 0 {
			bad, err := w.batch(list)
			if err != nil {
				return err
			}
			if bad < 0 {
				break
			}
			w.answers[list[bad].key] = ""
			list = slices.Delete(list, bad, bad+1)
		}
	}
	return nil
}

var refused = regexp.MustCompile(`(?m)(?:In function: |on function '@)f(\d+)`)

// batch asks about functions; bad is the first that is not selected, -1 for none.
func (w *intrinsicWriter) batch(list []question) (bad int, err error) {
	var b bytes.Buffer
	seen := map[string]bool{}
	for k, q := range list {
		if !seen[q.decl] {
			seen[q.decl] = true
			b.WriteString(q.decl)
		}
		b.WriteString(strings.Replace(q.body, "@f(", fmt.Sprintf("@f%d(", k), 1))
		fmt.Fprintf(&b, "attributes #%d = { nounwind \"target-features\"=\"%s\" }\n", k, q.feats)
	}
	text := b.String()
	for k := range list {
		text = strings.Replace(text, " nounwind {", fmt.Sprintf(" #%d {", k), 1)
	}
	file := filepath.Join(w.dir, "m.ll")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return 0, err
	}
	cmd := exec.Command(w.a.llc, "-mtriple=x86_64-linux-gnu", "-O2", "-stop-after=finalize-isel", "-o", "-", file)
	cmd.Env = append(os.Environ(), "LLVM_DISABLE_SYMBOLIZATION=1", "LLVM_DISABLE_CRASH_REPORT=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		m := refused.FindStringSubmatch(stderr.String())
		if m == nil && len(list) == 1 {
			return 0, nil
		}
		if m == nil {
			return w.halves(list)
		}
		n, _ := strconv.Atoi(m[1])
		return n, nil
	}
	for _, doc := range strings.Split(string(out), "\nname:")[1:] {
		name := strings.Fields(doc)[0]
		n, err := strconv.Atoi(strings.TrimPrefix(name, "f"))
		if err != nil {
			return 0, err
		}
		w.answers[list[n].key] = answer(doc)
	}
	return -1, nil
}

// halves finds one that is not selected where LLVM does not say which.
func (w *intrinsicWriter) halves(list []question) (int, error) {
	n := len(list) / 2
	bad, err := w.batch(slices.Clone(list[:n]))
	if bad >= 0 || err != nil {
		return bad, err
	}
	bad, err = w.batch(slices.Clone(list[n:]))
	if bad >= 0 {
		bad += n
	}
	return bad, err
}

// ask gives the result of a pattern for a choice, as LLVM selects it.
func (w *intrinsicWriter) ask(s *subject, c choice) (string, error) {
	decl, body := s.module(c)
	key := decl + body + s.feats
	got, ok := w.answers[key]
	if !ok {
		w.pending = append(w.pending, question{key, decl, body, s.feats})
		panic(unanswered{})
	}
	if got == "" {
		return "", errors.New("not selected")
	}
	return s.translate(string(got), c)
}

// module is a function that calls the intrinsic.
func (s *subject) module(c choice) (decl, body string) {
	var params, args, types []string
	loads := ""
	for k, a := range s.args {
		types = append(types, a.ty)
		switch {
		case a.imm:
			args = append(args, fmt.Sprintf("%s %d", a.ty, c.imm[k]))
		case k == c.zero:
			args = append(args, a.ty+" zeroinitializer")
		case k == c.ones && strings.HasPrefix(a.ty, "<"):
			args = append(args, a.ty+" splat (i1 true)")
		case k == c.ones:
			args = append(args, a.ty+" -1")
		case strings.HasSuffix(a.vt, "i1"):
			// How vectors of bits are passed is of no concern: they are loaded.
			params = append(params, fmt.Sprintf("ptr %%p%d", k))
			loads += fmt.Sprintf("  %%a%d = load %s, ptr %%p%d\n", k, a.ty, k)
			args = append(args, fmt.Sprintf("%s %%a%d", a.ty, k))
		default:
			params = append(params, fmt.Sprintf("%s %%a%d", a.ty, k))
			args = append(args, fmt.Sprintf("%s %%a%d", a.ty, k))
		}
	}
	var res []string
	for _, r := range s.result {
		res = append(res, r.ty)
	}
	ret := strings.Join(res, ", ")
	switch len(res) {
	case 0:
		ret = "void"
	case 1:
	default:
		ret = "{ " + ret + " }"
	}
	code := fmt.Sprintf("  %%r = call %s @%s(%s)\n  ret %s %%r\n", ret, s.name, strings.Join(args, ", "), ret)
	if len(res) == 0 {
		code = fmt.Sprintf("  call void @%s(%s)\n  ret void\n", s.name, strings.Join(args, ", "))
	}
	decl = fmt.Sprintf("declare %s @%s(%s)\n", ret, s.name, strings.Join(types, ", "))
	body = fmt.Sprintf("define %s @f(%s) nounwind {\n%s%s}\n", ret, strings.Join(params, ", "), loads, code)
	return decl, body

}
