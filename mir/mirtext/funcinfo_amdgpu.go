package mirtext

import (
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/triple"
)

// amdgpuArgs are the arguments that the hardware or the fixed calling convention
// passes, with the convention's registers.
var amdgpuArgs = [...]struct{ name, reg, mask string }{{"privateSegmentBuffer", "$sgpr0_sgpr1_sgpr2_sgpr3", ""},
	{"dispatchPtr", "$sgpr4_sgpr5", ""}, {"queuePtr", "$sgpr6_sgpr7", ""}, {"kernargSegmentPtr", "", ""},
	{"dispatchID", "$sgpr10_sgpr11", ""}, {"flatScratchInit", "", ""}, {"privateSegmentSize", "", ""},
	{"workGroupIDX", "$sgpr12", ""}, {"workGroupIDY", "$sgpr13", ""}, {"workGroupIDZ", "$sgpr14", ""}, {"workGroupInfo", "", ""},
	{"LDSKernelId", "$sgpr15", ""}, {"privateSegmentWaveByteOffset", "", ""}, {"implicitArgPtr", "$sgpr8_sgpr9", ""},
	{"implicitBufferPtr", "", ""}, {"workItemIDX", "$vgpr31", "1023"}, {"workItemIDY", "$vgpr31", "1047552"},
	{"workItemIDZ", "$vgpr31", "1072693248"}}

// Calling conventions of AMDGPU.
const (
	spirKernel = 76
	vs         = 87
	gs         = 88
	cs         = 90
	kernel     = 91
	hs, ls, es = 93, 95, 96
	gfx        = 100
	chain      = 104
	chainPres  = 105
	gfxWhole   = 110
)

func isGraphics(cc uint16) bool {
	return cc >= vs && cc <= cs || cc == hs || cc == ls || cc == es || cc == gfx || cc == gfxWhole
}

// amdgpuComputed gives the fields that depend on the IR function and the subtarget.
func amdgpuComputed(f *mir.Function, t *InfoFields) func(string) (string, bool) {
	cc := uint16(0)
	if f.Module != nil {
		if g := globalOf(f); g != nil {
			cc = g.CC
		}
	}
	isKernel := cc == kernel || cc == spirKernel
	graphics := isGraphics(cc)
	isChain := cc == chain || cc == chainPres
	entry := isKernel || graphics && cc != gfx && cc != gfxWhole
	var st *subtarget
	sub := func() *subtarget {
		if st == nil {
			st = subtargetOf(f)
		}
		return st
	}
	return func(key string) (string, bool) {
		if rest, ok := strings.CutPrefix(key, "argumentInfo."); ok {
			return amdgpuArg(t, rest, !entry && !isChain && cc != gfx && cc != gfxWhole, isChain || !entry && !sub().Has("enable-flat-scratch"), isChain,
				(cc == gs || cc == hs) && sub().Has("gfx9-insts") && !sub().Has("architected-flat-scratch"))
		}
		switch key {
		case "occupancy":
			if s, ok := t.Text("occupancy"); ok && canonicalInfo(family.InfoInt, s) != "0" {
				return "", false
			}
			lds := int64(0)
			if s, ok := t.Text("ldsSize"); ok {
				lds, _ = strconv.ParseInt(s, 0, 64)
			}
			return strconv.Itoa(amdgpuOccupancy(f, sub(), lds, graphics)), true
		case "vgprForAGPRCopy":
			if _, ok := t.Text("vgprForAGPRCopy"); !ok && sub().Has("mai-insts") && !sub().Has("gfx90a-insts") {
				return "$vgpr" + strconv.Itoa(amdgpuMaxVGPRs(f, graphics)-1), true
			}
		case "mode.ieee":
			// Without an IEEE mode the field of the text is ignored.
			if sub().Has("gfx12-insts") {
				return strconv.FormatBool(!graphics), true
			}
		case "dynamicVGPRBlockSize":
			if _, ok := t.Text(key); !ok {
				if s, ok := fnAttr(f, "amdgpu-dynamic-vgpr-block-size"); ok {
					return s, true
				}
			}
		case "isChainFunction":
			return strconv.FormatBool(isChain), true
		}
		if !t.IROnly {
			return "", false
		}
		switch key {
		case "isEntryFunction":
			return strconv.FormatBool(entry), true
		case "frameOffsetReg":
			if !entry && !isChain {
				return "$sgpr33", true
			}
		case "stackPtrOffsetReg":
			if !entry {
				return "$sgpr32", true
			}
		case "scratchRSrcReg":
			if isChain {
				return "$sgpr48_sgpr49_sgpr50_sgpr51", true
			}
			if !entry && !sub().Has("enable-flat-scratch") {
				return "$sgpr0_sgpr1_sgpr2_sgpr3", true
			}
		case "mode.fp32-input-denormals", "mode.fp32-output-denormals":
			return "", false
		case "mode.ieee":
			if graphics {
				return "false", true
			}
		case "maxKernArgAlign":
			if entry {
				if os := sub().triple.OS; os == triple.OSAMDHSA || os == triple.OSMesa3D {
					return "8", true
				}
				return "4", true
			}
		}
		return "", false
	}
}

// amdgpuArg gives the descriptor of one argument.
func amdgpuArg(t *InfoFields, name string, fixed, rsrc, chain, merged bool) (string, bool) {
	if v := t.root.get("argumentInfo"); v != nil {
		if a := v.get(name); a != nil && a.kind == mapNode {
			s, sep := "{ ", ""
			for _, k := range [...]string{"reg", "offset", "mask"} {
				x := a.get(k)
				if x == nil {
					continue
				}
				s += sep + k + ": "
				sep = ", "
				if k == "reg" {
					s += "'" + x.text + "'"
				} else {
					s += canonicalInfo(family.InfoInt, x.text)
				}
			}
			return s + " }", true
		}
		if v.kind == mapNode && !fixed && !rsrc {
			return "", false
		}
	}
	if merged && name == "privateSegmentWaveByteOffset" {
		return "{ reg: '$sgpr5' }", true
	}
	if chain && name == "privateSegmentBuffer" {
		return "{ reg: '$sgpr48_sgpr49_sgpr50_sgpr51' }", true
	}
	if !fixed && !(rsrc && name == "privateSegmentBuffer") {
		return "", false
	}
	for i := range amdgpuArgs {
		if a := &amdgpuArgs[i]; a.name == name && a.reg != "" {
			if a.mask != "" {
				return "{ reg: '" + a.reg + "', mask: " + a.mask + " }", true
			}
			return "{ reg: '" + a.reg + "' }", true
		}
	}
	return "", false
}

// amdgpuMaxVGPRs is the number of vector registers that the function can have
// at the fewest waves that its work groups need; gfx908 has 256 of them.
func amdgpuMaxVGPRs(f *mir.Function, graphics bool) int {
	size := 1024
	if graphics {
		size = 64
	}
	if s, ok := fnAttr(f, "amdgpu-flat-work-group-size"); ok {
		_, b, _ := strings.Cut(s, ",")
		if y, err := strconv.Atoi(b); err == nil && y > 0 {
			size = y
		}
	}
	waves := max((size+63)/64/4, 1)
	if s, ok := fnAttr(f, "amdgpu-waves-per-eu"); ok {
		a, _, _ := strings.Cut(s, ",")
		if x, err := strconv.Atoi(a); err == nil && x >= waves {
			waves = x
		}
	}
	n := 256 / waves &^ 3
	if s, ok := fnAttr(f, "amdgpu-num-vgpr"); ok {
		if x, err := strconv.Atoi(s); err == nil && x > 0 && x < n {
			n = x
		}
	}
	return n
}

// amdgpuOccupancy is the largest number of waves that an execution unit can
// hold, by the sizes of the work group and of local memory.
func amdgpuOccupancy(f *mir.Function, st *subtarget, lds int64, graphics bool) int {
	gfx10 := st.Has("gfx10-insts")
	wave := 64
	switch {
	case st.Has("wavefrontsize16"):
		wave = 16
	case st.Has("wavefrontsize32"), gfx10 && !st.Has("wavefrontsize64"):
		wave = 32
	}
	perEU := 10
	switch {
	case st.Has("gfx90a-insts"):
		perEU = 8
	case gfx10 && st.Has("gfx10-3-insts"):
		perEU = 16
	case gfx10:
		perEU = 20
	}
	eus := 4
	if gfx10 && st.Has("cumode") {
		eus = 2
	}
	local := int64(32768)
	for _, n := range [...]int64{65536, 163840, 327680} {
		if st.Has("localmemorysize" + strconv.FormatInt(n, 10)) {
			local = n
		}
	}
	wgsByLDS := local / max(lds, 1)
	if wgsByLDS == 0 {
		return 1
	}
	minSize, maxSize := 1, 1024
	if graphics {
		maxSize = wave
	}
	if s, ok := fnAttr(f, "amdgpu-flat-work-group-size"); ok {
		a, b, _ := strings.Cut(s, ",")
		x, err1 := strconv.Atoi(a)
		y, err2 := strconv.Atoi(b)
		if err1 == nil && err2 == nil && x <= y && y <= 1024 {
			minSize, maxSize = x, y
		}
	}
	waves := func(size int) int {
		per := max((size+wave-1)/wave, 1)
		groups := perEU * eus / per
		if per > 1 {
			barriers := 16
			if gfx10 && eus == 4 {
				barriers = 32
			}
			groups = min(groups, barriers)
		}
		return per * int(min(int64(groups), wgsByLDS))
	}
	n := max(waves(minSize), waves(maxSize))
	return min(max((n+eus-1)/eus, 1), perEU)
}

// amdgpuRegs are the fields that hold a register and the class it must be of.
var amdgpuRegs = [...]struct{ key, class, pseudo string }{{"scratchRSrcReg", "sgpr_128", "$private_rsrc_reg"},
	{"frameOffsetReg", "sgpr_32", "$fp_reg"}, {"stackPtrOffsetReg", "sgpr_32", "$sp_reg"}, {"vgprForAGPRCopy", "", ""},
	{"sgprForEXECCopy", "", ""}, {"longBranchReservedReg", "", ""}}

// checkAMDGPU checks the registers and frame indices that AMDGPU's fields name.
func (r *funcReader) checkAMDGPU(n *node) {
	for _, k := range [...]string{"maxKernArgAlign", "dynLDSAlign"} {
		if v := n.get(k); v != nil && r.err == nil {
			if a, err := strconv.ParseUint(v.text, 0, 64); err == nil && (a == 0 || a&(a-1) != 0) {
				r.failYAML(v.off, "must be a power of two")
			}
		}
	}
	check := func(v *node, class, pseudo string) {
		reg := r.physText(v)
		if r.err != nil || class == "" || v.text == pseudo {
			return
		}
		if c, ok := r.names.classes[class]; ok && (reg == 0 || !r.in.ClassContains(desc.ClassID(c), desc.PhysReg(reg))) {
			r.fail(textStart(v)+len(v.text), "incorrect register class for field")
		}
	}
	for _, f := range amdgpuRegs {
		v := n.get(f.key)
		switch {
		case v == nil || v.kind != scalarNode || v.text == "" && f.class == "":
		case v.text == "":
			r.fail(textStart(v), "expected a named register")
		default:
			check(v, f.class, f.pseudo)
		}
	}
	for _, k := range [...]string{"spillPhysVGPRs", "wwmReservedRegs"} {
		if l := n.get(k); l != nil {
			for i := range l.items {
				check(&l.items[i], "", "")
			}
		}
	}
	if a := n.get("argumentInfo"); a != nil {
		for i := range a.keys {
			if v := a.items[i].get("reg"); v != nil {
				check(v, amdgpuArgClass(a.keys[i].text), "")
			}
		}
	}
	if v := n.get("scavengeFI"); v != nil && v.text != "" && r.err == nil {
		num, fixed := strings.CutPrefix(v.text, "%fixed-stack.")
		known, what := r.stack, "invalid frame index "
		if fixed {
			known, what = r.fixed, "invalid fixed frame index "
		} else {
			num = strings.TrimPrefix(num, "%stack.")
		}
		num, _, _ = strings.Cut(num, ".")
		k, err := strconv.ParseUint(num, 10, 32)
		if _, ok := known[k]; err != nil || !ok {
			r.fail(textStart(v)+1, what+num)
		}
	}
}

// textStart is where a scalar's text begins, behind its quote.
func textStart(v *node) int {
	if v.end-v.off == len(v.text)+2 {
		return v.off + 1
	}
	return v.off
}

func amdgpuArgClass(key string) string {
	switch key {
	case "privateSegmentBuffer":
		return "sgpr_128"
	case "dispatchPtr", "queuePtr", "kernargSegmentPtr", "dispatchID", "flatScratchInit", "implicitArgPtr", "implicitBufferPtr":
		return "sreg_64"
	case "workItemIDX", "workItemIDY", "workItemIDZ":
		return "vgpr_32"
	}
	return "sgpr_32"
}
