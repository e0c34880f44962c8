package testtarget

import (
	"embed"
	"sync"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/tablegen"
	tdcallconv "github.com/mirin-go/mirin/tablegen/emit/callingconv"
	tdisel "github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

//go:embed Big.td
var files embed.FS

var row = family.Row{Name: "Big", Layout: func(triple.Triple, string) string { return loaded().layout }}

// Target is the target.
var Target = target.Target{
	Name:    "big32",
	Desc:    "a big-endian machine for tests",
	Family:  &row,
	Facts:   func() (*desc.Info, error) { t, err := tables(); return t.info, err },
	Matches: func(t triple.Triple) bool { return t.ArchName() == "big32" },
	NewSubtarget: func(st *target.Subtarget) error {
		t, err := tables()
		st.Call, st.Instr, st.Legal, st.Frame = &t.calls, &t.instr, t.legal, &t.frame
		return err
	},
	ISel: iselHooks,
	MC: target.MCHooks{
		AsmInfo: func(*target.Machine) *mc.AsmInfo { return &asmInfo },
		AsmPrinter: func(*target.Machine) *target.AsmPrinterHooks {
			return &target.AsmPrinterHooks{FuncAlign: 2, Modifier: func(uint16) (mc.Modifier, error) { return mc.ModNone, nil }}
		},
		Encoder: func(*target.Machine) mc.Encoder { return loaded().encoder },
		Backend: func(*target.Machine) mc.AsmBackend { return loaded().backend },
		Printer: func(*target.Machine, int) mc.InstPrinter { return loaded().printer },
	},
}

// asmInfo: another comment, other prefixes, no directive for eight bytes.
var asmInfo = func() mc.AsmInfo {
	a := mc.ELFAsmInfo()
	a.BigEndian, a.PrivateGlobal, a.PrivateLabel, a.Comment = true, "$", "$", "!"
	a.Data = [4]string{"\t.byte\t", "\t.half\t", "\t.word\t", ""}
	return a
}()

// tableSet is all that Big.td says, ready for use.
type tableSet struct {
	info     *desc.Info
	layout   string
	encoding *desc.EncoderTable
	encoder  *table.Encoder
	decoder  *table.Decoder
	printer  *table.Printer
	matcher  *table.Matcher
	backend  *table.Backend
	legal    *legal.Table
	banks    *regbank.Table
	selector globalisel.Selector
	calls    target.CallConv
	instr    target.InstrTable
	frame    target.FrameHooks
	ops
}

var tables = sync.OnceValues(load)

func loaded() *tableSet { t, _ := tables(); return t }

func load() (*tableSet, error) {
	t := &tableSet{}
	src, err := files.ReadFile("Big.td")
	if err != nil {
		return t, err
	}
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, "Big.td", src)
	if err != nil {
		return t, err
	}
	td, err := targetinfo.Build(rs, targetinfo.Options{})
	if err != nil {
		return t, err
	}
	t.info = td.Info
	t.layout = t.info.Str(t.info.Variants[0].DataLayout)
	if err := t.instructions(); err != nil {
		return t, err
	}
	if err := t.mc(mcgen.New(rs, td)); err != nil {
		return t, err
	}
	if err := t.conventions(rs); err != nil {
		return t, err
	}
	if err := t.selection(rs); err != nil {
		return t, err
	}
	t.legal, t.banks = rules(), banks()
	return t, nil
}

// machine is what objects say about their processor. Halves of addresses have no
// room for addends, which stand in the relocations.
var machine = mc.Machine{ELFMachine: 0x7178, Rela: true, BigEndian: true, PtrSize: 4, EHFrameType: mc.SecProgBits, CodeAlign: 4,
	CIE: mc.CIE{CodeAlign: 4, DataAlign: -4, Return: 28, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 23}}}}

// Relocations of data; those of instructions are in Big.td.
const (
	relocWord     = 5
	relocDistance = 6
	relocHalf     = 7
	relocByte     = 8
)

func (t *tableSet) mc(g *mcgen.Source) (err error) {
	if t.encoding, err = g.Encoder(); err != nil {
		return err
	}
	if t.encoder, err = table.NewEncoder(t.encoding, t.info, table.EncodeFuncs{}); err != nil {
		return err
	}
	t.backend = table.NewBackend(t.encoding, machine, []byte{32, 0, 0, 0}) // addi d0, d0, 0
	t.backend.Data[0], t.backend.Data[1], t.backend.Data[2], t.backend.DataPC[2] = relocByte, relocHalf, relocWord, relocDistance
	d, err := g.Decoder(mcgen.DecoderOptions{})
	if err != nil {
		return err
	}
	if t.decoder, err = table.NewDecoder(d, t.info, nil); err != nil {
		return err
	}
	w, err := g.Writer()
	if err != nil {
		return err
	}
	if t.printer, err = table.NewPrinter(w, t.info, 0, table.PrintFuncs{}); err != nil {
		return err
	}
	m, err := g.Matcher()
	if err != nil {
		return err
	}
	t.matcher, err = table.NewMatcher(m, t.info, table.MatchFuncs{})
	return err
}

func (t *tableSet) conventions(rs *tablegen.Records) error {
	cc, err := tdcallconv.FromRecords(t.info, rs)
	if err != nil {
		return err
	}
	conv, err := callconv.Bind(t.info, cc, nil, nil)
	if err != nil {
		return err
	}
	number := map[string]int{}
	for k, c := range cc.Convs {
		number[c.Name] = k
	}
	t.calls.Conventions = callconv.Conventions{Interp: conv, Args: number["CC_Big"], Result: number["RetCC_Big"],
		Regs: &callconv.RegTypes{Legal: []desc.MVT{desc.MVTi32}}}
	t.calls.Init()
	return nil
}

func (t *tableSet) selection(rs *tablegen.Records) error {
	res, err := tdisel.FromRecords(t.info, rs)
	if err != nil {
		return err
	}
	if err := res.Err(); err != nil {
		return err
	}
	tab, err := matchtable.Bind(res.Table.AppendBinary(nil), t.patternHooks(), t.info)
	t.selector.Table = tab
	return err
}
