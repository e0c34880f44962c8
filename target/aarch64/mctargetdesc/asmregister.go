package mctargetdesc

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// regKind is the kind of a register's name.
type regKind uint8

const (
	regNone regKind = iota
	regScalar
	regNeon
	regSVE
	regPred
	regCounter
	regMatrix
	regTable
)

// numRegs is how many registers of a kind follow each other in a circle.
func (k regKind) numRegs() int {
	if k == regPred || k == regCounter {
		return 16
	}
	return 32
}

// alias is what .req makes a name for.
type alias struct {
	kind regKind
	n    int
	reg  desc.PhysReg
}

// The parts of the matrix, in shapes.
const (
	matrixArray = iota
	matrixTile
	matrixRow
	matrixCol
)

// builtinVector finds the register of a name without an element kind.
func builtinVector(name string) (k regKind, n int, ok bool) {
	if name == "zt0" {
		return regTable, 0, true
	}
	most := 31
	digits := ""
	switch {
	case strings.HasPrefix(name, "pn"):
		k, digits, most = regCounter, name[2:], 15
	case strings.HasPrefix(name, "p"):
		k, digits, most = regPred, name[1:], 15
	case strings.HasPrefix(name, "v"):
		k, digits = regNeon, name[1:]
	case strings.HasPrefix(name, "z"):
		k, digits = regSVE, name[1:]
	default:
		return 0, 0, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > most || strconv.Itoa(n) != digits {
		return 0, 0, false
	}
	return k, n, true
}

// vectorByName finds a vector, predicate or table by its name or a name that .req made.
func (a *AsmParser) vectorByName(p mc.AsmParser, name string) (regKind, int, bool) {
	if k, n, ok := builtinVector(name); ok {
		return k, n, true
	}
	if al, ok := a.alias(p, name); ok && al.kind != regScalar {
		return al.kind, al.n, true
	}
	return 0, 0, false
}

// scalarByName finds a register of one name.
func (a *AsmParser) scalarByName(p mc.AsmParser, name string) (desc.PhysReg, bool) {
	if r, ok := a.regs[name]; ok {
		return r, true
	}
	if al, ok := a.alias(p, name); ok && al.kind == regScalar {
		return al.reg, true
	}
	return 0, false
}

// vectorKinds are the element kinds that stand behind names of vectors.
var neonKinds = map[string]bool{"": true, "1d": true, "1q": true, "2h": true, "2b": true, "2d": true, "2s": true, "4b": true, "4h": true, "4s": true,
	"8b": true, "8h": true, "16b": true, "b": true, "h": true, "s": true, "d": true}

func validKind(kind string, k regKind) bool {
	if k == regNeon {
		return neonKinds[kind]
	}
	_, ok := widthNames[kind]
	return ok
}

// vectorRegister steps over a vector's name of a kind, with what stands behind a point.
func (s *statement) vectorRegister(want regKind) (n int, kind string, st status, err error) {
	if !s.isIdent() {
		return 0, "", noMatch, nil
	}
	name := s.lower()
	head, kind := name, ""
	if i := strings.IndexByte(name[1:], '.'); i >= 0 {
		head, kind = name[:i+1], name[i+2:]
		if kind == "" {
			kind = "." // a point and nothing
		}
	}
	k, n, ok := s.a.vectorByName(s.p, head)
	if !ok || k != want {
		return 0, "", noMatch, nil
	}
	if !validKind(kind, want) {
		return 0, "", failure, s.here("invalid vector kind qualifier")
	}
	s.next()
	return n, kind, success, nil
}

// matrixByName finds za0.s, za1h.b and the like.
func matrixByName(name string) (n int, part, width uint8, ok bool) {
	head, kind, _ := strings.Cut(name, ".")
	width, known := widthNames[kind]
	if !known || width == 0 || !strings.HasPrefix(head, "za") {
		return 0, 0, 0, false
	}
	digits := head[2:]
	part = matrixTile
	if strings.HasSuffix(digits, "h") {
		part, digits = matrixRow, digits[:len(digits)-1]
	} else if strings.HasSuffix(digits, "v") {
		part, digits = matrixCol, digits[:len(digits)-1]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || strconv.Itoa(n) != digits || n >= 1<<(width-1) {
		return 0, 0, 0, false
	}
	return n, part, width, true
}
