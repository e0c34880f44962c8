package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// variantKey is what the choice of a variant depends on.
type variantKey struct {
	in    *desc.Info
	mod   *ir.Module
	attrs ir.AttrListID
	mode  int // as asked for
}

// chooseVariant picks the hardware mode for a function, that of the variant
// of the facts that is nearest to its triple, processor and features.
func (v *Verifier) chooseVariant() {
	in := v.in
	key := variantKey{in: in}
	var attrs ir.AttrSet
	triple := ""
	if m := v.f.Module; m != nil {
		key.mod = m
		triple = m.Triple
		if id := m.Lookup(v.f.Name); id != 0 {
			key.attrs = m.Globals[id].Attrs
			attrs = m.Attrs.At(key.attrs).Fn
		}
	}
	key.mode = v.o.Mode
	if key == v.variantOf {
		return
	}
	v.variantOf = key
	v.framePointer = false
	if a, ok := attrs.Get("frame-pointer"); ok {
		v.framePointer = a.Value != "none"
	}
	cpu, features := "", ""
	if a, ok := attrs.Get("target-cpu"); ok {
		cpu = a.Value
	}
	if a, ok := attrs.Get("target-features"); ok {
		features = a.Value
	}
	v.mode = in.DefaultMode
	if k := nearestVariant(in, triple, cpu, features); k >= 0 {
		v.mode = int(in.Variants[k].Mode)
	}
	if v.o.Mode > 0 && v.o.Mode < len(in.Modes) {
		v.mode = v.o.Mode
	}
}

func nearestVariant(in *desc.Info, triple, cpu, features string) int {
	best, at := -1, -1
	for k := range in.Variants {
		d := &in.Variants[k]
		score := 0
		if triple != "" {
			score += 10 * likeArch(in.Str(d.Triple), triple)
		}
		have := in.Str(d.CPU)
		if have == cpu {
			score += 50
		}
		n := 0
		for n < len(have) && n < len(cpu) && have[n] == cpu[n] {
			n++
		}
		score += 2 * n
		for _, f := range strings.Split(in.Str(d.Features), ",") {
			if f == "" {
				continue
			}
			if strings.Contains(","+features+",", ","+f+",") {
				score += 100
			} else {
				score -= 60
			}
		}
		if score > best {
			best, at = score, k
		}
	}
	return at
}

// likeArch says how much alike the architectures of two triples are.
func likeArch(a, b string) int {
	env := strings.HasSuffix(a, "x32") == strings.HasSuffix(b, "x32")
	a, _, _ = strings.Cut(a, "-")
	b, _, _ = strings.Cut(b, "-")
	if len(b) == 4 && b[0] == 'i' && b[2:] == "86" {
		b = "i386"
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if a == b {
		n += 100
	}
	if strings.Contains(a, "64") == strings.Contains(b, "64") || strings.HasPrefix(a, "sparcv9") {
		n += 30
	}
	if env {
		n += 200
	}
	return n
}

func (v *Verifier) reserve(r mir.Reg) {
	v.reserved[r/32] |= 1 << (r % 32)
	subs := v.in.SubRegs(desc.PhysReg(r))
	for k := range subs.Len() {
		s := subs.At(k)
		v.reserved[s/32] |= 1 << (s % 32)
	}
}

// framePointers names the registers that functions with a frame pointer keep for it.
var framePointers = [...][2]string{
	{"X86", "rbp ebp"}, {"AArch64", "fp"}, {"ARM", "r11 r7"}, {"PowerPC", "x31 r31"}, {"Mips", "fp fp_64"},
	{"RISCV", "x8"}, {"SystemZ", "r11d"}, {"Hexagon", "r30"}, {"LoongArch", "r22"},
}

// reserveFramePointer reserves the frame pointer of a function that has one.
func (v *Verifier) reserveFramePointer() {
	if fr := &v.f.Frame; !v.framePointer && !fr.HasVarSizedObjects && !fr.IsFrameAddressTaken {
		return
	}
	for _, row := range framePointers {
		if row[0] != v.in.Target {
			continue
		}
		for _, n := range strings.Fields(row[1]) {
			if r, ok := v.in.RegByName(n); ok {
				v.reserve(mir.Reg(r))
			}
		}
	}
}
