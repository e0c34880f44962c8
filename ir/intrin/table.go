package intrin

import (
	_ "embed"
	"encoding/binary"

	"github.com/mirin-go/mirin/ir"
)

//go:generate sh -c "go run github.com/mirin-go/mirin/tools/tblgen --gen-intrinsic-signatures -I $(llvm-config-22 --includedir) -o zz_signatures.bin $(llvm-config-22 --includedir)/llvm/IR/Intrinsics.td"

// ID is an intrinsic's number, ir.Intrinsic, with what its signature says; 0 is none.
type ID ir.Intrinsic

// Of returns the ID of an intrinsic, 0 for what is none of LLVM's.
func Of(x ir.Intrinsic) ID {
	if !x.Known() {
		return 0
	}
	return ID(x)
}

// Lookup returns the intrinsic that a function's name ("llvm.memcpy.p0.p0.i64")
// means, 0 for none. An overloaded one may have a suffix, which is not checked.
func Lookup(name string) ID { return Of(ir.LookupIntrinsic(name)) }

// Name returns the name without type suffixes: "llvm.memcpy".
func (id ID) Name() string { return ir.Intrinsic(id).Name() }

// Overloaded reports whether the intrinsic's name has types as a suffix.
func (id ID) Overloaded() bool { return ir.Intrinsic(id).Overloaded() }

// signatures is the table that tablegen/emit/intrinsics.AppendSignatures describes; it is read in place.
//
//go:embed zz_signatures.bin
var signatures string

func word(at int) int { return int(binary.LittleEndian.Uint32([]byte(signatures[at : at+4]))) }

func half(at int) int { return int(binary.LittleEndian.Uint16([]byte(signatures[at : at+2]))) }

// code returns the type codes of the signature.
func (id ID) code() []byte {
	n, sigs := word(0), word(4)
	at := 12 + 4*n
	return []byte(entry(at, at+4*(sigs+1)+4*(word(8)+1), half(12+4*int(id-1))))
}

// attrs returns the attributes as text.
func (id ID) attrs() string {
	n, sigs := word(0), word(4)
	at := 12 + 4*n + 4*(sigs+1)
	bytes := at + 4*(word(8)+1)
	return entry(at, bytes+word(at-4), half(12+4*int(id-1)+2))
}

// entry is entry k of a list whose offsets stand at and whose bytes begin at base.
func entry(at, base, k int) string { return signatures[base+word(at+4*k) : base+word(at+4*k+4)] }
