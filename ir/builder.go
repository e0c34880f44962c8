package ir

import (
	"math/bits"
	"strconv"
)

// Builder writes the instructions of one function, as LLVM's IRBuilder does.
// Its methods are named after the instructions:
//
//	b := ir.NewBuilder(f)
//	b.SetBlock(b.Block("entry"))
//	sum := b.Name("sum").With(ir.NSW).Add(b.Arg(0), b.Int(ir.Int32, 1))
//	b.Ret(sum)
//
// Name and With give a builder that names the instructions it adds, or adds
// flags to them; they write to the same place.
// Alignments that are not given are those of the module's data layout, as when
// text is read.
//
// A fault (operands of different types, an instruction behind a terminator,
// no block to write to) is remembered: Err returns the first one, and the
// builder goes on with poison values, so that a front end can check once a
// function; the module keeps the first of all its functions' (Module.Err), and is
// refused by what would compile it. A fault has the place in the code that called
// the builder. What needs the whole function (a use that no definition dominates, a
// block without a terminator) is the verifier's.
type Builder struct {
	*builder
	name  string
	flags Flags
}

// builder is what all Builders of one function share.
type builder struct {
	Constants
	f      *Function
	layout *DataLayout
	block  BlockID
	before InstrID // insert before this one; 0: at the block's end
	loc    MDID
	err    error
	ops    []Value
	names  map[string]bool // of values and blocks, made when the first name is given
	// lastUnique is the last number that Unique put behind a name.
	lastUnique int
}

// NewBuilder returns a builder for f, without a block to write to.
func NewBuilder(f *Function) Builder {
	b := Builder{builder: &builder{f: f}}
	b.Constants = Constants{pool: &f.Consts, t: f.Module.Types, fault: b.fail}
	var err error
	if b.layout, err = ParseDataLayout(f.Module.DataLayout); err != nil {
		b.fail("data layout of the module: %v", err)
		b.layout = newDataLayout()
	}
	return b
}

// Func returns the function, Layout the module's data layout.
func (b Builder) Func() *Function { return b.f }

// Layout returns the module's data layout.
func (b Builder) Layout() *DataLayout { return b.layout }

// Err returns the first fault.
func (b Builder) Err() error { return b.err }

// Block adds a block at the end of the function; "" leaves it to be numbered.
func (b Builder) Block(name string) BlockID { return b.f.AddBlock(b.Unique(name)) }

// SetBlock makes the builder write at the end of a block.
func (b Builder) SetBlock(blk BlockID) {
	b.block, b.before = 0, 0
	if b.knownBlock(blk) {
		b.block = blk
	}
}

// SetBefore makes the builder write before an instruction.
func (b Builder) SetBefore(i InstrID) {
	b.block, b.before = 0, 0
	switch {
	case !b.knownInstr(i):
	case b.f.Instrs[i].Block == 0:
		b.fail("SetBefore: the instruction is in no block")
	default:
		b.block, b.before = b.f.Instrs[i].Block, i
	}
}

// Current returns the block that is written to.
func (b Builder) Current() BlockID { return b.block }

// Terminated reports whether the block that is written to ends in a terminator.
func (b Builder) Terminated() bool {
	return b.block != 0 && b.before == 0 && b.f.Blocks[b.block].Last != 0 && b.f.Instrs[b.f.Blocks[b.block].Last].Op.IsTerminator()
}

// IsTerminator reports the operations that end a block.
func (op Op) IsTerminator() bool { return op >= OpRet && op <= OpCallBr }

// Name returns a builder that names the results of its instructions.
func (b Builder) Name(name string) Builder { b.name = name; return b }

// With returns a builder that gives its instructions flags.
func (b Builder) With(fl Flags) Builder { b.flags |= fl; return b }

// Loc gives the next instructions a debug location (a DILocation), 0 for none.
func (b Builder) Loc(loc MDID) { b.loc = loc }

// Unique makes a name that no other value and block of the function has, as
// LLVM does: with a number behind it that counts all names that were taken.
func (b Builder) Unique(name string) string {
	if name == "" {
		return ""
	}
	if b.names == nil {
		b.names = make(map[string]bool, 64)
		for _, n := range b.f.ValueNames {
			b.names[n] = true
		}
		for _, n := range b.f.BlockNames {
			b.names[n] = true
		}
	}
	s := name
	for b.names[s] {
		b.lastUnique++
		s = name + strconv.Itoa(b.lastUnique)
	}
	b.names[s] = true
	return s
}

// Emit adds an instruction that no other method makes and returns its result.
// in says all but the operands, the location and, besides its own flags, those of With.
func (b Builder) Emit(in Instr, ops ...Value) Value { return b.emit(in, ops...) }

// emit adds an instruction and returns its result.
func (b Builder) emit(in Instr, ops ...Value) Value {
	in.Flags |= b.flags
	in.Loc = b.loc
	ok := true
	for _, v := range ops {
		ok = ok && b.known(v)
	}
	switch {
	case !ok:
	case b.block == 0:
		b.fail("%v: there is no block to write to; call SetBlock", in.Op)
	case b.Terminated():
		b.fail("%v: block %%%s ends in a terminator", in.Op, b.f.BlockNames[b.block])
	default:
		var id InstrID
		if b.before != 0 {
			id = b.f.InsertBefore(b.before, in, ops...)
		} else {
			id = b.f.Append(b.block, in, ops...)
			// Debug records at the block's end now stand before the instruction.
			blk := &b.f.Blocks[b.block]
			b.f.Instrs[id].Records, blk.Records = blk.Records, 0
		}
		if in.Type != Void && b.name != "" {
			b.f.ValueNames[id] = b.Unique(b.name)
		}
		return Local(id)
	}
	if in.Type == Void || in.Type == NoType {
		return 0
	}
	return b.poison(in.Type)
}

// Arg returns the function's argument i, counted from 0.
func (b Builder) Arg(i int) Value {
	if i < 0 || i >= b.f.NumArgs {
		b.fail("there is no argument %d of %d", i, b.f.NumArgs)
		return b.poison(NoType)
	}
	return Local(b.f.Arg(i))
}

// TypeOf returns the type of a value, NoType of what is none of this function's.
func (b Builder) TypeOf(v Value) Type {
	if !b.known(v) {
		return NoType
	}
	return b.f.TypeOf(v)
}

// Str returns the address of a private constant that holds s and a zero byte.
func (b Builder) Str(s string) Value { return GlobalVal(b.f.Module.AddString("", s)) }

func (b Builder) typeName(t Type) string { return b.t.name(t) }

// abiAlign is the ABI alignment of t in Instr.Align's form.
func (b Builder) abiAlign(t Type) uint8 {
	return uint8(bits.TrailingZeros64(b.layout.ABIAlign(b.t, t))) + 1
}
