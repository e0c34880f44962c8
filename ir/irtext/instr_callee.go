package irtext

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
	"github.com/mirin-go/mirin/ir/intrin"
)

// implicitIntrinsic notes an intrinsic that is called and not declared.
func (p *parser) implicitIntrinsic(d implicitDecl, off int) {
	if autoupgrade.Upgrades(p.m, d.name, d.typ) {
		p.fn.body.implicit = append(p.fn.body.implicit, d)
		return
	}
	x := intrin.Lookup(d.name)
	if x == 0 {
		p.lateError(off, rankGlobal, nameKey(d.name), "unknown intrinsic '"+d.name+"'")
		return
	}
	if _, r := x.Match(p.t, d.typ); r != intrin.Matches {
		p.lateError(off, rankGlobal, nameKey(d.name), "invalid intrinsic signature")
		return
	}
	p.fn.body.implicit = append(p.fn.body.implicit, d)
}

// calleeType returns the function type of a call that gives only the result type.
func (p *parser) calleeType(c *callSite) ir.Type {
	fs := p.fn
	if g := c.callee.Global(); g != 0 && c.implicit == "" {
		t := p.m.Globals[g].ValueType
		if p.t.Kind(t) == ir.KindFunction && p.t.Result(t) == c.typ && !p.t.IsVarArg(t) {
			params := p.t.Subtypes(t)
			same := len(params) == len(fs.args)
			for i := 0; same && i < len(params); i++ {
				same = params[i] == fs.args[i].typ
			}
			if same {
				return t
			}
		}
	}
	fs.types = fs.types[:0]
	for i := range fs.args {
		fs.types = append(fs.types, fs.args[i].typ)
	}
	return p.t.Func(c.typ, fs.types, false)
}
