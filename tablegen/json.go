package tablegen

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// AppendJSON appends all definitions as llvm-tblgen --dump-json does, without
// a final line end: one object, the keys of all objects in order.
func (rs *Records) AppendJSON(b []byte) []byte {
	defs := sortedByName(rs.defList)
	// A definition may be named like nothing else in the object, but its name
	// decides where it stands among the two special keys.
	special := [...]string{"!instanceof", "!tablegen_json_version"}
	b = append(b, '{')
	next := 0
	first := true
	sep := func() {
		if !first {
			b = append(b, ',')
		}
		first = false
	}
	emit := func(upTo string, all bool) {
		for next < len(special) && (all || special[next] < upTo) {
			sep()
			b = appendQuoted(b, special[next])
			b = append(b, ':')
			if next == 0 {
				b = rs.appendInstanceOf(b, defs)
			} else {
				b = append(b, '1')
			}
			next++
		}
	}
	for _, d := range defs {
		emit(d.Name, false)
		sep()
		b = appendQuoted(b, d.Name)
		b = append(b, ':')
		b = rs.appendRecordJSON(b, d)
	}
	emit("", true)
	return append(b, '}')
}

// appendInstanceOf appends for each class the definitions that derive from it.
func (rs *Records) appendInstanceOf(b []byte, defs []*Record) []byte {
	lists := make(map[*Record][]*Record, len(rs.classList))
	for _, d := range defs {
		for _, s := range d.Superclasses {
			lists[s] = append(lists[s], d)
		}
	}
	b = append(b, '{')
	n := 0
	for _, c := range sortedByName(rs.classList) {
		l := lists[c]
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = appendQuoted(b, c.Name)
		b = append(b, ":["...)
		for i, d := range l {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendQuoted(b, d.Name)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func (rs *Records) appendRecordJSON(b []byte, d *Record) []byte {
	keys := make([]int, len(d.Fields))
	for i := range keys {
		keys[i] = i
	}
	slices.SortFunc(keys, func(x, y int) int { return strings.Compare(d.Fields[x].Name, d.Fields[y].Name) })
	b = append(b, `{"!anonymous":`...)
	b = strconv.AppendBool(b, d.anonymous)
	b = append(b, `,"!fields":[`...)
	n := 0
	for i := range d.Fields {
		if d.Fields[i].NonConcreteOK {
			if n++; n > 1 {
				b = append(b, ',')
			}
			b = appendQuoted(b, d.Fields[i].Name)
		}
	}
	b = append(b, `],"!locs":[`...)
	for i, l := range append([]Loc{d.Loc}, d.usedAt...) {
		if i > 0 {
			b = append(b, ',')
		}
		name, line := rs.line(l)
		b = appendQuoted(b, path.Base(name)+":"+strconv.Itoa(line))
	}
	b = append(b, `],"!name":`...)
	b = appendQuoted(b, d.Name)
	b = append(b, `,"!superclasses":[`...)
	for i, s := range d.Superclasses {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, s.Name)
	}
	b = append(b, ']')
	for _, i := range keys {
		f := &d.Fields[i]
		b = append(b, ',')
		b = appendQuoted(b, f.Name)
		b = append(b, ':')
		b = appendValueJSON(b, f.Value)
	}
	return append(b, '}')
}

// line returns the file and line of a place; "" and 0 where there is none.
func (rs *Records) line(l Loc) (string, int) {
	if l == noLoc || int(l.file) >= len(rs.files) {
		return "", 0
	}
	f := &rs.files[l.file]
	if f.lines == nil {
		f.lines = []int32{0}
		for i := range len(f.src) {
			if f.src[i] == '\n' {
				f.lines = append(f.lines, int32(i+1))
			}
		}
	}
	i, exact := slices.BinarySearch(f.lines, l.off)
	if exact {
		i++
	}
	return f.name, i
}

func appendValueJSON(b []byte, x Init) []byte {
	switch x := x.(type) {
	case *UnsetInit:
		return append(b, "null"...)
	case *BitInit, *IntInit:
		return x.AppendText(b)
	case *BitsInit:
		return appendListJSON(b, x.Bits)
	case *StringInit:
		return appendQuoted(b, x.S)
	case *ListInit:
		return appendListJSON(b, x.Elems)
	case *DagInit:
		return appendDagJSON(b, x)
	case *DefInit:
		b = append(b, `{"def":`...)
		b = appendQuoted(b, x.Rec.Name)
		return appendPrintable(append(b, ','), "def", x)
	case *VarInit:
		b = appendPrintableOpen(append(b, '{'), "var", x)
		b = append(b, `,"var":`...)
		b = appendQuoted(b, x.Name)
		return append(b, '}')
	case *VarBitInit:
		if v, ok := x.Var.(*VarInit); ok {
			b = append(b, `{"index":`...)
			b = strconv.AppendInt(b, int64(x.Bit), 10)
			b = appendPrintableOpen(append(b, ','), "varbit", x)
			b = append(b, `,"var":`...)
			b = appendQuoted(b, v.Name)
			return append(b, '}')
		}
	}
	return appendPrintable(append(b, '{'), "complex", x)
}

func appendPrintableOpen(b []byte, kind string, x Init) []byte {
	b = append(b, `"kind":`...)
	b = appendQuoted(b, kind)
	b = append(b, `,"printable":`...)
	return appendQuoted(b, x.String())
}

func appendPrintable(b []byte, kind string, x Init) []byte {
	return append(appendPrintableOpen(b, kind, x), '}')
}

func appendListJSON(b []byte, l []Init) []byte {
	b = append(b, '[')
	for i, x := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValueJSON(b, x)
	}
	return append(b, ']')
}

func appendDagJSON(b []byte, x *DagInit) []byte {
	b = append(b, `{"args":[`...)
	for i, a := range x.Args {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendValueJSON(b, a)
		b = append(b, ',')
		if n := x.ArgNames[i]; n != "" {
			b = appendQuoted(b, n)
		} else {
			b = append(b, "null"...)
		}
		b = append(b, ']')
	}
	b = append(b, `],"kind":"dag"`...)
	if x.OpName != "" {
		b = append(b, `,"name":`...)
		b = appendQuoted(b, x.OpName)
	}
	b = append(b, `,"operator":`...)
	b = appendValueJSON(b, x.Op)
	b = append(b, `,"printable":`...)
	b = appendQuoted(b, x.String())
	return append(b, '}')
}

// appendQuoted appends a JSON string, with U+FFFD for bytes that are no UTF-8.
func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < 0x20:
			b = append(b, `\u00`...)
			b = append(b, hex[r>>4], hex[r&15])
		case r < utf8.RuneSelf:
			b = append(b, s[i])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
