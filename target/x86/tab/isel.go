package tab

import _ "embed"

// ISel is the selection table, made from ../X86.td by `go generate`.
//
//go:embed zz_isel.bin
var ISel []byte
