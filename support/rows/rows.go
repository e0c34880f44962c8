package rows

// Zeroed returns n zero rows, in the memory of s where that is enough.
func Zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// Sized returns n rows, in the memory of s where that is enough. They hold what
// was there before, or zeros: nothing may be read that was not written.
func Sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// AtLeast returns s with zero rows appended until there are n; a longer one stays.
func AtLeast[T any](s []T, n int) []T {
	if n > len(s) {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}
