package table_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// llvmTargets are how LLVM's assembler is asked about a target; floor is the
// least number of opcodes whose every filling that it takes has our bytes, and
// text the least number whose text it writes as we do.
var llvmTargets = map[string]struct {
	args        []string
	floor, text int
}{
	"BPF":       {[]string{"-triple=bpfel", "-mcpu=v4"}, 0, 0},
	"RISCV":     {[]string{"-triple=riscv64", "-mattr=+m,+a,+f,+d,+q,+c,+v,+h,+b,+zfh,+zfa,+zvfh,+zvbb,+zvbc,+zvkg,+zvkned,+zvknhb,+zvksed,+zvksh,+zvfbfmin,+zvfbfwma,+zfbfmin,+zcb,+zcmop,+zbkb,+zbkc,+zbkx,+zknd,+zkne,+zknh,+zksed,+zksh,+zicond,+zimop,+zicbom,+zicbop,+zicboz,+zacas,+zabha,+zawrs,+svinval,+xtheadba,+xtheadbb,+xtheadbs,+xtheadcmo,+xtheadcondmov,+xtheadfmemidx,+xtheadmac,+xtheadmemidx,+xtheadmempair,+xtheadsync,+xventanacondops"}, 0, 0},
	"AArch64":   {[]string{"-triple=aarch64", "-mattr=+all"}, 0, 0},
	"PowerPC":   {[]string{"-triple=powerpc64", "-mcpu=future"}, 0, 0},
	"Mips":      {[]string{"-triple=mips64", "-mcpu=mips64r2", "-mattr=+msa,+dsp,+dspr2,+mt,+virt,+eva"}, 0, 0},
	"SystemZ":   {[]string{"-triple=s390x", "-mcpu=z17"}, 0, 0},
	"LoongArch": {[]string{"-triple=loongarch64", "-mattr=+lasx,+lsx,+lvz,+lbt,+f,+d,+frecipe,+lam-bh,+lamcas,+ld-seq-sa,+div32,+scq"}, 0, 0},
	"Sparc":     {[]string{"-triple=sparcv9", "-mattr=+vis,+vis2,+vis3,+hasleoncasa,+popc,+osa2011,+ua2005,+ua2007,+crypto"}, 0, 0},
	"Lanai":     {[]string{"-triple=lanai"}, 0, 0},
	"AVR":       {[]string{"-triple=avr", "-mcpu=atxmega384c3"}, 0, 0},
	"MSP430":    {[]string{"-triple=msp430", "-mcpu=msp430x"}, 0, 0},
	"VE":        {[]string{"-triple=ve", "-mattr=+vpu"}, 0, 0},
	"Xtensa":    {[]string{"-triple=xtensa", "-mattr=+density,+fp,+windowed,+bool,+loop,+sext,+nsa,+clamps,+mul32,+mul32high,+div32,+mac16,+dfpaccel,+s32c1i,+exception,+debug,+minmax"}, 0, 0},
	"M68k":      {[]string{"-triple=m68k", "-mcpu=M68040"}, 0, 0},
	"ARM":       {[]string{"-triple=armv8.6a", "-mattr=+fullfp16,+dotprod,+crypto,+bf16,+i8mm"}, 0, 0},
}

// fillings is how often an opcode is filled with random operands.
const fillings = 8

// TestLLVM holds encoders and printers of learned tables to LLVM's assembler: it
// reads our text, and writes bytes and text.
func TestLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	for _, name := range facts.MachineCodeNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			how, ok := llvmTargets[name]
			if !ok {
				t.Fatal("the test does not know how to ask LLVM about it")
			}
			c := newComparison(t, name)
			c.run(t, tool, how.args)
			t.Log(c.line())
			if c.rightOps < how.floor || c.textOps < how.text {
				t.Errorf("%s: %d opcodes are encoded and %d written as by LLVM, want at least %d and %d", name, c.rightOps, c.textOps, how.floor, how.text)
			}
			if c.wrongOps > 0 {
				t.Errorf("%s: %d opcodes are encoded otherwise", name, c.wrongOps)
			}
		})
	}
}

// comparison is our side of one target.
type comparison struct {
	name    string
	info    *desc.Info
	t       *desc.MCTables
	enc     *table.Encoder
	printer *table.Printer
	rnd     *rand.Rand
	insts   []filled
	// opcodes with an encoding, with both tables, taken by LLVM at least once,
	// whose bytes and texts are LLVM's, whose bytes are not.
	encoded, both, taken, rightOps, textOps, wrongOps int
}

// filled is one instruction that is compared.
type filled struct {
	op         desc.Opcode
	text, code string
}

func newComparison(t *testing.T, name string) *comparison {
	t.Helper()
	c := &comparison{name: name, rnd: rand.New(rand.NewPCG(8, 22))}
	var err error
	if c.info, err = facts.Load(name); err != nil {
		t.Fatal(err)
	}
	if c.t, err = facts.MachineCode(name); err != nil {
		t.Fatal(err)
	}
	if c.enc, err = table.NewEncoder(c.t.Encoder, c.info, table.EncodeFuncs{}); err != nil {
		t.Fatal(err)
	}
	if c.printer, err = table.NewPrinter(c.t.Writer, c.info, 0, table.PrintFuncs{}); err != nil {
		t.Fatal(err)
	}
	ctx := mc.NewContext(nil)
	for i := range c.t.Encoder.Instrs {
		op := desc.Opcode(i)
		if c.t.Encoder.Instrs[i].Size == 0 {
			continue
		}
		c.encoded++
		if i >= len(c.t.Writer.Rows) || c.t.Writer.Rows[i] == 0 {
			continue
		}
		c.both++
		for range fillings {
			in, ok := c.fill(op)
			if !ok {
				continue
			}
			b, _, err := c.enc.Encode(ctx, nil, in, nil, nil)
			if err != nil {
				t.Errorf("%s: %v", c.info.OpcodeName(op), err)
				continue
			}
			text, _, err := c.printer.AppendInst(nil, nil, ctx, nil, in, nil)
			if err != nil {
				t.Errorf("%s: %v", c.info.OpcodeName(op), err)
				continue
			}
			c.insts = append(c.insts, filled{op, strings.TrimSpace(string(text)), hex.EncodeToString(b)})
		}
	}
	return c
}

// fill makes random operands of what the encoder's fields take.
func (c *comparison) fill(op desc.Opcode) (*mc.Inst, bool) {
	e := c.t.Encoder
	row := &e.Instrs[op]
	fields := e.Fields[row.Fields : row.Fields+uint32(row.NumFields)]
	in := &mc.Inst{Op: op}
	for k, o := range c.info.Operands(op) {
		var f *desc.EncField
		for i := range fields {
			if int(fields[i].Op) == k {
				f = &fields[i]
			}
		}
		class := c.info.OperandClass(op, k, c.info.DefaultMode)
		switch {
		case o.TiedTo >= 0:
			in.Add(in.Ops[o.TiedTo])
		case f != nil && f.Xform != 0 && e.Xforms[f.Xform].Num > 0:
			x := &e.Xforms[f.Xform]
			key := e.Maps[x.First+c.rnd.Uint32N(x.Num)].Key
			if x.Kind == desc.XformReg {
				in.Add(mc.Reg(desc.PhysReg(key)))
			} else {
				in.Add(mc.Imm(key))
			}
		case class != desc.NoClass && int(class) < len(c.info.Classes):
			m := c.info.ClassMembers(class)
			in.Add(mc.Reg(m[c.rnd.IntN(len(m))]))
		case f != nil:
			in.Add(mc.Imm(c.imm(e, f)))
		default:
			in.Add(mc.Imm(0))
		}
	}
	return in, true
}

// imm is a random immediate of a field's format, small where it has none.
func (c *comparison) imm(e *desc.EncoderTable, f *desc.EncField) int64 {
	fm := e.Formats[f.Format]
	x := e.Xforms[f.Xform]
	if fm.Bits == 0 {
		return int64(c.rnd.IntN(8))
	}
	v := int64(c.rnd.Uint64())
	if fm.Bits < 64 {
		v &= 1<<fm.Bits - 1
		if fm.Signed {
			v = v << (64 - fm.Bits) >> (64 - fm.Bits)
		}
	}
	v <<= fm.Shift
	if x.Kind == desc.XformSub {
		return x.Add - v
	}
	return v - x.Add
}

var (
	encodingText = regexp.MustCompile(`encoding: \[([^\]]*)\]`)
	instText     = regexp.MustCompile(`<MCInst #(\d+) `)
	labelText    = regexp.MustCompile(`^L(\d+)x:`)
)

// run asks LLVM and counts.
func (c *comparison) run(t *testing.T, tool string, args []string) {
	var src bytes.Buffer
	for k := range c.insts {
		fmt.Fprintf(&src, "L%dx:\n%s\n", k, c.insts[k].text)
	}
	cmd := exec.Command(tool, append([]string{"-show-encoding", "-show-inst", "-o", "-"}, args...)...)
	cmd.Stdin = &src
	out, _ := cmd.Output() // what is refused is not counted
	at, done := -1, -1
	theirs := filled{}
	type tally struct{ taken, right, text, wrong bool }
	tallies := map[desc.Opcode]*tally{}
	shown := 0
	for _, line := range strings.Split(string(out), "\n") {
		if m := labelText.FindStringSubmatch(line); m != nil {
			at, _ = strconv.Atoi(m[1])
			continue
		}
		if at < 0 || at == done {
			continue
		}
		if m := encodingText.FindStringSubmatch(line); m != nil {
			theirs.code = strings.ReplaceAll(strings.ReplaceAll(m[1], "0x", ""), ",", "")
			text, _, _ := strings.Cut(line, "encoding: [")
			theirs.text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#@;!/|*"))
		}
		m := instText.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		done = at
		op, _ := strconv.Atoi(m[1])
		ours := &c.insts[at]
		if desc.Opcode(op) != ours.op {
			continue // another instruction has this text, too
		}
		y := tallies[ours.op]
		if y == nil {
			y = &tally{right: true, text: true}
			tallies[ours.op] = y
		}
		y.taken = true
		if theirs.code != ours.code {
			y.right, y.wrong = false, true
			if shown++; shown < 20 {
				t.Logf("%s: %q is %s, LLVM has %s", c.info.OpcodeName(ours.op), ours.text, ours.code, theirs.code)
			}
		}
		if theirs.text != ours.text {
			y.text = false
			if shown++; shown < 20 {
				t.Logf("%s: %q, LLVM writes %q", c.info.OpcodeName(ours.op), ours.text, theirs.text)
			}
		}
	}
	for _, y := range tallies {
		if y.taken {
			c.taken++
		}
		if y.right {
			c.rightOps++
		}
		if y.text {
			c.textOps++
		}
		if y.wrong {
			c.wrongOps++
		}
	}
}

// line is the target's row in docs/machine-code.md.
func (c *comparison) line() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", c.name, c.encoded, c.both, c.taken, c.rightOps, c.textOps)
}
