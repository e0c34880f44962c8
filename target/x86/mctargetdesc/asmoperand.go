package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// registerAt reads a register's name, st(3) among them.
func (x *parsing) registerAt(at int) (desc.PhysReg, int, bool) {
	end := at
	for end < len(x.text) && (wordByte(x.text[end]) && x.text[end] != '.' && x.text[end] != '$' && x.text[end] != '@') {
		end++
	}
	w := strings.ToLower(x.text[at:end])
	if w == "st" {
		k := end
		for k < len(x.text) && x.text[k] == ' ' {
			k++
		}
		if k+2 < len(x.text) && x.text[k] == '(' && x.text[k+1] >= '0' && x.text[k+1] <= '7' && x.text[k+2] == ')' {
			return tab.ST0 + desc.PhysReg(x.text[k+1]-'0'), k + 3, true
		}
	}
	r, ok := x.s.regs[w]
	if !ok || r == 0 {
		if x.intel && w == "st0" {
			return 0, at, false
		}
		r, ok = x.syntaxes[Intel]().regs[w]
	}
	return r, end, ok && r != 0
}

// only64 reports a register that other modes lack.
func (x *parsing) only64(r desc.PhysReg) bool {
	n := x.info.Regs[r].Encoding
	switch {
	case r == tab.RIP || r == tab.RIZ || x.info.ClassContains(tab.GR64RegClassID, r):
		return true
	case x.info.ClassContains(tab.GR32RegClassID, r) || x.info.ClassContains(tab.GR16RegClassID, r):
		return n >= 8
	case x.info.ClassContains(tab.GR8RegClassID, r):
		return n >= 8 || r == tab.SPL || r == tab.BPL || r == tab.SIL || r == tab.DIL
	}
	switch {
	case r == tab.EIP:
		return true
	case x.info.ClassContains(tab.VR128XRegClassID, r) || x.info.ClassContains(tab.VR256XRegClassID, r) || x.info.ClassContains(tab.VR512RegClassID, r),
		x.info.ClassContains(tab.CONTROL_REGRegClassID, r), x.info.ClassContains(tab.DEBUG_REGRegClassID, r):
		return n >= 8
	}
	return false
}

// register reads a register that must be there, or refuses.
func (x *parsing) register() (desc.PhysReg, bool, error) {
	start := x.pos
	at := start
	percent := x.at('%')
	if percent {
		at++
	} else if !x.intel {
		return 0, false, nil
	}
	r, end, ok := x.registerAt(at)
	if !ok {
		if percent {
			return 0, false, errAt(start, x.wordAt(at), "invalid register name")
		}
		return 0, false, nil
	}
	if x.intel && !percent && end < len(x.text) && wordByte(x.text[end]) {
		return 0, false, nil
	}
	if x.mode != mode64 && x.only64(r) {
		if x.intel && !percent {
			return 0, false, nil
		}
		return 0, false, errAt(start, end, "register %"+strings.ToLower(x.text[at:end])+" is only available in 64-bit mode")
	}
	x.pos = end
	return r, true, nil
}

// operand reads one operand with what stands in braces behind it.
func (x *parsing) operand(o *asmOperand) (err error) {
	x.blanks()
	start := x.pos
	if x.at('{') {
		return x.braces(o)
	}
	star := false
	if !x.intel && x.take('*') {
		star = true
		x.blanks()
	}
	if x.intel {
		*o, err = x.intelOperand()
	} else {
		err = x.attOperand(o)
	}
	if err != nil {
		return err
	}
	o.start, o.end, o.star = start, x.pos, star
	for {
		x.blanks()
		if !x.at('{') {
			return nil
		}
		if err := x.decoration(o); err != nil {
			return err
		}
	}
}

// braces reads an operand in braces: {sae}, {rn-sae}.
func (x *parsing) braces(o *asmOperand) error {
	start := x.pos
	end := strings.IndexByte(x.text[start:], '}')
	if end < 0 {
		return errAt(start, start, "Expected } at this point")
	}
	word := strings.ToLower(strings.ReplaceAll(x.text[start:start+end+1], " ", ""))
	x.pos = start + end + 1
	*o = asmOperand{kind: opWord, text: word, start: start, end: x.pos}
	return nil
}

// decoration reads {%k1}, {z}, {1to8} behind an operand.
func (x *parsing) decoration(o *asmOperand) error {
	x.pos++
	x.blanks()
	at := x.pos
	switch {
	case x.at('1') && strings.HasPrefix(x.text[at:], "1to"):
		end := x.wordAt(at)
		o.bcast = strings.ToLower(x.text[at:end])
		switch o.bcast {
		case "1to2", "1to4", "1to8", "1to16", "1to32":
		default:
			return errAt(at, at, "Invalid memory broadcast primitive.")
		}
		x.pos = end
	case (x.at('z') || x.at('Z')) && x.wordAt(at) == at+1:
		if o.zero {
			return errAt(at, at, "Expected an op-mask register at this point")
		}
		o.zero = true
		x.pos++
	default:
		r, ok, err := x.register()
		if err != nil || !ok || !x.info.ClassContains(tab.VK1RegClassID, r) {
			if o.zero || o.mask == 0 {
				return errAt(at, at, "Expected an op-mask register at this point")
			}
			return errAt(at, at, "Expected a {z} mark at this point")
		}
		if r == tab.K0 {
			return errAt(at, at, "Register k0 can't be used as write mask")
		}
		o.mask = r
	}
	if !x.take('}') {
		return errAt(x.pos, x.pos, "Expected } at this point")
	}
	return nil
}

// dfv reads {dfv=of,sf,zf,cf}.
func (x *parsing) dfv() error {
	start := x.pos
	x.pos++
	expect := func(ok bool, what string) error {
		if ok {
			return nil
		}
		return errAt(x.pos, x.pos, "Expected "+what+" at this point")
	}
	x.blanks()
	at := x.pos
	end := x.wordAt(at)
	if err := expect(strings.EqualFold(x.text[at:end], "dfv"), "dfv"); err != nil {
		return err
	}
	x.pos = end
	if err := expect(x.take('='), "="); err != nil {
		return err
	}
	x.blanks()
	seen := [4]bool{}
	for !x.at('}') {
		at := x.pos
		end := x.wordAt(at)
		k := -1
		for i, f := range [4]string{"of", "sf", "zf", "cf"} {
			if strings.EqualFold(x.text[at:end], f) {
				k = i
			}
		}
		if k < 0 {
			return errAt(at, at, "Invalid conditional flags")
		}
		if seen[k] {
			return errAt(at, at, "Duplicated conditional flag")
		}
		seen[k] = true
		x.pos = end
		x.blanks()
		if x.at('}') {
			break
		}
		if err := expect(x.take(','), "} or ,"); err != nil {
			return err
		}
		x.blanks()
	}
	x.pos++
	var fs []string
	for i, f := range [4]string{"of", "sf", "zf", "cf"} {
		if seen[i] {
			fs = append(fs, f)
		}
	}
	x.ops = append(x.ops, asmOperand{kind: opWord, text: "{dfv=" + strings.Join(fs, ",") + "}", start: start, end: x.pos})
	return nil
}

// attOperand reads $5, %eax or an address.
func (x *parsing) attOperand(o *asmOperand) (err error) {
	if x.at('$') {
		e, v, end, err := x.p.Expr(x.text, x.pos+1)
		if err != nil {
			return err
		}
		x.pos = end
		o.kind, o.x, o.v = opImm, e, v
		return nil
	}
	start := x.pos
	r, ok, err := x.register()
	if err != nil {
		return err
	}
	if ok {
		x.blanks()
		if !x.at(':') {
			o.kind, o.reg = opReg, r
			return nil
		}
		if !x.info.ClassContains(tab.SEGMENT_REGRegClassID, r) {
			return errAt(start, x.pos, "invalid segment register")
		}
		x.pos++
		o.seg = r
		x.blanks()
		if x.at('*') {
			x.pos++
		}
	}
	o.kind = opMem
	x.blanks()
	if !x.addressParens() {
		o.x, o.v, x.pos, err = x.expr()
		if err != nil {
			return err
		}
		x.blanks()
	}
	if !x.addressParens() {
		return nil
	}
	return x.attAddress(o)
}

func (x *parsing) expr() (mc.Expr, int64, int, error) {
	e, v, end, err := x.p.Expr(x.text, x.pos)
	if err != nil {
		end = x.pos
	}
	return e, v, end, err
}

// addressParens reports that what begins here is (base,index,scale), not an
// expression in parentheses.
func (x *parsing) addressParens() bool {
	if !x.at('(') {
		return false
	}
	k := x.pos + 1
	for k < len(x.text) && (x.text[k] == ' ' || x.text[k] == '\t') {
		k++
	}
	return k < len(x.text) && (x.text[k] == '%' || x.text[k] == ',')
}

// attAddress reads (base,index,scale).
func (x *parsing) attAddress(o *asmOperand) error {
	x.pos++
	x.blanks()
	var err error
	baseAt, scaleAt := x.pos, x.pos
	if x.at('%') {
		if o.base, _, err = x.register(); err != nil {
			return err
		}
	}
	scaled := false
	if x.take(',') {
		x.blanks()
		if x.at('%') {
			if o.index, _, err = x.register(); err != nil {
				return err
			}
			o.scale = 1
			if x.take(',') {
				x.blanks()
				scaleAt = x.pos
				if !x.at(')') {
					_, v, end, err := x.p.Expr(x.text, x.pos)
					if err != nil {
						return errAt(scaleAt, scaleAt, "expected scale expression")
					}
					x.pos = end
					o.scale, scaled = v, true
				}
			}
		} else if !x.at(')') {
			// A scale without an index has no effect.
			_, v, end, err := x.p.Expr(x.text, x.pos)
			if err != nil {
				return err
			}
			if v != 1 {
				x.p.Warn(x.pos, x.pos, "scale factor without index register is ignored")
			}
			x.pos = end
		}
	}
	if !x.take(')') {
		return errAt(x.pos, x.pos, "unexpected token in memory operand")
	}
	if scaled {
		if x.is16(o.base) && o.scale != 1 {
			return errAt(scaleAt, scaleAt, "scale factor in 16-bit address must be 1")
		}
		switch o.scale {
		case 1, 2, 4, 8:
		default:
			return errAt(scaleAt, scaleAt, "scale factor in address must be 1, 2, 4 or 8")
		}
	}
	if err := x.checkAddress(o); err != "" {
		return errAt(baseAt, baseAt, err)
	}
	return nil
}

func (x *parsing) is16(r desc.PhysReg) bool {
	return r != 0 && x.info.ClassContains(tab.GR16RegClassID, r)
}
func (x *parsing) is32(r desc.PhysReg) bool {
	return r == tab.EIP || r == tab.EIZ || r != 0 && x.info.ClassContains(tab.GR32RegClassID, r)
}
func (x *parsing) is64(r desc.PhysReg) bool {
	return r == tab.RIP || r == tab.RIZ || r != 0 && x.info.ClassContains(tab.GR64RegClassID, r)
}

// checkAddress says what is wrong with base and index, "" for nothing.
func (x *parsing) checkAddress(o *asmOperand) string {
	b, i := o.base, o.index
	switch {
	case b != 0 && !x.is16(b) && !x.is32(b) && !x.is64(b), i != 0 && x.info.ClassContains(tab.SEGMENT_REGRegClassID, i), i == tab.EIP, i == tab.RIP, i == tab.ESP, i == tab.RSP:
		return "invalid base+index expression"
	case b == tab.DX && i == 0 && o.x == 0 && o.v == 0:
		return ""
	case x.mode == mode64 && (x.is16(b) || x.is16(i)):
		return "base register is 16-bit, but 16-bit addressing is not supported in 64-bit mode"
	case (b == tab.EIP || b == tab.RIP) && i != 0:
		return "invalid base+index expression"
	case b == 0 && x.is16(i):
		return "16-bit memory operand may not include only index register"
	case b != 0 && i != 0:
		switch {
		case x.is64(b) && (x.is16(i) || x.is32(i)) && i != tab.EIZ:
			return "base register is 64-bit, but index register is not"
		case x.is32(b) && (x.is16(i) || x.is64(i)) && i != tab.RIZ:
			return "base register is 32-bit, but index register is not"
		case x.is16(b) && (x.is32(i) || x.is64(i)):
			return "base register is 16-bit, but index register is not"
		case x.is16(b) && (b != tab.BX && b != tab.BP || i != tab.SI && i != tab.DI):
			return "invalid 16-bit base/index register combination"
		}
	case x.is16(b) && b != tab.BX && b != tab.BP && b != tab.SI && b != tab.DI:
		return "invalid 16-bit base register"
	}
	return ""
}
