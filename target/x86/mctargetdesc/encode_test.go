package mctargetdesc

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
)

// appendName writes a symbol of the tests.
func nameOf(ctx *mc.Context) func([]byte, mc.Sym) []byte {
	return func(b []byte, s mc.Sym) []byte { return append(b, ctx.SymName(s)...) }
}

// Samples of every opcode are assembled by llvm-mc. Of each instruction that it
// shows, our bytes and our text must be its own.
func TestEncodeAgainstLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	in := x86(t)
	ctx := mc.NewContext(AsmInfo())
	e, p := NewEncoder(in), NewPrinter(in, ATT, "x86_64")
	var src []byte
	samples := 5
	if testing.Short() {
		samples = 2
	}
	for i := range in.NumInstrs() {
		for n := range samples {
			inst, ok := sample(in, desc.Opcode(i), n)
			if !ok {
				continue
			}
			var err error
			if src, _, err = p.AppendInst(src, nil, ctx, nil, &inst, nameOf(ctx)); err == nil {
				src = append(src, '\n')
			}
		}
	}
	seen, refused := map[desc.Opcode]bool{}, map[string]int{}
	bad, total := 0, 0
	var golden []byte
	llvmMC(t, in, tool, src, func(s *shown) {
		if s.expr || pcRelative(in, s.inst.Op) {
			return
		}
		if strings.HasPrefix(s.text, "lock\t\t") {
			s.inst.Flags |= FlagLock
		}
		if strings.HasPrefix(s.text, "notrack\t\t") && !tsFlags(in.Instr(s.inst.Op).TSFlags).noTrack() {
			s.inst.Flags |= FlagNoTrack
		}
		total++
		got, _, err := e.Encode(ctx, nil, &s.inst, nil, nil)
		if err != nil {
			if refused[err.Error()]++; len(refused) <= 20 && refused[err.Error()] == 1 {
				t.Logf("refused: %v", err)
			}
			return
		}
		if !seen[s.inst.Op] && s.inst.Flags == 0 && inGolden(in, s.inst.Op) {
			golden = appendGolden(golden, in, s)
		}
		seen[s.inst.Op] = true
		if !bytes.Equal(got, s.bytes) {
			if bad++; bad <= 30 {
				t.Errorf("%s (%s): % x, LLVM writes % x", s.text, s.name, got, s.bytes)
			}
		}
		text, _, err := p.AppendInst(nil, nil, ctx, nil, &s.inst, nameOf(ctx))
		if err != nil || string(text) != s.text {
			if bad++; bad <= 30 {
				t.Errorf("%s: printed %q, LLVM prints %q (%v)", s.name, text, s.text, err)
			}
		}
	}, features(in))
	pi := NewPrinter(in, Intel, "x86_64")
	llvmMC(t, in, tool, src, func(s *shown) {
		if s.expr || pcRelative(in, s.inst.Op) {
			return
		}
		if !strings.HasPrefix(s.text, "lock\t\t") && !strings.HasPrefix(s.text, "notrack\t\t") {
			text, _, err := pi.AppendInst(nil, nil, ctx, nil, &s.inst, nameOf(ctx))
			if err != nil || string(text) != s.text {
				if bad++; bad <= 30 {
					t.Errorf("%s: printed %q, LLVM prints %q (%v)", s.name, text, s.text, err)
				}
			}
		}
	}, features(in), "-output-asm-variant=1")
	t.Logf("%d instructions, %d opcodes, %d kinds of refusal, %d differ", total, len(seen), len(refused), bad)
	if len(seen) < 18000 {
		t.Errorf("only %d opcodes seen", len(seen))
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(goldenFile, golden, 0o666); err != nil {
			t.Error(err)
		}
	}
}

// What we encode must disassemble to the same opcode and operands. Where LLVM's
// disassembler prefers another opcode, our bytes for that one must be the same.
func TestDisassembleAgainstLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	in := x86(t)
	ctx := mc.NewContext(AsmInfo())
	e := NewEncoder(in)
	var src []byte
	want := map[string][]mc.Inst{} // by bytes
	for i := range in.NumInstrs() {
		for n := range 3 {
			inst, ok := sample(in, desc.Opcode(i), n)
			if !ok || pcRelative(in, inst.Op) {
				continue
			}
			b, _, err := e.Encode(ctx, nil, &inst, nil, nil)
			if err != nil {
				continue
			}
			want[string(b)] = append(want[string(b)], inst)
			for k, c := range b {
				if k > 0 {
					src = append(src, ' ')
				}
				src = fmt.Appendf(src, "0x%02x", c)
			}
			src = append(src, '\n')
		}
	}
	bad, other, seen := 0, 0, map[desc.Opcode]bool{}
	llvmMC(t, in, tool, src, func(s *shown) {
		insts := want[string(s.bytes)]
		for i := range insts {
			w := &insts[i]
			if w.Op != s.inst.Op {
				other++
				continue
			}
			seen[w.Op] = true
			for k := range w.Ops {
				if k >= len(s.inst.Ops) || w.Ops[k] != s.inst.Ops[k] && !sameImm(w.Ops[k], s.inst.Ops[k]) {
					if bad++; bad <= 20 {
						t.Errorf("%s: operand %d of % x is %v, LLVM decodes %v", s.name, k, s.bytes, w.Ops[k], s.inst.Ops[k])
					}
					break
				}
			}
		}
	}, "-disassemble", features(in))
	t.Logf("%d opcodes came back, %d differ; %d as another opcode", len(seen), bad, other)
	if len(seen) < 18000 {
		t.Errorf("only %d opcodes seen", len(seen))
	}
}

// sameImm compares immediates as far as their bytes go.
func sameImm(a, b mc.Operand) bool {
	return a.IsImm() && b.IsImm() && (byte(a.Imm()) == byte(b.Imm()))
}
