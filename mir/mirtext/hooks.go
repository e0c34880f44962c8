package mirtext

import (
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mir"
)

// targetHooks are what a back end does to MIR that is code rather than data of
// its family's row; each may be nil.
type targetHooks struct {
	// loaded changes a function when its MIR was read.
	loaded func(*funcReader)
	// checkInfo checks the values of machineFunctionInfo.
	checkInfo func(*funcReader, *node)
	// computed gives what the target derives for fields of machineFunctionInfo; see infoWriter.
	computed func(*mir.Function, *InfoFields) func(key string) (string, bool)
	// remark appends what the target remarks on v, the immediate in declared operand n.
	remark func(b []byte, f *mir.Function, i mir.InstrID, n int, v int64) []byte
}

var hooks = [family.Count]targetHooks{
	family.AArch64: {computed: aarch64Computed},
	family.AMDGPU:  {loaded: amdgpuLoaded, checkInfo: (*funcReader).checkAMDGPU, computed: amdgpuComputed},
	family.ARM:     {remark: armRemark},
	family.RISCV:   {remark: riscvRemark},
}

// remarkOn appends what a target remarks on operand n of i.
func (p *printer) remarkOn(i mir.InstrID, n int) {
	if int(p.f.Desc(i).NumOperands) <= n {
		return
	}
	if o := p.f.Op(i, n); o.Kind() == mir.OpImm {
		p.b = p.remark(p.b, p.f, i, n, o.Imm())
	}
}
