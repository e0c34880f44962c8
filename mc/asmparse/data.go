package asmparse

import (
	"encoding/base64"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// dataSize gives the size in bytes of the integers of a directive; some differ between targets.
func (p *Parser) dataSize(name string) (int, bool) {
	for i := range p.info.DataNames {
		if d := &p.info.DataNames[i]; d.Name == name {
			if d.Size == 0 {
				return p.info.PointerSize(), true
			}
			return int(d.Size), true
		}
	}
	switch name {
	case ".byte", ".dc.b", ".1byte":
		return 1, true
	case ".short", ".value", ".2byte", ".dc", ".dc.w":
		return 2, true
	case ".long", ".int", ".4byte", ".dc.l":
		return 4, true
	case ".quad", ".8byte":
		return 8, true
	case ".dc.a":
		return p.info.PointerSize(), true
	}
	return 0, false
}

// values reads integers and expressions of a size.
func (p *Parser) values(size int) error {
	return p.list(func() error {
		p.skip()
		at := p.pos
		t, err := p.expr()
		if err != nil {
			return err
		}
		if t.x != 0 {
			p.out.Value(t.x, size)
			return nil
		}
		if size < 8 {
			bits := uint(8 * size)
			if t.v>>bits != 0 && t.v>>(bits-1) != -1 {
				return errOff(at, "out of range literal value")
			}
		}
		if p.out.IsText() {
			p.out.Value(p.wrap(t), size) // with its sign
			return nil
		}
		p.out.Int(uint64(t.v), size)
		return nil
	})
}

// parseOcta reads .octa.
func parseOcta(p *Parser, _ string, _ int) error {
	return p.list(func() error {
		c := p.peek()
		at := p.pos
		neg := false
		if c == '-' {
			p.pos++
			neg = true
			c = p.peek()
		}
		if p.class[c]&isDigit == 0 {
			return p.errHere("unknown token in expression")
		}
		n, err := p.number()
		if err != nil {
			return err
		}
		v := n.big
		if v == nil {
			v = new(big.Int).SetUint64(n.v)
		}
		if v.BitLen() > 128 {
			return errOff(at, "out of range literal value")
		}
		if neg {
			v = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), v)
		}
		lo := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		hi := new(big.Int).Rsh(v, 64).Uint64()
		if p.info.BigEndian {
			lo, hi = hi, lo
		}
		p.out.Int(lo, 8)
		p.out.Int(hi, 8)
		return nil
	})
}

// realBits gives the bits of a number as a double.
func realBits(s string) uint64 {
	f, _ := strconv.ParseFloat(s, 64)
	return math.Float64bits(f)
}

// real reads a floating-point number of 4 or 8 bytes.
func (p *Parser) real(size int) (uint64, error) {
	neg := false
	if p.eat('-') {
		neg = true
	} else {
		p.eat('+')
	}
	c := p.peek()
	at := p.pos
	text := ""
	if p.class[c]&isDigit != 0 || c == '.' && p.pos+1 < len(p.text) && p.class[p.text[p.pos+1]]&isDigit != 0 {
		if c == '.' {
			k := p.pos + 1
			for k < len(p.text) && (p.class[p.text[k]]&isDigit != 0 || p.text[k]|0x20 == 'e' || (p.text[k] == '-' || p.text[k] == '+') && p.text[k-1]|0x20 == 'e') {
				k++
			}
			text = "0" + p.text[p.pos:k]
			p.pos = k
		} else {
			n, err := p.number()
			if err != nil {
				return 0, err
			}
			text = n.text
			if !n.real && strings.HasPrefix(text, "0x") {
				text += "p0"
			}
		}
	} else if w := p.word(); w != "" {
		switch strings.ToLower(w) {
		case "inf", "infinity":
			text = "inf"
		case "nan":
			text = "nan"
		default:
			return 0, errOff(at, "invalid floating point literal")
		}
		p.pos += len(w)
	} else {
		return 0, p.errHere("unexpected token")
	}
	if k := strings.TrimRight(text, "+-"); !strings.HasPrefix(text, "0x") {
		text = strings.TrimRight(k, "eE") // an exponent without digits is none
	}
	if size == 4 {
		f, err := strconv.ParseFloat(text, 32)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0, errOff(at, "invalid floating point literal")
		}
		b := math.Float32bits(float32(f))
		if text == "nan" {
			b = 0x7fffffff
		}
		if neg {
			b ^= 1 << 31
		}
		return uint64(b), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, errOff(at, "invalid floating point literal")
	}
	b := math.Float64bits(f)
	if text == "nan" {
		b = math.MaxInt64
	}
	if neg {
		b ^= 1 << 63
	}
	return b, nil
}

// parseReals reads .float, .single, .double and .dc.s, .dc.d.
func parseReals(p *Parser, name string, _ int) error {
	size := 4
	if name == ".double" || name == ".dc.d" {
		size = 8
	}
	return p.list(func() error {
		v, err := p.real(size)
		if err == nil {
			p.out.Int(v, size)
		}
		return err
	})
}

// parseStrings reads .ascii, .asciz and .string; several strings without commas are one of .ascii.
func parseStrings(p *Parser, name string, _ int) error {
	return p.list(func() error {
		for {
			s, err := p.str()
			if err != nil {
				return err
			}
			p.out.Bytes([]byte(s))
			if name != ".ascii" || p.peek() != '"' {
				break
			}
		}
		if name != ".ascii" {
			p.out.Bytes([]byte{0})
		}
		return nil
	})
}

// parseBase64 reads .base64: data in that encoding.
func parseBase64(p *Parser, _ string, _ int) error {
	if p.end() {
		return nil
	}
	return p.list(func() error {
		at := p.pos
		if c := p.peek(); c != '"' {
			return p.errHere("expected string")
		}
		s, err := p.str()
		if err != nil {
			return err
		}
		p.pos = at
		p.skip()
		b, err := base64.StdEncoding.DecodeString(s)
		switch {
		case s == "":
			p.fail(p.errHere("expected nonempty string"))
		case err != nil:
			p.fail(p.errHere("failed to base64 decode string data"))
		default:
			p.out.Bytes(b)
			_, _, _ = p.quoted()
			return nil
		}
		return p.errHere("expected string")
	})
}

// parseLEB reads .uleb128 and .sleb128.
func parseLEB(p *Parser, name string, _ int) error {
	return p.list(func() error {
		x, err := p.value()
		switch {
		case err != nil:
			return err
		case name == ".sleb128":
			p.out.SLEB128(x)
		default:
			p.out.ULEB128(x)
		}
		return nil
	})
}

// unitSize is the size of the values of .dcb.b, .ds.w and others.
func (p *Parser) unitSize(name string) (size int, real bool) {
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "b":
		return 1, false
	case "l":
		return 4, false
	case "s":
		return 4, true
	case "d":
		return 8, true
	case "p", "x":
		return 12, true
	}
	return 2, false
}

// parseDCB reads .dcb: a count and a value.
func parseDCB(p *Parser, name string, _ int) error {
	size, real := p.unitSize(name)
	if size == 12 {
		return p.errHere("%s not currently supported for this target", name)
	}
	p.skip()
	nat := p.pos
	n, err := p.absolute()
	if err != nil {
		return err
	}
	if n < 0 {
		p.warnAt(p.at(nat), 0, "'%s' directive with negative repeat count has no effect", name)
		return p.leftover()
	}
	if n > maxFill {
		return errOff(nat, "a fill of %d values is not supported", n)
	}
	if err := p.comma(); err != nil {
		return err
	}
	var emit func()
	if real {
		v, err := p.real(size)
		if err != nil {
			return err
		}
		emit = func() { p.out.Int(v, size) }
	} else {
		p.skip()
		vat := p.pos
		t, err := p.expr()
		if err != nil {
			return err
		}
		if t.x == 0 && size < 8 && t.v>>(8*size) != 0 && t.v>>(8*size-1) != -1 {
			return errOff(vat, "literal value out of range for directive")
		}
		emit = func() { p.out.Value(p.wrap(t), size) }
	}
	if err := p.eol(); err != nil {
		return err
	}
	for range n {
		emit()
	}
	return nil
}

// leftover is what LLVM says of the rest of a directive that it gave up.
func (p *Parser) leftover() error {
	if p.end() {
		return nil
	}
	return p.errHere("unexpected token at start of statement")
}

// maxFill bounds what one directive writes value by value.
const maxFill = 1 << 24

// parseDS reads .ds: room for values.
func parseDS(p *Parser, name string, _ int) error {
	size, _ := p.unitSize(name)
	p.skip()
	at := p.pos
	n, err := p.absolute()
	if err != nil {
		return err
	}
	if n < 0 {
		p.warnAt(p.at(at), 0, "'%s' directive with negative repeat count has no effect", name)
		return p.leftover()
	}
	if err := p.eol(); err != nil {
		return err
	}
	if n > maxFill {
		return errOff(at, "a fill of %d values is not supported", n)
	}
	for range n {
		p.out.Zeros(uint64(size))
	}
	return nil
}

// parseSpace reads .space, .skip and .zero.
func parseSpace(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	n, err := p.expr()
	if err != nil {
		return err
	}
	fill := int64(0)
	if p.eat(',') {
		if fill, err = p.absolute(); err != nil {
			return err
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	p.fill(n, 1, uint64(fill), at)
	return nil
}

// fill appends count values; at is where the count stands.
func (p *Parser) fill(count term, size int, v uint64, at int) {
	if count.x == 0 && count.v >= 0 {
		if v == 0 && size == 1 {
			p.out.Zeros(uint64(count.v))
		} else {
			p.out.Fill(uint64(count.v), size, v)
		}
		return
	}
	p.out.FillExpr(p.ctx.ExprAt(p.wrap(count), uint32(p.at(at))), size, v)
}

// parseFill reads .fill: count, size, value.
func parseFill(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	n, err := p.expr()
	if err != nil {
		return err
	}
	size, v := int64(1), int64(0)
	sizeAt, vAt := 0, 0
	if p.eat(',') {
		p.skip()
		sizeAt = p.pos
		if size, err = p.absolute(); err != nil {
			return err
		}
		if p.eat(',') {
			p.skip()
			vAt = p.pos
			if v, err = p.absolute(); err != nil {
				return err
			}
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if n.x == 0 && n.v < 0 {
		p.warnAt(p.at(at), 0, "'.fill' directive with negative repeat count has no effect")
		return nil
	}
	if size < 0 {
		p.warnAt(p.at(sizeAt), 0, "'.fill' directive with negative size has no effect")
		return nil
	}
	if size > 8 {
		p.warnAt(p.at(sizeAt), 0, "'.fill' directive with size greater than 8 has been truncated to 8")
		size = 8
	}
	if size > 4 && uint64(v)>>32 != 0 {
		p.warnAt(p.at(vAt), 0, "'.fill' directive pattern has been truncated to 32-bits")
		v = int64(uint32(v))
	}
	if n.x == 0 {
		if size > 0 {
			p.out.Fill(uint64(n.v), int(size), uint64(v))
		}
		return nil
	}
	p.out.FillExpr(p.ctx.ExprAt(n.x, uint32(p.at(at))), int(size), uint64(v))
	return nil
}

// parseOrg reads .org.
func parseOrg(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	t, err := p.expr()
	if err != nil {
		return err
	}
	fill := int64(0)
	if p.eat(',') {
		if fill, err = p.absolute(); err != nil {
			return err
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	p.out.Org(p.ctx.ExprAt(p.wrap(t), uint32(p.at(at))), byte(fill))
	return nil
}

// parseNops reads .nops.
func parseNops(p *Parser, _ string, _ int) error {
	p.skip()
	at := p.pos
	n, err := p.absolute()
	if err != nil {
		return err
	}
	limit, limitAt := int64(0), at
	if p.eat(',') {
		p.skip()
		limitAt = p.pos
		if limit, err = p.absolute(); err != nil {
			return err
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	if n <= 0 {
		return errOff(at, "'.nops' directive with non-positive size")
	}
	if limit < 0 {
		return errOff(limitAt, "'.nops' directive with negative NOP size")
	}
	if n > maxFill {
		return errOff(at, "nops of %d bytes are not supported", n)
	}
	p.out.Nops(uint64(n), uint64(limit), p.st)
	return nil
}

// parseAlign reads .align, .balign, .p2align and their forms with values of 2 and 4 bytes.
func parseAlign(p *Parser, name string, at int) error {
	power, size := false, 1
	switch name {
	case ".align32":
		power, size = p.info.AlignIsPower, 4
	case ".align":
		power = p.info.AlignIsPower
	case ".balignw":
		size = 2
	case ".balignl":
		size = 4
	case ".p2align":
		power = true
	case ".p2alignw":
		power, size = true, 2
	case ".p2alignl":
		power, size = true, 4
	}
	p.skip()
	nat := p.pos
	if p.end() && power && !strings.HasPrefix(name, ".align") {
		p.warnAt(p.at(at), 0, "p2align directive with no operand(s) is ignored")
		return nil
	}
	n, err := p.absolute()
	if err != nil {
		return err
	}
	fill, hasFill, limit, limitAt := int64(0), false, int64(0), -1
	fillAt := nat
	if p.eat(',') {
		if p.peek() != ',' {
			hasFill = true
			p.skip()
			fillAt = p.pos
			if fill, err = p.absolute(); err != nil {
				return err
			}
		}
		if p.eat(',') {
			p.skip()
			limitAt = p.pos
			if limit, err = p.absolute(); err != nil {
				return err
			}
		}
	}
	if err := p.eol(); err != nil {
		return err
	}
	var wrong error
	log2 := uint8(0)
	if power {
		if n < 0 || n > 31 {
			wrong = errOff(nat, "invalid alignment value")
			n = 31
		}
		log2 = uint8(n)
	} else {
		if n == 0 {
			n = 1
		}
		if n < 0 || n&(n-1) != 0 {
			wrong = errOff(nat, "alignment must be a power of 2")
			for n&(n-1) != 0 {
				n &= n - 1
			}
			n = max(n, 1)
		}
		if n > 1<<31 {
			wrong = errOff(nat, "alignment must be smaller than 2**32")
			n = 1
		}
		for ; n > 1; n >>= 1 {
			log2++
		}
	}
	if limitAt >= 0 && wrong == nil {
		if limit < 1 {
			wrong = errOff(limitAt, "alignment directive can never be satisfied in this many bytes, ignoring maximum bytes expression")
			limit = 0
		} else if limit >= 1<<log2 {
			p.warnAt(p.at(limitAt), 0, "maximum bytes expression exceeds alignment and has no effect")
			limit = 0
		}
	}
	if hasFill && fill != 0 && p.inBSS() {
		p.warnAt(p.at(fillAt), 0, "ignoring non-zero fill value in BSS section '%s'", p.ctx.SectionAt(p.out.Section()).Name)
		fill = 0
	}
	s := p.ctx.SectionAt(p.out.Section())
	if !hasFill && s.Flags&mc.FlagExec != 0 && size == 1 {
		p.out.AlignCode(log2, p.st, uint32(limit))
	} else {
		p.out.AlignValue(log2, fill, size, uint32(limit))
	}
	return wrong
}

func (p *Parser) inBSS() bool { return p.ctx.SectionAt(p.out.Section()).Type == mc.SecNoBits }
