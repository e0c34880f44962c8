// Package schedmodel answers what instructions cost on a processor: how long a
// result takes until a use can read it, which resources are busy for how long, how
// many micro-operations are issued. It is LLVM's TargetSchedModel over the machine
// models of the facts (desc.SchedTable).
//
// A Model belongs to a subtarget (target.Subtarget.Sched), is made when a pass first
// asks, and is shared by all workers. Where a processor has no model, or none of an
// instruction, LLVM's defaults hold: a cycle, a load's latency for what loads, the
// high latency for what the target names, nothing for copies and what makes no code.
//
// The package imports mir and desc.
package schedmodel
