package mcgen

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// Source is what the generators know about a target.
type Source struct {
	rs    *tablegen.Records
	t     *targetinfo.Target
	info  *desc.Info
	insts []*inst // in order of their numbers
	byRec map[*tablegen.Record]*inst
	errs  diag.List
	// Warn receives what is left out: instructions that a table cannot say. nil drops it.
	Warn func(d *diag.Diagnostic)

	names    strings.Builder
	nameOffs map[string]desc.Name
}

// inst is one instruction with its operands.
type inst struct {
	*targetinfo.Instr
	op desc.Opcode
}

// New collects the instructions of a target.
func New(rs *tablegen.Records, t *targetinfo.Target) *Source {
	s := &Source{rs: rs, t: t, info: t.Info, byRec: map[*tablegen.Record]*inst{}}
	for op := range t.Instrs {
		from := &t.Instrs[op]
		if from.Rec == nil {
			continue
		}
		in := &inst{from, desc.Opcode(op)}
		s.insts = append(s.insts, in)
		s.byRec[from.Rec] = in
		s.checkTies(in)
	}
	return s
}

// checkTies refuses two operands that must equal the same one.
func (s *Source) checkTies(in *inst) {
	seen := map[int]bool{}
	for k := range in.Ops {
		t := in.Ops[k].TiedTo
		if t >= 0 && seen[t] {
			s.errorf(in.Rec.Loc, "Operand '$%s' of '%s' cannot have multiple operands tied to it!", in.Ops[t].Name, in.Rec.Name)
		}
		seen[t] = true
	}
}

// hasInstrInfo reports whether the target says what its instructions are; if
// not, that is an error.
func (s *Source) hasInstrInfo() bool {
	t := s.target()
	if t == nil {
		s.errs = append(s.errs, s.rs.ErrorAt(tablegen.Loc{}, "No 'Target' subclasses defined!"))
		return false
	}
	if t.DefField("InstructionSet") == nil {
		s.errorf(t.Loc, "Record `%s', field `InstructionSet' does not have a def initializer!", t.Name)
		return false
	}
	return true
}

// hasRegisters reports whether there are registers; if not, that is an error.
func (s *Source) hasRegisters() bool {
	if len(s.rs.DerivedFrom("Register")) == 0 {
		s.errs = append(s.errs, s.rs.ErrorAt(tablegen.Loc{}, "No 'Register' subclasses defined!"))
		return false
	}
	if len(s.rs.DerivedFrom("RegisterClass")) == 0 {
		s.errs = append(s.errs, s.rs.ErrorAt(tablegen.Loc{}, "No 'RegisterClass' subclasses defined!"))
		return false
	}
	return true
}

// take returns the errors so far.
func (s *Source) take() error {
	l := s.errs
	s.errs = nil
	return l.Err()
}

func (s *Source) errorf(at tablegen.Loc, format string, args ...any) {
	s.errs = append(s.errs, s.rs.ErrorAt(at, fmt.Sprintf(format, args...)))
}

func (s *Source) warnf(at tablegen.Loc, format string, args ...any) {
	if s.Warn != nil {
		d := s.rs.ErrorAt(at, fmt.Sprintf(format, args...))
		d.Severity = diag.Warning
		s.Warn(d)
	}
}

// begin starts the names of a new table.
func (s *Source) begin() {
	s.names.Reset()
	s.nameOffs = map[string]desc.Name{}
}

// text puts a name into the table's blob.
func (s *Source) text(t string) desc.Name {
	if t == "" {
		return 0
	}
	n, ok := s.nameOffs[t]
	if !ok {
		if len(t) > 511 {
			s.errs = append(s.errs, s.rs.ErrorAt(tablegen.Loc{}, "a text of more than 511 bytes: '"+t[:40]+"…'"))
			t = t[:511]
		}
		if s.names.Len() == 0 {
			s.names.WriteByte(0) // no name is the zero Name
		}
		n = desc.MakeName(s.names.Len(), len(t))
		s.names.WriteString(t)
		s.nameOffs[t] = n
	}
	return n
}

// numbered gives names numbers from 1 in order of use.
type numbered struct {
	names []desc.Name
	nums  map[string]uint16
}

func (s *Source) number(l *numbered, name string) uint16 {
	if name == "" {
		return 0
	}
	if n, ok := l.nums[name]; ok {
		return n
	}
	if l.nums == nil {
		l.nums = map[string]uint16{}
	}
	l.names = append(l.names, s.text(name))
	l.nums[name] = uint16(len(l.names))
	return uint16(len(l.names))
}

// formats is a list of immediate formats; 0 is plain.
type formats struct{ list []desc.ImmFormat }

func (l *formats) number(f desc.ImmFormat) uint16 {
	if len(l.list) == 0 {
		l.list = append(l.list, desc.ImmFormat{})
	}
	for k := range l.list {
		if l.list[k] == f {
			return uint16(k)
		}
	}
	l.list = append(l.list, f)
	return uint16(len(l.list) - 1)
}

// segments is a pool of lists of bit segments.
type segments struct {
	list []desc.BitSeg
	at   map[string]uint32
}

func (l *segments) add(segs []desc.BitSeg) uint32 {
	var key []byte
	for _, s := range segs {
		key = append(key, byte(s.Value), byte(s.Value>>8), byte(s.Inst), byte(s.Inst>>8), byte(s.Len), byte(s.Len>>8))
	}
	if at, ok := l.at[string(key)]; ok {
		return at
	}
	if l.at == nil {
		l.at = map[string]uint32{}
	}
	at := uint32(len(l.list))
	l.at[string(key)] = at
	l.list = append(l.list, segs...)
	return at
}

// immFormat is what mirin/MC.td's class ImmFormat says of an operand.
func immFormat(def *tablegen.Record) desc.ImmFormat {
	if def == nil || !def.IsSubClassOf("ImmFormat") {
		return desc.ImmFormat{}
	}
	return desc.ImmFormat{Bits: uint8(def.Int("ImmBits")), Shift: uint8(def.Int("ImmShift")), Signed: def.Bit("ImmSigned"), Either: def.Bit("ImmEither")}
}

// isReg reports register classes and operands, and gives the class.
func (s *Source) regClass(def *tablegen.Record) (c desc.ClassID, isReg bool) {
	if def == nil {
		return desc.NoClass, false
	}
	if def.IsSubClassOf("RegisterOperand") {
		def = def.DefField("RegClass")
		if def == nil {
			return desc.NoClass, true
		}
	}
	switch {
	case def.IsSubClassOf("RegisterClass"):
		c, ok := s.info.RegClassByName(strings.ToLower(def.Name))
		if !ok {
			return desc.NoClass, true
		}
		return c, true
	case def.IsSubClassOf("RegClassByHwMode"), def.IsSubClassOf("PointerLikeRegClass"):
		return desc.NoClass, true
	}
	return desc.NoClass, false
}

// register finds the number of a Register record.
func (s *Source) register(r *tablegen.Record) (desc.PhysReg, bool) {
	if r == nil {
		return 0, false
	}
	if r.Name == "zero_reg" {
		return 0, true
	}
	if !r.IsSubClassOf("Register") {
		return 0, false
	}
	return s.t.RegisterOf(r.Name)
}
