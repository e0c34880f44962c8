package ir

import (
	"slices"
	"testing"
)

func TestParseConstraints(t *testing.T) {
	list, ok := ParseConstraints("=&r,=*m,{ax},imr|^Yz,0,@2ab,~{memory},~{dirflag}")
	if !ok {
		t.Fatal("refused")
	}
	want := []struct {
		kind            byte
		early, indirect bool
		codes           []string
	}{
		{'=', true, false, []string{"r"}}, {'=', false, true, []string{"m"}}, {0, false, false, []string{"{ax}"}},
		{0, false, false, []string{"i", "m", "r", "Yz"}}, {0, false, false, []string{"0"}}, {0, false, false, []string{"ab"}},
		{'~', false, false, []string{"{memory}"}}, {'~', false, false, []string{"{dirflag}"}},
	}
	for i, c := range list {
		w := want[i]
		if c.Kind != w.kind || c.EarlyClobber != w.early || c.Indirect != w.indirect || !slices.Equal(c.List(), w.codes) {
			t.Errorf("%d: %+v %q", i, c, c.List())
		}
	}
	for _, bad := range []string{"=", "r,", "=r,1", "0", "=r,0,0", "~r", "&r", "={ax", "=r,=0", "r,0"} {
		if _, ok := ParseConstraints(bad); ok {
			t.Errorf("%q is accepted", bad)
		}
	}
}
