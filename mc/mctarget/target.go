package mctarget

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/triple"
)

// Hooks are the parts that a target makes otherwise than from the tables of the
// facts, and those that these do not have yet; nil ones are made of the tables.
type Hooks struct {
	// Flags are flags of the command that are about this target alone.
	Flags   []Flag
	AsmInfo func(t *Target) *mc.AsmInfo
	Encoder func(t *Target) (mc.Encoder, error)
	Backend func(t *Target) (mc.AsmBackend, error)
	Printer func(t *Target, variant int) (mc.InstPrinter, error)
	// WrapEncoder puts an encoder before that of the tables.
	WrapEncoder func(t *Target, e mc.Encoder) (mc.Encoder, error)
	// PlainExprs says that expressions are written without the '#' of numbers.
	PlainExprs bool
	// Wrap puts a printer before that of the tables.
	Wrap         func(t *Target, p mc.InstPrinter) mc.InstPrinter
	Parser       func(t *Target) (mc.TargetAsmParser, error)
	Disassembler func(t *Target) (mc.Disassembler, error)
	// WrapDisassembler puts a disassembler before that of the tables.
	WrapDisassembler func(t *Target, d mc.Disassembler) mc.Disassembler
	// Expand reads instructions that the machine does not have (table.Syntax).
	Expand func(r *table.Reader, p mc.AsmParser, mnemonic, text string) (known bool, err error)
	// RegName appends the name that a register has where options ask for other ones than
	// the tables'; RegNamed says whether they do.
	RegName  func(b []byte, t *Target, r desc.PhysReg, text string) []byte
	RegNamed func(t *Target) bool
	// Again gives another text for one that no form takes (table.Syntax).
	Again func(text string) string
}

// Target is the machine code layer for a triple. Its parts are made once, when
// asked for, and may be shared by any number of goroutines.
type Target struct {
	Name   string // for messages: the architecture of the triple
	Family *family.Row
	Triple triple.Triple
	Info   *desc.Info
	// ST is the subtarget of the processor and the features that New was given.
	ST *mc.Subtarget
	// ABI is the name of the binary interface (-target-abi), "" for the triple's own.
	// It is set before parts are asked for.
	ABI string
	// PIC asks for code that may stand anywhere, of assemblers that expand macros.
	PIC bool
	// PrinterOptions are names of what printers do otherwise ("no-aliases", "numeric"),
	// of which those that a target does not have mean nothing.
	PrinterOptions []string
	// Flags are values of the flags of Hooks.
	Flags Flags
	// Warnings are about features that are not known.
	Warnings []string

	hooks   *Hooks
	from    *Source
	tables  part[*desc.MCTables]
	objects part[*table.Objects]
	enc     part[mc.Encoder]
	be      part[mc.AsmBackend]
	parser  part[mc.TargetAsmParser]
	dis     part[mc.Disassembler]
}

// part is made when it is first asked for.
type part[T any] struct {
	once sync.Once
	v    T
	err  error
}

func (p *part[T]) get(make func() (T, error)) (T, error) {
	p.once.Do(func() { p.v, p.err = make() })
	return p.v, p.err
}

// MissingError says that a target has no such part.
type MissingError struct{ Target, Part string }

// Error is like "target sparc: no disassembler".
func (e *MissingError) Error() string { return "target " + e.Target + ": no " + e.Part }

// New makes the target of a family for a triple, a processor ("" for the default)
// and features as -mattr lists them. hooks may be nil.
func New(row *family.Row, of triple.Triple, cpu, features string, hooks *Hooks) (*Target, error) {
	return NewFrom(ofFacts(row.Name), row, of, cpu, features, hooks)
}

// NewFrom is New with tables of a source of one's own.
func NewFrom(from *Source, row *family.Row, of triple.Triple, cpu, features string, hooks *Hooks) (*Target, error) {
	info, err := from.Info()
	if err != nil {
		return nil, err
	}
	if hooks == nil {
		hooks = &Hooks{}
	}
	t := &Target{Name: of.ArchName(), Family: row, Triple: of, Info: info, hooks: hooks, from: from}
	t.ST, t.Warnings, err = t.Subtarget(cpu, features)
	return t, err
}

// Subtarget resolves a processor ("" for the default) and features, of which
// those that are not known make warnings.
func (t *Target) Subtarget(cpu, features string) (st *mc.Subtarget, warnings []string, err error) {
	start, base := t.Family.MCSubtarget(t.Triple, cpu)
	features = strings.TrimPrefix(base+","+features, ",")
	r := family.Resolve(t.Info, start, start, features)
	if r.NoCPU {
		warnings = append(warnings, fmt.Sprintf("'%s' is not a recognized processor for this target (ignoring processor)", cpu))
	}
	for _, f := range r.Unknown {
		warnings = append(warnings, "'"+f+"' is not a recognized feature for this target (ignoring feature)")
	}
	return &mc.Subtarget{Info: t.Info, CPU: start, Features: r.Bits(), DwarfFlavour: t.dwarfFlavour()}, warnings, nil
}

// Tables gives the tables of the facts; its parts that are not there are nil.
func (t *Target) Tables() (*desc.MCTables, error) {
	return t.tables.get(func() (*desc.MCTables, error) {
		if t.from.MachineCode == nil {
			return &desc.MCTables{}, nil
		}
		return t.from.MachineCode()
	})
}

// missing is the error for a part.
func (t *Target) missing(part string) error { return &MissingError{t.Name, part} }

// AsmInfo describes the assembly language.
func (t *Target) AsmInfo() *mc.AsmInfo {
	a := t.asmInfo()
	t.complete(a)
	return a
}

func (t *Target) asmInfo() *mc.AsmInfo {
	if f := t.hooks.AsmInfo; f != nil {
		return f(t)
	}
	if o, err := t.Objects(); err == nil && o != nil {
		return o.AsmInfo()
	}
	a := mc.ELFAsmInfo()
	if c := t.Family.Comment; c != "" {
		a.Comment = c
	}
	a.BigEndian = !t.Triple.IsLittleEndian()
	return &a
}

// Encoder turns instructions into bytes.
func (t *Target) Encoder() (mc.Encoder, error) {
	return t.enc.get(func() (mc.Encoder, error) {
		if f := t.hooks.Encoder; f != nil {
			return f(t)
		}
		tab, err := t.Tables()
		if err != nil {
			return nil, err
		}
		if tab.Encoder == nil {
			return nil, t.missing("encoder")
		}
		e, err := table.NewEncoder(tab.Encoder, t.Info, table.EncodeFuncs{})
		if err != nil {
			return nil, err
		}
		var made mc.Encoder = e
		if o, err := t.Objects(); err != nil || o != nil {
			if err != nil {
				return nil, err
			}
			if made, err = o.Encoder(e); err != nil {
				return nil, err
			}
		}
		if f := t.hooks.WrapEncoder; f != nil {
			return f(t, made)
		}
		return made, nil
	})
}

// Backend knows fixups, relocations and the header of objects.
func (t *Target) Backend() (mc.AsmBackend, error) {
	return t.be.get(func() (mc.AsmBackend, error) {
		if f := t.hooks.Backend; f != nil {
			return f(t)
		}
		if o, err := t.Objects(); err != nil || o != nil {
			if err == nil {
				_, err = t.Encoder() // which tells o what can be encoded
			}
			return o, err
		}
		return nil, t.missing("assembler backend")
	})
}

// Printer writes instructions as text in a variant of the syntax. It is made anew
// for each call.
func (t *Target) Printer(variant int) (mc.InstPrinter, error) {
	if f := t.hooks.Printer; f != nil {
		return f(t, variant)
	}
	tab, err := t.Tables()
	if err != nil {
		return nil, err
	}
	if tab.Writer == nil {
		return nil, t.missing("instruction printer")
	}
	var p *table.Printer
	p, err = table.NewPrinter(tab.Writer, t.Info, variant, table.PrintFuncs{DwarfReg: func(b []byte, reg uint32) []byte {
		if b, ok := t.appendDwarfReg(p, b, reg); ok {
			return b
		}
		return strconv.AppendUint(b, uint64(reg), 10)
	}})
	if err != nil {
		return nil, err
	}
	p.NoAliases = slices.Contains(t.PrinterOptions, "no-aliases")
	p.PlainExprs = t.hooks.PlainExprs
	if f := t.hooks.RegName; f != nil && t.hooks.RegNamed(t) {
		p.RegName = func(b []byte, r desc.PhysReg, text string) []byte { return f(b, t, r, text) }
	}
	if f := t.hooks.Wrap; f != nil {
		return f(t, p), nil
	}
	return p, nil
}

// Parser reads the target's part of assembly.
func (t *Target) Parser() (mc.TargetAsmParser, error) {
	return t.parser.get(func() (mc.TargetAsmParser, error) {
		if f := t.hooks.Parser; f != nil {
			return f(t)
		}
		return t.Reader(t.syntax())
	})
}

// Reader makes the parser of the tables, with what the operand language has beside them.
func (t *Target) Reader(y table.Syntax) (*table.Reader, error) {
	tab, err := t.Tables()
	if err != nil {
		return nil, err
	}
	var m *desc.MatcherTable
	if t.from.Matcher != nil {
		if m, err = t.from.Matcher(); err != nil {
			return nil, err
		}
	}
	if m == nil || tab.Writer == nil || tab.Encoder == nil {
		return nil, t.missing("assembly parser")
	}
	return table.NewReader(m, tab, t.Info, y), nil
}

// Disassembler turns bytes into instructions.
func (t *Target) Disassembler() (mc.Disassembler, error) {
	return t.dis.get(func() (mc.Disassembler, error) {
		if f := t.hooks.Disassembler; f != nil {
			return f(t)
		}
		if t.from.Decoder == nil {
			return nil, t.missing("disassembler")
		}
		tab, err := t.from.Decoder()
		if err != nil {
			return nil, err
		}
		d, err := table.NewDecoder(tab, t.Info, nil)
		if err != nil {
			return nil, err
		}
		var made mc.Disassembler = table.NewDisassembler(d, tab.BigEndian == t.Triple.IsLittleEndian() && !t.Family.CodeLittle)
		if f := t.hooks.WrapDisassembler; f != nil {
			made = f(t, made)
		}
		return made, nil
	})
}

// NoVariant is the error for a variant of the syntax that a target does not have.
func NoVariant(t *Target, variant int) error {
	return fmt.Errorf("unable to create instruction printer for target triple '%s' with assembly variant %d.", t.Triple, variant)
}
