package ir_test

import (
	"fmt"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
)

func TestLandingPads(t *testing.T) {
	m, err := irtext.Parse("eh.ll", []byte(`
@a = external constant ptr
@b = external constant ptr
declare void @g()
define void @f() personality ptr @g {
  invoke void @g() to label %x unwind label %p
x:
  invoke void @g() to label %y unwind label %q
y:
  invoke void @g() to label %z unwind label %r
z:
  ret void
p:
  %1 = landingpad { ptr, i32 } cleanup catch ptr @b catch ptr null
  ret void
q:
  %2 = landingpad { ptr, i32 } catch ptr @a filter [2 x ptr] [ptr @b, ptr @a] filter [0 x ptr] zeroinitializer
  ret void
r:
  %3 = landingpad { ptr, i32 } cleanup
  ret void
}
`), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := m.Globals[m.Lookup("f")].Func
	p := ir.NewLandingPads(f)
	got := ""
	for _, b := range f.Order {
		if i := p.Of(b); i != 0 {
			got += fmt.Sprint(p.Actions(i))
		}
	}
	got += fmt.Sprint(len(p.Types), p.Filters, p.TypeID(ir.GlobalVal(m.Lookup("a"))))
	if want := "[1 2 0][3 -1 -4][]3 [1 3 0 0] 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
