package editdistance

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"abc", "", 3}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"relocation-model", "relocaton-modle", 3}, {"flaw", "lawn", 2},
	} {
		if got := Of(c.a, c.b); got != c.want {
			t.Errorf("Of(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Of(c.b, c.a); got != c.want {
			t.Errorf("Of(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
