package mctargetdesc

import (
	"fmt"
	"sync"
	"testing"

	"github.com/mirin-go/mirin/target/x86/tab"
)

// What is called plain is not renamed, whatever its operands are.
func TestPlainWords(t *testing.T) {
	p := NewAsmParser(x86(t))
	mem, imm, high := asmOperand{kind: opMem, base: tab.RSI, scale: 1}, immOp(3), regOp(tab.ST1)
	regs := []asmOperand{regOp(tab.AL), regOp(tab.CX), regOp(tab.EDX), regOp(tab.RAX), regOp(tab.XMM1), high}
	lists := [][]asmOperand{nil, {mem}, {imm}, {imm, mem}, {mem, imm}, {mem, mem}, {imm, imm}}
	for _, r := range regs {
		lists = append(lists, []asmOperand{r}, []asmOperand{r, mem}, []asmOperand{mem, r}, []asmOperand{imm, r}, []asmOperand{r, imm}, []asmOperand{r, regs[3]}, []asmOperand{regs[2], r}, []asmOperand{imm, r, mem})
	}
	for _, variant := range []int{ATT, Intel} {
		s := p.syntaxes[variant]()
		s.index()
		plain := 0
		for i := range s.rows.words {
			w := s.word(s.rows.words[i].name)
			if !w.plain {
				continue
			}
			plain++
			for _, ops := range lists {
				for _, mode := range []uint8{mode16, mode32, mode64} {
					x := &parsing{AsmParser: p, s: s, mode: mode, intel: variant == Intel, ops: append([]asmOperand(nil), ops...)}
					m, err := x.rename(w.name, 0)
					if err != nil || m != w.name || fmt.Sprint(x.ops) != fmt.Sprint(append([]asmOperand(nil), ops...)) {
						t.Errorf("%s with %v became %s with %v", w.name, ops, m, x.ops)
						break
					}
				}
			}
		}
		if plain < 1700 {
			t.Errorf("%d words are plain", plain)
		}
	}
}

// Words are found by any number of goroutines, each once, and those that mean nothing are not kept.
func TestWordTable(t *testing.T) {
	s := newSyntax(x86(t), ATT)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 400 {
				name := []string{"addl", "ADDL", "subq", "lock", "cs", "nonsense"}[i%6]
				if i%6 == 0 {
					name = fmt.Sprintf("cmov%s", []string{"ael", "bl", "el", "gel", "nel", "sl", "npl", "lq", "geq", "aq", "nsw"}[i/6%11])
				}
				w := s.word(name)
				if name == "nonsense" {
					if len(w.forms) != 0 || s.met.lookup(name) != nil {
						t.Error("nonsense is kept")
					}
				} else if w.text != name || len(w.forms) == 0 && w.flag == 0 && !w.prefix {
					t.Errorf("%s is %+v", name, w)
				}
			}
		})
	}
	wg.Wait()
	if s.met.n != 15 {
		t.Errorf("%d words", s.met.n)
	}
}
