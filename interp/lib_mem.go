package interp

import "bytes"

const maxAlign = 16

// heap makes a heap object; zeroed ones are defined.
func (vm *Interp) heap(n, align uint64, zero bool) (reg, error) {
	if n > vm.maxMem || vm.live+n > vm.maxMem {
		return reg{}, nil
	}
	i := vm.alloc(objHeap, make([]byte, n), n, align)
	if !zero {
		sh := make([]byte, n)
		for k := range sh {
			sh[k] = 0xff
		}
		vm.objs[i].sh = sh
	}
	return vm.ptr(i), nil
}

// release is free.
func (vm *Interp) release(p reg) error {
	if p.v == 0 && p.u == 0 {
		return nil
	}
	i, ok := vm.object(p)
	switch {
	case !ok:
		return ub("double free", "free of %#x, where no object is alive", p.v)
	case vm.objs[i].kind != objHeap && vm.objs[i].kind != objLib:
		return ub("bad free", "free of a %s", vm.describe(&vm.objs[i]))
	case vm.objs[i].base != p.v:
		return ub("bad free", "free of an address inside of a %s", vm.describe(&vm.objs[i]))
	}
	vm.drop(i)
	return nil
}

func memLib(name string) libFn {
	switch name {
	case "malloc", "_Znwm", "_Znam", "_Znwj", "_Znaj", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t", "valloc":
		return func(c *libCall) error {
			p, err := c.vm.heap(c.size(0), maxAlign, false)
			if err != nil {
				return err
			}
			return c.retPtr(p)
		}
	case "calloc":
		return func(c *libCall) error {
			a, b := c.size(0), c.size(1)
			if a != 0 && a*b/a != b {
				return c.retPtr(reg{})
			}
			p, err := c.vm.heap(a*b, maxAlign, true)
			if err != nil {
				return err
			}
			return c.retPtr(p)
		}
	case "realloc", "reallocarray":
		return func(c *libCall) error {
			n := c.size(1)
			if name == "reallocarray" {
				n *= c.size(2)
			}
			return c.realloc(c.reg(0), n)
		}
	case "free", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "cfree", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t":
		return func(c *libCall) error {
			p := c.reg(0)
			if c.err != nil {
				return c.err
			}
			return c.vm.release(p)
		}
	case "aligned_alloc", "memalign", "_ZnwmSt11align_val_t":
		return func(c *libCall) error {
			a, n := c.size(0), c.size(1)
			if name[0] == '_' {
				a, n = n, a
			}
			p, err := c.vm.heap(n, max(a, maxAlign), false)
			if err != nil {
				return err
			}
			return c.retPtr(p)
		}
	case "posix_memalign":
		return func(c *libCall) error {
			p, err := c.vm.heap(c.size(2), max(c.size(1), maxAlign), false)
			if err != nil {
				return err
			}
			o, off, err := c.vm.access(c.reg(0), c.vm.ptrBytes, 1, true)
			if err != nil {
				return err
			}
			c.vm.storePtr(o, off, p)
			return c.ret(0)
		}
	case "malloc_usable_size":
		return func(c *libCall) error {
			i, ok := c.vm.object(c.reg(0))
			if !ok {
				return c.ret(0)
			}
			return c.ret(c.vm.objs[i].size)
		}
	case "memcpy", "__memcpy_chk", "memmove", "__memmove_chk", "mempcpy", "bcopy":
		return func(c *libCall) error {
			d, s := 0, 1
			if name == "bcopy" {
				d, s = 1, 0
			}
			n := c.reg(2)
			if c.err == nil {
				c.fail(c.vm.memTransfer(c.reg(d), c.reg(s), n, 1, 1, name == "memcpy" || name == "__memcpy_chk" || name == "mempcpy"))
			}
			p := c.reg(d)
			if name == "mempcpy" {
				p.v += n.v
			}
			return c.retPtr(p)
		}
	case "memset", "__memset_chk":
		return func(c *libCall) error {
			c.fail(c.vm.memSet(c.reg(0), c.args[1][0], c.reg(2), 1))
			return c.retPtr(c.reg(0))
		}
	case "bzero", "explicit_bzero":
		return func(c *libCall) error { return c.vm.memSet(c.reg(0), reg{}, c.reg(1), 1) }
	case "memcmp", "bcmp":
		return func(c *libCall) error {
			// Reading stops at the first difference, so that what follows need not be defined.
			n := c.size(2)
			if n == 0 || c.err != nil {
				return c.ret(0)
			}
			a, ao, aoff, err := c.vm.bytesAt(c.reg(0), n, false)
			if err != nil {
				return err
			}
			b, bo, boff, err := c.vm.bytesAt(c.reg(1), n, false)
			if err != nil {
				return err
			}
			k := uint64(0)
			for k < n && a[k] == b[k] {
				k++
			}
			c.defined(ao, aoff, min(k+1, n))
			c.defined(bo, boff, min(k+1, n))
			if k == n {
				return c.ret(0)
			}
			return c.retInt(int(a[k]) - int(b[k]))
		}
	case "memchr", "memrchr", "rawmemchr":
		return func(c *libCall) error {
			p, n := c.reg(0), c.size(2)
			ch := byte(c.int(1))
			if name == "rawmemchr" || c.err == nil && name == "memchr" {
				// The search may end before the object does.
				i, ok := c.vm.object(p)
				if ok && n != 0 {
					n = min(n, c.vm.objs[i].base+c.vm.objs[i].size-p.v)
				}
			}
			b, o, off, err := c.vm.bytesAt(p, n, false)
			if err != nil || n == 0 {
				if err != nil {
					return err
				}
				return c.retPtr(reg{})
			}
			k := bytes.IndexByte(b, ch)
			if name == "memrchr" {
				k = bytes.LastIndexByte(b, ch)
			}
			if k < 0 {
				c.defined(o, off, n)
				return c.retPtr(reg{})
			}
			c.defined(o, off, uint64(k)+1)
			p.v += uint64(k)
			return c.retPtr(p)
		}
	case "memccpy":
		return func(c *libCall) error {
			n := c.size(3)
			for k := uint64(0); k < n; k++ {
				if err := c.vm.memTransfer(addPtr(c.reg(0), k), addPtr(c.reg(1), k), def(1), 1, 1, false); err != nil {
					return err
				}
				o, off, err := c.vm.access(addPtr(c.reg(1), k), 1, 1, false)
				if err != nil {
					return err
				}
				if o.data[off] == byte(c.int(2)) {
					return c.retPtr(addPtr(c.reg(0), k+1))
				}
			}
			return c.retPtr(reg{})
		}
	}
	return nil
}

func (c *libCall) realloc(p reg, n uint64) error {
	if c.err != nil {
		return c.err
	}
	if p.v == 0 {
		q, err := c.vm.heap(n, maxAlign, false)
		if err != nil {
			return err
		}
		return c.retPtr(q)
	}
	if n == 0 {
		if err := c.vm.release(p); err != nil {
			return err
		}
		return c.retPtr(reg{})
	}
	i, ok := c.vm.object(p)
	if !ok || c.vm.objs[i].kind != objHeap || c.vm.objs[i].base != p.v {
		return ub("bad realloc", "of %#x, which is not the start of a living heap object", p.v)
	}
	old := c.vm.objs[i].size
	q, err := c.vm.heap(n, maxAlign, false)
	if err != nil || q.v == 0 {
		c.retPtr(reg{})
		return err
	}
	c.vm.move(&c.vm.objs[uint32(q.p)], 0, &c.vm.objs[i], 0, min(old, n))
	c.vm.drop(i)
	return c.retPtr(q)
}
