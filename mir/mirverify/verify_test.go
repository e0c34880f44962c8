package mirverify

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mir"
)

// A case is the body of a function and the faults that it has. Props are
// further lines of the function's document; the default is tracked liveness.
type verifyCase struct {
	name   string
	triple string // "" is x86_64
	props  string
	set    mir.Properties // that no text has, since the reader computes them
	body   string
	want   []string
	// lines compares with LLVM only what is bad, since the printer of MIR writes something else differently.
	lines bool
}

const tracked = "tracksRegLiveness: true"

var verifyCases = []verifyCase{
	// Instructions as a whole.
	{name: "clean", body: "liveins: $edi\n$eax = COPY $edi\nRET 0, implicit $eax"},
	{name: "too few operands", props: "isSSA: true", body: "$eax = COPY", want: []string{"Too few operands"}},
	{name: "excess operand", body: "NOOP 5", want: []string{"Extra explicit operand on non-variadic instruction"}},
	{name: "def is no register", body: "IMPLICIT_DEF 0", want: []string{"Explicit definition must be a register"}},
	{name: "def marked as use", body: "liveins: $eax\nIMPLICIT_DEF $eax", want: []string{"Explicit definition marked as use"}},
	{name: "wants a register", body: "liveins: $eax\n$eax = ADD32rr $eax, 7, implicit-def $eflags", want: []string{"Expected a register operand."}},
	{name: "wants an immediate", body: "$eax = MOV32ri $ebx", want: []string{"Expected a non-register operand.", "Using an undefined physical register"}},
	{name: "memory operand of a move", body: "liveins: $edi\n$eax = MOV32rr $edi :: (load (s32))", want: []string{"Missing mayLoad flag"}},
	{name: "memory operand of a load", body: "liveins: $rdi\n$eax = MOV32rm $rdi, 1, $noreg, 0, $noreg :: (store (s32))", want: []string{"Missing mayStore flag"}},
	{name: "debug value without location", body: "DBG_VALUE $noreg, $noreg, 0, 0", want: []string{"Missing DebugLoc for debug instruction"}},
	{name: "number of a meta instruction", body: "$eax = IMPLICIT_DEF debug-instr-number 1", want: []string{"Metadata instruction should not have a value tracking number"}},
	{name: "behind the terminator", body: "RET 0\nNOOP", want: []string{"Non-terminator instruction after the first terminator"}},
	{name: "convergence flag", lines: true, body: "noconvergent NOOP", want: []string{"NoConvergent flag expected only on convergent instructions."}},

	// Registers and classes.
	{name: "physical class", body: "liveins: $rdi\n$eax = COPY $edi\n$eax = MOV32rr $rdi", want: []string{"Illegal physical register for instruction"}},
	{name: "virtual class", body: "%0:gr64 = IMPLICIT_DEF\n%1:gr32 = MOV32rr %0", want: []string{"Illegal virtual register for instruction"}},
	{name: "class lacks the sub-register", body: "%0:gr32_abcd = IMPLICIT_DEF\n%1:gr32 = COPY %0.sub_32bit", want: []string{"Invalid subregister index for virtual register"}},
	{name: "generic in target instruction", body: "%0:_(s32) = IMPLICIT_DEF\n%1:gr32 = MOV32rr %0(s32)", want: []string{"Virtual register does not match instruction constraint"}},
	{name: "undef definition", body: "undef %0:gr32 = IMPLICIT_DEF", want: []string{"Undef virtual register def operands require a subregister"}},

	// Registers of frames.
	{name: "base pointer", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$rax = COPY $rbx\nKILL implicit $bl"},
	{name: "no base pointer without objects of variable size", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$rax = COPY $rbx", want: []string{"Using an undefined physical register"}},
	{name: "no base pointer without aligned objects", props: "stack:\n  - { id: 0, type: variable-sized, alignment: 1 }", body: "$rax = COPY $rbx\n$rax = COPY $rbp", want: []string{"Using an undefined physical register"}},
	{name: "base pointer where the stack pointer moves", props: "frameInfo:\n  hasOpaqueSPAdjustment: true\nstack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$rax = COPY $rbx\n$rax = COPY $rbp"},
	{name: "frame pointer of aligned objects", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$rax = COPY $rbp"},
	{name: "base pointer of 32 bits", lines: true, triple: "i386-unknown-linux-gnu", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$eax = COPY $esi\n$eax = COPY $ebx", want: []string{"Using an undefined physical register"}},
	{name: "base pointer of AArch64", triple: "aarch64", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$x0 = COPY $x19"},
	{name: "base pointer of ARM", triple: "armv7-linux-gnueabi", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$r0 = COPY $r6\n$r0 = COPY $r11"},
	{name: "base pointer of Thumb", triple: "thumbv6m-none-eabi", props: "stack:\n  - { id: 0, type: variable-sized, alignment: 1 }", body: "$r0 = COPY $r6"},
	{name: "base pointer of RISC-V", triple: "riscv64", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$x10 = COPY $x9\n$x10 = COPY $x8"},
	{name: "base pointer of PowerPC", triple: "powerpc64le-linux-gnu", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$x3 = COPY $x30"},
	{name: "frame pointer of PowerPC", triple: "powerpc64le-linux-gnu", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$x3 = COPY $x31", want: []string{"Using an undefined physical register"}},
	{name: "base pointer of MIPS", triple: "mips-linux-gnu", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }\n  - { id: 1, type: variable-sized, alignment: 1 }", body: "$v0 = COPY $s7\n$v0 = COPY $fp"},
	{name: "frame pointer of SystemZ", lines: true, triple: "s390x-linux-gnu", props: "stack:\n  - { id: 0, size: 64, alignment: 64 }", body: "$r2d = COPY $r11d", want: []string{"Using an undefined physical register"}},

	// Liveness.
	{name: "undefined physical register", body: "$eax = COPY $ebx", want: []string{"Using an undefined physical register"}},
	{name: "killed physical register", body: "liveins: $edi\n$eax = COPY killed $edi\n$ecx = COPY $edi", want: []string{"Using an undefined physical register"}},
	{name: "part of a register is live", body: "liveins: $edi\n$rax = COPY $rdi"},
	{name: "clobbered by a call", lines: true, body: "liveins: $edi\n$edi = COPY $edi\nCALL64r undef $rax, csr_64, implicit $rsp, implicit-def $rsp\n$eax = COPY $edi", want: []string{"Using an undefined physical register"}},
	{name: "preserved by a call", body: "liveins: $ebx\nCALL64r undef $rax, csr_64, implicit $rsp, implicit-def $rsp\n$eax = COPY $ebx"},
	{name: "no definition", props: "registers:\n  - { id: 0, class: gr32 }", body: "$eax = COPY %0", want: []string{"Reading virtual register without a def"}},
	{name: "two definitions", set: mir.IsSSA, body: "%0:gr32 = MOV32ri 1\n%0:gr32 = MOV32ri 2", want: []string{"Multiple virtual register defs in SSA form", "Multiple virtual register defs in SSA form"}},
	{name: "killed virtual register", body: "%0:gr32 = MOV32ri 1\n$eax = COPY killed %0\n$ecx = COPY %0", want: []string{"Using a killed virtual register"}},
	{name: "not on all ways", body: `successors: %bb.1, %bb.2
  JCC_1 %bb.2, 4, implicit undef $eflags
bb.1:
  successors: %bb.2
  %0:gr32 = MOV32ri 1
bb.2:
  $eax = COPY %0`, want: []string{"Virtual register defs don't dominate all uses."}},
	{name: "killed before the end", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
  $eax = COPY killed %0
bb.1:
  $eax = COPY %0`, want: []string{"Virtual register killed in block, but needed live out.", "Virtual register defs don't dominate all uses."}},
	{name: "loop carries it", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
bb.1:
  successors: %bb.1, %bb.2
  $eax = COPY %0
  JCC_1 %bb.1, 4, implicit undef $eflags
bb.2:
  RET 0, implicit undef $eax`},

	// Ties.
	{name: "different registers after two-address", set: mir.TiedOpsRewritten, body: "%0:gr32 = MOV32ri 1\n%1:gr32 = ADD32rr %0, %0, implicit-def $eflags", want: []string{"Two-address instruction operands must be identical"}},
	{name: "physical registers differ", body: "liveins: $eax, $ecx\n$ecx = ADD32rr $eax, $eax, implicit-def $eflags", want: []string{"Tied physical registers must match."}},

	// Blocks.
	{name: "branch without edge", body: `successors: %bb.2
  JMP_1 %bb.1
bb.1:
  RET 0
bb.2:
  RET 0`, want: []string{"MBB exits via jump or conditional branch, but its target isn't a CFG successor!",
		"MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets."}},
	{name: "falls out of the function", body: "liveins: $eflags\nsuccessors: %bb.0\nJCC_1 %bb.0, 4, implicit $eflags", want: []string{"MBB conditionally falls through out of function!"}},
	{name: "conditional without fall through", body: `successors: %bb.2
  liveins: $eflags
  JCC_1 %bb.2, 4, implicit $eflags
bb.1:
  RET 0
bb.2:
  RET 0`, want: []string{"MBB exits via conditional branch/fall-through but the CFG successors don't match the actual successors!"}},
	{name: "allocatable live-in of a block", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
  $eax = COPY %0
bb.1:
  liveins: $eax
  successors: %bb.2
bb.2:
  %1:gr32 = PHI %0, %bb.1
  RET 0`, want: []string{"MBB has allocatable live-in, but isn't entry, landing-pad, or inlineasm-br-indirect-target."}},

	// PHIs.
	{name: "PHI behind", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
bb.1:
  NOOP
  %1:gr32 = PHI %0, %bb.0`, want: []string{"Found PHI instruction after non-PHI"}},
	{name: "PHI lacks a predecessor", body: `successors: %bb.1, %bb.2
  %0:gr32 = MOV32ri 1
  JCC_1 %bb.2, 4, implicit undef $eflags
bb.1:
  successors: %bb.2
bb.2:
  %1:gr32 = PHI %0, %bb.0`, want: []string{"Missing PHI operand"}},
	{name: "PHI of a stranger", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
bb.1:
  successors: %bb.2
bb.2:
  %1:gr32 = PHI %0, %bb.0, %0, %bb.1`, want: []string{"PHI operand is not in the CFG", "PHI input is not a predecessor block"}},
	{name: "PHI operand dies", body: `successors: %bb.1
  %0:gr32 = MOV32ri 1
  $eax = COPY killed %0
bb.1:
  %1:gr32 = PHI %0, %bb.0`, want: []string{"PHI operand is not live-out from predecessor",
		"Virtual register killed in block, but needed live out.", "Virtual register defs don't dominate all uses."}},

	// Frames.
	{name: "frame size differs", props: "frameInfo:\n  adjustsStack: true", body: "ADJCALLSTACKDOWN64 8, 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp\nADJCALLSTACKUP64 16, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp\nRET 0", want: []string{"FrameDestroy <n> is after FrameSetup <m>", "A return block ends with a nonzero stack adjustment."}},
	{name: "frame twice", props: "frameInfo:\n  adjustsStack: true", body: "ADJCALLSTACKDOWN64 0, 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp\nADJCALLSTACKDOWN64 0, 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp\nRET 0", want: []string{"FrameSetup is after another FrameSetup", "A return block ends with a FrameSetup."}},
	{name: "frame never opened", props: "frameInfo:\n  adjustsStack: true", body: "ADJCALLSTACKUP64 0, 0, implicit-def $rsp, implicit-def $eflags, implicit-def $ssp, implicit $rsp, implicit $ssp", want: []string{"FrameDestroy is not after a FrameSetup"}},

	// Generic instructions.
	{name: "types differ", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s64) = G_IMPLICIT_DEF\n%2:_(s32) = G_ADD %0, %1", want: []string{"Type mismatch in generic instruction"}},
	{name: "no type", body: "%0:gr32 = IMPLICIT_DEF\n%1:gr32 = G_FREEZE %0", want: []string{"Generic instruction is missing a virtual register type", "Generic instruction is missing a virtual register type"}},
	{name: "physical in generic", body: "liveins: $eax\n%0:_(s32) = G_ZEXT $al", want: []string{"Generic instruction is missing a virtual register type", "Generic instruction cannot have physical register"}},
	{name: "extension", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s32) = G_ZEXT %0(s32)", want: []string{"Generic extend has destination type no larger than source"}},
	{name: "truncation", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s64) = G_TRUNC %0(s32)", want: []string{"Generic truncate has destination type no smaller than source"}},
	{name: "extension of a pointer", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s128) = G_ZEXT %0(p0)", want: []string{"Generic extend/truncate can not operate on pointers"}},
	{name: "load too wide", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s32) = G_LOAD %0(p0) :: (load (s64))", want: []string{"load memory size cannot exceed result size"}},
	{name: "store too wide", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s32) = G_IMPLICIT_DEF\nG_STORE %1(s32), %0(p0) :: (store (s64))", want: []string{"store memory size cannot exceed value size"}},
	{name: "load releases", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s32) = G_LOAD %0(p0) :: (load release (s32))", want: []string{"atomic load cannot use release ordering"}},
	{name: "store acquires", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s32) = G_IMPLICIT_DEF\nG_STORE %1(s32), %0(p0) :: (store acquire (s32))", want: []string{"atomic store cannot use acquire ordering"}},
	{name: "pointer arithmetic", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s32) = G_IMPLICIT_DEF\n%2:_(p0) = G_PTR_ADD %0, %1(s32)", want: []string{"gep offset operand must match index size for address space"}},
	{name: "pointer arithmetic on an integer", body: "%0:_(s64) = G_IMPLICIT_DEF\n%2:_(s64) = G_PTR_ADD %0, %0(s64)", want: []string{"gep first operand must be a pointer"}},
	{name: "pieces do not fit", body: "%0:_(s64) = G_IMPLICIT_DEF\n%1:_(s16), %2:_(s16) = G_UNMERGE_VALUES %0(s64)", want: []string{"G_UNMERGE_VALUES scalar source operand does not match scalar destination operands"}},
	{name: "pieces of a vector do not fit", body: "%0:_(<4 x s32>) = G_IMPLICIT_DEF\n%1:_(<2 x s16>), %2:_(<2 x s16>) = G_UNMERGE_VALUES %0(<4 x s32>)", want: []string{"G_UNMERGE_VALUES source operand does not match vector destination operands"}},
	{name: "concatenation", body: "%0:_(<2 x s32>) = G_IMPLICIT_DEF\n%1:_(<3 x s32>) = G_CONCAT_VECTORS %0(<2 x s32>), %0(<2 x s32>)", want: []string{"G_CONCAT_VECTOR num dest and source elements should match"}},
	{name: "extract beyond", body: "%0:_(s64) = G_IMPLICIT_DEF\n%1:_(s32) = G_EXTRACT %0(s64), 40", want: []string{"extract reads past end of register"}},
	{name: "insert beyond", body: "%0:_(s64) = G_IMPLICIT_DEF\n%1:_(s32) = G_IMPLICIT_DEF\n%2:_(s64) = G_INSERT %0, %1(s32), 40", want: []string{"insert writes past end of register"}},
	{name: "shift of mixed shapes", body: "%0:_(<2 x s32>) = G_IMPLICIT_DEF\n%1:_(s32) = G_IMPLICIT_DEF\n%2:_(<2 x s32>) = G_SHL %0, %1(s32)", want: []string{"Shifts and rotates require operands to be either all scalars or all vectors"}},
	{name: "byte swap", body: "%0:_(s24) = G_IMPLICIT_DEF\n%1:_(s24) = G_BSWAP %0", want: []string{"G_BSWAP size must be a multiple of 16 bits"}},
	{name: "element of a scalar", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s32) = G_EXTRACT_VECTOR_ELT %0(s32), %0(s32)", want: []string{"First source must be a vector"}},
	{name: "element into a scalar", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s32) = G_INSERT_VECTOR_ELT %0, %0(s32), %0(s32)", want: []string{"Destination type must be a vector"}},
	{name: "reduction to a vector", body: "%0:_(<2 x s32>) = G_IMPLICIT_DEF\n%1:_(<2 x s32>) = G_VECREDUCE_ADD %0(<2 x s32>)", want: []string{"Vector reduction requires a scalar destination type"}},
	{name: "sequential reduction", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s32) = G_VECREDUCE_SEQ_FADD %0(s32), %0(s32)", want: []string{"Sequential FADD/FMUL vector reduction must have a vector 2nd operand"}},
	{name: "trap kind", body: "G_UBSANTRAP 300", want: []string{"Crash kind must be 8 bit wide"}},
	{name: "stack allocation", body: "%0:_(s64) = G_IMPLICIT_DEF\n%1:_(s64) = G_DYN_STACKALLOC %0(s64), 1", want: []string{"dst operand 0 must be a pointer type"}},
	{name: "memset without memory", body: "%0:_(p0) = G_IMPLICIT_DEF\n%1:_(s8) = G_IMPLICIT_DEF\n%2:_(s64) = G_IMPLICIT_DEF\nG_MEMSET %0(p0), %1(s8), %2(s64), 0", want: []string{"memset must have 1 memory operand"}},
	{name: "class of floats", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s1) = G_IS_FPCLASS %0(s32), 4096", want: []string{"Incorrect floating-point class set (operand 2)"}},
	{name: "step of nothing", body: "%0:_(<vscale x 2 x s32>) = G_STEP_VECTOR i32 0", want: []string{"step must be > 0"}},
	{name: "branch to nowhere", body: "G_BR 0", want: []string{"Branch instruction is missing a basic block operand or isIndirectBranch property"}},
	{name: "copy of types", body: "%0:_(s32) = G_IMPLICIT_DEF\n%1:_(s64) = COPY %0(s32)", want: []string{"Copy Instruction is illegal with mismatching types"}},
	{name: "copy of sizes", body: "liveins: $rax\n%0:_(s32) = COPY $rax", want: []string{"Copy Instruction is illegal with mismatching sizes"}},
	{name: "generic after selection", props: "selected: true\nlegalized: true\nregBankSelected: true", body: "%0:gr32 = G_IMPLICIT_DEF", want: []string{"Unexpected generic instruction in a Selected function", "Generic instruction is missing a virtual register type"}},
	{name: "no bank", props: "regBankSelected: true\nlegalized: true", body: "%0:_(s32) = G_IMPLICIT_DEF", want: []string{"Generic virtual register must have a bank in a RegBankSelected function"}},

	// Sub-registers and sequences.
	{name: "sequence of pairs", body: "%0:gr32 = IMPLICIT_DEF\n%1:gr64 = REG_SEQUENCE %0", want: []string{"Invalid number of operands for REG_SEQUENCE"}},
	{name: "sequence into a physical register", body: "%0:gr32 = IMPLICIT_DEF\n$rax = REG_SEQUENCE %0, %subreg.sub_32bit", want: []string{"REG_SEQUENCE does not support physical register results"}},
	{name: "inserted value too wide", body: "%0:gr64 = IMPLICIT_DEF\n%1:gr64 = IMPLICIT_DEF\n%2:gr64 = INSERT_SUBREG %0, %1, %subreg.sub_32bit", want: []string{"INSERT_SUBREG expected inserted value to have equal or lesser size than the subreg it was inserted into"}},

	// Other targets.
	{name: "flags across blocks", triple: "s390x", body: `successors: %bb.1
  NOPR undef $r0d
bb.1:
  liveins: $cc
  KILL killed $cc`, want: []string{"Live in register not found to be live out from predecessor."}},
	{name: "position of a bit field", triple: "mips", body: "liveins: $a0\n$v0 = EXT $a0, 40, 4", want: []string{"Position operand is out of range!"}},
	{name: "size of a bit field", triple: "mips", body: "liveins: $a0\n$v0 = EXT $a0, 4, 0", want: []string{"Size operand is out of range!"}},
	{name: "end of a bit field", triple: "mips", body: "liveins: $a0\n$v0 = EXT $a0, 20, 20", want: []string{"Position + Size is out of range!"}},
	{name: "shift with ones", triple: "aarch64", body: "$d0 = MOVIv2s_msl 55, 262", want: []string{"OPERAND_SHIFT_MSL should be msl shift of 8 or 16"}},
	{name: "vector to scalar", triple: "amdgcn", body: "%0:vgpr_32 = IMPLICIT_DEF\n%0:vgpr_32 = IMPLICIT_DEF\n%1:sgpr_32 = COPY %0", want: []string{"illegal copy from vector register to SGPR"}},
	{name: "convergence twice", triple: "amdgcn", body: "%0:sgpr_64 = CONVERGENCECTRL_ANCHOR\n%1:sgpr_64 = CONVERGENCECTRL_ENTRY", want: []string{"Entry intrinsic cannot be preceded by a convergent operation in the same basic block."}},
	{name: "edge twice", body: `successors: %bb.1, %bb.1
  JMP_1 %bb.1
bb.1:
  RET 0`, want: []string{"MBB has duplicate entries in its successor list.", "MBB has duplicate entries in its predecessor list."}},
	{name: "branches of another target", triple: "aarch64", body: `successors: %bb.2
  B %bb.1
bb.1:
  RET undef $lr
bb.2:
  RET undef $lr`, want: []string{"MBB exits via jump or conditional branch, but its target isn't a CFG successor!",
		"MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets."}},
}

func (c *verifyCase) source() string {
	var b strings.Builder
	b.WriteString("---\nname: f\n")
	if !strings.Contains(c.props, "tracksRegLiveness") {
		b.WriteString(tracked + "\n")
	}
	if c.props != "" {
		b.WriteString(c.props + "\n")
	}
	b.WriteString("body: |\n")
	body := c.body
	if !strings.HasPrefix(body, "bb.0") {
		body = "bb.0:\n" + body
	}
	for _, l := range strings.Split(body, "\n") {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "bb.") {
			b.WriteString("  " + l + "\n")
		} else {
			b.WriteString("    " + l + "\n")
		}
	}
	b.WriteString("...\n")
	return b.String()
}

func (c *verifyCase) tripleOr() string {
	if c.triple == "" {
		return "x86_64-unknown-linux-gnu"
	}
	return c.triple
}

func TestCases(t *testing.T) {
	var v Verifier // one for all: nothing may be left behind
	for i := range verifyCases {
		c := &verifyCases[i]
		t.Run(c.name, func(t *testing.T) {
			f, err := parse(c.name, []byte(c.source()), c.tripleOr(), "", "", "")
			if err != nil {
				t.Fatalf("%v\n%s", err, c.source())
			}
			f.Functions[0].Props |= c.set
			r := v.Verify(f.Functions[0], Options{})
			var got []string
			for _, e := range r.Errors {
				got = append(got, e.Msg)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n  %s\nwant\n  %s\n%s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "), r.AppendText(nil))
			}
		})
	}
}

// address is what differs between two runs of LLVM too.
var address = regexp.MustCompile(`\(0x[0-9a-f]+\)`)

var badLine = regexp.MustCompile(`(?m)^\*\*\* Bad machine code: .*$`)

// TestCasesAgainstLLC holds the expectations and the text of the reports to an
// installed llc: every eighth case, since llc takes a while to crash, and all
// of them with MIRVERIFY_ALL set.
func TestCasesAgainstLLC(t *testing.T) {
	llc := testenv.LLVM(t, "llc")
	dir := t.TempDir()
	for i := range verifyCases {
		c := &verifyCases[i]
		if c.set != 0 || i%8 != 0 && os.Getenv("MIRVERIFY_ALL") == "" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, "t.mir")
			if err := os.WriteFile(file, []byte(c.source()), 0o600); err != nil {
				t.Fatal(err)
			}
			out, _ := exec.Command(llc, "-mtriple="+c.tripleOr(), "-run-pass=none", "-o", os.DevNull, file).CombinedOutput()
			want, _, _ := strings.Cut(string(out), "LLVM ERROR")
			f, err := parse(c.name, []byte(c.source()), c.tripleOr(), "", "", "")
			if err != nil {
				t.Fatal(err)
			}
			got := string(Verify(f.Functions[0], Options{}).AppendText(nil))
			if c.lines {
				got, want = strings.Join(badLine.FindAllString(got, -1), "\n"), strings.Join(badLine.FindAllString(want, -1), "\n")
			}
			if a, b := address.ReplaceAllString(got, "()"), address.ReplaceAllString(want, "()"); a != b {
				t.Errorf("got\n%s\nwant\n%s", a, b)
			}
		})
	}
}
