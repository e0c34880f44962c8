package targetinfo

import (
	"os"

	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/include"
)

// Load reads a description from a file and builds the target.
func Load(file string, o Options) (*Target, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rs, err := tablegen.Parse(tablegen.Options{IncludeDirs: o.IncludeDirs, ReadFile: include.ReadFile(os.ReadFile)}, file, src)
	if err != nil {
		return nil, err
	}
	return Build(rs, o)
}
