package x86

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/sched"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirverify"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// randomLoop builds a function whose loop counts from RDI to RSI, and reads and writes slots
// of the stack that are known to be apart, by an index that has nothing to do with the counter.
type randomLoop struct {
	rng   *rand.Rand
	f     *mir.Function
	step  int64
	wide  bool
	early bool
	slots int
}

func (x *randomLoop) vreg(c desc.ClassID) mir.Reg { return x.f.AddVReg(int16(c)) }

const loopSlot = 1024

func (x *randomLoop) build(in *desc.Info) {
	rng := x.rng
	f := mir.NewFunction("loop", in)
	x.f = f
	f.Props = mir.IsSSA | mir.TracksLiveness
	x.slots = 1 + rng.IntN(4)
	for range x.slots {
		f.Frame.CreateStackObject(loopSlot, 4, mir.FrameSpill)
	}
	head, loop, exit := f.AddBlock(), f.AddBlock(), f.AddBlock()
	f.AddSucc(head, loop)
	f.AddSucc(loop, loop)
	f.AddSucc(loop, exit)
	class, phys := desc.ClassID(tab.GR32RegClassID), []mir.Reg{reg(tab.EDI), reg(tab.ESI)}
	if x.wide {
		class, phys = tab.GR64RegClassID, []mir.Reg{reg(tab.RDI), reg(tab.RSI)}
	}
	b := mir.Builder{F: f, Block: head}
	for _, r := range phys {
		f.AddLiveIn(head, r, ^uint64(0))
	}
	start, bound := x.vreg(class), x.vreg(class)
	b.Copy(start, phys[0])
	b.Copy(bound, phys[1])
	index0 := x.vreg(tab.GR64_NOSPRegClassID)
	b.BuildInstr(tab.MOV64ri32, mir.RegOp(index0, mir.Def), mir.ImmOp(int64(rng.IntN(4))))
	var outside []mir.Reg
	for range 3 {
		r := x.vreg(tab.GR32RegClassID)
		b.BuildInstr(tab.MOV32ri, mir.RegOp(r, mir.Def), mir.ImmOp(int64(rng.IntN(1000))))
		outside = append(outside, r)
	}
	b.Build(tab.JMP_1, mir.BlockOp(loop))

	b = mir.Builder{F: f, Block: loop}
	counter, index := x.vreg(class), x.vreg(tab.GR64_NOSPRegClassID)
	next := x.vreg(class)
	var phis, values []mir.Reg
	for range 1 + rng.IntN(4) {
		phis = append(phis, x.vreg(tab.GR32RegClassID))
	}
	values = slices.Concat(phis, outside)
	indexNext := x.vreg(tab.GR64RegClassID)
	x.body(&b, &values, index)
	b.BuildInstr(tab.INC64r, mir.RegOp(indexNext, mir.Def), mir.RegOp(index, 0))
	x.control(&b, counter, next, bound, loop, exit)
	phi := func(to, init, back mir.Reg) {
		i := f.New(desc.PHI, mir.RegOp(to, mir.Def), mir.RegOp(init, 0), mir.BlockOp(head), mir.RegOp(back, 0), mir.BlockOp(loop))
		f.InsertBefore(loop, f.Block(loop).First(), i)
	}
	phi(counter, start, next)
	phi(index, index0, indexNext)
	for _, p := range phis {
		phi(p, outside[rng.IntN(3)], values[rng.IntN(len(values))])
	}
	for i := f.Block(loop).First(); i != f.FirstTerminator(loop); i = f.Instr(i).Next() {
		markFlags(f, i, f.Instr(i).Next() != f.FirstTerminator(loop))
	}

	b = mir.Builder{F: f, Block: exit}
	sum := values[rng.IntN(len(values))]
	for range 3 {
		to := x.vreg(tab.GR32RegClassID)
		markFlags(f, b.BuildInstr(tab.XOR32rr, mir.RegOp(to, mir.Def), mir.RegOp(sum, 0), mir.RegOp(values[rng.IntN(len(values))], 0)), true)
		sum = to
	}
	b.Copy(reg(tab.EAX), sum)
	b.Build(tab.RET, mir.ImmOp(0), mir.RegOp(reg(tab.EAX), mir.Implicit))
}

// body appends computations and accesses.
func (x *randomLoop) body(b *mir.Builder, values *[]mir.Reg, index mir.Reg) {
	rng := x.rng
	for range 2 + rng.IntN(9) {
		v := *values
		any := func() mir.Operand { return mir.RegOp(v[rng.IntN(len(v))], 0) }
		slot := rng.IntN(x.slots)
		address := []mir.Operand{mir.FrameOp(slot), mir.ImmOp(4), mir.RegOp(index, 0), mir.ImmOp(int64(4 * rng.IntN(4))), mir.RegOp(0, 0)}
		mem := func(i mir.InstrID, fl mir.MemFlags) {
			b.F.SetMem(i, b.F.AddMem(mir.MemOperand{Size: 4, PtrKind: mir.PtrFixedStack, Ptr: uint32(slot), Flags: fl}))
		}
		to := x.vreg(tab.GR32RegClassID)
		switch rng.IntN(8) {
		case 0, 1:
			mem(b.BuildInstr(tab.MOV32mr, append(address, any())...), mir.MemStore)
			continue
		case 2, 3:
			mem(b.BuildInstr(tab.MOV32rm, append([]mir.Operand{mir.RegOp(to, mir.Def)}, address...)...), mir.MemLoad)
		case 4:
			b.BuildInstr(tab.IMUL32rr, mir.RegOp(to, mir.Def), any(), any())
		case 5:
			b.BuildInstr(tab.SHR32ri, mir.RegOp(to, mir.Def), any(), mir.ImmOp(int64(rng.IntN(9))))
		case 6:
			b.BuildInstr(tab.XOR32rr, mir.RegOp(to, mir.Def), any(), any())
		case 7:
			b.BuildInstr(tab.ADD32rr, mir.RegOp(to, mir.Def), any(), any())
		}
		*values = append(*values, to)
	}
}

// control appends the counter and the branch.
func (x *randomLoop) control(b *mir.Builder, counter, next, bound mir.Reg, loop, exit mir.BlockID) {
	rng := x.rng
	add, inc, dec, cmp := tab.ADD32ri, tab.INC32r, tab.DEC32r, tab.CMP32rr
	if x.wide {
		add, inc, dec, cmp = tab.ADD64ri32, tab.INC64r, tab.DEC64r, tab.CMP64rr
	}
	switch {
	case x.step == 1 && rng.IntN(2) == 0:
		b.BuildInstr(inc, mir.RegOp(next, mir.Def), mir.RegOp(counter, 0))
	case x.step == -1 && rng.IntN(2) == 0:
		b.BuildInstr(dec, mir.RegOp(next, mir.Def), mir.RegOp(counter, 0))
	default:
		b.BuildInstr(add, mir.RegOp(next, mir.Def), mir.RegOp(counter, 0), mir.ImmOp(x.step))
	}
	x1, x2 := next, bound
	if x.early = rng.IntN(4) == 0; x.early {
		x1 = counter
	}
	if rng.IntN(2) == 0 {
		x1, x2 = x2, x1
	}
	b.BuildInstr(cmp, mir.RegOp(x1, 0), mir.RegOp(x2, 0))
	if rng.IntN(2) == 0 {
		b.BuildInstr(tab.JCC_1, mir.BlockOp(loop), mir.ImmOp(condNE))
		b.Build(tab.JMP_1, mir.BlockOp(exit))
	} else {
		b.BuildInstr(tab.JCC_1, mir.BlockOp(exit), mir.ImmOp(condE))
		b.Build(tab.JMP_1, mir.BlockOp(loop))
	}
}

// run executes f and returns its result and memory.
func (x *randomLoop) run(start, bound int64) (result uint64, mem []uint32, err error) {
	m := interpreter{f: x.f, regs: map[mir.Reg]uint64{reg(tab.RDI): uint64(start), reg(tab.RSI): uint64(bound), reg(tab.EDI): uint64(uint32(start)), reg(tab.ESI): uint64(uint32(bound))}}
	for k := range x.slots * loopSlot / 4 {
		m.mem = append(m.mem, uint32(k*2654435761))
	}
	err = m.run()
	return m.regs[reg(tab.EAX)], m.mem, err
}

// interpreter executes the instructions that the random loops, and what becomes of them, have.
type interpreter struct {
	f    *mir.Function
	regs map[mir.Reg]uint64
	mem  []uint32
	a, b uint64 // compared last
}

const maxSteps = 20000

func (m *interpreter) run() error {
	f := m.f
	b, before := f.FirstBlock(), mir.BlockID(0)
	for steps := 0; ; {
		var at []mir.Reg
		var to []uint64
		i := f.Block(b).First()
		for ; i != 0 && f.IsPHI(i); i = f.Instr(i).Next() {
			for k := 1; k < f.Instr(i).NumOps(); k += 2 {
				if f.Op(i, k+1).Block() == before {
					at, to = append(at, f.Op(i, 0).Reg()), append(to, m.regs[f.Op(i, k).Reg()])
				}
			}
		}
		for k := range at {
			m.regs[at[k]] = to[k]
		}
		next := f.NextBlock(b)
		for ; i != 0; i = f.Instr(i).Next() {
			if steps++; steps > maxSteps {
				return fmt.Errorf("more than %d instructions", maxSteps)
			}
			if f.Instr(i).Opcode == tab.RET {
				return nil
			}
			jump, err := m.step(i)
			if err != nil {
				return err
			}
			if jump != 0 {
				next = jump
				break
			}
		}
		if !f.HasSucc(b, next) {
			return fmt.Errorf("bb.%d goes to bb.%d, which is no successor", b, next)
		}
		before, b = b, next
	}
}

func (m *interpreter) word(i mir.InstrID, k int) (*uint32, error) {
	f := m.f
	at := int(m.regs[f.Op(i, k+2).Reg()])*4 + int(f.Op(i, k+3).Imm())
	if at < 0 || at >= loopSlot {
		return nil, fmt.Errorf("access at %d of a slot", at)
	}
	return &m.mem[(f.Op(i, k).FrameIndex()*loopSlot+at)/4], nil
}

func (m *interpreter) step(i mir.InstrID) (jump mir.BlockID, err error) {
	f := m.f
	val := func(k int) uint64 {
		if o := f.Op(i, k); o.IsReg() {
			return m.regs[o.Reg()]
		} else if o.IsImm() {
			return uint64(o.Imm())
		}
		panic("operand")
	}
	width := 64
	set := func(v uint64) {
		if width == 32 {
			v = uint64(uint32(v))
		}
		m.regs[f.Op(i, 0).Reg()] = v
		m.a, m.b = v, 0
	}
	compare := func(a, b uint64) {
		if m.a, m.b = a, b; width == 32 {
			m.a, m.b = uint64(uint32(a)), uint64(uint32(b))
		}
	}
	switch op := f.Instr(i).Opcode; op {
	case desc.COPY:
		m.regs[f.Op(i, 0).Reg()] = val(1)
	case tab.MOV32rm:
		p, err := m.word(i, 1)
		if err != nil {
			return 0, err
		}
		m.regs[f.Op(i, 0).Reg()] = uint64(*p)
	case tab.MOV32mr:
		p, err := m.word(i, 0)
		if err != nil {
			return 0, err
		}
		*p = uint32(val(5))
	case tab.MOV64ri32:
		m.regs[f.Op(i, 0).Reg()] = val(1)
	case tab.JMP_1:
		return f.Op(i, 0).Block(), nil
	case tab.JCC_1:
		taken := false
		switch f.Op(i, 1).Imm() {
		case condE:
			taken = m.a == m.b
		case condNE:
			taken = m.a != m.b
		case condA:
			taken = m.a > m.b
		default:
			return 0, fmt.Errorf("condition %d", f.Op(i, 1).Imm())
		}
		if taken {
			return f.Op(i, 0).Block(), nil
		}
	default:
		if slices.Contains([]desc.Opcode{tab.MOV32ri, tab.ADD32rr, tab.ADD32ri, tab.SUB32rr, tab.SUB32ri, tab.IMUL32rr, tab.XOR32rr, tab.SHR32ri, tab.INC32r, tab.DEC32r, tab.CMP32rr, tab.CMP32ri, tab.TEST32ri}, op) {
			width = 32
		}
		switch op {
		case tab.MOV32ri:
			m.regs[f.Op(i, 0).Reg()] = uint64(uint32(val(1)))
		case tab.ADD32rr, tab.ADD32ri, tab.ADD64ri32:
			set(val(1) + val(2))
		case tab.SUB32rr, tab.SUB32ri, tab.SUB64rr, tab.SUB64ri32:
			set(val(1) - val(2))
		case tab.IMUL32rr:
			set(val(1) * val(2))
		case tab.XOR32rr:
			set(val(1) ^ val(2))
		case tab.SHR32ri:
			set(val(1) >> val(2))
		case tab.INC32r, tab.INC64r:
			set(val(1) + 1)
		case tab.DEC32r, tab.DEC64r:
			set(val(1) - 1)
		case tab.CMP32rr, tab.CMP64rr, tab.CMP32ri, tab.CMP64ri32:
			compare(val(0), val(1))
		case tab.TEST32ri, tab.TEST64ri32:
			compare(val(0)&val(1), 0)
		default:
			return 0, fmt.Errorf("instruction %s", f.Facts.OpcodeName(op))
		}
	}
	return 0, nil
}

// TestPipeliner executes random loops before and behind pipeliner, with any number of
// iterations from one to more than there are stages.
func TestPipeliner(t *testing.T) {
	m, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu", Opt: 2})
	if err != nil {
		t.Fatal(err)
	}
	st, err := m.Subtarget(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &pass.Context{Machine: m, Subtarget: st, Opt: 2}
	r := &pass.Runner{Passes: []*pass.Pass{&sched.Pipeliner}}
	done := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 7))
		x := randomLoop{rng: rng, step: []int64{1, 1, -1, 2, 4, -8}[rng.IntN(6)], wide: rng.IntN(2) == 0}
		x.build(m.Facts)
		start := int64(rng.IntN(100)) - 50
		type outcome struct {
			result uint64
			mem    []uint32
		}
		var want []outcome
		const most = 15
		bound := func(n int) int64 {
			if x.early {
				n--
			}
			return start + int64(n)*x.step
		}
		for n := 1; n < most; n++ {
			r, mem, err := x.run(start, bound(n))
			if err != nil {
				t.Fatalf("seed %d: before: %v", seed, err)
			}
			want = append(want, outcome{r, mem})
		}
		before := x.f.NumBlockIDs()
		m.Options.Tuning.Pipeliner = target.PipelinerTuning{On: true, MaxMII: target.LimitOf(100), MaxStages: target.LimitOf(20)}
		if rng.IntN(2) == 0 {
			m.Options.Tuning.Pipeliner.ForceII = 1 + rng.IntN(10)
		}

		if err := r.Run(c, x.f, &pass.Log{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if v := mirverify.Verify(x.f, mirverify.Options{}); !v.OK() {
			t.Fatalf("seed %d: %s\n%s", seed, v.AppendText(nil), dumpFunc(nil, x.f))
		}
		if x.f.NumBlockIDs() > before {
			done++
		}
		for n := 1; n < most; n++ {
			r, mem, err := x.run(start, bound(n))
			if w := want[n-1]; err != nil || r != w.result || !slices.Equal(mem, w.mem) {
				t.Fatalf("seed %d, %d iterations: %d, not %d (%v)\n%s", seed, n, r, w.result, err, dumpFunc(nil, x.f))
			}
		}
	}
	if done < 200 {
		t.Errorf("%d loops were pipelined", done)
	}
}
