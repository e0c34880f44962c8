package vm

// kfuncs are the kernel functions that this package knows, by name; nil for others.
func kfuncs(name string) Func {
	switch name {
	case "bpf_arena_alloc_pages":
		return arenaAlloc
	case "bpf_arena_free_pages":
		return arenaFree
	case "bpf_rcu_read_lock", "bpf_rcu_read_unlock", "bpf_preempt_disable", "bpf_preempt_enable":
		return constant(0)
	case "bpf_iter_num_new":
		return iterNumNew
	case "bpf_iter_num_next":
		return iterNumNext
	case "bpf_iter_num_destroy":
		return constant(0)
	case "bpf_cast_to_kern_ctx":
		return func(c *Call) (uint64, error) { return c.Args[0], nil }
	}
	return nil
}

// arenaAlloc is void *bpf_arena_alloc_pages(map, addr, count, node, flags).
func arenaAlloc(c *Call) (uint64, error) {
	a, n := c.m.c.arena, uint32(c.Args[2])
	if a == nil {
		return 0, nil
	}
	if want := uint32(c.Args[1]); want != 0 {
		first := want / pageSize
		for k := range n {
			if first+k >= a.limit || a.pages[first+k] != nil {
				return 0, nil
			}
		}
		for k := range n {
			a.pages[first+k] = make([]byte, pageSize)
		}
		return arenaUser | uint64(first)*pageSize, nil
	}
	off, ok := a.alloc(n)
	if !ok {
		return 0, nil
	}
	return arenaUser | uint64(off), nil
}

// arenaFree is void bpf_arena_free_pages(map, addr, count).
func arenaFree(c *Call) (uint64, error) {
	if a := c.m.c.arena; a != nil {
		first := uint32(c.Args[1]) / pageSize
		for k := range uint32(c.Args[2]) {
			delete(a.pages, first+k)
		}
		a.next = min(a.next, max(first, 1))
	}
	return 0, nil
}

// iterNumNew is int bpf_iter_num_new(it, start, end): the iterator's 8 bytes are what comes and the end.
func iterNumNew(c *Call) (uint64, error) {
	start, end := int32(c.Args[1]), int32(c.Args[2])
	var res uint64
	switch {
	case start > end:
		res = errno(eINVAL)
	case int64(end)-int64(start) > mayGotoRuns:
		res = errno(e2BIG)
	}
	if res != 0 {
		start, end = 0, 0
	}
	order := c.m.c.order
	return res, c.Write(c.Args[0], order.AppendUint32(order.AppendUint32(nil, uint32(start-1)), uint32(end)))
}

// iterNumNext is int *bpf_iter_num_next(it): a pointer to the number, which lies in the iterator.
func iterNumNext(c *Call) (uint64, error) {
	b, err := c.m.c.span(c.Args[0], 8, true)
	if err != nil {
		return 0, err
	}
	order := c.m.c.order
	cur, end := int32(order.Uint32(b)), int32(order.Uint32(b[4:]))
	if cur+1 >= end {
		clear(b)
		return 0, nil
	}
	order.PutUint32(b, uint32(cur+1))
	return c.Args[0], nil
}
