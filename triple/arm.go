package triple

import "strings"

// ARM's architectures have versions and profiles in their names, before or
// behind which the byte order may stand: armv7k, thumbebv8m.main, armv6eb.

// armVersions are the versions with the sub-architecture and profile that they
// are; a name is looked for at their ends, from the top.
var armVersions = [...]struct {
	name string
	sub  SubArch
	m6   bool // version 6 of the M profile, which has Thumb code alone
}{
	{"armv4", NoSubArch, false}, {"armv4t", SubARMV4t, false}, {"armv5t", SubARMV5, false}, {"armv5te", SubARMV5te, false},
	{"armv5tej", SubARMV5te, false}, {"armv6", SubARMV6, false}, {"armv6k", SubARMV6k, false}, {"armv6t2", SubARMV6t2, false},
	{"armv6kz", SubARMV6k, false}, {"armv6-m", SubARMV6m, true}, {"armv7-a", SubARMV7, false}, {"armv7ve", SubARMV7ve, false},
	{"armv7-r", SubARMV7, false}, {"armv7-m", SubARMV7m, false}, {"armv7e-m", SubARMV7em, false}, {"armv8-a", SubARMV8, false},
	{"armv8.1-a", SubARMV8_1a, false}, {"armv8.2-a", SubARMV8_2a, false}, {"armv8.3-a", SubARMV8_3a, false},
	{"armv8.4-a", SubARMV8_4a, false}, {"armv8.5-a", SubARMV8_5a, false}, {"armv8.6-a", SubARMV8_6a, false},
	{"armv8.7-a", SubARMV8_7a, false}, {"armv8.8-a", SubARMV8_8a, false}, {"armv8.9-a", SubARMV8_9a, false},
	{"armv9-a", SubARMV9, false}, {"armv9.1-a", SubARMV9_1a, false}, {"armv9.2-a", SubARMV9_2a, false},
	{"armv9.3-a", SubARMV9_3a, false}, {"armv9.4-a", SubARMV9_4a, false}, {"armv9.5-a", SubARMV9_5a, false},
	{"armv9.6-a", SubARMV9_6a, false}, {"armv9.7-a", SubARMV9_7a, false}, {"armv8-r", SubARMV8r, false},
	{"armv8-m.base", SubARMV8mBase, false}, {"armv8-m.main", SubARMV8mMain, false}, {"armv8.1-m.main", SubARMV8_1mMain, false},
	{"iwmmxt", SubARMV5te, false}, {"iwmmxt2", SubARMV5te, false}, {"xscale", SubARMV5te, false},
	{"armv7s", SubARMV7s, false}, {"armv7k", SubARMV7k, false},
}

// armSynonyms are other names of versions.
var armSynonyms = [...]word[string]{
	{"v5", "v5t"}, {"v5e", "v5te"}, {"v6j", "v6"}, {"v6hl", "v6k"}, {"v6m", "v6-m"}, {"v6sm", "v6-m"}, {"v6s-m", "v6-m"},
	{"v6z", "v6kz"}, {"v6zk", "v6kz"}, {"v7", "v7-a"}, {"v7a", "v7-a"}, {"v7hl", "v7-a"}, {"v7l", "v7-a"}, {"v7r", "v7-r"},
	{"v7m", "v7-m"}, {"v7em", "v7e-m"}, {"v8", "v8-a"}, {"v8a", "v8-a"}, {"v8l", "v8-a"}, {"aarch64", "v8-a"}, {"arm64", "v8-a"},
	{"v8.1a", "v8.1-a"}, {"v8.2a", "v8.2-a"}, {"v8.3a", "v8.3-a"}, {"v8.4a", "v8.4-a"}, {"v8.5a", "v8.5-a"}, {"v8.6a", "v8.6-a"},
	{"v8.7a", "v8.7-a"}, {"v8.8a", "v8.8-a"}, {"v8.9a", "v8.9-a"}, {"v8r", "v8-r"}, {"v9", "v9-a"}, {"v9a", "v9-a"},
	{"v9.1a", "v9.1-a"}, {"v9.2a", "v9.2-a"}, {"v9.3a", "v9.3-a"}, {"v9.4a", "v9.4-a"}, {"v9.5a", "v9.5-a"}, {"v9.6a", "v9.6-a"},
	{"v9.7a", "v9.7-a"}, {"v8m.base", "v8-m.base"}, {"v8m.main", "v8-m.main"}, {"v8.1m.main", "v8.1-m.main"},
}

// armHeads are the words that a version follows, the longer ones first.
var armHeads = [...]string{"arm64_32", "arm64e", "arm64", "aarch64_32", "aarch64_be", "aarch64", "arm", "thumb"}

// armVersionName is what of a name says the version: all of it when there is
// nothing but the architecture, "" when the name is none of ARM's.
func armVersionName(s string) string {
	head := ""
	for _, h := range armHeads {
		if strings.HasPrefix(s, h) {
			head = h
			break
		}
	}
	if strings.HasPrefix(head, "aarch64") && head != "aarch64_32" && strings.Contains(s, "eb") {
		return "" // it says _be
	}
	v := s[len(head):]
	if eb := strings.TrimPrefix(v, "eb"); head != "" && eb != v {
		v = eb
	} else {
		v = strings.TrimSuffix(v, "eb")
	}
	switch {
	case v == "":
		return s
	case head == "":
		return v
	case len(v) >= 2 && (v[0] != 'v' || v[1] < '0' || v[1] > '9'), strings.Contains(v, "eb"):
		return ""
	}
	return v
}

// armVersion finds a version's row in armVersions, -1 when there is none.
func armVersion(s string) int {
	s = armVersionName(s)
	if s == "" {
		return -1
	}
	for i := range armSynonyms {
		if armSynonyms[i].name == s {
			s = armSynonyms[i].is
			break
		}
	}
	for i := range armVersions {
		if strings.HasSuffix(armVersions[i].name, s) {
			return i
		}
	}
	return -1
}

func armSubArch(s string) SubArch {
	if i := armVersion(s); i >= 0 {
		return armVersions[i].sub
	}
	return NoSubArch
}

// parseARM reads a name that begins with arm, thumb or aarch64 and goes on.
func parseARM(s string) Arch {
	wide := strings.HasPrefix(s, "aarch64") || strings.HasPrefix(s, "arm64")
	thumb := strings.HasPrefix(s, "thumb")
	big := strings.HasPrefix(s, "armeb") || strings.HasPrefix(s, "thumbeb") || strings.HasPrefix(s, "aarch64_be") ||
		!strings.HasPrefix(s, "aarch64") && strings.HasSuffix(s, "eb")
	version := armVersionName(s)
	if version == "" || thumb && (strings.HasPrefix(version, "v2") || strings.HasPrefix(version, "v3")) {
		return UnknownArch
	}
	if i := armVersion(version); i >= 0 && armVersions[i].m6 {
		thumb, wide = true, false
	}
	switch {
	case wide && big:
		return AArch64BE
	case wide:
		return AArch64
	case thumb && big:
		return ThumbEB
	case thumb:
		return Thumb
	case big:
		return ARMEB
	}
	return ARM
}
