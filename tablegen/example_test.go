package tablegen_test

import (
	"fmt"

	"github.com/mirin-go/mirin/tablegen"
)

// A file is read and its records of a class looked at.
func ExampleParse() {
	rs, err := tablegen.Parse(tablegen.Options{}, "regs.td", []byte(`
class Reg<int n> {
  string Name = "r" # n;
  int Cost = !if(!lt(n, 2), 1, 3);
}
foreach i = 0...3 in
  def R#i : Reg<i>;
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rs.DerivedFrom("Reg") {
		fmt.Println(r.Name, r.String("Name"), r.Int("Cost"))
	}
	// Output:
	// R0 r0 1
	// R1 r1 1
	// R2 r2 3
	// R3 r3 3
}

// Errors carry their place.
func ExampleParse_error() {
	_, err := tablegen.Parse(tablegen.Options{}, "t.td", []byte("class A<bits<2> x>;\ndef a : A<9>;\n"))
	fmt.Println(err)
	// Output: t.td:2:11: error: Value specified for template argument 'A:x' is of type int; expected type bits<2>: 9
}
