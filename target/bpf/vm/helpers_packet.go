package vm

import "fmt"

// packetPart is n bytes at an offset of the packet; nil where it has fewer.
func (m *machine) packetPart(off, n uint64) []byte {
	if m.packet == nil {
		return nil
	}
	b := m.packet.bytes()
	if off > uint64(len(b)) || n > uint64(len(b))-off {
		return nil
	}
	return b[off : off+n]
}

func skbLoadBytes(c *Call) (uint64, error) {
	n := uint64(uint32(c.Args[3]))
	if b := c.m.packetPart(uint64(uint32(c.Args[1])), n); b != nil {
		return 0, c.Write(c.Args[2], b)
	}
	return errno(eFAULT), c.Write(c.Args[2], make([]byte, n))
}

func skbStoreBytes(c *Call) (uint64, error) {
	from, err := c.Bytes(c.Args[2], int(uint32(c.Args[3])))
	if err != nil {
		return 0, err
	}
	b := c.m.packetPart(uint64(uint32(c.Args[1])), uint64(len(from)))
	if b == nil {
		return errno(eFAULT), nil
	}
	copy(b, from)
	return 0, nil
}

func skbPullData(c *Call) (uint64, error) {
	if c.m.packetPart(0, uint64(uint32(c.Args[1]))) == nil && uint32(c.Args[1]) != 0 {
		return errno(eNOMEM), nil
	}
	return 0, nil
}

func skbChangeTail(c *Call) (uint64, error) {
	p := c.m.packet
	if p == nil || c.Args[2] != 0 || !c.m.adjust(0, int(uint32(c.Args[1]))-(p.end-p.start)) {
		return errno(eINVAL), nil
	}
	return 0, nil
}

func xdpAdjustHead(c *Call) (uint64, error) {
	if !c.m.adjust(int(int32(c.Args[1])), 0) {
		return errno(eINVAL), nil
	}
	return 0, nil
}

func xdpAdjustTail(c *Call) (uint64, error) {
	if !c.m.adjust(0, int(int32(c.Args[1]))) {
		return errno(eINVAL), nil
	}
	return 0, nil
}

// xdpAdjustMeta moves the begin of what lies before the packet: at most 32 bytes, of whole words.
func xdpAdjustMeta(c *Call) (uint64, error) {
	p := c.m.packet
	if p == nil {
		return errno(eINVAL), nil
	}
	meta := p.meta + int(int32(c.Args[1]))
	if n := p.start - meta; n < 0 || n > 32 || n%4 != 0 {
		return errno(eINVAL), nil
	}
	p.meta = meta
	c.m.boundPacket()
	return 0, nil
}

// sum is the ones' complement sum of words of the network, as the kernel's csum_partial: of numbers
// as they lie in memory.
func (c *Collection) sum(b []byte, seed uint64) uint64 {
	for k := 0; k+1 < len(b); k += 2 {
		seed += uint64(c.order.Uint16(b[k:]))
	}
	return fold32(seed)
}

func fold32(v uint64) uint64 {
	for v>>32 != 0 {
		v = v&0xffffffff + v>>32
	}
	return v
}

func fold16(v uint64) uint16 {
	for v>>16 != 0 {
		v = v&0xffff + v>>16
	}
	return uint16(v)
}

// csumDiff is the sum of what comes less what goes. The kernel adds words of 32 bits; since
// Linux 6.13 the result is folded to 16 bits.
func csumDiff(c *Call) (uint64, error) {
	from, to := uint32(c.Args[1]), uint32(c.Args[3])
	if from%4 != 0 || to%4 != 0 {
		return errno(eINVAL), nil
	}
	x, err := c.Bytes(c.Args[0], int(from))
	if err != nil {
		return 0, err
	}
	y, err := c.Bytes(c.Args[2], int(to))
	if err != nil {
		return 0, err
	}
	s := uint64(uint32(c.Args[4]))
	for k := 0; k+1 < len(x); k += 2 {
		s += uint64(^c.m.c.order.Uint16(x[k:]))
	}
	return uint64(fold16(c.m.c.sum(y, s))), nil
}

// replace changes a checksum at an offset of the packet for words that changed.
func (c *Call) replace(old, new uint64) (uint64, error) {
	off := uint64(uint32(c.Args[1]))
	b := c.m.packetPart(off, 2)
	if b == nil || off > 0xffff {
		return errno(eFAULT), nil
	}
	order := c.m.c.order
	s := uint64(^order.Uint16(b))
	switch size := c.Args[4] & 0xf; size {
	case 0:
		if old != 0 {
			return errno(eINVAL), nil
		}
		s += new & 0xffffffff
	case 2:
		s += uint64(^uint16(old)) + uint64(uint16(new))
	case 4:
		s += uint64(^uint32(old)) + uint64(uint32(new))
	default:
		return errno(eINVAL), nil
	}
	order.PutUint16(b, ^fold16(s))
	return 0, nil
}

func l3csumReplace(c *Call) (uint64, error) {
	if c.Args[4]&^0xf != 0 {
		return errno(eINVAL), nil
	}
	return c.replace(c.Args[2], c.Args[3])
}

// Flags of bpf_l4_csum_replace.
const (
	pseudoHeader = 1 << 4
	markMangled0 = 1 << 5
	markEnforce  = 1 << 6
)

func l4csumReplace(c *Call) (uint64, error) {
	flags := c.Args[4]
	if flags&^(0xf|pseudoHeader|markMangled0|markEnforce) != 0 {
		return errno(eINVAL), nil
	}
	b := c.m.packetPart(uint64(uint32(c.Args[1])), 2)
	if b == nil {
		return errno(eFAULT), nil
	}
	mangled := flags&markMangled0 != 0
	if mangled && flags&markEnforce == 0 && b[0] == 0 && b[1] == 0 {
		return 0, nil
	}
	r, err := c.replace(c.Args[2], c.Args[3])
	if err != nil {
		return 0, fmt.Errorf("checksum: %w", err)
	}
	if mangled && b[0] == 0 && b[1] == 0 {
		b[0], b[1] = 0xff, 0xff // CSUM_MANGLED_0
	}
	return r, nil
}

// redirect answers XDP_REDIRECT or TC_ACT_REDIRECT.
func redirect(c *Call) (uint64, error) {
	if c.m.packet != nil && len(c.m.c.regions[c.m.ctx].data) == xdpSize {
		return 4, nil
	}
	return 7, nil
}
