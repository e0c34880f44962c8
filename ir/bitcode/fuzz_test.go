package bitcode

import (
	"bytes"
	"encoding/binary"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

// What ReadAll may allocate, dead memory included, for n bytes:
// memPerByte*n + memBase. docs/llvm-ir.md states it.
const (
	memPerByte = 1000
	memBase    = 2 << 20
	fuzzMax    = 1 << 16 // longer inputs only make fuzzing slow
	fuzzTime   = 20 * time.Second
)

// A listing is bitcode by the byte, which mutates better than a stream of bits:
// every step is one of these bytes and what it says; numbers are uvarints. What
// is cut short ends where it stands, and blocks that are open are closed.
const (
	listEnd   = 0 // end of a block
	listBlock = 1 // id
	listRec   = 2 // code, number of operands, operands
	listBlob  = 3 // the same, then length and bytes
)

// list makes the listing of a file.
func list(tb testing.TB, data []byte) (out []byte) {
	c := newCursor(data)
	c.pos = 32
	num := func(v uint64) { out = binary.AppendUvarint(out, v) }
	for c.err == nil && (c.pos+32 <= c.end || len(c.stack) > 0) {
		switch e, id := c.next(); e {
		case entryEnd:
			out = append(out, listEnd)
		case entryBlock:
			if id == blockInfoID {
				c.blockInfo()
				continue
			}
			out = append(out, listBlock)
			num(uint64(id))
			c.enter(id)
		case entryRecord:
			at := len(out)
			out = append(out, listRec)
			num(uint64(c.record(id)))
			num(uint64(len(c.rec)))
			for _, v := range c.rec {
				num(v)
			}
			if c.blob != nil {
				out[at] = listBlob
				num(uint64(len(c.blob)))
				out = append(out, c.blob...)
			}
		case entryErr:
			tb.Fatal("a seed is not bitcode")
		}
	}
	if c.err != nil {
		tb.Fatal(c.err)
	}
	return out
}

// assemble makes a file of a listing.
func assemble(l []byte) []byte {
	w := &bitWriter{width: 2}
	w.emit(0xdec04342, 32)
	num := func() uint64 {
		v, n := binary.Uvarint(l)
		if n <= 0 {
			l = nil
			return 0
		}
		l = l[n:]
		return v
	}
	for len(l) > 0 {
		op := l[0]
		l = l[1:]
		switch op & 3 {
		case listEnd:
			if len(w.open) > 0 {
				w.leave()
			}
		case listBlock:
			w.enter(uint32(num()), 5)
			w.next = firstAbbrev
		default:
			if len(w.open) == 0 {
				continue
			}
			code, ops := num(), []uint64(nil)
			for n := num(); n > 0 && len(l) > 0; n-- {
				ops = append(ops, num())
			}
			if op&3 == listRec {
				w.record(uint32(code), ops...)
				continue
			}
			n := min(num(), uint64(len(l)))
			if w.next < 1<<w.width {
				w.blob(uint32(code), l[:n], ops...)
			}
			l = l[n:]
		}
	}
	for len(w.open) > 0 {
		w.leave()
	}
	return w.buf
}

// FuzzRead holds what any bytes must keep: the reader fails with an error or
// gives modules that can be verified and printed, within bounds of time and
// memory; what the verifier accepts is written, and reads as the same text.
// An input that does not begin as bitcode is taken for a listing.
func FuzzRead(f *testing.F) {
	fuzz(f, checkFile)
}

// FuzzSafe holds that no bytes make the reader, the verifier or the printer
// panic, hang or take more memory than is stated; FuzzRead asks for more.
func FuzzSafe(f *testing.F) {
	fuzz(f, func(t *testing.T, data []byte) {
		for _, m := range readBounded(t, data) {
			irverify.Module(m)
			irtext.AppendModule(nil, m)
		}
	})
}

// fuzz adds the seeds and runs check on what becomes of them.
func fuzz(f *testing.F, check func(*testing.T, []byte)) {
	add := func(b []byte) {
		f.Add(b)
		f.Add(list(f, b))
	}
	for _, s := range seeds(f) {
		add(s)
	}
	own, _ := filepath.Glob("testdata/*.ll")
	for _, p := range append(own, corpus(f)...) {
		src, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		m, err := irtext.Parse("seed", src, irtext.Options{})
		if err != nil {
			continue
		}
		if b, err := Append(nil, m, Options{}); err == nil && b[0] == 'B' {
			add(b)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > fuzzMax {
			return
		}
		late := time.AfterFunc(fuzzTime, func() { panic("an input takes too long") })
		defer late.Stop()
		if !IsBitcode(data) {
			data = assemble(data)
		}
		check(t, data)
	})
}

// readBounded reads a file and holds that to its bound of memory; nil for what is no file.
func readBounded(t *testing.T, data []byte) []*ir.Module {
	before := allocated()
	mods, err := ReadAll("fuzz", data, Options{Jobs: 1})
	if used := allocated() - before; used > memPerByte*uint64(len(data))+memBase {
		t.Fatalf("%d bytes took %d bytes of memory", len(data), used)
	}
	if err != nil {
		return nil
	}
	return mods
}

var emptySummary = regexp.MustCompile(`= gv: \((guid: \d+|name: "[^"]*")\)`)

// checkFile is FuzzRead's check of one input.
func checkFile(t *testing.T, data []byte) {
	for _, m := range readBounded(t, data) {
		valid := irverify.Module(m) == ""
		if s := m.Summary; s != nil && !s.Combined {
			s.Flags &= ir.SummarySplitLTOUnit | ir.SummaryUnifiedLTO // what LLVM writes of a module's
		}
		text := irtext.AppendModule(nil, m)
		if emptySummary.Match(text) || !bytes.Contains(text, []byte(" = gv: (")) {
			m.Summary = nil // a symbol without a summary is not written, nor what stands without symbols
			text = irtext.AppendModule(nil, m)
		}
		if !valid || m.DataLayout != irtext.UpgradeDataLayout(m.DataLayout, m.Triple) {
			continue // a triple behind the globals is too late for the layout's upgrade, in LLVM too
		}
		out, err := Append(nil, m, Options{})
		if err != nil && strings.Contains(err.Error(), "zero byte") {
			continue
		}
		if err != nil {
			t.Fatalf("not written: %v\n%s", err, text)
		}
		m2, err := Read("fuzz", out, Options{Jobs: 1})
		if err != nil {
			t.Fatalf("our own file is not read: %v\n%s", err, text)
		}
		if again := irtext.AppendModule(nil, m2); !bytes.Equal(again, text) {
			// A constant that nobody uses keeps the declaration of an upgraded
			// intrinsic, in LLVM too; neither is there the next time.
			same(t, "read, written and read", withoutUnused(m2, again), withoutUnused(m, text))
		}
	}
}

// withoutUnused prints a module, whose text is text, without the intrinsics that nothing there uses.
func withoutUnused(m *ir.Module, text []byte) []byte {
	for id, g := range m.Globals {
		if g != nil && g.IsDecl && strings.HasPrefix(g.Name, "llvm.") && m.Lookup(g.Name) != 0 &&
			bytes.Count(text, irtext.AppendName([]byte("@"), g.Name)) == 1 {
			m.RemoveGlobal(ir.GlobalID(id))
		}
	}
	return irtext.AppendModule(nil, m)
}

// allocated returns the bytes that were allocated since the program began.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// corpus returns small ones of LLVM's tests when this run is to find new inputs.
func corpus(tb testing.TB) (files []string) {
	if fl := flag.Lookup("test.fuzz"); fl == nil || fl.Value.String() == "" {
		return nil
	}
	suite := filepath.Join(filepath.Dir(testenv.Root(tb)), "shared", "tools", "suite.py")
	if s := os.Getenv("MIRIN_SHARED"); s != "" {
		suite = filepath.Join(s, "tools", "suite.py")
	}
	out, err := exec.Command("python3", suite).Output()
	if err != nil {
		return nil
	}
	for _, dir := range []string{"Assembler", "Bitcode"} {
		filepath.WalkDir(filepath.Join(strings.TrimSpace(string(out)), dir), func(p string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".ll") {
				if i, err := d.Info(); err == nil && i.Size() <= 4096 {
					files = append(files, p)
				}
			}
			return nil
		})
	}
	return files
}

// TestListing: a listing keeps what a file says.
func TestListing(t *testing.T) {
	for _, s := range seeds(t) {
		want, err := Read("x", s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read("x", assemble(list(t, s)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "listed", irtext.AppendModule(nil, got), irtext.AppendModule(nil, want))
	}
}
