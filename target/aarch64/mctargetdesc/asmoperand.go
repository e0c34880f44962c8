package mctargetdesc

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// opKind is the kind of an operand of the assembly language.
type opKind uint8

const (
	opNone opKind = iota
	opToken
	opScalar   // a register of one name: x0, wsp, d3
	opNeon     // v0; its arrangement is a token behind
	opSVE      // z0.s, with how it is shifted or extended
	opPred     // p0.s
	opCounter  // pn8.s
	opMatrix   // za, za0.s, za0h.s
	opTable    // zt0
	opTiles    // { za0.s, za1.s }
	opList     // { v0.4s, v1.4s }
	opIndex    // [1] behind a vector
	opImm      // a number or expression
	opShifted  // #1, lsl #12
	opRange    // 0:3
	opCond     // eq
	opFP       // #1.0
	opBarrier  // ish
	opSysReg   // a system register
	opSysCR    // c7
	opPrefetch // pldl1keep
	opShift    // lsl #3, uxtw
	opHint     // of psb, bti, stshh, shuh, tchange
	opSVCR     // svcrsm
)

// Widths of elements of vectors, in shapes.
var widthNames = map[string]uint8{"": 0, "b": 1, "h": 2, "s": 3, "d": 4, "q": 5}

// shape is what is discrete about an operand: its kind and up to three bytes that depend
// on the kind. Classes have a set of values for each shape.
type shape uint32

func shapeOf(k opKind, a, b, c uint8) shape {
	return shape(k)<<24 | shape(a)<<16 | shape(b)<<8 | shape(c)
}

func (s shape) kind() opKind { return opKind(s >> 24) }

// equality says how a register must be like another that it is tied to.
type equality uint8

const (
	equalsReg equality = iota
	equalsSuper
	equalsSub
)

// asmOp is an operand as it was read.
type asmOp struct {
	shape shape
	start int    // in the text; -1 for none
	val   int64  // what a class's set is asked for
	tok   string // of tokens
	reg   desc.PhysReg
	state int64   // the number of a field of the state, of system registers
	x     mc.Expr // of expressions
	eq    equality
	// suffix says that a token is behind the mnemonic's first point.
	suffix bool
}

// Shapes of expressions, by what is known of them.
const (
	exprPlain = 1 // a symbol, or anything without a specifier
	exprSpec  = 2 // its value is the specifier's number
)

// System registers, as values.
const (
	sysReadable = 1 << iota
	sysWritable
	sysPState1
	sysPState15
)

// The kinds of hints, in shapes.
const (
	hintPSB = iota
	hintBTI
	hintP
	hintCMH
	hintTIndex
)

// The shifts and extensions, as shapes number them.
const (
	shNone = iota
	shLSL
	shLSR
	shASR
	shROR
	shMSL
	shUXTB
	shUXTH
	shUXTW
	shUXTX
	shSXTB
	shSXTH
	shSXTW
	shSXTX
)

var shiftNames = map[string]uint8{"lsl": shLSL, "lsr": shLSR, "asr": shASR, "ror": shROR, "msl": shMSL, "uxtb": shUXTB, "uxth": shUXTH,
	"uxtw": shUXTW, "uxtx": shUXTX, "sxtb": shSXTB, "sxth": shSXTH, "sxtw": shSXTW, "sxtx": shSXTX}

// The kinds of registers of a list.
const (
	listNeon = iota
	listSVE
	listPred
)

// shapeOfList is the shape of a list: count registers stride apart, of elements.
func shapeOfList(kind, count, stride, elements, width uint8) shape {
	return shapeOf(opList, kind<<4|count, stride, elements<<3|width)
}

// Kinds of operands by their numbers in tables.
const (
	KindToken   = uint32(opToken)
	KindScalar  = uint32(opScalar)
	KindTiles   = uint32(opTiles)
	KindImm     = uint32(opImm)
	KindShifted = uint32(opShifted)
	KindRange   = uint32(opRange)
	KindFP      = uint32(opFP)
	KindSysReg  = uint32(opSysReg)
)
