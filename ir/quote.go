package ir

// AppendName appends an identifier as IR text has it, without its sigil: quoted where it
// has other characters than letters, digits, "-", "." and "_", or starts with a digit.
func AppendName(b []byte, s string) []byte {
	plain := s != "" && (s[0] < '0' || s[0] > '9')
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
	}
	if plain {
		return append(b, s...)
	}
	b = append(b, '"')
	b = AppendEscaped(b, s)
	return append(b, '"')
}

// AppendEscaped appends the inside of a quoted string.
func AppendEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			b = append(b, '\\', '\\')
		case c >= 32 && c < 127 && c != '"':
			b = append(b, c)
		default:
			b = append(b, '\\', hex[c>>4], hex[c&15])
		}
	}
	return b
}
