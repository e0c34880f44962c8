package mirtext

import "testing"

func TestDelayALU(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{{".id0_NONE", 0}, {".id0_VALU_DEP_4", 4}, {".id0_TRANS32_DEP_3", 7}, {".id0_SALU_CYCLE_7", 15}, {".id0_VALU_DEP_1_skip_SAME_id1_VALU_DEP_1", 129},
		{".id0_SALU_CYCLE_7_skip_SKIP_6_id1_SALU_CYCLE_7", 2047}, {".id0_VALU_DEP_1_skip_NEXT_id1_SALU_CYCLE_0", 1041}} {
		v, _, fault := parseDelayALU(c.text)
		if v != c.want || fault != "" {
			t.Errorf("%s: %d %q", c.text, v, fault)
		}
		if got := string(appendDelayALU(nil, uint64(c.want))); got != c.text {
			t.Errorf("%d: %s, want %s", c.want, got, c.text)
		}
	}
	for text, want := range map[string]string{".id1_NONE": "Expected .id0_", ".id0_VALU_DEP_x": "Could not decode delay0", ".id0_NONE_": "Expected _skip_",
		".id0_NONE_skip_NEXT": "Expected _id1_", ".id0_NONE_skip_SKIP_": "Expected integer Skip value", ".id0_NONE_skip_NEXT_id1_": "Could not decode delay1"} {
		if _, _, fault := parseDelayALU(text); fault != want {
			t.Errorf("%s: %q, want %q", text, fault, want)
		}
	}
}
