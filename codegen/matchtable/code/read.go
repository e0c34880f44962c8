package code

// Uint reads a number of verified code at pc and gives the place behind it.
// Most numbers have one byte: those are read in line.
func Uint(c []byte, pc int) (int, int) {
	if b := c[pc]; b < 0x80 {
		return int(b), pc + 1
	}
	return long(c, pc)
}

//go:noinline
func long(c []byte, pc int) (int, int) {
	v, s := uint64(0), uint(0)
	for {
		b := c[pc]
		pc++
		v |= uint64(b&0x7f) << s
		if b < 0x80 {
			return int(v), pc
		}
		s += 7
	}
}

// Int reads a signed number.
func Int(c []byte, pc int) (int64, int) {
	u, pc := Uint(c, pc)
	v := uint64(u)
	return int64(v>>1) ^ -int64(v&1), pc
}
