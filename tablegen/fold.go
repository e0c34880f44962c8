package tablegen

import (
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// fold evaluates an operator as far as its operands are known. cur is the
// record at hand; final tells that nothing will be resolved later. It returns
// x when nothing can be said yet.
func (ev *evaluator) fold(x *OpInit, cur *Record, final bool) Init {
	if ev.failed {
		return x
	}
	var v Init
	switch x.Op {
	case OpCast:
		v = ev.foldCast(x, cur, final)
	case OpToLower, OpToUpper:
		if s, ok := x.Args[0].(*StringInit); ok {
			// Only ASCII letters change.
			v = NewString(mapASCII(s.S, x.Op == OpToUpper))
		}
	case OpNot:
		if n, ok := asInt(x.Args[0]); ok {
			v = NewInt(boolInt(n == 0))
		}
	case OpLogTwo:
		if n, ok := asInt(x.Args[0]); ok {
			if n <= 0 {
				ev.fatal(cur, "Illegal operation: logtwo is undefined on arguments less than or equal to 0")
				return x
			}
			v = NewInt(int64(63 - bits.LeadingZeros64(uint64(n))))
		}
	case OpRepr:
		v = ev.foldRepr(x, cur)
	case OpInitialized:
		if _, ok := x.Args[0].(*UnsetInit); ok {
			v = NewInt(0)
		} else if isConcrete(x.Args[0]) {
			v = NewInt(1)
		}
	case OpSize, OpEmpty:
		v = foldSize(x)
	case OpAdd, OpSub, OpMul, OpDiv, OpAnd, OpOr, OpXor, OpShl, OpSra, OpSrl:
		v = ev.foldArith(x, cur)
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		v = foldCompare(x)
	case OpStrConcat:
		v = ev.foldStrConcat(x, cur)
	case OpInterleave:
		v = ev.foldInterleave(x, cur)
	case OpMatch:
		v = ev.foldMatch(x, cur)
	case OpSubst:
		v = ev.foldSubst(x, cur)
	case OpSubstr, OpFind:
		v = ev.foldSubstr(x, cur)
	case OpIf:
		if n, ok := asInt(x.Args[0]); ok {
			if n != 0 {
				return x.Args[1]
			}
			return x.Args[2]
		}
	case OpCond:
		return ev.foldCond(x, cur)
	case OpIsa:
		v = foldIsa(x)
	case OpExists:
		v = ev.foldExists(x, cur, final)
	case OpInstances:
		v = ev.foldInstances(x, cur, final)
	case OpCon, OpDag, OpGetDagArg, OpGetDagName, OpGetDagOp, OpGetDagOpName, OpSetDagArg, OpSetDagName,
		OpSetDagOp, OpSetDagOpName:
		v = ev.foldDag(x, cur)
	default:
		v = ev.foldList(x, cur)
	}
	if v == nil {
		return x
	}
	return v
}

func boolInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func mapASCII(s string, upper bool) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case upper && c >= 'a' && c <= 'z', !upper && c >= 'A' && c <= 'Z':
			b[i] = c ^ 0x20
		}
	}
	return string(b)
}

// foldField evaluates rec.field where rec is known and the field complete.
func (ev *evaluator) foldField(x *FieldInit, cur *Record) Init {
	d, ok := x.Rec.(*DefInit)
	if !ok {
		return x
	}
	if d.Rec == cur {
		ev.fatal(cur, "Forming a reference to the current record's field '"+x.Field+"': reference to '"+x.String()+"' rejected")
		return x
	}
	f := d.Rec.field(x.Field)
	if f == nil {
		ev.fatal(cur, "Unknown field '"+x.Field+"' in record '"+d.Rec.Name+"'")
		return x
	}
	if isConcrete(f.Value) {
		return f.Value
	}
	return x
}

func (ev *evaluator) foldCast(x *OpInit, cur *Record, final bool) Init {
	a := x.Args[0]
	switch x.T.Kind {
	case StringType:
		switch a := a.(type) {
		case *StringInit:
			return a
		case *DefInit:
			return NewString(a.Rec.Name)
		}
		if v, ok := asInt(a); ok {
			return NewString(strconv.FormatInt(v, 10))
		}
	case RecordType:
		s, ok := a.(*StringInit)
		if !ok {
			break
		}
		rec := ev.rs.Def(s.S)
		if rec == nil && cur != nil && isNameOf(cur, s.S) {
			if !final {
				return nil
			}
			rec = cur
		}
		if rec == nil {
			if final {
				ev.fatal(cur, "Undefined reference to record: '"+s.S+"'")
			}
			return nil
		}
		rec.used = true
		d := rec.DefInit()
		if !d.Type().isA(x.T) {
			ev.fatal(cur, "Expected type '"+x.T.String()+"', got '"+d.Type().String()+"' in: "+x.String())
			return nil
		}
		return d
	}
	return convert(a, x.T)
}

// isNameOf reports whether the record that is being made has this name.
func isNameOf(r *Record, name string) bool {
	switch n := r.nameInit.(type) {
	case *StringInit:
		return n.S == name
	case *AnonNameInit:
		return n.name().S == name
	}
	return false
}

func (ev *evaluator) foldRepr(x *OpInit, cur *Record) Init {
	a := x.Args[0]
	if d, ok := a.(*DefInit); ok {
		return NewString(string(d.Rec.AppendText(nil)))
	}
	if !isConcrete(a) {
		return nil
	}
	if !ev.weighs(a, cur, ev.at) {
		return nil
	}
	s := a.String()
	if !ev.spend(cur, len(s)) {
		return nil
	}
	return NewString(s)
}

func foldSize(x *OpInit) Init {
	var n int
	switch a := x.Args[0].(type) {
	case *StringInit:
		n = len(a.S)
	case *ListInit:
		n = len(a.Elems)
	case *DagInit:
		n = len(a.Args)
	default:
		return nil
	}
	if x.Op == OpEmpty {
		return NewInt(boolInt(n == 0))
	}
	return NewInt(int64(n))
}

func (ev *evaluator) foldArith(x *OpInit, cur *Record) Init {
	a, ok := asInt(x.Args[0])
	b, ok2 := asInt(x.Args[1])
	// One operand may decide.
	if x.Op == OpAnd && (ok && a == 0 || ok2 && b == 0) {
		return NewInt(0)
	}
	if x.Op == OpOr && (ok && a == -1 || ok2 && b == -1) {
		return NewInt(-1)
	}
	if !ok || !ok2 {
		return nil
	}
	switch x.Op {
	case OpAdd:
		a += b
	case OpSub:
		a -= b
	case OpMul:
		a *= b
	case OpDiv:
		switch {
		case b == 0:
			ev.fatal(cur, "Illegal operation: division by zero")
			return nil
		case a == math.MinInt64 && b == -1:
			ev.fatal(cur, "Illegal operation: INT64_MIN / -1")
			return nil
		}
		a /= b
	case OpAnd:
		a &= b
	case OpOr:
		a |= b
	case OpXor:
		a ^= b
	case OpShl:
		a <<= uint64(b) & 63
	case OpSra:
		a >>= uint64(b) & 63
	case OpSrl:
		a = int64(uint64(a) >> (uint64(b) & 63))
	}
	return NewInt(a)
}

func foldCompare(x *OpInit) Init {
	if a, ok := asInt(x.Args[0]); ok {
		if b, ok := asInt(x.Args[1]); ok {
			c := 0
			if a < b {
				c = -1
			} else if a > b {
				c = 1
			}
			return NewBit(holds(x.Op, c))
		}
	}
	switch a := x.Args[0].(type) {
	case *StringInit:
		if b, ok := x.Args[1].(*StringInit); ok {
			return NewBit(holds(x.Op, strings.Compare(a.S, b.S)))
		}
	case *DefInit:
		if b, ok := x.Args[1].(*DefInit); ok && (x.Op == OpEq || x.Op == OpNe) {
			return NewBit((a == b) == (x.Op == OpEq))
		}
	}
	return nil
}

func holds(op Op, c int) bool {
	switch op {
	case OpEq:
		return c == 0
	case OpNe:
		return c != 0
	case OpLt:
		return c < 0
	case OpLe:
		return c <= 0
	case OpGt:
		return c > 0
	}
	return c >= 0
}

// newText makes a string, refusing those that are too long.
func (ev *evaluator) newText(cur *Record, n int, code bool, parts ...string) Init {
	if n > maxStringBytes {
		ev.fatal(cur, "string is too long")
		return nil
	}
	if !ev.spend(cur, n/16) {
		return nil
	}
	return &StringInit{S: strings.Join(parts, ""), Code: code}
}

func (ev *evaluator) foldStrConcat(x *OpInit, cur *Record) Init {
	a, ok := x.Args[0].(*StringInit)
	b, ok2 := x.Args[1].(*StringInit)
	if !ok || !ok2 {
		return nil
	}
	return ev.newText(cur, len(a.S)+len(b.S), a.Code || b.Code, a.S, b.S)
}

func (ev *evaluator) foldInterleave(x *OpInit, cur *Record) Init {
	l, ok := x.Args[0].(*ListInit)
	d, ok2 := x.Args[1].(*StringInit)
	if !ok || !ok2 {
		return nil
	}
	parts := make([]string, len(l.Elems))
	n := len(d.S) * len(parts)
	// As in LLVM, neither the first element nor the delimiter makes it code.
	code := false
	for i, e := range l.Elems {
		switch e := e.(type) {
		case *StringInit:
			parts[i] = e.S
			code = code || i > 0 && e.Code
		default:
			v, ok := asInt(e)
			if !ok {
				return nil
			}
			parts[i] = strconv.FormatInt(v, 10)
		}
		n += len(parts[i])
	}
	if n > maxStringBytes {
		ev.fatal(cur, "string is too long")
		return nil
	}
	if !ev.spend(cur, n/16) {
		return nil
	}
	return &StringInit{S: strings.Join(parts, d.S), Code: code}
}

func (ev *evaluator) foldMatch(x *OpInit, cur *Record) Init {
	s, ok := x.Args[0].(*StringInit)
	p, ok2 := x.Args[1].(*StringInit)
	if !ok || !ok2 {
		return nil
	}
	re := ev.regexp(p.S, cur)
	if re == nil || !ev.spend(cur, len(s.S)/16) {
		return nil
	}
	return NewBit(re.MatchString(s.S))
}

// regexp compiles a POSIX extended regular expression.
func (ev *evaluator) regexp(p string, cur *Record) *regexp.Regexp {
	re := ev.regexps[p]
	if re == nil {
		var err error
		if re, err = regexp.CompilePOSIX(p); err != nil {
			ev.fatal(cur, "invalid regex '"+p+"'")
			return nil
		}
		ev.regexps[p] = re
	}
	return re
}

func (ev *evaluator) foldSubst(x *OpInit, cur *Record) Init {
	switch from := x.Args[0].(type) {
	case *DefInit:
		to, ok := x.Args[1].(*DefInit)
		v, ok2 := x.Args[2].(*DefInit)
		if ok && ok2 {
			if v == from {
				return to
			}
			return v
		}
	case *VarInit:
		to, ok := x.Args[1].(*VarInit)
		v, ok2 := x.Args[2].(*VarInit)
		if ok && ok2 {
			if v.Name == from.Name {
				return to
			}
			return v
		}
	case *StringInit:
		to, ok := x.Args[1].(*StringInit)
		v, ok2 := x.Args[2].(*StringInit)
		if !ok || !ok2 {
			return nil
		}
		if from.S == "" || !strings.Contains(v.S, from.S) {
			return &StringInit{S: v.S}
		}
		n := len(v.S) + strings.Count(v.S, from.S)*(len(to.S)-len(from.S))
		if n > maxStringBytes {
			ev.fatal(cur, "string is too long")
			return nil
		}
		if !ev.spend(cur, n/16) {
			return nil
		}
		return &StringInit{S: strings.ReplaceAll(v.S, from.S, to.S)}
	}
	return nil
}

// foldSubstr evaluates !substr and !find, both of a string and a start.
func (ev *evaluator) foldSubstr(x *OpInit, cur *Record) Init {
	s, ok := x.Args[0].(*StringInit)
	if !ok {
		return nil
	}
	outOfRange := func(what string, v int64) {
		ev.fatal(cur, what+" is out of range 0..."+strconv.Itoa(len(s.S))+": "+strconv.FormatInt(v, 10))
	}
	if x.Op == OpFind {
		sub, ok := x.Args[1].(*StringInit)
		start, ok2 := asInt(x.Args[2])
		if !ok || !ok2 {
			return nil
		}
		if start < 0 || start > int64(len(s.S)) {
			outOfRange("!find start position", start)
			return nil
		}
		if i := strings.Index(s.S[start:], sub.S); i >= 0 {
			return NewInt(start + int64(i))
		}
		return NewInt(-1)
	}
	start, ok := asInt(x.Args[1])
	n, ok2 := asInt(x.Args[2])
	if !ok || !ok2 {
		return nil
	}
	if start < 0 || start > int64(len(s.S)) {
		outOfRange("!substr start position", start)
		return nil
	}
	if n < 0 {
		ev.fatal(cur, "!substr length must be nonnegative")
		return nil
	}
	return &StringInit{S: s.S[start : start+min(n, int64(len(s.S))-start)], Code: s.Code}
}

func (ev *evaluator) foldCond(x *OpInit, cur *Record) Init {
	for i := 0; i+1 < len(x.Args); i += 2 {
		v, ok := asInt(x.Args[i])
		if !ok {
			return x
		}
		if v != 0 {
			if c := castTo(x.Args[i+1], x.T); c != nil {
				return c
			}
			return x.Args[i+1]
		}
	}
	name := ""
	if cur != nil {
		name = cur.Name
	}
	ev.fatal(cur, name+" does not have any true condition in:"+x.String())
	return x
}

func foldIsa(x *OpInit) Init {
	t := x.Args[0].Type()
	if t == nil {
		return nil
	}
	if t.convertibleTo(x.TypeArg) {
		return NewInt(1)
	}
	if x.TypeArg.Kind != RecordType {
		return NewInt(0)
	}
	_, isDef := x.Args[0].(*DefInit)
	if isDef || isConcrete(x.Args[0]) && !x.TypeArg.convertibleTo(t) {
		return NewInt(0)
	}
	return nil
}

func (ev *evaluator) foldExists(x *OpInit, cur *Record, final bool) Init {
	s, ok := x.Args[0].(*StringInit)
	if !ok {
		return nil
	}
	if r := ev.rs.Def(s.S); r != nil {
		return NewInt(boolInt(r.Type().isA(x.TypeArg)))
	}
	if cur != nil && isNameOf(cur, s.S) {
		if !final {
			return nil
		}
		return NewInt(boolInt(cur.Type().isA(x.TypeArg)))
	}
	if final {
		return NewInt(0)
	}
	return nil
}

func (ev *evaluator) foldInstances(x *OpInit, cur *Record, final bool) Init {
	if cur != nil && !final {
		return nil
	}
	p, ok := x.Args[0].(*StringInit)
	if !ok {
		return nil
	}
	re := ev.regexp(p.S, cur)
	if re == nil || !ev.spend(cur, len(ev.rs.defList)) {
		return nil
	}
	var l []*Record
	for _, d := range ev.rs.defList {
		if d.Type().isA(x.TypeArg) && re.MatchString(d.Name) {
			l = append(l, d)
		}
	}
	SortByName(l)
	out := make([]Init, len(l))
	for i, d := range l {
		out[i] = d.DefInit()
	}
	return newList(x.T, out)
}
