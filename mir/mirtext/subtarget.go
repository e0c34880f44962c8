package mirtext

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
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
	family.FeatureSet
	triple triple.Triple
}

func subtargetOf(f *mir.Function) *subtarget {
	st := &subtarget{}
	if f.Module != nil {
		st.triple = triple.Parse(f.Module.Triple)
	}
	cpu, _ := fnAttr(f, "target-cpu")
	features, _ := fnAttr(f, "target-features")
	if row := family.Of(f.Facts); cpu == "" && row.DefaultCPU != nil {
		cpu = row.DefaultCPU(st.triple)
	}
	st.FeatureSet = family.Resolve(f.Facts, cpu, "", strings.ToLower(features)).FeatureSet
	return st
}
