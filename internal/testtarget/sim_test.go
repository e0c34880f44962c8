package testtarget

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/object/elf"
)

// sim is the machine: it decodes with the decoder's table and executes.
type sim struct {
	t       *tableSet
	mem     []byte
	d       [16]uint32
	a       [8]uint32
	c       [4]bool
	lr, pc  uint32
	syms    map[string]uint32
	library map[uint32]string // addresses of functions that the simulator has
	st      *mc.Subtarget
	in      mc.Inst
	steps   int
	heap    uint32
	out     []byte
}

const (
	memSize  = 4 << 20
	haltAddr = 0xfffffff0 // where the outermost function returns to
	libAddr  = 0xffff0000 // where the library's functions begin
)

// library are the functions that legalization calls, and a few of C.
var library = []string{"memcpy", "memmove", "memset", "__divdi3", "__udivdi3", "__moddi3", "__umoddi3", "__muldi3",
	"printf", "puts", "putchar", "malloc", "free", "exit"}

// link writes the object as ELF, reads that, puts its sections into memory and
// resolves its relocations.
func link(t *tableSet, made *mc.Object) (*sim, error) {
	var b bytes.Buffer
	if err := elf.Write(&b, made); err != nil {
		return nil, err
	}
	obj, err := elf.Read(b.Bytes())
	if err != nil {
		return nil, err
	}
	s := &sim{t: t, mem: make([]byte, memSize), syms: map[string]uint32{}, library: map[uint32]string{},
		st: &mc.Subtarget{Info: t.info, Features: []uint64{0}}}
	for k, name := range library {
		s.library[libAddr+uint32(4*k)] = name
	}
	// Code far from zero, with bit 15 of addresses set in places: halves of addresses must carry.
	at := uint32(0x1f000)
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
			for a, name := range s.library {
				if name == y.Name {
					return a, nil
				}
			}
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

// relocate applies one relocation, by the machine's manual and not by its tables.
func (s *sim) relocate(place, typ uint32, value int64) error {
	be, dist := binary.BigEndian, value-int64(place)
	field := func(bits uint, v int64) error {
		w := be.Uint32(s.mem[place:])
		if v>>(bits-1) != 0 && v>>(bits-1) != -1 {
			return fmt.Errorf("distance %d at %#x is out of range", dist, place)
		}
		be.PutUint32(s.mem[place:], w&^(1<<bits-1)|uint32(v)&(1<<bits-1))
		return nil
	}
	switch typ {
	case 1:
		return field(16, dist/4)
	case 2:
		if value >= libAddr {
			dist = int64(int32(uint32(dist))) // code wraps
			value &= 0xffffffff
			dist = value - 1<<32 - int64(place)
		}
		return field(24, dist/4)
	case 3:
		be.PutUint16(s.mem[place+2:], uint16((value+0x8000)>>16))
	case 4:
		be.PutUint16(s.mem[place+2:], uint16(value))
	case relocWord:
		be.PutUint32(s.mem[place:], uint32(value))
	case relocDistance:
		be.PutUint32(s.mem[place:], uint32(dist))
	default:
		return fmt.Errorf("unknown relocation %d", typ)
	}
	return nil
}

// call runs function f of a module, and gives its result, by the convention in the head of Big.td.
func (s *sim) call(m *ir.Module, f *ir.Global, args ...uint64) (uint64, error) {
	addr, ok := s.syms[f.Name]
	if !ok {
		return 0, fmt.Errorf("no function %s", f.Name)
	}
	sp := uint32(memSize - 256)
	for k := range s.d {
		s.d[k] = 0xdead0000 + uint32(k)
	}
	for k := range s.a {
		s.a[k] = 0xbeef0000 + uint32(k)
	}
	d, a, at := 0, 0, sp
	for k, ty := range m.Types.Subtypes(f.ValueType) {
		switch {
		case m.Types.Kind(ty) == ir.KindPointer:
			if a < 2 {
				s.a[a] = uint32(args[k])
				a++
				continue
			}
		case m.Types.IntBits(ty) > 32:
			if d += d & 1; d < 4 {
				s.d[d], s.d[d+1] = uint32(args[k]>>32), uint32(args[k])
				d += 2
				continue
			}
			at = (at + 7) &^ 7
			binary.BigEndian.PutUint64(s.mem[at:], args[k])
			at += 8
			continue
		case d < 4:
			s.d[d] = uint32(args[k])
			d++
			continue
		case m.Types.IntBits(ty) <= 8: // what is beside a byte in its slot is anything
			binary.BigEndian.PutUint32(s.mem[at:], 0xaaaaaa00|uint32(uint8(args[k])))
			at += 4
			continue
		}
		binary.BigEndian.PutUint32(s.mem[at:], uint32(args[k]))
		at += 4
	}
	s.lr, s.a[7], s.pc = haltAddr, sp, addr
	savedD, savedA := s.d, s.a
	for s.steps = 0; s.pc != haltAddr; s.steps++ {
		if s.steps > 20_000_000 {
			return 0, fmt.Errorf("%s does not end", f.Name)
		}
		if err := s.step(); err != nil {
			return 0, err
		}
	}
	if [7]uint32(s.d[8:15]) != [7]uint32(savedD[8:15]) {
		return 0, fmt.Errorf("%s does not preserve the data registers: %x, were %x", f.Name, s.d, savedD)
	}
	for _, r := range [...]int{2, 3, 4, 6, 7} {
		if s.a[r] != savedA[r] {
			return 0, fmt.Errorf("%s does not preserve a%d: %#x, was %#x", f.Name, r, s.a[r], savedA[r])
		}
	}
	switch ret := m.Types.Result(f.ValueType); {
	case ret == ir.Void:
		return 0, nil
	case m.Types.Kind(ret) == ir.KindPointer:
		return uint64(s.a[0]), nil
	case m.Types.IntBits(ret) > 32:
		return uint64(s.d[0])<<32 | uint64(s.d[1]), nil
	}
	return uint64(s.d[0]), nil
}

// at gives size bytes of memory.
func (s *sim) at(a, size uint32) ([]byte, error) {
	if int64(a)+int64(size) > memSize || a < 0x10000 {
		return nil, fmt.Errorf("at %#x: address %#x", s.pc, a)
	}
	return s.mem[a : a+size], nil
}

// runLibrary does what a function of the library does.
func (s *sim) runLibrary(name string) error {
	x, y := uint64(s.d[0])<<32|uint64(s.d[1]), uint64(s.d[2])<<32|uint64(s.d[3])
	s.pc = s.lr
	switch name {
	case "printf":
		s.printf()
		return nil
	case "puts":
		s.out = append(append(s.out, s.text(s.a[0])...), '\n')
		return nil
	case "putchar":
		s.out = append(s.out, byte(s.d[0]))
		return nil
	case "malloc":
		s.heap += uint32(x+7) &^ 7
		s.a[0] = memSize/2 + s.heap - uint32(x+7)&^7
		return nil
	case "free":
		return nil
	case "exit":
		s.pc = haltAddr
		return nil
	case "memcpy", "memmove":
		dst, err := s.at(s.a[0], s.d[0])
		src, err2 := s.at(s.a[1], s.d[0])
		if err != nil || err2 != nil {
			return fmt.Errorf("%s: %v %v", name, err, err2)
		}
		copy(dst, src)
		return nil
	case "memset":
		dst, err := s.at(s.a[0], s.d[1])
		for k := range dst {
			dst[k] = byte(s.d[0])
		}
		return err
	case "__muldi3":
		x *= y
	case "__divdi3", "__moddi3", "__udivdi3", "__umoddi3":
		if y == 0 {
			return fmt.Errorf("division by zero")
		}
		x = map[string]uint64{"__divdi3": uint64(int64(x) / int64(y)), "__moddi3": uint64(int64(x) % int64(y)), "__udivdi3": x / y, "__umoddi3": x % y}[name]
	}
	s.d[0], s.d[1] = uint32(x>>32), uint32(x)
	return nil
}

// text is the string at an address.
func (s *sim) text(a uint32) []byte {
	b := s.mem[a:]
	return b[:bytes.IndexByte(b, 0)]
}

// printf prints numbers, characters and strings; its variable arguments are on the stack.
func (s *sim) printf() {
	at := s.a[7]
	next := func(size uint32) uint64 {
		at = (at + size - 1) &^ (size - 1)
		b := s.mem[at : at+size]
		at += size
		return mc.GetInt(b, true)
	}
	for f := s.text(s.a[0]); len(f) > 0; {
		n := bytes.IndexByte(f, '%')
		if n < 0 {
			s.out = append(s.out, f...)
			return
		}
		s.out, f = append(s.out, f[:n]...), f[n:]
		end := bytes.IndexAny(f[1:], "dicsuxXp%") + 2
		verb, long := string(f[:end]), bytes.IndexByte(f[:end], 'l') > 0
		verb = strings.ReplaceAll(verb, "l", "")
		f = f[end:]
		switch c := verb[len(verb)-1]; {
		case c == '%':
			s.out = append(s.out, '%')
		case c == 's':
			s.out = fmt.Appendf(s.out, verb, s.text(uint32(next(4))))
		case long && (c == 'd' || c == 'i'):
			s.out = fmt.Appendf(s.out, verb[:len(verb)-1]+"d", int64(next(8)))
		case long:
			s.out = fmt.Appendf(s.out, strings.ReplaceAll(verb, "u", "d"), next(8))
		case c == 'd' || c == 'i':
			s.out = fmt.Appendf(s.out, verb[:len(verb)-1]+"d", int32(next(4)))
		default:
			s.out = fmt.Appendf(s.out, strings.ReplaceAll(verb, "u", "d"), uint32(next(4)))
		}
	}
}

// step executes one instruction.
func (s *sim) step() error {
	if name, ok := s.library[s.pc]; ok {
		for k := range 4 { // of what a function may change, conditions first
			s.c[k] = !s.c[k]
		}
		return s.runLibrary(name)
	}
	if int64(s.pc)+4 > memSize {
		return fmt.Errorf("pc %#x is outside of memory", s.pc)
	}
	if _, ok := s.t.decoder.Decode("", s.st, s.mem[s.pc:s.pc+4], uint64(s.pc), &s.in); ok == 0 {
		return fmt.Errorf("no instruction at %#x: % x", s.pc, s.mem[s.pc:s.pc+4])
	}
	next := s.pc + 4
	num := func(k int) uint16 { return s.t.info.Regs[s.in.Ops[k].Reg()].Encoding }
	val := func(k int) uint32 {
		if o := s.in.Ops[k]; !o.IsReg() {
			return uint32(o.Imm())
		}
		return s.d[num(k)]
	}
	name := s.t.info.OpcodeName(s.in.Op)
	switch name {
	case "LW", "LH", "LHU", "LBU", "LWA", "LWC", "LWL", "SW", "SH", "SB", "SWA", "SWC", "SWL":
		size := map[byte]uint32{'W': 4, 'H': 2, 'B': 1}[name[1]]
		addr := s.a[num(1)] + val(2)
		m, err := s.at(addr, size)
		if err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if addr%size != 0 {
			return fmt.Errorf("%s at %#x: address %#x is not aligned", name, s.pc, addr)
		}
		v := uint32(0)
		switch name {
		case "SW", "SH", "SB":
			v = s.d[num(0)]
		case "SWA":
			v = s.a[num(0)]
		case "SWC":
			v = truth(s.c[num(0)])
		case "SWL":
			v = s.lr
		}
		if name[0] == 'S' {
			for k := range m {
				m[k] = byte(v >> (8 * (int(size) - 1 - k)))
			}
			break
		}
		for _, c := range m {
			v = v<<8 | uint32(c)
		}
		switch name {
		case "LH":
			s.d[num(0)] = uint32(int32(int16(v)))
		case "LWA":
			s.a[num(0)] = v
		case "LWC":
			s.c[num(0)] = v != 0
		case "LWL":
			s.lr = v
		default:
			s.d[num(0)] = v
		}
	case "BT", "BF":
		if s.c[num(0)] == (name == "BT") {
			next = s.pc + val(1)
		}
	case "J":
		next = s.pc + val(0)
	case "CALL":
		s.lr, next = next, s.pc+val(0)
	case "CALLR":
		t := s.a[num(0)]
		s.lr, next = next, t
	case "JR":
		next = s.a[num(0)]
	case "RET":
		next = s.lr
	case "MOV":
		s.d[num(0)] = s.d[num(1)]
	case "MOVA":
		s.a[num(0)] = s.a[num(1)]
	case "MOVC":
		s.c[num(0)] = s.c[num(1)]
	case "MOVDA":
		s.d[num(0)] = s.a[num(1)]
	case "MOVAD":
		s.a[num(0)] = s.d[num(1)]
	case "MOVDC":
		s.d[num(0)] = truth(s.c[num(1)])
	case "MOVNC":
		s.d[num(0)] = -truth(s.c[num(1)])
	case "MOVCD":
		s.c[num(0)] = s.d[num(1)]&1 != 0
	case "LI":
		s.d[num(0)] = val(1)
	case "LUI":
		s.d[num(0)] = val(1) << 16
	case "LUA":
		s.a[num(0)] = val(1) << 16
	case "ADDA", "ADDAI":
		s.a[num(0)] = s.a[num(1)] + val(2)
	case "BICAI":
		s.a[num(0)] = s.a[num(1)] &^ val(2)
	case "SEL":
		if s.c[num(1)] {
			s.d[num(0)] = s.d[num(2)]
		} else {
			s.d[num(0)] = s.d[num(3)]
		}
	case "CMPEQ", "CMPEQI":
		s.c[num(0)] = val(1) == val(2)
	case "CMPNE", "CMPNEI":
		s.c[num(0)] = val(1) != val(2)
	case "CMPLT", "CMPLTI":
		s.c[num(0)] = int32(val(1)) < int32(val(2))
	case "CMPGE", "CMPGEI":
		s.c[num(0)] = int32(val(1)) >= int32(val(2))
	case "CMPLTU":
		s.c[num(0)] = val(1) < val(2)
	case "CMPGEU":
		s.c[num(0)] = val(1) >= val(2)
	default:
		if len(s.in.Ops) < 3 {
			return fmt.Errorf("the simulator does not know %s", name)
		}
		v, err := alu(name, val(1), val(2))
		if err != nil {
			return fmt.Errorf("%w at %#x", err, s.pc)
		}
		s.d[num(0)] = v
	}
	s.pc = next
	return nil
}

func truth(x bool) uint32 {
	if x {
		return 1
	}
	return 0
}

// alu computes what an instruction with a register or number at the end does.
func alu(name string, a, b uint32) (uint32, error) {
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
	case "DIV", "DIVU":
		if b == 0 {
			return 0, fmt.Errorf("division by zero")
		}
		return map[string]uint32{"DIV": uint32(int32(a) / int32(b)), "DIVU": a / b}[name], nil
	}
	return 0, fmt.Errorf("the simulator does not know %s", name)
}
