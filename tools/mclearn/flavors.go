package main

// flavor is a file format of a target: the subtarget through which it is asked
// and those of its modes, in the order of target.modes.
type flavor struct {
	name  string
	view  view
	modes []view
}

// flavors are the file formats of each target.
var flavors = map[string][]flavor{
	"RISCV": {
		{"riscv64", view{"riscv64-unknown-linux-gnu", "", "+relax", -1}, nil},
		{"riscv32", view{"riscv32-unknown-linux-gnu", "", "+relax", -1}, nil},
	},
	"BPF": {
		{"bpfel", view{"bpfel-unknown-none", "v4", "", -1}, nil},
		{"bpfeb", view{"bpfeb-unknown-none", "v4", "", -1}, nil},
	},
	"AArch64": {
		{"aarch64", view{"aarch64-unknown-linux-gnu", "", "+all", -1}, nil},
		{"aarch64_be", view{"aarch64_be-unknown-linux-gnu", "", "+all", -1}, nil},
		{"aarch64_ilp32", view{"aarch64-unknown-linux-gnu_ilp32", "", "+all", -1}, nil},
	},
	"PowerPC": {
		{"powerpc64", view{"powerpc64-unknown-linux-gnu", "future", "", -1}, nil},
		{"powerpc64le", view{"powerpc64le-unknown-linux-gnu", "future", "", -1}, nil},
		{"powerpc", view{"powerpc-unknown-linux-gnu", "", "+spe", -1}, nil},
		{"powerpcle", view{"powerpcle-unknown-linux-gnu", "", "+spe", -1}, nil},
	},
	"Mips": {
		mipsFlavor("mips", "mips-unknown-linux-gnu"),
		mipsFlavor("mipsel", "mipsel-unknown-linux-gnu"),
		mipsFlavor("mips64", "mips64-unknown-linux-gnuabi64"),
		mipsFlavor("mips64el", "mips64el-unknown-linux-gnuabi64"),
		mipsFlavor("mipsn32", "mips64-unknown-linux-gnuabin32"),
		mipsFlavor("mipsn32el", "mips64el-unknown-linux-gnuabin32"),
	},
	"LoongArch": {
		{"loongarch64", view{"loongarch64-unknown-linux-gnu", "", "+relax", -1}, nil},
		{"loongarch32", view{"loongarch32-unknown-linux-gnu", "", "+relax", -1}, nil},
	},
	"SystemZ": {{"s390x", view{"s390x-unknown-linux-gnu", "z17", "", -1}, nil}},
	"Sparc": {
		{"sparcv9", view{"sparcv9-unknown-linux-gnu", "", "", -1}, nil},
		{"sparc", view{"sparc-unknown-linux-gnu", "", "", -1}, nil},
		{"sparcel", view{"sparcel-unknown-linux-gnu", "", "", -1}, nil},
	},
	"ARM": {
		{"arm", view{"armv8.6a-unknown-linux-gnueabihf", "", "", -1}, []view{{"thumbv8.6a-unknown-linux-gnueabihf", "", "", -1}}},
		{"armeb", view{"armebv7a-unknown-linux-gnueabihf", "", "", -1}, []view{{"thumbebv7a-unknown-linux-gnueabihf", "", "", -1}}},
	},
	"AVR":    {{"avr", view{"avr-unknown-unknown", "atxmega384c3", "", -1}, nil}},
	"Lanai":  {{"lanai", view{"lanai-unknown-unknown", "", "", -1}, nil}},
	"M68k":   {{"m68k", view{"m68k-unknown-linux-gnu", "M68060", "", -1}, nil}},
	"MSP430": {{"msp430", view{"msp430-unknown-elf", "msp430x", "", -1}, nil}},
	"VE":     {{"ve", view{"ve-unknown-linux-gnu", "", "+vpu", -1}, nil}},
	"Xtensa": {{"xtensa", view{"xtensa-unknown-unknown", "", "+*", -1}, nil}},
}

func mipsFlavor(name, triple string) flavor {
	return flavor{name, view{triple, "mips64r6", "", -1}, []view{{triple, "mips64r6", "+micromips", -1}}}
}

// nopFeatures are the features that other nops come with; the nops of what is named
// first win.
var nopFeatures = map[string][]string{"RISCV": {"c", "zca"}, "ARM": {"thumb2", "thumb-mode", "v6t2"}, "SystemZ": nil, "Xtensa": {"density"}, "Mips": {"micromips"}}

// nopsWithAll are the targets that have no nops without features.
var nopsWithAll = map[string]bool{"VE": true, "Xtensa": true}

// unmarked are the targets whose encoders know no symbols without specifiers.
var unmarked = map[string]bool{"VE": true}

// firstSpec are the targets of whose specifiers of one text the first is what text
// means, not the last: the others are what instructions make of it.
var firstSpec = map[string]bool{"Sparc": true}

// pseudoOp is an opcode without an encoding whose emitter makes a fixup: its registers,
// that many zeros, then a symbol with a specifier ("": one that text does not show).
type pseudoOp struct {
	op    string
	regs  []string
	zeros int
	spec  string
}

// pseudoOps are asked about for their kinds of fixups alone.
var pseudoOps = map[string][]pseudoOp{
	"RISCV": {{"PseudoCALL", nil, 0, ""}, {"PseudoAddTPRel", []string{"x10", "x10", "x4"}, 0, "%tprel_add(sym)"}, {"PseudoTLSDESCCall", []string{"x5", "x10"}, 1, "%tlsdesc_call(sym)"}},
}
