package asmparse

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// cfiDirective finds a directive about call frames.
func cfiDirective(name string) func(p *Parser, name string, at int) error {
	if !strings.HasPrefix(name, ".cfi_") {
		return nil
	}
	switch name {
	case ".cfi_sections":
		return parseCFISections
	case ".cfi_startproc":
		return parseCFIStart
	case ".cfi_endproc":
		return parseCFIEnd
	case ".cfi_personality", ".cfi_lsda":
		return parseCFIPersonality
	case ".cfi_escape":
		return parseCFIEscape
	case ".cfi_label":
		return parseCFILabel
	case ".cfi_def_cfa", ".cfi_def_cfa_offset", ".cfi_adjust_cfa_offset", ".cfi_def_cfa_register", ".cfi_offset", ".cfi_rel_offset", ".cfi_val_offset",
		".cfi_register", ".cfi_restore", ".cfi_same_value", ".cfi_undefined", ".cfi_remember_state", ".cfi_restore_state", ".cfi_signal_frame",
		".cfi_return_column", ".cfi_window_save", ".cfi_llvm_def_aspace_cfa":
		return parseCFI
	}
	for i := range signedReturns {
		if signedReturns[i].name == name {
			return parseSignedReturns
		}
	}
	return nil
}

// signedReturns are directives of targets that sign return addresses.
var signedReturns = [...]struct {
	name string
	op   mc.CFIOp
}{{".cfi_b_key_frame", mc.CFIBKeyFrame}, {".cfi_mte_tagged_frame", mc.CFIMTETaggedFrame}, {".cfi_negate_ra_state", mc.CFINegateRAState},
	{".cfi_negate_ra_state_with_pc", mc.CFINegateRAStateWithPC}}

func parseSignedReturns(p *Parser, name string, at int) error {
	if !p.info.SignedReturns {
		return errOff(at, "unknown directive")
	}
	if err := p.eol(); err != nil {
		return err
	}
	for i := range signedReturns {
		if signedReturns[i].name == name && p.inFrame() {
			p.out.CFI(mc.CFI{Op: signedReturns[i].op})
		}
	}
	return nil
}

func parseCFISections(p *Parser, _ string, _ int) error {
	s := mc.FrameSections{NoEH: true}
	if !p.end() {
		for {
			n, ok := p.ident()
			if !ok {
				return p.errHere("expected .eh_frame, .debug_frame, or .sframe")
			}
			switch n {
			case ".eh_frame":
				s.NoEH = false
			case ".debug_frame":
				s.Debug = true
			case ".sframe":
				return errOff(0, ".cfi_sections .sframe: not supported")
			}
			if p.end() {
				break
			}
			if err := p.comma(); err != nil {
				return err
			}
		}
	}
	p.out.CFISections(s)
	return nil
}

func parseCFIStart(p *Parser, _ string, _ int) error {
	simple := false
	if !p.end() {
		at := p.pos
		n, ok := p.ident()
		if !ok || n != "simple" {
			p.pos = at
			return p.errHere("unexpected token")
		}
		simple = true
		if err := p.eol(); err != nil {
			return err
		}
	}
	if p.frame != 0 {
		p.mistake(p.following(), "starting new .cfi frame before finishing the previous one")
		return nil
	}
	p.frame = p.at(0)
	p.out.StartProc(simple)
	return nil
}

// following is the place of what stands behind the current statement.
func (p *Parser) following() loc {
	i := p.in.pos
	for i < len(p.in.buf.src) && p.class[p.in.buf.src[i]]&isBlank != 0 {
		i++
	}
	return p.in.buf.base + loc(i)
}

func parseCFIEnd(p *Parser, _ string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	if !p.inFrame() {
		return nil
	}
	p.frame = 0
	p.out.EndProc()
	return nil
}

// inFrame asks for an open frame.
func (p *Parser) inFrame() bool {
	if p.frame == 0 {
		p.mistake(p.at(0), "this directive must appear between .cfi_startproc and .cfi_endproc directives")
		return false
	}
	return true
}

// dwarfReg reads a register, by name or by its DWARF number.
func (p *Parser) dwarfReg() (uint32, error) {
	c := p.peek()
	at := p.pos
	if p.class[c]&isDigit == 0 && c != '-' && c != '(' {
		if p.target != nil {
			if r, end, ok := p.target.ParseRegister(p, p.text, p.pos); ok {
				p.pos = end
				if in := p.st.Info; len(in.DwarfRegs) > 0 {
					if n := in.DwarfNum(p.st.DwarfFlavour, r, true); n >= 0 {
						return uint32(n), nil
					}
				}
			}
		}
		return 0, errOff(at, "invalid register name")
	}
	v, err := p.absolute()
	return uint32(v), err
}

// validEncoding reports a pointer encoding that LLVM takes.
func validEncoding(v int64) bool {
	if v&^0xff != 0 {
		return false
	}
	if v == mc.EncOmit {
		return true
	}
	switch v & 0xf {
	case mc.EncAbsPtr, mc.EncUData2, mc.EncUData4, mc.EncUData8, mc.EncSData2, mc.EncSData4, mc.EncSData8, 8:
	default:
		return false
	}
	app := v & 0x70
	return app == mc.EncAbsPtr || app == mc.EncPCRel
}

func parseCFIPersonality(p *Parser, name string, _ int) error {
	v, err := p.absolute()
	if err != nil {
		return err
	}
	if v == mc.EncOmit {
		return nil
	}
	if !validEncoding(v) {
		return p.errHere("unsupported encoding.")
	}
	if err := p.comma(); err != nil {
		return err
	}
	n, ok := p.ident()
	if !ok {
		return p.errHere("expected identifier in directive")
	}
	if err := p.eol(); err != nil {
		return err
	}
	if !p.inFrame() {
		return nil
	}
	s := p.symbol(n)
	if name == ".cfi_lsda" {
		p.out.LSDA(s, uint8(v))
	} else {
		p.out.Personality(s, uint8(v))
	}
	return nil
}

func parseCFIEscape(p *Parser, _ string, _ int) error {
	var b []byte
	for {
		v, err := p.absolute()
		if err != nil {
			return err
		}
		b = append(b, byte(v))
		if !p.eat(',') {
			break
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if p.inFrame() {
		p.out.CFI(mc.CFI{Op: mc.CFIEscape, Bytes: string(b)})
	}
	return nil
}

func parseCFILabel(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	n, err := p.symbolName()
	if err == nil {
		err = p.eol()
	}
	if err != nil || !p.inFrame() {
		return err
	}
	p.out.CFI(mc.CFI{Op: mc.CFILabel, Label: p.symbol(n), Offset: int64(p.at(at))})
	return nil
}

// parseCFI reads the directives of registers and numbers.
func parseCFI(p *Parser, name string, _ int) error {
	c := mc.CFI{}
	var err error
	reg := func(to *uint32) {
		if err == nil {
			*to, err = p.dwarfReg()
		}
	}
	comma := func() {
		if err == nil {
			err = p.comma()
		}
	}
	num := func() {
		if err == nil {
			c.Offset, err = p.absolute()
		}
	}
	switch name {
	case ".cfi_def_cfa":
		c.Op = mc.CFIDefCfa
		reg(&c.Reg)
		comma()
		num()
	case ".cfi_llvm_def_aspace_cfa":
		c.Op = mc.CFIDefAspaceCfa
		reg(&c.Reg)
		comma()
		num()
		comma()
		if err == nil {
			var v int64
			v, err = p.absolute()
			c.Reg2 = uint32(v)
		}
	case ".cfi_def_cfa_offset":
		c.Op = mc.CFIDefCfaOffset
		num()
	case ".cfi_adjust_cfa_offset":
		c.Op = mc.CFIAdjustCfaOffset
		num()
	case ".cfi_def_cfa_register":
		c.Op = mc.CFIDefCfaRegister
		reg(&c.Reg)
	case ".cfi_offset", ".cfi_rel_offset", ".cfi_val_offset":
		c.Op = mc.CFIOffset
		if name == ".cfi_rel_offset" {
			c.Op = mc.CFIRelOffset
		} else if name == ".cfi_val_offset" {
			c.Op = mc.CFIValOffset
		}
		reg(&c.Reg)
		comma()
		num()
	case ".cfi_register":
		c.Op = mc.CFIRegister
		reg(&c.Reg)
		comma()
		reg(&c.Reg2)
	case ".cfi_restore":
		c.Op = mc.CFIRestore
		reg(&c.Reg)
	case ".cfi_same_value":
		c.Op = mc.CFISameValue
		reg(&c.Reg)
	case ".cfi_undefined":
		c.Op = mc.CFIUndefined
		reg(&c.Reg)
	case ".cfi_remember_state":
		c.Op = mc.CFIRememberState
	case ".cfi_restore_state":
		c.Op = mc.CFIRestoreState
	case ".cfi_window_save":
		c.Op = mc.CFIWindowSave
	case ".cfi_return_column":
		reg(&c.Reg)
	}
	if err == nil {
		err = p.eol()
	}
	if err != nil || !p.inFrame() {
		return err
	}
	switch name {
	case ".cfi_signal_frame":
		p.out.SignalFrame()
	case ".cfi_return_column":
		p.out.ReturnColumn(c.Reg)
	default:
		p.out.CFI(c)
	}
	return nil
}
