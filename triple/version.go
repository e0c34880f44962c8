package triple

import (
	"strconv"
	"strings"
)

// Version is a version in a triple: darwin20.1 is of version 20.1. Parts counts
// the numbers that are written; a triple without a version has the zero value.
type Version struct {
	Major, Minor, Micro int
	Parts               int
}

// String writes the numbers that the version has, "0" when it has none.
func (v Version) String() string {
	s := strconv.Itoa(v.Major)
	if v.Parts > 1 {
		s += "." + strconv.Itoa(v.Minor)
	}
	if v.Parts > 2 {
		s += "." + strconv.Itoa(v.Micro)
	}
	return s
}

// Less compares versions number by number; one that is not written is 0.
func (v Version) Less(o Version) bool {
	switch {
	case v.Major != o.Major:
		return v.Major < o.Major
	case v.Minor != o.Minor:
		return v.Minor < o.Minor
	}
	return v.Micro < o.Micro
}

// parseVersion reads one to four numbers with dots between, the fourth of which
// does not count. What is anything else is no version.
func parseVersion(s string) (v Version) {
	for i, part := range strings.Split(s, ".") {
		// Numbers are of 31 bits in LLVM; nine digits always fit.
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || part[0] == '+' || len(part) > 9 || i > 3 {
			return Version{}
		}
		switch i {
		case 0:
			v.Major = int(n)
		case 1:
			v.Minor = int(n)
		case 2:
			v.Micro = int(n)
		}
		v.Parts = min(i+1, 3)
	}
	return v
}

// OSVersion is the version behind the operating system's name.
func (t Triple) OSVersion() Version {
	s := t.OSName()
	if rest, ok := strings.CutPrefix(s, osNames[t.OS]); ok {
		return parseVersion(rest)
	}
	for i := range osWords {
		// Behind win32 stands no version.
		if w := &osWords[i]; w.is == t.OS && w.is != OSWin32 {
			s = strings.TrimPrefix(s, w.name)
		}
	}
	return parseVersion(s)
}

// EnvVersion is the version behind the environment's name.
func (t Triple) EnvVersion() Version {
	s := strings.TrimPrefix(t.EnvName(), envNames[t.Env])
	if strings.Contains(s, "-") {
		s = strings.TrimSuffix(s, "-"+formatNames[t.Format])
	}
	return parseVersion(s)
}
