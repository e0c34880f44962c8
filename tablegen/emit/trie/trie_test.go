package trie

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// The instructions of the tests' own machine: try, type test, jump by type,
// test of a value, acceptance.
const (
	try uint8 = iota
	check
	jump
	value
	accept
)

type rule struct {
	id     int
	steps  []Step
	shadow bool
}

func newTree() *Tree[*rule] {
	return &Tree[*rule]{
		Steps:  func(r *rule) []Step { return r.steps },
		Accept: func(r *rule) []byte { return Encode(accept, r.id) },
		Shadow: func(r, _ *rule) { r.shadow = true },
		Try:    try, CheckType: check, SwitchType: jump, MaxTries: 8,
	}
}

// run interprets the code over values; the rule that is accepted, -1 for none.
func run(t *testing.T, c []byte, in []int) int {
	t.Helper()
	pc, fails := 0, []int(nil)
	num := func() int {
		v, n := binary.Uvarint(c[pc:])
		if n <= 0 {
			t.Fatal("the code is cut short")
		}
		pc += n
		return int(v)
	}
	for {
		op := c[pc]
		pc++
		ok := true
		switch op {
		case try:
			n := num()
			if fails = append(fails, pc+n); len(fails) > 8 {
				t.Fatal("alternatives nest too deep")
			}
		case check, value:
			ok = in[num()] == num()
		case jump:
			have, n, to := in[num()], num(), -1
			for range n {
				if v, off := num(), num(); v == have {
					to = off
				}
			}
			if ok = to >= 0; ok {
				pc += to
			}
		case accept:
			return num()
		default:
			t.Fatalf("instruction %d", op)
		}
		if !ok {
			if len(fails) == 0 {
				return -1
			}
			pc, fails = fails[len(fails)-1], fails[:len(fails)-1]
		}
	}
}

// TestOrder: the code finds, for all inputs, the first rule in order that fits,
// however rules are shared; a rule that is shadowed is found for none.
func TestOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		var rs []*rule
		for id := range 1 + rnd.IntN(14) {
			r := &rule{id: id}
			for range rnd.IntN(5) {
				op := value
				if rnd.IntN(2) == 0 {
					op = check
				}
				thing, v := rnd.IntN(3), rnd.IntN(3)
				s := Keyed(1, op, thing, v)
				if op == value && rnd.IntN(3) == 0 {
					s = New(op, thing, v)
				}
				r.steps = append(r.steps, s)
			}
			rs = append(rs, r)
		}
		c := newTree().Code(rs)
		found := map[int]bool{}
		for in := range 27 {
			in := []int{in % 3, in / 3 % 3, in / 9}
			want := -1
			for _, r := range rs {
				fits := true
				for _, s := range r.steps {
					fits = fits && in[s.Bytes[1]] == int(s.Bytes[2])
				}
				if fits {
					want = r.id
					break
				}
			}
			if got := run(t, c, in); got != want {
				t.Fatalf("%v: rule %d, want %d", in, got, want)
			}
			found[want] = true
		}
		for _, r := range rs {
			if r.shadow && found[r.id] {
				t.Fatalf("rule %d matches and is called shadowed", r.id)
			}
		}
	}
}

// TestDeep: rules that would nest too deep are tried one after the other.
func TestDeep(t *testing.T) {
	var rs []*rule
	for id := range 20 {
		r := &rule{id: id}
		for k := range id {
			r.steps = append(r.steps, New(value, k%3, 0))
		}
		rs = append(rs, r)
	}
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	c := newTree().Code(rs)
	for in, want := range map[[3]int]int{{0, 0, 0}: 19, {1, 0, 0}: 0, {0, 1, 0}: 1, {0, 0, 1}: 2} {
		if got := run(t, c, in[:]); got != want {
			t.Errorf("%v: rule %d, want %d", in, got, want)
		}
	}
}
