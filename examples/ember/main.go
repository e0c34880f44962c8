package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/mirin-go/mirin"
	"github.com/mirin-go/mirin/ir/irtext"
)

func main() {
	showIR := flag.Bool("ir", false, "print LLVM IR instead of running the program")
	asm := flag.Bool("S", false, "print assembly instead of running the program")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: ember [-ir | -S] program.ember")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *showIR, *asm); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string, showIR, asm bool) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := Compile(file, string(src))
	if err != nil {
		return err
	}
	switch {
	case showIR:
		_, err = os.Stdout.Write(irtext.AppendModule(nil, m))
		return err
	case asm:
		text, err := mirin.Assembly(m, nil)
		if err == nil {
			_, err = os.Stdout.Write(text)
		}
		return err
	}
	p, err := mirin.Load(m, &mirin.Options{Symbols: map[string]any{"print": func(n int64) { fmt.Println(n) }}})
	if err != nil {
		return err
	}
	defer p.Close()
	var start func() int64
	if err := p.Func("main", &start); err != nil {
		return err
	}
	start()
	return nil
}
