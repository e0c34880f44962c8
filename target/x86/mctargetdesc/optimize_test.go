package mctargetdesc

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// variations are samples of an opcode that Optimize may change: with the
// accumulator, with small and large immediates, with registers from 8 on.
func variations(in *desc.Info, op desc.Opcode) (list []mc.Inst) {
	for n := range 4 {
		inst, ok := sample(in, op, n)
		if !ok {
			return nil
		}
		list = append(list, inst)
	}
	last := len(list[0].Ops) - 1
	if last < 0 {
		return nil
	}
	change := func(f func(ops []mc.Operand)) {
		c := mc.Inst{Op: op, Ops: append([]mc.Operand(nil), list[0].Ops...)}
		f(c.Ops)
		list = append(list, c)
	}
	if list[0].Ops[last].IsImm() {
		for _, v := range []int64{0, 1, 3, 6, 7, 127, -128} {
			change(func(ops []mc.Operand) { ops[last] = mc.Imm(v) })
		}
	}
	if shortImm(op)|fixedReg(op) != 0 && strings.HasSuffix(in.OpcodeName(op), "ri") || strings.HasSuffix(in.OpcodeName(op), "ri32") {
		for _, r := range []desc.PhysReg{tab.AL, tab.AX, tab.EAX, tab.RAX} {
			if in.ClassContains(in.OperandClass(op, 0, in.DefaultMode), r) {
				for _, v := range []int64{1, 100, 1000} {
					change(func(ops []mc.Operand) { ops[0], ops[max(0, last-1)], ops[last] = mc.Reg(r), mc.Reg(r), mc.Imm(v) })
				}
			}
		}
	}
	switch op {
	case tab.MOVSX16rr8:
		change(func(ops []mc.Operand) { ops[0], ops[1] = mc.Reg(tab.AX), mc.Reg(tab.AL) })
	case tab.MOVSX32rr16:
		change(func(ops []mc.Operand) { ops[0], ops[1] = mc.Reg(tab.EAX), mc.Reg(tab.AX) })
	case tab.MOVSX64rr32:
		change(func(ops []mc.Operand) { ops[0], ops[1] = mc.Reg(tab.RAX), mc.Reg(tab.EAX) })
	}
	return list
}

// appendMIR writes an instruction in Machine IR.
func appendMIR(b []byte, in *desc.Info, inst *mc.Inst) []byte {
	reg := func(o mc.Operand) {
		if o.Reg() == 0 {
			b = append(b, "$noreg"...)
			return
		}
		b = in.AppendLowerReg(append(b, '$'), o.Reg())
	}
	defs := int(in.Instr(inst.Op).NumDefs)
	b = append(b, "    "...)
	for i, o := range inst.Ops {
		if i == defs {
			if i > 0 {
				b = append(b, " = "...)
			}
			b = append(append(b, in.OpcodeName(inst.Op)...), ' ')
		} else if i > 0 {
			b = append(b, ", "...)
		}
		if o.IsReg() {
			reg(o)
		} else {
			b = fmt.Appendf(b, "%d", o.Imm())
		}
	}
	if defs == len(inst.Ops) {
		b = append(append(b, " = "...), in.OpcodeName(inst.Op)...)
	}
	sep := len(inst.Ops) > defs
	implicit := func(kind string, list []desc.PhysReg) {
		for _, r := range list {
			if sep {
				b = append(b, ',')
			}
			b = in.AppendLowerReg(append(append(append(b, ' '), kind...), '$'), r)
			sep = true
		}
	}
	implicit("implicit-def ", in.ImplicitDefs(inst.Op))
	implicit("implicit ", in.ImplicitUses(inst.Op))
	return append(b, '\n')
}

// llc lowers machine instructions as we do: same opcode, same bytes, same text.
func TestOptimizeAgainstLLC(t *testing.T) {
	llc := testenv.LLVM(t, "llc")
	in := x86(t)
	var src []byte
	src = append(src, "--- |\n  define void @f() {\n    ret void\n  }\n...\n---\nname: f\ntracksRegLiveness: false\nbody: |\n  bb.0:\n"...)
	var insts []mc.Inst
	ops := []desc.Opcode{tab.MOVSX16rr8, tab.MOVSX32rr16, tab.MOVSX64rr32, tab.MOV32rr, tab.MOV64ri32, tab.TEST32rr, tab.INC32r, tab.LEA64r, tab.VUNPCKHPDrr}
	for i := range in.NumInstrs() {
		op := desc.Opcode(i)
		eq, _ := compareEqual(op)
		ts := tsFlags(in.Instr(desc.Opcode(i)).TSFlags)
		vex := ts.encoding() == encVEX && ts.opMap() == map0F && ts.form() == formMRMSrcReg
		if !in.Instr(desc.Opcode(i)).IsPseudo() && (shortImm(op)|fixedReg(op)|shiftByOne(op)|eq|reversed(op) != 0 || vex) {
			ops = append(ops, op)
		}
	}
	for _, op := range ops {
		for _, inst := range variations(in, op) {
			if bytes.HasPrefix([]byte(in.OpcodeName(op)), []byte("PUSH")) {
				continue // llc wants frame information beside
			}
			if narrow := mc.Reg(tab.EAX); slices.Contains(inst.Ops, narrow) && slices.Contains(inst.Ops, mc.Reg(tab.R10D)) {
				continue // an address that LLVM's verifier does not take
			}
			src = appendMIR(src, in, &inst)
			insts = append(insts, inst)
		}
	}
	src = append(src, "    RET64\n...\n"...)
	file := filepath.Join(t.TempDir(), "x.mir")
	if err := os.WriteFile(file, src, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(llc, "-mtriple=x86_64", "-start-after=livedebugvalues", features(in), "-show-mc-encoding", "-o", "-", file)
	var msg bytes.Buffer
	cmd.Stderr = &msg
	out, err := cmd.Output()
	if err != nil {
		at := max(bytes.Index(msg.Bytes(), []byte("Stack dump")), 0)
		t.Fatalf("%v\n%s", err, msg.Bytes()[at:min(at+9000, msg.Len())])
	}
	ctx := mc.NewContext(AsmInfo())
	e, p := NewEncoder(in), NewPrinter(in, ATT, "x86_64")
	n, bad := 0, 0
	for _, text := range encodings(out) {
		if n >= len(insts) {
			break
		}
		inst := &insts[n]
		before := in.OpcodeName(inst.Op)
		n++
		e.Optimize(inst, 64)
		b, _, err1 := e.Encode(ctx, nil, inst, nil, nil)
		line, _, err2 := p.AppendInst(nil, nil, ctx, nil, inst, nil)
		got := fmt.Sprintf("%s [% x]", line, b)
		if err1 != nil || err2 != nil || got != text {
			if bad++; bad <= 30 {
				t.Errorf("%s became %s: %s (%v %v), llc writes %s", before, in.OpcodeName(inst.Op), got, err1, err2, text)
			}
		}
	}
	t.Logf("%d instructions, %d differ", n, bad)
	if n != len(insts) {
		t.Errorf("llc wrote %d instructions of %d", n, len(insts))
	}
}

// encodings finds the lines of llc's output with an encoding: text and bytes.
func encodings(out []byte) (list []string) {
	for _, line := range strings.Split(string(out), "\n") {
		text, enc, ok := strings.Cut(line, "# encoding: [")
		if !ok {
			continue
		}
		enc = strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(enc, "]"), "0x", ""), ",", " ")
		list = append(list, fmt.Sprintf("%s [%s]", strings.TrimSpace(text), enc))
	}
	return list
}
