package globalisel

import (
	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/target"
)

// Modules call the same functions over and over. What depends on the types and
// attributes of a call alone is found once and kept by them, in a table of limited
// size where a newer call takes the place of an older one.

// signatureKey is what the lowering of a call without variable arguments
// depends on: its function type and convention, its attributes and those of the
// callee's declaration (0: not known).
type signatureKey struct {
	ft         ir.Type
	site, decl ir.AttrListID
	cc         uint16
}

// signature is what was found out about calls of one key.
type signature struct {
	key signatureKey
	// ret and params are the attributes of site and declaration together.
	ret    ir.AttrSet
	params []ir.AttrSet
	// inRegs says that the result needs no memory.
	inRegs             bool
	hasArgs, hasResult bool
	args, result       callconv.Placement
}

// signatures is the table of a subtarget and a module.
type signatures struct {
	st    *target.Subtarget
	types *ir.Types
	at    [numSignatures]uint16 // by hash: the number of a row, from 1; 0 none
	rows  []signature           // as many as there are hashes of calls so far
}

const numSignatures = 1024

// of returns the row of a key; known is false when all but the key is to be filled in.
func (s *signatures) of(st *target.Subtarget, types *ir.Types, key signatureKey) (sig *signature, known bool) {
	if s.st != st || s.types != types {
		s.st, s.types = st, types
		for k := range s.rows {
			s.rows[k].key = signatureKey{}
		}
	}
	h := uint32(key.ft)*0x9e3779b1 ^ uint32(key.site)*0x85ebca6b ^ uint32(key.decl)*0xc2b2ae35 ^ uint32(key.cc)
	at := &s.at[(h^h>>15)%numSignatures]
	if *at == 0 {
		s.rows = append(s.rows, signature{})
		*at = uint16(len(s.rows))
	}
	sig = &s.rows[*at-1]
	if sig.key == key {
		return sig, true
	}
	*sig = signature{key: key, params: sig.params[:0], args: sig.args, result: sig.result}
	return sig, false
}

// signature is the row of call i, nil for one with variable arguments. decl is
// the list of attributes of the callee's declaration, 0 when it is not known.
func (t *translator) signature(i ir.InstrID, decl ir.AttrListID, parts []callconv.Part) *signature {
	in := t.fn.Instr(i)
	params := t.types.Subtypes(in.SrcType)
	if t.types.IsVarArg(in.SrcType) || len(params) != t.fn.NumArgOps(i) {
		return nil
	}
	sig, known := t.calls.sigs.of(t.st, t.types, signatureKey{in.SrcType, in.Attrs, decl, in.CC})
	if !known {
		site, d := t.mod.Attrs.At(in.Attrs), t.mod.Attrs.At(decl)
		sig.ret = mergeAttrs(site.Ret, d, -1)
		for n := range params {
			sig.params = append(sig.params, mergeAttrs(site.Param(n), d, n))
		}
		sig.inRegs = t.calls.canLowerReturn(t.st, t.types, parts, in.CC)
	}
	return sig
}
