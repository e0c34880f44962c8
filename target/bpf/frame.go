package bpf

import (
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf/tab"
)

// frameHooks: the kernel gives each function 512 bytes below R10, and nothing moves. No
// register is saved: what a call keeps the kernel itself keeps.
var frameHooks = target.FrameHooks{
	FramePointer: tab.R10, AlwaysFramePointer: true, SavesNothing: true,
	OffsetOperand: 1, OffsetBits: 16,
	AdjustStack:  func(*target.Subtarget, *mir.Builder, int64) error { return nil },
	EmitPrologue: func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
	EmitEpilogue: func(*target.Subtarget, *mir.Function, mir.BlockID) error { return nil },
}
