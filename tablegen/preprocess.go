package tablegen

import "strings"

// directive returns the word of the preprocessor directive at the cursor,
// which stands on a #; "" where the # is the paste operator.
func (lx *lexer) directive() string {
	rest := lx.src[lx.pos+1:]
	for _, w := range [...]string{"ifdef", "ifndef", "else", "endif", "define"} {
		if !strings.HasPrefix(rest, w) {
			continue
		}
		after := rest[len(w):]
		if after == "" {
			return w
		}
		switch after[0] {
		case ' ', '\t', '\n', '\r':
			return w
		case '/':
			// A comment, which must begin right here.
			if len(after) > 1 && (after[1] == '/' || after[1] == '*') {
				return w
			}
		}
	}
	return ""
}

// preprocess handles the directive at the cursor and, where a region is
// switched off, all text up to where reading goes on.
func (lx *lexer) preprocess(word string) {
	hash := lx.pos
	if !lx.atLineStart(hash) {
		lx.fail(hash, "only comments are supported before #"+word)
		return
	}
	for {
		lx.oneDirective(word, hash)
		if lx.rs.ev.failed || lx.bad {
			return
		}
		if lx.live() {
			return
		}
		word, hash = lx.skipLines()
		if word == "" {
			lx.unclosed()
			return
		}
	}
}

func (lx *lexer) live() bool {
	n := len(lx.conds)
	return n == 0 || lx.conds[n-1].live
}

// atLineStart reports whether only white space and comments stand before off
// on its line.
func (lx *lexer) atLineStart(off int) bool {
	start := strings.LastIndexByte(lx.src[:off], '\n') + 1
	s := lx.src[start:off]
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\r':
		case '/':
			n := -1
			if strings.HasPrefix(s[i:], "/*") {
				n = strings.Index(s[i+2:], "*/")
			}
			if n < 0 {
				return false
			}
			i += n + 3
		default:
			// The tail of a comment that began on an earlier line.
			n := strings.Index(s[i:], "*/")
			if n < 0 {
				return false
			}
			i += n + 1
		}
	}
	return true
}

// oneDirective handles the directive whose # is at hash.
func (lx *lexer) oneDirective(word string, hash int) {
	live := lx.live()
	lx.pos = hash + 1 + len(word)
	n := len(lx.conds)
	switch word {
	case "ifdef", "ifndef":
		name := lx.macroName()
		if name == "" {
			lx.fail(lx.pos, "expected macro name after #"+word)
			return
		}
		at := lx.pos - len(name)
		if !lx.restOfLine() {
			lx.fail(lx.pos, "only comments are supported after #"+word+" NAME")
			return
		}
		lx.conds = append(lx.conds, condState{live: live && lx.macros[name] == (word == "ifdef"), off: at})
	case "else":
		switch {
		case n == lx.condBase:
			lx.fail(hash+1, "#else without #ifdef or #ifndef")
		case lx.conds[n-1].inElse:
			lx.rs.ev.softError(Loc{lx.file, int32(hash + 1)}, "double #else")
			lx.fail(lx.conds[n-1].off, "previous #else is here")
			lx.errorAt = hash + 1
		case !lx.restOfLine():
			lx.fail(lx.pos, "only comments are supported after #else")
		default:
			outer := n == 1 || lx.conds[n-2].live
			lx.conds[n-1] = condState{live: outer && !lx.conds[n-1].live, inElse: true, off: hash + 1}
		}
	case "endif":
		switch {
		case n == lx.condBase:
			lx.fail(hash+1, "#endif without #ifdef")
		case !lx.restOfLine():
			lx.fail(lx.pos, "only comments are supported after #endif")
		default:
			lx.conds = lx.conds[:n-1]
		}
	case "define":
		name := lx.macroName()
		if name == "" {
			lx.fail(lx.pos, "expected macro name after #define")
			return
		}
		if live {
			lx.macros[name] = true
		}
		if !lx.restOfLine() {
			lx.fail(lx.pos, "only comments are supported after #define NAME")
		}
	}
}

func (lx *lexer) macroName() string {
	i := lx.pos
	for i < len(lx.src) && (lx.src[i] == ' ' || lx.src[i] == '\t') {
		i++
	}
	start := i
	if i < len(lx.src) && isAlpha(lx.src[i]) {
		for i < len(lx.src) && (isAlpha(lx.src[i]) || isDigit(lx.src[i])) {
			i++
		}
	}
	lx.pos = i
	return lx.src[start:i]
}

// restOfLine skips white space and comments to the end of the line; false
// where anything else stands there. A block comment that goes over the end of
// the line ends on a line that must hold nothing else.
func (lx *lexer) restOfLine() bool {
	for lx.pos < len(lx.src) {
		switch lx.src[lx.pos] {
		case '\n', '\r':
			return true
		case ' ', '\t':
			lx.pos++
		case '/':
			rest := lx.src[lx.pos:]
			if !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "/*") {
				return false
			}
			if !lx.comment() {
				return true
			}
		default:
			return false
		}
	}
	return true
}

// skipLines passes over text that is switched off, up to the next directive
// other than #define; "" at the end of the file.
func (lx *lexer) skipLines() (word string, hash int) {
	for lx.pos < len(lx.src) {
		switch c := lx.src[lx.pos]; c {
		case ' ', '\t', '\n', '\r', '\f':
			lx.pos++
		case '/':
			rest := lx.src[lx.pos:]
			if strings.HasPrefix(rest, "//") {
				lx.comment()
				continue
			}
			if strings.HasPrefix(rest, "/*") {
				save := lx.pos
				if !lx.skipBlock() {
					lx.pos = save
					return "", 0
				}
				continue
			}
			lx.toLineEnd()
		case '#':
			if w := lx.directive(); w != "" && w != "define" {
				return w, lx.pos
			}
			lx.toLineEnd()
		default:
			lx.toLineEnd()
		}
	}
	return "", 0
}

// skipBlock skips a block comment without a complaint where it is not closed.
func (lx *lexer) skipBlock() bool {
	depth := 0
	for i := lx.pos; i+1 < len(lx.src); {
		switch lx.src[i : i+2] {
		case "/*":
			depth++
			i += 2
		case "*/":
			i += 2
			if depth--; depth == 0 {
				lx.pos = i
				return true
			}
		default:
			i++
		}
	}
	return false
}

func (lx *lexer) toLineEnd() {
	n := strings.IndexByte(lx.src[lx.pos:], '\n')
	if n < 0 {
		n = len(lx.src) - lx.pos
	}
	lx.pos += n
}
