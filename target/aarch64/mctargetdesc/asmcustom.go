package mctargetdesc

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// errNoMatch says that a list is another kind of list.
var errNoMatch = errors.New("no such list")

// OperandParser reads operands of some classes, which LLVM asks before it looks what an
// operand is.
type OperandParser uint8

// The parsers. zz_asm.bin has their numbers.
const (
	ParseNone OperandParser = iota
	ParseADR
	ParseADRP
	ParseBTI
	ParseBarrier
	ParseBarrierNXS
	ParseCMH
	ParseFPSplit
	ParseGPR32as64
	ParseGPRShifted
	ParseGPR64as32
	ParseGPRZeroIndex
	ParseGPR64x8
	ParseSysReg
	ParsePHint
	ParsePred
	ParseCounter
	ParsePredOrCounter
	ParsePSB
	ParsePrefetch
	ParseRangePrefetch
	ParseSVCR
	ParsePattern
	ParseSVEPrefetch
	ParseVecLen
	ParseSysCR
	ParseXZRPair
	ParseTIndex
	ParseRange
	ParseLessOne
	ParsePlusOne
	ParseSeqPair
	ParseSVEShifted
	ParseSVE
	ParseSVEPlain
	ParseListPred
	ParseListSVE
	ParseMatrix
	ParseTiles
	ParseFP
	ParseShiftedImm
)

// custom asks the parsers of the mnemonic for the operand.
func (s *statement) custom() (status, error) {
	n := len(s.ops) - 1
	for _, c := range s.a.customs(s.mnemonic) {
		if n >= 32 || n < 0 || c.Mask>>n&1 == 0 {
			continue
		}
		st, err := s.customOperand(OperandParser(s.a.tab.Classes[c.Class].Parser))
		if st != noMatch || err != nil {
			return st, err
		}
	}
	return noMatch, nil
}

func (s *statement) customOperand(p OperandParser) (status, error) {
	switch p {
	case ParseADR:
		return s.adr(false)
	case ParseADRP:
		return s.adr(true)
	case ParseBTI:
		return s.hint(hintBTI)
	case ParsePSB:
		return s.hint(hintPSB)
	case ParseCMH:
		return s.hint(hintCMH)
	case ParsePHint:
		return s.hint(hintP)
	case ParseTIndex:
		return s.hint(hintTIndex)
	case ParseBarrier:
		return s.barrier()
	case ParseBarrierNXS:
		return s.barrierNXS()
	case ParseFPSplit:
		return s.fpImm(true)
	case ParseFP:
		return s.fpImm(false)
	case ParseGPR32as64:
		return s.gpr(false, equalsSub)
	case ParseGPR64as32:
		return s.gpr(false, equalsSuper)
	case ParseGPRShifted:
		return s.gpr(true, equalsReg)
	case ParseGPRZeroIndex:
		return s.zeroIndex()
	case ParseGPR64x8:
		return s.eightRegisters()
	case ParseSysReg:
		return s.systemRegister()
	case ParseSVCR:
		return s.svcr()
	case ParsePred:
		return s.predicate(regPred)
	case ParseCounter:
		return s.predicate(regCounter)
	case ParsePredOrCounter:
		st, err := s.predicate(regPred)
		if st == noMatch && err == nil {
			return s.predicate(regCounter)
		}
		return st, err
	case ParsePrefetch:
		return s.prefetch('p', 31)
	case ParseSVEPrefetch:
		return s.prefetch('s', 15)
	case ParseRangePrefetch:
		return s.prefetch('n', 63)
	case ParsePattern:
		return s.pattern()
	case ParseVecLen:
		if v, ok := vecLens[s.lower()]; ok {
			s.imm(0, v, s.loc())
			s.next()
			return success, nil
		}
		return noMatch, nil
	case ParseSysCR:
		return s.systemCR()
	case ParseXZRPair:
		return s.zeroPair()
	case ParseRange:
		return s.immRange()
	case ParseLessOne:
		return s.adjusted(-1)
	case ParsePlusOne:
		return s.adjusted(1)
	case ParseSeqPair:
		return s.seqPair()
	case ParseSVEShifted:
		return s.sve(true, true)
	case ParseSVE:
		return s.sve(false, true)
	case ParseSVEPlain:
		return s.sve(false, false)
	case ParseListPred:
		return s.list(regPred, false)
	case ParseListSVE:
		return s.list(regSVE, false)
	case ParseMatrix:
		return s.matrix()
	case ParseTiles:
		return s.tiles()
	case ParseShiftedImm:
		return s.shiftedImm()
	}
	return noMatch, nil
}

// adr reads the label of adr and adrp.
func (s *statement) adr(page bool) (status, error) {
	at := s.loc()
	if !page && s.is("[") {
		return noMatch, nil
	}
	s.eat("#")
	x, v, err := s.symbolic()
	if err != nil {
		return failure, err
	}
	if x != 0 {
		ctx := s.p.Context()
		m, _ := ctx.ModifierOf(x)
		name := ""
		if m != 0 {
			name = strings.ToLower(ctx.Info().ModifierName(m))
		}
		switch {
		case name == "":
		case page && !pageSpecs[name]:
			return failure, fail(at, "page or gotpage label reference expected")
		case !page && name != "got_auth":
			return failure, fail(at, "unexpected adr label")
		}
	}
	s.imm(x, v, at)
	return success, nil
}

// pageSpecs are the specifiers that adrp takes.
var pageSpecs = map[string]bool{"page": true, "gotpage": true, "tlvppage": true, "pg_hi21": true, "pg_hi21_nc": true, "got": true, "got_auth": true,
	"gotpage_lo15": true, "gottprel": true, "tlsdesc": true, "tlsdesc_auth": true}

// hintNames are the names of hints' operands with their numbers.
var hintNames = [...]map[string]int64{
	hintPSB:    {"csync": 17},
	hintBTI:    {"r": 32, "c": 34, "j": 36, "jc": 38},
	hintP:      {"keep": 0, "strm": 1},
	hintCMH:    {"ph": 51},
	hintTIndex: {"nb": 1},
}

func (s *statement) hint(kind uint8) (status, error) {
	v, ok := hintNames[kind][s.lower()]
	if !ok || !s.isIdent() {
		return failure, s.here("invalid operand for instruction")
	}
	s.push(asmOp{shape: shapeOf(opHint, kind, 0, 0), val: v, start: s.loc()})
	s.next()
	return success, nil
}

// barriers are the names of barriers; those of dsb's nXS variant have the numbers behind them.
var barriers = map[string]int64{"oshld": 1, "oshst": 2, "osh": 3, "nshld": 5, "nshst": 6, "nsh": 7, "ishld": 9, "ishst": 10, "ish": 11, "ld": 13, "st": 14, "sy": 15}
var barriersNXS = map[string]int64{"oshnxs": 3, "nshnxs": 7, "ishnxs": 11, "synxs": 15}

func (s *statement) barrier() (status, error) {
	if s.mnemonic == "tsb" && !s.isIdent() {
		return failure, s.here("'csync' operand expected")
	}
	from := s.loc()
	if hash := s.eat("#"); hash || s.isInt() {
		at := s.loc()
		x, v, err := s.expr()
		switch {
		case err != nil:
			return failure, err
		case x != 0:
			return failure, fail(at, "immediate value expected for barrier operand")
		case s.mnemonic == "dsb" && v > 15:
			s.seek(from) // it may be that of the nXS variant
			if hash {
				s.next()
			}
			return noMatch, nil
		case v < 0 || v > 15:
			return failure, fail(at, "barrier operand out of range")
		}
		s.push(asmOp{shape: shapeOf(opBarrier, 0, 0, 0), val: v, start: at})
		return success, nil
	}
	if !s.isIdent() {
		return failure, s.here("invalid operand for instruction")
	}
	w := s.lower()
	v, ok := barriers[w]
	switch {
	case s.mnemonic == "isb" && (!ok || v != 15):
		return failure, s.here("'sy' or #imm operand expected")
	case s.mnemonic == "tsb" && w != "csync":
		return failure, s.here("'csync' operand expected")
	case w == "csync":
		v, ok = 0, true
	}
	if !ok {
		if s.mnemonic == "dsb" {
			return noMatch, nil
		}
		return failure, s.here("invalid barrier option name")
	}
	s.push(asmOp{shape: shapeOf(opBarrier, 0, 0, 0), val: v, start: s.loc()})
	s.next()
	return success, nil
}

func (s *statement) barrierNXS() (status, error) {
	if hash := s.eat("#"); hash || s.isInt() {
		at := s.loc()
		x, v, err := s.expr()
		switch {
		case err != nil:
			return failure, err
		case x != 0:
			return failure, fail(at, "immediate value expected for barrier operand")
		case v != 16 && v != 20 && v != 24 && v != 28:
			return failure, fail(at, "barrier operand out of range")
		}
		s.push(asmOp{shape: shapeOf(opBarrier, 1, 0, 0), val: (v-16)/4*4 + 3, start: at})
		return success, nil
	}
	if !s.isIdent() {
		return failure, s.here("invalid operand for instruction")
	}
	v, ok := barriersNXS[s.lower()]
	if !ok {
		return failure, s.here("invalid barrier option name")
	}
	s.push(asmOp{shape: shapeOf(opBarrier, 1, 0, 0), val: v, start: s.loc()})
	s.next()
	return success, nil
}

// zeroIndex reads a register behind which a zero may stand.
func (s *statement) zeroIndex() (status, error) {
	at := s.loc()
	r, ok := s.scalar()
	if !ok {
		return noMatch, nil
	}
	if s.eat(",") {
		s.eat("#")
		here := s.loc()
		if !s.isInt() {
			return failure, fail(here, "index must be absent or #0")
		}
		if x, v, err := s.expr(); err != nil || x != 0 || v != 0 {
			return failure, fail(here, "index must be absent or #0")
		}
	}
	s.push(asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(r), reg: r, start: at})
	return success, nil
}

// eightRegisters reads the first of eight registers.
func (s *statement) eightRegisters() (status, error) {
	at := s.loc()
	r, ok := s.scalar()
	if !ok {
		return noMatch, nil
	}
	full := s.a.super(r, s.a.x8sub0, s.a.gpr64x8)
	if full == 0 {
		return failure, fail(at, "expected an even-numbered x-register in the range [x0,x22]")
	}
	s.push(asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(full), reg: full, start: at})
	return success, nil
}

func (s *statement) predicate(kind regKind) (status, error) {
	at := s.loc()
	n, width, st, err := s.vectorRegister(kind)
	if st != success {
		return st, err
	}
	k := opPred
	if kind == regCounter {
		k = opCounter
	}
	s.push(asmOp{shape: shapeOf(k, widthNames[width], 0, 0), val: int64(n), start: at})
	if s.is("[") {
		if kind == regCounter {
			if st, err := s.vectorIndex(); st == success || err != nil {
				return st, err
			}
		} else if err := s.operand(false, false); err != nil {
			return failure, err
		}
	}
	if !s.is("/") {
		return success, nil
	}
	if width != "" {
		return failure, fail(at, "not expecting size suffix")
	}
	s.token("/", s.loc())
	s.next()
	zm := s.lower()
	switch {
	case kind == regCounter && zm != "z":
		return failure, s.here("expecting 'z' predication")
	case zm != "z" && zm != "m":
		return failure, s.here("expecting 'm' or 'z' predication")
	}
	s.token(zm, s.loc())
	s.next()
	return success, nil
}

// prefetch reads a prefetch operation by its name or number.
func (s *statement) prefetch(kind byte, most int64) (status, error) {
	at := s.loc()
	shape := shapeOf(opPrefetch, kind, 0, 0)
	if hash := s.eat("#"); hash || s.isInt() {
		x, v, err := s.expr()
		switch {
		case err != nil:
			return failure, err
		case x != 0:
			return failure, s.here("immediate value expected for prefetch operand")
		case uint64(v) > uint64(most):
			return failure, s.here("prefetch operand out of range, [0," + strconv.FormatInt(most, 10) + "] expected")
		}
		s.push(asmOp{shape: shape, val: v, start: at})
		return success, nil
	}
	if !s.isIdent() {
		return failure, s.here("prefetch hint expected")
	}
	v, ok := prefetchByName(kind, s.lower())
	if ok && kind == 'p' && (v>>1&3 == 3 && !s.a.has(s.st, "prfm-slc-target") || v == 24 && !s.a.has(s.st, "pcdphint")) && !s.a.has(s.st, "all") {
		ok = false
	}
	if !ok {
		return failure, s.here("prefetch hint expected")
	}
	s.push(asmOp{shape: shape, val: v, start: at})
	s.next()
	return success, nil
}

// rangePrefetches are rprfm's.
var rangePrefetches = map[string]int64{"pldkeep": 0, "pstkeep": 1, "pldstrm": 4, "pststrm": 5}

// prefetchByName takes a name such as pldl1keep apart.
func prefetchByName(kind byte, name string) (int64, bool) {
	if kind == 'n' {
		v, ok := rangePrefetches[name]
		return v, ok
	}
	if kind == 'p' && name == "ir" {
		return 24, true
	}
	if len(name) < 9 || name[0] != 'p' {
		return 0, false
	}
	var what, level int64
	switch name[1:3] {
	case "ld":
	case "li":
		what = 1
	case "st":
		what = 2
	default:
		return 0, false
	}
	rest := name[3:]
	switch rest[:2] {
	case "l1", "l2", "l3":
		level = int64(rest[1] - '1')
		rest = rest[2:]
	default:
		if !strings.HasPrefix(rest, "slc") {
			return 0, false
		}
		level, rest = 3, rest[3:]
	}
	policy := int64(0)
	switch rest {
	case "keep":
	case "strm":
		policy = 1
	default:
		return 0, false
	}
	if kind == 's' {
		if what == 1 || level == 3 {
			return 0, false
		}
		return what<<2 | level<<1 | policy, true
	}
	return what<<3 | level<<1 | policy, true
}

// patterns are the names of SVE's predicate patterns, vecLens those of counters' lengths.
var patterns = map[string]int64{"pow2": 0, "vl1": 1, "vl2": 2, "vl3": 3, "vl4": 4, "vl5": 5, "vl6": 6, "vl7": 7, "vl8": 8, "vl16": 9, "vl32": 10, "vl64": 11,
	"vl128": 12, "vl256": 13, "mul4": 29, "mul3": 30, "all": 31}
var vecLens = map[string]int64{"vlx2": 0, "vlx4": 1}

func (s *statement) pattern() (status, error) {
	at := s.loc()
	if s.eat("#") || s.isInt() {
		x, v, err := s.expr()
		if err != nil {
			return failure, err
		}
		if x != 0 {
			return failure, fail(at, "invalid operand for instruction")
		}
		s.imm(0, v, at)
		return success, nil
	}
	v, ok := patterns[s.lower()]
	if !ok {
		return noMatch, nil
	}
	s.imm(0, v, at)
	s.next()
	return success, nil
}

func (s *statement) systemCR() (status, error) {
	at := s.loc()
	w := s.lower()
	n, err := strconv.Atoi(strings.TrimPrefix(w, "c"))
	if !s.isIdent() || w[0] != 'c' || err != nil || n < 0 || n > 15 {
		return failure, fail(at, "Expected cN operand where 0 <= N <= 15")
	}
	s.push(asmOp{shape: shapeOf(opSysCR, 0, 0, 0), val: int64(n), start: at})
	s.next()
	return success, nil
}

// zeroPair reads "xzr, xzr".
func (s *statement) zeroPair() (status, error) {
	at := s.loc()
	r, ok := s.scalar()
	if !ok {
		return noMatch, nil
	}
	if r != s.a.xzr {
		s.seek(at)
		return noMatch, nil
	}
	if err := s.want(",", "expected comma"); err != nil {
		return failure, err
	}
	second, ok := s.scalar()
	if !ok {
		return failure, s.here("expected register operand")
	}
	if second != s.a.xzr {
		return failure, s.here("xzr must be followed by xzr")
	}
	s.push(asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(r), reg: r, start: at})
	return success, nil
}

func (s *statement) immRange() (status, error) {
	at := s.loc()
	s.eat("#")
	if !s.isInt() || !s.isAt(s.peek(), ":") {
		s.seek(at)
		return noMatch, nil
	}
	x, first, err := s.expr()
	if err != nil || x != 0 {
		return noMatch, nil
	}
	s.next()
	if !s.isInt() {
		return noMatch, nil
	}
	x, last, err := s.expr()
	if err != nil || x != 0 {
		return noMatch, nil
	}
	s.push(asmOp{shape: shapeOf(opRange, 0, 0, 0), val: first<<16 | last&0xffff, start: -1})
	return success, nil
}

// adjusted reads a number of compare and branch that is one more or less than the machine's.
func (s *statement) adjusted(by int64) (status, error) {
	at := s.loc()
	s.eat("#")
	negative := s.eat("-")
	if !s.isInt() {
		return noMatch, nil
	}
	v, err := strconv.ParseInt(s.str(), 0, 64)
	if err != nil {
		return noMatch, nil
	}
	if negative {
		v = -v
	}
	v += by
	s.next()
	s.imm(0, v, at)
	return success, nil
}

// seqPair reads "x0, x1".
func (s *statement) seqPair() (status, error) {
	const first = "expected first even register of a consecutive same-size even/odd register pair"
	const second = "expected second odd register of a consecutive same-size even/odd register pair"
	at := s.loc()
	if !s.isIdent() {
		return failure, s.here("expected register")
	}
	a := s.a
	r, ok := s.scalar()
	wide, narrow := ok && a.class(a.gpr64, r), ok && a.class(a.gpr32, r)
	if !wide && !narrow || a.encoding(r)&1 != 0 {
		return failure, fail(at, first)
	}
	if !s.is(",") {
		return failure, s.here("expected comma")
	}
	s.next()
	here := s.loc()
	r2, ok := s.scalar()
	if !ok || wide && !a.class(a.gpr64, r2) || narrow && !a.class(a.gpr32, r2) || a.encoding(r2) != a.encoding(r)+1 {
		return failure, fail(here, second)
	}
	var pair desc.PhysReg
	if wide {
		pair = a.super(r, a.sube64, a.xpairs)
	} else {
		pair = a.super(r, a.sube32, a.wpairs)
	}
	s.push(asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(pair), reg: pair, start: at})
	return success, nil
}

func (s *statement) sve(shifted, suffix bool) (status, error) {
	at := s.loc()
	n, width, st, err := s.vectorRegister(regSVE)
	if st != success {
		return st, err
	}
	if suffix && width == "" {
		return noMatch, nil
	}
	o := asmOp{shape: shapeOf(opSVE, widthNames[width], 0, 0), val: int64(n), start: at}
	if !shifted || !s.is(",") {
		s.push(o)
		if st, err := s.vectorIndex(); st == failure {
			return st, err
		}
		return success, nil
	}
	s.next()
	st, sh, err := s.shiftExtend()
	if st != success {
		return st, err
	}
	o.shape = shapeOf(opSVE, widthNames[width], uint8(sh.shape>>16), uint8(sh.val)<<1|uint8(sh.shape>>8)&1)
	s.push(o)
	return success, nil
}

// shiftedImm reads "#1, lsl #8".
func (s *statement) shiftedImm() (status, error) {
	at := s.loc()
	if !s.eat("#") && !s.isInt() {
		return noMatch, nil
	}
	if s.isInt() && s.isAt(s.peek(), ":") {
		return s.immRange()
	}
	x, v, err := s.symbolic()
	if err != nil {
		return failure, err
	}
	o := s.immOp(x, v, at)
	if !s.is(",") {
		s.push(o)
		return success, nil
	}
	s.next()
	if w := s.lower(); s.isIdent() && (w == "vgx2" || w == "vgx4") {
		s.push(o)
		s.vectorGroup()
		return success, nil
	}
	if s.lower() != "lsl" {
		return failure, s.here("only 'lsl #+N' valid after immediate")
	}
	s.next()
	s.eat("#")
	if !s.isInt() {
		return failure, s.here("only 'lsl #+N' valid after immediate")
	}
	n, err := strconv.ParseInt(s.str(), 0, 64)
	if err != nil || n > 255 {
		n = 255
	}
	s.next()
	if n != 0 {
		o.shape = shapeOf(opShifted, uint8(o.shape>>16), uint8(n), 0)
	}
	s.push(o)
	return success, nil
}
