// Command scaling counts the work of each pass over inputs of two sizes, the
// second twice the first, and says where it grows faster than the input (see
// internal/scaling, whose test runs it). It must be built with counters:
//
//	go run -cover -covermode=atomic -coverpkg=... ./tools/scaling -x 100 -run O2/phi
//
// with the packages that internal/scaling counts (its BuildFlags); -source needs none. It exits with status 1 when
// something grows too fast.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/mirin-go/mirin/internal/scaling"
)

func main() {
	scale := flag.Int("x", 1, "multiply the sizes")
	run := flag.String("run", "", "shapes to measure, by a regular expression over names like O2/phis")
	verbose := flag.Bool("v", false, "print every figure")
	source := flag.String("source", "", "print the IR of this shape, at size -x, and stop")
	flag.Parse()
	if *source != "" {
		text, ok := scaling.Source(*source, *scale)
		if !ok {
			fmt.Fprintln(os.Stderr, "scaling: no shape is called", *source)
			os.Exit(2)
		}
		fmt.Print(text)
		return
	}
	names, err := regexp.Compile(*run)
	if err != nil {
		fmt.Fprintln(os.Stderr, "scaling:", err)
		os.Exit(2)
	}
	if n := scaling.Suite(os.Stdout, names, *scale, *verbose); n > 0 {
		fmt.Printf("%d figures grow faster than %.1f for twice the input\n", n, scaling.Most)
		os.Exit(1)
	}
}
