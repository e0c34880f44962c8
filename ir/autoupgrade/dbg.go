package autoupgrade

import "github.com/mirin-go/mirin/ir"

// debugCalls turns the calls of a llvm.dbg intrinsic into records.
func (u *upgrader) debugCalls(id ir.GlobalID, name string) bool {
	switch name {
	case "declare", "value", "assign", "label", "addr", "declare_value":
	default:
		return false
	}
	u.calls(id, func(c *call) bool {
		if d, ok := u.record(c, name); ok {
			c.f.DbgRecords = append(c.f.DbgRecords, d)
			n := uint32(len(c.f.DbgRecords) - 1)
			in := c.f.Instr(c.i)
			if in.Records == 0 {
				in.Records = n
			} else {
				last := in.Records
				for c.f.DbgRecords[last].Next != 0 {
					last = c.f.DbgRecords[last].Next
				}
				c.f.DbgRecords[last].Next = n
			}
		}
		c.replace(0)
		return true
	})
	u.remove(id, "llvm.dbg."+name)
	return true
}

// record makes the record that a call of a llvm.dbg intrinsic means.
func (u *upgrader) record(c *call, name string) (ir.DbgRecord, bool) {
	d := ir.DbgRecord{Loc: c.f.Instr(c.i).Loc}
	args := c.args()
	md := func(i int) ir.MDID {
		if i < len(args) {
			return args[i].MD()
		}
		return 0
	}
	switch name {
	case "label":
		d.Kind = ir.DbgLabel
		d.Args[0] = md(0)
	case "declare", "declare_value":
		d.Kind = ir.DbgDeclare
		if name == "declare_value" {
			d.Kind = ir.DbgDeclareValue
		}
		d.Args[0], d.Args[1], d.Args[2] = md(0), md(1), md(2)
	case "addr":
		d.Kind = ir.DbgValue
		d.Args[0], d.Args[1], d.Args[2] = md(0), md(1), u.appendDeref(md(2))
	case "assign":
		d.Kind = ir.DbgAssign
		for i := range 6 {
			d.Args[i] = md(i)
		}
	case "value":
		d.Kind = ir.DbgValue
		v := 1
		if len(args) == 4 { // an offset stood here once
			k := args[1].Const()
			if k == 0 {
				return d, false
			}
			if r := c.f.Consts.At(k); r.Kind != ir.ConstInt || r.Bits != 0 {
				return d, false
			}
			v = 2
		}
		d.Args[0], d.Args[1], d.Args[2] = md(0), md(v), md(v+1)
	}
	return d, true
}

// appendDeref returns the expression with DW_OP_deref behind it.
func (u *upgrader) appendDeref(id ir.MDID) ir.MDID {
	n := u.m.MD.At(id)
	if n == nil {
		return id
	}
	e := &ir.MDNode{Kind: ir.MDSpecialized, Str: n.Str}
	for i := 0; i < len(n.Fields); i++ {
		if n.Fields[i].Str == "DW_OP_plus_uconst" && i+1 < len(n.Fields) && n.Fields[i+1].Int == 0 {
			i++ // adds nothing
			continue
		}
		e.Fields = append(e.Fields, n.Fields[i])
	}
	e.Fields = append(e.Fields, ir.MDField{Kind: ir.MDFieldWord, Str: "DW_OP_deref"})
	return u.m.MD.Add(e)
}
