package irtext

import (
	"strconv"

	"github.com/mirin-go/mirin/ir"
)

// callingConvs are the calling conventions that have keywords.
var callingConvs = [...]struct {
	name string
	cc   uint16
}{
	{"ccc", 0}, {"fastcc", 8}, {"coldcc", 9}, {"ghccc", 10}, {"anyregcc", 13}, {"preserve_mostcc", 14}, {"preserve_allcc", 15},
	{"swiftcc", 16}, {"cxx_fast_tlscc", 17}, {"tailcc", 18}, {"cfguard_checkcc", 19}, {"swifttailcc", 20}, {"preserve_nonecc", 21},
	{"x86_stdcallcc", 64}, {"x86_fastcallcc", 65}, {"arm_apcscc", 66}, {"arm_aapcscc", 67}, {"arm_aapcs_vfpcc", 68},
	{"msp430_intrcc", 69}, {"x86_thiscallcc", 70}, {"ptx_kernel", 71}, {"ptx_device", 72}, {"spir_func", 75}, {"spir_kernel", 76},
	{"intel_ocl_bicc", 77}, {"x86_64_sysvcc", 78}, {"win64cc", 79}, {"x86_vectorcallcc", 80}, {"hhvmcc", 81}, {"hhvm_ccc", 82},
	{"x86_intrcc", 83}, {"avr_intrcc", 84}, {"avr_signalcc", 85}, {"amdgpu_vs", 87}, {"amdgpu_gs", 88}, {"amdgpu_ps", 89},
	{"amdgpu_cs", 90}, {"amdgpu_kernel", 91}, {"x86_regcallcc", 92}, {"amdgpu_hs", 93}, {"amdgpu_ls", 95}, {"amdgpu_es", 96},
	{"aarch64_vector_pcs", 97}, {"aarch64_sve_vector_pcs", 98}, {"amdgpu_gfx", 100},
	{"aarch64_sme_preservemost_from_x0", 102}, {"aarch64_sme_preservemost_from_x2", 103}, {"amdgpu_cs_chain", 104},
	{"amdgpu_cs_chain_preserve", 105}, {"m68k_rtdcc", 106}, {"graalcc", 107}, {"riscv_vector_cc", 110},
	{"aarch64_sme_preservemost_from_x1", 111}, {"amdgpu_gfx_whole_wave", 124},
	{"cheriot_compartmentcallcc", 125}, {"cheriot_compartmentcalleecc", 126}, {"cheriot_librarycallcc", 127},
}

// riscvVLS are the numbers of riscv_vls_cc(n).
var riscvVLS = [...]uint64{32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}

const riscvVLSBase = 112

// callingConv reads an optional calling convention.
func (p *parser) callingConv() uint16 {
	if p.tok != tWord {
		return 0
	}
	w := p.text()
	if w == "cc" {
		p.next()
		return uint16(p.uint(10))
	}
	if len(w) > 2 && w[:2] == "cc" && class[w[2]]&cDigit != 0 {
		n, err := strconv.ParseUint(w[2:], 10, 10)
		if err != nil {
			p.error("expected integer")
		}
		p.next()
		return uint16(n)
	}
	if w == "riscv_vls_cc" {
		p.next()
		n := uint64(128)
		if p.eat('(') {
			n = p.uint(32)
			p.expect(')', "expected ')'")
		}
		for i, v := range riscvVLS {
			if v == n {
				return uint16(riscvVLSBase + i)
			}
		}
		p.error("unknown RISC-V ABI VLEN")
		return 0
	}
	// Types are what mostly stands here.
	if w[0] == 'i' && len(w) < 6 || w == "ptr" || w == "void" {
		return 0
	}
	for i := range callingConvs {
		if callingConvs[i].name == w {
			p.next()
			return callingConvs[i].cc
		}
	}
	return 0
}

func (p *parser) declare() {
	p.next()
	var md []ir.Attachment
	for p.ok() && p.tok == tMDName {
		md = append(md, p.attachment())
	}
	g, args, _ := p.functionHead(false)
	if !p.ok() {
		return
	}
	g.MD, g.IsDecl = md, true
	named := false
	for _, a := range args {
		named = named || a.name != ""
	}
	if named {
		for _, a := range args {
			g.ParamNames = append(g.ParamNames, a.name)
		}
	}
}

func (p *parser) define() {
	p.next()
	g, args, _ := p.functionHead(true)
	for p.ok() && p.tok == tMDName {
		g.MD = append(g.MD, p.attachment())
	}
	if !p.ok() {
		return
	}
	if p.tok != '{' {
		p.error("expected '{' in function body")
		return
	}
	start := p.pos
	skip := skipBody
	if p.opts.deferred {
		skip = skipPrinted
	}
	end, ok := skip(p.src, start)
	b := &body{g: g.ID, start: start, end: end, args: args}
	p.bodies = append(p.bodies, b)
	p.bodyOf[g.ID] = b
	if !ok {
		// The body's parser tells what is wrong with it.
		p.tok, p.pos = tEOF, len(p.src)
		return
	}
	p.pos = end
	p.next()
}

// functionHead reads the head of a function and adds it to the module.
func (p *parser) functionHead(define bool) (g *ir.Global, args []argName, off int) {
	g = &ir.Global{Kind: ir.GlobalFunc}
	linkOff := p.off
	p.linkageHead(g, p.off)
	g.CC = p.callingConv()
	list := &ir.AttrList{Ret: p.attrs(onRet)}
	retOff := p.off
	ret := p.typeOrVoid("expected type", true)
	if !p.ok() {
		return
	}
	switch g.Linkage {
	case ir.External:
	case ir.ExternWeak:
		if define {
			p.errorAt(linkOff, "invalid linkage for function definition")
			return
		}
	case ir.Private, ir.Internal, ir.AvailableExternally, ir.LinkOnceAny, ir.LinkOnceODR, ir.WeakAny, ir.WeakODR:
		if !define {
			p.errorAt(linkOff, "invalid linkage for function declaration")
			return
		}
	default:
		p.errorAt(linkOff, "invalid function linkage type")
		return
	}
	switch p.t.Kind(ret) {
	case ir.KindLabel, ir.KindMetadata, ir.KindFunction:
		p.errorAt(retOff, "invalid function return type")
		return
	}
	off = p.off
	num := int64(-1)
	switch p.tok {
	case tGlobal:
		g.Name = p.str()
	case tGlobalID:
		num = int64(p.num)
	default:
		p.error("expected function name")
		return
	}
	p.next()
	if p.tok != '(' {
		p.error("expected '(' in function argument list")
		return
	}
	types, args, vararg := p.argumentList(list)
	g.Unnamed = p.unnamedAddr()
	if p.is("addrspace") {
		g.AddrSpace = p.addrSpace()
	} else if dl := p.m.DataLayout; dl != "" {
		g.AddrSpace = p.programAS(dl)
	}
	fn, nums := p.fnAttrs(false)
	p.functionTail(g)
	if !p.ok() {
		return
	}
	for _, a := range fn {
		if a.Key == "builtin" && !a.IsString {
			p.errorAt(p.builtinOff, "'builtin' attribute not valid on function")
			return
		}
	}
	if len(list.Params) > 0 && hasAttr(list.Params[0], "sret") && ret != ir.Void || len(list.Params) > 1 && hasAttr(list.Params[1], "sret") && ret != ir.Void {
		p.errorAt(retOff, "functions with 'sret' argument must return void")
		return
	}
	g.ValueType = p.t.Func(ret, types, vararg)
	p.defineGlobal(g, num, off, retOff)
	p.repeatedArgument(args)
	if !p.ok() {
		return
	}
	if len(fn)+len(nums)+len(list.Ret)+len(list.Params) > 0 {
		p.groupUses = append(p.groupUses, groupUse{g: g.ID, fn: fn, nums: nums, list: list})
	}
	return g, args, off
}

func hasAttr(s []ir.Attr, key string) bool {
	for i := range s {
		if s[i].Key == key && !s[i].IsString {
			return true
		}
	}
	return false
}

// programAS returns the address space of functions of a data layout string.
func (p *parser) programAS(dl string) uint32 {
	if p.layoutText != dl {
		p.layoutText, p.layoutAS = dl, 0
		if d, err := ir.ParseDataLayout(dl); err == nil {
			p.layoutAS = d.ProgramAS
		}
	}
	return p.layoutAS
}

// repeatedArgument reports two arguments of one name.
func (p *parser) repeatedArgument(args []argName) {
	if len(args) < 2 || !p.ok() {
		return
	}
	seen := make(map[string]bool, len(args))
	for i := range args {
		if n := args[i].name; n != "" {
			if seen[n] {
				p.errorAt(args[i].typeOff, "redefinition of argument '%"+n+"'")
				return
			}
			seen[n] = true
		}
	}
}

// argumentList reads (T attrs %name, …).
func (p *parser) argumentList(list *ir.AttrList) (types []ir.Type, args []argName, vararg bool) {
	p.next()
	next := 0
	for p.ok() && p.tok != ')' {
		if p.eat(tDots) {
			vararg = true
			break
		}
		off := p.off
		t := p.typ("expected type")
		if t == 0 {
			return
		}
		set := p.attrs(onParam)
		a := argName{num: -1, off: p.off, typeOff: off}
		switch p.tok {
		case tLocal:
			a.name = p.str()
			p.next()
		case tLocalID:
			if int(p.num) < next || p.num > uint64(next+maxNumber) {
				p.errorAt(off, "argument expected to be numbered '%"+strconv.Itoa(next)+"' or greater")
				return
			}
			next = int(p.num)
			a.num = next
			next++
			p.next()
		default:
			a.num = next
			next++
		}
		if !p.argumentType(t) {
			p.errorAt(off, "invalid type for function argument")
			return
		}
		types = append(types, t)
		if len(set) > 0 {
			for len(list.Params) < len(args) {
				list.Params = append(list.Params, nil)
			}
			list.Params = append(list.Params, set)
		}
		args = append(args, a)
		if !p.eat(',') {
			break
		}
		if p.tok == ')' {
			p.error("expected type")
		}
	}
	p.expect(')', "expected ')' at end of argument list")
	return
}

// functionTail reads what follows a function's attributes, in LLVM's order.
func (p *parser) functionTail(g *ir.Global) {
	if p.eatWord("section") {
		g.Section = p.string("expected string constant")
	}
	if p.eatWord("partition") {
		g.Partition = p.string("expected string constant")
	}
	p.optComdat(g)
	if p.is("align") {
		g.Align = p.optAlign()
	}
	if p.eatWord("gc") {
		g.GC = p.string("expected string constant")
	}
	if p.eatWord("prefix") {
		_, g.Prefix = p.typeAndValue()
	}
	if p.eatWord("prologue") {
		_, g.Prologue = p.typeAndValue()
	}
	if p.eatWord("personality") {
		_, g.Persona = p.typeAndValue()
	}
}
