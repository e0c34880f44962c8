package vm

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The commands, the program type and the flag of linux/bpf.h that these tests use.
const (
	bpfProgLoad     = 5
	bpfProgTestRun  = 10
	progTypeSyscall = 31
	flagSleepable   = 1 << 4
)

// kernel loads instructions as a program of type syscall and runs it over a context.
func kernel(code []byte, ctx []byte) (uint32, error) {
	license := []byte("GPL\x00")
	log := make([]byte, 1<<16)
	var load struct {
		typ, n               uint32
		insns, license       uint64
		logLevel, logSize    uint32
		log                  uint64
		version, flags       uint32
		name                 [16]byte
		ifindex, attach      uint32
		btf, funcSize        uint32
		funcs                uint64
		funcCount, lineSize  uint32
		lines                uint64
		lineCount, attachBTF uint32
		attachFD, core       uint32
		fds, coreRelos       uint64
		coreSize, pad        uint32
	}
	load.typ, load.n, load.flags = progTypeSyscall, uint32(len(code)/8), flagSleepable
	load.insns = uint64(uintptr(unsafe.Pointer(&code[0])))
	load.license = uint64(uintptr(unsafe.Pointer(&license[0])))
	load.logLevel, load.logSize, load.log = 1, uint32(len(log)), uint64(uintptr(unsafe.Pointer(&log[0])))
	fd, _, e := unix.Syscall(unix.SYS_BPF, bpfProgLoad, uintptr(unsafe.Pointer(&load)), unsafe.Sizeof(load))
	runtime.KeepAlive(code)
	runtime.KeepAlive(license)
	if e != 0 {
		if n := bytes.IndexByte(log, 0); n > 0 {
			return 0, fmt.Errorf("%w: %s", e, log[max(0, n-1500):n])
		}
		return 0, e
	}
	defer unix.Close(int(fd))
	var run struct {
		fd, retval, dataIn, dataOut uint32
		in, out                     uint64
		repeat, duration            uint32
		ctxIn, ctxOut               uint32
		ctx, ctxTo                  uint64
		flags, cpu, batch, pad      uint32
	}
	run.fd, run.ctxIn, run.ctx = uint32(fd), uint32(len(ctx)), uint64(uintptr(unsafe.Pointer(&ctx[0])))
	_, _, e = unix.Syscall(unix.SYS_BPF, bpfProgTestRun, uintptr(unsafe.Pointer(&run)), unsafe.Sizeof(run))
	runtime.KeepAlive(ctx)
	if e != 0 {
		return 0, e
	}
	return run.retval, nil
}

// needKernel skips where the kernel does not let us run programs.
func needKernel(t *testing.T) {
	exit := assemble(insn{op: classALU64 | aluMOV}, insn{op: classJMP | jmpEXIT})
	if _, err := kernel(exit, make([]byte, 8)); err != nil {
		t.Skipf("this kernel does not run eBPF programs for us: %v", err)
	}
}

func assemble(list ...insn) (b []byte) {
	for _, in := range list {
		b = append(b, in.op, in.dst|in.src<<4)
		b = binary.LittleEndian.AppendUint16(b, uint16(in.off))
		b = binary.LittleEndian.AppendUint32(b, uint32(in.imm))
		if in.op == modeIMM|3<<3 {
			b = append(b, 0, 0, 0, 0)
			b = binary.LittleEndian.AppendUint32(b, uint32(in.wide>>32))
		}
	}
	return b
}

// machineOf is a collection of one program.
func machineOf(t testing.TB, code []byte) *Program {
	c := &Collection{order: binary.LittleEndian, byName: map[string]*Map{}, regions: make([]region, 1)}
	l := loader{c: c}
	for b := code; len(b) > 0; b = b[8:] {
		in, err := l.decode(b)
		if err != nil {
			t.Fatal(err)
		}
		c.code = append(c.code, in)
	}
	for k := range c.code {
		if in := &c.code[k]; in.op == modeIMM|3<<3 {
			in.wide = uint64(uint32(in.imm)) | uint64(uint32(c.code[k+1].imm))<<32
		}
	}
	c.codeID = c.newRegion(region{name: "code"})
	n := len(c.code)
	c.sections = []codeSection{{"syscall", 0, n}}
	c.funcs = []function{{"f", 0, n}}
	c.programs = []*Program{{Name: "f", Section: "syscall", c: c, end: n}}
	return c.programs[0]
}

// Registers that hold numbers in generated programs; r6 is the context.
var scalars = [...]uint8{0, 1, 2, 3, 4, 5, 7, 8, 9}

const (
	ctxSize    = 512
	ctxResult  = 256 // where registers and stack go at the end
	stackWords = 8
)

// generate writes a program that the verifier accepts: numbers in registers, words of stack and
// context, jumps forward and a loop.
func generate(r *rand.Rand, size int) []byte {
	var code []insn
	emit := func(in insn) { code = append(code, in) }
	reg := func() uint8 { return scalars[r.IntN(len(scalars))] }
	imm := func() int32 {
		switch r.IntN(4) {
		case 0:
			return int32(r.IntN(256)) - 128
		case 1:
			return int32(1) << r.IntN(32)
		}
		return int32(r.Uint32())
	}
	emit(insn{op: classALU64 | aluMOV | srcX, dst: 6, src: 1})
	for k := range stackWords {
		emit(insn{op: classLDX | modeMEM | 3<<3, dst: 0, src: 6, off: int16(128 + 8*k)})
		emit(insn{op: classSTX | modeMEM | 3<<3, dst: 10, src: 0, off: int16(-8 - 8*k)})
	}
	for k, x := range scalars {
		emit(insn{op: classLDX | modeMEM | 3<<3, dst: x, src: 6, off: int16(8 * k)})
	}
	var body func(n int, loop bool)
	body = func(n int, loop bool) {
		for range n {
			switch k := r.IntN(24); {
			case k < 12:
				emit(arithmetic(r, reg, imm))
			case k < 15:
				size, mode := r.IntN(4), uint8(modeMEM)
				if size != 3 && r.IntN(3) == 0 {
					mode = modeMEMSX
				}
				base, off := stackOrContext(r, size, false)
				emit(insn{op: classLDX | mode | uint8(size)<<3, dst: reg(), src: base, off: off})
			case k < 18:
				size := r.IntN(4)
				base, off := stackOrContext(r, size, true)
				if r.IntN(3) == 0 {
					emit(insn{op: classST | modeMEM | uint8(size)<<3, dst: base, off: off, imm: imm()})
				} else {
					emit(insn{op: classSTX | modeMEM | uint8(size)<<3, dst: base, src: reg(), off: off})
				}
			case k < 20:
				in := atomicInsn(r, reg)
				emit(in)
				if in.imm == atomicCmpXchg && in.size() == 4 {
					// Where it exchanges, x86's instruction leaves the high half of r0; the kernel
					// (6.18) clears it on most ways through a program, not on all.
					emit(insn{op: classALU | aluMOV | srcX, dst: 0, src: 0})
				}
			case k == 20:
				emit(insn{op: modeIMM | 3<<3, dst: reg(), imm: imm(), wide: uint64(r.Uint32()) << 32})
			case loop:
			case k < 23: // a jump over some instructions
				long := r.IntN(4) == 0
				if long { // by a jump of 32 bits, that another one jumps over
					in := jump(r, reg, imm)
					in.off = 1
					emit(in)
				}
				at := len(code)
				if long {
					emit(insn{op: classJMP32 | jmpJA})
				} else {
					emit(jump(r, reg, imm))
				}
				body(1+r.IntN(4), true)
				over := slots(code[at+1:])
				if code[at].op == classJMP32|jmpJA {
					code[at].imm = int32(over)
				} else {
					code[at].off = int16(over)
				}
			}
		}
	}
	body(size/2, false)
	// r9 counts a loop; its body must leave it alone.
	emit(insn{op: classALU64 | aluMOV, dst: 9, imm: int32(1 + r.IntN(6))})
	begin := len(code)
	all := reg
	reg = func() uint8 { return scalars[r.IntN(len(scalars)-1)] }
	body(4, true)
	emit(insn{op: classALU64 | aluADD, dst: 9, imm: -1})
	emit(insn{op: classJMP | jmpNE, dst: 9, off: int16(-slots(code[begin:]) - 1)})
	reg = all
	body(size/2, false)
	for k, x := range scalars {
		emit(insn{op: classSTX | modeMEM | 3<<3, dst: 6, src: x, off: int16(ctxResult + 8*k)})
	}
	for k := range stackWords {
		emit(insn{op: classLDX | modeMEM | 3<<3, dst: 0, src: 10, off: int16(-8 - 8*k)})
		emit(insn{op: classSTX | modeMEM | 3<<3, dst: 6, src: 0, off: int16(ctxResult + 128 + 8*k)})
	}
	emit(insn{op: classALU64 | aluMOV | srcX, dst: 0, src: 7})
	emit(insn{op: classJMP | jmpEXIT})
	return assemble(code...)
}

// slots is the number of slots of 8 bytes.
func slots(code []insn) (n int) {
	for _, in := range code {
		n++
		if in.op == modeIMM|3<<3 {
			n++
		}
	}
	return n
}

// stackOrContext is a place that holds an aligned value.
func stackOrContext(r *rand.Rand, size int, write bool) (uint8, int16) {
	bytes := [4]int{4, 2, 1, 8}[size]
	if r.IntN(3) == 0 {
		return 6, int16(r.IntN(ctxResult/bytes) * bytes)
	}
	return 10, int16(-8*stackWords + r.IntN(8*stackWords/bytes)*bytes)
}

func arithmetic(r *rand.Rand, reg func() uint8, imm func() int32) insn {
	class, width := uint8(classALU64), int32(64)
	if r.IntN(2) == 0 {
		class, width = classALU, 32
	}
	op := uint8(r.IntN(14)) << 4
	in := insn{op: class | op, dst: reg()}
	switch op {
	case aluNEG:
		return in
	case aluEND:
		in.imm = int32(16) << r.IntN(3)
		if class == classALU && r.IntN(2) == 0 {
			in.op |= srcX
		}
		return in
	}
	if r.IntN(2) == 0 {
		in.op |= srcX
		in.src = reg()
	} else {
		in.imm = imm()
		switch op {
		case aluLSH, aluRSH, aluARS:
			in.imm &= width - 1
		case aluDIV, aluMOD:
			if in.imm == 0 {
				in.imm = 7
			}
		}
	}
	switch op {
	case aluDIV, aluMOD:
		in.off = int16(r.IntN(2))
	case aluMOV:
		if in.op&srcX != 0 && r.IntN(2) == 0 {
			in.off = int16(8) << r.IntN(2+int(width)/64) // 8 and 16 bits, of 64-bit moves 32
		}
	}
	return in
}

func atomicInsn(r *rand.Rand, reg func() uint8) insn {
	size := []int{0, 3}[r.IntN(2)]
	in := insn{op: classSTX | modeATOMIC, dst: 10, src: reg()}
	switch r.IntN(8) {
	case 0:
		in.imm = atomicXchg
	case 1:
		in.imm = atomicCmpXchg
	case 2:
		size, in.imm = r.IntN(4), atomicStoreRel
	case 3:
		size, in.imm = r.IntN(4), atomicLoadAcq
		in.dst, in.src = in.src, in.dst
	default:
		in.imm = int32([]uint8{aluADD, aluAND, aluOR, aluXOR}[r.IntN(4)]) | int32(r.IntN(2))
	}
	bytes := [4]int{4, 2, 1, 8}[size]
	in.op |= uint8(size) << 3
	in.off = int16(-8*stackWords + r.IntN(8*stackWords/bytes)*bytes)
	return in
}

func jump(r *rand.Rand, reg func() uint8, imm func() int32) insn {
	if r.IntN(12) == 0 {
		return insn{op: classJMP | jmpJCOND}
	}
	in := insn{op: classJMP, dst: reg(), imm: imm()}
	if r.IntN(2) == 0 {
		in.op = classJMP32
	}
	in.op |= []uint8{jmpEQ, jmpGT, jmpGE, jmpSET, jmpNE, jmpSGT, jmpSGE, jmpLT, jmpLE, jmpSLT, jmpSLE}[r.IntN(11)]
	if r.IntN(2) == 0 {
		in.op |= srcX
		in.src, in.imm = reg(), 0
	}
	return in
}

// context is random numbers, many of them near the edges.
func context(r *rand.Rand) []byte {
	b := make([]byte, ctxSize)
	for k := 0; k < ctxResult; k += 8 {
		v := r.Uint64()
		switch r.IntN(4) {
		case 0:
			v = uint64(int64(int8(v)))
		case 1:
			v = uint64(1) << (v & 63)
		case 2:
			v = uint64(int64(int32(v)))
		}
		binary.LittleEndian.PutUint64(b[k:], v)
	}
	return b
}

var seeds = flag.Int("seeds", 200, "programs that TestKernel compares")

// TestKernel holds the machine to the kernel's: random programs leave the same.
func TestKernel(t *testing.T) {
	needKernel(t)
	rejected := 0
	count := *seeds
	for seed := range uint64(count) {
		r := rand.New(rand.NewPCG(seed, 22))
		code := generate(r, 24)
		ctx := context(r)
		theirs, ours := bytes.Clone(ctx), bytes.Clone(ctx)
		want, err := kernel(code, theirs)
		if err != nil {
			if rejected++; rejected > count/20 {
				t.Fatalf("seed %d: the verifier rejects too many programs: %v", seed, err)
			}
			continue
		}
		got, err := machineOf(t, code).Run(&Input{Context: ours})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		} else if uint32(got) != want || !bytes.Equal(ours, theirs) {
			t.Errorf("seed %d: the kernel returns %#x, we %#x", seed, want, uint32(got))
			for k := 0; k < ctxSize; k += 8 {
				if !bytes.Equal(ours[k:k+8], theirs[k:k+8]) {
					t.Logf("context+%d: kernel %x, we %x", k, theirs[k:k+8], ours[k:k+8])
				}
			}
		}
	}
	t.Logf("%d programs, %d of them not accepted by the verifier", count, rejected)
}
