package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
)

// objects learns what becomes of expressions: it makes desc.ObjectTables.
type objects struct {
	l     *learner
	name  string
	enc   *table.Encoder
	ctx   *mc.Context
	modes []string
	specs []spec // by number of the table; row 0 is none
	// unnamed are those that text does not show: what parsers make of plain symbols.
	unnamed []spec
	bases   []based
	t       desc.ObjectTables
	blob    strings.Builder
	names   map[string]desc.Name
	stats   map[string]int
	verbose bool
}

// based is an opcode with operands that encode in a mode (0 none).
type based struct {
	op   desc.Opcode
	mode int
	ops  []operand
}

// learnObjects learns the flavors of a target and writes their tables.
func learnObjects(name, ask, out string, verbose bool) error {
	began := time.Now()
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	tabs, err := facts.MachineCode(name)
	if err != nil {
		return err
	}
	enc, err := table.NewEncoder(tabs.Encoder, info, table.EncodeFuncs{})
	if err != nil {
		return err
	}
	t := targets[name]
	o := &objects{l: newLearner(info, nil, info.DefaultMode), name: name, enc: enc.Blank(), ctx: mc.NewContext(nil), modes: []string{""},
		names: map[string]desc.Name{"": 0}, stats: map[string]int{}, verbose: verbose}
	for _, m := range t.modes {
		o.modes = append(o.modes, m.name)
	}
	var ors []*process
	for _, v := range t.views {
		v.features = expand(info, v.features)
		p, err := start(ask, v)
		if err != nil {
			return err
		}
		defer p.close()
		ors = append(ors, p)
	}
	o.findBases(t, ors)
	for _, f := range flavors[name] {
		if err := o.flavor(f, t, ask, ors); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	o.t.Names = o.blob.String()
	data := facts.AppendObjects(nil, &o.t)
	fmt.Printf("%s objects: %d bytes, %.0f s\n", name, len(data), time.Since(began).Seconds())
	var keys []string
	for k := range o.stats {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Printf("  %5d %s\n", o.stats[k], k)
	}
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_obj_"+t.file+".bin"), data, 0o666)
}

func (o *objects) text(s string) desc.Name {
	if n, ok := o.names[s]; ok {
		return n
	}
	n := desc.MakeName(o.blob.Len(), len(s))
	o.blob.WriteString(s)
	o.names[s] = n
	return n
}

// findBases finds operands for every opcode that has an encoding, in each mode.
func (o *objects) findBases(t target, ors []*process) {
	for op := desc.FirstTargetOpcode; int(op) < o.l.info.NumInstrs(); op++ {
		found := make([]based, len(o.modes))
		quality := make([]int, len(o.modes))
		for m := range o.modes {
			found[m] = based{op: op, mode: m}
			if !o.enc.InMode(o.modes[m]).Has(op) {
				continue
			}
			for v, p := range ors {
				if t.modeOf(v) != m || quality[m] == 3 {
					continue
				}
				o.l.or = p
				if ops, _, q := o.l.findBase(op); q > quality[m] {
					quality[m], found[m].ops = q, ops
				}
			}
		}
		// What a mode's decoder does not know is of the others.
		for m, q := range quality {
			if q > 0 && (q >= 2 || q == slices.Max(quality)) {
				o.bases = append(o.bases, found[m])
			}
		}
	}
	sort.SliceStable(o.bases, func(i, j int) bool { return o.bases[i].mode < o.bases[j].mode })
}

// modeOf is the number of the mode that a view is of, 0 for none.
func (t *target) modeOf(v int) int {
	for m := range t.modes {
		if slices.Contains(t.modes[m].views, v) {
			return m + 1
		}
	}
	return 0
}

var specText = regexp.MustCompile(`^(%[a-z0-9_.]+\(sym\)|:[a-z0-9_]+:sym|[a-z0-9_]+\(sym\)|sym@[A-Za-z0-9_@]+)$`)

// findSpecs lists the specifiers, those of the same text once.
func (o *objects) findSpecs(p *process) error {
	var all []spec
	for _, r := range [...][2]uint32{{1, 1300}, {4000, 4200}} { // the second is where fixups' own numbers begin
		for at := r[0]; at < r[1]; at += 50 {
			l, err := p.specifiers(at, min(at+50, r[1]))
			if err != nil {
				return err
			}
			all = append(all, l...)
		}
	}
	// Those behind "@" first.
	sort.SliceStable(all, func(i, j int) bool { return all[i].form < all[j].form })
	if o.verbose {
		fmt.Println(len(all), "specifiers")
	}
	o.specs = []spec{{}}
	byText := map[string]int{}
	for _, s := range all {
		if s.form == 0 {
			s.text = "sym@" + s.text
		}
		if s.text == "sym" && s.form == 1 {
			o.unnamed = append(o.unnamed, s)
			continue
		}
		if !specText.MatchString(s.text) {
			continue
		}
		if k, ok := byText[s.text]; ok {
			if !firstSpec[o.name] {
				o.specs[k].num, o.specs[k].form = s.num, s.form
			}
			continue
		}
		byText[s.text] = len(o.specs)
		o.specs = append(o.specs, s)
	}
	o.t.Specs = make([]desc.SpecDesc, len(o.specs))
	for i, s := range o.specs[1:] {
		pre, suf, _ := strings.Cut(s.text, "sym")
		o.t.Specs[i+1] = desc.SpecDesc{Prefix: o.text(pre), Suffix: o.text(suf)}
	}
	return nil
}

// specRow is the row of a specifier by LLVM's number.
func (o *objects) specRow(num uint32) (int, bool) {
	if num == 0 {
		return 0, true
	}
	for i := 1; i < len(o.specs); i++ {
		if o.specs[i].num == num {
			return i, true
		}
	}
	for _, s := range o.unnamed {
		if s.num == num {
			return 0, true
		}
	}
	return 0, false
}

// flavorLearner is what is known of a flavor while it is learned.
type flavorLearner struct {
	o     *objects
	p     *process
	f     desc.ObjectFlavor
	kinds map[kindKey]int
	keys  []kindKey
	uses  map[kindKey]map[int]bool // specifiers that a kind occurs with
	lists map[string]uint32
	bad   map[uint16]bool
}

// kindKey tells kinds of fixups apart. spec is that of a kind whose bits follow it, else 0.
type kindKey struct {
	kind         uint16
	pcrel, relax bool
	spec         int
}

// firstData is LLVM's number of plain data of one byte.
const firstData = 4001

func (o *objects) flavor(fl flavor, t target, ask string, ors []*process) error {
	p, err := start(ask, fl.view.expanded(o.l.info))
	if err != nil {
		return err
	}
	defer p.close()
	if o.specs == nil {
		err := o.findSpecs(p)
		p.close() // numbers that are none may have harmed it
		if err == nil {
			err = p.run()
		}
		if err != nil {
			return err
		}
	}
	f := &flavorLearner{o: o, p: p, kinds: map[kindKey]int{}, uses: map[kindKey]map[int]bool{}, lists: map[string]uint32{}, bad: map[uint16]bool{}}
	f.f.Name = o.text(fl.name)
	if err := f.machine(); err != nil {
		return err
	}
	for k := range desc.DataKinds {
		f.kind(made{kind: uint16(firstData + k%4), flags: uint8(k / 4)}, 0)
	}
	f.f.Exprs, f.f.Choices = nil, nil
	for m := range o.modes {
		q := p
		if m > 0 {
			if q, err = start(ask, fl.modes[m-1].expanded(o.l.info)); err != nil {
				return err
			}
			defer q.close()
			f.f.Modes = append(f.f.Modes, o.text(o.modes[m]))
		}
		if err := f.exprs(m, q); err != nil {
			return err
		}
	}
	if err := f.pseudoKinds(); err != nil {
		return err
	}
	if err := f.apply(); err != nil {
		return err
	}
	if err := f.relocs(); err != nil {
		return err
	}
	if err := f.longer(t, ors); err != nil {
		return err
	}
	if err := f.nops(fl, ask); err != nil {
		return err
	}
	o.t.Flavors = append(o.t.Flavors, f.f)
	if o.verbose {
		f.show()
	}
	return nil
}

// show prints what is learned of a flavor.
func (f *flavorLearner) show() {
	blob := f.o.blob.String()
	fmt.Printf("%s: swaps %v, %d expressions, %d choices\n", f.f.Name.In(blob), f.f.Swaps, len(f.f.Exprs), len(f.f.Choices))
	for i := range f.f.Kinds {
		k := &f.f.Kinds[i]
		fmt.Printf("  %d %s spec %q: %d to %d align %d add %d size %d flags %x const %x segs %v %q %q\n", i, k.Name.In(blob), f.o.specs[f.keys[i].spec].text,
			k.Lo, k.Hi, k.Align, k.Add, k.Size, k.Flags, k.Const, f.f.Segs[k.Segs:k.Segs+uint32(k.NumSegs)], k.RangeError.In(blob), k.AlignError.In(blob))
		for _, r := range f.f.Relocs {
			if int(r.Kind) == i && i >= desc.DataKinds {
				fmt.Printf("      %q relative %v: %d flags %x\n", f.o.specs[r.Spec].text, r.PCRel, r.Type, r.Flags)
			}
		}
	}
}

func (v view) expanded(info *desc.Info) view {
	v.features = expand(info, v.features)
	return v
}

// machine learns the header and the assembly.
func (f *flavorLearner) machine() error {
	vals, cfi, err := f.p.machine()
	if err != nil {
		return err
	}
	num := func(k string) uint64 {
		n, _ := strconv.ParseUint(vals[k], 10, 64)
		return n
	}
	o, d := f.o, &f.f
	d.Machine, d.OSABI, d.ABIVersion = uint16(num("machine")), uint8(num("osabi")), uint8(num("abiversion"))
	d.Class64, d.Rela, d.BigEndian = num("class64") != 0, num("rela") != 0, num("big") != 0
	d.Pointer, d.TextAlign, d.MinNop = uint8(num("pointer")), uint8(num("textalign")), uint8(num("minnop"))
	d.Slot, d.CodeUnit, d.FDEEncoding = uint8(num("slot")), uint8(num("mininstalign")), uint8(num("fdeencoding"))
	d.EHType, d.ReturnColumn = uint32(num("ehtype")), uint32(num("rareg"))
	d.StackUp, d.CFI, d.AbsFDE = num("stackup") != 0, num("ehcfi") != 0, num("fdeabsdiff") != 0
	for _, c := range cfi {
		d.Initial = append(d.Initial, desc.InitialCFI{Op: uint8(c[0]), Reg: uint32(c[1]), Offset: c[2]})
	}
	a := &d.Asm
	a.Comment, a.Separator = o.text(vals["comment"]), o.text(vals["separator"])
	a.PrivateGlobal, a.PrivateLabel = o.text(vals["privateglobal"]), o.text(vals["privatelabel"])
	for i, k := range [...]string{"data8", "data16", "data32", "data64"} {
		a.Data[i] = o.text(vals[k])
	}
	a.Zero, a.Ascii, a.Asciz, a.Global, a.Weak = o.text(vals["zero"]), o.text(vals["ascii"]), o.text(vals["asciz"]), o.text(vals["global"]), o.text(vals["weak"])
	for i, k := range [...]string{"alignisbytes", "commalignbytes", "lcommalign", "bssbysection", "sunstyle", "dollarispc", "dollarstarts", "atinname",
		"useat", "useparens", "motorola", "logicalshr", "dwarfregnum", "stacknote", "cfiwithouteh"} {
		if num(k) != 0 {
			a.Flags |= 1 << i
		}
	}
	a.TextFill = uint8(num("textfill"))
	return nil
}

// kind gives the row of a kind of fixup, seen with a specifier.
func (f *flavorLearner) kind(m made, sp int) int {
	k := kindKey{kind: m.kind, pcrel: m.flags&1 != 0, relax: m.flags&2 != 0}
	if f.uses[k] == nil {
		f.uses[k] = map[int]bool{}
	}
	f.uses[k][sp] = true
	if n, ok := f.kinds[k]; ok {
		return n
	}
	f.kinds[k] = len(f.keys)
	f.keys = append(f.keys, k)
	return len(f.keys) - 1
}

// exprs learns which fixups expressions make in mode m.
func (f *flavorLearner) exprs(m int, p *process) error {
	o := f.o
	enc := o.enc.InMode(o.modes[m])
	unit, err := f.swap(m, enc, p)
	if err != nil {
		return err
	}
	f.f.Swaps = append(f.f.Swaps, unit)
	for bi := range o.bases {
		b := &o.bases[bi]
		if b.mode != m {
			continue
		}
		for k := range b.ops {
			if b.ops[k].kind != kindImm || o.l.predicate(b.op, k) {
				continue
			}
			if err := f.expr(m, p, enc, unit, b, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// inst makes an instruction of operands, with an expression as operand k (-1: none).
func (o *objects) inst(op desc.Opcode, ops []operand, k int) *mc.Inst {
	in := &mc.Inst{Op: op}
	for i, x := range ops {
		switch {
		case i == k:
			in.Add(mc.ExprOp(o.ctx.Ref(o.ctx.Symbol("sym"), 0)))
		case x.kind == kindReg:
			in.Add(mc.Reg(desc.PhysReg(x.val)))
		default:
			in.Add(mc.Imm(x.val))
		}
	}
	return in
}

// swap finds how the bytes of instructions differ from the tables'.
func (f *flavorLearner) swap(m int, enc *table.Encoder, p *process) (uint8, error) {
	o := f.o
	var qs []question
	var want [][]byte
	for i := range o.bases {
		b := &o.bases[i]
		if b.mode != m {
			continue
		}
		code, _, err := enc.Encode(o.ctx, nil, o.inst(b.op, b.ops, -1), nil, nil)
		if err == nil {
			qs = append(qs, question{op: b.op, ops: b.ops})
			want = append(want, code)
		}
	}
	as, err := p.probeObject(qs)
	if err != nil {
		return 0, err
	}
	best, unit := 0, uint8(desc.SwapUnknown)
	for _, u := range [...]uint8{0, desc.SwapAll, 4, 2} {
		n := 0
		for i := range as {
			if as[i].ok && string(table.Swapped(slices.Clone(want[i]), u)) == string(as[i].code) {
				n++
			}
		}
		if n > best && n*10 > len(qs)*6 {
			best, unit = n, u
		}
	}
	if unit == desc.SwapUnknown {
		if o.verbose {
			for i := range as {
				fmt.Printf("  %s: %x, the table has %x\n", o.l.info.OpcodeName(qs[i].op), as[i].code, want[i])
			}
		}
		o.stats[fmt.Sprintf("%s: mode %q has another order of bytes", f.f.Name.In(o.blob.String()), o.modes[m])]++
	}
	return unit, nil
}

// expr learns operand k of an opcode.
func (f *flavorLearner) expr(m int, p *process, enc *table.Encoder, unit uint8, b *based, k int) error {
	o := f.o
	if unit == desc.SwapUnknown {
		return nil
	}
	blank, _, err := enc.Encode(o.ctx, nil, o.inst(b.op, b.ops, k), nil, nil)
	if err != nil {
		return nil
	}
	blank = table.Swapped(blank, unit)
	plain, _, err := enc.Encode(o.ctx, nil, o.inst(b.op, b.ops, -1), nil, nil)
	if err != nil {
		return nil
	}
	qs := make([]question, len(o.specs), len(o.specs)+1)
	for i := range qs {
		ops := slices.Clone(b.ops)
		s := &o.specs[i]
		ops[k] = operand{kindRef, int64(s.num)<<8 | 1}
		if s.form == 1 {
			ops[k].kind = kindSpec
		}
		qs[i] = question{op: b.op, ops: ops}
	}
	as, err := p.probeObject(append(qs, question{op: b.op, ops: b.ops}))
	if err != nil {
		return err
	}
	last := &as[len(qs)]
	if as = as[:len(qs)]; !last.ok || string(last.code) != string(table.Swapped(plain, unit)) {
		return nil // it is of another mode
	}
	// Some encoders know plain symbols only as their parsers mark them.
	for i := 0; unmarked[o.name] && i < len(o.unnamed); i++ {
		ops := slices.Clone(b.ops)
		ops[k] = operand{kindSpec, int64(o.unnamed[i].num)<<8 | 1}
		marked, err := p.probeObject([]question{{op: b.op, ops: ops}})
		if err != nil {
			return err
		}
		if _, ok := f.choice(&marked[0], 0, blank); ok {
			as[0] = marked[0]
			break
		}
	}
	var rows []desc.ExprChoice
	for i := range as {
		if c, ok := f.choice(&as[i], i, blank); ok {
			rows = append(rows, c)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	// What most do is the first row; those that do the same are left out.
	count := map[desc.ExprChoice]int{}
	first := rows[0]
	for _, r := range rows {
		r.Spec = 0
		count[r]++
	}
	if rows[0].Spec != 0 {
		for _, r := range rows {
			if s := (desc.ExprChoice{Num: r.Num, Fixes: r.Fixes, Set: r.Set, Clear: r.Clear}); count[s] > count[desc.ExprChoice{Num: first.Num, Fixes: first.Fixes, Set: first.Set, Clear: first.Clear}] {
				first = s
			}
		}
	}
	first.Spec = 0
	list := []desc.ExprChoice{first}
	for _, r := range rows {
		s := r
		s.Spec = 0
		if s != first {
			list = append(list, r)
		}
	}
	row := desc.ExprDesc{Op: b.op, Mode: uint8(m), Operand: uint8(k), NumChoices: uint8(len(list))}
	row.Choices = onceIn(f, &f.f.Choices, "c", list)
	if m > 0 { // only where it differs
		for _, x := range f.f.Exprs {
			if x.Op == row.Op && x.Operand == row.Operand && x.Mode == 0 && x.Choices == row.Choices && x.NumChoices == row.NumChoices {
				return nil
			}
		}
	}
	f.f.Exprs = append(f.f.Exprs, row)
	return nil
}

// onceIn adds rows to a table of a flavor unless it has the same ones.
func onceIn[T any](f *flavorLearner, t *[]T, kind string, rows []T) uint32 {
	key := keyOf(kind, rows)
	if at, ok := f.lists[key]; ok {
		return at
	}
	at := uint32(len(*t))
	*t = append(*t, rows...)
	f.lists[key] = at
	return at
}

// choice makes a row of what a specifier does.
func (f *flavorLearner) choice(a *probed, sp int, blank []byte) (c desc.ExprChoice, ok bool) {
	if !a.ok || len(a.fixes) == 0 || len(a.code) != len(blank) {
		return c, false
	}
	for i := range blank {
		x := a.code[i] ^ blank[i]
		if x != 0 && i >= 8 {
			return c, false
		}
		if i < 8 {
			c.Set |= uint64(x&a.code[i]) << (8 * i)
			c.Clear |= uint64(x&blank[i]) << (8 * i)
		}
	}
	var fixes []desc.ExprFixup
	for _, m := range a.fixes {
		if m.flags&(4|8) != 4|8 || m.flags&16 != 0 {
			return c, false
		}
		s, fine := f.o.specRow(m.spec)
		if !fine || f.invalid(m.kind) || m.add != int64(int32(m.add)) {
			return c, false
		}
		x := desc.ExprFixup{Kind: uint16(f.kind(m, s)), Offset: m.offset, Add: m.add}
		if s != sp {
			x.Spec = uint16(1 + s)
		}
		fixes = append(fixes, x)
	}
	c.Spec, c.Num, c.Fixes = uint16(sp), uint8(len(fixes)), onceIn(f, &f.f.ExprFixes, "f", fixes)
	return c, true
}

// pseudoKinds adds the kinds of fixups that only opcodes without an encoding of their own
// make (pseudoKinds in flavors.go), so that a target's encoder can name them.
func (f *flavorLearner) pseudoKinds() error {
	o := f.o
	for _, x := range pseudoOps[o.name] {
		op, ok := o.l.info.OpcodeByName(x.op)
		if !ok {
			return fmt.Errorf("no opcode %s", x.op)
		}
		q := question{op: op}
		var tried []question
		for _, r := range x.regs {
			reg, ok := o.l.info.RegByName(r)
			if !ok {
				return fmt.Errorf("no register %s", r)
			}
			q.ops = append(q.ops, operand{kindReg, int64(reg)})
		}
		for range x.zeros {
			q.ops = append(q.ops, operand{kindImm, 0})
		}
		row := 0
		specs := o.unnamed
		if x.spec != "" {
			row = slices.IndexFunc(o.specs, func(s spec) bool { return s.text == x.spec })
			if row < 0 {
				return fmt.Errorf("no specifier %s", x.spec)
			}
			specs = o.specs[row : row+1]
		}
		for _, s := range specs {
			y := question{op: op, ops: append(slices.Clone(q.ops), operand{kindSpec, int64(s.num)<<8 | 1})}
			tried = append(tried, y)
		}
		as, err := f.p.probeObject(tried)
		if err != nil {
			return err
		}
		found := false
		for i := range as {
			if as[i].ok && len(as[i].fixes) > 0 && !f.invalid(as[i].fixes[0].kind) {
				f.kind(as[i].fixes[0], row)
				found = true
				break
			}
		}
		if !found {
			o.stats["kinds of "+x.op+" that are not found"]++
		}
	}
	return nil
}

// invalid reports a kind that stands for mistakes.
func (f *flavorLearner) invalid(kind uint16) bool {
	bad, ok := f.bad[kind]
	if !ok {
		bad = strings.HasSuffix(f.kindText(kindKey{kind: kind}), "_invalid")
		f.bad[kind] = bad
	}
	return bad
}
