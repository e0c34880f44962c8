package main

import "strings"

// target is how a target is asked: through subtargets, the first of which that
// decodes an opcode to itself says what it is.
type target struct {
	file  string // zz_mc_<file>.bin
	views []view
	modes []mode
	// split is a feature with and without which an opcode may have other fields.
	split string
	// words says that the disassembler gives negative numbers as their low 32 bits.
	words bool
}

// syntax is what the assembler of a target is asked with.
type syntax struct {
	prologue string // lines before texts
	between  string // a line between texts, where one has to do with the next
	// strict is the prologue of an assembler that makes nothing shorter than it is
	// written, where it does so otherwise.
	strict string
	// needs stands before the names of what a subtarget lacks, and between them;
	// of targets that do not name it, needs is the message.
	needs, and string
	form       string   // of expressions with modifiers: "%", ":" or "@"
	kinds      []string // modifiers of symbols
	// bareRegs says that a number may be a register's name; always is the condition
	// that holds always, of targets whose instructions have one.
	bareRegs bool
	always   int64
	// spellings says that what is read and never printed is learned, too, mnemonics also
	// with one of ends.
	spellings bool
	ends      []string
	words     []string // mnemonics that no message proposes
	// addresses says that the parser reads addresses without bases by itself.
	addresses bool
	// grid are the subtargets that say what forms ask of features, where toggling these
	// one by one does not.
	grid func() []gridView
}

// expr writes a symbol with a modifier.
func (y *syntax) expr(kind string) string {
	switch {
	case kind == "":
		return "zz_q"
	case y.form == "%":
		return "%" + kind + "(zz_q)"
	case y.form == ":":
		return ":" + kind + ":zz_q"
	}
	return "zz_q@" + kind
}

// mode is a state of the machine in which opcodes of others are encoded otherwise.
type mode struct {
	name  string
	views []int // where it is on
}

// riscvStd are the standard extensions that may stand beside each other.
const riscvStd = "+*,-x*,-rv*,-zfinx,-zdinx,-zhinx*,-e,-zcmp,-zcmt,-zce,-zclsd,-zilsd*,-experimental-p,-experimental-x*,-experimental-rv*,-no-*,-reserve*,-exact-asm"

// syntaxes are the assembly languages by target.
var syntaxes = map[string]syntax{
	"RISCV":     {strict: ".option exact", needs: "instruction requires the following: ", and: ", ", form: "%", kinds: strings.Fields("lo hi pcrel_hi pcrel_lo got_pcrel_hi tprel_lo tprel_hi tprel_add tls_ie_pcrel_hi tls_gd_pcrel_hi tlsdesc_hi tlsdesc_load_lo tlsdesc_add_lo tlsdesc_call qc.abs20")},
	"AArch64":   {between: "nop", needs: "instruction requires: ", and: " ", form: ":", kinds: strings.Fields("lo12 abs_g3 abs_g2 abs_g2_s abs_g2_nc abs_g1 abs_g1_s abs_g1_nc abs_g0 abs_g0_s abs_g0_nc prel_g3 prel_g2 prel_g2_nc prel_g1 prel_g1_nc prel_g0 prel_g0_nc dtprel_g2 dtprel_g1 dtprel_g1_nc dtprel_g0 dtprel_g0_nc dtprel_lo12 dtprel_lo12_nc dtprel_hi12 tprel_g2 tprel_g1 tprel_g1_nc tprel_g0 tprel_g0_nc tprel_hi12 tprel_lo12 tprel_lo12_nc tlsdesc_lo12 tlsdesc_auth_lo12 pg_hi21 pg_hi21_nc secrel_lo12 secrel_hi12 got got_auth got_lo12 got_auth_lo12 gotpage_lo15 gottprel gottprel_lo12 gottprel_g1 gottprel_g0_nc tlsdesc tlsdesc_auth")},
	"ARM":       {always: 14, needs: "instruction requires: ", and: " ", form: ":", kinds: strings.Fields("lower16 upper16 lower0_7 lower8_15 upper0_7 upper8_15")},
	"PowerPC":   {spellings: true, ends: []string{".", "+", "-"}, words: []string{"cntlz", "cntlz."}, bareRegs: true, needs: "instruction use requires an option to be enabled", form: "@", kinds: strings.Fields("l h ha high higha higher highera highest highesta got got@l got@h got@ha got@pcrel got@tlsgd@pcrel got@tlsld@pcrel got@tprel@pcrel toc toc@l toc@h toc@ha pcrel tprel tprel@l tprel@h tprel@ha tprel@high tprel@higha tprel@higher tprel@highest dtprel dtprel@l dtprel@h dtprel@ha got@tprel got@tprel@l got@tprel@ha got@dtprel got@dtprel@l got@tlsgd got@tlsgd@l got@tlsgd@ha got@tlsld got@tlsld@l got@tlsld@ha tls tls@pcrel plt notoc local")},
	"Mips":      {grid: mipsGrid, prologue: ".set noreorder\n.set nomacro\n.set noat", needs: "instruction requires a CPU feature not currently enabled", form: "%", kinds: strings.Fields("lo hi gp_rel got call16 got_disp got_page got_ofst got_hi got_lo call_hi call_lo higher highest neg pcrel_hi pcrel_lo tlsgd tlsldm dtprel_hi dtprel_lo tprel_hi tprel_lo gottprel")},
	"LoongArch": {needs: "instruction requires the following: ", and: ", ", form: "%", kinds: strings.Fields("plt b16 b21 b26 abs_hi20 abs_lo12 abs64_lo20 abs64_hi12 pc_hi20 pc_lo12 pc64_lo20 pc64_hi12 got_hi20 got_lo12 got64_lo20 got64_hi12 got_pc_hi20 got_pc_lo12 got64_pc_lo20 got64_pc_hi12 le_hi20 le_lo12 le64_lo20 le64_hi12 ie_hi20 ie_lo12 ie64_lo20 ie64_hi12 ie_pc_hi20 ie_pc_lo12 ie64_pc_lo20 ie64_pc_hi12 ld_hi20 ld_pc_hi20 gd_hi20 gd_pc_hi20 call36 desc_hi20 desc_lo12 desc64_lo20 desc64_hi12 desc_pc_hi20 desc_pc_lo12 desc64_pc_lo20 desc64_pc_hi12 desc_ld desc_call le_hi20_r le_add_r le_lo12_r pcrel_20 ld_pcrel_20 gd_pcrel_20 desc_pcrel_20")},
	"SystemZ":   {spellings: true, addresses: true, words: strings.Fields("bre brel brh brhe brhel brhl brl brle brlel brlh brlhl brll brm brml brne brnel brnh brnhe brnhel brnhl brnl brnle brnlel brnlh brnlhl brnll brnm brnml brno brnol brnp brnpl brnz brnzl bro brol brp brpl bru brul brz brzl jas jasl jc jct jctg jcth jxh jxhg jxle jxleg ldrv lerv stdrv sterv"), bareRegs: true, needs: "instruction requires: ", and: " ", form: "@", kinds: strings.Fields("plt got gotent indntpoff ntpoff dtpoff tlsgd tlsldm")},
	"Sparc":     {needs: "instruction requires a CPU feature not currently enabled", form: "%", kinds: strings.Fields("lo hi h44 m44 l44 hh hm lm pc22 pc10 got22 got10 got13 r_disp32 tgd_hi22 tgd_lo10 tldm_hi22 tldm_lo10 tldo_hix22 tldo_lox10 tie_hi22 tie_lo10 tle_hix22 tle_lox10 hix lox gdop_hix22 gdop_lox10")},
	"BPF":       {needs: "instruction requires: ", and: " "},
	"AVR":       {needs: "instruction requires a CPU feature not currently enabled"},
	"Xtensa":    {needs: "instruction use requires an option to be enabled"},
	"VE":        {form: "@", kinds: strings.Fields("hi lo pc_hi pc_lo got_hi got_lo gotoff_hi gotoff_lo plt_hi plt_lo tls_gd_hi tls_gd_lo tpoff_hi tpoff_lo")},
}

// targets are the targets of LLVM that write ELF objects, X86 apart, which is
// learned by marks (marked.go).
var targets = map[string]target{
	"RISCV": {"riscv", []view{
		{"riscv64-unknown-linux-gnu", "", riscvStd + ",-32bit,-zcf", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xthead*", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xsf*,+xsifive*,+xsmtvdot,+xventana*,-xsfmm16t,-xsfmm32t,-xsfmm64t", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+v,+zvfh,+xandes*,+xmips*", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+zcb,+zcmp,+zcmt,+zba,+zbb,+zdinx,+zhinx", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+experimental-p", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+xwchc", -1},
		{"riscv32-unknown-linux-gnu", "", riscvStd + ",-64bit", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+zca,+zcb,+zba,+zbb,+xqci*,+experimental-xqci*", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+zca,+zcb,+xcv*", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+zdinx,+zhinx,+zca,+zcb,+zcmp,+zcmt,+zilsd,+zclsd", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+f,+d,+c,+experimental-p,+experimental-xriv*,+zilsd", -1},
		{"riscv32-unknown-linux-gnu", "", "+m,+a,+zca,+xwchc,+xqccmp", -1},
		{"riscv64-unknown-linux-gnu", "", "+m,+a,+zca,+xqccmp", -1},
	}, nil, "64bit", false},
	"BPF": {"bpf", []view{{"bpfel-unknown-none", "v4", "", -1}, {"bpfel-unknown-none", "v3", "", -1}, {"bpfel-unknown-none", "", "", -1}}, nil, "", false},
	"AArch64": {"aarch64", []view{
		{"aarch64-unknown-linux-gnu", "", "+all", -1},
	}, nil, "", false},
	"PowerPC": {"ppc", []view{
		{"powerpc64-unknown-linux-gnu", "future", "", -1},
		{"powerpc-unknown-linux-gnu", "", "+spe", -1},
		{"powerpc-unknown-linux-gnu", "440", "+msync,+booke", -1},
		{"powerpc-unknown-linux-gnu", "e500", "", -1},
	}, nil, "", false},
	"Mips": {"mips", []view{
		{"mips64-unknown-linux-gnuabi64", "mips64r6", "+msa,+dsp,+dspr2,+dspr3,+mt,+crc,+virt,+ginv", -1},
		{"mips64-unknown-linux-gnuabi64", "mips64r2", "+msa,+dsp,+dspr2,+dspr3,+mt,+virt,+eva", -1},
		{"mips64-unknown-linux-gnuabi64", "octeon+", "", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+msa,+dsp,+dspr2,+dspr3,+mt,+virt,+eva", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+fp64", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+micromips,+dsp,+dspr2,+dspr3,+virt,+eva", -1},
		{"mips-unknown-linux-gnu", "mips32r6", "+micromips,+dsp,+dspr2,+dspr3,+virt,+eva,+crc,+ginv", -1},
		{"mips-unknown-linux-gnu", "mips32r2", "+mips16", -1},
		{"mips-unknown-linux-gnu", "mips32r6", "+msa,+dsp,+dspr2,+dspr3,+mt,+crc,+virt,+ginv", -1},
	}, []mode{{"micromips", []int{5, 6}}}, "", false},
	"LoongArch": {"loongarch", []view{{"loongarch64-unknown-linux-gnu", "", "+*,-32bit", -1}, {"loongarch32-unknown-linux-gnu", "", "+*,-64bit", -1}}, nil, "", false},
	"SystemZ":   {"systemz", []view{{"s390x-unknown-linux-gnu", "z17", "", -1}}, nil, "", false},
	"Sparc": {"sparc", []view{
		{"sparcv9-unknown-linux-gnu", "", "+*,-v8plus,-no-*,-fix*,-insert*,-reserve*,-detectroundchange,-prevent*", -1},
		{"sparc-unknown-linux-gnu", "", "", -1},
		{"sparc-unknown-linux-gnu", "leon4", "", -1},
	}, nil, "64bit", false},
	"ARM": {"arm", []view{
		{"armv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+hwdiv-arm,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"thumbv8.1m.main-none-eabi", "", "+mve.fp,+lob,+pacbti,+cdecp0,+cdecp1,+dsp,+fp64,+fullfp16,+8msecext", -1},
		{"thumbv8.6a-unknown-linux-gnueabihf", "", "+fullfp16,+fp16fml,+dotprod,+crypto,+bf16,+i8mm,+sb,+ras,+crc,+trustzone,+virtualization,+mp", -1},
		{"armv7a-unknown-linux-gnueabihf", "", "+vfp4,+neon,+hwdiv-arm,+trustzone,+virtualization,+mp", -1},
		{"armv5te-unknown-linux-gnueabi", "", "", -1},
		{"thumbv6m-none-eabi", "", "", -1},
	}, []mode{{"thumb", []int{1, 2, 5}}}, "d32", true},
	"AVR":    {"avr", []view{{"avr-unknown-unknown", "atxmega384c3", "", -1}, {"avr-unknown-unknown", "attiny10", "", -1}, {"avr-unknown-unknown", "atmega328p", "", -1}}, nil, "", false},
	"Lanai":  {"lanai", []view{{"lanai-unknown-unknown", "", "", -1}}, nil, "", false},
	"M68k":   {"m68k", []view{{"m68k-unknown-linux-gnu", "M68060", "", -1}, {"m68k-unknown-linux-gnu", "M68020", "", -1}}, nil, "", false},
	"MSP430": {"msp430", []view{{"msp430-unknown-elf", "msp430x", "", -1}}, nil, "", false},
	"VE":     {"ve", []view{{"ve-unknown-linux-gnu", "", "+vpu", -1}}, nil, "", false},
	"Xtensa": {"xtensa", []view{{"xtensa-unknown-unknown", "", "+*", -1}}, nil, "", false},
	"Hexagon": {"hexagon", []view{
		{"hexagon-unknown-linux-musl", "hexagonv79", "+hvxv79,+hvx-length128b,+hvx-ieee-fp,+hvx-qfloat", -1},
	}, nil, "", false},
	"AMDGPU": {"amdgpu", []view{
		{"amdgcn-amd-amdhsa", "gfx900", "", -1}, {"amdgcn-amd-amdhsa", "gfx90a", "", -1},
		{"amdgcn-amd-amdhsa", "gfx942", "", -1}, {"amdgcn-amd-amdhsa", "gfx950", "", -1},
		{"amdgcn-amd-amdhsa", "gfx1030", "", -1}, {"amdgcn-amd-amdhsa", "gfx1100", "", -1},
		{"amdgcn-amd-amdhsa", "gfx1200", "", -1}, {"amdgcn-amd-amdhsa", "gfx1250", "", -1},
		{"amdgcn-amd-amdhsa", "gfx810", "", -1}, {"amdgcn-amd-amdhsa", "gfx1150", "", -1}, {"amdgcn-amd-amdhsa", "gfx1010", "", -1},
	}, nil, "", false},
}
