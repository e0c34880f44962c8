package asmprinter

import (
	"slices"
	"sync"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/target"
)

// Chunk is the finished code of one function, printed away from the output by a
// printer of Fork's and added to it by Join.
type Chunk struct {
	out mc.Streamer
	// What End must write words for, in the order of first mention.
	personalities, typeInfos []ir.GlobalID
	records                  []target.FuncRecord
}

// subtargets gives every printer of an output the same row for a subtarget:
// streamers tell rows apart by their address.
type subtargets struct {
	mu   sync.Mutex
	rows map[*target.Subtarget]*mc.Subtarget
}

func (s *subtargets) of(st *target.Subtarget) *mc.Subtarget {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.rows[st]
	if row == nil {
		row = &mc.Subtarget{Info: st.Facts, CPU: st.CPU, Features: st.FeatureBits()}
		s.rows[st] = row
	}
	return row
}

// Fork returns a printer for one worker. Each function is cut from its streamer.
func (p *Printer) Fork() *Printer {
	w := New(p.M, p.Mod, p.Out.Fork(), p.Hooks)
	w.Verbose, w.subs, w.chunked, w.handlers = p.Verbose, p.subs, true, p.handlers
	for _, h := range p.handlers {
		w.hearers = append(w.hearers, h.Fork(asmOutput{w}))
	}
	return w
}

// InOrder reports a function that must be printed straight to the output, after
// those before it: the labels of blocks whose address is taken are numbered by
// their first mention anywhere, and assembly is counted, and may refer to what came before it.
func (p *Printer) InOrder(f *mir.Function) bool {
	if len(f.BlockAddrs) > 0 || hasAsm(f) || len(p.taken.Blocks(p.Mod, f.IR.ID)) > 0 {
		return true
	}
	for _, h := range p.handlers {
		if o, ok := h.(target.InOrderHandler); ok && o.InOrder(f) {
			return true
		}
	}
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		if f.Block(b).AddrTakenIR != 0 {
			return true
		}
	}
	return false
}

// Chunk prints function number n of the output.
func (p *Printer) Chunk(n int, f *mir.Function, st *target.Subtarget) (*Chunk, error) {
	p.symEpoch++
	p.personalities, p.references = p.personalities[:0], p.references[:0]
	p.typeInfos, p.typeStubs = p.typeInfos[:0], p.typeStubs[:0]
	clear(p.stubOf)
	err := p.printFunc(n, f, st)
	records := slices.Clone(p.records)
	return &Chunk{p.Out.Cut(symbols(records)...), slices.Clone(p.personalities), slices.Clone(p.typeInfos), records}, err
}

// Join adds a chunk to the output; chunks come in the order of their numbers.
func (p *Printer) Join(c *Chunk) error {
	err := p.Out.Join(c.out, symbols(c.records)...)
	for _, id := range c.personalities {
		p.reference(id)
	}
	for _, id := range c.typeInfos {
		p.typeStub(id)
	}
	if err == nil {
		err = p.addRecords(c.records)
	}
	return err
}
