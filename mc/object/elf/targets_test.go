package elf_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/object/elf"
)

var update = flag.Bool("update", false, "write testdata anew with llvm-mc")

// machine is a target of data alone: what differs between ELF machines besides
// their instructions.
type machine struct {
	name    string
	triple  string
	header  mc.Machine
	info    func(a *mc.AsmInfo)
	abs, pc [4]uint32 // relocations of 1, 2, 4 and 8 bytes
	link    uint32    // DWARF number of the register that CFI saves
	regs    map[uint32]string
}

func (m *machine) FixupInfo(k mc.FixupKind) *mc.FixupInfo      { return mc.GenericFixup(k) }
func (m *machine) Relax(*mc.Inst, *mc.Subtarget) bool          { return false }
func (m *machine) NeedsRelaxation(mc.FixupKind, int64) bool    { return false }
func (m *machine) Resolves(_ mc.FixupKind, x mc.Modifier) bool { return x == mc.ModNone }
func (m *machine) NeedsSymbol(uint32, mc.Modifier) bool        { return false }
func (m *machine) Machine() mc.Machine                         { return m.header }
func (m *machine) FileHeader() string                          { return "" }
func (m *machine) AppendNops(b []byte, n int, _ *mc.Subtarget) []byte {
	return append(b, make([]byte, n)...)
}

func (m *machine) Apply(place []byte, k mc.FixupKind, v int64) error {
	return mc.GenericFixup(k).Put(place, v, m.header.BigEndian)
}

func (m *machine) RelocType(k mc.FixupKind, _ mc.Modifier, pcRel bool) (uint32, error) {
	t := m.abs[k%4]
	if pcRel {
		t = m.pc[k%4]
	}
	if t == 0 {
		return 0, errors.New("no such relocation")
	}
	return t, nil
}

func (m *machine) AppendInst(b, r []byte, _ *mc.Context, _ *mc.Subtarget, _ *mc.Inst, _ func([]byte, mc.Sym) []byte) ([]byte, []byte, error) {
	return b, r, errors.New("no instructions")
}

func (m *machine) AppendDwarfReg(b []byte, reg uint32) []byte {
	if n, ok := m.regs[reg]; ok {
		return append(b, n...)
	}
	return strconv.AppendUint(b, uint64(reg), 10)
}

// The numbers of relocations and registers are those of the processors'
// supplements of the System V ABI.
var machines = []machine{
	{name: "powerpc", triple: "powerpc-unknown-linux-gnu",
		header: mc.Machine{ELFMachine: 20, Rela: true, BigEndian: true, PtrSize: 4, EHFrameType: mc.SecProgBits, CodeAlign: 4,
			CIE: mc.CIE{CodeAlign: 4, DataAlign: -4, Return: 65, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 1}}}},
		info: func(a *mc.AsmInfo) { a.BigEndian, a.Data[3], a.Zeros, a.BSSBySection = true, "", "\t.space\t", true },
		abs:  [4]uint32{1: 3, 2: 1}, pc: [4]uint32{2: 26}, link: 65},
	{name: "powerpc64", triple: "powerpc64-unknown-linux-gnu",
		header: mc.Machine{ELFMachine: 21, Is64: true, Rela: true, BigEndian: true, PtrSize: 8, EHFrameType: mc.SecProgBits, CodeAlign: 4,
			CIE: mc.CIE{CodeAlign: 4, DataAlign: -8, Return: 65, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 1}}}},
		info: func(a *mc.AsmInfo) { a.BigEndian, a.Zeros, a.BSSBySection = true, "\t.space\t", true },
		abs:  [4]uint32{1: 3, 2: 1, 3: 38}, pc: [4]uint32{2: 26, 3: 44}, link: 65},
	{name: "s390x", triple: "s390x-unknown-linux-gnu",
		header: mc.Machine{ELFMachine: 22, Is64: true, Rela: true, BigEndian: true, PtrSize: 8, EHFrameType: mc.SecProgBits, CodeAlign: 4,
			CIE: mc.CIE{CodeAlign: 1, DataAlign: -8, Return: 14, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 15, Offset: 160}}}},
		info: func(a *mc.AsmInfo) { a.BigEndian = true },
		abs:  [4]uint32{1: 3, 2: 4, 3: 22}, pc: [4]uint32{1: 16, 2: 5, 3: 23}, link: 14, regs: map[uint32]string{14: "%r14", 15: "%r15"}},
	{name: "i386", triple: "i386-unknown-linux-gnu",
		header: mc.Machine{ELFMachine: 3, PtrSize: 4, EHFrameType: mc.SecProgBits, CodeAlign: 4,
			CIE: mc.CIE{CodeAlign: 1, DataAlign: -4, Return: 8, Pointer: mc.EncPCRel | mc.EncSData4,
				Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 4, Offset: 4}, {Op: mc.CFIOffset, Reg: 8, Offset: -4}}}},
		abs: [4]uint32{22, 20, 1}, pc: [4]uint32{23, 21, 2}, link: 8, regs: map[uint32]string{8: "%eip"}},
}

func (m *machine) asmInfo() *mc.AsmInfo {
	a := mc.ELFAsmInfo()
	if m.info != nil {
		m.info(&a)
	}
	return &a
}

// emit says something of everything that byte order, class and relocations touch.
func (m *machine) emit(s mc.Streamer) {
	c := s.Context()
	sym := c.Symbol
	word := m.header.PtrSize
	f, end, lsda := sym("f"), sym(".Lfunc_end0"), sym(".Lexception0")
	s.SwitchSection(c.TextSection())
	s.Attribute(f, mc.AttrGlobal)
	s.Attribute(f, mc.AttrTypeFunction)
	s.Label(f)
	s.StartProc(false)
	enc := uint8(mc.EncPCRel | mc.EncSData4)
	s.Personality(sym("DW.ref.p"), mc.EncIndirect|enc)
	s.LSDA(lsda, enc)
	s.Int(0x01020304, 4)
	s.CFI(mc.CFI{Op: mc.CFIDefCfaOffset, Offset: 16})
	s.CFI(mc.CFI{Op: mc.CFIOffset, Reg: m.link, Offset: -8})
	s.Zeros(600)
	s.CFI(mc.CFI{Op: mc.CFIRememberState})
	s.Zeros(1200)
	s.CFI(mc.CFI{Op: mc.CFIRestoreState})
	s.Int(5, 4)
	s.Label(end)
	s.Size(f, c.Diff(end, f))
	s.EndProc()
	g := sym("g")
	s.Attribute(g, mc.AttrTypeFunction)
	s.Label(g)
	s.StartProc(false)
	s.Int(0, 4)
	s.EndProc()

	s.SwitchSection(c.ELFSection(".gcc_except_table", mc.SecProgBits, mc.FlagAlloc, 0))
	s.Align(2, 0, 0)
	s.Label(lsda)
	s.Int(255, 1)
	s.ULEB128(c.Diff(end, f))
	s.Align(2, 0, 0)

	s.SwitchSection(c.DataSection())
	s.Align(3, 0, 0)
	d := sym("d")
	s.Attribute(d, mc.AttrTypeObject)
	s.Label(d)
	s.Int(0x11, 1)
	s.Zeros(1)
	s.Int(0x1122, 2)
	s.Int(0x11223344, 4)
	s.Int(0x1122334455667788, 8)
	s.Value(c.Ref(sym("x"), mc.ModNone), word)
	s.Value(c.RefOff(sym("x"), mc.ModNone, -3), word)
	s.Value(c.RefOff(sym("x"), mc.ModNone, 0x101), 2)
	s.Value(c.RefOff(end, mc.ModNone, 4), 4)
	s.Value(c.Diff(sym("x"), d), 4)
	s.Value(c.Diff(end, f), 4)
	s.Value(c.Ref(d, mc.ModNone), word)
	s.Bytes([]byte("text\x00"))
	s.Size(d, c.Const(40))

	s.SwitchSection(c.BSSSection())
	s.Label(sym("b"))
	s.Zeros(uint64(word))
	s.Common(sym("k"), 12, 4)
	s.SwitchSection(c.ELFSection(".note.GNU-stack", mc.SecProgBits, 0, 0))
}

func (m *machine) text(t *testing.T) []byte {
	s := asmtext.New(mc.NewContext(m.asmInfo()), m)
	m.emit(s)
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	return s.Output()
}

func (m *machine) object(t *testing.T, chunks bool) []byte {
	s := mc.NewObjectStreamer(mc.NewContext(m.asmInfo()), nil, m)
	if chunks {
		k := s.Fork()
		m.emit(k)
		if err := s.Join(k); err != nil {
			t.Fatal(err)
		}
	} else {
		m.emit(s)
	}
	obj, err := s.Object()
	if err != nil {
		t.Fatal(err)
	}
	b, err := elf.Append(nil, obj)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestTargets: text and objects are those in testdata, which llvm-mc 22 made of
// the text (go test -update).
func TestTargets(t *testing.T) {
	for i := range machines {
		m := &machines[i]
		t.Run(m.name, func(t *testing.T) {
			text := m.text(t)
			asm, obj := filepath.Join("testdata", m.name+".s"), filepath.Join("testdata", m.name+".elf")
			if *update {
				made := assemble(t, m, text)
				if err := errors.Join(os.WriteFile(asm, text, 0o666), os.WriteFile(obj, made, 0o666)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(asm)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(text, want) {
				t.Errorf("text is\n%s\nwant\n%s", text, want)
			}
			if want, err = os.ReadFile(obj); err != nil {
				t.Fatal(err)
			}
			for _, chunks := range []bool{false, true} {
				got := m.object(t, chunks)
				if !bytes.Equal(got, want) {
					file := filepath.Join(t.TempDir(), "got.elf")
					os.WriteFile(file, got, 0o666)
					t.Errorf("the object (chunks: %t) differs from %s", chunks, obj)
				}
				if m.header.Rela {
					back, err := elf.Read(got)
					if err != nil {
						t.Fatal(err)
					}
					if again, err := elf.Append(nil, back); err != nil || !bytes.Equal(again, got) {
						t.Errorf("read and written again it differs: %v", err)
					}
				}
			}
		})
	}
}

func TestTargetsAgainstLLVM(t *testing.T) {
	for i := range machines {
		m := &machines[i]
		if !bytes.Equal(assemble(t, m, m.text(t)), m.object(t, false)) {
			t.Errorf("%s: the object differs from llvm-mc's", m.name)
		}
	}
}

func assemble(t *testing.T, m *machine, text []byte) []byte {
	cmd := exec.Command(testenv.LLVM(t, "llvm-mc"), "-triple="+m.triple, "-filetype=obj")
	cmd.Stdin = bytes.NewReader(text)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
