package mctargetdesc

import (
	"strings"

	"github.com/mirin-go/mirin/mc"
)

// objectState is what objects say of a text beside its sections.
type objectState struct {
	flags     abiFlags
	base      uint32 // e_flags of the module's features
	micro     bool   // microMIPS has been used
	m16       bool
	noReorder bool
	pic, cpic bool
	picSaid   bool
	nan       string
	labels    []mc.Sym // since the last instruction
	gprs      uint32
	cprs      [4]uint32
}

// abiFlags is the content of .MIPS.abiflags (Elf_MIPS_ABIFlags of binutils' elf/mips.h).
type abiFlags struct {
	level, rev, gpr, cpr1, cpr2, fp byte
	ext, ases, flags1               uint32
}

// ases are by feature, as AFL_ASE_* of binutils' elf/mips.h.
var ases = []struct {
	feature string
	bit     uint32
}{{"dsp", 1}, {"dspr2", 2}, {"mips3d", 0x20}, {"mt", 0x40}, {"virt", 0x100}, {"msa", 0x200}, {"mips16", 0x400}, {"micromips", 0x800}, {"crc", 0x8000}, {"ginv", 0x20000}}

// begin takes what the module's features say.
func (o *objectState) begin(s *session) {
	f := abiFlags{}
	for _, x := range []struct {
		feature    string
		level, rev byte
	}{{"mips64r6", 64, 6}, {"mips64r5", 64, 5}, {"mips64r3", 64, 3}, {"mips64r2", 64, 2}, {"mips64", 64, 1}, {"mips32r6", 32, 6}, {"mips32r5", 32, 5}, {"mips32r3", 32, 3},
		{"mips32r2", 32, 2}, {"mips32", 32, 1}, {"mips5", 5, 0}, {"mips4", 4, 0}, {"mips3", 3, 0}, {"mips2", 2, 0}, {"mips1", 1, 0}} {
		if s.has(x.feature) {
			f.level, f.rev = x.level, x.rev
			break
		}
	}
	f.gpr = 1
	if s.has("gp64") {
		f.gpr = 2
	}
	switch {
	case s.has("soft-float"):
	case s.has("fpxx"):
		f.cpr1 = 1
	case s.has("msa"):
		f.cpr1 = 3
	case s.has("fp64"):
		f.cpr1 = 2
	default:
		f.cpr1 = 1
	}
	odd := !s.has("nooddspreg")
	switch {
	case s.has("soft-float"):
		f.fp = 3
	case s.newABI():
		f.fp = 1
	case s.has("fpxx"):
		f.fp = 5
	case s.has("fp64") && odd:
		f.fp = 6
	case s.has("fp64"):
		f.fp = 7
	default:
		f.fp = 1
	}
	if odd {
		f.flags1 = 1
	}
	switch {
	case s.has("cnmipsp"):
		f.ext = 3
	case s.has("cnmips"):
		f.ext = 5
	}
	for _, a := range ases {
		if s.has(a.feature) {
			f.ases |= a.bit
		}
	}
	o.flags = f
	o.base = s.target.Family.ELFFlags(s.target.Triple, s.abi, s.has)
	if !o.picSaid {
		o.pic = s.pic
	}
}

func (o *objectState) option(word string) {
	o.picSaid = true
	o.pic = word == "pic2"
	if o.pic {
		o.cpic = true
	}
}

func (o *objectState) calls() { o.pic, o.cpic, o.picSaid = true, true, true }

// code notes that code stands here, whatever it is written as.
func (o *objectState) code(r *reader) {
	labels := o.labels
	o.labels = o.labels[:0]
	if !r.has("micromips") {
		if r.has("mips16") {
			o.m16 = true
		}
		return
	}
	o.micro = true
	out, ok := r.p.Streamer().(interface {
		Distance(a, b mc.Sym) (int64, bool)
	})
	if !ok || len(labels) == 0 {
		return
	}
	here := r.p.Context().Inner()
	r.p.Streamer().Label(here)
	const microMIPS = 0x80 // STO_MIPS_MICROMIPS
	for _, y := range labels {
		if d, ok := out.Distance(here, y); ok && d == 0 {
			r.p.Context().At(y).Other |= microMIPS
		}
	}
}

// used notes the registers of an instruction.
func (o *objectState) used(s *session, in *mc.Inst) {
	for _, x := range in.Ops {
		if !x.IsReg() || x.Reg() == 0 {
			continue
		}
		reg := &s.info.Regs[x.Reg()]
		bit := uint32(1) << (reg.Encoding & 31)
		switch name := s.info.RegName(x.Reg()); {
		case s.isIn("gpr32", x), s.isIn("gpr64", x):
			o.gprs |= bit
		case s.isIn("cop0", x):
			o.cprs[0] |= bit
		case s.isIn("afgr64", x):
			o.cprs[1] |= bit | bit<<1
		case s.isIn("fgr32", x), s.isIn("fgr64", x), strings.HasPrefix(name, "W") && s.isIn("msa128b", x):
			o.cprs[1] |= bit
		case s.isIn("cop2", x):
			o.cprs[2] |= bit
		case s.isIn("cop3", x):
			o.cprs[3] |= bit
		}
	}
}

func (s *session) isIn(class string, o mc.Operand) bool {
	c, ok := s.info.RegClassByName(class)
	return ok && s.info.ClassContains(c, o.Reg())
}

// value emits a value with a relocation of its own.
func (o *objectState) value(r *reader, name string, x mc.Expr) error {
	size := 4
	if strings.HasSuffix(name, "dword") {
		size = 8
	}
	spec := map[string]string{".gpword": "gp_rel", ".gpdword": "gp_rel", ".dtprelword": "dtprel", ".dtpreldword": "dtprel", ".tprelword": "tprel", ".tpreldword": "tprel"}[name]
	r.p.Streamer().Value(r.spec(spec, x), size)
	return nil
}

// procedure writes what .pdr says of a function, and its size.
func (o *objectState) procedure(r *reader, p *procState) {
	out, ctx := r.p.Streamer(), r.p.Context()
	end := ctx.Temp("tmp")
	out.Label(end)
	out.Size(p.sym, ctx.Diff(end, p.sym))
	old := out.Section()
	out.SwitchSection(ctx.ELFSection(".pdr", mc.SecProgBits, 0, 0))
	out.Align(2, 0, 0)
	out.Value(ctx.Ref(p.sym, mc.ModNone), 4)
	words := []int64{p.mask, p.maskAt, p.fmask, p.fmaskAt, p.frameSize, int64(p.frameReg), int64(p.returnReg)}
	for _, w := range words {
		out.Int(uint64(uint32(w)), 4)
	}
	out.SwitchSection(old)
}

// Finish adds the sections that describe registers and the binary interface.
func (s *session) Finish(p mc.AsmParser) error {
	out := p.Streamer()
	s.start(p)
	r := reader{session: s, p: p}
	if err := r.openSlot(true, false); err != nil || out.IsText() {
		return err
	}
	ctx := p.Context()
	old := out.Section()
	for _, id := range []mc.SectionID{ctx.TextSection(), ctx.DataSection(), ctx.BSSSection()} {
		out.SwitchSection(id)
		if a, ok := out.(interface {
			SectionAlign(id mc.SectionID, align uint64)
		}); ok {
			a.SectionAlign(id, 16)
		}
	}
	o := &s.obj
	if s.abi == "n64" {
		const noStrip = 0x8000000
		out.SwitchSection(ctx.ELFSection(".MIPS.options", 0x7000000d, mc.FlagAlloc|noStrip, 1))
		out.Align(3, 0, 0)
		out.Int(1, 1)
		out.Int(40, 1)
		out.Int(0, 2)
		out.Int(0, 4)
		out.Int(uint64(o.gprs), 4)
		out.Int(0, 4)
		for _, c := range o.cprs {
			out.Int(uint64(c), 4)
		}
		out.Int(0, 8)
	} else {
		align := uint8(2)
		if s.abi == "n32" {
			align = 3
		}
		out.SwitchSection(ctx.ELFSection(".reginfo", 0x70000006, mc.FlagAlloc, 24))
		out.Align(align, 0, 0)
		out.Int(uint64(o.gprs), 4)
		for _, c := range o.cprs {
			out.Int(uint64(c), 4)
		}
		out.Int(0, 4)
	}
	f := &o.flags
	if o.micro {
		f.ases |= 0x800
	}
	out.SwitchSection(ctx.ELFSection(".MIPS.abiflags", 0x7000002a, mc.FlagAlloc, 24))
	out.Align(3, 0, 0)
	out.Int(0, 2)
	out.Bytes([]byte{f.level, f.rev, f.gpr, f.cpr1, f.cpr2, f.fp})
	for _, w := range []uint32{f.ext, f.ases, f.flags1, 0} {
		out.Int(uint64(w), 4)
	}
	out.SwitchSection(old)
	flags := o.base
	if o.noReorder {
		flags |= 1
	}
	if o.pic {
		flags |= 2
	}
	if o.cpic || o.pic {
		flags |= 4
	}
	switch o.nan {
	case "2008":
		flags |= 0x400
	case "legacy":
		flags &^= 0x400
	}
	if o.micro {
		flags |= 0x2000000
	}
	if o.m16 {
		flags |= 0x4000000
	}
	if h, ok := out.(interface{ SetELFFlags(flags uint32) }); ok {
		h.SetELFFlags(flags)
	}
	return nil
}
