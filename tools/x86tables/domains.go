package main

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// domain is the execution domain in an instruction's flags: 1 single, 2 double, 3
// integer, 0 none.
func (a *asker) domain(op desc.Opcode) int { return int(a.in.Instr(op).TSFlags >> 27 & 3) }

// levels are the features that other domains take, each with those before it.
var levels = [...]struct{ name, features string }{
	{"anyLevel", "+avx"},
	{"levelAVX2", "+avx2,+avx512f,+avx512vl,+avx512bw"},
	{"levelDQ", "+avx2,+avx512f,+avx512vl,+avx512bw,+avx512dq"},
}

// anchors are instructions that are in one domain alone, by domain.
var anchors = [...]string{1: "VADDPS%srr", 2: "VADDPD%srr", 3: "VPADDD%srr"}

// custom instructions change operands with the domain: domains.go knows them.
func custom(name string) bool {
	return strings.Contains(name, "BLEND") && strings.HasSuffix(name, "i") || strings.HasPrefix(name, "MOVHLPS") || strings.HasPrefix(name, "SHUFPD") || strings.HasPrefix(name, "UNPCKHPDrr")
}

// inDomains asks what op is in each domain, 0 for domains that it cannot be in; all
// are 0 for an instruction that LLVM takes for one without a domain.
func (a *asker) inDomains(level int, ops []desc.Opcode, high bool) ([][4]desc.Opcode, error) {
	suffix := ""
	if high {
		suffix = "Z128"
	}
	var funcs [][]string
	var marks []int // the line to look at
	for _, op := range ops {
		line, uses, def, _ := a.instr(op, shape{high: high, imm: 1})
		for dom := 1; dom <= 3; dom++ {
			reads := ""
			if dom < 3 {
				reads = ", implicit $mxcsr"
			}
			anchor := func(to, from int) string {
				return fmt.Sprintf("$xmm%d = %s $xmm%d, $xmm%d%s", to, fmt.Sprintf(anchors[dom], suffix), from, from, reads)
			}
			// Among instructions of the domain it goes there if it can.
			var lines []string
			for _, r := range uses {
				lines = append(lines, anchor(r, 9))
			}
			marks = append(marks, len(lines))
			lines = append(lines, line)
			if def >= 0 {
				lines = append(lines, anchor(11, def))
			}
			funcs = append(funcs, lines)
			// A move that may be in any domain goes where both it and its neighbour can.
			move := func(to, from int) string { return fmt.Sprintf("$xmm%d = VMOVAPS%srr $xmm%d", to, suffix, from) }
			if len(uses) > 0 {
				marks = append(marks, 0)
				funcs = append(funcs, []string{move(uses[0], 9), line, anchor(11, uses[0])})
			} else {
				marks = append(marks, 1)
				funcs = append(funcs, []string{line, move(9, def), anchor(11, 9)})
			}
		}
	}
	got, err := a.run("x86-execution-domain-fix", levels[level].features, funcs)
	if err != nil {
		return nil, err
	}
	rows := make([][4]desc.Opcode, len(ops))
	for k, op := range ops {
		row := &rows[k]
		none := true
		for dom := 1; dom <= 3; dom++ {
			n := 2 * (3*k + dom - 1)
			became, at := a.opcode(got[n][marks[n]]), a.domain(a.opcode(got[n+1][marks[n+1]]))
			if at == dom {
				row[dom] = became
			}
			none = none && became == op && at == dom
		}
		if none {
			*row = [4]desc.Opcode{}
		}
	}
	return rows, nil
}

// domains makes zz_domains.go.
func (a *asker) domains() (string, error) {
	var ops []desc.Opcode
	for k := range a.in.NumInstrs() {
		op := desc.Opcode(k)
		if op < desc.FirstTargetOpcode || a.domain(op) == 0 || custom(a.in.OpcodeName(op)) {
			continue
		}
		if _, uses, def, ok := a.instr(op, shape{imm: 1}); ok && (len(uses) > 0 || def >= 0) {
			ops = append(ops, op)
		}
	}
	var b strings.Builder
	b.WriteString(strings.Replace(header, importTab, importDesc, 1) + "var domainRows = [...]domainRow{\n")
	rows := map[desc.Opcode][len(levels)][4]desc.Opcode{}
	for level := range levels {
		low, err := a.inDomains(level, ops, false)
		if err != nil {
			return "", err
		}
		for k, op := range ops {
			all := rows[op]
			all[level] = low[k]
			rows[op] = all
		}
	}
	high := make([]map[desc.Opcode][4]desc.Opcode, len(levels))
	for level := 1; level < len(levels); level++ {
		var evex []desc.Opcode
		for _, op := range ops {
			if a.in.Instr(op).TSFlags>>29&3 == 3 {
				evex = append(evex, op)
			}
		}
		got, err := a.inDomains(level, evex, true)
		if err != nil {
			return "", err
		}
		high[level] = map[desc.Opcode][4]desc.Opcode{}
		for k, op := range evex {
			high[level][op] = got[k]
		}
	}
	name := func(op desc.Opcode) string {
		if op == 0 {
			return "0"
		}
		return "tab." + a.in.OpcodeName(op)
	}
	for _, op := range ops {
		last := [4]desc.Opcode{0, 0, 0, 0}
		had := false
		for level := range levels {
			row := rows[op][level]
			alone := [4]desc.Opcode{}
			alone[a.domain(op)] = op
			if row == alone && !had || had && row == last {
				continue
			}
			low := "false"
			if h, ok := high[level][op]; ok && h != row {
				low = "true"
			}
			fmt.Fprintf(&b, "{%s, %s, %s, [3]desc.Opcode{%s, %s, %s}},\n", name(op), levels[level].name, low, name(row[1]), name(row[2]), name(row[3]))
			last, had = row, true
		}
	}
	b.WriteString("}\n")
	return b.String(), nil
}

// The rows of domains name opcodes in an array.
const (
	importTab  = `import "github.com/mirin-go/mirin/target/x86/tab"`
	importDesc = "import (\n\t\"github.com/mirin-go/mirin/desc\"\n\t\"github.com/mirin-go/mirin/target/x86/tab\"\n)"
)
