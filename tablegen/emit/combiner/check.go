package combiner

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

func dagOf(x tablegen.Init) *tablegen.DagInit { d, _ := x.(*tablegen.DagInit); return d }

func opNameOf(x tablegen.Init) string {
	if d, ok := x.(*tablegen.DefInit); ok {
		return d.Rec.Name
	}
	return ""
}

// definer finds the instruction of a list that defines a name, and the operand.
func definer(list []*pattern, name string) (*pattern, int) {
	for _, p := range list {
		if p.kind != instPat && p.kind != replacePat {
			continue
		}
		for n, o := range p.ops {
			if o.name == name && p.isDef(n) {
				return p, n
			}
		}
	}
	return nil, 0
}

// check finds the root of a variant and refuses what makes no sense.
func (g *generator) check(v *variant) bool {
	return g.checkWip(v) && g.checkRoot(v) && g.checkDefs(v) && g.checkReach(v) && g.checkApply(v)
}

// checkWip: wip_match_opcode stands alone and goes with code only.
func (g *generator) checkWip(v *variant) bool {
	wip, inst := 0, 0
	for _, p := range v.match {
		switch p.kind {
		case anyOp:
			wip++
		case instPat:
			inst++
		case replacePat, erasePat:
			g.errorf("a builtin cannot be used in a 'match' pattern: '" + p.text + "'")
			return false
		}
	}
	for _, p := range v.apply {
		switch {
		case p.kind == anyOp:
			g.errorf("'" + p.name + "': wip_match_opcode is not supported in apply patterns")
			return false
		case p.kind == fragPat:
			g.errorf("fragments are not supported in apply patterns: '" + p.text + "'")
			return false
		case wip > 0 && p.kind != codePat:
			g.errorf("cannot use wip_match_opcode in combination with apply instruction patterns")
			return false
		}
	}
	if wip > 1 {
		g.errorf("wip_match_opcode can only be present once")
		return false
	}
	if wip > 0 && inst > 0 {
		g.errorf("wip_match_opcode can not be used with instruction patterns!")
		return false
	}
	return true
}

// checkRoot finds the pattern that the root names, by itself or by a result.
func (g *generator) checkRoot(v *variant) bool {
	for _, p := range v.match {
		if p.name != v.root {
			continue
		}
		if p.kind == codePat {
			g.errorf("C++ code cannot be the root of a rule!")
			return false
		}
		v.rootPat = p
	}
	if v.rootPat == nil {
		v.rootPat, _ = definer(v.match, v.root)
	}
	if v.rootPat == nil {
		if p, _ := findOperand(v.match, v.root); p != nil {
			g.errorf("Cannot use live-in operand '" + v.root + "' as match pattern root!")
		} else {
			g.errorf("Cannot find root '" + v.root + "' in match patterns!")
		}
		return false
	}
	if v.rootPat.kind == anyOp {
		for _, o := range v.rootPat.any {
			v.rootOps = append(v.rootOps, o.op)
		}
	} else {
		v.rootOps = []desc.Opcode{v.rootPat.op.op}
	}
	return true
}

// findOperand finds a name among the operands of a list.
func findOperand(list []*pattern, name string) (*pattern, int) {
	for _, p := range list {
		for n, o := range p.ops {
			if o.name == name {
				return p, n
			}
		}
	}
	return nil, 0
}

// checkDefs: each name has one definition, on either side.
func (g *generator) checkDefs(v *variant) bool {
	for k, list := range [][]*pattern{v.match, v.apply} {
		side := [...]string{"match", "apply"}[k]
		seen := map[string]bool{}
		for _, p := range list {
			if p.kind != instPat && p.kind != replacePat {
				continue
			}
			for n, o := range p.ops {
				if !p.isDef(n) {
					continue
				}
				if o.kind != regOp {
					g.errorf("a result of '" + p.text + "' must be a name")
					return false
				}
				if seen[o.name] {
					g.errorf("Operand '" + o.name + "' is defined multiple times in the '" + side + "' patterns")
					return false
				}
				seen[o.name] = true
			}
		}
		for _, p := range list {
			for _, o := range p.ops {
				if o.kind == intOp && o.name != "" && seen[o.name] {
					g.errorf("'" + o.name + "' is a named immediate, it cannot be defined by another instruction")
					return false
				}
			}
		}
	}
	return true
}

// checkReach: all instructions hang on the root by what they define, and may be
// looked through.
func (g *generator) checkReach(v *variant) bool {
	reached := map[*pattern]bool{v.rootPat: true}
	work := []*pattern{v.rootPat}
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		for n, o := range p.ops {
			if o.name == "" || p.isDef(n) {
				continue
			}
			if d, _ := definer(v.match, o.name); d != nil && !reached[d] {
				reached[d] = true
				work = append(work, d)
			}
		}
	}
	for _, p := range v.match {
		if p.kind != instPat {
			continue
		}
		if !reached[p] {
			g.errorf("pattern '" + p.name + "' ('" + p.op.name + "') is unreachable from the pattern root!")
			return false
		}
		if p != v.rootPat && p.op.unsafe {
			g.errorf("pattern '" + p.name + "' ('" + p.op.name + "') may touch memory, so that its value may have changed at the root; test it in a Go function")
			return false
		}
		if len(p.flags.refs) > 0 {
			g.errorf("'match' patterns cannot refer to flags from other instructions; MIFlags in '" + p.name + "' refer to: " + p.flags.refs[0])
			return false
		}
		for _, o := range p.ops {
			if o.typeOf != "" {
				g.errorf("GITypeOf is not supported in 'match' patterns: '" + p.text + "'")
				return false
			}
		}
	}
	return true
}

// checkApply: what is applied defines what the root defined and nothing else
// that is there already.
func (g *generator) checkApply(v *variant) bool {
	code, other, erase := 0, 0, 0
	for _, p := range v.apply {
		switch p.kind {
		case codePat:
			code++
		case erasePat:
			erase++
			other++
		default:
			other++
		}
	}
	switch {
	case code+other == 0:
		g.errorf("the 'apply' action is empty")
		return false
	case code > 0 && other > 0:
		g.errorf("'apply' patterns cannot mix C++ code with other types of patterns")
		return false
	case code > 0:
		return true
	case erase > 0 && (other > 1 || v.rootDefs() > 0):
		g.errorf("GIEraseRoot can only be used on its own, and only if on roots that do not have any output operand")
		return false
	}
	for _, p := range v.apply {
		if p.name == v.rootPat.name && p.kind == instPat && v.rootDefs() > 0 {
			if !g.redefines(v, p) {
				g.errorf("apply pattern '" + p.name + "' is supposed to be a root but it does not redefine any of the defs of the match root")
				return false
			}
		}
		for n, o := range p.ops {
			if !p.isDef(n) || o.name == "" {
				continue
			}
			d, k := definer(v.match, o.name)
			if d == v.rootPat {
				continue
			}
			if d != nil {
				g.errorf("redefining an instruction other than the root is not supported (operand '" + o.name + "' of '" + d.op.name + "', result " + string(rune('0'+k)) + ")")
				return false
			}
			if q, _ := findOperand(v.match, o.name); q != nil {
				g.errorf("Cannot define live-in operand '" + o.name + "' in the 'apply' pattern")
				return false
			}
		}
	}
	for n, o := range v.rootPat.ops {
		if !v.rootPat.isDef(n) {
			continue
		}
		if p, _ := definer(v.apply, o.name); p == nil {
			g.errorf("'" + o.name + "' must be redefined in the 'apply' pattern")
			return false
		}
	}
	return true
}

func (v *variant) rootDefs() int {
	n := 0
	for k := range v.rootPat.ops {
		if v.rootPat.isDef(k) {
			n++
		}
	}
	return n
}

func (g *generator) redefines(v *variant, p *pattern) bool {
	for n, o := range p.ops {
		if d, _ := definer(v.match, o.name); p.isDef(n) && d == v.rootPat {
			return true
		}
	}
	return false
}
