package irtext

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
)

// The attributes of intrinsics, written by gen/intrinsics.py from LLVM 22's headers.
//
//go:embed zz_intrattrs.txt
var intrinsicAttrs string

//go:embed zz_intrinsics.txt
var intrinsicRows string

// intrinsicCombo returns the line of zz_intrattrs.txt of an intrinsic: that
// of the longest name before a dot.
func intrinsicCombo(name string) (combo string, ok bool) {
	for base := name; base != ""; {
		if n, ok := intrinsicRow(base); ok {
			rest := intrinsicAttrs
			for ; n > 0; n-- {
				rest = rest[strings.IndexByte(rest, '\n')+1:]
			}
			return rest[:strings.IndexByte(rest, '\n')], true
		}
		dot := strings.LastIndexByte(base, '.')
		if dot < 0 {
			break
		}
		base = base[:dot]
	}
	return "", false
}

// intrinsicRow finds a row of zz_intrinsics.txt by bisection over its bytes.
func intrinsicRow(name string) (n int, ok bool) {
	lo, hi := 0, len(intrinsicRows)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := lo + strings.LastIndexByte(intrinsicRows[lo:mid], '\n') + 1
		end := start + strings.IndexByte(intrinsicRows[start:], '\n')
		key, num, _ := strings.Cut(intrinsicRows[start:end], " ")
		switch {
		case key == name:
			n, err := strconv.Atoi(num)
			return n, err == nil
		case key < name:
			lo = end + 1
		default:
			hi = start
		}
	}
	return 0, false
}

// setIntrinsicAttrs gives a declared intrinsic the attributes that LLVM gives
// it, whatever the text says.
func (p *parser) setIntrinsicAttrs(g *ir.Global) {
	combo, ok := intrinsicCombo(strings.TrimPrefix(g.Name, "llvm."))
	if !ok {
		return
	}
	list := &ir.AttrList{}
	params := p.t.Subtypes(g.ValueType)
	for i, part := range strings.Split(combo, "|") {
		place, t := onFn, ir.NoType
		n := 0
		if i > 0 {
			num, text, _ := strings.Cut(part, ":")
			n, _ = strconv.Atoi(num)
			part, place, t = text, onParam, p.t.Result(g.ValueType)
			if n == 0 {
				place = onRet
			} else if n > len(params) {
				return // not the intrinsic that the name says
			} else {
				t = params[n-1]
			}
			t = p.t.Scalar(t)
			if strings.Contains(part, "range(%") && p.t.IntBits(t) == 0 {
				return
			}
			part = strings.ReplaceAll(part, "range(%", "range("+p.typeString(t))
		}
		sub := &parser{shared: p.shared, worker: p.worker}
		sub.src, sub.end = part, len(part)
		sub.next()
		if place == onFn {
			list.Fn, _, _ = sub.fnAttrs(false)
			continue
		}
		set := sub.attrs(place)
		if sub.err != nil {
			return
		}
		if n == 0 {
			list.Ret = set
			continue
		}
		for len(list.Params) < n {
			list.Params = append(list.Params, nil)
		}
		list.Params[n-1] = set
	}
	g.Attrs = p.m.Attrs.Intern(list)
}
