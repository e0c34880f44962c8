package mirtext

import (
	"errors"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/diag"
)

// roundTrip parses src, prints it, and parses and prints that again.
func roundTrip(src []byte, po ParseOptions, o PrintOptions) (first, second []byte, err error) {
	f, err := Parse("t.mir", src, po)
	if err != nil {
		return nil, nil, err
	}
	first = f.AppendText(nil, o)
	g, err := Parse("t.mir", first, po)
	if err != nil {
		return first, nil, err
	}
	return first, g.AppendText(nil, o), nil
}

// TestFixedPoint holds that what is printed reads back as the same text, plain
// and simplified, for a function of each of several targets.
func TestFixedPoint(t *testing.T) {
	for name, c := range map[string]struct{ triple, body, want string }{
		"x86":     {"x86_64", "    $eax = MOV32ri 7\n    RET64 implicit $eax\n", "$eax = MOV32ri 7"},
		"aarch64": {"aarch64-none-linux-gnu", "    $w0 = MOVi32imm 3\n    frame-setup CFI_INSTRUCTION offset $x19, -16\n    RET_ReallyLR implicit $w0\n", "CFI_INSTRUCTION offset $w19, -16"},
		"arm":     {"armv7-linux-gnueabihf", "    $r0 = MOVi 1, 14, $noreg, $noreg\n    BX_RET 14, $noreg, implicit $r0\n", "BX_RET 14 /* CC::al */, $noreg"},
		"riscv":   {"riscv64", "    dead $x0 = PseudoVSETIVLI 4, 208, implicit-def $vl, implicit-def $vtype\n    PseudoRET\n", "208 /* e32, m1, ta, ma */"},
		"amdgcn":  {"amdgcn-amd-amdhsa", "    S_ENDPGM 0\n", "occupancy:       10"},
		"wasm":    {"wasm32", "    %0:i32 = CONST_I32 5, implicit-def dead $arguments\n    RETURN implicit-def dead $arguments\n", "isCFGStackified: false"},
	} {
		t.Run(name, func(t *testing.T) {
			src := "---\nname: f\nbody: |\n  bb.0:\n" + c.body + "...\n"
			for _, simplify := range []bool{false, true} {
				a, b, err := roundTrip([]byte(src), ParseOptions{Facts: loadFacts, Triple: c.triple}, PrintOptions{Simplify: simplify})
				if err != nil {
					t.Fatalf("%v\n%s", err, a)
				}
				if string(a) != string(b) {
					t.Errorf("simplify %v: not a fixed point:\n%s\n%s", simplify, a, b)
				}
				if !simplify && !strings.Contains(string(a), c.want) {
					t.Errorf("no %q in\n%s", c.want, a)
				}
			}
		})
	}
}

// TestFixedPointLarge does the same for a file with blocks, memory operands and probabilities.
func TestFixedPointLarge(t *testing.T) {
	a, b, err := roundTrip(bigInput(50), ParseOptions{Facts: loadFacts}, PrintOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("not a fixed point")
	}
	if !strings.Contains(string(a), "successors: %bb.1(0x40000000), %bb.2(0x40000000)") {
		t.Error("successors are missing")
	}
}

// TestDiagnostics has one fault of each family, with its place and wording.
func TestDiagnostics(t *testing.T) {
	body := func(s string) string { return "---\nname: f\nbody: |\n  bb.0:\n    " + s + "\n...\n" }
	for _, c := range []struct{ triple, src, want string }{
		{"", body("$eax = MOV32rx 7"), "error: t.mir:5:12: unknown machine instruction name 'MOV32rx'"},
		{"", body("$eox = MOV32ri 7"), "error: t.mir:5:5: unknown register name 'eox'"},
		{"", body("%0:gr99 = IMPLICIT_DEF"), "error: t.mir:5:8: expected '_', register class, or register bank name"},
		{"", body("%0:_(s) = G_IMPLICIT_DEF"), "error: t.mir:5:10: expected integers after 's'/'p' type character"},
		{"", body("%0:_(<0 x s8>) = G_IMPLICIT_DEF"), "error: t.mir:5:11: invalid number of vector elements"},
		{"", body("%0:_ = G_IMPLICIT_DEF"), "error: t.mir:5:10: generic virtual registers must have a type"},
		{"", body("JMP_1 %bb.4"), "error: t.mir:5:11: use of undefined machine basic block #4"},
		{"", body("NOOP :: x"), "error: t.mir:5:13: expected '('"},
		{"", body("RET64 dead $eax"), "error: t.mir:5:20: cannot have a dead use operand"},
		{"", "---\nname: f\nboody: |\n  bb.0:\n...\n", "error: YAML:3:1: unknown key 'boody'"},
		{"", "---\nnoname: f\n...\n", "error: YAML:2:1: missing required key 'name'"},
		{"", "@\n---\nname: f\n...\n", "error: YAML:1:1: Unrecognized character while tokenizing."},
		{"", "---\nname: f\nregisters:\n  - { id: 0, class: gr32 }\n  - { id: 0, class: gr32 }\n...\n", "error: t.mir:5:11: redefinition of virtual register '%0'"},
		{"", "---\nname: f\nisSSA: true\nbody: |\n  bb.0:\n    %0:gr32 = IMPLICIT_DEF\n    %0:gr32 = IMPLICIT_DEF\n...\n",
			"error: t.mir: f has explicit property IsSSA, but is not valid SSA"},
		{"amdgcn", "---\nname: f\nmachineFunctionInfo:\n  frameOffsetReg: '$vgpr0'\nbody: |\n  bb.0:\n...\n", "error: t.mir:4:26: incorrect register class for field"},
	} {
		_, err := Parse("t.mir", []byte(c.src), ParseOptions{Facts: loadFacts, Triple: c.triple})
		if err == nil {
			t.Errorf("accepted:\n%s", c.src)
			continue
		}
		var d *diag.Diagnostic
		if !errors.As(err, &d) {
			t.Errorf("%T is not a diagnostic", err)
		}
		if err.Error() != c.want {
			t.Errorf("got  %s\nwant %s", err, c.want)
		}
	}
}

// FuzzRoundTrip holds that no input makes the reader panic, and that what it
// accepts is printed as text which reads back as the same.
func FuzzRoundTrip(f *testing.F) {
	f.Add(bigInput(3))
	f.Add([]byte("--- |\n  define void @f() { ret void }\n...\n---\nname: f\nstack:\n  - { id: 0, size: 4 }\nconstants:\n  - { id: 0, value: 'i32 1' }\nbody: |\n  bb.0:\n    liveins: $eax\n    RET64 $eax\n...\n"))
	f.Add([]byte("---\nname: f\nbody: |\n  bb.0 (align 4, landing-pad):\n    %0:_(<2 x s32>) = G_IMPLICIT_DEF\n    %1:_(s32) = G_LOAD %0(<2 x s32>) :: (volatile load syncscope(\"x\") acquire (s32) from %stack.0, align 2)\n    INLINEASM &nop, 1, !0\n    BUNDLE {\n      NOOP\n    }\n...\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<14 {
			return
		}
		a, b, err := roundTrip(src, ParseOptions{Facts: loadFacts, Jobs: 1}, PrintOptions{})
		if err != nil {
			if a != nil {
				t.Fatalf("does not read back: %v\n%s", err, a)
			}
			return
		}
		if string(a) == string(b) {
			return
		}
		// Like LLVM's, the list of fixed stack objects turns round each time.
		if _, c, err := roundTrip(a, ParseOptions{Facts: loadFacts, Jobs: 1}, PrintOptions{}); err != nil || string(a) != string(c) && string(b) != string(c) {
			t.Fatalf("not a fixed point:\n%s\n%s", a, b)
		}
	})
}
