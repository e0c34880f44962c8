package desc

// AsmTable holds the assembly syntax of opcodes.
type AsmTable struct {
	Variants int      // 2 on x86: 0 is AT&T, 1 is Intel
	Blob     string   // the templates' text
	Refs     []uint32 // [op*Variants+variant]: offset<<8 | length; 0 when none
}
