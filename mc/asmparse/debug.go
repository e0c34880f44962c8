package asmparse

import "github.com/mirin-go/mirin/mc"

// debugState is what -g collects: the lines of instructions, and labels.
type debugState struct {
	off    bool // the text has .file of its own
	begun  bool
	labels []mc.DebugLabel
}

// debugInst gives the line of the instruction that follows.
func (p *Parser) debugInst() {
	d := &p.line.debug
	if d.off || !p.in.buf.isFile {
		return
	}
	s := p.out.Section()
	if s == 0 || p.ctx.SectionAt(s).Flags&mc.FlagExec == 0 {
		return
	}
	p.beginDebug()
	p.out.Loc(mc.LineLoc{File: 1, Line: uint32(p.lineOf()), Flags: mc.LineIsStmt})
}

func (p *Parser) beginDebug() {
	d := &p.line.debug
	if d.begun {
		return
	}
	d.begun = true
	p.out.DwarfFile(1, mc.LineFile{Name: p.mainFile()})
}

func (p *Parser) mainFile() string {
	if p.opts.MainFile != "" {
		return p.opts.MainFile
	}
	return p.opts.Name
}

// debugLabel notes a label that debug information lists.
func (p *Parser) debugLabel(name string, s mc.Sym, _ loc) {
	d := &p.line.debug
	if d.off || p.ctx.At(s).Temp() || !p.in.buf.isFile {
		return
	}
	sec := p.out.Section()
	if sec == 0 || p.ctx.SectionAt(sec).Flags&mc.FlagExec == 0 {
		return
	}
	p.beginDebug()
	d.labels = append(d.labels, mc.DebugLabel{Name: name, Line: uint32(p.lineOf()), Sym: s})
}

// finishDebug has the streamer write what debuggers need beside the line table.
func (p *Parser) finishDebug() {
	d := &p.line.debug
	if d.off || !d.begun {
		return
	}
	p.out.DebugAssembly(mc.DebugUnit{Name: p.mainFile(), CompDir: p.opts.CompDir, Producer: p.opts.Producer, Version: p.dwarfVersion(), Labels: d.labels})
}
