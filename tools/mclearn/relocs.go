package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// relocLine is a row of LLVM's lists of relocations (BinaryFormat/ELFRelocs/*.def).
var relocLine = regexp.MustCompile(`^\s*ELF_RELOC\((\w+),\s*(\w+)\)`)

// relocNames collects the relocations of all machines from the lists below a folder: a
// line with the list's name, then number and name of each.
func relocNames(dir, out string) error {
	lists, err := filepath.Glob(filepath.Join(dir, "*.def"))
	if err != nil || len(lists) == 0 {
		return fmt.Errorf("no lists of relocations in %s", dir)
	}
	slices.Sort(lists)
	var b strings.Builder
	for _, l := range lists {
		text, err := os.ReadFile(l)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimSuffix(filepath.Base(l), ".def"))
		for line := range strings.Lines(string(text)) {
			m := relocLine.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			var n uint32
			if _, err := fmt.Sscan(m[2], &n); err != nil {
				return fmt.Errorf("%s: %s: %w", l, m[1], err)
			}
			fmt.Fprintf(&b, "%d %s\n", n, m[1])
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(out, []byte(b.String()), 0o666)
}
