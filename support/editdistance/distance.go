package editdistance

// Of is the edit distance of two strings: the least number of bytes
// inserted, removed and replaced that turns a into b (Wagner and Fischer, one row).
func Of(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Indel is the edit distance of two strings where bytes are inserted and removed
// alone, none replaced.
func Indel(a, b string) int {
	row := make([]int, len(b)+1) // the longest common subsequences
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			common := max(row[j], row[j+1])
			if a[i] == b[j] {
				common = diagonal + 1
			}
			diagonal, row[j+1] = row[j+1], common
		}
	}
	return len(a) + len(b) - 2*row[len(b)]
}
