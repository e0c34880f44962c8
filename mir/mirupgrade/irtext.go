package mirupgrade

import "strings"

// untypedPointers writes the pointer types of a line of LLVM IR without what
// they point to: i32* is ptr, i8 addrspace(3)** is ptr.
func untypedPointers(l string) string {
	quote := false
	for k := 0; k < len(l); k++ {
		switch c := l[k]; {
		case c == '"':
			quote = !quote
		case quote:
		case c == ';':
			return l
		case c == '*':
			from := typeBefore(l, k)
			if from < 0 {
				continue
			}
			ptr := "ptr"
			if a := strings.LastIndex(l[from:k], " addrspace("); a >= 0 && strings.HasSuffix(l[from:k], ")") && strings.Count(l[from+a:k], ")") == 1 {
				ptr += l[from+a : k]
			}
			l = l[:from] + ptr + l[k+1:]
			k = from + len(ptr) - 1
		}
	}
	return l
}

// typeBefore returns where the type that ends before l[end] starts, -1 when
// none does.
func typeBefore(l string, end int) int {
	k := end
	if k == 0 {
		return -1
	}
	switch c := l[k-1]; {
	case c == ')':
		open := opening(l, k-1)
		if open < 0 {
			return -1
		}
		if strings.HasSuffix(l[:open], "addrspace") {
			return typeBefore(l, len(strings.TrimRight(l[:open-len("addrspace")], " ")))
		}
		return typeBefore(l, len(strings.TrimRight(l[:open], " "))) // a function type
	case c == ']' || c == '}' || c == '>':
		open := opening(l, k-1)
		if open > 0 && c == '}' && l[open-1] == '<' {
			return -1
		}
		if open > 0 && c == '>' && l[k-2] == '}' {
			return open
		}
		return open
	case c == '"': // %"a name"
		open := strings.LastIndexByte(l[:k-1], '"')
		if open > 0 && l[open-1] == '%' {
			return open - 1
		}
		return -1
	}
	for k > 0 && (l[k-1] == '_' || l[k-1] == '.' || l[k-1] == '-' || l[k-1] == '%' || l[k-1] == '$' || isAlnum(l[k-1])) {
		k--
	}
	word := l[k:end]
	if word == "" || !(word[0] == '%' && len(word) > 1 || isType(word)) {
		return -1
	}
	return k
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isType recognizes the names of types that can be pointed to.
func isType(w string) bool {
	switch w {
	case "ptr", "void", "half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128", "x86_mmx", "opaque":
		return true
	}
	return len(w) > 1 && w[0] == 'i' && strings.Trim(w[1:], "0123456789") == ""
}

// opening returns the bracket that the one at l[end] closes, -1 for none.
func opening(l string, end int) int {
	depth := 0
	for k := end; k >= 0; k-- {
		switch l[k] {
		case ')', ']', '}', '>':
			depth++
		case '(', '[', '{', '<':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
}
