package mctarget

// Flag is a flag of llvm-mc that one target has.
type Flag struct {
	Name, Help, Default string
	Bool                bool
}

// FlagValue is what a flag is set to: Value, or On of one that is Bool.
type FlagValue struct {
	Flag  string
	Value *string
	On    *bool
}

// Flags are values of flags by their names.
type Flags []FlagValue

// On reports whether a flag is on; def is what it is where nobody set it.
func (f Flags) On(name string, def bool) bool {
	for i := range f {
		if f[i].Flag == name && f[i].On != nil {
			return *f[i].On
		}
	}
	return def
}

// Value is what a flag is set to, "" for nothing.
func (f Flags) Value(name string) string {
	for i := range f {
		if f[i].Flag == name && f[i].Value != nil {
			return *f[i].Value
		}
	}
	return ""
}
