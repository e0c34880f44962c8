package mirverify

import (
	"strconv"

	"github.com/mirin-go/mirin/mir"
	"github.com/mirin-go/mirin/mir/mirtext"
)

// Report is what Verify found.
type Report struct {
	Errors []Error
	text   []byte
	pr     *mirtext.DebugPrinter
}

// Error is one fault. Block, Instr and Operand say where it is; 0, 0 and -1 for
// faults of something larger.
type Error struct {
	Msg     string
	Func    string
	Block   mir.BlockID
	Instr   mir.InstrID
	Operand int
}

// OK reports that nothing was found.
func (r *Report) OK() bool { return len(r.Errors) == 0 }

// AppendText appends the function and every fault, as llc prints them.
func (r *Report) AppendText(b []byte) []byte { return append(b, r.text...) }

// note appends a line behind the last fault.
func (r *Report) note(parts ...string) {
	for _, s := range parts {
		r.text = append(r.text, s...)
	}
	r.text = append(r.text, '\n')
}

func (r *Report) line(key string) { r.text = append(r.text, key...) }

// begin starts a fault; the first one shows the function.
func (v *Verifier) begin(msg string) {
	r := v.rep
	if r.pr == nil {
		r.pr = mirtext.NewDebugPrinter(v.f, mirtext.PrintOptions{})
		r.text = append(r.text, '\n')
		if v.o.Banner != "" {
			r.note("# ", v.o.Banner)
		}
		r.text = r.pr.AppendFunction(r.text)
	} else {
		r.text = append(r.text, '\n')
	}
	r.Errors = append(r.Errors, Error{Msg: msg, Func: v.f.Name, Operand: -1})
	r.note("*** Bad machine code: ", msg, " ***")
}

func (v *Verifier) errFunc(msg string) {
	v.begin(msg)
	v.rep.note("- function:    ", v.f.Name)
}

func (v *Verifier) errBlock(b mir.BlockID, msg string) {
	v.errFunc(msg)
	r := v.rep
	r.Errors[len(r.Errors)-1].Block = b
	r.line("- basic block: ")
	r.text = r.pr.AppendBlock(r.text, b)
	r.text = append(r.text, ' ')
	r.text = append(r.text, r.pr.BlockName(b)...)
	// LLVM shows the block's address.
	r.text = append(r.text, " (0x5555"...)
	hex := strconv.FormatUint(0x50000000+uint64(b)*0x140, 16)
	r.text = append(r.text, hex...)
	r.note(")")
}

func (v *Verifier) errInstr(i mir.InstrID, msg string) {
	v.errBlock(v.f.Instr(i).Block(), msg)
	r := v.rep
	r.Errors[len(r.Errors)-1].Instr = i
	r.line("- instruction: ")
	r.text = r.pr.AppendInstr(r.text, i)
	r.note()
}

func (v *Verifier) errOperand(i mir.InstrID, n int, msg string) { v.errOperandTyped(i, n, msg, false) }

func (v *Verifier) errOperandTyped(i mir.InstrID, n int, msg string, typed bool) {
	v.errInstr(i, msg)
	r := v.rep
	r.Errors[len(r.Errors)-1].Operand = n
	r.line("- operand ")
	r.text = strconv.AppendInt(r.text, int64(n), 10)
	r.line(":   ")
	r.text = r.pr.AppendOperand(r.text, i, n, typed)
	r.note()
}

func (v *Verifier) noteVReg(r mir.Reg) {
	v.rep.line("- v. register: ")
	v.rep.text = v.rep.pr.AppendReg(v.rep.text, r)
	v.rep.note()
}

func (v *Verifier) notePhys(r mir.Reg) {
	v.rep.line("- p. register: ")
	v.rep.text = v.rep.pr.AppendReg(v.rep.text, r)
	v.rep.note()
}

func (v *Verifier) regText(r mir.Reg) string { return string(v.rep.pr.AppendReg(nil, r)) }

func (v *Verifier) blockText(b mir.BlockID) string { return string(v.rep.pr.AppendBlock(nil, b)) }

func itoa(n int) string { return strconv.Itoa(n) }
