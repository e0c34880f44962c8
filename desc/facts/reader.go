package facts

import (
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Section numbers; tools/llvmfacts/writer.h has the same list.
const (
	secMeta = 1 + iota
	secNames
	secInstrs
	secOpInfos
	secImplicit
	secRegs
	secRegDiffs
	secLaneLists
	secRegLists
	secUnits
	secSubRegs
	secSubIdxLists
	secCompose
	secLaneOps
	secLaneOpStart
	secClasses
	secClassBits
	secSubClasses
	secSubClassIdx
	secTypeLists
	secModes
	secClassSizes
	secClassByMode
	secBanks
	secRegMasks
	secRegMaskBits
	secDwarf
	secSaved
	secDirectFlags
	secBitFlags
	secMemFlags
	secTargetIndices
	secFeatures
	secProcessors
	secFeatureBits
	secOpcodeHash
	secRegHash
	_ // was assembly syntax
	secPressure
	secVariants
	secFolds
	secSched
	secCommutes
	secCommuteMaps
	secTraits
	secTraitRows
	numSections
)

const headerSize, entrySize = 8, 16

func le16(s string, i int) uint16 { return uint16(s[i]) | uint16(s[i+1])<<8 }

func le32(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func le64(s string, i int) uint64 { return uint64(le32(s, i)) | uint64(le32(s, i+4))<<32 }

// file is a fact file with its section table read.
type file struct {
	data     string
	sections [numSections]struct {
		off, stored, raw uint32
		deflated         bool
	}
}

func openFile(data string) (*file, error) {
	if len(data) < headerSize || data[:4] != "mirf" {
		return nil, fmt.Errorf("not a fact file")
	}
	if v := le16(data, 4); v != 1 {
		return nil, fmt.Errorf("fact file has version %d, want 1", v)
	}
	f := &file{data: data}
	n := int(le16(data, 6))
	if len(data) < headerSize+n*entrySize {
		return nil, fmt.Errorf("fact file is cut short")
	}
	for i := range n {
		at := headerSize + i*entrySize
		id := le16(data, at)
		if id == 0 || id >= numSections {
			continue // of a later extractor
		}
		s := &f.sections[id]
		s.deflated = le16(data, at+2) != 0
		s.off, s.stored, s.raw = le32(data, at+4), le32(data, at+8), le32(data, at+12)
		if uint64(s.off)+uint64(s.stored) > uint64(len(data)) {
			return nil, fmt.Errorf("fact file is cut short in section %d", id)
		}
	}
	return f, nil
}

// section gives the bytes of a section, empty when the file has none. Sections
// that are not deflated are parts of the file and cost nothing.
func (f *file) section(id int) (string, error) {
	s := &f.sections[id]
	part := f.data[s.off : s.off+s.stored]
	if !s.deflated {
		return part, nil
	}
	z, err := zlib.NewReader(strings.NewReader(part))
	if err != nil {
		return "", fmt.Errorf("section %d: %w", id, err)
	}
	var b strings.Builder
	b.Grow(int(s.raw))
	if _, err := io.Copy(&b, io.LimitReader(z, int64(s.raw)+1)); err != nil {
		return "", fmt.Errorf("section %d: %w", id, err)
	}
	if b.Len() != int(s.raw) {
		return "", fmt.Errorf("section %d has %d bytes, want %d", id, b.Len(), s.raw)
	}
	return b.String(), nil
}

var errShort = errors.New("table is cut short")

// reader takes columns from a section. A count is checked against the bytes
// that its rows need before anything is taken, so columns cannot run over.
type reader struct {
	s   string
	err error
}

func (f *file) reader(id int) *reader {
	s, err := f.section(id)
	return &reader{s, err}
}

func (r *reader) take(n int) string {
	if r.err == nil && n > len(r.s) {
		r.err = errShort
	}
	if r.err != nil {
		r.s = ""
		return strings.Repeat("\x00", n)
	}
	p := r.s[:n]
	r.s = r.s[n:]
	return p
}

// count reads a row count for rows of the given total size.
func (r *reader) count(rowBytes int) int {
	if r.s == "" || r.err != nil {
		return 0
	}
	if len(r.s) < 4 {
		r.err = errShort
		return 0
	}
	n := int(le32(r.s, 0))
	r.s = r.s[4:]
	if n*rowBytes > len(r.s) {
		r.err = errShort
		r.s = ""
		return 0
	}
	return n
}

// rows reads a table of rows of size bytes each.
func rows[T any](r *reader, size int, row func(c string) T) []T {
	n := r.count(size)
	c := r.take(size * n)
	out := make([]T, n)
	for i := range out {
		out[i] = row(c[size*i : size*i+size])
	}
	return out
}

func array16[T ~uint16 | ~int16](r *reader) []T {
	return rows(r, 2, func(c string) T { return T(le16(c, 0)) })
}

func array32[T ~uint32](r *reader) []T {
	return rows(r, 4, func(c string) T { return T(le32(c, 0)) })
}

func array64[T ~uint64](r *reader) []T {
	return rows(r, 8, func(c string) T { return T(le64(c, 0)) })
}
