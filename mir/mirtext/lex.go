package mirtext

import "strings"

// token is the kind of a token of the instruction language. Single characters
// stand for themselves.
type token uint8

const (
	tEOF token = iota
	tNewline
	tError
	tIdent      // opcode, keyword, class, %… never
	tPhysReg    // $name
	tVReg       // %12
	tNamedVReg  // %name
	tBlockRef   // %bb.1, %bb.1.name
	tBlockLabel // bb.1, bb.1.name
	tStack      // %stack.0.name
	tFixedStack // %fixed-stack.0
	tConst      // %const.0
	tJumpTable  // %jump-table.0
	tSubRegIdx  // %subreg.name
	tIRBlock    // %ir-block.name
	tIRBlockNum // %ir-block.1
	tIRValue    // %ir.name
	tIRValueNum // %ir.1
	tGlobal     // @name
	tGlobalNum  // @1
	tExtSym     // &name
	tMCSymbol   // <mcsymbol name>
	tMDName     // !DIExpression
	tInt        // 12, -3
	tHex        // 0x1f
	tFloat      // 1.5
	tIntType    // i32
	tString     // "text"
	tQuotedIR   // `ptr null`
	tColons     // ::
)

// lexer cuts one body into tokens, in place in the file.
type lexer struct {
	src     string
	pos     int
	end     int
	tok     token
	off     int // start of the current token
	prevEnd int // end of the token before it
	text    string
	num     uint64 // number of %bb.N, %stack.N, %N …
	lexErr  string
}

const (
	cIdent = 1 << iota // in identifiers
	cRegChar
	cAlpha
	cNum
)

var charClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			t[c] = cIdent | cRegChar | cAlpha
		case c >= '0' && c <= '9':
			t[c] = cIdent | cRegChar | cNum
		case c == '_' || c == '-' || c == '$':
			t[c] = cIdent | cRegChar
		case c == '.':
			t[c] = cIdent
		}
	}
	return
}()

func (l *lexer) fail(off int, msg string) {
	l.tok, l.off, l.lexErr = tError, off, msg
}

// scan returns the end of the run of characters of a class from i on.
func (l *lexer) scan(i int, class uint8) int {
	for i < l.end && charClass[l.src[i]]&class != 0 {
		i++
	}
	return i
}

func (l *lexer) at(i int) byte {
	if i < l.end {
		return l.src[i]
	}
	return 0
}

// next reads the next token.
func (l *lexer) next() {
	l.prevEnd = l.pos
	i := l.pos
skip:
	for i < l.end {
		switch l.src[i] {
		case ' ', '\t', '\r':
			i++
		case ';':
			for i < l.end && l.src[i] != '\n' {
				i++
			}
		case '/':
			if l.at(i+1) != '*' {
				break skip
			}
			n := strings.Index(l.src[i+2:l.end], "*/")
			if n < 0 {
				break skip
			}
			i += n + 4
		default:
			break skip
		}
	}
	l.off = i
	if i >= l.end {
		l.tok, l.pos = tEOF, l.end
		return
	}
	c := l.src[i]
	switch {
	case charClass[c]&cAlpha != 0 || c == '_':
		l.ident(i)
		return
	case charClass[c]&cNum != 0 || c == '-' && charClass[l.at(i+1)]&cNum != 0:
		l.number(i)
		return
	}
	switch c {
	case '\n':
		l.tok, l.pos = tNewline, i+1
	case '%':
		l.percent(i)
	case '$':
		if l.at(i+1) == '"' {
			l.quoted(tPhysReg, i, i+1)
			return
		}
		e := l.scan(i+1, cRegChar)
		l.tok, l.pos, l.text = tPhysReg, e, l.src[i+1:e]
	case '@':
		if charClass[l.at(i+1)]&cNum != 0 {
			l.numbered(tGlobalNum, i, i+1)
			return
		}
		l.name(tGlobal, i, i+1)
	case '&':
		l.name(tExtSym, i, i+1)
	case '"':
		l.quoted(tString, i, i)
	case '`':
		n := strings.IndexAny(l.src[i+1:l.end], "`\n")
		if n < 0 || l.src[i+1+n] == '\n' {
			if n < 0 {
				n = l.end - i - 1
			}
			l.fail(i+1+n, "end of machine instruction reached before the closing '`'")
			l.pos = l.end
			return
		}
		l.tok, l.text, l.pos = tQuotedIR, l.src[i+1:i+1+n], i+n+2
	case '!':
		e := l.scan(i+1, cIdent)
		if e > i+1 && charClass[l.src[i+1]]&cNum == 0 {
			l.tok, l.text, l.pos = tMDName, l.src[i+1:e], e
			return
		}
		l.tok, l.pos = '!', i+1
	case '<':
		if strings.HasPrefix(l.src[i:l.end], "<mcsymbol ") {
			l.mcSymbol(i)
			return
		}
		l.tok, l.pos = '<', i+1
	case ':':
		if l.at(i+1) == ':' {
			l.tok, l.pos = tColons, i+2
			return
		}
		l.tok, l.pos = ':', i+1
	case ',', '=', '(', ')', '{', '}', '+', '-', '>', '.':
		l.tok, l.pos = token(c), i+1
	default:
		l.fail(i, "unexpected character '"+string(rune(c))+"'")
		l.pos = i + 1
	}
}

func (l *lexer) ident(i int) {
	if strings.HasPrefix(l.src[i:l.end], "bb.") {
		l.block(tBlockLabel, i, i+3)
		return
	}
	e := l.scan(i, cIdent)
	l.text, l.pos, l.tok = l.src[i:e], e, tIdent
	if l.text[0] == 'i' && e > i+1 {
		for k := 1; k < len(l.text); k++ {
			if charClass[l.text[k]]&cNum == 0 {
				return
			}
		}
		l.tok = tIntType
	}
}

func (l *lexer) number(i int) {
	k := i
	if l.src[k] == '-' {
		k++
	}
	if hex := i + 2; l.src[i] == '0' && l.at(i+1) == 'x' && (hexDigit(l.at(hex)) >= 0 || strings.IndexByte("HKLMR", l.at(hex)) >= 0 && hexDigit(l.at(hex+1)) >= 0) {
		// 0x, or 0xH, 0xK, 0xL, 0xM, 0xR for other formats of floating point.
		k += 2
		if strings.IndexByte("HKLMR", l.at(k)) >= 0 && k < l.end {
			k++
		}
		for k < l.end && hexDigit(l.src[k]) >= 0 {
			k++
		}
		l.tok, l.text, l.pos = tHex, l.src[i:k], k
		return
	}
	k = l.scan(k, cNum)
	l.tok = tInt
	if l.at(k) == '.' {
		l.tok = tFloat
		k = l.scan(k+1, cNum)
		if c := l.at(k); c == 'e' || c == 'E' {
			m := k + 1
			if s := l.at(m); s == '+' || s == '-' {
				m++
			}
			if charClass[l.at(m)]&cNum != 0 {
				k = l.scan(m, cNum)
			}
		}
	}
	l.text, l.pos = l.src[i:k], k
}

// numbered reads digits at k.
func (l *lexer) numbered(t token, i, k int) {
	e := l.scan(k, cNum)
	l.tok, l.pos, l.num, l.text = t, e, 0, ""
	for _, c := range []byte(l.src[k:e]) {
		if l.num > 1<<40 {
			break
		}
		l.num = l.num*10 + uint64(c-'0')
	}
}

func (l *lexer) indexAndName(t token, i, k int) {
	l.numbered(t, i, k)
	if l.at(l.pos) == '.' {
		e := l.scan(l.pos+1, cIdent)
		l.text, l.pos = l.src[l.pos+1:e], e
	}
}

func (l *lexer) percent(i int) {
	rest := l.src[i+1 : l.end]
	has := func(p string) bool { return strings.HasPrefix(rest, p) }
	switch {
	case charClass[l.at(i+1)]&cNum != 0:
		l.numbered(tVReg, i, i+1)
	case has("bb."):
		l.block(tBlockRef, i, i+4)
	case l.numberBehind(rest, "stack."):
		l.indexAndName(tStack, i, i+7)
	case l.numberBehind(rest, "fixed-stack."):
		l.numbered(tFixedStack, i, i+13)
	case l.numberBehind(rest, "const."):
		l.numbered(tConst, i, i+7)
	case l.numberBehind(rest, "jump-table."):
		l.numbered(tJumpTable, i, i+12)
	case has("subreg."):
		e := l.scan(i+8, cRegChar)
		l.tok, l.text, l.pos = tSubRegIdx, l.src[i+8:e], e
	case has("ir-block."):
		if charClass[l.at(i+10)]&cNum != 0 {
			l.numbered(tIRBlockNum, i, i+10)
			return
		}
		l.name(tIRBlock, i, i+10)
	case has("ir."):
		if charClass[l.at(i+4)]&cNum != 0 {
			l.numbered(tIRValueNum, i, i+4)
			return
		}
		l.name(tIRValue, i, i+4)
	default:
		e := l.scan(i+1, cRegChar)
		if e == i+1 {
			l.fail(i, "unexpected character '%'")
			l.pos = i + 1
			return
		}
		l.tok, l.text, l.pos = tNamedVReg, l.src[i+1:e], e
	}
}

// block reads a block's number and name behind bb. at k.
func (l *lexer) block(t token, i, k int) {
	if charClass[l.at(k)]&cNum == 0 {
		l.fail(k, "expected a number after '%bb.'")
		l.pos = l.end
		return
	}
	l.indexAndName(t, i, k)
}

// numberBehind reports text that is p and a digit.
func (l *lexer) numberBehind(text, p string) bool {
	return strings.HasPrefix(text, p) && len(text) > len(p) && charClass[text[len(p)]]&cNum != 0
}

// name reads an identifier at k, in quotes or not.
func (l *lexer) name(t token, i, k int) {
	if l.at(k) == '"' {
		l.quoted(t, i, k)
		return
	}
	e := l.scan(k, cIdent)
	l.tok, l.text, l.pos = t, l.src[k:e], e
}

// quoted reads a string with \xx and \\ escapes; the quote stands at k.
func (l *lexer) quoted(t token, i, k int) {
	var b []byte
	plain := true
	for e := k + 1; e < l.end; e++ {
		switch c := l.src[e]; c {
		case '"':
			l.tok, l.pos = t, e+1
			if plain {
				l.text = l.src[k+1 : e]
			} else {
				l.text = string(b)
			}
			return
		case '\n':
			i = e
			e = l.end
		case '\\':
			if plain {
				b, plain = append(b, l.src[k+1:e]...), false
			}
			switch {
			case l.at(e+1) == '\\':
				b = append(b, '\\')
				e++
			case hexDigit(l.at(e+1)) >= 0 && hexDigit(l.at(e+2)) >= 0:
				b = append(b, byte(hexDigit(l.at(e+1))<<4|hexDigit(l.at(e+2))))
				e += 2
			default:
				b = append(b, c)
			}
		default:
			if !plain {
				b = append(b, c)
			}
		}
	}
	if l.at(i) != '\n' {
		i = l.end
	}
	l.fail(i, `end of machine instruction reached before the closing '"'`)
	l.pos = l.end
}

func (l *lexer) mcSymbol(i int) {
	k := i + len("<mcsymbol ")
	if l.at(k) == '"' {
		var b []byte
		for e := k + 1; e < l.end && l.src[e] != '\n'; e++ {
			if l.src[e] == '\\' && e+1 < l.end {
				e++
				if l.src[e] == 'n' {
					b = append(b, '\n')
				} else {
					b = append(b, l.src[e])
				}
				continue
			}
			if l.src[e] == '"' {
				if l.at(e+1) != '>' {
					l.fail(e+1, "expected the '<mcsymbol ...' to be closed by a '>'")
					l.pos = l.end
					return
				}
				l.tok, l.text, l.pos = tMCSymbol, string(b), e+2
				return
			}
			b = append(b, l.src[e])
		}
		l.fail(k, "unable to parse quoted string from opening quote")
		l.pos = l.end
		return
	}
	e := l.scan(k, cIdent)
	if l.at(e) == '>' {
		l.tok, l.text, l.pos = tMCSymbol, l.src[k:e], e+1
		return
	}
	l.fail(e, "expected the '<mcsymbol ...' to be closed by a '>'")
	l.pos = l.end
}
