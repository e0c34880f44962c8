package irverify

import "github.com/mirin-go/mirin/ir"

// tbaaBase is what is known of a type node: its offsets' width, ^0 when it is not valid.
type tbaaBase struct {
	bad   bool
	width int
}

func (v *verifier) tbaaNewFormat(t ir.MDID) bool {
	o := v.mdOps(t)
	return len(o) >= 3 && v.mdIsNode(o[0])
}

func (v *verifier) tbaaRoot(id ir.MDID) bool { return len(v.mdOps(id)) < 2 }

func (v *verifier) tbaaIsScalar(id ir.MDID) bool {
	if r, ok := v.tbaaScalar[id]; ok {
		return r
	}
	seen := map[ir.MDID]bool{} // the nodes above id
	ok := false
	for n := id; ; {
		o := v.mdOps(n)
		if len(o) != 2 && len(o) != 3 || !v.mdIsString(o[0]) {
			break
		}
		if len(o) == 3 {
			if x, _, isInt := v.mdInt(o[2]); !isInt || x != 0 {
				break
			}
		}
		p := o[1]
		if !v.mdIsNode(p) || seen[p] {
			break
		}
		if v.tbaaRoot(p) {
			ok = true
			break
		}
		if r, known := v.tbaaScalar[p]; known {
			ok = r
			break
		}
		seen[p] = true
		n = p
	}
	// All of the way up are what the last is.
	v.tbaaScalar[id] = ok
	for n := range seen {
		v.tbaaScalar[n] = ok
	}
	return ok
}

// tbaa checks an access tag; i is 0 for a tag of the module.
func (v *verifier) tbaa(i ir.InstrID, in *ir.Instr, id ir.MDID) {
	at := instr(i)
	ops := v.mdOps(id)
	if !v.check(len(ops) > 0, "TBAA metadata cannot have 0 operands", at, mdNode(id)) {
		return
	}
	if in != nil {
		switch in.Op {
		case ir.OpLoad, ir.OpStore, ir.OpCall, ir.OpVAArg, ir.OpAtomicRMW, ir.OpCmpXchg:
		default:
			v.fail("This instruction shall not have a TBAA access tag!", at)
			return
		}
	}
	if v.goodTags.has(id) {
		return
	}
	faults := len(v.out)
	if !v.check(v.mdIsNode(ops[0]) && len(ops) >= 3, "Old-style TBAA is no longer allowed, use struct-path TBAA instead", at) {
		return
	}
	base, access := ops[0], ops[1]
	newFormat := v.mdIsNode(access) && v.tbaaNewFormat(access)
	flag := 3
	if newFormat {
		flag = 4
		if !v.check(len(ops) == 4 || len(ops) == 5, "Access tag metadata must have either 4 or 5 operands", at, mdNode(id)) {
			return
		}
		_, _, ok := v.mdInt(ops[3])
		if !v.check(ok, "Access size field must be a constant", at, mdNode(id)) {
			return
		}
	} else if !v.check(len(ops) < 5, "Struct tag metadata must have either 3 or 4 operands", at, mdNode(id)) {
		return
	}
	if len(ops) == flag+1 {
		n, _, ok := v.mdInt(ops[flag])
		if !v.check(ok, "Immutability tag on struct tag metadata must be a constant", at, mdNode(id)) ||
			!v.check(n <= 1, "Immutability part of the struct tag metadata must be either 0 or 1", at, mdNode(id)) {
			return
		}
	}
	if !v.check(v.mdIsNode(base) && v.mdIsNode(access),
		"Malformed struct tag metadata: base and access-type should be non-null and point to Metadata nodes", at, mdNode(id), v.nodeOrNil(base), v.nodeOrNil(access)) {
		return
	}
	if !newFormat && !v.check(v.tbaaIsScalar(access), "Access type node must be a valid scalar type", at, mdNode(id), mdNode(access)) {
		return
	}
	off, ot, ok := v.mdInt(ops[2])
	if !v.check(ok, "Offset must be constant integer", at, mdNode(id)) {
		return
	}
	width := v.t.IntBits(ot)
	path := map[ir.MDID]bool{}
	seen := false
	for base != 0 && !v.tbaaRoot(base) {
		if path[base] {
			v.fail("Cycle detected in struct path", at, mdNode(id))
			return
		}
		path[base] = true
		b := v.tbaaBaseNode(i, base, newFormat)
		if b.bad {
			return
		}
		seen = seen || base == access
		if v.tbaaIsScalar(base) || base == access {
			if !v.check(off == 0, "Offset not zero at the point of scalar access", at, mdNode(id), int(off)) {
				return
			}
		}
		if !v.check(b.width == width || b.width == 0 && off == 0 || newFormat && b.width < 0,
			"Access bit-width not the same as description bit-width", at, mdNode(id), b.width, width) {
			return
		}
		if newFormat && seen {
			break
		}
		base, off = v.tbaaField(i, base, off, newFormat)
	}
	if v.check(seen, "Did not see access type in access path!", at, mdNode(id)) && len(v.out) == faults {
		v.goodTags.add(id)
	}
}

func (v *verifier) nodeOrNil(id ir.MDID) any {
	if v.mdIsNode(id) {
		return mdNode(id)
	}
	return nil
}

func (v *verifier) tbaaBaseNode(i ir.InstrID, id ir.MDID, newFormat bool) tbaaBase {
	if len(v.mdOps(id)) < 2 {
		v.fail("Base nodes must have at least two operands", instr(i), mdNode(id))
		return tbaaBase{true, -1}
	}
	if b, ok := v.tbaaBase[id]; ok {
		return b
	}
	b := v.tbaaBaseCheck(i, id, newFormat)
	v.tbaaBase[id] = b
	return b
}

func (v *verifier) tbaaBaseCheck(i ir.InstrID, id ir.MDID, newFormat bool) tbaaBase {
	ops := v.mdOps(id)
	bad := tbaaBase{true, -1}
	if len(ops) == 2 {
		if v.tbaaIsScalar(id) {
			return tbaaBase{false, 0}
		}
		return bad
	}
	first, step := 1, 2
	if newFormat {
		first, step = 3, 3
		if len(ops)%3 != 0 {
			v.fail("Access tag nodes must have the number of operands that is a multiple of 3!", mdNode(id))
			return bad
		}
		if _, _, ok := v.mdInt(ops[1]); !ok {
			v.fail("Type size nodes must be constants!", instr(i), mdNode(id))
			return bad
		}
	} else {
		if len(ops)%2 != 1 {
			v.fail("Struct tag nodes must have an odd number of operands!", mdNode(id))
			return bad
		}
		if !v.mdIsString(ops[0]) {
			v.fail("Struct tag nodes have a string as their first operand", mdNode(id))
			return bad
		}
	}
	failed := false
	prev, have := uint64(0), false
	width := -1
	for k := first; k < len(ops); k += step {
		if !v.mdIsNode(ops[k]) {
			v.fail("Incorrect field entry in struct type node!", instr(i), mdNode(id))
			failed = true
			continue
		}
		n, t, ok := v.mdInt(ops[k+1])
		if !ok {
			v.fail("Offset entries must be constants!", instr(i), mdNode(id))
			failed = true
			continue
		}
		w := v.t.IntBits(t)
		if width < 0 {
			width = w
		}
		if w != width {
			v.fail("Bitwidth between the offsets and struct type entries must match", instr(i), mdNode(id))
			failed = true
			continue
		}
		if have && prev > n {
			v.fail("Offsets must be increasing!", instr(i), mdNode(id))
			failed = true
		}
		prev, have = n, true
	}
	if failed {
		return bad
	}
	return tbaaBase{false, width}
}

func (v *verifier) tbaaField(i ir.InstrID, id ir.MDID, off uint64, newFormat bool) (ir.MDID, uint64) {
	ops := v.mdOps(id)
	if len(ops) == 2 {
		return ops[1], off
	}
	first, step := 1, 2
	if newFormat {
		first, step = 3, 3
	}
	last := len(ops) - step
	for k := first; k < len(ops); k += step {
		n, _, _ := v.mdInt(ops[k+1])
		if n > off {
			if k == first {
				v.fail("Could not find TBAA parent in struct type node", instr(i), mdNode(id), int(off))
				return 0, 0
			}
			last = k - step
			break
		}
	}
	n, _, _ := v.mdInt(ops[last+1])
	return ops[last], off - n
}

// StripTBAA removes access tags that are not valid, as LLVM does when it reads bitcode.
func StripTBAA(m *ir.Module) {
	v := newVerifier(m, false)
	for _, id := range m.Funcs {
		f := m.Globals[id].Func
		if f == nil {
			continue
		}
		v.f, v.g = f, m.Globals[id]
		for i := range f.Instrs {
			in := &f.Instrs[i]
			for a := in.MD; a != 0; a = f.Attachments[a].Next {
				if m.MDKinds()[f.Attachments[a].Kind] == "tbaa" {
					v.bad = false
					v.tbaa(ir.InstrID(i), in, f.Attachments[a].Node)
					if v.bad {
						// One is enough for LLVM: it drops the tags of the whole function.
						stripTBAA(m, f)
						break
					}
				}
			}
		}
	}
}

func stripTBAA(m *ir.Module, f *ir.Function) {
	for i := range f.Instrs {
		f.DeleteAttachments(ir.InstrID(i), func(a *ir.Attachment) bool { return m.MDKinds()[a.Kind] == "tbaa" })
	}
}
