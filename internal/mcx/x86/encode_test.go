package mct

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	mc "github.com/mirin-go/mirin/internal/mcx"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// instance makes operands for an opcode; variant chooses registers and displacements.
func instance(in *desc.Info, op desc.Opcode, variant int) (*mc.Inst, bool) {
	x := &mc.Inst{Op: op}
	infos := in.Operands(op)
	for k := 0; k < len(infos); k++ {
		o := &infos[k]
		if o.TiedTo >= 0 {
			x.Add(x.Ops[o.TiedTo])
			continue
		}
		switch {
		case o.Type == desc.OperandMemory && k+4 < len(infos) && infos[k+4].Type == desc.OperandMemory:
			mems := [][5]mc.Operand{
				{mc.R(tab.RDI), mc.I(2), mc.R(tab.RBX), mc.I(16), mc.R(0)},
				{mc.R(tab.R13), mc.I(1), mc.R(0), mc.I(0), mc.R(0)},
				{mc.R(tab.RSP), mc.I(1), mc.R(0), mc.I(-400), mc.R(0)},
				{mc.R(0), mc.I(8), mc.R(tab.R9), mc.I(7), mc.R(tab.FS)},
			}
			for _, m := range mems[variant%len(mems)] {
				x.Add(m)
			}
			k += 4
		case in.OperandClass(op, k, in.DefaultMode) >= 0 && o.Type == desc.OperandRegister:
			m := in.ClassMembers(in.OperandClass(op, k, in.DefaultMode))
			x.Add(mc.R(m[(variant*5+k)%len(m)]))
		case o.Type == desc.OperandPCRel:
			return nil, false
		default:
			x.Add(mc.I(int64(5 + variant)))
		}
		if x.N >= mc.MaxOps-5 {
			return nil, false
		}
	}
	return x, true
}

// TestEncodeAgainstLLVM compares every opcode that the encoder takes with
// llvm-mc, through assembly text; what llvm-mc reads as another opcode is passed over.
func TestEncodeAgainstLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	e, p := &Encoder{Facts: in}, &Printer{Facts: in}
	type sample struct {
		op   desc.Opcode
		text string
		enc  []byte
	}
	// llvm-mc lists prefixes, and the wait before some x87 instructions, as instructions of their own.
	prefixed := regexp.MustCompile(`^(lock|rep|wait|f|data16|addr|xacquire|xrelease|notrack|rex64|cs|ds|es|ss|fs|gs)`)
	var samples []sample
	var src bytes.Buffer
	for op := range in.Instrs {
		ts := in.Instrs[op].TSFlags
		if tsEncoding(ts) != 0 || ts&formMask == 0 || tsMap(ts) > 3 {
			continue
		}
		for v := range 4 {
			x, ok := instance(in, desc.Opcode(op), v)
			if !ok {
				continue
			}
			text, err := p.Print(nil, nil, x)
			if err != nil || prefixed.Match(text) {
				continue
			}
			enc, _, err := e.Encode(nil, nil, x)
			if err != nil {
				continue
			}
			samples = append(samples, sample{desc.Opcode(op), string(text), enc})
			fmt.Fprintf(&src, "%s\n", text)
		}
	}
	cmd := exec.Command(tool, "-triple=x86_64", "-show-encoding", "-show-inst", "-output-asm-variant=0")
	cmd.Stdin = &src
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	// Lines that llvm-mc rejects are found by number; the others come in order.
	bad := map[int]bool{}
	for _, m := range regexp.MustCompile(`(?m)^<stdin>:(\d+):\d+: error`).FindAllStringSubmatch(errs.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		bad[n] = true
	}
	if len(bad) > 0 {
		// With errors llvm-mc prints nothing: once more without those lines.
		var good []sample
		src.Reset()
		for k, s := range samples {
			if !bad[k+1] {
				good = append(good, s)
				fmt.Fprintf(&src, "%s\n", s.text)
			}
		}
		samples = good
		cmd = exec.Command(tool, "-triple=x86_64", "-show-encoding", "-show-inst")
		cmd.Stdin = &src
		out.Reset()
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
	}
	text := out.String()
	enc := regexp.MustCompile(`encoding: \[([^\]]*)\]`).FindAllStringSubmatch(text, -1)
	inst := regexp.MustCompile(`<MCInst #(\d+)`).FindAllStringSubmatch(text, -1)
	if len(enc) != len(samples) || len(inst) != len(samples) {
		t.Skipf("skipped: llvm-mc gave %d encodings and %d instructions for %d lines", len(enc), len(inst), len(samples))
	}
	same, wrong := 0, 0
	for k, s := range samples {
		if inst[k][1] != strconv.Itoa(int(s.op)) {
			continue
		}
		var b []string
		for _, c := range s.enc {
			b = append(b, fmt.Sprintf("0x%02x", c))
		}
		if got := strings.Join(b, ","); got != enc[k][1] {
			if wrong++; wrong <= 20 {
				t.Errorf("%s (%s): got %s, want %s", s.text, in.OpcodeName(s.op), got, enc[k][1])
			}
			continue
		}
		same++
	}
	t.Logf("%d instances encode as llvm-mc's, %d do not, of %d (%d lines not accepted)", same, wrong, len(samples), len(bad))
	if same < 3000 {
		t.Errorf("only %d instances were compared", same)
	}
}
