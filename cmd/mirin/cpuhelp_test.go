package main

import (
	"bytes"
	"strings"
	"testing"
)

// -mcpu=help and -mattr=help list what there is and read no input.
func TestCPUHelp(t *testing.T) {
	for _, args := range [][]string{
		{"mirin", "llc", "-mtriple=aarch64", "-mcpu=help", "absent.ll"},
		{"mirin", "llc", "-mtriple=aarch64", "-mattr=+neon,help"},
		{"mirin", "mc", "-triple=aarch64", "-mattr=help"},
	} {
		var out, errs bytes.Buffer
		if rc := dispatch(args, strings.NewReader(""), &out, &errs); rc != 0 || out.Len() > 0 {
			t.Fatalf("%v: %d, %q", args, rc, out.String())
		}
		got := errs.String()
		for _, want := range []string{
			"Available CPUs for this target:\n\n", "\n  apple-m1        - Select the apple-m1 processor.\n", "\n\nAvailable features for this target:\n\n",
			" - Enable Armv8.0-A CRC-32 checksum instructions.\n", "\nUse +feature to enable a feature, or -feature to disable it.\n",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in %s", args, want, got)
			}
		}
	}
}
