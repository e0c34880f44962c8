package table_test

import (
	"bytes"
	"encoding/hex"
	"errors"
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
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/table"
)

// llvmTargets are how LLVM's assembler is asked about a target, one time after
// the other, with the mode of the encoder in front; right is the least number of opcodes whose every filling that it
// takes has our bytes, and text the least number whose text it writes as we do.
var llvmTargets = map[string]struct {
	args        []string
	right, text int
}{
	"BPF": {[]string{"-triple=bpfel -mcpu=v4"}, 180, 180},
	"RISCV": {[]string{
		"-triple=riscv64 -mattr=+m,+a,+f,+d,+q,+c,+v,+h,+b,+zfh,+zfa,+zvfh,+zvbb,+zvbc,+zvkg,+zvkned,+zvknhb,+zvksed,+zvksh,+zvfbfmin,+zvfbfwma,+zfbfmin,+zcb,+zcmop,+zbkb,+zbkc,+zbkx,+zknd,+zkne,+zknh,+zksed,+zksh,+zicond,+zimop,+zicbom,+zicbop,+zicboz,+zacas,+zabha,+zawrs,+svinval,+smrnmi,+smctr,+sdext,+experimental-zvqdotq,+experimental-zicfiss,+experimental-zalasr",
		"-triple=riscv64 -mattr=+m,+a,+f,+d,+c,+v,+zvfh,+xtheadba,+xtheadbb,+xtheadbs,+xtheadcmo,+xtheadcondmov,+xtheadfmemidx,+xtheadmac,+xtheadmemidx,+xtheadmempair,+xtheadsync,+xtheadvdot",
		"-triple=riscv64 -mattr=+m,+a,+f,+d,+c,+v,+zvfh,+xsfvcp,+xsfvqmaccdod,+xsfvqmaccqoq,+xsfvfwmaccqqq,+xsfvfnrclipxfqf,+xsfmm32t,+xsfmm32a8i,+xsfmm32a8f,+xsfmm64a64f,+xsfcease,+xsifivecdiscarddlone,+xsifivecflushdlone,+xventanacondops",
		"-triple=riscv64 -mattr=+m,+a,+f,+d,+c,+v,+xandesperf,+xandesvbfhcvt,+xandesvdot,+xandesvpackfph,+xandesvsinth,+xmipscmov,+xmipslsp,+xmipscbop,+xmipsexectl",
		"-triple=riscv64 -mattr=+m,+a,+zca,+zcb,+zcmp,+zcmt,+zba,+zbb,+zdinx,+zhinx",
		"-triple=riscv64 -mattr=+m,+experimental-p",
		"-triple=riscv32 -mattr=+m,+a,+f,+d,+c,+v,+h,+zknd,+zkne,+zknh,+zbkb,+zbb,+experimental-p",
		"-triple=riscv32 -mattr=+m,+zca,+zcb,+zba,+zbb,+xqci,+experimental-xqcia",
		"-triple=riscv32 -mattr=+m,+f,+zca,+xcvalu,+xcvbi,+xcvbitmanip,+xcvelw,+xcvmac,+xcvmem,+xcvsimd",
		"-triple=riscv32 -mattr=+m,+zdinx,+zhinx,+zilsd,+zclsd,+zca",
	}, 2729, 2729},
	"AArch64": {[]string{"-triple=aarch64 -mattr=+all"}, 7449, 7406},
	"PowerPC": {[]string{"-triple=powerpc64 -mcpu=future", "-triple=powerpc -mattr=+spe", "-triple=powerpc -mcpu=440"}, 1825, 1824},
	"Mips": {[]string{
		"-triple=mips64 -mcpu=mips64r2 -mattr=+msa,+dsp,+dspr2,+mt,+virt,+eva", "-triple=mips64 -mcpu=mips64r6 -mattr=+msa,+dsp,+dspr2,+dspr3,+crc,+virt,+ginv",
		"-triple=mips -mcpu=mips32r2 -mattr=+msa,+dsp,+dspr2,+mt,+virt,+eva", "micromips -triple=mips -mcpu=mips32r2 -mattr=+micromips,+dsp,+dspr2,+virt,+eva",
		"micromips -triple=mips -mcpu=mips32r6 -mattr=+micromips,+dsp,+dspr2,+dspr3,+eva,+crc,+ginv,+virt", "-triple=mips64 -mcpu=octeon+",
	}, 1725, 1724},
	"SystemZ":   {[]string{"-triple=s390x -mcpu=z17"}, 2456, 2456},
	"LoongArch": {[]string{"-triple=loongarch64 -mattr=+lasx,+lsx,+lvz,+lbt,+f,+d,+frecipe,+lam-bh,+lamcas,+ld-seq-sa,+div32,+scq", "-triple=loongarch32 -mattr=+f,+d"}, 2032, 2032},
	"Sparc":     {[]string{"-triple=sparcv9 -mattr=+vis,+vis2,+vis3,+hasleoncasa,+popc,+osa2011,+ua2005,+ua2007,+crypto"}, 445, 442},
	"Lanai":     {[]string{"-triple=lanai"}, 66, 66},
	"AVR":       {[]string{"-triple=avr -mcpu=atxmega384c3", "-triple=avr -mcpu=attiny10"}, 85, 85},
	"MSP430":    {[]string{"-triple=msp430 -mcpu=msp430x"}, 151, 151},
	"Xtensa":    {[]string{"-triple=xtensa -mattr=+density,+fp,+windowed,+bool,+loop,+sext,+nsa,+clamps,+mul32,+mul32high,+div32,+mac16,+dfpaccel,+s32c1i,+exception,+debug,+minmax"}, 231, 231},
	"M68k":      {[]string{"-triple=m68k -mcpu=M68040"}, 483, 483},
	"VE":        {[]string{"-triple=ve -mattr=+vpu"}, 1981, 1981},
	"ARM": {[]string{
		"-triple=armv8.6a -mattr=+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb", "thumb -triple=thumbv8.1m.main -mattr=+mve.fp,+lob,+pacbti,+dsp,+fp64,+fullfp16,+8msecext",
		"thumb -triple=thumbv8.6a -mattr=+fullfp16,+dotprod,+crypto,+bf16,+i8mm", "-triple=armv7a -mattr=+vfp4,+neon", "-triple=armv5te",
	}, 2144, 2143},
}

// leastRead is the least number of texts that are read as LLVM reads them, of those
// that it takes as one instruction (for several subtargets each text counts again).
var leastRead = map[string]int{
	"AArch64": 59286, "ARM": 44155, "AVR": 696, "BPF": 696, "Lanai": 540, "LoongArch": 16298, "M68k": 4431, "MSP430": 1142, "Mips": 37313,
	"PowerPC": 20588, "RISCV": 23535, "Sparc": 3644, "SystemZ": 20063, "VE": 64567, "Xtensa": 1823,
}

// fillings is how often an opcode is filled with random operands.
const fillings = 8

// TestLLVM holds encoders and printers of learned tables to LLVM's assembler: it
// reads our text, and writes bytes and text.
func TestLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	if testing.Short() {
		t.Skip("skipped: it takes half a minute")
	}
	for _, name := range facts.MachineCodeNames() {
		if name == "X86" { // target/x86/mctargetdesc has its encoder, and a test like this
			continue
		}
		t.Run(name, func(t *testing.T) {
			how, ok := llvmTargets[name]
			if !ok {
				t.Fatal("the test does not know how to ask LLVM about it")
			}
			c := newComparison(t, name)
			for _, args := range how.args {
				list := strings.Fields(args)
				c.inMode = c.enc
				if !strings.HasPrefix(args, "-") {
					c.inMode, list = c.enc.InMode(list[0]), list[1:]
				}
				c.run(t, tool, list, 0, len(c.insts))
			}
			c.count(t)
			t.Log(c.line())
			if c.rightOps < how.right || c.textOps < how.text {
				t.Errorf("%s: %d opcodes are encoded and %d written as by LLVM, want at least %d and %d", name, c.rightOps, c.textOps, how.right, how.text)
			}
			if c.sameTexts < leastRead[name] {
				t.Errorf("%s: %d texts are read as LLVM reads them, want at least %d", name, c.sameTexts, leastRead[name])
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
	inMode  *table.Encoder
	printer *table.Printer
	rnd     *rand.Rand
	insts   []filled
	reader  *table.Reader
	asm     plainAssembler // with the subtarget that is asked
	// texts that LLVM takes as one instruction, and those that are read as the same.
	texts, sameTexts, notRead, misread int
	// opcodes with an encoding, with both tables, taken by LLVM at least once,
	// whose bytes and texts are LLVM's, whose bytes are not.
	encoded, both, taken, rightOps, textOps, wrongOps int
	shown                                             int
	tallies                                           []tally // by opcode
}

// filled is one instruction that is compared.
type filled struct {
	op   desc.Opcode
	ops  []mc.Operand
	text string
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
	m, err := facts.Matcher(name)
	if err != nil {
		t.Fatal(err)
	}
	if m != nil {
		c.reader = table.NewReader(m, c.t, c.info, mctarget.Syntax(name))
	}
	c.tallies = make([]tally, c.info.NumInstrs())
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
		// Of values that a field holds some may mean nothing: they have no text.
		n := 0
		for try := 0; n < fillings && try < 32*fillings; try++ {
			in := c.fill(op)
			text, _, err := c.printer.AppendInst(nil, nil, ctx, nil, in, nil)
			if err == nil {
				c.insts = append(c.insts, filled{op, in.Ops, strings.TrimSpace(string(text))})
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: no random filling has a text", c.info.OpcodeName(op))
		}
	}
	return c
}

// fill makes random operands of what the encoder's fields take.
func (c *comparison) fill(op desc.Opcode) *mc.Inst {
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
		case o.Flags&desc.PredicateOperand != 0 && class != desc.NoClass:
			in.Add(mc.Reg(0)) // the flags of a condition that holds always
		case o.Flags&desc.PredicateOperand != 0 && c.name == "ARM":
			in.Add(mc.Imm(14)) // which Thumb wants outside of IT blocks
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
	return in
}

// imm is a random immediate of a field's format, small where it has none.
func (c *comparison) imm(e *desc.EncoderTable, f *desc.EncField) int64 {
	fm := e.Formats[f.Format]
	x := e.Xforms[f.Xform]
	if x.Kind == desc.XformSign {
		v := int64(c.rnd.Uint64()) & x.Add
		if c.rnd.IntN(2) == 0 {
			v = -v
		}
		return v
	}
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
	operandText  = regexp.MustCompile(`<MCOperand (Reg|Imm):([^>]*)>`)
	labelText    = regexp.MustCompile(`^L(\d+)x:`)
)

// answer is what LLVM made of one text.
type answer struct {
	op         desc.Opcode
	ops        []string // as -show-inst writes them
	text, code string
}

// run asks LLVM about instructions lo to hi and judges them. Where LLVM crashes it
// is asked about halves: what it crashes at is not counted.
func (c *comparison) run(t *testing.T, tool string, args []string, lo, hi int) {
	var src bytes.Buffer
	c.asm = newPlainAssembler(t, c.info, args)
	for k := lo; k < hi; k++ {
		known := c.tallies[c.insts[k].op].taken && c.inMode == c.enc // by an earlier subtarget
		if !known && !strings.Contains(c.insts[k].text, "\n") {
			fmt.Fprintf(&src, "L%dx:\n%s\n", k, c.insts[k].text)
		}
	}
	cmd := exec.Command(tool, append([]string{"-show-encoding", "-show-inst", "-o", "-"}, args...)...)
	cmd.Stdin = &src
	out, err := cmd.Output() // what is refused is not counted
	if x := (*exec.ExitError)(nil); errors.As(err, &x) && x.ExitCode() != 1 {
		if mid := (lo + hi) / 2; mid > lo {
			c.run(t, tool, args, lo, mid)
			c.run(t, tool, args, mid, hi)
		} else {
			t.Logf("%s: llvm-mc crashes at %q", c.name, c.insts[lo].text)
		}
		return
	}
	at := -1
	var theirs answer
	done := func() {
		if at >= 0 && theirs.op != 0 {
			c.judge(t, &c.insts[at], &theirs)
			c.read(t, &c.insts[at], &theirs)
		}
		theirs = answer{}
	}
	for _, line := range strings.Split(string(out), "\n") {
		if m := labelText.FindStringSubmatch(line); m != nil {
			done()
			at, _ = strconv.Atoi(m[1])
			continue
		}
		if m := encodingText.FindStringSubmatch(line); m != nil {
			theirs.code = strings.ReplaceAll(strings.ReplaceAll(m[1], "0x", ""), ",", "")
			text, _, _ := strings.Cut(line, "encoding: [")
			theirs.text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "#@;!/|*"))
		}
		if m := instText.FindStringSubmatch(line); m != nil {
			if theirs.op != 0 { // a second instruction: the text is a macro's
				theirs.op, at = 0, -1
				continue
			}
			op, _ := strconv.Atoi(m[1])
			theirs.op = desc.Opcode(op)
		}
		if m := operandText.FindStringSubmatch(line); m != nil {
			theirs.ops = append(theirs.ops, m[2])
		} else if strings.Contains(line, "<MCOperand") {
			theirs.ops = append(theirs.ops, "?")
		}
	}
	done()
}

// count adds up the opcodes.
func (c *comparison) count(t *testing.T) {
	var without []string
	for op, y := range c.tallies {
		if y.taken {
			c.taken++
		} else if op < len(c.t.Encoder.Instrs) && c.t.Encoder.Instrs[op].Size > 0 {
			without = append(without, c.info.OpcodeName(desc.Opcode(op)))
		}
		if y.taken && !y.wrong {
			c.rightOps++
		}
		if y.taken && !y.other {
			c.textOps++
		}
		if y.wrong {
			c.wrongOps++
		}
	}
	t.Logf("%d not taken: %s …", len(without), without[:min(len(without), 20)])
}

// tally is what became of an opcode: taken by LLVM as the same instruction,
// encoded or written otherwise.
type tally struct{ taken, wrong, other bool }

// judge compares an instruction with what LLVM read in its text. Where it read
// other operands or another opcode the text has two meanings, or LLVM does not
// read what it writes: nothing is learned from that.
func (c *comparison) judge(t *testing.T, ours *filled, theirs *answer) {
	if theirs.op != ours.op || len(theirs.ops) != len(ours.ops) {
		return
	}
	for k, o := range ours.ops {
		if theirs.ops[k] != c.operandText(o) {
			return
		}
	}
	y := &c.tallies[ours.op]
	b, _, err := c.inMode.Encode(mc.NewContext(nil), nil, &mc.Inst{Op: ours.op, Ops: ours.ops}, nil, nil)
	if err != nil {
		return // the mode takes fewer values, LLVM cuts them off
	}
	y.taken = true
	if code := hex.EncodeToString(b); theirs.code != code {
		y.wrong = true
		t.Logf("%s: %q is %s, LLVM has %s", c.info.OpcodeName(ours.op), ours.text, code, theirs.code)
	}
	if theirs.text != ours.text {
		y.other = true
		if c.shown++; c.shown < 20 {
			t.Logf("%s: %q, LLVM writes %q", c.info.OpcodeName(ours.op), ours.text, theirs.text)
		}
	}
}

// read holds our reading of a text to LLVM's.
func (c *comparison) read(t *testing.T, ours *filled, theirs *answer) {
	if c.reader == nil {
		return
	}
	c.texts++
	var in mc.Inst
	if err := c.reader.Match(&c.asm, ours.text, &in); err != nil {
		if c.notRead++; c.notRead < 30 {
			t.Logf("%s: %q is not read: %v", c.info.OpcodeName(ours.op), ours.text, err)
		}
		return
	}
	same := in.Op == theirs.op && len(in.Ops) == len(theirs.ops)
	for k := 0; same && k < len(in.Ops); k++ {
		same = c.operandText(in.Ops[k]) == theirs.ops[k] || theirs.ops[k] == "?"
	}
	if same {
		c.sameTexts++
	} else if c.misread++; c.misread < 30 {
		t.Logf("%q is read as %s, LLVM reads %s %v", ours.text, c.info.OpcodeName(in.Op), c.info.OpcodeName(theirs.op), theirs.ops)
	}
}

// operandText is how -show-inst writes an operand.
func (c *comparison) operandText(o mc.Operand) string {
	if !o.IsReg() {
		return strconv.FormatInt(o.Imm(), 10)
	}
	if o.Reg() == 0 {
		return ""
	}
	return c.info.RegName(o.Reg())
}

// line is the target's row in docs/machine-code.md.
func (c *comparison) line() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d of %d texts are read, %d otherwise |", c.name, c.encoded, c.both, c.taken, c.rightOps, c.textOps, c.sameTexts, c.texts, c.misread)
}
