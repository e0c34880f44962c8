package mctargetdesc

import (
	"bufio"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// The golden table holds what llvm-mc 22 makes of one sample an opcode: name and
// operands, bytes, text. TestEncodeAgainstLLVM writes it when -update is given.
const goldenFile = "testdata/encodings.txt"

var update = flag.Bool("update", false, "write the golden table from what llvm-mc says")

// inGolden keeps the table small: of the 12,000 EVEX opcodes, every twentieth.
func inGolden(in *desc.Info, op desc.Opcode) bool {
	return tsFlags(in.Instr(op).TSFlags).encoding() != encEVEX || op%20 == 0
}

func appendGolden(b []byte, in *desc.Info, s *shown) []byte {
	b = append(b, in.OpcodeName(s.inst.Op)...)
	for _, o := range s.inst.Ops {
		if o.IsReg() {
			b = in.AppendLowerReg(append(b, " %"...), o.Reg())
		} else {
			b = strconv.AppendInt(append(b, ' '), o.Imm(), 10)
		}
	}
	return fmt.Appendf(b, "\t%x\t%s\n", s.bytes, strings.ReplaceAll(s.text, "\t", " "))
}

// TestGolden holds encoder and printer to the table, without LLVM.
func TestGolden(t *testing.T) {
	in := x86(t)
	f, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e, p, ctx := NewEncoder(in), NewPrinter(in, ATT, "x86_64"), mc.NewContext(AsmInfo())
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); n++ {
		fields := strings.Split(sc.Text(), "\t")
		words := strings.Fields(fields[0])
		op, ok := in.OpcodeByName(words[0])
		if !ok {
			t.Fatalf("no opcode %s", words[0])
		}
		var inst mc.Inst
		inst.Reset(op)
		for _, w := range words[1:] {
			if name, ok := strings.CutPrefix(w, "%"); ok {
				r, ok := in.RegByName(name)
				if !ok {
					t.Fatalf("no register %s", name)
				}
				inst.Add(mc.Reg(r))
				continue
			}
			v, err := strconv.ParseInt(w, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			inst.Add(mc.Imm(v))
		}
		b, _, err := e.Encode(ctx, nil, &inst, nil, nil)
		if err != nil || hex.EncodeToString(b) != fields[1] {
			t.Errorf("%s: %x (%v), want %s", fields[0], b, err, fields[1])
		}
		text, _, err := p.AppendInst(nil, nil, ctx, nil, &inst, nil)
		if err != nil || strings.ReplaceAll(string(text), "\t", " ") != fields[2] {
			t.Errorf("%s: %q (%v), want %q", fields[0], text, err, fields[2])
		}
	}
	if n < 4000 {
		t.Errorf("the table has %d lines only", n)
	}
}
