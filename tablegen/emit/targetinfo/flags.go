package targetinfo

import (
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/tablegen"
)

// unsetFlags are properties that a record leaves to its patterns.
type unsetFlags struct{ load, store, effects bool }

func (u unsetFlags) any() bool { return u.load || u.store || u.effects }

// flagFields are the fields that are flags.
var flagFields = [...]struct {
	field string
	flag  desc.InstrFlags
}{
	{"isPreISelOpcode", desc.PreISelOpcode}, {"isReturn", desc.Return}, {"isEHScopeReturn", desc.EHScopeReturn},
	{"isBranch", desc.Branch}, {"isIndirectBranch", desc.IndirectBranch}, {"isCompare", desc.Compare},
	{"isMoveImm", desc.MoveImm}, {"isMoveReg", desc.MoveReg}, {"isBitcast", desc.Bitcast}, {"isAdd", desc.Add},
	{"isTrap", desc.Trap}, {"isSelect", desc.Select}, {"isBarrier", desc.Barrier}, {"hasDelaySlot", desc.DelaySlot},
	{"isCall", desc.Call}, {"canFoldAsLoad", desc.FoldableAsLoad}, {"mayLoad", desc.MayLoad}, {"mayStore", desc.MayStore},
	{"mayRaiseFPException", desc.MayRaiseFPException}, {"isConvertibleToThreeAddress", desc.ConvertibleTo3Addr},
	{"isCommutable", desc.Commutable}, {"isTerminator", desc.Terminator}, {"isReMaterializable", desc.Rematerializable},
	{"isNotDuplicable", desc.NotDuplicable}, {"usesCustomInserter", desc.UsesCustomInserter},
	{"hasPostISelHook", desc.HasPostISelHook}, {"hasSideEffects", desc.UnmodeledSideEffects},
	{"isAsCheapAsAMove", desc.CheapAsAMove}, {"hasExtraSrcRegAllocReq", desc.ExtraSrcRegAllocReq},
	{"hasExtraDefRegAllocReq", desc.ExtraDefRegAllocReq}, {"isRegSequence", desc.RegSequenceLike},
	{"isExtractSubreg", desc.ExtractSubregLike}, {"isInsertSubreg", desc.InsertSubregLike}, {"isConvergent", desc.Convergent},
	{"variadicOpsAreDefs", desc.VariadicOpsAreDefs}, {"isAuthenticated", desc.Authenticated}, {"isMeta", desc.Meta},
	{"isPseudo", desc.Pseudo},
}

// inferFlags reads the flags of all instructions; where a record does not say
// whether an instruction reads or writes memory or has other effects, its
// pattern does.
func (b *builder) inferFlags() {
	guess, rename := true, false
	if t := b.t.Rec; t != nil {
		rename = t.Int("AllowRegisterRenaming") != 0
		if set := t.DefField("InstructionSet"); set != nil && set.HasField("guessInstructionProperties") {
			guess = set.Bit("guessInstructionProperties")
		}
	}
	for i := range b.t.Instrs {
		in := &b.t.Instrs[i]
		if in.Rec == nil {
			continue
		}
		for _, f := range flagFields {
			if in.Rec.Bit(f.field) {
				in.Flags |= f.flag
			}
		}
		if (in.predicable || in.Rec.Bit("isPredicable")) && !in.Rec.Bit("isUnpredicable") {
			in.Flags |= desc.Predicable
		}
		if in.hasOptionalDef {
			in.Flags |= desc.HasOptionalDef
		}
		if in.Variadic {
			in.Flags |= desc.Variadic
		}
		if !rename {
			in.Flags |= desc.ExtraSrcRegAllocReq | desc.ExtraDefRegAllocReq
		}
		in.unset = unsetFlags{isUnset(in.Rec, "mayLoad"), isUnset(in.Rec, "mayStore"), isUnset(in.Rec, "hasSideEffects")}
		b.fromPattern(in, in.Rec, primaryPattern(in.Rec))
	}
	b.fromPatterns()
	for i := range b.t.Instrs {
		in := &b.t.Instrs[i]
		if in.Rec != nil && guess && in.inferred == nil && in.unset.effects {
			in.Flags |= desc.UnmodeledSideEffects
		}
	}
}

func isUnset(r *tablegen.Record, field string) bool {
	_, ok := r.BitOK(field)
	return !ok && r.HasField(field)
}

// primaryPattern gives the pattern of an instruction's own record.
func primaryPattern(r *tablegen.Record) tablegen.Init {
	l := r.List("Pattern")
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

// fromPattern takes what a pattern tells about memory and effects.
func (b *builder) fromPattern(in *Instr, from *tablegen.Record, pattern tablegen.Init) {
	if pattern == nil {
		return
	}
	e := effects{b: b}
	e.walk(pattern, 0)
	if in.unset.any() {
		in.inferred = from
	}
	if e.load && in.unset.load {
		in.Flags |= desc.MayLoad
	}
	if e.store && in.unset.store {
		in.Flags |= desc.MayStore
	}
	if e.effects && in.unset.effects {
		in.Flags |= desc.UnmodeledSideEffects
	}
}

// fromPatterns looks at patterns outside of instructions whose result is a
// single instruction.
func (b *builder) fromPatterns() {
	if b.rs.Class("Pattern") == nil {
		return
	}
	for _, r := range b.rs.DerivedSorted("Pattern") {
		l := r.List("ResultInstrs")
		if len(l) != 1 {
			continue
		}
		d, ok := l[0].(*tablegen.DagInit)
		if !ok {
			continue
		}
		op, ok := d.Op.(*tablegen.DefInit)
		if !ok || b.instrsIn(d, 0) != 1 {
			continue
		}
		n, ok := b.t.byRec[op.Rec]
		if !ok {
			continue
		}
		in := &b.t.Instrs[n]
		if !in.unset.any() || in.inferred == in.Rec {
			continue
		}
		b.fromPattern(in, r, r.Value("PatternToMatch"))
	}
}

// instrsIn counts the instructions of a result.
func (b *builder) instrsIn(x tablegen.Init, depth int) int {
	d, ok := x.(*tablegen.DagInit)
	if !ok || depth > 200 {
		return 0
	}
	n := 0
	if op, ok := d.Op.(*tablegen.DefInit); ok && op.Rec.IsSubClassOf("Instruction") {
		n = 1
	}
	for _, a := range d.Args {
		n += b.instrsIn(a, depth+1)
	}
	return n
}

// effects is what the nodes of a pattern do.
type effects struct {
	b                    *builder
	load, store, effects bool
	steps                int
}

// walk visits the nodes of a pattern, through fragments.
func (e *effects) walk(x tablegen.Init, depth int) {
	if e.steps++; depth > 100 || e.steps > 100000 {
		return
	}
	switch x := x.(type) {
	case *tablegen.DefInit:
		if x.Rec.IsSubClassOf("ComplexPattern") || x.Rec.IsSubClassOf("SDPatternOperator") {
			e.node(x.Rec, depth)
		}
	case *tablegen.DagInit:
		if op, ok := x.Op.(*tablegen.DefInit); ok {
			e.node(op.Rec, depth)
		}
		for _, a := range x.Args {
			e.walk(a, depth+1)
		}
	}
}

// node takes the properties of a node, a fragment or an intrinsic.
func (e *effects) node(r *tablegen.Record, depth int) {
	if r.IsSubClassOf("Intrinsic") {
		e.intrinsic(r)
		return
	}
	for _, p := range r.DefList("Properties") {
		switch p.Name {
		case "SDNPMayLoad":
			e.load = true
		case "SDNPMayStore":
			e.store = true
		case "SDNPSideEffect":
			e.effects = true
		}
	}
	if l := r.List("Fragments"); l != nil {
		for _, f := range l {
			e.walk(f, depth+1)
		}
	}
}

// intrinsic takes the effects of an intrinsic from its properties.
func (e *effects) intrinsic(r *tablegen.Record) {
	load, store, other, known := true, true, false, false
	for _, p := range r.DefList("IntrProperties") {
		switch p.Name {
		case "IntrNoMem":
			load, store, known = false, false, true
		case "IntrReadMem":
			store, known = false, true
		case "IntrWriteMem":
			load, known = false, true
		case "IntrArgMemOnly", "IntrInaccessibleMemOnly", "IntrInaccessibleMemOrArgMemOnly":
			known = true
		case "IntrHasSideEffects":
			other = true
		}
	}
	e.load, e.store = e.load || load, e.store || store
	e.effects = e.effects || other || !known
}
