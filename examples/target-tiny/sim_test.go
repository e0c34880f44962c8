package tiny

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/mc"
)

// sim is the machine: it decodes with the decoder's table and executes.
type sim struct {
	t    *tableSet
	mem  []byte
	regs [16]uint32
	pc   uint32
	syms map[string]uint32
	st   *mc.Subtarget
	in   mc.Inst
}

// haltAddr is where the outermost function returns to.
const haltAddr = 0xfffffff0

// link puts an object's sections into memory and resolves its relocations.
func link(t *tableSet, obj *mc.Object) (*sim, error) {
	s := &sim{t: t, mem: make([]byte, 1<<20), syms: map[string]uint32{}, st: &mc.Subtarget{Info: t.info, Features: []uint64{0}}}
	at := uint32(0x10000)
	base := make([]uint32, len(obj.Sections))
	for k := range obj.Sections {
		sec := &obj.Sections[k]
		if sec.Flags&mc.FlagAlloc == 0 {
			continue
		}
		a := uint32(max(sec.Align, 4))
		at = (at + a - 1) &^ (a - 1)
		base[k] = at
		copy(s.mem[at:], sec.Data)
		at += uint32(max(sec.Size, uint64(len(sec.Data))))
	}
	value := func(n int32) (uint32, error) {
		y := &obj.Symbols[n]
		if y.Section < 0 {
			return 0, fmt.Errorf("symbol %s is not defined", y.Name)
		}
		return base[y.Section] + uint32(y.Value), nil
	}
	for n := range obj.Symbols {
		if y := &obj.Symbols[n]; y.Section >= 0 {
			s.syms[y.Name], _ = value(int32(n))
		}
	}
	for k := range obj.Sections {
		for _, r := range obj.Sections[k].Relocs {
			if obj.Sections[k].Flags&mc.FlagAlloc == 0 {
				continue
			}
			v, err := value(r.Symbol)
			if err != nil {
				return nil, err
			}
			place := base[k] + uint32(r.Offset)
			if err := s.relocate(place, r.Type, int64(v)+r.Addend); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// relocate applies one relocation.
func (s *sim) relocate(place, typ uint32, value int64) error {
	switch typ {
	case relocWord:
		return s.t.backend.Apply(s.mem[place:], mc.FixupData4, value)
	case relocDistance:
		return s.t.backend.Apply(s.mem[place:], mc.FixupData4, value-int64(place))
	}
	for k := range s.t.encoding.Fixups {
		f := &s.t.encoding.Fixups[k]
		if f.Reloc != typ {
			continue
		}
		if f.PCRel {
			value -= int64(place)
		}
		return s.t.backend.Apply(s.mem[place:], mc.FirstTargetFixup+mc.FixupKind(k), value)
	}
	return fmt.Errorf("unknown relocation %d", typ)
}

// call runs a function and gives its result, the second register in the upper half.
func (s *sim) call(name string, args ...uint32) (uint64, error) {
	addr, ok := s.syms[name]
	if !ok {
		return 0, fmt.Errorf("no function %s", name)
	}
	sp := uint32(len(s.mem)) - 64
	for k, a := range args {
		if k < 4 {
			s.regs[4+k] = a
		} else {
			binary.LittleEndian.PutUint32(s.mem[sp+uint32(4*(k-4)):], a)
		}
	}
	s.regs[1], s.regs[2], s.pc = haltAddr, sp, addr
	saved := s.regs
	for n := 0; s.pc != haltAddr; n++ {
		if n > 1_000_000 {
			return 0, fmt.Errorf("%s does not end", name)
		}
		if err := s.step(); err != nil {
			return 0, err
		}
	}
	for _, r := range [...]int{2, 12, 13, 14, 15} {
		if s.regs[r] != saved[r] {
			return 0, fmt.Errorf("%s does not preserve r%d", name, r)
		}
	}
	return uint64(s.regs[4]) | uint64(s.regs[5])<<32, nil
}

// step executes one instruction.
func (s *sim) step() error {
	if int(s.pc)+4 > len(s.mem) {
		return fmt.Errorf("pc %#x is outside of memory", s.pc)
	}
	if _, ok := s.t.decoder.Decode("", s.st, s.mem[s.pc:s.pc+4], uint64(s.pc), &s.in); ok == 0 {
		return fmt.Errorf("no instruction at %#x: % x", s.pc, s.mem[s.pc:s.pc+4])
	}
	next := s.pc + 4
	reg := func(k int) uint32 { return s.regs[s.t.info.Regs[s.in.Ops[k].Reg()].Encoding] }
	set := func(v uint32) { s.regs[s.t.info.Regs[s.in.Ops[0].Reg()].Encoding] = v }
	imm := func(k int) uint32 { return uint32(s.in.Ops[k].Imm()) }
	name := s.t.info.OpcodeName(s.in.Op)
	mem := func(size uint32) ([]byte, error) {
		a := reg(1) + imm(2)
		if int64(a)+int64(size) > int64(len(s.mem)) || a < 0x10000 {
			return nil, fmt.Errorf("%s at %#x: address %#x", name, s.pc, a)
		}
		return s.mem[a : a+size], nil
	}
	switch name {
	case "LW", "LH", "LHU", "LB", "LBU", "SW", "SH", "SB":
		size := map[byte]uint32{'W': 4, 'H': 2, 'B': 1}[name[1]]
		m, err := mem(size)
		if err != nil {
			return err
		}
		if name[0] == 'S' {
			for k := range m {
				m[k] = byte(reg(0) >> (8 * k))
			}
			break
		}
		v := uint32(0)
		for k, c := range m {
			v |= uint32(c) << (8 * k)
		}
		if up := 32 - 8*size; len(name) == 2 {
			v = uint32(int32(v<<up) >> up)
		}
		set(v)
	case "BEQ", "BNE", "BLT", "BGE", "BLTU", "BGEU":
		a, b := reg(0), reg(1)
		if map[string]bool{"BEQ": a == b, "BNE": a != b, "BLT": int32(a) < int32(b), "BGE": int32(a) >= int32(b), "BLTU": a < b, "BGEU": a >= b}[name] {
			next = s.pc + imm(2)
		}
	case "J":
		next = s.pc + imm(0)
	case "CALL":
		s.regs[1], next = next, s.pc+imm(0)
	case "CALLR":
		t := reg(0)
		s.regs[1], next = next, t
	case "JR":
		next = reg(0)
	case "RET":
		next = s.regs[1]
	case "LUI":
		set(imm(1) << 14)
	case "CMOV":
		if reg(3) != 0 {
			set(reg(2))
		}
	default:
		var b uint32
		if s.in.Ops[2].IsReg() {
			b = reg(2)
		} else {
			b = imm(2)
		}
		v, err := alu(name, reg(1), b)
		if err != nil {
			return fmt.Errorf("%w at %#x", err, s.pc)
		}
		set(v)
	}
	s.regs[0], s.pc = 0, next
	return nil
}

// alu computes what an instruction with a register or number at the end does.
func alu(name string, a, b uint32) (uint32, error) {
	truth := func(x bool) uint32 {
		if x {
			return 1
		}
		return 0
	}
	switch name {
	case "ADD", "ADDI":
		return a + b, nil
	case "SUB":
		return a - b, nil
	case "MUL":
		return a * b, nil
	case "MULHU":
		hi, _ := bits.Mul32(a, b)
		return hi, nil
	case "AND", "ANDI":
		return a & b, nil
	case "OR", "ORI":
		return a | b, nil
	case "XOR", "XORI":
		return a ^ b, nil
	case "SHL", "SHLI":
		return a << (b & 31), nil
	case "SHR", "SHRI":
		return a >> (b & 31), nil
	case "SAR", "SARI":
		return uint32(int32(a) >> (b & 31)), nil
	case "SLT", "SLTI":
		return truth(int32(a) < int32(b)), nil
	case "SLTU", "SLTUI":
		return truth(a < b), nil
	case "DIV", "DIVU", "REM", "REMU":
		if b == 0 {
			return 0, fmt.Errorf("division by zero")
		}
		return map[string]uint32{"DIV": uint32(int32(a) / int32(b)), "DIVU": a / b, "REM": uint32(int32(a) % int32(b)), "REMU": a % b}[name], nil
	}
	return 0, fmt.Errorf("the simulator does not know %s", name)
}

var _ = desc.NoClass
