package mctargetdesc

import (
	"strconv"
	"strings"
	"sync"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// systemTable finds names of system registers and operations.
type systemTable struct {
	once sync.Once
	rows map[systemName2]*tab.System
}

type systemName2 struct {
	kind tab.SystemKind
	name string
}

func (a *AsmParser) systemRow(kind tab.SystemKind, name string) *tab.System {
	a.system.once.Do(func() {
		a.system.rows = make(map[systemName2]*tab.System, len(a.tab.System))
		for i := range a.tab.System {
			r := &a.tab.System[i]
			a.system.rows[systemName2{r.Kind, r.Name}] = r
		}
	})
	return a.system.rows[systemName2{kind, strings.ToUpper(name)}]
}

// allowed reports whether a subtarget has what a name wants.
func (a *AsmParser) allowed(st *mc.Subtarget, r *tab.System) bool {
	if a.has(st, "all") {
		return true
	}
	for _, f := range r.Features {
		if !a.has(st, f) {
			return false
		}
	}
	return true
}

// lacking names what a name wants, as extensions.
func (a *AsmParser) lacking(r *tab.System) string {
	var out []string
	for i := range a.tab.Extensions {
		x := &a.tab.Extensions[i]
		if shares(x.Features, r.Features) {
			out = append(out, x.Name)
		}
	}
	if len(out) == 0 {
		return "(unknown)"
	}
	return strings.Join(out, ", ")
}

func shares(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// genericRegister reads a name like s3_0_c1_c2_3.
func genericRegister(name string) (int64, bool) {
	f := strings.Split(strings.ToLower(name), "_")
	if len(f) != 5 || !strings.HasPrefix(f[0], "s") || !strings.HasPrefix(f[2], "c") || !strings.HasPrefix(f[3], "c") {
		return 0, false
	}
	v := int64(0)
	for i, part := range [...]struct {
		text string
		most int
		bits uint
	}{{f[0][1:], 3, 2}, {f[1], 7, 3}, {f[2][1:], 15, 4}, {f[3][1:], 15, 4}, {f[4], 7, 3}} {
		n, err := strconv.Atoi(part.text)
		if err != nil || n < 0 || n > part.most || len(part.text) > 2 || i == 0 && n > 3 {
			return 0, false
		}
		v = v<<part.bits | int64(n)
	}
	return v, true
}

// systemRegister reads the name of a system register or of a field of the state.
func (s *statement) systemRegister() (status, error) {
	if !s.isIdent() || s.a.systemRow(tab.SystemSVCR, s.str()) != nil {
		return noMatch, nil
	}
	name := s.str()
	o := asmOp{start: s.loc()}
	flags := uint8(0)
	if r := s.a.systemRow(tab.SystemReg, name); r != nil && s.a.allowed(s.st, r) {
		o.val = int64(r.Enc)
		flags = r.Flags & (tab.Readable | tab.Writable)
	} else if v, ok := genericRegister(name); ok {
		o.val, flags = v, tab.Readable|tab.Writable
	}
	if r := s.a.systemRow(tab.SystemPState15, name); r != nil && s.a.allowed(s.st, r) {
		flags |= sysPState15
		o.state = int64(r.Enc)
	} else if r := s.a.systemRow(tab.SystemPState1, name); r != nil && s.a.allowed(s.st, r) {
		flags |= sysPState1
		o.state = int64(r.Enc)
	}
	o.shape = shapeOf(opSysReg, flags, 0, 0)
	s.push(o)
	s.next()
	return success, nil
}

// svcr reads the name of a field of the streaming state.
func (s *statement) svcr() (status, error) {
	if !s.isIdent() {
		return noMatch, nil
	}
	r := s.a.systemRow(tab.SystemSVCR, s.str())
	if r == nil || !s.a.allowed(s.st, r) {
		return noMatch, nil
	}
	s.push(asmOp{shape: shapeOf(opSVCR, 0, 0, 0), val: int64(r.Enc), start: s.loc()})
	s.next()
	return success, nil
}

// systemAlias tells how a mnemonic that is another name of sys is read.
type systemAlias struct {
	kind  tab.SystemKind
	words string // in messages
}

var systemAliases = map[string]systemAlias{
	"ic": {tab.SystemIC, "IC"}, "dc": {tab.SystemDC, "DC"}, "at": {tab.SystemAT, "AT"}, "tlbi": {tab.SystemTLBI, "TLBI"},
	"mlbi": {tab.SystemMLBI, "MLBI"}, "plbi": {tab.SystemPLBI, "PLBI"}, "gic": {tab.SystemGIC, "GIC"}, "gsb": {tab.SystemGSB, "GSB"},
	"cfp": {}, "dvp": {}, "cpp": {}, "cosp": {},
	"tlbip": {tab.SystemTLBIP, "TLBIP"}, "gicr": {tab.SystemGICR, "GICR"},
}

// restrictions are the last operands of the prediction restrictions.
var restrictions = map[string]int64{"cfp": 4, "dvp": 5, "cosp": 6, "cpp": 7}

// sysOperands pushes the operands of sys that a number stands for.
func (s *statement) sysOperands(enc int64, at int) {
	s.imm(0, enc>>11&7, at)
	s.push(asmOp{shape: shapeOf(opSysCR, 0, 0, 0), val: enc >> 7 & 15, start: at})
	s.push(asmOp{shape: shapeOf(opSysCR, 0, 0, 0), val: enc >> 3 & 15, start: at})
	s.imm(0, enc&7, at)
}

// find finds the operation of a system alias at the token.
func (s *statement) find(al systemAlias, name string) (*tab.System, error) {
	r := s.a.systemRow(al.kind, name)
	if r == nil {
		return nil, s.here("invalid operand for " + al.words + " instruction")
	}
	if !s.a.allowed(s.st, r) {
		return nil, s.here(al.words + " " + r.Name + " requires: " + s.a.lacking(r))
	}
	return r, nil
}

// system reads an instruction that is another name of sys, sysp or sysl.
func (s *statement) readSystem(al systemAlias, name string, at int) error {
	if strings.Contains(name, ".") {
		return s.here("invalid operand")
	}
	switch al.kind {
	case tab.SystemTLBIP:
		return s.readPair(al, at)
	case tab.SystemGICR:
		return s.readResult(al, at)
	}
	s.token("sys", at)
	here := s.loc()
	needs, may := true, false
	if op2, ok := restrictions[name]; ok {
		switch {
		case s.lower() != "rctx":
			return s.here("invalid operand for prediction restriction instruction")
		case name == "cosp" && !s.a.has(s.st, "all") && !s.a.has(s.st, "specres2"):
			return s.here("COSP requires: predres2")
		case !s.a.has(s.st, "all") && !s.a.has(s.st, "predres"):
			return s.here(strings.ToUpper(name) + "RCTX requires: predres")
		}
		s.sysOperands(3<<11|7<<7|3<<3|op2, here)
	} else {
		r, err := s.find(al, s.str())
		if err != nil {
			return err
		}
		switch al.kind {
		case tab.SystemDC, tab.SystemAT:
		case tab.SystemGSB:
			needs = false
		default:
			needs = r.Flags&tab.NeedsReg != 0
			may = r.Flags&tab.OptionalReg != 0 && (s.a.has(s.st, "all") || s.a.has(s.st, "tlbid"))
		}
		s.sysOperands(int64(r.Enc), here)
	}
	s.next()
	has := false
	if s.eat(",") {
		if !s.isIdent() {
			return s.here("expected register operand")
		}
		if st, err := s.register(); st != success {
			if err != nil {
				return err
			}
			return s.here("expected register operand")
		}
		has = true
	}
	if !may {
		if needs && !has {
			return s.here("specified " + name + " op requires a register")
		}
		if !needs && has {
			return s.here("specified " + name + " op does not use a register")
		}
	}
	if !s.isEnd() {
		return s.here("unexpected token in argument list")
	}
	return nil
}

// readPair reads tlbip, another name of sysp.
func (s *statement) readPair(al systemAlias, at int) error {
	s.token("sysp", at)
	here := s.loc()
	name := s.str()
	nxs := len(name) > 3 && strings.EqualFold(name[len(name)-3:], "nxs")
	if nxs {
		name = name[:len(name)-3]
	}
	r := s.a.systemRow(al.kind, name)
	if r == nil {
		return s.here("invalid operand for TLBIP instruction")
	}
	want := *r
	enc := int64(r.Enc)
	if nxs {
		enc |= 1 << 7
		want.Features = append(append([]string(nil), want.Features...), "xs")
	}
	if !s.a.allowed(s.st, &want) {
		full := r.Name
		if nxs {
			full += "nXS"
		}
		return s.here("TLBIP " + full + " requires: " + s.a.lacking(&want))
	}
	s.sysOperands(enc, here)
	s.next()
	if !s.is(",") {
		return s.here("expected comma")
	}
	s.next()
	if !s.isIdent() {
		return s.here("expected register identifier")
	}
	st, err := s.zeroPair()
	if st == noMatch && err == nil {
		st, err = s.seqPair()
	}
	if err != nil {
		return err
	}
	if st != success {
		return s.here("specified tlbip op requires a pair of registers")
	}
	if !s.isEnd() {
		return s.here("unexpected token in argument list")
	}
	return nil
}

// readResult reads gicr, another name of sysl.
func (s *statement) readResult(al systemAlias, at int) error {
	s.token("sysl", at)
	if !s.isIdent() {
		return s.here("expected register operand")
	}
	if st, err := s.register(); st != success {
		if err != nil {
			return err
		}
		return s.here("expected register operand")
	}
	if !s.is(",") {
		return s.here("expected comma")
	}
	s.next()
	here := s.loc()
	r, err := s.find(al, s.str())
	if err != nil {
		return err
	}
	s.sysOperands(int64(r.Enc), here)
	s.next()
	if !s.isEnd() {
		return s.here("unexpected token in argument list")
	}
	return nil
}
