package irverify

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

// attrString returns an attribute as a message shows it.
func (v *verifier) attrString(a ir.Attr) string { return string(v.slots().AppendAttr(nil, a)) }

// incompatible reports whether an attribute cannot stand at a value of type t.
func (v *verifier) incompatible(a ir.Attr, t ir.Type) bool {
	switch a.Key {
	case "signext", "zeroext", "allocalign":
		return !v.isInt(t)
	case "range":
		return !v.isIntOrVec(t) || v.t.IntBits(v.t.Scalar(t)) != v.t.IntBits(a.Type)
	case "noalias", "captures", "nonnull", "readnone", "readonly", "dereferenceable", "dereferenceable_or_null", "writable",
		"dead_on_unwind", "dead_on_return", "initializes", "nest", "swifterror", "preallocated", "inalloca", "byval", "sret", "byref",
		"elementtype", "allocptr", "writeonly", "nofree":
		return !v.isPtr(t) && a.Key != "writeonly" && a.Key != "nofree"
	case "align":
		return !v.isPtrOrVec(t)
	case "nofpclass":
		return !v.floatLike(t)
	case "noundef":
		return t == ir.Void
	}
	return false
}

// floatLike reports floating-point types, and vectors and arrays of them.
func (v *verifier) floatLike(t ir.Type) bool {
	for v.t.Kind(t) == ir.KindArray {
		t = v.t.Elem(t)
	}
	if v.t.Kind(t) == ir.KindStruct && !v.t.IsIdentified(t) {
		subs := v.t.Subtypes(t)
		for _, s := range subs {
			if s != subs[0] {
				return false
			}
		}
		return len(subs) > 0 && v.isFPOrVec(subs[0])
	}
	return v.isFPOrVec(t)
}

func has(s ir.AttrSet, key string) bool {
	for i := range s {
		if s[i].Key == key && !s[i].IsString {
			return true
		}
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// paramAttrs checks the attributes of a parameter or result of type t.
func (v *verifier) paramAttrs(s ir.AttrSet, t ir.Type, at any) {
	if len(s) == 0 {
		return
	}
	v.attrTypes(s, at)
	if has(s, "immarg") && !v.check(len(s)-b2i(has(s, "range")) == 1,
		"Attribute 'immarg' is incompatible with other attributes except the 'range' attribute", at) {
		return
	}
	n := b2i(has(s, "byval")) + b2i(has(s, "inalloca")) + b2i(has(s, "preallocated")) + b2i(has(s, "sret") || has(s, "inreg")) +
		b2i(has(s, "nest")) + b2i(has(s, "byref"))
	if !v.check(n <= 1, "Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!", at) {
		return
	}
	for _, p := range [...][3]string{
		{"inalloca", "readonly", "Attributes 'inalloca and readonly' are incompatible!"},
		{"sret", "returned", "Attributes 'sret and returned' are incompatible!"},
		{"zeroext", "signext", "Attributes 'zeroext and signext' are incompatible!"},
		{"readnone", "readonly", "Attributes 'readnone and readonly' are incompatible!"},
		{"readnone", "writeonly", "Attributes 'readnone and writeonly' are incompatible!"},
		{"readonly", "writeonly", "Attributes 'readonly and writeonly' are incompatible!"},
		{"noinline", "alwaysinline", "Attributes 'noinline and alwaysinline' are incompatible!"},
		{"writable", "readnone", "Attributes writable and readnone are incompatible!"},
		{"writable", "readonly", "Attributes writable and readonly are incompatible!"},
	} {
		if !v.check(!(has(s, p[0]) && has(s, p[1])), p[2], at) {
			return
		}
	}
	for _, a := range s {
		if !a.IsString && v.incompatible(a, t) {
			v.fail("Attribute '"+v.attrString(a)+"' applied to incompatible type!", at)
			return
		}
	}
	if v.isPtr(t) {
		for _, key := range [...]string{"byval", "byref", "inalloca", "preallocated"} {
			a, ok := s.Get(key)
			if !ok || a.IsString {
				continue
			}
			if !v.check(v.sized(a.Type), "Attribute '"+key+"' does not support unsized types!", at) {
				return
			}
			if key == "byval" && !v.check(!v.nonLocalExt(a.Type), "'byval' argument has illegal target extension type", at) {
				return
			}
			if !v.check(v.dl.SizeOf(v.t, a.Type) < 1<<32, "huge '"+key+"' arguments are unsupported", at) {
				return
			}
		}
	}
	if a, ok := s.Get("initializes"); ok && !a.IsString {
		if !v.check(orderedRanges(a.Value), "Attribute 'initializes' does not support unordered ranges", at) {
			return
		}
	}
}

// orderedRanges reports whether the ranges (lo, hi), … ascend without touching.
func orderedRanges(s string) bool {
	prev, first := int64(0), true
	for part := range strings.SplitSeq(s, "), (") {
		lo, hi, _ := strings.Cut(strings.Trim(part, "() "), ",")
		a, _ := strconv.ParseInt(strings.TrimSpace(lo), 10, 64)
		b, _ := strconv.ParseInt(strings.TrimSpace(hi), 10, 64)
		if b <= a || !first && a <= prev {
			return false
		}
		prev, first = b, false
	}
	return true
}

// nonLocalExt reports types with a target type that cannot lie on the stack.
func (v *verifier) nonLocalExt(t ir.Type) bool { return v.about(t, askedLocal, v.findNonLocalExt) }

func (v *verifier) findNonLocalExt(t ir.Type) bool {
	return v.t.AnyPart(t, func(t ir.Type) bool {
		return v.t.Kind(t) == ir.KindTargetExt && irtext.TargetTypeProps(v.t, t)&irtext.PropLocal == 0
	})
}

// isBoolAttr reports the string attributes that are "true" or "false".
func isBoolAttr(key string) bool {
	switch key {
	case "less-precise-fpmad", "no-infs-fp-math", "no-nans-fp-math", "no-signed-zeros-fp-math",
		"no-jump-tables", "no-inline-line-tables", "profile-sample-accurate", "use-sample-profile",
		"loader-replaceable", "approx-func-fp-math", "unsafe-fp-math":
		return true
	}
	return false
}

func (v *verifier) attrTypes(s ir.AttrSet, at any) {
	for _, a := range s {
		if a.IsString && isBoolAttr(a.Key) && a.Value != "" && a.Value != "true" && a.Value != "false" {
			v.fail("invalid value for '" + a.Key + "' attribute: " + a.Value)
		}
	}
}

// rareAttrs says whether a parameter of an attribute list has one of those that
// an argument of a call is asked about.
type rareAttrs uint8

const (
	rareUnknown rareAttrs = iota
	rareNone
	rareSome
)

// hasRare reports lists with a swifterror, immarg or preallocated parameter.
func (v *verifier) hasRare(id ir.AttrListID) bool {
	if id == 0 {
		return false
	}
	if n := int(id) + 1 - len(v.rareParams); n > 0 {
		v.rareParams = append(v.rareParams, make([]rareAttrs, n)...)
	}
	r := &v.rareParams[id]
	if *r == rareUnknown {
		*r = rareNone
		for _, p := range v.m.Attrs.At(id).Params {
			if has(p, "swifterror") || has(p, "immarg") || has(p, "preallocated") {
				*r = rareSome
			}
		}
	}
	return *r == rareSome
}

// attrUse is a list of attributes on calls of a type, or on functions, of which
// no more is asked.
type attrUse struct {
	ft                 ir.Type
	id                 ir.AttrListID
	intrinsic, asm, fn bool
	unnamed            ir.UnnamedAddr // of a function
}

// functionAttrs checks the attributes of a function or call site.
func (v *verifier) functionAttrs(ft ir.Type, id ir.AttrListID, at any, intrinsic, asm bool, g *ir.Global) {
	if id == 0 {
		return
	}
	// Calls and functions share lists: one without fault has none the next time.
	key := attrUse{ft: ft, id: id, intrinsic: intrinsic, asm: asm}
	if g != nil {
		key.fn, key.unnamed = true, g.Unnamed
	}
	if v.goodAttrs[key] {
		return
	}
	faults := len(v.out)
	v.checkAttrs(ft, v.m.Attrs.At(id), at, intrinsic, asm, g)
	if len(v.out) == faults {
		v.goodAttrs[key] = true
	}
}

func (v *verifier) checkAttrs(ft ir.Type, l *ir.AttrList, at any, intrinsic, asm bool, g *ir.Global) {
	// Of old, nocapture was read at results; no other attribute gets there.
	if c, ok := l.Ret.Get("captures"); ok && !c.IsString {
		v.fail("Attribute 'captures("+c.Value+")' does not apply to function return values", at)
		return
	}
	v.paramAttrs(l.Ret, v.t.Result(ft), at)
	params := v.t.Subtypes(ft)
	var seen map[string]bool
	once := func(s ir.AttrSet, key, msg string) bool {
		if has(s, key) {
			if !v.check(!seen[key], msg, at) {
				return false
			}
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[key] = true
		}
		return true
	}
	for i, t := range params {
		s := l.Param(i)
		if len(s) == 0 {
			continue
		}
		if !intrinsic {
			if !v.check(!has(s, "immarg"), "immarg attribute only applies to intrinsics", at) {
				return
			}
			if !asm && !v.check(!has(s, "elementtype"), "Attribute 'elementtype' can only be applied to intrinsics and inline asm.", at) {
				return
			}
		}
		v.paramAttrs(s, t, at)
		if !once(s, "nest", "More than one parameter has attribute nest!") ||
			!once(s, "returned", "More than one parameter has attribute returned!") {
			return
		}
		if has(s, "returned") && !v.check(v.lossless(t, v.t.Result(ft)), "Incompatible argument and return types for 'returned' attribute", at) {
			return
		}
		if !once(s, "sret", "Cannot have multiple 'sret' parameters!") {
			return
		}
		if has(s, "sret") && !v.check(i <= 1, "Attribute 'sret' is not on first or second parameter!", at) {
			return
		}
		if !once(s, "swiftself", "Cannot have multiple 'swiftself' parameters!") ||
			!once(s, "swiftasync", "Cannot have multiple 'swiftasync' parameters!") ||
			!once(s, "swifterror", "Cannot have multiple 'swifterror' parameters!") {
			return
		}
		if has(s, "inalloca") && !v.check(i == len(params)-1, "inalloca isn't on the last parameter!", at) {
			return
		}
	}
	if len(l.Fn) > 0 {
		v.fnAttrs(ft, l, at, g)
	}
}

// lossless reports types whose values can be reinterpreted as each other.
func (v *verifier) lossless(a, b ir.Type) bool {
	if a == b {
		return true
	}
	if v.t.IsVector(a) && v.t.IsVector(b) {
		return v.dl.SizeInBits(v.t, a) == v.dl.SizeInBits(v.t, b)
	}
	return v.isPtr(a) && v.isPtr(b) && v.t.AddrSpace(a) == v.t.AddrSpace(b)
}

func (v *verifier) fnAttrs(ft ir.Type, l *ir.AttrList, at any, g *ir.Global) {
	s := l.Fn
	v.attrTypes(s, at)
	for _, a := range s {
		if !a.IsString && !irtext.ForFunctions(a.Key) && !v.check(false, "Attribute '"+v.attrString(a)+"' does not apply to functions!", at) {
			return
		}
	}
	pair := func(a, b, msg string) bool { return v.check(!(has(s, a) && has(s, b)), msg, at) }
	if !pair("noinline", "alwaysinline", "Attributes 'noinline and alwaysinline' are incompatible!") {
		return
	}
	if has(s, "optnone") {
		if !v.check(has(s, "noinline"), "Attribute 'optnone' requires 'noinline'!", at) ||
			!pair("optsize", "optnone", "Attributes 'optsize and optnone' are incompatible!") ||
			!pair("minsize", "optnone", "Attributes 'minsize and optnone' are incompatible!") ||
			!pair("optdebug", "optnone", "Attributes 'optdebug and optnone' are incompatible!") {
			return
		}
	}
	if !pair("sanitize_realtime", "sanitize_realtime_blocking", "Attributes 'sanitize_realtime and sanitize_realtime_blocking' are incompatible!") ||
		!pair("optsize", "optdebug", "Attributes 'optsize and optdebug' are incompatible!") ||
		!pair("minsize", "optdebug", "Attributes 'minsize and optdebug' are incompatible!") {
		return
	}
	for _, p := range l.Params {
		if has(p, "writable") && !v.check(writesArgs(s), "Attribute writable and memory without argmem: write are incompatible!", at) {
			return
		}
	}
	if g != nil && s.Has("aarch64_zt0_undef") {
		v.fail("Attribute 'aarch64_zt0_undef' can only be applied to a callsite.")
	}
	if !v.smeAttrs(s, at) {
		return
	}
	if has(s, "jumptable") && g != nil && !v.check(g.Unnamed == ir.GlobalUnnamedAddr, "Attribute 'jumptable' requires 'unnamed_addr'", at) {
		return
	}
	if a, ok := s.Get("allocsize"); ok && !a.IsString && !v.allocSize(ft, a.Value, at) {
		return
	}
	if a, ok := s.Get("allockind"); ok && !a.IsString {
		v.allocKind(a.Value)
	}
	if a, ok := s.Get("alloc-variant-zeroed"); ok && !v.allocVariant(ft, s, a.Value) {
		return
	}
	if a, ok := s.Get("vscale_range"); ok && !a.IsString {
		lo, hi, _ := strings.Cut(a.Value, ",")
		x, _ := strconv.ParseUint(lo, 10, 32)
		y, _ := strconv.ParseUint(hi, 10, 32)
		switch {
		case x == 0:
			v.fail("'vscale_range' minimum must be greater than 0", at)
		case bits.OnesCount64(x) != 1:
			v.fail("'vscale_range' minimum must be power-of-two value", at)
		}
		switch {
		case y != 0 && x > y:
			v.fail("'vscale_range' minimum cannot be greater than maximum", at)
		case y != 0 && bits.OnesCount64(y) != 1:
			v.fail("'vscale_range' maximum must be power-of-two value", at)
		}
	}
	v.stringAttrs(ft, s, at)
}

// writesArgs reports whether memory(…) lets a function write through its arguments.
func writesArgs(s ir.AttrSet) bool {
	a, ok := s.Get("memory")
	if !ok {
		return true
	}
	kind := ""
	for part := range strings.SplitSeq(a.Value, ", ") {
		loc, k, found := strings.Cut(part, ": ")
		if !found {
			kind = part
		} else if loc == "argmem" {
			kind = k
		}
	}
	return strings.Contains(kind, "write")
}

func (v *verifier) smeAttrs(s ir.AttrSet, at any) bool {
	if !v.check(!(s.Has("aarch64_pstate_sm_enabled") && s.Has("aarch64_pstate_sm_compatible")),
		"Attributes 'aarch64_pstate_sm_enabled and aarch64_pstate_sm_compatible' are incompatible!", at) {
		return false
	}
	for _, r := range [...]string{"za", "zt0"} {
		n := b2i(s.Has("aarch64_za_state_agnostic"))
		for i := range s {
			if state, ok := strings.CutPrefix(s[i].Key, "aarch64_"); ok {
				switch state, of, _ := strings.Cut(state, "_"); state {
				case "new", "in", "inout", "out", "preserves":
					n += b2i(of == r)
				}
			}
		}
		if n > 1 {
			v.fail("Attributes 'aarch64_new_"+r+"', 'aarch64_in_"+r+"', 'aarch64_out_"+r+"', 'aarch64_inout_"+r+"', 'aarch64_preserves_"+r+
				"' and 'aarch64_za_state_agnostic' are mutually exclusive", at)
			return false
		}
	}
	return true
}

func (v *verifier) allocSize(ft ir.Type, args string, at any) bool {
	params := v.t.Subtypes(ft)
	one := func(name, num string) bool {
		n, _ := strconv.Atoi(num)
		if n >= len(params) {
			v.fail("'allocsize' "+name+" argument is out of bounds", at)
			return false
		}
		return v.check(v.isInt(params[n]), "'allocsize' "+name+" argument must refer to an integer parameter", at)
	}
	a, b, two := strings.Cut(args, ",")
	return one("element size", a) && (!two || one("number of elements", b))
}

func (v *verifier) allocKind(kinds string) {
	k := map[string]bool{}
	for w := range strings.SplitSeq(kinds, ",") {
		k[w] = true
	}
	v.check(b2i(k["alloc"])+b2i(k["realloc"])+b2i(k["free"]) == 1, "'allockind()' requires exactly one of alloc, realloc, and free")
	v.check(!(k["free"] && !k["alloc"] && !k["realloc"] && (k["uninitialized"] || k["zeroed"] || k["aligned"])),
		"'allockind(\"free\")' doesn't allow uninitialized, zeroed, or aligned modifiers.")
	v.check(!(k["uninitialized"] && k["zeroed"]), "'allockind()' can't be both zeroed and uninitialized")
}

func (v *verifier) allocVariant(ft ir.Type, s ir.AttrSet, name string) bool {
	if !v.check(name != "", "'alloc-variant-zeroed' must not be empty") {
		return false
	}
	id := v.m.Lookup(name)
	if id == 0 || v.m.Globals[id].Kind != ir.GlobalFunc {
		return true
	}
	g := v.m.Globals[id]
	o := v.m.Attrs.At(g.Attrs).Fn
	if fam, ok := s.Get("alloc-family"); ok {
		of, ok := o.Get("alloc-family")
		if !v.check(ok && of.Value == fam.Value, "'alloc-variant-zeroed' must name a function belonging to the same 'alloc-family'") {
			return false
		}
	}
	k, ok := o.Get("allockind")
	return v.check(ok && strings.Contains(k.Value, "zeroed"), "'alloc-variant-zeroed' must name a function with 'allockind(\"zeroed\")'") &&
		v.check(g.ValueType == ft, "'alloc-variant-zeroed' must name a function with the same signature")
}

// modularFormat checks the parts of modular-format: its type, the indexes of
// the format string and of the first argument, the function and what it needs.
func (v *verifier) modularFormat(s string, ft ir.Type, at any) {
	parts := strings.Split(s, ",")
	if !v.check(len(parts) >= 5, "modular-format attribute requires at least 5 arguments", at) {
		return
	}
	first, err := strconv.ParseUint(parts[2], 10, 32)
	if v.check(err == nil, "modular-format attribute first arg index is not an integer", at) {
		n := len(v.t.Subtypes(ft))
		if v.t.IsVarArg(ft) {
			n++
		}
		v.check(first > 0 && first <= uint64(n), "modular-format attribute first arg index is out of bounds", at)
	}
}

func (v *verifier) stringAttrs(ft ir.Type, s ir.AttrSet, at any) {
	oneOf := func(key string, values ...string) {
		if a, ok := s.Get(key); ok && a.IsString {
			for _, x := range values {
				if a.Value == x {
					return
				}
			}
			v.fail("invalid value for '"+key+"' attribute: "+a.Value, at)
		}
	}
	oneOf("frame-pointer", "all", "non-leaf", "none", "reserved", "non-leaf-no-reserve")
	for _, key := range [...]string{"patchable-function-prefix", "patchable-function-entry", "patchable-function-entry-section", "warn-stack-size"} {
		if key == "patchable-function-entry-section" {
			continue
		}
		if a, ok := s.Get(key); ok && a.IsString {
			if _, err := strconv.ParseUint(a.Value, 10, 32); err != nil {
				v.fail("\""+key+"\" takes an unsigned integer: "+a.Value, at)
			}
		}
	}
	if a, ok := s.Get("patchable-function-entry-section"); ok && a.IsString {
		v.check(a.Value != "", "\"patchable-function-entry-section\" must not be empty")
	}
	if a, ok := s.Get("target-features"); ok && a.IsString {
		v.targetFeatures(a.Value, at)
	}
	oneOf("sign-return-address", "none", "all", "non-leaf")
	if oneOf("sign-return-address-key", "a_key", "b_key"); s.Has("sign-return-address-key") {
		v.check(s.Has("sign-return-address"), "'sign-return-address-key' present without `sign-return-address`")
	}
	if a, ok := s.Get("modular-format"); ok && a.IsString {
		v.modularFormat(a.Value, ft, at)
	}
	oneOf("branch-target-enforcement", "", "true", "false")
	oneOf("branch-protection-pauth-lr", "", "true", "false")
	oneOf("guarded-control-stack", "", "true", "false")
	if a, ok := s.Get("vector-function-abi-variant"); ok && a.IsString {
		for name := range strings.SplitSeq(a.Value, ",") {
			if !vfabiName(v, name, ft) {
				v.fail("invalid name for a VFABI variant: "+name, at)
			}
		}
	}
	if a, ok := s.Get("denormal-fp-math"); ok && a.IsString && !denormalMode(a.Value) {
		v.fail("invalid value for 'denormal-fp-math' attribute: "+a.Value, at)
	}
	if a, ok := s.Get("denormal-fp-math-f32"); ok && a.IsString && !denormalMode(a.Value) {
		v.fail("invalid value for 'denormal-fp-math-f32' attribute: "+a.Value, at)
	}
}

func denormalMode(s string) bool {
	out, in, two := strings.Cut(s, ",")
	ok := func(x string) bool {
		switch x {
		case "ieee", "", "preserve-sign", "positive-zero", "dynamic":
			return true
		}
		return false
	}
	return ok(out) && (!two || ok(in))
}

// vfabiName checks the form of a vector variant's name, and that its
// parameters are as many as the function's.
func vfabiName(v *verifier, s string, ft ir.Type) bool {
	s, ok := strings.CutPrefix(s, "_ZGV")
	if !ok {
		return false
	}
	if r, ok := strings.CutPrefix(s, "_LLVM_"); ok {
		s = r
	} else {
		if s == "" || strings.IndexByte("nsbcderv", s[0]) < 0 {
			return false
		}
		s = s[1:]
	}
	if s == "" || s[0] != 'M' && s[0] != 'N' {
		return false
	}
	s = s[1:]
	scalable := strings.HasPrefix(s, "x")
	if scalable {
		s = s[1:]
	} else {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || s[:n] == "0" {
			return false
		}
		s = s[n:]
	}
	count := 0
	for s != "" && s[0] != '_' {
		switch s[0] {
		case 'v', 'u', 'l', 'R', 'L', 'U':
			s = s[1:]
			if s != "" && s[0] == 's' {
				s = s[1:]
			}
			if s != "" && s[0] == 'n' {
				s = s[1:]
			}
			for s != "" && s[0] >= '0' && s[0] <= '9' {
				s = s[1:]
			}
			if s != "" && s[0] == 'a' {
				s = s[1:]
				for s != "" && s[0] >= '0' && s[0] <= '9' {
					s = s[1:]
				}
			}
			count++
		default:
			return false
		}
	}
	if !strings.HasPrefix(s, "_") || len(s) < 2 {
		return false
	}
	return count == len(v.t.Subtypes(ft))
}

func (v *verifier) targetFeatures(s string, at any) {
	if s == "" {
		return
	}
	for f := range strings.SplitSeq(s, ",") {
		if !v.check(f != "", "target-features attribute should not contain an empty string") {
			return
		}
		if f[0] != '+' && f[0] != '-' {
			v.fail("target feature '"+f+"' must start with a '+' or '-'", at)
			return
		}
	}
}
