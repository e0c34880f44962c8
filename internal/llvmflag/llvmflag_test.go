package llvmflag

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// flags are the targets of a tool like llc.
type flags struct {
	out, typ, level, triple string
	verify, stats           bool
	jobs, limit             int
	attrs, passes, defs     []string
}

func newSet(f *flags) *Set {
	s := &Set{Tool: "llc", Overview: "compile", Examples: "  llc a.ll -O2\n", Version: "version 1\n", MaxArgs: 1}
	s.String(&f.out, "o", "Output filename").Value("filename")
	s.Enum(&f.typ, "filetype", "Kind of output", Choice{"asm", "text"}, Choice{"obj", "object"})
	s.Prefix(&f.level, 'O', "Optimization level")
	s.Group("Target options")
	s.String(&f.triple, "mtriple", "Target triple").Alias("target")
	s.Bool(&f.verify, "verify-machineinstrs", "Verify")
	s.Bool(&f.stats, "stats", "Statistics").Hidden()
	s.Int(&f.jobs, "j", "Workers").Joined()
	s.Uint(&f.limit, "early-ifcvt-limit", "Limit")
	s.List(&f.attrs, "mattr", "Features").CommaSeparated()
	s.List(&f.passes, "run-pass", "Pass")
	s.List(&f.defs, "D", "Define").AlwaysJoined()
	return s
}

func TestParse(t *testing.T) {
	var f flags
	s := newSet(&f)
	done, err := s.Parse(strings.Fields("-O2 --filetype=obj - -o out -target x86 -verify-machineinstrs -stats=false -j4 -mattr=+a,-b -mattr +c -run-pass=x --run-pass y -DA=1 -early-ifcvt-limit=4294967295"), nil)
	if done || err != nil {
		t.Fatal(done, err)
	}
	if f.level != "2" || f.typ != "obj" || f.out != "out" || f.triple != "x86" || !f.verify || f.stats || f.jobs != 4 || f.limit != 1<<32-1 {
		t.Errorf("%+v", f)
	}
	if !slices.Equal(f.attrs, []string{"+a", "-b", "+c"}) || !slices.Equal(f.passes, []string{"x", "y"}) || !slices.Equal(f.defs, []string{"A=1"}) || !slices.Equal(s.Args, []string{"-"}) {
		t.Errorf("%+v %q", f, s.Args)
	}
	s = newSet(&f)
	if _, err := s.Parse([]string{"--", "-x.ll"}, nil); err != nil || s.Args[0] != "-x.ll" {
		t.Errorf("%v %q", err, s.Args)
	}
}

// TestErrors has the words of LLVM 22's llc.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-mtripl=x", "llc: Unknown command line argument '-mtripl=x'.  Try: 'llc --help'\nllc: Did you mean '--mtriple=x'?"},
		{"--verify-machineinst", "llc: Unknown command line argument '--verify-machineinst'.  Try: 'llc --help'\nllc: Did you mean '--verify-machineinstrs'?"},
		{"-filetype=foo", "llc: for the --filetype option: Cannot find option named 'foo'!"},
		{"-verify-machineinstrs=maybe", "llc: for the --verify-machineinstrs option: 'maybe' is invalid value for boolean argument! Try 0 or 1"},
		{"-o", "llc: for the -o option: requires a value!"},
		{"-O", "llc: for the -O option: requires a value!"},
		{"-D x", "llc: for the -D option: requires a value!"},
		{"-j x", "llc: for the -j option: 'x' value invalid for integer argument!"},
		{"-early-ifcvt-limit=-1", "llc: for the --early-ifcvt-limit option: '-1' value invalid for uint argument!"},
		{"-early-ifcvt-limit 4294967296", "llc: for the --early-ifcvt-limit option: '4294967296' value invalid for uint argument!"},
		{"a b", "llc: Too many positional arguments specified!\nCan specify at most 1 positional arguments: See: llc --help"},
	} {
		var f flags
		_, err := newSet(&f).Parse(strings.Fields(c.args), nil)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n%v\nwant:\n%s", c.args, err, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	var f flags
	var b bytes.Buffer
	if done, err := newSet(&f).Parse([]string{"--help"}, &b); !done || err != nil {
		t.Fatal(done, err)
	}
	for _, want := range []string{"OVERVIEW: compile", "USAGE: llc [options]", "  -o <filename> ", "  --filetype=<value> ", "    =obj ", "\nTarget options:\n", "EXAMPLES:\n\n  llc a.ll -O2\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "--stats") {
		t.Error("a hidden flag is shown")
	}
	b.Reset()
	if done, _ := newSet(&f).Parse([]string{"-version"}, &b); !done || b.String() != "version 1\n" {
		t.Errorf("%q", b.String())
	}
}
