package targetinfo

import (
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// features reads subtarget features and processors.
func (b *builder) features() {
	in := b.t.Info
	b.featureBit = map[*tablegen.Record]int{}
	b.features0 = b.derived("SubtargetFeature")
	for i, r := range b.features0 {
		b.featureBit[r] = i
	}
	in.FeatureWords = len(b.features0)/64 + 1
	names := map[string]*tablegen.Record{}
	for _, r := range sortedBy(b.features0, "Name") {
		name := r.String("Name")
		if name == "" {
			continue // of a predicate alone
		}
		if old := names[name]; old != nil {
			b.fail(r, "Name", "feature '%s' has the name '%s', which is that of '%s' too", r.Name, name, old.Name)
		}
		names[name] = r
		in.Features = append(in.Features, desc.FeatureDesc{Name: b.name(name), Text: b.name(r.String("Desc")),
			Bit: uint16(b.featureBit[r]), Implies: b.featureSet(r, "Implies")})
	}
	sort.Slice(in.Features, func(i, j int) bool { return string(b.str(in.Features[i].Name)) < string(b.str(in.Features[j].Name)) })
	b.procs = sortedBy(b.derived("Processor"), "Name")
	for i, r := range b.procs {
		name := r.String("Name")
		if i > 0 && b.procs[i-1].String("Name") == name {
			b.fail(r, "Name", "processor '%s' is defined twice", name)
		}
		in.Processors = append(in.Processors, desc.ProcessorDesc{Name: b.name(name),
			Features: b.featureSet(r, "Features"), Tune: b.featureSet(r, "TuneFeatures")})
	}
}

// featureSet keeps the set of features in a field.
func (b *builder) featureSet(r *tablegen.Record, field string) uint32 {
	words := make([]uint64, b.t.Info.FeatureWords)
	for _, f := range r.DefList(field) {
		bit, ok := b.featureBit[f]
		if !ok {
			b.fail(r, field, "'%s' in %s of '%s' is no feature", f.Name, field, r.Name)
			continue
		}
		words[bit/64] |= 1 << (bit % 64)
	}
	return b.lay.featureSet.add(words)
}
