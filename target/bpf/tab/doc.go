// Package tab holds BPF's generated tables: constants of opcodes, registers and register
// classes, calling conventions, and the selection table.
//
// It imports desc only.
package tab

import _ "embed"

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-register-info --facts BPF --go-package tab -o zz_regs.go
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-instr-info --facts BPF --go-package tab -o zz_opcodes.go
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-callingconv --facts BPF --go-package tab -o zz_callconv.go ../BPFCallingConv.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-global-isel-table --facts BPF -I .. -o zz_isel.bin ../BPF.td

// ISel is the selection table, made from ../BPF.td by `go generate`.
//
//go:embed zz_isel.bin
var ISel []byte
