package bpf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/helper"
)

// Func writes a function: an ir.Builder with what eBPF has more. Its own methods give their
// instructions the line of the Go program that calls them; the builder's take the last one (Line).
type Func struct {
	ir.Builder
	unit  *Unit
	scope ir.MDID
}

func (f Func) at(p place) { f.Loc(f.unit.DI.Location(p.line, 1, f.scope)) }

// Line gives the instructions from here on the line of the caller.
func (f Func) Line() { f.at(callerLine()) }

// Unit is what the function belongs to.
func (f Func) Unit() *Unit { return f.unit }

// Helper calls a helper of the kernel by its number; result is the type of what it returns
// (bpf.I64 for most, bpf.Pointer for those that return one).
func (f Func) Helper(id helper.ID, result Type, args ...ir.Value) ir.Value {
	f.at(callerLine())
	return f.helper(id, result, args...)
}

func (f Func) helper(id helper.ID, result Type, args ...ir.Value) ir.Value {
	params := make([]ir.Type, len(args))
	for i, a := range args {
		params[i] = f.TypeOf(a)
	}
	t := f.unit.Module.Types
	fn := f.IntToPtr(f.Int(ir.Int64, int64(id)), t.Pointer(0))
	return f.CallPtr(t.Func(result.IR(t), params, false), fn, 0, args...)
}

// Stack is a variable on the stack, of which a function has 512 bytes.
func (f Func) Stack(name string, t Type) ir.Value {
	f.at(callerLine())
	return f.stack(name, t)
}

// stack makes the variable at the begin of the entry block: only there it has a place of its own
// in the frame.
func (f Func) stack(name string, t Type) ir.Value {
	fn, back := f.Func(), f.Current()
	entry := fn.Order[0]
	if first := fn.Blocks[entry].First; first != 0 {
		f.SetBefore(first)
	} else {
		f.SetBlock(entry)
	}
	v := f.Name(name).Alloca(t.IR(f.unit.Module.Types))
	f.SetBlock(back)
	return v
}

// MapLookup is bpf_map_lookup_elem: a pointer to the value of the key at an address, null where
// there is none, which the program has to check.
func (f Func) MapLookup(m, key ir.Value) ir.Value {
	f.at(callerLine())
	return f.helper(helper.MapLookupElem, Pointer(nil), m, key)
}

// MapUpdate is bpf_map_update_elem.
func (f Func) MapUpdate(m, key, value ir.Value, flags uint64) ir.Value {
	f.at(callerLine())
	return f.helper(helper.MapUpdateElem, I64, m, key, value, f.Int(ir.Int64, int64(flags)))
}

// IsNull compares a pointer with null.
func (f Func) IsNull(p ir.Value) ir.Value {
	return f.ICmp(ir.ICmpEQ, p, f.Null(f.unit.Module.Types.Pointer(0)))
}

// FetchAdd adds to a number in memory, which other processors may do too, and gives the old one.
func (f Func) FetchAdd(p, v ir.Value) ir.Value {
	f.at(callerLine())
	return f.Emit(ir.Instr{Op: ir.OpAtomicRMW, Pred: ir.Pred(ir.RMWAdd), Type: f.TypeOf(v), Order: ir.Monotonic, Align: alignOf(f.Layout().ABIAlign(f.unit.Module.Types, f.TypeOf(v)))}, p, v)
}

// alignOf is an alignment as instructions have it.
func alignOf(bytes uint64) uint8 {
	n := uint8(1)
	for bytes > 1 {
		n, bytes = n+1, bytes/2
	}
	return n
}

// FieldAddr is the address of a field of a structure of the kernel's, through members of members:
// FieldAddr(task, p, "signal", "nr_threads") is &p->signal.nr_threads. Loaders put in where the
// running kernel has the field.
func (f Func) FieldAddr(t *StructType, p ir.Value, path ...string) ir.Value {
	f.at(callerLine())
	v, _ := f.fieldAddr(t, p, path)
	return v
}

func (f Func) fieldAddr(t Type, p ir.Value, path []string) (ir.Value, Type) {
	types := f.unit.Module.Types
	for _, name := range path {
		s, ok := t.(*StructType)
		if !ok {
			f.Fail("%s has no field %s", t, name)
			return p, t
		}
		i := s.field(name)
		if i < 0 {
			f.Fail("%s has no field %s", t, name)
			return p, t
		}
		n := f.Int(ir.Int32, int64(i))
		v := f.Intrinsic("llvm.preserve.struct.access.index.p0.p0", types.Pointer(0), p, n, n)
		f.annotate(v, s)
		p, t = v, s.Fields[i].Type
	}
	return p, t
}

// annotate gives a call of an intrinsic the type of what it accesses.
func (f Func) annotate(v ir.Value, s *StructType) {
	fn, m := f.Func(), f.unit.Module
	if !v.IsLocal() {
		return
	}
	in := &fn.Instrs[v.Instr()]
	in.Attrs = m.Attrs.Intern(&ir.AttrList{Params: []ir.AttrSet{{{Key: "elementtype", Type: s.IR(m.Types)}}}})
	fn.Attachments = append(fn.Attachments, ir.Attachment{Kind: m.MDKind("llvm.preserve.access.index"), Node: f.unit.typeID(s), Next: in.MD})
	in.MD = uint32(len(fn.Attachments) - 1)
}

// Field loads a field, through members of members, from memory that the program may read itself:
// arguments of fentry and tp_btf programs, what these point to.
func (f Func) Field(t *StructType, p ir.Value, path ...string) ir.Value {
	f.at(callerLine())
	v, ft := f.fieldAddr(t, p, path)
	return f.Load(ft.IR(f.unit.Module.Types), v)
}

// ReadField reads a field from any memory of the kernel, by bpf_probe_read_kernel; where that fails
// it is 0.
func (f Func) ReadField(t *StructType, p ir.Value, path ...string) ir.Value {
	f.at(callerLine())
	v, ft := f.fieldAddr(t, p, path)
	to := f.stack("", ft)
	f.helper(helper.ProbeReadKernel, I64, to, f.Int(ir.Int32, int64(ft.Size())), v)
	return f.Load(ft.IR(f.unit.Module.Types), to)
}

// What FieldInfo asks, by the numbers of CO-RE relocations (linux/bpf.h, enum bpf_core_relo_kind).
type FieldInfo int64

// The questions.
const (
	FieldByteOffset FieldInfo = iota
	FieldByteSize
	FieldExists
	FieldSigned
)

// FieldInfo is a number that loaders put in: what the running kernel has of a field.
func (f Func) FieldInfo(q FieldInfo, t *StructType, path ...string) ir.Value {
	f.at(callerLine())
	types := f.unit.Module.Types
	v, _ := f.fieldAddr(t, f.Null(types.Pointer(0)), path)
	return f.Intrinsic("llvm.bpf.preserve.field.info.p0", ir.Int32, v, f.Int(ir.Int64, int64(q)))
}

// ContextField loads a field of the program's context (xdp_md, __sk_buff, pt_regs): at the place of
// the type's field, with an offset that the kernel sees.
func (f Func) ContextField(t *StructType, ctx ir.Value, name string) ir.Value {
	f.at(callerLine())
	i := t.field(name)
	if i < 0 {
		f.Fail("%s has no field %s", t, name)
		return f.Int(ir.Int64, 0)
	}
	types := f.unit.Module.Types
	return f.Load(t.Fields[i].Type.IR(types), f.Builder.Field(t.IR(types), ctx, i))
}

// Offset is the address some bytes behind another one.
func (f Func) Offset(p ir.Value, bytes int64) ir.Value {
	return f.GEP(ir.Int8, p, f.Int(ir.Int64, bytes))
}
