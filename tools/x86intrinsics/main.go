// Command x86intrinsics makes a function of every intrinsic that clang's headers for x86
// define, compiles it with clang to IR, and that with llc and with a code generator
// under test, and compares the instructions that both choose.
//
//	go run ./tools/x86intrinsics -llc 'mirin llc' -v
//
// It needs clang and llc, and says how many functions were refused, how many have other
// instructions, and which.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

func main() {
	llc := flag.String("llc", "mirin llc", "the code generator under test")
	ref := flag.String("ref", "llc-22", "the one to compare with")
	clang := flag.String("clang", "clang-22", "the compiler that has the headers")
	only := flag.String("only", "", "regular expression of headers")
	dir := flag.String("dir", "", "where files stay; a temporary folder without")
	verbose := flag.Bool("v", false, "list what differs and what is refused")
	flag.Parse()
	work := *dir
	if work == "" {
		d, err := os.MkdirTemp("", "x86intrinsics")
		check(err)
		defer os.RemoveAll(d)
		work = d
	}
	out, err := exec.Command(*clang, "-print-resource-dir").Output()
	check(err)
	include := filepath.Join(strings.TrimSpace(string(out)), "include")
	want := regexp.MustCompile(*only)
	var total report
	for _, g := range groups {
		for _, h := range g.headers {
			if !want.MatchString(h) {
				continue
			}
			r, err := compare(config{*llc, *ref, *clang, include, work}, h, g.flags, *verbose)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", h, err)
				continue
			}
			fmt.Printf("%-28s %5d functions, %4d refused, %4d with other instructions\n", h, r.n, r.refused, r.other)
			total.n, total.refused, total.other = total.n+r.n, total.refused+r.refused, total.other+r.other
		}
	}
	fmt.Printf("%-28s %5d functions, %4d refused, %4d with other instructions\n", "all", total.n, total.refused, total.other)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "x86intrinsics:", err)
		os.Exit(1)
	}
}

type config struct{ llc, ref, clang, include, work string }

type report struct{ n, refused, other int }

// groups are headers with the flags under which their intrinsics are there.
var groups = []struct {
	flags   []string
	headers []string
}{
	{[]string{"-march=x86-64-v2", "-maes", "-mpclmul", "-msha", "-msse4a"}, []string{
		"xmmintrin.h", "emmintrin.h", "pmmintrin.h", "tmmintrin.h", "smmintrin.h", "nmmintrin.h", "crc32intrin.h", "popcntintrin.h",
		"__wmmintrin_aes.h", "__wmmintrin_pclmul.h", "shaintrin.h", "ammintrin.h"}},
	{[]string{"-march=x86-64-v3", "-mgfni", "-mvaes", "-mvpclmulqdq", "-mavxvnni", "-mavxifma", "-mavxneconvert", "-mavxvnniint8", "-mavxvnniint16",
		"-msha512", "-msm3", "-msm4", "-madx", "-mrdrnd", "-mrdseed", "-mfsgsbase", "-mxsave", "-mxsaveopt", "-mxsavec", "-mxsaves", "-mfxsr",
		"-mmovdiri", "-mmovdir64b", "-mrtm", "-mserialize", "-mclflushopt", "-mclwb", "-mcldemote", "-mwaitpkg", "-mrdpid", "-mpku", "-mshstk",
		"-mptwrite", "-mtsxldtrk", "-mpconfig", "-minvpcid", "-mhreset", "-mcmpccxadd", "-mraoint", "-menqcmd", "-mlwp", "-mtbm", "-mxop", "-mfma4",
		"-mprfchw", "-mmwaitx", "-mclzero", "-muintr", "-mkl", "-mwidekl", "-mwbnoinvd", "-musermsr", "-mmovrs"}, []string{
		"avxintrin.h", "avx2intrin.h", "fmaintrin.h", "f16cintrin.h", "bmiintrin.h", "bmi2intrin.h", "lzcntintrin.h", "ia32intrin.h",
		"gfniintrin.h", "vaesintrin.h", "vpclmulqdqintrin.h", "avxvnniintrin.h", "avxifmaintrin.h", "avxneconvertintrin.h", "avxvnniint8intrin.h",
		"avxvnniint16intrin.h", "sha512intrin.h", "sm3intrin.h", "sm4intrin.h", "adxintrin.h", "adcintrin.h", "immintrin.h", "fxsrintrin.h",
		"xsaveintrin.h", "xsaveoptintrin.h", "xsavecintrin.h", "xsavesintrin.h", "movdirintrin.h", "rtmintrin.h", "serializeintrin.h",
		"clflushoptintrin.h", "clwbintrin.h", "cldemoteintrin.h", "waitpkgintrin.h", "pkuintrin.h", "cetintrin.h", "ptwriteintrin.h",
		"tsxldtrkintrin.h", "rdseedintrin.h", "invpcidintrin.h", "cmpccxaddintrin.h", "raointintrin.h", "enqcmdintrin.h", "hresetintrin.h",
		"tbmintrin.h", "xopintrin.h", "fma4intrin.h", "mwaitxintrin.h", "clzerointrin.h", "uintrintrin.h", "keylockerintrin.h"}},
	{avx512, []string{
		"avx512fintrin.h", "avx512bwintrin.h", "avx512cdintrin.h", "avx512dqintrin.h", "avx512vlintrin.h", "avx512vlbwintrin.h", "avx512vlcdintrin.h",
		"avx512vldqintrin.h", "avx512ifmaintrin.h", "avx512ifmavlintrin.h", "avx512vbmiintrin.h", "avx512vbmivlintrin.h", "avx512vbmi2intrin.h",
		"avx512vlvbmi2intrin.h", "avx512vnniintrin.h", "avx512vlvnniintrin.h", "avx512bitalgintrin.h", "avx512vlbitalgintrin.h",
		"avx512vpopcntdqintrin.h", "avx512vpopcntdqvlintrin.h", "avx512bf16intrin.h", "avx512vlbf16intrin.h", "avx512vp2intersectintrin.h",
		"avx512vlvp2intersectintrin.h", "gfniintrin.h", "vaesintrin.h", "vpclmulqdqintrin.h", "avxintrin.h", "avx2intrin.h", "fmaintrin.h"}},
	{append(slices.Clone(avx512), "-mavx512fp16"), []string{"avx512fp16intrin.h", "avx512vlfp16intrin.h"}},
	{append(slices.Clone(avx512), "-mamx-tile", "-mamx-int8", "-mamx-bf16", "-mamx-fp16", "-mamx-complex"), []string{"amxintrin.h"}},
}

var avx512 = []string{"-march=x86-64-v4", "-mavx512ifma", "-mavx512vbmi", "-mavx512vbmi2", "-mavx512vnni", "-mavx512bitalg", "-mavx512vpopcntdq",
	"-mavx512bf16", "-mavx512vp2intersect", "-mgfni", "-mvaes", "-mvpclmulqdq", "-mprefer-vector-width=512"}

// compare compiles the intrinsics of one header.
func compare(c config, header string, flags []string, verbose bool) (r report, err error) {
	text, err := os.ReadFile(filepath.Join(c.include, header))
	if err != nil {
		return r, err
	}
	funcs := wrappers(string(text))
	// What the compiler does not take is left out.
	base := filepath.Join(c.work, strings.TrimSuffix(header, ".h"))
	for {
		if len(funcs) == 0 {
			return r, nil
		}
		if err := os.WriteFile(base+".c", source(funcs), 0o666); err != nil {
			return r, err
		}
		args := append([]string{"-O1", "-S", "-emit-llvm", "-fno-color-diagnostics", "-ferror-limit=0", "-w", "-o", base + ".ll", base + ".c"}, flags...)
		msg, err := exec.Command(c.clang, args...).CombinedOutput()
		if err == nil {
			break
		}
		bad := badLines(string(msg), base+".c")
		if len(bad) == 0 {
			return r, fmt.Errorf("%s", msg)
		}
		var rest []string
		for k, f := range funcs {
			if !bad[k+firstLine] {
				rest = append(rest, f)
			}
		}
		funcs = rest
	}
	want, _, err := compile(c.ref, base)
	if err != nil {
		return r, err
	}
	got, refused, _ := compile(c.llc, base)
	var names []string
	for n := range want {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		r.n++
		switch g, ok := got[n]; {
		case refused[n] != "" || !ok:
			r.refused++
			if verbose {
				fmt.Printf("  %s: refused: %s\n", n, refused[n])
			}
		case !slices.Equal(essence(g), essence(want[n])):
			r.other++
			if verbose {
				fmt.Printf("  %s: %s; want %s\n", n, strings.Join(g, " "), strings.Join(want[n], " "))
			}
		}
	}
	return r, nil
}

// badLines are the lines of errors.
func badLines(msg, file string) map[int]bool {
	out := map[int]bool{}
	for line := range strings.Lines(msg) {
		rest, ok := strings.CutPrefix(line, file+":")
		if !ok {
			continue
		}
		n := 0
		if _, err := fmt.Sscanf(rest, "%d:", &n); err == nil {
			out[n] = true
		}
	}
	return out
}

var (
	label   = regexp.MustCompile(`^(t_\w+):`)
	inFunc  = regexp.MustCompile(`in function (t_\w+): (.*)`)
	mnemonc = regexp.MustCompile(`^\t([a-z]\w*)`)
)

// compile gives the mnemonics of each function, and why others were refused. What
// refuses a module is asked function by function no more than that.
func compile(llc, base string) (map[string][]string, map[string]string, error) {
	words := append(strings.Fields(llc), "-O2", base+".ll", "-o", "-")
	cmd := exec.Command(words[0], words[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	refused := map[string]string{}
	for _, m := range inFunc.FindAllStringSubmatch(stderr.String(), -1) {
		refused[m[1]] = m[2]
	}
	if err != nil && len(refused) > 0 {
		// Without them.
		text, rerr := os.ReadFile(base + ".ll")
		if rerr != nil {
			return nil, refused, rerr
		}
		if werr := os.WriteFile(base+".rest.ll", without(text, refused), 0o666); werr != nil {
			return nil, refused, werr
		}
		out, more, err := compile(llc, base+".rest")
		for n, why := range more {
			refused[n] = why
		}
		return out, refused, err
	}
	out := map[string][]string{}
	name := ""
	for line := range strings.Lines(stdout.String()) {
		if m := label.FindStringSubmatch(line); m != nil {
			name = m[1]
			out[name] = []string{}
		} else if m := mnemonc.FindStringSubmatch(line); m != nil && name != "" {
			out[name] = append(out[name], m[1])
		}
	}
	if err != nil {
		err = fmt.Errorf("%s: %s", llc, stderr.String())
		fmt.Fprintln(os.Stderr, err)
	}
	return out, refused, err
}

// without removes functions from a module's text.
func without(text []byte, names map[string]string) []byte {
	var out []byte
	skip := false
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("define ")) {
			if at := bytes.Index(line, []byte("@t_")); at >= 0 {
				end := bytes.IndexByte(line[at:], '(')
				_, skip = names[string(line[at+1:at+end])]
			}
		}
		if !skip {
			out = append(out, line...)
		}
		if line[0] == '}' {
			skip = false
		}
	}
	return out
}

// essence is what counts: no moves, no calls' frames, in no order.
func essence(list []string) []string {
	var out []string
	for _, m := range list {
		switch {
		case strings.HasPrefix(m, "mov"), strings.HasPrefix(m, "vmov"), strings.HasPrefix(m, "kmov"), m == "vzeroupper", m == "pushq", m == "popq", strings.HasPrefix(m, "ret"):
			continue
		}
		out = append(out, m)
	}
	sort.Strings(out)
	return out
}
