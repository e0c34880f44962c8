package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

type result struct {
	file, class, detail string
}

// tally counts one kind of expectation.
type tally struct{ want, got int }

func main() {
	list := flag.String("list", "", "file with a line INPUT<tab>STEM for each module")
	only := flag.String("only", "", "take only inputs whose name contains this")
	show := flag.Int("show", 3, "examples shown of each class of failure")
	classes := flag.Int("classes", 40, "classes of failure shown")
	verbose := flag.Bool("v", false, "list each failure")
	out := flag.String("out", "", "write our text of failing modules to this folder")
	flag.Parse()
	b, err := os.ReadFile(*list)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var bad []result
	var same, reject, verified, exact, wording tally
	sc := bufio.NewScanner(bytes.NewReader(b))
	var slow time.Duration
	slowest := ""
	for sc.Scan() {
		in, stem, ok := strings.Cut(sc.Text(), "\t")
		if !ok || !strings.Contains(in, *only) {
			continue
		}
		src, err := os.ReadFile(in)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		start := time.Now()
		m, panicked, perr := parse(src)
		var text []byte
		var verdict, debug string
		if perr == nil && panicked == "" {
			if report, faults, p := verify(m); p != "" {
				panicked = p
			} else {
				verdict, debug = faults, report
				// The reference went through bitcode, and has no summaries.
				autoupgrade.Bitcode(m)
				m.Summary = nil
				text, panicked = print(m)
			}
		}
		if d := time.Since(start); d > slow {
			slow, slowest = d, in
		}
		add := func(class, detail string) { bad = append(bad, result{in, class, detail}) }
		want, err := os.ReadFile(stem + ".ll")
		if err == nil {
			same.want++
			switch {
			case panicked != "":
				add("panic", panicked)
			case perr != nil:
				add("rejected: "+general(message(perr)), perr.Error())
			case verdict != "":
				add("verifier rejects: "+firstLine(verdict), verdict)
			case bytes.Equal(text, want):
				same.got++
				_ = debug
			default:
				w, g := firstDiff(want, text)
				add("differs: "+classOf(w, g), "\n   - "+w+"\n   + "+g)
				if *out != "" {
					os.WriteFile(*out+"/"+strings.ReplaceAll(strings.TrimPrefix(in, "/"), "/", "_"), text, 0o644)
				}
			}
			continue
		}
		want, err = os.ReadFile(stem + ".err")
		if err != nil {
			continue
		}
		kind, rest, _ := strings.Cut(string(want), "\n")
		switch kind {
		case "parse":
			reject.want++
			head, _, _ := strings.Cut(rest, "\n")
			head = strings.TrimPrefix(head, "llvm-as: ")
			wording.want++
			switch {
			case panicked != "":
				add("panic", panicked)
			case perr == nil:
				add("accepted: "+general(message2(head)), head)
			default:
				if place(perr.Error()) == place(head) {
					reject.got++
				} else {
					add("place: "+general(message2(head)), "\n   - "+head+"\n   + "+perr.Error())
				}
				if perr.Error() == head {
					wording.got++
				} else if place(perr.Error()) == place(head) {
					add("wording: "+general(message2(head)), "\n   - "+head+"\n   + "+perr.Error())
				}
			}
		case "verify":
			verified.want++
			exact.want++
			switch {
			case panicked != "":
				add("panic", panicked)
			case perr != nil:
				add("parser rejects what the verifier should: "+general(message(perr)), perr.Error()+" // "+strings.TrimSpace(rest))
			case verdict == "":
				add("verifier accepts: "+firstLine(rest), rest)
			default:
				verified.got++
				if verdict == rest {
					exact.got++
				} else {
					w, g := firstDiff([]byte(rest), []byte(verdict))
					add("verifier's words: "+firstLine(rest), "\n   - "+w+"\n   + "+g)
				}
			}
		}
	}
	byClass := map[string][]result{}
	for _, r := range bad {
		byClass[r.class] = append(byClass[r.class], r)
		if *verbose {
			fmt.Println(r.file, r.class, r.detail)
		}
	}
	var names []string
	for c := range byClass {
		names = append(names, c)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := len(byClass[names[i]]), len(byClass[names[j]])
		return a > b || a == b && names[i] < names[j]
	})
	for i, c := range names {
		if i >= *classes {
			break
		}
		l := byClass[c]
		fmt.Printf("%4d %s\n", len(l), c)
		for k := 0; k < min(*show, len(l)); k++ {
			fmt.Printf("       %s: %s\n", l[k].file, l[k].detail)
		}
	}
	pct := func(name string, t tally) {
		fmt.Printf("%-34s %6d of %6d  %.2f %%\n", name, t.got, t.want, 100*float64(t.got)/float64(max(1, t.want)))
	}
	pct("accepted, printed equal", same)
	pct("rejected at the same place", reject)
	pct("rejected with the same words", wording)
	pct("rejected by the verifier", verified)
	pct("… with the same text", exact)
	fmt.Printf("slowest: %v %s\n", slow, slowest)
}

func parse(src []byte) (m *ir.Module, panicked string, err error) {
	defer func() {
		if r := recover(); r != nil {
			panicked = fmt.Sprint(r)
		}
	}()
	m, err = irtext.Parse("<stdin>", src, irtext.Options{Jobs: 1})
	return
}

func verify(m *ir.Module) (debug, faults, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = "verifying: " + fmt.Sprint(r)
			if os.Getenv("TRACE") != "" {
				panic(r)
			}
		}
	}()
	debug = irverify.CheckDebugInfo(m)
	return debug, irverify.Module(m), ""
}

func firstLine(s string) string { l, _, _ := strings.Cut(s, "\n"); return l }

func print(m *ir.Module) (b []byte, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = "printing: " + fmt.Sprint(r)
		}
	}()
	return irtext.AppendModule(nil, m), ""
}

func message(err error) string {
	if d, ok := err.(*diag.Diagnostic); ok {
		return d.Msg
	}
	return err.Error()
}

func message2(head string) string {
	_, m, _ := strings.Cut(head, "error: ")
	return m
}

func place(head string) string {
	p, _, _ := strings.Cut(head, ": error:")
	return p
}

// general replaces what is quoted and what is a number, so that messages fall into classes.
func general(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\'' || c == '"' {
			if j := strings.IndexByte(s[i+1:], c); j >= 0 {
				b.WriteString("'…'")
				i += j + 1
				continue
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func firstDiff(want, got []byte) (w, g string) {
	for len(want) > 0 || len(got) > 0 {
		i, j := bytes.IndexByte(want, '\n'), bytes.IndexByte(got, '\n')
		if i < 0 {
			i = len(want)
		}
		if j < 0 {
			j = len(got)
		}
		if !bytes.Equal(want[:i], got[:j]) {
			return string(want[:i]), string(got[:j])
		}
		want, got = want[min(i+1, len(want)):], got[min(j+1, len(got)):]
	}
	return "(end)", "(end)"
}

// classOf names a difference by the words before and at it.
func classOf(w, g string) string {
	a, b := strings.Fields(w), strings.Fields(g)
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	word := func(s []string) string {
		if i >= len(s) {
			return "(end)"
		}
		x := s[i]
		if len(x) > 0 && strings.IndexByte("%@!#$", x[0]) >= 0 {
			return x[:1]
		}
		if len(x) > 24 {
			x = x[:24]
		}
		return x
	}
	head := ""
	if len(a) > 0 && i > 0 {
		head = a[0]
		if strings.IndexByte("%@!#$", head[0]) >= 0 {
			head = head[:1]
			if len(a) > 2 && i > 2 {
				head += " " + a[2]
			}
		}
	}
	return head + " … -" + word(a) + " +" + word(b)
}
