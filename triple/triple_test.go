package triple

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestLLVM holds parsing, normal form and answers to what LLVM 22 says about the
// triples of testdata/llvm.txt; testdata/llvm.cpp wrote it, and says how.
func TestLLVM(t *testing.T) {
	file := "testdata/llvm.txt"
	if f := os.Getenv("MIRIN_TRIPLES"); f != "" {
		file = f // a longer list
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad, n := 0, 0
	for line := range strings.Lines(string(b)) {
		if line[0] == '#' {
			continue
		}
		want := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		got := describe(want[0])
		n++
		for k := range got {
			if got[k] != want[k+1] && bad < 30 {
				t.Errorf("%q: %s %q, LLVM says %q", want[0], [...]string{"normal form", "parts", "answers", "versions"}[k], got[k], want[k+1])
				bad++
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d triples only", n)
	}
}

// describe writes what testdata/llvm.cpp writes.
func describe(s string) [4]string {
	t := Parse(s)
	var q []byte
	for _, x := range [...]struct {
		is bool
		c  byte
	}{{t.IsDarwin(), 'D'}, {t.IsWindows(), 'W'}, {t.IsMusl(), 'm'}, {t.IsX32(), 'x'}, {t.IsABIN32(), 'n'}, {t.IsMSVC(), 'v'},
		{t.IsPPC64ELFv2(), '2'}, {t.IsARMMClass(), 'T'}, {t.IsWatchABI(), 'k'}, {t.IsLittleEndian(), 'l'}, {t.IsELF(), 'E'}} {
		if x.is {
			q = append(q, x.c)
		}
	}
	return [4]string{Normalize(s), fmt.Sprint(t.Arch, t.SubArch, t.Vendor, t.OS, t.Env, t.Format),
		fmt.Sprintf("%d %s", t.PointerBits(), q), t.OSVersion().String() + " " + t.EnvVersion().String()}
}

func TestParts(t *testing.T) {
	x := Parse("armv7k-apple-watchos7.1-simulator-macho")
	if x.ArchName() != "armv7k" || x.VendorName() != "apple" || x.OSName() != "watchos7.1" || x.EnvName() != "simulator-macho" {
		t.Errorf("parts: %q %q %q %q", x.ArchName(), x.VendorName(), x.OSName(), x.EnvName())
	}
	if v := x.OSVersion(); v != (Version{7, 1, 0, 2}) {
		t.Errorf("version %v", v)
	}
	if y := x.WithArch("arm64"); y.String() != "arm64-apple-watchos7.1-simulator-macho" || y.Arch != AArch64 {
		t.Errorf("with another architecture: %v", y)
	}
	if !Parse("x86_64-pc-linux-gnu").Equal(Parse("amd64-pc-linux5.1-gnu")) || Parse("x86_64--linux").Equal(x) {
		t.Error("what is equal is not, or the reverse")
	}
	if got := Normalize(Normalize("x86_64-mingw32")); got != "x86_64-unknown-windows-gnu" {
		t.Errorf("normal form of a normal form: %s", got)
	}
}

func TestNormalize(t *testing.T) {
	for in, want := range map[string]string{"x86_64": "x86_64", "x86_64-linux-gnu": "x86_64-unknown-linux-gnu",
		"aarch64-none-linux-gnu": "aarch64-none-linux-gnu", "thumbv7m-none-eabi": "thumbv7m-unknown-none-eabi",
		"i386-pc-win32": "i386-pc-windows-msvc", "i686-mingw32": "i686-unknown-windows-gnu", "aarch64--": "aarch64-unknown-unknown",
		"arm-none-none-eabi": "arm-none-none-eabi", "wasm32-unknown-unknown-wasm": "wasm32-unknown-unknown-wasm",
		"powerpc64le-grtev4-linux-gnu": "powerpc64le-grtev4-linux-gnu", "riscv64-none-elf": "riscv64-unknown-none-elf",
		"x86_64-windows-itanium-elf": "x86_64-unknown-windows-itanium", "a-b-c-d-e-f": "a-b-c-d-e-f"} {
		if got := Normalize(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// TestSize: machines and modules' readers pass triples around by value.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Triple{}); n > 24 {
		t.Errorf("a Triple has %d bytes", n)
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("x86_64-linux-gnu")
	f.Add("a-b-c-d-e-f--")
	f.Fuzz(func(t *testing.T, s string) {
		Parse(s)
		Normalize(s)
	})
}

func BenchmarkParse(b *testing.B) {
	for range b.N {
		Parse("x86_64-unknown-linux-gnu")
	}
}
