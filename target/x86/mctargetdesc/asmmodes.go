package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/desc"
)

// assembled reports opcodes that text stands for; the others are code generation's,
// or other encodings of the same text.
func assembled(op desc.Opcode, info *desc.Info) bool {
	n := info.OpcodeName(op)
	switch n {
	case "MMX_MOVD64to64rm", "MMX_MOVD64from64mr":
		return false // so are MMX_MOVQ64rm and MMX_MOVQ64mr
	}
	switch strings.TrimPrefix(n, "V") {
	case "MOV64toPQIrm", "MOV64toPQIZrm", "MOVPQIto64mr", "MOVPQIto64Zmr":
		return false // moves of 8 bytes of memory are written as MOVQI2PQIrm and MOVPQI2QImr
	}
	return !info.Instr(op).IsPseudo() && !strings.Contains(n, "_REV") && !strings.Contains(n, "_Int")
}

// Beginnings of names of opcodes that modes lack, each between spaces.
const (
	only64Names = " CALL64 JMP64 PUSH64 POP64 RET64 RETI64 LEAVE64 PUSHF64 POPF64 LEA64 LGDT64 LIDT64 SGDT64 SIDT64 SWAPGS ERETS ERETU LKGS UIRET CLUI STUI TESTUI SENDUIPI " +
		"VMREAD64 VMWRITE64 INVEPT64 INVVPID64 INVPCID64 PBNDKB URDMSR UWRMSR CMPCCXADD MONITOR64 UMONITOR64 TILE LDTILECFG STTILECFG TDP TMM "
	not64Names = " AAA AAD8i8 AAM8i8 AAS DAA DAS ARPL16 BOUNDS INTO PUSHA16 PUSHA32 POPA16 POPA32 LDS16 LDS32 LES16 LES32 PUSHCS PUSHSS PUSHDS PUSHES POPSS POPDS POPES FARCALL16i FARCALL32i FARJMP16i FARJMP32i " +
		"MOV32cr MOV32rc MOV32dr MOV32rd PUSH32 POP32 PUSHF32 POPF32 CALL32 JMP32 CALLpcrel32 CALL16 JMP16 CALLpcrel16 SALC LEAVE RET32 RETI32 INC16r_alt INC32r_alt DEC16r_alt DEC32r_alt JCXZ INVEPT32 INVVPID32 INVPCID32 " +
		"VMREAD32 VMWRITE32 LGDT16m LGDT32m LIDT16m LIDT32m SGDT16m SGDT32m SIDT16m SIDT32m LEA32r MONITOR32 "
)

// modesOf gives the modes that have an opcode.
func modesOf(op desc.Opcode, info *desc.Info) uint8 {
	ts := tsFlags(info.Instr(op).TSFlags)
	n := info.OpcodeName(op)
	in := func(list string) bool {
		for k := len(n); k > 1; k-- {
			if strings.Contains(list, " "+n[:k]+" ") {
				rest := n[k:]
				return rest == "" || rest[0] < 'A' || rest[0] > 'Z'
			}
		}
		return false
	}
	switch {
	case ts.form() == formRawMemOffs:
		return [4]uint8{modeAll, mode16, mode32, mode64}[ts.adSize()]
	case in(only64Names) || ts.apx() || ts.encoding() == encLegacy && ts.rexW() || ts.encoding() == encLegacy && ts.adSize() == size64:
		return mode64
	case in(not64Names):
		return mode16 | mode32
	case n == "XBEGIN_2":
		return mode16
	case n == "XBEGIN_4":
		return mode32 | mode64
	}
	return modeAll
}

func isNF(info *desc.Info, op desc.Opcode) bool {
	return tsFlags(info.Instr(op).TSFlags).evexNF() && strings.Contains(info.OpcodeName(op), "_NF")
}

// The values of tsFlags.explicit that ask for {vex} and {evex}.
func explicitVEX(info *desc.Info, op desc.Opcode) bool {
	return tsFlags(info.Instr(op).TSFlags).explicit() == 2
}

func explicitEVEX(info *desc.Info, op desc.Opcode) bool {
	return tsFlags(info.Instr(op).TSFlags).explicit() == 3
}
