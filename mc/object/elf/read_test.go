package elf

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/mc"
)

// What was written is read again, and written again the same.
func TestRead(t *testing.T) {
	want := small(true)
	b, err := Append(nil, want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Symbols, want.Symbols) {
		t.Errorf("symbols\n%+v\nwant\n%+v", got.Symbols, want.Symbols)
	}
	for i := range want.Sections {
		w, g := want.Sections[i], got.Sections[i]
		w.Flags |= g.Flags & mc.FlagGroup
		w.Unique = mc.GenericSection
		if len(w.Relocs) == 0 {
			w.Relocs = nil
		}
		if !reflect.DeepEqual(g, w) {
			t.Errorf("section\n%+v\nwant\n%+v", g, w)
		}
	}
	again, err := Append(nil, got)
	if err != nil || !bytes.Equal(again, b) {
		t.Errorf("written again it differs (%v)", err)
	}
}

// Damaged files are errors.
func TestReadDamaged(t *testing.T) {
	b, _ := Append(nil, small(true))
	for n := range b {
		if _, err := Read(b[:n]); err == nil {
			t.Fatalf("a file cut to %d bytes is read", n)
		}
	}
	for i := range b {
		for _, v := range []byte{0xff, 0x80, b[i] + 1} {
			c := bytes.Clone(b)
			c[i] = v
			Read(c) // must not panic
		}
	}
	if _, err := Read([]byte("define void @f()" + strings.Repeat(" ", 100))); err == nil {
		t.Error("text is read")
	}
}

// FuzzRead: no input makes the reader panic.
func FuzzRead(f *testing.F) {
	b, _ := Append(nil, small(true))
	f.Add(b)
	f.Fuzz(func(_ *testing.T, b []byte) { Read(b) })
}
