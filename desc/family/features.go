package family

import (
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// FeatureSet is the features of a subtarget, a bit for each desc.FeatureDesc.Bit.
type FeatureSet struct {
	in   *desc.Info
	bits []uint64
}

// Resolved is what became of a processor's name and a list of features.
type Resolved struct {
	FeatureSet
	// NoCPU and NoTune: there is no processor of that name.
	NoCPU, NoTune bool
	// Unknown lists what of the features the target does not know, as written.
	Unknown []string
}

// Resolve computes the features of a subtarget: those of the processor, with
// what tuning for one adds, then each +f and -f of features in their order, with
// what it implies, or what implies it. What is not known is noted and does
// nothing; "" is no processor.
func Resolve(in *desc.Info, cpu, tune, features string) Resolved {
	r := Resolved{FeatureSet: FeatureSet{in, make([]uint64, in.FeatureWords)}}
	if row := ByName(in.Target); row != nil {
		cpu, tune = row.processor(cpu), row.processor(tune)
	}
	if cpu != "" {
		p, ok := in.ProcessorByName(cpu)
		if r.NoCPU = !ok; ok {
			r.add(in.Processors[p].Features)
		}
	}
	if tune != "" {
		p, ok := in.ProcessorByName(tune)
		if r.NoTune = !ok; ok {
			r.add(in.Processors[p].Tune)
		}
	}
	// Processors list features without what these imply.
	for i := range in.Features {
		if f := &in.Features[i]; r.Bit(f.Bit) {
			r.set(f)
		}
	}
	for f := range strings.SplitSeq(features, ",") {
		if f == "" {
			continue
		}
		i, ok := in.FeatureByName(strings.TrimLeft(f, "+-"))
		switch {
		case !ok:
			r.Unknown = append(r.Unknown, f)
		case f[0] == '-':
			r.clear(&in.Features[i])
		default:
			r.set(&in.Features[i])
		}
	}
	return r
}

// With gives a set with feature f and what it implies turned on, or, with on false, f and
// what implies it turned off. bits stays as it is.
func With(in *desc.Info, bits []uint64, f *desc.FeatureDesc, on bool) []uint64 {
	s := FeatureSet{in, append(make([]uint64, 0, in.FeatureWords), bits...)}
	if on {
		s.set(f)
	} else {
		s.clear(f)
	}
	return s.bits
}

// Bits is the set itself; it must not be changed.
func (s FeatureSet) Bits() []uint64 { return s.bits }

// Bit reports whether a feature is on.
func (s FeatureSet) Bit(b uint16) bool { return s.bits[b/64]>>(b%64)&1 != 0 }

// Has reports a feature by LLVM's name.
func (s FeatureSet) Has(name string) bool {
	i, ok := s.in.FeatureByName(name)
	return ok && s.Bit(s.in.Features[i].Bit)
}

// add adds the set at an offset of desc.Info.FeatureBits.
func (s FeatureSet) add(off uint32) {
	for k, w := range s.in.FeatureSet(off) {
		s.bits[k] |= w
	}
}

// set turns f on, and what it implies.
func (s FeatureSet) set(f *desc.FeatureDesc) {
	s.bits[f.Bit/64] |= 1 << (f.Bit % 64)
	implied := s.in.FeatureSet(f.Implies)
	for i := range s.in.Features {
		if g := &s.in.Features[i]; implied[g.Bit/64]>>(g.Bit%64)&1 != 0 && !s.Bit(g.Bit) {
			s.set(g)
		}
	}
}

// clear turns f off, and what implies it.
func (s FeatureSet) clear(f *desc.FeatureDesc) {
	s.bits[f.Bit/64] &^= 1 << (f.Bit % 64)
	for i := range s.in.Features {
		g := &s.in.Features[i]
		if s.in.FeatureSet(g.Implies)[f.Bit/64]>>(f.Bit%64)&1 != 0 && s.Bit(g.Bit) {
			s.clear(g)
		}
	}
}

// Toggle gives a set of feature bits after +f and -f of a list, with what these imply, or
// what implies them. bits is left as it is.
func Toggle(in *desc.Info, bits []uint64, features string) []uint64 {
	s := FeatureSet{in, slices.Clone(bits)}
	for f := range strings.SplitSeq(features, ",") {
		i, ok := in.FeatureByName(strings.TrimLeft(f, "+-"))
		switch {
		case !ok:
		case f[0] == '-':
			s.clear(&in.Features[i])
		default:
			s.set(&in.Features[i])
		}
	}
	return s.bits
}
