package mirtext

import "github.com/mirin-go/mirin/mir"

func amdgpuLoaded(r *funcReader) {
	if r.wave32() {
		narrowVCC(r.f)
	}
}

// wave32 reports AMDGPU's waves of 32 lanes, where VCC has one register.
func (r *funcReader) wave32() bool {
	st := subtargetOf(r.f)
	return st.Has("wavefrontsize32") || st.Has("gfx10-insts") && !st.Has("wavefrontsize64")
}

// narrowVCC makes implicit uses and definitions of VCC those of its lower half.
func narrowVCC(f *mir.Function) {
	vcc, ok1 := f.Facts.RegByName("vcc")
	lo, ok2 := f.Facts.RegByName("vcc_lo")
	if !ok1 || !ok2 {
		return
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if f.Instr(i).Flags()&mir.BundledPred != 0 {
				continue
			}
			for k, n := 0, len(f.Ops(i)); k < n; k++ {
				if o := f.Op(i, k); o.IsReg() && o.IsImplicit() && o.Reg() == mir.Reg(vcc) {
					f.SetReg(i, k, mir.Reg(lo))
				}
			}
		}
	}
}
