package interp

import (
	"io"
	"os"
	"strings"
)

// bufferSize is what glibc gives a stream that is no terminal.
const bufferSize = 4096

// file is a stream. Reading keeps a buffer, writing too for buffered ones.
type file struct {
	name     string
	r        io.Reader
	w        io.Writer
	f        *os.File // where seeking is possible
	ptr      reg
	in       []byte // read and not yet given out
	out      []byte
	buffered bool
	eof, bad bool
	pos      int64 // of the next byte, for ftell
}

func (l *libState) open(f *file) *file {
	i := l.vm.alloc(objLib, make([]byte, 216), 216, 16)
	l.vm.objs[i].ro = true
	f.ptr = l.vm.ptr(i)
	l.files[f.ptr.v] = f
	return f
}

// file returns the stream that argument i points to.
func (c *libCall) file(i int) *file {
	p := c.reg(i)
	if c.err != nil {
		return nil
	}
	f := c.vm.lib.files[p.v]
	if f == nil {
		c.fail(ub("bad stream", "%s gets %#x", c.name, p.v))
	}
	return f
}

func (f *file) Write(b []byte) (int, error) {
	if f.w == nil {
		f.bad = true
		return 0, nil
	}
	f.pos += int64(len(b))
	if !f.buffered {
		return f.w.Write(b)
	}
	f.out = append(f.out, b...)
	for len(f.out) >= bufferSize {
		n := len(f.out) / bufferSize * bufferSize
		if _, err := f.w.Write(f.out[:n]); err != nil {
			f.bad = true
		}
		f.out = append(f.out[:0], f.out[n:]...)
	}
	return len(b), nil
}

func (f *file) flush() error {
	if len(f.out) == 0 {
		return nil
	}
	_, err := f.w.Write(f.out)
	f.out = f.out[:0]
	return err
}

// fill reads more; it reports whether there is a byte.
func (f *file) fill() bool {
	if len(f.in) > 0 {
		return true
	}
	if f.r == nil {
		f.bad = true
		return false
	}
	b := make([]byte, bufferSize)
	for {
		n, err := f.r.Read(b)
		f.in = b[:n]
		if n > 0 {
			return true
		}
		if err != nil {
			f.eof = true
			return false
		}
	}
}

func (f *file) getc() int {
	if !f.fill() {
		return -1
	}
	b := f.in[0]
	f.in = f.in[1:]
	f.pos++
	return int(b)
}

func (f *file) peek() int {
	if !f.fill() {
		return -1
	}
	return int(f.in[0])
}

func (f *file) unget(b byte) {
	f.in = append([]byte{b}, f.in...)
	f.eof = false
	f.pos--
}

// seekable lets a standard stream that is a regular file be positioned.
func (f *file) seekable(stream any) {
	h, ok := stream.(*os.File)
	if !ok {
		return
	}
	if st, err := h.Stat(); err == nil && st.Mode().IsRegular() {
		if pos, err := h.Seek(0, io.SeekCurrent); err == nil {
			f.f, f.pos = h, pos
		}
	}
}

func (f *file) seek(off int64, whence int) bool {
	if f.f == nil {
		return false
	}
	f.flush()
	if whence == 1 {
		off, whence = f.pos+off, 0
	}
	n, err := f.f.Seek(off, whence)
	if err != nil {
		return false
	}
	f.in, f.eof, f.pos = nil, false, n
	return true
}

func (c *libCall) openFile(name, mode string) *file {
	flags := map[byte]int{'r': os.O_RDONLY, 'w': os.O_WRONLY | os.O_CREATE | os.O_TRUNC, 'a': os.O_WRONLY | os.O_CREATE | os.O_APPEND}
	if mode == "" {
		return nil
	}
	fl, ok := flags[mode[0]]
	if !ok {
		return nil
	}
	if strings.Contains(mode, "+") {
		fl = fl&^(os.O_WRONLY) | os.O_RDWR
	}
	h, err := os.OpenFile(name, fl, 0o666)
	if err != nil {
		n := uint64(2)
		if os.IsPermission(err) {
			n = 13
		}
		c.vm.lib.setErrno(n)
		return nil
	}
	f := &file{name: name, f: h, buffered: true}
	if mode[0] == 'r' || strings.Contains(mode, "+") {
		f.r = h
	}
	if mode[0] != 'r' || strings.Contains(mode, "+") {
		f.w = h
	}
	return f
}
