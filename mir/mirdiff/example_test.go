package mirdiff_test

import (
	"fmt"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir/mirdiff"
	"github.com/mirin-go/mirin/mir/mirtext"
)

func parse(name, body string) *mirtext.File {
	f, err := mirtext.Parse(name, []byte("---\nname: f\nbody: |\n  bb.0:\n    liveins: $edi\n"+body+"...\n"), mirtext.ParseOptions{
		Triple: "x86_64-unknown-linux-gnu",
		Facts:  func(string) (*desc.Info, error) { return facts.X86() },
	})
	if err != nil {
		panic(err)
	}
	return f
}

// Other numbers of registers are no difference, another opcode is.
func ExampleFiles() {
	a := parse("a.mir", "    %0:gr32 = COPY $edi\n    %1:gr32 = ADD32rr %0, %0, implicit-def dead $eflags\n    $eax = COPY %1\n    RET64 implicit $eax\n")
	b := parse("b.mir", "    %7:gr32 = COPY $edi\n    %3:gr32 = ADD32rr %7, %7, implicit-def dead $eflags\n    $eax = COPY %3\n    RET64 implicit $eax\n")
	c := parse("c.mir", "    %7:gr32 = COPY $edi\n    %3:gr32 = SUB32rr %7, %7, implicit-def dead $eflags\n    $eax = COPY %3\n    RET64 implicit $eax\n")
	fmt.Println(mirdiff.Files("a.mir", "b.mir", a, b, mirdiff.Options{}).Equal())
	r := mirdiff.Files("a.mir", "c.mir", a, c, mirdiff.Options{})
	fmt.Println(r.Equal(), r.Changed)
	fmt.Printf("%s", r.Text)
	// Output:
	// true
	// false 1
	// --- a.mir
	// +++ c.mir
	// @@ -15 +15 @@ f bb.0
	// -    %1:gr32 = ADD32rr %0, %0, implicit-def dead $eflags
	// +    %1:gr32 = SUB32rr %0, %0, implicit-def dead $eflags
}
