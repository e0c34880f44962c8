package interp

import (
	"errors"
	"math"

	"github.com/mirin-go/mirin/ir"
)

var errReturn = errors.New("return") // not an error: the bottom frame returned

// run executes frames until there are only depth of them. The result of the
// last one is left in its return registers, described by retAt.
func (vm *Interp) run(depth int) error {
	f := &vm.frames[len(vm.frames)-1]
	c := f.c
	insts := c.insts
	regs := vm.stack[f.fp : f.fp+c.nregs]
	pc := f.pc
	fuel := vm.fuel
	// Bytes are put together and taken apart in place: in a function of this
	// size, the compiler leaves calls of encoding/binary what they are.
	var err error
	for {
		in := &insts[pc]
		pc++
		switch in.op {
		case opMov:
			regs[in.d] = regs[in.a]
			continue
		case opAdd:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := (a.v + b.v) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opSub:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := (a.v - b.v) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opMul:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := (a.v * b.v) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opAnd:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := a.v & b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opOr:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := a.v | b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opXor:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := a.v ^ b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opShl:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
				goto slow
			}
			v := a.v << (b.v & 63) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLShr:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
				goto slow
			}
			v := a.v >> (b.v & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opAShr:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
				goto slow
			}
			v := uint64(int64(a.v<<(in.w&63))>>(b.v&63)) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opUDiv:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 || b.v == 0 {
				goto slow
			}
			v := a.v / b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opURem:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 || b.v == 0 {
				goto slow
			}
			v := a.v % b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opSDiv:
			a, b := &regs[in.a], &regs[in.b]
			y := int64(b.v<<(in.w&63)) >> (in.w & 63)
			if a.u|b.u != 0 || y == 0 || y == -1 {
				goto slow
			}
			v := uint64((int64(a.v<<(in.w&63))>>(in.w&63))/y) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opSRem:
			a, b := &regs[in.a], &regs[in.b]
			y := int64(b.v<<(in.w&63)) >> (in.w & 63)
			if a.u|b.u != 0 || y == 0 || y == -1 {
				goto slow
			}
			v := uint64((int64(a.v<<(in.w&63))>>(in.w&63))%y) << (in.w & 63) >> (in.w & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opAddF:
			a, b := &regs[in.a], &regs[in.b]
			x, y := a.v<<(in.w&63), b.v<<(in.w&63)
			s := x + y
			if a.u|b.u != 0 || in.fl&fNSW != 0 && int64((x^s)&(y^s)) < 0 || in.fl&fNUW != 0 && s < x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = s>>(in.w&63), 0
			continue
		case opSubF:
			a, b := &regs[in.a], &regs[in.b]
			x, y := a.v<<(in.w&63), b.v<<(in.w&63)
			s := x - y
			if a.u|b.u != 0 || in.fl&fNSW != 0 && int64((x^y)&(x^s)) < 0 || in.fl&fNUW != 0 && x < y {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = s>>(in.w&63), 0
			continue
		case opMulF:
			a, b := &regs[in.a], &regs[in.b]
			// Small operands cannot overflow 32 bits or more.
			if a.u|b.u != 0 || in.w > 32 || a.v|b.v >= 1<<15 {
				goto slow
			}
			v := a.v * b.v
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpEQ:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v == b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpNE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v != b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpUGT:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v > b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpUGE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v >= b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpULT:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v < b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpULE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(a.v <= b.v)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpSGT:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(int64(a.v<<(in.w&63)) > int64(b.v<<(in.w&63)))
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpSGE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(int64(a.v<<(in.w&63)) >= int64(b.v<<(in.w&63)))
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpSLT:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(int64(a.v<<(in.w&63)) < int64(b.v<<(in.w&63)))
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opICmpSLE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(int64(a.v<<(in.w&63)) <= int64(b.v<<(in.w&63)))
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opBrEQ, opBrNE, opBrUGT, opBrUGE, opBrULT, opBrULE, opBrSGT, opBrSGE, opBrSLT, opBrSLE:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				r := evalICmp(ir.ICmpEQ+ir.Pred(in.op-opBrEQ), 0, 64-uint32(in.w), *a, *b)
				if r.u != 0 {
					if err = vm.branchUndef(r); err != nil {
						goto fail
					}
				}
				if r.v != 0 {
					pc = int(in.d)
				} else {
					pc = int(uint32(in.imm))
				}
			} else {
				var t bool
				switch in.op {
				case opBrEQ:
					t = a.v == b.v
				case opBrNE:
					t = a.v != b.v
				case opBrUGT:
					t = a.v > b.v
				case opBrUGE:
					t = a.v >= b.v
				case opBrULT:
					t = a.v < b.v
				case opBrULE:
					t = a.v <= b.v
				case opBrSGT:
					t = int64(a.v<<(in.w&63)) > int64(b.v<<(in.w&63))
				case opBrSGE:
					t = int64(a.v<<(in.w&63)) >= int64(b.v<<(in.w&63))
				case opBrSLT:
					t = int64(a.v<<(in.w&63)) < int64(b.v<<(in.w&63))
				default:
					t = int64(a.v<<(in.w&63)) <= int64(b.v<<(in.w&63))
				}
				if t {
					pc = int(in.d)
				} else {
					pc = int(uint32(in.imm))
				}
			}
			if fuel -= int64(in.imm >> 32); fuel < 0 {
				goto noFuel
			}
			continue
		case opSelect:
			a := &regs[in.a]
			if a.u != 0 {
				goto slow
			}
			if a.v != 0 {
				regs[in.d] = regs[in.b]
			} else {
				regs[in.d] = regs[in.imm]
			}
			continue
		case opTrunc:
			a := &regs[in.a]
			v := a.v << (in.w & 63) >> (in.w & 63)
			if a.u != 0 {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opZExt:
			regs[in.d] = regs[in.a]
			continue
		case opSExt:
			a := &regs[in.a]
			if a.u != 0 {
				goto slow
			}
			v := uint64(int64(a.v<<(in.w&63))>>(in.w&63)) << (in.fl & 63) >> (in.fl & 63)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLoad8:
			a := &regs[in.a]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u != 0 || o.gen != uint32(a.p>>32) || off >= n || o.sh != nil && o.sh[off] != 0 || (a.v+in.imm)&uint64(in.w) != 0 {
				goto slow
			}
			v := uint64(o.data[off])
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLoad16:
			a := &regs[in.a]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u != 0 || o.gen != uint32(a.p>>32) || off >= n || n-off < 2 || (a.v+in.imm)&uint64(in.w) != 0 {
				goto slow
			}
			if o.sh != nil {
				if s := o.sh[off : off+2 : off+2]; uint16(s[0])|uint16(s[1])<<8 != 0 {
					goto slow
				}
			}
			m := o.data[off : off+2 : off+2]
			v := uint64(m[0]) | uint64(m[1])<<8
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLoad32:
			a := &regs[in.a]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u != 0 || o.gen != uint32(a.p>>32) || off >= n || n-off < 4 || (a.v+in.imm)&uint64(in.w) != 0 {
				goto slow
			}
			if o.sh != nil {
				if s := o.sh[off : off+4 : off+4]; uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24 != 0 {
					goto slow
				}
			}
			m := o.data[off : off+4 : off+4]
			v := uint64(uint32(m[0]) | uint32(m[1])<<8 | uint32(m[2])<<16 | uint32(m[3])<<24)
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLoad64:
			a := &regs[in.a]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u != 0 || o.gen != uint32(a.p>>32) || off >= n || n-off < 8 || (a.v+in.imm)&uint64(in.w) != 0 {
				goto slow
			}
			if o.sh != nil {
				if s := o.sh[off : off+8 : off+8]; uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56 != 0 {
					goto slow
				}
			}
			m := o.data[off : off+8 : off+8]
			v := uint64(m[0]) | uint64(m[1])<<8 | uint64(m[2])<<16 | uint64(m[3])<<24 | uint64(m[4])<<32 | uint64(m[5])<<40 | uint64(m[6])<<48 | uint64(m[7])<<56
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opLoadPtr: // 64-bit pointers only
			a := &regs[in.a]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u != 0 || o.gen != uint32(a.p>>32) || off >= n || n-off < 8 || (a.v+in.imm)&uint64(in.w|7) != 0 {
				goto slow
			}
			if o.sh != nil {
				if s := o.sh[off : off+8 : off+8]; uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56 != 0 {
					goto slow
				}
			}
			m := o.data[off : off+8 : off+8]
			v := uint64(m[0]) | uint64(m[1])<<8 | uint64(m[2])<<16 | uint64(m[3])<<24 | uint64(m[4])<<32 | uint64(m[5])<<40 | uint64(m[6])<<48 | uint64(m[7])<<56
			d := &regs[in.d]
			d.v, d.u, d.p = v, 0, 0
			if o.prv != nil {
				d.p = o.prv[off>>3]
			}
			continue
		case opStore8:
			a, b := &regs[in.a], &regs[in.b]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u|b.u != 0 || o.gen != uint32(a.p>>32) || o.ro || o.dead || off >= n || (a.v+in.imm)&uint64(in.w) != 0 {
				goto slow
			}
			o.data[off] = byte(b.v)
			if o.sh != nil {
				o.sh[off] = 0
			}
			if o.prv != nil {
				o.prv[off>>(vm.prvShift&7)] = 0
			}
			continue
		case opStore16:
			a, b := &regs[in.a], &regs[in.b]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u|b.u != 0 || o.gen != uint32(a.p>>32) || o.ro || o.dead || off >= n || n-off < 2 || (a.v+in.imm)&uint64(in.w|1) != 0 {
				goto slow
			}
			m := o.data[off : off+2 : off+2]
			m[0] = byte(b.v)
			m[1] = byte(b.v >> 8)
			if o.sh != nil {
				s := o.sh[off : off+2 : off+2]
				s[0] = 0
				s[1] = 0
			}
			if o.prv != nil {
				o.prv[off>>(vm.prvShift&7)] = 0
			}
			continue
		case opStore32:
			a, b := &regs[in.a], &regs[in.b]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u|b.u != 0 || o.gen != uint32(a.p>>32) || o.ro || o.dead || off >= n || n-off < 4 || (a.v+in.imm)&uint64(in.w|3) != 0 {
				goto slow
			}
			m := o.data[off : off+4 : off+4]
			m[0] = byte(b.v)
			m[1] = byte(b.v >> 8)
			m[2] = byte(b.v >> 16)
			m[3] = byte(b.v >> 24)
			if o.sh != nil {
				s := o.sh[off : off+4 : off+4]
				s[0] = 0
				s[1] = 0
				s[2] = 0
				s[3] = 0
			}
			if o.prv != nil {
				o.prv[off>>(vm.prvShift&7)] = 0
			}
			continue
		case opStore64:
			a, b := &regs[in.a], &regs[in.b]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u|b.u != 0 || o.gen != uint32(a.p>>32) || o.ro || o.dead || off >= n || n-off < 8 || (a.v+in.imm)&uint64(in.w|7) != 0 || vm.prvShift != 3 {
				goto slow
			}
			m := o.data[off : off+8 : off+8]
			m[0] = byte(b.v)
			m[1] = byte(b.v >> 8)
			m[2] = byte(b.v >> 16)
			m[3] = byte(b.v >> 24)
			m[4] = byte(b.v >> 32)
			m[5] = byte(b.v >> 40)
			m[6] = byte(b.v >> 48)
			m[7] = byte(b.v >> 56)
			if o.sh != nil {
				s := o.sh[off : off+8 : off+8]
				s[0] = 0
				s[1] = 0
				s[2] = 0
				s[3] = 0
				s[4] = 0
				s[5] = 0
				s[6] = 0
				s[7] = 0
			}
			if o.prv != nil {
				o.prv[off>>3] = 0
			}
			continue
		case opStorePtr:
			a, b := &regs[in.a], &regs[in.b]
			o := &vm.objs[uint32(a.p)]
			off := a.v + in.imm - o.base
			n := uint64(len(o.data))
			if a.u|b.u != 0 || o.gen != uint32(a.p>>32) || o.ro || o.dead || off >= n || n-off < 8 || (a.v+in.imm)&uint64(in.w|7) != 0 || o.prv == nil {
				goto slow
			}
			m := o.data[off : off+8 : off+8]
			m[0] = byte(b.v)
			m[1] = byte(b.v >> 8)
			m[2] = byte(b.v >> 16)
			m[3] = byte(b.v >> 24)
			m[4] = byte(b.v >> 32)
			m[5] = byte(b.v >> 40)
			m[6] = byte(b.v >> 48)
			m[7] = byte(b.v >> 56)
			if o.sh != nil {
				s := o.sh[off : off+8 : off+8]
				s[0] = 0
				s[1] = 0
				s[2] = 0
				s[3] = 0
				s[4] = 0
				s[5] = 0
				s[6] = 0
				s[7] = 0
			}
			o.prv[off>>3] = b.p
			continue
		case opGEPc:
			a := &regs[in.a]
			v := a.v + in.imm
			if a.u != 0 {
				goto slow
			}
			if in.fl != 0 {
				o := &vm.objs[uint32(a.p)]
				if v-o.base > o.size || a.v-o.base > o.size || in.fl&fNUW != 0 {
					goto slow
				}
			}
			d := &regs[in.d]
			d.v, d.p, d.u = v&vm.ptrMask, a.p, 0
			continue
		case opGEP1:
			a, b := &regs[in.a], &regs[in.b]
			v := a.v + uint64(int64(b.v<<(in.w&63))>>(in.w&63))*in.imm
			if a.u|b.u != 0 {
				goto slow
			}
			if in.fl != 0 {
				o := &vm.objs[uint32(a.p)]
				if v-o.base > o.size || a.v-o.base > o.size || in.fl&fNUW != 0 {
					goto slow
				}
			}
			d := &regs[in.d]
			d.v, d.p, d.u = v&vm.ptrMask, a.p, 0
			continue
		case opFAdd64:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float64frombits(a.v) + math.Float64frombits(b.v)
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = math.Float64bits(x), 0
			continue
		case opFSub64:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float64frombits(a.v) - math.Float64frombits(b.v)
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = math.Float64bits(x), 0
			continue
		case opFMul64:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float64frombits(a.v) * math.Float64frombits(b.v)
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = math.Float64bits(x), 0
			continue
		case opFDiv64:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float64frombits(a.v) / math.Float64frombits(b.v)
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = math.Float64bits(x), 0
			continue
		case opFMulAdd64:
			a, b, c := &regs[in.a], &regs[in.b], &regs[uint32(in.imm)]
			x := float64(math.Float64frombits(a.v)*math.Float64frombits(b.v)) + math.Float64frombits(c.v)
			if a.u|b.u|c.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = math.Float64bits(x), 0
			continue
		case opFAdd32:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float32frombits(uint32(a.v)) + math.Float32frombits(uint32(b.v))
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = uint64(math.Float32bits(x)), 0
			continue
		case opFSub32:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float32frombits(uint32(a.v)) - math.Float32frombits(uint32(b.v))
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = uint64(math.Float32bits(x)), 0
			continue
		case opFMul32:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float32frombits(uint32(a.v)) * math.Float32frombits(uint32(b.v))
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = uint64(math.Float32bits(x)), 0
			continue
		case opFDiv32:
			a, b := &regs[in.a], &regs[in.b]
			x := math.Float32frombits(uint32(a.v)) / math.Float32frombits(uint32(b.v))
			if a.u|b.u != 0 || x != x {
				goto slow
			}
			d := &regs[in.d]
			d.v, d.u = uint64(math.Float32bits(x)), 0
			continue
		case opFCmp64:
			a, b := &regs[in.a], &regs[in.b]
			if a.u|b.u != 0 {
				goto slow
			}
			v := b2u(fcmp(ir.Pred(in.imm), math.Float64frombits(a.v), math.Float64frombits(b.v)))
			d := &regs[in.d]
			d.v, d.u = v, 0
			continue
		case opNoundef:
			if regs[in.a].u == 0 {
				continue
			}
			goto slow
		case opJmp:
			pc = int(in.d)
			if fuel -= int64(in.imm); fuel < 0 {
				goto noFuel
			}
			continue
		case opCondBr:
			a := &regs[in.a]
			if a.u != 0 {
				if err = vm.branchUndef(*a); err != nil {
					goto fail
				}
			}
			if a.v != 0 {
				pc = int(in.d)
			} else {
				pc = int(in.b)
			}
			if fuel -= int64(in.imm); fuel < 0 {
				goto noFuel
			}
			continue
		case opSwitch:
			sw := &c.sws[in.imm]
			if fuel -= sw.fuel; fuel < 0 {
				goto noFuel
			}
			a := &regs[in.a]
			if a.u != 0 {
				if err = vm.branchUndef(*a); err != nil {
					goto fail
				}
			}
			if sw.isDense {
				if k := a.v - sw.lo; k < uint64(len(sw.dense)) {
					pc = int(sw.dense[k])
				} else {
					pc = int(sw.def)
				}
				continue
			}
			pc, err = sw.find(regs, in.a)
			if err != nil {
				goto fail
			}
			continue
		case opCall:
			ci := &c.calls[in.imm]
			callee := ci.code
			if callee == nil || ci.checks != nil {
				f.pc = pc
				vm.fuel = fuel
				callee, err = vm.resolve(ci, regs)
				fuel = vm.fuel
				if err != nil {
					if err == errReturn { // done: a library function or an intrinsic
						regs = vm.stack[f.fp : f.fp+c.nregs]
						f = &vm.frames[len(vm.frames)-1]
						err = nil
						pc = f.pc
						continue
					}
					goto fail
				}
			}
			f.pc = pc
			if len(vm.frames) >= vm.o.MaxDepth {
				err = &Stopped{Reason: "too many nested calls"}
				goto fail
			}
			fp := f.fp + c.nregs
			if fp+callee.nregs > len(vm.stack) {
				vm.stack = append(vm.stack, make([]reg, len(vm.stack)+callee.nregs)...)
				regs = vm.stack[f.fp:fp]
			}
			next := vm.stack[fp : fp+callee.nregs]
			n := copy(next, callee.consts)
			if ci.fixed >= len(ci.args) {
				for i := range ci.args {
					m := &ci.args[i]
					if m.n == 1 {
						next[n] = regs[m.src]
						n++
					} else {
						n += copy(next[n:], regs[m.src:m.src+m.n])
					}
				}
				vm.frames = append(vm.frames, frame{c: callee, fp: fp, d: ci.d, nret: ci.nret, objMark: len(vm.stackObjs), sp: vm.sp, retChk: ci.retChk})
			} else {
				vm.frames = append(vm.frames, frame{c: callee, fp: fp, d: ci.d, nret: ci.nret, objMark: len(vm.stackObjs), sp: vm.sp, retChk: ci.retChk})
				vm.passVarArgs(ci, regs, next, n)
			}
			f = &vm.frames[len(vm.frames)-1]
			c, insts, regs, pc = callee, callee.insts, next, 0
			if c.checks != nil || c.byvals != nil {
				if err = vm.enter(c, regs); err != nil {
					goto fail
				}
			}
			if fuel--; fuel < 0 {
				goto noFuel
			}
			continue
		case opRet:
			if c.retChk != nil || f.retChk != nil {
				if err = vm.checkReturn(f, c, regs[in.a:]); err != nil {
					goto fail
				}
			}
			if len(vm.stackObjs) != f.objMark {
				vm.popStack(f.objMark, f.sp)
			} else {
				vm.sp = f.sp
			}
			fuel -= int64(in.imm)
			if len(vm.frames) == depth+1 {
				f.pc = int(in.a) // where the result is
				vm.fuel = fuel
				return nil
			}
			d, nret := f.d, f.nret
			vm.frames = vm.frames[:len(vm.frames)-1]
			f = &vm.frames[len(vm.frames)-1]
			caller := vm.stack[f.fp : f.fp+f.c.nregs]
			if nret == 1 {
				caller[d] = regs[in.a]
			} else if nret > 1 {
				copy(caller[d:d+nret], regs[in.a:])
			}
			c = f.c
			insts, regs, pc = c.insts, caller, f.pc
			if fuel < 0 {
				goto noFuel
			}
			continue
		case opGen:
			f.pc = pc
			vm.fuel = fuel
			err = c.gens[in.imm](vm, regs)
			fuel = vm.fuel
			if err != nil {
				goto fail
			}
			f = &vm.frames[len(vm.frames)-1]
			regs = vm.stack[f.fp : f.fp+c.nregs]
			continue
		case opAlloca:
			if err = vm.alloca(c, in, regs); err != nil {
				goto fail
			}
			continue
		case opIndirBr:
			if pc, err = vm.indirect(c, in, regs); err != nil {
				goto fail
			}
			if fuel--; fuel < 0 {
				goto noFuel
			}
			continue
		case opUnreachable:
			err = ub("unreachable", "executed")
			goto fail
		case opBad:
			err = c.bad[in.imm]
			goto fail
		}
	slow:
		if err = vm.slow(c, in, regs); err == nil {
			continue
		}
	fail:
		vm.fuel = fuel
		f.pc = pc
		return vm.locate(err)
	noFuel:
		err = &Stopped{Reason: "out of fuel"}
		goto fail
	}
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// branchUndef is the report of a branch whose condition is not defined.
func (vm *Interp) branchUndef(r reg) error {
	if r.poison() {
		return ub("branch on poison", "")
	}
	if vm.o.Lenient.UndefBranch {
		return nil
	}
	return ub("branch on undef", "")
}

// find looks a value up in a switch that is not dense.
func (sw *switchInfo) find(regs []reg, a uint32) (int, error) {
	if sw.nw > 1 {
	next:
		for i := range sw.wide {
			for k, w := range sw.wide[i].words {
				if regs[a+uint32(k)].v != w {
					continue next
				}
			}
			return int(sw.wide[i].pc), nil
		}
		return int(sw.def), nil
	}
	v := regs[a].v
	lo, hi := 0, len(sw.vals)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if sw.vals[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(sw.vals) && sw.vals[lo] == v {
		return int(sw.pcs[lo]), nil
	}
	return int(sw.def), nil
}

var binOps = [...]ir.Op{opAdd: ir.OpAdd, opSub: ir.OpSub, opMul: ir.OpMul, opAnd: ir.OpAnd, opOr: ir.OpOr, opXor: ir.OpXor, opShl: ir.OpShl,
	opLShr: ir.OpLShr, opAShr: ir.OpAShr, opUDiv: ir.OpUDiv, opSDiv: ir.OpSDiv, opURem: ir.OpURem, opSRem: ir.OpSRem,
	opAddF: ir.OpAdd, opSubF: ir.OpSub, opMulF: ir.OpMul}

// slow executes an instruction with all tracking: what the loop does not do
// itself, and what it found not to be the simple case.
func (vm *Interp) slow(c *code, in *inst, regs []reg) error {
	switch op := in.op; op {
	case opAdd, opSub, opMul, opAnd, opOr, opXor, opShl, opLShr, opAShr, opUDiv, opSDiv, opURem, opSRem, opAddF, opSubF, opMulF:
		r, err := vm.bin(binOps[op], in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
		regs[in.d] = r
		return err
	case opBinF:
		r, err := vm.bin(ir.Op(in.imm), in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
		regs[in.d] = r
		return err
	case opICmpEQ, opICmpNE, opICmpUGT, opICmpUGE, opICmpULT, opICmpULE, opICmpSGT, opICmpSGE, opICmpSLT, opICmpSLE:
		regs[in.d] = evalICmp(ir.ICmpEQ+ir.Pred(op-opICmpEQ), 0, 64-uint32(in.w), regs[in.a], regs[in.b])
	case opICmpF:
		regs[in.d] = evalICmp(ir.Pred(in.imm), in.fl, 64-uint32(in.w), regs[in.a], regs[in.b])
	case opSelect:
		regs[in.d] = evalSelect(regs[in.a], regs[in.b], regs[in.imm], 64-uint32(in.w))
	case opTrunc:
		regs[in.d] = evalCast(ir.OpTrunc, 0, 64, 64-uint32(in.w), regs[in.a])
	case opSExt:
		regs[in.d] = evalCast(ir.OpSExt, 0, 64-uint32(in.w), 64-uint32(in.fl), regs[in.a])
	case opCastF:
		regs[in.d] = evalCast(ir.Op(in.imm>>16), in.fl, uint32(in.imm>>8&0xff), uint32(in.imm&0xff), regs[in.a])
	case opPtrToInt:
		r := evalCast(ir.OpTrunc, 0, 64, 64-uint32(in.w), regs[in.a])
		if !r.poison() {
			r.p = 0
		}
		regs[in.d] = r
	case opIntToPtr:
		r := regs[in.a]
		if !r.poison() {
			r.p = 0
			r.v &= vm.ptrMask
		}
		regs[in.d] = r
	case opLoad8, opLoad16, opLoad32, opLoad64:
		n := uint64(1) << (op - opLoad8)
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), n, uint64(in.w)+1, false)
		if err != nil {
			return err
		}
		regs[in.d] = o.load(off, n)
	case opLoadPtr:
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), vm.ptrBytes, uint64(in.w)+1, false)
		if err != nil {
			return err
		}
		regs[in.d] = vm.loadPtr(o, off)
	case opLoadVal:
		l := c.layouts[in.b]
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), l.store, uint64(in.w)+1, false)
		if err != nil {
			return err
		}
		vm.loadValue(o, off, l, regs[in.d:in.d+l.slots])
	case opStore8, opStore16, opStore32, opStore64:
		n := uint64(1) << (op - opStore8)
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), n, uint64(in.w)+1, true)
		if err != nil {
			return err
		}
		o.store(off, n, regs[in.b], vm.prvShift)
	case opStorePtr:
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), vm.ptrBytes, uint64(in.w)+1, true)
		if err != nil {
			return err
		}
		vm.storePtr(o, off, regs[in.b])
	case opStoreVal:
		l := c.layouts[in.d]
		o, off, err := vm.access(addPtr(regs[in.a], in.imm), l.store, uint64(in.w)+1, true)
		if err != nil {
			return err
		}
		vm.storeValue(o, off, l, regs[in.b:in.b+l.slots])
	case opGEPc:
		regs[in.d] = vm.gep(regs[in.a], in.imm, in.fl)
	case opGEP1:
		b := regs[in.b]
		switch a := regs[in.a]; {
		case b.poison():
			regs[in.d] = poisonReg
		case b.u != 0:
			regs[in.d] = reg{u: vm.ptrMask}
			if a.poison() {
				regs[in.d] = poisonReg
			}
		default:
			regs[in.d] = vm.gep(a, uint64(signed(b.v, 64-uint32(in.w)))*in.imm, in.fl)
		}
	case opFAdd64, opFSub64, opFMul64, opFDiv64:
		regs[in.d] = evalFBin(fbinOps[op-opFAdd64], 0, leafF64, regs[in.a], regs[in.b])
	case opFAdd32, opFSub32, opFMul32, opFDiv32:
		regs[in.d] = evalFBin(fbinOps[op-opFAdd32], 0, leafF32, regs[in.a], regs[in.b])
	case opFMulAdd64:
		regs[in.d] = evalFMA(false, leafF64, 0, regs[in.a], regs[in.b], regs[uint32(in.imm)])
	case opFBin:
		regs[in.d] = evalFBin(ir.Op(in.imm), in.fl, leafKind(in.w), regs[in.a], regs[in.b])
	case opFNeg:
		a := regs[in.a]
		if !a.poison() {
			a.v ^= in.imm &^ a.u
		}
		if in.fl != 0 && fmfPoison(leafKind(in.w), in.fl, a) {
			a = poisonReg
		}
		regs[in.d] = a
	case opFCmp64:
		regs[in.d] = evalFCmp(ir.Pred(in.imm), 0, leafF64, regs[in.a], regs[in.b])
	case opFCmp:
		regs[in.d] = evalFCmp(ir.Pred(in.imm), in.fl, leafKind(in.w), regs[in.a], regs[in.b])
	case opFCast:
		// imm: op<<32 | from<<24 | to<<16 | fromBits<<8 | toBits
		regs[in.d] = evalFCast(ir.Op(in.imm>>32), in.fl, leafKind(in.imm>>24&0xff), leafKind(in.imm>>16&0xff),
			uint32(in.imm>>8&0xff), uint32(in.imm&0xff), regs[in.a])
	case opFreeze:
		for i := range uint32(in.imm) {
			r := regs[in.a+i]
			if r.poison() {
				r = reg{}
			} else if r.u != 0 {
				r = reg{v: r.v &^ r.u}
			}
			regs[in.d+i] = r
		}
	case opNoundef:
		return vm.noundef(regs[in.a], "value")
	default:
		return unsupported("operation %d", in.op)
	}
	return nil
}

var fbinOps = [...]ir.Op{ir.OpFAdd, ir.OpFSub, ir.OpFMul, ir.OpFDiv}

// bin is evalBin with the leniency of the options.
func (vm *Interp) bin(op ir.Op, fl uint8, w uint32, a, b reg) (reg, error) {
	if b.u != 0 && vm.o.Lenient.UndefBranch && !b.poison() && op >= ir.OpUDiv && op <= ir.OpSRem {
		b.u = 0
	}
	return evalBin(op, fl, w, a, b)
}

func (vm *Interp) noundef(r reg, what string) error {
	if r.u == 0 {
		return nil
	}
	if r.poison() {
		return ub("poison where noundef", "%s", what)
	}
	if vm.o.Lenient.NoUndef {
		return nil
	}
	return ub("undef where noundef", "%s", what)
}

func addPtr(p reg, off uint64) reg {
	if p.u == 0 {
		p.v += off
	}
	return p
}

// gep adds an offset to a pointer; inbounds asks that both ends lie in the object.
func (vm *Interp) gep(p reg, off uint64, fl uint8) reg {
	if p.u != 0 {
		return p
	}
	v := (p.v + off) & vm.ptrMask
	if fl&fNUW != 0 && v < p.v {
		return poisonReg
	}
	r := reg{v: v, p: p.p}
	if fl&fInBounds == 0 || off == 0 || vm.o.Lenient.InBounds {
		return r
	}
	if p.p == 0 {
		if p.v < 4096 {
			return poisonReg // null plus something
		}
		return r // any object may be meant
	}
	i, ok := vm.object(p)
	if !ok {
		return r // a dead object's bounds are not known any more
	}
	if o := &vm.objs[i]; v-o.base > o.size || p.v-o.base > o.size {
		return poisonReg
	}
	return r
}
