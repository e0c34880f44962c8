package x86

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/callconv"
	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/ir"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/tablegen/emit/callingconv"
	"github.com/mirin-go/mirin/target"
	"github.com/mirin-go/mirin/target/x86/tab"
)

var updateConventions = flag.Bool("update-conventions", false, "write testdata/conventions.txt anew from an installed llc")

// signature is one line of testdata/conventions.txt: what is asked and, behind
// "=>", what LLVM answers.
type signature struct {
	cc, ret, attrs string
	params         []string
}

// splitParams cuts at commas that are not inside brackets.
func splitParams(s string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '(', '<', '{', '[':
			depth++
		case ')', '>', '}', ']':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if s = strings.TrimSpace(s[start:]); s != "" {
		out = append(out, s)
	}
	return out
}

var sigLine = regexp.MustCompile(`^(\w+) (.*?) @(\S*) (.*)$`)

func parseSignature(t *testing.T, line string) signature {
	m := sigLine.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("not a signature: %s", line)
	}
	return signature{cc: m[1], ret: m[2], attrs: m[3], params: splitParams(m[4])}
}

// typeOfParam is the type at the front of a parameter.
func typeOfParam(p string) string {
	if strings.HasPrefix(p, "ptr addrspace(") {
		return p[:strings.IndexByte(p, ')')+1]
	}
	depth := 0
	for i, c := range p {
		switch c {
		case '(', '<', '{', '[':
			depth++
		case ')', '>', '}', ']':
			depth--
		case ' ':
			if depth == 0 {
				return p[:i]
			}
		}
	}
	return p
}

// module gives the function in LLVM IR. Every parameter is stored, so that LLVM
// does not forget it. A signature with variable arguments is that of a call.
func (s *signature) module() string {
	var b, body strings.Builder
	b.WriteString("target triple = \"x86_64-unknown-linux-gnu\"\n@sink = external global [64 x i8], align 64\n@src = external global [64 x i8], align 64\n")
	ret := "  ret void\n"
	if s.ret != "void" {
		ty := s.ret[strings.LastIndex(s.ret, "~")+1:]
		ret = fmt.Sprintf("  %%r = load volatile %s, ptr @src\n  ret %s %%r\n", ty, ty)
	}
	if k := slices.Index(s.params, "..."); k >= 0 {
		var sig, args []string
		for n, p := range s.params {
			if p == "..." {
				continue
			}
			ty := typeOfParam(p)
			fmt.Fprintf(&body, "  %%a%d = load volatile %s, ptr @src\n", n, ty)
			args = append(args, fmt.Sprintf("%s %%a%d", p, n))
			if n < k {
				sig = append(sig, ty)
			}
		}
		fmt.Fprintf(&b, "declare %s void @callee(%s)\n", s.cc, strings.Join(append(sig, "..."), ", "))
		fmt.Fprintf(&b, "define void @f() {\n%s  call %s void (%s) @callee(%s)\n  ret void\n}\n", body.String(), s.cc,
			strings.Join(append(sig, "..."), ", "), strings.Join(args, ", "))
		return b.String()
	}
	var params []string
	for n, p := range s.params {
		params = append(params, fmt.Sprintf("%s %%a%d", p, n))
		if strings.HasSuffix(p, "swifterror") {
			fmt.Fprintf(&body, "  %%e%d = load ptr, ptr %%a%d\n  store volatile ptr %%e%d, ptr @sink\n", n, n, n)
			continue
		}
		fmt.Fprintf(&body, "  store volatile %s %%a%d, ptr @sink\n", typeOfParam(p), n)
	}
	attrs := ""
	if s.attrs != "" {
		attrs = fmt.Sprintf(" \"target-features\"=%q", s.attrs)
	}
	fmt.Fprintf(&b, "define %s %s @f(%s)%s {\n%s%s}\n", s.cc, strings.ReplaceAll(s.ret, "~", " "), strings.Join(params, ", "), attrs, body.String(), ret)
	return b.String()
}

var (
	liveInRe   = regexp.MustCompile(`reg: '\$(\w+)'`)
	fixedSlot  = regexp.MustCompile(`id: \d+, type: default, offset: (-?\d+), size`)
	retInstr   = regexp.MustCompile(`(?m)^ +RET \d+(.*)$`)
	callInstr  = regexp.MustCompile(`(?m)^ +CALL64pcrel32.*$`)
	usedReg    = regexp.MustCompile(`(?:implicit )?\$(\w+)`)
	stackStore = regexp.MustCompile(`into stack( \+ \d+)?`)
)

// llvm asks llc where it puts the arguments and the result.
func (s *signature) llvm(t *testing.T, llc string) string {
	cmd := exec.Command(llc, "-stop-after=finalize-isel", "-O0", "-fast-isel=0", "-o", "-", "-")
	cmd.Stdin = strings.NewReader(s.module())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "error"
	}
	text := string(out)
	var regs, slots, rets []string
	if slices.Contains(s.params, "...") {
		call := callInstr.FindString(text)
		if i := strings.Index(call, "implicit $ssp"); i >= 0 {
			call = call[i+len("implicit $ssp"):]
		}
		if i := strings.Index(call, ", implicit-def"); i >= 0 {
			call = call[:i]
		}
		for _, m := range usedReg.FindAllStringSubmatch(call, -1) {
			if m[1] != "al" {
				regs = append(regs, m[1])
			}
		}
		for _, m := range stackStore.FindAllStringSubmatch(text, -1) {
			off := strings.TrimPrefix(m[1], " + ")
			if off == "" {
				off = "0"
			}
			if !slices.Contains(slots, off) {
				slots = append(slots, off)
			}
		}
	} else {
		ins, _, _ := strings.Cut(text[strings.Index(text, "\nliveins:"):], "frameInfo:")
		for _, m := range liveInRe.FindAllStringSubmatch(ins, -1) {
			regs = append(regs, m[1])
		}
		_, fixed, _ := strings.Cut(text, "\nfixedStack:")
		fixed, _, _ = strings.Cut(fixed, "\nstack:")
		for _, m := range fixedSlot.FindAllStringSubmatch(fixed, -1) {
			slots = append(slots, m[1])
		}
		if m := retInstr.FindStringSubmatch(text); m != nil {
			for _, r := range usedReg.FindAllStringSubmatch(m[1], -1) {
				rets = append(rets, r[1])
			}
		}
	}
	return answer(regs, slots, rets)
}

// answer is the right side of a line. Slots are sorted: LLVM makes them in another order.
func answer(regs, slots, rets []string) string {
	slices.SortFunc(slots, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return strings.TrimSpace(strings.Join(regs, " ") + " | " + strings.Join(slots, " ") + " | " + strings.Join(rets, " "))
}

// leaves lists the scalar parts of a type.
func leaves(types *ir.Types, dl *ir.DataLayout, ty ir.Type) []callconv.Part {
	switch types.Kind(ty) {
	case ir.KindStruct:
		var out []callconv.Part
		for _, m := range types.Subtypes(ty) {
			out = append(out, leaves(types, dl, m)...)
		}
		return out
	case ir.KindArray:
		var out []callconv.Part
		for range types.NumElems(ty) {
			out = append(out, leaves(types, dl, types.Elem(ty))...)
		}
		return out
	case ir.KindVoid:
		return nil
	}
	return []callconv.Part{{Type: ty}}
}

// mirin answers the same from the tables.
func (s *signature) mirin(t *testing.T) string {
	m, err := irtext.Parse("sig.ll", []byte(s.module()), irtext.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, s.module())
	}
	mach, err := target.NewMachine(&Target, target.Options{Triple: "x86_64-unknown-linux-gnu", Features: s.attrs})
	if err != nil {
		t.Fatal(err)
	}
	st, err := mach.Subtarget(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	var g *ir.Global
	for _, x := range m.Globals {
		if x != nil && (x.Name == "callee" || x.Name == "f" && g == nil) {
			g = x
		}
	}
	list := m.Attrs.At(g.Attrs)
	var args []callconv.Arg
	var rets []string
	res := m.Types.Result(g.ValueType)
	ret := callconv.Arg{Type: res, Attrs: list.Ret, Parts: leaves(m.Types, st.Layout, res)}
	r, a := &callconv.State{}, &callconv.State{}
	why := st.Call.PlaceResult(r, m.Types, st.Layout, g.CC, &ret)
	if why != "" {
		args = append(args, callconv.Arg{Type: ir.Ptr, Attrs: ir.AttrSet{{Key: "sret", Type: res}}, Parts: []callconv.Part{{Type: ir.Ptr}}})
		if g.CC != ccSwift {
			rets = append(rets, "rax")
		}
	} else {
		for _, l := range r.Locs {
			if l.Reg == tab.FP0 || l.Reg == tab.FP1 {
				continue // virtual registers as yet in LLVM's output
			}
			rets = append(rets, strings.ToLower(st.Facts.RegName(l.Reg)))
		}
	}
	fixed := len(m.Types.Subtypes(g.ValueType))
	varArg := m.Types.IsVarArg(g.ValueType)
	for n, ty := range m.Types.Subtypes(g.ValueType) {
		args = append(args, callconv.Arg{Type: ty, Attrs: list.Param(n), Parts: leaves(m.Types, st.Layout, ty)})
		if list.Param(n).Has("sret") && g.CC != ccSwift {
			rets = append(rets, "rax")
		}
		if list.Param(n).Has("swifterror") {
			rets = append(rets, "r12")
		}
	}
	if varArg {
		// The types of the variable arguments are those of the call.
		var fn *ir.Function
		for _, x := range m.Globals {
			if x != nil && x.Name == "f" {
				fn = x.Func
			}
		}
		for i := range fn.Instrs {
			if fn.Instrs[i].Op == ir.OpCall {
				attrs := m.Attrs.At(fn.Instrs[i].Attrs)
				for n := fixed; n < fn.NumArgOps(ir.InstrID(i)); n++ {
					ty := fn.TypeOf(fn.Op(ir.InstrID(i), n))
					args = append(args, callconv.Arg{Type: ty, Attrs: attrs.Param(n), Parts: leaves(m.Types, st.Layout, ty)})
				}
			}
		}
	}
	why = st.Call.PlaceArgs(a, m.Types, st.Layout, g.CC, varArg, fixed, args)
	if why != "" {
		return "error"
	}
	var regs, slots []string
	for _, l := range a.Locs {
		if l.Reg != 0 {
			regs = append(regs, strings.ToLower(st.Facts.RegName(l.Reg)))
		} else {
			slots = append(slots, fmt.Sprint(l.Off))
		}
	}
	return answer(regs, slots, rets)
}

// TestConventions holds the tables to LLVM's answers, which are checked in, and
// those to an installed llc.
func TestConventions(t *testing.T) {
	const file = "testdata/conventions.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	llc := ""
	if *updateConventions {
		llc = testenv.LLVM(t, "llc")
	} else if p, err := exec.LookPath("llc-22"); err == nil && !testing.Short() {
		llc = p
	}
	var out strings.Builder
	asked := 0
	for k, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if line == "" || line[0] == '#' {
			out.WriteString(line + "\n")
			continue
		}
		q, want, _ := strings.Cut(line, " => ")
		s := parseSignature(t, q)
		// Each llc takes 20 ms: an ordinary run asks for every eighth line.
		if *updateConventions || llc != "" && k%8 == 0 {
			asked++
			if got := s.llvm(t, llc); *updateConventions {
				want = got
			} else if got != want {
				t.Errorf("%s:%d: %s\nllc:  %s\nfile: %s", file, k+1, q, got, want)
			}
		}
		if got := s.mirin(t); got != want {
			t.Errorf("%s:%d: %s\ngot  %s\nwant %s", file, k+1, q, got, want)
		}
		out.WriteString(q + " => " + want + "\n")
	}
	if llc == "" {
		t.Log("llc-22 is not installed: compared with checked-in answers only")
	} else {
		t.Logf("asked llc about %d signatures", asked)
	}
	if *updateConventions {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConventionsAreCurrent: tab/zz_callconv.go is what the .td file gives.
func TestConventionsAreCurrent(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	table, err := callingconv.FromFile(in, "X86CallingConv.td", os.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := callingconv.AppendGo(nil, table, "tab")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("tab/zz_callconv.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("tab/zz_callconv.go is not current: run go generate ./target/x86/...")
	}
}

// TestSavedRegisters: each list preserves what LLVM's mask of its name does.
func TestSavedRegisters(t *testing.T) {
	in, err := facts.X86()
	if err != nil {
		t.Fatal(err)
	}
	for k := range tab.CallConv.Saved {
		name := tab.CallConv.Saved[k].Name
		n, ok := in.RegMaskByName(strings.ToLower(name))
		if !ok {
			t.Errorf("LLVM has no mask %s", name)
			continue
		}
		want := in.RegMask(n)
		got := callconv.RegMask(in, tab.CallConv.PreservedRegs(k))
		for r := 1; r < len(in.Regs); r++ {
			if g, w := got[r/32]>>(r%32)&1, want[r/32]>>(r%32)&1; g != w {
				t.Errorf("%s: register %s: preserved %d, LLVM's mask says %d", name, in.RegName(desc.PhysReg(r)), g, w)
			}
		}
	}
}
