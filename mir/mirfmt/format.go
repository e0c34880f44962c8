package mirfmt

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Options control Format.
type Options struct {
	Parse mirtext.ParseOptions
	// Simplify leaves out defaults, as -simplify-mir.
	Simplify bool
	// Full prints what llc -run-pass=none prints: the IR module in canonical
	// form, made up where the file has none, and empty machine functions for
	// the functions that have none. Otherwise the IR module stays as it
	// stands in the file, and no document is added.
	Full bool
}

// maxRounds bounds the search for a form that prints as itself.
const maxRounds = 6

// Format returns the canonical form of a MIR file. The error is a
// *diag.Diagnostic for faults in the text.
func Format(name string, src []byte, o Options) ([]byte, error) {
	f, err := mirtext.Parse(name, src, o.Parse)
	if err != nil {
		return nil, err
	}
	plain, next, err := settle(name, canonical(f, o), o)
	if err != nil {
		return nil, err
	}
	text := restore(string(src), string(plain), o.Full)
	err = means(name, text, next, o)
	if err != nil && f.HasIR && !o.Full {
		// Numbers of metadata or values in the module are not those that the
		// functions are printed with: the module has to be printed too.
		text = restore(string(src), withoutNames(string(plain), string(src)), true)
		err = means(name, text, next, o)
	}
	if err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// means reports whether a text prints as next. A text whose numbers name other
// nodes than they should may be one that the printer does not survive.
func means(name, text string, next []byte, o Options) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: the comments cannot be kept where they stand: the formatted text cannot be printed: %v", name, p)
		}
	}()
	f, err := mirtext.Parse(name, []byte(text), o.Parse)
	if err != nil {
		return fmt.Errorf("%s: the comments cannot be kept where they stand: %w", name, err)
	}
	if !bytes.Equal(canonical(f, o), next) {
		return fmt.Errorf("%s: the comments cannot be kept where they stand: the formatted text means something else", name)
	}
	return nil
}

// withoutNames leaves out what the printer says of the file's name, unless the
// source says it too.
func withoutNames(printed, src string) string {
	for _, start := range []string{"  ; ModuleID = ", "  source_filename = "} {
		if strings.Contains(src, strings.TrimSpace(start)) {
			continue
		}
		if k := strings.Index(printed, start); k >= 0 {
			end := k + strings.IndexByte(printed[k:], '\n') + 1
			printed = printed[:k] + printed[end:]
		}
	}
	return printed
}

// settle finds the lasting form of a printed text: what is printed is not
// always what prints as itself. Registers without a name are numbered anew
// behind those with one each time that a file is read; a second form settles
// that. Fixed stack objects may change their order to and fro; of two such
// forms the lesser one is taken. next is what the form prints as.
func settle(name string, plain []byte, o Options) (lasting, next []byte, err error) {
	forms := [][]byte{plain}
	for {
		last := forms[len(forms)-1]
		f, err := mirtext.Parse(name, last, o.Parse)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: what is printed cannot be read: %w", name, err)
		}
		next := canonical(f, o)
		n := len(forms)
		switch {
		case bytes.Equal(next, last) || n == maxRounds:
			return last, next, nil
		case n > 1 && bytes.Equal(next, forms[n-2]) && bytes.Compare(next, last) > 0:
			return last, next, nil
		case n > 1 && bytes.Equal(next, forms[n-2]):
			return next, last, nil
		}
		forms = append(forms, next)
	}
}

// canonical prints a file without comments of its own.
func canonical(f *mirtext.File, o Options) []byte {
	po := mirtext.PrintOptions{Simplify: o.Simplify}
	if o.Full {
		return f.AppendText(nil, po)
	}
	var b []byte
	if f.HasIR {
		b = mirtext.AppendIR(b, f.Module)
	}
	po.Slots = irtext.NewSlots(f.Module)
	for _, fn := range f.Functions {
		b = mirtext.AppendFunction(b, fn, po)
	}
	return b
}

// Target finds the target that a file's own RUN: lines name: the first
// -mtriple or -march of one that runs llc. Files without an IR module do not
// say elsewhere what they are written for.
func Target(src []byte) (triple, arch, cpu string) {
	for rest := string(src); rest != ""; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		_, cmd, ok := strings.Cut(line, "RUN:")
		if !ok {
			continue
		}
		words := strings.Fields(cmd)
		for k, w := range words {
			w = strings.TrimLeft(w, "-")
			name, value, has := strings.Cut(w, "=")
			if !has && k+1 < len(words) {
				value = words[k+1]
			}
			switch {
			case name == "mtriple" && triple == "":
				triple = strings.Trim(value, `"'`)
			case name == "march" && arch == "":
				arch = strings.Trim(value, `"'`)
			case name == "mcpu" && cpu == "":
				cpu = strings.Trim(value, `"'`)
			}
		}
		if triple != "" || arch != "" {
			return triple, arch, cpu
		}
	}
	return "", "", ""
}
