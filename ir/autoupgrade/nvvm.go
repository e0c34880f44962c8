package autoupgrade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// ptxKernel is the calling convention ptx_kernel.
const ptxKernel = 71

// annotations makes attributes and calling conventions of what
// !nvvm.annotations said about functions. What is not known stays.
func (u *upgrader) annotations() {
	l := namedMD(u.m, "nvvm.annotations")
	if l == nil {
		return
	}
	var nodes []ir.MDID
	seen := map[ir.MDID]bool{}
	for _, id := range l.Nodes {
		n := u.m.MD.At(id)
		if n == nil || seen[id] || len(n.Ops) == 0 {
			continue
		}
		seen[id] = true
		var g *ir.Global
		if f := u.m.MD.At(n.Ops[0]); f != nil && f.Kind == ir.MDConst && f.Value.Global() != 0 {
			g = u.m.Globals[f.Value.Global()]
		}
		if g == nil {
			continue
		}
		kept := n.Ops[:1:1]
		for i := 1; i+1 < len(n.Ops); i += 2 {
			key, ok := stringMD(u.m, n.Ops[i])
			if !ok || !u.annotation(g, key, n.Ops[i+1]) {
				kept = append(kept, n.Ops[i], n.Ops[i+1])
			}
		}
		switch {
		case len(kept) == len(n.Ops):
			nodes = append(nodes, id)
		case len(kept) > 1:
			nodes = append(nodes, u.m.MD.Add(&ir.MDNode{Kind: ir.MDTuple, Ops: kept}))
		}
	}
	l.Nodes = nodes
}

// annotation upgrades one key; false says that it stays.
func (u *upgrader) annotation(g *ir.Global, key string, val ir.MDID) bool {
	if g.Kind != ir.GlobalFunc {
		return false
	}
	if key == "grid_constant" {
		n := u.m.MD.At(val)
		if n == nil || n.Kind != ir.MDTuple {
			return false
		}
		for _, op := range n.Ops {
			if k, _, ok := intMD(u.m, op); ok && k > 0 {
				u.addAttr(g, int(k), ir.Attr{Key: "nvvm.grid_constant", IsString: true})
			}
		}
		return true
	}
	v, _, ok := intMD(u.m, val)
	if !ok {
		return false
	}
	switch key {
	case "kernel":
		if v != 0 {
			g.CC = ptxKernel
		}
		return true
	case "align":
		// The low half is the alignment, the high half the place: 0 is the result.
		u.addAttr(g, int(v>>16), ir.Attr{Key: "alignstack", Int: v & 0xffff, HasInt: true})
		return true
	case "maxclusterrank", "cluster_max_blocks":
		u.fnString(g, "nvvm.maxclusterrank", strconv.FormatUint(v, 10))
		return true
	case "minctasm", "maxnreg":
		u.fnString(g, "nvvm."+key, strconv.FormatUint(v, 10))
		return true
	}
	for _, base := range [...][2]string{{"maxntid", "nvvm.maxntid"}, {"reqntid", "nvvm.reqntid"}, {"cluster_dim_", "nvvm.cluster_dim"}} {
		if dim, ok := strings.CutPrefix(key, base[0]); ok && len(dim) == 1 && dim[0] >= 'x' && dim[0] <= 'z' {
			a, _ := u.m.Attrs.At(g.Attrs).Fn.Get(base[1])
			dims := strings.Split(a.Value, ",")
			for len(dims) <= int(dim[0]-'x') {
				dims = append(dims, "1")
			}
			if dims[0] == "" {
				dims[0] = "1"
			}
			dims[dim[0]-'x'] = strconv.FormatUint(v, 10)
			u.fnString(g, base[1], strings.Join(dims, ","))
			return true
		}
	}
	return false
}

func (u *upgrader) fnString(g *ir.Global, key, value string) {
	l := *u.m.Attrs.At(g.Attrs)
	l.Fn = addString(without(slices.Clone(l.Fn), key), key, value)
	g.Attrs = u.m.Attrs.Intern(&l)
}

// addAttr adds an attribute to the result (0) or a parameter (from 1 on).
func (u *upgrader) addAttr(g *ir.Global, place int, a ir.Attr) {
	if place > len(u.t.Subtypes(g.ValueType)) {
		return
	}
	l := *u.m.Attrs.At(g.Attrs)
	add := func(s ir.AttrSet) ir.AttrSet {
		if s.Has(a.Key) {
			return s
		}
		return append(slices.Clone(s), a)
	}
	if place == 0 {
		l.Ret = add(l.Ret)
	} else {
		l.Params = slices.Clone(l.Params)
		for len(l.Params) < place {
			l.Params = append(l.Params, nil)
		}
		l.Params[place-1] = add(l.Params[place-1])
	}
	g.Attrs = u.m.Attrs.Intern(&l)
}
