package elfabi

import "encoding/binary"

// stubSize is the size of the code that putStub makes, in bytes.
const stubSize = 8

// putStub writes a jump through the word that lies slot bytes behind the start
// of the jump.
func putStub(b []byte, slot int64) bool {
	if disp := slot - 6; disp == int64(int32(disp)) {
		copy(b, []byte{0xff, 0x25, 0, 0, 0, 0, 0x66, 0x90}) // jmp *disp(%rip); xchg %ax, %ax
		binary.LittleEndian.PutUint32(b[2:], uint32(disp))
		return true
	}
	return false
}

// isBranch reports whether the 32-bit displacement at code[at:] belongs to a
// direct call or jump.
func isBranch(code []byte, at uint64) bool {
	switch {
	case at >= 1 && (code[at-1] == 0xe8 || code[at-1] == 0xe9):
		return true
	case at >= 2 && code[at-2] == 0x0f && code[at-1]&0xf0 == 0x80:
		return true // jcc
	}
	return false
}

// canRelax reports whether the instruction with the displacement of a relaxable
// relocation at code[at:] has a form that reaches its symbol without the table.
func canRelax(code []byte, at uint64, addend int64) bool {
	if at < 2 || addend != -4 || at+4 > uint64(len(code)) {
		return false
	}
	switch code[at-2] {
	case 0x8b: // mov symbol@GOTPCREL(%rip), %reg
		return true
	case 0xff: // call or jmp *symbol@GOTPCREL(%rip)
		return code[at-1] == 0x15 || code[at-1] == 0x25
	}
	return false
}

// relax changes such an instruction. Its displacement is then, at the place
// that relax returns, symbol - end of the place as for PC32 with addend -4.
func relax(code []byte, at uint64) uint64 {
	switch {
	case code[at-2] == 0x8b:
		code[at-2] = 0x8d // lea symbol(%rip), %reg
	case code[at-1] == 0x15:
		code[at-2], code[at-1] = 0x67, 0xe8 // addr32 call symbol
	default:
		code[at-2], code[at+3] = 0xe9, 0x90 // jmp symbol; nop
		return at - 1
	}
	return at
}
