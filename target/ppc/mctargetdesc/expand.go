package mctargetdesc

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// rotation is an instruction that names a field by position and length: that which it
// stands for has amount, begin and end of the mask made of n and b.
type rotation struct {
	as   string
	ops  func(n, b int64) []int64
	last bool // has a second number
}

// rotations are those of two numbers; n comes first in the text.
// (Power ISA 3.1, Book I, appendix C.7; what numbers they may have was asked of LLVM.)
var rotations = map[string]rotation{
	"extlwi":   {"rlwinm", func(n, b int64) []int64 { return []int64{b, 0, n - 1} }, true},
	"extrwi":   {"rlwinm", func(n, b int64) []int64 { return []int64{b + n, 32 - n, 31} }, true},
	"inslwi":   {"rlwimi", func(n, b int64) []int64 { return []int64{32 - b, b, b + n - 1} }, true},
	"insrwi":   {"rlwimi", func(n, b int64) []int64 { return []int64{32 - (b + n), b, b + n - 1} }, true},
	"clrlslwi": {"rlwinm", func(b, n int64) []int64 { return []int64{n, b - n, 31 - n} }, true},
	"extldi":   {"rldicr", func(n, b int64) []int64 { return []int64{b, n - 1} }, true},
	"extrdi":   {"rldicl", func(n, b int64) []int64 { return []int64{b + n, 64 - n} }, true},
	"insrdi":   {"rldimi", func(n, b int64) []int64 { return []int64{64 - (b + n), b} }, true},
	"clrlsldi": {"rldic", func(b, n int64) []int64 { return []int64{n, b - n} }, true},
}

// expand emits what such an instruction stands for, and rotations whose mask is one number.
func expand(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	name, dot := strings.CutSuffix(mnemonic, ".")
	rot, known := rotations[name]
	mask := name == "rlwinm" || name == "rlwimi" || name == "rlwnm"
	if !known && !mask {
		return false, placeOfBase(p, mnemonic, text)
	}
	at := strings.Index(strings.ToLower(text), mnemonic) + len(mnemonic)
	ops, pos := split(text, at)
	if len(ops) != 4 {
		return false, nil
	}
	num := func(k int) (int64, bool) {
		x, v, end, err := p.Expr(text, pos[k])
		return v, err == nil && x == 0 && end >= pos[k]+len(ops[k])
	}
	suffix := ""
	if dot {
		suffix = "."
	}
	b, ok := num(3)
	if !ok {
		return false, nil
	}
	var out string
	if mask {
		if b < -1<<31 || b >= 1<<32 {
			return false, nil
		}
		mb, me, good := run(uint32(b))
		if !good {
			return false, nil
		}
		out = fmt.Sprintf("%s%s %s, %s, %s, %d, %d", name, suffix, ops[0], ops[1], ops[2], mb, me)
	} else {
		n, ok := num(2)
		if !ok {
			return false, nil
		}
		out = fmt.Sprintf("%s%s %s, %s", rot.as, suffix, ops[0], ops[1])
		size := int64(32)
		if strings.HasSuffix(name, "di") {
			size = 64
		}
		for _, v := range rot.ops(n, b) {
			out += fmt.Sprintf(", %d", v&(size-1))
		}
	}
	var in mc.Inst
	if err := r.Match(p, out, &in); err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			return true, &mc.ParseError{Start: 0, Msg: e.Msg}
		}
		return true, err
	}
	return true, r.Emit(p, &in)
}

// placeOfBase holds prefixed instructions that count from the instruction to have no base.
func placeOfBase(p mc.AsmParser, mnemonic, text string) error {
	if !strings.HasPrefix(mnemonic, "pl") && !strings.HasPrefix(mnemonic, "pst") && !strings.HasPrefix(mnemonic, "paddi") {
		return nil
	}
	ops, pos := split(text, strings.Index(strings.ToLower(text), mnemonic)+len(mnemonic))
	last := len(ops) - 1
	if last < 2 || ops[last] != "1" {
		return nil
	}
	base := ops[1]
	if i := strings.LastIndexByte(base, '('); i >= 0 {
		base = strings.TrimRight(base[i+1:], ") \t")
	}
	if base = strings.TrimSpace(strings.TrimPrefix(base, "%r")); base != "0" {
		return &mc.ParseError{Start: pos[last], End: pos[last], Msg: "invalid operand for instruction"}
	}
	return nil
}

// split takes operands apart at commas.
func split(text string, at int) (ops []string, pos []int) {
	for {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		end := strings.IndexByte(text[at:], ',')
		if end < 0 {
			end = len(text) - at
		}
		ops, pos = append(ops, strings.TrimRight(text[at:at+end], " \t")), append(pos, at)
		if at += end + 1; at > len(text) {
			return ops, pos
		}
	}
}

// run gives the first and the last bit, from the left, of a mask of bits in a row,
// which may go around.
func run(m uint32) (mb, me int, ok bool) {
	if m == 0 {
		return 0, 0, false
	}
	isRun := func(m uint32) bool {
		m >>= bits.TrailingZeros32(m)
		return m&(m+1) == 0
	}
	if isRun(m) {
		return bits.LeadingZeros32(m), 31 - bits.TrailingZeros32(m), true
	}
	if n := ^m; n != 0 && isRun(n) {
		return 32 - bits.TrailingZeros32(n), bits.LeadingZeros32(n) - 1, true
	}
	return 0, 0, false
}
