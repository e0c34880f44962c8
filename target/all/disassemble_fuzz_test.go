package all

import (
	"math/rand/v2"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

// garbage disassembles bytes for every target with a disassembler: each step is
// at least one byte and none is beyond the end.
func garbage(t *testing.T, code []byte) {
	for _, c := range disassemblers {
		m, err := MC(c.triple, "", c.cpu, c.features)
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
		ctx := mc.NewContext(m.AsmInfo())
		var in mc.Inst
		for k := 0; k < len(code); {
			n, status := dis.Disassemble(&in, m.ST, code[k:], uint64(k))
			if n < 1 || n > len(code)-k {
				t.Fatalf("%s: %x is %d bytes", c.triple, code[k:], n)
			}
			if status != mc.DecodeFail {
				p.AppendInst(nil, nil, ctx, m.ST, &in, nil) // what has no text is an error
			}
			k += n
		}
	}
}

func FuzzDisassemble(f *testing.F) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(garbage)
}
