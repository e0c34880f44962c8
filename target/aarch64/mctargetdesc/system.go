package mctargetdesc

import (
	_ "embed" // the list
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// systemText is what LLVM calls system registers and operations: lines of a kind
// (r for mrs, w for msr, i for msr with a number, h for hint, x for an operation with a register, z for one with none or
// with xzr), the number in hexadecimal, the name, and behind | the features of which
// one brings the name, or that take it away, behind !; with no feature it is always there. go run ./tools/mclearn
// -system llvm-mc -o FILE writes it.
//
//go:embed zz_system.txt
var systemText string

// systemKey is a kind and a number.
type systemKey struct {
	kind byte
	enc  uint16
}

// systemName is a name and the bits of the features of which one brings it.
type systemName struct {
	name string
	bits []uint16
	not  []uint16 // those that take it away
}

// systemNames are read when a system instruction is first printed.
type systemNames struct {
	once sync.Once
	rows map[systemKey][]systemName
}

// find gives the name under a subtarget's features.
func (s *systemNames) find(info *desc.Info, st *mc.Subtarget, kind byte, enc int64) (string, bool) {
	s.once.Do(func() { s.read(info) })
	for _, n := range s.rows[systemKey{kind, uint16(enc)}] {
		if st != nil && slices.ContainsFunc(n.not, st.Has) {
			continue
		}
		if len(n.bits) == 0 {
			return n.name, true
		}
		for _, b := range n.bits {
			if st != nil && st.Has(b) {
				return n.name, true
			}
		}
	}
	return "", false
}

func (s *systemNames) read(info *desc.Info) {
	s.rows = map[systemKey][]systemName{}
	for line := range strings.Lines(systemText) {
		line = strings.TrimSuffix(line, "\n")
		head, features, _ := strings.Cut(line, "|")
		kind, rest, _ := strings.Cut(head, " ")
		num, name, _ := strings.Cut(rest, " ")
		enc, err := strconv.ParseUint(num, 16, 16)
		if err != nil {
			continue // the test of the list says so
		}
		n := systemName{name: name}
		for f := range strings.FieldsSeq(features) {
			if not, ok := strings.CutPrefix(f, "!"); ok {
				if k, ok := info.FeatureByName(not); ok {
					n.not = append(n.not, info.Features[k].Bit)
				}
				continue
			}
			if k, ok := info.FeatureByName(f); ok {
				n.bits = append(n.bits, info.Features[k].Bit)
			}
		}
		k := systemKey{kind[0], uint16(enc)}
		s.rows[k] = append(s.rows[k], n)
	}
}

// plainRegister is a system register by its number: op0, op1, CRn, CRm, op2.
func plainRegister(b []byte, enc int64) []byte {
	for _, f := range [...]struct {
		before string
		shift  int
		mask   int64
	}{{"S", 14, 3}, {"_", 11, 7}, {"_C", 7, 15}, {"_C", 3, 15}, {"_", 0, 7}} {
		b = append(b, f.before...)
		b = strconv.AppendInt(b, enc>>f.shift&f.mask, 10)
	}
	return b
}
