package main

import (
	"bytes"
	"strings"
	"testing"
)

// LoongArch's linkers are told of an alignment's greatest number of bytes in another form.
func TestAlignmentLimit(t *testing.T) {
	const call = "pcaddu18i $ra, %call36(foo)\njirl $ra, $ra, 0\n"
	for text, want := range map[string]string{
		call + ".p2align 4, , 6\n":  "<stdin>:3:15: error: an alignment of at most 6 bytes behind code that linkers change is not supported\n",
		call + ".p2align 4, , 15\n": "",
		".p2align 4, , 6\n" + call:  "",
	} {
		var out, errs bytes.Buffer
		rc := dispatch([]string{"mirin", "mc", "-triple=loongarch64", "-mattr=+relax", "-filetype=obj"}, strings.NewReader(text), &out, &errs)
		if !strings.HasPrefix(errs.String(), want) || (want == "") != (rc == 0) || want == "" && errs.Len() > 0 {
			t.Errorf("%q: %d, %s", text, rc, errs.String())
		}
	}
}
