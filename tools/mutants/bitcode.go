package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// bitcodeMaker makes mutants of a bitcode file, or of what llvm-as makes of a text.
func bitcodeMaker(r *rand.Rand, dir, path string) func() string {
	l := langNamed("bc")
	if strings.HasSuffix(path, ".ll") {
		out := filepath.Join(dir, "seed.bc")
		text := langNamed("ll")
		if text.run(llvmTool("llvm-as"), []string{path, "-o", out}, path).verdict != "" {
			return nil
		}
		path = out
	}
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(b), "BC\xC0\xDE") {
		return nil
	}
	plain := rewrite(b, nil)
	if plain == nil {
		return nil
	}
	p, err := l.place(dir, string(plain))
	if err != nil || l.askLLVM(p, "", false).verdict != "" {
		return nil
	}
	return func() string { return string(rewrite(b, r)) }
}

// Ids of blocks and records that say where others stand (LLVMBitCodes.h).
const (
	moduleBlock = 8
	vstBlock    = 14
	mdBlock     = 15
	strtabBlock = 23
	symtabBlock = 25

	moduleVSTOffset = 13
	vstFnEntry      = 3
	mdIndexOffset   = 38
	mdIndex         = 39
	moduleHash      = 17
)

// rewrite reads a bit stream, changes it when r is not nil, and writes it with
// the offsets that it holds set right. Indexes and the symbol table, which may
// be left out, are.
func rewrite(b []byte, r *rand.Rand) []byte {
	top, err := parseBits(b)
	if err != nil {
		return nil
	}
	kept := top[:0]
	for _, t := range top {
		if t.id != symtabBlock {
			kept = append(kept, t)
		}
	}
	top = kept
	base := 0 // words before the identification block, which offsets count from
	walk(top, func(p *item) {
		in := p.items[:0]
		for _, x := range p.items {
			if p.id == mdBlock && !x.block && !x.isDefine && (x.code == mdIndexOffset || x.code == mdIndex) {
				continue
			}
			in = append(in, x)
		}
		p.items = in
	})
	if r != nil {
		for n := 1 + r.IntN(5)/4; n > 0; n-- {
			changeBits(r, top)
		}
	}
	w := writeBits(top)
	// Offsets are in words; a block's is that of its first word behind the length, less one or two.
	move := func(v uint64) uint64 {
		for d := range 3 {
			if n, ok := w.newPos[int(v)+base+d]; ok {
				return uint64(n - base - d)
			}
		}
		return v
	}
	walk(top, func(p *item) {
		for _, x := range p.items {
			if x.block || x.isDefine || len(x.ops) == 0 {
				continue
			}
			if p.id == moduleBlock && x.code == moduleVSTOffset {
				x.ops[0] = move(x.ops[0])
			}
			if p.id == vstBlock && x.code == vstFnEntry && len(x.ops) > 1 {
				x.ops[1] = move(x.ops[1])
			}
		}
	})
	return writeBits(top).b
}

func walk(items []*item, f func(*item)) {
	for _, x := range items {
		if x.block {
			f(x)
			walk(x.items, f)
		}
	}
}

// changeBits changes one thing: an operand, the number of operands, a code, a
// record, a block, an abbreviation, a blob's byte.
func changeBits(r *rand.Rand, top []*item) {
	var blocks, records []*item
	owner := map[*item]*item{}
	walk(top, func(p *item) {
		blocks = append(blocks, p)
		for _, x := range p.items {
			owner[x] = p
			if !x.block && !x.isDefine && p.id != 0 {
				records = append(records, x)
			}
		}
	})
	if len(records) == 0 {
		return
	}
	// Blocks are as likely as each other, whatever their size.
	p := blocks[r.IntN(len(blocks))]
	x := records[r.IntN(len(records))]
	if len(p.items) > 0 && r.IntN(2) == 0 {
		if y := p.items[r.IntN(len(p.items))]; !y.block && !y.isDefine {
			x = y
		}
	}
	p = owner[x]
	at := 0
	for i := range p.items {
		if p.items[i] == x {
			at = i
		}
	}
	value := func(old uint64) uint64 {
		switch r.IntN(6) {
		case 0:
			return old + 1
		case 1:
			return old - min(1, old)
		case 2:
			return uint64(r.IntN(64))
		case 3:
			return old ^ 1<<r.IntN(12)
		case 4:
			return []uint64{0, 1, 2, 4, 255, 1 << 16, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 63, 1<<64 - 1}[r.IntN(12)]
		}
		if o := records[r.IntN(len(records))]; len(o.ops) > 0 {
			return o.ops[r.IntN(len(o.ops))]
		}
		return old + 2
	}
	switch n := r.IntN(100); {
	case n < 50 && len(x.ops) > 0:
		i := r.IntN(len(x.ops))
		x.ops[i] = value(x.ops[i])
	case n < 60 && len(x.ops) > 0:
		x.ops = x.ops[:len(x.ops)-1-r.IntN(min(2, len(x.ops)))]
	case n < 66:
		x.ops = append(x.ops, value(1))
	case n < 74:
		if x.code = uint64(r.IntN(60)); r.IntN(2) == 0 {
			x.code = records[r.IntN(len(records))].code
		}
		x.abbrev = noAbbrev
	case n < 82:
		p.items = append(p.items[:at:at], p.items[at+1:]...)
	case n < 88:
		y := *x
		y.ops = append([]uint64(nil), x.ops...)
		p.items = append(p.items[:at:at], append([]*item{&y}, p.items[at:]...)...)
	case n < 92 && at+1 < len(p.items):
		p.items[at], p.items[at+1] = p.items[at+1], p.items[at]
	case n < 95:
		b := blocks[r.IntN(len(blocks))]
		if o := owner[b]; o != nil {
			for i := range o.items {
				if o.items[i] == b {
					if r.IntN(2) == 0 {
						o.items = append(o.items[:i:i], o.items[i+1:]...)
					} else {
						o.items = append(o.items[:i:i], append([]*item{b}, o.items[i:]...)...)
					}
					break
				}
			}
		} else {
			b.id = uint32(r.IntN(30))
		}
	case len(x.blob) > 0:
		x.blob[r.IntN(len(x.blob))] ^= 1 << r.IntN(8)
	default:
		x.ops = append(x.ops, x.ops...)
	}
}
