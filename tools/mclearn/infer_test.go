package main

import (
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// Each map from values to bits is found again, and what is no map is refused.
func TestSolve(t *testing.T) {
	for name, f := range map[string]func(v uint64) uint64{
		"in place":   func(v uint64) uint64 { return v & 0xff << 4 },
		"scattered":  func(v uint64) uint64 { return v&7<<2 | v>>3&3<<10 | v>>5&1<<31 },
		"inverted":   func(v uint64) uint64 { return ^v & 0xff },
		"duplicated": func(v uint64) uint64 { return v&0xf | v&0xf<<8 },
	} {
		var ss []sample
		for k := range 9 {
			ss = append(ss, sample{1 << k >> 1, code{f(1 << k >> 1)}})
		}
		lin, ok := solve(ss)
		if !ok {
			t.Errorf("%s: not found", name)
			continue
		}
		for v := range uint64(256) {
			if got := (code{f(0)}).xor(lin.of(v)); got[0] != f(v) {
				t.Errorf("%s: %d becomes %#x, want %#x", name, v, got[0], f(v))
			}
		}
	}
	if _, ok := solve([]sample{{0, code{0}}, {1, code{1}}, {2, code{2}}, {3, code{0}}}); ok {
		t.Error("what is not linear is taken")
	}
}

// The transformations are told apart.
func TestFit(t *testing.T) {
	for _, c := range []struct {
		name string
		vals [2]int64 // from, to
		step int64
		enc  func(v int64) uint64
		want desc.EncXform
	}{
		{"plain", [2]int64{0, 31}, 1, func(v int64) uint64 { return uint64(v) << 7 }, desc.EncXform{}},
		{"scaled", [2]int64{0, 252}, 4, func(v int64) uint64 { return uint64(v) >> 2 }, desc.EncXform{}},
		{"signed", [2]int64{-32, 31}, 1, func(v int64) uint64 { return uint64(v) & 63 << 3 }, desc.EncXform{}},
		{"less one", [2]int64{1, 32}, 1, func(v int64) uint64 { return uint64(v - 1) }, desc.EncXform{Kind: desc.XformAdd, Add: -1}},
		{"reversed", [2]int64{1, 32}, 1, func(v int64) uint64 { return uint64(32-v) << 5 }, desc.EncXform{Kind: desc.XformAdd, Add: -1}}, // and inverted
		{"negated", [2]int64{0, 31}, 1, func(v int64) uint64 { return uint64(-v) & 31 }, desc.EncXform{Kind: desc.XformAdd, Add: -1}},    // and inverted
		{"sign and magnitude", [2]int64{-255, 255}, 1, func(v int64) uint64 {
			if v < 0 {
				return uint64(-v)
			}
			return uint64(v) | 1<<23
		}, desc.EncXform{Kind: desc.XformSign, Add: 255}},
	} {
		var ss []valued
		for v := c.vals[0]; v <= c.vals[1]; v += c.step {
			ss = append(ss, valued{sample{uint64(v), code{c.enc(v)}}, v})
		}
		f, ok := fit(ss, true)
		if !ok || f.xform != c.want {
			t.Errorf("%s: %+v, %v", c.name, f.xform, ok)
			continue
		}
		base := code{c.enc(c.vals[0])}.xor(f.lin.of(uint64(behind(f.xform, c.vals[0]))))
		for _, s := range ss {
			if got := base.xor(f.lin.of(uint64(behind(f.xform, s.val)))); got != s.out {
				t.Errorf("%s: %d becomes %x, want %x", c.name, s.val, got, s.out)
			}
		}
	}
}

// Styles of numbers are found with what is around them and what is excepted.
func TestNumeric(t *testing.T) {
	l := &learner{}
	for _, c := range []struct {
		name  string
		texts map[int64]string
		more  int64
		want  string
		none  bool
	}{
		{"scaled", map[int64]string{0: "#0", 1: "#8", 2: "#16", 3: "#24"}, 5, "#40", false},
		{"left out", map[int64]string{0: "", 1: ", #1", 2: ", #2", 3: ", #3", 4: ", #4", 5: ", #5"}, 9, ", #9", false},
		{"hexadecimal", map[int64]string{1: "0x1", 10: "0xa", 16: "0x10"}, 255, "0xff", false},
		{"sum", map[int64]string{-1: "(r1 - 1)", -2: "(r1 - 2)", 5: "(r1 + 5)", 0: "(r1 + 0)"}, -7, "(r1 - 7)", false},
		{"signed 16 bits", map[int64]string{0: "+0", 1: "+1", 3: "+3", 65535: "-1", 65534: "-2", 32768: "-32768"}, 65530, "-6", false},
		{"words", map[int64]string{0: "eq", 1: "ne", 2: "cs"}, 0, "", true},
	} {
		var ws []written
		for v, t := range c.texts {
			ws = append(ws, written{v, t})
		}
		y := numeric(ws, true)
		if (y == nil) != c.none {
			t.Errorf("%s: %+v", c.name, y)
			continue
		}
		if y == nil {
			continue
		}
		for v, want := range c.texts {
			if got, _ := l.render(y, v); got != want {
				t.Errorf("%s: %d is %q, want %q", c.name, v, got, want)
			}
		}
		if got, _ := l.render(y, c.more); got != c.want {
			t.Errorf("%s: %d is %q, want %q", c.name, c.more, got, c.want)
		}
	}
}
