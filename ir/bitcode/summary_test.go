package bitcode

import (
	"bytes"
	"testing"

	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir/irtext"
)

// moduleSummary and combinedSummary have every form of entry; they are what LLVM prints.
const moduleSummary = `; ModuleID = 'm.ll'
source_filename = "m.ll"

@v = constant { ptr } { ptr @f }
@w = internal global i32 0

define void @f() {
  ret void
}

declare void @g()

^0 = module: (path: "m.ll", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "w", summaries: (variable: (module: ^0, flags: (linkage: internal, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 1, canAutoHide: 0, importType: definition), varFlags: (readonly: 1, writeonly: 1, constant: 0)))) ; guid = 3118637421402213438
^2 = gv: (name: "g") ; guid = 13146401226427987378
`

const combinedSummary = `; ModuleID = 'm.ll'
source_filename = "m.ll"

^0 = module: (path: "a.o", hash: (1, 2, 3, 4, 5))
^1 = module: (path: "b.o", hash: (0, 0, 0, 0, 0))
^2 = gv: (guid: 11, summaries: (function: (module: ^0, flags: (linkage: external, visibility: hidden, notEligibleToImport: 1, live: 1, dsoLocal: 1, canAutoHide: 1, importType: declaration), insts: 7, funcFlags: (readNone: 0, readOnly: 1, noRecurse: 0, returnDoesNotAlias: 0, noInline: 0, alwaysInline: 0, noUnwind: 0, mayThrow: 1, hasUnknownCall: 0, mustBeUnreachable: 0), calls: ((callee: ^3, hotness: hot, tail: 1)), typeIdInfo: (typeTests: (^5, 77), typeTestAssumeVCalls: (vFuncId: (^5, offset: 16)), typeCheckedLoadVCalls: (vFuncId: (guid: 78, offset: 8)), typeTestAssumeConstVCalls: ((vFuncId: (^5, offset: 24), args: (42, 43))), typeCheckedLoadConstVCalls: ((vFuncId: (guid: 79, offset: 0)))), allocs: ((versions: (notcold, cold), memProf: ((type: notcold, stackIds: (123, 456)), (type: cold, stackIds: (123, 9000000000000))))), callsites: ((callee: ^3, clones: (0), stackIds: (456, 789)), (callee: null, clones: (0, 1), stackIds: (5))), params: ((param: 0, offset: [-8, 15], calls: ((callee: ^3, param: 1, offset: [0, 3])))), refs: (^4, readonly ^3, writeonly ^2))))
^3 = gv: (guid: 12, summaries: (alias: (module: ^0, flags: (linkage: weak_odr, visibility: default, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), aliasee: ^2)))
^4 = gv: (guid: 13, summaries: (variable: (module: ^1, flags: (linkage: common, visibility: protected, notEligibleToImport: 0, live: 0, dsoLocal: 0, canAutoHide: 0, importType: definition), varFlags: (readonly: 1, writeonly: 0, constant: 1), refs: (^2))))
^5 = typeid: (name: "_ZTS1A", summary: (typeTestRes: (kind: allOnes, sizeM1BitWidth: 7, alignLog2: 1, sizeM1: 2, bitMask: 3, inlineBits: 4), wpdResolutions: ((offset: 0, wpdRes: (kind: branchFunnel)), (offset: 8, wpdRes: (kind: singleImpl, singleImplName: "_ZN1A1nEi")), (offset: 16, wpdRes: (kind: indir, resByArg: (args: (1, 2), byArg: (kind: indir, byte: 2, bit: 3), args: (3), byArg: (kind: uniformRetVal, info: 1))))))) ; guid = 7004155349499253778
^6 = flags: 8
^7 = blockcount: 1234
`

func TestSummaries(t *testing.T) {
	for _, text := range []string{moduleSummary + "^3 = blockcount: 0\n", combinedSummary} {
		m, err := irtext.Parse("m.ll", []byte(text), irtext.Options{})
		if err != nil {
			t.Fatal(err)
		}
		first := irtext.AppendModule(nil, m)
		b, err := Append(nil, m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read("m.ll", b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !m.Summary.Combined { // bitcode has a value for every global
			for i := 1; i < len(m.Globals); i++ {
				m.Summary.Value(m.GUID(m.Globals[i].ID)).Name = m.Globals[i].Name
			}
			first = irtext.AppendModule(nil, m)
		} else {
			same(t, "text", first, []byte(text))
		}
		same(t, "bitcode", irtext.AppendModule(nil, back), first)
	}
}

// TestSummariesAgainstLLVM lets LLVM read what we write, and print what we print.
func TestSummariesAgainstLLVM(t *testing.T) {
	as, dis := testenv.LLVM(t, "llvm-as"), testenv.LLVM(t, "llvm-dis")
	// LLVM does not write the contexts of allocations into combined indexes.
	bare := func(b []byte) []byte {
		return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("(123, 456)"), []byte("()")), []byte("(123, 9000000000000)"), []byte("()"))
	}
	for _, text := range []string{moduleSummary, combinedSummary} {
		b := module(t, text, Options{})
		want := run(t, run(t, []byte(text), as, "-o", "-"), dis, "-o", "-")
		same(t, "our bitcode", bare(run(t, b, dis, "-o", "-")), want)
		m, err := Read("<stdin>", b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "our text", bare(irtext.AppendModule(nil, m)), want)
	}
}
