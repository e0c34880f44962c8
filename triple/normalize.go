package triple

import (
	"slices"
	"strings"
)

// Normalize puts the parts of a triple in their places, arch-vendor-os-environment,
// writes unknown for those that are missing, and gives systems with several
// names the one that LLVM uses. It looks for the parts from the left: what is
// not known stays where it is, or where that makes room for others.
func Normalize(s string) string {
	n := normalizer{parts: strings.Split(s, "-")}
	n.place()
	n.fill()
	n.rename()
	return strings.Join(n.parts, "-")
}

// normalizer is a triple on its way, and what was found in it so far.
type normalizer struct {
	parts  []string
	found  [4]bool // the part at this place is what belongs there
	arch   Arch
	vendor Vendor
	os     OS
	env    Env
	format Format
	// mingw and cygwin are old names of environments of Windows in the place of a system's.
	mingw, cygwin bool
}

// take looks whether s can stand at a place, and keeps what it is. first is the
// look at the parts where they stand, which the rest of the search then leaves there.
func (n *normalizer) take(place int, s string, first bool) bool {
	switch place {
	case 0:
		n.arch = parseArch(s)
		return n.arch != UnknownArch
	case 1:
		n.vendor = parseVendor(s)
		return n.vendor != UnknownVendor
	case 2:
		n.os = parseOS(s)
		n.cygwin, n.mingw = strings.HasPrefix(s, "cygwin"), strings.HasPrefix(s, "mingw")
		return n.os != UnknownOS || !first && (n.cygwin || n.mingw)
	}
	n.env = parseEnv(s)
	if n.env != UnknownEnv || first {
		return n.env != UnknownEnv
	}
	n.format = parseFormat(s)
	return n.format != UnknownFormat
}

// place moves the parts to their places.
func (n *normalizer) place() {
	for i := 0; i < len(n.parts) && i < 4; i++ {
		n.found[i] = n.take(i, n.parts[i], true)
	}
	if len(n.parts) > 4 {
		n.format = parseFormat(n.parts[4])
	}
	for place := range n.found {
		if n.found[place] {
			continue
		}
		for i := range n.parts {
			if i < 4 && n.found[i] || !n.take(place, n.parts[i], false) {
				continue
			}
			if place < i {
				n.moveLeft(place, i)
			} else if place > i {
				n.moveRight(place, i)
			}
			n.found[place] = true
			break
		}
	}
}

// moveLeft moves part i to a place before it; those in its way move on to the
// next places that are free.
func (n *normalizer) moveLeft(place, i int) {
	cur := n.parts[i]
	n.parts[i] = ""
	for k := place; cur != ""; k++ {
		for k < 4 && n.found[k] {
			k++
		}
		cur, n.parts[k] = n.parts[k], cur
	}
}

// moveRight puts empty parts before part i until it stands at its place.
func (n *normalizer) moveRight(place, i int) {
	for {
		cur := ""
		for k := i; k < len(n.parts); {
			cur, n.parts[k] = n.parts[k], cur
			if cur == "" {
				break
			}
			for k++; k < 4 && n.found[k]; k++ {
			}
		}
		if cur != "" {
			n.parts = append(n.parts, cur)
		}
		for i++; i < 4 && n.found[i]; i++ {
		}
		if i >= place {
			return
		}
	}
}

// fill writes something in the places that are empty.
func (n *normalizer) fill() {
	p := n.parts
	if n.found == [4]bool{true, false, false, true} && p[1] == "none" && p[2] == "" {
		// arch-none-environment has no system, rather than no vendor.
		p[1], p[2] = p[2], p[1]
	}
	for i := range p {
		if p[i] == "" {
			p[i] = "unknown"
		}
	}
}

// rename gives the parts LLVM's names.
func (n *normalizer) rename() {
	if rest, ok := strings.CutPrefix(n.at(3), "androideabi"); ok && n.env == EnvAndroid {
		n.parts[3] = "android" + rest
	}
	if n.vendor == VendorSUSE && n.env == EnvGNUEABI {
		n.parts[3] = "gnueabihf" // what it means there
	}
	other := n.format != UnknownFormat && n.format != FormatCOFF
	switch {
	case n.os == OSWin32:
		n.windows(n.at(3))
		if n.env == UnknownEnv {
			n.parts[3] = "msvc"
			if other {
				n.parts[3] = formatNames[n.format]
			}
		}
	case n.mingw:
		n.windows("gnu")
	case n.cygwin:
		n.windows("cygnus")
	}
	if other && (n.mingw || n.cygwin || n.os == OSWin32 && n.env != UnknownEnv) {
		n.parts = append(n.parts[:4], formatNames[n.format])
	}
	if n.parts[0] == archRows[DXIL].name { // without a version
		n.parts = n.parts[:min(len(n.parts), 4)]
		if n.os == OSShaderModel {
			n.parts[0] = dxilOfShaderModel(n.parts[2])
		}
	}
}

func (n *normalizer) at(i int) string {
	if i < len(n.parts) {
		return n.parts[i]
	}
	return ""
}

// windows makes the system windows, with an environment.
func (n *normalizer) windows(env string) {
	n.parts = append(slices.Grow(n.parts, 4)[:min(len(n.parts), 4)], make([]string, max(0, 4-len(n.parts)))...)
	n.parts[2], n.parts[3] = "windows", env
}

// dxilOfShaderModel names the version of DXIL that a shader model is compiled
// to: 6.x to 1.x, the newest when it names none.
func dxilOfShaderModel(os string) string {
	v := Triple{text: "--" + os, OS: OSShaderModel}.OSVersion()
	switch {
	case v.Parts == 0:
		return "dxilv1.0"
	case v.Major == 6 && v.Minor <= int(SubDXILV1_9-SubDXILV1_0):
		return "dxilv1." + string(rune('0'+v.Minor))
	}
	return "dxilv1.9"
}
