package predicatecode

import "testing"

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		body string
		imm  int64
		want bool
	}{
		{"return isInt<12>(Imm);", 2047, true},
		{"return isInt<12>(Imm);", 2048, false},
		{"return isInt<12>(Imm);", -2048, true},
		{"return isUInt<5>(Imm);", 31, true},
		{"return isUInt<5>(Imm);", 32, false},
		{"return isUInt<5>(Imm);", -1, false},
		{"return Imm > 0 && isPowerOf2_64(Imm);", 64, true},
		{"return Imm > 0 && isPowerOf2_64(Imm);", 63, false},
		{"{ return true; }", 0, false}, // not understood
		{"return (uint64_t)Imm < 32;", -1, false},
		{"return (int64_t)Imm < 32;", -1, true},
		{"return uint32_t(Imm) == 0xffffffff;", -1, true},
		{"return Imm == -1 || (Imm & 3) == 0;", 8, true},
		{"return Imm == -1 || (Imm & 3) == 0;", 9, false},
		{"return isShiftedInt<11, 1>(Imm);", 4094 >> 1 << 1 & 2046, true},
		{"return isShiftedUInt<6, 2>(Imm) && (Imm != 0);", 6, false},
		{"return static_cast<uint8_t>(Imm) == 255;", 511, true},
		{"return N->getZExtValue() == 0xFFFF;", 65535, true},
		{"return N->getZExtValue() == 0xFFFFFFFF;", -1, true},
		{"return Imm ? 0 : 1;", 0, true},
		{"return !Imm;", 0, true},
		{"return -Imm >= 1 && -Imm <= 4096;", -5, true},
		{"return llvm::popcount((uint32_t)Imm) == 32;", -1, true},
		{"return Imm.isStrictlyPositive();", 3, true},
		{"return 1 << 3 == Imm;", 8, true},
		{"return ~Imm == 0;", -1, true},
		{"return 32 - Imm > 0u;", 40, true}, // unsigned long after conversion
	} {
		e, err := Parse(c.body)
		if err != nil {
			if c.body[0] != '{' {
				t.Errorf("%s: %v", c.body, err)
			}
			continue
		}
		want := c.want
		if c.body == "return 32 - Imm > 0u;" {
			want = false // int64_t holds all values of unsigned: the comparison is signed
		}
		if got := e.Match(c.imm, 32); got != want {
			t.Errorf("%s with %d: %v", c.body, c.imm, got)
		}
		again, err := Parse(e.String())
		if err != nil || again.String() != e.String() {
			t.Errorf("%q does not parse again: %v", e.String(), err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, s := range []string{"", "return;", "return foo(Imm);", "int x = 1; return x;", "return Imm +;", "return isInt<65>(Imm);",
		"return isInt(Imm);", "return (Imm;", "return AArch64_AM::isLogicalImmediate(Imm, 32);", "return Imm 3;", "for (;;);"} {
		if e, err := Parse(s); err == nil {
			t.Errorf("%q is accepted as %s", s, e)
		}
	}
}

func TestRange(t *testing.T) {
	e, _ := Parse("return isInt<12>(Imm);")
	if lo, hi, ok := e.Range(); !ok || lo != -2048 || hi != 2047 {
		t.Error(lo, hi, ok)
	}
	e, _ = Parse("return isUInt<5>(Imm);")
	if lo, hi, ok := e.Range(); !ok || lo != 0 || hi != 31 {
		t.Error(lo, hi, ok)
	}
	if e, _ = Parse("return Imm == 3;"); e != nil {
		if _, _, ok := e.Range(); ok {
			t.Error("Imm == 3 is a range")
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("return isInt<12>(Imm) && (uint64_t)Imm % 3 == 0;")
	f.Add("Imm ? -1 : ~Imm << 3")
	f.Fuzz(func(t *testing.T, s string) {
		if e, err := Parse(s); err == nil {
			e.Match(5, 32)
			e.Match(-1, 64)
		}
	})
}
