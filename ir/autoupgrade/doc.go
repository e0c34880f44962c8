// Package autoupgrade turns what older LLVMs wrote into what LLVM 22 writes:
// renamed and changed intrinsics and the calls of them, llvm.dbg.* calls into
// debug records, data layout strings, module flags, metadata. Readers of text
// and bitcode run it over the module that they have read.
//
// [Module] does all of it. It changes the module in place: declarations are
// added, removed and renamed, call sites are replaced.
package autoupgrade
