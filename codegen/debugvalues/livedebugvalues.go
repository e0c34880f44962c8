package debugvalues

import (
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// LiveDebugValues says at the start of blocks where variables are.
//
// What is known at the end of a block is what its last debug values said, but for
// those in registers that were written behind them, and what was known at its start
// of other variables. What is known at a block's start is what all blocks before it
// agree on. That is found by going round in reverse postorder from the assumption
// that blocks not seen yet agree with all others.
var LiveDebugValues = pass.Pass{
	Name:      "livedebugvalues",
	Title:     "Live DEBUG_VALUE analysis",
	AnyTarget: true,
	KeepsCFG:  true,
	Run: func(c *pass.Context, f *mir.Function) error {
		if f.HasDebugInstrs() && f.Module != nil {
			l := &liveValues{f: f}
			if l.collect() {
				l.flow(pass.Get[pass.CFG](c, f).RPO())
				l.insert()
			}
		}
		return nil
	},
}

// maxEntries is how many facts about variables at the starts of blocks are kept:
// functions with more keep the values that they have.
const maxEntries = 4 << 20

// variable is a variable, or a part of one.
type variable struct {
	node, inlinedAt ir.MDID
	off, size       uint64
}

// fact says that a variable is where a debug value says.
type fact struct{ v, value int32 }

// blockFacts is what a block does to what is known.
type blockFacts struct {
	// out is known at its end whatever was at its start; set are the variables that it
	// says something of.
	out, set []fact
	in       []fact
	written  []uint64 // register units
	scopes   []int32
	seen     bool
}

type liveValues struct {
	f      *mir.Function
	md     *ir.MDTable
	vars   []variable
	byVar  map[variable]int32
	parts  map[[2]ir.MDID][]int32 // the parts of a variable
	values []mir.InstrID          // one of each kind
	byKey  map[valueKey][]int32
	units  [][]desc.RegUnit // of values: registers that they are in
	blocks []blockFacts
	words  int
	lost   map[uint32][]uint64 // by mask

	scopeOf  map[[2]ir.MDID]int32
	parent   []int32 // of scopes
	varScope []int32
	locScope map[mir.DebugLoc]int32
	mark     []int32
}

// valueKey tells most values apart.
type valueKey struct {
	v, op uint32
	expr  ir.MDID
}

// collect reads the debug values of the function; false: there are none to follow.
func (l *liveValues) collect() bool {
	f := l.f
	l.md = &f.Module.MD
	l.byVar, l.parts, l.byKey = map[variable]int32{}, map[[2]ir.MDID][]int32{}, map[valueKey][]int32{}
	l.scopeOf, l.locScope = map[[2]ir.MDID]int32{}, map[mir.DebugLoc]int32{}
	l.parent = []int32{-1}
	l.lost = map[uint32][]uint64{}
	l.words = (f.Facts.NumUnits() + 63) / 64
	l.blocks = make([]blockFacts, f.NumBlockIDs())
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		l.block(b)
	}
	return len(l.vars) > 0
}

// block finds what a block says and writes.
func (l *liveValues) block(b mir.BlockID) {
	f, x := l.f, &l.blocks[b]
	var open []fact
	var scopes []int32
	last := mir.DebugLoc(0)
	for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
		in := f.Instr(i)
		if f.IsDebugInstr(i) {
			open = l.debug(i, open, x)
			continue
		}
		if in.Loc != 0 && in.Loc != last {
			last = in.Loc
			for s := l.scope(in.Loc); s > 0 && !slices.Contains(scopes, s); s = l.parent[s] {
				scopes = append(scopes, s)
			}
		}
		if f.Desc(i).IsMeta() {
			continue
		}
		ops := f.Ops(i)
		for k := range ops {
			o := &ops[k]
			switch {
			case o.IsDef() && o.Reg() != mir.NoReg && o.Reg().IsPhysical():
				x.needUnits(l.words)
				for u := range f.Facts.RegUnits(desc.PhysReg(o.Reg())).All() {
					x.written[u/64] |= 1 << (u % 64)
				}
				open = l.clobber(open, i, o)
			case o.Kind() == mir.OpRegMask:
				x.needUnits(l.words)
				for w, bits := range l.masked(o.Index()) {
					x.written[w] |= bits
				}
				open = l.clobber(open, i, o)
			}
		}
	}
	slices.SortFunc(open, func(a, b fact) int { return int(a.v - b.v) })
	slices.SortFunc(x.set, func(a, b fact) int { return int(a.v - b.v) })
	x.set = slices.Compact(x.set)
	x.out, x.scopes = open, scopes
}

func (x *blockFacts) needUnits(words int) {
	if x.written == nil {
		x.written = make([]uint64, words)
	}
}

// masked are the units of the registers that calls with a mask do not keep.
func (l *liveValues) masked(index uint32) []uint64 {
	if m, ok := l.lost[index]; ok {
		return m
	}
	in, mask, lost := l.f.Facts, l.f.RegMasks[index], make([]uint64, l.words)
	for r := 1; r < len(in.Regs); r++ {
		if mask[r/32]>>(r%32)&1 == 0 {
			for u := range in.RegUnits(desc.PhysReg(r)).All() {
				lost[u/64] |= 1 << (u % 64)
			}
		}
	}
	l.lost[index] = lost
	return lost
}

// clobber drops the facts about what operand o of i writes. The stack pointer of a
// call is where it was behind it.
func (l *liveValues) clobber(open []fact, i mir.InstrID, o *mir.Operand) []fact {
	if len(open) == 0 {
		return open
	}
	f := l.f
	return slices.DeleteFunc(open, func(x fact) bool {
		for _, r := range l.regs(l.values[x.value]) {
			if o.IsReg() && f.Facts.Overlap(desc.PhysReg(o.Reg()), r) {
				return true
			}
			if o.Kind() == mir.OpRegMask && f.RegMasks[o.Index()][r/32]>>(r%32)&1 == 0 {
				return true
			}
		}
		return false
	})
}

// regs are the registers that a debug value names.
func (l *liveValues) regs(i mir.InstrID) (rs []desc.PhysReg) {
	_, _, places := l.parse(i)
	for k := range places {
		if o := &places[k]; o.IsReg() && o.Reg() != mir.NoReg && o.Reg().IsPhysical() {
			rs = append(rs, desc.PhysReg(o.Reg()))
		}
	}
	return rs
}

// parse are the variable, the expression and the places of a debug value.
func (l *liveValues) parse(i mir.InstrID) (v, expr ir.MDID, places []mir.Operand) {
	ops := l.f.Ops(i)
	switch op := l.f.Instr(i).Opcode; {
	case op == desc.DBG_VALUE && len(ops) == 4 && ops[2].Kind() == mir.OpMetadata && ops[3].Kind() == mir.OpMetadata:
		return ir.MDID(ops[2].Index()), ir.MDID(ops[3].Index()), ops[:1]
	case op == desc.DBG_VALUE_LIST && len(ops) > 2 && ops[0].Kind() == mir.OpMetadata && ops[1].Kind() == mir.OpMetadata:
		return ir.MDID(ops[0].Index()), ir.MDID(ops[1].Index()), ops[2:]
	}
	return 0, 0, nil
}

// debug notes debug value i.
func (l *liveValues) debug(i mir.InstrID, open []fact, x *blockFacts) []fact {
	node, expr, places := l.parse(i)
	if node == 0 || l.f.Instr(i).Loc == 0 {
		return open
	}
	loc, _ := l.md.Location(ir.MDID(l.f.Instr(i).Loc))
	key := variable{node: node, inlinedAt: loc.InlinedAt, size: 1 << 62}
	if n := l.md.At(expr); n != nil {
		if k := len(n.Fields) - 3; k >= 0 && n.Fields[k].Str == "DW_OP_LLVM_fragment" {
			key.off, key.size = n.Fields[k+1].Int, n.Fields[k+2].Int
		}
	}
	v, ok := l.byVar[key]
	if !ok {
		v = int32(len(l.vars))
		l.byVar[key] = v
		l.vars = append(l.vars, key)
		l.varScope = append(l.varScope, l.scope(l.f.Instr(i).Loc))
		whole := [2]ir.MDID{node, loc.InlinedAt}
		l.parts[whole] = append(l.parts[whole], v)
	}
	// It is the end of what was said of parts that overlap.
	same := l.parts[[2]ir.MDID{node, loc.InlinedAt}]
	for _, p := range same {
		if q := &l.vars[p]; key.off < q.off+q.size && q.off < key.off+key.size {
			x.set = append(x.set, fact{v: p})
			open = slices.DeleteFunc(open, func(o fact) bool { return o.v == p })
		}
	}
	if len(places) == 0 || slices.ContainsFunc(places, func(o mir.Operand) bool { return o.IsReg() && !o.Reg().IsPhysical() }) {
		return open
	}
	return append(open, fact{v, l.value(v, i)})
}

// value is the number of what debug value i says.
func (l *liveValues) value(v int32, i mir.InstrID) int32 {
	f := l.f
	_, expr, places := l.parse(i)
	key := valueKey{v: uint32(v), op: uint32(places[0].Index()) ^ uint32(places[0].Imm()), expr: expr}
	for _, n := range l.byKey[key] {
		j := l.values[n]
		a, b := f.Ops(i), f.Ops(j)
		if f.Instr(i).Opcode != f.Instr(j).Opcode || len(a) != len(b) {
			continue
		}
		same := true
		for k := range a {
			same = same && a[k].Kind() == b[k].Kind() && a[k].Index() == b[k].Index() && (a[k].IsReg() && a[k].SubReg() == b[k].SubReg() || !a[k].IsReg() && a[k].Imm() == b[k].Imm())
		}
		if same {
			return n
		}
	}
	n := int32(len(l.values))
	l.values = append(l.values, i)
	l.byKey[key] = append(l.byKey[key], n)
	var units []desc.RegUnit
	for _, r := range l.regs(i) {
		units = append(units, slices.Collect(f.Facts.RegUnits(r).All())...)
	}
	l.units = append(l.units, units)
	return n
}

// scope is the lexical scope of a location, from 1; 0 is none.
func (l *liveValues) scope(loc mir.DebugLoc) int32 {
	if s, ok := l.locScope[loc]; ok {
		return s
	}
	s := int32(0)
	if d, ok := l.md.Location(ir.MDID(loc)); ok {
		s = l.scopeAt(d.Scope, d.InlinedAt)
	}
	l.locScope[loc] = s
	return s
}

func (l *liveValues) scopeAt(node, inlinedAt ir.MDID) int32 {
	if node == 0 {
		return 0
	}
	key := [2]ir.MDID{node, inlinedAt}
	if s, ok := l.scopeOf[key]; ok {
		return s
	}
	s := int32(len(l.parent))
	l.scopeOf[key] = s
	l.parent = append(l.parent, 0)
	p := int32(0)
	switch n := l.md.At(node); {
	case n == nil:
	case n.Str == "DISubprogram":
		if inlinedAt != 0 {
			p = l.scope(mir.DebugLoc(inlinedAt))
		}
	default:
		for k := range n.Fields {
			if n.Fields[k].Name == "scope" {
				p = l.scopeAt(n.Fields[k].Node, inlinedAt)
			}
		}
	}
	l.parent[s] = p
	return s
}

// flow finds what is known at the start of every block.
func (l *liveValues) flow(rpo []int32) {
	l.mark = make([]int32, len(l.parent))
	entries, epoch := 0, int32(0)
	for changed := true; changed; {
		changed = false
		for k, n := range rpo {
			b := mir.BlockID(n)
			x := &l.blocks[b]
			if k == 0 {
				x.seen = true
				continue
			}
			epoch++
			for _, s := range x.scopes {
				l.mark[s] = epoch
			}
			in := l.meet(b, len(x.scopes) == 0, epoch)
			if !x.seen || len(in) != len(x.in) {
				entries += len(in)
				x.in, x.seen, changed = in, true, true
			}
			if entries > maxEntries {
				for i := range l.blocks {
					l.blocks[i].in = nil
				}
				return
			}
		}
	}
}

// meet is what all blocks before b that were seen agree on, of variables that are in
// scope in b.
func (l *liveValues) meet(b mir.BlockID, all bool, epoch int32) (in []fact) {
	first := true
	for _, e := range l.f.Preds(b) {
		p := &l.blocks[e]
		if !p.seen {
			continue
		}
		out := l.outOf(p)
		if first {
			first = false
			for _, x := range out {
				if s := l.varScope[x.v]; all || s > 0 && l.mark[s] == epoch {
					in = append(in, x)
				}
			}
			continue
		}
		at := 0
		in = slices.DeleteFunc(in, func(x fact) bool {
			for at < len(out) && out[at].v < x.v {
				at++
			}
			return at == len(out) || out[at] != x
		})
	}
	return in
}

// outOf is what is known at the end of a block.
func (l *liveValues) outOf(x *blockFacts) []fact {
	if len(x.in) == 0 {
		return x.out
	}
	out := make([]fact, 0, len(x.in)+len(x.out))
	k, s := 0, 0
	for _, i := range x.in {
		for k < len(x.out) && x.out[k].v < i.v {
			out = append(out, x.out[k])
			k++
		}
		for s < len(x.set) && x.set[s].v < i.v {
			s++
		}
		if s < len(x.set) && x.set[s].v == i.v || x.writes(l.units[i.value]) {
			continue
		}
		out = append(out, i)
	}
	return append(out, x.out[k:]...)
}

func (x *blockFacts) writes(units []desc.RegUnit) bool {
	if x.written == nil {
		return false
	}
	for _, u := range units {
		if x.written[u/64]>>(u%64)&1 != 0 {
			return true
		}
	}
	return false
}

// insert puts debug values at the starts of blocks.
func (l *liveValues) insert() {
	f := l.f
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		at := f.Block(b).First()
		for _, x := range l.blocks[b].in {
			i := l.values[x.value]
			n := f.New(f.Instr(i).Opcode, slices.Clone(f.Ops(i))...)
			f.Instr(n).Loc = f.Instr(i).Loc
			f.InsertBefore(b, at, n)
		}
	}
}
