package vm

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mirin-go/mirin/target/bpf/helper"
)

const helperTailCall = int32(helper.TailCall)

// helper is a helper by its number, with its name.
func (c *Collection) helper(n int32) (string, Func) {
	id := helper.ID(n)
	name := id.String()
	if f := c.opts.Funcs[name]; f != nil {
		return name, f
	}
	if f := builtin(id); f != nil {
		return name, f
	}
	return name, c.opts.Missing
}

// kfunc is a kernel function by its name.
func (c *Collection) kfunc(name string) Func {
	if f := c.opts.Funcs[name]; f != nil {
		return f
	}
	if f := kfuncs(name); f != nil {
		return f
	}
	return c.opts.Missing
}

// builtin is what this package does itself; nil for other helpers.
func builtin(id helper.ID) Func {
	switch id {
	case helper.MapLookupElem, helper.MapLookupPercpuElem:
		return mapLookup
	case helper.MapUpdateElem:
		return mapUpdate
	case helper.MapDeleteElem:
		return mapDelete
	case helper.MapPushElem:
		return mapPush
	case helper.MapPopElem:
		return mapPop
	case helper.MapPeekElem:
		return mapPeek
	case helper.ForEachMapElem:
		return forEach
	case helper.ProbeRead, helper.ProbeReadUser, helper.ProbeReadKernel, helper.CopyFromUser:
		return probeRead
	case helper.ProbeReadStr, helper.ProbeReadUserStr, helper.ProbeReadKernelStr:
		return probeReadStr
	case helper.KtimeGetNS, helper.KtimeGetBootNS, helper.KtimeGetCoarseNS, helper.KtimeGetTAINS:
		return clock
	case helper.Jiffies64:
		return func(c *Call) (uint64, error) { v, err := clock(c); return v / 4_000_000, err }
	case helper.GetPrandomU32:
		return prandom
	case helper.GetSmpProcessorID, helper.GetNUMANodeID, helper.GetCurrentUIDGID, helper.RingbufQuery, helper.SpinLock, helper.SpinUnlock:
		return constant(0)
	case helper.GetCurrentPIDTGID:
		return constant(1000<<32 | 1000)
	case helper.GetCurrentComm:
		return currentComm
	case helper.TracePrintk:
		return printk
	case helper.TraceVprintk:
		return vprintk
	case helper.Snprintf:
		return snprintf
	case helper.PerfEventOutput, helper.SKBOutput, helper.XDPOutput:
		return perfOutput
	case helper.RingbufOutput:
		return ringbufOutput
	case helper.RingbufReserve:
		return ringbufReserve
	case helper.RingbufSubmit:
		return ringbufSubmit
	case helper.RingbufDiscard:
		return ringbufDiscard
	case helper.Loop:
		return loop
	case helper.Strncmp:
		return strncmp
	case helper.ThisCPUPtr, helper.PerCPUPtr:
		return func(c *Call) (uint64, error) { return c.Args[0], nil }
	case helper.SKBLoadBytes:
		return skbLoadBytes
	case helper.SKBStoreBytes:
		return skbStoreBytes
	case helper.SKBPullData:
		return skbPullData
	case helper.SKBChangeTail:
		return skbChangeTail
	case helper.XDPAdjustHead:
		return xdpAdjustHead
	case helper.XDPAdjustTail:
		return xdpAdjustTail
	case helper.XDPAdjustMeta:
		return xdpAdjustMeta
	case helper.CsumDiff:
		return csumDiff
	case helper.L3CsumReplace:
		return l3csumReplace
	case helper.L4CsumReplace:
		return l4csumReplace
	case helper.Redirect:
		return redirect
	case helper.RedirectMap:
		return redirectMap
	case helper.SkStorageGet, helper.TaskStorageGet, helper.InodeStorageGet, helper.CgrpStorageGet:
		return storageGet
	case helper.SkStorageDelete, helper.TaskStorageDelete, helper.InodeStorageDelete, helper.CgrpStorageDelete:
		return storageDelete
	}
	return nil
}

func constant(v uint64) Func { return func(*Call) (uint64, error) { return v, nil } }

// mapArg is the map that argument 1 is.
func (c *Call) mapArg() (*Map, error) {
	m := c.Map(c.Args[0])
	if m == nil {
		return nil, fmt.Errorf("the first argument %#x is no map", c.Args[0])
	}
	return m, nil
}

// keyArg is the map of argument 1 and the key of argument 2.
func (c *Call) keyArg() (*Map, []byte, error) {
	m, err := c.mapArg()
	if err != nil {
		return nil, nil, err
	}
	key, err := c.Bytes(c.Args[1], int(m.KeySize))
	return m, key, err
}

func mapLookup(c *Call) (uint64, error) {
	m, key, err := c.keyArg()
	switch {
	case err != nil:
		return 0, err
	case m.Type == ArrayOfMaps || m.Type == HashOfMaps:
		if in := m.maps[string(key)]; in != nil {
			return in.handle, nil
		}
		return 0, nil
	}
	return m.find(key), nil
}

func mapUpdate(c *Call) (uint64, error) {
	m, key, err := c.keyArg()
	if err != nil {
		return 0, err
	}
	v, err := c.Bytes(c.Args[2], int(m.ValueSize))
	if err != nil {
		return 0, err
	}
	return m.update(key, v, c.Args[3]), nil
}

func mapDelete(c *Call) (uint64, error) {
	m, key, err := c.keyArg()
	if err != nil {
		return 0, err
	}
	return m.remove(key), nil
}

// mapPush, mapPop and mapPeek are of queues and stacks; a bloom filter remembers all it is given.
func mapPush(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	v, err := c.Bytes(c.Args[1], int(m.ValueSize))
	if err != nil {
		return 0, err
	}
	if len(m.queue) == int(m.MaxEntries) && m.Type != BloomFilter {
		if c.Args[2]&updateExist == 0 {
			return errno(e2BIG), nil
		}
		m.queue = m.queue[1:]
	}
	m.queue = append(m.queue, slices.Clone(v))
	return 0, nil
}

func mapPop(c *Call) (uint64, error) { return take(c, true) }

func mapPeek(c *Call) (uint64, error) { return take(c, false) }

func take(c *Call, remove bool) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	if m.Type == BloomFilter {
		v, err := c.Bytes(c.Args[1], int(m.ValueSize))
		if slices.ContainsFunc(m.queue, func(x []byte) bool { return bytes.Equal(x, v) }) {
			return 0, err
		}
		return errno(eNOENT), err
	}
	if len(m.queue) == 0 {
		return errno(eNOENT), c.Write(c.Args[1], make([]byte, m.ValueSize))
	}
	k := 0
	if m.Type == Stack {
		k = len(m.queue) - 1
	}
	v := m.queue[k]
	if remove {
		m.queue = slices.Delete(m.queue, k, k+1)
	}
	return 0, c.Write(c.Args[1], v)
}

// forEach calls a function for each element: map, key, value, context.
func forEach(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	var keys [][]byte
	m.Dump(func(key, _ []byte) { keys = append(keys, slices.Clone(key)) })
	n := uint64(0)
	for _, key := range keys {
		at := m.find(key)
		if at == 0 {
			continue
		}
		k := c.m.c.newRegion(region{name: "a key of map " + m.Name, data: key, readOnly: true})
		v, err := c.Callback(c.Args[1], m.handle, addressOf(k, 0), at, c.Args[2])
		c.m.c.release(k, true)
		if err != nil {
			return 0, err
		}
		if n++; v != 0 {
			break
		}
	}
	return n, nil
}

func loop(c *Call) (uint64, error) {
	n, fn, ctx := uint64(uint32(c.Args[0])), c.Args[1], c.Args[2]
	if n > mayGotoRuns {
		return errno(e2BIG), nil
	}
	for i := range n {
		v, err := c.Callback(fn, i, ctx)
		if err != nil {
			return 0, err
		}
		if v != 0 {
			return i + 1, nil
		}
	}
	return n, nil
}

func probeRead(c *Call) (uint64, error) {
	n := int(uint32(c.Args[1]))
	if n > 1<<24 {
		return 0, fmt.Errorf("%d bytes are too many", n)
	}
	b := make([]byte, n)
	ok := c.m.probe(c.Args[2], b)
	if err := c.Write(c.Args[0], b); err != nil || ok {
		return 0, err
	}
	return errno(eFAULT), nil
}

func probeReadStr(c *Call) (uint64, error) {
	n := int(uint32(c.Args[1]))
	if n == 0 {
		return 0, nil
	}
	var b []byte
	for k := 0; ; k++ {
		x, err := c.m.bytes(c.Args[2]+uint64(k), 1)
		if err != nil {
			return errno(eFAULT), c.Write(c.Args[0], make([]byte, n))
		}
		if x[0] == 0 || k == n-1 {
			b = append(b, 0)
			break
		}
		b = append(b, x[0])
	}
	return uint64(len(b)), c.Write(c.Args[0], b)
}

func clock(c *Call) (uint64, error) {
	if f := c.m.c.opts.Time; f != nil {
		return f(), nil
	}
	return 0, nil
}

// prandom is xorshift's next number where no source was given.
func prandom(c *Call) (uint64, error) {
	k := c.m.c
	if k.opts.Random != nil {
		return uint64(k.opts.Random()), nil
	}
	k.random ^= k.random << 13
	k.random ^= k.random >> 7
	k.random ^= k.random << 17
	return k.random >> 32, nil
}

func currentComm(c *Call) (uint64, error) {
	b := make([]byte, uint32(c.Args[1]))
	copy(b, "mirin")
	return 0, c.Write(c.Args[0], b)
}

// format is what the kernel's bstr_printf prints of the conversions that programs may use.
func (c *Call) format(f string, arg func(i int) (uint64, error)) (string, error) {
	var b strings.Builder
	for i := 0; f != ""; {
		k := strings.IndexByte(f, '%')
		if k < 0 {
			b.WriteString(f)
			break
		}
		b.WriteString(f[:k])
		n := k + 1
		for n < len(f) && strings.IndexByte("0123456789.-+ #*", f[n]) >= 0 {
			n++
		}
		flags := f[k:n]
		long := 0
		for n < len(f) && f[n] == 'l' {
			long, n = long+1, n+1
		}
		if n == len(f) {
			return "", fmt.Errorf("an unfinished conversion")
		}
		verb := f[n]
		f = f[n+1:]
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		v, err := arg(i)
		i++
		if err != nil {
			return "", err
		}
		if long == 0 && verb != 'p' && verb != 's' {
			v = uint64(uint32(v))
		}
		switch verb {
		case 'd', 'i':
			if long == 0 {
				v = uint64(int64(int32(v)))
			}
			fmt.Fprintf(&b, flags+"d", int64(v))
		case 'u':
			fmt.Fprintf(&b, flags+"d", v)
		case 'x', 'X', 'c':
			fmt.Fprintf(&b, flags+string(verb), v)
		case 'p':
			for len(f) > 0 && strings.IndexByte("kusxKUSBi46Ib", f[0]) >= 0 {
				f = f[1:]
			}
			fmt.Fprintf(&b, "%016x", v)
		case 's':
			s, err := c.m.cstring(v)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, flags+"s", s)
		default:
			return "", fmt.Errorf("conversion %%%c is not supported", verb)
		}
	}
	return b.String(), nil
}

func (c *Call) print(s string) {
	if f := c.m.c.opts.Printk; f != nil {
		f(s)
	}
}

func printk(c *Call) (uint64, error) {
	f, err := c.Bytes(c.Args[0], int(uint32(c.Args[1])))
	if err != nil {
		return 0, err
	}
	text, _, _ := strings.Cut(string(f), "\x00")
	s, err := c.format(text, func(i int) (uint64, error) {
		if i > 2 {
			return 0, fmt.Errorf("more than three arguments")
		}
		return c.Args[2+i], nil
	})
	c.print(s)
	return uint64(len(s)), err
}

// words are arguments that lie in memory, 8 bytes each.
func (c *Call) words(addr uint64, size uint32) func(i int) (uint64, error) {
	return func(i int) (uint64, error) {
		if i >= int(size/8) {
			return 0, fmt.Errorf("more conversions than arguments")
		}
		b, err := c.Bytes(addr+uint64(8*i), 8)
		if err != nil {
			return 0, err
		}
		return c.m.c.order.Uint64(b), nil
	}
}

func vprintk(c *Call) (uint64, error) {
	f, err := c.Bytes(c.Args[0], int(uint32(c.Args[1])))
	if err != nil {
		return 0, err
	}
	text, _, _ := strings.Cut(string(f), "\x00")
	s, err := c.format(text, c.words(c.Args[2], uint32(c.Args[3])))
	c.print(s)
	return uint64(len(s)), err
}

func snprintf(c *Call) (uint64, error) {
	f, err := c.m.cstring(c.Args[2])
	if err != nil {
		return 0, err
	}
	s, err := c.format(f, c.words(c.Args[3], uint32(c.Args[4])))
	if err != nil {
		return 0, err
	}
	out := append([]byte(s), 0)
	if n := int(uint32(c.Args[1])); n < len(out) && n > 0 {
		out = append(out[:n-1], 0)
	} else if n == 0 {
		out = nil
	}
	return uint64(len(s) + 1), c.Write(c.Args[0], out)
}

func (c *Call) output(m *Map, b []byte) {
	if f := c.m.c.opts.Output; f != nil {
		f(m, slices.Clone(b))
	}
}

func perfOutput(c *Call) (uint64, error) {
	m := c.Map(c.Args[1])
	if m == nil {
		return 0, fmt.Errorf("the second argument is no map")
	}
	b, err := c.Bytes(c.Args[3], int(uint32(c.Args[4])))
	if err == nil {
		c.output(m, b)
	}
	return 0, err
}

func ringbufOutput(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	b, err := c.Bytes(c.Args[1], int(uint32(c.Args[2])))
	if err == nil {
		c.output(m, b)
	}
	return 0, err
}

func ringbufReserve(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil || c.Args[1] > uint64(m.MaxEntries) {
		return 0, err
	}
	addr := addressOf(c.m.c.newRegion(region{name: "a record of ring buffer " + m.Name, data: make([]byte, c.Args[1])}), 0)
	c.m.reserved[addr] = m
	return addr, nil
}

func ringbufSubmit(c *Call) (uint64, error) { return c.finish(true) }

func ringbufDiscard(c *Call) (uint64, error) { return c.finish(false) }

// finish ends a record of a ring buffer.
func (c *Call) finish(submit bool) (uint64, error) {
	m := c.m.reserved[c.Args[0]]
	if m == nil {
		return 0, fmt.Errorf("%#x is no record that was reserved", c.Args[0])
	}
	delete(c.m.reserved, c.Args[0])
	id := int(c.Args[0] >> 32)
	if submit {
		c.output(m, c.m.c.regions[id].data)
	}
	c.m.c.release(id, true)
	return 0, nil
}

func strncmp(c *Call) (uint64, error) {
	x, err := c.Bytes(c.Args[0], int(uint32(c.Args[1])))
	if err != nil {
		return 0, err
	}
	for k := range x {
		y, err := c.Bytes(c.Args[2]+uint64(k), 1)
		if err != nil {
			return 0, err
		}
		if x[k] != y[0] {
			return uint64(int64(x[k]) - int64(y[0])), nil
		}
		if x[k] == 0 {
			break
		}
	}
	return 0, nil
}

func redirectMap(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	if m.elems[string(c.m.c.order.AppendUint32(nil, uint32(c.Args[1])))] == nil {
		return c.Args[2] & 3, nil
	}
	return 4, nil
}

// storageGet keeps a value for an object of the kernel's by its address.
func storageGet(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil || c.Args[1] == 0 {
		return 0, err
	}
	key := string(c.m.c.order.AppendUint64(nil, c.Args[1]))
	if e := m.elems[key]; e != nil {
		return addressOf(e.region, 0), nil
	}
	if c.Args[3]&1 == 0 { // BPF_LOCAL_STORAGE_GET_F_CREATE
		return 0, nil
	}
	v := make([]byte, m.ValueSize)
	if c.Args[2] != 0 {
		b, err := c.Bytes(c.Args[2], len(v))
		if err != nil {
			return 0, err
		}
		copy(v, b)
	}
	return addressOf(m.insert(key, v).region, 0), nil
}

func storageDelete(c *Call) (uint64, error) {
	m, err := c.mapArg()
	if err != nil {
		return 0, err
	}
	return m.remove(c.m.c.order.AppendUint64(nil, c.Args[1])), nil
}
