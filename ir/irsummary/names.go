package irsummary

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// NameAnonymous gives names to globals without one: anon.HASH.N, where HASH is
// that of the names that the module defines for others. It reports whether there were any.
func NameAnonymous(m *ir.Module) bool {
	hash := ""
	n := 0
	for _, l := range [...][]ir.GlobalID{m.Funcs, m.Vars, m.IFuncs, m.Aliases} {
		for _, id := range l {
			if m.Globals[id].Name != "" {
				continue
			}
			if hash == "" {
				hash = exportedHash(m)
			}
			m.RenameGlobal(id, "anon."+hash+"."+strconv.Itoa(n))
			n++
		}
	}
	return n > 0
}

func exportedHash(m *ir.Module) string {
	h := md5.New()
	for _, l := range [...][]ir.GlobalID{m.Funcs, m.Vars} {
		for _, id := range l {
			if g := m.Globals[id]; !g.IsDecl && !g.HasLocalLinkage() && g.Name != "" {
				h.Write([]byte(g.Name))
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
