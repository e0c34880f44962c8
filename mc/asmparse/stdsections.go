package asmparse

import "github.com/mirin-go/mirin/mc"

// standardSections are the sections that are there before anything names them, as LLVM's
// MCObjectFileInfo makes them: whoever names them must agree.
var standardSections = [...]struct {
	flags   mc.SectionFlags
	typ     mc.SectionType
	entSize uint32
	names   []string
}{
	{mc.FlagAlloc | mc.FlagExec, mc.SecProgBits, 0, []string{".text"}},
	{mc.FlagAlloc | mc.FlagWrite, mc.SecProgBits, 0, []string{".data", ".data.rel.ro"}},
	{mc.FlagAlloc | mc.FlagWrite, mc.SecNoBits, 0, []string{".bss"}},
	{mc.FlagAlloc | mc.FlagWrite | mc.FlagTLS, mc.SecProgBits, 0, []string{".tdata"}},
	{mc.FlagAlloc | mc.FlagWrite | mc.FlagTLS, mc.SecNoBits, 0, []string{".tbss"}},
	{mc.FlagAlloc, mc.SecProgBits, 0, []string{".rodata", ".eh_frame", ".gcc_except_table", ".llvm_stackmaps", ".llvm_faultmaps"}},
	{mc.FlagAlloc | mc.FlagMerge, mc.SecProgBits, 4, []string{".rodata.cst4"}},
	{mc.FlagAlloc | mc.FlagMerge, mc.SecProgBits, 8, []string{".rodata.cst8"}},
	{mc.FlagAlloc | mc.FlagMerge, mc.SecProgBits, 16, []string{".rodata.cst16"}},
	{mc.FlagAlloc | mc.FlagMerge, mc.SecProgBits, 32, []string{".rodata.cst32"}},
	{mc.FlagAlloc, mc.SecSFrame, 0, []string{".sframe"}},
	{0, mc.SecCallGraph, 0, []string{".llvm.callgraph"}},
	{0, mc.SecProgBits, 0, []string{".pseudo_probe", ".pseudo_probe_desc", ".llvm_stats", ".stack_sizes"}},
	{mc.FlagMerge | mc.FlagStrings, debugSection, 1, []string{".debug_line_str", ".debug_str"}},
	{0, debugSection, 0, []string{".debug_abbrev", ".debug_info", ".debug_line", ".debug_frame", ".debug_pubnames", ".debug_pubtypes",
		".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_loc", ".debug_aranges", ".debug_ranges", ".debug_macinfo", ".debug_macro",
		".debug_names", ".apple_names", ".apple_objc", ".apple_types", ".debug_str_offsets", ".debug_addr", ".debug_rnglists",
		".debug_loclists", ".debug_cu_index", ".debug_tu_index"}},
	{mc.FlagExclude | mc.FlagMerge | mc.FlagStrings, debugSection, 1, []string{".debug_str.dwo"}},
	{mc.FlagExclude, debugSection, 0, []string{".debug_info.dwo", ".debug_types.dwo", ".debug_abbrev.dwo", ".debug_line.dwo", ".debug_loc.dwo",
		".debug_str_offsets.dwo", ".debug_rnglists.dwo", ".debug_macinfo.dwo", ".debug_macro.dwo", ".debug_loclists.dwo"}},
}

// debugSection stands for the type of debug information, which some targets have of their own.
const debugSection = ^mc.SectionType(0)

// standardSection finds one by its name.
func (p *Parser) standardSection(name string) (mc.Section, bool) {
	for i := range standardSections {
		t := &standardSections[i]
		for _, n := range t.names {
			if n != name {
				continue
			}
			s := mc.Section{Name: name, Type: t.typ, Flags: t.flags, EntSize: t.entSize, Unique: mc.GenericSection}
			switch {
			case name == ".eh_frame":
				s.Type = p.info.EHFrameType()
			case t.typ == debugSection:
				s.Type = p.info.DebugType()
			}
			return s, true
		}
	}
	return mc.Section{}, false
}

// hasSection reports a section that the text has named, or a standard one.
func (p *Parser) hasSection(name string) bool {
	if _, ok := p.sectionIDs[sectionKey{name: name, unique: mc.GenericSection}]; ok {
		return true
	}
	for k := range p.sectionIDs {
		if k.name == name {
			return true
		}
	}
	_, ok := p.standardSection(name)
	return ok
}
