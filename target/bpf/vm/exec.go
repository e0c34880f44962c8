package vm

import (
	"fmt"
	"math/bits"
)

// machine is one run of a program.
type machine struct {
	c      *Collection
	in     *Input
	regs   [11]uint64
	frames []frame
	depth  int // the frame that runs
	steps  int64
	stacks []int // regions of stacks, by depth
	tail   int   // tail calls so far
	packet *packet
	ctx    int // the context's region
	// where the instruction is that runs, for faults
	pc int
	// reserved are records of ring buffers that are neither submitted nor discarded.
	reserved map[uint64]*Map
}

// frame is what a call saves.
type frame struct {
	saved  [4]uint64 // r6 to r9
	fp     uint64
	ret    int
	budget int // how often its may_goto instructions still do not jump
}

const (
	maxFrames   = 8
	stackSize   = 512
	maxTail     = 33
	mayGotoRuns = 8 << 20 // BPF_MAX_LOOPS
	// killed is in the registers that calls do not keep.
	killed = 0xbad0_bad0_bad0_bad0
)

// enter begins a frame and points r10 to its stack.
func (m *machine) enter(ret int) error {
	if m.depth == maxFrames {
		return fmt.Errorf("more than %d calls deep", maxFrames)
	}
	if m.depth == len(m.stacks) {
		fill := make([]byte, stackSize)
		m.stacks = append(m.stacks, m.c.newRegion(region{name: "the stack", data: fill, aligned: true}))
	}
	m.frames[m.depth] = frame{saved: [4]uint64(m.regs[6:10]), fp: m.regs[10], ret: ret, budget: mayGotoRuns}
	m.regs[10] = addressOf(m.stacks[m.depth], stackSize)
	m.depth++
	return nil
}

// leave ends the frame and gives where it returns to.
func (m *machine) leave() int {
	m.depth--
	f := &m.frames[m.depth]
	copy(m.regs[6:10], f.saved[:])
	m.regs[10] = f.fp
	return f.ret
}

// callback runs a function of the program that a helper was given.
func (m *machine) callback(fn uint64, args ...uint64) (uint64, error) {
	pc, ok := m.c.codeAt(fn)
	if !ok {
		return 0, fmt.Errorf("%#x is no function of the program", fn)
	}
	back := m.pc
	if err := m.enter(-1); err != nil {
		return 0, err
	}
	m.clobber()
	copy(m.regs[1:6], args)
	v, err := m.run(pc)
	if err == nil {
		m.pc = back
	}
	return v, err
}

// clobber gives the registers that calls do not keep a value that no one expects.
func (m *machine) clobber() {
	for i := 1; i <= 5; i++ {
		m.regs[i] = killed
	}
}

// run executes from pc to the end of the frame that is the current one.
func (m *machine) run(pc int) (uint64, error) {
	code := m.c.code
	base := m.depth
	for {
		if uint(pc) >= uint(len(code)) {
			m.pc = min(max(pc, 0), len(code)-1)
			return 0, fmt.Errorf("execution leaves the code")
		}
		m.pc = pc
		if m.steps--; m.steps < 0 {
			return 0, ErrSteps
		}
		in := &code[pc]
		pc++
		switch in.op & 7 {
		case classALU64:
			if err := m.alu64(in); err != nil {
				return 0, err
			}
		case classALU:
			if err := m.alu32(in); err != nil {
				return 0, err
			}
		case classLDX, classST, classSTX:
			if err := m.memory(in); err != nil {
				return 0, err
			}
		case classLD:
			switch {
			case in.op == modeIMM|3<<3:
				m.regs[in.dst] = in.wide
				pc++
			case in.op&0xe0 == modeABS || in.op&0xe0 == modeIND:
				ok, err := m.loadPacket(in)
				if err != nil {
					return 0, err
				}
				if !ok { // the program ends with 0, in whatever frame
					m.regs[0] = 0
					return 0, errPacketEnd
				}
			default:
				return 0, badOpcode(in)
			}
		default:
			switch in.op {
			case classJMP | jmpJA:
				pc += int(in.off)
				continue
			case classJMP32 | jmpJA:
				pc += int(in.imm)
				continue
			case classJMP | jmpJA | srcX: // gotox
				to, ok := m.jumpTarget(m.regs[in.dst])
				if !ok {
					return 0, fmt.Errorf("jump to %#x, where there is no code", m.regs[in.dst])
				}
				pc = to
				continue
			case classJMP | jmpJCOND: // may_goto
				if f := &m.frames[m.depth-1]; f.budget == 0 {
					pc += int(in.off)
				} else {
					f.budget--
				}
				continue
			case classJMP | jmpEXIT:
				pc = m.leave()
				if m.depth < base {
					return m.regs[0], nil
				}
				m.clobber()
				continue
			case classJMP | jmpCALL:
				next, err := m.call(in, pc)
				if err != nil {
					return 0, err
				}
				pc = next
				continue
			}
			taken, err := m.condition(in)
			if err != nil {
				return 0, err
			}
			if taken {
				pc += int(in.off)
			}
		}
	}
}

func badOpcode(in *insn) error {
	return fmt.Errorf("opcode %#02x (source register %d, offset %d, immediate %d) is none", in.op, in.src, in.off, in.imm)
}

// second is the second operand of arithmetic and comparisons.
func (m *machine) second(in *insn) uint64 {
	if in.op&srcX != 0 {
		return m.regs[in.src]
	}
	return uint64(int64(in.imm))
}

func (m *machine) alu64(in *insn) error {
	d := &m.regs[in.dst]
	x, y := *d, m.second(in)
	signed := in.off == 1
	if in.off != 0 && in.op&0xf0 != aluMOV && !(signed && (in.op&0xf0 == aluDIV || in.op&0xf0 == aluMOD)) {
		return badOpcode(in)
	}
	switch in.op & 0xf0 {
	case aluADD:
		*d = x + y
	case aluSUB:
		*d = x - y
	case aluMUL:
		*d = x * y
	case aluDIV:
		switch {
		case y == 0:
			*d = 0
		case signed && y == ^uint64(0):
			*d = -x
		case signed:
			*d = uint64(int64(x) / int64(y))
		default:
			*d = x / y
		}
	case aluMOD:
		switch {
		case y == 0:
		case signed && y == ^uint64(0):
			*d = 0
		case signed:
			*d = uint64(int64(x) % int64(y))
		default:
			*d = x % y
		}
	case aluOR:
		*d = x | y
	case aluAND:
		*d = x & y
	case aluXOR:
		*d = x ^ y
	case aluLSH:
		*d = x << (y & 63)
	case aluRSH:
		*d = x >> (y & 63)
	case aluARS:
		*d = uint64(int64(x) >> (y & 63))
	case aluNEG:
		*d = -x
	case aluMOV:
		return m.move(in, y)
	case aluEND: // bswap
		if in.op&srcX != 0 {
			return badOpcode(in)
		}
		return swap(d, in, true)
	default:
		return badOpcode(in)
	}
	return nil
}

// move is a 64-bit move: plain, extended by its sign, or between address spaces.
func (m *machine) move(in *insn, y uint64) error {
	d := &m.regs[in.dst]
	if in.off != 0 && in.op&srcX == 0 {
		return badOpcode(in)
	}
	switch in.off {
	case 0:
		*d = y
	case 8:
		*d = uint64(int64(int8(y)))
	case 16:
		*d = uint64(int64(int16(y)))
	case 32:
		*d = uint64(int64(int32(y)))
	case 1: // addr_space_cast: the address space to in the high half of the immediate
		switch {
		case m.c.arena == nil:
			return fmt.Errorf("a cast of an address space without an arena")
		case in.imm == 1: // from an arena to the kernel
			*d = y & 0xffffffff
		case in.imm == 1<<16: // to user space
			if *d = y & 0xffffffff; *d != 0 {
				*d |= arenaUser
			}
		default:
			return badOpcode(in)
		}
	default:
		return badOpcode(in)
	}
	return nil
}

// swap brings the low imm bits into another byte order, or cuts them off.
func swap(d *uint64, in *insn, reverse bool) error {
	switch in.imm {
	case 16:
		if *d = uint64(uint16(*d)); reverse {
			*d = uint64(bits.ReverseBytes16(uint16(*d)))
		}
	case 32:
		if *d = uint64(uint32(*d)); reverse {
			*d = uint64(bits.ReverseBytes32(uint32(*d)))
		}
	case 64:
		if reverse {
			*d = bits.ReverseBytes64(*d)
		}
	default:
		return badOpcode(in)
	}
	return nil
}

func (m *machine) alu32(in *insn) error {
	d := &m.regs[in.dst]
	x, y := uint32(*d), uint32(m.second(in))
	signed := in.off == 1
	if in.off != 0 && in.op&0xf0 != aluMOV && !(signed && (in.op&0xf0 == aluDIV || in.op&0xf0 == aluMOD)) {
		return badOpcode(in)
	}
	switch in.op & 0xf0 {
	case aluADD:
		x += y
	case aluSUB:
		x -= y
	case aluMUL:
		x *= y
	case aluDIV:
		switch {
		case y == 0:
			x = 0
		case signed && y == ^uint32(0):
			x = -x
		case signed:
			x = uint32(int32(x) / int32(y))
		default:
			x /= y
		}
	case aluMOD:
		switch {
		case y == 0:
		case signed && y == ^uint32(0):
			x = 0
		case signed:
			x = uint32(int32(x) % int32(y))
		default:
			x %= y
		}
	case aluOR:
		x |= y
	case aluAND:
		x &= y
	case aluXOR:
		x ^= y
	case aluLSH:
		x <<= y & 31
	case aluRSH:
		x >>= y & 31
	case aluARS:
		x = uint32(int32(x) >> (y & 31))
	case aluNEG:
		x = -x
	case aluMOV:
		switch {
		case in.off == 0:
			x = y
		case in.off == 8 && in.op&srcX != 0:
			x = uint32(int32(int8(y)))
		case in.off == 16 && in.op&srcX != 0:
			x = uint32(int32(int16(y)))
		default:
			return badOpcode(in)
		}
	case aluEND: // to little endian, to big endian where the source bit is set
		return swap(d, in, (in.op&srcX != 0) != m.c.big)
	default:
		return badOpcode(in)
	}
	*d = uint64(x)
	return nil
}

// condition says whether a conditional jump is taken.
func (m *machine) condition(in *insn) (bool, error) {
	x, y := m.regs[in.dst], m.second(in)
	if in.op&7 == classJMP32 {
		// Both signs extended keep the order of both kinds of 32-bit comparisons.
		x, y = uint64(int64(int32(x))), uint64(int64(int32(y)))
	}
	switch in.op & 0xf0 {
	case jmpEQ:
		return x == y, nil
	case jmpNE:
		return x != y, nil
	case jmpGT:
		return x > y, nil
	case jmpGE:
		return x >= y, nil
	case jmpLT:
		return x < y, nil
	case jmpLE:
		return x <= y, nil
	case jmpSET:
		return x&y != 0, nil
	case jmpSGT:
		return int64(x) > int64(y), nil
	case jmpSGE:
		return int64(x) >= int64(y), nil
	case jmpSLT:
		return int64(x) < int64(y), nil
	case jmpSLE:
		return int64(x) <= int64(y), nil
	}
	return false, badOpcode(in)
}

// memory is a load or store.
func (m *machine) memory(in *insn) error {
	size := in.size()
	switch in.op & 0xe0 {
	case modeMEM:
		if in.op&7 == classLDX {
			v, err := m.load(m.regs[in.src]+uint64(int64(in.off)), size)
			if err == nil {
				m.regs[in.dst] = v
			}
			return err
		}
		v := uint64(int64(in.imm))
		if in.op&7 == classSTX {
			v = m.regs[in.src]
		}
		return m.store(m.regs[in.dst]+uint64(int64(in.off)), size, v)
	case modeMEMSX:
		if in.op&7 != classLDX || size == 8 {
			return badOpcode(in)
		}
		v, err := m.load(m.regs[in.src]+uint64(int64(in.off)), size)
		if err == nil {
			sh := 64 - 8*size
			m.regs[in.dst] = uint64(int64(v<<sh) >> sh)
		}
		return err
	case modeATOMIC:
		if in.op&7 != classSTX {
			return badOpcode(in)
		}
		return m.atomic(in, size)
	}
	return badOpcode(in)
}

func (m *machine) atomic(in *insn, size int) error {
	if in.imm == atomicLoadAcq {
		addr := m.regs[in.src] + uint64(int64(in.off))
		if addr%uint64(size) != 0 {
			return fmt.Errorf("atomic load at an address that is not aligned")
		}
		v, err := m.load(addr, size)
		if err == nil {
			m.regs[in.dst] = v
		}
		return err
	}
	addr := m.regs[in.dst] + uint64(int64(in.off))
	if addr%uint64(size) != 0 {
		return fmt.Errorf("atomic access at an address that is not aligned")
	}
	if in.imm == atomicStoreRel {
		return m.store(addr, size, m.regs[in.src])
	}
	if size < 4 {
		return badOpcode(in)
	}
	old, err := m.load(addr, size)
	if err != nil {
		return err
	}
	v := m.regs[in.src]
	cut := func(x uint64) uint64 {
		if size == 4 {
			return uint64(uint32(x))
		}
		return x
	}
	next := old
	switch in.imm &^ atomicFetch {
	case aluADD:
		next = old + v
	case aluOR:
		next = old | v
	case aluAND:
		next = old & v
	case aluXOR:
		next = old ^ v
	case atomicXchg &^ atomicFetch:
		next = v
	case atomicCmpXchg &^ atomicFetch:
		if old == cut(m.regs[0]) {
			next = v
		}
	default:
		return badOpcode(in)
	}
	if err := m.store(addr, size, next); err != nil {
		return err
	}
	switch {
	case in.imm == atomicCmpXchg:
		m.regs[0] = old
	case in.imm&atomicFetch != 0:
		m.regs[in.src] = old
	case in.imm >= atomicXchg&^atomicFetch:
		return badOpcode(in)
	}
	return nil
}

// call is a call instruction; next is where execution goes on.
func (m *machine) call(in *insn, next int) (int, error) {
	switch in.src {
	case pseudoCall:
		if err := m.enter(next); err != nil {
			return 0, err
		}
		return next + int(in.imm), nil
	case pseudoKfunc:
		k := m.c.kfuncs[in.wide]
		f := m.c.kfunc(k)
		if f == nil {
			return 0, fmt.Errorf("kernel function %s is not there", k)
		}
		return next, m.outside(Call{Name: k, Kfunc: true}, f)
	case 0:
		if in.imm == helperTailCall {
			return m.tailCall(next)
		}
		name, f := m.c.helper(in.imm)
		if f == nil {
			return 0, fmt.Errorf("%s is not there", name)
		}
		return next, m.outside(Call{Name: name}, f)
	}
	return 0, badOpcode(in)
}

// outside calls what is not of the program.
func (m *machine) outside(c Call, f Func) error {
	c.m, c.Args = m, [5]uint64(m.regs[1:6])
	r0, err := f(&c)
	if err != nil {
		if f, ok := err.(*Fault); ok {
			return f
		}
		if err == ErrSteps || err == errPacketEnd {
			return err
		}
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	if trace := m.c.opts.Trace; trace != nil {
		trace(&c, r0)
	}
	m.clobber()
	m.regs[0] = r0
	return nil
}

// tailCall replaces the program by another one of a map; what fails goes on.
func (m *machine) tailCall(next int) (int, error) {
	t := m.c.mapAt(m.regs[2])
	if t == nil {
		return 0, fmt.Errorf("bpf_tail_call: the second argument is no map")
	}
	index := uint32(m.regs[3])
	if p := t.program(index); p != nil && m.tail < maxTail {
		m.tail++
		return p.entry, nil
	}
	m.clobber()
	m.regs[0] = uint64(^uint64(0) - 21) // -EINVAL
	return next, nil
}

// loadPacket is a load of the packet's bytes as numbers of the network, from the context in r6.
func (m *machine) loadPacket(in *insn) (bool, error) {
	if m.packet == nil {
		return false, fmt.Errorf("a load from the packet, of which there is none")
	}
	off := int64(in.imm)
	if in.op&0xe0 == modeIND {
		off += int64(int32(m.regs[in.src]))
	}
	m.clobber()
	size := in.size()
	p := m.packet.bytes()
	if size == 8 || off < 0 || off+int64(size) > int64(len(p)) {
		return false, nil
	}
	var v uint64
	for _, b := range p[off : off+int64(size)] {
		v = v<<8 | uint64(b)
	}
	m.regs[0] = v
	return true, nil
}
