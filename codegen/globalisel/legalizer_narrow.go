package globalisel

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// narrow cuts the scalars of type index idx of i into parts of type t, whose
// size divides theirs.
func (h *Helper) narrow(i mir.InstrID, idx int, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	switch op {
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_ROTL, desc.G_ROTR, desc.G_FSHL, desc.G_FSHR:
		if idx == 1 {
			return h.narrowAmount(i, t)
		}
	case desc.G_CTLZ, desc.G_CTTZ, desc.G_CTPOP, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF:
		if idx == 0 {
			// The count fits.
			r := h.New(t)
			d := h.reg(i, 0)
			h.Insert(f.New(op, Def(r), Use(h.reg(i, 1))))
			h.Erase(i)
			h.BuildTo(desc.G_ZEXT, d, r)
			h.pushUsers(d)
			return true
		}
	case desc.G_SELECT:
		if idx == 1 {
			// Bit 0 counts alone.
			f.SetReg(i, 1, h.Resize(desc.G_TRUNC, t, h.reg(i, 1)))
			h.Changed(i)
			return true
		}
	case desc.G_BRCOND:
		f.SetReg(i, 0, h.Resize(desc.G_TRUNC, t, h.reg(i, 0)))
		h.Changed(i)
		return true
	}
	if idx != narrowIndex(op) {
		return h.narrowResult(i, idx, t)
	}
	switch op {
	case desc.G_ADD, desc.G_SUB:
		return h.narrowAdd(i, t)
	case desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_UADDE, desc.G_SADDE, desc.G_USUBE, desc.G_SSUBE:
		return h.narrowAddO(i, t)
	case desc.G_AND, desc.G_OR, desc.G_XOR:
		return h.narrowEach(i, t, func(x, y mir.Reg) mir.Reg { return h.Bin(op, t, x, y) })
	case desc.G_MUL:
		return h.narrowMul(i, t)
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		return h.narrowShift(i, t)
	case desc.G_CONSTANT:
		w := h.words(i)
		var parts []mir.Reg
		n := h.regType(i, 0).ScalarBits()
		for off := 0; off < n; off += t.ScalarBits() {
			parts = append(parts, h.WideConst(t, bitsAt(w, off, t.ScalarBits())))
		}
		return h.joined(i, parts)
	case desc.G_IMPLICIT_DEF:
		var parts []mir.Reg
		for range h.regType(i, 0).ScalarBits() / t.ScalarBits() {
			r := h.New(t)
			h.BuildTo(desc.G_IMPLICIT_DEF, r)
			parts = append(parts, r)
		}
		return h.joined(i, parts)
	case desc.G_FREEZE:
		parts := h.Unmerge(nil, t, h.reg(i, 1))
		for k := range parts {
			parts[k] = h.Un(desc.G_FREEZE, t, parts[k])
		}
		return h.joined(i, parts)
	case desc.G_SELECT:
		c := h.reg(i, 1)
		xs, ys := h.Unmerge(nil, t, h.reg(i, 2)), h.Unmerge(nil, t, h.reg(i, 3))
		for k := range xs {
			xs[k] = h.Select(c, xs[k], ys[k])
		}
		return h.joined(i, xs)
	case desc.G_PHI:
		return h.narrowPhi(i, t)
	case desc.G_ICMP:
		return h.narrowICmp(i, t)
	case desc.G_ZEXT, desc.G_SEXT, desc.G_ANYEXT:
		return h.narrowExt(i, t)
	case desc.G_TRUNC:
		return h.narrowTrunc(i, t)
	case desc.G_SEXT_INREG:
		return h.narrowSExtInReg(i, t)
	case desc.G_CTPOP:
		parts := h.Unmerge(nil, t, h.reg(i, 1))
		sum := h.Un(desc.G_CTPOP, t, parts[0])
		for _, p := range parts[1:] {
			sum = h.Bin(desc.G_ADD, t, sum, h.Un(desc.G_CTPOP, t, p))
		}
		h.ReplaceWith(i, 0, h.Resize(desc.G_ZEXT, h.regType(i, 0), sum))
		return true
	case desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF:
		return h.narrowCount(i, t)
	case desc.G_BSWAP, desc.G_BITREVERSE:
		parts := h.Unmerge(nil, t, h.reg(i, 1))
		out := make([]mir.Reg, len(parts))
		for k := range parts {
			out[len(parts)-1-k] = h.Un(op, t, parts[k])
		}
		return h.joined(i, out)
	case desc.G_INTTOPTR:
		v := h.Un(desc.G_TRUNC, t, h.reg(i, 1))
		f.SetReg(i, 1, v)
		h.Changed(i)
		return true
	case desc.G_PTRTOINT:
		r := h.Un(desc.G_PTRTOINT, t, h.reg(i, 1))
		h.ReplaceWith(i, 0, h.Resize(desc.G_ZEXT, h.regType(i, 0), r))
		return true
	}
	return false
}

// narrowIndex is the type index whose scalars are cut into parts: that of the
// operands where the result is another type.
func narrowIndex(op desc.Opcode) int {
	switch op {
	case desc.G_ICMP, desc.G_TRUNC, desc.G_INTTOPTR, desc.G_CTPOP, desc.G_CTLZ, desc.G_CTTZ, desc.G_CTLZ_ZERO_UNDEF, desc.G_CTTZ_ZERO_UNDEF:
		return 1
	}
	return 0
}

// narrowResult narrows booleans, which fit.
func (h *Helper) narrowResult(i mir.InstrID, idx int, t mir.LLT) bool {
	f := h.F
	n := 0
	switch f.Instr(i).Opcode {
	case desc.G_ICMP, desc.G_FCMP, desc.G_IS_FPCLASS:
		if idx != 0 {
			return false
		}
	case desc.G_UADDO, desc.G_SADDO, desc.G_USUBO, desc.G_SSUBO, desc.G_UMULO, desc.G_SMULO:
		if n = 1; idx != 1 {
			return false
		}
	default:
		return false
	}
	d, r := h.reg(i, n), h.New(t)
	f.SetReg(i, n, r)
	at := h.mb.At
	h.mb.At = h.afterPhis(i)
	h.BuildTo(desc.G_ZEXT, d, r)
	h.mb.At = at
	h.Changed(i)
	return true
}

// joined replaces i by the merge of parts, low first.
func (h *Helper) joined(i mir.InstrID, parts []mir.Reg) bool {
	f := h.F
	d := h.reg(i, 0)
	m := f.New(desc.G_MERGE_VALUES, Def(d))
	if h.Type(d).IsVector() {
		f.Instr(m).Opcode = desc.G_BUILD_VECTOR
		if h.Type(parts[0]).IsVector() {
			f.Instr(m).Opcode = desc.G_CONCAT_VECTORS
		}
	}
	for _, p := range parts {
		f.AddOp(m, Use(p))
	}
	if h.F.IsPHI(i) {
		h.mb.At = h.afterPhis(i)
	}
	h.Insert(m)
	h.Erase(i)
	h.pushUsers(d)
	return true
}

// narrowEach does a binary operation part by part.
func (h *Helper) narrowEach(i mir.InstrID, t mir.LLT, do func(x, y mir.Reg) mir.Reg) bool {
	xs, ys := h.Unmerge(nil, t, h.reg(i, 1)), h.Unmerge(nil, t, h.reg(i, 2))
	for k := range xs {
		xs[k] = do(xs[k], ys[k])
	}
	return h.joined(i, xs)
}

// carry builds an operation with carry out, and carry in unless c is 0.
func (h *Helper) carry(op desc.Opcode, x, y, c mir.Reg) (sum, out mir.Reg) {
	f := h.F
	sum, out = h.New(h.Type(x)), h.New(h.Rules.Bool)
	i := f.New(op, Def(sum), Def(out), Use(x), Use(y))
	if c != 0 {
		f.AddOp(i, Use(c))
	}
	h.Insert(i)
	return sum, out
}

// narrowAdd adds or subtracts part by part with carries.
func (h *Helper) narrowAdd(i mir.InstrID, t mir.LLT) bool {
	first, next := desc.G_UADDO, desc.G_UADDE
	if h.F.Instr(i).Opcode == desc.G_SUB {
		first, next = desc.G_USUBO, desc.G_USUBE
	}
	xs, ys := h.Unmerge(nil, t, h.reg(i, 1)), h.Unmerge(nil, t, h.reg(i, 2))
	var c mir.Reg
	for k := range xs {
		if k == 0 {
			xs[k], c = h.carry(first, xs[k], ys[k], 0)
		} else {
			xs[k], c = h.carry(next, xs[k], ys[k], c)
		}
	}
	return h.joined(i, xs)
}

// narrowAddO is narrowAdd for operations that say whether they overflow.
func (h *Helper) narrowAddO(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	var first, next, last desc.Opcode
	switch op {
	case desc.G_UADDO, desc.G_UADDE:
		first, next, last = desc.G_UADDO, desc.G_UADDE, desc.G_UADDE
	case desc.G_SADDO, desc.G_SADDE:
		first, next, last = desc.G_UADDO, desc.G_UADDE, desc.G_SADDE
	case desc.G_USUBO, desc.G_USUBE:
		first, next, last = desc.G_USUBO, desc.G_USUBE, desc.G_USUBE
	default:
		first, next, last = desc.G_USUBO, desc.G_USUBE, desc.G_SSUBE
	}
	var c mir.Reg
	if f.Instr(i).NumOps() == 5 {
		c = h.reg(i, 4)
		if h.Type(c) != h.Rules.Bool {
			c = h.Resize(desc.G_ANYEXT, h.Rules.Bool, c)
		}
	}
	o := h.reg(i, 1)
	xs, ys := h.Unmerge(nil, t, h.reg(i, 2)), h.Unmerge(nil, t, h.reg(i, 3))
	for k := range xs {
		use := next
		if k == len(xs)-1 {
			use = last
		}
		if c == 0 {
			use = first
		}
		xs[k], c = h.carry(use, xs[k], ys[k], c)
	}
	d := h.reg(i, 0)
	m := f.New(desc.G_MERGE_VALUES, Def(d))
	for _, p := range xs {
		f.AddOp(m, Use(p))
	}
	h.Insert(m)
	h.Erase(i)
	h.boolTo(o, c)
	h.pushUsers(d)
	return true
}

// narrowMul multiplies column by column, as on paper.
func (h *Helper) narrowMul(i mir.InstrID, t mir.LLT) bool {
	xs, ys := h.Unmerge(nil, t, h.reg(i, 1)), h.Unmerge(nil, t, h.reg(i, 2))
	n := len(xs)
	out := make([]mir.Reg, n)
	zero := mir.Reg(0)
	// column[k] are the terms of column k.
	columns := make([][]mir.Reg, n)
	for k := range n {
		for j := 0; j <= k; j++ {
			columns[k] = append(columns[k], h.Bin(desc.G_MUL, t, xs[j], ys[k-j]))
			if k+1 < n {
				columns[k+1] = append(columns[k+1], h.Bin(desc.G_UMULH, t, xs[j], ys[k-j]))
			}
		}
		// Each addition may carry into the next column.
		sum := columns[k][0]
		for _, term := range columns[k][1:] {
			if k == n-1 {
				sum = h.Bin(desc.G_ADD, t, sum, term)
				continue
			}
			s, c := h.carry(desc.G_UADDO, sum, term, 0)
			sum = s
			columns[k+1] = append(columns[k+1], h.Resize(desc.G_ZEXT, t, c))
		}
		out[k] = sum
	}
	_ = zero
	return h.joined(i, out)
}

// narrowAmount cuts or extends the amount of a shift to type t; higher bits
// do not count, since larger amounts are poison (or wrap, in powers of two).
func (h *Helper) narrowAmount(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	n := f.Instr(i).NumOps() - 1
	if v, ok := ConstOf(f, h.reg(i, n)); ok && v >= 0 && uint64(v) <= lowMask(t.ScalarBits()) {
		f.SetReg(i, n, h.Const(t, v))
	} else {
		f.SetReg(i, n, h.Un(desc.G_TRUNC, t, h.reg(i, n)))
	}
	h.Changed(i)
	return true
}

// narrowShift shifts a number of two parts; wider ones by way of halves.
func (h *Helper) narrowShift(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	n, w := h.regType(i, 0).ScalarBits(), t.ScalarBits()
	// The amount may be in parts already.
	if v, ok := h.constant(h.reg(i, 2), 0); ok {
		if v >= uint64(n) {
			// Poison.
			d := h.reg(i, 0)
			h.BuildTo(desc.G_IMPLICIT_DEF, d)
			h.Erase(i)
			h.pushUsers(d)
			return true
		}
		return h.shiftByConst(i, t, int(v))
	}
	if n != 2*w {
		if n%2 != 0 || n/2%w != 0 {
			// Three parts: through the next power of two.
			return h.widen(i, 0, mir.Scalar(nextPow2(n)))
		}
		t, w = mir.Scalar(n/2), n/2
	}
	// Amounts as wide as fits the shifts of parts: s32 holds every amount.
	at := mir.Scalar(32)
	amt := h.Resize(desc.G_ZEXT, at, h.reg(i, 2))
	parts := h.Unmerge(nil, t, h.reg(i, 1))
	lo, hi := parts[0], parts[1]
	width := h.Const(at, int64(w))
	short := h.icmp(ir.ICmpULT, amt, width)        // less than a part
	none := h.icmp(ir.ICmpEQ, amt, h.Const(at, 0)) // nothing
	left := h.Bin(desc.G_SUB, at, width, amt)      // what comes over from the other part
	over := h.Bin(desc.G_SUB, at, amt, width)
	var outLo, outHi mir.Reg
	if op == desc.G_SHL {
		sLo := h.Bin(desc.G_SHL, t, lo, amt)
		sHi := h.Bin(desc.G_OR, t, h.Bin(desc.G_SHL, t, hi, amt), h.Bin(desc.G_LSHR, t, lo, left))
		outLo = h.Select(short, sLo, h.Const(t, 0))
		outHi = h.Select(none, hi, h.Select(short, sHi, h.Bin(desc.G_SHL, t, lo, over)))
	} else {
		sHi := h.Bin(op, t, hi, amt)
		sLo := h.Bin(desc.G_OR, t, h.Bin(desc.G_LSHR, t, lo, amt), h.Bin(desc.G_SHL, t, hi, left))
		fill := h.Const(t, 0)
		if op == desc.G_ASHR {
			fill = h.Bin(desc.G_ASHR, t, hi, h.Const(at, int64(w-1)))
		}
		outHi = h.Select(short, sHi, fill)
		outLo = h.Select(none, lo, h.Select(short, sLo, h.Bin(op, t, hi, over)))
	}
	return h.joined(i, []mir.Reg{outLo, outHi})
}

// shiftByConst shifts by v bits.
func (h *Helper) shiftByConst(i mir.InstrID, t mir.LLT, v int) bool {
	op := h.F.Instr(i).Opcode
	w := t.ScalarBits()
	xs := h.Unmerge(nil, t, h.reg(i, 1))
	n := len(xs)
	out := make([]mir.Reg, n)
	fill := mir.Reg(0)
	fillOf := func() mir.Reg {
		if fill == 0 {
			if op == desc.G_ASHR {
				fill = h.Bin(desc.G_ASHR, t, xs[n-1], h.Const(t, int64(w-1)))
			} else {
				fill = h.Const(t, 0)
			}
		}
		return fill
	}
	part := func(k int) mir.Reg {
		if k < 0 || k >= n {
			return fillOf()
		}
		return xs[k]
	}
	q, r := v/w, v%w
	for k := range out {
		var src, next mir.Reg
		if op == desc.G_SHL {
			src, next = part(k-q), part(k-q-1)
			if r == 0 || k < q {
				out[k] = src
				continue
			}
			out[k] = h.Bin(desc.G_SHL, t, src, h.Const(t, int64(r)))
			if k-q-1 >= 0 {
				out[k] = h.Bin(desc.G_OR, t, out[k], h.Bin(desc.G_LSHR, t, next, h.Const(t, int64(w-r))))
			}
			continue
		}
		src = part(k + q)
		if r == 0 || k+q >= n {
			out[k] = src
			continue
		}
		if k+q == n-1 {
			out[k] = h.Bin(op, t, src, h.Const(t, int64(r)))
			continue
		}
		next = part(k + q + 1)
		lo := h.Bin(desc.G_LSHR, t, src, h.Const(t, int64(r)))
		out[k] = h.Bin(desc.G_OR, t, lo, h.Bin(desc.G_SHL, t, next, h.Const(t, int64(w-r))))
	}
	return h.joined(i, out)
}

// narrowPhi makes a PHI for each part.
func (h *Helper) narrowPhi(i mir.InstrID, t mir.LLT) bool {
	return h.splitPhi(i, t, h.regType(i, 0).Bits()/t.Bits())
}

// splitPhi replaces a PHI by n PHIs of type t.
func (h *Helper) splitPhi(i mir.InstrID, t mir.LLT, n int) bool {
	f := h.F
	phis, parts := make([]mir.InstrID, n), make([]mir.Reg, n)
	for k := range n {
		parts[k] = h.New(t)
		phis[k] = f.New(desc.G_PHI, Def(parts[k]))
	}
	for m := 1; m < f.Instr(i).NumOps(); m += 2 {
		b := f.Op(i, m+1).Block()
		h.atEnd(b, f.Instr(i).Block())
		in := h.Unmerge(nil, t, h.reg(i, m))
		for k := range n {
			f.AddOp(phis[k], Use(in[k]))
			f.AddOp(phis[k], mir.BlockOp(b))
		}
	}
	h.mb.SetBefore(i)
	for k := range n {
		h.Insert(phis[k])
	}
	return h.joined(i, parts)
}

// narrowICmp compares parts: for equality all differences together, without sign
// by subtracting with borrow through all parts, with it part by part.
func (h *Helper) narrowICmp(i mir.InstrID, t mir.LLT) bool {
	p := h.predOf(i)
	x, y := h.reg(i, 2), h.reg(i, 3)
	d := h.reg(i, 0)
	var res mir.Reg
	switch p {
	case ir.ICmpEQ, ir.ICmpNE:
		xs, ys := h.Unmerge(nil, t, x), h.Unmerge(nil, t, y)
		var acc mir.Reg
		for k := range xs {
			diff := h.Bin(desc.G_XOR, t, xs[k], ys[k])
			if acc == 0 {
				acc = diff
			} else {
				acc = h.Bin(desc.G_OR, t, acc, diff)
			}
		}
		res = h.icmp(p, acc, h.Const(t, 0))
	default:
		// x < y and x >= y as they stand; the others with operands exchanged.
		switch p {
		case ir.ICmpUGT, ir.ICmpSGT, ir.ICmpULE, ir.ICmpSLE:
			x, y = y, x
			p = map[ir.Pred]ir.Pred{ir.ICmpUGT: ir.ICmpULT, ir.ICmpSGT: ir.ICmpSLT, ir.ICmpULE: ir.ICmpUGE, ir.ICmpSLE: ir.ICmpSGE}[p]
		}
		xs, ys := h.Unmerge(nil, t, x), h.Unmerge(nil, t, y)
		switch p {
		case ir.ICmpULT, ir.ICmpUGE:
			// What x - y borrows.
			_, c := h.carry(desc.G_USUBO, xs[0], ys[0], 0)
			for k := 1; k < len(xs); k++ {
				_, c = h.carry(desc.G_USUBE, xs[k], ys[k], c)
			}
			if res = c; p == ir.ICmpUGE {
				res = h.Bin(desc.G_XOR, h.Type(c), c, h.Const(h.Type(c), 1))
			}
		default:
			res = h.compareWide(p, xs, ys)
		}
	}
	h.Erase(i)
	h.boolTo(d, res)
	return true
}

// compareWide compares part by part from the low end: the result so far
// counts where the higher parts are equal.
func (h *Helper) compareWide(p ir.Pred, xs, ys []mir.Reg) mir.Reg {
	unsigned := p
	switch p {
	case ir.ICmpSLT:
		unsigned = ir.ICmpULT
	case ir.ICmpSGE:
		unsigned = ir.ICmpUGE
	}
	res := h.icmp(unsigned, xs[0], ys[0])
	for k := 1; k < len(xs); k++ {
		use := unsigned
		if k == len(xs)-1 {
			use = p
		}
		here := h.icmp(use, xs[k], ys[k])
		same := h.icmp(ir.ICmpEQ, xs[k], ys[k])
		res = h.Select(same, res, here)
	}
	return res
}

// narrowExt makes the parts of a wide extension.
func (h *Helper) narrowExt(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	op, src := f.Instr(i).Opcode, h.reg(i, 1)
	n, sn, w := h.regType(i, 0).ScalarBits(), h.Type(src).ScalarBits(), t.ScalarBits()
	var parts []mir.Reg
	switch {
	case sn <= w:
		parts = append(parts, h.Resize(op, t, src))
	case sn%w == 0:
		parts = h.Unmerge(parts, t, src)
	default:
		// The operand is widened to whole parts first.
		up := mir.Scalar((sn + w - 1) / w * w)
		if up.ScalarBits() == n {
			return h.widenExt(i, 1, up)
		}
		f.SetReg(i, 1, h.Resize(op, up, src))
		h.Changed(i)
		return true
	}
	var fill mir.Reg
	for len(parts) < n/w {
		if fill == 0 {
			switch op {
			case desc.G_ZEXT:
				fill = h.Const(t, 0)
			case desc.G_SEXT:
				fill = h.Bin(desc.G_ASHR, t, parts[len(parts)-1], h.Const(t, int64(w-1)))
			default:
				fill = h.New(t)
				h.BuildTo(desc.G_IMPLICIT_DEF, fill)
			}
		}
		parts = append(parts, fill)
	}
	return h.joined(i, parts)
}

// narrowTrunc cuts a wide value to its low part, or to fewer parts.
func (h *Helper) narrowTrunc(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	n := h.regType(i, 0).ScalarBits()
	src := h.reg(i, 1)
	sn, w := h.Type(src).ScalarBits(), t.ScalarBits()
	if sn%w != 0 {
		f.SetReg(i, 1, h.Resize(desc.G_ANYEXT, mir.Scalar((sn+w-1)/w*w), src))
		h.Changed(i)
		return true
	}
	parts := h.Unmerge(nil, t, src)
	if n <= w {
		if n == w {
			h.ReplaceWith(i, 0, parts[0])
			return true
		}
		f.SetReg(i, 1, parts[0])
		h.Changed(i)
		return true
	}
	keep := (n + w - 1) / w
	if n%w == 0 {
		return h.joined(i, parts[:keep])
	}
	wide := h.New(mir.Scalar(keep * w))
	m := f.New(desc.G_MERGE_VALUES, Def(wide))
	for _, p := range parts[:keep] {
		f.AddOp(m, Use(p))
	}
	h.Insert(m)
	f.SetReg(i, 1, wide)
	h.Changed(i)
	return true
}

func (h *Helper) narrowSExtInReg(i mir.InstrID, t mir.LLT) bool {
	n, w := int(h.F.Op(i, 2).Imm()), t.ScalarBits()
	parts := h.Unmerge(nil, t, h.reg(i, 1))
	k := (n - 1) / w
	if n%w != 0 {
		d := h.New(t)
		h.Insert(h.F.New(desc.G_SEXT_INREG, Def(d), Use(parts[k]), mir.ImmOp(int64(n%w))))
		parts[k] = d
	}
	if k+1 < len(parts) {
		fill := h.Bin(desc.G_ASHR, t, parts[k], h.Const(t, int64(w-1)))
		for k++; k < len(parts); k++ {
			parts[k] = fill
		}
	}
	return h.joined(i, parts)
}

// narrowCount counts leading or trailing zeros of several parts.
func (h *Helper) narrowCount(i mir.InstrID, t mir.LLT) bool {
	f := h.F
	op := f.Instr(i).Opcode
	parts := h.Unmerge(nil, t, h.reg(i, 1))
	n := len(parts)
	leading := op == desc.G_CTLZ || op == desc.G_CTLZ_ZERO_UNDEF
	undef := desc.G_CTTZ_ZERO_UNDEF
	if leading {
		undef = desc.G_CTLZ_ZERO_UNDEF
	}
	at := func(k int) mir.Reg { // in order of looking
		if leading {
			return parts[n-1-k]
		}
		return parts[k]
	}
	// From the last part looked at backwards: a part counts when it is not zero.
	res := h.Un(op, t, at(n-1))
	if n > 1 {
		res = h.Bin(desc.G_ADD, t, res, h.Const(t, int64((n-1)*t.ScalarBits())))
	}
	for k := n - 2; k >= 0; k-- {
		here := h.Un(undef, t, at(k))
		if k > 0 {
			here = h.Bin(desc.G_ADD, t, here, h.Const(t, int64(k*t.ScalarBits())))
		}
		zero := h.icmp(ir.ICmpEQ, at(k), h.Const(t, 0))
		res = h.Select(zero, res, here)
	}
	h.ReplaceWith(i, 0, h.Resize(desc.G_ZEXT, h.regType(i, 0), res))
	return true
}
