package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc/facts"
)

var (
	archWritten = regexp.MustCompile(`(?m)^\t\.attribute\t5, "(.*)"$`)
	archRefused = regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error: (.*)$`)
	archVersion = regexp.MustCompile(`this compiler supports ([0-9.]+)\)`)
	archPart    = regexp.MustCompile(`^([a-z0-9]*?)([0-9]+p[0-9]+)$`)
)

// archExtensions asks llvm-mc which of RISC-V's features are extensions, for their
// versions and what they imply, and writes them as lines: name, version, "32" for those
// of RV32 alone, "?" for experimental ones, and what they imply.
func archExtensions(tool, out string) error {
	info, err := facts.Load("RISCV")
	if err != nil {
		return err
	}
	ask := func(arches []string) (got, said map[int]string, err error) {
		var src bytes.Buffer
		for _, a := range arches {
			fmt.Fprintf(&src, ".attribute arch, %q\n", a)
		}
		cmd := exec.Command(tool, "-triple=riscv64")
		cmd.Stdin = &src
		var text, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &text, &errs
		if err := cmd.Run(); err != nil && errs.Len() == 0 {
			return nil, nil, err
		}
		got, said = map[int]string{}, map[int]string{}
		for _, m := range archRefused.FindAllStringSubmatch(errs.String(), -1) {
			n, _ := strconv.Atoi(m[1])
			said[n-1] = m[2]
		}
		lines := archWritten.FindAllStringSubmatch(text.String(), -1)
		for i, k := 0, 0; i < len(arches); i++ {
			if _, refused := said[i]; !refused && k < len(lines) {
				got[i] = lines[k][1]
				k++
			}
		}
		return got, said, nil
	}
	var list bytes.Buffer
	for i := range info.Features {
		name, experimental := strings.CutPrefix(info.Str(info.Features[i].Name), "experimental-")
		if name == "i" || name == "e" {
			continue
		}
		version := ""
		if experimental {
			_, said, err := ask([]string{"rv32i_" + name + "99p9"})
			if err != nil {
				return err
			}
			m := archVersion.FindStringSubmatch(said[0])
			if m == nil {
				continue
			}
			version = strings.Replace(m[1], ".", "p", 1)
		}
		arches := []string{"rv64i_" + name + version, "rv32i_" + name + version, "rv64gc_" + name + version, "rv64gcv_" + name + version, "rv32g_" + name + version}
		got, _, err := ask(arches)
		if err != nil {
			return err
		}
		if got[0] == "" && got[1] == "" && got[2] == "" && got[3] == "" && got[4] == "" {
			continue
		}
		at := 0
		for got[at] == "" {
			at++
		}
		line, implied := "", ""
		for k, part := range strings.Split(got[at], "_") {
			if k == 0 { // the base, with a letter of its own where it is one's
				part = strings.TrimPrefix(strings.TrimPrefix(part, "rv64"), "rv32")
			}
			m := archPart.FindStringSubmatch(part)
			if m == nil {
				return fmt.Errorf("not understood: %q", got[at])
			}
			switch {
			case m[1] == name:
				line = name + " " + m[2]
			case m[1] != "i" && (at < 2 || !strings.Contains("mafdcv", m[1])) && !(m[1] == "c" && name != "c"):
				implied += " " + m[1]
			}
		}
		if at >= 2 {
			implied = "" // it is said beside others, which bring it all
		}
		if line == "" {
			continue
		}
		if got[0] == "" && got[1] != "" {
			line += " 32"
		}
		if experimental {
			line += " ?"
		}
		list.WriteString(line + implied + "\n")
	}
	return os.WriteFile(out, list.Bytes(), 0o666)
}
