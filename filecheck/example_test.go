package filecheck_test

import (
	"fmt"

	"github.com/mirin-go/mirin/filecheck"
)

func ExampleCheck() {
	checks := []byte("; CHECK: mov [[R:e[a-d]x]], [[#N:]]\n; CHECK-NEXT: add [[R]], [[#N+1]]\n")
	for _, input := range []string{"mov ebx, 41\nadd ebx, 42\n", "mov ebx, 41\nadd ecx, 42\n"} {
		_, ok, err := filecheck.Check(filecheck.Options{}, "t.ll", checks, "<stdin>", []byte(input))
		fmt.Println(ok, err)
	}
	// Output:
	// true <nil>
	// false <nil>
}
