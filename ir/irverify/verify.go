package irverify

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/intrin"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/triple"
)

// Module checks a module and returns the faults as LLVM's verifier prints
// them, "" when there are none. Faults of debug info count.
func Module(m *ir.Module) string {
	v := newVerifier(m, true)
	v.module()
	return string(v.out)
}

// DebugInfo checks a module as LLVM does when it reads one: broken says that
// debug info, and nothing else, makes it wrong in some place; such debug info
// is to be stripped. report is what LLVM prints about it.
func DebugInfo(m *ir.Module) (report string, broken bool) {
	return debugInfo(m, Options{})
}

func debugInfo(m *ir.Module, o Options) (report string, broken bool) {
	v := newVerifier(m, false)
	v.o = o
	v.module()
	return string(v.out), v.brokenDI
}

// CheckDebugInfo removes debug info that is not valid, as LLVM does when it
// reads a module. report is what LLVM prints about it, "" when all is well.
func CheckDebugInfo(m *ir.Module) (report string) {
	report, _ = checkDebugInfo(m, Options{})
	return report
}

// checkDebugInfo is CheckDebugInfo; clean says that the module was checked and
// is without any fault.
func checkDebugInfo(m *ir.Module, o Options) (report string, clean bool) {
	if autoupgrade.DebugVersion(m) != 3 {
		return "", false
	}
	msg, broken := debugInfo(m, o)
	if !broken {
		return "", msg == ""
	}
	m.StripDebugInfo()
	return msg + "warning: ignoring invalid debug info in " + m.Name + "\n", false
}

// Input checks a module that was just read as LLVM's tools do: CheckDebugInfo,
// then Module, which is spared where the first found no fault of any kind.
func Input(m *ir.Module) (warning, report string) { return InputWith(m, Options{}) }

// Options say what LLVM's tools do not all check.
type Options struct {
	// ODRTypes says that debug types with identifiers are unique over modules,
	// as in opt and in linkers: no definition may be nested within one.
	ODRTypes bool
	// DebugInfoOnly spares the second step of Input.
	DebugInfoOnly bool
}

// InputWith is Input with options.
func InputWith(m *ir.Module, o Options) (warning, report string) {
	warning, clean := checkDebugInfo(m, o)
	if !clean && !o.DebugInfoOnly {
		v := newVerifier(m, true)
		v.o = o
		v.module()
		report = string(v.out)
	}
	return warning, report
}

// verifier is the state of one run.
type verifier struct {
	m      *ir.Module
	triple triple.Triple
	t      *ir.Types
	dl     *ir.DataLayout
	s      *irtext.Slots
	o      Options
	out    []byte
	bad    bool
	brokenDI,
	treatDI bool

	// Of the function that is being checked:
	f        *ir.Function
	g        *ir.Global
	dom      dominance
	preds    [][]ir.BlockID // with duplicates, by BlockID
	predList []ir.BlockID
	landing  ir.Type // type of the function's landing pads

	seenMD      nodeSet
	apart       bool                      // other workers check other functions
	goodAttrs   map[attrUse]bool          // of calls, without fault
	intrinsics  map[ir.GlobalID]intrin.ID // whose declarations are right
	goodTags    idSet                     // TBAA access tags without fault
	locsSeen    idSet
	locsList    []ir.MDID // members of locsSeen
	kinds       []uint8   // by metadata kind of the module: a number of checkedKinds plus one
	seenConst   map[ir.Value]bool
	cus         map[ir.MDID]bool // compile units met
	subprograms map[ir.MDID]ir.GlobalID
	escapes     map[ir.GlobalID][2]uint64 // localescape arguments, largest index recovered
	escapeOrder []ir.GlobalID
	escaped     map[ir.GlobalID]bool // functions that have called localescape
	deopts      []ir.GlobalID
	siblings    []siblingEdge
	tbaaBase    map[ir.MDID]tbaaBase
	tbaaScalar  map[ir.MDID]bool
	goodAliases map[ir.GlobalID]bool   // that lead to a definition by aliases without fault
	hasTokens   bool                   // the function has convergence control tokens
	badUses     map[ir.GlobalID]badUse // of intrinsics, nil before the first question
	marks       []uint32               // of blocks, good while they are mark
	mark        uint32
	cases       map[ir.Value]bool // of a switch
	users       [][]ir.InstrID    // of the function's instructions, by InstrID
	takenBlocks map[blockKey]bool // named by the module's constants, nil before the first question
	answers     []typeAnswers     // by type
	rareParams  []rareAttrs       // by attribute list
}

func newVerifier(m *ir.Module, treatDI bool) *verifier {
	dl, err := ir.ParseDataLayout(m.DataLayout)
	if err != nil {
		dl, _ = ir.ParseDataLayout("")
	}
	ids := m.MD.Len()
	return &verifier{m: m, triple: triple.Parse(m.Triple), t: m.Types, dl: dl, treatDI: treatDI, kinds: kindNumbers(m),
		seenMD: newNodeSet(ids), locsSeen: newIDSet(ids), goodTags: newIDSet(ids), goodAttrs: map[attrUse]bool{}, intrinsics: map[ir.GlobalID]intrin.ID{},
		goodAliases: map[ir.GlobalID]bool{}, cus: map[ir.MDID]bool{}, subprograms: map[ir.MDID]ir.GlobalID{}, seenConst: map[ir.Value]bool{},
		escapes: map[ir.GlobalID][2]uint64{}, escaped: map[ir.GlobalID]bool{},
		tbaaBase: map[ir.MDID]tbaaBase{}, tbaaScalar: map[ir.MDID]bool{}}
}

// idSet is a set of metadata nodes.
type idSet []uint64

func newIDSet(n int) idSet { return make(idSet, (n+63)/64) }

func (s idSet) has(id ir.MDID) bool { return int(id/64) < len(s) && s[id/64]>>(id%64)&1 != 0 }

// add leaves out nodes that came into the module since.
func (s idSet) add(id ir.MDID) {
	if int(id/64) < len(s) {
		s[id/64] |= 1 << (id % 64)
	}
}

func (v *verifier) module() {
	if !v.clean() {
		for _, id := range v.m.Funcs {
			v.function(v.m.Globals[id])
		}
	}
	v.f, v.g = nil, nil
	v.rest()
}

// rest checks what is no function.
func (v *verifier) rest() {
	v.frameRecoverIndices()
	for _, id := range v.m.Vars {
		v.globalVariable(v.m.Globals[id])
	}
	for _, id := range v.m.Aliases {
		v.alias(v.m.Globals[id])
	}
	for _, id := range v.m.IFuncs {
		v.ifunc(v.m.Globals[id])
	}
	for i := range v.m.NamedMD {
		v.namedMD(&v.m.NamedMD[i])
	}
	for i := 1; i < len(v.m.Comdats); i++ {
		v.comdat(uint32(i))
	}
	v.moduleFlags()
	v.idents()
	v.commandLines()
	v.errnoTBAA()
	v.compileUnits()
	v.deoptConventions()
}

// Things that a fault can be about, beside values and instructions.
type (
	mdNode   ir.MDID
	typeOf   ir.Type
	global   ir.GlobalID
	instr    ir.InstrID
	block    ir.BlockID
	record   uint32
	text     string
	modConst ir.Value // of the module's pool
)

// fail notes a fault and what it is about.
func (v *verifier) fail(msg string, about ...any) {
	v.bad = true
	v.write(msg, about)
}

// failDI notes a fault of debug info.
func (v *verifier) failDI(msg string, about ...any) {
	v.brokenDI = true
	if v.treatDI {
		v.bad = true
	}
	v.write(msg, about)
}

// check is fail unless ok; it returns ok.
func (v *verifier) check(ok bool, msg string, about ...any) bool {
	if !ok {
		v.fail(msg, about...)
	}
	return ok
}

func (v *verifier) checkDI(ok bool, msg string, about ...any) bool {
	if !ok {
		v.failDI(msg, about...)
	}
	return ok
}

func (v *verifier) slots() *irtext.Slots {
	if v.s == nil {
		v.s = irtext.NewSlots(v.m)
	}
	v.s.Enter(v.f)
	return v.s
}

func (v *verifier) write(msg string, about []any) {
	v.out = append(v.out, msg...)
	v.out = append(v.out, '\n')
	s := v.slots()
	for _, x := range about {
		switch x := x.(type) {
		case nil:
			continue
		case instr:
			if x == 0 {
				continue
			}
			if v.f.Instr(ir.InstrID(x)).Op == ir.OpArgument {
				v.out = s.AppendOperand(v.out, &v.f.Consts, ir.Local(ir.InstrID(x)))
			} else {
				v.out = s.AppendInstr(v.out, ir.InstrID(x))
			}
		case ir.Value:
			switch {
			case x == 0:
				continue
			case x.IsLocal() && v.f.Instr(x.Instr()).Op != ir.OpArgument:
				v.out = s.AppendInstr(v.out, x.Instr())
			case v.f != nil:
				v.out = s.AppendOperand(v.out, &v.f.Consts, x)
			default:
				v.out = s.AppendOperand(v.out, &v.m.Consts, x)
			}
		case modConst:
			v.out = s.AppendOperand(v.out, &v.m.Consts, ir.Value(x))
		case block:
			v.out = s.AppendOperand(v.out, nil, ir.BlockVal(ir.BlockID(x)))
		case global:
			v.out = s.AppendOperand(v.out, &v.m.Consts, ir.GlobalVal(ir.GlobalID(x)))
		case mdNode:
			if x == 0 {
				continue
			}
			v.out = s.AppendMDLine(v.out, ir.MDID(x))
		case record:
			v.out = s.AppendRecord(v.out, v.f.DbgRecords[x])
		case *ir.NamedMD:
			v.out = s.AppendNamedMD(v.out, x)
			v.out = append(v.out, '\n')
		case typeOf:
			v.out = append(v.out, ' ')
			v.out = s.AppendTypeName(v.out, ir.Type(x))
			if t := ir.Type(x); v.t.IsIdentified(t) {
				v.out = append(v.out, " = type "...)
				v.out = irtext.AppendStructBody(v.out, v.t, t)
			}
			continue
		case text:
			v.out = append(v.out, x...)
		case int:
			v.out = appendInt(v.out, x)
		}
		v.out = append(v.out, '\n')
	}
}

func appendInt(b []byte, n int) []byte {
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

func (v *verifier) typeString(t ir.Type) string { return string(irtext.AppendType(nil, v.t, t)) }

// pool returns the pool of the constants at hand.
func (v *verifier) pool() *ir.ConstPool {
	if v.f != nil {
		return &v.f.Consts
	}
	return &v.m.Consts
}

func (v *verifier) moduleValueType(x ir.Value) ir.Type {
	switch x.Tag() {
	case ir.TagConst:
		return v.m.Consts.At(x.Const()).Type
	case ir.TagGlobal:
		return v.t.Pointer(v.m.Globals[x.Index()].AddrSpace)
	}
	return ir.Ptr
}

// constInt returns the bits of an integer constant of up to 64 bits.
func (v *verifier) constInt(x ir.Value) (n uint64, ok bool) {
	c := x.Const()
	if c == 0 {
		return 0, false
	}
	r := v.pool().At(c)
	if r.Kind != ir.ConstInt || r.N > 1 {
		return 0, false
	}
	return r.Bits, true
}

// isPtr and the like ask for the form of a type.
func (v *verifier) isPtr(t ir.Type) bool { return v.t.Kind(t) == ir.KindPointer }
func (v *verifier) isInt(t ir.Type) bool { return v.t.Kind(t) == ir.KindInteger }
func (v *verifier) isPtrOrVec(t ir.Type) bool {
	return v.t.Kind(v.t.Scalar(t)) == ir.KindPointer
}
func (v *verifier) isIntOrVec(t ir.Type) bool { return v.t.Kind(v.t.Scalar(t)) == ir.KindInteger }
func (v *verifier) isFPOrVec(t ir.Type) bool  { return v.t.IsFloat(v.t.Scalar(t)) }

// tokenLike reports token and the target types that behave like it.
func (v *verifier) tokenLike(t ir.Type) bool {
	if t == ir.Token {
		return true
	}
	return v.t.Kind(t) == ir.KindTargetExt && irtext.TargetTypeProps(v.t, t)&irtext.PropTokenLike != 0
}

// typeAnswers are the questions about types that are walked through to be
// answered: a bit says that the answer is known, the one behind it what it is.
type typeAnswers uint8

const (
	askedSized typeAnswers = 1 << (2 * iota)
	askedLocal
	askedScalable
)

// about answers a question about a type, by what was found out when it was asked before.
func (v *verifier) about(t ir.Type, q typeAnswers, f func(ir.Type) bool) bool {
	if int(t) >= len(v.answers) {
		v.answers = append(v.answers, make([]typeAnswers, v.t.Len()-len(v.answers))...)
	}
	a := v.answers[t]
	if a&q == 0 {
		a = q
		if f(t) {
			a |= q << 1
		}
		v.answers[t] |= a
	}
	return a&(q<<1) != 0
}

// sized reports types that have a size.
func (v *verifier) sized(t ir.Type) bool { return v.about(t, askedSized, v.findSized) }

func (v *verifier) findSized(t ir.Type) bool {
	return !v.t.AnyPart(t, func(t ir.Type) bool {
		switch v.t.Kind(t) {
		case ir.KindVoid, ir.KindLabel, ir.KindMetadata, ir.KindToken, ir.KindFunction, ir.KindNone:
			return true
		case ir.KindTargetExt:
			l := v.t.TargetLayout(t)
			return l == t || !v.sized(l)
		case ir.KindStruct:
			if v.t.IsOpaque(t) {
				return true
			}
			subs := v.t.Subtypes(t)
			for i, s := range subs {
				if i > 0 && s != subs[0] && (v.t.Kind(s) == ir.KindScalableVector || v.t.Kind(subs[0]) == ir.KindScalableVector) {
					return true
				}
			}
		}
		return false
	})
}

// containsScalable reports scalable vectors and types with one in them.
func (v *verifier) containsScalable(t ir.Type) bool {
	return v.about(t, askedScalable, v.t.ContainsScalable)
}

func isIntrinsicName(s string) bool { return strings.HasPrefix(s, "llvm.") }
