package code

// Uint reads a number of verified code at pc and gives the place behind it. It
// is small enough to be inlined.
func Uint(c []byte, pc int) (int, int) {
	b := int(c[pc])
	pc++
	if b < 0x80 {
		return b, pc
	}
	v := b & 0x7f
	for s := 7; ; s += 7 {
		b = int(c[pc])
		pc++
		v |= b & 0x7f << s
		if b < 0x80 {
			return v, pc
		}
	}
}

// Int reads a signed number.
func Int(c []byte, pc int) (int64, int) {
	u, pc := Uint(c, pc)
	v := uint64(u)
	return int64(v>>1) ^ -int64(v&1), pc
}
