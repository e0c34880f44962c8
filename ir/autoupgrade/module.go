package autoupgrade

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/triple"
)

// Behaviours of module flags, by LLVM's numbers.
const (
	flagError    = 1
	flagOverride = 4
	flagMax      = 7
	flagMin      = 8
)

// namedMD returns the named list, nil when there is none.
func namedMD(m *ir.Module, name string) *ir.NamedMD {
	for i := range m.NamedMD {
		if m.NamedMD[i].Name == name {
			return &m.NamedMD[i]
		}
	}
	return nil
}

func (u *upgrader) mdInt(t ir.Type, n uint64) ir.MDID {
	c := u.m.Consts.Int(t, n)
	return u.m.MD.Add(&ir.MDNode{Kind: ir.MDConst, Type: t, Value: ir.ConstVal(c)})
}

func (u *upgrader) mdString(s string) ir.MDID {
	return u.m.MD.Add(&ir.MDNode{Kind: ir.MDString, Str: s})
}

func (u *upgrader) mdTuple(ops ...ir.MDID) ir.MDID {
	return u.m.MD.Add(&ir.MDNode{Kind: ir.MDTuple, Ops: ops})
}

// intMD returns the number of a metadata integer.
func intMD(m *ir.Module, id ir.MDID) (n uint64, t ir.Type, ok bool) {
	if id == 0 {
		return 0, 0, false
	}
	nd := m.MD.At(id)
	if nd == nil || nd.Kind != ir.MDConst || nd.Value.Const() == 0 {
		return 0, 0, false
	}
	r := m.Consts.At(nd.Value.Const())
	if r.Kind != ir.ConstInt {
		return 0, 0, false
	}
	return r.Bits, r.Type, true
}

func stringMD(m *ir.Module, id ir.MDID) (string, bool) {
	if id == 0 {
		return "", false
	}
	nd := m.MD.At(id)
	if nd == nil || nd.Kind != ir.MDString {
		return "", false
	}
	return nd.Str, true
}

// moduleFlags changes behaviours and names of module flags that are other ones now.
func (u *upgrader) moduleFlags() {
	m := u.m
	l := namedMD(m, "llvm.module.flags")
	if l == nil {
		return
	}
	objc, classProps, swiftFlag := false, false, false
	var swift [4]uint64
	for i, id := range l.Nodes {
		n := m.MD.At(id)
		if n == nil || n.Kind != ir.MDTuple || len(n.Ops) != 3 {
			continue
		}
		name, ok := stringMD(m, n.Ops[1])
		if !ok {
			continue
		}
		behaviour, _, isInt := intMD(m, n.Ops[0])
		set := func(b uint64) { l.Nodes[i] = u.mdTuple(u.mdInt(ir.Int32, b), n.Ops[1], n.Ops[2]) }
		switch {
		case name == "Objective-C Image Info Version":
			objc = true
		case name == "Objective-C Class Properties":
			classProps = true
		case name == "PIC Level":
			if isInt && (behaviour == flagError || behaviour == flagMax) {
				set(flagMin)
			}
		case name == "PIE Level":
			if isInt && behaviour == flagError {
				set(flagMax)
			}
		case name == "branch-target-enforcement" || strings.HasPrefix(name, "sign-return-address"):
			if isInt && behaviour == flagError {
				set(flagMin)
			}
		case name == "Objective-C Image Info Section":
			if v, ok := stringMD(m, n.Ops[2]); ok && strings.Contains(v, " ") {
				l.Nodes[i] = u.mdTuple(n.Ops[0], n.Ops[1], u.mdString(strings.ReplaceAll(v, " ", "")))
			}
		case name == "Objective-C Garbage Collection":
			if v, t, ok := intMD(m, n.Ops[2]); ok && t == ir.Int32 {
				if v&0xff != v {
					swiftFlag = true
					swift = [4]uint64{v >> 8 & 0xff, v >> 24 & 0xff, v >> 16 & 0xff}
				}
				l.Nodes[i] = u.mdTuple(u.mdInt(ir.Int32, flagError), n.Ops[1], u.mdInt(ir.Int8, v&0xff))
			}
		case name == "amdgpu_code_object_version":
			l.Nodes[i] = u.mdTuple(n.Ops[0], u.mdString("amdhsa_code_object_version"), n.Ops[2])
		}
	}
	if objc && !classProps {
		l.Nodes = append(l.Nodes, u.mdTuple(u.mdInt(ir.Int32, flagOverride), u.mdString("Objective-C Class Properties"), u.mdInt(ir.Int32, 0)))
	}
	if swiftFlag {
		add := func(name string, t ir.Type, v uint64) {
			l.Nodes = append(l.Nodes, u.mdTuple(u.mdInt(ir.Int32, flagError), u.mdString(name), u.mdInt(t, v)))
		}
		add("Swift ABI Version", ir.Int32, swift[0])
		add("Swift Major Version", ir.Int8, swift[1])
		add("Swift Minor Version", ir.Int8, swift[2])
	}
}

// branchProtection gives functions of ARM the attributes that module flags
// stood for; the flags are 2 after that.
func (u *upgrader) branchProtection() {
	m := u.m
	if t := triple.Parse(m.Triple); !t.IsARM() && !t.IsAArch64() {
		return
	}
	l := namedMD(m, "llvm.module.flags")
	names := []string{"branch-target-enforcement", "branch-protection-pauth-lr", "guarded-control-stack", "sign-return-address",
		"sign-return-address-all", "sign-return-address-with-bkey"}
	at := [6]int{-1, -1, -1, -1, -1, -1}
	var val [6]uint64
	if l != nil {
		for i, id := range l.Nodes {
			n := m.MD.At(id)
			if n == nil || len(n.Ops) != 3 {
				continue
			}
			name, _ := stringMD(m, n.Ops[1])
			k := slices.Index(names, name)
			v, _, ok := intMD(m, n.Ops[2])
			if k < 0 || !ok {
				continue
			}
			at[k], val[k] = i, v
			if v == 2 {
				return
			}
		}
	}
	sign := val[3] == 1
	kind, key := "non-leaf", "a_key"
	if val[4] == 1 {
		kind = "all"
	}
	if val[5] == 1 {
		key = "b_key"
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		if g.IsDecl {
			continue
		}
		old := m.Attrs.At(g.Attrs)
		set := slices.Clone(old.Fn)
		if sign {
			set = addString(set, "sign-return-address", kind)
			set = addString(set, "sign-return-address-key", key)
		} else if a, ok := set.Get("sign-return-address"); ok && a.Value == "none" {
			set = without(without(set, "sign-return-address"), "sign-return-address-key")
		}
		for k, name := range names[:3] {
			a, ok := set.Get(name)
			switch {
			case val[k] == 1:
				set = addString(set, name, "")
			case ok && a.Value == "false":
				set = without(set, name)
			case ok && a.Value == "true":
				set = addString(without(set, name), name, "")
			}
		}
		if !slices.Equal(set, old.Fn) {
			g.Attrs = m.Attrs.Intern(&ir.AttrList{Fn: set, Ret: old.Ret, Params: old.Params})
		}
	}
	for k := range names {
		if val[k] == 1 && (k < 4 || sign) {
			n := m.MD.At(l.Nodes[at[k]])
			l.Nodes[at[k]] = u.mdTuple(u.mdInt(ir.Int32, flagMin), n.Ops[1], u.mdInt(ir.Int32, 2))
		}
	}
}

// addString adds a string attribute that the set does not have yet.
func addString(s ir.AttrSet, key, value string) ir.AttrSet {
	if s.Has(key) {
		return s
	}
	i := len(s)
	for i > 0 && s[i-1].IsString && s[i-1].Key > key {
		i--
	}
	return slices.Insert(s, i, ir.Attr{Key: key, Value: value, IsString: true})
}

func without(s ir.AttrSet, key string) ir.AttrSet {
	return slices.DeleteFunc(s, func(a ir.Attr) bool { return a.Key == key })
}

// debugVersion is the version of debug info that LLVM 22 reads.
const debugVersion = 3

// DebugVersion returns the module's version of debug info, 0 when it has none.
func DebugVersion(m *ir.Module) uint64 {
	l := namedMD(m, "llvm.module.flags")
	if l == nil {
		return 0
	}
	for _, id := range l.Nodes {
		if n := m.MD.At(id); n != nil && len(n.Ops) == 3 {
			if s, _ := stringMD(m, n.Ops[1]); s == "Debug Info Version" {
				v, _, _ := intMD(m, n.Ops[2])
				return v
			}
		}
	}
	return 0
}

// tbaa turns access tags of scalar types into those of paths.
func (u *upgrader) tbaa() {
	m := u.m
	kind := slices.Index(m.MDKinds(), "tbaa")
	done := map[ir.MDID]ir.MDID{}
	byType := map[[3]ir.MDID]ir.MDID{}
	var zero ir.MDID
	tag := func(key [3]ir.MDID) ir.MDID {
		if id := byType[key]; id != 0 {
			return id
		}
		if zero == 0 {
			zero = u.mdInt(ir.Int64, 0)
		}
		ops := []ir.MDID{key[0], key[1], zero}
		if key[2] != 0 {
			ops = append(ops, key[2])
		}
		id := u.mdTuple(ops...)
		byType[key] = id
		return id
	}
	for _, fid := range m.Funcs {
		f := m.Globals[fid].Func
		if f == nil {
			continue
		}
		for i := 1; i < len(f.Attachments); i++ {
			a := &f.Attachments[i]
			if int(a.Kind) != kind || a.Node == 0 {
				continue
			}
			if to, ok := done[a.Node]; ok {
				a.Node = to
				continue
			}
			old := a.Node
			n := m.MD.At(old)
			switch {
			case n == nil || n.Kind != ir.MDTuple || len(n.Ops) == 0:
			case len(n.Ops) >= 3 && n.Ops[0] != 0 && m.MD.At(n.Ops[0]).Kind == ir.MDTuple:
			case len(n.Ops) == 3:
				t := u.mdTuple(n.Ops[0], n.Ops[1])
				a.Node = tag([3]ir.MDID{t, t, n.Ops[2]})
			default:
				a.Node = tag([3]ir.MDID{old, old, 0})
			}
			done[old] = a.Node
		}
	}
}

// sections repairs section names, and gives functions the section that an
// attribute named.
func (u *upgrader) sections() {
	m := u.m
	for _, id := range m.Vars {
		g := m.Globals[id]
		if strings.HasPrefix(g.Section, "__DATA, __objc_catlist") {
			parts := strings.Split(g.Section, ",")
			for i := range parts {
				parts[i] = strings.TrimSpace(parts[i])
			}
			g.Section = strings.Join(parts, ",")
		}
	}
	if !u.attrs {
		return // text keeps the attribute
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		if g.Attrs == 0 {
			continue
		}
		old := m.Attrs.At(g.Attrs)
		if a, ok := old.Fn.Get("implicit-section-name"); ok && a.IsString {
			g.Section = a.Value
			g.Attrs = m.Attrs.Intern(&ir.AttrList{Fn: without(slices.Clone(old.Fn), a.Key), Ret: old.Ret, Params: old.Params})
		}
	}
}

// oldAttrs replaces string attributes that have other names now, of functions and of calls.
func (u *upgrader) oldAttrs() {
	m := u.m
	done := map[ir.AttrListID]ir.AttrListID{}
	fix := func(id ir.AttrListID) ir.AttrListID {
		if to, ok := done[id]; ok {
			return to
		}
		l := m.Attrs.At(id)
		to := id
		if l.Fn.Has("no-frame-pointer-elim") || l.Fn.Has("no-frame-pointer-elim-non-leaf") || l.Fn.Has("null-pointer-is-valid") {
			fn := slices.Clone(l.Fn)
			fp := ""
			if a, ok := fn.Get("no-frame-pointer-elim"); ok {
				fp = "none"
				if a.Value == "true" {
					fp = "all"
				}
				fn = without(fn, "no-frame-pointer-elim")
			}
			if fn.Has("no-frame-pointer-elim-non-leaf") {
				if fp != "all" {
					fp = "non-leaf"
				}
				fn = without(fn, "no-frame-pointer-elim-non-leaf")
			}
			if fp != "" {
				fn = addString(fn, "frame-pointer", fp)
			}
			if a, ok := fn.Get("null-pointer-is-valid"); ok {
				fn = without(fn, "null-pointer-is-valid")
				if a.Value == "true" {
					i := 0
					for i < len(fn) && !fn[i].IsString && fn[i].Key < "null_pointer_is_valid" && !fn[i].HasInt && fn[i].Value == "" {
						i++
					}
					fn = slices.Insert(fn, i, ir.Attr{Key: "null_pointer_is_valid"})
				}
			}
			to = m.Attrs.Intern(&ir.AttrList{Fn: fn, Ret: l.Ret, Params: l.Params})
		}
		done[id] = to
		return to
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		g.Attrs = fix(g.Attrs)
		if g.Func != nil {
			for i := range g.Func.Instrs {
				if a := g.Func.Instrs[i].Attrs; a != 0 {
					g.Func.Instrs[i].Attrs = fix(a)
				}
			}
		}
	}
}
