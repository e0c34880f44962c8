package mctargetdesc

import (
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// files gives the letter of a class of registers in regIndex.files.
func fileOf(class string) byte {
	switch {
	case strings.HasPrefix(class, "GPR"), class == "PTR", class == "DSPR":
		return 'g'
	case strings.HasPrefix(class, "AFGR"), strings.HasPrefix(class, "FGR"):
		return 'f'
	case class == "MSACtrl":
		return 'm'
	case strings.HasPrefix(class, "MSA128"):
		return 'w'
	case strings.HasPrefix(class, "ACC"), strings.HasPrefix(class, "HI32"), strings.HasPrefix(class, "LO32"):
		return 'a'
	case class == "FCC":
		return 'c'
	case class == "HWRegs":
		return 'h'
	}
	return 'n'
}

// refused is why no row fits.
type refused struct {
	lacks     bool   // features
	few       bool   // operands are missing
	diag      string // "" for an operand that is wrong
	op        int    // which
	predicate string // what is wrong with operands together
}

// match chooses the row for operands as LLVM's matcher does: the first that fits; else what the
// row says that came farthest, of equal ones the last that has something to say.
func (r *reader) match(st *mc.Subtarget) (*row, refused) {
	why := refused{op: -1}
	otherwise := false
	for i := range r.rows {
		w := &r.rows[i]
		missing := w.missing(st)
		r.anyNumber = w.macro
		k, diag, ok := r.fits(w)
		switch {
		case ok && (missing > 0 || r.tooWide(w)):
			otherwise = true
		case ok:
			p := r.predicate(w)
			if p == "" {
				return w, why
			}
			why.predicate = p
			var in mc.Inst
			r.convert(w, &in) // which says what is odd
		case k >= len(r.ops):
			why.op = k
		case !otherwise && (i == 0 || why.op >= 0 && why.op <= k):
			if missing == 0 && (why.op != k || diag != "") {
				why.diag = diag
			}
			why.op = k
		}
	}
	why.lacks = otherwise && why.predicate == ""
	why.few = why.op >= len(r.ops)
	return nil, why
}

// fits holds the operands to a row: the first that is wrong, with what is said of it.
func (r *reader) fits(w *row) (wrong int, diag string, ok bool) {
	for k := range w.ops {
		if k >= len(r.ops) {
			return k, "", false
		}
		if diag, ok := r.fitsOp(&w.ops[k], &r.ops[k]); !ok {
			return k, diag, false
		}
	}
	return len(w.ops), "", len(w.ops) == len(r.ops)
}

func (r *reader) fitsOp(w *rowOp, o *operand) (diag string, ok bool) {
	switch w.letter {
	case 'R':
		return "", o.kind == 'R' && r.fitsReg(w, o.reg)
	case 'P':
		return "", o.kind == 'P'
	case 'L':
		return "", o.kind == 'L'
	case 'l':
		return "", o.kind == 'L' && o.short()
	case '=':
		return "", o.kind == 'R' && r.ops[w.same].kind == 'R'
	case 'I':
		return w.nums.early(), o.kind == 'I' && r.fitsNumber(&w.nums, o)
	case 'M':
		return w.nums.early(), o.kind == 'M' && o.reg.n < 32 && w.bases>>o.reg.n&1 != 0 && strings.Contains(o.reg.files, "g") && r.fitsNumber(&w.nums, o)
	}
	return "", o.kind == w.letter
}

func (n *numbers) early() string {
	if n.late() {
		return ""
	}
	return n.diag
}

func (r *reader) fitsReg(w *rowOp, reg regIndex) bool {
	if reg.n > 31 || w.mask>>reg.n&1 == 0 {
		return false
	}
	if w.class == "" || w.class == "-" || w.kinds != "" && !strings.Contains(w.kinds, "g") && fileOf(w.class) == 'g' {
		return reg.files == anyFile || strings.Contains(w.kinds, reg.files)
	}
	return strings.IndexByte(reg.files, fileOf(w.class)) >= 0
}

func (r *reader) fitsNumber(n *numbers, o *operand) bool {
	if o.x == 0 {
		if o.kind == 'M' && n.lo == -1<<31 && r.pointers64() {
			return true
		}
		return n.late() || n.takes(o.v) || wideMacros[r.word] || r.anyNumber && n.diag == ""
	}
	if n.syms == 0 {
		return false
	}
	ctx := r.p.Context()
	v, ok := ctx.Reduce(o.x, nil)
	if !ok || v.Mod == mc.ModNone {
		return n.syms&1 != 0
	}
	name := ctx.Info().ModifierName(v.Mod)
	for k, s := range r.table.syms {
		if s == name {
			return n.syms>>(k+1)&1 != 0
		}
	}
	return true
}

// wideMacros are those whose numbers have 64 bits where registers have.
var wideMacros = map[string]bool{"sge": true, "sgeu": true, "sgt": true, "sgtu": true, "sle": true, "sleu": true}

// tooWide reports a number of such a macro that registers do not hold.
func (r *reader) tooWide(w *row) bool {
	k := len(r.ops) - 1
	return w.macro && wideMacros[r.word] && r.ops[k].kind == 'I' && r.ops[k].x == 0 && !w.ops[k].nums.takes(r.ops[k].v) && !r.has("gp64")
}

// convert makes the instruction of a row.
func (r *reader) convert(w *row, in *mc.Inst) {
	in.Reset(w.op)
	if len(r.ops) > 0 && r.ops[0].kind == 'L' {
		for _, n := range r.ops[0].list {
			in.Add(mc.Reg(r.regOf("GPR32", n)))
		}
		in.Add(mc.Reg(r.regOf("GPR32", r.ops[1].reg.n)))
		in.Add(mc.Imm(r.ops[1].v))
		return
	}
	for i := range w.conv {
		c := &w.conv[i]
		switch c.from {
		case '=':
			in.Add(mc.Reg(c.reg))
		case '#':
			in.Add(mc.Imm(c.arg))
		case 'r':
			k := r.slot(w, c.n)
			o := r.ops[k]
			switch c.wrap {
			case 'p':
				o.reg.n += int(c.arg)
			case '4':
				o.reg.n = 4*o.reg.n + int(c.arg)
			}
			in.Add(mc.Reg(r.physReg(w.ops[k].class, &o)))
		case 'x':
			k := r.slot(w, c.n)
			in.Add(mc.Reg(r.physReg(w.ops[k].class, &r.ops[k])))
		case 'b':
			k := r.slot(w, c.n)
			if r.ops[k].kind != 'M' { // the register within the parentheses of $3($2)
				in.Add(mc.Reg(r.physReg(w.ops[k+2].class, &r.ops[k+2])))
				break
			}
			class := w.ops[k].base
			if class == "" {
				class = "GPR32"
			}
			base := r.ops[k]
			base.start = base.base
			in.Add(mc.Reg(r.physReg(class, &base)))
		case 'i':
			o := &r.ops[r.slot(w, c.n)]
			if o.x != 0 {
				in.Add(mc.ExprOp(o.x))
			} else {
				in.Add(mc.Imm(c.value(o.v)))
			}
		}
	}
}

// slot is the operand that has the number n when brackets and what belongs to an indexed
// address are not counted.
func (r *reader) slot(w *row, n int) int {
	k := 0
	for i := range w.ops {
		switch w.ops[i].letter {
		case '[', ']', '(', ')':
			continue
		}
		if i > 0 && w.ops[i-1].letter == '(' {
			continue
		}
		if k == n {
			return i
		}
		k++
	}
	return 0
}

// physReg gives the register of a class that an operand names, and says what LLVM says of it.
func (r *reader) physReg(class string, o *operand) desc.PhysReg {
	n := o.reg.n
	if class == "PTR" {
		class = "GPR32"
		if r.pointers64() {
			class = "GPR64"
		}
	}
	switch {
	case class == "AFGR64" && n&1 != 0:
		if r.once(o.start) {
			r.p.Warn(o.start, o.start, "Float register should be even.")
		}
		n &^= 1
	case strings.HasPrefix(class, "FGR32") && n&1 != 0 && r.has("nooddspreg"):
		r.errorAt(o.start, "-mno-odd-spreg prohibits the use of odd FPU registers")
	case (strings.HasPrefix(class, "GPR") || class == "DSPR") && n != 0 && n == r.at():
		if r.once(o.start) {
			r.p.Warn(o.start, o.start, usedAT(n))
		}
	}
	return r.regOf(class, n)
}

// once reports that nothing has been said of the operand at a place.
func (r *reader) once(at int) bool {
	for _, x := range r.said {
		if x == at {
			return false
		}
	}
	r.said = append(r.said, at)
	return true
}

// regOf gives the register of a class by its number, 0 where it has none.
func (s *session) regOf(class string, n int) desc.PhysReg {
	if t, ok := s.classes[class]; ok {
		return t[n]
	}
	var t [32]desc.PhysReg
	if c, ok := s.info.RegClassByName(strings.ToLower(class)); ok {
		for _, m := range s.info.ClassMembers(c) {
			if e := s.info.Regs[m].Encoding; e < 32 && t[e] == 0 {
				t[e] = m
			}
		}
	}
	s.classes[class] = t
	return t[n]
}

// low16 sign-extends the low half of v.
func low16(v int64) int64 { return int64(int16(v)) }

// isUInt reports that v fits n bits without a sign.
func isUInt(v int64, n int) bool { return v >= 0 && bits.Len64(uint64(v)) <= n }

// isInt reports that v fits n bits with a sign.
func isInt(v int64, n int) bool { return v<<(64-n)>>(64-n) == v }
