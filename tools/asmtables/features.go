package main

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

func (l *learner) modifiers() []mc.ModifierInfo {
	m := make([]mc.ModifierInfo, 1, len(specs)+1)
	for _, s := range specs {
		m = append(m, mc.ModifierInfo{Name: s, Prefix: ":" + s + ":"})
	}
	return m
}

func (l *learner) allFeatures() []uint64 {
	var bits []uint64
	for i := range l.info.Features {
		b := l.info.Features[i].Bit
		for int(b/64) >= len(bits) {
			bits = append(bits, 0)
		}
		bits[b/64] |= 1 << (b % 64)
	}
	return bits
}

// features asks what brings the parser's features: those of the target one by one.
func (l *learner) features() error {
	l.t.Specs = specs
	has := func(mattr string) (map[int]bool, error) {
		a, err := l.ask.ask("F %s", mattr)
		if err != nil {
			return nil, err
		}
		m := map[int]bool{}
		for _, w := range strings.Fields(a[0]) {
			n, _ := strconv.Atoi(w)
			m[n] = true
		}
		return m, nil
	}
	all, err := has("+all")
	if err != nil {
		return err
	}
	none := "" // without what the default processor has
	for i := range l.info.Features {
		none += "-" + l.info.Str(l.info.Features[i].Name) + ","
	}
	bare, err := has(none)
	if err != nil {
		return err
	}
	most := 0
	for n := range all {
		most = max(most, n)
	}
	for _, s := range l.t.FeatureSets {
		for _, n := range s {
			most = max(most, int(n))
		}
	}
	l.t.Features = make([]tab.Feature, most+1)
	for n := range l.t.Features {
		l.t.Features[n].Always = bare[n]
	}
	brings := make([][]string, most+1)
	closure := map[string]map[int]bool{}
	for i := range l.info.Features {
		name := l.info.Str(l.info.Features[i].Name)
		h, err := has(none + "+" + name)
		if err != nil {
			return err
		}
		closure[name] = h
		for n := range h {
			if n <= most && !bare[n] {
				brings[n] = append(brings[n], name)
			}
		}
	}
	for n := range brings {
		l.t.Features[n].AnyOf = brings[n]
		if len(brings[n]) == 0 && !bare[n] && l.used(n) {
			l.tell("feature %d of the parser is brought by no feature alone (by all: %v)", n, all[n])
		}
	}
	return l.featureNames()
}

func (l *learner) used(n int) bool {
	for _, s := range l.t.FeatureSets {
		for _, f := range s {
			if int(f) == n {
				return true
			}
		}
	}
	return false
}

// featureNames asks for the names that messages have.
func (l *learner) featureNames() error {
	for n := range l.t.Features {
		if !l.used(n) {
			continue
		}
		a, err := l.ask.ask("N %d", n)
		if err != nil {
			return err
		}
		_, l.t.Features[n].Name, _ = strings.Cut(a[0], "requires: ")
		if l.t.Features[n].Name == "" {
			l.tell("feature %d has no name: %q", n, a[0])
		}
	}
	return nil
}
