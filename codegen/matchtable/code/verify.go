package code

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/mirin-go/mirin/desc"
)

// Limits says how many rows the facts of a target have, which tables of MIR
// number. Tables of a SelectionDAG name what they mean; theirs are zero.
type Limits struct {
	Opcodes, Banks, Classes, SubRegs, Regs int
}

// LimitsOf are the limits of a target's facts; nil: of tables for all targets,
// which have generic opcodes alone.
func LimitsOf(f *desc.Info) Limits {
	if f == nil {
		return Limits{Opcodes: int(desc.FirstTargetOpcode), SubRegs: 1, Regs: 1}
	}
	return Limits{Opcodes: f.NumInstrs(), Banks: len(f.Banks), Classes: len(f.Classes), SubRegs: len(f.SubRegIndices), Regs: len(f.Regs)}
}

// spec says what stands behind an instruction, a letter for each operand, and
// which graphs have it.
//
//	i  recorded insn        I  insn to record      o  operand of an insn
//	O  opcode               t  type                k  bank
//	c  register class       b  sub-register        r  register
//	u  rule                 f  feature             x  complex pattern
//	X  transformation       h  hook                H  hook over constants
//	F  function             m  condition map       n  intrinsic (its name)
//	p  predicate            N  name                R  register's name
//	M  instruction's name   S  slot to fill        s  slot that was filled
//	d  data slot            e  temporary           w  flag of AddPhys
//	D  kind of data         g  flags of BuildNode  y  source
//	#  number               U  number of 64 bits   -  signed number
//
// Lists, behind their length: L insns, P opcodes, T types (each makes a
// temporary), Y sources, A arguments of a function.
type spec struct {
	args   string
	graphs uint8
}

const (
	onMIR = 1 << MIR
	onDAG = 1 << DAG
	onAll = onMIR | onDAG
)

var specs = [256]spec{
	Try: {"#", onAll}, Reject: {"", onAll}, SwitchType: {"io", onAll}, SwitchOpcode: {"i", onAll}, Accept: {"u#", onAll},

	CheckOpcode: {"iO", onAll}, CheckType: {"iot", onAll}, CheckConst: {"io-", onAll}, CheckSame: {"ioio", onAll},
	CheckIntrinsic: {"ion", onAll}, CheckFold: {"i", onAll}, CheckComplex: {"Siox", onAll}, CheckFeature: {"f", onAll},

	RecordDef: {"Iio", onMIR}, RecordUniqueDef: {"Iio", onMIR}, CheckOpcodes: {"iP", onMIR}, CheckNumOps: {"i#", onMIR},
	CheckNumOpsIn: {"i##", onMIR}, CheckExactType: {"iot", onMIR}, CheckBank: {"iok", onMIR}, CheckConstRange: {"io--", onMIR},
	CheckConstHook: {"ioH", onMIR}, CheckAnyConst: {"io", onMIR}, CheckRegConst: {"io-", onMIR}, CheckImm: {"io-", onMIR},
	CheckFP: {"io", onMIR}, CheckFPBits: {"ioU", onMIR}, CheckSameReg: {"ioio", onMIR}, CheckOneUse: {"i", onMIR},
	CheckNoUse: {"i", onMIR}, CheckCond: {"iom", onMIR}, CheckCmpPred: {"io#", onMIR}, CheckMemSize: {"i#", onMIR},
	CheckMemOrder: {"i#", onMIR}, CheckMemSpace: {"i#", onMIR}, CheckHook: {"ih", onMIR}, CheckIsReg: {"io", onMIR},
	CheckIsImm: {"io", onMIR}, CheckIsBlock: {"io", onMIR}, CheckIsJT: {"io", onMIR}, CheckFlags: {"i##", onMIR},
	CheckCanReplace: {"ioio", onMIR}, CheckFunc: {"FA", onMIR}, CheckNotFunc: {"FA", onMIR},

	RecordOperand: {"Iio", onDAG}, CheckResult: {"i#t", onDAG}, CheckCondCode: {"iN", onDAG}, CheckVT: {"it", onDAG},
	CheckAndImm: {"i-i", onDAG}, CheckOrImm: {"i-i", onDAG}, CheckOnes: {"i", onDAG}, CheckZeros: {"i", onDAG}, CheckPred: {"ipL", onDAG},

	Done: {"", onAll},

	MakeTemp: {"c", onMIR}, MakeGenericTemp: {"t", onMIR}, MakeTempLike: {"io", onMIR}, SetClass: {"ioc", onMIR}, BuildMI: {"O", onMIR},
	AddDef: {"io", onMIR}, AddCopy: {"io", onMIR}, AddRest: {"io", onMIR}, AddCopySub: {"iob", onMIR}, AddTempDef: {"e", onMIR},
	AddTemp: {"eb", onMIR}, AddImm: {"-", onMIR}, AddCmpPred: {"#", onMIR}, AddConst: {"io", onMIR}, AddPhys: {"rw", onMIR},
	AddSlot: {"s", onMIR}, AddXform: {"ioX", onMIR}, AddCond: {"iom", onMIR}, AddData: {"dD", onMIR}, AddFlags: {"i", onMIR},
	Finish: {"U", onMIR}, FinishGeneric: {"##", onMIR}, BuildConst: {"io-", onMIR}, BuildTempConst: {"e-", onMIR},
	BuildDataConst: {"iod", onMIR}, BuildTempDataConst: {"ed", onMIR}, ReplaceReg: {"ioio", onMIR}, ReplaceRegTemp: {"ioe", onMIR},
	ReplaceRegData: {"iod", onMIR}, CallFunc: {"FA", onMIR},

	TakeChains: {"L", onDAG}, TakeGlue: {"i", onDAG}, TakeMem: {"i", onDAG}, MakeInt: {"-t", onDAG}, MakeReg: {"Rt", onDAG},
	MakeClass: {"N", onDAG}, MakeSubReg: {"N", onDAG}, MakeConst: {"i", onDAG}, MakeXform: {"yX", onDAG}, CopyToReg: {"yR", onDAG},
	BuildNode: {"Mg#TY", onDAG}, Results: {"Y", onDAG},
}

// recorded is what a path has recorded: bits of insns and of slots.
type recorded struct {
	insns uint64
	slots uint8
	parts [MaxSlots]uint8 // how many operands a slot has
}

// frame is an alternative that is open: a Try, a switch, or a whole tree.
type frame struct {
	at    recorded // where it begins; each case of a switch begins so
	limit int      // where the alternative ends
	// of a switch: where its further cases stand, how many they are, the
	// place that they count from and where the last one ends
	cases, left, base, end int
}

// maxFrames bounds the nesting of alternatives and switches together.
const maxFrames = 4 * MaxTries

// verifier walks the code once.
type verifier struct {
	t      *Table
	c      []byte
	pc, at int // at: where the instruction at hand begins
	now    recorded
	temps  uint64
	// limits are those of the operands that a limit is enough for; 0 for others: see special
	limits [128]uint64
	// what the instruction at hand records (a bit), makes (temporaries) and fills (a slot)
	record, made, filled uint64

	frames [maxFrames]frame
	n      int // open frames
	tries  int
	bad    string // what is wrong, "" for nothing
	graph  uint8
}

// Verify checks that an interpreter can run a table on any function without
// leaving the code, the header's lists or its own memory. It takes time linear
// in the code and no memory.
func Verify(t *Table, l Limits) error {
	v := &verifier{t: t, c: t.Code, graph: 1 << t.Graph}
	set := func(k byte, n int) { v.limits[k] = uint64(n) }
	set('O', l.Opcodes)
	set('n', len(t.Intrinsics))
	if t.Graph == DAG {
		set('O', len(t.Opcodes))
		set('n', len(t.Names))
	}
	set('k', l.Banks)
	set('c', l.Classes)
	set('b', l.SubRegs)
	set('r', l.Regs)
	set('t', len(t.Types))
	set('f', len(t.Features))
	set('X', len(t.Xforms))
	set('h', len(t.Hooks))
	set('H', len(t.ConstHooks))
	set('F', len(t.Funcs))
	set('m', len(t.Conds))
	set('p', len(t.Preds))
	set('N', len(t.Names))
	set('R', len(t.Regs))
	set('M', len(t.Insts))
	set('u', max(t.NumRules, len(t.Rules)))
	set('d', MaxData)
	set('w', PhysDef+1)
	set('D', DataPred+1)
	set('g', NodeMemRefs<<1)
	set('#', math.MaxUint32)
	set('o', math.MaxInt32)
	v.limits['-'], v.limits['U'] = math.MaxUint64, math.MaxUint64
	if err := v.header(); err != nil {
		return err
	}
	for k, r := range t.Roots {
		end := len(v.c)
		if k+1 < len(t.Roots) {
			end = int(t.Roots[k+1].Offset)
		}
		switch {
		case int(r.Offset) != v.pc || end <= v.pc || end > len(v.c):
			return fmt.Errorf("%w: the trees of rules do not follow each other", ErrFormat)
		case uint64(r.Opcode) >= v.limits['O']:
			return fmt.Errorf("%w: no root opcode %d", ErrFormat, r.Opcode)
		}
		if v.tree(end); v.bad != "" {
			return fmt.Errorf("%w: code at %d: %s", ErrFormat, v.at, v.bad)
		}
	}
	if v.pc != len(v.c) {
		return fmt.Errorf("%w: code behind the last tree", ErrFormat)
	}
	return nil
}

// header checks rows that number others.
func (v *verifier) header() error {
	for i := range v.t.Preds {
		if p := &v.t.Preds[i]; p.Type > len(v.t.Types) || p.Scalar > len(v.t.Types) {
			return fmt.Errorf("%w: predicate %s has a type that is not there", ErrFormat, p.Name)
		}
	}
	return nil
}

func (v *verifier) fail(why string) {
	if v.bad == "" {
		v.bad = why
	}
}

// uint reads a number.
func (v *verifier) uint() uint64 {
	if v.pc < len(v.c) && v.c[v.pc] < 0x80 {
		v.pc++
		return uint64(v.c[v.pc-1])
	}
	return v.long()
}

func (v *verifier) long() uint64 {
	x, n := binary.Uvarint(v.c[v.pc:])
	if n <= 0 {
		v.fail("a number is cut off or too large")
		return 0
	}
	v.pc += n
	return x
}

// tree walks the rules of one root, which end at end.
func (v *verifier) tree(end int) {
	v.now = recorded{insns: 1}
	v.frames[0] = frame{at: v.now, limit: end}
	v.n, v.tries = 1, 0
	for v.n > 0 && v.bad == "" {
		limit := v.frames[v.n-1].limit
		v.at = v.pc
		if v.pc >= limit {
			v.fail("a path runs out of its alternative")
			return
		}
		op := Op(v.c[v.pc])
		v.pc++
		switch {
		case op > lastTest || specs[op].graphs&v.graph == 0:
			v.fail("no test")
		case op == Try:
			n := v.uint()
			if n == 0 || n >= uint64(limit-v.pc) {
				v.fail("an alternative ends outside of the one around it")
				return
			}
			if v.tries++; v.tries > MaxTries {
				v.fail("alternatives nest too deep")
			}
			v.push(frame{at: v.now, limit: v.pc + int(n), left: -1})
		case op == SwitchType:
			v.args(specs[op].args)
			v.switchCases(limit, v.limits['t'])
		case op == SwitchOpcode:
			v.args(specs[op].args)
			v.switchCases(limit, v.limits['O'])
		case op == Reject:
			v.pathEnds()
		case op == Accept:
			v.args("u")
			if n := v.uint(); n > MaxInsns || n < MaxInsns && v.now.insns&(1<<n-1) != 1<<n-1 {
				v.fail("a rule has instructions that it does not record")
			}
			v.actions()
			v.pathEnds()
		default:
			v.args(specs[op].args)
		}
	}
}

func (v *verifier) push(f frame) {
	if v.n == maxFrames {
		v.fail("alternatives nest too deep")
		return
	}
	v.frames[v.n] = f
	v.n++
}

// switchCases reads the cases of a jump, whose keys are below keys and whose
// bodies follow and fill the rest of the alternative.
func (v *verifier) switchCases(limit int, keys uint64) {
	size := v.uint()
	if size == 0 || size >= uint64(limit-v.pc) {
		v.fail("a switch without cases or bodies")
		return
	}
	first, base := v.pc, v.pc+int(size)
	n, last := 0, uint64(0)
	for v.pc < base && v.bad == "" {
		if v.uint() >= keys {
			v.fail("a switch has a case that there is not")
		}
		off := v.uint()
		if n == 0 && off != 0 || n > 0 && off <= last || off >= uint64(limit-base) {
			v.fail("the cases of a switch do not follow each other")
		}
		n, last = n+1, off
	}
	if v.pc != base {
		v.fail("the cases of a switch do not end where it says")
		return
	}
	v.push(frame{at: v.now, cases: first, left: n, base: base, end: limit})
	v.nextCase()
}

// nextCase goes to the next case of the innermost switch.
func (v *verifier) nextCase() {
	f := &v.frames[v.n-1]
	body := v.pc
	v.pc = f.cases
	v.uint()
	if off := v.uint(); f.base+int(off) != body {
		v.fail("a case begins inside of another")
	}
	f.cases = v.pc
	f.left--
	f.limit = f.end
	if f.left > 0 {
		v.uint()
		f.limit = f.base + int(v.uint())
	}
	v.pc = body
	v.now = f.at
}

// pathEnds closes the alternatives that end here and goes on behind them.
func (v *verifier) pathEnds() {
	for v.bad == "" {
		f := &v.frames[v.n-1]
		if v.pc != f.limit {
			v.at = v.pc
			v.fail("code that nothing leads to")
			return
		}
		if f.left > 0 {
			v.nextCase()
			return
		}
		v.n--
		if f.left < 0 { // a Try: what follows it is tried next
			v.tries--
			v.now = f.at
			return
		}
		if v.n == 0 {
			return
		}
	}
}

// actions walks the actions of a rule.
func (v *verifier) actions() {
	v.temps = 0
	building, results := false, v.graph != onDAG
	for v.bad == "" {
		if v.at = v.pc; v.pc >= len(v.c) {
			v.fail("actions do not end")
			return
		}
		op := Op(v.c[v.pc])
		v.pc++
		if op < Done || op > lastAction || specs[op].graphs&v.graph == 0 {
			v.fail("no action")
			return
		}
		if part := op >= AddDef && op <= FinishGeneric; part != building {
			v.fail("an action in the wrong place: operands stand between BuildMI and Finish")
			return
		}
		v.args(specs[op].args)
		switch op {
		case Done:
			if !results {
				v.fail("a rule without results")
			}
			return
		case BuildMI:
			building = true
		case Finish, FinishGeneric:
			building = false
		case Results:
			results = true
		case MakeTemp, MakeGenericTemp, MakeTempLike, MakeInt, MakeReg, MakeClass, MakeSubReg, MakeConst, MakeXform:
			v.temps++
		}
	}
}

// args reads the operands of an instruction.
func (v *verifier) args(kinds string) {
	v.record, v.made = 0, 0
	for k := range len(kinds) {
		if x := v.uint(); x >= v.limits[kinds[k]] {
			v.special(kinds[k], x)
		}
	}
	v.now.insns |= v.record
	v.temps += v.made
}

// special checks an operand that a limit alone does not allow.
func (v *verifier) special(kind byte, x uint64) {
	switch kind {
	case '-', 'U':
	case 'i':
		v.insn(x)
	case 'I':
		if x >= MaxInsns || v.now.insns>>x&1 != 0 {
			v.fail("an instruction is recorded twice, or one too many")
			return
		}
		v.record = 1 << x
	case 'S':
		if x >= MaxSlots || v.now.slots>>x&1 != 0 {
			v.fail("a slot is filled twice, or one too many")
			return
		}
		v.now.slots |= 1 << x
		v.filled = x
	case 's':
		v.slot(x)
	case 'x':
		if x >= uint64(len(v.t.Complex)) {
			v.fail("there is no complex pattern of that number")
			return
		}
		v.now.parts[v.filled] = uint8(min(v.t.Complex[x].NumOps, math.MaxUint8))
	case 'e':
		v.temp(x)
	case 'y':
		v.source(x)
	case 'L', 'P', 'T', 'Y', 'A':
		v.list(kind, x)
		if kind == 'T' {
			v.made = x
		}
	default:
		v.fail("there is no " + string(kind) + " of that number")
	}
}

// list reads n operands of a kind.
func (v *verifier) list(kind byte, n uint64) {
	if n > uint64(len(v.c)-v.pc) || kind == 'A' && n > MaxArgs {
		v.fail("a list is too long")
		return
	}
	for ; n > 0 && v.bad == ""; n-- {
		x := v.uint()
		switch kind {
		case 'L':
			v.insn(x)
		case 'P', 'T':
			if kind == 'P' && x >= v.limits['O'] || kind == 'T' && x >= v.limits['t'] {
				v.fail("a list has a number that there is not")
			}
		case 'Y':
			v.source(x)
		case 'A':
			v.argument(x)
		}
	}
}

func (v *verifier) insn(x uint64) {
	if x >= MaxInsns || v.now.insns>>x&1 == 0 {
		v.fail("an instruction is used that was not recorded")
	}
}

func (v *verifier) slot(x uint64) {
	if x >= MaxSlots || v.now.slots>>x&1 == 0 {
		v.fail("a slot is used that was not filled")
	}
}

func (v *verifier) temp(x uint64) {
	if x >= v.temps {
		v.fail("a temporary is used before it is made")
	}
}

func (v *verifier) argument(kind uint64) {
	x := v.uint()
	switch kind {
	case ArgInstr:
		v.insn(x)
	case ArgOperand:
		v.insn(x)
		if n := v.uint(); n >= v.limits['o'] {
			v.fail("an operand of too large a number")
		}
	case ArgData:
		if x >= MaxData {
			v.fail("there is no data of that number")
		}
	case ArgInt:
	default:
		v.fail("no kind of argument")
	}
}

func (v *verifier) source(kind uint64) {
	switch x := v.uint(); kind {
	case SrcValue:
		v.insn(x)
	case SrcTemp:
		v.temp(x)
	case SrcSlot:
		v.slot(x)
	case SrcPart:
		v.slot(x)
		if part := v.uint(); v.bad == "" && part >= uint64(v.now.parts[x]) {
			v.fail("a complex pattern has no such part")
		}
	default:
		v.fail("no kind of source")
	}
}
