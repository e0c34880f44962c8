package irtext_test

import (
	"fmt"

	"github.com/mirin-go/mirin/ir/irtext"
)

// A module is read, and printed in canonical form.
func ExampleParse() {
	m, err := irtext.Parse("max.ll", []byte(`
define i32 @max(i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b   ; comments go
  %r = select i1 %less, i32 %b,
                        i32 %a
  ret i32 %r
}
`), irtext.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", irtext.AppendModule(nil, m))
	// Output:
	// ; ModuleID = 'max.ll'
	// source_filename = "max.ll"
	//
	// define i32 @max(i32 %a, i32 %b) {
	//   %less = icmp slt i32 %a, %b
	//   %r = select i1 %less, i32 %b, i32 %a
	//   ret i32 %r
	// }
}

// Errors say where, in LLVM's words.
func ExampleParse_error() {
	_, err := irtext.Parse("bad.ll", []byte("define i32 @f(i32 %x) {\n  ret i64 %x\n}\n"), irtext.Options{})
	fmt.Println(err)
	// Output: bad.ll:2:11: error: '%x' defined with type 'i32' but expected 'i64'
}
