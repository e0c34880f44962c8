package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldCSRs are names of RISC-V's control and status registers that are read and never
// written.
var oldCSRs = []string{"dscratch", "etrigger", "icount", "itrigger", "mcontrol", "mcontrol6", "textra32", "textra64", "tmexttrigger", "mbadaddr", "sbadaddr", "sptbr"}

// csrFeatures are the extensions with registers of their own that are asked for.
const csrFeatures = "+f,+v,+xqciint,+experimental-xsfsclic,+experimental-xsfmclic"

var (
	csrWritten = regexp.MustCompile(`^\tcsrrw\ta0, (\S+), a1 .*\[0x..,0x..,0x(.).,0x(..)\]`)
	csrRefused = regexp.MustCompile(`^<stdin>:(\d+):\d+: error: system register '[^']*' (is RV32 only)?(?: and )?(?:requires '([^']*)' to be enabled)?`)
	csrRenamed = regexp.MustCompile(`^<stdin>:(\d+):\d+: warning: '[^']*' is a deprecated alias for '([^']*)'`)
)

// csr is a register: what it needs and which name it has now.
type csr struct {
	num          int
	name         string
	wide32       bool // there is none on RV64
	needs, newer string
	read         bool // it is read and not written
}

// csrNames asks llvm-mc for the names of RISC-V's control and status registers and writes
// them as lines of number, name and "32", "needs=" a feature, "old", "now=" another name.
func csrNames(tool, out string) error {
	ask := func(arch, features string, regs []string) (lines, said []string, err error) {
		var src bytes.Buffer
		for _, r := range regs {
			fmt.Fprintf(&src, "csrrw a0, %s, a1\n", r)
		}
		cmd := exec.Command(tool, "-triple="+arch, "-mattr="+features, "-show-encoding", "-M", "no-aliases")
		cmd.Stdin = &src
		var text, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &text, &errs
		if err := cmd.Run(); err != nil && errs.Len() == 0 {
			return nil, nil, err
		}
		return strings.Split(text.String(), "\n"), strings.Split(errs.String(), "\n"), nil
	}
	var all []string
	for n := range 4096 {
		all = append(all, strconv.Itoa(n))
	}
	found := map[string]*csr{}
	var names []string
	for _, arch := range []string{"riscv64", "riscv32"} {
		for _, regs := range [][]string{all, oldCSRs} {
			lines, _, err := ask(arch, csrFeatures, regs)
			if err != nil {
				return err
			}
			for i, l := range slices.DeleteFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "\tcsrrw") }) {
				m := csrWritten.FindStringSubmatch(l)
				if m == nil || i >= len(regs) {
					return fmt.Errorf("not understood: %q", l)
				}
				num, err := strconv.ParseInt(m[3]+m[2], 16, 32)
				if err != nil {
					return err
				}
				name, read := m[1], regs[i][0] > '9'
				if read {
					name = regs[i]
				}
				if name[0] >= 'a' && found[name] == nil {
					found[name] = &csr{num: int(num), name: name, read: read}
					names = append(names, name)
				}
			}
		}
	}
	_, said, err := ask("riscv64", "", names)
	if err != nil {
		return err
	}
	for _, l := range said {
		if m := csrRefused.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[1])
			c := found[names[n-1]]
			c.wide32, c.needs = m[2] != "", m[3]
		}
		if m := csrRenamed.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[1])
			found[names[n-1]].newer = m[2]
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return found[a].num - found[b].num })
	var list bytes.Buffer
	for _, n := range names {
		c := found[n]
		fmt.Fprintf(&list, "%x %s", c.num, c.name)
		for _, f := range [...]struct {
			is   bool
			text string
		}{{c.wide32, " 32"}, {c.needs != "", " needs=" + c.needs}, {c.read, " old"}, {c.newer != "", " now=" + c.newer}} {
			if f.is {
				list.WriteString(f.text)
			}
		}
		list.WriteByte('\n')
	}
	return os.WriteFile(out, list.Bytes(), 0o666)
}
