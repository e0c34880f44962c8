// Package llvmflag reads command lines by LLVM's conventions: one or two
// dashes, -name=value or -name value, joined values (-O2), flags before and
// after file names, "-" as a file name, "--" as the end of flags, and LLVM's
// words for every fault.
//
// A [Set] binds flags to variables of the caller; [Set.Parse] fills them and
// leaves the positional arguments in Args. There is no global state. It
// imports internal/textdiff only.
package llvmflag
