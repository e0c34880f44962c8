package driver_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// lister is a handler that lists, for each function, where every third of its
// instructions lies, and gives these lines of one of three files.
type lister struct {
	files []mc.LineFile
	order []string
}

type listed struct {
	l      *lister
	name   string
	labels []mc.Sym // the function's begin and end among them
}

func (l *lister) Begin(out target.AsmOutput) error {
	out.Streamer().DwarfFile(0, 0, mc.LineFile{Dir: "/d", Name: "zero.c"})
	return nil
}

func (l *lister) Fork(out target.AsmOutput) target.FuncHandler {
	return &half{lister: l, out: out}
}

type half struct {
	*lister
	out    target.AsmOutput
	fn     *target.AsmFunc
	labels []mc.Sym
	count  int
}

func (h *half) BeginFunc(fn *target.AsmFunc) error {
	h.fn, h.labels, h.count = fn, []mc.Sym{fn.Begin}, 0
	return nil
}

func (h *half) BeginInstr(mir.InstrID) {
	if h.count++; h.count%3 == 0 {
		s := h.out.NewLabel()
		h.out.Streamer().Label(s)
		h.labels = append(h.labels, s)
		n := h.out.Streamer().LineFile(0, &h.files[h.fn.Number*7%len(h.files)])
		h.out.Streamer().Loc(mc.LineLoc{File: n, Line: uint32(h.count), Flags: mc.LineFlags(h.count % 2)})
	}
}

func (h *half) EndInstr(mir.InstrID) {}

func (h *half) EndFunc(fn *target.AsmFunc) (target.FuncRecord, error) {
	return &listed{h.lister, fn.Name, append(h.labels, fn.End, fn.Sym)}, nil
}

func (r *listed) Symbols() []mc.Sym { return r.labels }

func (r *listed) Add(out target.AsmOutput) error {
	r.l.order = append(r.l.order, r.name)
	s := out.Streamer()
	s.SwitchSection(out.Streamer().Context().ELFSection(".list", mc.SecProgBits, 0, 0))
	for _, y := range r.labels {
		s.Value(s.Context().Ref(y, mc.ModNone), 8)
		s.ULEB128(s.Context().Diff(y, r.labels[0]))
	}
	return nil
}

func (l *lister) End(out target.AsmOutput) error {
	out.Streamer().SwitchSection(out.Streamer().Context().ELFSection(".list.end", mc.SecProgBits, 0, 0))
	out.Streamer().Bytes([]byte(strings.Join(l.order, " ")))
	return nil
}

// TestHandlers: what handlers hear, the labels that they put into the code and the
// lines that they give are the same for every number of workers.
func TestHandlers(t *testing.T) {
	src := program()
	for _, opt := range []target.OptLevel{0, 2} {
		var text, obj []byte
		for _, workers := range []int{1, 2, 7} {
			fresh := func() *lister {
				l := &lister{}
				for k := range 11 {
					l.files = append(l.files, mc.LineFile{Dir: "/d", Name: fmt.Sprintf("f%d.c", k*k%12)})
				}
				return l
			}
			j := job(t, src, workers, opt)
			j.Handlers = []target.AsmHandler{fresh()}
			got, _, errs := j.Assembly(driver.Shown{Verbose: true})
			j = job(t, src, workers, opt)
			l := fresh()
			j.Handlers = []target.AsmHandler{l}
			o, _, errs2 := j.Object()
			if len(errs)+len(errs2) > 0 {
				t.Fatal(errs, errs2)
			}
			if want := len(strings.Split(src, "define ")) - 1; len(l.order) != want {
				t.Errorf("%d functions were told of, there are %d", len(l.order), want)
			}
			file, err := elf.Append(nil, o)
			if err != nil {
				t.Fatal(err)
			}
			if workers == 1 {
				text, obj = got, file
				for _, s := range []string{"\t.file\t0 \"/d\" \"zero.c\"", "\t.file\t3 ", ".Ltmp20:", "is_stmt 0"} {
					if !bytes.Contains(text, []byte(s)) {
						t.Errorf("the text has no %q", s)
					}
				}
			}
			if !bytes.Equal(got, text) || !bytes.Equal(file, obj) {
				t.Errorf("-O%d: %d workers make another output than one", opt, workers)
			}
		}
	}
}
