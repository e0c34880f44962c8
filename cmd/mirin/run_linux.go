//go:build linux && amd64

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/mirin-go/mirin/link"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/all"
	"golang.org/x/sys/unix"
)

// startProgram links a program and runs it. With the streams of this process
// the program takes the place of this process, so that process number, signals
// and exit status are its own; else it is a child.
func startProgram(obj *mc.Object, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	b, err := link.Executable(all.ABI(&obj.Machine), []link.Input{{Name: args[0], Object: obj}}, &link.Options{Strip: true})
	if err != nil {
		return 1, err
	}
	if stdin == os.Stdin && ownStdout(stdout) && stderr == os.Stderr {
		// It only comes back where there is no memfd_create or no /proc.
		replaceProcess(b, args)
	}
	return runChild(b, args, stdin, stdout, stderr)
}

// replaceProcess executes a program from memory.
func replaceProcess(b []byte, args []string) {
	fd, err := unix.MemfdCreate("mirin", unix.MFD_CLOEXEC)
	if err != nil {
		return
	}
	f := os.NewFile(uintptr(fd), "mirin")
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		return
	}
	syscall.Exec("/proc/self/fd/"+strconv.Itoa(fd), args, os.Environ())
}

// runChild runs a program from a temporary file and gives its exit status, 128
// and the number for a signal, as a shell does.
func runChild(b []byte, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	f, err := os.CreateTemp("", "mirin-run-*")
	if err != nil {
		return 1, err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(0o700), f.Close())
	if err != nil {
		return 1, err
	}
	cmd := exec.Command(f.Name())
	cmd.Args, cmd.Stdin, cmd.Stdout, cmd.Stderr = args, stdin, stdout, stderr
	cmd.Dir = inWorkDir(stdout, ".")
	err = cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return 1, fmt.Errorf("the compiled program does not start: %w", err)
		}
		return 0, nil
	}
	if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal()), nil
	}
	return exit.ExitCode(), nil
}

// ownStdout reports whether w is this process's standard output.
func ownStdout(w io.Writer) bool {
	f, ok := fileOf(w)
	return ok && f == os.Stdout
}
