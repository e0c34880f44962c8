package objabi

import "github.com/mirin-go/mirin/mc"

// Form is what a relocation computes. In the formulas S is the symbol's
// address, A the addend, P the address of the place, G the address of the
// symbol's entry in the global offset table, L that of its stub.
type Form uint8

// The forms.
const (
	None      Form = iota
	Abs            // S + A
	PC             // S + A - P
	Call           // L + A - P; S stands in for L where it is in reach
	GOTEntry       // G + A - P
	GOTBase        // GOT + A - P, GOT the start of the table
	GOTOffset      // S + A - GOT
	Size           // the symbol's size + A
	TPOff          // S + A - the thread pointer
	DTPOff         // S + A - the start of the module's thread-local data
	GOTTPOff       // as GOTEntry; the entry holds TPOff
	TLSGD          // as GOTEntry; the two entries hold module and DTPOff
	TLSLD          // as GOTEntry; the two entries hold module and 0
)

// Reloc describes a relocation type.
type Reloc struct {
	Name  string // without the prefix
	Form  Form
	Bytes uint8 // size of the place
	// Signed and Unsigned are the ranges that the value may lie in; neither means
	// that it is cut off.
	Signed, Unsigned bool
	// Relaxable are those that mark an instruction which Stub.Relax can shorten.
	Relaxable bool
}

// Put writes a value at the start of b. It reports whether the value fits;
// where not, b is as it was.
func (a *ABI) Put(r *Reloc, b []byte, v int64) bool {
	if bits := 8 * uint(r.Bytes); bits < 64 && (r.Signed || r.Unsigned) {
		fits := r.Signed && v >= -1<<(bits-1) && v < 1<<(bits-1) || r.Unsigned && v >= 0 && v < 1<<bits
		if !fits {
			return false
		}
	}
	mc.PutInt(b[:r.Bytes], uint64(v), a.Machine.BigEndian)
	return true
}
