package jit

import (
	"fmt"

	"github.com/mirin-go/mirin/mc"
)

// NewImage makes a loadable image of an object.
func NewImage(o *mc.Object) (*Image, error) {
	img := &Image{}
	for k := range o.Sections {
		s := &o.Sections[k]
		if s.Flags&mc.FlagTLS != 0 {
			return nil, fmt.Errorf("thread-local variables are not supported in code that runs in this process")
		}
		if s.Flags&mc.FlagAlloc == 0 { // debug information and the like: numbers of sections stay
			img.Sections = append(img.Sections, Section{Name: s.Name, Align: 1})
			continue
		}
		img.Sections = append(img.Sections, Section{Name: s.Name, Data: s.Data, Size: int(s.Size), Align: int(s.Align),
			Exec: s.Flags&mc.FlagExec != 0, Write: s.Flags&mc.FlagWrite != 0})
		for i := range s.Relocs {
			r := &s.Relocs[i]
			img.Relocs = append(img.Relocs, Reloc{Section: k, Offset: int(r.Offset), Type: r.Type, Symbol: int(r.Symbol), Addend: r.Addend})
		}
	}
	for i := range o.Symbols {
		y := &o.Symbols[i]
		s := Symbol{Name: y.Name, Section: y.Section, Value: y.Value, Size: y.Size, Weak: y.Binding == mc.BindWeak, Local: y.Binding == mc.BindLocal}
		img.Symbols = append(img.Symbols, s)
	}
	return img, nil
}
