package mirtext_test

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Any target of LLVM's can be read and printed; nothing but its facts is needed.
func ExampleParse() {
	src := `
---
name: add
body: |
  bb.0:
    renamable $x10 =   ADD killed renamable $x10,killed $x11  ; into the result
    PseudoRET implicit $x10
...
`
	f, err := mirtext.Parse("add.mir", []byte(src), mirtext.ParseOptions{
		Triple: "riscv64-unknown-linux-gnu",
		Facts:  func(triple string) (*desc.Info, error) { return facts.Load(family.NameOf(triple)) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, mf := range f.Functions {
		fmt.Printf("%s", mirtext.AppendFunction(nil, mf, mirtext.PrintOptions{Simplify: true}))
	}
	// Output:
	// ---
	// name:            add
	// alignment:       1
	// noPhis:          true
	// isSSA:           true
	// noVRegs:         true
	// hasFakeUses:     false
	// frameInfo:
	//   maxAlignment:    1
	// machineFunctionInfo:
	//   varArgsFrameIndex: 0
	//   varArgsSaveSize: 0
	// body:             |
	//   bb.0:
	//     renamable $x10 = ADD killed renamable $x10, killed $x11
	//     PseudoRET implicit $x10
	// ...
}
