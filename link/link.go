package link

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
)

// Input is an object with the name that errors give it.
type Input struct {
	Name   string
	Object *mc.Object
}

// Options say how to link; nil is the zero value.
type Options struct {
	// Interp is the dynamic loader, "" for the one of this machine.
	Interp string
	// LibraryDirs are searched for libraries before the usual folders.
	LibraryDirs []string
	// Libraries are further libraries: "z" for libz.so, or the path of a file.
	Libraries []string
	// Strip leaves out the symbol table and section headers, which only
	// debuggers and other tools read.
	Strip bool

	legacyInit bool // as for a C library before glibc 2.34; for tests
}

// MissingError lists symbols that nothing defines.
type MissingError struct {
	Names []string
	// In are the names of the first inputs that refer to them.
	In []string
}

// Error lists the names.
func (m *MissingError) Error() string {
	var b strings.Builder
	b.WriteString("undefined symbol")
	for i, n := range m.Names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + n)
		if i == len(m.Names)-1 || m.In[i+1] != m.In[i] {
			b.WriteString(" (in " + m.In[i] + ")")
		}
	}
	return b.String()
}

// linker is the state of one link.
type linker struct {
	abi    *objabi.ABI
	order  mc.ByteOrder
	opt    Options
	objs   []object
	secs   []section
	syms   []symbol // 0 is none
	byName map[string]symID
	groups map[string]int // COMDAT signatures, with the object that keeps each

	sys  system
	libs []*sharedLib // that are needed, in the order of DT_NEEDED at the end

	tables tables
	outs   []outSection
	dyn    dynamic
	img    []byte
	relas  []rela // of .rela.dyn, filled while relocating
}

// Executable links objects of the machine that abi describes.
func Executable(abi *objabi.ABI, inputs []Input, o *Options) ([]byte, error) {
	if abi == nil || abi.Start == nil || !abi.Machine.Is64 {
		return nil, unsupported(abi)
	}
	l := &linker{abi: abi, order: abi.Machine.Order(), byName: map[string]symID{}, groups: map[string]int{}, syms: []symbol{{state: zero, local: true, sec: -1}}}
	if o != nil {
		l.opt = *o
	}
	for _, in := range inputs {
		if err := l.add(in.Name, in.Object); err != nil {
			return nil, err
		}
	}
	steps := [...]func() error{l.findSystem, l.start, l.resolve, l.check, l.frames, l.scan, l.exports, l.layOut, l.relocate, l.frameTable, l.finish}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.img, nil
}

// unsupported is the error for machines that programs cannot be linked for.
func unsupported(abi *objabi.ABI) error {
	if abi == nil {
		return errors.New("linking for this machine is not supported")
	}
	return fmt.Errorf("linking for %s is not supported", abi.Name)
}

// add takes an object in.
func (l *linker) add(name string, o *mc.Object) error {
	if !l.abi.Serves(&o.Machine) {
		return fmt.Errorf("%s: not an object for %s: linking for several machines is not supported", name, l.abi.Name)
	}
	if o.Machine.Rela != l.abi.Machine.Rela {
		return fmt.Errorf("%s: ELF: relocations without addends are not supported", name)
	}
	return l.addSymbols(name, o)
}
