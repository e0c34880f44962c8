package bitcode_test

import (
	"fmt"

	"github.com/mirin-go/mirin/ir/bitcode"
	"github.com/mirin-go/mirin/ir/irtext"
)

// Text to bitcode and back.
func ExampleAppend() {
	m, err := irtext.Parse("seven.ll", []byte("define i32 @seven() {\n  ret i32 7\n}\n"), irtext.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	bc, err := bitcode.Append(nil, m, bitcode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q %v\n", bc[:2], bitcode.IsBitcode(bc))
	back, err := bitcode.Read("seven.bc", bc, bitcode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", irtext.AppendModule(nil, back))
	// Output:
	// "BC" true
	// ; ModuleID = 'seven.bc'
	// source_filename = "seven.ll"
	//
	// define i32 @seven() {
	//   ret i32 7
	// }
}
