package mctargetdesc

import "strings"

// neonList reads a list of v registers with an index; errNoMatch says that what is in the
// braces is something else.
func (s *statement) neonList() error {
	st, err := s.list(regNeon, true)
	if st == noMatch {
		return errNoMatch
	}
	if err != nil {
		return err
	}
	if st, err := s.vectorIndex(); st == failure {
		return err
	}
	return nil
}

// listMember steps over a register of a list.
func (s *statement) listMember(kind regKind, must bool) (n int, width string, st status, err error) {
	at, word, ident := s.loc(), s.lower(), s.isIdent()
	n, width, st, err = s.vectorRegister(kind)
	switch {
	case st == success:
		return n, width, st, nil
	case ident && st == noMatch && word == "zt0":
		return 0, "", noMatch, nil
	case st == failure:
		return 0, "", failure, err // what is wrong with the register comes first
	case !ident || must && !strings.HasPrefix(word, "za"):
		return 0, "", failure, fail(at, "vector register expected")
	}
	return 0, "", noMatch, nil
}

var listKinds = map[regKind]uint8{regNeon: listNeon, regSVE: listSVE, regPred: listPred}

// elements are the numbers of elements in front of element kinds.
func elements(kind string) (n, width uint8) {
	n = 0
	i := 0
	for i < len(kind) && isDigit(kind[i]) {
		n = n*10 + kind[i] - '0'
		i++
	}
	return n, widthNames[kind[i:]]
}

// list reads registers in braces.
func (s *statement) list(kind regKind, must bool) (status, error) {
	at := s.loc()
	if !s.is("{") {
		return noMatch, nil
	}
	s.next()
	first, width, st, err := s.listMember(kind, must)
	if st == noMatch {
		s.seek(at)
	}
	if st != success {
		return st, err
	}
	prev, count, stride := first, 1, 1
	size := kind.numRegs()
	if s.eat("-") {
		here := s.loc()
		n, w, st, err := s.listMember(kind, true)
		switch {
		case st != success:
			return st, err
		case w != width:
			return failure, fail(here, "mismatched register size suffix")
		}
		space := (n - prev + size) % size
		if space == 0 || space > 3 {
			return failure, fail(here, "invalid number of vectors")
		}
		count += space
	} else {
		for known := false; s.eat(","); {
			here := s.loc()
			n, w, st, err := s.listMember(kind, true)
			switch {
			case st != success:
				return st, err
			case w != width:
				return failure, fail(here, "mismatched register size suffix")
			}
			if !known {
				stride, known = n-prev, true
				if n <= prev {
					stride += size
				}
			}
			if stride == 0 || n != (prev+stride)%size {
				return failure, fail(here, "registers must have the same sequential stride")
			}
			prev = n
			count++
		}
	}
	if err := s.want("}", "'}' expected"); err != nil {
		return failure, err
	}
	if count > 4 {
		return failure, fail(at, "invalid number of vectors")
	}
	num, w := elements(width)
	s.push(asmOp{shape: shapeOfList(listKinds[kind], uint8(count), uint8(stride), num, w), val: int64(first), start: at})
	if kind == regSVE {
		if st, err := s.vectorIndex(); st == failure {
			return st, err
		}
	}
	return success, nil
}

// matrix reads za, za.s, za0.s, za1h.b, with what is in brackets behind.
func (s *statement) matrix() (status, error) {
	if !s.isIdent() {
		return noMatch, nil
	}
	at, name := s.loc(), s.lower()
	var o asmOp
	if name == "za" || strings.HasPrefix(name, "za.") {
		w, ok := widthNames[strings.TrimPrefix(name[2:], ".")]
		s.next()
		if !ok {
			return failure, fail(at, "Expected the register to be followed by element width suffix")
		}
		o = asmOp{shape: shapeOf(opMatrix, matrixArray, w, 0), start: at}
	} else {
		n, part, w, ok := matrixByName(name)
		if !ok {
			return noMatch, nil
		}
		s.next()
		o = asmOp{shape: shapeOf(opMatrix, part, w, 0), val: int64(n), start: at}
	}
	s.push(o)
	if s.is("[") {
		if err := s.operand(false, false); err != nil {
			return failure, err
		}
	}
	return success, nil
}

// tileMask is which of the eight 64-bit tiles a tile has.
func tileMask(n int, width uint8) int64 {
	switch width {
	case 1:
		return 0xff
	case 2:
		return 0x55 << n
	case 3:
		return 0x11 << n
	}
	return 1 << n
}

// tiles reads a list of tiles.
func (s *statement) tiles() (status, error) {
	at := s.loc()
	if !s.eat("{") {
		return noMatch, nil
	}
	push := func(mask int64) {
		s.push(asmOp{shape: shapeOf(opTiles, 0, 0, 0), val: mask, start: at})
	}
	if s.eat("}") {
		push(0)
		return success, nil
	}
	if s.lower() == "za" {
		s.next()
		if err := s.want("}", "'}' expected"); err != nil {
			return failure, err
		}
		push(0xff)
		return success, nil
	}
	member := func() (n int, w uint8, st status, err error) {
		name := s.lower()
		if !s.isIdent() || !strings.Contains(name, ".") {
			return 0, 0, noMatch, nil
		}
		n, part, w, ok := matrixByName(name)
		if !ok || part != matrixTile {
			return 0, 0, noMatch, nil
		}
		s.next()
		return n, w, success, nil
	}
	prev, width, st, err := member()
	if st != success {
		s.seek(at)
		return st, err
	}
	mask := tileMask(prev, width)
	seen := map[int]bool{prev: true}
	for s.eat(",") {
		here := s.loc()
		n, w, st, err := member()
		switch {
		case st != success:
			return st, err
		case w != width:
			return failure, fail(here, "mismatched register size suffix")
		}
		if n <= prev {
			s.p.Warn(here, here, "tile list not in ascending order")
		}
		if seen[n] {
			s.p.Warn(here, here, "duplicate tile in list")
		}
		seen[n] = true
		prev = n
		mask |= tileMask(n, w)
	}
	if err := s.want("}", "'}' expected"); err != nil {
		return failure, err
	}
	push(mask)
	return success, nil
}
