package schedmodel_test

import (
	"testing"

	"github.com/mirin-go/mirin/codegen/schedmodel"
	"github.com/mirin-go/mirin/desc/facts"
)

// TestScoreboard issues instructions of a machine of two pipelines, one of which
// multiplies and one of which loads and stores.
func TestScoreboard(t *testing.T) {
	in, err := facts.Load("ARM")
	if err != nil {
		t.Fatal(err)
	}
	f, l := parse(t, "ARM", "armv7-unknown-linux-gnueabihf", `
    $r0 = MUL $r1, $r2, 14, $noreg, $noreg
    $r3 = MUL $r4, $r5, 14, $noreg, $noreg
    $r6 = ADDrr $r7, $r1, 14, $noreg, $noreg
    $r8 = COPY $r7
`)
	var b schedmodel.Scoreboard
	b.Reset(schedmodel.New(in, "cortex-a8"))
	if !b.HasHazards() || b.Hazard(f, l[0]) || b.IsFull() {
		t.Fatal("an empty scoreboard has room")
	}
	b.Issue(f, l[3])
	b.Issue(f, l[0])
	if !b.Hazard(f, l[1]) {
		t.Error("two products at once")
	}
	if b.Hazard(f, l[2]) || b.IsFull() {
		t.Error("a sum beside a product")
	}
	b.Issue(f, l[2])
	if !b.IsFull() {
		t.Error("copies take no issue slot, a product and a sum all of them")
	}
	b.Advance()
	if b.IsFull() || b.Hazard(f, l[2]) {
		t.Error("a sum a cycle later")
	}
	for n := 1; b.Hazard(f, l[1]); n++ {
		if n > 8 {
			t.Fatal("the multiplier is never free")
		}
		b.Advance()
	}
	b.Reset(schedmodel.New(in, "no such processor"))
	if b.Issue(f, l[0]); b.HasHazards() || b.Hazard(f, l[1]) || b.IsFull() {
		t.Error("hazards of a model without itineraries")
	}
}
