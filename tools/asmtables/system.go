package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/mirin-go/mirin/target/aarch64/tab"
)

// pointers gives the strings that an object's words point to, by their place.
func (o *object) pointers(s elf.Symbol) (map[uint64]string, error) {
	out := map[uint64]string{}
	for _, sec := range o.f.Sections {
		if sec.Type != elf.SHT_RELA || int(sec.Info) != int(s.Section) {
			continue
		}
		b, err := sec.Data()
		if err != nil {
			return nil, err
		}
		for ; len(b) >= 24; b = b[24:] {
			at, info, add := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])
			sym := o.syms[info>>32-1]
			if int(sym.Section) >= len(o.f.Sections) {
				continue
			}
			text, err := o.f.Sections[sym.Section].Data()
			if err != nil {
				return nil, err
			}
			if from := sym.Value + add; from < uint64(len(text)) && at >= s.Value && at < s.Value+s.Size {
				w, _, _ := bytes.Cut(text[from:], []byte{0})
				out[at-s.Value] = string(w)
			}
		}
	}
	return out, nil
}

func (o *object) symbol(part string) (elf.Symbol, error) {
	for _, s := range o.syms {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT && strings.HasSuffix(s.Name, part) {
			return s, nil
		}
	}
	return elf.Symbol{}, fmt.Errorf("no object %s", part)
}

// systemTables are the lists of names in LLVM 22's AArch64BaseInfo.cpp.o: the ends of their symbols, the
// sizes of rows, where the features are.
var systemTables = []struct {
	kind     tab.SystemKind
	end      string
	size     int
	features int
}{
	{tab.SystemIC, "ICL7ICsListE", 72, 16},
	{tab.SystemDC, "DCL7DCsListE", 64, 16},
	{tab.SystemAT, "ATL7ATsListE", 64, 16},
	{tab.SystemTLBI, "TLBIL9TLBITableE", 72, 16},
	{tab.SystemTLBIP, "TLBIPL10TLBIPTableE", 72, 16},
	{tab.SystemPLBI, "PLBIL9PLBITableE", 72, 16},
	{tab.SystemMLBI, "MLBIL9MLBITableE", 72, 16},
	{tab.SystemGIC, "GICL8GICTableE", 72, 16},
	{tab.SystemGICR, "GICRL9GICRTableE", 72, 16},
	{tab.SystemGSB, "GSBL8GSBTableE", 64, 16},
	{tab.SystemSVCR, "SVCRL9SVCRsListE", 64, 16},
	{tab.SystemPState15, "PStateImm0_15sListE", 64, 16},
	{tab.SystemPState1, "PStateImm0_1sListE", 64, 16},
}

// sysRegSize is the size of the rows of system registers, which have their names in them.
const (
	sysRegSize     = 88
	sysRegEncoding = 32
	sysRegFeatures = 40
)

// system reads the names of system registers and operations.
func (l *learner) system(path string) error {
	o, err := openObject(path)
	if err != nil {
		return err
	}
	row := func(kind tab.SystemKind, name string, enc uint32, flags uint8, features []byte) {
		r := tab.System{Kind: kind, Name: strings.ToUpper(name), Enc: enc, Flags: flags}
		r.Features = l.featureList(features)
		l.t.System = append(l.t.System, r)
	}
	for _, t := range systemTables {
		s, err := o.symbol(t.end)
		if err != nil {
			return err
		}
		names, err := o.pointers(s)
		if err != nil {
			return err
		}
		b, err := o.f.Sections[s.Section].Data()
		if err != nil {
			return err
		}
		b = b[s.Value : s.Value+s.Size]
		if len(b)%t.size != 0 {
			return fmt.Errorf("%s: %d bytes are no rows of %d", t.end, len(b), t.size)
		}
		for i := 0; i < len(b); i += t.size {
			flags := uint8(0)
			if end := i + t.features + 8*featureWords; t.size > t.features+8*featureWords {
				flags = b[end]&1*tab.NeedsReg | b[end+1]&1*tab.OptionalReg
			}
			row(t.kind, names[uint64(i)], binary.LittleEndian.Uint32(b[i+8:]), flags, b[i+t.features:i+t.features+8*featureWords])
		}
	}
	b, err := o.data("SysRegsList")
	if err != nil {
		return err
	}
	for ; len(b) >= sysRegSize; b = b[sysRegSize:] {
		name, _, _ := bytes.Cut(b[:sysRegEncoding], []byte{0})
		flags := b[sysRegEncoding+4]&1*tab.Readable | b[sysRegEncoding+5]&1*tab.Writable
		row(tab.SystemReg, string(name), binary.LittleEndian.Uint32(b[sysRegEncoding:]), flags, b[sysRegFeatures:sysRegFeatures+8*featureWords])
	}
	return nil
}

// featureList names the features of a set.
func (l *learner) featureList(b []byte) (out []string) {
	for i := range l.info.Features {
		f := &l.info.Features[i]
		if int(f.Bit/8) < len(b) && b[f.Bit/8]>>(f.Bit%8)&1 != 0 {
			out = append(out, l.info.Str(f.Name))
		}
	}
	return out
}

// extensions reads what .arch_extension and messages call features.
func (l *learner) extensions(o *object) error {
	s, err := o.symbol("ExtensionMap")
	if err != nil {
		return err
	}
	names, err := o.pointers(s)
	if err != nil {
		return err
	}
	b, err := o.data("ExtensionMap")
	if err != nil {
		return err
	}
	const size = 8 + 8*featureWords
	for i := 0; i+size <= len(b); i += size {
		l.t.Extensions = append(l.t.Extensions, tab.Extension{Name: names[uint64(i)], Features: l.featureList(b[i+8 : i+size])})
	}
	return nil
}

// The lines of the header of architectures and extensions.
var (
	extensionLine = regexp.MustCompile(`^  \{"[^"]*", .*AArch64::(AEK_\w+), .*"\+([^"]*)", "-`)
	archName      = regexp.MustCompile(`^  "(armv[^"]*)",`)
	archFeature   = regexp.MustCompile(`^  "\+(v[^"]*)",`)
	archSet       = regexp.MustCompile(`^  \(AArch64::ExtensionBitset\(\{(.*)\}\)\)`)
)

// archs reads LLVM's header TargetParser/AArch64TargetParserDef.inc.
func (l *learner) archs(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	features := map[string]string{}
	var x tab.Extension
	for line := range strings.Lines(string(b)) {
		if m := extensionLine.FindStringSubmatch(line); m != nil {
			features[m[1]] = m[2]
		} else if m := archName.FindStringSubmatch(line); m != nil {
			x = tab.Extension{Name: m[1]}
		} else if m := archFeature.FindStringSubmatch(line); m != nil {
			x.Features = []string{m[1]}
		} else if m := archSet.FindStringSubmatch(line); m != nil && x.Name != "" {
			for w := range strings.SplitSeq(m[1], ",") {
				if f := features[strings.TrimPrefix(strings.TrimSpace(w), "AArch64::")]; f != "" {
					x.Features = append(x.Features, f)
				}
			}
			l.t.Archs = append(l.t.Archs, x)
			x = tab.Extension{}
		}
	}
	return nil
}
