package all

import (
	"runtime"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/bpf"
	"github.com/mirin-go/mirin/target/x86"
	"github.com/mirin-go/mirin/triple"
)

// DefaultTriple is the triple of modules without one.
const DefaultTriple = "x86_64-unknown-linux-gnu"

// Targets returns the targets.
func Targets() []*target.Target { return []*target.Target{&x86.Target, &x86.Target32, &bpf.Target} }

// Find returns the target of a triple or, when march is given, of that name;
// nil when there is none.
func Find(text, march string) *target.Target {
	t := triple.Parse(text)
	for _, x := range Targets() {
		if march != "" && x.Name == march || march == "" && x.Matches(t) {
			return x
		}
	}
	return nil
}

// OfFamily returns the first target of a family, nil when there is none.
func OfFamily(name string) *target.Target {
	for _, x := range Targets() {
		if x.Family.Name == name {
			return x
		}
	}
	return nil
}

// ABI returns the binary interface of an object, nil when no target has it.
func ABI(m *mc.Machine) *objabi.ABI {
	for _, t := range Targets() {
		if a := objabi.For(t.MC.ABIs, m); a != nil {
			return a
		}
	}
	return nil
}

// Native returns the target whose code runs in this process, nil when there is none.
func Native() *target.Target {
	if runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		return &x86.Target
	}
	return nil
}
