// Package bench measures Mirin: go test -bench . ./bench times the steps in
// this process; go run ./bench/compare times whole compilations against an
// installed llc in the same run.
package bench
