package ir_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/ir/irverify"
)

const editSource = `
declare void @use(i32)
declare void @llvm.assume(i1)
define i32 @f(i32 %n, ptr %p, i1 %c) {
entry:
  %a = add i32 %n, 1
  %dead = mul i32 %a, %a
    #dbg_value(i32 %a, !4, !DIExpression(), !5)
  switch i32 %a, label %d [ i32 1, label %l  i32 2, label %l  i32 3, label %m ]
l:
  %x = phi i32 [ %a, %entry ], [ %a, %entry ], [ %y, %l ]
  %y = add i32 %x, %n
  call void @use(i32 %y) [ "tag"(i32 %x, ptr %p), "other"(i32 %x) ]
  %t = icmp slt i32 %y, 100
  br i1 %t, label %l, label %m
m:
  %z = phi i32 [ 7, %entry ], [ %y, %l ]
    #dbg_value(!DIArgList(i32 %z, i32 %n), !4, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus), !5)
  %q = load i32, ptr %p
  br i1 %c, label %d, label %e
e:
  %w = add i32 %q, %z
  br label %d
d:
  %r = phi i32 [ %n, %entry ], [ %z, %m ], [ %w, %e ]
  ret i32 %r
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !DILocalVariable(name: "a", scope: !2, file: !1, type: !3)
!5 = !DILocation(line: 1, scope: !2)
!6 = !{i32 2, !"Debug Info Version", i32 3}
`

func editModule(t *testing.T) (*ir.Module, *ir.Function) {
	t.Helper()
	m, err := irtext.ParseString("edit.ll", strings.Replace(editSource, "%c) {", "%c) !dbg !2 {", 1), irtext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range m.Funcs {
		if f := m.Globals[id].Func; f != nil {
			return m, f
		}
	}
	t.Fatal("no function")
	return nil, nil
}

// local finds a value, block finds a block by name.
func local(f *ir.Function, name string) ir.InstrID {
	return ir.InstrID(slices.Index(f.ValueNames, name))
}

func block(f *ir.Function, name string) ir.BlockID {
	return ir.BlockID(slices.Index(f.BlockNames, name))
}

// right checks the index and the module's rules.
func right(t *testing.T, m *ir.Module, f *ir.Function, what string) {
	t.Helper()
	if err := ir.CheckUses(f); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, irtext.AppendModule(nil, m))
	}
	if report := irverify.Module(m); report != "" {
		t.Fatalf("%s: %s\n%s", what, report, irtext.AppendModule(nil, m))
	}
}

func TestReplaceAllUses(t *testing.T) {
	m, f := editModule(t)
	x := ir.Local(local(f, "x"))
	if n := f.NumUses(x); n != 3 {
		t.Errorf("x has %d uses, want 3, two of them in bundles", n)
	}
	f.ReplaceAllUses(x, ir.Local(local(f, "a")))
	if f.HasUses(x) {
		t.Error("x has uses")
	}
	right(t, m, f, "x by a")
	f.ReplaceAllUses(ir.Local(local(f, "z")), ir.Local(f.Arg(0)))
	right(t, m, f, "z by n")
	text := string(irtext.AppendModule(nil, m))
	for _, want := range []string{`[ "tag"(i32 %a, ptr %p), "other"(i32 %a) ]`, "!DIArgList(i32 %n, i32 %n)"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	f.EraseWithOperands(local(f, "dead"))
	right(t, m, f, "dead erased")
	f.ReplaceAllUses(ir.Local(local(f, "a")), ir.Local(f.Arg(0)))
	f.Erase(local(f, "a"))
	right(t, m, f, "a erased")
}

func TestEdges(t *testing.T) {
	m, f := editModule(t)
	entry, l, d := block(f, "entry"), block(f, "l"), block(f, "d")
	preds := 0
	for range f.Preds(l) {
		preds++
	}
	if preds != 3 {
		t.Errorf("%d edges into l, want 3", preds)
	}
	// One of two parallel edges.
	sw := f.Terminator(entry)
	mid := f.SplitEdge(sw, 3, "mid")
	right(t, m, f, "split of one of two parallel edges")
	if f.Incoming(local(f, "x"), mid) != ir.Local(local(f, "a")) {
		t.Error("the PHI lacks the way through mid")
	}
	n := f.SplitBlock(local(f, "q"), "tail")
	right(t, m, f, "split of m")
	if f.Incoming(local(f, "r"), n) != ir.Local(local(f, "z")) || f.Incoming(local(f, "r"), block(f, "m")) != 0 {
		t.Error("the PHI of d still names m")
	}
	f.SetSucc(f.Terminator(block(f, "e")), 0, l, func(ir.InstrID) ir.Value { return ir.Local(f.Arg(0)) })
	right(t, m, f, "e leads to l")
	f.SetTerminator(entry, ir.Instr{Op: ir.OpBr, Type: ir.Void}, ir.BlockVal(d))
	right(t, m, f, "entry leads to d alone")
	if f.HasPreds(mid) {
		t.Error("mid has predecessors")
	}
	f.RemoveBlock(mid)
	right(t, m, f, "mid is gone")
}

func TestMergeIntoPred(t *testing.T) {
	m, f := editModule(t)
	n := f.SplitBlock(local(f, "q"), "tail")
	if !f.MergeIntoPred(n) {
		t.Error("what was split does not merge again")
	}
	right(t, m, f, "merged")
	if f.MergeIntoPred(block(f, "d")) || f.MergeIntoPred(block(f, "l")) || f.MergeIntoPred(block(f, "entry")) {
		t.Error("a block with several predecessors was merged")
	}
}

// TestOwnBody: a body that was copied is edited without a trace in the module.
func TestOwnBody(t *testing.T) {
	m, f := editModule(t)
	before := string(irtext.AppendModule(nil, m))
	var own ir.Function
	for range 2 {
		own.CopyFrom(f)
		own.ReplaceAllUses(ir.Local(local(f, "a")), ir.ConstVal(own.Consts.Int(ir.Int32, 77)))
		own.Erase(local(f, "a"))
		own.ReplaceAllUses(ir.Local(local(f, "x")), ir.Local(f.Arg(0)))
		own.SplitBlock(local(f, "q"), "tail")
		if err := ir.CheckUses(&own); err != nil {
			t.Fatal(err)
		}
		if after := string(irtext.AppendModule(nil, m)); after != before {
			t.Fatalf("the module changed:\n%s", after)
		}
	}
}

// TestRandomEdits edits at random; the body stays right.
func TestRandomEdits(t *testing.T) {
	for seed := range int64(60) {
		rng := rand.New(rand.NewSource(seed))
		m, f := editModule(t)
		for range 40 {
			b := f.Order[rng.Intn(len(f.Order))]
			var body []ir.InstrID
			for i := f.Blocks[b].First; i != 0; i = f.Instr(i).Next {
				body = append(body, i)
			}
			term := f.Terminator(b)
			switch rng.Intn(6) {
			case 0:
				if i := body[rng.Intn(len(body))]; f.Instr(i).Op != ir.OpPhi {
					f.SplitBlock(i, "s")
				}
			case 1:
				for n := range f.Succs(b) {
					f.SplitEdge(term, n, "e")
					break
				}
			case 2:
				if b != f.Order[0] {
					f.MergeIntoPred(b)
				}
			case 3: // an operation on a constant and the argument, before the terminator
				i := f.InsertBefore(term, ir.Instr{Op: ir.OpAdd, Type: ir.Int32}, ir.Local(f.Arg(0)), ir.ConstVal(f.Consts.Int(ir.Int32, uint64(rng.Intn(9)))))
				for u := range f.Uses(ir.Local(f.Arg(0))) {
					if u.I != i && u.N >= 0 && f.Instr(u.I).Block == b && f.Instr(u.I).Op != ir.OpPhi && u.I == term {
						f.SetOp(u.I, u.N, ir.Local(i))
					}
				}
			case 4:
				if i := body[rng.Intn(len(body))]; i != term && f.Instr(i).Type == ir.Int32 {
					f.ReplaceAllUses(ir.Local(i), ir.Local(f.Arg(0)))
					f.EraseWithOperands(i)
				}
			case 5: // a conditional branch becomes a plain one
				if f.Instr(term).Op == ir.OpBr && f.NumOps(term) == 3 && rng.Intn(3) == 0 {
					f.SetTerminator(b, ir.Instr{Op: ir.OpBr, Type: ir.Void}, f.Op(term, 1+rng.Intn(2)))
					for changed := true; changed; {
						changed = false
						for _, x := range f.Order[1:] {
							if !f.HasPreds(x) {
								f.RemoveBlock(x)
								changed = true
								break
							}
						}
					}
				}
			}
			right(t, m, f, "random edits")
		}
	}
}
