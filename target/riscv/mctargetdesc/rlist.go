package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// pushes are the instructions that save and restore lists of registers (the ISA manual's
// chapter on Zcmp, and Xqccmp), by their opcodes; down says that they make room.
var pushes = map[string]struct {
	opcode string
	down   bool
	frame  bool // s0 must be in the list
}{
	"cm.push": {"CM_PUSH", true, false}, "cm.pop": {"CM_POP", false, false}, "cm.popret": {"CM_POPRET", false, false}, "cm.popretz": {"CM_POPRETZ", false, false},
	"qc.cm.push": {"QC_CM_PUSH", true, false}, "qc.cm.pushfp": {"QC_CM_PUSHFP", true, true}, "qc.cm.pop": {"QC_CM_POP", false, false},
	"qc.cm.popret": {"QC_CM_POPRET", false, false}, "qc.cm.popretz": {"QC_CM_POPRETZ", false, false},
}

// saved is register s<n>, by its other name.
func saved(n int) string {
	if n < 2 {
		return fmt.Sprintf("x%d", 8+n)
	}
	return fmt.Sprintf("x%d", 16+n)
}

// push reads a list of registers and the room for it.
func push(s *statement, mnemonic string) (bool, error) {
	row := pushes[mnemonic]
	feature := "zcmp"
	if mnemonic[0] == 'q' {
		feature = "xqccmp"
	}
	if !has(s.p, feature) {
		return false, nil
	}
	if len(s.ops) == 0 {
		return true, s.fail(-1, "too few operands for instruction")
	}
	// The list has commas: operands are taken apart anew.
	at := s.at[0]
	if s.text[at] != '{' {
		return true, s.failAt(at, "operand must be {ra [, s0[-sN]]} or {x1 [, x8[-x9][, x18[-xN]]]}")
	}
	l := &line{a: s.p, text: s.text, pos: at + 1}
	n, err := s.registers(l)
	if err != nil {
		return true, err
	}
	if n == 11 {
		return true, s.failAt(at, "invalid register list, '{ra, s0-s10}' or '{x1, x8-x9, x18-x26}' is not supported")
	}
	if row.frame && n == 0 {
		return true, s.failAt(at, "register list must include 's0' or 'x8'")
	}
	if l.atEnd() {
		return true, s.fail(-1, "too few operands for instruction")
	}
	if !l.is(',') {
		return true, l.here("unexpected token")
	}
	l.pos++
	l.blanks()
	at = l.pos
	word := int64(4)
	if s.wide {
		word = 8
	}
	regs := int64(1 + n)
	if n == 12 {
		regs = 13
	}
	base := (regs*word + 15) &^ 15
	x, v, end, err := s.p.Expr(s.text, l.pos)
	if err != nil || x != 0 {
		return true, s.failAt(at, "stack adjustment is invalid for this instruction and register list")
	}
	lo, hi, room := base, base+48, v
	if row.down {
		lo, hi, room = -hi, -lo, -v
	}
	if v%16 != 0 || v < lo || v > hi {
		return true, s.failAt(at, fmt.Sprintf("stack adjustment for register list must be a multiple of 16 bytes in the range [%d, %d]", lo, hi))
	}
	if l.pos = end; !l.atEnd() {
		if l.is(',') {
			l.pos++
		}
		return true, l.here(invalid)
	}
	list := int64(4 + n)
	if n == 12 {
		list = 15
	}
	return true, s.instruction(row.opcode, mc.Imm(list), mc.Imm(room-base))
}

// registers reads what is between braces: how many of s0, s1, … are in the list.
func (s *statement) registers(l *line) (n int, err error) {
	name := func() (string, int, error) {
		l.blanks()
		at := l.pos
		w := l.word()
		if _, end, ok := s.r.ParseRegister(s.p, s.text, at); w == "" || !ok || end < l.pos {
			return "", at, l.errorAt(at, "invalid register")
		}
		return strings.ToLower(w), at, nil
	}
	w, at, err := name()
	if err != nil {
		return 0, err
	}
	if w != "ra" && w != "x1" {
		return 0, l.errorAt(at, "register list must start from 'ra' or 'x1'")
	}
	numbered := w == "x1"
	text := func(k int) string {
		if numbered {
			return saved(k)
		}
		return fmt.Sprintf("s%d", k)
	}
	within := func(w string, lo, hi int) (int, bool) {
		for k := lo; k <= hi; k++ {
			if w == text(k) || k == 0 && w == "fp" && !numbered {
				return k, true
			}
		}
		return 0, false
	}
	for part := 0; ; part++ {
		switch {
		case l.is('}'):
			l.pos++
			return n, nil
		case part == 0 && l.is('-'):
			return 0, l.here("register '" + w + "' cannot start a multiple register range")
		case !l.is(','):
			return 0, l.here("expected ',' or '}'")
		}
		l.pos++
		if part >= 1 && n < 2 && numbered || part == 1 && !numbered || part >= 2 {
			return 0, l.here("too many register ranges")
		}
		first := 0
		if part == 1 {
			first = 2
		}
		w, at, err := name()
		if err != nil {
			return 0, err
		}
		if _, ok := within(w, first, first); !ok {
			return 0, l.errorAt(at, "register must be '"+text(first)+"'")
		}
		n = first + 1
		if !l.is('-') {
			continue
		}
		l.pos++
		last := 11
		if numbered && first == 0 {
			last = 1
		}
		if w, at, err = name(); err != nil {
			return 0, err
		}
		k, ok := within(w, first+1, last)
		if !ok {
			if last == first+1 {
				return 0, l.errorAt(at, "register must be '"+text(last)+"'")
			}
			return 0, l.errorAt(at, "register must be in the range '"+text(first+1)+"' to '"+text(last)+"'")
		}
		n = k + 1
	}
}
