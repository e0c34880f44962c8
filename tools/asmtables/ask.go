package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// asker is the process that answers (tools/llvmfacts/askasm.cpp).
type asker struct {
	in  io.WriteCloser
	out *bufio.Reader
}

func startAsker(path string, classes, sets int) (*asker, error) {
	cmd := exec.Command(path, strconv.Itoa(classes), strconv.Itoa(sets))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &asker{in, bufio.NewReaderSize(out, 1<<20)}, cmd.Start()
}

// ask puts one question and gives the lines of the answer.
func (a *asker) ask(format string, args ...any) ([]string, error) {
	q := fmt.Sprintf(format, args...)
	if _, err := io.WriteString(a.in, q+"\n"); err != nil {
		return nil, fmt.Errorf("%q: %w", q, err)
	}
	var lines []string
	for {
		l, err := a.out.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("%q: %w", q, err)
		}
		if l = strings.TrimSuffix(l, "\n"); l == "." {
			return lines, nil
		}
		lines = append(lines, l)
	}
}
