package mirverify_test

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/mir/mirverify"
)

// A virtual register that nothing defines.
func ExampleVerify() {
	src := `
---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %1:gr32 = COPY %0:gr32
    $eax = COPY %1
    RET64 implicit $eax
...
`
	f, err := mirtext.Parse("f.mir", []byte(src), mirtext.ParseOptions{
		Triple: "x86_64-unknown-linux-gnu",
		Facts:  func(string) (*desc.Info, error) { return facts.X86() },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range mirverify.Verify(f.Functions[0], mirverify.Options{}).Errors {
		fmt.Printf("%s: %s, operand %d\n", e.Func, e.Msg, e.Operand)
	}
	// Output:
	// f: Reading virtual register without a def, operand 1
}
