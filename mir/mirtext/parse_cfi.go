package mirtext

import (
	"strconv"

	"github.com/mirin-go/mirin/mir"
)

func cfiKind(s string) (v mir.CFIKind, ok bool) {
	switch s {
	case "same_value":
		return mir.CFISameValue, true
	case "remember_state":
		return mir.CFIRememberState, true
	case "restore_state":
		return mir.CFIRestoreState, true
	case "offset":
		return mir.CFIOffset, true
	case "def_cfa_register":
		return mir.CFIDefCfaRegister, true
	case "def_cfa_offset":
		return mir.CFIDefCfaOffset, true
	case "def_cfa":
		return mir.CFIDefCfa, true
	case "llvm_def_aspace_cfa":
		return mir.CFILLVMDefAspaceCfa, true
	case "rel_offset":
		return mir.CFIRelOffset, true
	case "adjust_cfa_offset":
		return mir.CFIAdjustCfaOffset, true
	case "escape":
		return mir.CFIEscape, true
	case "restore":
		return mir.CFIRestore, true
	case "undefined":
		return mir.CFIUndefined, true
	case "register":
		return mir.CFIRegister, true
	case "window_save":
		return mir.CFIWindowSave, true
	case "negate_ra_sign_state":
		return mir.CFINegateRAState, true
	case "negate_ra_sign_state_with_pc":
		return mir.CFINegateRAStateWithPC, true
	case "val_offset":
		return mir.CFIValOffset, true
	}
	return v, false
}

func (p *miParser) cfiReg() uint32 {
	if p.tok != tPhysReg {
		p.error("expected a cfi register")
		return 0
	}
	r, ok := p.in.RegByName(p.text)
	if !ok {
		p.error("unknown register name '" + p.text + "'")
		return 0
	}
	n := -1
	if len(p.in.DwarfRegs) > 0 {
		n = p.in.DwarfNum(dwarfFlavour(p.f), r, true)
	}
	if n < 0 {
		p.error("invalid DWARF register")
		return 0
	}
	p.next()
	return uint32(n)
}

func (p *miParser) cfiOffset() int64 {
	if p.tok != tInt {
		p.error("expected a cfi offset")
		return 0
	}
	v, err := strconv.ParseInt(p.text, 10, 32)
	if err != nil {
		p.error("expected a 32 bit integer (the cfi offset is too large)")
		return 0
	}
	p.next()
	return v
}

func (p *miParser) cfi(k mir.CFIKind) {
	p.next()
	c := mir.CFI{Kind: k}
	switch k {
	case mir.CFISameValue, mir.CFIDefCfaRegister, mir.CFIRestore, mir.CFIUndefined:
		c.Reg = p.cfiReg()
	case mir.CFIOffset, mir.CFIDefCfa, mir.CFIRelOffset, mir.CFIValOffset, mir.CFILLVMDefAspaceCfa:
		c.Reg = p.cfiReg()
		if !p.ok() || !p.expect(',') {
			return
		}
		c.Offset = p.cfiOffset()
		if k == mir.CFILLVMDefAspaceCfa && p.ok() && p.expect(',') {
			v, _ := p.unsigned("expected a cfi address space literal")
			c.AddrSpace = uint32(v)
		}
	case mir.CFIDefCfaOffset, mir.CFIAdjustCfaOffset:
		c.Offset = p.cfiOffset()
	case mir.CFIRegister:
		c.Reg = p.cfiReg()
		if !p.ok() || !p.expect(',') {
			return
		}
		c.Reg2 = p.cfiReg()
	case mir.CFIEscape:
		var b []byte
		for {
			if p.tok != tHex {
				p.error("expected a hexadecimal literal")
				return
			}
			v, err := strconv.ParseUint(p.text[2:], 16, 8)
			if err != nil {
				p.error("expected a 8-bit integer (too large)")
				return
			}
			p.next()
			b = append(b, byte(v))
			if !p.eat(',') {
				break
			}
		}
		c.Bytes = string(b)
	}
	if p.ok() {
		p.push(p.f.AddCFI(c))
	}
}
