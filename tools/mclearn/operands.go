package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// learnOperands asks what is said about wrong operands, and which expressions an
// operand may be.
func (r *reader) learnOperands() error {
	kept := r.keptForms()
	strange := r.strangeRegs()
	for vs := range 2 * len(r.views) {
		v, strict := vs/2, vs%2 != 0
		p := r.views[v]
		type probe struct {
			f        *form
			part     int
			kind     int // of the modifier; -1: a wrong operand
			col, pos int
		}
		var ts []string
		var ps []probe
		for _, f := range kept {
			if f.view != v || f.strict != strict {
				continue
			}
			s := &f.samples[f.sample]
			f.ops = make([]formOp, len(s.starts))
			for k := range s.starts {
				y := &r.tabs.Writer.Styles[f.parts[k].Style-1]
				place := r.place(f, int(f.parts[k].Op))
				pre, old, post := s.text[:s.starts[k]], s.text[s.starts[k]:s.ends[k]], s.text[s.ends[k]:]
				if place {
					pre = pre[:len(pre)-1] // the dot
				}
				ask := func(text string, kind int) {
					ts, ps = append(ts, pre+text+post), append(ps, probe{f, k, kind, len(pre), 0})
				}
				reg := y.Kind == desc.StyleReg || y.Kind == desc.StyleRegTexts
				num := func(n string) string {
					if y.Kind == desc.StyleTexts || reg {
						h := ""
						if strings.HasPrefix(old, "#") {
							h = "#"
						}
						return h + n
					}
					if place {
						return n
					}
					w := r.tabs.Writer.Names
					return y.Prefix.In(w) + n + y.Suffix.In(w)
				}
				if !reg {
					ask(num("1099511627777"), -1)
					ask(num("-1099511627779"), -1)
				}
				if kind := strings.TrimRight(old, "0123456789"); reg && kind != "" && kind != old {
					for _, n := range [...]string{"0", "1", "5", "8", "9", "15", "16", "31"} {
						if kind+n != old {
							ask(kind+n, -1)
						}
					}
				}
				if len(post) > 1 && post[0] == '.' { // another element
					for _, e := range [...]string{".q", ""} {
						ts, ps = append(ts, pre+old+e+post[2:]), append(ps, probe{f, k, -1, len(pre), 0})
					}
				}
				for _, o := range strange {
					if o != old {
						ask(o, -1)
					}
				}
				ask(num("zz_q"), -1)
				if reg {
					ask(num("1"), -1)
					continue
				}
				for n, kind := range r.kinds {
					ask(num(r.syntax.expr(kind)), n)
				}
			}
		}
		as, err := r.assemble(p, "", r.prologueOf(strict), ts)
		if err != nil {
			return err
		}
		for i := range as {
			q, a := ps[i], &as[i]
			if q.kind >= 0 {
				if x := a.one(); x != nil && x.op == q.f.op && slices.ContainsFunc(x.ops, func(o operand) bool { return o.kind == kindSym }) {
					q.f.ops[q.part].syms |= 1 << q.kind
				}
				continue
			}
			o := &q.f.ops[q.part]
			if !a.failed || o.diag != "" || a.msg == r.words[desc.WordInvalid] || a.msg == r.words[desc.WordFew] || a.msg == "invalid register" || strings.HasPrefix(a.msg, r.words[desc.WordUnknown]) || strings.HasPrefix(a.msg, "unexpected") || strings.HasPrefix(a.msg, "unknown") {
				continue
			}
			if a.col == q.col || a.col == q.col-1 {
				o.diag = a.msg
			}
		}
	}
	return nil
}

// strangeRegs are registers of several kinds, one of which is wrong anywhere.
func (r *reader) strangeRegs() (out []string) {
	seen := map[string]bool{}
	for _, f := range r.keptForms() {
		s := &f.samples[f.sample]
		for k := range s.starts {
			y := &r.tabs.Writer.Styles[f.parts[k].Style-1]
			t := s.text[s.starts[k]:s.ends[k]]
			kind := strings.TrimRight(t, "0123456789")
			if (y.Kind == desc.StyleReg) && !seen[kind] && len(out) < 5 && t != "" {
				seen[kind] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// regPrefixes are what names of registers with numbers begin with.
var regPrefixes = strings.Fields("x w r f v a s t k c d q b h z p i o l g m u y ft fs fa fcc vr xr fr fp vs vf gp cr ac acc cc sr ip fpr gpr vsr v8_ s_ hwr_ msa w_ e n")

var regWords = strings.Fields("zero ra sp gp tp fp lr pc ip ip0 ip1 ip2 xzr wzr sl sb at psp msp xer ctr vrsave lr lr_pc cfr y psr wim tbr fsr icc xcc asp ssp hi lo")

// learnRegs finds names of registers that are not printed: in the place of each kind
// of register operand, all names that one may think of are tried.
func (r *reader) learnRegs() error {
	var names []string
	for _, sign := range []string{"", "%", "$"} {
		for _, w := range regWords {
			names = append(names, sign+w)
		}
		for _, p := range append(regPrefixes, "") {
			if sign == "" && p == "" && !r.syntax.bareRegs {
				continue
			}
			for n := range 64 {
				names = append(names, sign+p+strconv.Itoa(n))
			}
		}
	}
	r.regs = map[string][]desc.PhysReg{}
	printed := map[string][]desc.PhysReg{}
	w := r.tabs.Writer
	for k := 1; k < len(w.RegNames); k++ {
		n := strings.ToLower(w.RegNames[k].In(w.Names))
		printed[n] = append(printed[n], desc.PhysReg(k%int(w.NumRegs)))
	}
	asked := map[string]bool{}
	for _, f := range r.keptForms() {
		s := &f.samples[f.sample]
		for k := range s.starts {
			op := int(f.parts[k].Op)
			if r.tabs.Writer.Styles[f.parts[k].Style-1].Kind != desc.StyleReg {
				continue
			}
			c := strconv.Itoa(int(r.info.OperandClass(f.op, op, r.info.DefaultMode))) + "," + strconv.Itoa(f.view)
			if asked[c] {
				continue
			}
			asked[c] = true
			var ts []string
			for _, n := range names {
				ts = append(ts, s.text[:s.starts[k]]+n+s.text[s.ends[k]:])
			}
			as, err := r.assemble(r.views[f.view], "", r.prologueOf(f.strict), ts)
			if err != nil {
				return err
			}
			for i := range as {
				x := as[i].one()
				if x == nil || x.op != f.op || op >= len(x.ops) || x.ops[op].kind != kindReg {
					continue
				}
				reg := desc.PhysReg(x.ops[op].val)
				if reg != 0 && !slices.Contains(printed[names[i]], reg) && !slices.Contains(r.regs[names[i]], reg) {
					r.regs[names[i]] = append(r.regs[names[i]], reg)
				}
			}
		}
	}
	return nil
}
