package global

import "github.com/mirin-go/mirin/mir"

// queue is the registers that wait for allocation, the highest priority first,
// of equal ones the lowest number.
type queue struct{ items []queued }

type queued struct {
	prio uint32
	reg  mir.Reg
}

func (x queued) before(y queued) bool {
	return x.prio > y.prio || x.prio == y.prio && x.reg < y.reg
}

func (q *queue) empty() bool { return len(q.items) == 0 }

func (q *queue) push(prio uint32, r mir.Reg) {
	q.items = append(q.items, queued{prio, r})
	for k := len(q.items) - 1; k > 0; {
		up := (k - 1) / 2
		if !q.items[k].before(q.items[up]) {
			break
		}
		q.items[k], q.items[up] = q.items[up], q.items[k]
		k = up
	}
}

func (q *queue) pop() mir.Reg {
	top := q.items[0].reg
	n := len(q.items) - 1
	q.items[0] = q.items[n]
	q.items = q.items[:n]
	for k := 0; ; {
		best := k
		for c := 2*k + 1; c <= 2*k+2 && c < n; c++ {
			if q.items[c].before(q.items[best]) {
				best = c
			}
		}
		if best == k {
			return top
		}
		q.items[k], q.items[best] = q.items[best], q.items[k]
		k = best
	}
}
