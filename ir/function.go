package ir

// Instr is one row of a function's instruction arena. Its operands are the
// contiguous run Operands[opOff:opOff+numOps] of the function.
type Instr struct {
	Op   Op
	Pred Pred // icmp, fcmp; RMWOp of atomicrmw
	// Align is log2(alignment)+1 of load, store, alloca, cmpxchg, atomicrmw; 0: not given.
	Align   uint8
	Order   Ordering // load, store, fence, rmw, cmpxchg success
	Order2  Ordering // cmpxchg failure
	_       uint8
	CC      uint16 // calling convention of call, invoke, callbr
	Flags   Flags
	Type    Type // of the result; Void when there is none
	SrcType Type // alloca: allocated; gep: source element; load: = Type; call: function type; store: type of the value; va_arg: = Type
	opOff   uint32
	numOps  uint32
	// Extra is an index into Function.Extras (see ExtraKind), 0 when none is needed.
	Extra ExtraID
	Loc   MDID // !dbg
	Block BlockID
	Prev  InstrID
	Next  InstrID
	Scope uint32     // sync scope (index into Module.SyncScopes), 0 = system
	Attrs AttrListID // call sites
	MD    uint32     // first of the attachment list in Function.attachments; 0 none
	// Records is the head of the list of debug records that stand before this
	// instruction (index in Function.DbgRecords), 0 none.
	Records uint32
}

// ExtraID names rare data of an instruction in Function.Extras.
type ExtraID uint32

// Extra is rare data of an instruction: index lists, shuffle masks, bundles.
type Extra struct {
	Ints    []int64  // extractvalue, insertvalue indices; shuffle mask (-1: poison); gep inrange(lo, hi); alloca: address space
	Bundles []Bundle // operand bundles of call sites
	// AddrSpace is the address space of an alloca or of a call's callee.
	AddrSpace uint32
	// ClauseFilters marks the filter clauses of a landingpad.
	ClauseFilters []bool
	// NumHandlers is the number of handlers of a catchswitch.
	NumHandlers int
}

// Bundle is an operand bundle of a call site.
type Bundle struct {
	Tag  string
	Args []Value
}

// Block is one basic block: a doubly linked run of instructions.
type Block struct {
	First, Last InstrID
	// Records is the list of debug records after the last instruction (rare).
	Records uint32
}

// Attachment is one metadata attachment of an instruction: kind and node.
type Attachment struct {
	Kind uint32 // index into Module.MDKinds
	Node MDID
	Next uint32 // next attachment of the same instruction, 0 ends
}

// DbgRecord is a #dbg_value, #dbg_declare, #dbg_assign, #dbg_label or #dbg_declare_value record.
type DbgRecord struct {
	Kind DbgKind
	Next uint32
	// Args are the operands in their printed order (metadata as MDIDs; 0: absent).
	Args [6]MDID
	Loc  MDID
}

// DbgKind is the kind of a debug record.
type DbgKind uint8

// The debug records.
const (
	DbgValue DbgKind = iota + 1
	DbgDeclare
	DbgAssign
	DbgLabel
	DbgDeclareValue
)

// Function is a function definition's body. Declarations have none
// (Global.Func is nil). The body's arenas hold no pointers but for Extras and names.
type Function struct {
	Module *Module
	ID     GlobalID // the global that this is the body of
	// Instrs is the arena of instructions and arguments; row 0 is unused, rows
	// 1…NumArgs are the arguments.
	Instrs  []Instr
	NumArgs int
	// Operands holds the operands of all instructions.
	Operands []Value
	// Blocks is the arena of blocks, row 0 unused; Order lists them as they stand in the text.
	Blocks []Block
	Order  []BlockID
	// Consts is the pool of the constants that the body uses.
	Consts      ConstPool
	Extras      []Extra // row 0 unused
	Attachments []Attachment
	DbgRecords  []DbgRecord
	// Names of values and blocks, by id; "" is unnamed (numbered when printed).
	ValueNames []string
	BlockNames []string
	// UseOrders are the use-list orders that the file gave; most functions have none.
	UseOrders  []UseOrder
	UseIndexes []uint32

	uses *useIndex // nil until IndexUses
	// freeUses is the memory of an index that was dropped.
	freeUses *useIndex
	// own says that the body belongs to whoever cloned it and not to the module;
	// localMD is what nodes of local values stand for in it where that is not what they say.
	own     bool
	localMD map[MDID]Value
}

// NewFunction returns an empty body for global g with one argument row per parameter.
func NewFunction(m *Module, g GlobalID) *Function {
	f := &Function{Module: m, ID: g}
	f.Instrs = make([]Instr, 1, 16)
	f.Blocks = make([]Block, 1, 4)
	f.Extras = make([]Extra, 1)
	f.Attachments = make([]Attachment, 1)
	f.DbgRecords = make([]DbgRecord, 1)
	f.ValueNames = []string{""}
	f.BlockNames = []string{""}
	f.Consts.init()
	for _, p := range m.Types.Subtypes(m.Globals[g].ValueType) {
		f.Instrs = append(f.Instrs, Instr{Op: OpArgument, Type: p})
		f.ValueNames = append(f.ValueNames, "")
		f.NumArgs++
	}
	return f
}

// Global returns the global that the function is the body of.
func (f *Function) Global() *Global { return f.Module.Globals[f.ID] }

// Name returns the function's name.
func (f *Function) Name() string { return f.Global().Name }

// Arg returns argument i, counted from 0.
func (f *Function) Arg(i int) InstrID { return InstrID(i + 1) }

// Instr returns the row of i. The pointer is good until an instruction is added.
func (f *Function) Instr(i InstrID) *Instr { return &f.Instrs[i] }

// Ops returns the operands of i; they may be written through the slice.
func (f *Function) Ops(i InstrID) []Value {
	r := &f.Instrs[i]
	return f.Operands[r.opOff : r.opOff+r.numOps : r.opOff+r.numOps]
}

// NumOps returns the number of operands of i.
func (f *Function) NumOps(i InstrID) int { return int(f.Instrs[i].numOps) }

// Op returns operand n of i.
func (f *Function) Op(i InstrID, n int) Value { return f.Operands[f.Instrs[i].opOff+uint32(n)] }

// AddBlock adds a block at the end.
func (f *Function) AddBlock(name string) BlockID {
	b := BlockID(len(f.Blocks))
	f.Blocks = append(f.Blocks, Block{})
	f.BlockNames = append(f.BlockNames, name)
	f.Order = append(f.Order, b)
	return b
}

// Append adds an instruction with its operands at the end of block b.
func (f *Function) Append(b BlockID, in Instr, ops ...Value) InstrID {
	return f.AppendOps(b, &in, ops)
}

// InsertBefore adds an instruction before another one.
func (f *Function) InsertBefore(at InstrID, in Instr, ops ...Value) InstrID {
	id := f.newInstr(&in, ops)
	f.place(id, f.Instrs[at].Block, at)
	if f.uses != nil {
		f.uses.add(f, id)
	}
	return id
}

// newInstr makes the row of an instruction that stands in no block yet.
func (f *Function) newInstr(in *Instr, ops []Value) InstrID {
	id := InstrID(len(f.Instrs))
	in.opOff, in.numOps = uint32(len(f.Operands)), uint32(len(ops))
	f.Operands = append(f.Operands, ops...)
	f.Instrs = append(f.Instrs, *in)
	f.ValueNames = append(f.ValueNames, "")
	return id
}

// place links an instruction into block b before at, at the end when at is 0.
func (f *Function) place(i InstrID, b BlockID, at InstrID) {
	r, blk := &f.Instrs[i], &f.Blocks[b]
	r.Block, r.Next = b, at
	if at != 0 {
		r.Prev = f.Instrs[at].Prev
		f.Instrs[at].Prev = i
	} else {
		r.Prev, blk.Last = blk.Last, i
	}
	if r.Prev != 0 {
		f.Instrs[r.Prev].Next = i
	} else {
		blk.First = i
	}
}

// detach takes an instruction out of its block's list.
func (f *Function) detach(i InstrID) {
	r := &f.Instrs[i]
	if r.Prev != 0 {
		f.Instrs[r.Prev].Next = r.Next
	} else {
		f.Blocks[r.Block].First = r.Next
	}
	if r.Next != 0 {
		f.Instrs[r.Next].Prev = r.Prev
	} else {
		f.Blocks[r.Block].Last = r.Prev
	}
	r.Block, r.Prev, r.Next = 0, 0, 0
}

// Remove takes an instruction out of its block; its row stays unused. What
// reads its result, and debug records before it, are the caller's business: see Erase.
func (f *Function) Remove(i InstrID) {
	if f.uses != nil {
		f.uses.remove(f, i)
	}
	f.detach(i)
	f.Instrs[i].numOps = 0
}

// DeleteAttachments takes the metadata attachments of i for which del is true away.
func (f *Function) DeleteAttachments(i InstrID, del func(*Attachment) bool) {
	for a := &f.Instrs[i].MD; *a != 0; {
		if x := &f.Attachments[*a]; del(x) {
			*a = x.Next
		} else {
			a = &x.Next
		}
	}
}

// SetOp replaces operand n of i.
func (f *Function) SetOp(i InstrID, n int, v Value) {
	slot := f.Instrs[i].opOff + uint32(n)
	old := f.Operands[slot]
	if f.uses != nil {
		f.uses.unlink(slot+1, old)
	}
	f.Operands[slot] = v
	if f.uses != nil {
		f.uses.link(slot+1, i, v)
	}
}

// SetOps replaces the operands of i.
func (f *Function) SetOps(i InstrID, ops []Value) {
	r := &f.Instrs[i]
	if f.uses != nil {
		for k := range r.numOps {
			f.uses.unlink(r.opOff+k+1, f.Operands[r.opOff+k])
		}
	}
	switch n := uint32(len(ops)); {
	case n <= r.numOps:
		copy(f.Operands[r.opOff:], ops)
	case int(r.opOff+r.numOps) == len(f.Operands): // the last run grows in its place
		f.Operands = append(f.Operands[:r.opOff], ops...)
	default:
		r.opOff = uint32(len(f.Operands))
		f.Operands = append(f.Operands, ops...)
	}
	r.numOps = uint32(len(ops))
	if f.uses != nil {
		f.uses.room(f)
		for k := range r.numOps {
			f.uses.link(r.opOff+k+1, i, f.Operands[r.opOff+k])
		}
	}
}

// AddOps adds operands behind those that i has.
func (f *Function) AddOps(i InstrID, ops ...Value) {
	r := &f.Instrs[i]
	if int(r.opOff+r.numOps) != len(f.Operands) {
		f.SetOps(i, append(append(make([]Value, 0, f.NumOps(i)+len(ops)), f.Ops(i)...), ops...))
		return
	}
	f.Operands = append(f.Operands, ops...)
	if f.uses != nil {
		f.uses.room(f)
		for k, v := range ops {
			f.uses.link(r.opOff+r.numOps+uint32(k)+1, i, v)
		}
	}
	r.numOps += uint32(len(ops))
}

// AddExtra stores rare data and returns its id.
func (f *Function) AddExtra(e Extra) ExtraID {
	f.Extras = append(f.Extras, e)
	return ExtraID(len(f.Extras) - 1)
}

// Terminator returns the last instruction of b.
func (f *Function) Terminator(b BlockID) InstrID { return f.Blocks[b].Last }

// Callee returns the called value of a call, invoke or callbr.
func (f *Function) Callee(i InstrID) Value {
	n := f.NumOps(i)
	switch r := &f.Instrs[i]; r.Op {
	case OpCall:
		return f.Op(i, n-1)
	case OpInvoke:
		return f.Op(i, n-3)
	case OpCallBr:
		return f.Op(i, f.NumArgOps(i))
	}
	return 0
}

// NumArgOps returns the number of arguments of a call site.
func (f *Function) NumArgOps(i InstrID) int {
	switch r := &f.Instrs[i]; r.Op {
	case OpCall:
		return f.NumOps(i) - 1
	case OpInvoke:
		return f.NumOps(i) - 3
	case OpCallBr:
		return int(r.Order2)<<8 | int(r.Order) // no ordering on calls: holds the count
	}
	return 0
}

// TypeOf returns the type of a value that stands in this body.
func (f *Function) TypeOf(v Value) Type {
	switch v.Tag() {
	case TagLocal:
		return f.Instrs[v.Index()].Type
	case TagConst:
		return f.Consts.At(v.Const()).Type
	case TagGlobal:
		return f.Module.Types.Pointer(f.Module.Globals[v.Index()].AddrSpace)
	case TagBlock:
		return Label
	case TagMetadata:
		return Metadata
	}
	return Ptr
}

// AppendOps is Append for operands that are already in a slice.
func (f *Function) AppendOps(b BlockID, in *Instr, ops []Value) InstrID {
	id := f.newInstr(in, ops)
	f.place(id, b, 0)
	if f.uses != nil {
		f.uses.add(f, id)
	}
	return id
}

// Reset makes f an empty body of global g again and keeps its memory.
func (f *Function) Reset(m *Module, g GlobalID) {
	f.Module, f.ID, f.NumArgs = m, g, 0
	f.uses, f.own, f.localMD = nil, false, nil
	clear(f.ValueNames)
	clear(f.BlockNames)
	clear(f.Extras)
	f.Instrs, f.Operands, f.Blocks, f.Order = f.Instrs[:1], f.Operands[:0], f.Blocks[:1], f.Order[:0]
	f.Extras, f.Attachments, f.DbgRecords = f.Extras[:1], f.Attachments[:1], f.DbgRecords[:1]
	f.ValueNames, f.BlockNames = f.ValueNames[:1], f.BlockNames[:1]
	f.UseOrders, f.UseIndexes = f.UseOrders[:0], f.UseIndexes[:0]
	f.Consts.reset()
	for _, p := range m.Types.Subtypes(m.Globals[g].ValueType) {
		f.Instrs = append(f.Instrs, Instr{Op: OpArgument, Type: p})
		f.ValueNames = append(f.ValueNames, "")
		f.NumArgs++
	}
}

// Reserve gives an empty body room for n instructions, so that its arenas do
// not grow in steps, each of which is copied into fresh memory.
func (f *Function) Reserve(n int) {
	const small = 256 // less is soon there
	if n < small || n <= cap(f.Instrs) {
		return
	}
	n += n / 8
	f.Instrs = append(make([]Instr, 0, n), f.Instrs...)
	f.Operands = append(make([]Value, 0, 2*n), f.Operands...)
	f.ValueNames = append(make([]string, 0, n), f.ValueNames...)
}

// CopyFrom makes f a copy of body g of the same global, in f's own memory as
// far as it suffices. The copy does not belong to the module: what changes it
// leaves g and the module's metadata as they are. g is only read.
func (f *Function) CopyFrom(g *Function) {
	consts := f.Consts
	consts.Extend(&g.Consts)
	if f.uses != nil {
		f.DropUses()
	}
	*f = Function{
		Module: g.Module, ID: g.ID, NumArgs: g.NumArgs, own: true, freeUses: f.freeUses,
		// Room for what the copy is made for: to be added to.
		Instrs: append(roomFor(f.Instrs, len(g.Instrs)), g.Instrs...), Operands: append(roomFor(f.Operands, len(g.Operands)), g.Operands...),
		Blocks: append(f.Blocks[:0], g.Blocks...), Order: append(f.Order[:0], g.Order...), Consts: consts,
		Extras: append(f.Extras[:0], g.Extras...), Attachments: append(f.Attachments[:0], g.Attachments...),
		DbgRecords: append(f.DbgRecords[:0], g.DbgRecords...),
		ValueNames: append(roomFor(f.ValueNames, len(g.ValueNames)), g.ValueNames...), BlockNames: append(f.BlockNames[:0], g.BlockNames...),
	}
	for k := range f.Extras { // bundles are edited in place
		if b := f.Extras[k].Bundles; len(b) > 0 {
			b = append([]Bundle(nil), b...)
			for j := range b {
				b[j].Args = append([]Value(nil), b[j].Args...)
			}
			f.Extras[k].Bundles = b
		}
	}
	for id, v := range g.localMD {
		if f.localMD == nil {
			f.localMD = map[MDID]Value{}
		}
		f.localMD[id] = v
	}
}

// roomFor empties s and gives it room for n rows and some more.
func roomFor[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, 0, n+n/4)
	}
	return s[:0]
}

// Compact returns a copy of f whose arenas have no spare room.
func (f *Function) Compact() *Function {
	c := &Function{
		Module: f.Module, ID: f.ID, NumArgs: f.NumArgs, Instrs: clip(f.Instrs), Operands: clip(f.Operands),
		Blocks: clip(f.Blocks), Order: clip(f.Order), Extras: clip(f.Extras), Attachments: clip(f.Attachments),
		DbgRecords: clip(f.DbgRecords), ValueNames: clip(f.ValueNames), BlockNames: clip(f.BlockNames),
		UseOrders: clip(f.UseOrders), UseIndexes: clip(f.UseIndexes), own: f.own, localMD: f.localMD,
	}
	c.Consts.copyFrom(&f.Consts)
	return c
}

func clip[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	c := make([]T, len(s))
	copy(c, s)
	return c
}
