package rows

import (
	"fmt"
	"slices"
	"testing"
)

// used returns length rows of 7 in memory for room rows, all of them written.
func used(length, room int) []int {
	s := make([]int, room)
	for k := range s {
		s[k] = 7
	}
	return s[:length]
}

func TestRows(t *testing.T) {
	for _, x := range []struct {
		name string
		f    func([]int, int) []int
		s    []int
		n    int
		want []int
		kept bool // the memory of s
	}{
		{"Zeroed", Zeroed[int], nil, 0, nil, false},
		{"Zeroed", Zeroed[int], nil, 3, []int{0, 0, 0}, false},
		{"Zeroed", Zeroed[int], used(2, 2), 3, []int{0, 0, 0}, false},
		{"Zeroed", Zeroed[int], used(1, 4), 3, []int{0, 0, 0}, true},
		{"Zeroed", Zeroed[int], used(4, 4), 2, []int{0, 0}, true},
		{"Zeroed", Zeroed[int], used(4, 4), 0, nil, false},
		{"Sized", Sized[int], nil, 2, []int{0, 0}, false},
		{"Sized", Sized[int], used(2, 2), 3, []int{0, 0, 0}, false},
		{"Sized", Sized[int], used(1, 4), 3, []int{7, 7, 7}, true},
		{"Sized", Sized[int], used(4, 4), 2, []int{7, 7}, true},
		{"AtLeast", AtLeast[int], nil, 2, []int{0, 0}, false},
		{"AtLeast", AtLeast[int], used(2, 2), 3, []int{7, 7, 0}, false},
		{"AtLeast", AtLeast[int], used(1, 4), 3, []int{7, 0, 0}, true},
		{"AtLeast", AtLeast[int], used(3, 4), 2, []int{7, 7, 7}, true},
	} {
		got := x.f(x.s, x.n)
		if !slices.Equal(got, x.want) {
			t.Errorf("%s of %d rows in memory for %d, %d wanted: %v, want %v", x.name, len(x.s), cap(x.s), x.n, got, x.want)
		}
		if x.kept && &got[0] != &x.s[0] {
			t.Errorf("%s of %d rows in memory for %d, %d wanted: in other memory", x.name, len(x.s), cap(x.s), x.n)
		}
	}
}

func TestSpare(t *testing.T) {
	for _, s := range [][]int{Zeroed[int](nil, 100), Sized[int](nil, 100)} {
		if cap(s) < 125 {
			t.Errorf("100 rows have memory for %d", cap(s))
		}
	}
}

func ExampleZeroed() {
	var depth []int // by block
	for _, blocks := range []int{3, 2} {
		depth = Zeroed(depth, blocks)
		depth[0] = 1
		fmt.Println(depth)
	}
	// Output:
	// [1 0 0]
	// [1 0]
}

func ExampleAtLeast() {
	stamps := []int{4, 5} // by register
	stamps = AtLeast(stamps, 4)
	fmt.Println(stamps)
	// Output: [4 5 0 0]
}
