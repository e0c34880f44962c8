package interp

import (
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// libFn executes one function of the C library.
type libFn func(c *libCall) error

// libCall is a call of a library function: its arguments, and where the result goes.
type libCall struct {
	vm    *Interp
	name  string
	args  [][]reg
	types []ir.Type // nil when called through a pointer by the library itself
	buf   []reg     // holds the registers of args
	out   []reg
	res   ir.Type
	err   error // first fault of the argument readers
}

// reg returns argument i, undefined ones as a fault.
func (c *libCall) reg(i int) reg {
	if i >= len(c.args) || len(c.args[i]) == 0 {
		c.fail(ub("missing argument", "argument %d of %s", i+1, c.name))
		return reg{}
	}
	r := c.args[i][0]
	if r.u != 0 {
		if r.poison() || !c.vm.o.Lenient.UndefArgs {
			c.fail(ub("undef or poison argument", "argument %d of %s", i+1, c.name))
		}
		r = reg{v: r.v, p: r.p}
	}
	return r
}

func (c *libCall) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *libCall) u64(i int) uint64 { return c.reg(i).v }

// size is an argument of type size_t.
func (c *libCall) size(i int) uint64 { return c.reg(i).v & c.vm.ptrMask }
func (c *libCall) int(i int) int32   { return int32(c.reg(i).v) }
func (c *libCall) i64(i int) int64   { return int64(c.reg(i).v) }

// long is an argument of type long, as wide as a pointer.
func (c *libCall) long(i int) int64 { return signed(c.reg(i).v&c.vm.ptrMask, uint32(c.vm.ptrBytes*8)) }

// ret sets the result of an integer or floating-point type, cut to its width.
func (c *libCall) ret(v uint64) error {
	if len(c.out) > 0 {
		if w := uint32(c.vm.t.IntBits(c.res)); w > 0 && w < 64 {
			v &= mask(w)
		}
		c.out[0] = def(v)
	}
	return c.err
}

func (c *libCall) retInt(v int) error { return c.ret(uint64(int64(v))) }

func (c *libCall) retPtr(p reg) error {
	if len(c.out) > 0 {
		c.out[0] = p
	}
	return c.err
}

// bytes returns n bytes at argument i, for reading or writing. Undefined bytes
// that are read are a fault.
func (c *libCall) bytes(i int, n uint64, write bool) []byte {
	p := c.reg(i)
	if c.err != nil || n == 0 {
		return nil
	}
	b, o, off, err := c.vm.bytesAt(p, n, write)
	if err != nil {
		c.fail(err)
		return nil
	}
	if write {
		o.setDefined(off, n, c.vm.prvShift)
	} else {
		c.defined(o, off, n)
	}
	return b
}

func (c *libCall) defined(o *object, off, n uint64) {
	if o.sh == nil || c.vm.o.Lenient.UndefArgs {
		return
	}
	for k, x := range o.sh[off : off+n] {
		if x != 0 {
			c.fail(ub("read of undefined memory", "%s reads byte %d of a %s", c.name, off+uint64(k), c.vm.describe(o)))
			return
		}
	}
}

// str returns the string at argument i without its end.
func (c *libCall) str(i int) []byte {
	p := c.reg(i)
	if c.err != nil {
		return nil
	}
	b, err := c.vm.cstring(p, ^uint64(0), c.name)
	if err != nil {
		c.fail(err)
	}
	return b
}

// cstring returns the bytes of a string up to its end, or limit bytes.
func (vm *Interp) cstring(p reg, limit uint64, who string) ([]byte, error) {
	if limit == 0 {
		return nil, nil
	}
	o, off, err := vm.access(p, 1, 1, false)
	if err != nil {
		return nil, err
	}
	d := o.data[off:]
	for k := range d {
		if uint64(k) == limit {
			return d[:k], nil
		}
		if o.sh != nil && o.sh[off+uint64(k)] != 0 && !vm.o.Lenient.UndefArgs {
			return nil, ub("read of undefined memory", "%s reads byte %d of a %s", who, off+uint64(k), vm.describe(o))
		}
		if d[k] == 0 {
			return d[:k], nil
		}
	}
	if limit == uint64(len(d)) {
		return d, nil
	}
	return nil, ub("out of bounds", "%s reads past a %s", who, vm.describe(o))
}

// write stores bytes at p.
func (vm *Interp) write(p reg, b []byte) error {
	d, o, off, err := vm.bytesAt(p, uint64(len(b)), true)
	if err != nil || len(b) == 0 {
		return err
	}
	copy(d, b)
	o.setDefined(off, uint64(len(b)), vm.prvShift)
	return nil
}

func (vm *Interp) writeString(p reg, b []byte) error {
	d, o, off, err := vm.bytesAt(p, uint64(len(b))+1, true)
	if err != nil {
		return err
	}
	copy(d, b)
	d[len(b)] = 0
	o.setDefined(off, uint64(len(b))+1, vm.prvShift)
	return nil
}

// newString makes an object of the library that holds a string.
func (vm *Interp) newString(s string) reg {
	b := append([]byte(s), 0)
	return vm.ptr(vm.alloc(objLib, b, uint64(len(b)), 16))
}

// callExternal executes a call site of a function without a body.
func (vm *Interp) callExternal(id ir.GlobalID, ci *callInfo, regs []reg) error {
	fn, err := vm.libOf(id)
	if err != nil {
		return err
	}
	c := vm.lib.acquire()
	c.name, c.types, c.res, c.err = vm.m.Globals[id].Name, ci.types, ci.result, nil
	for _, a := range ci.args {
		n := len(c.buf)
		c.buf = append(c.buf, regs[a.src:a.src+a.n]...)
		c.args = append(c.args, c.buf[n:len(c.buf):len(c.buf)])
	}
	for range ci.nret {
		c.out = append(c.out, reg{})
	}
	if err := fn(c); err != nil {
		return err
	}
	if c.err != nil {
		return c.err
	}
	if ci.nret > 0 {
		f := &vm.frames[len(vm.frames)-1]
		copy(vm.stack[f.fp+int(ci.d):], c.out)
	}
	vm.lib.calls = append(vm.lib.calls, c)
	return errReturn
}

// acquire returns an empty call, used before when there is one: library functions call each other through callbacks.
func (l *libState) acquire() *libCall {
	if n := len(l.calls); n > 0 {
		c := l.calls[n-1]
		l.calls = l.calls[:n-1]
		c.args, c.buf, c.out = c.args[:0], c.buf[:0], c.out[:0]
		return c
	}
	return &libCall{vm: l.vm, args: make([][]reg, 0, 8), buf: make([]reg, 0, 16), out: make([]reg, 0, 2)}
}

// callLib executes a library function that was passed as a callback.
func (vm *Interp) callLib(id ir.GlobalID, args []reg) ([]reg, error) {
	fn, err := vm.libOf(id)
	if err != nil {
		return nil, err
	}
	res := vm.t.Result(vm.m.Globals[id].ValueType)
	c := &libCall{vm: vm, name: vm.m.Globals[id].Name, res: res, out: make([]reg, vm.layoutOf(res).slots)}
	for _, a := range args {
		c.args = append(c.args, []reg{a})
	}
	if err := fn(c); err != nil {
		return nil, err
	}
	return c.out, c.err
}

func (vm *Interp) libOf(id ir.GlobalID) (libFn, error) {
	if fn := vm.ext[id]; fn != nil {
		return fn, nil
	}
	name := strings.TrimPrefix(vm.m.Globals[id].Name, "\x01")
	fn := libFunction(name)
	if fn == nil {
		return nil, unsupported("external function @%s", name)
	}
	vm.ext[id] = fn
	return fn, nil
}

// libFunction finds a library function by its name, nil when there is none.
func libFunction(name string) libFn {
	for _, find := range [...]func(string) libFn{memLib, stringLib, stdioLib, stdlibLib, ctypeLib, mathLib, timeLib, jumpLib} {
		if fn := find(name); fn != nil {
			return fn
		}
	}
	// Checked and versioned variants that differ in nothing else here.
	for _, p := range [...]string{"__isoc99_", "__isoc23_", "__builtin_", "_IO_"} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			return libFunction(rest)
		}
	}
	if rest, ok := strings.CutSuffix(name, "_unlocked"); ok {
		return libFunction(rest)
	}
	return nil
}

type exitHandler struct {
	fn   reg
	args []reg
}

// libState is what the library keeps between calls.
type libState struct {
	atexit    []exitHandler
	dtorsDone bool
	environ   reg
	files     map[uint64]*file
	stdin     *file
	stdout    *file
	stderr    *file
	rnd       random
	strtok    reg
	static    map[string]reg
	named     map[string]reg
	seed48    uint64
	vm        *Interp
	tmpCount  int
	calls     []*libCall // to be used again
	optLeft   string     // of the argument that getopt reads letters of
	program   string     // the program's name
	jumps     []jump     // by the number in a jmp_buf, from 1
}

func (l *libState) init(vm *Interp) {
	l.vm = vm
	l.files = map[uint64]*file{}
	l.static = map[string]reg{}
	l.named = map[string]reg{}
	l.rnd.seed(1)
	l.seed48 = 0x1234abcd330e
	l.stdin = l.open(&file{r: vm.o.Stdin, name: "stdin"})
	l.stdout = l.open(&file{w: vm.o.Stdout, name: "stdout", buffered: true})
	l.stderr = l.open(&file{w: vm.o.Stderr, name: "stderr"})
	l.stdin.seekable(vm.o.Stdin)
	l.stdout.seekable(vm.o.Stdout)
}

// externVar returns the address of a variable of the library.
func (l *libState) externVar(vm *Interp, name string) (reg, bool) {
	var content reg
	switch name {
	case "stdin", "__stdinp":
		content = l.stdin.ptr
	case "stdout", "__stdoutp":
		content = l.stdout.ptr
	case "stderr", "__stderrp":
		content = l.stderr.ptr
	case "environ", "__environ":
		l.argv(nil, vm.o.Env)
		content = l.environ
	case "optarg", "optind", "opterr", "optopt", "signgam", "timezone", "daylight":
		_, old := l.static[name]
		p := l.scratch(name, 8)
		if !old && (name == "optind" || name == "opterr") {
			vm.objs[uint32(p.p)].data[0] = 1
		}
		return p, true
	case "__dso_handle":
		return l.scratch(name, 8), true
	case "__stack_chk_guard":
		return l.scratch(name, 8), true
	default:
		return reg{}, false
	}
	i := vm.alloc(objLib, make([]byte, vm.ptrBytes), vm.ptrBytes, 16)
	vm.storePtr(&vm.objs[i], 0, content)
	return vm.ptr(i), true
}

// scratch returns an object of the library by its name, making it once.
func (l *libState) scratch(name string, n uint64) reg {
	if p, ok := l.static[name]; ok {
		return p
	}
	p := l.vm.ptr(l.vm.alloc(objLib, make([]byte, n), n, 16))
	l.static[name] = p
	return p
}

// argv builds the argument vector and the environment.
func (l *libState) argv(args, env []string) reg {
	vec := func(list []string) reg {
		n := uint64(len(list)+1) * l.vm.ptrBytes
		i := l.vm.alloc(objLib, make([]byte, n), n, 16)
		for k, s := range list {
			p := l.vm.newString(s)
			l.vm.storePtr(&l.vm.objs[i], uint64(k)*l.vm.ptrBytes, p)
		}
		return l.vm.ptr(i)
	}
	if l.environ.v == 0 {
		l.environ = vec(env)
	}
	if args == nil {
		return reg{}
	}
	if len(args) > 0 {
		l.program = args[0]
	}
	return vec(args)
}

func (l *libState) flushAll() error {
	return l.stdout.flush()
}

func (l *libState) setErrno(n uint64) {
	p := l.scratch("errno", 4)
	l.vm.store(&l.vm.objs[uint32(p.p)], 0, 4, def(n))
}
