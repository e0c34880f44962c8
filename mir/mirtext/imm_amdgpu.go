package mirtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
)

// Immediates that MIR writes as words: AMDGPU's S_DELAY_ALU names the
// instructions to wait for, .id0_VALU_DEP_1_skip_NEXT_id1_SALU_CYCLE_1. The first
// wait is in bits 0 to 3, the second one in bits 7 to 10; bits 4 to 6 say how
// many instructions further the second one is.

// delayKinds are the kinds of waits, each with the number before its first one.
var delayKinds = [...]struct {
	name  string
	after uint64
}{{"SALU_CYCLE_", 8}, {"TRANS32_DEP_", 4}, {"VALU_DEP_", 0}}

// hasWordImm reports an operand whose immediate is written as a word.
func hasWordImm(row *family.Row, in *desc.Info, op desc.Opcode) bool {
	return row.WordImm != "" && op >= desc.FirstTargetOpcode && in.OpcodeName(op) == row.WordImm
}

func appendDelayALU(b []byte, v uint64) []byte {
	skip, second := v>>4&7, v>>7&15
	b = appendDelay(append(b, ".id0_"...), v&15)
	if skip == 0 && second == 0 {
		return b
	}
	b = append(b, "_skip_"...)
	switch skip {
	case 0:
		b = append(b, "SAME"...)
	case 1:
		b = append(b, "NEXT"...)
	default:
		b = strconv.AppendUint(append(b, "SKIP_"...), skip-1, 10)
	}
	return appendDelay(append(b, "_id1_"...), second)
}

func appendDelay(b []byte, v uint64) []byte {
	if v == 0 {
		return append(b, "NONE"...)
	}
	for _, k := range delayKinds {
		// SALU_CYCLE counts from 0, the others from 1.
		if v > k.after || v == 8 && k.after == 8 {
			return strconv.AppendUint(append(b, k.name...), v-k.after, 10)
		}
	}
	return b
}

// delayReader takes the words of S_DELAY_ALU's operand apart.
type delayReader struct{ rest string }

func (r *delayReader) eat(s string) (ok bool) {
	r.rest, ok = strings.CutPrefix(r.rest, s)
	return ok
}

func (r *delayReader) int() (int64, bool) {
	n := 0
	for n < len(r.rest) && (charClass[r.rest[n]]&cNum != 0 || n == 0 && r.rest[0] == '-') {
		n++
	}
	v, err := strconv.ParseInt(r.rest[:n], 10, 64)
	if err != nil {
		return 0, false
	}
	r.rest = r.rest[n:]
	return v, true
}

func (r *delayReader) delay() (int64, bool) {
	if r.eat("NONE") {
		return 0, true
	}
	for _, k := range delayKinds {
		if r.eat(k.name) {
			v, ok := r.int()
			return v + int64(k.after), ok && v+int64(k.after) != -1
		}
	}
	return 0, false
}

// parseDelayALU reads the operand; what is wrong is at the end of what was read.
func parseDelayALU(s string) (v int64, rest, fault string) {
	r := delayReader{s}
	if !r.eat(".id0_") {
		return 0, r.rest, "Expected .id0_"
	}
	v, ok := r.delay()
	switch {
	case !ok:
		return 0, r.rest, "Could not decode delay0"
	case r.rest == "":
		return v, "", ""
	case !r.eat("_skip_"):
		return 0, r.rest, "Expected _skip_"
	}
	skip := int64(0)
	switch {
	case r.eat("SAME"):
	case r.eat("NEXT"):
		skip = 1
	case r.eat("SKIP_"):
		if skip, ok = r.int(); !ok {
			return 0, r.rest, "Expected integer Skip value"
		}
		skip++
	}
	if !r.eat("_id1_") {
		return 0, r.rest, "Expected _id1_"
	}
	second, ok := r.delay()
	if !ok {
		return 0, r.rest, "Could not decode delay1"
	}
	return v | skip<<4 | second<<7, "", ""
}
