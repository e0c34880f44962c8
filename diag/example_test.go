package diag_test

import (
	"fmt"

	"github.com/mirin-go/mirin/diag"
)

func ExampleAt() {
	src := []byte("one\ntwo thee\n")
	d := diag.At("words.txt", src, 8, "expected 'three'")
	fmt.Println(d)
	fmt.Printf("%s", d.AppendText(nil))
	// Output:
	// words.txt:2:5: error: expected 'three'
	// words.txt:2:5: error: expected 'three'
	// two thee
	//     ^
}
