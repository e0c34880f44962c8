package desc

// SchedTable holds the machine models of a target.
type SchedTable struct{}
