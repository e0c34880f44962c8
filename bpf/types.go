package bpf

import (
	"fmt"

	"github.com/mirin-go/mirin/ir"
)

// Type is a type of values as C has them: what the kernel is told of maps, functions and fields.
// Types are made by this package's functions, belong to no unit and never change.
type Type interface {
	// Size is the size in bytes, Align the alignment.
	Size() int
	Align() int
	// String is the type in C's words.
	String() string
	// IR is the type in LLVM IR.
	IR(t *ir.Types) ir.Type
	// describe makes the debug information of the type.
	describe(u *Unit) ir.MDID
}

// The numbers.
var (
	Bool Type = integer{"_Bool", 8, "DW_ATE_boolean"}
	Char Type = integer{"char", 8, "DW_ATE_signed_char"}
	I8   Type = integer{"signed char", 8, "DW_ATE_signed_char"}
	U8   Type = integer{"unsigned char", 8, "DW_ATE_unsigned_char"}
	I16  Type = integer{"short", 16, "DW_ATE_signed"}
	U16  Type = integer{"unsigned short", 16, "DW_ATE_unsigned"}
	I32  Type = integer{"int", 32, "DW_ATE_signed"}
	U32  Type = integer{"unsigned int", 32, "DW_ATE_unsigned"}
	I64  Type = integer{"long", 64, "DW_ATE_signed"}
	U64  Type = integer{"unsigned long", 64, "DW_ATE_unsigned"}
)

type integer struct {
	name     string
	bits     int
	encoding string
}

func (i integer) Size() int              { return i.bits / 8 }
func (i integer) Align() int             { return i.bits / 8 }
func (i integer) String() string         { return i.name }
func (i integer) IR(t *ir.Types) ir.Type { return t.Int(i.bits) }
func (i integer) describe(u *Unit) ir.MDID {
	return u.DI.BasicType(i.name, uint64(i.bits), i.encoding)
}

// Pointer is a pointer to a type, nil for void.
func Pointer(to Type) Type { return &pointer{to} }

type pointer struct{ to Type }

func (p *pointer) Size() int              { return 8 }
func (p *pointer) Align() int             { return 8 }
func (p *pointer) IR(t *ir.Types) ir.Type { return t.Pointer(0) }
func (p *pointer) String() string {
	if p.to == nil {
		return "void *"
	}
	return p.to.String() + " *"
}
func (p *pointer) describe(u *Unit) ir.MDID {
	to := ir.MDID(0)
	if p.to != nil {
		to = u.typeID(p.to)
	}
	return u.DI.PointerType(to, 64)
}

// ArrayOf is an array of n elements.
func ArrayOf(elem Type, n int) Type { return &array{elem, n} }

type array struct {
	elem Type
	n    int
}

func (a *array) Size() int              { return a.n * a.elem.Size() }
func (a *array) Align() int             { return a.elem.Align() }
func (a *array) String() string         { return fmt.Sprintf("%s[%d]", a.elem, a.n) }
func (a *array) IR(t *ir.Types) ir.Type { return t.Array(a.elem.IR(t), uint64(a.n)) }
func (a *array) describe(u *Unit) ir.MDID {
	return u.DI.ArrayType(u.typeID(a.elem), uint64(a.n), uint64(8*a.Size()))
}

// Field is a member of a structure.
type Field struct {
	Name string
	Type Type
}

// StructType is a structure with its members at C's places.
type StructType struct {
	Name   string
	Fields []Field
}

// Struct is a structure. One that stands for the kernel's needs the fields that the program names,
// in any order and at any place: CO-RE finds where the running kernel has them, by their names.
func Struct(name string, fields ...Field) *StructType { return &StructType{name, fields} }

// Add adds fields, so that structures can hold pointers to themselves.
func (s *StructType) Add(fields ...Field) { s.Fields = append(s.Fields, fields...) }

// Align is the largest alignment of a member.
func (s *StructType) Align() int {
	a := 1
	for _, f := range s.Fields {
		a = max(a, f.Type.Align())
	}
	return a
}

// Size is the size with the padding at the end.
func (s *StructType) Size() int {
	n := 0
	for _, f := range s.Fields {
		n = roundUp(n, f.Type.Align()) + f.Type.Size()
	}
	return roundUp(n, s.Align())
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// String is the name in C.
func (s *StructType) String() string { return "struct " + s.Name }

// IR is a structure without a name.
func (s *StructType) IR(t *ir.Types) ir.Type {
	list := make([]ir.Type, len(s.Fields))
	for i, f := range s.Fields {
		list[i] = f.Type.IR(t)
	}
	return t.Struct(list, false)
}

// field is the number of a member, -1 for none.
func (s *StructType) field(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

func (s *StructType) describe(u *Unit) ir.MDID {
	id := u.DI.StructType(0, s.Name, u.file, 0, uint64(8*s.Size()))
	u.types[s] = id // members may point here
	var members []ir.MDID
	at := 0
	for _, f := range s.Fields {
		at = roundUp(at, f.Type.Align())
		members = append(members, u.DI.Member(id, f.Name, u.file, 0, u.typeID(f.Type), uint64(8*f.Type.Size()), uint64(8*at)))
		at += f.Type.Size()
	}
	u.DI.SetMembers(id, members...)
	return id
}
