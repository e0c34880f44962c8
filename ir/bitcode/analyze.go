package bitcode

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// AnalyzeOptions say what Analyze writes.
type AnalyzeOptions struct {
	// Dump writes every block and record before the summary.
	Dump bool
	// NoHistogram leaves out the counts of records by code.
	NoHistogram bool
	// NonSymbolic adds the numbers of blocks and codes to their names.
	NonSymbolic bool
	// DumpBlockInfo shows the BLOCKINFO blocks too.
	DumpBlockInfo bool
	// ShowBinaryBlobs writes blobs with bytes that cannot be printed as hexadecimal escapes.
	ShowBinaryBlobs bool
	// CheckHash compares module hashes with those of the bytes read, HashKey hashed first.
	CheckHash bool
	HashKey   string
}

// Analyze appends what llvm-bcanalyzer prints of a bit stream called name:
// its blocks and records, then sizes and counts. A fault of the stream is an
// error; what stands before it is in the result.
func Analyze(b []byte, name string, data []byte, o AnalyzeOptions) ([]byte, error) {
	a := &analyzer{o: o, out: b, stats: map[uint32]*blockStats{}, names: analyzerTable()}
	err := a.stream(data)
	if err != nil {
		return a.out, err
	}
	if o.Dump {
		a.out = append(a.out, "\n\n"...)
	}
	a.summary(name, a.c.end)
	return a.out, nil
}

// analyzer walks a bit stream and counts.
type analyzer struct {
	c     cursor
	o     AnalyzeOptions
	out   []byte
	stats map[uint32]*blockStats
	names map[uint32]namedBlock
	kind  string // of the stream
	top   int    // blocks at the top
	ops   uint64 // operands so far
}

// blockStats counts what blocks of one id have in them; sizes are in bits.
type blockStats struct {
	instances, subBlocks, abbrevs, records, abbreviated int
	bits                                                uint64
	codes                                               []codeStats
}

type codeStats struct {
	instances, abbreviated int
	bits                   uint64
}

func (a *analyzer) printf(format string, args ...any) { a.out = fmt.Appendf(a.out, format, args...) }

// stream walks the blocks at the top.
func (a *analyzer) stream(data []byte) error {
	if len(data)%4 != 0 {
		return errorText("Bitcode stream should be a multiple of 4 bytes in length")
	}
	if len(data) < 4 {
		return errorText("Bitcode stream is too short")
	}
	if binary.LittleEndian.Uint32(data) == wrapperMagic {
		if len(data) < wrapperHeaderBytes {
			return errorText("Invalid bitcode wrapper header")
		}
		if a.o.Dump {
			a.out = append(a.out, "<BITCODE_WRAPPER_HEADER"...)
			for i, n := range [...]string{"Magic", "Version", "Offset", "Size", "CPUType"} {
				a.printf(" %s=0x%08x", n, binary.LittleEndian.Uint32(data[4*i:]))
			}
			a.out = append(a.out, "/>\n"...)
		}
		inner, err := unwrap(data)
		if err != nil {
			return err
		}
		data = inner
	}
	a.kind = streamKind(data)
	a.c = newCursor(data)
	a.c.pos = 32
	for !a.c.atEnd() {
		e, id := a.c.next()
		if e != entryBlock {
			return errorText("Invalid record at top-level")
		}
		if err := a.block(id, 0); err != nil {
			return err
		}
		a.top++
	}
	return nil
}

// streamKind names what a stream is by its first bytes.
func streamKind(data []byte) string {
	for _, k := range [...][2]string{{"BC\xC0\xDE", "LLVM IR"}, {"CPCH", "Clang Serialized AST"}, {"DIAG", "Clang Serialized Diagnostics"}, {"RMRK", "LLVM Remarks"}} {
		if bytes.HasPrefix(data, []byte(k[0])) {
			return k[1]
		}
	}
	return "unknown"
}

func (a *analyzer) indent(n int) { a.out = append(a.out, strings.Repeat("  ", n)...) }

// block walks the block that next has found.
func (a *analyzer) block(id uint32, level int) error {
	c := &a.c
	start := c.pos
	s := a.stats[id]
	if s == nil {
		s = &blockStats{}
		a.stats[id] = s
	}
	s.instances++
	dump := a.o.Dump
	if id == blockInfoID {
		if a.o.Dump && !a.o.DumpBlockInfo {
			a.indent(level)
			a.out = append(a.out, "<BLOCKINFO_BLOCK/>\n"...)
		}
		dump = dump && a.o.DumpBlockInfo
		c.blockInfo()
		if c.err != nil {
			return c.err
		}
		c.pos = start
	}
	if !c.enter(id) {
		return c.err
	}
	words := c.word(c.pos/8-4) & (1<<32 - 1)
	entry := c.pos / 8
	name, known := a.blockName(id)
	if dump {
		a.indent(level)
		a.printf("<%s", name)
		if a.o.NonSymbolic && known {
			a.printf(" BlockID=%d", id)
		}
		a.printf(" NumWords=%d BlockCodeSize=%d>\n", words, c.width)
	}
	index := uint64(0)
	for {
		if c.atEnd() {
			return errorText("Premature end of bitstream")
		}
		at := c.pos
		abbrev := uint32(c.read(c.width))
		switch abbrev {
		case abbrevEnd:
			if c.leave(); c.err != nil {
				return c.err
			}
			s.bits += c.pos - start
			if dump {
				a.indent(level)
				a.printf("</%s>\n", name)
			}
			return nil
		case abbrevSubBlock:
			sub := uint32(c.vbr(8))
			from := c.pos
			if c.err != nil {
				return c.err
			}
			if err := a.block(sub, level+1); err != nil {
				return err
			}
			s.subBlocks++
			start += c.pos - from
			continue
		case abbrevDefine:
			if d := c.define(); c.err == nil && id != blockInfoID {
				c.abbrevs = append(c.abbrevs[:len(c.abbrevs):len(c.abbrevs)], d)
			}
			if c.err != nil {
				return c.err
			}
			s.abbrevs++
			continue
		}
		s.records++
		body := c.pos
		code := c.record(abbrev)
		if c.err != nil {
			return c.err
		}
		// Literals cost no bits, so that a small file could have no end of them.
		if a.ops += uint64(len(c.rec)); a.ops > 16*c.end+1<<16 {
			return errorText("too many operands")
		}
		for uint32(len(s.codes)) <= code {
			if code > 1<<16 {
				return errors.New("malformed bitcode file")
			}
			s.codes = append(s.codes, codeStats{})
		}
		n := &s.codes[code]
		n.instances++
		n.bits += c.pos - at
		if abbrev != abbrevUnabbrev {
			n.abbreviated++
			s.abbreviated++
		}
		if id == blkMetadata && code == mdIndexOffset && len(c.rec) == 2 {
			index = c.pos + c.rec[0] + c.rec[1]<<32
		}
		if dump {
			a.indent(level)
			if err := a.record(id, code, abbrev, level, place{at, body, entry, index}); err != nil {
				return err
			}
		}
	}
}

// place is where a record stands, in bits, and where its block begins, in bytes.
type place struct {
	at, body, entry uint64
	index           uint64 // where METADATA_INDEX_OFFSET says that the index begins
}

// record writes one record.
func (a *analyzer) record(block, code, abbrev uint32, level int, p place) error {
	c := &a.c
	name, known := a.codeName(block, code)
	a.printf("  <%s", name)
	if a.o.NonSymbolic && known {
		a.printf(" codeid=%d", code)
	}
	if abbrev != abbrevUnabbrev {
		a.printf(" abbrevid=%d", abbrev)
	}
	for i, v := range c.rec {
		a.printf(" op%d=%d", i, int64(v))
	}
	switch {
	case block == blkMetadata && code == mdIndexOffset && len(c.rec) != 2:
		a.out = append(a.out, "(Invalid record)"...)
	case block == blkMetadata && code == mdIndex && p.index == p.at:
		a.out = append(a.out, " (offset match)"...)
	case block == blkMetadata && code == mdIndex:
		a.printf(" (offset mismatch: %d vs %d)", p.index, p.at)
	case block == blkModule && code == modHash && a.o.CheckHash:
		a.out = append(a.out, a.hash(p)...)
	}
	a.out = append(a.out, "/>"...)
	if abbrev != abbrevUnabbrev {
		for i, op := range c.abbrevs[abbrev-firstAbbrev] {
			if i == 0 || op.kind != encArray {
				continue
			}
			if chars := c.rec[min(i-1, len(c.rec)):]; !slices.ContainsFunc(chars, func(v uint64) bool { return byte(v) < 0x20 || byte(v) > 0x7e }) {
				a.printf(" record string = '%s'", text(chars, 0))
			}
			break
		}
	}
	switch {
	case c.blob == nil:
	case block == blkMetadata && code == mdStrings:
		if err := a.strings(level); err != nil {
			return err
		}
	case a.o.ShowBinaryBlobs:
		a.out = append(a.out, " blob data = '"...)
		a.escaped(c.blob)
		a.out = append(a.out, '\'')
	case slices.ContainsFunc(c.blob, func(v byte) bool { return v < 0x20 || v > 0x7e }):
		a.printf(" blob data = unprintable, %d bytes.", len(c.blob))
	default:
		a.printf(" blob data = '%s'", c.blob)
	}
	a.out = append(a.out, '\n')
	return nil
}

// hash compares a recorded module hash with that of the block's bytes before the record.
func (a *analyzer) hash(p place) string {
	c := &a.c
	if len(c.rec) != 5 {
		return " (invalid)"
	}
	h := sha1.New()
	h.Write([]byte(a.o.HashKey))
	h.Write(c.data[p.entry : p.body/8])
	var want []byte
	for _, v := range c.rec {
		want = binary.BigEndian.AppendUint32(want, uint32(v))
	}
	if bytes.Equal(h.Sum(nil), want) {
		return " (match)"
	}
	return " (!mismatch!)"
}

// escaped writes bytes as LLVM's write_escaped with hexadecimal escapes.
func (a *analyzer) escaped(s []byte) {
	for _, c := range s {
		switch {
		case c == '\\':
			a.out = append(a.out, `\\`...)
		case c == '\t':
			a.out = append(a.out, `\t`...)
		case c == '\n':
			a.out = append(a.out, `\n`...)
		case c == '"':
			a.out = append(a.out, `\"`...)
		case c >= 0x20 && c <= 0x7e:
			a.out = append(a.out, c)
		default:
			a.printf(`\x%02X`, c)
		}
	}
}

// strings writes the blob of METADATA_STRINGS: lengths, then characters.
func (a *analyzer) strings(level int) error {
	c := &a.c
	if len(c.rec) != 2 {
		return errorText("Decoding metadata strings blob needs two record entries.")
	}
	n, off := c.rec[0], c.rec[1]
	if off > uint64(len(c.blob)) {
		return errorText("bad length")
	}
	a.printf(" num-strings = %d {\n", n)
	lens := newCursor(c.blob[:off])
	chars := c.blob[off:]
	for range n {
		if lens.atEnd() {
			return errorText("bad length")
		}
		size := lens.vbr(6)
		if size > uint64(len(chars)) {
			return errorText("truncated chars")
		}
		a.indent(level)
		a.out = append(a.out, "    '"...)
		a.escaped(chars[:size])
		a.out = append(a.out, "'\n"...)
		chars = chars[size:]
	}
	a.indent(level)
	a.out = append(a.out, "  }"...)
	return nil
}

// summary writes sizes and counts.
func (a *analyzer) summary(name string, size uint64) {
	a.printf("Summary of %s:\n         Total size: ", name)
	a.size(size)
	a.printf("\n        Stream type: %s\n  # Toplevel Blocks: %d\n\nPer-block Summary:\n", a.kind, a.top)
	ids := make([]uint32, 0, len(a.stats))
	for id := range a.stats {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		a.blockSummary(id, a.stats[id], size)
	}
}

func (a *analyzer) size(bits uint64) {
	a.printf("%db/%.2fB/%dW", bits, float64(bits)/8, bits/32)
}

func (a *analyzer) blockSummary(id uint32, s *blockStats, size uint64) {
	a.printf("  Block ID #%d", id)
	if name, known := a.blockName(id); known {
		a.printf(" (%s)", name)
	}
	a.printf(":\n      Num Instances: %d\n         Total Size: ", s.instances)
	a.size(s.bits)
	a.printf("\n    Percent of file: %2.4f%%\n", float64(s.bits)*100/float64(size))
	if n := float64(s.instances); s.instances > 1 {
		bits := float64(s.bits) / n
		a.printf("       Average Size: %.2f/%.2fB/%dW\n", bits, bits/8, uint64(bits/32))
		a.printf("  Tot/Avg SubBlocks: %d/%e\n", s.subBlocks, float64(s.subBlocks)/n)
		a.printf("    Tot/Avg Abbrevs: %d/%e\n", s.abbrevs, float64(s.abbrevs)/n)
		a.printf("    Tot/Avg Records: %d/%e\n", s.records, float64(s.records)/n)
	} else {
		a.printf("      Num SubBlocks: %d\n        Num Abbrevs: %d\n        Num Records: %d\n", s.subBlocks, s.abbrevs, s.records)
	}
	if s.records > 0 {
		a.printf("    Percent Abbrevs: %2.4f%%\n", float64(s.abbreviated)*100/float64(s.records))
	}
	a.out = append(a.out, '\n')
	if a.o.NoHistogram || len(s.codes) == 0 {
		return
	}
	var codes []int
	for i := len(s.codes) - 1; i >= 0; i-- {
		if s.codes[i].instances > 0 {
			codes = append(codes, i)
		}
	}
	slices.SortStableFunc(codes, func(x, y int) int { return s.codes[y].instances - s.codes[x].instances })
	a.out = append(a.out, "\tRecord Histogram:\n\t\t  Count    # Bits     b/Rec   % Abv  Record Kind\n"...)
	for _, i := range codes {
		n := &s.codes[i]
		a.printf("\t\t%7d %9d", n.instances, n.bits)
		if n.instances > 1 {
			a.printf(" %9.1f", float64(n.bits)/float64(n.instances))
		} else {
			a.out = append(a.out, "          "...)
		}
		if n.abbreviated > 0 {
			a.printf(" %7.2f", float64(n.abbreviated)/float64(n.instances)*100)
		} else {
			a.out = append(a.out, "        "...)
		}
		name, _ := a.codeName(id, uint32(i))
		a.printf("  %s\n", name)
	}
	a.out = append(a.out, '\n')
}
