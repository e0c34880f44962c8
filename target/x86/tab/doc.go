// Package tab holds x86's generated tables: constants of opcodes, registers,
// register classes, banks and sub-register indices, equal to the facts.
//
// It imports desc only.
package tab

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-register-info --facts X86 --go-package tab -o zz_regs.go
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-instr-info --facts X86 --go-package tab -o zz_opcodes.go
