// Package link makes an executable of objects in memory: a position-independent
// Linux program that is linked dynamically against the C library (and
// libm, libgcc_s, libstdc++ where its symbols ask for them), without any
// toolchain.
//
// [Executable] takes [Input]s, each an mc.Object with a name, and returns the
// bytes of an ELF file, ready to be written or run from memory. Names that
// nothing defines are a [*MissingError], before anything runs.
//
// The flow of data, a file each:
//
//	symbols.go   objects' symbols meet by name: strong, weak, common, COMDAT groups
//	library.go   shared libraries are asked, by their hash tables, for what is undefined
//	builtin.go   the entry code, atexit and its like, and symbols such as __dso_handle
//	ehframe.go   call frame information of dropped functions goes; the search table
//	scan.go      each relocation says what it needs: table entries, stubs, copies
//	layout.go    output sections, their order and addresses
//	dynamic.go   what the dynamic loader reads: symbols, hash table, versions
//	relocate.go  relocations are applied
//	write.go     program headers; section headers and symbols for debuggers
//
// A segment is never writable and executable. All symbols are bound at start,
// and what only the dynamic loader writes is read-only afterwards (RELRO). Code
// may refer to data and functions of libraries directly (code that was not
// compiled with -relocation-model=pic): data is copied into the program, as
// linkers do.
//
// Not supported, and refused by name: STT_GNU_IFUNC symbols that objects
// define, absolute 32-bit addresses, addresses in code sections, .ctors.
//
// What depends on the machine stands in the objabi.ABI that the caller hands
// over; one for 64-bit ELF of either byte order, with start-up code. The package
// imports mc and objabi.
package link
