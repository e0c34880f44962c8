package intrinsics

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/diag"
	"github.com/mirin-go/mirin/tablegen"
)

// Intrinsic is one intrinsic.
type Intrinsic struct {
	Name       string // without "llvm."
	Target     string // prefix of a target's intrinsics, "" for those of all
	Overloaded bool
	Sig        []byte // LLVM's type codes
	Attrs      string // of the function | of results and parameters by index

	rec *tablegen.Record
}

// collector reads the records.
type collector struct {
	rs   *tablegen.Records
	errs diag.List
	// defaults are the properties that DefaultAttrsIntrinsic means.
	defaults []*tablegen.Record
}

// Collect reads all intrinsics, in LLVM's order: by target, then by name. The
// error is a diag.List.
func Collect(rs *tablegen.Records) ([]*Intrinsic, error) {
	c := &collector{rs: rs}
	for _, p := range rs.DerivedFrom("IntrinsicProperty") {
		if p.Bit("IsDefault") {
			c.defaults = append(c.defaults, p)
		}
	}
	var out []*Intrinsic
	for _, r := range rs.DerivedFrom("Intrinsic") {
		if in := c.intrinsic(r); in != nil {
			out = append(out, in)
		}
	}
	slices.SortStableFunc(out, func(a, b *Intrinsic) int {
		return cmp.Or(cmp.Compare(a.Target, b.Target), cmp.Compare(a.Name, b.Name))
	})
	c.names(out)
	return out, c.errs.Err()
}

func (c *collector) errorf(r *tablegen.Record, l tablegen.Loc, msg string) {
	c.errs = append(c.errs, c.rs.ErrorsAt(r, l, msg)...)
}

// intrinsic reads one record; nil after an error.
func (c *collector) intrinsic(r *tablegen.Record) *Intrinsic {
	in := &Intrinsic{Target: r.String("TargetPrefix"), rec: r}
	def, ok := strings.CutPrefix(r.Name, "int_")
	if !ok {
		c.errorf(r, r.Loc, "Intrinsic '"+r.Name+"' does not start with 'int_'!")
		return nil
	}
	in.Name = strings.ReplaceAll(def, "_", ".")
	if s := r.String("LLVMName"); s != "" {
		if in.Name, ok = strings.CutPrefix(s, "llvm."); !ok {
			c.errorf(r, r.Loc, "Intrinsic '"+r.Name+"'s name does not start with 'llvm.'!")
			return nil
		}
	}
	if in.Target != "" && !strings.HasPrefix(in.Name, in.Target+".") {
		c.errorf(r, r.Loc, "Intrinsic '"+r.Name+"' does not start with 'llvm."+in.Target+".'!")
		return nil
	}
	info := r.DefField("TypeInfo")
	if info == nil {
		c.errorf(r, r.Loc, "Intrinsic '"+r.Name+"' has no TypeInfo")
		return nil
	}
	in.Overloaded = info.Bit("isOverloaded")
	for _, x := range info.List("TypeSig") {
		v, ok := tablegen.IntValue(x)
		if !ok || v < 0 || v > 255 {
			c.errorf(r, r.Loc, "Intrinsic '"+r.Name+"': "+x.String()+" is no type code")
			return nil
		}
		in.Sig = append(in.Sig, byte(v))
	}
	if len(in.Sig) == 0 { // a type without a code; LLVM's tables say void
		in.Sig = []byte{0}
	}
	a := attributes{c: c, r: r, params: len(r.List("ParamTypes"))}
	if !a.read() {
		return nil
	}
	in.Attrs = a.text()
	return in
}

// suffix is what a type suffix of an overloaded name may begin with.
const suffix = `^(?:[apvi][0-9]+|[fst]_[0-9a-z]*|f(?:16|32|64|80|128)|bf16|ppcf128|x86amx|x86mmx|isVoid|Metadata|nxv[0-9]+.*|sl_.*|t[^.]*_[^.]*t)$`

// names refuses a name that stands twice, and one that is an overloaded one with
// what may be a type behind it: the two could not be told apart.
func (c *collector) names(l []*Intrinsic) {
	by := map[string]*Intrinsic{}
	for _, in := range l {
		if by[in.Name] != nil {
			c.errorf(in.rec, in.rec.Loc, "Intrinsic `llvm."+in.Name+"` is already defined")
			continue
		}
		by[in.Name] = in
	}
	isSuffix := regexp.MustCompile(suffix)
	for _, in := range l {
		for i := strings.LastIndexByte(in.Name, '.'); i > 0; i = strings.LastIndexByte(in.Name[:i], '.') {
			o := by[in.Name[:i]]
			if o == nil || !o.Overloaded || o == in {
				continue
			}
			first, _, _ := strings.Cut(in.Name[i+1:], ".")
			if isSuffix.MatchString(first) {
				c.errorf(in.rec, in.rec.Loc, "intrinsic `llvm."+in.Name+"` cannot share prefix `llvm."+o.Name+"."+first+
					"` with another overloaded intrinsic `llvm."+o.Name+"`")
			}
			break
		}
	}
}
