// Package tab holds BPF's generated tables: constants of opcodes, registers and register
// classes, calling conventions, and the selection table.
//
// It imports desc only.
package tab

import _ "embed"

//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-register-info --go-package tab -I .. -o zz_regs.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-instr-info --go-package tab -I .. -o zz_opcodes.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-callingconv --go-package tab -I .. -o zz_callconv.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-global-isel-table -I .. -o zz_isel.bin ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-emitter --go-package tab -I .. -o zz_encoder.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-disassembler --go-package tab -I .. -o zz_decoder.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-asm-writer --go-package tab -I .. -o zz_writer.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-asm-matcher --go-package tab -I .. -o zz_matcher.go ../BPF.td
//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-subtarget --go-package tab -I .. -o zz_subtarget.go ../BPF.td

// ISel is the selection table, made from ../BPF.td by `go generate`.
//
//go:embed zz_isel.bin
var ISel []byte
