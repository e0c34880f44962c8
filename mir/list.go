package mir

// List is a handle of a short list of 32-bit values in a function's list
// arena; the zero List is empty. It is copied by value but owns its run: only
// one copy may be appended to.
type List struct {
	off uint32
	n   uint16
	cap uint8 // log2 of the capacity + 1, 0 for none
}

// Len returns the number of elements.
func (l List) Len() int { return int(l.n) }

// At returns the elements of l; good until a list grows. They may be written.
func (f *Function) At(l List) []uint32 { return f.lists[l.off : l.off+uint32(l.n)] }

// Push appends v to l.
func (f *Function) Push(l *List, v uint32) {
	if l.cap == 0 || int(l.n) == 1<<(l.cap-1) {
		class := max(l.cap+1, 2)
		var off uint32
		if fr := f.freeLists[class]; len(fr) > 0 {
			off = fr[len(fr)-1]
			f.freeLists[class] = fr[:len(fr)-1]
		} else {
			off = uint32(len(f.lists))
			f.lists = append(f.lists, make([]uint32, 1<<(class-1))...)
		}
		copy(f.lists[off:], f.lists[l.off:l.off+uint32(l.n)])
		if l.cap != 0 {
			f.freeLists[l.cap] = append(f.freeLists[l.cap], l.off)
		}
		l.off, l.cap = off, class
	}
	f.lists[l.off+uint32(l.n)] = v
	l.n++
}

// RemoveAt removes element i of l, keeping the order.
func (f *Function) RemoveAt(l *List, i int) {
	s := f.At(*l)
	copy(s[i:], s[i+1:])
	l.n--
}

// SetList makes l hold exactly vs.
func (f *Function) SetList(l *List, vs []uint32) {
	l.n = 0
	for _, v := range vs {
		f.Push(l, v)
	}
}
