package vm

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Options say what a program finds around it. The zero value, and nil, are a machine without
// kernel memory and kfuncs whose clock stands still.
type Options struct {
	// Steps is the number of instructions that a run may execute; 0 is 100 million.
	Steps int64
	// Strict holds every access to its size's alignment, as kernels on processors that need it do.
	Strict bool
	// Kernel is memory outside of the program's own: of the kernel and of processes.
	Kernel Memory
	// Symbol is the address of a kernel symbol that the program names (.ksyms), 0 for none.
	Symbol func(name string) uint64
	// Kconfig is what variables of .kconfig are; those that are missing are 0.
	Kconfig map[string][]byte
	// Time is the clock in nanoseconds, Random the source of numbers.
	Time   func() uint64
	Random func() uint32
	// Funcs are helpers and kfuncs by their names in C (bpf_redirect); they stand above those of this package.
	Funcs map[string]Func
	// Missing is called for helpers and kfuncs that are not there; nil makes their call a fault.
	Missing Func
	// Trace hears of calls of helpers and kfuncs that returned.
	Trace func(c *Call, result uint64)
	// Printk is given what bpf_trace_printk prints.
	Printk func(line string)
	// Output is given records of perf buffers and ring buffers.
	Output func(m *Map, record []byte)
	// MaxEntries bounds what maps can hold; 0 is as the object says. A map that says nothing has that many.
	MaxEntries uint32
}

// A Func is what a helper or kfunc does; its result goes to r0. An error is a fault of the program.
type Func func(c *Call) (uint64, error)

// Call is one call of a helper or kfunc.
type Call struct {
	Name  string
	Kfunc bool
	Args  [5]uint64
	m     *machine
}

// Bytes is memory that an argument points to, for reading.
func (c *Call) Bytes(addr uint64, n int) ([]byte, error) { return c.m.bytes(addr, n) }

// Write changes memory that an argument points to.
func (c *Call) Write(addr uint64, b []byte) error { return c.m.write(addr, b) }

// Place says in words where an address points: the name of its region and the offset, "" where there is none.
func (c *Call) Place(addr uint64) (name string, off int) {
	if r, off := c.m.c.find(addr); r != nil {
		return r.name, off
	}
	return "", 0
}

// Map is the map that an argument is; nil for none.
func (c *Call) Map(addr uint64) *Map { return c.m.c.mapAt(addr) }

// Callback runs a function of the program.
func (c *Call) Callback(fn uint64, args ...uint64) (uint64, error) { return c.m.callback(fn, args...) }

// ErrSteps is the end of a run that took more instructions than it may.
var ErrSteps = errors.New("the program ran longer than it may")

var errPacketEnd = errors.New("a load from behind the packet ends the program")

// A Fault is what a program did wrong.
type Fault struct {
	Func, Section string
	Insn          int    // the instruction, counted in slots of 8 bytes from the section's begin
	Line          string // file:line of the source, "" where it is not known
	Err           error
}

func (f *Fault) Error() string {
	at := fmt.Sprintf("%s+%d (section %s)", f.Func, f.Insn, f.Section)
	if f.Line != "" {
		at = f.Line + ": " + at
	}
	return at + ": " + f.Err.Error()
}

func (f *Fault) Unwrap() error { return f.Err }

// Collection is an object that was loaded. It is one machine: its programs run one at a time.
type Collection struct {
	opts  Options
	order byteOrder
	big   bool

	code     []insn
	sections []codeSection
	funcs    []function // by pc
	programs []*Program
	maps     []*Map
	byName   map[string]*Map
	kfuncs   []string
	lines    []lineRecord
	btf      *btfData

	regions  []region
	free     []int
	released []int
	codeID   int // the region of code addresses
	arena    *arena
	random   uint64
}

// codeSection is a section of code: instructions [first, first+n).
type codeSection struct {
	name     string
	first, n int
}

type function struct {
	name  string
	entry int
	end   int
}

// Program is a program of an object: a function in a section that says what it is for.
type Program struct {
	Name, Section string
	c             *Collection
	entry         int
	end           int
}

// Programs lists the programs in the object's order.
func (c *Collection) Programs() []*Program { return c.programs }

// Program is the program with a name; nil for none.
func (c *Collection) Program(name string) *Program {
	for _, p := range c.programs {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Maps lists the maps, those of variables (.data, .rodata, .bss) too.
func (c *Collection) Maps() []*Map { return c.maps }

// Map is the map with a name; nil for none.
func (c *Collection) Map(name string) *Map { return c.byName[name] }

// Input is what a program is run on.
type Input struct {
	// Context is the context structure as it lies in memory; programs may write to it. Where a
	// packet is given it may be nil: the structure is then made for the packet.
	Context []byte
	// Packet is the packet of programs of sockets, traffic control and XDP, with its Ethernet
	// header. What the program leaves is put here.
	Packet []byte
}

// Run runs a program and returns what it returned. Maps and variables keep what it wrote.
func (p *Program) Run(in *Input) (uint64, error) {
	if in == nil {
		in = &Input{}
	}
	c := p.c
	m := &machine{c: c, in: in, steps: c.opts.Steps, frames: make([]frame, maxFrames), reserved: map[uint64]*Map{}}
	if m.steps == 0 {
		m.steps = 100_000_000
	}
	m.open(p)
	defer m.close()
	if err := m.enter(-1); err != nil {
		return 0, err
	}
	m.regs[1] = addressOf(m.ctx, 0)
	ret, err := m.run(p.entry)
	if err == errPacketEnd {
		ret, err = 0, nil
	}
	if err == nil && len(m.reserved) > 0 {
		m.pc, err = p.entry, errors.New("a record of a ring buffer was neither submitted nor discarded")
	}
	if err != nil {
		if _, ok := err.(*Fault); ok {
			return 0, err
		}
		return 0, c.fault(m.pc, err)
	}
	if m.packet != nil {
		in.Packet = append([]byte(nil), m.packet.all()...)
	}
	return ret, nil
}

// close takes away what belongs to the run.
func (m *machine) close() {
	c := m.c
	for _, id := range m.stacks {
		c.release(id, true)
	}
	for addr := range m.reserved {
		c.release(int(addr>>32), true)
	}
	c.release(m.ctx, true)
	if m.packet != nil {
		c.release(m.packet.region, true)
	}
	c.reclaim()
}

// write changes memory.
func (m *machine) write(addr uint64, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if r, _ := m.c.find(addr); r == nil {
		if m.c.arena != nil && addr>>32 == 0 {
			if to := m.c.arena.page(uint32(addr), len(b), false); to != nil {
				copy(to, b)
				return nil
			}
		}
		if m.c.opts.Kernel != nil && addr >= 4096 && m.c.opts.Kernel.Write(addr, b) {
			return nil
		}
	}
	to, err := m.c.span(addr, len(b), true)
	copy(to, b)
	return err
}

// fault says where an error happened.
func (c *Collection) fault(pc int, err error) error {
	f := &Fault{Err: err}
	for _, s := range c.sections {
		if pc >= s.first && pc < s.first+s.n {
			f.Section, f.Insn = s.name, pc-s.first
		}
	}
	for _, fn := range c.funcs {
		if pc >= fn.entry && pc < fn.end {
			f.Func = fn.name
			k := sort.Search(len(c.lines), func(i int) bool { return c.lines[i].pc > pc }) - 1
			if k >= 0 && c.lines[k].pc >= fn.entry {
				f.Line = fmt.Sprintf("%s:%d", c.lines[k].file, c.lines[k].line)
			}
			f.Insn = pc - fn.entry
		}
	}
	return f
}

// codeAt is the instruction that the address of a function names.
func (c *Collection) codeAt(addr uint64) (int, bool) {
	off := int64(addr) - int64(addressOf(c.codeID, 0))
	if off < 0 || off%8 != 0 || off/8 >= int64(len(c.code)) {
		return 0, false
	}
	return int(off / 8), true
}

// jumpTarget is the instruction that a value of a jump table names: an offset in its section's bytes.
func (m *machine) jumpTarget(v uint64) (int, bool) {
	for _, s := range m.c.sections {
		if m.pc >= s.first && m.pc < s.first+s.n {
			return s.first + int(v/8), v%8 == 0 && v/8 < uint64(s.n)
		}
	}
	return 0, false
}

// mapAt is the map whose handle an address is.
func (c *Collection) mapAt(addr uint64) *Map {
	r, off := c.find(addr)
	if r == nil || off != 0 || r.object == nil || r.object.handle != addr {
		return nil
	}
	return r.object
}

// kind is what a section's name says about the context of its programs.
func kind(section string) contextKind {
	section = strings.TrimPrefix(section, "?")
	word, _, _ := strings.Cut(section, "/")
	word, _, _ = strings.Cut(word, ".")
	switch word {
	case "xdp", "xdp_devmap", "xdp_cpumap":
		return contextXDP
	case "tc", "classifier", "action", "tcx", "netkit", "lwt_in", "lwt_out", "lwt_xmit", "lwt_seg6local", "cgroup_skb", "sk_skb":
		return contextSKB
	case "socket":
		return contextSocket
	}
	return contextRaw
}
