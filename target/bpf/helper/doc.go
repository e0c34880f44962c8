// Package helper names the functions that the Linux kernel gives to eBPF programs by number.
//
// The list is closed: kernels since 6.3 offer new functions as kfuncs, by name. It was made from the
// kernel's include/uapi/linux/bpf.h.
package helper

import "strconv"

// ID is the number of a helper, as a call instruction has it.
type ID int32

// String is the helper's name in C, such as bpf_map_lookup_elem.
func (id ID) String() string {
	if id > 0 && int(id) < len(names) {
		return "bpf_" + names[id]
	}
	return "helper " + strconv.Itoa(int(id))
}

// Find is the helper with a name in C, with or without bpf_; 0 when there is none.
func Find(name string) ID {
	if len(name) > 4 && name[:4] == "bpf_" {
		name = name[4:]
	}
	for i, n := range names {
		if n == name && n != "" {
			return ID(i)
		}
	}
	return 0
}
