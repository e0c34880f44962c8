package testtarget

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	mcelf "github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/target"
)

// eachObject compiles the programs.
func eachObject(t *testing.T, do func(t *testing.T, file string, src []byte, opt target.OptLevel, obj *mc.Object)) {
	levels(t, func(t *testing.T, opt target.OptLevel) {
		for _, file := range programs {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			obj, _, errs := job(t, file, src, opt).Object()
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			do(t, file, src, opt, obj)
		}
	})
}

// TestELF: others read the object as what it is.
func TestELF(t *testing.T) {
	eachObject(t, func(t *testing.T, file string, _ []byte, _ target.OptLevel, obj *mc.Object) {
		b, err := mcelf.Append(nil, obj)
		if err != nil {
			t.Fatal(err)
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if f.Class != elf.ELFCLASS32 || f.ByteOrder != binary.BigEndian || f.Machine != elf.Machine(machine.ELFMachine) || f.Type != elf.ET_REL {
			t.Errorf("%s: %v", file, f.FileHeader)
		}
		syms, err := f.Symbols()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(syms, func(s elf.Symbol) bool { return elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 }) {
			t.Errorf("%s: no functions among %v", file, syms)
		}
	})
}

// roundTrip takes a word to an instruction, text, an instruction and bytes.
func roundTrip(t *testing.T, tab *tableSet, code []byte) (desc.Opcode, bool) {
	t.Helper()
	st := &mc.Subtarget{Info: tab.info}
	ctx := mc.NewContext(&asmInfo)
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

// TestRoundTrip disassembles words and code, prints, assembles and compares.
func TestRoundTrip(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	seen := map[desc.Opcode]bool{}
	for range 200_000 {
		w := rnd.Uint32() & (1<<rnd.IntN(25) - 1) // few fields have all of their bits
		if op, ok := roundTrip(t, tab, binary.BigEndian.AppendUint32(nil, w|rnd.Uint32N(100)<<24)); ok {
			seen[op] = true
		}
	}
	for op := desc.Opcode(desc.FirstTargetOpcode); int(op) < tab.info.NumInstrs(); op++ {
		if !tab.info.Instr(op).IsPseudo() && !seen[op] {
			t.Errorf("no word is %s", tab.info.OpcodeName(op))
		}
	}
	eachObject(t, func(t *testing.T, file string, _ []byte, _ target.OptLevel, obj *mc.Object) {
		for k := range obj.Sections {
			if obj.Sections[k].Flags&mc.FlagExec == 0 {
				continue
			}
			for code := obj.Sections[k].Data; len(code) > 0; code = code[4:] {
				if _, ok := roundTrip(t, tab, code[:4]); !ok {
					t.Errorf("%s: % x is no instruction", file, code[:4])
				}
			}
		}
	})
}

// TestAssembly assembles the text that the compiler prints: it gives the code of
// the object.
func TestAssembly(t *testing.T) {
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	eachObject(t, func(t *testing.T, file string, src []byte, opt target.OptLevel, obj *mc.Object) {
		text, _, errs := job(t, file, src, opt).Assembly(driver.Shown{})
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		st := &mc.Subtarget{Info: tab.info}
		out := mc.NewObjectStreamer(mc.NewContext(&asmInfo), tab.encoder, tab.backend)
		ctx, code := out.Context(), true
		var in mc.Inst
		for _, line := range strings.Split(string(text), "\n") {
			line, _, _ = strings.Cut(line, "!")
			label, isLabel := strings.CutSuffix(strings.TrimSpace(line), ":")
			switch {
			case strings.HasPrefix(label, ".section") || label == ".data":
				code = false
				out.SwitchSection(ctx.DataSection())
			case label == ".text":
				code = true
				out.SwitchSection(ctx.TextSection())
			case !code && isLabel: // of a table, which code refers to; its contents are not read
				out.Label(ctx.Symbol(label))
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
				t.Errorf("%s: at %#x: % x assembled, % x compiled", file, k, b.Data[k:k+4], a.Data[k:k+4])
				break
			}
		}
		if !bytes.Equal(a.Data, b.Data) || len(a.Relocs) != len(b.Relocs) {
			t.Errorf("%s: the assembled text has %d bytes and %d relocations, the object %d and %d, or they differ", file, len(b.Data), len(b.Relocs), len(a.Data), len(a.Relocs))
		}
	})
}
