package mcgen

import (
	"io/fs"
	"strings"

	"github.com/mirin-go/mirin/tablegen/emit/callingconv"
	"github.com/mirin-go/mirin/tablegen/emit/globalisel"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
)

// ReadFile is a tablegen.Options.ReadFile that has Mirin's own include files
// (mirin/….td) built in; read, which may be nil, gives the others.
func ReadFile(read func(path string) ([]byte, error)) func(path string) ([]byte, error) {
	own := map[string]string{"MC.td": Prelude, "Selection.td": globalisel.Prelude, "CallingConv.td": callingconv.Prelude}
	return func(path string) ([]byte, error) {
		if i := strings.LastIndex(path, "mirin/"); i == 0 || i > 0 && path[i-1] == '/' {
			if text, ok := own[path[i+len("mirin/"):]]; ok {
				return []byte(text), nil
			}
		}
		if read != nil {
			if b, err := read(path); err == nil {
				return b, nil
			}
		}
		if text, ok := targetinfo.Include(path); ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}
