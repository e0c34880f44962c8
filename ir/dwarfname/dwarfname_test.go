package dwarfname

import "testing"

func TestNames(t *testing.T) {
	if n, ok := Number(Tag, "DW_TAG_member"); !ok || Name(Tag, n) != "DW_TAG_member" {
		t.Errorf("DW_TAG_member is %d, %v", n, ok)
	}
	if _, ok := Number(Op, "DW_OP_nothing"); ok {
		t.Error("DW_OP_nothing has a number")
	}
	for bits, want := range map[uint64]string{0: "0", 3 | 1<<6: "DIFlagPublic | DIFlagArtificial", 1<<2 | 1<<5: "DIFlagIndirectVirtualBase"} {
		if bits == 0 {
			want = "0"
		}
		if got := Flags(DIFlag, bits); got != want {
			t.Errorf("Flags(%d) = %s, want %s", bits, got, want)
		}
	}
}
