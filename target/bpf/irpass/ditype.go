package irpass

import (
	"errors"
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target/bpf/btf"
)

// DIType is bpf-preserve-di-type of one function: llvm.bpf.btf.type.id becomes a load from a
// variable that stands for the number of a type, the program's own or the kernel's.
func (r *Run) DIType(f *ir.Function) error {
	if !btf.Described(r.M) {
		return nil
	}
	n := numbersOf()
	var calls []ir.InstrID
	eachInstr(f, func(i ir.InstrID) {
		if f.Instrs[i].Op == ir.OpCall && f.IntrinsicOf(i) == n.typeID {
			calls = append(calls, i)
		}
	})
	if len(calls) == 0 {
		return nil
	}
	f.IndexUses()
	defer f.DropUses()
	for _, call := range calls {
		t := attachment(f, call, accessAttachment)
		if t == 0 {
			return errors.New("Missing metadata for llvm.bpf.btf.type.id intrinsic")
		}
		kinds := [...]int{btf.TypeIDLocal, btf.TypeIDRemote}
		flag := constant(f, f.Op(call, 1))
		if flag >= uint64(len(kinds)) {
			return errors.New("Incorrect flag for llvm.bpf.btf.type.id intrinsic")
		}
		for {
			m := r.at(t)
			if tag := m.FieldText("tag"); m.Str != "DIDerivedType" || tag != "DW_TAG_const_type" && tag != "DW_TAG_volatile_type" {
				break
			}
			if t = m.FieldNode("baseType"); t == 0 {
				return errors.New("llvm.bpf.btf.type.id of void")
			}
		}
		if m := r.at(t); kinds[flag] == btf.TypeIDRemote && m.FieldText("name") == "" {
			if m.Str == "DISubroutineType" {
				return errors.New("SubroutineType not supported for BTF_TYPE_ID_REMOTE reloc")
			}
			return errors.New("Empty type name for BTF_TYPE_ID_REMOTE reloc")
		}
		g := r.relocation("llvm.btf_type_id."+strconv.Itoa(r.typeIDs)+"$"+strconv.Itoa(kinds[flag]), ir.Int64, btf.AttrTypeID, t)
		r.typeIDs++
		replace(f, call, r.passThrough(f, call, r.loadFrom(f, call, g, ir.Int64)))
	}
	return nil
}
