package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"github.com/mirin-go/mirin/desc"
)

// What a question wants; tools/llvmfacts/ask.cpp has the same numbers.
const (
	wantCode   = 1 << iota // the bytes
	wantText               // the text, with aliases
	wantPlain              // the text by the instruction's own syntax
	wantDecode             // what the bytes mean
	wantRaw                // the bytes are raw, not of the instruction
)

// Kinds of operands.
const (
	kindReg = iota
	kindImm
	kindSFP
	kindDFP
	kindSym
	kindRef
	kindSpec
)

// operand is an operand of a question or of what was decoded.
type operand struct {
	kind uint8
	val  int64
}

// question asks about one instruction.
type question struct {
	want uint8
	op   desc.Opcode
	ops  []operand
	raw  []byte
}

// fixup is one fixup of an encoding.
type fixup struct {
	offset uint8
	kind   uint16
	pcrel  bool
}

// answer is what LLVM says. A part that it refuses, or crashes at, is not OK.
type answer struct {
	codeOK, textOK, plainOK, decodeOK bool
	code                              []byte
	fixups                            []fixup
	text, plain                       string
	soft                              bool
	decSize                           int
	decOp                             desc.Opcode
	decOps                            []operand
}

// same reports that the bytes were decoded to the instruction that was asked about.
func (a *answer) same(q *question) bool {
	if !a.codeOK || !a.decodeOK || a.decSize != len(a.code) || a.decOp != q.op || len(a.decOps) != len(q.ops) {
		return false
	}
	for k := range q.ops {
		if a.decOps[k] != q.ops[k] {
			return false
		}
	}
	return true
}

// oracle answers questions about the instructions of one subtarget.
type oracle interface {
	// ask answers in the order of the questions.
	ask(qs []question) ([]answer, error)
	// fixupName names a kind of fixup.
	fixupName(kind uint16) (string, error)
	// regName is the name of a register in assembly.
	regName(r desc.PhysReg) string
	bigEndian() bool
}

// view is a subtarget to ask.
type view struct {
	triple, cpu, features string
	variant               int // syntax variant, -1 the target's own
}

// process is the oracle that is a running llvmask.
type process struct {
	path string
	view view
	cmd  *exec.Cmd
	in   *bufio.Writer
	out  *bufio.Reader
	regs []string
	caps uint8
	// decodes says that the subtarget is one of subtarget.
	decodes bool
	ops     int
	// asked counts questions, died restarts.
	asked, died int
}

// start opens a subtarget.
func start(path string, v view) (*process, error) {
	p := &process{path: path, view: v}
	return p, p.run()
}

func (p *process) close() {
	if p.cmd != nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		p.cmd = nil
	}
}

func (p *process) run() error {
	p.cmd = exec.Command(p.path)
	var words bytes.Buffer // why it does not start; later what dies says what it likes
	p.cmd.Stderr = &words
	w, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	r, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.in, p.out = bufio.NewWriterSize(w, 1<<16), bufio.NewReaderSize(r, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if p.decodes {
		_, err := p.subtarget(p.view)
		return err
	}
	b := append([]byte{'V'}, p.view.triple...)
	b = append(append(append(b, 0), p.view.cpu...), 0)
	b = append(append(b, p.view.features...), 0, byte(p.view.variant))
	f, err := p.frame(b)
	if err != nil {
		p.close()
		return fmt.Errorf("%w: %s", err, words.Bytes())
	}
	s := &scanner{b: f}
	if s.num(1) != 0 {
		return errors.New(s.str())
	}
	p.caps, p.ops = uint8(s.num(1)), int(s.num(4))
	p.regs = make([]string, s.num(4))
	for k := range p.regs {
		p.regs[k] = s.str()
	}
	return s.err
}

// subtarget makes the process answer for another subtarget, about raw bytes
// alone, and returns the bits of its features.
func (p *process) subtarget(v view) ([]uint64, error) {
	p.view, p.decodes = v, true
	b := append([]byte{'W'}, v.triple...)
	b = append(append(append(b, 0), v.cpu...), 0)
	f, err := p.frame(append(append(b, v.features...), 0))
	if err != nil {
		return nil, err
	}
	s := &scanner{b: f}
	if s.num(1) != 0 {
		return nil, errors.New(s.str())
	}
	var bits []uint64
	for len(s.b) > 0 {
		bits = append(bits, s.num(8))
	}
	return bits, s.err
}

// frame sends a frame and reads the one that answers it.
func (p *process) frame(b []byte) ([]byte, error) {
	var n [4]byte
	binary.LittleEndian.PutUint32(n[:], uint32(len(b)))
	p.in.Write(n[:])
	p.in.Write(b)
	if err := p.in.Flush(); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(p.out, n[:]); err != nil {
		return nil, err
	}
	f := make([]byte, binary.LittleEndian.Uint32(n[:]))
	_, err := io.ReadFull(p.out, f)
	return f, err
}

// maxBatch is how many questions go into a frame: both sides' pipes and memory stay small.
const maxBatch = 256

func (p *process) ask(qs []question) ([]answer, error) {
	as := make([]answer, 0, len(qs))
	for len(qs) > 0 {
		n := min(len(qs), maxBatch)
		got, err := p.batch(qs[:n])
		if err != nil {
			return as, err
		}
		as, qs = append(as, got...), qs[n:]
	}
	return as, nil
}

// batch asks the questions of a frame. One that kills the process is found by
// halves and has no answer.
func (p *process) batch(qs []question) ([]answer, error) {
	b := []byte{'Q'}
	for k := range qs {
		q := &qs[k]
		b = append(b, q.want, byte(q.op), byte(q.op>>8), byte(len(q.ops)))
		for _, o := range q.ops {
			b = binary.LittleEndian.AppendUint64(append(b, o.kind), uint64(o.val))
		}
		if q.want&wantRaw != 0 {
			b = append(append(b, byte(len(q.raw))), q.raw...)
		}
	}
	f, err := p.frame(b)
	if err != nil {
		p.close()
		p.died++
		if p.died > 20000 {
			return nil, fmt.Errorf("llvmask dies too often: %w", err)
		}
		if err := p.run(); err != nil {
			return nil, err
		}
		if len(qs) == 1 {
			return make([]answer, 1), nil
		}
		a, err := p.batch(qs[:len(qs)/2])
		if err != nil {
			return nil, err
		}
		c, err := p.batch(qs[len(qs)/2:])
		return append(a, c...), err
	}
	p.asked += len(qs)
	s := &scanner{b: f}
	as := make([]answer, len(qs))
	for k := range as {
		s.answer(qs[k].want, &as[k])
	}
	return as, s.err
}

func (p *process) fixupName(kind uint16) (string, error) {
	name, _, _, err := p.fixupInfo(kind)
	return name, err
}

// fixupInfo gives a kind's name and the bits that a listing shows as its own.
func (p *process) fixupInfo(kind uint16) (name string, offset, size uint8, err error) {
	f, err := p.frame([]byte{'F', byte(kind), byte(kind >> 8)})
	if err != nil {
		return "", 0, 0, err
	}
	s := &scanner{b: f}
	return s.str(), uint8(s.num(1)), uint8(s.num(1)), s.err
}

func (p *process) regName(r desc.PhysReg) string { return p.regs[r] }
func (p *process) bigEndian() bool               { return p.caps&16 != 0 }

// scanner reads an answer.
type scanner struct {
	b   []byte
	err error
}

func (s *scanner) num(n int) (v uint64) {
	if len(s.b) < n {
		s.err = io.ErrUnexpectedEOF
		return 0
	}
	for k := range n {
		v |= uint64(s.b[k]) << (8 * k)
	}
	s.b = s.b[n:]
	return v
}

func (s *scanner) bytes(n int) []byte {
	if len(s.b) < n {
		s.err = io.ErrUnexpectedEOF
		return nil
	}
	v := s.b[:n]
	s.b = s.b[n:]
	return v
}

func (s *scanner) str() string { return string(s.bytes(int(s.num(2)))) }

func (s *scanner) answer(want uint8, a *answer) {
	if want&wantCode != 0 && s.num(1) == 0 {
		a.codeOK = true
		a.code = s.bytes(int(s.num(1)))
		for range s.num(1) {
			a.fixups = append(a.fixups, fixup{offset: uint8(s.num(1)), kind: uint16(s.num(2)), pcrel: s.num(1)&1 != 0})
		}
	}
	if want&wantText != 0 && s.num(1) == 0 {
		a.textOK, a.text = true, s.str()
	}
	if want&wantPlain != 0 && s.num(1) == 0 {
		a.plainOK, a.plain = true, s.str()
	}
	if want&wantDecode == 0 {
		return
	}
	if s.num(1) != 0 {
		if want&wantRaw != 0 {
			a.decSize = int(s.num(1))
		}
	} else {
		a.decodeOK = true
		a.soft = s.num(1) != 0
		a.decSize, a.decOp = int(s.num(1)), desc.Opcode(s.num(2))
		n := int(s.num(1))
		for range n {
			a.decOps = append(a.decOps, operand{uint8(s.num(1)), int64(s.num(8))})
		}
	}
}
