package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
)

// asksHelp reports whether -mcpu or -mattr asks which values there are.
func asksHelp(cpu string, attrs []string) bool {
	return cpu == "help" || slices.Contains(strings.Split(strings.Join(attrs, ","), ","), "help")
}

// writeCPUHelp lists the processors and features of a target.
func writeCPUHelp(w io.Writer, in *desc.Info) error {
	var b strings.Builder
	list := func(title string, n int, row func(k int) (name, text string)) {
		b.WriteString(title + "\n\n")
		width := 0
		for k := range n {
			name, _ := row(k)
			width = max(width, len(name))
		}
		for k := range n {
			name, text := row(k)
			fmt.Fprintf(&b, "  %-*s - %s.\n", width, name, text)
		}
		b.WriteByte('\n')
	}
	cpus := family.Processors(in)
	list("Available CPUs for this target:", len(cpus), func(k int) (string, string) {
		return cpus[k], "Select the " + cpus[k] + " processor"
	})
	list("Available features for this target:", len(in.Features), func(k int) (string, string) {
		return in.Str(in.Features[k].Name), in.Str(in.Features[k].Text)
	})
	b.WriteString("Use +feature to enable a feature, or -feature to disable it.\nFor example, llc -mcpu=mycpu -mattr=+feature1,-feature2\n")
	_, err := io.WriteString(w, b.String())
	return err
}
