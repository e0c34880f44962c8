package mctargetdesc

import (
	"strings"
	"sync"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// operationNames are the names of what sys and sysp do, by kind and number.
type operationNames struct {
	info *desc.Info
	once sync.Once
	rows map[operationKey][]*tab.System
}

type operationKey struct {
	kind tab.SystemKind
	enc  uint32
}

// operationWords are the mnemonics of kinds, in the order in which names are looked for.
var operationWords = [...]struct {
	kind tab.SystemKind
	word string
}{{tab.SystemIC, "ic"}, {tab.SystemDC, "dc"}, {tab.SystemAT, "at"}, {tab.SystemTLBI, "tlbi"}, {tab.SystemPLBI, "plbi"}, {tab.SystemMLBI, "mlbi"},
	{tab.SystemGIC, "gic"}, {tab.SystemGSB, "gsb"}}

func (o *operationNames) find(kind tab.SystemKind, enc uint32) []*tab.System {
	o.once.Do(func() {
		o.rows = map[operationKey][]*tab.System{}
		t, err := tab.Load()
		if err != nil {
			return
		}
		for i := range t.System {
			r := &t.System[i]
			k := operationKey{r.Kind, r.Enc}
			o.rows[k] = append(o.rows[k], r)
		}
	})
	return o.rows[operationKey{kind, enc}]
}

func (o *operationNames) has(st *mc.Subtarget, feature string) bool {
	k, ok := o.info.FeatureByName(feature)
	return ok && st != nil && st.Has(o.info.Features[k].Bit)
}

// allowed reports whether a subtarget has what a name wants.
func (o *operationNames) allowed(st *mc.Subtarget, r *tab.System) bool {
	if o.has(st, "all") {
		return true
	}
	for _, f := range r.Features {
		if !o.has(st, f) {
			return false
		}
	}
	return true
}

// named appends an operation by its name, where it has one that the subtarget knows.
func (p *printer) named(b []byte, st *mc.Subtarget, o [4]int64, r desc.PhysReg) (text []byte, ok bool) {
	enc := uint32(o[0]<<11 | o[1]<<7 | o[2]<<3 | o[3])
	if o[0] == 3 && o[1] == 7 && o[2] == 3 {
		feature := map[int64]string{4: "predres", 5: "predres", 7: "predres", 6: "specres2"}[o[3]]
		if word := map[int64]string{4: "cfp", 5: "dvp", 6: "cosp", 7: "cpp"}[o[3]]; word != "" && (p.names.has(st, feature) || p.names.has(st, "all")) {
			return p.AppendReg(append(append(b, word...), "\trctx, "...), r), true
		}
	}
	for _, w := range operationWords {
		for _, row := range p.names.find(w.kind, enc) {
			if !p.names.allowed(st, row) {
				continue
			}
			needs, may := row.Flags&tab.NeedsReg != 0, false
			switch w.kind {
			case tab.SystemDC, tab.SystemAT:
				needs = true
			case tab.SystemGSB:
				needs = false
			default:
				may = row.Flags&tab.OptionalReg != 0 && (p.names.has(st, "tlbid") || p.names.has(st, "all"))
			}
			if !needs && r != p.xzr && !may {
				continue
			}
			b = append(append(append(b, w.word...), '\t'), strings.ToLower(row.Name)...)
			if needs || may && r != p.xzr {
				b = p.AppendReg(append(b, ", "...), r)
			}
			return b, true
		}
	}
	return b, false
}

// pairOperation appends sysp by the name of what it does.
func (p *printer) pairOperation(b []byte, st *mc.Subtarget, o [4]int64, r desc.PhysReg) (text []byte, ok bool) {
	nxs := o[1] == 9
	if nxs {
		o[1] = 8
	}
	enc := uint32(o[0]<<11 | o[1]<<7 | o[2]<<3 | o[3])
	for _, row := range p.names.find(tab.SystemTLBIP, enc) {
		if !p.names.allowed(st, row) || nxs && !p.names.has(st, "xs") && !p.names.has(st, "all") {
			continue
		}
		b = append(append(b, "tlbip\t"...), strings.ToLower(row.Name)...)
		if nxs {
			b = append(b, "nxs"...)
		}
		return p.pair(append(b, ", "...), r), true
	}
	return b, false
}
