package stamped

// Map is a hash table with open addressing. The zero Map is empty. Whoever uses it
// gives each key's hash, whose low bits should be well mixed (see Mix).
type Map[K comparable, V any] struct {
	rows  []row[K, V] // a power of two, at most three quarters of them in use
	used  int
	stamp uint32 // of the rows in use
}

type row[K comparable, V any] struct {
	key   K
	val   V
	stamp uint32
}

const firstRows = 64

// Reset empties the table; its memory stays.
func (m *Map[K, V]) Reset() {
	m.used = 0
	if m.stamp++; m.stamp == 0 { // it came round: no old row may look like a new one
		clear(m.rows)
		m.stamp = 1
	}
}

// Len is the number of keys.
func (m *Map[K, V]) Len() int { return m.used }

// Find returns the value of key, nil when it is not there. It is good until Add.
func (m *Map[K, V]) Find(hash uint64, key K) *V {
	if m.used == 0 {
		return nil
	}
	mask := uint64(len(m.rows) - 1)
	for k := hash & mask; m.rows[k].stamp == m.stamp; k = (k + 1) & mask {
		if m.rows[k].key == key {
			return &m.rows[k].val
		}
	}
	return nil
}

// Add returns the value of key, which is zero when the key is new, and says whether
// it was there. It is good until the next Add. Keys that are there keep their hash.
func (m *Map[K, V]) Add(hash uint64, key K, hashOf func(K) uint64) (v *V, found bool) {
	if 4*(m.used+1) > 3*len(m.rows) {
		m.grow(hashOf)
	}
	mask := uint64(len(m.rows) - 1)
	k := hash & mask
	for ; m.rows[k].stamp == m.stamp; k = (k + 1) & mask {
		if m.rows[k].key == key {
			return &m.rows[k].val, true
		}
	}
	m.rows[k] = row[K, V]{key: key, stamp: m.stamp}
	m.used++
	return &m.rows[k].val, false
}

// grow doubles the room.
func (m *Map[K, V]) grow(hashOf func(K) uint64) {
	old, stamp := m.rows, m.stamp
	m.rows, m.used, m.stamp = make([]row[K, V], max(firstRows, 2*len(old))), 0, 1
	for k := range old {
		if old[k].stamp == stamp && stamp != 0 {
			v, _ := m.Add(hashOf(old[k].key), old[k].key, hashOf)
			*v = old[k].val
		}
	}
}

// Mix spreads the bits of x over all bits of the result: the finalizer of MurmurHash3
// (Austin Appleby, public domain).
func Mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
