package mirverify

import (
	"strings"
	"testing"
)

// What llc-22 -run-pass=none says about one instruction each.
func TestTargetRules(t *testing.T) {
	for _, c := range []struct{ triple, cpu, body, want string }{
		{"amdgcn", "gfx900", "$vgpr0 = V_CNDMASK_B32_e64 0, $sgpr0, 0, -1, killed $sgpr0_sgpr1, implicit $exec", "VOP* instruction violates constant bus restriction"},
		{"amdgcn", "gfx1010", "$vgpr0 = V_FMAAK_F32 $sgpr2, $vgpr0, 1077936128, implicit $mode, implicit $exec", ""},
		{"amdgcn", "gfx1010", "$vgpr0 = V_FMAAK_F32 1077936127, $vgpr0, 0, implicit $mode, implicit $exec", "VOP2/VOP3 instruction uses more than one literal"},
		{"amdgcn", "gfx900", "$sgpr0 = S_ADD_I32 2011, -113, implicit-def $scc", "SOP2/SOPC instruction requires too many immediate constants"},
		{"amdgcn", "gfx900", "$sgpr0 = S_ADD_I32 2011, 64, implicit-def $scc", ""},
		{"amdgcn", "gfx900", "$sgpr0 = S_MOVK_I32 32768", "invalid immediate for SOPK instruction"},
		{"amdgcn", "gfx900", "S_NOP $sgpr0", "Expected immediate, but got non-immediate"},
		{"amdgcn", "gfx900", "$vgpr0 = V_MOV_B32_dpp $vgpr0, $vgpr0, 256, 15, 15, 0, implicit $exec", "Invalid dpp_ctrl value"},
		{"amdgcn", "gfx1010", "$vgpr0 = V_MOV_B32_dpp $vgpr0, $vgpr0, 322, 15, 15, 0, implicit $exec",
			"Invalid dpp_ctrl value: broadcasts are not supported on GFX10+"},
		{"aarch64", "", "$x0 = LDRXui $x1, 4096", "Unexpected immediate on load/store instruction"},
		{"aarch64", "", "$x0 = LDRXui $x1, 4095", ""},
		{"aarch64", "", "$x0 = LDURXi $x1, -257", "Unexpected immediate on load/store instruction"},
		{"riscv64", "", "$x5 = ADDI $x6, 2048", "Invalid immediate"},
		{"riscv64", "", "$x5 = SLLI $x6, 63", ""},
		{"riscv32", "", "$x5 = SLLI $x6, 63", "Invalid immediate"},
		{"thumbv7m", "", "$r0 = t2LDRi12 $r1, 4096, 14, $noreg", "Incorrect AddrMode Imm for instruction"},
		{"thumbv6m", "", "tPUSH 14, $noreg, $r8, implicit-def $sp, implicit $sp", "Unsupported register in Thumb1 push/pop"},
		{"x86_64", "", "$eax = MOV32rm $rax, 3, $rcx, 0, $noreg", "Scale factor in address must be 1, 2, 4 or 8"},
		{"x86_64", "", "$eax = MOV32rm $rax, 1, $noreg, 2147483648, $noreg", "Displacement in address must fit into 32-bit signed integer"},
		{"s390x", "", "$r1l = L $r2d, $r3d, $noreg", "Addressing mode operands corrupt!"},
	} {
		f, err := parse("t.mir", []byte("---\nname: f\nbody: |\n  bb.0:\n    "+c.body+"\n...\n"), c.triple, "", c.cpu, "")
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := ""
		if r := Verify(f.Functions[0], Options{}); !r.OK() {
			got = r.Errors[0].Msg
		}
		if got != c.want {
			t.Errorf("%s %s: %s: %q, want %q", c.triple, c.cpu, c.body, got, c.want)
		}
	}
}

// The ends of blocks as the targets take them apart.
func TestBranches(t *testing.T) {
	const extra = "MBB has unexpected successors which are not branch targets, fallthrough, EHPads, or inlineasm_br targets."
	for _, c := range []struct{ triple, body, want string }{
		{"armv7a", "Bcc %bb.1, 0, $cpsr\n    B %bb.2", ""},
		{"armv7a", "B %bb.2", extra},
		{"mips", "BEQ $a0, $a1, %bb.2, implicit-def $at", ""},
		{"mips", "B %bb.2, implicit-def $at", extra},
		{"hexagon", "J2_jumpt $p0, %bb.2, implicit-def $pc", ""},
		{"hexagon", "J2_jump %bb.2, implicit-def $pc", extra},
		{"s390x", "BRC 14, 6, %bb.2, implicit $cc", ""},
		{"s390x", "J %bb.2", extra},
	} {
		src := "---\nname: f\nbody: |\n  bb.0:\n    successors: %bb.1, %bb.2\n    " + c.body + "\n  bb.1:\n  bb.2:\n...\n"
		f, err := parse("t.mir", []byte(src), c.triple, "", "", "")
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := ""
		for _, e := range Verify(f.Functions[0], Options{}).Errors {
			if strings.HasPrefix(e.Msg, "MBB") {
				got = e.Msg
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.triple, c.body, got, c.want)
		}
	}
}
