// Mclearn learns how instructions are encoded and written from what an installed
// LLVM answers about them, and writes desc/facts/zz_mc_*.bin.
//
//	make -C tools/llvmfacts ask
//	go run ./tools/mclearn -ask /tmp/llvmfacts-build/llvmask -o desc/facts RISCV BPF
//
// Questions are about instructions with operands (oracle.go; tools/llvmfacts/ask.cpp
// answers them through LLVM's public API). Of each opcode some operands are found
// that encode, at best such that decode to themselves (base.go, domain.go); then one
// operand changes at a time, which shows the bits that follow it (encode.go, fit.go,
// linear.go) and its place and style in the text (text.go, style.go); then several
// change, which shows aliases (alias.go); texts of X86 are learned by marks (marked.go). Each of these holds what it learned to
// random operands before it is kept; what is not kept is counted by its reason.
// Tables are made of the rest (build.go); docs/machine-code.md says what they are.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
)

func main() {
	ask := flag.String("ask", "/tmp/llvmfacts-build/llvmask", "the program that asks LLVM")
	out := flag.String("o", "", "the folder of the fact files")
	verbose := flag.Bool("v", false, "list what is not learned")
	only := flag.String("op", "", "learn opcodes of this name alone, and show them")
	decoder := flag.Bool("d", false, "learn decoders, from the encoders that there are")
	match := flag.Bool("match", false, "learn the matchers of targets whose other tables are there")
	objs := flag.Bool("objects", false, "learn what becomes of expressions in objects: zz_obj_*.bin")
	system := flag.String("system", "", "the llvm-mc to learn the names of AArch64's system registers and operations from, into the file -o")
	relocs := flag.String("relocs", "", "the folder of LLVM's lists of relocations (BinaryFormat/ELFRelocs), to collect into the file -o")
	riscv := flag.String("riscv", "", "the llvm-mc to learn RISC-V's control and status registers and its extensions from, into the folder -o")
	rows := flag.String("rows", "", "learn the rows of Mips' assembler into this file")
	leaves := flag.String("leaves", "", "make decoders of the tables of this object file of LLVM (ARMDisassembler.cpp.o of libLLVMARMDisassembler.a)")
	flag.Parse()
	if *rows != "" {
		if err := learnRows(*ask, *rows); err != nil {
			fmt.Fprintln(os.Stderr, "mclearn:", err)
			os.Exit(1)
		}
		return
	}
	if *relocs != "" {
		if err := relocNames(*relocs, *out); err != nil {
			fmt.Fprintln(os.Stderr, "mclearn:", err)
			os.Exit(1)
		}
		return
	}
	if *riscv != "" {
		err := csrNames(*riscv, filepath.Join(*out, "zz_csrs.txt"))
		if err == nil {
			err = archExtensions(*riscv, filepath.Join(*out, "zz_extensions.txt"))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "mclearn:", err)
			os.Exit(1)
		}
		return
	}
	if *system != "" {
		if err := systemNames(*system, *out); err != nil {
			fmt.Fprintln(os.Stderr, "mclearn:", err)
			os.Exit(1)
		}
		return
	}
	for _, name := range flag.Args() {
		var err error
		_, marked := markedTargets[name]
		switch {
		case *leaves != "":
			err = learnLeaves(name, *ask, *leaves, *out, *only, *verbose)
		case *decoder && marked:
			err = learnContexts(name, *ask, *out)
		case *decoder:
			err = learnDecoder(name, *ask, *out, *only, *verbose)
		case *objs:
			err = learnObjects(name, *ask, *out, *verbose)
		case *match:
			err = learnMatcher(name, *ask, *out, *verbose)
		default:
			err = learnTarget(name, *ask, *out, *only, *verbose)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "mclearn:", name+":", err)
			os.Exit(1)
		}
	}
}

// learnTarget learns a target and writes its tables.
func learnTarget(name, ask, out, only string, verbose bool) error {
	if t, ok := markedTargets[name]; ok {
		return learnMarked(name, t, ask, out, only, verbose)
	}
	began := time.Now()
	t, ok := targets[name]
	if !ok {
		return fmt.Errorf("no views of it are listed")
	}
	info, err := facts.Load(name)
	if err != nil {
		return err
	}
	l := newLearner(info, nil, info.DefaultMode)
	l.trace = only != ""
	var ors []*process
	for _, v := range t.views {
		v.features = expand(info, v.features)
		p, err := start(ask, v)
		if err != nil {
			return fmt.Errorf("%s: %w", v.triple, err)
		}
		defer p.close()
		if p.ops != info.NumInstrs() || len(p.regs) != len(info.Regs) {
			return fmt.Errorf("%s has %d opcodes and %d registers, the facts have %d and %d", v.triple, p.ops, len(p.regs), info.NumInstrs(), len(info.Regs))
		}
		ors = append(ors, p)
	}
	var ins []*instr
	st := stats{}
	for op := desc.FirstTargetOpcode; int(op) < info.NumInstrs(); op++ {
		if only != "" && info.OpcodeName(op) != only {
			continue
		}
		if info.Instr(op).IsPseudo() {
			st.pseudo++
			continue
		}
		in := l.learn(op, t.modes, ors)
		if in != nil {
			l.learnModes(in, t.modes, ors)
		}
		if l.err != nil {
			return fmt.Errorf("%s: %s: %w", name, info.OpcodeName(op), l.err)
		}
		if in == nil {
			st.refused++
			continue
		}
		ins = append(ins, in)
		st.count(in)
		if verbose || only != "" {
			show(l, in, only != "")
		}
	}
	if only != "" {
		return nil
	}
	l.or = ors[0]
	tables := l.tables(ins, t.modes, ors[0].bigEndian())
	data := facts.AppendMachineCode(nil, tables)
	asked := 0
	for _, p := range ors {
		asked += p.asked
	}
	fmt.Printf("%s: %s; %d bytes, %d questions, %.0f s\n", name, st.String(), len(data), asked, time.Since(began).Seconds())
	st.reasons()
	if out == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(out, "zz_mc_"+t.file+".bin"), data, 0o666)
}

// learn learns an opcode through the view that understands it best; nil when none encodes it.
func (l *learner) learn(op desc.Opcode, modes []mode, ors []*process) *instr {
	best, at := 0, 0
	var in *instr
	var dec desc.Opcode
	for k, p := range ors {
		l.or = p
		base, decOp, q := l.findBase(op)
		if q > best {
			best, at, dec = q, k, decOp
			in = &instr{op: op, view: k, base: base}
		}
		if q == 3 {
			break
		}
	}
	if in == nil {
		return nil
	}
	if best < 3 { // what decodes to itself belongs where it does
		if d, q := l.outsideModes(in, modes, ors); q > 0 {
			at, dec, best = in.view, d, q
		}
	}
	l.or = ors[at]
	l.encode(in, dec, best)
	if in.dom == nil {
		in.dom = l.domains(op)
	}
	if !in.decodable && in.fixed == (code{}) && len(in.fields) == 0 {
		return nil // a pseudo instruction that is not marked as one
	}
	// Of operands that decide about the form together another choice may do.
	for range 4 {
		if l.text(in); in.printed || in.textWhy != tooFewForms {
			break
		}
	}
	if in.printed {
		l.learnAliases(in)
	}
	return in
}

// learnModes learns encodings that are others in modes, each through the view of
// the mode that understands the opcode best.
func (l *learner) learnModes(in *instr, modes []mode, ors []*process) {
	for _, m := range modes {
		if slices.Contains(m.views, in.view) {
			continue // its encoding is the mode's
		}
		var other *instr
		var dec desc.Opcode
		best, differs := 0, false
		for _, v := range m.views {
			if !in.encoded || v == in.view {
				continue
			}
			l.or = ors[v]
			base, decOp, q := l.findBase(in.op)
			if q < best || q == 0 || q == best && differs {
				continue
			}
			as := l.ask([]question{{want: wantCode, op: in.op, ops: base}})
			c, ok := l.predict(in, base)
			now := !ok || !as[0].codeOK || len(as[0].code) != in.size || c != codeOf(as[0].code, l.or.bigEndian())
			if q > best || now {
				other, dec, best, differs = &instr{op: in.op, view: v, base: base}, decOp, q, now
			}
		}
		if !differs {
			continue
		}
		l.or = ors[other.view]
		// What the mode's decoder does not know is not of the mode, or of another
		// opcode's encoding: it has none there.
		if best >= 2 {
			l.encode(other, dec, best)
		}
		if best >= 2 && !other.encoded {
			in.encWhy = "its encoding in mode " + m.name + " is not understood: " + other.encWhy
		}
		if in.modes == nil {
			in.modes = map[string]*instr{}
		}
		in.modes[m.name] = other
	}
}

// outsideModes gives an opcode that a view of a mode understands best a view of
// none, where it is encoded otherwise there: that one is the common encoding.
func (l *learner) outsideModes(in *instr, modes []mode, ors []*process) (dec desc.Opcode, quality int) {
	inMode := func(v int) bool {
		for _, m := range modes {
			if slices.Contains(m.views, v) {
				return true
			}
		}
		return false
	}
	if !inMode(in.view) {
		return 0, 0
	}
	asked := func(v int) answer {
		l.or = ors[v]
		return l.ask([]question{{want: wantCode, op: in.op, ops: in.base}})[0]
	}
	here, best := asked(in.view), *in
	for v := range ors {
		if a := asked(v); inMode(v) || !a.codeOK || bytes.Equal(a.code, here.code) {
			continue
		}
		l.or = ors[v]
		if base, decOp, q := l.findBase(in.op); q > quality {
			best.view, best.base, dec, quality = v, base, decOp, q
		}
	}
	*in = best
	return dec, quality
}

// stats counts what became of opcodes.
type stats struct {
	pseudo, refused, all, decodes, encoded, printed, both, aliases int
	why                                                            map[string]int
}

func (s *stats) count(in *instr) {
	if s.why == nil {
		s.why = map[string]int{}
	}
	s.all++
	add := func(n *int, ok bool) {
		if ok {
			*n++
		}
	}
	add(&s.decodes, in.decodable)
	add(&s.encoded, in.encoded)
	add(&s.printed, in.printed)
	add(&s.both, in.encoded && in.printed)
	s.aliases += len(in.aliases)
	for _, w := range [...][2]string{{"encoding", in.encWhy}, {"text", in.textWhy}, {"alias", in.aliasWhy}} {
		if w[1] != "" {
			s.why[w[0]+": "+w[1]]++
		}
	}
}

func (s *stats) String() string {
	return fmt.Sprintf("%d opcodes encode, %d of them decode; %d encodings, %d texts, %d both, %d aliases (%d pseudo, %d without encoding)",
		s.all, s.decodes, s.encoded, s.printed, s.both, s.aliases, s.pseudo, s.refused)
}

// reasons prints why opcodes are missing.
func (s *stats) reasons() {
	var keys []string
	for k := range s.why {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		return s.why[keys[i]] > s.why[keys[j]] || s.why[keys[i]] == s.why[keys[j]] && keys[i] < keys[j]
	})
	for _, k := range keys {
		fmt.Printf("  %5d %s\n", s.why[k], k)
	}
}

// show prints what is learned of an opcode.
func show(l *learner, in *instr, all bool) {
	name := l.info.OpcodeName(in.op)
	for _, w := range [...][2]string{{"encoding", in.encWhy}, {"text", in.textWhy}, {"alias", in.aliasWhy}} {
		if w[1] != "" {
			fmt.Printf("%s (view %d): %s: %s\n", name, in.view, w[0], w[1])
		}
	}
	if !all {
		return
	}
	fmt.Printf("%s view %d size %d fixed %x base %v\n", name, in.view, in.size, in.fixed, in.base)
	for _, f := range in.fields {
		fmt.Printf("  operand %d %+v %+v segs %v fixup %v maps %d\n", f.op, f.xform, f.format, f.lin.segs(), f.fixup, len(f.maps))
	}
	printParts := func(ps []part) {
		for _, p := range ps {
			fmt.Printf(" %q", p.text)
			if p.op >= 0 {
				fmt.Printf(" <%d kind %d mul %d add %d bits %d %q %q %d texts>", p.op, p.style.kind, p.style.mul, p.style.add, p.style.bits, p.style.prefix, p.style.suffix, len(p.style.texts))
			}
		}
		fmt.Println()
	}
	printParts(in.parts)
	for _, a := range in.aliases {
		fmt.Printf("  alias %+v:", a.conds)
		printParts(a.parts)
	}
}

// expand makes the features of a view: "+x*" stands for all that begin with x,
// "+*" for all, "-x" and "-x*" take some away again.
func expand(info *desc.Info, list string) string {
	if !strings.Contains(list, "*") {
		return list
	}
	var out []string
	for i := range info.Features {
		f := info.Str(info.Features[i].Name)
		want := false
		for _, p := range strings.Split(list, ",") {
			if name, glob := strings.CutSuffix(p[1:], "*"); f == name || glob && strings.HasPrefix(f, name) {
				want = p[0] == '+'
			}
		}
		if want {
			out = append(out, "+"+f)
		}
	}
	return strings.Join(out, ",")
}
