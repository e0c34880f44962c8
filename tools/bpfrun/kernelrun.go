package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/cilium/ebpf"
)

// kernelPair is two objects for the kernel.
type kernelPair struct{ ours, theirs *ebpf.CollectionSpec }

// newKernelPair is nil where the loader does not understand the objects.
func newKernelPair(ours, theirs []byte) *kernelPair {
	a, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(ours))
	if err != nil {
		return nil
	}
	b, err := ebpf.LoadCollectionSpecFromReader(bytes.NewReader(theirs))
	if err != nil {
		return nil
	}
	return &kernelPair{a, b}
}

// loaded is a program with its maps.
type loaded struct {
	coll *ebpf.Collection
	prog *ebpf.Program
	kind ebpf.ProgramType
	maps []string
}

// load loads one program of an object; nil where the kernel refuses it.
func load(spec *ebpf.CollectionSpec, program string) *loaded {
	spec = spec.Copy()
	p := spec.Programs[program]
	if p == nil {
		return nil
	}
	switch p.Type {
	case ebpf.SocketFilter, ebpf.SchedCLS, ebpf.SchedACT, ebpf.XDP, ebpf.RawTracepoint, ebpf.Syscall, ebpf.CGroupSKB, ebpf.LWTIn, ebpf.LWTOut, ebpf.LWTXmit:
	default:
		return nil
	}
	spec.Programs = map[string]*ebpf.ProgramSpec{program: p}
	for _, m := range spec.Maps {
		m.Pinning = ebpf.PinNone
		m.MaxEntries = min(m.MaxEntries, 16384)
		if m.Type == ebpf.ProgramArray || m.Type == ebpf.ArrayOfMaps || m.Type == ebpf.HashOfMaps {
			m.Contents = nil
		}
	}
	coll, err := ebpf.NewCollection(spec)
	if err != nil {
		return nil
	}
	l := &loaded{coll: coll, prog: coll.Programs[program], kind: p.Type}
	for name, m := range coll.Maps {
		switch m.Type() {
		case ebpf.Hash, ebpf.Array, ebpf.LRUHash, ebpf.PerCPUArray, ebpf.PerCPUHash:
			if !strings.HasPrefix(name, ".rodata") && !strings.Contains(name, ".rodata") {
				l.maps = append(l.maps, name)
			}
		}
	}
	return l
}

// run gives what one run did.
func (l *loaded) run(in []byte, ctx []byte) (string, bool) {
	o := &ebpf.RunOptions{}
	switch l.kind {
	case ebpf.RawTracepoint:
		o.Context = ctx[:96]
	case ebpf.Syscall:
		o.Context = bytes.Clone(ctx)
	default:
		o.Data, o.DataOut = in, make([]byte, len(in)+512)
	}
	ret, err := l.prog.Run(o)
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("returns %#x, packet %x", ret, o.DataOut), true
}

// contents is what the maps have.
func (l *loaded) contents() map[string]string {
	out := map[string]string{}
	for _, name := range l.maps {
		m := l.coll.Maps[name]
		key := make([]byte, m.KeySize())
		it := m.Iterate()
		if t := m.Type(); t == ebpf.PerCPUArray || t == ebpf.PerCPUHash {
			var v [][]byte
			for it.Next(&key, &v) {
				all := bytes.Join(v, nil)
				if len(bytes.Trim(all, "\x00")) > 0 {
					out[fmt.Sprintf("map %s: %x", name, key)] = fmt.Sprint(sum(v))
				}
			}
			continue
		}
		value := make([]byte, m.ValueSize())
		for it.Next(&key, &value) {
			if len(bytes.Trim(value, "\x00")) > 0 {
				out[fmt.Sprintf("map %s: %x", name, key)] = fmt.Sprintf("%x", value)
			}
		}
	}
	return out
}

// sum adds what processors have: runs may be on any.
func sum(v [][]byte) []int {
	out := make([]int, len(v[0]))
	for _, b := range v {
		for k, x := range b {
			out[k] += int(x)
		}
	}
	return out
}

// compare runs a program of both objects in the kernel; "" where that cannot be.
func (k *kernelPair) compare(program string, count int, r *rand.Rand) (string, string) {
	a, b, c := load(k.ours, program), load(k.theirs, program), load(k.theirs, program)
	for _, l := range []*loaded{a, b, c} {
		if l != nil {
			defer l.coll.Close()
		}
	}
	if b == nil || c == nil {
		return "", ""
	}
	if a == nil {
		return different, "the kernel loads llc's program alone"
	}
	for n := range count {
		in, ctx := packetOf(r), context(r)
		x, okX := a.run(in, ctx)
		y, okY := b.run(in, ctx)
		z, okZ := c.run(in, ctx)
		if !okY || !okZ {
			return "", ""
		}
		if y != z {
			return random, ""
		}
		if !okX || x != y {
			return different, fmt.Sprintf("input %d: ours %s, theirs %s", n, x, y)
		}
	}
	x, y, z := a.contents(), b.contents(), c.contents()
	for key, v := range y {
		if z[key] != v {
			return random, ""
		}
		if x[key] != v {
			return different, fmt.Sprintf("%s: ours %s, theirs %s", key, x[key], v)
		}
	}
	if len(x) != len(y) {
		return different, fmt.Sprintf("maps: ours have %d values, theirs %d", len(x), len(y))
	}
	return same, ""
}
