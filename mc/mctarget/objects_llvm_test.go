package mctarget_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	objelf "github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/triple"
)

// objectTargets are the flavors that are compared: how LLVM's assembler is asked,
// and the least number of cases that it takes whose bytes and relocations are ours.
var objectTargets = []struct {
	triple, cpu, features string
	right, wrong          int
}{
	{"riscv64", "", "+m,+a,+f,+d,+v,+zfh", 128, 0},
	{"riscv32", "", "+m,+a,+f,+d,+v,+zfh", 114, 1},
	{"riscv64", "", "+m,+a,+f,+d,+c", 130, 2},
	{"riscv64", "", "+m,+a,+f,+d,+relax", 114, 6},
	{"aarch64", "", "+all", 216, 18},
	{"aarch64_be", "", "+all", 216, 18},
	{"mips", "mips32r2", "", 1199, 0},
	{"mipsel", "mips32r2", "", 1199, 0},
	{"mips64", "mips64r6", "", 1243, 16},
	{"mips64el", "mips64r2", "", 1511, 0},
	{"mips", "mips32r2", "+micromips", 1046, 2},
	{"loongarch64", "", "+d,+lsx", 477, 0},
	{"loongarch32", "", "+d", 362, 0},
	{"sparcv9", "", "+vis,+vis2,+vis3", 208, 0},
	{"sparc", "", "", 208, 0},
	{"armv8.6a", "", "+fullfp16", 11, 0},
	{"thumbv8.6a", "", "+fullfp16", 26, 3},
	{"bpfel", "v4", "", 330, 0},
	{"avr", "atxmega384c3", "", 96, 0},
	{"lanai", "", "", 31, 13},
	{"m68k", "M68040", "", 1539, 0},
	{"msp430", "msp430x", "", 87, 0},
	{"ve", "", "+vpu", 3735, 136},
	{"xtensa", "", "+density,+windowed,+bool,+loop", 0, 0},
}

// kinds of symbols that a case refers to.
const (
	symFar    = iota // not defined
	symAhead         // a label 64 bytes on
	symBehind        // a label 64 bytes back
	symKinds
)

// objectCase is one instruction with an expression.
type objectCase struct {
	op   desc.Opcode
	in   mc.Inst
	sym  int
	text string
	// What LLVM says.
	taken bool
}

type objectTest struct {
	t     *testing.T
	mt    *mctarget.Target
	enc   mc.Encoder
	be    mc.AsmBackend
	out   *mc.ObjectStreamer
	tab   *desc.MCTables
	obj   *desc.ObjectTables
	rnd   *rand.Rand
	cases []objectCase
}

// TestObjectsLLVM holds what becomes of expressions in instructions to LLVM's
// assembler: every opcode with fixups, every specifier, undefined and local symbols.
func TestObjectsLLVM(t *testing.T) {
	tool := testenv.LLVM(t, "llvm-mc")
	if testing.Short() {
		t.Skip("skipped: it takes a minute")
	}
	for _, c := range objectTargets {
		t.Run(c.triple+c.features, func(t *testing.T) {
			of := triple.Parse(triple.Normalize(c.triple + "-unknown-linux-gnu"))
			mt, err := mctarget.New(family.ByArch(of.Arch), of, c.cpu, c.features, nil)
			if err != nil {
				t.Fatal(err)
			}
			x := &objectTest{t: t, mt: mt, rnd: rand.New(rand.NewPCG(13, 3))}
			if x.enc, err = mt.Encoder(); err != nil {
				t.Fatal(err)
			}
			if x.be, err = mt.Backend(); err != nil {
				t.Fatal(err)
			}
			if x.tab, err = mt.Tables(); err != nil {
				t.Fatal(err)
			}
			if x.obj, err = facts.Objects(mt.Info.Target); err != nil {
				t.Fatal(err)
			}
			args := []string{"-triple=" + of.String()}
			if c.cpu != "" {
				args = append(args, "-mcpu="+c.cpu)
			}
			if c.features != "" {
				args = append(args, "-mattr="+c.features)
			}
			x.make()
			x.ask(tool, args)
			right, wrong, taken := x.compare(tool, args)
			t.Logf("%s %s: %d cases, %d taken, %d right, %d wrong", c.triple, c.features, len(x.cases), taken, right, wrong)
			if right < c.right || wrong > c.wrong {
				t.Errorf("%d cases are as LLVM has them and %d are not, want at least %d and at most %d", right, wrong, c.right, c.wrong)
			}
		})
	}
}

var symNames = [symKinds]string{"far", "ahead", "behind"}

// make makes the cases.
func (x *objectTest) make() {
	x.out = mc.NewObjectStreamer(mc.NewContext(x.mt.AsmInfo()), x.enc, x.be)
	ctx := x.out.Context()
	pr, err := x.mt.Printer(0)
	if err != nil {
		x.t.Fatal(err)
	}
	var fl *desc.ObjectFlavor
	o, _ := x.mt.Objects()
	for i := range x.obj.Flavors {
		if f := &x.obj.Flavors[i]; o != nil && f.Name.In(x.obj.Names) == o.Flavor() {
			fl = f
		}
	}
	if fl == nil {
		x.t.Skip("there are no tables of it")
	}
	name := func(b []byte, s mc.Sym) []byte { return append(b, ctx.SymName(s)...) }
	for i := range fl.Exprs {
		e := &fl.Exprs[i]
		specs := []mc.Modifier{0}
		for _, c := range fl.Choices[e.Choices : e.Choices+uint32(e.NumChoices)][1:] {
			specs = append(specs, mc.Modifier(c.Spec))
		}
		for n, m := range specs {
			for sym := range symKinds {
				if sym > 0 && n > 0 {
					continue
				}
				c := objectCase{op: e.Op, sym: sym}
				for try := 0; try < 20; try++ {
					if !x.fill(&c.in, e.Op, int(e.Operand)) {
						break
					}
					s := ctx.Symbol(fmt.Sprintf("%s%d", symNames[sym], len(x.cases)))
					c.in.Ops[e.Operand] = mc.ExprOp(ctx.Ref(s, m))
					text, _, err := pr.AppendInst(nil, nil, ctx, x.mt.ST, &c.in, name)
					if err != nil {
						continue
					}
					c.text = strings.TrimSpace(string(text))
					x.cases = append(x.cases, c)
					break
				}
			}
		}
	}
}

// fill makes random operands; operand k is replaced.
func (x *objectTest) fill(in *mc.Inst, op desc.Opcode, k int) bool {
	in.Op, in.Ops = op, nil
	e := x.tab.Encoder
	row := &e.Instrs[op]
	fields := e.Fields[row.Fields : row.Fields+uint32(row.NumFields)]
	info := x.mt.Info
	for i, o := range info.Operands(op) {
		var f *desc.EncField
		for j := range fields {
			if int(fields[j].Op) == i {
				f = &fields[j]
			}
		}
		class := info.OperandClass(op, i, info.DefaultMode)
		switch {
		case o.TiedTo >= 0:
			in.Add(in.Ops[o.TiedTo])
		case o.Flags&desc.PredicateOperand != 0 && class != desc.NoClass, o.Flags&desc.OptionalDefOperand != 0:
			in.Add(mc.Reg(0))
		case o.Flags&desc.PredicateOperand != 0 && info.Target == "ARM":
			in.Add(mc.Imm(14))
		case f != nil && f.Xform != 0 && e.Xforms[f.Xform].Num > 0:
			t := &e.Xforms[f.Xform]
			key := e.Maps[t.First+x.rnd.Uint32N(t.Num)].Key
			if t.Kind == desc.XformReg {
				in.Add(mc.Reg(desc.PhysReg(key)))
			} else {
				in.Add(mc.Imm(key))
			}
		case class != desc.NoClass && int(class) < len(info.Classes):
			regs := info.ClassMembers(class)
			if len(regs) == 0 {
				return false
			}
			in.Add(mc.Reg(regs[x.rnd.IntN(len(regs))]))
		case f != nil && i != k && e.Formats[f.Format].Bits > 0:
			fm := e.Formats[f.Format]
			v := int64(x.rnd.Uint64() & (1<<min(fm.Bits-1, 12) - 1) << fm.Shift)
			if e.Xforms[f.Xform].Kind == desc.XformSub {
				v = e.Xforms[f.Xform].Add - v
			} else {
				v -= e.Xforms[f.Xform].Add
			}
			in.Add(mc.Imm(v))
		default:
			in.Add(mc.Imm(0))
		}
	}
	return k < len(in.Ops)
}

var showInst = regexp.MustCompile(`<MCInst #\d+ (\w+)`)

// ask finds the cases that LLVM reads as the opcode that was meant.
func (x *objectTest) ask(tool string, args []string) {
	var in bytes.Buffer
	for i := range x.cases {
		fmt.Fprintf(&in, "case%d:\n\t%s\n", i, x.cases[i].text)
	}
	cmd := exec.Command(tool, append([]string{"-show-inst"}, args...)...)
	cmd.Stdin = &in
	out, _ := cmd.Output()
	at := -1
	seen := 0
	for _, l := range strings.Split(string(out), "\n") {
		if n, ok := strings.CutPrefix(l, "case"); ok {
			at, _ = strconv.Atoi(strings.TrimRight(n, ":"))
			seen = 0
		}
		if m := showInst.FindStringSubmatch(l); m != nil && at >= 0 {
			if seen++; seen == 1 {
				x.cases[at].taken = m[1] == x.mt.Info.OpcodeName(x.cases[at].op)
			} else {
				x.cases[at].taken = false
			}
		}
	}
}

// source writes a case.
func (x *objectTest) source(in *bytes.Buffer, i int) {
	c := &x.cases[i]
	sym := fmt.Sprintf("%s%d", symNames[c.sym], i)
	fmt.Fprintf(in, "\t.section .case%d,\"ax\",%%progbits\n", i)
	if c.sym == symBehind {
		fmt.Fprintf(in, "%s:\n\t.space 64\n", sym)
	}
	fmt.Fprintf(in, "\t%s\n", c.text)
	if c.sym == symAhead {
		fmt.Fprintf(in, "\t.space 64\n%s:\n", sym)
	}
}

// compare makes both objects and compares section by section.
func (x *objectTest) compare(tool string, args []string) (right, wrong, taken int) {
	ctx := x.out.Context()
	var in bytes.Buffer
	ours := map[int]string{}
	for i := range x.cases {
		c := &x.cases[i]
		if !c.taken {
			continue
		}
		taken++
		sec := fmt.Sprintf(".case%d", i)
		sym := fmt.Sprintf("%s%d", symNames[c.sym], i)
		x.source(&in, i)
		x.out.SwitchSection(ctx.ELFSection(sec, mc.SecProgBits, mc.FlagAlloc|mc.FlagExec, 0))
		if c.sym == symBehind {
			x.out.Label(x.sym(c, sym))
			x.out.Zeros(64)
		}
		if err := x.out.Inst(&c.in, x.mt.ST); err != nil {
			ours[i] = err.Error()
		}
		if c.sym == symAhead {
			x.out.Zeros(64)
			x.out.Label(x.sym(c, sym))
		}
	}
	dir := x.t.TempDir()
	theirs := filepath.Join(dir, "llvm.o")
	src := filepath.Join(dir, "in.s")
	if err := os.WriteFile(src, in.Bytes(), 0o666); err != nil {
		x.t.Fatal(err)
	}
	// Lines that it refuses when it comes to objects are taken out.
	lines := strings.Split(in.String(), "\n")
	refused := map[int]string{}
	for range 6 {
		out, err := exec.Command(tool, append([]string{"-filetype=obj", "-o", theirs, src}, args...)...).CombinedOutput()
		if err == nil {
			break
		}
		n := 0
		for _, l := range strings.Split(string(out), "\n") {
			f := strings.SplitN(l, ":", 4)
			if len(f) == 4 && strings.Contains(f[3], "error:") {
				k, _ := strconv.Atoi(f[1])
				if k > 0 && lines[k-1] != "" {
					lines[k-1] = ""
					n++
					for k > 0 && !strings.HasPrefix(lines[k-1], "\t.section .case") {
						k--
					}
					if k > 0 {
						i, _ := strconv.Atoi(strings.TrimPrefix(strings.SplitN(lines[k-1], ",", 2)[0], "\t.section .case"))
						refused[i] = f[3]
					}
				}
			}
		}
		if n == 0 {
			x.t.Fatalf("%s", out[:min(len(out), 2000)])
		}
		if err := os.WriteFile(src, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			x.t.Fatal(err)
		}
	}
	their, err := sections(theirs)
	if err != nil {
		x.t.Fatal(err)
	}
	obj, err := x.out.Object()
	if err != nil {
		lines := strings.Split(err.Error(), "\n")
		x.t.Logf("our errors: %d, %s", len(lines), strings.Join(lines[:min(4, len(lines))], "; "))
	}
	file, err := objelf.Append(nil, obj)
	if err != nil {
		x.t.Fatal(err)
	}
	mine := filepath.Join(dir, "ours.o")
	if err := os.WriteFile(mine, file, 0o666); err != nil {
		x.t.Fatal(err)
	}
	our, err := sections(mine)
	if err != nil {
		x.t.Fatal(err)
	}
	shown := 0
	for i := range x.cases {
		c := &x.cases[i]
		if !c.taken || refused[i] != "" {
			continue
		}
		sec := fmt.Sprintf(".case%d", i)
		if our[sec] == their[sec] && ours[i] == "" {
			right++
			continue
		}
		wrong++
		if shown++; shown <= shownCases {
			x.t.Logf("%s: %s\n\tours   %s %s\n\tLLVM's %s", x.mt.Info.OpcodeName(c.op), c.text, our[sec], ours[i], their[sec])
		}
	}
	return right, wrong, taken
}

// shownCases is how many differences of a target are shown.
const shownCases = 6

func (x *objectTest) sym(c *objectCase, name string) mc.Sym { return x.out.Context().Symbol(name) }

// sections are the sections of a file by name: bytes around the instruction and relocations.
func sections(path string) (map[string]string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	name := func(i uint32) string {
		if i == 0 || int(i) > len(syms) {
			return "-"
		}
		if s := &syms[i-1]; elf.ST_TYPE(s.Info) == elf.STT_SECTION {
			return f.Sections[s.Section].Name
		}
		return syms[i-1].Name
	}
	out := map[string]string{}
	for _, s := range f.Sections {
		switch s.Type {
		case elf.SHT_PROGBITS:
			b, err := s.Data()
			if err != nil {
				return nil, err
			}
			out[s.Name] += fmt.Sprintf("%x", bytes.Trim(b, "\x00"))
		}
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA && s.Type != elf.SHT_REL {
			continue
		}
		b, err := s.Data()
		if err != nil {
			return nil, err
		}
		to := f.Sections[s.Info].Name
		for at := 0; at+int(s.Entsize) <= len(b); at += int(s.Entsize) {
			out[to] += reloc(f, b[at:at+int(s.Entsize)], s.Type == elf.SHT_RELA, name)
		}
	}
	return out, nil
}

func reloc(f *elf.File, b []byte, rela bool, name func(uint32) string) string {
	o := f.ByteOrder
	word := func(at int) uint64 {
		if f.Class == elf.ELFCLASS64 {
			return o.Uint64(b[8*at:])
		}
		return uint64(o.Uint32(b[4*at:]))
	}
	info, sym, typ := word(1), uint32(0), uint64(0)
	switch {
	case f.Class == elf.ELFCLASS64 && f.Machine == elf.EM_MIPS:
		sym, typ = o.Uint32(b[8:]), uint64(binary.BigEndian.Uint32(b[12:]))
	case f.Class == elf.ELFCLASS64:
		sym, typ = uint32(info>>32), info&0xffffffff
	default:
		sym, typ = uint32(info>>8), info&0xff
	}
	s := fmt.Sprintf(" [%d type %d %s", word(0), typ, name(sym))
	if rela {
		a := int64(word(2))
		if f.Class == elf.ELFCLASS32 {
			a = int64(int32(a))
		}
		s += fmt.Sprintf(" %+d", a)
	}
	return s + "]"
}
