// Package vm runs eBPF objects without a kernel: for tests of programs, of compilers, and of what
// a kernel would refuse to load.
//
//	c, err := vm.Load(object, nil)
//	ret, err := c.Program("filter").Run(&vm.Input{Packet: packet})
//	n := c.Map("counts").Lookup(key)
//
// [Load] reads an ELF object as libbpf does: program sections, functions of .text, relocations,
// maps of .maps by their BTF, variables of .data, .rodata, .bss and .kconfig. A [Program] executes
// versions 1 to 4 of the instruction set, in the object's byte order (exec.go), over memory of
// regions (memory.go): every access is held to the bounds of the region that its pointer points
// into, and those that the kernel wants aligned (stack, context, atomics) to their alignment. What
// goes wrong is a [Fault] with function, instruction and source line.
//
// Helpers are those of helpers*.go; [Options] adds others, and says what lies in kernel memory,
// which kfuncs there are and what the clock shows. CO-RE relocations are left as the compiler
// wrote them: the kernel's types are those that the program was compiled with. There is one
// processor: per-CPU maps have one value.
package vm
