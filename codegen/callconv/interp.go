package callconv

import "github.com/mirin-go/mirin/desc"

// Place runs the actions of convention conv over one value; false says that
// none of them placed it: a value that the convention does not know.
func (s *State) Place(conv int, v *Value) bool {
	v.LocVT, v.Info = v.VT, Full
	return s.convention(conv, v)
}

func (s *State) convention(conv int, v *Value) bool {
	code := s.Table.Code[s.Table.Convs[conv].Code:]
	for desc.CCOp(code[0]) != desc.CCEnd {
		if s.action(code, v) {
			return true
		}
		code = code[code[1]:]
	}
	return false
}

// list splits the list at the front of code from what follows.
func list(code []uint16) (elems, rest []uint16) {
	n := int(code[0])
	return code[1 : 1+n], code[1+n:]
}

// action does one action; true says that the value has its place.
func (s *State) action(code []uint16, v *Value) bool {
	switch args := code[2:]; desc.CCOp(code[0]) {
	case desc.CCIfType:
		types, sub := list(args)
		for _, t := range types {
			if desc.MVT(t) == v.LocVT {
				return s.action(sub, v)
			}
		}
	case desc.CCIf:
		pred, sub := list(args)
		if s.holds(pred, v) {
			return s.action(sub, v)
		}
	case desc.CCAssignToReg:
		regs, _ := list(args)
		if k := firstFree(s, regs); k < len(regs) {
			s.AddReg(v, desc.PhysReg(regs[k]))
			return true
		}
	case desc.CCAssignWithShadow:
		regs, rest := list(args)
		shadows, _ := list(rest)
		if k := firstFree(s, regs); k < len(regs) {
			s.AddReg(v, desc.PhysReg(regs[k]))
			if k < len(shadows) {
				s.Take(desc.PhysReg(shadows[k]))
			}
			return true
		}
	case desc.CCAssignRegAndStack:
		regs, rest := list(args)
		if k := firstFree(s, regs); k < len(regs) {
			size, align := s.slot(rest, v)
			off := s.AllocateStack(size, align)
			s.Take(desc.PhysReg(regs[k]))
			s.Locs = append(s.Locs, Loc{Value: *v, Reg: desc.PhysReg(regs[k]), Off: off, Shadow: true})
			return true
		}
	case desc.CCAssignToStack, desc.CCAssignStackShadow:
		size, align := s.slot(args, v)
		if desc.CCOp(code[0]) == desc.CCAssignStackShadow {
			shadows, _ := list(args[2:])
			for _, r := range shadows {
				s.Take(desc.PhysReg(r))
			}
		}
		s.AddStack(v, s.AllocateStack(size, align))
		return true
	case desc.CCPassByVal:
		size, align := max(v.ByValSize, int64(args[0])), max(v.ByValAlign, int64(args[1]), 1)
		if a := int64(args[1]); a > 1 {
			size = (size + a - 1) &^ (a - 1)
		}
		s.AddStack(v, s.AllocateStack(size, align))
		return true
	case desc.CCPromoteToType:
		v.LocVT, v.Info = desc.MVT(args[0]), extension(v.Flags)
	case desc.CCPromoteToUpper:
		v.LocVT, v.Info = desc.MVT(args[0]), extension(v.Flags)+SExtUpper-SExt
	case desc.CCBitConvert:
		v.LocVT, v.Info = desc.MVT(args[0]), BCvt
	case desc.CCTruncToType:
		v.LocVT, v.Info = desc.MVT(args[0]), Trunc
	case desc.CCPassIndirect:
		v.LocVT, v.Info = desc.MVT(args[0]), Indirect
	case desc.CCCustom:
		return s.customs[args[0]](s, v)
	case desc.CCDelegateTo:
		return s.convention(int(args[0]), v)
	}
	return false
}

// slot gives size and alignment of a stack slot; 0 is the type's own.
func (s *State) slot(args []uint16, v *Value) (size, align int64) {
	size, align = int64(args[0]), int64(args[1])
	if size == 0 || align == 0 {
		n, a := storage(v.LocVT)
		if size == 0 {
			size = n
		}
		if align == 0 {
			align = a
		}
	}
	return size, align
}

// storage is the size and alignment of a register type in memory: the least
// power of two that holds it.
func storage(t desc.MVT) (size, align int64) {
	n := int64(1)
	for 8*n < int64(t.Bits()) {
		n *= 2
	}
	return n, n
}

// extension is what the flags say about widening.
func extension(f desc.CCFlags) LocInfo {
	switch {
	case f&desc.CCSExt != 0:
		return SExt
	case f&desc.CCZExt != 0:
		return ZExt
	}
	return AExt
}

// holds evaluates a predicate in postfix order. The bits of stack are the
// intermediate results; generators nest at most 64 deep.
func (s *State) holds(pred []uint16, v *Value) bool {
	stack := uint64(0)
	push := func(b bool) {
		stack <<= 1
		if b {
			stack |= 1
		}
	}
	pop := func() bool {
		b := stack&1 != 0
		stack >>= 1
		return b
	}
	for k := 0; k < len(pred); k++ {
		n := pred[k] & 0xff
		switch desc.CCPred(pred[k] &^ 0xff) {
		case desc.CCPredFlag:
			push(v.Flags>>n&1 != 0)
		case desc.CCPredConv:
			push(s.CC == n)
		case desc.CCPredFeature:
			k++
			push(s.Features[pred[k]/64]>>(pred[k]%64)&1 != 0)
		case desc.CCPredSpace:
			k++
			push(v.Flags&desc.CCPointer != 0 && v.AddrSpace == uint32(pred[k]))
		case desc.CCPredFunc:
			push(s.preds[n](s, v))
		case desc.CCPredVarArg:
			push(s.VarArg)
		case desc.CCPredNot:
			push(!pop())
		case desc.CCPredAnd:
			a, b := pop(), pop()
			push(a && b)
		case desc.CCPredOr:
			a, b := pop(), pop()
			push(a || b)
		}
	}
	return stack&1 != 0
}
