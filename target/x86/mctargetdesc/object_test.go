package mctargetdesc

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// toolkit makes streamers of both kinds.
type toolkit struct {
	info *desc.Info
	enc  *Encoder
	be   *Backend
	st   *mc.Subtarget
}

func newToolkit(t testing.TB) *toolkit {
	in := x86(t)
	st := &mc.Subtarget{Info: in, Features: make([]uint64, in.FeatureWords)}
	if i, ok := in.ProcessorByName("generic"); ok {
		for k := range st.Features {
			st.Features[k] = in.FeatureSet(in.Processors[i].Features)[k] | in.FeatureSet(in.Processors[i].Tune)[k]
		}
	}
	bit := NewEncoder(in).bit64
	st.Features[bit/64] |= 1 << (bit % 64)
	return &toolkit{info: in, enc: NewEncoder(in), be: NewBackend(in), st: st}
}

func (k *toolkit) object() *mc.ObjectStreamer {
	return mc.NewObjectStreamer(mc.NewContext(AsmInfo()), k.enc, k.be)
}

func (k *toolkit) text(variant int) *asmtext.Text {
	return asmtext.New(mc.NewContext(AsmInfo()), NewPrinter(k.info, variant, "x86_64"))
}

// file runs emit into an object and returns the ELF file.
func (k *toolkit) file(t testing.TB, emit func(s mc.Streamer)) []byte {
	t.Helper()
	o := k.object()
	emit(o)
	obj, err := o.Object()
	if err != nil {
		t.Fatal(err)
	}
	b, err := elf.Append(nil, obj)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// assembly runs emit into text.
func (k *toolkit) assembly(t testing.TB, variant int, emit func(s mc.Streamer)) []byte {
	t.Helper()
	s := k.text(variant)
	emit(s)
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	return s.Output()
}

// compare assembles our text with llvm-mc and wants our object, byte for byte.
func (k *toolkit) compare(t *testing.T, variant int, emit func(s mc.Streamer)) {
	t.Helper()
	tool := testenv.LLVM(t, "llvm-mc")
	ours := k.file(t, emit)
	text := k.assembly(t, variant, emit)
	dir := t.TempDir()
	want := filepath.Join(dir, "llvm.o")
	triple := "-triple=x86_64-linux-gnu"
	if k.be.x32 {
		triple += "x32"
	}
	cmd := exec.Command(tool, triple, "-filetype=obj", "-o", want)
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	theirs, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(ours, theirs) {
		return
	}
	got := filepath.Join(dir, "ours.o")
	if err := os.WriteFile(got, ours, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Errorf("the object differs from what llvm-mc makes of the text:\n%s", firstDifference(t, got, want))
	if os.Getenv("KEEP") != "" {
		os.WriteFile(filepath.Join(os.Getenv("KEEP"), "ours.o"), ours, 0o666)
		os.WriteFile(filepath.Join(os.Getenv("KEEP"), "llvm.o"), theirs, 0o666)
		os.WriteFile(filepath.Join(os.Getenv("KEEP"), "text.s"), text, 0o666)
	}
}

// firstDifference dumps two files and shows where the dumps part.
func firstDifference(t *testing.T, got, want string) string {
	dump := func(f string) [][]byte {
		a, _ := exec.Command(testenv.LLVM(t, "llvm-readelf"), "-hSsrW", f).Output()
		b, _ := exec.Command(testenv.LLVM(t, "llvm-objdump"), "-dr", f).Output()
		return bytes.Split(append(a, b...), []byte("\n"))
	}
	a, b := dump(got), dump(want)
	for i := range a {
		if i >= len(b) || !bytes.Equal(a[i], b[i]) {
			if i > 2 && bytes.Contains(a[i], []byte("File:")) {
				continue
			}
			w := []byte("nothing")
			if i < len(b) {
				w = b[i]
			}
			if bytes.HasPrefix(a[i], []byte(got)) {
				continue
			}
			return fmt.Sprintf("line %d: %s\nllvm:   %s", i, a[i], w)
		}
	}
	return "(the dumps are equal)"
}

// asm emits instructions with little noise.
type asm struct {
	mc.Streamer
	st *mc.Subtarget
	in mc.Inst
}

func (a *asm) i(op desc.Opcode, ops ...mc.Operand) { a.Inst(a.in.Set(op, ops...), a.st) }

func (a *asm) ref(name string, m mc.Modifier) mc.Operand {
	return mc.ExprOp(a.Context().Ref(a.Context().Symbol(name), m))
}

// rip is the address of a symbol relative to the instruction.
func (a *asm) rip(op desc.Opcode, dst desc.PhysReg, name string, m mc.Modifier, off int64) {
	c := a.Context()
	e := c.RefOff(c.Symbol(name), m, off)
	a.i(op, mc.Reg(dst), mc.Reg(tab.RIP), mc.Imm(1), mc.Reg(0), mc.ExprOp(e), mc.Reg(0))
}

func (a *asm) sym(name string) mc.Sym { return a.Context().Symbol(name) }

// start begins a function.
func (a *asm) start(name string, attrs ...mc.Attr) {
	for _, at := range attrs {
		a.Attribute(a.sym(name), at)
	}
	a.AlignCode(4, a.st, 0)
	a.Attribute(a.sym(name), mc.AttrTypeFunction)
	a.Label(a.sym(name))
	a.StartProc(false)
}

// end ends it.
func (a *asm) end(name string) {
	c := a.Context()
	e := c.Temp("func_end")
	a.Label(e)
	a.Size(a.sym(name), c.Diff(e, a.sym(name)))
	a.EndProc()
}

// everything emits each kind of reference, directive and section once or more.
func everything(st *mc.Subtarget) func(s mc.Streamer) {
	return func(s mc.Streamer) {
		a := &asm{Streamer: s, st: st}
		c := s.Context()
		s.File("x.c")
		s.SwitchSection(c.TextSection())
		a.start("g", mc.AttrGlobal)
		a.i(tab.PUSH64r, mc.Reg(tab.RBX))
		s.CFI(mc.CFI{Op: mc.CFIDefCfaOffset, Offset: 16})
		s.CFI(mc.CFI{Op: mc.CFIOffset, Reg: 3, Offset: -16})
		for _, callee := range []string{"l", "g", "h", "ext"} {
			a.i(tab.CALL64pcrel32, a.ref(callee, mc.ModNone))
			a.i(tab.CALL64pcrel32, a.ref(callee, ModPLT))
			a.i(tab.JMP_1, a.ref(callee, mc.ModNone))
			a.i(tab.JCC_1, a.ref(callee, mc.ModNone), mc.Imm(4))
		}
		a.rip(tab.LEA64r, tab.RAX, ".Lstr", mc.ModNone, 0)
		a.rip(tab.LEA64r, tab.RAX, ".Lstr", mc.ModNone, 3)
		a.rip(tab.LEA64r, tab.R9, "d", mc.ModNone, 8)
		a.rip(tab.LEA64r, tab.R9, "gd", mc.ModNone, 0)
		a.rip(tab.LEA64r, tab.R9, "w", mc.ModNone, 0)
		a.rip(tab.LEA64r, tab.R9, "alias", mc.ModNone, 0)
		a.rip(tab.LEA64r, tab.R9, "galias", mc.ModNone, 0)
		a.rip(tab.MOV64rm, tab.RAX, "ext", ModGOTPCREL, 0)
		a.rip(tab.MOV32rm, tab.EAX, "ext", ModGOTPCREL, 0)
		a.rip(tab.MOV64rm, tab.RAX, "d", ModGOTPCREL, 0)
		a.rip(tab.MOV64rm, tab.RAX, "tl", ModGOTTPOFF, 0)
		a.rip(tab.MOVSDrm, tab.XMM9, "d", mc.ModNone, 0)
		a.i(tab.CALL64m, mc.Reg(tab.RIP), mc.Imm(1), mc.Reg(0), a.ref("ext", ModGOTPCREL), mc.Reg(0))
		a.i(tab.MOV32mi, mc.Reg(tab.RIP), mc.Imm(1), mc.Reg(0), a.ref("d", mc.ModNone), mc.Reg(0), mc.Imm(5))
		a.i(tab.MOV8mi, mc.Reg(tab.RIP), mc.Imm(1), mc.Reg(0), a.ref("gd", mc.ModNone), mc.Reg(0), mc.Imm(5))
		a.i(tab.MOV32rm, mc.Reg(tab.EAX), mc.Reg(0), mc.Imm(1), mc.Reg(0), a.ref("tl", ModTPOFF), mc.Reg(tab.FS))
		a.i(tab.LEA64r, mc.Reg(tab.RAX), mc.Reg(tab.RAX), mc.Imm(1), mc.Reg(0), a.ref("tl", ModTPOFF), mc.Reg(0))
		a.i(tab.MOV32rm, mc.Reg(tab.EAX), mc.Reg(0), mc.Imm(4), mc.Reg(tab.RCX), a.ref("d", mc.ModNone), mc.Reg(0))
		a.i(tab.MOV32ri, mc.Reg(tab.EAX), a.ref("d", mc.ModNone))
		a.i(tab.MOV64ri32, mc.Reg(tab.RAX), a.ref(".Lstr", mc.ModNone))
		a.i(tab.MOV64ri, mc.Reg(tab.RAX), a.ref("d", mc.ModNone))
		a.i(tab.POP64r, mc.Reg(tab.RBX))
		s.CFI(mc.CFI{Op: mc.CFIDefCfaOffset, Offset: 8})
		a.i(tab.RET64)
		a.end("g")
		a.start("l")
		s.Personality(a.sym("DW.ref.person"), 0x9b)
		s.LSDA(a.sym(".Lexc"), 0x1b)
		tmp := c.Temp("tmp")
		s.Label(tmp)
		a.i(tab.NOOP)
		s.CFI(mc.CFI{Op: mc.CFIRememberState})
		s.CFI(mc.CFI{Op: mc.CFIDefCfa, Reg: 6, Offset: 16})
		a.i(tab.RET64)
		s.CFI(mc.CFI{Op: mc.CFIRestoreState})
		s.CFI(mc.CFI{Op: mc.CFIAdjustCfaOffset, Offset: 24})
		s.CFI(mc.CFI{Op: mc.CFIEscape, Bytes: "\x16\x03\x02\x77\x00"})
		s.CFI(mc.CFI{Op: mc.CFIUndefined, Reg: 16})
		s.CFI(mc.CFI{Op: mc.CFISameValue, Reg: 12})
		s.CFI(mc.CFI{Op: mc.CFIRestore, Reg: 3})
		s.CFI(mc.CFI{Op: mc.CFIDefCfaRegister, Reg: 6})
		s.CFI(mc.CFI{Op: mc.CFIRelOffset, Reg: 13, Offset: 8})
		a.end("l")
		s.SwitchSection(c.ELFSection(".gcc_except_table", mc.SecProgBits, mc.FlagAlloc, 0))
		s.Align(2, 0, 0)
		s.Label(a.sym(".Lexc"))
		s.Int(255, 1)
		end := c.Temp("cst_end")
		begin := c.Temp("cst_begin")
		s.ULEB128(c.Diff(end, begin))
		s.Label(begin)
		s.ULEB128(c.Diff(tmp, a.sym("l")))
		s.SLEB128(c.Diff(a.sym("l"), tmp))
		s.Zeros(200)
		s.Label(end)
		s.Align(2, 0, 0)
		s.SwitchSection(c.Section(mc.Section{Name: ".text.cf", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec | mc.FlagGroup,
			Unique: mc.GenericSection, Group: "cf", Comdat: true}))
		a.start("cf", mc.AttrWeak)
		s.SignalFrame()
		a.i(tab.JMP_1, a.ref("ext", ModPLT))
		a.end("cf")
		s.SwitchSection(c.Section(mc.Section{Name: ".text", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec, Unique: 3}))
		a.start("h", mc.AttrGlobal, mc.AttrHidden)
		a.i(tab.JMP_1, a.ref("g", mc.ModNone))
		a.end("h")
		s.SwitchSection(c.ELFSection(".rodata.str1.1", mc.SecProgBits, mc.FlagAlloc|mc.FlagMerge|mc.FlagStrings, 1))
		s.Label(a.sym(".Lstr"))
		s.Bytes([]byte("he\"llo\x01\xff7\x00"))
		s.SwitchSection(c.DataSection())
		s.Label(a.sym("d"))
		s.Int(1, 8)
		here := c.Temp("tmp")
		s.Label(here)
		for _, n := range []string{"d", ".Lstr", "l", "g", "gd", "w", "ext"} {
			s.Value(c.Ref(a.sym(n), mc.ModNone), 8)
			s.Value(c.RefOff(a.sym(n), mc.ModNone, 4), 8)
			s.Value(c.Diff(a.sym(n), here), 4)
		}
		s.Value(c.Ref(a.sym("l"), mc.ModNone), 4)
		s.Attribute(a.sym("gd"), mc.AttrTypeObject)
		s.Attribute(a.sym("gd"), mc.AttrGlobal)
		s.Align(4, 0, 0)
		s.Label(a.sym("gd"))
		s.Fill(3, 2, 0x1234)
		s.Fill(5, 1, 7)
		s.Size(a.sym("gd"), c.Const(11))
		s.Attribute(a.sym("w"), mc.AttrWeak)
		s.Label(a.sym("w"))
		s.Int(0xffff, 2)
		s.SwitchSection(c.ELFSection(".tdata", mc.SecProgBits, mc.FlagAlloc|mc.FlagWrite|mc.FlagTLS, 0))
		s.Label(a.sym("tl"))
		s.Int(7, 4)
		s.SwitchSection(c.BSSSection())
		s.Align(5, 0, 0)
		s.Label(a.sym("z"))
		s.Zeros(100)
		s.Common(a.sym("cm"), 8, 8)
		s.LocalCommon(a.sym("lc"), 40, 16)
		s.SwitchSection(c.ELFSection(".init_array", mc.SecInitArray, mc.FlagAlloc|mc.FlagWrite, 0))
		s.Align(3, 0, 0)
		s.Value(c.Ref(a.sym("l"), mc.ModNone), 8)
		s.SwitchSection(c.Section(mc.Section{Name: "order", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagLinkOrder,
			Unique: mc.GenericSection, LinkedTo: a.sym("h")}))
		s.Int(3, 4)
		s.Assign(a.sym("alias"), c.Ref(a.sym("d"), mc.ModNone))
		s.Attribute(a.sym("galias"), mc.AttrGlobal)
		s.Assign(a.sym("galias"), c.RefOff(a.sym("d"), mc.ModNone, 4))
		s.Assign(a.sym("absolute"), c.Const(77))
		s.Attribute(a.sym("never"), mc.AttrWeak)
		s.Ident("me")
		s.SwitchSection(c.ELFSection(".note.GNU-stack", mc.SecProgBits, 0, 0))
	}
}

func TestObjectAgainstAssembly(t *testing.T) {
	k := newToolkit(t)
	k.compare(t, ATT, everything(k.st))
	k.compare(t, Intel, everything(k.st))
	k.be = NewBackendX32(k.info)
	k.compare(t, ATT, everything(k.st))
}

// jumps emits code full of jumps whose lengths depend on each other.
func jumps(st *mc.Subtarget, seed int64) func(s mc.Streamer) {
	return func(s mc.Streamer) {
		r := rand.New(rand.NewSource(seed))
		a := &asm{Streamer: s, st: st}
		s.SwitchSection(s.Context().TextSection())
		for f := range 3 {
			name := fmt.Sprintf("f%d", f)
			a.start(name, mc.AttrGlobal)
			n := 40 + r.Intn(100)
			for i := range n {
				a.Label(a.sym(fmt.Sprintf(".LBB%d_%d", f, i)))
				for range r.Intn(6) {
					a.i(tab.ADD64ri32, mc.Reg(tab.RBX), mc.Reg(tab.RBX), mc.Imm(1000))
				}
				to := a.ref(fmt.Sprintf(".LBB%d_%d", f, min(max(i+r.Intn(21)-10, 0), n-1)), mc.ModNone)
				switch r.Intn(6) {
				case 0:
					a.i(tab.JMP_1, to)
				case 1:
					s.AlignCode(uint8(1+r.Intn(5)), st, uint32(r.Intn(2)*7))
				case 2:
					s.CFI(mc.CFI{Op: mc.CFIDefCfaOffset, Offset: 16})
				default:
					a.i(tab.JCC_1, to, mc.Imm(int64(r.Intn(16))))
				}
			}
			a.i(tab.RET64)
			a.end(name)
		}
	}
}

func TestRelaxationAgainstLLVM(t *testing.T) {
	k := newToolkit(t)
	for seed := range int64(25) {
		k.compare(t, int(seed&1), jumps(k.st, seed))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// parts splits what jumps emits into a chunk a function; every other one is cut.
func parts(s mc.Streamer, n int, emit func(s mc.Streamer, i int)) error {
	chunks := make([]mc.Streamer, n)
	done := make(chan bool)
	for i := range chunks {
		chunks[i] = s.Fork()
		go func() {
			emit(chunks[i], i)
			if i%2 == 1 {
				chunks[i] = chunks[i].Cut()
			}
			done <- true
		}()
	}
	for range n {
		<-done
	}
	for _, c := range chunks {
		if err := s.Join(c); err != nil {
			return err
		}
	}
	return nil
}

// function emits function i of a module: code, a jump table, frame information,
// references to the others.
func function(st *mc.Subtarget) func(s mc.Streamer, i int) {
	return func(s mc.Streamer, i int) {
		a := &asm{Streamer: s, st: st}
		c := s.Context()
		name := fmt.Sprintf("f%d", i)
		section := c.TextSection()
		if i%3 == 2 {
			section = c.Section(mc.Section{Name: ".text." + name, Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec | mc.FlagGroup,
				Unique: mc.GenericSection, Group: name, Comdat: true})
		}
		s.SwitchSection(section)
		a.start(name, mc.AttrGlobal)
		t0 := c.Temp("tmp")
		s.Label(t0)
		for k := range 30 {
			s.Label(a.sym(fmt.Sprintf(".LBB%d_%d", i, k)))
			for range (k*7 + i) % 5 {
				a.i(tab.CALL64pcrel32, a.ref(fmt.Sprintf("f%d", (i+k)%9), ModPLT))
			}
			a.i(tab.JCC_1, a.ref(fmt.Sprintf(".LBB%d_%d", i, (k*5+i)%30), mc.ModNone), mc.Imm(3))
			s.AlignCode(uint8(k%4), st, 0)
		}
		t1 := c.Temp("tmp")
		s.Label(t1)
		a.rip(tab.LEA64r, tab.RAX, fmt.Sprintf(".LJTI%d", i), mc.ModNone, 0)
		a.i(tab.RET64)
		a.end(name)
		s.SwitchSection(c.ReadOnlySection())
		s.Align(2, 0, 0)
		s.Label(a.sym(fmt.Sprintf(".LJTI%d", i)))
		for k := range 5 {
			s.Value(c.Diff(a.sym(fmt.Sprintf(".LBB%d_%d", i, k)), a.sym(fmt.Sprintf(".LJTI%d", i))), 4)
		}
		s.ULEB128(c.Diff(t1, t0))
		s.SwitchSection(section)
	}
}

// TestChunks: chunks made in parallel and joined give what one streamer gives.
func TestChunks(t *testing.T) {
	k := newToolkit(t)
	one := function(k.st)
	start := func(s mc.Streamer) {
		s.File("x.c")
		s.SwitchSection(s.Context().TextSection())
	}
	serial := func(s mc.Streamer) {
		start(s)
		for i := range 9 {
			one(s, i)
		}
	}
	parallel := func(s mc.Streamer) {
		start(s)
		if err := parts(s, 9, one); err != nil {
			t.Error(err)
		}
	}
	// Chunks of chunks: 3 of 3.
	nested := func(s mc.Streamer) {
		start(s)
		err := parts(s, 3, func(c mc.Streamer, i int) {
			if err := parts(c, 3, func(c mc.Streamer, k int) { one(c, i*3+k) }); err != nil {
				t.Error(err)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
	for _, f := range []func(s mc.Streamer){parallel, nested} {
		if a, b := k.assembly(t, ATT, serial), k.assembly(t, ATT, f); !bytes.Equal(a, b) {
			t.Errorf("chunks give another text:\n%s\ninstead of:\n%s", b, a)
		}
		if a, b := k.file(t, serial), k.file(t, f); !bytes.Equal(a, b) {
			t.Error("chunks give another object")
		}
	}
	k.compare(t, ATT, nested)
}

// relocated exercises what the fixed test lacks: expressions over several
// symbols, differences across pieces, weak and absolute targets.
func relocated(st *mc.Subtarget) func(s mc.Streamer) {
	return func(s mc.Streamer) {
		a := &asm{Streamer: s, st: st}
		c := s.Context()
		s.SwitchSection(c.TextSection())
		s.Attribute(a.sym("wf"), mc.AttrWeak)
		a.start("wf")
		s.Label(a.sym(".La"))
		for range 20 {
			a.i(tab.JCC_1, a.ref(".Lb", mc.ModNone), mc.Imm(2))
		}
		a.i(tab.JMP_1, a.ref("wf", mc.ModNone))
		a.i(tab.MOV64ri32, mc.Reg(tab.RCX), mc.ExprOp(c.Diff(a.sym(".Lb"), a.sym(".La"))))
		a.i(tab.MOV32rm, mc.Reg(tab.ECX), mc.Reg(tab.RAX), mc.Imm(1), mc.Reg(0), mc.ExprOp(c.Diff(a.sym(".Lb"), a.sym(".La"))), mc.Reg(0))
		a.rip(tab.LEA64r, tab.RDX, ".La", mc.ModNone, 1)
		a.rip(tab.LEA64r, tab.RDX, "wf", mc.ModNone, 1)
		a.i(tab.CMP8mi, mc.Reg(tab.RIP), mc.Imm(1), mc.Reg(0), a.ref("wf", mc.ModNone), mc.Reg(0), mc.Imm(1))
		s.Label(a.sym(".Lb"))
		for _, m := range []mc.Modifier{ModTLSGD, ModTLSLD, ModGOTPCRELNoRelax} {
			a.rip(tab.LEA64r, tab.RDI, "v", m, 0)
		}
		for _, m := range []mc.Modifier{ModDTPOFF, ModTPOFF} {
			a.i(tab.LEA64r, mc.Reg(tab.RDI), mc.Reg(tab.RAX), mc.Imm(1), mc.Reg(0), a.ref("v", m), mc.Reg(0))
			a.i(tab.MOV64ri, mc.Reg(tab.RDI), a.ref("v", m))
		}
		a.i(tab.MOV64ri, mc.Reg(tab.RDI), a.ref("u", ModGOTOFF))
		a.rip(tab.LEA64r, tab.RBX, "_GLOBAL_OFFSET_TABLE_", mc.ModNone, 0)
		a.i(tab.MOV64ri, mc.Reg(tab.RBX), mc.ExprOp(c.Diff(a.sym("_GLOBAL_OFFSET_TABLE_"), a.sym(".La"))))
		a.i(tab.MOV64ri, mc.Reg(tab.RDI), a.ref("u", ModGOT))
		a.end("wf")
		s.SwitchSection(c.DataSection())
		s.Value(c.Diff(a.sym(".Lb"), a.sym(".La")), 8)
		s.Value(c.Binary(mc.OpAdd, c.Diff(a.sym(".Lb"), a.sym(".La")), c.Const(3)), 2)
		s.Value(c.Binary(mc.OpDiv, c.Diff(a.sym(".Lb"), a.sym(".La")), c.Const(2)), 4)
		s.Value(c.Binary(mc.OpSub, c.Const(9), c.Unary(mc.OpMinus, c.Const(5))), 4)
		s.Value(c.AddConst(c.Diff(a.sym("u"), a.sym("here")), 5), 4)
		s.Label(a.sym("here"))
		s.Value(c.Diff(a.sym("u"), a.sym("here")), 8)
		s.Value(c.Diff(a.sym("wf"), a.sym("here")), 4)
		s.Value(c.Diff(a.sym(".Lb"), a.sym("here")), 4)
		s.Value(c.Ref(a.sym("u"), ModGOTPCREL), 4)
		s.Value(c.Ref(a.sym("u"), ModPLT), 4)
		s.Value(c.Ref(a.sym("v"), ModDTPOFF), 8)
		s.ULEB128(c.Const(300))
		s.SLEB128(c.Const(-300))
		s.ULEB128(c.Diff(a.sym(".Lb"), a.sym(".La")))
		s.Align(3, 0xcc, 5)
	}
}

func TestRelocations(t *testing.T) {
	k := newToolkit(t)
	k.compare(t, ATT, relocated(k.st))
}
