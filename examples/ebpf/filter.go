package main

import (
	"fmt"

	"github.com/cilium/ebpf"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/ir"
)

// What an XDP program may answer.
const (
	xdpDrop = 1
	xdpPass = 2
)

// filter lets TCP over IPv4 pass and drops the rest. Every read of the packet stands behind a
// comparison with its end, which is what the kernel's verifier asks for.
func filter() *bpf.Unit {
	u := bpf.NewUnit("filter", nil)
	u.License("GPL")
	md := bpf.Struct("xdp_md", bpf.Field{Name: "data", Type: bpf.U32}, bpf.Field{Name: "data_end", Type: bpf.U32})
	f := u.Program("xdp", "filter", bpf.I32, bpf.Param{Name: "ctx", Type: bpf.Pointer(md)})
	pointer := func(field string) ir.Value {
		return f.IntToPtr(f.ZExt(f.ContextField(md, f.Arg(0), field), ir.Int64), u.Module.Types.Pointer(0))
	}
	data, end := pointer("data"), pointer("data_end")
	whole, ipv4, pass, drop := f.Block("whole"), f.Block("ipv4"), f.Block("pass"), f.Block("drop")
	f.CondBr(f.ICmp(ir.ICmpUGT, f.Offset(data, 34), end), drop, whole)

	f.SetBlock(whole)
	f.Line()
	high, low := f.Load(ir.Int8, f.Offset(data, 12)), f.Load(ir.Int8, f.Offset(data, 13))
	isIPv4 := f.And(f.ICmp(ir.ICmpEQ, high, f.Int(ir.Int8, 8)), f.ICmp(ir.ICmpEQ, low, f.Int(ir.Int8, 0)))
	f.CondBr(isIPv4, ipv4, drop)

	f.SetBlock(ipv4)
	f.Line()
	f.CondBr(f.ICmp(ir.ICmpEQ, f.Load(ir.Int8, f.Offset(data, 23)), f.Int(ir.Int8, 6)), pass, drop)

	f.SetBlock(pass)
	f.Ret(f.Int(ir.Int32, xdpPass))
	f.SetBlock(drop)
	f.Ret(f.Int(ir.Int32, xdpDrop))
	return u
}

// packet is an Ethernet frame with an IPv4 header of a protocol.
func packet(protocol byte) []byte {
	b := make([]byte, 64)
	b[12], b[13] = 8, 0
	b[14] = 0x45
	b[23] = protocol
	return b
}

func runFilter(coll *ebpf.Collection) error {
	for _, p := range []struct {
		name     string
		protocol byte
	}{{"TCP", 6}, {"UDP", 17}, {"ICMP", 1}} {
		ret, _, err := coll.Programs["filter"].Test(packet(p.protocol))
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", p.name, map[uint32]string{xdpDrop: "dropped", xdpPass: "passed"}[ret])
	}
	return nil
}
