package asmtext

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/mirin-go/mirin/mc"
)

// lineState is what .file and .loc said so far. A chunk does not know the numbers of
// files, nor what the statement flag was before it: it keeps its lines for Join.
type lineState struct {
	numbers mc.FileNumbers
	names   []string // of files, by number
	isStmt  mc.LineFlags

	refs []*mc.LineFile // of chunks: files by their numbers there
	late []lateLine     // of chunks
}

// lateLine is a line of a chunk that is written when it is joined: the naming of a file
// if that is new then, or a .loc.
type lateLine struct {
	at      int // in the text
	file    int // of refs, -1: loc
	loc     mc.LineLoc
	remarks []byte
}

// DwarfFile names a file of the line table.
func (t *Text) DwarfFile(_ uint32, n int, f mc.LineFile) error {
	if n == 0 {
		t.lines.numbers.Root = &f
	}
	t.fileDirective(n, &f)
	return nil
}

func (t *Text) fileDirective(n int, f *mc.LineFile) {
	t.b = strconv.AppendInt(append(t.b, "\t.file\t"...), int64(n), 10)
	t.b = append(t.b, ' ')
	if f.Dir != "" {
		t.b = append(appendQuoted(t.b, []byte(f.Dir)), ' ')
	}
	t.b = appendQuoted(t.b, []byte(f.Name))
	if f.HasMD5 {
		t.b = hex.AppendEncode(append(t.b, " md5 0x"...), f.MD5[:])
	}
	if f.HasSource {
		t.b = appendQuoted(append(t.b, " source "...), []byte(f.Source))
	}
	for len(t.lines.names) <= n {
		t.lines.names = append(t.lines.names, "")
	}
	t.lines.names[n] = f.Name
	t.eol()
}

// LineFile gives the number of a file, and names it if it is new.
func (t *Text) LineFile(_ uint32, f *mc.LineFile) uint32 {
	l := &t.lines
	if t.chunk {
		k := slices.Index(l.refs, f)
		if k < 0 {
			k = len(l.refs)
			l.refs = append(l.refs, f)
			l.late = append(l.late, lateLine{at: len(t.b), file: k})
		}
		return uint32(k)
	}
	n, isNew := l.numbers.Number(f, t.ctx.DwarfVersion)
	if isNew {
		t.fileDirective(int(n), f)
	}
	return n
}

// LineTable is the symbol that the table's section begins with, where whoever asked
// for it must put it: an assembler makes the table.
func (t *Text) LineTable(uint32) mc.Sym {
	return t.ctx.Symbol(t.ctx.Info().PrivateGlobal + "line_table_start0")
}

// Loc gives the line of what follows.
func (t *Text) Loc(l mc.LineLoc) {
	if t.chunk {
		t.lines.late = append(t.lines.late, lateLine{at: len(t.b), file: -1, loc: l, remarks: slices.Clone(t.remarks)})
		t.remarks = t.remarks[:0]
		return
	}
	b := strconv.AppendUint(append(t.b, "\t.loc\t"...), uint64(l.File), 10)
	b = strconv.AppendUint(append(b, ' '), uint64(l.Line), 10)
	b = strconv.AppendUint(append(b, ' '), uint64(l.Col), 10)
	for _, f := range [...]struct {
		flag mc.LineFlags
		text string
	}{{mc.LineBasicBlock, " basic_block"}, {mc.LinePrologueEnd, " prologue_end"}, {mc.LineEpilogueBegin, " epilogue_begin"}} {
		if l.Flags&f.flag != 0 {
			b = append(b, f.text...)
		}
	}
	if is := l.Flags & mc.LineIsStmt; is != t.lines.isStmt {
		t.lines.isStmt = is
		b = strconv.AppendUint(append(b, " is_stmt "...), uint64(is), 10)
	}
	if l.ISA != 0 {
		b = strconv.AppendUint(append(b, " isa "...), uint64(l.ISA), 10)
	}
	if l.Discriminator != 0 {
		b = strconv.AppendUint(append(b, " discriminator "...), uint64(l.Discriminator), 10)
	}
	t.b = b
	switch {
	case t.terse:
	case l.Comment != "":
		t.Comment(l.Comment)
	default:
		name := ""
		if int(l.File) < len(t.lines.names) && !l.Unnamed {
			name = t.lines.names[l.File]
		}
		t.Comment(name + ":" + strconv.FormatUint(uint64(l.Line), 10) + ":" + strconv.FormatUint(uint64(l.Col), 10))
	}
	t.eol()
}

// joinLine writes a line that a chunk kept; files are the chunk's.
func (t *Text) joinLine(l *lateLine, files []*mc.LineFile) {
	if l.file >= 0 {
		t.LineFile(0, files[l.file])
		return
	}
	loc := l.loc
	loc.File = t.LineFile(0, files[loc.File])
	t.remarks = append(t.remarks, l.remarks...)
	t.Loc(loc)
}
