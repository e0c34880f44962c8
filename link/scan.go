package link

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

// slotKind is what a word of the global offset table holds.
type slotKind uint8

const (
	slotAddress slotKind = iota
	slotTPOff            // the distance from the thread pointer
	slotModule           // the module's number for __tls_get_addr; slotDTPOff follows
	slotDTPOff
)

// slot is a word of the global offset table.
type slot struct {
	kind slotKind
	sym  symID // 0: the program's own module
}

// tables are what relocations asked for.
type tables struct {
	got     []slot
	stubs   []symID
	ldSlot  int32 // of TLSLD, +1
	relas   int   // number of rows of .rela.dyn
	needGOT bool
	copies  []symID // a symbol for each variable that is copied
}

// scan asks every relocation what it needs.
func (l *linker) scan() error {
	for i := range l.secs {
		s := &l.secs[i]
		if s.dropped || s.data == nil {
			continue
		}
		for k := range s.relocs {
			if err := l.scanReloc(s, &s.relocs[k]); err != nil {
				return err
			}
			s = &l.secs[i] // the slice may have grown
		}
	}
	return nil
}

// symOf gives the symbol of a relocation.
func (l *linker) symOf(s *section, r *mc.Reloc) (symID, error) {
	syms := l.objs[s.obj].syms
	if r.Symbol < 0 {
		return 0, nil
	}
	if int(r.Symbol) >= len(syms) {
		return 0, l.wrong(s, r, "refers to a symbol that is not there")
	}
	return syms[r.Symbol], nil
}

// wrong makes the error of a relocation.
func (l *linker) wrong(s *section, r *mc.Reloc, what string) error {
	name := ""
	if syms := l.objs[s.obj].syms; r.Symbol >= 0 && int(r.Symbol) < len(syms) {
		y := &l.syms[syms[r.Symbol]]
		name = y.name
		if name == "" && y.sec >= 0 {
			name = l.secs[y.sec].src.Name
		}
	}
	typ := fmt.Sprintf("type %d", r.Type)
	if info, ok := l.abi.Reloc(r.Type); ok {
		typ = l.abi.RelocPrefix + info.Name
	}
	return fmt.Errorf("%s: section %s+%#x: relocation %s against %s %s", l.objs[s.obj].name, s.src.Name, r.Offset, typ, name, what)
}

// picHint ends errors of code that has absolute addresses.
const picHint = ": compile with -relocation-model=pic"

func (l *linker) scanReloc(s *section, r *mc.Reloc) error {
	info, ok := l.abi.Reloc(r.Type)
	if !ok {
		return l.wrong(s, r, "is not supported")
	}
	if r.Offset+uint64(info.Bytes) > uint64(len(s.data)) {
		return l.wrong(s, r, "lies outside of the section")
	}
	id, err := l.symOf(s, r)
	if err != nil {
		return err
	}
	y := &l.syms[id]
	if y.sec >= 0 && l.secs[y.sec].dropped && info.Form != objabi.None {
		if strings.HasPrefix(s.src.Name, ".gcc_except_table") {
			return nil
		}
		return l.wrong(s, r, "refers to a section that was dropped")
	}
	thread := y.sec >= 0 && l.secs[y.sec].src.Flags&mc.FlagTLS != 0
	switch info.Form {
	case objabi.Abs:
		return l.scanAbs(s, r, y, &info)
	case objabi.PC, objabi.GOTOffset:
		return l.scanDirect(s, r, id)
	case objabi.Call:
		if y.state == library || y.state == zero {
			l.needStub(id)
		} else if y.fixed() {
			return l.wrong(s, r, "calls an absolute address: not supported")
		}
	case objabi.GOTEntry:
		if !l.relaxes(s, r, y, &info) {
			l.needSlot(id, &y.got, slotAddress)
		}
	case objabi.GOTBase:
		l.tables.needGOT = true
	case objabi.TPOff, objabi.DTPOff:
		if !thread {
			return l.wrong(s, r, "wants a thread-local variable of this program"+picHint)
		}
	case objabi.GOTTPOff:
		if !thread && y.state != library {
			return l.wrong(s, r, "wants a thread-local variable")
		}
		l.needSlot(id, &y.gotTP, slotTPOff)
	case objabi.TLSGD:
		if !thread && y.state != library {
			return l.wrong(s, r, "wants a thread-local variable")
		}
		l.needSlot(id, &y.gotGD, slotModule)
	case objabi.TLSLD:
		if l.tables.ldSlot == 0 {
			l.tables.got = append(l.tables.got, slot{kind: slotModule}, slot{kind: slotDTPOff})
			l.tables.ldSlot = int32(len(l.tables.got) - 1)
			l.tables.relas++
		}
	}
	return nil
}

// fixed reports an address that does not move with the program.
func (y *symbol) fixed() bool { return y.state == absolute || y.state == zero }

// scanAbs is an absolute address in data.
func (l *linker) scanAbs(s *section, r *mc.Reloc, y *symbol, info *objabi.Reloc) error {
	switch {
	case y.fixed() || r.Symbol < 0:
		return nil
	case y.typ == mc.TypeTLS:
		return l.wrong(s, r, "is the address of a thread-local variable")
	case info.Bytes != 8:
		return l.wrong(s, r, "does not hold an address of a position-independent executable"+picHint)
	case s.src.Flags&mc.FlagExec != 0:
		return l.wrong(s, r, "would have to be written into code"+picHint)
	}
	if s.src.Flags&mc.FlagWrite == 0 {
		s.relro = true
	}
	if y.state == library {
		y.wanted = true
	}
	l.tables.relas++
	return nil
}

// scanDirect is a reference that reaches its symbol without a table.
func (l *linker) scanDirect(s *section, r *mc.Reloc, id symID) error {
	y := &l.syms[id]
	switch {
	case id == 0 || y.fixed():
		return l.wrong(s, r, "is relative to this program, its symbol is not"+picHint)
	case y.typ == mc.TypeTLS:
		return l.wrong(s, r, "is the address of a thread-local variable")
	case y.state != library:
		return nil
	case y.lib.lib.symType(y.lib.index) == mc.TypeObject:
		return l.copyVariable(s, r, id)
	}
	l.needStub(id)
	if !l.abi.Stub.IsBranch(s.data, r.Offset) {
		y.canonical = true
	}
	return nil
}

// relaxes reports whether an instruction reaches its symbol without the table.
func (l *linker) relaxes(s *section, r *mc.Reloc, y *symbol, info *objabi.Reloc) bool {
	return info.Relaxable && l.abi.Stub.CanRelax != nil && (y.state == defined || y.state == linkerDefined) && y.typ != mc.TypeTLS &&
		l.abi.Stub.CanRelax(s.data, r.Offset, r.Addend)
}

// needStub gives a symbol a stub, and a word of .got.plt.
func (l *linker) needStub(id symID) {
	y := &l.syms[id]
	if y.stub != 0 {
		return
	}
	l.tables.stubs = append(l.tables.stubs, id)
	y.stub = int32(len(l.tables.stubs))
	y.wanted = y.state == library
}

// needSlot gives a symbol a word of the global offset table; at is where its
// number is kept.
func (l *linker) needSlot(id symID, at *int32, kind slotKind) {
	if *at != 0 {
		return
	}
	t := &l.tables
	t.got = append(t.got, slot{kind, id})
	*at = int32(len(t.got))
	y := &l.syms[id]
	foreign := y.state == library
	switch kind {
	case slotAddress:
		if foreign || !y.fixed() {
			t.relas++
		}
	case slotTPOff:
		if foreign {
			t.relas++
		}
	case slotModule:
		t.got = append(t.got, slot{slotDTPOff, id})
		t.relas++
		if foreign {
			t.relas++
		}
	}
	y.wanted = y.wanted || foreign
}

// copyVariable makes a place in the program for a library's variable, which all
// will then use.
func (l *linker) copyVariable(s *section, r *mc.Reloc, id symID) error {
	y := &l.syms[id]
	if y.copied {
		return nil
	}
	lib, addr := y.lib.lib, y.lib.lib.symValue(y.lib.index)
	size := lib.symSize(y.lib.index)
	if size == 0 {
		return l.wrong(s, r, "needs a copy of a library's variable of unknown size"+picHint)
	}
	align := uint64(64)
	for addr%align != 0 {
		align /= 2
	}
	place := l.zeros(s.obj, size, align)
	l.tables.copies = append(l.tables.copies, id)
	l.tables.relas++
	lib.sameAddress(addr, func(name string, index uint32) {
		alias := l.lookup(name)
		if a := &l.syms[alias]; a.state == library || a.state == undefined {
			a.state, a.typ, a.lib, a.sec, a.value, a.size = library, mc.TypeObject, &linkLib{lib, index}, place, 0, size
			a.copied, a.wanted = true, true
		}
	})
	if !l.syms[id].copied {
		return l.wrong(s, r, "needs a copy of a library's variable that cannot be found")
	}
	return nil
}
