// Package collection makes cilium/ebpf's CollectionSpec of what package bpf compiles, in memory:
//
//	spec, err := collection.Spec(module, nil)
//	coll, err := ebpf.NewCollection(spec)
//
// It is a Go module of its own, so that the compiler does not depend on a loader.
package collection

import (
	"bytes"

	"github.com/cilium/ebpf"

	"github.com/mirin-go/mirin/bpf"
	"github.com/mirin-go/mirin/ir"
)

// Spec compiles a module. The error of a function that cannot be compiled is a *bpf.Error.
func Spec(m *ir.Module, o *bpf.Options) (*ebpf.CollectionSpec, error) {
	obj, err := bpf.Compile(m, o)
	if err != nil {
		return nil, err
	}
	return ebpf.LoadCollectionSpecFromReader(bytes.NewReader(obj))
}

// SpecOf compiles a unit that was built.
func SpecOf(u *bpf.Unit, o *bpf.Options) (*ebpf.CollectionSpec, error) {
	obj, err := u.Compile(o)
	if err != nil {
		return nil, err
	}
	return ebpf.LoadCollectionSpecFromReader(bytes.NewReader(obj))
}
