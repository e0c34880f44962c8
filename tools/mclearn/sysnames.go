package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc/facts"
)

// systemSpaces are the instructions of AArch64 whose 14 or 16 bits name something: how
// the list calls them, the word without these bits and without the register in its low
// five, how many names there are, and the register that is asked with.
var systemSpaces = []struct {
	kind  byte
	word  uint32
	first int
	num   int
	reg   uint32
	text  func(line string) (string, bool)
}{
	{'r', 0xd5200000, 0x8000, 0x8000, 7, func(l string) (string, bool) {
		n, ok := strings.CutPrefix(l, "mrs\tx7, ")
		return n, ok && !plainRegister(n)
	}},
	{'w', 0xd5000000, 0x8000, 0x8000, 7, func(l string) (string, bool) {
		n, ok := strings.CutPrefix(l, "msr\t")
		n, reg := strings.CutSuffix(n, ", x7")
		return n, ok && reg && !plainRegister(n)
	}},
	{'i', 0xd5000000, 0, 0x4000, 31, func(l string) (string, bool) {
		n, ok := strings.CutPrefix(l, "msr\t")
		return n, ok && strings.Contains(n, "#")
	}},
	{'h', 0xd503201f, 0, 0x80, 0, func(l string) (string, bool) {
		return l, !strings.HasPrefix(l, "hint\t") && l != "chkfeat\tx16" && !strings.Contains(l, " x17")
	}},
	{'x', 0xd5080000, 0, 0x4000, 7, func(l string) (string, bool) {
		n, ok := strings.CutSuffix(l, ", x7")
		return n, ok && !strings.HasPrefix(l, "sys\t")
	}},
	{'z', 0xd5080000, 0, 0x4000, 31, func(l string) (string, bool) {
		return l, !strings.HasPrefix(l, "sys\t")
	}},
}

// plainRegister says that a system register is written by its number.
func plainRegister(n string) bool {
	return len(n) > 3 && n[0] == 'S' && strings.Count(n, "_") >= 4 && n[1] >= '0' && n[1] <= '3' && n[2] == '_' && strings.Contains(n, "_C")
}

// systemNames asks llvm-mc what it calls the system registers and system operations of
// AArch64, with all features, with none and with each alone, and writes the list.
func systemNames(tool, out string) error {
	info, err := facts.Load("AArch64")
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, s := range systemSpaces {
		var encs []int
		for k := range s.num {
			encs = append(encs, s.first+k)
		}
		ask := func(features string) ([]string, error) {
			var src bytes.Buffer
			for _, e := range encs {
				w := s.word | uint32(e)<<5 | s.reg
				fmt.Fprintf(&src, "%#x %#x %#x %#x\n", w&255, w>>8&255, w>>16&255, w>>24)
			}
			cmd := exec.Command(tool, "-triple=aarch64", "-disassemble", "-mattr="+features)
			cmd.Stdin = &src
			text, err := cmd.Output()
			if err != nil {
				return nil, err
			}
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			if len(lines) != len(encs) {
				return nil, fmt.Errorf("%d words, %d lines", len(encs), len(lines))
			}
			for i, l := range lines {
				l, ok := s.text(strings.TrimPrefix(l, "\t"))
				if lines[i] = ""; ok {
					lines[i] = l
				}
			}
			return lines, nil
		}
		all, err := ask("+all")
		if err != nil {
			return err
		}
		kept := 0
		for i, l := range all {
			if l != "" {
				all[kept], encs[kept] = l, encs[i]
				kept++
			}
		}
		all, encs = all[:kept], encs[:kept]
		base, err := ask("")
		if err != nil {
			return err
		}
		names := make([]map[string][]int, kept) // what brings a name
		for f := range info.Features {
			with, err := ask("+" + info.Str(info.Features[f].Name))
			if err != nil {
				return err
			}
			for i, l := range with {
				if l != "" && l != base[i] {
					if names[i] == nil {
						names[i] = map[string][]int{}
					}
					names[i][l] = append(names[i][l], f)
				}
			}
		}
		implies := func(f, g int) bool { // f implies g, another feature
			bit := info.Features[g].Bit
			w := info.FeatureBits[info.Features[f].Implies+uint32(bit/64)]
			return f != g && w>>(bit%64)&1 != 0
		}
		for i, e := range encs {
			var keys []string
			for n := range names[i] {
				keys = append(keys, n)
			}
			slices.Sort(keys)
			if all[i] != base[i] { // the name of the newest comes first
				keys = slices.DeleteFunc(keys, func(n string) bool { return n == all[i] })
				keys = slices.Insert(keys, 0, all[i])
			}
			for _, n := range keys {
				var fs []string
				for _, f := range names[i][n] {
					if !slices.ContainsFunc(names[i][n], func(g int) bool { return implies(f, g) }) {
						fs = append(fs, info.Str(info.Features[f].Name))
					}
				}
				if fs == nil {
					fs = []string{"all"}
				}
				fmt.Fprintf(&list, "%c %x %s|%s\n", s.kind, e, n, strings.Join(fs, " "))
			}
			if base[i] != "" {
				fmt.Fprintf(&list, "%c %x %s|\n", s.kind, e, base[i])
			}
		}
	}
	return os.WriteFile(out, list.Bytes(), 0o666)
}
