package autoupgrade_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// TestWrongTypes declares and calls every name that this package knows, each
// with several types that are not the intrinsic's: it must be left, upgraded or
// refused, never a panic.
func TestWrongTypes(t *testing.T) {
	files, _ := filepath.Glob("*.go")
	word := regexp.MustCompile(`"([a-z][a-z0-9_]*[a-z0-9_.]*)"`)
	seen := map[string]bool{}
	var names []string
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range word.FindAllStringSubmatch(string(src), -1) {
			s := strings.TrimPrefix(m[1], "llvm.")
			for _, p := range []string{"", "x86.", "x86.avx512.", "x86.avx512.mask.", "x86.sse2.", "x86.avx2.", "x86.xop.", "arm.", "arm.neon.", "aarch64.", "aarch64.neon.", "aarch64.sve.", "nvvm.", "amdgcn.", "vector.", "experimental.vector.", "riscv."} {
				add(p + s)
				if strings.HasSuffix(s, ".") {
					for _, e := range []string{"d", "512", "ps.512", "v4i32", "nxv4i32", "i32", "p0", "2"} {
						add(p + s + e)
					}
				}
			}
		}
	}
	for _, n := range autoupgrade.TableNames() {
		for _, w := range []string{".128", ".512"} {
			add("x86." + n + w)
		}
	}
	if len(names) < 1000 {
		t.Fatalf("only %d names", len(names))
	}
	rnd := rand.New(rand.NewSource(1))
	types := strings.Split("i1|i8|i16|i32|i64|i128|half|bfloat|float|double|fp128|x86_fp80|ptr|ptr addrspace(1)|<4 x i32>|<16 x i8>|<2 x i64>|<1 x i64>|<8 x float>|<2 x double>|<16 x float>|<3 x i7>|<vscale x 4 x i32>|<vscale x 16 x i1>|{ i32, i32 }|{ <4 x float>, i8 }|[3 x i8]|<4 x ptr>|metadata|token|x86_amx", "|")
	typ := func() string { return types[rnd.Intn(len(types))] }
	rounds := 3
	if testing.Short() {
		rounds = 2
	}
	read, failed := 0, map[string]bool{}
	for range rounds {
		for at := 0; at < len(names); {
			var b strings.Builder
			b.WriteString("target datalayout = \"e-p:64:64\"\n")
			for k := 0; k < 1 && at < len(names); k++ {
				n := names[at]
				at++
				ret := typ()
				if rnd.Intn(4) == 0 || ret == "metadata" {
					ret = "void"
				}
				var params, args []string
				for range rnd.Intn(7) {
					p := typ()
					if len(params) > 0 && rnd.Intn(2) == 0 {
						p = params[0] // same types are common
					}
					params = append(params, p)
					a := p + " poison"
					switch {
					case p == "metadata":
						a = "metadata !0"
					case p == "token":
						a = "token none"
					case strings.HasPrefix(p, "i") && rnd.Intn(2) == 0:
						a = fmt.Sprintf("%s %d", p, rnd.Intn(2))
					}
					args = append(args, a)
				}
				if rnd.Intn(3) == 0 && len(params) > 0 && params[0] != "metadata" {
					ret = params[0]
				}
				fmt.Fprintf(&b, "declare %s @llvm.%s(%s)\ndefine void @f%d() {\n  call %s @llvm.%[2]s(%[6]s)\n  ret void\n}\n", ret, n, strings.Join(params, ", "), k, ret, strings.Join(args, ", "))
			}
			b.WriteString("!0 = !{}\n")
			src := b.String()
			func() {
				defer func() {
					if r := recover(); r != nil {
						where := ""
						for _, l := range strings.Split(string(debug.Stack()), "\n") {
							if strings.Contains(l, "/ir/") && !strings.Contains(l, "_test.go") && strings.HasPrefix(l, "\t") && !strings.Contains(l, "autoupgrade/call.go") {
								where = strings.TrimSpace(l)
								break
							}
						}
						if where, _, _ = strings.Cut(where, " "); !failed[where] {
							failed[where] = true
							t.Errorf("%s: panic: %v\n%s", where, r, src)
						}
					}
				}()
				m, err := irtext.Parse("wrong", []byte(src), irtext.Options{Jobs: 1})
				if err != nil {
					return
				}
				read++
				irverify.Module(m)
				irtext.AppendModule(nil, m)
			}()
		}
	}
	if read < len(names)*rounds/4 {
		t.Errorf("only %d of %d modules were read", read, len(names)*rounds)
	}
}
