package interp

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// argSource gives the variable arguments of a formatted function, from the
// call itself or from a va_list.
type argSource struct {
	c    *libCall
	k    int
	list reg
	va   bool
}

// args3 returns the source of the arguments from the k-th on; va: argument k is a va_list.
func (c *libCall) args3(k int, va bool) *argSource {
	s := &argSource{c: c, k: k, va: va}
	if va {
		s.list = c.reg(k)
	}
	return s
}

func (s *argSource) take(ty ir.Type) reg {
	if s.va {
		r, err := s.c.vm.vaArg(s.list, ty)
		if err != nil {
			s.c.fail(err)
			return reg{}
		}
		x := r[0]
		if x.u != 0 {
			s.c.fail(ub("undef or poison argument", "of %s", s.c.name))
		}
		return x
	}
	r := s.c.reg(s.k)
	if s.c.types != nil && s.k < len(s.c.types) {
		have, want := s.c.vm.layoutOf(s.c.types[s.k]), s.c.vm.layoutOf(ty)
		fp := func(l *layout) bool { return l.leaves[0].kind >= leafF16 && l.leaves[0].kind <= leafF64 }
		if len(have.leaves) == 1 && fp(have) != fp(want) {
			s.c.fail(ub("argument of a wrong type", "argument %d of %s", s.k+1, s.c.name))
		}
	}
	s.k++
	return r
}

func (s *argSource) int(size int) uint64 {
	if size == 8 {
		return s.take(ir.Int64).v
	}
	return s.take(ir.Int32).v
}

func (s *argSource) ptr() reg       { return s.take(ir.Ptr) }
func (s *argSource) float() float64 { return math.Float64frombits(s.take(ir.Double).v) }
func (s *argSource) signed() int    { return int(int32(s.int(4))) }

func printfLib(name string) libFn {
	base := strings.TrimSuffix(strings.TrimPrefix(name, "__"), "_chk")
	chk := base != name
	va := base[0] == 'v'
	kind := strings.TrimPrefix(base, "v")
	return func(c *libCall) error {
		k := 0
		switch kind {
		case "printf":
			if chk {
				k = 1
			}
		case "fprintf", "dprintf", "asprintf":
			k = 1
			if chk {
				k = 2
			}
		case "sprintf":
			k = 1
			if chk {
				k = 3
			}
		case "snprintf":
			k = 2
			if chk {
				k = 4
			}
		}
		format := c.str(k)
		if c.err != nil {
			return c.err
		}
		out := c.format(nil, format, c.args3(k+1, va))
		if c.err != nil {
			return c.err
		}
		switch kind {
		case "printf":
			c.vm.lib.stdout.Write(out)
		case "fprintf":
			if f := c.file(0); f != nil {
				f.Write(out)
			}
		case "dprintf":
			if c.int(0) == 2 {
				c.vm.o.Stderr.Write(out)
			} else {
				c.vm.o.Stdout.Write(out)
			}
		case "sprintf":
			c.fail(c.vm.writeString(c.reg(0), out))
		case "asprintf":
			p, err := c.vm.heap(uint64(len(out))+1, maxAlign, false)
			if err != nil {
				return err
			}
			c.fail(c.vm.writeString(p, out))
			o, off, err := c.vm.access(c.reg(0), c.vm.ptrBytes, 1, true)
			if err != nil {
				return err
			}
			c.vm.storePtr(o, off, p)
		default:
			if n := c.size(1); n > 0 {
				b := out
				if uint64(len(b)) >= n {
					b = b[:n-1]
				}
				c.fail(c.vm.writeString(c.reg(0), b))
			}
		}
		return c.ret(uint64(len(out)))
	}
}

// spec is one conversion of a format.
type spec struct {
	minus, plus, space, alt, zero bool
	width, prec                   int // prec -1: none
}

// format appends what the format and the arguments say.
func (c *libCall) format(b, format []byte, src *argSource) []byte {
	for i := 0; i < len(format); i++ {
		ch := format[i]
		if ch != '%' {
			b = append(b, ch)
			continue
		}
		i++
		s := spec{prec: -1}
	flags:
		for ; i < len(format); i++ {
			switch format[i] {
			case '-':
				s.minus = true
			case '+':
				s.plus = true
			case ' ':
				s.space = true
			case '#':
				s.alt = true
			case '0':
				s.zero = true
			case '\'':
			default:
				break flags
			}
		}
		num := func() int {
			n := 0
			if i < len(format) && format[i] == '*' {
				i++
				return src.signed()
			}
			for i < len(format) && format[i] >= '0' && format[i] <= '9' && n < 1<<24 {
				n = n*10 + int(format[i]-'0')
				i++
			}
			return n
		}
		if s.width = num(); s.width < 0 {
			s.minus, s.width = true, -s.width
		}
		if i < len(format) && format[i] == '.' {
			i++
			if s.prec = num(); s.prec < 0 {
				s.prec = -1
			}
		}
		size := 4
		long := false
	length:
		for ; i < len(format); i++ {
			switch format[i] {
			case 'h':
				size /= 2
			case 'l':
				size = 8
				if c.vm.ptrBytes == 4 && !(i+1 < len(format) && format[i+1] == 'l') && !(format[i-1] == 'l') {
					size = 4
				}
			case 'z', 't':
				size = int(c.vm.ptrBytes)
			case 'j', 'q':
				size = 8
			case 'L':
				long = true
			default:
				break length
			}
		}
		if i >= len(format) {
			break
		}
		switch conv := format[i]; conv {
		case '%':
			b = append(b, '%')
		case 'd', 'i':
			v := signed(src.int(size), uint32(8*max(size, 1)))
			sign := ""
			switch {
			case v < 0:
				sign = "-"
			case s.plus:
				sign = "+"
			case s.space:
				sign = " "
			}
			u := uint64(v)
			if v < 0 {
				u = -u
			}
			b = s.integer(b, sign, strconv.FormatUint(u, 10))
		case 'u', 'x', 'X', 'o':
			v := src.int(size) & mask(uint32(8*max(size, 1)))
			base := map[byte]int{'u': 10, 'x': 16, 'X': 16, 'o': 8}[conv]
			digits, prefix := strconv.FormatUint(v, base), ""
			if conv == 'X' {
				digits = strings.ToUpper(digits)
			}
			if s.alt && v != 0 && base == 16 {
				prefix = "0" + string(conv)
			}
			if s.alt && base == 8 && s.prec <= len(digits) && v != 0 {
				s.prec = len(digits) + 1
			}
			b = s.integer(b, prefix, digits)
		case 'c':
			b = s.pad(b, string([]byte{byte(src.int(4))}))
		case 's':
			p := src.ptr()
			if c.err != nil {
				return b
			}
			if p.v == 0 {
				if s.prec >= 0 && s.prec < 6 {
					b = s.pad(b, "")
				} else {
					b = s.pad(b, "(null)")
				}
				break
			}
			lim := ^uint64(0)
			if s.prec >= 0 {
				lim = uint64(s.prec)
			}
			str, err := c.vm.cstring(p, lim, c.name)
			if err != nil {
				c.fail(err)
				return b
			}
			b = s.pad(b, string(str))
		case 'p':
			p := src.ptr()
			if p.v == 0 {
				b = s.pad(b, "(nil)")
			} else {
				b = s.integer(b, "0x", strconv.FormatUint(p.v, 16))
			}
		case 'n':
			c.storeInt(src.ptr(), size, uint64(len(b)))
		case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
			var f float64
			var wide *big.Float
			if long {
				f, wide = src.longDouble()
				if conv|32 == 'a' {
					c.fail(unsupported("printf conversion %%L%c", conv))
				}
			} else {
				f = src.float()
			}
			b = s.float(b, f, wide, conv)
		case 'm':
			b = s.pad(b, "Success")
		default:
			c.fail(unsupported("printf conversion %%%c", conv))
		}
		if c.err != nil {
			return b
		}
	}
	return b
}

// longDouble reads a long double; wide is its value where a double does not hold it.
func (s *argSource) longDouble() (f float64, wide *big.Float) {
	var r []reg
	if s.va {
		var err error
		if r, err = s.c.vm.vaArg(s.list, ir.X86FP80); err != nil {
			s.c.fail(err)
			return 0, nil
		}
	} else {
		s.c.reg(s.k)
		if s.k < len(s.c.args) {
			r = s.c.args[s.k]
		}
		s.k++
	}
	if len(r) == 1 {
		return math.Float64frombits(r[0].v), nil // long double is double here
	}
	if len(r) != 2 || r[0].u|r[1].u != 0 {
		s.c.fail(ub("undef or poison argument", "of %s", s.c.name))
		return 0, nil
	}
	n := split80(r)
	f = from80(n)
	if n.nan {
		return math.Copysign(math.NaN(), float64(1-2*int(b2u(n.neg)))), nil
	}
	if n.f != nil && n.f.Sign() != 0 {
		if d, acc := n.f.Float64(); acc != big.Exact || d == 0 {
			return f, n.f
		}
	}
	return f, nil
}

func (s *spec) pad(b []byte, str string) []byte {
	n := s.width - len(str)
	if !s.minus {
		for ; n > 0; n-- {
			b = append(b, ' ')
		}
	}
	b = append(b, str...)
	for ; n > 0; n-- {
		b = append(b, ' ')
	}
	return b
}

func (s *spec) integer(b []byte, prefix, digits string) []byte {
	if s.prec == 0 && digits == "0" {
		digits = ""
	}
	for len(digits) < s.prec {
		digits = "0" + digits
	}
	if s.zero && !s.minus && s.prec < 0 {
		if n := s.width - len(prefix) - len(digits); n > 0 {
			digits = strings.Repeat("0", n) + digits
		}
	}
	return s.pad(b, prefix+digits)
}

// float writes a number, wide where it is not nil.
func (s *spec) float(b []byte, f float64, wide *big.Float, conv byte) []byte {
	text := func(form byte, prec int) string {
		if wide != nil {
			return new(big.Float).Abs(wide).Text(form, prec)
		}
		return strconv.FormatFloat(math.Abs(f), form, prec, 64)
	}
	sign := ""
	switch {
	case wide == nil && math.Signbit(f), wide != nil && wide.Signbit():
		sign = "-"
	case s.plus:
		sign = "+"
	case s.space:
		sign = " "
	}
	upper := conv < 'a'
	low := conv | 32
	f = math.Abs(f)
	var str string
	if wide == nil && (f != f || math.IsInf(f, 0)) {
		str = "inf"
		if f != f {
			str = "nan"
		}
		if upper {
			str = strings.ToUpper(str)
		}
		return s.pad(b, sign+str)
	}
	switch low {
	case 'f', 'e':
		p := s.prec
		if p < 0 {
			p = 6
		}
		str = text(low, p)
		if p == 0 && s.alt {
			if k := strings.IndexByte(str, 'e'); k >= 0 {
				str = str[:k] + "." + str[k:]
			} else {
				str += "."
			}
		}
	case 'g':
		str = s.general(text)
	case 'a':
		str = hexFloat(f, s.prec, s.alt)
		sign += "0x"
	}
	if upper {
		str, sign = strings.ToUpper(str), strings.ToUpper(sign)
	}
	if s.zero && !s.minus {
		if n := s.width - len(sign) - len(str); n > 0 {
			str = strings.Repeat("0", n) + str
		}
	}
	return s.pad(b, sign+str)
}

func (s *spec) general(text func(byte, int) string) string {
	p := s.prec
	switch {
	case p < 0:
		p = 6
	case p == 0:
		p = 1
	}
	e := text('e', p-1)
	k := strings.IndexByte(e, 'e')
	x, _ := strconv.Atoi(e[k+1:])
	if x < -4 || x >= p {
		m := e[:k]
		if !s.alt && strings.IndexByte(m, '.') >= 0 {
			m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
		}
		return m + e[k:]
	}
	str := text('f', p-1-x)
	if !s.alt && strings.IndexByte(str, '.') >= 0 {
		str = strings.TrimRight(strings.TrimRight(str, "0"), ".")
	} else if s.alt && strings.IndexByte(str, '.') < 0 {
		str += "."
	}
	return str
}

// hexFloat writes what follows 0x.
func hexFloat(f float64, prec int, alt bool) string {
	bits := math.Float64bits(f)
	e, m := int(bits>>52), bits&(1<<52-1)
	lead := uint64(1)
	switch {
	case bits == 0:
		lead, e = 0, 1023
	case e == 0:
		lead, e = 0, 1
	}
	v := lead<<52 | m
	if prec >= 0 && prec < 13 {
		s := uint(52 - 4*prec)
		half := uint64(1) << (s - 1)
		rest := v & (1<<s - 1)
		v >>= s
		if rest > half || rest == half && v&1 != 0 {
			v++
		}
		v <<= s
	}
	digits := strconv.FormatUint(1<<52|v&(1<<52-1), 16)[1:]
	if prec < 0 {
		digits = strings.TrimRight(digits, "0")
	} else if prec <= 13 {
		digits = digits[:prec]
	} else {
		digits += strings.Repeat("0", prec-13)
	}
	str := strconv.FormatUint(v>>52, 10)
	if digits != "" || alt {
		str += "." + digits
	}
	x := e - 1023
	if x < 0 {
		return str + "p" + strconv.Itoa(x)
	}
	return str + "p+" + strconv.Itoa(x)
}

// floatLen returns the length of the number that s begins with, after n bytes of space.
func floatLen(s []byte) (space, n int) {
	for space < len(s) && class(int(s[space]))&ctSpace != 0 {
		space++
	}
	k := space
	if k < len(s) && (s[k] == '+' || s[k] == '-') {
		k++
	}
	rest := strings.ToLower(string(s[k:min(len(s), k+8)]))
	switch {
	case strings.HasPrefix(rest, "infinity"):
		return space, k + 8
	case strings.HasPrefix(rest, "inf"), strings.HasPrefix(rest, "nan"):
		return space, k + 3
	}
	hex := strings.HasPrefix(rest, "0x")
	is := ctDigit
	exp := byte('e')
	if hex {
		k += 2
		is, exp = ctXDigit, 'p'
	}
	digits := 0
	for dot := false; k < len(s); k++ {
		if s[k] == '.' && !dot {
			dot = true
			continue
		}
		if int(class(int(s[k])))&is == 0 {
			break
		}
		digits++
	}
	if digits == 0 {
		if hex {
			return space, k - 1 // the zero before x
		}
		return space, 0
	}
	if k < len(s) && s[k]|32 == exp {
		j := k + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j < len(s) && class(int(s[j]))&ctDigit != 0 {
			for j < len(s) && class(int(s[j]))&ctDigit != 0 {
				j++
			}
			k = j
		}
	}
	return space, k
}

// parseFloat reads a number as strtod does; n is the number of bytes used.
func parseFloat(s []byte) (float64, int) {
	from, to := floatLen(s)
	if to <= from {
		return 0, 0
	}
	f, _ := strconv.ParseFloat(goFloat(string(s[from:to])), 64)
	return f, to
}

func parseFloat32(s []byte) uint64 {
	from, to := floatLen(s)
	if to <= from {
		return 0
	}
	f, _ := strconv.ParseFloat(goFloat(string(s[from:to])), 32)
	return uint64(math.Float32bits(float32(f)))
}

// goFloat adds the exponent that Go's reader wants of hexadecimal numbers.
func goFloat(s string) string {
	l := strings.ToLower(s)
	if strings.Contains(l, "0x") && !strings.Contains(l, "p") {
		return s + "p0"
	}
	return s
}
