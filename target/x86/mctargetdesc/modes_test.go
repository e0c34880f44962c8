package mctargetdesc

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// narrow makes the addresses of a sample those of 32-bit mode.
func narrow(in *desc.Info, inst *mc.Inst) {
	ops := in.Operands(inst.Op)
	for i, o := range inst.Ops {
		if !o.IsReg() || ops[i].Type != desc.OperandMemory {
			continue
		}
		switch r := o.Reg(); {
		case r == tab.RIP:
			inst.Ops[i] = mc.Reg(0)
		case in.ClassContains(tab.GR64RegClassID, r):
			inst.Ops[i] = mc.Reg([...]desc.PhysReg{tab.EAX, tab.ECX, tab.EDX, tab.EBX, tab.ESP, tab.EBP, tab.ESI, tab.EDI}[in.Regs[r].Encoding&7])
		case r == tab.R10D:
			inst.Ops[i] = mc.Reg(tab.EDX)
		}
	}
}

// The other modes of the processor: samples are assembled for them.
func TestModesAgainstLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	in := x86(t)
	for _, mode := range []struct {
		name, triple string
		least        int
	}{{"32bit-mode", "-triple=i386", 3900}, {"16bit-mode", "-triple=i386-unknown-unknown-code16", 3500}} {
		st := &mc.Subtarget{Info: in, Features: make([]uint64, in.FeatureWords)}
		f, _ := in.FeatureByName(mode.name)
		bit := in.Features[f].Bit
		st.Features[bit/64] |= 1 << (bit % 64)
		ctx := mc.NewContext(AsmInfo())
		e, p := NewEncoder(in), NewPrinter(in, ATT, "i686")
		var src []byte
		for i := range in.NumInstrs() {
			for n := range 2 {
				if inst, ok := sample(in, desc.Opcode(i), n); ok {
					narrow(in, &inst)
					if text, _, err := p.AppendInst(src, nil, ctx, st, &inst, nil); err == nil {
						src = append(text, '\n')
					}
				}
			}
		}
		seen, bad, refused := map[desc.Opcode]bool{}, 0, 0
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
			got, _, err := e.Encode(ctx, st, &s.inst, nil, nil)
			if err != nil {
				refused++
				return
			}
			seen[s.inst.Op] = true
			if !bytes.Equal(got, s.bytes) {
				if bad++; bad <= 15 {
					t.Errorf("%s: %s (%s): % x, LLVM writes % x", mode.name, s.text, s.name, got, s.bytes)
				}
			}
		}, mode.triple, features(in))
		t.Logf("%s: %d opcodes, %d refused, %d differ", mode.name, len(seen), refused, bad)
		if len(seen) < mode.least {
			t.Errorf("%s: only %d opcodes seen", mode.name, len(seen))
		}
	}
}

// The instructions of real programs: what llvm-mc understands of llc's text must
// print and encode as llc wrote it. Expressions count as symbols of that name.
func TestProgramsAgainstLLVM(t *testing.T) {
	llc, tool := testenv.LLVM(t, "llc"), testenv.LLVM(t, "llvm-mc")
	files, _ := filepath.Glob(filepath.Join(testenv.Shared(t, "programs", "ll"), "*.ll"))
	in := x86(t)
	e := NewEncoder(in)
	if testing.Short() {
		files = files[:min(4, len(files))]
	}
	n, bad := 0, 0
	for i, file := range files {
		if i%2 != 0 {
			continue // a sample; they are alike
		}
		variant := ATT
		if i%4 == 2 {
			variant = Intel
		}
		p := NewPrinter(in, variant, "x86_64")
		text, err := exec.Command(llc, "-o", "-", "-relocation-model=pic", file).Output()
		if err != nil {
			continue
		}
		ctx := mc.NewContext(AsmInfo())
		syntax := "-output-asm-variant=0"
		if variant == Intel {
			syntax = "-output-asm-variant=1"
		}
		llvmMC(t, in, tool, text, func(s *shown) {
			n++
			for i, name := range s.exprs {
				if name != "" {
					s.inst.Ops[i] = mc.ExprOp(ctx.Ref(ctx.Symbol(name), mc.ModNone))
				}
			}
			b, _, err1 := e.Encode(ctx, nil, &s.inst, nil, nil)
			line, _, err2 := p.AppendInst(nil, nil, ctx, nil, &s.inst, nameOf(ctx))
			if err1 != nil || err2 != nil || string(line) != s.text || len(b) != len(s.bytes) || !s.expr && !bytes.Equal(b, s.bytes) {
				if bad++; bad <= 20 {
					t.Errorf("%s: %s: %q % x (%v %v), LLVM has %q % x", filepath.Base(file), s.name, line, b, err1, err2, s.text, s.bytes)
				}
			}
		}, syntax)
	}
	t.Logf("%d instructions, %d differ", n, bad)
	if n < 1000 && os.Getenv("MIRIN_SHARED") != "" {
		t.Errorf("only %d instructions", n)
	}
}
