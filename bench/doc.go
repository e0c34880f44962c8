// Package bench measures Mirin.
//
//	go test -run '^$' -bench . ./bench           steps in this process: MB/s, allocations
//	go run ./bench/compare -what all PROGRAM.c   start-up and all readers, against LLVM's tools
//	go run ./bench/compare FILES.ll…             compilations to objects at -O0, -O2 and -O3, likewise
//
// The benchmarks of eBPF (bpf_test.go) compile what they make themselves, in this process; llc-22's
// CPU time stands beside that of the large ones.
//
// The benchmarks of readers, printers and verifiers (read_test.go) take one
// large program in all forms: sqlite3 of the test material, compiled by an
// installed clang 22 with -O2; where one of them is absent they are skipped.
// MB/s count the text or bitcode that is read or written; of a verifier, the
// text of what it checks.
//
// bench/compare runs both tools as processes, alternating, and keeps of each the
// smallest CPU time (user and system), the smallest wall time and the smallest
// peak memory (ru_maxrss) of its runs. On a machine that does other things too,
// CPU time is the number to trust; wall time shows what several cores bring.
// The collector is left as the commands set it (GOGC unset).
package bench
