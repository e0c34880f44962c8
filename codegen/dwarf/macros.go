package dwarf

import (
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/dwarfname"
)

// DWARF's kinds of entries of .debug_macro.
const (
	macroStartFile = 3
	macroEndFile   = 4
	macroDefineStr = 0x0b // DW_MACRO_define_strx
	macroUndefStr  = 0x0c // DW_MACRO_undef_strx
)

// emitMacros writes .debug_macro, or .debug_macinfo before DWARF 5.
func (w *Writer) emitMacros(o *sectionWriter, us []*unit) {
	for _, u := range us {
		if u.macroSym == 0 {
			continue
		}
		if w.version >= 5 {
			o.open(".debug_macro", 0, 0)
			o.label(u.macroSym)
			o.comment("Macro information version")
			o.uint(5, 2)
			flags := uint64(2) // the offset of the line table is there
			if w.wide {
				flags |= 1
			}
			o.u8(flags, "Flags: debug_line_offset present")
			o.comment("debug_line_offset")
			o.sym(u.lineTable, o.offset)
		} else {
			o.open(".debug_macinfo", 0, 0)
			o.label(u.macroSym)
		}
		w.macroList(o, u, u.list("macros"))
		o.u8(0, "End Of Macro List Mark")
	}
}

func (w *Writer) macroList(o *sectionWriter, u *unit, list []ir.MDID) {
	const define = 1 // DW_MACINFO_define
	for _, id := range list {
		n := w.at(id)
		switch {
		case n.is("DIMacroFile"):
			o.u8(macroStartFile, "DW_MACRO_start_file")
			o.comment("Line Number")
			o.uleb(n.num("line"))
			o.comment("File Number")
			o.uleb(w.fileNumber(u, n.ref("file").id))
			w.macroList(o, u, n.list("nodes"))
			o.u8(macroEndFile, "DW_MACRO_end_file")
		case n.is("DIMacro"):
			kind := n.word("type", dwarfname.MacInfo)
			text := n.str("name")
			if v := n.str("value"); v != "" {
				text += " " + v
			}
			if w.version < 5 {
				o.uleb(kind)
				o.uleb(n.num("line"))
				o.str(text)
				continue
			}
			code := uint64(macroUndefStr)
			if kind == define {
				code = macroDefineStr
			}
			o.uleb(code)
			o.comment("Line Number")
			o.uleb(n.num("line"))
			o.comment("Macro String")
			o.uleb(uint64(w.strs.index(w.strs.number(text))))
		}
	}
}
