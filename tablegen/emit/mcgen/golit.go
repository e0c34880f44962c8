package mcgen

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/gofile"
)

// AppendGo appends a Go file of package pkg that --ACTION writes, with one
// variable: the table, a pointer to one of desc's. What is said about it is the comment.
func AppendGo(b []byte, action, pkg, variable, comment string, table any) ([]byte, error) {
	w := gofile.New(action, pkg, "github.com/mirin-go/mirin/desc")
	w.Printf("// %s %s\nvar %s = ", variable, comment, variable)
	v := reflect.ValueOf(table).Elem()
	w.Printf("desc.%s{\n", v.Type().Name())
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		w.Printf("\t%s: ", v.Type().Field(i).Name)
		switch f.Kind() {
		case reflect.Slice:
			writeSlice(&w.Buffer, f)
		case reflect.String:
			writeBlob(&w.Buffer, f.String())
		default:
			writeValue(&w.Buffer, f)
		}
		w.WriteString(",\n")
	}
	w.WriteString("}\n")
	return w.AppendTo(b)
}

// writeSlice writes a list, several short elements on a line.
func writeSlice(w *bytes.Buffer, f reflect.Value) {
	elem := f.Type().Elem()
	name := elem.Name()
	if elem.PkgPath() != "" {
		name = "desc." + name
	}
	fmt.Fprintf(w, "[]%s{\n", name)
	col := 0
	for k := range f.Len() {
		var e bytes.Buffer
		writeValue(&e, f.Index(k))
		if col > 0 && col+e.Len() > 130 {
			w.WriteByte('\n')
			col = 0
		}
		w.Write(e.Bytes())
		w.WriteString(", ")
		col += e.Len() + 2
	}
	w.WriteString("\n}")
}

// writeBlob writes a long string as pieces on lines.
func writeBlob(w *bytes.Buffer, s string) {
	for k := 0; ; k += 96 {
		end := min(k+96, len(s))
		w.WriteString(strconv.Quote(s[k:end]))
		if end == len(s) {
			return
		}
		w.WriteString(" +\n\t")
	}
}

// writeValue writes a number, or a row: its fields that are not zero, by name.
func writeValue(w *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		var parts []string
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				continue
			}
			var e bytes.Buffer
			writeValue(&e, v.Field(i))
			text := e.String()
			if v.Field(i).Kind() == reflect.Struct {
				text = "desc." + v.Field(i).Type().Name() + text
			}
			parts = append(parts, v.Type().Field(i).Name+": "+text)
		}
		w.WriteString("{" + strings.Join(parts, ", ") + "}")
	case reflect.Bool:
		fmt.Fprint(w, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprint(w, v.Int())
	case reflect.String:
		w.WriteString(strconv.Quote(v.String()))
	default:
		if u := v.Uint(); u > 1<<16 {
			fmt.Fprintf(w, "%#x", u)
		} else {
			fmt.Fprint(w, u)
		}
	}
}
