package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/target/bpf/vm"
)

// kernelMemory has a number for every address, the same in all runs: zero, small, or a pointer to
// more of this memory. What is written stays.
type kernelMemory struct {
	written map[uint64]byte
}

const pointers = 0xffff_8880_0000_0000

func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// number is one of the kinds of numbers that programs meet.
func number(x uint64) uint64 {
	switch x = mix(x); x & 7 {
	case 0, 1:
		return 0
	case 2, 3:
		return x >> 8 & 0xff
	case 4:
		return x >> 8 & 0xffffffff
	}
	return pointers | x>>16&0xfffffff8
}

func (k *kernelMemory) Read(addr uint64, to []byte) bool {
	if addr < pointers {
		return addr >= 1<<46 // that of a process
	}
	for i := range to {
		a := addr + uint64(i)
		b, ok := k.written[a]
		if !ok {
			b = byte(number(a&^7) >> (8 * (a & 7)))
		}
		to[i] = b
	}
	return true
}

func (k *kernelMemory) Write(addr uint64, from []byte) bool {
	for i, b := range from {
		k.written[addr+uint64(i)] = b
	}
	return addr >= pointers
}

func textHash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// state is what a run of a program is seen by.
type state struct {
	log    []string
	memory *kernelMemory
	calls  int
	time   uint64
}

// vmOptions surround a program with what depends on names, addresses and the order of calls alone.
func vmOptions(s *state) *vm.Options {
	if s == nil {
		s = &state{memory: &kernelMemory{written: map[uint64]byte{}}}
	}
	return &vm.Options{
		Steps: 3_000_000, Kernel: s.memory, MaxEntries: 4096,
		Symbol: func(name string) uint64 { return pointers | textHash(name)&0xfffffff8 },
		Time:   func() uint64 { s.time += 1000; return s.time },
		Missing: func(c *vm.Call) (uint64, error) {
			s.calls++
			return number(textHash(c.Name) + uint64(s.calls)), nil
		},
		Trace: func(c *vm.Call, result uint64) {
			if place, off := c.Place(result); place != "" {
				s.log = append(s.log, fmt.Sprintf("%s = %s+%d", c.Name, place, off))
				return
			}
			s.log = append(s.log, fmt.Sprintf("%s = %#x", c.Name, result))
		},
		Printk: func(line string) { s.log = append(s.log, "printk "+line) },
		Output: func(m *vm.Map, b []byte) { s.log = append(s.log, fmt.Sprintf("output %s %x", m.Name, b)) },
	}
}

// machine is an object in a vm.
type machine struct {
	*state
	c *vm.Collection
}

func newMachine(object []byte) (*machine, error) {
	m := &machine{state: &state{memory: &kernelMemory{written: map[uint64]byte{}}}}
	var err error
	m.c, err = vm.Load(object, vmOptions(m.state))
	return m, err
}

// run gives what one run did, as lines.
func (m *machine) run(program string, in vm.Input) (lines []string, fault error) {
	m.log = nil
	p := m.c.Program(program)
	if p == nil {
		return nil, errMissing
	}
	ret, err := p.Run(&in)
	lines = m.log
	if err != nil {
		return lines, err
	}
	for _, a := range slices.Sorted(maps.Keys(m.memory.written)) { // stores may come in another order
		lines = append(lines, fmt.Sprintf("memory %#x = %x", a, m.memory.written[a]))
	}
	// Programs return int: the high half is nobody's.
	lines = append(lines, fmt.Sprintf("returns %#x", uint32(ret)), fmt.Sprintf("context %x", in.Context), fmt.Sprintf("packet %x", in.Packet))
	for _, x := range m.c.Maps() {
		if strings.HasPrefix(x.Name, ".rodata") || strings.HasPrefix(x.Name, ".struct_ops") {
			continue // nothing writes them; tables of functions have addresses of code
		}
		x.Dump(func(key, value []byte) {
			if len(bytes.Trim(value, "\x00")) > 0 {
				lines = append(lines, fmt.Sprintf("map %s: %x = %x", x.Name, key, value))
			}
		})
	}
	return lines, nil
}

// context is arguments: numbers of all kinds.
func context(r *rand.Rand) []byte {
	b := make([]byte, 512)
	for k := 0; k < len(b); k += 8 {
		binary.LittleEndian.PutUint64(b[k:], number(r.Uint64()))
	}
	return b
}

// packetOf is an Ethernet frame, most of the time one of IP with TCP or UDP.
func packetOf(r *rand.Rand) []byte {
	b := make([]byte, 60+r.IntN(200))
	for k := range b {
		b[k] = byte(r.Uint32())
	}
	switch r.IntN(8) {
	case 0: // noise
	case 1, 2, 3: // IPv6
		b[12], b[13], b[14] = 0x86, 0xdd, 0x60
		b[20] = []byte{6, 17, 58, 0}[r.IntN(4)]
		binary.BigEndian.PutUint16(b[18:], uint16(len(b)-54))
	default:
		b[12], b[13], b[14] = 0x08, 0x00, 0x45
		b[23] = []byte{6, 17, 1, 4}[r.IntN(4)]
		binary.BigEndian.PutUint16(b[16:], uint16(len(b)-14))
		b[20], b[21] = 0, 0
	}
	return b
}

// compareVM runs a program of both objects in vms.
func compareVM(ours, theirs []byte, program string, count int, seed uint64) (string, string) {
	a, err := newMachine(ours)
	if err != nil {
		return notRun, "ours: " + err.Error()
	}
	b, err := newMachine(theirs)
	if err != nil {
		return notRun, "theirs: " + err.Error()
	}
	if a.c.Program(program) == nil {
		return different, "our object has no such program"
	}
	faults := 0
	for n := range count {
		in := func() vm.Input {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			return vm.Input{Context: context(r), Packet: packetOf(r)}
		}
		x, errX := a.run(program, in())
		y, errY := b.run(program, in())
		for k := range max(len(x), len(y)) {
			if k >= len(x) && errX == nil || k >= len(y) && errY == nil || k < len(x) && k < len(y) && x[k] != y[k] {
				return different, fmt.Sprintf("input %d: ours %q, theirs %q", n, at(x, k), at(y, k))
			}
		}
		switch {
		case errors.Is(errX, vm.ErrSteps) != errors.Is(errY, vm.ErrSteps):
			// The limit of one that is a little longer.
			return random, "it runs on and on"
		case (errX == nil) != (errY == nil):
			return different, fmt.Sprintf("input %d: ours %v, theirs %v", n, errX, errY)
		case errX != nil:
			faults++
			var fx, fy *vm.Fault
			if errors.As(errX, &fx) && errors.As(errY, &fy) && fx.Func != fy.Func {
				return different, fmt.Sprintf("input %d: ours %v, theirs %v", n, errX, errY)
			}
			// Memory after a fault is not compared: both begin anew.
			a, _ = newMachine(ours)
			b, _ = newMachine(theirs)
		}
	}
	if faults == count {
		return bothFault, ""
	}
	return same, ""
}

func at(list []string, k int) string {
	if k < len(list) {
		return list[k][:min(len(list[k]), 300)]
	}
	return "nothing"
}
