package intrinsics

import (
	"strings"

	"github.com/mirin-go/mirin/tablegen"
)

// memory says what an intrinsic may do to each kind of memory, two bits each:
// 1 reads, 2 writes.
type memory uint16

// The kinds, as LLVM numbers them. Other is what no other kind is.
const (
	argMem = 2 * iota
	inaccessibleMem
	errnoMem
	otherMem
	targetMem0
	targetMem1
	endMem
)

const (
	anything memory = 1<<endMem - 1
	reads    memory = 0b010101010101
	writes   memory = reads << 1
)

// property narrows what is touched; false where p says nothing of memory.
func (m *memory) property(p *tablegen.Record) (bool, string) {
	at := func(kinds ...int) (out memory) {
		for _, k := range kinds {
			out |= 3 << k
		}
		return out
	}
	switch p.Name {
	case "IntrNoMem":
		*m = 0
	case "IntrReadMem":
		if *m&reads == 0 {
			return true, "IntrReadMem cannot be used after IntrNoMem or IntrWriteMem. Default is ReadWrite"
		}
		*m &= reads
	case "IntrWriteMem":
		if *m&writes == 0 {
			return true, "IntrWriteMem cannot be used after IntrNoMem or IntrReadMem. Default is ReadWrite"
		}
		*m &= writes
	case "IntrArgMemOnly":
		*m &= at(argMem)
	case "IntrInaccessibleMemOnly":
		*m &= at(inaccessibleMem)
	case "IntrInaccessibleMemOrArgMemOnly":
		*m &= at(argMem, inaccessibleMem)
	default:
		read := p.IsSubClassOf("IntrRead")
		if !read && !p.IsSubClassOf("IntrWrite") {
			return false, ""
		}
		var l memory
		for _, d := range p.DefList("MemLoc") {
			switch d.Name {
			case "InaccessibleMem":
				l |= at(inaccessibleMem)
			case "TargetMem0":
				l |= at(targetMem0)
			case "TargetMem1":
				l |= at(targetMem1)
			default:
				return true, "the memory '" + d.Name + "' is not known"
			}
		}
		// Only reads (or writes) are narrowed.
		if read {
			*m &= l | writes
		} else {
			*m &= l | reads
		}
	}
	return true, ""
}

// String is the attribute: what other memory may see first, then the kinds
// that differ from it.
func (m memory) String() string {
	words := [...]string{"none", "read", "write", "readwrite"}
	names := [...]string{"argmem", "inaccessiblemem", "errnomem", "", "target_mem0", "target_mem1"}
	other := m >> otherMem & 3
	var out []string
	if other != 0 || m == 0 {
		out = append(out, words[other])
	}
	for i, n := range names {
		if v := m >> (2 * i) & 3; n != "" && v != other {
			out = append(out, n+": "+words[v])
		}
	}
	return "memory(" + strings.Join(out, ", ") + ")"
}
