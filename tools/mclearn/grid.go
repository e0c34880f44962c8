package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/triple"
)

// Where an assembler does not name what a subtarget lacks, and one text is of several opcodes
// by the instruction set that is on, features toggled alone say little: most sets imply others,
// and many pairs exclude each other. Such targets have a grid of subtargets; a form's condition
// is the conjunction that tells those that read it from those that do not.

// gridView is a processor of the grid with sets of features beside it.
type gridView struct {
	triple, cpu string
	features    []string
}

// gridAnswer is what a subtarget makes of each form.
type gridAnswer struct {
	has  []bool // by index of the facts' features
	got  []gridResult
	read []desc.Opcode // of gridOther
}

type gridResult uint8

const (
	gridUnknown gridResult = iota // refused for another reason
	gridWon                       // read as the form's opcode
	gridOther                     // read as another
	gridLacks                     // refused for features
)

// learnGrid finds what each form asks of features from a grid of subtargets.
func (r *reader) learnGrid(ask string, grid []gridView) error {
	r.closures()
	kept := r.keptForms()
	var all []gridAnswer
	for _, g := range grid {
		p, err := start(ask, view{g.triple, g.cpu, "", -1})
		if err != nil {
			return fmt.Errorf("%s, %s: %w", g.triple, g.cpu, err)
		}
		for _, fs := range g.features {
			a, err := r.gridAsk(p, g, fs, kept)
			if err != nil {
				p.close()
				return err
			}
			all = append(all, a)
		}
		p.close()
	}
	r.words[desc.WordNeeds] = r.syntax.needs
	names := r.featureRank()
	for i, f := range kept {
		terms, left := r.separate(all, i, names)
		if left > 0 {
			r.lost["forms whose features are not told apart"]++
		}
		if f.needs = nil; len(terms) == 0 {
			continue
		}
		// Each term is a predicate: what lacks fewer of them is nearer.
		for _, t := range terms {
			key := fmt.Sprint("\x00", t)
			if r.preds[key] == nil {
				r.preds[key] = &predicate{terms: []desc.FeatureTerm{t}}
			}
			f.needs = append(f.needs, key)
		}
	}
	r.gridOrder(all, kept)
	return nil
}

// gridAsk asks one subtarget about the sample of each form.
func (r *reader) gridAsk(p *process, g gridView, features string, kept []*form) (a gridAnswer, err error) {
	as, err := r.assemble(p, features, r.syntax.prologue, texts(kept))
	if err != nil {
		return a, err
	}
	a.has = r.gridHas(g, features)
	a.got, a.read = make([]gridResult, len(kept)), make([]desc.Opcode, len(kept))
	for i, f := range kept {
		switch x := as[i].one(); {
		case x != nil && x.op == f.op:
			a.got[i] = gridWon
		case x != nil:
			a.got[i], a.read[i] = gridOther, x.op
		case as[i].failed && !as[i].crashed && as[i].msg == r.syntax.needs:
			a.got[i] = gridLacks
		}
	}
	return a, nil
}

// gridHas is what a subtarget of the grid has, by index of the facts' features.
func (r *reader) gridHas(g gridView, features string) []bool {
	of := triple.Parse(triple.Normalize(g.triple))
	cpu, base := family.ByArch(of.Arch).MCSubtarget(of, g.cpu)
	set := family.Resolve(r.info, cpu, cpu, base+","+features)
	has := make([]bool, len(r.info.Features))
	for k := range has {
		has[k] = set.Bit(r.info.Features[k].Bit)
	}
	return has
}

// featureRank orders features that say the same: instruction sets, then others.
func (r *reader) featureRank() []string {
	names := make([]string, len(r.info.Features))
	for k := range names {
		if names[k] = r.info.Str(r.info.Features[k].Name); !strings.HasPrefix(names[k], r.t.file) {
			names[k] = "\xff" + names[k]
		}
	}
	return names
}

// separate makes the terms of form i: the fewest, one after the other, that no subtarget fails
// that reads it and that exclude the others. left counts those that refuse it nevertheless.
func (r *reader) separate(all []gridAnswer, i int, names []string) (terms []desc.FeatureTerm, left int) {
	n := len(r.info.Features)
	always, never := make([]bool, n), make([]bool, n)
	for k := range n {
		always[k], never[k] = true, true
	}
	rest := map[int]bool{}
	for v := range all {
		switch all[v].got[i] {
		case gridWon:
			for k, on := range all[v].has {
				always[k] = always[k] && on
				never[k] = never[k] && !on
			}
		case gridOther, gridLacks:
			rest[v] = true
		}
	}
	type literal struct {
		k   int
		not bool
	}
	for len(rest) > 0 {
		best, most := literal{}, 0
		for k := range n {
			for _, l := range [...]literal{{k, false}, {k, true}} {
				if l.not && !never[k] || !l.not && !always[k] {
					continue
				}
				num := 0
				for v := range rest {
					weight := 1
					if all[v].got[i] == gridLacks {
						weight = 4
					}
					if all[v].has[k] == l.not {
						num += weight
					}
				}
				// Of those that say the same the instruction set; the weaker one.
				if num > most || num == most && num > 0 && cmp.Compare(names[k], names[best.k]) < 0 {
					best, most = l, num
				}
			}
		}
		if most == 0 {
			break
		}
		t := desc.FeatureTerm(r.info.Features[best.k].Bit)
		if best.not {
			t |= desc.FeatureNot
		}
		terms = append(terms, t)
		for v := range rest {
			if all[v].has[best.k] == best.not {
				delete(rest, v)
			}
		}
	}
	for v := range rest {
		if all[v].got[i] == gridLacks {
			left++
		}
	}
	slices.Sort(terms)
	return terms, left
}

// gridOrder keeps of what LLVM prefers that which features do not decide.
func (r *reader) gridOrder(all []gridAnswer, kept []*form) {
	holds := make([][]bool, len(kept))
	index := map[*form]int{}
	bits := map[uint16]int{}
	for k := range r.info.Features {
		bits[r.info.Features[k].Bit] = k
	}
	for i, f := range kept {
		index[f] = i
		holds[i] = make([]bool, len(all))
		for v := range all {
			ok := true
			for _, key := range f.needs {
				for _, t := range r.preds[key].terms {
					ok = ok && all[v].has[bits[uint16(t&^desc.FeatureNot)]] != (t&desc.FeatureNot != 0)
				}
			}
			holds[i][v] = ok
		}
	}
	for i, f := range kept {
		for o := range f.before {
			j, ok := index[o]
			meet := false
			for v := range all {
				meet = meet || ok && holds[i][v] && holds[j][v]
			}
			if !meet {
				delete(f.before, o)
			}
		}
		// A text that is read as another's though this form's condition holds.
		for j, o := range kept {
			for v := range all {
				if o != f && o.key == f.key && all[v].got[i] == gridOther && all[v].read[i] == o.op && holds[i][v] && holds[j][v] {
					f.before[o] = true
				}
			}
		}
	}
}

// mipsGrid has each instruction set, with each extension alone, without it, and in the modes
// with instructions of their own.
func mipsGrid() (grid []gridView) {
	const o32, n64 = "mips-unknown-linux-gnu", "mips64-unknown-linux-gnuabi64"
	extensions := func(mode string, all []string) (out []string) {
		join := func(but string) string {
			s := mode
			for _, e := range all {
				if e != but {
					s += ",+" + e
				}
			}
			return strings.TrimPrefix(s, ",")
		}
		out = append(out, mode, join(""))
		for _, e := range all {
			out = append(out, strings.TrimPrefix(mode+",+"+e, ","), join(e))
		}
		for _, e := range []string{"fp64", "soft-float", "single-float", "nomadd4", "use-indirect-jump-hazard", "mips3d"} {
			out = append(out, strings.TrimPrefix(mode+",+"+e, ","), join("")+",+"+e)
		}
		return out
	}
	old := []string{"dsp", "dspr2", "dspr3", "msa", "mt", "virt", "eva"}
	r6 := append(slices.Clone(old), "crc", "ginv")
	full := strings.Join([]string{"", "+fp64", "+soft-float"}, ";")
	plain := strings.Split(full, ";")
	for _, c := range []string{"mips1", "mips2", "mips32", "mips32r3", "mips32r5"} {
		grid = append(grid, gridView{o32, c, plain})
	}
	for _, c := range []string{"mips3", "mips4", "mips5", "mips64", "mips64r3", "mips64r5", "octeon", "octeon+"} {
		grid = append(grid, gridView{n64, c, plain})
	}
	mm := []string{"dsp", "dspr2", "dspr3", "msa", "virt", "eva"}
	return append(grid,
		gridView{o32, "mips32", extensions("", old)}, gridView{o32, "mips32r3", extensions("", old)}, gridView{o32, "mips32r5", extensions("", old)},
		gridView{n64, "mips64r3", extensions("", old)}, gridView{n64, "mips64r5", extensions("", old)},
		gridView{o32, "mips32r3", extensions("+micromips", mm)}, gridView{o32, "mips32r5", extensions("+micromips", mm)},
		gridView{o32, "mips3", plain}, gridView{o32, "mips64r2", plain}, gridView{o32, "mips64r6", plain},
		gridView{"mips64-unknown-linux-gnuabin32", "mips64r2", plain}, gridView{"mips64-unknown-linux-gnuabin32", "mips64r6", plain},
		gridView{o32, "mips32r2", append(extensions("", old), "+mips16", "+mips16,+dsp")}, gridView{o32, "mips32r6", extensions("", r6)},
		gridView{n64, "mips64r2", extensions("", old)}, gridView{n64, "mips64r6", extensions("", r6)},
		gridView{o32, "mips32r2", extensions("+micromips", mm)}, gridView{o32, "mips32r6", extensions("+micromips", append(mm, "crc", "ginv"))},
		gridView{o32, "mips32r3", []string{"+micromips", "+micromips,+fp64", "+micromips,+soft-float"}}, gridView{o32, "mips32r5", []string{"+micromips", "+micromips,+fp64", "+micromips,+virt"}})
}
