package mcgen

import (
	"sort"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// writerGen makes the assembly writer's table.
type writerGen struct {
	*Source
	t       *desc.WriterTable
	methods numbered
	preds   numbered
	formats formats
	terms   terms
	altIdx  map[*tablegen.Record]uint8
}

// Writer makes the table of the assembly writer.
func (s *Source) Writer() (*desc.WriterTable, error) {
	s.begin()
	if !s.hasRegisters() {
		return nil, s.take()
	}
	g := &writerGen{Source: s, t: &desc.WriterTable{Variants: uint16(s.variants())}}
	g.formats.number(desc.ImmFormat{})
	g.t.Parts = append(g.t.Parts, desc.WriterPart{Op: -1, Last: true}) // 0: none
	g.registers()
	for _, in := range s.insts {
		asm := in.Rec.String("AsmString")
		if asm == "" {
			continue
		}
		for v := range int(g.t.Variants) {
			part, ok := g.parts(in.Rec, asm, v, func(name string) (operandRef, bool) { return g.refOf(in, name) })
			if !ok {
				break
			}
			row := int(in.op)*int(g.t.Variants) + v
			for len(g.t.Rows) <= row {
				g.t.Rows = append(g.t.Rows, 0)
			}
			g.t.Rows[row] = part
		}
	}
	g.aliases()
	g.t.Methods, g.t.Preds, g.t.Terms, g.t.Formats = g.methods.names, g.preds.names, g.terms.list, g.formats.list
	g.t.Names = s.names.String()
	return g.t, s.take()
}

// target is the record of class Target; nil when there is none.
func (s *Source) target() *tablegen.Record {
	for _, r := range s.rs.DerivedFrom("Target") {
		return r
	}
	return nil
}

// variants is the number of syntax variants that writers and parsers have.
func (s *Source) variants() int {
	n := 1
	if t := s.target(); t != nil {
		for _, field := range [...]string{"AssemblyWriters", "AssemblyParserVariants"} {
			for _, w := range t.DefList(field) {
				n = max(n, int(w.Int("Variant"))+1)
			}
		}
	}
	return min(n, 16)
}

// registers fills in the names of registers, one list for each alternative index.
func (g *writerGen) registers() {
	n := len(g.info.Regs)
	g.t.NumRegs = uint16(n)
	g.t.RegNames = make([]desc.Name, n)
	g.altIdx = map[*tablegen.Record]uint8{}
	regs := g.rs.DerivedFrom("Register")
	for _, r := range regs {
		if p, ok := g.register(r); ok && p != 0 {
			g.t.RegNames[p] = g.text(r.String("AsmName"))
		}
	}
	for _, idx := range g.rs.DerivedFrom("RegAltNameIndex") {
		if idx.Name == "NoRegAltName" {
			continue
		}
		k := len(g.t.RegNames) / max(n, 1)
		g.altIdx[idx] = uint8(k)
		g.t.RegNames = append(g.t.RegNames, make([]desc.Name, n)...)
		for _, r := range regs {
			p, ok := g.register(r)
			if !ok || p == 0 {
				continue
			}
			name := r.String("AsmName")
			names := r.List("AltNames")
			for j, x := range r.DefList("RegAltNameIndices") {
				if x == idx && j < len(names) {
					if s, ok := names[j].(*tablegen.StringInit); ok {
						name = s.S
					}
				}
			}
			g.t.RegNames[k*n+int(p)] = g.text(name)
		}
	}
}

// operandRef is an operand that an assembly string names.
type operandRef struct {
	op  int
	def *tablegen.Record
}

// refOf finds the operand of an instruction by its name in an assembly string.
func (s *Source) refOf(in *inst, name string) (operandRef, bool) {
	if gr := in.FindGroup(name); gr != nil {
		return operandRef{gr.First, gr.Def}, true
	}
	if k, ok := in.Find(name); ok {
		return operandRef{k, in.Ops[k].Def}, true
	}
	return operandRef{}, false
}

// parts adds the parts of an assembly string.
func (g *writerGen) parts(r *tablegen.Record, asm string, variant int, find func(name string) (operandRef, bool)) (uint32, bool) {
	flat, err := flatten(asm, variant)
	if err != nil {
		g.errorf(r.Loc, "%s", err)
		return 0, false
	}
	ps, err := pieces(flat)
	if err != nil {
		g.errorf(r.Loc, "%s", err)
		return 0, false
	}
	first := uint32(len(g.t.Parts))
	w := desc.WriterPart{Op: -1}
	open := false
	for _, p := range ps {
		if p.operand == "" {
			w.Text, open = g.text(p.text), true
			continue
		}
		if p.operand == ":" || p.operand == "" { // ${:name}: private text of LLVM's own
			continue
		}
		ref, ok := find(p.operand)
		if !ok {
			g.t.Parts = g.t.Parts[:first]
			g.errorf(r.Loc, "'%s' does not have an operand named '$%s'!", r.Name, p.operand)
			return 0, false
		}
		w.Op, w.Modifier = int16(ref.op), g.text(p.modifier)
		if m := ref.def.String("PrintMethod"); m != "" && m != "printOperand" {
			w.Method = g.number(&g.methods, m)
		} else if p.modifier != "" {
			w.Method = g.number(&g.methods, "printOperand")
		}
		w.RegNames = g.altNames(ref.def)
		g.t.Parts = append(g.t.Parts, w)
		w, open = desc.WriterPart{Op: -1}, false
	}
	if open || len(g.t.Parts) == int(first) {
		g.t.Parts = append(g.t.Parts, w)
	}
	g.t.Parts[len(g.t.Parts)-1].Last = true
	return first, true
}

// altNames is the alternative index of names that a register class prints by.
func (g *writerGen) altNames(def *tablegen.Record) uint8 {
	if def.IsSubClassOf("RegisterOperand") {
		def = def.DefField("RegClass")
	}
	if def == nil || !def.IsSubClassOf("RegisterClass") {
		return 0
	}
	return g.altIdx[def.DefField("altNameIndex")]
}

// aliases adds the aliases that are printed.
func (g *writerGen) aliases() {
	type row struct {
		a        desc.WriterAlias
		priority int64
	}
	var rows []row
	for _, r := range g.rs.DerivedFrom("InstAlias") {
		prio := r.Int("EmitPriority")
		if prio <= 0 {
			continue
		}
		a, ok := g.instAlias(r)
		if !ok {
			continue
		}
		for v := range int(g.t.Variants) {
			if name := r.String("AsmVariantName"); name != "" && name != g.variantName(v) {
				continue
			}
			if g.operandCount(a.in.Rec.String("AsmString"), v) < g.operandCount(r.String("AsmString"), v) {
				continue
			}
			w := desc.WriterAlias{Op: a.in.op, Variant: uint16(v), NumOps: uint8(len(a.in.Ops)), Conds: uint32(len(g.t.Conds))}
			g.conds(a)
			w.NumConds = uint8(len(g.t.Conds) - int(w.Conds))
			w.Features = g.terms.add(g.features(r.Loc, r.DefList("Predicates")))
			part, ok := g.parts(r, r.String("AsmString"), v, func(name string) (operandRef, bool) { return a.ref(name) })
			if !ok {
				break
			}
			w.Parts = part
			rows = append(rows, row{w, prio})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool {
		if rows[i].a.Op != rows[j].a.Op {
			return rows[i].a.Op < rows[j].a.Op
		}
		return rows[i].priority > rows[j].priority
	})
	for _, r := range rows {
		g.t.Aliases = append(g.t.Aliases, r.a)
	}
}

// operandCount counts the operands that an assembly string shows.
func (g *writerGen) operandCount(asm string, variant int) (n int) {
	flat, err := flatten(asm, variant)
	if err != nil {
		return 0
	}
	ps, _ := pieces(flat)
	for _, p := range ps {
		if p.operand != "" {
			n++
		}
	}
	return n
}

// variantName is the name of a syntax variant.
func (s *Source) variantName(v int) string {
	if t := s.target(); t != nil {
		for _, p := range t.DefList("AssemblyParserVariants") {
			if int(p.Int("Variant")) == v {
				return p.String("Name")
			}
		}
	}
	return ""
}

// conds adds the conditions under which an instruction is what the alias says.
func (g *writerGen) conds(a *alias) {
	add := func(op int, k desc.WriterCondKind, arg int64) {
		g.t.Conds = append(g.t.Conds, desc.WriterCond{Op: uint16(op), Kind: k, Arg: arg})
	}
	seen := map[string]int{}
	for k := range a.in.Ops {
		x := &a.ops[k]
		if t := a.in.Ops[k].TiedTo; t >= 0 && x.kind == aliasTied {
			add(k, desc.CondSame, int64(t))
			continue
		}
		switch x.kind {
		case aliasReg:
			if x.reg == 0 {
				add(k, desc.CondNoReg, 0)
			} else {
				add(k, desc.CondReg, int64(x.reg))
			}
		case aliasImm:
			add(k, desc.CondImm, x.imm)
		case aliasOperand:
			if first, dup := seen[x.name]; dup && x.name != "" {
				add(k, desc.CondSame, int64(first))
				continue
			}
			seen[x.name] = k
			if c, isReg := g.regClass(x.def); isReg {
				if c != desc.NoClass {
					add(k, desc.CondClass, int64(c))
				}
				continue
			}
			if p := x.def.String("MCOperandPredicate"); p != "" {
				add(k, desc.CondFunc, int64(g.number(&g.preds, x.def.Name)))
			} else if f := immFormat(x.def); f != (desc.ImmFormat{}) && x.def != a.in.Ops[k].Def {
				add(k, desc.CondFits, int64(g.formats.number(f)))
			}
		}
	}
}
