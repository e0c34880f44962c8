package mcgen_test

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
)

func parse(t testing.TB, name, src string) (*tablegen.Records, *targetinfo.Target) {
	t.Helper()
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	td, err := targetinfo.Build(rs, targetinfo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return rs, td
}

// rich is the target of testdata/rich.td, ready for use.
type rich struct {
	info    *desc.Info
	src     *mcgen.Source
	enc     *table.Encoder
	encT    *desc.EncoderTable
	dec     *table.Decoder
	printer [2]*table.Printer
	match   *table.Matcher
}

func load(t testing.TB) *rich {
	t.Helper()
	text, err := os.ReadFile("testdata/rich.td")
	if err != nil {
		t.Fatal(err)
	}
	rs, td := parse(t, "rich.td", string(text))
	r := &rich{info: td.Info, src: mcgen.New(rs, td)}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	r.encT, err = r.src.Encoder()
	check(err)
	r.enc, err = table.NewEncoder(r.encT, r.info, table.EncodeFuncs{Methods: map[string]func(*table.Encoding, int) (uint64, error){
		"halve": func(e *table.Encoding, op int) (uint64, error) { v, err := e.Plain(op); return v / 2, err },
	}})
	check(err)
	d, err := r.src.Decoder(mcgen.DecoderOptions{})
	check(err)
	r.dec, err = table.NewDecoder(d, r.info, map[string]table.DecodeFunc{
		"twice": func(d *table.Decoding, v uint64) table.Status {
			d.Inst.Add(mc.Imm(int64(v * 2)))
			return table.Success
		},
	})
	check(err)
	w, err := r.src.Writer()
	check(err)
	for v := range r.printer {
		r.printer[v], err = table.NewPrinter(w, r.info, v, table.PrintFuncs{Methods: map[string]table.PrintFunc{
			"printHex": func(p *table.Printing, op int) error {
				p.B = fmt.Appendf(p.B, "%#x", p.Inst.Ops[op].Imm())
				return nil
			},
			"printMem": func(p *table.Printing, op int) error {
				p.B = append(p.B, '[')
				p.Operand(op)
				p.B = append(p.B, " + "...)
				p.Operand(op + 1)
				p.B = append(p.B, ']')
				return nil
			},
			"printFlag": func(p *table.Printing, op int) error {
				if p.Inst.Ops[op].Imm() != 0 {
					p.B = append(p.B, ", carry"...)
				}
				return nil
			},
		}})
		check(err)
	}
	m, err := r.src.Matcher()
	check(err)
	r.match, err = table.NewMatcher(m, r.info, table.MatchFuncs{
		Parsers: map[string]func(*table.Parsing, *table.AsmOperand) bool{
			"parseMem": func(p *table.Parsing, o *table.AsmOperand) bool {
				reg, ok := desc.PhysReg(0), p.Token("[")
				if ok {
					reg, ok = p.Register()
				}
				if !ok || !p.Token("+") {
					return false
				}
				_, v, constant, err := p.Expr()
				o.Op, o.More = mc.Reg(reg), []mc.Operand{mc.Imm(v)}
				return err == nil && constant && p.Token("]")
			},
			"parseFlag": func(p *table.Parsing, o *table.AsmOperand) bool {
				o.Op = mc.Imm(1)
				return p.Token(",") && p.Token("carry")
			},
		},
		Preds: map[string]func(*table.Parsing, *table.AsmOperand) bool{
			"isEven": func(_ *table.Parsing, o *table.AsmOperand) bool { return o.Op.IsImm() && o.Op.Imm()%2 == 0 },
		},
		Renders: map[string]table.RenderFunc{
			"addMem": func(p *table.Parsing, o *table.AsmOperand) {
				p.Inst.Add(o.Op)
				p.Inst.Ops = append(p.Inst.Ops, o.More...)
			},
		},
		Defaults: map[string]func(*table.Parsing, *table.AsmOperand){
			"noFlag": func(_ *table.Parsing, o *table.AsmOperand) { o.Op = mc.Imm(0) },
		},
	})
	check(err)
	return r
}

// subtarget has the named features.
func (r *rich) subtarget(names ...string) *mc.Subtarget {
	st := &mc.Subtarget{Info: r.info, Features: make([]uint64, 4)}
	for _, n := range names {
		i, _ := r.info.FeatureByName(n)
		b := r.info.Features[i].Bit
		st.Features[b/64] |= 1 << (b % 64)
	}
	return st
}

// TestRoundTrip takes each instruction with random operands to bytes, back to an
// instruction, to text in both variants, and back again.
func TestRoundTrip(t *testing.T) {
	r := load(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	st := r.subtarget("mul", "new")
	ctx := mc.NewContext(nil)
	tried := 0
	for op := desc.Opcode(desc.FirstTargetOpcode); int(op) < r.info.NumInstrs(); op++ {
		if r.info.Instr(op).IsPseudo() {
			continue
		}
		tried++
		for done := 0; done < 300; {
			in := mc.Inst{Op: op}
			for _, o := range r.info.Operands(op) {
				switch {
				case o.TiedTo >= 0:
					in.Add(in.Ops[o.TiedTo])
				case o.RegClass >= 0:
					l := r.info.ClassMembers(o.RegClass)
					in.Add(mc.Reg(l[rnd.IntN(len(l))]))
				default:
					in.Add(mc.Imm(rnd.Int64N(1<<32) >> rnd.IntN(33)))
				}
			}
			code, _, err := r.enc.Encode(ctx, st, &in, nil, nil)
			if err != nil {
				continue
			}
			if name := r.info.OpcodeName(op); name == "EVEN" && (in.Ops[0].Imm()&1 != 0 || in.Ops[0].Imm() > 14) ||
				name == "SETI" && in.Ops[1].Imm() == 0 {
				continue // these are other instructions, or none
			}
			done++
			var dec, back mc.Inst
			if n, s := r.dec.Decode("", st, code, 0, &dec); s != table.Success || n != len(code) || dec.Op != op {
				t.Fatalf("%s%v: % x is decoded as %s (%v, %d bytes)", r.info.OpcodeName(op), in.Ops, code, r.info.OpcodeName(dec.Op), s, n)
			}
			for v, p := range r.printer {
				text, _, err := p.AppendInst(nil, nil, ctx, st, &dec, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := r.match.Match(ctx, st, v, string(text), &back); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				again, _, err := r.enc.Encode(ctx, st, &back, nil, nil)
				if back.Op != op || !slices.Equal(back.Ops, dec.Ops) || !bytes.Equal(again, code) {
					t.Fatalf("%s%v printed as %q is read as %s%v: % x, was % x (%v)", r.info.OpcodeName(op), dec.Ops, text, r.info.OpcodeName(back.Op), back.Ops, again, code, err)
				}
			}
		}
	}
	if tried != 13 {
		t.Errorf("%d instructions, want 13", tried)
	}
}

func (r *rich) inst(name string, ops ...any) *mc.Inst {
	op, _ := r.info.OpcodeByName(name)
	in := &mc.Inst{Op: op}
	for _, o := range ops {
		switch o := o.(type) {
		case string:
			p, _ := r.info.RegByName(o)
			in.Add(mc.Reg(p))
		case int:
			in.Add(mc.Imm(int64(o)))
		}
	}
	return in
}

// TestPrint: aliases, features, variants, alternative register names.
func TestPrint(t *testing.T) {
	r := load(t)
	st := r.subtarget("mul", "new")
	old := r.subtarget("old")
	for _, c := range []struct {
		in      *mc.Inst
		st      *mc.Subtarget
		variant int
		want    string
	}{
		{r.inst("ADDI", "r1", "r2", 5), st, 0, "addi\tr1, r2, 5"},
		{r.inst("ADDI", "r1", "r2", 0), st, 0, "copy\tr1, r2"},
		{r.inst("ADDI", "r1", "r0", 5), st, 0, "addi\tr1, r0, 5"}, // li is only read
		{r.inst("MUL", "r1", "r2", "r2"), st, 0, "double\tr1, r2"},
		{r.inst("MUL", "r1", "r2", "r2"), old, 0, "mul\tr1, r2, r2"},
		{r.inst("MUL", "r1", "r2", "r3"), st, 0, "mul\tr1, r2, r3"},
		{r.inst("EVEN", 6), st, 0, "ready"},
		{r.inst("EVEN", 6), old, 0, "even\t6"},
		{r.inst("MOV", "r12", "r3"), st, 0, "movl\tr3, x12"},
		{r.inst("MOV", "r12", "r3"), st, 1, "mov\tx12, r3"},
		{r.inst("LD", "r12", "r3", -7), st, 1, "ld\tr12, [r3 + -7]"},
		{r.inst("SETI", "r1", 10), st, 0, "seti\tr1, 0xa"},
		{r.inst("ACC", "r1", "r1", "r2", 1), st, 0, "acc\tr1, r2, carry"},
		{r.inst("ACC", "r1", "r1", "r2", 0), st, 0, "acc\tr1, r2"},
	} {
		got, _, err := r.printer[c.variant].AppendInst(nil, nil, mc.NewContext(nil), c.st, c.in, nil)
		if string(got) != c.want || err != nil {
			t.Errorf("got %q (%v), want %q", got, err, c.want)
		}
	}
}

// TestMatch: what is read, and what is said about mistakes.
func TestMatch(t *testing.T) {
	r := load(t)
	st, old := r.subtarget("mul", "new"), r.subtarget("old")
	for _, c := range []struct {
		text string
		st   *mc.Subtarget
		want string
	}{
		{"li r3, -4", st, "ADDI R3 R0 -4"},
		{"LOAD x3, [ r4 + 2*3 ]", st, "LD R3 R4 6"},
		{"jump 8", st, "BR 8"},
		{"jump 8", old, "0: invalid instruction mnemonic 'jump'"},
		{"mul r1, r2", st, "MUL R1 R1 R2"},
		{"mul r1, r2, r3", r.subtarget("mul"), "14: instruction requires: mul old or new"},
		{"acc r1, r2", st, "ACC R1 R1 R2 0"},
		{"acc r1, r2, carry", st, "ACC R1 R1 R2 1"},
		{"inc r9", st, "4: expected a register of class Low"},
		{"inc r7", st, "INC16 R7 R7"},
		{"two r1, x1, r3", st, "TWO R1 R1 R3"},
		{"two r1, r2, r3", st, "8: operand must be the same register as operand 1"},
		{"addi r1; r2; 3", st, "ADDI R1 R2 3"},
		{"even 3", st, "5: expected an even number"},
		{"movl r1, r9", st, "MOV R9 R1"},
		{"mov r1, r2", st, "0: invalid instruction mnemonic 'mov', did you mean: movl?"},
		{"ready", st, "EVEN 6"},
		{"ready", old, "5: instruction requires: not old"},
		{"seti r1, 16", st, "9: immediate must be an integer in the range [0, 15]"},
		{"seti r1, label", st, "9: expected a constant"},
		{"ld r1, r2", st, "7: invalid operand: expected Mem"},
		{"addi r1, r2, 3 4", st, "15: unexpected text behind the instruction"},
		{"", st, "0: expected an instruction mnemonic"},
	} {
		var in mc.Inst
		got := ""
		err := r.match.Match(mc.NewContext(nil), c.st, 0, c.text, &in)
		var e *table.MatchError
		if errors.As(err, &e) {
			got = fmt.Sprintf("%d: %s", e.Off, e.Error())
		} else {
			got = r.info.OpcodeName(in.Op)
			for _, o := range in.Ops {
				if o.IsReg() {
					got += " " + r.info.RegName(o.Reg())
				} else {
					got += fmt.Sprint(" ", o.Imm())
				}
			}
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// TestRandomText: no text makes the matcher panic.
func TestRandomText(t *testing.T) {
	r := load(t)
	rnd := rand.New(rand.NewPCG(7, 8))
	words := []string{"addi", "ld", "acc", "mul", "br", "movl", "wide", "r1", "r9", "x3", "[", "]", "+", ",", "carry", "(", ")", "-", "~", "7", "0x1f", "a@plt", "b", "<<", "*", " ", "\t", "'", "%", "é", "99999999999999999999", "/", "0"}
	st := r.subtarget("mul", "new")
	var in mc.Inst
	good := 0
	for range 10_000 {
		line := ""
		for range 1 + rnd.IntN(9) {
			line += words[rnd.IntN(len(words))]
			if rnd.IntN(2) == 0 {
				line += " "
			}
		}
		if r.match.Match(mc.NewContext(nil), st, rnd.IntN(2), line, &in) == nil {
			good++
		}
	}
	t.Logf("%d lines are instructions", good)
	deep := "br " + strings.Repeat("(", 100_000) + "1"
	if r.match.Match(mc.NewContext(nil), st, 0, deep, &in) == nil {
		t.Error("deep nesting is accepted")
	}
}

// TestSymbols: attempts that fail leave no symbols behind.
func TestSymbols(t *testing.T) {
	r := load(t)
	ctx := mc.NewContext(nil)
	var in mc.Inst
	for _, text := range [...]string{"seti r1, nothing", "br nothing there", "addi r1, r2, nothing"} {
		if r.match.Match(ctx, r.subtarget(), 0, text, &in) == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if ctx.Lookup("nothing") != 0 {
		t.Error("a symbol of a line that is no instruction exists")
	}
	if err := r.match.Match(ctx, r.subtarget(), 0, "br -(there+2)", &in); err != nil || !in.Ops[0].IsExpr() || ctx.Lookup("there") == 0 {
		t.Error(err)
	}
}

// TestDecode: special cases, features, soft failures, lengths.
func TestDecode(t *testing.T) {
	r := load(t)
	st := r.subtarget("mul", "new")
	for _, c := range []struct {
		code []byte
		st   *mc.Subtarget
		want string
	}{
		{[]byte{3, 0, 0x50, 2}, st, "ZERO success 4"},
		{[]byte{0x0f, 0, 0x50, 2}, st, "SETI success 4"},
		{[]byte{3, 0x30, 0x12, 5}, st, "MUL success 4"},
		{[]byte{7, 0x30, 0x12, 5}, st, "MUL soft fail 4"},
		{[]byte{3, 0x30, 0x12, 5}, r.subtarget(), "PHI fail 2"},
		{[]byte{0x29, 1, 0, 0}, st, "INC16 success 2"},
		{[]byte{2, 0x34, 0x12, 0xa5, 0x78, 0x56}, st, "WIDE success 6"},
		{[]byte{2, 0x34, 0x12, 0xa5, 0x78}, st, "PHI fail 2"},
		{[]byte{3}, st, "PHI fail 1"},
		{nil, st, "PHI fail 0"},
	} {
		var in mc.Inst
		n, s := r.dec.Decode("", c.st, c.code, 0, &in)
		if got := fmt.Sprintf("%s %v %d", r.info.OpcodeName(in.Op), s, n); got != c.want {
			t.Errorf("% x: got %s, want %s", c.code, got, c.want)
		}
	}
	var in mc.Inst
	r.dec.Decode("", st, []byte{2, 0x34, 0x12, 0xa5, 0x78, 0x56}, 0, &in)
	if got := fmt.Sprint(r.info.RegName(in.Ops[0].Reg()), in.Ops[1].Imm()); got != fmt.Sprint("R5", 0x56781234) {
		t.Errorf("WIDE has operands %s", got)
	}
}

// TestFixup: a symbol becomes a fixup whose value goes where the operand's bits are.
func TestFixup(t *testing.T) {
	r := load(t)
	ctx := mc.NewContext(nil)
	in := r.inst("BR")
	in.Add(mc.ExprOp(ctx.Ref(ctx.Symbol("there"), mc.ModNone)))
	code, fx, err := r.enc.Encode(ctx, r.subtarget(), in, []byte{0xff}, nil)
	if err != nil || len(fx) != 1 || fx[0].Offset != 1 || fx[0].Addend != -4 {
		t.Fatalf("% x %v %v", code, fx, err)
	}
	be := table.NewBackend(r.encT, mc.Machine{}, nil)
	if !be.FixupInfo(fx[0].Kind).PCRel {
		t.Error("the fixup is not pc-relative")
	}
	for _, c := range []struct {
		v    int64
		want string
	}{{0x1234 * 2, "ff 03 34 12 07"}, {-2, "ff 03 ff ff 07"}, {3, "fix16: 3 is not a multiple of 2"}, {1 << 17, "fix16: 131072 is out of range [-65536, 65534]"}} {
		place := slices.Clone(code)
		got := ""
		if err := be.Apply(place[1:], fx[0].Kind, c.v); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprintf("% x", place)
		}
		if got != c.want {
			t.Errorf("%d: got %s, want %s", c.v, got, c.want)
		}
	}
	if typ, err := be.RelocType(fx[0].Kind, mc.ModNone, true); typ != 7 || err != nil {
		t.Error(typ, err)
	}
}

// TestErrors: what is wrong in a description is said where it stands.
func TestErrors(t *testing.T) {
	head := `include "mirin/Target.td"
def R0 : Register<"r0">; def R1 : Register<"r1">;
def G : RegisterClass<"T", [i32], 32, (add R0, R1)>;
def L : RegisterClass<"T", [i32], 32, (add R0)>;
def II : InstrInfo; def T : Target { let InstructionSet = II; }
class I<string asm> : Instruction { let Namespace = "T"; let Size = 2; field bits<16> Inst; bits<1> rd; let Inst{0} = rd;
  let OutOperandList = (outs G:$rd); let InOperandList = (ins); let AsmString = asm; }
`
	for _, c := range []struct{ gen, src, want string }{
		{"decoder", `def A : I<"a $rd"> { let Inst{15-1} = 1; } def B : I<"b $rd"> { let Inst{15-1} = 1; }`,
			"t.td:8:48: error: decoding conflict: 'B' and 'A' (t.td:8) have the same encoding 000000000000001_"},
		{"writer", `def A : I<"a $rx"> { let Inst{15-1} = 1; }`, "t.td:8:5: error: 'A' does not have an operand named '$rx'!"},
		{"writer", `def A : I<"a {$rd"> { let Inst{15-1} = 1; }`, "t.td:8:5: error: alternatives without an end in 'a {$rd'"},
		{"matcher", `def A : I<"a $rx"> { let Inst{15-1} = 1; }`, "t.td:8:5: error: unable to find operand: 'rx'"},
		{"matcher", `def A : I<"a ${rd:h}"> { let Inst{15-1} = 1; }`, "t.td:8:5: error: matcher does not support asm operand modifier ':h'"},
		{"matcher", `def A : I<""> { let Inst{15-1} = 1; }`, "t.td:8:5: error: instruction with empty asm string"},
		{"matcher", `def A : I<"a $rd"> { let Inst{15-1} = 1; } def : InstAlias<"b", (A)>;`, "t.td:8:44: error: not enough arguments for instruction!"},
		{"matcher", `def A : I<"a $rd"> { let Inst{15-1} = 1; } def : InstAlias<"b", (A R0, 1)>;`, "t.td:8:44: error: too many operands for instruction!"},
		{"matcher", `def A : I<"a $rd"> { let Inst{15-1} = 1; let OutOperandList = (outs L:$rd); } def : InstAlias<"b", (A R1)>;`,
			"t.td:8:79: error: fixed register R1 is not a member of the L register class!"},
		{"encoder", `def A : I<"a $rd"> { bits<2> q; let Inst{15-3} = 1; let Inst{2-1} = q; }`, "t.td:8:5: error: no operand named 'q' in record 'A'"},
		{"decoder", `def A : I<"a $rd"> { let Inst{15-1} = 1; let InOperandList = (ins G:$rs); }`, "t.td:8:5: error: could not find field for operand 'rs' of 'A'"},
	} {
		rs, td := parse(t, "t.td", head+c.src)
		s := mcgen.New(rs, td)
		var err error
		switch c.gen {
		case "decoder":
			_, err = s.Decoder(mcgen.DecoderOptions{})
		case "encoder":
			_, err = s.Encoder()
		case "writer":
			_, err = s.Writer()
		case "matcher":
			_, err = s.Matcher()
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %s\n got %v\nwant %s", c.gen, c.src, err, c.want)
		}
	}
}

// TestGo: the tables as Go files are Go.
func TestGo(t *testing.T) {
	r := load(t)
	w, err := r.src.Writer()
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.src.Matcher()
	if err != nil {
		t.Fatal(err)
	}
	d, err := r.src.Decoder(mcgen.DecoderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, table := range []any{r.encT, d, w, m} {
		b, err := mcgen.AppendGo(nil, "gen-go-x", "tab", "Table", "is a table.", table)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "zz.go", b, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := types.Config{Importer: imp}
		if _, err := c.Check("tab", fset, []*ast.File{f}, nil); err != nil {
			t.Error(err)
		}
	}
}

// TestOrders: high byte first, bits numbered from the high end, and encodings of
// hardware modes.
func TestOrders(t *testing.T) {
	base := `include "mirin/Target.td"
include "mirin/MC.td"
def R0 : Register<"r0">; def R1 : Register<"r1"> { let HWEncoding = 1; }
def G : RegisterClass<"T", [i32], 32, (add R0, R1)>;
def T : Target { let InstructionSet = II; }
class I : Instruction { let Namespace = "T"; let Size = 2; bits<1> rd;
  let OutOperandList = (outs G:$rd); let InOperandList = (ins); let AsmString = "a $rd"; }
`
	plain := base + `def A : I { field bits<16> Inst; let Inst{0} = rd; let Inst{15-1} = 0x891; }`
	mode := base + `def IsM : Predicate<"m">; def M : HwMode<[IsM]>;
class E<bits<8> v> : InstructionEncoding { let Size = 2; bits<16> Inst; bits<1> rd; let Inst{0} = rd; let Inst{7-1} = 0; let Inst{15-8} = v; }
def E1 : E<1>; def E2 : E<2>;
def A : I { let EncodingInfos = EncodingByHwMode<[DefaultMode, M], [E1, E2]>; }`
	for _, c := range []struct{ src, mode, want, space string }{
		{"def II : InstrInfo;" + "\n", "", "23 11", ""},
		{"def II : InstrInfo; def : MCByteOrder<1>;" + "\n", "", "11 23", ""},
		{"def II : InstrInfo { let isLittleEndianEncoding = 1; }" + "\n", "", "88 c4", ""},
		{"modes", "", "01 01", ""},
		{"modes", "M", "01 02", "M"},
	} {
		src := strings.Replace(plain, "def T :", c.src+"def T :", 1)
		if c.src == "modes" {
			src = strings.Replace(mode, "def T :", "def II : InstrInfo;\ndef T :", 1)
		}
		rs, td := parse(t, "t.td", src)
		s := mcgen.New(rs, td)
		et, err := s.Encoder()
		if err != nil {
			t.Fatal(err)
		}
		enc, err := table.NewEncoder(et, td.Info, table.EncodeFuncs{})
		if err != nil {
			t.Fatal(err)
		}
		op, _ := td.Info.OpcodeByName("A")
		r1, _ := td.Info.RegByName("r1")
		in := mc.Inst{Op: op, Ops: []mc.Operand{mc.Reg(r1)}}
		code, _, err := enc.InMode(c.mode).Encode(mc.NewContext(nil), nil, &in, nil, nil)
		if got := fmt.Sprintf("% x", code); got != c.want || err != nil {
			t.Errorf("%s%s: % x (%v), want %s", c.src, c.mode, code, err, c.want)
		}
		dt, err := s.Decoder(mcgen.DecoderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		dec, err := table.NewDecoder(dt, td.Info, nil)
		if err != nil {
			t.Fatal(err)
		}
		var back mc.Inst
		if _, s := dec.Decode(c.space, nil, code, 0, &back); s != table.Success || back.Ops[0].Reg() != r1 {
			t.Errorf("%s%s: % x is decoded as %v %v", c.src, c.mode, code, s, back)
		}
	}
}
