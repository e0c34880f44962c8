package irtext

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/autoupgrade"
)

// Deferred is a module that was read but for the bodies of its functions. They
// are read when their turn comes, by several readers at the same time, each
// into memory that it uses again: a module is then as large as its top level,
// however long its functions are.
//
// Only modules without faults can be read in this way, and only those where
// nothing that a body says changes another body or the top level. Whoever is
// refused reads the module with ParseString, which words the faults.
type Deferred struct {
	Module *ir.Module

	sh *shared
	// mu is held while a body adds to the module; strings are those that bodies added.
	mu      sync.Mutex
	strings map[string]ir.MDID
	refused atomic.Bool
	none    ir.Function
}

// ParseDeferred reads the top level of a module; nil is a refusal. Functions
// that are defined have an empty body until a reader reads it.
func ParseDeferred(name, src string, opts Options) *Deferred {
	if len(src) > maxSource || opts.AllowIncomplete || namesBlocks(src) {
		return nil
	}
	opts.deferred = true
	top := readTop(name, src, opts)
	sh, m := top.shared, top.m
	switch {
	case top.err != nil || top.late != nil || top.endOfModule() != nil:
		return nil
	case len(sh.summaries) > 0 || top.sawUseList || hasDebugInfo(m):
		return nil
	}
	sh.resolveForwardGlobals()
	sh.resolveGroups()
	sh.uniqueMetadata()
	if !autoupgrade.WithoutBodies(m) {
		return nil
	}
	d := &Deferred{Module: m, sh: sh, strings: map[string]ir.MDID{}}
	sh.deferred = d
	d.none.Module = m
	for _, b := range sh.bodies {
		m.Globals[b.g].Func = &d.none
	}
	return d
}

// namesBlocks reports text with blockaddress in it. Of its letters k is the one
// that text has least of: to search for it is to read the text at the memory's
// speed, and all of the text must be read before the first body is.
func namesBlocks(src string) bool {
	const word = "blockaddress"
	at := strings.IndexByte(word, 'k')
	for i := 0; ; i++ {
		n := strings.IndexByte(src[i:], word[at])
		if n < 0 {
			return false
		}
		if i += n; i >= at && strings.HasPrefix(src[i-at:], word) {
			return true
		}
	}
}

// addString adds the metadata of a body to the module, under mu. Strings are
// all that bodies without debug information write in place but for rarities,
// which are refused: values would need the module's constants, which others read.
func (d *Deferred) addString(n *ir.MDNode) ir.MDID {
	if n.Kind != ir.MDString {
		d.refused.Store(true)
		return 0
	}
	id := d.strings[n.Str]
	if id == 0 {
		id = d.Module.MD.Add(n)
		d.strings[n.Str] = id
	}
	return id
}

func hasDebugInfo(m *ir.Module) bool {
	for _, n := range m.NamedMD {
		if strings.HasPrefix(n.Name, "llvm.dbg.") {
			return true
		}
	}
	for _, g := range m.Globals[1:] {
		for _, a := range g.MD {
			if m.MDKinds()[a.Kind] == "dbg" {
				return true
			}
		}
	}
	return false
}

// Length returns the length of a function's text in bytes.
func (d *Deferred) Length(id ir.GlobalID) int {
	b := d.sh.bodyOf[id]
	return b.end - b.start
}

// BodyReader reads bodies, one at a time. It is for one goroutine.
type BodyReader struct {
	d *Deferred
	p *parser
}

// NewReader returns a reader of the module's bodies.
func (d *Deferred) NewReader() *BodyReader {
	return &BodyReader{d: d, p: &parser{shared: d.sh, worker: newWorker()}}
}

// Read reads the body of a function that is defined. It stands in the reader's
// memory, until the next one is read. nil is a refusal: the module is of no use then.
func (r *BodyReader) Read(id ir.GlobalID) *ir.Function {
	b := r.d.sh.bodyOf[id]
	r.p.functionBody(b)
	f := b.fn
	if b.err != nil || f == nil || len(b.implicit) > 0 || r.p.sawDebug || r.p.sawUseList || r.p.tok != tEOF {
		return nil
	}
	if b.fix.any() {
		r.d.mu.Lock()
		r.d.sh.finishBody(b)
		r.d.mu.Unlock()
	}
	b.fn, b.w, b.fix = nil, nil, bodyFixups{}
	if r.d.refused.Load() {
		return nil
	}
	return f
}
