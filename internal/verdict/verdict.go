package verdict

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Case is one input and what is said about it.
type Case struct {
	Name string
	// Flags are further flags of the tool.
	Flags string
	Src   string
	// Want is the normal form of the answer; "" accepts the input without a word.
	Want string
}

const (
	caseMark   = "=== "
	answerMark = ">>>"
	// accepted stands for an answer without a word.
	accepted = "accepted\n"
)

// InputBar parts the check file from the input in the sources of FileCheck's cases.
const InputBar = "-----\n"

// Read reads a file of cases:
//
//	=== name | flags
//	source
//	>>>
//	answer
func Read(b []byte) ([]Case, error) {
	var cs []Case
	part := 0
	for n, l := range strings.SplitAfter(string(b), "\n") {
		switch {
		case strings.HasPrefix(l, caseMark):
			name, flags, _ := strings.Cut(strings.TrimSpace(l[len(caseMark):]), " | ")
			cs = append(cs, Case{Name: name, Flags: flags})
			part = 1
		case part == 1 && l == answerMark+"\n":
			part = 2
		case part == 1:
			cs[len(cs)-1].Src += l
		case part == 2:
			cs[len(cs)-1].Want += l
		case strings.TrimSpace(l) != "" && l[0] != '#':
			return nil, fmt.Errorf("line %d stands in no case", n+1)
		}
	}
	for i := range cs {
		if cs[i].Want == accepted {
			cs[i].Want = ""
		}
	}
	return cs, nil
}

// Append appends a file of cases; head is what stands before the first one.
func Append(b []byte, head string, cs []Case) []byte {
	b = append(b, head...)
	for _, c := range cs {
		b = append(b, caseMark+c.Name...)
		if c.Flags != "" {
			b = append(b, " | "+c.Flags...)
		}
		b = append(b, "\n"+c.Src...)
		want := c.Want
		if want == "" {
			want = accepted
		}
		b = append(b, answerMark+"\n"+want...)
	}
	return b
}

// Head is what stands before the first case of a file.
func Head(b []byte) string {
	if bytes.HasPrefix(b, []byte(caseMark)) {
		return ""
	}
	if i := bytes.Index(b, []byte("\n"+caseMark)); i >= 0 {
		return string(b[:i+1])
	}
	return string(b)
}

var (
	placed = regexp.MustCompile(`^(?:[^ :]+: )?(?:error: )?(?:.*[/>a-zL]|-):([0-9]+):([0-9]+): ((?:(?:error|warning|note|remark): )?.*)$`)
	// readerName is what a bitcode reader calls itself.
	readerName = regexp.MustCompile(` Reader: '[^']*'`)
	toolName   = regexp.MustCompile(`^(?:/\S*/)?(?:llvm-[a-z]+|llc|opt|FileCheck)(?:-22)?: `)
)

// Crash is the normal form of a tool's fall.
const Crash = "crash\n"

// Normal is the normal form of what a tool wrote to its standard error output,
// where the input was called by name.
func Normal(out, name string, status int) string {
	if strings.Contains(out, "*** Bad machine code: ") {
		return MachineFaults(out) // llc falls behind its report
	}
	if strings.Contains(out, "PLEASE submit a bug report") || status < 0 || status > 125 {
		return Crash
	}
	var b strings.Builder
	shown := false // lines of source follow a message with a place
	for l := range strings.Lines(out) {
		l = strings.TrimRight(l, " \n")
		if m := placed.FindStringSubmatch(l); m != nil {
			fmt.Fprintf(&b, "%s:%s: %s\n", m[1], m[2], m[3])
			shown = true
			continue
		}
		if l == "" {
			continue
		}
		bare := toolName.ReplaceAllString(l, "")
		if bare = strings.TrimPrefix(bare, "error: "); shown && (bare == "" || toolName.MatchString(bare+" ") || toolName.ReplaceAllString(l, "") == l && !strings.HasPrefix(l, "warning: ")) {
			continue
		}
		l = readerName.ReplaceAllString(toolName.ReplaceAllString(l, ""), "")
		b.WriteString(strings.ReplaceAll(l, name, "FILE") + "\n")
	}
	if b.Len() == 0 && status != 0 {
		return fmt.Sprintf("status %d\n", status)
	}
	return b.String()
}

// First keeps the first message of a place: LLVM's reader of Machine IR goes on
// for a while behind some faults.
func First(answer string) string {
	if first, _, _ := strings.Cut(answer, "\n"); placedAnswer.MatchString(first) {
		return first + "\n"
	}
	return answer
}

var placedAnswer = regexp.MustCompile(`^[0-9]+:[0-9]+: `)

// MachineFaults is what is kept of the machine verifier's reports: the kinds of faults
// with the operands' numbers, which stand in the order in which they were found.
func MachineFaults(answer string) string {
	if !strings.Contains(answer, "*** Bad machine code: ") {
		return answer
	}
	var b strings.Builder
	for l := range strings.Lines(answer) {
		if strings.HasPrefix(l, "*** Bad machine code: ") {
			b.WriteString(strings.TrimSuffix(strings.TrimPrefix(l, "*** Bad machine code: "), " ***\n") + "\n")
		}
	}
	return b.String()
}
