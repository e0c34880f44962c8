package lazyregexp

import "testing"

var word = Regexp{Expr: `[a-z]+`}

func TestGet(t *testing.T) {
	if got := word.Get().FindString("12 ab"); got != "ab" {
		t.Errorf("found %q, want ab", got)
	}
	if first := word.Get(); first != word.Get() {
		t.Error("compiled twice")
	}
}
