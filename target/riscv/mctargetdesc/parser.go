package mctargetdesc

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// parser is RISC-V's mc.TargetAsmParser.
type parser struct {
	*table.Reader
}

func newParser(t *mctarget.Target) (mc.TargetAsmParser, error) {
	y := mctarget.Syntax(t.Info.Target)
	y.Expand, y.Again, y.Without, y.Wide = expand, again, "exact-asm", "64bit"
	half := featureBit(t.Info, "e")
	y.Reserved = func(st *mc.Subtarget, r desc.PhysReg) bool {
		return st.Has(half) && t.Info.Regs[r].Encoding >= 16 && t.Info.RegName(r)[0] == 'X'
	}
	y.Check = newChecker(t.Info).check
	y.Takes = newLimits(t.Info).takes
	y.Shorten = newCompressor(t.Info).shorten
	r, err := t.Reader(y)
	if err != nil {
		return nil, err
	}
	return &parser{Reader: r}, nil
}

// ParseInstruction reads an instruction; what is said of it depends on what there is.
func (p *parser) ParseInstruction(a mc.AsmParser, text string) error {
	err := p.Reader.ParseInstruction(a, text)
	e, ok := err.(*mc.ParseError)
	if !ok {
		return err
	}
	if !has(a, "experimental-zvfbfa") && !has(a, "experimental-zvfofp8min") {
		e.Msg = strings.Replace(e.Msg, "e[8|8alt|16|16alt|32|64]", "e[8|16|32|64]", 1)
	}
	if !has(a, "64bit") { // amounts of shifts
		e.Msg = strings.Replace(strings.Replace(e.Msg, "range [0, 63]", "range [0, 31]", 1), "range [1, 63]", "range [1, 31]", 1)
	}
	return e
}

// limits are of numbers that the encoding has more room for.
type limits struct {
	wide  uint16
	types map[desc.OperandType]int64 // of operands: the greatest on RV32
	info  *desc.Info
}

func newLimits(info *desc.Info) *limits {
	l := &limits{wide: featureBit(info, "64bit"), types: map[desc.OperandType]int64{}, info: info}
	for _, n := range [...]string{"SLLI", "C_SLLI", "C_SRLI"} {
		if op, ok := info.OpcodeByName(n); ok {
			ops := info.Operands(op)
			if t := ops[len(ops)-1].Type; t >= desc.FirstTargetOperandType {
				l.types[t] = 31
			}
		}
	}
	return l
}

func (l *limits) takes(st *mc.Subtarget, op desc.Opcode, operand int, v int64) bool {
	if st.Has(l.wide) {
		return true
	}
	ops := l.info.Operands(op)
	if operand >= len(ops) {
		return true
	}
	limit, ok := l.types[ops[operand].Type]
	return !ok || v <= limit
}

// numeric reports that registers have other names than the tables': -M numeric or emit-x8-as-fp.
func numeric(t *mctarget.Target) bool {
	return slices.Contains(t.PrinterOptions, "numeric") || slices.Contains(t.PrinterOptions, "emit-x8-as-fp")
}

// appendRegNumber appends the name that a register has by its number.
func appendRegNumber(b []byte, t *mctarget.Target, r desc.PhysReg, text string) []byte {
	if text != "" {
		return b
	}
	name := t.Info.RegName(r)
	if !slices.Contains(t.PrinterOptions, "numeric") {
		if name == "X8" {
			return append(b, "fp"...)
		}
		return b
	}
	for i, prefix := range [...]string{"X", "F", "F", "F", "F", "X", "X"} {
		suffix := [...]string{"", "_H", "_F", "_D", "_Q", "_W", "_H"}[i]
		if n, ok := number(name, prefix, suffix); ok {
			return strconv.AppendUint(append(b, prefix[0]+'a'-'A'), uint64(n), 10)
		}
	}
	if n, ok := number(name, "V", ""); ok {
		return strconv.AppendUint(append(b, 'v'), uint64(n), 10)
	}
	return append(b, name...)
}
