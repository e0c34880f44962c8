package tablegen

import (
	"os"
	"path/filepath"
	"testing"
)

// benchmarkParse reads one of the installed files again and again.
func benchmarkParse(b *testing.B, file string) {
	dir := llvmInclude(b)
	path := filepath.Join(dir, file)
	src, err := os.ReadFile(path)
	if err != nil {
		b.Skip("skipped: " + file + " is not installed")
	}
	opts := Options{IncludeDirs: []string{dir}, ReadFile: os.ReadFile}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(opts, path, src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkIntrinsics reads the descriptions of all of LLVM's intrinsics.
func BenchmarkIntrinsics(b *testing.B) { benchmarkParse(b, "llvm/IR/Intrinsics.td") }

// BenchmarkDialect reads the largest of MLIR's dialects.
func BenchmarkDialect(b *testing.B) { benchmarkParse(b, "mlir/Dialect/LLVMIR/NVVMOps.td") }
