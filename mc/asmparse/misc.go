package asmparse

// parseInclude reads .include.
func parseInclude(p *Parser, name string, _ int) error {
	p.skip()
	at := p.pos
	if p.peek() != '"' {
		return p.errHere("expected string in '%s' directive", name)
	}
	file, err := p.str()
	if err == nil {
		err = p.eol()
	}
	if err != nil {
		return err
	}
	shown, text, ok := p.readFile(file)
	if !ok || p.includes() >= maxIncludes {
		return errOff(at, "Could not find include file '%s'", file)
	}
	p.push(shown, string(text), p.at(at), true)
	return nil
}

// maxIncludes bounds how deep files include each other.
const maxIncludes = 200

func (p *Parser) includes() (n int) {
	for i := range p.inputs {
		if p.inputs[i].buf.isFile {
			n++
		}
	}
	return n
}

// readFile reads a file.
func (p *Parser) readFile(name string) (shown string, text []byte, ok bool) {
	if p.opts.Open == nil {
		return "", nil, false
	}
	shown, text, err := p.opts.Open(name)
	return shown, text, err == nil
}

// parseIncbin reads .incbin: file, bytes to skip, bytes to take.
func parseIncbin(p *Parser, name string, _ int) error {
	p.skip()
	at := p.pos
	if p.peek() != '"' {
		return p.errHere("expected string in '%s' directive", name)
	}
	file, err := p.str()
	if err != nil {
		return err
	}
	skip, count, countAt, hasCount := int64(0), int64(0), 0, false
	skipAt := p.pos
	if p.eat(',') {
		if p.peek() != ',' {
			p.skip()
			skipAt = p.pos
			if skip, err = p.absolute(); err != nil {
				return err
			}
		}
		if p.eat(',') {
			hasCount = true
			p.skip()
			countAt = p.pos
			t, err := p.expr()
			if err != nil {
				return err
			}
			v, ok := t.v, t.x == 0
			if !ok {
				v, ok = p.known(t.x)
			}
			if !ok {
				return errOff(countAt, "expected absolute expression")
			}
			count = v
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if skip < 0 {
		return errOff(skipAt, "skip is negative")
	}
	_, b, ok := p.readFile(file)
	if !ok {
		return errOff(at, "Could not find incbin file '%s'", file)
	}
	b = b[min(skip, int64(len(b))):]
	if hasCount {
		if count < 0 {
			p.warnAt(p.at(countAt), 0, "negative count has no effect")
			return nil
		}
		b = b[:min(count, int64(len(b)))]
	}
	p.out.Bytes(b)
	return nil
}

// parseErr reads .err and .error.
func parseErr(p *Parser, name string, at int) error {
	if name == ".err" {
		p.skipRest()
		return errOff(at, ".err encountered")
	}
	msg := ".error directive invoked in source file"
	if !p.end() {
		if p.peek() != '"' {
			return p.errHere(".error argument must be a string")
		}
		s, _, ok := p.quoted()
		if !ok {
			return p.errHere("unterminated string constant")
		}
		msg = s
	}
	return errOff(at, "%s", msg)
}

// parseWarning reads .warning.
func parseWarning(p *Parser, _ string, at int) error {
	msg := ".warning directive invoked in source file"
	if !p.end() {
		if p.peek() != '"' {
			return p.errHere(".warning argument must be a string")
		}
		s, _, ok := p.quoted()
		if !ok {
			return p.errHere("unterminated string constant")
		}
		msg = s
		if err := p.eol(); err != nil {
			return err
		}
	}
	p.warnAt(p.at(at), 0, "%s", msg)
	return nil
}

// parsePrint reads .print.
func parsePrint(p *Parser, _ string, at int) error {
	if p.peek() != '"' {
		return errOff(at, "expected double quoted string after .print")
	}
	s, _, ok := p.quoted()
	if !ok {
		return p.errHere("unterminated string constant")
	}
	if err := p.eol(); err != nil {
		return err
	}
	if p.opts.Print != nil {
		p.opts.Print(s)
	}
	return nil
}

// parseAbort reads .abort.
func parseAbort(p *Parser, _ string, at int) error {
	p.skip()
	why := p.text[p.pos:]
	p.skipRest()
	if why == "" {
		return errOff(at, ".abort detected. Assembly stopping")
	}
	return errOff(at, ".abort '%s' detected. Assembly stopping", why)
}

// parseEnd reads .end: the text behind it means nothing.
func parseEnd(p *Parser, _ string, _ int) error {
	if err := p.eol(); err != nil {
		return err
	}
	for i := range p.inputs {
		p.inputs[i].pos = len(p.inputs[i].buf.src)
	}
	return nil
}

// parseLineDirective reads .line, which only checks its number.
func parseLineDirective(p *Parser, _ string, _ int) error {
	if p.end() {
		return nil
	}
	c := p.peek()
	if p.class[c]&isDigit == 0 {
		return p.eol()
	}
	if _, err := p.number(); err != nil {
		return err
	}
	return p.eol()
}
