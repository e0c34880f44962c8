package mirstats

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// column is one column of the table.
type column struct {
	name string
	of   func(*Stats) int64
}

func columns() []column {
	n := func(f func(*Stats) int) func(*Stats) int64 { return func(s *Stats) int64 { return int64(f(s)) } }
	return []column{
		{"blocks", n(func(s *Stats) int { return s.Blocks })},
		{"instrs", n(func(s *Stats) int { return s.Instrs })},
		{"phis", n(func(s *Stats) int { return s.PHIs })},
		{"copies", n(func(s *Stats) int { return s.Copies })},
		{"calls", n(func(s *Stats) int { return s.Calls })},
		{"debug", n(func(s *Stats) int { return s.Debug })},
		{"vregs", n(func(s *Stats) int { return s.VRegs })},
		{"pregs", n(func(s *Stats) int { return s.PhysRegs })},
		{"memops", n(func(s *Stats) int { return s.MemOps })},
		{"loads", n(func(s *Stats) int { return s.Loads })},
		{"stores", n(func(s *Stats) int { return s.Stores })},
		{"spills", n(func(s *Stats) int { return s.Spills })},
		{"reloads", n(func(s *Stats) int { return s.Reloads })},
		{"objects", n(func(s *Stats) int { return s.Objects })},
		{"fixed", n(func(s *Stats) int { return s.Fixed })},
		{"stack", func(s *Stats) int64 { return s.StackSize }},
	}
}

// maxName is where the names of functions are cut in tables.
const maxName = 40

// AppendTable appends a table for people: a line a function, the sum, and the
// top most frequent opcodes and classes.
func AppendTable(b []byte, list []*Stats, total *Stats, top int) []byte {
	cols := columns()
	rows := [][]string{{"function"}}
	for _, c := range cols {
		rows[0] = append(rows[0], c.name)
	}
	add := func(name string, s *Stats) {
		if r := []rune(name); len(r) > maxName {
			name = string(r[:maxName-1]) + "…"
		}
		row := []string{name}
		for _, c := range cols {
			row = append(row, strconv.FormatInt(c.of(s), 10))
		}
		rows = append(rows, row)
	}
	for _, s := range list {
		add(s.Function, s)
	}
	if len(list) != 1 {
		add("total ("+strconv.Itoa(total.Functions)+")", total)
	}
	b = appendRows(b, rows)
	b = appendCounts(b, "opcodes", total.Opcodes, top, total.Instrs)
	return appendCounts(b, "register classes", total.Classes, top, total.VRegs)
}

// appendRows appends columns: the first to the left, numbers to the right.
func appendRows(b []byte, rows [][]string) []byte {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for k, c := range r {
			width[k] = max(width[k], utf8.RuneCountInString(c))
		}
	}
	for _, r := range rows {
		for k, c := range r {
			pad := strings.Repeat(" ", width[k]-utf8.RuneCountInString(c))
			if k == 0 {
				b = append(b, c+pad...)
			} else {
				b = append(b, "  "+pad+c...)
			}
		}
		b = append(b, '\n')
	}
	return b
}

func appendCounts(b []byte, title string, counts []Count, top, of int) []byte {
	if len(counts) == 0 || top == 0 {
		return b
	}
	b = append(b, "\n"+title+"\n"...)
	var rows [][]string
	shown := counts[:min(top, len(counts))]
	for _, c := range shown {
		rows = append(rows, []string{"  " + c.Name, strconv.Itoa(c.N), strconv.FormatFloat(100*float64(c.N)/float64(max(of, 1)), 'f', 1, 64) + "%"})
	}
	if rest := counts[len(shown):]; len(rest) > 0 {
		n := 0
		for _, c := range rest {
			n += c.N
		}
		rows = append(rows, []string{"  " + strconv.Itoa(len(rest)) + " others", strconv.Itoa(n), strconv.FormatFloat(100*float64(n)/float64(max(of, 1)), 'f', 1, 64) + "%"})
	}
	return appendRows(b, rows)
}

// AppendJSON appends one object with the functions and the sum.
func AppendJSON(b []byte, list []*Stats, total *Stats) ([]byte, error) {
	out, err := json.MarshalIndent(struct {
		Functions []*Stats `json:"functions"`
		Total     *Stats   `json:"total"`
	}{append([]*Stats{}, list...), total}, "", "  ")
	return append(append(b, out...), '\n'), err
}

// AppendCSV appends a line of names and a line a function.
func AppendCSV(b []byte, list []*Stats) ([]byte, error) {
	cols := columns()
	head := []string{"file", "function"}
	for _, c := range cols {
		head = append(head, c.name)
	}
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	rows := [][]string{head}
	for _, s := range list {
		row := []string{s.File, s.Function}
		for _, c := range cols {
			row = append(row, strconv.FormatInt(c.of(s), 10))
		}
		rows = append(rows, row)
	}
	err := w.WriteAll(rows)
	return append(b, buf.Bytes()...), err
}
