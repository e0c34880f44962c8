package facts

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/mirin-go/mirin/desc"
)

// entry is one embedded target, decoded when it is first asked for.
type entry struct {
	name string
	data *string
	once sync.Once
	info *desc.Info
	err  error
}

func (e *entry) load() (*desc.Info, error) {
	e.once.Do(func() {
		e.info, e.err = decode(*e.data, false)
		if e.err != nil {
			e.err = fmt.Errorf("facts of %s: %w", e.name, e.err)
		}
	})
	return e.info, e.err
}

// Load gives the facts of a target by LLVM's name of its back end ("X86",
// "AArch64"). A program that calls Load carries the facts of every target; one
// that calls [X86] or its sisters carries those alone.
func Load(name string) (*desc.Info, error) {
	for _, e := range entries {
		if e.name == name {
			return e.load()
		}
	}
	return nil, fmt.Errorf("no facts of target %q", name)
}

// Names lists the targets that Load knows, in alphabetical order.
func Names() []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}
