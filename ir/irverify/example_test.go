package irverify_test

import (
	"fmt"

	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// What the reader accepts may still mean nothing; the verifier says so.
func ExampleModule() {
	m, err := irtext.Parse("f.ll", []byte(`
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x = add i32 1, 2
  br label %b
b:
  ret i32 %x
}
`), irtext.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(irverify.Module(m))
	// Output:
	// Instruction does not dominate all uses!
	//   %x = add i32 1, 2
	//   ret i32 %x
}
