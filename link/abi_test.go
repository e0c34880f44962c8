package link

import (
	"testing"

	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/objabi"
	"github.com/mirin-go/mirin/target/x86/elfabi"
)

// TestUnsupported: machines that programs cannot be linked for are refused by name.
func TestUnsupported(t *testing.T) {
	for _, x := range []struct {
		abi  *objabi.ABI
		want string
	}{
		{nil, "linking for this machine is not supported"},
		{&objabi.ABI{Name: "a toy"}, "linking for a toy is not supported"},
	} {
		if _, err := Executable(x.abi, nil, nil); err == nil || err.Error() != x.want {
			t.Errorf("got %v, want %s", err, x.want)
		}
	}
	other := &mc.Object{Machine: mc.Machine{ELFMachine: 21, Is64: true, BigEndian: true}}
	if _, err := Executable(&elfabi.ABI, []Input{{"p.o", other}}, nil); err == nil || err.Error() != "p.o: not an object for 64-bit x86: linking for several machines is not supported" {
		t.Errorf("got %v", err)
	}
}
