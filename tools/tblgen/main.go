// Command tblgen is mirin tblgen alone, without the targets whose tables it
// writes, for the go:generate lines of this module:
//
//	//go:generate go run github.com/mirin-go/mirin/tools/tblgen --gen-go-callingconv --facts X86 --go-package tab X86CallingConv.td -o tab/zz_callconv.go
package main

import (
	"os"

	"github.com/mirin-go/mirin/tablegen/tblgen"
)

func main() { os.Exit(tblgen.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
