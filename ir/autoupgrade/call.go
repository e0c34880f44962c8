package autoupgrade

import "github.com/mirin-go/mirin/ir"

// call is a call site that is being upgraded. New instructions go before it.
type call struct {
	u *upgrader
	f *ir.Function
	i ir.InstrID
}

// setCallee makes the site call another function of the same type.
func (c *call) setCallee(to ir.GlobalID) {
	ops := c.f.Ops(c.i)
	switch c.f.Instr(c.i).Op {
	case ir.OpCall:
		ops[len(ops)-1] = ir.GlobalVal(to)
	case ir.OpInvoke:
		ops[len(ops)-3] = ir.GlobalVal(to)
	case ir.OpCallBr:
		ops[c.f.NumArgOps(c.i)] = ir.GlobalVal(to)
	}
}

// misfit is the value of the panic that leaves an action: the call has not the
// arguments that the old intrinsic had. The call stays as it is.
type misfit struct{}

// run runs an action.
func (c *call) run(do action) (done bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(misfit); !ok {
				panic(r)
			}
			done = false
		}
	}()
	return do(c)
}

// want leaves the action when a condition on the types does not hold.
func (c *call) want(ok bool) {
	if !ok {
		panic(misfit{})
	}
}

// arg returns argument n.
func (c *call) arg(n int) ir.Value {
	if n >= c.f.NumArgOps(c.i) {
		panic(misfit{})
	}
	return c.f.Op(c.i, n)
}

// args returns the arguments.
func (c *call) args() []ir.Value { return c.f.Ops(c.i)[:c.f.NumArgOps(c.i)] }

// replace makes all users of the site use v (0: there are none) and removes the site.
func (c *call) replace(v ir.Value) {
	u := c.u
	if v != 0 {
		if u.repl == nil {
			u.repl = map[*ir.Function]map[ir.InstrID]ir.Value{}
		}
		if u.repl[c.f] == nil {
			u.repl[c.f] = map[ir.InstrID]ir.Value{}
			u.order = append(u.order, c.f)
		}
		u.repl[c.f][c.i] = v
	}
	// Records that stand before the site stand before what follows it.
	if r := c.f.Instr(c.i).Records; r != 0 {
		c.moveRecords(r)
	}
	c.f.Remove(c.i)
	c.f.ValueNames[c.i] = ""
}

func (c *call) moveRecords(r uint32) {
	in := c.f.Instr(c.i)
	head := &c.f.Blocks[in.Block].Records
	if in.Next != 0 {
		head = &c.f.Instrs[in.Next].Records
	}
	last := r
	for c.f.DbgRecords[last].Next != 0 {
		last = c.f.DbgRecords[last].Next
	}
	c.f.DbgRecords[last].Next = *head
	*head = r
	in.Records = 0
}

// takeName gives the site's name to the instruction that takes its place.
func (c *call) takeName(to ir.InstrID) {
	c.f.ValueNames[to] = c.f.ValueNames[c.i]
	c.f.ValueNames[c.i] = ""
}
