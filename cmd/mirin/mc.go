package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/internal/llvmflag"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/asmparse"
	"github.com/mirin-go/mirin/mc/asmtext"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/target/all"
)

// mcOptions are the flags of llvm-mc.
type mcOptions struct {
	out, fileType                      string
	assemble, disassemble, mdis        bool
	triple, arch, cpu, abi             string
	attrs, printerOptions, includes    []string
	defines                            []string
	showEncoding, showInst, showParsed bool
	hex, immHex                        bool
	variant                            int // -output-asm-variant
	syntax                             []*syntaxFlag
	pic, debug                         bool
	noText, noWarn, fatalWarnings      bool
	dwarfVersion                       int
	dwarf64                            bool
	compDir, mainFile                  string
	largeCode, relaxAll, noExecStack   bool
	crel                               bool
	targetFlags                        mctarget.Flags
	compress, dwo                      string
	nesting                            int
	ignored                            mcIgnored
}

// mcIgnored are flags of llvm-mc that mean nothing here.
type mcIgnored struct {
	saveTemps, motorola, masmInts, masmFloats, incremental, noDeprecated, noTypeCheck, validate bool
	runs                                                                                        int
}

func (o *mcOptions) flags() *llvmflag.Set {
	s := &llvmflag.Set{Tool: "llvm-mc", Overview: "read assembly, print it or write an object; or disassemble bytes", Usage: "[options] <input file>",
		Version: versionText(), MaxArgs: 1,
		Examples: `  mirin mc prog.s                                 the assembly, as it was understood
  mirin mc -filetype=obj prog.s -o prog.o
  echo 'add x0, x1, x2' | mirin mc -triple=aarch64 -show-encoding
  echo '0x00 0x00 0x02 0x8b' | mirin mc -triple=aarch64 -disassemble
`}
	s.Group("Action to perform")
	s.Bool(&o.assemble, "assemble", "Assemble a .s file (default)")
	s.Bool(&o.disassemble, "disassemble", "Disassemble strings of hex bytes")
	s.Bool(&o.mdis, "mdis", "Marked up disassembly of strings of hex bytes")
	s.Bool(&o.hex, "hex", "Take raw hexadecimal bytes as input for disassembly. Whitespace is ignored")
	s.Group("Input and output")
	s.String(&o.out, "o", "Output filename").Value("filename")
	s.Enum(&o.fileType, "filetype", "Choose an output file type", choices("asm", "obj", "null")...)
	s.List(&o.includes, "I", "Directory of include files").Value("directory").Joined()
	s.List(&o.defines, "defsym", "Defines a symbol to be an integer constant").Value("symbol=value")
	s.Bool(&o.noText, "n", "Don't assume assembly file starts in the text section")
	s.Bool(&o.noWarn, "no-warn", "Suppress all warnings")
	s.Bool(&o.fatalWarnings, "fatal-warnings", "Treat warnings as errors")
	s.Uint(&o.dwarfVersion, "dwarf-version", "Dwarf version")
	s.Bool(&o.dwarf64, "dwarf64", "Generate debugging info in the 64-bit DWARF format")
	s.String(&o.compDir, "fdebug-compilation-dir", "Specifies the debug info's compilation dir")
	s.String(&o.mainFile, "main-file-name", "Specifies the name we should consider the input file")
	s.Group("What assembly output shows")
	s.Bool(&o.showEncoding, "show-encoding", "Show instruction encodings")
	s.Bool(&o.showInst, "show-inst", "Show internal instruction representation")
	s.Bool(&o.showParsed, "show-inst-operands", "Show instructions operands as parsed")
	for _, t := range all.Targets() {
		if y := t.MC.Syntax; y != nil {
			f := &syntaxFlag{of: t}
			o.syntax = append(o.syntax, f)
			s.Enum(&f.name, y.Flag, y.Help, choices(y.Names...)...)
		}
	}
	s.Uint(&o.variant, "output-asm-variant", "Syntax variant to use for output printing")
	s.Bool(&o.immHex, "print-imm-hex", "Prefer hex format for immediate values")
	s.List(&o.printerOptions, "M", "InstPrinter options").Value("string")
	s.Group("Target")
	s.String(&o.triple, "triple", "Target triple to assemble for, see -version for available targets")
	s.String(&o.arch, "arch", "Target arch to assemble for, see -version for available targets")
	s.String(&o.cpu, "mcpu", "Target a specific cpu type").Value("cpu-name")
	s.List(&o.attrs, "mattr", "Target specific attributes").Value("a1,+a2,-a3,...")
	s.String(&o.abi, "target-abi", "The name of the ABI to be targeted from the backend")
	s.Bool(&o.pic, "position-independent", "Position independent")
	s.Bool(&o.debug, "g", "Generate dwarf debugging info for assembly source files")
	s.Bool(&o.largeCode, "large-code-model", "Create cfi directives that assume the code might be more than 2gb away")
	s.Group("Objects")
	s.Bool(&o.relaxAll, "mc-relax-all", "When used with filetype=obj, relax all fixups in the emitted object file")
	s.Bool(&o.noExecStack, "no-exec-stack", "File doesn't need an exec stack")
	s.Bool(&o.crel, "crel", "Use CREL relocation format for ELF")
	for _, f := range all.MCFlags() {
		v := f.Default
		o.targetFlags = append(o.targetFlags, mctarget.FlagValue{Flag: f.Name, Value: &v})
		if f.Bool {
			b := v == "true"
			s.Bool(&b, f.Name, f.Help)
			o.targetFlags[len(o.targetFlags)-1].On = &b
		} else {
			s.String(&v, f.Name, f.Help)
		}
	}
	s.Enum(&o.compress, "compress-debug-sections", "Choose DWARF debug sections compression:", choices("none", "zlib", "zstd")...)
	s.String(&o.dwo, "split-dwarf-file", "DWO output filename").Value("filename")
	s.Uint(&o.nesting, "asm-macro-max-nesting-depth", "The maximum nesting depth allowed for assembly macros.").Hidden()
	s.Bool(&o.ignored.saveTemps, "save-temp-labels", "Don't discard temporary labels").Hidden()
	s.Bool(&o.ignored.motorola, "motorola-integers", "Enable binary and hex Motorola integers (%110 and $ABC)").Hidden()
	s.Bool(&o.ignored.masmInts, "masm-integers", "Enable binary and hex masm integers (0b110 and 0ABCh)").Hidden()
	s.Bool(&o.ignored.masmFloats, "masm-hexfloats", "Enable MASM-style hex float initializers (3F800000r)").Hidden()
	s.Bool(&o.ignored.incremental, "incremental-linker-compatible", "Emit an object file which can be used with an incremental linker").Hidden()
	s.Bool(&o.ignored.noDeprecated, "no-deprecated-warn", "Suppress all deprecated warnings").Hidden()
	s.Bool(&o.ignored.noTypeCheck, "no-type-check", "Suppress type errors (Wasm)").Hidden()
	s.Bool(&o.ignored.validate, "validate-cfi", "Validate the CFI directives").Hidden()
	s.Uint(&o.ignored.runs, "runs", "Number of runs for benchmarking").Hidden()
	return s
}

// mcMain is llvm-mc.
func mcMain(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	const tool = "llvm-mc"
	o := mcOptions{fileType: "asm", compress: "none"}
	fs := o.flags()
	done, err := fs.Parse(args, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if done {
		return 0
	}
	in := "-"
	if len(fs.Args) > 0 {
		in = fs.Args[0]
	}
	help := asksHelp(o.cpu, o.attrs)
	if help {
		o.cpu, o.attrs = "", nil
	}
	t, err := all.MC(o.triple, o.arch, o.cpu, strings.Join(o.attrs, ","))
	if err == nil && help {
		if err = writeCPUHelp(stderr, t.Info); err == nil {
			return 0
		}
	}
	if err != nil {
		return fail(stderr, tool, err)
	}
	for _, w := range t.Warnings {
		fmt.Fprintln(stderr, w)
	}
	t.ABI, t.PIC, t.PrinterOptions, t.Flags = o.abi, o.pic, o.printerOptions, o.targetFlags
	if err := o.check(); err != nil {
		return fail(stderr, tool, err)
	}
	src, name, err := readText(in, stdin)
	if errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("%s: No such file or directory", in)
	}
	if err != nil {
		return fail(stderr, tool, err)
	}
	var out []byte
	var ok bool
	if o.disassemble || o.mdis {
		out, ok, err = o.disassembled(t, name, src, stderr)
	} else {
		out, ok, err = o.assembled(t, name, src, stdout, stderr)
	}
	if o.out == "" {
		o.out = "-"
	}
	// What was read before an error is printed, too, but never into a file.
	if err == nil && o.fileType != "null" && (ok || o.out == "-" || o.disassemble || o.mdis) {
		err = writeOutput(o.out, out, stdout)
	}
	switch {
	case err != nil:
		return fail(stderr, tool, err)
	case !ok:
		return 1
	}
	return 0
}

// assembled reads assembly and gives the output file; what is wrong with the
// text has been shown when ok is false.
func (o *mcOptions) assembled(t *mctarget.Target, name, src string, stdout, stderr io.Writer) (out []byte, ok bool, err error) {
	parser, err := t.Parser()
	var missing *mctarget.MissingError
	if errors.As(err, &missing) {
		err = nil // directives are read without one
	}
	if err != nil {
		return nil, false, err
	}
	ctx := mc.NewContext(t.AsmInfo())
	opts, err := o.parserOptions(name, stdout, stderr)
	if err != nil {
		return nil, false, err
	}
	if o.fileType == "asm" {
		return o.printed(t, ctx, parser, src, opts)
	}
	enc, err := t.Encoder()
	if err != nil {
		return nil, false, err
	}
	be, err := t.Backend()
	if err != nil {
		return nil, false, err
	}
	s := mc.NewObjectStreamer(ctx, enc, be)
	s.SetOptions(mc.ObjectOptions{LargeCode: o.largeCode, RelaxAll: o.relaxAll, Crel: o.crel})
	opts.NoExecStack = o.noExecStack
	p := asmparse.New(s, parser, t.ST, opts)
	if !p.Parse([]byte(src)) {
		return nil, false, nil
	}
	obj, err := s.Object()
	if err != nil {
		p.Report(err)
	}
	if err != nil || p.Failed() {
		return nil, false, nil
	}
	if o.compress == "zlib" {
		if err := elf.CompressDebug(obj); err != nil {
			return nil, false, err
		}
	}
	if o.dwo != "" {
		if obj, err = o.split(obj, stdout); err != nil {
			return nil, false, err
		}
	}
	out, err = elf.Append(nil, obj)
	return out, true, err
}

// check refuses flags that are known and do nothing here.
func (o *mcOptions) check() error {
	switch g := &o.ignored; {
	case o.compress == "zstd":
		return errors.New("--compress-debug-sections=zstd: not supported")
	case g.motorola, g.masmInts, g.masmFloats:
		return errors.New("integers and floats of other assemblers' syntax (-motorola-integers, -masm-integers, -masm-hexfloats): not supported")
	case o.dwo != "" && o.fileType != "obj":
		return errors.New("dwo output only supported with object files")
	}
	return nil
}

// split writes the split debug information of an object and gives the rest.
func (o *mcOptions) split(obj *mc.Object, stdout io.Writer) (*mc.Object, error) {
	main, dwo, err := elf.SplitDwarf(obj)
	if err != nil {
		return nil, err
	}
	b, err := elf.Append(nil, dwo)
	if err != nil {
		return nil, err
	}
	return main, writeOutput(o.dwo, b, stdout)
}

// printed gives the assembly as it was understood.
func (o *mcOptions) printed(t *mctarget.Target, ctx *mc.Context, parser mc.TargetAsmParser, src string, opts asmparse.Options) (out []byte, ok bool, err error) {
	ip, err := o.printer(t)
	if err != nil {
		return nil, false, err
	}
	s := asmtext.New(ctx, ip)
	s.SetVerbose(true)
	if o.showInst {
		s.ShowInst()
	}
	if o.showEncoding {
		enc, err := t.Encoder()
		if err != nil {
			return nil, false, err
		}
		be, err := t.Backend()
		if err != nil {
			return nil, false, err
		}
		s.Encodings(enc, be)
	}
	p := asmparse.New(s, parser, t.ST, opts)
	ok = p.Parse([]byte(src))
	p.Report(s.Finish())
	return s.Output(), ok && !p.Failed(), nil
}

// printer is the target's, as the flags want it.
func (o *mcOptions) printer(t *mctarget.Target) (mc.InstPrinter, error) {
	if o.immHex && t.Family.Objdump().PrinterHex {
		t.PrinterOptions = append(t.PrinterOptions, "print-imm-hex")
		return t.Printer(o.variant)
	}
	p, err := t.Printer(o.variant)
	if err != nil || !o.immHex {
		return p, err
	}
	if !t.Family.Objdump().Hex {
		return nil, fmt.Errorf("target %s: -print-imm-hex is not supported", t.Name)
	}
	return hexPrinter{p, t.Family.Objdump().Sigil}, nil
}

// hexPrinter writes numbers in hexadecimal.
type hexPrinter struct {
	mc.InstPrinter
	sigil byte
}

func (p hexPrinter) AppendInst(b, remarks []byte, ctx *mc.Context, st *mc.Subtarget, in *mc.Inst, sym func([]byte, mc.Sym) []byte) (text, notes []byte, err error) {
	at := len(b)
	if text, notes, err = p.InstPrinter.AppendInst(b, remarks, ctx, st, in, sym); err == nil {
		text = hexNumbers(text, at, p.sigil)
	}
	return text, notes, err
}

// parserOptions are what the flags say of reading.
func (o *mcOptions) parserOptions(name string, stdout, stderr io.Writer) (asmparse.Options, error) {
	if name == "<stdin>" || name == "-" {
		name = "<stdin>"
	}
	a := asmparse.Options{Name: name, NoTextSection: o.noText, NoWarn: o.noWarn, FatalWarnings: o.fatalWarnings, Debug: o.debug, DwarfVersion: o.dwarfVersion, Dwarf64: o.dwarf64,
		CompDir: o.compDir, MainFile: o.mainFile, MacroDepth: o.nesting, Producer: "llvm-mc (based on Mirin v22.1)",
		Report: func(d *diag.Diagnostic) { stderr.Write(d.AppendText(nil)) },
		Print:  func(text string) { fmt.Fprintln(stdout, text) }}
	if a.CompDir == "" {
		a.CompDir, _ = filepath.Abs(inWorkDir(stdout, "."))
	}
	for _, f := range o.syntax {
		a.Variant = max(a.Variant, slices.Index(f.of.MC.Syntax.Names, f.name))
	}
	a.Open = func(name string) (string, []byte, error) {
		b, err := os.ReadFile(inWorkDir(stdout, name))
		for i := 0; err != nil && i < len(o.includes); i++ {
			shown := filepath.Join(o.includes[i], name)
			if b, err = os.ReadFile(inWorkDir(stdout, shown)); err == nil {
				return shown, b, nil
			}
		}
		return name, b, err
	}
	for _, d := range o.defines {
		n, v, ok := strings.Cut(d, "=")
		if !ok {
			return a, fmt.Errorf("defsym must be of the form: sym=value: %s", d)
		}
		x, err := strconv.ParseInt(v, 0, 64)
		if err != nil {
			return a, fmt.Errorf("value is not an integer: %s", v)
		}
		a.Defines = append(a.Defines, asmparse.Define{Name: n, Value: x})
	}
	return a, nil
}
