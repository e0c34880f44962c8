package mir

import "github.com/mirin-go/mirin/desc"

// InstrID names an instruction row of a function; BlockID a block. 0 is none.
type (
	InstrID uint32
	BlockID uint32
)

// MIFlags are the flags of an instruction, LLVM's MIFlag.
type MIFlags uint32

// The instruction flags, with LLVM's bits.
const (
	FrameSetup MIFlags = 1 << iota
	FrameDestroy
	BundledPred
	BundledSucc
	FmNoNans
	FmNoInfs
	FmNsz
	FmArcp
	FmContract
	FmAfn
	FmReassoc
	NoUWrap
	NoSWrap
	IsExact
	NoFPExcept
	NoMerge
	Unpredictable
	NoConvergent
	NonNeg
	Disjoint
	NoUSWrap
	SameSign
	InBounds
	LRSplit
)

// Instr is one row of the instruction arena: 44 bytes, pointer-free.
type Instr struct {
	Opcode desc.Opcode
	opCap  uint8 // log2 of the operand run's capacity
	// AsmFlags are the AsmPrinter's comment flags.
	AsmFlags uint8
	numOps   uint32
	flags    MIFlags
	opOff    uint32 // first operand row
	memOff   uint32 // in Function.memRefs: the number of memory operands, then they
	block    BlockID
	prev     InstrID
	next     InstrID
	order    uint32 // key in the block when that is ordered, see Before
	// Loc is the debug location: an index into Function.Locs (the module's MDID), 0 none.
	Loc DebugLoc
	// extra is an index into Function.extras for what few instructions have
	// (symbols, markers, instruction numbers, pc-sections), 0 none.
	extra uint32
}

// DebugLoc is a debug location: the metadata node (ir.MDID) of a DILocation, 0 none.
type DebugLoc uint32

// InstrExtra is what few instructions have.
type InstrExtra struct {
	PreSymbol, PostSymbol uint32 // index into Function.Symbols + 1
	HeapAlloc             uint32 // ir.MDID
	PCSections            uint32 // ir.MDID
	MMRA                  uint32 // ir.MDID
	CFIType               uint32
	HasCFIType            bool
	// Number is the debug instruction number (debug-instr-number), 0 none.
	Number uint32
	// DeactivationSymbol is a global (ir.GlobalID), 0 none.
	DeactivationSymbol uint32
}

// Flags returns the instruction's flags.
func (in *Instr) Flags() MIFlags { return in.flags }

// SetFlags replaces the instruction's flags but for the bundle bits.
func (in *Instr) SetFlags(fl MIFlags) {
	const bundle = BundledPred | BundledSucc
	in.flags = in.flags&bundle | fl&^bundle
}

// AddFlags sets more flags.
func (in *Instr) AddFlags(fl MIFlags) { in.flags |= fl }

// ClearFlags clears flags.
func (in *Instr) ClearFlags(fl MIFlags) { in.flags &^= fl }

// Block returns the block that the instruction stands in, 0 when removed.
func (in *Instr) Block() BlockID { return in.block }

// Next returns the following instruction of the block, 0 at the end.
func (in *Instr) Next() InstrID { return in.next }

// Prev returns the preceding instruction of the block, 0 at the start.
func (in *Instr) Prev() InstrID { return in.prev }

// NumOps returns the number of operands, implicit ones included.
func (in *Instr) NumOps() int { return int(in.numOps) }

// Instr returns the row of i; good until an instruction is created.
func (f *Function) Instr(i InstrID) *Instr { return &f.instrs[i] }

// NumInstrIDs bounds the ids of instructions, freed ones included: what a table
// that is indexed by InstrID needs (row 0 is no instruction).
func (f *Function) NumInstrIDs() int { return len(f.instrs) }

// Ops returns the operands of i; good until an operand is added anywhere. They
// are changed by SetReg, SetOpFlag, ReplaceOp …
func (f *Function) Ops(i InstrID) []Operand {
	in := &f.instrs[i]
	return f.ops[in.opOff : in.opOff+in.numOps : in.opOff+in.numOps]
}

// Op returns operand n of i; good until an operand is added anywhere.
func (f *Function) Op(i InstrID, n int) *Operand { return &f.ops[f.instrs[i].opOff+uint32(n)] }

// OpID returns the id of operand n of i.
func (f *Function) OpID(i InstrID, n int) OpID { return OpID(f.instrs[i].opOff + uint32(n)) }

// OpAt returns the operand row of id.
func (f *Function) OpAt(id OpID) *Operand { return &f.ops[id] }

// Owner returns the instruction and the operand number of id.
func (f *Function) Owner(id OpID) (InstrID, int) {
	i := f.owner[id]
	return i, int(uint32(id) - f.instrs[i].opOff)
}

// New creates an instruction that stands in no block yet.
func (f *Function) New(op desc.Opcode, ops ...Operand) InstrID {
	var id InstrID
	if n := len(f.freeInstrs); n > 0 {
		id = f.freeInstrs[n-1]
		f.freeInstrs = f.freeInstrs[:n-1]
	} else {
		id = InstrID(checkedLen(len(f.instrs)))
		f.instrs = push(f.instrs, Instr{})
	}
	class := opClass(len(ops))
	off := f.allocOps(class)
	f.instrs[id] = Instr{Opcode: op, opCap: class, opOff: off}
	f.hasDebug = f.hasDebug || isDebug(op)
	f.setOps(id, &f.instrs[id], ops)
	return id
}

// setOps gives row id of an instruction without operands, which has room for them, its operands.
func (f *Function) setOps(id InstrID, in *Instr, ops []Operand) {
	off := in.opOff
	in.numOps = checkedLen(len(ops))
	owner, rows := f.owner[off:][:len(ops)], f.ops[off:][:len(ops)]
	for k := range rows { // they are few: a call to copy them takes longer
		owner[k] = id
		o := &rows[k]
		*o = ops[k]
		o.sub &= subMask // a tie is between operands, not part of one
		switch {
		case o.kind != OpReg:
		case o.idx == 0: // no register, as two of most addresses
			o.val = 0
		case o.Reg() >= firstVirtual:
			f.linkIn(OpID(off)+OpID(k), o)
		default:
			f.link(OpID(off)+OpID(k), o)
		}
	}
}

// dropOps takes the operands of i out of the lists of their registers; the rows are nothing's then.
func (f *Function) dropOps(i InstrID) {
	in := &f.instrs[i]
	owner, ops := f.owner[in.opOff:][:in.numOps], f.ops[in.opOff:][:in.numOps]
	for k := range ops {
		o := &ops[k]
		if o.kind == OpReg {
			if o.tie() == farTie {
				delete(f.farTies, tiedOp{i, uint32(k)})
			}
			if f.isLinked(o.Reg()) {
				f.unlink(OpID(in.opOff)+OpID(k), o)
			}
		}
		*o, owner[k] = Operand{}, 0
	}
}

// Clone copies an instruction with operands, flags, memory operands and
// location; the copy stands in no block.
func (f *Function) Clone(i InstrID) InstrID {
	src := f.instrs[i]
	// The operands may move while they are copied.
	var buf [16]Operand
	id := f.New(src.Opcode, append(buf[:0], f.Ops(i)...)...)
	f.copyTies(id, i)
	in := &f.instrs[id]
	in.flags = src.flags &^ (BundledPred | BundledSucc)
	in.Loc, in.AsmFlags = src.Loc, src.AsmFlags
	in.memOff = src.memOff
	if src.extra != 0 {
		e := f.extras[src.extra]
		e.Number = 0
		f.SetExtra(id, e)
	}
	return id
}

// Extra returns what few instructions have, the zero InstrExtra for most.
func (f *Function) Extra(i InstrID) InstrExtra { return f.extras[f.instrs[i].extra] }

// HasExtra reports whether i has any of what few instructions have.
func (f *Function) HasExtra(i InstrID) bool { return f.instrs[i].extra != 0 }

// SetExtra replaces what Extra returns.
func (f *Function) SetExtra(i InstrID, e InstrExtra) {
	in := &f.instrs[i]
	switch {
	case in.extra != 0:
		f.extras[in.extra] = e
	case e != InstrExtra{}:
		f.extras = append(f.extras, e)
		in.extra = uint32(len(f.extras) - 1)
	}
}

// LooseOps gives memory for n operands that are no instruction's, a branch's
// condition for instance; it is the caller's until FreeLooseOps, which comes
// behind each pass.
func (f *Function) LooseOps(n int) []Operand {
	if len(f.looseOps)+n > cap(f.looseOps) {
		// What was given out stays where it is.
		f.looseOps = make([]Operand, 0, max(64, n, 2*cap(f.looseOps)))
	}
	k := len(f.looseOps)
	f.looseOps = f.looseOps[:k+n]
	clear(f.looseOps[k:])
	return f.looseOps[k : k+n : k+n]
}

// FreeLooseOps takes back all that LooseOps gave.
func (f *Function) FreeLooseOps() { f.looseOps = f.looseOps[:0] }

// allocOps gives room for the operands of an instruction; what stands there is nothing's.
func (f *Function) allocOps(class uint8) uint32 {
	if l := f.freeOps[class]; len(l) > 0 {
		off := l[len(l)-1]
		f.freeOps[class] = l[:len(l)-1]
		return off
	}
	off := len(f.ops)
	n := off + 1<<class
	checkedLen(n)
	if n > cap(f.ops) {
		f.growArena(max(256, 2*n))
	}
	f.ops = f.ops[:n]
	f.owner = f.owner[:n]
	return uint32(off)
}

// growArena gives the arena of operands that capacity.
func (f *Function) growArena(n int) {
	f.ops = append(make([]Operand, 0, n), f.ops...)
	f.owner = append(make([]InstrID, 0, n), f.owner...)
}

// placeOp writes an operand row and links it into its register's list.
func (f *Function) placeOp(i InstrID, id OpID, o Operand) {
	o.sub &= subMask // a tie is between operands, not part of one
	row := &f.ops[id]
	*row = o
	f.owner[id] = i
	if o.kind == OpReg {
		f.link(id, row)
	}
}

// AddOp appends an operand. As in LLVM, an explicit operand goes before the
// implicit register operands that are there already.
func (f *Function) AddOp(i InstrID, o Operand) {
	n := f.instrs[i].NumOps()
	at := n
	if !(o.kind == OpReg && o.flags&Implicit != 0) {
		for at > 0 {
			p := f.Op(i, at-1)
			if p.kind == OpReg && p.flags&Implicit != 0 {
				at--
				continue
			}
			break
		}
	}
	f.InsertOp(i, at, o)
}

// InsertOp inserts an operand at position at. Ties of the operands behind it are kept.
func (f *Function) InsertOp(i InstrID, at int, o Operand) {
	in := &f.instrs[i]
	n := int(in.numOps)
	if n == 1<<in.opCap {
		f.growOps(in, in.opCap+1)
	}
	base := OpID(in.opOff)
	for k := n; k > at; k-- {
		f.moveOp(base+OpID(k-1), base+OpID(k))
	}
	in.numOps++
	f.placeOp(i, base+OpID(at), o)
	if at < n {
		f.shiftTies(i, at, 1)
	}
	if len(f.listeners) > 0 {
		f.tellChanged(i, at, Operand{})
	}
}

// growOps gives an instruction room for more operands.
func (f *Function) growOps(in *Instr, class uint8) {
	off := f.allocOps(class)
	for k := range OpID(in.numOps) {
		f.moveOp(OpID(in.opOff)+k, OpID(off)+k)
	}
	f.freeOps[in.opCap] = append(f.freeOps[in.opCap], in.opOff)
	in.opOff, in.opCap = off, class
}

// RemoveOp removes operand at.
func (f *Function) RemoveOp(i InstrID, at int) {
	in := &f.instrs[i]
	base := OpID(in.opOff)
	if f.ops[base+OpID(at)].IsTied() {
		f.Untie(i, at)
	}
	was := f.ops[base+OpID(at)]
	if was.kind == OpReg {
		f.unlink(base+OpID(at), &f.ops[base+OpID(at)])
	}
	n := int(in.numOps)
	for k := at; k < n-1; k++ {
		f.moveOp(base+OpID(k+1), base+OpID(k))
	}
	f.ops[base+OpID(n-1)] = Operand{}
	in.numOps--
	if at < n-1 {
		f.shiftTies(i, at, -1)
	}
	if len(f.listeners) > 0 {
		f.tellRemoved(i, at, was)
	}
}

// moveOp moves an operand row, keeping its links.
func (f *Function) moveOp(from, to OpID) {
	o := f.ops[from]
	f.ops[to] = o
	f.owner[to] = f.owner[from]
	if o.kind != OpReg || !f.isLinked(o.Reg()) {
		return
	}
	head := f.useHead(o.Reg())
	if *head == from {
		*head = to
	} else {
		f.ops[o.prev()].setNext(to)
	}
	if n := o.next(); n != 0 {
		f.ops[n].setPrev(to)
	} else {
		// The head's prev names the tail.
		f.ops[*head].setPrev(to)
	}
}

// Erase takes an instruction out of its block and frees its row.
func (f *Function) Erase(i InstrID) {
	if f.instrs[i].block != 0 {
		f.Remove(i)
	}
	f.dropOps(i)
	in := &f.instrs[i]
	f.freeOps[in.opCap] = append(f.freeOps[in.opCap], in.opOff)
	*in = Instr{}
	f.freeInstrs = append(f.freeInstrs, i)
}
