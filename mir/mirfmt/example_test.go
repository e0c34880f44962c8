package mirfmt_test

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir/mirfmt"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Comments stay, spacing and order become canonical.
func ExampleFormat() {
	out, err := mirfmt.Format("f.mir", []byte(`# what f does
---
body: |
  bb.0:
    $eax =    MOV32ri 1      ; one
    RET64  implicit   $eax
name:    f
...
`), mirfmt.Options{Simplify: true, Parse: mirtext.ParseOptions{
		Triple: "x86_64-unknown-linux-gnu",
		Facts:  func(string) (*desc.Info, error) { return facts.X86() },
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", out)
	// Output:
	// # what f does
	// ---
	// name:            f
	// alignment:       1
	// noPhis:          true
	// isSSA:           true
	// noVRegs:         true
	// hasFakeUses:     false
	// frameInfo:
	//   maxAlignment:    1
	// machineFunctionInfo:
	//   amxProgModel:    None
	// body:             |
	//   bb.0:
	//     $eax = MOV32ri 1 ; one
	//     RET64 implicit $eax
	// ...
}
