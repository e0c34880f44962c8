package mctargetdesc

import "github.com/mirin-go/mirin/desc"

// rewrite turns names of moves of bit fields and extensions, whose operands are computed from
// the written ones, into the instructions of which they are forms.
func (s *statement) rewrite() error {
	name := s.ops[0].tok
	isReg := func(n int) bool { return s.ops[n].shape.kind() == opScalar }
	isNum := func(n int) bool { return s.ops[n].shape == shapeOf(opImm, 0, 0, 0) }
	width := func(n int) int64 {
		if s.a.class(s.a.gpr64all, s.ops[n].reg) {
			return 64
		}
		return 32
	}
	switch len(s.ops) {
	case 3:
		return s.extension(name, isReg)
	case 4:
		switch {
		case name == "lsl" && isReg(2) && isNum(3):
			w := int64(64)
			if s.a.class(s.a.gpr32all, s.ops[2].reg) {
				w = 32
			}
			v := s.ops[3].val
			s.ops[0].tok = "ubfm"
			s.imm(0, w-1-v, s.ops[3].start)
			s.ops[3].val = (w - v) & (w - 1)
		case name == "bfc" && isReg(1) && isNum(2) && isNum(3):
			w := width(1)
			lsb, n := s.ops[2], s.ops[3]
			if err := s.field(w, &lsb, &n); err != nil {
				return err
			}
			r := (w - lsb.val) & (w - 1)
			if r != 0 && n.val-1 >= r {
				return fail(n.start, "requested insert overflows register")
			}
			zero := s.a.wzr
			if w == 64 {
				zero = s.a.xzr
			}
			s.ops[0].tok = "bfm"
			s.ops[2] = asmOp{shape: shapeOf(opScalar, 0, 0, 0), val: int64(zero), reg: zero, start: -1}
			s.ops[3].val, s.ops[3].start = r, lsb.start
			s.imm(0, n.val-1, n.start)
		}
	case 5:
		if !isReg(1) || !isNum(3) || !isNum(4) {
			return nil
		}
		lsb, n := &s.ops[3], &s.ops[4]
		w := width(1)
		switch name {
		case "bfi", "sbfiz", "ubfiz":
			if err := s.field(w, lsb, n); err != nil {
				return err
			}
			r := (w - lsb.val) & (w - 1)
			if r != 0 && n.val-1 >= r {
				return fail(n.start, "requested insert overflows register")
			}
			lsb.val, n.val = r, n.val-1
		case "bfxil", "sbfx", "ubfx":
			if err := s.field(w, lsb, n); err != nil {
				return err
			}
			last := lsb.val + n.val - 1
			if last >= w || last < lsb.val {
				return fail(n.start, "requested extract overflows register")
			}
			n.val = last
		default:
			return nil
		}
		s.ops[0].tok = map[byte]string{'b': "bfm", 's': "sbfm", 'u': "ubfm"}[name[0]]
	}
	return nil
}

// field holds the position and the size of a bit field to a register's width.
func (s *statement) field(w int64, lsb, n *asmOp) error {
	if uint64(lsb.val) >= uint64(w) {
		return fail(lsb.start, "expected integer in range [0, "+itoa(int(w-1))+"]")
	}
	if n.val < 1 || n.val > w {
		return fail(n.start, "expected integer in range [1, "+itoa(int(w))+"]")
	}
	return nil
}

// extension lets the registers of extensions be of either width.
func (s *statement) extension(name string, isReg func(int) bool) error {
	to := func(n int, r desc.PhysReg) { s.ops[n].reg, s.ops[n].val = r, int64(r) }
	switch name {
	case "sxtw", "uxtw":
		if isReg(2) {
			to(2, s.a.wide(s.ops[2].reg))
		}
	case "sxtb", "sxth":
		if isReg(1) && s.a.class(s.a.gpr64all, s.ops[1].reg) && isReg(2) {
			to(2, s.a.wide(s.ops[2].reg))
		}
	case "uxtb", "uxth":
		if isReg(1) && s.a.class(s.a.gpr64all, s.ops[1].reg) {
			to(1, s.a.narrow(s.ops[1].reg))
		}
	}
	return nil
}
