package interp

import (
	"bytes"
	"strings"
)

func stringLib(name string) libFn {
	switch name {
	case "strlen":
		return func(c *libCall) error { return c.ret(uint64(len(c.str(0)))) }
	case "strnlen":
		return func(c *libCall) error {
			s, err := c.vm.cstring(c.reg(0), c.size(1), name)
			if err != nil {
				return err
			}
			return c.ret(uint64(len(s)))
		}
	case "strcpy", "__strcpy_chk", "stpcpy", "__stpcpy_chk":
		return func(c *libCall) error {
			s := bytes.Clone(c.str(1))
			d := c.reg(0)
			if c.err == nil {
				c.fail(c.vm.writeString(d, s))
			}
			if strings.Contains(name, "stpcpy") {
				d.v += uint64(len(s))
			}
			return c.retPtr(d)
		}
	case "strncpy", "__strncpy_chk", "stpncpy":
		return func(c *libCall) error {
			n := c.size(2)
			s, err := c.vm.cstring(c.reg(1), n, name)
			if err != nil {
				return err
			}
			b := make([]byte, n)
			copy(b, s)
			d := c.reg(0)
			c.fail(c.vm.write(d, b))
			if name == "stpncpy" {
				d.v += uint64(len(s))
			}
			return c.retPtr(d)
		}
	case "strcat", "__strcat_chk", "strncat", "__strncat_chk":
		return func(c *libCall) error {
			lim := ^uint64(0)
			if strings.Contains(name, "strncat") {
				lim = c.size(2)
			}
			n := len(c.str(0))
			s, err := c.vm.cstring(c.reg(1), lim, name)
			if err != nil {
				return err
			}
			s = bytes.Clone(s)
			if c.err == nil {
				c.fail(c.vm.writeString(addPtr(c.reg(0), uint64(n)), s))
			}
			return c.retPtr(c.reg(0))
		}
	case "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll":
		return func(c *libCall) error {
			n := ^uint64(0)
			if strings.HasPrefix(name, "strn") {
				n = c.size(2)
			}
			return c.compare(n, strings.Contains(name, "case"))
		}
	case "strchr", "strrchr", "index", "rindex", "strchrnul":
		return func(c *libCall) error {
			s := c.str(0)
			if c.err != nil {
				return c.err
			}
			p, ch := c.reg(0), byte(c.int(1))
			k := bytes.IndexByte(s, ch)
			if strings.Contains(name, "r") && (name == "strrchr" || name == "rindex") {
				k = bytes.LastIndexByte(s, ch)
			}
			if ch == 0 || k < 0 && name == "strchrnul" {
				k = len(s)
			}
			if k < 0 {
				return c.retPtr(reg{})
			}
			p.v += uint64(k)
			return c.retPtr(p)
		}
	case "strstr", "strcasestr":
		return func(c *libCall) error {
			a, b := c.str(0), c.str(1)
			if name == "strcasestr" {
				a, b = bytes.ToLower(a), bytes.ToLower(b)
			}
			k := bytes.Index(a, b)
			if k < 0 {
				return c.retPtr(reg{})
			}
			return c.retPtr(addPtr(c.reg(0), uint64(k)))
		}
	case "strspn", "strcspn", "strpbrk":
		return func(c *libCall) error {
			s, set := c.str(0), c.str(1)
			k := 0
			for k < len(s) && (bytes.IndexByte(set, s[k]) >= 0) == (name == "strspn") {
				k++
			}
			if name != "strpbrk" {
				return c.ret(uint64(k))
			}
			if k == len(s) {
				return c.retPtr(reg{})
			}
			return c.retPtr(addPtr(c.reg(0), uint64(k)))
		}
	case "strtok", "strtok_r", "__strtok_r":
		return func(c *libCall) error { return c.strtok() }
	case "strsep":
		return func(c *libCall) error { return c.strsep() }
	case "strdup", "__strdup", "strndup", "__strndup":
		return func(c *libCall) error {
			lim := ^uint64(0)
			if strings.Contains(name, "ndup") {
				lim = c.size(1)
			}
			s, err := c.vm.cstring(c.reg(0), lim, name)
			if err != nil {
				return err
			}
			p, err := c.vm.heap(uint64(len(s))+1, maxAlign, false)
			if err == nil && p.v != 0 {
				err = c.vm.writeString(p, s)
			}
			c.fail(err)
			return c.retPtr(p)
		}
	case "strerror":
		return func(c *libCall) error {
			s := map[int32]string{0: "Success", 1: "Operation not permitted", 2: "No such file or directory", 9: "Bad file descriptor", 12: "Cannot allocate memory",
				13: "Permission denied", 17: "File exists", 22: "Invalid argument", 33: "Numerical argument out of domain", 34: "Numerical result out of range"}[c.int(0)]
			if s == "" {
				s = "Unknown error"
			}
			key := "strerror " + s
			p, ok := c.vm.lib.named[key]
			if !ok {
				p = c.vm.newString(s)
				c.vm.lib.named[key] = p
			}
			return c.retPtr(p)
		}
	case "strxfrm":
		return func(c *libCall) error {
			s := c.str(1)
			if n := c.size(2); uint64(len(s)) < n && c.err == nil {
				c.fail(c.vm.writeString(c.reg(0), s))
			}
			return c.ret(uint64(len(s)))
		}
	}
	return nil
}

// compare walks two strings byte by byte, so that nothing after the difference is read.
func (c *libCall) compare(n uint64, fold bool) error {
	a, b := c.reg(0), c.reg(1)
	if c.err != nil {
		return c.err
	}
	if n == 0 {
		return c.ret(0)
	}
	ao, ai, err := c.vm.access(a, 1, 1, false)
	if err != nil {
		return err
	}
	bo, bi, err := c.vm.access(b, 1, 1, false)
	if err != nil {
		return err
	}
	x, y := ao.data[ai:], bo.data[bi:]
	for k := uint64(0); k < n; k++ {
		if k >= uint64(len(x)) || k >= uint64(len(y)) {
			return ub("out of bounds", "%s reads past the end of an object", c.name)
		}
		c.defined(ao, ai+k, 1)
		c.defined(bo, bi+k, 1)
		p, q := x[k], y[k]
		if fold {
			p, q = lower(p), lower(q)
		}
		if p != q {
			return c.retInt(int(p) - int(q))
		}
		if p == 0 {
			break
		}
	}
	return c.ret(0)
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 32
	}
	return b
}

func (c *libCall) strtok() error {
	vm := c.vm
	p, delim := c.reg(0), c.str(1)
	var save *object
	var off uint64
	if c.name != "strtok" {
		var err error
		if save, off, err = vm.access(c.reg(2), vm.ptrBytes, 1, true); err != nil {
			return err
		}
	}
	if p.v == 0 {
		p = vm.lib.strtok
		if save != nil {
			p = vm.loadPtr(save, off)
		}
	}
	set := func(q reg) {
		if save != nil {
			vm.storePtr(save, off, q)
		} else {
			vm.lib.strtok = q
		}
	}
	if p.v == 0 || c.err != nil {
		return c.retPtr(reg{})
	}
	s, err := vm.cstring(p, ^uint64(0), c.name)
	if err != nil {
		return err
	}
	k := 0
	for k < len(s) && bytes.IndexByte(delim, s[k]) >= 0 {
		k++
	}
	p.v += uint64(k)
	if k == len(s) {
		set(p)
		return c.retPtr(reg{})
	}
	e := k
	for e < len(s) && bytes.IndexByte(delim, s[e]) < 0 {
		e++
	}
	next := p
	next.v += uint64(e - k)
	if e < len(s) {
		if err := vm.write(next, []byte{0}); err != nil {
			return err
		}
		next.v++
	}
	set(next)
	return c.retPtr(p)
}

func (c *libCall) strsep() error {
	vm := c.vm
	o, off, err := vm.access(c.reg(0), vm.ptrBytes, 1, true)
	if err != nil {
		return err
	}
	p := vm.loadPtr(o, off)
	if p.v == 0 {
		return c.retPtr(reg{})
	}
	s, err := vm.cstring(p, ^uint64(0), c.name)
	if err != nil {
		return err
	}
	e := bytes.IndexAny(s, string(c.str(1)))
	next := reg{}
	if e >= 0 {
		next = addPtr(p, uint64(e))
		if err := vm.write(next, []byte{0}); err != nil {
			return err
		}
		next.v++
	}
	vm.storePtr(o, off, next)
	return c.retPtr(p)
}

// Bits of glibc's character classes, as __ctype_b_loc's table has them on little-endian machines.
const (
	ctUpper  = 1 << 8
	ctLower  = 1 << 9
	ctAlpha  = 1 << 10
	ctDigit  = 1 << 11
	ctXDigit = 1 << 12
	ctSpace  = 1 << 13
	ctPrint  = 1 << 14
	ctGraph  = 1 << 15
	ctBlank  = 1 << 0
	ctCntrl  = 1 << 1
	ctPunct  = 1 << 2
	ctAlnum  = 1 << 3
)

// class returns the bits of a character in the C locale.
func class(ch int) uint16 {
	if ch < 0 || ch > 127 {
		return 0
	}
	b := byte(ch)
	var m uint16
	if b >= 'A' && b <= 'Z' {
		m |= ctUpper | ctAlpha | ctAlnum
	}
	if b >= 'a' && b <= 'z' {
		m |= ctLower | ctAlpha | ctAlnum
	}
	if b >= '0' && b <= '9' {
		m |= ctDigit | ctAlnum | ctXDigit
	}
	if b >= 'A' && b <= 'F' || b >= 'a' && b <= 'f' {
		m |= ctXDigit
	}
	if b == ' ' || b >= 9 && b <= 13 {
		m |= ctSpace
	}
	if b == ' ' || b == 9 {
		m |= ctBlank
	}
	if b < 32 || b == 127 {
		m |= ctCntrl
	} else {
		m |= ctPrint
		if b != ' ' {
			m |= ctGraph
			if m&ctAlnum == 0 {
				m |= ctPunct
			}
		}
	}
	return m
}

func ctypeLib(name string) libFn {
	classes := map[string]uint16{"isalpha": ctAlpha, "isdigit": ctDigit, "isalnum": ctAlnum, "isspace": ctSpace, "isupper": ctUpper, "islower": ctLower,
		"isxdigit": ctXDigit, "isprint": ctPrint, "isgraph": ctGraph, "ispunct": ctPunct, "iscntrl": ctCntrl, "isblank": ctBlank}
	if bit, ok := classes[name]; ok {
		return func(c *libCall) error { return c.ret(uint64(class(int(c.int(0))) & bit)) }
	}
	switch name {
	case "tolower", "toupper", "_tolower", "_toupper":
		return func(c *libCall) error {
			n := c.int(0)
			if n >= 'A' && n <= 'Z' && name[len(name)-5] == 'l' {
				n += 32
			} else if n >= 'a' && n <= 'z' && name[len(name)-5] == 'u' {
				n -= 32
			}
			return c.retInt(int(n))
		}
	case "isascii":
		return func(c *libCall) error { return c.ret(b2u(c.int(0)&^127 == 0)) }
	case "toascii":
		return func(c *libCall) error { return c.retInt(int(c.int(0) & 127)) }
	case "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc":
		return func(c *libCall) error {
			l := &c.vm.lib
			if p, ok := l.static[name]; ok {
				return c.retPtr(p)
			}
			w := 4
			if name == "__ctype_b_loc" {
				w = 2
			}
			t := make([]byte, 384*w)
			for ch := -128; ch < 256; ch++ {
				v := uint64(class(ch))
				if w == 4 {
					n := ch
					if n >= 'A' && n <= 'Z' && name == "__ctype_tolower_loc" {
						n += 32
					} else if n >= 'a' && n <= 'z' && name == "__ctype_toupper_loc" {
						n -= 32
					}
					v = uint64(int64(n))
				}
				for k := range w {
					t[(ch+128)*w+k] = byte(v >> (8 * k))
				}
			}
			table := c.vm.alloc(objLib, t, uint64(len(t)), 16)
			c.vm.objs[table].ro = true
			p := l.scratch(name, c.vm.ptrBytes)
			q := c.vm.ptr(table)
			q.v += uint64(128 * w)
			c.vm.storePtr(&c.vm.objs[uint32(p.p)], 0, q)
			return c.retPtr(p)
		}
	}
	return nil
}
