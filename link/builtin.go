package link

import (
	"strings"
)

// edge is the place of a symbol that the linker defines: where an output
// section starts or ends.
type edge struct {
	section string // "" is the program
	end     bool
}

// edges are the symbols with places that programs may ask for. Of a section
// that is not there, start and end are equal.
var edges = [...]struct {
	name string
	edge edge
}{
	{"__preinit_array_start", edge{".preinit_array", false}}, {"__preinit_array_end", edge{".preinit_array", true}},
	{"__init_array_start", edge{".init_array", false}}, {"__init_array_end", edge{".init_array", true}},
	{"__fini_array_start", edge{".fini_array", false}}, {"__fini_array_end", edge{".fini_array", true}},
	{"_DYNAMIC", edge{".dynamic", false}}, {"_GLOBAL_OFFSET_TABLE_", edge{".got.plt", false}}, {"__GNU_EH_FRAME_HDR", edge{".eh_frame_hdr", false}},
	{"__ehdr_start", edge{"", false}}, {"__executable_start", edge{"", false}}, {"__dso_handle", edge{"", false}},
	{"__bss_start", edge{".bss", false}}, {"_end", edge{"", true}}, {"end", edge{"", true}},
	{"_edata", edge{".data", true}}, {"edata", edge{".data", true}}, {"_etext", edge{".text", true}}, {"etext", edge{".text", true}},
}

// edgeNamed gives the place of a linker-defined symbol. Sections whose names
// are identifiers of C have __start_ and __stop_ symbols.
func (l *linker) edgeNamed(name string) (edge, bool) {
	for i := range edges {
		if edges[i].name == name {
			return edges[i].edge, true
		}
	}
	sec, start := strings.CutPrefix(name, "__start_")
	stop := false
	if !start {
		if sec, stop = strings.CutPrefix(name, "__stop_"); !stop {
			return edge{}, false
		}
	}
	if !isIdentifier(sec) {
		return edge{}, false
	}
	for i := range l.secs {
		if s := &l.secs[i]; !s.dropped && s.src.Name == sec {
			return edge{sec, stop}, true
		}
	}
	return edge{}, false
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|32 < 'a' || c|32 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// start adds the program's entry.
func (l *linker) start() error {
	if id, ok := l.byName["main"]; !ok || l.syms[id].state == undefined {
		return errNoMain
	}
	if err := l.addSymbols(builtinName, l.abi.Start(l.legacyInit())); err != nil {
		return err
	}
	return nil
}

// builtinName is the name of the objects of the linker's own.
const builtinName = "the start-up code"

// addBuiltin adds the object that defines name, if there is one.
func (l *linker) addBuiltin(name string) error {
	if o := l.abi.Builtin(name); o != nil {
		return l.addSymbols(builtinName, o)
	}
	return nil
}
