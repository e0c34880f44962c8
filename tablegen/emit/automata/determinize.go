package automata

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/mirin-go/mirin/support/automaton"
)

// maxStates bounds automata: states are numbered with 16 bits.
const maxStates = 1<<16 - 1

// maxWork bounds the comparisons of states in all sets that are visited, in
// eights, maxSet the states that one step may lead to.
const (
	maxWork = 20_000_000
	maxSet  = 1 << 14
)

var errTooLarge = errors.New("the automaton has more than 65535 states, or takes too long to make deterministic")

// Determinize makes the minimal automaton of one whose states are sets of bits:
// symbol s leads from S to S|c for each c of choices[s] that has no bit in
// common with S. All states accept, the start is the empty set.
func Determinize(choices [][]uint64) (*automaton.Table, error) {
	n := len(choices)
	t := &automaton.Table{NumSymbols: n, Choices: choices}
	next, err := subsets(choices)
	if err != nil {
		return nil, err
	}
	if n > 0 {
		t.Next = narrow(next)
	}
	return t, nil
}

// subsets is the construction of state sets. The result has the next state of
// each state and symbol; state 0 accepts nothing, 1 is the start.
func subsets(choices [][]uint64) ([]uint32, error) {
	n := len(choices)
	sets := [][]uint64{nil, {0}}
	number := map[string]uint32{key(nil): 0, key(sets[1]): 1}
	next := make([]uint32, n)
	work := 0
	for s := 1; s < len(sets); s++ {
		for _, c := range choices {
			// Reducing compares each state with all that are kept.
			work += len(sets[s]) * len(c)
			to := step(sets[s], c)
			n := len(to)
			if n > maxSet {
				return nil, errTooLarge
			}
			to = reduce(to)
			work += n * len(to) / 8
			k := key(to)
			id, ok := number[k]
			if !ok {
				id = uint32(len(sets))
				number[k] = id
				sets = append(sets, to)
			}
			next = append(next, id)
			// What is reached here may still become one when minimized.
			if len(sets) > 16*maxStates || work > maxWork {
				return nil, errTooLarge
			}
		}
	}
	next = minimal(next, n)
	if n > 0 && len(next)/n > maxStates {
		return nil, errTooLarge
	}
	return next, nil
}

// step takes a choice from each state of a set.
func step(set, choices []uint64) []uint64 {
	var out []uint64
	for _, s := range set {
		for _, c := range choices {
			if s&c == 0 {
				out = append(out, s|c)
			}
		}
	}
	return out
}

// reduce sorts a set of states and drops those that hold all bits of another:
// the other accepts whatever they do.
func reduce(set []uint64) []uint64 {
	slices.Sort(set)
	set = slices.Compact(set)
	out := set[:0]
	for _, s := range set {
		// A subset of bits is a smaller number, so it stands before.
		if !slices.ContainsFunc(out, func(x uint64) bool { return x&s == x }) {
			out = append(out, s)
		}
	}
	return out
}

func key(set []uint64) string {
	b := make([]byte, 0, 8*len(set))
	for _, s := range set {
		b = binary.LittleEndian.AppendUint64(b, s)
	}
	return string(b)
}

// minimal merges states that accept the same, by refinement: states that
// differ in the class of a successor part, until none do. Classes are numbered
// in the order in which a walk from the start meets them.
func minimal(next []uint32, n int) []uint32 {
	if n == 0 {
		return next
	}
	states := len(next) / n
	class := make([]uint32, states)
	for s := 1; s < states; s++ {
		class[s] = 1
	}
	for count := 2; ; {
		seen := map[string]uint32{}
		fresh := make([]uint32, states)
		b := make([]byte, 0, 4*n+4)
		for s := range states {
			b = binary.LittleEndian.AppendUint32(b[:0], class[s])
			for k := range n {
				b = binary.LittleEndian.AppendUint32(b, class[next[s*n+k]])
			}
			id, ok := seen[string(b)]
			if !ok {
				id = uint32(len(seen))
				seen[string(b)] = id
			}
			fresh[s] = id
		}
		class = fresh
		if len(seen) == count {
			break
		}
		count = len(seen)
	}
	return renumber(next, class, n)
}

// renumber writes one row for each class that the start reaches.
func renumber(next, class []uint32, n int) []uint32 {
	number := map[uint32]uint32{class[0]: 0, class[1]: 1}
	of := []uint32{0, 1} // a state of each class
	var out []uint32
	for k := 0; k < len(of); k++ {
		for s := range n {
			to := next[int(of[k])*n+s]
			id, ok := number[class[to]]
			if !ok {
				id = uint32(len(of))
				number[class[to]] = id
				of = append(of, to)
			}
			out = append(out, id)
		}
	}
	return out
}

// narrow narrows the numbers of states.
func narrow(next []uint32) []uint16 {
	out := make([]uint16, len(next))
	for i, s := range next {
		out[i] = uint16(s)
	}
	return out
}
