package family_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/triple"
)

// TestRows: there is a row for each of the facts' targets, found by name, and
// what rows name is in the facts.
func TestRows(t *testing.T) {
	seen := map[family.ID]bool{family.None: true}
	for _, name := range facts.Names() {
		in, err := facts.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		r := family.Of(in)
		if r.Name != name || seen[r.ID] {
			t.Errorf("%s: row %q with ID %d", name, r.Name, r.ID)
		}
		seen[r.ID] = true
		for _, n := range slices.Concat(r.Branches.Always, r.Branches.Cond) {
			if _, ok := in.OpcodeByName(n); !ok {
				t.Errorf("%s: no instruction %s", name, n)
			}
		}
		for mode := range in.Modes {
			r.FrameRegs(^family.FrameNeeds(0), mode, true, func(n string) {
				if _, ok := in.RegByName(n); !ok {
					t.Errorf("%s: no register %s", name, n)
				}
			})
		}
		// The variants that the facts were taken through have the layouts and modes that LLVM gave them.
		for k := range in.Variants {
			v := &in.Variants[k]
			of := triple.Parse(in.Str(v.Triple))
			if family.ByArch(of.Arch) != r {
				t.Errorf("%s does not serve %v", name, of)
			}
			if got := r.DataLayout(in, of, ""); got != in.Str(v.DataLayout) {
				t.Errorf("%v: layout %s, want %s", of, got, in.Str(v.DataLayout))
			}
			fs := family.Resolve(in, in.Str(v.CPU), "", in.Str(v.Features))
			if fs.NoCPU || len(fs.Unknown) > 0 {
				t.Errorf("%v: processor %s, features %v", of, in.Str(v.CPU), fs.Unknown)
			}
			if got := r.Mode(in, of, func() family.FeatureSet { return fs.FeatureSet }); got != int(v.Mode) {
				t.Errorf("%v %s %s: mode %d, want %d", of, in.Str(v.CPU), in.Str(v.Features), got, v.Mode)
			}
		}
	}
	if len(seen) != family.Count {
		t.Errorf("%d rows, %d numbers", len(seen), family.Count)
	}
}

// TestLayouts holds data layouts to those of LLVM 22: a triple, perhaps an ABI,
// and what Triple::computeDataLayout gives, a line each.
func TestLayouts(t *testing.T) {
	file := "testdata/layouts.txt"
	if f := os.Getenv("MIRIN_LAYOUTS"); f != "" {
		file = f
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bad, n := 0, 0
	for line := range strings.Lines(string(b)) {
		of, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || line[0] == '#' {
			continue
		}
		n++
		of, abi, _ := strings.Cut(of, " ")
		if got := family.DataLayout(triple.Parse(of), abi); got != want {
			if bad++; bad < 30 {
				t.Errorf("%s %s:\ngot  %s\nwant %s", of, abi, got, want)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d layouts only", n)
	}
}

func TestFind(t *testing.T) {
	for of, want := range map[string]family.ID{"x86_64-pc-linux-gnu": family.X86, "i586": family.X86, "armv7k-apple-watchos": family.ARM,
		"arm64_32": family.AArch64, "sparc64": family.Sparc, "spirv64v1.3": family.SPIRV, "bpf_be": family.BPF} {
		if r := family.ByTriple(of); r == nil || r.ID != want {
			t.Errorf("%s: %v", of, r)
		}
	}
	for of, want := range map[string]family.ID{"x86-64": family.X86, "x86": family.X86, "ppc64le": family.PowerPC, "systemz": family.SystemZ,
		"thumbv7m": family.ARM, "arm64": family.AArch64, "nvptx64": family.NVPTX, "bpf": family.BPF, "bpfeb": family.BPF} {
		if r := family.ByMarch(of); r == nil || r.ID != want {
			t.Errorf("-march=%s: %v", of, r)
		}
	}
	if r := family.ByTriple("z80"); r != nil {
		t.Errorf("z80 is %s", r.Name)
	}
	if r := family.ByName("Z80"); r.ID != family.None || r.Name != "" {
		t.Errorf("Z80 is %s", r.Name)
	}
}

// TestResolve: what features imply and what they are implied by.
func TestResolve(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	on := family.Resolve(in, "", "", "+avx2,nonsense")
	if !on.Has("avx2") || !on.Has("avx") || !on.Has("sse4.2") || on.Has("avx512f") || !slices.Equal(on.Unknown, []string{"nonsense"}) {
		t.Errorf("+avx2: %v", on)
	}
	if off := family.Resolve(in, "skylake", "", "-sse4.2"); off.Has("avx2") || off.Has("sse4.2") || !off.Has("sse4.1") {
		t.Error("skylake without sse4.2 has what needs it")
	}
	if r := family.Resolve(in, "z80", "", ""); !r.NoCPU {
		t.Error("z80 is a processor")
	}
}
