package interp

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func stdioLib(name string) libFn {
	switch name {
	case "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf", "dprintf", "asprintf", "vasprintf",
		"__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk", "__vprintf_chk", "__vfprintf_chk", "__vsprintf_chk", "__vsnprintf_chk", "__asprintf_chk":
		return printfLib(name)
	case "scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf":
		return scanfLib(name)
	case "puts":
		return func(c *libCall) error {
			s := c.str(0)
			if c.err == nil {
				c.vm.lib.stdout.Write(append(bytes.Clone(s), '\n'))
			}
			return c.ret(uint64(len(s) + 1))
		}
	case "putchar", "putc", "fputc", "_IO_putc":
		return func(c *libCall) error {
			f := c.vm.lib.stdout
			if name != "putchar" {
				f = c.file(1)
			}
			b := byte(c.int(0))
			if c.err == nil {
				f.Write([]byte{b})
			}
			return c.ret(uint64(b))
		}
	case "fputs":
		return func(c *libCall) error {
			s, f := c.str(0), c.file(1)
			if c.err == nil {
				f.Write(s)
			}
			return c.ret(1)
		}
	case "fwrite":
		return func(c *libCall) error {
			size, n := c.size(1), c.size(2)
			f := c.file(3)
			if c.err != nil || size*n == 0 {
				return c.ret(0)
			}
			// Padding of structs may be undefined.
			b, _, _, err := c.vm.bytesAt(c.reg(0), size*n, false)
			if err != nil {
				return err
			}
			if f.w == nil {
				f.bad = true
				return c.ret(0)
			}
			f.Write(b)
			return c.ret(n)
		}
	case "perror":
		return func(c *libCall) error {
			p := c.reg(0)
			s := ""
			if p.v != 0 {
				s = string(c.str(0)) + ": "
			}
			e := c.vm.lib.scratch("errno", 4)
			n := c.vm.objs[uint32(e.p)].data[0]
			msg := map[byte]string{0: "Success", 2: "No such file or directory", 13: "Permission denied"}[n]
			if c.err == nil {
				c.vm.lib.stderr.Write([]byte(s + msg + "\n"))
			}
			return c.err
		}
	case "fflush", "fclose":
		return func(c *libCall) error {
			if c.reg(0).v == 0 && c.err == nil && name == "fflush" {
				for _, f := range c.vm.lib.files {
					f.flush()
				}
				return c.ret(0)
			}
			f := c.file(0)
			if c.err != nil {
				return c.err
			}
			f.flush()
			if name == "fclose" {
				if f.f != nil {
					f.f.Close()
				}
				delete(c.vm.lib.files, f.ptr.v)
			}
			return c.ret(0)
		}
	case "fopen", "fopen64", "freopen":
		return func(c *libCall) error {
			file, mode := string(c.str(0)), string(c.str(1))
			if c.err != nil {
				return c.err
			}
			f := c.openFile(file, mode)
			if f == nil {
				return c.retPtr(reg{})
			}
			if name == "freopen" {
				old := c.file(2)
				if c.err != nil {
					return c.err
				}
				old.flush()
				p := old.ptr
				*old = *f
				old.ptr = p
				return c.retPtr(p)
			}
			return c.retPtr(c.vm.lib.open(f).ptr)
		}
	case "fdopen":
		return func(c *libCall) error {
			return c.retPtr([]reg{c.vm.lib.stdin.ptr, c.vm.lib.stdout.ptr, c.vm.lib.stderr.ptr}[min(uint32(c.int(0)), 2)])
		}
	case "tmpfile":
		return func(c *libCall) error {
			h, err := os.CreateTemp("", "interp")
			if err != nil {
				return c.retPtr(reg{})
			}
			os.Remove(h.Name())
			return c.retPtr(c.vm.lib.open(&file{name: h.Name(), f: h, r: h, w: h, buffered: true}).ptr)
		}
	case "tmpnam":
		return func(c *libCall) error {
			c.vm.lib.tmpCount++
			name := filepath.Join(os.TempDir(), "mirin-interp-"+strconv.Itoa(os.Getpid())+"-"+strconv.Itoa(c.vm.lib.tmpCount))
			p := c.reg(0)
			if p.v == 0 {
				p = c.vm.lib.scratch("tmpnam", 512)
			}
			c.fail(c.vm.writeString(p, []byte(name)))
			return c.retPtr(p)
		}
	case "fgetc", "getc", "getchar", "_IO_getc":
		return func(c *libCall) error {
			f := c.vm.lib.stdin
			if name != "getchar" {
				f = c.file(0)
			}
			if c.err != nil {
				return c.err
			}
			return c.retInt(f.getc())
		}
	case "ungetc":
		return func(c *libCall) error {
			f := c.file(1)
			ch := c.int(0)
			if c.err == nil && ch >= 0 {
				f.unget(byte(ch))
			}
			return c.retInt(int(ch))
		}
	case "fgets", "gets":
		return func(c *libCall) error {
			f, n := c.vm.lib.stdin, uint64(1<<30)
			if name == "fgets" {
				f, n = c.file(2), c.u64(1)&0xffff_ffff
			}
			var line []byte
			for c.err == nil && uint64(len(line))+1 < n {
				b := f.getc()
				if b < 0 {
					break
				}
				if name == "gets" && b == '\n' {
					return c.line(line)
				}
				line = append(line, byte(b))
				if b == '\n' {
					break
				}
			}
			if len(line) == 0 {
				return c.retPtr(reg{})
			}
			return c.line(line)
		}
	case "getline":
		return func(c *libCall) error { return c.getline() }
	case "fread":
		return func(c *libCall) error {
			size, n := c.size(1), c.size(2)
			f := c.file(3)
			if c.err != nil || size*n == 0 {
				return c.ret(0)
			}
			var got []byte
			for uint64(len(got)) < size*n && f.fill() {
				k := min(uint64(len(f.in)), size*n-uint64(len(got)))
				got = append(got, f.in[:k]...)
				f.in = f.in[k:]
				f.pos += int64(k)
			}
			if err := c.vm.write(c.reg(0), got); err != nil {
				return err
			}
			return c.ret(uint64(len(got)) / size)
		}
	case "feof", "ferror", "clearerr", "fileno", "rewind":
		return func(c *libCall) error {
			f := c.file(0)
			if c.err != nil {
				return c.err
			}
			switch name {
			case "feof":
				return c.ret(b2u(f.eof))
			case "ferror":
				return c.ret(b2u(f.bad))
			case "rewind":
				f.seek(0, 0)
				f.bad = false
			case "clearerr":
				f.eof, f.bad = false, false
			case "fileno":
				for k, x := range []*file{c.vm.lib.stdin, c.vm.lib.stdout, c.vm.lib.stderr} {
					if x == f {
						return c.retInt(k)
					}
				}
				return c.ret(3)
			}
			return c.err
		}
	case "fseek", "fseeko", "ftell", "ftello":
		return func(c *libCall) error {
			f := c.file(0)
			if c.err != nil {
				return c.err
			}
			if strings.HasPrefix(name, "ftell") {
				return c.ret(uint64(f.pos))
			}
			if !f.seek(c.long(1), int(c.int(2))) {
				return c.retInt(-1)
			}
			return c.ret(0)
		}
	case "remove", "unlink":
		return func(c *libCall) error {
			if s := string(c.str(0)); c.err == nil && os.Remove(filepath.Clean(s)) != nil {
				return c.retInt(-1)
			}
			return c.ret(0)
		}
	case "access":
		return func(c *libCall) error {
			if s := string(c.str(0)); c.err == nil {
				if _, err := os.Stat(s); err != nil {
					return c.retInt(-1)
				}
			}
			return c.ret(0)
		}
	case "write":
		return func(c *libCall) error {
			b := c.bytes(1, c.size(2), false)
			if c.err != nil {
				return c.err
			}
			w := map[int32]io.Writer{1: c.vm.o.Stdout, 2: c.vm.o.Stderr}[c.int(0)]
			if w == nil {
				return c.retInt(-1)
			}
			w.Write(b)
			return c.ret(uint64(len(b)))
		}
	case "read":
		return func(c *libCall) error {
			b := make([]byte, min(c.size(2), 1<<20))
			if c.int(0) != 0 || c.err != nil {
				return c.retInt(-1)
			}
			n, _ := c.vm.o.Stdin.Read(b)
			c.fail(c.vm.write(c.reg(1), b[:n]))
			return c.ret(uint64(n))
		}
	}
	return nil
}

func (c *libCall) line(b []byte) error {
	if err := c.vm.writeString(c.reg(0), b); err != nil {
		return err
	}
	return c.retPtr(c.reg(0))
}

func (c *libCall) getline() error {
	vm, f := c.vm, c.file(2)
	var line []byte
	for c.err == nil {
		b := f.getc()
		if b < 0 {
			break
		}
		if line = append(line, byte(b)); b == '\n' {
			break
		}
	}
	if len(line) == 0 {
		return c.retInt(-1)
	}
	o, off, err := vm.access(c.reg(0), vm.ptrBytes, 1, true)
	if err != nil {
		return err
	}
	p := vm.loadPtr(o, off)
	i, ok := vm.object(p)
	if p.v == 0 || !ok || vm.objs[i].size < uint64(len(line))+1 {
		n := max(uint64(len(line))+1, 120)
		if ok && p.v != 0 {
			vm.drop(i)
		}
		if p, err = vm.heap(n, maxAlign, false); err != nil {
			return err
		}
		o, off, _ = vm.access(c.reg(0), vm.ptrBytes, 1, true)
		vm.storePtr(o, off, p)
		no, noff, err := vm.access(c.reg(1), vm.ptrBytes, 1, true)
		if err != nil {
			return err
		}
		no.store(noff, vm.ptrBytes, def(n), vm.prvShift)
	}
	if err := vm.writeString(p, line); err != nil {
		return err
	}
	return c.ret(uint64(len(line)))
}

// scanner reads formatted input from a stream or a string.
type scanner struct {
	f *file
	n int // bytes read
}

func (s *scanner) next() int {
	b := s.f.getc()
	if b >= 0 {
		s.n++
	}
	return b
}

func (s *scanner) back(b int) {
	if b >= 0 {
		s.f.unget(byte(b))
		s.n--
	}
}

func (s *scanner) space() {
	for {
		b := s.next()
		if b < 0 || class(b)&ctSpace == 0 {
			s.back(b)
			return
		}
	}
}

func scanfLib(name string) libFn {
	return func(c *libCall) error {
		f := c.vm.lib.stdin
		k := 0
		switch name {
		case "fscanf", "vfscanf":
			f, k = c.file(0), 1
		case "sscanf", "vsscanf":
			b, end := c.prefix(0)
			f, k = &file{in: bytes.Clone(b), r: end}, 1
		}
		format := c.str(k)
		if c.err != nil {
			return c.err
		}
		src := c.args3(k+1, name[0] == 'v')
		n := c.scan(&scanner{f: f}, format, src)
		if end, ok := f.r.(*stringEnd); ok && end.reached && end.err != nil {
			return end.err
		}
		return c.retInt(n)
	}
}

// stringEnd is what follows the bytes of a string: nothing, or the fault of reading on.
type stringEnd struct {
	err     error
	reached bool
}

func (e *stringEnd) Read([]byte) (int, error) {
	e.reached = true
	return 0, io.EOF
}

// prefix returns the bytes of a string that may be read. Without an end, reading
// past them is the fault: sscanf may stop before.
func (c *libCall) prefix(i int) ([]byte, *stringEnd) {
	p, end := c.reg(i), &stringEnd{}
	if c.err != nil {
		return nil, end
	}
	b, err := c.vm.cstring(p, ^uint64(0), c.name)
	if err == nil {
		return b, end
	}
	o, off, e := c.vm.access(p, 1, 1, false)
	if e != nil {
		c.fail(e)
		return nil, end
	}
	end.err = err
	b = o.data[off:]
	if o.sh != nil {
		if k := slices.IndexFunc(o.sh[off:], func(x byte) bool { return x != 0 }); k >= 0 {
			b = b[:k]
		}
	}
	return b, end
}

// scan returns the number of conversions that were stored, -1 at the end of input before the first.
func (c *libCall) scan(s *scanner, format []byte, src *argSource) int {
	done := 0
	end := func() int {
		if done == 0 {
			return -1
		}
		return done
	}
	for i := 0; i < len(format) && c.err == nil; i++ {
		ch := format[i]
		if class(int(ch))&ctSpace != 0 {
			s.space()
			continue
		}
		if ch != '%' {
			if b := s.next(); b != int(ch) {
				s.back(b)
				if b < 0 {
					return end()
				}
				return done
			}
			continue
		}
		i++
		skip, width, size := false, 0, 4
		if i < len(format) && format[i] == '*' {
			skip = true
			i++
		}
		for i < len(format) && format[i] >= '0' && format[i] <= '9' {
			width = width*10 + int(format[i]-'0')
			i++
		}
	length:
		for i < len(format) {
			switch format[i] {
			case 'h':
				size /= 2
			case 'l', 'j', 'z', 't', 'q', 'L':
				size = 8
			default:
				break length
			}
			i++
		}
		if i >= len(format) {
			return done
		}
		conv := format[i]
		if conv == 'n' {
			c.storeInt(src.ptr(), size, uint64(s.n))
			continue
		}
		if conv != 'c' && conv != '[' {
			s.space()
		}
		if width == 0 {
			width = 1 << 30
			if conv == 'c' {
				width = 1
			}
		}
		var tok []byte
		switch conv {
		case '%':
			if b := s.next(); b != '%' {
				s.back(b)
				return end()
			}
			continue
		case 'd', 'i', 'u', 'x', 'X', 'o', 'p':
			base := map[byte]int{'d': 10, 'u': 10, 'x': 16, 'X': 16, 'o': 8, 'p': 16}[conv]
			tok = s.number(width, base)
			if len(tok) == 0 {
				if s.f.peek() < 0 {
					return end()
				}
				return done
			}
			v, used, _ := parseInt(tok, base, conv == 'd' || conv == 'i', 64)
			if used == 0 {
				return done
			}
			if !skip {
				if conv == 'p' {
					size = 8
				}
				c.storeInt(src.ptr(), size, v)
				done++
			}
			continue
		case 'f', 'g', 'e', 'a', 'E', 'G', 'F', 'A':
			tok = s.float(width)
			if len(tok) == 0 {
				if s.f.peek() < 0 {
					return end()
				}
				return done
			}
			if !skip {
				v, used := parseFloat(tok)
				if used == 0 {
					return done
				}
				if size == 8 {
					c.storeInt(src.ptr(), 8, fromFloat(leafF64, v))
				} else {
					c.storeInt(src.ptr(), 4, parseFloat32(tok))
				}
				done++
			}
			continue
		case 's':
			for len(tok) < width {
				b := s.next()
				if b < 0 || class(b)&ctSpace != 0 {
					s.back(b)
					break
				}
				tok = append(tok, byte(b))
			}
		case 'c':
			for len(tok) < width {
				b := s.next()
				if b < 0 {
					break
				}
				tok = append(tok, byte(b))
			}
			if len(tok) < width {
				return end()
			}
			if !skip {
				c.fail(c.vm.write(src.ptr(), tok))
				done++
			}
			continue
		case '[':
			var set [256]bool
			i++
			not := i < len(format) && format[i] == '^'
			if not {
				i++
			}
			for first := true; i < len(format) && (format[i] != ']' || first); i++ {
				first = false
				if format[i] == '-' && i+1 < len(format) && format[i+1] != ']' && i > 0 && format[i-1] != '[' {
					for x := int(format[i-1]); x <= int(format[i+1]); x++ {
						set[x] = true
					}
					i++
					continue
				}
				set[format[i]] = true
			}
			for len(tok) < width {
				b := s.next()
				if b < 0 || set[b] == not {
					s.back(b)
					break
				}
				tok = append(tok, byte(b))
			}
		default:
			c.fail(unsupported("scanf conversion %%%c", conv))
			return done
		}
		if len(tok) == 0 {
			if s.f.peek() < 0 {
				return end()
			}
			return done
		}
		if !skip {
			c.fail(c.vm.writeString(src.ptr(), tok))
			done++
		}
	}
	return done
}

func (c *libCall) storeInt(p reg, size int, v uint64) {
	b := make([]byte, max(size, 1))
	for k := range b {
		b[k] = byte(v >> (8 * k))
	}
	if c.vm.big {
		slices.Reverse(b)
	}
	c.fail(c.vm.write(p, b))
}

func (s *scanner) number(width, base int) []byte {
	var tok []byte
	for len(tok) < width {
		b := s.next()
		ok := b >= '0' && b <= '9' && (base == 0 || base > int(b-'0'))
		if len(tok) == 0 && (b == '+' || b == '-') {
			ok = true
		}
		n := len(tok)
		hex := base == 16 || base == 0 && n > 1 && (tok[n-1]|32 == 'x' || bytes.ContainsAny(tok, "xX"))
		if hex && b >= 0 && class(b)&ctXDigit != 0 {
			ok = true
		}
		if (base == 16 || base == 0) && (b == 'x' || b == 'X') && n > 0 && tok[n-1] == '0' && !bytes.ContainsAny(tok, "xX123456789") {
			ok = true
		}
		if !ok {
			s.back(b)
			break
		}
		tok = append(tok, byte(b))
	}
	return tok
}

func (s *scanner) float(width int) []byte {
	var tok []byte
	for len(tok) < width {
		b := s.next()
		if b < 0 || !floatPrefix(append(bytes.Clone(tok), byte(b))) {
			s.back(b)
			break
		}
		tok = append(tok, byte(b))
	}
	return tok
}

// floatPrefix tells whether b can begin a number.
func floatPrefix(b []byte) bool {
	s := strings.ToLower(string(b))
	s = strings.TrimLeft(s[:1], "+-") + s[1:]
	if s == "" || strings.HasPrefix("infinity", s) || strings.HasPrefix("nan", s) {
		return true
	}
	if s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return false
	}
	for _, tail := range [...]string{"", "0", "p0", "e0", "e+0", "x0p0", "+0"} {
		if _, err := strconv.ParseFloat(s+tail, 64); err == nil || strings.Contains(err.Error(), "range") {
			return true
		}
	}
	return s == "."
}
