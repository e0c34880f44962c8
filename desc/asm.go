package desc

// AsmTable holds the assembly syntax of opcodes.
type AsmTable struct {
	Variants int      // 2 on x86: 0 is AT&T, 1 is Intel
	Blob     string   // the templates' text
	Refs     []uint32 // [op*Variants+variant]: offset<<8 | length; 0 when none
}

// SetAsm installs the function that gives the assembly table, called when text
// is first wanted. It must be safe to call from several goroutines.
func (in *Info) SetAsm(f func() *AsmTable) { in.asm = f }

// AsmTemplate gives the assembly template of an opcode; ok is false when there
// is none. Package facts documents the language.
func (in *Info) AsmTemplate(op Opcode, variant int) (text string, ok bool) {
	if in.asm == nil {
		return "", false
	}
	t := in.asm()
	if t == nil || variant >= t.Variants {
		return "", false
	}
	ref := t.Refs[int(op)*t.Variants+variant]
	if ref == 0 {
		return "", false
	}
	return t.Blob[ref>>8 : ref>>8+ref&0xff], true
}
