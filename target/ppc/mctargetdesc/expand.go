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

// rotations are those of one number and of two; n comes first in the text.
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
	"slwi":     {"rlwinm", func(n, _ int64) []int64 { return []int64{n, 0, 31 - n} }, false},
	"srwi":     {"rlwinm", func(n, _ int64) []int64 { return []int64{32 - n, n, 31} }, false},
	"rotlwi":   {"rlwinm", func(n, _ int64) []int64 { return []int64{n, 0, 31} }, false},
	"rotrwi":   {"rlwinm", func(n, _ int64) []int64 { return []int64{32 - n, 0, 31} }, false},
	"clrlwi":   {"rlwinm", func(n, _ int64) []int64 { return []int64{0, n, 31} }, false},
	"clrrwi":   {"rlwinm", func(n, _ int64) []int64 { return []int64{0, 0, 31 - n} }, false},
	"sldi":     {"rldicr", func(n, _ int64) []int64 { return []int64{n, 63 - n} }, false},
	"srdi":     {"rldicl", func(n, _ int64) []int64 { return []int64{64 - n, n} }, false},
	"rotldi":   {"rldicl", func(n, _ int64) []int64 { return []int64{n, 0} }, false},
	"rotrdi":   {"rldicl", func(n, _ int64) []int64 { return []int64{64 - n, 0} }, false},
	"clrldi":   {"rldicl", func(n, _ int64) []int64 { return []int64{0, n} }, false},
	"clrrdi":   {"rldicr", func(n, _ int64) []int64 { return []int64{0, 63 - n} }, false},
}

// expand emits what such an instruction stands for, rotations whose mask is one number, and
// other instructions that are written as several.
func expand(r *table.Reader, p mc.AsmParser, narrow bool, mnemonic, text string) (bool, error) {
	if known, err := readTLS(r, p, narrow, mnemonic, text); known || err != nil {
		return known, err
	}
	if known, err := hinted(r, p, mnemonic, text); known || err != nil {
		return known, err
	}
	if mnemonic == "lq" {
		return quad(r, p, text)
	}
	name, _ := strings.CutSuffix(mnemonic, ".")
	if rot, known := rotations[name]; known {
		return rot.expand(r, p, mnemonic, text)
	}
	if name == "rlwinm" || name == "rlwimi" || name == "rlwnm" {
		return byMask(r, p, mnemonic, text)
	}
	if other := renamed(p, mnemonic, text); other != "" {
		var in mc.Inst
		if err := r.Match(p, other, &in); err != nil {
			return true, err
		}
		return true, r.Emit(p, &in)
	}
	if p.Subtarget().CPU == "601" && (mnemonic == "mftb" || mnemonic == "mftbu") {
		return timeBase(r, p, mnemonic, text)
	}
	if other := fieldNames(mnemonic, text); other != text {
		var in mc.Inst
		if err := r.Match(p, other, &in); err != nil {
			return true, err
		}
		return true, r.Emit(p, &in)
	}
	return false, placeOfBase(p, mnemonic, text)
}

// number reads an operand that is a number.
func number(p mc.AsmParser, text, op string, pos int) (int64, bool) {
	x, v, end, err := p.Expr(text, pos)
	return v, err == nil && x == 0 && end >= pos+len(op)
}

func (rot *rotation) expand(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	name, dot := strings.CutSuffix(mnemonic, ".")
	ops, pos := operandsOf(mnemonic, text)
	want := 3
	if rot.last {
		want = 4
	}
	if len(ops) != want {
		return false, nil
	}
	size := int64(32)
	if strings.HasSuffix(name, "di") {
		size = 64
	}
	n, ok := number(p, text, ops[2], pos[2])
	if !ok || !rot.last && (n < 0 || n >= size) {
		return false, nil
	}
	var b int64
	if rot.last {
		if b, ok = number(p, text, ops[3], pos[3]); !ok {
			return false, nil
		}
	}
	out := rot.as
	if dot {
		out += "."
	}
	out += fmt.Sprintf(" %s, %s", ops[0], ops[1])
	for _, v := range rot.ops(n, b) {
		out += fmt.Sprintf(", %d", v&(size-1))
	}
	return emitText(r, p, out)
}

// byMask reads rotations whose mask is one number.
func byMask(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	ops, pos := operandsOf(mnemonic, text)
	if len(ops) != 4 {
		return false, nil
	}
	b, ok := number(p, text, ops[3], pos[3])
	if !ok || b < -1<<31 || b >= 1<<32 {
		return false, nil
	}
	mb, me, good := run(uint32(b))
	if !good {
		return false, nil
	}
	return emitText(r, p, fmt.Sprintf("%s %s, %s, %s, %d, %d", mnemonic, ops[0], ops[1], ops[2], mb, me))
}

// emitText emits the instruction of a text that the source does not have.
func emitText(r *table.Reader, p mc.AsmParser, text string) (bool, error) {
	var in mc.Inst
	if err := r.Match(p, text, &in); err != nil {
		if e, ok := err.(*mc.ParseError); ok {
			return true, &mc.ParseError{Start: 0, Msg: e.Msg}
		}
		return true, err
	}
	return true, r.Emit(p, &in)
}

// timeBase reads what the processors that have the time base among their special registers
// write as mfspr.
func timeBase(r *table.Reader, p mc.AsmParser, mnemonic, text string) (bool, error) {
	ops, pos := operandsOf(mnemonic, text)
	which := int64(268)
	if mnemonic == "mftbu" {
		which = 269
	}
	if len(ops) == 2 && mnemonic == "mftb" {
		v, ok := number(p, text, ops[1], pos[1])
		if !ok {
			return false, nil
		}
		which = v
	} else if len(ops) != 1 {
		return false, nil
	}
	var in mc.Inst
	if err := r.Match(p, "mfspr "+ops[0]+", 268", &in); err != nil || len(in.Ops) != 2 {
		return false, nil
	}
	in.Op, _ = r.Info.OpcodeByName("MFTB")
	in.Ops[1] = mc.Imm(which)
	return true, r.Emit(p, &in)
}

// quad reads lq, whose operands are those of stq with a distance of whole quadwords.
func quad(r *table.Reader, p mc.AsmParser, text string) (bool, error) {
	at := strings.Index(strings.ToLower(text), "lq")
	var in mc.Inst
	op, ok := r.Info.OpcodeByName("LQ")
	if err := r.Match(p, text[:at]+"stq"+text[at+2:], &in); err != nil || !ok || len(in.Ops) != 3 {
		return false, nil
	}
	if o := in.Ops[1]; o.IsImm() && o.Imm()&15 != 0 {
		return false, nil
	}
	in.Op = op
	return true, r.Emit(p, &in)
}

// operandsOf takes the operands of a statement apart.
func operandsOf(mnemonic, text string) (ops []string, pos []int) {
	return split(text, strings.Index(strings.ToLower(text), mnemonic)+len(mnemonic))
}

// hinted reads general branches with a sign that says what is likely.
func hinted(r *table.Reader, p mc.AsmParser, mnemonic, text string) (known bool, err error) {
	sign := mnemonic[len(mnemonic)-1]
	name := mnemonic[:len(mnemonic)-1]
	if sign != '+' && sign != '-' || name != "bc" && name != "bca" && name != "bcl" && name != "bcla" {
		return false, nil
	}
	at := strings.Index(strings.ToLower(text), mnemonic) + len(name)
	var in mc.Inst
	if err := r.Match(p, text[:at]+" "+text[at+1:], &in); err != nil {
		return true, err
	}
	op, ok := r.Info.OpcodeByName("g" + strings.ToUpper(name) + "at")
	if !ok || len(in.Ops) != 3 {
		return false, nil
	}
	hint := int64(2)
	if sign == '+' {
		hint = 3
	}
	ops := append([]mc.Operand{mc.Imm(hint)}, in.Ops...)
	in.Reset(op)
	for _, o := range ops {
		in.Add(o)
	}
	return true, r.Emit(p, &in)
}

// renamed gives the text of an instruction under its other name, "" where it has none. Places of
// operands stay as far as they can.
func renamed(p mc.AsmParser, mnemonic, text string) string {
	ops, pos := operandsOf(mnemonic, text)
	switch mnemonic {
	case "cmpi", "cmpli", "cmp", "cmpl": // [cr,] length, a, b
		k := len(ops) - 3
		if k != 0 && k != 1 {
			return ""
		}
		v, ok := number(p, text, ops[k], pos[k])
		if !ok || v != 0 && v != 1 {
			return ""
		}
		base, imm := strings.CutSuffix(mnemonic, "i")
		name := base + "wd"[v:v+1]
		if imm {
			name += "i"
		}
		if k == 1 {
			return name + " " + ops[0] + ", " + ops[2] + ", " + ops[3]
		}
		return name + " " + ops[1] + ", " + ops[2]
	case "dci", "ici":
		if len(ops) == 1 && (ops[0] == "0" || strings.EqualFold(ops[0], "%r0")) {
			return mnemonic[:1] + "ccci 0, 0"
		}
	case "dccci", "iccci":
		if len(ops) == 1 && ops[0] == "" {
			return mnemonic + " 0, 0"
		}
	case "rfebb":
		if len(ops) == 1 && ops[0] == "1" {
			return mnemonic
		}
	case "subpcis":
		if len(ops) == 2 {
			if v, ok := number(p, text, ops[1], pos[1]); ok {
				return fmt.Sprintf("addpcis %s, %d", ops[0], -v)
			}
		}
	}
	return ""
}

// fieldNames writes numbers for names of fields of the condition register that are whole
// operands of comparisons and branches; the length of the text stays.
func fieldNames(mnemonic, text string) string {
	ops, pos := operandsOf(mnemonic, text)
	b := []byte(text)
	for k, o := range ops {
		name := strings.ToLower(strings.TrimPrefix(o, "%"))
		if len(name) != 3 || name[:2] != "cr" || name[2] < '0' || name[2] > '7' || k == len(ops)-1 && mnemonic[0] == 'b' {
			continue
		}
		for i := range o {
			b[pos[k]+i] = ' '
		}
		b[pos[k]+len(o)-1] = name[2]
	}
	return string(b)
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
