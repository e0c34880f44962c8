package tiny

import (
	"embed"
	"sync"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/legal"
	"github.com/mirin-go/mirin/codegen/matchtable"
	"github.com/mirin-go/mirin/codegen/regbank"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/tablegen"
	tdcallconv "github.com/mirin-go/mirin/tablegen/emit/callingconv"
	tdisel "github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/triple"
)

//go:embed Tiny.td
var files embed.FS

// row is what other targets have in desc/family.
var row = family.Row{Name: "Tiny", Layout: func(triple.Triple, string) string { return loaded().layout }}

// Target is the target, for whoever gives it to a driver.
var Target = target.Target{
	Name:    "tiny",
	Desc:    "a small RISC, the example of adding a target",
	Family:  &row,
	Facts:   func() (*desc.Info, error) { t, err := tables(); return t.info, err },
	Matches: func(t triple.Triple) bool { return t.ArchName() == "tiny" },
	NewSubtarget: func(st *target.Subtarget) error {
		t, err := tables()
		st.Call, st.Instr, st.Legal = &t.calls, &t.instr, t.legal
		return err
	},
	ISel:  iselHooks,
	Frame: frameHooks,
	MC: target.MCHooks{
		AsmPrinter: func(*target.Machine) *target.AsmPrinterHooks {
			return &target.AsmPrinterHooks{FuncAlign: 2, Modifier: func(uint16) (mc.Modifier, error) { return mc.ModNone, nil }}
		},
		Encoder: func(*target.Machine) mc.Encoder { return loaded().encoder },
		Backend: func(*target.Machine) mc.AsmBackend { return loaded().backend },
		Printer: func(*target.Machine, int) mc.InstPrinter { return loaded().printer },
	},
}

// tableSet is all that Tiny.td says, ready for use.
type tableSet struct {
	info     *desc.Info
	layout   string // the data layout
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
	gpr      desc.ClassID
	addi     desc.Opcode
}

// tables reads Tiny.td, once.
var tables = sync.OnceValues(load)

// loaded gives the tables to hooks that have no error to return: Facts and
// NewSubtarget, which are asked before them, have returned it.
func loaded() *tableSet { t, _ := tables(); return t }

func load() (*tableSet, error) {
	t := &tableSet{}
	rs, err := parse()
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

// parse evaluates Tiny.td. What it includes is built in.
func parse() (*tablegen.Records, error) {
	src, err := files.ReadFile("Tiny.td")
	if err != nil {
		return nil, err
	}
	return tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, "Tiny.td", src)
}

// machine is what objects say about their processor.
var machine = mc.Machine{ELFMachine: 0x7177, Rela: true, PtrSize: 4, EHFrameType: mc.SecProgBits, CodeAlign: 4,
	CIE: mc.CIE{CodeAlign: 4, DataAlign: -4, Return: 1, Pointer: mc.EncPCRel | mc.EncSData4, Initial: []mc.CFI{{Op: mc.CFIDefCfa, Reg: 2}}}}

// Relocations of data; those of instructions are in Tiny.td.
const (
	relocWord     = 5
	relocDistance = 6
)

// mc makes the tables of the machine code layer.
func (t *tableSet) mc(g *mcgen.Source) (err error) {
	if t.encoding, err = g.Encoder(); err != nil {
		return err
	}
	if t.encoder, err = table.NewEncoder(t.encoding, t.info, table.EncodeFuncs{}); err != nil {
		return err
	}
	t.backend = table.NewBackend(t.encoding, machine, []byte{0, 0, 0, 4}) // addi r0, r0, 0
	t.backend.Data[2], t.backend.DataPC[2] = relocWord, relocDistance
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

// conventions makes the tables of calls.
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
	t.calls.Conventions = callconv.Conventions{Interp: conv, Args: number["CC_Tiny"], Result: number["RetCC_Tiny"],
		Regs: &callconv.RegTypes{Legal: []desc.MVT{desc.MVTi32}}}
	t.calls.Init()
	return nil
}

// selection makes the match table.
func (t *tableSet) selection(rs *tablegen.Records) error {
	res, err := tdisel.FromRecords(t.info, rs)
	if err != nil {
		return err
	}
	if err := res.Err(); err != nil {
		return err
	}
	table, err := matchtable.Bind(res.Table.AppendBinary(nil), t.patternHooks(), t.info)
	t.selector.Table = table
	return err
}
