package global

import "github.com/mirin-go/mirin/codegen/liveness"

// stacks says where spill slots hold a value.
type stacks struct{}

func (s *stacks) add(slot, class int, r *liveness.Range) {}

func (s *stacks) addValue(slot int, r *liveness.Range, v liveness.ValueID) {}
