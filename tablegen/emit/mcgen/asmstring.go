package mcgen

import (
	"fmt"
	"strings"
)

// piece is a part of an assembly string: text, or an operand.
type piece struct {
	text     string
	operand  string // name, "" for text
	modifier string
}

// flatten chooses alternative variant of each {a|b|…}, nothing where there are
// fewer. "${" and a brace behind a backslash stay.
func flatten(asm string, variant int) (string, error) {
	var out strings.Builder
	for i := 0; i < len(asm); i++ {
		switch c := asm[i]; {
		case c == '\\' && i+1 < len(asm):
			out.WriteString(asm[i : i+2])
			i++
		case c == '$' && i+1 < len(asm) && asm[i+1] == '{':
			end := strings.IndexByte(asm[i:], '}')
			if end < 0 {
				return "", fmt.Errorf("incomplete operand reference in '%s'", asm)
			}
			out.WriteString(asm[i : i+end+1])
			i += end
		case c == '{':
			alts, end, err := alternatives(asm, i+1)
			if err != nil {
				return "", err
			}
			if variant < len(alts) {
				out.WriteString(alts[variant])
			}
			i = end
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), nil
}

// alternatives cuts the text from i to the closing brace at the bars.
func alternatives(asm string, i int) (alts []string, end int, err error) {
	start := i
	for ; i < len(asm); i++ {
		switch c := asm[i]; {
		case c == '\\':
			i++
		case c == '$' && i+1 < len(asm) && asm[i+1] == '{':
			k := strings.IndexByte(asm[i:], '}')
			if k < 0 {
				return nil, 0, fmt.Errorf("incomplete operand reference in '%s'", asm)
			}
			i += k
		case c == '{':
			return nil, 0, fmt.Errorf("alternatives within alternatives in '%s'", asm)
		case c == '|':
			alts = append(alts, asm[start:i])
			start = i + 1
		case c == '}':
			return append(alts, asm[start:i]), i, nil
		}
	}
	return nil, 0, fmt.Errorf("alternatives without an end in '%s'", asm)
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// pieces takes a flat assembly string apart: $name, ${name}, ${name:modifier}, $$.
func pieces(asm string) ([]piece, error) {
	var out []piece
	var text []byte
	flush := func() {
		if len(text) > 0 {
			out = append(out, piece{text: string(text)})
			text = nil
		}
	}
	for i := 0; i < len(asm); i++ {
		switch c := asm[i]; {
		case c == '\\' && i+1 < len(asm):
			i++
			switch asm[i] {
			case 'n':
				text = append(text, '\n')
			case 't':
				text = append(text, '\t')
			default:
				text = append(text, asm[i])
			}
		case c == '$' && i+1 < len(asm) && asm[i+1] == '$':
			text = append(text, '$')
			i++
		case c == '$' && i+1 < len(asm) && asm[i+1] == '{':
			end := strings.IndexByte(asm[i:], '}')
			if end < 0 {
				return nil, fmt.Errorf("incomplete operand reference in '%s'", asm)
			}
			name, mod, _ := strings.Cut(asm[i+2:i+end], ":")
			flush()
			out = append(out, piece{operand: name, modifier: mod})
			i += end
		case c == '$':
			j := i + 1
			for j < len(asm) && isNameByte(asm[j]) {
				j++
			}
			if j == i+1 {
				return nil, fmt.Errorf("stray '$' in '%s'", asm)
			}
			flush()
			out = append(out, piece{operand: asm[i+1 : j]})
			i = j - 1
		default:
			text = append(text, c)
		}
	}
	flush()
	return out, nil
}
