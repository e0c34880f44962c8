package main

import (
	"strings"

	"github.com/mirin-go/mirin/diag"
)

// lexer cuts the source into tokens: names, numbers, operators.
type lexer struct {
	file, src string
	tok       string // the current token, "" at the end
	start     int    // where it starts
	pos       int    // where it ends
}

func (l *lexer) next() {
	for l.pos < len(l.src) {
		if l.src[l.pos] == '#' { // a comment ends with its line
			n := strings.IndexByte(l.src[l.pos:], '\n')
			if n < 0 {
				l.pos = len(l.src)
				break
			}
			l.pos += n
		} else if !strings.ContainsRune(" \t\r\n", rune(l.src[l.pos])) {
			break
		} else {
			l.pos++
		}
	}
	l.start = l.pos
	if l.pos == len(l.src) {
		l.tok = ""
		return
	}
	if isWord(l.src[l.pos]) {
		for l.pos < len(l.src) && isWord(l.src[l.pos]) {
			l.pos++
		}
	} else if l.pos++; l.pos < len(l.src) && l.src[l.pos] == '=' && strings.ContainsRune("=!<>", rune(l.src[l.pos-1])) {
		l.pos++
	}
	l.tok = l.src[l.start:l.pos]
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// fault is an error at the current token, with the line and a caret.
func (l *lexer) fault(msg string) error { return diag.At(l.file, []byte(l.src), l.start, msg) }
