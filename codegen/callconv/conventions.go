package callconv

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/ir"
)

// Conventions are the calling conventions of a subtarget: a table with its
// functions, and how it is asked about arguments and results.
type Conventions struct {
	*Interp
	// Regs are the types that registers hold.
	Regs *RegTypes
	// Features are the subtarget's, by desc.FeatureDesc.Bit.
	Features []uint64
	// Args and Result are the numbers in the table of the conventions of
	// arguments and results.
	Args, Result int
	// Saved gives the number in the table of the list of registers that functions
	// of a calling convention preserve; nil: list 0.
	Saved func(cc uint16) int
	// ResultInSaved reports conventions whose results may come in registers that
	// their functions preserve otherwise; nil: there is none.
	ResultInSaved func(cc uint16) bool
	// Begin prepares the placement of arguments: a home area on the stack,
	// registers that are taken. nil: nothing.
	Begin func(s *State)
	// Consecutive reports arguments whose values must have neighbouring
	// registers; nil for none.
	Consecutive func(types *ir.Types, ty ir.Type) bool

	masks [][]uint32 // of Saved's lists
	asked desc.CCFlags
}

// Init makes what is asked for often. It is called once, before the first use.
func (c *Conventions) Init() {
	for k := range c.Table.Convs {
		c.note(c.Table.Code[c.Table.Convs[k].Code:])
	}
	c.masks = make([][]uint32, len(c.Table.Saved))
	for k := range c.masks {
		// Functions that share a mask print as one: the facts' own, where there is one of the name.
		if i, ok := c.Facts.RegMaskByName(strings.ToLower(c.Table.Saved[k].Name)); ok {
			c.masks[k] = c.Facts.RegMask(i)
		} else {
			c.masks[k] = RegMask(c.Facts, c.Table.PreservedRegs(k))
		}
	}
}

// note collects the properties that the actions of a convention ask for.
func (c *Conventions) note(code []uint16) {
	for desc.CCOp(code[0]) != desc.CCEnd {
		c.noteAction(code)
		code = code[code[1]:]
	}
}

func (c *Conventions) noteAction(code []uint16) {
	switch desc.CCOp(code[0]) {
	case desc.CCIfType:
		_, sub := list(code[2:])
		c.noteAction(sub)
	case desc.CCPassByVal:
		c.asked |= desc.CCByVal
	case desc.CCIf:
		pred, sub := list(code[2:])
		for k := 0; k < len(pred); k++ {
			switch desc.CCPred(pred[k] &^ 0xff) {
			case desc.CCPredFlag:
				c.asked |= 1 << (pred[k] & 0xff)
			case desc.CCPredFeature, desc.CCPredSpace:
				k++
			}
		}
		c.noteAction(sub)
	}
}

// Asks reports whether a convention of the table asks for a property of arguments.
func (c *Conventions) Asks(flag desc.CCFlags) bool { return c.asked&flag != 0 }

func (c *Conventions) list(cc uint16) int {
	if c.Saved == nil {
		return 0
	}
	return c.Saved(cc)
}

// SavedRegs lists the registers that a function of a convention must save when
// it changes them, in the order of saving.
func (c *Conventions) SavedRegs(cc uint16) []desc.PhysReg {
	if len(c.Table.Saved) == 0 {
		return nil
	}
	return c.Table.SavedRegs(c.list(cc))
}

// PreservedMask is the mask of the registers that a call of a convention preserves.
func (c *Conventions) PreservedMask(cc uint16) []uint32 {
	if len(c.masks) == 0 {
		return make([]uint32, c.Facts.RegWords())
	}
	return c.masks[c.list(cc)]
}

// PlaceArgs gives every value of the arguments its place in s, whose memory is
// used again. The reason is not empty when one has none.
func (c *Conventions) PlaceArgs(s *State, types *ir.Types, dl *ir.DataLayout, cc uint16, varArg bool, numFixed int, args []Arg) (why string) {
	s.start(c.Interp, c.Features, cc, varArg)
	if c.Begin != nil {
		c.Begin(s)
	}
	src := Source{Types: types, Layout: dl, Regs: c.Regs, NumFixed: numFixed, Consecutive: c.Consecutive}
	for n := range args {
		if why = src.place(s, c.Args, n, &args[n]); why != "" {
			return why
		}
	}
	return ""
}

// PlaceResult gives every value of a result its register in s. Without a table of
// types those that are no primitive types are told by their low-level type.
func (c *Conventions) PlaceResult(s *State, types *ir.Types, dl *ir.DataLayout, cc uint16, ret *Arg) (why string) {
	s.start(c.Interp, c.Features, cc, false)
	src := Source{Types: types, Layout: dl, Regs: c.Regs, NumFixed: 1}
	return src.place(s, c.Result, 0, ret)
}

// place runs convention conv over the values of one argument.
func (src *Source) place(s *State, conv, n int, arg *Arg) (why string) {
	vals, bad := src.Append(s.values[:0], n, arg)
	s.values = vals
	if bad >= 0 {
		return "passing a value of this type"
	}
	for k := range vals {
		if !s.Place(conv, &vals[k]) {
			return "passing a value of type " + vals[k].VT.String() + " here in this calling convention"
		}
	}
	return ""
}
