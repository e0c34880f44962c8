package all

import (
	"encoding/binary"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

// TestNames holds what is written to what the subtarget has.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		triple         string
		word           uint32
		features, want string
	}{
		{"aarch64", 0xd53bd2c0, "", "mrs\tx0, S3_3_C13_C2_6"},
		{"aarch64", 0xd53bd2c0, "+amvs", "mrs\tx0, AMCG1IDR_EL0"},
		{"aarch64", 0xd51bd2c0, "+amvs", "msr\tS3_3_C13_C2_6, x0"}, // it can only be read
		{"aarch64", 0xd5381000, "", "mrs\tx0, SCTLR_EL1"},
		{"aarch64", 0xd50b7c27, "", "sys\t#3, c7, c12, #1, x7"},
		{"aarch64", 0xd50b7c27, "+ccpp", "dc\tcvap, x7"},
		{"aarch64", 0xd508871f, "", "tlbi\tvmalle1"},
		{"aarch64", 0xd5032fff, "", "hint\t#127"},
		{"aarch64", 0x33013c41, "", "bfxil\tw1, w2, #1, #15"},
		{"aarch64", 0x330f3c41, "", "bfxil\tw1, w2, #15, #1"},
		{"aarch64", 0x33113c41, "", "bfi\tw1, w2, #15, #16"},
		{"aarch64", 0x331f3fe1, "", "bfi\tw1, wzr, #1, #16"},
		{"aarch64", 0x331f3fe1, "+v8.2a", "bfc\tw1, #1, #16"},
		{"aarch64", 0x9343fc41, "", "asr\tx1, x2, #3"},
		{"aarch64", 0x93403c41, "", "sxth\tx1, w2"},
		{"aarch64", 0x53013c41, "", "ubfx\tw1, w2, #1, #15"},
		{"aarch64", 0xd37ff841, "", "lsl\tx1, x2, #1"},
		{"mipsel", 0x1000014c, "", "b\t1332"},
		{"mipsel", 0x10c0014c, "", "beqz\t$6, 1332"},
		{"mipsel", 0x10c7014c, "", "beq\t$6, $7, 1332"},
		{"mipsel", 0x5120014e, "", "beqzl\t$9, 1340"},
		{"mipsel", 0x4502000c, "", "bc1fl\t52"},
		{"mipsel", 0x4507000c, "", "bc1tl\t$fcc1, 52"},
		{"armv7", 0xe320f000, "", "nop"},
		{"armv7", 0x0320f005, "", "hinteq\t#5"},
		{"armv8a", 0x0320f005, "", "sevleq"},
		{"armv8a", 0xe320f010, "", "hint\t#16"},
		{"armv8a", 0xe320f010, "+ras", "esb"},
		{"thumbv8a", 0x8003f3af, "", "wfi.w"},
		{"thumbv8a", 0x8014f3af, "", "csdb"},
		{"thumbv8a", 0x8016f3af, "", "hint.w\t#22"},
		{"thumbv8a", 0x8016f3af, "+clrbhb", "clrbhb"},
	} {
		m, err := MC(c.triple, "", "", c.features)
		if err != nil {
			t.Fatal(err)
		}
		dis, err := m.Disassembler()
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Printer(0)
		if err != nil {
			t.Fatal(err)
		}
		var in mc.Inst
		if _, s := dis.Disassemble(&in, m.ST, binary.LittleEndian.AppendUint32(nil, c.word), 0); s == mc.DecodeFail {
			t.Errorf("%#x means nothing", c.word)
			continue
		}
		text, _, err := p.AppendInst(nil, nil, mc.NewContext(m.AsmInfo()), m.ST, &in, nil)
		if string(text) != c.want || err != nil {
			t.Errorf("%#x, %s: %q (%v), want %q", c.word, c.features, text, err, c.want)
		}
	}
}
