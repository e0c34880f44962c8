package mctargetdesc

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/x86/tab"
)

func x86(t testing.TB) *desc.Info {
	t.Helper()
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// address is the five operands of an address.
func address(base desc.PhysReg, scale int64, index desc.PhysReg, disp int64, seg desc.PhysReg) [addrOps]mc.Operand {
	return [...]mc.Operand{mc.Reg(base), mc.Imm(scale), mc.Reg(index), mc.Imm(disp), mc.Reg(seg)}
}

// addresses exercise every shape of ModRM, SIB and displacement.
var addresses = [...][addrOps]mc.Operand{
	address(tab.RBX, 4, tab.RCX, 8, 0),
	address(tab.R13, 1, 0, 0, 0),
	address(tab.RSP, 1, 0, -64, 0),
	address(tab.RIP, 1, 0, 1000, 0),
	address(0, 8, tab.R9, 64, 0),
	address(tab.R12, 2, tab.R13, 0x12345678, 0),
	address(tab.RBP, 1, 0, 0, tab.FS),
	address(0, 1, 0, 4096, tab.GS),
	address(tab.EAX, 2, tab.R10D, 128, 0),
	address(tab.RAX, 1, 0, 0, 0),
}

// immediates are values that the operands of most opcodes can have.
var immediates = [...]int64{1, 100, -1, 7, 5}

// sample invents an instruction; n selects among operands. ok is false when the
// opcode has no syntax or some operand cannot be invented.
func sample(in *desc.Info, op desc.Opcode, n int) (inst mc.Inst, ok bool) {
	tables, err := facts.MachineCodeX86()
	if err != nil {
		panic(err)
	}
	w := tables.Writer
	_, part := w.Row(op, ATT)
	if part == 0 {
		return inst, false
	}
	infos := in.Operands(op)
	inst.Op = op
	inst.Ops = make([]mc.Operand, len(infos))
	pick := func(i int) desc.PhysReg {
		c := in.OperandClass(op, i, in.DefaultMode)
		if c == desc.NoClass {
			return 0
		}
		var m []desc.PhysReg
		for _, r := range in.ClassMembers(c) {
			if enc := in.Regs[r].Encoding; r == tab.RIP || r == tab.EIP {
				continue
			} else if enc < 16 || !in.ClassContains(tab.GR64RegClassID, r) && !in.ClassContains(tab.GR32RegClassID, r) &&
				!in.ClassContains(tab.GR16RegClassID, r) && !in.ClassContains(tab.GR8RegClassID, r) {
				m = append(m, r)
			}
		}
		if len(m) == 0 {
			return 0
		}
		return m[(i*5+n*7+int(op))%len(m)]
	}
	for ; ; part++ {
		p := &w.Parts[part]
		if p.Op < 0 {
			if p.Last {
				break
			}
			continue
		}
		i, kind := int(p.Op), ""
		switch {
		case p.Method != 0:
			kind = w.Methods[p.Method-1].In(w.Names)
		case p.Style != 0:
			kind = "words"
		}
		switch kind {
		case "", "printSTiRegOperand", "printVKPair":
			r := pick(i)
			if r == 0 {
				return inst, false
			}
			inst.Ops[i] = mc.Reg(r)
		case "printMemReference":
			a := addresses[(n+int(op))%len(addresses)]
			if c := in.OperandClass(op, i+2, in.DefaultMode); c != desc.NoClass && !in.ClassContains(c, tab.RCX) && !in.ClassContains(c, tab.R9) {
				a = address(tab.RBX, 4, pick(i+2), 64, 0) // a vector of indices
			}
			copy(inst.Ops[i:], a[:])
		case "printMemOffset":
			inst.Ops[i], inst.Ops[i+1] = mc.Imm(0x1234), mc.Reg(0)
		case "printSrcIdx":
			inst.Ops[i], inst.Ops[i+1] = mc.Reg(tab.RSI), mc.Reg(0)
		case "printDstIdx":
			inst.Ops[i] = mc.Reg(tab.RDI)
		case "words":
			inst.Ops[i] = mc.Imm(int64(int(op)+n) & 3)
		case "printPCRelImm":
			inst.Ops[i] = mc.Imm(16)
		default:
			inst.Ops[i] = mc.Imm(immediates[(n+int(op))%len(immediates)])
		}
		if p.Last {
			break
		}
	}
	for i := range infos {
		if t := int(infos[i].TiedTo); t >= 0 {
			if inst.Ops[i].Kind() == mc.OperandNone {
				inst.Ops[i] = inst.Ops[t]
			} else {
				inst.Ops[t] = inst.Ops[i]
			}
		}
	}
	for i := range inst.Ops {
		if inst.Ops[i].Kind() == mc.OperandNone {
			return inst, false
		}
	}
	return inst, true
}

// shown is an instruction as llvm-mc -show-inst -show-encoding prints it.
type shown struct {
	text  string
	inst  mc.Inst
	name  string
	bytes []byte
	expr  bool     // some operand is an expression
	exprs []string // their text by operand, "" for others
}

// llvmMC runs llvm-mc over text and calls f with what it understood. What it
// rejects is skipped.
func llvmMC(t testing.TB, in *desc.Info, tool string, text []byte, f func(s *shown), args ...string) {
	t.Helper()
	cmd := exec.Command(tool, append([]string{"-triple=x86_64", "-show-inst", "-show-encoding"}, args...)...)
	cmd.Stdin = bytes.NewReader(text)
	out, _ := cmd.Output()
	var s *shown
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		line := sc.Text()
		if before, enc, ok := strings.Cut(line, "# encoding: ["); ok {
			s = &shown{text: strings.TrimSpace(before)}
			for _, h := range strings.Split(strings.TrimSuffix(enc, "]"), ",") {
				v, err := hex.DecodeString(strings.TrimPrefix(h, "0x"))
				if err != nil {
					v = []byte{0}
					s.expr = true
				}
				s.bytes = append(s.bytes, v...)
			}
			continue
		}
		if s == nil {
			continue
		}
		if _, after, ok := strings.Cut(line, "# <MCInst #"); ok {
			fields := strings.Fields(strings.TrimSuffix(after, ">"))
			n, _ := strconv.Atoi(fields[0])
			s.name = fields[1]
			s.inst.Reset(desc.Opcode(n))
			if strings.HasSuffix(after, ">") {
				f(s)
				s = nil
			}
			continue
		}
		_, o, ok := strings.Cut(line, "<MCOperand ")
		if !ok {
			continue
		}
		kind, value, _ := strings.Cut(strings.TrimRight(o, ">"), ":")
		switch kind {
		case "Reg":
			r, _ := in.RegByName(strings.ToLower(value))
			s.inst.Add(mc.Reg(r))
		case "Imm":
			v, _ := strconv.ParseInt(value, 10, 64)
			s.inst.Add(mc.Imm(v))
		default:
			s.expr = true
			for len(s.exprs) < len(s.inst.Ops) {
				s.exprs = append(s.exprs, "")
			}
			s.exprs = append(s.exprs, value)
			s.inst.Add(mc.Imm(0))
		}
		if strings.HasSuffix(o, ">>") {
			f(s)
			s = nil
		}
	}
}

// features enables all of x86 but APX and other modes.
func features(in *desc.Info) string {
	var b strings.Builder
	b.WriteString("-mattr=")
	for i := range in.Features {
		switch n := in.Str(in.Features[i].Name); n {
		case "16bit-mode", "32bit-mode", "64bit-mode", "egpr", "nf", "ndd", "cf", "zu", "ccmp", "push2pop2", "ppx", "jmpabs", "soft-float", "x86-32":
		default:
			if strings.HasPrefix(n, "lvi") || strings.HasPrefix(n, "retpoline") || strings.HasPrefix(n, "seses") || strings.HasPrefix(n, "harden") {
				continue // they add passes
			}
			if b.Len() > len("-mattr=") {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "+%s", n)
		}
	}
	return b.String()
}

// pcRelative reports instructions whose operand llvm-mc shows as a number but
// encodes as a distance.
func pcRelative(in *desc.Info, op desc.Opcode) bool { return tsFlags(in.Instr(op).TSFlags).isBranch() }
