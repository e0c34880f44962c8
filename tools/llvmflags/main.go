// Command llvmflags writes the flags of installed LLVM tools as rows for
// internal/llvmflag, so that Mirin's tools know those which they have no
// meaning for:
//
//	go run ./tools/llvmflags -o cmd/mirin/zz_llvmflags.txt llc-22 opt-22
//
// A row is a name, the kind of its value and, for an enumeration, its choices
// (see llvmflag.Foreign); rows are sorted by name.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	out := flag.String("o", "-", "the file to write")
	flag.Parse()
	rows := map[string]*row{}
	for _, tool := range flag.Args() {
		help, err := exec.Command(tool, "--help-list-hidden").Output()
		var own map[string]*row
		if err == nil {
			own, err = read(help)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "llvmflags: %s: %v\n", tool, err)
			os.Exit(1)
		}
		maps.Copy(rows, own)
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintln(&b, rows[name].text(name))
	}
	if *out == "-" {
		os.Stdout.Write(b.Bytes())
	} else if err := os.WriteFile(*out, b.Bytes(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "llvmflags:", err)
		os.Exit(1)
	}
}

type row struct {
	value    string // what stands between < and >, "" for a boolean flag
	optional bool   // the value may be left out
	choices  []string
}

var (
	flagLine   = regexp.MustCompile(`^  --?([A-Za-z0-9][^ =\[]*)(\[)?[= ]?(?:<([^>]*)>)?`)
	choiceLine = regexp.MustCompile(`^    =(\S+) `)
)

// read gives the flags of a tool's help, where a flag stands before its choices; one
// whose value may be left out stands there without it, too.
func read(help []byte) (map[string]*row, error) {
	rows := map[string]*row{}
	var last *row
	for line := range strings.Lines(string(help)) {
		if m := flagLine.FindStringSubmatch(line); m != nil {
			name, value := m[1], m[3]
			if len(name) == 2 && name[0] == 'O' {
				continue // a level; tools have their own
			}
			last = &row{value: value, optional: m[2] != "" || rows[name] != nil && (value == "") != (rows[name].value == "")}
			rows[name] = last
		} else if m := choiceLine.FindStringSubmatch(line); m != nil && last != nil && m[1] != "<empty>" {
			last.choices = append(last.choices, m[1])
		}
	}
	if last == nil {
		return nil, errors.New("its help has no flags")
	}
	return rows, nil
}

func (r *row) text(name string) string {
	kind := "string"
	switch r.value {
	case "":
		kind = "boolean"
	case "uint", "int", "ulong", "long", "number":
		kind = r.value
	}
	if len(r.choices) > 0 {
		kind = "choice"
	}
	if r.optional {
		kind += "?"
	}
	return strings.TrimSuffix(name+" "+kind+" "+strings.Join(slices.Compact(r.choices), ","), " ")
}
