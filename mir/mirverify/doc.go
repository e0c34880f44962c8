// Package mirverify checks machine functions as LLVM's machine verifier does
// and reports faults in its words.
//
// Package mirverify imports mir, mir/mirtext, desc and ir.
package mirverify
