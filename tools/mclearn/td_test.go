package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/facts"
	"github.com/mirin-go/mirin/internal/testenv"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/table"
	"github.com/mirin-go/mirin/tablegen"
	"github.com/mirin-go/mirin/tablegen/emit/mcgen"
	"github.com/mirin-go/mirin/tablegen/emit/targetinfo"
	"github.com/mirin-go/mirin/tablegen/include"
)

// tdOracle answers by the tables that a .td file compiles to.
type tdOracle struct {
	info  *desc.Info
	enc   *table.Encoder
	dec   *table.Decoder
	plain *table.Printer
	alias *table.Printer
	big   bool
	ctx   *mc.Context
	sym   mc.Sym
	names *desc.EncoderTable
}

func openTD(t *testing.T, path string) *tdOracle {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rs, err := tablegen.Parse(tablegen.Options{ReadFile: include.ReadFile(nil)}, filepath.Base(path), src)
	check(err)
	td, err := targetinfo.Build(rs, targetinfo.Options{})
	check(err)
	g := mcgen.New(rs, td)
	o := &tdOracle{info: td.Info}
	o.names, err = g.Encoder()
	check(err)
	o.big = o.names.BigEndian
	o.enc, err = table.NewEncoder(o.names, td.Info, table.EncodeFuncs{})
	check(err)
	d, err := g.Decoder(mcgen.DecoderOptions{})
	check(err)
	o.dec, err = table.NewDecoder(d, td.Info, nil)
	check(err)
	w, err := g.Writer()
	check(err)
	o.alias, err = table.NewPrinter(w, td.Info, 0, table.PrintFuncs{})
	check(err)
	o.plain, err = table.NewPrinter(w, td.Info, 0, table.PrintFuncs{})
	check(err)
	o.plain.NoAliases = true
	info := mc.ELFAsmInfo()
	o.ctx = mc.NewContext(&info)
	o.sym = o.ctx.Symbol("sym")
	return o
}

func (o *tdOracle) inst(q *question) *mc.Inst {
	in := &mc.Inst{Op: q.op}
	for _, x := range q.ops {
		switch x.kind {
		case kindReg:
			in.Add(mc.Reg(desc.PhysReg(x.val)))
		case kindImm:
			in.Add(mc.Imm(x.val))
		case kindSym:
			in.Add(mc.ExprOp(o.ctx.Ref(o.sym, mc.ModNone)))
		}
	}
	return in
}

func (o *tdOracle) ask(qs []question) ([]answer, error) {
	as := make([]answer, len(qs))
	for k := range qs {
		a, in := &as[k], o.inst(&qs[k])
		b, fx, err := o.enc.Encode(o.ctx, nil, in, nil, nil)
		a.codeOK, a.code = err == nil, b
		for _, f := range fx {
			a.fixups = append(a.fixups, fixup{uint8(f.Offset), uint16(f.Kind), o.names.Fixups[f.Kind-mc.FirstTargetFixup].PCRel})
		}
		sym := func(b []byte, s mc.Sym) []byte { return append(b, "sym"...) }
		text, _, err := o.alias.AppendInst(nil, nil, o.ctx, nil, in, sym)
		a.textOK, a.text = err == nil, string(text)
		text, _, err = o.plain.AppendInst(nil, nil, o.ctx, nil, in, sym)
		a.plainOK, a.plain = err == nil, string(text)
		if a.codeOK && qs[k].want&wantDecode != 0 {
			var back mc.Inst
			n, st := o.dec.Decode("", nil, b, 0, &back)
			a.decodeOK, a.decSize, a.decOp = st != table.Fail, n, back.Op
			for _, x := range back.Ops {
				if x.IsReg() {
					a.decOps = append(a.decOps, operand{kindReg, int64(x.Reg())})
				} else {
					a.decOps = append(a.decOps, operand{kindImm, x.Imm()})
				}
			}
		}
	}
	return as, nil
}

func (o *tdOracle) fixupName(kind uint16) (string, error) {
	return o.names.Fixups[mc.FixupKind(kind)-mc.FirstTargetFixup].Name.In(o.names.Names), nil
}
func (o *tdOracle) regName(r desc.PhysReg) string { return string(o.alias.AppendReg(nil, r)) }
func (o *tdOracle) bigEndian() bool               { return o.big }

// TestLearnTD learns targets of .td files from answers alone, and holds what is
// learned to their own tables.
func TestLearnTD(t *testing.T) {
	root := testenv.Root(t)
	for _, path := range []string{"examples/target-tiny/Tiny.td", "internal/testtarget/Big.td"} {
		t.Run(filepath.Base(path), func(t *testing.T) {
			o := openTD(t, filepath.Join(root, path))
			l := newLearner(o.info, o, 0)
			var ins []*instr
			n := 0
			for op := desc.FirstTargetOpcode; int(op) < o.info.NumInstrs(); op++ {
				l.or = o
				base, dec, q := l.findBase(op)
				if q == 0 {
					continue
				}
				in := &instr{op: op, base: base}
				l.encode(in, dec, q)
				l.text(in)
				if in.printed {
					l.learnAliases(in)
				}
				if !in.encoded || !in.printed || in.aliasWhy != "" {
					t.Errorf("%s: %s; %s; %s", o.info.OpcodeName(op), in.encWhy, in.textWhy, in.aliasWhy)
				}
				ins = append(ins, in)
				n++
			}
			if n < 20 {
				t.Fatalf("%d opcodes", n)
			}
			data := facts.AppendMachineCode(nil, l.tables(ins, nil, o.big))
			tables, err := facts.DecodeMachineCode(string(data))
			if err != nil {
				t.Fatal(err)
			}
			if again := facts.AppendMachineCode(nil, tables); !bytes.Equal(again, data) {
				t.Error("what is read again is written otherwise")
			}
			compareTables(t, o, l, ins, tables)
		})
	}
}

// compareTables asks both sides about random instructions.
func compareTables(t *testing.T, o *tdOracle, l *learner, ins []*instr, tables *desc.MCTables) {
	enc, err := table.NewEncoder(tables.Encoder, o.info, table.EncodeFuncs{})
	if err != nil {
		t.Fatal(err)
	}
	pr, err := table.NewPrinter(tables.Writer, o.info, 0, table.PrintFuncs{})
	if err != nil {
		t.Fatal(err)
	}
	l.rnd = rand.New(rand.NewPCG(1, 2))
	for _, in := range ins {
		for k := range 16 {
			q := question{op: in.op, ops: l.filling(in.op, in.dom, k)}
			as, _ := o.ask([]question{q})
			inst := o.inst(&q)
			b, _, err := enc.Encode(o.ctx, nil, inst, nil, nil)
			if err != nil || !bytes.Equal(b, as[0].code) {
				t.Fatalf("%s %v: %x, want %x (%v)", o.info.OpcodeName(in.op), q.ops, b, as[0].code, err)
			}
			text, _, err := pr.AppendInst(nil, nil, o.ctx, nil, inst, nil)
			if err != nil || string(text) != as[0].text {
				t.Fatalf("%s %v: %q, want %q (%v)", o.info.OpcodeName(in.op), q.ops, text, as[0].text, err)
			}
		}
	}
}

// dying answers a number of frames of questions, and then no more.
type dying struct {
	oracle
	left int
}

func (d *dying) ask(qs []question) ([]answer, error) {
	if d.left--; d.left < 0 {
		return nil, errors.New("no more answers")
	}
	return d.oracle.ask(qs)
}

// TestNoAnswer has the answers end at every place: the learner says so, whatever it is about.
func TestNoAnswer(t *testing.T) {
	o := openTD(t, filepath.Join(testenv.Root(t), "examples/target-tiny/Tiny.td"))
	for n := range 60 {
		l := newLearner(o.info, &dying{o, n}, 0)
		for op := desc.FirstTargetOpcode; int(op) < o.info.NumInstrs() && l.err == nil; op++ {
			base, dec, q := l.findBase(op)
			if q == 0 {
				continue
			}
			in := &instr{op: op, base: base}
			l.encode(in, dec, q)
			if in.dom == nil {
				in.dom = l.domains(op)
			}
			l.text(in)
			if in.printed {
				l.learnAliases(in)
			}
		}
		if l.err == nil {
			t.Fatalf("%d answers were enough", n)
		}
	}
}
