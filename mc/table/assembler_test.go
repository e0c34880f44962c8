package table_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/desc"
	"github.com/mirin-go/mirin/desc/family"
	"github.com/mirin-go/mirin/mc"
	"github.com/mirin-go/mirin/mc/mctarget"
	"github.com/mirin-go/mirin/triple"
)

// plainAssembler is an mc.AsmParser whose expressions are numbers and names.
type plainAssembler struct {
	ctx *mc.Context
	st  *mc.Subtarget
	out []mc.Inst
}

// newPlainAssembler has the subtarget that flags of llvm-mc name.
func newPlainAssembler(t *testing.T, info *desc.Info, args []string) plainAssembler {
	t.Helper()
	var tr, cpu, attrs string
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "-triple="); ok {
			tr = v
		}
		if v, ok := strings.CutPrefix(a, "-mcpu="); ok {
			cpu = v
		}
		if v, ok := strings.CutPrefix(a, "-mattr="); ok {
			attrs = v
		}
	}
	of := triple.Parse(triple.Normalize(tr))
	row := family.ByArch(of.Arch)
	if row == nil {
		t.Fatalf("no target for %q", tr)
	}
	target, err := mctarget.New(row, of, cpu, attrs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return plainAssembler{ctx: mc.NewContext(target.AsmInfo()), st: target.ST}
}

func (p *plainAssembler) Context() *mc.Context          { return p.ctx }
func (p *plainAssembler) Streamer() mc.Streamer         { return nil }
func (p *plainAssembler) Subtarget() *mc.Subtarget      { return p.st }
func (p *plainAssembler) SetSubtarget(st *mc.Subtarget) { p.st = st }
func (p *plainAssembler) Variant() int                  { return 0 }
func (p *plainAssembler) SetVariant(int)                {}
func (p *plainAssembler) State() *any                   { return new(any) }
func (p *plainAssembler) Warn(int, int, string)         {}
func (p *plainAssembler) Emit(in *mc.Inst) error {
	p.out = append(p.out, mc.Inst{Op: in.Op, Ops: append([]mc.Operand(nil), in.Ops...)})
	return nil
}

func (p *plainAssembler) Expr(text string, pos int) (x mc.Expr, v int64, end int, err error) {
	for end = pos; end < len(text) && (text[end] == '-' && end == pos || text[end] >= '0' && text[end] <= '9' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' || text[end] == '_'); end++ {
	}
	word := text[pos:end]
	if word == "" {
		return 0, 0, pos, &mc.ParseError{Start: pos, Msg: "expected an expression"}
	}
	if v, err := strconv.ParseInt(word, 0, 64); err == nil {
		return 0, v, end, nil
	}
	if v, err := strconv.ParseUint(word, 0, 64); err == nil {
		return 0, int64(v), end, nil
	}
	if word[0] >= '0' && word[0] <= '9' || word[0] == '-' {
		return 0, 0, pos, &mc.ParseError{Start: pos, Msg: "invalid number"}
	}
	return p.ctx.Ref(p.ctx.Symbol(word), mc.ModNone), 0, end, nil
}
