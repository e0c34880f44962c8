package interp_test

import (
	"fmt"

	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir/irtext"
)

const indexing = `
@table = constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]

define i32 @at(i64 %i) {
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
`

// A function is called; undefined behaviour is an error that says where.
func ExampleInterp_Call() {
	m, err := irtext.Parse("at.ll", []byte(indexing), irtext.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	vm, err := interp.New(m, interp.Options{Fuel: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range []uint64{2, 4} {
		r, err := vm.Call("at", interp.Value{Bits: i})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r[0].Bits)
	}
	// Output:
	// 30
	// undefined behaviour: out of bounds: load from 4 bytes at offset 16 of a global @table of 16 bytes
	//   in @at, block %0
	//   %v = load i32, ptr %p, align 4
}
