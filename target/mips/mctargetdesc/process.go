package mctargetdesc

import (
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

const macroWarning = "macro instruction expanded into multiple instructions"

func failed(msg string) error { return &mc.ParseError{Msg: msg} }

// nomacro warns of an expansion where .set nomacro asks for it.
func (r *reader) nomacro() {
	if !r.opt().macro {
		r.p.Warn(0, 0, macroWarning)
	}
}

// process emits an instruction that was read, checked and expanded as far as its operands ask for that.
func (r *reader) process(w *row, in *mc.Inst) error {
	if msg := r.late(w); msg != "" {
		return failed(msg)
	}
	d := r.info.Instr(in.Op)
	name := r.info.OpcodeName(in.Op)
	if name == "SSNOP" && r.has("mips32r6") {
		r.p.Warn(0, 0, "ssnop is deprecated for MIPS r6 and is equivalent to a nop instruction")
	}
	if (name == "JAL" || name == "JAL_MM") && r.pic {
		return r.jalPIC(in)
	}
	if (name == "J" || name == "J_MM") && r.pic {
		to := in.Ops[0]
		in.Reset(r.op("BEQ"))
		if name == "J_MM" {
			in.Reset(r.op("BEQ_MM"))
		}
		zero := mc.Reg(r.regOf("GPR32", 0))
		in.Add(zero)
		in.Add(zero)
		in.Add(to)
	}
	if r6Divisions[name] && len(r.ops) == 3 && r.number(2) == 0 || r6Divisions[name] && len(r.ops) == 2 && r.number(1) == 0 {
		msg := "division by zero"
		if r.number(len(r.ops)-2) == 0 {
			msg = "dividing zero by zero"
		}
		r.p.Warn(0, 0, msg)
	}
	if w.macro {
		return r.expand(w)
	}
	if w.expands(name) && len(in.Ops) == 3 && in.Ops[2].IsImm() && !r.fitsHere(name, in.Ops[2].Imm()) {
		return r.aliasImm(in)
	}
	fill := d.HasDelaySlot() && r.opt().reorder
	opens := forbids(name) && r.opt().reorder
	if err := r.openSlot(forbidden(name, d), fill); err != nil {
		return err
	}
	if opens {
		r.noReorder()
	}
	// What LLVM makes of macros has its delay slot filled without a word.
	quiet := r.word == "jal" && strings.HasPrefix(name, "JALR") || r.word == "b" && (name == "BEQ_MM" || name == "B16_MM")
	if fill && !quiet {
		r.noReorder()
	}
	if done, err := r.memory(w, in, d); done || err != nil {
		return err
	}
	if r.has("micromips") {
		r.obj.micro = true
		in = r.shorter(in, name)
	}
	if err := r.emit(in); err != nil {
		return err
	}
	r.closeSlot()
	r.slotOpen = opens
	if fill && r.info.Instr(in.Op).HasDelaySlot() {
		if err := r.delaySlot(shortSlot[name]); err != nil {
			return err
		}
		if !quiet {
			r.reorder()
		}
	}
	if r.word == "jal" && strings.HasPrefix(name, "JALR") {
		return r.restoreGP(shortSlot[name], false)
	}
	return nil
}

// r6Divisions are divisions that are instructions since the sixth release.
var r6Divisions = map[string]bool{"DIV": true, "DIVU": true, "DDIV": true, "DDIVU": true, "DIV_MMR6": true, "DIVU_MMR6": true}

// shortSlot are instructions whose delay slot is filled with 16 bits.
var shortSlot = map[string]bool{"BEQ_MM": true, "BNE_MM": true, "BLTZ_MM": true, "BGEZ_MM": true, "BLEZ_MM": true, "BGTZ_MM": true, "JRC16_MM": true, "J_MM": true,
	"JALS_MM": true, "JALRS_MM": true, "JALRS16_MM": true, "BGEZALS_MM": true, "BLTZALS_MM": true}

func (r *reader) noReorder() { r.say("\t.set\tnoreorder") }
func (r *reader) reorder()   { r.say("\t.set\treorder") }

// say writes a directive into text output.
func (r *reader) say(text string) {
	if out := r.p.Streamer(); out.IsText() {
		out.Raw(text)
	}
}

func (r *reader) delaySlot(short bool) error {
	if short {
		return r.inst("MOVE16_MM", 0, 0)
	}
	return r.inst("SLL", 0, 0, imm(0))
}

// ranges16 are the offsets of microMIPS' short loads and stores, which LLVM checks behind the choice.
var ranges16 = map[string][3]int64{"LBU16_MM": {-1, 14, 1}, "SB16_MM": {0, 15, 1}, "LHU16_MM": {0, 30, 2}, "SH16_MM": {0, 30, 2}, "LW16_MM": {0, 60, 4}, "SW16_MM": {0, 60, 4},
	"SB16_MMR6": {0, 15, 1}, "SH16_MMR6": {0, 30, 2}, "SW16_MMR6": {0, 60, 4}}

// late says what is wrong with a number that LLVM looks at behind the choice.
func (r *reader) late(w *row) string {
	for k := range w.ops {
		n := &w.ops[k].nums
		o := &r.ops[k]
		if x, ok := ranges16[r.info.OpcodeName(w.op)]; ok && o.kind == 'M' && o.x == 0 && (o.v < x[0] || o.v > x[1] || o.v%x[2] != 0) {
			return "immediate operand value out of range"
		}
		if !n.late() || o.x != 0 || n.takes(o.v) || o.kind == 'M' {
			continue
		}
		switch {
		case !strings.HasPrefix(n.diag, "branch"):
			return n.diag
		case o.v >= n.lo && o.v <= n.hi+n.align-1:
			return "branch to misaligned address"
		}
		return "branch target out of range"
	}
	return ""
}

// jalPIC calls a symbol through the global offset table.
func (r *reader) jalPIC(in *mc.Inst) error {
	r.nomacro()
	x := in.Ops[0]
	if !x.IsExpr() {
		return failed("unsupported constant in relocation")
	}
	e := x.Expr()
	n := 0
	r.p.Context().EachSym(e, func(mc.Sym) { n++ })
	if n > 1 {
		return failed("jal doesn't support multiple symbols in PIC mode")
	}
	if err := r.loadSymbol(25, -1, e, !r.has("gp64")); err != nil {
		return err
	}
	name := "JALR"
	if r.has("micromips") {
		if name = "JALR_MM"; r.restore.set {
			name = "JALRS_MM"
		}
	}
	if v, ok := r.p.Context().Reduce(e, nil); ok && v.A != 0 && (r.newABI() || v.Off == 0) {
		ctx := r.p.Context()
		at := ctx.Temp("tmp")
		hint := "R_MIPS_JALR"
		if r.has("micromips") {
			hint = "R_MICROMIPS_JALR"
		}
		if err := r.p.Streamer().Reloc(ctx.Ref(at, mc.ModNone), hint, ctx.Ref(v.A, mc.ModNone), r.st); err != nil {
			return err
		}
		r.p.Streamer().Label(at)
	}
	fill := r.opt().reorder
	if fill {
		r.noReorder()
	}
	if err := r.inst(name, 31, 25); err != nil {
		return err
	}
	if fill {
		if err := r.delaySlot(shortSlot[name]); err != nil {
			return err
		}
		r.reorder()
	}
	return r.restoreGP(shortSlot[name], true)
}

// restoreGP loads the global pointer behind a call, as .cprestore asks for.
func (r *reader) restoreGP(short, _ bool) error {
	if !r.pic || r.newABI() {
		return nil
	}
	if !r.restore.set {
		r.p.Warn(0, 0, "no .cprestore used in PIC mode")
		return nil
	}
	if !r.opt().reorder {
		if err := r.delaySlot(short); err != nil {
			return err
		}
	}
	return r.gpRestore(r.restore.at)
}

// shorter makes 16-bit instructions of microMIPS of some that were read.
func (r *reader) shorter(in *mc.Inst, name string) *mc.Inst {
	d := r.info.Instr(in.Op)
	if d.MayLoad() && len(in.Ops) == 3 && name != "LWP_MM" && in.Ops[1].IsReg() && in.Ops[2].IsImm() {
		if in.Ops[1].Reg() == r.regOf("GPR32", 28) && r.isReg16(in.Ops[0]) && in.Ops[2].Imm()%4 == 0 && isUInt(in.Ops[2].Imm(), 9) {
			in.Op = r.op("LWGP_MM")
		}
	}
	if r.word == "b" && name == "BEQ_MM" && in.Ops[2].IsImm() && isInt(in.Ops[2].Imm(), 11) {
		v := in.Ops[2]
		short := "B16_MM"
		if r.has("mips32r6") {
			short = "BC16_MMR6"
		}
		in.Reset(r.op(short))
		in.Add(v)
	}
	return in
}

func (r *reader) isReg16(o mc.Operand) bool {
	c, ok := r.info.RegClassByName("gprmm16")
	return ok && o.IsReg() && r.info.ClassContains(c, o.Reg())
}

// fitsHere reports that an instruction takes a number as it is.
func (r *reader) fitsHere(name string, v int64) bool {
	if strings.HasPrefix(name, "ANDi") || strings.HasPrefix(name, "ORi") || strings.HasPrefix(name, "XORi") {
		return isUInt(v, 16)
	}
	return isInt(v, 16)
}

// expands reports a row whose number may be larger than the instruction's.
func (w *row) expands(name string) bool {
	k := len(w.ops) - 1
	if k < 1 || w.ops[k].letter != 'I' || aliasOps[strings.TrimSuffix(name, "_MM")] == "" {
		return false
	}
	return w.ops[k].nums.hi > 1<<17
}

// aliasOps are the instructions of registers that do what those of numbers do.
var aliasOps = map[string]string{"ADDi": "ADD", "ADDiu": "ADDu", "ANDi": "AND", "ORi": "OR", "XORi": "XOR", "SLTi": "SLT", "SLTiu": "SLTu", "DADDi": "DADD", "DADDiu": "DADDu",
	"ANDi64": "AND64", "ORi64": "OR64", "XORi64": "XOR64", "SLTi64": "SLT64", "SLTiu64": "SLTu64"}

// aliasImm puts a number that is too large into a register first.
func (r *reader) aliasImm(in *mc.Inst) error {
	name := r.info.OpcodeName(in.Op)
	d, s := r.regNumber(in.Ops[0]), r.regNumber(in.Ops[1])
	t := d
	if d == s {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	v := in.Ops[2].Imm()
	wide := strings.HasPrefix(name, "D") || strings.HasSuffix(name, "64")
	if err := r.loadImm(v, t, -1, !wide && !r.has("gp64") || isInt(v, 32), false); err != nil {
		return err
	}
	if t == d {
		return r.inst(aliasOps[strings.TrimSuffix(name, "_MM")], d, d, s)
	}
	return r.inst(aliasOps[strings.TrimSuffix(name, "_MM")], d, d, t)
}

func (r *reader) regNumber(o mc.Operand) int { return int(r.info.Regs[o.Reg()].Encoding) }

// atReg is the register for expansions.
func (r *reader) atReg() (int, error) {
	if n := r.at(); n != 0 {
		return n, nil
	}
	return 0, failed("pseudo-instruction requires $at, which is not available")
}

type immArg int64

func imm(v int64) immArg { return immArg(v) }

// inst emits an instruction of registers by number, numbers and expressions.
func (r *reader) inst(name string, args ...any) error {
	var in mc.Inst
	if r.has("micromips") && (!r.has("mips32r6") && microForms[name] || name == "LW" || name == "SW") {
		if name += "_MM"; r.has("mips32r6") {
			name += "R6"
		}
	}
	in.Reset(r.op(name))
	for k, a := range args {
		switch a := a.(type) {
		case int:
			class := "PTR"
			if c := r.info.OperandClass(in.Op, k, r.info.DefaultMode); c != desc.NoClass && int(c) < len(r.info.Classes) {
				class = r.info.RegClassName(c)
			}
			if class == "PTR" {
				class = "GPR32"
				if r.pointers64() {
					class = "GPR64"
				}
			}
			in.Add(mc.Reg(r.regOf(class, a)))
		case immArg:
			in.Add(mc.Imm(int64(a)))
		case mc.Expr:
			in.Add(mc.ExprOp(a))
		case desc.PhysReg:
			in.Add(mc.Reg(a))
		default:
			panic(fmt.Sprintf("mips: operand %T", a))
		}
	}
	return r.emit(&in)
}

// microForms are instructions whose symbols have other relocations in microMIPS.
var microForms = map[string]bool{"LUi": true, "ADDiu": true, "ORi": true, "LW": true, "SW": true, "BEQ": true, "BNE": true, "BGEZ": true, "BLTZ": true, "BLEZ": true, "BGTZ": true}

// spec is an expression with a modifier of a name.
func (r *reader) spec(name string, e mc.Expr) mc.Expr {
	ctx := r.p.Context()
	for i, m := range ctx.Info().Modifiers {
		if m.Name == name {
			return ctx.Modified(mc.Modifier(i), e)
		}
	}
	return e
}

// memory expands loads and stores whose address is not a register with 16 bits.
func (r *reader) memory(w *row, in *mc.Inst, d *desc.InstrDesc) (done bool, err error) {
	n := len(in.Ops)
	if !d.MayLoad() && !d.MayStore() || n != 3 && n != 4 || len(w.ops) == 0 || w.ops[len(w.ops)-1].letter != 'M' {
		return false, nil
	}
	nums := &w.ops[len(w.ops)-1].nums
	off := in.Ops[n-1]
	small := 16
	if n := r.info.OpcodeName(in.Op); nums.lo == -256 && nums.hi == 255 || r.has("mips32r6") && nine[strings.TrimSuffix(n, "_MMR6")] {
		small = 9
	}
	switch {
	case off.IsImm() && isInt(off.Imm(), small), nums.hi < 1<<16 && off.IsImm():
		return false, nil
	case off.IsExpr() && !r.plain(off.Expr()):
		return false, nil
	case !off.IsImm() && !off.IsExpr() || !in.Ops[n-2].IsReg():
		return false, nil
	}
	if _, ok := ranges16[r.info.OpcodeName(in.Op)]; ok {
		return false, nil
	}
	return true, r.expandMemory(in, d, n)
}

// nine are loads and stores whose offset has nine bits since the sixth release.
var nine = map[string]bool{"LL_R6": true, "SC_R6": true, "LLD_R6": true, "SCD_R6": true, "LL64_R6": true, "SC64_R6": true, "LL": true, "SC": true}

// plain reports an expression of a symbol without a modifier.
func (r *reader) plain(e mc.Expr) bool {
	v, ok := r.p.Context().Reduce(e, nil)
	return ok && v.A != 0 && v.Mod == mc.ModNone
}

func (r *reader) expandMemory(in *mc.Inst, d *desc.InstrDesc, n int) error {
	base := r.regNumber(in.Ops[n-2])
	off := in.Ops[n-1]
	class := ""
	if c := r.info.OperandClass(in.Op, 0, r.info.DefaultMode); c != desc.NoClass {
		class = r.info.RegClassName(c)
	}
	dst := r.regNumber(in.Ops[n-3])
	t := dst
	if !d.MayLoad() || class != "GPR32" && class != "GPR64" || base == dst {
		var err error
		if t, err = r.atReg(); err != nil {
			return err
		}
	}
	whole := append([]mc.Operand(nil), in.Ops...)
	op := in.Op
	last := func(o mc.Operand) error {
		in.Reset(op)
		for _, x := range whole[:n-2] {
			in.Add(x)
		}
		in.Add(mc.Reg(r.regOf(r.gprClass(whole[n-2]), t)))
		in.Add(o)
		return r.emit(in)
	}
	add := "ADDu"
	if r.pointers64() {
		add = "DADDu"
	}
	nineBits := r.has("mips32r6") && nine[strings.TrimSuffix(r.info.OpcodeName(op), "_MMR6")]
	if off.IsImm() {
		v := off.Imm()
		lo := low16(v)
		if nineBits && !isInt(lo, 9) {
			return r.farMemory(v, t, base, add, last)
		}
		hi := v - lo
		if hi != 0 {
			if err := r.loadImm(hi, t, -1, isInt(v, 32), true); err != nil {
				return err
			}
		}
		if base != 0 {
			if err := r.inst(add, t, t, base); err != nil {
				return err
			}
		}
		return last(mc.Imm(lo))
	}
	e := off.Expr()
	if nineBits {
		if err := r.loadSymbol(t, base, e, !r.pointers64()); err != nil {
			return err
		}
		return last(mc.Imm(0))
	}
	if r.pic {
		v, ok := r.p.Context().Reduce(e, nil)
		switch {
		case !ok:
			return failed("expected relocatable expression")
		case v.B != 0:
			return failed("expected relocatable expression with only one symbol")
		}
		if err := r.loadSymbol(t, base, r.p.Context().Ref(v.A, mc.ModNone), !r.pointers64()); err != nil {
			return err
		}
		return last(mc.Imm(low16(v.Off)))
	}
	if r.abi == "n64" {
		if err := r.steps(
			step{"LUi", t, r.spec("highest", e)}, step{"DADDiu", t, t, r.spec("higher", e)}, step{"DSLL", t, t, imm(16)},
			step{"DADDiu", t, t, r.spec("hi", e)}, step{"DSLL", t, t, imm(16)}); err != nil {
			return err
		}
	} else if err := r.inst("LUi", t, r.spec("hi", e)); err != nil {
		return err
	}
	if base != 0 {
		if err := r.inst(add, t, t, base); err != nil {
			return err
		}
	}
	return last(mc.ExprOp(r.spec("lo", e)))
}

// farMemory accesses what is farther than nine bits from a register: the address is added up first.
func (r *reader) farMemory(v int64, t, base int, add string, last func(o mc.Operand) error) error {
	if isInt(v, 16) {
		op := "ADDiu"
		if r.pointers64() {
			op = "DADDiu"
		}
		if err := r.inst(op, t, base, imm(v)); err != nil {
			return err
		}
		return last(mc.Imm(0))
	}
	if err := r.loadImm(v, t, -1, isInt(v, 32), true); err != nil {
		return err
	}
	if base != 0 {
		if err := r.inst(add, t, t, base); err != nil {
			return err
		}
	}
	return last(mc.Imm(0))
}

func (r *reader) gprClass(o mc.Operand) string {
	if c, ok := r.info.RegClassByName("gpr64"); ok && r.info.ClassContains(c, o.Reg()) {
		return "GPR64"
	}
	return "GPR32"
}

type step []any

func (r *reader) steps(l ...step) error {
	for _, s := range l {
		if err := r.inst(s[0].(string), s[1:]...); err != nil {
			return err
		}
	}
	return nil
}

// emit emits an instruction and notes what objects say of it.
func (r *reader) emit(in *mc.Inst) error {
	r.obj.used(r.session, in)
	r.obj.code(r)
	return r.p.Emit(in)
}
