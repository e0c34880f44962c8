package layout

import (
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/mir"
)

// worklist is a heap of blocks that may be placed: the best is on top. Of
// ordinary blocks that is the one that runs most often, the first of several; of
// landing pads the one that runs least, the last of several, so that rare ones
// need not jump back to those that are less rare.
type worklist struct {
	heap []workItem
	seq  uint32
}

type workItem struct {
	freq  pass.Freq
	seq   uint32
	block mir.BlockID
}

func (w *worklist) reset() { w.heap, w.seq = w.heap[:0], 0 }

// push adds a block; least says that the one that runs least is best.
func (w *worklist) push(b mir.BlockID, freq pass.Freq, least bool) {
	w.seq++
	it := workItem{freq: freq, seq: ^w.seq, block: b}
	if least {
		it.freq, it.seq = ^freq, w.seq
	}
	w.heap = append(w.heap, it)
	for k := len(w.heap) - 1; k > 0; {
		up := (k - 1) / 2
		if !w.heap[k].better(&w.heap[up]) {
			break
		}
		w.heap[k], w.heap[up] = w.heap[up], w.heap[k]
		k = up
	}
}

func (x *workItem) better(y *workItem) bool {
	return x.freq > y.freq || x.freq == y.freq && x.seq > y.seq
}

// pop removes the best.
func (w *worklist) pop() {
	n := len(w.heap) - 1
	w.heap[0] = w.heap[n]
	w.heap = w.heap[:n]
	for k := 0; ; {
		down := 2*k + 1
		if down >= n {
			return
		}
		if down+1 < n && w.heap[down+1].better(&w.heap[down]) {
			down++
		}
		if !w.heap[down].better(&w.heap[k]) {
			return
		}
		w.heap[k], w.heap[down] = w.heap[down], w.heap[k]
		k = down
	}
}
