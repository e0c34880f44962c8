package code

// Uint reads a number of verified code at pc and gives the place behind it. It
// is small enough to be inlined.
func Uint(c []byte, pc int) (int, int) {
	b := int(c[pc])
	pc++
	if b < 0x80 {
		return b, pc
	}
	v := b & 0x7f
	for s := 7; ; s += 7 {
		b = int(c[pc])
		pc++
		v |= b & 0x7f << s
		if b < 0x80 {
			return v, pc
		}
	}
}

// Int reads a signed number.
func Int(c []byte, pc int) (int64, int) {
	u, pc := Uint(c, pc)
	v := uint64(u)
	return int64(v>>1) ^ -int64(v&1), pc
}

// Args gives the kinds of the operands of an instruction, a letter for each; see specs.
func Args(op Op) string { return specs[op].args }

// SkipArg gives the place behind an operand of a kind that stands at pc of verified code.
func SkipArg(c []byte, kind byte, pc int) int {
	x, pc := Uint(c, pc)
	switch kind {
	case 'y':
		pc = skipSource(c, x, pc)
	case 'L', 'P', 'T':
		for ; x > 0; x-- {
			_, pc = Uint(c, pc)
		}
	case 'Y':
		for ; x > 0; x-- {
			var k int
			k, pc = Uint(c, pc)
			pc = skipSource(c, k, pc)
		}
	case 'A':
		for ; x > 0; x-- {
			var k int
			k, pc = Uint(c, pc)
			if _, pc = Uint(c, pc); k == ArgOperand {
				_, pc = Uint(c, pc)
			}
		}
	}
	return pc
}

// skipSource skips what stands behind the kind of a source.
func skipSource(c []byte, kind, pc int) int {
	_, pc = Uint(c, pc)
	if kind == SrcPart {
		_, pc = Uint(c, pc)
	}
	return pc
}

// SkipActions gives the place behind the Done of the actions at pc of verified code.
func SkipActions(c []byte, pc int) int {
	for {
		op := Op(c[pc])
		pc++
		for _, k := range []byte(specs[op].args) {
			pc = SkipArg(c, k, pc)
		}
		if op == Done {
			return pc
		}
	}
}
