package x86

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/globalisel"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// compileModule runs passes over each function and hands it to done.
func compileModule(t *testing.T, name string, src []byte, o target.Options, passes []*pass.Pass, done func(f *mir.Function, st *target.Subtarget, err error)) {
	t.Helper()
	mod, err := irtext.Parse(name, src, irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o.Triple = "x86_64-unknown-linux-gnu"
	m, err := target.NewMachine(&Target, o)
	if err != nil {
		t.Fatal(err)
	}
	r := &pass.Runner{Passes: passes}
	c := &pass.Context{Machine: m, Module: mod}
	f := mir.NewFunction("", m.Facts)
	for _, id := range mod.Funcs {
		g := mod.Globals[id]
		if g.Func == nil {
			continue
		}
		f.Reset(g.Name)
		f.Module, f.IR = mod, g.Func
		c.Opt = o.Opt
		if c.Subtarget, err = m.Subtarget(g, mod); err != nil {
			t.Fatal(err)
		}
		done(f, c.Subtarget, r.Run(c, f, &pass.Log{}))
	}
}

// dumpFunc writes a function without names, for the eye.
func dumpFunc(b []byte, f *mir.Function) []byte {
	b = append(b, f.Name+":\n"...)
	for blk := f.FirstBlock(); blk != 0; blk = f.NextBlock(blk) {
		b = append(b, "  bb."...)
		b = append(b, []byte(itoa(int(f.Block(blk).Number)))...)
		b = append(b, " →"...)
		for _, s := range f.Succs(blk) {
			b = append(b, " "+itoa(int(f.Block(s.Block).Number))...)
		}
		b = append(b, '\n')
		for i := f.Block(blk).First(); i != 0; i = f.Instr(i).Next() {
			b = append(globalisel.AppendInstr(append(b, "    "...), f, i), '\n')
		}
	}
	return b
}

func itoa(n int) string {
	var b [20]byte
	i := len(b)
	neg := n < 0
	if neg {
		n = -n
	}
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			break
		}
	}
	if neg {
		i--
		b[i] = '-'
	}
	return string(b[i:])
}

// TestPrograms takes the ready-made modules through instruction selection and
// reports what is not supported, by reason. MIRIN_DUMP shows the code of one file.
func TestPrograms(t *testing.T) {
	passes := []*pass.Pass{&globalisel.IRTranslator, &globalisel.Legalizer, &globalisel.RegBankSelect, &globalisel.InstructionSelect}
	if f := os.Getenv("MIRIN_DUMP"); f != "" {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		compileModule(t, f, src, target.Options{}, passes, func(f *mir.Function, st *target.Subtarget, err error) {
			t.Logf("%s\nerror: %v", dumpFunc(nil, f), err)
		})
		return
	}
	dir := testenv.Shared(t, "programs", "ll")
	files, err := filepath.Glob(filepath.Join(dir, "*.ll"))
	if err != nil {
		t.Fatal(err)
	}
	ok, all, reasons := 0, 0, map[string]int{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o := target.Options{}
		if strings.Contains(file, ".O2.") {
			o.Opt = 2
		}
		compileModule(t, file, src, o, passes, func(f *mir.Function, st *target.Subtarget, err error) {
			all++
			if err == nil {
				ok++
				return
			}
			if _, is := err.(*pass.InternalError); is {
				t.Errorf("%s: %v\n%s", filepath.Base(file), err, err.(*pass.InternalError).Stack)
			}
			s := err.Error()
			if k := strings.Index(s, ": in function "); k >= 0 {
				s = s[k+14:]
				s = s[strings.Index(s, ":")+1:]
			}
			reasons[s]++
		})
	}
	var rs []string
	for r := range reasons {
		rs = append(rs, itoa(reasons[r])+" ×"+r)
	}
	sort.Strings(rs)
	t.Logf("%d of %d functions", ok, all)
	if ok != all {
		t.Errorf("not supported:\n%s", strings.Join(rs, "\n"))
	}
}
