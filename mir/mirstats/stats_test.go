package mirstats

import (
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/mir/mirtext"
)

const src = `---
name: f
tracksRegLiveness: true
stack:
  - { id: 0, type: spill-slot, size: 4, alignment: 4 }
  - { id: 1, size: 16, alignment: 8 }
body: |
  bb.0:
    liveins: $edi
    %0:gr32 = COPY $edi
    MOV32mr %stack.0, 1, $noreg, 0, $noreg, %0 :: (store (s32) into %stack.0)
    %1:gr32 = MOV32rm %stack.0, 1, $noreg, 0, $noreg :: (load (s32) from %stack.0)
    %2:gr64 = MOV64rm %stack.1, 1, $noreg, 0, $noreg :: (load (s64) from %stack.1)
    %3:_(s32) = COPY %1
    JMP_1 %bb.1
  bb.1:
    %4:gr32 = PHI %1, %bb.0
    $eax = COPY %4
    RET64 $eax
...
---
name: g
body: |
  bb.0:
    RET64
...
`

func TestOf(t *testing.T) {
	f, err := mirtext.Parse("x.mir", []byte(src), mirtext.ParseOptions{Facts: func(string) (*desc.Info, error) { return facts.X86() }})
	if err != nil {
		t.Fatal(err)
	}
	total := &Stats{}
	var list []*Stats
	for _, fn := range f.Functions {
		list = append(list, Of(fn))
		total.Add(list[len(list)-1])
	}
	s := list[0]
	got := [...]int{s.Blocks, s.Edges, s.Instrs, s.PHIs, s.Copies, s.VRegs, s.PhysRegs, s.Objects, s.MemOps, s.Loads, s.Stores, s.Spills, s.Reloads, int(s.StackSize)}
	want := [...]int{2, 1, 9, 1, 3, 5, 2, 2, 3, 2, 1, 1, 1, 20}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.Opcodes[0] != (Count{"COPY", 3}) || s.Classes[0] != (Count{"gr32", 3}) || len(s.Classes) != 3 {
		t.Errorf("%v %v", s.Opcodes, s.Classes)
	}
	if total.Functions != 2 || total.Instrs != 10 || total.Opcodes[1] != (Count{"RET64", 2}) {
		t.Errorf("%+v", total)
	}
	table := string(AppendTable(nil, list, total, 2))
	for _, want := range []string{"function   blocks  instrs", "total (2)       3      10", "  COPY      3  30.0%\n", "  5 others  5  50.0%\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	csv, err := AppendCSV(nil, list)
	if err != nil || !strings.HasPrefix(string(csv), "file,function,blocks,") || !strings.Contains(string(csv), "\n,f,2,9,1,3,0,0,5,2,3,2,1,1,1,2,0,20\n") {
		t.Errorf("%s %v", csv, err)
	}
	if j, err := AppendJSON(nil, list, total); err != nil || !strings.Contains(string(j), `"registerClasses"`) {
		t.Errorf("%s %v", j, err)
	}
}
