package mir

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/mirin-go/mirin/desc"
)

// edgeModel is what the edges should be, as plain slices.
type edgeModel struct {
	succs map[BlockID][]BlockID
	preds map[BlockID][]BlockID
}

func remove(s []BlockID, b BlockID) []BlockID {
	return slices.Delete(s, slices.Index(s, b), slices.Index(s, b)+1)
}

func (m *edgeModel) check(t *testing.T, f *Function) {
	t.Helper()
	for b := f.FirstBlock(); b != 0; b = f.NextBlock(b) {
		var got []BlockID
		for _, e := range f.Succs(b) {
			got = append(got, e.Block)
		}
		if !slices.Equal(got, m.succs[b]) || f.NumSuccs(b) != len(got) {
			t.Fatalf("successors of %d are %v (%d), want %v", b, got, f.NumSuccs(b), m.succs[b])
		}
		if p := f.Preds(b); !slices.Equal(p, m.preds[b]) || f.NumPreds(b) != len(p) {
			t.Fatalf("predecessors of %d are %v (%d), want %v", b, p, f.NumPreds(b), m.preds[b])
		}
		for k, e := range f.Succs(b) {
			in := f.blocks[e.Block].preds
			if f.preds.rows[in.off+e.back] != b || f.predBack[in.off+e.back] != uint32(k)+f.blocks[b].succs.lead {
				t.Fatalf("edge %d of %d does not know its other end", k, b)
			}
		}
	}
}

// TestEdgesUnderRandomEdits compares the edges with plain slices. Blocks have
// no edge twice, as the machine verifier demands.
func TestEdgesUnderRandomEdits(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	f := testFunc()
	var bs []BlockID
	for range 12 {
		bs = append(bs, f.AddBlock())
	}
	m := edgeModel{map[BlockID][]BlockID{}, map[BlockID][]BlockID{}}
	for step := range 30000 {
		b, s, n := bs[rnd.Intn(len(bs))], bs[rnd.Intn(len(bs))], bs[rnd.Intn(len(bs))]
		has, hasNew := slices.Contains(m.succs[b], s), slices.Contains(m.succs[b], n)
		if f.HasSucc(b, s) != has {
			t.Fatalf("step %d: HasSucc is %v", step, !has)
		}
		switch rnd.Intn(5) {
		case 0, 1:
			f.MergeSucc(b, s, UnknownProb)
			if !has {
				m.succs[b], m.preds[s] = append(m.succs[b], s), append(m.preds[s], b)
			}
		case 2:
			f.RemoveSucc(b, s)
			if has {
				m.succs[b], m.preds[s] = remove(m.succs[b], s), remove(m.preds[s], b)
			}
		case 3:
			f.ReplaceSucc(b, s, n)
			if has && s != n {
				m.preds[s] = remove(m.preds[s], b)
				if hasNew {
					m.succs[b] = remove(m.succs[b], s)
				} else {
					m.succs[b][slices.Index(m.succs[b], s)] = n
					m.preds[n] = append(m.preds[n], b)
				}
			}
		case 4:
			if rnd.Intn(8) == 0 {
				m.check(t, f)
			}
		}
	}
	m.check(t, f)
}

// star makes a block with n successors, each of which has the edge and one to a
// common block with a PHI.
func star(n int) (f *Function, hub BlockID, leaves []BlockID, sink BlockID) {
	f = testFunc()
	hub, sink = f.AddBlock(), f.AddBlock()
	for range n {
		b := f.AddBlock()
		leaves = append(leaves, b)
		f.AddSuccProb(hub, b, ProbOne/Prob(n))
		f.AddSucc(b, sink)
	}
	return f, hub, leaves, sink
}

// TestManyEdges takes 100,000 edges away in three orders, looking at what is
// left each time; a quadratic way would take minutes.
func TestManyEdges(t *testing.T) {
	const n = 100_000
	for name, order := range map[string]func([]BlockID){
		"front":  func([]BlockID) {},
		"back":   slices.Reverse[[]BlockID],
		"random": func(l []BlockID) { rand.New(rand.NewSource(1)).Shuffle(n, func(i, k int) { l[i], l[k] = l[k], l[i] }) },
	} {
		f, hub, leaves, sink := star(n)
		if len(f.Succs(hub)) != n || len(f.Preds(sink)) != n || f.Succs(hub)[69_999].Block != leaves[69_999] || f.Preds(sink)[99_999] != leaves[99_999] {
			t.Fatal("edges are lost")
		}
		order(leaves)
		for k, b := range leaves {
			f.RemoveSucc(b, sink)
			f.RemoveSucc(hub, b)
			if f.NumSuccs(hub) != n-1-k || f.NumPreds(sink) != n-1-k || f.HasSucc(hub, b) {
				t.Fatalf("%s: %d successors are left after %d", name, f.NumSuccs(hub), k)
			}
			if name != "random" && k < n-1 && len(f.Succs(hub)) != n-1-k {
				t.Fatalf("%s: the list has %d", name, len(f.Succs(hub)))
			}
		}
	}
}

// TestManyPhiEdges redirects, transfers and renames edges by the 100,000.
func TestManyPhiEdges(t *testing.T) {
	const n = 100_000
	f, hub, leaves, sink := star(n)
	phi := f.New(desc.PHI, RegOp(f.AddVReg(0), Def))
	f.Append(sink, phi)
	for _, b := range leaves {
		f.AddOp(phi, RegOp(f.AddVReg(0), 0))
		f.AddOp(phi, BlockOp(b))
	}
	if f.Instr(phi).NumOps() != 2*n+1 {
		t.Fatalf("the PHI has %d operands", f.Instr(phi).NumOps())
	}
	next := map[BlockID]BlockID{}
	for _, b := range leaves {
		mid := f.AddBlock()
		next[b] = mid
		f.ReplaceSucc(b, sink, mid)
		f.AddSucc(mid, sink)
	}
	f.RenamePhiPreds(sink, func(b BlockID) BlockID { return next[b] })
	to := f.AddBlock()
	f.TransferSuccs(hub, to)
	for k, b := range leaves {
		if f.Succs(b)[0].Block != next[b] || f.Preds(sink)[k] != next[b] || f.Op(phi, 2*k+2).Block() != next[b] || f.Succs(to)[k].Block != b {
			t.Fatalf("leaf %d is wrong", k)
		}
	}
	if f.Succs(to)[5].Prob != ProbOne/n || len(f.Succs(hub)) != 0 {
		t.Fatal("the edges' probabilities did not move")
	}
	if p := f.AppendSuccProbs(nil, to); len(p) != n || p[n-1] != ProbOne/n {
		t.Fatal("probabilities")
	}
	f.RemoveBlock(sink)
	for _, b := range leaves {
		if f.NumSuccs(next[b]) != 0 {
			t.Fatal("edges to a removed block stay")
		}
	}
}
