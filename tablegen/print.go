package tablegen

import "strconv"

// AppendText appends the value in source form.
func (x *IntInit) AppendText(b []byte) []byte { return strconv.AppendInt(b, x.V, 10) }

// AppendText appends the value in source form.
func (x *BitInit) AppendText(b []byte) []byte {
	if x.V {
		return append(b, '1')
	}
	return append(b, '0')
}

// AppendText appends the value in source form, the highest bit first.
func (x *BitsInit) AppendText(b []byte) []byte {
	b = append(b, "{ "...)
	for i := len(x.Bits) - 1; i >= 0; i-- {
		b = x.Bits[i].AppendText(b)
		if i > 0 {
			b = append(b, ", "...)
		}
	}
	return append(b, " }"...)
}

// AppendText appends the value in source form; nothing is escaped.
func (x *StringInit) AppendText(b []byte) []byte {
	if x.Code {
		b = append(b, "[{"...)
		b = append(b, x.S...)
		return append(b, "}]"...)
	}
	b = append(b, '"')
	b = append(b, x.S...)
	return append(b, '"')
}

func appendList(b []byte, l []Init) []byte {
	for i, x := range l {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = x.AppendText(b)
	}
	return b
}

// AppendText appends the value in source form.
func (x *ListInit) AppendText(b []byte) []byte {
	b = append(b, '[')
	b = appendList(b, x.Elems)
	return append(b, ']')
}

// AppendText appends the value in source form.
func (x *DagInit) AppendText(b []byte) []byte {
	b = append(b, '(')
	b = x.Op.AppendText(b)
	if x.OpName != "" {
		b = append(b, ":$"...)
		b = append(b, x.OpName...)
	}
	for i, a := range x.Args {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, ' ')
		b = a.AppendText(b)
		if n := x.ArgNames[i]; n != "" {
			b = append(b, ":$"...)
			b = append(b, n...)
		}
	}
	return append(b, ')')
}

// AppendText appends the name of the record.
func (x *DefInit) AppendText(b []byte) []byte { return append(b, x.Rec.Name...) }

// AppendText appends a question mark.
func (x *UnsetInit) AppendText(b []byte) []byte { return append(b, '?') }

// AppendText appends the name of the variable.
func (x *VarInit) AppendText(b []byte) []byte { return append(b, x.Name...) }

// AppendText appends the value in source form.
func (x *VarBitInit) AppendText(b []byte) []byte {
	b = x.Var.AppendText(b)
	b = append(b, '{')
	b = strconv.AppendInt(b, int64(x.Bit), 10)
	return append(b, '}')
}

// AppendText appends the value in source form.
func (x *FieldInit) AppendText(b []byte) []byte {
	b = x.Rec.AppendText(b)
	b = append(b, '.')
	return append(b, x.Field...)
}

// AppendText appends the operator in source form.
func (x *OpInit) AppendText(b []byte) []byte {
	switch x.Op {
	case OpListElem, OpListSlice:
		b = x.Args[0].AppendText(b)
		b = append(b, '[')
		b = x.Args[1].AppendText(b)
		return append(b, ']')
	case OpRangeClosed:
		b = x.Args[0].AppendText(b)
		b = append(b, "..."...)
		return x.Args[1].AppendText(b)
	}
	b = append(b, '!')
	b = append(b, opNames[x.Op]...)
	switch x.Op {
	case OpCast, OpGetDagArg:
		b = append(b, '<')
		b = x.T.appendText(b)
		b = append(b, '>')
	case OpIsa, OpExists, OpInstances:
		b = append(b, '<')
		b = x.TypeArg.appendText(b)
		b = append(b, '>')
	}
	b = append(b, '(')
	if x.Op == OpCond {
		for i := 0; i+1 < len(x.Args); i += 2 {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = x.Args[i].AppendText(b)
			b = append(b, ": "...)
			b = x.Args[i+1].AppendText(b)
		}
	} else {
		b = appendList(b, x.Args)
	}
	return append(b, ')')
}

// AppendText appends the class reference as LLVM prints it, each argument
// with its number or full name.
func (x *ClassInit) AppendText(b []byte) []byte {
	b = append(b, x.Class.Name...)
	b = append(b, '<')
	for i, a := range x.Args {
		if i > 0 {
			b = append(b, ", "...)
		}
		if a.Named {
			b = append(b, '"')
			b = append(b, x.Class.TemplateArgs[a.Index].Name...)
			b = append(b, '"')
		} else {
			b = strconv.AppendInt(b, int64(a.Index), 10)
		}
		b = append(b, ": "...)
		b = a.Value.AppendText(b)
	}
	return append(b, '>')
}

// AppendText appends the name as it stands.
func (x *AnonNameInit) AppendText(b []byte) []byte { return x.name().AppendText(b) }

// appendDecl appends a field or template argument as a declaration.
func (f *Field) appendDecl(b []byte) []byte {
	if f.NonConcreteOK {
		b = append(b, "field "...)
	}
	if s, ok := f.Value.(*StringInit); ok && s.Code && f.Type.Kind == StringType {
		b = append(b, "code"...)
	} else {
		b = f.Type.appendText(b)
	}
	b = append(b, ' ')
	b = append(b, f.Name...)
	if u, ok := f.Value.(*UnsetInit); ok && u.nothing {
		return b
	}
	b = append(b, " = "...)
	return f.Value.AppendText(b)
}

// AppendText appends the record as llvm-tblgen prints it: name, template
// arguments, all superclasses in a comment, and fields, those declared with
// the word field first.
func (r *Record) AppendText(b []byte) []byte {
	b = append(b, r.Name...)
	if len(r.TemplateArgs) > 0 {
		b = append(b, '<')
		for i := range r.TemplateArgs {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = r.TemplateArgs[i].appendDecl(b)
		}
		b = append(b, '>')
	}
	b = append(b, " {"...)
	if len(r.Superclasses) > 0 {
		b = append(b, "\t//"...)
		for _, s := range r.Superclasses {
			b = append(b, ' ')
			b = append(b, s.Name...)
		}
	}
	b = append(b, '\n')
	for _, special := range [...]bool{true, false} {
		for i := range r.Fields {
			f := &r.Fields[i]
			if f.NonConcreteOK != special {
				continue
			}
			b = append(b, "  "...)
			b = f.appendDecl(b)
			b = append(b, ";\n"...)
		}
	}
	return append(b, "}\n"...)
}

// AppendText appends all records as llvm-tblgen --print-records does: classes
// and then definitions, each in order of their names.
func (rs *Records) AppendText(b []byte) []byte {
	b = append(b, "------------- Classes -----------------\n"...)
	for _, c := range sortedByName(rs.classList) {
		b = append(b, "class "...)
		b = c.AppendText(b)
	}
	b = append(b, "------------- Defs -----------------\n"...)
	for _, d := range sortedByName(rs.defList) {
		b = append(b, "def "...)
		b = d.AppendText(b)
	}
	return b
}
