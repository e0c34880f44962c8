package interp

import (
	"math"

	"github.com/mirin-go/mirin/ir"
)

// run executes frames until there are only depth of them. The result of the
// last one is left in its return registers, described by its frame's pc.
//
// The inner loop does what needs no call: it holds its state in four values,
// none of which lives across a call, so that they stay in machine registers.
// What is not the simple case goes to step with everything written back, and starts afresh.
//
// Bytes are put together and taken apart in place, because in a function of
// this size the compiler leaves calls of encoding/binary what they are.
func (vm *Interp) run(depth int) error {
	for {
		f := &vm.frames[len(vm.frames)-1]
		insts := f.c.insts
		regs := (*[frameRegs]reg)(vm.stack[f.fp:])
		pc := f.pc
		var ea, prov uint64 // of a memory access
		for {
			in := &insts[pc]
			pc++
			switch in.op {
			case opMov, opZExt:
				regs[in.d] = regs[in.a]
				continue
			case opAdd:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set((a.v + b.v) << (in.w & 63) >> (in.w & 63))
				continue
			case opSub:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set((a.v - b.v) << (in.w & 63) >> (in.w & 63))
				continue
			case opMul:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set((a.v * b.v) << (in.w & 63) >> (in.w & 63))
				continue
			case opAnd:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v & b.v)
				continue
			case opOr:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v | b.v)
				continue
			case opXor:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v ^ b.v)
				continue
			case opShl:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
					goto slow
				}
				regs[in.d].set(a.v << (b.v & 63) << (in.w & 63) >> (in.w & 63))
				continue
			case opLShr:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
					goto slow
				}
				regs[in.d].set(a.v >> (b.v & 63))
				continue
			case opAShr:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || b.v >= 64-uint64(in.w) {
					goto slow
				}
				regs[in.d].set(uint64(int64(a.v<<(in.w&63))>>(b.v&63)) >> (in.w & 63))
				continue
			case opUDiv:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || b.v == 0 {
					goto slow
				}
				regs[in.d].set(a.v / b.v)
				continue
			case opURem:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || b.v == 0 {
					goto slow
				}
				regs[in.d].set(a.v % b.v)
				continue
			case opSDiv:
				a, b := &regs[in.a], &regs[in.b]
				y := int64(b.v<<(in.w&63)) >> (in.w & 63)
				if a.u|b.u != 0 || y == 0 || y == -1 {
					goto slow
				}
				regs[in.d].set(uint64((int64(a.v<<(in.w&63))>>(in.w&63))/y) << (in.w & 63) >> (in.w & 63))
				continue
			case opSRem:
				a, b := &regs[in.a], &regs[in.b]
				y := int64(b.v<<(in.w&63)) >> (in.w & 63)
				if a.u|b.u != 0 || y == 0 || y == -1 {
					goto slow
				}
				regs[in.d].set(uint64((int64(a.v<<(in.w&63))>>(in.w&63))%y) << (in.w & 63) >> (in.w & 63))
				continue
			case opAddF:
				a, b := &regs[in.a], &regs[in.b]
				x, y := a.v<<(in.w&63), b.v<<(in.w&63)
				s := x + y
				if a.u|b.u != 0 || in.fl&fNSW != 0 && int64((x^s)&(y^s)) < 0 || in.fl&fNUW != 0 && s < x {
					goto slow
				}
				regs[in.d].set(s >> (in.w & 63))
				continue
			case opSubF:
				a, b := &regs[in.a], &regs[in.b]
				x, y := a.v<<(in.w&63), b.v<<(in.w&63)
				s := x - y
				if a.u|b.u != 0 || in.fl&fNSW != 0 && int64((x^y)&(x^s)) < 0 || in.fl&fNUW != 0 && x < y {
					goto slow
				}
				regs[in.d].set(s >> (in.w & 63))
				continue
			case opMulF:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || in.fl&fNUW != 0 && a.v|b.v >= 1<<15 {
					goto slow
				}
				// Factors of 32 bits do not overflow 64.
				x, y := int64(a.v<<(in.w&63))>>(in.w&63), int64(b.v<<(in.w&63))>>(in.w&63)
				p := x * y
				if int64(int32(x)) != x || int64(int32(y)) != y || p<<(in.w&63)>>(in.w&63) != p {
					goto slow
				}
				regs[in.d].set(uint64(p) << (in.w & 63) >> (in.w & 63))
				continue
			case opAddI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set((a.v + in.imm) << (in.w & 63) >> (in.w & 63))
				continue
			case opMulI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set((a.v * in.imm) << (in.w & 63) >> (in.w & 63))
				continue
			case opAndI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v & in.imm)
				continue
			case opShlI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v << (in.imm & 63) << (in.w & 63) >> (in.w & 63))
				continue
			case opLShrI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v >> (in.imm & 63))
				continue
			case opAShrI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(uint64(int64(a.v<<(in.w&63))>>(in.imm&63)) >> (in.w & 63))
				continue
			case opAddFI:
				a := &regs[in.a]
				x, y := a.v<<(in.w&63), in.imm<<(in.w&63)
				s := x + y
				if a.u != 0 || in.fl&fNSW != 0 && int64((x^s)&(y^s)) < 0 || in.fl&fNUW != 0 && s < x {
					goto slow
				}
				regs[in.d].set(s >> (in.w & 63))
				continue
			case opICmpEQ:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(a.v == b.v))
				continue
			case opICmpNE:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(a.v != b.v))
				continue
			case opICmpULT:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(a.v < b.v))
				continue
			case opICmpULE:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(a.v <= b.v))
				continue
			case opICmpSLT:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(int64(a.v<<(in.w&63)) < int64(b.v<<(in.w&63))))
				continue
			case opICmpSLE:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				regs[in.d].set(b2u(int64(a.v<<(in.w&63)) <= int64(b.v<<(in.w&63))))
				continue
			case opICmpF: // samesign
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 || int64((a.v^b.v)<<(in.w&63)) < 0 {
					goto slow
				}
				var t bool
				switch ir.Pred(in.imm) {
				case ir.ICmpULT, ir.ICmpSLT:
					t = a.v < b.v
				case ir.ICmpULE, ir.ICmpSLE:
					t = a.v <= b.v
				case ir.ICmpUGT, ir.ICmpSGT:
					t = a.v > b.v
				case ir.ICmpUGE, ir.ICmpSGE:
					t = a.v >= b.v
				default:
					goto slow
				}
				regs[in.d].set(b2u(t))
				continue
			case opBrEQ:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				pc = int(uint32(in.imm))
				if a.v == b.v {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.imm >> 32); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrULT:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				pc = int(uint32(in.imm))
				if a.v < b.v {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.imm >> 32); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrSLT:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				pc = int(uint32(in.imm))
				if int64(a.v<<(in.w&63)) < int64(b.v<<(in.w&63)) {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.imm >> 32); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrEQI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.d) | uint32(in.c)<<16)
				if a.v == in.imm {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.b); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrULTI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.d) | uint32(in.c)<<16)
				if a.v < in.imm {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.b); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrUGTI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.d) | uint32(in.c)<<16)
				if a.v > in.imm {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.b); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrSLTI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.d) | uint32(in.c)<<16)
				if int64(a.v<<(in.w&63)) < int64(in.imm) {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.b); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opBrSGTI:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.d) | uint32(in.c)<<16)
				if int64(a.v<<(in.w&63)) > int64(in.imm) {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.b); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opSelect:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				k := in.c
				if a.v != 0 {
					k = in.b
				}
				regs[in.d] = regs[k]
				continue
			case opTrunc:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(a.v << (in.w & 63) >> (in.w & 63))
				continue
			case opSExt:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(uint64(int64(a.v<<(in.w&63))>>(in.w&63)) << (in.fl & 63) >> (in.fl & 63))
				continue
			case opLoad8:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto load8
			case opLoad8X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto load8
			case opLoad16:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto load16
			case opLoad16X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto load16
			case opLoad32:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto load32
			case opLoad32X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto load32
			case opLoad64:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto load64
			case opLoad64X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto load64
			case opLoadPtr:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto loadPtr
			case opLoadPtrX:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto loadPtr
			case opStore8:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto store8
			case opStore8X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto store8
			case opStore16:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto store16
			case opStore16X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto store16
			case opStore32:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto store32
			case opStore32X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto store32
			case opStore64:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto store64
			case opStore64X:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto store64
			case opStorePtr:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm, a.p
				goto storePtr
			case opStorePtrX:
				a, b := &regs[in.a], &regs[in.c]
				if a.u|b.u != 0 {
					goto slow
				}
				ea, prov = a.v+in.imm+uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k), a.p
				goto storePtr
			case opGEPc:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				v := a.v + in.imm
				if in.fl&fInBounds != 0 {
					o := &vm.objs[uint32(a.p)]
					if v-o.base > o.size || a.v-o.base > o.size {
						goto slow
					}
				}
				d := &regs[in.d]
				d.v, d.p, d.u = v&vm.ptrMask, a.p, 0
				continue
			case opGEP1:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				v := a.v + in.imm + uint64(int64(b.v<<(in.w&63))>>(in.w&63))*uint64(in.k)
				if in.fl&fInBounds != 0 {
					o := &vm.objs[uint32(a.p)]
					if v-o.base > o.size || a.v-o.base > o.size {
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
				regs[in.d].set(math.Float64bits(x))
				continue
			case opFSub64:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float64frombits(a.v) - math.Float64frombits(b.v)
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(math.Float64bits(x))
				continue
			case opFMul64:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float64frombits(a.v) * math.Float64frombits(b.v)
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(math.Float64bits(x))
				continue
			case opFDiv64:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float64frombits(a.v) / math.Float64frombits(b.v)
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(math.Float64bits(x))
				continue
			case opFAdd32:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float32frombits(uint32(a.v)) + math.Float32frombits(uint32(b.v))
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(x)))
				continue
			case opFSub32:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float32frombits(uint32(a.v)) - math.Float32frombits(uint32(b.v))
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(x)))
				continue
			case opFMul32:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float32frombits(uint32(a.v)) * math.Float32frombits(uint32(b.v))
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(x)))
				continue
			case opFDiv32:
				a, b := &regs[in.a], &regs[in.b]
				x := math.Float32frombits(uint32(a.v)) / math.Float32frombits(uint32(b.v))
				if a.u|b.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(x)))
				continue
			case opFMulAdd64:
				a, b, c := &regs[in.a], &regs[in.b], &regs[in.c]
				x := float64(math.Float64frombits(a.v)*math.Float64frombits(b.v)) + math.Float64frombits(c.v)
				if a.u|b.u|c.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(math.Float64bits(x))
				continue
			case opFMulAdd32:
				a, b, c := &regs[in.a], &regs[in.b], &regs[in.c]
				x := float32(math.Float32frombits(uint32(a.v))*math.Float32frombits(uint32(b.v))) + math.Float32frombits(uint32(c.v))
				if a.u|b.u|c.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(x)))
				continue
			case opFCmp64, opFCmp32, opBrF64:
				a, b := &regs[in.a], &regs[in.b]
				if a.u|b.u != 0 {
					goto slow
				}
				x, y := math.Float64frombits(a.v), math.Float64frombits(b.v)
				if in.op == opFCmp32 {
					x, y = float64(math.Float32frombits(uint32(a.v))), float64(math.Float32frombits(uint32(b.v)))
				}
				var t bool
				switch ir.Pred(in.w) {
				case ir.FCmpOEQ:
					t = x == y
				case ir.FCmpUNE:
					t = x != y
				case ir.FCmpOLT:
					t = x < y
				case ir.FCmpOLE:
					t = x <= y
				case ir.FCmpOGT:
					t = x > y
				case ir.FCmpOGE:
					t = x >= y
				case ir.FCmpUGE:
					t = !(x < y)
				case ir.FCmpUGT:
					t = !(x <= y)
				case ir.FCmpULE:
					t = !(x > y)
				case ir.FCmpULT:
					t = !(x >= y)
				default:
					goto slow
				}
				if in.op != opBrF64 {
					regs[in.d].set(b2u(t))
					continue
				}
				pc = int(uint32(in.imm))
				if t {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.imm >> 32); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opSIToFP64:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				regs[in.d].set(math.Float64bits(float64(int64(a.v<<(in.w&63)) >> (in.w & 63))))
				continue
			case opFPToSI64:
				a := &regs[in.a]
				x := math.Float64frombits(a.v)
				if a.u != 0 || !(x > -2147483648 && x < 2147483648) || in.w > 32 {
					goto slow
				}
				regs[in.d].set(uint64(int64(x)) << (in.w & 63) >> (in.w & 63))
				continue
			case opFPExt:
				a := &regs[in.a]
				x := math.Float32frombits(uint32(a.v))
				if a.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(math.Float64bits(float64(x)))
				continue
			case opFPTrunc:
				a := &regs[in.a]
				x := math.Float64frombits(a.v)
				if a.u != 0 || x != x {
					goto slow
				}
				regs[in.d].set(uint64(math.Float32bits(float32(x))))
				continue
			case opFNeg:
				a := &regs[in.a]
				if a.u != 0 || in.fl != 0 {
					goto slow
				}
				regs[in.d].set(a.v ^ in.imm)
				continue
			case opNoundef:
				if regs[in.a].u != 0 {
					goto slow
				}
				continue
			case opJmp:
				pc = int(in.k)
				if vm.fuel -= int64(in.imm); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opCondBr:
				a := &regs[in.a]
				if a.u != 0 {
					goto slow
				}
				pc = int(uint32(in.imm))
				if a.v != 0 {
					pc = int(in.k)
				}
				if vm.fuel -= int64(in.imm >> 32); vm.fuel < 0 {
					goto noFuel
				}
				continue
			case opSwitch:
				a := &regs[in.a]
				if a.u != 0 || in.k == 0 {
					goto slow
				}
				sw := &vm.sws[in.imm]
				pc = int(sw.def)
				if k := a.v - sw.lo; k < uint64(len(sw.dense)) {
					pc = int(sw.dense[k])
				}
				if vm.fuel -= sw.fuel; vm.fuel < 0 {
					goto noFuel
				}
				continue
			}
			goto slow
		load8:
			{
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if o.gen != uint32(prov>>32) || off >= uint64(len(m)) || ea&uint64(in.fl) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 1 {
					goto slow
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 1 || s[0] != 0 {
						goto slow
					}
				}
				regs[in.d].set(uint64(m[0]))
				continue
			}
		load16:
			{
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if o.gen != uint32(prov>>32) || off >= uint64(len(m)) || ea&uint64(in.fl) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 2 {
					goto slow
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 2 || uint16(s[0])|uint16(s[1])<<8 != 0 {
						goto slow
					}
				}
				regs[in.d].set(uint64(uint16(m[0]) | uint16(m[1])<<8))
				continue
			}
		load32:
			{
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if o.gen != uint32(prov>>32) || off >= uint64(len(m)) || ea&uint64(in.fl) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 4 {
					goto slow
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 4 || uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24 != 0 {
						goto slow
					}
				}
				regs[in.d].set(uint64(uint32(m[0]) | uint32(m[1])<<8 | uint32(m[2])<<16 | uint32(m[3])<<24))
				continue
			}
		load64:
			{
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if o.gen != uint32(prov>>32) || off >= uint64(len(m)) || ea&uint64(in.fl) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 8 {
					goto slow
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 8 || uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56 != 0 {
						goto slow
					}
				}
				regs[in.d].set(uint64(m[0]) | uint64(m[1])<<8 | uint64(m[2])<<16 | uint64(m[3])<<24 | uint64(m[4])<<32 | uint64(m[5])<<40 | uint64(m[6])<<48 | uint64(m[7])<<56)
				continue
			}
		loadPtr:
			{
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if o.gen != uint32(prov>>32) || off >= uint64(len(m)) || ea&uint64(in.fl|7) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 8 {
					goto slow
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 8 || uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56 != 0 {
						goto slow
					}
				}
				p := uint64(0)
				if w := off >> 3; w < uint64(len(o.prv)) {
					p = o.prv[w]
				}
				d := &regs[in.d]
				d.v, d.u, d.p = uint64(m[0])|uint64(m[1])<<8|uint64(m[2])<<16|uint64(m[3])<<24|uint64(m[4])<<32|uint64(m[5])<<40|uint64(m[6])<<48|uint64(m[7])<<56, 0, p
				continue
			}
		store8:
			{
				b := &regs[in.b]
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if b.u != 0 || o.gen != uint32(prov>>32) || o.ro || o.dead || off >= uint64(len(m)) || ea&uint64(in.fl) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 1 {
					goto slow
				}
				if w := off >> (vm.prvShift & 7); w < uint64(len(o.prv)) {
					o.prv[w] = 0
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 1 {
						goto slow
					}
					s[0] = 0
				}
				m[0] = byte(b.v)
				continue
			}
		store16:
			{
				b := &regs[in.b]
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if b.u != 0 || o.gen != uint32(prov>>32) || o.ro || o.dead || off >= uint64(len(m)) || ea&uint64(in.fl|1) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 2 {
					goto slow
				}
				if w := off >> (vm.prvShift & 7); w < uint64(len(o.prv)) {
					o.prv[w] = 0
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 2 {
						goto slow
					}
					s[0] = 0
					s[1] = 0
				}
				m[0] = byte(b.v)
				m[1] = byte(b.v >> 8)
				continue
			}
		store32:
			{
				b := &regs[in.b]
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if b.u != 0 || o.gen != uint32(prov>>32) || o.ro || o.dead || off >= uint64(len(m)) || ea&uint64(in.fl|3) != 0 {
					goto slow
				}
				m = m[off:]
				if len(m) < 4 {
					goto slow
				}
				if w := off >> (vm.prvShift & 7); w < uint64(len(o.prv)) {
					o.prv[w] = 0
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 4 {
						goto slow
					}
					s[0] = 0
					s[1] = 0
					s[2] = 0
					s[3] = 0
				}
				m[0] = byte(b.v)
				m[1] = byte(b.v >> 8)
				m[2] = byte(b.v >> 16)
				m[3] = byte(b.v >> 24)
				continue
			}
		store64:
			{
				b := &regs[in.b]
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if b.u != 0 || o.gen != uint32(prov>>32) || o.ro || o.dead || off >= uint64(len(m)) || ea&uint64(in.fl|7) != 0 || vm.prvShift != 3 {
					goto slow
				}
				m = m[off:]
				if len(m) < 8 {
					goto slow
				}
				if w := off >> 3; w < uint64(len(o.prv)) {
					o.prv[w] = 0
				}
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 8 {
						goto slow
					}
					s[0] = 0
					s[1] = 0
					s[2] = 0
					s[3] = 0
					s[4] = 0
					s[5] = 0
					s[6] = 0
					s[7] = 0
				}
				m[0] = byte(b.v)
				m[1] = byte(b.v >> 8)
				m[2] = byte(b.v >> 16)
				m[3] = byte(b.v >> 24)
				m[4] = byte(b.v >> 32)
				m[5] = byte(b.v >> 40)
				m[6] = byte(b.v >> 48)
				m[7] = byte(b.v >> 56)
				continue
			}
		storePtr:
			{
				b := &regs[in.b]
				o := &vm.objs[uint32(prov)]
				off := ea - o.base
				m := o.data
				if b.u != 0 || o.gen != uint32(prov>>32) || o.ro || o.dead || off >= uint64(len(m)) || ea&uint64(in.fl|7) != 0 || vm.prvShift != 3 {
					goto slow
				}
				m = m[off:]
				if len(m) < 8 {
					goto slow
				}
				w := off >> 3
				if w >= uint64(len(o.prv)) {
					goto slow
				}
				o.prv[w] = b.p
				if s := o.sh; s != nil {
					if off >= uint64(len(s)) {
						goto slow
					}
					if s = s[off:]; len(s) < 8 {
						goto slow
					}
					s[0] = 0
					s[1] = 0
					s[2] = 0
					s[3] = 0
					s[4] = 0
					s[5] = 0
					s[6] = 0
					s[7] = 0
				}
				m[0] = byte(b.v)
				m[1] = byte(b.v >> 8)
				m[2] = byte(b.v >> 16)
				m[3] = byte(b.v >> 24)
				m[4] = byte(b.v >> 32)
				m[5] = byte(b.v >> 40)
				m[6] = byte(b.v >> 48)
				m[7] = byte(b.v >> 56)
				continue
			}
		noFuel:
			pc++ // the position is where the branch went
			f = &vm.frames[len(vm.frames)-1]
			f.pc = pc
			return vm.locate(&Stopped{Reason: "out of fuel"})
		slow:
			break
		}
		if done, err := vm.step(depth, pc); done || err != nil && !vm.land(err, depth) {
			return err
		}
	}
}

// set makes a register a defined number. What it says of a pointer's object stays, and means nothing.
func (r *reg) set(v uint64) { r.v, r.u = v, 0 }

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
