package sched

import "github.com/mirin-go/mirin/support/rows"

// Where hundreds of nodes are available most are alike: they do the same to the pressure,
// and whatever else the rules look at is the same, so that the order of the code as it was
// decides among them. Such nodes make a kind, and only the one of each kind that comes first
// is compared.

const (
	// Kinds are kept from this many available nodes on, until there are few.
	manyAvailable = 8
	fewAvailable  = 4
)

// kindKey is all that the rules for the bottom look at, but the order. own tells nodes
// with rules of their own apart: 1 + the node.
type kindKey struct {
	diff          diff
	bias          int32
	weak, cluster int32
	ops, own      int32
	begins, ends  bool
}

// kind is a set of available nodes with one key.
type kind struct {
	key  kindKey
	heap []int32 // the last node first; some of them have left
	num  int32   // that have not
	at   int32   // in live
	next int32   // the next kind of the same hash, -1 for none
}

// kinds are those of the nodes that are available at the bottom.
type kinds struct {
	s     *scheduler
	on    bool
	of    []int32 // by node: 1 + its kind
	all   []kind
	live  []int32 // the kinds that have nodes
	first []int32 // by hash: 1 + a kind
}

const kindHashes = 256

// begin starts with a region of n instructions.
func (k *kinds) begin(s *scheduler, n int) {
	k.s, k.on = s, false
	k.of = rows.AtLeast(k.of, n)
}

// update begins or ends to keep kinds, by how many nodes are available.
func (k *kinds) update() {
	s := k.s
	switch n := len(s.bot.available); {
	case !k.on && n > manyAvailable && !s.acyclicLimited:
		k.on = true
		k.all, k.live = k.all[:0], k.live[:0]
		k.first = rows.Zeroed(k.first, kindHashes)
		for _, x := range s.bot.available {
			k.add(x)
		}
	case k.on && n < fewAvailable:
		k.on = false
		for _, x := range s.bot.available {
			k.of[x] = 0
		}
	}
}

// keyOf finds what the rules look at.
func (k *kinds) keyOf(n int32) (key kindKey) {
	s, x := k.s, &k.s.g.nodes[n]
	key = kindKey{bias: int32(s.biasPhysReg(n, false)), weak: x.weakSuccs, cluster: x.cluster, ops: x.ops, begins: x.begins, ends: x.ends}
	if s.tracks {
		key.diff = s.pressure.diffs[n]
	}
	if x.reserves || x.unbuffered {
		key.own = n + 1
	}
	return key
}

func (key *kindKey) hash() uint32 {
	h := uint32(key.bias)<<8 ^ uint32(key.weak)<<16 ^ uint32(key.own) ^ uint32(key.ops)<<4
	for _, c := range key.diff {
		if c.set == 0 {
			break
		}
		h = h*0x9e3779b1 ^ uint32(c.set)<<16 ^ uint32(uint16(c.by))
	}
	return h * 0x9e3779b1 >> 24 % kindHashes
}

// add takes in a node that is available.
func (k *kinds) add(n int32) {
	key := k.keyOf(n)
	h := key.hash()
	i := k.first[h] - 1
	for i >= 0 && k.all[i].key != key {
		i = k.all[i].next
	}
	if i < 0 {
		i = int32(len(k.all))
		if int(i) < cap(k.all) {
			k.all = k.all[:i+1] // the memory of its heap
		} else {
			k.all = append(k.all, kind{})
		}
		x := &k.all[i]
		*x = kind{key: key, heap: x.heap[:0], next: k.first[h] - 1}
		k.first[h] = i + 1
	}
	x := &k.all[i]
	if x.num == 0 {
		x.at = int32(len(k.live))
		k.live = append(k.live, i)
	}
	x.num++
	x.push(n)
	k.of[n] = i + 1
}

// drop takes out a node that is available no more.
func (k *kinds) drop(n int32) {
	i := k.of[n] - 1
	k.of[n] = 0
	x := &k.all[i]
	if x.num--; x.num == 0 {
		last := k.live[len(k.live)-1]
		k.live[x.at], k.all[last].at = last, x.at
		k.live = k.live[:len(k.live)-1]
		x.heap = x.heap[:0]
	}
}

// changed is told that what the rules look at has changed for a node.
func (k *kinds) changed(n int32) {
	if k.on && k.of[n] != 0 {
		k.drop(n)
		k.add(n)
	}
}

// firstOf is the node of kind i that comes first.
func (k *kinds) firstOf(i int32) int32 {
	x := &k.all[i]
	for k.of[x.heap[0]] != i+1 {
		x.pop()
	}
	return x.heap[0]
}

func (x *kind) push(n int32) {
	h := append(x.heap, n)
	i := len(h) - 1
	for i > 0 && h[(i-1)/2] < n {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = n
	x.heap = h
}

func (x *kind) pop() {
	h := x.heap
	n := h[len(h)-1]
	h = h[:len(h)-1]
	x.heap = h
	if len(h) == 0 {
		return
	}
	i := 0
	for c := 1; c < len(h); c = 2*i + 1 {
		if c+1 < len(h) && h[c+1] > h[c] {
			c++
		}
		if h[c] <= n {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = n
}

// anyHazard reports that some node that is available cannot start in this cycle.
func (k *kinds) anyHazard() bool {
	for _, i := range k.live {
		if k.s.bot.hasHazard(k.firstOf(i)) {
			return true
		}
	}
	return false
}
