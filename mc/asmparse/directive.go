package asmparse

// directive finds the directives that all targets have, nil for others.
func directive(name string) func(p *Parser, name string, at int) error {
	switch name {
	case ".ascii", ".asciz", ".string":
		return parseStrings
	case ".base64":
		return parseBase64
	case ".octa":
		return parseOcta
	case ".float", ".single", ".double", ".dc.s", ".dc.d":
		return parseReals
	case ".dc.x":
		return parseRefused
	case ".dcb", ".dcb.b", ".dcb.d", ".dcb.l", ".dcb.s", ".dcb.w", ".dcb.x":
		return parseDCB
	case ".ds", ".ds.b", ".ds.d", ".ds.l", ".ds.p", ".ds.s", ".ds.w", ".ds.x":
		return parseDS
	case ".uleb128", ".sleb128":
		return parseLEB
	case ".space", ".skip", ".zero":
		return parseSpace
	case ".fill":
		return parseFill
	case ".org":
		return parseOrg
	case ".nops":
		return parseNops
	case ".align", ".align32", ".balign", ".balignl", ".balignw", ".p2align", ".p2alignl", ".p2alignw":
		return parseAlign
	case ".section", ".pushsection":
		return parseSection
	case ".text", ".data", ".bss", ".rodata", ".tdata", ".tbss", ".data.rel":
		return parsePlainSection
	case ".popsection":
		return parsePopSection
	case ".previous":
		return parsePrevious
	case ".subsection":
		return parseSubsection
	case ".set", ".equ", ".equiv":
		return parseSet
	case ".globl", ".global", ".weak", ".local", ".hidden", ".internal", ".protected", ".lazy_reference", ".no_dead_strip", ".reference",
		".symbol_resolver", ".private_extern", ".weak_definition", ".weak_reference", ".weak_def_can_be_hidden", ".cold":
		return parseSymbolAttr
	case ".extern":
		return parseIgnored
	case ".type":
		return parseType
	case ".size":
		return parseSize
	case ".comm", ".common", ".lcomm":
		return parseComm
	case ".symver":
		return parseSymver
	case ".weakref":
		return parseWeakref
	case ".ident":
		return parseIdent
	case ".version":
		return parseVersion
	case ".addrsig":
		return parseAddrsig
	case ".addrsig_sym":
		return parseAddrsigSym
	case ".cg_profile":
		return parseCGProfile
	case ".reloc":
		return parseReloc
	case ".lto_discard", ".lto_set_conditional":
		return parseLTO
	case ".memtag":
		return parseMemtag
	case ".pseudoprobe":
		return parsePseudoProbe
	case ".macro":
		return parseMacro
	case ".endm", ".endmacro":
		return parseEndMacro
	case ".exitm":
		return parseExitMacro
	case ".purgem":
		return parsePurgem
	case ".altmacro", ".noaltmacro":
		return parseAltMacro
	case ".macros_on", ".macros_off":
		return parseMacrosOn
	case ".rep", ".rept":
		return parseRept
	case ".irp":
		return parseIrp
	case ".irpc":
		return parseIrpc
	case ".endr":
		return parseEndr
	case ".include":
		return parseInclude
	case ".incbin":
		return parseIncbin
	case ".err", ".error":
		return parseErr
	case ".warning":
		return parseWarning
	case ".print":
		return parsePrint
	case ".abort":
		return parseAbort
	case ".end":
		return parseEnd
	case ".line", ".ln":
		return parseLineDirective
	case ".file":
		return parseFile
	case ".loc":
		return parseLoc
	case ".loc_label":
		return parseLocLabel
	case ".stabs":
		return parseStabs
	case ".cv_file", ".cv_func_id", ".cv_inline_site_id", ".cv_loc", ".cv_linetable", ".cv_inline_linetable", ".cv_def_range", ".cv_string", ".cv_stringtable", ".cv_filechecksums", ".cv_filechecksumoffset", ".cv_fpo_data":
		return parseCodeView
	}
	return cfiDirective(name)
}

// parseRefused is for directives that LLVM knows and refuses.
func parseRefused(_ *Parser, name string, at int) error {
	return errOff(at, "%s not currently supported for this target", name)
}

// parseStabs refuses .stabs as LLVM does.
func parseStabs(p *Parser, name string, _ int) error {
	return p.errHere("unsupported directive '%s'", name)
}

// parseIgnored reads what means nothing here.
func parseIgnored(p *Parser, _ string, _ int) error {
	p.skipRest()
	return nil
}

func parseMacrosOn(p *Parser, name string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	p.macrosOff = name == ".macros_off"
	return nil
}
