package globalisel

import (
	"cmp"
	"slices"

	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
)

// Localizer brings constants, addresses of globals and of stack objects from
// the entry block, where the irtranslator makes each once, to where they are
// used: every block that uses one gets its own copy right before the first
// user. They are cheaper to make again than to keep in registers through the
// whole function. The work is linear in the number of uses.
var Localizer = pass.Pass{
	Name:     "localizer",
	Title:    "Localizer",
	Requires: mir.IsSSA,
	Optional: pass.Skippable,
	KeepsCFG: true,
	Run:      runLocalizer,
}

// place orders instructions of a block: the number of an instruction that was
// there before the pass, and how many copies stand before it since.
type place uint64

const (
	lastPlace  = ^place(0)
	instrPlace = place(1<<32 - 1) // behind all copies before it
)

// localUser is a block that uses a value, and where it needs it.
type localUser struct {
	block mir.BlockID
	first place       // of the first user
	at    mir.InstrID // the instruction to stand before, 0 for the block's end
	copy  mir.Reg
	loc   mir.DebugLoc // of all users, 0 when they are of several places, or PHIs
	many  bool
}

// localUse is an operand.
type localUse struct {
	in mir.InstrID
	op int
	b  mir.BlockID // the block that needs the value
}

// localizer is what the pass keeps between functions.
type localizer struct {
	c      *pass.Context
	f      *mir.Function
	places []place // by InstrID
	seq    uint32
	uses   []localUse
	users  []localUser
	// slot is the index in users of a block, valid where mark is the epoch.
	slot, mark []uint32
	epoch      uint32
	// inOrder says that copies before one instruction stand in the order in which the irtranslator
	// made them, addresses of stack objects first (target.ISelHooks.ConstantsInOrder); heads are
	// the first of both kinds by the instruction that they stand before.
	inOrder bool
	heads   map[mir.InstrID][2]mir.InstrID
}

// Indexes of localizer.heads.
const (
	headFrame = iota
	headOther
)

func runLocalizer(c *pass.Context, f *mir.Function) error {
	l := pass.Scratch[localizer](c)
	l.c, l.f = c, f
	l.inOrder = c.Subtarget.Target.ISel.ConstantsInOrder
	if l.inOrder {
		l.heads = map[mir.InstrID][2]mir.InstrID{}
	}
	l.number()
	entry := f.FirstBlock()
	for i := f.Block(entry).Last(); i != 0; {
		prev := f.Instr(i).Prev()
		if l.isLocalizable(i, true) {
			l.localize(entry, i)
		}
		i = prev
	}
	l.f = nil
	return nil
}

// number gives every instruction its place.
func (l *localizer) number() {
	f := l.f
	l.places = append(l.places[:0], make([]place, f.NumInstrIDs())...)
	l.slot = append(l.slot[:0], make([]uint32, f.NumBlockIDs())...)
	l.mark = append(l.mark[:0], make([]uint32, f.NumBlockIDs())...)
	l.epoch, l.seq = 0, 0
	n := uint32(0)
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			n++
			l.places[i] = place(n)<<32 | instrPlace
		}
	}
}

// isLocalizable reports instructions that cost no more than a reload. A sum of an
// address and a constant counts when both can be made anew (sum), since both
// become part of the user's address.
func (l *localizer) isLocalizable(i mir.InstrID, sum bool) bool {
	f := l.f
	switch f.Instr(i).Opcode {
	case desc.G_CONSTANT, desc.G_FCONSTANT, desc.G_FRAME_INDEX, desc.G_GLOBAL_VALUE, desc.G_BLOCK_ADDR:
		return f.Op(i, 0).Reg().IsVirtual()
	case desc.G_INTTOPTR, desc.G_PTR_ADD:
		if !sum || !f.Op(i, 0).Reg().IsVirtual() {
			return false
		}
		for k := 1; k < f.Instr(i).NumOps(); k++ {
			o := f.Op(i, k)
			if !o.IsReg() || !o.Reg().IsVirtual() {
				return false
			}
			d := f.UniqueDef(o.Reg())
			if d == 0 || f.Instr(d).Block() != f.FirstBlock() || !l.isLocalizable(d, false) {
				return false
			}
		}
		return true
	}
	return false
}

// localize gives each block that uses the result of i, an instruction of the
// entry block, its own copy; the entry block keeps i itself.
func (l *localizer) localize(entry mir.BlockID, i mir.InstrID) {
	f := l.f
	r := f.Op(i, 0).Reg()
	l.collect(r)
	if len(l.users) == 0 {
		return // dead; not this pass's business
	}
	local := false
	for k := range l.users {
		u := &l.users[k]
		if u.block == entry {
			local, u.copy = true, r
			if u.at != i {
				f.Move(u.block, l.before(u, i), i)
				l.placed(u, i)
			}
			continue
		}
		u.copy = f.CloneVReg(r)
		n := f.Clone(i)
		f.SetReg(n, 0, u.copy)
		f.InsertBefore(u.block, l.before(u, n), n)
		l.placed(u, n)
		l.c.Count("localizer", "Number of instructions localized", 1)
	}
	for _, use := range l.uses {
		if c := l.users[l.slot[use.b]].copy; c != r {
			f.SetReg(use.in, use.op, c)
		}
	}
	if !local {
		f.DropDebugUses(r)
		f.Erase(i)
	}
}

// collect finds the uses of r and their blocks. The value that a PHI takes from
// a block is used at the end of that block.
func (l *localizer) collect(r mir.Reg) {
	f := l.f
	l.uses, l.users = l.uses[:0], l.users[:0]
	l.epoch++
	for in, op := range f.NonDebugUses(r) {
		b := f.Instr(in).Block()
		first, at, loc := l.placeOf(in), in, f.Instr(in).Loc
		switch {
		case f.IsPHI(in):
			to := b
			b = f.Op(in, op+1).Block()
			loc = 0
			first, at = lastPlace-1, f.EdgePlace(b, to)
			if f.Block(to).Flags&(mir.EHPad|mir.InlineAsmBrTarget) != 0 && at != 0 && !f.Desc(at).IsTerminator() {
				first = l.placeOf(at) // control leaves in the middle of the block
			}
		case f.Desc(in).IsTerminator():
			first, at = lastPlace-1, f.FirstTerminator(b)
		}
		if l.mark[b] != l.epoch {
			l.mark[b], l.slot[b] = l.epoch, uint32(len(l.users))
			l.users = append(l.users, localUser{block: b, first: lastPlace})
		}
		u := &l.users[l.slot[b]]
		switch {
		case !u.many:
			u.many, u.loc = true, loc
		case u.loc != loc:
			u.loc = 0
		}
		if first < u.first {
			u.first, u.at = first, at
		}
		l.uses = append(l.uses, localUse{in, op, b})
	}
	// Registers are numbered in layout order, whatever the order of the use lists.
	slices.SortFunc(l.users, func(x, y localUser) int { return cmp.Compare(f.Block(x.block).Number, f.Block(y.block).Number) })
	for k := range l.users {
		l.slot[l.users[k].block] = uint32(k)
	}
}

// placeOf is the place of an instruction, made ones included.
func (l *localizer) placeOf(i mir.InstrID) place {
	if int(i) < len(l.places) {
		return l.places[i]
	}
	return lastPlace - 1
}

// placed notes that i was put where the user wants it.
func (l *localizer) placed(u *localUser, i mir.InstrID) {
	for int(i) >= len(l.places) {
		l.places = append(l.places, 0)
	}
	// Behind copies that were put before the same instruction earlier, or before them.
	l.seq++
	seq := place(l.seq)
	if l.inOrder {
		seq = instrPlace - seq
	}
	at := u.first
	if u.at != 0 {
		at = l.placeOf(u.at)
		l.locate(u, i)
	}
	l.places[i] = at&^instrPlace | seq
}

// before is the instruction that copy i for user u stands before. Those of the entry block
// come last first.
func (l *localizer) before(u *localUser, i mir.InstrID) mir.InstrID {
	if !l.inOrder || u.at == 0 {
		return u.at
	}
	h := l.heads[u.at]
	kind := headOther
	if l.f.Instr(i).Opcode == desc.G_FRAME_INDEX {
		kind = headFrame
	}
	at := u.at
	for _, x := range h[kind:] {
		if x != 0 {
			at = x
			break
		}
	}
	h[kind] = i
	l.heads[u.at] = h
	return at
}

// locate gives an instruction the place in the source of what it is there for: a constant
// that of all its users, others that of the first, as LLVM's SelectionDAG does.
func (l *localizer) locate(u *localUser, i mir.InstrID) {
	f := l.f
	in := f.Instr(i)
	switch {
	case in.Loc != 0:
	case in.Opcode == desc.G_CONSTANT || in.Opcode == desc.G_FCONSTANT:
		in.Loc = u.loc
	case !f.Desc(u.at).IsTerminator(): // which may stand for a PHI
		in.Loc = f.Instr(u.at).Loc
	}
}
