package asmparse

import (
	"cmp"
	"crypto/md5"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// debugState is what -g collects: sections with code, the lines of instructions, and labels.
type debugState struct {
	off      bool // the text has .file of its own
	begun    bool
	sections []mc.SectionID
	labels   []mc.DebugLabel
	file     uint32            // number of the current file
	files    map[string]uint32 // those that line markers name
	last     uint32            // the number given last
	src      string            // the main file's text
	first    string            // the file that the first line marker names
	dir      string            // the first directory of the files
}

// debugging reports that -g counts for the current section, and names the file when it is
// the first time.
func (p *Parser) debugging() bool {
	d := &p.line.debug
	if !p.opts.Debug || d.off {
		return false
	}
	if !d.begun {
		d.begun = true
		if p.dwarfVersion() < 5 {
			d.file, d.last = 1, 1
			f := splitFile(cmp.Or(d.first, p.mainFile()))
			if d.first != "" {
				d.files = map[string]uint32{d.first: 1}
			}
			d.dir = f.Dir
			p.out.DwarfFile(0, 1, f)
		}
	}
	return slices.Contains(d.sections, p.out.Section())
}

// debugSection notes a section that may hold code.
func (p *Parser) debugSection(id mc.SectionID, at loc) {
	d := &p.line.debug
	const code = mc.FlagAlloc | mc.FlagExec
	if !p.opts.Debug || d.off || slices.Contains(d.sections, id) || p.ctx.SectionAt(id).Flags&code != code {
		return
	}
	d.sections = append(d.sections, id)
	if len(d.sections) > 1 && p.dwarfVersion() <= 2 {
		p.warnAt(at, 0, "DWARF2 only supports one section per compilation unit")
	}
}

// debugInst gives the line of the instruction that follows: that of the statement in a file
// which expands to it. Behind a line marker it is of the marker's file.
func (p *Parser) debugInst() {
	if !p.debugging() {
		return
	}
	d := &p.line.debug
	line := p.fileLine()
	if h := &p.hash; h.file != "" {
		n, ok := d.files[h.file]
		switch {
		case !ok && p.dwarfVersion() >= 5 && h.file == d.first:
		case !ok:
			if d.files == nil {
				d.files = map[string]uint32{}
			}
			d.last++
			n = d.last
			d.files[h.file] = n
			f := splitFile(h.file)
			if d.dir == "" {
				d.dir = f.Dir
			}
			p.out.DwarfFile(0, int(n), f)
		}
		d.file = n
		line = h.as - 1 + line - h.line
	}
	p.out.Loc(mc.LineLoc{File: d.file, Line: uint32(line), Flags: mc.LineIsStmt, Unnamed: true})
}

// splitFile gives a file its directory apart.
func splitFile(name string) (f mc.LineFile) {
	f.Dir, f.Name = filepath.Split(name)
	if len(f.Dir) > 1 {
		f.Dir = strings.TrimSuffix(f.Dir, "/")
	}
	return f
}

// fileLine is the number of the line of a file that the current statement stands in or comes of.
func (p *Parser) fileLine() int {
	if p.in.buf.isFile {
		return p.lineOf()
	}
	k := len(p.inputs) - 1
	for k > 0 && !p.inputs[k-1].buf.isFile {
		k--
	}
	in, from := &p.inputs[k-1], p.inputs[k].buf.from
	off := int(from - in.buf.base)
	return strings.Count(in.buf.src[:off], "\n") + 1
}

// mainFile is the name of what is read, without the directory that everything is relative to.
func (p *Parser) mainFile() string {
	name := p.opts.Name
	if m := p.opts.MainFile; m != "" && m != name {
		name = filepath.Join(filepath.Dir(name), m)
		if filepath.Dir(p.opts.Name) == "." {
			name = m
		}
	}
	if r, ok := strings.CutPrefix(name, p.opts.CompDir); ok && r != "" {
		name = strings.TrimPrefix(r, "/")
	}
	return name
}

// debugLabel notes a label that debug information lists.
func (p *Parser) debugLabel(name string, s mc.Sym, _ loc) {
	if p.ctx.At(s).Temp() || !p.debugging() {
		return
	}
	d := &p.line.debug
	l := mc.DebugLabel{Name: strings.TrimPrefix(name, "_"), File: d.file, Line: uint32(p.fileLine()), Sym: p.ctx.Temp("tmp")}
	p.defineLabel(l.Sym)
	d.labels = append(d.labels, l)
}

// finishDebug has the streamer write what debuggers need beside the line table.
func (p *Parser) finishDebug() {
	d := &p.line.debug
	if d.off || len(d.sections) == 0 {
		return
	}
	name := p.mainFile()
	if p.dwarfVersion() >= 5 {
		f := mc.LineFile{Dir: p.opts.CompDir, Name: d.first}
		if d.first == "" {
			f.Name, f.MD5, f.HasMD5 = name, md5.Sum([]byte(d.src)), true
		}
		if name = f.Name; !p.out.IsText() { // text does not name file 0
			p.out.DwarfFile(0, 0, f)
		}
	} else {
		if d.begun && d.first != "" && d.files[d.first] == 1 {
			name = splitFile(d.first).Name
		} else if d.begun {
			name = splitFile(name).Name
		}
		if d.dir != "" {
			name = d.dir + "/" + name // as LLVM has it
		}
	}
	mc.EmitDebugAssembly(p.out, &mc.DebugUnit{Name: name, CompDir: p.opts.CompDir, Producer: p.opts.Producer, Version: p.dwarfVersion(),
		Labels: d.labels, Sections: d.sections})
}
