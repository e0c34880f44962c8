package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
)

const mirVerifyExamples = `  mirin mir verify a.mir b.mir         the verifier's report, then a summary
  mirin mir verify -q codegen          only say which functions of a folder are bad
  mirin mir verify --format=json .     for programs
`

// verifiedFunction is a function that the verifier rejects.
type verifiedFunction struct {
	Name   string   `json:"function"`
	Errors []string `json:"errors"`
	report []byte
}

// verifiedFile is what became of one file.
type verifiedFile struct {
	File      string             `json:"file"`
	Fault     string             `json:"fault,omitempty"` // why it was not read
	Functions int                `json:"functions"`
	Bad       []verifiedFunction `json:"bad,omitempty"`
	err       error
}

// mirVerifyMain is mirin mir verify.
func mirVerifyMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var t mirTarget
	var quiet bool
	var format string
	s := &llvmflag.Set{Tool: "mirin mir verify", Usage: "[options] [files or folders, - for standard input]",
		Overview: "check MIR with the machine verifier", Examples: mirVerifyExamples}
	s.Bool(&quiet, "q", "Name the bad functions without the reports, and no summary").Alias("quiet")
	s.Enum(&format, "format", "Form of the output", llvmflag.Choice{Name: "text", Help: "the verifier's reports"}, llvmflag.Choice{Name: "json", Help: "one object"})
	t.flags(s)
	if status, ok := t.parseFlags(s, args, stdout, stderr); !ok {
		return status
	}
	files, err := mirFiles(s.Args, stdin)
	if err != nil {
		mirFault(stderr, s.Tool, err)
		return 2
	}
	progress := newProgress(stderr, len(files))
	var all []verifiedFile
	functions, bad, unread := 0, 0, 0
	eachInOrder(len(files), func(k int) verifiedFile {
		v, err := guarded(files[k], func() (verifiedFile, error) { return verifyFile(files[k], &t, stdin) })
		if err != nil {
			v = verifiedFile{File: files[k], Fault: faultText(err), err: err}
		}
		return v
	}, func(k int, v verifiedFile) {
		functions += v.Functions
		bad += len(v.Bad)
		progress.clear()
		if v.err != nil {
			unread++
			if format != "json" {
				mirFault(stderr, s.Tool, v.err)
			}
		}
		for _, f := range v.Bad {
			switch {
			case format == "json":
			case quiet:
				fmt.Fprintf(stdout, "%s: %s: %s\n", v.File, f.Name, counted(len(f.Errors), "error"))
			default:
				fmt.Fprintf(stdout, "%s:\n%s\n", v.File, f.report)
			}
		}
		if format == "json" {
			all = append(all, v)
		}
		progress.show(k+1, bad)
	})
	progress.clear()
	switch {
	case format == "json":
		b, _ := json.MarshalIndent(map[string]any{"files": all, "summary": map[string]int{"files": len(files), "functions": functions, "bad": bad, "unread": unread}}, "", "  ")
		fmt.Fprintf(stdout, "%s\n", b)
	case !quiet:
		fmt.Fprintf(stdout, "%s, %s, %d bad", counted(len(files), "file"), counted(functions, "function"), bad)
		if unread > 0 {
			fmt.Fprintf(stdout, ", %s not read", counted(unread, "file"))
		}
		fmt.Fprintln(stdout)
	}
	if bad > 0 || unread > 0 {
		return 1
	}
	return 0
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// faultText is an error in one line: file, place and message.
func faultText(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Error()
	}
	return err.Error()
}

// verifyFile checks the functions of a file.
func verifyFile(file string, t *mirTarget, stdin io.Reader) (verifiedFile, error) {
	src, name, err := readInput(file, stdin)
	if err != nil {
		return verifiedFile{}, err
	}
	f, err := mirtext.Parse(name, src, t.options(src))
	if err != nil {
		return verifiedFile{}, err
	}
	v := verifiedFile{File: name, Functions: len(f.Functions)}
	for _, fn := range f.Functions {
		r := mirverify.Verify(fn, mirverify.Options{})
		if len(r.Errors) == 0 {
			continue
		}
		b := verifiedFunction{Name: fn.Name, report: r.AppendText(nil)}
		for _, e := range r.Errors {
			b.Errors = append(b.Errors, e.Msg)
		}
		v.Bad = append(v.Bad, b)
	}
	return v, nil
}

// progress is a line on a terminal that says how far a command is.
type progress struct {
	w     io.Writer // nil: shown nowhere
	total int
	shown bool
}

func newProgress(stderr io.Writer, total int) *progress {
	if f, ok := stderr.(*os.File); ok && isTerminal(f) && total > 1 {
		return &progress{w: stderr, total: total}
	}
	return &progress{}
}

func (p *progress) show(done, bad int) {
	if p.w != nil {
		fmt.Fprintf(p.w, "[%d/%d] %d bad", done, p.total, bad)
		p.shown = true
	}
}

func (p *progress) clear() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}
