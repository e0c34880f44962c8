package interp

import (
	"math"
	"os"
	"strings"
)

// random is glibc's generator of type 3: x(n) = x(n-3) + x(n-31) over 32 bits.
type random struct {
	s    [31]uint32
	f, r int
}

func (g *random) seed(x uint32) {
	if x == 0 {
		x = 1
	}
	w := int32(x)
	g.s[0] = x
	for i := 1; i < 31; i++ {
		hi, lo := w/127773, w%127773
		w = 16807*lo - 2836*hi
		if w < 0 {
			w += 2147483647
		}
		g.s[i] = uint32(w)
	}
	g.f, g.r = 3, 0
	for range 310 {
		g.next()
	}
}

func (g *random) next() uint32 {
	g.s[g.f] += g.s[g.r]
	v := g.s[g.f] >> 1
	g.f, g.r = (g.f+1)%31, (g.r+1)%31
	return v
}

func (l *libState) rand48() uint64 {
	l.seed48 = (l.seed48*0x5deece66d + 11) & (1<<48 - 1)
	return l.seed48
}

func stdlibLib(name string) libFn {
	switch name {
	case "exit", "_exit", "_Exit", "quick_exit":
		return func(c *libCall) error {
			if n := c.int(0); c.err == nil {
				return &exitError{code: int(n & 0xff), run: name == "exit"}
			}
			return c.err
		}
	case "getopt":
		return (*libCall).getopt
	case "abort":
		return func(c *libCall) error {
			c.vm.lib.flushAll()
			return &exitError{code: 134}
		}
	case "atexit", "__cxa_atexit", "at_quick_exit":
		return func(c *libCall) error {
			h := exitHandler{fn: c.reg(0)}
			if name == "__cxa_atexit" {
				h.args = []reg{c.reg(1)}
			}
			if name != "at_quick_exit" {
				c.vm.lib.atexit = append(c.vm.lib.atexit, h)
			}
			return c.ret(0)
		}
	case "__cxa_finalize", "__cxa_guard_abort", "srand48_dummy", "sync":
		return func(c *libCall) error { return c.ret(0) }
	case "__cxa_guard_acquire":
		return func(c *libCall) error {
			o, off, err := c.vm.access(c.reg(0), 1, 1, true)
			if err != nil {
				return err
			}
			return c.ret(b2u(o.data[off] == 0))
		}
	case "__cxa_guard_release":
		return func(c *libCall) error { return c.vm.write(c.reg(0), []byte{1}) }
	case "__cxa_pure_virtual":
		return func(c *libCall) error { return ub("call of a pure virtual function", "") }
	case "__assert_fail", "__assert":
		return func(c *libCall) error {
			c.vm.lib.flushAll()
			prog := "prog"
			msg := prog + ": " + string(c.str(1)) + ":" + itoa(c.u64(2)) + ": " + string(c.str(3)) + ": Assertion `" + string(c.str(0)) + "' failed.\n"
			c.vm.lib.stderr.Write([]byte(msg))
			return &exitError{code: 134}
		}
	case "__stack_chk_fail", "__chk_fail":
		return func(c *libCall) error { return ub("buffer overflow", "%s", name) }
	case "rand", "random":
		return func(c *libCall) error { return c.ret(uint64(c.vm.lib.rnd.next())) }
	case "srand", "srandom":
		return func(c *libCall) error { c.vm.lib.rnd.seed(uint32(c.u64(0))); return c.err }
	case "rand_r":
		return func(c *libCall) error {
			b := c.bytes(0, 4, false)
			if c.err != nil {
				return c.err
			}
			next := uint32(le32(b))
			step := func() uint32 { next = next*1103515245 + 12345; return next / 65536 }
			r := step() % 2048
			r = r<<10 ^ step()%1024
			r = r<<10 ^ step()%1024
			if err := c.vm.write(c.reg(0), []byte{byte(next), byte(next >> 8), byte(next >> 16), byte(next >> 24)}); err != nil {
				return err
			}
			return c.ret(uint64(r))
		}
	case "drand48":
		return func(c *libCall) error { return c.ret(math.Float64bits(math.Ldexp(float64(c.vm.lib.rand48()), -48))) }
	case "lrand48":
		return func(c *libCall) error { return c.ret(c.vm.lib.rand48() >> 17) }
	case "mrand48":
		return func(c *libCall) error { return c.ret(uint64(int64(int32(c.vm.lib.rand48() >> 16)))) }
	case "seed48":
		return func(c *libCall) error {
			b := c.bytes(0, 6, false)
			if c.err != nil {
				return c.err
			}
			old := c.vm.lib.seed48
			c.vm.lib.seed48 = le32(b) | uint64(b[4])<<32 | uint64(b[5])<<40
			p := c.vm.lib.scratch("seed48", 6)
			c.storeInt(p, 6, old)
			return c.retPtr(p)
		}
	case "srand48":
		return func(c *libCall) error { c.vm.lib.seed48 = uint64(uint32(c.u64(0)))<<16 | 0x330e; return c.err }
	case "abs", "labs", "llabs", "imaxabs":
		return func(c *libCall) error {
			v := c.i64(0)
			if name == "abs" {
				v = int64(c.int(0))
			}
			if v < 0 {
				v = -v
			}
			return c.ret(uint64(v))
		}
	case "div", "ldiv", "lldiv":
		return func(c *libCall) error {
			if name == "div" {
				a, b := c.int(0), c.int(1)
				if b == 0 {
					return ub("division by zero", "div")
				}
				return c.ret(uint64(uint32(a/b)) | uint64(uint32(a%b))<<32)
			}
			a, b := c.i64(0), c.i64(1)
			if b == 0 {
				return ub("division by zero", "%s", name)
			}
			if len(c.out) == 2 {
				c.out[1] = def(uint64(a % b))
			}
			return c.ret(uint64(a / b))
		}
	case "atoi", "atol", "atoll":
		return func(c *libCall) error {
			v, _, _ := parseInt(c.str(0), 10, true, 64)
			return c.ret(v)
		}
	case "atof":
		return func(c *libCall) error {
			f, _ := parseFloat(c.str(0))
			return c.ret(math.Float64bits(f))
		}
	case "strtol", "strtoll", "strtoul", "strtoull", "strtoimax", "strtoumax", "__strtol_internal", "__strtoul_internal", "strtoq", "strtouq":
		sign := !strings.Contains(name, "tou")
		long := strings.HasSuffix(name, "ol") || strings.HasSuffix(name, "oul") || strings.HasSuffix(name, "_internal")
		return func(c *libCall) error {
			s := c.str(0)
			if c.err != nil {
				return c.err
			}
			w := uint32(64)
			if long {
				w = uint32(c.vm.ptrBytes * 8)
			}
			v, n, over := parseInt(s, int(c.int(2)), sign, w)
			if over {
				c.vm.lib.setErrno(34)
			}
			if err := c.endPtr(n); err != nil {
				return err
			}
			return c.ret(v)
		}
	case "strtod", "strtof", "strtold", "__strtod_internal":
		if name == "strtold" {
			return nil
		}
		return func(c *libCall) error {
			s := c.str(0)
			if c.err != nil {
				return c.err
			}
			f, n := parseFloat(s)
			if err := c.endPtr(n); err != nil {
				return err
			}
			if math.IsInf(f, 0) && n > 0 && !strings.Contains(strings.ToLower(string(s[:n])), "inf") {
				c.vm.lib.setErrno(34)
			}
			if name == "strtof" {
				return c.ret(parseFloat32(s[:n]))
			}
			return c.ret(math.Float64bits(f))
		}
	case "qsort", "qsort_r":
		return func(c *libCall) error { return c.qsort() }
	case "bsearch":
		return func(c *libCall) error { return c.bsearch() }
	case "getenv", "secure_getenv":
		return func(c *libCall) error {
			key := string(c.str(0)) + "="
			for _, e := range c.vm.o.Env {
				if v, ok := strings.CutPrefix(e, key); ok {
					p, ok := c.vm.lib.named["env "+key]
					if !ok {
						p = c.vm.newString(v)
						c.vm.lib.named["env "+key] = p
					}
					return c.retPtr(p)
				}
			}
			return c.retPtr(reg{})
		}
	case "setenv", "putenv", "unsetenv", "setlocale", "signal", "sigaction", "sigemptyset", "sigaddset", "alarm", "setvbuf", "setbuf", "setlinebuf", "mallopt", "isatty", "getrlimit", "setrlimit", "sigprocmask", "ungetwc", "mtrace", "madvise":
		return func(c *libCall) error {
			if name == "setlocale" {
				return c.retPtr(c.vm.lib.constString("C"))
			}
			return c.ret(0)
		}
	case "__errno_location", "__error", "_errno":
		return func(c *libCall) error { return c.retPtr(c.vm.lib.scratch("errno", 4)) }
	case "getpid", "getppid", "getuid", "geteuid", "getgid", "getegid":
		return func(c *libCall) error { return c.ret(1000) }
	case "sysconf":
		return func(c *libCall) error {
			return c.ret(map[int32]uint64{30: 4096, 84: 1, 83: 1, 2: 100}[c.int(0)])
		}
	case "getpagesize":
		return func(c *libCall) error { return c.ret(4096) }
	case "system", "popen", "fork", "execv", "execvp":
		return func(c *libCall) error { return unsupported("external function @%s", name) }
	case "getcwd":
		return func(c *libCall) error {
			d, err := os.Getwd()
			if err != nil || uint64(len(d)) >= c.size(1) {
				return c.retPtr(reg{})
			}
			c.fail(c.vm.writeString(c.reg(0), []byte(d)))
			return c.retPtr(c.reg(0))
		}
	case "ffs", "ffsl", "ffsll":
		return func(c *libCall) error {
			v := c.u64(0)
			if name == "ffs" {
				v &= 0xffff_ffff
			}
			for k := range 64 {
				if v>>k&1 != 0 {
					return c.retInt(k + 1)
				}
			}
			return c.ret(0)
		}
	}
	return nil
}

func (l *libState) constString(s string) reg {
	p, ok := l.named["const "+s]
	if !ok {
		p = l.vm.newString(s)
		l.named["const "+s] = p
	}
	return p
}

// endPtr stores where a number ended.
func (c *libCall) endPtr(n int) error {
	e := c.reg(1)
	if e.v == 0 {
		return c.err
	}
	o, off, err := c.vm.access(e, c.vm.ptrBytes, 1, true)
	if err != nil {
		return err
	}
	c.vm.storePtr(o, off, addPtr(c.reg(0), uint64(n)))
	return nil
}

// parseInt reads a number as strtol does; n is the number of bytes used.
func parseInt(s []byte, base int, sign bool, w uint32) (v uint64, n int, over bool) {
	k := 0
	for k < len(s) && class(int(s[k]))&ctSpace != 0 {
		k++
	}
	neg := false
	if k < len(s) && (s[k] == '+' || s[k] == '-') {
		neg = s[k] == '-'
		k++
	}
	digit := func(i int) int {
		if i >= len(s) {
			return 99
		}
		switch b := s[i]; {
		case b >= '0' && b <= '9':
			return int(b - '0')
		case b >= 'a' && b <= 'z':
			return int(b-'a') + 10
		case b >= 'A' && b <= 'Z':
			return int(b-'A') + 10
		}
		return 99
	}
	if (base == 0 || base == 16) && k+1 < len(s) && s[k] == '0' && s[k+1]|32 == 'x' && digit(k+2) < 16 {
		k += 2
		base = 16
	} else if (base == 0 || base == 2) && k+1 < len(s) && s[k] == '0' && s[k+1]|32 == 'b' && digit(k+2) < 2 {
		k += 2
		base = 2
	}
	if base == 0 {
		base = 10
		if k < len(s) && s[k] == '0' {
			base = 8
		}
	}
	start := k
	for ; digit(k) < base; k++ {
		x := v*uint64(base) + uint64(digit(k))
		if v > (^uint64(0)-uint64(digit(k)))/uint64(base) {
			over = true
		}
		v = x
	}
	if k == start {
		return 0, 0, false
	}
	if sign {
		lim := uint64(1) << (w - 1)
		switch {
		case !neg && (over || v >= lim):
			return lim - 1, k, true
		case neg && (over || v > lim):
			return -lim, k, true
		}
	} else if over || w < 64 && v>>w != 0 {
		return mask(w), k, true
	}
	if neg {
		v = -v
	}
	return v, k, false
}

// qsort is a merge sort as glibc's: the same order of equal elements and of calls.
func (c *libCall) qsort() error {
	base, n, size, cmp := c.reg(0), c.size(1), c.size(2), c.reg(3)
	if c.err != nil || n < 2 || size == 0 {
		return c.err
	}
	vm := c.vm
	if n > vm.maxMem/size {
		return ub("out of bounds", "qsort of %d elements", n)
	}
	_, off, err := vm.access(base, n*size, 1, true)
	if err != nil {
		return err
	}
	src, _ := vm.object(base)
	// Two elements are compared in place; the order is that of indices, moved once at the end.
	ord := make([]uint64, n)
	for i := range ord {
		ord[i] = uint64(i)
	}
	tmp := make([]uint64, n)
	extra := []reg{}
	if c.name == "qsort_r" {
		extra = append(extra, c.reg(4))
	}
	var sorter func(a []uint64) error
	sorter = func(a []uint64) error {
		if len(a) <= 1 {
			return nil
		}
		n1 := len(a) / 2
		if err := sorter(a[:n1]); err != nil {
			return err
		}
		if err := sorter(a[n1:]); err != nil {
			return err
		}
		x, y, t := a[:n1], a[n1:], tmp[:0]
		for len(x) > 0 && len(y) > 0 {
			res, err := vm.callPtr(cmp, append([]reg{addPtr(base, x[0]*size), addPtr(base, y[0]*size)}, extra...))
			if err != nil {
				return err
			}
			if len(res) == 0 || res[0].u != 0 {
				return ub("undef or poison result", "of the comparison that qsort calls")
			}
			if int32(res[0].v) <= 0 {
				t = append(t, x[0])
				x = x[1:]
			} else {
				t = append(t, y[0])
				y = y[1:]
			}
		}
		t = append(t, x...)
		copy(a, t)
		return nil
	}
	if err := sorter(ord); err != nil {
		return err
	}
	if vm.objs[src].gen != uint32(base.p>>32) && base.p != 0 {
		return ub("use after free", "the array of qsort")
	}
	ti := vm.alloc(objLib, make([]byte, n*size), n*size, 16)
	o := &vm.objs[src]
	t := &vm.objs[ti]
	if o.sh != nil {
		t.needShadow()
	}
	for k, i := range ord {
		vm.move(t, uint64(k)*size, o, off+i*size, size)
	}
	vm.move(o, off, t, 0, n*size)
	vm.drop(ti)
	return c.err
}

func (c *libCall) bsearch() error {
	key, base, n, size, cmp := c.reg(0), c.reg(1), c.size(2), c.size(3), c.reg(4)
	lo, hi := uint64(0), n
	for lo < hi && c.err == nil {
		mid := (lo + hi) / 2
		p := addPtr(base, mid*size)
		res, err := c.vm.callPtr(cmp, []reg{key, p})
		if err != nil {
			return err
		}
		if len(res) == 0 || res[0].u != 0 {
			return ub("undef or poison result", "of the comparison that bsearch calls")
		}
		switch r := int32(res[0].v); {
		case r == 0:
			return c.retPtr(p)
		case r < 0:
			hi = mid
		default:
			lo = mid + 1
		}
	}
	return c.retPtr(reg{})
}
