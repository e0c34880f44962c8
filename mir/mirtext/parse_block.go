package mirtext

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mir"
)

// miParser reads the instruction language: a function's body, or a scalar of
// the function's document.
type miParser struct {
	lexer
	*funcReader
	base     int  // added to offsets: 0 in a body, which is lexed in place
	inScalar bool // src is the text of a scalar, not the file
	cur      mir.BlockID
	ops      []mir.Operand
	ties     []tie
	begins   []int  // start of each register operand
	ends     []int  // end of each operand
	badType  string // what is said about a type that is wrong, when set
}

type tie struct{ use, def int }

// error reports a fault at the current token.
func (p *miParser) error(msg string) bool { return p.errorOff(p.off, msg) }

func (p *miParser) errorOff(off int, msg string) bool {
	if p.tok == tError && p.lexErr != "" {
		msg, off = p.lexErr, p.lexer.off
	}
	if p.funcReader.err == nil {
		if p.inScalar {
			line, col, text := diag.Locate([]byte(p.funcReader.src), p.base+off)
			p.funcReader.err = &diag.Diagnostic{File: p.name(), Line: line, Col: col, Msg: msg, Source: text, WordFirst: true}
		} else {
			p.funcReader.fail(off, msg)
		}
	}
	p.tok, p.pos = tEOF, p.end
	return false
}

func (p *miParser) name() string { return p.funcReader.reader.name }

func (p *miParser) ok() bool { return p.funcReader.err == nil }

// is reports whether the current token is the word w.
func (p *miParser) is(w string) bool { return p.tok == tIdent && p.text == w }

func (p *miParser) eat(t token) bool {
	if p.tok != t {
		return false
	}
	p.next()
	return true
}

func (p *miParser) eatWord(w string) bool {
	if !p.is(w) {
		return false
	}
	p.next()
	return true
}

func tokenText(t token) string {
	switch t {
	case tColons:
		return "'::'"
	}
	return "'" + string(rune(t)) + "'"
}

func (p *miParser) expect(t token) bool {
	if p.tok != t {
		return p.error("expected " + tokenText(t))
	}
	p.next()
	return true
}

// body returns a parser of the function's body.
func (r *funcReader) body() *miParser {
	n := r.root.get("body")
	p := &miParser{funcReader: r}
	if n == nil {
		return p
	}
	if n.kind == blockNode {
		p.src, p.pos, p.end = r.reader.src, n.off, n.end
		return p
	}
	p.src, p.end, p.base, p.inScalar = n.text, len(n.text), n.off, true
	return p
}

// blockDefinitions makes all blocks of the body, so that references can be read.
func (r *funcReader) blockDefinitions() {
	p := r.body()
	p.next()
	for p.tok == tNewline {
		p.next()
	}
	if p.tok == tEOF {
		return
	}
	if p.tok != tBlockLabel {
		p.error("expected a basic block definition before instructions")
		return
	}
	for p.ok() && p.tok != tEOF {
		if !p.blockDefinition() {
			return
		}
		if !p.passBlock() {
			return
		}
	}
	if p.ok() {
		// Names are settled: numbers become the layout's.
		r.f.RenumberBlocks()
	}
}

// passBlock passes over a block's lines to the next label, which begins a line.
func (p *miParser) passBlock() bool {
	line, depth := false, 0
	for (p.tok != tBlockLabel || !line) && p.tok != tEOF {
		switch p.tok {
		case tError:
			return p.error("")
		case tBlockLabel:
			return p.error("basic block definition should be located at the start of the line")
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return p.error("extraneous closing brace ('}')")
			}
		}
		line = p.tok == tNewline
		p.next()
	}
	if depth > 0 {
		return p.error("expected '}'")
	}
	return true
}

func (p *miParser) blockDefinition() bool {
	if p.large() {
		return false
	}
	num, name, off := p.num, p.text, p.off
	f := p.f
	p.next()
	blk := mir.Block{}
	if p.eat('(') {
		for {
			if !p.blockAttribute(&blk) {
				return false
			}
			if !p.eat(',') {
				break
			}
		}
		if !p.expect(')') {
			return false
		}
	}
	if p.tok != ':' {
		return p.error("expected ':'")
	}
	p.next()
	if name != "" {
		p.irNumbers()
		id := p.irBlock[name]
		if id == 0 {
			return p.errorOff(off, "basic block '"+name+"' is not defined in the function '"+f.Name+"'")
		}
		blk.IRBlock = uint32(id)
	}
	if _, dup := p.blocks[num]; dup {
		return p.errorOff(off, "redefinition of machine basic block with id #"+strconv.FormatUint(num, 10))
	}
	b := f.AddBlock()
	p.blocks[num] = b
	known := *f.Block(b)
	known.IRBlock, known.AddrTakenIR, known.Flags, known.Align, known.SectionID = blk.IRBlock, blk.AddrTakenIR, blk.Flags, blk.Align, blk.SectionID
	known.BBID, known.BBIDClone, known.CallFrame = blk.BBID, blk.BBIDClone, blk.CallFrame
	blk = known
	*f.Block(b) = blk
	return true
}

func (p *miParser) blockAttribute(b *mir.Block) bool {
	switch {
	case p.tok == tIRBlock || p.tok == tIRBlockNum:
		id, ok := p.irBlockRef(p.f.IR)
		if !ok {
			return false
		}
		b.IRBlock = uint32(id)
		return true
	case p.tok != tIdent:
		return true // what LLVM does not know ends the list
	}
	w := p.text
	before := p.lexer
	p.next()
	switch w {
	case "machine-block-address-taken":
		b.Flags |= mir.MachineAddrTaken
	case "ir-block-address-taken":
		if p.tok != tIRBlock && p.tok != tIRBlockNum {
			return p.error("expected basic block after 'ir_block_address_taken'")
		}
		id, ok := p.irBlockRef(p.f.IR)
		b.AddrTakenIR = uint32(id)
		return ok
	case "landing-pad":
		b.Flags |= mir.EHPad
	case "inlineasm-br-indirect-target":
		b.Flags |= mir.InlineAsmBrTarget
	case "ehscope-entry":
		b.Flags |= mir.EHScopeEntry
	case "ehfunclet-entry":
		b.Flags |= mir.EHFuncletEntry
	case "align":
		v, ok := p.unsigned("expected an integer literal after 'align'")
		if !ok {
			return false
		}
		if v == 0 || v&(v-1) != 0 {
			return p.errorOff(p.off, "expected a power-of-2 literal after 'align'")
		}
		for v > 1 {
			v >>= 1
			b.Align++
		}
	case "bbsections":
		switch {
		case p.eatWord("Exception"):
			b.SectionID = mir.SectionException
		case p.eatWord("Cold"):
			b.SectionID = mir.SectionCold
		default:
			v, ok := p.anyUint32("Unknown Section ID")
			b.SectionID = v
			return ok
		}
	case "bb_id":
		v, ok := p.anyUint32("Unknown BB ID")
		if !ok {
			return false
		}
		b.BBID = v + 1
		if p.tok == tInt {
			b.BBIDClone, ok = p.anyUint32("Unknown Clone ID")
			return ok
		}
	case "call-frame-size":
		v, ok := p.anyUint32("Unknown call frame size")
		b.CallFrame = int32(v)
		return ok
	default:
		p.lexer = before
	}
	return true
}

// anyUint32 reads a number that may have a sign, of which LLVM takes the bits
// that hold it: -4 is 4, -5 is 11.
func (p *miParser) anyUint32(msg string) (uint32, bool) {
	v, ok := uint64(0), false
	switch p.tok {
	case tInt:
		n, err := strconv.ParseInt(p.text, 10, 64)
		if v = uint64(n); n < 0 {
			v &= 1<<(bits.Len64(^v)+1) - 1
		}
		ok = err == nil
	case tHex:
		n, err := strconv.ParseUint(p.text[2:], 16, 64)
		v, ok = n, err == nil
	}
	if !ok || v > math.MaxUint32 {
		return 0, p.error(msg)
	}
	p.next()
	return uint32(v), true
}

// unsigned reads a number.
func (p *miParser) unsigned(msg string) (uint64, bool) {
	if p.tok != tInt || p.text[0] == '-' {
		if p.tok == tHex {
			v, err := strconv.ParseUint(p.text[2:], 16, 64)
			if err == nil {
				p.next()
				return v, true
			}
		}
		return 0, p.error(msg)
	}
	v, err := strconv.ParseUint(p.text, 10, 64)
	if err != nil {
		return 0, p.error("expected 64-bit integer (too large)")
	}
	p.next()
	return v, true
}

// decimal is unsigned for places where a hexadecimal number may not stand.
func (p *miParser) decimal(msg string) (uint64, bool) {
	if p.tok == tHex {
		return 0, p.error(msg)
	}
	return p.unsigned(msg)
}

// bits32 reads a number of at most 32 bits, as anyUint32 does.
func (p *miParser) bits32(msg string) uint32 {
	if p.tok != tInt && p.tok != tHex {
		p.error(msg)
		return 0
	}
	v, _ := p.anyUint32("expected 32-bit integer (too large)")
	return v
}

// irBlockRef reads %ir-block.X of fn.
func (p *miParser) irBlockRef(fn *ir.Function) (id ir.BlockID, ok bool) {
	p.irNumbers()
	if fn == p.f.IR {
		if p.tok == tIRBlock {
			id = p.irBlock[p.text]
		} else if int(p.num) < len(p.irBlocks) {
			id = p.irBlocks[p.num]
		}
	} else if fn != nil {
		for i := 1; i < len(fn.Blocks); i++ {
			if p.tok == tIRBlock && fn.BlockNames[i] == p.text ||
				p.tok == tIRBlockNum && fn.BlockNames[i] == "" && p.slots.Block(fn, ir.BlockID(i)) == int(p.num) {
				id = ir.BlockID(i)
			}
		}
	}
	if id == 0 {
		if p.tok == tIRBlock {
			return 0, p.error("use of undefined IR block '" + "%ir-block." + p.text + "'")
		}
		return 0, p.error("use of undefined IR block '%ir-block." + strconv.FormatUint(p.num, 10) + "'")
	}
	p.next()
	return id, true
}

// instructions reads the body.
func (r *funcReader) instructions() {
	p := r.body()
	p.next()
	for p.ok() {
		for p.tok == tNewline {
			p.next()
		}
		if p.tok == tEOF {
			break
		}
		b := r.blocks[p.num]
		for p.tok != ':' { // the label was read before
			p.next()
		}
		p.next()
		p.block(b)
	}
}

func (p *miParser) block(b mir.BlockID) {
	f := p.f
	p.cur = b
	explicit := false
	for p.ok() {
		switch {
		case p.tok == tNewline:
			p.next()
			continue
		case p.is("successors"):
			explicit = true
			p.successors(b)
			continue
		case p.is("liveins"):
			p.blockLiveIns(b)
			continue
		case p.tok == tError:
			p.error("")
			return
		}
		break
	}
	inBundle := false
	for p.ok() && p.tok != tEOF && p.tok != tBlockLabel {
		if p.tok == tNewline {
			p.next()
			continue
		}
		if p.tok == '}' {
			if !inBundle {
				p.error("extraneous closing brace ('}')")
				return
			}
			inBundle = false
			p.next()
			continue
		}
		i := p.instr()
		if !p.ok() {
			return
		}
		f.Append(b, i)
		if inBundle {
			f.BundleWithPred(i)
		}
		if p.tok == '{' {
			if inBundle {
				p.error("nested instruction bundles are not allowed")
				return
			}
			p.next()
			inBundle = true
			if p.tok != tNewline && p.tok != tEOF {
				p.error("expected newline")
				return
			}
			continue
		}
		if p.tok != tNewline && p.tok != tEOF {
			p.error("expected newline at the end of instruction")
			return
		}
	}
	if inBundle && p.ok() {
		p.error("expected '}'")
		return
	}
	if !explicit && p.ok() {
		var buf [8]mir.BlockID
		for _, s := range guessSuccessors(f, b, buf[:0]) {
			f.AddSucc(b, s)
		}
	}
}

func (p *miParser) successors(b mir.BlockID) {
	p.next()
	if !p.expect(':') || p.tok == tNewline || p.tok == tEOF {
		return
	}
	var buf [16]mir.Prob
	probs := buf[:0]
	var succs [16]mir.BlockID
	list := succs[:0]
	for {
		if p.tok != tBlockRef {
			p.error("expected a machine basic block reference")
			return
		}
		s := p.blockRef()
		prob := mir.Prob(0)
		if p.tok == '(' {
			p.next()
			off := p.off
			v, ok := p.unsigned("expected an integer literal after '('")
			if !ok {
				return
			}
			if v > uint64(^uint32(0)) {
				p.errorOff(off, "expected 32-bit integer (too large)")
				return
			}
			prob = mir.Prob(v)
			if !p.expect(')') {
				return
			}
		}
		list, probs = append(list, s), append(probs, prob)
		if !p.eat(',') {
			break
		}
	}
	for i, s := range list {
		p.f.AddSuccProb(b, s, probs[i])
	}
	p.f.NormalizeSuccProbs(b)
	if p.tok != tNewline && p.tok != tEOF {
		p.error("expected line break at the end of a list")
	}
}

func (p *miParser) blockLiveIns(b mir.BlockID) {
	p.next()
	if !p.expect(':') || p.tok == tNewline || p.tok == tEOF {
		return
	}
	for {
		if p.tok != tPhysReg {
			p.error("expected a named register")
			return
		}
		reg := p.register()
		mask := mir.AllLanes
		if p.eat(':') {
			if p.tok != tInt && p.tok != tHex {
				p.error("expected a lane mask")
				return
			}
			mask = p.laneMask()
		}
		if !p.ok() {
			return
		}
		p.f.AddLiveIn(b, reg, mask)
		if !p.eat(',') {
			break
		}
	}
	if p.tok != tNewline && p.tok != tEOF {
		p.error("expected line break at the end of a list")
	}
}

func (p *miParser) laneMask() uint64 {
	v, _ := p.unsigned("expected a lane mask")
	return v
}
