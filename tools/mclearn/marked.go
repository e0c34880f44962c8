package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

// X86 is learned by marks: its encoder is not of tables, its operands do not
// stand alone (five are an address), and its printer says what they are: it
// encloses registers in <reg:…>, immediates in <imm:…>, addresses in <mem:…>.
// Each opcode is printed with operands that can be told apart; what is marked
// becomes the place of the operand of that value. It is done with two sets of
// operands, and kept where both agree.

// markedView asks for marks in the texts.
const markedView = 0x40

// markedTargets are the targets that are learned so: views of 64-bit and of 32-bit mode.
var markedTargets = map[string]target{
	"X86": {"x86", []view{{"x86_64-unknown-linux-gnu", "", "", -1}, {"i386-unknown-linux-gnu", "", "", -1}}, nil, "", false},
}

// role is what an operand is for the text.
type role uint8

const (
	roleReg role = iota
	roleImm
	rolePCRel
	roleCond
	roleRound
	roleMem  // an address begins
	roleMore // an address goes on
)

// X86's operand types.
const (
	typeRound = desc.FirstTargetOperandType
	typeCond  = desc.FirstTargetOperandType + 1
)

// The functions that write what styles do not say, by LLVM's names of its PrintMethods.
const (
	printImm     = "printImm"
	printNumber  = "printNumber"
	printU8      = "printU8Imm"
	printU16     = "printU16Imm"
	printPCRel   = "printPCRelImm"
	printMem     = "printMemReference"
	printOffset  = "printMemOffset"
	printSrc     = "printSrcIdx"
	printDst     = "printDstIdx"
	printSTi     = "printSTiRegOperand"
	printMaskTwo = "printVKPair"
)

// A place of an operand inside a text that is being learned is from placeOpen to
// placeEnd: the operand's number and how it is written, or words of the style words[kind].
const (
	placeOpen = '\x01'
	placeMid  = '\x02'
	placeEnd  = '\x03'
)

func place(op int, kind string) string {
	return string(placeOpen) + strconv.Itoa(op) + string(placeMid) + kind + string(placeEnd)
}

// marked is the learner of one syntax variant.
type marked struct {
	*learner
	long, short *process // 64-bit and 32-bit mode
	att         bool
	segment     desc.ClassID
	why         string
	words       map[string]*style
}

// shape is what an opcode's operands are for its text; kinds are the methods of addresses.
type shape struct {
	roles []role
	kinds []string
}

func (m *marked) class(op desc.Opcode, k int) desc.ClassID {
	if k >= len(m.info.Operands(op)) {
		return desc.NoClass
	}
	return m.info.OperandClass(op, k, m.mode)
}

func (m *marked) shape(op desc.Opcode) (s shape) {
	ops := m.info.Operands(op)
	isMem := func(k int) bool { return k < len(ops) && ops[k].Type == desc.OperandMemory }
	isReg := func(k int) bool { return isMem(k) && m.class(op, k) != desc.NoClass }
	isSeg := func(k int) bool { return k < len(ops) && m.class(op, k) == m.segment }
	for k := 0; k < len(ops); k++ {
		s.kinds = append(s.kinds, "")
		// The address of LEA has no operand type; its classes tell.
		address := m.class(op, k) != desc.NoClass && m.class(op, k+1) == desc.NoClass && m.class(op, k+2) != desc.NoClass &&
			m.class(op, k+3) == desc.NoClass && isSeg(k+4)
		if address || isMem(k) {
			n, kind := 1, printDst
			switch {
			case address:
				n, kind = 5, printMem
			case isReg(k) && isMem(k+1) && isSeg(k+1):
				n, kind = 2, printSrc
			case !isReg(k) && isMem(k+1) && isSeg(k+1):
				n, kind = 2, printOffset
			}
			s.kinds[k] = kind
			s.roles = append(s.roles, roleMem)
			for range n - 1 {
				s.roles, s.kinds = append(s.roles, roleMore), append(s.kinds, "")
				k++
			}
			continue
		}
		r := roleImm
		switch {
		case ops[k].Type == desc.OperandPCRel:
			r = rolePCRel
		case ops[k].Type == typeRound:
			r = roleRound
		case ops[k].Type == typeCond:
			r = roleCond
		case m.class(op, k) != desc.NoClass:
			r = roleReg
		}
		s.roles = append(s.roles, r)
	}
	return s
}

// pick is a register of an operand's class: of the last ones, which are the least
// likely to be written as fixed registers of an instruction.
func (m *marked) pick(op desc.Opcode, k, nth int) operand {
	var rs []desc.PhysReg
	all := m.info.ClassMembers(m.class(op, k))
	for i := len(all) - 1; i >= 0; i-- {
		switch n := m.info.RegName(all[i]); {
		case n == "RIP" || n == "EIP" || n == "IP" || n == "RIZ" || n == "EIZ" || strings.HasSuffix(n, "PH"):
		default:
			rs = append(rs, all[i])
		}
	}
	if len(rs) == 0 {
		rs = all[:1]
	}
	return operand{kindReg, int64(rs[nth%len(rs)])}
}

// build makes operands, set by set others.
func (m *marked) build(op desc.Opcode, s shape, set int) []operand {
	infos := m.info.Operands(op)
	out := make([]operand, len(infos))
	mem := 0
	for k := range infos {
		if t := int(infos[k].TiedTo); t >= 0 {
			out[k] = out[t]
			continue
		}
		imm := func(v int) { out[k] = operand{kindImm, int64(v)} }
		switch s.roles[k] {
		case roleReg:
			out[k] = m.pick(op, k, k+5*set)
		case roleImm:
			imm(81 + 7*k + 3*set)
		case rolePCRel:
			imm(1001 + k + 100*set)
		case roleCond, roleRound:
			imm(0)
		case roleMem, roleMore:
			if s.roles[k] == roleMem {
				mem = k
			}
			switch j := k - mem; {
			case s.kinds[mem] == printMem && j == 1:
				imm(2 + 2*set)
			case s.kinds[mem] == printMem && j == 3, s.kinds[mem] == printOffset && j == 0:
				imm(5001 + 10*k + set)
			case j > 0 && m.class(op, k) == m.segment:
				out[k] = operand{kindReg, 0}
			default:
				out[k] = m.pick(op, k, k+7+5*set)
			}
		}
	}
	return out
}

// print gives the text with marks.
func (m *marked) print(op desc.Opcode, ops []operand) string {
	m.or = m.long
	if m.info.OpcodeName(op) == "CALLpcrel32" { // printed as callq in 64-bit mode
		m.or = m.short
	}
	a := m.ask([]question{{want: wantText, op: op, ops: ops}})[0]
	return strings.TrimRight(strings.TrimLeft(a.text, "\t"), " \t\n")
}

// fold puts places where the marks are; false where one encloses no operand.
func (m *marked) fold(text string, ops []operand, s shape) (string, bool) {
	var out strings.Builder
	for p := 0; p < len(text); {
		if text[p] != '<' {
			out.WriteByte(text[p])
			p++
			continue
		}
		e, depth := p, 0
		for ok := true; ok; ok = depth > 0 && e < len(text) {
			switch text[e] {
			case '<':
				depth++
			case '>':
				depth--
			}
			e++
		}
		whole := text[p:e]
		tag, body, _ := strings.Cut(whole[1:len(whole)-1], ":")
		p = e
		was := out.String()
		switch tag {
		case "reg":
			out.WriteString(m.foldReg(body, ops, s))
		case "imm", "target":
			out.WriteString(m.foldImm(body, ops, s))
		case "mem":
			for k := range ops {
				if s.roles[k] != roleMem || strings.Contains(was, place(k, s.kinds[k])) {
					continue
				}
				key := strconv.FormatInt(ops[k].val, 10)
				if ops[k].kind == kindReg {
					key = m.long.regs[ops[k].val]
				}
				if strings.Contains(whole, key) {
					out.WriteString(place(k, s.kinds[k]))
					break
				}
			}
			if out.Len() == len(was) {
				m.why = "no operand for " + whole
				return "", false
			}
		default:
			m.why = "no operand for " + whole
			return "", false
		}
	}
	return out.String(), true
}

// regBody is a register's name without marks.
func (m *marked) regBody(r int64) string {
	return strings.TrimSuffix(strings.TrimPrefix(m.long.regs[r], "<reg:"), ">")
}

func (m *marked) foldReg(body string, ops []operand, s shape) string {
	for k, o := range ops {
		if s.roles[k] != roleReg || o.kind != kindReg {
			continue
		}
		if m.regBody(o.val) == body {
			return place(k, "")
		}
		if subs := m.info.SubRegs(desc.PhysReg(o.val)); strings.Contains(m.info.RegName(desc.PhysReg(o.val)), "_") && subs.Len() > 0 &&
			m.regBody(int64(subs.At(0))) == body {
			return place(k, printMaskTwo)
		}
	}
	return body // a register that the instruction always has
}

func (m *marked) foldImm(body string, ops []operand, s shape) string {
	num, dollar := strings.CutPrefix(body, "$")
	if v, err := strconv.ParseInt(num, 0, 64); err == nil {
		for k := range ops {
			switch {
			case ops[k].val != v || ops[k].kind != kindImm:
			case s.roles[k] == rolePCRel:
				return place(k, printPCRel)
			case s.roles[k] == roleImm && (dollar || !m.att):
				return place(k, printImm)
			case s.roles[k] == roleImm:
				return place(k, printNumber)
			}
		}
	}
	return body
}

// at folds the text with operand k changed (-1 none).
func (m *marked) at(op desc.Opcode, ops []operand, s shape, k int, v int64) (string, bool) {
	if k >= 0 {
		ops = append([]operand(nil), ops...)
		ops[k].val = v
	}
	return m.fold(m.print(op, ops), ops, s)
}

// instead is what stands in place of a part of a text.
type instead struct {
	from, to int
	place    string
}

// worded makes a place of what differs between the texts of an operand's values:
// texts by value, those that are not there have no words. It is for the text of the least value, which it gives, too.
func (m *marked) worded(k int, texts map[int64]string) (string, instead) {
	var ws []written
	for v, t := range texts {
		ws = append(ws, written{v, t})
	}
	sort.Slice(ws, func(i, j int) bool { return ws[i].val < ws[j].val })
	pre, suf := len(ws[0].text), len(ws[0].text)
	t0 := ws[0].text
	for _, w := range ws {
		n := 0
		for n < pre && n < len(w.text) && w.text[n] == t0[n] {
			n++
		}
		pre = n
	}
	for _, w := range ws {
		n := 0
		for n < suf && n < len(w.text)-pre && w.text[len(w.text)-1-n] == t0[len(t0)-1-n] {
			n++
		}
		suf = n
	}
	// Braces stay with what is between them.
	if open := strings.LastIndexByte(t0[:pre], '{'); open >= 0 && strings.IndexByte(t0[open:pre], '}') < 0 {
		pre = open
		if end := strings.IndexByte(t0[len(t0)-suf:], '}'); end >= 0 {
			suf -= end + 1
		}
	}
	y := &style{kind: desc.StyleTexts, texts: map[int64]string{}}
	for _, w := range ws {
		y.texts[w.val] = w.text[pre : len(w.text)-suf]
	}
	m.words[y.key()] = y
	return t0, instead{pre, len(t0) - suf, place(k, y.key())}
}

// named are the texts of operand k's values from 0 to n-1 that differ from each other
// and do not show the operand as a number.
func (m *marked) named(op desc.Opcode, ops []operand, s shape, k, n int) map[int64]string {
	texts := map[int64]string{}
	for v := range int64(n) {
		if t, ok := m.at(op, ops, s, k, v); ok && !shows(t, k) {
			texts[v] = t
		}
	}
	return texts
}

// shows reports a place of operand k.
func shows(t string, k int) bool {
	return strings.Contains(t, string(placeOpen)+strconv.Itoa(k)+string(placeMid))
}

func distinct(texts map[int64]string) bool {
	seen := map[string]bool{}
	for _, t := range texts {
		seen[t] = true
	}
	return len(seen) > 1
}

// text learns the text of an opcode: its own form, and that with words for a
// number that has them.
func (m *marked) text(op desc.Opcode, set int) (own, worded string, cond int, ok bool) {
	s := m.shape(op)
	ops := m.build(op, s, set)
	t, ok := m.at(op, ops, s, -1, 0)
	if !ok || t == "" {
		return "", "", 0, false
	}
	var ins []instead
	for k, r := range s.roles {
		n := map[role]int{roleCond: 16, roleRound: 4}[r]
		if n == 0 {
			continue
		}
		if texts := m.named(op, ops, s, k, n); distinct(texts) {
			_, in := m.worded(k, texts)
			ins = append(ins, in)
		}
	}
	for k, r := range s.roles {
		if r != roleImm || shows(t, k) {
			continue
		}
		if texts := m.named(op, ops, s, k, 16); distinct(texts) {
			// The text is that of value 0 from here on.
			t, ops[k].val = texts[0], 0
			_, in := m.worded(k, texts)
			ins = append(ins, in)
		}
	}
	sort.Slice(ins, func(i, j int) bool { return ins[i].from > ins[j].from })
	for _, in := range ins {
		t = t[:in.from] + in.place + t[in.to:]
	}
	cond = -1
	for k, r := range s.roles {
		switch {
		case r == roleReg:
			t = m.stackReg(op, ops, k, t)
			continue
		case r != roleImm:
			continue
		case !strings.Contains(t, place(k, printImm)) && !strings.Contains(t, place(k, printNumber)):
			continue
		}
		// How much of the value is written: all of it, or its low bits unsigned.
		neg := append([]operand(nil), ops...)
		neg[k].val = -1
		p := m.print(op, neg)
		for low, kind := range map[string]string{"255": printU8, "65535": printU16} {
			if strings.Contains(p, "<imm:$"+low+">") || strings.Contains(p, "<imm:"+low+">") {
				t = strings.Replace(t, place(k, printImm), place(k, kind), 1)
			}
		}
		// Predicates of comparisons are in the mnemonic where they have a name.
		if texts := m.named(op, ops, s, k, 32); len(texts) > 1 && distinct(texts) {
			t0, in := m.worded(k, texts)
			worded, cond = t0[:in.from]+in.place+t0[in.to:], k
		}
	}
	return t, worded, cond, true
}

// stackReg tells most operands of the x87 stack, where register 0 is st(0), from those where it is st.
func (m *marked) stackReg(op desc.Opcode, ops []operand, k int, t string) string {
	n := m.info.RegName(desc.PhysReg(ops[k].val))
	if len(n) != 3 || !strings.HasPrefix(n, "ST") {
		return t
	}
	zero := append([]operand(nil), ops...)
	zero[k].val -= int64(n[2] - '0')
	if !strings.Contains(m.print(op, zero), "st(0)") {
		return t
	}
	return strings.Replace(t, place(k, ""), place(k, printSTi), 1)
}

// parts takes a text with places apart.
func (m *marked) parts(b *builder, t string) (ps []desc.WriterPart) {
	for {
		text, rest, found := strings.Cut(t, string(placeOpen))
		if !found {
			if text != "" || len(ps) == 0 {
				ps = append(ps, desc.WriterPart{Text: b.name(text), Op: -1})
			}
			ps[len(ps)-1].Last = true
			return ps
		}
		body, after, _ := strings.Cut(rest, string(placeEnd))
		num, kind, _ := strings.Cut(body, string(placeMid))
		op, _ := strconv.Atoi(num)
		w := desc.WriterPart{Text: b.name(text), Op: int16(op)}
		switch y := m.words[kind]; {
		case y != nil:
			w.Style = 1 + b.styleOf(m.styles.intern(y))
		case kind == "" && !m.att:
			w.RegNames = 1
		case kind != "":
			w.Method = b.method(kind)
		}
		ps = append(ps, w)
		t = after
	}
}

// method is the number of a function of the target.
func (b *builder) method(name string) uint16 {
	n := b.name(name)
	for k, have := range b.wr.Methods {
		if have == n {
			return uint16(k + 1)
		}
	}
	b.wr.Methods = append(b.wr.Methods, n)
	return uint16(len(b.wr.Methods))
}

// learnMarked learns the texts of a target whose printer marks them, and writes its tables.
func learnMarked(name string, t target, ask, out, only string, verbose bool) error {
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	b := newBuilder(newLearner(info, nil, info.DefaultMode))
	n := info.NumInstrs()
	b.wr.Variants = 2
	packed := make([]byte, 8*2*n)
	good, bad := 0, 0
	var aliases []desc.WriterAlias
	for variant := range 2 {
		l := newLearner(info, nil, info.DefaultMode)
		m := &marked{learner: l, att: variant == 0, words: map[string]*style{}}
		for k := range info.Classes {
			if info.RegClassName(desc.ClassID(k)) == "SEGMENT_REG" {
				m.segment = desc.ClassID(k)
			}
		}
		for k, to := range []**process{&m.long, &m.short} {
			v := t.views[k]
			v.variant = variant | markedView
			p, err := start(ask, v)
			if err != nil {
				return err
			}
			defer p.close()
			*to = p
		}
		for r := range info.Regs {
			b.wr.RegNames = append(b.wr.RegNames, b.name(m.regBody(int64(r))))
		}
		for op := desc.FirstTargetOpcode; int(op) < n; op++ {
			if only != "" && info.OpcodeName(op) != only || info.Instr(op).IsPseudo() {
				continue
			}
			m.why = ""
			own, worded, cond, ok := m.text(op, 0)
			own2, worded2, cond2, ok2 := m.text(op, 1)
			if m.err != nil {
				return fmt.Errorf("%s: %w", info.OpcodeName(op), m.err)
			}
			if ok && strings.HasPrefix(own, "#") || !ok && !ok2 && m.why == "" {
				continue // a pseudo instruction that is not marked as one
			}
			if !ok || !ok2 || own != own2 || worded != worded2 || cond != cond2 {
				bad++
				if verbose {
					fmt.Printf("%s: %s: %q and %q %q and %q\n", info.OpcodeName(op), m.why, own, own2, worded, worded2)
				}
				continue
			}
			good++
			if only != "" {
				fmt.Printf("%d %q %q\n", variant, own, worded)
			}
			row := int(op)*2 + variant
			head := own
			if k := strings.IndexAny(own, "\t"+string(placeOpen)); k >= 0 {
				head = own[:k]
			}
			binary.LittleEndian.PutUint32(packed[8*row:], uint32(b.name(head)))
			binary.LittleEndian.PutUint32(packed[8*row+4:], once(b, &b.wr.Parts, "p", m.parts(b, own[len(head):])))
			if worded == "" {
				continue
			}
			a := desc.WriterAlias{Op: op, NumOps: uint8(len(info.Operands(op))), NumConds: 1, Variant: uint16(variant), Form: true}
			ps := m.parts(b, worded)
			a.Parts = once(b, &b.wr.Parts, "p", ps)
			for _, w := range ps {
				if int(w.Op) == cond {
					a.Conds = once(b, &b.wr.Conds, "c", []desc.WriterCond{{Op: uint16(cond), Kind: desc.CondText, Arg: int64(w.Style)}})
					break
				}
			}
			aliases = append(aliases, a)
		}
	}
	if only != "" {
		return nil
	}
	sort.SliceStable(aliases, func(i, j int) bool { return aliases[i].Op < aliases[j].Op })
	b.wr.Aliases, b.wr.Packed = aliases, string(packed)
	b.wr.Names, b.enc.Names = b.blob.String(), b.blob.String()
	data := facts.AppendMachineCode(nil, &desc.MCTables{Encoder: &b.enc, Writer: &b.wr})
	fmt.Printf("%s: %d texts, %d not learned; %d parts, %d bytes\n", t.file, good, bad, len(b.wr.Parts), len(data))
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_mc_"+t.file+".bin"), data, 0o666)
}
