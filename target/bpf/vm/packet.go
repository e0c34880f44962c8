package vm

// contextKind is what a program's context is made of.
type contextKind uint8

const (
	contextRaw contextKind = iota
	contextXDP
	contextSKB    // a __sk_buff whose data begins with the Ethernet header
	contextSocket // one whose data begins behind it
)

const (
	headroom = 256 // XDP_PACKET_HEADROOM
	tailroom = 320
	etherLen = 14
)

// packet is the memory of a packet: room, data, room.
type packet struct {
	region     int
	buf        []byte
	meta       int // begin of what a program laid before the data
	start, end int
	link       int // bytes before start that are the link layer's
}

// bytes is the data.
func (p *packet) bytes() []byte { return p.buf[p.start:p.end] }

// all is the data with the link layer's header.
func (p *packet) all() []byte { return p.buf[p.start-p.link : p.end] }

// Offsets in struct __sk_buff of linux/bpf.h.
const (
	skbLen      = 0
	skbProtocol = 16
	skbIfindex  = 40
	skbData     = 76
	skbDataEnd  = 80
	skbDataMeta = 140
	skbWireLen  = 160
	skbSize     = 192
	xdpSize     = 24
)

// open makes the context and the packet of a run.
func (m *machine) open(p *Program) {
	c, in := m.c, m.in
	k := kind(p.Section)
	if in.Packet == nil {
		k = contextRaw
	}
	if k == contextRaw {
		m.ctx = c.newRegion(region{name: "the context", data: in.Context})
		return
	}
	pk := &packet{start: headroom, end: headroom + len(in.Packet), meta: headroom}
	pk.buf = make([]byte, pk.end+tailroom)
	copy(pk.buf[pk.start:], in.Packet)
	pk.region = c.newRegion(region{name: "the packet", data: pk.buf})
	m.packet = pk
	if k == contextSocket && len(in.Packet) >= etherLen {
		pk.start, pk.meta, pk.link = pk.start+etherLen, pk.start+etherLen, etherLen
	}
	size := skbSize
	if k == contextXDP {
		size = xdpSize
	}
	ctx := in.Context
	if len(ctx) < size {
		ctx = make([]byte, size)
		copy(ctx, in.Context)
		in.Context = ctx
		if k != contextXDP {
			c.order.PutUint32(ctx[skbIfindex:], 1)
			if len(in.Packet) >= etherLen {
				copy(ctx[skbProtocol:], in.Packet[12:14]) // in the network's order
				if c.big {
					copy(ctx[skbProtocol:], []byte{0, 0, in.Packet[12], in.Packet[13]})
				}
			}
		}
	}
	m.ctx = c.newRegion(region{name: "the context", data: ctx, aligned: true})
	m.setPointers(k == contextXDP)
	m.setLength()
}

// setPointers makes the context answer with pointers into the packet.
func (m *machine) setPointers(xdp bool) {
	pk := m.packet
	data, end, meta := skbData, skbDataEnd, skbDataMeta
	if xdp {
		data, end, meta = 0, 4, 8
	}
	m.c.regions[m.ctx].special = func(off, size int) (uint64, bool) {
		if size != 4 {
			return 0, false
		}
		switch off {
		case data:
			return addressOf(pk.region, pk.start), true
		case end:
			return addressOf(pk.region, pk.end), true
		case meta:
			return addressOf(pk.region, pk.meta), true
		}
		return 0, false
	}
	m.boundPacket()
}

// boundPacket leaves of the region's memory what the program may touch.
func (m *machine) boundPacket() {
	r := &m.c.regions[m.packet.region]
	r.data, r.low = m.packet.buf[:m.packet.end], m.packet.meta
}

// setLength puts the packet's length into a __sk_buff.
func (m *machine) setLength() {
	if b := m.c.regions[m.ctx].data; len(b) >= skbSize {
		n := uint32(m.packet.end - m.packet.start)
		m.c.order.PutUint32(b[skbLen:], n)
		m.c.order.PutUint32(b[skbWireLen:], n)
	}
}

// adjust moves the packet's begin and end; it reports whether there is room.
func (m *machine) adjust(head, tail int) bool {
	p := m.packet
	if p == nil {
		return false
	}
	start, end := p.start+head, p.end+tail
	if start < 40 || start > end-etherLen || end > len(p.buf) {
		return false
	}
	if tail > 0 {
		clear(p.buf[p.end:end])
	}
	if head != 0 {
		p.meta = start
	}
	p.start, p.end = start, end
	m.boundPacket()
	m.setLength()
	return true
}
