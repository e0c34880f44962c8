package desc

// IsCallFrame reports whether op opens or closes a call sequence on some
// subtarget (LLVM's call frame setup and destroy opcodes).
func (in *Info) IsCallFrame(op Opcode) (setup, destroy bool) {
	if op < FirstTargetOpcode {
		return false, false
	}
	for i := range in.Variants {
		setup = setup || in.Variants[i].FrameSetup == op
		destroy = destroy || in.Variants[i].FrameDestroy == op
	}
	return setup, destroy
}
