package x86

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

// cleanupTLS is the pass that calls for the base of the module's thread-local variables
// where no block before did: others read what that call returned. LLVM's has no name.
var cleanupTLS = target.Pass{
	Name:       "x86-cleanup-local-dynamic-tls",
	Title:      "Local Dynamic TLS Access Clean-up",
	Before:     "finalize-isel",
	Optimizing: true,
	Requires:   mir.IsSSA,
	KeepsCFG:   true,
	Run:        runCleanupTLS,
}

func runCleanupTLS(c target.PassContext, f *mir.Function) error {
	if !f.Frame.AdjustsStack || !hasTLSBases(f) {
		return nil
	}
	d := c.Dominators()
	result, class := reg(tab.RAX), int16(tab.GR64RegClassID)
	base := make([]mir.Reg, f.NumBlockIDs()) // at the block's end
	for _, n := range c.CFG().RPO() {
		b := mir.BlockID(n)
		r := mir.Reg(0)
		if b != f.FirstBlock() {
			r = base[d.IDom(int(n))]
		}
		for i := f.Block(b).First(); i != 0; {
			next := f.Instr(i).Next()
			if isTLSBase(f, i) {
				if r == 0 {
					r = f.AddVReg(class)
					f.InsertAfter(b, i, f.New(desc.COPY, mir.RegOp(r, mir.Def), mir.RegOp(result, 0)))
				} else {
					f.InsertBefore(b, i, f.New(desc.COPY, mir.RegOp(result, mir.Def), mir.RegOp(r, 0)))
					f.Erase(i)
				}
			}
			i = next
		}
		base[b] = r
	}
	return nil
}

// hasTLSBases reports whether there are two calls.
func hasTLSBases(f *mir.Function) bool {
	n := 0
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		for i := f.Block(b).First(); i != 0; i = f.Instr(i).Next() {
			if isTLSBase(f, i) {
				if n++; n > 1 {
					return true
				}
			}
		}
	}
	return false
}

func isTLSBase(f *mir.Function, i mir.InstrID) bool {
	switch f.Instr(i).Opcode {
	case tab.TLS_base_addr64:
		return true
	case tab.TLS_desc64:
		return f.Op(i, addrDisp).Kind() == mir.OpExtSym
	}
	return false
}
