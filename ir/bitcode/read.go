package bitcode

import (
	"encoding/binary"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mirin-go/mirin/ir"
)

// Options control Read and Append.
type Options struct {
	// Jobs is the number of workers that decode function bodies; 0 means one for each processor.
	Jobs int
	// ExpandConstExprs makes instructions of all constant expressions that bodies use, for tests.
	ExpandConstExprs bool
	// Warn is told what LLVM warns about when it reads, when it is not nil.
	Warn func(string)
	// ModuleHash makes Append write a hash of the module.
	ModuleHash bool
	// UseLists makes Append write the orders of uses that the module's text gave.
	UseLists bool
	// IndexThreshold is the number of metadata nodes above which Append writes
	// an index of them, LLVM's default for 0; negative: always.
	IndexThreshold int
	// FlushThreshold is accepted for the sake of its flag.
	FlushThreshold int
}

// DefaultIndexThreshold is LLVM's IndexThreshold.
const DefaultIndexThreshold = 25

// IsBitcode reports whether data begins as bitcode does, with or without the
// wrapper header.
func IsBitcode(data []byte) bool {
	if len(data) < 4 {
		return false
	}
	return data[0] == 'B' && data[1] == 'C' && data[2] == 0xC0 && data[3] == 0xDE || binary.LittleEndian.Uint32(data) == wrapperMagic
}

// Read reads the module of a bitcode file. name is the file's name for
// messages and the module's name. Errors have
// LLVM's texts and no place.
func Read(name string, data []byte, o Options) (*ir.Module, error) {
	mods, err := ReadAll(name, data, o)
	if err != nil {
		return nil, err
	}
	if len(mods) != 1 {
		return nil, fault("Expected a single module")
	}
	return mods[0], nil
}

// ReadAll reads all modules of a bitcode file, of which llvm-cat and the
// linker's LTO write several.
func ReadAll(name string, data []byte, o Options) ([]*ir.Module, error) {
	data, err := unwrap(data)
	if err != nil {
		return nil, fault(err.Error())
	}
	parts, err := contents(data)
	if err != nil {
		return nil, fault(err.Error())
	}
	var mods []*ir.Module
	for i := range parts {
		m, err := readModule(name, data, &parts[i], o)
		if err != nil {
			return nil, fault(err.Error())
		}
		mods = append(mods, m)
	}
	return mods, nil
}

// fault is an error without a place: LLVM's tools put their own name before it.
func fault(msg string) error { return errorText(msg) }

// unwrap takes off the wrapper header that Darwin's tools put before bitcode.
func unwrap(data []byte) ([]byte, error) {
	if len(data) < 4 {
		return nil, errorText("file too small to contain bitcode header")
	}
	if binary.LittleEndian.Uint32(data) == wrapperMagic {
		if len(data) < wrapperHeaderBytes {
			return nil, errorText("Invalid bitcode wrapper header")
		}
		off, size := uint64(binary.LittleEndian.Uint32(data[8:])), uint64(binary.LittleEndian.Uint32(data[12:]))
		if off+size > uint64(len(data)) {
			return nil, errorText("Invalid bitcode wrapper header")
		}
		data = data[off : off+size]
	}
	if len(data)%4 != 0 {
		return nil, errorText("Invalid bitcode signature")
	}
	if len(data) < 4 || !IsBitcode(data) || data[0] != 'B' {
		return nil, errorText("file doesn't start with bitcode header")
	}
	return data, nil
}

// part is one module of a file.
type part struct {
	// base and end are the bytes of the file that LLVM takes the module from; the
	// places below count from base, and so do alignments.
	base, end uint64
	ident     uint64 // bit where its identification block begins, behind the block's id; 0: none
	module    uint64 // the same of its module block
	strtab    []byte
	hasTab    bool
}

// contents finds the modules of a file and their string tables.
func contents(data []byte) ([]part, error) {
	c := newCursor(data)
	c.pos = 32
	var parts []part
	ident := uint64(0)
	for c.err == nil && c.pos/8*8+64 < c.end { // less than that is garbage that ar leaves
		base := c.pos / 8
		e, id := c.next()
		if e == entryRecord {
			c.record(id) // means nothing here
			continue
		}
		if e != entryBlock {
			if c.err == nil {
				c.fail("Malformed block")
			}
			break
		}
		at := c.pos
		switch id {
		case blkIdentification:
			ident = at
			if !c.skip() {
				break
			}
			// The module must follow.
			e, id := c.next()
			if e != entryBlock || id != blkModule {
				c.fail("Malformed block")
				break
			}
			at = c.pos
			fallthrough
		case blkModule:
			c.skip()
			p := part{base: base, end: c.pos / 8, module: at - base*8}
			if ident != 0 {
				p.ident = ident - base*8
			}
			parts = append(parts, p)
			ident = 0
		case blkStrtab:
			tab := readBlob(&c, id)
			for i := len(parts) - 1; i >= 0 && !parts[i].hasTab; i-- {
				parts[i].strtab, parts[i].hasTab = tab, true
			}
		case blkSymtab:
			readBlob(&c, id)
		default:
			c.skip()
		}
	}
	return parts, c.err
}

// readBlob reads a block that holds one blob.
func readBlob(c *cursor, id uint32) (blob []byte) {
	if !c.enter(id) {
		return nil
	}
	for c.err == nil {
		switch e, id := c.next(); e {
		case entryErr:
			c.fail("Malformed block")
		case entryEnd:
			return blob
		case entryBlock:
			c.skip()
		case entryRecord:
			if c.record(id) == strtabBlob {
				blob = c.blob
			}
		}
	}
	return nil
}

// identification reads the producer's name and checks the epoch.
func (r *reader) identification() {
	if !r.enter(blkIdentification) {
		return
	}
	for r.err == nil {
		switch e, id := r.next(); e {
		case entryErr:
			r.fail("Malformed block")
		case entryEnd:
			return
		case entryBlock:
			r.skip()
		case entryRecord:
			switch r.record(id) {
			case identString:
				r.producer = text(r.rec, 0)
			case identEpoch:
				if len(r.rec) > 0 && r.rec[0] != currentEpoch {
					r.fail("Incompatible epoch: Bitcode '%d' vs current: '%d'", r.rec[0], currentEpoch)
				}
			}
		}
	}
}

// readModule reads one module.
func readModule(name string, data []byte, p *part, o Options) (*ir.Module, error) {
	r := &reader{cursor: newCursor(data[p.base:p.end]), name: name, strtab: p.strtab, o: o}
	r.m = ir.NewModule(name)
	r.t = r.m.Types
	if p.ident != 0 {
		r.pos = p.ident
		r.identification()
		r.width = 2
	}
	if r.err == nil {
		r.pos = p.module
		r.module()
	}
	r.summary()
	if r.err == nil && r.missing != "" && len(r.bodies) == 0 {
		r.fail("%s", r.missing)
	}
	if r.err == nil {
		r.readBodies(o.Jobs)
	}
	if r.err == nil && r.missing != "" {
		r.fail("%s", r.missing)
	}
	if r.err == nil {
		r.finish()
	}
	if r.err != nil {
		msg := r.err.Error()
		if _, plain := r.err.(bareText); r.producer != "" && !plain && !bare(msg) {
			msg += " (Producer: '" + r.producer + "' Reader: 'LLVM " + readerVersion + "')"
		}
		return nil, errorText(msg)
	}
	return r.m, nil
}

// bare reports the messages that LLVM gives without the names of producer and reader.
func bare(msg string) bool {
	return msg == "Assigned value does not match type of forward declaration" || strings.HasPrefix(msg, "stack natural alignment")
}

// readerVersion is the release whose format this package reads.
const readerVersion = "22.1 (Mirin)"

// readBodies decodes the function bodies with several workers.
func (r *reader) readBodies(jobs int) {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	size := uint64(0)
	for i := range r.bodies {
		size += r.bodies[i].bits / 8
	}
	jobs = min(jobs, len(r.bodies), 1+int(size/16384))
	if r.typed {
		jobs = min(jobs, 1) // bodies add to the type table
	}
	var next atomic.Int64
	var failed atomic.Bool
	run := func() {
		w := newBodyReader(r)
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= len(r.bodies) {
				return
			}
			b := &r.bodies[i]
			if w.read(b); b.err != nil {
				failed.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range jobs - 1 {
		wg.Go(run)
	}
	if jobs > 0 {
		run()
	}
	wg.Wait()
	for i := range r.bodies {
		if err := r.bodies[i].err; err != nil {
			r.err = err
			return
		}
	}
}
