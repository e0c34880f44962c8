package tiny

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target"
)

// job prepares the compilation of a .ll file.
func job(t *testing.T, file string, opt target.OptLevel) *driver.Job {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.NewMachine(&Target, target.Options{Triple: "tiny", Opt: opt})
	if err != nil {
		t.Fatal(err)
	}
	mod, err := irtext.Parse(file, src, irtext.Options{DataLayout: m.Layout.Text})
	if err != nil {
		t.Fatal(err)
	}
	return &driver.Job{Machine: m, Module: mod, Workers: 1,
		Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: &Target}), Config: pass.Config{Verify: true}}, CheckRegAlloc: true}
}

func levels(t *testing.T, f func(t *testing.T, opt target.OptLevel)) {
	for _, o := range [...]target.OptLevel{0, 2} {
		t.Run(fmt.Sprintf("O%d", o), func(t *testing.T) { f(t, o) })
	}
}

// TestRun compiles programs, loads them into the simulator and runs them.
func TestRun(t *testing.T) {
	levels(t, func(t *testing.T, opt target.OptLevel) {
		obj, _, errs := job(t, "testdata/programs.ll", opt).Object()
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		tab, err := tables()
		if err != nil {
			t.Fatal(err)
		}
		s, err := link(tab, obj)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range runs {
			got, err := s.call(c.fn, c.args...)
			if err != nil {
				t.Errorf("%s%d: %v", c.fn, c.args, err)
			} else if c.fn != "wide" && uint32(got) != uint32(c.want) || c.fn == "wide" && got != uint64(c.want) {
				t.Errorf("%s%d = %d, want %d", c.fn, c.args, int64(got), c.want)
			}
		}
	})
}

// TestRoundTrip disassembles the code, prints it, assembles the text and
// compares the bytes; then the same of each instruction with random operands.
func TestRoundTrip(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	st := &mc.Subtarget{Info: tab.info}
	for op := desc.Opcode(desc.FirstTargetOpcode); int(op) < tab.info.NumInstrs(); op++ {
		if tab.info.Instr(op).IsPseudo() {
			continue
		}
		for done := 0; done < 200; {
			in := randomInst(tab, rnd, op)
			code, _, err := tab.encoder.Encode(mc.NewContext(nil), st, in, nil, nil)
			if err != nil {
				continue // a number that does not fit the field
			}
			if got, ok := roundTrip(t, tab, code); !ok || got != op {
				t.Fatalf("% x is not %s", code, tab.info.OpcodeName(op))
			}
			done++
		}
	}
	for range 100_000 { // words of any bits: whatever is an instruction is one both ways
		roundTrip(t, tab, binary.LittleEndian.AppendUint32(nil, rnd.Uint32()))
	}
	levels(t, func(t *testing.T, opt target.OptLevel) {
		obj, _, errs := job(t, "testdata/programs.ll", opt).Object()
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		for k := range obj.Sections {
			if obj.Sections[k].Flags&mc.FlagExec == 0 {
				continue
			}
			for code := obj.Sections[k].Data; len(code) > 0; code = code[4:] {
				if _, ok := roundTrip(t, tab, code[:4]); !ok {
					t.Errorf("% x is no instruction", code[:4])
				}
			}
		}
	})
}

// randomInst makes an instruction with random operands.
func randomInst(tab *tableSet, rnd *rand.Rand, op desc.Opcode) *mc.Inst {
	in := &mc.Inst{Op: op}
	for _, o := range tab.info.Operands(op) {
		switch {
		case o.TiedTo >= 0:
			in.Add(in.Ops[o.TiedTo])
		case o.RegClass >= 0:
			regs := tab.info.ClassMembers(o.RegClass)
			in.Add(mc.Reg(regs[rnd.IntN(len(regs))]))
		default:
			in.Add(mc.Imm((rnd.Int64N(1<<28) - 1<<27) >> rnd.IntN(28)))
		}
	}
	return in
}

// roundTrip takes a word to an instruction, text, an instruction and bytes.
func roundTrip(t *testing.T, tab *tableSet, code []byte) (desc.Opcode, bool) {
	t.Helper()
	st := &mc.Subtarget{Info: tab.info}
	ctx := mc.NewContext(nil)
	var in, back mc.Inst
	if _, s := tab.decoder.Decode("", st, code, 0, &in); s == table.Fail {
		return 0, false
	}
	text, _, err := tab.printer.AppendInst(nil, nil, ctx, st, &in, nil)
	if err != nil {
		t.Fatalf("% x: %v", code, err)
	}
	if err := tab.matcher.Match(ctx, st, 0, string(text), &back); err != nil {
		t.Fatalf("% x: %q: %v", code, text, err)
	}
	if in.Op != back.Op || !slices.Equal(in.Ops, back.Ops) {
		t.Fatalf("% x: %q is %s%v, was %s%v", code, text, tab.info.OpcodeName(back.Op), back.Ops, tab.info.OpcodeName(in.Op), in.Ops)
	}
	again, _, err := tab.encoder.Encode(ctx, st, &back, nil, nil)
	if err != nil || !bytes.Equal(again, code) {
		t.Fatalf("%q: % x (%v), was % x", text, again, err, code)
	}
	return in.Op, true
}

// TestAssemble assembles lines and reports what is wrong with others.
func TestAssemble(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [...]struct{ text, want string }{
		{"add r4, r5, r6", "ADD r4, r5, r6"},
		{"ADD sp, SP, lr", "ADD r2, r2, r1"},
		{"mov r4, r5", "ADDI r4, r5, 0"},
		{"li r4, -(2+3)*4", "ADDI r4, r0, -20"},
		{"nop", "ADDI r0, r0, 0"},
		{"lw r4, -8(sp)", "LW r4, r2, -8"},
		{"sb r4, 0x10 ( r5 )", "SB r4, r5, 16"},
		{"beqz r4, 8", "BEQ r4, r0, 8"},
		{"b -4", "J -4"},
		{"cmov r4, r5, r6", "CMOV r4, r4, r5, r6"},
		{"addi r4, r5, 131072", "13: immediate must be an integer in the range [-131072, 131071]"},
		{"beq r4, r5, 6", "12: immediate must be a multiple of 4 in the range [-524288, 524284]"},
		{"add r4, r5", "10: expected ','"},
		{"add r4, r5, 6", "12: expected a register"},
		{"add r4, r5, r6, r7", "14: unexpected text behind the instruction"},
		{"lw r4, 8[r5]", "8: expected '('"},
		{"ad r4, r5, r6", "0: invalid instruction mnemonic 'ad', did you mean: add, and?"},
	} {
		var in mc.Inst
		got := ""
		if err := tab.matcher.Match(mc.NewContext(nil), &mc.Subtarget{Info: tab.info}, 0, c.text, &in); err != nil {
			e := err.(*table.MatchError)
			got = fmt.Sprintf("%d: %s", e.Off, e.Error())
		} else {
			got = tab.info.OpcodeName(in.Op)
			for k, o := range in.Ops {
				got += [...]string{", ", " "}[min(k, 1)^1]
				if o.IsReg() {
					got += strings.ToLower(tab.info.RegName(o.Reg()))
				} else {
					got += fmt.Sprint(o.Imm())
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// wide is what the function of that name computes.
func wide(a, b int64) int64 {
	v := (a+b)*a - 12345678901
	if a < b {
		return int64(uint64(v) >> 3)
	}
	return v
}

func neg(n int32) uint32 { return uint32(-n) }

var runs = []struct {
	fn   string
	args []uint32
	want int64
}{
	{"factorial", []uint32{1}, 1},
	{"factorial", []uint32{10}, 3628800},
	{"fib", []uint32{10}, 55},
	{"fib", []uint32{40}, 102334155},
	{"sortnumbers", []uint32{0}, -100},
	{"sortnumbers", []uint32{4}, 5},
	{"sortnumbers", []uint32{9}, 1000000},
	{"seven", []uint32{1, 2, 3, 4, 5, 6, 7}, 1234567},
	{"stack", []uint32{8}, 8934597 - 1111111},
	{"narrow", []uint32{200, neg(3)}, (200 - 3) ^ -56},
	{"through", []uint32{0, 6}, 720},
	{"through", []uint32{1, 20}, 6765},
	{"through", []uint32{2, 8}, 8934597 - 1111111},
	{"wide", []uint32{7, 0, 0xffffffff, 1}, wide(7, 0x1ffffffff)},
	{"wide", []uint32{9, 1, 5, 0}, wide(0x100000009, 5)},
	{"copied", []uint32{9}, 29},
	{"copied", []uint32{11}, 0x01010101},
	{"byvalue", []uint32{3}, 1000 - 7 + 200 - 3},
	{"bytwovalues", []uint32{3}, (1000-7+200)*100 - (2000 + 8 + 100) - 9},
	{"addall", []uint32{3}, 1 + 2 + 3 + 3 + 70000 + 5 + 600},
	{"addstacked", []uint32{9}, 9 + 20 + 300},
	{"lanes", []uint32{5}, 5*1 + 7*2 + 9*3 + 11*4 - 13*5 + 15*5},
	{"slots", []uint32{0x1ff, 0x2fffe}, 0xff*3 - 2*5 + 0xff},
	{"throughmemory", []uint32{12}, 12 + 144 + 6},
	{"choose", []uint32{0}, 10},
	{"choose", []uint32{1}, -123456789},
	{"choose", []uint32{7}, 1 - 14},
	{"choose", []uint32{neg(5)}, -1},
	{"choose", []uint32{5}, 1},
}

// TestAssembly assembles the text that the compiler prints: it gives the code of
// the object that the compiler writes.
func TestAssembly(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	levels(t, func(t *testing.T, opt target.OptLevel) {
		obj, _, errs := job(t, "testdata/programs.ll", opt).Object()
		text, _, errs2 := job(t, "testdata/programs.ll", opt).Assembly(driver.Shown{})
		if errs = append(errs, errs2...); len(errs) > 0 {
			t.Fatal(errs)
		}
		st := &mc.Subtarget{Info: tab.info}
		out := mc.NewObjectStreamer(mc.NewContext(nil), tab.encoder, tab.backend)
		ctx, code := out.Context(), true
		var in mc.Inst
		for _, line := range strings.Split(string(text), "\n") {
			line, _, _ = strings.Cut(line, "#")
			label, isLabel := strings.CutSuffix(strings.TrimSpace(line), ":")
			switch {
			case strings.HasPrefix(label, ".section") || label == ".data":
				code = false
			case label == ".text":
				code = true
			case !code || label == "":
			case isLabel:
				out.Label(ctx.Symbol(label))
			case strings.HasPrefix(label, ".globl"):
				out.Attribute(ctx.Symbol(strings.TrimSpace(label[6:])), mc.AttrGlobal)
			case strings.HasPrefix(label, ".p2align"):
				log2, _ := strconv.Atoi(strings.TrimSpace(label[8:]))
				out.AlignCode(uint8(log2), st, 0)
			case strings.HasPrefix(label, "."):
			default:
				if err := tab.matcher.Match(ctx, st, 0, label, &in); err != nil {
					t.Fatalf("%s: %v", label, err)
				}
				if err := out.Inst(&in, st); err != nil {
					t.Fatalf("%s: %v", label, err)
				}
			}
		}
		again, err := out.Object()
		if err != nil {
			t.Fatal(err)
		}
		find := func(o *mc.Object) *mc.ObjSection {
			return &o.Sections[slices.IndexFunc(o.Sections, func(s mc.ObjSection) bool { return s.Name == ".text" })]
		}
		a, b := find(obj), find(again)
		for k := 0; k+4 <= min(len(a.Data), len(b.Data)); k += 4 {
			if !bytes.Equal(a.Data[k:k+4], b.Data[k:k+4]) {
				t.Errorf("at %#x: % x assembled, % x compiled", k, b.Data[k:k+4], a.Data[k:k+4])
				break
			}
		}
		if !bytes.Equal(a.Data, b.Data) || len(a.Relocs) != len(b.Relocs) {
			t.Errorf("the assembled text has %d bytes and %d relocations, the object %d and %d, or they differ", len(b.Data), len(b.Relocs), len(a.Data), len(a.Relocs))
		}
	})
}

// BenchmarkLoad is what the first use of the target costs.
func BenchmarkLoad(b *testing.B) {
	for range b.N {
		if _, err := load(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecode and BenchmarkEncode measure single instructions.
func BenchmarkDecode(b *testing.B) {
	tab, err := tables()
	if err != nil {
		b.Fatal(err)
	}
	st := &mc.Subtarget{Info: tab.info}
	var in mc.Inst
	code := []byte{0x08, 0x00, 0x08, 0x41} // lw
	for range b.N {
		if _, s := tab.decoder.Decode("", st, code, 0, &in); s != table.Success {
			b.Fatal(s)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	tab, err := tables()
	if err != nil {
		b.Fatal(err)
	}
	st := &mc.Subtarget{Info: tab.info}
	ctx := mc.NewContext(nil)
	in := randomInst(tab, rand.New(rand.NewPCG(1, 1)), tab.instr.Jump-1)
	var buf [16]byte
	for range b.N {
		if _, _, err := tab.encoder.Encode(ctx, st, in, buf[:0], nil); err != nil {
			b.Skip(err)
		}
	}
}

// BenchmarkAssemble reads one line.
func BenchmarkAssemble(b *testing.B) {
	tab, err := tables()
	if err != nil {
		b.Fatal(err)
	}
	st := &mc.Subtarget{Info: tab.info}
	ctx := mc.NewContext(nil)
	var in mc.Inst
	for range b.N {
		if err := tab.matcher.Match(ctx, st, 0, "lw r4, -8(sp)", &in); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRefused: what the target does not have is an error that names it.
func TestRefused(t *testing.T) {
	for _, c := range [...]struct{ src, want string }{
		{"define float @f(float %a) { %r = fadd float %a, %a\n ret float %r }", "G_FADD"},
		{"define i32 @f(i32 %n) { %p = alloca i32, i32 %n\n store volatile i32 1, ptr %p\n ret i32 0 }", "G_DYN_STACKALLOC"},
		{"define i32 @f(ptr %p) { %r = atomicrmw add ptr %p, i32 1 seq_cst\n ret i32 %r }", ""},
		{"define i32 @f(ptr %p) { %r = load atomic i32, ptr %p acquire, align 4\n ret i32 %r }", "atomic access"},
		{"define <4 x float> @f(<4 x float> %a) { %r = fadd <4 x float> %a, %a\n ret <4 x float> %r }", "G_FADD"},
		{"define i32 @f() { %p = alloca i32, align 64\n store volatile i32 1, ptr %p\n ret i32 0 }", "8 bytes' alignment"},
		{"define i32 @f() { %p = alloca [50000 x i32]\n store volatile i32 1, ptr %p\n ret i32 0 }", "128 KiB"},
		{"declare i32 @g(i32)\ndefine i32 @f(i32 %n) { %r = musttail call i32 @g(i32 %n)\n ret i32 %r }", "musttail"},
		{"define i32 @f(i32 %n) { %r = call i32 asm \"nop\", \"=r,r\"(i32 %n)\n ret i32 %r }", "inline assembly"},
		{"%s = type { i32, i32 }\ndefine i32 @f(ptr byval(%s) %p, ...) { ret i32 0 }", "variable argument list"},
		{"define ghccc i32 @f(i32 %n) { ret i32 %n }", "calling convention"},
	} {
		for _, opt := range [...]target.OptLevel{0, 2} {
			m, err := target.NewMachine(&Target, target.Options{Triple: "tiny", Opt: opt})
			if err != nil {
				t.Fatal(err)
			}
			mod, err := irtext.Parse("f.ll", []byte(c.src), irtext.Options{DataLayout: m.Layout.Text})
			if err != nil {
				t.Fatalf("%s: %v", c.src, err)
			}
			j := &driver.Job{Machine: m, Module: mod, Workers: 1,
				Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: &Target}), Config: pass.Config{Verify: true}}}
			_, _, errs := j.Object()
			if len(errs) == 0 {
				t.Errorf("%s: accepted", c.src)
			} else if !strings.Contains(errs[0].Error(), "not supported") || !strings.Contains(errs[0].Error(), c.want) {
				t.Errorf("%s: %v", c.src, errs[0])
			}
		}
	}
}
