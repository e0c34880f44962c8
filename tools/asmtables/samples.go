package main

import (
	"fmt"
	"math/rand"
	"strings"
)

// samples are the texts whose operands are shown to the classes: all kinds of operands, by the
// mnemonics that read them so. The first word of "foo" is no mnemonic: its operands are read by
// what they look like.
func samples(specs []string) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for i := range 32 {
		for _, k := range []string{"w", "x", "b", "h", "s", "d", "q"} {
			add("foo %s%d", k, i)
		}
		for _, k := range []string{"b", "h", "s", "d", "q", "2b", "2h", "1q", "8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d", "4b"} {
			add("foo v%d.%s", i, k)
			for n := 1; n <= 4; n++ {
				add("foo { %s }", list("v", i, n, 1, 32, "."+k))
			}
		}
		for n := 1; n <= 4; n++ {
			add("foo { %s }", list("v", i, n, 1, 32, ""))
		}
		for _, k := range []string{"", ".b", ".h", ".s", ".d", ".q"} {
			add("ldr z%d%s, x0", i, k)
			if k != "" {
				add("add z%d%s, x0", i, k)
			}
			for n := 1; n <= 4; n++ {
				for _, stride := range []int{1, 2, 4, 8, 16} {
					if n > 1 || stride == 1 {
						add("ld1b { %s }", list("z", i, n, stride, 32, k))
					}
				}
			}
		}
		for _, w := range []string{"s", "d", "b", "h", "q"} {
			for _, sh := range []string{"lsl", "uxtw", "sxtw", "uxtx", "sxtx", "lsr"} {
				for amount := range 6 {
					if i < 3 || w == "s" || w == "d" {
						add("ld1b { z0.d }, p0/z, [x0, z%d.%s, %s #%d]", i, w, sh, amount)
					}
				}
				if sh[0] != 'l' {
					add("ld1b { z0.d }, p0/z, [x0, z%d.%s, %s]", i, w, sh)
				}
			}
		}
	}
	for _, r := range []string{"wsp", "sp", "wzr", "xzr", "ffr", "zt0", "vg", "nzcv", "fpcr", "fpmr"} {
		add("foo %s", r)
	}
	for i := range 16 {
		for _, k := range []string{"", ".b", ".h", ".s", ".d", ".q"} {
			add("abs z0.b, p%d%s", i, k)
			add("cntp x0, pn%d%s", i, k)
			for n := 1; n <= 4; n++ {
				for _, stride := range []int{1, 2, 4, 8} {
					if n > 1 || stride == 1 {
						add("whilege { %s }", list("p", i, n, stride, 16, k))
					}
				}
			}
		}
		add("sys #0, c%d", i)
		for _, k := range []string{"lsl", "uxtw", "sxtw", "uxtx", "sxtx"} {
			for _, w := range []string{"x", "w"} {
				for amount := range 6 {
					add("ld1b { z0.b }, p0/z, [x0, %s%d, %s #%d]", w, 2*i+1, k, amount)
					add("ld1b { z0.b }, p0/z, [x0, %s%d, %s #%d]", w, 2*i, k, amount)
				}
				if k[0] != 'l' {
					add("ld1b { z0.b }, p0/z, [x0, %s%d, %s]", w, 2*i, k)
				}
			}
		}
	}
	for i := 0; i < 31; i += 2 {
		add("casp x%d, x%d", i, i+1)
		add("casp w%d, w%d", i, i+1)
		if i <= 22 {
			add("ld64b x%d", i)
		}
	}
	add("ld1b { z0.b }, p0/z, [x0, xzr, lsl #0]")
	add("ld1b { z0.b }, p0/z, [x0, xzr, lsl #1]")
	add("ld1b { z0.b }, p0/z, [x0, xzr, lsl #2]")
	add("ld1b { z0.b }, p0/z, [x0, xzr, lsl #3]")
	add("ld1b { z0.b }, p0/z, [x0, xzr, lsl #4]")
	add("ld1b { z0.b }, p0/z, [x0, sp, lsl #1]")
	add("sysp #0, c0, c0, #0, xzr, xzr")
	add("foo v0.b[]")
	for i := -2; i < 70; i++ {
		add("foo v0.b[%d]", i)
	}
	for i, w := range []string{"b", "h", "s", "d", "q"} {
		for n := range 1 << i {
			add("mova za%d.%s, x0", n, w)
			add("mova za%dh.%s[w12, 0], x0", n, w)
			add("mova za%dv.%s[w12, 0], x0", n, w)
		}
		add("mova za.%s[w12, 0], x0", w)
	}
	add("mova za[w12, 0], x0")
	for mask := range 256 {
		var l []string
		for i := range 8 {
			if mask>>i&1 != 0 {
				l = append(l, fmt.Sprintf("za%d.d", i))
			}
		}
		add("zero { %s }", strings.Join(l, ", "))
	}
	for _, v := range numbers() {
		add("foo #%d", v)
	}
	for _, shift := range []int{1, 4, 8, 12, 16, 24, 32} {
		for _, v := range shiftable() {
			add("add x0, x1, #%d, lsl #%d", v, shift)
		}
		add("add x0, x1, #sym, lsl #%d", shift)
		for _, s := range specs {
			add("add x0, x1, #:%s:sym, lsl #%d", s, shift)
		}
	}
	add("foo sym")
	add("foo sym+8")
	add("foo a-b")
	for _, s := range specs {
		add("foo :%s:sym", s)
	}
	for _, k := range []string{"lsl", "lsr", "asr", "ror", "msl", "uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"} {
		for amount := -1; amount < 70; amount++ {
			add("foo x0, %s #%d", k, amount)
		}
		if k[1] == 'x' {
			add("foo x0, %s", k)
		}
	}
	for _, c := range []string{"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"} {
		add("csel x0, x1, x2, %s", c)
	}
	for i := range 256 {
		add("fmov d0, #0x%x", i)
	}
	for _, f := range []string{"0.0", "0.5", "1.0", "2.0", "0.1", "-0.0", "100.0", "3.25"} {
		add("fmov d0, #%s", f)
		add("fadd z0.h, p0/m, z0.h, #%s", f)
	}
	for i := range 16 {
		add("dsb #%d", i)
	}
	for _, n := range []string{"16", "20", "24", "28"} {
		add("dsb #%s", n)
	}
	for i := range 32 {
		add("prfm #%d", i)
	}
	for i := range 16 {
		add("prfb #%d", i)
	}
	for i := range 64 {
		add("rprfm #%d", i)
	}
	lines = append(lines, "psb csync", "bti c", "bti j", "bti jc", "bti r", "stshh keep", "stshh strm", "shuh ph", "tchangeb x0, nb", "tchangeb x0, x1, nb")
	for i := range 16 {
		for _, d := range []int{-1, 0, 1, 2, 3, 4, 7} {
			add("mova za.b[w12, %d:%d]", i, i+d)
		}
	}
	for _, t := range []string{"[", "]", "!", "{", "}", "mul vl", "mul #3", "vgx2", "vgx4", "x0]", "x0!", "x0}", "p0/z", "p0/m"} {
		add("foo %s", t)
		add("abs z0.b, %s", t)
	}
	for _, v := range []string{"x0, [x1]!", "{ x0 }", "#0.0"} {
		add("foo %s", v)
	}
	add("fcmp s0, #0.0")
	for i := range 16 {
		for _, k := range []string{"", ".b", ".h", ".s", ".d", "/z"} {
			add("whilege pn%d%s, x0, x1, vlx2", i, k)
			add("ptrue pn%d%s", i, k)
			add("ld1b { z0.b, z1.b }, pn%d%s, [x0]", i, k)
			add("sel z0.b, pn%d%s", i, k)
		}
	}
	lines = append(lines, "b.eq foo", "bc.ne foo", "ld1b { za0h.b[w12, 0] }, p0/z, [x0]", "movprfx z0, p0/m, z1")
	for _, k := range []string{"8b", "16b", "4h", "8h", "2s", "4s", "1d", "2d", "1q", "b", "h", "s", "d"} {
		add("add.%s v0, v1, v2", k)
	}
	for _, t := range []string{"smstart sm", "smstart za", "brb iall", "brb inj", "gcsb dsync"} {
		add("%s", t)
	}
	for _, r := range []string{"MIDR_EL1", "OSLAR_EL1", "SCTLR_EL1", "PAN", "SPSel", "DAIFSet", "UAO", "DIT", "TCO", "SSBS", "ALLINT", "PM", "nosuch", "S3_0_C1_C2_3"} {
		add("mrs x0, %s", r)
		add("msr %s, x0", r)
	}
	for _, r := range []string{"svcrsm", "svcrza", "svcrsmza"} {
		add("msr %s, #1", r)
	}
	return lines
}

// list writes n registers that follow each other in a circle.
func list(prefix string, first, n, stride, size int, suffix string) string {
	var l []string
	for i := range n {
		l = append(l, fmt.Sprintf("%s%d%s", prefix, (first+i*stride)%size, suffix))
	}
	return strings.Join(l, ", ")
}

// shiftable are numbers that may be shifted.
func shiftable() (out []int64) {
	for v := int64(-260); v <= 260; v++ {
		out = append(out, v)
	}
	return append(out, 1000, 4094, 4095, 4096, 4097, -4095, -4096, -1000, 65535, 65536, 32768)
}

// numbers are immediates: small ones, those around powers of two, and those that masks and
// moves are made of.
func numbers() []int64 {
	seen := map[int64]bool{}
	var out []int64
	add := func(v int64) {
		if !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	for v := int64(-1100); v <= 1100; v++ {
		add(v)
	}
	for v := int64(0); v <= 70000; v += 16 {
		add(v)
		add(-v)
	}
	for k := range 64 {
		for d := int64(-3); d <= 3; d++ {
			add(1<<k + d)
			add(-(1 << k) + d)
		}
		add(1<<k - 4096)
		add(4096 - 1<<k)
		add(1<<k - 4)
		add(1<<k - 8)
		add(1<<k - 16)
	}
	r := rand.New(rand.NewSource(1))
	for range 400 {
		w := []uint{2, 4, 8, 16, 32, 64}[r.Intn(6)]
		ones := 1 + uint(r.Intn(int(w)-1))
		e := uint64(1)<<ones - 1
		rot := uint(r.Intn(int(w)))
		mask := ^uint64(0) >> (64 - w)
		e = (e>>rot | e<<(w-rot)) & mask
		for n := w; n < 64; n *= 2 {
			e |= e << n
		}
		add(int64(e))
		add(int64(e & 0xffffffff))
		add(int64(int32(e)))
		add(int64(e & 0xffff))
		add(int64(int16(e)))
		add(int64(e & 0xff))
		add(int64(int8(e)))
		add(^int64(e & 0xffff))
		add(int64(e) ^ 1<<uint(r.Intn(64)))
	}
	for range 300 {
		sh := 16 * uint(r.Intn(4))
		v := int64(r.Intn(65536)) << sh
		add(v)
		add(^v)
		add(^v & 0xffffffff)
		add(v >> 1)
		b := int64(r.Intn(256))
		add(b << 8)
		add(int64(int8(b)) << 8)
		m := int64(0)
		for i := range 8 {
			if r.Intn(2) == 1 {
				m |= 255 << (8 * i)
			}
		}
		add(m)
		add(r.Int63() >> uint(r.Intn(60)))
	}
	return out
}
