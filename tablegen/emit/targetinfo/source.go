package targetinfo

import (
	"bytes"
	"go/token"
	"strings"
	"unicode"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// goFile is a Go file of constants in the making.
type goFile struct {
	*gofile.File
	names map[string]bool
}

func newGoFile(pkg, action string, imports ...string) *goFile {
	return &goFile{File: gofile.New(action, pkg, imports...), names: map[string]bool{}}
}

// ident makes an exported identifier of a name that no other constant has.
func (f *goFile) ident(name string) string {
	out := make([]rune, 0, len(name))
	for _, c := range name {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' {
			c = '_'
		}
		out = append(out, c)
	}
	if len(out) == 0 || unicode.IsDigit(out[0]) || out[0] == '_' {
		out = append([]rune{'X'}, out...)
	}
	out[0] = unicode.ToUpper(out[0])
	s := string(out)
	for f.names[s] || token.IsKeyword(s) {
		s += "_"
	}
	f.names[s] = true
	return s
}

// consts writes a block of constants: n of them from first on.
func (f *goFile) consts(comment, typ string, first, n int, name func(i int) string) {
	if n <= first {
		return
	}
	f.Printf("// %s\nconst (\n", comment)
	for i := first; i < n; i++ {
		if s := name(i); s != "" {
			f.Printf("\t%s %s = %d\n", f.ident(s), typ, i)
		}
	}
	f.WriteString(")\n\n")
}

const descPackage = "github.com/mirin-go/mirin/desc"

// AppendGoRegisters appends a Go file with the numbers of registers, classes,
// sub-register indices, banks, pressure sets and masks, under LLVM's names.
func (t *Target) AppendGoRegisters(b []byte, pkg string) ([]byte, error) {
	in := t.Info
	f := newGoFile(pkg, "gen-go-register-info", descPackage)
	f.consts("The registers of "+in.Target+".", "desc.PhysReg", 0, len(in.Regs), func(i int) string {
		if i == 0 {
			return "NoRegister"
		}
		return in.RegName(desc.PhysReg(i))
	})
	f.Printf("// NumRegs is the number of registers, NoRegister included.\nconst %s = %d\n\n", f.ident("NumRegs"), len(in.Regs))
	f.consts("The register classes.", "desc.ClassID", 0, len(in.Classes), func(i int) string { return in.RegClassName(desc.ClassID(i)) + "RegClassID" })
	f.consts("The sub-register indices.", "desc.SubRegIdx", 1, len(in.SubRegIndices), func(i int) string { return camel(in.SubRegIndexName(desc.SubRegIdx(i))) })
	f.consts("The register banks.", "desc.BankID", 0, len(in.Banks), func(i int) string { return in.Str(in.Banks[i].Name) + "RegBankID" })
	f.consts("The pressure sets, indices into Info.PressureSets.", "", 0, len(in.PressureSets), func(i int) string { return in.Str(in.PressureSets[i].Name) + "Pressure" })
	f.consts("The masks of what calls preserve, indices into Info.RegMasks.", "", 0, len(in.RegMasks), func(i int) string { return in.Str(in.RegMasks[i].Name) + "_RegMask" })
	return f.AppendTo(b)
}

// camel turns "sub_8bit_hi" into "Sub8BitHi".
func camel(s string) string {
	var b strings.Builder
	up := true
	for i, c := range s {
		switch {
		case c == '_':
			up = true
		case up || i > 0 && '0' <= s[i-1] && s[i-1] <= '9' && 'a' <= c && c <= 'z':
			b.WriteString(strings.ToUpper(string(c)))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// AppendGoInstrs appends a Go file with the numbers of the target's opcodes,
// scheduling classes, and operands by name where instructions ask for that.
func (t *Target) AppendGoInstrs(b []byte, pkg string) ([]byte, error) {
	in := t.Info
	f := newGoFile(pkg, "gen-go-instr-info", descPackage)
	const first = int(desc.FirstTargetOpcode)
	if in.NumInstrs() > first {
		f.Printf("// The opcodes of %s; those that all targets share are in package desc.\nconst (\n", in.Target)
		for op := first; op < in.NumInstrs(); op++ {
			f.WriteString(f.ident(in.OpcodeName(desc.Opcode(op))))
			if op == first { // thousands of numbers would double the file
				f.Printf(" desc.Opcode = iota + %d", first)
			}
			f.WriteByte('\n')
		}
		f.WriteString(")\n\n")
	}
	f.Printf("// NumOpcodes is the number of opcodes, target-independent ones included.\nconst %s = %d\n\n", f.ident("NumOpcodes"), in.NumInstrs())
	if in.Sched() != nil {
		f.consts("The scheduling classes.", "", 0, len(in.Sched().ClassNames), func(i int) string { return "Sched_" + in.Sched().Str(in.Sched().ClassNames[i]) })
	}
	t.namedOperands(f)
	return f.AppendTo(b)
}

// namedOperands writes the function that finds operands by name, for
// instructions with UseNamedOperandTable.
func (t *Target) namedOperands(f *goFile) {
	var names []string
	num := map[string]int{}
	for i := range t.Instrs {
		r := &t.Instrs[i]
		if r.Rec == nil || !r.Rec.Bit("UseNamedOperandTable") {
			continue
		}
		for _, g := range r.Groups {
			if _, ok := num[g.Name]; !ok && g.Name != "" {
				num[g.Name] = len(names)
				names = append(names, g.Name)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	f.consts("The names of operands, for NamedOperand.", "", 0, len(names), func(i int) string { return "Op_" + names[i] })
	var order []string
	f.WriteString("// NamedOperand gives the number of the operand with a name, -1 where an opcode has none.\nfunc NamedOperand(op desc.Opcode, name int) int {\n\tswitch op {\n")
	byRow := map[string][]int{}
	for i := range t.Instrs {
		r := &t.Instrs[i]
		if r.Rec == nil || !r.Rec.Bit("UseNamedOperandTable") {
			continue
		}
		row := bytes.Repeat([]byte{0xff}, len(names))
		for _, g := range r.Groups {
			if g.Name != "" {
				row[num[g.Name]] = byte(g.First)
			}
		}
		key := string(row)
		if byRow[key] == nil {
			order = append(order, key)
		}
		byRow[key] = append(byRow[key], i)
	}
	for _, key := range order {
		f.WriteString("\tcase ")
		for k, op := range byRow[key] {
			if k > 0 {
				f.WriteString(", ")
			}
			f.Printf("%d", op)
		}
		f.WriteString(":\n\t\treturn int([...]int8{")
		for k := range len(key) {
			f.Printf("%d, ", int8(key[k]))
		}
		f.WriteString("}[name])\n")
	}
	f.WriteString("\t}\n\treturn -1\n}\n\n")
}

// AppendGoSubtarget appends a Go file with the bits of features, the numbers of
// processors and machine models, and, with the name of a file of facts, the
// function Info that decodes it.
func (t *Target) AppendGoSubtarget(b []byte, pkg, factsFile string) ([]byte, error) {
	in := t.Info
	f := newGoFile(pkg, "gen-go-subtarget")
	if factsFile != "" {
		f.WriteString("import (\n\t_ \"embed\"\n\t\"sync\"\n\n\t\"github.com/mirin-go/mirin/desc\"\n\t\"github.com/mirin-go/mirin/desc/facts\"\n)\n\n")
	}
	feats := t.b.features0
	f.consts("The features of "+in.Target+", bits of feature sets.", "", 0, len(feats), func(i int) string { return feats[i].Name })
	f.consts("The processors, indices into Info.Processors.", "", 0, len(in.Processors), func(i int) string { return "CPU_" + in.Str(in.Processors[i].Name) })
	if in.Sched() != nil {
		f.consts("The machine models, indices into Info.Sched.Models.", "", 0, len(in.Sched().Models), func(i int) string { return "Model_" + in.Sched().Str(in.Sched().Models[i].Name) })
	}
	if factsFile != "" {
		f.Printf("//go:embed %s\nvar factsData string\n\n", factsFile)
		f.WriteString("var decodeInfo = sync.OnceValues(func() (*desc.Info, error) { return facts.Decode(factsData) })\n\n")
		f.WriteString("// Info is the description of the target, decoded when it is first asked for.\nfunc Info() (*desc.Info, error) { return decodeInfo() }\n")
	}
	return f.AppendTo(b)
}
