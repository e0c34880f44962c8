package globalisel_test

import (
	"bytes"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/filetest"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86"
)

// TestCombineTableIsCurrent makes zz_combine.go and zz_combine.bin anew.
func TestCombineTableIsCurrent(t *testing.T) {
	gobin, err := exec.LookPath("go")
	if err != nil || testing.Short() {
		t.Skip("needs the go command")
	}
	for _, x := range [][3]string{{"zz_combine.go", "--gen-go-combiner", "PreLegalizer"}, {"zz_combine.bin", "--gen-combiner-table", "PreLegalizer"},
		{"zz_combinepost.go", "--gen-go-combiner", "PostLegalizer"}, {"zz_combinepost.bin", "--gen-combiner-table", "PostLegalizer"},
		{"zz_combinebank.go", "--gen-go-combiner", "RegBank"}, {"zz_combinebank.bin", "--gen-combiner-table", "RegBank"}} {
		name := x[0]
		out := t.TempDir() + "/" + name
		cmd := exec.Command(gobin, "run", "./cmd/mirin", "tblgen", x[1], "--combiners", x[2], "--go-package", "globalisel", "-o", out, "codegen/globalisel/combine.td")
		cmd.Dir = testenv.Root(t)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
		want, _ := os.ReadFile(out)
		got, _ := os.ReadFile(name)
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what combine.td says: run go generate ./codegen/globalisel", name)
		}
	}
}

// poison is a value that nothing may depend on.
type value struct {
	v      uint64
	poison bool
}

func mask(n int) uint64 { return ^uint64(0) >> (64 - n) }

func signed(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }

// eval computes what a straight-line function of integer instructions leaves in
// its registers, of the values in its COPYs of physical registers; false where
// it has undefined behaviour.
func eval(f *mir.Function, in map[mir.Reg]uint64) (map[mir.Reg]value, bool) {
	vals := map[mir.Reg]value{}
	for i := f.Block(f.FirstBlock()).First(); i != 0; i = f.Instr(i).Next() {
		op := f.Instr(i).Opcode
		arg := func(n int) value { return vals[f.Op(i, n).Reg()] }
		d := f.Op(i, 0).Reg()
		if op == desc.COPY {
			switch s := f.Op(i, 1).Reg(); {
			case s.IsPhysical():
				vals[d] = value{v: in[s] & mask(f.TypeOf(d).ScalarBits())}
			default:
				vals[d] = vals[s]
			}
			continue
		}
		if !f.Desc(i).IsPreISel() {
			continue
		}
		n := f.TypeOf(d).ScalarBits()
		if op == desc.G_UDIVREM || op == desc.G_SDIVREM {
			x, y := arg(2), arg(3)
			sx, sy := signed(x.v, n), signed(y.v, n)
			switch {
			case x.poison || y.poison || y.v == 0 || op == desc.G_SDIVREM && sy == -1 && sx == -1<<(n-1):
				return nil, false
			case op == desc.G_UDIVREM:
				vals[d], vals[f.Op(i, 1).Reg()] = value{v: x.v / y.v}, value{v: x.v % y.v}
			default:
				vals[d], vals[f.Op(i, 1).Reg()] = value{v: uint64(sx/sy) & mask(n)}, value{v: uint64(sx%sy) & mask(n)}
			}
			continue
		}
		if op == desc.G_CONSTANT {
			vals[d] = value{v: f.CImms[f.Op(i, 1).Index()].Words[0] & mask(n)}
			continue
		}
		r, ok := evalOp(f, i, n, arg)
		if !ok {
			return nil, false
		}
		r.v &= mask(n)
		vals[d] = r
	}
	return vals, true
}

func evalOp(f *mir.Function, i mir.InstrID, n int, arg func(int) value) (r value, ok bool) {
	op, fl := f.Instr(i).Opcode, f.Instr(i).Flags()
	x, y := arg(1), value{}
	if op == desc.G_ICMP {
		x, y = arg(2), arg(3)
	} else if f.Instr(i).NumOps() > 2 && f.Op(i, 2).IsReg() {
		y = arg(2)
	}
	r.poison = x.poison || y.poison
	sx, sy := signed(x.v, n), signed(y.v, n)
	wraps := func(u, s bool) {
		r.poison = r.poison || fl&mir.NoUWrap != 0 && u || fl&mir.NoSWrap != 0 && s
	}
	switch op {
	case desc.G_ADD, desc.G_PTR_ADD:
		r.v = x.v + y.v
		wraps(r.v&mask(n) < x.v, signed(r.v, n) < sx != (sy < 0))
	case desc.G_SUB:
		r.v = x.v - y.v
		wraps(x.v < y.v, signed(r.v, n) > sx != (sy < 0))
	case desc.G_MUL:
		r.v = x.v * y.v
		hi, lo := bits.Mul64(x.v, y.v)
		p := new(big.Int).Mul(big.NewInt(sx), big.NewInt(sy))
		wraps(hi != 0 || lo > mask(n), !p.IsInt64() || signed(r.v, n) != p.Int64())
	case desc.G_UMULH, desc.G_SMULH:
		p := new(big.Int).Mul(new(big.Int).SetUint64(x.v), new(big.Int).SetUint64(y.v))
		if op == desc.G_SMULH {
			p.Mul(big.NewInt(sx), big.NewInt(sy))
		}
		r.v = new(big.Int).And(p.Rsh(p, uint(n)), new(big.Int).SetUint64(mask(64))).Uint64()
	case desc.G_AND:
		r.v = x.v & y.v
	case desc.G_OR:
		r.v = x.v | y.v
	case desc.G_XOR:
		r.v = x.v ^ y.v
	case desc.G_SHL, desc.G_LSHR, desc.G_ASHR:
		if y.v >= uint64(n) {
			r.poison = true
			return r, true
		}
		switch op {
		case desc.G_SHL:
			r.v = x.v << y.v
			wraps(r.v&mask(n)>>y.v != x.v, signed(r.v, n)>>y.v != sx)
		case desc.G_LSHR:
			r.v = x.v >> y.v
		default:
			r.v = uint64(sx >> y.v)
		}
		if op != desc.G_SHL && fl&mir.IsExact != 0 && x.v&(1<<y.v-1) != 0 {
			r.poison = true
		}
	case desc.G_UDIV, desc.G_UREM, desc.G_SDIV, desc.G_SREM:
		if r.poison || y.v == 0 || (op == desc.G_SDIV || op == desc.G_SREM) && sy == -1 && sx == -1<<(n-1) {
			return r, false
		}
		switch op {
		case desc.G_UDIV:
			r.v = x.v / y.v
			r.poison = fl&mir.IsExact != 0 && x.v%y.v != 0
		case desc.G_UREM:
			r.v = x.v % y.v
		case desc.G_SDIV:
			r.v = uint64(sx / sy)
			r.poison = fl&mir.IsExact != 0 && sx%sy != 0
		default:
			r.v = uint64(sx % sy)
		}
	case desc.G_ROTL, desc.G_ROTR:
		k := y.v % uint64(n)
		if op == desc.G_ROTR {
			k = (uint64(n) - k) % uint64(n)
		}
		r.v = x.v<<k | x.v>>(uint64(n)-k)
	case desc.G_FSHL:
		k := arg(3)
		r.poison = r.poison || k.poison
		if m := k.v % uint64(n); m == 0 {
			r.v = x.v
		} else {
			r.v = x.v<<m | y.v>>(uint64(n)-m)
		}
	case desc.G_SMIN:
		r.v = uint64(min(sx, sy))
	case desc.G_SMAX:
		r.v = uint64(max(sx, sy))
	case desc.G_UMIN:
		r.v = min(x.v, y.v)
	case desc.G_UMAX:
		r.v = max(x.v, y.v)
	case desc.G_SEXT_INREG:
		r.v = uint64(signed(x.v, int(f.Op(i, 2).Imm())))
	case desc.G_ZEXT, desc.G_TRUNC, desc.G_PTRTOINT, desc.G_INTTOPTR:
		r.v = x.v
		if op == desc.G_ZEXT && fl&mir.NonNeg != 0 && signed(x.v, f.TypeOf(f.Op(i, 1).Reg()).ScalarBits()) < 0 {
			r.poison = true
		}
	case desc.G_SEXT:
		r.v = uint64(signed(x.v, f.TypeOf(f.Op(i, 1).Reg()).ScalarBits()))
	case desc.G_SELECT:
		r = y
		if x.v&1 == 0 {
			r = arg(3)
		}
		r.poison = r.poison || x.poison
	case desc.G_ICMP:
		m := f.TypeOf(f.Op(i, 2).Reg()).ScalarBits()
		sx, sy = signed(x.v, m), signed(y.v, m)
		yes := map[ir.Pred]bool{ir.ICmpEQ: x.v == y.v, ir.ICmpNE: x.v != y.v, ir.ICmpUGT: x.v > y.v, ir.ICmpUGE: x.v >= y.v, ir.ICmpULT: x.v < y.v,
			ir.ICmpULE: x.v <= y.v, ir.ICmpSGT: sx > sy, ir.ICmpSGE: sx >= sy, ir.ICmpSLT: sx < sy, ir.ICmpSLE: sx <= sy}
		if yes[ir.Pred(f.Op(i, 1).Imm())] {
			r.v = 1
		}
	case desc.G_FREEZE:
		r = value{v: x.v}
	case desc.G_BSWAP, desc.G_BITREVERSE:
		for k := range n {
			if x.v>>k&1 != 0 {
				if op == desc.G_BITREVERSE {
					r.v |= 1 << (n - 1 - k)
				} else {
					r.v |= 1 << (n - 8 - k/8*8 + k%8)
				}
			}
		}
	default:
		panic(f.Facts.OpcodeName(op))
	}
	return r, true
}

// randomFunction makes a block of n random instructions that leaves some of the
// values in physical registers.
func randomFunction(f *mir.Function, rnd *rand.Rand, n int, regs []mir.Reg) {
	b := mir.Builder{F: f}
	b.SetBlock(f.AddBlock())
	g := globalisel.Wrap(&b)
	byType := map[mir.LLT][]mir.Reg{}
	ptr := mir.Pointer(0, 64)
	types := []mir.LLT{mir.Scalar(1), mir.Scalar(8), mir.Scalar(16), mir.Scalar(32), mir.Scalar(64)}
	add := func(r mir.Reg) { byType[f.TypeOf(r)] = append(byType[f.TypeOf(r)], r) }
	for _, r := range regs[:4] {
		v := g.New(types[4])
		b.Copy(v, r)
		add(v)
		for _, t := range types[:4] {
			add(g.Un(desc.G_TRUNC, t, v))
		}
	}
	p := g.New(ptr)
	b.Copy(p, regs[0])
	add(p)
	pick := func(t mir.LLT) mir.Reg {
		l := byType[t]
		// Late values are likelier, so that chains arise.
		if rnd.IntN(2) == 0 && len(l) > 3 {
			return l[len(l)-1-rnd.IntN(3)]
		}
		if t != ptr && rnd.IntN(3) == 0 {
			small := []int64{0, 1, -1, 2, 3, 7, 8, 15, 16, 31, 127, 128, 255, 256, -2, -128, int64(rnd.Uint64())}
			return g.Const(t, small[rnd.IntN(len(small))])
		}
		return l[rnd.IntN(len(l))]
	}
	shifts := []desc.Opcode{desc.G_SHL, desc.G_LSHR, desc.G_ASHR}
	small := func(t mir.LLT) mir.Reg { return g.Const(t, int64(rnd.IntN(t.ScalarBits()))) }
	// shape makes what rules of two instructions look for; randomness alone seldom does.
	shape := func(t mir.LLT) {
		x, y := pick(t), pick(t)
		op := []desc.Opcode{desc.G_ADD, desc.G_SUB, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_MUL}[rnd.IntN(6)]
		eq := []ir.Pred{ir.ICmpEQ, ir.ICmpNE, ir.ICmpSLT, ir.ICmpUGT}[rnd.IntN(4)]
		switch rnd.IntN(24) {
		case 20:
			// Bits that are computed for nothing.
			t := types[3+rnd.IntN(2)]
			v := pick(t)
			for range 1 + rnd.IntN(4) {
				k := g.Const(t, int64(rnd.Uint64())>>rnd.IntN(64))
				switch rnd.IntN(6) {
				case 0:
					v = g.Bin(op, t, v, pick(t))
				case 1:
					v = g.Bin(shifts[rnd.IntN(3)], t, v, small(t))
				case 2:
					n := small(t)
					v = g.Bin(shifts[rnd.IntN(3)], t, g.Bin(shifts[rnd.IntN(3)], t, v, n), n)
				case 3:
					v = g.Un([]desc.Opcode{desc.G_SEXT, desc.G_ZEXT}[rnd.IntN(2)], t, g.Un(desc.G_TRUNC, types[1+rnd.IntN(2)], v))
				default:
					v = g.Bin([]desc.Opcode{desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_ADD, desc.G_SUB}[rnd.IntN(5)], t, v, k)
				}
				if i := f.UniqueDef(v); f.Instr(i).Opcode == desc.G_ADD || f.Instr(i).Opcode == desc.G_SHL {
					f.Instr(i).SetFlags([]mir.MIFlags{0, mir.NoUWrap, mir.NoSWrap}[rnd.IntN(3)])
				}
			}
			switch rnd.IntN(3) {
			case 0:
				v = g.Bin(desc.G_AND, t, v, g.Const(t, []int64{0xff, 0xffff, 0xffffffff, 0xff00, 0x7fffffff}[rnd.IntN(5)]))
			case 1:
				v = g.Un(desc.G_TRUNC, types[1+rnd.IntN(2)], v)
			default:
				v = g.Bin(shifts[rnd.IntN(3)], t, v, small(t))
			}
			add(v)
			if f.TypeOf(v) == types[4] {
				add(g.Un(desc.G_TRUNC, types[3], v))
			}
		case 21:
			// Turned round, or nearly so.
			t := types[1+rnd.IntN(4)]
			k, x, y := 1+rnd.IntN(t.ScalarBits()-1), pick(t), pick(t)
			if rnd.IntN(2) == 0 {
				y = x
			}
			up, down := g.Bin(desc.G_SHL, t, x, g.Const(t, int64(k))), g.Bin(desc.G_LSHR, t, y, g.Const(t, int64(t.ScalarBits()-k)))
			if rnd.IntN(2) == 0 {
				up, down = down, up
			}
			add(g.Bin([]desc.Opcode{desc.G_OR, desc.G_ADD, desc.G_XOR}[rnd.IntN(3)], t, up, down))
		case 22, 23:
			// Sums that are extended and added.
			t := types[1+rnd.IntN(3)]
			sum := g.Bin(desc.G_ADD, t, pick(t), g.Const(t, int64(rnd.Uint64())>>rnd.IntN(64)))
			f.Instr(f.UniqueDef(sum)).SetFlags([]mir.MIFlags{mir.NoUWrap, mir.NoSWrap}[rnd.IntN(2)])
			ext := g.Un([]desc.Opcode{desc.G_SEXT, desc.G_ZEXT}[rnd.IntN(2)], types[4], sum)
			if i := f.UniqueDef(ext); f.Instr(i).Opcode == desc.G_ZEXT && rnd.IntN(2) == 0 {
				f.Instr(i).SetFlags(mir.NonNeg)
			}
			add(g.Bin(desc.G_ADD, types[4], ext, pick(types[4])))
		case 19:
			// Quotient and rest.
			ops := []desc.Opcode{desc.G_UDIV, desc.G_UREM}
			if rnd.IntN(2) == 0 {
				ops = []desc.Opcode{desc.G_SREM, desc.G_SDIV}
			}
			t := types[1+rnd.IntN(4)]
			x, y := pick(t), g.Bin(desc.G_OR, t, pick(t), g.Const(t, 1))
			for _, op := range ops {
				add(g.Bin(op, t, x, y))
			}
		case 17:
			// Products, most of them of few additions.
			k := int64(rnd.IntN(100))
			switch rnd.IntN(3) {
			case 0:
				k = 1<<rnd.IntN(40) + int64(rnd.IntN(3)) - 1
			case 1:
				k = -k
			}
			t := types[3+rnd.IntN(2)]
			add(g.Bin(desc.G_MUL, t, pick(t), g.Const(t, k)))
		case 18:
			if t != types[0] {
				y := g.Bin(desc.G_SHL, t, g.Const(t, 1), pick(t))
				if rnd.IntN(2) == 0 {
					y = g.Const(t, 1<<rnd.IntN(t.ScalarBits()))
				}
				x, z := x, y
				if rnd.IntN(2) == 0 {
					x, z = z, x
				}
				add(g.ICmp(eq, types[0], g.Bin(desc.G_AND, t, x, z), y))
			}
		case 12:
			// Down without a rest, and up again.
			k := small(t)
			down := g.Bin([]desc.Opcode{desc.G_ASHR, desc.G_LSHR}[rnd.IntN(2)], t, g.Bin(desc.G_SHL, t, x, k), k)
			f.Instr(f.UniqueDef(down)).SetFlags(mir.IsExact)
			if rnd.IntN(2) == 0 {
				k = small(t)
			}
			add(g.Bin(desc.G_SHL, t, down, k))
		case 13:
			if t != types[0] {
				k := g.Const(t, 1+int64(rnd.IntN(99)))
				d := g.Bin([]desc.Opcode{desc.G_SDIV, desc.G_UDIV}[rnd.IntN(2)], t, g.Bin(desc.G_MUL, t, x, k), k)
				f.Instr(f.UniqueDef(d)).SetFlags(mir.IsExact)
				add(d)
			}
		case 14:
			k := 1 + rnd.IntN(t.ScalarBits())
			r := g.New(t)
			b.Build(desc.G_SEXT_INREG, globalisel.Def(r), globalisel.Use(g.Bin(desc.G_AND, t, x, g.Const(t, 1<<rnd.IntN(k)-1))), mir.ImmOp(int64(k)))
			add(r)
		case 16:
			if t != types[4] {
				add(g.Un([]desc.Opcode{desc.G_SEXT, desc.G_ZEXT}[rnd.IntN(2)], types[2+rnd.IntN(3)], g.Un(desc.G_TRUNC, types[rnd.IntN(2)], g.Bin(shifts[1+rnd.IntN(2)], types[4], pick(types[4]), g.Const(types[4], 60)))))
			}
		case 15:
			if t != types[4] {
				low := g.Bin(desc.G_LSHR, t, x, g.Const(t, 1))
				add(g.ICmp(eq, types[0], g.Un(desc.G_SEXT, types[4], low), g.Un(desc.G_SEXT, types[4], y)))
			}
		case 0:
			op2 := op
			if op == desc.G_ADD || op == desc.G_SUB {
				op2 = []desc.Opcode{desc.G_ADD, desc.G_SUB}[rnd.IntN(2)]
			}
			add(g.Bin(op2, t, g.Bin(op, t, x, g.Const(t, int64(rnd.IntN(99)))), g.Const(t, int64(rnd.IntN(99)))))
		case 1:
			sh := shifts[rnd.IntN(3)]
			add(g.Bin(sh, t, g.Bin(sh, t, x, small(t)), small(t)))
		case 2:
			k := small(t)
			add(g.Bin(shifts[rnd.IntN(3)], t, g.Bin(shifts[rnd.IntN(3)], t, x, k), k))
		case 3:
			if t != types[0] {
				add(g.ICmp(eq, types[0], g.Un(desc.G_ZEXT, t, pick(types[0])), g.Const(t, int64(rnd.IntN(2)))))
			}
		case 4:
			ext := []desc.Opcode{desc.G_ZEXT, desc.G_SEXT}[rnd.IntN(2)]
			if t != types[4] {
				add(g.ICmp(eq, types[0], g.Un(ext, types[4], x), g.Un(ext, types[4], y)))
			}
		case 5:
			add(g.ICmp(eq, types[0], g.Bin(op, t, x, y), g.Const(t, int64(rnd.IntN(2)))))
		case 6:
			q := g.PtrAdd(pick(ptr), g.Const(types[4], int64(rnd.IntN(200)-100)))
			add(g.PtrAdd(q, g.Const(types[4], int64(rnd.IntN(200)-100))))
		case 7:
			ops := []desc.Opcode{desc.G_AND, desc.G_OR}
			if rnd.IntN(2) == 0 {
				ops[0], ops[1] = ops[1], ops[0]
			}
			z := g.Bin(ops[0], t, x, y)
			w := []mir.Reg{x, y}[rnd.IntN(2)]
			if rnd.IntN(2) == 0 {
				z, w = w, z
			}
			add(g.Bin(ops[1], t, z, w))
		case 8:
			add(g.Un(desc.G_INTTOPTR, ptr, g.Un(desc.G_PTRTOINT, types[4], pick(ptr))))
		case 9:
			if t == types[4] {
				v := g.Bin(desc.G_AND, t, x, g.Const(t, int64(1)<<rnd.IntN(40)-1))
				add(g.Un(desc.G_ZEXT, t, g.Un(desc.G_TRUNC, types[1+rnd.IntN(3)], v)))
			}
		case 10:
			z := g.Bin(desc.G_SUB, t, g.Const(t, 0), y)
			if rnd.IntN(2) == 0 {
				x, z = z, x
			}
			add(g.Bin([]desc.Opcode{desc.G_ADD, desc.G_SUB}[rnd.IntN(2)], t, x, z))
		default:
			add(g.Bin([]desc.Opcode{desc.G_ROTL, desc.G_ROTR}[rnd.IntN(2)], t, x, g.Const(t, 0)))
		}
	}
	bin := []desc.Opcode{desc.G_ADD, desc.G_SUB, desc.G_MUL, desc.G_AND, desc.G_OR, desc.G_XOR, desc.G_SHL, desc.G_LSHR, desc.G_ASHR, desc.G_UDIV, desc.G_UREM, desc.G_SDIV, desc.G_SREM, desc.G_SMIN, desc.G_SMAX, desc.G_UMIN, desc.G_UMAX}
	for range n {
		t := types[rnd.IntN(len(types))]
		switch k := rnd.IntN(26); {
		case k >= 20:
			shape(t)
		case k < 9:
			op := bin[rnd.IntN(len(bin))]
			r := g.Bin(op, t, pick(t), pick(t))
			i := f.UniqueDef(r)
			if op == desc.G_ADD || op == desc.G_SUB || op == desc.G_MUL || op == desc.G_SHL {
				f.Instr(i).SetFlags([]mir.MIFlags{0, mir.NoUWrap, mir.NoSWrap, mir.NoUWrap | mir.NoSWrap}[rnd.IntN(4)])
			} else if op == desc.G_UDIV || op == desc.G_LSHR {
				f.Instr(i).SetFlags([]mir.MIFlags{0, mir.IsExact}[rnd.IntN(2)])
			}
			add(r)
		case k < 13:
			u := types[rnd.IntN(len(types))]
			switch op := []desc.Opcode{desc.G_ZEXT, desc.G_SEXT}[rnd.IntN(2)]; {
			case u.ScalarBits() < t.ScalarBits():
				add(g.Un(op, t, pick(u)))
			case u.ScalarBits() > t.ScalarBits():
				add(g.Un(desc.G_TRUNC, t, pick(u)))
			default:
				r := g.New(t)
				b.Copy(r, pick(t))
				add(r)
			}
		case k < 16:
			preds := []ir.Pred{ir.ICmpEQ, ir.ICmpNE, ir.ICmpUGT, ir.ICmpUGE, ir.ICmpULT, ir.ICmpULE, ir.ICmpSGT, ir.ICmpSGE, ir.ICmpSLT, ir.ICmpSLE}
			add(g.ICmp(preds[rnd.IntN(len(preds))], types[0], pick(t), pick(t)))
		case k < 18:
			add(g.Select(pick(types[0]), pick(t), pick(t)))
		case k == 18:
			switch rnd.IntN(4) {
			case 0:
				add(g.PtrAdd(pick(ptr), pick(types[4])))
			case 1:
				add(g.Un(desc.G_PTRTOINT, t, pick(ptr)))
			default:
				add(g.Un(desc.G_INTTOPTR, ptr, pick(t)))
			}
		default:
			if t.ScalarBits() > 8 && rnd.IntN(2) == 0 {
				add(g.Un(desc.G_BSWAP, t, pick(t)))
			} else {
				add(g.Un(desc.G_BITREVERSE, t, pick(t)))
			}
		}
	}
	for k, t := range append(types[1:], types[0], ptr) {
		l := byType[t]
		b.Copy(regs[k], l[len(l)-1])
	}
}

// TestCombineMeaning: random functions compute the same after the combiner, for
// all inputs for which they computed something.
func TestCombineMeaning(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	var regs []mir.Reg
	for _, n := range []string{"rax", "rcx", "rdx", "rbx", "rsi", "rdi", "r8"} {
		r, ok := in.RegByName(n)
		if !ok {
			t.Fatal(n)
		}
		regs = append(regs, mir.Reg(r))
	}
	rounds := 3000
	if os.Getenv("MIRIN_LONG") != "" {
		rounds = 100000
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	f := mir.NewFunction("", in)
	stats := map[pass.Stat]int64{}
	// A machine that adds shifted operands.
	machine, err := target.NewMachine(&x86.Target, target.Options{Triple: "x86_64-unknown-linux-gnu"})
	if err != nil {
		t.Fatal(err)
	}
	st, err := machine.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &pass.Context{Stats: stats, Machine: machine, Subtarget: st}
	samples, defined := 0, 0
	for range rounds {
		f.Reset("f")
		randomFunction(f, rnd, 3+rnd.IntN(30), regs)
		before := mirtext.AppendFunction(nil, f, mirtext.PrintOptions{Simplify: true})
		type sample struct {
			in   map[mir.Reg]uint64
			want map[mir.Reg]value
		}
		var want []sample
		for range 12 {
			m := map[mir.Reg]uint64{}
			for _, r := range regs {
				switch rnd.IntN(4) {
				case 0:
					m[r] = uint64(rnd.IntN(4))
				case 1:
					m[r] = -uint64(rnd.IntN(300))
				case 2:
					m[r] = 1 << rnd.IntN(64)
				default:
					m[r] = rnd.Uint64()
				}
			}
			samples++
			if out, ok := eval(f, m); ok {
				want = append(want, sample{m, out})
				for r, v := range out {
					if zero, one := globalisel.KnownBits(f, r); !v.poison && (v.v&zero != 0 || ^v.v&one != 0) {
						t.Fatalf("%%%d is %#x, but zero are %#x and one %#x\n%s", r.Index(), v.v, zero, one, before)
					} else if s := globalisel.SignBits(f, r); !v.poison && f.TypeOf(r).IsScalar() {
						n := f.TypeOf(r).ScalarBits()
						if top := signed(v.v, n) >> (n - s); top != 0 && top != -1 {
							t.Fatalf("%%%d is %#x, but %d bits are the sign\n%s", r.Index(), v.v, s, before)
						}
					}
				}
			}
		}
		if err := globalisel.PreLegalizerCombiner.Run(c, f); err != nil {
			t.Fatal(err)
		}
		for _, s := range want {
			got, ok := eval(f, s.in)
			for _, r := range regs {
				w := s.want[r]
				if w.poison {
					continue
				}
				defined++
				if !ok || got[r] != w {
					t.Fatalf("%s: %v instead of %v (%v)\n%s\nbecomes\n%s\nfor %v", in.RegName(desc.PhysReg(r)), got[r], w, ok, before,
						mirtext.AppendFunction(nil, f, mirtext.PrintOptions{Simplify: true}), s.in)
				}
			}
		}
	}
	if defined < samples {
		t.Errorf("only %d results of %d samples are defined", defined, samples)
	}
	t.Logf("%d results compared", defined)
	applied := rulesOfFiles(t)
	for _, r := range globalisel.CombineRules() {
		if !applied[r] && stats[pass.Stat{Pass: "prelegalizer-combiner", Desc: "Number of times that the rule " + r + " applied"}] == 0 {
			t.Errorf("rule %s is applied neither to random functions nor in a file of testdata", r)
		}
	}
}

// rulesOfFiles are the rules that are applied in the file tests, whose CHECK lines
// say what they make: floating point, memory, and what is rare in random functions.
func rulesOfFiles(t *testing.T) map[string]bool {
	t.Helper()
	exe := filetest.Binary(t)
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`prelegalizer-combiner +- Number of times that the rule (\S+) applied`)
	rules := map[string]bool{}
	for _, file := range files {
		args := []string{"llc", "-mtriple=x86_64-unknown-linux-gnu", "-stats", "-o", filepath.Join(t.TempDir(), "out")}
		if filepath.Ext(file) == ".mir" {
			args = append(args, "-run-pass=prelegalizer-combiner")
		}
		// A file may be of a pass that stands behind, and no input of this one.
		out, _ := exec.Command(exe, append(args, file)...).CombinedOutput()
		for _, m := range line.FindAllSubmatch(out, -1) {
			rules[string(m[1])] = true
		}
	}
	return rules
}

// TestDivide: divisions by constants give the quotient and the remainder, for
// all numbers of 8 bits and many of the others, and no division is left.
func TestDivide(t *testing.T) {
	in, err := facts.Load("X86")
	if err != nil {
		t.Fatal(err)
	}
	rax, _ := in.RegByName("rax")
	rcx, _ := in.RegByName("rcx")
	f := mir.NewFunction("", in)
	c := &pass.Context{}
	rnd := rand.New(rand.NewPCG(11, 12))
	ops := []desc.Opcode{desc.G_UDIV, desc.G_UREM, desc.G_SDIV, desc.G_SREM}
	for _, n := range []int{8, 16, 32, 64} {
		var divisors []uint64
		var inputs []uint64
		if n == 8 {
			for k := range 256 {
				divisors = append(divisors, uint64(k))
				inputs = append(inputs, uint64(k))
			}
		} else {
			for k := range n {
				divisors = append(divisors, uint64(k), 1<<k, 1<<k+1, 1<<k-1, ^uint64(0)<<k, 7<<k, ^uint64(9)<<k, rnd.Uint64()>>k)
			}
			for k := range 24 {
				inputs = append(inputs, uint64(k), -uint64(k), 1<<(n-1)+uint64(k), 1<<(n-1)-uint64(k))
			}
		}
		for _, d := range divisors {
			if d &= mask(n); d == 0 {
				continue
			}
			f.Reset("f")
			b := mir.Builder{F: f}
			b.SetBlock(f.AddBlock())
			g := globalisel.Wrap(&b)
			x := g.New(mir.Scalar(n))
			b.Copy(x, mir.Reg(rax))
			for _, op := range ops {
				b.Copy(mir.Reg(rcx), g.Bin(op, mir.Scalar(n), x, g.Const(mir.Scalar(n), int64(d))))
			}
			if err := globalisel.PreLegalizerCombiner.Run(c, f); err != nil {
				t.Fatal(err)
			}
			// Each operation ends in a copy to $rcx; they are read one by one.
			var results []mir.Reg
			for i := f.Block(f.FirstBlock()).First(); i != 0; i = f.Instr(i).Next() {
				switch f.Instr(i).Opcode {
				case desc.COPY:
					if f.Op(i, 0).Reg().IsPhysical() {
						results = append(results, f.Op(i, 1).Reg())
					}
				case desc.G_UDIV, desc.G_UREM, desc.G_SDIV, desc.G_SREM:
					t.Fatalf("a division by %#x of %d bits is left", d, n)
				}
			}
			more := inputs
			for range 10 {
				more = append(more[:len(inputs):len(inputs)], rnd.Uint64(), d*uint64(rnd.IntN(1<<20)), d*uint64(rnd.IntN(1<<20))-1, d*(rnd.Uint64()>>rnd.IntN(64))+d-1)
			}
			for _, v := range more {
				v &= mask(n)
				sv, sd := signed(v, n), signed(d, n)
				want := []uint64{v / d, v % d, 0, 0}
				if !(sd == -1 && sv == -1<<(n-1)) {
					want[2], want[3] = uint64(sv/sd), uint64(sv%sd)
				}
				vals, _ := eval(f, map[mir.Reg]uint64{mir.Reg(rax): v})
				for k, r := range results {
					if k >= 2 && sd == -1 && sv == -1<<(n-1) {
						continue
					}
					if got := vals[r]; got.poison || got.v != want[k]&mask(n) {
						t.Fatalf("%s of %d bits, %#x by %#x: %v, want %d", in.OpcodeName(ops[k]), n, v, d, got, want[k]&mask(n))
					}
				}
			}
		}
	}
}
