package objabi

import "github.com/mirin-go/mirin/mc"

// ABI is one binary interface of a target. Values are package variables of
// target/<isa> and are never changed.
type ABI struct {
	Name string // "x86-64 ELF", for errors
	// Machine is what headers of objects say; its processor number, class and byte
	// order tell which ABI an object follows.
	Machine mc.Machine
	// RelocPrefix is what stands before relocations' names: "R_X86_64_".
	RelocPrefix string
	// Relocs is indexed by type; rows without a name are not supported.
	Relocs  []Reloc
	Dynamic Dynamic
	Stub    Stub
	TLS     TLS
	System  System

	// EH gives the encodings of exception tables. large are code models in which
	// code and data may be more than 2 GiB apart.
	EH func(pic, large bool) EHEncodings

	// Start makes the object with the program's entry, _start. legacyInit says that
	// the C library does not run the program's constructors itself and wants a
	// function that does. Builtin makes the object that defines one of the functions
	// which C libraries keep out of their shared objects, nil for other names. Both
	// are nil where programs cannot be linked.
	Start   func(legacyInit bool) *mc.Object
	Builtin func(name string) *mc.Object
}

// Dynamic are the relocations that a dynamic loader applies.
type Dynamic struct {
	Abs                   uint32 // a symbol's address, of the size of a pointer
	Relative              uint32 // the program's place + A
	GlobDat, JumpSlot     uint32 // a symbol's address, in the tables of data and of calls
	Copy                  uint32 // the bytes of a library's variable
	DTPMod, DTPOff, TPOff uint32 // a module's number, and places of thread-local data
}

// Stub is the code of a procedure linkage table.
type Stub struct {
	Size int // in bytes, of one entry
	// Put writes a jump through the word that lies slot bytes behind the jump's
	// start; false when that is out of reach.
	Put func(b []byte, slot int64) bool
	// IsBranch reports whether the displacement at code[at:] belongs to a direct
	// call or jump, which may go through a stub.
	IsBranch func(code []byte, at uint64) bool
	// CanRelax reports whether the instruction with the displacement of a relaxable
	// relocation at code[at:] has a form that reaches its symbol without the table.
	// Relax gives it that form and returns where its displacement then is. Nil where
	// there are no relaxable relocations.
	CanRelax func(code []byte, at uint64, addend int64) bool
	Relax    func(code []byte, at uint64) uint64
}

// TLS says where thread-local data lies (Drepper, "ELF Handling For
// Thread-Local Storage", section 3): of variant 1 behind the thread pointer and
// a head, of variant 2 before it.
type TLS struct {
	Variant uint8
	Head    uint64 // of variant 1: bytes between thread pointer and data, before alignment
	// TPBias and DTPBias are added to the thread pointer and to the start of a
	// module's data, so that short displacements reach more.
	TPBias, DTPBias int64
}

// ThreadPointer is where the thread pointer stands for data from start to end
// that is aligned to align bytes.
func (t *TLS) ThreadPointer(start, end, align uint64) uint64 {
	up := func(n uint64) uint64 { a := max(align, 1); return (n + a - 1) / a * a }
	if t.Variant == 1 {
		return start - up(t.Head) + uint64(t.TPBias)
	}
	return start + up(end-start) + uint64(t.TPBias)
}

// EHEncodings are DWARF's pointer encodings of what exceptions need: the
// personality routine, the function's table, and the types in it.
type EHEncodings struct {
	Personality, LSDA, Type uint8
}

// System is where the parts of a hosted system are.
type System struct {
	GlibcLoader, MuslLoader string   // paths of the dynamic loaders
	LibraryDirs             []string // where libraries usually are
	// LegacyStart is the version of __libc_start_main of C libraries that leave
	// constructors to the program; "" when there are none.
	LegacyStart string
}

// For finds the ABI of an object, nil when none is.
func For(abis []*ABI, m *mc.Machine) *ABI {
	for _, a := range abis {
		if a.Serves(m) {
			return a
		}
	}
	return nil
}

// Serves reports whether an object is one of this ABI.
func (a *ABI) Serves(m *mc.Machine) bool {
	b := &a.Machine
	return m.ELFMachine == b.ELFMachine && m.Is64 == b.Is64 && m.BigEndian == b.BigEndian
}

// Reloc describes a relocation type; false for those that are not supported
// and those that only the dynamic loader knows.
func (a *ABI) Reloc(typ uint32) (Reloc, bool) {
	if typ >= uint32(len(a.Relocs)) || typ != 0 && a.Relocs[typ].Name == "" {
		return Reloc{}, false
	}
	return a.Relocs[typ], true
}

// Property is a note of an object about its code, which linkers join (".note.gnu.property"):
// bits that a program has if all its objects have them.
type Property struct{ Kind, Bits uint32 }
