//go:build !nojit

package jit

import (
	"os"
	"syscall"
	"unsafe"
)

// mapMemory returns n fresh zero bytes that can be read and written.
func mapMemory(n int) ([]byte, error) {
	n = (n + pageSize - 1) &^ (pageSize - 1)
	p, err := reserve(uintptr(n))
	if err != nil {
		return nil, err
	}
	if err := open(p, uintptr(n)); err != nil {
		release(p, uintptr(n))
		return nil, err
	}
	return unsafe.Slice(at[byte](p), n), nil
}

// mapAligned is mapMemory at a multiple of align, a power of two.
func mapAligned(n, align int) ([]byte, error) {
	if align <= pageSize {
		return mapMemory(n)
	}
	p, err := reserve(uintptr(n + align))
	if err != nil {
		return nil, err
	}
	lo := (p + uintptr(align) - 1) &^ uintptr(align-1)
	release(p, lo-p)
	release(lo+uintptr(n), p+uintptr(align)-lo)
	if err := open(lo, uintptr(n)); err != nil {
		return nil, err
	}
	return unsafe.Slice(at[byte](lo), n), nil
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

// unmapMemory gives back what mapMemory or mapAligned took.
func unmapMemory(b []byte) error {
	release(uintptr(unsafe.Pointer(&b[0])), uintptr(cap(b)))
	return nil
}

// reserve takes n bytes of the address space that nothing may touch yet.
func reserve(n uintptr) (uintptr, error) {
	const flags = syscall.MAP_ANON | syscall.MAP_PRIVATE | syscall.MAP_NORESERVE
	p, _, e := syscall.Syscall6(syscall.SYS_MMAP, 0, n, syscall.PROT_NONE, flags, ^uintptr(0), 0)
	if e != 0 {
		return 0, os.NewSyscallError("mmap", e)
	}
	return p, nil
}

// release gives n bytes at p back, which reserve or mapMemory took.
func release(p, n uintptr) {
	if n != 0 {
		syscall.Syscall(syscall.SYS_MUNMAP, p, n, 0)
	}
}

// open makes n bytes of what was reserved at p readable and writable; shut
// makes them what they were, and their memory the system's.
func open(p, n uintptr) error {
	if _, _, e := syscall.Syscall(syscall.SYS_MPROTECT, p, n, syscall.PROT_READ|syscall.PROT_WRITE); e != 0 {
		return os.NewSyscallError("mprotect", e)
	}
	return nil
}

func shut(p, n uintptr) {
	const flags = syscall.MAP_ANON | syscall.MAP_PRIVATE | syscall.MAP_NORESERVE | syscall.MAP_FIXED
	syscall.Syscall6(syscall.SYS_MMAP, p, n, syscall.PROT_NONE, flags, ^uintptr(0), 0)
}

// at is the memory at an address that this package mapped.
func at[T any](addr uintptr) *T { return *(**T)(unsafe.Pointer(&addr)) }
