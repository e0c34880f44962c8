package dwarf

import (
	"github.com/mirin-go/mirin/mc"
)

// globalName is a name of a table of names.
type globalName struct {
	name string
	die  dieID
	typ  bool
}

func (w *Writer) addGlobalName(u *unit, name string, d dieID, scope node) {}
func (w *Writer) addAccelName(u *unit, name string, d dieID)              {}
func (w *Writer) addTypeName(u *unit, name string, d dieID)               {}
func (w *Writer) addSubprogramNames(u *unit, n node, d dieID)             {}
func (w *Writer) typeNames(u *unit, n node, d dieID)                      {}
func (w *Writer) emitNames(o *sectionWriter, us []*unit)                  {}
func (w *Writer) emitPubNames(o *sectionWriter, us []*unit)               {}
func (w *Writer) emitMacros(o *sectionWriter, us []*unit)                 {}

func languageOfName(name, version uint64) uint64 { return 0 }

var _ mc.Sym
