package mirtext

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// SetAttributes gives -mcpu and -mattr to every function, as LLVM's commands do.
func SetAttributes(m *ir.Module, cpu, features string) {
	if cpu == "" && features == "" {
		return
	}
	for _, id := range m.Funcs {
		g := m.Globals[id]
		old := m.Attrs.At(g.Attrs)
		l := &ir.AttrList{Fn: slices.Clone(old.Fn), Ret: old.Ret, Params: old.Params}
		if a, _ := l.Fn.Get("target-cpu"); cpu != "" && !a.IsString {
			l.Fn = setString(l.Fn, "target-cpu", cpu)
		}
		if features != "" {
			all := features
			if a, ok := l.Fn.Get("target-features"); ok && a.Value != "" {
				all = a.Value + "," + features
			}
			l.Fn = setString(l.Fn, "target-features", all)
		}
		g.Attrs = m.Attrs.Intern(l)
	}
}

// setString puts a string attribute in its place: behind the others, by key.
func setString(s ir.AttrSet, key, value string) ir.AttrSet {
	at := len(s)
	for i := range s {
		if s[i].IsString && s[i].Key >= key {
			if at = i; s[i].Key == key {
				s[i].Value = value
				return s
			}
			break
		}
	}
	return slices.Insert(s, at, ir.Attr{Key: key, Value: value, IsString: true})
}

// fnAttr returns the value of a string attribute of f.
func fnAttr(f *mir.Function, key string) (string, bool) {
	if f.Module == nil {
		return "", false
	}
	if g := globalOf(f); g != nil {
		a, ok := f.Module.Attrs.At(g.Attrs).Fn.Get(key)
		return a.Value, ok
	}
	return "", false
}

func globalOf(f *mir.Function) *ir.Global {
	if id := f.Module.Lookup(f.Name); id != 0 {
		return f.Module.Globals[id]
	}
	return nil
}

// subtarget is what printing needs to know of a function's processor.
type subtarget struct {
	in       *desc.Info
	triple   tripleParts
	cpu      string
	bits     []uint64
	features string
}

func subtargetOf(f *mir.Function) *subtarget {
	st := &subtarget{in: f.Facts, bits: make([]uint64, f.Facts.FeatureWords)}
	if f.Module != nil {
		st.triple = splitTriple(f.Module.Triple)
	}
	st.cpu, _ = fnAttr(f, "target-cpu")
	st.features, _ = fnAttr(f, "target-features")
	cpu := st.cpu
	if cpu == "" {
		cpu = "generic"
		if st.triple.is("amdhsa") {
			cpu = "generic-hsa"
		}
	}
	if p, ok := st.in.ProcessorByName(cpu); ok {
		copy(st.bits, st.in.FeatureSet(st.in.Processors[p].Features))
		for i := range st.in.Features {
			if d := &st.in.Features[i]; st.bit(d.Bit) {
				st.set(d)
			}
		}
	}
	for _, s := range strings.Split(st.features, ",") {
		if s == "" {
			continue
		}
		i, ok := st.in.FeatureByName(strings.ToLower(strings.TrimLeft(s, "+-")))
		if !ok {
			continue
		}
		if s[0] == '-' {
			st.clear(&st.in.Features[i])
		} else {
			st.set(&st.in.Features[i])
		}
	}
	return st
}

func (st *subtarget) bit(b uint16) bool { return st.bits[b/64]>>(b%64)&1 != 0 }

func (st *subtarget) has(name string) bool {
	i, ok := st.in.FeatureByName(name)
	return ok && st.bit(st.in.Features[i].Bit)
}

func (st *subtarget) set(f *desc.FeatureDesc) {
	st.bits[f.Bit/64] |= 1 << (f.Bit % 64)
	implied := st.in.FeatureSet(f.Implies)
	for i := range st.in.Features {
		if g := &st.in.Features[i]; implied[g.Bit/64]>>(g.Bit%64)&1 != 0 && !st.bit(g.Bit) {
			st.set(g)
		}
	}
}

func (st *subtarget) clear(f *desc.FeatureDesc) {
	st.bits[f.Bit/64] &^= 1 << (f.Bit % 64)
	for i := range st.in.Features {
		g := &st.in.Features[i]
		if st.in.FeatureSet(g.Implies)[f.Bit/64]>>(f.Bit%64)&1 != 0 && st.bit(g.Bit) {
			st.clear(g)
		}
	}
}
