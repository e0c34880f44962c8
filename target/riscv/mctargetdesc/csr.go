package mctargetdesc

import (
	_ "embed" // the list
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// csrText lists the control and status registers: number in hexadecimal, name, and "32"
// where RV64 has none, "needs=" a feature, "old" for names that are only read, "now=" the
// name that should be written. go run ./tools/mclearn -csrs llvm-mc -o FILE writes it.
//
//go:embed zz_csrs.txt
var csrText string

// csr is a control and status register.
type csr struct {
	num        int
	name       string
	only32     bool
	old        bool
	needs, now string
}

// csrNames are the registers by name and by number.
type csrNames struct {
	byName map[string]*csr
	byNum  map[int][]*csr
}

var csrs = sync.OnceValue(func() *csrNames {
	l := &csrNames{byName: map[string]*csr{}, byNum: map[int][]*csr{}}
	for line := range strings.Lines(csrText) {
		w := strings.Fields(line)
		n, err := strconv.ParseUint(w[0], 16, 12)
		if err != nil {
			continue // the test of the list says so
		}
		c := &csr{num: int(n), name: w[1]}
		for _, x := range w[2:] {
			key, v, _ := strings.Cut(x, "=")
			switch key {
			case "32":
				c.only32 = true
			case "old":
				c.old = true
			case "needs":
				c.needs = v
			case "now":
				c.now = v
			}
		}
		l.byName[c.name] = c
		l.byNum[c.num] = append(l.byNum[c.num], c)
	}
	return l
})

// lacks says what a subtarget must be for a register, "" where it is so.
func (c *csr) lacks(info *desc.Info, st *mc.Subtarget) string {
	on := func(name string) bool {
		i, ok := info.FeatureByName(name)
		return ok && st.Has(info.Features[i].Bit)
	}
	wide := c.only32 && on("64bit")
	if !wide && (c.needs == "" || on(c.needs)) {
		return ""
	}
	msg := "system register '" + c.name + "' "
	if wide {
		msg += "is RV32 only"
		if c.needs != "" {
			msg += " and "
		}
	}
	if c.needs != "" {
		msg += "requires '" + c.needs + "' to be enabled"
	}
	return msg
}

// csrOperand is which operand of a statement is a control and status register, -1: none.
func csrOperand(mnemonic string) int {
	switch mnemonic {
	case "csrr", "csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci":
		return 1
	case "csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci":
		return 0
	}
	return -1
}

// numberCSR writes the number of a register instead of its name, in a text of the same
// length, so that all else stays where it is.
func (s *statement) numberCSR(op int) (text string, err error) {
	if op >= len(s.ops) {
		return s.text, nil
	}
	c := csrs().byName[s.ops[op]]
	if c == nil {
		return s.text, nil
	}
	if c.now != "" {
		s.p.Warn(s.at[op], s.at[op], "'"+c.name+"' is a deprecated alias for '"+c.now+"'")
	}
	if msg := c.lacks(s.r.Info, s.p.Subtarget()); msg != "" {
		return "", &mc.ParseError{Start: s.at[op], End: s.at[op], Msg: msg}
	}
	n := fmt.Sprintf("%-*d", len(c.name), c.num)
	if len(n) > len(c.name) {
		return s.text, nil // vl, which the tables know
	}
	return s.text[:s.at[op]] + n + s.text[s.at[op]+len(c.name):], nil
}

// appendCSR appends a register as a subtarget names it.
func appendCSR(b []byte, info *desc.Info, st *mc.Subtarget, num int64) []byte {
	for _, c := range csrs().byNum[int(num)] {
		if !c.old && c.lacks(info, st) == "" {
			return append(b, c.name...)
		}
	}
	return strconv.AppendInt(b, num, 10)
}
