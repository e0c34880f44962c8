package mirtext

import (
	"errors"
	"strconv"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
)

func faultOf(err error) (*irtext.Fault, bool) {
	var f *irtext.Fault
	if errors.As(err, &f) {
		return f, true
	}
	return &irtext.Fault{Msg: "syntax error"}, false
}

// frameInfo reads the frame's properties and objects. Blocks are known already.
func (r *funcReader) frameInfo() {
	fr := &r.f.Frame
	n := r.root.get("frameInfo")
	if n == nil || n.kind != mapNode {
		n = &node{kind: mapNode}
	}
	for _, x := range [...]struct {
		key string
		to  *bool
	}{{"isFrameAddressTaken", &fr.IsFrameAddressTaken}, {"isReturnAddressTaken", &fr.IsReturnAddressTaken}, {"hasStackMap", &fr.HasStackMap},
		{"hasPatchPoint", &fr.HasPatchPoint}, {"adjustsStack", &fr.AdjustsStack}, {"hasCalls", &fr.HasCalls},
		{"hasOpaqueSPAdjustment", &fr.HasOpaqueSPAdjustment}, {"hasVAStart", &fr.HasVAStart},
		{"hasMustTailInVarArgFunc", &fr.HasMustTailInVarArgFunc}, {"hasTailCall", &fr.HasTailCall},
		{"isCalleeSavedInfoValid", &fr.IsCalleeSavedInfoValid}} {
		*x.to = r.boolKey(n, x.key)
	}
	fr.StackSize = r.uintKey(n, "stackSize", 0)
	fr.OffsetAdjustment = r.intKey(n, "offsetAdjustment", 0)
	fr.MaxAlign = max(r.align(n, "maxAlignment", 0), stackAlignAttr(r.f))
	fr.MaxCallFrameSize = uint32(r.uintKey(n, "maxCallFrameSize", 1<<32-1))
	fr.CVBytesOfCalleeSaved = uint32(r.uintKey(n, "cvBytesOfCalleeSavedRegisters", 0))
	fr.LocalFrameSize = int64(r.uintKey(n, "localFrameSize", 0))
	fr.SavePoints = r.savePoints(n.get("savePoint"))
	fr.RestorePoints = r.savePoints(n.get("restorePoint"))
	r.fixedObjects()
	r.stackObjects()
	fr.IsCalleeSavedInfoValid = fr.IsCalleeSavedInfoValid || len(fr.CalleeSaved) > 0
	if r.err != nil {
		return
	}
	ref := func(key string, to *int) {
		if v := n.get(key); v != nil && v.text != "" {
			r.inNode(v, objectRef, func(p *miParser) {
				if p.tok != tStack {
					p.error("expected a stack object")
					return
				}
				*to = p.frameIndex()
			})
		}
	}
	ref("stackProtector", &fr.StackProtector)
	ref("functionContext", &fr.FunctionContext)
	r.entryValues()
}

func (r *funcReader) savePoints(n *node) (l []mir.SavePoint) {
	if n == nil || n.kind == nullNode {
		return nil
	}
	add := func(point *node, regs *node) {
		if point.text == "" {
			r.err = r.errorNowhere(r.errorAt(0, "expected a machine basic block reference"))
			return
		}
		var s mir.SavePoint
		r.inNode(point, blockReference, func(p *miParser) { s.Block = p.blockRef() })
		if r.err != nil {
			r.err = r.errorNowhere(r.err)
			return
		}
		if regs != nil {
			for i := range regs.items {
				s.Regs = append(s.Regs, r.regText(&regs.items[i]))
			}
		}
		l = append(l, s)
	}
	for i := range n.items {
		if p := n.items[i].get("point"); r.err == nil {
			add(p, n.items[i].get("registers"))
		}
	}
	return l
}

func (r *funcReader) stackID(m *node) uint8 {
	n := m.get("stack-id")
	if n == nil {
		return 0
	}
	for id := range 256 {
		if s := stackIDName(uint8(id)); s != "" && s == n.text {
			return uint8(id)
		}
	}
	return 0
}

// object reads what fixed and ordinary objects share.
func (r *funcReader) object(m *node) (o mir.FrameObject) {
	o.Offset = r.intKey(m, "offset", 0)
	o.Size = int64(r.uintKey(m, "size", 0))
	o.Align = r.align(m, "alignment", 0)
	o.StackID = r.stackID(m)
	if n := m.get("local-offset"); n != nil {
		o.LocalOffset = r.int(n)
		o.Flags |= mir.FrameHasLocalOffset
	}
	v, e, l := m.get("debug-info-variable"), m.get("debug-info-expression"), m.get("debug-info-location")
	md := func(n *node) uint32 {
		if n == nil || n.text == "" {
			return 0
		}
		id := ir.MDID(0)
		r.inNode(n, metadataRef, func(p *miParser) { id = p.metadata() })
		return uint32(id)
	}
	o.DebugVar, o.DebugExpr, o.DebugLoc = md(v), md(e), md(l)
	if (o.DebugVar != 0 || o.DebugExpr != 0 || o.DebugLoc != 0) && r.err == nil {
		for _, x := range [...]struct {
			n    *node
			id   uint32
			want string
		}{{v, o.DebugVar, "DILocalVariable"}, {e, o.DebugExpr, "DIExpression"}, {l, o.DebugLoc, "DILocation"}} {
			if x.id == 0 {
				continue
			}
			if n := r.out.Module.MD.At(ir.MDID(x.id)); n == nil || n.Str != x.want {
				r.fail(x.n.off, "expected a reference to a '"+x.want+"' metadata node")
				return
			}
		}
		if o.DebugVar == 0 || o.DebugExpr == 0 || o.DebugLoc == 0 {
			o.DebugVar, o.DebugExpr, o.DebugLoc = 0, 0, 0
		}
	}
	return o
}

// saved records that an object holds a callee-saved register.
func (r *funcReader) saved(m *node, fi int) {
	reg := m.get("callee-saved-register")
	if reg == nil || reg.text == "" {
		return
	}
	c := mir.CalleeSavedInfo{FI: fi, Restored: true}
	if v := m.get("callee-saved-restored"); v != nil {
		c.Restored = r.bool(v)
	}
	c.Reg = r.physText(reg)
	r.f.Frame.CalleeSaved = append(r.f.Frame.CalleeSaved, c)
}

func (r *funcReader) fixedObjects() {
	fr := &r.f.Frame
	type late struct {
		num uint64
		m   *node
	}
	var l []late
	r.each("fixedStack", func(m *node) {
		id := m.get("id")
		if r.err != nil {
			return
		}
		num := r.uint(id)
		o := r.object(m)
		t := m.get("type")
		if t != nil && t.text == "spill-slot" {
			o.Flags |= mir.FrameSpill | mir.FrameImmutable
		}
		if r.boolKey(m, "isImmutable") {
			o.Flags |= mir.FrameImmutable
		}
		if r.boolKey(m, "isAliased") {
			o.Flags |= mir.FrameAliased
		}
		if _, dup := r.fixed[num]; dup {
			r.fail(id.off, "redefinition of fixed stack object '%fixed-stack."+strconv.FormatUint(num, 10)+"'")
			return
		}
		r.fixed[num] = 0
		fi := fr.CreateFixedObject(o.Size, o.Offset, 0, o.Flags)
		*fr.Object(fi) = o
		if o.StackID == 0 || o.StackID == 2 || o.StackID == 4 {
			fr.MaxAlign = max(fr.MaxAlign, o.Align)
		}
		r.fixed[num] = fi
		l = append(l, late{num, m})
	})
	for _, x := range l {
		r.saved(x.m, r.fixed[x.num])
	}
}

func (r *funcReader) stackObjects() {
	fr := &r.f.Frame
	r.each("stack", func(m *node) {
		id := m.get("id")
		if r.err != nil {
			return
		}
		num := r.uint(id)
		o := r.object(m)
		t := m.get("type")
		switch {
		case t != nil && t.text == "spill-slot":
			o.Flags |= mir.FrameSpill
		case t != nil && t.text == "variable-sized":
			o.Flags |= mir.FrameVarSized
			fr.HasVarSizedObjects = true
		}
		if name := m.get("name"); name != nil && name.text != "" {
			v := r.irValueByName(name.text)
			if v == 0 || v.Tag() != ir.TagLocal || r.f.IR.Instrs[v.Instr()].Op != ir.OpAlloca {
				if v == 0 {
					r.fail(name.off, "alloca instruction named '"+name.text+"' isn't defined in the function '"+r.f.Name+"'")
				} else {
					r.fail(name.off, "'"+name.text+"' is not an alloca instruction in the function '"+r.f.Name+"'")
				}
				return
			}
			o.Name = uint32(v.Instr())
		}
		if r.err != nil {
			return
		}
		if _, dup := r.stack[num]; dup {
			r.fail(id.off, "redefinition of stack object '%stack."+strconv.FormatUint(num, 10)+"'")
			return
		}
		fi := fr.CreateStackObject(o.Size, 0, o.Flags)
		*fr.Object(fi) = o
		if o.StackID == 0 || o.StackID == 2 || o.StackID == 4 {
			fr.MaxAlign = max(fr.MaxAlign, o.Align)
		}
		r.stack[num] = fi
		r.saved(m, fi)
	})
}

func (r *funcReader) entryValues() {
	r.each("entry_values", func(m *node) {
		e := mir.EntryValue{Reg: r.physText(m.get("entry-value-register"))}
		if r.err != nil {
			return
		}
		for _, x := range [...]struct {
			key string
			to  *string
		}{{"debug-info-variable", &e.Var}, {"debug-info-expression", &e.Expr}, {"debug-info-location", &e.Loc}} {
			if n := m.get(x.key); r.err == nil {
				r.inNode(n, metadataRef, func(p *miParser) { *x.to = string(r.slots.AppendKnownMD(nil, p.metadata())) })
			}
		}
		r.f.EntryValues = append(r.f.EntryValues, e)
	})
}

// irNumbers makes the tables of the IR function's unnamed values and blocks.
func (r *funcReader) irNumbers() {
	if r.irNames != nil {
		return
	}
	r.irNames, r.irBlock = map[string]ir.Value{}, map[string]ir.BlockID{}
	f := r.f.IR
	if f == nil {
		return
	}
	r.slots.Enter(f)
	for i := 1; i < len(f.Instrs); i++ {
		if n := f.ValueNames[i]; n != "" {
			r.irNames[n] = ir.Local(ir.InstrID(i))
		} else if k := r.slots.Local(ir.InstrID(i)); k >= 0 {
			for len(r.irVals) <= k {
				r.irVals = append(r.irVals, 0)
			}
			r.irVals[k] = ir.InstrID(i)
		}
	}
	for i := 1; i < len(f.Blocks); i++ {
		if n := f.BlockNames[i]; n != "" {
			r.irBlock[n] = ir.BlockID(i)
		} else if k := r.slots.Block(f, ir.BlockID(i)); k >= 0 {
			for len(r.irBlocks) <= k {
				r.irBlocks = append(r.irBlocks, 0)
			}
			r.irBlocks[k] = ir.BlockID(i)
		}
	}
}

func (r *funcReader) irValueByName(name string) ir.Value {
	r.irNumbers()
	return r.irNames[name]
}
