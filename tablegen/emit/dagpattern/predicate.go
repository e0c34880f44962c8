package dagpattern

import (
	"strings"

	"github.com/mirin-go/mirin/tablegen"
)

// Predicate is the condition of a fragment on the node that it stands for.
type Predicate struct {
	Record       *tablegen.Record
	UsesOperands bool
	// Code is C++ over the node, ImmCode over the constant Imm; both trimmed.
	Code, ImmCode string
	// GISelCode is C++ for GlobalISel.
	GISelCode string
	// APInt and APFloat say what Imm is; otherwise an int64_t.
	APInt, APFloat bool
	// Conds is the CondMap whose conditions are meant, nil for none.
	Conds *tablegen.Record

	// The conditions that records state without code. Those that a record
	// leaves open are Open.
	NoUse, OneUse                                           Tri
	Load, Store, Atomic                                     bool
	Unindexed, NonExt, AnyExt, SignExt, ZeroExt, TruncStore Tri
	MemVT, ScalarMemVT                                      VT // -1: none
	AddrSpaces                                              []int64
	MinAlign                                                int64
	Ordering                                                string // "" for any; "Acquire", "AcquireOrStronger", "!ReleaseOrStronger", …
}

// Tri is a condition that a record may leave open.
type Tri uint8

// The values of Tri.
const (
	Open Tri = iota
	No
	Yes
)

// AlwaysTrue reports whether nothing is asked.
func (p *Predicate) AlwaysTrue() bool {
	return p.Code == "" && p.ImmCode == "" && p.Conds == nil && !p.Declared()
}

// Declared reports whether the record states conditions without code.
func (p *Predicate) Declared() bool {
	return p.NoUse == Yes || p.OneUse == Yes || p.Load || p.Store || p.Atomic
}

// predicate reads the conditions of a fragment.
func (p *Set) predicate(r *tablegen.Record) *Predicate {
	if x := p.preds[r]; x != nil {
		return x
	}
	x := &Predicate{Record: r, UsesOperands: r.Bit("PredicateCodeUsesOperands"), MemVT: -1, ScalarMemVT: -1,
		Code: strings.TrimSpace(r.String("PredicateCode")), ImmCode: strings.TrimSpace(r.String("ImmediateCode")),
		GISelCode: strings.TrimSpace(r.String("GISelPredicateCode")), APInt: r.Bit("IsAPInt"), APFloat: r.Bit("IsAPFloat")}
	p.preds[r] = x
	if r.IsSubClassOf("CondMap") {
		x.Conds = r
	}
	tri := func(name string) Tri {
		v, ok := r.BitOK(name)
		switch {
		case !ok:
			return Open
		case v:
			return Yes
		}
		return No
	}
	x.NoUse, x.OneUse = tri("HasNoUse"), tri("HasOneUse")
	x.Load, x.Store, x.Atomic = r.Bit("IsLoad"), r.Bit("IsStore"), r.Bit("IsAtomic")
	x.Unindexed, x.NonExt, x.AnyExt = tri("IsUnindexed"), tri("IsNonExtLoad"), tri("IsAnyExtLoad")
	x.SignExt, x.ZeroExt, x.TruncStore = tri("IsSignExtLoad"), tri("IsZeroExtLoad"), tri("IsTruncStore")
	vt := func(name string) VT {
		if d := r.DefField(name); d != nil {
			if v, ok := p.types.byName[d.String("LLVMName")]; ok {
				return v
			}
		}
		return -1
	}
	x.MemVT, x.ScalarMemVT = vt("MemoryVT"), vt("ScalarMemoryVT")
	for _, a := range r.List("AddressSpaces") {
		if v, ok := tablegen.IntValue(a); ok {
			x.AddrSpaces = append(x.AddrSpaces, v)
		}
	}
	x.MinAlign, _ = r.IntOK("MinAlignment")
	for _, o := range []string{"Monotonic", "Acquire", "Release", "AcquireRelease", "SequentiallyConsistent"} {
		if r.Bit("IsAtomicOrdering" + o) {
			x.Ordering = o
		}
	}
	for _, o := range []string{"AcquireOrStronger", "ReleaseOrStronger"} {
		switch tri("IsAtomicOrdering" + o) {
		case Yes:
			x.Ordering = o
		case No:
			x.Ordering = "!" + o
		}
	}
	if !x.Load && !x.Store && !x.Atomic { // LLVM ignores the others then
		x.Unindexed, x.NonExt, x.AnyExt, x.SignExt, x.ZeroExt, x.TruncStore = Open, Open, Open, Open, Open, Open
		x.MemVT, x.ScalarMemVT, x.AddrSpaces, x.MinAlign, x.Ordering = -1, -1, nil, 0, ""
	}
	p.checkPredicate(x)
	return x
}

// HookName is the name of the Go function that stands for code: the code
// itself where it is nothing but a name, else that of the fragment.
func (p *Predicate) HookName(code string) string {
	name := code != ""
	for i, c := range code {
		name = name && (c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9')
	}
	if name {
		return code
	}
	return p.Record.Name
}

// checkPredicate refuses conditions that do not go together.
func (p *Set) checkPredicate(x *Predicate) {
	count := func(l ...bool) (n int) {
		for _, b := range l {
			if b {
				n++
			}
		}
		return n
	}
	unindexed, trunc := x.Unindexed == Yes, x.TruncStore != Open
	exts := count(x.NonExt == Yes, x.AnyExt == Yes, x.SignExt == Yes, x.ZeroExt == Yes)
	mem := x.MemVT >= 0 || x.ScalarMemVT >= 0 || len(x.AddrSpaces) > 0 || x.MinAlign > 0
	extName := "IsNonExtLoad"
	switch Yes {
	case x.AnyExt:
		extName = "IsAnyExtLoad"
	case x.SignExt:
		extName = "IsSignExtLoad"
	case x.ZeroExt:
		extName = "IsZeroExtLoad"
	}
	switch r := x.Record; {
	case count(x.Load, x.Store, x.Atomic) > 1:
		p.fatalAt(r, "IsLoad, IsStore, and IsAtomic are mutually exclusive")
	case x.Load && !unindexed && exts == 0 && !mem:
		p.fatalAt(r, "IsLoad cannot be used by itself")
	case exts > 0 && x.Store:
		p.fatalAt(r, extName+" requires IsLoad or IsAtomic")
	case x.Store && !unindexed && !trunc && !mem:
		p.fatalAt(r, "IsStore cannot be used by itself")
	case x.Atomic && x.Ordering == "" && exts == 0 && !mem && !unindexed:
		p.fatalAt(r, "IsAtomic cannot be used by itself")
	case unindexed && x.Atomic:
		p.fatalAt(r, "IsUnindexed requires IsLoad or IsStore")
	case exts > 1:
		p.fatalAt(r, "IsNonExtLoad, IsAnyExtLoad, IsSignExtLoad, and IsZeroExtLoad are mutually exclusive")
	case trunc && !x.Store:
		p.fatalAt(r, "Is[Non]TruncStore requires IsStore")
	case x.Code != "" && x.ImmCode != "":
		p.fatalAt(r, "pattern fragment has both predicate code and immediate code")
	}
}
