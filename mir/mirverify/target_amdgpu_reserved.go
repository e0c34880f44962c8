package mirverify

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// amdOwn are the fields of machineFunctionInfo whose registers the function keeps for itself.
var amdOwn = [...]string{"scratchRSrcReg", "frameOffsetReg", "stackPtrOffsetReg", "vgprForAGPRCopy", "sgprForEXECCopy",
	"longBranchReservedReg", "wwmReservedRegs"}

// amdReserved corrects what the variants reserve, which is for C functions:
// those have scratch registers at fixed places, and as many vector registers as
// their largest work group leaves them.
func (v *Verifier) amdReserved() {
	v.amd.load(v.in, v.mode)
	for _, r := range v.amd.ofC {
		v.reserved[r/32] &^= 1 << (r % 32)
	}
	v.loadSub()
	if n, ok := v.amd.st.MaxVGPRs(v.f); ok {
		for r, top := range v.amd.top {
			if top == 0 {
				continue
			}
			if bit := uint32(1) << (r % 32); int(top) > n {
				v.reserved[r/32] |= bit
			} else {
				v.reserved[r/32] &^= bit
			}
		}
	}
	t, ok := v.f.TargetInfo.(*mirtext.InfoFields)
	if !ok {
		return
	}
	text, _ := t.AppendYAML(nil, v.f, true)
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		own := false
		for _, k := range amdOwn {
			own = own || k == key
		}
		if own {
			v.reserveNamed(value)
		}
	}
}

// reserveNamed reserves the registers that a text names.
func (v *Verifier) reserveNamed(text string) {
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 {
			return
		}
		text = text[at+1:]
		n := 0
		for n < len(text) && (text[n] == '_' || text[n] >= 'a' && text[n] <= 'z' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		if r, ok := v.in.RegByName(text[:n]); ok && r != 0 {
			v.reserve(mir.Reg(r))
		}
	}
}

// loadReserved makes the tables of amdReserved: the registers that overlap
// those of C functions, and for each (tuple of) vector registers the number of
// the first register behind it.
func (a *amdState) loadReserved(in *desc.Info) {
	a.top = make([]uint16, len(in.Regs))
	a.ofC = a.ofC[:0]
	for r := range in.Regs {
		n := in.RegName(desc.PhysReg(r))
		scalar := strings.HasPrefix(n, "SGPR")
		if !scalar && !strings.HasPrefix(n, "VGPR") {
			continue
		}
		// The registers of a tuple follow each other: the first and the last say all.
		first, ok := amdNumber(n)
		if !ok {
			continue
		}
		last := first
		if at := strings.LastIndexByte(n, '_'); at >= 0 {
			if k, ok := amdNumber(n[at+1:]); ok {
				last = k
			}
		}
		ofC := false
		if scalar {
			ofC = first < 4 || first <= 33 && last >= 32
		} else {
			a.top[r] = uint16(min(last+1, 1<<15))
		}
		if ofC {
			a.ofC = append(a.ofC, mir.Reg(r))
		}
	}
}

// amdNumber reads the number behind the four letters of a register's name.
func amdNumber(name string) (n int, ok bool) {
	for k := 4; k < len(name) && name[k] >= '0' && name[k] <= '9'; k++ {
		n, ok = n*10+int(name[k]-'0'), true
	}
	return n, ok
}
