package llvmflag_test

import (
	"io"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/llvmflag"
)

// Flags of LLVM's tool are read as it reads them; own flags come first.
func TestForeign(t *testing.T) {
	rows := "far int\nfast boolean\njump-limit uint\nmode choice a,b\nname string\nshow choice? x,y\nshare number\nsplit boolean\nstack string\n"
	for _, c := range []struct{ args, unused, err string }{
		{"-far=-3 --jump-limit 0x10 in", "--far --jump-limit", ""},
		{"-fast -fast=false --fast=1", "--fast --fast --fast", ""},
		{"-mode=a -name x -show -show=y -share=0.5", "--mode --name --show --show --share", ""},
		{"-j4", "", ""},
		{"-own=3", "", ""},
		{"-far=x", "", "tool: for the --far option: 'x' value invalid for integer argument!"},
		{"-jump-limit=-1", "", "tool: for the --jump-limit option: '-1' value invalid for uint argument!"},
		{"-share=x", "", "tool: for the --share option: 'x' value invalid for floating point argument!"},
		{"-fast=2", "", "tool: for the --fast option: '2' is invalid value for boolean argument! Try 0 or 1"},
		{"-mode=c", "", "tool: for the --mode option: Cannot find option named 'c'!"},
		{"-mode=", "", "tool: for the --mode option: Cannot find option named ''!"},
		{"-show=", "", "tool: for the --show option: Cannot find option named ''!"},
		{"-name", "", "tool: for the --name option: requires a value!"},
		{"-split", "", "tool: for the --split option: not supported"},
		{"-split=false", "--split", ""},
		{"-stack=all", "", "tool: for the --stack option: not supported"},
		{"-stack=none", "--stack", ""},
		{"-fas", "", "tool: Unknown command line argument '-fas'.  Try: 'tool --help'"},
	} {
		var own string
		var jobs int
		s := &llvmflag.Set{Tool: "tool", Foreign: &llvmflag.Foreign{Rows: rows, Refused: func(name, _ string) bool { return name == "split" || name == "stack" }}}
		s.String(&own, "own", "")
		s.Int(&jobs, "j", "").Joined()
		_, err := s.Parse(strings.Fields(c.args), io.Discard)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if first, _, _ := strings.Cut(c.err, "\n"); !strings.HasPrefix(got, first) || c.err == "" && got != "" {
			t.Errorf("%s: %q, want %q", c.args, got, c.err)
		}
		if u := strings.Join(s.Unused, " "); c.err == "" && u != c.unused {
			t.Errorf("%s: unused %q, want %q", c.args, u, c.unused)
		}
	}
}

// A tool's hidden help names them.
func TestForeignHelp(t *testing.T) {
	s := &llvmflag.Set{Tool: "tool", Foreign: &llvmflag.Foreign{Rows: "alpha int\nown string\n"}}
	var own string
	s.String(&own, "own", "")
	var b strings.Builder
	if done, err := s.Parse([]string{"--help-hidden"}, &b); !done || err != nil {
		t.Fatal(done, err)
	}
	if h := b.String(); !strings.Contains(h, "refused:\n\n  alpha\n") {
		t.Error(h)
	}
}
