package asmparse

import "github.com/mirin-go/mirin/mc"

// Fragment is assembly in the middle of what the streamer gets from others: the text of
// an inline assembly, or a module's.
type Fragment struct {
	Text    string
	ST      *mc.Subtarget
	Variant int
	// InFrame says that the streamer's call frame information is open.
	InFrame bool
	// Tag is for whoever is told of errors, see Parser.Tag.
	Tag int
}

// Fragment reads one of several texts that make a file with what others give the
// streamer. Symbols, local labels, macros and the sections that .popsection goes back
// to outlive a text; conditions, the syntax and the processor do not. What is open in
// the end is not checked. Errors have been reported when ok is false.
func (p *Parser) Fragment(f *Fragment) (ok bool) {
	p.st, p.variant = f.ST, f.Variant
	p.conds, p.cond = p.conds[:0], cond{}
	p.inputs, p.depth, p.expanded = p.inputs[:0], 0, 0
	p.altMacro, p.failed, p.abort, p.hash = false, false, false, hash{}
	p.frame = 0
	if s := p.out.Section(); s != p.sections.cur.section {
		p.sections.prev, p.sections.cur = p.sections.cur, place{section: s}
	}
	if !p.push(p.opts.Name, f.Text, 0, true) {
		return false
	}
	root := p.in.buf
	root.tag = f.Tag
	if f.InFrame {
		p.frame = root.base
	}
	p.run()
	p.set(len(p.in.buf.src), len(p.in.buf.src), nil)
	if !p.abort {
		if len(p.conds) > 0 {
			p.errorAt(p.stmt, "unmatched .ifs or .elses")
		}
		switch {
		case p.frame == 0 && f.InFrame:
			p.errorAt(p.stmt, "the function's call frame information ends in inline assembly: not supported")
		case p.frame != 0 && (p.frame != root.base || !f.InFrame):
			p.errorAt(p.frame, "Unfinished frame!")
		}
	}
	p.ctx.SetLoc(0)
	return !p.failed
}

// Tag is, while a diagnostic is reported, the tag of the fragment that it is about; 0
// for those in macros.
func (p *Parser) Tag() int { return p.tag }
