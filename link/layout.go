package link

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// outSection is a section of the program. The file holds each at the offset
// that is its address.
type outSection struct {
	name       string
	typ        mc.SectionType
	flags      mc.SectionFlags
	addr, size uint64
	align      uint64
	entSize    uint64
	link       string  // the section that the header refers to
	ins        []int32 // sections of inputs, in order
	data       []byte  // of sections that the linker makes
	rank       uint8
}

// The order of output sections. A segment begins where the tens change; the
// dynamic loader makes those below rankData read-only when it is done.
const (
	rankInterp   = 0
	rankTables   = 1 // of the dynamic loader, in the order in which they are made
	rankReadOnly = 2
	rankFrames   = 3
	rankText     = 10
	rankTLS      = 20
	rankTLSZero  = 21
	rankArrays   = 22
	rankRelro    = 23
	rankDynamic  = 24
	rankData     = 30
	rankZero     = 31

	pageSize = 4096
	maxImage = 1 << 31
)

// prefixes are the sections that take in those with a further name behind a
// dot: .text.f goes into .text.
var prefixes = [...]string{".text", ".rodata", ".data.rel.ro", ".data", ".bss", ".tdata", ".tbss", ".gcc_except_table", ".ctors", ".dtors",
	".init_array", ".fini_array", ".ldata", ".lbss", ".lrodata"}

// outName is the name of the output section for an input section.
func outName(name string) string {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(name, p); ok && (rest == "" || rest[0] == '.') {
			return p
		}
	}
	return name
}

// rankOf gives the place of an input section, and its output section's name.
func rankOf(s *section) (uint8, string) {
	name, f := outName(s.src.Name), s.src.Flags
	switch {
	case f&mc.FlagTLS != 0 && s.src.Type == mc.SecNoBits:
		return rankTLSZero, ".tbss"
	case f&mc.FlagTLS != 0:
		return rankTLS, ".tdata"
	case f&mc.FlagExec != 0:
		return rankText, name
	case isArray(name):
		return rankArrays, name
	case f&mc.FlagWrite == 0 && !s.relro:
		if name == frameSection {
			return rankFrames, name
		}
		return rankReadOnly, name
	case s.relro || name == ".data.rel.ro":
		if f&mc.FlagWrite == 0 && name != frameSection {
			name = ".data.rel.ro"
		}
		return rankRelro, name
	case s.data == nil:
		return rankZero, ".bss"
	}
	return rankData, name
}

func isArray(name string) bool {
	return name == ".preinit_array" || name == ".init_array" || name == ".fini_array"
}

// priority is the number behind the name of a section of initialisation
// functions; those without one come last.
func priority(name string) int {
	rest := strings.TrimPrefix(strings.TrimPrefix(name, ".init_array"), ".fini_array")
	if n, err := strconv.Atoi(strings.TrimPrefix(rest, ".")); err == nil {
		return n
	}
	return 1 << 16
}

// made are the sections that the linker makes.
var made = [...]string{".interp", ".gnu.hash", ".dynsym", ".dynstr", ".gnu.version", ".gnu.version_r", ".rela.dyn", ".rela.plt",
	".eh_frame_hdr", ".plt", ".dynamic", ".got", ".got.plt"}

// maxAlign is the largest alignment of a section, in bytes.
const maxAlign = 1 << 20

// check refuses sections that the rest of the linker has no place for.
func (l *linker) check() error {
	total := uint64(0)
	for i := range l.secs {
		s := &l.secs[i]
		if s.dropped {
			continue
		}
		name, why := outName(s.src.Name), ""
		switch {
		case s.size >= maxImage || s.data != nil && s.size != uint64(len(s.data)):
			why = "its size is not supported"
		case s.align > maxAlign:
			why = "its alignment is not supported"
		case name == ".ctors" || name == ".dtors":
			why = "not supported, use .init_array"
		case slices.Contains(made[:], name):
			why = "the linker makes this section"
		case (name == frameSection || isArray(name)) && (s.src.Flags&(mc.FlagExec|mc.FlagTLS) != 0 || s.src.Type == mc.SecNoBits):
			why = "its flags are not supported"
		}
		if total += s.size; total >= maxImage && why == "" {
			why = "a program of 2 GiB or more is not supported"
		}
		if why != "" {
			return fmt.Errorf("%s: section %s: %s", l.objs[s.obj].name, s.src.Name, why)
		}
	}
	return nil
}

// layOut makes the output sections and gives everything an address.
func (l *linker) layOut() error {
	if err := l.makeTables(); err != nil {
		return err
	}
	if err := l.collect(); err != nil {
		return err
	}
	slices.SortStableFunc(l.outs, func(a, b outSection) int { return cmp.Compare(a.rank, b.rank) })
	l.place()
	if last := &l.outs[len(l.outs)-1]; last.addr+last.size >= maxImage {
		return fmt.Errorf("a program of 2 GiB or more is not supported")
	}
	l.img = make([]byte, l.fileSize())
	for i := range l.secs {
		if s := &l.secs[i]; s.out >= 0 && s.data != nil {
			copy(l.img[s.addr:], s.data)
		}
	}
	return nil
}

// collect sorts the inputs' sections into output sections.
func (l *linker) collect() error {
	type key struct {
		name string
		rank uint8
	}
	l.framesTogether()
	at := map[key]int{}
	for i := range l.secs {
		s := &l.secs[i]
		if s.dropped {
			continue
		}
		rank, name := rankOf(s)
		k, ok := at[key{name, rank}]
		if !ok {
			k = len(l.outs)
			at[key{name, rank}] = k
			l.outs = append(l.outs, outSection{name: name, typ: mc.SecNoBits, rank: rank, align: 1, entSize: uint64(s.src.EntSize)})
		}
		o := &l.outs[k]
		o.ins = append(o.ins, int32(i))
		o.flags |= s.src.Flags & (mc.FlagAlloc | mc.FlagWrite | mc.FlagExec | mc.FlagTLS)
		o.align = max(o.align, s.align)
		if rank == rankRelro {
			o.flags |= mc.FlagWrite
		}
		if rank != rankZero && rank != rankTLSZero {
			o.typ = mc.SecProgBits
			if isArray(name) || s.src.Type == mc.SecNote {
				o.typ = s.src.Type
			}
		}
	}
	for i := range l.outs {
		o := &l.outs[i]
		if isArray(o.name) {
			slices.SortStableFunc(o.ins, func(a, b int32) int {
				return cmp.Compare(priority(l.secs[a].src.Name), priority(l.secs[b].src.Name))
			})
		}
		if o.name == frameSection {
			o.size = 4 // the terminator
		}
	}
	return nil
}

// framesTogether makes all call frame information read-only or all RELRO: it
// is one table.
func (l *linker) framesTogether() {
	relro := false
	for i := range l.secs {
		relro = relro || l.secs[i].src.Name == frameSection && l.secs[i].relro
	}
	for i := range l.secs {
		if l.secs[i].src.Name == frameSection {
			l.secs[i].relro = relro
		}
	}
}

// place gives addresses.
func (l *linker) place() {
	var tls uint64
	for i := range l.outs {
		if o := &l.outs[i]; o.flags&mc.FlagTLS != 0 {
			tls = max(tls, o.align)
		}
	}
	at := uint64(ehdrSize + phdrSize*phdrCount)
	last := uint8(0)
	for i := range l.outs {
		o := &l.outs[i]
		if o.rank/10 != last/10 {
			at = alignUp(at, pageSize)
		}
		if o.flags&mc.FlagTLS != 0 && last != rankTLS && last != rankTLSZero {
			at = alignUp(at, tls)
		}
		last = o.rank
		at = alignUp(at, o.align)
		o.addr = at
		terminator := o.size
		end := at
		if len(o.ins) > 0 {
			for _, k := range o.ins {
				s := &l.secs[k]
				end = alignUp(end, s.align)
				s.addr, s.out = end, int32(i)
				end += s.size
			}
			o.size = end - at + terminator
		}
		if o.rank != rankTLSZero {
			at += o.size
		}
	}
}

func alignUp(v, align uint64) uint64 { return (v + align - 1) &^ (align - 1) }

// fileSize is where the bytes of the file end.
func (l *linker) fileSize() uint64 {
	n := uint64(0)
	for i := range l.outs {
		if o := &l.outs[i]; o.typ != mc.SecNoBits {
			n = max(n, o.addr+o.size)
		}
	}
	return n
}

// outNamed gives an output section, nil when it is not there.
func (l *linker) outNamed(name string) *outSection {
	for i := range l.outs {
		if l.outs[i].name == name {
			return &l.outs[i]
		}
	}
	return nil
}

// addrNamed is the address of an output section that is known to be there.
func (l *linker) addrNamed(name string) uint64 {
	if o := l.outNamed(name); o != nil {
		return o.addr
	}
	return 0
}

// address gives the address of a symbol in the program: of a library's
// function that of its stub, of a library's variable that of its copy.
func (l *linker) address(y *symbol) uint64 {
	switch {
	case y.sec >= 0:
		return l.secs[y.sec].addr + y.value
	case y.stub != 0:
		return l.addrNamed(".plt") + uint64(y.stub-1)*uint64(l.abi.Stub.Size)
	case y.state == absolute:
		return y.value
	case y.state == linkerDefined:
		return l.edgeAddress(y.edge)
	}
	return 0
}

// edgeAddress is the address of a symbol that the linker defines.
func (l *linker) edgeAddress(e edge) uint64 {
	if e.section == "" {
		if last := &l.outs[len(l.outs)-1]; e.end {
			return last.addr + last.size
		}
		return 0
	}
	// An identifier's section may be split by rank; it then spans all parts.
	var lo, hi uint64
	for i := range l.outs {
		if o := &l.outs[i]; o.name == e.section {
			if lo == 0 {
				lo = o.addr
			}
			hi = o.addr + o.size
		}
	}
	switch {
	case lo == 0:
		return l.fileSize()
	case e.end:
		return hi
	}
	return lo
}

// threadData is where the program's initial thread-local data lies.
func (l *linker) threadData() (start, end, align uint64) {
	for i := range l.outs {
		if o := &l.outs[i]; o.flags&mc.FlagTLS != 0 {
			if start == 0 {
				start = o.addr
			}
			end, align = o.addr+o.size, max(align, o.align)
		}
	}
	return start, end, align
}
