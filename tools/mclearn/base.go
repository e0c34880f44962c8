package main

import "github.com/mirin-go/mirin/desc"

// findBase looks for operands that encode, best such that decode to themselves.
// It returns how good they are: 0 none, 1 they encode, 2 they decode to another
// opcode with the same operands, 3 to themselves. Where none do without the last
// operand they may (SystemZ's calls have a symbol there, for calls about
// thread-local storage alone).
func (l *learner) findBase(op desc.Opcode) (ops []operand, decOp desc.Opcode, quality int) {
	ops, decOp, quality = l.findBaseOf(op)
	if n := len(l.info.Operands(op)); quality == 0 && n > 1 && l.without[op] == 0 && len(l.domains(op)[n-1].regs) == 0 && !l.tied(op, n-1) {
		l.without[op] = 1
		if ops, decOp, quality = l.findBaseOf(op); quality < 3 {
			delete(l.without, op)
			return nil, 0, 0
		}
	}
	return ops, decOp, quality
}

func (l *learner) findBaseOf(op desc.Opcode) (ops []operand, decOp desc.Opcode, quality int) {
	const tries = 48
	ds := l.domains(op)
	qs := make([]question, tries)
	for k := range qs {
		qs[k] = question{want: wantCode | wantDecode | wantText, op: op, ops: l.filling(op, ds, k)}
	}
	// What bytes decode to, other operands than were asked about, is a filling that
	// is right in itself: registers that follow each other, say.
	for pass := range 2 {
		as := l.ask(qs)
		var again []question
		for k := range as {
			if q := rank(&as[k], &qs[k]); q > quality {
				ops, decOp, quality = qs[k].ops, as[k].decOp, q
			}
			if a := &as[k]; a.codeOK && a.decodeOK && a.decOp == op && len(a.decOps) == len(ds) && !a.same(&qs[k]) {
				again = append(again, question{want: qs[k].want, op: op, ops: a.decOps})
			}
		}
		if qs = again; pass == 1 || quality >= 3 {
			break
		}
	}
	return ops, decOp, min(quality, 3)
}

// rank says how good an answer is for a base: see findBase, and 4 where operands
// differ from each other, too.
func rank(a *answer, q *question) int {
	switch {
	case !a.codeOK || len(a.code) == 0 || len(a.fixups) > 0:
		return 0
	case a.same(q) && spread(q.ops):
		return 4
	case a.same(q):
		return 3
	case a.decodeOK && a.decSize == len(a.code) && sameOps(a.decOps, q.ops, false):
		return 2
	}
	return 1
}

// sameOps reports that what was decoded (a) is what was asked about. Some
// decoders give negative numbers as their low 32 bits, which wrap admits.
func sameOps(a, b []operand, wrap bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k] != b[k] && !(wrap && a[k].kind == kindImm && b[k].kind == kindImm && b[k].val < 0 && b[k].val >= -1<<31 && a[k].val == b[k].val+(1<<32)) {
			return false
		}
	}
	return true
}

// spread reports that no two operands are alike, so that texts tell them apart.
func spread(ops []operand) bool {
	for k := range ops {
		for j := range k {
			if ops[j] == ops[k] {
				return false
			}
		}
	}
	return true
}

// probe gives the answers for other values of operand k.
func (l *learner) probe(in *instr, k int, want uint8, vals []operand) ([]question, []answer) {
	qs := make([]question, len(vals))
	for i, v := range vals {
		ops := append([]operand(nil), in.base...)
		if k < len(ops) {
			ops[k] = v
			l.agree(in.op, ops)
		}
		for _, f := range in.follow[k] {
			ops[f] = v
		}
		qs[i] = question{want: want, op: in.op, ops: ops}
	}
	as := l.ask(qs)
	return qs, as
}

// immProbes are the immediates that show what bits do.
func immProbes() (out []operand) {
	add := func(v int64) { out = append(out, operand{kindImm, v}) }
	for v := int64(0); v < 33; v++ {
		add(v)
	}
	for k := 5; k < 64; k++ {
		add(1 << k)
		add(1<<k - 1)
		add(-1 << k)
	}
	for v := int64(1); v <= 32; v++ {
		add(-v)
	}
	for _, v := range [...]int64{45, 90, 180, 270, 85, 170, 0x155, 0x2aa, 0x5555, 0xaaa8, -3, -12, -40, -136, -1000, -2736, 1000, 2736, 12344, 65528, 8736} {
		add(v)
	}
	return out
}
