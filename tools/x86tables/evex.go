package main

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// evexFeatures are all that instructions with EVEX twins want; those of vexFeatures
// are wanted by the twins alone.
const evexFeatures = "+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512cd,+avx512ifma,+avx512vnni,+avx512bf16,+avx512vbmi,+avx512vbmi2,+avx512bitalg,+avx512fp16,+gfni,+vaes,+vpclmulqdq,+fma,+f16c,+avx2"

var vexFeatures = [...]string{"avxvnni", "avxifma", "avxneconvert", "avxvnniint8", "avxvnniint16", "sm4"}

// evexTwins asks what x86-compress-evex makes of ops, 0 for nothing.
func (a *asker) evexTwins(features string, ops []desc.Opcode, s shape) ([]desc.Opcode, error) {
	var funcs [][]string
	for _, op := range ops {
		line, _, _, _ := a.instr(op, s)
		funcs = append(funcs, []string{line})
	}
	got, err := a.run("x86-compress-evex", features, funcs)
	if err != nil {
		return nil, err
	}
	twins := make([]desc.Opcode, len(ops))
	for k, op := range ops {
		if to := a.opcode(got[k][0]); to != op {
			twins[k] = to
		}
	}
	return twins, nil
}

// evex makes zz_evex.go: EVEX instructions and what does the same with a shorter
// encoding on registers below 16. Those of general registers (APX) are left out.
func (a *asker) evex() (string, error) {
	var ops []desc.Opcode
	for k := range a.in.NumInstrs() {
		op := desc.Opcode(k)
		if op < desc.FirstTargetOpcode || a.in.Instr(op).TSFlags>>29&3 != 3 || a.in.Instr(op).IsPseudo() {
			continue
		}
		if _, uses, def, ok := a.instr(op, shape{imm: 1}); ok && (len(uses) > 0 || def >= 0) {
			ops = append(ops, op)
		}
	}
	features := evexFeatures
	twins, err := a.evexTwins(features, ops, shape{imm: 1})
	if err != nil {
		return "", err
	}
	wants := make([]string, len(ops))
	for _, more := range vexFeatures {
		now, err := a.evexTwins(evexFeatures+",+"+more, ops, shape{imm: 1})
		if err != nil {
			return "", err
		}
		for k := range ops {
			if now[k] != 0 && twins[k] == 0 {
				twins[k], wants[k] = now[k], more
			}
		}
	}
	high, err := a.evexTwins(features, ops, shape{imm: 1, high: true})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(header + "var evexRows = [...]evexRow{\n")
	for k, op := range ops {
		if high[k] != 0 {
			return "", fmt.Errorf("%s has a twin for registers from 16 on", a.in.OpcodeName(op))
		}
		if twins[k] != 0 {
			want := "wantsNothing"
			if wants[k] != "" {
				want = "wants" + strings.ToUpper(wants[k])
			}
			fmt.Fprintf(&b, "{tab.%s, tab.%s, %s},\n", a.in.OpcodeName(op), a.in.OpcodeName(twins[k]), want)
		}
	}
	b.WriteString("}\n")
	return b.String(), nil
}
