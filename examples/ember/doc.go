// Command ember compiles and runs programs in Ember, the small language of
// docs/tutorial.md: functions over 64-bit integers, if, while, print.
//
//	go run ./examples/ember examples/ember/primes.ember
//	go run ./examples/ember -ir examples/ember/primes.ember     # look at the LLVM IR
package main
