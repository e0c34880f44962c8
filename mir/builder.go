package mir

import "github.com/mirin-go/mirin/desc"

// Builder creates instructions at a point of a function: before At in Block,
// or at the end of Block when At is 0.
type Builder struct {
	F     *Function
	Block BlockID
	At    InstrID
	Loc   DebugLoc
	// Flags are set in every instruction that is inserted.
	Flags MIFlags
}

// SetBlock moves the point to the end of b.
func (b *Builder) SetBlock(blk BlockID) { b.Block, b.At = blk, 0 }

// SetBefore moves the point before instruction i.
func (b *Builder) SetBefore(i InstrID) { b.Block, b.At = b.F.instrs[i].block, i }

// SetAfter moves the point behind instruction i.
func (b *Builder) SetAfter(i InstrID) { b.Block, b.At = b.F.instrs[i].block, b.F.instrs[i].next }

// Insert puts an instruction that stands nowhere at the point.
func (b *Builder) Insert(i InstrID) InstrID {
	b.F.instrs[i].Loc = b.Loc
	b.F.instrs[i].AddFlags(b.Flags)
	b.F.InsertBefore(b.Block, b.At, i)
	return i
}

// Build creates an instruction with exactly the given operands.
func (b *Builder) Build(op desc.Opcode, ops ...Operand) InstrID {
	return b.Insert(b.F.New(op, ops...))
}

// BuildInstr creates a target instruction and adds the implicit operands that
// its description lists behind the given ones.
func (b *Builder) BuildInstr(op desc.Opcode, ops ...Operand) InstrID {
	var buf [16]Operand // on the stack
	all := append(buf[:0], ops...)
	for _, r := range b.F.Facts.ImplicitDefs(op) {
		all = append(all, RegOp(Reg(r), Def|Implicit))
	}
	for _, r := range b.F.Facts.ImplicitUses(op) {
		all = append(all, RegOp(Reg(r), Implicit))
	}
	i := b.F.New(op, all...)
	b.F.TieDeclared(i)
	return b.Insert(i)
}

// TieDeclared ties the operands that the description ties and that are registers not tied yet.
func (f *Function) TieDeclared(i InstrID) {
	op := f.instrs[i].Opcode
	if f.Facts.Instr(op).NumDefs == 0 {
		return // a use is tied to a definition
	}
	ops := f.Ops(i)
	for k, d := range f.Facts.Operands(op) {
		if t := int(d.TiedTo); t >= 0 && k < len(ops) && ops[k].IsUse() && !ops[k].IsImplicit() && !ops[k].IsTied() && ops[t].IsDef() && !ops[t].IsTied() {
			f.Tie(i, t, k)
		}
	}
}

// AddImplicitOps appends the implicit definitions and uses of the instruction's
// description, in LLVM's order, and ties the operands that the description ties.
func (f *Function) AddImplicitOps(i InstrID) {
	f.TieDeclared(i)
	in := &f.instrs[i]
	defs, uses := f.Facts.ImplicitDefs(in.Opcode), f.Facts.ImplicitUses(in.Opcode)
	if class := opClass(int(in.numOps) + len(defs) + len(uses)); class > in.opCap {
		f.growOps(in, class)
	}
	for _, r := range defs {
		f.appendOp(i, in, RegOp(Reg(r), Def|Implicit))
	}
	for _, r := range uses {
		f.appendOp(i, in, RegOp(Reg(r), Implicit))
	}
}

// appendOp appends an operand for which there is room.
func (f *Function) appendOp(i InstrID, in *Instr, o Operand) {
	n := in.numOps
	in.numOps++
	f.placeOp(i, OpID(in.opOff+n), o)
	if len(f.listeners) > 0 {
		f.tellChanged(i, int(n), Operand{})
	}
}

// Copy builds dst = COPY src.
func (b *Builder) Copy(dst, src Reg) InstrID {
	return b.Build(desc.COPY, RegOp(dst, Def), RegOp(src, 0))
}
