//go:build (linux || darwin) && (amd64 || arm64) && !nojit

package jit

import "syscall"

// mapMemory returns n fresh zero bytes that can be read and written.
func mapMemory(n int) ([]byte, error) {
	return syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

// protect makes whole pages of b executable or read-only.
func protect(b []byte, exec bool) error {
	if len(b) == 0 {
		return nil
	}
	prot := syscall.PROT_READ
	if exec {
		prot |= syscall.PROT_EXEC
	}
	return syscall.Mprotect(b, prot)
}

func unmapMemory(b []byte) error { return syscall.Munmap(b) }
