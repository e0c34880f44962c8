package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	object := flag.String("object", "/tmp/llvmfacts-build/AArch64AsmParser.cpp.o", "object file of LLVM's parser")
	base := flag.String("base", "/tmp/llvmfacts-build/AArch64BaseInfo.cpp.o", "object file of LLVM's names of system registers")
	header := flag.String("header", "/usr/lib/llvm-22/include/llvm/TargetParser/AArch64TargetParserDef.inc", "LLVM's header of architectures")
	ask := flag.String("ask", "/tmp/llvmfacts-build/llvmaskasm", "program that answers")
	out := flag.String("o", "", "file to write")
	verbose := flag.Bool("v", false, "tell what has no rule")
	flag.Parse()
	if err := run(*object, *base, *header, *ask, *out, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "asmtables:", err)
		os.Exit(1)
	}
}
