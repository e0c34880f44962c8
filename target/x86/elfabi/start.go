package elfabi

import "github.com/mirin-go/mirin/mc"

// startObject is the program's entry _start: it hands main, the arguments that
// the kernel left on the stack and the dynamic loader's end function to
// __libc_start_main. legacyInit says that the C library does not run the
// program's constructors itself (glibc before 2.34) and gets a function that does.
func startObject(legacyInit bool) *mc.Object {
	code := []byte{
		0x31, 0xed, // xor %ebp, %ebp: the outermost frame
		0x49, 0x89, 0xd1, // mov %rdx, %r9: rtld_fini
		0x5e,             // pop %rsi: argc
		0x48, 0x89, 0xe2, // mov %rsp, %rdx: argv
		0x48, 0x83, 0xe4, 0xf0, // and $-16, %rsp
		0x50,             // push %rax: keeps the alignment
		0x54,             // push %rsp: stack_end
		0x45, 0x31, 0xc0, // xor %r8d, %r8d: fini
	}
	b := builder{code: code}
	if legacyInit {
		b.ref([]byte{0x48, 0x8d, 0x0d}, rPC32, "__mirin_init") // lea init(%rip), %rcx
	} else {
		b.code = append(b.code, 0x31, 0xc9) // xor %ecx, %ecx: init
	}
	b.ref([]byte{0x48, 0x8d, 0x3d}, rPC32, "main")             // lea main(%rip), %rdi
	b.ref([]byte{0xff, 0x15}, rGOTPCRelX, "__libc_start_main") // call *…@GOTPCREL(%rip)
	b.code = append(b.code, 0xf4)                              // hlt: it does not return
	return b.object("_start", b.code)
}

// builtin makes the object that defines one of the functions which C libraries
// keep out of their shared objects, nil for other names.
func builtin(name string) *mc.Object {
	var b builder
	switch name {
	case "atexit": // __cxa_atexit(f, 0, 0)
		b.code = []byte{0x31, 0xf6, 0x31, 0xd2} // xor %esi, %esi; xor %edx, %edx
		b.ref([]byte{0xe9}, rPLT32, "__cxa_atexit")
	case "at_quick_exit": // __cxa_at_quick_exit(f, 0)
		b.code = []byte{0x31, 0xf6} // xor %esi, %esi
		b.ref([]byte{0xe9}, rPLT32, "__cxa_at_quick_exit")
	case "pthread_atfork": // __register_atfork(prepare, parent, child, 0)
		b.code = []byte{0x31, 0xc9} // xor %ecx, %ecx
		b.ref([]byte{0xe9}, rPLT32, "__register_atfork")
	case "__mirin_init": // calls the constructors with main's arguments
		b.code = []byte{
			0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, // push %rbx, %rbp, %r12, %r13, %r14
			0x41, 0x89, 0xfc, // mov %edi, %r12d
			0x49, 0x89, 0xf5, // mov %rsi, %r13
			0x49, 0x89, 0xd6, // mov %rdx, %r14
		}
		b.ref([]byte{0x48, 0x8d, 0x1d}, rPC32, "__init_array_start") // lea …(%rip), %rbx
		b.ref([]byte{0x48, 0x8d, 0x2d}, rPC32, "__init_array_end")   // lea …(%rip), %rbp
		b.code = append(b.code,
			0x48, 0x39, 0xeb, // next: cmp %rbp, %rbx
			0x74, 0x11, // je done
			0x44, 0x89, 0xe7, // mov %r12d, %edi
			0x4c, 0x89, 0xee, // mov %r13, %rsi
			0x4c, 0x89, 0xf2, // mov %r14, %rdx
			0xff, 0x13, // call *(%rbx)
			0x48, 0x83, 0xc3, 0x08, // add $8, %rbx
			0xeb, 0xea, // jmp next
			0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b, // done: pop %r14, %r13, %r12, %rbp, %rbx
			0xc3, // ret
		)
	default:
		return nil
	}
	return b.object(name, b.code)
}

// builder collects the code of one function and its references.
type builder struct {
	code   []byte
	syms   []mc.ObjSymbol
	relocs []mc.Reloc
}

// ref appends an instruction that ends in a displacement to a symbol. Symbol 0
// is the function itself.
func (b *builder) ref(inst []byte, typ uint32, name string) {
	b.code = append(b.code, inst...)
	b.relocs = append(b.relocs, mc.Reloc{Offset: uint64(len(b.code)), Addend: -4, Type: typ, Symbol: int32(len(b.syms) + 1)})
	b.syms = append(b.syms, mc.ObjSymbol{Name: name, Section: mc.SecUndefined, Binding: mc.BindGlobal})
	b.code = append(b.code, 0, 0, 0, 0)
}

func (b *builder) object(name string, code []byte) *mc.Object {
	f := mc.ObjSymbol{Name: name, Section: 0, Size: uint64(len(code)), Binding: mc.BindGlobal, Type: mc.TypeFunc, Vis: mc.VisHidden}
	return &mc.Object{
		Machine: machine,
		Sections: []mc.ObjSection{{Section: mc.Section{Name: ".text", Type: mc.SecProgBits, Flags: mc.FlagAlloc | mc.FlagExec},
			Data: code, Size: uint64(len(code)), Align: 16, Relocs: b.relocs, Link: -1}},
		Symbols: append([]mc.ObjSymbol{f}, b.syms...),
	}
}
