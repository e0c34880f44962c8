package debugvalues

import (
	"testing"

	"github.com/mirin-go/mirin/internal/filetest"
)

func TestFiles(t *testing.T) { filetest.Run(t, "testdata") }
