package tiny

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mirin-go/mirin/codegen/driver"
	"github.com/mirin-go/mirin/codegen/pass"
	"github.com/mirin-go/mirin/codegen/pipeline"
	"github.com/mirin-go/mirin/interp"
	"github.com/mirin-go/mirin/ir/irtext"
	"github.com/mirin-go/mirin/target"
)

// operations are bodies of functions of two arguments of type T; R is the result's type.
var operations = map[string]string{
	"shl": "%m = and T %b, N\n %r = shl T %a, %m", "lshr": "%m = and T %b, N\n %r = lshr T %a, %m", "ashr": "%m = and T %b, N\n %r = ashr T %a, %m",
	"select": "%c = icmp slt T %a, %b\n %r = select i1 %c, T %b, T %a",
	"bit":    "%c = trunc T %a to i1\n %r = select i1 %c, T %b, T 3",
	"i1":     "%c = icmp eq T %a, %b\n %d = icmp ult T %a, 7\n %e = xor i1 %c, %d\n %r = zext i1 %e to T",
	"sexti1": "%c = icmp ne T %a, %b\n %r = sext i1 %c to T",
	"fshl":   "%r = call T @llvm.fshl.T(T %a, T %b, T 5)", "fshr": "%r = call T @llvm.fshr.T(T %a, T %b, T 3)",
	"smin": "%r = call T @llvm.smin.T(T %a, T %b)", "umax": "%r = call T @llvm.umax.T(T %a, T %b)",
	"abs": "%r = call T @llvm.abs.T(T %a, i1 false)", "ctpop": "%r = call T @llvm.ctpop.T(T %a)", "bitreverse": "%r = call T @llvm.bitreverse.T(T %a)",
	"memory": "%p = alloca T\n store volatile T %a, ptr %p\n %v = load volatile T, ptr %p\n %r = sub T %v, %b",
	"bytes":  "%p = alloca T\n store T %a, ptr %p\n %v = load i8, ptr %p\n %w = zext i8 %v to T1\n %x = trunc T1 %w to T\n %r = add T %x, %b",
	"const":  "%x = add T %a, 100\n %y = mul T %x, 77\n %r = xor T %y, -2",
	"swap":   "br label %l\nl:\n %x = phi T [ %a, %0 ], [ %y, %l ]\n %y = phi T [ %b, %0 ], [ %x, %l ]\n %i = phi i32 [ 0, %0 ], [ %j, %l ]\n %j = add i32 %i, 1\n %c = icmp ult i32 %j, 4\n br i1 %c, label %l, label %e\ne:\n %r = sub T %x, %y",
	"table":  "%k = and T %a, 7\n switch T %k, label %d [ T 0, label %x\n T 1, label %y\n T 2, label %z\n T 3, label %w\n T 4, label %v\n T 6, label %u ]\nx:\n br label %o\ny:\n br label %o\nz:\n br label %o\nw:\n br label %o\nv:\n br label %o\nu:\n br label %o\nd:\n br label %o\no:\n %r = phi T [ 1, %x ], [ %b, %y ], [ 33, %z ], [ 7, %w ], [ 8, %v ], [ 9, %u ], [ %a, %d ]",
	"switch": "%k = urem T %a, 9\n switch T %k, label %d [ T 0, label %x\n T 1, label %y\n T 2, label %x\n T 3, label %z\n T 4, label %y\n T 5, label %z ]\nx:\n br label %o\ny:\n br label %o\nz:\n br label %o\nd:\n br label %o\no:\n %r = phi T [ 1, %x ], [ %b, %y ], [ 33, %z ], [ %a, %d ]",
}

// module is the text of one function.
func module(op string, bits int) string {
	body, ok := operations[op]
	if cc, cmp := strings.CutPrefix(op, "icmp "); cmp {
		body = "%c = icmp " + cc + " T %a, %b\n %r = zext i1 %c to T1\n"
		body = strings.Replace(body, "%r = zext i1 %c to T1", "%z = zext i1 %c to T1\n %r = trunc T1 %z to T", 1)
	} else if !ok {
		body = "%r = " + op + " T %a, %b"
	}
	text := "define T @f(T %a, T %b) nounwind {\n " + body + "\n ret T %r\n}\n"
	if i := strings.Index(body, "@llvm."); i >= 0 {
		name := body[i : i+strings.IndexByte(body[i:], '(')]
		args := map[int]string{1: "T", 2: "T, T", 3: "T, T, T"}[1+strings.Count(body, ",")]
		if op == "abs" {
			args = "T, i1"
		}
		text += "declare T " + name + "(" + args + ")\n"
	}
	text = strings.ReplaceAll(text, "T1", fmt.Sprintf("i%d", bits+8))
	text = strings.ReplaceAll(text, ".T", fmt.Sprintf(".i%d", bits))
	text = strings.ReplaceAll(text, "T ", fmt.Sprintf("i%d ", bits))
	text = strings.ReplaceAll(text, "T,", fmt.Sprintf("i%d,", bits))
	text = strings.ReplaceAll(text, "T)", fmt.Sprintf("i%d)", bits))
	text = strings.ReplaceAll(text, "T\n", fmt.Sprintf("i%d\n", bits))
	return strings.ReplaceAll(text, ", N\n", fmt.Sprintf(", %d\n", bits-1))
}

// TestInterpreter runs each operation on each width in the simulator and in the
// interpreter of IR.
func TestInterpreter(t *testing.T) {
	ops := []string{"add", "sub", "mul", "and", "or", "xor", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "select", "bit", "i1", "sexti1",
		"fshl", "fshr", "smin", "umax", "abs", "ctpop", "bitreverse", "memory", "bytes", "const", "swap", "switch", "table"}
	for _, cc := range [...]string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"} {
		ops = append(ops, "icmp "+cc)
	}
	tab, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	widths := []int{8, 16, 32, 64}
	if testing.Short() {
		widths = []int{16}
	}
	for _, bits := range widths {
		for _, op := range ops {
			for _, opt := range [...]target.OptLevel{0, 2} {
				n, err := compare(tab, op, bits, opt)
				var u *target.Unsupported
				if divides := strings.HasSuffix(op, "div") || strings.HasSuffix(op, "rem") || op == "switch"; bits == 64 && divides {
					continue // the library's __divdi3 and its like are not there
				}
				if errors.As(err, &u) {
					t.Errorf("%s i%d: %v", op, bits, err)
				} else if err != nil {
					t.Errorf("%s i%d -O%d: %v", op, bits, opt, err)
				}
				compared += n
			}
		}
	}
	t.Logf("%d calls compared", compared)
}

func compare(tab *tableSet, op string, width int, opt target.OptLevel) (n int, err error) {
	m, err := target.NewMachine(&Target, target.Options{Triple: "tiny", Opt: opt})
	if err != nil {
		return 0, err
	}
	text := module(op, width)
	mod, err := irtext.Parse("f.ll", []byte(text), irtext.Options{DataLayout: m.Layout.Text})
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, text)
	}
	vm, err := interp.New(mod, interp.Options{Fuel: 1e6})
	if err != nil {
		return 0, err
	}
	job := &driver.Job{Machine: m, Module: mod, Workers: 1, CheckRegAlloc: true,
		Runner: &pass.Runner{Passes: pipeline.Passes(pipeline.Options{Opt: opt, Target: &Target}), Config: pass.Config{Verify: true}}}
	obj, _, errs := job.Object()
	if len(errs) > 0 {
		return 0, errs[0]
	}
	s, err := link(tab, obj)
	if err != nil {
		return 0, err
	}
	rnd := rand.New(rand.NewPCG(5, uint64(width)))
	mask := ^uint64(0) >> (64 - width)
	for range 40 {
		a, b := rnd.Uint64()>>rnd.IntN(64), rnd.Uint64()>>rnd.IntN(64)
		if rnd.IntN(4) == 0 {
			b = a
		}
		if rnd.IntN(4) == 0 {
			a = -a
		}
		want, err := vm.Call("f", interp.Value{Bits: a & mask}, interp.Value{Bits: b & mask})
		if err != nil || want[0].Poison {
			continue // undefined
		}
		// What is above the width of an argument is anything.
		args := []uint32{uint32(a), uint32(b)}
		if width == 64 {
			args = []uint32{uint32(a), uint32(a >> 32), uint32(b), uint32(b >> 32)}
		}
		got, err := s.call("f", args...)
		if err != nil {
			return n, err
		}
		if n++; got&mask != want[0].Bits {
			return n, fmt.Errorf("f(%#x, %#x) = %#x, want %#x", a&mask, b&mask, got&mask, want[0].Bits)
		}
	}
	return n, nil
}
