// Package mirupgrade brings MIR of LLVM's older editions to today's form, as
// text: comments and layout stay.
//
// [Upgrade] rewrites a file line by line (upgrade.go: what holds for every
// target; irtext.go: pointers with types; x86.go: instructions that have other
// names today) and reads the result with mirtext: what remains in the old form
// is an error at its place.
//
// The older editions are those of LLVM 3.7 to 9:
//
//   - physical registers are %eax, none is _ or %noreg; today $eax, $noreg;
//   - a sub-register stands behind a colon, %0:sub_8bit; today %0.sub_8bit;
//   - memory operands have sizes, (load 4 from %ir.x); today types, (load (s32) from %ir.x);
//   - alignments of functions and blocks are logarithms; today bytes;
//   - some keys were dropped since, and some instructions have more operands.
//
// It imports mir/mirtext, desc, desc/family, diag and support/lazyregexp.
package mirupgrade
